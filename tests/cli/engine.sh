#!/usr/bin/env bash
# engine: which scheduler a run takes; stress that acts or is refused; a storm of rollbacks that ends.
source "$(dirname "$0")/run.bash"

small=(slimfly-3k --set topology.q=5 --set topology.endpoints=3 --set time.warmup=1us --set time.measure=2us)

digest() { # of the summary in out
	grep -oE '"digest":"[0-9a-f]{16}"' out | cut -d'"' -f4
}

begin "stress by itself chooses the scheduler that obeys it"
run run "${small[@]}" --json
expect 0
want=$(digest)
run run "${small[@]}" --json --set engine.stress=20
expect 0
expect_in out '"sync":"optimistic"'
expect_in out '"events_rolled_back":[1-9]'
[ "$(digest)" = "$want" ] || fail "stress changes the digest"
run phold --lps 64 --end 5us --stress 20 --json
expect 0
expect_in out '"sync":"optimistic"'

begin "stress that could not act is refused"
for sync in sequential conservative; do
	run run "${small[@]}" --set engine.stress=20 --sync $sync
	expect 2
	expect_in err "engine.stress=20: 20 has no effect with sync = \"$sync\", which never rolls back"
	run check "${small[@]}" --set engine.stress=20 --set "engine.sync=\"$sync\""
	expect 2
	run phold --stress 20 --sync $sync
	expect 2
	expect_in err '--stress: 20 has no effect: only optimistic runs roll back'
done
run run "${small[@]}" --set engine.stress=20 --threads 2
expect 2
expect_in err 'engine.threads=2: 2 threads are not supported with engine.stress; only one thread is possible'
run run "${small[@]}" --set engine.stress=20 --audit
expect 2
expect_in err 'engine.stress=20: 20 has no effect with an audit, which already rolls back every event'

begin "engine.path: one digest if all arrives; else what is under way at the end is counted otherwise, and nothing else"
for drain in true auto false; do
	for path in auto exact; do
		run run "${small[@]}" --json --set time.drain=$drain --set engine.path=$path
		expect 0
		python3 -c "
import json
d = json.load(open('out'))
p = d['packets']
print(d['digest'] if '$drain' == 'true' else '', d['accepted_load'], d['latency_ns'], p['created'], p['delivered'], p['in_flight'] + p['queued'])" >$path
	done
	cmp auto exact || fail "time.drain = $drain: $(diff auto exact)"
done

begin "engine.path: packets that endpoints of a switch begin to send at the same picosecond come in one order"
# room comes back to several endpoints at once, and slots of bernoulli injection begin together
ties=("${small[@]}" --set topology.endpoints=6 --set traffic.[0].load=0.9 --set switch.buffer=2KB --set time.drain=true --json)
for injection in poisson bernoulli; do
	for path in auto exact; do
		run run "${ties[@]}" --set traffic.[0].injection=$injection --set engine.path=$path
		expect 0
		digest >$path
		run run "${ties[@]}" --set traffic.[0].injection=$injection --set engine.path=$path --sync optimistic --set engine.stress=60
		expect 0
		[ "$(digest)" = "$(cat $path)" ] || fail "$injection, $path: rollbacks change the digest"
	done
	[ -s auto ] || fail "$injection: no digest"
	cmp auto exact || fail "$injection: $(diff auto exact)"
done

begin "check says which code a configuration runs, and why"
path_is() { # REGEX WORD...
	local want=$1
	shift
	run check "${small[@]}" "$@"
	expect 0
	expect_in out "^path +$want\$"
}
path_is 'packets of endpoints are decided before they are sent; code for: ideal switch, no records of ports'
path_is 'packets of endpoints are decided before they are sent; code for: ideal switch, any records, because record.ports is on' --set record.ports=true
path_is 'packets of endpoints are decided when they are sent, because engine.path = "exact"; code for: ideal switch, .*' --set engine.path=exact
path_is 'packets of endpoints are decided when they are sent, because the congestion control reacts to received packets; code for: .*' --set congestion.kind=window
path_is 'packets of endpoints are decided when they are sent, because processes react to received messages; code for: .*' \
	--set 'traffic=({process="allreduce";size="64KiB";})'
run check "${small[@]}" --set record.packets=true
expect_in out '^prefetching +nothing: ' '^counting +each packet individually, because record.packets needs packet times$'
run check dragonfly-tiled-1056 --json
expect_in out '"path":"[^"]*code for: tiled switch, no records of ports; inside switches: the arbiters of the presets, packets of one size","prefetching":"the switch state and a packet.s output from routing tables: [^"]*","counting":"sums per window","decided_ahead":true'
run check fattree-trim-128 --json
expect_in out '"path":"packets of endpoints are decided when they are sent, because the switches give no credits[^"]*",.*"decided_ahead":false'

begin "ranks share their switches where lines go fast from core to core"
two_ranks() { # NS WORD...
	local ns=$1
	shift
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 TILEFLY_LINE_NS=$ns \
		bash "$tests/../mpirun.sh" 2 "$program" "$@" >out 2>err
	status=$?
}
large=(slimfly-3k --set time.warmup=1us --set time.measure=1us)
run run "${large[@]}" --json
expect 0
of_large=$(digest)
two_ranks 45 run "${large[@]}" --json
expect 0
[ "$(digest)" = "$of_large" ] || fail "two ranks that share differ"
if ! grep -q '"choice":"separate: ranks are not on one host, or do not have their own cores' out; then
	expect_in out '"threads":2,"choice":"shared: a cache line takes 45 ns from core to core, at most 120 are permitted","line_ns":45.0,'
	two_ranks 210 run "${large[@]}" --json
	expect 0
	expect_in out '"threads":1,"choice":"separate: a cache line takes 210 ns from core to core, more than 120; conservative: [0-9]+ events per rank and lookahead, at least 500","line_ns":210.0,'
	[ "$(digest)" = "$of_large" ] || fail "two ranks apart differ"
	two_ranks 45 run "${small[@]}" --json
	expect_in out '"choice":"(shared|separate): '
	two_ranks 45 run "${large[@]}" --set topology.q=5 --set topology.endpoints=1 --set time.measure=1us --json
	expect_in out '"threads":1,"choice":"separate: [0-9]+ events per lookahead, but sharing needs 1280; (optimistic|conservative): '
fi
two_ranks 45 run "${large[@]}" --set engine.threads=1 --sync optimistic
expect_in out '^  ranks +separate, as requested by engine.threads$'

begin "a storm of rollbacks ends"
storm=("${small[@]}" --sync optimistic --set engine.stress=60 --set engine.window=700ns --set engine.optimism=1)
timeout -s KILL 60 "$program" run "${storm[@]}" --json >out 2>err
status=$?
expect 0
[ "$(digest)" = "$want" ] || fail "a storm changes the digest"

begin "and heeds signals"
heeds() { # WORD...
	"$program" run "$@" --json >out 2>err &
	local job=$! started
	sleep 2
	started=$SECONDS
	kill -TERM $job
	wait $job
	status=$?
	expect 130
	[ $((SECONDS - started)) -le 5 ] || fail "$((SECONDS - started)) s until a signal was heeded"
	expect_in out '"complete":false'
}
heeds "${storm[@]}" --set time.measure=1ms
heeds slimfly-74k --sync optimistic --set engine.stress=60 --set engine.window=1us

begin "groups to go by"
by_group=(--set 'routing={kind="ugal-l";via="group";}')
run check "${small[@]}" "${by_group[@]}" --set 'topology={kind="torus";dims=[4,4];}'
expect 2
expect_in err 'routing.via: a torus has no groups to use as intermediates; use "switch"'
run check "${small[@]}" "${by_group[@]}" --set 'topology={kind="dragonfly";p=2;a=4;g=1;}'
expect 2
expect_in err 'routing.via: this dragonfly is a single group, so there is no other group as intermediate; use "switch"'
run check "${small[@]}" "${by_group[@]}" --set 'topology={kind="dragonfly";p=2;a=1;h=4;}'
expect 2
expect_in err 'routing.via: the groups of this dragonfly have one switch each; use "switch"'
finish
