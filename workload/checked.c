/* workload/checked.c - checks of patterns and injection processes from shared objects: of some results at the start,
 * and of all results during the run. */
#include "workload/checked.h"

#include <inttypes.h>

#define MEMBERS 1024u /* asked at the start ... */
#define MESSAGES 16u  /* ... about so many messages each */
#define GAPS 65536u
#define FASTEST 100u /* times as many messages as the load asks for */

/* --- patterns ----------------------------------------------------------------------------------------------- */

static uint32_t checked_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                    uint32_t coin)
{
	uint32_t to = p->said->destination(p, index, message, bits, coin);
	if (to == WL_IDLE) {
		uint32_t first = message | bits | coin ? p->said->destination(p, index, 0, 0, 0) : WL_IDLE;
		if (first == WL_IDLE)
			return WL_IDLE;
		base_refute(p->plugin,
		            "destination(member %u, message %u, bits 0x%x, coin 0x%x) returns WL_IDLE, but endpoint %u "
		            "for message 0: a member must send all its messages or none",
		            index, message, bits, coin, first);
	} else if (to >= p->topo->endpoints) {
		base_refute(p->plugin,
		            "destination(member %u, message %u, bits 0x%x, coin 0x%x) returns endpoint %u, but there "
		            "are only %u endpoints",
		            index, message, bits, coin, to, p->topo->endpoints);
	} else if (wl_index(p, to) >= p->members) {
		base_refute(p->plugin,
		            "destination(member %u, message %u, bits 0x%x, coin 0x%x) returns endpoint %u, which does "
		            "not belong to the job",
		            index, message, bits, coin, to);
	} else {
		return to;
	}
	return wl_member(p, index);
}

#define MOST_SHARE 1e6

static double checked_share(const struct wl_pattern *p, uint32_t index)
{
	double share = p->said->share(p, index);
	if (share > 0 && share < MOST_SHARE)
		return share;
	base_refute(p->plugin, "share(member %u) returns %g; it must be above 0 and below %g", index, share,
	            MOST_SHARE);
	return 1;
}

/* By whether it is fixed, and whether it has shares. */
static const struct wl_pattern_ops checked_ops[2][2] = {
	{ { .destination = checked_destination }, { .destination = checked_destination, .share = checked_share } },
	{ { .fixed = true, .destination = checked_destination },
	  { .fixed = true, .destination = checked_destination, .share = checked_share } },
};

/* The same question twice; and of a fixed pattern, whatever the message is. */
static void ask(const struct wl_pattern *p, uint32_t index, uint32_t message, const struct sim_draw *d)
{
	uint32_t to = checked_destination(p, index, message, d->v[0], d->v[1]);
	uint32_t again = checked_destination(p, index, message, d->v[0], d->v[1]);
	uint32_t first = p->ops->fixed ? checked_destination(p, index, 0, 0, 0) : to;
	if (to != again)
		base_refute(p->plugin,
		            "destination(member %u, message %u, bits 0x%x, coin 0x%x) returns endpoint %u, but %u for "
		            "the same arguments later",
		            index, message, d->v[0], d->v[1], to, again);
	else if (to != first)
		base_refute(p->plugin,
		            "destination(member %u, message %u, bits 0x%x, coin 0x%x) returns endpoint %u, but %u for "
		            "message 0, although the pattern is declared as fixed",
		            index, message, d->v[0], d->v[1], to, first);
}

int wl_check_pattern(struct wl_pattern *p, struct base_errors *errors)
{
	p->said = p->ops;
	p->ops = &checked_ops[p->said->fixed][p->said->share != NULL];
	if (!(p->load > 0 && p->load < MOST_SHARE))
		base_refute(p->plugin, "build() sets a load of %g; it must be above 0 and below %g", p->load,
		            MOST_SHARE);
	uint32_t n = p->members < MEMBERS ? p->members : MEMBERS;
	for (uint32_t i = 0; i < n && !base_refuted(p->plugin); i++) {
		uint32_t index = (uint32_t)((uint64_t)i * p->members / n);
		for (uint32_t k = 0; k < MESSAGES; k++) {
			struct sim_draw d = sim_draw4(p->seed, index, k, SIM_DRAW_SETUP, p->job);
			ask(p, index, k < MESSAGES / 2 ? k : d.v[2], &d);
		}
	}
	return base_report_refuted(p->plugin, "pattern", errors);
}

void wl_unwrap_pattern(struct wl_pattern *p)
{
	p->ops = p->said ? p->said : p->ops;
}

/* --- injection processes ---------------------------------------------------------------------------------------- */

#define LONGEST (UINT64_C(1) << 62) /* ps: two months; what is more is a negative number in disguise */

static uint64_t checked_first(const struct wl_injection *in, struct sim_draw draw)
{
	uint64_t t = in->said->first(in, draw);
	if (t < LONGEST)
		return t;
	base_refute(in->plugin,
	            "first(bits 0x%x, 0x%x, 0x%x, 0x%x) returns %" PRId64 " ps, which is not a time from 0 to 2^62",
	            draw.v[0], draw.v[1], draw.v[2], draw.v[3], (int64_t)t);
	return LONGEST;
}

static uint64_t checked_gap(const struct wl_injection *in, uint32_t n, uint64_t since, uint64_t bits)
{
	uint64_t t = in->said->gap(in, n, since, bits);
	if (t < LONGEST && !base_refuted(in->plugin))
		return t;
	base_refute(in->plugin,
	            "gap(message %u, since %" PRIu64 " ps, bits 0x%" PRIx64 ") returns %" PRId64
	            " ps, which is not a time from 0 to 2^62",
	            n, since, bits, (int64_t)t);
	return LONGEST; /* so that nothing waits for a process that stands still */
}

static const struct wl_injection_ops checked_injection = { .first = checked_first, .gap = checked_gap };

int wl_check_injection(struct wl_injection *in, uint64_t seed, struct base_errors *errors)
{
	in->said = in->ops;
	in->ops = &checked_injection;
	uint64_t since = checked_first(in, sim_draw4(seed, 0, 0, SIM_DRAW_SETUP, 0)), from = since;
	uint32_t n = 0;
	while (n++ < GAPS && since < LONGEST && !base_refuted(in->plugin)) {
		struct sim_draw d = sim_draw4(seed, n, 1, SIM_DRAW_SETUP, 0);
		uint64_t bits = (uint64_t)d.v[0] << 32 | d.v[1], gap = checked_gap(in, n, since, bits);
		uint64_t again = checked_gap(in, n, since, bits);
		if (gap != again)
			base_refute(in->plugin,
			            "gap(message %u, since %" PRIu64 " ps, bits 0x%" PRIx64 ") returns %" PRIu64
			            " ps, but %" PRIu64 " ps for the same arguments later",
			            n, since, bits, gap, again);
		since += gap;
	}
	uint64_t mean = in->mean >> WL_TIME_BITS, is = (since - from) / GAPS;
	if (n > GAPS && is < mean / FASTEST)
		base_refute(in->plugin,
		            "gap() returns %" PRIu64 " ps on average over %u messages, but the load requires %" PRIu64
		            " ps",
		            is, GAPS, mean);
	return base_report_refuted(in->plugin, "injection", errors);
}
