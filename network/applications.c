/* network/applications.c - runs that end with applications, that is, with jobs whose processes report that they have
 * completed all their operations (net_traffic_job.ends_run).
 *
 * Such a run consists of legs (legs.c). At each pause the finished processes are counted; when all have finished, the
 * run and its measured window end there. Other jobs continue until then, and the end is the same for every scheduler
 * and number of ranks. The length of legs grows with the simulated time, so the run ends late by at most 1/64 of its
 * length or by one step of net_legs_unit(), whichever is longer; the limit is rounded up likewise. */
#include "base/format.h"
#include "base/memory.h"
#include "network/legs.h"
#include "network/nic/node.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_UNITS 8u
#define LATE 64u
#define MOST_LINES 20u /* of each kind, on all ranks together */

void net_applications_plan(struct net *n, uint64_t latest)
{
	struct net_legs *l = n->legs;
	uint64_t limit = n->config->time.limit; /* BASE_AUTO_TIME_VALUE is behind everything */
	n->times.horizon =
	    limit < latest / l->unit * l->unit ? net_round_up(limit, l->unit) : latest / l->unit * l->unit;
	base_check(n->times.horizon > 0); /* net_legs_check() has seen to that */
	l->first = FIRST_UNITS * l->unit < n->times.horizon ? FIRST_UNITS * l->unit : n->times.horizon;
	l->foreseen = l->first;
	n->times.measure_to = n->times.horizon;
}

struct counted_events {
	const struct net *n;
	uint64_t *of_job; /* [streams], of which jobs count */
};

static void count_of_job(void *arg, const struct sim_event *ev)
{
	const struct counted_events *c = arg;
	uint32_t stream = net_message_job(ev);
	if (stream != UINT32_MAX)
		c->of_job[net_job_of(c->n, stream)]++;
}

/* Adds what is counted of streams to their jobs. */
static void add_streams(const struct net *n, uint64_t *counts)
{
	for (uint32_t j = n->traffic.jobs; j < n->traffic.streams; j++)
		counts[n->traffic.job[j].of] += counts[j];
}

/* Returns true if no packets, messages or timers of unfinished applications are in flight, and if the same was true at
 * the previous pause and nothing has been sent since: by now everything that one rank sent to another before that pause
 * has arrived. The processes of these applications then receive no further events, except acknowledgements. */
static bool are_stuck(struct net *n)
{
	bool may_be = true, stuck = true;
	uint64_t *under_way = base_calloc(2 * (size_t)n->jobs, sizeof *under_way), *created = under_way + n->jobs;
	for (uint32_t j = 0; j < n->jobs; j++) {
		const struct net_job_stats *s = &n->shared.job[j];
		created[j] = s->created;
		under_way[j] = s->created - s->delivered - s->dropped;
		if (n->shared.node) {
			created[j] += n->shared.node[j].posted;
			under_way[j] += n->shared.node[j].posted - n->shared.node[j].messages;
		}
	}
	net_legs_sum(n, under_way, 2 * (size_t)n->jobs);
	add_streams(n, under_way);
	add_streams(n, created);
	for (uint32_t j = 0; j < n->jobs; j++) {
		may_be &= !n->traffic.job[j].ends_run || !under_way[j];
		created[j] = under_way[j] ? 0 : created[j] + 1;
		under_way[j] = 0;
	}
	if (may_be)
		sim_leftovers(n->engine, count_of_job, &(struct counted_events){ n, under_way });
	net_legs_sum(n, under_way, n->jobs);
	for (uint32_t j = 0; j < n->jobs; j++) {
		uint64_t now = may_be && !under_way[j] ? created[j] : 0, before = n->legs->quiet[j];
		bool deaf = n->traffic.job[j].ends_run && !n->traffic.process->wants_acknowledged(&n->traffic, j);
		stuck &= !n->traffic.job[j].ends_run || (deaf && now && now == before);
		n->legs->quiet[j] = now;
	}
	free(under_way);
	return stuck;
}

uint64_t net_applications_next(struct net *n, uint64_t at)
{
	uint64_t left = 0, finished = 0, step = net_round_up(at / LATE + 1, n->legs->unit);
	for (uint32_t j = 0; j < n->jobs; j++)
		if (n->traffic.job[j].ends_run) {
			left += n->traffic.job[j].processes;
			finished += n->shared.job[j].finished;
		}
	net_legs_sum(n, &finished, 1);
	base_checkf(finished <= left, "%llu processes of %llu are finished", (unsigned long long)finished,
	            (unsigned long long)left);
	n->result.stuck = finished < left && are_stuck(n);
	if (finished >= left || at >= n->times.horizon || n->result.stuck)
		return 0;
	return n->times.horizon - at < step ? n->times.horizon : at + step;
}

/* --- what they have read ------------------------------------------------------------------------------------ */

/* Of all ranks' texts the first on rank 0; is there any? Collective. */
static bool tell_first(const struct base_errors *mine, struct base_errors *errors)
{
	uint64_t any = mine->n > 0;
	void *all = NULL;
	size_t bytes = 0;
	sim_max_u64(&any, 1);
	if (!any)
		return false;
	sim_gather_bytes(mine->n ? mine->v[0].text : "", mine->n ? strlen(mine->v[0].text) + 1 : 0, &all, &bytes);
	if (bytes)
		base_errorf(errors, "", "%s", (const char *)all);
	free(all);
	return true;
}

bool net_applications_read_other(struct net *n, struct base_errors *errors)
{
	struct base_errors mine = { 0 };
	uint64_t *least = base_calloc(2 * (size_t)n->jobs, sizeof *least), *most = least + n->jobs;
	for (uint32_t j = 0; j < n->jobs; j++)
		if (n->traffic.job[j].ends_run)
			least[j] = most[j] = n->traffic.process->was_read(&n->traffic, j, &mine);
	sim_min_u64(least, n->jobs);
	sim_max_u64(most, n->jobs);
	for (uint32_t j = 0; j < n->jobs && sim_rank() == 0; j++)
		if (least[j] != most[j])
			base_errorf(&mine, "",
			            "job \"%.100s\": MPI ranks have read different calls: the job's files were changed "
			            "when the run began, or differ between hosts",
			            n->traffic.job[j].name);
	free(least);
	bool other = tell_first(&mine, errors);
	base_errors_free(&mine);
	return other;
}

/* --- what processes report at the end ------------------------------------------------------------------------------
 */

struct waiting_lines {
	FILE *text[2]; /* messages that were never received; which ranks wait */
	uint32_t n[2];
	char name[128]; /* of the job, where there are several */
};

static void add_line(void *arg, bool waits, const char *text)
{
	struct waiting_lines *l = arg;
	if (l->text[waits] && l->n[waits]++ < MOST_LINES)
		fprintf(l->text[waits], "  %s%s\n", l->name, text);
}

/* All ranks' lines on rank 0, no more than MOST_LINES; NULL: none. */
static char *gather_lines(FILE *stream, char **mine, const size_t *bytes)
{
	void *all = NULL;
	size_t n = 0;
	if (stream)
		fclose(stream);
	sim_gather_bytes(*mine, stream ? *bytes : 0, &all, &n);
	free(*mine);
	if (!n) {
		free(all);
		return NULL;
	}
	char *text = base_alloc(n + 1), *end = text;
	memcpy(text, all, n);
	free(all);
	for (uint32_t i = 0; i < MOST_LINES && end; i++)
		end = strchr(end, '\n') ? strchr(end, '\n') + 1 : NULL;
	if (end)
		*end = 0;
	return text;
}

static void report_lp(const struct net *n, const struct net_lp *lp, uint32_t job, struct net_process_report *r)
{
	for (uint32_t t = 0; t < lp->endpoints; t++) {
		uint8_t jobs[256];
		uint32_t found = n->traffic.jobs_at(&n->traffic, lp->first_endpoint + t, jobs);
		for (uint32_t k = 0; k < found; k++)
			for (uint32_t i = 0; jobs[k] == job && i < n->traffic.job[job].per_endpoint; i++) {
				r->state = net_process_at(n, lp, t, i, job) + 1;
				n->traffic.process->report(&n->traffic, job, net_place(n, lp->first_endpoint + t, i),
				                           r);
			}
	}
}

static void tell_under_way(struct waiting_lines *l, uint64_t messages)
{
	char text[100];
	if (!messages || sim_rank() != 0)
		return;
	snprintf(text, sizeof text, "%" PRIu64 " %s under way when the last rank ended", messages,
	         messages == 1 ? "was" : "were");
	add_line(l, false, text);
}

void net_applications_report(struct net *n)
{
	char *text[2] = { NULL, NULL };
	size_t bytes[2];
	struct waiting_lines lines = { .text = { base_memory_stream(&text[0], &bytes[0]),
		                                 base_memory_stream(&text[1], &bytes[1]) } };
	for (uint32_t j = 0; j < n->jobs; j++) {
		struct net_process_report r = { .line = add_line, .arg = &lines };
		if (!n->traffic.job[j].ends_run)
			continue;
		if (n->traffic.jobs > 1)
			snprintf(lines.name, sizeof lines.name, "%.100s: ", n->traffic.job[j].name);
		for (uint32_t i = 0; i < n->count; i++)
			report_lp(n, net_lp_at(n, n->first + i), j, &r);
		uint64_t sums[] = { r.unfinished, r.unreceived, r.truncated, r.under_way, r.incomplete };
		sim_sum_u64(sums, 5);
		if (!sums[0]) { /* else the error says who waits for whom */
			sums[1] += sums[3];
			tell_under_way(&lines, sums[3]);
		}
		n->result.jobs[j].unfinished = sums[0];
		n->result.jobs[j].unreceived = sums[1];
		n->result.jobs[j].truncated = sums[2];
		n->result.jobs[j].incomplete = sums[4];
		n->result.total.unfinished += sums[0];
		n->result.total.unreceived += sums[1];
		n->result.total.truncated += sums[2];
		n->result.total.incomplete += sums[4];
	}
	n->result.unasked = gather_lines(lines.text[0], &text[0], &bytes[0]);
	n->result.waits = gather_lines(lines.text[1], &text[1], &bytes[1]);
}
