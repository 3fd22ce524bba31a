#!/usr/bin/env bash
# traffic[].process = "aspen": members that walk a model. Messages, packets and hops of LULESH, times, one digest.
source "$(dirname "$0")/run.bash"
data=$tests/../data/aspen
shipped=$tests/../../experiments/shipped/aspen

config() { # MODEL KEYS: a 4 x 4 x 4 torus
	cat >run.cfg <<-END
		seed = 1;
		time       = { warmup = "0us"; measure = "100ms"; };
		topology   = { kind = "torus"; dims = [4, 4, 4]; endpoints = 1; };
		links      = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
		switch     = { kind = "ideal"; traversal = "100ns"; buffer = "100KB"; };
		routing    = { kind = "minimal"; };
		traffic    = ( { name = "a"; process = "aspen"; model = "$1"; packet = "512B"; $2 } );
	END
}
value() { python3 -c "import json; d=json.load(open('out')); print($1)" 2>&1 | tail -1; }

begin "LULESH, 64 ranks, packets of 512 B: packets and hops of each phase"
# The labels end in the number of the phase, the table is that of the traces of the program itself.
for row in '(2) 273600 273600' '(4) 303120 320400' '(8) 298440 311400'; do
	read -r phase packets hops <<<"$row"
	grep -vE 'comm .* as ' "$shipped/lulesh.aspen" >m.aspen
	line=$(grep -F "$phase\"" "$shipped/lulesh.aspen")
	awk -v line="$line" '{ print } /kernel timestep/ { print line }' m.aspen >one.aspen
	config one.aspen
	run run run.cfg --json
	expect 0
	got=$(value 'd["packets"]["created"], d["packets"]["delivered"], round(d["hops"]["mean"] * d["packets"]["created"])')
	[ "$got" = "$packets $packets $hops" ] || fail "phase $phase: $got, not $packets $packets $hops"
done

begin "computation takes the predicted time"
printf 'model m { param n = 3 kernel main { iterate [n] { execute { flops [2 * mega] } } execute { comm [1] as barrier } } }' >m.aspen
config m.aspen "machine = \"$shipped/quad.aspen\"; params = \"n = 5, m\";"
run run run.cfg --json
expect 2
expect_in err '^run.cfg:7: traffic.\[0\].params: model m has no parameter m$'
config m.aspen "machine = \"$shipped/quad.aspen\"; params = \"n = 5\";"
run run run.cfg --json
expect 0
[ "$(value '10e6 < d["jobs"][0]["iteration_ns"]["mean"] < 10.02e6 and d["jobs"][0]["iterations"] == 64')" = True ] || fail "10 ms and a barrier: $(cut -c1-2000 out)"
run run run.cfg --json --set traffic.[0].compute_scale=0 --set traffic.[0].iterations=7 --set traffic.[0].ranks=8
expect 0
[ "$(value 'd["jobs"][0]["iterations"], d["packets"]["delivered"]')" = "56 168" ] || fail "7 barriers of 8: $(value 'd["jobs"][0]["iterations"], d["packets"]["delivered"]')"

begin "every pattern: as many bytes as the model counts"
run workload "$data/patterns.aspen" --ranks 64 --json
expect 0
want=$(value 'd["messages"]')
config "$data/patterns.aspen" # no message has more than 400 B
run run run.cfg --json
expect 0
[ "$(value 'd["packets"]["delivered"]')" = "$want" ] || fail "$(value 'd["packets"]["delivered"]') messages, not $want"
digest=$(value 'd["digest"]')

begin "one digest"
for how in "--sync conservative" "--sync optimistic" "--sync optimistic --set engine.stress=20" "--sync conservative --threads 2" "--audit"; do
	run run run.cfg --json $how
	expect 0
	[ "$(value 'd["digest"]')" = "$digest" ] || fail "$how: another digest"
done
for sync in conservative optimistic; do
	"$tests/../mpirun.sh" 2 "$program" run run.cfg --json --sync $sync >out 2>err || fail "2 ranks, $sync: $(cat err)"
	[ "$(value 'd["digest"]')" = "$digest" ] || fail "2 ranks, $sync: another digest"
done

begin "collectives by the tables of libraries: as many bytes as are counted, one digest"
for who in openmpi-4.1 mpich-4.0 "mpich-4.0, alltoall = pairwise, allreduce = ring"; do
	run workload "$data/patterns.aspen" --ranks 64 --json --collectives "$who"
	expect 0
	want=$(value 'd["messages"]')
	run run run.cfg --json --set "mpi.collectives=\"$who\"" --set 'traffic.[0].packet="4KB"'
	expect 0
	[ "$(value 'd["packets"]["delivered"]')" = "$want" ] || fail "$(value 'd["packets"]["delivered"]') messages, not $want"
	digest=$(value 'd["digest"]')
	for how in "--sync conservative" "--sync optimistic --set engine.stress=20" "--audit"; do
		run run run.cfg --json $how --set "mpi.collectives=\"$who\"" --set 'traffic.[0].packet="4KB"'
		[ "$(value 'd["digest"]')" = "$digest" ] || fail "$who $how: another digest"
	done
done
run run run.cfg --set 'mpi.collectives="openmpi-4"'
expect 2
expect_in err 'mpi.collectives.*: "openmpi-4" is not a preset; did you mean "openmpi-4.1"\?: basic, openmpi-4.1 or mpich-4.0$'
run run run.cfg --set 'mpi.collectives="mpich-4.0"' --set 'traffic=({pattern="uniform"; load=0.1; packet="512B";})'
expect 2
expect_in err 'mpi.collectives.*: has an effect only with a process that calls MPI: aspen, recorded, dumpi, otf2, liballprof, chakra$'

begin "what is wrong with a model is said"
printf 'model m { kernel main { execute { comm [1] as barier } } }' >m.aspen
config m.aspen
run run run.cfg
expect 2
expect_in err '^run.cfg:7: traffic.\[0\].model: m.aspen:1:47: comm does not know "barier"; did you mean barrier\?$'
run run run.cfg --set 'traffic.[0].model="gone.aspen"'
expect 2
expect_in err 'gone.aspen: No such file or directory'
printf 'model m { kernel main { execute { } } }' >m.aspen
run run run.cfg --set traffic.[0].iterations=0
expect 2
expect_in err 'its iterations take no time'
run run run.cfg --set traffic.[0].ranks=65
expect 2
expect_in err 'traffic.\[0\].ranks.*: 65 exceeds the 64 members of the job'

begin "models that come with tilefly are found by their names, behind files"
run workload matmul.aspen --machine quad.aspen --param n=277 --json
expect 0
expect_in out '"time_s":0.212539'
config lulesh.aspen
run run run.cfg --set 'traffic.[0].ranks=8' --json
expect 0
kernel_of=$(grep -o '"digest":"[0-9a-f]*"' out)
run run run.cfg --set 'traffic.[0].ranks=8' --json --set "traffic.[0].model=\"$shipped/lulesh.aspen\""
expect 0
[ "$kernel_of" = "$(grep -o '"digest":"[0-9a-f]*"' out)" ] || fail "another model"
printf 'model lulesh { kernel main { execute { flops [1] } } }' >lulesh.aspen
run workload lulesh.aspen
expect 0
! grep -q elements out || fail "not the file here"
run run run.cfg --set 'traffic.[0].model="./lulesh2.aspen"'
expect 2
expect_in err 'lulesh2.aspen: No such file or directory'
mkdir -p inc
printf 'model lulesh { kernel main { execute { comm [1] as barrier } } }' >inc/lulesh.aspen
rm lulesh.aspen
config other.aspen
run run run.cfg --set 'traffic.[0].model="lulesh.aspen"' --set 'traffic.[0].ranks=8' --json
expect 0
[ "$kernel_of" = "$(grep -o '"digest":"[0-9a-f]*"' out)" ] || fail "--set names another model"
config lulesh.aspen
printf 'traffic = ( { name = "a"; process = "aspen"; model = "lulesh.aspen"; packet = "512B"; iterations = 1; } );\n' >inc/traffic.cfg
(grep -v '^traffic' run.cfg | sed 's/^/  /' && echo '  @include "inc/traffic.cfg"') >inner
(echo 'config = {' && cat inner && echo '};' && echo 'grid = ( { path = "seed"; values = [1]; } );') >study.cfg
run sweep study.cfg --out study
expect 0
grep -q "inc/lulesh.aspen" study/base.cfg || fail "not the model beside the file that names it"

begin "what is wrong with the machine is said of it, and what two jobs read is said once"
cat >two.cfg <<'E'
topology = { kind = "torus"; dims = [4]; };
mpi = { collectives = "foo"; };
traffic = ( { name = "a"; process = "aspen"; model = "halo2d.aspen"; machine = "none.aspen"; nodes = "0-1"; },
            { name = "b"; process = "aspen"; model = "halo2d.aspen"; nodes = "2-3"; } );
E
run run two.cfg
expect 2
expect_err 'two.cfg:3: traffic.[0].machine: none.aspen: No such file or directory
two.cfg:2: mpi.collectives: "foo" is not a preset: basic, openmpi-4.1 or mpich-4.0'
finish
