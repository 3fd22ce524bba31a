/* network/drain.c - time.drain = "auto": after the measured window the run goes on, sources included, until all packets
 * created in it have arrived, or the network is proved saturated. */
#include "network/legs.h"

#include <string.h>

#define STEPS 64u                       /* legs after the measured window are this fraction of it */
#define LONGEST (NET_DRAIN_HORIZON / 2) /* so often the length of the run is drained at most */
#define SATURATED_GROWTH 0.01           /* of the created packets: less may be chance */

/* What sources have not sent: how long the next packet of each has waited tells, without making those behind it. */
struct waiting {
	uint64_t at, measure_to; /* ps */
	uint64_t age[256];       /* [jobs] ps, summed over sources */
	uint64_t measured;       /* sources whose next packet was created in the measured window */
};

static void add_waiting(void *arg, uint32_t job, uint64_t created)
{
	struct waiting *w = arg;
	w->age[job] += w->at - created;
	w->measured += created < w->measure_to;
}

static struct net_reading read_counters(struct net *n, uint64_t at)
{
	struct waiting w = { .at = at, .measure_to = n->measure_to };
	uint64_t v[256][6];
	struct net_reading r = { 0 };
	net_each_waiting(n, at, add_waiting, &w);
	for (uint32_t j = 0; j < n->jobs; j++) {
		const struct net_job_stats *s = &n->shared.job[j];
		uint64_t row[6] = {
			s->created, s->delivered, s->measured, s->measured_delivered, s->created_bytes_measured,
			w.age[j]
		};
		memcpy(v[j], row, sizeof row);
	}
	net_legs_sum(n, v[0], 6 * (size_t)n->jobs);
	net_legs_sum(n, &w.measured, 1);
	double per_byte = (double)n->common.link[SW_LINK_TERMINAL].ps_per_byte_q16 / 65536;
	for (uint32_t j = 0; j < n->jobs; j++) {
		double bytes = v[j][2] ? (double)v[j][4] / (double)v[j][2] : n->traffic.job[j].max_packet;
		r.created += (double)v[j][0] + (double)v[j][5] * n->traffic.job[j].load / (bytes * per_byte);
		r.delivered += (double)v[j][1];
		r.outstanding += v[j][2] - v[j][3];
	}
	if (w.measured)
		r.outstanding = SIM_NEVER;
	return r;
}

/* Has the backlog grown from one reading to the next, by more than chance? */
static bool grows(const struct net_reading *a, const struct net_reading *b)
{
	double created = b->created - a->created, more = created - (b->delivered - a->delivered);
	return more > SATURATED_GROWTH * created && more * more > 16 * created;
}

/* The next pause, 0: the run ends here. Readings are taken in the middle and at the end of the measured window, and
 * then every eighth of it: saturated is what has grown from the first to the second, and since. */
uint64_t net_drain_next(struct net *n, uint64_t at)
{
	struct net_legs *l = n->legs;
	struct net_reading now = read_counters(n, at);
	uint64_t span = n->measure_to - n->measure_from, unit = l->unit;
	if (at < n->measure_to) {
		l->middle = now;
		return net_round_up(n->measure_to, unit);
	}
	if (!now.outstanding) { /* all has arrived, though perhaps ever later */
		l->saturated = l->grew && grows(&l->middle, &now);
		return 0;
	}
	if (at == net_round_up(n->measure_to, unit)) {
		l->grew = grows(&l->middle, &now);
		l->mark = now;
		l->mark_at = at;
	} else if (at - l->mark_at >= span / 8) {
		bool stuck = !(now.delivered > l->mark.delivered), grew = grows(&l->mark, &now);
		if (stuck || (l->grew && grew)) {
			l->saturated = !stuck;
			return 0;
		}
		l->grew = grew;
		l->mark = now;
		l->mark_at = at;
	}
	if (at > LONGEST * n->measure_to) {
		l->saturated = true;
		return 0;
	}
	return at + net_drain_step(n);
}

uint64_t net_drain_step(const struct net *n)
{
	return net_round_up((n->measure_to - n->measure_from) / STEPS + 1, n->legs->unit);
}

void net_drain_plan(struct net *n)
{
	const struct net_time *t = &n->config->time;
	struct net_legs *l = n->legs;
	l->first = net_round_up(t->warmup + t->measure / 2, l->unit);
	if (l->first >= n->measure_to || l->first == 0)
		l->first = net_round_up(n->measure_to, l->unit);
	l->foreseen = n->measure_to;
	n->horizon = net_round_up(NET_DRAIN_HORIZON * n->measure_to, l->unit);
}
