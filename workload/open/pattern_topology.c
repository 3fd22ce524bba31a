/* workload/open/pattern_topology.c - patterns that depend on the network: worst-case, adversarial.
 *
 * They use actual switches and groups, whatever the job's ranks are, and stay inside the job: a member whose partner
 * does not exist or does not belong to the job is idle. */
#include "base/memory.h"
#include "workload/workload.h"

#include <stddef.h>
#include <stdlib.h>

/* Worst case of minimal routing: each endpoint to the one at the same position of the switch that the topology names.
 * impl: that switch, of every switch. */

static int worst_case_build(struct wl_pattern *p, struct base_errors *errors)
{
	if (!p->topo->ops || !p->topo->ops->worst_case)
		return base_errorf(
		    errors, "pattern",
		    "topology \"%s\" defines no worst case; consider the patterns tornado, adversarial or permutation",
		    p->topo->kind);
	p->impl = base_calloc(p->topo->switches, sizeof(topo_switch));
	p->topo->ops->worst_case(p->topo, p->impl);
	return 0;
}

static void free_impl(struct wl_pattern *p)
{
	free(p->impl);
}

static uint32_t worst_case_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                       uint32_t coin)
{
	(void)message, (void)bits, (void)coin;
	const topo_switch *partner = p->impl;
	uint32_t self = wl_member(p, index);
	topo_switch here = topo_switch_of(p->topo, self), there = partner[here];
	if (there == TOPO_NONE || there == here)
		return WL_IDLE;
	uint32_t position = self - topo_first_endpoint(p->topo, here);
	if (position >= topo_endpoints_at(p->topo, there))
		return WL_IDLE;
	uint32_t to = topo_first_endpoint(p->topo, there) + position;
	return wl_index(p, to) == WL_IDLE ? WL_IDLE : to;
}

static const struct wl_pattern_ops worst_case_ops = {
	.fixed = true,
	.build = worst_case_build,
	.destroy = free_impl,
	.destination = worst_case_destination,
};

const struct base_plugin wl_worst_case = {
	.kind = "pattern",
	.name = "worst-case",
	.summary = "worst-case pattern of the topology for minimal routing, to the same position at the partner switch",
	.ops = &worst_case_ops,
};

/* Adversarial: to a random member in the group `offset` further on. */

struct adversarial_params {
	int64_t offset;
};

static const struct base_param adversarial_table[] = {
	{ BASE_KEY(INT, struct adversarial_params, offset, "1"), .unit = "groups", .min = 1, .max = INT32_MAX,
	  .help = "group G sends to group G + offset, modulo the number of groups; 1: to the next group",
	  .source = "Kim et al., ISCA 2008" },
	{ 0 },
};

/* Members of a group are consecutive endpoints as a rule; else they are listed, group after group. */
struct adversarial {
	uint32_t *target; /* [members] group that a member sends to */
	uint32_t *first;  /* [groups + 1] of a group in `list` */
	uint32_t *base;   /* [groups] first endpoint of a group, while `list` is NULL */
	uint32_t *list;   /* [members] endpoints by group; NULL: consecutive from base[] */
};

static uint32_t group_of_endpoint(const struct wl_pattern *p, uint32_t index)
{
	return topo_group(p->topo, topo_switch_of(p->topo, wl_member(p, index)));
}

/* Counting sort of the members by group; sets first[] and list[]. */
static void sort_by_group(const struct wl_pattern *p, struct adversarial *a)
{
	uint32_t groups = p->topo->groups;
	for (uint32_t i = 0; i < p->members; i++)
		a->first[group_of_endpoint(p, i) + 1]++;
	for (uint32_t g = 0; g < groups; g++)
		a->first[g + 1] += a->first[g];
	uint32_t *at = base_calloc(groups, sizeof *at);
	for (uint32_t i = 0; i < p->members; i++) {
		uint32_t g = group_of_endpoint(p, i);
		a->list[a->first[g] + at[g]++] = wl_member(p, i);
	}
	free(at);
}

/* Drops list[] where it says nothing that base[] does not. */
static void drop_list(const struct wl_pattern *p, struct adversarial *a)
{
	for (uint32_t g = 0; g < p->topo->groups; g++) {
		uint32_t n = a->first[g + 1] - a->first[g];
		const uint32_t *v = a->list + a->first[g];
		for (uint32_t k = 0; k < n; k++)
			if (v[k] != v[0] + k)
				return;
		a->base[g] = n ? v[0] : 0;
	}
	free(a->list);
	a->list = NULL;
}

static int adversarial_build(struct wl_pattern *p, struct base_errors *errors)
{
	const struct adversarial_params *q = p->params;
	uint32_t groups = p->topo->groups;
	if (groups < 2)
		return base_errorf(
		    errors, "pattern",
		    "adversarial traffic requires a topology with several groups, but this %s has only one",
		    p->topo->kind);
	if (q->offset < 1 || q->offset >= groups)
		return base_errorf(errors, "offset", "%lld is not between 1 and %u, since there are %u groups",
		                   (long long)q->offset, groups - 1, groups);
	struct adversarial *a = p->impl = base_alloc(sizeof *a);
	a->target = base_calloc(p->members, sizeof *a->target);
	a->first = base_calloc((size_t)groups + 1, sizeof *a->first);
	a->base = base_calloc(groups, sizeof *a->base);
	a->list = base_calloc(p->members, sizeof *a->list);
	for (uint32_t i = 0; i < p->members; i++)
		a->target[i] = (uint32_t)((group_of_endpoint(p, i) + (uint64_t)q->offset) % groups);
	sort_by_group(p, a);
	drop_list(p, a);
	return 0;
}

static void adversarial_destroy(struct wl_pattern *p)
{
	struct adversarial *a = p->impl;
	if (!a)
		return;
	free(a->target);
	free(a->first);
	free(a->base);
	free(a->list);
	free(a);
}

static uint32_t adversarial_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                        uint32_t coin)
{
	(void)message, (void)coin;
	const struct adversarial *a = p->impl;
	uint32_t g = a->target[index], first = a->first[g], n = a->first[g + 1] - first;
	if (!n)
		return WL_IDLE;
	uint32_t k = sim_below(bits, n);
	return a->list ? a->list[first + k] : a->base[g] + k;
}

static const struct wl_pattern_ops adversarial_ops = {
	.build = adversarial_build,
	.destroy = adversarial_destroy,
	.destination = adversarial_destination,
};

const struct base_plugin wl_adversarial = {
	BASE_DESCRIBE("pattern", "adversarial", adversarial_table, struct adversarial_params, &adversarial_ops),
	.summary = "every endpoint of a group sends to random endpoints of the group that is `offset` groups further",
	.source = "Kim, Dally, Scott & Abts, ISCA 2008",
};
