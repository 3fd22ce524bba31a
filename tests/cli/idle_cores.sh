#!/usr/bin/env bash
# Runs that would leave cores of a sweep idle use them, if there is enough to do: with the same results.
source "$(dirname "$0")/run.bash"

threads() { # of each result of a folder
	for f in "$1"/points/*.gz; do
		zcat "$f" | grep -oE '"threads":[0-9]+' | head -1 | cut -d: -f2
	done | sort | tr '\n' ' '
}

digests() {
	for f in "$1"/points/*.gz; do
		zcat "$f" | tail -1 | grep -oE '"digest":"[0-9a-f]{16}"'
	done | sort | tr '\n' ' '
}

cat >big.cfg <<'END'
config = { topology = { kind = "slimfly"; q = 13; }; routing = { kind = "minimal"; };
           time = { warmup = "0us"; measure = "2us"; };
           traffic = ( { pattern = "uniform"; load = 0.5; packet = "256B"; } ); };
grid = ( { path = "traffic.[0].load"; values = [ 0.9 ]; } );
END
two=1
[ "$(nproc)" -gt 1 ] && two=2

begin "one run of two jobs"
run sweep big.cfg --out one -j 1 --quiet
expect 0
[ "$(threads one)" = "1 " ] || fail "one job: $(threads one)threads"
run sweep big.cfg --out both -j 2 --quiet
expect 0
[ "$(threads both)" = "$two " ] || fail "two jobs: $(threads both)threads"
[ "$(digests one)" = "$(digests both)" ] || fail "other results"

begin "what is kept does not hang on how many threads made it"
before=$(stat -c %Y%i both/points/*.gz)
run sweep big.cfg --out both -j 1 --quiet
expect 0
[ "$before" = "$(stat -c %Y%i both/points/*.gz)" ] || fail "a result was made again"

begin "a network that is too small, and what only one thread can do"
run sweep big.cfg --out small -j 2 --quiet --set topology.q=5 --set topology.endpoints=1
expect 0
[ "$(threads small)" = "1 " ] || fail "$(threads small)threads"
for set in engine.sync=sequential engine.sync=optimistic engine.threads=1 engine.audit=true engine.stress=20; do
	rm -rf odd
	run sweep big.cfg --out odd -j 2 --quiet --set $set
	expect 0
	[ "$(threads odd)" = "1 " ] || fail "$set: $(threads odd)threads"
	[ "$(digests one)" = "$(digests odd)" ] || fail "$set: other results"
done

begin "as many runs as jobs"
sed 's/values = .*/values = [ 0.85, 0.9 ]; } );/' big.cfg >two.cfg
run sweep two.cfg --out two -j 2 --quiet
expect 0
[ "$(threads two)" = "1 1 " ] || fail "$(threads two)threads"

begin "ranks that are bound to a core each: runs have the cores of all, and are as many as ranks"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
bound() { # RANKS COMMAND...
	"${TILEFLY_MPIEXEC:-mpirun}" --bind-to core -n "$1" "${@:2}" </dev/null
}
# Other launchers do not know the option, and some machines cannot bind.
if [ $two = 2 ] && bound 2 sh -c 'taskset -cp $$' 2>err >out && ! grep -q '[-,]' out; then
	bound 2 "$program" sweep big.cfg --out ranks --quiet >out 2>err || fail "two ranks: $(cat err)"
	[ "$(threads ranks)" = "2 " ] || fail "two ranks: $(threads ranks)threads"
	[ "$(digests one)" = "$(digests ranks)" ] || fail "two ranks: other results"
	bound 1 "$program" sweep big.cfg --out rank --quiet >out 2>err || fail "one rank: $(cat err)"
	[ "$(threads rank)" = "1 " ] || fail "one rank: $(threads rank)threads"
	bound 2 "$program" sweep none.cfg >out 2>err && fail "two ranks: a study that is not there"
	[ "$(grep -c none.cfg err)" = 1 ] || fail "two ranks: $(cat err)"
else
	echo "(ranks cannot be bound to a core here)"
fi

begin "no more runs at once than cores that may be used"
taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" "$program" sweep two.cfg --out lone --progress always >out 2>err || fail "$(cat err)"
grep -q "1 running" err || fail "progress: $(cat err)"
grep -q "2 running" err && fail "two runs at once on a core"

begin "asked for in the environment, as far as there are cores"
for n in 64 2 1 0 -3 x ''; do
	TILEFLY_IDLE_CORES=$n run run two/base.cfg --set traffic.[0].load=0.9 --json --quiet
	expect 0
	echo "$n $(grep -oE '"threads":[0-9]+' out | head -1 | cut -d: -f2)"
done >got
[ "$(awk '$1 == 2 { print $2 }' got)" = $two ] || fail "two: $(cat got)"
[ "$(awk '$1 == 64 { print ($2 >= '$two') }' got)" = 1 ] || fail "many: $(cat got)"
[ "$(tail -5 got | awk '{ print $NF }' | sort -u)" = 1 ] || fail "none: $(cat got)"
finish
