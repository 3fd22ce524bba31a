#!/usr/bin/env bash
# Several processes at a node: one digest, and the same result, whatever runs it: schedulers, forced rollbacks, threads, MPI ranks,
# switches that move between them, the audit; of all kinds of jobs with processes. Sums of messages inside nodes and outside.
source "$(dirname "$0")/run.bash"
data=$tests/../data

config() { # KEYS JOB: ten nodes at five switches
	cat >run.cfg <<-EOF
		seed = 1;
		topology = { kind = "hyperx"; dims = [5]; endpoints = 2; };
		links    = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
		switch   = { kind = "ideal"; traversal = "100ns"; buffer = "64KB"; };
		routing  = { kind = "minimal"; };
		node     = { bandwidth = "200Gbps"; copy = "70Gbps"; latency = "130ns"; };
		$1
		traffic  = ( { name = "a"; packet = "512B"; $2 } );
	EOF
}
value() { python3 -c "import json; d=json.load(open('$1')); print($2)" 2>&1 | tail -1; }
# What a run says but for its engine.
facts() { value "$1" "{k: v for k, v in d.items() if k not in ('engine', 'record')}"; }
same() { # OPTION...: as before
	run run run.cfg --json "$@"
	expect 0
	[ "$(facts out)" = "$(facts one)" ] || fail "$*: another result"
}
first() { # a run that others are compared with
	run run run.cfg --json --sync sequential
	expect 0
	cp out one
	[ "$(value one "d['node']['messages'] > 0 and d['node']['under_way'] == 0")" = True ] || fail "no messages inside nodes"
}
ranks() { # OPTION...: on two
	timeout 120 bash "$tests/../mpirun.sh" 2 "$program" run run.cfg --json "$@" >out 2>err </dev/null
	status=$?
	expect 0
	[ "$(facts out)" = "$(facts one)" ] || fail "2 ranks, $*: another result"
}
rolled_back=(--sync optimistic --set engine.stress=30)

calls=$data/mpi/calls.mpi
n=$(sed -n 's/^ranks *//p' "$calls")
begin "recorded calls, two at a node, fairly"
config 'record = { path = true; ranks = true; };' "process = \"recorded\"; file = \"$calls\"; processes_per_node = 2;"
first
same --audit
same "${rolled_back[@]}"
ranks --sync conservative
begin "in one queue, with overheads"
config 'nic = { sharing = "in-order"; overhead_send = "20ns"; overhead_receive = "30ns"; latency = "40ns"; };' \
	"process = \"recorded\"; file = \"$calls\"; processes_per_node = $n; nodes = \"3,4,5\"; mapping = \"cyclic\";"
first
same --audit
same --set engine.threads=2
begin "a schedule, anywhere"
config '' "process = \"goal\"; file = \"$data/goal/halo2d_p16.goal\"; processes_per_node = 4; mapping = \"random\";"
first
same "${rolled_back[@]}"
begin "a schedule whose ranks have several interfaces"
config '' "process = \"goal\"; layout = \"v1\"; file = \"$data/goal/cpus_nics_p4.goal\"; processes_per_node = 2;"
first
same --audit
begin "congestion control, losses, acknowledgements"
config 'nic = { loss = 0.01; }; congestion = { kind = "swift"; };' \
	'process = "all-to-all"; paced = false; size = "3KB"; iterations = 2; processes_per_node = 3; }, { name = "b"; packet = "256B"; process = "window"; size = "1KB"; iterations = 5; processes_per_node = 2;'
sed -i 's/^seed.*/&\n time = { measure = "200us"; warmup = "0us"; };/' run.cfg
first
same --audit
ranks --set engine.balance=shake "${rolled_back[@]}"
begin "what is over the network and inside nodes adds up to what ranks have sent"
sizes=$(value one "[(j['name'], j['node']['bytes'] + j['node']['network_bytes']) for j in d['jobs']]")
[ "$sizes" = "[('a', $((30 * 29 * 3000 * 2))), ('b', $((20 * 5 * 1000)))]" ] || fail "$sizes bytes"
# Four processes of a node each send 1 MB to a node of two interfaces: two messages at each, 2 x 80 us of bits at 100 Gb/s, and
# behind them latencies below a microsecond.
begin "processes of a node begin with different interfaces"
{
	echo "num_ranks 8"
	for r in 0 1 2 3; do echo "rank $r { a: send 1000000b to $((r + 4)) tag 1 }"; done
	for r in 0 1 2 3; do echo "rank $((r + 4)) { a: recv 1000000b from $r tag 1 }"; done
} | sed 's/ { / {\n/; s/ }$/\n}/' >four.goal
config 'nic = { per_node = 2; latency = "50ns"; choose = "message"; };' \
	'process = "goal"; file = "four.goal"; eager = "100MB"; nodes = 2; processes_per_node = 4;'
run run run.cfg --json --set 'topology.dims=[4]'
expect 0
[ "$(value out "160e3 < d['jobs'][0]['completion_ns'] < 162e3")" = True ] || fail "$(value out "d['jobs'][0]['completion_ns']") ns"
begin "rounds"
config 'time = { measure = "300us"; warmup = "0us"; };' 'process = "durango-rounds"; pings = 2; iterations = 2; processes_per_node = 4;'
first
same "${rolled_back[@]}"

begin "traces and a model"
python3 "$tests/chakra.py" ring-int32
for job in "process = \"dumpi\"; meta = \"$data/trace/dumpi_calls_p5/dumpi-calls.meta\"; processes_per_node = 3; mapping = \"cyclic\"; nodes = \"4,7\";" \
	"process = \"otf2\"; file = \"$data/trace/otf2_ring_p6/traces.otf2\"; processes_per_node = 2;" \
	'process = "chakra"; prefix = "t"; processes_per_node = 2;' \
	'process = "aspen"; model = "halo3d-26.aspen"; params = "n=8, steps=1"; processes_per_node = 2; ranks = 16;'; do
	[[ $job != *otf2* || -x $(dirname "$program")/tilefly-otf2 ]] || continue
	config '' "$job"
	first
	same "${rolled_back[@]}"
done

begin "estimates of memory grow with the places: 24 bytes at least for each of 10 x 2000 more"
config '' 'process = "window"; size = "1KB"; processes_per_node = 2;'
megabytes() { "$program" run run.cfg --estimate --set "traffic.[0].processes_per_node=$1" | sed -n 's/^switches and endpoints *//p' | sed 's/ .*//'; }
python3 -c "import sys; sys.exit(not $(megabytes 2002) > $(megabytes 2) + 0.48)" || fail "$(megabytes 2) and $(megabytes 2002) MB"

begin "on a formula it is refused"
config 'network = { kind = "loggops"; };' "process = \"goal\"; file = \"$data/goal/halo2d_p16.goal\"; processes_per_node = 4;"
run run run.cfg
expect 2
expect_in err 'processes_per_node: has no effect with an analytical network model \(network.kind\)'
finish
