#!/usr/bin/env bash
# tilefly workload --emit: programs and schedules communicate as the model says.
source "$(dirname "$0")/run.bash"
data=$tests/../data/aspen
shipped=$tests/../../experiments/shipped/aspen
mpicc=mpicc
case ${TILEFLY_MPIEXEC:-} in *mpich*) mpicc=mpicc.mpich ;; esac

# phases FILE: "phase P messages M bytes B" of point-to-point phases, and calls of collectives, as count_mpi.c prints them
phases() {
	python3 - "$1" <<-'END'
		import json, sys
		d = json.load(open(sys.argv[1]))
		for i, p in enumerate(d["phases"]):
		    if not p["algorithm"] and p["messages"]:
		        print("phase", i, "messages", p["messages"], "bytes", p["bytes"])
		for p in d["phases"]:
		    if p["algorithm"]:
		        print("collective", p["pattern"], "calls", p["collective_calls"])
	END
}

# counted RANKS PROGRAM
counted() {
	"$tests/../mpirun.sh" "$1" "$2" | sed -E '/^collective/s/ bytes .*//'
}

# alike NAME RANKS MODEL WORD...: the program written for a model sends what the model counts
alike() {
	local label=$1 ranks=$2 model=$3
	shift 3
	begin "$label on $ranks ranks"
	run workload "$model" --ranks "$ranks" --json
	expect 0
	phases out >want
	run workload "$model" --emit mpi-c --out p.c "$@"
	expect 0
	"$mpicc" -std=c99 -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Werror -O1 p.c -x none count.o -o p >compiled 2>&1 || fail "$(cat compiled)"
	counted "$ranks" ./p >got 2>&1 || fail "it failed: $(cat got)"
	diff want got >different || fail "$(cat different)"
}
"$mpicc" -Wall -Wextra -O1 -c "$tests/count_mpi.c" -o count.o || fail "the counter does not compile"
alike "every pattern" 8 "$data/patterns.aspen"
alike "every pattern, unrolled" 8 "$data/patterns.aspen" --unroll
alike "every pattern" 6 "$data/patterns.aspen"
alike "LULESH" 8 "$shipped/lulesh.aspen"

begin "LULESH on 8 ranks, counted by hand"
grep -qx "phase 1 messages $((10 * (24 + 24 + 8))) bytes $((10 * (24 * 46 * 46 * 24 + 24 * 46 * 24 + 8 * 24)))" got ||
	fail "forces: $(grep 'phase 1' got)" # 10 steps of faces, edges, corners

begin "loops, or none"
run workload "$shipped/lulesh.aspen" --emit mpi-c
expect 0
[ "$(grep -c 'neighbours(3, 46' out)" = 2 ] || fail "with loops"
expect_in out 'for \(long long i0 = 0; i0 < 10; i0\+\+\)'
run workload "$shipped/lulesh.aspen" --emit mpi-c --unroll
[ "$(grep -c 'neighbours(3, 46' out)" = 20 ] || fail "without"

for model in "$data/patterns.aspen" "$shipped/lulesh.aspen"; do
	for ranks in 1 2 7 8; do
		begin "the schedule of $(basename "$model") on $ranks ranks"
		run workload "$model" --ranks "$ranks" --json
		expect 0
		python3 -c "import json; d=json.load(open('out')); print(d['messages'], d['bytes'])" >want
		run workload "$model" --ranks "$ranks" --machine "$shipped/quad.aspen" --emit goal --out s.goal
		expect 0
		python3 "$tests/goal.py" s.goal >got 2>&1 || fail "$(tail -1 got)"
		awk '{ m += $2; b += $3 } END { printf "%d %d\n", m, b }' got | diff want - >different || fail "$(cat different)"
	done
done

begin "a schedule holds the times of the machine"
printf 'model m { kernel main { execute { flops [2500] comm [2] as allreduce } } }' >m.aspen
run workload m.aspen --machine "$shipped/quad.aspen" --ranks 2 --emit goal
expect 0
expect_out '// GOAL, in ns: Aspen model m
// allreduce of 8 bytes: recursive-doubling
num_ranks 2

rank 0 {
l1: calc 2500
l2: send 8b to 1 tag 0
l2 requires l1
l3: recv 8b from 1 tag 0
l3 requires l1
}

rank 1 {
l1: calc 2500
l2: send 8b to 0 tag 0
l2 requires l1
l3: recv 8b from 0 tag 0
l3 requires l1
}'

for who in openmpi-4.1 mpich-4.0 "mpich-4.0, allreduce = ring, bcast=chain"; do
	for ranks in 7 16 33; do
		begin "the schedule of $ranks ranks, collectives by $who"
		run workload "$data/patterns.aspen" --ranks "$ranks" --json --collectives "$who"
		expect 0
		python3 -c "import json; d=json.load(open('out')); print(d['messages'], d['bytes'])" >want
		run workload "$data/patterns.aspen" --ranks "$ranks" --emit goal --collectives "$who" --out s.goal
		expect 0
		python3 "$tests/goal.py" s.goal >got 2>&1 || fail "$(tail -1 got)"
		awk '{ m += $2; b += $3 } END { printf "%d %d\n", m, b }' got | diff want - >different || fail "$(cat different)"
		run workload s.goal --loggops default
		expect 0
	done
done

begin "an allreduce of 64 KB on 12 ranks, as Open MPI and MPICH do it"
# 2 q k + 4 r messages and 2 (q - 1) n + r (3 n - floor(n / 2)) bytes; 2 q k + 2 r and 2 (q - 1) n + 2 r n: q = 8, k = 3, r = 4
printf 'model m { kernel main { execute { comm [16384] as allreduce } } }' >m.aspen
for row in "openmpi-4.1 rabenseifner-openmpi 64 1572864" "mpich-4.0 rabenseifner-mpich 56 1441792" "basic recursive-doubling 32 2097152" \
	"allreduce=ring ring 264 1441792"; do
	read -r who algorithm messages bytes <<<"$row"
	run workload m.aspen --ranks 12 --json --collectives "$who"
	expect 0
	got=$(python3 -c "import json; p=json.load(open('out'))['phases'][0]; print(p['algorithm'], p['messages'], p['bytes'])")
	[ "$got" = "$algorithm $messages $bytes" ] || fail "$who: $got"
done

begin "collectives that there are not"
run workload m.aspen --ranks 12 --collectives "mpich-4, allreduce = rng, alreduce = ring, bcast=ring, allreduce=ring, allreduce=ring"
expect 2
expect_err '--collectives: "mpich-4" is not a preset; did you mean "mpich-4.0"?: basic, openmpi-4.1 or mpich-4.0
--collectives: "rng" is not an algorithm of MPI_Allreduce: linear, recursive-doubling, rabenseifner-mpich, rabenseifner-openmpi, composed, ring, segmented-ring
--collectives: "alreduce" is not a collective; did you mean "Allreduce"?: Barrier, Bcast, Reduce, Allreduce, Gather, Gatherv, Scatter, Scatterv, Allgather, Allgatherv, Alltoall, Alltoallv, Reduce_scatter, Reduce_scatter_block, Scan, Exscan
--collectives: "ring" is not an algorithm of MPI_Bcast: linear, chain, pipeline, binary, binomial, binomial-openmpi, knomial, split-binary, scatter-recursive-doubling, scatter-ring
--collectives: MPI_Allreduce is given two algorithms'
run workload m.aspen --collectives mpich-4.0
expect 2
expect_err '--collectives: has an effect only with --ranks'
run workload m.aspen --ranks 4 --emit mpi-c --collectives mpich-4.0
expect 2
expect_err '--collectives: has no effect: the written program calls MPI, which selects its own algorithms'

begin "what cannot be written"
run workload m.aspen --emit goal
expect 2
expect_err '--emit: a schedule has a fixed number of ranks: set --ranks'
run workload m.aspen --unroll
expect 2
expect_in err '^--unroll: has an effect only with --emit$'
printf 'model m { kernel main { execute { comm [giga] as alltoall } } }' >m.aspen
run workload m.aspen --emit mpi-c
expect 2
expect_in err '^--emit: messages of 4000000000 bytes'
begin "schedules do not grow without bound"
run workload "$shipped/lulesh.aspen" --ranks 64 --machine "$shipped/quad.aspen" --emit goal --out s.goal
expect 0
size=$(stat -c %s s.goal) # in bytes: the number that is told is no more than a fifth off
run workload "$shipped/lulesh.aspen" --ranks 64 --machine "$shipped/quad.aspen" --emit goal --most 1KB --out t.goal
expect 2
[ ! -e t.goal ] || fail "something is written"
told=$(sed -n 's/^--emit: the schedule would take about \([0-9.]*\) GB.*/\1/p' err)
python3 -c "import sys; sys.exit(not 0.8 < ${told:-0} * 1e9 / $size < 1.25)" || fail "$told GB are told of $size bytes"
run workload "$shipped/lulesh.aspen" --ranks 1000000 --param steps=100000 --emit goal --out t.goal
expect 2
expect_in err '^--emit: the schedule would take about .* GB, but at most 4 GB are permitted: --most SIZE permits more'
run workload "$shipped/lulesh.aspen" --ranks 8 --most 1GB
expect 2
expect_in err '^--most: has an effect only with --emit goal$'
finish
