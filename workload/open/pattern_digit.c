/* workload/open/pattern_digit.c - permutations of coordinates: neighbor, tornado.
 *
 * On a topology with coordinates (topo_ops.dims) every coordinate c of the switch becomes c + offset mod k, and the
 * position at the switch stays the same (Dally & Towles, table 3.1; as in BookSim): neighbor: offset 1        tornado:
 * offset ceil(k/2) - 1 A member whose partner is outside the job is idle. On other topologies the job's ranks form one
 * ring of k = members. */
#include "base/memory.h"
#include "workload/workload.h"

#include <stdlib.h>

enum { MAX_DIMS = 32 };

struct digits {
	int n;                  /* 0: a ring of ranks */
	uint32_t k[MAX_DIMS];   /* fastest varying first */
	uint32_t add[MAX_DIMS]; /* below k */
};

static uint32_t neighbor_offset(uint32_t k)
{
	return k > 1;
}

static uint32_t tornado_offset(uint32_t k)
{
	return (k + 1) / 2 - 1;
}

static int digits_build(struct wl_pattern *p, uint32_t (*offset)(uint32_t), struct base_errors *errors)
{
	struct digits *d = p->impl = base_alloc(sizeof *d);
	if (p->topo->ops && p->topo->ops->dims)
		d->n = p->topo->ops->dims(p->topo, d->k, MAX_DIMS);
	if (d->n > MAX_DIMS)
		return base_errorf(errors, "pattern", "%d dimensions are too many: this pattern supports %d", d->n,
		                   MAX_DIMS);
	if (!d->n)
		d->k[0] = p->members;
	for (int i = 0; i < (d->n ? d->n : 1); i++)
		d->add[i] = offset(d->k[i]);
	return 0;
}

static uint32_t digits_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                   uint32_t coin)
{
	(void)message, (void)bits, (void)coin;
	const struct digits *d = p->impl;
	if (!d->n) {
		uint64_t rank = (uint64_t)index + d->add[0];
		uint32_t to = (uint32_t)(rank >= p->members ? rank - p->members : rank);
		return to == index ? WL_IDLE : wl_member(p, to);
	}
	uint32_t self = wl_member(p, index), here = topo_switch_of(p->topo, self), there = 0, stride = 1;
	for (int i = 0; i < d->n; i++) {
		uint32_t c = here / stride % d->k[i];
		there += stride * (uint32_t)(((uint64_t)c + d->add[i]) % d->k[i]);
		stride *= d->k[i];
	}
	uint32_t position = self - topo_first_endpoint(p->topo, here);
	if (there == here || position >= topo_endpoints_at(p->topo, there))
		return WL_IDLE;
	uint32_t to = topo_first_endpoint(p->topo, there) + position;
	return wl_index(p, to) == WL_IDLE ? WL_IDLE : to;
}

static void digits_destroy(struct wl_pattern *p)
{
	free(p->impl);
}

static int neighbor_build(struct wl_pattern *p, struct base_errors *errors)
{
	return digits_build(p, neighbor_offset, errors);
}

static int tornado_build(struct wl_pattern *p, struct base_errors *errors)
{
	return digits_build(p, tornado_offset, errors);
}

static const struct wl_pattern_ops neighbor_ops = {
	.fixed = true,
	.build = neighbor_build,
	.destroy = digits_destroy,
	.destination = digits_destination,
};
static const struct wl_pattern_ops tornado_ops = {
	.fixed = true,
	.build = tornado_build,
	.destroy = digits_destroy,
	.destination = digits_destination,
};

#define DIGIT_SOURCE "Dally & Towles, Principles and Practices of Interconnection Networks, table 3.1"

const struct base_plugin wl_neighbor = {
	.kind = "pattern",
	.name = "neighbor",
	.summary = "torus: to coordinate + 1 in every dimension; other topologies: to the next endpoint of the job",
	.source = DIGIT_SOURCE,
	.ops = &neighbor_ops,
};
const struct base_plugin wl_tornado = {
	.kind = "pattern",
	.name = "tornado",
	.summary = "torus: to coordinate + ceil(k/2) - 1 in every dimension; other topologies: the same on the ring of "
		   "all endpoints of the job",
	.source = DIGIT_SOURCE,
	.ops = &tornado_ops,
};
