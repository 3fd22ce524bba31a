#!/usr/bin/env bash
# The default bias of adaptive routings: a quiet network is minimal on every family; bias = "0B" stays what was published.
source "$(dirname "$0")/run.bash"

minimal_share() { # CONFIG ROUTING...: percent of packets that went minimally
	local config=$1
	shift
	run run $config "$@" --set traffic.[0].load=0.05 --set time.warmup=2us --set time.measure=4us
	expect 0
	sed -n 's/.* \([0-9.]*\) % of packets minimal.*/\1/p' out
}
within() { # WHAT VALUE LEAST MOST
	awk -v v="$2" -v low="$3" -v high="$4" 'BEGIN { exit !(v != "" && v >= low && v <= high) }' || fail "$1: \"$2\" % minimal"
}

begin "at load .05 at least 99 % of the packets are minimal"
for config in "slimfly-3k --set topology.q=5 --set topology.endpoints=3" "dragonfly-1056 --set topology.p=2 --set topology.a=4 --set topology.h=2" \
	"dragonfly-plus-1332 --set topology={kind=\"dragonfly-plus\";p=3;leaves=3;spines=3;h=3;}" "hyperx-10x10 --set topology.dims=[5,5] --set topology.endpoints=5" \
	"torus-8x8x8 --set topology.dims=[4,4,4]" "polarfly-798 --set topology.q=5 --set topology.endpoints=3" \
	"fattree-1024 --set topology.k=8" "jellyfish-1024 --set topology={kind=\"jellyfish\";switches=40;degree=6;endpoints=3;}" \
	"dragonfly-tiled-1056 --set topology.p=2 --set topology.a=4 --set topology.h=2"; do
	for routing in ugal-l ugal-g; do
		within "$config, $routing" "$(minimal_share "$config" --set routing.kind=$routing)" 99 100
	done
done
within "par" "$(minimal_share dragonfly-1056 --set routing.kind=par)" 99 100
for routing in dimwar omniwar; do
	within "$routing" "$(minimal_share hyperx-10x10 --set routing.kind=$routing)" 99 100
done

begin "as published"
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
