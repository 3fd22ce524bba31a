#!/usr/bin/env bash
# build.sh [PRESET] - installs what is missing and builds a preset (default: release) into build/PRESET. Quiet when it works.
set -eu
cd "$(dirname "$0")/.."
preset=${1:-release}
scripts/bootstrap.sh
scripts/web.sh
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { cmake --preset "$preset" && cmake --build --preset "$preset"; } >"$log" 2>&1; then
	cat "$log" >&2
	echo "build.sh: preset $preset does not build" >&2
	exit 1
fi
