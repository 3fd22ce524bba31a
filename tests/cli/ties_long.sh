#!/usr/bin/env bash
# network.compat = true of LogGOPS: schedules full of ties end when an evaluator of LogGOPSim's rules says.
source "$(dirname "$0")/run.bash"
begin "ties"
python3 "$tests/ties.py" "$program" 25 >said 2>&1 || fail "$(tail -n 20 said)"
tail -n 1 said
finish
