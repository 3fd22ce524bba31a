#!/usr/bin/env bash
# Runs that are interrupted at random instants have the results of runs that were planned to end there, whatever the scheduler, the
# number of ranks and threads and what is recorded. TILEFLY_DRAWS: how many; TILEFLY_SEED: which. Every draw is printed with its seed.
source "$(dirname "$0")/run.bash"
cat >draw.py <<'END'
import gzip, json, os, random, signal, subprocess, sys, time

program, mpirun, draws, first = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
NETWORKS = [
    ["slimfly-3k", "topology.q=5", "topology.endpoints=3"],
    ["dragonfly-1056", "topology.p=2", "topology.a=4", "topology.h=2", 'routing.kind="ugal-l"'],
    ["torus-8x8x8", "topology.dims=[4,4,4]"],
    ["dragonfly-tiled-1056", "topology.p=1", "topology.a=4", "topology.h=1", "topology.g=5"],
    ["fattree-trim-128"],
]
RECORDS = ["record.packets=true", "record.timeline=1us", "record.ports=true", "record.activity=true"]
MODES = [
    (1, ["--sync", "sequential"]), (1, ["--threads", "2"]), (2, ["--sync", "conservative"]), (2, ["--sync", "optimistic"]),
    (3, ["--sync", "conservative", "--set", "engine.threads=1"]), (4, ["--sync", "optimistic"]),
    (8, ["--sync", "conservative", "--set", "engine.threads=1"]), (2, ["--sync", "conservative", "--threads", "2"]),
    (5, ["--sync", "optimistic", "--set", "engine.balance=\"off\""]),
]


def command(ranks, network, sets, mode, out):
    words = [word for pair in network[1:] + sets for word in ("--set", pair)]
    launcher = ["bash", mpirun, str(ranks)] if ranks > 1 else []
    return launcher + [program, "run", network[0], "--json", "--progress", "always", "--out", out] + words + mode


def without(value, names):
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        without(inner, names)
    if isinstance(value, dict):
        for name in names:
            value.pop(name, None)


def log(path):
    """All records but those that say how it was computed: the length that was planned, the ranks, whether it is complete;
    and whether a load is stationary, which is not asked of a run without an end."""
    kept = []
    for line in gzip.open(path, "rt"):
        record = json.loads(line)
        if record["record"] in ("manifest", "engine", "end"):
            continue
        without(record, ("engine", "complete", "stationary"))
        kept.append(record)
    return kept


def draw(seed):
    draws = random.Random(seed)
    network, (ranks, mode) = draws.choice(NETWORKS), draws.choice(MODES)
    sets = draws.sample(RECORDS, draws.randint(0, len(RECORDS)))
    if "record.activity=true" in sets and "record.timeline=1us" not in sets:
        sets.append("record.timeline=2us")
    sets += ["time.warmup=%dns" % draws.choice([0, 100, 300])]
    wait = draws.uniform(0, 0.7)
    said = "seed %d: %s on %d ranks, %s, after %.2f s" % (seed, " ".join(network + sets), ranks, " ".join(mode), wait)
    for name in ("cut.jsonl.gz", "planned.jsonl.gz"):
        if os.path.exists(name):
            os.remove(name)
    process = subprocess.Popen(command(ranks, network, sets + ["time.measure=20ms"], mode, "cut.jsonl.gz"), text=True,
                               stdout=subprocess.PIPE, stderr=open("err", "w"), start_new_session=True, stdin=subprocess.DEVNULL,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    start = time.time()
    while process.poll() is None and time.time() - start < 60 and "ETA" not in open("err").read():
        time.sleep(0.005)  # a launcher does not always end when its processes are killed before they know each other
    time.sleep(wait)
    asked = time.time()
    for pid in running():
        try:
            os.kill(pid, signal.SIGINT)
        except ProcessLookupError:
            pass
    out, err = process.communicate(timeout=60)[0], open("err").read()
    took = time.time() - asked
    if not out:
        return "%s: no result, exit status %d: %s" % (said, process.returncode, err), said, took
    cut = json.loads(out)
    if cut["complete"]:
        return "%s: complete, exit status %s" % (said, process.returncode), said, took
    length = round((cut["measured_to_ns"] - cut["measured_from_ns"]) * 1000)
    if length <= 0:
        return None, said + ", in the warm-up", took
    done = subprocess.run(command(1, network, sets + ["time.measure=%dps" % length, "time.drain=false"], ["--sync", "sequential"],
                                  "planned.jsonl.gz"), capture_output=True, text=True)
    if done.returncode:
        return "%s: the planned run of %d ps: %s" % (said, length, done.stderr), said, took
    planned = json.loads(done.stdout)
    if planned["digest"] != cut["digest"]:
        return "%s: %d ps: digest %s, planned %s" % (said, length, cut["digest"], planned["digest"]), said, took
    one, other = log("cut.jsonl.gz"), log("planned.jsonl.gz")
    if one != other:
        where = next((k for k, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
        return "%s: %d ps: record %d of %d and %d differs:\n  %s\n  %s" % (
            said, length, where, len(one), len(other), str(one[where:where + 1])[:600], str(other[where:where + 1])[:600]), said, took
    return None, said, took


def running():
    """The processes that write cut.jsonl.gz."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                words = open("/proc/%s/cmdline" % name, "rb").read().split(b"\0")
                here = os.readlink("/proc/%s/cwd" % name) == os.getcwd()
            except OSError:
                continue
            if here and words and words[0].decode() == program and b"cut.jsonl.gz" in words:
                found.append(int(name))
    return found


bad = 0
for seed in range(first, first + draws):
    wrong, said, took = draw(seed)
    if wrong:
        bad += 1
        print("FAILED: " + wrong, flush=True)
    else:
        print("%s: ended %.2f s after the signal" % (said, took), flush=True)
sys.exit(1 if bad else 0)
END
begin "interrupted at random instants"
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 python3 draw.py "$program" "$tests/../mpirun.sh" "${TILEFLY_DRAWS:-40}" \
	"${TILEFLY_SEED:-1}" >draws || fail "$(cat draws)"
cp draws "${TILEFLY_KEEP:-/dev/null}"
finish
