#!/usr/bin/env bash
# tilefly record: what a program calls is written, and a replay sends the same.
source "$(dirname "$0")/run.bash"
shipped=$tests/../../experiments/shipped/aspen
mpicc=mpicc
case ${TILEFLY_MPIEXEC:-} in *mpich*) mpicc=mpicc.mpich ;; esac
value() { python3 -c "import json; d=json.load(open('out')); print($1)" 2>&1 | tail -1; }

"$mpicc" -Wall -Wextra -O1 "$tests/record_calls.c" -o calls >compiled 2>&1 || fail "$(cat compiled)"
for n in 4 6; do
	begin "every call, on $n ranks"
	run record -n "$n" -- ./calls
	expect 0
	expect_in out "^calls\.mpi: $n ranks, "
	sent=$(awk '/^rank/ { m += $4; b += $6 } END { print m, b }' out) # what the program counted itself
	run workload calls.mpi --json
	expect 0
	[ "$(value 'd["sends"], d["send_bytes"]')" = "$sent" ] || fail "$(value 'd["sends"], d["send_bytes"]'), the program sent $sent"
	[ "$(value 'd["unmatched_messages"], d["unmatched_receives"]')" = "0 0" ] || fail "unmatched messages"
	# communicators of n, of n in two halves, and of 3: so many ranks call each collective
	each=$((2 * n + 3))
	[ "$(value '[d["calls_by_name"]["MPI_" + x] for x in ("Barrier", "Bcast", "Allreduce", "Gather", "Alltoallv", "Exscan", "Reduce_scatter")]')" = \
		"[$((2 * each + n)), $((2 * each)), $((3 * each + n)), $((2 * each)), $((2 * each)), $each, $each]" ] || fail "collectives: $(value 'd["calls_by_name"]')"
	[ "$(value 'd["calls_by_name"]["MPI_Comm_create"]')" = "$((3 + n + n))" ] || fail "communicators" # of three; grid, rows
	grep -q '^exscan .*element=4' calls.mpi && grep -q '^allreduce .* user-op ordered' calls.mpi &&
		grep -q '^gather root=1 bytes=20 in-place' calls.mpi && grep -q '^waitany .*done=[0-9]' calls.mpi || fail "words of calls"

	begin "a replay on $n ranks"
	cat >run.cfg <<-END
		topology = { kind = "slimfly"; q = 5; endpoints = 2; };
		switch   = { kind = "ideal"; buffer = "100KB"; };
		routing  = { kind = "minimal"; };
		traffic  = ( { process = "recorded"; file = "calls.mpi"; packet = "4KB"; nodes = "$n"; allocation = "random"; } );
	END
	for who in basic openmpi-4.1 mpich-4.0; do
		run run run.cfg --json --set "mpi.collectives=$who"
		expect 0
		digest=$(value 'd["digest"]')
		[ "$(value 'd["jobs"][0]["processes_finished"] == d["jobs"][0]["processes"]')" = True ] || fail "not all ranks end"
		run run run.cfg --json --threads 2 --set "mpi.collectives=$who"
		expect 0
		[ "$(value 'd["digest"]')" = "$digest" ] || fail "the digest differs on two threads"
	done
	run workload calls.mpi --emit goal --collectives openmpi-4.1 --out calls.goal
	expect 0
	expect_in err 'are written with the message that they match in this replay; likewise Waitany'
	run workload calls.goal --loggops default
	expect 0
done

begin "a recording as a schedule"
run workload calls.goal --json
want=$(value 'd["sends"], d["send_bytes"], d["recvs"]')
run record -n 6 --out pair.goal --collectives openmpi-4.1 -- ./calls
expect 0
expect_in out '^pair\.goal: 6 ranks, '
expect_in err '^pair\.goal: warning: .* are written with the message that they match in this replay; likewise Waitany'
[ "$(echo pair*)" = pair.goal ] || fail "$(echo pair*)"
echo mine >kept.goal.mpi
run record -n 2 --out kept.goal -- ./calls
expect 2
expect_in err '^--out: the file kept.goal.mpi exists, '
[ "$(cat kept.goal.mpi)" = mine ] || fail "kept.goal.mpi was written over"
rm kept.goal.mpi
run workload pair.goal --json
expect 0
[ "$(value 'd["sends"], d["send_bytes"], d["recvs"]')" = "$want" ] || fail "other messages"
run record --out x.aspen --collectives nonsense -- ./calls
expect 2
expect_in err '^--out: must end in .mpi \(recorded calls as text\), .goal or .bin \(a schedule\), not in \*.aspen$'
expect_in err '^--collectives: has an effect only if --out is FILE.goal or FILE.bin$'
run record --out x.goal --collectives nonsense -- ./calls
expect 2
expect_in err '^--collectives: .*nonsense'

begin "as many ranks as mpirun starts by itself"
cat >one.c <<-END
	#include <mpi.h>
	int main(int argc, char **argv)
	{
		MPI_Init(&argc, &argv);
		MPI_Barrier(MPI_COMM_WORLD);
		return MPI_Finalize();
	}
END
"$mpicc" one.c -o one >compiled 2>&1 || fail "$(cat compiled)"
run record -- ./one
expect 0
expect_in err '^tilefly record: recorded [0-9]+ ranks?, as many as mpirun starts by itself; -n sets another number$'
[ "$(grep -c '^barrier' one.mpi)" = "$(sed -nE 's/^tilefly record: recorded ([0-9]+) rank.*/\1/p' err)" ] || fail "another number of ranks"
run record -n 2 --out one.bin -- ./one
expect 0
run workload one.bin --json
expect 0
[ "$(value 'd["ranks"], d["sends"], d["recvs"]')" = "2 2 2" ] || fail "not a barrier of two"

"$mpicc" -Wall -Wextra -O1 "$tests/record_odd.c" -o odd >compiled 2>&1 || fail "$(cat compiled)"
begin "communicators that are given back by disconnecting"
run record -n 4 -- ./odd disconnect
expect 0
run workload odd.mpi --json
expect 0
[ "$(value 'd["sends"], d["unmatched_messages"], d["calls_by_name"]["MPI_Bcast"], d["calls_by_name"]["MPI_Comm_free"]')" = "12 0 12 24" ] ||
	fail "$(value 'd["sends"], d["unmatched_messages"], d["calls_by_name"]')"

begin "a child process that ends"
run record -n 4 -- ./odd fork
expect 0
[ "$(grep -c '^barrier' odd.mpi)" = 40 ] || fail "$(grep -c '^barrier' odd.mpi) of 40 barriers"

all_end() { # RECORDING RANKS: replayed, without eager messages
	run run run.cfg --json --set "traffic.[0].file=$1" --set "traffic.[0].nodes=$2" --set mpi.eager=0B
	expect 0
	[ "$(value 'd["jobs"][0]["processes_finished"]')" = "$2" ] || fail "not all ranks end"
}
"$mpicc" -Wall -Wextra -O1 "$tests/record_requests.c" -o requests >compiled 2>&1 || fail "$(cat compiled)"
begin "a request that is waited for before one that was made earlier"
run record -n 3 -- ./requests order
expect 0
[ "$(grep -E '^wait' requests.mpi | sed 's/ compute.*//')" = "$(printf 'wait reqs=2\nwait reqs=1')" ] || fail "$(grep '^wait' requests.mpi)"
all_end requests.mpi 3

begin "requests that are complete from the start, completed in each way"
run record -n 2 --out completion.mpi -- ./requests completion
expect 0
grep -E '^(wait|test|cancel|request_free|start)' completion.mpi | sed 's/ compute.*//' >lines
diff - lines >different <<-END || fail "$(cat different)"
	wait reqs=6
	wait reqs=5
	cancel request=4
	wait reqs=4
	request_free request=3
	wait reqs=2,1
	waitany reqs=14 done=14
	waitsome reqs=13 done=13
	testany reqs=12 done=12
	testsome reqs=11 done=11
	wait reqs=9,10
	wait reqs=8,7
	start reqs=15
	wait reqs=17
	wait reqs=15
	start reqs=15
	wait reqs=15,16
	request_free request=15
	wait reqs=18
	wait reqs=22
	wait reqs=21
	wait reqs=20
	wait reqs=19
END
all_end completion.mpi 2

begin "100,000 requests, waited for from the last to the first"
run record -n 2 --out many.mpi -- ./requests many
expect 0
awk '/^rank/ { rank = $2; last = 0 } /^isend/ { last = substr($0, match($0, /request=/) + 8) + 0 } rank == 0 && /^wait/ {
	r = substr($2, 6) + 0; n++; if (r != last--) bad++; if (last % 1000 == 0) last = 0 } END { print n + 0, bad + 0 }' many.mpi >counted
[ "$(cat counted)" = "100000 0" ] || fail "$(cat counted)"

"$mpicc" -Wall -Wextra -O1 -pthread "$tests/record_threads.c" -o threads >compiled 2>&1 || fail "$(cat compiled)"
computed() { # NAME PROGRAM TENTHS...: of a second before each call of one rank, the end too
	begin "$1"
	run record -n 1 --out threads.mpi -- ./threads "$2"
	expect 0
	shift 2
	tenths=$(awk '/^barrier|^compute/ { s = match($0, /compute=/) ? substr($0, RSTART + 8) : 0; printf "%s%.0f", n++ ? " " : "", s / 1e11 }' threads.mpi)
	[ "$tenths" = "$*" ] || fail "computation is $tenths tenths of a second, the program computes $*"
}
computed "threads that take turns: one that only calls" calls 0 0
computed "threads that take turns: one that computes and calls" computes 2 0
computed "threads that take turns: both compute and call" turns 2 2 0
computed "threads that take turns: the first does not initialise" elsewhere 2 0

begin "the program of a model sends what the model walks"
run workload "$shipped/lulesh.aspen" --ranks 8 --json
expect 0
python3 -c "
import json
for i, p in enumerate(json.load(open('out'))['phases']):
    if not p['algorithm'] and p['messages']: print(i, p['messages'], p['bytes'])" >want
run workload "$shipped/lulesh.aspen" --emit mpi-c --out p.c
"$mpicc" -std=c99 -O1 p.c -o p >compiled 2>&1 || fail "$(cat compiled)"
run record -n 8 --out lulesh.mpi -- ./p
expect 0
sed -nE 's/^isend .*tag=([0-9]+) bytes=([0-9]+).*/\1 \2/p' lulesh.mpi |
	awk '{ i = int($1 / 32); m[i]++; b[i] += $2 } END { for (i in m) print i, m[i], b[i] }' | sort -n | diff want - >different || fail "$(cat different)"

begin "the launcher of the MPI that tilefly was built with"
mkdir other
printf '#!/bin/sh\nexit 9\n' >other/mpirun
chmod +x other/mpirun
told=${TILEFLY_MPIEXEC:-} path=$PATH
unset TILEFLY_MPIEXEC
PATH=$PWD/other:$PATH
run record -n 4 --out launcher.mpi -- ./calls
expect 0
expect_in out '^launcher\.mpi: 4 ranks, '
PATH=$path
[ -z "$told" ] || export TILEFLY_MPIEXEC=$told

refused() { # NAME STATUS WORDS ARGUMENT...
	begin "$1"
	local want=$2 words=$3
	shift 3
	echo kept >x.mpi
	run record --out x.mpi "$@"
	expect "$want"
	expect_in err "$words"
	[ "$(cat x.mpi)" = kept ] || fail "what stood there is gone"
	[ -z "$(ls -A tmp)" ] || fail "left behind: $(ls -A tmp)"
}
mkdir tmp
export TMPDIR=$PWD/tmp
refused "one-sided calls" 1 'the program calls MPI_Win_create, which cannot be recorded' -n 4 -- ./calls window
refused "a program that fails" 1 '\./calls: exited with status [1-9][0-9]*; no recording is written' -n 4 -- ./calls fail
refused "no MPI program" 1 'no MPI call was recorded' -n 2 -- true
refused "no program" 1 'cannot be started' -n 2 -- ./nothing
refused "a bad number" 2 '"0" is not a number from 1' -n 0 -- ./calls
refused "a call that fails" 1 'the program calls MPI_Send, which failed \(MPI_ERR_RANK.*\), which cannot be recorded' -n 2 -- ./odd failure
refused "persistent collectives" 1 'the program calls MPIX?_Barrier_init, which cannot be recorded' -n 2 -- ./odd persistent
begin "no recording over the program"
cp calls mine
ln -s mine mine.mpi
for out in mine ./mine mine.mpi; do
	run record -n 2 --out $out -- ./mine
	expect 2
	expect_in err 'is the program itself or one of its input files$'
done
PATH=$PWD:$PATH run record -n 2 --out mine -- mine
expect 2
run record -n 4 --out words -- ./mine words
expect 0
run record -n 4 --out words -- ./mine words
expect 2
cmp -s calls mine || fail "the program was written over"

begin "an interruption"
printf '#include <mpi.h>\n#include <unistd.h>\nint main(int c, char **v) { MPI_Init(&c, &v); sleep(60); return MPI_Finalize(); }\n' >slow.c
"$mpicc" slow.c -o slow >compiled 2>&1 || fail "$(cat compiled)"
interruptible record -n 2 --out slow.mpi -- ./slow >out 2>err &
for _ in $(seq 100); do ls tmp/*/part.1 >/dev/null 2>&1 && break; sleep 0.1; done
kill -INT $!
wait $!
status=$?
expect 130
expect_in err 'interrupted; no recording is written'
[ ! -e slow.mpi ] && [ -z "$(find tmp -name 'part*')" ] || fail "left behind"

begin "the recorder is killed, or its terminal goes: so does the program"
for number in KILL HUP; do
	"$program" record -n 2 --out slow.mpi -- ./slow >out 2>err &
	for _ in $(seq 100); do ls tmp/*/part.1 >/dev/null 2>&1 && break; sleep 0.1; done
	ranks=$(pgrep -f "$PWD/slow|^\./slow")
	[ -n "$ranks" ] || fail "the program does not run"
	kill -$number $!
	wait $! 2>/dev/null
	for _ in $(seq 100); do [ -z "$(pgrep -f "$PWD/slow|^\./slow")" ] && break; sleep 0.1; done
	[ -z "$(pgrep -f "$PWD/slow|^\./slow")" ] || fail "$number: the program is still there"
	rm -rf tmp/*
	expect_no_file slow.mpi
done

begin "names with = in them, a relative folder for temporary files, no output to a terminal"
mkdir -p here
cp calls here/a=b
(cd here && mkdir -p t && TMPDIR=t "$program" record -n 4 --out ../named.mpi -- ./a=b) >out 2>err || fail "$(cat err)"
[ "$(head -c 6 <(tail -1 named.mpi))" = end ] || fail "the recording has no end"
run record -n 2 --out - -- ./calls
expect 2
expect_in err '^--out: must be a file, not "-", because the recording is read again$'
expect_out ''

begin "a tilefly in a folder with a space"
mkdir -p "with space/bin" "with space/lib"
cp "$program" "with space/bin/tilefly"
cp "$(dirname "$program")/../lib/libtilefly-record.so" "with space/lib/"
"with space/bin/tilefly" record -n 4 --out spaced.mpi -- ./calls >out 2>err || fail "$(cat err)"
TMPDIR="with space" "with space/bin/tilefly" record -n 4 --out no.mpi -- ./calls >out 2>err
status=$?
expect 2
expect_in err 'cannot be preloaded, because the path of this library and that of TMPDIR contain a space or a colon'
expect_no_file no.mpi
[ "$(ls "with space")" = "$(printf 'bin\nlib')" ] || fail "left behind: $(ls "with space")"

mpifort=${mpicc/cc/fort}
if ! command -v "$mpifort" >/dev/null; then
	echo "skipped: there is no $mpifort (apt-get install gfortran), so calls from Fortran are not tested"
	finish
fi
printf 'program p\n include "mpif.h"\n integer e\n call mpi_init(e)\n call mpi_finalize(e)\nend\n' >f.f90
"$mpifort" f.f90 -o f >compiled 2>&1 || fail "$(cat compiled)"
refused "Fortran" 1 'the program calls MPI from Fortran' -n 2 -- ./f
"$mpicc" -c -Wall -Wextra "$tests/record_fortran.c" -o main.o >compiled 2>&1 || fail "$(cat compiled)"
for module in mpi mpi_f08; do
	sed "s/MODULE/$module/" "$tests/record_fortran.f90" >work.f90
	"$mpifort" main.o work.f90 -o mixed >compiled 2>&1 || fail "$(cat compiled)"
	refused "a C program that calls MPI from Fortran as well ($module)" 1 'the program calls MPI from Fortran' -n 2 -- ./mixed message
	refused "one that completes from Fortran what C began ($module)" 1 'the program calls MPI from Fortran' -n 2 -- ./mixed request
	begin "one that only asks for its rank from Fortran ($module)"
	run record -n 2 --out x.mpi -- ./mixed rank
	expect 0
done

begin "each call that is recorded or refused from C is trapped under the names that Fortran has for it"
library=$(dirname "$program")/../lib/libtilefly-record.so
nm -D --defined-only "$library" | awk '{ print $3 }' | sort -u >ours
sed -nE 's/^MPIX?_([A-Z][a-z].*)/\1/p' ours | tr A-Z a-z | sort -u >calls.c
ldd ./mixed | awk '/libmpi.*=>/ { print $3 }' | xargs -n 1 nm -D --defined-only | awk '{ print $3 }' | sed 's/@.*//' |
	grep -E '^mpix?_[a-z0-9_]*_$' | sort -u >theirs
sed -E 's/^mpix?_//; s/(_f08)?(ts)?(_large)?_+$//; s/_cptr$//' theirs | paste - theirs | awk 'NR == FNR { call[$1]; next } $1 in call { print $2 }' calls.c - |
	sort >needed
[ "$(grep -c . needed)" -gt 250 ] || fail "only $(grep -c . needed) names: are these the libraries of Fortran?"
[ -z "$(comm -23 needed ours)" ] || fail "not trapped: $(comm -23 needed ours | head -20 | tr '\n' ' ')"
finish
