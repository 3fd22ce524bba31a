#!/usr/bin/env bash
# Memory: what the estimate tells, what is refused, and a run that stops before its limit.
source "$(dirname "$0")/run.bash"

cat >saturating.cfg <<'END'
seed     = 1;
time     = { warmup = "0us"; measure = "100us"; drain = false; };
topology = { kind = "dragonfly"; p = 8; a = 16; h = 4; g = 40; };
links    = { default = { bandwidth = "100Gbps"; latency = "50ns"; }; };
switch   = { kind = "ideal"; buffer = "1MB"; };
routing  = { kind = "ugal-l"; };
traffic  = ( { pattern = "uniform"; load = 0.7; packet = "256B"; } );
engine   = { threads = 1; };
END
sanitized=$(nm "$program" 2>/dev/null | grep -c "__asan_init")

begin "the estimate tells what is available, and what sets it"
run run slimfly-3k --estimate
expect 0
expect_in out '^total  *[0-9.]+ MB'
expect_in out '^available  *[0-9.]+ MB  \((MemAvailable|cgroup memory|ulimit -)'
expect_in out '^assumed: 1\.9[0-9] switch-to-switch links'

begin "of a run of many ranks it tells what each node needs, without having them"
run run slimfly-3k --estimate --ranks 1000 --per-node 64
expect 0
expect_in out '^each node  *[0-9.]+ MB, with 16 nodes; each rank [0-9.]+ MB'
# a ring of eight in two halves: two cables of eight; and in four quarters: four, to two neighbours each
for ranks in "2 4 25.0 1.0" "4 2 50.0 2.0"; do
	read -r count switches cut neighbours <<<"$ranks"
	run run torus-8x8x8 --set 'topology.dims=[8]' --estimate --ranks "$count"
	expect 0
	expect_in out "^$count ranks: at most $switches switches each; $cut % .* a rank has cables to $neighbours other ranks"
done
run run slimfly-3k --ranks 4
expect 2
expect_in err '--ranks has no effect without --estimate'
run run slimfly-3k --estimate --per-node 4
expect 2
expect_in err '--per-node has no effect without --ranks'
run run slimfly-3k --estimate --ranks 0
expect 2
expect_in err '--ranks 0: must be a number from 1 to'

begin "so does one of a network that cannot carry its load"
run run slimfly-3k --estimate --set 'traffic.[0].pattern=incast'
expect 0
expect_in out '^saturated: the offered load is [0-9.]+ times what the link to an endpoint can carry'

begin "a schedule, of which more is held while it is built than later"
python3 - >big.goal <<'END'
print("num_ranks 4")
for r in range(4):
    print(f"rank {r} {{")
    for i in range(20000):
        print(f"s{i}: send 64b to {(r + 1) % 4}\nr{i}: recv 64b from {(r - 1) % 4}")
        if i:
            print(f"s{i} requires r{i - 1}")
    print("}")
END
cat >goal.cfg <<'END'
topology = { kind = "single"; ports = 4; };
switch = { kind = "ideal"; };
traffic = ( { process = "goal"; file = "big.goal"; } );
END
run run goal.cfg --estimate
expect 0
expect_in out '^during construction '
told=$(awk '/^total/ { print $2 }' out)
if [ "$sanitized" = 0 ]; then
run run goal.cfg --json
expect 0
python3 - "$told" <<'END' || fail "$told MB told, $(grep -o '"peak_rss_bytes":[0-9]*' out)"
import json, sys
peak = json.load(open("out"))["engine"]["peak_rss_bytes"] / 1e6
assert 0.75 * peak < float(sys.argv[1]) < 1.1 * peak
END
fi

begin "what processes send is not known before, and that is said"
cat >processes.cfg <<'END'
time     = { warmup = "0us"; measure = "20us"; };
topology = { kind = "dragonfly"; p = 2; a = 4; h = 2; };
traffic  = ( { name = "all"; process = "all-to-all"; size = "16KB"; } );
END
run run processes.cfg --estimate
expect 0
expect_in out '^packets in flight  *0\.[0-9] MB  \(without messages of processes: full buffers take up to [1-9][0-9.]* MB more, '
expect_in out '^assumed: 20\.000 us of simulated time'

printf 'ranks 2\nrank 0\nsend to=1 tag=0 bytes=100\nrank 1\nrecv from=0 tag=0\n' >two.mpi
sed 's/measure = [^;]*;//; s/process = .*;/process = "recorded"; file = "two.mpi"; nodes = "0-1"; } );/' processes.cfg >path.cfg
run run path.cfg --estimate --set record.path=true
expect 0
expect_in out '^critical path  *[0-9]+ bytes in addition for each message and each computation, until the run ends$'

begin "no such word where the load is moderate"
run run slimfly-3k --estimate
grep -q "^saturated" out && fail "slimfly-3k saturates"

# 64 KB are 256 packets that go one behind the other: of few messages two may have one receiver, which says nothing of a
# long run; and more waits than of messages of a packet
begin "nor where messages are of many packets"
total() { awk '/^total/ { print int($2) }' out; }
run run slimfly-3k --estimate --set traffic.[0].load=0.5
one=$(total)
run run slimfly-3k --estimate --set traffic.[0].load=0.5 --set traffic.[0].message=64KB
grep -q "^saturated" out && fail "slimfly-3k saturates"
[ "$(total)" -gt $((2 * one)) ] || fail "$(total) MB, and $one MB of messages of a packet"

if [ "$sanitized" = 0 ]; then
	limited() { # KILOBYTES WORD...
		(ulimit -v "$1" && shift && exec "$program" "$@") >out 2>err </dev/null
		status=$?
	}

	# how far ranks run ahead depends on timing: between the total and the most that is told
	begin "optimistic ranks take no more than is told"
	ahead=(run slimfly-3k --sync optimistic --set engine.threads=1 --set topology.q=25 --set topology.endpoints=18 --set traffic.[0].load=0.3
		--set time.warmup=1us --set time.measure=3us)
	for count in 1 2; do
		launcher=(bash "$tests/../mpirun.sh" $count)
		[ $count = 2 ] || launcher=()
		"${launcher[@]}" "$program" "${ahead[@]}" --estimate >out 2>err || fail "$count: $(cat err)"
		least=$(total)
		most=$(awk -v total="$least" '/^speculation/ { more = $4 } END { print int(total + more) }' out)
		"${launcher[@]}" "$program" "${ahead[@]}" --json --quiet >out 2>err || fail "$count: $(cat err)"
		took=$(python3 -c 'import json; print(json.load(open("out"))["engine"]["peak_rss_bytes"] // 10**6)')
		[ $((10 * took)) -gt $((8 * least)) ] && [ $((10 * took)) -lt $((12 * most)) ] || fail "$count ranks took $took MB, $least to $most were told"
		[ $count = 2 ] || [ "$most" = "$least" ] || fail "alone a rank speculates nothing"
	done

	begin "ulimit -v is what is available"
	limited 1000000 run slimfly-3k --estimate
	expect 0
	expect_in out '\(ulimit -v\)'

	begin "a run that can not fit is refused"
	limited 400000 run slimfly-1m --quiet
	expect 2
	expect_in err '^tilefly run: this run needs about 0\.[0-9]+ GB and 0\.[0-9]+ GB are available \(ulimit -v\)'

	begin "so is one that will saturate and can not fit then"
	limited 400000 run saturating.cfg --quiet --set topology.h=1 --set topology.g=17 --set 'routing.kind=minimal' --set 'traffic.[0].load=1.0'
	expect 2
	expect_in err 'needs up to .* GB and .* GB are available .* so buffers fill up'

	begin "one that may saturate goes on with a warning, and stops before the limit with what it has"
	limited 300000 run saturating.cfg --quiet --out partial.jsonl.gz
	expect 1
	expect_in err 'warning: this run needs up to .* if the network saturates'
	expect_in err 'stopped at [0-9.]+ us to avoid running out of memory: .*\(ulimit -v\)'
	zcat partial.jsonl.gz >partial.jsonl || fail "the log is not whole"
	expect_in partial.jsonl '"record":"summary","complete":false'
	tail -1 partial.jsonl | grep -q '"record":"end"' || fail "the log has no end"
fi

finish
