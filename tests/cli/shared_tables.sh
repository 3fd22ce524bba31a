#!/usr/bin/env bash
# What all ranks read and none writes is kept once a host: tables of routes, schedules. Memory, and the estimate of it, by the
# difference to a smaller case, in which all else is nearly as large; and one digest.
source "$(dirname "$0")/run.bash"

ranks() { # RANKS WORD...
	local count=$1
	shift
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 bash "$tests/../mpirun.sh" "$count" "$program" "$@"
}

number() { # of the summary in out
	grep -oE "\"$1\":[0-9]+" out | head -1 | cut -d: -f2
}

digest() {
	grep -oE '"digest":"[0-9a-f]{16}"' out | cut -d'"' -f4
}

# Runs on $1 ranks; sets peak, in MB, and compares the digest with $want, if there is one.
measure() {
	ranks "$1" run "${@:2}" --json --set engine.threads=1 >out 2>err
	status=$?
	expect 0
	peak=$(($(number peak_rss_bytes) / 1000000))
	[ -z "$want" ] && want=$(digest)
	[ "$(digest)" = "$want" ] || fail "$1 ranks: digest $(digest), not $want"
}

# MB of the estimate's total for $1 ranks, $2 of them a node.
estimate() {
	"$program" run "${@:3}" --estimate --ranks "$1" --per-node "$2" | sed -nE 's/^total +([0-9]+)\..*/\1/p'
}

cat >table.cfg <<'END'
time     = { warmup = "0ns"; measure = "1us"; drain = false; };
topology = { kind = "jellyfish"; switches = 6144; degree = 8; endpoints = 1; };
traffic  = ( { load = 0.01; } );
END
few=(--set topology.switches=1024)
table=37 # MB: 6144^2 - 1024^2 bytes

begin "a table of routes"
all=
for how in conservative optimistic; do
	for count in 1 2 4; do
		want=
		measure $count table.cfg --sync $how "${few[@]}"
		less=$peak
		want=$all
		measure $count table.cfg --sync $how
		all=$want
		more=$((peak - less))
		# besides the table 5120 switches and endpoints, and what each rank holds for them, some of it in huge pages
		[ $more -ge $((table - 6)) ] && [ $more -le $((table + 12 + 6 * count)) ] || fail "$how: $count ranks: $more MB more for $table MB of table"
	done
done

begin "its estimate"
for form in "1 1 1" "8 8 1" "8 4 2" "9 4 3"; do # ranks, of them a node, nodes
	read -r count per nodes <<<"$form"
	more=$(($(estimate "$count" "$per" table.cfg) - $(estimate "$count" "$per" table.cfg "${few[@]}")))
	[ $more -ge $((nodes * table - 6)) ] && [ $more -le $((nodes * table + 12 + 6 * count)) ] || fail "$form: $more MB more"
done

# Messages in a ring of ranks: a schedule that is larger than all else.
schedule() { # ROUNDS
	awk -v n="$1" 'BEGIN {
		print "num_ranks 64"
		for (r = 0; r < 64; r++) {
			print "rank " r " {"
			for (i = 0; i < n; i++) {
				print "a" i ": send 64b to " (r + 1) % 64 " tag " i
				print "b" i ": recv 64b from " (r + 63) % 64 " tag " i
				if (i) print "a" i " requires b" i - 1
			}
			print "}"
		} }'
}
schedule 10 >few.goal
schedule 4000 >many.goal # 512,000 operations
cat >goal.cfg <<'END'
topology = { kind = "slimfly"; q = 5; endpoints = 3; };
traffic  = ( { process = "goal"; file = "many.goal"; packet = "256B"; } );
END

begin "a schedule"
all=
for count in 1 3; do
	want=
	measure $count goal.cfg --set traffic.[0].file=few.goal
	less=$peak
	want=$all
	measure $count goal.cfg
	all=$want
	size[count]=$((peak - less))
done
# other ranks do not read it; the states of its ranks are each theirs
[ "${size[1]}" -gt 20 ] || fail "it takes ${size[1]} MB"
[ "${size[3]}" -le $((size[1] * 3 / 2)) ] || fail "${size[1]} MB more on one rank, ${size[3]} on three"

begin "a schedule that cannot be read"
sed 's/recv 64b from 5 tag 3$/recv 64b of 5/' many.goal >bad.goal
ranks 2 run goal.cfg --set traffic.[0].file=bad.goal --set engine.threads=1 >out 2>err
status=$?
expect 2
expect_in err 'bad.goal:[0-9]+:[0-9]+: '
finish
