#!/usr/bin/env bash
# topo and check on the shipped configurations, against the closed forms of the constructions.
source "$(dirname "$0")/run.bash"

facts() { # CONFIG SWITCHES ENDPOINTS LINKS
	begin "topo $1"
	run topo "$1" --json
	expect 0
	expect_in out "\"switches\":$2,\"endpoints\":$3,\"links\":$4,"
}
facts slimfly-3k 338 3042 3211           # 2 q^2, 9 each, q^2 (3q - 1) / 2
facts slimfly-74k 2738 73926 75295       # q = 37, 27 each
facts slimfly-1m 53138 1009622 6509405   # q = 163: 163 = 3 mod 4, network radix 245
facts dragonfly-1056 264 1056 1452       # 33 groups: 33 * 28 local + 33 * 32 / 2 global
facts torus-8x8x8 512 512 1536           # n N
facts hyperx-10x10 100 1000 900          # 100 (9 + 9) / 2 cables
facts fattree-1024 320 1024 2048         # 5 k^2 / 4, k^3 / 4, k^3 / 2
facts kary-ntree-1024 1280 1024 4096     # n k^(n-1), k^n, (n-1) k^n
facts dragonfly-plus-1332 444 1332 1998  # 37 (6 + 6), 37 * 36, 37 * 36 + 37 * 36 / 2
facts polarfly-798 133 798 792           # q^2 + q + 1, q (q + 1)^2 / 2
facts oft-912 171 912 912                # 3 (k^2 - k + 1), 2 k of a leaf's k cables for each point
facts mlfm-810 135 810 810               # 3 h (h + 1) / 2, h^2 (h + 1)
facts spectralfly-1008 168 1008 1008     # q (q^2 - 1) / 2, (p + 1) / 2 cables each
facts jellyfish-1024 128 1024 768        # n d / 2
facts bundlefly-1000 250 1000 1125       # 2 q^2 r, (3 q - delta) / 2 + (r - 1) / 2 ports each
facts hammingmesh-1024 1088 1024 3072    # N + W + H, 3 N for boards of two by two
facts polarstar-1040 130 1040 520        # (q^2 + q + 1) (2 d + 2), q + 1 + d ports each
facts torus-32k 32768 32768 163840

# Shandy: a global cable carries 16^2 / 8 flows of p^2 / (e - 1) = 256 / 2047, the most loaded local one 1 + 16 (4 + 4) / 8.
begin "bounds follow the bandwidths of links"
shandy() { # LINKS
	cat >shandy.cfg <<-END
		topology = { kind = "dragonfly"; preset = "shandy"; };
		links    = { default = { bandwidth = "200Gbps"; latency = "50ns"; }; $1 };
	END
	run topo shandy.cfg --json
	expect 0
	expect_in out '"max_channel_load_uniform":4\.00195'
}
shandy ''
expect_in out '"saturation_uniform":0\.249877'
shandy 'terminal = { bandwidth = "100Gbps"; };'
expect_in out '"saturation_uniform":0\.499755'
run topo shandy.cfg
expect_in out '^saturates at  *0\.4998 of injection bandwidth, by global links of 200 Gb/s \(endpoints: 100 Gb/s\)$'
shandy 'global = { bandwidth = "300Gbps"; };'
expect_in out '"saturation_uniform":0\.374816'
shandy 'terminal = { bandwidth = "10Gbps"; };'
expect_in out '"saturation_uniform":1\.0,'
run topo shandy.cfg
expect_in out '^saturates at  *1\.0000 of injection bandwidth$'
shandy 'global = { bandwidth = "2Tbps"; };' # local links are the bottleneck
expect_in out '"saturation_uniform":0\.470358'

begin "a bound of link classes that only a search knows"
# q = 5: local channels carry as much as the others, 16 (3 q - 2) / 199
run topo slimfly-3k --set topology.q=5 --set topology.endpoints=4 --set links.local.bandwidth=10Gbps --json
expect 0
expect_in out '"saturation_uniform":0\.0956730'

begin "halves of the switches, and of the endpoints"
run topo fattree-1024 --json
expect_in out '"bisection_links":496,.*"endpoint_bisection_links":512,'
run topo fattree-1024
expect_in out '^of endpoints  *512 cables between halves of the endpoints$'
run topo hyperx-10x10 --json
expect_in out '"bisection_links":250,.*"endpoint_bisection_links":250,'
run topo hyperx-10x10
grep -q "^of endpoints" out && fail "the same twice"

begin "a graph too large for its table of routes: facts that need none, and no run"
large=(--set 'topology={ kind = "jellyfish"; switches = 20000; degree = 8; endpoints = 50; }')
run topo jellyfish-1024 "${large[@]}" --json
expect 0
expect_in out '"switches":20000,"endpoints":1000000,"links":80000,'
expect_in out '"max_channel_load_uniform":null,"max_channel_load_uniform_why":"routing in a jellyfish uses a table of switches\^2 bytes, 400000000 for 20000 switches; at most 16384'
run run jellyfish-1024 "${large[@]}"
expect 2
expect_in err 'routing.kind: routing in a jellyfish uses a table of switches\^2 bytes, 400000000 for 20000 switches'

begin "a key that does nothing"
run topo hyperx-10x10 --set 'topology={ kind = "hyperx"; dims = [8]; order = "dimension"; }'
expect 2
expect_in err 'topology.order: has an effect only with more than one dimension'

begin "edges"
run topo torus-8x8x8 --set topology.dims=3,3 --edges edges.txt
expect 0
[ "$(wc -l <edges.txt)" = 18 ] || fail "18 cables expected"
expect_in edges.txt '^0 1 '
run topo torus-8x8x8 --set 'topology={ kind = "edges"; file = "edges.txt"; }' --json
expect 0
expect_in out '"switches":9,"endpoints":9,"links":18,'

begin "dragonfly+: the endpoints of a leaf reach another group by all spines"
printf '0 6\n1 8\n2 10\n' >leaf.txt
printf '%s\n' 'topology = { kind = "dragonfly-plus"; p = 3; leaves = 2; spines = 3; h = 3; g = 4; };' \
	'switch = { kind = "ideal"; buffer = "100KB"; };' 'routing = { kind = "minimal-adaptive"; };' \
	'traffic = ( { pattern = "permutation"; file = "leaf.txt"; load = 1.0; packet = "1KB"; injection = "periodic"; } );' \
	'time = { warmup = "20us"; measure = "50us"; drain = false; };' >leaf.cfg
run run leaf.cfg --json
expect 0
expect_in out '"accepted_load":1[,.]'
run run leaf.cfg --json --set 'topology.arrangement="consecutive"' # one spine has all cables to that group
expect 0
expect_in out '"accepted_load":0\.33'
run run leaf.cfg --set topology.g=10 --set 'topology.arrangement="consecutive"' # one cable a pair
expect 2
expect_in err 'topology.arrangement=.*: has an effect only with several cables per pair of groups'

begin "edges that cannot be written"
run topo torus-8x8x8 --set topology.dims=3,3 --edges no/such/folder/edges.txt
expect 1
expect_in err '^tilefly topo: no/such/folder/edges.txt: cannot be written: No such file or directory'

begin "check"
run check slimfly-3k
expect 0
expect_in out '^deadlock-free +yes'
run check slimfly-3k --set switch.vcs=1 --set topology.q=5
expect 2
expect_in out '^cycle of [0-9]+ channels'
expect_err '--set switch.vcs=1: minimal routing can deadlock with 1 virtual channel on this topology; it needs 2'
run check slimfly-3k --set switch.vcs=1 --set topology.q=5 --set routing.unsafe=true
expect 0
expect_in err 'warning: minimal routing can deadlock with 1 virtual channel on this topology; it needs 2; routing.unsafe permits the run'
finish
