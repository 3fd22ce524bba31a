#!/usr/bin/env bash
# Endpoints that are decided on ahead of time and those that are decided on as they send give one digest: drawn configurations, and
# with `loads` the shipped ones. `draws`: first, end, and each so many of them with other schedulers, too; paths_long.sh has more.
source "$(dirname "$0")/run.bash"
begin "drawn configurations"
# shellcheck disable=SC2086
python3 "$tests/paths.py" "$program" draws ${draws:-0 20 10} >said 2>&1 || fail "$(cat said)"
tail -n 1 said
if [ -n "${loads:-}" ]; then
	begin "shipped configurations"
	python3 "$tests/paths.py" "$program" shipped "$loads" >said 2>&1 || fail "$(cat said)"
	tail -n 1 said
fi
finish
