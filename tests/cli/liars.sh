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

topology no-ports 'build\(\) says max_ports is 0, of 24 switches'
topology too-many-ports 'peer\(0, 8\) says switch 0 port 4: a cable from a switch to itself'
topology no-switches 'build\(\) says 0 switches'
topology more-endpoints 'build\(\) says 29 endpoints on 24 switches, and 1 on each'
topology no-class-names 'build\(\) says 2 link classes, and link_class_name is NULL'
topology no-group-function 'build\(\) says 4 groups of 24 switches, and the function group\(\) is NULL'
topology falling-first 'build\(\) says endpoint_first\[1\] = 3 and endpoint_first\[2\] = 2'
topology no-ops 'build\(\) says that ops is NULL'
topology no-kind 'build\(\) says that kind is NULL'
topology one-class-name 'build\(\) says that link classes 0 and 1 are both "row"'
topology silent 'build\(\) returned -1, a failure, without a reason'
topology many-ports 'ports\(5\) says 9; max_ports is 8'
topology crooked 'peer\(0, 2\) says switch 3 port 2, whose peer is switch 0 port 1'
topology far-away 'peer\(3, 2\) says switch 4000000000 port 2; there are 24 switches'
topology odd-port 'peer\(3, 2\) says switch 0 port 77, which has 8 ports'
topology odd-class 'peer\(3, 2\) says link class 200; there are 2'
topology two-classes 'peer\(0, 2\) says link class 0, and class 1 from the other end, switch 3 port 2'
topology own-tail 'peer\(0, 2\) says switch 3 port 2, whose peer is switch 3 port 2'
topology too-far 'distance\(0, 1\) says 2; the longest route by next\(\) has 1 hops'
topology too-near 'distance\(0, 7\) says 1; the longest route by next\(\) has 2 hops'
topology endless-distance 'distance\(0, 7\) says 4294967295; at most'
topology low-maximum 'max_distance\(\) says 1; distance\(0, 7\) says 2'
topology no-maximum 'max_distance\(\) says 0, of 24 switches'
topology next-port 'next\(3, 9, hops [01]\) says port 99; switch 3 has 8 ports'
topology next-many 'next\(3, 9, hops [01]\) says 548 ports; allowed are 1 to 512'
topology next-none 'next\(3, 9, hops [01]\) says 0 ports'
topology next-circle 'next\([0-9]+, 9\) leads on for more than 2 hops'
topology one-way 'next\([0-9]+, [0-9]+, hops [01]\) says 2 ports, though one_way is set'
topology next-missing 'the required function next\(\) is NULL'
topology same-order 'order\(1\) says switch 0, as another number did before'
topology far-order 'order\(0\) says switch 1000; there are 24'
topology far-rack 'rack\(3\) says rack 4000000000; there are 24 switches'
topology wrong-dims 'dims\(\) says 2 dimensions, the first of 5, that do not make 24 switches'
topology many-orbits 'orbits\(\) says [0-9]+ orbits, but the array holds'
topology small-orbits 'orbits\(\) says that the orbits have 3 switches in all; there are 24'
topology more-links 'facts\(\) says 5 links; there are 96'
topology smaller-diameter 'facts\(\) says a diameter of 1; it is 2'
topology seven-switches 'facts\(\) says 7 switches and 24 endpoints; build\(\) has made 24 and 24'
topology seven-endpoints 'facts\(\) says 24 switches and 7 endpoints; build\(\) has made 24 and 24'
topology other-radix 'facts\(\) says a radix of 9, 9 of them to other switches; build\(\) has made 9 and 8'
topology row-links 'facts\(\) says 96 links of class 0; there are 60'
topology wide 'facts\(\) says a bisection of 1000000000000 links; at most 96 are possible'
topology wide-ends 'facts\(\) says a bisection of the endpoints of 97 links; at most 96 are possible'
topology long-girth 'facts\(\) says a girth of 99; there are 24 switches'
topology odd-girth 'facts\(\) says a girth of 5; it is 3'
topology no-distance 'facts\(\) says a mean distance of -?nan; there are 24 switches'
topology huge-load 'facts\(\) says a largest channel load of 1e\+300; it is 0.125 at least, and 24 at most'
topology no-load 'facts\(\) says a largest channel load of 0; it is 0.125 at least, and 24 at most'
topology endless-load 'facts\(\) says a largest channel load of inf; it is 0.125 at least, and 24 at most'
topology unknown-load 'facts\(\) says a largest channel load of -?nan; it is 0.125 at least, and 24 at most'
topology class-load 'facts\(\) says a largest load of 1e\+09 on links of class 1, and of 24 on all'
topology far-routes 'facts\(\) says minimal routes of 77 hops on average; there are 24 switches'
topology no-cut 'facts\(\) says a bisection of 0 links; every switch reaches every other'
topology no-cut-ends 'facts\(\) says a bisection of the endpoints of 0 links; every switch reaches every other'
topology changing 'facts\(\) says 1\.5 as mean of minimal hops, and said 1\.75 before'
topology ninth-group 'group\(20\) says 9; there are 4 groups'
topology default-class 'build\(\) says that link class 1 is "default", which stands for every link in a configuration'
topology terminal-class 'build\(\) says that link class 1 is "terminal", which stands for links to endpoints in a configuration'
topology dotted-class 'build\(\) says that link class 1 is "col.umn", which no configuration can name: a letter, and then letters, digits, - and _'
topology worst-case 'worst_case\(\) says that switch 23 sends to switch 24; there are 24'

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
routing no-vcs 'build\(\) says that 0 virtual channels are needed'
routing many-vcs 'build\(\) says that 1000 virtual channels are needed; allowed are 1 to 16'
routing many-hops 'build\(\) says that routes have at most 256 hops'
routing silent-routing 'build\(\) returned 1, a failure, without a reason'
routing route-missing 'the required function route\(\) is NULL'
routing goes-on 'goes_on\(\) returned true, but impl was not created by rt_common_build\(\)'
routing has-bias 'has_bias is set, but there is no parameter "bias" that is a size'
routing odd-legs 'legs\(\) says 99, which does not exist'
proof() {
	early "$1" routing.kind "routing \"$1\": $2" --set routing.kind="$1"
}
from='from endpoint [0-9]+ to [0-9]+ on VC [0-9] that has come from (an endpoint|port [0-9]+) after [0-9] hops'
proof one-vc "route\(\) at switch [0-9]+, of a packet $from, says VC 1; build\(\) said that 1 are needed"
proof two-hops "route\(\) at switch [0-9]+, of a packet $from, says output port [0-9]; build\(\) said that routes have at most 2 hops"
proof port-99 "route\(\) at switch 3, of a packet $from, says output port 99; the switch has 8 network ports"
proof eject-early "route\(\) at switch 3, of a packet $from, says RT_EJECT; its endpoint is at switch [0-9]+"
proof vc-9 "route\(\) at switch 3, of a packet $from, says VC 9; build\(\) said that 3 are needed, 0 to 2"
proof other-end "route\(\) at switch 3, of a packet $from, says that its destination is endpoint 4000000000"
proof slack "route\(\) at switch [0-9]+, of a packet $from, says slack 7; that is for routings with a proof_note"
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
switch no-share 'buffer_share\(\) returns 0 bytes; packets have up to 256'
switch small-share 'buffer_share\(\) returns 100 bytes; packets have up to 256'
switch huge-state 'state_bytes\(\) returns 9223372036854775807; at most'
switch small-state 'init\(\) of switch 0 writes byte [0-9]+ of its state; state_bytes\(\) returns [0-9]+'
switch silent-switch 'build\(\) returned -1, a failure, without a reason'
switch born-in-debt 'credits_out\(\) of switch 0 returns 512 right after init\(\)'
switch huge-lead 'lead\(\) returns 1000000001 ps; at most 1000000000 are supported'
switch lossy-with-credits 'build\(\) sets lossy without creditless'
switch holds-unasked 'build\(\) states that it withholds credits, (which is not permitted for this switch|but its function hold\(\) is NULL)'
switch packet-in-missing 'the required function packet_in\(\) is NULL'
switch regions-missing 'the required function regions\(\) is NULL'

early nowhere 'traffic.\[0\].pattern' 'pattern "nowhere": destination\(member 3, message 0, bits 0x[0-9a-f]+, coin 0x[0-9a-f]+\) returns endpoint 4000000000; there are 24' \
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
late port-late routing.kind "routing \"port-late\": route\(\) at switch 3, of a packet $from, says output port 99; the switch has 8 network ports" \
	--set routing.kind=port-late
two=
late vc-late routing.kind "routing \"vc-late\": route\(\) at switch 3, of a packet $from, says VC 9; build\(\) said that 3 are needed" \
	--set routing.kind=vc-late
late eject-late routing.kind "routing \"eject-late\": route\(\) at switch 3, of a packet $from, says RT_EJECT; its endpoint is at switch [0-9]+" \
	--set routing.kind=eject-late
switch_late() {
	late "$1" switch.kind "switch \"$1\": $2" --set switch.kind="$1"
}
two=conservative
switch_late transmit-port 'switch 3 at [0-9]+ ps calls transmit\(port 99\); it has 8 network ports'
late no-queues switch.kind 'switch "no-queues": switch [0-9]+ at [0-9]+ ps calls queues\(\) without output [0-9], although its queue_bytes\(\) returns [0-9]+' \
	--set switch.kind=no-queues --set routing.kind=slingshot --set traffic.[0].load=0.9
two=
late other-depths switch.kind 'switch "other-depths": switch [0-9]+ at [0-9]+ ps calls queue_bytes_each\(\) of output [0-9] is [0-9]+, but queue_bytes\(\) returns [0-9]+' \
	--set switch.kind=other-depths --set routing.kind=slingshot --set traffic.[0].load=0.9
switch_late transmit-vc 'switch 3 at [0-9]+ ps calls transmit\(port [0-9]\) on VC 9; there are 2'
switch_late transmit-end 'switch 3 at [0-9]+ ps calls transmit\(port [0-9]\) to LP 4000000000 port [0-9], class [01]; its cable ends at LP'
switch_late transmit-past 'switch 3 at [0-9]+ ps calls transmit\(port [0-9]\) from 1000 ps to [0-9]+ ps'
switch_late transmit-packet 'switch 3 at [0-9]+ ps calls transmit\(\) of a packet from endpoint [0-9]+ to 4000000000, job 0, 256 bytes'
switch_late no-such-lead 'switch [0-9]+ at [0-9]+ ps calls (transmit|credit)\(port [0-9]\) from [0-9]+ ps, at [0-9]+ ps; lead\(\) says 100000'
switch_late drop-lossless 'switch 3 at [0-9]+ ps calls drop\(\), although its build\(\) did not set lossy'
switch_late no-credits 'switch [0-9]+ at [0-9]+ ps calls credit\(port [0-9]\), although its build\(\) states that links have no credits'
switch_late control-port 'switch 3 at [0-9]+ ps calls control\(port 1000\); it has 8 network ports'
switch_late control-word 'switch 3 at [0-9]+ ps calls control\(terminal 0\) of word 77'
switch_late control-past 'switch 3 at [0-9]+ ps calls control\(port 8\) from 1000 ps'
switch_late control-deaf 'switch 3 at [0-9]+ ps calls control\(port [0-9]\), although its function control_in\(\) is NULL'
switch_late eject-terminal 'switch 3 at [0-9]+ ps calls eject\(terminal 50\); it has 1'
two=optimistic
switch_late eject-lost 'at the end of the run it calls packets are not conserved in job all'
two=
switch_late credit-bytes 'switch 3 at [0-9]+ ps calls credit\(port [0-9]\) of 1000000 bytes; packets have up to 256'
switch_late credit-port 'switch 3 at [0-9]+ ps calls credit\(port 1000\); it has 8 network ports'
switch_late credit-twice '(at [0-9]+ ps, LP [0-9]+: .*more credits came back than were given|at the end of the run it calls credits are not conserved)'
switch_late credit-endpoint '(switch 3 at [0-9]+ ps calls credit\(port 8\) of 256 bytes, [0-9]+ in all; its endpoint has sent [0-9]+|at [0-9]+ ps, LP 3: switch 3, terminal 0: [0-9]+ bytes came back, [0-9]+ were out)'
switch_late route-port 'switch 3 at [0-9]+ ps calls route\(input 1000\); it has 9 ports'
two=conservative
late late 'traffic.\[0\].pattern' 'pattern "late": destination\(member 3, message 20, .*\) returns endpoint 4000000000; there are 24' \
	--set traffic.[0].pattern=late --set traffic.[0].width=6 --set traffic.[0].load=0.9

late long-iteration 'traffic.\[0\].process' 'process "long-iteration": at endpoint [0-9]+ and [0-9]+ ps it reports an iteration of 18446744073709551615 ps, which began before the run' \
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
late beyond switch.grant_arbiter 'arbiter "beyond": pick\(\) of 16 requesters returned 16, which makes no request' \
	--set switch.kind=tiled --set switch.grant_arbiter=beyond --set traffic.[0].load=0.9
two=optimistic
late deaf switch.arbiter 'arbiter "deaf": pick\(\) of 9 requesters returned [0-8], which makes no request' \
	--set switch.kind=crossbar --set switch.cycle=320ps --set switch.inputs=voq --set switch.arbiter=deaf --set traffic.[0].load=0.9
two=
late nobody switch.crossbar_arbiter 'arbiter "nobody": pick\(\) of 16 requesters returned 4294967295, which makes no request' \
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
size pays 'cost "pays": price_cable\(\) says a price of -5$'
size idle-most 'cost "idle-most": price_switch\(\) says watts of [0-9]+ and [0-9]+'
cost no-number 'cost "no-number": price_switch\(\) says prices of 1000 and nan'
cost pays 'cost "pays": price_cable\(\) says a price of -5$'
cost idle-most 'cost "idle-most": price_switch\(\) says watts of [0-9]+ and [0-9]+'
cost silent-price 'cost "silent-price": price_switch\(\) returned -1, a failure, without a reason'
cost no-cables 'cost "no-cables": the required function price_cable\(\) is NULL'
cost cools-itself 'cost "cools-itself": energy\(\) says a price of 1, a cooling factor of 0.5'

echo "$lies lies"
finish
