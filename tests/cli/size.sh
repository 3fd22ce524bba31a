#!/usr/bin/env bash
# tilefly size: the largest, the cheapest, the most for a budget; what was rejected; against looking at everything.
source "$(dirname "$0")/run.bash"

json() { # FILTER: a value of the printed object
	python3 -c "import json; d=json.load(open('out')); f={x['family']: x for x in d['families']}; print($1)"
}
is() { # WHAT FILTER VALUE
	local got
	got=$(json "$2")
	[ "$got" = "$3" ] || fail "$1: $got, not $3"
}

begin "the largest from a switch"
run size --radix 36 --trunk 1 --family slimfly,polarfly,dragonfly,dragonfly-plus,hyperx-2d,mlfm,oft,torus-3d,spectralfly,jellyfish --json
expect 0
is slimfly 'f["slimfly"]["topology"]' '{ kind = "slimfly"; q = 17; endpoints = 11; trunk = 1; }'
is endpoints 'f["dragonfly-plus"]["endpoints"]' 105300
is "ports left" 'f["spectralfly"]["ports_left"]' 4
is "rejected by ports" '[r["radix"] for r in f["mlfm"]["rejected"] if r["because"] == "ports"]' '[38]'
is "rejected by throughput" '["%.4f" % r["uniform"] for r in f["torus-3d"]["rejected"]]' "['0.8988']"
is "in order" '[x["endpoints"] for x in d["families"] if x["found"]] == sorted((x["endpoints"] for x in d["families"] if x["found"]), reverse=True)' True
is jellyfish 'f["jellyfish"]["found"]' False
run size --radix 36
expect 0
expect_in out '^slimfly +q = 17; endpoints = 11; trunk = 1 +6358 +578 +7225 +36 +1\.0722'
expect_in out '^  jellyfish +none examined: its size is free'

begin "what is printed is what is built"
run size --radix 16 --json
python3 -c "
import json
for x in json.load(open('out'))['families']:
    if x['found']: print(x['endpoints'], x['switches'], x['cables'], x['radix'], '%.6f' % min(1, x['uniform']), x['topology'], sep='\t')" >rows
[ "$(wc -l <rows)" -ge 12 ] || fail "few families"
while IFS=$'\t' read -r endpoints switches cables radix uniform topology; do
	run topo - --set "topology=$topology" --json </dev/null
	expect 0
	expect_in out "\"switches\":$switches,\"endpoints\":$endpoints,\"links\":$cables,\"radix\":$radix,"
	got=$(python3 -c "import json; print('%.6f' % json.load(open('out'))['saturation_uniform'])" 2>&1)
	[ "$got" = "$uniform" ] || fail "$topology saturates at $got, not $uniform"
done <rows

begin "the fewest ports for so many endpoints"
run size --endpoints 1000 --radix 36 --json
expect 0
is "of two dimensions" 'f["hyperx-2d"]["topology"]' '{ kind = "hyperx"; dims = [10, 10]; trunk = [1, 1]; endpoints = 10; }'
is "none too small" 'min(x["endpoints"] for x in d["families"] if x["found"]) >= 1000' True
is "fast enough" 'min(x["uniform"] for x in d["families"] if x["found"]) >= 0.99' True
is "two levels are not enough" 'f["fattree-2"]["found"]' False
run size --endpoints 1000 --radix 36 --throughput 0.5 --json
is "slower ones are smaller" 'f["slimfly"]["ports"] < 4400' True

# Of families whose channel loads have no closed form, all that can be built of at most 200 switches, by the facts of
# what is built.
begin "the fewest ports, against building all"
run size --endpoints 200 --radix 12 --throughput 0.9 --trunk 1 --family bundlefly,polarstar,polarstar-paley,hammingmesh --json
expect 0
cat >all.py <<'END'
import json, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
program, radix, wanted, least = sys.argv[1], 12, 200, 0.9
every = [('bundlefly', 'kind="bundlefly"; q=%d; supernode=%d; endpoints=%d;' % (q, r, p))
         for q in (3, 4, 5, 7) for r in (5, 9, 13, 17) for p in range(1, 8) if 2 * q * q * r <= wanted <= 2 * q * q * r * p]
every += [(f, 'kind="polarstar"; q=%d; supernode="%s"; degree=%d; endpoints=%d;' % (q, k, d, p))
          for f, k, odd in (('polarstar', 'iq', 2), ('polarstar-paley', 'paley', 1))
          for q in (2, 3, 4, 5, 7, 8, 9) for d in range(2, 10) for p in range(1, 8)
          for n in [(q * q + q + 1) * (2 * d + odd)] if q + 1 + d + p <= radix and n <= wanted <= n * p]
every += [('hammingmesh', 'kind="hammingmesh"; board=[%d,%d]; boards=[%d,%d];' % (a, b, x, y))
          for a in (1, 2, 3, 4) for b in (1, 2, 3, 4) for x in range(2, 7) for y in range(2, 7)
          if wanted <= a * b * x * y <= 1.3 * wanted or a < 3 and b < 3 and a * b * x * y >= wanted]
def facts(entry):
    family, text = entry
    out = subprocess.run([program, 'topo', '-', '--json', '--set', 'topology={' + text + '}'], input='', capture_output=True, text=True)
    f = json.loads(out.stdout) if out.returncode == 0 else None # else: no such graph
    if not f or f['radix'] > radix or f['endpoints'] < wanted or f['saturation_uniform'] < least:
        return None
    if family == 'hammingmesh': # accelerators' own ports and the traces of boards are not bought
        return family, f['links_by_class']['row'] + f['links_by_class']['column']
    return family, f['links'] * 2 + f['endpoints']
best = {}
with ThreadPoolExecutor(2) as pool:
    for found in filter(None, pool.map(facts, every)):
        best[found[0]] = min(found[1], best.get(found[0], found[1]))
d = {x['family']: x for x in json.load(open('out'))['families']}
assert len(best) >= 3, best
for family, x in d.items():
    assert x.get('ports') == best.get(family), (family, x.get('ports'), best.get(family))
END
python3 all.py "$program" || fail "another member of a family has fewer ports"

linear=(--rate 40Gbps --set cost.kind=sc14-linear)
# Every two-dimensional HyperX of at most 14 ports, by its closed form, priced one by one.
begin "the cheapest, against all"
run size --endpoints 100 --radix 14 --trunk 1 --family hyperx-2d "${linear[@]}" --json
expect 0
found=$(json '"%.4f" % f["hyperx-2d"]["cost_total"]')
least=$(python3 - "$program" <<-'END'
	import json, subprocess, sys
	best = None
	for a in range(2, 15):
	    for b in range(2, a + 1):
	        for t in range(1, 17 - a - b):
	            n = a * b * t
	            if n < 100 or b * (n - 1) / (n * t) < 0.99: continue
	            text = 'topology={kind="hyperx"; dims=[%d,%d]; endpoints=%d;}' % (a, b, t)
	            out = subprocess.run([sys.argv[1], 'cost', '-', '--json', '--set', text, '--set', 'links.default.bandwidth=40Gbps',
	                                  '--set', 'cost.kind=sc14-linear'], input='', capture_output=True, text=True).stdout
	            total = json.loads(out)['cost']['total']
	            best = total if best is None else min(best, total)
	print('%.4f' % best)
END
)
[ "$found" = "$least" ] || fail "cost $found, the least of all is $least"

begin "the most for a budget, against all"
run size --budget 100000USD --radix 14 --trunk 1 --family hyperx-2d "${linear[@]}" --json
expect 0
found=$(json 'f["hyperx-2d"]["endpoints"]')
most=$(python3 - "$program" <<-'END'
	import json, subprocess, sys
	best = 0
	for a in range(2, 15):
	    for b in range(2, a + 1):
	        for t in range(1, 17 - a - b):
	            n = a * b * t
	            if n <= best or b * (n - 1) / (n * t) < 0.99: continue
	            text = 'topology={kind="hyperx"; dims=[%d,%d]; endpoints=%d;}' % (a, b, t)
	            out = subprocess.run([sys.argv[1], 'cost', '-', '--json', '--set', text, '--set', 'links.default.bandwidth=40Gbps',
	                                  '--set', 'cost.kind=sc14-linear'], input='', capture_output=True, text=True).stdout
	            if json.loads(out)['cost']['total'] <= 100000: best = n
	print(best)
END
)
[ "$found" = "$most" ] || fail "$found endpoints, most is $most"
is "what is left is said" '0 <= f["hyperx-2d"]["budget_left"] < 100000' True
is "what is over" '[r["because"] for r in f["hyperx-2d"]["rejected"]][-1]' price
run size --budget 2000000USD --trunk 1 "${linear[@]}"
expect 0
expect_in out '^slimfly .* 40\.7 % \*$'
expect_in out '\*: more than 5 % of the budget remains'

begin "what is not sold is no member for money, and where money does not decide a member without a price"
cat >short.prices <<-END
	currency = "USD";
	switches = ( { ports = 48; rate = "40Gbps"; price = "9000USD"; source = "a test"; date = "2026-01-31"; } );
	cables = ( { medium = "copper"; rate = "40Gbps"; length = "3m"; price = "40USD"; source = "a test"; date = "2026-01-31"; },
	           { medium = "optical"; rate = "40Gbps"; length = "5m"; price = "200USD"; source = "a test"; date = "2026-01-31"; } );
END
sold=(--rate 40Gbps --set cost.kind=prices --set cost.file=short.prices --family fattree-3,hyperx-2d --json)
run size --endpoints 100 "${sold[@]}"
expect 0
is "longer cables than those that are sold" 'f["fattree-3"]["found"], "no optical cable" in f["fattree-3"]["without_price"]' 'False True'
is "others" 'f["hyperx-2d"]["cost_total"] > 0' True
run size --radix 64 "${sold[@]}"
expect 0
is "the largest" 'f["hyperx-2d"]["radix"] > 48, f["hyperx-2d"]["cost_total"], "no switch has" in f["hyperx-2d"]["without_price"]' 'True None True'

begin "a configuration says links and prices"
cat >base.cfg <<-END
	topology = { kind = "torus"; dims = [4, 4]; };
	links = { default = { bandwidth = "40Gbps"; }; };
	cost = { kind = "sc14-linear"; };
END
run size base.cfg --endpoints 500 --radix 20 --json
expect 0
is model 'd["cost_model"]' sc14-linear

begin "wrong words"
run size
expect 2
expect_err "tilefly size: one of --endpoints, --budget and --radix is required"
run size --radix 36 --family slimfly,hyperx2d
expect 2
expect_err '--family: there is no family "hyperx2d"; did you mean "hyperx-2d"?'
run size --radix 36 --family ""
expect 2
expect_err '--family: must name at least one family'
run size --radix 36 --family oft,slimfly,oft
expect 2
expect_err '--family: "oft" is listed twice'
run size --radix many
expect 2
expect_err '--radix: "many" is not a whole number'
run size --radix 1000
expect 2
expect_err '--radix: 1000 is out of range: 3 to 256'
run size --endpoints 1000 --throughput 2
expect 2
expect_err '--throughput: 2 is out of range: 0.001 to 1'
run size --budget 100USD
expect 2
expect_err '--budget: needs a cost model, as in --set cost.kind=sc14-linear'
run size --budget 100EUR "${linear[@]}"
expect 2
expect_err '--budget: "100EUR" is not a quantity in USD, as in "250USD"'
run size --budget 100000USD --endpoints 5 "${linear[@]}"
expect 2
expect_err '--budget: cannot be combined with --endpoints, which leaves nothing to choose: remove one of the two'
run size --endpoints 100 --set cost.kind=sc14-linear
expect 2
expect_in err 'holds for links of 40 Gb/s'
run size --radix 36 --set layout.isle=1m
expect 2
expect_in err 'layout\.isle.*did you mean "aisle"'
begin "links of classes that some families have"
run size --endpoints 72 --family dragonfly,hyperx-2d --set links.global.latency=500ns
expect 0
run size --endpoints 72 --family hyperx-2d --set links.global.latency=500ns
expect 2
expect_err '--set links.global.latency=500ns: there is no link class of this name in the networks; did you mean "local"? Available: default, terminal, local'
begin "random graphs: the fewest ports, against every degree of every number of endpoints a switch"
run size --endpoints 60 --radix 16 --family jellyfish --json
expect 0
found=$(python3 -c 'import json; f = json.load(open("out"))["families"][0]; print(f["ports"])')
echo 'links = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; }; switch = { kind = "ideal"; };' >links.cfg
best=1000000
for t in 4 5 6 7 8 9 10 11 12 13; do
	n=$(((60 + t - 1) / t))
	for ((d = 3; d < n && d + t <= 16; d++)); do
		m=$((n + n * d % 2))
		[ $((m * (d + t))) -lt $best ] && [ "$d" -lt "$m" ] || continue
		run topo links.cfg --bounds --json --set "topology={ kind = \"jellyfish\"; switches = $m; degree = $d; endpoints = $t; }"
		[ "$status" = 0 ] && awk -v s="$(sed -n 's/.*"max_channel_load_uniform":\([0-9.]*\).*/\1/p' out)" 'BEGIN { exit !(1 / s >= .99) }' && best=$((m * (d + t)))
	done
done
[ "$found" = "$best" ] || fail "$found ports, where $best will do"

begin "what is left out says why, and how large the family gets"
run size --endpoints 9408 --throughput 0.6 --radix 64 --family leaf-spine --explain
expect 1
expect_in out 'with uniform traffic at 0.6 or more, it has at most 2560 endpoints'

begin "a throughput that is not reached reads as less, and so does a share of ports"
run size --endpoints 60 --radix 16 --family jellyfish --throughput 0.9844
expect_in out 'but uniform traffic at most at 0.98438'

begin "nothing will do"
run size --radix 8 --endpoints 1000000000
expect 1
expect_in err '^tilefly size: no network of these families has at least 1000000000 endpoints'
run size --radix 8 --endpoints 1000000000 --json
expect 1
expect_in out '"families"'

begin "a rate of every link is said once"
for set in links.default.bandwidth=100Gbps 'links={ default = { bandwidth = "100Gbps"; }; }' 'links.default={ bandwidth = "100Gbps"; }'; do
	run size --radix 12 --family mlfm --rate 200Gbps --set "$set"
	expect 2
	expect_err "--set $set: --rate 200Gbps sets the bandwidth of every link: remove one of the two"
done
run size --radix 12 --family mlfm --rate 200Gbps --set links.terminal.bandwidth=100Gbps
expect 2
expect_err '--set links.terminal.bandwidth=100Gbps: differs from --rate 200Gbps, which sets the bandwidth of every link: remove one of the two'
printf 'topology = { kind = "mlfm"; h = 3; };\nlinks = { local = { bandwidth = "1Gbps"; }; };\n' >local.cfg
run size local.cfg --radix 12 --family mlfm --rate 200Gbps
expect 2
expect_err 'local.cfg:2: links.local.bandwidth: differs from --rate 200Gbps, which sets the bandwidth of every link: remove one of the two'
run size --radix 12 --family mlfm --rate 200Gbps --set 'links.default={ latency = "5ns"; }'
expect_err ''
finish
