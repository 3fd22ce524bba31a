#!/usr/bin/env bash
# The interactive page in headless Chromium (page.py). $1: the program, $2: axe-core's script. Exit status 77: skipped.
source "$(dirname "$0")/setup.bash"

# --- what the page is made from: every kind of chart ---------------------------------------------------------
small=(slimfly-3k --set topology.q=5 --set topology.endpoints=4 --set seed=3 --quiet)
priced=(--set links.default.bandwidth=40Gbps --set links.terminal.bandwidth=40Gbps --set cost.kind=sc14-linear)
"$program" cost "${small[@]:0:5}" "${priced[@]}" --json >cost.json || exit 1
"$program" run "${small[@]}" --set 'record={timeline="1us";ports=true;activity=true;}' --set 'time={warmup="4us";measure="16us";}' \
	--out plain.jsonl || exit 1
"$program" run "${small[@]}" --set routing.kind=valiant --set 'time={warmup="4us";measure="16us";}' \
	"${priced[@]}" --out other.jsonl || exit 1
"$program" run switch-rosetta-64 --set record.switch=true --set 'time={warmup="2us";measure="8us";}' --quiet --out inside.jsonl || exit 1
cat >loads.cfg <<'END'
title = "Two routings, two patterns";
base = "slimfly-3k";
set = [ "topology.q=5", "topology.endpoints=4", "time={ precision = \"5%\"; limit = \"60us\"; }" ];
grid = ( { name = "pattern"; path = "traffic.[0].pattern"; values = [ "uniform", "worst-case" ]; },
         { name = "routing"; path = "routing.kind"; values = [ "minimal", "valiant" ]; },
         { name = "load"; path = "traffic.[0].load"; values = [ 0.1, 0.3, 0.6 ]; title = "offered load"; } );
published = { source = "test"; scales = ( { label = "published"; factor = 1.0; } );
              curves = ( { routing = "minimal"; x = [ 0.1, 0.6 ]; y = [ 0.1, 0.6 ]; } ); };
END
cat >find.cfg <<'END'
title = "Where two routings saturate";
base = "slimfly-3k";
set = [ "topology.q=5", "topology.endpoints=4", "time={ warmup = \"2us\"; measure = \"10us\"; }" ];
grid = ( { name = "routing"; path = "routing.kind"; values = [ "minimal", "valiant" ]; },
         { path = "traffic.[0].load"; values = [ 0.2, 1.0 ]; title = "offered load"; } );
find = "saturation"; width = 0.1;
END
"$program" sweep loads.cfg -j 2 --out loads --quiet || exit 1
"$program" sweep find.cfg -j 2 --out find --quiet || exit 1
cat >names.cfg <<'END'
title = "Three routings";
base = "slimfly-3k";
set = [ "topology.q=5", "topology.endpoints=4", "time={ warmup = \"2us\"; measure = \"10us\"; }" ];
grid = ( { name = "routing"; path = "routing.kind"; values = [ "minimal", "valiant", "ugal-l" ]; },
         { path = "traffic.[0].load"; values = [ 0.1, 0.3 ]; title = "offered load"; } );
x = "routing";
END
"$program" sweep names.cfg -j 2 --out names --quiet || exit 1
report_page page.html loads find names plain.jsonl other.jsonl inside.jsonl

/usr/bin/python3 "$here/page.py" "$chromium" "$driver" "$axe" "${TILEFLY_SCREENSHOTS:-}"
