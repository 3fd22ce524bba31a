#!/usr/bin/env bash
# test.sh [PRESET] - installs what is missing, builds, and runs all tests but those labelled long.
# The last line is "N passed, N failed"; the exit status is 0 if none failed.
set -u
cd "$(dirname "$0")/.." || exit 1
preset=${1:-release}
scripts/bootstrap.sh || exit 1
echo "building ..."
installed=$(mktemp) log=$(mktemp)
trap 'rm -f "$installed" "$log"' EXIT
scripts/bootstrap.sh --tests >"$installed" 2>&1 & # browsers and the like, which no compiler waits for
scripts/build.sh "$preset" || exit 1
wait $!
status=$?
cat "$installed"
[ $status -eq 0 ] || exit 1
# one more test than there are cores: some of them wait for what they have started or stopped
ctest --preset "$preset" -j $(($(nproc) + 1)) 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
# "100% tests passed, 0 tests failed out of 37"
total=$(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests? failed out of ([0-9]+).*/\2 \1/p' "$log" | tail -n 1)
if [ -z "$total" ]; then
	echo "0 passed, 1 failed"
	exit 1
fi
read -r all failed <<<"$total"
echo "$((all - failed)) passed, $failed failed"
exit "$status"
