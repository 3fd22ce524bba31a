/* tests/network/test_overheads.c - nic.overhead_send, overhead_receive and latency: what an endpoint and its interface
 * add to messages of processes, against closed forms. */
#include "experiments/config/config.h"
#include "tests/network/units.h"

struct outcome {
	uint64_t created, delivered, messages;
	struct net_latency iteration, message;
};

/* One switch, cut-through: cables of 50 ns, 100 ns inside, 40 ps a byte. An endpoint is busy for 300 ns with a message
 * that it sends and 200 ns with one that it gets; the interface takes 70 ns each way. */
#define SEND 300000ull
#define RECEIVE 200000ull
#define NIC 70000ull
static struct outcome handled(unsigned us, unsigned ports, const char *nic, const char *job)
{
	char text[3000];
	struct netrun x = { 0 };
	snprintf(
	    text, sizeof text,
	    "seed = 1; time = { warmup = \"0us\"; measure = \"%uus\"; drain = false; }; topology = { kind = "
	    "\"single\"; ports = %u; }; links = { default = { bandwidth = \"200Gbps\"; }; terminal = { latency = "
	    "\"50ns\"; }; }; switch = { kind = \"ideal\"; buffer = \"1MB\"; traversal = \"100ns\"; }; nic = { %s }; "
	    "traffic = ( { packet = \"1000B\"; %s } );",
	    us, ports, nic, job);
	cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
	const struct net_flow *f = &x.r->jobs[0];
	struct outcome o = { f->created, f->delivered, f->message_latency.n, f->iteration, f->message_latency };
	netrun_free(&x);
	return o;
}

#define ALL "overhead_send = \"300ns\"; overhead_receive = \"200ns\"; latency = \"70ns\";"

static uint64_t way(uint64_t bytes)
{
	return 200000 + 40 * bytes;
}

Test(overheads, a_message_takes_both_overheads_and_two_interfaces)
{
	static const struct {
		const char *nic;
		uint64_t more;
	} parts[] = { { ALL, SEND + RECEIVE + 2 * NIC },
		      { "overhead_send = \"300ns\";", SEND },
		      { "overhead_receive = \"200ns\";", RECEIVE },
		      { "latency = \"70ns\";", 2 * NIC } };
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		for (unsigned bytes = 8; bytes <= 8000; bytes *= 10) {
			char job[200];
			snprintf(job, sizeof job, "process = \"ping-pong\"; size = \"%uB\";", bytes);
			struct outcome o = handled(100, 2, parts[i].nic, job);
			cr_expect_eq(o.iteration.max, 2 * (way(bytes) + parts[i].more), "%s %u: %lu", parts[i].nic,
			             bytes, o.iteration.max);
			cr_expect_eq(o.message.min, way(bytes) + parts[i].more);
			cr_expect_eq(o.message.max, way(bytes) + parts[i].more);
		}
}

/* Many under way: a message an overhead, whichever end is slower; the interface itself holds up nothing. */
Test(overheads, an_endpoint_does_one_thing_at_a_time)
{
	const uint64_t ps = 500000000;
	struct outcome o =
	    handled(500, 2, ALL, "process = \"window\"; size = \"64B\"; to = \"first\"; outstanding = 40;");
	cr_expect_leq(o.messages, ps / SEND);
	cr_expect_geq(o.messages, ps / SEND - 4);
	o = handled(500, 9, ALL, "process = \"window\"; size = \"64B\"; to = \"first\"; outstanding = 40;");
	cr_expect_leq(o.messages, ps / RECEIVE);
	cr_expect_geq(o.messages, ps / RECEIVE - 4);
	/* a member that answers is busy with both */
	o = handled(500, 9, ALL, "process = \"request-response\"; size = \"64B\"; response = \"64B\"; to = \"first\";");
	cr_expect_leq(o.iteration.n, ps / (SEND + RECEIVE));
	cr_expect_geq(o.iteration.n, ps / (SEND + RECEIVE) - 8);
	o = handled(500, 2, "latency = \"900ns\";",
	            "process = \"window\"; size = \"1000B\"; to = \"first\"; outstanding = 90;");
	cr_expect_geq(o.messages, ps / 40000 - 60, "a link is full: %lu messages", o.messages);
}

/* Three rounds of a barrier of eight by dissemination: each costs an overhead at both ends, and no more. */
Test(overheads, a_barrier_costs_its_rounds)
{
	struct outcome o = handled(500, 8, ALL, "process = \"barrier\"; size = \"8B\"; iterations = 20;");
	cr_expect_eq(o.iteration.n, 8 * 20);
	cr_expect_eq(o.iteration.max, 3 * (way(8) + SEND + RECEIVE + 2 * NIC), "%lu", o.iteration.max);
}

/* A run that is cut off anywhere: what is between a process and its interface is found. */
Test(overheads, what_an_endpoint_handles_is_conserved)
{
	for (unsigned us = 1; us < 24; us++) {
		struct outcome o = handled(us, 6, ALL, "process = \"all-to-all\"; size = \"2500B\";");
		cr_expect_geq(o.created, o.delivered);
	}
}
