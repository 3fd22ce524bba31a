#!/usr/bin/env python3
"""messages.py FOLDER TABLE --answer US: the folder of a sweep whose points have several seeds and record.packets, beside what TABLE
says of them: lines run, quantity and value elsewhere, tab-separated. A run is named by its labels but the seed. Times are those of
messages, one from each source of a job, in us, from their start until they are acknowledged, US after their last packet has come.
A quantity is first, mean, median, last of them, Jain (index of their rates), again (packets sent again), marked (packets) or queue
(MB, the longest), of all jobs, or "JOB: first" of one, or of "JOB 1", "JOB 2" and so on. Least and greatest over seeds, and how far their mean is outside the range of
the others, which is what the value elsewhere begins with."""
import argparse
import gzip
import json
import re
import statistics

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("table")
parser.add_argument("--answer", type=float, required=True)
parser.add_argument("--title", default="run")
given = parser.parse_args()
DIGITS = {"Jain": 4, "again": 0, "marked": 0, "queue": 3}


def read(name):
    """Times of messages by job, and the summary."""
    ends, start = {}, {}
    with gzip.open(f"{given.folder}/points/{name}.jsonl.gz", "rt") as log:
        for line in log:
            if line.startswith('{"record":"packet"'):
                p = json.loads(line)
                message = p["job"], p["src"], p["dst"]
                ends[message] = max(ends.get(message, 0), p["delivered_ps"])
                start[message] = min(start.get(message, p["created_ps"]), p["created_ps"])
            elif line.startswith('{"record":"summary"'):
                summary = json.loads(line)
    times = {}
    for message in ends:
        times.setdefault(message[0], []).append((ends[message] - start[message]) * 1e-6 + given.answer)
    return times, summary


def value(run, quantity):
    times, summary = run
    job, _, what = quantity.rpartition(": ")
    chosen = [t for name, of in times.items() for t in of if not job or name.split(" ")[0] == job]
    if what in ("again", "marked", "queue"):
        switches = summary["switches"]
        return {"again": summary["retry"]["resent"], "marked": switches["marked"], "queue": switches["peak_queue_bytes"] * 1e-6}[what]
    if what == "Jain":
        rates = [1 / t for t in chosen]
        return sum(rates) ** 2 / (len(rates) * sum(r * r for r in rates))
    return {"first": min, "mean": statistics.mean, "median": statistics.median, "last": max}[what](chosen)


def digits(quantity):
    return DIGITS.get(quantity.split(": ")[-1], 1)


def text(quantity, values):
    low, high = (f"{f(values):.{digits(quantity)}f}" for f in (min, max))
    return low if low == high else f"{low} to {high}"


def residual(quantity, values, elsewhere):
    numbers = [float(v) for v in re.findall(r"[0-9.]+", elsewhere.split(";")[0].replace(",", ""))]
    if not numbers:
        return "-"
    low, high, mean = numbers[0], numbers[-1], statistics.mean(values)
    off = mean - low if mean < low else mean - high if mean > high else 0
    share = f"{200 * off / (low + high) if low + high else 0:+.1f}"
    if digits(quantity) == 4:
        return f"{off:+.4f}" if abs(off) >= 5e-5 else "0"
    return f"{share} %" if float(share) else "0"


runs = {}
for line in open(f"{given.folder}/summary.jsonl"):
    point = json.loads(line)
    if point["record"] == "point":
        run = ", ".join(v for k, v in point["labels"].items() if k != "seed")
        runs.setdefault(run, []).append(read(point["name"]))
seeds = max(map(len, runs.values()))
print(f"| {given.title} | | elsewhere | here, {seeds} seeds | residual of the mean |\n|---|---|---|---|---|")
last = None
for line in open(given.table):
    if line.startswith("#"):
        continue
    run, quantity, elsewhere = line.rstrip("\n").split("\t")
    values = [value(r, quantity) for r in runs[run]]
    print(f"| {run if run != last else ''} | {quantity} | {elsewhere} | {text(quantity, values)} | {residual(quantity, values, elsewhere)} |")
    last = run
