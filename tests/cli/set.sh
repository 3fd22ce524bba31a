#!/usr/bin/env bash
# --set: overrides of scalars, lists, groups and entries, and what is wrong with them.
source "$(dirname "$0")/run.bash"

begin "scalar"
run topo slimfly-3k --set topology.q=5 --set topology.endpoints=3 --json
expect 0
expect_in out '"switches":50,"endpoints":150,'

begin "a whole group"
run topo slimfly-3k --set 'topology={ kind = "torus"; dims = [ 4, 4 ]; }' --json
expect 0
expect_in out '"kind":"torus","switches":16,'

begin "a list, as words and as a list"
for dims in 4,4 '[4,4]' '(4, 4)'; do
	run topo torus-8x8x8 --set "topology.dims=$dims" --json
	expect 0
	expect_in out '"switches":16,'
done

begin "the value is not in range"
run topo slimfly-3k --set topology.q=6
expect 2
expect_err '--set topology.q=6: 6 is not a prime power; the nearest are 5 and 7'

begin "both spellings of list entries"
run check slimfly-3k --set 'traffic[0].load=2' --set 'traffic.[0].start=now'
expect 2
expect_err "--set traffic[0].load=2: 2 is out of range: 0 to 1
--set traffic.[0].start=now: \"now\" does not begin with a number"

begin "a whole list, with more entries"
run check slimfly-3k --set 'traffic=( { load = 0.1; }, { load = 0.2; name = "more"; } )' --set 'traffic.[1].load=0.3' --set topology.q=5
expect 0
expect_in out '^ +more: '

# One past the end is an error too: a slip of the index must not start another job.
begin "an entry that is not there"
run check slimfly-3k --set 'traffic.[5].load=0.1' --set 'traffic.[1].load=0.1'
expect 2
expect_err "--set traffic.[5].load=0.1: there is no entry [5]: the list has 1; to make it longer, set the whole list, as in --set 'traffic=( ..., ... )'
--set traffic.[1].load=0.1: there is no entry [1]: the list has 1; to make it longer, set the whole list, as in --set 'traffic=( ..., ... )'"

begin "a new section"
printf 'topology = { kind = "slimfly"; q = 5; };\n' | "$program" check - --set 'traffic=( { load = 0.5; } )' >out 2>err
status=$?
expect 0

begin "an entry of a list that is not there"
printf 'topology = { kind = "slimfly"; q = 5; };\n' | "$program" check - --set 'traffic.[0].load=0.5' >out 2>err
status=$?
expect 2
expect_in err "^--set traffic.\[0\].load=0.5: there is no entry \[0\]: the list is missing; set the whole list, as in --set 'traffic=\( ... \)'$"
[ "$(grep -c ^ err)" = 2 ] || fail "another error than that traffic is missing"

begin "a path that is no key"
for path in '[0]' '[0].load' '.' 'topology..q' 'topology.' 'a[' '[' 'traffic.[-1].load' 'traffic.[18446744073709551616].load'; do
	run check /dev/null --set "$path=1"
	expect 2
	expect_in err '^--set '
done

begin "not an assignment"
run topo slimfly-3k --set topology.q --set =5
expect 2
expect_err '--set topology.q: must have the form PATH=VALUE, as in topology.q=5
--set =5: must have the form PATH=VALUE, as in topology.q=5'

begin "a value that is no libconfig"
run topo slimfly-3k --set 'topology={ kind = '
expect 2
expect_in err '^--set topology=\{ kind = : syntax error'

begin "an unknown key"
run topo slimfly-3k --set topolgy.q=5
expect 2
expect_in err '^--set topolgy.q=5: .*unknown key; did you mean "topology"\?'

begin "an unknown key with an index"
run check slimfly-3k --set 'trafic.[0].packet=64B' --set 'trafic[0].load=0.1' --set 'zzz.[0]=1' --set 'topolgy.dims.[0]=4'
expect 2
expect_err '--set trafic.[0].packet=64B: unknown key; did you mean "traffic"?
--set trafic[0].load=0.1: unknown key; did you mean "traffic"?
--set zzz.[0]=1: unknown key
--set topolgy.dims.[0]=4: unknown key; did you mean "topology"?'

begin "all problems at once, also those of what is built"
for command in check run topo; do
	run $command slimfly-3k --set topology.q=6 --set links.globl.latency=1ns
	expect 2
	expect_err '--set topology.q=6: 6 is not a prime power; the nearest are 5 and 7
--set links.globl.latency=1ns: unknown link class of topology "slimfly"; did you mean "global"? Available: default, terminal, local, global'
	run $command slimfly-3k --set topology.q=6 --set links.globl.latency=1 --set switch.bufer=1KB
	expect 2
	expect_in err '6 is not a prime power'
	expect_in err 'unknown link class of topology "slimfly"; did you mean "global"'
	expect_in err '"1" needs one of the units'
	expect_in err 'unknown key; did you mean "buffer"'
	run $command torus-8x8x8 --set topology.dims=x --set links.global.latency=1ns
	expect 2
	expect_in err '^--set topology.dims=x: '
	expect_in err 'unknown link class of topology "torus"; did you mean "local"'
done

begin "what is measured until it is known goes on"
for process in 'process="ping-pong"; iterations=3' 'process="aspen"; model="halo2d.aspen"'; do
	run check slimfly-3k --set "traffic=({$process;})" --set 'time={precision="5%";}'
	expect 2
	expect_in err '^--set traffic=.*: traffic.\[0\].iterations: cannot be combined with time.precision, which measures a steady state, since the process stops after [13]: set 0 \(no limit\), or time.warmup and time.measure in place of time.precision$'
done
run check slimfly-3k --set 'traffic=({process="ping-pong"; iterations=0;})' --set 'time={precision="5%";}'
expect 0

begin "flows in order where classes are not told apart"
cat >order.cfg <<'END'
topology = { kind = "dragonfly"; p = 2; a = 4; h = 2; };
switch   = { kind = "output-queued"; buffer = "20KB"; trim = true; };
routing  = { kind = "valiant"; };
classes  = ( { name = "a"; ordering = "flow"; }, { name = "b"; } );
traffic  = ( { pattern = "uniform"; load = 0.1; class = "b"; nodes = "0-9"; },
             { pattern = "uniform"; load = 0.1; class = "a"; nodes = "10-19"; } );
time     = { warmup = "0us"; measure = "2us"; };
END
run check order.cfg
expect 2
expect_err 'order.cfg:4: classes.[0].ordering: "flow" differs from classes.[1], which has "none": switch "output-queued" does not distinguish classes, so either all classes keep the order of flows or none does'
for set in classes.[1].ordering=flow classes.[0].ordering=none 'switch={kind="ideal";}'; do
	run check order.cfg --set "$set"
	expect 0
done

begin "check, topo and run judge alike, also what depends on the network"
small=(slimfly-3k --set topology.q=5 --set topology.endpoints=4 --set time.measure=1us --set time.warmup=1us)
for set in nic.timeout=5us nic.backoff=2ms nic.ack_every=4KB nic.retry=off nic.ordering=receiver \
	switch.buffer=1B 'switch={ kind = "tiled"; preset = "rosetta"; publish = "5ns"; quantum = "1KB"; }' \
	'switch={ kind = "crossbar"; output_buffer = 8; quantum = "1KB"; }' 'congestion={ kind = "nscc"; recovery = "sleek"; }' \
	'traffic.[0].nodes="900-999"' engine.window=1ms; do
	run topo "${small[@]}" --set engine.sync=sequential --set "$set"
	expect 2
	sort err >topo_err
	for command in check run; do
		run $command "${small[@]}" --set engine.sync=sequential --set "$set"
		expect 2
		sort err | cmp -s - topo_err || fail "$command, not topo: $(diff <(sort err) topo_err)"
	done
done
run topo "${small[@]}" --set switch.vcs=1
expect 2
expect_in err '^--set switch.vcs=1: minimal routing can deadlock with 1 virtual channel on this topology; it needs 2'

begin "the last one wins"
run topo slimfly-3k --set topology.q=7 --set topology.q=5 --json
expect 0
expect_in out '"switches":50,'
begin "rules for rings on a network without rings"
for rule in bubble partition; do
	run check slimfly-3k --set routing.deadlock=$rule
	expect 2
	expect_in err "routing.deadlock=$rule.*the $rule rule requires complete rings; a slimfly has none"
done

begin "keys with two names, in files and assignments"
cat >grid.cfg <<'END'
topology = { kind = "hyperx"; dims = [ 3, 3 ]; trunks = [ 1, 2 ]; endpoints = 1; };
traffic  = ( { load = 0.1; } );
END
run topo grid.cfg --json
expect 0
expect_in out '"links":27,' # 9 switches, 2 + 4 cables each
run topo grid.cfg --json --set topology.trunks.[1]=1
expect_in out '"links":18,'
run topo grid.cfg --json --set topology.trunk=2
expect_in out '"links":36,'
run topo grid.cfg --json --set topology.trunk=1,2 --set topology.trunks=2
expect_in out '"links":36,'
run topo grid.cfg --set topology.trunks=1,2,3
expect 2
expect_err '--set topology.trunks=1,2,3: 3 values for 2 dimensions; give one for all or one each'
echo 'topology = { kind = "hyperx"; dims = [ 3, 3 ]; trunks = [ 0 ];' >wrong.cfg
echo '  trunk = [ 1 ]; }; traffic = ( { load = 0.1; } ); mpi = { overheads = "x"; };' >>wrong.cfg
run check wrong.cfg
expect 2
expect_err 'wrong.cfg:1: topology.trunks: is another name of the key "trunk", which is also set: remove one of the two
wrong.cfg:2: mpi.overheads: "x" does not begin with a number'
run topo dragonfly-1056 --set topology.trunks=1
expect 2
expect_in err '^--set topology.trunks=1: unknown key; did you mean "trunk"\?$'

begin "a count of nodes with and without quotes"
digest_of() {
	echo "topology = { kind = \"single\"; ports = 12; }; time = { warmup = \"1us\"; measure = \"2us\"; };
		traffic = ( { load = 0.3; nodes = $1; allocation = \"random\"; } );" >count.cfg
	run run count.cfg --json
	expect 0
	grep -o '"digest":"[0-9a-f]*"' out
}
[ "$(digest_of 8)" = "$(digest_of '"8"')" ] || fail "8 is not \"8\""
[ "$(digest_of 8)" != "$(digest_of 7)" ] || fail "7 is 8"
for nodes in -1 0 13; do
	run check count.cfg --set "traffic=({load=0.3;nodes=$nodes;})"
	expect 2
	expect_in err 'traffic.\[0\].nodes: '
done

finish
