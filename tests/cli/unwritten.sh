#!/usr/bin/env bash
# Where a file cannot be written, memory or file descriptors do not suffice, the exit status and a message say so, and nothing is
# left behind.
source "$(dirname "$0")/run.bash"

small=(switch-rosetta-64 --set time.warmup=1us --set time.measure=2us)

nothing_left() { # no temporary file in a folder
	left=$(find "${1:-.}" -name '*.tmp' -o -name '*.partial' -o -name '.lock')
	[ -z "$left" ] || fail "left behind: $left"
}

begin "each table of --csv"
records=(--set record.ports=true --set record.packets=true --set record.timeline=1us --set record.histograms=true
	--set record.switch=true)
run run "${small[@]}" "${records[@]}" --out o.jsonl.gz --csv --quiet
expect 0
tables=$(ls o.*.csv.gz)
[ "$(wc -w <<<"$tables")" = 6 ] || fail "tables: $tables"
for table in $tables; do
	rm -rf o.*
	mkdir "$table"
	run run "${small[@]}" "${records[@]}" --out o.jsonl.gz --csv --quiet
	expect 1
	expect_err "tilefly run: $table: is a folder"
	[ "$(ls -d o.*.csv.gz)" = "$tables" ] || fail "$table: the other tables are missing"
	nothing_left
done
rm -rf o.*

finish
