#!/usr/bin/env bash
# docs/reference.md is what the program says about itself: tilefly list --markdown > docs/reference.md
source "$(dirname "$0")/run.bash"

begin "docs/reference.md is up to date"
run list --markdown
expect 0
expect_out "$(cat "$tests/../../docs/reference.md")"

begin "the tables of docs/results.md are up to date: scripts/renew-docs.sh results"
"$tests/../../scripts/renew-docs.sh" --check --tilefly "$program" results >out 2>&1 || fail "$(cat out)"

begin "statistics"
run list statistics
expect 0
expect_in out '^latency_ns\.p99 '
run list statistics --json
expect_in out '"name":"latency_ns.p99","unit":"ns","meaning":"[^"]*","column":"latency_p99_ns","of_several_runs":"mean","interval":true,"compared":true'
run list statistics latency_ns.p99
expect 2

begin "every key has a line of help"
run list --markdown
! grep -E '^\| `[^`]+` .*\|  \|$' out || fail "no meaning"

begin "json"
run list --json
expect 0
expect_in out '"kind":"topology","name":"slimfly"'
run list switch --json
expect 0
expect_in out '^\[\{"kind":"switch","name":"ideal"'
finish
