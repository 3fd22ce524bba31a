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

begin "a new entry of a list"
run check slimfly-3k --set 'traffic.[1].load=0.1' --set 'traffic.[1].name=more' --set topology.q=5
expect 0
expect_in out '^ +more: '

begin "an entry that is not there"
run check slimfly-3k --set 'traffic.[5].load=0.1'
expect 2
expect_err '--set traffic.[5].load=0.1: there is no entry [5]; the list has 1'

begin "a new section"
printf 'topology = { kind = "slimfly"; q = 5; };\n' | "$program" check - --set 'traffic.[0].load=0.5' >out 2>err
status=$?
expect 0

begin "not an assignment"
run topo slimfly-3k --set topology.q --set =5
expect 2
expect_err '--set topology.q: not of the form PATH=VALUE, as in topology.q=5
--set =5: not of the form PATH=VALUE, as in topology.q=5'

begin "a value that is no libconfig"
run topo slimfly-3k --set 'topology={ kind = '
expect 2
expect_in err '^--set topology=\{ kind = : syntax error'

begin "an unknown key"
run topo slimfly-3k --set topolgy.q=5
expect 2
expect_in err '^--set topolgy.q=5: .*unknown key; did you mean "topology"\?'

begin "the last one wins"
run topo slimfly-3k --set topology.q=7 --set topology.q=5 --json
expect 0
expect_in out '"switches":50,'
finish
