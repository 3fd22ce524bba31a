#!/usr/bin/env bash
# demo.sh [SWEEP OPTIONS] - the main job from nothing: installs what is missing, builds, runs the shortened validation sweep of
# the published 3,042-node Slim Fly study, shows its table beside the published values, and writes a report.
set -eu
cd "$(dirname "$0")/.."
echo "building ..."
scripts/build.sh release
tilefly=build/release/bin/tilefly
out=results/slimfly-validation-short
"$tilefly" sweep slimfly-validation --short --out "$out" "$@"
"$tilefly" report "$out" --out "$out/report.html" --quiet
echo
echo "report: $PWD/$out/report.html"
