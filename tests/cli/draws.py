"""Configurations drawn over all keys of `tilefly list`, for scripts that have the program as their first argument. Many have the
least value of their type, 0, 1 or 2 of their unit. settle() takes back what the program refuses, by the keys that its errors name."""
import collections
import random
import re
import subprocess
import sys

program = sys.argv[1]
SECONDS = 20 # of a run
# Keys of these sections that other functions draw, or the ways to run differ in. None: all.
LEFT_OUT = {
    "": {"plugins", "classes_profile", "classes_sharing", "seed"},
    "time": {"warmup", "measure", "drain", "precision", "limit"},
    "output": None, "engine": None, "network": None, "layout": None, "cost": None, "classes[]": None, "traffic[]": None,
    "record": {"switches"}, "links.*": None, "links.override[]": None, "failures[]": None,
}
Key = collections.namedtuple("Key", "name type default range")


def tables():
    """Keys by section, and by (kind, name) of a plug-in, as the reference has them."""
    text = subprocess.run([program, "list", "--markdown"], capture_output=True, text=True, check=True).stdout
    text = text[text.index("## Configuration keys"):text.index("## Arbiters of switches")]
    sections, plugins, rows, kind = {}, {}, None, None
    for line in text.splitlines():
        if m := re.fullmatch(r"### (?:`(.*)`|Top level)", line):
            rows, kind = sections.setdefault(m[1] or "", []), None
        elif m := re.fullmatch(r"### .* \(`(?:traffic\[\]\.)?(\w+)(?:\.kind)?`\)", line):
            rows, kind = None, m[1]
        elif kind and (m := re.fullmatch(r"#### `(.*)`", line)):
            rows = plugins.setdefault((kind, m[1]), [])
        elif line.startswith("## "):
            rows = kind = None
        elif rows is not None and (m := re.match(r"\| `(\w+)` \|", line)):
            cells = [c.strip().replace("&#124;", "|") for c in line.split("|")[1:-1]]
            rows.append(Key(m[1], *cells[1:4]))
    return sections, plugins


SECTIONS, PLUGINS = tables()


def quantity(draw, low, unit, most):
    """A degenerate value, or one of any magnitude up to `most`."""
    if draw.random() < 0.4:
        return f'"{draw.choice([0, 1, 1, 2])}{unit}"'
    return f'"{int(2 ** draw.uniform(low, most))}{unit}"'


def value(draw, key):
    """A value of the key's type; None: there is none to draw."""
    t = key.type
    if key.range and re.search(r' or "auto"', t) and draw.random() < 0.3:
        return '"auto"'
    t = t.replace(' or "auto"', "").replace(' or "layout"', "")
    if t == "bool":
        return draw.choice(["true", "false"])
    if t == "choice":
        word = draw.choice([w.strip() for w in key.range.split("|")])
        return word if word in ("true", "false") else f'"{word}"'
    if t == "time":
        return quantity(draw, 0, "ps", 23)
    if t in ("size", "size or list of sizes"):
        return quantity(draw, 0, "B", 17)
    if t == "rate":
        return f'"{draw.choice([1, 100, 1000, 10000, 100000, 400000])}Mbps"'
    if t in ("whole number", "number"):
        m = re.fullmatch(r"([0-9.e+-]+) to ([0-9.e+-]+)", key.range)
        low, high = (float(m[1]), float(m[2])) if m else (0, 1000)
        number = draw.choice([low, low, low + 1, low + 2, min(high, 8.0), min(high, low + draw.random() * 30)])
        return str(int(min(number, high))) if t == "whole number" else f"{min(number, high):.6f}"
    if t == "list of whole numbers":
        return f"[{draw.randint(0, 3)}, {draw.randint(1, 5)}]"
    return None


def topology_of(draw):
    e = draw.randint(1, 3)
    return draw.choice([
        f'kind = "torus"; dims = [{draw.randint(2, 4)}, {draw.randint(1, 3)}]; endpoints = {e};',
        f'kind = "torus"; dims = [{draw.randint(2, 5)}]; endpoints = {e}; wrap = false;',
        f'kind = "dragonfly"; p = {e}; a = {draw.randint(1, 4)}; h = {draw.randint(1, 2)};',
        f'kind = "dragonfly-plus"; p = {e}; leaves = 2; spines = 2; h = {draw.randint(1, 2)};',
        f'kind = "slimfly"; q = {draw.choice([2, 3])}; endpoints = {e};',
        f'kind = "hyperx"; dims = [{draw.randint(1, 3)}, {draw.randint(2, 3)}]; endpoints = {e};',
        'kind = "fattree"; k = 4;',
        f'kind = "single"; ports = {draw.choice([1, 2, 3, 8])};',
    ])


def plugin_lines(draw, kind, name, share):
    lines = []
    for key in PLUGINS[kind, name]:
        if key.default == "required" or draw.random() < share:
            v = value(draw, key)
            if v is not None:
                lines.append((key.name, v))
    return lines


def jobs(draw, classes):
    names = {k: [n for kk, n in PLUGINS if kk == k] for k in ("process", "pattern", "injection")}
    for kind in ("process", "pattern"): # without files
        names[kind] = [n for n in names[kind] if not any(k.default == "required" for k in PLUGINS[kind, n])]
    out = []
    for i in range(len(classes) or draw.randint(1, 2)):
        job = [("class", f'"{classes[i]}"')] if classes else []
        process = draw.choice(names["process"]) if draw.random() < 0.4 else "none"
        if process != "none":
            job += [("process", f'"{process}"')] + plugin_lines(draw, "process", process, 0.4)
        else:
            pattern, injection = draw.choice(names["pattern"]), draw.choice(names["injection"])
            job += [("load", f"{draw.choice([0.05, 0.3, 0.6, 1.0])}"), ("pattern", f'"{pattern}"'),
                    ("injection", f'"{injection}"')]
            job += plugin_lines(draw, "pattern", pattern, 0.3) + plugin_lines(draw, "injection", injection, 0.3)
        for key in SECTIONS["traffic[]"]:
            if key.name not in ("load", "class", "isolate", "name", "dscp", "nodes") and draw.random() < 0.25:
                v = value(draw, key)
                if v is not None and (v != '"1B"' or key.name != "message"):
                    job.append((key.name, v))
        if not any(k == "packet" for k, _ in job):
            job.append(("packet", draw.choice(['"64B"', '"256B"', '"1KiB"'])))
        out.append(job)
    return out


def configuration(number):
    """A dictionary of paths to values; sections in order."""
    draw = random.Random(f"tilefly {number}")
    keys = {"seed": str(number), "time.warmup": '"500ns"', "time.measure": f'"{draw.choice(["1ps", "1us", "2us"])}"',
            "time.drain": draw.choice(["true", "false", "false", '"auto"']), "topology": topology_of(draw)}
    kinds = {}
    for kind in ("switch", "routing", "congestion"):
        names = [n for k, n in PLUGINS if k == kind]
        kinds[kind] = draw.choice(names)
    if kinds["congestion"] in ("nscc", "ecn-dctcp", "dcqcn"):
        kinds["switch"] = "output-queued"
    if kinds["routing"] in ("dimwar", "omniwar"):
        keys["topology"] = f'kind = "hyperx"; dims = [{draw.randint(2, 3)}, {draw.randint(2, 3)}]; endpoints = 2;'
    for kind, name in kinds.items():
        keys[f"{kind}.kind"] = f'"{name}"'
        for k, v in plugin_lines(draw, kind, name, 0.25):
            keys[f"{kind}.{k}"] = v
    for section, rows in SECTIONS.items():
        out = LEFT_OUT.get(section, set())
        for key in rows:
            if out is not None and key.name not in out and draw.random() < 0.2:
                v = value(draw, key)
                if v is not None:
                    keys[f"{section}.{key.name}" if section else key.name] = v
    if draw.random() < 0.3:
        keys["links.local." + draw.choice(["granule", "gap", "min_frame", "header"])] = draw.choice(['"1B"', '"0B"'])
    classes = []
    if draw.random() < 0.4:
        classes = ["c0", "c1"]
        for i, name in enumerate(classes):
            keys[f"classes.[{i}].name"] = f'"{name}"'
            for key in SECTIONS["classes[]"]:
                if key.name not in ("name", "bias", "dscp") and draw.random() < 0.3:
                    v = value(draw, key)
                    if v is not None:
                        keys[f"classes.[{i}].{key.name}"] = v
    for i, job in enumerate(jobs(draw, classes)):
        for k, v in job:
            keys[f"traffic.[{i}].{k}"] = v
    return keys


def text_of(keys):
    top, groups, lists = [], {}, {}
    for path, v in keys.items():
        if m := re.fullmatch(r"(\w+)\.\[(\d+)\]\.(\w+)", path):
            lists.setdefault(m[1], {}).setdefault(m[2], []).append(f"{m[3]} = {v};")
        elif path == "topology":
            groups["topology"] = [v]
        elif m := re.fullmatch(r"links\.(\w+)\.(\w+)", path):
            groups.setdefault("links", {}).setdefault(m[1], []).append(f"{m[2]} = {v};")
        elif m := re.fullmatch(r"(\w+)\.(\w+)", path):
            groups.setdefault(m[1], []).append(f"{m[2]} = {v};")
        else:
            top.append(f"{path} = {v};")
    for name, of in groups.items():
        inner = [f"{k} = {{ {' '.join(l)} }};" for k, l in of.items()] if isinstance(of, dict) else of
        top.append(f"{name} = {{ {' '.join(inner)} }};")
    for name, of in lists.items():
        top.append(f"{name} = ( " + ",\n  ".join("{ " + " ".join(l) + " }" for l in of.values()) + " );")
    return "\n".join(top) + "\n"


def run(command):
    """Status, digest, errors."""
    try:
        r = subprocess.run(["timeout", "-k", "2", str(SECONDS), *command], stdin=subprocess.DEVNULL, capture_output=True,
                           text=True, errors="replace")
    except OSError as e:
        return 99, "", str(e)
    m = re.search(r'"digest":"([0-9a-f]+)"', r.stdout)
    return 124 if r.returncode in (-9, 137) else r.returncode, m[1] if m else "", r.stderr


refused, unnamed = collections.Counter(), [] # how often each key was; errors that name nothing to take back


# What takes the place of a choice that the rest does not allow.
INSTEAD = {"routing.kind": '"minimal"', "switch.kind": '"ideal"', "congestion.kind": '"none"',
           "topology": 'kind = "hyperx"; dims = [3]; endpoints = 2;'}


def repair(keys, path):
    """Takes back what `path`, named in an error, is about; whether there was anything."""
    job = re.match(r"traffic\.\[\d+\]", path)
    if path in INSTEAD or path.startswith("topology."):
        path = "topology" if path.startswith("topology.") else path
        if path == "routing.kind" and keys.get(path) == INSTEAD[path]: # not on this topology, with these switches
            return repair(keys, "topology")
        if keys.get(path) == INSTEAD[path]:
            return False
        keys[path] = INSTEAD[path]
        kind = path.split(".")[0]
        for k in [k for k in keys if kind != "topology" and k.startswith(kind + ".") and k != path]:
            del keys[k]
        return True
    about = [k for k in keys if k == path] or [k for k in keys if k.startswith(path + ".") and not k.endswith((".name", ".kind"))]
    if job and (not about or path.endswith((".process", ".pattern", ".class"))):
        for k in [k for k in keys if k.startswith(job[0] + ".") and not k.endswith(".class")]:
            del keys[k]
        keys[job[0] + ".load"], keys[job[0] + ".packet"] = "0.3", '"256B"'
        return True
    for k in about:
        del keys[k]
    return bool(about)


ERROR = re.compile(r"(?:tilefly run: )?\S*?\.cfg(?::\d+)?: (?!warning)(?:--set )?([\w.\[\]]+)(?:=[^:]*)?: (.*)")


def settle(keys, path):
    """Takes back what is refused until the rest runs sequentially; its status and digest."""
    before = None
    for _ in range(60):
        open(path, "w").write(text_of(keys))
        status, digest, err = run([program, "run", path, "--json", "--quiet", "--sync", "sequential"])
        if status != 2:
            return status, digest
        errors = [m for m in map(ERROR.match, err.splitlines()) if m]
        for m in errors:
            refused[re.sub(r"\[\d+\]", "[]", m[1])] += 1
        paths = list(dict.fromkeys(m[1] for m in errors))
        if paths == before and paths[0].endswith(".nodes"):
            paths = ["topology"]
        before = paths
        if not any([repair(keys, p) for p in paths]):
            # the one that is named is left at its default: what else the message names, or all of its section
            named = re.findall(r"[\w.\[\]]+", err)
            others = [k for k in keys if k.split(".")[-1] in named and not k.endswith((".kind", ".name", ".class"))]
            sections = [k for k in keys for p in paths if k.startswith(p.split(".")[0] + ".") and not k.endswith((".kind", ".name"))]
            if not any(repair(keys, p) for p in [n for n in named if "." in n] + others) and not any(
                    [repair(keys, k) for k in sections]) and not repair(keys, "routing.kind"):
                unnamed.append(err.strip().splitlines()[-1] if err.strip() else "nothing was said")
                return 2, ""
    return 2, ""
