#!/usr/bin/env bash
# sweep and report with the real simulator: run, resume, interrupt, go on, draw.
source "$(dirname "$0")/run.bash"

cat >e.cfg <<'END'
title = "small";
config = { topology = { kind = "slimfly"; q = 5; endpoints = 3; }; routing = { kind = "minimal"; };
           time = { warmup = "2us"; measure = "5us"; };
           traffic = ( { pattern = "uniform"; load = 0.5; packet = "256B"; } ); };
set = [ "engine.sync=sequential" ];
grid = ( { path = "routing.kind"; values = [ "minimal", "valiant" ]; }, { path = "traffic.[0].load"; values = [ 0.2, 0.4 ]; } );
expected = ( { x = [ 0.0, 0.4 ]; of_offered = [ 0.9, 1.1 ]; } );
END

begin "a sweep"
run sweep e.cfg --out s -j 2 --check
expect 0
expect_err ""
expect_in out '^valiant +0\.4 '
expect_in out '4 of 4 points are inside their range'
[ "$(wc -l <s/summary.csv)" = 5 ] || fail "summary.csv has not five lines"

begin "the same sweep again keeps every result"
before=$(stat -c %Y%i s/points/*.gz)
run sweep e.cfg --out s --quiet
expect 0
[ "$before" = "$(stat -c %Y%i s/points/*.gz)" ] || fail "a result was made again"

begin "one result, however it is run"
run run s/base.cfg --set routing.kind=valiant --set traffic.[0].load=0.4 --json --quiet
expect 0
digest=$(grep -oE '"digest":"[0-9a-f]{16}"' out | cut -d'"' -f4)
grep -q "$digest" s/summary.csv || fail "the sweep's digest is not the run's"

begin "a point that cannot be built stops nothing else"
run sweep e.cfg --out t --quiet --set topology.q=6
[ "$status" = 1 ] || [ "$status" = 2 ] || fail "status $status"
expect_in err '6 is not a prime power'

begin "an interrupt"
"$program" sweep e.cfg --out i --quiet -j 1 --set time.measure=100ms >out 2>err </dev/null &
sweep=$!
for _ in $(seq 100); do
	pgrep -P "$sweep" >/dev/null && break
	sleep 0.05
done
sleep 1
kill -INT "$sweep"
wait "$sweep"
status=$?
expect 130
expect_in err 'interrupted'
zcat i/points/*.gz | tail -n 1 | grep -q '"complete":false' || fail "the partial result is not valid and marked"
[ "$(grep -c 'not run' i/summary.csv)$(grep -c 'interrupted' i/summary.csv)" = 31 ] || fail "summary.csv does not say what was not run"

if command -v gnuplot >/dev/null; then
	begin "a report"
	run report s s/points/minimal_0.2.jsonl.gz --out r.html --svg figures
	expect 0
	grep -q '</html>' r.html || fail "the page is not whole"
	[ -s figures/accepted-load.svg ] || fail "no figure"
fi

finish
