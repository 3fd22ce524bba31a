#!/usr/bin/env bash
# Sweeps: columns by job and by class, quantities as numbers, the short form of axes of points.
source "$(dirname "$0")/run.bash"

# near VALUE WANT TOLERANCE
near() {
	python3 -c 'import sys; v, w, t = map(float, sys.argv[1:]); sys.exit(abs(v - w) > t)' "$@"
}

# column FILE ROW NAME: of a table in CSV, the row by its name
column() {
	python3 -c 'import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    if row["name"] == sys.argv[2]: print(row[sys.argv[3]])' "$@"
}

begin "the guarantees of qos-two-jobs: 80 and 20 percent"
run sweep qos-two-jobs --short --out qos
expect 0
expect_in out '^two, max-min with floors +both +first +0\.98[0-9]+ +0\.(79|80)'
expect_in out '^two, max-min with floors +both +second +1\.00[0-9]+ +0\.20'
expect_in out '^two, max-min with floors +both +high +0\.98[0-9]+ +0\.(79|80)'
both=two--max-min-with-floors_both
for part in jobs.first:.8 jobs.second:.2 classes.high:.8 classes.low:.2; do
	near "$(column qos/summary.csv $both "${part%:*}.accepted_load")" "${part#*:}" .01 ||
		fail "$part: $(column qos/summary.csv $both "${part%:*}.accepted_load")"
done
for name in jobs.first:.8 jobs.second:.2; do
	near "$(grep "\"name\":\"$both\"" qos/summary.jsonl | grep -o "\"${name%:*}.accepted_load\":[0-9.]*" | cut -d: -f2)" "${name#*:}" .01 ||
		fail "summary.jsonl: $name"
done
run report qos --static --out qos.html
expect 0
grep -q '<h4>By job</h4>' qos.html && grep -q '<h4>By class</h4>' qos.html || fail "the page has no tables by job and class"

cat >sizes.cfg <<'END'
title = "t";
config = { time = { warmup = "1us"; measure = "5us"; }; topology = { kind = "single"; ports = 8; };
           traffic = ( { name = "a"; load = 0.2; }, { name = "b"; load = 0.1; nodes = "0-3"; } ); };
grid = ( { path = "traffic.[0].packet"; values = [ "64B", "512B", "1KiB" ]; short = [ "512B" ]; },
         { name = "queue"; points = ( { label = "96KiB"; set = [ "switch.buffer=96KiB" ]; }, { label = "192KiB"; set = [ "switch.buffer=192KiB" ]; } );
           short = [ "192KiB" ]; } );
x = "queue";
repeat = 2;
END
begin "several seeds: means by job"
run sweep sizes.cfg --short --out sizes
expect 0
[ "$(wc -l <sizes/summary.jsonl)" = 1 ] || fail "the short form of an axis of points: $(cat sizes/summary.jsonl)"
for job in a b; do
	mean=$(for log in sizes/points/*.jsonl.gz; do zcat "$log" | grep '"record":"summary"'; done | python3 -c '
import json, sys
v = [next(j for j in json.loads(l)["jobs"] if j["name"] == sys.argv[1])["latency_ns"]["mean"] for l in sys.stdin]
print(sum(v) / len(v))' $job)
	near "$(column sizes/summary.csv "$(tail -1 sizes/summary.csv | cut -d, -f1)" jobs.$job.latency_mean_ns)" "$mean" .001 || fail "$job"
done

cat >alone.cfg <<'END'
title = "t";
config = { time = { warmup = "1us"; measure = "5us"; }; topology = { kind = "single"; ports = 8; }; traffic = ( { name = "a"; load = 0.2; } ); };
grid = ( { name = "beside"; points = ( { label = "alone"; set = [ "seed=1" ]; },
         { label = "two"; set = [ "traffic=( { name = \"a\"; load = 0.2; }, { name = \"b\"; load = 0.1; nodes = \"0-3\"; } )" ]; } ); } );
END
begin "a job that is alone at a point has its columns, where it has company at another"
run sweep alone.cfg --out alone
expect 0
near "$(column alone/summary.csv alone jobs.a.accepted_load)" .2 .02 || fail "$(cat alone/summary.csv)"
[ -z "$(column alone/summary.csv alone jobs.b.accepted_load)" ] || fail "there is no b"
expect_in out '^alone +a +0\.(19|2)'
head -n 1 alone/summary.csv | grep -q classes && fail "columns of the only class"
sed -i 's/"traffic=.*)" \]/"seed=2" ]/' alone.cfg
run sweep alone.cfg --out single
expect 0
head -n 1 single/summary.csv | grep -q jobs && fail "columns of the only job: $(head -n 1 single/summary.csv)"

begin "quantities are numbers of a unit"
run report sizes --static --out sizes.html
expect 0
grep -q 'queue (KiB)' sizes.html || fail "no unit on the axis"

begin "a label of no point"
sed 's/"192KiB" \];/"100KiB" ];/' sizes.cfg >wrong.cfg
run sweep wrong.cfg --short --out wrong
expect 2
expect_in err '^wrong.cfg:[0-9]+: grid.\[1\].short: no point of this axis has the label "100KiB"$'

cat >closed.cfg <<'END'
time = { precision = "3%"; limit = "20ms"; };
topology = { kind = "single"; ports = 8; };
traffic = ( { name = "loop"; process = "ping-pong"; size = "4KiB"; nodes = "0-3"; }, { name = "noise"; load = 0.4; } );
END
begin "closed loops: iterations have an interval, by batches"
run run closed.cfg --out closed.jsonl.gz
expect 0
cp out printed
expect_in out '^mean iteration +[0-9.]+ ns, 95 % interval'
zcat closed.jsonl.gz | grep '"record":"summary"' >summary
python3 - summary <<'END' || fail "no interval about the mean of the iterations"
import json, sys
s = json.load(open(sys.argv[1]))
loop = s["jobs"][0]
for flow in s, loop:
    low, high = flow["interval"]["iteration_ns.mean"]
    mean = flow["iteration_ns"]["mean"]
    assert low < mean < high and high - low < 0.2 * mean, (low, mean, high)
assert "iteration_ns.mean" not in s["jobs"][1]["interval"]
END
run show closed.jsonl.gz
expect 0
expect_out "$(cat printed)"
# of ten other seeds at least seven lie within, whose means vary themselves by as much
inside=0
for seed in 2 3 4 5 6 7 8 9 10 11; do
	"$program" run closed.cfg --seed $seed --json >other 2>err || fail "seed $seed"
	python3 - summary other <<'END' && inside=$((inside + 1))
import json, sys
a, b = (json.load(open(p))["jobs"][0] for p in sys.argv[1:])
low, high = a["interval"]["iteration_ns.mean"]
own = b["interval"]["iteration_ns.mean"]
sys.exit(not (own[0] < high and low < own[1]))
END
done
[ "$inside" -ge 7 ] || fail "only $inside of 10 intervals have a value in common"

begin "the time line by job and class, in the log and as CSV"
cat >bins.cfg <<'END'
topology = { kind = "single"; ports = 8; }; time = { warmup = "1us"; measure = "3us"; };
classes = ( { name = "high"; }, { name = "low"; } );
traffic = ( { name = "a"; load = 0.2; class = "high"; }, { name = "b"; load = 0.1; nodes = "0-3"; class = "low"; },
            { name = "c"; load = 0.1; class = "low"; } );
record = { timeline = "1us"; };
END
run run bins.cfg --out bins.jsonl.gz --csv --quiet
expect 0
zcat bins.jsonl.gz >bins
python3 - <<'END' || fail "parts of bins"
import csv, gzip, json
lines = [json.loads(l) for l in open('bins')]
bins = [l for l in lines if l['record'] == 'timeline']
jobs = next(l for l in lines if l['record'] == 'summary')['jobs']
counts = 'created', 'injected', 'delivered', 'created_bytes', 'delivered_bytes', 'hops'
assert len(bins) >= 4
for b in bins:
    assert [j['name'] for j in b['jobs']] == ['a', 'b', 'c'] and [k['name'] for k in b['classes']] == ['high', 'low']
    for n in counts:
        assert b[n] == sum(j[n] for j in b['jobs']) == sum(k[n] for k in b['classes'])
        assert b['classes'][1][n] == b['jobs'][1][n] + b['jobs'][2][n]
for i, j in enumerate(jobs):
    assert sum(b['jobs'][i]['delivered'] for b in bins) == j['packets']['delivered']
rows = list(csv.DictReader(gzip.open('bins.timeline_parts.csv.gz', 'rt')))
assert len(rows) == 5 * len(bins)
assert all(int(r[n]) == p[n] for r, p in zip(rows, (p for b in bins for p in b['jobs'] + b['classes'])) for n in counts)
END
run run bins.cfg --set 'classes=( { name = "all"; } )' --set 'traffic=( { load = 0.2; } )' --out one.jsonl.gz --csv --quiet
expect 0
[ ! -e one.timeline_parts.csv.gz ] || fail "a table of parts of one job"
! zcat one.jsonl.gz | grep '"timeline"' | grep -q '"jobs":\[' || fail "parts of one job"

begin "every shipped study has a short form that is accepted"
for study in $("$program" list studies --json | grep -o '"name":"[^"]*"' | cut -d'"' -f4); do
	grep -q '^grid' "$tests/../../experiments/shipped/studies/$study.cfg" || continue
	run sweep $study --short --list
	expect 0
done
finish
