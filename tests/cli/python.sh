#!/usr/bin/env bash
# docs/examples/front.py reads what design and compare write; skipped with a message where pandas or matplotlib is absent.
source "$(dirname "$0")/run.bash"
python=python3
/usr/bin/python3 -c "import pandas, matplotlib" 2>/dev/null && python=/usr/bin/python3 # Debian's packages
if ! "$python" -c "import pandas, matplotlib" 2>/dev/null; then
	echo "skipped: there is no pandas or matplotlib (apt-get install python3-pandas python3-matplotlib)"
	finish
	exit
fi
example=$tests/../../docs/examples/front.py
cat >base <<'E'
config = { links = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; };
           switch = { kind = "ideal"; buffer = "16KB"; }; };
job = { packet = "512B"; };
traffic = ( "uniform" );
short = 10; long = 20;
E
{ cat base; echo 'variables = ( { path = "topology"; values = ( { kind = "torus"; dims = [4]; }, { kind = "torus"; dims = [5, 4]; } ); } ); objectives = [ "ports", "saturation" ];'; } >d.cfg
{ cat base; echo 'candidates = ( { name = "ring"; topology = { kind = "torus"; dims = [4]; }; } );'; } >c.cfg

begin "the front of a design"
run design d.cfg --out d --quiet
expect 0
"$python" "$example" d d.svg >out 2>err || fail "$(tail -3 err)"
expect_in out 'candidate +ports_low'
[ "$(wc -l <out)" = "$(wc -l <d/front.csv)" ] || fail "not every point is in the table"
grep -q '</svg>' d.svg || fail "no picture"

begin "the ranking of a comparison"
run compare c.cfg --out c --quiet
expect 0
"$python" "$example" c c.svg >out 2>err || fail "$(tail -3 err)"
expect_in out 'ring'
grep -q '</svg>' c.svg || fail "no picture"

finish
