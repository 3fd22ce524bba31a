"""bench/guard.py - the cases of bench/guard.sh, their counts, and the comparison with bench/guard.tsv."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "bench" / "guard.tsv"
TILEFLY = ROOT / "build" / "release" / "bin" / "tilefly"
COUNTER = ROOT / "build" / "release" / "count_mpi.so"
TOLERANCE = {"instructions": 0.01, "events": 0.01, "windows": 0.0, "messages": 0.01, "message_bytes": 0.03, "collective_bytes": 0.03,
             "calls": 0.01, "memory": 0.03, "rank_memory": 0.03}
# for quantities near zero: an increase that is still negligible
LEAST = {"collective_bytes": 16.0, "calls": 0.05, "messages": 0.05, "memory": 2.0, "rank_memory": 2.0}
UNITS = {"instructions": "instructions per packet-hop", "events": "events per packet-hop", "windows": "windows",
         "messages": "messages per window and rank", "message_bytes": "bytes of events per window and rank",
         "collective_bytes": "bytes into collectives per window and rank", "calls": "collectives per window and rank",
         "memory": "MB, all ranks", "rank_memory": "MB, the largest rank"}


def settings(text):
    return [word for pair in text.split() for word in ("--set", pair)]


SMALL = "topology.q=5 topology.endpoints=3 traffic.[0].load=0.5 "
DRAGONFLY = "topology.p=2 topology.a=4 topology.h=2 traffic.[0].load=0.5 "
FIXED = "time.drain=false "
# name, configuration, settings, warm-up, measured; a name ending in * is also run by --quick
RUNS = [
    ("slimfly-3k, minimal*", "slimfly-3k", FIXED + "traffic.[0].load=0.5", "1us", "2us"),
    ("slimfly-3k, adaptive", "slimfly-3k", FIXED + "traffic.[0].load=0.5 routing.kind=slimfly-adaptive routing.bias=0B", "1us", "2us"),
    ("slimfly-3k, drained", "slimfly-3k", "traffic.[0].load=0.1", "1us", "4us"),
    ("slimfly-150, load 0.01", "slimfly-3k", FIXED + "topology.q=5 topology.endpoints=3 traffic.[0].load=0.01", "20us", "400us"),
    ("slimfly-74k, minimal", "slimfly-74k", FIXED, "400ns", "600ns"),
    ("torus-512, minimal", "torus-8x8x8", FIXED + "traffic.[0].load=0.5", "2us", "6us"),
    ("dragonfly-72, UGAL*", "dragonfly-1056", FIXED + DRAGONFLY + "routing.kind=ugal-l routing.bias=0B", "5us", "40us"),
    ("exact path: window control*", "slimfly-3k", FIXED + SMALL + "congestion.kind=window", "5us", "20us"),
    ("records of ports and time line", "slimfly-3k", FIXED + SMALL + "record.ports=true record.timeline=1us", "5us", "20us"),
    ("messages of several packets", "slimfly-3k", FIXED + SMALL + "traffic.[0].message=4KiB", "5us", "20us"),
    ("tiled: dragonfly-1056*", "dragonfly-tiled-1056", FIXED, "1us", "5us"),
    ("tiled: one Rosetta", "switch-rosetta-64", FIXED, "2us", "20us"),
    ("crossbar: one switch", "switch-conventional-64", FIXED, "2us", "20us"),
    ("output-queued: trimming", "fattree-trim-128", FIXED, "5us", "40us"),
    ("under the journal", "slimfly-3k", FIXED + SMALL + "engine.sync=optimistic engine.window=100ns engine.optimism=1", "5us", "15us"),
]
# whole commands, counted from start to end: million instructions
WHOLE = [
    ("start of slimfly-1m", ["run", "slimfly-1m", *settings("time.warmup=1ns time.measure=1ns time.drain=false")]),
    ("compare's inner loop: precision*", ["run", "slimfly-3k", *settings("topology.q=5 topology.endpoints=3 time={precision=\"2%\";}")]),
    ("allreduce", ["run", "slimfly-3k", *settings("topology.q=5 topology.endpoints=3 "
                   "traffic=({process=\"allreduce\";size=\"64KiB\";iterations=4;})")]),
    ("PHOLD", ["phold", "--lps", "256", "--end", "20us", "--sync", "sequential"]),
]
# name, configuration, settings, two lengths, ranks
RANKS = [
    ("slimfly-3k*", "slimfly-3k", "traffic.[0].load=0.5", "1us", "3us", (2, 4)),
    ("slimfly-74k", "slimfly-74k", "", "500ns", "1us", (2, 4, 8)),
    ("dragonfly-1056", "dragonfly-1056", "traffic.[0].load=0.1", "10us", "30us", (2, 4, 8)),
]
# the work of 8 ranks within windows, without waiting: loops over ranks, sending of events to others
WITHIN = [
    ("dragonfly-1056 on 8 ranks, within windows*", "dragonfly-1056", "traffic.[0].load=0.1", "1us", "9us", 8),
    ("dragonfly-1056 on 8 ranks, within windows with next to nothing", "dragonfly-1056", "traffic.[0].load=0.0005", "1us", "49us", 8),
]
MEMORY = [
    ("slimfly-1m", "slimfly-1m", "time.warmup=100ns time.measure=400ns"),
    ("slimfly-74k", "slimfly-74k", "time.warmup=1us time.measure=1us"),
    ("dragonfly-50m's wiring: 1/8 of it", "dragonfly-50m", "topology.g=901 traffic.[0].load=0.001 time.warmup=1ns time.measure=1ns"),
]


class Wrong(Exception):
    pass


def execute(command, env=None):
    done = subprocess.run(command, capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL)
    if done.returncode not in (0,):
        raise Wrong("%s\n%s" % (" ".join(map(str, command)), done.stderr[-2000:]))
    return done


def summary(text):
    return json.loads(next(line for line in text.splitlines() if line.startswith("{")))


def valgrind(arguments, within):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command += ["--toggle-collect=" + within] if within else []
    done = execute(command + [str(TILEFLY), *arguments, "--json"])
    collected = int(re.search(r"Collected : (\d+)", done.stderr)[1])
    if not collected:
        raise Wrong("nothing has been counted: %s is not a function of its own in this build" % within)
    return collected, summary(done.stdout)


def run_case(name, config, more, warmup, measure):
    arguments = ["run", config, "--set", "engine.sync=sequential", "--set", "time.warmup=" + warmup, "--set", "time.measure=" + measure]
    instructions, s = valgrind(arguments + settings(more), "sim_run")
    e = s["engine"]
    return {("instructions", name): instructions / e["packet_hops"], ("events", name): e["events_processed"] / e["packet_hops"],
            ("windows", name): e["windows"]}


def whole_case(name, arguments):
    instructions, _ = valgrind(arguments, None)
    return {("instructions", name + " (millions in all)"): instructions / 1e6}


def on_ranks(ranks, config, more, length):
    with tempfile.TemporaryDirectory() as folder:
        counts = pathlib.Path(folder) / "counts"
        env = dict(os.environ, COUNT_MPI=str(counts))
        done = execute([str(ROOT / "tests" / "mpirun.sh"), str(ranks), "env", "LD_PRELOAD=" + str(COUNTER), str(TILEFLY), "run", config,
                        "--json", *settings("engine.threads=1 engine.sync=conservative engine.balance=\"off\" time.warmup=100ns "
                                            "time.drain=false time.measure=%s %s" % (length, more))], env)
        lines = [json.loads(line) for line in counts.read_text().splitlines()]
    if len(lines) != ranks:
        raise Wrong("%d ranks of %d have reported what they called" % (len(lines), ranks))
    collective = [sum(v[1] for k, v in line.items() if k not in ("rank", "Send", "Isend", "Ssend", "Issend")) for line in lines]
    calls = [sum(v[0] for k, v in line.items() if k not in ("rank", "Send", "Isend", "Ssend", "Issend")) for line in lines]
    return summary(done.stdout), max(collective), max(calls)


def rank_case(name, config, more, short, long, ranks):
    out = {}
    for r in ranks:
        (a, bytes_a, calls_a), (b, bytes_b, calls_b) = on_ranks(r, config, more, short), on_ranks(r, config, more, long)
        a, b = a["engine"], b["engine"]
        windows = b["windows"] - a["windows"]
        key = "%s on %d ranks" % (name, r)
        out["messages", key] = (b["messages"] - a["messages"]) / windows / r
        out["message_bytes", key] = (b["message_bytes"] - a["message_bytes"]) / windows / r
        out["collective_bytes", key] = (bytes_b - bytes_a) / windows
        out["calls", key] = (calls_b - calls_a) / windows
        out["windows", key] = b["windows"]
        out["rank_memory", key] = b["peak_rss_rank_bytes"] / 1e6
        out["memory", key] = b["peak_rss_bytes"] / 1e6
    return out


def within_case(name, config, more, warmup, measure, ranks):
    done = execute([str(ROOT / "tests" / "mpirun.sh"), str(ranks), "valgrind", "--tool=callgrind", "--toggle-collect=sim_window_run",
                    "--callgrind-out-file=/dev/null", str(TILEFLY), "run", config, "--json",
                    *settings("engine.threads=1 engine.sync=conservative engine.balance=\"off\" time.drain=false time.warmup=%s "
                              "time.measure=%s %s" % (warmup, measure, more))])
    collected = [int(n) for n in re.findall(r"Collected : (\d+)", done.stderr)]
    if len(collected) != ranks or not all(collected):
        raise Wrong("%s: %d ranks of %d have been counted" % (name, sum(n > 0 for n in collected), ranks))
    return {("instructions", name): sum(collected) / summary(done.stdout)["engine"]["packet_hops"]}


def memory_case(name, config, more):
    s = summary(execute([str(TILEFLY), "run", config, "--json", *settings("time.drain=false " + more)]).stdout)
    return {("memory", name): s["engine"]["peak_rss_bytes"] / 1e6}


def machine():
    compiler = re.search(rb"GCC: [^\0]*|clang version [^\0]*", TILEFLY.read_bytes())
    libc = os.confstr("CS_GNU_LIBC_VERSION") if "CS_GNU_LIBC_VERSION" in os.confstr_names else "another C library"
    lto = "" if b" -flto" in TILEFLY.read_bytes() else ", without link-time optimisation"
    return "%s, %s%s" % (compiler[0].decode() if compiler else "unknown compiler", libc, lto)


def read_table():
    table, made_by = {}, None
    for line in TABLE.read_text().splitlines() if TABLE.exists() else ():
        if line.startswith("# made by: "):
            made_by = line[len("# made by: "):]
        if line and not line.startswith("#"):
            quantity, name, value, commit = line.split("\t")
            table[quantity, name] = float(value), commit
    return table, made_by


def grown(quantity, before, now):
    more = now - before
    return more > max(TOLERANCE[quantity] * before, LEAST.get(quantity, 0)) if more > 0 else False


def write_table(found, table):
    commit = execute(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]).stdout.strip()
    rows = dict(table)
    for key, value in found.items():
        old = table.get(key)
        same = old and abs(value - old[0]) <= max(TOLERANCE[key[0]] * old[0], LEAST.get(key[0], 0)) / 4
        rows[key] = old if same else (value, commit)
    with open(TABLE, "w") as out:
        out.write("# What runs cost: bench/guard.sh compares with it, and --record writes it. The commit is the one before which a\n"
                  "# figure was counted. quantity, case, value, commit\n# made by: %s\n" % machine())
        for (quantity, name), (value, by) in sorted(rows.items()):
            out.write("%s\t%s\t%.6g\t%s\n" % (quantity, name, value, by))


def count_again(found, table, function, name, rest):
    """What has grown is counted twice more, and the least counts: what waits between ranks, and how often a run shows its progress,
    depend a little on what else the machine does."""
    for _ in range(2):
        if not any(key in table and grown(key[0], table[key][0], found[key]) for key in found if key[1].startswith(name)):
            return
        for key, value in function(name, *rest).items():
            found[key] = min(found[key], value)


def main():
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--only", default=".", metavar="REGEX")
    options = parser.parse_args()
    table, made_by = read_table()
    jobs = []
    for function, cases in ((whole_case, WHOLE), (run_case, RUNS), (memory_case, MEMORY), (rank_case, RANKS), (within_case, WITHIN)):
        for name, *rest in cases:
            if re.search(options.only, name) and (not options.quick or name.endswith("*")):
                jobs.append((function, name.rstrip("*"), rest))
    found = {}
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for result in pool.map(lambda j: j[0](j[1], *j[2]), [j for j in jobs if j[0] not in (rank_case, within_case)]):
                found.update(result)
        for function, name, rest in jobs:
            if function in (rank_case, within_case):
                found.update(function(name, *rest))
        for function, name, rest in jobs:
            count_again(found, table, function, name, rest)
    except Wrong as wrong:
        sys.exit("guard.sh: a case does not run: %s" % wrong)
    worse, better, unknown = [], [], []
    for (quantity, name), now in sorted(found.items()):
        if (quantity, name) not in table:
            unknown.append("  new     %-50s %12.6g %s" % (name, now, UNITS[quantity]))
            continue
        before, commit = table[quantity, name]
        line = "%-50s %12.6g -> %-12.6g %+7.2f %%  %s (of %s)" % (name, before, now, 100 * (now / before - 1) if before else 0, UNITS[quantity],
                                                                 commit)
        if grown(quantity, before, now):
            worse.append("  GROWN   " + line)
        elif grown(quantity, now, before):
            better.append("  better  " + line)
    other = made_by is not None and made_by != machine()
    for line in unknown + better + worse:
        print(line)
    if options.record:
        write_table(found, table)
        print("guard: %d counts are recorded in bench/guard.tsv" % len(found))
        return 0
    if better:
        print("guard: %d counts are better: record them (bench/guard.sh --record)" % len(better))
    if other:
        print("guard: the table was made by %s, this is %s: nothing fails" % (made_by, machine()))
    print("guard: %d counts, %d have grown" % (len(found), len(worse)))
    return 1 if worse and not other else 0


if __name__ == "__main__":
    sys.exit(main())
