#!/usr/bin/env bash
# Runs every block of docs/tutorial.md that is marked sh, in order, in one shell, as a reader would paste them; checks what
# the page says of their results. (Its build commands are marked console: this test runs after them.)
source "$(dirname "$0")/run.bash"

# Words of the page that mean something else here: the program, and an mpirun that works wherever tests run.
mkdir bin
launcher=$(command -v "${TILEFLY_MPIEXEC:-mpirun}") || fail "there is no mpirun"
export TILEFLY_MPIEXEC=$launcher
ln -s "$program" bin/tilefly
cat >bin/mpirun <<END
#!/usr/bin/env bash
[ "\$1" = -n ] || exit 2
shift
exec bash "$tests/../mpirun.sh" "\$@"
END
chmod +x bin/mpirun
export PATH=$PWD/bin:$PATH
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0

page=$tests/../../docs/tutorial.md
awk -v n=0 '/^```sh$/ { inside = 1; n++; file = sprintf("block%02d", n); next }
            /^```$/ { inside = 0 }
            inside { print >file }' "$page"
for block in block*; do
	begin "$block: $(head -1 "$block")"
	timeout 120 bash -e "$block" >out 2>err </dev/null
	status=$?
	expect 0
	cp out "$block.out"
	cp err "$block.err"
done

blocks=(block??)
begin "the page has its blocks"
[ ${#blocks[@]} = 11 ] || fail "${#blocks[@]} instead of 11"
has() { # REGEX: in the output of some block
	cat block??.out block??.err >all
	expect_in all "$1"
}
begin "what the page prints is what the program prints"
cat block??.out block??.err >all
awk '/^```/ { if (!inside) inside = $0 == "```" ? "print" : "skip"; else inside = ""; next }
     inside == "print" && !/^engine /' "$page" |
	while IFS= read -r line; do
		grep -qxF -- "$line" all || echo "$line"
	done >missing
[ ! -s missing ] || fail "not printed any more: $(cat missing)"
begin "what the page says"
has '^network +slimfly, 338 switches, 3042 endpoints, minimal routing, 2 virtual channels$'
has '^load +0\.4984 offered, 0\.12[45][0-9] accepted'
has '^exit status 2$'
has '^--set topology.a=five: "five" is not a whole number$'
has '^--set traffic.\[0\].laod=0.3: unknown key; did you mean "load"\?$'
has '^cycle of [0-9]+ channels'
has '"record":"manifest"'
for file in run.html results/loads/report.html; do
	grep -q '</html>' "$file" || fail "$file is no page"
done
[ "$(wc -l <results/loads/summary.csv)" = 13 ] || fail "summary.csv has not twelve points"
begin "four times the same digest"
last=$(cat "${blocks[${#blocks[@]} - 1]}.out")
[ "$(grep -c digest <<<"$last")" = 4 ] && [ "$(grep digest <<<"$last" | sort -u | wc -l)" = 1 ] || fail "$last"
finish
