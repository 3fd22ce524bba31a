#!/usr/bin/env bash
# Includes run downwards, and the check that says so finds those that do not: each is planted in a copy of the source, where
# nothing but inline functions and types is used, so that it would link. $1: the source folder.
set -eu
source=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

check() { cmake -D SOURCE="$1" -P "$source/cmake/includes.cmake" >"$copy/said" 2>&1; }

if ! check "$source"; then
	cat "$copy/said"
	exit 1
fi

rooms=$(sed -nE 's/^set\(rooms ([a-z ]+)\)/\1/p' "$source/CMakeLists.txt")
mkdir "$copy/tree"
for room in $rooms; do cp -r "$source/$room" "$copy/tree/$room"; done
cp "$source/CMakeLists.txt" "$copy/tree/"
failed=0

# plant FILE LINE WORDS: a file with an include that must be refused, in so many words.
plant() {
	local file=$copy/tree/$1
	[ ! -e "$file" ] || { echo "$1 exists"; exit 1; }
	printf '/* planted */\n%s\nint planted;\n' "$2" >"$file"
	if check "$copy/tree"; then
		echo "not noticed: $1: $2"
		failed=1
	elif ! grep -qF "$1: " "$copy/said" || ! grep -qF "$3" "$copy/said"; then
		echo "noticed, but not said to be in $1, or not that it $3:"
		cat "$copy/said"
		failed=1
	fi
	rm "$file"
}

plant sim/planted.c '#include "network/traffic.h"' 'runs upwards: network/ is above sim/'
plant base/planted.h '#include "sim/histogram.h"' 'runs upwards: sim/ is above base/'
plant topo/planted.h '#include "switch/packet.h"' 'runs upwards'
plant switch/planted.c '#include "topo/topo.h"' 'runs sideways: switch/ and topo/ do not know each other'
plant network/planted.c '  #  include <workload/workload.h>' 'runs upwards: workload/ is above network/'
plant workload/planted.c '#include "experiments/config/config.h"' 'runs upwards'
plant sim/planted.c '#include "../network/traffic.h"' 'is in no room'
plant sim/planted.c '#include "rng.h"' 'is in no room'
plant sim/planted.c '#include "tests/sim/fixture.h"' 'is in no room'
plant experiments/config/planted.c '#include "experiments/results/file.h"' 'runs upwards: experiments/results/ is above experiments/config/'
plant experiments/results/planted.c '#include "experiments/sweep/sweep.h"' 'runs upwards'
plant experiments/runs/planted.c '#include "experiments/sweep/sweep.h"' 'runs upwards: experiments/sweep/ is above experiments/runs/'
plant experiments/sweep/planted.h '#include "experiments/report/report.h"' 'runs upwards'
plant experiments/report/planted.c '#include "experiments/commands/commands.h"' 'runs upwards'

if ! check "$copy/tree"; then # nothing is left of them
	cat "$copy/said"
	failed=1
fi
exit "$failed"
