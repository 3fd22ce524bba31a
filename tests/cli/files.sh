#!/usr/bin/env bash
# Every file the program makes: where links lead, what is refused, names of result logs, signals, full disks.
source "$(dirname "$0")/run.bash"

small=(slimfly-3k --set topology.q=5 --set topology.endpoints=3 --set time.warmup=1us --set time.measure=1us)
cat >e.cfg <<'END'
config = { topology = { kind = "slimfly"; q = 5; endpoints = 3; }; time = { warmup = "1us"; measure = "1us"; };
           traffic = ( { load = 0.2; } ); };
grid = ( { path = "traffic.[0].load"; values = [ 0.2 ]; } );
END

nothing_left() { # no temporary file in a folder
	left=$(find "${1:-.}" -name '*.tmp' -o -name '*.partial' -o -name '.lock')
	[ -z "$left" ] || fail "left behind: $left"
}

begin "links are followed and stay"
mkdir there
ln -s there/run.jsonl.gz link.jsonl.gz
run run "${small[@]}" --out link.jsonl.gz
expect 0
[ -L link.jsonl.gz ] || fail "the link is gone"
zcat there/run.jsonl.gz | tail -1 | grep -q '"complete":true' || fail "not written where the link leads"
echo '<html>' >there/page.html
ln -s there/page.html page.html
ln -s there/edges.txt edges.txt
run topo torus-8x8x8 --edges edges.txt
expect 0
[ -L edges.txt ] && [ "$(wc -l <there/edges.txt)" = 1536 ] || fail "edges"

begin "what is not a regular file is refused"
# a device of the test's own: should the program err, it must not take the system's
if [ "$(id -u)" = 0 ]; then mknod full c 1 7 2>/dev/null || mkfifo full; else ln -s /dev/full full; fi
ln -s /proc/self/fd/1 stdout
ln -s full full.jsonl
ln -s stdout stdout.jsonl
for target in full stdout full.jsonl stdout.jsonl there; do
	before=$(stat -c '%F %i' $target)
	run run "${small[@]}" --out $target
	[ "$status" = 1 ] || [ "$status" = 2 ] || fail "run --out $target: status $status"
	run topo torus-8x8x8 --edges $target
	expect 1
	expect_in err "^tilefly topo: $target: "
	run report there/run.jsonl.gz --out $target
	expect 1
	expect_in err "$target: (exists and is not a regular file|is a directory|is an open file of a process, which cannot be replaced)"
	[ "$before" = "$(stat -c '%F %i' $target)" ] || fail "$target was replaced"
done
mkfifo fifo.jsonl.gz
run run "${small[@]}" --out fifo.jsonl.gz
expect 1
expect_err 'tilefly run: fifo.jsonl.gz: exists and is not a regular file'
nothing_left

begin "a file that is waiting under a predictable name is not opened"
echo precious >precious
for file in t/summary.csv t/experiment.cfg t/base.cfg; do
	mkdir -p t
	ln -s ../precious "$file.partial"
done
run sweep e.cfg --out t --quiet
expect 0
[ "$(cat precious)" = precious ] || fail "was overwritten"
rm t/*.partial
nothing_left t

begin "the name of a result log"
for bad in x.csv x.json x.gz x.csv.gz .jsonl; do
	run run "${small[@]}" --out $bad
	expect 2
	expect_in err "output.file=$bad: the name of a result log must end in .jsonl.gz \\(compressed JSON Lines\\) or .jsonl \\(plain\\)"
	expect_no_file $bad
done
run run "${small[@]}" --out ''
expect 2
expect_in err 'output.file=: the name of a result log must end in '
printf 'output = { file = "x.csv"; };' | cat "$tests/../../experiments/shipped/configs/slimfly-3k.cfg" - >named.cfg
run run named.cfg
expect 2
expect_in err '^named.cfg:[0-9]+: output.file: the name of a result log must end in '
run run "${small[@]}" --out plain.jsonl --csv
expect 0
head -c 22 plain.jsonl | grep -q '{"record":"manifest"' || fail "plain.jsonl is not plain"
zcat plain.jobs.csv.gz | grep -q '^name,' || fail "no table"
run report plain.jsonl --out plain.html
expect_no_file plain.jsonl.html

begin "standard output"
run run "${small[@]}" --out -
expect 0
[ "$(grep -c '"record":"manifest"' out)" = 1 ] || fail "no manifest"
tail -1 out >last
expect_in last '^\{"record":"end","complete":true'
run run "${small[@]}" --out - --json
expect 2
expect_err 'tilefly run: --json and "--out -" cannot both write to standard output'
run run "${small[@]}" --out - --csv
expect 2
"$program" run "${small[@]}" --out - >/dev/full 2>err
status=$?
expect 1
run report plain.jsonl --out -
head -1 out >first
expect_in first '^<!doctype html>'
tail -1 out >last
expect_in last '^</html>'

begin "the documented replay writes over nothing"
run run "${small[@]}" --out replay.jsonl --csv --json
expect 0
digest=$(grep -oE '"digest":"[0-9a-f]{16}"' out)
head -1 replay.jsonl >manifest
expect_in manifest '"output":\{"file":"replay.jsonl","csv":true\}'
printf '%b' "$(sed 's/.*"config_text":"//; s/;\\n","inputs".*/;\\n/' manifest)" | sed 's/\\"/"/g' >replay.cfg
grep -q output replay.cfg && fail "config_text has a section output"
before=$(stat -c '%Y %i' replay*)
"$program" run - --json <replay.cfg >out 2>err
status=$?
expect 0
[ "$digest" = "$(grep -oE '"digest":"[0-9a-f]{16}"' out)" ] || fail "another result"
[ "$before" = "$(stat -c '%Y %i' replay*)" ] || fail "something was written over"

begin "the memory of a larger parent is not the run's"
rss() { grep -oE '"peak_rss_bytes":[0-9]+' out | cut -d: -f2; }
run run "${small[@]}" --json
own=$(rss)
(
	large=$(head -c 100000000 /dev/zero | tr '\0' x)
	exec "$program" run "${small[@]}" --json >out 2>err
)
[ "$(rss)" -lt $((own + 50000000)) ] || fail "$(rss) bytes instead of $own"

begin "permissions"
(
	umask 077
	"$program" run "${small[@]}" --out private.jsonl --quiet
)
[ "$(stat -c %a private.jsonl)" = 600 ] || fail "a new file: $(stat -c %a private.jsonl)"
chmod 640 private.jsonl
run run "${small[@]}" --out private.jsonl --quiet
[ "$(stat -c %a private.jsonl)" = 640 ] || fail "an old file: $(stat -c %a private.jsonl)"

begin "SIGHUP ends a run as SIGTERM does"
"$program" run slimfly-3k --set time.measure=100ms --json --out hup.jsonl >out 2>err &
process=$!
sleep 1.5
kill -HUP $process
wait $process
status=$?
expect 130
expect_in out '"complete":false'
tail -1 hup.jsonl >last
expect_in last '^\{"record":"end","complete":false,'
(
	trap '' HUP
	exec "$program" run slimfly-3k --set time.measure=100ms --json --out hup.jsonl >out 2>err
) &
process=$!
sleep 1
kill -HUP $process
sleep 0.5
kill -0 $process || fail "nohup does not keep SIGHUP away"
kill -TERM $process
wait $process

begin "an interrupt that is ignored at the start stays so: a job that a script runs in the background"
"$program" run slimfly-3k --set time.measure=100ms --json --out background.jsonl >out 2>err &
process=$!
sleep 1
kill -INT $process
sleep 0.5
kill -0 $process || fail "SIGINT ends it"
kill -INT $process # nor is it counted
kill -TERM $process
wait $process
status=$?
expect 130
expect_in out '"complete":false'
tail -1 background.jsonl >last
expect_in last '^\{"record":"end","complete":false,'

begin "a second interrupt ends a run at once, without results"
mkdir twice
interruptible run slimfly-3k --set time.measure=100ms --out twice/run.jsonl.gz --quiet >out 2>err &
process=$!
sleep 1
kill -STOP $process # so that both signals wait for it
kill -INT $process
kill -TERM $process
kill -CONT $process
wait $process
status=$?
[ "$status" = 130 ] || [ "$status" = 143 ] || fail "status $status"
[ -z "$(ls twice)" ] || fail "left behind: $(ls twice)"

begin "inputs are not written over"
mkdir in
cp there/run.jsonl.gz in/log.jsonl.gz
ln in/log.jsonl.gz in/hard.jsonl.gz
ln -s log.jsonl.gz in/soft.html
before=$(stat -c '%Y %i' in/log.jsonl.gz)
for out in in/log.jsonl.gz in/hard.jsonl.gz in/soft.html; do
	run report plain.jsonl in/log.jsonl.gz --out $out
	expect 2
	expect_err "$out: is an input file of the report (in/log.jsonl.gz), and would be overwritten"
done
mkdir drawn
ln in/log.jsonl.gz drawn/log-latency-distribution.svg
ln in/log.jsonl.gz drawn/log-latency-distribution.png
for kind in svg png; do
	if command -v node >/dev/null; then
		run report in/log.jsonl.gz --out drawn.html --$kind drawn
		expect 2
		expect_in err "^drawn/log-latency-distribution.$kind: is an input file of the report \\(in/log.jsonl.gz\\), and would be overwritten"
	fi
done
[ "$before" = "$(stat -c '%Y %i' in/log.jsonl.gz)" ] || fail "the log was written over"
run sweep e.cfg --out in/sweep --quiet
expect 0
mkdir in/sweep/configs in/sweep/permutations # of a search and of a comparison
echo a >in/sweep/configs/c001.cfg
echo a >in/sweep/permutations/n.through.txt
for file in experiment.cfg base.cfg sweep.json summary.csv summary.jsonl points/0.2.jsonl.gz configs/c001.cfg permutations/n.through.txt; do
	before=$(stat -c '%Y %i' in/sweep/$file)
	run report in/sweep --out in/sweep/$file
	expect 2
	expect_err "in/sweep/$file: is a file of the results directory (in/sweep), and would be overwritten"
	[ "$before" = "$(stat -c '%Y %i' in/sweep/$file)" ] || fail "$file was written over"
done
run report in/sweep --out in/sweep/page.html
expect 0
run report in/sweep --out in/sweep/page.html
expect 0
if command -v node >/dev/null; then
	for again in 1 2; do
		run report in/sweep --svg in/sweep
		expect 0
	done
fi
sed '/^output/d' "$tests/../../experiments/shipped/configs/slimfly-3k.cfg" >in/own.jsonl
cp in/own.jsonl in/included.jsonl
echo '@include "included.jsonl"' >in/outer.cfg
echo '0 1 local' >in/net.jsonl
cat >in/edges.cfg <<'END'
topology = { kind = "edges"; file = "net.jsonl"; endpoints = 2; };
time = { warmup = "1us"; measure = "1us"; };
traffic = ( { load = 0.2; } );
END
refuses() { # OUT KIND CONFIG...
	before=$(stat -c '%Y %i' "$1")
	run run "${@:3}" --out "$1"
	expect 2
	expect_in err "^tilefly run: $1: is an input file of the run \\($2 .*\\) and would be overwritten\$"
	[ "$before" = "$(stat -c '%Y %i' "$1")" ] || fail "$1 was written over"
}
refuses in/own.jsonl configuration in/own.jsonl "${small[@]:1}"
refuses in/included.jsonl include in/outer.cfg "${small[@]:1}"
refuses in/net.jsonl topology.file in/edges.cfg
cp in/own.jsonl in/tables.jobs.csv.gz
cp in/own.jsonl in/tables.ports.csv.gz
for table in jobs ports; do
	before=$(stat -c '%Y %i' in/tables.$table.csv.gz)
	run run in/tables.$table.csv.gz "${small[@]:1}" --set record.ports=true --csv --out in/tables.jsonl
	expect 2
	expect_in err "^tilefly run: in/tables.$table.csv.gz: is an input file of the run \\(configuration .*\\) and would be overwritten\$"
	[ "$before" = "$(stat -c '%Y %i' in/tables.$table.csv.gz)" ] || fail "in/tables.$table.csv.gz was written over"
done
run run in/tables.ports.csv.gz "${small[@]:1}" --csv --out in/tables.jsonl
expect 0
for out in in/net.jsonl in/edges.cfg; do
	before=$(stat -c '%Y %i' $out)
	run topo in/edges.cfg --edges $out
	expect 2
	expect_out ""
	expect_in err "^tilefly topo: $out: is an input file of the command \\(.*\\) and would be overwritten\$"
	[ "$before" = "$(stat -c '%Y %i' $out)" ] || fail "$out was written over"
done
"$program" topo - --edges in/edges.cfg <in/edges.cfg >out 2>err
status=$?
expect 2
expect_in err 'in/edges.cfg: is the input of the command \(standard input\) and would be overwritten$'
"$program" run - "${small[@]:1}" --out in/own.jsonl <in/own.jsonl >out 2>err
status=$?
expect 2
expect_err 'tilefly run: in/own.jsonl: is the input of the run (standard input) and would be overwritten'
for again in 1 2; do
	run run in/edges.cfg --out in/result.jsonl
	expect 0
done

begin "drawings on a full disk"
if command -v node >/dev/null; then
	for kind in svg png; do
		mkdir disk
		if mount -t tmpfs -o size=4k none disk 2>/dev/null; then
			run report there/run.jsonl.gz --out page.html --$kind disk
			left=$(ls disk)
			umount disk
			expect 1
			expect_in err "^tilefly report: disk/.*\\.$kind: cannot be written: No space left on device"
			[ -z "$left" ] || fail "left behind: $left"
		else
			echo "(no right to mount a small file system: not tried)"
		fi
		rmdir disk
	done
	[ -L page.html ] || fail "the page's link is gone"
	(
		ulimit -f 8
		exec "$program" report there/run.jsonl.gz --out limited.html --svg figures
	) >out 2>err
	status=$?
	expect 1
	expect_no_file limited.html
	nothing_left
fi
finish
