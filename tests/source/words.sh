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
# The same in the folders that have been rewritten: WORD, EXPECTED, WHERE IT MAY STAND.
core() {
	local found
	found=$(grep -rnwiE "$1" --include=*.[chl] base sim topo switch routing congestion | grep -vE "${3:-^$}")
	[ -z "$found" ] && return
	bad=1
	printf '"%s" is written %s:\n%s\n' "$1" "$2" "$(printf '%s\n' "$found" | cut -c1-200 | head -n 5)"
}

core 'whoever|nobody' 'a subject: the caller, no rank'
core 'who' 'which, the requester, the owner' 'who owns them'
core 'comes? to (nothing|be)|what .* comes to' 'is, equals, has no effect'
core 'goes? on' 'continues'
core 'matters? of chance|foretell' 'unpredictable'
core 'forget|forgotten' 'release, invalidate, clear'
core 'rooms?' 'capacity, space, free bytes' 'refused_room'
core 'lends?' 'runs on the cores of'
core 'worked out' 'computed'
core 'beforehand' 'in advance'
core 'rt_few|rt_told\w*|untold' 'rt_candidates, rt_lookup'
core 'keeps? back|kept back' 'withhold (credits), pause'
core 'asked for' 'requested, prefetched'
core 'taken in' 'accepted'
core 'where that is|what that is' 'if, the'
core 'no matter' 'negligible, irrelevant'

[ "$bad" = 0 ] && echo "passed"
exit "$bad"
