#!/usr/bin/env bash
# Names that grep and gdb find: no two structs, unions or enums of one name in the whole program, and no local function whose name is in
# more than six files: it says nothing of its object. $1: the source folder.
set -eu
cd "$1"
rooms='base sim topo switch routing congestion network workload experiments'
most=6

# Lines "NAME FILE" of types that are defined in the folders.
types() {
	grep -rnoE --include='*.[ch]' '\b(struct|union|enum) [a-z_][a-z_0-9]* \{' "$@" | sed -E 's/^([^:]*):[0-9]+:(.*) \{$/\2 \1/'
}
# Lines "NAME FILE" of functions that a file keeps to itself: the last word before the first bracket of a line that begins with static.
functions() {
	grep -rnE --include='*.[ch]' '^static [^=;]*\(' "$@" | sed -E 's/__attribute__\(\([^)]*\)\) ?//' |
		sed -nE 's/^([^:]*):[0-9]+:static [^(]*[ *]([a-z_0-9]+)\(.*/\2 \1/p' | sort -u
}
twice() { types "$@" | sort | awk '{ name = $1 " " $2; files[name] = files[name] " " $3; if (n[name]++ == 1) order[++k] = name }
	END { for (i = 1; i <= k; i++) print order[i] ":" files[order[i]] }'; }
often() { functions "$@" | awk -v most=$most '{ files[$1] = files[$1] " " $2; n[$1]++ }
	END { for (name in n) if (n[name] > most) print name "() in " n[name] " files:" files[name] }'; }

# The check notices them.
planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
for i in 1 2 3 4 5 6 7; do
	printf 'struct planted_%s {\n\tint v;\n};\nstatic inline int *keep(void)\n{\n\treturn 0;\n}\n' $((i % 6)) >"$planted/f$i.c"
done
[ "$(twice "$planted" | wc -l)" = 1 ] || { echo "a struct of one name in two files is not noticed"; exit 1; }
[ "$(often "$planted" | wc -l)" = 1 ] || { echo "a local function of one name in seven files is not noticed"; exit 1; }

bad=0
# shellcheck disable=SC2086
found=$(twice $rooms)
if [ -n "$found" ]; then
	printf '%s\ntypes of one name: each has a name of its own, with its object\n' "$found"
	bad=1
fi
# shellcheck disable=SC2086
found=$(often $rooms)
if [ -n "$found" ]; then
	printf '%s\nlocal functions of one name in more than %s files: the name says of what, as in build_torus\n' "$found" "$most"
	bad=1
fi
[ "$bad" = 0 ] && echo "passed"
exit "$bad"
