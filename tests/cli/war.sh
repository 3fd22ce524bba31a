#!/usr/bin/env bash
# DimWAR and OmniWAR on HyperX, simulated: a line of S switches in which each sends all its T endpoints' traffic to the
# next takes S / (2 T) of it, since what does not go straight takes two of the S - 1 channels; minimal takes 1 / T. One digest
# whatever the scheduler and threads.
source "$(dirname "$0")/run.bash"

number() { # KEY
	sed -n "s/.*\"$1\":\([0-9.]*\).*/\1/p" out
}

takes() { # DIMS ENDPOINTS ROUTING LOAD LEAST MOST
	run run hyperx-10x10 --set topology.dims="$1" --set topology.endpoints="$2" --set routing.kind="$3" \
		--set traffic.[0].pattern=worst-case --set traffic.[0].load="$4" --set time.warmup=10us --set time.measure=10us \
		--set time.drain=false --json
	expect 0
	awk -v v="$(number accepted_load)" -v low="$5" -v high="$6" 'BEGIN { exit !(v != "" && v >= low && v <= high) }' ||
		fail "$3 on $1, $2 endpoints, load $4: $(number accepted_load), not in $5 to $6"
}

begin "a line: S / (2 T)"
for routing in dimwar omniwar; do
	takes [8] 8 $routing 1.0 0.45 0.502
	takes [8] 8 $routing 0.45 0.44 0.455
	takes [8] 16 $routing 1.0 0.225 0.251
	takes [12] 8 $routing 1.0 0.675 0.752
done
takes [8] 8 minimal 1.0 0.12 0.126

begin "two dimensions: as a line, each dimension for itself"
for routing in dimwar omniwar; do
	takes [6,6] 6 $routing 0.45 0.44 0.455
	takes [6,6] 6 $routing 1.0 0.43 0.503
done

begin "uniform traffic: as minimal"
for routing in dimwar omniwar; do
	run run hyperx-10x10 --set routing.kind=$routing --set traffic.[0].load=0.9 --set time.warmup=10us --set time.measure=10us --json
	expect 0
	awk -v v="$(number accepted_load)" 'BEGIN { exit !(v >= 0.89 && v <= 0.91) }' || fail "$routing: $(number accepted_load)"
done

begin "one digest"
for routing in dimwar omniwar; do
	one=""
	for how in "--sync sequential" "--set engine.threads=2" "--sync optimistic --set engine.stress=20" \
		"--sync sequential --audit"; do
		run run hyperx-10x10 --set topology.dims=[5,4] --set topology.endpoints=4 --set routing.kind=$routing \
			--set traffic.[0].load=0.8 --set time.warmup=1us --set time.measure=3us --json $how
		expect 0
		got=$(sed -n 's/.*"digest":"\([0-9a-f]*\)".*/\1/p' out)
		one=${one:-$got}
		[ ${#got} = 16 ] && [ "$got" = "$one" ] || fail "$routing $how: \"$got\", not $one"
	done
done

begin "fewer channels than it needs: the cycle, and refused"
run check hyperx-10x10 --set routing.kind=dimwar --set switch.vcs=1
expect 2
expect_in err 'it needs 2'
run check slimfly-3k --set routing.kind=omniwar
expect 2
expect_in err 'routing.kind=omniwar: omniwar requires the topology hyperx: a slimfly'
finish
