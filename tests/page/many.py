"""Many results out of one, each with a load and latencies of its own. argv: FILE N; writes many/run-NNN.jsonl."""
import json
import os
import sys

records = [json.loads(line) for line in open(sys.argv[1])]
kept = [r for r in records if r["record"] in ("manifest", "summary", "histogram", "timeline", "end")]
os.mkdir("many")
for n in range(int(sys.argv[2])):
    factor = 1 + n / 100
    with open(f"many/run-{n:03}.jsonl", "w") as out:
        for record in kept:
            record = json.loads(json.dumps(record))
            kind = record["record"]
            if kind == "manifest":
                record["config"]["seed"] = n
            elif kind == "summary":
                record["latency_ns"]["mean"] *= factor
                record["accepted_load"] = 0.001 + n / 600
            elif kind == "histogram":
                record["bins"] = [[int(low * factor), int(high * factor), count] for low, high, count in record["bins"]]
            elif kind == "end":
                record["records"] = len(kept)
            out.write(json.dumps(record) + "\n")
