#!/usr/bin/env bash
# run: the summary, the result log, one digest whatever the scheduler, interrupts, a full disk, a deadlock.
source "$(dirname "$0")/run.bash"

small=(slimfly-3k --set topology.q=5 --set topology.endpoints=3 --set time.warmup=2us --set time.measure=5us)

# Open MPI loses memory of its own, in modules that are unloaded before the leak sanitizer looks.
two_ranks() {
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 bash "$tests/../mpirun.sh" 2 "$program" "$@"
}

digest() { # of the summary in out
	grep -oE '"digest":"[0-9a-f]{16}"' out | cut -d'"' -f4
}

begin "summary for people"
run run "${small[@]}"
expect 0
expect_err ""
expect_in out '^network +slimfly, 50 switches, 150 endpoints, minimal routing'
expect_in out '^load +0\.[45][0-9]+ offered, 0\.[45][0-9]+ accepted'
expect_in out '^digest +[0-9a-f]{16}$'

begin "quiet"
run run "${small[@]}" --quiet
expect 0
expect_out ""
expect_err ""

begin "one digest"
run run "${small[@]}" --json --sync sequential
expect 0
want=$(digest)
[ -n "$want" ] || fail "no digest"
for sync in conservative optimistic; do
	run run "${small[@]}" --json --sync "$sync"
	expect 0
	[ "$(digest)" = "$want" ] || fail "$sync differs"
	two_ranks run "${small[@]}" --json --sync "$sync" >out 2>err
	status=$?
	expect 0
	[ "$(digest)" = "$want" ] || fail "$sync on two ranks differs"
done
run run "${small[@]}" --json --seed 2
[ "$(digest)" != "$want" ] || fail "another seed gives the same digest"
run run "${small[@]}" --json --out full.jsonl.gz --csv --set record.ports=true --set record.timeline=1us \
	--set record.activity=true --set record.packets=true
expect 0
[ "$(digest)" = "$want" ] || fail "what is recorded changes the digest"

begin "threads"
run run "${small[@]}" --json --threads 3
expect 0
[ "$(digest)" = "$want" ] || fail "three threads differ"
expect_in out '"ranks":1,"threads":3,'
run run "${small[@]}" --threads 3 --audit
expect 2
expect_in err 'engine.threads=3: 3 threads are not supported with an audit; only one thread is possible'
run run "${small[@]}" --threads none
expect 2
two_ranks run "${small[@]}" --json --threads 2 >out 2>err || fail "two ranks of two threads: $(cat err)"
[ "$(digest)" = "$want" ] || fail "two ranks of two threads differ"
expect_in out '"ranks":2,"threads":2,'

begin "result log"
zcat full.jsonl.gz >full.jsonl || fail "not a gzip file"
head -1 full.jsonl >first
tail -1 full.jsonl >last
expect_in first '^\{"record":"manifest","format":1,"tool":"tilefly","version":"'
expect_in last "^\\{\"record\":\"end\",\"complete\":true,\"records\":$(wc -l <full.jsonl),\"digest\":\"$want\"\\}$"
for record in summary job class histogram timeline activity port packet engine; do
	expect_in full.jsonl "^\\{\"record\":\"$record\","
done
for table in jobs histograms timeline ports packets; do
	zcat "full.$table.csv.gz" >table || fail "no table $table"
	[ "$(wc -l <table)" -ge 2 ] || fail "$table is empty"
done
delivered=$(grep -c '"record":"packet"' full.jsonl)
grep '"record":"summary"' full.jsonl >out
expect_in out "\"delivered\":$delivered,"
[ "$(zcat full.packets.csv.gz | wc -l)" = $((delivered + 1)) ] || fail "packets.csv has another number of packets"

begin "standard input, on two ranks"
printf 'topology = { kind = "slimfly"; q = 5; endpoints = 3; }; time = { warmup = "2us"; measure = "5us"; };
traffic = ( { name = "background"; load = 0.5; } );' >small.cfg
run run - --json
expect 2
"$program" run - --json <small.cfg >out 2>err
status=$?
expect 0
[ "$(digest)" = "$want" ] || fail "differs"
two_ranks run - --json <small.cfg >out 2>err
status=$?
expect 0
[ "$(digest)" = "$want" ] || fail "two ranks differ"

begin "sequential on two ranks"
two_ranks run small.cfg --sync sequential >out 2>err
[ $? != 0 ] || fail "was accepted"
expect_in err 'engine.sync=sequential: '

begin "progress"
run run "${small[@]}" --set time.measure=2ms --progress always
expect 0
expect_in err ' of [0-9.]+ us .* % .* M events/s  ETA '

begin "interrupt"
for signal in INT TERM; do
	interruptible run slimfly-3k --set time.measure=100ms --json --out "$signal.jsonl.gz" >out 2>err &
	process=$!
	sleep 3
	kill -$signal $process
	wait $process
	status=$?
	expect 130
	expect_in out '"complete":false'
	expect_in out '"stationary":null'
	! grep -q '"stationary":[tf]' out || fail "of a job it is known whether it is stationary"
	zcat "$signal.jsonl.gz" >log || fail "no result log"
	tail -1 log >last
	expect_in last '^\{"record":"end","complete":false,'
done

# where ranks share switches rank 0 does the work; the others must still be heard
begin "interrupt of a rank that lends its core"
two_ranks run slimfly-3k --set time.measure=100ms --json --out lent.jsonl.gz >out 2>err &
job=$!
sleep 3
for process in $(pgrep -f -- "--out lent.jsonl.gz"); do
	tr '\0' '\n' <"/proc/$process/environ" | grep -qE '^(OMPI_COMM_WORLD_RANK|PMI_RANK)=1$' && kill -INT "$process"
done
wait $job
expect_in out '"complete":false'
expect_in out '"threads":[12],' # 1: the launcher's ranks may use the same core only
zcat lent.jsonl.gz >log || fail "no result log"
tail -1 log >last
expect_in last '^\{"record":"end","complete":false,'

begin "no room for the result"
(
	ulimit -f 1
	exec "$program" run "${small[@]}" --out limited.jsonl.gz --set record.packets=true
) >out 2>err
status=$?
expect 1
expect_in err '^tilefly run: limited.jsonl.gz: cannot be written: '
for file in limited*; do
	expect_no_file "$file"
done

begin "a full disk"
mkdir disk
if mount -t tmpfs -o size=64k none disk 2>/dev/null; then
	run run "${small[@]}" --out disk/full.jsonl.gz --set record.packets=true
	left=$(ls disk)
	umount disk
	expect 1
	expect_in err '^tilefly run: disk/full.jsonl.gz: cannot be written: No space left on device'
	[ -z "$left" ] || fail "left behind: $left"
else
	echo "(no right to mount a small file system: not tried)"
fi

begin "a folder that is not there"
run run "${small[@]}" --out no/such/folder/r.jsonl.gz
expect 1
expect_in err '^tilefly run: no/such/folder/r.jsonl.gz: cannot be written: No such file or directory'

begin "deadlock"
run run torus-8x8x8 --set topology.dims=8 --set switch.vcs=1 --set switch.buffer=1KB --set routing.unsafe=true \
	--set traffic.[0].load=1.0 --set traffic.[0].pattern=tornado --set time.measure=50us --out stall.jsonl.gz
expect 3
expect_in err 'stalled'
zcat stall.jsonl.gz >log || fail "no result log"
expect_in log '"record":"summary","complete":false,"stall":"'
expect_in log '"stationary":false'
run run torus-8x8x8 --set topology.dims=8 --set switch.vcs=1 --set switch.buffer=1KB --set routing.unsafe=true --json \
	--set traffic.[0].load=1.0 --set traffic.[0].pattern=tornado --set 'time={precision="5%";limit="50us";}'
expect 3
expect_in out '"stationary":false'

begin "a deadlock of some of the packets is told in the same words on all ranks"
circles() {
	grep -E '^deadlock: |^  switch ' err
}
stuck=(torus-8x8x8 --set 'topology.dims=[6,6]' --set switch.vcs=1 --set switch.buffer=1KB --set routing.unsafe=true
	--set traffic.[0].load=1.0 --set time.measure=30us --set engine.threads=1)
run run "${stuck[@]}"
expect 3
alone=$(circles)
expect_in err '^deadlock: [1-9][0-9]* packets wait for each other at [1-9][0-9]* outputs and virtual channels'
expect_in err 'the cycle is closed$'
for count in 2 3; do
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 bash "$tests/../mpirun.sh" $count "$program" run "${stuck[@]}" >out 2>err
	expect_in err 'the network stalled'
	[ "$(circles)" = "$alone" ] || fail "$count ranks say otherwise"
done
finish
