#!/usr/bin/env bash
# Memory that runs out, at some allocations of each of several commands: no crash, no truncated result, nothing left behind, and
# a message. tests/cli/allocations_long.sh tries all.
source "$(dirname "$0")/run.bash"
source "$tests/allocations.bash"

if nm -D "$program" 2>/dev/null | grep -q __asan_init; then
	echo "skipped: the address sanitizer has an allocator of its own"
	exit 0
fi
prepare_allocations
for command in "${commands[@]}"; do
	begin "${command%% *}"
	allocations_of "$command"
	[ "$allocations" -gt 20 ] || fail "$command: only $allocations allocations are counted"
	for i in 1 2 3 4 5 6 7 8; do
		fail_at "$command" $((1 + (allocations - 1) * i / 9))
	done
done
finish
