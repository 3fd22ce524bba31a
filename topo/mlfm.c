/* topo/mlfm.c - multi-layer full mesh: every pair of positions has a global switch that connects it in all layers.
 *
 * Fujitsu's multi-layer full mesh; Kathareios, Minkenberg, Prisacari, Rodriguez, Hoefler, "Cost-Effective Diameter-Two
 * Topologies: Analysis and Evaluation", SC15. Each of h layers has h + 1 local switches with h cables, by default with
 * h endpoints each; for each pair of the positions 0 .. h a global switch of 2h cables connects both in all layers.
 *
 * Numbers: local switches layer (h + 1) + position, then the global switch of positions i < j: j (j - 1) / 2 + i. Port
 * of a local switch: the other position, less one if it is above its own. Of a global switch: the layer, for i; h +
 * layer, for j. Minimal routes between two positions go over their global switch, between layers at one position over
 * any of its global switches; up, down: one VC per leg. */
#include "topo/divide.h"
#include "topo/offer.h"
#include "topo/parallel.h"
#include "topo/params.h"
#include "topo/topo.h"

#include "base/memory.h"

#include <stdlib.h>

#define MLFM_MAX_H 255

struct mlfm {
	uint32_t h, locals;
	uint16_t *low, *high; /* [h (h + 1) / 2]: the two positions of a global switch */
	struct topo_divider by_positions;
};

static uint32_t mlfm_ports(const struct topo *topo, topo_switch s)
{
	const struct mlfm *m = topo->impl;
	return s < m->locals ? m->h : 2 * m->h;
}

static inline uint32_t layer_of(const struct mlfm *m, topo_switch s)
{
	return topo_divide(&m->by_positions, s);
}

static struct topo_hop mlfm_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct mlfm *m = topo->impl;
	if (s < m->locals) {
		uint32_t layer = layer_of(m, s), at = s - layer * (m->h + 1), other = port < at ? port : port + 1;
		uint32_t i = other < at ? other : at, j = other < at ? at : other;
		return (struct topo_hop){ .to = m->locals + j * (j - 1) / 2 + i,
			                  .port = at == i ? layer : m->h + layer };
	}
	uint32_t pair = s - m->locals, second = port >= m->h, layer = port - second * m->h;
	uint32_t at = second ? m->high[pair] : m->low[pair], other = second ? m->low[pair] : m->high[pair];
	return (struct topo_hop){ .to = layer * (m->h + 1) + at, .port = other < at ? other : other - 1, .rank = 1 };
}

/* The ports of next(). A global switch that has no cable to the position of the destination offers all its cables; no
 * minimal route between endpoints visits such a switch. */
static struct topo_run mlfm_run(const struct topo *topo, topo_switch here, topo_switch to)
{
	const struct mlfm *m = topo->impl;
	uint32_t layer = layer_of(m, to), position = to - layer * (m->h + 1);
	if (here < m->locals) {
		uint32_t at = here - layer_of(m, here) * (m->h + 1);
		if (at == position)
			return (struct topo_run){ 0, m->h };
		return (struct topo_run){ position < at ? position : position - 1, 1 };
	}
	uint32_t pair = here - m->locals;
	if (position != m->low[pair] && position != m->high[pair])
		return (struct topo_run){ 0, 2 * m->h };
	return (struct topo_run){ (position == m->low[pair] ? 0 : m->h) + layer, 1 };
}

static int mlfm_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	(void)leg_hops;
	return topo_offer(out, mlfm_run(topo, here, to), here, to);
}

/* `to` is a local switch. */
static unsigned mlfm_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	const struct mlfm *m = topo->impl;
	if (from < m->locals)
		return from == to ? 0 : 2;
	uint32_t position = to - layer_of(m, to) * (m->h + 1), pair = from - m->locals;
	return position == m->low[pair] || position == m->high[pair] ? 1 : 3;
}

/* Layers, with h global switches after each. */
static uint32_t mlfm_rack(const struct topo *topo, topo_switch s)
{
	const struct mlfm *m = topo->impl;
	if (s < m->locals)
		return layer_of(m, s);
	uint32_t i = m->low[s - m->locals], j = m->high[s - m->locals];
	return m->h + (i * m->h - i * (i - 1) / 2 + (j - i - 1)) / m->h; /* pairs i < j in lexicographic order */
}

static unsigned mlfm_max_distance(const struct topo *topo)
{
	(void)topo;
	return 2;
}

/* Worst-case traffic: every switch sends to that at the next position of its layer, so that all p flows of a switch
 * share one cable, the maximum possible. */
static uint32_t mlfm_worst_case(const struct topo *topo, topo_switch *to)
{
	const struct mlfm *m = topo->impl;
	for (topo_switch s = 0; s < topo->switches; s++) {
		uint32_t at = s < m->locals ? s - layer_of(m, s) * (m->h + 1) : 0;
		to[s] = s >= m->locals ? TOPO_NONE : at == m->h ? s - at : s + 1;
	}
	return 0;
}

/* Flows of uniform traffic that leave a local switch over one of its cables: p^2 to each of the h switches at the other
 * position that the cable leads to, and a fraction 1/h of the p^2 to each of the h - 1 other switches at its own
 * position. */
static void mlfm_facts(const struct topo *topo, struct topo_facts *facts)
{
	const struct mlfm *m = topo->impl;
	double h = m->h, p = topo->max_endpoints, e = topo->endpoints;
	facts->links = (uint64_t)m->locals * m->h;
	facts->links_by_class[0] = facts->links;
	if (topo->endpoints > 1) {
		facts->max_channel_load_uniform = p * p * (h + (h - 1) / h) / (e - 1);
		facts->mean_minimal_hops = 2 * p * (m->locals - 1.0) / (e - 1);
	}
	if (m->h > 2) /* some two global switches have no position in common */
		facts->diameter = 4;
}

static void mlfm_destroy(struct topo *topo)
{
	struct mlfm *m = topo->impl;
	free(m->low);
	free(m->high);
	free(m);
}

static const char *const mlfm_classes[] = { "local", NULL };

static int mlfm_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_mlfm_params *in = params;
	size_t before = errors->errors;
	if (in->endpoints != BASE_AUTO && in->endpoints < 1)
		base_errorf(errors, "endpoints", "a local switch needs at least one endpoint, not %lld",
		            (long long)in->endpoints);
	if (in->h < 2 || in->h > MLFM_MAX_H)
		base_errorf(errors, "h", "%lld is out of range: 2 to %d", (long long)in->h, MLFM_MAX_H);
	if (errors->errors > before)
		return -1;
	struct mlfm *m = base_alloc(sizeof *m);
	topo->impl = m;
	m->h = (uint32_t)in->h;
	m->locals = m->h * (m->h + 1);
	m->by_positions = topo_divider_of(m->h + 1);
	uint32_t pairs = m->locals / 2;
	m->low = base_calloc(pairs, sizeof *m->low);
	m->high = base_calloc(pairs, sizeof *m->high);
	for (uint32_t j = 1, at = 0; j <= m->h; j++)
		for (uint32_t i = 0; i < j; i++, at++) {
			m->low[at] = (uint16_t)i;
			m->high[at] = (uint16_t)j;
		}
	topo->max_ports = 2 * m->h;
	topo->link_classes = 1;
	topo->link_class_name = mlfm_classes;
	topo->vc_rule = TOPO_VC_LEG;
	return topo_set_sizes(topo, m->locals + pairs, m->locals,
	                      in->endpoints == BASE_AUTO ? m->h : (uint64_t)in->endpoints, errors);
}

static const struct base_param mlfm_params[] = {
	{ BASE_KEY(INT, struct topo_mlfm_params, h, NULL), .unit = "layers", .min = 2, .max = MLFM_MAX_H,
	  .help = "layers, and cables of a local switch; makes h (h + 1) local switches and half as many global ones",
	  .source = "SC15 Kathareios et al." },
	{ BASE_KEY(AUTO_INT, struct topo_mlfm_params, endpoints, "auto"), .unit = "endpoints", .min = 1, .max = 65535,
	  .help = "endpoints per local switch; auto: h" },
	TOPO_TRUNK(struct topo_mlfm_params),
	{ 0 }
};

static const struct topo_ops mlfm_ops = {
	.trunk_at = offsetof(struct topo_mlfm_params, trunk),
	.build = mlfm_build,
	.destroy = mlfm_destroy,
	.ports = mlfm_ports,
	.peer = mlfm_peer,
	.next = mlfm_next,
	.run = mlfm_run,
	.distance = mlfm_distance,
	.max_distance = mlfm_max_distance,
	.worst_case = mlfm_worst_case,
	.rack = mlfm_rack,
	.facts = mlfm_facts,
	.link_classes = mlfm_classes,
};

const struct base_plugin topo_mlfm = {
	BASE_DESCRIBE("topology", "mlfm", mlfm_params, struct topo_mlfm_params, &mlfm_ops),
	.summary = "multi-layer full mesh: every pair of positions has a switch that connects it in all layers",
	.source = "Kathareios et al., SC15",
};
