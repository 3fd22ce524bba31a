#!/usr/bin/env bash
# tilefly design: the front of a small space; the same digest however it is run; what is rejected; what is wrong with a study.
source "$(dirname "$0")/run.bash"

cat >s.cfg <<'E'
title = "small";
config = { links  = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; };
           switch = { kind = "ideal"; };
           cost   = { kind = "sc14-linear"; }; };
variables = (
  { path = "topology.kind"; values = [ "hyperx", "slimfly", "rook" ]; },
  { path = "topology.dims"; values = ( [3, 3], [4, 4] ); when = "topology.kind=hyperx"; },
  { path = "topology.endpoints"; range = [2, 4]; step = 2; when = "topology.kind=hyperx|rook"; },
  { path = "topology.q"; values = [ 4, 6 ]; when = "topology.kind=slimfly"; },
  { path = "topology.rows"; values = [3]; when = "topology.kind=rook"; },
  { path = "topology.columns"; values = [4]; when = "topology.kind=rook"; },
  { path = "routing.kind"; values = [ "minimal", "valiant" ]; },
  { path = "switch.buffer"; values = [ "16KB", "32KB" ]; }
);
objectives = [ "cost", "saturation" ];
weights = [ 2, 1 ];
limits = { least_endpoints = 20; most_endpoints = 160; radix = 20; buffer = "300KB"; };
job = { packet = "512B"; };
traffic = ( "uniform", "worst-permutation" );
short = 20; long = 100; width = "5%";
E
rook=(--plugin "$plugins/rook.so")
get() { # EXPRESSION of d, the search; k[name]
	python3 -c "
import json
d = json.load(open('${2:-out}'))
k = {x['name']: x for x in d['candidates']}
front = [x for x in d['candidates'] if x['state'] == 'front']
print($1)"
}
is() { # WHAT EXPRESSION VALUE
	local got
	got=$(get "$2")
	[ "$got" = "$3" ] || fail "$1: $got, not $3"
}

begin "bounds only"
run design s.cfg "${rook[@]}" --bounds --json
expect 0
expect_no_file results
is "every way to give values" 'len(k)' 32 # 4 of hyperx, 2 of slimfly, 2 of rook, each 2 x 2
is "what no configuration admits" 'all("6 is not a prime power" in x["rejected"] for x in k.values() if x["variables"]["topology.q"] == "6")' True
is "what breaks a limit" 'sum("endpoints: 18" in (x["rejected"] or "") for x in k.values())' 4
is "conditions" 'all((x["variables"]["topology.q"] is None) == (x["variables"]["topology.kind"] != "slimfly") for x in k.values())' True

begin "what a variable sets is not set by the command line"
for set in 'switch.buffer=64KB' 'switch={ kind = "ideal"; buffer = "64KB"; }' 'routing={ kind = "valiant"; }' 'routing.kind.x=1'; do
	run design s.cfg "${rook[@]}" --bounds --set "$set"
	expect 2
	expect_in err '^tilefly design: --set .*: (switch.buffer|routing.kind) is a variable of the study and cannot be set$'
done

begin "a front"
run design s.cfg "${rook[@]}" --out a --json
expect 0
is complete 'd["complete"]' True
is "several are on it" 'len(front) >= 2' True
is "by runs of its own seed" 'all(x["own_seed"] for x in front) and d["spent"]["front"]["runs"] > 0' True
seeds() { # FOLDER: of all runs but those of the front, and of those
	for run in "$1"/points/*.gz; do
		case $run in *-fresh-*) echo "front $(zcat "$run" | head -1 | grep -o '"seed":[0-9]*' | head -1)" ;;
		*) echo "race $(zcat "$run" | head -1 | grep -o '"seed":[0-9]*' | head -1)" ;; esac
	done | sort -u | tr '\n' ' '
}
apart() { # FOLDER SEED: of the race; the front has one other
	[[ "$(seeds "$1")" =~ ^front\ \"seed\":([0-9]+)\ race\ \"seed\":$2\ $ ]] && [ "${BASH_REMATCH[1]}" != "$2" ] || fail "$(seeds "$1")"
}
apart a 1
is "within the bound" 'all(0 < x["objectives"]["saturation"][0] <= x["objectives"]["saturation"][1] <= 1 for x in front)' True
is "no point of it surely beats another" 'not any(x["objectives"]["cost"][0] <= y["objectives"]["cost"][0] and x["objectives"]["saturation"][0] > y["objectives"]["saturation"][1] for x in front for y in front if x != y)' True
is "what is behind was beaten by a candidate" 'all(x["beaten_by"] in k for x in k.values() if x["state"] in ("behind", "not run"))' True
is "runs" 'all((x["short_runs"] + x["long_runs"] > 0) == (x["state"] not in ("rejected", "not run")) for x in k.values())' True
is "a plug-in takes part" 'any(x["state"] in ("front", "tied", "behind", "not run") for x in k.values() if x["variables"]["topology.kind"] == "rook")' True
cmp -s out a/design.json || fail "design.json is not what --json prints"
[ "$(wc -l <a/front.csv)" = "$(($(get 'len(front)') + 1))" ] || fail "front.csv"
[ "$(ls a/configs | wc -l)" = "$(get 'len(front)')" ] || fail "configs"
for config in a/configs/*.cfg; do
	run run "$config" "${rook[@]}" --quiet --out r.jsonl.gz
	expect 0
done

begin "a report of the folder when its table is gone"
mv a/design.json kept
run report a --out page.html
expect 1
expect_err "a/design.json: is missing; experiment.cfg in the same directory is a study of tilefly design, which writes it"
expect_no_file page.html
mv kept a/design.json
run report a --out page.html --static
expect 0

begin "against all of it"
cp a/design.json found
sed 's/^short/eliminate = false; short/' s.cfg >all.cfg
run design all.cfg "${rook[@]}" --out all --json
expect 0
cat >against.py <<'E'
import json
found, all_ = json.load(open('found')), json.load(open('out'))
front = lambda d: [x['objectives'] for x in d['candidates'] if x['state'] == 'front']
for x in front(all_):
    assert any(y['cost'][0] <= x['cost'][0] + 1e-9 and y['saturation'][1] >= x['saturation'][0] for y in front(found)), x
events = lambda d: sum(v['events'] for v in d['spent'].values())
print(f'{events(found) / events(all_):.3f} of the events')
assert events(found) < events(all_) # the space is small: most of it is front, or a tie
E
python3 against.py || fail "a true front point is neither found nor within an interval, or it took too much"

# Half of the candidates, of each topology and routing.
sed 's/"16KB", "32KB"/"32KB"/; s/long = 100/long = 60/' s.cfg >few.cfg
begin "the same digest on two ranks, and one at a time"
run design few.cfg "${rook[@]}" --out few --json
expect 0
digest=$(get 'd["digest"]')
cp out few.json
if [ -n "${TILEFLY_MPIEXEC:-}" ]; then
	"$TILEFLY_MPIEXEC" --oversubscribe --allow-run-as-root -n 2 "$program" design few.cfg "${rook[@]}" --out b --json >out 2>err </dev/null || fail "mpiexec: $(head -3 err)"
	is "on two ranks" 'd["digest"]' "$digest"
fi
run design few.cfg "${rook[@]}" --out c -j 1 --json
is "one at a time" 'd["digest"]' "$digest"

begin "killed, and gone on with"
interruptible design few.cfg "${rook[@]}" --out i --json -j 1 >out 2>err </dev/null &
child=$!
for _ in $(seq 200); do
	[ "$(ls i/points 2>/dev/null | wc -l)" -ge 8 ] && break
	sleep 0.02
done
kill -KILL $child
wait $child 2>/dev/null
run design few.cfg "${rook[@]}" --out i --json
expect 0
is "the same" 'd["digest"]' "$digest"
cmp -s out few.json || fail "another front"

begin "windows that are shorter than a buffer put no adaptive routing out"
cat >deep.cfg <<'E'
config = { links = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; }; switch = { kind = "ideal"; buffer = "32KB"; }; };
variables = ( { path = "topology"; values = ( { kind = "dragonfly-plus"; leaves = 4; spines = 4; p = 3; h = 2; g = 5; arrangement = "consecutive"; } ); },
              { path = "routing.kind"; values = [ "minimal", "valiant", "ugal-l" ]; } );
objectives = [ "ports", "saturation" ];
job = { packet = "512B"; };
traffic = ( "worst-permutation" );
short = 40; long = 200;
E
run design deep.cfg --out deep
expect 0
[ "$(cut -d, -f1 deep/front.csv | tail -n +2)" = c003_ugal-l ] || fail "the front: $(cat deep/front.csv)"

begin "configurations of an earlier front"
touch deep/configs/c001_minimal.cfg deep/configs/c1_own deep/configs/mine.cfg
run design deep.cfg --out deep --quiet
expect 0
[ "$(cd deep/configs && echo *)" = 'c003_ugal-l.cfg c1_own mine.cfg' ] || fail "$(ls deep/configs)"

begin "a folder whose name libconfig must have escaped"
sed 's/{ kind = "dragonfly-plus"[^}]*}/{ kind = "torus"; dims = [4]; }/; s/"minimal", "valiant", "ugal-l"/"minimal"/; s/^short.*/short = 20; long = 40;/' deep.cfg >quoted.cfg
run design quoted.cfg --out 'q"x\y'
expect 0
run run 'q"x\y'/configs/c*.cfg --quiet --out r.jsonl.gz
expect 0

begin "what is wrong with a study, all at once"
cat >w.cfg <<'E'
config = { links = { default = { bandwidth = "40Gbps"; }; }; switch = { kind = "ideal"; }; };
variables = ( { path = "topology.kind"; values = [ "hyperx", "torus" ]; },
              { path = "topology.q"; values = [4]; when = "topology.kin=hyperx"; },
              { path = "topology.dims"; values = [4]; when = "topology.kind=hyperxx"; },
              { path = "time.measure"; values = [4]; }, { path = "routing.kind"; valus = [ "minimal" ]; },
              { path = "switch.vcs"; range = [4, 2]; } );
objectives = [ "cots", "saturation" ];
limits = { radx = 5; endpoint = 3; };
job = { packet = "512B"; }; traffic = ( "uniform" ); weights = [1, 2];
short = 100; long = 50;
latency_load = 0.3;
precision = "1%";
limit = "1ms";
E
run design w.cfg --out w
expect 2
expect_no_file w
for line in '3: variables.\[1\].when: no earlier variable has the path "topology.kin"; did you mean "topology.kind"' '4: variables.\[2\].when: "hyperxx" is not a value of .* did you mean "hyperx"' \
	'5: variables.\[3\].path: "time.measure" is common to all candidates' '5: variables.\[4\].valus: unknown key; did you mean "values"' \
	'6: variables.\[5\].range: ' '7: objectives: there is no objective "cots"; did you mean "cost"' \
	'8: limits.radx: unknown key; did you mean "radix"' '9: weights: has 2 numbers for 1 ' \
	'10: long: must be at least short = 100' '11: latency_load: has an effect only with an objective' '12: precision: has an effect only' \
	'13: limit: has an effect only'; do
	expect_in err "^w.cfg:$line"
done

begin "links of classes that some candidates have"
cat >l.cfg <<'E'
config = { links  = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; global = { latency = "500ns"; }; };
           switch = { kind = "ideal"; buffer = "32KB"; }; };
variables = ( { path = "topology"; values = ( { kind = "dragonfly"; a = 4; h = 2; p = 2; g = 9; },
                                              { kind = "hyperx"; dims = [4, 4]; endpoints = 2; } ); } );
objectives = [ "ports", "saturation" ];
traffic = ( "uniform" );
short = 20; long = 40;
E
run design l.cfg --out l --json
expect 0
python3 -c "
import json
d = json.load(open('out'))
assert len(d['candidates']) == 2 and all(x['objectives']['saturation'][0] > 0 for x in d['candidates']), d" || fail "both run"
sed -i 's/global/gobal/' l.cfg
run design l.cfg --bounds
expect 2
expect_in err '^l.cfg:1: links.gobal: there is no link class of this name in the networks; did you mean "global"'

begin "a latency that no packet can be faster than"
sed 's/"cost", "saturation" \]/"cost", "mean", "p99" ]; latency_load = 0.05/; s/"minimal", "valiant"/"minimal"/; /^weights/d; s/\[3, 3\], //; s/, "rook"//; s/hyperx|rook/hyperx/; /topology.\(rows\|columns\)/d' s.cfg >t.cfg
run design t.cfg --bounds --json
expect 0
cp out bounds
run design t.cfg --out t --json
expect 0
cat >idle.py <<'E'
import json
b, d = ({x['name']: x.get('objectives') for x in json.load(open(f))['candidates']} for f in ('bounds', 'out'))
seen = 0
for name, o in d.items():
    if o and o['mean'][1] is not None:
        for k in 'mean', 'p99':
            assert 0 < b[name][k][0] <= o[k][1], (name, k, b[name][k], o[k])
        assert b[name]['mean'][0] > 0.85 * o['mean'][0], (name, b[name]['mean'], o['mean']) # at a load of 0.05
        seen += 1
assert seen >= 2
E
python3 idle.py || fail "bounds of latency"

begin "a seed of the configuration, of the study's set or of the command line: the front has another one"
cat >seed.cfg <<'E'
config = { seed = 1000004; links = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; }; switch = { kind = "ideal"; }; };
variables = ( { path = "topology"; values = ( { kind = "torus"; dims = [4, 4]; endpoints = 1; }, { kind = "hyperx"; dims = [4, 4]; endpoints = 1; } ); },
              { path = "switch.buffer"; values = [ "16KB", "32KB", "64KB", "128KB" ]; } );
objectives = [ "ports", "saturation" ];
job = { packet = "512B"; };
traffic = ( "uniform" );
candidates = 3;
E
run design seed.cfg --out seed --quiet
expect 0
apart seed 1000004
rm -r seed
run design seed.cfg --out seed --quiet --set seed=9
expect 0
apart seed 9
drawn() { # the candidates of a seed in the configuration
	sed "s/seed = 1000004/seed = $1/" seed.cfg >drawn.cfg
	"$program" design drawn.cfg --bounds --json | python3 -c 'import json, sys; print([x["variables"] for x in json.load(sys.stdin)["candidates"]])'
}
[ "$(for seed in 1 2 3 4; do drawn $seed; done | sort -u | wc -l)" -gt 1 ] || fail "the seed draws no sample"

states() { # of each candidate its variables on a line, and why it is rejected, up to a colon
	python3 -c 'import json
for x in json.load(open("out"))["candidates"]:
    print(" ".join(str(v) for v in x["variables"].values()).replace("\n", " "), (x["rejected"] or "admitted").split(":")[0])'
}

begin "a candidate is rejected for its own reason, in any order of values"
cat >own.cfg <<'E'
config = { links = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; }; };
variables = ( { path = "topology"; values = ( { kind = "torus"; dims = [4, 4]; }, { kind = "slimfly"; q = 4; } ); },
              { path = "switch.buffer"; values = [ "64KB", "16KB" ]; } );
objectives = [ "ports", "saturation" ];
limits = { buffer = "350KB"; };
E
run design own.cfg --bounds --json
expect 0
states | sort >one
sed -i 's/"64KB", "16KB"/"16KB", "64KB"/' own.cfg
run design own.cfg --bounds --json
expect 0
states | sort >two
cmp -s one two || fail "the order of values decides: $(diff one two)"
[ "$(grep -c 'admitted$' one)" = 3 ] || fail "three are to be admitted: $(cat one)"

begin "freedom from deadlock is proved of switches that wait in the same way"
cat >pfc.cfg <<'E'
config = { links = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; }; switch = { kind = "output-queued"; }; };
variables = ( { path = "topology"; values = ( { kind = "torus"; dims = [5, 5]; } ); }, { path = "switch.pfc"; values = [ false, true ]; } );
objectives = [ "ports", "cables" ];
E
for values in "false, true" "true, false"; do
	sed -i "s/values = \[ [a-z, ]* \]/values = [ $values ]/" pfc.cfg
	run design pfc.cfg --bounds --json
	expect 0
	states >said
	grep -qi 'false admitted$' said && grep -qi 'true minimal routing can deadlock' said || fail "$values: $(cat said)"
done

# A port is 350.4 USD and each switch 892.3 less (one an endpoint here), a copper cable of 1 m (.4079 + .5771) x 40: 5 x 350.4 - 892.3 + 3 x 39.4.
begin "what costs the same by another sum of parts costs the same"
cat >tie.cfg <<'E'
config = { links = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; }; cost = { kind = "sc14-linear"; }; };
variables = ( { path = "topology"; values = ( { kind = "torus"; dims = [4, 4]; }, { kind = "torus"; dims = [3, 3]; } ); } );
objectives = [ "cost", "saturation" ];
limits = { cost = 977.9; };
E
run design tie.cfg --bounds --json
expect 0
[ "$(states | grep -c 'admitted$')" = 2 ] || fail "5 ports and 3 cables per endpoint are not 977.9: $(states)"
run design tie.cfg --out tie --json
expect 0
python3 -c 'import json
front = [x["variables"]["topology"] for x in json.load(open("out"))["candidates"] if x["state"] == "front"]
assert len(front) == 1 and "3" in front[0], front' || fail "a torus of 4 x 4 is on the front"

begin "a limit on what is not known"
sed -i 's/cost = { kind = "sc14-linear"; };//; s/"cost", //; s/977.9/10.0/' tie.cfg
run design tie.cfg --bounds
expect 2
expect_in err 'cost: unknown for this candidate .no cost model'
begin "a network without a price is admitted where nothing is decided by money, and refused where something is"
cat >some.prices <<'E'
currency = "USD";
switches = ( { ports = 8; rate = "40Gbps"; price = "9000USD"; source = "a test"; date = "2026-01-31"; } );
cables = ( { medium = "copper"; rate = "40Gbps"; length = "3m"; price = "40USD"; source = "a test"; date = "2026-01-31"; },
           { medium = "optical"; rate = "40Gbps"; length = "90m"; price = "200USD"; source = "a test"; date = "2026-01-31"; } );
E
cat >sold.cfg <<'E'
config = { links = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; }; cost = { kind = "prices"; file = "some.prices"; }; };
variables = ( { path = "topology"; values = ( { kind = "torus"; dims = [4, 4]; }, { kind = "torus"; dims = [4, 4]; endpoints = 8; } ); } );
objectives = [ "ports", "saturation" ];
E
for try in '2 no change' '1 s/^objectives = \[ "ports"/objectives = [ "cost"/' '1 $a limits = { cost = 99999.0; };'; do
	cp sold.cfg money.cfg
	[ "$try" = '2 no change' ] || sed -i "${try#* }" money.cfg
	run design money.cfg --bounds --json
	expect 0
	states >said
	[ "$(grep -c 'admitted$' said)" = "${try%% *}" ] || fail "$try: $(cat said)"
done
finish
