#!/usr/bin/env bash
# Traffic as data: matrices, flows and sizes of files, and messages one by one. What is expected follows from the files that are
# written here. One digest, and one result log, whatever the scheduler.
source "$(dirname "$0")/run.bash"
value() { python3 -c "import json; d=json.load(open('out')); print($1)" 2>&1 | tail -1; }
python3 - <<'END'
import random
random.seed(7)
with open("flows.csv", "w") as f, open("classes.csv", "w") as g:
    f.write("source,destination,start_us,bytes\n")
    g.write("start_ns,source,destination,bytes,class\n")
    for i in range(400):
        s, d = random.sample(range(36), 2)
        n = int(10 ** random.uniform(1, 4.7))
        f.write(f"{s},{d},{i * 0.0375:.6f},{n}\n")
        g.write(f"{i * 37.5},{s},{d},{n},{'bulk' if i % 3 else 'short'}\n")
with open("matrix.csv", "w") as f: # dense: a ring of heavy neighbours over a light background, and four silent rows
    for i in range(36):
        f.write(",".join(str(0 if j == i or i % 9 == 8 else 20 if j == (i + 1) % 36 else 1) for j in range(36)) + "\n")
open("sizes.txt", "w").write("64 0.5\n64 0.6\n20000 1\n")
END
cat >net.cfg <<-END
	seed = 3;
	topology = { kind = "torus"; dims = [ 3, 3 ]; endpoints = 4; };
	links    = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
	switch   = { kind = "ideal"; traversal = "100ns"; buffer = "100KB"; };
	routing  = { kind = "minimal"; };
END
job() { # FILE TRAFFIC MORE
	{ cat net.cfg; printf 'traffic = ( %s );\n%s\n' "$2" "$3"; } >"$1"
}
window='time = { warmup = "5us"; measure = "25us"; drain = true; };'
job flows.cfg '{ name = "f"; process = "flows"; file = "flows.csv"; packet = "1000B"; }' 'record = { messages = true; };'
job matrix.cfg '{ name = "m"; pattern = "matrix"; file = "matrix.csv"; load = 0.3; packet = "1000B"; sizes_file = "sizes.txt"; }' "$window record = { messages = true; };"

begin "flows: the run ends with the last, and records add up to the summary and the file"
run run flows.cfg --json --out f.jsonl.gz --set output.csv=true
expect 0
python3 - <<'END' || fail "records"
import csv, gzip, json, math
flows = [(int(r["source"]), int(r["destination"]), round(float(r["start_us"]) * 1e6), int(r["bytes"])) for r in csv.DictReader(open("flows.csv"))]
rows = [json.loads(l) for l in gzip.open("f.jsonl.gz", "rt")]
summary, got = next(r for r in rows if r["record"] == "summary"), [r for r in rows if r["record"] == "message"]
assert sorted((m["src"], m["dst"], m["start_ps"], m["bytes"]) for m in got) == sorted(flows)
assert [m["end_ps"] for m in got] == sorted(m["end_ps"] for m in got)
assert abs(summary["completion_ns"] * 1000 - got[-1]["end_ps"]) < 1
for m in got:
    assert m["slowdown"] >= 1 and abs(m["slowdown"] - (m["end_ps"] - m["start_ps"]) / m["ideal_ps"]) < 1e-9, m
by = {}
for m in got:
    by.setdefault(1 << (m["bytes"].bit_length() - 1), []).append(m)
for said in (summary, summary["jobs"][0], summary["classes"][0]):
    assert [s["from_bytes"] for s in said["slowdown_by_size"]] == sorted(by)
    for s in said["slowdown_by_size"]:
        own = by[s["from_bytes"]]
        assert s["messages"] == len(own) and s["bytes"] == sum(m["bytes"] for m in own) and s["below_bytes"] == 2 * s["from_bytes"]
        assert abs(s["mean"] - sum(m["slowdown"] for m in own) / len(own)) < 2 ** -15, s
        assert abs(s["max"] - max(m["slowdown"] for m in own)) < 2 ** -15
    assert said["slowdown"]["messages"] == len(flows)
    assert abs(said["slowdown"]["mean"] - sum(m["slowdown"] for m in got) / len(got)) < 2 ** -15
table = list(csv.DictReader(gzip.open("f.messages.csv.gz", "rt")))
assert [(int(t["src"]), int(t["dst"]), int(t["start_ps"]), int(t["end_ps"])) for t in table] == [(m["src"], m["dst"], m["start_ps"], m["end_ps"]) for m in got]
assert len(list(csv.DictReader(gzip.open("f.slowdowns.csv.gz", "rt")))) == len(by)
END
run show f.jsonl.gz
expect 0
expect_in out '^slowdown +mean [0-9.]+, median [0-9.]+, p99 [0-9.]+, max [0-9.]+, of 400 messages$'
expect_in out '^ +from B +below B +messages +mean +median +p99 +max$'
run show f.jsonl.gz --record message
[ "$(wc -l <out)" = 401 ] || fail "400 messages are shown"
run diff f.jsonl.gz f.jsonl.gz
expect 0
run report f.jsonl.gz --out page.html
expect 0
grep -q '"slowdowns":\[{"job":"f","points":\[\[' page.html || fail "the page has no slowdowns"

# One flow of 1 MB from one of 16 endpoints: it offers (and gets) the one sender's whole link, 80 us of 81.5; and two processes
# of one node need no network.
begin "flows: endpoints without a flow are no senders, and what has not come is counted"
cat >alone.cfg <<'END'
topology = { kind = "single"; ports = 16; };
links    = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
traffic  = ( { process = "flows"; file = "alone.csv"; packet = "1000B"; } );
record   = { messages = true; };
END
printf '0 0 1 1000000\n' >alone.csv
run run alone.cfg --json
expect 0
expect_in out '"record":"summary".*"offered_load":0.98[0-9]*,'
expect_in out '"jobs":\[\{"name":"job0","endpoints":1,"idle_endpoints":15,"offered_load":0.98'
run run alone.cfg --set time.limit=20us
expect 1
expect_in err '^tilefly run: 1 of 16 processes have not finished, 1 flow is left, at 20.000 us, limited by time.limit$'
run run alone.cfg --set traffic.[0].processes_per_node=2
expect 0
expect_in out '^slowdown +no message between nodes that began in the measured window was delivered$'
printf '0 0 1 1000000 nope\n' >alone.csv
run run alone.cfg
expect 2
expect_in err 'alone.csv:1: there is no class of this name in section classes; the first is "bulk": "nope"$'
: >alone.csv
run run alone.cfg
expect 2
expect_in err 'alone.csv: the file has no flows$'

begin "flows by class: a job takes those of its class, and together they are all"
job classes.cfg '{ name = "a"; process = "flows"; file = "classes.csv"; class = "bulk"; packet = "1000B"; }, { name = "b"; process = "flows"; file = "classes.csv"; class = "short"; packet = "1000B"; }' \
	'classes = ( { name = "bulk"; }, { name = "short"; } ); record = { messages = true; };'
run run classes.cfg --json
expect 0
[ "$(value "[j['slowdown']['messages'] for j in d['jobs']], [c['slowdown']['messages'] for c in d['classes']], d['slowdown']['messages']")" = "[266, 134] [266, 134] 400" ] || fail "messages of jobs, classes and all"
job one.cfg '{ process = "flows"; file = "classes.csv"; class = "bulk"; packet = "1000B"; }, { pattern = "uniform"; load = 0.1; class = "short"; }' 'classes = ( { name = "bulk"; }, { name = "short"; } );'
run run one.cfg
expect 2
expect_in err 'one.cfg:[0-9]+: traffic\.\[0\]\.file: .*classes.csv:2: no job takes the flows of this class: traffic needs one with this file and class = "short": "short"$'

begin "one digest and one log: schedulers, ranks, threads, stress, switches that move, audit"
content() { zcat "$1" | grep -v '"record":"\(manifest\|summary\|engine\|end\)"'; }
for c in flows matrix; do
	run run $c.cfg --json --out $c.jsonl.gz
	expect 0
	want=$(value "d['digest']")
	content $c.jsonl.gz >$c.want
	hows=("--sync optimistic --set engine.stress=20" --audit)
	[ $c = flows ] && hows+=("--set engine.threads=2" "--set engine.path=exact" "--sync conservative")
	for how in "${hows[@]}"; do
		run run $c.cfg --json --out r.jsonl.gz $how
		expect 0
		[ "$(value "d['digest']")" = "$want" ] || fail "$c, $how: another digest"
		content r.jsonl.gz | cmp -s - $c.want || fail "$c, $how: another log"
	done
	how="--sync optimistic --set engine.balance=shake"
	[ $c = flows ] && how="--sync conservative"
	bash "$tests/../mpirun.sh" 2 "$program" run $c.cfg --json --out r.jsonl.gz $how >out 2>err || fail "$c, 2 ranks: $(head -3 err)"
	[ "$(value "d['digest']")" = "$want" ] || fail "$c, 2 ranks, $how: another digest"
	content r.jsonl.gz | cmp -s - $c.want || fail "$c, 2 ranks, $how: another log"
done

begin "what a matrix offers is its rows, idle ones counted out, also in a sweep"
sed "s/ sizes_file = .sizes.txt.;//" matrix.cfg >packets.cfg
run run packets.cfg --json --set time.measure=\"400us\"
expect 0
[ "$(value "d['jobs'][0]['endpoints'] == 32 and d['jobs'][0]['idle_endpoints'] == 4 and abs(d['offered_load'] - 0.3) < 0.01")" = True ] || fail "$(value "d['jobs'][0]['endpoints'], d['offered_load']")"
printf 'base = "matrix.cfg";\ngrid = ( { path = "traffic.[0].load"; values = [ 0.1, 0.2 ]; } );\n' >sweep.cfg
run sweep sweep.cfg --out points --quiet
expect 0
run show points
expect 0

begin "keys without effect, and what is wrong with values"
expect_problem() { # FILE PATTERN OPTION...
	local file=$1 pattern=$2
	shift 2
	run run "$file" "$@"
	expect 2
	expect_in err "$pattern"
}
expect_problem flows.cfg '^--set traffic\.\[0\]\.sizes=hadoop: has an effect only without a process' --set traffic.[0].sizes=hadoop
expect_problem flows.cfg '^--set traffic\.\[0\]\.sizes_file=sizes.txt: has an effect only without a process' --set traffic.[0].sizes_file=sizes.txt
expect_problem flows.cfg '=0.5: has no effect with process "flows"' --set traffic.[0].load=0.5
expect_problem matrix.cfg '=5000B: has no effect with sizes_file, which says how long messages are$' --set traffic.[0].message=5000B
expect_problem matrix.cfg 'sizes names a distribution, too' --set traffic.[0].sizes=storage
expect_problem matrix.cfg 'did you mean "web-search"' --set traffic.[0].sizes=web-serch
printf '0 1 5\n1 0 1\n' >small.csv
# The larger row of weights 3 and 1 sends 1.5 times the mean: 2/3 is the most, and 0.666667 above it.
printf '0 1 3\n1 0 1\n' >third.csv
expect_problem matrix.cfg '=0.666667: .* up to 0.666666 no source does$' --set traffic.[0].between=switches --set traffic.[0].file=third.csv --set traffic.[0].load=0.666667
expect_problem matrix.cfg '=0.9: 0\.9 makes the endpoints of row 0 of the matrix send at 1\.5 times their links. rate; up to 0\.6 no source does$' --set traffic.[0].between=switches --set traffic.[0].file=small.csv --set traffic.[0].load=0.9
expect_problem matrix.cfg 'none.csv cannot be opened: No such file' --set traffic.[0].file=none.csv
printf '0 1 5\n0 36 5\n0 1 -5\n0 1 nan\n0 1 6\n' >bad.csv
expect_problem matrix.cfg 'bad.csv:2: unknown destination: endpoints are numbered from 0 to 35: "36"$' --set traffic.[0].file=bad.csv
expect_in err 'bad.csv:3: a rate is not negative: "-5"$'
expect_in err 'bad.csv:4: a rate is finite: "nan"$'
printf '0 1 5\n0 2 5\n0 1 6\n' >twice.csv
expect_problem matrix.cfg 'twice.csv:3: endpoint 0 to 1 is given twice$' --set traffic.[0].file=twice.csv
gzip -c flows.csv | head -c 2000 >cut.gz
expect_problem flows.cfg 'cut.gz cannot be read: it ends too early$' --set traffic.[0].file=cut.gz
printf '0 1 2 100\n5 1 2\n' >cut.csv
expect_problem flows.cfg 'cut.csv:2: 3 values; a flow has 4 in this file$' --set traffic.[0].file=cut.csv
printf '0 1 2 100\n5 1 2 100\n4 2 1 100\n5 2 2 100\n5 2 36 100\n6 1 2 1e15\n' >back.csv
expect_problem flows.cfg 'back.csv:3: this flow starts before the one above it: flows are in order of their starts: "4"$' --set traffic.[0].file=back.csv
expect_in err 'back.csv:4: the destination of a flow is its source: "2"$'
expect_in err 'back.csv:5: unknown destination: .*0 to 35: "36"$'
expect_in err 'back.csv:6: the bytes of a flow are a whole number from 1 to 2147483647000: "1e15"$'
printf '10 0.5\n20 0.4\n30 1\n' >falls.txt
expect_problem matrix.cfg 'falls.txt:2: the cumulative share falls: "0.4"$' --set traffic.[0].sizes_file=falls.txt
finish
