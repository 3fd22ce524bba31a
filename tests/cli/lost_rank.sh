#!/usr/bin/env bash
# A rank that is killed or crashes, at drawn moments from the set-up on: the others end at once, one line names the rank and its
# host, nothing is half-written. And a run that comes to its end leaves no process and no word.
source "$(dirname "$0")/run.bash"
RANDOM=52

ranks() { # RANKS WORD...
	local count=$1
	shift
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 exec bash "$tests/../mpirun.sh" "$count" "$program" "$@"
}

# The processes of a run that writes to $1, in the order of their ranks.
processes() {
	local process rank
	for process in $(pgrep -f -- "--out $1"); do
		rank=$(tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null | sed -nE 's/^(OMPI_COMM_WORLD_RANK|PMI_RANK)=//p' | head -1)
		[ -n "$rank" ] && [ "$(cat "/proc/$process/comm")" = tilefly ] && echo "$rank $process"
	done | sort -n | sed 's/.* //'
}

# Waits until all $1 ranks of a run that writes to $2 are there; sets process.
started() {
	for _ in $(seq 400); do
		mapfile -t process < <(processes "$2")
		[ "${#process[@]}" = "$1" ] && return
		sleep 0.02
	done
	fail "${#process[@]} ranks of $1 have started"
}

# Waits for progress in err, which the caller empties first: a shell opens the files of a background command late.
simulates() {
	for _ in $(seq 600); do
		grep -q ETA err && return
		sleep 0.05
	done
	fail "nothing is simulated"
}

# Does any of these? One that has ended, and that nobody waits for, does not.
running() {
	local one
	for one in "$@"; do
		grep -q '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$one/status" 2>/dev/null && return 0
	done
	return 1
}

# Ends: the launcher, and all ranks soon.
ended() {
	local start
	start=$(date +%s)
	wait "$job"
	status=$?
	[ "$status" != 0 ] || fail "exit status 0"
	[ $(($(date +%s) - start)) -le 20 ] || fail "it took $(($(date +%s) - start)) s"
	for _ in $(seq 20); do
		running "${process[@]}" || break
		sleep 0.1
	done
	running "${process[@]}" && fail "a process is still there"
	[ -z "$(ls | grep tmp)" ] || fail "left behind: $(ls)"
}

named() { # RANK
	grep -qaE "tilefly run: rank $1 on host $(hostname) \(process [0-9]+\) was killed or has crashed: the run ends" err || fail "$1 is not named: $(cat err)"
	[ "$(grep -ac 'was killed or has crashed' err)" = 1 ] || fail "not once: $(cat err)"
}

long=(slimfly-3k --set time.measure=100ms --set record.timeline=10us --progress always)
for how in "KILL 3 --sync conservative" "SEGV 3 --sync optimistic" "KILL 2"; do # the last: rank 0 works for both
	begin "$how"
	read -ra word <<<"$how"
	: >err
	ranks "${word[1]}" run "${long[@]}" "${word[@]:2}" --out run.jsonl.gz >out 2>err &
	job=$!
	simulates
	started "${word[1]}" run.jsonl.gz
	victim=$((RANDOM % word[1]))
	kill -"${word[0]}" "${process[victim]}"
	ended
	named $victim
	expect_no_file run.jsonl.gz
done

begin "while it is set up"
for turn in 1 2; do
	: >err
	ranks 2 run slimfly-74k --set time.measure=100ms --set engine.threads=1 --out early.jsonl.gz >out 2>err &
	job=$!
	started 2 early.jsonl.gz
	sleep "0.$((RANDOM % 10))"
	kill -KILL "${process[turn % 2]}"
	ended
	expect_no_file early.jsonl.gz
done

# A log of some megabytes: it is there as a whole or not at all.
begin "while results are written"
records=(slimfly-3k --set engine.threads=1 --set time.measure=6us --set record.packets=true --set record.ports=true --set output.csv=true)
lost=0
for turn in 1 2 3 4; do
	rm -f late*
	: >err
	ranks 2 run "${records[@]}" --out late.jsonl.gz >out 2>err &
	job=$!
	started 2 late.jsonl.gz
	for _ in $(seq 2000); do
		ls | grep -q 'late.*tmp' && break
		kill -0 $job 2>/dev/null || break
	done
	sleep "0.0$((RANDOM % 10))"
	if kill -KILL "${process[1]}" 2>/dev/null; then
		lost=$((lost + 1))
	fi
	wait $job
	[ -z "$(ls | grep tmp)" ] || fail "turn $turn, left behind: $(ls)"
	for file in late*.gz; do
		[ -e "$file" ] || continue
		gzip -t "$file" || fail "turn $turn: $file is damaged"
	done
	[ ! -e late.jsonl.gz ] || [ "$(zcat late.jsonl.gz | tail -1 | grep -c '"record":"end"')" = 1 ] || fail "turn $turn: the log is not whole"
done
[ $lost -gt 0 ] || fail "no rank was killed"

begin "nothing is lost"
: >err
ranks 3 run slimfly-3k --set topology.q=5 --set topology.endpoints=3 --set time.measure=5us --quiet >out 2>err &
wait $!
status=$?
expect 0
expect_err ""
finish
