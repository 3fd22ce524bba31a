#!/usr/bin/env bash
# presets.sh [--build] [PRESET ...] - builds presets from a fresh clone of the commit that is checked out, each in a folder of its
# own, and runs their tests: those of the README's table, or those that are named. --build: no tests. Before a release; hours on
# two cores. One line a preset, "PRESET: N passed, N failed" or what went wrong; the exit status is 0 if nothing failed. The logs of
# what failed stay in the folder that the last line names.
set -u
cd "$(dirname "$0")/.." || exit 1
test=1
[ "${1:-}" = --build ] && { test=; shift; }
# "| `clang`, `mpich` | the same with clang, with MPICH |"
all=$(sed -n '/^| preset | what |$/,/^$/p' README.md | sed -nE 's/^\| ((`[a-z]+`,? ?)+)\|.*/\1/p' | tr -d '`,' | xargs)
[ -n "$all" ] || { echo "presets.sh: README.md has no table of presets" >&2; exit 1; }
for preset in "$@"; do
	case " $all " in *" $preset "*) ;; *)
		echo "presets.sh: $preset: no preset; there are: $all" >&2
		exit 2
		;;
	esac
done
declared=$(sed -nE 's/^ *"name": "([a-z]+)", "inherits": "base", "displayName".*/\1/p' CMakePresets.json | sort | xargs)
if [ "$(printf '%s\n' $all | sort | xargs)" != "$declared" ]; then
	echo "presets.sh: README.md has $all, CMakePresets.json $declared" >&2
	exit 1
fi
scripts/bootstrap.sh --tests --presets || exit 1
if [ -n "$(git status --porcelain)" ]; then
	echo "presets.sh: what is not committed is left out" >&2
fi
work=$(mktemp -d)
trap 'rm -rf "$work/clone"' EXIT
git clone -q . "$work/clone" || exit 1
[ ! -d build/web ] || { mkdir -p "$work/clone/build" && cp -r build/web "$work/clone/build/"; } # what npm would fetch again
cd "$work/clone" || exit 1
scripts/web.sh || exit 1

bad=0
for preset in ${*:-$all}; do
	log=$work/$preset.log
	if ! { cmake --preset "$preset" && cmake --build --preset "$preset"; } >"$log" 2>&1; then
		echo "$preset: does not build: $(grep -m 1 -E 'error|Error' "$log")"
		bad=1
		continue
	fi
	if [ -z "$test" ]; then
		echo "$preset: built"
	else
		ctest --preset "$preset" >"$log" 2>&1 || bad=1
		total=$(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests? failed out of ([0-9]+).*/\2 \1/p' "$log" | tail -n 1)
		read -r count failed <<<"${total:-1 1}"
		echo "$preset: $((count - failed)) passed, $failed failed"
		sed -nE '/^The following tests FAILED:/,$ s/^\t *[0-9]+ - /  /p' "$log"
	fi
	rm -rf "build/$preset"
done
if [ "$bad" -eq 0 ]; then
	rm -rf "$work"
else
	echo "logs: $work"
fi
exit "$bad"
