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

if command -v gnuplot >/dev/null; then
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
