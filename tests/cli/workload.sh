#!/usr/bin/env bash
# tilefly workload of Aspen models: times of the reference library, counts of LULESH, errors with their places.
source "$(dirname "$0")/run.bash"
data=$tests/../data/aspen
shipped=$tests/../../experiments/shipped/aspen

# time SECONDS WORD...: the predicted time, to 10 digits
time_is() {
	local want=$1
	shift
	run workload "$@" --json
	expect 0
	python3 -c "import json,sys; t=json.load(open('out'))['time_s']; sys.exit(abs(t-$want)>0.5e-9*$want)" ||
		fail "$*: $(cut -c1-200 out), not $want s"
}
# model TEXT: writes m.aspen; kernel TEXT: one whose kernel main this is
model() { printf '%s\n' "$1" >m.aspen; }
kernel() { model "model m { param n = 4 kernel main { $1 } }"; }

# --- times: what the reference library gives for models of the same numbers --------------------------------------------
quad=$shipped/quad.aspen
begin "times of the reference"
time_is 10 "$shipped/matmul.aspen" --machine "$quad"
time_is 0.21253933 "$shipped/matmul.aspen" --machine "$quad" --param n=277
time_is 10.005 "$data/parallel.aspen" --machine "$quad" --socket QuadCPU
time_is 0.446428571429 "$shipped/matmul.aspen" --machine "$data/hybrid.aspen" --socket westmere
time_is 0.120792939543 "$shipped/matmul.aspen" --machine "$data/hybrid.aspen" --socket fermi
time_is 0.25 "$data/flops_many.aspen" --machine "$quad"
time_is 1 "$data/flops_one.aspen" --machine "$quad"
time_is 0.25 "$data/loads_many.aspen" --machine "$quad"
time_is 0.25 "$data/loads_one.aspen" --machine "$quad"
time_is 0.5 "$data/both_one.aspen" --machine "$quad"
time_is 1 "$data/messages_many.aspen" --machine "$data/pair.aspen"
time_is 1 "$data/messages_one.aspen" --machine "$data/pair.aspen"
time_is 1.9e-7 "$data/chance.aspen" --machine "$quad"
time_is 5e-8 "$data/outer.aspen" --machine "$quad"

begin "precedence: flops at 1 Gflop/s"
expr_is() {
	kernel "execute { flops [$1] }"
	time_is "$2e-9" m.aspen --machine "$quad"
}
expr_is '2^3^2' 512
expr_is '10 - 4 - 3' 3
expr_is '8 / 4 / 2' 1
expr_is '10 + -2^2' 6
expr_is '1/2 * 10' 5
expr_is 'max(2, min(9, 7)) + ceil(1.5) + floor(2.5) + sqrt(16) + log2(8)' 18
model 'model m { enum shape { flat, deep } param s = deep in shape param v[] = {1, 2, 4} param z[] = {10, 20, 40}
  param t[][] = {{1}, {2, 3, 4}} kernel main { execute { flops [t[s][2] + v[s + 1] + lookup(v, z, 50) + lookup(v, z, 30)] } } }'
time_is 16e-9 m.aspen --machine "$quad" # 4 + 4 + 5 + 3

begin "control: par, if, switch, counters, arguments"
kernel 'par { execute { flops [1000] } execute { flops [2000] } }'
time_is 2e-6 m.aspen --machine "$quad"
time_is 3e-6 m.aspen --machine "$quad" --strict
kernel 'if (n > 3 and n != 5) { execute { flops [10] } } else if (n == 1) { execute { flops [20] } } else { execute { flops [30] } }'
time_is 10e-9 m.aspen --machine "$quad"
time_is 20e-9 m.aspen --machine "$quad" --param n=1
time_is 30e-9 m.aspen --machine "$quad" --param n=5
run workload m.aspen --machine "$quad" --strict
expect 2
expect_in err '^m.aspen:1:37: the original Aspen predicts no time for "if"$'
kernel 'switch (n) { [4] { execute { flops [10] } } [5] { execute { flops [20] } } else { execute { flops [30] } } }'
time_is 10e-9 m.aspen --machine "$quad"
time_is 30e-9 m.aspen --machine "$quad" --param n=6
kernel 'iterate i [n] { execute { flops [10 * i] } } map [2] { execute { flops [5] } }'
time_is 70e-9 m.aspen --machine "$quad" # 0 + 10 + 20 + 30, 2 * 5
model 'model m { param n = 3 kernel part(param n, data d) { param twice = 2 * n execute { flops [twice] from d } }
  data x [8] kernel main { call part(n + 1, x) call part(1, x) } }'
time_is 10e-9 m.aspen --machine "$quad"
model 'model m { param p[] = {0, 0, 1} kernel main { iterate [5] { sample x from cdf(p) execute { flops [x] } } } }'
time_is 10e-9 m.aspen --machine "$quad"

# --- communication ----------------------------------------------------------------------------------------------------
counts() { # NAME: messages and bytes of a phase
	python3 -c "import json; print(*[(p['messages'],p['bytes']) for p in json.load(open('out'))['phases'] if p['name']=='$1'][0])"
}
begin "LULESH: 64 ranks, -s 45, 10 iterations"
run workload "$shipped/lulesh.aspen" --ranks 64 --json
expect 0
[ "$(counts 'gradients (2)')" = "2880 139968000" ] || fail "phase 2: $(counts 'gradients (2)')"
[ "$(counts 'forces (4)')" = "9360 151079040" ] || fail "phase 4: $(counts 'forces (4)')"
[ "$(counts 'positions (8)')" = "4680 151079040" ] || fail "phase 8: $(counts 'positions (8)')"

begin "closed forms"
comm_is() { # RANKS COMM MESSAGES BYTES
	kernel "execute { comm $2 }"
	run workload m.aspen --ranks "$1" --json
	expect 0
	local got
	got=$(python3 -c "import json; d=json.load(open('out')); print(d['messages'], d['bytes'])")
	[ "$got" = "$3 $4" ] || fail "$2 on $1 ranks: $got, not $3 $4"
}
comm_is 8 '[1] of size [8] as allreduce, max' 24 192        # 8 lg 8
comm_is 6 '[1] of size [8] as allreduce' 12 96              # 4 lg 4 + 2 * 2
comm_is 7 '[5] as bcast' 6 120
comm_is 7 '[5] as reduce, prod' 6 120
comm_is 7 '[1] of size [3] as allgather' 42 126
comm_is 7 '[1] of size [4] as reduce_scatter' 42 168
comm_is 7 '[1] of size [10] as alltoall' 42 420
comm_is 7 '[1] as barrier' 21 21                            # 7 * 3
comm_is 8 '[2] of size [10] as nn3d, face, periodic' 48 1920 # 6 * 8 faces of 4
comm_is 27 '[2] of size [1] as nn3d, periodic' 702 1512       # 26 * 27; 27 * (6 * 4 + 12 * 2 + 8)
comm_is 27 '[2] of size [1] as nn3d, face, pwave' 54 216      # half of 4 * 27
comm_is 16 '[5] of size [2] as nn2d' 84 552                   # 48 edges of 10 B, 36 corners of 2 B
comm_is 16 '[3] of size [2] as sweep' 24 144
comm_is 16 '[3] of size [2] as sweep, back' 24 144
comm_is 1 '[1] of size [8] as allreduce' 0 0

begin "what says nothing is said to say nothing"
kernel 'execute [8] { comm [1] as barrier }'
run workload m.aspen
expect 0
expect_in err '^m.aspen:1:51: warning: the parallelism of a block has no effect on comm: each rank executes it once$'

begin "a count of none sends nothing; random goes nowhere twice"
comm_is 8 '[0] of size [8] as alltoall' 0 0
kernel 'execute { comm [3] of size [7] as random }'
run workload m.aspen --ranks 100 --json
expect 0
python3 -c "import json,sys; d=json.load(open('out')); sys.exit(not (90 <= d['messages'] <= 100 and d['bytes'] == 21 * d['messages']))" || fail "random: $(cat out)"

# --- errors -----------------------------------------------------------------------------------------------------------
begin "all syntax errors at once, each with its place and a caret"
model 'model m {
  param n = 1 +
  param k = 2
  kernel main {
    execut { flops [k] }
  }
  kernel other { call main ] }
}'
run workload m.aspen
expect 2
expect_err "m.aspen:3:3: unexpected param, expected a name, a number, '-' or '('
  |   param k = 2
  |   ^
m.aspen:5:5: unexpected a name; did you mean execute?
  |     execut { flops [k] }
  |     ^
m.aspen:7:28: unexpected ']'
  |   kernel other { call main ] }
  |                            ^"

begin "all names at once"
model 'model m {
  param wordsize = 8
  kernel main { call helo execute { flops [wordsiz] } iterate [sqtr(2)] { call hello(1) } }
  kernel hello { execute { flops [1] } }
  param wordsize = 3
}'
run workload m.aspen
expect 2
expect_in err '^m.aspen:3:22: unknown kernel "helo"; did you mean hello\?$'
expect_in err '^m.aspen:3:44: unknown name "wordsiz"; did you mean wordsize\?$'
expect_in err '^m.aspen:3:64: unknown function "sqtr"; did you mean sqrt\?$'
expect_in err '^m.aspen:3:80: kernel hello takes 0 arguments, not 1$'
expect_in err '^m.aspen:5:9: "wordsize" is declared twice$'

begin "syntax, then names, then the first thing that cannot be evaluated"
model 'model m { param a = b param b = a kernel main { execute { flops [1 / 0] } execute { flops [a] } call helo } kernel k { exe { } } }'
run workload m.aspen
[ "$(grep -c '^m.aspen:' err)" = 1 ] || fail "not the syntax error alone"
model 'model m { param a = b param b = a kernel main { execute { flops [1 / 0] } execute { flops [a] } call helo call main } }'
run workload m.aspen
[ "$(grep -c '^m.aspen:' err)" = 2 ] || fail "not the name and the kernel that calls itself"
model 'model m { param a = b param b = a kernel main { execute { flops [1 / 0] } execute { flops [a] } } }'
run workload m.aspen
[ "$(grep '^m.aspen:' err)" = "m.aspen:1:68: division by zero" ] || fail "$(cat err)"

refuse() { # REGEX WORD...
	local regex=$1
	shift
	run workload m.aspen "$@"
	expect 2
	expect_in err "$regex"
}
begin "what cannot be evaluated"
kernel 'execute { flops [n / (n - 4)] }'
refuse '^m.aspen:1:56: division by zero$'
kernel 'execute { flops [log(0)] }'
refuse 'log\(0\): the argument must be positive'
kernel 'execute { flops [10^400] }'
refuse 'the result is not a finite number'
model 'model m { param a = b param b = a kernel main { execute { flops [a] } } }'
refuse 'parameter a depends on itself'
model 'model m { param v[] = {1, 2} kernel main { execute { flops [v[2]] } } }'
refuse 'index 2 of v is outside 0 \.\. 1'
model 'model m { kernel main { call other } kernel other { call main } }'
refuse 'kernel main calls itself'
model 'model m { param n = 5 in 1 .. 9 kernel main { execute { flops [n] } } }'
refuse 'parameter n = 10 is outside its range, 1 \.\. 9' --param n=10
refuse '^--param: n= must have the form NAME=NUMBER' --param n=
model 'model m { param turns = 5 kernel main { iterate [turns] { execute { } } } }'
refuse 'model m has no parameter turn; did you mean turns\?' --param turn=1
kernel 'execute { comm [1] as alreduce }'
refuse 'comm does not know "alreduce"; did you mean allreduce\?'
kernel 'execute { comm [1] as allreduce, face }'
refuse 'face has no effect on allreduce'
kernel 'execute { flop [1] }'
refuse 'the machine has no resource flop under socket QuadCPU; did you mean flops\?' --machine "$quad"
refuse 'the machine has no socket QuadCPV; did you mean QuadCPU\?' --machine "$quad" --socket QuadCPV
refuse 'the machine has several sockets: choose one of westmere, fermi$' --machine "$data/hybrid.aspen"
kernel 'execute { comm [1] as barrier }'
refuse 'the machine has no resource comm' --machine "$quad" --strict

begin "files"
model 'include m.aspen'
refuse 'm.aspen:1:1: m.aspen includes itself'
model 'model m { import m from "m.aspen" kernel main { call m.main } }'
refuse 'imports are nested more than 32 levels deep'
model 'model m { import gone from "gone.aspen" kernel main { call gone.main } }'
refuse '^m.aspen:1:11: "gone.aspen": No such file or directory$'
run workload no.aspen
expect 2
expect_in err '^no.aspen: No such file or directory$'
run workload what.txt
expect 2
expect_err 'what.txt: there is no such file or shipped model (see tilefly list models)'
touch what.txt halo2d
run workload what.txt
expect 2
expect_in err '^what.txt: the end of a file name must indicate its format'
run workload halo3d
expect 0
cp out named
run workload halo3d.aspen
cmp out named || fail "another model"
run workload halo2d # a file
expect 2
expect_in err '^halo2d: the end of a file name must indicate its format'

begin "nesting, loops and calls without end stay bounded"
{ printf 'model m { param n = '; printf '(%.0s' $(seq 20000); printf '1 kernel main { execute { flops [n] } } }'; } >m.aspen
refuse 'm.aspen:1:[0-9]+: '
{ printf 'model m { param n = 1'; printf '^(1%.0s' $(seq 2000); printf ')%.0s' $(seq 2000); printf ' kernel main { execute { flops [n] } } }'; } >m.aspen
refuse 'm.aspen:1:[0-9]+: expressions are nested more than 1000 levels deep'
[ "$(grep -c '^m.aspen' err)" = 1 ] || fail "more than one error: $(grep '^m.aspen' err)"
{ printf 'model m { param n = 1'; printf '+1-0*2%.0s' $(seq 20000); printf ' kernel main { execute { flops [n] } } }'; } >m.aspen
run workload m.aspen
expect 0
expect_in out 'flops +20001$'
{ printf 'model m { kernel main { '; printf 'seq { %.0s' $(seq 3000); } >m.aspen
refuse 'm.aspen:1:[0-9]+: '
{ printf 'model m { '; for i in $(seq 3000); do echo "kernel k$i { call k$((i + 1)) }"; done; echo 'kernel k3001 { execute { } } kernel main { call k1 } }'; } >m.aspen
refuse 'nested more than 1000 levels deep'
{ printf 'model m { param p0 = 1 '; for i in $(seq 3000); do echo "param p$i = p$((i - 1)) + 1"; done; echo 'kernel main { execute { flops [p3000] } } }'; } >m.aspen
refuse 'the expression is nested too deeply'
{ printf 'model m { kernel k0 { execute { } } '; for i in $(seq 60); do echo "kernel k$i { call k$((i - 1)) call k$((i - 1)) }"; done; echo 'kernel main { call k60 } }'; } >m.aspen
refuse 'takes more than 50000000 steps'
kernel 'iterate i [1e15] { execute { flops [i] } }'
refuse 'takes more than 50000000 steps'
model 'machine M { node A } node A { node A } '
kernel 'execute { flops [1] }'
printf 'machine M { node A } node A { node A }' >machine.aspen
refuse 'component A contains itself' --machine machine.aspen
finish
