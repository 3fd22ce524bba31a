#!/usr/bin/env bash
# Pages of a comparison and of a search for designs in headless Chromium (studies.py). $1: the program, $2: axe-core's script.
# Exit status 77: skipped.
source "$(dirname "$0")/setup.bash"

cat >compare.cfg <<'END'
title = "Which small network?";
description = "Four networks, one of which is none, under two kinds of traffic.";
config = { links  = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; };
           switch = { kind = "ideal"; buffer = "32KB"; };
           cost   = { kind = "sc14-linear"; }; };
candidates = ( { name = "fly"; topology = { kind = "dragonfly"; p = 2; a = 4; h = 2; }; },
               { name = "rows"; topology = { kind = "hyperx"; dims = [4, 4]; endpoints = 4; }; },
               { name = "slim"; topology = { kind = "slimfly"; q = 4; endpoints = 3; }; },
               { name = "wrong"; topology = { kind = "slimfly"; q = 6; endpoints = 2; }; } );
routings = ( "minimal", "ugal-l", { name = "by-group"; kind = "valiant"; via = "group"; } );
job = { packet = "512B"; };
traffic = ( "uniform", "worst-permutation" );
collectives = ( { process = "allreduce"; sizes = [ "8B" ]; } );
short = 30; long = 100; curve = [ 0.2, 0.6 ]; failures = [ 0.1, 0.3 ];
END
cat >design.cfg <<'END'
title = "Which small design?";
config = { links  = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; };
           switch = { kind = "ideal"; };
           cost   = { kind = "sc14-linear"; }; };
variables = ( { path = "topology"; values = ( { kind = "hyperx"; dims = [4, 4]; endpoints = 4; }, { kind = "slimfly"; q = 4; endpoints = 3; },
                                              { kind = "torus"; dims = [4, 4, 4]; }, { kind = "slimfly"; q = 6; endpoints = 3; } ); },
              { path = "routing.kind"; values = [ "minimal", "ugal-l" ]; },
              { path = "switch.buffer"; values = [ "16KB", "64KB" ]; } );
objectives = [ "cost", "saturation", "p99" ];
traffic = ( "uniform", "worst-permutation" );
job = { packet = "512B"; };
latency_load = 0.3; short = 20; long = 80;
END
"$program" compare compare.cfg --out compare --quiet || exit 1
"$program" design design.cfg --out design --quiet || exit 1
report_page compare.html compare
report_page design.html design
/usr/bin/python3 "$here/studies.py" "$chromium" "$driver" "$axe" "${TILEFLY_SCREENSHOTS:-}"
