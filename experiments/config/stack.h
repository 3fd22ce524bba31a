/* experiments/config/stack.h - presets of the latency and overheads of network interfaces for software stacks:
 * nic.stack. */
#ifndef EXPERIMENTS_CONFIG_STACK_H
#define EXPERIMENTS_CONFIG_STACK_H

#include "base/error.h"
#include "experiments/config/tree.h"
#include "network/config.h"

#define XP_STACKS "none|verbs|libfabric|mpi|udp|tcp"
#define XP_STACK_HELP                                                                                                \
	"software stack, a preset of latency, overhead_send and overhead_receive where they are not given. verbs: "  \
	"300ns and 110ns, from a measured 0.82us between two interfaces; libfabric: 300ns and 520ns, inferred from " \
	"mpi; "                                                                                                      \
	"mpi: 300ns and 570ns, calibrated to a measured 2.13us with a Rosetta switch; udp: 300ns and 2.2us, tcp: "   \
	"300ns "                                                                                                     \
	"and 3.7us, both assumed. The values of the figure in the paper are not available"
enum xp_stack { XP_STACK_NONE, XP_STACK_VERBS, XP_STACK_LIBFABRIC, XP_STACK_MPI, XP_STACK_UDP, XP_STACK_TCP };

/* Sets those of nic.latency, nic.overhead_send and nic.overhead_receive that the configuration does not set to the
 * values of the preset nic.stack. Adds an error if the configuration sets all three, because the preset then has no
 * effect. */
void xp_stack_resolve(struct net_nic_config *nic, const struct xp_node *tree, struct base_errors *errors);

#endif
