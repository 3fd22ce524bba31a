#!/usr/bin/env bash
# Traces replayed on the network: several at once with background traffic, the same with every scheduler and on two ranks.
source "$(dirname "$0")/run.bash"
data=$(realpath "$tests/../data/trace")
export PYTHONDONTWRITEBYTECODE=1
python3 "$tests/chakra.py" ring-int32

config() { # JOBS
	printf 'topology = { kind = "hyperx"; dims = [4,4]; endpoints = 2; };\nmpi = { collectives = "openmpi-4.1"; };\ntraffic = ( %s );\n' "$1" >run.cfg
}
dumpi='{ name = "a"; process = "dumpi"; meta = "'$data'/dumpi_calls_p5/dumpi-calls.meta"; nodes = "0-4"; }'
chakra='{ name = "c"; process = "chakra"; prefix = "t"; nodes = "16-20"; }'
otf2='{ name = "b"; process = "otf2"; file = "'$data'/otf2_ring_p6/traces.otf2"; nodes = "8-13"; }'
[ -x "$(dirname "$program")/tilefly-otf2" ] || otf2=${chakra/16-20/8-12}
rest='{ name = "rest"; pattern = "uniform"; load = 0.1; packet = "256B"; nodes = "24-31"; }'

begin "three traces and background traffic, one digest"
config "$dumpi, $otf2, $chakra, $rest"
run run run.cfg --json
expect 0
expect_in err 'a: rank 4 to rank 0, tag 7, 800 B: not received'
digest=$(grep -o '"digest":"[0-9a-f]*"' out)
for more in "--sync optimistic" "--sync conservative" "--sync optimistic --set engine.stress=7" --audit; do
	run run run.cfg --json $more
	expect 0
	[ "$(grep -o '"digest":"[0-9a-f]*"' out)" = "$digest" ] || fail "$more: another digest"
done
"$tests/../mpirun.sh" 2 "$program" run run.cfg --json --sync optimistic >out 2>err </dev/null || fail "on two ranks: $(tail -n 3 err)"
[ "$(grep -o '"digest":"[0-9a-f]*"' out)" = "$digest" ] || fail "on two ranks: another digest"

begin "computation, scaled and dropped: 2.1 ms in all"
time_of() {
	run run run.cfg --json "$@"
	expect 0
	python3 -c "import json; d=json.load(open('out')); print([j for j in d['jobs'] if j['name']=='a'][0].get('completion_ns', d.get('completion_ns')))"
}
config "$dumpi"
one=$(time_of)
none=$(time_of --set 'traffic.[0].compute_scale=0')
ten=$(time_of --set 'traffic.[0].compute_scale=10')
python3 -c "import sys; one, none, ten = map(float, sys.argv[1:]); sys.exit(not (0 < none < one < ten and 8 < (ten - none) / (one - none) < 12))" "$one" "$none" "$ten" ||
	fail "$one, $none, $ten"

begin "a graph on a formula"
config "$chakra"
echo 'network = { kind = "loggops"; S = "1MB"; };' >>run.cfg
run run run.cfg --json
expect 0

begin "errors have the key of the job and the place in the trace"
cp -r "$data/dumpi_calls_p5" p5
chmod -R u+w p5
rm p5/*.txt p5/dumpi-calls-0003.bin
config '{ name = "a"; process = "dumpi"; meta = "p5/dumpi-calls.meta"; nodes = "0-4"; }'
run run run.cfg
expect 2
expect_in err '^run.cfg:3: traffic.\[0\].meta: .*p5/dumpi-calls.meta: rank 3 \(of 5\): neither .*dumpi-calls-0003.bin nor its text form \(.txt\) exists'
config "${dumpi/0-4/0-3}"
run run run.cfg
expect 2
expect_in err 'traffic.\[0\]'
python3 "$tests/chakra.py" cycle
config "${chakra/16-20/16-17}"
run run run.cfg
expect 2
expect_in err 'traffic.\[0\].prefix: .*t.0.et: byte [0-9]+, node [123]: depends on itself, through node [123]'
rm t.*.et
python3 "$tests/chakra.py" large
config "${chakra/16-20/16-17}"
run run run.cfg
expect 2
expect_in err 'traffic.\[0\].prefix: rank 0: .*more than 2\^31 - 1 packets'
finish
