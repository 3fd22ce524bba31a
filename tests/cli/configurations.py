"""configurations.py PROGRAM MPIRUN FIRST END EVERY [FOLDER]: draws configurations FIRST .. END - 1 over all keys of `tilefly list`,
many with the least value of their type, 0, 1 or 2 of their unit, and runs each with every scheduler, each EVERY-th on two ranks as well:
all give one status and one digest. What the program refuses is taken back, by the keys that its errors name, and what is left is
run. A refusal that names nothing that could be taken back, a violated invariant and a crash are failures. FOLDER keeps
the configurations that failed or took longer than a run may, and how often each key was refused is printed."""
import collections
import os
import sys
import tempfile

from draws import configuration, program, refused, run, settle, text_of, unnamed

mpirun = sys.argv[2]
first, end, every = map(int, sys.argv[3:6])
kept = sys.argv[6] if len(sys.argv) > 6 else None

WAYS = {
    "sequential": (1, ["--sync", "sequential"]),
    "optimistic": (1, ["--sync", "optimistic", "--set", "engine.stress=60"]),
    "threads": (1, ["--sync", "conservative", "--threads", "2"]),
    "2 ranks": (2, ["--sync", "conservative"]),
    "2 ranks, optimistic": (2, ["--sync", "optimistic", "--set", "engine.stress=60"]),
}


def run_way(path, way):
    ranks, words = WAYS[way]
    command = [program, "run", path, "--json", "--quiet", *words]
    return run([mpirun, str(ranks), *command] if ranks > 1 else command)


outcomes, failures = collections.Counter(), []
work = tempfile.mkdtemp(prefix="tilefly-draws.")
for number in range(first, end):
    keys, path = configuration(number), os.path.join(work, f"{number}.cfg")
    want = settle(keys, path)
    status = want[0]
    outcomes[{0: "ran", 1: "failed", 2: "refused", 3: "stalled", 124: "too long"}.get(status, "broke")] += 1
    said = []
    if status not in (0, 1, 2, 3, 124):
        said.append(f"sequential: status {status}")
    if status in (0, 1, 3):
        for way in list(WAYS)[1:]:
            if WAYS[way][0] > 1 and number % every:
                continue
            got = run_way(path, way)
            if got[0] == 2 and "threads" in way or got[0] == 124:
                outcomes[way + ": " + ("refused" if got[0] == 2 else "too long")] += 1
                continue
            if got[:2] != want:
                said.append(f"{way}: status {got[0]}, digest {got[1]}, not {want[0]}, {want[1]}: {got[2].strip()[-300:]}")
    if said:
        failures.append(number)
        print(f"configuration {number}:", *said, text_of(keys), sep="\n", flush=True)
    if (said or status == 124) and kept:
        os.makedirs(kept, exist_ok=True)
        open(os.path.join(kept, f"{number}{'.long' if not said else ''}.cfg"), "w").write(text_of(keys))
    os.unlink(path)
os.rmdir(work)
print(", ".join(f"{n} {what}" for what, n in outcomes.most_common()))
for text in unnamed:
    print("refused, and nothing to take back:", text)
if kept:
    print("refused:", dict(refused.most_common()))
sys.exit(bool(failures or unnamed))
