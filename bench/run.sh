#!/usr/bin/env bash
# bench/run.sh - speed and memory: packet-hops/s (PHOLD: events/s), bytes per endpoint, time by phase, on one rank and on more.
#
#   bench/run.sh                 the short set, about four minutes on a quiet machine
#   bench/run.sh --set long      longer runs, and the larger networks up to slimfly-1m (a quarter of an hour or more, 5 GB); --long is the same
#   bench/run.sh --set huge      the largest dragonfly alone: 50 million endpoints, one run of each mode, more than 20 GB; --huge is the same
#   bench/run.sh --weak          instead: 1, 2, 4, 8, 16 ranks, possibly more than cores, of a Slim Fly of about 5,000 endpoints per
#                                rank; digests compared with one rank, memory per rank
#   bench/run.sh --instructions  instead: instructions per packet-hop by valgrind, repeatable on a noisy machine
#   --only REGEX    cases whose name matches; --list names them
#   --repeat N      runs of each case and mode (3; long: 5; huge and weak: 1)
#   --modes LIST    of seq,copies,con,opt,shared,auto (default: all except auto; huge: without copies, which multiply the memory;
#                   --weak only seq,con,opt). seq: one rank; copies: as many concurrent runs of one rank as --ranks, each of the
#                   whole network, and the sum of their rates: the capacity of the machine for independent programs; con, opt: on
#                   --ranks the conservative, the optimistic scheduler between ranks that each run their own switches; shared:
#                   ranks that share all switches (not for PHOLD); auto: the mode that a run chooses by default
#   --ranks LIST    ranks of the parallel modes (2; with --weak 1,2,4,8,16)
#   --quiet SHARE   count only runs before and after which each of as many cores as ranks does at least SHARE (for example 0.9) of
#                   the highest rate of additions seen, and of updates of 2 MiB in random order: a program on the other thread of
#                   a core takes up to half of the additions, one that fills a shared cache half of the updates and more, and the
#                   load average does not show it. Other runs are repeated, for --patience SECONDS (120) per case and mode; the
#                   output states which runs count
#   --tilefly FILE  the program (build/release/bin/tilefly); `calibrate` and `exchange` are looked for beside it (target `bench`)
#   --out FILE      JSON lines, one per run and one per case and mode (bench/results/DATE.jsonl). `node bench/page.js FILE` draws them
#
# A rate counts from the start of the simulation to its end, without the set-up. A line gives the median of the runs, the
# best, the spread (largest minus least, over the median), the ratio of the medians to one rank and to that of the copies; the line
# below it where the best run's time went, over all ranks, and how many rounds of GVT it took (not for copies). Runs of one case
# take turns over the modes, so that a noisy moment hits all of them; bench/ratios.py compares within turns. What the machine gave at that moment is
# measured before and after each case (bench/calibrate.c).
# Differing digests are an error: exit status 1.
set -u
LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tilefly=$root/build/release/bin/tilefly
set=short only=. repeat='' modes='' ranks='' out='' list='' instructions='' weak='' quiet=0 patience=120

usage() {
	sed -n '2,/^set -u/{/^set -u/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
}

while [ $# -gt 0 ]; do
	case $1 in
	--long | --huge) set=${1#--} ;;
	--list | --instructions | --weak) declare "${1#--}=1" ;;
	--set | --only | --repeat | --modes | --ranks | --tilefly | --out | --quiet | --patience)
		[ $# -ge 2 ] || { echo "run.sh: $1 needs a value" >&2; exit 2; }
		declare "${1#--}=$2"
		shift
		;;
	--help | -h) usage; exit 0 ;;
	*) echo "run.sh: unknown option $1; see --help" >&2; exit 2 ;;
	esac
	shift
done
case $set in
short | long | huge) ;;
*) echo "run.sh: --set $set: short, long, huge" >&2; exit 2 ;;
esac

[[ $quiet =~ ^(0|1|0?\.[0-9]+|1\.0*)$ ]] || { echo "run.sh: --quiet $quiet: a share between 0 and 1" >&2; exit 2; }
[[ $patience =~ ^(0|[1-9][0-9]*)$ ]] || { echo "run.sh: --patience $patience: seconds" >&2; exit 2; }

# --- the cases: NAME, then what tilefly gets. Lengths are for about a second on one rank; long: ten times that. ------------

names=()
commands=()
add() {
	local name=$1
	shift
	if [[ $name =~ $only ]]; then
		names+=("$name")
		commands+=("$*")
	fi
}
phold() { # NAME END_US ARGUMENT...
	local name=$1 end=$2
	shift 2
	add "$name" phold --json --end "$((end * scale))us" "$@"
}
network() { # NAME CONFIG WARMUP_US MEASURE_NS LOAD ARGUMENT...
	local name=$1 config=$2 warmup=$3 measure=$4 load=$5
	shift 5
	add "$name" run "$config" --json --set "time.warmup=${warmup}us" \
		--set "time.measure=$((measure * scale))ns" --set "traffic.[0].load=$load" "$@"
}
dragonfly() { # P A H: the numbers of a dragonfly, for network
	echo "--set topology.p=$1 --set topology.a=$2 --set topology.h=$3"
}

scale=1
[ "$set" = long ] && scale=10
if [ -n "$weak" ]; then
	# NAME is that of the ranks: 2 q^2 p endpoints
	for rqp in 1,13,15 2,19,14 4,27,14 8,37,15 16,53,14; do
		IFS=, read -r r q p <<<"$rqp"
		network "slimfly-weak-$r" slimfly-3k 0 $((10000)) 0.1 --set "topology.q=$q" --set "topology.endpoints=$p"
	done
elif [ "$set" = huge ]; then
	network dragonfly-50m-minimal-0.1 dragonfly-50m 0 2000 0.1
else
	phold phold-remote-10 60 --lps 16384 --start-events 16 --remote 0.1
	phold phold-remote-50 40 --lps 16384 --start-events 16 --remote 0.5
	phold phold-remote-0 60 --lps 16384 --start-events 16 --remote 0
	phold phold-lookahead-10ns 40 --lps 16384 --start-events 16 --remote 0.1 --lookahead 10ns --mean 990ns
	phold phold-1k 600 --lps 1024 --start-events 16 --remote 0.1
	phold phold-1m 1 --lps 1048576 --start-events 16 --remote 0.1
	network slimfly-3k-minimal-0.1 slimfly-3k 10 120000 0.1
	network slimfly-3k-minimal-0.5 slimfly-3k 5 25000 0.5
	network slimfly-3k-adaptive-0.1 slimfly-3k 10 100000 0.1 --set routing.kind=slimfly-adaptive --set routing.bias=0B
	network slimfly-3k-adaptive-0.5 slimfly-3k 5 15000 0.5 --set routing.kind=slimfly-adaptive --set routing.bias=0B
	network slimfly-74k-minimal-0.1 slimfly-74k 1 4000 0.1
	network torus-512-minimal-0.5 torus-8x8x8 10 50000 0.5
	network torus-32k-neighbor-0.5 torus-32k 1 1000 0.5 --set traffic.[0].pattern=neighbor
	network dragonfly-1056-minimal-0.5 dragonfly-1056 10 60000 0.5
	network dragonfly-16k-minimal-0.3 dragonfly-1056 1 3000 0.3 $(dragonfly 8 16 8)
	network switch-rosetta-64-1.0 switch-rosetta-64 10 200000 1.0
	network dragonfly-tiled-1056-0.5 dragonfly-tiled-1056 5 10000 0.5
	add nodes-1024-all-to-all run "$root/bench/nodes-1024.cfg" --json --set "time.measure=$((200 * scale))us"
	add nodes-1024-all-to-all-minimal run "$root/bench/nodes-1024.cfg" --json --set "time.measure=$((200 * scale))us" \
		--set routing.kind=minimal
fi
if [ "$set" = long ] && [ -z "$weak" ]; then
	network torus-32k-minimal-0.3 torus-32k 2 1000 0.3
	scale=1
	network dragonfly-279k-ugal-0.3 dragonfly-slingshot-max 0 5000 0.3
	network dragonfly-1.3m-nearest-group-0.1 dragonfly-1056 0 2000 0.1 $(dragonfly 24 48 24) --set traffic.[0].pattern=adversarial \
		--set traffic.[0].offset=1
	network slimfly-1m-minimal-0.1 slimfly-1m 1 4000 0.1
fi

if [ -n "$list" ]; then
	for i in "${!names[@]}"; do
		printf '%-32s tilefly %s\n' "${names[i]}" "${commands[i]}"
	done
	exit 0
fi
[ -x "$tilefly" ] || { echo "run.sh: there is no $tilefly; build it (cmake --preset release) or give --tilefly FILE" >&2; exit 2; }
[ ${#names[@]} -gt 0 ] || { echo "run.sh: no case matches $only; --list names them" >&2; exit 2; }
if [ -z "$repeat" ]; then
	repeat=3
	[ "$set" = long ] && repeat=5
	[ "$set" = huge ] || [ -n "$weak" ] && repeat=1
fi
[[ $repeat =~ ^[1-9][0-9]*$ ]] || { echo "run.sh: --repeat $repeat is not a number" >&2; exit 2; }

work=$(mktemp -d)
pids=() # copies that run
trap 'kill "${pids[@]}" 2>/dev/null; rm -rf "$work"' EXIT
if [ -z "$out" ]; then
	mkdir -p "$root/bench/results"
	out=$root/bench/results/$(date +%Y%m%d-%H%M%S).jsonl
fi
: >"$out" || exit 1

# --- the machine ---------------------------------------------------------------------------------------------------------

cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -1)
cores=$(nproc)
read -r load1 _ </proc/loadavg
version=$("$tilefly" --version | sed -nE '1s/^tilefly //p')
built=$("$tilefly" --version | sed -nE 's/^built +//p')
mpi=$("$tilefly" --version | sed -nE 's/^MPI +//p')
echo "machine  ${cpu:-unknown}, $cores cores, load average $load1"
echo "tilefly  $version; $built; $mpi"
if awk -v l="$load1" 'BEGIN { exit !(l > 0.3) }'; then
	echo "warning  the machine is busy (load average $load1): rates are too low, ratios mean little; --instructions does not mind"
fi
printf '{"record":"machine","cpu":"%s","cores":%s,"load_average":%s,"version":"%s","built":"%s","mpi":"%s","time":"%s"}\n' \
	"$cpu" "$cores" "$load1" "$version" "$built" "$mpi" "$(date -u +%FT%TZ)" >>"$out"

calibrate=$(dirname "$tilefly")/calibrate
if [ ! -x "$calibrate" ]; then
	calibrate=$work/calibrate
	"${CC:-cc}" -O2 -o "$calibrate" "$root/bench/calibrate.c" || { echo "run.sh: there is no $(dirname "$tilefly")/calibrate, and it does not compile" >&2; exit 2; }
fi
calibration() { # WHEN NAME: a line, a record, and $calibration
	calibration=$("$calibrate" --json)
	echo "$calibration" | tr '{,:}' '    ' | awk -v when="$1" -v name="$2" '{
		printf "%-32s %s: %.2f GHz, %.1f additions a cycle, loads %.1f ns in 64 KiB, %.0f in 2 MiB, %.0f in 64 MiB, a line from core to core %.0f; %.0f %% of a core available\n", name, when, $2, $12 / $2, $4, $6, $8, $14, 100 * $10 }'
	printf '{"record":"calibration","when":"%s","name":"%s","machine":%s}\n' "$1" "$2" "$calibration" >>"$out"
}

# Is the machine quiet on as many cores as ranks? Compared with the highest rates of additions and updates so far. --quiet 0: always.
declare -A most_additions most_updates
larger() { # A B
	awk -v a="$1" -v b="$2" 'BEGIN { print (a > b ? a : b) }'
}
is_quiet() { # RANKS
	[ "$quiet" = 0 ] && return
	local additions updates
	read -r additions updates <<<"$("$calibrate" --gauge "$1")"
	most_additions[$1]=$(larger "$additions" "${most_additions[$1]:-0}")
	most_updates[$1]=$(larger "$updates" "${most_updates[$1]:-0}")
	awk -v a="$additions" -v b="${most_additions[$1]}" -v c="$updates" -v d="${most_updates[$1]}" -v share="$quiet" \
		'BEGIN { exit !(a >= share * b && c >= share * d) }'
}

field() { # NAME: a number, or a string's content, in the summary
	grep -oE "\"$1\":(\"[^\"]*\"|[-0-9.e+]+)" "$work/out" | head -1 | sed -E 's/^"[^"]*":"?([^"]*)"?$/\1/'
}

# --- instructions per packet-hop ---------------------------------------------------------------------------------------------

# Two lengths of the same run: the difference leaves the set-up out.
count() { # NAME LENGTH COMMAND... -> "instructions units"; @ stands for the length
	local name=$1 length=$2 key=packet_hops
	shift 2
	[ "$1" = phold ] && key=events_committed
	valgrind --tool=callgrind --callgrind-out-file="${out%.jsonl}.$name.$length.callgrind" "$tilefly" "${@//@/$length}" --json \
		>"$work/out" 2>"$work/err" </dev/null || { cat "$work/err" >&2; exit 1; }
	echo "$(sed -nE 's/.*Collected : ([0-9]+).*/\1/p' "$work/err") $(field $key)"
}
per_unit() { # NAME UNIT SHORT LONG COMMAND...
	local name=$1 unit=$2 least=$3 most=$4 short longer
	shift 4
	[[ $name =~ $only ]] || return
	short=$(count "$name" "$least" "$@") || exit 1
	longer=$(count "$name" "$most" "$@") || exit 1
	echo "$short $longer" | awk -v name="$name" -v unit="$unit" -v out="$out" '{
		printf "%-40s %8.1f instructions per %s\n", name, ($3 - $1) / ($4 - $2), unit
		printf "{\"record\":\"instructions\",\"name\":\"%s\",\"unit\":\"%s\",\"instructions\":%.2f,\"units\":%d}\n", name, unit, ($3 - $1) / ($4 - $2), $4 - $2 >>out }'
}
per_hop() { # NAME CONFIG ARGUMENT...
	local name=$1 config=$2
	shift 2
	per_unit "$name" packet-hop 5us 15us run "$config" --set time.warmup=2us --set time.measure=@ "$@"
}
if [ -n "$instructions" ]; then
	command -v valgrind >/dev/null || { echo "run.sh: --instructions needs valgrind" >&2; exit 2; }
	echo "profiles for callgrind_annotate are beside $out"
	slimfly=(slimfly-3k --set topology.q=5 --set topology.endpoints=3)
	for sync in sequential conservative optimistic; do
		per_hop "slimfly-150-minimal-0.5-$sync" "${slimfly[@]}" --set traffic.[0].load=0.5 --sync $sync
	done
	per_hop slimfly-150-minimal-0.1-sequential "${slimfly[@]}" --set traffic.[0].load=0.1 --sync sequential
	per_hop slimfly-150-adaptive-0.5-sequential "${slimfly[@]}" --set traffic.[0].load=0.5 --set routing.kind=slimfly-adaptive --set routing.bias=0B --sync sequential
	per_hop slimfly-150-minimal-0.5-journaled "${slimfly[@]}" --set traffic.[0].load=0.5 --sync optimistic --set engine.window=100ns --set engine.optimism=1
	per_hop torus-64-minimal-0.5-sequential torus-8x8x8 --set topology.dims=[4,4,4] --set traffic.[0].load=0.5 --sync sequential
	per_hop dragonfly-72-minimal-0.5-sequential dragonfly-1056 $(dragonfly 2 4 2) --set traffic.[0].load=0.5 --sync sequential
	per_hop dragonfly-72-ugal-0.5-sequential dragonfly-1056 $(dragonfly 2 4 2) --set traffic.[0].load=0.5 --set routing.kind=ugal-l --sync sequential
	per_unit phold-256-sequential event 10us 30us phold --lps 256 --end @ --sync sequential
	exit 0
fi

# --- rates -------------------------------------------------------------------------------------------------------------------

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_btl_base_warn_component_unused=0 OMPI_MCA_plm_rsh_agent=
export OMPI_MCA_mpi_yield_when_idle
launcher=("${TILEFLY_MPIEXEC:-mpirun}")
openmpi=''
"${launcher[@]}" --version 2>&1 | grep -qiE 'open ?mpi|open-mpi|openrte' && openmpi=1
[ -n "$openmpi" ] && launcher+=(--bind-to none)

# A mode is a scheduler and its ranks: "sequential 1", "optimistic 2"
[ -n "$ranks" ] || ranks=$([ -n "$weak" ] && echo 1,2,4,8,16 || echo 2)
IFS=, read -ra counts <<<"$ranks"
for n in "${counts[@]}"; do
	[[ $n =~ ^[1-9][0-9]*$ ]] || { echo "run.sh: --ranks $ranks: $n is not a number" >&2; exit 2; }
done
if [ "$quiet" != 0 ]; then
	for ((i = 0; i < 60; i++)); do
		for n in 1 "${counts[@]}"; do is_quiet "$n"; done
	done
	for n in 1 "${counts[@]}"; do
		echo "quiet    at least $quiet of the most seen, now on each of $n cores: ${most_additions[$n]} additions a nanosecond, ${most_updates[$n]} updates a microsecond"
	done
fi
if [ -z "$modes" ]; then
	modes=seq,copies,con,opt,shared
	[ "$set" = huge ] && modes=seq,con,opt,shared
	[ -n "$weak" ] && modes=seq,con,opt
fi
schedulers=()
IFS=, read -ra wanted <<<"$modes"
for mode in "${wanted[@]}"; do
	case $mode in
	seq) schedulers+=("sequential 1") ;;
	copies | con | opt | shared | auto)
		for n in "${counts[@]}"; do
			case $mode in
			copies) schedulers+=("copies $n") ;;
			con) schedulers+=("conservative $n") ;;
			opt) schedulers+=("optimistic $n") ;;
			shared) schedulers+=("shared $n") ;;
			auto) schedulers+=("auto $n") ;;
			esac
		done
		;;
	*) echo "run.sh: unknown mode $mode: seq, copies, con, opt, shared, auto" >&2; exit 2 ;;
	esac
done
# N runs of one rank at once. $work/out gets the first one's summary, with the rates and the memory of all together.
copies() { # N COMMAND...
	local n=$1 k good=0 member
	shift
	pids=()
	for ((k = 0; k < n; k++)); do
		"$tilefly" "$@" --sync sequential >"$work/copy.$k" 2>"$work/err.$k" </dev/null &
		pids+=($!)
	done
	for ((k = 0; k < n; k++)); do
		wait "${pids[k]}" || { good=1; cp "$work/err.$k" "$work/err"; }
	done
	pids=()
	[ $good = 0 ] || return 1
	for ((k = 1; k < n; k++)); do
		cp "$work/copy.$k" "$work/out"
		same_digest "copies $n"
	done
	for member in packet_hops_per_s event_rate_per_s peak_rss_bytes; do
		for ((k = 0; k < n; k++)); do
			cp "$work/copy.$k" "$work/out"
			field $member
		done | awk -v member=$member '{ sum += $1 } END { if (NR) printf "s/\"%s\":[-0-9.e+]*/\"%s\":%.0f/\n", member, member, sum }'
	done >"$work/sums"
	sed -f "$work/sums" "$work/copy.0" >"$work/out"
}
once() { # "SYNC RANKS" COMMAND...
	local sync=${1% *} n=${1#* } start=()
	shift
	[ "$sync" = copies ] && { copies "$n" "$@"; return; }
	if [ "$n" -gt 1 ]; then
		start=("${launcher[@]}" -n "$n")
		[ -n "$openmpi" ] && [ "$n" -gt "$cores" ] && start+=(--oversubscribe)
		OMPI_MCA_mpi_yield_when_idle=$((n > cores)) # waiting ranks leave the core to the others
		[[ $1 = run && $sync = @(conservative|optimistic) ]] && set -- "$@" --set engine.threads=1
	fi
	[ "$sync" = shared ] && { sync=auto; local -x TILEFLY_LINE_NS=1; } # whatever a line takes
	"${start[@]}" "$tilefly" "$@" --sync "$sync" >"$work/out" 2>"$work/err" </dev/null
}

# Every run of a case must give the same digest, including those that are not counted.
same_digest() { # "SYNC RANKS"
	local now
	now=$(field digest)
	if [ -n "$digest" ] && [ "$digest" != "$now" ]; then
		echo "$name, $1: digest $now, before it was $digest" >&2
		failed=1
	fi
	digest=$now
}

# Repeats until a run was quiet: 0. 1: it failed. 2: patience is exhausted, the last run was not quiet. Time for waiting and for
# runs that do not count is subtracted from the patience of the case and mode.
declare -A noisy spent
counted_once() { # "SYNC RANKS" COMMAND...
	local began=$SECONDS left=$((patience - ${spent[$1]:-0})) n=${1#* } quiet_before run_began
	while :; do
		quiet_before=
		while [ -z "$quiet_before" ]; do
			is_quiet "$n" && quiet_before=1 && break
			((SECONDS - began >= left)) && break
			sleep 0.3
		done
		run_began=$SECONDS
		once "$@" || return 1
		same_digest "$1"
		if [ -n "$quiet_before" ] && is_quiet "$n"; then
			spent[$1]=$((${spent[$1]:-0} + run_began - began))
			return 0
		fi
		noisy[$1]=$((${noisy[$1]:-0} + 1))
		((SECONDS - began >= left)) && break
	done
	spent[$1]=$((${spent[$1]:-0} + SECONDS - began))
	return 2
}

# The sums of a case and mode: its rates in $work/rates, the summary of the best run in $work/best, the name in words
report() { # NAME "SYNC RANKS" UNIT BASE RATE_OF_COPIES
	local sync=${2% *} n=${2#* } mode
	mode=$([ "$2" = "sequential 1" ] && echo "1 rank" || echo "$n $sync")
	local networks=1
	[ "$sync" = copies ] && set -- "${@:1:4}" '' && networks=$n
	cp "$work/best" "$work/out"
	sort -n "$work/rates" | awk -v name="$1" -v mode="$mode" -v sync="$sync" -v ranks="$n" -v unit="$3" -v base="$4" -v copies="$5" -v out="$out" \
		-v endpoints="$(field endpoints | awk -v n="$networks" '{ print n * $1 }')" -v rss="$(field peak_rss_bytes)" -v most="$(field peak_rss_rank_bytes)" \
		-v efficiency="$(field efficiency)" -v rounds="$(field gvt_rounds)" -v wall="$(field wall_s)" -v setup="$(field setup_s)" \
		-v events="$(field events_committed)" -v remote="$(field remote_events)" -v bytes="$(field message_bytes)" -v messages="$(field messages)" \
		-v hops="$(field packet_hops)" -v digest="$(field digest)" -v study="${weak:+weak}" -v counted="$counted" -v noisy="$noise" -v of_quiet="$of_quiet" \
		-v phases="$([ "$sync" = copies ] || grep -oE '"phase_s":\{[^}]*\}' "$work/out" | head -1)" '
	{ v[NR] = $1 }
	END {
		median = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
		memory = endpoints ? sprintf("%7d B/endpoint", rss / endpoints) : sprintf("%7.0f MB", rss / 1e6)
		ratio = base ? sprintf("x%.2f", median / base) : ""
		share = copies ? sprintf("%3.0f %% of copies", 100 * median / copies) : ""
		printf "%-32s %-15s %7.2f M %s/s  best %6.2f  spread %3.0f %%  %-6s%s  %s%s\n", name, mode, median / 1e6, unit,
		       v[NR] / 1e6, 100 * (v[NR] - v[1]) / median, ratio, memory, share, counted
		list = phases
		sub(/^"phase_s":\{/, "", list)
		gsub(/[}"]/, "", list)
		n = split(list, part, ",")
		for (i = 1; i <= n; i++) {
			split(part[i], kv, ":")
			second[i] = kv[2]
			word[i] = kv[1]
			sum += kv[2]
		}
		line = ""
		for (i = 1; i <= n; i++)
			if (sum > 0 && second[i] / sum >= 0.005)
				line = line sprintf("%s%s %.0f %%", line == "" ? "" : ", ", word[i], 100 * second[i] / sum)
		if (ranks > 1 && sync != "copies")
			line = line sprintf("; %d rounds, %.1f us each; efficiency %.4f", rounds, rounds ? 1e6 * wall / rounds : 0, efficiency)
		if (line != "")
			printf "%-32s   %s\n", "", line
		printf "{\"record\":\"case\",\"study\":\"%s\",\"name\":\"%s\",\"mode\":\"%s\",\"sync\":\"%s\",\"ranks\":%d,\"unit\":\"%s/s\",\"median\":%.0f,\"best\":%.0f,\"least\":%.0f,\"runs\":%d,\"noisy_runs\":%d,\"quiet\":%s", \
		       study == "" ? "strong" : study, name, mode, sync, ranks, unit, median, v[NR], v[1], NR, noisy, of_quiet >>out
		if (base) printf ",\"ratio_to_one_rank\":%.4f", median / base >>out
		if (copies) printf ",\"ratio_to_copies\":%.4f", median / copies >>out
		if (endpoints) printf ",\"endpoints\":%.0f,\"bytes_per_endpoint\":%.1f", endpoints, rss / endpoints >>out
		if (most) printf ",\"peak_rss_rank_bytes\":%.0f", most >>out
		if (hops) printf ",\"packet_hops\":%.0f", hops >>out
		printf ",\"peak_rss_bytes\":%.0f,\"efficiency\":%s,\"gvt_rounds\":%s,\"remote_events\":%s,\"messages\":%s,\"message_bytes\":%s,\"events_committed\":%s,\"wall_s\":%s,\"setup_s\":%s,%s,\"digest\":\"%s\"}\n",
		       rss, efficiency, rounds, remote, messages, bytes, events, wall, setup, phases == "" ? "\"phase_s\":{}" : phases, digest >>out
		print median
	}' >"$work/report"
	sed '$d' "$work/report"
	median=$(tail -1 "$work/report")
}

# What a message costs, for the model of cost; only the build's target `bench` makes the program.
exchange=$(dirname "$tilefly")/exchange
if [ -x "$exchange" ] && [ ${#schedulers[@]} -gt 1 ] && "${launcher[@]}" -n 2 "$exchange" --json >"$work/out" 2>"$work/err" </dev/null; then
	printf 'a message between two ranks: %s us; a byte: %s ns\n' "$(field message_us)" "$(field byte_ns)"
	printf '{"record":"exchange","message_us":%s,"byte_ns":%s}\n' "$(field message_us)" "$(field byte_ns)" >>"$out"
fi

failed=0
for i in "${!names[@]}"; do
	name=${names[i]}
	read -ra command <<<"${commands[i]}"
	unit=packet-hops key=packet_hops_per_s
	[ "${command[0]}" = phold ] && unit=events key=event_rate_per_s
	digest=
	rm -f "$work"/rates.* "$work"/best.*
	for mode in "${schedulers[@]}"; do noisy[$mode]=0 spent[$mode]=0; done
	calibration before "$name"
	for ((k = 0; k < repeat; k++)); do
		for mode in "${schedulers[@]}"; do
			n=${mode#* }
			[ -n "$weak" ] && [ "$mode" != "sequential 1" ] && [ "$n" != "${name##*-}" ] && continue # a size belongs to its ranks
			[ "$n" = 1 ] && [ "$mode" != "sequential 1" ] && [ -n "$weak" ] && continue
			[ "${command[0]} ${mode% *}" = "phold shared" ] && continue
			file=${mode/ /.}
			counted_once "$mode" "${command[@]}"
			status=$?
			if [ $status = 1 ]; then
				echo "$name, $mode: failed" >&2
				head -5 "$work/err" >&2
				failed=1
				continue
			fi
			was_quiet=true
			[ $status = 2 ] && file=$file.noisy was_quiet=false # nothing quiet came along
			rate=$(field $key)
			if [ ! -s "$work/rates.$file" ] || awk -v a="$rate" -v b="$(sort -n "$work/rates.$file" | tail -1)" 'BEGIN { exit !(a > b) }'; then
				cp "$work/out" "$work/best.$file"
			fi
			echo "$rate" >>"$work/rates.$file"
			read -r load1 _ </proc/loadavg
			printf '{"record":"run","name":"%s","mode":"%s","repetition":%d,"load_average":%s,"quiet":%s,"summary":%s}\n' \
				"$name" "$mode" "$k" "$load1" "$([ "$quiet" = 0 ] && echo null || echo $was_quiet)" "$(tr -d '\n' <"$work/out")" >>"$out"
		done
	done
	base=
	declare -A of_copies=()
	for mode in "${schedulers[@]}"; do
		file=${mode/ /.} noise=${noisy[$mode]:-0} counted='' of_quiet=null
		if [ "$quiet" != 0 ]; then
			of_quiet=true
			counted="  $(wc -l 2>/dev/null <"$work/rates.$file" || echo 0) quiet, $noise not counted"
			[ -s "$work/rates.$file" ] || file=$file.noisy counted="  NOT QUIET" of_quiet=false
		fi
		[ -s "$work/rates.$file" ] || continue
		mv "$work/rates.$file" "$work/rates"
		mv "$work/best.$file" "$work/best"
		report "$name" "$mode" "$unit" "$base" "${of_copies[${mode#* }]:-}"
		[ "$mode" = "sequential 1" ] && base=$median
		[ "${mode% *}" = copies ] && of_copies[${mode#* }]=$median
	done
	calibration after "$name"
done
echo "written  $out"
exit $failed
