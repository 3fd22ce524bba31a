/* workload/process/flows.c - members that send the flows of a file (workload/rows/flows.h), each flow at its start
 * time; the run ends when all flows have arrived.
 *
 * A member posts its flows in their order, so its state consists of the number of flows that it has posted and the
 * number of flows that have arrived at it. The flows themselves are in a table that the ranks of a host share. */
#include "workload/rows/flows.h"
#include "workload/process/process.h"

#include "base/check.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct flows_params {
	struct wl_loop loop; /* all zero: it has no such keys */
	char *file;
	int unit;
};

#define UNITS "ps|ns|us|ms|s"
static const unsigned places_of_unit[] = { 0, 3, 6, 9, 12 };

static const struct base_param table[] = {
	{ "file", BASE_FILE, offsetof(struct flows_params, file), NULL, NULL, 0, 0, NULL,
	  "file with one flow per line, in the order of their starts: start, source, destination, bytes and optionally "
	  "a class, separated by commas or blanks; sources and destinations are endpoints of the job in their order; "
	  "text or gzip",
	  NULL },
	{ "unit", BASE_ENUM, offsetof(struct flows_params, unit), "ns", NULL, 0, 0, UNITS,
	  "time unit of starts, unless the file's first line names a column start_ps, start_ns, start_us, start_ms or "
	  "start_s",
	  NULL },
	{ 0 },
};

struct flows_state {
	uint64_t posted, came;
	bool finished;
};

static size_t state_bytes(const struct wl_process *p)
{
	(void)p;
	return sizeof(struct flows_state);
}

static const struct wl_flows *flows_of(const struct wl_process *p)
{
	return (const struct wl_flows *)(uintptr_t)p->word[0];
}

/* The members' starts count from the job's. */
static uint64_t job_start(const struct wl_process *p)
{
	return p->config->jobs[p->job].start;
}

/* --- building --------------------------------------------------------------------------------------------- */

static void destroy_flows(struct wl_process *p)
{
	struct wl_flows *f = (struct wl_flows *)(uintptr_t)p->word[0];
	if (f)
		wl_flows_free(f);
	free(f);
	p->word[0] = 0;
}

static const char *class_of_job(const struct net_config *c, const struct net_job *job)
{
	const char *first = c->nclasses && c->classes[0].name ? c->classes[0].name : "";
	return job->class_name && *job->class_name ? job->class_name : first;
}

/* Which classes have a job that reads this file. */
static void find_taken(const struct wl_process *p, const char *const *name, bool *taken)
{
	const struct net_config *c = p->config;
	const char *file = ((const struct flows_params *)p->params)->file;
	for (uint32_t i = 0; i < c->njobs; i++) {
		const struct net_job *job = &c->jobs[i];
		const struct flows_params *q = job->process.params;
		if (job->process.plugin != p->plugin || strcmp(q->file, file) != 0)
			continue;
		for (uint32_t k = 0; k < c->nclasses; k++)
			taken[k] |= !strcmp(name[k], class_of_job(c, job));
	}
}

static int build_flows(struct wl_process *p, struct base_errors *errors)
{
	const struct flows_params *q = p->params;
	const struct net_config *c = p->config;
	const char **name = base_calloc((size_t)c->nclasses + 1, sizeof *name);
	bool *taken = base_calloc((size_t)c->nclasses + 1, sizeof *taken);
	struct wl_flows *f = base_alloc(sizeof *f);
	for (uint32_t k = 0; k < c->nclasses; k++)
		name[k] = c->classes[k].name ? c->classes[k].name : "";
	find_taken(p, name, taken);
	const struct wl_flows_of of = { .file = q->file,
		                        .key = "file",
		                        .members = p->members,
		                        .places = places_of_unit[q->unit],
		                        .packet = p->packet,
		                        .most_bytes =
		                            p->packet ? (uint64_t)WL_MOST_PACKETS * p->packet : UINT64_C(1) << 50,
		                        .class_name = name,
		                        .classes = c->nclasses,
		                        .class_index = p->class_index,
		                        .taken = taken };
	int status = wl_flows_read(f, &of, errors);
	free(name);
	free(taken);
	if (status) {
		free(f);
		return -1;
	}
	p->word[0] = (uintptr_t)f;
	p->other_size = f->least_packet;
	p->messages = f->n;
	p->work_ps = (double)f->last_start;
	p->work_bytes = (double)f->bytes;
	return 0;
}

/* --- flows ------------------------------------------------------------------------------------------------ */

static void finish(const struct wl_process *p, struct net_process_call *call, uint32_t me)
{
	const struct wl_flows *f = flows_of(p);
	struct flows_state *s = call->state;
	if (s->finished || s->posted < f->first[me + 1] - f->first[me] || s->came < f->expected[me])
		return;
	s->finished = true;
	net_finished(call);
}

/* Posts what is due, and asks for the next. */
static void post_due(const struct wl_process *p, struct net_process_call *call, uint32_t me)
{
	const struct wl_flows *f = flows_of(p);
	struct flows_state *s = call->state;
	uint64_t start = job_start(p);
	for (uint64_t i = f->first[me] + s->posted; i < f->first[me + 1]; i++) {
		const struct wl_flow *flow = &f->v[i];
		if (start + flow->start > call->now) {
			net_timer(call, start + flow->start, 0);
			return;
		}
		if (net_post_as(call, NET_SEND_FREE, wl_process_place(p, flow->to), flow->bytes, 0) == NET_NO_MESSAGE)
			return;
		s->posted++;
	}
	finish(p, call, me);
}

static void timer(const struct wl_process *p, struct net_process_call *call, uint32_t me, uint64_t what)
{
	(void)what;
	post_due(p, call, me);
}

static void delivered(const struct wl_process *p, struct net_process_call *call, uint32_t me,
                      const struct net_message *m)
{
	struct flows_state *s = call->state;
	(void)m;
	s->came++;
	finish(p, call, me);
}

static bool has_flows(const struct wl_process *p, uint32_t me)
{
	const struct wl_flows *f = flows_of(p);
	return f->first[me + 1] > f->first[me];
}

static void report(const struct wl_process *p, uint32_t me, struct net_process_report *r)
{
	const struct flows_state *s = r->state;
	base_check(s->came <= flows_of(p)->expected[me]);
	r->unfinished += flows_of(p)->expected[me] - s->came;
}

static const struct wl_process_ops ops = { .ends_run = true,
	                                   .build = build_flows,
	                                   .destroy = destroy_flows,
	                                   .state_bytes = state_bytes,
	                                   .start = post_due,
	                                   .delivered = delivered,
	                                   .timer = timer,
	                                   .sends = has_flows,
	                                   .operations = "flows",
	                                   .report = report };

const struct base_plugin wl_process_flows = {
	.kind = "process",
	.name = "flows",
	.summary = "members send the flows of a file, each at its start time; the run ends when all have arrived",
	.params = table,
	.params_bytes = sizeof(struct flows_params),
	.ops = &ops,
};
