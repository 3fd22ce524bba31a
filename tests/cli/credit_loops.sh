#!/usr/bin/env bash
# What `check` says that a lane carries over its credit loop, against one flow over a long cable, by switch.
source "$(dirname "$0")/run.bash"

cat >one.cfg <<'E'
topology = { kind = "hyperx"; dims = [2]; endpoints = 2; };
links = { default = { bandwidth = "200Gbps"; latency = "2us"; }; terminal = { latency = "50ns"; }; };
routing = { kind = "minimal"; };
traffic = ( { pattern = "permutation"; file = "one.txt"; load = 1.0; packet = "2KB"; } );
time = { warmup = "100us"; measure = "2ms"; drain = false; };
E
echo "0 2" >one.txt
for switch in 'kind = "ideal"; buffer = "32KB";' 'kind = "ideal"; buffer = "32KB"; forwarding = "store-and-forward";' \
	'kind = "ideal"; buffer = "150KB"; traversal = "300ns";' 'kind = "crossbar"; buffer = "32KB"; cycle = "320ps";' \
	'kind = "crossbar"; buffer = "32KB"; cycle = "640ps"; routing_delay = 20; sw_alloc_delay = 10; credit_delay = 30;' \
	'kind = "crossbar"; inputs = "vc"; buffer = "64KB"; cycle = "320ps"; routing_delay = 100;' \
	'kind = "tiled"; preset = "rosetta"; buffer = "32KB";'; do
	begin "$switch"
	run check one.cfg --set "switch={ $switch }" --json
	expect 0
	said=$(python3 -c 'import json; print(json.load(open("out"))["credit_loops"][0]["rate"])')
	run run one.cfg --set "switch={ $switch }" --json
	expect 0
	got=$(python3 -c 'import json; print(json.load(open("out"))["accepted_load"])') # of the one that sends
	python3 -c "import sys; sys.exit(not abs($got / $said - 1) < .01)" || fail "check says $said of the link, a flow gets $got"
done
finish
