#!/usr/bin/env bash
# pgo.sh - builds build/pgo/bin/tilefly with gcc's profile-guided optimisation: the program is built, trained on short runs, and
# built again. Results are the same to the bit; it is faster because the calls between engine, switch and routing are inlined.
set -eu
cd "$(dirname "$0")/.."
scripts/bootstrap.sh
log=$(mktemp)
trap 'rm -f "$log"' EXIT
build() {
	if ! { cmake -S . -B build/pgo -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=gcc "-DCMAKE_C_FLAGS=$1" &&
		cmake --build build/pgo --target tilefly; } >"$log" 2>&1; then
		cat "$log" >&2
		exit 1
	fi
}
echo "building the program that records a profile ..."
build "-fprofile-generate -fprofile-update=single"
find build/pgo -name '*.gcda' -delete
echo "training ..."
train() {
	build/pgo/bin/tilefly run "$@" --quiet --set time.warmup=1us --set time.measure=3us
}
for load in 0.1 0.5 0.95; do
	train slimfly-3k --set traffic.[0].load=$load
done
train slimfly-3k --set routing.kind=slimfly-adaptive --set routing.bias=0B
train slimfly-3k --set routing.kind=valiant --set traffic.[0].load=0.45
train slimfly-74k --set traffic.[0].load=0.1
train dragonfly-1056
train dragonfly-1056 --set routing.kind=ugal-l --set traffic.[0].pattern=adversarial --set traffic.[0].load=0.3
train torus-8x8x8
build/pgo/bin/tilefly phold --end 5us --quiet
echo "building the program that uses it ..."
build "-fprofile-use -fprofile-partial-training -Wno-missing-profile -Wno-coverage-mismatch"
build/pgo/bin/tilefly --version | head -1
echo "build/pgo/bin/tilefly"
