/* switch/crossbar/crossbar_parameters.c - parameters of the crossbar switch, and what each of them needs. */
#include "switch/crossbar/crossbar.h"

#include <stddef.h>

#define AT(field) .offset = offsetof(struct xbar_params, field)

const struct base_param xbar_parameters[] = {
	{ BASE_KEY(ENUM, struct xbar_params, inputs, "vc"), .choices = "fifo|voq|vc",
	  .help = "queues of an input port: \"fifo\": a FIFO per VC; \"voq\": one per output and VC class; \"vc\": a "
	          "FIFO per VC whose head is first allocated a free VC of its output (VC allocation)" },
	{ BASE_KEY(PLUGIN, struct xbar_params, allocator, "separable-input"), .unit = "allocator",
	  .help = "how crossbar inputs and outputs are matched in every internal cycle" },
	{ BASE_KEY(INT, struct xbar_params, iterations, "1"), .min = 1, .max = 64,
	  .help = "iterations of matching in an internal cycle" },
	{ .name = "arbiter",
	  SW_ARBITER_PARAM,
	  AT(arbiter),
	  .default_value = "auto",
	  .choices = "auto",
	  .help = "choice among several requesters. auto: round robin; if packets differ in size, deficit round robin, "
	          "also for VC allocation, so that senders of small packets get equal shares of bytes" },
	{ BASE_KEY(ENUM, struct xbar_params, age, "injection"), .choices = SW_AGE_CHOICES, .help = SW_AGE_HELP },
	{ BASE_KEY(INTS, struct xbar_params, weights, ""),
	  .help = "weights of ports 0, 1, ... for arbiters with weights (\"weighted\"), repeated as needed; if "
	          "omitted, 1" },
	{ BASE_KEY(SIZE, struct xbar_params, quantum, ""), .min = 1, .max = 1e9, .help = SW_QUANTUM_HELP },
	{ BASE_KEY(AUTO_INT, struct xbar_params, vcs, "auto"), .min = 1, .max = SW_MAX_VCS,
	  .help = "virtual channels of a link; if more than the routing needs, they are divided among its VC classes. "
	          "auto: as many as it needs; twice as many with several traffic classes and inputs = \"vc\", so that "
	          "a class's next packet can be allocated a VC while the previous one is being sent" },
	{ BASE_KEY(BOOL, struct xbar_params, any_vc, "false"),
	  .help = "a packet may use every VC, regardless of the routing: needs routing.unsafe unless the routing uses "
	          "one VC class" },
	{ BASE_KEY(AUTO_INT, struct xbar_params, ejection_vcs, "auto"), .min = 1, .max = SW_MAX_VCS,
	  .help = "VCs of a terminal's output, one of which is allocated to a packet; auto: all" },
	{ BASE_KEY(AUTO_INT, struct xbar_params, injection_vcs, "auto"), .min = 1, .max = SW_MAX_VCS,
	  .help = "VCs of a terminal's input, used by its packets in turn; auto: as many as a VC class has. Several "
	          "may change the order of packets" },
	{ BASE_KEY(SIZE, struct xbar_params, buffer, "100KB"), .min = 1, .max = 1e12,
	  .help = "input buffer of a port, divided equally among its lanes, one for each traffic class and VC; voq "
	          "queues share it" },
	{ BASE_KEY(FLOAT, struct xbar_params, shared_pool, "0"), .max = SW_POOL_MOST, .unit = "share of buffer",
	  .help = SW_SHARED_POOL_HELP },
	{ BASE_KEY(FLOAT, struct xbar_params, pool_threshold, "1"), .min = SW_THRESHOLD_LEAST, .max = SW_THRESHOLD_MOST,
	  .help = SW_POOL_THRESHOLD_HELP, .source = SW_POOL_THRESHOLD_SOURCE },
	{ BASE_KEY(SIZE, struct xbar_params, terminal_buffer, "0B"), .max = 4e9,
	  .help =
	      "input buffer of a terminal port; 0: one VC's share of a network port for each of its injection_vcs" },
	{ BASE_KEY(TIME, struct xbar_params, cycle, "1ns"), .min = 1, .max = 1e12,
	  .help = "clock period of the switch; packets leave at multiples of it. Unpublished for real switches; the "
	          "default is a typical clock" },
	{ BASE_KEY(FLOAT, struct xbar_params, speedup, "1"), .min = 1, .max = 16,
	  .help = "internal cycles (allocation, crossbar) per cycle" },
	{ BASE_KEY(INT, struct xbar_params, input_speedup, "1"), .min = 1, .max = 8,
	  .help = "crossbar inputs of a port, over which its queues are interleaved" },
	{ BASE_KEY(INT, struct xbar_params, output_speedup, "1"), .min = 1, .max = 8,
	  .help = "crossbar outputs per port, over which inputs are interleaved" },
	{ BASE_KEY(SIZE, struct xbar_params, flit, "8B"), .min = 1, .max = 1e6,
	  .help = "unit of transfer through the crossbar in an internal cycle; a packet of n flits holds its input and "
	          "output for n cycles" },
	{ BASE_KEY(INT, struct xbar_params, routing_delay, "0"), .max = 1000, .unit = "internal cycles",
	  .help = "delay from the head of its queue (voq: from arrival) to the end of the route computation" },
	{ BASE_KEY(INT, struct xbar_params, vc_alloc_delay, "1"), .max = 1000, .unit = "internal cycles",
	  .help = "delay from VC allocation to switch allocation; 0: both in one cycle, like speculation that always "
	          "succeeds" },
	{ BASE_KEY(INT, struct xbar_params, sw_alloc_delay, "1"), .max = 1000, .unit = "internal cycles",
	  .help = "delay from switch allocation to the crossbar" },
	{ BASE_KEY(INT, struct xbar_params, st_delay, "1"), .max = 1000, .unit = "internal cycles",
	  .help = "delay of a flit through the crossbar" },
	{ BASE_KEY(INT, struct xbar_params, credit_delay, "2"), .max = 1000, .unit = "cycles",
	  .help = "processing time of a credit, in addition to its link latency" },
	{ BASE_KEY(INT, struct xbar_params, output_buffer, "0"), .max = 1e9, .unit = "flits",
	  .help = "queue of an output port; 0: no limit; has an effect only where packets cross faster than a link "
	          "takes them" },
	{ .name = NULL },
};

enum sw_allocator_takes xbar_takes(const struct xbar_params *p)
{
	return sw_allocator_ops(p->allocator.plugin)->takes;
}

bool xbar_takes_arbiters(const struct xbar_params *p)
{
	return xbar_takes(p) == SW_TAKES_ARBITERS;
}

static bool iterates(const void *values)
{
	const struct xbar_params *p = values;
	return sw_allocator_ops(p->allocator.plugin)->iterates;
}

static bool has_arbiters(const void *values)
{
	return xbar_takes(values) != SW_TAKES_NONE;
}

static bool is_weighted(const void *values)
{
	const struct xbar_params *p = values;
	return xbar_takes_arbiters(p) && sw_arbiter_takes_weights(p->arbiter.plugin);
}

static bool is_by_age(const void *values)
{
	return has_arbiters(values) && sw_arbiter_takes_age(((const struct xbar_params *)values)->arbiter.plugin);
}

static bool has_quantum(const void *values)
{
	const struct xbar_params *p = values;
	return p->arbiter.plugin ? xbar_takes_arbiters(p) && sw_arbiter_takes_quantum(p->arbiter.plugin)
	                         : xbar_takes_arbiters(p) || p->inputs == XBAR_VC;
}

static bool allocates_vcs(const void *values)
{
	return ((const struct xbar_params *)values)->inputs == XBAR_VC;
}

static bool has_pool(const void *values)
{
	return ((const struct xbar_params *)values)->shared_pool > 0;
}

const struct base_condition xbar_conditions[] = {
	{ "iterations",
	  "with an allocator that iterates (\"islip\", \"pim\", \"separable-input\", \"separable-output\", \"select\")",
	  iterates, NULL },
	{ "arbiter", "with an allocator that takes one (\"separable-input\", \"separable-output\", \"select\")",
	  has_arbiters, NULL },
	{ "age", "with an arbiter that compares ages (\"age\")", is_by_age, NULL },
	{ "weights", "with an arbiter of a separable allocator that takes weights (\"weighted\")", is_weighted, NULL },
	{ "quantum",
	  "with an arbiter of a separable allocator that takes a quantum (\"drr\"), or with \"auto\" for a separable "
	  "allocator or inputs = \"vc\"",
	  has_quantum, NULL },
	{ "ejection_vcs vc_alloc_delay", "with inputs = \"vc\"", allocates_vcs, NULL },
	{ "pool_threshold", "with a shared_pool", has_pool, NULL },
	{ 0 },
};
