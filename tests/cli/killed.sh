#!/usr/bin/env bash
# A sweep that is killed at random moments, itself or one of its runs, and goes on each time: nothing stale, nothing lost, nothing
# left behind. The moments are drawn from a seed.
source "$(dirname "$0")/run.bash"
RANDOM=20261

cat >e.cfg <<'END'
config = { topology = { kind = "slimfly"; q = 5; endpoints = 3; }; time = { warmup = "1us"; measure = "4us"; };
           traffic = ( { load = 0.5; } ); };
set = [ "engine.sync=sequential" ];
grid = ( { path = "seed"; values = [ 1, 2, 3, 4, 5, 6, 7, 8 ]; } );
END

table() { # without what differs from run to run: times and memory
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) keep[i] = $i !~ /_per_s$|^wall_s$|^peak_rss_bytes$/ }
		{ for (i = 1; i <= NF; i++) if (keep[i]) printf "%s,", $i; print "" }' "$1/summary.csv"
}

begin "undisturbed"
start=$(date +%s%N)
run sweep e.cfg --out calm --quiet -j 2
expect 0
span=$((($(date +%s%N) - start) / 1000)) # us

begin "killed"
kept=0
for turn in $(seq 20); do
	"$program" sweep e.cfg --out rough --quiet -j 2 >out 2>err </dev/null &
	sweep=$!
	sleep "$(printf '0.%06d' $((RANDOM * span / 32768 % 1000000)))"
	if [ $((turn % 4)) = 0 ]; then
		victim=$(pgrep -P $sweep | head -1)
	else
		victim=$sweep
	fi
	[ -n "$victim" ] && kill -KILL "$victim" 2>/dev/null
	wait $sweep 2>/dev/null
	for file in rough/points/*.gz; do
		[ -e "$file" ] || continue
		zcat "$file" | tail -1 | grep -q '"record":"end","complete":true' || fail "turn $turn: $file is not whole"
	done
	now=$(ls rough/points/*.gz 2>/dev/null | wc -l)
	[ "$now" -ge "$kept" ] || fail "turn $turn: a result was lost"
	kept=$now
	[ $((turn % 7)) = 0 ] && rm -f rough/points/[1-4].jsonl.gz && kept=0 # so that there is always something to do
done

begin "resumed"
run sweep e.cfg --out rough --quiet -j 2
expect 0
expect_err ""
diff <(table calm) <(table rough) || fail "the tables differ"
[ "$(cd calm && find . | sort)" = "$(cd rough && find . | sort)" ] || fail "left behind: $(find rough)"

begin "a changed sweep that is killed leaves no table of the one before"
cp -r calm changed
"$program" sweep e.cfg --out changed --quiet -j 1 --set time.measure=8us >out 2>err </dev/null &
sweep=$!
for _ in $(seq 500); do
	[ -n "$(find changed/points -newer changed/sweep.json -name '*.gz')" ] && break
	sleep 0.01
done
kill -KILL $sweep
wait $sweep 2>/dev/null
expect_no_file changed/summary.csv
run report changed --quiet
expect 1
expect_in err '^changed/summary.jsonl: .*; tilefly sweep writes this file when it ends$'
run sweep e.cfg --out changed --quiet -j 2
expect 0
diff <(table calm) <(table changed) || fail "the tables differ"

begin "what is written in their place has their permissions, and links to it stay"
chmod 600 changed/summary.csv
mv changed/summary.jsonl elsewhere.jsonl
ln -s ../elsewhere.jsonl changed/summary.jsonl
run sweep e.cfg --out changed --quiet -j 2 --rerun
expect 0
[ "$(stat -c %a changed/summary.csv)" = 600 ] || fail "$(stat -c %a changed/summary.csv)"
[ -L changed/summary.jsonl ] && [ "$(wc -l <elsewhere.jsonl)" = 8 ] || fail "$(ls -l changed)"

begin "logs that are not those of the table"
cp calm/points/2.jsonl.gz changed/points/1.jsonl.gz
head -c 200 calm/points/3.jsonl.gz >changed/points/3.jsonl.gz
rm changed/points/4.jsonl.gz
run report changed --quiet
expect 0
expect_in err '^changed/points/1.jsonl.gz: warning: has a digest that differs from that in summary.jsonl: the two belong to different sweeps$'
expect_in err '^changed/points/3.jsonl.gz: warning: has no readable result$'
expect_in err '^changed/points/4.jsonl.gz: warning: is missing$'

grep -q '^<p class="bad">3 of the logs of points are missing, damaged' changed/report.html || fail "the page says nothing of it"

begin "an experiment that was changed has its tables or none, whenever it is killed"
for turn in $(seq 8); do
	echo "title = \"turn $turn\";" | cat - e.cfg >turn.cfg
	rm -rf other
	cp -r calm other
	rm other/sweep.json # of e.cfg
	"$program" sweep turn.cfg --out other --quiet -j 2 >out 2>err </dev/null &
	sweep=$!
	for _ in $(seq 2000); do grep -q "turn $turn" other/experiment.cfg && break; done
	kill -KILL $sweep
	wait $sweep 2>/dev/null
	[ ! -e other/summary.csv ] || [ -n "$(find other/summary.csv -newer other/experiment.cfg)" ] || fail "turn $turn: an old table"
done

begin "interrupted while kept points are looked at, or tables are written"
cp -r calm kept
for turn in $(seq 20); do
	rm kept/summary.csv
	interruptible sweep e.cfg --out kept --quiet -j 2 >out 2>err </dev/null &
	sweep=$!
	for _ in $(seq 2000); do
		[ -e kept/.lock ] || [ -e kept/summary.csv ] && break
		sleep 0.001
	done
	sleep "$(printf '0.%06d' $((RANDOM % 20000)))"
	kill -TERM $sweep 2>/dev/null
	wait $sweep
	status=$?
	[ $status = 0 ] || expect 130
	[ -e kept/summary.csv ] || fail "turn $turn, status $status: no tables"
done
run sweep e.cfg --out kept --quiet
expect 0
diff <(table calm) <(table kept) || fail "the tables differ"

begin "a second interrupt"
interruptible sweep e.cfg --out twice --quiet -j 2 --set time.measure=100ms >out 2>err </dev/null &
sweep=$!
for _ in $(seq 100); do
	[ -n "$(pgrep -P $sweep)" ] && break
	sleep 0.02
done
runs=$(pgrep -P $sweep)
touch twice/points/1.jsonl.gz.0123456789abcdef.tmp # as a run that is killed leaves it
kill -TERM $sweep
sleep 0.01
kill -INT $sweep
wait $sweep
status=$?
expect 130
for process in $runs; do
	kill -0 "$process" 2>/dev/null && fail "run $process is still there"
done
expect_no_file twice/.lock
run sweep e.cfg --out twice --quiet -j 2
expect 0
[ -z "$(find twice -name '*.tmp')" ] || fail "left behind: $(find twice)"
finish
