#!/usr/bin/env bash
# Results that all ranks write: a log and its tables decompress to the same bytes on any number of ranks, whatever way they go to
# the file; errors of one rank are one message and leave nothing; interrupted runs have valid results.
source "$(dirname "$0")/run.bash"
data=$tests/../data

cat >net.cfg <<'END'
seed = 3;
time = { warmup = "1us"; measure = "3us"; };
topology = { kind = "dragonfly"; p = 2; a = 4; h = 2; };
links = { default = { bandwidth = "200Gbps"; latency = "50ns"; }; };
traffic = ( { name = "u"; load = 0.5; packet = "256B"; }, { name = "b"; load = 0.2; packet = "1KB"; } );
routing = { kind = "ugal-l"; };
switch = { kind = "tiled"; buffer = "16KB"; };
record = { ports = true; timeline = "100ns"; activity = true; packets = true; switch = true; switches = "0-20,30"; };
END
cat >apps.cfg <<END
seed = 1;
topology = { kind = "torus"; dims = [4, 4]; endpoints = 1; };
links = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
switch = { kind = "ideal"; traversal = "100ns"; buffer = "300KB"; };
traffic = ( { name = "a"; process = "recorded"; file = "$data/mpi/calls.mpi"; packet = "512B"; } );
record = { ranks = true; path = true; ports = true; };
END
ranks() { # RANKS OPTION...: without a launcher where it is one
	local launcher=(bash "$tests/../mpirun.sh" "$1")
	[ "$1" = 1 ] && launcher=()
	shift
	timeout 120 "${launcher[@]}" "$program" run "$@" >out 2>err </dev/null
	status=$?
}
# Of a log what does not say on how many ranks, when and how fast it was made; records of the engine are counted by the last one.
same_part() {
	sed -E '/^\{"record":"(manifest|engine)"/d; /"record":"summary"/s/"engine":\{.*"digest"/"digest"/; s/^(\{"record":"end",.*"records":)[0-9]+/\1/'
}
compare() { # NAME: with those of one rank, and its number of records with what it says
	diff <(zcat one.jsonl.gz | same_part) <(zcat "$1.jsonl.gz" | same_part) >/dev/null || fail "$1: another log"
	for table in one.*.csv.gz; do
		cmp <(zcat "$table") <(zcat "$1${table#one}") || fail "$1: another table ${table#one}"
	done
	run show "$1.jsonl.gz"
	expect 0
	[ "$(zcat "$1.jsonl.gz" | wc -l)" = "$(zcat "$1.jsonl.gz" | tail -1 | grep -oE '"records":[0-9]+' | cut -d: -f2)" ] || fail "$1: records"
}

for config in net apps; do
	begin "$config.cfg: the same on any number of ranks"
	rm -f one.*
	run run $config.cfg --out one.jsonl.gz --csv --quiet
	expect 0
	for many in $([ $config = net ] && echo 2 5 16 || echo 5); do
		ranks $many $config.cfg --out many.jsonl.gz --csv --quiet --set engine.threads=1 --sync conservative
		expect 0
		compare many
		[ "$(zcat many.jsonl.gz | grep -c '"record":"engine"')" = $many ] || fail "engine records"
	done
done

begin "by any partition, where one rank has all switches, where switches move, by ranks with threads"
run run net.cfg --out one.jsonl.gz --csv --quiet
rm one.ranks.* one.calls.* one.rank_timeline.* one.path.*
for how in "--set engine.partition=random --set engine.threads=1 --sync optimistic" "--sync conservative --set engine.threads=auto" \
	"--set engine.threads=1 --sync conservative --set engine.balance=shake" "--threads 2 --sync conservative"; do
	ranks 3 net.cfg --out many.jsonl.gz --csv --quiet $how
	expect 0
	compare many
done

begin "plain, and on standard output"
for file in many.jsonl -; do
	ranks 3 net.cfg --out $file --set engine.threads=1 --sync conservative
	expect 0
	[ $file = - ] && mv out many.jsonl
	diff <(zcat one.jsonl.gz | same_part) <(same_part <many.jsonl) >/dev/null || fail "$file: another log"
done
timeout 120 bash "$tests/../mpirun.sh" 3 bash -c 'exec "$0" run net.cfg --out - --sync conservative --set engine.threads=1 >/dev/full' "$program" 2>err
[ $? != 0 ] || fail "a full standard output is no error"

begin "ranks that do not find the file: rank 0 writes for them"
mkdir first others
timeout 120 bash "$tests/../mpirun.sh" 3 bash -c 'rank=${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-$PMI_RANK}}
	[ "$rank" = 0 ] && cd first || cd others
	exec "$0" run '"$PWD"'/net.cfg --out far.jsonl.gz --csv --quiet --set engine.threads=1 --sync conservative' "$program" >out 2>err
status=$?
expect 0
[ -z "$(ls others)" ] || fail "others wrote: $(ls others)"
mv first/far.* .
compare far

begin "a folder without permission, a full disk: one message, nothing is left"
for many in 1 3; do
	ranks $many net.cfg --out nowhere/many.jsonl.gz --quiet --set engine.threads=1
	expect 1
	[ "$(grep -c 'nowhere/many.jsonl.gz: cannot be written: No such file or directory' err)" = 1 ] || fail "$(cat err)"
done
mkdir disk
if mount -t tmpfs -o size=64k none disk 2>/dev/null; then
	for many in 1 2 5; do
		echo before >disk/many.jsonl.gz
		ranks $many net.cfg --out disk/many.jsonl.gz --quiet --set engine.threads=1 --sync conservative
		left=$(ls disk)
		expect 1
		[ "$(grep -c 'disk/many.jsonl.gz: cannot be written: No space left on device' err)" = 1 ] || fail "$many ranks: $(cat err)"
		[ "$left" = many.jsonl.gz ] || fail "left behind: $left"
		[ "$(cat disk/many.jsonl.gz)" = before ] || fail "what stood there is gone"
	done
	umount disk
else
	echo "(no right to mount a small file system: not tried)"
fi

begin "a table that cannot be written is an error, too"
mkdir table.ports.csv.gz
for many in 1 2; do
	ranks $many net.cfg --out table.jsonl.gz --csv --quiet --set engine.threads=1
	expect 1
	expect_in err 'table.ports.csv.gz: is a directory'
done

begin "interrupted: what was simulated, valid, and marked"
timeout 120 bash "$tests/../mpirun.sh" 3 bash -c 'rank=${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-$PMI_RANK}}
	echo $$ >pid.$rank
	exec "$0" run net.cfg --out part.jsonl.gz --quiet --set engine.threads=1 --sync conservative --set time.measure=100ms --set record.timeline=1us' \
	"$program" >out 2>err &
launcher=$!
for _ in $(seq 100); do
	[ -s pid.1 ] && break
	sleep 0.1
done
sleep 3
kill -TERM "$(cat pid.1)"
wait $launcher
status=$?
[ $status != 0 ] || fail "status 0"
zcat part.jsonl.gz | tail -1 | grep -q '^{"record":"end","complete":false' || fail "not marked"
run show part.jsonl.gz
expect 0
[ "$(zcat part.jsonl.gz | grep -c '"record":"activity"')" = 36 ] || fail "activity"
ls ./*.tmp 2>/dev/null && fail "left behind"
finish
