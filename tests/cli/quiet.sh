#!/usr/bin/env bash
# The default bias of adaptive routings: a quiet network is minimal on every family; bias = "0B" stays what was published.
source "$(dirname "$0")/run.bash"

minimal_share() { # CONFIG ROUTING...: percent of packets that went minimally
	local config=$1
	shift
	run run $config "$@" --set traffic.[0].load=0.05 --set time.warmup=2us --set time.measure=6us
	expect 0
	sed -n 's/.* \([0-9.]*\) % of packets minimal.*/\1/p' out
}
within() { # WHAT VALUE LEAST MOST
	awk -v v="$2" -v low="$3" -v high="$4" 'BEGIN { exit !(v != "" && v >= low && v <= high) }' || fail "$1: \"$2\" % minimal"
}

# Every family and every adaptive routing that it takes.
cat >quiet.cfg <<'E'
topology = { kind = "single"; ports = 3; };
links = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
switch = { kind = "ideal"; traversal = "100ns"; buffer = "100KB"; };
traffic = ( { pattern = "uniform"; load = 0.05; packet = "256B"; } );
time = { warmup = "2us"; measure = "6us"; };
E
begin "at load .05 at least 99 % of the packets are minimal"
while read -r more topology; do
	for routing in ugal-l ugal-g slimfly-adaptive slingshot ${more//[-,]/ }; do
		within "$topology, $routing" "$(minimal_share quiet.cfg --set "topology={$topology}" --set routing.kind=$routing)" 99 100
	done
done <<'E'
par kind="slimfly";q=5;endpoints=3;
par kind="dragonfly";p=2;a=4;h=2;
par kind="dragonfly";p=2;rows=2;columns=3;h=2;g=5;
par kind="dragonfly";p=4;a=8;g=4;trunk=12;
- kind="dragonfly-plus";p=3;leaves=3;spines=3;h=3;
par,dimwar,omniwar kind="hyperx";dims=[5,5];endpoints=5;
par,dimwar,omniwar kind="hyperx";dims=[4,3,3];trunk=[1,2,1];endpoints=3;
par kind="torus";dims=[4,4,3];endpoints=1;
par kind="polarfly";q=5;endpoints=3;
- kind="fattree";k=8;
- kind="kary-ntree";k=4;n=3;
- kind="xgft";children=[6,8];parents=[1,3];
par kind="jellyfish";switches=40;degree=6;endpoints=3;
par kind="spectralfly";p=3;q=5;endpoints=2;
par kind="bundlefly";q=3;supernode=5;endpoints=2;
par kind="polarstar";q=3;degree=3;endpoints=2;
par kind="hammingmesh";board=[2,2];boards=[3,3];
- kind="mlfm";h=4;endpoints=4;
- kind="oft";k=4;endpoints=4;
E
within "tiled switches" "$(minimal_share dragonfly-tiled-1056 --set topology.p=2 --set topology.a=4 --set topology.h=2 --set routing.kind=ugal-l)" 99 100

begin "small packets are minimal, too"
small='links={ default = { bandwidth = "200Gbps"; latency = "50ns"; }; }'
for packet in 64B 2KB; do
	for routing in ugal-l ugal-g slingshot; do
		for topology in 'kind="xgft";children=[8,4,4];parents=[1,4,2];' 'kind="dragonfly";p=4;a=8;h=4;' \
			'kind="jellyfish";switches=40;degree=6;endpoints=3;' 'kind="hyperx";dims=[4,4];endpoints=4;'; do
			within "$packet, $topology, $routing" "$(minimal_share quiet.cfg --set "$small" --set "topology={$topology}" \
				--set traffic.[0].packet=$packet --set routing.kind=$routing)" 99 100
		done
	done
done

begin "as published"
within "bias 0" "$(minimal_share hyperx-10x10 --set topology.dims=[5,5] --set topology.endpoints=5 --set routing.kind=slimfly-adaptive --set routing.bias=0B)" 60 80
within "bias 0" "$(minimal_share dragonfly-1056 --set routing.kind=ugal-l --set routing.bias=0B)" 70 90
within "bias 0" "$(minimal_share hyperx-10x10 --set routing.kind=dimwar --set routing.bias=0B)" 30 60

begin "adversarial traffic goes around as ever"
accepted() { # BIAS
	run run dragonfly-1056 --set routing.kind=ugal-l --set routing.bias=$1 --set traffic.[0].pattern=worst-case \
		--set traffic.[0].load=0.4 --set time.warmup=20us --set time.measure=10us --json
	expect 0
	sed -n 's/.*"accepted_load":\([0-9.]*\).*/\1/p' out
}
awk -v v="$(accepted auto)" -v all="$(accepted 0B)" 'BEGIN { exit !(all > 0.3 && v >= 0.98 * all) }' || fail "less than with bias = 0B"
finish
