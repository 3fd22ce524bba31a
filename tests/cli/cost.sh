#!/usr/bin/env bash
# tilefly cost: what needs no price, the published model, files of prices, rankings; and latencies by length.
source "$(dirname "$0")/run.bash"

json() { # FILTER: a value of the printed object
	python3 -c "import json,sys; d=json.load(open('out')); print($1)"
}
near() { # WHAT GOT WANT RELATIVE
	python3 -c "import sys; g,w,r=map(float,sys.argv[1:]); sys.exit(abs(g-w)>r*abs(w))" "$2" "$3" "$4" || fail "$1: $2, not $3"
}

# --- no prices -------------------------------------------------------------------------------------------------------

begin "counts need no price"
run cost slimfly-3k
expect 0
expect_in out '^switches +338 with 28 ports, 19 to switches and 9 to endpoints, up to 100 Gb/s$'
expect_in out '^ports used +3\.1111 per endpoint, 9464 in total$'
expect_in out '^ +2\.0556 cables per endpoint'
expect_in out '^watts +no published power per port'
expect_in out '^prices +no cost model selected'
run cost slimfly-3k --set links.default.bandwidth=200Gbps --json
expect 0
near "watts of 28 ports for 9 endpoints" "$(json 'd["port_figures_w_per_endpoint"]')" 12.152778 1e-6 # 28 / 9 x 250 / 64
[ "$(json 'd["cost"]')" = None ] || fail "a cost without prices"
[ "$(json 'sum(c["count"] for c in d["cables"] if c["class"] != "terminal")')" = 3211 ] || fail "3211 cables"

begin "uniform traffic, where it takes a search"
for network in polarstar-1040 jellyfish-1024 bundlefly-1000; do
	run topo $network --json
	expect 0
	saturates=$(json 'd["saturation_uniform"]')
	run cost $network --json
	expect 0
	near "$network" "$(json 'd["saturation_uniform"]')" "$saturates" 1e-9
done

begin "accelerators' own switches are not bought"
run cost hammingmesh-1024 --json
expect 0
[ "$(json 'd["switches"], d["own_switches"], d["ports_per_endpoint"], d["cables_per_endpoint"]')" = "64 1024 2.0 2.0" ] || fail "own: $(json d)"
run cost hammingmesh-1024 --set topology.accelerators=bought --json
expect 0
[ "$(json 'd["switches"], d["own_switches"], d["ports_per_endpoint"], d["cables_per_endpoint"]')" = "1088 0 7.0 4.0" ] || fail "bought: $(json d)"

begin "several, without prices, are not ranked"
run cost slimfly-3k dragonfly-1056
expect 0
expect_in out 'the networks are not ranked'

# --- the published model ---------------------------------------------------------------------------------------------

linear=(--set links.default.bandwidth=40Gbps --set cost.kind=sc14-linear)
begin "the published linear model"
run cost dragonfly-1056 "${linear[@]}" --json
expect 0
near total "$(json 'd["cost"]["per_endpoint"]["total"]')" 1321.0813 1e-6
near watts "$(json 'd["cost"]["loaded_w_per_endpoint"]')" 10.5 1e-9

begin "it refuses other rates"
run cost dragonfly-1056 --set cost.kind=sc14-linear
expect 2
expect_in err 'cost\.kind.*: "sc14-linear" holds for links of 40 Gb/s; this network has some of 100 Gb/s$'

begin "rankings, and where they change"
run cost slimfly-3k dragonfly-1056 fattree-1024 "${linear[@]}"
expect 0
expect_in out '^ +1 +slimfly-3k'
expect_in out '^ +3 +fattree-1024'
expect_in out '^First place changes at [0-9.]+ times the price of optical cables \(dragonfly-1056 is then cheaper than slimfly-3k\)'
run cost slimfly-3k dragonfly-1056 "${linear[@]}" --json
factor=$(json 'd["first_place_changes_at_factor"]["optical"]["above"]')
near "the factor that the two totals give" "$factor" "$(json '(lambda s, f: 1 + (f["total"] - s["total"]) / (s["optical"] - f["optical"]))(*[x["cost"]["per_endpoint"] for x in d["networks"]])')" 1e-9
[ "$(json '" ".join(d["ranking"])')" = "slimfly-3k dragonfly-1056" ] || fail "ranking"

begin "one model for all"
cat >own.cfg <<-END
	topology = { kind = "slimfly"; q = 5; };
	links = { default = { bandwidth = "40Gbps"; }; };
	cost = { kind = "sc14-linear"; };
END
run cost own.cfg slimfly-3k
expect 2
expect_in err 'own.cfg is priced by cost model "sc14-linear", but slimfly-3k by "none"'

begin "keys without effect are refused"
run cost slimfly-3k --set cost.radix=used
expect 2
expect_in err 'cost\.radix.*with a cost model \(kind other than "none")'
run cost slimfly-3k --set layout.fold=none
expect 2
expect_in err 'layout\.fold.*with a torus'
run cost torus-8x8x8 --set layout.fold=none
expect 0

begin "unknown and wrong keys"
run cost slimfly-3k --set layout.isle=1m
expect 2
expect_in err 'layout\.isle.*did you mean "aisle"'
run cost slimfly-3k --set layout.aisle=1
expect 2
expect_in err 'layout\.aisle.*needs the unit m'
run cost slimfly-3k --set cost.kind=sc15-linear
expect 2
expect_in err 'there is no cost "sc15-linear"; did you mean "sc14-linear"'
run cost none.cfg
expect 2

# --- files of prices -------------------------------------------------------------------------------------------------

cp "$tests"/prices/*.cfg .
# 338 switches of 28 ports at 2280, 1183 copper cables at 50, 2028 optical ones at 200 and 5 a metre, 9152 m; of the watts,
# half way between idle and loaded, 150 a switch and 2.5 an optical cable: 55,770 W x 1.5, for 4 x 8.766 h at 0.2 a kWh
begin "a file of prices"
run cost slimfly-3k --set cost.kind=prices --set cost.file=good.cfg --json
expect 0
near switches "$(json 'd["cost"]["per_endpoint"]["switches"]')" 253.333333 1e-8
near copper "$(json 'd["cost"]["per_endpoint"]["copper"]')" 19.4444444 1e-8
near optical "$(json 'd["cost"]["per_endpoint"]["optical"]')" 148.376068 1e-8
near energy "$(json 'd["cost"]["per_endpoint"]["energy"]')" 192.852 1e-8
near total "$(json 'd["cost"]["total"]')" 2019905.784 1e-8
[ "$(json 'd["cost"]["currency"]')" = EUR ] || fail "currency"

begin "watts are left out, or both given"
sed -e 's/ idle = "1[05]0W"; loaded = "[0-9.]*W";//' -e '/^energy/d' good.cfg >dark.cfg
run cost own.cfg --set links.default.bandwidth=100Gbps --set cost.kind=prices --set cost.file=dark.cfg --json
expect 0
[ "$(json 'd["cost"]["loaded_w_per_endpoint"]')" = None ] || fail "watts that the file does not say: $(json 'd["cost"]["loaded_w_per_endpoint"]')"
sed 's/ idle = "100W";//' good.cfg >half.cfg
run cost own.cfg --set links.default.bandwidth=100Gbps --set cost.kind=prices --set cost.file=half.cfg
expect 2
expect_in err 'half.cfg:4: switches.\[0\].idle: must be given together with loaded: set both or neither'
sed 's/ idle = "1[05]0W"; loaded = "[0-9.]*W";//' good.cfg >unknown.cfg
run cost own.cfg --set links.default.bandwidth=100Gbps --set cost.kind=prices --set cost.file=unknown.cfg
expect 2
expect_in err 'a price of energy is set, but the model has no power figures for some of the switches'

begin "relative to the configuration that names it"
mkdir -p sub
cp good.cfg sub/mine.cfg
cat >sub/net.cfg <<-END
	topology = { kind = "slimfly"; q = 5; };
	cost = { kind = "prices"; file = "mine.cfg"; };
END
run cost sub/net.cfg
expect 0
expect_in out '^cost model +prices, sub/mine.cfg$'

count=0
for file in "$tests"/prices/*.err; do
	bad=$(basename "$file" .err)
	begin "prices: $bad"
	run cost slimfly-3k --set cost.kind=prices --set cost.file="$bad.cfg"
	expect 2
	expect_out ""
	expect_err "$(cat "$file")"
	count=$((count + 1))
done
begin "number of bad files"
[ "$count" -ge 7 ] || fail "only $count"

begin "what the file does not sell"
run cost slimfly-3k --set cost.kind=prices --set cost.file=good.cfg --set topology.endpoints=50
expect 2
expect_in err '^good.cfg:3: switches: no switch has 69 ports of 100 Gb/s; the largest of that rate has 64$'
run cost slimfly-3k --set cost.kind=prices --set cost.file=good.cfg --set layout.copper=6m
expect 2
expect_in err '^good.cfg:8: cables: no copper cable of 6 m at 100 Gb/s; the longest is 2.5 m$'
run cost slimfly-3k --set cost.kind=prices --set cost.file=good.cfg --set links.global.bandwidth=50Gbps
expect 2
expect_in err '^good.cfg:8: cables: no optical cable at 50 Gb/s'
run cost slimfly-3k --set cost.kind=prices
expect 2
expect_in err 'cost\.file.*required, but missing'
run cost slimfly-3k --set cost.kind=prices --set cost.file=none.cfg
expect 2
expect_in err '^--set cost\.file=none\.cfg: none\.cfg cannot be read: No such file'
printf 'topology = { kind = "slimfly"; q = 5; };\ncost = { kind = "prices";\n  file = "none.cfg"; };\n' >unread.cfg
run cost unread.cfg
expect 2
expect_in err '^unread\.cfg:3: cost\.file: none\.cfg cannot be read: No such file'

begin "watts of a file of prices stand in the table"
run cost slimfly-3k --set cost.kind=prices --set cost.file=good.cfg --json
loaded=$(json '"%.3f" % d["cost"]["loaded_w_per_endpoint"]')
run cost slimfly-3k slimfly-3k --set cost.kind=prices --set cost.file=good.cfg
expect 0
expect_in out "^ +1  slimfly-3k +3042 .* $loaded "

# --- a model as a plug-in --------------------------------------------------------------------------------------------

quote=(--plugin "$plugins/quote.so" --set cost.kind=quote --set cost.rate=100Gbps --set cost.chassis=1000USD --set cost.port=10USD
	--set cost.copper=50USD --set cost.optical=200USD --set cost.metre=5USD/m --set cost.port_power=4W)
begin "a cost model of one's own"
run cost slimfly-3k "${quote[@]}" --json
expect 0
near switches "$(json 'd["cost"]["per_endpoint"]["switches"]')" 142.222222 1e-8 # 338 x 1280 / 3042
near optical "$(json 'd["cost"]["per_endpoint"]["optical"]')" 148.376068 1e-8
near watts "$(json 'd["cost"]["loaded_w_per_endpoint"]')" 12.4444444 1e-8 # 28 x 4 / 9
run cost slimfly-3k "${quote[@]}" --set links.default.bandwidth=40Gbps
expect 2
expect_in err 'cost\.rate.*: the quote is for links of 100 Gb/s; here are some of 40 Gb/s'
run cost slimfly-3k "${quote[@]}" --set cost.port=10EUR
expect 2
expect_in err 'cost\.port.*"10EUR" is not a quantity in USD'
run list cost quote --plugin "$plugins/quote.so"
expect 0
expect_in out 'port_power'

# --- latencies by length ---------------------------------------------------------------------------------------------

# Three links of 1 m: 13.5 ns and one switch more would be within a rack; from endpoint to switch to endpoint it is 9 ns,
# 100 ns in the switch, and 20.48 ns for 256 B at 100 Gb/s.
begin "lengths become latencies"
short=(--set time.warmup=500ns --set time.measure=1us --set links.default.latency=layout)
run run slimfly-3k "${short[@]}" --json
expect 0
expect_in out '"latency_ns":\{"min":129\.48,'
digest() {
	run run "$@" --json
	expect 0
	digest=$(json 'd["digest"]')
}
digest slimfly-3k "${short[@]}"
usual=$digest
for how in "--sync conservative" "--sync optimistic" "--sync optimistic --set engine.stress=20" "--audit" "--threads 2" \
	"--set record.ports=true --out p.jsonl"; do
	digest slimfly-3k "${short[@]}" $how
	[ "$digest" = "$usual" ] || fail "another digest with $how"
done
begin "every key of the layout changes them"
for key in rack_switches=5 columns=2 width=2m depth=2m aisle=1m inside=2m overhead=3m terminal=2m delay=5ns; do
	digest slimfly-3k "${short[@]}" --set layout.$key
	[ "$digest" != "$usual" ] || fail "layout.$key changes nothing"
done
digest torus-8x8x8 "${short[@]}"
short_rings=$digest
for fold in racks none; do
	digest torus-8x8x8 "${short[@]}" --set layout.fold=$fold
	[ "$digest" != "$short_rings" ] || fail "fold = $fold changes nothing"
done
begin "of one class alone, and at the time that its cables say"
# dragonfly: racks are groups, so local cables have 4.5 ns as if that were given
digest dragonfly-1056 --set time.warmup=1us --set time.measure=4us --set links.local.latency=layout
by_length=$digest
digest dragonfly-1056 --set time.warmup=1us --set time.measure=4us --set links.local.latency=4500ps
[ "$digest" = "$by_length" ] || fail "1 m is not 4.5 ns"
begin "it stays in the resolved configuration"
run run slimfly-3k "${short[@]}" --out result.jsonl
expect 0
expect_in result.jsonl '"latency":"layout"'
begin "with switches and routings that are not the simplest"
for more in "--set switch={kind=\"crossbar\";}" "--set routing.kind=ugal-l" "--set routing.kind=slingshot" "--set links.default.framing=roce"; do
	digest slimfly-3k "${short[@]}" --set time.measure=1us $more
	one=$digest
	digest slimfly-3k "${short[@]}" --set time.measure=1us $more --sync conservative --threads 2
	[ "$digest" = "$one" ] || fail "another digest: $more"
done
begin "a word that is none"
run run slimfly-3k --set links.default.latency=auto
expect 2
expect_in err 'links\.default\.latency.*"auto"'
finish
