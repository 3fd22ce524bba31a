#!/usr/bin/env bash
# Every configuration of tests/cli/malformed is refused with exit status 2 and exactly the lines of its .err file, by check
# and by run, and nothing is written.
source "$(dirname "$0")/run.bash"

cp "$tests"/malformed/*.cfg .
count=0
for config in *.cfg; do
	begin "check $config"
	run check "$config"
	expect 2
	expect_err "$(cat "$tests/malformed/${config%.cfg}.err")"
	begin "run $config"
	run run "$config" --out result.jsonl.gz
	expect 2
	expect_out ""
	for file in result*; do
		expect_no_file "$file"
	done
	count=$((count + 1))
done
begin "number of configurations"
[ "$count" -ge 20 ] || fail "only $count"
finish
