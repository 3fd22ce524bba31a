#!/usr/bin/env bash
# sweep and report with the real simulator: run, resume, interrupt, go on, draw.
source "$(dirname "$0")/run.bash"

cat >e.cfg <<'END'
title = "small";
config = { topology = { kind = "slimfly"; q = 5; endpoints = 3; }; routing = { kind = "minimal"; };
           time = { warmup = "2us"; measure = "5us"; };
           traffic = ( { pattern = "uniform"; load = 0.5; packet = "256B"; } ); };
set = [ "engine.sync=sequential" ];
grid = ( { path = "routing.kind"; values = [ "minimal", "valiant" ]; }, { path = "traffic.[0].load"; values = [ 0.2, 0.4 ]; } );
expected = ( { x = [ 0.0, 0.4 ]; of_offered = [ 0.9, 1.1 ]; } );
END

begin "a sweep"
run sweep e.cfg --out s -j 2 --check
expect 0
expect_err ""
expect_in out '^valiant +0\.4 '
expect_in out '4 of 4 points are within their range'
[ "$(wc -l <s/summary.csv)" = 5 ] || fail "summary.csv has not five lines"

begin "an experiment that includes a file, and its report"
mkdir part
grep '^grid' e.cfg >part/grid.cfg
{ grep -v '^grid' e.cfg; echo '@include "grid.cfg"'; } >part/inc.cfg
run sweep part/inc.cfg --out inc --quiet
expect 0
run report inc --static --quiet
expect 0
expect_err ""

begin "nothing to check"
grep -v '^expected' e.cfg >free.cfg
run sweep free.cfg --out free --check
expect 2
expect_in err '^tilefly sweep: --check: the experiment defines no "expected" ranges$'
expect_no_file free

begin "the same sweep again keeps every result"
before=$(stat -c %Y%i s/points/*.gz)
run sweep e.cfg --out s --quiet
expect 0
[ "$before" = "$(stat -c %Y%i s/points/*.gz)" ] || fail "a result was made again"

begin "the table as JSON"
run sweep e.cfg --out s --json
expect 0
python3 -c 'import json; assert json.load(open("out")) == [json.loads(l) for l in open("s/summary.jsonl")]' || fail "not the rows of summary.jsonl"
run sweep e.cfg --list
want=$(cat out)
run sweep e.cfg --list --json
[ "$(python3 -c 'import json; print(*json.load(open("out")), sep="\n")')" = "$want" ] || fail "not the names of the points"

begin "one result, however it is run"
run run s/base.cfg --set routing.kind=valiant --set traffic.[0].load=0.4 --json --quiet
expect 0
digest=$(grep -oE '"digest":"[0-9a-f]{16}"' out | cut -d'"' -f4)
grep -q "$digest" s/summary.csv || fail "the sweep's digest is not the run's"

begin "a point that cannot be built stops nothing else"
run sweep e.cfg --out t --quiet --set topology.q=6
[ "$status" = 1 ] || [ "$status" = 2 ] || fail "status $status"
expect_in err '6 is not a prime power'

# Each is written in the experiment, so the experiment is blamed, with the line.
begin "wrong assignments of an experiment"
cat >wrong.cfg <<'END'
config = { topology = { kind = "slimfly"; q = 5; endpoints = 3; };
           routing = { kind = "minimal"; candidates = 3; };
           traffic = ( { load = 0.5; } ); };
set = [ "switch.buffer=lots",
        "trafic.[0].packet=64B", "traffic.[3].load=1" ];
grid = ( { name = "way"; points = ( { label = "a"; set = [ "routing.kind=minimal" ]; },
                                    { label = "b"; set = [ "switch.kind=idle" ]; } ); },
         { path = "traffic.[0].laod";
           values = [ 0.2,
                      0.4 ]; },
         { path = "traffic.[0].load"; values = [ 0.5, 2.0 ]; } );
END
run sweep wrong.cfg --out wrong --set time.measure=1
expect 2
for line in 'wrong.cfg:4: switch.buffer: "lots" does not begin with a number' \
	'wrong.cfg:5: trafic: unknown key; did you mean "traffic"?' \
	"wrong.cfg:5: traffic.[3].load=1: there is no entry [3]: the list has 1; to make it longer, set the whole list, as in 'traffic=( ..., ... )'" \
	'wrong.cfg:2: routing.candidates: unknown key of routing "minimal" (set by wrong.cfg:6)' \
	'wrong.cfg:9: traffic.[0].laod: unknown key; did you mean "load"?' \
	'wrong.cfg:10: traffic.[0].laod: unknown key; did you mean "load"?' \
	'wrong.cfg:11: traffic.[0].load: 2.0 is out of range: 0 to 1'; do
	[ "$(grep -cF -- "$line" err)" = 1 ] || fail "not said once: $line"
done
expect_in err '^wrong.cfg:7: switch.kind: there is no switch "idle"; available: '
expect_in err '^--set time.measure=1: '
! grep -v '^wrong.cfg:[0-9]*: \|^--set time.measure=1: ' err || fail "blamed elsewhere"
expect_no_file wrong

begin "a topology that cannot be built is told before anything runs"
sed 's/set = \[ .*/set = [ "engine.sync=sequential",\n"topology.q=6" ];/; /^expected/d' e.cfg >built.cfg
run sweep built.cfg --out built
expect 2
[ "$(wc -l <err)" = 1 ] || fail "not one line: $(cat err)"
expect_in err '^built.cfg:[0-9]+: topology.q: 6 is not a prime power'
! grep -q -- --set err || fail "blamed as --set"
expect_no_file built

begin "endpoints that a topology does not have are told before anything runs, of all points at once"
cat >far.cfg <<'END'
config = { topology = { kind = "torus"; dims = [4, 4]; endpoints = 2; }; routing = { kind = "minimal"; };
           time = { warmup = "1us"; measure = "2us"; };
           traffic = ( { name = "a"; pattern = "hotspot"; targets = [30]; load = 0.1; packet = "256B"; },
                       { name = "b"; pattern = "incast"; target = 3; load = 0.0; packet = "256B"; nodes = "0-5"; } ); };
grid = ( { name = "size"; points = ( { label = "large"; set = [ "topology.dims=[4,4]" ]; },
                                     { label = "small"; set = [ "topology.dims=[2,2]" ]; },
                                     { label = "odd"; set = [ "topology.dims=[3,3]", "traffic.[1].target=6" ]; } ); },
         { path = "traffic.[0].load"; values = [ 0.1, 0.2 ]; } );
END
run sweep far.cfg --out far --quiet
expect 2
expect_err "far.cfg:3: traffic.[0].targets: endpoint 30 does not belong to this job: the topology has endpoints 0 to 7
far.cfg:3: traffic.[0].targets: endpoint 30 does not belong to this job: the topology has endpoints 0 to 17
far.cfg:7: traffic.[1].target: endpoint 6 does not belong to this job"
expect_no_file far
sed -i 's/targets = \[30\]/targets = [7]/; s/target=6/target=5/' far.cfg
run sweep far.cfg --out far --quiet
expect 0

begin "an interrupt"
interruptible sweep e.cfg --out i --quiet -j 1 --set time.measure=100ms >out 2>err </dev/null &
sweep=$!
for _ in $(seq 100); do
	pgrep -P "$sweep" >/dev/null && break
	sleep 0.05
done
sleep 1
kill -INT "$sweep"
wait "$sweep"
status=$?
expect 130
expect_in err 'interrupted'
zcat i/points/*.gz | tail -n 1 | grep -q '"complete":false' || fail "the partial result is not valid and marked"
[ "$(grep -c 'not run' i/summary.csv)$(grep -c 'interrupted' i/summary.csv)" = 31 ] || fail "summary.csv does not say what was not run"

begin "an interrupt while points are read"
cat >many.cfg <<-END
	config = { topology = { kind = "single"; ports = 4; }; };
	grid = ( { name = "measure"; path = "time.measure"; values = [ $(printf '%d, ' {1000..1999}) 2000 ]; },
		{ name = "warmup"; path = "time.warmup"; values = [ $(printf '%d, ' {1..400}) 401 ]; } );
END
interruptible sweep many.cfg --out many >out 2>err </dev/null &
sweep=$!
for _ in $(seq 200); do # until it is the program, and catches SIGINT, signal 2
	[ "$(cat "/proc/$sweep/comm")" = "$(basename "$program")" ] && ((0x$(awk '/^SigCgt/ { print $2 }' "/proc/$sweep/status") & 2)) && break
	sleep 0.05
done
kill -INT "$sweep"
wait "$sweep"
status=$?
expect 130
expect_in err '^tilefly sweep: interrupted$'
[ ! -e many ] || fail "a folder was written"

begin "interrupts that are ignored at the start stay so; SIGTERM reaches the runs"
"$program" sweep e.cfg --out j --quiet -j 1 --set time.measure=100ms >out 2>err </dev/null &
sweep=$!
for _ in $(seq 100); do
	pgrep -P "$sweep" >/dev/null && break
	sleep 0.05
done
sleep 1
point=$(pgrep -P "$sweep")
kill -INT "$sweep" "$point"
sleep 0.5
kill -0 "$sweep" || fail "SIGINT ends the sweep"
kill -0 "$point" || fail "SIGINT ends a run of the sweep"
kill -TERM "$sweep"
wait "$sweep"
status=$?
expect 130
zcat j/points/*.gz | tail -n 1 | grep -q '"complete":false' || fail "the partial result is not valid and marked"

# The paper's worst case under minimal routing: the 2p endpoints of two switches share one link into the third switch of
# a chain, so 1 / (2p) of the injection bandwidth is carried (p = 3: 0.1667), whatever more is offered.
cat >find.cfg <<'END'
title = "saturation of the worst case, minimal routing";
base = "e.base.cfg";
set = [ "time={ precision = \"2%\"; limit = \"100us\"; }" ];
grid = ( { path = "traffic.[0].load"; values = [ 0.05, 0.45 ]; } );
find = "saturation";
width = 0.02;
repeat = 2;
END
cat >e.base.cfg <<'END'
topology = { kind = "slimfly"; q = 5; endpoints = 3; };
routing = { kind = "minimal"; };
traffic = ( { pattern = "worst-case"; load = 0.1; packet = "256B"; } );
END
begin "a bisection finds where the closed form says saturation is"
run sweep find.cfg --out find -j 2
expect 0
expect_in out '^saturation: load 0\.15 is stationary, 0\.17 is not$'
[ "$(cat find/saturation.csv)" = "$(printf 'low,high\n0.15,0.17')" ] || fail "saturation.csv: $(cat find/saturation.csv)"
expect_in out '^0\.15 +2 +0\.1[45]'
[ "$(ls find/points | grep -c seed2)" = "$(ls find/points | grep -vc seed2)" ] || fail "points: $(ls find/points)"

begin "runs that cannot decide end no series, and a bisection says so"
sed 's/0.05, 0.45/0.05, 0.1/; s/find = "saturation";/stop = "saturation";/; /^width/d' find.cfg >undecided.cfg
limits=(--set 'time={ precision="0.01%"; limit="8us"; }')
run sweep undecided.cfg --out undecided "${limits[@]}"
expect 0
expect_in out 'undecided whether stationary'
[ "$(cat undecided/saturation.csv)" = "$(printf 'low,high\n,')" ] || fail "saturation.csv: $(cat undecided/saturation.csv)"
expect_in out '^saturation: unknown$'
run sweep find.cfg --out undecided2 "${limits[@]}"
expect 0
expect_in out '^saturation: load 0\.05 is undecided; no smaller value is known to be stationary$'

begin "labels of an axis say what ran"
for set in traffic.[0].load=0.5 'traffic=( { pattern="uniform"; load=0.1; } )' 'traffic[0].load=0.1'; do
	run sweep e.cfg --out labels --set "$set"
	expect 2
	expect_err "tilefly sweep: --set $set: the axis \"load\" sets traffic.[0].load, so its labels would be wrong"
done
run sweep e.cfg --out labels --set routing.kind=valiant
expect 2
expect_err 'tilefly sweep: --set routing.kind=valiant: the axis "kind" sets routing.kind, so its labels would be wrong'
expect_no_file labels
sed 's/path = "routing.kind"; values = .*valiant" \]/name = "r"; points = ( { label = "m"; set = [ "routing.kind=minimal" ]; } )/' e.cfg >points.cfg
run sweep points.cfg --out labels --set routing.kind=valiant --list
expect 0

begin "a search goes by its axis"
run sweep find.cfg --out find2 --set traffic.[0].load=0.1
expect 2
expect_err 'tilefly sweep: --set traffic.[0].load=0.1: the axis "load" varies traffic.[0].load to find the saturation load'
for set in 'traffic=( { pattern="uniform"; load=0.1; } )' 'traffic.[0]={ pattern="uniform"; load=0.1; }' 'traffic[0].load=0.1'; do
	run sweep find.cfg --out find2 --set "$set"
	expect 2
	expect_err "tilefly sweep: --set $set: the axis \"load\" varies traffic.[0].load to find the saturation load"
done
expect_no_file find2
run sweep find.cfg --out find2 --set 'traffic.[0].packet=64B' --list
expect 0
run sweep find.cfg --out ''
expect 2
expect_in err '\-\-out: must name a directory'

begin "series stop at saturation, and resume so"
sed 's/0.05, 0.45/0.05, 0.1, 0.3, 0.4/; s/find = "saturation";/stop = "saturation";/; /^width/d' find.cfg >stop.cfg
run sweep stop.cfg --out stop -j 2
expect 0
expect_in out '^saturation: load 0\.1 is stationary, 0\.3 is not$'
! grep -q '^0\.4' out || fail "0.4 was run"
before=$(stat -c %Y%i stop/points/*.gz)
run sweep stop.cfg --out stop --quiet
expect 0
[ "$before" = "$(stat -c %Y%i stop/points/*.gz)" ] || fail "a result was made again"

begin "seeds that do not suffice for repeat"
run sweep stop.cfg --out seeds --set seed=9223372036854775807
expect 2
expect_err 'stop.cfg: repeat = 2 uses the seeds that follow seed = 9223372036854775807, but the largest possible seed is 9223372036854775807'
expect_no_file seeds
run sweep stop.cfg --out seeds --set seed=9223372036854775806 --list
expect 0
expect_err ""

# What a result stands for: configuration, program, every input file, by content.
again() { # the sweep of e2.cfg into f, with the program given: what it says about points that run again
	"$@" sweep e2.cfg --out f --quiet --plugin ./rook.so >out 2>err </dev/null
	status=$?
	expect 0
	grep -o '[0-9]* points* runs* again: .*' err
}
edges_of() { # a ring of N switches
	for i in $(seq "$1"); do
		echo "$((i - 1)) $((i % $1)) local"
	done
}
cat >base2.cfg <<'END'
@include "time.cfg"
topology = { kind = "edges"; file = "net.txt"; endpoints = 2; };
traffic = ( { load = 0.2; } );
END
echo 'time = { warmup = "1us"; measure = "1us"; };' >time.cfg
cat >e2.cfg <<'END'
base = "base2.cfg";
grid = ( { path = "seed"; values = [ 1, 2 ]; } );
END
edges_of 8 >net.txt
cp "$plugins/rook.so" rook.so
cp "$program" tilefly

begin "the manifest lists what the result was made from"
[ -z "$(again ./tilefly)" ] || fail "something runs again the first time: $(cat err)"
zcat f/points/1.jsonl.gz | head -1 >manifest
for input in "program\",\"path\":\"$(realpath tilefly)" 'configuration","path":"base2.cfg' 'include","path":"time.cfg' \
	'topology.file","path":"net.txt' 'plug-in","path":"\./rook.so'; do
	grep -qE "\\{\"kind\":\"$input\",\"bytes\":[1-9][0-9]*,\"xxh128\":\"[0-9a-f]{32}\"\\}" manifest || fail "not listed: $input"
done
if command -v xxh128sum >/dev/null; then
	grep -q "$(xxh128sum net.txt | cut -d' ' -f1)" manifest || fail "not the hash that xxh128sum prints"
fi
[ -z "$(again ./tilefly)" ] || fail "nothing changed, but something runs again: $(cat err)"

begin "an edges file that changed"
edges_of 9 >net.txt
[ "$(again ./tilefly)" = '2 points run again: net.txt (topology.file) changed' ] || fail "$(cat err)"
grep -q '"switches":9' <(zcat f/points/2.jsonl.gz) || fail "the old network's result"
[ -z "$(again ./tilefly)" ] || fail "again: $(cat err)"

begin "a plug-in that was rebuilt"
printf x >>rook.so
[ "$(again ./tilefly)" = '2 points run again: the plug-in ./rook.so changed' ] || fail "$(cat err)"

begin "a program that was rebuilt from a dirty tree"
cp tilefly other && printf x >>other
[ "$(again ./other)" = '2 points run again: the program changed' ] || fail "$(cat err)"
mv other tilefly
[ -z "$(again ./tilefly)" ] || fail "another name is another program: $(cat err)"

begin "an included file and the configuration that changed"
echo '# the same settings' >>time.cfg
[ "$(again ./tilefly)" = '2 points run again: the included file time.cfg changed' ] || fail "$(cat err)"
echo '# here too' >>base2.cfg
[ "$(again ./tilefly)" = '2 points run again: the configuration base2.cfg changed' ] || fail "$(cat err)"
sed -i 's/0.2/0.3/' base2.cfg
[ "$(again ./tilefly)" = '2 points run again: its configuration changed (traffic.[0].load)' ] || fail "$(cat err)"
rm f/points/2.jsonl.gz
zcat f/points/1.jsonl.gz | head -c $(($(zcat f/points/1.jsonl.gz | head -1 | wc -c) + 500)) | gzip >cut && mv cut f/points/1.jsonl.gz
again ./tilefly >said
[ "$(cat said)" = '1 point runs again: its result is damaged' ] || [ "$(cat said)" = '1 point runs again: its result is incomplete' ] ||
	fail "$(cat err)"
for bytes in 0 1000; do
	head -c $bytes f/points/1.jsonl.gz >cut && mv cut f/points/1.jsonl.gz
	[ "$(again ./tilefly)" = '1 point runs again: its result cannot be read' ] || fail "$bytes bytes: $(cat err)"
done

begin "an axis is called as no column of the table"
for axis in name state digest hops_mean repeats message; do
	printf 'config = { topology = { kind = "single"; ports = 8; }; };\ngrid = (\n  { name = "%s"; points = ( { label = "a"; set = [ "seed=1" ]; } ); } );\n' $axis >axis.cfg
	run sweep axis.cfg --out axis
	expect 2
	expect_err "axis.cfg:3: grid.[0]: no axis can be named \"$axis\", which is a column of summary.csv: set another \"name\""
done
for axis in low high; do
	printf 'config = { topology = { kind = "single"; ports = 8; }; };\ngrid = (\n  { name = "%s"; points = ( { label = "a"; set = [ "seed=1" ]; } ); },\n  { path = "traffic.[0].load"; values = [ 0.1, 0.2 ]; } );\nstop = "saturation";\n' $axis >axis.cfg
	run sweep axis.cfg --out axis
	expect 2
	expect_in err "^axis.cfg:3: grid.\[0\]: no axis can be named \"$axis\", which is a column of saturation.csv: set another \"name\"$"
done
expect_no_file axis

begin "a label that no file name has room for"
label=$(printf '%0260d' 0)
printf 'base = "slimfly-3k";\ngrid = (\n  { name = "r"; points = (\n      { label = "a"; set = [ "seed=1" ]; },\n      { label = "%s"; set = [ "seed=2" ]; } ); } );\n' "$label" >label.cfg
run sweep label.cfg --out label
expect 2
expect_err "label.cfg:5: the label \"${label:0:40}...\" has 260 characters; the name of its point, which joins all labels, has 260, but at most 224 are possible"
expect_no_file label
sed -i "s/$label/${label:0:224}/" label.cfg
run sweep label.cfg --out label --list
expect 0
sed -i 's/^grid/set = [ "topology.q=5", "time.warmup=1us", "time.measure=1us" ];\ngrid/' label.cfg
run sweep label.cfg --out label -j 1
expect 0

begin "columns are of letters, not of bytes"
printf 'base = "slimfly-3k";\nset = [ "topology.q=5", "time.warmup=1us", "time.measure=1us" ];\ngrid = ( { name = "näme"; points = ( { label = "größer"; set = [ "seed=1" ]; },\n { label = "b"; set = [ "seed=2" ]; } ); } );\n' >utf8.cfg
run sweep utf8.cfg --out utf8 -j 1
expect 0
expect_in out '^näme     offered '
expect_in out '^größer    0'
expect_in out '^b         0'

begin "what changes while the sweep runs is a failure"
"$program" sweep e2.cfg --out g --quiet -j 1 --set time.measure=2ms --plugin ./rook.so >out 2>err </dev/null &
sweep=$!
for _ in $(seq 400); do
	pgrep -P "$sweep" >/dev/null && break
	sleep 0.01
done
printf x >>rook.so # the sweep has read it, the run of the second point has not
wait $sweep
status=$?
expect 1
expect_in err '^tilefly sweep: 2 failed, the plug-in ./rook.so changed while the sweep ran'
run sweep e2.cfg --out g --quiet --set time.measure=1us --plugin ./rook.so
expect 0

begin "a folder of another experiment"
mkdir a b
cp e.cfg a/e.cfg
sed 's/0.2, 0.4/0.3/' e.cfg >b/e.cfg
run sweep a/e.cfg --quiet --set time.measure=1us
expect 0
before=$(stat -c '%Y %i' results/e/*)
run sweep b/e.cfg --quiet
expect 2
expect_err "tilefly sweep: results/e: contains the results of another experiment, $(realpath a/e.cfg); set another directory by --out"
[ "$before" = "$(stat -c '%Y %i' results/e/*)" ] || fail "something was written"
expect_no_file results/e/.lock
cp a/e.cfg b/e.cfg
run sweep b/e.cfg --quiet --set time.measure=1us
expect 0
rm b/e.cfg
mv a/e.cfg c.cfg
owner=$(realpath b)/e.cfg
sed 's/0.2, 0.4/0.3/' c.cfg >d.cfg
before=$(stat -c '%Y %i' results/e/*)
run sweep d.cfg --quiet --out results/e
expect 2
expect_err "tilefly sweep: results/e: contains the results of another experiment, $owner, which no longer exists, and whose copy in the directory differs from this experiment; set another directory by --out; if it is this experiment, renamed and edited, remove results/e/sweep.json to continue there"
[ "$before" = "$(stat -c '%Y %i' results/e/*)" ] || fail "something was written"
cp results/e/sweep.json sweep.json
echo "{" >results/e/sweep.json
run sweep d.cfg --quiet --out results/e
expect 2
expect_err "tilefly sweep: results/e: contains the results of another experiment, whose sweep.json cannot be read, and whose copy in the directory differs from this experiment; set another directory by --out; if it is this experiment, renamed and edited, remove results/e/sweep.json to continue there"
rm results/e/sweep.json
before=$(stat -c '%Y %i' results/e/points/minimal_0.4.jsonl.gz)
run sweep d.cfg --quiet --out results/e --set time.measure=1us
expect 0
expect_err ""
[ "$before" = "$(stat -c '%Y %i' results/e/points/minimal_0.4.jsonl.gz)" ] || fail "a point of both was made again"
[ -e results/e/points/minimal_0.3.jsonl.gz ] || fail "the point that was edited has not run"
cp c.cfg results/e/experiment.cfg
cp sweep.json results/e/sweep.json
run sweep c.cfg --quiet --out results/e --set time.measure=1us
expect 0
expect_err ""
sed -i 's/small/edited/' c.cfg
run sweep c.cfg --quiet --out results/e --set time.measure=1us
expect 0
expect_err ""

begin "--list writes nothing"
run sweep e.cfg --out nowhere --list
expect 0
expect_no_file nowhere

begin "a folder whose name begins with a hyphen"
run sweep e.cfg --out -x --quiet --set time.measure=1us
expect 0
expect_err ""
[ -s ./-x/summary.csv ] || fail "no table"

begin "two sweeps at once in a folder"
"$program" sweep e.cfg --out two --quiet -j 1 --set time.measure=100ms >out 2>err </dev/null &
sweep=$!
for _ in $(seq 100); do
	pgrep -P "$sweep" >/dev/null && break
	sleep 0.02
done
run sweep e.cfg --out two --quiet --set time.measure=1us
expect 1
expect_in err "^tilefly sweep: two/.lock: another sweep uses this directory \\(process $sweep"
kill -HUP $sweep
wait $sweep
status=$?
expect 130
expect_no_file two/.lock
run sweep e.cfg --out two --quiet --set time.measure=1us
expect 0

begin "stale locks"
boot=$(cat /proc/sys/kernel/random/boot_id)
for lock in "host=$(hostname) pid=$$ started=1 boot=$boot" "host=$(hostname) pid=4194305 started=1 boot=$boot" \
	"host=$(hostname) pid=$$ started=$(cut -d' ' -f22 /proc/$$/stat) boot=another" ''; do
	echo "$lock" >two/.lock
	run sweep e.cfg --out two --quiet --set time.measure=1us
	expect 0
	expect_err ""
	expect_no_file two/.lock
done
python3 -c 'import os, time
if os.fork():
    time.sleep(60)' & # whose child is a zombie
parent=$!
for _ in $(seq 100); do
	zombie=$(pgrep -P $parent) && grep -q ') Z ' "/proc/$zombie/stat" && break
	sleep 0.05
done
echo "host=$(hostname) pid=$zombie started=$(cut -d' ' -f22 "/proc/$zombie/stat") boot=$boot" >two/.lock
run sweep e.cfg --out two --quiet --set time.measure=1us
expect 0
expect_err ""
kill $parent
wait $parent 2>/dev/null
echo "host=$(hostname) pid=$$ started=$(cut -d' ' -f22 /proc/$$/stat) boot=$boot" >two/.lock
run sweep e.cfg --out two --quiet
expect 1
expect_in err "^tilefly sweep: two/.lock: another sweep uses this directory \\(process $$\\)"
echo "host=elsewhere pid=1 started=1 boot=$boot" >two/.lock
run sweep e.cfg --out two --quiet
expect 1
expect_in err '^tilefly sweep: two/.lock: a sweep on elsewhere \(process 1\) uses this directory; if that process no longer runs, remove this file'

begin "a pipe in the place of a file of the folder"
for name in sweep.json experiment.cfg summary.csv; do
	mkdir -p piped
	mkfifo piped/$name
	timeout 60 "$program" sweep e.cfg --out piped --quiet --set time.measure=1us >out 2>err </dev/null
	status=$?
	expect 1
	expect_in err "^tilefly sweep: piped/$name: exists and is not a regular file"
	rm -r piped
done
mkdir piped
sed 's/^config = .*/base = "b.cfg";/; /^  *time = /d; /^  *traffic = /d' e.cfg >piped/experiment.cfg
mkfifo piped/sweep.json
timeout 20 "$program" sweep piped/experiment.cfg --list >out 2>err </dev/null
status=$?
expect 2
expect_in err 'b\.cfg'
rm -r piped

begin "where one table cannot be written the other is not there, and what ran is told"
for name in summary.csv summary.jsonl; do
	(until ls blocked/points/*.gz >ls 2>&1; do sleep 0.01; done; mkdir blocked/$name) &
	run sweep e.cfg --out blocked --set time.measure=100us
	wait
	expect 1
	expect_in err "^tilefly sweep: blocked/$name: "
	expect_in out '^valiant +0\.4 '
	[ -d blocked/summary.csv ] || expect_no_file blocked/summary.csv
	[ -d blocked/summary.jsonl ] || expect_no_file blocked/summary.jsonl
	rmdir blocked/$name
	mv blocked blocked-$name
done
run sweep e.cfg --out blocked-summary.csv --set time.measure=100us --quiet
expect 0
[ -s blocked-summary.csv/summary.csv ] && [ -s blocked-summary.csv/summary.jsonl ] || fail "no tables"

begin "result files is the sweep's"
run sweep e.cfg --out outputs --set output.file=x.jsonl
expect 2
expect_err 'tilefly sweep: --set output.file=x.jsonl: output.file is set by the sweep'
run sweep e.cfg --out outputs --set output.csv=true
expect 2
expect_err 'tilefly sweep: --set output.csv=true: output.csv has no effect in a sweep, which writes summary.csv and summary.jsonl'
sed 's/^set = .*/set = [ "output={ file=\\"x.jsonl\\"; }" ];/' e.cfg >outputs.cfg
run sweep outputs.cfg --out outputs
expect 2
expect_err 'outputs.cfg:5: output.file is set by the sweep'
sed 's/path = "routing.kind"; values = .*valiant" \]/path = "output.file"; values = [ "a.jsonl", "b.jsonl" ]/' e.cfg >outputs.cfg
run sweep outputs.cfg --out outputs
expect 2
expect_err 'outputs.cfg:6: output.file is set by the sweep'
expect_no_file outputs

if command -v node >/dev/null; then
	begin "a report"
	run report s s/points/minimal_0.2.jsonl.gz --out r.html --svg figures
	expect 0
	grep -q '</html>' r.html || fail "the page is not whole"
	[ -s figures/accepted-load.svg ] || fail "no figure"

	begin "censored is not saturated, not stationary is"
	sed 's/0.2, 0.4/0.2/; /^expected/d' e.cfg >g.cfg
	run sweep g.cfg --out censored --quiet --set time.drain=false --set time.warmup=0ns --set time.measure=2us
	expect 0
	grep -q '"latency_censored":true' censored/summary.jsonl || fail "nothing is censored"
	run report censored --out censored.html --svg censored
	expect 0
	! grep -q 'points are past saturation' censored.html || fail "censored is called saturated"
	[ -s censored/latency.svg ] || fail "lower bounds are not drawn"
	sed 's/values = \[ 0.2 \]/values = [ 1 ]/' g.cfg >g1.cfg
	run sweep g1.cfg --out saturated --quiet --set traffic.[0].pattern=worst-case --set time.measure=20us
	expect 0
	run report saturated --out saturated.html --svg saturated
	expect 0
	grep -q '2 of 2 points are past saturation (not stationary)' saturated.html || fail "saturation is not said"
	expect_no_file saturated/latency.svg
	grep -q 'not stationary</span>' saturated.html || fail "the table does not say it"

	begin "intervals are error bars"
	sed -i 's/^ *time = .*/time = { precision = "5%"; };/' g.cfg
	run sweep g.cfg --out precise --quiet
	expect 0
	for estimate in accepted_load_low latency_mean_high_ns latency_p99_low_ns; do
		[ "$(grep -c "\"$estimate\":[0-9]" precise/summary.jsonl)" = 2 ] || fail "no $estimate"
	done
	run report precise --out precise.html --svg precise --static
	expect 0
	expect_err ""

	begin "several sweeps, several runs in one figure"
	run sweep e.cfg --out s2 --quiet --set time.drain=true --set links.default.latency=100ns
	run sweep e.cfg --out s3 --quiet --set time.drain=true --set links.default.latency=200ns
	expect 0
	run report s2 s3 s2/points/minimal_0.2.jsonl.gz s2/points/minimal_0.4.jsonl.gz --out several.html --svg several --static
	expect 0
	expect_err ""
	for title in 'Sweeps compared' 'Runs compared'; do
		[ "$(grep -c "<h2>$title</h2>" several.html)" = 1 ] || fail "no section $title"
	done
	for figure in accepted-load latency latency-p99; do
		for line in 's2: minimal' 's3: minimal' 's2: valiant'; do
			grep -q ">$line<" "several/compared-$figure.svg" || fail "$figure has no line $line"
		done
	done
	grep -q '>minimal_0.4<' several/compared-latency-distribution.svg || fail "no line of the second run"
	[ "$(ls several | sort)" = "$(printf '%s\n' accepted-load{,-2}.svg compared-{accepted-load,latency,latency-distribution,latency-p99}.svg latency{,-2}.svg latency-distribution{,-2}.svg compared-runs.svg small-{network,room}{,-2}.svg parts.svg minimal_0.{2,4}-latency-distribution.svg | sort)" ] || fail "figures: $(ls several)"

	begin "a page of a search"
	run report find --out find.html
	expect 0
	grep -q '<h3>Saturation</h3>' find.html || fail "no table of saturation"
	grep -q '<td>0.15</td><td>0.17</td>' find.html || fail "not the saturation that was found"

	begin "one of a kind is not compared"
	run report s2 s2/points/minimal_0.2.jsonl.gz --out two.html
	expect 0
	! grep -q '<h2>.*compared</h2>' two.html || fail "compared with what?"

	begin "sweeps with another horizontal axis"
	sed 's/^grid = .*/grid = ( { path = "traffic.[0].load"; values = [ 0.2 ]; }, { path = "topology.endpoints"; values = [ 1, 2 ]; } );/; /^expected/d' e.cfg >f.cfg
	run sweep f.cfg --out s4 --quiet
	expect 0
	run report s2 s3 s4 --out other.html --static
	expect 0
	grep -q 'Not compared: s4, which has another horizontal axis' other.html || fail "s4 is not named"
fi

begin "what is wrong with points or a bisection is said with its line"
cat >wrong.cfg <<'END'
base = "e.base.cfg";
grid = ( { name = "routing"; points = (
    { label = "a b"; set = [ "routing.kind=minimal" ]; },
    { label = "a-b"; set = [ "routing.kind=valiant" ]; } ); },
  { path = "traffic.[0].load"; values = [ 0.1, 0.2 ]; } );
END
run sweep wrong.cfg --out wrong
expect 2
expect_err 'wrong.cfg:4: two points would have the name "a-b_0.1": change a label'
cat >wrong.cfg <<'END'
base = "e.base.cfg";
grid = ( { path = "traffic.[0].load"; values = [ 0.1, 0.2 ]; } );
find = "saturation";
END
run sweep wrong.cfg --out wrong
expect 2
expect_err 'wrong.cfg:3: find: requires "width", the width to which the saturation load is bracketed'
echo 'width = 1e-300;' >>wrong.cfg
run sweep wrong.cfg --out wrong
expect 2
expect_err 'wrong.cfg:4: width: is too small: more than 1000000000 values lie between 0.1 and 0.2, but at most 1000 are possible'
sed -i 's/^width.*/width = "x";/' wrong.cfg
run sweep wrong.cfg --out wrong
expect 2
expect_err 'wrong.cfg:4: width: must be a number above 0, not "x"'

begin "a run that ends with a process tells of no saturation"
printf 'ranks 2\nrank 0\nsend to=1 tag=1 bytes=8\nrank 1\nrecv from=0 tag=1 bytes=8\n' >ends.mpi
cat >app.cfg <<'END'
config = { topology = { kind = "single"; ports = 8; }; switch = { kind = "ideal"; }; time = { warmup = "0ns"; };
           traffic = ( { process = "recorded"; file = "ends.mpi"; nodes = "0-1"; }, { load = 0.1; nodes = "2-7"; } ); };
grid = ( { path = "traffic.[1].load"; values = [ 0.1, 0.2 ]; } );
END
for choice in 'stop = "saturation";' 'find = "saturation"; width = 0.05;'; do
	(cat app.cfg; echo "$choice") >judged.cfg
	run sweep judged.cfg --out judged
	expect 2
	expect_err "judged.cfg:2: traffic: \"${choice%% *}\" in judged.cfg requires runs that decide whether they are stationary, but these runs end with a process"
done
expect_no_file judged

begin "a point whose application does not finish fails again"
printf 'ranks 2\nrank 0\nrecv from=1 tag=1 bytes=8\nrank 1\nrecv from=0 tag=1 bytes=8\n' >waits.mpi
printf 'ranks 2\nrank 0\nsend to=1 tag=1 bytes=8\nrank 1\nrecv from=0 tag=1 bytes=8\n' >ends.mpi
cat >app.cfg <<'END'
config = { topology = { kind = "single"; ports = 4; }; switch = { kind = "ideal"; }; time = { warmup = "0ns"; };
           traffic = ( { process = "recorded"; file = "ends.mpi"; nodes = "0-1"; } ); };
grid = ( { path = "traffic.[0].file"; values = [ "waits.mpi", "ends.mpi" ]; } );
END
for again in 1 2 3; do
	run sweep app.cfg --out app
	expect 1
	expect_in out '^waits.mpi +failed'
	expect_in err 'waits.mpi failed, exit status 1: .*2 of 2 processes have not finished'
	[ $again = 1 ] || expect_in err '1 point runs again: its applications had not finished'
done

begin "a folder where a table goes is found before anything runs"
mkdir -p table/summary.jsonl
run sweep e.cfg --out table
expect 1
expect_in err '^tilefly sweep: table/summary.jsonl: is a directory, but a table of this name must be written there$'
[ -z "$(ls table/points)" ] || fail "points were run"

begin "applications: when they have ended, on switches and on formulas; what an iteration takes"
cat >app.cfg <<-END
	config = { topology = { kind = "single"; ports = 8; }; switch = { kind = "ideal"; buffer = "1MB"; };
		traffic = ( { name = "a"; process = "recorded"; file = "$tests/../data/mpi/calls.mpi"; nodes = "0-3"; packet = "256B"; } ); };
	grid = ( { path = "network.kind"; values = [ "switched", "loggops" ]; }, { path = "traffic.[0].compute_scale"; values = [ 0.0, 2.0 ]; } );
	repeat = 2;
END
run sweep app.cfg --out app
expect 0
expect_in out '^kind +compute_scale +runs +offered +accepted .*completion us'
expect_in out '^loggops +2.0 +2 +- +- .* 2536.562 '
python3 - <<-'END' || fail "$(cat app/summary.jsonl)"
	import json
	rows = [json.loads(l) for l in open("app/summary.jsonl") if '"point"' in l]
	loggops = [r for r in rows if r["labels"]["kind"] == "loggops"]
	assert [r["completion_ns"] for r in loggops] == [2534562.0, 2536562.0], loggops # 1 us of computation, scaled
	assert all(r["completion_low_ns"] == r["completion_high_ns"] == r["completion_ns"] and r["complete"] for r in loggops)
	assert all(0 < r["completion_ns"] < 100000 and r["accepted_load"] > 0 for r in rows if r not in loggops)
END
run sweep app.cfg --out other --set mpi.collectives=openmpi-4.1
expect 0
run diff app other
expect 1
expect_in out 'loggops_2.0 +completion_ns .*differs$'
run report app --static --out app.html
expect 0
expect_in app.html 'When the last application has ended against compute_scale'
expect_in app.html '<td data-value="2536562">2.537&nbsp;ms</td>'
sed -i 's/process = "recorded"; file = [^;]*;/process = "ring"; size = "1KB"; pause = "1us";/; s/"switched", "loggops"/"switched"/; s/compute_scale"; values = .*\]/pause"; values = [ "1us", "3us" ]/' app.cfg
run sweep app.cfg --out ring
expect 0
expect_in out '^kind +pause +runs +offered +accepted .*iteration us'

finish
