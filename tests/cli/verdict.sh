#!/usr/bin/env bash
# The verdict of `check` and what `run` does agree: with every number of virtual channels up to what the routing needs,
# "deadlock-free yes", exit status 0 and a run go together, or "no", exit status 2, and a refusal with a cycle.
source "$(dirname "$0")/run.bash"

cat >base.cfg <<'END'
time     = { warmup = "100ns"; measure = "1us"; };
traffic  = ( { load = 0.1; } );
END
cat >star.txt <<'END'
0 1 arm
0 2 arm
0 3 arm
END

# $1: number of VCs, $2: yes or no, then what chooses topology and routing. $rule: what is said of a rule that asks for more.
rule=
verdict() {
	local vcs=$1 want=$2 status_of_check
	shift 2
	begin "$* with $vcs: $want"
	run check base.cfg "$@" --set switch.vcs="$vcs"
	expect "$([ "$want" = yes ] && echo 0 || echo 2)"
	status_of_check=$status
	expect_in out "^virtual channels +$vcs \([a-z0-9-]+ routing ${rule:-needs [0-9]+}\)$"
	expect_in out "^deadlock-free +$want: "
	if [ "$want" = no ]; then
		expect_in err "switch\.vcs.*: [a-z0-9-]+ routing can deadlock with $vcs virtual channels? on this topology; it needs [0-9]+$"
		expect_in out '^cycle of [0-9]+ channels'
	else
		expect_err ""
	fi
	run run base.cfg "$@" --set switch.vcs="$vcs" --json
	expect "$status_of_check"
	if [ "$want" = no ]; then
		expect_in err "routing can deadlock with $vcs virtual channels? on this topology; it needs [0-9]+; a cycle: switch"
	fi
	[ -z "$rule" ] || ! grep -q 'needs' out err || fail "something is said to be needed: $(grep -h needs out err)"
}

slimfly=(--set topology.kind=slimfly --set topology.q=5)
verdict 1 no "${slimfly[@]}"
verdict 2 yes "${slimfly[@]}"
verdict 1 no "${slimfly[@]}" --set routing.kind=valiant
verdict 3 no "${slimfly[@]}" --set routing.kind=valiant
verdict 4 yes "${slimfly[@]}" --set routing.kind=valiant
ring=(--set topology.kind=torus --set topology.dims=6)
verdict 1 no "${ring[@]}"
verdict 2 yes "${ring[@]}"

# No cycle of cables, so no cycle of channels: one VC is enough, although a rule by hops asks for one a hop.
star=(--set topology.kind=edges --set topology.file="$PWD/star.txt" --set topology.endpoints=2)
rule="would use 2, fewer suffice here"
verdict 1 yes "${star[@]}"
rule=
verdict 2 yes "${star[@]}"
begin "a tree with one VC sends every packet on it"
run run base.cfg "${star[@]}" --set switch.vcs=1 --set record.ports=true --set time.measure=20us --out one.jsonl.gz --json
expect 0
expect_in out '"complete":true'

# The proof goes by the bubble rule, which a tiled switch of this kind does not keep.
begin "a switch that breaks the rule of the proof"
bubble=(--set topology.kind=torus --set topology.dims=4,4 --set routing.deadlock=bubble --set switch.kind=tiled --set switch.preset=yarc)
run check base.cfg "${bubble[@]}"
expect 2
expect_in out '^deadlock-free +no: deadlock = "bubble" needs a switch with grants'
! grep -q 'deadlock-free  *yes' out || fail "the verdict contradicts itself"
expect_in err 'deadlock = "bubble" needs a switch with grants'
run run base.cfg "${bubble[@]}"
expect 2
run check base.cfg "${bubble[@]}" --json
expect 2
expect_in out '^\{"deadlock_free":false,.*"objection":"deadlock = '
run check base.cfg "${bubble[@]}" --set routing.unsafe=true
expect 0
expect_in out '^deadlock-free +no: '
expect_in err 'warning: .*; routing.unsafe permits the run$'
run check base.cfg "${bubble[@]}" --set switch.preset=rosetta
expect 0
expect_in out '^deadlock-free +yes: '

begin "what run refuses"
for command in check "run --estimate" run; do
	run $command dragonfly-1056 --set routing.kind=ugal-g --set routing.publish_delay=1ns
	expect 2
	expect_in err 'routing.publish_delay=1ns: 1000 ps is less than the shortest link latency'
done

begin "routing.unsafe"
run check base.cfg "${slimfly[@]}" --set switch.vcs=1 --set routing.unsafe=true
expect 0
expect_in out '^deadlock-free +no: '
expect_in err 'warning.*minimal routing can deadlock with 1 virtual channel on this topology; it needs 2; routing.unsafe permits the run'
finish
