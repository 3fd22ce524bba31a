#!/usr/bin/env bash
# show and diff: results printed as run prints them, record by record, and compared.
source "$(dirname "$0")/run.bash"

network=(slimfly-3k --set topology.q=5 --set topology.endpoints=3 --set time.warmup=1us --set time.measure=3us)
run run "${network[@]}" --set record.timeline=1us --set record.packets=true --out a.jsonl.gz
expect 0
cp out printed

begin "the summary is what run printed"
run show a.jsonl.gz
expect 0
expect_err ""
expect_out "$(cat printed)"

begin "standard input"
for how in "" "--record job" "--all" "--json"; do
	run show a.jsonl.gz $how
	grep -v '^result ' out >file.out
	for from in a.jsonl.gz plain; do
		[ $from = plain ] && zcat a.jsonl.gz >plain
		"$program" show - $how <$from >out 2>err
		status=$?
		expect 0
		expect_err ""
		grep -v '^result ' out | diff - file.out || fail "show - $how of $from differs"
		cat $from | "$program" show - $how >out 2>err
		grep -v '^result ' out | diff - file.out || fail "show - $how of a pipe of $from differs"
	done
done
cat a.jsonl.gz | "$program" diff - a.jsonl.gz >out 2>err
status=$?
expect 0
expect_in out '^the digests are equal'
run diff - -
expect 2
expect_err 'tilefly diff: only one of the two results can be read from standard input'
torn_at=$(($(zcat a.jsonl.gz | head -1 | wc -c) + 100)) # in the summary, behind the manifest, whose length is the machine's
for how in "show -" "show - --all" "diff a.jsonl.gz -"; do
	run $how
	expect 2
	expect_err '<stdin>: is empty'
	zcat a.jsonl.gz | head -c "$torn_at" | "$program" $how >out 2>err
	expect_in err '^<stdin>: the file ends within a record$'
done

begin "what time.precision has found, stationary and not"
for load in 0.1 0.9; do
	run run slimfly-3k --set topology.q=5 --set topology.endpoints=3 --set 'time={precision="2%";}' \
		--set traffic.[0].pattern=worst-case --set traffic.[0].load=$load --out precise.jsonl.gz
	expect 0
	cp out printed
	run show precise.jsonl.gz
	expect 0
	expect_out "$(cat printed)"
done
expect_in out '^stationary +no: the backlog grew'
expect_in out '^latency +not printed: '

begin "several jobs, messages of several packets"
cat >jobs.cfg <<'EOF'
topology = { kind = "torus"; dims = [ 4, 4 ]; };
routing = { kind = "minimal"; };
time = { warmup = "1us"; measure = "5us"; };
traffic = ( { name = "left"; pattern = "uniform"; load = 0.2; message = "1KiB"; nodes = "0-7"; },
            { name = "right"; pattern = "uniform"; load = 0.1; nodes = "8-15"; } );
EOF
run run jobs.cfg --out jobs.jsonl.gz
expect 0
cp out printed
run show jobs.jsonl.gz
expect 0
expect_out "$(cat printed)"
run show jobs.jsonl.gz --record job
expect 0
expect_in out '^name +endpoints +idle_endpoints +offered_load'
expect_in out '^right +8 +0 +0\.'

begin "records as tables and as lines"
run show a.jsonl.gz --record timeline
expect 0
expect_in out '^ *t_ns +bin_ns +created'
expect_in out '^ *1000\.0 +1000\.0 '
[ "$(awk '{ print length }' out | sort -u | wc -l)" = 1 ] || fail "the columns are not aligned"
run show a.jsonl.gz --record packet --json
expect 0
[ "$(grep -c '^{"record":"packet"' out)" = "$(zcat a.jsonl.gz | grep -c '^{"record":"packet"')" ] || fail "packets are missing"
run show a.jsonl.gz --all --json
expect 0
expect_out "$(zcat a.jsonl.gz)"
run show a.jsonl.gz --all
expect 0
expect_in out '^== summary \(1\)$'
expect_in out '^config.topology.q +5$'

begin "a record that is not there"
run show a.jsonl.gz --record port
expect 2
expect_err 'tilefly show: a.jsonl.gz: contains no record "port"; it contains manifest, summary, job, class, histogram, timeline, packet, engine, end'
run show a.jsonl.gz --record port --all
expect 2

begin "damaged, missing, something else"
zcat a.jsonl.gz | head -c 20000 >cut.jsonl
truncate -s $((20000 - $(tail -c 1 cut.jsonl | wc -l))) cut.jsonl # not between two records
run show cut.jsonl --record packet
expect 1
expect_err 'cut.jsonl: the file ends within a record'
expect_in out '^ *src '
[ "$(tail -1 out)" = 'incomplete: the file ends within a record' ] || fail "the table does not say so"
run show nowhere.jsonl.gz
expect 1
expect_in err '^nowhere.jsonl.gz: No such file'
printf '{"record":"job","name":"a\\u001b[31mb"}\n' >escape.jsonl
run show escape.jsonl --record job
expect 0
expect_in out '^name +a\?\[31mb$'

begin "no end record"
zcat a.jsonl.gz | head -n -1 >noend.jsonl
gzip -c noend.jsonl >noend.jsonl.gz
head -c "$(($(stat -c %s a.jsonl.gz) - 40))" a.jsonl.gz >short.jsonl.gz
no_end='there is no end record: the file is truncated, or still being written'
torn='the file ends within a record'
for file in noend.jsonl noend.jsonl.gz short.jsonl.gz; do
	[ $file = short.jsonl.gz ] && what=$torn || what=$no_end
	run show $file
	expect 1
	expect_err "$file: $what"
	expect_in out "^incomplete +$what\$"
	expect_in out '^load +0'
	run show $file --record job
	expect 1
	expect_err "$file: $what"
	expect_in out "^incomplete: $what\$"
	run show $file --json
	expect 1
	expect_err "$file: $what"
	[ "$(wc -l <out)" = 1 ] || fail "not one line"
	expect_in out '^\{"record":"summary",'
	for order in "a.jsonl.gz $file" "$file a.jsonl.gz"; do
		run diff $order
		expect 2
		expect_out ""
		expect_err "$file: $what"
	done
	if [ $file = short.jsonl.gz ]; then
		run report $file --out torn.html
		expect 2
		expect_err "$file: $torn"
		expect_no_file torn.html
		run report $file a.jsonl.gz --out torn.html
		expect 2
		expect_in err "^$file: $torn\$"
		! grep -qE 'short.jsonl|Runs compared.*short' torn.html || fail "it is compared, or drawn"
	else
		run report $file --out page.html
		expect 0
		grep -q "This file is not whole ($what)" page.html || fail "the page of $file does not say so"
	fi
done
zcat a.jsonl.gz | head -c -1 >unended.jsonl
zcat a.jsonl.gz | head -c 300 >start.jsonl
for file in unended start; do
	run show $file.jsonl
	expect 1
	expect_err "$file.jsonl: $torn"
done

begin "what is no file"
mkfifo fifo
for file in /dev/zero fifo /dev/null; do
	for how in "show $file" "show $file --all" "diff a.jsonl.gz $file" "diff $file a.jsonl.gz" "report $file a.jsonl.gz --out page2.html"; do
		run $how
		expect 2
		expect_out ""
		expect_err "$file: is not a regular file"
	done
done
expect_no_file page2.html
mkdir -p odd/points
mkfifo odd/summary.jsonl
run show odd
expect 2
expect_err "odd/summary.jsonl: is not a regular file"
run show nowhere.jsonl.gz
expect 1

begin "no log that a run has written"
results='"complete":true,"accepted_load":0.5,"digest":"0",'
printf '{"record":"manifest"}\n{"record":"end","records":2}\n' >hollow.jsonl
printf '{"record":"manifest"}\n{"record":"summary"}\n{"record":"end","records":3}\n' >bare.jsonl
zcat a.jsonl.gz | sed 's/"record":"end","complete":true,"records":[0-9]*/"record":"end","complete":true,"records":7/' >count.jsonl
zcat a.jsonl.gz | sed 's/"record":"end","complete":true,"records":[0-9]*,/"record":"end","complete":true,/' >uncounted.jsonl
zcat a.jsonl.gz | sed '/^{"record":"job"/d' >less.jsonl
(zcat a.jsonl.gz && zcat a.jsonl.gz | tail -2 | head -1) >after.jsonl
(zcat a.jsonl.gz && echo '{"record":"packet"}') >after-packet.jsonl
zcat a.jsonl.gz a.jsonl.gz >twice.jsonl
: >nothing.jsonl
gzip -c nothing.jsonl >nothing.jsonl.gz
not_read() { # FILE WHY
	for how in "show $1" "show $1 --all" "show $1 --all --json" "show $1 --record job" "diff a.jsonl.gz $1" "diff $1 a.jsonl.gz"; do
		run $how
		expect 2
		expect_out ""
		expect_err "$1: $2"
	done
}
declare -A compared
refused() { # FILE WHY
	not_read "$1" "$2"
	if [ -z "${compared[$2]-}" ]; then # once for each reason
		compared[$2]=yes
		run report "$1" a.jsonl.gz --out refused.html
		expect 2
		expect_in err "^$1: $2\$"
		! grep -q 'Runs compared.*refused' refused.html || fail "it is compared"
	fi
	run report "$1" --out refused2.html
	expect 2
	expect_err "$1: $2"
	expect_no_file refused2.html
}
refused hollow.jsonl 'it has an end record, but no summary'
refused bare.jsonl 'its summary contains no results'
for file in count uncounted less; do
	refused $file.jsonl 'the number of records differs from that in the end record'
done
for file in after after-packet twice; do
	refused $file.jsonl 'there are records after the end record'
done
for tail in "echo garbage" "printf g" "head -c 1000 /dev/zero" "head -c 5 a.jsonl.gz" "printf \\x1f\\x8bgarbage"; do
	for log in a.jsonl.gz plain; do
		{ cat $log && $tail; } >tail.jsonl.gz
		not_read tail.jsonl.gz 'there are records after the end record'
	done
done
{ cat a.jsonl.gz && zcat a.jsonl.gz | tail -2 | head -1 | gzip; } >member.jsonl.gz
refused member.jsonl.gz 'there are records after the end record'
head -n 1 noend.jsonl >head.jsonl
gzip -c head.jsonl >head.jsonl.gz
refused head.jsonl 'it contains no summary'
refused head.jsonl.gz 'it contains no summary'
refused nothing.jsonl 'is empty'
echo 'title = "no log";' >text
refused text 'its first line is not a JSON object'
head -c 1000 a.jsonl.gz | tail -c 900 >noise
refused noise 'its first line is not a JSON object'
echo '{"a":1}' >object.jsonl
run show object.jsonl
expect 2
expect_err 'tilefly show: object.jsonl: contains no summary'
head -c 300 noend.jsonl >torn-first.jsonl
for file in object torn-first; do
	run report $file.jsonl --out refused2.html
	expect 2
	expect_in err "^$file.jsonl: is not a result of tilefly"
	expect_no_file refused2.html
done
refused nothing.jsonl.gz 'is empty'

begin "gzip of several members"
{ zcat a.jsonl.gz | head -c 5000 | gzip && gzip </dev/null && zcat a.jsonl.gz | tail -c +5001 | gzip && gzip </dev/null; } >members.jsonl.gz
run diff a.jsonl.gz members.jsonl.gz
expect 0
expect_in out '^the digests are equal'
{ zcat a.jsonl.gz | head -3 | gzip && echo garbage; } >spoilt.jsonl.gz
run show spoilt.jsonl.gz
expect 1
expect_err 'spoilt.jsonl.gz: the compressed data are damaged'
head -c -6 a.jsonl.gz >trailer.jsonl.gz
run show trailer.jsonl.gz
expect 1
expect_err 'trailer.jsonl.gz: the file ends within a record'
{ head -c -8 a.jsonl.gz && printf 12345678; } >sum.jsonl.gz
run show sum.jsonl.gz
expect 1
expect_err 'sum.jsonl.gz: the compressed data are damaged'

begin "a run that was interrupted is shown, and says so"
interruptible run "${network[@]}" --set time.measure=100ms --out stopped.jsonl.gz >out 2>err </dev/null &
process=$!
sleep 2
kill -INT $process
wait $process
status=$?
expect 130
cp out printed
run show stopped.jsonl.gz
expect 0
expect_out "$(cat printed)"
expect_in out '^incomplete +stopped after '

begin "nothing in a log commands the terminal"
printf '{"record":"manifest","config":{"a\\u001bk":"x\\u001b[2Jy\\nz"}}\n{"record":"summary",%s"topology":{"kind":"to\\u001brus"},"engine":{"ranks":1e300,"sync":"\\u009b"},"jobs":[{"name":"e\\u001bvil"},{"name":"b"}]}\n{"record":"end","records":3}\n' "$results" >evil
printf '{"record":"manifest","config":{"a\\u001bk":"other"}}\n{"record":"summary",%s"jobs":[{"name":"e\\u001bvil","accepted_load":1},{"name":"b"}]}\n{"record":"end","records":3}\n' "$results" >evil2
for how in "show evil" "show evil --all" "diff evil evil2"; do
	run $how
	! LC_ALL=C grep -q "$(printf '\033\|\302\233')" out || fail "$how: an escape"
done
expect_in out '^  a\?k +x\?\[2Jy\?z \| other$'
expect_in out '^  jobs.e\?vil.accepted_load +none \| 1 +differs$'

if command -v node >/dev/null; then
	begin "nothing in a log is markup of a page or a command"
	script='<script>alert(1)</script>'
	touch_it="x' ; system('touch commanded'); y='"
	stage='"stages":[{"stage":"<script>stage","wait":false,"mean_ns":1.0,"mean_packets":1.0,"ps":[9000]},{"stage":"\u0027; system(1)","wait":true,"mean_ns":1.0,"mean_packets":1.0,"ps":[9000]}]'
	class() { # NAME
		printf '{"class":"%s","packets":[9],"bytes":[9],"latency_ps":[18000],%s}' "$1" "$stage"
	}
	flow='"offered_load":0.5,"accepted_load":0.5,"latency_ns":{"mean":5.0}'
	{
		printf '{"record":"manifest","version":"%s","config":{"%s":"%s"},"config_text":"%s"}\n' "$script" "$script" "$script" "$script"
		printf '{"record":"summary","complete":true,"accepted_load":0.5,"digest":"%s","topology":{"kind":"%s","switches":1,"endpoints":2},"jobs":[{"name":"%s",%s},{"name":"b",%s}]}\n' \
			"$script" "$script" "$script" "$flow" "$flow"
		for quantity in latency network_latency; do
			printf '{"record":"histogram","job":"%s%s","quantity":"%s","bins":[[1000,2000,5],[2000,3000,4]]}\n' "$script" "$touch_it" $quantity
		done
		printf '{"record":"port","switch":0,"port":0,"class":"%s","packets":9,"bytes":9,"utilization":0.1,"vc_mean_bytes":[1.0]}\n' "$script"
		printf '{"record":"switch","switch":0,"kind":"tiled","ports":1,"classes":[%s,%s]}\n' "$(class "$touch_it")" "$(class "<script>")"
		printf '{"record":"end","complete":true,"records":7}\n'
	} >markup.jsonl
	cp markup.jsonl markup2.jsonl
	run report markup.jsonl markup2.jsonl --out page.html --quiet
	expect 0
	! grep -qi '<script>alert' page.html || fail "a script of the log is one of the page"
	run report markup.jsonl markup2.jsonl --out markup.html --svg markup --static
	expect 0
	expect_err ""
	! grep -q '<script' markup.html markup/*.svg || fail "a script"
	[ "$(grep -c '<code>&lt;script&gt;alert(1)&lt;/script&gt;</code>' markup.html)" = 4 ] || fail "the digests are not shown"
	[ -s markup/markup-latency-stack.svg ] || fail "no stages"
	expect_no_file commanded
	mkdir rows
	printf 'title = "rows";\nconfig = { topology = { kind = "slimfly"; q = 5; }; };\ngrid = ( { path = "traffic.[0].load"; values = [ 0.2 ]; } );\n' >rows/experiment.cfg
	printf '{"name":"%s","labels":{"load":"0.2"},"x":0.2,"state":"done","offered_load":0.5,"accepted_load":0.5,"latency_mean_ns":5.0,"complete":true,"digest":"%s"}\n' \
		"$script" "$script" >rows/summary.jsonl
	run report rows --out page.html --quiet
	expect 0
	! grep -qi '<script>alert' page.html || fail "a script of the row is one of the page"
	run report rows --out rows.html --static
	expect 0
	! grep -q '<script' rows.html || fail "a script in the page of a sweep"
	grep -q '<code>&lt;script' rows.html || fail "the digest of the row is not shown"
fi

begin "the same run, another way of running it"
run run "${network[@]}" --sync conservative --out b.jsonl.gz
run diff a.jsonl.gz b.jsonl.gz
expect 0
expect_in out '^  engine.sync +auto \| conservative$'
expect_in out '^no value differs; '
expect_in out '^the digests are equal: the results are identical packet by packet$'

begin "another seed"
run run "${network[@]}" --seed 2 --out c.jsonl.gz
run diff a.jsonl.gz c.jsonl.gz
expect 1
expect_in out '^  seed +1 \| 2$'
expect_in out '^  latency_ns.mean +[0-9.]+ +\| [0-9.]+ +[-+][0-9.]+ %  differs$'
expect_in out '^the digests differ$'
run diff a.jsonl.gz c.jsonl.gz --tolerance 20%
expect 0
run diff a.jsonl.gz c.jsonl.gz --json
expect 1
expect_in out '^\{"equal_digests":false,.*"name":"accepted_load","a":0\.'
run diff a.jsonl.gz c.jsonl.gz --quiet
expect 1
expect_out ""

begin "intervals"
result() { # FILE MEAN LOW HIGH P50
	printf '{"record":"manifest","config":{"seed":1}}\n{"record":"summary","complete":true,"stationary":%s,"accepted_load":0.5,"latency_ns":{"mean":%s,"p50":%s},"interval":{"latency_ns.mean":[%s,%s]},"digest":"%s"}\n{"record":"end","records":3}\n' \
		"${6:-true}" "$2" "$5" "$3" "$4" "$1" >"$1"
}
result i 100 98 102 90
result j 103 101 105 95
result k 110 108 112 90
run diff i j
expect 0
run diff i j --all
expect_in out '^  latency_ns.mean +100 \(98 to 102\) \| 103 \(101 to 105\) +\+3\.000 %$'
expect_in out '^  latency_ns.p50 +90 +\| 95 +\+5\.556 %  not compared$'
run diff i k
expect 1
expect_in out '^  latency_ns.mean .*differs$'
expect_in out '^1 of '
run diff i k --tolerance 6%
expect 0
run diff i j --tolerance 1%
expect 1
expect_in out '^  latency_ns.p50 .*differs$'
result n 100 98 102 90 false
run diff i n
expect 1
expect_in out '^  stationary +true \| false +differs$'

begin "bad usage of diff"
run diff a.jsonl.gz
expect 2
run diff a.jsonl.gz c.jsonl.gz --tolerance many
expect 2
expect_err "tilefly diff: --tolerance many: must be a fraction from 0% to 100%, as in 1% or 0.01"
mkdir folder
run diff a.jsonl.gz folder
expect 2
expect_err 'tilefly diff: folder is a directory and a.jsonl.gz is not: give two result logs or two results directories of sweeps'
run diff a.jsonl.gz nowhere.jsonl.gz
expect 2
expect_in err '^nowhere.jsonl.gz: No such file'

begin "sweeps"
cat >e.cfg <<'EOF'
title = "small";
config = { topology = { kind = "slimfly"; q = 5; endpoints = 3; }; routing = { kind = "minimal"; };
           time = { warmup = "1us"; measure = "2us"; }; traffic = ( { pattern = "uniform"; load = 0.5; } ); };
grid = ( { path = "routing.kind"; values = [ "minimal", "valiant" ]; }, { path = "traffic.[0].load"; values = [ 0.2, 0.4 ]; short = [ 0.2 ]; } );
EOF
run sweep e.cfg --out s --quiet
expect 0
run sweep e.cfg --out t --quiet --seed 3
expect 0
run sweep e.cfg --out u --quiet --short
expect 0
run diff s s
expect 0
expect_in out '^the digests of 4 of 4 points are equal'
run diff s t
expect 1
expect_in out '^  seed +1 \| 3  \(4 of 4 points\)$'
expect_in out '^  valiant_0.4  latency_ns.mean '
run diff s u
expect 1
expect_in out '^  minimal_0.4  result +true \| none +differs$'
for folder in s t; do
	cp -r $folder $folder-failed
	sed -i '/"name":"minimal_0.2"/s/.*/{"name":"minimal_0.2","state":"failed"}/' $folder-failed/summary.jsonl
done
run diff s-failed s-failed
expect 0
expect_in out '^1 point failed in both and is not compared$'
run diff s-failed s-failed --json
expect 0
expect_in out '"failed_in_both":1[,}]'
run diff s s-failed --json
expect 1
expect_in out '"failed_in_both":0[,}]'
run diff s s-failed
expect 1
! grep -q 'failed in both' out || fail "it failed in one"
run show s
expect 0
expect_in out '^name +labels.kind +labels.load '
expect_in out '^valiant_0.4 +valiant +0.4 '
finish
