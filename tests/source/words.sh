#!/usr/bin/env bash
# Words that readers of this field stumble over, and what they expect instead, in code, help and docs. A word that has an ordinary use
# is named with where it may stand.
cd "$(dirname "$0")/../.." || exit 1
bad=0
# no WORD EXPECTED [WHERE IT MAY STAND]: as a whole word, in any case; WHERE is a regular expression over "file:line:text".
no() {
	local found
	found=$(grep -rnwiE "$1" --include=*.[chly] --include=*.md --include=*.cfg --include=*.cmake --include=*.sh --include=*.py base sim topo \
		switch routing congestion network workload experiments bench docs cmake scripts README.md CONTRIBUTING.md | grep -vE "${3:-^$}")
	[ -z "$found" ] && return
	bad=1
	printf '"%s" is written %s:\n%s\n' "$1" "$2" "$(printf '%s\n' "$found" | cut -c1-200 | head -n 5)"
}

no 'told' 'reported, given, notified, distinguished, known' '\\told = calloc'
no 'heard' 'received, reported'
no 'seats?' 'slots of threads, capacity'
no 'bells?' 'notifications'
no 'lent' 'shared, given to others'
no 'storms?' 'thrashing, a surge of rollbacks'
no 'contests?' 'rounds of runs, a choice'
no 'entrants?' 'candidates'
no 'waves?' 'batches, fronts' '^docs/aspen\.md|^workload/formats/aspen/'
no 'shots?' 'runs'
no 'strangers?' 'new peers, users'
no 'lazy_later' 'the gap to the next'
no 'asked for ahead' 'prefetched'
no 'dismiss(es|ed)?' 'migrate out, release'
no 'adopt(s|ed)?' 'migrate in, take over'
no 'retires?' 'release' '^$'
no 'trials?' 'runs, orders, samples'
[ "$bad" = 0 ] && echo "passed"
exit "$bad"
