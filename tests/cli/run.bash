# run.bash - what the command-line tests share; sourced by tests/cli/*.sh with $1 = program, $2 = folder of plug-ins.
#
#   begin NAME            names what follows
#   run WORD...           runs the program; keeps its stdout, stderr and exit status
#   interruptible WORD... runs the program in the background of the script (with &) so that SIGINT reaches it: bash has
#                         jobs without job control ignore it
#   expect STATUS         the exit status
#   expect_out TEXT       all of stdout / expect_err TEXT: all of stderr
#   expect_in FILE REGEX  a line of stdout ("out") or stderr ("err") matches
#   finish                the script's exit status
# Scripts call python3 hundreds of times, and what a version manager puts before the system's starts ten times slower.
[ -x /usr/bin/python3 ] && PATH=/usr/bin:$PATH
program=$(realpath "$1")
plugins=${2:-}
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/tilefly-cli.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
name=start
status=0

begin() {
	name=$1
}

fail() {
	echo "FAILED: $name: $1"
	failures=$((failures + 1))
}

run() {
	"$program" "$@" >out 2>err </dev/null
	status=$?
}

interruptible() {
	exec env --default-signal=INT "$program" "$@"
}

expect() {
	if [ "$status" != "$1" ]; then
		fail "exit status $status, expected $1"
		sed 's/^/  stderr: /' err | head -20
	fi
}

same() {
	if [ "$2" != "$(cat "$1")" ]; then
		fail "std$1 differs"
		diff <(printf '%s\n' "$2") "$1" | sed 's/^/  /' | head -40
	fi
}

expect_out() {
	same out "$1"
}

expect_err() {
	same err "$1"
}

expect_in() {
	if ! grep -qE -- "$2" "$1"; then
		fail "no line of std$1 matches: $2"
		sed 's/^/  /' "$1" | head -20
	fi
}

expect_no_file() {
	if [ -e "$1" ]; then
		fail "$1 exists"
	fi
}

finish() {
	if [ "$failures" != 0 ]; then
		echo "$failures failed"
		exit 1
	fi
	echo passed
}
