#!/usr/bin/env bash
# Flows of permutations on fat trees, in the simulation: those that a hash keeps on one path collide as balls in bins do,
# those that the destination's digits lead do not collide in shifts, and sprayed ones carry nearly all.
source "$(dirname "$0")/run.bash"

# The 16 endpoints of a leaf send to 16 other leaves by 16 spines, for 20 us at full rate, and the run goes on until all
# has arrived. A cable that carries n flows takes n times as long, so the slowest packet is (n - 1) x 20 us late, n being the
# number of the fullest cable.
begin "collisions of ecmp"
for i in {0..15}; do
	echo "$i $((16 * (i + 1) + i))"
done >leaf.txt
cat >leaf.cfg <<'END'
time     = { warmup = "0ns"; measure = "20us"; drain = true; };
topology = { kind = "fattree"; k = 32; levels = 2; };
traffic  = ( { pattern = "permutation"; file = "leaf.txt"; load = 1.0; injection = "periodic"; packet = "2KB"; } );
routing  = { kind = "ecmp"; };
END
for seed in {1..24}; do
	run run leaf.cfg --set "seed=$seed"
	expect 0
	sed -nE 's/^latency .*, max ([0-9.]+).*/\1/p' out
done >latest.txt
python3 - latest.txt <<'END' || fail "not as balls in bins"
import sys
from fractions import Fraction
from math import factorial, sqrt

N = 16

def at_most(k):  # P(the fullest of N bins has at most k of N balls)
    power = [Fraction(1)] + [Fraction(0)] * N
    for _ in range(N):
        power = [sum(power[i - j] / factorial(j) for j in range(min(i, k) + 1)) for i in range(N + 1)]
    return float(power[N] * factorial(N) / N**N)

below = [at_most(k) for k in range(N + 1)]
chance = [0] + [below[k] - below[k - 1] for k in range(1, N + 1)]
mean = sum(k * chance[k] for k in range(N + 1))
sigma = sqrt(sum(k * k * chance[k] for k in range(N + 1)) - mean * mean)
late = [float(line) / 20000 for line in open(sys.argv[1])]
fullest = [1 + round(x) for x in late]
assert len(late) == 24 and all(abs(x - round(x)) < 0.2 for x in late), late
found = sum(fullest) / len(fullest)
assert abs(found - mean) < 3 * sigma / sqrt(len(fullest)), (found, mean, sigma)
END

cat >tree.cfg <<'END'
time     = { warmup = "60us"; measure = "30us"; drain = false; };
topology = { kind = "fattree"; k = 8; levels = 3; };
traffic  = ( { pattern = "tornado"; load = 1.0; injection = "periodic"; packet = "2KB"; } );
END
accepted() {
	run run tree.cfg "$@"
	expect 0
	sed -nE 's/^load .* ([0-9.]+) accepted.*/\1/p' out
}
# Half of the switches' endpoints away, every flow passes the roots; 4 cables up for 4 flows that a hash spreads carry
# 4 (1 - (3/4)^4) of them at most, 0.68 in the mean, and what is left meets twice more.
begin "a shift with d-mod-k"
through=$(accepted --set routing.kind=d-mod-k)
awk "BEGIN { exit !($through >= 0.999) }" || fail "$through of 1"
begin "a shift with ecmp"
through=$(accepted --set routing.kind=ecmp)
awk "BEGIN { exit !($through < 0.68) }" || fail "$through of 1"
begin "a permutation, sprayed"
through=$(accepted --set routing.kind=spray --set 'traffic.[0].pattern=permutation')
awk "BEGIN { exit !($through >= 0.95) }" || fail "$through of 1"
finish
