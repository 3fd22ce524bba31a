/* network/checks/drain.c - time.drain = "auto": after the measured window the run continues, with sources active, until
 * all packets created in it have arrived, or the network is proved saturated. */
#include "base/memory.h"
#include "network/legs.h"
#include "network/stats/sample.h"

#include <math.h>
#include <string.h>

#define STEPS 64u                       /* legs after the measured window are this fraction of it */
#define MARKS 8u                        /* and readings are so many in as long as it is */
#define LONGEST (NET_DRAIN_HORIZON / 2) /* so often the length of the run is drained at most */
#define SATURATED_GROWTH 0.01           /* of the created packets: less may be chance */
#define DRIFT_GROWTH 0.003
#define PARTS_LEAST 8u
#define DRIFT_LEAST 3.0 /* in standard deviations */

/* Sums over packets that sources have created but not sent. It is sufficient to know how long the next packet of each
 * source has waited; the packets behind it are not generated. */
struct waiting_sources {
	uint64_t at, measure_to; /* ps */
	uint64_t age[256];       /* [jobs] ps, summed over sources by their weights */
	uint64_t measured[256];  /* [jobs] sources whose next packet was created in the measured window */
};

static void add_waiting(void *arg, uint32_t job, uint64_t created, uint64_t weight)
{
	struct waiting_sources *w = arg;
	w->age[job] += (uint64_t)((unsigned __int128)(w->at - created) * weight >> 32);
	w->measured[job] += created < w->measure_to;
}

/* Of all jobs together, and job[jobs]: of each. */
static struct net_reading read_counters(struct net *n, uint64_t at, struct net_reading *job)
{
	struct waiting_sources w = { .at = at, .measure_to = n->times.measure_to };
	uint64_t v[256][7];
	struct net_reading r = { 0 };
	net_each_waiting(n, at, add_waiting, &w);
	for (uint32_t j = 0; j < n->jobs; j++) {
		const struct net_job_stats *s = &n->shared.job[j];
		uint64_t row[7] = { s->created,
			            s->delivered + s->dropped,
			            s->measured,
			            s->arrived.packets + s->measured_dropped,
			            s->created_bytes_measured,
			            w.age[j],
			            w.measured[j] };
		memcpy(v[j], row, sizeof row);
	}
	net_legs_sum(n, v[0], 7 * (size_t)n->jobs);
	bool waits = false;
	double per_byte = (double)n->common.link[SW_LINK_TERMINAL].ps_per_byte_q16 / 65536;
	for (uint32_t j = 0; j < n->jobs; j++) {
		double bytes = v[j][2] ? (double)v[j][4] / (double)v[j][2] : n->traffic.job[j].max_packet;
		job[j] = (struct net_reading){
			.created = (double)v[j][0] + (double)v[j][5] * n->traffic.job[j].load / (bytes * per_byte),
			.delivered = (double)v[j][1],
			.outstanding = v[j][6] ? SIM_NEVER : v[j][2] - v[j][3],
		};
		waits |= v[j][6] != 0;
		r.created += job[j].created;
		r.delivered += job[j].delivered;
		r.outstanding += v[j][2] - v[j][3];
	}
	if (waits)
		r.outstanding = SIM_NEVER;
	return r;
}

bool net_drain_grows(double created, double share)
{
	double more = created * share;
	return share > SATURATED_GROWTH && more * more > 16 * created;
}

/* Has the backlog grown from one reading to the next, by more than chance? */
static bool grows(const struct net_reading *a, const struct net_reading *b)
{
	double created = b->created - a->created, more = created - (b->delivered - a->delivered);
	return more > SATURATED_GROWTH * created && more * more > 16 * created;
}

/* Returns whether the backlog has drifted upwards over the parts of the measured window. The increments of the backlog
 * from part to part are compared with their own scatter: in a network that keeps up with its load they cancel, so their
 * sum is small compared with the scatter; if a port is overloaded, even if it is one of many, the sum is large.
 * Transients fade, so the backlog must also have grown in the second half of the window. */
static bool drifts(const struct net_reading *r, uint32_t readings, uint64_t span, uint64_t period)
{
	uint32_t n = readings ? readings - 1 : 0;
	if (period > span / 2) /* what grows may be a burst */
		return false;
	double square = 0, created = 0, all = 0, late = 0;
	if (n < PARTS_LEAST)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		double more = r[i + 1].created - r[i].created - (r[i + 1].delivered - r[i].delivered);
		created += r[i + 1].created - r[i].created;
		all += more;
		late += i >= n / 2 ? more : 0;
		square += more * more;
	}
	double scatter = sqrt(fmax(0, square - all * all / n) / (n - 1) * n); /* of the sum */
	return all > DRIFT_GROWTH * created && all > DRIFT_LEAST * scatter && late > all / 3;
}

/* Where jobs have bursts, readings that are compared are whole periods apart, if the window has several. */
static uint64_t middle_of(const struct net *n)
{
	const struct net_time *t = &n->config->time;
	uint64_t half = t->measure / 2, period = n->traffic.period;
	if (period && period <= half)
		half = t->measure - half / period * period;
	return net_round_up(t->warmup + half, n->legs->unit);
}

/* Between two of them after the window; ps. */
static uint64_t between_marks(const struct net *n)
{
	uint64_t least = (n->times.measure_to - n->times.measure_from) / MARKS, period = n->traffic.period;
	if (!period || period > LONGEST * n->times.measure_to)
		return least;
	return least ? (least + period - 1) / period * period : period;
}

/* Does a part of the window begin or end here? */
static bool is_part(const struct net *n, uint64_t at)
{
	uint64_t from = net_round_up(n->times.measure_from, n->legs->unit);
	return n->legs->step && at >= from && (at - from) % n->legs->step == 0;
}

/* The first pause after `at` and before or at the end of the window: its middle, or an end of a part. */
static uint64_t pause_in_window(const struct net *n, uint64_t at)
{
	uint64_t next = net_round_up(n->times.measure_to, n->legs->unit), step = n->legs->step;
	uint64_t from = net_round_up(n->times.measure_from, n->legs->unit), middle = middle_of(n);
	if (middle > at && middle < n->times.measure_to)
		next = middle;
	uint64_t part = !step ? next : at < from ? from : from + ((at - from) / step + 1) * step;
	return part < next ? part : next;
}

/* ps: the longest route through idle switches and, for each switch, one packet that is sent before. */
static double longest_way(const struct net *n)
{
	const struct sw_common *c = &n->common;
	uint64_t link = 0;
	for (uint32_t k = 0; k <= n->cables.links; k++) {
		const struct sw_link *l = &c->link[k < n->cables.links ? k : SW_LINK_TERMINAL];
		uint64_t ps = l->latency + 2 * sw_serialisation(l, c->max_packet);
		link = ps > link ? ps : link;
	}
	return (double)link + (n->rt.max_hops + 1.0) * ((double)link + net_traversal(n));
}

double net_drain_mark(const struct net *n)
{
	uint64_t step = net_drain_step(n);
	return (double)((between_marks(n) + step - 1) / step * step);
}

/* Returns whether the backlog of job j alone grows, by the criteria for the whole run. These may not detect it, since a
 * job has only a part of the packets, so it is also sufficient that its backlog grew from the middle of the measured
 * window to its end and has grown since then. Jobs with processes are exempt, because their processes wait for their
 * own messages. */
static bool job_grows(const struct net *n, uint32_t j, const struct net_reading *now, bool all_arrived)
{
	const struct net_legs *l = n->legs;
	const struct net_drain_job *d = &l->of_job[j];
	if (n->traffic.job[j].process)
		return false;
	if (drifts(d->part, l->parts, n->times.measure_to - n->times.measure_from, n->traffic.period))
		return true;
	if (all_arrived)
		return d->grew && grows(&d->middle, now);
	return (d->grew && grows(&d->mark, now)) || (grows(&d->middle, &d->end) && grows(&d->end, now));
}

/* Decides for each job whether its backlog grows, when the run ends and the decision for the whole run is known. If the
 * whole run is saturated, at least one job must be: if no job is by its own decision, the job whose backlog grew most
 * is. */
static void judge_jobs(struct net *n, const struct net_reading *now, bool all_arrived, bool longest)
{
	struct net_legs *l = n->legs;
	uint32_t most = 0;
	double most_more = -INFINITY;
	bool any = false;
	for (uint32_t j = 0; j < n->jobs; j++) {
		const struct net_reading *from = all_arrived ? &l->of_job[j].middle : &l->of_job[j].mark;
		double more = now[j].created - from->created - (now[j].delivered - from->delivered);
		if (more > most_more) {
			most = j;
			most_more = more;
		}
		l->job_grows[j] = (longest && now[j].outstanding) || job_grows(n, j, &now[j], all_arrived);
		any |= l->job_grows[j];
	}
	if (l->saturated && !any)
		l->job_grows[most] = true;
}

void net_drain_stalled(struct net *n, const uint64_t *stands)
{
	for (uint32_t j = 0; j < n->jobs; j++)
		n->legs->job_grows[j] |= stands[j];
}

/* Returns the time of the next pause, or 0 if the run ends now. The backlog is read in the middle and at the end of the
 * measured window, and after the window each time that an eighth of its length has passed. The network is saturated if
 * the backlog has grown in two successive intervals between readings. When all measured packets have arrived, it is
 * saturated if the backlog grew in the last interval and since the middle of the window, or if it drifted upwards over
 * the parts of the window. If no packet has arrived for the maximum time that a packet may spend in the network, the
 * network is stuck, and the run ends; the reason is determined afterwards. */
uint64_t net_drain_next(struct net *n, uint64_t at)
{
	struct net_legs *l = n->legs;
	struct net_reading job[256], now = read_counters(n, at, job);
	uint64_t span = n->times.measure_to - n->times.measure_from, unit = l->unit,
		 end = net_round_up(n->times.measure_to, unit);
	if (at <= end && is_part(n, at) && l->parts <= NET_DRAIN_PARTS) {
		for (uint32_t j = 0; j < n->jobs; j++)
			l->of_job[j].part[l->parts] = job[j];
		l->part[l->parts++] = now;
	}
	if (at < n->times.measure_to) {
		for (uint32_t j = 0; at == middle_of(n) && j < n->jobs; j++)
			l->of_job[j].middle = job[j];
		if (at == middle_of(n))
			l->middle = now;
		return pause_in_window(n, at);
	}
	if (!now.outstanding) { /* all has arrived, though perhaps ever later */
		l->saturated =
		    (l->grew && grows(&l->middle, &now)) || drifts(l->part, l->parts, span, n->traffic.period);
		judge_jobs(n, job, true, false);
		return 0;
	}
	if (at == end) {
		l->grew = grows(&l->middle, &now);
		l->mark = now;
		l->mark_at = l->moved_at = at;
		for (uint32_t j = 0; j < n->jobs; j++) {
			struct net_drain_job *d = &l->of_job[j];
			d->end = d->mark = job[j];
			d->grew = grows(&d->middle, &job[j]);
		}
	} else if (at - l->mark_at >= between_marks(n)) {
		if (now.delivered > l->mark.delivered)
			l->moved_at = at;
		bool stuck = at > l->moved_at && (double)(at - l->moved_at) >= longest_way(n);
		bool grew = grows(&l->mark, &now);
		if (stuck || (l->grew && grew)) {
			l->saturated = !stuck;
			if (l->saturated)
				judge_jobs(n, job, false, false);
			return 0;
		}
		l->grew = grew;
		l->mark = now;
		l->mark_at = at;
		for (uint32_t j = 0; j < n->jobs; j++) {
			struct net_drain_job *d = &l->of_job[j];
			d->grew = grows(&d->mark, &job[j]);
			d->mark = job[j];
		}
	}
	if (at > LONGEST * n->times.measure_to) {
		l->saturated = true;
		judge_jobs(n, job, false, true);
		return 0;
	}
	return at + net_drain_step(n);
}

uint64_t net_drain_step(const struct net *n)
{
	return net_round_up((n->times.measure_to - n->times.measure_from) / STEPS + 1, n->legs->unit);
}

void net_drain_plan(struct net *n)
{
	const struct net_time *t = &n->config->time;
	struct net_legs *l = n->legs;
	bool two_halves = middle_of(n) < n->times.measure_to;
	l->of_job = base_calloc(n->jobs, sizeof *l->of_job);
	l->step = two_halves ? net_round_up((t->measure + NET_DRAIN_PARTS - 1) / NET_DRAIN_PARTS, l->unit) : 0;
	if (l->step && !n->times.measure_from) /* at 0 nothing has been created */
		l->parts = 1;
	l->first = pause_in_window(n, 0);
	l->foreseen = n->times.measure_to;
	n->times.horizon = net_round_up(NET_DRAIN_HORIZON * n->times.measure_to, l->unit);
}
