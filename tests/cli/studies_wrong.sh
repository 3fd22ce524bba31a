#!/usr/bin/env bash
# Comparisons and searches that say what cannot be, or are killed at bad moments.
source "$(dirname "$0")/run.bash"

links='config={ links={ default={ bandwidth="40Gbps"; latency="50ns"; }; }; };'
net='candidates=({name="t";topology={kind="torus";dims=[4,4];endpoints=2;};});'
brief='short=40; long=100;'

wrong() { # COMMAND TEXT REGEX...: exit status 2, nothing written, these lines
	local command=$1 text=$2
	shift 2
	echo "$text" >wrong.cfg
	run "$command" wrong.cfg --out folder
	expect 2
	for line in "$@"; do expect_in err "$line"; done
	[ ! -e folder ] || fail "a folder was written for: $text"
	rm -rf folder
}

begin "lists without an entry"
for key in routings congestion traffic collectives messages; do
	for none in '()' '[]'; do wrong compare "$links $net $key=$none;" "wrong.cfg:1: $key: must have at least one entry"; done
done
wrong compare "$links $net collectives=({process=\"allreduce\";sizes=[];});" 'collectives.\[0\].sizes: must have at least one entry'

begin "traffic that pauses"
for key in stop start burst_length burst_pause; do
	wrong compare "$links $net traffic=(\"uniform\"); job={$key=\"2us\";};" "wrong.cfg:1: job.$key: is not possible here: the study measures"
	wrong compare "$links $net traffic=({pattern=\"uniform\";$key=\"2us\";});" "traffic.\[0\].$key: is not possible here: the study measures"
	wrong compare "$links $net collectives=({process=\"allreduce\";$key=\"2us\";});" "collectives.\[0\].$key: has no effect in this study"
done

begin "matrices that set rates"
for values in Gbps loads; do
	wrong compare "$links $net traffic=({name=\"m\";pattern=\"matrix\";file=\"m.csv\";values=\"$values\";});" "wrong.cfg:1: traffic.\[0\].values: \"$values\": must be \"weights\" here"
	wrong compare "$links $net traffic=({name=\"m\";pattern=\"matrix\";file=\"m.csv\";}); job={values=\"$values\";};" "wrong.cfg:1: job.values: \"$values\": must be \"weights\" here"
done

begin "keys without effect"
wrong compare "$links $net routings=(\"minimal\"); set=[\"routing.kind=valiant\"];" 'routing is set by the study and cannot be set here'
wrong compare "$links $net radix=12;" 'radix: has no effect, because all candidates have an explicit topology'
wrong compare "$links $net throughput=0.5;" 'throughput: has no effect, because all candidates have an explicit topology'
wrong compare "$links $net messages=[\"4KB\",\"4000B\"];" 'messages: "4KB" and "4000B" are equal'
space='variables=({path="topology";values=({kind="torus";dims=[3,3];},{kind="hyperx";dims=[3,3];});}); short=20; long=40;'
wrong design "$links $space objectives=[\"ports\"]; weights=[1,1,1];" 'weights: has an effect only with the objective "saturation"'
wrong design "$links $space objectives=[\"ports\",\"saturation\"]; traffic=(\"uniform\",\"neighbor\"); weights=[1e308,1e308];" 'weights: 1e\+308 must be above 0 and at most 1e\+09'
wrong design "$links $space objectives=[\"ports\",\"saturation\"]; weights=[];" 'weights: must have at least one entry'
bare="${space%% short=*}"
for key in short=20 long=40 'width="5%"' eliminate=false; do
	wrong design "$links $bare objectives=[\"ports\"]; $key;" "${key%%=*}: has an effect only with an objective that is simulated"
done
wrong compare "$links $net collectives=({process=\"all-to-all\";phases=65536;});" 'collectives.\[0\].phases: '
wrong design "$links $space objectives=[\"ports\"]; limits={cost=0;};" 'limits.cost: must be above 0; if omitted, there is no limit'
wrong design "$links $space objectives=[\"ports\"]; limits={least_endpoints=100;most_endpoints=10;};" 'limits.least_endpoints: exceeds most_endpoints = 10'
wrong design "$links variables=({path=\"topology.dims\";values=([4,4],[5,5]);step=2;}); objectives=[\"ports\"];" 'variables.\[0\]: has an effect only with "range"'
wrong design "$links variables=({path=\"topology.endpoints\";range=[1.5,2.5];}); objectives=[\"ports\"];" 'variables.\[0\].range: must be .* whole number'
wrong design "$links variables=({path=\"topology.endpoints\";values=[];}); objectives=[\"ports\"];" 'variables.\[0\].values: must have at least one entry'
wrong design "$links variables=({path=\"\";values=[1];}); objectives=[\"ports\"];" 'variables.\[0\].path: must not be empty'

wrong design "$links short=20; long=40; variables=({path=\"topology.kind\";values=[\"polarfly\"];},{path=\"topology.q\";range=[2,4];step=5;});" \
	'wrong.cfg:1: variables.\[1\].range: spans less than step = 5, which leaves the single value 2: write values = \[2\], or a smaller step'
wrong compare "$links $net width=\"0.01%\";" 'wrong.cfg:1: width: 0.01% is out of range: 0.1% to 50%'

begin "names that results would share"
wrong compare "$links traffic=(\"uniform\");
candidates=({name=\"a-b\";topology={kind=\"torus\";dims=[4,4];};},{name=\"a\";topology={kind=\"hyperx\";dims=[4,4];endpoints=2;};});
routings=({kind=\"minimal\";name=\"c\";},{kind=\"minimal\";name=\"b-c\";});" 'would have the same name "a-b-c-uniform\.\.\."'
zeros=$(printf '0%.0s' {1..220})
wrong compare "$links $net messages=(\"${zeros}512B\");" \
	'^wrong.cfg:1: the name of a run, "t-uniform-000.*\.\.\.", has 244 characters; at most 224 are possible'
cat >twins.cfg <<END
$links $net $brief curve=[0.3000001,0.30000012];
END
run compare twins.cfg --out twins
expect 1
expect_in err '^twins.cfg:1: two runs would have the name "t-uniform-latency-0.3": loads must differ in their first six digits$'
wrong compare "$links $net traffic=({name=\"w\";pattern=\"worst-permutation\";of=\"valiant\";});" \
	'traffic\.\[0\]\.of: is set by the study: each design uses its own routing'

begin "a folder where a table goes is found before anything runs"
for table in "compare compare.json" "compare ranking.csv" "design design.json" "design front.csv"; do
	rm -rf table
	mkdir -p "table/${table#* }"
	if [ "${table% *}" = compare ]; then
		echo "$links $net $brief" >table.cfg
	else
		echo "$links $space objectives=[\"ports\",\"saturation\"];" >table.cfg
	fi
	run "${table% *}" table.cfg --out table
	expect 1
	expect_in err "^tilefly ${table% *}: table/${table#* }: is a directory, but a table of this name must be written there\$"
	[ -z "$(ls table/points)" ] || fail "$table: something was run"
done

begin "a routing called of-minimal"
cat >ofm.cfg <<END
$links $net $brief eliminate=false; traffic=("worst-permutation"); routings=({kind="valiant";name="of-minimal";},"minimal","ugal-l");
END
run compare ofm.cfg --out ofm
expect 0
[ -e ofm/permutations/t_of-minimal.through.txt ] && [ -e ofm/permutations/t.through.txt ] || fail "$(ls ofm/permutations)"

begin "bounds of hotspots, and of endpoints that send to themselves"
cat >hot.cfg <<END
$links $brief candidates=({name="h";topology={kind="hyperx";dims=[3,5];endpoints=2;};}); routings=("minimal"); eliminate=false;
traffic=({pattern="hotspot";fraction=0.1;},{name="own";pattern="uniform";self=true;},{name="others";pattern="uniform";});
END
run compare hot.cfg --out hot --json
expect 0
python3 -c "
import json
hot, own, others = json.load(open('out'))['designs'][0]['series']
assert abs(hot['bound'] - 1 / (29 * .1 + .9)) < 1e-9 and hot['saturation'][0] <= hot['bound'], hot
assert abs(own['bound'] / others['bound'] - 30 / 29) < 1e-9, (own, others)" || fail "bounds"

begin "what is set again"
wrong design "$links variables=({path=\"topology.dims\";values=([4,4],[5,5]);},
{path=\"topology\";values=({kind=\"torus\";dims=[3,3];});}); objectives=[\"ports\"];" \
	'wrong.cfg:2: variables.\[0\]: "topology.dims" is also set by variables.\[1\], "topology"'
wrong design "$links variables=({path=\"topology.kind\";values=[\"torus\",\"hyperx\"];},{path=\"topology.dims\";values=([3,3]);},
{path=\"topology.kind\";values=[\"torus\"];}); objectives=[\"ports\"];" '"topology.kind" is also set by variables.\[2\]'
wrong sweep 'config = { topology = { kind = "torus"; dims = [4, 4]; }; traffic = ( { load = 0.5; } ); };
grid = ( { name = "a"; path = "traffic.[0].load"; values = [ 0.1, 0.2 ]; }, { name = "b"; path = "traffic.[0].load"; values = [ 0.3 ]; } );' \
	'grid: every key that axis "a" sets is set again by axis "b"'

begin "keys that are kept apart by when, and sections before their keys"
cat >good.cfg <<END
$links variables=({path="topology";values=({kind="torus";dims=[3,3];},{kind="hyperx";dims=[3,3];});},{path="topology.endpoints";values=[1,2];}); objectives=["ports"];
END
run design good.cfg --bounds
expect 0
cat >good.cfg <<END
$links variables=({path="topology.kind";values=["torus","hyperx"];},{path="topology.dims";values=([3,3]);},
{path="topology.endpoints";values=[1];when="topology.kind=torus";},{path="topology.endpoints";values=[2];when="topology.kind=hyperx";}); objectives=["ports"];
END
run design good.cfg --bounds
expect 0

begin "a topology that cannot be"
wrong compare "$links
candidates=({name=\"t\";topology={kind=\"torus\";dims=[3,3];};},
{name=\"u\";topology={kind=\"torus\";dimz=[4,4];};},
{name=\"v\";topology={kind=\"fou\";};});" 'wrong.cfg:3: .*dimz.*did you mean "dims"' 'wrong.cfg:4: .*fou'

# A run that a signal ends is no result of the network.
begin "a run that is killed"
cat >killed.cfg <<END
$links $net routings=("minimal"); traffic=("uniform"); short=4000; long=4000;
END
"$program" compare killed.cfg --out killed -j 1 >out 2>err </dev/null &
pid=$!
for _ in $(seq 100); do
	child=$(pgrep -P $pid) && kill -9 $child && break
	sleep 0.02
done
wait $pid
status=$?
expect 1
expect_in err '[0-9]+ runs? (was|were) killed, and the results that depend on (it|them) are missing'
grep -q '"complete":false' killed/compare.json || fail "it calls itself complete"
run compare killed.cfg --out killed -j 1
expect 0
grep -q '"complete":true' killed/compare.json || fail "it is not complete"

begin "a file where a result should be"
mkdir -p way/points
echo "$links $net routings=(\"minimal\"); traffic=(\"uniform\"); $brief" >way.cfg
mkdir way/points/t-minimal-uniform-short-1.jsonl.gz
run compare way.cfg --out way -j 1
expect 1
expect_in err '1 run was killed, and the results that depend on it are missing'

begin "another study's folder, and temporaries of one that was killed"
touch killed/permutations/x.txt.0123456789abcdef.tmp
run compare killed.cfg --out killed -j 1
expect 0
[ ! -e killed/permutations/x.txt.0123456789abcdef.tmp ] || fail "a temporary file stays"
run compare way.cfg --out killed
expect 2
expect_in err 'contains the results of another experiment'

begin "latency that is not known in time"
echo "$links $net routings=(\"minimal\"); traffic=(\"uniform\"); $brief limit=\"2us\"; precision=\"1%\";" >limit.cfg
run compare limit.cfg --out limit
expect 0
expect_in out '^t_minimal +- +- +-'

begin "a signal while bounds are found"
cat >slow.cfg <<END
$links candidates=({name="t";topology={kind="torus";dims=[16,16,16];endpoints=2;};},{name="s";topology={kind="slimfly";q=23;};}); routings=("minimal","valiant");
END
for signal in INT TERM HUP; do
	interruptible compare slow.cfg --bounds >out 2>err </dev/null &
	pid=$!
	sleep 0.4
	kill -$signal $pid
	wait $pid
	status=$?
	expect 130
	expect_err 'tilefly compare: interrupted'
done
finish
