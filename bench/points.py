#!/usr/bin/env python3
"""bench/points.py FOLDER [--draw N] [--times T] [--seed S] [--jobs J] [--tilefly PROGRAM] - are a comparison's intervals true?

Draws N points of the results folder of `tilefly compare`: intervals of saturation that long runs have given, and of mean latency at a load.
Each is run again, T times as long as its longest run and with another seed, and it is said how many lie inside their interval:

* mean latency, if the interval holds the mean of the longer run;
* saturation, if what the job with the least is given at saturation lies inside. Of a load of 1.01 x high that is at least low, or else a load
  of low is carried (every job accepts 98 % of it), and it is no more than high. Where that load is carried, saturation is further up: then
  a load of 1.03 x high gives no more than high either. A high end that is the bound, or 1, cannot be too low.

The runs' logs go to --out (a folder; those that are there are not run again). Exit status 1: fewer than 90 % lie inside."""
import argparse
import concurrent.futures
import gzip
import json
import os
import random
import re
import subprocess
import sys

CARRIED = 0.98

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
parser.add_argument("folder")
parser.add_argument("--draw", type=int, default=20)
parser.add_argument("--times", type=float, default=20)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--jobs", type=int, default=2)
parser.add_argument("--tilefly", default="build/release/bin/tilefly")
parser.add_argument("--out", default=None)
options = parser.parse_args()
out = options.out or os.path.join(options.folder, "longer")
os.makedirs(out, exist_ok=True)
program = os.path.abspath(options.tilefly)


def record(path, kind):
    with gzip.open(path, "rt") as log:
        return next(r for r in map(json.loads, log) if r["record"] == kind)


def points(study):
    for design in study["designs"]:
        for series in design["series"]:
            runs = [p for p in series["points"] if p["fidelity"] == "long" and "file" in p]
            if runs and "saturation" in series:
                low, high = series["saturation"]
                longest = max(runs, key=lambda p: p["simulated_ns"] * p["load"])
                yield {"name": "%s %s saturation" % (design["name"], series["traffic"]), "low": low, "high": high, "kind": "saturation",
                       "top": min(1, series["bound"] if series["bound"] is not None else 1), "file": longest["file"], "at": longest["load"]}
        for latency in [design.get("latency")] + design["curve"]:
            if latency and latency.get("mean_half_width_ns") is not None and latency["mean_ns"] is not None:
                mean, half = latency["mean_ns"], latency["mean_half_width_ns"]
                yield {"name": "%s mean at %g" % (design["name"], latency["load"]), "low": mean - half, "high": mean + half, "kind": "mean",
                       "file": latency["file"], "at": latency["load"]}


def run(point, load, tag):
    """The summary of a run at that load."""
    source = os.path.join(options.folder, point["file"])
    manifest, summary = record(source, "manifest"), record(source, "summary")
    path = os.path.join(out, re.sub(r"[^A-Za-z0-9.-]+", "_", point["name"]) + "-" + tag)
    if not os.path.exists(path + ".jsonl.gz"):
        with open(path + ".cfg", "w") as f:
            f.write(manifest["config_text"])
        time = manifest["config"]["time"]
        given = re.fullmatch(r"(\d+)ns", str(time.get("measure", "")))
        window = float(given.group(1)) if given else summary["simulated_ns"]
        window *= options.times * point["at"] / load / (1 if given else 2)
        jobs = manifest["config"]["traffic"]
        command = [program, "run", path + ".cfg", "--quiet", "--out", path + ".jsonl.gz", "--set", "seed=%d" % (manifest["seed"] + 1000),
                   "--set", 'time={ warmup="%.0fns"; measure="%.0fns"; drain=%s; }' % (window, window, '"auto"' if point["kind"] == "mean" else "false")]
        for i in range(len(jobs)):
            command += ["--set", "traffic.[%d].load=%.9g" % (i, load)]
        subprocess.run(command, check=True)
    return record(path + ".jsonl.gz", "summary")


def least(summary):
    return min((j["accepted_load"] / j["offered_load"], j["accepted_load"]) for j in summary["jobs"])


def judge(point):
    if point["kind"] == "mean":
        mean = run(point, point["at"], "mean")["latency_ns"]["mean"]
        return point["low"] <= mean <= point["high"], "%.2f" % mean
    load = min(1, point["high"] * 1.01)
    ratio, share = least(run(point, load, "high"))
    found = "%.4f of %.4f" % (share, load)
    if ratio >= CARRIED and load < min(1, point["top"]):
        load = min(1, point["high"] * 1.03)
        above = least(run(point, load, "above"))[1]
        found += ", %.4f of %.4f" % (above, load)
        share = max(share, above)
    if share > point["high"] and point["high"] < min(1, point["top"]):
        return False, found
    if share >= point["low"]:
        return True, found
    ratio, accepted = least(run(point, point["low"], "low"))
    return ratio >= CARRIED, "%s; %.4f of low" % (found, accepted)


with open(os.path.join(options.folder, "compare.json")) as file:
    study = json.load(file)
everything = list(points(study))
drawn = random.Random(options.seed).sample(everything, min(options.draw, len(everything)))
print("%d of %d points, seed %d" % (len(drawn), len(everything), options.seed))
inside, widest = 0, 0
with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    for point, (good, found) in zip(drawn, pool.map(judge, drawn)):
        half = (point["high"] - point["low"]) / (point["high"] + point["low"])
        inside += good
        widest = max(widest, half)
        print("%-55s [%.6g, %.6g] half %.2f %%: %s %s" % (point["name"], point["low"], point["high"], 100 * half, found, "" if good else "OUTSIDE"), flush=True)
print("%d of %d inside; half-widths up to %.2f %%" % (inside, len(drawn), 100 * widest))
sys.exit(inside < 0.9 * len(drawn))
