#!/usr/bin/env bash
# The worst permutation that topo finds, simulated: just below its bound every flow gets what it offers; at half as much
# again as the bound, flows through the named channel get their share of it.
source "$(dirname "$0")/run.bash"

cat >flows.py <<'END'
import json, sys
load, total = float(sys.argv[1]), float(sys.argv[2])
to, through, got = {}, set(), {}
for line in open("worst.txt"):
    word = line.split()
    if word[0] == "#":
        continue
    to[int(word[0])] = int(word[1])
    if "+" in word:
        through.add(int(word[0]))
for line in open("run.jsonl"):
    record = json.loads(line)
    if record["record"] == "port" and record["class"] == "terminal":
        got[record["to_endpoint"]] = record["bytes"]
share = {a: got[b] / (load * 100e9 / 8 * total) for a, b in to.items()}
print("%.4f %.4f" % (min(share.values()), sum(share[a] for a in through) / len(through)))
END

simulate() { # LOAD MICROSECONDS: prints the least share of a flow, and the mean share of those through the channel
	run run net.cfg --quiet --set traffic.[0].load="$1" --set time.measure="$2us"
	expect 0
	python3 flows.py "$1" "$(python3 -c "print($2 * 1e-6)")"
}

worst() { # NAME TOPOLOGY ROUTING MICROSECONDS [below]: not above the bound
	begin "$1"
	cat >net.cfg <<-END
		topology = { $2 };
		links = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
		switch = { kind = "ideal"; traversal = "100ns"; buffer = "100KB"; };
		routing = { kind = "$3"; };
		time = { warmup = "0us"; measure = "100us"; drain = false; };
		traffic = ( { pattern = "worst-permutation"; injection = "periodic"; load = 0.1; packet = "256B"; } );
		record = { ports = true; };
		output = { file = "run.jsonl"; };
	END
	run topo net.cfg --bounds --json --permutation worst.txt
	expect 0
	bound=$(python3 -c 'import json; print(json.load(open("out"))["bounds"]["routing"]["worst_permutation"]["throughput"])')
	read -r least _ < <(simulate "$(python3 -c "print(.97 * $bound)")" "$4")
	python3 -c "exit(not $least >= .98)" || fail "bound $bound: below it, a flow gets $least"
	[ "${5:-}" = below ] && return
	read -r _ mean < <(simulate "$(python3 -c "print(1.5 * $bound)")" "$4")
	python3 -c "exit(not abs(1.5 * $mean - 1) <= .05)" || fail "bound $bound: above it, flows get $mean"
}
worst "Slim Fly" 'kind = "slimfly"; q = 5; endpoints = 4;' minimal 400
worst "dragonfly" 'kind = "dragonfly"; p = 2; a = 4; h = 2;' minimal 400
worst "HyperX" 'kind = "hyperx"; dims = [4, 4]; endpoints = 4;' minimal 300
worst "HyperX, three dimensions in order" 'kind = "hyperx"; dims = [3, 3, 3]; endpoints = 3; order = "dimension";' minimal 500
worst "PolarFly" 'kind = "polarfly"; q = 5; endpoints = 3;' minimal 300
# past the bound all channels of a ring are full, in series, and flows get less than their share of any one
worst "ring" 'kind = "torus"; dims = [9];' minimal 200 below
worst "torus, Valiant" 'kind = "torus"; dims = [5, 5];' valiant 200 below
worst "Slim Fly, Valiant" 'kind = "slimfly"; q = 5; endpoints = 4;' valiant 200
worst "dragonfly, Valiant" 'kind = "dragonfly"; p = 2; a = 4; h = 2;' valiant 200
worst "PolarFly, Valiant" 'kind = "polarfly"; q = 5; endpoints = 3;' valiant 200
finish
