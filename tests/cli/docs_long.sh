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

begin "slow blocks are left as they are, unless --slow asks for them; --runs keeps the folder of runs"
printf '<!-- renew slowly within 10%%: echo 5 | tee made -->\n7\n<!-- renewed -->\n' >copy/docs/page.md
for option in "--check:0:7" ":0:7" "--check --slow:1:7" "--slow --runs kept:0:5"; do
	IFS=: read -r arguments wanted number <<<"$option"
	# shellcheck disable=SC2086
	copy/scripts/renew-docs.sh $arguments --tilefly "$program" page >out 2>&1
	status=$?
	expect "$wanted"
	[ "$(sed -n 2p copy/docs/page.md)" = "$number" ] || fail "$arguments: $(cat copy/docs/page.md)"
done
[ "$(cat kept/made)" = 5 ] || fail "--runs: the folder of runs is not kept"

for page in $(grep -lE '^<!-- renew within [0-9.]+%: ' "$root"/docs/*.md); do
	begin "$(basename "$page")"
	"$root/scripts/renew-docs.sh" --check --tilefly "$program" "$(basename "$page")" >out 2>&1
	status=$?
	expect 0
	[ "$status" = 0 ] || sed 's/^/  /' out
done
finish
