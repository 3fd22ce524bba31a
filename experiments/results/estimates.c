/* experiments/results/estimates.c - see estimates.h */
#include "experiments/results/estimates.h"

#include "base/format.h"
#include "base/memory.h"
#include "experiments/results/reader.h"
#include "experiments/results/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_estimate(struct xp_estimates *e, struct xp_estimate one)
{
	e->v = base_realloc(e->v, (e->n + 1) * sizeof *e->v);
	e->v[e->n++] = one;
}

static void read_flow(struct xp_estimates *e, const json_t *flow, const char *job)
{
	const struct xp_statistic *s;
	for (size_t n = 1; (s = xp_statistic_at(XP_IN_DIFF, n)); n++) {
		const char *member = strncmp(s->name, "jobs[].", 7) ? s->name : s->name + 7;
		const json_t *value = xp_record_member(flow, member);
		bool account = json_object_get(flow, "application"); /* which has the time of completion, too */
		if (!value || (account && !strcmp(member, "completion_ns")))
			continue;
		struct xp_estimate one = { .value = json_is_number(value) ? json_number_value(value) : NAN };
		one.name = base_format("%s%s%s%s", job ? "jobs." : "", job ? job : "", job ? "." : "", member);
		one.low = xp_record_end(flow, member, -1);
		one.high = xp_record_end(flow, member, 1);
		one.has_interval = isfinite(one.low) && isfinite(one.high);
		e->intervals |= one.has_interval;
		add_estimate(e, one);
	}
}

/* A number of an application; `call`: of a kind of calls, or NULL. */
static void read_number(struct xp_estimates *e, const char *job, const char *call, const char *member,
                        const json_t *value)
{
	struct xp_estimate one = { .value = json_is_number(value) ? json_number_value(value) : NAN };
	if (!value)
		return;
	one.name = base_format("jobs.%s.application.%s%s%s%s", job, call ? "calls." : "", call ? call : "",
	                       call ? "." : "", member);
	add_estimate(e, one);
}

static void read_application(struct xp_estimates *e, const json_t *flow)
{
	static const char *const times[] = { "compute_ns", "send_ns", "wait_ns", "idle_ns" };
	const json_t *a = json_object_get(flow, "application"), *call;
	const char *job = xp_text(flow, "name");
	char member[64];
	size_t i;
	if (!a)
		return;
	read_number(e, job, NULL, "completion_ns", json_object_get(flow, "completion_ns"));
	read_number(e, job, NULL, "communication_share", json_object_get(a, "communication_share"));
	for (i = 0; i < sizeof times / sizeof *times; i++) {
		snprintf(member, sizeof member, "%s.mean", times[i]);
		read_number(e, job, NULL, member, json_object_get(json_object_get(a, times[i]), "mean"));
	}
	json_array_foreach (json_object_get(a, "calls"), i, call) {
		read_number(e, job, xp_text(call, "call"), "calls", json_object_get(call, "calls"));
		read_number(e, job, xp_text(call, "call"), "time_ns.mean",
		            json_object_get(json_object_get(call, "time_ns"), "mean"));
	}
	read_number(e, job, NULL, "path.length_ns", json_object_get(json_object_get(a, "path"), "length_ns"));
}

void xp_estimates_read(struct xp_estimates *e, const json_t *summary)
{
	const json_t *jobs = json_object_get(summary, "jobs");
	*e = (struct xp_estimates){ 0 };
	read_flow(e, summary, NULL);
	for (size_t i = 0; json_array_size(jobs) > 1 && i < json_array_size(jobs); i++)
		read_flow(e, json_array_get(jobs, i), xp_text(json_array_get(jobs, i), "name"));
	for (size_t i = 0; i < json_array_size(jobs); i++)
		read_application(e, json_array_get(jobs, i));
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
