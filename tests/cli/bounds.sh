#!/usr/bin/env bash
# topo --bounds: closed forms in text and JSON, what it says of adaptive routings, malformed use.
source "$(dirname "$0")/run.bash"

begin "minimal"
run topo dragonfly-1056 --bounds
expect 0
expect_in out '^routing +minimal: drawn uniformly at every switch \(per hop\), as in a run; compared for [0-9]+ pairs'
expect_in out '^  uniform +1\.0144, by the local link' # 1055 / (4^2 + 2 * 4^2 * 8 * 4)
expect_in out '^  worst permutation +0\.0312, by the global link .*; exact, .*; used by 32 of 1056 flows$'
expect_in out '^shortest paths +0\.7579, .*per hop\)$'
expect_in out '^ +0\.7442, .*per path\)$'
expect_in out '^any routing +1\.0238 by hops'
run topo dragonfly-1056 --bounds --json
expect 0
expect_in out '"bounds":\{"routing":\{"kind":"minimal","oblivious":true,"split":"hop","compared_pairs":[1-9]'
expect_in out '"worst_permutation":\{"throughput":0\.03125,"switch":[0-9]+,"port":[0-9]+,"to_switch":[0-9]+,"link_class":"global","exact":true'
python3 -c 'import json; json.load(open("out"))' || fail "not JSON"

begin "without it there are none"
run topo dragonfly-1056 --json
! grep -q bounds out || fail "bounds in the facts"

begin "Valiant"
run topo dragonfly-1056 --bounds --set routing.kind=valiant --set 'routing.via="group"' --json
expect 0
expect_in out '"kind":"valiant","oblivious":true'

begin "bandwidths of links"
run topo dragonfly-1056 --bounds --set links.global.bandwidth=200Gbps --json
expect_in out '"worst_permutation":\{"throughput":0\.0625,'

begin "adaptive"
run topo dragonfly-1056 --bounds --set routing.kind=ugal-l
expect 0
expect_in out '^routing +ugal-l; the bounds for any routing apply: this routing is adaptive'
expect_in out '^any routing +1\.0238 by hops'
run topo dragonfly-1056 --bounds --set routing.kind=ugal-l --json
expect_in out '"oblivious":false,"why":"this routing is adaptive.*"uniform":\{"throughput":null'

begin "one switch: nothing between switches limits"
printf 'topology = { kind = "single"; ports = 8; }; links = { default = { bandwidth = "1Gbps"; latency = "1ns"; }; };' >single.cfg
run topo single.cfg --bounds
expect 0
run topo single.cfg --bounds --json
expect 0
python3 -c 'import json; json.load(open("out"))' || fail "not JSON"

begin "the permutation, as a file and as a pattern"
cat >net.cfg <<-'END'
	topology = { kind = "dragonfly"; p = 2; a = 4; h = 2; };
	links = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
	switch = { kind = "ideal"; traversal = "100ns"; buffer = "100KB"; };
	routing = { kind = "minimal"; };
	time = { warmup = "5us"; measure = "20us"; drain = false; };
	traffic = ( { pattern = "worst-permutation"; load = 0.3; packet = "256B"; } );
END
run topo net.cfg --permutation worst.txt
expect 0
expect_in worst.txt '^# worst permutation of minimal routing: throughput 0\.125, limited by the global link from switch [0-9]+ to [0-9]+'
[ "$(grep -c '# +$' worst.txt)" = 8 ] || fail "not 8 flows take the channel" # a p
[ "$(grep -vc '^#' worst.txt)" = 72 ] || fail "not 72 flows"
run topo net.cfg --permutation -
expect_out "$(cat worst.txt)"
digest() {
	run run net.cfg --json "$@"
	expect 0
	grep -o '"digest":"[^"]*"' out
}
as_pattern=$(digest)
as_file=$(digest --set 'traffic.[0].pattern=permutation' --set traffic.[0].file=worst.txt)
[ "$as_pattern" = "$as_file" ] || fail "the pattern $as_pattern, the file $as_file"
of_valiant=$(digest --set traffic.[0].of=valiant)
[ "$as_pattern" != "$of_valiant" ] || fail "that of Valiant is that of minimal routing"
run check net.cfg
expect 0

begin "no file of a permutation"
run run net.cfg --set traffic.[0].pattern=permutation --set traffic.[0].file=
expect 2
expect_in err 'traffic\.\[0\]\.file.*must name a file'

begin "no permutation"
run topo net.cfg --permutation none.txt --set routing.kind=ugal-l
expect 2
expect_in err 'the worst-case permutation cannot be computed: this routing is adaptive'
expect_no_file none.txt
run topo single.cfg --permutation none.txt
expect 2
expect_in err 'single\.cfg:[0-9]+: topology\.kind: a single switch has no channels'
expect_no_file none.txt
run topo net.cfg --permutation net.cfg
expect 2
expect_in err 'would be overwritten'
run topo net.cfg --permutation both.txt --edges both.txt
expect 2
expect_in err 'name the same file'
run topo net.cfg --permutation missing/worst.txt
expect 1
[ ! -s out ] || fail "facts, although the file could not be written"
run topo net.cfg --edges missing/edges.txt --json
expect 1
[ ! -s out ] || fail "facts, although the file could not be written"
for option in --permutation --edges; do
	run topo net.cfg $option - --json
	expect 2
	expect_in err "$option - and --json cannot both write to standard output"
	[ ! -s out ] || fail "something is printed"
done

begin "malformed use"
run topo dragonfly-1056 --bounds=yes
expect 2
expect_in err "--bounds takes no value"
run run dragonfly-1056 --bounds
expect 2
expect_in err 'unknown option --bounds'
run topo dragonfly-1056 --bound
run topo --bounds
expect 2
expect_in err 'either CONFIG or --import FILE is required'
run topo slimfly-3k --bounds --set 'routing.kind="valiant"' --set 'routing.via="grop"'
expect 2
run topo torus-8x8x8 --bounds --set 'routing.kind="valiant"' --set 'routing.via="group"'
expect 2
expect_in err 'has no groups to use as intermediates'
finish
