#!/usr/bin/env bash
# Memory that has run out is noticed: nothing but base/memory.c calls what returns NULL then, or drops what a stream has no memory for.
# Left out: what runs in other programs (the recorder, the reader of OTF2), whose own checks are theirs. $1: the source folder.
set -eu
cd "$1"
calls='(malloc|calloc|realloc|reallocarray|strdup|strndup|asprintf|vasprintf|open_memstream|getline|getdelim)'

# find_calls FOLDER...: lines that call one of them.
find_calls() {
	grep -rnE --include='*.[ch]' "(^|[^_a-zA-Z>.])$calls\(" "$@" |
		grep -vE '^(base/(memory|format)\.[ch]|workload/record/|workload/formats/otf2/otf2_child\.c|switch/pool\.h):?' |
		grep -vE ':[0-9]+:\s*(/?\*|"|//)' | grep -vE '/\*[^*]*'"$calls"'\(\)' || true
}

# The check notices one.
planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
printf 'static char *copy(const char *s)\n{\n\treturn strdup(s);\n}\n' >"$planted/f.c"
[ -n "$(find_calls "$planted")" ] || { echo "an unchecked strdup() is not noticed"; exit 1; }

found=$(find_calls base sim topo switch routing congestion network workload experiments)
if [ -n "$found" ]; then
	echo "$found"
	echo "these allocate past base/memory.h, which ends the program where memory runs out"
	exit 1
fi
