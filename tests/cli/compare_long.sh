#!/usr/bin/env bash
# tilefly compare: intervals of saturation against runs 20 times as long, with another seed, a little beyond them.
source "$(dirname "$0")/run.bash"

cat >s.cfg <<'E'
title = "small, at equal cost";
config = { links  = { default = { bandwidth = "40Gbps"; latency = "50ns"; }; };
           switch = { kind = "ideal"; buffer = "32KB"; };
           cost   = { kind = "sc14-linear"; }; };
equal = "cost"; budget = "130000USD"; radix = 24;
candidates = ( "slimfly", "hyperx-2d", "polarfly", "dragonfly" );
routings = ( "minimal", "ugal-l", "valiant" );
job = { packet = "512B"; };
traffic = ( "uniform", "worst-permutation" );
eliminate = false;
E
begin "a study at equal cost"
run compare s.cfg --out a --json
expect 0

# What an interval claims (docs/compare.md): its lower end is carried, every job gets 98 % of what it offers; and of a load
# a little beyond its upper end no more than that is delivered to the job that gets the least.
begin "20 points, 20 times as long"
cat >longer.py <<'E'
import gzip, json, random, re, subprocess, sys
program = sys.argv[1]
d = json.load(open('out'))
points = [(x['name'], y) for x in d['designs'] for y in x['series'] if y['points']]
assert len(points) >= 20, len(points)
def run(text, load):
    window = 20 * 600 * 512 * 8 / 40 / load # ns
    text = re.sub(r'load = [0-9.e-]+;', 'load = %.9g;' % load, text)
    text = re.sub(r'(warmup|measure) = "[^"]*";', lambda m: '%s = "%.0fns";' % (m[1], window if m[1] == 'measure' else window / 4), text)
    out = subprocess.run([program, 'run', '-', '--json', '--quiet'], input=text.replace('seed = 1;', 'seed = 77;'), capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    return min((j['accepted_load'] / j['offered_load'], j['accepted_load']) for j in json.loads(out.stdout)['jobs'])
inside, widths = 0, []
for name, y in random.Random(20).sample(points, 20):
    low, high = y['saturation']
    with gzip.open('a/points/' + y['points'][-1]['name'].replace('_', '-') + '.jsonl.gz', 'rt') as log:
        text = json.loads(log.readline())['config_text']
    ratio, beyond = run(text, low)[0], run(text, min(1, 1.03 * high))[1]
    ok = ratio >= 0.98 * 0.995 and beyond <= high * 1.005
    inside += ok
    widths.append((high - low) / (high + low))
    print('%-24s %-18s %.4f .. %.4f  carried %.4f, beyond %.4f %s' % (name, y['traffic'], low, high, ratio, beyond, '' if ok else 'outside'))
widths.sort()
print('%d inside, half-widths %.2f %% in the median, %.2f %% at most' % (inside, 100 * widths[10], 100 * widths[-1]))
assert inside >= 18
E
python3 longer.py "$program" || fail "fewer than 18 of 20 intervals hold what longer runs find"
finish
