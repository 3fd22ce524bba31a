#!/usr/bin/env bash
# traffic[].process = "recorded": ranks that carry out MPI calls. Matching in MPI's order, protocols, requests, communicators,
# collectives, who waits for whom; one digest.
source "$(dirname "$0")/run.bash"
data=$tests/../data

config() { # FILE: a 4 x 4 torus
	cat >run.cfg <<-END
		seed = 1;
		topology   = { kind = "torus"; dims = [4, 4]; endpoints = 1; };
		links      = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
		switch     = { kind = "ideal"; traversal = "100ns"; buffer = "300KB"; };
		routing    = { kind = "minimal"; };
		traffic    = ( { name = "a"; process = "recorded"; file = "$1"; packet = "512B"; } );
	END
}
value() { python3 -c "import json; d=json.load(open('out')); print($1)" 2>&1 | tail -1; }
# RANKS, then the calls of each rank, divided by semicolons
calls() {
	local ranks=$1 rank=0
	shift
	{
		echo "ranks $ranks"
		for list in "$@"; do
			echo "rank $((rank++))"
			tr ';' '\n' <<<"$list"
		done
	} >a.mpi
}
same_digest() { # DIGEST
	for how in "--sync conservative" "--sync optimistic --set engine.stress=20" "--sync conservative --threads 2" "--audit"; do
		run run run.cfg --json $how
		expect 0
		[ "$(value 'd["digest"]')" = "$1" ] || fail "$how: another digest"
	done
	"$tests/../mpirun.sh" 2 "$program" run run.cfg --json --sync optimistic >out 2>err || fail "2 ranks: $(cat err)"
	[ "$(value 'd["digest"]')" = "$1" ] || fail "2 ranks: another digest"
}

begin "every call; one digest"
config "$data/mpi/calls.mpi"
run run run.cfg --json
expect 0
expect_err ''
[ "$(value 'd["jobs"][0]["processes_finished"], d["jobs"][0]["messages_unreceived"]')" = "16 0" ] || fail "$(value 'd["jobs"][0]')"
same_digest "$(value 'd["digest"]')"

begin "random programs end, nothing is left; one digest"
config a.mpi
for seed in 1 2 3 4 5; do
	python3 "$tests/mpi_random.py" "$seed" "$((2 + 2 * seed % 15))" 150 >a.mpi
	for who in basic openmpi-4.1 mpich-4.0; do
		run run run.cfg --json --set "mpi.collectives=\"$who\""
		expect 0
		expect_err ''
		[ "$(value 'd["jobs"][0]["messages_unreceived"]')" = 0 ] || fail "seed $seed: a message is left"
	done
done
run run run.cfg --json
same_digest "$(value 'd["digest"]')"

begin "messages of a pair match in order, of any kind; the rest is not received: a warning, with --strict an error"
calls 2 "isend to=1 tag=1 bytes=100000 request=2; send to=1 tag=1 bytes=10; send to=1 tag=1 bytes=20; send to=1 tag=2 bytes=30; wait reqs=2" \
	"compute compute=100000000; recv from=any tag=any bytes=100000; recv from=0 tag=2 bytes=30; recv from=any tag=1 bytes=99"
run run run.cfg --quiet
expect 0
expect_in err '^tilefly run: warning: 1 message was never received$'
expect_in err '^  rank 0 to rank 1, tag 1, 20 B: not received$'
[ "$(grep -c received err)" = 2 ] || fail "$(cat err)"
run run run.cfg --quiet --strict
expect 1
expect_in err '^tilefly run: 1 message was never received$'
expect_in err '^  rank 0 to rank 1, tag 1, 20 B: not received$'
[ "$(grep -c received err)" = 2 ] || fail "$(cat err)"

begin "a message that is under way when the last rank ends is not received, either"
calls 2 "compute compute=10000; send to=1 tag=1 bytes=60000" "compute compute=5000"
sed -i 's/^traffic/mpi = { eager = "64KB"; };\ntraffic/' run.cfg
for how in "" "--sync optimistic" "--sync conservative --threads 2"; do
	run run run.cfg --quiet $how
	expect 0
	expect_in err '^tilefly run: warning: 1 message was never received$'
	expect_in err '^  1 was under way when the last rank ended$'
	run run run.cfg --quiet --strict $how
	expect 1
done
run run run.cfg --json
[ "$(value 'd["jobs"][0]["messages_unreceived"]')" = 1 ] || fail "$(cut -c1-900 out)"
calls 2 "irecv from=1 tag=4 request=5" "isend to=0 tag=4 bytes=100000 request=1"
for how in "" "--sync optimistic" "--sync conservative --threads 2"; do
	run run run.cfg --quiet $how
	expect 0
	expect_in err '^tilefly run: warning: 1 message was never received$'
	expect_in err '^  rank 1 to rank 0, tag 4: its receive was there, its data have not arrived$'
	expect_in err '^  1 was under way when the last rank ended$'
	run run run.cfg --quiet --strict $how
	expect 1
done
calls 2 "compute compute=10000; bcast bytes=8 root=0 nonblocking request=3; request_free request=3" "bcast bytes=8 root=0 nonblocking request=3; request_free request=3"
run run run.cfg --quiet --strict
expect 0

begin "posted receives match in order; a communicator is a world of its own"
calls 3 "comm_dup new=4; send to=2 tag=1 bytes=11 comm=4; send to=2 tag=1 bytes=12; barrier" \
	"comm_dup new=4; barrier; send to=2 tag=1 bytes=13" \
	"comm_dup new=4; irecv from=any tag=any bytes=99 request=1; irecv from=0 tag=1 bytes=99 request=2 comm=4; barrier; waitall reqs=1,2; compute compute=99000000"
run run run.cfg --quiet
expect 0
expect_in err '^tilefly run: warning: 1 message was never received$'
expect_in err '^  rank 1 to rank 2, tag 1, 13 B: not received$'
[ "$(grep -c received err)" = 2 ] || fail "$(cat err)"

begin "what cannot go on: who waits for whom"
calls 3 "ssend to=1 tag=7 bytes=10; recv from=1 tag=7" "ssend to=0 tag=7 bytes=10; recv from=0 tag=7" "recv from=1 tag=9 bytes=5"
run run run.cfg --quiet
expect 1
expect_in err '^  rank 0: MPI_Ssend, a.mpi:3: send to rank 1, tag 7, 10 B: not received$'
expect_in err '^  rank 1: MPI_Ssend, a.mpi:6: send to rank 0, tag 7, 10 B: not received$'
expect_in err '^  rank 2: MPI_Recv, a.mpi:9: receive from rank 1, tag 9, 5 B: no matching message was sent$'
calls 3 "barrier" "barrier" "probe from=any tag=4"
run run run.cfg --quiet
expect 1
expect_in err '^  rank 0: MPI_Barrier, a.mpi:3: its collective waits for rank 2$'
expect_in err '^  rank 2: MPI_Probe, a.mpi:7: has not ended$'

begin "the standard send of two to each other: within the eager limit it ends, beyond it waits"
calls 2 "send to=1 tag=0 bytes=8192; recv from=1 tag=0" "send to=0 tag=0 bytes=8192; recv from=0 tag=0"
run run run.cfg --quiet
expect 0
run run run.cfg --quiet --set mpi.eager=8191B
expect 1
expect_in err 'rank 1: MPI_Send, a.mpi:6: send to rank 0, tag 0, 8192 B: not received$'

begin "times: a rendezvous is two control messages more; an overhead for each call"
# One switch that cuts through, 10 Gb/s: a message of m bytes in one packet takes 2 x 50 ns + 100 ns + m x 0.8 ns.
cat >run.cfg <<-END
	seed = 1;
	topology   = { kind = "single"; ports = 2; };
	links      = { default = { bandwidth = "10Gbps"; latency = "50ns"; }; };
	switch     = { kind = "ideal"; traversal = "100ns"; buffer = "100KB"; };
	routing    = { kind = "minimal"; };
	mpi        = { eager = "1KB"; };
	traffic    = ( { name = "a"; process = "recorded"; file = "a.mpi"; packet = "10KB"; } );
END
completion() { # BYTES KEYS: in ns, the receiver's end
	calls 2 "send to=1 tag=0 bytes=$1" "recv from=0 tag=0"
	run run run.cfg --json $2
	expect 0
	value 'round(d["jobs"][0]["completion_ns"], 3)'
}
[ "$(completion 1000)" = 1000.0 ] || fail "eager: $(completion 1000), not 200 + 800"
[ "$(completion 2000)" = 2302.4 ] || fail "rendezvous: $(completion 2000), not 200 + 1600 + 2 (200 + 51.2)"
[ "$(completion 2000 '--set mpi.control=1000B')" = 3800.0 ] || fail "control messages of 1000 B: $(completion 2000 '--set mpi.control=1000B')"
[ "$(completion 1000 '--set mpi.overhead=1us')" = 2000.0 ] || fail "an overhead of 1 us: $(completion 1000 '--set mpi.overhead=1us')"
calls 2 "send to=1 tag=0 bytes=1000 compute=5000000" "recv from=0 tag=0 compute=1000"
for row in "1.0 6000.0" "0.5 3500.0" "0 1000.0"; do
	read -r scale want <<<"$row"
	run run run.cfg --json --set "traffic.[0].compute_scale=$scale"
	[ "$(value 'round(d["jobs"][0]["completion_ns"], 3)')" = "$want" ] || fail "compute_scale $scale: $(value 'd["jobs"][0]["completion_ns"]')"
done

begin "collectives: messages as counted in the libraries (tests/data/mpi_collectives.csv), 1000 B on 12 ranks"
config a.mpi
for row in "openmpi-4.1 allreduce 32" "openmpi-4.1,allreduce=rabenseifner-openmpi allreduce 64" "mpich-4.0 allreduce 56" "mpich-4.0 bcast 11" \
	"mpich-4.0,alltoall=bruck alltoall 48" "openmpi-4.1 alltoall 132" "openmpi-4.1,allgather=neighbor allgather 72" "openmpi-4.1 gather 11" \
	"openmpi-4.1 reduce_scatter 32" "mpich-4.0 scan 40" "openmpi-4.1,reduce_scatter=butterfly reduce_scatter 36" "mpich-4.0 barrier 48"; do
	read -r who what want <<<"$row"
	{
		echo "ranks 12"
		for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
			printf 'rank %s\n%s' $i $what
			case $what in
			allreduce | scan) echo " bytes=1000 element=1" ;;
			bcast | gather) echo " bytes=1000 root=0" ;;
			reduce_scatter) echo " counts=1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000 element=1" ;;
			barrier) echo ;;
			*) echo " bytes=1000" ;;
			esac
		done
	} >a.mpi
	run run run.cfg --json --set "mpi.collectives=\"$who\"" --set 'traffic.[0].packet="64KB"' --set 'switch.buffer="1MB"' --set mpi.eager=1MB
	expect 0
	[ "$(value 'd["packets"]["delivered"]')" = "$want" ] || fail "$who $what: $(value 'd["packets"]["delivered"]') messages, not $want"
done

begin "Reduce_scatter as Reduce and Scatterv: each rank gets what its count says, with bytes or without"
for counts in 8,16,0,24 80000,40000,0,20000; do
	calls 4 "reduce_scatter counts=$counts element=4 ordered" "reduce_scatter counts=$counts element=4 ordered bytes=12" \
		"reduce_scatter counts=$counts element=4 ordered" "reduce_scatter counts=$counts element=4 ordered"
	for who in openmpi-4.1 mpich-4.0 "basic,reduce_scatter=composed" "mpich-4.0,reduce_scatter=composed"; do
		run run run.cfg --json --strict --set "mpi.collectives=\"$who\""
		expect 0
		run workload a.mpi --collectives "$who" --strict --emit goal --out a.goal
		expect 0
		run workload a.goal --loggops default
		expect 0
		expect_err ""
	done
done
rm a.goal

begin "more messages that nothing receives than a rank can hold: an error, no crash"
{
	printf 'ranks 2\nrank 1\nrecv from=0 tag=2\nrank 0\n'
	yes 'send to=1 tag=1 bytes=8' | head -n 263000
} >a.mpi
run run run.cfg --quiet
expect 1
expect_in err 'rank 1 has more than 262144 simultaneous requests, messages and peers$'

begin "algorithms as a group are the same as in a text"
calls 4 "allreduce bytes=4000 element=4" "allreduce bytes=4000 element=4" "allreduce bytes=4000 element=4" "allreduce bytes=4000 element=4"
run run run.cfg --json --set 'mpi.collectives="mpich-4.0, allreduce = ring"'
expect 0
digest=$(value 'd["digest"]')
cp run.cfg group.cfg
echo 'mpi = { collectives = { allreduce = "ring"; preset = "mpich-4.0"; }; };' >>group.cfg
run run group.cfg --json
expect 0
[ "$(value 'd["digest"]')" = "$digest" ] || fail "another digest"
run run group.cfg --json --set mpi.collectives.allreduce=linear
expect 0
[ "$(value 'd["digest"]')" != "$digest" ] || fail "the same digest"
run run group.cfg --json --set mpi.collectives.allreduce=lineal
expect 2
expect_in err '"lineal" is not an algorithm of MPI_Allreduce'

begin "a message longer than its receive: an error in MPI, told; one digest"
# Eager, from any source; by rendezvous; to itself; and one that fits exactly, one of 0 bytes, and a receive that does not say what it takes.
cat >a.mpi <<-END
	ranks 3
	rank 0
	recv from=any tag=1 bytes=100
	recv from=1 tag=2 bytes=99999
	sendrecv to=0 tag=3 bytes=6 rfrom=0 rtag=3 rbytes=5
	recv from=1 tag=4 bytes=0
	recv from=1 tag=6
	rank 1
	send to=0 tag=1 bytes=101
	send to=0 tag=2 bytes=100000
	send to=0 tag=4 bytes=0
	send to=0 tag=6 bytes=77
	recv from=2 tag=5 bytes=64
	rank 2
	send to=1 tag=5 bytes=64
END
run workload a.mpi
expect 0
expect_in err 'a.mpi: warning: 3 messages are longer than the receives that they match, which is an error in MPI; the first one, from rank 1 to rank 0, tag 1, has 101 B for a receive of 100 B'
run workload a.mpi --strict
expect 1
run workload a.mpi --json
[ "$(value 'd["truncated_messages"], d["unmatched_messages"]')" = "3 0" ] || fail "$(cat out)"
config a.mpi
run run run.cfg --json
expect 0
expect_err 'tilefly run: warning: 3 messages are longer than their receives
  rank 1 to rank 0, tag 1, 101 B: longer than its receive of 100 B, and others to this rank'
[ "$(value 'd["jobs"][0]["messages_truncated"], d["messages_truncated"]')" = "3 3" ] || fail "$(cut -c1-900 out)"
same_digest "$(value 'd["digest"]')"
run run run.cfg --strict
expect 1

begin "a DUMPI trace of many calls: one message is left, and nothing else; binary and text, one digest"
shared=${TILEFLY_SHARED:-/work/shared}/reference/apps/traces
process() { # KEYS
	config a.mpi
	sed -i "s|process = .*; packet|$1 packet|" run.cfg
}
process "process = \"dumpi\"; meta = \"$data/trace/dumpi_calls_p5/dumpi-calls.meta\";"
run run run.cfg --json --set mpi.collectives='"mpich-4.0"'
expect 0
expect_in err '^  rank 4 to rank 0, tag 7, 800 B: not received$'
[ "$(grep -c received err)" = 2 ] || fail "$(cat err)"
[ "$(value 'd["jobs"][0]["processes_finished"], d["jobs"][0]["messages_unreceived"], d["jobs"][0]["operations_unfinished"]')" = "16 1 0" ] || fail "$(cut -c1-900 out)"
sed -i 's/^traffic/mpi = { collectives = "mpich-4.0"; };\ntraffic/' run.cfg
same_digest "$(value 'd["digest"]')"
run run run.cfg --json --set 'traffic.[0].clock="cpu"'
expect 0
run run run.cfg --json --strict
expect 1

begin "a DUMPI trace of 4 ranks: 4 messages, a barrier and an allreduce of 8 each"
if [ -e "$shared/dumpi_testtrace_p4/testtrace.meta" ]; then
	process "process = \"dumpi\"; meta = \"$shared/dumpi_testtrace_p4/testtrace.meta\";"
	run run run.cfg --json
	expect 0
	[ "$(value 'd["packets"]["delivered"]')" = 20 ] || fail "$(value 'd["packets"]["delivered"]') messages"
fi

begin "an OTF2 archive, where its library is there: 27 messages and 6 collectives a rank"
process "process = \"otf2\"; file = \"$data/trace/otf2_ring_p6/traces.otf2\";"
run run run.cfg --json
if [ "$status" = 0 ]; then
	expect_err ''
	same_digest "$(value 'd["digest"]')"
else
	expect 2
	expect_in err 'OTF2'
fi

begin "what is wrong with the calls is said, all of it"
config a.mpi
printf 'ranks 3\nrank 0\nsned to=1\nrank 1\nsend to=3 bytes=1\nrank 2\nsend to=1 comm=8\n' >a.mpi
run run run.cfg
expect 2
expect_in err '^run.cfg:6: traffic.\[0\].file: a.mpi:3: "sned" is no call; did you mean Send\?$'
expect_in err 'file: a.mpi:5: rank 1: MPI_Send: rank 3 is none of the 3 of the communicator$'
expect_in err 'file: a.mpi:7: rank 2: MPI_Send: the communicator was not created by any call$'
calls 2 "comm_split color=0 key=0 new=3" "send to=0 tagg=1"
run run run.cfg
expect 2
expect_in err 'a.mpi:5: there is no key "tagg"$'
calls 2 "comm_split color=0 key=0 new=3" "send to=0 tag=99999999999"
run run run.cfg
expect_in err 'a.mpi:5: the value of "tag" is none that it may have: "[^"]*"$'
calls 2 "comm_split color=0 key=0 new=3" "recv from=0"
run run run.cfg
expect 2
expect_in err 'rank 0: MPI_Comm_split: not all ranks of the communicator call it$'
printf 'rank 0\n' >a.mpi
run run run.cfg
expect_in err 'a.mpi:1: "rank": "ranks N" is expected$'
printf 'ranks 2\nrank 5\n' >a.mpi
run run run.cfg
expect_in err 'a.mpi:2: "rank" has a number that is not permitted$'
: >a.mpi
run run run.cfg
expect_in err 'a.mpi: is empty$'
calls 2 "send to=1 tag=any" "recv from=0 tag=-3"
run run run.cfg
expect 2
expect_in err 'rank 0: MPI_Send: its tag is negative$'
expect_in err 'rank 1: MPI_Recv: its tag is negative$'
calls 17 "barrier"
run run run.cfg
expect 2
run run run.cfg --set 'traffic=({pattern="uniform"; load=0.1; packet="512B";})' --set time.measure=1us --set mpi.eager=1KB
expect 2
expect_in err 'mpi.eager.*: has an effect only with a process that calls MPI: recorded, dumpi, otf2, liballprof$'

begin "a communicator that its members alone make, and others that all make"
calls 3 "comm_create members=0,1 new=5; comm_dup new=6; barrier comm=6; barrier comm=5" \
	"comm_create members=0,1 new=5; comm_dup new=6; barrier comm=6; barrier comm=5" "comm_dup new=6; barrier comm=6"
run run run.cfg --quiet --strict --set 'traffic.[0].nodes="0-2"'
expect 0
expect_err ""
run workload a.mpi --strict
expect 0

begin "ranks that cannot go on, beside others that go on for ever"
calls 2 "compute compute=5000000; recv from=1" ""
cp run.cfg beside.cfg
sed -i 's/^traffic.*/traffic = ( { process = "recorded"; file = "a.mpi"; nodes = "0-7"; }, { name = "bg"; pattern = "uniform"; load = 0.1; nodes = "8-15"; packet = "512B"; } );/' beside.cfg
reached=
for how in "" "--sync optimistic" "--sync conservative --threads 2" "--audit"; do
	run run beside.cfg --quiet $how
	expect 1
	expect_in err '^tilefly run: 1 of 8 processes have not finished, 1 operation is left, at [0-9.]* us$'
	expect_in err '^  job0: rank 0: MPI_Recv, a.mpi:4: receive from rank 1, .*no matching message was sent$'
	reached=${reached:-$(head -1 err)}
	[ "$(head -1 err)" = "$reached" ] || fail "$how: $(head -1 err)"
done
"$tests/../mpirun.sh" 2 "$program" run beside.cfg --quiet >out 2>err
[ "$(grep -m1 finished err)" = "$reached" ] || fail "2 ranks: $(cat err)"
[ "$(sed 's/.* at \([0-9]*\)[.].*/\1/' <<<"$reached")" -lt 10 ] || fail "$reached" # not when time is over
calls 2 "compute compute=100001000000000000; barrier" "barrier"
run run run.cfg --quiet
expect 1
expect_in err ' at [0-9.]* us, the maximum length of a run of this network$'
calls 2 "compute compute=3300000; barrier" "barrier"
for limit in 3us 3.5us 3.7us 4us 10us; do
	run run run.cfg --quiet --set time.limit=$limit
	case $limit in
	3us) expect 1 && expect_in err ', limited by time.limit$' ;;
	3.7us | 4us | 10us) expect 0 ;;
	esac
done

begin "collectives of which ranks say not the same: in the run, the play and the schedule"
disagree() { # LINE TEXT CALLS...
	local line=$1 text=$2
	shift 2
	calls $# "$@"
	run run run.cfg --quiet --set "traffic.[0].nodes=\"0-$(($# - 1))\""
	expect 2
	expect_in err "^run.cfg:6: traffic.\[0\].file: a.mpi:$line: rank [0-9]*: MPI_[A-Z][a-z_]*: $text\$"
	run workload a.mpi
	[ "$status" -gt 0 ] || fail "workload: exit status 0"
}
disagree 5 'rank 1 has the root 1, and rank 0 0' "bcast root=0 bytes=8" "bcast root=1 bytes=8"
disagree 5 'rank 1 calls MPI_Reduce, where rank 0 calls MPI_Bcast' "bcast root=0 bytes=8" "reduce root=0 bytes=8"
disagree 7 'rank 1 has 16 B, and rank 0 8 B' "bcast root=0 bytes=8; allreduce bytes=8" "bcast root=0 bytes=8; allreduce bytes=16"
disagree 5 'rank 1 has other counts than rank 0' "allgatherv bytes=4 counts=4,8" "allgatherv bytes=8 counts=4,4"
disagree 5 'rank 1 has elements of 4 B, and rank 0 of 8 B' "allreduce bytes=8 element=8" "allreduce bytes=8 element=4"
begin "ranks that send other bytes than the other one expects, in collectives with counts: before the run, in check and workload as well"
unequal() { # LINE TEXT CALLS...: of all algorithms
	local line=$1 text=$2
	shift 2
	calls $# "$@"
	for who in basic openmpi-4.1 mpich-4.0; do
		run run run.cfg --quiet --set "traffic.[0].nodes=\"0-$(($# - 1))\"" --set "mpi.collectives=\"$who\""
		expect 2
		expect_err "run.cfg:6: traffic.[0].file: a.mpi:$line: rank $text"
	done
	run check run.cfg --set "traffic.[0].nodes=\"0-$(($# - 1))\""
	expect 2
	expect_in err 'a.mpi:'"$line"': rank'
	run workload a.mpi
	expect 2
	expect_err "a.mpi:$line: rank $text"
	run workload a.mpi --emit goal --out a.goal
	expect 2
	expect_no_file a.goal
}
v=allgatherv
unequal 5 '1: MPI_Allgatherv: its own bytes are 99, where its counts have 16 for itself' "$v bytes=8 counts=8,16,24" "$v bytes=99 counts=8,16,24" "$v counts=8,16,24"
unequal 7 '2: MPI_Allgatherv: its own bytes are 0, where its counts have 24 for itself' "$v bytes=8 counts=8,16,24" "$v bytes=16 counts=8,16,24" "$v bytes=0 counts=8,16,24"
v="gatherv root=0"
unequal 5 '1: MPI_Gatherv: it sends 0 B to rank 0, which expects 16 B of it (a.mpi:3)' "$v counts=0,16,24" "$v bytes=0" "$v bytes=24"
unequal 5 '1: MPI_Gatherv: it sends 100 B to rank 0, which expects 16 B of it (a.mpi:3)' "$v counts=8,16,24" "$v bytes=100" "$v bytes=24"
unequal 5 '1: MPI_Gatherv: it sends 16 B to rank 0, which expects 0 B of it (a.mpi:3)' "$v counts=0,0,0" "$v bytes=16" "$v bytes=0"
unequal 3 '0: MPI_Gatherv: its own bytes are 9, where its counts have 8 for itself' "$v bytes=9 counts=8,16" "$v bytes=16"
v="scatterv root=0"
unequal 3 '0: MPI_Scatterv: it sends 16 B to rank 1, which expects 0 B of it (a.mpi:5)' "$v counts=0,16,24" "$v bytes=0" "$v bytes=24"
unequal 3 '0: MPI_Scatterv: it sends 24 B to rank 2, which expects 25 B of it (a.mpi:7)' "$v counts=0,16,24" "$v bytes=16" "$v bytes=25"
unequal 3 '0: MPI_Scatterv: its own bytes are 9, where its counts have 8 for itself' "$v bytes=9 counts=8,16" "$v bytes=16"
v=alltoallv
unequal 5 '1: MPI_Alltoallv: it sends 0 B to rank 0, which expects 16 B of it (a.mpi:3)' "$v counts=0,0,0 rcounts=0,16,0" "$v counts=0,0,0 rcounts=0,0,0" "$v counts=0,0,0 rcounts=0,0,0"
unequal 3 '0: MPI_Alltoallv: it sends 16 B to rank 1, which expects 0 B of it (a.mpi:5)' "$v counts=0,16,0 rcounts=0,0,0" "$v counts=0,0,0 rcounts=0,0,0" "$v counts=0,0,0 rcounts=0,0,0"
unequal 5 '1: MPI_Alltoallv: it sends 32 B to rank 0, which expects 24 B of it (a.mpi:3)' "$v counts=8,16 rcounts=8,24" "$v counts=32,8 rcounts=16,8"
unequal 5 '1: MPI_Alltoallv: it sends 8 B to itself, and expects 7 B' "$v counts=8,16 rcounts=8,32" "$v counts=32,8 rcounts=16,7"
unequal 4 '0: MPI_Alltoallv: it sends 8 B to itself, and expects 9 B' "barrier; $v comm=1 counts=8 rcounts=9" "barrier"
# Two that would make up for each other, in a call between others; ranks of a communicator in another order than in the
# world; a handle that is used again.
unequal 5 '0: MPI_Alltoallv: it sends 5 B to rank 1, which expects 4 B of it (a.mpi:11)' \
	"$v counts=1,2 rcounts=1,3; barrier; $v counts=1,5 rcounts=1,5 nonblocking request=7; $v counts=0,0 rcounts=0,0; wait reqs=7" \
	"$v counts=3,4 rcounts=2,4; barrier; $v counts=4,1 rcounts=4,1 nonblocking request=7; $v counts=0,0 rcounts=0,0; wait reqs=7"
unequal 7 '1: MPI_Gatherv: it sends 8 B to rank 2, which expects 4 B of it (a.mpi:12)' \
	"comm_split color=none new=5" \
	"comm_split color=1 key=2 new=5; barrier comm=5; gatherv root=0 comm=5 bytes=8; comm_free comm=5" \
	"comm_split color=1 key=1 new=5; barrier comm=5; gatherv root=0 comm=5 counts=0,4; comm_free comm=5"
unequal 5 '0: MPI_Alltoallv: it sends 5 B to rank 1, which expects 4 B of it (a.mpi:9)' \
	"comm_dup new=5; comm_dup new=5; $v counts=1,5 rcounts=1,4 comm=5" "comm_dup new=5; comm_dup new=5; $v counts=4,1 rcounts=4,1 comm=5"
unequal 4 '0: MPI_Alltoallv: it sends 5 B to rank 1, which expects 4 B of it (a.mpi:8)' \
	"comm_dup new=5; $v counts=1,5 rcounts=1,4 comm=5; comm_dup new=5" "comm_dup new=5; $v counts=4,1 rcounts=4,1 comm=5; comm_dup new=5"
# Counts that are not one for each rank: the same words before a run and in workload.
miscounted() { # LINE RANK TEXT CALLS...
	local line=$1 rank=$2 text=$3
	shift 3
	calls $# "$@"
	run run run.cfg --quiet --set "traffic.[0].nodes=\"0-$(($# - 1))\""
	expect 2
	grep -qF "run.cfg:6: traffic.[0].file: a.mpi:$line: rank $rank: $text" err || fail "not said: $(cat err)"
	run workload a.mpi
	expect 2
	expect_err "a.mpi:$line: $text"
}
few="in a communicator of 2 ranks"
miscounted 3 0 "MPI_Alltoallv: it has 0 counts of what it gets (rcounts), $few; they are needed in place as well" "$v counts=4,5 in-place" "$v counts=4,5 rcounts=4,5"
miscounted 5 1 "MPI_Alltoallv: it has 3 counts of what it gets (rcounts), $few" "$v counts=4,5 rcounts=4,5" "$v counts=5,4 rcounts=5,4,3"
miscounted 5 1 "MPI_Alltoallv: it has 1 count, $few" "$v counts=4,5 rcounts=4,5" "$v counts=5 rcounts=5,4"
miscounted 3 0 "MPI_Scatterv: it has 0 counts, $few" "scatterv root=0" "scatterv root=0 bytes=0"
miscounted 3 0 "MPI_Reduce_scatter: it has 3 counts, $few" "reduce_scatter counts=1,2,3" "reduce_scatter counts=1,2,3"
miscounted 4 0 "MPI_Allgatherv: it has 2 counts, in a communicator of 1 rank" "barrier; allgatherv comm=1 counts=1,2" "barrier"
# What is right: own bytes left out, in place, counts where they are not read, persistent order of the ranks.
calls 3 "allgatherv counts=8,0,24 in-place; gatherv root=2 bytes=5; scatterv root=1 bytes=0 counts=1,2,3; alltoallv counts=1,2,3 rcounts=1,4,7 nonblocking request=3; wait reqs=3" \
	"allgatherv counts=8,0,24; gatherv root=2 bytes=0 counts=7; scatterv root=1 counts=0,1,2; alltoallv counts=4,5,6 rcounts=2,5,8 nonblocking request=3; wait reqs=3" \
	"allgatherv counts=8,0,24 bytes=24; gatherv root=2 counts=5,0,6; scatterv root=1 bytes=2; alltoallv counts=7,8,9 rcounts=3,6,9 nonblocking request=3; wait reqs=3"
run workload a.mpi
expect 0
expect_err ''
for who in basic openmpi-4.1 mpich-4.0 "basic, allgatherv = composed"; do
	run run run.cfg --quiet --strict --set 'traffic.[0].nodes="0-2"' --set "mpi.collectives=\"$who\""
	expect 0
	expect_err ''
	run workload a.mpi --collectives "$who" --emit goal --out a.goal
	expect 0
	run workload a.goal --loggops default
	expect 0
	rm -f a.goal
done

begin "ranks whose groups of a new communicator differ"
calls 4 "comm_create members=0,1,2 new=5; barrier comm=5" "comm_create members=1,2,0 new=5; barrier comm=5" "comm_create members=0,1,2 new=5; barrier comm=5" ""
run run run.cfg --quiet --set 'traffic.[0].nodes="0-3"'
expect 2
expect_in err 'a.mpi:3: rank 0: MPI_Comm_create: rank 1 of its group calls it with the same ranks in another order$'
expect_in err 'a.mpi:6: rank 1: MPI_Comm_create: rank 2 of its group calls it with the same ranks in another order$'
run workload a.mpi
expect 1
expect_in err '^a.mpi:3: MPI_Comm_create: rank 0 waits for 1 more of 3 ranks to call it: rank 1 calls it with the same ranks in another order$'
calls 3 "comm_create members=0,1,2 new=5" "comm_create members=0,1 new=5" ""
run run run.cfg --quiet --set 'traffic.[0].nodes="0-2"'
expect 2
expect_in err 'rank 0: MPI_Comm_create: rank 1 of its group calls it with another group$'
expect_in err 'rank 1: MPI_Comm_create: rank 0 of its group calls it with another group$'
run workload a.mpi
expect 1
expect_in err '^a.mpi:5: MPI_Comm_create: rank 1 waits for 1 more of 2 ranks to call it: rank 0 calls it with another group$'
calls 3 "comm_create members=0,1 new=5" "" ""
run run run.cfg --quiet --set 'traffic.[0].nodes="0-2"'
expect 2
expect_in err 'rank 0: MPI_Comm_create: rank 1 of its group does not call it$'

begin "collectives were not called by all ranks of their communicators"
config a.mpi
lonely() { # STATUS LINE RANK OP ABSENT CALLS...
	local want=$1 line=$2 rank=$3 op=$4 absent=$5
	shift 5
	calls $# "$@"
	run run run.cfg --quiet --set "traffic.[0].nodes=\"0-$(($# - 1))\""
	expect "$want"
	expect_in err "^  rank $rank: MPI_$op, a.mpi:$line: rank $absent of its communicator does not call it\$"
	run run run.cfg --quiet --strict --set "traffic.[0].nodes=\"0-$(($# - 1))\""
	expect 1
}
lonely 1 4 0 Barrier 1 "compute compute=1;barrier" ""
lonely 0 3 0 Bcast 1 "bcast root=0 bytes=100" ""
expect_in err '^tilefly run: 1 collective was not called by all ranks of its communicator$'
lonely 0 3 0 Gather 2 "gather root=2 bytes=100" "gather root=2 bytes=100" ""
lonely 0 6 1 Allreduce 0 "allreduce bytes=8" "allreduce bytes=8; allreduce bytes=8 nonblocking request=2"
calls 2 "bcast root=null bytes=1" "bcast root=null bytes=1"
run run run.cfg
expect 2
expect_in err 'a.mpi:3: rank 0: MPI_Bcast: "null" is no rank of the communicator$'
disagree 12 'rank 2 has the root 0, and rank 0 1' \
	"comm_split color=0 key=1 new=5; bcast comm=5 root=1 bytes=8; comm_free comm=5" \
	"comm_split color=1 key=1 new=5; bcast comm=5 root=0 bytes=8" \
	"comm_split color=0 key=2 new=5;# well;bcast comm=5 root=0 bytes=8; comm_free comm=5"
calls 2 "gatherv root=0 bytes=4 counts=4,9; bcast comm=1 root=0 bytes=3" "gatherv root=0 bytes=9; bcast comm=1 root=0 bytes=4"
run run run.cfg --quiet --set 'traffic.[0].nodes="0-1"'
expect 0

begin "a collective was not called by all ranks of its communicator, in the play, too"
calls 3 "allgather bytes=40; compute compute=1" "compute compute=1" "allgather bytes=40"
run workload a.mpi
expect 1
expect_in err '^a.mpi:3: MPI_Allgather: rank 0 waits for 1 more of 3 ranks to call it$'
expect_in err '^a.mpi:8: MPI_Allgather: rank 2 waits for 1 more of 3 ranks to call it$'
run workload a.mpi --json
expect 1
expect_in out '"incomplete_collectives":1,'
run workload a.mpi --emit goal --out a.goal
expect 1
expect_no_file a.goal
calls 3 "barrier nonblocking request=1; wait reqs=1" "" ""
run workload a.mpi
expect 1
expect_err 'a.mpi:4: MPI_Waitall: rank 0 waits for 2 more of 3 ranks to call MPI_Barrier'
calls 3 "bcast root=0 bytes=8" "bcast root=0 bytes=8" ""
run workload a.mpi
expect 1
expect_err 'a.mpi:3: MPI_Bcast: 2 of 3 ranks call it: rank 2 does not'
calls 3 "" "bcast root=0 bytes=8" "scan bytes=8 comm=1"
run workload a.mpi
expect 1
expect_err 'a.mpi:5: MPI_Bcast: rank 1 waits for its root, 0, to call it'

begin "ranks wait for those whose data they get: the play, the run and the schedule agree"
agree() { # STATUS NAME CALLS...
	local want=$1 name=$2
	shift 2
	calls $# "$@"
	run workload a.mpi
	expect "$want"
	run run run.cfg --quiet --set "traffic.[0].nodes=\"0-$(($# - 1))\""
	expect "$want"
	run workload a.mpi --emit goal --out a.goal
	expect "$want"
	if [ "$want" = 0 ]; then
		run workload a.goal --loggops default
		expect 0
	fi
	rm -f a.goal
}
config a.mpi
agree 1 allreduce "recv from=1 tag=5 bytes=8; allreduce bytes=8 element=8" "allreduce bytes=8 element=8; send to=0 tag=5 bytes=8"
agree 1 ibarrier "barrier nonblocking request=2; wait reqs=2; send to=1 tag=5 bytes=8" "recv from=0 tag=5 bytes=8; barrier nonblocking request=2; wait reqs=2"
agree 0 ibarrier "barrier nonblocking request=2; send to=1 tag=5 bytes=8; wait reqs=2" "recv from=0 tag=5 bytes=8; barrier nonblocking request=2; wait reqs=2"
agree 0 bcast "bcast root=0 bytes=8; send to=1 tag=1 bytes=8" "recv from=0 tag=1; bcast root=0 bytes=8"
agree 1 bcast "bcast root=1 bytes=8; send to=1 tag=1 bytes=8" "recv from=0 tag=1; bcast root=1 bytes=8"
agree 1 reduce "reduce root=0 bytes=8 element=8; send to=1 tag=1 bytes=8" "recv from=0 tag=1; reduce root=0 bytes=8 element=8"
agree 0 reduce "reduce root=1 bytes=8 element=8; send to=1 tag=1 bytes=8" "recv from=0 tag=1; reduce root=1 bytes=8 element=8"
agree 1 scan "recv from=1 tag=1; scan bytes=8" "scan bytes=8; send to=0 tag=1 bytes=8" "scan bytes=8"
agree 0 freed "allreduce bytes=8 nonblocking request=4; request_free request=4" "allreduce bytes=8"

begin "synchronous sends are ordinary ones of a schedule: a warning says so"
calls 2 "ssend to=1 tag=1 bytes=8; issend to=1 tag=2 bytes=8 request=1; ssend_init to=1 tag=3 bytes=8 request=2; start reqs=2; waitall reqs=1,2; send to=1 tag=4 bytes=8" \
	"recv from=0 tag=1; recv from=0 tag=2; recv from=0 tag=3; recv from=0 tag=4"
run workload a.mpi --emit goal --out a.goal
expect 0
expect_err 'a.mpi: warning: 3 synchronous sends (Ssend, Issend) are written as standard sends, because a schedule has no synchronous sends: whether these sends wait for the receive depends on eager of the replay (--loggops: S)'
run workload a.mpi
expect_err ''
rm a.goal

begin "options that a trace does not take"
run workload a.mpi --most 1KB --emit goal
expect 2
expect_err '--most: applies only to models (.aspen)'

begin "a receive that gets nothing and is not waited for keeps no schedule"
calls 2 "irecv from=1 tag=1 bytes=8 request=2" ""
run workload a.mpi --emit goal --out a.goal
expect 0
run workload a.goal --loggops default
expect 0

begin "the play finds out what completes where the source does not know"
run workload "$data/mpi/calls.mpi"
expect 0
expect_err ""
for how in waitany waitsome; do # a complete one may be named again: an author cannot know which it is
	agree 0 "$how" "irecv from=1 tag=1 bytes=8 request=1; irecv from=2 tag=2 bytes=8 request=2; $how reqs=1,2; send to=1 tag=5 bytes=1; waitall reqs=1,2; $how reqs=1,2" \
		"recv from=0 tag=5; send to=0 tag=1 bytes=8" "send to=0 tag=2 bytes=8 compute=1000"
done
agree 1 testany "irecv from=1 tag=1 bytes=8 request=1; irecv from=2 tag=2 bytes=8 request=2; testany reqs=1,2; testall reqs=1,2; waitall reqs=1,2; send to=1 tag=5 bytes=1" \
	"recv from=0 tag=5; send to=0 tag=1 bytes=8" "send to=0 tag=2 bytes=8 compute=1000"
for seed in 1 2 3; do
	python3 "$tests/mpi_random.py" "$seed" 6 60 >a.mpi
	run workload a.mpi
	expect 0
done

begin "what cannot be asked of MPI"
calls 2 "comm_create members=0,0 new=5; comm_create members=0,1 new=6; barrier comm=6" "comm_create members=0,1 new=6; barrier comm=6"
run run run.cfg
expect 2
expect_in err 'a.mpi:3: rank 0: MPI_Comm_create: its group contains a rank twice$'
refused() { # LINE TEXT CALLS...: by the play
	local line=$1 text=$2
	shift 2
	calls $# "$@"
	run workload a.mpi
	expect 2
	expect_in err "^a.mpi:$line: $text\$"
}
refused 3 'the value of "new" is none that it may have: "0"' "comm_dup new=0" "comm_dup new=0"
refused 3 'the value of "new" is none that it may have: "1"' "comm_dup new=1" "comm_dup new=1"
refused 3 'MPI_Send: its tag is negative' "send to=1 tag=-5" "recv from=0 tag=any"
refused 5 'MPI_Start: request 7 is already active' "send_init to=1 tag=1 bytes=2000000 request=7; start reqs=7; start reqs=7; wait reqs=7" "recv from=0 tag=1; recv from=0 tag=1"
run run run.cfg --quiet --set 'traffic.[0].nodes="0-1"'
expect 1
expect_in err 'a.mpi:5: rank 0 starts a request that is active$'
refused 4 'MPI_Start: request 7 is not persistent' "irecv from=1 tag=1 bytes=20 request=7; start reqs=7; wait reqs=7" "send to=0 tag=1"
run run run.cfg --quiet --set 'traffic.[0].nodes="0-1"'
expect 1
expect_in err 'a.mpi:4: rank 0 starts a request that is not persistent$'

begin "a colour is a number or none; a key stands once in a line"
for color in -3 any null nonee; do
	refused 3 "the value of \"color\" is none that it may have: \"$color\"; a number from 0 on, or none, which stands for MPI_UNDEFINED" \
		"comm_split color=$color new=5" "comm_split color=0 new=5"
done
calls 2 "comm_split color=none" "comm_split color=2147483647 new=5"
run workload a.mpi
expect 0
refused 3 'the key "bytes" is set twice' "send to=1 tag=5 bytes=8 bytes=16" "recv from=0 tag=5"
refused 4 'the key "reqs" is set twice' "isend to=1 tag=5 bytes=8 request=7; waitsome reqs=7 reqs=7" "recv from=0 tag=5"

begin "a peer under another call's key"
refused 3 'MPI_Send has "to", not "from"' "send from=1 tag=5 bytes=8" "recv from=0 tag=5"
refused 3 'MPI_Isend has "to", not "root"' "isend to=1 root=1 tag=5 bytes=8 request=3; wait reqs=3" "recv from=0 tag=5"
refused 5 'MPI_Recv has "from", not "to"' "send to=1 tag=5 bytes=8" "recv to=0 tag=5"
refused 3 'MPI_Probe has "from", not "to"' "probe from=1 to=0 tag=5" ""
refused 3 'MPI_Sendrecv has "to" and "rfrom", not "from"' "sendrecv to=1 from=1 tag=5 bytes=8" "sendrecv to=0 rfrom=0 tag=5 bytes=8"
refused 3 'MPI_Send_init has "to", not "from"' "send_init from=1 tag=5 request=3" ""
refused 3 'MPI_Bcast has "root", not "from"' "bcast from=1 bytes=8" "bcast root=1 bytes=8"
run run run.cfg --quiet --set 'traffic.[0].nodes="0-1"'
expect 2
expect_in err 'a.mpi:3: MPI_Bcast has "root", not "from"$'

begin "what the run refuses, the play refuses in the same words; a flag takes no value; keys of other calls; keys that are missing"
both() { # LINE TEXT CALLS...
	local line=$1 text=$2
	refused "$@"
	run run run.cfg --quiet --set "traffic.[0].nodes=\"0-$(($# - 3))\""
	expect 2
	expect_in err "a.mpi:$line: (rank [0-9]*: )?$text\$"
}
both 3 'MPI_Irecv needs "request"' "irecv from=1 tag=5" "send to=0 tag=5"
both 3 'MPI_Irecv: the receive has no request' "irecv from=1 tag=5 request=0" "send to=0 tag=5"
both 3 'MPI_Comm_split needs "new"' "comm_split color=1 key=2" "comm_split color=1 key=2 new=5"
both 3 'MPI_Comm_create: the new communicator has the same handle as MPI_COMM_WORLD' "comm_create members=0" ""
both 3 'MPI_Comm_free: MPI_COMM_WORLD is freed' "comm_free comm=0" ""
both 3 'MPI_Comm_free: the communicator was not created by any call' "comm_free comm=7" ""
both 3 'MPI_Recv has no "counts", but from, tag, bytes, comm and compute' "recv from=1 bytes=9 counts=1,2 color=3" "send to=0 bytes=8"
both 5 'MPI_Send has no "user-op", but to, tag, bytes, comm and compute' "recv from=1" "send to=0 bytes=8 user-op"
both 3 'MPI_Barrier has no "bytes", but request, comm, compute and nonblocking' "barrier bytes=5 root=1" "barrier"
both 3 'MPI_Alltoall has no "counts", but bytes, request, comm, compute, nonblocking and in-place' "alltoall bytes=8 counts=1,2" "alltoall bytes=8"
both 3 'MPI_Allreduce of 10 B is of no whole number of elements of 8 B' "allreduce bytes=10 element=8" "allreduce bytes=10 element=8"
both 3 'MPI_Reduce_scatter of 6 B is of no whole number of elements of 4 B' "reduce_scatter counts=8,6 element=4" "reduce_scatter counts=8,6 element=4"
both 3 '"nonblocking" is a flag and takes no value' "allreduce nonblocking=1" "allreduce"
both 3 '"bytes" requires a value: KEY=VALUE' "send to=1 bytes" "recv from=0"
both 3 'MPI_Send needs "to"' "send bytes=8" "recv from=0"
both 5 'MPI_Recv needs "from"' "send to=1 bytes=8" "recv"
both 3 'MPI_Sendrecv needs "rfrom"' "sendrecv to=1 bytes=8" "sendrecv to=0 rfrom=0"
both 3 'MPI_Bcast needs "root"' "bcast bytes=8" "bcast bytes=8 root=0"
both 3 'MPI_Waitall needs "reqs"' "wait" ""
both 3 'MPI_Barrier needs "request"' "barrier nonblocking" "barrier"
both 3 'MPI_Barrier needs "nonblocking", as it has a request' "barrier request=1" "barrier"
both 3 'MPI_Comm_create needs "members"' "comm_create new=5" ""

begin "a line that is damaged behind a deadlock is what is said"
both 3 '"Iallreduce" is written "allreduce nonblocking request=..."' "Iallreduce bytes=8" ""
both 3 '"startall" is written "start reqs=..."' "startall reqs=1" ""
both 3 '"sendrecv_replace" is written "sendrecv"' "sendrecv_replace to=1" ""
both 4 '"sned" is no call; did you mean Send\?' "recv from=1 tag=1;sned to=1" "recv from=0 tag=1"
calls 2 "recv from=1 tag=1;sned to=1" "recv from=0 tag=1; send to=0 tagg=1"
run workload a.mpi
expect_err 'a.mpi:4: "sned" is no call; did you mean Send?
a.mpi:7: there is no key "tagg"'

begin "requests that no call made, or that are complete: the same words by a play, a check and a run"
unknown() { # LINE CALL REQUEST CALLS-OF-RANK-0...
	local line=$1 call=$2 request=$3
	calls 2 "$4" "recv from=0 tag=5"
	run workload a.mpi
	expect 2
	expect_err "a.mpi:$line: $call: request $request was not created by any call, or is already complete"
	for command in check run; do
		run $command run.cfg
		expect 2
		expect_in err "^run.cfg:[0-9]*: traffic.\[0\].file: a.mpi:$line: rank 0: $call: request $request was not created by any call, or is already complete\$"
	done
}
unknown 4 MPI_Waitall 7 "send to=1 tag=5 bytes=8; wait reqs=7"
unknown 4 MPI_Waitall 7 "send to=1 tag=5 bytes=8; wait request=7"
unknown 5 MPI_Waitany 8 "isend to=1 tag=5 bytes=8 request=7; wait reqs=7; waitany reqs=8 done=8"
unknown 5 MPI_Waitall 7 "isend to=1 tag=5 bytes=8 request=7; wait reqs=7; wait reqs=7"
unknown 4 MPI_Request_free 9 "send to=1 tag=5 bytes=8; request_free request=9"
unknown 4 MPI_Request_free 9 "send to=1 tag=5 bytes=8; request_free reqs=9"
unknown 4 MPI_Cancel 9 "send to=1 tag=5 bytes=8; cancel request=9"
unknown 4 MPI_Start 9 "send to=1 tag=5 bytes=8; start reqs=9"
unknown 5 MPI_Testsome 9 "isend to=1 tag=5 bytes=8 request=7; waitany reqs=7; testsome reqs=7,9" # 7 may be complete, 9 cannot
# One that may be complete, a persistent one again, one handle of two sends, null ones.
for known in "isend to=1 tag=5 bytes=8 request=7; waitany reqs=7; wait reqs=7" \
	"send_init to=1 tag=5 bytes=8 request=7; start request=7; wait reqs=7; wait reqs=7; request_free request=7" \
	"send_init to=1 tag=5 bytes=8 request=7; start reqs=7; wait request=7; request_free request=7" \
	"isend to=1 tag=5 bytes=8 request=7; isend to=0 tag=6 bytes=8 request=7; recv from=0 tag=6; wait reqs=7; wait reqs=7" \
	"send to=1 tag=5 bytes=8; waitall reqs=0,0"; do
	calls 2 "$known" "recv from=0 tag=5"
	run workload a.mpi
	expect 0
	expect_err ''
	run run run.cfg --quiet
	expect 0
	expect_err ''
done

begin "a recording that was cut off"
printf 'ranks 2 end\nrank 0\nsend to=1 tag=0 bytes=1000\nrank 1\nrecv from=0 tag=0\nend\n' >whole.mpi
run workload whole.mpi
expect 0
expect_err ""
bytes=$(stat -c %s whole.mpi)
for cut in 1 2 4 5 20 40; do
	head -c $((bytes - cut)) whole.mpi >cut.mpi
	run workload cut.mpi
	expect 2
	expect_in err '^cut.mpi:[1-6]: is truncated: according to its line "ranks" its last line must be "end"$'
done
echo "# well" >>whole.mpi
run workload whole.mpi
expect 0
echo "send to=0 tag=0" >>whole.mpi
run workload whole.mpi
expect 2
expect_in err '^whole.mpi:8: "send": nothing may follow the line "end"$'

begin "ranks that read different recordings by one name"
for side in a b; do
	mkdir -p of.$side
	printf 'ranks 2\nrank 0\nsend to=1 tag=0 bytes=%s\nrank 1\nrecv from=0 tag=0\n' 1$([ $side = a ] || echo 0) >of.$side/x.mpi
done
printf 'topology = { kind = "single"; ports = 2; };\ntraffic = ( { process = "recorded"; file = "/proc/self/cwd/x.mpi"; packet = "256B"; } );\n' >of.cfg
two() { # FOLDER of the second rank
	"$tests/../mpirun.sh" 1 sh -c 'cd of.a && exec "$0" "$@"' "$program" run ../of.cfg --out ../of.jsonl.gz --set engine.threads=1 : \
		-n 1 sh -c 'cd "$1" && shift && exec "$0" "$@"' "$program" of.$1 run ../of.cfg --out ../of.jsonl.gz --set engine.threads=1 >out 2>err
	status=$?
}
two a
expect 0
rm of.jsonl.gz
two b
expect 1
expect_in err 'job "[^"]*": MPI ranks have read different calls: the job.s files were changed when the run began, or differ between hosts$'
expect_no_file of.jsonl.gz
finish
