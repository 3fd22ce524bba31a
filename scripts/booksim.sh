#!/usr/bin/env bash
# Every row of tests/data/booksim/ beside what the crossbar switch gives: scripts/booksim.sh [path of tilefly]. Five minutes or so.
# reference: BookSim 2 at commit 28f4329, its configuration in each file's header. One cycle is 1 ns here.
set -euo pipefail
cd "$(dirname "$0")/.."
tilefly=${1:-build/release/bin/tilefly}
data=tests/data/booksim


# one_point FILE CONFIG LOAD [PATH=VALUE...]: accepted load and mean latency
one_point() {
	local config=$1 load=$2
	shift 2
	local sets=(--set "traffic.[0].load=$load")
	for s in "$@"; do sets+=(--set "$s"); done
	"$tilefly" run "experiments/shipped/configs/$config.cfg" --json --quiet "${sets[@]}" > /tmp/booksim.$$ || true
	accepted=$(grep -o '"accepted_load":[0-9.e+-]*' /tmp/booksim.$$ | head -1 | cut -d: -f2)
	latency=$(grep -o '"latency_ns":{[^}]*' /tmp/booksim.$$ | head -1 | grep -o '"mean":[0-9.e+-]*' | cut -d: -f2)
	rm -f /tmp/booksim.$$
}

curve() { # NAME CONFIG [PATH=VALUE...]
	local name=$1 config=$2
	shift 2
	printf '\n%s\n%8s %-16s %10s %10s %10s %10s %8s\n' "$name" offered status accepted here latency here differs
	grep -v '^#' "$data/$name.csv" | tail -n +2 | while IFS=, read -r offered was_accepted _ was_latency _ _ _ _ _ _ status _; do
		one_point "$config" "$offered" "$@"
		awk -v o="$offered" -v s="$status" -v a="$was_accepted" -v b="${accepted:-nan}" -v l="$was_latency" -v m="${latency:-nan}" \
			'BEGIN { printf "%8s %-16s %10.4f %10.4f %10.3f %10.3f %+7.2f%%\n", o, s, a, b, l, m, 100 * (m / l - 1) }'
	done
}

self='traffic.[0].self=true'
t=(time.warmup=3us time.measure=6us)
curve torus2d_8x8_dor_uniform booksim-torus "$self" "${t[@]}"
curve torus2d_8x8_dor_neighbor booksim-torus traffic.[0].pattern=neighbor "${t[@]}"
curve torus2d_8x8_dor_tornado booksim-torus traffic.[0].pattern=tornado "${t[@]}"
curve torus3d_4x4x4_dor_uniform booksim-torus "topology.dims=[4,4,4]" "$self" "${t[@]}"
curve slimfly_q5_p4_min_uniform_vc1 booksim-slimfly switch.vcs=1 switch.injection_vcs=1 switch.buffer=512B "${t[@]}"
curve slimfly_q5_p4_min_uniform_vc4_ispd2 booksim-slimfly switch.vcs=4 switch.injection_vcs=4 switch.buffer=512B switch.speedup=2.0 "${t[@]}"
curve dragonfly_1056_min_uniform booksim-dragonfly "$self" time.warmup=1500ns time.measure=1500ns
curve dragonfly_1056_min_badperm booksim-dragonfly traffic.[0].pattern=adversarial time.warmup=2us time.measure=4us
