"""paths.py PROGRAM draws FIRST END EVERY | shipped LOADS: endpoints that are decided on ahead of time give the digest of those that
are decided on as they send (engine.path = "exact"), when all arrives (time.drain). `draws`: of configurations FIRST .. END - 1 of
draws.py, without what leaves only one of the two paths, with endpoints that send most of the time; each EVERY-th runs on the exact path
with rollbacks and with threads, too. `shipped`: of all shipped configurations, cut to a short time, with each of LOADS (comma-separated)."""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

from draws import configuration, program, run, settle, text_of, unnamed

# What is changed of shipped configurations that would take long.
SMALLER = {
    "slimfly-1m": ["topology.q=7"], "slimfly-74k": ["topology.q=7"], "torus-32k": ["topology.dims=[4,4,4]"],
    "booksim-dragonfly": ["time.measure=1us"],
    "dragonfly-50m": ["topology.p=4", "topology.a=4", "topology.h=2"], "dragonfly-slingshot-max": ["topology.g=3"],
}
FURTHER = {
    "with rollbacks": ["--sync", "optimistic", "--set", "engine.stress=60"],
    "with threads": ["--sync", "conservative", "--threads", "2"],
}


def for_both(number):
    """The drawn configuration, as far as both paths can run it."""
    draw = random.Random(f"paths {number}")
    keys = {k: v for k, v in configuration(number).items()
            if not k.startswith(("congestion.", "nic.")) and not (k.startswith("classes.") and not k.endswith(".name"))}
    keys.update({"congestion.kind": '"none"', "time.drain": "true", "time.measure": f'"{draw.choice([2, 5])}us"'})
    keys["topology"] = re.sub(r"\b(endpoints|p) = \d+", r"\1 = 4", keys["topology"]) # which begin to send together ...
    if draw.random() < 0.6:
        keys["switch.buffer"] = draw.choice(['"2KiB"', '"4KiB"', '"8KiB"']) # ... as room comes back to several at once
    for job in sorted({k.rsplit(".", 1)[0] for k in keys if k.startswith("traffic.")}):
        if job + ".process" in keys:
            for k in [k for k in keys if k.startswith(job + ".") and not k.endswith(".class")]:
                del keys[k]
            keys[job + ".pattern"] = '"uniform"'
        if draw.random() < 0.5:
            keys[job + ".injection"] = '"bernoulli"' # whose slots begin at the same picosecond at all endpoints
            for k in (".burst", ".duty"):
                keys.pop(job + k, None)
        keys[job + ".load"] = draw.choice(["0.5", "0.9", "1.0"])
        keys[job + ".packet"] = draw.choice(['"64B"', '"256B"', '"1KiB"'])
    return keys


def compare(name, words):
    """Runs a configuration by both paths; what the exact one gave, or None where one took too long."""
    ways = {path: run([program, "run", *words, "--json", "--quiet", "--sync", "sequential", "--set", f"engine.path={path}"])
            for path in ("auto", "exact")}
    if any(status == 124 for status, _, _ in ways.values()):
        outcomes["too long"] = outcomes.get("too long", 0) + 1
        return None
    outcomes["compared"] = outcomes.get("compared", 0) + 1
    if ways["auto"][:2] != ways["exact"][:2] or ways["auto"][0] not in (0, 1, 3):
        failures.append(name)
        print(f"{name}: ahead {ways['auto'][:2]}, exact {ways['exact'][:2]}", ways["exact"][2].strip()[-300:], flush=True)
    return ways["exact"][:2]


def draws(first, end, every):
    for number in range(first, end):
        path = os.path.join(work, f"{number}.cfg")
        keys = for_both(number)
        if settle(keys, path)[0] not in (0, 1, 3):
            outcomes["refused or too long"] = outcomes.get("refused or too long", 0) + 1
            continue
        before, want = len(failures), compare(f"configuration {number}", [path])
        for way, words in FURTHER.items() if want and number % every == 0 else ():
            got = run([program, "run", path, "--json", "--quiet", *words, "--set", "engine.path=exact"])
            if got[0] not in (2, 124) and got[:2] != want:
                failures.append(f"configuration {number}")
                print(f"configuration {number}, {way}: {got[:2]}, not {want}", flush=True)
        if len(failures) > before:
            print(text_of(keys), flush=True)


def shipped(loads):
    out = subprocess.run([program, "list", "configs"], capture_output=True, text=True, check=True).stdout
    for name in re.findall(r"^([\w-]+)  ", out, re.M):
        for load in loads.split(","):
            short = ["time.warmup=1us", "time.measure=3us", "time.drain=true", f"traffic.[0].load={load}"]
            short += SMALLER.get(name, [])
            compare(f"{name} at {load}", [name, *(w for s in short for w in ("--set", s))])


outcomes, failures = {}, []
work = tempfile.mkdtemp(prefix="tilefly-paths.")
if sys.argv[2] == "draws":
    draws(*map(int, sys.argv[3:6]))
else:
    shipped(sys.argv[3])
shutil.rmtree(work)
print(", ".join(f"{n} {what}" for what, n in outcomes.items()))
for text in unnamed:
    print("refused, and nothing to take back:", text)
if not outcomes.get("compared"):
    print("nothing was compared")
sys.exit(bool(failures or unnamed or not outcomes.get("compared")))
