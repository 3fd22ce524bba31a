#!/usr/bin/env bash
# traffic[].process = "goal": schedules replayed on the network. Times, one digest, how a run ends, what is wrong.
source "$(dirname "$0")/run.bash"
data=$tests/../data/goal

config() { # FILE KEYS: 16 endpoints
	cat >run.cfg <<-END
		topology   = { kind = "torus"; dims = [4, 2]; endpoints = 2; };
		links      = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
		switch     = { kind = "ideal"; traversal = "100ns"; buffer = "100KB"; };
		routing    = { kind = "minimal"; };
		nic        = { overhead_send = "300ns"; overhead_receive = "200ns"; latency = "30ns"; };
		traffic    = ( { name = "a"; process = "goal"; file = "$1"; packet = "4KB"; $2 } );
	END
}
value() { python3 -c "import json; d=json.load(open('out')); j=d['jobs'][0]; print($1)" 2>&1 | tail -1; }
is() { # EXPRESSION VALUE
	[ "$(value "$1")" = "$2" ] || fail "$1: $(value "$1"), not $2"
}

begin "two messages and a computation, by hand"
# 1 ns a unit. 300 ns of the sender's processor, 30 ns of its interface; 80 ps a byte; two cables and a switch, cut through:
# 200 ns; 30 ns, and 200 ns of the receiver. A message beyond `eager` asks first (64 B), is answered, and follows.
one() { # BYTES CONTROL: ps
	echo $((1000 * (300 + 30 + 200 + 30 + 200) + 80 * $1))
}
printf 'num_ranks 2\nrank 0 {\na: calc 500\nb: send 3000b to 1 tag 4\nb requires a\n}\nrank 1 {\nc: recv 3000b from 0 tag 4\nd: calc 7\nd requires c\n}\n' >two.goal
config two.goal
run run run.cfg --json
expect 0
is 'j["completion_ns"] * 1000' "$(($(one 3000) + 507000)).0"
is 'd["complete"], j["processes"], j["processes_finished"], j["operations_unfinished"], "stationary" in d' "True 16 16 0 False"
run run run.cfg --json --set traffic.[0].eager=2999B --set traffic.[0].control=100B
is 'j["completion_ns"] * 1000' "$(($(one 3000) + 2 * $(one 100) + 507000)).0"
run run run.cfg --json --set traffic.[0].unit=10ps --set traffic.[0].compute_scale=2
is 'j["completion_ns"] * 1000' "$(($(one 3000) + 2 * 5070)).0"
run run run.cfg --json --set traffic.[0].compute_scale=0 --set traffic.[0].start=1us
is 'j["completion_ns"] * 1000' "$(($(one 3000) + 1000000)).0"
run run run.cfg
expect_in out '^completion       1.507000 us$'

begin "every schedule ends, with one digest"
checked=0
for file in "$data"/*.goal; do
	config "$file" 'mapping = "random"; eager = "2KB";'
	digest=
	for how in "" "--sync optimistic --set engine.stress=20" "--sync conservative --threads 2" "--audit"; do
		run run run.cfg --json $how
		expect 0
		grep -q '"processes_finished":16,"operations_unfinished":0,"messages_unreceived":0,' out || fail "$file $how: not finished"
		found=$(grep -o '"digest":"[0-9a-f]*"' out)
		digest=${digest:-$found}
		[ "$found" = "$digest" ] || fail "$file $how: another digest"
	done
	checked=$((checked + 1))
done
[ "$checked" = 13 ] || fail "$checked schedules"
for file in halo2d_p16 random_dag_p10 rendezvous_late_p4; do
	config "$data/$file.goal" 'mapping = "random"; eager = "2KB";'
	run run run.cfg --json
	digest=$(value 'd["digest"]')
	for sync in conservative optimistic; do
		"$tests/../mpirun.sh" 2 "$program" run run.cfg --json --sync $sync >out 2>err || fail "2 ranks, $sync: $(cat err)"
		is 'd["digest"]' "$digest"
	done
done

begin "as on the LogGOPS formula where they mean the same"
# o = overheads, L = what a message takes but for its bits, G = the link; no gap, no headers, one packet a message. No
# message comes while its receiver computes: the formula takes the processor for its bits, the network does not.
for app in ring doubling tree pairwise token; do
	python3 "$tests/goal_apps.py" $app $app.goal
	cat >app.cfg <<-END
		topology = { kind = "single"; ports = 16; };
		links    = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
		switch   = { kind = "ideal"; traversal = "100ns"; buffer = "16MB"; };
		nic      = { overhead_send = "300ns"; overhead_receive = "300ns"; };
		traffic  = ( { process = "goal"; file = "$app.goal"; packet = "1MB"; eager = "1MB"; } );
	END
	run workload $app.goal --loggops L=200ns,o=300ns,g=0ns,G=80,S=1MB --json
	want=$(python3 -c 'import json; print(json.load(open("out"))["completion_ps"])')
	run run app.cfg --json
	expect 0
	[ "$(value "abs(j['completion_ns'] * 1000 / $want - 1) < 0.03 and $want > 10**7")" = True ] || fail "$app: $(value 'j["completion_ns"]') ns, by the formula $want ps"
done

begin "the run ends with the schedules, and so do other jobs"
config "$data/halo2d_p16.goal"
sed -i "s|} );|}, { name = \"b\"; process = \"goal\"; file = \"$data/bcast_binomial_p13.goal\"; }, { name = \"c\"; load = 0.2; pattern = \"uniform\"; } );|" run.cfg
run run run.cfg --json
expect 0
end=$(value 'd["simulated_ns"]')
digest=$(value 'd["digest"]')
is 'all(k["processes_finished"] == 16 for k in d["jobs"][:2]) and 0 <= d["simulated_ns"] - max(k["completion_ns"] for k in d["jobs"][:2]) < 0.03 * d["simulated_ns"]' True
is 'abs(d["jobs"][2]["accepted_load"] - 0.2) < 0.02 and d["measured_to_ns"] == d["simulated_ns"]' True
for how in "--sync optimistic --set engine.stress=20" "--sync conservative --threads 2"; do
	run run run.cfg --json $how
	is 'd["digest"], d["simulated_ns"]' "$digest $end"
done
run run run.cfg --json --set time.limit=50us
expect 1
expect_in err 'of 32 processes have not finished, .* operations are left, at '
is 'd["simulated_ns"] <= 50000' True

begin "two layouts"
# Two ranks of two interfaces each, at one switch: their messages leave side by side.
printf 'num_ranks 2\nrank 0 {\nsend 100000b to 1 tag 1\nsend 100000b to 1 tag 2 nic 1\n}\nrank 1 {\nrecv 100000b from 0 tag 1\nrecv 100000b from 0 tag 2\n}\n' >nics.goal
config nics.goal 'packet = "100KB"; eager = "1MB";'
sed -i 's/packet = "4KB"; //; s/, endpoints = 2/, endpoints = 2/; s/buffer = "100KB"/buffer = "1MB"/; s/dims = .4, 2./dims = [2]/; s/overhead_send = "300ns"; overhead_receive = "200ns"; latency = "30ns";/overhead_send = "0ns";/' run.cfg
run run run.cfg --json
expect 0
side=$(value 'j["completion_ns"]')
expect_in err 'traffic.\[0\].file: warning: 1 sends and receives use a nic other than 0, which is ignored'
is 'abs(j["completion_ns"] - 16000 - 200) < 1' True # one after the other, at one switch
run run run.cfg --json --set 'traffic.[0].layout="v1"'
expect 0
is 'abs(j["completion_ns"] - 16000 - 350) < 1' True # over one cable between two switches
expect_err ""
sed 's/dims = .2./dims = [4, 2]/' run.cfg >wide.cfg
printf '0 # rank 0\n14\n' >map
run run wide.cfg --json --set 'traffic.[0].layout="v1"' --set 'traffic.[0].mapping_file="map"'
expect 0
run run wide.cfg --set 'traffic.[0].layout="v1"' --set 'traffic.[0].nodes="1-6"'
expect 2
expect_in err 'traffic.\[0\].layout.*: "v1" requires the 2 interfaces of a rank at one switch, but those of rank 0 would be endpoints 1 and 2 at two'
printf '0 17\n3,0 x\n2' >map
run run wide.cfg --set 'traffic.[0].layout="v1"' --set 'traffic.[0].mapping_file="map"' --set 'traffic.[0].processes_per_node=1'
expect 2
expect_in err 'map:1: "17": is not an endpoint of the network$'
expect_in err 'map:2: "3": is not the first endpoint of 2 that a rank has$'
expect_in err 'map:2: "0": is rank 0.s already, and processes_per_node is 1$'
expect_in err 'map:2: "x": must be the number of an endpoint$'

begin "what cannot end, and what nothing receives"
printf 'num_ranks 3\nrank 0 {\nsend 8b to 1 tag 3\n}\nrank 1 {\nrecv 8b from 0 tag 4\n}\nrank 2 {\nx: send 900b to 1\ny: calc 3\ny requires x\n}\n' >stuck.goal
config stuck.goal 'eager = "500B";'
for how in "" "--sync optimistic" "--sync conservative --threads 2"; do
	run run run.cfg $how
	expect 1
	expect_in err '1?[0-9] of 16 processes have not finished, 3 operations are left, at '
	expect_in err '^  rank 1: recv 8 B from rank 0, tag 4: no matching message was sent$'
	expect_in err '^  rank 2: send 900 B to rank 1, tag 0: has not ended$'
	expect_in err '^  rank 0: send 8 B to rank 1, tag 3: not received$'
done
"$tests/../mpirun.sh" 2 "$program" run run.cfg >out 2>err && fail "2 ranks: exit status 0"
expect_in err '^  rank 1: recv 8 B from rank 0, tag 4: no matching message was sent$'
printf 'num_ranks 2\nrank 0 {\nsend 8b to 1 tag 3\n}\nrank 1 {\ncalc 4\n}\n' >eager.goal
config eager.goal
run run run.cfg
expect 0
expect_in err '^tilefly run: warning: 1 message was never received$'
expect_in err '^  rank 0: send 8 B to rank 1, tag 3: not received$'
run run run.cfg --strict
expect 1

begin "a message that is under way when the last rank ends"
printf 'num_ranks 2\nrank 0 {\nsend 900b to 1 tag 3\nsend 8b to 0 tag 1\n}\nrank 1 {\ncalc 4\n}\n' >eager.goal
for how in "" "--sync optimistic" "--sync conservative --threads 2"; do
	run run run.cfg $how
	expect 0
	expect_in err '^tilefly run: warning: 2 messages were never received$'
	run run run.cfg --strict $how
	expect 1
done

begin "a window of the engine is no end of a run"
# 40 ms of computation: longer than windows of 1 ms could be counted over
printf 'num_ranks 2\nrank 0 {\na: calc 40000000\nb: send 8b to 1\nb requires a\n}\nrank 1 {\nc: recv 8b from 0\n}\n' >long.goal
config long.goal
run run run.cfg --json --sync sequential
expect 0
digest=$(value 'd["digest"]')
for window in 1ms 200us 1s; do
	run run run.cfg --json --sync optimistic --set "engine.window=\"$window\""
	expect 0
	is 'd["digest"]' "$digest"
done

begin "errors"
config "$data/halo2d_p16.goal" 'nodes = "0-7";'
run run run.cfg
expect 2
expect_in err 'traffic.\[0\].nodes: 8 endpoints; the application has 16 ranks, and a schedule or a trace cannot be scaled'
printf 'num_ranks 2\nrank 0 {\nsend 8b to 5\n}\n' >bad.goal
config bad.goal
run run run.cfg
expect 2
expect_in err 'traffic.\[0\].file: bad.goal:3:12: '
config "$data/halo2d_p16.goal" 'stop = "3us";'
run run run.cfg --set time.measure=1ms --set time.drain=false
expect 2
expect_in err 'time.measure.*: has no effect with a process that ends the run'
expect_in err 'time.drain.*: has no effect with a process that ends the run'
expect_in err 'traffic.\[0\].stop: has no effect with process "goal"'
config gone.goal
run run run.cfg --set 'traffic.[0].mapping="random"' --set 'traffic.[0].mapping_file="map"'
expect 2
expect_in err 'traffic.\[0\].mapping.*: has an effect only without mapping_file'
run run run.cfg
expect 2
expect_in err 'gone.goal: cannot be read: No such file or directory'
finish
