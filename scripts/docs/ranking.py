#!/usr/bin/env python3
"""The rankings of a comparison in Markdown, for the marked blocks of docs/.

ranking.py FOLDER [--first N] [--networks | --intervals]

FOLDER is that of results, or a file of what --json printed. First the networks (only these with --networks), then the first N designs (5) of each traffic and of each collective: place, worth or time with half of its
interval. Designs that were not simulated, as by their bounds they cannot be first, are left out. Designs whose network uses less than
85 % of the ports of its switches say so. With --intervals one table instead: the interval of saturation of each design under each
traffic, in brackets the bound where that is below 1."""
import argparse
import json
import os


def significant(x):
    return f"{x:.4g}"


def networks(d):
    print("| network | endpoints | switches | ports of a switch | ports used | topology |\n|---|---|---|---|---|---|")
    for n in d["networks"]:
        if n["failed"]:
            print(f"| {n['name']} | | | | | none: {n['failed'].split(';')[0]} |")
        else:
            used = f"{100 * n['ports_used']:.0f} %" if n.get("ports_used") is not None else ""
            print(f"| {n['name']} | {n['endpoints']} | {n['switches']} | {n['radix']} | {used} | `{n['topology']}` |")


def rows(entries, first, sparse):
    out = sorted((e for e in entries if e[0]), key=lambda e: (e[0], e[1]))[:first]
    places = [e[0] for e in entries]
    return [(f"{p}=" if places.count(p) > 1 else str(p), design + sparse.get(network, ""), text) for p, _, network, design, text in out]


def of_traffic(d, traffic, scale):
    found = []
    for x in d["designs"]:
        for s in x["series"]:
            if s["traffic"] != traffic or not s.get("place") or s["saturation"][0] <= 0:
                continue
            low, high = (scale * w for w in s["worth"])
            a, b = s["saturation"]
            found.append((s["place"], -(low + high), x["network"], x["name"], f"{significant((low + high) / 2)} ± {(high - low) / 2:.2g} ({(a + b) / 2:.3f})"))
    return found


def of_collective(d, name, size, scale):
    found = []
    for x in d["designs"]:
        for c in x["collectives"]:
            if (c["name"], c["size"]) != (name, size) or not c.get("place"):
                continue
            half = f" ± {c['half_width_ns'] / 1000:.2g}" if (c['half_width_ns'] or 0) > 1e-6 * c['time_ns'] else ""
            text = f"{significant(c['time_ns'] / 1000)}{half} us"
            if "worth" in c:
                text = f"{significant(scale * sum(c['worth']) / 2)} ({text})"
            found.append((c["place"], -sum(c["worth"]) if "worth" in c else c["time_ns"], x["network"], x["name"], text))
    return found


def fraction(x):
    return f"{x:.3f}".removeprefix("0")


def intervals(d):
    traffic = list(dict.fromkeys(s["traffic"] for x in d["designs"] for s in x["series"]))
    print("| network, routing | " + " | ".join(traffic) + " |")
    print("|---" * (len(traffic) + 1) + "|")
    for x in d["designs"]:
        cells = []
        for t in traffic:
            s = next(s for s in x["series"] if s["traffic"] == t)
            bound = f" ({fraction(s['bound'])})" if (s.get("bound") or 1) < 1 else ""
            cells.append("–".join(fraction(b) for b in s["saturation"]) + bound if s.get("saturation") else "")
        print(f"| {x['network']}, {x['routing']} | " + " | ".join(cells) + " |")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("folder")
    p.add_argument("--first", type=int, default=5)
    p.add_argument("--networks", action="store_true")
    p.add_argument("--intervals", action="store_true")
    a = p.parse_args()
    with open(os.path.join(a.folder, "compare.json") if os.path.isdir(a.folder) else a.folder) as f:
        d = json.load(f)
    if not d["complete"] and not a.networks:
        raise SystemExit(a.folder + " is not complete")
    money = d["cost_model"] and d["worth_per"] not in ("switch port", "W", "cable")
    scale = 1000 if money else 1
    if a.intervals:
        intervals(d)
        return
    networks(d)
    if a.networks:
        return
    sparse = {n["name"]: f" ({100 * n['ports_used']:.0f} % of the ports)" for n in d["networks"] if (n.get("ports_used") or 1) < 0.85}
    unit = ("1,000 " if money else "") + d["worth_per"]
    print(f"\n| ranking | place | design | Gb/s for each {unit} (of the injection bandwidth), or time |\n|---|---|---|---|")
    traffic = list(dict.fromkeys(s["traffic"] for x in d["designs"] for s in x["series"]))
    collectives = list(dict.fromkeys((c["name"], c["size"]) for x in d["designs"] for c in x["collectives"]))
    for t in traffic:
        for place, design, text in rows(of_traffic(d, t, scale), a.first, sparse):
            print(f"| {t} | {place} | {design} | {text} |")
    for name, size in collectives:
        for place, design, text in rows(of_collective(d, name, size, scale), a.first, sparse):
            print(f"| {name} {size} | {place} | {design} | {text} |")


main()
