#!/usr/bin/env bash
# show prints the summary of a log as run printed it, whatever the network has: line by line the same.
source "$(dirname "$0")/run.bash"

cat >base.cfg <<'EOF'
topology = { kind = "torus"; dims = [ 4, 4 ]; };
time = { warmup = "1us"; measure = "4us"; };
traffic = ( { name = "left"; pattern = "uniform"; load = 0.6; nodes = "0-7"; },
            { name = "right"; pattern = "uniform"; load = 0.1; nodes = "8-15"; } );
EOF

printed() { # LABEL of the line that the summary must have (or ""), WORD... of run
	local label=$1
	shift
	begin "$*"
	run run "$@" --out log.jsonl.gz
	expect 0
	[ -z "$label" ] || expect_in out "^$label +"
	cp out printed
	run show log.jsonl.gz
	expect 0
	expect_err ""
	expect_out "$(cat printed)"
}

printed "" base.cfg
printed congestion switch-rosetta-64 --set congestion.kind=slingshot --set traffic.[0].pattern=incast \
	--set traffic.[0].load=1.0 --set time.drain=false --set time.measure=20us
printed congestion switch-rosetta-64 --set congestion.kind=slingshot --set traffic.[0].load=0.1 --set time.measure=5us
printed switches fattree-trim-128 --set time.measure=20us
printed retry fattree-trim-128 --set time.measure=20us
printed order base.cfg --set nic.ordering=receiver --set routing.kind=valiant --set 'classes=({name="bulk"; ordering="flow";})'
expect_in out '^order +[1-9][0-9,]* packets arrived before'
printed impact base.cfg --set traffic.[0].isolate=true --set traffic.[1].isolate=true
expect_in out '^impact +left: latency [0-9.]+ times as long as alone \([0-9.]+ ns\) on average, p99'
printed impact base.cfg --set traffic.[0].isolate=true --set 'time={warmup="0ps"; measure="50ns"; drain="false";}'
expect_in out '^impact +left: unknown: '
printed impact base.cfg --set traffic.[0].isolate=true --set 'time={precision="5%";}' --set traffic.[0].load=1.0
printf 'ranks 2\nrank 0\nsend to=1 tag=1 bytes=60000\nrank 1\nrecv from=0 tag=1\n' >two.mpi
cat >late.cfg <<'END'
topology = { kind = "single"; ports = 4; };
switch = { kind = "ideal"; };
mpi = { eager = "64KB"; };
traffic = ( { name = "app"; process = "recorded"; file = "two.mpi"; nodes = "0-1"; isolate = true; start = "50us"; },
            { name = "other"; pattern = "incast"; target = 1; load = 1.0; packet = "1KiB"; nodes = "1-3"; start = "50us"; } );
END
printed impact late.cfg

begin "a formula"
printf 'num_ranks 2\nrank 0 {\na: send 3000b to 1 tag 4\n}\nrank 1 {\nb: recv 3000b from 0 tag 4\n}\n' >two.goal
cat >formula.cfg <<'EOF'
network = { kind = "loggops"; };
topology = { kind = "torus"; dims = [ 2 ]; };
traffic = ( { process = "goal"; file = "two.goal"; } );
EOF
printed network formula.cfg

if command -v "${TILEFLY_MPIEXEC:-mpirun}" >/dev/null; then
	begin "ranks"
	for option in "--set engine.threads=1" ""; do
		bash "$tests/../mpirun.sh" 2 "$program" run base.cfg --out log.jsonl $option >printed 2>err </dev/null
		status=$?
		expect 0
		grep -qE '^  ranks +[a-z]+' printed || fail "run says nothing of its ranks"
		run show log.jsonl
		expect 0
		expect_out "$(cat printed)"
	done
fi
finish
