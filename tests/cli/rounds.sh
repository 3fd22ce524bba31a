#!/usr/bin/env bash
# process = "durango-rounds": messages of rounds, computation between them, one digest.
source "$(dirname "$0")/run.bash"
shipped=$tests/../../experiments/shipped/aspen
config() { # KEYS
	cat >run.cfg <<-END
		seed = 1;
		time       = { warmup = "0us"; measure = "35ms"; };
		topology   = { kind = "torus"; dims = [4, 4, 2]; endpoints = 1; };
		links      = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
		switch     = { kind = "ideal"; traversal = "100ns"; buffer = "100KB"; };
		routing    = { kind = "minimal"; };
		traffic    = ( { name = "a"; process = "durango-rounds"; packet = "512B"; $1 } );
	END
}
value() { python3 -c "import json; d=json.load(open('out')); print($1)" 2>&1 | tail -1; }

begin "messages"
for to in neighbour random; do
	config "to = \"$to\";"
	run run run.cfg --json
	expect 0
	# 6 rounds of 32 members: 2 x 16 messages of 2 packets each; 31 reports; 31 restarts but for the first one
	[ "$(value 'd["packets"]["delivered"], d["jobs"][0]["iterations"]')" = "$((6 * 32 * 2 * 16 * 2 + 6 * 31 + 5 * 31)) 6" ] || fail "$to: $(value 'd["packets"], d["jobs"][0]')"
done

begin "two members: 16 times there and back"
# One way, cut through: 1024 B at 100 Gb/s, two links of 50 ns, 100 ns of the switch. Later rounds begin at member 1 when
# the token of 8 B has come.
config 'to = "neighbour"; packet = "1024B";'
sed -i 's/packet = "512B"; //; s/topology .*/topology = { kind = "single"; ports = 2; };/' run.cfg
run run run.cfg --json
expect 0
first="32 * (1024 * 8 / 100 + 200)"
[ "$(value "abs(d['jobs'][0]['iteration_ns']['min'] - $first) < 1e-6")" = True ] || fail "first: $(value 'd["jobs"][0]["iteration_ns"]')"
[ "$(value "abs(d['jobs'][0]['iteration_ns']['max'] - $first - 8 * 8 / 100 - 200) < 1e-6")" = True ] || fail "others: $(value 'd["jobs"][0]["iteration_ns"]')"

begin "computation: 10 ms between rounds, of which 4 end in 35 ms"
printf 'model m { param n = 10 kernel main { execute { flops [n * mega] } } }' >m.aspen
config "models = [ \"m.aspen\" ]; machine = \"$shipped/quad.aspen\";"
run run run.cfg --json
expect 0
[ "$(value 'd["jobs"][0]["iterations"]')" = 4 ] || fail "$(value 'd["jobs"][0]["iterations"]') rounds"
run run run.cfg --json --set 'traffic.[0].params="n=20"'
[ "$(value 'd["jobs"][0]["iterations"]')" = 2 ] || fail "with 20 ms: $(value 'd["jobs"][0]["iterations"]') rounds"
printf 'model k { kernel main { execute { flops [30 * mega] } } }' >k.aspen
run run run.cfg --json --set 'traffic.[0].models=["m.aspen","k.aspen"]'
[ "$(value 'd["jobs"][0]["iterations"]')" = 2 ] || fail "10 and 30 ms: $(value 'd["jobs"][0]["iterations"]') rounds"

begin "computation, scaled"
config "models = [ \"m.aspen\" ]; machine = \"none.aspen\"; params = \"n=20\"; compute_scale = 0.5;"
run run run.cfg --json --set 'traffic.[0].machine="quad.aspen"' # the one that is shipped
expect 0
[ "$(value 'd["jobs"][0]["iterations"]')" = 4 ] || fail "$(value 'd["jobs"][0]["iterations"]') rounds of 20 ms, halved"
run run run.cfg --set 'traffic.[0].models=["m.aspen", "none.aspen"]' --set 'traffic.[0].machine="quad.aspen"'
expect 2
expect_in err 'traffic.\[0\].models.*none.aspen: No such file'
config 'compute_scale = 0.5;'
run run run.cfg
expect 2
expect_in err 'compute_scale.*has an effect only with models'

begin "ranks sit where they are mapped"
config 'to = "neighbour"; mapping_file = "map";'
sed -i 's/dims = [^;]*;/dims = [8];/' run.cfg
for map in "0 1 2 3 4 5 6 7" "3 5 7 1 2 4 6 0"; do
	echo "$map" >map
	run run run.cfg --json
	expect 0
	# of 6 rounds: 16 pings of 2 packets there and back; 6 reports to rank 0, 5 restarts by it
	[ "$(value "d['hops']['mean'] == (lambda m, d: (6 * 64 * sum(d(m[i], m[(i + 1) % 8]) for i in range(8)) + 11 * sum(d(m[0], x) for x in m)) / \
(6 * 8 * 64 + 11 * 7))([int(x) for x in '$map'.split()], lambda a, b: min((a - b) % 8, (b - a) % 8))")" = True ] || fail "$map: $(value 'd["hops"]')"
done
digest=$(value 'd["digest"]')
sed -i 's/mapping_file = "map"/mapping = { file = "map"; }/' run.cfg
run run run.cfg --json
expect 0
[ "$(value 'd["digest"]')" = "$digest" ] || fail "mapping as a group: another digest"
run run run.cfg --set 'traffic.[0].mapping_file="map"'
expect 2
expect_in err 'traffic.\[0\].mapping: names a file, but mapping_file names one, too'
run run run.cfg --set 'traffic.[0].mapping={ file = "none"; }'
expect 2
expect_err '--set traffic.[0].mapping={ file = "none"; }: traffic.[0].mapping.file: none: No such file or directory'
printf '0 1\0 2 3 4 5 6 7' >nul
run run run.cfg --set 'traffic.[0].mapping={ file = "nul"; }'
expect 2
expect_in err 'nul:1: "1[?]": must be the number of an endpoint'
run run run.cfg --set 'traffic.[0].mapping={ files = "map"; }'
expect 2
expect_in err '^--set traffic.\[0\].mapping=.*: must be written \{ file = "map"; \} when given as a group$'
run run run.cfg --set 'traffic.[0].mapping={ file = 3; }'
expect 2
expect_in err '"file" must be a text in quotes, not a whole number'
config 'mapping_file = "map";'
run run run.cfg --set 'traffic.[0].mapping="random"'
expect 2
expect_in err 'traffic.\[0\].mapping.*: has an effect only without mapping_file'

begin "one digest"
config 'mapping = "random"; pings = 8; models = [ "m.aspen" ]; machine = "'"$shipped"'/quad.aspen"; params = "n=0.001";'
run run run.cfg --json
digest=$(value 'd["digest"]')
for how in "--sync conservative" "--sync optimistic" "--sync optimistic --set engine.stress=20" "--audit"; do
	run run run.cfg --json $how
	expect 0
	[ "$(value 'd["digest"]')" = "$digest" ] || fail "$how: another digest"
done
for sync in conservative optimistic; do
	"$tests/../mpirun.sh" 2 "$program" run run.cfg --json --sync $sync >out 2>err || fail "2 ranks, $sync: $(cat err)"
	[ "$(value 'd["digest"]')" = "$digest" ] || fail "2 ranks, $sync: another digest"
done

begin "errors"
config 'to = "everyone";'
run run run.cfg
expect 2
expect_in err 'traffic.\[0\].to: '
config 'models = [ "m.aspen" ];'
run run run.cfg
expect 2
expect_in err 'is required with models, which take no time without it'
config 'params = "n=3";'
run run run.cfg
expect 2
expect_in err 'has an effect only with Aspen models'
config "models = [ \"m.aspen\" ]; machine = \"$shipped/quad.aspen\"; sockets = \"QuadCPU, QuadGPU\";"
run run run.cfg
expect 2
expect_in err 'traffic.\[0\].sockets: .*the machine has no socket QuadGPU; did you mean QuadCPU\?'
begin "completion, on the network and on a formula"
config 'iterations = 3; to = "neighbour";'
run run run.cfg --json
expect 0
[ "$(value 'd["jobs"][0]["application"]["ranks_ended"]')" = 32 ] || fail "not all have ended"
[ "$(value 'd["jobs"][0]["completion_ns"] > 3 * d["jobs"][0]["iteration_ns"]["min"]')" = True ] || fail "$(value 'd["jobs"][0]["completion_ns"]')"
run run run.cfg --json --set time.measure=2us # not all have ended
expect 0
[ "$(value '"completion_ns" in d["jobs"][0]')" = False ] || fail "completed"
# Messages take 1 us each. A round of one member is 16 pings and answers and a report; later ones begin at the others 1 us late.
for to in neighbour random; do
	config "iterations = 3; to = \"$to\"; models = [ \"m.aspen\" ]; machine = \"$shipped/quad.aspen\";"
	sed -i 's/ packet = "512B";//; /^time\|^links\|^switch\|^routing/d' run.cfg
	echo 'network = { kind = "loggops"; L = "1us"; o = "0ns"; g = "0ns"; G = 0.0; O = 0.0; };' >>run.cfg
	run run run.cfg --json
	expect 0
	[ "$(value 'd["jobs"][0]["completion_ns"]')" = "$((33000 + 2 * 34000 + 3 * 10000000)).0" ] || fail "$to: $(value 'd["jobs"][0]["completion_ns"]')"
	run run run.cfg --json --set traffic.[0].pause=7us # between rounds, not behind the last
	expect 0
	[ "$(value 'd["jobs"][0]["completion_ns"]')" = "$((33000 + 2 * 34000 + 3 * 10000000 + 2 * 7000)).0" ] || fail "$to, with a pause: $(value 'd["jobs"][0]["completion_ns"]')"
done
for kind in simplenet loggp; do
	config 'iterations = 2;'
	sed -i 's/ packet = "512B";//; /^time\|^links\|^switch\|^routing/d' run.cfg
	run run run.cfg --json --set network.kind=$kind
	expect 0
done
run run run.cfg --set network.kind=loggp --set traffic.[0].iterations=0
expect 2
expect_in err 'traffic.\[0\].iterations=0: must not be 0 with an analytical network model'

finish
