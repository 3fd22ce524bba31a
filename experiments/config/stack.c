/* experiments/config/stack.c - presets of nic.stack: the latency and overhead that a software stack adds to a message
 * at its endpoints.
 *
 * The stacks are those of De Sensi et al., SC20, figure 5. The values of that figure cannot be read from the available
 * copies; the text states only that MPI adds a marginal overhead to libfabric. Half the round trip of a short message
 * takes, apart from the network, 2 latency + overhead_send + overhead_receive. The presets of this sum are: verbs: 0.82
 * us, ib_send_lat of 32 B over RC without a switch (D. Potter's thesis, table of MTUs). mpi: 1.74 us, that is, 2.13 us
 * for 1 B in a rack with 100 Gb/s interfaces and Cray MPICH 8.1 on Slingshot (cloud_noise_data, alps 2022-07), less 350
 * ns of a switch, two cables and the transmission of a frame. libfabric: 0.1 us less than mpi, inferred from
 * "marginal". udp and tcp: 5 and 8 us, assumed for kernel sockets. In all presets nic.latency is that of verbs; the
 * rest is overhead. */
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
