#!/usr/bin/env python3
"""docs/examples/front.py - the results of `tilefly design` or `tilefly compare`, with pandas and matplotlib.

    front.py FOLDER [PICTURE]

Prints the front of a design, or the ranking of a comparison, as a table, and draws it with its intervals. Debian has both
packages: apt-get install python3-pandas python3-matplotlib. Without them it says so, and ends with status 77."""
import os
import sys

try:
    import matplotlib
    import pandas
except ImportError as missing:
    print(f"front.py: {missing}: apt-get install python3-pandas python3-matplotlib", file=sys.stderr)
    sys.exit(77)
matplotlib.use("Agg")
from matplotlib import pyplot


def bars(low, high):
    """Middles, and the distances to both ends."""
    return (low + high) / 2, (high - low) / 2


def draw_front(table, axes):
    first, second = [name[: -len("_low")] for name in table.columns if name.endswith("_low")][:2]
    x, dx = bars(table[first + "_low"], table[first + "_high"])
    y, dy = bars(table[second + "_low"], table[second + "_high"])
    axes.errorbar(x, y, xerr=dx, yerr=dy, fmt="o", capsize=3)
    axes.set_xlabel(first)
    axes.set_ylabel(second)


def draw_ranking(table, axes):
    table = table[(table.traffic == table.traffic.iloc[0]) & (table.state != "failed")]
    x, dx = bars(table.worth_low, table.worth_high)
    axes.errorbar(x, table.design, xerr=dx, fmt="o", capsize=3)
    axes.set_xlabel("worth under " + table.traffic.iloc[0])
    axes.invert_yaxis()


def main():
    folder = sys.argv[1]
    design = os.path.exists(os.path.join(folder, "front.csv"))
    table = pandas.read_csv(os.path.join(folder, "front.csv" if design else "ranking.csv"))
    print(table.to_string(index=False))
    figure, axes = pyplot.subplots()
    (draw_front if design else draw_ranking)(table, axes)
    figure.tight_layout()
    figure.savefig(sys.argv[2] if len(sys.argv) > 2 else os.path.join(folder, "front.svg"))


main()
