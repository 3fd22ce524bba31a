#!/usr/bin/env python3
"""The front of a search for designs in Markdown, for the marked blocks of docs/.

design.py FOLDER

One row a candidate of the front, in order of the first objective: its variables, and each objective with half of its interval."""
import argparse
import json
import os


def middle(interval):
    low, high = interval
    half = f" ± {(high - low) / 2:.2g}" if high > low else ""
    return f"{(low + high) / 2:.4g}{half}"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("folder")
    a = p.parse_args()
    with open(os.path.join(a.folder, "design.json")) as f:
        d = json.load(f)
    if not d["complete"]:
        raise SystemExit(a.folder + " is not complete")
    front = [c for c in d["candidates"] if c["state"] == "front"]
    names = [o["name"] for o in d["objectives"]]
    paths = list(dict.fromkeys(path for c in front for path in c["variables"]))
    print("| " + " | ".join(paths + [o["name"] + (f" ({o['unit']})" if o.get("unit") else "") for o in d["objectives"]]) + " |")
    print("|---" * (len(paths) + len(names)) + "|")
    for c in sorted(front, key=lambda c: [sum(c["objectives"][n]) for n in names]):
        values = [" ".join(c["variables"].get(path, "").split()) for path in paths]
        print("| " + " | ".join([f"`{v}`" if v.startswith("{") else v for v in values] + [middle(c["objectives"][n]) for n in names]) + " |")


main()
