/* workload/process/grids.c - exchanges between neighbours in a grid of the members: halo and sweep, as steps. */
#include "workload/process/steps.h"

#define DIMS 3u

struct grid_params {
	struct wl_loop loop;
	struct base_ints dims;
};

#define GRID_DIM                                                                                               \
	{                                                                                                      \
		"dims", BASE_INTS, offsetof(struct grid_params, dims), "", NULL, 1, 1e9, NULL,                 \
		    "sizes of the grid in up to three dimensions, whose product is the number of members; if " \
		    "omitted, the sizes are as equal as this number permits",                                  \
		    NULL                                                                                       \
	}

/* p->word[0 ..]: the dimensions. */
static uint32_t dim(const struct wl_process *p, uint32_t d)
{
	return (uint32_t)p->word[d];
}

/* The largest divisor of n that is not above its k-th root. */
static uint32_t near_root(uint32_t n, uint32_t k)
{
	uint32_t best = 1;
	for (uint64_t f = 1; (k == 2 ? f * f : f * f * f) <= n; f++)
		if (n % f == 0)
			best = (uint32_t)f;
	return best;
}

static int build_grid(struct wl_process *p, uint32_t most, struct base_errors *errors)
{
	const struct grid_params *g = p->params;
	uint64_t product = 1;
	for (uint32_t d = 0; d < DIMS; d++)
		p->word[d] = 1;
	if (!g->dims.n && most == 3) {
		p->word[0] = near_root(p->members, 3);
		p->word[1] = near_root(p->members / dim(p, 0), 2);
		p->word[2] = p->members / dim(p, 0) / dim(p, 1);
		return 0;
	}
	if (!g->dims.n) {
		p->word[0] = near_root(p->members, 2);
		p->word[1] = p->members / dim(p, 0);
		return 0;
	}
	if (g->dims.n > most)
		return base_errorf(errors, "dims", "%zu dimensions are too many: at most %u", g->dims.n, most);
	for (size_t d = 0; d < g->dims.n; d++) {
		p->word[d] = (uint64_t)g->dims.v[d];
		product *= (uint64_t)g->dims.v[d];
	}
	if (product != p->members)
		return base_errorf(errors, "dims", "the grid has %llu points, but the job has %u members",
		                   (unsigned long long)product, p->members);
	return 0;
}

static uint32_t stride(const struct wl_process *p, uint32_t d)
{
	return d == 0 ? 1 : d == 1 ? dim(p, 0) : dim(p, 0) * dim(p, 1);
}

static uint32_t coordinate(const struct wl_process *p, uint32_t me, uint32_t d)
{
	return me / stride(p, d) % dim(p, d);
}

/* --- halo: one step, a message each way to both neighbours in every dimension of more than one, around its ends */

static int halo_build(struct wl_process *p, struct base_errors *errors)
{
	return build_grid(p, 3, errors);
}

static uint32_t halo_steps(const struct wl_process *p)
{
	(void)p;
	return 1;
}

static uint32_t halo_messages(const struct wl_process *p, uint32_t me, uint32_t step)
{
	uint32_t n = 0;
	(void)me, (void)step;
	for (uint32_t d = 0; d < DIMS; d++)
		n += dim(p, d) > 1 ? 2 : 0;
	return n;
}

static void halo_send(const struct wl_process *p, uint32_t me, uint32_t step, uint32_t k, struct wl_step_message *m)
{
	uint32_t d = 0;
	(void)step;
	for (uint32_t left = k / 2;; d++)
		if (dim(p, d) > 1 && left-- == 0)
			break;
	uint32_t c = coordinate(p, me, d), n = dim(p, d), to = k % 2 ? (c + 1) % n : (c + n - 1) % n;
	m->bytes = wl_loop_of(p)->size;
	m->to = me + to * stride(p, d) - c * stride(p, d);
}

static bool halo_at_once(const struct wl_process *p)
{
	(void)p;
	return true;
}

static const struct base_param halo_table[] = { WL_LOOP_PARAMS("4KiB", "bytes to each neighbour"), GRID_DIM, { 0 } };

static const struct wl_steps_ops halo_ops = { .ops = WL_STEPS_OPS(halo_build, WL_KIND_SENDS),
	                                      .steps = halo_steps,
	                                      .receives = halo_messages,
	                                      .sends = halo_messages,
	                                      .send = halo_send,
	                                      .at_once = halo_at_once };

const struct base_plugin wl_process_halo = {
	.kind = "process",
	.name = "halo",
	.summary = "each member exchanges messages with its neighbours in a periodic grid",
	.params = halo_table,
	.conditions = wl_loop_conditions,
	.params_bytes = sizeof(struct grid_params),
	.ops = &halo_ops,
};

/* --- sweep: a front from one corner of a plane to the other, and back. Steps: what comes from before; on; what comes
 * back; on. */

static int sweep_build(struct wl_process *p, struct base_errors *errors)
{
	return build_grid(p, 2, errors);
}

static uint32_t sweep_steps(const struct wl_process *p)
{
	(void)p;
	return 4;
}

/* Neighbours before a member, or behind. */
static uint32_t neighbours(const struct wl_process *p, uint32_t me, bool behind)
{
	uint32_t n = 0;
	for (uint32_t d = 0; d < 2; d++)
		n += behind ? coordinate(p, me, d) + 1 < dim(p, d) : coordinate(p, me, d) > 0;
	return n;
}

static uint32_t sweep_receives(const struct wl_process *p, uint32_t me, uint32_t step)
{
	return step % 2 ? 0 : neighbours(p, me, step == 2);
}

static uint32_t sweep_sends(const struct wl_process *p, uint32_t me, uint32_t step)
{
	return step % 2 ? neighbours(p, me, step == 1) : 0;
}

static void sweep_send(const struct wl_process *p, uint32_t me, uint32_t step, uint32_t k, struct wl_step_message *m)
{
	bool behind = step == 1;
	uint32_t d = 0;
	for (uint32_t left = k;; d++) {
		bool there = behind ? coordinate(p, me, d) + 1 < dim(p, d) : coordinate(p, me, d) > 0;
		if (there && left-- == 0)
			break;
	}
	m->bytes = wl_loop_of(p)->size;
	m->to = behind ? me + stride(p, d) : me - stride(p, d);
	m->step = behind ? 0 : 2;
}

static const struct base_param sweep_table[] = { WL_LOOP_PARAMS("4KiB", "bytes to each neighbour"), GRID_DIM, { 0 } };

static const struct wl_steps_ops sweep_ops = { .ops = WL_STEPS_OPS(sweep_build, WL_KIND_SENDS),
	                                       .steps = sweep_steps,
	                                       .receives = sweep_receives,
	                                       .sends = sweep_sends,
	                                       .send = sweep_send };

const struct base_plugin wl_process_sweep = {
	.kind = "process",
	.name = "sweep",
	.summary = "a wavefront passes over a plane of the members, from each corner to the opposite one and back",
	.source = "Koch, Baker and Alcouffe 1992",
	.params = sweep_table,
	.conditions = wl_loop_conditions,
	.params_bytes = sizeof(struct grid_params),
	.ops = &sweep_ops,
};
