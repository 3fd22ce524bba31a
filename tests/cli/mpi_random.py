"""mpi_random.py SEED RANKS EVENTS: a random program of MPI calls that MPI allows and that always ends, as text.

Events are in one order, in which each rank of an event adds its call: so no blocking call waits for a later event.
Receives of any source have tags of their own. Every request is waited for at the end, if not before."""
import random
import sys

seed, ranks, events = (int(a) for a in sys.argv[1:])
draw = random.Random(seed)
calls = [[] for _ in range(ranks)]
open_requests = [[] for _ in range(ranks)]
counters = [1] * ranks
comms = [(list(range(ranks)), [0] * ranks)]  # members in order, the handle at each member
handles = [2] * ranks


def request(rank):
    counters[rank] += 1
    open_requests[rank].append(counters[rank])
    return counters[rank]


def size():
    return draw.choice([0, 1, 8, 100, 8192, 8193, 40000])


def pause():
    return f" compute={draw.randrange(1, 3000) * 1000}" if draw.random() < 0.3 else ""


def message(number):
    members, names = draw.choice(comms)
    src, dst = draw.randrange(len(members)), draw.randrange(len(members))
    a, b = members[src], members[dst]
    n, tag = size(), draw.randrange(3)
    source, got = str(src), str(tag)
    if draw.random() < 0.2:
        tag = 1000 + number
        source, got = "any", str(tag)
    send = draw.choice(["send", "ssend", "bsend", "rsend", "isend", "issend", "ibsend", "send_init", "ssend_init"])
    receive = draw.choice(["recv", "irecv", "irecv", "recv_init", "probe"])
    if a == b:
        send = draw.choice(["isend", "issend", "ibsend"])
    for first in (True, False):
        if first:  # a receive that does not block may be there before
            if receive not in ("irecv", "recv_init"):
                continue
            r = request(b)
            calls[b].append(f"{receive} from={source} tag={got} bytes={n} comm={names[dst]} request={r}" + pause())
            if receive == "recv_init":
                calls[b].append(f"start reqs={r}")
        else:
            what = f"{send} to={dst} tag={tag} bytes={n} comm={names[src]}"
            if send.startswith("i") or send.endswith("init"):
                r = request(a)
                what += f" request={r}"
            calls[a].append(what + pause())
            if send.endswith("init"):
                calls[a].append(f"start reqs={r}")
    if receive == "probe":
        calls[b].append(f"probe from={source} tag={got} comm={names[dst]}")
    if receive in ("recv", "probe"):
        calls[b].append(f"recv from={source} tag={got} bytes={n} comm={names[dst]}")


def exchange():
    members, names = draw.choice(comms)
    k, n = draw.randrange(len(members)), size()
    for i, rank in enumerate(members):
        p = len(members)
        calls[rank].append(
            f"sendrecv to={(i + k) % p} tag=7 bytes={n} rfrom={(i - k) % p} rtag=7 rbytes={n} comm={names[i]}" + pause()
        )


def collective():
    members, names = draw.choice(comms)
    what = draw.choice(
        "barrier bcast reduce allreduce gather gatherv scatter scatterv allgather allgatherv alltoall alltoallv "
        "reduce_scatter reduce_scatter_block scan exscan".split()
    )
    p, n, root = len(members), draw.choice([4, 64, 1000, 20000]), draw.randrange(len(members))
    blocks = [[draw.choice([0, 8, 400, 9000]) for _ in range(p)] for _ in range(p)]
    later = draw.random() < 0.3
    for i, rank in enumerate(members):
        line = f"{what} comm={names[i]}"
        if what in ("reduce", "allreduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan"):
            line += " element=4"
        if what not in ("barrier", "alltoallv"):
            line += f" bytes={n}"
        if what in ("bcast", "reduce", "gather", "scatter", "gatherv", "scatterv"):
            line += f" root={root}"
        if what in ("gatherv", "scatterv", "allgatherv", "reduce_scatter"):
            line = line.replace(f"bytes={n}", f"bytes={blocks[0][i]}")
        if what in ("allgatherv", "reduce_scatter") or (what in ("gatherv", "scatterv") and i == root):
            line += " counts=" + ",".join(map(str, blocks[0]))
        if what == "alltoallv":
            line += " counts=" + ",".join(map(str, blocks[i]))
            line += " rcounts=" + ",".join(str(blocks[k][i]) for k in range(p))
        if later:
            line += f" nonblocking request={request(rank)}"
        calls[rank].append(line + pause())


def communicator():
    members, names = draw.choice(comms)
    if len(comms) > 6:
        return
    colors = [draw.randrange(2) for _ in members]
    keys = [draw.randrange(5) for _ in members]
    new = []
    for i, rank in enumerate(members):
        new.append(handles[rank])
        handles[rank] += 1
        calls[rank].append(f"comm_split comm={names[i]} color={colors[i]} key={keys[i]} new={new[i]}")
    for color in (0, 1):
        order = sorted((keys[i], i) for i in range(len(members)) if colors[i] == color)
        if order:
            comms.append(([members[i] for _, i in order], [new[i] for _, i in order]))


def completion():
    rank = draw.randrange(ranks)
    mine = open_requests[rank]
    if not mine:
        return
    some = draw.sample(mine, draw.randrange(1, len(mine) + 1))
    what = draw.choice(["testall", "testany", "testsome"])
    calls[rank].append(f"{what} reqs=" + ",".join(map(str, some)))


for number in range(events):
    kind = draw.choices(["message", "exchange", "collective", "communicator", "completion"], [10, 1, 3, 0.5, 3])[0]
    if kind == "message":
        message(number)
    else:
        globals()[kind]()

print("ranks", ranks)
for rank in range(ranks):
    print("rank", rank)
    for line in calls[rank]:
        print(line)
    mine = open_requests[rank]
    for _ in range(3):
        if mine:
            print(f"{draw.choice(['waitany', 'waitsome'])} reqs=" + ",".join(map(str, mine)))
    if mine:
        print("waitall reqs=" + ",".join(map(str, mine)))
    print("barrier")
