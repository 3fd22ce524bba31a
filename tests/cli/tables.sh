#!/usr/bin/env bash
# Routing by tables: a family's own minimal routes give its digest; what is wrong with a file; cycles; and one digest over
# schedulers, ranks, threads, stress and audit, of tables, of ways by latency, and of spraying with recycled entropies.
source "$(dirname "$0")/run.bash"

digest_of() { # the run's options
	"$program" run "$@" --out - 2>err </dev/null | grep -oE '"digest":"[0-9a-f]{16}"' | head -1 | cut -d'"' -f4
}

cat >net.cfg <<'END'
time     = { warmup = "1us"; measure = "3us"; };
topology = { kind = "fattree"; k = 4; levels = 3; };
traffic  = ( { load = 0.5; } );
END

while read -r name topology; do
	begin "minimal routes of $name"
	run topo net.cfg --set "topology=$topology" --routes routes.txt
	expect 0
	want=$(digest_of net.cfg --set "topology=$topology")
	got=$(digest_of net.cfg --set "topology=$topology" --set 'routing={ kind = "table"; file = "routes.txt"; }')
	[ -n "$want" ] && [ "$got" = "$want" ] || fail "digest $got of the table, $want of minimal: $(head -2 err)"
done <<'END'
fattree { kind = "fattree"; k = 4; levels = 3; }
xgft { kind = "xgft"; children = [4,4]; parents = [1,2]; trunk = [1,2]; }
kary-ntree { kind = "kary-ntree"; k = 2; n = 3; }
torus { kind = "torus"; dims = [4,5]; }
dragonfly { kind = "dragonfly"; p = 2; a = 4; h = 2; }
dragonfly-groups { kind = "dragonfly"; p = 2; a = 4; h = 2; g = 5; }
dragonfly-plus { kind = "dragonfly-plus"; p = 2; leaves = 2; spines = 2; h = 2; }
slimfly-trunk { kind = "slimfly"; q = 5; trunk = 2; }
hyperx { kind = "hyperx"; dims = [3,4]; }
oft { kind = "oft"; k = 3; }
mlfm { kind = "mlfm"; h = 3; }
END

printf '0 1\n1 2\n2 3\n3 0\n' >ring.txt
ring='topology={ kind = "edges"; file = "ring.txt"; }'
table() { # file, further settings
	echo "routing={ kind = \"table\"; file = \"$1\"; ${2:-} }"
}

# All packets go round by 0 -> 1 -> 2 -> 3 -> 0, on one VC: each link's buffer waits for the next.
begin "a circle"
printf '0 1-3 1/0\n1 2-3,2/0\n1 0 2/0\n2 3 3/0 # comment\n2 0-1 3/0\n3 0-2 0/0\n' >circle.txt
run run net.cfg --set "$ring" --set "$(table circle.txt)"
expect 2
expect_in err 'routing.kind: table routing can deadlock with 1 virtual channel on this topology: packets that follow its routes can wait for each other in a circle; a cycle: switch 0 port 0 VC 0 -> switch 1 port 1 VC 0 -> switch 2 port 1 VC 0 -> switch 3 port 1 VC 0$'
run check net.cfg --set "$ring" --set "$(table circle.txt)"
expect 2

begin "a circle that virtual channels open"
sed 's,/0,/=,; s,^\(3 .*\)/=,\1/+,' circle.txt >dateline.txt # VC 1 from the cable of 3 to 0 on
run check net.cfg --set "$ring" --set "$(table dateline.txt)"
expect 0
expect_in out 'virtual channels +2 \(table routing needs 2\)'
expect_in out 'deadlock-free +yes: acyclic channel-dependency graph \(all routes enumerated\)'
run run net.cfg --set "$ring" --set "$(table dateline.txt)" --set switch.vcs=1
expect 2
expect_in err 'switch.vcs=1: table routing can deadlock with 1 virtual channel on this topology; it needs 2; a cycle: switch 0 port 0'
sed 's,/0,,' circle.txt >plain.txt # the rule of any graph: VC = hops
run check net.cfg --set "$ring" --set "$(table plain.txt)"
expect_in out 'virtual channels +3 \(table routing needs 3\)'

begin "all problems of a file"
cat >bad.txt <<'END'
0 1 1
0 2 7
0 2 2
0 3 p9
1 x 2
1 0 0/17
1 2 2*0
2 1
9 1 2
path 0 1 1
2 3 3
2 3-3 3
0 e1 q
0 e1 p0 1
2 2 3
END
run run net.cfg --set "$ring" --set "$(table bad.txt)"
expect 2
while read -r line text; do
	expect_in err "routing.file: .*bad.txt:$line: $text"
done <<'END'
2 there is no switch 7; they are numbered 0 to 3
3 switch 0 has no cable to switch 2
4 switch 0 has no port 9; it has 2 to other switches
5 a destination is expected: .*: "x"
6 a virtual channel is a number from 0 to 15, "=" or "\+": "0/17"
7 a weight is a whole number from 1 to 65535: "2\*0"
8 expected is "SWITCH DESTINATION HOP ..."
9 there is no switch 9; they are numbered 0 to 3
10 a path in a file of next hops, which began in line 1
12 next hops from switch 2 to switch 3 are in line 11 already; alternatives are in one line
13 a neighbour is expected, as 7, or a port, as p7: "q"
14 port 0 of switch 0 is given twice; a weight makes it more frequent, as in p0\*2
15 the switch itself is no destination of its packets: "2"
END
[ "$(grep -c 'bad.txt:' err)" = 13 ] || fail "$(grep -c 'bad.txt:' err) problems"

begin "routes that do not arrive"
printf '0 1-3 1\n1 2-3 0\n1 0 0\n2 3 3\n3 0-2 0\n' >lost.txt
run run net.cfg --set "$ring" --set "$(table lost.txt)"
expect 2
expect_in err 'routing.file: .*lost.txt: packets to switch 2 can go in a circle: 1 \(line 2\) -> 0 \(line 1\) -> 1$'
expect_in err 'routing.file: .*lost.txt: there are no next hops from switch 2 to switch 0$'
expect_in err 'routing.file: .*lost.txt: there are no next hops from switch 2 to switch 1$'
printf 'path 0 1 1\npath 0 2 1 0 3 2\npath 0 3 1\npath 1 1 0\n' >paths.txt
run run net.cfg --set "$ring" --set "$(table paths.txt)"
expect 2
expect_in err 'paths.txt:2: the path passes switch 0 twice'
expect_in err 'paths.txt:3: the path ends at switch 1, not at 3'
expect_in err 'paths.txt:4: source and destination are at the same switch, 1'
echo 'path 0 1 1' >paths.txt
run run net.cfg --set "$ring" --set "$(table paths.txt)"
expect_in err 'paths.txt: there is no path from switch 0 to 2$'
: >paths.txt
run run net.cfg --set "$ring" --set "$(table paths.txt)"
expect 2
expect_in err 'paths.txt: it has no routes'

begin "keys without effect"
run run net.cfg --set "$ring" --set "$(table dateline.txt 'vc = "hops";')"
expect 2
expect_in err 'routing.vc: has no effect: .*dateline.txt sets the virtual channel of every hop'
run run net.cfg --set "$ring" --set "$(table plain.txt 'choose = "flow";')"
expect 2
expect_in err 'routing.choose: has no effect: .*plain.txt contains no choice between several ports'
run run net.cfg --set 'routing={ kind = "spray"; order = "recycled"; }'
expect 2
expect_in err 'routing.order: "recycled" needs switches that mark packets'
run run net.cfg --set 'routing={ kind = "spray"; order = "recycled"; per = "message"; }'
expect 2
expect_in err 'routing.per: has an effect only without order = "recycled"'

# With equal latencies the shortest ways; the long cable of a triangle is gone round, in two hops.
begin "latency"
want=$(digest_of net.cfg --set "$ring")
got=$(digest_of net.cfg --set "$ring" --set 'routing={ kind = "latency"; }')
[ -n "$want" ] && [ "$got" = "$want" ] || fail "digest $got, $want of minimal"
printf '0 1\n1 2\n2 0 long\n' >triangle.txt
printf '0 2\n2 0\n' >swap.txt
cat >triangle.cfg <<'END'
time     = { warmup = "0ns"; measure = "100us"; drain = true; };
topology = { kind = "edges"; file = "triangle.txt"; };
links    = { default = { latency = "100ns"; }; long = { latency = "300ns"; }; };
traffic  = ( { pattern = "permutation"; file = "swap.txt"; load = 0.1; } );
routing  = { kind = "latency"; };
END
run run triangle.cfg
expect_in out 'hops +mean 2.0000, maximum 2, 0.00 % of packets minimal'
run run triangle.cfg --set routing.hop=150ns # 2 x 250 > 450
expect_in out 'hops +mean 1.0000, maximum 1, 100.00 % of packets minimal'
run check triangle.cfg
expect_in out 'virtual channels +2 \(latency routing needs 2\)'
printf '0 1\n1 2\n2 0 local latency=300ns/100ns\n' >own.txt # from 2 to 0, and back
sed 's/ long = {[^}]*};//' triangle.cfg >own.cfg
for hops in 2 1; do
	[ $hops = 2 ] && echo '2 0' >one.txt || echo '0 2' >one.txt
	run run own.cfg --set topology.file=own.txt --set 'traffic.[0].file=one.txt'
	expect_in out "hops +mean $hops.0000, maximum $hops"
done

# Paths by endpoint, by weight and by flow; next hops with weights; messages with one entropy; recycled ones.
cat >path.txt <<'END'
path 0 1 1
path 0 2 1 2 *3
path 0 2 3 2
path e0 e2 3 2
path 0 3 3
path 1 0 0
path 1 2 2
path 1 3 0 3
path 2 0 3 0
path 2 1 1
path 2 3 3
path 3 0 0
path 3 1 0 1
path 3 2 2
END
printf '0 1 1\n0 2 1*3 3/+\n0 3 3\n1 0 0\n1 2 2\n1 3 0 2*7\n2 0 1 3\n2 1 1\n2 3 3\n3 0 0\n3 1 0 2\n3 2 2\nfirst 3 e1 2\n' >weights.txt
cat >marks.cfg <<'END'
time       = { warmup = "0ns"; measure = "20us"; drain = true; };
topology   = { kind = "fattree"; k = 4; levels = 3; };
switch     = { kind = "output-queued"; };
congestion = { kind = "nscc"; };
traffic    = ( { pattern = "permutation"; load = 0.9; message = "16KB"; } );
END
same_everywhere() { # options
	want=$(digest_of "$@")
	[ -n "$want" ] || fail "no digest: $(head -2 err)"
	for how in "sync=\"conservative\"" "threads=2" "sync=\"optimistic\"" "stress=3"; do
		got=$(digest_of "$@" --set "engine.${how%%=*}=${how#*=}")
		[ "$got" = "$want" ] || fail "$how: digest $got, not $want: $(head -2 err)"
	done
	got=$(digest_of "$@" --audit)
	[ "$got" = "$want" ] || fail "audit: digest $got, not $want: $(head -2 err)"
	got=$("$tests/../mpirun.sh" 2 "$program" run "$@" --out - 2>err </dev/null | grep -oE '"digest":"[0-9a-f]{16}"' | head -1 | cut -d'"' -f4)
	[ "$got" = "$want" ] || fail "2 ranks: digest $got, not $want: $(head -2 err)"
}
begin "one digest: paths"
same_everywhere net.cfg --set "$ring" --set "$(table path.txt)"
begin "one digest: paths by flow"
same_everywhere net.cfg --set "$ring" --set "$(table path.txt 'choose = "flow";')"
begin "one digest: weights"
same_everywhere net.cfg --set "$ring" --set "$(table weights.txt)"
begin "one digest: an entropy for each message"
same_everywhere net.cfg --set 'routing={ kind = "spray"; per = "message"; }' --set 'traffic=( { load = 0.5; message = "8KB"; } )'
begin "one digest: recycled entropies"
same_everywhere marks.cfg --set 'routing={ kind = "spray"; order = "recycled"; }'

# Four ways between two switches, one of them by a cable with a tenth of the bandwidth of the others. Of what is sprayed at
# random a quarter goes by it, so at most 4 x 0.1 of an endpoint's rate gets through. Its packets are marked, as their
# queue grows; with recycled entropies each of them is replaced by a random one, of which again a quarter go by it, so
# after n round trips 4^-n of those are left that were there, and what is offered gets through.
begin "recycled entropies leave a slow way"
printf '0 2 slow\n0 3\n0 4\n0 5\n1 2\n1 3\n1 4\n1 5\nendpoints 0-1 1\nendpoints 2-5 0\n' >ways.txt
printf '0 1\n1 0\n' >pair.txt
cat >ways.cfg <<'END'
time       = { warmup = "50us"; measure = "200us"; drain = false; };
topology   = { kind = "edges"; file = "ways.txt"; };
links      = { slow = { bandwidth = "10Gbps"; }; default = { bandwidth = "100Gbps"; latency = "500ns"; }; };
switch     = { kind = "output-queued"; };
congestion = { kind = "nscc"; };
traffic    = ( { pattern = "permutation"; file = "pair.txt"; load = 0.9; packet = "4KB"; } );
END
accepted() {
	run run ways.cfg --set "routing={ kind = \"spray\"; order = \"$1\"; }"
	sed -nE 's/^load +([0-9.]+) offered, ([0-9.]+) accepted.*/\2 \1/p' out
}
read -r through offered <<<"$(accepted random)"
awk "BEGIN { exit !($through > 0 && $through <= 0.4) }" || fail "$through of $offered, sprayed at random"
read -r through offered <<<"$(accepted recycled)"
awk "BEGIN { exit !($through >= 0.95 * $offered) }" || fail "$through of $offered, with recycled entropies"
finish
