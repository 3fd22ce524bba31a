#!/usr/bin/env bash
# Runs that are interrupted while results are written, while a rank waits for one that is slow, and by mpirun.
source "$(dirname "$0")/run.bash"

ranks() { # RANKS WORD...
	local count=$1
	shift
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 exec bash "$tests/../mpirun.sh" "$count" "$program" "$@"
}

# The processes of a run that writes to $1, by rank, one a line.
processes() {
	local process rank
	for process in $(pgrep -f -- "--out $1"); do
		rank=$(tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null | sed -nE 's/^(OMPI_COMM_WORLD_RANK|PMI_RANK)=//p' | head -1)
		[ -n "$rank" ] && [ "$(cat "/proc/$process/comm")" = tilefly ] && echo "$rank $process"
	done | sort -n | sed 's/.* //'
}

# Waits until rank 0 shows its progress in err, which the caller empties first: a shell opens the files of a background command late.
simulates() {
	for _ in $(seq 600); do
		grep -q ETA err && return
		sleep 0.05
	done
	fail "nothing is simulated"
}

# A result log of a run that was stopped.
valid() {
	zcat "$1" >log || fail "no result log"
	tail -1 log >last
	expect_in last '^\{"record":"end","complete":false,'
	[ -z "$(ls | grep tmp)" ] || fail "left behind: $(ls)"
}

begin "while results are written"
mkfifo slow
(sleep 4; cat) <slow >all.jsonl &
interruptible run slimfly-3k --set topology.q=5 --set topology.endpoints=3 --set time.warmup=2us --set time.measure=20us \
	--set record.packets=true --out - >slow 2>err </dev/null &
process=$!
sleep 1.5
kill -TERM $process
wait $process
status=$?
wait
expect 0
expect_err ""
tail -1 all.jsonl >last
expect_in last '^\{"record":"end","complete":true,'
[ "$(wc -c <all.jsonl)" -gt 200000 ] || fail "the pipe takes all of it"

# One rank does not run for longer than a simulation may take to answer: the other waits for it.
for how in conservative optimistic; do
	begin "a slow rank, $how"
	: >err
	ranks 2 run slimfly-3k --sync $how --set engine.threads=1 --set time.measure=100ms --progress always --out slow.jsonl.gz >out 2>err &
	job=$!
	simulates
	mapfile -t process < <(processes slow.jsonl.gz)
	[ "${#process[@]}" = 2 ] || fail "not two ranks: ${process[*]}"
	kill -STOP "${process[0]}"
	kill -TERM "${process[@]}"
	sleep 2.5
	kill -CONT "${process[0]}"
	wait $job
	! grep -q 'not answer' err || fail "$(cat err)"
	valid slow.jsonl.gz
	rm -f slow.jsonl.gz
done

begin "records of ports, by both"
: >err
ranks 2 run torus-8x8x8 --set record.timeline=1us --set record.ports=true --set time.measure=100ms --set time.drain=auto \
	--progress always --out ports.jsonl.gz >out 2>err &
job=$!
simulates
kill -TERM $(processes ports.jsonl.gz)
wait $job
valid ports.jsonl.gz
finish
