#!/usr/bin/env bash
# Memory that runs out at any allocation of each of several commands: no crash, no truncated result, nothing left behind, and a
# message. All of the first 5,000, and 256 drawn of those beyond.
source "$(dirname "$0")/run.bash"
source "$tests/allocations.bash"

if nm -D "$program" 2>/dev/null | grep -q __asan_init; then
	echo "skipped: the address sanitizer has an allocator of its own"
	exit 0
fi
prepare_allocations
RANDOM=1
most=${TILEFLY_ALLOCATIONS:-5000}
for command in "${commands[@]}"; do
	begin "${command%% *}"
	allocations_of "$command"
	echo "$command: $allocations allocations"
	for ((n = 1; n <= allocations && n <= most; n++)); do
		fail_at "$command" $n
	done
	for ((i = 0; allocations > most && i < 256; i++)); do
		fail_at "$command" $((most + 1 + (RANDOM * 32768 + RANDOM) % (allocations - most)))
	done
done
finish
