"""loggopsim.py FILE L o g G O S [ORDER]: when each rank of a GOAL schedule ends by the rules of LogGOPSim (spcl, 76451de; in words
in docs/goal.md): one queue of all that is pending, by time, then by when it entered, counted over all ranks. Operations that
become ready together are sorted as std::sort of GNU's library does it. ORDER: "stable", or a number: what is pending at one time is in
random order instead. An evaluator of its own: nothing of the program is read."""
import heapq
import random
import re
import sys

SEND, RECV, CALC, MESSAGE = 1, 2, 3, 4
ANY = -1


def insert(v, i, less, low):
    x = v[i]
    while i > low and less(x, v[i - 1]):
        v[i] = v[i - 1]
        i -= 1
    v[i] = x


def adjust_heap(v, base, hole, n, x, less):
    top, child = hole, hole
    while child < (n - 1) // 2:
        child = 2 * (child + 1)
        if less(v[base + child], v[base + child - 1]):
            child -= 1
        v[base + hole] = v[base + child]
        hole = child
    if n % 2 == 0 and child == (n - 2) // 2:
        child = 2 * (child + 1)
        v[base + hole] = v[base + child - 1]
        hole = child - 1
    while hole > top and less(v[base + (hole - 1) // 2], x):
        v[base + hole] = v[base + (hole - 1) // 2]
        hole = (hole - 1) // 2
    v[base + hole] = x


def heap_sort(v, first, last, less):
    n = last - first
    for parent in range((n - 2) // 2, -1, -1):
        adjust_heap(v, first, parent, n, v[first + parent], less)
    while last - first > 1:
        last -= 1
        x, v[last] = v[last], v[first]
        adjust_heap(v, first, 0, last - first, x, less)


def std_sort(v, less):
    """GNU's std::sort: quicksort by the median of three down to 16, then by insertion."""
    def partition(first, last):
        a, b, c, to = first + 1, first + (last - first) // 2, last - 1, first
        if less(v[a], v[b]):
            k = b if less(v[b], v[c]) else c if less(v[a], v[c]) else a
        else:
            k = a if less(v[a], v[c]) else c if less(v[b], v[c]) else b
        v[to], v[k] = v[k], v[to]
        pivot, i, j = first, first + 1, last
        while True:
            while less(v[i], v[pivot]):
                i += 1
            j -= 1
            while less(v[pivot], v[j]):
                j -= 1
            if i >= j:
                return i
            v[i], v[j] = v[j], v[i]
            i += 1

    def loop(first, last, depth):
        while last - first > 16:
            if depth == 0:
                heap_sort(v, first, last, less)
                return
            depth -= 1
            cut = partition(first, last)
            loop(cut, last, depth)
            last = cut

    n = len(v)
    if n > 1:
        loop(0, n, 2 * (n.bit_length() - 1))
        for i in range(1, n):
            insert(v, i, less, 0)


def parse(text):
    ranks, current = {}, None
    for line in text.splitlines():
        line = line.split("//")[0].strip()
        if m := re.fullmatch(r"num_ranks (\d+)", line):
            n = int(m[1])
        elif m := re.fullmatch(r"rank (\d+) \{", line):
            current = ranks[int(m[1])] = []
            labels = {}
        elif m := re.fullmatch(r"(\w+) (i?)requires (\w+)", line):
            a, b = labels[m[1]], labels[m[3]]
            a["waits"] += 1
            b["started" if m[2] else "done"].append(a["i"])
        elif m := re.fullmatch(r"(?:(\w+):\s*)?(send|recv|calc) (\d+)b?(?: (?:to|from) (-?\d+))?(.*)", line):
            words = m[5].split()
            option = dict(zip(words[::2], words[1::2]))
            op = {"kind": {"send": SEND, "recv": RECV, "calc": CALC}[m[2]], "size": int(m[3]), "waits": 0,
                  "peer": int(m[4]) if m[4] else 0, "tag": int(option.get("tag", 0)), "cpu": int(option.get("cpu", 0)),
                  "nic": int(option.get("nic", 0)), "done": [], "started": [], "i": len(current)}
            current.append(op)
            if m[1]:
                labels[m[1]] = op
        else:
            assert line in ("", "}") or line.startswith("/*"), line
    return [ranks.get(r, []) for r in range(n)]


def evaluate(ranks, L, o, g, G, O, S, order="std"):
    chance = random.Random(int(order)) if str(order).isdigit() else None
    n = len(ranks)
    cpu = [[0] * 256 for _ in range(n)]
    out, into = [[0] * 256 for _ in range(n)], [[0] * 256 for _ in range(n)]
    posted, arrived, ready = [[] for _ in range(n)], [[] for _ in range(n)], [[] for _ in range(n)]
    waits = [[op["waits"] for op in ops] for ops in ranks]
    queue, serial = [], 0

    def enter(time, what):
        nonlocal serial
        heapq.heappush(queue, (time, chance.random() if chance else serial, serial, what))
        serial += 1

    def release(r, numbers):
        for i in numbers:
            waits[r][i] -= 1
            if waits[r][i] == 0:
                ready[r].append(i)

    def enter_ready(r, begin=False):
        v = ready[r]
        ops = ranks[r]
        if order == "std":
            std_sort(v, lambda a, b: ops[a]["kind"] < ops[b]["kind"])
        else:
            v.sort(key=lambda a: ops[a]["kind"])
        for i in v:
            op = ops[i]
            t = cpu[r][op["cpu"]]
            if op["kind"] == SEND:
                t = max(t, out[r][op["nic"]])
            enter(0 if begin else t, (op["kind"], r, op))
        ready[r] = []

    def fits(recv, send, source):
        return recv["peer"] in (ANY, source) and recv["tag"] in (ANY, send["tag"])

    for r in range(n):
        ready[r] = [op["i"] for op in ranks[r] if not op["waits"]]
        enter_ready(r, True)
    while queue:
        t, by, number, (kind, r, op) = heapq.heappop(queue)
        again, touched = None, []
        k = op["size"] - 1
        if kind == CALC:
            if cpu[r][op["cpu"]] <= t:
                cpu[r][op["cpu"]] = t + op["size"]
                release(r, op["started"])
                release(r, op["done"])
                touched = [r]
            else:
                again = cpu[r][op["cpu"]]
        elif kind == SEND:
            again = max(cpu[r][op["cpu"]], out[r][op["nic"]])
            if again <= t:
                again = None
                release(r, op["started"])
                cpu[r][op["cpu"]] = t + o + k * O
                out[r][op["nic"]] = t + g + k * G
                enter(t + o + L, (MESSAGE, op["peer"], {**op, "source": r}))
                if op["size"] <= S:
                    release(r, op["done"])
                touched = [r]
        elif kind == RECV:
            release(r, op["started"])
            touched = [r]
            for m in arrived[r]:
                if fits(op, m, m["source"]):
                    arrived[r].remove(m)
                    if op["size"] > S:
                        s = m["source"]
                        release(s, m["done"])
                        touched.append(s)
                        cpu[s][op["cpu"]] = max(cpu[s][op["cpu"]], t)
                        out[s][op["nic"]] = max(out[s][op["nic"]], t)
                    release(r, op["done"])
                    break
            else:
                posted[r].append(op)
        else:
            again = max(cpu[r][op["cpu"]], into[r][op["nic"]])
            if again <= t:
                again = None
                cpu[r][op["cpu"]] = t + o + max(k * O, k * G)
                into[r][op["nic"]] = t + g + k * G
                for p in posted[r]:
                    if fits(p, op, op["source"]):
                        posted[r].remove(p)
                        if op["size"] > S:
                            s = op["source"]
                            release(s, op["done"])
                            touched.append(s)
                            cpu[s][op["cpu"]] = max(cpu[s][op["cpu"]], t)
                            out[s][op["nic"]] = max(out[s][op["nic"]], t)
                        release(r, p["done"])
                        touched.append(r)
                        break
                else:
                    arrived[r].append(op)
        if again is not None:
            heapq.heappush(queue, (again, by, number, (kind, r, op)))
        for h in sorted(set(touched)):
            enter_ready(h)
    return [max(c) for c in cpu]


if __name__ == "__main__":
    parameters = [int(v) for v in sys.argv[2:8]]
    print(*evaluate(parse(open(sys.argv[1]).read()), *parameters, *sys.argv[8:]))
