#!/usr/bin/env bash
# Parallel cables (trunk) simulated: one digest whatever the scheduler, free of deadlock, and as much carried as the bound says.
source "$(dirname "$0")/run.bash"

number() { # KEY
	sed -n "s/.*\"$1\":\([0-9.]*\).*/\1/p" out
}

begin "one digest"
for topology in 'kind="slimfly"; q=5; endpoints=3; trunk=2;' 'kind="torus"; dims=[4,4]; endpoints=2; trunk=2;' \
	'kind="jellyfish"; switches=20; degree=4; endpoints=2; trunk=3;' 'kind="xgft"; children=[3,4]; parents=[1,2]; trunk=[1,3];'; do
	for routing in minimal ugal-l; do
		one=""
		for how in "--sync sequential" "--sync optimistic --set engine.stress=20" "--sync sequential --audit"; do
			run run slimfly-3k --set "topology={ $topology }" --set routing.kind=$routing --set traffic.[0].load=0.7 \
				--set time.warmup=1us --set time.measure=3us --json $how
			expect 0
			got=$(sed -n 's/.*"digest":"\([0-9a-f]*\)".*/\1/p' out)
			one=${one:-$got}
			[ ${#got} = 16 ] && [ "$got" = "$one" ] || fail "$topology $routing $how: \"$got\", not $one"
		done
	done
done

begin "free of deadlock"
for topology in 'kind="torus"; dims=[5,4]; endpoints=2; trunk=3;' 'kind="slimfly"; q=4; endpoints=2; trunk=2;' \
	'kind="xgft"; children=[3,4,2]; parents=[1,2,2]; trunk=[1,3,2];'; do
	run check slimfly-3k --set "topology={ $topology }"
	expect 0
	expect_in out '^deadlock-free +yes'
done
run check slimfly-3k --set 'topology={ kind="torus"; dims=[4,4]; trunk=2; }' --set routing.deadlock=bubble
expect 2
expect_in err '"bubble" counts the free buffers of one ring; with trunk = 2'

begin "as much as the bound"
run run slimfly-3k --set 'topology={ kind="slimfly"; q=5; endpoints=8; trunk=2; }' --set traffic.[0].load=1.0 --set time.warmup=10us \
	--set time.measure=10us --set time.drain=false --json
expect 0
awk -v v="$(number accepted_load)" 'BEGIN { exit !(v >= 0.92 && v <= 0.96) }' || fail "$(number accepted_load), not about .9591"

begin "wrong numbers"
run check slimfly-3k --set topology.trunk=0
expect 2
expect_in err 'topology.trunk=0: 0 is out of range: 1 to 512'
run check slimfly-3k --set 'topology={ kind="xgft"; children=[3,4]; parents=[1,2]; trunk=[2,2]; }'
expect 2
expect_in err 'trunk: the first value must be 1'
finish
