#!/usr/bin/env bash
# Configurations drawn over all keys, with degenerate values, give one status and one digest with every scheduler.
# `draws`: first, end, and each so many of them on two ranks, too; configurations_long.sh has more.
source "$(dirname "$0")/run.bash"
begin "drawn configurations"
# shellcheck disable=SC2086
python3 "$tests/configurations.py" "$program" "$tests/../mpirun.sh" ${draws:-600 620 10} >said 2>&1 || fail "$(cat said)"
tail -n 1 said
finish
