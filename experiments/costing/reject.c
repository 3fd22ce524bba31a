/* experiments/costing/reject.c - rejected members of a family that would have been better than the best admissible one:
 * the one that falls short of the required throughput by least, and the one that needs the fewest additional ports. */
#include "experiments/costing/search.h"

static bool is_wanted(struct xp_search *s, const struct topo_member *m)
{
	const struct xp_sized *out = s->out;
	double floor = s->wish->objective == XP_SIZE_CHEAPEST ? xp_size_value(s->wish, m) : (double)m->endpoints;
	return floor >= (double)s->wish->endpoints && (!out->found || xp_size_is_better(s->wish, m, &out->best)) &&
	       xp_size_is_affordable(s, m);
}

static void reject(void *arg, const struct topo_member *m)
{
	struct xp_search *s = arg;
	struct xp_sized *out = s->out;
	const struct xp_wish *w = s->wish;
	bool fits = m->radix <= w->radix, fast = m->uniform >= w->throughput;
	if (fits == fast || !is_wanted(s, m))
		return;
	if (fits && (!out->has_slow || m->uniform > out->slow.uniform ||
	             (m->uniform >= out->slow.uniform && xp_size_is_better(w, m, &out->slow)))) {
		out->has_slow = true;
		out->slow = *m;
	}
	if (fast && (!out->has_wide || m->radix < out->wide.radix ||
	             (m->radix == out->wide.radix && xp_size_is_better(w, m, &out->wide)))) {
		out->has_wide = true;
		out->wide = *m;
	}
}

/* Nothing in it is better than what was found, slow by less, or wide by less. */
static bool cut(void *arg, const struct topo_box *b)
{
	const struct xp_search *s = arg;
	const struct xp_sized *out = s->out;
	const struct xp_wish *w = s->wish;
	if (b->endpoints < w->endpoints || !xp_size_box_is_affordable(s, b))
		return true;
	if (out->found && xp_size_cannot_beat(s, b, &out->best))
		return true;
	bool slow = b->radix <= w->radix && (!out->has_slow || b->uniform > out->slow.uniform);
	bool wide =
	    b->uniform >= w->throughput && (!out->has_wide || b->radix < out->wide.radix ||
	                                    (b->radix == out->wide.radix && !xp_size_cannot_beat(s, b, &out->wide)));
	return !slow && !wide;
}

void xp_size_reject(struct xp_search *s)
{
	const struct xp_wish *w = s->wish;
	const struct topo_family *f = s->out->family;
	if (f->by_search && !s->nkept)
		return; /* none was built */
	struct topo_sizing sizing = {
		.radix = w->radix, .trunk = w->trunk, .endpoints = w->endpoints, .cut = cut, .visit = reject, .arg = s
	};
	xp_size_each(s, &sizing); /* those that are slow */
	sizing.radix += f->by_search ? 0 : w->radix / 4 + 4;
	sizing.uniform = w->throughput;
	xp_size_each(s, &sizing);
}
