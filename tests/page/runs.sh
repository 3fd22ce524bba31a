#!/usr/bin/env bash
# The page of 500 runs in headless Chromium (runs.py). $1: the program, $2: axe-core's script. Exit status 77: skipped.
source "$(dirname "$0")/setup.bash"

"$program" run slimfly-3k --set topology.q=5 --set topology.endpoints=4 --set 'record={timeline="1us";}' \
	--set 'time={warmup="4us";measure="16us";}' --quiet --out plain.jsonl || exit 1
/usr/bin/python3 "$here/many.py" plain.jsonl 500 || exit 1
report_page many.html many/*.jsonl
/usr/bin/python3 "$here/runs.py" "$chromium" "$driver" "$axe" "${TILEFLY_SCREENSHOTS:-}"
