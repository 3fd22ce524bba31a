#!/usr/bin/env bash
# Every C file passes the other compiler's reading of it, too: clang's where gcc builds, gcc's where clang does. Nothing is
# compiled (scripts/presets.sh builds with both). $1: the source folder; $2: that of the build, for its compile commands; $3: "tests"
# for the files of tests, which are left to compiler.other_long, in place of the others.
set -eu
source=$1
build=$2
which=${3:-program}
ours=$(sed -nE 's/^ *"command": "([^ ]+) .*/\1/p' "$build/compile_commands.json" | sort | uniq -c | sort -rn | sed -nE '1s/^ *[0-9]+ //p')
if "$ours" --version | grep -q clang; then other=gcc; else other=clang; fi
if ! command -v "$other" >/dev/null; then
	echo "skipped: $other is missing (scripts/bootstrap.sh --tests installs it on Debian)"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# One command a file, for the other compiler: without the output's name and what one of the two does not know.
sed -nE 's/^ *"command": "(.*)",?$/\1/p' "$build/compile_commands.json" | sed -E 's/\\(.)/\1/g' |
	sed -E "s,^[^ ]+ ,$other -fsyntax-only ,; s, -o [^ ]+,,; s, -flto[^ ]*| -ffat-lto-objects| -fsanitize=[^ ]*| -fno-sanitize[^ ]*| --param=[^ ]*,,g" |
	awk '!seen[$NF]++' >"$scratch/commands"
# Fuzz targets are built by one preset only.
like=$(grep -m 1 -E '/tests/mpi/[^ ]+\.c$' "$scratch/commands")
for file in "$source"/tests/fuzz/*.c; do
	grep -q " $file\$" "$scratch/commands" || echo "${like% *} $file" >>"$scratch/commands"
done
[ "$(wc -l <"$scratch/commands")" -gt 300 ] || { echo "only $(wc -l <"$scratch/commands") compile commands in $build"; exit 1; }

if [ "$which" = tests ]; then grep -E ' [^ ]*/tests/[^ ]+\.c$' "$scratch/commands"; else grep -vE ' [^ ]*/tests/[^ ]+\.c$' "$scratch/commands"; fi >"$scratch/chosen"
[ "$(wc -l <"$scratch/chosen")" -gt 100 ] || { echo "only $(wc -l <"$scratch/chosen") files of $which"; exit 1; }

# pass COMMANDS: prints what the compiler does not accept.
pass() {
	xargs -P 2 -d '\n' -I COMMAND sh -c 'COMMAND' <"$1" >"$scratch/said" 2>&1
}

# The check notices a file that is not right.
printf 'int planted(double x);\nint planted(double x) { unsigned u = 1; int i = (int)x; return i < u; }\n' >"$scratch/planted.c"
head -n 1 "$scratch/commands" | sed -E "s, [^ ]+$, $scratch/planted.c," >"$scratch/planted"
if pass "$scratch/planted"; then
	echo "$other finds nothing wrong with a comparison of different signs"
	exit 1
fi

cd "$build"
if ! pass "$scratch/chosen"; then
	cat "$scratch/said"
	echo "$other does not accept the files above, which $ours does"
	exit 1
fi
