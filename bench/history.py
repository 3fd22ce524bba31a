#!/usr/bin/env python3
"""bench/history.py - one line per release with the cost of runs, bench/history.csv, and its table in docs/scaling.md.

  bench/history.py          the lines of bench/history.csv as a table
  bench/history.py --add    writes the line of the version in CMakeLists.txt from bench/guard.tsv, anew if there is one

The figures are counts, which bench/guard.sh --record makes: they do not depend on how fast or how busy a machine is."""
import argparse
import csv
import datetime
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / "bench" / "history.csv"
# column: quantity and case of bench/guard.tsv, what the table says of it, decimals there
COUNTS = {
    "slimfly_3k_instructions": ("instructions", "slimfly-3k, minimal", "slimfly-3k, instructions a packet-hop", 0),
    "slimfly_74k_instructions": ("instructions", "slimfly-74k, minimal", "slimfly-74k", 0),
    "torus_instructions": ("instructions", "torus-512, minimal", "torus", 0),
    "tiled_instructions": ("instructions", "tiled: dragonfly-1056", "tiled dragonfly-1056", 0),
    "slimfly_1m_megabytes": ("memory", "slimfly-1m", "slimfly-1m, MB", 0),
    "largest_of_8_megabytes": ("rank_memory", "slimfly-74k on 8 ranks", "largest of 8 ranks of slimfly-74k, MB", 0),
    "window_bytes_8": ("message_bytes", "slimfly-74k on 8 ranks", "bytes a window and rank", 0),
    "window_messages_8": ("messages", "slimfly-74k on 8 ranks", "messages", 1),
}


def lines():
    with open(FILE, newline="") as file:
        return list(csv.DictReader(file))


def add():
    version = re.search(r"project\(\w+\s+VERSION\s+([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    counted = {}
    for line in (ROOT / "bench" / "guard.tsv").read_text().splitlines():
        if not line.startswith("#"):
            quantity, case, value, _ = line.split("\t")
            counted[quantity, case] = value
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    line = {"version": version, "commit": commit, "date": datetime.date.today().isoformat()}
    line.update((column, counted[quantity, case]) for column, (quantity, case, _, _) in COUNTS.items())
    kept = [old for old in lines() if old["version"] != version] if FILE.exists() else []
    with open(FILE, "w", newline="") as file:
        writer = csv.DictWriter(file, line.keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept + [line])


def table():
    print("| release | commit | " + " | ".join(said for _, _, said, _ in COUNTS.values()) + " |")
    print("|---" * (len(COUNTS) + 2) + "|")
    for line in lines():
        print("| %s | %s | %s |" % (line["version"], line["commit"],
                                    " | ".join("%.*f" % (count[3], float(line[column])) for column, count in COUNTS.items())))


def main():
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--add", action="store_true")
    if parser.parse_args().add:
        add()
    table()


if __name__ == "__main__":
    main()
