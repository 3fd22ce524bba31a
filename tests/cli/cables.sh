#!/usr/bin/env bash
# Cables with a bandwidth or latency of their own, in one direction or both, and absent ones: in columns of a list of cables
# and by rules, against closed forms; in every mode of the engine; and what is refused.
source "$(dirname "$0")/run.bash"

latency() {
	grep -oE '"network_latency_ns":\{"min":[0-9.]+,"mean":[0-9.]+' out | sed 's/.*mean"://' | head -1
}

accepted() {
	grep -oE '"accepted_load":[0-9.]+' out | head -1 | cut -d: -f2
}

digest() {
	grep -oE '"digest":"[0-9a-f]{16}"' out | cut -d'"' -f4
}

cat >idle.cfg <<'END'
topology = { kind = "edges"; file = "graph"; };
links    = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
switch   = { kind = "ideal"; traversal = "100ns"; buffer = "1MB"; };
traffic  = ( { pattern = "permutation"; file = "pairs"; load = 0.01; packet = "256B"; } );
time     = { warmup = "0ps"; measure = "50us"; };
END

# Two terminal links of 50 ns, five switches of 100 ns, four cables of 21, 24, 27 and 30 ns, 256 B at 100 Gb/s.
begin "a ring of ten lengths: by columns, by ten classes, by rules"
echo "0 4" >pairs
for i in 0 1 2 3 4 5 6 7 8 9; do echo "$i $(((i + 1) % 10)) latency=$((21 + 3 * i))ns"; done >graph
run run idle.cfg --json
expect 0
[ "$(latency)" = 722.48 ] || fail "$(latency) ns"
run topo idle.cfg --edges again --json
expect 0
cp out facts
run run idle.cfg --set topology.file=again --json
[ "$(latency)" = 722.48 ] || fail "$(latency) ns from what is written"
for i in 0 1 2 3 4 5 6 7 8 9; do echo "$i $(((i + 1) % 10)) cable$i"; done >graph
sets=()
for i in 0 1 2 3 4 5 6 7 8 9; do sets+=(--set "links.cable$i.latency=$((21 + 3 * i))ns"); done
run run idle.cfg "${sets[@]}" --json
expect 0
[ "$(latency)" = 722.48 ] || fail "$(latency) ns by classes"
for i in 0 1 2 3 4 5 6 7 8 9; do echo "$i $(((i + 1) % 10))"; done >graph
{
	grep -v '^links' idle.cfg
	echo 'links = { override = ('
	for i in 0 1 2 3 4 5 6 7 8 9; do
		echo "{ from = $i; to = $(((i + 1) % 10)); latency = \"$((21 + 3 * i))ns\"; }$([ $i = 9 ] || echo ,)"
	done
	echo '); };'
} >rules.cfg
run run rules.cfg --json
expect 0
[ "$(latency)" = 722.48 ] || fail "$(latency) ns by rules"
run topo rules.cfg --json
expect 0
diff facts out || fail "other facts"

# The head leaves a switch 100 ns after it came; from 40 to 100 Gb/s the last bit decides. There 2 x 50 + 2 x 100 + 70 + 51.2,
# back 2 x 50 + 2 x 100 + 90 + 20.48 ns.
begin "two directions"
printf '0 1 bandwidth=40Gbps/100Gbps latency=70ns/90ns\n' >graph
echo "0 1" >pairs
run run idle.cfg --json
expect 0
[ "$(latency)" = 421.2 ] || fail "there $(latency) ns"
echo "1 0" >pairs
run run idle.cfg --json
[ "$(latency)" = 410.48 ] || fail "back $(latency) ns"
# Store and forward after another 100 ns: there 20.48 + 50 + 100 + 51.2 + 70 + 100 + 20.48 + 50.
echo "0 1" >pairs
grep -v '^switch' idle.cfg >any.cfg
run run any.cfg --json --set switch.kind=output-queued --set switch.latency=100ns
expect 0
[ "$(latency)" = 462.16 ] || fail "output-queued: there $(latency) ns"

# One endpoint of two offers the full rate of its link: 0.4 of it passes there, all of it back.
begin "the rate of a direction"
for switch in ideal tiled crossbar output-queued; do
	sets=(--set traffic.[0].load=1.0 --set time.warmup=20us --set switch.kind=$switch)
	[ $switch = output-queued ] && sets+=(--set switch.pfc=true)
	echo "0 1" >pairs
	run run any.cfg --json "${sets[@]}"
	expect 0
	awk -v x="$(accepted)" 'BEGIN { exit !(x > 0.398 && x < 0.402) }' || fail "$switch, there: $(accepted)"
	echo "1 0" >pairs
	run run any.cfg --json "${sets[@]}"
	awk -v x="$(accepted)" 'BEGIN { exit !(x > 0.6) }' || fail "$switch, back: $(accepted)"
done

# Four packets of 256 B fit the buffer of a VC; one returns its credits after 100 + 20.48 ns in the next switch, 1 us there
# and 3 us back: 4 x 20.48 / 4120.48 of the rate.
begin "credits travel by the other direction"
printf '0 1 latency=1us/3us\n' >graph
echo "0 1" >pairs
run run idle.cfg --json --set traffic.[0].load=1.0 --set time.warmup=50us --set time.measure=500us --set switch.buffer=1KiB
expect 0
awk -v x="$(accepted)" 'BEGIN { y = 4 * 20.48 / 4120.48; exit !(x > .98 * y && x < 1.02 * y) }' || fail "$(accepted)"
run check idle.cfg --set switch.buffer=1KiB
expect 0
expect_in out 'local: .*; it sustains 0.01988 of it over the actual 2000 ns'

# More lengths than the 255 links of a switch: a star of 300 lengths, 2 x 50 + 3 x 100 + 20.48 + those of both cables.
begin "more than 255 kinds of cables"
{
	for i in $(seq 300); do echo "0 $i latency=$((100 + i))ns/$((600 + i))ns"; done
	echo "endpoints 0 0"
} >graph
for pair in "0 1" "7 299" "299 150"; do
	echo "$pair" >pairs
	run run idle.cfg --json
	expect 0
	want=$(awk -v a="${pair% *}" -v b="${pair#* }" 'BEGIN { print 420.48 + 601 + a + 101 + b }')
	[ "$(latency)" = "$want" ] || fail "$pair: $(latency) ns, not $want"
done
for i in $(seq 300); do echo "0 $i bandwidth=$((1000 + i))Mbps"; done >graph
run check idle.cfg
expect 2
expect_in err 'links: cables have more than 255 different pairs of bandwidths'

cat >torus.cfg <<'END'
topology = { kind = "torus"; dims = [4, 4]; endpoints = 2; };
links    = { override = ( { from = "0-3"; to = "4-7"; latency = "70ns"; },
                          { from = 5; to = 6; direction = "forward"; bandwidth = "40Gbps"; latency = "85ns"; },
                          { from = 9; to = 10; absent = true; } ); };
switch   = { kind = "ideal"; };
traffic  = ( { load = 0.3; packet = [64B, 256B]; } );
time     = { warmup = "2us"; measure = "8us"; drain = true; };
END
sed -i 's/\[64B, 256B\]/"256B"/' torus.cfg

begin "one digest"
for switch in ideal tiled crossbar output-queued; do
	run run torus.cfg --json --set switch.kind=$switch --set engine.sync=sequential
	expect 0
	want=$(digest)
	[ -n "$want" ] || fail "$switch: no digest"
	for more in "engine.path=exact" "engine.threads=2" "engine.audit=true" "engine.sync=optimistic engine.stress=30" "record.ports=true"; do
		sets=()
		for set in $more; do sets+=(--set "$set"); done
		run run torus.cfg --json --set switch.kind=$switch "${sets[@]}"
		expect 0
		[ "$(digest)" = "$want" ] || fail "$switch, $more: $(digest), not $want"
	done
done

for sync in conservative optimistic; do
	run run torus.cfg --json
	want=$(digest)
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 bash "$tests/../mpirun.sh" 2 "$program" run torus.cfg --json --set engine.sync=$sync >out 2>err
	[ "$(digest)" = "$want" ] || fail "2 ranks, $sync: $(digest), not $want"
done

begin "what is refused"
run check torus.cfg --set links.override.[0].to=99
expect 2
expect_in err '^--set links.override.\[0\].to=99: "99": there is no switch 99; there are 16, numbered from 0$'
run check torus.cfg --set links.override.[1].absent=true
expect 2
expect_in err '^torus.cfg:3: links.override.\[1\].direction: a cable is absent in both directions'
run check torus.cfg --set links.override.[0].to=9
expect 2
expect_in err 'links.override.\[0\]: matches no cable: there is none from 0-3 to 9$'
run check torus.cfg --set links.override.[0].width=4
expect 2
expect_in err 'links.override.\[0\].width.*: unknown key'
run run torus.cfg --set routing.kind=d-mod-k
expect 2
run check torus.cfg --set topology.kind=hyperx --set routing.kind=dimwar
expect 2
expect_in err 'needs all cables of the hyperx, but links.override makes some of them absent'

begin "keys without effect"
printf '0 1 latency=70ns\n' >graph
echo "0 1" >pairs
run check idle.cfg --set links.local.latency=60ns
expect 2
expect_in err 'links.local.latency.*: has no effect in this network: every such cable has its own'
run check idle.cfg --set links.local.bandwidth=60Gbps
expect 0

finish
