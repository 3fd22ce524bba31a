#!/usr/bin/env bash
# topo --bounds: closed forms in text and JSON, what it says of adaptive routings, malformed use.
source "$(dirname "$0")/run.bash"

begin "minimal"
run topo dragonfly-1056 --bounds
expect 0
expect_in out '^routing +minimal: drawn evenly at every switch \(per hop\), as it runs: compared for [0-9]+ pairs'
expect_in out '^  uniform +1\.0144, by the local link' # 1055 / (4^2 + 2 * 4^2 * 8 * 4)
expect_in out '^  worst permutation +0\.0312, by the global link .*; exact, .*; 32 of 1056 flows take it$'
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
expect_in out '^routing +ugal-l; bounds of any routing hold: this routing is adaptive'
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
expect_in err 'CONFIG is missing'
run topo slimfly-3k --bounds --set 'routing.kind="valiant"' --set 'routing.via="grop"'
expect 2
run topo torus-8x8x8 --bounds --set 'routing.kind="valiant"' --set 'routing.via="group"'
expect 2
expect_in err 'no groups to go by'
finish
