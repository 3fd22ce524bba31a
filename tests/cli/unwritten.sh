#!/usr/bin/env bash
# Where a file cannot be written, memory or file descriptors do not suffice, the exit status and a message say so, and nothing is
# left behind.
source "$(dirname "$0")/run.bash"

small=(switch-rosetta-64 --set time.warmup=1us --set time.measure=2us)

nothing_left() { # no temporary file in a folder
	left=$(find "${1:-.}" -name '*.tmp' -o -name '*.partial' -o -name '.lock')
	[ -z "$left" ] || fail "left behind: $left"
}

begin "each table of --csv"
records=(--set record.ports=true --set record.packets=true --set record.timeline=1us --set record.histograms=true
	--set record.switch=true)
run run "${small[@]}" "${records[@]}" --out o.jsonl.gz --csv --quiet
expect 0
tables=$(ls o.*.csv.gz)
[ "$(wc -w <<<"$tables")" = 6 ] || fail "tables: $tables"
for table in $tables; do
	rm -rf o.*
	mkdir "$table"
	run run "${small[@]}" "${records[@]}" --out o.jsonl.gz --csv --quiet
	expect 1
	expect_err "tilefly run: $table: is a directory"
	[ "$(ls -d o.*.csv.gz)" = "$tables" ] || fail "$table: the other tables are missing"
	nothing_left
done
rm -rf o.*

begin "out of memory leaves nothing behind"
# shellcheck disable=SC2016
limited() { # KB WORD...: runs the program with so much memory
	(
		ulimit -v "$1"
		shift
		exec "$program" "$@"
	) >out 2>err </dev/null
	status=$?
}
mkdir memory
for command in topo check cost size; do
	words=(slimfly-1m --out memory/t.txt)
	[ $command = size ] && words=(--endpoints 1000000 --out memory/t.txt)
	for kb in 40000 80000; do
		limited $kb $command "${words[@]}"
		[ "$status" = 0 ] || [ "$status" = 1 ] || [ "$status" = 127 ] || fail "$command with $kb KB: status $status"
		nothing_left memory
		rm -f memory/t.txt
	done
done

cat >s.cfg <<'END'
title = "t";
config = { time = { warmup = "0us"; measure = "2us"; }; topology = { kind = "single"; ports = 8; }; traffic = ( { load = 0.3; } ); };
grid = ( { path = "traffic.[0].load"; values = [ 0.1, 0.3 ]; } );
END

begin "a sweep whose runs cannot be started says why"
run sweep s.cfg --out o --quiet
expect 0
files() { # N WORD...: runs the program with so many file descriptors
	(
		ulimit -n "$1"
		shift
		for fd in /proc/self/fd/*; do # those that the test was started with would count
			[ "${fd##*/}" -le 2 ] || eval "exec ${fd##*/}>&-"
		done
		exec "$program" "$@"
	) >out 2>err </dev/null
	status=$?
}
for n in 5 6; do
	files $n sweep s.cfg --quiet --rerun -j 4 --out o
	expect 1
	expect_in err '^tilefly sweep: .*0.1 failed, it could not be started: Too many open files$'
	expect_in err '^tilefly sweep: .*0.3 failed, '
	grep -q ',failed' o/summary.csv || fail "the summary does not say so"
	[ -z "$(ls o/points)" ] || fail "older results lie beside the summary of a sweep that failed: $(ls o/points)"
done

begin "a folder that cannot be read is not another experiment's"
run sweep s.cfg --out o --quiet
expect 0
for n in 4; do
	files $n sweep s.cfg --quiet --out o
	expect 1
	grep -q 'another experiment' err && fail "$n descriptors: $(cat err)"
	expect_in err '(Too many open files|cannot be read)'
done
run sweep s.cfg --out o --quiet
expect 0

begin "show of the folder of a comparison or a search for designs"
mkdir c d
printf '{"a":1}\n' | tee c/compare.json >d/design.json
printf 'traffic,place,worth_low\nuniform,1,.5\nworst,,\n' | tee c/ranking.csv >d/front.csv
for folder in c d; do
	run show $folder
	expect 0
	expect_out "$(printf 'traffic  place  worth_low\nuniform      1         .5\nworst        -          -')"
	run show $folder --json
	expect 0
	expect_out '{"a":1}'
	run show $folder --all
	expect 2
	expect_err "tilefly show: $folder: contains no records: it is the results directory of tilefly compare or tilefly design"
done

begin "a line of 100 MB is refused at once"
head -c 100000000 /dev/zero | tr '\0' a >long
{ printf '{"a":"'; cat long; } >long.jsonl
for file in long long.jsonl; do
	(
		ulimit -t 4
		exec "$program" report $file --out page.html
	) >out 2>err
	status=$?
	expect 2
	expect_in err "$file: (its first line is not a JSON object|a record is too long)$"
done
rm -f long long.jsonl

begin "record where files may not grow"
timeout 20 bash -c 'ulimit -f 1; exec "$1" record -n 2 -- true' - "$program" >out 2>err </dev/null
status=$?
expect 1

finish
