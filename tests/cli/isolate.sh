#!/usr/bin/env bash
# traffic[].isolate: the job alone as well, and what the others do to it.
source "$(dirname "$0")/run.bash"

two_ranks() {
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 bash "$tests/../mpirun.sh" 2 "$program" "$@"
}

cat >c.cfg <<'END'
topology = { kind = "dragonfly"; p = 2; a = 4; h = 2; };
links = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
switch = { kind = "ideal"; buffer = "8KiB"; };
time = { warmup = "5us"; measure = "40us"; drain = false; };
traffic = ( { name = "victim"; process = "ping-pong"; size = "1KiB"; packet = "1KiB"; nodes = "8"; allocation = "random"; isolate = true; },
            { name = "quiet"; pattern = "uniform"; load = 0.1; packet = "1KiB"; nodes = "8"; isolate = true; },
            { name = "other"; pattern = "uniform"; load = 1.0; packet = "1KiB"; } );
END

begin "what it tells, and that it is what runs without the others tell"
run run c.cfg --json
expect 0
cp out with
run run c.cfg --json --set traffic.[0].isolate=false --set traffic.[1].isolate=false
expect 0
cp out plain
# silent, not absent: the same places and random numbers
run run c.cfg --json --set traffic.[0].isolate=false --set traffic.[1].isolate=false --set traffic.[1].load=0.0 --set traffic.[2].load=0.0
expect 0
cp out victim
run run c.cfg --json --set traffic.[0].isolate=false --set traffic.[1].isolate=false --set traffic.[2].load=0.0 \
	--set traffic.[0].start=44999ns --set traffic.[0].pause=1us
cp out quiet
python3 - <<'END' || fail "$(cat with)"
import json
w, p, v, q = (json.load(open(f)) for f in ("with", "plain", "victim", "quiet"))
assert w["digest"] == p["digest"]
for i in range(3):
    assert {k: x for k, x in w["jobs"][i].items() if k not in ("isolated", "impact")} == p["jobs"][i]
assert "isolated" not in w["jobs"][2] and "impact" not in w["jobs"][2]
a = w["jobs"][0]["isolated"]
assert a["digest"] == v["digest"] and a["complete"] is True
assert all(a[k] == v["jobs"][0][k] for k in v["jobs"][0] if k not in ("name", "endpoints", "idle_endpoints"))
i = w["jobs"][0]["impact"]
assert i["of"] == "iteration_ns"
for k in ("mean", "p99"):
    assert abs(i[k] - w["jobs"][0]["iteration_ns"][k] / a["iteration_ns"][k]) < 1e-9 and i[k] > 1.2
b = w["jobs"][1]
assert b["impact"]["of"] == "latency_ns"
assert abs(b["impact"]["mean"] - b["latency_ns"]["mean"] / b["isolated"]["latency_ns"]["mean"]) < 1e-9
assert b["impact"]["mean"] > 1.2
assert b["isolated"]["packets"]["created"] == q["jobs"][1]["packets"]["created"]
END
run run c.cfg
expect 0
expect_in out '^impact +victim: iterations [0-9.]+ times as long as alone [(][0-9.]+ ns[)] on average, p99 '
expect_in out '^impact +quiet: latency [0-9.]+ times as long as alone '

begin "one answer for every scheduler, threads, ranks"
jobs() {
	python3 -c 'import json, sys; s = json.load(sys.stdin); print(s["digest"], json.dumps(s["jobs"]))'
}
same_everywhere() { # CONFIG WANTED
	local how sync
	for how in "--sync optimistic" "--threads 2" "--sync optimistic --set engine.stress=20" "--audit"; do
		# shellcheck disable=SC2086
		run run "$1" --json $how
		expect 0
		[ "$(jobs <out)" = "$2" ] || fail "$how differs"
	done
	for sync in conservative optimistic; do
		two_ranks run "$1" --json --sync $sync >out 2>err
		status=$?
		expect 0
		[ "$(jobs <out)" = "$2" ] || fail "two ranks, $sync, differ"
	done
}
want=$(jobs <with)
same_everywhere c.cfg "$want"

begin "null where the backlog of the job itself grows, and only then"
cat >g.cfg <<'END'
topology = { kind = "single"; ports = 12; };
links = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
switch = { kind = "ideal"; buffer = "64KiB"; };
traffic = ( { name = "victim"; pattern = "uniform"; load = 0.3; packet = "1KiB"; nodes = "4-7"; isolate = true; },
            { name = "pair"; process = "ping-pong"; size = "1KiB"; packet = "1KiB"; nodes = "8-9"; isolate = true; },
            { name = "other"; pattern = "incast"; target = 0; load = 0.8; packet = "1KiB"; nodes = "0-3"; } );
END
# $1 = of the victim: "" or why its impact is null; the rest: settings
grows() {
	run run g.cfg --json "${@:2}"
	expect 0
	[ "$(python3 -c '
import json
s = json.load(open("out"))
i, p = (s["jobs"][j]["impact"] for j in (0, 1))
known = i["mean"] is not None and abs(i["mean"] - 1) < 0.2 and i["p99"] is not None
assert p["of"] == "iteration_ns" and abs(p["mean"] - 1) < 0.01 and "why" not in p
assert ("why" in i) != known and (i["mean"] is None) == (i["p99"] is None)
print(i.get("why", ""), s["stationary"])')" = "$1" ] || fail "${*:2}: $(cat out)"
}
for time in 'time={warmup="5us";measure="100us";}' 'time={precision="5%";limit="400us";}'; do
	grows " False" --set "$time"
	grows " True" --set "$time" --set traffic.[2].load=0.2
	grows "the job's backlog grows, also when run alone False" --set "$time" --set 'traffic.[0].pattern=incast' --set traffic.[0].load=0.8 --set traffic.[2].load=0.2
	# the other sends to one of the victim's, too
	grows "the job's backlog grows False" --set "$time" --set traffic.[2].nodes=0-7 --set traffic.[2].target=4
	run run g.cfg --set "$time" --set 'traffic.[0].pattern=incast' --set traffic.[0].load=0.8 --quiet --out g.jsonl
	run show g.jsonl
	expect_in out '^impact +victim: unknown: the job.s backlog grows, also when run alone$'
	cp out shown
	run run g.cfg --set "$time" --set 'traffic.[0].pattern=incast' --set traffic.[0].load=0.8
	[ "$(grep '^impact' out)" = "$(grep '^impact' shown)" ] || fail "show: $(grep '^impact' shown)"
done
want=$("$program" run g.cfg --json | jobs)
for how in "--sync optimistic" "--threads 2"; do
	# shellcheck disable=SC2086
	[ "$("$program" run g.cfg --json $how | jobs)" = "$want" ] || fail "$how differs"
done
[ "$(two_ranks run g.cfg --json --sync conservative | jobs)" = "$want" ] || fail "two ranks differ"

begin "diff compares iterations and impacts"
run run c.cfg --quiet --out one.jsonl
run run c.cfg --quiet --out two.jsonl --set traffic.[2].load=0.9
run diff one.jsonl two.jsonl
expect 1
for what in iteration_ns.mean iteration_ns.p99 impact.mean impact.p99; do
	expect_in out "^  jobs.victim.$what +[0-9.]+ +[|] [0-9.]+ .*differs\$"
done
expect_in out '^  jobs.quiet.impact.mean +[0-9.]+ +[|] [0-9.]+ .*differs$'

begin "with time.precision: iterations of the window that was found, for every scheduler"
sed 's/^time = .*/time = { precision = "5%"; limit = "400us"; };/; s/load = 1.0/load = 0.5/' c.cfg >p.cfg
run run p.cfg --json
expect 0
python3 - <<'END' || fail "$(cat out)"
import json
v = json.load(open("out"))["jobs"][0]
i = v["impact"]
assert v["iterations"] > 100 and v["isolated"]["iterations"] > 100 and v["message_latency_ns"]["mean"] > 0
assert i["of"] == "iteration_ns" and i["mean"] > 1.05
for k in ("mean", "p99"):
    assert abs(i[k] - v["iteration_ns"][k] / v["isolated"]["iteration_ns"][k]) < 1e-9
END
want=$(jobs <out)
same_everywhere p.cfg "$want"

begin "with time.precision beside a job whose backlog grows: the run ends early, and says so"
sed 's/^time = .*/time = { precision = "5%"; limit = "400us"; };/' c.cfg >s.cfg
for how in "--json" "--quiet" "--quiet --threads 2"; do
	# shellcheck disable=SC2086
	run run s.cfg $how
	expect 0
	[ "$(wc -l <err)" = 1 ] || fail "not one line: $(cat err)"
	expect_in err '^tilefly run: warning: with time.precision the run of all jobs ended at [0-9.]+ us because it is not stationary: the backlog of ("quiet", )?"other" grows\. The impact on "victim" covers the time until then; '
done
run run s.cfg --quiet --set 'time={warmup="5us";measure="40us";}'
expect_err ''
run run p.cfg --quiet # nothing grows
expect_err ''
run run s.cfg --quiet --set traffic.[0].isolate=false --set traffic.[1].isolate=false
expect_err ''

begin "in the result log"
run run c.cfg --quiet --out r.jsonl
expect 0
expect_in r.jsonl '^[{]"record":"job","name":"victim",.*"isolated":[{]"complete":true,.*"impact":[{]"of":"iteration_ns","mean":'
[ "$(grep -c '"record":"job".*"isolated"' r.jsonl)" = 2 ] || fail "not two isolated jobs"
run report r.jsonl --static --out x.html
expect 0
expect_in x.html 'impact, p99'
want=$(grep '"record":"summary"' r.jsonl | python3 -c 'import json, sys; print("%.3f" % json.load(sys.stdin)["jobs"][0]["impact"]["mean"])')
expect_in x.html "<td>$want</td>"

begin "an application"
cat >a.goal <<'END'
num_ranks 2
rank 0 {
l1: send 100000b to 1 tag 1
}
rank 1 {
l1: recv 100000b from 0 tag 1
}
END
cat >a.cfg <<'END'
topology = { kind = "single"; ports = 4; };
links = { default = { bandwidth = "100Gbps"; latency = "10ns"; }; };
switch = { kind = "ideal"; buffer = "64KiB"; };
traffic = ( { name = "app"; process = "goal"; file = "a.goal"; packet = "1KiB"; nodes = "0-1"; isolate = true; },
            { name = "other"; pattern = "incast"; target = 1; load = 1.0; packet = "1KiB"; nodes = "1-3"; } );
END
run run a.cfg --json
expect 0
python3 - <<'END' || fail "$(cat out)"
import json
j = json.load(open("out"))["jobs"][0]
assert j["impact"]["of"] == "completion_ns" and j["impact"]["p99"] is None
assert abs(j["impact"]["mean"] - j["completion_ns"] / j["isolated"]["completion_ns"]) < 1e-9 and j["impact"]["mean"] > 1.05
END
run run a.cfg --json --set traffic.[0].start=50us --set traffic.[1].start=50us
expect 0
python3 - <<'END' || fail "$(cat out)"
import json
j = json.load(open("out"))["jobs"][0]
assert abs(j["impact"]["mean"] - (j["completion_ns"] - 5e4) / (j["isolated"]["completion_ns"] - 5e4)) < 1e-9 and j["impact"]["mean"] > 1.05
END
# what has not ended has no time of its end, in either run
run run a.cfg --json --set time.limit=5us
expect 1
python3 - <<'END' || fail "$(cat out)"
import json
s = json.load(open("out"))
j = s["jobs"][0]
assert j["processes_finished"] < 2 and j["completion_ns"] is None and s["completion_ns"] is None
assert j["isolated"]["completion_ns"] is None and j["impact"] == {"of": "completion_ns", "mean": None, "p99": None, "why": "the job ended in neither run"}
# one switch, lookahead 10 ns: steps of at least 20 ns, so the limit is kept to within that
assert 0 <= s["simulated_ns"] - 5000 < 20
END
run run a.cfg --out late.jsonl --set time.limit=5us
expect_in out '^completion +none: '
run show late.jsonl
expect_in out '^completion +none: '
run run a.cfg
expect_in out '^impact +app: completion [0-9.]+ times as long as alone '
run run a.cfg --set traffic.[0].isolate=false --set traffic.[1].isolate=true
expect 2
expect_in err "isolate=true: the run ends with another job's process"

begin "interrupted while a job is alone"
interruptible run c.cfg --set time.measure=20s --json --out i.jsonl.gz >out 2>err &
process=$!
sleep 2
kill -INT $process
wait $process
status=$?
expect 130
expect_in out '"complete":false'
expect_in out '"isolated":[{]"complete":false,'
expect_in out '"impact":[{]"of":"iteration_ns","mean":null,"p99":null,"why":"the run of the job alone was stopped"[}]'
zcat i.jsonl.gz | tail -1 | grep -q '"record":"end","complete":false' || fail "no whole log"

begin "refused where there is nothing to compare"
run run slimfly-3k --set traffic.[0].isolate=true
expect 2
expect_in err 'isolate=true: has no effect: there is no other job'

begin "sweeps take the impact of each run"
cat >e.cfg <<'END'
title = "own";
base = "c.cfg";
grid = ( { name = "load"; path = "traffic.[2].load"; values = [ 0.2, 1.0 ]; } );
impact = { job = "victim"; };
END
run sweep e.cfg --out s -j 2
expect 0
expect_in out 'victim \(or of the whole application\), divided by the duration when it runs alone'
python3 - <<'END' || fail "$(cat s/summary.csv)"
import csv, json, gzip, glob
rows = list(csv.DictReader(open("s/summary.csv")))
assert len(rows) == 2
for r in rows:
    assert 1 < float(r["impact"])
assert float(rows[0]["impact"]) < float(rows[1]["impact"])
END
run report s --static --out r.html
expect 0
expect_in r.html '<table id="impact">'
expect_in r.html 'as in a run of it alone'
sed 's/job = "victim"/job = "other"/' e.cfg >b.cfg
run sweep b.cfg --out t
expect 2
expect_in err 'job "other" has neither traffic\[\].isolate nor an impact.axis'

finish
