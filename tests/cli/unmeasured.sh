#!/usr/bin/env bash
# Results of runs that measured no packet: what cannot be said is said nowhere, and nothing fails on it.
source "$(dirname "$0")/run.bash"

# The last byte of a packet arrives 50 + 100 + 50 ns after its first left, so in 100 ns none does.
cat >none.cfg <<'EOF'
topology = { kind = "single"; ports = 8; };
switch = { kind = "ideal"; };
traffic = ( { pattern = "uniform"; load = 0.5; } );
time = { warmup = "0ps"; measure = "100ns"; drain = "false"; };
EOF
cat >panels.cfg <<'EOF'
title = "panels";
base = "none.cfg";
grid = ( { path = "time.measure"; values = [ "100ns", "5us" ]; }, { path = "topology.ports"; values = [ 8, 16 ]; } );
x = "ports";
panels = "measure";
EOF
cat >loads.cfg <<'EOF'
title = "loads";
base = "none.cfg";
grid = ( { path = "traffic.[0].load"; values = [ 0.2, 0.3 ]; } );
EOF
records=(--set 'record={timeline="50ns"; ports=true; activity=true;}')
run run none.cfg --quiet --out none.jsonl.gz "${records[@]}"
expect 0
run run none.cfg --quiet --out some.jsonl.gz "${records[@]}" --set time.measure=1us
expect 0
run run none.cfg --quiet --out inside.jsonl.gz --set 'switch={kind="tiled";}' --set topology.ports=64 --set record.switch=true
expect 0
for sweep in panels loads; do
	run sweep $sweep.cfg --out $sweep --quiet
	expect 0
done

begin "what cannot be said of no packet is null"
unmeasured='"hops":\{"mean":null,"max":null\},"minimal_fraction":null'
run run none.cfg --json
expect 0
[ "$(grep -oE "$unmeasured" out | wc -l)" = 3 ] || fail "it is not null in all, its job and its class"
run run none.cfg --out jobs.jsonl.gz --csv --set 'traffic=({name="a";nodes="0-3";load=0.5;},{name="b";nodes="4-7";load=0.5;})'
expect 0
! grep -q '^hops' out || fail "hops of no packet"
expect_in out '^a +4  0\.[0-9]+   0\.0000    -          -               -       -$'
cp out printed
run show jobs.jsonl.gz
expect_out "$(cat printed)"
zcat jobs.jobs.csv.gz | grep -qE '^"b",4,.*,,,,,,$' || fail "the table of jobs says something of no packet"
run diff none.jsonl.gz none.jsonl.gz
expect 0

begin "runs that measured nothing are not in the means of a repeated point"
cat >few.cfg <<'EOF'
title = "few";
config = { topology = { kind = "torus"; dims = [ 4, 4 ]; }; switch = { kind = "ideal"; };
           traffic = ( { pattern = "uniform"; load = 0.5; packet = "256B"; } );
           time = { warmup = "0ps"; measure = "200ns"; drain = "true"; }; };
repeat = 12;
grid = ( { path = "traffic.[0].load"; values = [ 0.003, 0.002 ]; } );
EOF
run sweep few.cfg --out few --quiet
expect 0
for load in 0.003 0.002; do
	means=$(zcat few/points/${load}*.jsonl.gz | grep '"record":"summary"' | grep -oP '^.*?"hops":\{"mean":\K[0-9.a-z]+')
	echo "$means" | grep -q null || fail "$load: every run has measured something, so this tests nothing"
	want=$(echo "$means" | awk '!/null/ { s += $1; n++ } END { printf "%.6f", s / n }')
	got=$(awk -F, -v load=$load 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "hops_mean") c = i } $1 == load { printf "%.6f", $c }' few/summary.csv)
	[ "$want" = "$got" ] || fail "$load: $got hops, not $want"
	grep "\"name\":\"$load\"" few/summary.jsonl | grep -q '"minimal_fraction":1.0' || fail "$load: minimal routing is not minimal"
done

if command -v node >/dev/null; then
	begin "figures without points are left out"
	nothing='No distribution of latency is drawn: no packet was measured'
	for how in "--static" "--svg figures" "--static --svg figures"; do
		run report none.jsonl.gz --out none.html $how
		expect 0
		[ "$(grep -c "$nothing" none.html)" = 1 ] || fail "$how: the page of one does not say it"
		run report none.jsonl.gz some.jsonl.gz inside.jsonl.gz panels loads --out all.html $how
		expect 0
		[ "$(grep -c "$nothing" all.html)" = 2 ] || fail "$how: the page of all does not say it twice"
		[ "$(grep -c 'No latency is drawn: no point has measured one' all.html)" = 1 ] || fail "$how: the sweep does not say it"
	done
	ls figures >names
	expect_no_file figures/none-latency-distribution.svg
	[ -s figures/some-latency-distribution.svg ] || fail "no distribution of a run that has one"

	begin "a page that cannot be drawn whole has the other inputs"
	echo '{}' >bad.jsonl
	run report bad.jsonl loads --static --out rest.html
	[ "$status" != 0 ] || fail "no error"
	grep -q '<h2[^>]*>loads' rest.html || fail "the sweep behind it is not there"
fi
finish
