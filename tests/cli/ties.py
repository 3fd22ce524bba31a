"""ties.py PROGRAM NUMBER: schedules full of ties, NUMBER halo exchanges of 27 ranks and NUMBER mixtures; with compat = true each ends
when an evaluator of LogGOPSim's rules (loggopsim.py) says, under three sets of parameters."""
import json
import random
import subprocess
import sys

from loggopsim import evaluate, parse

program, number = sys.argv[1], int(sys.argv[2])
SETS = {"D": (2500, 1500, 1000, 6, 0, 65535), "S1": (110000, 30000, 5000, 4, 0, 16384), "S2": (1200, 400, 700, 1, 2, 8192)}


def halo(draw, out, seed, edge, corners, iterations, size, cpus, nics):
    n = edge ** 3
    out.append(f"num_ranks {n}")
    for r in range(n):
        x, y, z = r % edge, r // edge % edge, r // edge ** 2
        around = [(a, b, c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1)
                  if (a, b, c) != (0, 0, 0) and (corners or abs(a) + abs(b) + abs(c) == 1)]
        out.append(f"rank {r} {{")
        label, last = 0, None
        for it in range(iterations):
            now = []
            for k, (a, b, c) in enumerate(around):
                peer = (x + a) % edge + edge * ((y + b) % edge) + edge ** 2 * ((z + c) % edge)
                back = len(around) - 1 - k
                for what in (f"recv {size}b from {peer} tag {back}", f"send {size}b to {peer} tag {k}"):
                    now.append((label, what + f" cpu {label % cpus} nic {label // 2 % nics}"))
                    label += 1
            if seed % 2:
                draw.shuffle(now)
            calc = (label, f"calc {draw.choice([0, 500, 5000]) if seed % 3 else 1000} cpu {label % cpus}")
            label += 1
            for l, what in now + [calc]:
                out.append(f"l{l}: {what}")
            for l, _ in now:
                if last is not None:
                    out.append(f"l{l} requires l{last}")
                out.append(f"l{calc[0]} requires l{l}")
            last = calc[0]
        out.append("}")


def mixed(draw, out, n, most, cpus, nics):
    lines, count = [[] for _ in range(n)], [0] * n
    needs = [[] for _ in range(n)]
    size = draw.choice([1, 8, 1000, 20000, 70000])
    for _ in range(most):
        a = draw.randrange(n)
        b = (a + draw.randint(1, n - 1)) % n if n > 1 else a
        if draw.random() < 0.7:
            tag = draw.choice([0, 0, 1])
            lines[a].append(f"l{count[a]}: send {size}b to {b} tag {tag} cpu {draw.randrange(cpus)} nic {draw.randrange(nics)}")
            lines[b].append(f"l{count[b] + (a == b)}: recv {size}b from {a} tag {tag} cpu {draw.randrange(cpus)} nic {draw.randrange(nics)}")
            count[b] += 1
        else:
            lines[a].append(f"l{count[a]}: calc {draw.choice([0, 0, 100, 1500, 2500])} cpu {draw.randrange(cpus)}")
        count[a] += 1
        if count[a] > 1 and draw.random() < 0.5:
            k = draw.randrange(count[a] - 1)
            needs[a].append(f"l{count[a] - 1} {draw.choice(['', '', 'i'])}requires l{k}")
    out.append(f"num_ranks {n}")
    for r in range(n):
        out.extend([f"rank {r} {{", *lines[r], *needs[r], "}"])


def schedule(kind, seed):
    draw, out = random.Random(f"{kind} {seed}"), []
    cpus, nics = draw.choice([1, 2, 3]), draw.choice([1, 2, 3])
    if kind == "halo":
        halo(draw, out, seed, 3, draw.random() < 0.6, draw.randint(1, 3), draw.choice([8, 1000, 4096, 70000]), cpus, nics)
    else:
        mixed(draw, out, draw.randint(2, 9), draw.randint(20, 400), cpus, nics)
    return "\n".join(out)


bad = runs = others = 0
for kind in ("halo", "mixed"):
    for seed in range(number):
        text = schedule(kind, seed)
        open("ties.goal", "w").write(text)
        ranks = parse(text)
        for name, (L, o, g, G, O, S) in SETS.items():
            want = max(evaluate(ranks, L, o, g, G, O, S))
            network = f'kind = "loggops"; L = "{L}ns"; o = "{o}ns"; g = "{g}ns"; G = {G * 1000}.0; O = {O * 1000}.0; S = "{S}B";'
            open("ties.cfg", "w").write(
                f'topology = {{ kind = "single"; ports = {len(ranks)}; }}; network = {{ {network} }};'
                f'traffic = ( {{ process = "goal"; file = "ties.goal"; unit = "1ns"; }} );')
            got = [subprocess.run([program, "run", "ties.cfg", "--json", "--quiet", "--set", f"network.compat={compat}"],
                                  capture_output=True, text=True) for compat in ("true", "false")]
            ends = [json.loads(r.stdout)["jobs"][0]["completion_ns"] if r.returncode == 0 else r.stderr for r in got]
            runs += 1
            others += ends[1] != want
            if ends[0] != want:
                bad += 1
                print(f"{kind} {seed}, set {name}: ends at {ends[0]}, not {want}")
print(f"{runs} runs, {bad} differ; by the default order {others}")
sys.exit(bad != 0)
