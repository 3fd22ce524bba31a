#!/usr/bin/env bash
# What results tell of applications: time by rank and kind of call, over time, critical paths; the same whatever runs them.
source "$(dirname "$0")/run.bash"
data=$tests/../data
shipped=$tests/../../experiments/shipped/aspen

# One switch that cuts through, 10 Gb/s: a message of m bytes in one packet takes 2 x 50 ns + 100 ns + m x 0.8 ns.
config() { # KEYS OF THE JOB, ENDPOINTS
	cat >run.cfg <<-END
		seed = 1;
		topology   = { kind = "single"; ports = ${2:-2}; };
		links      = { default = { bandwidth = "10Gbps"; latency = "50ns"; }; };
		switch     = { kind = "ideal"; traversal = "100ns"; buffer = "100KB"; };
		routing    = { kind = "minimal"; };
		record     = { ranks = true; path = true; };
		traffic    = ( { name = "a"; packet = "10KB"; $1 } );
	END
}
value() { python3 -c "
import json
d=json.load(open('out')); a=d['jobs'][0]['application']
print($1)" 2>&1 | tail -1; }
records() { python3 -c "
import json
r=[json.loads(l) for l in open('run.jsonl')]
def of(kind): return [x for x in r if x['record']==kind]
print($1)" 2>&1 | tail -1; }
told() { # what results tell of ranks
	grep -oE '"application":.*"minimal_fraction"' out | head -1
	grep -E '^\{"record":"(rank|rank_timeline|path)"' run.jsonl
}

begin "a ping-pong by hand: overheads of calls and messages"
cat >a.mpi <<-END
	ranks 2
	rank 0
	send to=1 tag=0 bytes=1000 compute=1000000
	recv from=1 tag=1
	rank 1
	recv from=0 tag=0
	send to=0 tag=1 bytes=500 compute=2000000
END
config 'process = "recorded"; file = "a.mpi";'
cat >>run.cfg <<-END
	nic = { overhead_send = "100ns"; overhead_receive = "150ns"; };
	mpi = { overhead = "20ns"; };
END
run run run.cfg --json --out run.jsonl
expect 0
# Rank 0 computes until 1000, is in the send until 1120 and in the receive until 5140; the message is there at
# 1020 + 100 + 1000 + 150 = 2270, the answer is posted at 4290, and there at 4290 + 100 + 600 + 150.
[ "$(value 'd["jobs"][0]["completion_ns"], a["ranks_ended"]')" = "5140.0 2" ] || fail "$(value 'd["jobs"][0]["completion_ns"]')"
[ "$(value '[a[k+"_ns"]["total"] for k in ("compute","send","wait","idle")]')" = "[3000.0, 280.0, 6250.0, 750.0]" ] || fail "$(value a)"
[ "$(value '[a[k+"_ns"]["max"] for k in ("compute","send","wait","idle")]')" = "[2000.0, 140.0, 4000.0, 750.0]" ] || fail "$(value a)"
[ "$(value 'abs(a["communication_share"] - 6530 / 9530) < 1e-12')" = True ] || fail "$(value 'a["communication_share"]')"
[ "$(value '[(c["call"], c["calls"], c["time_ns"]["total"], c["time_ns"]["max"]) for c in a["calls"]]')" = \
	"[('MPI_Send', 2, 240.0, 120.0), ('MPI_Recv', 2, 6290.0, 4020.0)]" ] || fail "$(value 'a["calls"]')"
[ "$(value '[a["path"][k] for k in ("length_ns","compute_ns","overhead_ns","network_ns","messages","ranks")]')" = \
	"[5140.0, 3000.0, 540.0, 1600.0, 2, 2]" ] || fail "$(value 'a["path"]')"
[ "$(records '[(x["rank"], x["end_ns"], x["compute_ns"], x["send_ns"], x["wait_ns"], x["idle_ns"]) for x in of("rank")]')" = \
	"[(0, 5140.0, 1000.0, 140.0, 4000.0, 0.0), (1, 4390.0, 2000.0, 140.0, 2250.0, 750.0)]" ] || fail "$(records 'of("rank")')"
[ "$(records '[(x["rank"], x["from_ns"], x["to_ns"]) for x in of("path")]')" = \
	"[(0, 0.0, 1020.0), (1, 1020.0, 4290.0), (0, 4290.0, 5140.0)]" ] || fail "$(records 'of("path")')"

begin "show, --csv and diff know them"
run run run.cfg --quiet --out run.jsonl --set output.csv=true
expect 0
[ "$(zcat run.ranks.csv.gz | tail -1)" = '"a",1,1,true,4390.000,2000.000,140.000,2250.000,750.000' ] || fail "$(zcat run.ranks.csv.gz)"
[ "$(zcat run.calls.csv.gz | sed -n 2p)" = '"a",0,MPI_Send,1,120.000' ] || fail "$(zcat run.calls.csv.gz)"
[ "$(zcat run.path.csv.gz | sed -n 3p)" = '"a",1,1020.000,4290.000,2000.000,270.000,1000.000' ] || fail "$(zcat run.path.csv.gz)"
[ "$(zcat run.rank_timeline.csv.gz | tail -n +2 | awk -F, '{ c += $6; s += $7; w += $8 } END { print c, s, w }')" = "3000 280 6250" ] || fail "timeline"
run show run.jsonl
expect 0
expect_in out '^critical path +5\.140000 us: compute 3\.000000, overhead 0\.540000, network 1\.600000; 2 messages, 2 ranks$'
expect_in out '^  MPI_Recv +2: mean over ranks 3\.145 us, maximum 4\.020 us$'
expect_in out '^completion +5\.140000 us$'
run show run.jsonl --record rank
expect_in out '^a +1 +1 +true +4390\.0 +2000\.0'
run run run.cfg --quiet --out other.jsonl --set mpi.overhead=30ns
run diff run.jsonl other.jsonl
expect 1
expect_in out 'jobs\.a\.application\.calls\.MPI_Send\.time_ns\.mean'
expect_in out 'jobs\.a\.application\.path\.length_ns'

begin "report: what ranks do over time, and the path by rank"
for kind in "" --static; do
	run report run.jsonl --out page.html --svg figures $kind
	expect 0
	for text in 'Application a' 'MPI_Recv' 'jobs[].application.path.length_ns' 'What ranks do over time' 'The critical path'; do
		grep -qF "$text" page.html || fail "page $kind without \"$text\""
	done
done
for figure in run-a-ranks run-a-path; do
	grep -q '</svg>' figures/$figure.svg || fail "figure $figure"
done

begin "a schedule by hand: the later of two messages decides"
printf 'num_ranks 3\nrank 0 {\na: calc 1000\nb: send 1000b to 2 tag 0\nb requires a\n}\nrank 1 {\na: calc 3000\nb: send 500b to 2 tag 0\nb requires a\n}
rank 2 {\na: recv 1000b from 0 tag 0\nb: recv 500b from 1 tag 0\nc: calc 700\nc requires a\nc requires b\n}\n' >a.goal
config 'process = "goal"; file = "a.goal";' 3
run run run.cfg --json --out run.jsonl
expect 0
[ "$(value '[a["path"][k] for k in ("length_ns","compute_ns","overhead_ns","network_ns","messages","ranks")]')" = \
	"[4300.0, 3700.0, 0.0, 600.0, 1, 2]" ] || fail "$(value 'a["path"]')"
[ "$(records '[(x["rank"], x["from_ns"], x["to_ns"]) for x in of("path")]')" = "[(1, 0.0, 3000.0), (2, 3000.0, 4300.0)]" ] || fail "$(records 'of("path")')"
# receives are posted at 0, and end at 1000 + 1000 and 3000 + 600
[ "$(value '[(c["call"], c["calls"], c["time_ns"]["total"]) for c in a["calls"]]')" = "[('send', 2, 0.0), ('recv', 2, 5600.0), ('calc', 3, 4700.0)]" ] ||
	fail "$(value 'a["calls"]')"
[ "$(value '[a[k+"_ns"]["total"] for k in ("compute","send","wait","idle")]')" = "[4700.0, 0.0, 3600.0, 4600.0]" ] || fail "$(value a)"

begin "a rank sends while it waits for nothing else, whoever plays it"
# A request and an answer of 64 B, 251.2 ns each; then 20,000 B leave for 16,000 ns, and are there 200 ns later.
printf 'ranks 2\nrank 0\nsend to=1 tag=1 bytes=20000\nrank 1\nrecv from=0 tag=1 bytes=20000\n' >send.mpi
printf 'num_ranks 2\nrank 0 {\nl1: send 20000b to 1 tag 1\n}\nrank 1 {\nl1: recv 20000b from 0 tag 1\n}\n' >send.goal
for job in 'process = "recorded"; file = "send.mpi";' 'process = "goal"; file = "send.goal"; eager = "8KiB";'; do
	config "$job"
	[[ $job = *goal* ]] || echo 'mpi = { eager = "8KiB"; };' >>run.cfg
	run run run.cfg --json --out run.jsonl
	expect 0
	[ "$(records '[(x["send_ns"], x["wait_ns"], x["idle_ns"]) for x in of("rank")]')" = "[(16000.0, 502.4, 200.0), (0.0, 16702.4, 0.0)]" ] ||
		fail "$job: $(records 'of("rank")')"
done
# Both send and receive: each waits for the other to the end.
echo 'model m { kernel main { execute "y" { comm [1] of size [20000] as alltoall } } }' >both.aspen
printf 'num_ranks 2\nrank 0 {\nl1: send 20000b to 1 tag 1\nl2: recv 20000b from 1 tag 1\n}\nrank 1 {\nl1: send 20000b to 0 tag 1\nl2: recv 20000b from 0 tag 1\n}\n' >both.goal
for job in 'process = "aspen"; model = "both.aspen"; ranks = 2;' 'process = "goal"; file = "both.goal";' \
	'process = "goal"; file = "both.goal"; eager = "8KiB";'; do
	config "$job"
	[[ $job = *goal* ]] || echo 'time = { warmup = "0ns"; measure = "50us"; drain = false; };' >>run.cfg
	run run run.cfg --json --out run.jsonl
	expect 0
	[ "$(records 'all(x["send_ns"] == 0 and x["wait_ns"] >= 16200 for x in of("rank"))')" = True ] || fail "$job: $(records 'of("rank")')"
done

begin "members without a rank are idle, and do not count in loads"
for nodes in '' 'nodes = "0-1";'; do
	config "process = \"recorded\"; file = \"send.mpi\"; $nodes" 16
	run run run.cfg --json --out run.jsonl
	expect 0
	value '[d["jobs"][0][k] for k in ("endpoints", "offered_load", "accepted_load")]'
done >got
[ "$(sort -u got | wc -l)" = 1 ] && grep -q '^\[2, 0\.' got || fail "$(cat got)"
config 'process = "recorded"; file = "send.mpi";' 16
run run run.cfg --json --out run.jsonl
[ "$(value '[d["jobs"][0][k] for k in ("endpoints", "idle_endpoints", "processes_finished")]')" = "[2, 14, 16]" ] || fail "$(value 'd["jobs"][0]')"

begin "binomial reduce on LogGOPS by hand"
# Each of three messages: o, L, then o + 1023 G at its receiver, which is the next one's sender.
cat >run.cfg <<-END
	topology = { kind = "single"; ports = 16; };
	network  = { kind = "loggops"; };
	record   = { ranks = true; path = true; };
	traffic  = ( { name = "a"; process = "goal"; file = "$data/goal/reduce_binomial_p8.goal"; } );
END
run run run.cfg --json --out run.jsonl
expect 0
[ "$(value '[a["path"][k] for k in ("length_ns","compute_ns","overhead_ns","network_ns","messages","ranks")]')" = \
	"[34914.0, 0.0, 9000.0, 25914.0, 3, 4]" ] || fail "$(value 'a["path"]')"
[ "$(records '[x["rank"] for x in of("path")]')" = "[7, 3, 1, 0]" ] || fail "$(records 'of("path")')"
[ "$(records '[x["end_ns"] for x in of("rank")]')" = "[34914.0, 24776.0, 13138.0, 13138.0, 1500.0, 1500.0, 1500.0, 1500.0]" ] || fail "$(records 'of("rank")')"
# rank 0 handles three messages, the leaves send one
[ "$(records '[x["send_ns"] for x in of("rank")]')" = "[22914.0, 16776.0, 9138.0, 9138.0, 1500.0, 1500.0, 1500.0, 1500.0]" ] || fail "$(records 'of("rank")')"

begin "on LogGOPS every path is as long as the published end, without gaps; ranks' times add up"
checked=0
while IFS=, read -r file set events most ends; do
	case $file in '#'* | case) continue ;; esac
	case $set in
	D) params= unit=1ns factor=1000 ;;
	S1) params='L = "1100ns"; o = "300ns"; g = "50ns"; G = 40.0; S = "16384B";' unit=10ps factor=10 ;;
	S2) params='L = "1200ns"; o = "400ns"; g = "700ns"; G = 1000.0; O = 2000.0; S = "8192B";' unit=1ns factor=1000 ;;
	esac
	cat >run.cfg <<-END
		topology = { kind = "single"; ports = 16; };
		network  = { kind = "loggops"; $params };
		record   = { ranks = true; path = true; };
		traffic  = ( { name = "a"; process = "goal"; file = "$data/goal/$file.goal"; unit = "$unit"; } );
	END
	run run run.cfg --json --out run.jsonl
	expect 0
	# the path's length twice; no gaps; every rank's end; every rank's times add up: one program, it is started 39 times
	[ "$(records "round(sum(1000 * (x['to_ns'] - x['from_ns']) for x in of('path'))), \
round(sum(1000 * (x['compute_ns'] + x['overhead_ns'] + x['network_ns']) for x in of('path'))), \
all(abs(a['to_ns'] - b['from_ns']) < 1e-6 for a, b in zip(of('path'), of('path')[1:])) and of('path')[0]['from_ns'] == 0, \
[round(1000 * x['end_ns']) for x in of('rank')] == [$factor * int(e) for e in '$ends'.split()], \
all(round(1000 * (x['compute_ns'] + x['send_ns'] + x['wait_ns'] + x['idle_ns'])) == $most * $factor for x in of('rank'))")" = \
		"$((most * factor)) $((most * factor)) True True True" ] || fail "$file, set $set: path, path, gaps, ends, times"
	checked=$((checked + 1))
done <"$data/goal/ends.csv"
[ "$checked" = 39 ] || fail "$checked runs"

begin "ranks of a model sit where they are mapped, as those of its schedule"
{ seq 0 2 14 && seq 1 2 7; } >map
run workload halo3d-26.aspen --param n=8 --param steps=2 --ranks 12 --emit goal --out halo.goal
expect 0
for job in 'process = "goal"; file = "halo.goal"; eager = "1MB";' 'process = "aspen"; model = "halo3d-26.aspen"; params = "n=8, steps=2"; ranks = 12;'; do
	how_time=
	[[ $job == *halo.goal* ]] || how_time='time = { warmup = "0ps"; measure = "100ms"; };'
	for mapping in linear random; do
		cat >run.cfg <<-END
			topology = { kind = "torus"; dims = [4, 4]; endpoints = 1; }; switch = { kind = "ideal"; buffer = "300KB"; };
			$how_time
			traffic = ( { name = "a"; packet = "512B"; $job mapping = "$mapping"; } );
		END
		run run run.cfg --json
		expect 0
		value 'd["packets"]["delivered"], d["hops"]'
	done
	sed -i 's/mapping = "random"/mapping_file = "map"/' run.cfg
	run run run.cfg --json
	expect 0
	value 'd["packets"]["delivered"], d["hops"]'
done >hops
[ "$(head -3 hops)" = "$(tail -3 hops)" ] && [ "$(sort -u hops | wc -l)" = 3 ] || fail "$(cat hops)"

begin "the same for every scheduler and number of ranks; recording changes nothing"
torus='topology = { kind = "torus"; dims = [4, 4]; endpoints = 1; }; switch = { kind = "ideal"; buffer = "300KB"; };
	nic = { overhead_send = "100ns"; overhead_receive = "150ns"; }; record = { ranks = true; path = true; };'
for job in "process = \"recorded\"; file = \"$data/mpi/calls.mpi\";" "process = \"goal\"; file = \"$data/goal/random_dag_p10.goal\";" \
	"process = \"goal\"; file = \"$data/goal/rendezvous_late_p4.goal\"; mapping = \"random\";" \
	"process = \"aspen\"; model = \"$shipped/halo3d-26.aspen\"; machine = \"$shipped/quad.aspen\"; params = \"steps=3, n=8\"; compute_scale = 0.01; ranks = 8; mapping = \"random\";" \
	"process = \"durango-rounds\"; pings = 4; iterations = 3;" formula; do
	how_time='time = {};'
	[[ $job == *aspen* || $job == *durango* ]] && how_time='time = { warmup = "0ps"; measure = "400us"; };'
	echo "$torus $how_time traffic = ( { name = \"a\"; packet = \"512B\"; $job } );" >run.cfg
	[ "$job" = formula ] && cat >run.cfg <<-END
		topology = { kind = "single"; ports = 16; }; network = { kind = "loggops"; }; record = { ranks = true; path = true; };
		traffic = ( { name = "a"; process = "goal"; file = "$data/goal/random_dag_p10.goal"; } );
	END
	run run run.cfg --json --out run.jsonl
	expect 0
	digest=$(value 'd["digest"]') all=$(told)
	[ "$(value 'a["ranks"] == a["ranks_ended"] and "path" in a and abs(sum(a[k+"_ns"]["total"] for k in ("compute","send","wait","idle")) - a["ranks"] * a["path"]["length_ns"]) < 1e-3')" = True ] ||
		fail "$job: $(value a)"
	[ "$(records 'all(abs(sum(sum(x[k]) for x in of("rank_timeline")) - sum(x[k] for x in of("rank"))) < 1e-3 for k in ("compute_ns", "send_ns", "wait_ns"))')" = True ] ||
		fail "$job: time line"
	for how in "--sync conservative" "--sync optimistic --set engine.stress=20" "--sync conservative --threads 2" "--audit" two; do
		[[ $job == formula && $how == *threads* ]] && continue
		if [ "$how" = two ]; then
			"$tests/../mpirun.sh" 2 "$program" run run.cfg --json --quiet --out run.jsonl >out 2>err || fail "$job, 2 ranks: $(cat err)"
		else
			run run run.cfg --json --out run.jsonl $how
			expect 0
		fi
		[ "$(value 'd["digest"]')" = "$digest" ] || fail "$job, $how: another digest"
		[ "$(told)" = "$all" ] || fail "$job, $how: other records"
	done
	run run run.cfg --json --out run.jsonl --set record.ranks=false --set record.path=false
	[ "$(value 'd["digest"]')" = "$digest" ] || fail "$job: recording changes the digest"
done

begin "who does not end has no path; what is recorded is of applications"
printf 'ranks 2\nrank 0\nsend to=1 tag=0 bytes=100\nrank 1\nrecv from=0 tag=0\nrecv from=0 tag=1\n' >a.mpi
config 'process = "recorded"; file = "a.mpi";'
run run run.cfg --json --out run.jsonl
expect 1
[ "$(value 'a["ranks"], a["ranks_ended"], "path" in a, a["calls"][1]["calls"]')" = "2 1 False 2" ] || fail "$(value a)"
for key in ranks path; do
	run check slimfly-3k --set "record.$key=true"
	expect 2
	expect_in err "record\.$key=true: has an effect only with a process that is an application"
done
finish
