#!/usr/bin/env bash
# The worked examples of docs/examples, one of each kind of plug-in, loaded with --plugin: facts and latencies against
# closed forms, the deadlock proof, --audit, and one digest for all schedulers.
source "$(dirname "$0")/run.bash"

two_ranks() {
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 bash "$tests/../mpirun.sh" 2 "$program" "$@"
}
digest() {
	grep -oE '"digest":"[0-9a-f]{16}"' out | cut -d'"' -f4
}

cat >board.cfg <<'END'
time     = { warmup = "1us"; measure = "4us"; };
topology = { kind = "rook"; rows = 4; columns = 6; };
traffic  = ( { name = "all"; load = 0.3; } );
END
load=()
for name in rook detour oq stencil transit greedy paced train token messages; do
	load+=(--plugin "$plugins/$name.so")
done

# One digest: audited, and by every scheduler on one and two ranks, with and without forced rollbacks.
one_digest() {
	run run board.cfg "${load[@]}" "$@" --json --audit
	expect 0
	expect_err ""
	local want how
	want=$(digest)
	[ -n "$want" ] || fail "no digest"
	for how in sequential conservative "optimistic --set engine.stress=30"; do
		run run board.cfg "${load[@]}" "$@" --json --sync $how
		expect 0
		[ "$(digest)" = "$want" ] || fail "$how differs"
	done
	for how in conservative optimistic; do
		two_ranks run board.cfg "${load[@]}" "$@" --json --sync $how >out 2>err
		status=$?
		expect 0
		[ "$(digest)" = "$want" ] || fail "$how on two ranks differs"
	done
}

# A 4 x 6 board has 4 C(6,2) + 6 C(4,2) = 96 cables. From a square 3 + 5 others are one hop away, 15 are two: mean 38/23.
# Halves of two rows each are joined by 6 x 2 x 2 cables. Channel load, 2 endpoints a switch: a column cable carries
# 2 x 2 packets of each of 6 pairs (1 direct, 2 x 5 with half of their packets) / 47 other endpoints = 24 / 47.
begin "topology: facts"
run topo board.cfg "${load[@]}" --set topology.endpoints=2 --json
expect 0
expect_in out '"kind":"rook","switches":24,"endpoints":48,"links":96,"radix":10,"network_radix":8,"diameter":2,'
expect_in out '"mean_distance":1\.652173913'
expect_in out '"girth":3,"links_by_class":\{"row":60,"column":36\},"bisection_links":24,'
expect_in out '"max_channel_load_uniform":0\.510638297'
begin "topology: cables of a board of 2 x 3"
run topo board.cfg "${load[@]}" --set topology.rows=2 --set topology.columns=3 --edges edges.txt --json
expect 0
cat >want <<'END'
0 1 row
0 2 row
0 3 column
1 2 row
1 4 column
2 5 column
3 4 row
3 5 row
4 5 row
END
diff <(grep -v '^#' edges.txt | sort) want >out || fail "edges differ: $(cat out)"
begin "topology: a wrong parameter"
run check board.cfg "${load[@]}" --set topology.rows=1 --set topology.columns=1
expect 2
expect_in err 'topology\.rows.*: a board of one square has no cables'
run check board.cfg "${load[@]}" --set topology.row=3
expect 2
expect_in err 'topology\.row.*rows'
begin "topology: two hops need two VCs"
run check board.cfg "${load[@]}"
expect 0
expect_in out '^virtual channels +2 \([a-z]+ routing needs 2\)'
expect_in out '^deadlock-free +yes'
run check board.cfg "${load[@]}" --set switch.vcs=1
expect 2
# One hop: 3 links of 50 ns, 2 switches of 100 ns, 256 B at 100 Gb/s = 20.48 ns.
begin "topology: zero load"
run run board.cfg "${load[@]}" --set traffic.[0].load=0.01 --set time.measure=100us --json
expect 0
expect_in out '"latency_ns":\{"min":370\.48,'
# A class of the plug-in's own: routes of one hop along a row are as quick as before, those with a column take 1 us more.
begin "topology: links of its classes"
run run board.cfg "${load[@]}" --set traffic.[0].load=0.01 --set links.column.latency=1050ns --set time.measure=100us --json --out links.jsonl.gz
expect 0
expect_in out '"latency_ns":\{"min":370\.48,.*"max":1[4-9][0-9][0-9]\.'
zcat links.jsonl.gz | head -1 >out
framing='"framing":"none","header":"auto","min_frame":"auto","granule":"auto","gap":"auto","lanes":1,"bit_error_rate":0.0,"retry_buffer":"auto","retry_answer":"0ps"'
expect_in out '"links":\{"default":\{[^}]*\},"terminal":\{[^}]*\},"row":\{"bandwidth":"100Gbps","latency":"50ns",'"$framing"'\},"column":\{"bandwidth":"100Gbps","latency":"1050ns",'"$framing"'\}\}'
for command in topo check run; do
	run $command board.cfg "${load[@]}" --set links.global.latency=1us
	expect 2
	expect_in err '^--set links.global.latency=1us: unknown link class of topology "rook"; available: default, terminal, row, column$'
done
begin "topology: one digest"
one_digest

# Relative to the file they are written in, wherever tilefly is called; once, even if named twice; on every rank.
begin "named by the configuration"
mkdir -p sub/more
cp "$plugins/rook.so" "$plugins/detour.so" sub/more
{ echo 'plugins = [ "more/rook.so", "./more/detour.so" ];'; cat board.cfg; } >sub/named.cfg
run run board.cfg "${load[@]}" --set routing.kind=detour --json
want=$(digest)
run run sub/named.cfg --set routing.kind=detour --json --out named.jsonl.gz
expect 0
[ "$(digest)" = "$want" ] || fail "not the same as with --plugin"
run run sub/named.cfg --plugin sub/more/rook.so --set routing.kind=detour --json
expect 0
two_ranks run sub/named.cfg --set routing.kind=detour --json >out 2>err
status=$?
expect 0
[ "$(digest)" = "$want" ] || fail "two ranks differ"
for command in check topo; do
	run $command sub/named.cfg
	expect 0
done
run check board.cfg --set "plugins=sub/more/rook.so"
expect 0
run check board.cfg --set 'plugins=[ "sub/more/rook.so" ]'
expect 0
begin "the resolved configuration names them"
zcat named.jsonl.gz | head -1 >manifest
grep -q "\"plugins\":\[\"$work/sub/more/rook.so\",\"$work/sub/more/detour.so\"\]" manifest || fail "no absolute paths: $(cut -c -600 manifest)"
python3 -c 'import json; print(json.load(open("manifest"))["config_text"])' >replay.cfg
(cd / && "$program" run "$work/replay.cfg" --set output.file="$work/again.jsonl.gz" --json >"$work/out" 2>"$work/err" </dev/null)
status=$?
expect 0
[ "$(digest)" = "$want" ] || fail "the replay differs"
begin "named, but not there"
echo 'plugins = ( "none.so", 5 );' >sub/bad.cfg
run check sub/bad.cfg
expect 2
expect_in err '^sub/bad.cfg:1: plugins.\[0\]: .*none.so'
if grep -q 'there is no topology' err; then fail "blames what it has not loaded"; fi
echo 'plugins = 5;' >sub/bad.cfg
run check sub/bad.cfg
expect 2
expect_in err '^sub/bad.cfg:1: plugins: must be a list of file names in quotes, as in \[ "./mine.so" \], not a whole number 5$'
begin "named by an experiment, by its base, by the configuration in it"
mkdir -p studies
grid='grid = ( { path = "seed"; values = ( 1, 5000000000L ); } );'
echo "plugins = \"../sub/more/rook.so\"; base = \"../board.cfg\"; $grid" >studies/own.cfg
echo "base = \"../sub/named.cfg\"; $grid" >studies/base.cfg
{ echo "config = { plugins = [ \"../sub/more/rook.so\" ]; seed = 5000000000L;"; cat board.cfg; echo "}; $grid"; } >studies/inside.cfg
for study in own base inside; do
	run sweep studies/$study.cfg --out sweep-$study
	expect 0
	expect_in out '^5000000000 .* 0\.'
	before=$(ls -i sweep-$study/points)
	run sweep studies/$study.cfg --out sweep-$study
	expect 0
	[ "$(ls -i sweep-$study/points)" = "$before" ] || fail "whole results are not kept"
done
echo "plugins = [ \"none.so\" ]; base = \"../board.cfg\"; $grid" >studies/bad.cfg
run sweep studies/bad.cfg
expect 2
expect_in err '^studies/bad.cfg.*plugins.\[0\]: .*none.so'

begin "routing: the proof"
run check board.cfg "${load[@]}" --set routing.kind=detour
expect 0
expect_in out '^routing +detour, routes of at most 3 hops'
expect_in out '^virtual channels +3 \([a-z]+ routing needs 3\)'
expect_in out '^deadlock-free +yes: acyclic channel-dependency graph'
run check board.cfg "${load[@]}" --set routing.kind=detour --set routing.share=0
expect 0
expect_in out '^virtual channels +2 \([a-z]+ routing needs 2\)'
for other in slimfly-3k dragonfly-1056 torus-8x8x8; do
	run check $other "${load[@]}" --set routing.kind=detour
	expect 0
	expect_in out '^deadlock-free +yes'
done
# share = 0 is minimal, up to the random numbers that the coin takes; share = 1 sends every packet on a detour.
begin "routing: shares"
run run board.cfg "${load[@]}" --set routing.kind=detour --set routing.share=0 --json
expect_in out '"hops":\{"mean":1\.[67][0-9]*,"max":2\},"minimal_fraction":1\.0'
run run board.cfg "${load[@]}" --set routing.kind=detour --set routing.share=1 --json
expect_in out '"hops":\{"mean":2\.[0-9]*,"max":3\},"minimal_fraction":0\.0'
begin "routing: one digest"
one_digest --set routing.kind=detour

# One hop: 3 (50 + 20.48) + 2 (100 + 256 B at 1.6 Tb/s = 1.28) = 414 ns.
begin "switch: zero load"
run run board.cfg "${load[@]}" --set switch.kind=shared-memory --set traffic.[0].load=0.01 --set time.measure=100us --json
expect 0
expect_in out '"latency_ns":\{"min":414\.0,'
begin "switch: buffers too small for a packet"
run check board.cfg "${load[@]}" --set switch.kind=shared-memory --set switch.buffer=300B
expect 2
expect_in err 'switch\.buffer.*: 150 bytes for each of 2 VCs do not hold a packet of 256 bytes'
# Buffers of one packet: everything waits for credits all the time, and nothing may get lost.
begin "switch: one digest"
one_digest --set switch.kind=shared-memory --set traffic.[0].load=1.0 --set switch.buffer=512B
begin "switch: adaptive routing needs its queues"
one_digest --set switch.kind=shared-memory --set routing.kind=ugal-l --set traffic.[0].load=0.9 --set record.ports=true

# A grid as wide as the board, one endpoint a switch: every neighbour is one hop away.
begin "pattern: neighbours"
run run board.cfg "${load[@]}" --set traffic.[0].pattern=stencil --set traffic.[0].width=6 --json
expect 0
expect_in out '"hops":\{"mean":1\.0,"max":1\}'
# A packet record of a run: point 0 writes to 1 (east), 5 (west), 6 (south), 18 (north), 1, ...
begin "pattern: order"
run run board.cfg "${load[@]}" --set traffic.[0].pattern=stencil --set traffic.[0].width=6 --set record.packets=true --out p.jsonl.gz
expect 0
got=$(zcat p.jsonl.gz | grep -E '"record":"packet".*"src":0,' | sed -E 's/.*"dst":([0-9]+),.*"seq":([0-9]+),.*/\2 \1/' | sort -n | head -5 | cut -d' ' -f2 | xargs)
[ "$got" = "1 5 6 18 1" ] || fail "endpoint 0 writes to $got"
begin "pattern: a width that does not fit"
run check board.cfg "${load[@]}" --set traffic.[0].pattern=stencil --set traffic.[0].width=7
expect 2
expect_in err 'traffic\.\[0\]\.width.*: 24 endpoints do not make two or more full rows of 7'
begin "pattern: one digest"
one_digest --set traffic.[0].pattern=stencil --set traffic.[0].width=8 --set traffic.[0].injection=periodic

# Endpoints 0 and 1 are at one switch, 2 and 3 at the other; 1 and 2 write to 0 as fast as they can. A packet of 1 takes no
# link between switches, one of 2 takes one: their mean is the share of 2.
cat >two.cfg <<'END'
time     = { warmup = "5us"; measure = "20us"; drain = false; };
topology = { kind = "rook"; rows = 1; columns = 2; endpoints = 2; };
traffic  = ( { nodes = "0-2"; pattern = "incast"; target = 0; load = 1.0; } );
END
begin "arbiter: packets in transit first"
crossbar='switch={kind="crossbar";cycle="320ps";inputs="voq";speedup=2.0;output_buffer=64}'
for set in "$crossbar switch.arbiter" 'switch.kind=tiled switch.grant_arbiter'; do
	run run two.cfg "${load[@]}" --set "${set% *}" --set "${set#* }=round-robin" --json
	expect_in out '"hops":\{"mean":0\.(4[89]|50)[0-9]*,"max":1\}'
	run run two.cfg "${load[@]}" --set "${set% *}" --set "${set#* }=transit" --json
	expect 0
	expect_in out '"hops":\{"mean":1\.0,"max":1\}'
done
begin "arbiter: where packets have taken no links"
echo 'topology = { kind = "single"; ports = 8; }; traffic = ( { load = 0.5; } );' >single.cfg
for set in 'crossbar switch.arbiter' 'tiled switch.grant_arbiter'; do
	for command in check run; do
		run $command single.cfg "${load[@]}" --set switch.kind="${set% *}" --set "${set#* }=transit"
		expect 2
		expect_in err "${set#* }=transit: arbiter \"transit\" compares \"hops\" \(.*\), which this switch cannot provide"
	done
done
begin "arbiter: a name that is none, a key that it does not take"
run check board.cfg "${load[@]}" --set switch.kind=crossbar --set switch.arbiter=transti
expect 2
expect_in err 'unknown value "transti"; did you mean "transit"\? allowed: round-robin, age, weighted, least-recent, drr, transit, auto$'
run check board.cfg "${load[@]}" --set switch.kind=crossbar --set switch.arbiter=transit --set switch.weights=[1,2]
expect 2
expect_in err 'switch\.weights=.*: has an effect only with an arbiter of a separable allocator that takes weights'
begin "arbiter: one digest"
one_digest --set switch.kind=crossbar --set switch.cycle=320ps --set switch.inputs=voq --set switch.arbiter=transit --set traffic.[0].load=0.9
one_digest --set switch.kind=tiled --set switch.grant_arbiter=transit --set traffic.[0].load=0.9

# Full load, everybody to one other, voq inputs: as every maximal matching it carries all, and a queue never waits for long.
begin "allocator: a maximal matching"
for allocator in greedy wavefront; do
	run run single.cfg "${load[@]}" --set switch.kind=crossbar --set switch.cycle=320ps --set switch.inputs=voq --set switch.allocator=$allocator \
		--set traffic.[0].pattern=neighbor --set traffic.[0].load=0.95 --set time.measure=20us --json
	expect 0
	grep -oE '"accepted_load":[0-9.]+' out | head -1 >load-$allocator
done
cmp load-greedy load-wavefront >/dev/null || fail "$(cat load-*)"
run check single.cfg "${load[@]}" --set switch.kind=crossbar --set switch.allocator=greedy --set switch.arbiter=age
expect 2
expect_in err 'switch\.arbiter=age: has an effect only with an allocator that takes one'
run check single.cfg "${load[@]}" --set switch.kind=crossbar --set switch.allocator=greedy --set switch.iterations=2
expect 2
expect_in err 'switch\.iterations=2: has an effect only with an allocator that iterates'
begin "allocator: one digest"
one_digest --set switch.kind=crossbar --set switch.cycle=320ps --set switch.inputs=voq --set switch.allocator=greedy --set traffic.[0].load=0.9

# Each endpoint writes to one other at full load: of the link it gets its share, with a load below that what it offers.
begin "congestion control: the pace of a pair"
for share in 0.25 0.5; do
	run run board.cfg "${load[@]}" --set traffic.[0].pattern=neighbor --set traffic.[0].load=1.0 --set congestion.kind=paced \
		--set congestion.share=$share --set time.measure=100us --set time.drain=false --json
	expect 0
	got=$(grep -oE '"accepted_load":[0-9.]+' out | head -1 | cut -d: -f2)
	awk "BEGIN { exit !($got > $share * 0.999 && $got < $share * 1.001) }" || fail "accepted $got, wanted $share"
done
# A scheme that asks for nothing that arrives is in charge of what leaves all the same.
run check board.cfg "${load[@]}" --set congestion.kind=paced
expect_in out '^path +packets of endpoints are decided when they are sent, because the congestion control decides when packets may be sent'
run check board.cfg "${load[@]}" --set congestion.kind=paced --set congestion.share=0
expect 2
expect_in err 'congestion\.share=0: .*0\.001'
begin "congestion control: one digest"
one_digest --set congestion.kind=paced --set congestion.share=0.01

# 256 B at 100 Gb/s take 20.48 ns; a load of 0.1 is a message in 204.8 ns, so a train of four in 819.2: three gaps of 20.48
# and one of 757.76,
# whatever the phase; a period is not a whole number of 2^-16 ps, so now and then a gap is a picosecond less.
begin "injection: trains"
run run board.cfg "${load[@]}" --set traffic.[0].injection=train --set traffic.[0].load=0.1 --set record.packets=true --out t.jsonl.gz
expect 0
got=$(zcat t.jsonl.gz | grep -E '"record":"packet","src":7,' | sed -E 's/.*"seq":([0-9]+),.*"created_ps":([0-9]+),.*/\1 \2/' | sort -n |
	awk 'NR > 1 && $1 == seq + 1 { print ($1 % 4) ":" ($2 - at) } { seq = $1; at = $2 }' | sort -u | xargs)
[[ $got =~ ^"0:757759 "?"0:757760 1:20480 2:20480 3:20480"$ ]] || fail "gaps are $got"
begin "injection: one digest"
one_digest --set traffic.[0].injection=train --set traffic.[0].length=7

# Six members, each one hop from the next: 6 x 370.48 = 2222.88 ns a round, of which 17 end in 40 us; and a pause of 100 ns.
cat >token.cfg <<'END'
time     = { warmup = "0ps"; measure = "40us"; };
topology = { kind = "rook"; rows = 1; columns = 6; };
traffic  = ( { process = "token"; size = "256B"; } );
END
begin "process: a token goes round"
run run token.cfg "${load[@]}" --json
expect 0
expect_in out '"iterations":17,"iteration_ns":\{"min":2222\.88,"mean":2222\.88,'
run run token.cfg "${load[@]}" --set traffic.[0].pause=100ns --json
expect_in out '"iterations":17,"iteration_ns":\{"min":2222\.88,"mean":2222\.88,'
run run token.cfg "${load[@]}" --set traffic.[0].pause=1us --json
expect_in out '"iterations":12,'
run run token.cfg "${load[@]}" --set traffic.[0].iterations=3 --json
expect_in out '"iterations":3,'
begin "process: one digest"
cp board.cfg pattern.cfg
sed -i 's/^traffic .*/traffic  = ( { process = "token"; } );/' board.cfg
one_digest
mv pattern.cfg board.cfg

# Three messages in a chain, 800 B each, and one that comes back.
printf '%s\n' '0 1 800' '1 2 800' '2 0 800' '0 2 100' >app.messages
begin "format: a file of messages, shown, made a schedule, and replayed"
run workload app.messages --plugin "$plugins/messages.so"
expect 0
expect_in out '^trace         messages, 3 ranks$'
expect_in out '^messages      4, 2500 bytes$'
run workload app.messages --plugin "$plugins/messages.so" --emit goal --out app.goal
expect 0
run workload app.goal --strict --json
expect 0
expect_in out '"ranks":3,"sends":4,"recvs":4,"calcs":0,"send_bytes":2500,'
run workload app.messages
expect 2
expect_in err '^app.messages: the end of a file name must indicate its format: .aspen for a model, .goal or .bin for a schedule, .mpi for a recording, '
printf '0 1 800\n1 1 8\n' >own.messages
run workload own.messages --plugin "$plugins/messages.so"
expect 2
expect_err 'own.messages:2: not of the form FROM TO BYTES, of two ranks'
begin "format: one digest"
cp board.cfg pattern.cfg
cat >board.cfg <<'END'
topology = { kind = "rook"; rows = 4; columns = 6; };
traffic  = ( { process = "messages"; file = "app.messages"; nodes = "3"; } );
END
one_digest
run run board.cfg "${load[@]}" --set traffic.[0].flie=other
expect 2
expect_in err 'flie.*did you mean "file"'
mv pattern.cfg board.cfg

begin "all of them in the list, with their parameters"
run list "${load[@]}"
expect 0
for name in rook detour shared-memory stencil transit greedy paced train token messages; do
	expect_in out "^  $name\$"
done
begin "built by hand, as docs/plugins.md says"
if command -v cc >/dev/null; then
	source=$tests/../..
	cc -std=gnu11 -O2 -fPIC -shared -I "$source" "$source/docs/examples/rook.c" -o rook.so >out 2>err || fail "$(cat err)"
	run topo board.cfg --plugin ./rook.so --json
	expect 0
	expect_in out '"kind":"rook","switches":24,'
	cc -std=gnu11 -O2 -fPIC -shared -I "$source" "$source/docs/examples/transit.c" -o transit.so >out 2>err || fail "$(cat err)"
	run list arbiter transit --plugin ./transit.so
	expect 0
	expect_in out '^    needs: hops$'
fi
begin "a plug-in loaded twice, and a copy of it"
run list --plugin "$plugins/rook.so" --plugin "$plugins/rook.so"
expect 0
run list --plugin "$plugins/rook.so" --plugin ./sub/more/rook.so
expect 2
expect_in err 'a topology named "rook" is registered already'
finish
