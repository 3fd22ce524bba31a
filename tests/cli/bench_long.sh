#!/usr/bin/env bash
# Benchmarks: what bench/run.sh accepts, the members it reads, and the page that report makes of its file. No figure is checked.
source "$(dirname "$0")/run.bash"
bench=$tests/../../bench/run.sh

begin "the cases"
for how in "--set short" "--set long" "--set huge" --weak; do
	$bench --list $how --tilefly "$program" >out 2>err </dev/null
	status=$?
	expect 0
	[ -s out ] || fail "no case in $how"
done
expect_in out '^slimfly-weak-16 '
$bench --set tiny --tilefly "$program" >out 2>err </dev/null
status=$?
expect 2

begin "how quiet the machine is"
if ${CC:-cc} -O1 -o calibrate "$tests/../../bench/calibrate.c" 2>err; then
	for n in 1 2; do
		read -r additions updates rest <<<"$(./calibrate --gauge $n)"
		awk -v a="$additions" -v u="$updates" 'BEGIN { exit !(a > 0.01 && u > 0.01) }' || fail "gauge of $n: $additions, $updates"
		[ -z "$rest" ] || fail "gauge of $n: also $rest"
	done
	./calibrate --json >out
	expect_in out '"load_2m_ns":[0-9].*"line_ns":[0-9]'
else
	cat err >&2
	fail "bench/calibrate.c does not compile"
fi

begin "what counts as quiet"
mkdir machine
ln -s "$program" machine/tilefly
cat >machine/calibrate <<'EOF'
#!/bin/sh
# Tells what is in `moments`, a line each time, the last one for ever.
[ "$1" = --json ] && { echo '{"ghz":3,"load_64k_ns":4,"load_2m_ns":12,"load_64m_ns":150,"available":1,"additions_per_ns":10,"line_ns":60}'; exit; }
head -1 moments
[ "$(wc -l <moments)" -gt 1 ] && sed -i 1d moments
exit 0
EOF
chmod +x machine/calibrate
for now in "10 500:1 quiet, 0 not counted" "9.1 460:1 quiet, 0 not counted" "10 200:NOT QUIET" "4 500:NOT QUIET"; do
	printf '10 500\n%s\n' "${now%:*}" >moments
	$bench --tilefly machine/tilefly --only '^phold-1k$' --modes seq --repeat 1 --quiet 0.9 --patience 0 --out quiet.jsonl >out 2>err </dev/null
	status=$?
	expect 0
	expect_in out '^quiet .* on each of 2 cores: (10|9\.1|4) additions a nanosecond, (500|460|200) updates a microsecond$'
	expect_in out "^phold-1k .*  ${now#*:}"
done

begin "copies"
$bench --tilefly machine/tilefly --only '^phold-1k$' --modes seq,copies,con --repeat 1 --out copies.jsonl >out 2>err </dev/null
status=$?
expect 0
expect_in out '^phold-1k +2 copies +[0-9.]+ M events/s .* x[0-9.]+ '
expect_in out '^phold-1k +2 conservative .* [0-9]+ % of copies'
grep -qE '"record":"case".*"sync":"copies","ranks":2,.*"ratio_to_one_rank":[0-9.]+,' copies.jsonl || fail "no record of the copies"
[ "$(grep -c '"ratio_to_copies":' copies.jsonl)" = 1 ] || fail "one mode, and not the copies themselves, is compared with copies"
memory=$(grep -E '"record":"run".*"mode":"(sequential 1|copies 2)"' copies.jsonl | grep -oE '"peak_rss_bytes":[0-9]+' | cut -d: -f2 | xargs)
awk -v m="$memory" 'BEGIN { split(m, b, " "); exit !(b[2] > 1.7 * b[1] && b[2] < 2.3 * b[1]) }' || fail "memory of one and of two copies: $memory"

begin "ratios within turns"
turn() { # REPETITION MODE RATE
	echo '{"record":"run","name":"net","mode":"'"$2"'","repetition":'"$1"',"summary":{"engine":{"packet_hops_per_s":'"$3"'}}}'
}
{
	echo '{"record":"machine","cores":2}'
	turn 0 "sequential 1" 10 && turn 0 "copies 2" 20 && turn 0 "optimistic 2" 18
	turn 1 "sequential 1" 10 && turn 1 "copies 2" 15 && turn 1 "optimistic 2" 12
	turn 2 "sequential 1" 10 && turn 2 "copies 2" 20 && turn 2 "optimistic 2" 19
	turn 3 "sequential 1" 10 && turn 3 "copies 2" 20
	echo '{"record":"run","name":"net","mode":"optimistic 2","repetition":3,"quiet":false,"summary":{"engine":{"packet_hops_per_s":5}}}'
	echo '{"record":"run","name"'
} >turns.jsonl
if command -v python3 >/dev/null; then
	python3 "${bench%/*}/ratios.py" turns.jsonl >out 2>err
	status=$?
	expect 0
	expect_in out '^net +copies 2 +4 +x2\.00 \(1\.88 to 2\.00\) +x2\.00 *$'
	expect_in out '^net +optimistic 2 +3 +x1\.80 \(1\.50 to 1\.85\) +x1\.80 +95 %$'
	python3 "${bench%/*}/ratios.py" turns.jsonl --least-copies 1.9 >out 2>err
	expect_in out '^net +optimistic 2 +1 +x1\.90 .* 95 %$'
	python3 "${bench%/*}/ratios.py" turns.jsonl --least-copies 2.1 >out 2>err
	expect_in out '^net +optimistic 2 +0$'
	expect_in out '^net +copies 2 +4 '
	expect_in err 'turns\.jsonl: a line is not whole'
	python3 "${bench%/*}/ratios.py" --least 1.9 turns.jsonl >out 2>err && fail "an unknown option is taken"
	python3 "${bench%/*}/ratios.py" nowhere.jsonl >out 2>err
	status=$?
	expect 2
	expect_in err 'nowhere\.jsonl'
fi

begin "what a case needs of a summary"
run phold --lps 64 --end 2us --json
expect 0
for member in events_committed event_rate_per_s efficiency gvt_rounds remote_events messages message_bytes setup_s wall_s peak_rss_bytes digest; do
	expect_in out "\"$member\":"
done
expect_in out '"phase_s":\{"execute":[^}]*"speculate":0\.0,"queue":[^}]*"rollback":0\.0,[^}]*"other":'
run run slimfly-3k --set time.warmup=0us --set time.measure=1us --json
expect 0
for member in packet_hops packet_hops_per_s endpoints peak_rss_rank_bytes phase_s; do
	expect_in out "\"$member\":"
done

begin "a page"
work_s='"events_committed":1000000,"wall_s":0.1,"setup_s":0.01,"remote_events":5,"messages":2,"message_bytes":160'
phases='"phase_s":{"execute":0.06,"speculate":0.01,"queue":0.02,"rollback":0.001,"communicate":0.002,"wait":0.004,"gvt":0.001,"fossil":0.001,"other":0.001}'
machine='{"record":"machine","cpu":"a <processor>","cores":2,"load_average":0.1,"version":"0.1.0","built":"Release","mpi":"none","time":"2026-01-01T00:00:00Z"}'
case_of() { # STUDY NAME MODE SYNC RANKS ENDPOINTS
	echo '{"record":"case","study":"'"$1"'","name":"'"$2"'","mode":"'"$3"'","sync":"'"$4"'","ranks":'"$5"',"unit":"packet-hops/s","median":9e6,"best":1e7,"least":8e6,"runs":3,"ratio_to_one_rank":1.5,"ratio_to_copies":0.77,"endpoints":'"$6"',"bytes_per_endpoint":900,"peak_rss_rank_bytes":1e7,"packet_hops":900000,"peak_rss_bytes":2e7,"efficiency":1,"gvt_rounds":10,'"$work_s,$phases"',"digest":"0"}'
}
{
	echo "$machine"
	echo '{"record":"calibration","when":"before","name":"net","machine":{"ghz":3.5,"load_64k_ns":4,"load_2m_ns":14,"load_64m_ns":200,"available":0.9}}'
	case_of strong net "1 rank" sequential 1 3042
	case_of strong net "2 conservative" conservative 2 3042
	case_of strong "it's another" "2 optimistic" optimistic 2 1056
	case_of weak weak-1 "1 rank" sequential 1 5070
	case_of weak weak-2 "1 rank" sequential 1 10108
	case_of weak weak-2 "2 conservative" conservative 2 10108
	echo '{"record":"instructions","name":"net-150","unit":"packet-hop","instructions":123.4,"units":1000}'
	echo '{"record":"case","name":"of nothing"}'
} >b.jsonl
if command -v node >/dev/null && [ -e "$tests/../../build/web/node_modules/echarts" ]; then
	page() { # FILE OPTION...
		node "$tests/../../bench/page.js" "$@" >out 2>err
		status=$?
	}
	page b.jsonl --svg figures
	expect 0
	for figure in rates phases weak weak-phases; do
		[ -s figures/b-$figure.svg ] || fail "no figure b-$figure.svg"
	done
	for text in 'Benchmarks b' 'a &lt;processor&gt;' 'Weak scaling' '<td>123.4</td>' '>of copies</th>' '<td>77 %</td>' 'of nothing'; do
		grep -q -- "$text" b.html || fail "no \"$text\" in the page"
	done
	head -c -30 b.jsonl >cut.jsonl
	page cut.jsonl --out cut.html
	expect 0
	grep -q 'This file is not whole' cut.html || fail "a cut file is not marked"
	echo "$machine" >empty.jsonl
	page empty.jsonl --out empty.html
	expect 0
	echo '{"record":"manifest"}' >other.jsonl
	page other.jsonl
	expect 1
fi
finish
