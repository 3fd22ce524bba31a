#!/usr/bin/env bash
# Graphs from files whose switches have different numbers of endpoints: a fat tree with none above the leaves, from facts
# to runs, and back to a file.
source "$(dirname "$0")/run.bash"

digest() {
	grep -oE '"digest":"[0-9a-f]{16}"' out | cut -d'"' -f4
}

# Three levels of switches of 4 ports: 4 pods of 2 edge switches (0-7) and 2 aggregation switches (8-15), 4 cores (16-19).
for pod in 0 1 2 3; do
	for i in 0 1; do
		for j in 0 1; do
			echo "$((2 * pod + i)) $((8 + 2 * pod + j)) local"
			echo "$((8 + 2 * pod + i)) $((16 + 2 * i + j)) global"
		done
	done
done >tree.txt
printf 'endpoints 0-7 2\nendpoints 8-19 0\n' >>tree.txt
cat >tree.cfg <<'END'
time     = { warmup = "1us"; measure = "6us"; };
topology = { kind = "edges"; file = "tree.txt"; };
traffic  = ( { load = 0.5; } );
END

# Of 15 others 1 is on the same switch, 2 are in the same pod (2 hops), 12 elsewhere (4 hops): 52/15. A leaf's cable to one
# of two aggregation switches carries 2 x 14/15 / 2.
begin "facts"
run topo tree.cfg --json
expect 0
expect_in out '"switches":20,"endpoints":16,"links":32,"radix":4,"network_radix":4,"diameter":4,'
expect_in out '"links_by_class":\{"local":16,"global":16\}'
expect_in out '"max_channel_load_uniform":0\.93333333'
expect_in out '"mean_minimal_hops":3\.46666666'

begin "back to a file"
run topo tree.cfg --edges again.txt --json
expect 0
cp out want
expect_in again.txt '^endpoints 0-7 2$'
expect_in again.txt '^endpoints 8-19 0$'
run topo tree.cfg --set topology.file=again.txt --json
expect 0
diff want out || fail "other facts"
run topo slimfly-3k --set topology.q=5 --edges slimfly.txt --json
expect 0
run topo tree.cfg --set topology.file=slimfly.txt --json
expect_in out '"switches":50,"endpoints":450,'

begin "a key that the file leaves nothing to"
run check tree.cfg --set topology.endpoints=3
expect 2
expect_in err '^--set topology.endpoints=3: has no effect: .*tree.txt gives a number for every switch$'

# Two hops: 4 links of 50 ns, 3 switches of 100 ns, 256 B at 100 Gb/s; on the same switch 2 links and 1 switch.
begin "latency"
run run tree.cfg --set traffic.[0].load=0.001 --set time.measure=400us --set 'traffic.[0].nodes=0,2' --json
expect 0
expect_in out '"network_latency_ns":\{"min":520\.48,"mean":520\.48,'
run run tree.cfg --set traffic.[0].load=0.001 --set time.measure=400us --set 'traffic.[0].nodes=0,1' --json
expect_in out '"network_latency_ns":\{"min":220\.48,"mean":220\.48,'

begin "a link class of the file"
run run tree.cfg --set links.global.latency=500ns --set traffic.[0].load=0.001 --set time.measure=400us --set 'traffic.[0].nodes=0,4' --json
expect 0
expect_in out '"network_latency_ns":\{"min":1720\.48,"mean":1720\.48,' # 4 x 50 + 2 x 500 + 5 x 100 + 20.48

begin "a link class that no configuration can name"
printf '0 1 rack_1\n1 2 default\n2 0 rack.1\n' >odd.txt
run check tree.cfg --set topology.file=odd.txt
expect 2
expect_in err 'odd.txt:2: no link class may be called "default", which is reserved in configurations for all links$'
expect_in err 'odd.txt:3: no link class may be called "rack.1", which is not a valid name in configurations: a letter, followed by letters, digits, - and _$'

begin "routings and switches"
for routing in minimal valiant ugal-l ugal-g par slimfly-adaptive slingshot; do
	run check tree.cfg --set routing.kind=$routing
	expect 0
	expect_in out '^deadlock-free +yes'
	for switch in ideal crossbar tiled; do
		run run tree.cfg --set routing.kind=$routing --set switch.kind=$switch --set record.ports=true --audit --json --out r.jsonl.gz
		expect 0
	done
done
begin "patterns"
for pattern in uniform neighbor tornado transpose bit-complement bit-reverse shuffle permutation hotspot diagonal log-diagonal incast all-to-all; do
	run run tree.cfg --set traffic.[0].pattern=$pattern --json
	expect 0
	expect_in out '"idle_switches":0,'
done

begin "one digest"
run run tree.cfg --set routing.kind=ugal-l --json
want=$(digest)
for how in "--sync sequential --audit" "--sync conservative" "--sync optimistic --set engine.stress=30" "--threads 2"; do
	run run tree.cfg --set routing.kind=ugal-l $how --json
	expect 0
	[ "$(digest)" = "$want" ] || fail "$how differs"
done
for how in conservative optimistic; do
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 bash "$tests/../mpirun.sh" 2 "$program" run tree.cfg --set routing.kind=ugal-l --sync $how --json >out 2>err
	status=$?
	expect 0
	[ "$(digest)" = "$want" ] || fail "$how on two ranks differs"
done
begin "one switch without cables"
printf 'endpoints 0 8\n' >one.edges
printf 'topology = { kind = "edges"; file = "one.edges"; };\ntime = { warmup = "1us"; measure = "6us"; };\ntraffic = ( { load = 0.5; } );\n' >one.cfg
run topo one.cfg --json
expect 0
expect_in out '"switches":1,"endpoints":8,"links":0,'
run run one.cfg --json
expect 0
want=$(digest)
run run one.cfg --json --set 'topology={ kind = "single"; ports = 8; }'
expect 0
[ "$(digest)" = "$want" ] || fail "a single switch differs"
run check one.cfg
expect 0
run topo one.cfg --edges again.edges
expect 0
[ "$(cat again.edges)" = "endpoints 0 8" ] || fail "$(cat again.edges)"

begin "a header of the numbers of switches and cables"
printf '4 3\n0 1\n1 2\n2 3\n' >tree.edges
printf '3 3 \n0 1\n1 2\n2 0\n' >ring.edges
for graph in "tree 4 3" "ring 3 3"; do
	read -r file switches cables <<<"$graph"
	run topo one.cfg --set "topology={ kind = \"edges\"; file = \"$file.edges\"; }" --json
	expect 0
	expect_in out "\"switches\":$switches,\"endpoints\":$switches,\"links\":$cables,"
	expect_in err "warning: .*$file.edges:1: \"$switches $cables\" is read as a header, because the file has $switches switches and $cables cables"
done
printf '4 2\n0 1\n1 2\n2 3\n' >cable.edges # a cable
run topo one.cfg --set 'topology={ kind = "edges"; file = "cable.edges"; }' --json
expect 0
expect_in out '"switches":5,"endpoints":5,"links":4,'
expect_err ""

finish
