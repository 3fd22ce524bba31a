#!/usr/bin/env bash
# A switch whose clock cannot carry its ports: check and run say so, once, and go on.
source "$(dirname "$0")/run.bash"
short=(--set time.warmup=1us --set time.measure=1us --set time.drain=false)
crossbar='seed = 1; topology = { kind = "single"; ports = 8; };
links = { terminal = { bandwidth = "200Gbps"; latency = "10ns"; }; };
switch = { kind = "crossbar"; }; routing = { kind = "minimal"; };
traffic = ( { pattern = "uniform"; load = 0.1; packet = "512B"; } );'
echo "$crossbar" >crossbar.cfg

for command in check run; do
	options=()
	[ $command = run ] && options=("${short[@]}")
	begin "$command: tiled, 400 Gb/s"
	run $command switch-rosetta-64 --set links.terminal.bandwidth=400Gbps "${options[@]}"
	expect 0
	expect_in err 'switch\.clock: warning: a clock of 1250 ps carries 297\.9 Gb/s per port with packets of 512 bytes, .* 400 Gb/s: at most a fraction of 0\.745 '
	[ "$(wc -l <err)" = 1 ] || fail "said $(wc -l <err) times"

	begin "$command: tiled, as shipped"
	run $command switch-rosetta-64 "${options[@]}"
	expect 0
	expect_err ""

	begin "$command: the successor, and with rosetta's buses"
	run $command switch-successor-128 "${options[@]}"
	expect 0
	expect_err ""
	run $command switch-successor-128 --set switch.width=48B "${options[@]}"
	expect 0
	expect_in err 'switch\.clock: warning: a clock of 1250 ps carries 297\.9 Gb/s per port .* 400 Gb/s: at most a fraction of 0\.745 '

	begin "$command: crossbar, 200 Gb/s"
	run $command crossbar.cfg "${options[@]}"
	expect 0
	expect_in err 'switch\.cycle: warning: .* 64 Gb/s per port .* 200 Gb/s: at most a fraction of 0\.320 .* 320 ps or less'
	[ "$(wc -l <err)" = 1 ] || fail "said $(wc -l <err) times"
done
finish
