/* network/partition.c - assignment of switches to ranks. It never affects results.
 *
 * The LPs of a rank are contiguous, so a partition is a permutation of switches plus block boundaries. "block":
 * switches in the topology's order, divided such that ranks have equal numbers of switches plus endpoints. "random":
 * after a seeded shuffle. "metis": minimal number of cut cables, if METIS was available at build time. */
#include "base/hold_term.h"
#include "base/memory.h"
#include "network/net.h"
#include "sim/rng.h"

#include <stdlib.h>

#ifdef TILEFLY_HAVE_METIS
#include <metis.h>
#endif

static uint64_t weight(const struct net *n, uint32_t sw)
{
	return 2 + topo_endpoints_at(&n->topo, sw);
}

static void cut(const struct net *n, int parts, uint32_t *first_lp)
{
	uint64_t total = 0, seen = 0;
	for (uint32_t s = 0; s < n->topo.switches; s++)
		total += weight(n, s);
	int r = 0;
	first_lp[0] = 0;
	for (uint32_t i = 0; i < n->topo.switches; i++) {
		while (r + 1 < parts && seen >= total * (unsigned)(r + 1) / (unsigned)parts)
			first_lp[++r] = i;
		seen += weight(n, net_switch_of(n, i));
	}
	while (r < parts)
		first_lp[++r] = n->topo.switches;
	base_checkf(seen == total, "%llu of %llu", (unsigned long long)seen, (unsigned long long)total);
	for (r = 0; BASE_CHECKING && r < parts; r++)
		base_checkf(first_lp[r] <= first_lp[r + 1], "part %d from %u to %u", r, first_lp[r], first_lp[r + 1]);
}

static void set_order(struct net *n, uint32_t *order)
{
	n->switch_of_lp = order;
	n->lp_of_switch = base_calloc(n->topo.switches, sizeof *n->lp_of_switch);
	for (uint32_t i = 0; i < n->topo.switches; i++)
		n->lp_of_switch[order[i]] = i;
	for (uint32_t s = 0; BASE_CHECKING && s < n->topo.switches; s++)
		base_checkf(order[n->lp_of_switch[s]] == s, "switch %u is LP %u, which is switch %u", s,
		            n->lp_of_switch[s], order[n->lp_of_switch[s]]);
}

static void by_topology(struct net *n)
{
	uint32_t *order = base_calloc(n->topo.switches, sizeof *order);
	for (uint32_t i = 0; i < n->topo.switches; i++)
		order[i] = n->topo.ops->order(&n->topo, i);
	set_order(n, order);
}

static void shuffle(struct net *n)
{
	uint32_t *order = base_calloc(n->topo.switches, sizeof *order);
	for (uint32_t i = 0; i < n->topo.switches; i++)
		order[i] = i;
	for (uint32_t i = n->topo.switches; i-- > 1;) {
		uint32_t j = sim_below(sim_draw4(n->config->seed, i, 0, SIM_DRAW_SETUP, 77).v[0], i + 1), t = order[i];
		order[i] = order[j];
		order[j] = t;
	}
	set_order(n, order);
}

#ifdef TILEFLY_HAVE_METIS
static int by_metis(struct net *n, int many, uint32_t *first_lp, struct base_errors *errors)
{
	uint32_t switches = n->topo.switches;
	size_t edges = 0;
	for (uint32_t s = 0; s < switches; s++)
		edges += topo_ports(&n->topo, s);
	idx_t *start = base_calloc((size_t)switches + 1, sizeof *start), *to = base_calloc(edges, sizeof *to);
	idx_t *size = base_calloc(switches, sizeof *size), *part = base_calloc(switches, sizeof *part);
	size_t at = 0;
	for (uint32_t s = 0; s < switches; s++) {
		start[s] = (idx_t)at;
		size[s] = (idx_t)weight(n, s);
		for (uint32_t p = 0; p < topo_ports(&n->topo, s); p++)
			to[at++] = (idx_t)topo_peer(&n->topo, s, p).to;
	}
	start[switches] = (idx_t)at;
	idx_t vertices = (idx_t)switches, constraints = 1, parts = many, objective = 0, options[METIS_NOPTIONS];
	METIS_SetDefaultOptions(options);
	options[METIS_OPTION_SEED] = 1;
	sigset_t before = base_hold_term();
	int status = METIS_PartGraphKway(&vertices, &constraints, start, to, size, NULL, NULL, &parts, NULL, NULL,
	                                 options, &objective, part);
	base_release_term(&before);
	if (status == METIS_OK) {
		uint32_t *order = base_calloc(switches, sizeof *order), used = 0;
		for (int r = 0; r < many; r++) {
			first_lp[r] = used;
			for (uint32_t s = 0; s < switches; s++)
				if (part[s] == r)
					order[used++] = s;
		}
		first_lp[many] = used;
		set_order(n, order);
	}
	free(start);
	free(to);
	free(size);
	free(part);
	return status == METIS_OK ? 0
	                          : base_errorf(errors, "engine.partition",
	                                        "METIS could not partition this network (status %d)", status);
}
#endif

int net_partition(struct net *n, int parts, uint32_t *first_lp, struct base_errors *errors)
{
	switch ((enum net_partition_choice)n->config->engine.partition) {
	case NET_PARTITION_METIS:
#ifdef TILEFLY_HAVE_METIS
		if (parts > 1)
			return by_metis(n, parts, first_lp, errors);
#else
		return base_errorf(errors, "engine.partition",
		                   "this tilefly was built without METIS; use \"block\" or \"random\"");
#endif
		break;
	case NET_PARTITION_RANDOM:
		shuffle(n);
		break;
	case NET_PARTITION_BLOCK:
		if (parts > 1 && n->topo.ops->order)
			by_topology(n);
		break;
	}
	(void)errors;
	cut(n, parts, first_lp);
	return 0;
}

/* --- what is cut ------------------------------------------------------------------------------------------ */

static void find_cut(const struct net *n, int ranks, const uint32_t *first_lp, struct net_cut *out)
{
	uint64_t ports = 0, away = 0, neighbours = 0;
	int *owner = base_calloc(n->topo.switches, sizeof *owner), *seen = base_calloc((size_t)ranks, sizeof *seen);
	*out = (struct net_cut){ 0 };
	for (int r = 0; r < ranks; r++)
		for (uint32_t lp = first_lp[r]; lp < first_lp[r + 1]; lp++)
			owner[lp] = r;
	for (int r = 0; r < ranks; r++) {
		uint32_t met = 0, count = first_lp[r + 1] - first_lp[r];
		for (uint32_t lp = first_lp[r]; lp < first_lp[r + 1]; lp++) {
			uint32_t sw = net_switch_of(n, lp), of_switch = topo_ports(&n->topo, sw);
			ports += of_switch;
			for (uint32_t p = 0; p < of_switch; p++) {
				int to = owner[net_lp_of(n, topo_peer(&n->topo, sw, p).to)];
				away += to != r;
				met += to != r && seen[to] != r + 1;
				seen[to] = r + 1;
			}
		}
		neighbours += met;
		out->most = met > out->most ? met : out->most;
		out->most_switches = count > out->most_switches ? count : out->most_switches;
	}
	out->cables = ports ? (double)away / (double)ports : 0;
	out->neighbours = (double)neighbours / ranks;
	free(owner);
	free(seen);
}

int net_partition_cut(const struct net_setup *setup, int ranks, struct net_cut *out, struct base_errors *errors)
{
	struct net *n = base_alloc(sizeof *n);
	uint32_t *first_lp = base_calloc((size_t)ranks + 1, sizeof *first_lp);
	n->setup = *setup;
	n->config = setup->config;
	n->destroy_traffic = setup->destroy_traffic;
	int status = net_build_parts(n, errors) || net_partition(n, ranks, first_lp, errors) ? -1 : 0;
	if (!status)
		find_cut(n, ranks, first_lp, out);
	free(first_lp);
	net_destroy(n);
	return status;
}
