#!/usr/bin/env bash
# Shipped models of communication motifs: messages and bytes by closed forms, as models, as programs of ranks that walk
# them on a network, and as schedules on a formula.
source "$(dirname "$0")/run.bash"
shipped=$tests/../../experiments/shipped/aspen

value() { python3 -c "import json; d=json.load(open('out')); print($1)" 2>&1 | tail -1; }

# MODEL RANKS MESSAGES BYTES PARAM...: of MODEL with these params. Small messages travel as one packet, so that packets
# are messages.
motif() {
	local model=$shipped/$1.aspen ranks=$2 messages=$3 bytes=$4 params= param
	shift 4
	for param in "$@"; do params+="${params:+, }$param"; done
	begin "$(basename "$model" .aspen) $params"
	run workload "$model" --ranks "$ranks" --json $(printf -- '--param %s ' "$@")
	expect 0
	[ "$(value 'd["messages"], d["bytes"]')" = "$messages $bytes" ] || fail "$(value 'd["messages"], d["bytes"]'), not $messages $bytes"
	cat >run.cfg <<-END
		time     = { warmup = "0us"; measure = "10ms"; drain = false; };
		topology = { kind = "torus"; dims = [4, 4]; endpoints = $(((ranks + 15) / 16)); };
		switch   = { kind = "ideal"; buffer = "10MB"; };
		routing  = { kind = "minimal"; };
		traffic  = ( { process = "aspen"; model = "$model"; params = "$params"; ranks = $ranks; machine = "$shipped/quad.aspen"; packet = "1MB"; } );
	END
	run run run.cfg --json
	expect 0
	[ "$(value 'd["packets"]["delivered"], d["jobs"][0]["iterations"]')" = "$messages $(((ranks + 15) / 16 * 16))" ] ||
		[ "$(value 'd["packets"]["delivered"], d["jobs"][0]["iterations"]')" = "$messages $ranks" ] || fail "walked: $(value 'd["packets"]["delivered"], d["jobs"][0]["iterations"]')"
	run run run.cfg --json --set network.kind=loggops
	expect 0
	[ "$(value 'd["packets"]["delivered"]')" = "$messages" ] || fail "on a formula: $(value 'd["packets"]["delivered"]')"
}

# Grids of 4 x 4 and 4 x 4 x 4 ranks: ordered pairs of neighbours over faces, edges and corners.
lines=$((2 * 2 * 3 * 4)) faces=$((2 * 3 * 3 * 16)) edges=$((3 * 4 * 9 * 4)) corners=$((8 * 27))
reduction=$((64 * 6)) # an allreduce of 2^6 ranks by recursive doubling
n=10 word=8 steps=3
motif halo2d 16 $((steps * lines)) $((steps * lines * n * word)) n=$n steps=$steps work=1
motif halo2d 16 $((steps * (lines + 16 * 4))) $((steps * (lines * n * word + 16 * 4 * word))) n=$n steps=$steps work=1 reduce=1
motif halo3d 64 $((steps * faces)) $((steps * faces * n * n * word)) n=$n steps=$steps work=1
motif halo3d-26 64 $((steps * (faces + edges + corners + reduction))) \
	$((steps * word * (faces * n * n + edges * n + corners + reduction))) n=$n steps=$steps work=1
# n^3 numbers of 16 B: each of 16^2 pairs gets its part, twice.
motif fft3d 16 $((2 * 16 * 15)) $((2 * 16 * 15 * 32 * 32 * 32 / 256 * 16)) n=32
motif fft3d 4 $((2 * 4 * 3)) $((2 * 4 * 3 * 32 * 32 * 32 / 16 * 16)) n=32 ranks=4
motif many-to-many 16 $((steps * 16 * 15)) $((steps * 16 * 15 * 100)) bytes=100 steps=$steps work=1
motif allreduce 16 $((steps * 64)) $((steps * 64 * 40)) count=5 steps=$steps work=1
# 2 buckets of 50 numbers of 4 B; with experts four all-to-alls a layer, of (tokens / ranks) x hidden numbers a pair.
motif training 16 $((2 * 64)) $((2 * 64 * 50 * 4)) parameters=100 layers=4 buckets=2
motif training 16 $((2 * 64 + 4 * 4 * 240)) $((2 * 64 * 50 * 4 + 4 * 4 * 240 * 2 * 8 * 4)) \
	parameters=100 layers=4 buckets=2 experts=1 tokens=32 hidden=8
finish
