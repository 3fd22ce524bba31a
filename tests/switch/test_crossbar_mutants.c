/* tests/switch/test_crossbar_mutants.c - the crossbar switch with one fault built in: the invariants must find it. Its
 * sources are compiled once more here, under other names. */
static int fault;
#define XBAR_FAULT fault
#define sw_crossbar mutant_crossbar
#define xbar_packet_in mutant_packet_in
#define xbar_credit_in mutant_credit_in
#define xbar_event mutant_event
#define xbar_route mutant_route
#define xbar_turn_heads mutant_turn_heads
#include "switch/crossbar/crossbar.c"
#include "switch/crossbar/heads.c"
#include "switch/crossbar/step.c"
#undef AT

#include "tests/switch/bench.h"

#define NETWORK                                                                                                     \
	"seed = 3; time = { warmup = \"1us\"; measure = \"4us\"; }; topology = { kind = \"torus\"; dims = [4, 4]; " \
	"endpoints = 2; };"                                                                                         \
	"links = { terminal = { bandwidth = \"64Gbps\"; latency = \"1ns\"; }; default = { bandwidth = \"64Gbps\"; " \
	"latency = \"2ns\"; }; };"                                                                                  \
	"switch = { kind = \"mutant\"; inputs = \"voq\"; buffer = \"64B\"; vcs = 2; };"                             \
	"routing = { kind = \"minimal\"; };"                                                                        \
	"traffic = ( { pattern = \"uniform\"; injection = \"bernoulli\"; load = 0.9; packet = \"32B\"; } );"

static struct bench_result run_fault(int which, const char *changes)
{
	struct base_plugin mutant = mutant_crossbar;
	mutant.name = "mutant";
	fault = which;
	return bench_run_with(NETWORK, changes, &mutant, NULL);
}

static const char *const variants[] = { "switch.inputs=voq", "switch.inputs=vc", "switch.inputs=fifo",
	                                "switch.inputs=voq engine.sync=optimistic" };

Test(mutants, without_a_fault_nothing_is_found)
{
	for (int k = 0; k < 4; k++) {
		struct bench_result r = run_fault(XBAR_FAULT_NONE, variants[k]);
		cr_expect(r.outcome == NET_DONE, "%s: %s", variants[k], r.message);
	}
}

/* Where invariants are asserted, at the grant. */
#if BASE_CHECKING
Test(mutants, grant_without_credit_is_caught, .exit_code = BASE_CHECK_STATUS)
#else
Test(mutants, grant_without_credit_is_caught)
#endif
{
	for (int k = 0; k < 4; k++) {
		struct bench_result r = run_fault(XBAR_FAULT_NO_CREDIT, variants[k]);
		cr_expect(r.outcome == NET_FAILED &&
		              (strstr(r.message, "arrive at a buffer") || strstr(r.message, "credits")),
		          "%s: %d %s", variants[k], r.outcome, r.message);
	}
}

Test(mutants, forgotten_queue_is_caught)
{
	for (int k = 0; k < 4; k++) {
		struct bench_result r = run_fault(XBAR_FAULT_LOST_QUEUE, variants[k]);
		cr_expect(r.outcome == NET_FAILED && strstr(r.message, "not conserved"), "%s: %d %s", variants[k],
		          r.outcome, r.message);
	}
}

/* A byte of the pool is lost with every packet that had bytes of it. */
Test(mutants, leaking_pool_is_caught)
{
	static const char *const pool = "switch.buffer=8KB switch.shared_pool=0.9";
	for (int k = 0; k < 4; k++) {
		char changes[200];
		snprintf(changes, sizeof changes, "%s %s", variants[k], pool);
		struct bench_result r = run_fault(XBAR_FAULT_NONE, changes);
		cr_expect(r.outcome == NET_DONE, "%s: %s", changes, r.message);
		r = run_fault(XBAR_FAULT_LEAK, changes);
		cr_expect(r.outcome == NET_FAILED && strstr(r.message, "credits are not conserved"), "%s: %d %s",
		          changes, r.outcome, r.message);
	}
}

Test(mutants, packet_granted_twice_is_caught)
{
	for (int k = 0; k < 4; k++) {
		struct bench_result r = run_fault(XBAR_FAULT_TWICE, variants[k]);
		cr_expect(r.outcome == NET_FAILED, "%s: %d %s", variants[k], r.outcome, r.message);
	}
}
