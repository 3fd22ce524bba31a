/* experiments/config/stack.c - presets of what a software stack adds to a message at its endpoints: nic.stack.
 *
 * The stacks are those of De Sensi et al., SC20, figure 5, whose values cannot be read from the copies available to us;
 * it states only that MPI adds a marginal overhead to libfabric. Half a round trip of a short message takes, apart from
 * the network, 2 latency + overhead_send + overhead_receive. verbs: 0.82 us, ib_send_lat of 32 B over RC without a
 * switch (D. Potter's thesis, table of MTUs). mpi: 2.13 us of 1 B in a rack with 100 Gb/s interfaces and Cray MPICH 8.1
 * on Slingshot (cloud_noise_data, alps 2022-07), less a switch of 350 ns, two cables and a frame: 1.74 us. libfabric:
 * 0.1 us less, an inference from "marginal". udp and tcp: assumed, kernel sockets of 5 and 8 us. The interface's
 * latency is that of verbs in all of them; the rest is overhead. */
#include "experiments/config/stack.h"

#define US(x) ((uint64_t)((x)*1000000)) /* ps */

static const struct {
	uint64_t latency, overhead; /* ps; overhead: at either end */
} stacks[] = {
	[XP_STACK_VERBS] = { US(0.3), US(0.11) },     /* 0.82 us */
	[XP_STACK_LIBFABRIC] = { US(0.3), US(0.52) }, /* 1.64 us */
	[XP_STACK_MPI] = { US(0.3), US(0.57) },       /* 1.74 us */
	[XP_STACK_UDP] = { US(0.3), US(2.2) },        /* 5 us */
	[XP_STACK_TCP] = { US(0.3), US(3.7) },        /* 8 us */
};

/* Returns whether it is set. */
static bool set_unless_given(const struct xp_node *nic, const char *name, uint64_t *at, uint64_t value)
{
	if (xp_member(nic, name))
		return false;
	*at = value;
	return true;
}

void xp_stack_resolve(struct net_nic_config *nic, const struct xp_node *tree, struct base_errors *errors)
{
	const struct xp_node *group = xp_member(tree, "nic");
	if (!group || nic->stack == XP_STACK_NONE)
		return;
	bool set = set_unless_given(group, "latency", &nic->latency, stacks[nic->stack].latency);
	set |= set_unless_given(group, "overhead_send", &nic->overhead_send, stacks[nic->stack].overhead);
	set |= set_unless_given(group, "overhead_receive", &nic->overhead_receive, stacks[nic->stack].overhead);
	if (!set)
		base_errorf(errors, "nic.stack",
		            "has no effect: latency, overhead_send and overhead_receive are all given");
}
