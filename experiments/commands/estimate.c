/* experiments/commands/estimate.c - see estimate.h. */
#include "experiments/commands/estimate.h"

#include "base/available.h"
#include "experiments/config/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_RANKS 1000000 /* of --ranks */

void xp_estimate_print(const struct net_memory *m)
{
	const double mb = 1e-6;
	printf("switches and endpoints  %10.1f MB\n", (double)m->switches * mb);
	printf("records                 %10.1f MB\n", (double)m->records * mb);
	printf("event queues            %10.1f MB\n", (double)m->engine * mb);
	printf(
	    m->processes
		? "packets in flight       %10.1f MB  (without messages of processes: full buffers take up to %.1f MB "
		  "more, and each message that waits at its endpoint, or is expected there, takes 64 to 128 bytes)\n"
		: "packets in flight       %10.1f MB  (if the network saturates, up to %.1f MB more)\n",
	    (double)m->events * mb, (double)m->saturated * mb);
	if (m->a_step)
		printf("critical path           %8" PRIu32
		       " bytes in addition for each message and each computation, until the run ends\n",
		       m->a_step);
	if (m->speculated)
		printf("speculation          up to %7.1f MB more, depending on how far ranks run ahead of GVT "
		       "(engine.optimism)\n",
		       (double)m->speculated * mb);
	printf("program and MPI         %10.1f MB\n", (double)m->process * mb);
	double total = (double)(m->building > m->total ? m->building : m->total);
	if (m->building > m->total)
		printf("during construction     %10.1f MB\n", (double)m->building * mb);
	printf("total                   %10.1f MB, %.0f bytes per endpoint\n", total * mb, total / m->endpoints);
	printf("assumed: ");
	if (m->hops > 0)
		printf("%.2f switch-to-switch links per packet, ", m->hops);
	printf("%.3f us of simulated time\n", m->length_ns * 1e-3);
	if (m->overload > 1)
		printf("saturated: the offered load is %.2f times what %s can carry\n", m->overload, m->full);
	if (m->hosts > 1)
		printf("each node               %10.1f MB, with %" PRIu32 " nodes; each rank %.1f MB\n",
		       total * m->host_share * mb, m->hosts, total / m->ranks * mb);
	if (m->available != BASE_UNLIMITED)
		printf("available               %10.1f MB  (%s%s)\n", (double)m->available * mb, m->available_by,
		       m->hosts > 1 ? ", on this host" : "");
}

void xp_estimate_print_cut(const struct net_cut *c, int ranks)
{
	printf("%d ranks: at most %" PRIu32
	       " switches each; %.1f %% of the cables between switches connect two ranks; a rank "
	       "has cables to %.1f other ranks on average, at most %" PRIu32 "\n",
	       ranks, c->most_switches, 100 * c->cables, c->neighbours, c->most);
}

int xp_estimate_judge(const struct net_memory *m)
{
	const double gb = 1e-9;
	const double share = m->host_share;
	double likely = share * (double)m->total, most = likely + share * (double)m->saturated;
	double left = (double)m->available, ahead = share * (double)m->speculated;
	bool overloaded = m->overload > 1;
	if (likely > left) {
		xp_message(
		    "this run needs about %.2f GB%s and %.2f GB are available (%s); tilefly run --estimate prints "
		    "more",
		    likely * gb, m->hosts > 1 ? " on each host" : "", left * gb, m->available_by);
		return XP_USAGE;
	}
	if (most <= left) {
		if (most + ahead > left)
			xp_message(
			    "warning: this run needs up to %.2f GB if its ranks speculate as far as engine.optimism "
			    "permits, but %.2f GB are available (%s). It stops before it runs out of memory",
			    (likely + ahead) * gb, left * gb, m->available_by);
		return XP_GO_ON;
	}
	if (overloaded) {
		xp_message("this run needs up to %.2f GB and %.2f GB are available (%s): the offered load is %.2f "
		           "times what %s can carry, so buffers fill up; tilefly run --estimate prints more",
		           most * gb, left * gb, m->available_by, m->overload, m->full);
		return XP_USAGE;
	}
	xp_message("warning: this run needs up to %.2f GB if the network saturates, but %.2f GB are available (%s). It "
	           "stops before it runs out of memory",
	           most * gb, left * gb, m->available_by);
	return XP_GO_ON;
}

/* A number of --ranks or --per-node; `otherwise` where it is not given, 0 where it is none. */
static int read_count(const char *option, const char *text, int otherwise)
{
	char *end;
	if (!text)
		return otherwise;
	long v = strtol(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && v > 0 && v <= MOST_RANKS)
		return (int)v;
	if (sim_rank() == 0)
		xp_message("--%s %s: must be a number from 1 to %d", option, text, MOST_RANKS);
	return 0;
}

int xp_estimate_ranks(const struct xp_options *o, int *ranks, int *per_host)
{
	*ranks = read_count("ranks", o->ranks, sim_ranks());
	*per_host = read_count("per-node", o->per_node, o->ranks ? *ranks : sim_host_ranks());
	if (!*ranks || !*per_host)
		return -1;
	if ((o->ranks || o->per_node) && !o->estimate) {
		if (sim_rank() == 0)
			xp_message("--%s has no effect without --estimate: mpirun sets the number of ranks",
			           o->ranks ? "ranks" : "per-node");
		return -1;
	}
	if (o->per_node && !o->ranks) {
		if (sim_rank() == 0)
			xp_message("--per-node has no effect without --ranks");
		return -1;
	}
	*per_host = *per_host < *ranks ? *per_host : *ranks;
	return 0;
}
