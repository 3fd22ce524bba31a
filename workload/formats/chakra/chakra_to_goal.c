/* workload/formats/chakra/chakra_to_goal.c - conversion of the graphs of a Chakra trace to a schedule.
 *
 * A node becomes one operation, a collective several: its dependents follow its last operation, and its dependencies
 * precede its first. Communication uses processor 1, so that it overlaps with computations of processor 0, the device,
 * and processor 2, the host, each of which executes one computation at a time. Meaning of comm_size: the whole vector
 * in ALL_REDUCE, REDUCE, BROADCAST, REDUCE_SCATTER and ALL_TO_ALL, the contribution or result of one rank in the others
 * (as in ASTRA-sim). Roots are the first members, since traces do not contain them. */
#include "workload/formats/chakra/chakra.h"

#include <stdlib.h>

enum processor { DEVICE, COMMUNICATION, HOST };

/* One NPU. */
struct writing {
	const struct wl_chakra *c;
	struct wl_to_goal *g;
	uint32_t npu;
	struct mpi_list entry, exit; /* of each node: its operations */
};

static uint32_t member(const void *data, uint32_t i)
{
	return (uint32_t)((const struct wl_chakra_group *)data)->members.v[i];
}

static const uint8_t call_of[CHAKRA_COLLECTIVES] = { WL_MPI_ALLREDUCE,
	                                             WL_MPI_REDUCE,
	                                             WL_MPI_ALLGATHER,
	                                             WL_MPI_GATHER,
	                                             WL_MPI_SCATTER,
	                                             WL_MPI_BCAST,
	                                             WL_MPI_ALLTOALL,
	                                             WL_MPI_REDUCE_SCATTER_BLOCK,
	                                             WL_MPI_REDUCE_SCATTER_BLOCK,
	                                             WL_MPI_BARRIER };

uint64_t wl_chakra_calls(const struct wl_chakra *c)
{
	uint64_t calls = 0;
	for (unsigned i = 0; i < CHAKRA_COLLECTIVES; i++)
		calls |= c->collectives[i] ? mpi_collective_bit((enum mpi_op)call_of[i]) : 0;
	return calls;
}

static void fill_call(const struct chakra_node *n, uint32_t ranks, struct mpi_call *call)
{
	call->op = (enum mpi_op)call_of[n->value[CHAKRA_COMM_TYPE]];
	call->bytes = n->value[CHAKRA_COMM_SIZE];
	if (call->op == WL_MPI_ALLTOALL || call->op == WL_MPI_REDUCE_SCATTER_BLOCK)
		call->bytes /= ranks;
}

static void add_collective(struct writing *w, const struct chakra_node *n, const struct chakra_collective *found,
                           uint32_t *entry, uint32_t *exit)
{
	const struct wl_chakra_group *group = &w->c->group[found->group];
	const struct wl_goal_op nothing = { .kind = WL_GOAL_CALC, .cpu = COMMUNICATION };
	struct mpi_call call = { 0 };
	fill_call(n, group->members.n, &call);
	struct to_goal_part part = { .call = &call,
		                     .ranks = group->members.n,
		                     .world = member,
		                     .data = group,
		                     .key = UINT64_C(1) << 63 | (uint64_t)found->group << 32 | found->number,
		                     .cpu = COMMUNICATION };
	while (group->members.v[part.me] != w->npu)
		part.me++;
	*entry = to_goal_loose(w->g, w->npu, &nothing);
	*exit = to_goal_expand(w->g, w->npu, &part, *entry, false);
}

/* Tags of a schedule are its own where sizes distinguish messages of one tag. */
static uint32_t add_message(struct writing *w, const struct chakra_node *n)
{
	bool send = n->type == CHAKRA_SEND;
	uint64_t peer = n->value[send ? CHAKRA_COMM_DST : CHAKRA_COMM_SRC], tag = n->value[CHAKRA_COMM_TAG];
	uint64_t bytes = n->value[CHAKRA_COMM_SIZE];
	uint64_t channel = chakra_channel(send ? w->npu : peer, send ? peer : w->npu, tag);
	uint32_t size = chakra_sizes_of(&w->c->sizes, channel, bytes);
	uint64_t key = size ? UINT64_C(1) << 62 | (uint64_t)size << 32 | tag : tag;
	return to_goal_loose_message(w->g, w->npu, send, (uint32_t)peer, bytes, key, COMMUNICATION);
}

static bool add_node(void *arg, const struct chakra_node *n, const struct chakra_collectives *collectives)
{
	struct writing *w = arg;
	uint32_t entry, exit;
	struct wl_goal_op op = { .kind = WL_GOAL_CALC, .cpu = chakra_on_host(n) ? HOST : DEVICE };
	if (n->type == CHAKRA_COLL) {
		add_collective(w, n, chakra_collectives_find(collectives, n->id), &entry, &exit);
	} else if (n->type == CHAKRA_SEND || n->type == CHAKRA_RECV) {
		entry = exit = add_message(w, n);
	} else {
		op.size = n->type == CHAKRA_COMP ? n->duration_us * 1000 : 0;
		entry = exit = to_goal_loose(w->g, w->npu, &op);
	}
	mpi_list_add(&w->entry, entry);
	mpi_list_add(&w->exit, exit);
	return true;
}

static int write_npu(const struct wl_chakra *c, struct wl_to_goal *g, uint32_t npu, struct base_errors *errors)
{
	struct writing w = { .c = c, .g = g, .npu = npu };
	struct chakra_needs needs;
	int status = wl_chakra_visit(c, npu, add_node, &w, &needs, errors);
	for (uint32_t i = 0; i < w.entry.n && !status; i++)
		for (uint64_t k = needs.first.v[i]; k < needs.first.v[i + 1]; k++)
			if (needs.need.v[k] != CHAKRA_ABSENT)
				to_goal_after(g, npu, (uint32_t)w.exit.v[needs.need.v[k]], (uint32_t)w.entry.v[i]);
	free(w.entry.v);
	free(w.exit.v);
	chakra_needs_free(&needs);
	return status;
}

int wl_chakra_to_goal(const struct wl_chakra *c, struct wl_to_goal *g, struct base_errors *errors)
{
	for (uint32_t i = 0; i < c->npus; i++)
		if (write_npu(c, g, i, errors))
			return -1;
	return 0;
}
