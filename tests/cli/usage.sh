#!/usr/bin/env bash
# The command line itself: help, version, misspelled commands and options, exit status 2.
source "$(dirname "$0")/run.bash"

begin "no command"
run
expect 2
expect_in err '^usage: tilefly COMMAND'

begin "help"
run --help
expect 0
expect_in out '^usage: tilefly COMMAND'
expect_err ""
for command in run topo check sweep report list phold; do
	begin "help $command"
	run help "$command"
	expect 0
	expect_in out "tilefly $command"
	cp out first
	run "$command" --help
	expect 0
	expect_out "$(cat first)"
done

begin "version"
run --version
expect 0
expect_in out '^tilefly [0-9]+\.[0-9]+\.[0-9]+ \(commit '
expect_in out '^MPI '

cp out version
for command in run topo sweep list phold record; do
	run "$command" --version
	expect 0
	expect_out "$(cat version)"
done

begin "what is printed goes to --out, or nowhere"
small="slimfly-3k --set topology.q=5"
for command in topo check cost "size --radix 12"; do
	for how in "" --json; do
		[ "$command" = "size --radix 12" ] && set -- || set -- $small
		run $command "$@" $how
		expect 0
		cp out want
		run $command "$@" $how --out printed
		expect 0
		expect_out ""
		cmp printed want || fail "$command $how: another text"
	done
	rm printed
	run $command "$@" --quiet
	expect 0
	expect_out ""
	run $command "$@" --quiet --json
	expect 0
	expect_out "$(cat want)"
	run $command "$@" --quiet --out printed
	expect 2
	expect_in err '--out has no effect with --quiet, which prints no text$'
done
run list routing --out printed
expect 0
grep -q '^  valiant$' printed || fail "no list"
run topo $small --quiet --edges edges.txt
expect 0
expect_out ""
[ "$(grep -cE "^[0-9]+ [0-9]+ " edges.txt)" = 175 ] || fail "edges: $(wc -l <edges.txt)"
run topo $small --edges edges.txt --out edges.txt
expect 2
echo 'topology = { kind = "slimfly"; q = 5; }; traffic = ( { load = 0.1; } );' >own.cfg
run check own.cfg --out own.cfg
expect 2
expect_err 'tilefly check: --out: own.cfg is an input file of this command'
grep -q slimfly own.cfg || fail "own.cfg was written over"
rm printed
run check own.cfg --set topology.q=6 --out printed
expect 2
expect_no_file printed
printf 'num_ranks 1\nrank 0 {\ncalc 5\n}\n' >one.goal
for file in one.goal halo3d; do
	run workload $file --quiet
	expect 0
	expect_out ""
done

begin "misspelled command"
run rnu
expect 2
expect_err 'tilefly: unknown command "rnu"; did you mean "run"?
Try "tilefly --help".'

begin "misspelled option"
run run slimfly-3k --snyc optimistic
expect 2
expect_err 'tilefly run: unknown option --snyc; did you mean --sync?
Try "tilefly help run".'

begin "option without its value"
run run slimfly-3k --seed
expect 2
expect_err 'tilefly run: --seed needs a value
Try "tilefly help run".'

begin "a value for an option that takes none"
run run slimfly-3k --json=yes
expect 2
expect_err 'tilefly run: --json takes no value
Try "tilefly help run".'

begin "sweep and report read their command line as the others do"
for command in sweep report; do
	run "$command" x --quite
	expect 2
	expect_err "tilefly $command: unknown option --quite; did you mean --quiet?
Try \"tilefly help $command\"."
	run "$command"
	expect 2
	expect_in err "^tilefly $command: [A-Z.]+ is missing$"
done
run sweep slimfly-validation -j 0
expect 2
expect_err 'tilefly sweep: --jobs 0: must be a number from 1 to 4096'

begin "every help has the same parts"
for command in $("$program" --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' | grep -vx -e help -e tilefly); do
	run help "$command"
	expect 0
	for part in "^usage: tilefly $command" '^Options:' '^Examples:' '^Exit status: 0 ' '^  -h, --help '; do
		expect_in out "$part"
	done
	[ "$(awk '{ if (length > n) n = length } END { print n }' out)" -le 100 ] || fail "$command: a line is too long"
done

begin "what is wrong at a place begins with the place, all else with the command"
run sweep nowhere.cfg
expect 2
expect_in err '^nowhere.cfg: no such file'
run report nowhere.jsonl.gz
expect 1
expect_in err '^nowhere.jsonl.gz: No such file'

begin "no configuration"
run run
expect 2
expect_err 'tilefly run: CONFIG is missing
Try "tilefly help run".'

begin "two configurations"
run check slimfly-3k slimfly-74k
expect 2
expect_err 'tilefly check: unexpected argument "slimfly-74k"
Try "tilefly help check".'

begin "progress"
run run slimfly-3k --progress sometimes
expect 2
expect_in err '--progress sometimes: must be one of auto, always, never'

begin "no such file"
run check nowhere.cfg
expect 2
expect_in err '^nowhere.cfg: no such file or shipped configuration'

begin "misspelled shipped configuration"
run check slimfly-2k
expect 2
expect_err 'slimfly-2k: no such file or shipped configuration; did you mean "slimfly-3k"?'

begin "a folder as configuration"
mkdir folder
run check ./folder
expect 2
expect_err './folder: cannot be read: is a directory'

begin "an experiment is for sweep"
run run slimfly-validation
expect 2
expect_in err 'run it with "tilefly sweep"'

begin "plug-in that is none"
echo nothing >none.so
run list --plugin ./none.so
expect 2
expect_in err '^--plugin ./none.so: ./none.so is not a shared object: it does not begin with an ELF header'

begin "kinds of plug-ins"
run list topologie
expect 2
expect_err 'tilefly list: there is no kind "topologie"; did you mean topology?'
run list routing
expect 0
expect_in out '^  ugal-l$'
expect_in out '^  valiant$'

begin "one plug-in"
run list routing ugal-l
expect 0
expect_in out '^  ugal-l$'
! grep -q '^  valiant$' out || fail "another one is shown"
run list routing ugal-l --json
expect_in out '^\[\{"kind":"routing","name":"ugal-l"'
for name in ideal crossbar tiled; do
	run list switch $name
	expect 0
	expect_in out "^  $name\$"
	expect_in out "^    [a-z_]+ .*(default|required|to)"
done
run list switch tild
expect 2
expect_err 'tilefly list: there is no switch "tild"; did you mean tiled?'

begin "what arbiters are fair in"
for arbiter in round-robin age weighted least-recent drr; do
	run list arbiters
	expect 0
	expect_err ""
	grep -A3 "^  $arbiter\$" out | grep -q '^    fair in: ' || fail "$arbiter: in what?"
	grep -A4 "^  $arbiter\$" out | grep -q '^    needs: ' || fail "$arbiter: what does it need?"
done
expect_in out 'fair in: bytes'
run list arbiters --json
expect_in out '"kind":"arbiter","name":"drr",.*"key":"bytes","weights":false,"quantum":true,'
run list arbiter drr
expect 0
expect_in out '^    needs: bytes, quantum$'
run list arbiter dr
expect 2
expect_err 'tilefly list: there is no arbiter "dr"; did you mean drr?'
run list switch crossbar --json
expect_in out '"choices":\["round-robin","age","weighted","least-recent","drr","auto"\]'

begin "workloads: processes and models"
for word in workloads workload; do
	run list $word
	expect 0
	expect_in out '^processes \(traffic\[\].process\)$'
	expect_in out '^  allreduce$'
	expect_in out '^halo3d +[^ ]'
done
run list workloads --json
expect 0
python3 -c 'import json; d = json.load(open("out")); n = {x["kind"]: x["name"] for x in d}
assert set(n) == {"process", "model"}, n' || fail "not processes and models"
run list workloads goal
expect 2

begin "what is shipped"
shipped=$tests/../../experiments/shipped
for kind in configs studies; do
	run list "$kind"
	expect 0
	expect_err ""
	[ "$(awk '{ print $1 }' out)" = "$(cd "$shipped/$kind" && ls ./*.cfg | sed 's/^..//; s/.cfg$//' | LC_ALL=C sort)" ] || fail "$kind: not all"
	! grep -vE '^[a-z0-9-]+ +[^ ].{9}' out || fail "$kind: no title"
done
run list models
expect 0
[ "$(awk '{ print $1 }' out)" = "$(cd "$shipped/aspen" && ls ./*.aspen | sed 's/^..//; s/.aspen$//' | LC_ALL=C sort)" ] || fail "models: not all"
! grep -vE '^[a-z0-9-]+ +[^ ].{9}' out || fail "models: no title"
expect_in out '^lulesh +LULESH 2.0 on a cube of ranks'
run list configs --json
expect_in out '"name":"slimfly-3k","title":"The Slim Fly of 3,042 endpoints: '
run list studies
expect_in out '^slimfly-validation +Slim Fly validation: 3,042 endpoints'
run list config slimfly-3k
expect 2

begin "an estimate is text: what would have no effect on it is refused"
run run slimfly-3k --set topology.q=5 --estimate --json
expect 2
expect_out ''
expect_err 'tilefly run: --json has no effect with --estimate, which prints text'
run run slimfly-3k --set topology.q=5 --estimate --out x.jsonl
expect 2
expect_err "tilefly run: --out has no effect with --estimate, which prints text"
expect_no_file x.jsonl
finish
