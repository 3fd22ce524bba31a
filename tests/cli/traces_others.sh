#!/usr/bin/env bash
# Traces that other projects publish, in the folder $TILEFLY_TRACES, wherever they are in it; skipped without it. They are read, counted and
# replayed. What is expected is counted from the files here, by other means than those of the program, or follows from their makers' sources.
#
#   liballprof   spcl/LogGOPSim (tim0s/Schedgen: liballprof-samples/sweep3d-2x2)
#   Chakra       mlcommons/chakra: tests/data/feeder_tests_trace.tar.gz, json_trace.tar.gz, unpacked; astra-sim/astra-sim: examples
#   DUMPI        sstsimulator/sst-dumpi: tests/traces
#   OTF2         sstsimulator/sst-macro: tests/otf2_test_traces
source "$(dirname "$0")/run.bash"
if [ ! -d "${TILEFLY_TRACES:-}" ]; then
	echo "skipped: TILEFLY_TRACES names no folder of traces"
	exit 0
fi
TILEFLY_TRACES=$(realpath "$TILEFLY_TRACES")
found() { # NAME PATTERN: the first file whose path ends so
	file=$(find "$TILEFLY_TRACES" -path "*$1" | sort | head -1)
	[ -n "$file" ] || echo "not there: $1"
	[ -n "$file" ]
}
replay() { # PROCESS KEY FILE RANKS MORE: on a switch
	printf 'topology = { kind = "single"; ports = %s; };\nrouting = { kind = "minimal"; };\ntraffic = ( { process = "%s"; %s = "%s"; %s } );\n' "$4" "$1" "$2" "$3" "${5:-}" >replay.cfg
	run run replay.cfg --json
	expect 0
	expect_in out '"complete":true'
}

if found /sweep3d-2x2/pmpi-trace-rank-0.txt; then
	begin "liballprof: sweep3d"
	folder=$(dirname "$file")
	sends=$(cat "$folder"/*.txt | grep -c '^MPI_Send:')
	bytes=$(cat "$folder"/*.txt | awk -F'[:,]' '/^MPI_Send:/ { n += $4 * $6 } END { print n }')
	run workload "$file" --json
	expect 0
	expect_in out "\"sends\":$sends,\"send_bytes\":$bytes,"
	for call in MPI_Init MPI_Comm_size MPI_Comm_rank MPI_Finalize; do expect_in out "\"unused_events\":\{.*\"$call\":4"; done
	replay liballprof file "$file" 4 'compute_scale = 0.0;'
	run workload "$file" --emit goal --out sweep.goal
	expect 0
fi

if found /chakra.0.et; then
	begin "Chakra: the feeder's trace"
	run workload "$file" --json
	expect 0
	for attribute in duration_micros:7 fw_parent:2448 fw_tid:2448 inputs:3664 op_schema:2448 outputs:3664 rf_id:2448 scope:2448 seq_id:2448 tid:3664; do
		expect_in out "\"${attribute%:*}\":${attribute#*:}"
	done
	replay chakra prefix "$file" 1
fi
if found /jsonData/small_chakra.0.json; then
	begin "Chakra: the feeder's JSON, which has no kind of its collectives"
	run workload "$file"
	expect 2
	expect_in err 'small_chakra.0.json: node 435: the collective has no comm_type'
	# with the kind that the kernel's name says, and 1 KiB
	python3 - "$file" <<'P'
import json, sys
d = json.load(open(sys.argv[1]))
for n in d["workload_graph"]:
    if n["Name"].startswith("ncclKernel_Broadcast"):
        n |= {"comm_type": 5, "comm_size": 1024}
json.dump(d, open("kind.0.json", "w"))
P
	run workload kind.0.json --json
	expect 0
	expect_in out 'BROADCAST'
	replay chakra prefix "$PWD/kind.0.json" 1
fi
for collective in all_gather all_reduce all_to_all reduce_scatter; do
	for n in 4 8 16; do
		found "/microbenchmarks/$collective/${n}npus_1MB/$collective.0.et" || continue
		begin "ASTRA-sim: $collective of $n"
		run workload "$file" --json
		expect 0
		expect_in out "$((n * 1048576))"
		replay chakra prefix "$file" $n
	done
done
if found /custom_allreduce.0.et; then
	begin "ASTRA-sim: a ring of its own"
	run workload "$file" --json
	expect 0
	replay chakra prefix "$file" 8
fi

if found /testtrace.meta; then
	begin "DUMPI"
	run workload "$file" --json
	expect 0
	expect_in out '"ranks":4,'
	replay dumpi meta "$file" 4
fi
if found /otf2_test_traces/traces.otf2 && [ -x "$(dirname "$program")/tilefly-otf2" ]; then
	begin "OTF2"
	run workload "$file" --json
	expect 0
	replay otf2 file "$file" "$(grep -oE '"ranks":[0-9]+' out | head -1 | cut -d: -f2)"
fi
finish
