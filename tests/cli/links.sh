#!/usr/bin/env bash
# Every relative link of the manual and of the README leads to a file.
source "$(dirname "$0")/run.bash"
root=$(cd "$tests/../.." && pwd)
count=0
for page in "$root"/README.md "$root"/docs/*.md; do
	begin "$page"
	while IFS= read -r link; do
		count=$((count + 1))
		[ -e "$(dirname "$page")/$link" ] || fail "no $link"
	done < <(grep -oE '\]\([^)#]+' "$page" | sed 's/^](//' | grep -vE '^[a-z]+:' | sort -u)
done
begin "number of links"
[ "$count" -ge 40 ] || fail "only $count"
finish
