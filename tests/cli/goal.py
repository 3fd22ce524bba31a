"""goal.py FILE: runs a GOAL schedule with any timing: every operation must come to its turn, every message be received
with the bytes that were sent. Prints messages and bytes by number of the communication (tag // 64)."""
import collections
import re
import sys

ranks = {}
rank = None
for line in open(sys.argv[1]):
    line = line.split("//")[0].strip()
    if m := re.fullmatch(r"num_ranks (\d+)", line):
        number = int(m[1])
    elif m := re.fullmatch(r"rank (\d+) \{", line):
        rank = ranks[int(m[1])] = {}
    elif m := re.fullmatch(r"(l\d+): calc (\d+)", line):
        rank[m[1]] = [("calc", int(m[2])), set()]
    elif m := re.fullmatch(r"(l\d+): (send|recv) (\d+)b (?:to|from) (\d+) tag (\d+)", line):
        rank[m[1]] = [(m[2], int(m[3]), int(m[4]), int(m[5])), set()]
    elif m := re.fullmatch(r"(l\d+) requires (l\d+)", line):
        assert m[2] in rank, "a label that is not defined yet"
        rank[m[1]][1].add(m[2])
    else:
        assert line in ("", "}"), line
assert sorted(ranks) == list(range(number))
flight = collections.defaultdict(list)
count = collections.defaultdict(lambda: [0, 0])
done = {r: set() for r in ranks}
going = True
while going:
    going = False
    for r, ops in ranks.items():
        for label, (op, needs) in ops.items():
            if label in done[r] or not needs <= done[r]:
                continue
            if op[0] == "send":
                flight[r, op[2], op[3]].append(op[1])
                count[op[3] // 64][0] += 1
                count[op[3] // 64][1] += op[1]
            elif op[0] == "recv":
                if not flight[op[2], r, op[3]]:
                    continue
                assert flight[op[2], r, op[3]].pop(0) == op[1], "a message of another length"
            done[r].add(label)
            going = True
for r, ops in ranks.items():
    assert len(done[r]) == len(ops), f"rank {r} waits for ever"
assert not any(flight.values()), "messages that nothing receives"
for k in sorted(count):
    print(k, *count[k])
