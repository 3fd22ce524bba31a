#!/usr/bin/env bash
# runs.sh NAME OPTION...: runs scripts/docs/congestion-runs/NAME.cfg, and prints its messages beside those of NAME.tsv (messages.py,
# which has the options).
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
name=$1
shift
tilefly sweep "$here/congestion-runs/$name.cfg" --out "runs-$name" --quiet
"$here/messages.py" "runs-$name" "$here/congestion-runs/$name.tsv" "$@"
