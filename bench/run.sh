#!/usr/bin/env bash
# bench/run.sh - how fast and how large: packet-hops/s (PHOLD: events/s) and bytes an endpoint, on one rank and on two.
#
#   bench/run.sh                 the short set, about two minutes on a quiet machine
#   bench/run.sh --long          longer runs, and the larger networks up to slimfly-1m (several minutes, 4 GB)
#   bench/run.sh --only REGEX    cases whose name matches; --list names them
#   bench/run.sh --repeat N      runs of each case and mode (3; --long: 5)
#   bench/run.sh --modes LIST    of seq,con,opt (all): one rank, two conservative ranks, two optimistic ranks
#   bench/run.sh --instructions  instead: instructions per packet-hop by valgrind, repeatable on a noisy machine
#   --tilefly FILE               the program (build/release/bin/tilefly)
#   --out FILE                   JSON lines, one a run and one a case and mode (bench/results/DATE.jsonl)
#
# A rate counts from the start of the simulation to its end, without the set-up. A line gives the median of the runs, the
# best, the spread (largest minus least, over the median), and the ratio of the medians to one rank. Runs of one case
# take turns over the modes, so that a noisy moment hits all of them. Digests that differ are an error: exit status 1.
set -u
LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tilefly=$root/build/release/bin/tilefly
long='' only=. repeat='' modes=seq,con,opt out='' list='' instructions=''

usage() {
	sed -n '2,/^set -u/{/^set -u/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
}

while [ $# -gt 0 ]; do
	case $1 in
	--long | --list | --instructions) declare "${1#--}=1" ;;
	--only | --repeat | --modes | --tilefly | --out)
		[ $# -ge 2 ] || { echo "run.sh: $1 needs a value" >&2; exit 2; }
		declare "${1#--}=$2"
		shift
		;;
	--help | -h) usage; exit 0 ;;
	*) echo "run.sh: unknown option $1; --help tells what there is" >&2; exit 2 ;;
	esac
	shift
done

# --- the cases: NAME, then what tilefly gets. Lengths are for about a second on one rank; --long: ten times that. ----------

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
network() { # NAME CONFIG WARMUP_US MEASURE_US LOAD ARGUMENT...
	local name=$1 config=$2 warmup=$3 measure=$4 load=$5
	shift 5
	add "$name" run "$config" --json --set "time.warmup=${warmup}us" \
		--set "time.measure=$((measure * scale))us" --set "traffic.[0].load=$load" "$@"
}

scale=${long:+10}
scale=${scale:-1}
phold phold-remote-10 60 --lps 16384 --start-events 16 --remote 0.1
phold phold-remote-50 40 --lps 16384 --start-events 16 --remote 0.5
phold phold-lookahead-10ns 40 --lps 16384 --start-events 16 --remote 0.1 --lookahead 10ns --mean 990ns
network slimfly-3k-minimal-0.1 slimfly-3k 10 120 0.1
network slimfly-3k-minimal-0.5 slimfly-3k 5 25 0.5
network slimfly-3k-adaptive-0.1 slimfly-3k 10 100 0.1 --set routing.kind=slimfly-adaptive
network slimfly-3k-adaptive-0.5 slimfly-3k 5 15 0.5 --set routing.kind=slimfly-adaptive
network slimfly-74k-minimal-0.1 slimfly-74k 1 4 0.1
network torus-8x8x8-minimal-0.5 torus-8x8x8 10 50 0.5
network dragonfly-1056-minimal-0.5 dragonfly-1056 10 60 0.5
if [ -n "$long" ]; then
	network torus-32k-minimal-0.3 torus-32k 2 1 0.3
	scale=1
	network slimfly-1m-minimal-0.1 slimfly-1m 1 4 0.1
fi

if [ -n "$list" ]; then
	for i in "${!names[@]}"; do
		printf '%-28s tilefly %s\n' "${names[i]}" "${commands[i]}"
	done
	exit 0
fi
[ -x "$tilefly" ] || { echo "run.sh: there is no $tilefly; build it (cmake --preset release) or give --tilefly FILE" >&2; exit 2; }
[ ${#names[@]} -gt 0 ] || { echo "run.sh: no case matches $only; --list names them" >&2; exit 2; }
[ -n "$repeat" ] || repeat=$([ -n "$long" ] && echo 5 || echo 3)
[[ $repeat =~ ^[1-9][0-9]*$ ]] || { echo "run.sh: --repeat $repeat is not a number" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
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

field() { # NAME: a number, or a string's content, in the summary
	grep -oE "\"$1\":(\"[^\"]*\"|[-0-9.e+]+)" "$work/out" | head -1 | sed -E 's/^"[^"]*":"?([^"]*)"?$/\1/'
}

# --- instructions per packet-hop ---------------------------------------------------------------------------------------------

# Two lengths of the same run: the difference leaves the set-up out.
count() { # NAME MEASURE ARGUMENT... -> "instructions hops"
	local name=$1 measure=$2
	shift 2
	valgrind --tool=callgrind --callgrind-out-file="${out%.jsonl}.$name.$measure.callgrind" "$tilefly" run slimfly-3k --json \
		--set topology.q=5 --set topology.endpoints=3 --set time.warmup=2us --set "time.measure=$measure" "$@" \
		>"$work/out" 2>"$work/err" </dev/null || { cat "$work/err" >&2; exit 1; }
	echo "$(sed -nE 's/.*Collected : ([0-9]+).*/\1/p' "$work/err") $(field packet_hops)"
}
per_hop() { # NAME ARGUMENT...
	local name=$1 short longer
	shift
	[[ $name =~ $only ]] || return
	short=$(count "$name" 5us "$@") || exit 1
	longer=$(count "$name" 15us "$@") || exit 1
	echo "$short $longer" | awk -v name="$name" -v out="$out" '{
		printf "%-36s %8.1f instructions per packet-hop\n", name, ($3 - $1) / ($4 - $2)
		printf "{\"record\":\"instructions\",\"name\":\"%s\",\"per_packet_hop\":%.2f,\"packet_hops\":%d}\n", name, ($3 - $1) / ($4 - $2), $4 - $2 >>out }'
}
if [ -n "$instructions" ]; then
	command -v valgrind >/dev/null || { echo "run.sh: --instructions needs valgrind" >&2; exit 2; }
	echo "network  Slim Fly q = 5, 150 endpoints; profiles for callgrind_annotate beside $out"
	names=() # --only speaks of these names
	for sync in sequential conservative optimistic; do
		per_hop "slimfly-150-minimal-0.5-$sync" --set traffic.[0].load=0.5 --sync $sync
	done
	per_hop slimfly-150-minimal-0.1-sequential --set traffic.[0].load=0.1 --sync sequential
	per_hop slimfly-150-adaptive-0.5-sequential --set traffic.[0].load=0.5 --set routing.kind=slimfly-adaptive --sync sequential
	per_hop slimfly-150-minimal-0.5-journaled --set traffic.[0].load=0.5 --sync optimistic --set engine.window=100ns --set engine.optimism=1
	exit 0
fi

# --- rates -------------------------------------------------------------------------------------------------------------------

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_btl_base_warn_component_unused=0 OMPI_MCA_plm_rsh_agent=
launcher=("${TILEFLY_MPIEXEC:-mpirun}")
if "${launcher[@]}" --version 2>&1 | grep -qiE 'open ?mpi|open-mpi|openrte'; then
	launcher+=(--bind-to none)
	[ "$cores" -ge 2 ] || launcher+=(--oversubscribe)
fi
describe() {
	case $1 in
	seq) echo "1 rank" ;;
	con) echo "2 conservative" ;;
	opt) echo "2 optimistic" ;;
	*) echo "run.sh: unknown mode $1: seq, con, opt" >&2; exit 2 ;;
	esac
}
once() { # MODE COMMAND...
	local mode=$1
	shift
	case $mode in
	seq) "$tilefly" "$@" --sync sequential ;;
	con) "${launcher[@]}" -n 2 "$tilefly" "$@" --sync conservative ;;
	opt) "${launcher[@]}" -n 2 "$tilefly" "$@" --sync optimistic ;;
	esac >"$work/out" 2>"$work/err" </dev/null
}

IFS=, read -ra modes <<<"$modes"
for mode in "${modes[@]}"; do
	describe "$mode" >/dev/null || exit 2
done
# The sums of a case and mode: rates of its runs in $work/NAME.MODE
report() { # NAME MODE UNIT ENDPOINTS RSS EFFICIENCY
	sort -n "$work/$1.$2" | awk -v name="$1" -v mode="$(describe "$2")" -v unit="$3" -v endpoints="$4" -v rss="$5" \
		-v efficiency="$6" -v base="$(cat "$work/base" 2>/dev/null)" -v out="$out" '
	{ v[NR] = $1 }
	END {
		median = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
		memory = endpoints ? sprintf("%8d B/endpoint", rss / endpoints) : ""
		ratio = base ? sprintf("x%.2f", median / base) : ""
		printf "%-27s %-15s %7.2f M %s/s  best %6.2f  spread %3.0f %%  %-6s%s\n", name, mode, median / 1e6, unit,
		       v[NR] / 1e6, 100 * (v[NR] - v[1]) / median, ratio, memory
		printf "{\"record\":\"case\",\"name\":\"%s\",\"mode\":\"%s\",\"unit\":\"%s/s\",\"median\":%.0f,\"best\":%.0f,\"least\":%.0f,\"runs\":%d", name, mode, unit, median, v[NR], v[1], NR >>out
		if (base) printf ",\"ratio_to_one_rank\":%.4f", median / base >>out
		if (endpoints) printf ",\"peak_rss_bytes\":%.0f,\"bytes_per_endpoint\":%.1f", rss, rss / endpoints >>out
		printf ",\"efficiency\":%s}\n", efficiency == "" ? "null" : efficiency >>out
		print median
	}' >"$work/report"
	sed '$d' "$work/report"
	[ "$2" = seq ] && tail -1 "$work/report" >"$work/base"
	return 0
}

failed=0
for i in "${!names[@]}"; do
	name=${names[i]}
	read -ra command <<<"${commands[i]}"
	unit=packet-hops key=packet_hops_per_s
	[ "${command[0]}" = phold ] && unit=events key=event_rate_per_s
	declare -A endpoints=() rss=() efficiency=()
	rm -f "$work/base"
	digest=
	for ((k = 0; k < repeat; k++)); do
		for mode in "${modes[@]}"; do
			if ! once "$mode" "${command[@]}"; then
				echo "$name, $(describe "$mode"): failed" >&2
				head -5 "$work/err" >&2
				failed=1
				continue
			fi
			rate=$(field $key)
			echo "$rate" >>"$work/$name.$mode"
			endpoints[$mode]=$(field endpoints)
			rss[$mode]=$(field peak_rss_bytes)
			efficiency[$mode]=$(field efficiency)
			now=$(field digest)
			if [ -n "$digest" ] && [ "$digest" != "$now" ]; then
				echo "$name, $(describe "$mode"): digest $now, before it was $digest" >&2
				failed=1
			fi
			digest=$now
			read -r load1 _ </proc/loadavg
			printf '{"record":"run","name":"%s","mode":"%s","repetition":%d,"load_average":%s,"summary":%s}\n' \
				"$name" "$(describe "$mode")" "$k" "$load1" "$(tr -d '\n' <"$work/out")" >>"$out"
		done
	done
	for mode in "${modes[@]}"; do
		[ -s "$work/$name.$mode" ] &&
			report "$name" "$mode" "$unit" "${endpoints[$mode]:-}" "${rss[$mode]:-}" "${efficiency[$mode]:-}"
	done
done
echo "written  $out"
exit $failed
