/* experiments/results/estimates.c - see estimates.h */
#include "experiments/results/estimates.h"

#include "base/memory.h"
#include "experiments/results/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *outer, *inner;
} members[] = {
	{ "offered_load", NULL },         { "accepted_load", NULL },        { "latency_ns", "mean" },
	{ "latency_ns", "p50" },          { "latency_ns", "p90" },          { "latency_ns", "p99" },
	{ "latency_ns", "p999" },         { "network_latency_ns", "mean" }, { "network_latency_ns", "p50" },
	{ "network_latency_ns", "p90" },  { "network_latency_ns", "p99" },  { "network_latency_ns", "p999" },
	{ "message_latency_ns", "mean" }, { "message_latency_ns", "p50" },  { "message_latency_ns", "p90" },
	{ "message_latency_ns", "p99" },  { "message_latency_ns", "p999" }, { "hops", "mean" },
	{ "minimal_fraction", NULL },
};

/* The interval of a member: "interval": { "latency_ns.mean": [low, high], ... }. The form of intervals is known here
 * only. */
static void read_interval(struct xp_estimate *e, const json_t *flow, const char *member)
{
	const json_t *pair = json_object_get(json_object_get(flow, "interval"), member);
	const json_t *low = json_array_get(pair, 0), *high = json_array_get(pair, 1);
	e->has_interval = json_is_number(low) && json_is_number(high);
	e->low = json_number_value(low);
	e->high = json_number_value(high);
}

static void read_flow(struct xp_estimates *e, const json_t *flow, const char *job)
{
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		char member[64];
		const json_t *value = json_object_get(flow, members[i].outer);
		if (members[i].inner)
			value = json_object_get(value, members[i].inner);
		if (!value)
			continue;
		snprintf(member, sizeof member, "%s%s%s", members[i].outer, members[i].inner ? "." : "",
		         members[i].inner ? members[i].inner : "");
		struct xp_estimate one = { .value = json_is_number(value) ? json_number_value(value) : NAN };
		if (asprintf(&one.name, "%s%s%s%s", job ? "jobs." : "", job ? job : "", job ? "." : "", member) < 0)
			continue;
		read_interval(&one, flow, member);
		e->intervals |= one.has_interval;
		e->v = base_realloc(e->v, (e->n + 1) * sizeof *e->v);
		e->v[e->n++] = one;
	}
}

void xp_estimates_read(struct xp_estimates *e, const json_t *summary)
{
	const json_t *jobs = json_object_get(summary, "jobs");
	*e = (struct xp_estimates){ 0 };
	read_flow(e, summary, NULL);
	for (size_t i = 0; json_array_size(jobs) > 1 && i < json_array_size(jobs); i++)
		read_flow(e, json_array_get(jobs, i), xp_text(json_array_get(jobs, i), "name"));
}

void xp_estimates_free(struct xp_estimates *e)
{
	for (size_t i = 0; i < e->n; i++)
		free(e->v[i].name);
	free(e->v);
	*e = (struct xp_estimates){ 0 };
}

const struct xp_estimate *xp_estimate_find(const struct xp_estimates *e, const char *name)
{
	for (size_t i = 0; i < e->n; i++)
		if (!strcmp(e->v[i].name, name))
			return &e->v[i];
	return NULL;
}
