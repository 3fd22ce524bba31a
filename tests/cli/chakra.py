"""Writes Chakra execution traces for chakra.sh: chakra.py CASE makes t.0.et, t.1.et ... in the working folder."""
import struct
import sys


def varint(v):
    v &= (1 << 64) - 1
    out = b""
    while v > 127:
        out += bytes([v & 127 | 128])
        v >>= 7
    return out + bytes([v])


def number(field, v):
    return varint(field << 3) + varint(v)


def part(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def message(data):
    return varint(len(data)) + data


# an attribute of each type that can hold an integer
KINDS = {
    "int32": lambda v: number(7, v), "int64": lambda v: number(9, v),
    "uint32": lambda v: number(11, v), "uint64": lambda v: number(13, v),
    "sint32": lambda v: number(15, v << 1 ^ v >> 63), "sint64": lambda v: number(17, v << 1 ^ v >> 63),
    "fixed32": lambda v: varint(19 << 3 | 5) + struct.pack("<I", v),
    "fixed64": lambda v: varint(21 << 3 | 1) + struct.pack("<Q", v),
    "sfixed32": lambda v: varint(23 << 3 | 5) + struct.pack("<i", v),
    "sfixed64": lambda v: varint(25 << 3 | 1) + struct.pack("<q", v),
    "double": lambda v: varint(3 << 3 | 1) + struct.pack("<d", v),
    "string": lambda v: part(29, v.encode()),
}


def attr(name, v, kind="int64"):
    return part(10, part(1, name.encode()) + KINDS[kind](v))


def node(id, type, attrs=b"", data=(), control=(), us=0, packed=True):
    out = number(1, id) if id else b""  # proto3 leaves zeros out
    out += part(2, b"name") + number(3, type)
    for field, ids in ((4, control), (5, data)):
        if packed and ids:
            out += part(field, b"".join(map(varint, ids)))
        else:
            out += b"".join(number(field, i) for i in ids)
    if us:
        out += number(7, us)
    return message(out + attrs)


VERSION = message(part(1, b"0.0.4"))
SCHEMA = message(part(2, part(1, b"schema") + part(29, b"1.0.1")))


def send(id, to, size, tag=0, kind="int64", **more):
    return node(id, 5, attr("comm_dst", to, kind) + attr("comm_size", size, kind) + attr("comm_tag", tag, kind), **more)


def receive(id, source, size, tag=0, kind="int64", **more):
    return node(id, 6, attr("comm_src", source, kind) + attr("comm_size", size, kind) + attr("comm_tag", tag, kind), **more)


def coll(id, type, size, group=None, **more):
    return node(id, 7, attr("comm_type", type) + (attr("comm_size", size) if size is not None else b"") +
                (attr("pg_name", group, "string") if group else b""), **more)


def pair(a, b):
    return [VERSION + a, SCHEMA + b]


def ring(p, kind):
    return [(VERSION if i % 2 else SCHEMA) + send(0, (i + 1) % p, 1000, i, kind) +
            receive(1, (i - 1) % p, 1000, (i - 1) % p, kind) + node(2, 4, data=[0, 1], us=7, packed=i % 2 == 0)
            for i in range(p)]


CPU = lambda v: part(10, part(1, b"is_cpu_op") + number(27, v))
TEXT = lambda k: attr(k, "x", "string")
DIMS = lambda *involved: part(10, part(1, b"involved_dim") + part(28, part(1, bytes(involved))))
DIMS_ONE_BY_ONE = lambda *involved: part(10, part(1, b"involved_dim") + part(28, b"".join(number(1, v) for v in involved)))


def work(id, cpu=None, us=0, attrs=b"", **more):
    return node(id, 4, (b"" if cpu is None else CPU(cpu)) + attrs, us=us, **more)


def reduced(id, size, attrs=b"", **more):
    return node(id, 7, attr("comm_type", 0) + attr("comm_size", size) + attrs, **more)


BEHIND = int(sys.argv[2]) if len(sys.argv) > 2 else 0
two = lambda: pair(send(0, 1, 8) + node(1, 4, us=3), receive(0, 0, 8))
cases = {
    "forward": lambda: pair(node(5, 4, data=[9], control=[0], us=2) + send(0, 1, 8) + node(9, 4, us=3), receive(0, 0, 8)),
    "cycle": lambda: pair(node(1, 4, data=[2]) + node(2, 4, data=[3]) + node(3, 4, data=[1]) + send(0, 1, 8), receive(0, 0, 8)),
    "itself": lambda: pair(node(1, 4, data=[1]) + send(0, 1, 8), receive(0, 0, 8)),
    "absent": lambda: pair(node(1, 4, data=[77]) + send(0, 1, 8), receive(0, 0, 8)),
    "twice": lambda: pair(node(1, 4) + node(1, 4) + send(0, 1, 8), receive(0, 0, 8)),
    "nothing": lambda: pair(send(0, 1, 0), receive(0, 0, 0)),
    "root": lambda: [VERSION + (coll(1, 5, 800, "g") if i != 2 else node(1, 4, us=3)) for i in range(4)],
    "sends-first": lambda: [VERSION + send(0, (i + 1) % 4, 100000) + receive(1, (i + 3) % 4, 100000, data=[0]) for i in range(4)],
    "no-size": lambda: pair(node(0, 7, attr("comm_type", 0)), node(0, 7, attr("comm_type", 0))),
    "broadcast": lambda: pair(coll(0, 0, 64) + coll(1, 5, None), coll(0, 0, 64) + coll(1, 5, None)),
    "barriers": lambda: pair(coll(0, 9, None), coll(0, 9, None)),
    "tag": lambda: pair(send(0, 1, 8, 4294967295), receive(0, 0, 8)),
    "large-tag": lambda: pair(send(0, 1, 8, 4294967294), receive(0, 0, 8, 4294967294)),
    "npu": lambda: pair(send(0, 2, 8), receive(0, 0, 8)),
    "negative": lambda: pair(send(0, 1, -8), receive(0, 0, 8)),
    "double": lambda: pair(node(0, 7, attr("comm_size", 8.0, "double")), node(0, 7)),
    "no-dst": lambda: pair(node(0, 5, attr("comm_size", 8)), receive(0, 0, 8)),
    "type": lambda: pair(node(0, 9), node(0, 4)),
    "kind": lambda: pair(coll(0, 10, 8), coll(0, 10, 8)),
    "lost": lambda: pair(send(0, 1, 8, 3) + send(1, 1, 16, 4), receive(0, 0, 8, 3)),
    "waits": lambda: pair(send(0, 1, 8, 3), receive(0, 0, 8, 3) + receive(1, 0, 8, 5)),
    "groups": lambda: [VERSION + coll(0, 0, 100, "0") + coll(1, 2, 50, "abc"[i // 2]) for i in range(4)],
    "unequal": lambda: [VERSION + b"".join(coll(k, 0, 100, "1") for k in range(1 + (i == 1))) for i in range(2)],
    "large": lambda: pair(send(0, 1, 1 << 50), receive(0, 0, 1 << 50)),
    "no-kind": lambda: pair(node(4, 7, attr("comm_size", 8)), coll(4, 0, 8)),
    "kinds": lambda: [VERSION + coll(1, 0, 8, "a") + coll(5 + i, 2 if i == 2 else 0, 8, "a") for i in range(3)],
    "sizes": lambda: [VERSION + coll(1, 0, 8 if i else 8000000) for i in range(4)],
    "one-barrier": lambda: [VERSION + coll(1, 5 if i else 9, 100) for i in range(4)],
    "one-size": lambda: [VERSION + coll(1, 0, 1000 if i else None) for i in range(2)],
    "crossed": lambda: [VERSION + receive(1, 1 - i, 5, 1) + send(2, 1 - i, 5, 1, data=[1]) for i in range(2)],
    "met": lambda: [VERSION + send(2, 1 - i, 5, 1) + receive(1, 1 - i, 5, 1, data=[2]) for i in range(2)],
    # rank 0 waits in a collective for rank 1, which waits for what rank 0 sends behind it
    "behind": lambda: pair(coll(1, BEHIND, 8, "g") + send(2, 1, 5, data=[1]), receive(1, 0, 5) + coll(2, BEHIND, 8, "g", data=[1])),
    # a collective of PyTorch: a call on the host, and a kernel
    "launch": lambda: [VERSION + node(1, 7, CPU(1), us=40) + reduced(2, 500, CPU(0), data=[1]) for _ in range(2)],
    "no-launch": lambda: [VERSION + node(1, 7, CPU(0), us=40) + reduced(2, 500, CPU(0), data=[1]) for _ in range(2)],
    "callers": lambda: [VERSION + work(5, us=7, control=[2]) + reduced(6, 500, data=[5], control=[3, 4]) for _ in range(2)],
    # 2 calls 1 and waits for what it does; 3 follows
    "stack": lambda: [VERSION + work(1, us=7, control=[2]) + work(2, us=4, data=[1]) + reduced(3, 500, data=[2], control=[9]) for _ in range(2)],
    "host": lambda: [VERSION + work(1, 1, 30) + work(2, 0, 50) + work(3, 1, 30) + reduced(4, 500, data=[1, 2, 3]) for _ in range(2)],
    "invalid": lambda: [VERSION + work(1, us=7) + node(2, 0, data=[1], us=9) + reduced(3, 500, data=[2]) for _ in range(2)],
    "untimed": lambda: [VERSION + work(1, attrs=attr("num_ops", 1000) + attr("tensor_size", 64)) + work(2, us=3, attrs=attr("num_ops", 9)) +
                        node(4, 2, attr("tensor_size", 5)) + reduced(3, 500, data=[1]) for _ in range(2)],
    "unused": lambda: [VERSION + work(1, us=1, attrs=TEXT("stream") + TEXT("rf_id")) +
                       reduced(3, 500, attr("comm_priority", 3) + TEXT("stream") + attr("root_rank", 1), us=5) for _ in range(2)],
    "many-names": lambda: [VERSION + work(1, us=1, attrs=b"".join(TEXT("a%d" % i) for i in range(300))) + reduced(3, 500) for _ in range(2)],
    "dims": lambda: [VERSION + reduced(1, 500, DIMS(1, 0) if i % 2 else DIMS_ONE_BY_ONE(1, 0)) + reduced(2, 100, DIMS(0, 1)) +
                     reduced(3, 40, DIMS(1, 1)) for i in range(6)],
    "dims-groups": lambda: [VERSION + coll(1, 0, 500, "r%d" % (i // 3)) + coll(2, 0, 100, "c%d" % (i % 3)) + coll(3, 0, 40) for i in range(6)],
    "dims-absent": lambda: [VERSION + (reduced(1, 500, DIMS(1, 0)) if i % 3 else work(1, us=1)) + coll(3, 0, 40) for i in range(6)],
    "all-absent": lambda: [VERSION + (coll(1, 0, 500) if i % 2 else work(1, us=1)) for i in range(6)],
    "no-dims": lambda: [VERSION + reduced(1, 500, DIMS()) for i in range(2)],
    "sizes-differ": lambda: pair(send(1, 1, 2000), receive(1, 0, 1000)),
    # rank 1 gets the second message first: 0 sends it when 1 has the other
    "by-size": lambda: pair(send(1, 1, 1000) + receive(2, 1, 8) + send(3, 1, 2000, data=[2]),
                            receive(1, 0, 2000) + receive(2, 0, 1000) + send(3, 0, 8, data=[2])),
    "scatters": lambda: [VERSION + coll(1, BEHIND, 8000) for _ in range(4)],
    "no-version": lambda: [message(b"") + node(0, 4)],
    "late": lambda: [VERSION + node(0, 4, us=(1 << 64) - 1)],
    "deep": lambda: [VERSION + coll(0, 0, 8) + b"".join(node(i, 4, data=[i - 1]) for i in range(1, 50001))],
    "far": lambda: [VERSION + varint(1 << 40) + b"x"],
    "endless": lambda: [VERSION + b"\xff" * 30],
    "two": two,
}
for k in KINDS:
    cases["ring-" + k] = lambda k=k: ring(5, k)
for i, data in enumerate(cases[sys.argv[1]]()):
    open("t.%d.et" % i, "wb").write(data)
