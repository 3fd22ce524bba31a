/* workload/open/pattern_random.c - destinations drawn anew for every message. */
#include "base/memory.h"
#include "workload/workload.h"

#include <stddef.h>
#include <stdlib.h>

/* A uniform choice among the other members. */
static inline uint32_t any_other(const struct wl_pattern *p, uint32_t index, uint32_t bits)
{
	uint32_t i = sim_below(bits, p->members - 1);
	return wl_member(p, i + (i >= index));
}

struct uniform_params {
	bool self;
};

static const struct base_param uniform_table[] = {
	{ BASE_KEY(BOOL, struct uniform_params, self, "false"),
	  .help = "an endpoint may also send to itself, as in the uniform traffic of switch theory and of BookSim",
	  .source = "Karol, Hluchyj & Morgan, IEEE Trans. Comm. 35 (1987)" },
	{ 0 },
};

static uint32_t uniform_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                    uint32_t coin)
{
	(void)message, (void)coin;
	if (((const struct uniform_params *)p->params)->self)
		return wl_member(p, sim_below(bits, p->members));
	return any_other(p, index, bits);
}

static const struct wl_pattern_ops uniform_ops = { .destination = uniform_destination };

const struct base_plugin wl_uniform = {
	BASE_DESCRIBE("pattern", "uniform", uniform_table, struct uniform_params, &uniform_ops),
	.summary = "every message goes to a random other endpoint of the job",
};

/* Hotspot: a fraction of the messages goes to one of a few targets, the others uniformly. A lone target's own
 * messages are all uniform. */

struct hotspot_params {
	double fraction;
	struct base_ints targets;
};

struct hotspot {
	uint64_t threshold; /* fraction * 2^32 */
	uint32_t n;
	uint32_t target[]; /* endpoints */
};

static const struct base_param hotspot_table[] = {
	{ BASE_KEY(FLOAT, struct hotspot_params, fraction, "0.1"), .min = 0, .max = 1,
	  .help = "fraction of the messages that goes to the targets" },
	{ BASE_KEY(INTS, struct hotspot_params, targets, ""), .unit = "endpoints",
	  .help = "hot-spot endpoints, members of the job; if omitted, the job's first endpoint" },
	{ 0 },
};

static bool has_share(const void *params)
{
	return ((const struct hotspot_params *)params)->fraction > 0;
}

static const struct base_condition hotspot_conditions[] = {
	{ "targets", "with a fraction above 0", has_share, NULL },
	{ 0 },
};

static int hotspot_targets(struct wl_pattern *p, const struct base_ints *targets, struct hotspot *hot,
                           struct base_errors *errors)
{
	int status = 0;
	for (size_t i = 0; i < targets->n; i++) {
		int64_t e = targets->v[i];
		if (e < 0 || e >= (int64_t)p->topo->endpoints || wl_index(p, (uint32_t)e) == WL_IDLE) {
			status = wl_no_member(p, "targets", e, errors);
			continue;
		}
		for (uint32_t k = 0; k < hot->n; k++)
			if (hot->target[k] == (uint32_t)e)
				status = base_errorf(errors, "targets", "endpoint %lld is listed twice", (long long)e);
		hot->target[hot->n++] = (uint32_t)e;
	}
	return status;
}

static int hotspot_build(struct wl_pattern *p, struct base_errors *errors)
{
	const struct hotspot_params *q = p->params;
	if (!(q->fraction >= 0 && q->fraction <= 1))
		return base_errorf(errors, "fraction", "%g is not between 0 and 1", q->fraction);
	if (q->targets.n > p->members)
		return base_errorf(errors, "targets", "%zu targets are more than the job's %u endpoints", q->targets.n,
		                   p->members);
	struct hotspot *hot = p->impl = base_alloc(sizeof *hot + (q->targets.n + 1) * sizeof *hot->target);
	hot->threshold = (uint64_t)(q->fraction * 0x1p32 + 0.5);
	if (q->targets.n)
		return hotspot_targets(p, &q->targets, hot, errors);
	hot->target[hot->n++] = wl_member(p, 0);
	return 0;
}

static void hotspot_destroy(struct wl_pattern *p)
{
	free(p->impl);
}

static uint32_t hotspot_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                    uint32_t coin)
{
	(void)message;
	const struct hotspot *hot = p->impl;
	uint32_t self = wl_member(p, index);
	if (coin >= hot->threshold)
		return any_other(p, index, bits);
	uint64_t product = (uint64_t)bits * hot->n;
	uint32_t i = (uint32_t)(product >> 32);
	if (hot->target[i] != self)
		return hot->target[i];
	if (hot->n == 1)
		return any_other(p, index, bits);
	uint32_t other = sim_below((uint32_t)product, hot->n - 1); /* the product's low half is random still */
	return hot->target[other + (other >= i)];
}

static const struct wl_pattern_ops hotspot_ops = {
	.build = hotspot_build,
	.destroy = hotspot_destroy,
	.destination = hotspot_destination,
};

const struct base_plugin wl_hotspot = {
	BASE_DESCRIBE("pattern", "hotspot", hotspot_table, struct hotspot_params, &hotspot_ops),
	.summary = "a fraction of the messages goes to a few hot-spot endpoints, the others are uniform",
	.source = "Pfister & Norton, IEEE Trans. Computers C-34 (1985)",
	.conditions = hotspot_conditions,
};
