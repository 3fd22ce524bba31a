#!/usr/bin/env bash
# OTF2 archives: what tilefly workload finds, in the committed one (its facts.json was written by its maker) and in ones
# that python3-otf2 makes here; what is wrong with damaged ones; what is said without the library.
source "$(dirname "$0")/run.bash"
data=$tests/../data/trace/otf2_ring_p6

begin "without the library"
mkdir -p alone
cp "$program" alone/tilefly
alone/tilefly workload "$data/traces.otf2" >out 2>err
status=$?
expect 2
expect_in err 'was built without the OTF2 library \(Debian package libopen-trace-format2-dev\)'
if [ ! -x "$(dirname "$program")/tilefly-otf2" ]; then
	echo "the rest is skipped: this build has no OTF2"
	finish
	exit
fi

begin "an archive that is changed while it is read"
mkdir -p moved
cp -r "$data" moved/ring
cat >alone/tilefly-otf2 <<-END
	#!/bin/sh
	"$(dirname "$program")/tilefly-otf2" "\$@"
	[ ! -e touch ] || touch moved/ring/traces.def
END
chmod +x alone/tilefly-otf2
for what in 0 2; do
	alone/tilefly workload moved/ring/traces.otf2 >out 2>err
	status=$?
	expect $what
	touch touch
done
expect_err "moved/ring/traces.def: was changed while it was read"

begin "a ring of 6 ranks"
run workload "$data/traces.otf2" --json
expect 0
python3 - "$data/facts.json" <<'P' || fail "facts differ"
import json, sys
d = json.load(open("out"))
same = {"blocking_sends": "sends", "blocking_receives": "recvs", "isends": "isends", "irecvs": "irecvs", "send_bytes": "send_bytes",
        "recorded_receive_bytes": "recv_bytes", "collectives": "colls", "collective_sent_bytes": "coll_sent", "collective_received_bytes": "coll_recvd"}
facts = json.load(open(sys.argv[1]))
assert d["ranks"] == len(facts) == 6 and d["unmatched_messages"] == d["unmatched_receives"] == 0
assert d["calls_by_name"] == {"MPI_Send": 9, "MPI_Recv": 9, "MPI_Isend": 18, "MPI_Irecv": 18, "MPI_Waitall": 18, "MPI_Bcast": 12, "MPI_Allreduce": 24}
for got, want in zip(d["per_rank"], facts):
    for a, b in same.items():
        assert got[a] == want[b], (a, got[a], want[b])
    # and the 10 ns before Isend and before Waitall, three times each
    assert got["compute_ps"] == 1000 * (want["compute_ns"] + 60)
P

begin "as a schedule: 27 messages, two broadcasts of 5 and four allreduces of 12 messages"
run workload "$data/traces.otf2" --emit goal-bin --out p6.bin
expect 0
run workload p6.bin --json
python3 -c "import json,sys; d=json.load(open('out')); sys.exit(not (d['sends']==d['recvs']==27+2*5+4*12 and d['calc_time']==1671551))" || fail "$(cat out)"
run workload p6.bin --loggops default
expect 0

begin "sub-communicators, a receive that is never completed, a message that is never received"
cat >make.py <<'P'
import sys
import otf2
from otf2.enums import CollectiveOp, GroupType, Paradigm, RegionRole

with otf2.writer.open("made", timer_resolution=1000000) as t:
    d = t.definitions
    function = d.region("MPI_Any", paradigm=Paradigm.MPI, region_role=RegionRole.POINT2POINT)
    node = d.system_tree_node("node")
    locations = [d.location("thread %d" % i, group=d.location_group("rank %d" % i, system_tree_parent=node)) for i in range(5)]
    writers = [t.event_writer_from_location(l) for l in locations]
    d.group("locations", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=locations)
    group = lambda ranks: d.group("group", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI, members=ranks)
    world = d.comm("world", group=group([0, 1, 2, 3, 4]))
    odd = d.comm("odd", group=group([3, 1]), parent=world)
    now = [0] * 5
    def call(rank, *events):
        w = writers[rank]
        now[rank] += 100
        w.enter(now[rank], function)
        for e in events:
            now[rank] += 1
            e(w, now[rank])
        w.leave(now[rank] + 1, function)
        now[rank] += 1
    call(3, lambda w, at: w.mpi_send(at, 1, odd, 5, 1234))  # to rank 1 of the world
    call(1, lambda w, at: w.mpi_recv(at, 0, odd, 5, 1234))
    call(0, lambda w, at: w.mpi_irecv_request(at, 7))
    call(0, lambda w, at: w.mpi_irecv_request(at, 8))
    call(2, lambda w, at: w.mpi_send(at, 0, world, 6, 10))
    call(0, lambda w, at: w.mpi_irecv(at, 2, world, 6, 10, 8))
    call(4, lambda w, at: w.mpi_send(at, 0, world, 9, 77))
    for r in (1, 3):
        call(r, lambda w, at: w.mpi_collective_begin(at), lambda w, at: w.mpi_collective_end(at, CollectiveOp.ALLREDUCE, odd, 0xffffffff, 8, 8))
P
if /usr/bin/python3 -c "import otf2" 2>/dev/null && /usr/bin/python3 make.py 2>make.err; then
	run workload made/traces.otf2 --json
	expect 0
	expect_in err 'a message from rank 4 to rank 0, tag 9, of 77 B is never received'
	expect_in err '1 receives were posted but never completed'
	python3 -c "import json,sys; d=json.load(open('out')); sys.exit(not (d['sends']==3 and d['receives']==2 and d['send_bytes']==1321
		and d['collective_calls']==2 and d['collective_operations']==1 and d['unmatched_messages']==1 and d['calls_by_name']['MPI_Comm_create']==2
		and d['per_rank'][0]['compute_ps']==200*10**6))" || fail "$(cut -c1-400 out)"
else
	echo "skipped: python3-otf2 is not there ($(tail -n 1 make.err 2>/dev/null))"
fi

begin "events that a replay does not use are counted by name, and a warning where they take time"
sed '/^    call(3/,$d; s/"made"/"unused"/' make.py >unused.py
cat >>unused.py <<'P'
    off, on = otf2.enums.MeasurementMode.OFF, otf2.enums.MeasurementMode.ON
    call(0, lambda w, at: w.mpi_isend(at, 1, world, 5, 8, 7), lambda w, at: w.mpi_request_test(at, 7), lambda w, at: w.mpi_request_test(at, 7))
    call(0, lambda w, at: w.mpi_isend_complete(at, 7))
    call(1, lambda w, at: w.mpi_recv(at, 0, world, 5, 8))
    for mode in (off, on):
        now[1] += 100
        writers[1].measurement_on_off(now[1], mode)
    writers[1].buffer_flush(now[1] + 1, now[1] + 9)
P
if [ -s make.err ] || [ ! -d made ]; then
	echo "skipped: python3-otf2 is not there"
else
	/usr/bin/python3 unused.py || fail "no archive"
	run workload unused/traces.otf2 --json
	expect 0
	grep -q '"unused_events":{"MeasurementOnOff":1,"BufferFlush":1,"MpiRequestTest":2}' out || fail "$(grep -o '"unused_events":[^}]*' out)"
	expect_in err 'warning: 1 times that the measurement was switched off \(MeasurementOnOff\)'
	expect_in err 'warning: 1 times that the measurement wrote its buffer'
	cat >run.cfg <<-END
		topology = { kind = "single"; ports = 5; }; links = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
		switch = { kind = "ideal"; }; routing = { kind = "minimal"; };
		traffic = ( { process = "otf2"; file = "unused/traces.otf2"; packet = "1KB"; } );
	END
	run run run.cfg --quiet
	expect 0
	expect_in err 'traffic.\[0\].file: warning: 1 times that the measurement was switched off'
fi

begin "the counts of a gatherv and a scatterv are what each rank sent and got"
sed '/^    call(3/,$d; s/"made"/"counted"/' make.py >counts.py
cat >>counts.py <<'P'
    def together(op, comm, members, root, sent, got):
        for i, r in enumerate(members):
            call(r, lambda w, at: w.mpi_collective_begin(at), lambda w, at: w.mpi_collective_end(at, op, comm, root, sent[i], got[i]))
    together(CollectiveOp.GATHERV, world, range(5), 2, [11, 22, 33, 44, 0], [0, 0, 110, 0, 0])
    together(CollectiveOp.SCATTERV, odd, [3, 1], 1, [0, 120], [70, 50])
    together(CollectiveOp.SCATTERV, world, range(5), 0, [1111, 0, 0, 0, 0], [1, 10, 100, 1000, 0])
    together(CollectiveOp.GATHERV, odd, [3, 1], 0, [5, 9], [14, 0])
P
if [ -s make.err ] || [ ! -d made ]; then
	echo "skipped: python3-otf2 is not there"
else
	/usr/bin/python3 counts.py || fail "no archive"
	run workload counted/traces.otf2 --emit goal --out counted.goal
	expect 0
	python3 - <<'P' || fail "$(grep -E 'rank|send|recv' counted.goal)"
import re
sends, recvs = [], []
for line in open("counted.goal"):
    if m := re.match(r"rank (\d+)", line):
        rank = int(m[1])
    elif m := re.search(r"send (\d+)b to (\d+)", line):
        sends.append((rank, int(m[2]), int(m[1])))
    elif m := re.search(r"recv (\d+)b from (\d+)", line):
        recvs.append((int(m[2]), rank, int(m[1])))
want = {(0, 2, 11), (1, 2, 22), (3, 2, 44), (1, 3, 70), (0, 1, 10), (0, 2, 100), (0, 3, 1000), (1, 3, 9)}
empty = {(4, 2, 0), (0, 4, 0)}
for found in sends, recvs:
    assert set(found) - empty == want, found
P
fi

begin "the counts of other v forms follow from what each rank sent and got"
if [ -s make.err ] || [ ! -d made ]; then
	echo "skipped: python3-otf2 is not there"
else
	sed '/^    call(3/,$d; s/"made"/sys.argv[1]/' make.py >vform.py
	cat >>vform.py <<-'P'
	    members = range(5) if sys.argv[3] == "world" else [3, 1]
	    for i, r in enumerate(members):
	        call(r, lambda w, at: w.mpi_collective_begin(at), lambda w, at: w.mpi_collective_end(
	            at, getattr(CollectiveOp, sys.argv[2]), world if sys.argv[3] == "world" else odd, 0xffffffff, int(sys.argv[4].split(",")[i]),
	            int(sys.argv[5].split(",")[i])))
	P
	vform() { # OP, COMM, SENT, GOT, the (SOURCE, DESTINATION): BYTES that follow, but empty ones
		rm -rf vform
		/usr/bin/python3 vform.py vform "$1" "$2" "$3" "$4" || fail "no archive"
		run workload vform/traces.otf2 --emit goal --out vform.goal
		expect 0
		python3 - "$5" <<-'P' || fail "$*"
			import re, sys
			found = {"send": {}, "recv": {}}
			for line in open("vform.goal"):
			    if m := re.match(r"rank (\d+)", line):
			        rank = int(m[1])
			    elif m := re.search(r"(send|recv) (\d+)b (?:to|from) (\d+)", line):
			        pair = (rank, int(m[3])) if m[1] == "send" else (int(m[3]), rank)
			        found[m[1]][pair] = found[m[1]].get(pair, 0) + int(m[2])
			for sums in found.values():
			    assert {p: b for p, b in sums.items() if b} == eval(sys.argv[1]), found
		P
	}
	# one sends, or one receives: then who sent what to whom is known
	vform ALLTOALLV world 0,200,0,0,0 100,0,60,40,0 '{(1, 0): 100, (1, 2): 60, (1, 3): 40}'
	vform ALLTOALLW world 10,20,0,30,40 0,0,100,0,0 '{(0, 2): 10, (1, 2): 20, (3, 2): 30, (4, 2): 40}'
	# else what each sends is shared out as they receive: here no byte is left over
	vform ALLTOALLV world 4,8,0,0,0 0,0,3,6,3 '{(0, 2): 1, (0, 3): 2, (0, 4): 1, (1, 2): 2, (1, 3): 4, (1, 4): 2}'
	vform ALLTOALLV odd 30,10 10,30 '{(3, 1): 23, (1, 3): 2}'
	# pairwise: each rank gets its block from each other one
	vform REDUCE_SCATTER world 60,60,60,60,60 10,20,0,5,25 '{(a, b): [10, 20, 0, 5, 25][b] for a in range(5) for b in range(5) if a != b and b != 2}'
	# in a ring a rank passes on all blocks but the next one's own
	vform ALLGATHERV world 10,20,0,5,25 60,60,60,60,60 '{(a, (a + 1) % 5): 60 - [10, 20, 0, 5, 25][(a + 1) % 5] for a in range(5)}'
	# nobody got anything: even blocks
	vform ALLTOALLV odd 10,10 0,0 '{(3, 1): 5, (1, 3): 5}'
fi

begin "damaged"
fresh() {
	rm -rf bad
	cp -r "$data" bad
	chmod -R u+w bad
}
fresh
rm bad/traces/3.evt
run workload bad/traces.otf2
expect 2
expect_in err '^bad/traces.otf2: has no events of rank [0-9]+ \(3\.evt\)$'
mkfifo bad/traces/3.evt
run workload bad/traces.otf2
expect 2
expect_err 'bad/traces/3.evt: is not a regular file'
fresh
rm -r bad/traces
run workload bad/traces.otf2
expect 2
fresh
: >bad/traces.otf2
run workload bad/traces.otf2
expect 2
expect_in err '^bad/traces.otf2: is not an OTF2 archive, or a part of it is missing$'
run workload none.otf2
expect 2
expect_in err '^none.otf2: cannot be read: No such file or directory$'
for file in traces.otf2 traces.def traces/2.evt traces/2.def; do
	for step in $(seq 1 12); do
		fresh
		python3 - bad/$file "$step" <<'P'
import random, sys
data = bytearray(open(sys.argv[1], "rb").read())
random.seed(sys.argv[1] + sys.argv[2])
for _ in range(1 + int(sys.argv[2]) % 4):
    data[random.randrange(len(data))] = random.randrange(256)
if int(sys.argv[2]) % 3 == 0:
    del data[random.randrange(len(data)):]
open(sys.argv[1], "wb").write(data)
P
		timeout -s KILL 60 "$program" workload bad/traces.otf2 >out 2>err </dev/null
		status=$?
		[ "$status" -le 2 ] || fail "$file, $step: exit status $status"
		[ "$status" != 2 ] || grep -q '^bad/traces.otf2: ' err || fail "$file, $step: $(head -c 300 err)"
	done
done
finish
