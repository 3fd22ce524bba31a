#!/usr/bin/env bash
# nic.order: blocking sends leave one after the other, others take turns by destination. Expected times follow from T, the
# time of 1 MiB at 400 Gb/s, t, that of a packet, and 200 ns from an endpoint to another one: two links of 50 ns, 100 ns of the switch.
source "$(dirname "$0")/run.bash"

config() { # JOB
	cat >run.cfg <<-END
		seed = 1;
		topology = { kind = "single"; ports = 4; };
		links    = { default = { bandwidth = "400Gbps"; latency = "50ns"; }; };
		switch   = { kind = "ideal"; traversal = "100ns"; buffer = "4MB"; };
		routing  = { kind = "minimal"; };
		mpi      = { eager = "2MiB"; };
		traffic  = ( { name = "a"; packet = "4KiB"; $1 } );
	END
}
value() { python3 -c "import json; d=json.load(open('out')); T=2**20*8/400; t=4096*8/400; print($1)" 2>&1 | tail -1; }
calls() { # those of each rank, divided by semicolons
	local rank=0
	echo "ranks $#" >a.mpi
	for list in "$@"; do
		printf 'rank %d\n%s\n' $((rank++)) "${list//; /$'\n'}" >>a.mpi
	done
}
takes() { # COMPLETION OPTION...
	local want=$1
	shift
	run run run.cfg --json "$@"
	expect 0
	[ "$(value "abs(d['jobs'][0]['completion_ns'] - ($want)) < 1e-3")" = True ] || fail "$*: $(value "d['jobs'][0]['completion_ns'], $want")"
}

begin "a broadcast among four ranks: to rank 2, which goes on to 3, then to 1"
config 'process = "recorded"; file = "a.mpi";'
call="bcast root=0 bytes=1048576"
calls "$call" "$call" "$call" "$call"
takes "2 * T + 400"
takes "2 * T + 400" --set nic.order=fifo
takes "3 * T - t + 400" --set nic.order=round-robin
for tree in binary chain knomial; do # to 1 first, and in a binary tree 1 goes on to 3; all others are the root's
	want="2 * T + 400" all="3 * T - t + 400"
	[ $tree = binary ] || want="3 * T + 200" all=$want
	takes "$want" --set "mpi.collectives=\"basic, bcast = $tree\""
	takes "$all" --set "mpi.collectives=\"basic, bcast = $tree\"" --set nic.order=round-robin
done

begin "two sends, the receiver of the first of which goes on to a third rank"
relay="recv from=0 tag=0 bytes=1048576; send to=3 tag=0 bytes=1048576"
calls "send to=1 bytes=1048576; send to=2 bytes=1048576" "$relay" "recv from=0" "recv from=1"
takes "2 * T + 400"
takes "3 * T - t + 400" --set nic.order=round-robin

begin "sends that do not block take turns, but not with a blocking one before them"
calls "isend to=1 bytes=1048576 request=1; isend to=2 bytes=1048576 request=2; waitall reqs=1,2" "$relay" "recv from=0" "recv from=1"
takes "3 * T - t + 400"
takes "2 * T + 400" --set nic.order=fifo
calls "send to=1 bytes=1048576; isend to=2 bytes=1048576 request=2; wait reqs=2" "$relay" "recv from=0" "recv from=1"
takes "2 * T + 400"
calls "isend to=1 bytes=1048576 request=2; send to=2 bytes=1048576; wait reqs=2" "$relay" "recv from=0" "recv from=1"
takes "3 * T - t + 400"

begin "process = \"broadcast\", and its tokens back up"
config 'process = "broadcast"; size = "1MiB"; iterations = 1;'
sed -i '/^mpi/d' run.cfg
iteration() { # LONGEST OPTION...
	run run run.cfg --json --set time.warmup=0us --set time.measure=100us "${@:2}"
	expect 0
	[ "$(value "abs(d['jobs'][0]['iteration_ns']['max'] - ($1) - 2 * (200 + 8 * 8 / 400)) < 1e-3")" = True ] || fail "$*: $(value "d['jobs'][0]['iteration_ns']")"
}
iteration "2 * T + 400"
iteration "3 * T - t + 400" --set nic.order=round-robin

begin "one digest, with two interfaces a node and with control, for each order"
cat >run.cfg <<-END
	seed = 1;
	topology = { kind = "torus"; dims = [4, 2]; endpoints = 1; };
	links    = { default = { bandwidth = "400Gbps"; latency = "50ns"; }; };
	switch   = { kind = "ideal"; traversal = "100ns"; buffer = "300KB"; };
	routing  = { kind = "minimal"; };
	traffic  = ( { name = "a"; process = "recorded"; file = "a.mpi"; packet = "512B"; } );
END
call="bcast root=1 bytes=20000; alltoall bytes=3000; scatter root=2 bytes=9000; bcast root=0 bytes=100000"
calls "$call" "$call" "$call" "$call"
for how in nic.order=blocking nic.order=fifo nic.order=round-robin congestion.kind=window; do
	digest=
	for sync in sequential conservative optimistic; do
		run run run.cfg --json --set $how --set nic.per_node=2 --set nic.latency=300ns --set nic.choose=message --sync $sync --set engine.stress=$([ $sync = optimistic ] && echo 20 || echo 0)
		expect 0
		[ "${digest:=$(value 'd["digest"]')}" = "$(value 'd["digest"]')" ] || fail "$how: another digest $sync"
	done
done
run run run.cfg --audit --quiet --set nic.order=fifo
expect 0

begin "without processes the key has no effect"
run check slimfly-3k --set nic.order=fifo
expect 2
expect_in err 'nic.order=fifo: has an effect only on messages of a process'
finish
