#!/usr/bin/env bash
# completion and man: made from the table of options, valid for the shells and for roff, true to the help.
source "$(dirname "$0")/run.bash"
mapfile -t commands < <("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -vx help)
[ "${#commands[@]}" -gt 8 ] || fail "no commands"

begin "bash: valid"
run completion bash
expect 0
expect_err ""
cp out tilefly.bash
bash -n tilefly.bash || fail "bash does not read it"

# complete WORD...: what the last word, maybe empty, can become
complete_words() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_tilefly
	printf '%s\n' "${COMPREPLY[@]}"
}
# shellcheck disable=SC1091
source ./tilefly.bash

begin "bash: words"
expect_words() { # "what is expected" WORD...
	local want=$1 got
	shift
	got=$(complete_words "$@" | sort | tr '\n' ' ')
	[ "$got" = "$want" ] || fail "completing \"$*\" gives \"$got\", not \"$want\""
}
expect_words "record report run " tilefly r
expect_words "--seed --set " tilefly run --se
expect_words "conservative " tilefly sweep --sync c
expect_words "always auto " tilefly run slimfly-3k --progress a
expect_words "slimfly-1m slimfly-3k slimfly-74k " tilefly run slimfly-
expect_words "slimfly-precise slimfly-validation slingshot-routing " tilefly sweep sl
expect_words "topology.kind= " tilefly check --set topology.ki
expect_words "traffic.[0].load= " tilefly check --set traffic.[0].lo
expect_words "slimfly " tilefly run --set topology.kind = sl
expect_words "false true " tilefly run --set record.packets =
expect_words "configs congestion " tilefly list con
expect_words "run " tilefly help ru
expect_words "bash " tilefly completion b
mkdir folder
touch a.cfg a.jsonl.gz a.so a.txt
expect_words "a.jsonl.gz " tilefly show a
expect_words "a.so " tilefly list --plugin a
expect_words "folder " tilefly sweep --out f

begin "bash: every option of every command"
for command in "${commands[@]}"; do
	"$program" help "$command" | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort >help.txt
	complete_words tilefly "$command" -- | sort >completed.txt
	diff help.txt completed.txt >differences || fail "$command: $(cat differences)"
done

if command -v zsh >/dev/null; then
	begin "zsh: valid"
	run completion zsh
	expect 0
	zsh -n out || fail "zsh does not read it"
fi
run completion zsh
[ "$(head -n 1 out)" = "#compdef tilefly" ] || fail "zsh: not a completion function"
run completion fish
expect 2
expect_in err '^tilefly completion: there is completion for bash and zsh, not for "fish"$'

begin "manual pages"
for command in "" "${commands[@]}"; do
	run man $command
	expect 0
	[ "$(grep -c '^\.SH \(NAME\|SYNOPSIS\|DESCRIPTION\|OPTIONS\|EXAMPLES\)$' out)" = 5 ] || fail "$command: a section is missing"
	if command -v groff >/dev/null; then
		groff -man -Tascii -ww out >text 2>warnings || fail "$command: groff fails"
		[ ! -s warnings ] || fail "$command: $(cat warnings)"
	fi
	[ -z "$command" ] || "$program" help "$command" | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sed 's/-/\\-/g' | while read -r option; do
		grep -qF -- "$option" out || echo "$command: $option"
	done >missing
	[ ! -s missing ] || fail "$(cat missing)"
done
run man rnu
expect 2

begin "what is installed"
pages=$(dirname "$program")/../pages
if [ -d "$pages" ]; then
	for command in "${commands[@]}"; do
		[ -s "$pages/man1/tilefly-$command.1" ] || fail "no page of $command"
	done
	bash -n "$pages/bash/tilefly" || fail "the completion of bash is not whole"
fi
finish
