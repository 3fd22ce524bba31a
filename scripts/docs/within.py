#!/usr/bin/env python3
"""within.py OLD NEW PERCENT: do two texts agree, numbers within PERCENT of the larger or one of the last digit that is written?

Prints what does not; exit status 1 then. Words and the number of numbers must be equal."""
import re
import sys

NUMBER = re.compile(r"(?<![\w.])\d*\.?\d+(?![\w])")


def step(text):
    return 10.0 ** -len(text.partition(".")[2])


def main():
    old, new = (open(path).read() for path in sys.argv[1:3])
    share = float(sys.argv[3]) / 100
    if NUMBER.sub("#", old).split() != NUMBER.sub("#", new).split():
        print("the words differ, or there is a number where there was none")
        return 1
    bad = 0
    for line, fresh in zip(old.splitlines(), new.splitlines()):
        for was, now in zip(NUMBER.findall(line), NUMBER.findall(fresh)):
            a, b = float(was), float(now)
            if abs(a - b) > max(share * max(abs(a), abs(b)), 1.0001 * max(step(was), step(now))):
                print(f"{was} was written, {now} comes: {line}")
                bad += 1
    return 1 if bad else 0


sys.exit(main())
