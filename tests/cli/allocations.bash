# allocations.bash - commands whose n-th allocation of memory fails; sourced behind run.bash.
#
#   prepare_allocations       makes the inputs and the library that fails
#   allocations_of COMMAND    the number of allocations of a command (a line of `commands`)
#   fail_at COMMAND N         runs it with its N-th failing, and looks at what it did
[ -n "${LSAN_OPTIONS:-}" ] && unset LSAN_OPTIONS

prepare_allocations() {
	gcc -shared -fPIC -O1 -o shim.so "$tests/fail_allocation.c" -ldl || fail "the library that fails is not built"
	cat >small.cfg <<-'END'
		topology = { kind = "single"; ports = 4; };
		time = { warmup = "0us"; measure = "200ns"; };
		traffic = ( { name = "a"; load = 0.3; }, { name = "b"; nodes = "0-1"; pattern = "permutation"; load = 0.2; } );
	END
	cat >sweep.cfg <<-'END'
		title = "t"; base = "small.cfg";
		grid = ( { path = "traffic.[0].load"; values = [ 0.1, 0.3 ]; } );
	END
	printf 'num_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n' >small.goal
	mkdir -p made
	"$program" run small.cfg --set record.histograms=true --set record.ports=true --out log.jsonl.gz --quiet
	"$program" run small.cfg --seed 2 --out other.jsonl.gz --quiet
	"$program" sweep sweep.cfg --out sweep --quiet
	commands=(
		"topo small.cfg --json --out made/out"
		"check small.cfg --json --out made/out"
		"cost small.cfg --json --out made/out"
		"size --endpoints 64 --json --out made/out"
		"list --json --out made/out"
		"workload small.goal --emit goal --out made/out"
		"show log.jsonl.gz --all --out made/out"
		"diff log.jsonl.gz log.jsonl.gz --json --out made/out"
		"report log.jsonl.gz --out made/out"
		"report sweep log.jsonl.gz other.jsonl.gz --out made/out"
		"sweep sweep.cfg --list --out made"
		"run small.cfg --out made/out.jsonl --csv --quiet"
	)
}

with_failure() { # N COMMAND: status, err
	rm -rf made
	mkdir made
	# shellcheck disable=SC2086
	timeout 60 env LD_PRELOAD="$PWD/shim.so" FAIL_PROGRAM="$program" FAIL_NTH="$1" FAIL_COUNT="$PWD/count" \
		"$program" $2 >out 2>err </dev/null
	status=$?
}

# What a command made, without what differs between two runs.
made() {
	for file in made/* out; do
		[ ! -f "$file" ] || case $file in
		*.gz) echo "$file: $(zcat "$file" | cksum)" ;;
		*.jsonl) grep -o '"digest":"[^"]*"' "$file" ;;
		*) echo "$file: $(cksum <"$file")" ;;
		esac
	done
}

allocations_of() {
	with_failure 0 "$1"
	[ "$status" = 0 ] || fail "$1: status $status: $(head -1 err)"
	good=$(made)
	allocations=$(cat count)
}

fail_at() {
	with_failure "$2" "$1"
	local left
	left=$(find . -name '*.tmp' -o -name .lock)
	[ -z "$left" ] || fail "$1, allocation $2 of $allocations: left behind: $left"
	find . -name '*.tmp' -delete
	if [ "$status" = 0 ]; then # it did without
		[ "$(made)" = "$good" ] || fail "$1, allocation $2 of $allocations: status 0, but another result"
	elif [ "$status" != 1 ] && [ "$status" != 2 ]; then
		fail "$1, allocation $2 of $allocations: status $status: $(head -1 err)"
	elif [ ! -s err ]; then
		fail "$1, allocation $2 of $allocations: status $status without a word"
	elif { [ -e made/out ] || [ -e made/out.jsonl ]; } && [ "$(made | grep -v '^out:')" != "$(grep -v '^out:' <<<"$good")" ]; then
		fail "$1, allocation $2 of $allocations: status $status, and a file that is not whole"
	fi
}
