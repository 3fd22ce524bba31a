#!/usr/bin/env bash
# web.sh - installs what the interactive page of tilefly report is made with (experiments/report/web/package-lock.json) into
# build/web with npm. Silent if all is there; where npm is missing or its registry out of reach it says so and is content:
# reports have tables only then.
set -u
cd "$(dirname "$0")/.." || exit 1
lock=experiments/report/web/package-lock.json
cmp -s "$lock" build/web/installed.json && exit 0
if ! command -v npm >/dev/null; then
	echo "web.sh: npm is missing: pages of tilefly report will have tables only" >&2
	exit 0
fi
echo "installing: the charts of tilefly report (npm)"
mkdir -p build/web
cp "${lock%/*}"/package*.json build/web/
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if (cd build/web && timeout 120 npm ci --ignore-scripts --no-audit --no-fund) >"$log" 2>&1; then
	rm -f build/web/node_modules/echarts/dist/*.map # four fifths of it
	cp "$lock" build/web/installed.json
else
	tail -n 3 "$log" >&2
	echo "web.sh: npm ci failed: pages of tilefly report will have tables only" >&2
fi
