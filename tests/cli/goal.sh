#!/usr/bin/env bash
# GOAL schedules: facts, both forms, and what is wrong with damaged ones.
source "$(dirname "$0")/run.bash"
data=$tests/../data/goal

begin "facts, and both forms"
while IFS= read -r line; do
	case $line in '#'* | case,*) continue ;; esac
	file=${line%%,*}
	IFS=, read -r ranks sends recvs calcs send_bytes recv_bytes calc_time requires irequires cpus nics <<<"${line##*\",}"
	want='{"record":"schedule","ranks":'$ranks',"sends":'$sends',"recvs":'$recvs',"calcs":'$calcs',"send_bytes":'$send_bytes
	want+=',"recv_bytes":'$recv_bytes',"calc_time":'$calc_time',"requires":'$requires',"irequires":'$irequires
	want+=',"cpus":'$cpus',"nics":'$nics'}'
	run workload "$data/$file.goal" --json
	expect 0
	expect_out "$want"
	run workload "$data/$file.goal" --emit goal-bin --out "$file.bin"
	expect 0
	run workload "$file.bin" --json
	expect_out "$want"
	run workload "$file.bin" --emit goal --out "$file.goal"
	expect 0
	run workload "$file.goal" --emit goal-bin --out again.bin
	cmp "$file.bin" again.bin || fail "$file: not the same"
	checked=$((${checked:-0} + 1))
done <"$data/facts.csv"
[ "$checked" = 13 ] || fail "$checked schedules"

begin "binary as txt2bin writes it"
for file in reduce_binomial_p8 cpus_nics_p4 irequires_p4; do
	cmp "$file.bin" "$data/$file.bin" || fail "$file"
done

begin "ends under LogGOPS, as LogGOPSim has them"
checked=0
while IFS=, read -r file set events most ends; do
	case $file in '#'* | case) continue ;; esac
	case $set in
	D) params=default factor=1000 ;;
	S1) params=L=1100ns,o=300ns,g=50ns,G=40,S=16384B,unit=10ps factor=10 ;;
	S2) params=L=1200ns,o=400ns,g=700ns,G=1000,O=2000,S=8192B factor=1000 ;;
	esac
	want=$(for end in $ends; do printf ',%s' $((end * factor)); done)
	run workload "$data/$file.goal" --loggops "$params" --json
	expect 0
	grep -q "\"completion_ps\":$((most * factor)),.*\"events\":$events,.*\"end_ps\":\[${want#,}\]" out || fail "$file, set $set"
	checked=$((checked + 1))
done <"$data/ends.csv"
[ "$checked" = 39 ] || fail "$checked runs"
run workload "$data/reduce_binomial_p8.goal" --loggops default
expect_out 'completion    34.914000 us; ranks end from 1.500000 us on, at 11.495750 us on average
messages      7, 7168 bytes'

begin "a tiny file of 100 million ranks takes hardly any processor time"
printf 'num_ranks 100000000\nrank 3 {\ncalc 5\nsend 8b to 99999999\n}\n' >huge.goal
limit=4
[ "$(nm "$program" 2>/dev/null | grep -cE "__asan_init|__ubsan_handle")" = 0 ] || limit=20
(ulimit -t $limit && run workload huge.goal --json)
expect_err 'huge.goal: warning: 99999999 of 100000000 ranks are missing, the first one is rank 0: they do nothing
huge.goal: warning: 1 message is never received, one of rank 99999999; --loggops default or --strict replays the schedule'
expect_in out '"ranks":100000000,"sends":1,'

begin "what cannot end"
printf 'num_ranks 2\nrank 0 {\nsend 8b to 1 tag 3\n}\nrank 1 {\nrecv 8b from 0 tag 4\n}\n' >stuck.goal
run workload stuck.goal --loggops default
expect 1
expect_in err 'rank 1: recv 8 B from rank 0, tag 4: no matching message was sent'
run workload stuck.goal --loggops L=1,X=5,G=-1
expect 2
expect_in err '--loggops.L: "1" needs one of the units'
expect_in err '"X=5" must be one of L, o, g, G, O, S and unit'
expect_in err '--loggops.G: -1 is out of range'
run workload stuck.goal --loggops ""
expect 2
expect_in err '--loggops: must not be empty'
run workload stuck.goal --loggops L=1us,o=1ns,L=2us
expect 2
expect_in err '--loggops: L is set twice'
run workload stuck.goal --collectives nonsense
expect 2
expect_in err '^--collectives: applies only to models and traces: a schedule contains no collectives$'
run workload stuck.goal --loggops default --emit goal
expect 2
run workload stuck.goal --emit goal --out ./stuck.goal
expect 2
expect_in err 'is an input file of this command'
printf 'ranks 1\nrank 0\nbarrier\n' >one.mpi
ln -s one.mpi link.mpi
run workload one.mpi --emit goal --out link.mpi
expect 2
expect_in err 'is an input file of this command'
[ "$(head -1 one.mpi)" = "ranks 1" ] || fail "one.mpi was written over"
printf 'num_ranks 1\nrank 0 {\nl1: calc 5000000\nl2: calc 5\nl2 requires l1\n}\n' >late.goal
run workload late.goal --loggops unit=1s
expect 2
expect_in err 'takes longer than 2.61 ps'
printf 'num_ranks 2\nrank 0 {\nsend 3074457345618258b to 1\n}\nrank 1 {\nrecv 3074457345618258b from 0\n}\n' >large.goal
run workload large.goal --loggops default
expect 2
expect_in err 'takes longer than 2.61 ps'

begin "what is accepted"
printf 'num_ranks 2 // two\r\nrank 1{\r\na requires b\r\na:send 5 b to 0 nic 1 /* x */ cpu 2 tag 3 // y\r\nb: calc 4}\r\nrank 0 {\r\nrecv 5b from -1 tag -1\r\n}\r\n' >a.goal
run workload a.goal --emit goal
expect 0
expect_out 'num_ranks 2

rank 0 {
l1: recv 5b from -1 tag -1
}

rank 1 {
l1: send 5b to 0 tag 3 cpu 2 nic 1
l2: calc 4
l1 requires l2
}'

begin "every problem, with its place"
cat >bad.goal <<'END'
num_ranks 3
rank 1{
a: send 5b to 0 tag 4294967295
b: calc 5 nic 1
c: recv 5b from 9
d: calc 4
d: calc 4
x requires d
e: cacl 3
f: calc 3.5
g: calc 3 cpu 300
}
rank 1 { }
rank 7 { }
foo
END
run workload bad.goal
expect 2
expect_err 'bad.goal:3:21: 4294967295 is too large after "tag": the maximum is 4294967294
bad.goal:4:11: a calc cannot have a nic
bad.goal:5:17: there is no rank 9; num_ranks is 3
bad.goal:7:1: label "d" is defined twice: first in line 6
bad.goal:9:4: send, recv or calc is expected after a label, not "cacl"
bad.goal:10:10: a whole number is expected after "calc", not a fraction
bad.goal:11:15: 300 is too large after "cpu": the maximum is 255
bad.goal:8:1: label "x" is not defined in this rank
bad.goal:13:1: rank 1 is defined twice
bad.goal:14:6: there is no rank 7; num_ranks is 3
bad.goal:15:1: "rank" is expected, not "foo"'

begin "a cycle, a rank that is missing"
printf 'num_ranks 2\nrank 1 {\nl1: calc 1\nl2: calc 2\nl1 requires l2\nl2 irequires l1\n}\n' >bad.goal
run workload bad.goal
expect 2
expect_in err 'bad.goal:[34]:1: this operation depends on itself, so it never starts: by way of line [34], line [34]$'
expect_in err 'bad.goal: warning: 1 of 2 ranks are missing, the first one is rank 0'

begin "damaged binary"
for bytes in 0 7 8 13 20 100 300 800 811; do
	head -c $bytes "$data/reduce_binomial_p8.bin" >cut.bin
	run workload cut.bin
	expect 2
	expect_in err '^cut.bin'
done
for at in 0 8 14 22 142 143 150 158 159 170 180 190 195; do
	{
		head -c $at "$data/reduce_binomial_p8.bin"
		printf '\377'
		tail -c +$((at + 2)) "$data/reduce_binomial_p8.bin"
	} >bent.bin
	run workload bent.bin --json
	[ "$status" = 2 ] || [ "$status" = 0 ] || fail "byte $at: exit status $status"
done
printf '\x26\x09\0\0\0\0\0\0\1\0\0\0\0\0' >used.bin
run workload used.bin
expect 2
expect_in err 'magic number 2342'

begin "options of models"
run workload a.goal --ranks 4 --emit mpi-c
expect 2
expect_in err '^--ranks: applies only to models'
expect_in err '^--emit: a schedule can only be converted to goal or goal-bin'
begin "sums beyond 64 bits, and what a header says"
printf 'num_ranks 2\nrank 0 {\nsend 18446744073709551615b to 1\nsend 1b to 1\n}\nrank 1 {\nrecv 1b from 0\nrecv 1b from 0\n}\n' >huge.goal
run workload huge.goal
expect 2
expect_err 'huge.goal: its sends sum up to more than 18446744073709551615 bytes'
cp "$data/cpus_nics_p4.bin" header.bin
for at in 12 13; do # highest cpu, highest nic
	cp "$data/cpus_nics_p4.bin" header.bin
	printf '\0' | dd of=header.bin bs=1 seek=$at conv=notrunc 2>/dev/null
	run workload header.bin
	expect 2
	expect_in err '^header.bin: the header states that the highest (cpu|nic) is 0, but (cpu|nic) [1-9]'
done

begin "errors of a run on the formula name the file"
printf 'num_ranks 2\nrank 0 {\n a: recv 5b from 1 tag 3\n}\nrank 1 {\n}\n' >wait.goal
printf 'num_ranks 2\nrank 0 {\n a: send 5b to 1 tag 3\n}\nrank 1 {\n}\n' >left.goal
printf 'num_ranks 1\nrank 0 {\n a: calc 5000000000000000\n}\n' >long.goal
for name in wait left long; do
	run workload $name.goal --emit goal-bin --out $name.bin
	expect 0
done
run workload wait.bin --loggops default
expect 1
expect_in err '^wait.bin: 1 operation never finishes$'
expect_out 'messages      0, 0 bytes'
run workload wait.bin --loggops default --json
expect 1
expect_in out '"completion_ps":null,'
run workload left.bin --loggops default
expect 0
expect_in err '^left.bin: warning: 1 message was never received$'
for form in goal bin; do
	for how in "" "--loggops default"; do
		run workload left.$form $how
		expect 0
		expect_in err "^left.$form: warning: 1 message( is never received, one of rank 1;| was never received)"
		run workload left.$form --strict $how
		expect 1
		expect_in err "^left.$form: 1 message was never received$"
		run workload wait.$form $how
		expect 1
		expect_in err "^wait.$form: 1 (receive gets no message, one of rank 0;|operation never)"
		run workload wait.$form --strict $how
		expect 1
		expect_in err 'rank 0: recv 5 B from rank 1, tag 3: no matching message was sent'
	done
done
run workload stuck.goal # as many messages as receives: only the play tells
expect 0
run workload stuck.goal --strict
expect 1
expect_in err 'rank 1: recv 8 B from rank 0, tag 4: no matching message was sent'
run workload "$data/halo2d_p16.goal" --strict --json
expect 0
expect_err ''
expect_in out '"record":"schedule","ranks":16,'
run workload left.goal --strict --emit goal
expect 1
expect_in out '^l1: send 5b to 1 tag 3$'
run workload long.bin --loggops unit=1s
expect 2
expect_err 'long.bin: the schedule takes longer than 2^61 ps (26 days)'
run workload left.bin --loggops L=0ns,o=0ns
expect 2
expect_err '--loggops: L: o + L must be at least 2 ps, and each of L, o, g less than 2^60 ps'

begin "a schedule for which there is not enough memory"
python3 -c "
print('num_ranks 2000')
for r in range(2000): print('rank %d {' % r, *('a%d: calc 5' % i for i in range(100)), '}', sep='\n')" >big.goal
printf 'topology = { kind = "single"; ports = 2000; };\nnetwork = { kind = "loggops"; };\ntraffic = ( { process = "goal"; file = "big.goal"; } );\n' >big.cfg
small=0 told=0
sanitized=$(nm "$program" 2>/dev/null | grep -c "__asan_init") # it has memory of its own
for kilobytes in $(seq 20000 6000 68000); do
	for words in "workload big.goal --loggops default" "run big.cfg --quiet"; do
		(ulimit -v "$kilobytes" && exec "$program" $words) >out 2>err </dev/null
		status=$?
		[ "$status" = 0 ] && continue
		small=$((small + 1))
		grep -qE '^tilefly: out of memory \(a request for [0-9]+ bytes failed\): big.goal: reading a schedule of [0-9]+ bytes takes .*; use more memory ' err ||
			grep -qE '^tilefly: out of memory .*: (big.goal|traffic.\[0\] \(job "job0"\)): a schedule of 2000 ranks, 200000 operations and 0 dependencies, .*; more memory ' err ||
			grep -qE '^(big.goal|big.cfg:3: traffic.\[0\]): its 2000 ranks and 200000 operations take [0-9.]+ MB more .*, and [0-9.e-]+ MB are available \(ulimit -v\)$' err || continue
		told=$((told + 1))
	done
done
[ "$sanitized" != 0 ] || [ "$told" -ge 4 ] || fail "of $small limits that were too small $told were told with the file"
finish
