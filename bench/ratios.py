#!/usr/bin/env python3
"""bench/ratios.py RESULT.jsonl [...] [--least-copies RATIO] - how many times as fast as one rank, compared within turns.

Reads the runs of bench/run.sh (modes seq, copies and others). A turn is a run of each mode, one after the other. Printed for each case and
mode: turns; the median over turns of the ratio to the mean of one rank before and after, with its quartiles; the ratio of the medians; the
median share of what copies gave before and after (runs of one rank at the same time that do not know of each other).
There is none after the last turn. Runs that --quiet has not counted are left out.
--least-copies 1.9 counts only turns with copies before and after that gave at least 1.9 times what one rank gives in the median over all
turns: what two ranks gain is not to be seen while the machine does not give two cores. Neither the rates that are compared nor those
they are compared with decide which turns count; the lines of the copies themselves count all."""
import argparse
import json
import statistics
import sys

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
parser.add_argument("results", nargs="+", type=argparse.FileType(), metavar="RESULT.jsonl")
parser.add_argument("--least-copies", type=float, default=0.0, metavar="RATIO")
options = parser.parse_args()

runs, order = {}, []  # (case, mode) -> {turn: rate}
for number, file in enumerate(options.results):
    for line in file:
        try:
            r = json.loads(line)
        except json.JSONDecodeError:
            print("ratios.py: %s: a line is not whole" % file.name, file=sys.stderr)
            continue
        if r["record"] != "run" or r.get("quiet") is False:
            continue
        e = r["summary"].get("engine", r["summary"])
        rate = e.get("packet_hops_per_s", e.get("event_rate_per_s"))
        if not rate:
            continue
        if (r["name"], r["mode"]) not in order:
            order.append((r["name"], r["mode"]))
        runs.setdefault((r["name"], r["mode"]), {})[number, r["repetition"]] = rate


def around(rates, turn):
    """Of this turn and of the next, if it has one."""
    return [rates[t] for t in (turn, (turn[0], turn[1] + 1)) if t in rates]


print("%-32s %-15s %5s  %-21s  %-10s  %s" % ("", "", "turns", "ratio (quartiles)", "of medians", "of copies"))
for name, mode in order:
    if mode == "sequential 1":
        continue
    one, copies = runs.get((name, "sequential 1"), {}), runs.get((name, "copies " + mode.split()[1]), {})
    enough = 0 if mode.startswith("copies") or not one else options.least_copies * statistics.median(one.values())
    ratios, shares, mine, ones = [], [], [], []
    for turn, rate in runs[name, mode].items():
        base, most = around(one, turn), around(copies, turn)
        if not base:
            continue
        base = statistics.mean(base)
        if enough and (len(most) < 2 or min(most) < enough):
            continue
        ratios.append(rate / base)
        mine.append(rate)
        ones.append(one[turn] if turn in one else base)
        if most:
            shares.append(rate / statistics.mean(most))
    if not ratios:
        print("%-32s %-15s %5d" % (name, mode, 0))
        continue
    quartile = statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else 3 * ratios
    share = "%.0f %%" % (100 * statistics.median(shares)) if shares and not mode.startswith("copies") else ""
    print("%-32s %-15s %5d  x%.2f (%.2f to %.2f)   x%.2f       %s" % (name, mode, len(ratios), statistics.median(ratios), quartile[0], quartile[2],
                                                     statistics.median(mine) / statistics.median(ones), share))
