#!/usr/bin/env bash
# Plug-ins that lie (tests/plugins: the worked examples with one lie each). Every lie ends with exit status 2 and one line
# that names the function and what it said; at the start where that can be, else when it is said, whatever the scheduler.
source "$(dirname "$0")/run.bash"

load=()
for kind in topology routing switch traffic process cost arbiter allocator; do
	load+=(--plugin "$plugins/liar_$kind.so")
done
cat >board.cfg <<'END'
time     = { warmup = "1us"; measure = "4us"; };
topology = { kind = "KIND"; rows = 4; columns = 6; };
traffic  = ( { name = "all"; load = 0.3; } );
END
sed s/KIND/rook/ board.cfg >rook.cfg
lies=0

# One line on standard error that begins with the place and key, and matches $1.
told() {
	expect 2
	expect_in err "$1"
	[ "$(wc -l <err)" = 1 ] || fail "not one line: $(cat err)"
}

# A topology that `run`, `check` and `topo` refuse.
topology() {
	begin "topology $1"
	lies=$((lies + 1))
	sed "s/KIND/$1/" board.cfg >lie.cfg
	for command in run check topo; do
		timeout 60 "$program" $command lie.cfg "${load[@]}" >out 2>err </dev/null
		status=$?
		told "^lie.cfg:2: topology.kind: topology \"$1\": $2"
	done
}

# What else is found at the start: $1 name, $2 key, $3 message, then --set.
early() {
	local name=$1 key=$2 want=$3
	shift 3
	begin "$key $name"
	lies=$((lies + 1))
	for command in run check; do
		timeout 60 "$program" $command rook.cfg --plugin "$plugins/rook.so" "${load[@]}" "$@" >out 2>err </dev/null
		status=$?
		told "(^|: |--set )$key(=[^:]+)?: $want"
	done
}

# What only a run can find, by any scheduler, with threads, and on two ranks by the one that `two` names; liars_long.sh: by both.
late() {
	local name=$1 key=$2 want=$3 how
	shift 3
	begin "$key $name"
	lies=$((lies + 1))
	local options=(--plugin "$plugins/rook.so" "${load[@]}" "$@" --set time.measure=20us)
	run check rook.cfg "${options[@]}"
	expect 0
	for how in sequential optimistic "conservative --threads 2"; do
		timeout 60 "$program" run rook.cfg "${options[@]}" --sync $how >out 2>err </dev/null
		status=$?
		told "(^|: |--set )$key(=[^:]+)?: $want"
	done
	for how in ${two:+${both:-$two}}; do
		ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 timeout 60 bash "$tests/../mpirun.sh" 2 "$program" run rook.cfg \
			"${options[@]}" --sync $how >out 2>err </dev/null
		status=$?
		expect 2
		expect_in err "(^|: |--set )$key(=[^:]+)?: $want"
	done
}

topology no-ports 'build\(\) sets max_ports = 0 for 24 switches'
topology too-many-ports 'peer\(0, 8\) returns switch 0 port 4, but a cable must not connect a switch to itself'
topology no-switches 'build\(\) sets 0 switches'
topology more-endpoints 'build\(\) sets 29 endpoints on 24 switches, but 1 on each'
topology no-class-names 'build\(\) sets 2 link classes, but link_class_name is NULL'
topology no-group-function 'build\(\) sets 4 groups for 24 switches, but the function group\(\) is NULL'
topology falling-first 'build\(\) sets endpoint_first\[1\] = 3 and endpoint_first\[2\] = 2, but endpoint_first must not decrease'
topology no-ops 'build\(\) set the member ops of the topology to NULL'
topology no-kind 'build\(\) set the member kind of the topology to NULL'
topology one-class-name 'build\(\) gives link classes 0 and 1 the same name, "row"'
topology silent 'build\(\) returned -1, a failure, without a reason'
topology many-ports 'ports\(5\) returns 9, but max_ports is 8'
topology crooked 'peer\(0, 2\) returns switch 3 port 2, but the peer of that port is switch 0 port 1'
topology far-away 'peer\(3, 2\) returns switch 4000000000 port 2, but there are only 24 switches'
topology odd-port 'peer\(3, 2\) returns switch 0 port 77, but that switch has only 8 ports'
topology odd-class 'peer\(3, 2\) returns link class 200, but the number of link classes is 2'
topology two-classes 'peer\(0, 2\) returns link class 0, but class 1 from the other end of the cable, switch 3 port 2'
topology own-tail 'peer\(0, 2\) returns switch 3 port 2, but the peer of that port is switch 3 port 2'
topology too-far 'distance\(0, 1\) returns 2, but the longest route by next\(\) has 1 hops'
topology too-near 'distance\(0, 7\) returns 1, but the longest route by next\(\) has 2 hops'
topology endless-distance 'distance\(0, 7\) returns 4294967295; at most'
topology low-maximum 'max_distance\(\) returns 1, but distance\(0, 7\) returns 2'
topology no-maximum 'max_distance\(\) returns 0 for 24 switches'
topology next-port 'next\(3, 9, hops [01]\) returns port 99, but switch 3 has only 8 ports'
topology next-many 'next\(3, 9, hops [01]\) returns 548 ports; allowed are 1 to 512'
topology next-none 'next\(3, 9, hops [01]\) returns 0 ports'
topology next-circle 'a route by next\([0-9]+, 9\) has not reached its destination after 2 hops'
topology one-way 'next\([0-9]+, [0-9]+, hops [01]\) returns 2 ports, but only one is allowed because one_way is set'
topology next-missing 'the required function next\(\) is NULL'
topology same-order 'order\(1\) returns switch 0, which order\(\) has already returned for a smaller argument'
topology far-order 'order\(0\) returns switch 1000, but there are only 24'
topology far-rack 'rack\(3\) returns rack 4000000000; it must be less than the number of switches, 24'
topology wrong-dims 'dims\(\) returns 2 dimensions, the first of size 5; their product must be the number of switches, 24'
topology many-orbits 'orbits\(\) returns [0-9]+ orbits, but the array has space for only'
topology small-orbits 'orbits\(\) returns orbits with 3 switches in all, but there are 24'
topology more-links 'facts\(\) reports 5 links, but the graph has 96'
topology smaller-diameter 'facts\(\) reports a diameter of 1, but that of the graph is 2'
topology seven-switches 'facts\(\) reports 7 switches and 24 endpoints, but build\(\) created 24 and 24'
topology seven-endpoints 'facts\(\) reports 24 switches and 7 endpoints, but build\(\) created 24 and 24'
topology other-radix 'facts\(\) reports a radix of 9 with 9 ports to other switches, but build\(\) created 9 and 8'
topology row-links 'facts\(\) reports 96 links of class 0, but the graph has 60'
topology wide 'facts\(\) reports a bisection of 1000000000000 links; at most 96 are possible'
topology wide-ends 'facts\(\) reports a bisection of the endpoints of 97 links; at most 96 are possible'
topology long-girth 'facts\(\) reports a girth of 99; it must be at least 2 and at most the number of switches, 24'
topology odd-girth 'facts\(\) reports a girth of 5, but that of the graph is 3'
topology no-distance 'facts\(\) reports a mean distance of -?nan; it must be less than the number of switches, 24'
topology huge-load 'facts\(\) reports a largest channel load of 1e\+300; it must be from 0.125 to 24'
topology no-load 'facts\(\) reports a largest channel load of 0; it must be from 0.125 to 24'
topology endless-load 'facts\(\) reports a largest channel load of inf; it must be from 0.125 to 24'
topology unknown-load 'facts\(\) reports a largest channel load of -?nan; it must be from 0.125 to 24'
topology class-load 'facts\(\) reports a largest channel load of 1e\+09 on links of class 1, but the largest one on all links is 24'
topology far-routes 'facts\(\) reports minimal routes of 77 hops on average; they must not be longer than the number of switches, 24'
topology no-cut 'facts\(\) reports a bisection of 0 links, but every switch can reach every other'
topology no-cut-ends 'facts\(\) reports a bisection of the endpoints of 0 links, but every switch can reach every other'
topology changing 'facts\(\) reports 1\.5 as mean number of minimal hops, but an earlier call reported 1\.75'
topology ninth-group 'group\(20\) returns 9, but there are only 4 groups, numbered from 0'
topology default-class 'build\(\) names link class 1 "default", which is reserved in configurations for all links'
topology terminal-class 'build\(\) names link class 1 "terminal", which is reserved in configurations for links to endpoints'
topology dotted-class 'build\(\) names link class 1 "col.umn", which is not a valid name in configurations: a letter, followed by letters, digits, - and _'
topology worst-case 'worst_case\(\) lets switch 23 send to switch 24, but there are only 24 switches'

begin "bounds of a topology whose routes lead nowhere, after the start"
lies=$((lies + 1))
sed s/KIND/next-back/ board.cfg >lie.cfg
grep -v ^traffic lie.cfg >graph.cfg # without jobs topo does not prove the routing
run topo graph.cfg "${load[@]}" --bounds --set topology.endpoints=2
expect 0
expect_in out 'worst permutation +unknown: the topology.s minimal routing does not lead to every switch with endpoints'
! grep -q 'too large' out || fail "a network of 24 switches is too large"
run run lie.cfg "${load[@]}" --set topology.endpoints=2
expect 2
expect_in err 'routing "minimal" on topology "next-back": a packet to switch [0-9]+ '

routing() {
	early "$1" routing.kind "routing \"$1\": $2" --set routing.kind="$1"
}
routing no-vcs 'build\(\) requests 0 virtual channels'
routing many-vcs 'build\(\) requests 1000 virtual channels; allowed are 1 to 16'
routing many-hops 'build\(\) sets max_hops = 256'
routing silent-routing 'build\(\) returned 1, a failure, without a reason'
routing route-missing 'the required function route\(\) is NULL'
routing goes-on 'goes_on\(\) returned true, but impl was not created by rt_common_build\(\)'
routing has-bias 'has_bias is set, but the routing has no parameter "bias" whose type is a size'
routing odd-legs 'legs\(\) returns 99, which is not a value of enum rt_legs'
proof() {
	early "$1" routing.kind "routing \"$1\": $2" --set routing.kind="$1"
}
from='from endpoint [0-9]+ to [0-9]+ on VC [0-9] that arrived from (an endpoint|port [0-9]+) after [0-9] hops'
proof one-vc "route\(\) at switch [0-9]+, for a packet $from, sets VC 1, but build\(\) requested only 1 VCs"
proof two-hops "route\(\) at switch [0-9]+, for a packet $from, returns output port [0-9], but build\(\) limited routes to 2 hops"
proof port-99 "route\(\) at switch 3, for a packet $from, returns output port 99, but the switch has only 8 network ports"
proof eject-early "route\(\) at switch 3, for a packet $from, returns RT_EJECT, but the packet's destination is at switch [0-9]+"
proof vc-9 "route\(\) at switch 3, for a packet $from, sets VC 9, but build\(\) requested only 3 VCs, 0 to 2"
proof other-end "route\(\) at switch 3, for a packet $from, changes the packet's destination to endpoint 4000000000"
proof slack "route\(\) at switch [0-9]+, for a packet $from, returns slack 7, which only a routing with a proof_note may use"
proof many-choices 'a packet to switch 0 makes more than 64 choices in one call'

begin "routing that can deadlock, and says that it cannot"
for name in circle circle-3; do
	lies=$((lies + 1))
	for command in run check; do
		run $command rook.cfg --plugin "$plugins/rook.so" "${load[@]}" --set routing.kind=$name
		told "--set routing.kind=[^:]*: $name routing can deadlock with [13] virtual channels? on this topology, although its build\(\) says that [13] (is|are) enough"
	done
	run run rook.cfg --plugin "$plugins/rook.so" "${load[@]}" --set routing.kind=$name --set routing.unsafe=true
	expect 0
done

switch() {
	early "$1" switch.kind "switch \"$1\": $2" --set switch.kind="$1"
}
switch no-share 'buffer_share\(\) returns 0 bytes, but the largest packet has 256'
switch small-share 'buffer_share\(\) returns 100 bytes, but the largest packet has 256'
switch huge-state 'state_bytes\(\) returns 9223372036854775807; at most'
switch small-state 'init\(\) of switch 0 writes byte [0-9]+ of the switch.s state, but state_bytes\(\) returns only [0-9]+'
switch silent-switch 'build\(\) returned -1, a failure, without a reason'
switch born-in-debt 'credits_out\(\) of switch 0 returns 512 right after init\(\)'
switch huge-lead 'lead\(\) returns 1000000001 ps; at most 1000000000 are supported'
switch lossy-with-credits 'build\(\) sets lossy without creditless'
switch holds-unasked 'build\(\) states that it withholds credits, (which is not permitted for this switch|but its function hold\(\) is NULL)'
switch packet-in-missing 'the required function packet_in\(\) is NULL'
switch regions-missing 'the required function regions\(\) is NULL'

early nowhere 'traffic.\[0\].pattern' 'pattern "nowhere": destination\(member 3, message 0, bits 0x[0-9a-f]+, coin 0x[0-9a-f]+\) returns endpoint 4000000000, but there are only 24 endpoints' \
	--set traffic.[0].pattern=nowhere --set traffic.[0].width=6
early stranger 'traffic.\[0\].pattern' 'pattern "stranger": destination\(member 3, .*\) returns endpoint 20, which does not belong to the job' \
	--set traffic.[0].pattern=stranger --set traffic.[0].width=6 --set traffic.[0].nodes=0-11
early sometimes 'traffic.\[0\].pattern' 'pattern "sometimes": destination\(member 3, message 2, .*\) returns WL_IDLE, but endpoint 4 for message 0' \
	--set traffic.[0].pattern=sometimes --set traffic.[0].width=6
early moody 'traffic.\[0\].pattern' 'pattern "moody": destination\(member 3, .*\) returns endpoint [0-9]+, but [0-9]+ for the same arguments later' \
	--set traffic.[0].pattern=moody --set traffic.[0].width=6
early not-fixed 'traffic.\[0\].pattern' 'pattern "not-fixed": destination\(member 0, message 1, .*\) returns endpoint 5, but 1 for message 0, although the pattern is declared as fixed' \
	--set traffic.[0].pattern=not-fixed --set traffic.[0].width=6
early silent-pattern 'traffic.\[0\].pattern' 'pattern "silent-pattern": build\(\) returned -1, a failure, without a reason' \
	--set traffic.[0].pattern=silent-pattern --set traffic.[0].width=6
early destination-missing 'traffic.\[0\].pattern' 'pattern "destination-missing": the required function destination\(\) is NULL' \
	--set traffic.[0].pattern=destination-missing --set traffic.[0].width=6
injection() {
	early "$1" 'traffic.\[0\].injection' "injection \"$1\": $2" --set traffic.[0].injection="$1"
}
injection before-first 'first\(.*\) returns -5 ps'
injection backwards 'gap\(message 7, since [0-9]+ ps, bits 0x[0-9a-f]+\) returns -5 ps'
injection still 'gap\(\) returns 0 ps on average over 65536 messages, but the load requires 68266 ps'
injection gap-missing 'the required function gap\(\) is NULL'

two=optimistic
late port-late routing.kind "routing \"port-late\": route\(\) at switch 3, for a packet $from, returns output port 99, but the switch has only 8 network ports" \
	--set routing.kind=port-late
two=
late vc-late routing.kind "routing \"vc-late\": route\(\) at switch 3, for a packet $from, sets VC 9, but build\(\) requested only 3 VCs" \
	--set routing.kind=vc-late
late eject-late routing.kind "routing \"eject-late\": route\(\) at switch 3, for a packet $from, returns RT_EJECT, but the packet's destination is at switch [0-9]+" \
	--set routing.kind=eject-late
switch_late() {
	late "$1" switch.kind "switch \"$1\": $2" --set switch.kind="$1"
}
two=conservative
switch_late transmit-port 'switch 3 at [0-9]+ ps calls transmit\(port 99\), but has only 8 network ports'
late no-queues switch.kind 'switch "no-queues": switch [0-9]+ at [0-9]+ ps omits output [0-9] from queues\(\), although queue_bytes\(\) of this output returns [0-9]+' \
	--set switch.kind=no-queues --set routing.kind=slingshot --set traffic.[0].load=0.9
two=
late other-depths switch.kind 'switch "other-depths": switch [0-9]+ at [0-9]+ ps reports for output [0-9] a queue of [0-9]+ bytes by queue_bytes_each\(\), but of [0-9]+ bytes by queue_bytes\(\)' \
	--set switch.kind=other-depths --set routing.kind=slingshot --set traffic.[0].load=0.9
switch_late transmit-vc 'switch 3 at [0-9]+ ps calls transmit\(port [0-9]\) on VC 9, but there are only 2 VCs'
switch_late transmit-end 'switch 3 at [0-9]+ ps calls transmit\(port [0-9]\) to LP 4000000000 port [0-9], class [01], but the cable ends at LP'
switch_late transmit-past 'switch 3 at [0-9]+ ps calls transmit\(port [0-9]\) from 1000 ps to [0-9]+ ps'
switch_late transmit-packet 'switch 3 at [0-9]+ ps calls transmit\(\) for a packet from endpoint [0-9]+ to 4000000000, job 0, 256 bytes'
switch_late no-such-lead 'switch [0-9]+ at [0-9]+ ps calls (transmit|credit)\(port [0-9]\) from [0-9]+ ps, at [0-9]+ ps, but lead\(\) returns 100000'
switch_late drop-lossless 'switch 3 at [0-9]+ ps calls drop\(\), although build\(\) did not set lossy'
switch_late no-credits 'switch [0-9]+ at [0-9]+ ps calls credit\(port [0-9]\), although build\(\) states that links have no credits'
switch_late control-port 'switch 3 at [0-9]+ ps calls control\(port 1000\), but has only 8 network ports'
switch_late control-word 'switch 3 at [0-9]+ ps calls control\(terminal 0\) with word 77, which does not exist'
switch_late control-past 'switch 3 at [0-9]+ ps calls control\(port 8\) from 1000 ps'
switch_late control-deaf 'switch 3 at [0-9]+ ps calls control\(port [0-9]\), although the function control_in\(\) is NULL'
switch_late eject-terminal 'switch 3 at [0-9]+ ps calls eject\(terminal 50\), but has only 1 terminals'
two=optimistic
switch_late eject-lost 'at the end of the run packets are not conserved in job all'
two=
switch_late credit-bytes 'switch 3 at [0-9]+ ps calls credit\(port [0-9]\) of 1000000 bytes, but the largest packet has 256'
switch_late credit-port 'switch 3 at [0-9]+ ps calls credit\(port 1000\), but has only 8 network ports'
switch_late credit-twice '(at [0-9]+ ps, LP [0-9]+: .*more credits came back than were given|at the end of the run credits are not conserved)'
switch_late credit-endpoint '(switch 3 at [0-9]+ ps calls credit\(port 8\) of 256 bytes, [0-9]+ in all, but the endpoint has sent only [0-9]+|at [0-9]+ ps, LP 3: switch 3, terminal 0: [0-9]+ bytes came back, [0-9]+ were out)'
switch_late route-port 'switch 3 at [0-9]+ ps calls route\(input 1000\), but has only 9 ports'
two=conservative
late late 'traffic.\[0\].pattern' 'pattern "late": destination\(member 3, message 20, .*\) returns endpoint 4000000000, but there are only 24 endpoints' \
	--set traffic.[0].pattern=late --set traffic.[0].width=6 --set traffic.[0].load=0.9

late long-iteration 'traffic.\[0\].process' 'process "long-iteration": at endpoint [0-9]+ and [0-9]+ ps the process reports an iteration of 18446744073709551615 ps, which began before the run' \
	--set 'traffic=({ process = "long-iteration"; packet = "64B"; })'

# Arbiters, in a tiled switch; one of them, too, in a crossbar.
for lie in "no-pick the required function pick\(\) is NULL" \
	"no-won it has state, but no function won\(\) that changes it" \
	"no-state it has a function won\(\), but no state that this could change: state_bytes and requester_bytes are 0" \
	"other-key it needs a key that this version of tilefly does not know" \
	"quantum-of-hops it takes a quantum of bytes, but does not request bytes" \
	"large-state its state has more than 4096 bytes, or more than 4096 for each requester" \
	"own-keys it has parameters of its own; arbiters take the switch's weights, quantum and age"; do
	name=${lie%% *}
	early "$name" switch.grant_arbiter "arbiter \"$name\": ${lie#* }\$" --set switch.kind=tiled --set switch.grant_arbiter="$name"
done
two=conservative
late beyond switch.grant_arbiter 'arbiter "beyond": pick\(\) among 16 requesters returned requester 16, which makes no request' \
	--set switch.kind=tiled --set switch.grant_arbiter=beyond --set traffic.[0].load=0.9
two=optimistic
late deaf switch.arbiter 'arbiter "deaf": pick\(\) among 9 requesters returned requester [0-8], which makes no request' \
	--set switch.kind=crossbar --set switch.cycle=320ps --set switch.inputs=voq --set switch.arbiter=deaf --set traffic.[0].load=0.9
two=
late nobody switch.crossbar_arbiter 'arbiter "nobody": pick\(\) among 16 requesters returned requester 4294967295, which makes no request' \
	--set switch.kind=tiled --set switch.crossbar_arbiter=nobody --set traffic.[0].load=0.9

# Allocators.
voq=(--set switch.kind=crossbar --set switch.cycle=320ps --set switch.inputs=voq --set traffic.[0].load=0.9)
early no-match switch.allocator 'allocator "no-match": the required function match\(\) is NULL$' "${voq[@]}" \
	--set switch.allocator=no-match
early own-keys switch.allocator 'allocator "own-keys": it has parameters of its own; allocators use the switch.s iterations and arbiter$' \
	"${voq[@]}" --set switch.allocator=own-keys
for name in one-more straight beyond; do
	late $name switch.allocator "allocator \"$name\": match\(\) of 9 inputs and 9 outputs returned [0-9]+ pairs that do not form a matching of the requests" \
		"${voq[@]}" --set switch.allocator=$name
done

# What a cost model says is asked for by `cost` alone.
quote=(--set cost.rate=100Gbps --set cost.chassis=1000USD --set cost.port=10USD --set cost.copper=50USD --set cost.optical=200USD
	--set cost.port_power=4W)
cost() {
	begin "cost $1"
	lies=$((lies + 1))
	timeout 60 "$program" cost rook.cfg --plugin "$plugins/rook.so" "${load[@]}" --set cost.kind="$1" "${quote[@]}" >out 2>err </dev/null
	status=$?
	told "cost[^:]*: $2"
}
size() { # a budget, and no topology of the plug-in's
	begin "size by $1"
	timeout 60 "$program" size --radix 10 --family slimfly --budget 5000USD --plugin "$plugins/rook.so" "${load[@]}" \
		--set links.default.bandwidth=100Gbps --set cost.kind="$1" "${quote[@]}" >out 2>err </dev/null
	status=$?
	told "cost[^:]*: $2"
}
size silent-price 'cost "silent-price": price_switch\(\) returned -1, a failure, without a reason'
size pays 'cost "pays": price_cable\(\) returns an impossible price, -5$'
size idle-most 'cost "idle-most": price_switch\(\) returns impossible watts: [0-9]+ and [0-9]+'
cost no-number 'cost "no-number": price_switch\(\) returns impossible prices: 1000 and nan'
cost pays 'cost "pays": price_cable\(\) returns an impossible price, -5$'
cost idle-most 'cost "idle-most": price_switch\(\) returns impossible watts: [0-9]+ and [0-9]+'
cost silent-price 'cost "silent-price": price_switch\(\) returned -1, a failure, without a reason'
cost no-cables 'cost "no-cables": the required function price_cable\(\) is NULL'
cost cools-itself 'cost "cools-itself": energy\(\) returns a price of 1, a cooling factor of 0.5'

echo "$lies lies"
finish
