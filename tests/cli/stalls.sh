#!/usr/bin/env bash
# The proof of freedom from deadlock against what happens: every kind of switch with its queues x topology x routing, with
# the smallest buffers that are accepted. What `check` calls safe must not stall; of what it calls unsafe, with one virtual
# channel less than the routing asks for and routing.unsafe, most must: a cycle of channels is a necessary condition, not a
# sufficient one. Here a fifth of the kinds of switch with each; stalls_long.sh and stalls_families_long.sh do the same with all, and more loads, patterns and time.
source "$(dirname "$0")/run.bash"

packet=512
switches=(
	'ideal;'
	'tiled; preset="rosetta"; speedup=1.5; output_buffer="512B";'
	'tiled; preset="rosetta"; speedup=1.5; output_buffer="512B"; row_buffer="512B"; column_buffer="512B"; flow_channels="on"; flow_threshold=0.1;'
	'tiled; preset="yarc"; speedup=1.5; output_buffer="512B"; row_buffer="512B"; column_buffer="512B";'
	'tiled; preset="yarc"; rows=2; columns=2; ports_per_tile=8; speedup=1.5; output_buffer="512B"; row_buffer="512B"; column_buffer="512B";'
	'tiled; preset="yarc"; queues="voq"; speedup=1.5; output_buffer="512B"; row_buffer="512B"; column_buffer="512B";'
	'tiled; preset="rosetta"; grants="off"; queues="voq"; speedup=1.5; output_buffer="512B"; row_buffer="512B";'
	'tiled; preset="rosetta"; grants="off"; queues="fifo"; rows=2; columns=2; ports_per_tile=8; speedup=1.5; output_buffer="512B"; row_buffer="512B";'
	'crossbar; inputs="fifo"; flit="64B"; cycle="5120ps";'
	'crossbar; inputs="voq"; flit="64B"; cycle="5120ps";'
	'crossbar; inputs="vc"; flit="64B"; cycle="5120ps";'
)
networks=(
	'kind="torus"; dims=[6]; endpoints=6;|minimal; minimal;deadlock="bubble" minimal;deadlock="partition" minimal-adaptive; valiant; ugal-l;'
	'kind="torus"; dims=[4,4]; endpoints=8;|minimal; minimal;deadlock="bubble" minimal;deadlock="partition" minimal-adaptive; valiant; ugal-l;'
	'kind="torus"; dims=[4,3]; wrap=false; endpoints=2;|minimal; minimal-adaptive; valiant;'
	'kind="slimfly"; q=5; endpoints=4;|minimal; valiant; ugal-l; ugal-g; slimfly-adaptive;'
	'kind="dragonfly"; p=4; a=4; h=2;|minimal; valiant; ugal-l; ugal-g; par; slingshot;'
)
enough=50 # unsafe ones that there are at least
if [ "${families:-no}" = yes ]; then
	enough=100
	networks=(
		'kind="hyperx"; dims=[4,3]; endpoints=4;|minimal; minimal-adaptive; ugal-l; dimwar; omniwar;'
		'kind="hyperx"; dims=[5]; endpoints=5;|dimwar; omniwar;deroutes=2'
		'kind="hyperx"; dims=[4,4]; endpoints=4; order="dimension";|minimal; valiant; par;'
		'kind="fattree"; k=4;|minimal; minimal-adaptive; valiant;'
		'kind="xgft"; children=[4,4,4]; parents=[1,2,2];|minimal; minimal-adaptive; ugal-l;'
		'kind="dragonfly-plus"; p=4; leaves=2; spines=2; h=2;|minimal; minimal-adaptive; valiant;via="group"; ugal-l;'
		'kind="polarfly"; q=4; endpoints=3;|minimal; valiant; ugal-l;'
		'kind="polarstar"; q=2; degree=3; endpoints=2;|minimal; minimal-adaptive; ugal-l;'
		'kind="bundlefly"; q=3; supernode=5; endpoints=3;|minimal; ugal-l;'
		'kind="hammingmesh"; board=[2,2]; boards=[2,2];|minimal; valiant;'
		'kind="oft"; k=4; endpoints=2;|minimal; minimal-adaptive; valiant;'
		'kind="mlfm"; h=3; endpoints=3;|minimal; minimal-adaptive; valiant;'
		'kind="spectralfly"; p=3; q=5; endpoints=3;|minimal; valiant; ugal-l;'
		'kind="jellyfish"; switches=16; degree=4; endpoints=4;|minimal; minimal-adaptive;'
	)
fi
part=5 # every fifth kind of switch with each, another fifth with the next
patterns=(uniform)
worse=(uniform:1) # pattern:seed
loads=(1.0)
safe_time=30us
unsafe_time=60us
least=40 # percent of the unsafe that stall
if [ "${long:-no}" = yes ]; then
	part=1
	patterns=(uniform worst-case permutation)
	worse=({uniform,worst-case,permutation,tornado,adversarial}:{1,2,3})
	loads=(1.0 0.1)
	safe_time=300us
	unsafe_time=300us
	least=75
fi

# Writes case.cfg. $1 switch, $2 topology, $3 routing, $4 VCs or auto, $5 buffer in bytes, $6 time
configure() {
	local bias=
	case ${3%%;*} in ugal-l | ugal-g | par | dimwar | omniwar) bias='bias = "0B";' ;; esac # as many detours as there can be
	cat >case.cfg <<-CFG
		topology = { $2 };
		routing = { kind = "${3%%;*}"; ${3#*;} $bias };
		switch = { kind = "${1%%;*}"; ${1#*;} vcs = $([ "$4" = auto ] && echo '"auto"' || echo "$4"); buffer = "${5}B"; };
		traffic = ( { pattern = "uniform"; load = 1.0; packet = "${packet}B"; } );
		time = { warmup = "0us"; measure = "$6"; drain = false; };
	CFG
}

stalled=0 unsafe=0 safe=0 refused=0 quiet="" turn=0
for network in "${networks[@]}"; do
	for routing in ${network#*|}; do
		topology=${network%%|*}
		for switch in "${switches[@]}"; do
			turn=$((turn + 1))
			[ $((turn % part)) = 0 ] || continue
			begin "$switch $topology $routing"
			each=$packet
			case $routing in *bubble*) each=$((2 * packet)) ;; esac
			configure "$switch" "$topology" "$routing" auto $((16 * each)) "$safe_time"
			run check case.cfg
			if grep -qE 'deadlock = "bubble" needs a switch with(out flow channels| grants, or without column buffers)|free of deadlock only if waiting packets are routed again' err; then
				expect 2
				refused=$((refused + 1))
				continue
			fi
			expect 0
			need=$(sed -n 's/^virtual channels *\([0-9]*\) .*/\1/p' out)
			[ -n "$need" ] || { fail "how many VCs? $(cat out err)"; continue; }
			configure "$switch" "$topology" "$routing" "$need" $((need * each)) "$safe_time"
			run check case.cfg
			expect 0
			expect_in out '^deadlock-free +yes: '
			for pattern in "${patterns[@]}"; do
				for load in "${loads[@]}"; do
					begin "$switch $topology $routing $pattern $load"
					run run case.cfg --quiet --set "traffic.[0].pattern=$pattern" --set "traffic.[0].load=$load"
					[ "$pattern$status" = worst-case2 ] && grep -q 'defines no worst case' err && continue
					expect 0
					safe=$((safe + 1))
				done
			done
			[ "$need" -gt 1 ] || continue
			less=$((need - 1))
			begin "$switch $topology $routing with $less"
			configure "$switch" "$topology" "$routing" "$less" $((less * each)) "$unsafe_time"
			run check case.cfg
			[ "$status" = 0 ] && continue # one less is enough on this network
			expect_in out '^deadlock-free +no: '
			expect_in out '^cycle of [0-9]+ channels'
			unsafe=$((unsafe + 1)) found=no
			for pattern in "${worse[@]}"; do
				run run case.cfg --quiet --set routing.unsafe=true --set "traffic.[0].pattern=${pattern%:*}" \
					--set "seed=${pattern#*:}"
				case $status in
				0) ;;
				2) grep -qE 'needs|defines no worst case' err || fail "$(cat err)" ;; # the pattern is not one for this topology
				3)
					found=yes
					break
					;;
				*) fail "exit status $status: $(tail -2 err)" ;;
				esac
			done
			if [ $found = yes ]; then
				stalled=$((stalled + 1))
			else
				quiet+="did not stall: $switch $topology $routing with $less
"
			fi
		done
	done
done
# The others: the cycle needs packets on the last virtual channel of every link in it at once, and few get there: those
# that adaptive routing sends by a detour (UGAL, PAR), or that Valiant's routing takes across two datelines of a ring.
echo "$safe runs of what is safe; $refused refused; $stalled of $unsafe unsafe ones stalled"
printf '%s' "$quiet"
begin "$least percent of what is unsafe stalls"
[ $((part * unsafe)) -gt "$enough" ] && [ $((100 * stalled)) -ge $((least * unsafe)) ] || fail "$stalled of $unsafe"
finish
