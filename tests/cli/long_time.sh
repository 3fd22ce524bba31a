#!/usr/bin/env bash
# Time: runs of hundreds of seconds and cables of milliseconds are as exact as short ones, whatever the latencies.
source "$(dirname "$0")/run.bash"

value() { # EXPRESSION of the summary d
	python3 -c "import json; d = json.load(open('out')); print($1)"
}
equals() { # EXPRESSION WANT
	[ "$(value "$1")" = "$2" ] || fail "$1 is $(value "$1"), not $2"
}
net='topology = { kind = "torus"; dims = [2,2]; };
links = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
switch = { kind = "ideal"; traversal = "100ns"; buffer = "100KB"; };'

begin "a second between messages, for 200 s: drained or not, by any path and scheduler"
printf '%s\ntraffic = ( { process = "ping-pong"; size = "8B"; iterations = 150; pause = "1s"; } );\ntime = { warmup = "0ps"; measure = "200s"; drain = true; };\n' "$net" >pairs.cfg
run run pairs.cfg --json
expect 0
equals 'd["jobs"][0]["iterations"]' 600
equals 'd["packets"]["delivered"]' 600
want=$(value 'd["digest"]')
for how in "--set time.drain=false" '--set engine.path="exact"' "--sync conservative" "--sync optimistic" "--audit --sync conservative" "--threads 2"; do
	run run pairs.cfg --json $how
	expect 0
	equals 'd["digest"]' "$want"
done

begin "patterns behind 140.7 s, by both paths"
printf '%s\ntraffic = ( { pattern = "uniform"; load = 0.0000001; packet = "4KB"; } );\ntime = { warmup = "145s"; measure = "500ms"; drain = false; };\n' "$net" >late.cfg
run run late.cfg --json
expect 0
want=$(value 'd["digest"]')
run run late.cfg --json --set 'engine.path="exact"'
expect 0
equals 'd["digest"]' "$want"

begin "acknowledgements, numbers and marks mean the same behind 140.7 s"
for control in 'congestion = { kind = "swift"; };' 'congestion = { kind = "ecn-dctcp"; };' 'nic = { retry = "on"; };' 'nic = { ack = "hop"; ack_width = 0.1; }; congestion = { kind = "swift"; };' \
	'links = { default = { bandwidth = "100Gbps"; latency = "50ns"; framing = "roce"; }; };'; do
	shown=()
	for start in 5s 5000s; do
		links=$net
		[ "${control:0:5}" = links ] && links=$(echo "$net" | sed /^links/d)
		kind='{ kind = "output-queued"; buffer = "100KB"; ecn_kmin = "6KB"; ecn_kmax = "6KB"; }'
		printf '%s\n%s\ntraffic = ( { process = "window"; outstanding = 4; size = "16KiB"; packet = "1KiB"; start = "%s"; } );\ntime = { warmup = "%s"; measure = "200us"; drain = false; };\n' \
			"$(echo "$links" | sed "s/^switch.*/switch = $kind;/")" "$control" $start $start >control.cfg
		run run control.cfg --json
		expect 0
		shown+=("$(value '[d[k] for k in ("latency_ns", "packets", "hops", "accepted_load")]')")
	done
	[ "${shown[0]}" = "${shown[1]}" ] || fail "$control: ${shown[*]}"
done

begin "applications: computations of seconds, cables of 50 us, 1 ms and 30 ms"
application() { # LATENCY SECONDS: two ranks, one message each way behind a computation
	printf 'num_ranks 2\nrank 0 {\nl1: calc %s\nl2: send 100b to 1\nl3: recv 100b from 1\nl2 requires l1\nl3 requires l2\n}\nrank 1 {\nl1: recv 100b from 0\nl2: send 100b to 0\nl2 requires l1\n}\n' "$2"000000000 >wait.goal
	printf 'topology = { kind = "torus"; dims = [2,2]; };\nlinks = { default = { bandwidth = "100Gbps"; latency = "%s"; }; terminal = { latency = "50ns"; }; };\nswitch = { kind = "ideal"; traversal = "100ns"; buffer = "100KB"; };\ntraffic = ( { process = "goal"; file = "wait.goal"; packet = "4KB"; nodes = "0-1"; } );\n' "$1" >app.cfg
}
# 100 B are 8 ns: they are whole when the last bit is there
hop() { # NS of the cable
	echo $((2 * 50 + 2 * 100 + 8 + $1))
}
for row in "50us 6 50000" "1ms 2 1000000" "30ms 1 30000000" "10ns 100 10" "50ns 1000 50"; do
	read -r latency seconds ns <<<"$row"
	application "$latency" "$seconds"
	run run app.cfg --json
	expect 0
	equals 'd["jobs"][0]["completion_ns"]' "$((seconds * 1000000000 + 2 * $(hop "$ns"))).0"
	want=$(value 'd["digest"]')
	for how in "--sync conservative" "--sync optimistic" "--sync optimistic --set engine.stress=7" "--threads 2"; do
		run run app.cfg --json $how
		expect 0
		equals 'd["digest"]' "$want"
	done
done

begin "time.drain = auto: a hundred seconds, of 50 ns"
printf '%s\ntraffic = ( { process = "ping-pong"; size = "8B"; iterations = 90; pause = "1s"; } );\ntime = { warmup = "0ps"; measure = "100s"; };\n' "$net" >drain.cfg
run run drain.cfg --json
expect 0
equals 'd["jobs"][0]["iterations"]' 360

begin "what remains is said by check, too"
for wrong in 'time.limit=2000000s|time.limit=.*: must be at most 1000000s' 'time.limit=1000001s|time.limit=.*: must be at most 1000000s'; do
	for command in check run; do
		run $command app.cfg --set "${wrong%|*}"
		expect 2
		expect_in err "${wrong#*|}"
	done
done
for command in check run; do
	run $command drain.cfg --set time.measure=62501s
	expect 2
	expect_in err 'time.measure=.*: is too long: warm-up and measurement must take at most 62500s in all with time.drain = "auto"'
	run $command pairs.cfg --set time.measure=1000001s
	expect 2
	expect_in err 'time.measure=.*: is too long: warm-up and measurement must take at most 1000000s in all'
done
finish
