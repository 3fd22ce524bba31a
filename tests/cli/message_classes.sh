#!/usr/bin/env bash
# mpi.classes: messages of a process in classes by their kind, counted by class, the same in every mode; and its errors.
source "$(dirname "$0")/run.bash"

# Four ranks: each sends 100,000 B to the next one and calls an allreduce meanwhile.
{
	echo "ranks 4"
	for r in 0 1 2 3; do
		echo "rank $r"
		echo "irecv from=$(((r + 3) % 4)) tag=1 bytes=100000 request=8"
		echo "isend to=$(((r + 1) % 4)) tag=1 bytes=100000 request=7"
		echo "allreduce bytes=8 element=8"
		echo "wait reqs=7,8"
	done
} >calls.mpi
cat >app.cfg <<'CFG'
seed = 1; topology = { kind = "single"; ports = 4; };
links = { terminal = { bandwidth = "100Gbps"; latency = "13ns"; }; };
switch = { kind = "crossbar"; inputs = "voq"; }; routing = { kind = "minimal"; };
classes = ( { name = "bulk"; }, { name = "urgent"; priority = 1; } );
mpi = { classes = { allreduce = "urgent"; point-to-point = "bulk"; }; };
traffic = ( { name = "app"; process = "recorded"; file = "calls.mpi"; packet = "1000B"; } );
CFG

begin "packets are counted by class, and add up"
run run app.cfg --json
expect 0
# allreduce of four ranks by recursive doubling: two messages of each, a packet each. A send: a request, an answer, and
# 100 packets of data.
python3 - out <<'PY' || fail "$(cat out)"
import json, sys
d = json.load(open(sys.argv[1]))
created = {c["name"]: c["packets"]["created"] for c in d["classes"]}
assert created == {"bulk": 4 * (1 + 1 + 100), "urgent": 4 * 2}, created
assert len(d["jobs"]) == 1 and d["jobs"][0]["packets"]["created"] == sum(created.values()), d["jobs"]
assert d["packets"]["delivered"] == sum(created.values()), d["packets"]
PY
digest=$(grep -o '"digest":"[^"]*"' out)

begin "one digest"
for mode in "--sync conservative" "--sync optimistic" "--sync optimistic --set engine.stress=20" "--audit"; do
	run run app.cfg --json $mode
	expect 0
	[ "$(grep -o '"digest":"[^"]*"' out)" = "$digest" ] || fail "$mode: $(grep -o '"digest":"[^"]*"' out), not $digest"
done

begin "records of messages have the class of each"
run run app.cfg --set record.messages=true --out r.jsonl.gz --quiet
expect 0
[ "$(zcat r.jsonl.gz | grep '"record":"message"' | grep -c '"class":"urgent"')" = 8 ] || fail "urgent messages"
[ "$(zcat r.jsonl.gz | grep '"record":"message"' | grep -c '"class":"bulk"')" = 12 ] || fail "bulk messages"
[ "$(zcat r.jsonl.gz | grep '"record":"message"' | grep -c '"job":"app"')" = 20 ] || fail "messages of the job"

begin "collectives that are not named"
run run app.cfg --json --set 'mpi.classes=collectives = urgent'
expect 0
[ "$(grep -o '"digest":"[^"]*"' out)" = "$digest" ] || fail "another digest: the job's class is bulk"

begin "a process of one kind has the class of its kind"
run run app.cfg --json --set 'traffic=({name="a"; process="allreduce"; iterations=3; packet="1000B";},{name="b"; process="ping-pong"; iterations=2; packet="1000B";})' \
	--set time.measure=1ms
expect 0
python3 - out <<'PY' || fail "$(cat out)"
import json, sys
d = json.load(open(sys.argv[1]))
assert {c["name"]: c["packets"]["created"] for c in d["classes"]} == {j: p for j, p in zip(("bulk", "urgent"), (d["jobs"][1]["packets"]["created"], d["jobs"][0]["packets"]["created"]))}, d
PY

begin "errors"
run run app.cfg --set 'mpi.classes=allreduce = urgnt'
expect 2
expect_in err 'there is no class "urgnt"; did you mean "urgent"\?'
run run app.cfg --set 'mpi.classes=alreduce = urgent'
expect 2
expect_in err '"alreduce" is not a kind of messages; did you mean "allreduce"\?'
run run app.cfg --set 'mpi.classes=allreduce'
expect 2
expect_in err 'is not of the form "KIND = CLASS"'
run run app.cfg --set 'mpi.classes=allreduce = urgent, allreduce = bulk'
expect 2
expect_in err 'allreduce is given two classes'
run run app.cfg --set 'mpi.classes=allreduce = urgent, bcast = urgent'
expect 2
expect_in err 'the class of bcast has no effect'
run run app.cfg --set 'traffic=({load=0.1; packet="256B"; class="bulk";},{load=0.1; packet="256B"; class="urgent";})'
expect 2
expect_in err 'mpi\.classes: has an effect only with a process that calls MPI'

begin "software stacks: half a round trip is that of the network and twice overhead and latency"
cat >pair.cfg <<'CFG'
seed = 1; topology = { kind = "single"; ports = 2; }; time = { warmup = "0us"; measure = "1ms"; };
links = { terminal = { bandwidth = "100Gbps"; latency = "13ns"; }; }; switch = { kind = "ideal"; };
traffic = ( { process = "ping-pong"; iterations = 3; size = "8B"; packet = "256B"; } );
CFG
iteration() {
	run run pair.cfg --json "$@"
	expect 0
	python3 -c 'import json; print(round(json.load(open("out"))["jobs"][0]["iteration_ns"]["max"] * 1000))'
}
none=$(iteration)
for stack in verbs:820000 libfabric:1640000 mpi:1740000 udp:5000000 tcp:8000000; do
	[ "$(iteration --set nic.stack=${stack%:*})" = $((none + 2 * ${stack#*:})) ] || fail "${stack%:*}"
done
[ "$(iteration --set nic.stack=mpi --set nic.latency=0ps)" = $((none + 2 * 1140000)) ] || fail "a latency that is given"
run run pair.cfg --set nic.stack=mpi --set nic.latency=1ns --set nic.overhead_send=1ns --set nic.overhead_receive=1ns
expect 2
expect_in err "nic\.stack=mpi: has no effect"

begin "other ranks read the resolved configuration, in which the stack's values are keys"
cat >nodes.cfg <<'CFG'
topology = { kind = "dragonfly"; p = 2; a = 4; h = 2; }; routing = { kind = "minimal"; };
switch = { kind = "ideal"; buffer = "100KB"; }; nic = { stack = "mpi"; };
traffic = ( { process = "allreduce"; size = "8B"; packet = "256B"; } ); time = { warmup = "5us"; measure = "20us"; };
CFG
one=$("$program" run nodes.cfg --json | grep -o '"digest": *"[^"]*"')
two=$(timeout 100 bash "$tests/../mpirun.sh" 2 "$program" run nodes.cfg --json --sync conservative | grep -o '"digest": *"[^"]*"')
if [ -z "$one" ] || [ "$one" != "$two" ]; then
	fail "one rank: $one, two: $two"
fi
finish
