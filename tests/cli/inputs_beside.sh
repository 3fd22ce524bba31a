#!/usr/bin/env bash
# What is read besides the files that keys name - files of a trace's ranks, what an Aspen model includes and imports,
# lists of models - is an input, too: a sweep runs its points again when one of them changes, and says why.
source "$(dirname "$0")/run.bash"
data=$(realpath "$tests/../data/trace")
export PYTHONDONTWRITEBYTECODE=1

experiment() { # JOB
	cat >base.cfg <<END
topology = { kind = "single"; ports = 16; };
switch = { kind = "ideal"; };
routing = { kind = "minimal"; };
traffic = ( $1 );
END
	cat >e.cfg <<'END'
base = "base.cfg";
set = [ "engine.sync=sequential" ];
grid = ( { path = "seed"; values = [ 1 ]; } );
END
	rm -rf s
}

# Twice the same: kept. After CHANGE: run again, because of what REGEX says; and the result is another one, if DIFFERS.
kept_until() { # CHANGE REGEX [DIFFERS]
	run sweep e.cfg --out s
	expect 0
	local before digest
	digest=$(grep -oE '"digest":"[0-9a-f]{16}"' s/summary.jsonl)
	before=$(stat -c %Y%i s/points/*.gz)
	run sweep e.cfg --out s
	expect 0
	[ "$before" = "$(stat -c %Y%i s/points/*.gz)" ] || fail "a result was made again: $(cat err)"
	eval "$1"
	run sweep e.cfg --out s
	expect 0
	[ "$before" != "$(stat -c %Y%i s/points/*.gz)" ] || fail "a stale result was kept"
	expect_in err "$2"
	[ -z "${3:-}" ] || [ "$digest" != "$(grep -oE '"digest":"[0-9a-f]{16}"' s/summary.jsonl)" ] || fail "the same digest"
}

begin "a DUMPI trace: the file of a rank"
cp -r "$data/dumpi_calls_p5" p5
chmod -R u+w p5
rm p5/dumpi-calls-000[01].bin # their text is beside it
experiment '{ process = "dumpi"; meta = "p5/dumpi-calls.meta"; nodes = "0-4"; }'
kept_until 'sed -i "45,46s/count=60/count=61/" p5/dumpi-calls-0001.txt' \
	'p5/dumpi-calls-0000.txt and 4 more \(files of traffic.\[0\].dumpi\) changed' differs
zcat s/points/*.gz | head -n 1 >manifest
expect_in manifest '"kind":"files of traffic.\[0\].dumpi","path":"[^"]*p5/dumpi-calls-0000.txt and 4 more"'
ln -s p5/dumpi-calls-0003.bin link.jsonl
run run base.cfg --out link.jsonl
expect 2
expect_in err 'link.jsonl: is an input file of the run'

begin "a Chakra trace, which a key names by what its files have in common: the same graphs in other numbers"
python3 "$tests/chakra.py" ring-int32
experiment '{ process = "chakra"; prefix = "t"; nodes = "0-4"; }'
kept_until 'python3 "$tests/chakra.py" ring-sint64' 't.0.et and [0-9]+ more \(files of traffic.\[0\].chakra\) changed'

begin "an Aspen model: what it includes and imports"
mkdir models
echo 'param words = 4096' >models/words.aspen
printf 'model part {\n  param steps = 2\n}\n' >models/part.aspen
cat >models/app.aspen <<'END'
model app {
  include words.aspen
  import part from "part.aspen"
  kernel main { iterate [part.steps] { execute { comm [1] of size [words] as allreduce, sum } } }
}
END
experiment '{ process = "aspen"; model = "models/app.aspen"; nodes = "0-7"; }'
kept_until 'echo "param words = 8192" >models/words.aspen' 'models/.*aspen and 1 more \(files of traffic.\[0\].aspen\) changed' differs
kept_until 'sed -i "s/steps = 2/steps = 3/" models/part.aspen' 'aspen and 1 more \(files of traffic.\[0\].aspen\) changed' differs

begin "a list of models, and a model without other files"
printf 'model work { kernel main { execute { flops [10000] } } }\n' >models/work.aspen
printf 'machine M { node [1] N }\nnode N { socket [1] S }\nsocket S { core [1] C }\ncore C { resource flops(n) [n / 1000000000] }\n' >models/m.aspen
experiment '{ process = "durango-rounds"; models = [ "models/work.aspen" ]; machine = "models/m.aspen"; nodes = "0-7"; }'
kept_until 'sed -i "s/10000\]/20000]/" models/work.aspen' 'models/work.aspen \(traffic.\[0\].models\) changed' differs

begin "files that a configuration inside an experiment names are where the experiment says"
mkdir -p there
printf 'num_ranks 2\nrank 0 {\na: send 1000b to 1 tag 0\n}\nrank 1 {\na: recv 1000b from 0 tag 0\n}\n' >there/a.goal
cat >there/inside.cfg <<'END'
config = {
  topology = { kind = "single"; ports = 4; };
  switch = { kind = "ideal"; };
  routing = { kind = "minimal"; };
  traffic = ( { process = "goal"; file = "a.goal"; } );
};
grid = ( { path = "seed"; values = [ 1 ]; } );
END
run sweep there/inside.cfg --out inside
expect 0
run run inside/base.cfg --quiet
expect 0
mv there/a.goal there/b.goal
run sweep there/inside.cfg --out inside
[ "$status" != 0 ] || fail "a file that is gone is not missed"
expect_in err 'there/a\.goal'
finish
