/* experiments/results/application.c - see application.h */
#include "experiments/results/application.h"

#include <inttypes.h>
#include <math.h>

const char *const xp_rank_times[NET_TIMES] = { "compute", "send", "wait", "idle" };

static double ns(uint64_t ps)
{
	return (double)ps / 1000;
}

double xp_communication_share(const uint64_t ps[NET_TIMES])
{
	double busy = (double)ps[NET_COMPUTES] + (double)ps[NET_SENDS] + (double)ps[NET_WAITS];
	return busy > 0 ? ((double)ps[NET_SENDS] + (double)ps[NET_WAITS]) / busy : NAN;
}

static void share(struct base_json *j, const uint64_t ps[NET_TIMES])
{
	base_json_double(j, "communication_share", xp_communication_share(ps));
}

static void sums(struct base_json *j, const char *key, uint64_t total, uint64_t most, uint32_t ranks)
{
	base_json_object(j, key);
	base_json_double(j, "total", ns(total));
	base_json_double(j, "mean", ranks ? ns(total) / ranks : 0);
	base_json_double(j, "max", ns(most));
	base_json_end(j);
}

static void path(struct base_json *j, const struct net_critical_path *p)
{
	base_json_object(j, "path");
	base_json_double(j, "length_ns", ns(p->length));
	base_json_double(j, "compute_ns", ns(p->compute));
	base_json_double(j, "overhead_ns", ns(p->overhead));
	base_json_double(j, "network_ns", ns(p->network));
	base_json_uint(j, "messages", p->messages);
	base_json_uint(j, "ranks", p->ranks);
	base_json_end(j);
}

void xp_application_members(struct base_json *j, const struct net_application *a)
{
	char key[32];
	if (!a)
		return;
	base_json_object(j, "application");
	base_json_uint(j, "ranks", a->ranks);
	base_json_uint(j, "ranks_ended", a->ended);
	for (unsigned k = 0; k < NET_TIMES; k++) {
		snprintf(key, sizeof key, "%s_ns", xp_rank_times[k]);
		sums(j, key, a->sum[k], a->most[k], a->ranks);
	}
	share(j, a->sum);
	base_json_array(j, "calls");
	for (uint32_t k = 0; k < a->kinds; k++) {
		if (!a->time[k].calls)
			continue;
		base_json_object(j, NULL);
		base_json_string(j, "call", a->calls[k]);
		base_json_uint(j, "calls", a->time[k].calls);
		sums(j, "time_ns", a->time[k].ps, a->time[k].most, a->ranks);
		base_json_end(j);
	}
	base_json_end(j);
	if (a->path.known)
		path(j, &a->path);
	base_json_end(j);
}

void xp_rank_members(struct base_json *j, const struct net_application *a, size_t line)
{
	const struct net_rank_line *l = &a->line[line];
	const struct net_rank_call *calls = &a->line_call[line * a->kinds];
	char key[32];
	base_json_uint(j, "rank", l->rank);
	base_json_uint(j, "endpoint", l->endpoint);
	base_json_bool(j, "ended", l->ended);
	base_json_double(j, "end_ns", ns(l->end));
	for (unsigned k = 0; k < NET_TIMES; k++) {
		snprintf(key, sizeof key, "%s_ns", xp_rank_times[k]);
		base_json_double(j, key, ns(l->ps[k]));
	}
	share(j, l->ps);
	base_json_array(j, "calls");
	for (uint32_t k = 0; k < a->kinds; k++) {
		if (!calls[k].calls)
			continue;
		base_json_object(j, NULL);
		base_json_string(j, "call", a->calls[k]);
		base_json_uint(j, "calls", calls[k].calls);
		base_json_double(j, "time_ns", ns(calls[k].ps));
		base_json_end(j);
	}
	base_json_end(j);
}

uint32_t xp_rank_bins(const struct net_application *a)
{
	uint64_t bins = (a->end + ((uint64_t)1 << a->spans.shift) - 1) >> a->spans.shift;
	return bins < NET_SPAN_BINS ? (uint32_t)bins : NET_SPAN_BINS;
}

void xp_rank_timeline_members(struct base_json *j, const struct net_application *a, uint32_t row)
{
	const struct net_spans *s = &a->spans;
	char key[32];
	base_json_uint(j, "first_rank", net_spans_first(s, row));
	base_json_uint(j, "last_rank", net_spans_first(s, row + 1) - 1);
	base_json_double(j, "bin_ns", ns((uint64_t)1 << s->shift));
	for (unsigned k = 0; k < NET_DOINGS; k++) {
		snprintf(key, sizeof key, "%s_ns", xp_rank_times[k]);
		base_json_array(j, key);
		for (uint32_t bin = 0; bin < xp_rank_bins(a); bin++)
			base_json_double(j, NULL, ns(s->ps[((size_t)row * NET_SPAN_BINS + bin) * NET_DOINGS + k]));
		base_json_end(j);
	}
}

void xp_path_members(struct base_json *j, const struct net_path_stay *stay)
{
	base_json_uint(j, "rank", stay->rank);
	base_json_double(j, "from_ns", ns(stay->from));
	base_json_double(j, "to_ns", ns(stay->to));
	base_json_double(j, "compute_ns", ns(stay->compute));
	base_json_double(j, "overhead_ns", ns(stay->overhead));
	base_json_double(j, "network_ns", ns(stay->network));
}

/* --- for people ------------------------------------------------------------------------------------- */

#define CALLS_SHOWN 5u

/* The kind that has most time, of those with less than `below` or, with as much, behind `after`; kinds: none. */
static uint32_t next_call(const struct net_application *a, uint64_t below, uint32_t after)
{
	uint32_t best = a->kinds;
	for (uint32_t k = 0; k < a->kinds; k++) {
		uint64_t ps = a->time[k].ps;
		if (!a->time[k].calls || ps > below || (ps == below && k <= after))
			continue;
		if (best == a->kinds || ps > a->time[best].ps)
			best = k;
	}
	return best;
}

static void calls(FILE *out, const struct net_application *a)
{
	uint32_t k = next_call(a, UINT64_MAX, UINT32_MAX);
	for (uint32_t shown = 0; k < a->kinds && shown < CALLS_SHOWN; shown++, k = next_call(a, a->time[k].ps, k))
		fprintf(out, "  %-14s %" PRIu64 ": mean over ranks %.3f us, maximum %.3f us\n", a->calls[k],
		        a->time[k].calls, (double)a->time[k].ps * 1e-6 / a->ranks, (double)a->time[k].most * 1e-6);
}

void xp_application_text(FILE *out, const struct net_application *a)
{
	double all = 0;
	if (!a || !a->ranks)
		return;
	for (unsigned k = 0; k < NET_TIMES; k++)
		all += (double)a->sum[k];
	if (!(all > 0))
		return;
	fprintf(out, "%-16s ", "ranks");
	for (unsigned k = 0; k < NET_TIMES; k++)
		fprintf(out, "%s%s %.1f %%", k ? ", " : "", xp_rank_times[k], 100 * (double)a->sum[k] / all);
	fprintf(out, " of the time of %" PRIu32 "\n", a->ranks);
	calls(out, a);
	const struct net_critical_path *p = &a->path;
	if (p->known)
		fprintf(out,
		        "%-16s %.6f us: compute %.6f, overhead %.6f, network %.6f; %" PRIu64 " messages, %" PRIu32
		        " ranks\n",
		        "critical path", (double)p->length * 1e-6, (double)p->compute * 1e-6,
		        (double)p->overhead * 1e-6, (double)p->network * 1e-6, p->messages, p->ranks);
}
