#!/usr/bin/env bash
# record.switch with the real simulator: in the log, in the table, in the page; whole after an interrupt; refused where it makes no sense.
source "$(dirname "$0")/run.bash"

begin "a run with instruments"
run run switch-rosetta-64 --set time.warmup=2us --set time.measure=3us --quiet --out plain.jsonl.gz
expect 0
run run switch-rosetta-64 --set time.warmup=2us --set time.measure=3us --set record.switch=true --quiet --csv --out a.jsonl.gz
expect 0
digest() { zcat "$1" | tail -n 1 | grep -o '"digest":"[0-9a-f]*"'; }
[ "$(digest plain.jsonl.gz)" = "$(digest a.jsonl.gz)" ] || fail "instruments change the digest"
[ "$(zcat plain.jsonl.gz | grep -c '"record":"switch"')" = 0 ] || fail "recorded without being asked for"
[ "$(zcat a.jsonl.gz | grep -c '"record":"switch"')" = 1 ] || fail "not one record"

begin "the stages of every output sum to its latency"
zcat a.switches.csv.gz | awk -F, 'NR > 1 && $2 == "latency_ps" { want[$5] = $7; n++ }
	NR > 1 && $3 == "ps" && $2 !~ /_/ { sum[$5] += $7 }
	END { for (p in want) if (want[p] != sum[p] || want[p] <= 0) bad++; exit n != 64 || bad }' || fail "they do not"

if command -v node >/dev/null; then
	begin "the page"
	run report a.jsonl.gz --out a.html --svg figures --static
	expect 0
	grep -q 'Floor plan of switch 0' a.html || fail "no floor plan"
	[ -s figures/a-floor.svg ] || fail "no figure of the floor plan"
	[ -s figures/a-latency-stack.svg ] || fail "no figure of the latency stack"
	run report plain.jsonl.gz --out plain.html
	expect 0
	! grep -q 'Inside the switches' plain.html || fail "a section about nothing"
fi

begin "without node a page has its tables, and files of figures are an error"
paths=$PATH
PATH=/nowhere
run report a.jsonl.gz --out tables.html --static
PATH=$paths
expect 0
[ "$(wc -l <err)" = 1 ] || fail "not one line: $(cat err)"
expect_in err 'the page has only tables, no figures: .*[(]Debian package nodejs[)]|built without ECharts'
grep -q '<h3>Inside the switches</h3>' tables.html && grep -q '</html>' tables.html || fail "no tables"
for kind in svg png pdf; do
	PATH=/nowhere
	run report a.jsonl.gz --out page.html --$kind none
	PATH=$paths
	expect 1
	[ "$(wc -l <err)" = 1 ] || fail "$kind: not one line: $(cat err)"
	[ -z "$(ls none)" ] || fail "$kind: $(ls none)"
done

begin "a node that is killed is no page without figures"
if ! grep -q 'built without ECharts' err; then
	mkdir killed
	printf '#!/bin/sh\nkill -9 $$\n' >killed/node
	chmod +x killed/node
	for how in "--svg none" --static; do
		PATH=$PWD/killed:$paths
		run report a.jsonl.gz --out page.html $how
		PATH=$paths
		expect 1
		expect_in err 'node was terminated by signal 9'
	done
	printf '#!/bin/sh\nexit 3\n' >killed/node
	PATH=$PWD/killed:$paths
	run report a.jsonl.gz --out page.html --svg none
	PATH=$paths
	expect 1
	expect_in err 'node failed with exit status 3$'
fi

begin "files for print"
if command -v node >/dev/null && command -v rsvg-convert >/dev/null && ! grep -q 'built without ECharts' err; then
	run report a.jsonl.gz --out page.html --svg print --png print --pdf print --width 3.5in
	expect 0
	expect_err ""
	grep -q '^<svg [^>]*width="3.5in"' print/a-floor.svg || fail "$(head -c 200 print/a-floor.svg)"
	[ "$(od -An -tu1 -j 16 -N 4 print/a-floor.png | awk '{ print $3 * 256 + $4 }')" = 1050 ] || fail "not 300 pixels an inch"
	head -c 5 print/a-latency-stack.pdf | grep -q '%PDF-' || fail "no PDF"
fi
for width in 3.5 in 0in 3.5inch -1in; do
	run report a.jsonl.gz --out page.html --svg print --width=$width
	expect 2
	expect_in err "^tilefly report: --width $width: not a length such as 3.5in, 9cm, 89mm or 252pt\$"
done
run report a.jsonl.gz --out page.html --width 3.5in
expect 2
expect_in err 'has an effect only with --svg, --png or --pdf'

begin "an interrupt"
interruptible run switch-rosetta-64 --set time.measure=1s --set record.switch=true --quiet --out i.jsonl.gz >out 2>err </dev/null &
child=$!
sleep 1
kill -INT "$child"
wait "$child"
status=$?
expect 130
zcat i.jsonl.gz | grep -q '"record":"switch"' || fail "no record of the switch"
zcat i.jsonl.gz | tail -n 1 | grep -q '"complete":false' || fail "not marked"

begin "where ports are among the tiles"
run check dragonfly-tiled-1056
expect 0
expect_in out '^tiles +4 x 8, ports of switch 0: local 0-6, global 7-10, terminal 11-14$'
expect_in out '^ +row 0: 0,1 2,3 4,5 6,7 8,9 10,11 12,13 14,-$'
expect_in out '^ +row 3: -,- -,- -,- -,- -,- -,- -,- -,-$'
run check dragonfly-tiled-1056 --set switch.placement=spread
expect 0
expect_in out '^ +row 3: 3,- 7,- 11,- -,- -,- -,- -,- -,-$'
run check switch-rosetta-64 --set topology.ports=4 --set 'switch.placement=listed' --set 'switch.places=[9,0,63,2]' --json
expect 0
expect_in out '"tiles":\{"rows":4,"columns":8,"ports_per_tile":2,"places":\[9,0,63,2\]\}'
run check slimfly-3k
expect 0
! grep -q '^tiles' out || fail "tiles of a switch that has none"
run check switch-rosetta-64 --set 'switch.places=[0]'
expect 2
expect_in err 'switch.places.*placement = "listed"'

begin "what has none"
run check slimfly-3k --set record.switch=true
expect 2
expect_in err 'a switch of kind "ideal" has no instruments'
run run switch-rosetta-64 --set record.switch=true --set record.switches=0-3
expect 2
expect_in err 'there is no switch 3; the last one is 0'
finish
