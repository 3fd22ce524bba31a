/* network/stats/ranks.c - what ranks of applications have reported, summed over logical processes and MPI ranks. */
#include "base/memory.h"
#include "network/nic/node.h"

#include <stdlib.h>
#include <string.h>

/* --- what is handed on when it is committed ------------------------------------------------------------------ */

void net_rank_records_create(struct net *n)
{
	n->records.steps = (struct net_steps){ 0 };
	n->records.spans = NULL;
	if (!n->config->record.ranks)
		return;
	n->records.spans = base_calloc(n->jobs, sizeof *n->records.spans);
	for (uint32_t j = 0; j < n->jobs; j++)
		n->records.spans[j].ranks = n->traffic.job[j].ranks;
}

void net_rank_records_move(struct net *to, struct net *from)
{
	for (size_t i = 0; i < from->records.steps.n; i++)
		net_steps_add(&to->records.steps, &from->records.steps.v[i]);
	from->records.steps.n = 0;
	for (uint32_t j = 0; from->records.spans && j < from->jobs; j++) {
		net_spans_merge(&to->records.spans[j], &from->records.spans[j]);
		net_spans_free(&from->records.spans[j]);
		from->records.spans[j].shift = 0;
	}
}

void net_rank_records_destroy(struct net *n)
{
	for (uint32_t j = 0; n->records.spans && j < n->jobs; j++)
		net_spans_free(&n->records.spans[j]);
	free(n->records.spans);
	free(n->records.steps.v);
	n->records.spans = NULL;
	n->records.steps = (struct net_steps){ 0 };
}

/* --- lines of ranks ---------------------------------------------------------------------------------------- */

/* A rank's account at the end of the run, with calls that are still active. */
static struct net_rank_line line_of(struct net *n, uint32_t job, const struct net_rank *r, uint32_t endpoint,
                                    uint64_t now)
{
	struct net_rank_line line = { .rank = r->rank, .endpoint = endpoint, .ended = r->state == NET_RANK_ENDED };
	uint64_t at = r->since;
	memcpy(line.ps, r->ps, sizeof r->ps);
	line.end = line.ended ? r->end : now;
	for (unsigned k = 0; k <= NET_WAITS && !line.ended; k++) {
		enum net_doing what = k < NET_WAITS ? k : r->doing;
		uint64_t to = k < NET_WAITS && r->until[k] < now ? r->until[k] : now;
		if (at >= to)
			continue;
		line.ps[what] += to - at;
		if (n->records.spans)
			net_spans_add(&n->records.spans[job], r->rank, what, at, to);
		at = to;
	}
	return line;
}

/* When accounts end: with time.drain = true ranks go on after what is the run's end for the rest. Collective. */
static uint64_t last_time(const struct net *n)
{
	uint64_t last = n->result.reached_ps;
	for (uint32_t i = 0; i < n->count && n->config->time.drain == NET_DRAIN_ON; i++) {
		const struct net_lp *lp = net_lp_at(n, n->first + i);
		const unsigned char *first = n->lp_memory + net_index(n, lp) * n->stride + n->processes.at_ranks;
		for (size_t k = 0; k < (size_t)lp->endpoints * n->endpoints.sources * n->processes.places; k++) {
			const struct net_rank *r = (const void *)(first + k * n->processes.rank_bytes);
			last = r->since > last ? r->since : last;
		}
	}
	sim_max_u64(&last, 1);
	return last;
}

struct rank_lines {
	unsigned char *v; /* struct net_rank_line | struct net_rank_call of each kind */
	size_t n, bytes;
};

static void add_line(struct net *n, struct rank_lines *l, uint32_t job, const struct net_rank *r, uint32_t endpoint,
                     uint64_t now)
{
	struct net_rank_line line = line_of(n, job, r, endpoint, now);
	struct net_rank_call *calls = (struct net_rank_call *)(void *)(l->v + l->n * l->bytes + sizeof line);
	uint32_t kinds = net_call_kinds(n, job);
	memcpy(l->v + l->n++ * l->bytes, &line, sizeof line);
	memcpy(calls, r + 1, kinds * sizeof *calls);
	for (uint32_t k = 0; k < kinds; k++) {
		calls[k].ps += calls[k].open * now;
		if (calls[k].ps >> 63) /* it was to begin behind a computation */
			calls[k].ps = 0;
	}
}

/* Those of the processes of a terminal. */
static void add_lines_at(struct net *n, const struct net_lp *lp, uint32_t terminal, uint32_t job, uint64_t now,
                         size_t most, struct rank_lines *l)
{
	for (uint32_t k = 0; k < n->traffic.job[job].per_endpoint; k++) {
		const struct net_rank *r = net_rank_at(n, lp, terminal, k, job);
		if (r->state != NET_RANK_NONE && l->n < most)
			add_line(n, l, job, r, lp->first_endpoint + terminal, now);
	}
}

/* Those of this MPI rank. */
static struct rank_lines find_lines(struct net *n, uint32_t job, uint64_t now)
{
	struct rank_lines l = { .bytes = sizeof(struct net_rank_line) +
		                         net_call_kinds(n, job) * sizeof(struct net_rank_call) };
	size_t most = 0;
	for (uint32_t i = 0; i < n->count; i++)
		most += (size_t)net_lp_at(n, n->first + i)->endpoints * n->traffic.job[job].per_endpoint;
	most = most < n->traffic.job[job].ranks ? most : n->traffic.job[job].ranks;
	l.v = base_calloc(most + 1, l.bytes);
	for (uint32_t i = 0; i < n->count; i++) {
		const struct net_lp *lp = net_lp_at(n, n->first + i);
		for (uint32_t t = 0; t < lp->endpoints; t++) {
			uint8_t jobs[256];
			uint32_t found = n->traffic.jobs_at(&n->traffic, lp->first_endpoint + t, jobs);
			for (uint32_t k = 0; k < found; k++)
				if (jobs[k] == job)
					add_lines_at(n, lp, t, job, now, most, &l);
		}
	}
	return l;
}

static int by_rank(const void *a, const void *b)
{
	const struct net_rank_line *x = a, *y = b;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* --- sums ---------------------------------------------------------------------------------------------------- */

static void sum_lines(struct net_application *a, const struct rank_lines *l)
{
	uint64_t last[2] = { 0, 0 }; /* end of those that have ended, and how many */
	for (size_t i = 0; i < l->n; i++) {
		const struct net_rank_line *line = (const void *)(l->v + i * l->bytes);
		last[0] = line->end > last[0] ? line->end : last[0];
		last[1] += line->ended;
	}
	sim_max_u64(&last[0], 1);
	sim_sum_u64(&last[1], 1);
	a->end = last[0];
	a->ended = (uint32_t)last[1];
	uint64_t *most = base_calloc(a->kinds + 1, sizeof *most), *sums = base_calloc(2ul * a->kinds + 1, sizeof *sums);
	for (size_t i = 0; i < l->n; i++) {
		struct net_rank_line *line = (void *)(l->v + i * l->bytes);
		const struct net_rank_call *calls = (const void *)(line + 1);
		line->ps[NET_IDLE] = a->end - line->end;
		for (unsigned k = 0; k < NET_TIMES; k++) {
			a->sum[k] += line->ps[k];
			a->most[k] = line->ps[k] > a->most[k] ? line->ps[k] : a->most[k];
		}
		for (uint32_t k = 0; k < a->kinds; k++) {
			sums[2 * k] += calls[k].calls;
			sums[2 * k + 1] += calls[k].ps;
			most[k] = calls[k].ps > most[k] ? calls[k].ps : most[k];
		}
	}
	sim_sum_u64(a->sum, NET_TIMES);
	sim_max_u64(a->most, NET_TIMES);
	sim_sum_u64(sums, 2ul * a->kinds);
	sim_max_u64(most, a->kinds);
	a->time = base_calloc(a->kinds + 1, sizeof *a->time);
	for (uint32_t k = 0; k < a->kinds; k++)
		a->time[k] = (struct net_call_time){ sums[2 * k], sums[2 * k + 1], most[k] };
	free(most);
	free(sums);
}

/* Which MPI rank has the line of a rank of the application: equal parts, in order. */
static int owner_of_line(const void *arg, const void *line)
{
	const struct net_application *a = arg;
	return (int)((uint64_t)((const struct net_rank_line *)line)->rank * (unsigned)sim_ranks() / a->ranks);
}

/* A share of the lines, by rank, those on MPI rank 0 before those on MPI rank 1 and so on. Collective. */
static void share_lines(struct net_application *a, const struct rank_lines *l)
{
	size_t n;
	unsigned char *mine = sim_exchange_records(l->v, l->n, l->bytes, owner_of_line, a, &n);
	qsort(mine, n, l->bytes, by_rank);
	a->lines = n;
	a->line = n ? base_calloc(n, sizeof *a->line) : NULL;
	a->line_call = n ? base_calloc(n * a->kinds + 1, sizeof *a->line_call) : NULL;
	for (size_t i = 0; i < n; i++) {
		const unsigned char *from = mine + i * l->bytes;
		memcpy(&a->line[i], from, sizeof *a->line);
		memcpy(&a->line_call[i * a->kinds], from + sizeof *a->line, a->kinds * sizeof *a->line_call);
	}
	free(mine);
}

static void find_path(struct net *n, uint32_t job, struct net_application *a)
{
	struct net_steps mine = { 0 }, all = { 0 };
	void *bytes;
	size_t size;
	for (size_t i = 0; i < n->records.steps.n; i++)
		if (n->records.steps.v[i].job == job)
			net_steps_add(&mine, &n->records.steps.v[i]);
	sim_gather_bytes(mine.v, mine.n * sizeof *mine.v, &bytes, &size);
	free(mine.v);
	if (!bytes)
		return;
	all.v = bytes;
	all.n = all.cap = size / sizeof *all.v;
	if (a->ended == a->ranks)
		net_path_find(&a->path, &all, job, a->start, n->config->nic.overhead_send,
		              n->config->nic.overhead_receive);
	free(bytes);
}

struct net_application *net_application_make(struct net *n, uint32_t job)
{
	const struct net_traffic_job *t = &n->traffic.job[job];
	if (!t->calls)
		return NULL;
	struct net_application *a = base_alloc(sizeof *a);
	*a = (struct net_application){
		.calls = t->calls, .kinds = net_call_kinds(n, job), .ranks = t->ranks, .start = t->start
	};
	struct rank_lines l = find_lines(n, job, last_time(n));
	sum_lines(a, &l);
	if (n->config->record.ranks) {
		share_lines(a, &l);
		net_spans_sum(&n->records.spans[job]);
		a->spans = n->records.spans[job];
		n->records.spans[job].ps = NULL;
	}
	if (n->config->record.path)
		find_path(n, job, a);
	free(l.v);
	return a;
}

void net_application_free(struct net_application *a)
{
	if (!a)
		return;
	free(a->time);
	free(a->line);
	free(a->line_call);
	net_spans_free(&a->spans);
	free(a->path.stay);
	free(a);
}
