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

begin "no configuration"
run run
expect 2
expect_err 'tilefly run: CONFIG is missing
Try "tilefly help run".'

begin "two configurations"
run check slimfly-3k slimfly-74k
expect 2
expect_err 'tilefly check: "slimfly-74k" is one argument too many
Try "tilefly help check".'

begin "progress"
run run slimfly-3k --progress sometimes
expect 2
expect_in err '--progress sometimes: allowed are auto, always, never'

begin "no such file"
run check nowhere.cfg
expect 2
expect_in err '^nowhere.cfg: no such file, and no shipped configuration of that name'

begin "misspelled shipped configuration"
run check slimfly-2k
expect 2
expect_err 'slimfly-2k: no such file, and no shipped configuration of that name; did you mean "slimfly-3k"?'

begin "a folder as configuration"
mkdir folder
run check ./folder
expect 2
expect_err './folder: cannot be read: is a folder'

begin "an experiment is for sweep"
run run slimfly-validation
expect 2
expect_in err 'run it with "tilefly sweep"'

begin "plug-in that is none"
echo nothing >none.so
run list --plugin ./none.so
expect 2
expect_in err '^tilefly list: --plugin ./none.so: plug-in cannot be loaded'

begin "kinds of plug-ins"
run list topologie
expect 2
expect_err 'tilefly list: there is no kind "topologie"; did you mean topology?'
run list routing
expect 0
expect_in out '^  ugal-l$'
finish
