#!/usr/bin/env bash
# Shipped configurations of every family near 1,000 endpoints: one digest whatever the scheduler, threads and partition;
# uniform traffic at full load is accepted up to the bound of the channel loads, and to nine tenths of it at least.
source "$(dirname "$0")/run.bash"

families=(hyperx-10x10 fattree-1024 kary-ntree-1024 dragonfly-plus-1332 polarfly-798)
short=(--set time.warmup=1us --set time.measure=2us --set traffic.[0].load=0.9)

same_digest() { # WORD...: that of `one`
	run run "$family" --set routing.kind="$routing" "${short[@]}" --json "$@"
	expect 0
	local got
	got=$(sed -n 's/.*"digest":"\([0-9a-f]*\)".*/\1/p' out)
	one=${one:-$got}
	[ ${#got} = 16 ] && [ "$got" = "$one" ] || fail "digest \"$got\", not $one, with $*"
}

for family in "${families[@]}"; do
	for routing in minimal minimal-adaptive valiant ugal-l; do
		begin "$family, $routing: one digest"
		one=""
		same_digest --sync sequential --set engine.threads=1
		same_digest --sync optimistic --set engine.stress=20
		same_digest --set engine.threads=2
		[ $routing = minimal ] && same_digest --set engine.threads=2 --set engine.partition=random
	done
done

number() { # KEY
	sed -n "s/.*\"$1\":\([0-9.]*\).*/\1/p" out
}

for family in "${families[@]}"; do
	begin "$family: saturation"
	run topo "$family" --json
	expect 0
	bound=$(number saturation_uniform)
	run run "$family" --json --set traffic.[0].load=1.0 --set routing.kind=minimal --set time.warmup=15us \
		--set time.measure=15us --set time.drain=false
	expect 0
	got=$(number accepted_load)
	awk -v got="$got" -v bound="$bound" 'BEGIN { exit !(bound > 0.4 && got >= 0.90 * bound && got <= 1.003 * bound) }' ||
		fail "accepted $got, bound $bound"
done
finish
