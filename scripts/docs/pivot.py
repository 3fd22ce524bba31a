#!/usr/bin/env python3
"""A table of a sweep's summary.csv in Markdown, for the marked blocks of docs/.

pivot.py SUMMARY VALUE --rows AXIS --columns AXIS [--cells AXIS] [--where AXIS=LABEL]... [--scale X] [--absent WORD]
         [--names AXIS:LABEL=TEXT]...

One row a label of --rows, one column a label of --columns; with --cells a cell holds the values of all labels of that axis, with
"; " between them, and so with several VALUEs (columns of summary.csv, with commas). Values are multiplied by --scale and printed with two or three significant digits; one that is not there is WORD.
"""
import argparse
import csv
import math


def short(x):
    """Two significant digits below 1 and above 1.95, more where 1.0 would hide what there is."""
    if abs(x - 1) < 0.005:
        return "1"
    if 0 < x < 1:
        return f"{x:.2f}".lstrip("0")
    if x < 9.95:
        return f"{x:.1f}"
    return f"{x:.0f}"


def fixed(x):
    return f"{x:.1f}" if x < 99.95 else f"{x:.0f}"


def share(x):
    return f"{x:.3f}".lstrip("0") if x < 0.9995 else f"{x:.2f}"


def count(x):
    return f"{x:.0f}"


STYLES = {"short": short, "fixed": fixed, "share": share, "count": count}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("summary")
    p.add_argument("value")
    p.add_argument("--rows", required=True)
    p.add_argument("--columns", required=True)
    p.add_argument("--cells")
    p.add_argument("--where", action="append", default=[])
    p.add_argument("--without", action="append", default=[])
    p.add_argument("--scale", type=float, default=1)
    p.add_argument("--absent", default="none")
    p.add_argument("--style", choices=sorted(STYLES), default="short")
    p.add_argument("--carried", action="store_true", help="only of points that deliver 98 % of what is offered")
    p.add_argument("--names", action="append", default=[])
    a = p.parse_args()
    where = dict(w.split("=", 1) for w in a.where)
    without = [w.split("=", 1) for w in a.without]
    names = dict(n.split("=", 1) for n in a.names)
    with open(a.summary, newline="") as f:
        points = [q for q in csv.DictReader(f) if all(q[k] == v for k, v in where.items())
                  and not any(q[k] == v for k, v in without)]
    if not points:
        raise SystemExit("no such points in " + a.summary)

    def labels(axis):
        return list(dict.fromkeys(q[axis] for q in points)) if axis else [None]

    def text(written):
        x = float(written) * a.scale if written else math.nan
        return a.absent if math.isnan(x) else STYLES[a.style](x)

    def cell(row, column, of):
        for q in points:
            if q[a.rows] == row and q[a.columns] == column and (of is None or q[a.cells] == of):
                if a.carried and float(q["accepted_load"] or 0) < 0.98 * float(q["offered_load"] or 0):
                    return a.absent
                return "; ".join(text(q[value]) for value in a.value.split(","))
        return a.absent

    columns = labels(a.columns)
    print("| " + " | ".join([names.get(a.rows, a.rows)] + [names.get(c, c) for c in columns]) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for row in labels(a.rows):
        cells = ["; ".join(cell(row, column, of) for of in labels(a.cells)) for column in columns]
        print("| " + " | ".join([names.get(row, row)] + cells) + " |")


main()
