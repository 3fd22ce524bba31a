#!/usr/bin/env bash
# Numbers that the manual quotes from runs are those that the runs give: scripts/renew-docs.sh --check, page by page.
source "$(dirname "$0")/run.bash"
root=$(realpath "$tests/../..")

begin "the check notices a number that is not so"
mkdir -p copy/docs copy/scripts
cp -r "$root"/scripts/renew-docs.sh "$root"/scripts/docs copy/scripts/
for said in 3.1:0 3.2:0 4.1:1; do
	printf 'text\n<!-- renew within 10%%: echo "| a | 3.0 |" -->\n| a | %s |\n<!-- renewed -->\nmore\n' "${said%:*}" >copy/docs/page.md
	copy/scripts/renew-docs.sh --check --tilefly "$program" page >out 2>&1
	status=$?
	expect "${said#*:}"
done
copy/scripts/renew-docs.sh --tilefly "$program" >out 2>&1
status=$?
expect 0
[ "$(cat copy/docs/page.md)" = "$(printf 'text\n<!-- renew within 10%%: echo "| a | 3.0 |" -->\n| a | 3.0 |\n<!-- renewed -->\nmore')" ] ||
	fail "the page is not renewed: $(cat copy/docs/page.md)"

for page in $(grep -lE '^<!-- renew within [0-9.]+%: ' "$root"/docs/*.md); do
	begin "$(basename "$page")"
	"$root/scripts/renew-docs.sh" --check --tilefly "$program" "$(basename "$page")" >out 2>&1
	status=$?
	expect 0
	[ "$status" = 0 ] || sed 's/^/  /' out
done
finish
