#!/usr/bin/env python3
"""Schedules of applications with one message in flight a network interface, in messages of 64 KiB and more:
goal_apps.py NAME FILE"""
import random
import sys

random.seed(7)


class Schedule:
    def __init__(self, ranks):
        self.lines = [[] for _ in range(ranks)]
        self.last = [[] for _ in range(ranks)]  # labels that what comes next waits for

    def step(self, rank, *operations):
        """All of these, when all of the rank's step before have ended."""
        labels = []
        for text in operations:
            label = f"l{len(self.lines[rank])}x{len(labels)}"
            self.lines[rank].append(f"{label}: {text}")
            self.lines[rank] += [f"{label} requires {before}" for before in self.last[rank]]
            labels.append(label)
        self.last[rank] = labels

    def write(self, path):
        with open(path, "w") as out:
            print(f"num_ranks {len(self.lines)}", file=out)
            for rank, lines in enumerate(self.lines):
                print(f"rank {rank} {{", *lines, "}", sep="\n", file=out)


def ring(n=6, size=98304):
    s = Schedule(n)
    for step in range(2 * (n - 1)):
        time = random.randrange(20000)
        for r in range(n):
            s.step(r, f"send {size}b to {(r + 1) % n} tag {step}", f"recv {size}b from {(r - 1) % n} tag {step}")
            s.step(r, f"calc {time}")
    return s


def doubling(n=8, size=65536):
    s = Schedule(n)
    for k in range(3):
        for r in range(n):
            s.step(r, f"calc {5000 + 1000 * k}")
            s.step(r, f"send {size}b to {r ^ 1 << k} tag {k}", f"recv {size}b from {r ^ 1 << k} tag {k}")
    return s


def tree(n=13, size=200000):
    """Reduces to rank 0 and broadcasts, in a binomial tree."""
    s = Schedule(n)
    levels = (n - 1).bit_length()
    for down in (0, 1):
        for k in reversed(range(levels)) if down else range(levels):
            for r in range(0, n, 2 << k):
                if r + (1 << k) < n:
                    child = r + (1 << k)
                    a, b = (r, child) if down else (child, r)
                    s.step(a, f"send {size}b to {b} tag {down}")
                    s.step(b, f"recv {size}b from {a} tag {down}")
    return s


def pairwise(n=7, size=131072):
    s = Schedule(n)
    for k in range(1, n):
        for r in range(n):
            s.step(r, f"send {size}b to {(r + k) % n} tag {k}", f"recv {size}b from {(r - k) % n} tag {k}")
    return s


def token(n=5, laps=4):
    s = Schedule(n)
    for i in range(laps * n):
        s.step(i % n, f"calc {random.randrange(50000)}")
        s.step(i % n, f"send {70000 + 1000 * i}b to {(i + 1) % n} tag {i}")
        s.step((i + 1) % n, f"recv {70000 + 1000 * i}b from {i % n} tag {i}")
    return s


globals()[sys.argv[1]]().write(sys.argv[2])
