#!/usr/bin/env bash
# Every C file is as .clang-format says. Another version formats otherwise, so it must be 14. $1: the source folder.
set -eu
cd "$1"
format=$(command -v clang-format-14 || command -v clang-format || true)
if [ -z "$format" ] || ! "$format" --version | grep -qE 'version 14\.'; then
	echo "clang-format 14 is missing: scripts/bootstrap.sh --tests installs it on Debian 12"
	exit 1
fi

# The check notices a file that is not so.
bad=$(mktemp -d)
trap 'rm -rf "$bad"' EXIT
cp .clang-format "$bad/"
printf 'int  f( void ){return 0;}\n' >"$bad/f.c"
if "$format" --dry-run -Werror "$bad/f.c" 2>/dev/null; then
	echo "$format finds nothing wrong with a file that is not formatted"
	exit 1
fi

find base sim topo switch routing congestion network workload experiments tests bench docs -name '*.[ch]' -print0 |
	xargs -0 "$format" --dry-run -Werror
