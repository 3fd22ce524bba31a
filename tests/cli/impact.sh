#!/usr/bin/env bash
# What others do to a job: `impact` of a sweep, in tables and in the report.
source "$(dirname "$0")/run.bash"

cat >e.cfg <<'END'
title = "impact";
config = { topology = { kind = "single"; ports = 8; }; links = { default = { bandwidth = "100Gbps"; latency = "10ns"; }; };
           switch = { kind = "ideal"; buffer = "64KiB"; }; time = { warmup = "5us"; measure = "20us"; drain = false; };
           traffic = ( { name = "victim"; process = "ping-pong"; size = "1KiB"; packet = "1KiB"; nodes = "0-1"; },
                       { name = "other"; pattern = "incast"; target = 2; load = 0.0; packet = "1KiB"; nodes = "2-7"; } ); };
grid = ( { name = "beside"; points = ( { label = "nothing"; set = [ "traffic.[1].load=0.0" ]; },
                                       { label = "apart"; set = [ "traffic.[1].load=0.9" ]; },
                                       { label = "same"; set = [ "traffic.[1].load=0.15", "traffic.[1].nodes=0,2-7", "traffic.[1].target=0" ]; } ); },
         { name = "victim"; points = ( { label = "small"; set = [ "traffic.[0].size=64B" ]; },
                                       { label = "large"; set = [ "traffic.[0].size=8KiB" ]; } ); } );
impact = { job = "victim"; axis = "beside"; alone = "nothing"; };
END

begin "a job that shares nothing is as fast as alone, one that shares its link is slower"
run sweep e.cfg --out s -j 2
expect 0
expect_in out '^apart +small .* 1\.000 '
expect_in out '^apart +large .* 1\.000 '
expect_in out 'victim \(or of the whole application\), divided by the duration where beside is "nothing"'
python3 - s/summary.csv <<'END' || fail "$(cat s/summary.csv)"
import csv, sys
rows = {(r["beside"], r["victim"]): r for r in csv.DictReader(open(sys.argv[1]))}
for size in ("small", "large"):
    alone = float(rows["nothing", size]["impact_ns"])
    assert float(rows["nothing", size]["impact"]) == 1
    assert float(rows["apart", size]["impact"]) == 1
    same = rows["same", size]
    assert abs(float(same["impact"]) - float(same["impact_ns"]) / alone) < 1e-6
    assert float(same["impact"]) > 1.05
END

begin "the report has it as a coloured table"
run report s --static --out r.html
expect 0
expect_in r.html '<table id="impact">'
expect_in r.html 'background:rgba[(]213,94,0,'
expect_in r.html '<table id="impact">'
[ "$(grep -o 'style="background' r.html | wc -l)" = 4 ] || fail "not four cells"

begin "kept results have it, too"
run sweep e.cfg --out s
expect 0
expect_in out '^apart +large .* 1\.000 '

begin "none where the job's own backlog grows"
cat >g.cfg <<'END'
config = { topology = { kind = "single"; ports = 8; }; links = { default = { bandwidth = "100Gbps"; latency = "10ns"; }; };
           switch = { kind = "ideal"; buffer = "64KiB"; }; time = { warmup = "5us"; measure = "40us"; };
           traffic = ( { name = "victim"; pattern = "incast"; target = 0; load = 0.2; packet = "1KiB"; nodes = "0-2"; },
                       { name = "other"; pattern = "incast"; target = 0; load = 0.0; packet = "1KiB"; nodes = "0,3-7"; } ); };
grid = ( { name = "beside"; points = ( { label = "nothing"; set = [ "traffic.[1].load=0.0" ]; },
                                       { label = "some"; set = [ "traffic.[1].load=0.05" ]; },
                                       { label = "much"; set = [ "traffic.[1].load=0.5" ]; } ); },
         { name = "victim"; points = ( { label = "light"; set = [ "traffic.[0].load=0.2" ]; },
                                       { label = "heavy"; set = [ "traffic.[0].load=0.9" ]; } ); } );
impact = { job = "victim"; axis = "beside"; alone = "nothing"; };
END
run sweep g.cfg --out g
expect 0
expect_in out '^some +light +[.0-9]+ +[.0-9]+ +1[.][0-9]+ '
expect_in out '^much +light +[.0-9]+ +[.0-9]+ +- .*[(]not stationary[)]$'
expect_in out '^nothing +heavy +[.0-9]+ +[.0-9]+ +- .*[(]not stationary[)]$'
expect_in out '; -: none ended, or its backlog grows$'
python3 - g/summary.csv <<'END' || fail "$(cat g/summary.csv)"
import csv, sys
for r in csv.DictReader(open(sys.argv[1])):
    fine = r["victim"] == "light" and r["beside"] != "much"
    assert (r["stationary"] == "true") == fine == bool(r["impact_ns"]) == bool(r["impact"]), r
END

begin "of an application it is of its completion, from its start"
printf 'ranks 2\nrank 0\nsend to=1 tag=1 bytes=100000\nrank 1\nrecv from=0 tag=1 bytes=100000\n' >a.mpi
cat >a.cfg <<'END'
config = { topology = { kind = "single"; ports = 8; }; links = { default = { bandwidth = "100Gbps"; latency = "10ns"; }; };
           switch = { kind = "ideal"; buffer = "64KiB"; }; time = { warmup = "0us"; };
           traffic = ( { name = "victim"; process = "recorded"; file = "a.mpi"; packet = "1KiB"; nodes = "0-1"; start = "5us"; isolate = true; },
                       { name = "other"; pattern = "incast"; target = 1; load = 0.1; packet = "1KiB"; nodes = "1-7"; } ); };
grid = ( { name = "beside"; points = ( { label = "nothing"; set = [ "traffic.[1].load=0.0" ]; },
                                       { label = "same"; set = [ "traffic.[1].load=0.1" ]; } ); } );
impact = { job = "victim"; axis = "beside"; alone = "nothing"; };
END
run sweep a.cfg --out a
expect 0
sed 's/; axis = "beside"; alone = "nothing"//' a.cfg >own.cfg
run sweep own.cfg --out own
expect 0
python3 - a/summary.csv own/summary.csv <<'END' || fail "$(cat a/summary.csv own/summary.csv)"
import csv, sys
one, own = [{r["beside"]: r for r in csv.DictReader(open(f))} for f in sys.argv[1:]]
assert float(one["nothing"]["impact"]) == 1 and 8000 < float(one["nothing"]["impact_ns"]) < 12000
assert float(one["same"]["impact"]) > 1.2
for beside in one:
    for column in ("impact", "impact_ns"):
        assert abs(float(one[beside][column]) / float(own[beside][column]) - 1) < 1e-9
END

begin "what cannot be"
sed 's/axis = "beside"/axis = "besides"/' e.cfg >b.cfg
run sweep b.cfg --out t
expect 2
expect_in err 'impact\.axis: no axis is named "besides"'
sed 's/alone = "nothing"/alone = "none"/' e.cfg >b.cfg
run sweep b.cfg --out t
expect 2
expect_in err 'axis "beside" has no point with the label "none"'
sed 's/impact = { job = "victim"/impact = { job = "victims"/' e.cfg >b.cfg
run sweep b.cfg --out t
expect 2
expect_in err 'impact.job: there is no job "victims"'
sed 's/^impact = .*/impact = { job = "victim"; axis = "beside"; axes = 1; };/' e.cfg >b.cfg
run sweep b.cfg --out t
expect 2
expect_in err 'impact\.axes: unknown key'
expect_in err 'impact\.alone'
[ ! -e t ] || fail "something was written"

finish
