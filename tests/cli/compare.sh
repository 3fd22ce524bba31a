#!/usr/bin/env bash
# tilefly compare: sized, bounded, simulated, ranked; the same digest however it is run; what is wrong with a study.
source "$(dirname "$0")/run.bash"

cat >s.cfg <<'E'
title = "small";
config = { links  = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; };
           switch = { kind = "ideal"; buffer = "32KB"; };
           cost   = { kind = "sc14-linear"; }; };
equal = "cost"; budget = "60000USD"; radix = 20;
candidates = ( "slimfly", "hyperx-2d", "oft", { family = "jellyfish"; name = "random"; } );
routings = ( "minimal", "valiant" );
job = { packet = "512B"; injection = "bernoulli"; };
traffic = ( "uniform", "worst-permutation" );
collectives = ( { process = "allreduce"; sizes = [ "8B", "4KiB" ]; }, { process = "all-to-all"; phases = 8; finalists = true; } );
short = 60; long = 150; finalists = 1;
curve = [0.2, 0.4]; failures = [0.1, 0.3];
E
get() { # EXPRESSION of d, the comparison; s["design traffic"]
	python3 -c "
import json
d = json.load(open('${2:-out}'))
s = {x['name'] + ' ' + y['traffic']: y for x in d['designs'] for y in x['series']}
n = {x['name']: x for x in d['networks']}
print($1)"
}
is() { # WHAT EXPRESSION VALUE
	local got
	got=$(get "$2")
	[ "$got" = "$3" ] || fail "$1: $got, not $3"
}

begin "bounds only"
run compare s.cfg --bounds --json
expect 0
expect_no_file results
is "within the budget" 'all(x["spent"] <= 60000 for x in d["networks"] if not x["failed"])' True
run topo - --set "topology=$(get 'n["slimfly"]["topology"]')" --set routing.kind=valiant --set links.default.bandwidth=40Gbps --bounds --json </dev/null
cp out topo.json
run compare s.cfg --bounds --json
bound=$(python3 -c "import json; print('%.9f' % json.load(open('topo.json'))['bounds']['routing']['worst_permutation']['throughput'])")
is "the bound of tilefly topo" '"%.9f" % s["slimfly_valiant worst-permutation"]["bound"]' "$bound"
is "what is not found has its reason" '"its size is free" in n["random"]["failed"]' True

begin "a budget and a floor of endpoints"
sed -e 's/budget = "60000USD"/budget = "250000USD"; endpoints = 120/' -e 's/, { family = "jellyfish"; name = "random"; }//' s.cfg >floor.cfg
run compare floor.cfg --bounds --json
expect 0
is "no fewer endpoints" 'all(x["endpoints"] >= 120 and x["spent"] <= 250000 for x in d["networks"] if not x["failed"]) and len([x for x in d["networks"] if not x["failed"]]) >= 2' True

begin "single cables"
sed 's/^candidates = ( "slimfly",/trunk = 1; candidates = ( { family = "slimfly"; trunk = 3; },/' s.cfg >single.cfg
run compare single.cfg --bounds --json
expect 0
is "of the study" '"trunk = [1, 1]" in n["hyperx-2d"]["topology"] and "trunk = 1" in n["oft"]["topology"]' True
run compare s.cfg --bounds
expect_in out '^   slimfly +35 %: its switches need only 7 ports, and the budget is the limit'
run compare s.cfg --bounds --json
is "why ports are left" 'all(bool(x.get("ports_unused_because")) == (x["ports_used"] < 0.85) for x in d["networks"] if not x["failed"])' True

begin "a comparison"
run compare s.cfg --out a --json
expect 0
digest=$(get 'd["digest"]')
is complete 'd["complete"]' True
is "intervals in order and below the bound" 'all(y["saturation"][0] <= y["saturation"][1] <= min(1, y["bound"]) + 1e-12 for y in s.values() if y["state"] != "failed")' True
is "minimal uniform is near its bound" 'all(y["saturation"][1] >= 0.9 * min(1, y["bound"]) for k, y in s.items() if "minimal uniform" in k and y["state"] != "failed")' True
is "somebody is first" 'sorted(y["place"] for k, y in s.items() if k.endswith("uniform") and "place" in y)[0]' 1
is "places are those of the intervals" 'all(y["place"] == 1 + sum(z["worth"][0] > y["worth"][1] for m, z in s.items() if "worth" in z and z["traffic"] == y["traffic"]) for y in s.values() if "place" in y)' True
is "collectives of finalists" 'all(c["time_ns"] > 0 for x in d["designs"] if x["finalist"] for c in x["collectives"])' True
is "a finalist runs all of them" 'max(len(x["collectives"]) for x in d["designs"])' 3
is "a curve at the loads that are carried" 'all(p["load"] in (0.2, 0.4) and p["load"] <= s[x["name"] + " uniform"]["saturation"][0] and p["mean_half_width_ns"] <= 0.03 * p["mean_ns"] for x in d["designs"] for p in x["curve"])' True
is "of what was simulated" 'all(bool(s[x["name"] + " uniform"]["points"]) >= bool(x["curve"]) for x in d["designs"]) and max(len(x["curve"]) for x in d["designs"])' 2
is "what is left of cables that fail" 'all([r["share"] for r in x["resilience"]["removed"]] == [0.1, 0.3] and x["resilience"]["removed"][0]["uniform_left"] > (x["resilience"]["removed"][1]["uniform_left"] or 0) for x in n.values() if not x["failed"])' True
cat >ties.py <<'E'
import json
d = json.load(open('out'))
n = {x['name']: x for x in d['networks']}
checked = 0
for t in d['first_place_changes']:
    part = 'optical_cables' if t['price_of'] == 'optical cables' else 'ports'
    def first(factor): # by the cost of a Gb/s, of what was simulated
        dear = {}
        for x in d['designs']:
            y = next(y for y in x['series'] if y['traffic'] == t['traffic'])
            if y.get('saturation', [0])[0] > 0:
                net, gbps = n[x['network']], sum(y['delivered_gbps']) / 2
                dear[x['name']] = (net['cost_per_endpoint'] + (factor - 1) * net['cost_parts_per_endpoint'][part]) * net['endpoints'] / gbps
        return min(dear, key=dear.get)
    for side, way in (('above', 1.001), ('below', 0.999)):
        factor = t[side + '_factor']
        if factor:
            assert first(factor * way) == t[side + '_first'] and first(factor / way) == first(1), t
            checked += 1
print(checked)
E
[ "$(python3 ties.py)" -ge 2 ] || fail "factors at which the first place changes"
is "short before long" 'd["spent"]["short"]["runs"] > d["spent"]["long"]["runs"]' True
[ "$(head -c 33 a/ranking.csv)" = "traffic,message,place,shared_by,d" ] || fail "ranking.csv"
cmp -s out a/compare.json || fail "compare.json is not what --json prints"

# The same steps of two networks, in shorter runs.
sed -e 's/, "oft", { family = "jellyfish"; name = "random"; }//' -e 's/short = 60; long = 150/short = 20; long = 40/; s/"8B", "4KiB"/"8B"/; s/phases = 8/phases = 2/; s/^curve.*/curve = [0.2]; failures = [0.3];/' s.cfg >few.cfg
begin "the same digest on two ranks, and in one process"
run compare few.cfg --out few --json
expect 0
is "curves and collectives of finalists are among them" 'any(x["curve"] for x in d["designs"]) and any(len(x["collectives"]) == 2 for x in d["designs"])' True
digest_few=$(get 'd["digest"]')
if [ -n "${TILEFLY_MPIEXEC:-}" ]; then
	"$TILEFLY_MPIEXEC" --oversubscribe --allow-run-as-root -n 2 "$program" compare few.cfg --out b --json >out 2>err </dev/null || fail "mpiexec: $(head -3 err)"
	is "on two ranks" 'd["digest"]' "$digest_few"
fi
run compare few.cfg --out c -j 1 --json
expect 0
is "one at a time" 'd["digest"]' "$digest_few"
run compare few.cfg --out c --json --seed 2
[ "$(get 'd["digest"]')" != "$digest_few" ] || fail "another seed has the same digest"

begin "kept, and gone on with"
before=$(stat -c %Y%i a/points/*.gz)
run compare s.cfg --out a --quiet
expect 0
expect_out ""
[ "$before" = "$(stat -c %Y%i a/points/*.gz)" ] || fail "a run was made again"
rm "$(ls a/points/*.gz | head -1)"
run compare s.cfg --out a --json
is "after a run was lost" 'd["digest"]' "$digest"

begin "a report of the folder when its table is gone"
mv a/compare.json kept
run report a --out page.html
expect 1
expect_err "a/compare.json: is missing; experiment.cfg in the same directory is a study of tilefly compare, which writes it"
expect_no_file page.html
mv kept a/compare.json

begin "a file that goes away is no result of its network"
for ((i = 0; i < 20; i++)); do echo "$i $(((i + 1) % 20))"; done >ring.edges
sed -e 's/^candidates.*/candidates = ( { topology = { kind = "edges"; file = "ring.edges"; endpoints = 2; }; name = "ring"; }, "hyperx-2d" );/' \
	-e '/^collectives/d' -e 's/equal = "cost"; budget = "60000USD"/equal = "endpoints"; endpoints = 40/' few.cfg >g.cfg
run compare g.cfg --out g --json -j 1
expect 0
digest_g=$(get 'd["digest"]')
rm -r g
"$program" compare g.cfg --out g --json -j 1 >out 2>err </dev/null &
child=$!
for _ in $(seq 500); do
	[ "$(ls g/points 2>/dev/null | wc -l)" -ge 2 ] && break
	sleep 0.01
done
mv ring.edges away.edges
wait $child
status=$?
expect 1
expect_in err 'ring.edges .*cannot be read any more while the sweep ran$'
is "partial" 'd["complete"]' False
mv away.edges ring.edges
run compare g.cfg --out g --json -j 1
expect 0
is "gone on with" 'd["digest"]' "$digest_g"

begin "interrupted"
interruptible compare few.cfg --out i --json -j 1 >out 2>err </dev/null &
child=$!
for _ in $(seq 1000); do
	[ "$(ls i/points 2>/dev/null | wc -l)" -ge 3 ] && break
	sleep 0.01
done
kill -INT $child
wait $child
status=$?
if [ "$status" = 130 ]; then
	is "partial and valid" 'd["complete"]' False
	expect_in err 'rerun the command to resume'
elif [ "$status" != 0 ] || [ ! -e i/compare.json ]; then
	[ -e i/compare.json ] || fail "status $status and no table"
fi
run compare few.cfg --out i --json
expect 0
is "gone on with" 'd["digest"]' "$digest_few"

begin "a folder whose name libconfig must have escaped"
cat >quoted.cfg <<'E'
config = { links = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; }; switch = { kind = "ideal"; buffer = "32KB"; }; };
candidates = ( { name = "ring"; topology = { kind = "torus"; dims = [5]; }; } );
routings = ( "minimal" ); traffic = ( "worst-permutation" );
short = 20; long = 40;
E
run compare quoted.cfg --out 'q"x\y' --json
expect 0
is "the worst permutation runs" '[y["state"] != "failed" and bool(y["points"]) for y in s.values()]' '[True]'

begin "a run that somebody ends is no result of its network"
sed 's/short = 20; long = 40/short = 500000; long = 1000000/' quoted.cfg >slow.cfg
interruptible compare slow.cfg --out ended --json -j 1 --set engine.sync=sequential >out 2>err </dev/null &
child=$!
for _ in $(seq 500); do
	victim=$(pgrep -P $child | head -1)
	[ -n "$victim" ] && break
	sleep 0.01
done
sleep 0.1
kill -TERM "$victim"
wait $child
status=$?
expect 1
expect_in err 'failed, (exit status 130|ended by signal 15)'
is "incomplete" 'd["complete"]' False

begin "an old log that cannot be written again"
as_user() { # COMMAND...: for whom write-protection holds
	if [ "$(id -u)" = 0 ]; then setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; else "$@"; fi
}
run compare quoted.cfg --out old --quiet
expect 0
chmod 444 old/points/*
[ "$(id -u)" = 0 ] && chmod 755 . && chown -R 65534 old && chown 0 old/points/*
if as_user test -x "$program" -a -w old 2>/dev/null; then
	as_user "$program" compare quoted.cfg --out old --json --rerun >out 2>err </dev/null
	status=$?
	expect 1
	expect_in err 'failed, exit status 1: .*write-protected'
	is "incomplete" 'd["complete"]' False
fi

begin "another study's folder"
sed 's/small/other/' s.cfg >t.cfg
run compare t.cfg --out a
expect 2
expect_in err 'contains the results of another experiment'

begin "topologies as they are given, and a routing that does not go with one"
cat >g.cfg <<'E'
config = { links = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; }; switch = { kind = "ideal"; buffer = "32KB"; }; };
candidates = ( { name = "fly"; topology = { kind = "dragonfly"; p = 1; a = 2; h = 1; }; },
               { name = "ring"; topology = { kind = "torus"; dims = [5]; }; },
               { name = "wrong"; topology = { kind = "slimfly"; q = 6; endpoints = 2; }; } );
routings = ( { name = "groups"; kind = "valiant"; via = "group"; } );
job = { packet = "256B"; };
traffic = ( "uniform" );
short = 40; long = 80;
E
run compare g.cfg --out g
expect 0
expect_in out '^  wrong: .*6 is not a prime power'
expect_in out '^  ring_groups: '
expect_in out '^1 +fly_groups '

begin "links of classes that some networks have"
cat >l.cfg <<'E'
config = { links  = { default = { bandwidth = "40Gbps"; latency = "50ns"; };
                      terminal = { bandwidth = "80Gbps"; };
                      local = { bandwidth = "80Gbps"; };
                      global = { latency = "500ns"; }; };
           switch = { kind = "ideal"; buffer = "32KB"; }; };
candidates = ( { name = "fly"; topology = { kind = "dragonfly"; a = 4; h = 2; p = 2; g = 9; }; },
               { name = "rook"; topology = { kind = "hyperx"; dims = [4, 4]; endpoints = 2; }; } );
routings = ( "minimal" );
traffic = ( "uniform" );
short = 20; long = 40;
E
run compare l.cfg --out l --json
expect 0
is "both run" 'sorted(s[k]["state"] != "failed" and bool(s[k]["points"]) for k in s)' '[True, True]'
cat >links.py <<'E'
import glob, gzip, json, sys
for name in 'fly', 'rook':
    for file in glob.glob('%s/points/%s-*' % (sys.argv[1], name)):
        links = json.loads(gzip.open(file).readline())['config']['links']
        assert links['local']['bandwidth'] == links['terminal']['bandwidth'] == '80Gbps', links
        if name == 'fly':
            assert (links['global']['bandwidth'], links['global']['latency']) == ('40Gbps', sys.argv[2]), links
        else:
            assert 'global' not in links, links
E
python3 links.py l 500ns || fail "links of runs"
run compare l.cfg --out near --json --set links.global.latency=1us
expect 0
python3 links.py near 1us || fail "links of runs, by the command line"
run compare l.cfg --bounds --set links.globl.latency=1us
expect 2
expect_in err '^--set links.globl.latency=1us: there is no link class of this name in the networks; did you mean "global"'
sed '/name = "fly"/d; s/^ *\({ name = "rook"\)/candidates = ( \1/' l.cfg >rook.cfg
run compare rook.cfg --out rook
expect 2
expect_no_file rook
expect_in err '^rook.cfg:4: links.global: there is no link class of this name in the networks; .*Available: default, terminal, local$'
sed -i '/global/d; s/local = .*/& };/' rook.cfg
run compare rook.cfg --out rook
expect 2
expect_in err '^rook.cfg:1: links.default.bandwidth: has no effect in this network: every class of links sets its own value'

# Tori that choke carry less in long runs than in short ones, which had put the mesh out by its bound.
begin "what was put out is run when what is certain has fallen"
cat >fallen.cfg <<'E'
config = { links  = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; }; switch = { kind = "ideal"; buffer = "32KB"; }; };
candidates = ( { name = "a"; topology = { kind = "torus"; dims = [8, 8]; }; }, { name = "b"; topology = { kind = "torus"; dims = [8, 8]; }; },
               { name = "c"; topology = { kind = "torus"; dims = [8, 8]; }; }, { name = "d"; topology = { kind = "torus"; dims = [8, 8]; }; },
               { name = "mesh"; topology = { kind = "hyperx"; dims = [18]; trunk = 4; endpoints = 5; }; } );
routings = ( "minimal" ); job = { packet = "512B"; }; traffic = ( "worst-permutation" );
width = "1%"; short = 150; long = 400; finalists = 1; failures = []; latency_load = 0.01;
E
run compare fallen.cfg --out fallen --json
expect 0
is "a torus choked" 'any(p["fidelity"] == "short" and p["jobs"][0]["accepted_load"] > s["a_minimal worst-permutation"]["saturation"][0] for p in s["a_minimal worst-permutation"]["points"])' True
is "nothing that may be first is left out" 'all(y["state"] != "eliminated" or y["worth"][1] < max(z["worth"][0] for z in s.values()) for y in s.values())' True

begin "adaptive routings begin at the most that others carry of the same network, a twentieth above"
sed -e 's/"hyperx-2d".*)/"hyperx-2d")/; s/"valiant" )/"valiant", "ugal-l" )/; /^collectives/d; s/^curve.*/curve = [];/' s.cfg >siblings.cfg
run compare siblings.cfg --out siblings --json
expect 0
for network in slimfly hyperx-2d; do
	is "$network" 'round(s["'$network'_ugal-l worst-permutation"]["points"][0]["load"] / max(s["'$network'_" + r + " worst-permutation"]["bound"] for r in ("minimal", "valiant")), 4)' 1.05
done

# 8 endpoints of a group send to the other group, over 4 cables; a switch alone would let its two send all
begin "no routing carries more than the cables between groups"
cat >cut.cfg <<'E'
config = { links = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; }; switch = { kind = "ideal"; }; };
equal = "endpoints"; endpoints = 16;
candidates = ( { topology = { kind = "dragonfly"; p = 2; a = 4; h = 1; g = 2; }; } );
traffic = ( "worst-case" ); routings = ( "ugal-l" );
E
run compare cut.cfg --bounds --json
expect 0
[ "$(python3 -c 'import json; print([r["bound"] for d in json.load(open("out"))["designs"] for r in d["series"]])' 2>&1)" = "[0.5]" ] || fail "$(cat out err)"

begin "windows are as long as buffers are deep under a worst permutation, too"
cat >deep.cfg <<'E'
config = { links = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; }; switch = { kind = "ideal"; buffer = "128KB"; }; };
candidates = ( { name = "d"; topology = { kind = "dragonfly-plus"; leaves = 4; spines = 4; p = 3; h = 2; g = 5; arrangement = "consecutive"; }; } );
routings = ( "minimal", "valiant", "ugal-l" );
job = { packet = "512B"; };
traffic = ( "worst-permutation" );
E
run compare deep.cfg --out deep --json
expect 0
is "who is first" '[x["name"] for x in d["designs"] for y in x["series"] if y.get("place") == 1]' "['d_ugal-l']"
is "it carries .47 for milliseconds" 's["d_ugal-l worst-permutation"]["saturation"][0] > 0.47' True

begin "a backlog that is said to grow at a load that is carried: a second run decides"
cat >edge.cfg <<'E'
config = { seed = 210; links = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; }; switch = { kind = "ideal"; buffer = "8KB"; }; };
candidates = ( { name = "t"; topology = { kind = "torus"; dims = [6, 6]; endpoints = 2; }; } );
routings = ( "minimal" );
job = { packet = "512B"; };
traffic = ( "uniform" );
precision = "5%";
latency_load = 0.488;
E
run compare edge.cfg --out edge --json
expect 0
is "its latency; 1 + 4 ms give 1,198" '[1100 < x["latency"]["mean_ns"] < 1260 for x in d["designs"]]' '[True]'
[ "$(ls edge/points/*latency*-again* | wc -l)" = 1 ] || fail "there is no second run"

# Five switches of four endpoints, all joined: uniform traffic puts 16 / 19 of what an endpoint injects on a cable, the worst
# permutation 4, and half of each (16 / 19 + 4) / 2 = 2.4211, of which .41304 can be carried.
begin "a mix of traffic by weights"
cat >mixed.cfg <<'E'
config = { links = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; }; switch = { kind = "ideal"; buffer = "32KB"; }; };
candidates = ( { name = "mesh"; topology = { kind = "hyperx"; dims = [5]; endpoints = 4; }; } );
routings = ( "minimal", "valiant" ); job = { packet = "512B"; injection = "bernoulli"; };
traffic = ( "uniform", "worst-permutation", { name = "half"; parts = [ "uniform", "worst-permutation" ]; weights = [ 2, 2 ]; } );
collectives = ( { process = "all-to-all"; sizes = [ "64B" ]; }, "allreduce" );
short = 100; long = 300; curve = []; failures = []; eliminate = false;
E
run compare mixed.cfg --out mixed --json
expect 0
is "the bound" '"%.5f" % s["mesh_minimal half"]["bound"]' 0.41304
is "what is delivered" '0.93 * 0.41304 < s["mesh_minimal half"]["saturation"][0] < s["mesh_minimal half"]["saturation"][1] <= 0.41305' True
is "all endpoints send both" '"%.3f" % (s["mesh_minimal half"]["delivered_gbps"][1] / s["mesh_minimal half"]["saturation"][1] / 40)' 20.000
is "loads of its jobs" 'all(abs(j["offered_load"] / p["load"] - 0.5) < 0.05 for p in s["mesh_minimal half"]["points"] for j in p["jobs"] if j["offered_load"] > 0)' True
is "what it is of" 'd["mixes"]' "[{'name': 'half', 'weights': {'uniform': 0.5, 'worst-permutation': 0.5}}]"
begin "collectives are rankings of their own, with intervals by seeds"
cat >rank.py <<'E'
import json, math
d = json.load(open('out'))
n = {x['name']: x for x in d['networks']}
t = 4.302653 # Student, two degrees of freedom, 95 %
def mean_half(v):
    mean = sum(v) / len(v)
    return mean, t * math.sqrt(sum((x - mean) ** 2 for x in v) / (len(v) - 1) / len(v))
for name in 'all-to-all', 'allreduce':
    of = {x['name']: next(c for c in x['collectives'] if c['name'] == name) for x in d['designs']}
    assert len(of) == 2 and all(len(c['times_ns']) == 3 for c in of.values())
    for c in of.values():
        mean, half = mean_half(c['times_ns'])
        assert abs(c['time_ns'] - mean) < 1e-6 * mean and abs(c['half_width_ns'] - half) < 1e-4 * mean, c
        better = sum((lambda m, h: m > h)(*mean_half([math.log(a / b) for a, b in zip(c['times_ns'], o['times_ns'])]))
                     for o in of.values() if o is not c)
        assert c['place'] == 1 + better, (name, c, better)
a = {x['name']: x['collectives'][0] for x in d['designs']}['mesh_minimal']
gbps = [64 * 8 * 20 * 19 / x for x in a['times_ns']]
ports = 5 * (4 + 4) # used
assert abs(sum(a['worth']) / 2 - sum(gbps) / 3 / ports) < 1e-6 * a['worth'][0], a
E
python3 rank.py || fail "$(cat out | head -c 300)"
[ "$(grep -c '^all-to-all,64B,[12],' mixed/ranking.csv)" = 2 ] || fail "ranking.csv: $(cat mixed/ranking.csv)"
run compare mixed.cfg --out mixed
expect 0
expect_in out '^half = 0.5 uniform \+ 0.5 worst-permutation: Gb/s delivered per port used$'
expect_in out '^allreduce 8B: time until the last endpoint has finished, shortest first$'
sed -e 's/parts = .*\]; w/parts = [ "uniform", "nothing" ]; w/' -e 's/\[ 2, 2 \]/[ 2, 0 ]/' mixed.cfg >bad.cfg
run compare bad.cfg --out bad
expect 2
expect_in err '^bad.cfg:4: traffic.\[2\].parts: "nothing" does not name a pattern that precedes it'
expect_in err '^bad.cfg:4: traffic.\[2\].weights: must have one number for each part of the mix, each above 0'

begin "a message of one packet's size is a packet"
sed -e '/^collectives/d; s/^curve.*/curve = [];/; s/^traffic.*/traffic = ( "uniform" ); messages = ( "512B", "1KiB" );/' s.cfg >sizes.cfg
run compare sizes.cfg --bounds
expect 0
sed -i '/^job/d; s/"512B", //; s/1KiB/256B/' sizes.cfg # the standard packet
run compare sizes.cfg --bounds
expect 0

begin "a network without a price takes part where the price does not decide"
cat >short.prices <<'E'
currency = "USD";
switches = ( { ports = 16; rate = "40Gbps"; price = "9000USD"; source = "a test"; date = "2026-01-31"; } );
cables = ( { medium = "copper"; rate = "40Gbps"; length = "3m"; price = "40USD"; source = "a test"; date = "2026-01-31"; },
           { medium = "optical"; rate = "40Gbps"; length = "90m"; price = "200USD"; source = "a test"; date = "2026-01-31"; } );
E
cat >ports.cfg <<'E'
config = { links = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; }; switch = { kind = "ideal"; };
           cost = { kind = "prices"; file = "short.prices"; }; };
equal = "ports"; budget = 200; radix = 24;
candidates = ( "hyperx-2d", { name = "wide"; topology = { kind = "hyperx"; dims = [4, 2]; endpoints = 20; trunk = [1, 1]; }; },
               { name = "narrow"; topology = { kind = "hyperx"; dims = [4, 2]; endpoints = 8; trunk = [1, 1]; }; } );
traffic = ( "uniform" ); routings = ( "minimal" );
E
run compare ports.cfg --bounds --json
expect 0
[ "$(python3 -c 'import json; n = json.load(open("out"))["networks"]; print([(x["cost_total"] is None, "no switch has" in x.get("without_price", "")) for x in n])')" = \
	"[(True, True), (True, True), (False, False)]" ] || fail "$(cat out)"
run compare ports.cfg --bounds
expect_in out '^wide .* 100 %' '^narrow .* 50 % <' '^   narrow *50 %: its topology is given explicitly$'
sed -i 's/radix = 24/radix = 20/' ports.cfg
run compare ports.cfg --bounds
expect_in out 'wide: .*it needs switches of 24 ports, but the limit is 20'
sed -i 's/radix = 20/radix = 24/' ports.cfg
run compare ports.cfg --bounds
expect_in out '^-: wide has no price: .*/short.prices:2: switches: no switch has 24 ports'

begin "bounds write nothing, so a folder for them has no effect"
run compare ports.cfg --bounds --out folder
expect 2
expect_err 'tilefly compare: --out: has no effect with --bounds, which writes no files'
[ ! -e folder ] || fail "a folder was made"

begin "what is wrong with a study, all at once"
cat >w.cfg <<'E'
config = { links = { default = { bandwidth = "40Gbps"; }; }; switch = { kind = "ideal"; buffer = "32KB"; };
           topology = { kind = "single"; ports = 4; };
           cost = { kind = "none"; }; };
equal = "money"; budget = "5W"; radix = 2; throghput = 0.5;
candidates = ( "slimfli", { family = "torus-3d"; topology = { kind = "torus"; dims = [3]; }; }, { name = "a/b"; family = "oft"; }, 7 );
routings = ( { name = "x"; bias = "2KB"; } );
job = { load = 0.5; };
traffic = ( { pattern = "uniform"; load = 0.2; } );
rank = "nothing";
collectives = ( { process = "allreduce"; phases = 4; size = "8B"; } );
short = 100; long = 50;
curve = [0.5, 0.2]; failures = [0, 2];
E
run compare w.cfg --out w
expect 2
expect_no_file w
for line in '4: equal: "money" must be one of' '4: radix: ' '4: throghput: unknown key; did you mean "throughput"' \
	'5: candidates.\[0\]: there is no family "slimfli"; did you mean "slimfly"' '5: candidates.\[1\]: either "family"' \
	'5: candidates.\[2\].name: ' '5: candidates.\[3\]: must be a name or a group' '6: routings.\[0\].kind: is missing' \
	'7: job.load: is set by the study' '8: traffic.\[0\].load: is determined by the study and cannot be set here' '9: rank: "nothing" does not name an entry' \
	'10: collectives.\[0\].phases: has an effect only' '10: collectives.\[0\].size: must be written as' '11: long: must be at least short' \
	'12: curve: must be a list of at most 20 increasing numbers' '12: failures: must be a list of at most 8'; do
	expect_in err "^w.cfg:$line"
done
cat >v.cfg <<'E'
config = { links = { default = { bandwidth = "40Gbps"; }; };
           switch = { kind = "ideal";
                      bufer = "32KB"; };
           cost = { kind = "sc14-linear"; }; };
equal = "cost"; budget = "5W";
candidates = ( "slimfly" );
E
run compare v.cfg --out w
expect 2
expect_in err '^v.cfg:3: switch.bufer: unknown key; did you mean "buffer"'
sed -i 's/bufer/buffer/' v.cfg
run compare v.cfg --out w
expect 2
expect_in err '^v.cfg:5: budget: "5W"'
sed -i 's/5W/50000USD/; $a routings = ( "minimal", { name = "u"; kind = "ugal-l"; bais = "1KB"; } );\ntraffic = ( { pattern = "uniform"; hot = 1; } );' v.cfg
run compare v.cfg --out w --set topology.q=5
expect 2
expect_in err '^--set topology.q=5: .*is set by the study and cannot be set here'
run compare v.cfg --out w --set 'traffic[0].load=0.5'
expect 2
expect_in err '^--set traffic\[0\].load=0.5: .*is set by the study and cannot be set here'
run compare v.cfg --out w
expect 2
expect_in err '^v.cfg:7: routing.bais: unknown key'
expect_in err '^v.cfg:8: traffic.\[0\].hot: unknown key'
expect_no_file w
sed -e 's/^collectives.*/collectives = ( "allreduce", { process = "goal"; file = "x.goal"; } );/' s.cfg >goal.cfg
run compare goal.cfg --out goal
expect 2
expect_in err '^goal.cfg:10: collectives.\[1\].process: "goal" determines itself what it sends; only processes with the keys size and iterations'
[ "$(wc -l <err)" = 1 ] || fail "$(cat err)"
expect_no_file goal
sed -e 's/packet = "512B"/packet = [ "64B", "512B" ]/; /^collectives/a messages = ( "0B" );' s.cfg >mix.cfg
run compare mix.cfg --out w
expect 2
expect_in err '^mix.cfg:11: messages: "0B" must be at least 1B'
expect_in err '^mix.cfg:10: collectives.\[0\].packet: must be a single size with a process'
expect_no_file w
run sweep s.cfg
expect 2
expect_in err 'run it with "tilefly compare"'
run compare slimfly-validation
expect 2
expect_in err 'run it with "tilefly sweep"'
begin "what is known so far is there all the time"
"$program" compare s.cfg --out sofar --quiet -j 2 >out 2>err </dev/null &
compare=$!
looks=0
for _ in $(seq 3000); do
	kill -0 $compare 2>/dev/null || break
	if [ $looks -gt 0 ] || [ -e sofar/compare.json ]; then
		looks=$((looks + 1))
		[ -e sofar/compare.json ] || fail "look $looks: it is gone"
	fi
	sleep 0.01
done
wait $compare || fail "$(cat err)"
[ $looks -gt 10 ] || fail "$looks looks"

begin "a base and a plug-in that are not there"
cat >n.cfg <<'E'
base = "nothere.cfg";
plugins = [ "a.so",
            "no.so" ];
set = [ "switch.buffer=32KB" ];
equal = "endpoints"; endpoints = 16;
candidates = ( "slimfly" );
E
run compare n.cfg --out w
expect 2
expect_in err '^n.cfg:1: base: "nothere.cfg": no such file'
expect_in err '^n.cfg:2: plugins.\[0\]: plug-in cannot be loaded: .*/a.so'
expect_in err '^n.cfg:3: plugins.\[1\]: plug-in cannot be loaded: .*/no.so'
sed -i '1s#nothere#sub/nothere#' n.cfg
run compare n.cfg --out w
expect 2
expect_in err '^n.cfg:1: base: "sub/nothere.cfg": No such file'
cat >n2.cfg <<'E'
base = "nothere.cfg"; plugins = "no.so";
grid = ( { path = "traffic.[0].load"; values = [0.1, 0.2]; } );
E
run sweep n2.cfg --out w
expect 2
expect_in err '^n2.cfg:1: base: "nothere.cfg": no such file'
expect_in err '^n2.cfg:1: plugins.\[0\]: plug-in cannot be loaded: .*/no.so'
expect_no_file w

begin "traffic that the first network does not have, and the second has"
cat >first.cfg <<'E'
config = { links = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; }; };
candidates = ( { name = "random"; topology = { kind = "jellyfish"; switches = 8; degree = 3; endpoints = 2; }; },
               { name = "rows"; topology = { kind = "hyperx"; dims = [3, 3]; endpoints = 2; }; } );
routings = ( "minimal" );
short = 30; long = 60;
E
run compare first.cfg --out first --json
expect 0
python3 -c 'import json
failed = {(x["name"], y["traffic"]) for x in json.load(open("out"))["designs"] for y in x["series"] if y["state"] == "failed"}
assert failed == {("random_minimal", "worst-case")}, failed' || fail "the worst case of the random one alone is to fail"

begin "files that a study's own configuration names are beside the study, wherever it is run"
mkdir -p beside
sed 's/9000USD/500USD/' short.prices >beside/near.prices
cp short.prices near.prices
sed 's/short.prices/near.prices/; s/radix = 20/radix = 16/; s/radix = 24/radix = 16/; /wide/d; s/^ *{ name = "narrow"/candidates = ( { name = "narrow"/' ports.cfg >beside/near.cfg
run compare beside/near.cfg --bounds --json
expect 0
[ "$(python3 -c 'import json; n = json.load(open("out"))["networks"][0]; print(round(n["cost_total"]))')" -lt 20000 ] || fail "prices of the working folder: $(cat out)"
cat >beside/design.cfg <<'E'
config = { links = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; }; switch = { kind = "ideal"; };
           cost = { kind = "prices"; file = "near.prices"; }; };
variables = ( { path = "topology"; values = ( { kind = "hyperx"; dims = [4, 2]; endpoints = 8; } ); } );
objectives = [ "cost", "saturation" ];
E
run design beside/design.cfg --bounds --json
expect 0
python3 -c 'import json; assert json.load(open("out"))["candidates"][0]["objectives"]["cost"][0] < 400' || fail "prices of the working folder: $(cat out)"

# Cables of their own are those of each network; without the slow cable the bound of minimal routing is 1.5. Routes of
# least latency have no worst permutation (minimal routing's would not be theirs), so they fail in this column alone,
# wherever they are in the list.
begin "cables of their own, and routes that are not minimal"
cat >own.cfg <<'END'
config = { links = { override = ( { from = 0; to = 1; bandwidth = "10Gbps"; } ); default = { bandwidth = "100Gbps"; latency = "50ns"; }; }; };
candidates = ( { name = "t"; topology = { kind = "torus"; dims = [4, 4]; }; } );
routings = ( "latency", "minimal" );
traffic = ( "uniform", "worst-permutation" );
short = 40; long = 80;
END
run compare own.cfg --json --out own.d
expect 0
python3 - out <<'END' || fail "$(cat out)"
import json, sys
series = {(d["routing"], s["traffic"]): s for d in json.load(open(sys.argv[1]))["designs"] for s in d["series"]}
assert series["minimal", "uniform"]["bound"] == 0.1875, series
other = series["latency", "worst-permutation"]
assert other["bound"] is None and "come from a table" in other["impossible"], other
assert series["minimal", "worst-permutation"]["saturation"][0] > 0, series
END
sed 's/to = 1;/to = 2;/' own.cfg >none.cfg # not neighbours
run compare none.cfg --bounds
expect_in out '^  t: links.override.*no cable|^  t: links.override.*there is none from 0 to 2'
printf 'links = { override = ( { from = 0; to = 1; bandwidth = "10Gbps"; } ); };\n' >rates.cfg
run size --endpoints 64 rates.cfg
expect 2
expect_in err 'rates\.cfg:1: links\.override: names cables of one network'
finish
