# What tests of pages begin with: a folder of their own, and what they need, or they are skipped (exit status 77). $1: the
# program, $2: axe-core's script.
# shellcheck shell=bash disable=SC2034
set -u
program=$(realpath "$1")
axe=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/tilefly-page.XXXXXX")
trap 'rm -rf "$work"' EXIT
skip() {
	echo "skipped: $1; scripts/bootstrap.sh --tests and scripts/build.sh install what is needed"
	exit 77
}
chromium=$(command -v chromium || command -v chromium-browser || true)
driver=$(command -v chromedriver || true)
[ -n "$chromium" ] && [ -n "$driver" ] || skip "chromium or its driver is missing (Debian: chromium, chromium-driver)"
/usr/bin/python3 -c 'import selenium' 2>/dev/null || skip "Python's selenium is missing (Debian: python3-selenium)"
[ -s "$axe" ] || skip "axe-core is missing (scripts/web.sh installs it with npm)"
cd "$work" || exit 1

# A page of results, or the test is skipped.
report_page() { # OUT PATH...
	local out=$1
	shift
	"$program" report "$@" --out "$out" --quiet 2>err || { cat err; exit 1; }
	if grep -q 'built without ECharts' err; then
		skip "the program was built without ECharts"
	fi
}
