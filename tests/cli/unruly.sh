#!/usr/bin/env bash
# Plug-ins that end the process, or never come back from a call: the status says that there is no result, a signal ends the
# run within a few seconds whatever happens, and nothing temporary is left.
source "$(dirname "$0")/run.bash"

cat >board.cfg <<'END'
time     = { warmup = "1us"; measure = "4us"; };
topology = { kind = "rook"; rows = 4; columns = 6; };
traffic  = ( { name = "all"; load = 0.3; width = 6; pattern = "stencil"; } );
END
load=(--plugin "$plugins/rook.so" --plugin "$plugins/unruly_traffic.so" --plugin "$plugins/unruly_switch.so" --plugin "$plugins/stencil.so")

ranks() {
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 bash "$tests/../mpirun.sh" 2 "$program" "$@"
}

begin "exit() within a run"
for pattern in leaves leaves-with-3 leaves-at-the-end; do
	for how in "--sync sequential" "--sync optimistic" "--threads 2"; do
		run run board.cfg "${load[@]}" --set traffic.[0].pattern=$pattern $how --out leaves.jsonl.gz
		expect 1
		expect_in err '^tilefly run: failed: a plug-in, or a library, has ended the process by exit\([03]\)$'
		[ $pattern = leaves-at-the-end ] || expect_no_file leaves.jsonl.gz
		[ -z "$(ls | grep tmp)" ] || fail "left behind: $(ls)"
		rm -f leaves.jsonl.gz
	done
done
for i in 1 2 3 4 5 6 7 8; do # threads that call it at the same time
	run run board.cfg "${load[@]}" --set traffic.[0].pattern=leaves --threads 4
	expect 1
done
for command in check "run --estimate"; do
	run $command board.cfg "${load[@]}" --set traffic.[0].pattern=leaves-at-the-end
	expect 1
	expect_in err 'has ended the process by exit\(0\)'
done
ranks run board.cfg "${load[@]}" --set traffic.[0].pattern=leaves --out leaves.jsonl.gz >out 2>err
[ $? != 0 ] || fail "two ranks: exit status 0"
expect_in err 'has ended the process by exit\(0\)'
expect_no_file leaves.jsonl.gz

seconds() { # since $1
	echo $(($(date +%s) - $1))
}

# A first signal and then, if $1 is 2, a second. The rest: options.
stopped() {
	local signals=$1 start
	shift
	(exec env --default-signal=INT "$program" run board.cfg "${load[@]}" --out spins.jsonl.gz --set time.drain=false "$@") >out 2>err </dev/null &
	local process=$!
	sleep 1.5
	kill -0 $process || fail "it does not spin"
	start=$(date +%s)
	kill -TERM $process
	if [ "$signals" = 2 ]; then
		sleep 0.2
		kill -INT $process
	fi
	wait $process
	status=$?
	took=$(seconds "$start")
	expect_no_file spins.jsonl.gz
	[ -z "$(ls | grep tmp)" ] || fail "left behind: $(ls)"
}

for what in "traffic.[0].pattern=spins --sync sequential" "traffic.[0].pattern=spins --sync optimistic" switch.kind=spins-at-the-end; do
	begin "$what"
	stopped 1 --set $what
	expect 130
	[ "$took" -le 14 ] || fail "it took $took s"
	expect_in err '^tilefly run: interrupted; the simulation does not respond: no result is written$'
	stopped 2 --set $what
	expect 130
	[ "$took" -le 1 ] || fail "it took $took s"
done

# One thread asks, the others spin: who waits for them has stopped, and they have ten seconds to.
begin "threads"
stopped 1 --set traffic.[0].pattern=spins --threads 2
expect 130
[ "$took" -le 14 ] || fail "it took $took s"
expect_in err '^tilefly run: interrupted; '
stopped 2 --set traffic.[0].pattern=spins --threads 2
expect 130
[ "$took" -le 1 ] || fail "it took $took s"

begin "ranks"
ranks run board.cfg "${load[@]}" --set traffic.[0].pattern=spins --set time.drain=false --out ranks.jsonl.gz >out 2>err &
job=$!
sleep 3
start=$(date +%s)
for process in $(pgrep -f -- "--out ranks.jsonl.gz"); do
	tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null | grep -qE '^(OMPI_COMM_WORLD_RANK|PMI_RANK)=' && kill -TERM "$process"
done
wait $job
[ $? != 0 ] || fail "exit status 0"
[ "$(seconds "$start")" -le 14 ] || fail "it took $(seconds "$start") s"
expect_no_file ranks.jsonl.gz
[ -z "$(ls | grep tmp)" ] || fail "left behind: $(ls)"
finish
