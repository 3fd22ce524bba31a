#!/usr/bin/env bash
# network.kind: schedules and models on formulas, by tilefly run.
source "$(dirname "$0")/run.bash"
data=$tests/../data/goal
shipped=$tests/../../experiments/shipped/aspen

config() { # KEYS OF NETWORK, KEYS OF THE JOB
	cat >run.cfg <<-END
		topology = { kind = "single"; ports = 16; };
		network  = { $1 };
		traffic  = ( { name = "a"; $2 } );
	END
}
ps() { # completion
	python3 -c 'import json; print(round(json.load(open("out"))["completion_ns"] * 1000))'
}
ends() { # PS
	[ "$(ps)" = "$1" ] || fail "ends at $(ps) ps, not $1"
}

begin "LogGOPS: every published end"
checked=0
while IFS=, read -r file set events most ends; do
	case $file in '#'* | case) continue ;; esac
	case $set in
	D) params= unit=1ns factor=1000 ;;
	S1) params='L = "1100ns"; o = "300ns"; g = "50ns"; G = 40.0; S = "16384B";' unit=10ps factor=10 ;;
	S2) params='L = "1200ns"; o = "400ns"; g = "700ns"; G = 1000.0; O = 2000.0; S = "8192B";' unit=1ns factor=1000 ;;
	esac
	config "kind = \"loggops\"; $params" "process = \"goal\"; file = \"$data/$file.goal\"; unit = \"$unit\";"
	run run run.cfg --json
	expect 0
	grep -Eq '"completion_ns":'$(python3 -c "print($most * $factor / 1000)")',.*"processes_finished":([0-9]+),"operations_unfinished":0' out || fail "$file, set $set"
	checked=$((checked + 1))
done <"$data/ends.csv"
[ "$checked" = 39 ] || fail "$checked runs"

begin "one digest"
for kind in simplenet loggp loggops loggops-atlahs; do
	config "kind = \"$kind\";" "process = \"goal\"; file = \"$data/random_dag_p10.goal\";"
	digest=
	for how in "" "--audit" "--sync conservative" "--sync optimistic --set engine.stress=20" two; do
		if [ "$how" = two ]; then
			"$tests/../mpirun.sh" 2 "$program" run run.cfg --json --quiet >out 2>err || fail "$kind, 2 ranks: $(cat err)"
		else
			run run run.cfg --json $how
			expect 0
		fi
		found=$(grep -o '"digest":"[0-9a-f]*"' out)
		digest=${digest:-$found}
		[ -n "$found" ] && [ "$found" = "$digest" ] || fail "$kind $how: another digest"
	done
done

begin "LogGP and SimpleNet by hand"
# Two messages of 513 B at once. LogGP: the second is begun o later, and leaves when the interface is free, x + g after
# the first left, x = 512 G; at the receiver each takes x, g lies between them, and o of the processor follows.
printf 'num_ranks 2\nrank 0 {\nsend 513b to 1 tag 1\nsend 513b to 1 tag 2\n}\nrank 1 {\nrecv 513b from 0 tag 1\nrecv 513b from 0 tag 2\n}\n' >two.goal
config 'kind = "loggp"; L = "1us"; o = "100ns"; g = "700ns"; G = 0.5;' 'process = "goal"; file = "two.goal";'
run run run.cfg --json
expect 0
ends $((100000 + 256 + 700000 + 1000000 + 256 + 100000))
run run run.cfg --json --set network.compat=true --set network.o=1500ns
ends $((256 + 700000 + 1000000 + 256))
# SimpleNet: start-up, then the bytes; the sender's interface takes both. 513 B at 20000 MiB/s.
G=$(python3 -c 'print(1e12 / 2**20 / 20000)')
r=$(python3 -c "print(round(513 * $G))")
config "kind = \"simplenet\"; L = \"1us\"; G = $G;" 'process = "goal"; file = "two.goal";'
run run run.cfg --json
ends $((1000000 + r + 1000000 + r))

begin "corner cases: what makes sense, and what the reference answers"
printf 'num_ranks 2\nrank 0 {\nsend 0b to 1\n}\nrank 1 {\nrecv 0b from 0\n}\n' >zero.goal
config 'kind = "loggops";' 'process = "goal"; file = "zero.goal";'
run run run.cfg --json
ends 5500000
run run run.cfg --json --set network.compat=true
ends 5494000
# A message beyond S, its receive smaller and late: the send's size decides; with the reference its dependents never run.
printf 'num_ranks 2\nrank 0 {\na: send 70000b to 1\nb: calc 7\nb requires a\n}\nrank 1 {\nc: calc 1000000\nd: recv 1b from 0\nd requires c\n}\n' >late.goal
config 'kind = "loggops";' 'process = "goal"; file = "late.goal";'
run run run.cfg --json
expect 0
grep -q '"operations_unfinished":0' out || fail "unfinished"
run run run.cfg --json --set network.compat=true
expect 0
grep -q '"operations_unfinished":2' out || fail "with compat finished"
expect_in err 'warning: 2 of 2 processes have not finished, 2 operations are left'

begin "ATLAHS by hand"
# The bytes are on the way, g is of the receiver's interface, o of its processor when message and receive have met.
printf 'num_ranks 2\nrank 0 {\nsend 1001b to 1\n}\nrank 1 {\nrecv 1001b from 0\n}\n' >one.goal
config 'kind = "loggops-atlahs"; L = "1us"; o = "100ns"; g = "7ns"; G = 2.5; O = 1.0;' 'process = "goal"; file = "one.goal";'
run run run.cfg --json
expect 0
ends $((100000 + 1000 + 1000000 + 2500 + 7000 + 100000 + 1000))
# A late receive: the charge comes then.
printf 'num_ranks 2\nrank 0 {\nsend 1001b to 1\n}\nrank 1 {\nc: calc 5000\nr: recv 1001b from 0\nr requires c\n}\n' >late1.goal
run run run.cfg --json --set 'traffic.[0].file="late1.goal"'
ends $((5000000 + 7000 + 100000 + 1000))
# Rendezvous: the sender goes on when the receive has ended.
printf 'num_ranks 2\nrank 0 {\ns: send 1001b to 1\nd: calc 10\nd requires s\n}\nrank 1 {\nc: calc 5000\nr: recv 1001b from 0\nr requires c\n}\n' >late2.goal
run run run.cfg --json --set 'traffic.[0].file="late2.goal"' --set network.S=1000B
ends $((5000000 + 7000 + 100000 + 1000 + 10000))

begin "unmatched, not received"
printf 'num_ranks 2\nrank 0 {\nsend 8b to 1 tag 3\n}\nrank 1 {\nrecv 8b from 0 tag 4\n}\n' >stuck.goal
config 'kind = "loggp";' 'process = "goal"; file = "stuck.goal";'
run run run.cfg
expect 1
expect_in err 'rank 1: recv 8 B from rank 0, tag 4: no matching message was sent'
printf 'num_ranks 2\nrank 0 {\nsend 8b to 1 tag 3\n}\nrank 1 {\ncalc 4\n}\n' >eager.goal
config 'kind = "loggops";' 'process = "goal"; file = "eager.goal";'
run run run.cfg
expect 0
expect_in err 'warning: 1 message was never received'
run run run.cfg --strict
expect 1

begin "an Aspen model, as the schedule that it becomes"
run workload "$shipped/lulesh.aspen" --ranks 8 --machine "$shipped/quad.aspen" --emit goal --out lulesh.goal
run workload lulesh.goal --loggops default --json
want=$(python3 -c 'import json; print(json.load(open("out"))["completion_ps"])')
config 'kind = "loggops";' "process = \"aspen\"; model = \"$shipped/lulesh.aspen\"; machine = \"$shipped/quad.aspen\"; ranks = 8;"
run run run.cfg --json
expect 0
ends "$want"
run run run.cfg --set traffic.[0].iterations=2
expect 2
expect_in err 'traffic.\[0\].iterations.*: must be 1 with an analytical network model'

begin "recorded calls, as the schedule that they become"
calls=$tests/../data/mpi/calls.mpi
for choice in basic openmpi-4.1; do
	run workload "$calls" --emit goal --collectives "$choice" --out calls.goal
	expect 0
	run workload calls.goal --loggops S=8KiB --json
	expect 0
	want=$(python3 -c 'import json; print(json.load(open("out"))["completion_ps"])')
	config 'kind = "loggops";' "process = \"recorded\"; file = \"$calls\";"
	run run run.cfg --json --set mpi.collectives="$choice"
	expect 0
	expect_in err 'traffic.\[0\].file: warning: 2 receives with a wildcard source or tag'
	ends "$want"
	digest=$(grep -o '"digest":"[0-9a-f]*"' out)
	run run run.cfg --json --set mpi.collectives="$choice" --audit --sync conservative
	[ "$(grep -o '"digest":"[0-9a-f]*"' out)" = "$digest" ] || fail "another digest"
done
expect_in out '"offered_load":null,"accepted_load":null'
# rank 0 computes for 3 x 1001 ps; then o, L, o
printf 'ranks 2\nrank 0\nsend to=1 tag=5 bytes=1 compute=1001\nrank 1\nrecv from=0 tag=5 bytes=1\n' >calls.mpi
config 'kind = "loggops"; L = "1us"; o = "100ns"; g = "7ns"; G = 2.5;' 'process = "recorded"; file = "calls.mpi"; compute_scale = 3.0;'
run run run.cfg --json
expect 0
ends $((3003 + 100000 + 1000000 + 100000))
printf 'ranks 2\nrank 0\nrecv from=1 tag=5 bytes=1\nrank 1\nrecv from=0 tag=5 bytes=1\n' >calls.mpi
run run run.cfg
expect 1
expect_in err 'traffic.\[0\].file: .*rank 0 waits for a message from rank 1, tag 5'
expect_in err 'traffic.\[0\].file: .*rank 1 waits for a message from rank 0, tag 5'
for kind in loggp simplenet 'loggops"; S = "1KB'; do
	config "kind = \"$kind\";" 'process = "recorded"; file = "calls.mpi";'
	run run run.cfg --set mpi.eager=1KB
	expect 2
	expect_in err 'mpi.eager=1KB: has an effect with an analytical network model only if network.kind = "loggops"'
done
printf 'ranks 2\nrank 0\nsend to=1 tag=5 bytes=20\nrank 1\nrecv from=0 tag=5 bytes=10\n' >calls.mpi
config 'kind = "loggops";' 'process = "recorded"; file = "calls.mpi";'
run run run.cfg
expect 0
expect_in err 'file: warning: 1 messages are longer than the receives that they match; the first one, from rank 0 to rank 1, tag 5, has 20 B for a receive of 10 B'
run run run.cfg --strict
expect 1
printf 'ranks 2\nrank 0\nsend to=1 tag=5 bytes=20\nrank 1\n' >calls.mpi
sed 's/tag=5/tag=7/' calls.mpi >other.mpi
echo 'topology = { kind = "single"; ports = 4; }; network = { kind = "loggops"; }; record = { ranks = true; };
	traffic = ( { name = "a"; process = "recorded"; file = "calls.mpi"; nodes = "2-3"; }, { name = "b"; process = "recorded"; file = "other.mpi"; nodes = "0-1"; } );' >run.cfg
run run run.cfg --out two.jsonl
expect 0
expect_in err '^a: rank 0: send 20 B to rank 1, tag 5: not received$'
expect_in err '^b: rank 0: send 20 B to rank 1, tag 7: not received$'
[ "$(grep '"record":"rank"' two.jsonl | python3 -c 'import json, sys; print([(r["job"], r["rank"], r["endpoint"]) for r in map(json.loads, sys.stdin)])')" = \
		"[('a', 0, 2), ('a', 1, 3), ('b', 0, 0), ('b', 1, 1)]" ] || fail "endpoints of ranks: $(grep '"rank"' two.jsonl)"
config 'kind = "loggops";' "process = \"aspen\"; model = \"$shipped/lulesh.aspen\"; ranks = 8;"
run check run.cfg --set traffic.[0].iterations=2
expect 2
run run run.cfg --set traffic.[0].stop=1us
expect 2
expect_err '--set traffic.[0].stop=1us: has no effect with an analytical network model (network.kind)'
run run run.cfg --set classes_sharing=proportional
expect 0
expect_in err 'classes are part of a switched network'

begin "the same configuration on switches and on the formula"
python3 "$tests/goal_apps.py" doubling app.goal
cat >app.cfg <<-END
	topology = { kind = "single"; ports = 16; };
	links    = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
	switch   = { kind = "ideal"; traversal = "100ns"; buffer = "16MB"; };
	nic      = { overhead_send = "300ns"; overhead_receive = "300ns"; };
	traffic  = ( { process = "goal"; file = "app.goal"; } );
END
run run app.cfg --json --set traffic.[0].packet=1MB --set traffic.[0].eager=1MB
expect 0
switched=$(ps)
run run app.cfg --json --set 'network={ kind = "loggops"; L = "200ns"; o = "300ns"; g = "0ns"; G = 80.0; S = "1MB"; }'
expect 0
expect_in err 'warning: an analytical network model takes only the number of endpoints from the topology'
python3 -c "import sys; sys.exit(not abs($switched / $(ps) - 1) < 0.03)" || fail "$switched ps on switches, $(ps) on the formula"

begin "errors"
config 'kind = "loggops";' 'process = "ring";'
run run run.cfg --set record.timeline=2us --set output.csv=true --out x.jsonl
expect 2
expect_in err 'traffic.\[0\].process: process "ring" cannot run on an analytical network model'
expect_in err 'record.timeline.*: has no effect with an analytical network model \(network.kind\)'
expect_in err 'output.csv.*: has no effect with an analytical network model \(network.kind\)'
config 'kind = "loggops"; S = "1KB";' 'process = "recorded"; file = "none.mpi";'
run run run.cfg --set mpi.control=1B --set mpi.overhead=1ns --set mpi.eager=2KB --set traffic.[0].mapping=random
expect 2
for key in control overhead eager; do
	expect_in err "mpi.$key=[^ ]*: has (no|an) effect with an analytical network model"
done
config 'kind = "simplenet"; o = "1ns"; S = "5B";' 'process = "goal"; file = "two.goal";'
run run run.cfg
expect 2
expect_in err 'network.o: has an effect only with kind = "loggops" or "loggops-atlahs", or "loggp" without compat'
expect_in err 'network.S: has an effect only with kind = "loggops"'
config 'kind = "loggops"; L = "0ns"; o = "0ns";' 'process = "goal"; file = "two.goal";'
run run run.cfg
expect 2
expect_in err 'network.L: o \+ L must be at least 2 ps'
# One rank needs no lookahead, several do: what they refuse is the same.
too_soon() { # KEYS OF NETWORK, WHAT IS SAID
	config "$1" 'process = "goal"; file = "two.goal";'
	run run run.cfg
	expect 2
	expect_err "run.cfg:2: network.L: $2"
	"$tests/../mpirun.sh" 2 "$program" run run.cfg >out 2>err && fail "$1: plays on two ranks"
	grep -qxF "run.cfg:2: network.L: $2" err || fail "$1: two ranks say: $(cat err)"
}
for kind in 'kind = "loggops"; L = "1ps"; o = "0ps";' 'kind = "loggp"; L = "0ps"; o = "1ps";'; do
	too_soon "$kind" 'o + L must be at least 2 ps, and each of L, o, g less than 2^60 ps'
done
for kind in 'kind = "simplenet"; L = "1ps";' 'kind = "loggp"; L = "1ps"; compat = true;'; do
	too_soon "$kind" 'must be at least 2 ps with this kind, which adds no o to it'
done
config 'kind = "loggops"; L = "2ps"; o = "0ps";' 'process = "goal"; file = "two.goal";'
run run run.cfg
expect 0
"$tests/../mpirun.sh" 2 "$program" run run.cfg >out 2>err || fail "2 ps on two ranks: $(cat err)"
config 'kind = "loggops"; G = 1000000000.0;' 'process = "goal"; file = "two.goal";'
run run run.cfg --quiet
expect 0
config 'kind = "loggops";' 'process = "goal"; file = "two.goal"; eager = "1B"; control = "1MB"; mapping = "random";'
run run run.cfg
expect 2
for key in eager control mapping; do
	expect_in err "^run.cfg:[0-9]*: traffic.\[0\].$key: has no effect with an analytical network model \(network.kind\)\$"
done
without() { # KEY VALUE
	run run run.cfg --set "$1=$2"
	expect 2
	expect_in err "^--set $(echo "$1" | sed 's/[][]/\\&/g')=[^:]*: has (no|an) effect"
}
config 'kind = "loggops";' 'process = "goal"; file = "two.goal";'
run run run.cfg
expect 0
without traffic.[0].packet 512B
without traffic.[0].allocation '"random"'
without traffic.[0].stop 1ms
without traffic.[0].dscp 0
without traffic.[0].mapping_file '"two.goal"'
without time.warmup 1us
without time.measure 1us
without time.limit 1ms
without time.drain true
without record.ports true
without record.histograms false
without record.packets true
without engine.threads 2
without engine.partition '"random"'
without engine.path '"exact"'
without engine.gvt_interval 3
without mpi.eager 1B
run run run.cfg --set 'classes=({ name = "a"; }, { name = "b"; })' --set 'traffic.[0].class="b"'
expect 2
expect_in err '^--set traffic.\[0\].class="b": has no effect with an analytical network model \(network.kind\)'
config 'L = "1ns";' 'load = 0.1;'
run run run.cfg
expect 2
expect_in err 'network.L: has an effect only with an analytical network model \(kind other than "switched"\)'
begin "check tells of the network that the formula stands for"
config 'kind = "loggops";' 'process = "goal"; file = "two.goal";'
run check run.cfg --set switch.buffer=1MB
expect 0
expect_in err 'warning: an analytical network model takes only the number of endpoints from the topology; switch is part of a switched network, and it does not use it$'

begin "a warning names what is set, and only that"
run run run.cfg --quiet
expect 0
expect_err ''
run run run.cfg --quiet --set links.terminal.latency=5ns
expect_in err 'topology; links are part of a switched network, and it does not use them$'
run run run.cfg --quiet --set nic.latency=5ns --set routing.kind=valiant --set congestion.kind=window
expect_in err 'topology; routing, congestion and nic are part of a switched network, and it does not use them$'

begin "a timeline has no effect, however long the run may be"
run run run.cfg --set record.timeline=2us
expect 2
expect_err '--set record.timeline=2us: has no effect with an analytical network model (network.kind)'

begin "a schedule that takes too long is blamed on its job, a parameter on its key"
{ echo 'num_ranks 1'; echo 'rank 0 {'; for i in {1..40}; do echo "a$i: calc 5000000000000000"; done; echo '}'; } >long.goal
config 'kind = "loggops";' 'process = "goal"; file = "long.goal"; unit = "1s";'
run run run.cfg
expect 2
expect_in err '^run.cfg:[0-9]+: traffic.\[0\]: the schedule takes longer than 2\^61 ps \(26 days\)$'
finish
