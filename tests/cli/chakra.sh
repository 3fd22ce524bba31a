#!/usr/bin/env bash
# Chakra execution traces: what tilefly workload finds in them, and what is wrong with damaged ones. Most are made by
# chakra.py; those of astra-sim are read where they are, and their facts are of reference/apps/traces/facts.md.
source "$(dirname "$0")/run.bash"
shared=${TILEFLY_SHARED:-/work/shared}/reference/apps/traces/chakra
export PYTHONDONTWRITEBYTECODE=1

facts() {
	python3 -c "import json,sys; d=json.load(open('out')); sys.exit(not ($1))" || fail "not so: $1: $(cut -c1-300 out)"
}
make() {
	rm -f t.*.et
	python3 "$tests/chakra.py" "$@"
}
refuse() { # CASE REGEX
	make "$1"
	run workload t.0.et
	expect 2
	expect_in err "$2"
}

begin "traces of astra-sim"
if [ -e "$shared/custom_ring_allreduce_8.0.et" ]; then
	run workload "$shared/all_reduce_4npus_1MB.0.et" --json
	expect 0
	facts 'd["version"]=="0.0.4" and d["ranks"]==4 and d["collectives"]==4 and d["collective_bytes"]==4*1048576'
	facts 'd["collectives_by_name"]=={"ALL_REDUCE":4} and d["sends"]+d["receives"]+d["computations"]==0'
	run workload "$shared/custom_ring_allreduce_8.5.et" --json
	expect 0
	facts 'd["version"]=="1.0.2-chakra.0.0.4" and d["ranks"]==8 and d["sends"]==112 and d["send_bytes"]==14680064'
	facts 'all(r["sends"]==r["receives"]==14 and r["computations"]==7 and r["compute_us"]==49 and r["data_dependencies"]==34 for r in d["per_rank"])'
	facts 'd["unmatched_messages"]==d["unmatched_receives"]==0'
	run workload "$shared/custom_ring_allreduce_8.0.et" --emit goal-bin --out ring.bin
	expect 0
	expect_in err 'eager \(--loggops: S\) of at least 131072B'
	run workload ring.bin --loggops S=131072B
	expect 0
	expect_in out '^messages +112, 14680064 bytes$'
	# recursive halving and doubling of 1 MiB: 2 lg 4 messages a rank, of 512 and 256 KiB, twice
	run workload "$shared/all_reduce_4npus_1MB.0.et" --emit goal --collectives 'mpich-4.0, allreduce = rabenseifner-mpich' --out all.goal
	expect 0
	run workload all.goal --json
	facts 'd["sends"]==16 and d["send_bytes"]==4*2*(524288+262144)'
else
	echo "skipped: $shared is not there"
fi

begin "every integer type, packed and not, both places of the version"
for kind in int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64; do
	make "ring-$kind"
	run workload t.0.et --json
	expect 0
	facts 'd["sends"]==d["receives"]==d["computations"]==5 and d["send_bytes"]==d["receive_bytes"]==5000 and d["compute_us"]==35'
	facts 'd["data_dependencies"]==10 and d["unmatched_messages"]==d["unmatched_receives"]==0'
done
make forward
run workload t.1.et --json
expect 0
facts 'd["data_dependencies"]==1 and d["control_dependencies"]==1 and d["compute_us"]==5'
make deep
run workload t.0.et --json
expect 0
facts 'd["data_dependencies"]==50000'
make large-tag
run workload t.0.et
expect 0

begin "subgroups"
make groups
run workload t.0.et --json
expect 0
facts 'd["process_groups"]==3 and d["collectives_by_name"]=={"ALL_REDUCE":4,"ALL_GATHER":4} and d["collective_bytes"]==600'
refuse unequal '^t.1.et: 2 collectives of process group "1", but NPU 0 has 1$'
make broadcast
run workload t.0.et
expect 0
expect_in err '^t.0.et: warning: 2 collectives have no comm_size; 0 bytes are assumed$'
make barriers
run workload t.0.et
expect 0

begin "as a schedule: members of groups meet by the order of ids, computations wait for what they need"
run workload t.0.et --emit goal # barriers of two NPUs
expect 0
make groups
run workload t.0.et --emit goal --out groups.goal
expect 0
run workload groups.goal --json
facts 'd["sends"]==8+4 and d["send_bytes"]==8*100+4*50 and d["cpus"]==2' # recursive doubling of 4; a ring, or pairs, of 2
run workload groups.goal --loggops default
expect 0
make forward
run workload t.0.et --emit goal --out forward.goal
expect 0
expect_in forward.goal '^l1: calc 2000$'
[ "$(grep -c '^l1 requires l[23]$' forward.goal)" = 2 ] || fail "$(cat forward.goal)"

begin "members of a process group in the order of a file: roots are the first"
make root
for order in "0, 1, 3" "3, 0, 1"; do
	echo "{ \"g\": [$order], \"unused\": [2] }" >groups.json
	run workload t.0.et --groups groups.json --emit goal --out root.goal
	expect 0
	run workload root.goal --emit goal
	root=${order%%,*}
	awk '/^rank/ { r = $2 } / send / { print r }' root.goal >senders
	awk '/^rank/ { r = $2 } / recv / { print r }' root.goal >receivers
	grep -q "^$root$" senders && ! grep -q "^$root$" receivers && [ "$(wc -l <receivers)" = 2 ] || fail "$order: $(cat root.goal)"
done
printf 'topology = { kind = "single"; ports = 4; };\nnetwork = { kind = "loggops"; };\ntraffic = ( { process = "chakra"; prefix = "t"; groups = "groups.json"; } );\n' >run.cfg
run run run.cfg --json
expect 0
want=$(python3 -c 'import json; print(round(1000 * json.load(open("out"))["jobs"][0]["completion_ns"]))')
run workload root.goal --loggops default --json
facts "d['completion_ps'] == $want"
while read -r wrong; do
	echo "${wrong%%|*}" >groups.json
	run workload t.0.et --groups groups.json
	expect 2
	expect_in err "groups.json: ${wrong#*|}"
	run run run.cfg
	expect 2
	expect_in err "^run.cfg:3: traffic.\[0\].groups: .*groups.json: ${wrong#*|}"
done <<-'END'
	{ "g": [0, 1] }|process group "g" does not list NPU 3, which calls its collectives in the trace$
	{ "g": [0, 1, 3, 2] }|process group "g" lists NPU 2, which calls none of its collectives in the trace
	{ "g": [0, 1, 3, 3] }|process group "g": NPU 3 is listed twice$
	{ "g": [0, 1, 4] }|process group "g": entry 2 is not an NPU of the trace, 0 to 3$
	{ "g": 3 }|process group "g" must be a list of NPUs$
	{ "h": [0, 1, 3] }|does not define process group "g", which the trace uses$
	[ 0, 1 ]|must be one object with process groups
	{ "g": [0, 1, 3 }|line 1: .*
END
run workload "$tests/../data/goal/wildcards_p5.goal" --groups groups.json
expect 2
expect_in err '^--groups: applies only to Chakra traces'
make sends-first
echo '{}' >groups.json
run workload t.0.et --groups groups.json
expect 2
expect_in err 'groups.json: has no effect: the trace uses no process groups'

begin "a send ends when it has left, on the network and on a formula"
make sends-first
printf 'topology = { kind = "single"; ports = 4; };\nswitch = { kind = "ideal"; };\ntraffic = ( { process = "chakra"; prefix = "t"; } );\n' >run.cfg
for kind in switched loggops loggops-atlahs loggp simplenet; do
	run run run.cfg --quiet --set network.kind=$kind
	expect 0
done
run run run.cfg --quiet --set traffic.[0].eager=99999B
expect 1
run run run.cfg --quiet --set network.kind=loggops --set network.S=99999B
expect 1
expect_in err 'rank 0: send 100000 B to rank 1, tag 0: not received'

begin "what a replay uses of a graph, what it does not, and what it says of that"
printf 'topology = { kind = "single"; ports = 2; };\nlinks = { default = { bandwidth = "80Gbps"; latency = "100ns"; }; };\nswitch = { kind = "ideal"; traversal = "50ns"; };\ntraffic = ( { process = "chakra"; prefix = "t"; packet = "1KB"; } );\n' >two.cfg
takes() { # CASE NS: 250 ns of switch and cables and 500 B at 10 Gbyte/s make an allreduce of 300 ns
	make "$1"
	run run two.cfg --json
	expect 0
	facts "d['jobs'][0]['completion_ns'] == $2"
	cat err >said
	run workload t.0.et --json
	expect 0
	sed -i 's/^t.0.et: //; s/.*: warning: t.0.et: /warning: /' said err
	cmp -s said err || fail "$1: run and workload say other things: $(cat said err)"
}
said() {
	grep -qE "^warning: $1\$" said || fail "no warning: $1: $(cat said)"
}
takes launch 40300
[ ! -s said ] || fail "$(cat said)"
facts 'd["host_launches"]==2 and d["computations"]==2 and d["collectives"]==2 and d["compute_us"]==80'
refuse no-launch '^t.0.et: byte 8, node 1: the collective has no comm_type$'
takes callers 7300
said "6 control dependencies refer to nodes that the trace does not contain: they are ignored"
facts 'd["dropped_control_dependencies"]==6 and d["control_dependencies"]==6'
takes stack 11300
said "2 control dependencies refer to nodes that the trace does not contain: they are ignored"
said "2 control dependencies are ignored: together with the data dependencies of the same file they form cycles, as call stacks do"
facts 'd["dropped_control_dependencies"]==4'
takes host 60300 # 30 and 30 on the host while the device computes for 50
[ ! -s said ] || fail "$(cat said)"
takes invalid 7300
said "2 nodes have type 0 \\(INVALID_NODE\\): they take no time"
facts 'd["invalid_nodes"]==2 and d["unused_attributes"]=={"duration_micros":2}'
takes untimed 3000
said "2 computations have num_ops or tensor_size but no duration: they take no time"
said "2 loads and stores have a size or a duration: they take no time"
facts 'd["computations_without_time"]==2 and d["unused_attributes"]=={"num_ops":4,"tensor_size":4}'
takes unused 1000
said "unused attributes of communication: comm_priority \\(2\\), root_rank \\(2\\)"
facts 'd["unused_attributes"]=={"comm_priority":2,"duration_micros":2,"rf_id":2,"root_rank":2,"stream":4}'
run workload t.0.et
expect_in out '^not used +comm_priority +2$'
takes many-names 1000
facts 'len(d["unused_attributes"])==256 and d["other_unused_attributes"]==2*300-2*256'
takes sizes-differ 450
said "1 messages match a receive of a different size, in the order of the trace; the first one, from rank 0 to rank 1, tag 0, has 2000 B for a receive of 1000 B"
facts 'd["mismatched_sizes"]==1'
run workload t.0.et --strict
expect 1
takes by-size 1050.8 # 250 + 100, 250.8, 250 + 200
[ ! -s said ] || fail "$(cat said)"

begin "collectives of some dimensions"
printf 'topology = { kind = "torus"; dims = [3, 2]; };\nswitch = { kind = "ideal"; };\ntraffic = ( { process = "chakra"; prefix = "t"; } );\n' >dims.cfg
make dims-groups
run run dims.cfg --json
want=$(python3 -c 'import json; print(json.load(open("out"))["digest"])')
make dims
run run dims.cfg --json
expect 0
expect_err ''
facts "d['digest'] == '$want'" # the topology's dimensions
run run dims.cfg --json --set traffic.[0].dims=2,3
expect 0
facts "d['digest'] != '$want'"
run run dims.cfg --json --set topology.dims=6 --set traffic.[0].dims=3,2
expect 0
run run dims.cfg --json --set topology.dims=6
expect 0
expect_in err 'warning: t.0.et: 12 collectives of single dimensions of the NPUs \(involved_dim\) are executed by all NPUs'
run workload t.0.et --json
expect 0
facts 'd["unused_attributes"]=={"involved_dim":12}'
for wrong in '4,2|has a product other than the 6 NPUs of the trace' '6|has 1 dimensions, but 12 collectives of the trace have another number'; do
	run run dims.cfg --set "traffic.[0].dims=${wrong%|*}"
	expect 2
	expect_in err "traffic.\[0\].dims=.*: ${wrong#*|}"
done
make dims-groups
run run dims.cfg --set traffic.[0].dims=3,2
expect 2
expect_in err 'traffic.\[0\].dims=3,2: has no effect: no collective of the trace is limited to single dimensions'
make dims-absent
run run dims.cfg
expect 2
expect_in err 't.0.et: 1 collectives of dimensions 10 of NPU 0 \(involved_dim\) have 3 NPUs, but occur only in the files of 2: they would wait forever for the others'
make all-absent
run run dims.cfg
expect 0
expect_in err 'warning: t.0.et: 1 collectives of all 6 NPUs occur only in the files of 3 NPUs, and are executed among those'
refuse no-dims 'node 1: involved_dim is not a list of 1 to 32 truth values'

begin "an algorithm is of a collective that occurs; reduce_scatter is of both kinds"
for kind in 7 8; do
	make scatters $kind
	for name in reduce_scatter reduce_scatter_block; do
		run workload t.0.et --emit goal --collectives "$name = ring"
		expect 0
		cp out "$name.goal"
	done
	grep -q send reduce_scatter.goal && cmp -s reduce_scatter.goal reduce_scatter_block.goal || fail "the names differ"
	run workload t.0.et --emit goal --collectives "reduce_scatter = pairwise, reduce_scatter_block = ring"
	expect 2
	expect_err '--collectives: the algorithm of MPI_Reduce_scatter has no effect: there is no such call'
done
for wrong in "allreduce = ring" "basic, bcast = binomial"; do
	run run two.cfg --set traffic.[0].nodes=0-1 --set "mpi.collectives=\"$wrong\"" --set topology.ports=4 --set traffic.[0].nodes=0-3
	expect 2
	expect_in err 'mpi.collectives=.*: the algorithm of MPI_(Allreduce|Bcast) has no effect: there is no such call'
done
make scatters 0 # an allreduce may be made of a reduction and a broadcast
run workload t.0.et --emit goal --collectives "allreduce = composed, bcast = binomial"
expect 0
run workload t.0.et --emit goal --collectives "bcast = binomial"
expect 2

begin "messages that are left"
make lost
run workload t.0.et
expect 0
expect_in err '^t.0.et: warning: a message from rank 0 to rank 1, tag 4, of 16 B is never received$'
run workload t.0.et --strict
expect 1
make waits
run workload t.0.et
expect 1
expect_in err '^t.0.et: rank 1 waits forever for a message from rank 0, tag 5$'

begin "ranks that wait for each other: found by workload as by a run, and no schedule is written"
run_also() { # STATUS NPUS
	printf 'topology = { kind = "single"; ports = 8; };\nswitch = { kind = "ideal"; };\ntraffic = ( { process = "chakra"; prefix = "t"; nodes = "0-%d"; } );\n' $(($2 - 1)) >run.cfg
	run run run.cfg --quiet
	expect "$1"
}
make crossed
for how in "" "--json" "--emit goal --out crossed.goal"; do
	run workload t.0.et $how
	expect 1
	expect_err 't.0.et: byte 8, node 1: rank 0 waits forever for a message from rank 1, tag 1
t.1.et: byte 8, node 1: rank 1 waits forever for a message from rank 0, tag 1'
done
expect_no_file crossed.goal
run_also 1 2
make met
run workload t.0.et
expect 0
run_also 0 2
for kind in 0 2 6 7 9; do
	make behind $kind
	run workload t.0.et
	expect 1
	expect_in err '^t.0.et: byte 8, node 1: rank 0 waits forever in [A-Z_]* of process group "g", which 1 of 2 ranks call: rank 1 does not$'
	expect_in err '^t.1.et: byte [0-9]+, node 1: rank 1 waits forever for a message from rank 0, tag 0$'
	run_also 1 2
done
make behind 5 # the root of a broadcast waits for no one; that of a reduction does
run workload t.0.et
expect 0
run_also 0 2
make behind 1
run workload t.0.et
expect 1
run_also 1 2

begin "collectives of which members say not the same: by workload and by a run"
contradict() { # CASE NPUS REGEX
	refuse "$1" "$3"
	run_also 2 "$2"
	expect_in err "traffic.\\[0\\].prefix: ${3#^}"
}
contradict kinds 3 '^t.2.et: byte [0-9]+, node 7: NPU 2 calls ALL_GATHER of 8 B as collective 2 of process group "a", where NPU 0 calls ALL_REDUCE of 8 B \(node 5\)$'
contradict sizes 4 '^t.1.et: byte 8, node 1: NPU 1 calls ALL_REDUCE of 8 B as collective 1 of process group "", where NPU 0 calls ALL_REDUCE of 8000000 B \(node 1\)$'
contradict one-barrier 4 '^t.3.et: byte 8, node 1: NPU 3 calls BROADCAST of 100 B as collective 1 of process group "", where NPU 0 calls BARRIER \(node 1\)$'
contradict one-size 2 '^t.1.et: byte 8, node 1: NPU 1 calls ALL_REDUCE of 1000 B as collective 1 of process group "", where NPU 0 calls ALL_REDUCE without comm_size \(node 1\)$'
contradict no-kind 2 '^t.0.et: byte 8, node 4: the collective has no comm_type$'

begin "damaged"
refuse cycle '^t.0.et: byte [0-9]+, node [123]: depends on itself, through node [123]$'
refuse itself 'node 1: depends on itself, through node 1$'
refuse absent 'node 1: depends on node 77, which does not exist$'
refuse twice 'node 1: there is another node with this number$'
refuse nothing 'its 2 communication nodes have 0 bytes in total: comm_size is missing$'
refuse no-size '0 bytes in total'
refuse tag 'node 0: tag 4294967295 is larger than 4294967294$'
refuse npu 'node 0: there is no NPU 2; the trace has 2$'
refuse negative 'node 0: comm_size is negative$'
refuse double 'node 0: comm_size is not an integer$'
refuse no-dst 'node 0: the send has no comm_dst$'
refuse type 'node 0: type 9 is not one of 0 to 7$'
refuse kind 'node 0: comm_type 10 is not one of 0 to 9$'
refuse no-version 'contain neither a version nor a schema'
refuse late 'a duration of 18446744073709551615 us is too long'
refuse far 'byte 8: the node is truncated$'
refuse endless 'byte 8: the node is truncated$'
make two
cp t.0.et whole
# 60: between two nodes, where nothing shows that there was another
for size in $(seq 0 $(($(stat -c %s whole) - 1))); do
	head -c "$size" whole >t.0.et
	run workload t.0.et
	[ "$status" = 1 ] || [ "$status" = 2 ] || [ "$size" = 60 ] || fail "cut at $size of $(stat -c %s whole): exit status $status"
done
rm t.0.et
run workload t.1.et
expect 2
expect_in err '^t.0.et: cannot be read: No such file or directory$'
cp whole t.0.et
rm t.1.et
cp whole t.2.et
run workload t.2.et
expect 2
expect_in err 't.1.et is missing'
run workload t.0.et
expect 2
expect_err 't.1.et: is missing, although there is that of NPU 2: a trace must have the files of all NPUs from 0 on'
run workload x.et
expect 2
expect_in err '^x.et.0.et: cannot be read: No such file or directory$'
finish
