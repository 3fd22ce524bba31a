#!/usr/bin/env bash
# renew-docs.sh [--check] [--slow] [--runs FOLDER] [--tilefly PROGRAM] [PAGE...] - runs what the numbers of docs/ come from, and writes
# them anew.
#
# In a page such numbers stand between two lines,
#     <!-- renew within N%: COMMAND -->
#     <!-- renewed -->
# COMMAND is run by bash in a folder that all blocks of all pages share, with tilefly, scripts/docs/ and bench/ in its path; what it prints
# replaces the lines between. --check compares instead: words must be equal, numbers within N % or one of the last digit; the exit
# status is 1 if they are not. PAGE is a name, "congestion-heatmap"; without one all pages that have such blocks.
# A block "renew slowly within N%: COMMAND" takes up to 12 minutes of two cores; it is left as it is without --slow.
# --runs keeps the results in FOLDER, where commands that resume find what an earlier renewal has run.
set -u
root=$(realpath "$(dirname "$0")/..")
check=
slow=
runs=
program=$root/build/release/bin/tilefly
pages=()
while [ $# -gt 0 ]; do
	case $1 in
	--check) check=1 ;;
	--slow) slow=1 ;;
	--runs)
		mkdir -p "${2:?}" || exit 1
		runs=$(realpath "$2")
		shift
		;;
	--tilefly)
		program=$(realpath "${2:?}")
		shift
		;;
	-*)
		echo "usage: renew-docs.sh [--check] [--slow] [--runs FOLDER] [--tilefly PROGRAM] [PAGE...]" >&2
		exit 2
		;;
	*) pages+=("docs/${1%.md}.md") ;;
	esac
	shift
done
cd "$root" || exit 1
[ ${#pages[@]} -gt 0 ] || mapfile -t pages < <(grep -lE '^<!-- renew (slowly )?within [0-9.]+%: ' docs/*.md)
[ -x "$program" ] || { echo "renew-docs.sh: $program is not there: build it, or name one with --tilefly" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/runs"
runs=${runs:-$work/runs}
ln -s "$program" "$work/bin/tilefly"
export PATH=$work/bin:$root/scripts/docs:$root/bench:$PATH

bad=0
for page in "${pages[@]}"; do
	if ! grep -qE '^<!-- renew (slowly )?within [0-9.]+%: .* -->$' "$page"; then
		echo "renew-docs.sh: $page: no marked block" >&2
		exit 2
	fi
	: >"$work/page"
	inside=
	number=0
	while IFS= read -r line; do
		number=$((number + 1))
		if [[ $line =~ ^'<!-- renew '(slowly )?'within '([0-9.]+)'%: '(.*)' -->'$ ]]; then
			[ -z "$inside" ] || { echo "$page:$number: a block within a block" >&2; exit 2; }
			if [ -n "${BASH_REMATCH[1]}" ] && [ -z "$slow" ]; then
				inside=kept
				printf '%s\n' "$line" >>"$work/page"
				continue
			fi
			inside=renewed
			percent=${BASH_REMATCH[2]}
			command=${BASH_REMATCH[3]}
			printf '%s\n' "$line" >>"$work/page"
			if ! (cd "$runs" && bash -c "$command") >"$work/new" 2>"$work/err" </dev/null || [ ! -s "$work/new" ]; then
				echo "$page:$number: $command: $(tail -n 3 "$work/err")" >&2
				exit 1
			fi
			cat "$work/new" >>"$work/page"
			: >"$work/old"
		elif [ "$line" = '<!-- renewed -->' ]; then
			[ -n "$inside" ] || { echo "$page:$number: no block ends here" >&2; exit 2; }
			printf '%s\n' "$line" >>"$work/page"
			if [ "$inside" = renewed ] && [ -n "$check" ] && ! within.py "$work/old" "$work/new" "$percent" >"$work/said"; then
				sed "s,^,$page:$number: ," "$work/said"
				bad=1
			fi
			inside=
		elif [ "$inside" = renewed ]; then
			printf '%s\n' "$line" >>"$work/old"
		else
			printf '%s\n' "$line" >>"$work/page"
		fi
	done <"$page"
	[ -z "$inside" ] || { echo "$page: the last block has no end" >&2; exit 2; }
	[ -n "$check" ] || cmp -s "$work/page" "$page" || cp "$work/page" "$page"
done
exit "$bad"
