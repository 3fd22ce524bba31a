#!/usr/bin/env python3
"""bench/cost-model.py RESULT.jsonl [...] - derives the times that bench/ranks.py predicts with from records of bench/run.sh.

Prints docs/scaling.md's tables in Markdown. Needs the cases phold-remote-0, phold-remote-10, phold-remote-50, phold-lookahead-10ns,
slimfly-3k-minimal-0.5, slimfly-1m-minimal-0.1 (or the next smaller Slim Fly that is there) and dragonfly-16k-minimal-0.3, modes
seq,con,opt on two ranks; of cases that come twice the later counts. The weak-scaling table needs a result of --weak. --hop NS replaces
the cost of a packet-hop of the million-node network. Only sums and differences of what is in the files; see docs/scaling.md."""
import json
import math
import sys

cases, weak, exchange, options = {}, {}, {}, {}
arguments = sys.argv[1:]
if not arguments or arguments[0] in ("-h", "--help"):
    print(__doc__)
    sys.exit(0 if arguments else 2)
files = []
while arguments:
    a = arguments.pop(0)
    if a.startswith("--"):
        if not arguments:
            sys.exit("cost-model.py: %s needs a value" % a)
        options[a[2:]] = float(arguments.pop(0))
    else:
        files.append(a)
for file in files:
    for line in open(file):
        r = json.loads(line)
        if r["record"] == "case" and r["study"] == "strong":
            cases[r["name"], r["sync"]] = r
        elif r["record"] == "case":
            weak[r["name"], r["sync"]] = r
        elif r["record"] == "exchange":
            exchange = r


def case(name, sync):
    if (name, sync) not in cases:
        sys.exit("cost-model.py: there is no case %s, %s" % (name, sync))
    return cases[name, sync]


def units(c):
    return c.get("packet_hops", c["events_committed"])


def busy(c, *names):
    return sum(c["phase_s"][n] for n in names)


# --- the model's numbers, seconds ---------------------------------------------------------------------------------------

one = case("phold-remote-10", "sequential")
event = busy(one, "execute", "queue") / units(one)  # PHOLD
near = case("phold-remote-0", "conservative")
# communication of a round: without remote events only tokens are sent; each of two ranks sends one and receives one
token = busy(near, "communicate") / (2 * near["gvt_rounds"])


def remote_cost(name):
    """Additional work of two ranks over one, per event between them."""
    a, b = case(name, "conservative"), case(name, "sequential")
    more = busy(a, "execute", "queue", "communicate") - busy(b, "execute", "queue") - 2 * a["gvt_rounds"] * token
    return max(more, 0) / a["remote_events"]


remote = remote_cost("phold-remote-50")
# A whole round, including the wait for the other rank: the same events in ten times as many rounds.
many, few = case("phold-lookahead-10ns", "conservative"), case("phold-remote-10", "conservative")
rounds = {}
for sync in ("conservative", "optimistic"):
    a, b = case("phold-lookahead-10ns", sync), case("phold-remote-10", sync)
    sa, sb = case("phold-lookahead-10ns", "sequential"), case("phold-remote-10", "sequential")
    per = (a["wall_s"] - sa["wall_s"] / 2) - (b["wall_s"] - sb["wall_s"] / 2) * units(a) / units(b)
    rounds[sync] = max(per / (a["gvt_rounds"] - b["gvt_rounds"] * units(a) / units(b)), token)
sf2 = case("slimfly-3k-minimal-0.5", "conservative")
net_remote = remote_cost("slimfly-3k-minimal-0.5")
message = exchange.get("message_us", float("nan")) * 1e-6
byte = exchange.get("byte_ns", float("nan")) * 1e-9

largest = next(n for n in ("slimfly-1m-minimal-0.1", "slimfly-74k-minimal-0.1", "slimfly-3k-minimal-0.1") if (n, "sequential") in cases)
sf1 = case(largest, "sequential")
hop = options["hop"] * 1e-9 if "hop" in options else sf1["wall_s"] / units(sf1)
small_hop = case("slimfly-3k-minimal-0.5", "sequential")["wall_s"] / units(case("slimfly-3k-minimal-0.5", "sequential"))
df1 = case("dragonfly-16k-minimal-0.3", "sequential")
df_hop = df1["wall_s"] / units(df1)


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |")


print("| symbol | what | measured |\n|---|---|---|")
row("c_event", "PHOLD event, one rank", "%.0f ns" % (event * 1e9))
row("c_hop, 3K", "packet-hop of slimfly-3k, load 0.5, one rank", "%.0f ns" % (small_hop * 1e9))
row("c_hop", "packet-hop of %s, one rank" % largest, "%.0f ns" % (hop * 1e9))
row("c_hop, dragonfly", "packet-hop of dragonfly-16k, one rank", "%.0f ns" % (df_hop * 1e9))
row("c_remote, PHOLD", "remote event of 32 bytes, both ranks together", "%.0f ns" % (remote * 1e9))
row("c_remote", "remote event of a network, %.0f bytes, both ranks together" % (sf2["message_bytes"] / sf2["remote_events"]),
    "%.0f ns" % (net_remote * 1e9))
row("c_token", "a rank's message to a peer that ends a round, sent and received", "%.2f us" % (token * 1e6))
row("c_round", "a round of two ranks, conservative, waiting included", "%.2f us" % (rounds["conservative"] * 1e6))
row("c_round, optimistic", "a round of GVT of two ranks, waiting included", "%.2f us" % (rounds["optimistic"] * 1e6))
row("c_message", "64 bytes from rank to rank (bench/exchange)", "%.2f us" % (message * 1e6))
row("c_byte", "a byte of a 128 KiB message", "%.3f ns" % (byte * 1e9))

# --- comparison with measurements of two ranks ---------------------------------------------------------------------------------------------

print("\n| two conservative ranks | packet-hops, events | move | rounds | predicted | measured |\n|---|---|---|---|---|---|")
for (name, sync), c in cases.items():
    if sync == "conservative" and (name, "sequential") in cases and c["ranks"] == 2:
        t = (cases[name, "sequential"]["wall_s"] / 2, c["remote_events"] / 2 * (net_remote if "packet_hops" in c else remote),
             c["gvt_rounds"] * rounds["conservative"])
        row(name, *["%.3f s" % x for x in t], "%.3f s" % sum(t), "%.3f s" % c["wall_s"])

if weak:
    print("\n| ranks | endpoints | one rank, M packet-hops/s | conservative | optimistic | MB of the largest rank: one rank | conservative | "
          "optimistic | digests |\n|---|---|---|---|---|---|---|---|---|")
    for name in dict.fromkeys(n for n, _ in weak):
        of = [weak.get((name, s)) for s in ("sequential", "conservative", "optimistic")]
        have = [c for c in of if c]
        row(max(c["ranks"] for c in have), "{:,}".format(have[0]["endpoints"]), *["%.2f" % (c["median"] / 1e6) if c else "-" for c in of],
            *["%.0f" % (c["peak_rss_rank_bytes"] / 1e6) if c else "-" for c in of],
            "equal" if len({c["digest"] for c in have}) == 1 else "DIFFER")
