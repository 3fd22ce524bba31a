#!/usr/bin/env bash
# Memory on several ranks and threads: when it runs out on one of them, all stop at the same simulated time, with one
# message and a log that is whole.
source "$(dirname "$0")/run.bash"

cat >filling.cfg <<'CFG'
seed     = 1;
time     = { warmup = "0us"; measure = "1ms"; };
topology = { kind = "dragonfly"; p = 8; a = 16; h = 4; g = 40; };
links    = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
switch   = { kind = "ideal"; buffer = "1MB"; };
routing  = { kind = "ugal-l"; };
traffic  = ( { pattern = "uniform"; load = 0.7; packet = "256B"; } );
CFG
if [ "$(nm "$program" 2>/dev/null | grep -cE "__asan_init|__ubsan_handle")" != 0 ]; then
	echo "skipped: a sanitizer has memory of its own"
	exit 0
fi

# Runs the program on so many ranks, of which those that are named may have so many kilobytes each.
cat >limited.sh <<'SH'
limited=$1 kilobytes=$2
shift 2
rank=${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-${PMI_RANK:-0}}}
case " $limited " in *" all "* | *" $rank "*) ulimit -v "$kilobytes" ;; esac
exec "$@"
SH
ranks() { # RANKS LIMITED KILOBYTES WORD...
	local count=$1 launcher=(bash "$tests/../mpirun.sh" "$1")
	[ "$count" = 1 ] && launcher=()
	timeout -s KILL 120 "${launcher[@]}" bash limited.sh "$2" "$3" "$program" "${@:4}" >out 2>err </dev/null
	status=$?
}

# Kilobytes for a process that takes its share of the network and 60 MB of packets: the limit is one of addresses, of
# which a process has many that it never touches, so what is left of a wide limit tells how many are in use before.
limit_of() { # RANKS PROCESSES WORD...
	local wide=8000000
	ranks "$1" all $wide run filling.cfg --estimate "${@:3}"
	expect 0
	kilobytes=$(awk -v wide=$wide -v processes="$2" '/^total/ { total = $2 } /^available/ { left = $2 }
		END { printf "%d", wide + ((total - left) / processes + 60) * 1e6 / 1024 }' out)
}

field() { # NAME: of every engine record, sorted; one line for those that are equal
	grep '"record":"engine"' partial.jsonl | sed -E "s/.*\"$1\":([0-9]+).*/\1/" | sort -u
}

stopped() { # RANKS: what holds of every run that was stopped
	expect 1
	[ "$(grep -c 'to avoid running out of memory' err)" = 1 ] || fail "$(grep -c 'to avoid running out of memory' err) messages"
	zcat partial.jsonl.gz >partial.jsonl || fail "the log is not whole"
	expect_in partial.jsonl '"record":"summary","complete":false'
	tail -1 partial.jsonl | grep -q '"record":"end","complete":false' || fail "the log has no end"
	[ "$(grep -c '"record":"engine"' partial.jsonl)" = "$1" ] || fail "not $1 engine records"
	rm -f partial.jsonl.gz
}

together() { # SYNC: ranks that have switches of their own end in the same round
	[ "$(field gvt_rounds | wc -l)" = 1 ] || fail "ranks end after different rounds: $(field gvt_rounds | xargs)"
	[ "$1" = optimistic ] || [ "$(field windows | wc -l)" = 1 ] || fail "ranks end in different windows"
}

for count in 2 3; do
	for sync in conservative optimistic; do
		run_filling=(run filling.cfg --quiet --set engine.threads=1 --sync $sync --out partial.jsonl.gz)
		begin "$count ranks, $sync: all stop"
		limit_of $count $count --set engine.threads=1 --sync $sync
		ranks $count all "$kilobytes" "${run_filling[@]}"
		stopped $count
		together $sync
		expect_in err 'stopped at [0-9.]+ us to avoid running out of memory: .*\((ulimit -v|on another rank)\)'

		begin "$count ranks, $sync: all stop when the last one must"
		ranks $count $((count - 1)) "$kilobytes" "${run_filling[@]}"
		stopped $count
		together $sync
		expect_in err 'warning: this run needs up to .* if the network saturates, but .* GB are available \(on another rank\)'
		expect_in err 'stopped at [0-9.]+ us to avoid running out of memory: .*\(on another rank\)'
	done
done

begin "ranks that share their switches stop"
export TILEFLY_LINE_NS=45
limit_of 2 1
ranks 2 all "$kilobytes" run filling.cfg --quiet --out partial.jsonl.gz
stopped 2
expect_in err 'stopped at [0-9.]+ us to avoid running out of memory: .*\((ulimit -v|on another rank)\)'
unset TILEFLY_LINE_NS

# The most addresses that a run under a wide limit has had in use, in kilobytes: as they are told last.
addresses() { # THREADS
	local process told
	(ulimit -v 8000000 && exec "$program" run filling.cfg --quiet --threads "$1" --set time.measure=2us) 2>/dev/null &
	process=$!
	while told=$(awk '/^VmPeak/ { print $2 }' /proc/$process/status 2>/dev/null) && [ -n "$told" ]; do
		peak=$told
		sleep 0.01
	done
	wait $process || fail "the run ends with $?"
}

begin "a second thread takes the addresses of its stack, and of what it keeps"
stack=$(ulimit -s)
[ "$stack" = unlimited ] && stack=2048
addresses 1
alone=$peak
addresses 2
[ $((peak - alone)) -lt $((stack + 32768)) ] || fail "$peak kB of addresses with two threads, $alone with one"

begin "what is available is so besides the stacks of threads"
available() { # THREADS
	ranks 1 all 8000000 run filling.cfg --estimate --threads "$1"
	left=$(awk '/^available/ { printf "%d", $2 * 1e6 / 1024 }' out)
}
available 1
alone=$left
available 3
[ $((alone - left)) -gt $((2 * stack - 1024)) ] || fail "$left kB are available to three threads, $alone to one"

limit_of 1 1 --threads 2
for again in 1 2 3 4 5; do # what is unpredictable shows in one of some runs
	begin "two threads stop, $again"
	ranks 1 all "$kilobytes" run filling.cfg --quiet --threads 2 --out partial.jsonl.gz
	stopped 1
	expect_in err 'stopped at [0-9.]+ us to avoid running out of memory: .*\(ulimit -v\)'
done

finish
