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
	sed -i '/^time/d; s/ packet = "1MB";//' run.cfg # of the switched network alone
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
# 3 microbatches through 16 stages and back: 5 tokens of 7 numbers of 4 B.
motif pipeline 16 $((steps * 2 * 3 * 15)) $((steps * 2 * 3 * 15 * 5 * 7 * 4)) steps=$steps microbatches=3 tokens=5 hidden=7 parameters=1
# A wave goes over each of the 2 x 4 x 3 lines once, there and back.
motif sweep2d 16 $((steps * 2 * 24)) $((steps * 2 * 24 * n * word)) n=$n steps=$steps work=1
# Four corners, twice 4 blocks of 2 planes each: 10 points x 2 planes x 6 angles; and an allreduce.
motif sweep3d 16 $((8 * 4 * 24 + 64)) $((8 * 4 * 24 * 10 * 2 * 6 * word + 64 * word)) n=$n planes=8 block=2 work=1

begin "a wave computes as it goes"
# On the formula, where messages take next to no time: 4 + 4 - 1 ranks one after the other, there and back; and of sweep3d
# 8 blocks and 6 more from each corner, which the next one follows at once where it begins beside the last one's first rank.
formula() { # MODEL PARAMS
	cat >run.cfg <<-END
		topology = { kind = "single"; ports = 16; };
		network  = { kind = "simplenet"; L = "1ns"; G = 0.0; };
		traffic  = ( { process = "aspen"; model = "$shipped/$1.aspen"; params = "$2"; ranks = 16; machine = "one.aspen"; } );
	END
}
printf 'machine m { node [1] n } node n { socket [1] s } socket s { resource flops(x) [x / giga] with dp [base] }' >one.aspen
formula sweep2d "n = 100, work = 100, steps = 1" # 1 ms a rank
run run run.cfg --json
expect 0
[ "$(value '0 <= d["completion_ns"] - 14e6 < 100')" = True ] || fail "sweep2d: $(value 'd["completion_ns"]') ns"
formula sweep3d "n = 100, work = 100, angles = 1, planes = 8, block = 1" # 1 ms a block; 16 from each corner
run run run.cfg --json
expect 0
[ "$(value '64e6 < d["completion_ns"] < (64 + 4 * 6 + 1) * 1e6')" = True ] || fail "sweep3d: $(value 'd["completion_ns"]') ns"
# (B + P - 1) x (2 + 4) of a stage and microbatch: 5 x 100,000 operations at 1 G/s; 16 stages. Messages take 1 ns each.
formula pipeline "microbatches = 5, tokens = 1000, hidden = 1, parameters = 100"
run run run.cfg --json
expect 0
[ "$(value '0 <= d["completion_ns"] - (5 + 16 - 1) * 6 * 1e5 < 100')" = True ] || fail "pipeline: $(value 'd["completion_ns"]') ns"

begin "halves of a sweep as a program"
for model in sweep3d pipeline; do
	run workload "$shipped/$model.aspen" --emit mpi-c --out sweep.c
	expect 0
	if command -v mpicc >/dev/null; then
		mpicc -O1 -Wall -Wextra -Wconversion -Wshadow -Werror sweep.c -o sweep || fail "it does not compile"
		"$tests/../mpirun.sh" 4 ./sweep >out 2>err || fail "it does not run: $(cat err)"
	fi
done
printf 'model m { kernel main { execute { comm [1] as sweep, line, left } } }' >m.aspen
run workload m.aspen
expect 2
expect_in err 'a line has only two directions'
printf 'model m { kernel main { execute { comm [1] as sweep, send, receive } } }' >m.aspen
run workload m.aspen
expect 2
expect_in err 'receive and send select one half of a sweep'
printf 'model m { kernel main { execute { comm [1] as nn2d, left } } }' >m.aspen
run workload m.aspen
expect 2
expect_in err 'left has no effect on nn2d'

begin "what is said twice, and a pause between iterations that are not there"
model=$shipped/halo2d.aspen
aspen() { # KEYS
	printf 'topology = { kind = "torus"; dims = [4, 4]; };\nrouting = { kind = "minimal"; };\ntraffic = ( { process = "aspen"; model = "%s"; machine = "%s"; %s } );\n' \
		"$model" "$shipped/quad.aspen" "$1" >run.cfg
	run check run.cfg
}
aspen 'params = "steps=2, n=4, steps=3";'
expect 2
expect_err 'run.cfg:3: traffic.[0].params: steps=3: steps is set twice'
run workload "$model" --ranks 4 --param steps=2 --param steps=2
expect 2
expect_in err '^--param: steps=2: steps is set twice$'
aspen 'pause = "1us";'
expect 2
expect_err 'run.cfg:3: traffic.[0].pause: has an effect only with several iterations'
for iterations in 0 2; do
	aspen "pause = \"1us\"; iterations = $iterations;"
	expect 0
done
for process in ping-pong request-response allreduce all-to-all barrier broadcast ring halo sweep durango-rounds; do
	printf 'topology = { kind = "torus"; dims = [4, 4]; };\nrouting = { kind = "minimal"; };\ntraffic = ( { process = "%s"; pause = "1us"; iterations = 1; } );\n' $process >run.cfg
	run check run.cfg
	expect 2
	expect_err 'run.cfg:3: traffic.[0].pause: has an effect only with several iterations'
	sed -i 's/pause = "1us"/burst_length = "1us"; burst_pause = "2us"/' run.cfg
	run check run.cfg
	expect 2
	expect_err 'run.cfg:3: traffic.[0].burst_length: has an effect only with several iterations: the first iteration begins when the job starts'
done
printf 'topology = { kind = "torus"; dims = [4, 4]; };\nrouting = { kind = "minimal"; };\ntraffic = ( { process = "ring"; pause = "1us"; iterations = 1; } );\n' >run.cfg
sed -i 's/"[a-z]*"; pause/"window"; outstanding = 3; pause/; s/iterations = 1/iterations = 3/' run.cfg
run check run.cfg
expect 2
expect_err 'run.cfg:3: traffic.[0].pause: has an effect only with more iterations than outstanding messages'
run check run.cfg --set traffic.[0].iterations=4
expect 0
finish
