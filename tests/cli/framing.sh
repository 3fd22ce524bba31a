#!/usr/bin/env bash
# Links with framing: check says what payload can be at most, a load above that is warned of once, and what is accepted is never more.
source "$(dirname "$0")/run.bash"
cat >roce.cfg <<'CFG'
seed = 1; topology = { kind = "single"; ports = 16; }; time = { warmup = "20us"; measure = "200us"; drain = false; };
links = { terminal = { bandwidth = "200Gbps"; latency = "13ns"; framing = "roce"; }; };
switch = { kind = "tiled"; }; routing = { kind = "minimal"; };
traffic = ( { pattern = "permutation"; injection = "periodic"; load = 1.0; packet = "4KiB"; } );
CFG

for command in check run; do
	begin "$command: a load above the ceiling"
	run $command roce.cfg
	expect 0
	expect_in err 'roce\.cfg:4: traffic\.\[0\]\.load: warning: 1 exceeds 0\.9804, '
	[ "$(wc -l <err)" = 1 ] || fail "said $(wc -l <err) times"
	begin "$command: a load below it"
	run $command roce.cfg --set traffic.[0].load=0.98
	expect 0
	expect_err ""
done

begin "check: 4,096 of 4,178 bytes, 64 of 146, 1 of 84"
run check roce.cfg --set traffic.[0].load=0.01
expect_in out '^framing  *terminal: payload plus 62 bytes, at least 64, in multiples of 1, and a gap of 20; payload is at most 0\.980373 of its rate$'
run check roce.cfg --set traffic.[0].load=0.01 --set traffic.[0].packet=64B
expect_in out 'payload is at most 0\.438356 of its rate$'
run check roce.cfg --set traffic.[0].load=0.01 --set traffic.[0].packet=1B --json
expect 0
expect_in out '"framings":\[{"link_class":"terminal","header_bytes":62,"min_frame_bytes":64,"granule_bytes":1,"gap_bytes":20,"job_ceilings":\[0\.0119047'

begin "run: all of it is accepted, and no packet more"
run run roce.cfg --json
expect 0
# 16 endpoints, one packet each at the window's edge
python3 - out <<'PY' || fail "$(grep -o '"accepted_load":[^,]*' out | head -1) accepted"
import json, sys
accepted = json.load(open(sys.argv[1]))["accepted_load"]
ceiling, packet = 4096 / 4178, 4096 * 0.04 / 200e3
sys.exit(not ceiling - packet <= accepted <= ceiling + packet)
PY

begin "traffic that begins later gives the same, but for switches whose clocks it meets elsewhere"
shifted() { # SWITCH PS: packets, mean latency
	cat >shift.cfg <<-END
		seed = 1; topology = { kind = "dragonfly"; p = 2; a = 4; h = 2; }; routing = { kind = "minimal"; };
		links = { default = { bandwidth = "173Gbps"; latency = "13ns"; framing = "ethernet"; }; }; switch = { $1 };
		time = { warmup = "$((1000000 + $2))ps"; measure = "2us"; drain = true; };
		traffic = ( { load = 0.8; packet = ( "100B", "1500B" ); injection = "periodic"; start = "$2ps"; } );
	END
	run run shift.cfg --json --quiet
	expect 0
	python3 -c 'import json; d = json.load(open("out")); print(d["packets"]["delivered"], d["latency_ns"]["mean"])'
}
for switch in 'kind = "ideal";' 'kind = "output-queued";' 'kind = "tiled"; align = false;'; do
	[ "$(shifted "$switch" 0)" = "$(shifted "$switch" 333)" ] || fail "$switch: another result 333 ps later"
done
[ "$(shifted 'kind = "tiled";' 0)" = "$(shifted 'kind = "tiled";' 1250)" ] || fail "tiled: another result a period later"
[ "$(shifted 'kind = "crossbar";' 0)" = "$(shifted 'kind = "crossbar";' 7000)" ] || fail "crossbar: another result seven cycles later"

begin "as shipped"
run check dragonfly-roce-1056
expect 0
expect_err ""
expect_in out '^framing  *local: payload plus 62 bytes, at least 32, .* gap of 0; payload is at most 0\.985089 '
expect_in out '^  *terminal: payload plus 62 bytes, at least 64, .* gap of 20; payload is at most 0\.980373 '

begin "without framing nothing is said"
run check slimfly-3k
grep -q framing out && fail "framing"
finish
