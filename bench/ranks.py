#!/usr/bin/env python3
"""bench/ranks.py - quantities that grow with the number of ranks: counts on 2, 4, 8, 16 and 32 ranks, and a model of them.

  bench/ranks.py            the counts, the model's parameters from at most 8 ranks, and what it predicts for 16 and 32
  bench/ranks.py --check    exit status 1 if a prediction for 32 ranks is off by more than 10 %
  bench/ranks.py --predict  the million-node Slim Fly on 128 to 65,536 cores: ranks of one thread, and one rank of 64 threads a host
  bench/ranks.py --only TEXT  cases whose name contains it

Ranks are conservative, of one thread, without balancing, and send over MPI (TILEFLY_SHARED_MEMORY=off), as on different hosts; counts do not
depend on how busy the machine is. Of a window and rank:

  bytes     b x(R) / R            events that go to other ranks; x: the share of cables between switches that join two ranks
  messages  n (1 + floor(B / n / 32 KiB)) + s
            one to each of n neighbours, the other ranks that such cables lead to, which carries its events and ends the window, and
            those that are full before; of at most 8 ranks n is R - 1, beyond (sim/conservative.c) s = ceil(log2 R) agree on the
            next window
  memory    e(R) + f + d / R      of the largest rank: what a rank of a network of 50 switches needs, mostly MPI's, is counted for each R

x and n are what "tilefly run --estimate --ranks R" says of the partition. b, f and d are fitted to 2, 4 and 8 ranks by least
squares of relative errors. Needs an MPI launcher and build/release."""
import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TILEFLY = os.environ.get("TILEFLY", str(ROOT / "build" / "release" / "bin" / "tilefly"))
FEW = 8                   # ranks: sim/conservative.c
MESSAGE = 32 << 10        # bytes: sim/buffers.h
FITTED, PREDICTED = (2, 4, 8), (16, 32)
# name, configuration, settings, two lengths that are measured
CASES = [
    ("slimfly-3k, load 0.5", "slimfly-3k", "traffic.[0].load=0.5", "300ns", "600ns"),
    ("slimfly-74k, load 0.1", "slimfly-74k", "", "200ns", "400ns"),
    ("dragonfly-1056, minimal, load 0.5", "dragonfly-1056", "routing.kind=minimal traffic.[0].load=0.5", "2us", "4us"),
    ("torus-32x8x8, load 0.1", "torus-8x8x8", "topology.dims=[32,8,8] traffic.[0].load=0.1",
     "1us", "2us"),
]
EMPTY = ("slimfly-3k", "topology.q=5 topology.endpoints=1 traffic.[0].load=0.001", "1us")


def settings(text):
    return [word for pair in text.split() for word in ("--set", pair)]


def run(config, more, length, ranks):
    words = settings("engine.threads=1 engine.sync=conservative engine.balance=\"off\" time.warmup=0ns time.drain=false "
                     "time.measure=%s %s" % (length, more))
    command = [str(ROOT / "tests" / "mpirun.sh"), str(ranks), TILEFLY, "run", config, "--json", *words]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, TILEFLY_SHARED_MEMORY="off"))
    if done.returncode:
        sys.exit("ranks.py: %s\n%s" % (" ".join(command), done.stderr[-2000:]))
    return json.loads(next(line for line in done.stdout.splitlines() if line.startswith("{")))["engine"]


def count(case, ranks):
    """Bytes and messages per window and rank, from the difference of the two lengths; and MB of the longer run's largest rank."""
    _, config, more, short, long = case
    a, b = run(config, more, short, ranks), run(config, more, long, ranks)
    windows = (b["windows"] - a["windows"]) * ranks
    return {"bytes": (b["message_bytes"] - a["message_bytes"]) / windows, "messages": (b["messages"] - a["messages"]) / windows,
            "memory": b["peak_rss_rank_bytes"] / 1e6}


def cut(case, ranks):
    """x and n, as the program says."""
    command = [TILEFLY, "run", case[1], "--estimate", "--ranks", str(ranks), *settings(case[2])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = re.search(r"([\d.]+) % of the cables between switches connect two ranks; a rank has cables to ([\d.]+) other ranks", done.stdout)
    return float(found[1]) / 100, float(found[2])


def fit(terms, values):
    """Coefficients c of sum(c_k terms[i][k]) = values[i], one or two of them, of least relative error."""
    rows = [[t / v for t in ts] for ts, v in zip(terms, values)]
    if len(rows[0]) == 1:
        return [sum(r[0] for r in rows) / sum(r[0] ** 2 for r in rows)]
    aa, ab, bb = (sum(r[i] * r[j] for r in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    a, b = sum(r[0] for r in rows), sum(r[1] for r in rows)
    det = aa * bb - ab * ab
    return [(a * bb - b * ab) / det, (b * aa - a * ab) / det]


def model(counts, cuts, empty):
    (b,) = fit([[cuts[r][0] / r] for r in FITTED], [counts[r]["bytes"] for r in FITTED])
    f, d = fit([[1, 1 / r] for r in FITTED], [counts[r]["memory"] - empty[r] for r in FITTED])
    return {"b": b, "f": f, "d": d}


def messages(sent, neighbours, ranks):
    steps = math.ceil(math.log2(ranks)) if ranks > FEW else 0
    to = neighbours if ranks > FEW else ranks - 1
    return to * (1 + math.floor(sent / neighbours / MESSAGE)) + steps


def predict(m, cuts, empty, ranks):
    crossing, neighbours = cuts[ranks]
    sent = m["b"] * crossing / ranks
    return {"bytes": sent, "messages": messages(sent, neighbours, ranks), "memory": empty[ranks] + m["f"] + m["d"] / ranks}


# Measured on one machine, see docs/scaling.md: seconds per packet-hop, per record and per message sent and received; assumed: bytes/s
# of a host's network, seconds from host to host, cores of a host.
HOP, RECORD, TOKEN, NIC, LATENCY, CORES = 63e-9, 6e-9, 0.03e-6, 12.5e9, 1.5e-6, 64
RECORD_BYTES = 48
LARGE = ("slimfly-1m, load 0.1", "slimfly-1m", "", "1us", "1500ns") # the network has filled by then
SIMULATED = 100e-6


def large():
    print("| cores | ranks | threads | cut | neighbours | KB a window and rank | messages | packet-hops | move | rounds | imbalance | in all |\n"
          + "|---" * 12 + "|")
    a, b = (run(LARGE[1], LARGE[2], length, 2) for length in LARGE[3:])
    windows = b["windows"] - a["windows"]
    hops = (b["packet_hops"] - a["packet_hops"]) / windows
    whole = (b["message_bytes"] - a["message_bytes"]) / windows / cut(LARGE, 2)[0]
    times = SIMULATED / 50e-9
    for cores in (128, 1024, 65536):
        for threads in (1, CORES):
            ranks = cores // threads
            x, neighbours = cut(LARGE, ranks)
            sent = whole * x / ranks
            n = messages(sent, neighbours, ranks)
            there = 1 - (CORES // threads - 1) / ranks if ranks > 1 else 0  # of the others, those on other hosts
            compute = hops * times / cores * HOP
            move = times * (sent / RECORD_BYTES * RECORD / threads + sent * there * CORES / threads / NIC)
            rounds = times * (n * TOKEN + LATENCY * (1 + math.ceil(math.log2(cores / CORES))))
            imbalance = compute * math.sqrt(2 * math.log(ranks) / (hops / ranks)) if ranks > 1 else 0
            print("| %s | %s | %d | %.0f %% | %.0f | %.1f | %.1f | %.2f s | %.2f s | %.2f s | %.2f s | **%.2f s** |" % (
                format(cores, ","), format(ranks, ","), threads, 100 * x, neighbours, sent / 1e3, n, compute, move, rounds, imbalance,
                compute + move + rounds + imbalance), flush=True)


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--check", action="store_true")
    options.add_argument("--predict", action="store_true")
    options.add_argument("--only", default="")
    chosen = options.parse_args()
    if chosen.predict:
        return large()
    bad, every = 0, FITTED + PREDICTED
    empty = {r: run(*EMPTY, r)["peak_rss_rank_bytes"] / 1e6 for r in every}
    print("| network | ranks | bytes a window and rank | model | messages | model | MB of the largest rank | model |\n" + "|---" * 8 + "|")
    for case in CASES:
        if chosen.only not in case[0]:
            continue
        cuts = {r: cut(case, r) for r in every}
        counts = {r: count(case, r) for r in every}
        m = model(counts, cuts, empty)
        for r in every:
            p = predict(m, cuts, empty, r)
            cells = []
            for what, form in (("bytes", "%.0f"), ("messages", "%.1f"), ("memory", "%.1f")):
                off = p[what] / counts[r][what] - 1
                cells += [form % counts[r][what], (form + " (%+.0f %%)") % (p[what], 100 * off)]
                bad += r == PREDICTED[-1] and abs(off) > 0.1
            print("| %s | %d | %s |" % (case[0], r, " | ".join(cells)), flush=True)
    if chosen.check and bad:
        sys.exit("ranks.py: %d predictions for %d ranks are off by more than 10 %%" % (bad, PREDICTED[-1]))


if __name__ == "__main__":
    main()
