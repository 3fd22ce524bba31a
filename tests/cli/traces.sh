#!/usr/bin/env bash
# Traces of DUMPI, binary and text: what tilefly workload finds in them, and what is wrong with damaged ones. The facts are
# those of reference/apps/traces/facts.md (independent readers, dumpi2ascii); third-party traces are read where they are.
source "$(dirname "$0")/run.bash"
data=$tests/../data/trace
shared=${TILEFLY_SHARED:-/work/shared}/reference/apps/traces

# facts EXPRESSION: a Python expression of the JSON record `d` is true
facts() {
	python3 -c "import json,sys; d=json.load(open('out')); sys.exit(not ($1))" || fail "not so: $1: $(cut -c1-300 out)"
}
# patch FILE OFFSET HEX: overwrites bytes
patch() {
	python3 -c "import sys; f=open(sys.argv[1],'r+b'); f.seek(int(sys.argv[2])); f.write(bytes.fromhex(sys.argv[3]))" "$@"
}
# offset FILE HEX: where the bytes are first
offset() {
	python3 -c "import sys; print(open(sys.argv[1],'rb').read().index(bytes.fromhex(sys.argv[2])))" "$@"
}
all_of_p5() {
	facts 'd["ranks"]==5 and d["calls"]==297 and d["sends"]==54 and d["send_bytes"]==510115'
	facts 'd["receives"]==53 and d["receive_bytes"]==511720 and d["null_requests"]==44'
	facts '[[r[k] for k in ("calls","sends","send_bytes","receives","receive_bytes")] for r in d["per_rank"]]==[
		[60,12,102439,10,102216],[59,10,101879,11,102296],[59,11,101959,10,102216],[58,10,101879,11,102296],[61,11,101959,11,102696]]'
	facts '{k[4:]:v for k,v in d["calls_by_name"].items() if k[4:] in "Bcast Reduce Allreduce Alltoall Alltoallv Allgather Gather Scatter Barrier".split()}==
		{"Bcast":5,"Reduce":5,"Allreduce":10,"Alltoall":5,"Alltoallv":5,"Allgather":5,"Gather":5,"Scatter":5,"Barrier":5}'
	facts 'd["messages_left"]==[{"source":4,"dest":0,"tag":7,"bytes":800}] and d["unmatched_messages"]==1 and d["unmatched_receives"]==0'
}

begin "no file of a trace or of a model is written over"
cp -r "$data/dumpi_calls_p5" mine
rank=$(basename "$(ls mine/dumpi-calls-0002.*)")
run workload mine/dumpi-calls.meta --emit goal --out "mine/$rank"
expect 2
expect_in err 'is an input file of this command'
cmp -s "$data/dumpi_calls_p5/$rank" "mine/$rank" || fail "a trace was written over"
cp -r "$data/../aspen/parts" . && cp "$data/../aspen/hybrid.aspen" . && cp "$tests/../../experiments/shipped/aspen/halo2d.aspen" .
run workload halo2d.aspen --machine hybrid.aspen --socket westmere --ranks 4 --emit mpi-c --out parts/fermi.part
expect 2
expect_in err 'is an input file of this command'
cmp -s "$data/../aspen/parts/fermi.part" parts/fermi.part || fail "an included file was written over"

begin "many calls, 5 ranks"
run workload "$data/dumpi_calls_p5/dumpi-calls.meta" --json
expect 0
all_of_p5
expect_err "$data/dumpi_calls_p5/dumpi-calls.meta: warning: a message from rank 4 to rank 0, tag 7, of 800 B is never received"
run workload "$data/dumpi_calls_p5/dumpi-calls.meta" --strict
expect 1
run workload "$data/dumpi_calls_p5/dumpi-calls.meta"
expect 0
expect_in out '^messages +54, 510115 bytes$'

begin "the same with two ranks as text, and a .meta of another name"
mkdir text
cp "$data"/dumpi_calls_p5/dumpi-calls* text
rm text/dumpi-calls-000[01].bin
mv text/dumpi-calls.meta text/other.meta
run workload text/other.meta --json
expect 0
all_of_p5

begin "as a schedule: 54 messages, and those of collectives of 5 ranks by the algorithms of basic"
# bcast, reduce: binomial, 4 of 616 B and of 264 B; allreduce: recursive doubling, 10 of 8000 B, and on the halves of 3 and
# of 2 ranks 4 + 2 of 20 B; alltoall, alltoallv: pairwise, 20 of 128 B, and 640 B in all; allgather: ring, 20 of 36 B; gather,
# scatter: binomial, 24 + 24 + 24 + 48 B; barrier: dissemination, 15 of 0 B
run workload "$data/dumpi_calls_p5/dumpi-calls.meta" --emit goal --out p5.goal
expect 0
expect_in err '10 receives with a wildcard source or tag are written with the message that they match in this replay'
run workload p5.goal --json
facts 'd["sends"]==54+107 and d["recvs"]==53+107 and d["send_bytes"]==510115+2464+1056+80000+120+2560+640+720+120+120'
facts 'd["calc_time"]==2147341'
run workload p5.goal --loggops default
expect 0
expect_in out '^messages +161, 597915 bytes$'
run workload "$data/dumpi_calls_p5/dumpi-calls.meta" --emit goal-bin --out p5.bin --collectives 'mpich-4.0, alltoall = ring'
expect 2
expect_in err '^--collectives'
run workload "$data/dumpi_calls_p5/dumpi-calls.meta" --collectives mpich-4.0
expect 2
expect_in err '^--collectives: has an effect only with --emit$'
run workload "$data/dumpi_calls_p5/dumpi-calls.meta" --emit mpi-c
expect 2
expect_in err '^--emit: a trace can only be converted to goal or goal-bin'

begin "a trace of 2011"
if [ -e "$shared/dumpi_testtrace_p4/testtrace.meta" ]; then
	run workload "$shared/dumpi_testtrace_p4/testtrace.meta" --json
	expect 0
	facts 'd["ranks"]==4 and d["sends"]==4 and d["send_bytes"]==16 and d["unmatched_messages"]==0'
	facts 'all(r["calls"]==9 for r in d["per_rank"]) and d["collective_operations"]==2 and d["collective_calls"]==8'
	facts 'd["calls_by_name"]=={"MPI_"+k:4 for k in "Init Comm_rank Comm_size Barrier Isend Recv Wait Allreduce Finalize".split()}'
	facts 'd["messages_left"]==[] and d["null_requests"]==0'
else
	echo "skipped: $shared is not there"
fi

# --- what is wrong with a trace -----------------------------------------------------------------------------------------
fresh() {
	rm -rf p5
	cp -r "$data/dumpi_calls_p5" p5
	chmod -R u+w p5
	rm p5/*.txt
}
refuse() { # REGEX
	run workload p5/dumpi-calls.meta
	expect 2
	expect_in err "$1"
}
begin "cut short, anywhere"
fresh
for size in 0 1 7 8 9 100 3000 5000 5500 5580; do
	head -c "$size" "$data/dumpi_calls_p5/dumpi-calls-0000.bin" >p5/dumpi-calls-0000.bin
	refuse '^p5/dumpi-calls-0000.bin: '
done
begin "ranks that are missing, or too many"
fresh
rm p5/dumpi-calls-0003.bin
refuse '^p5/dumpi-calls.meta: rank 3 \(of 5\): neither p5/dumpi-calls-0003.bin nor its text form \(.txt\) exists'
sed -i s/numprocs=5/numprocs=0/ p5/dumpi-calls.meta
refuse 'has no numprocs=N'
sed -i s/numprocs=0/numprocs=4294967295/ p5/dumpi-calls.meta
refuse 'has no numprocs=N'
sed -i s/fileprefix.*/fileprefix=..\\/x/ p5/dumpi-calls.meta
sed -i s/numprocs=.*/numprocs=5/ p5/dumpi-calls.meta
refuse 'has no fileprefix=NAME'
begin "a tag that would match any, a rank that does not exist, a request, a communicator and a datatype that no call made"
send=0000000a000e00000001000000050002 # 10 doubles to rank 1, tag 5
fresh
at=$(offset p5/dumpi-calls-0000.bin $send)
patch p5/dumpi-calls-0000.bin $((at + 10)) ffffffff
refuse '^p5/dumpi-calls-0000.bin: byte [0-9]+: MPI_Send: tag -1 \(4294967295\) is not possible for a send$'
fresh
patch p5/dumpi-calls-0000.bin $((at + 6)) 00000005
refuse 'MPI_Send: there is no rank 5; the communicator has 5$'
fresh
patch p5/dumpi-calls-0000.bin $((at + 14)) 0063
refuse '^p5/dumpi-calls-0000.bin: byte [0-9]+: MPI_Send: the communicator was not created by any call$'
fresh
patch p5/dumpi-calls-0000.bin $((at + 4)) 0fff
refuse 'MPI_Send: the size of datatype 4095 is unknown'
fresh
patch p5/dumpi-calls-0000.bin "$at" 80000000
refuse 'MPI_Send: the count -2147483648 is not possible'
fresh
at=$(offset p5/dumpi-calls-0000.bin 0000000800000008000000040000000200000001)
patch p5/dumpi-calls-0000.bin $((at + 8)) 00000063
refuse 'MPI_Waitall: request 99 was not created by any call, or is already complete'
patch p5/dumpi-calls-0000.bin "$at" 00000007
refuse 'MPI_Waitall: announces 7 requests but lists 8'
patch p5/dumpi-calls-0000.bin $((at + 4)) 7fffffff
refuse 'MPI_Waitall: the arguments of the call are truncated'
begin "a call that cannot be replayed, by its name"
fresh
patch p5/dumpi-calls-0000.bin 16 008f
refuse 'MPI_Put: is a call that cannot be replayed'
patch p5/dumpi-calls-0000.bin 16 0fff
refuse '4095 is not the number of a function'
begin "ranks that disagree, and ranks that wait for ever"
fresh
at=$(offset p5/dumpi-calls-0002.bin 0000004d000e00000001) # MPI_Bcast of 77 doubles, root 1
patch p5/dumpi-calls-0002.bin $((at + 6)) 00000003
refuse 'MPI_Bcast: rank [0-9] has the root [13], and rank [0-9] [13]'
fresh
patch p5/dumpi-calls-0000.bin $((at + 6)) 00000001
send=$(offset p5/dumpi-calls-0000.bin 000001f4000e0000000100000003) # Sendrecv of 500 doubles with tag 3
patch p5/dumpi-calls-0000.bin $((send + 10)) 00000063
run workload p5/dumpi-calls.meta
expect 1
expect_in err '^p5/dumpi-calls-0001.bin: byte [0-9]+: MPI_Sendrecv: rank 1 waits for a message from rank 0, tag 3$'
expect_in err 'a message from rank 0 to rank 1, tag 99, of 4000 B is never received'

begin "damaged text"
text() { # REGEX SED: of rank 0
	rm -rf p5
	cp -r text p5
	sed -i "$2" p5/dumpi-calls-0000.txt
	run workload p5/other.meta
	expect 2
	expect_in err "$1"
}
text '^p5/dumpi-calls-0000.txt:1[0-9]: MPI_Send: has no argument with a name such as dest$' '/^int dest=1$/d'
text '^p5/dumpi-calls-0000.txt:[0-9]+: MPI_Finalize: is truncated: there is no line that it returns$' '/^MPI_Finalize returning/d'
text 'MPI_Send: line [0-9]+: tag is not a 32-bit number' 's/^int tag=5$/int tag=4294967295/'
text 'MPI_Waitall: line [0-9]+: requests contains a value that is not a' 's/8\]=\[4, 2/8]=[4, x/'
text 'MPI_Wend is not a function of DUMPI' 's/^MPI_Send entering/MPI_Wend entering/'
text 'is entered, but MPI_Recv returns' 's/^MPI_Send returning/MPI_Recv returning/'
text 'line [0-9]+ must be an argument \(TYPE NAME=VALUE\)' 's/^int dest=1$/int dest 1/'
text 'MPI_Send returns without having been entered' 's/^MPI_Send entering/MPI_Send/'
rm -rf p5
cp -r text p5
head -c 67200000 /dev/zero | tr '\0' x >>p5/dumpi-calls-0000.txt
run workload p5/other.meta
expect 2
expect_in err 'a line is longer than 64 MiB'
rm -rf p5

begin "files that are none"
mkdir folder.meta
run workload folder.meta
expect 2
expect_in err '^folder.meta: cannot be read: is a directory$'
run workload none.meta
expect 2
expect_in err '^none.meta: cannot be read: No such file or directory$'
run workload "$data/dumpi_calls_p5/dumpi-calls-0000.bin"
expect 2
expect_in err "is the file of one rank of a DUMPI trace: use the trace's .meta file"
run workload "$data/dumpi_calls_p5/dumpi-calls.meta" --ranks 16
expect 2
expect_in err '^--ranks: applies only to models'
finish
