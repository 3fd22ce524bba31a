#!/usr/bin/env bash
# What a configuration file may do to its reader: include itself, hold very many keys, carry control characters; and
# files given to the wrong command.
source "$(dirname "$0")/run.bash"

# A limit of seconds on what took minutes or for ever.
quick() {
	timeout 60 "$program" "$@" >out 2>err </dev/null
	status=$?
}

begin "a file that includes itself, eight times"
for i in 1 2 3 4 5 6 7 8; do echo '@include "self.cfg"'; done >self.cfg
quick check self.cfg
expect 2
expect_err 'self.cfg:1: @include "self.cfg": files include each other more than 10 deep'

begin "files that include each other 6^7 times"
for i in 1 2 3 4 5 6 7; do
	for k in 1 2 3 4 5 6; do echo "@include \"level$((i + 1)).cfg\""; done >level$i.cfg
done
echo '# nothing' >level8.cfg
quick check level1.cfg
expect 2
expect_in err '^level[1-7]\.cfg:[1-6]: @include "level[2-8]\.cfg": more than 1000 files are included in all$'
[ "$(grep -c ^ err)" = 1 ] || fail "more than one error"

begin "a large file, included again and again"
{ head -c 1000000 /dev/zero | tr '\0' ' '; echo; } >large.cfg
for i in $(seq 100); do echo '@include "large.cfg"'; done >many.cfg
quick check many.cfg
expect 2
expect_in err '^many\.cfg:6[0-9]: @include "large\.cfg": more than 64 MiB are included in all$'

begin "300,000 unknown keys"
{ cat <<<'topology = { kind = "slimfly"; q = 5; }; traffic = ( { load = 0.5; } );'; seq -f 'key%.0f = 1;' 300000; } >keys.cfg
quick check keys.cfg
expect 2
expect_err 'keys.cfg:1000: one group has more than 1000 settings'

begin "900 unknown keys"
{ cat <<<'topology = { kind = "slimfly"; q = 5; }; traffic = ( { load = 0.5; } );'; seq -f 'key%.0f = 1;' 900; } >keys.cfg
quick check keys.cfg
expect 2
expect_in err '^keys.cfg:2: key1: unknown key$'
expect_in err '^tilefly check: and 800 more errors$'
[ "$(grep -c ^ err)" = 101 ] || fail "not the first 100 and the rest's number"

begin "23,000 unknown keys in 25 jobs"
{
	echo 'topology = { kind = "slimfly"; q = 5; }; traffic = ('
	for i in $(seq 25); do
		echo '{ load = 0.5;'
		seq -f 'key%.0f = 1;' 920
		[ "$i" = 25 ] && echo '}' || echo '},'
	done
	echo ');'
} >keys.cfg
quick check keys.cfg
expect 2
expect_in err '^tilefly check: and 22900 more errors$'

# ESC [ 2 J clears a terminal; 0x9b is CSI in one byte, and U+009B the same in UTF-8. Letters of UTF-8 stay.
begin "control characters"
E='\x1b[2J' C='\x9b2J' U=$'\xc2\x9b2J' N='\n'
cat >names.cfg <<END
time     = { warmup = "1us"; measure = "2us"; };
topology = { kind = "slimfly"; q = 5; };
classes  = ( { name = "c${E}${C}${U}é"; } );
traffic  = ( { name = "a${E}${C}${U}é${N}b"; load = 0.1; nodes = "0-9"; }, { name = "z"; load = 0.1; nodes = "10-19"; } );
output   = { file = "r${E}${C}é.jsonl.gz"; };
END
# Nothing but text, line ends and UTF-8 above U+009F.
harmless() {
	for file in out err; do
		if LC_ALL=C grep -aqP '[\x00-\x09\x0b-\x1f\x7f]|(?<![\xc2-\xf4])(?<![\xc2-\xf4][\x80-\xbf])(?<![\xc2-\xf4][\x80-\xbf][\x80-\xbf])[\x80-\xbf]|\xc2[\x80-\x9f]' "$file"; then
			fail "control characters on std$file: $(LC_ALL=C grep -aP '[\x00-\x1f\x7f-\xff]' $file | cat -v)"
		fi
	done
}
run check names.cfg
expect 0
harmless
expect_in out 'a\?\[2J.*é.b: 10 endpoints'
run run names.cfg
expect 0
harmless
expect_in out '^a\?\[2J'
for log in r?*.jsonl.gz; do
	run show "$log"
	expect 0
	harmless
	run show "$log" --record summary
	expect 0
	harmless
	run diff "$log" "$log"
	expect 0
	harmless
done
run run names.cfg --set traffic.[1].class=other
expect 2
harmless
run run names.cfg --set traffic.[0].start=$'\e[2J'
expect 2
harmless
run run names.cfg --json
expect 0
harmless
run run names.cfg --set switch.vcs=1
expect 2
harmless
run topo $'\e[2J.cfg'
expect 2
harmless
run sweep $'\e[2J.cfg'
expect 2
harmless
cat >study.cfg <<END
title = "t${E}${C}";
base = "names.cfg";
grid = ( { name = "n${E}"; points = ( { label = "one${E}${C}"; set = [ "seed=3" ]; }, { label = "two"; set = [ "seed=2" ]; } ); } );
END
run sweep study.cfg
expect 2
harmless
expect_in err '^study.cfg:1: title: contains a control character or bytes that are not UTF-8$'
sed -i 's/\\x1b//g; s/\\x9b//g; s/"t/"é/' study.cfg
run sweep study.cfg --out "folder"$'\e[2J'
expect 0
harmless
run sweep study.cfg --out folder --set $'switch.traversal=\e[2J'
expect 2
harmless

begin "a sweep given to run, a configuration given to sweep"
run run study.cfg
expect 2
expect_err 'study.cfg: an experiment (it has "grid"), not a configuration: run it with "tilefly sweep"'
run sweep names.cfg
expect 2
expect_err 'names.cfg: a configuration (it has "topology"), not an experiment: run it with "tilefly run"'
run sweep slimfly-3k
expect 2
expect_in err '/slimfly-3k.cfg: a configuration \(it has "topology"\), not an experiment: run it with "tilefly run"$'

begin "a job that starts behind the end"
run check torus-8x8x8 --set time.warmup=1us --set time.measure=2us --set traffic.[0].start=3us
expect 2
expect_err '--set traffic.[0].start=3us: must be before the end of the run at 3us (time.warmup + time.measure)'
run check torus-8x8x8 --set time.warmup=1us --set time.measure=2us --set traffic.[0].start=2999999ps
expect 0

begin "keys that an override of the kind made unknown"
cat >mine.cfg <<'END'
topology = {
  kind = "slimfly";
  q = 5;
};
traffic = ( { load = 0.5; pattern = "hotspot"; fraction = 0.2; } );
END
run run mine.cfg --set topology.kind=torus --set traffic.[0].pattern=tornado
expect 2
expect_err 'mine.cfg:1: topology.dims: required by topology "torus" (set by --set topology.kind=torus), but missing (switches in each dimension)
mine.cfg:3: topology.q: unknown key of topology "torus" (set by --set topology.kind=torus)
mine.cfg:5: traffic.[0].fraction: unknown key of pattern "tornado" (set by --set traffic.[0].pattern=tornado)'
run run mine.cfg --set 'topology={ kind = "torus"; q = 5; dims = [ 4, 4 ]; }'
expect 2
expect_err '--set topology={ kind = "torus"; q = 5; dims = [ 4, 4 ]; }: topology.q: unknown key'

begin "a switch that drops makes endpoints acknowledge"
echo 'topology = { kind = "single"; ports = 8; }; switch = { kind = "output-queued"; }; nic = { ack_stage = "10us"; table = 3; }; traffic = ( { load = 0.5; } );' >drops.cfg
quick check drops.cfg
expect 0
sed -i 's/"output-queued"/"ideal"/' drops.cfg
quick check drops.cfg
expect 2
expect_in err '^drops.cfg:1: nic.ack_stage: has an effect only with congestion control'
finish
