#!/usr/bin/env bash
# What endpoints ask for and are told, whatever switch they are at: congestion that is seen, shares of a link, sizes that cannot
# be, acknowledgements that say several packets.
source "$(dirname "$0")/run.bash"
value() { python3 -c "import json; d=json.load(open('out')); print($1)" 2>&1 | tail -1; }

begin "what has come to the receiver's switch counts, in whatever queue it waits"
cat >incast.cfg <<-END
	topology = { kind = "single"; ports = 16; };
	links = { default = { bandwidth = "200Gbps"; latency = "30ns"; }; };
	switch = { kind = "crossbar"; cycle = "320ps"; };
	congestion = { kind = "slingshot"; };
	traffic = ( { pattern = "incast"; load = 1.0; packet = "2KB"; } );
	time = { warmup = "50us"; measure = "100us"; drain = false; };
END
for switch in '{kind="crossbar";cycle="320ps";inputs="vc"}' '{kind="crossbar";cycle="320ps";inputs="vc";vcs=2}' \
	'{kind="crossbar";cycle="320ps";inputs="fifo"}' '{kind="crossbar";cycle="320ps";inputs="voq"}' '{kind="ideal"}' '{kind="tiled"}'; do
	for kind in slingshot lasthop; do
		run run incast.cfg --set "switch=$switch" --set congestion.kind=$kind --json
		expect 0
		[ "$(value 'd["congestion"]["throttles"] > 1000 and d["packets"]["in_flight"] < 64')" = True ] ||
			fail "$switch, $kind: $(value 'd["congestion"]["throttles"], d["packets"]["in_flight"]')"
	done
done

begin "what passes its receiver's switch on the way elsewhere does not count there"
cat >pass.cfg <<-END
	topology = { kind = "torus"; dims = [3]; wrap = false; };
	links = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
	switch = { kind = "ideal"; };
	routing = { kind = "valiant"; };
	congestion = { kind = "slingshot"; };
	traffic = ( { pattern = "uniform"; load = 0.2; packet = "1KB"; } );
	time = { warmup = "0us"; measure = "100us"; drain = true; };
END
for set in 'links.default.framing="roce"' 'switch={kind="crossbar";cycle="640ps"}' 'switch={kind="crossbar";cycle="640ps";inputs="voq"}' \
	'switch={kind="tiled";grant_arbiter="round-robin"}' 'switch={kind="tiled"}'; do
	for kind in slingshot lasthop; do
		run run pass.cfg --set "$set" --set congestion.kind=$kind --json
		expect 0
		[ "$(value 'd["congestion"]["throttles"], d["packets"]["in_flight"]')" = "0 0" ] || fail "$set, $kind: $(value 'd["congestion"]')"
	done
done

begin "shares of a link that crosses slower than the crossbar: a warning, and a limit that keeps them"
cat >shares.cfg <<-END
	topology = { kind = "single"; ports = 8; };
	links = { default = { bandwidth = "200Gbps"; latency = "30ns"; }; };
	switch = { kind = "crossbar"; inputs = "voq"; cycle = "160ps"; };
	classes = ( { name = "c0"; min_bandwidth = 0.6; }, { name = "c1"; min_bandwidth = 0.1; } );
	traffic = ( { name = "j0"; pattern = "incast"; target = 0; load = 1.0; packet = "1KB"; nodes = "0-3"; class = "c0"; },
	            { name = "j1"; pattern = "incast"; target = 0; load = 1.0; packet = "1KB"; nodes = "0,4-7"; class = "c1"; } );
	time = { warmup = "30us"; measure = "100us"; drain = false; };
END
# Sharing what is left by rule A: minimum 0.6 has 0.6, the other the rest; the endpoints that send are 3 and 4 of 8 - the target.
share='round(3 * d["classes"][0]["accepted_load"], 2), round(4 * d["classes"][1]["accepted_load"], 2)'
run run shares.cfg --json
expect 0
expect_in err '^shares.cfg:3: switch.output_buffer: warning: packets cross faster than a link takes them'
for set in switch.output_buffer=250 switch.cycle=320ps; do
	run run shares.cfg --set $set --json
	expect 0
	expect_err ""
	[ "$(value "$share")" = "0.6 0.4" ] || fail "$set: $(value "$share")"
done
run run shares.cfg --set switch.cycle=320ps --set switch.output_buffer=250
expect 2
expect_in err 'switch.output_buffer=250: has an effect only if packets cross the switch faster'

# Speed-ups of two cross two packets at a time, in twice the time: they end together.
run check shares.cfg --set switch.cycle=640ps --set switch.input_speedup=2 --set switch.output_speedup=2 --set switch.output_buffer=250
expect 0
expect_err ""

begin "messages of more packets than can be numbered"
cat >long.cfg <<-END
	topology = { kind = "single"; ports = 4; };
	links = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
	switch = { kind = "ideal"; };
	traffic = ( { process = "window"; size = "1000GB"; packet = "256B"; } );
END
for command in check run; do
	run $command long.cfg
	expect 2
	expect_in err '^long.cfg:4: traffic.\[0\].size: 1000000000000 bytes make more than 2\^31 - 1 packets of 256 bytes$'
done
run check long.cfg --set 'traffic.[0]={process="request-response"; size="64B"; response="600GB"; packet="256B"}'
expect 2
expect_in err 'traffic.\[0\].response.*: 600000000000 bytes make more than'
printf 'num_ranks 2\nrank 0 {\nl1: send 18446744073709551615b to 1 tag 1\n}\nrank 1 {\nl1: recv 18446744073709551615b from 0 tag 1\n}\n' >long.goal
run run long.cfg --set 'traffic.[0]={process="goal"; file="long.goal"; packet="4KB"}'
expect 2
expect_in err 'rank 0: send 18446744073709551615 B to rank 1, tag 1: has more than 2\^31 - 1 packets of 4000 B$'
sed 's/18446744073709551615b/1000000000000b/' long.goal >formula.goal # a formula has no packets
run run long.cfg --set 'traffic.[0]={process="goal"; file="formula.goal"}' --set 'network={kind="loggops"; L="1us"; o="0ns"; g="0ns"; G=0.001; O=0.0; S="1GB"}'
expect 0
printf 'model m { kernel main { execute { comm [1] of size [1e12] as allreduce } } }\n' >long.aspen
for how in "" "--threads 2" "--sync optimistic --set engine.stress=30"; do
	# shellcheck disable=SC2086
	run run long.cfg --set 'traffic.[0]={process="aspen"; model="long.aspen"; packet="256B"}' --set time.measure=10us $how
	expect 1
	[ -n "$how" ] || expect_in err 'endpoint [0-3] posts a message of 1000000000000 bytes in packets of 256 bytes, which makes more than 2\^31 - 1 packets$'
done

begin "what is too much to be counted"
for wrong in '1e20|has 1e\+20 iterations; at most 2\^63 - 1 can be counted' '1e18|has 2\^64 - 1 or more messages, bytes or calls'; do
	n=${wrong%%|*}
	echo "model m { kernel main { iterate [$n] { execute { comm [5] of size [8] as allreduce } } } }" >m.aspen
	run workload m.aspen --ranks 4
	expect 2
	expect_in err "m.aspen:1:[0-9]+: .*${wrong#*|}"
done
run check long.cfg --set 'switch={kind="tiled"}' --set 'traffic.[0]={pattern="uniform"; load=0.3; packet="256B"}' --set time.drain=false --set time.measure=80s
expect 2
expect_in err 'time.measure.*: is too long: warm-up and measurement must take at most 70s in all, with this switch'
run check long.cfg --set 'switch={kind="ideal"}' --set 'traffic.[0]={pattern="uniform"; load=0.3; packet="256B"}' --set time.drain=false --set time.measure=80s
expect 0

begin "acknowledgements of several packets: of messages of open sources, too"
cat >ack.cfg <<-END
	topology = { kind = "fattree"; k = 4; };
	links = { default = { bandwidth = "200Gbps"; latency = "30ns"; }; };
	switch = { kind = "output-queued"; };
	congestion = { kind = "nscc"; };
	traffic = ( { pattern = "permutation"; load = 0.8; packet = "1KB"; message = "64KB"; } );
	time = { warmup = "2us"; measure = "20us"; };
END
run run ack.cfg --json
expect 0
each=$(value 'd["congestion"]["acknowledgements"]')
run run ack.cfg --set nic.ack_every=4KiB --json
expect 0
several=$(value 'd["congestion"]["acknowledgements"]')
[ "$((3 * several))" -lt "$each" ] || fail "4 KiB: $several of $each"
run run ack.cfg --set nic.timeout=200ns --set 'traffic.[0].load=1.0' --set 'traffic.[0].pattern="incast"'
expect 0
expect_in out '^retry +[0-9,]+ retransmissions; [0-9,]+ timeouts; '

begin "acknowledgements of several packets: the last that was missing is acknowledged"
cat >missing.cfg <<-END
	topology = { kind = "fattree"; k = 4; };
	links = { default = { bandwidth = "200Gbps"; latency = "30ns"; }; };
	switch = { kind = "ideal"; };
	nic = { retry = "on"; ack_every = "4KiB"; };
	traffic = ( { pattern = "uniform"; load = 0.3; packet = "500B"; message = "3KB"; } );
	time = { warmup = "5us"; measure = "40us"; drain = true; };
END
for set in seed=1 seed=2 'traffic=({process="window";iterations=20;size="3KB";packet="500B";})'; do
	run run missing.cfg --set "$set" --json
	expect 0
	[ "$(value 'd["retry"]["resent"], d["retry"]["reordered"] > 0')" = "0 True" ] || fail "$set: $(value 'd["retry"]')"
done
begin "sets of DCQCN's timers"
cat >dcqcn.cfg <<-END
	topology = { kind = "single"; ports = 9; };
	switch = { kind = "output-queued"; buffer = "4MB"; ecn_kmin = "10KB"; ecn_kmax = "40KB"; };
	traffic = ( { pattern = "incast"; load = 0.3; packet = "1KB"; } );
	time = { warmup = "0us"; measure = "400us"; drain = false; };
	congestion = { kind = "dcqcn"; };
END
digest_with() {
	run run dcqcn.cfg --json --set "congestion={kind=\"dcqcn\"; $1}"
	expect 0
	value 'd["digest"]'
}
vendor='alpha_timer="1us"; decrease_timer="4us"; increase_timer="300us"; fast=1'
paper='alpha_timer="50us"; decrease_timer="50us"; increase_timer="55us"; fast=5'
left_out=$(digest_with '')
[ "$(digest_with "$vendor")" = "$left_out" ] || fail "the default is not the vendor's set"
[ "$(digest_with 'timers="vendor"')" = "$left_out" ] || fail "not the vendor's set"
[ "$(digest_with "$paper")" != "$left_out" ] || fail "the sets differ in nothing"
[ "$(digest_with 'timers="paper"')" = "$(digest_with "$paper")" ] || fail "not the paper's set"
[ "$(digest_with 'timers="paper"; alpha_timer="1us"; increase_timer="300us"; fast=1')" = \
	"$(digest_with "${vendor/4us/50us}")" ] || fail "a key besides is not kept"
run check dcqcn.cfg --set "congestion={kind=\"dcqcn\"; timers=\"paper\"; $vendor}"
expect 2
expect_in err 'congestion.timers: .*only where one of these four keys is omitted'

begin "routing bias by class: of its packets alone, instead of the routing's, under every scheduler"
cat >bias.cfg <<-END
	topology = { kind = "dragonfly"; p = 2; a = 4; h = 2; };
	switch = { kind = "ideal"; };
	routing = { kind = "slingshot"; };
	classes = ( { name = "a"; }, { name = "b"; } );
	traffic = ( { pattern = "adversarial"; load = 0.15; class = "a"; }, { pattern = "adversarial"; load = 0.15; class = "b"; } );
	time = { warmup = "5us"; measure = "20us"; };
END
minimal='[round(c["minimal_fraction"], 2) for c in d["classes"]]'
for kind in slingshot ugal-g; do
	routing=(--set routing.kind=$kind --set routing.bias=2KB)
	run run bias.cfg "${routing[@]}" --json
	expect 0
	digest=$(value 'd["digest"]') before=$(value "$minimal")
	run run bias.cfg "${routing[@]}" --set classes.[1].bias=2KB --json
	expect 0
	[ "$(value 'd["digest"]')" = "$digest" ] || fail "$kind: the routing's own bias is not the same of a class"
	run run bias.cfg "${routing[@]}" --set classes.[1].bias=30KB --json
	expect 0
	[ "$(value "(lambda x, y: y[1] > x[1] + 0.1 and y[0] <= x[0] + 0.02)($before, $minimal)")" = True ] ||
		fail "$kind: $before, then $(value "$minimal")"
done
digest=$(value 'd["digest"]')
for how in "--sync optimistic --set engine.stress=30" "--audit" "--threads 2"; do
	# shellcheck disable=SC2086
	run run bias.cfg "${routing[@]}" --set classes.[1].bias=30KB --json $how
	expect 0
	[ "$(value 'd["digest"]')" = "$digest" ] || fail "another digest with $how"
done
"$tests/../mpirun.sh" 2 "$program" run bias.cfg "${routing[@]}" --set classes.[1].bias=30KB --json >out 2>err || fail "2 ranks: $(cat err)"
[ "$(value 'd["digest"]')" = "$digest" ] || fail "another digest on 2 ranks"
run run bias.cfg --set classes.[1].bias=auto --set routing.bias=2KB --json
expect 0
[ "$(value "(lambda x: x[1] > x[0] + 0.1)($minimal)")" = True ] || fail "auto beside 2KB: $(value "$minimal")"
run run bias.cfg --set routing.kind=minimal --set classes.[1].bias=30KB
expect 2
expect_err '--set classes.[1].bias=30KB: has no effect with routing "minimal", which has no parameter bias'
begin "classes of which one is lost and the other is held back, under every scheduler"
cat >loss.cfg <<-END
	topology = { kind = "fattree"; k = 4; };
	links = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
	switch = { kind = "output-queued"; pfc = true; pfc_pause = "6KB"; buffer = "2KB"; };
	classes = ( { name = "kept"; lossless = true; }, { name = "lost"; lossless = false; } );
	traffic = ( { pattern = "hotspot"; load = 0.5; packet = "1KB"; class = "kept"; },
	            { pattern = "hotspot"; load = 0.5; packet = [ "1KB", "300B" ]; class = "lost"; } );
	time = { warmup = "2us"; measure = "15us"; drain = false; };
END
for set in nic.retry=off 'traffic.[1]={process="all-to-all"; size="8KB"; packet="1KB"; class="lost";}'; do
	run run loss.cfg --set "$set" --json
	expect 0
	[ "$(value 'd["switches"]["pauses"] > 20 and d["switches"]["dropped"] > 3 and d["classes"][0]["packets"]["dropped"] == 0')" = True ] ||
		fail "$set: $(value 'd["switches"], d["classes"][0]["packets"]')"
	digest=$(value 'd["digest"]')
	for how in "--sync optimistic --set engine.stress=30" "--audit" "--threads 2"; do
		# shellcheck disable=SC2086
		run run loss.cfg --set "$set" --json $how
		expect 0
		[ "$(value 'd["digest"]')" = "$digest" ] || fail "$set: another digest with $how"
	done
done
run run loss.cfg --set nic.retry=off --json
[ "$(value 'd["classes"][1]["packets"]["dropped"] == d["packets"]["dropped"] > 20')" = True ] || fail "lost: $(value 'd["packets"]')"
digest=$(value 'd["digest"]')
"$tests/../mpirun.sh" 2 "$program" run loss.cfg --set nic.retry=off --json >out 2>err || fail "2 ranks: $(cat err)"
[ "$(value 'd["digest"]')" = "$digest" ] || fail "another digest on 2 ranks"
run run loss.cfg --set time.drain=true --set 'traffic.[0].stop=10us' --set 'traffic.[1].stop=10us' --json
expect 0
[ "$(value 'd["packets"]["delivered"] == d["packets"]["created"] and d["retry"]["resent"] > 20')" = True ] || fail "not all came: $(value 'd["packets"]')"
run run loss.cfg --set congestion.kind=slingshot
expect 2
expect_err '--set congestion.kind=slingshot: "slingshot" requires a network without loss, but switch "output-queued" drops packets in this configuration'
finish
