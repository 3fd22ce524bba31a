#!/usr/bin/env bash
# Every shipped study given to the commands that it is not for: one line says which it is for, and nothing is written.
source "$(dirname "$0")/run.bash"
studies=$tests/../../experiments/shipped/studies

kind_of() { # FILE
	case $(grep -oE '^(grid|variables|candidates = \()' "$1" | head -n 1) in
	grid) echo sweep an experiment '"grid"' ;;
	variables) echo design a search for designs '"variables"' ;;
	candidates*) echo compare a comparison '"candidates"' ;;
	esac
}
what() { # COMMAND
	case $1 in
	sweep) echo an experiment ;;
	compare) echo a comparison ;;
	design) echo a search for designs ;;
	*) echo a configuration ;;
	esac
}

checked=0
for file in "$studies"/*.cfg slimfly-3k; do
	name=$(basename "$file" .cfg)
	begin "$name"
	if [ -e "$file" ]; then
		read -r own is <<<"$(kind_of "$file")"
	else
		own=run is='a configuration "topology"'
	fi
	for command in run check topo cost sweep compare design; do
		[ "$(what $command)" != "$(what $own)" ] || continue
		run $command "$name"
		expect 2
		expect_out ""
		[ "$(wc -l <err)" = 1 ] || fail "$command: $(head -n 3 err)"
		expect_in err "/$name.cfg: ${is% *} \\(it has ${is##* }\\), not $(what $command): run it with \"tilefly $own\"\$"
		checked=$((checked + 1))
	done
done
[ $checked -ge 200 ] || fail "$checked pairs"
begin "nothing is written"
[ "$(ls | sort | tr '\n' ' ')" = "err out " ] || fail "$(ls)"

begin "what is unfinished is said of the command that was meant"
echo 'title = "t"; equal = "cost"; candidates = 5;' >half.cfg
run compare half.cfg
expect 2
expect_in err 'half.cfg: budget: is missing|half.cfg:1: candidates: '
echo 'title = "t"; candidates = ( "slimfly" ); topology = { kind = "single"; ports = 4; };' >both.cfg
run run both.cfg
expect 2
expect_in err '^both.cfg:1: candidates: unknown key'
finish
