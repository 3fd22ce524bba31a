#!/usr/bin/env bash
# par of an Aspen model: computation goes on beside communication, to the degree `overlap`. C is the time of an exchange of 1 MB
# between two ranks: 80,000 ns at 100 Gb/s, two links of 50 ns and 100 ns of the switch; a computation of T takes T ns.
source "$(dirname "$0")/run.bash"
cat >m.machine <<'END'
machine M { node [1] N }
node N { socket [1] S }
socket S { core [1] K }
core K { resource flops(n) [n * nano] }
END
model() { # STATEMENTS
	printf 'model m { param T = 50000 kernel compute { execute { flops [T] } } kernel exchange { execute { comm [1] of size [1000000] as allreduce } }\nkernel main { %s } }' "$1" >m.aspen
}
cat >run.cfg <<-END
	seed = 1;
	topology = { kind = "single"; ports = 2; };
	links    = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
	switch   = { kind = "ideal"; traversal = "100ns"; buffer = "300KB"; };
	routing  = { kind = "minimal"; };
	time     = { warmup = "0us"; measure = "10ms"; };
	traffic  = ( { name = "a"; process = "aspen"; model = "m.aspen"; machine = "m.machine"; packet = "1000B"; } );
END
value() { python3 -c "import json; d=json.load(open('out')); C = 80200; print($1)" 2>&1 | tail -1; }
takes() { # NANOSECONDS OPTION...
	local want=$1
	shift
	run run run.cfg --json "$@"
	expect 0
	[ "$(value "all(abs(d['jobs'][0]['iteration_ns'][k] - ($want)) < 1e-3 for k in ('min', 'max'))")" = True ] || fail "$*: $(value "d['jobs'][0]['iteration_ns'], $want")"
}
job() {
	echo "--set traffic.[0].$1"
}

begin "seq, and par to several degrees"
model 'seq { call compute() call exchange() }'
takes "50000 + C"
model 'par { call compute() call exchange() }'
takes "C"
takes "C" $(job overlap=1.0)
takes "50000 + C" $(job overlap=0)
takes "40000 + C" $(job overlap=0.2)
takes "100000" $(job params=\"T=100000\")
takes "50000 + C" $(job params=\"T=100000\") $(job overlap=0.5)
takes "180000 + 120000" $(job params=\"T=300000\") $(job overlap=0.4)
takes "C + 20000" $(job params=\"T=200000\") $(job overlap=0.4) $(job compute_scale=0.1666666666666667)

begin "in loops, nested, with computation in the branch that communicates"
model 'iterate [3] { par { call compute() call exchange() } }'
takes "3 * C"
takes "300000" $(job params=\"T=100000\")
model 'par { execute { flops [4 * T] } seq { call exchange() par { call compute() call exchange() } } }'
takes "200000"
takes "375000 + 2 * C" $(job params=\"T=100000\") $(job overlap=0.25) # 300,000 + max(100,000, C + 75,000 + max(25,000, C))
model 'par { call compute() seq { execute { flops [30000] } call exchange() } execute { flops [90000] } }'
takes "30000 + C"
model 'par { call compute() call compute() }'
takes "50000"

begin "results say that it computes while it communicates"
model 'par { call compute() call exchange() }'
takes "C"
[ "$(value 'abs(d["jobs"][0]["application"]["communication_share"] - (C - 50000) / C) < 1e-6')" = True ] || fail "$(value 'd["jobs"][0]["application"]')"

begin "on a formula: max(T, L + (k - 1) G)"
sed '/^time\|^links\|^switch\|^routing/d; s/ packet = "1000B";//' run.cfg >formula.cfg
for T in 50000 100000; do
	run run formula.cfg --json $(job params=\"T=$T\") --set 'network={ kind = "loggops"; L = "1us"; o = "0ns"; g = "0ns"; G = 80.0; }'
	expect 0
	[ "$(value "abs(d['jobs'][0]['completion_ns'] - max($T, 1000 + 999999 * .08)) < 1")" = True ] || fail "T=$T: $(value 'd["jobs"][0]["completion_ns"]')"
done

begin "one digest"
model 'iterate [4] { par { call compute() seq { call exchange() par { execute { flops [30000] } call exchange() } } } }'
digest=
for how in "--sync sequential" "--sync conservative" "--sync optimistic --set engine.stress=20" "--audit"; do
	run run run.cfg --json $how
	expect 0
	[ "${digest:=$(value 'd["digest"]')}" = "$(value 'd["digest"]')" ] || fail "$how: another digest"
done

begin "a key without effect"
model 'seq { call compute() call exchange() }'
run check run.cfg $(job overlap=0.5)
expect 2
expect_in err 'overlap=0.5: has an effect only with a model in which "par" contains both computation'
finish
