#!/usr/bin/env bash
# docs/reference.md is what the program says about itself: tilefly list --markdown > docs/reference.md
source "$(dirname "$0")/run.bash"

begin "docs/reference.md is up to date"
run list --markdown
expect 0
expect_out "$(cat "$tests/../../docs/reference.md")"

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
