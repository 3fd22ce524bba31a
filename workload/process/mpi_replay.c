/* workload/process/mpi_replay.c - processes of MPI calls: built from a source, called by the network, and their reports
 * at the end. See mpi.h. */
#include "base/memory.h"
#include "workload/process/mapping.h"
#include "workload/process/mpi.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define MOST_CELLS (1u << 18)
#define LEAST_CELLS (1u << 12)
#define TIGHT_CELLS (1u << 8)        /* where addresses are limited */
#define MOST_BYTES ((size_t)1 << 34) /* of addresses, for the cells of all ranks but that each has LEAST_CELLS */

/* --- building --------------------------------------------------------------------------------------------- */

static size_t cell_bytes(const struct mpi_replay *s)
{
	return (size_t)s->source.ranks * s->cells * sizeof *s->cell;
}

static size_t bucket_bytes(const struct mpi_replay *s)
{
	return s->source.ranks * sizeof *s->bucket;
}

static void map(struct mpi_replay *s)
{
	struct rlimit limit;
	size_t most = MOST_BYTES, least = LEAST_CELLS;
	if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur / 4 < most) { /* ulimit -v */
		most = (size_t)limit.rlim_cur / 4;
		least = TIGHT_CELLS;
	}
	size_t each = most / s->source.ranks / sizeof *s->cell;
	s->cells = each > MOST_CELLS ? MOST_CELLS : each < least ? (uint32_t)least : (uint32_t)each;
	s->rank = base_map(s->source.ranks * sizeof *s->rank);
	s->bucket = base_map(bucket_bytes(s));
	s->cell = base_map(cell_bytes(s));
	/* ranks touch a few pages each, far from each other */
	(void)madvise(s->cell, cell_bytes(s), MADV_NOHUGEPAGE);
}

void wl_mpi_destroy(struct wl_process *p)
{
	struct mpi_replay *s = mpi_replay_of(p);
	if (!s)
		return;
	if (s->rank) {
		base_unmap(s->rank, s->source.ranks * sizeof *s->rank);
		base_unmap(s->bucket, bucket_bytes(s));
		base_unmap(s->cell, cell_bytes(s));
	}
	mpi_comms_free(&s->comms);
	s->source.ops->close(&s->source);
	free(s->member_of);
	free(s->rank_of);
	free(s);
	p->word[0] = 0;
}

static int read_settings(struct mpi_replay *s, const struct wl_process *p, struct base_errors *errors)
{
	const struct mpi_params *q = p->params;
	const char *scope = errors->scope;
	errors->scope = "mpi";
	int status = mpi_choices_read(&s->choices, p->mpi->collectives, "collectives", errors);
	errors->scope = scope;
	s->eager = p->mpi->eager;
	s->control = p->mpi->control;
	s->overhead = p->mpi->overhead;
	s->compute_scale = q->compute_scale;
	return status;
}

int wl_mpi_build(struct wl_process *p, struct mpi_source source, struct base_errors *errors)
{
	struct mpi_replay *s = base_alloc(sizeof *s);
	struct base_errors found = { 0 };
	*s = (struct mpi_replay){ .source = source };
	p->word[0] = (uintptr_t)s;
	p->other_size = 1; /* the least that a message may be */
	p->calls = mpi_call_names();
	p->ranks = source.ranks;
	int status = mpi_comms_find(&s->comms, &s->source, &found);
	wl_process_pass_on(&found, p->plugin->params[0].name, errors);
	status |= read_settings(s, p, errors);
	p->collectives = s->comms.collectives;
	p->work_ps = s->comms.compute_ps * s->compute_scale;
	p->work_bytes = s->comms.bytes;
	if (!status)
		status = wl_mapping_make(p, source.ranks, 1, &s->member_of, &s->rank_of, errors);
	if (status)
		wl_mpi_destroy(p);
	else
		map(s);
	return status ? -1 : 0;
}

/* --- calls of the network ----------------------------------------------------------------------------------- */

static uint32_t rank_at(const struct wl_process *p, uint32_t me)
{
	return me < p->members ? mpi_replay_of(p)->rank_of[me] : WL_NO_RANK;
}

static struct mpi_play begin_call(const struct wl_process *p, struct net_process_call *call, uint32_t r)
{
	struct mpi_replay *s = mpi_replay_of(p);
	net_save(call, &s->rank[r], sizeof s->rank[r]);
	return (struct mpi_play){
		.p = p, .s = s, .call = call, .r = r, .rank = &s->rank[r], .cell = s->cell + (size_t)r * s->cells
	};
}

/* What has happened may let the rank go on. */
static void end_call(struct mpi_play *x)
{
	mpi_go_on(x);
	mpi_call_free(&x->now);
	mpi_call_free(&x->old);
}

void wl_mpi_start(const struct wl_process *p, struct net_process_call *call, uint32_t me)
{
	uint32_t r = rank_at(p, me);
	if (r == WL_NO_RANK) {
		net_finished(call);
		return;
	}
	struct mpi_play x = begin_call(p, call, r);
	net_rank_begins(call, r);
	mpi_name_comm(&x, WL_MPI_WORLD, (struct mpi_membership){ 0, r });
	mpi_name_comm(&x, WL_MPI_SELF, (struct mpi_membership){ 1, 0 });
	end_call(&x);
}

void wl_mpi_delivered(const struct wl_process *p, struct net_process_call *call, uint32_t me,
                      const struct net_message *m)
{
	uint32_t r = rank_at(p, me), source = rank_at(p, wl_process_member(p, m->peer));
	if (r == WL_NO_RANK || source == WL_NO_RANK)
		return; /* of an impossible past */
	struct mpi_play x = begin_call(p, call, r);
	mpi_delivered(&x, source, m);
	end_call(&x);
}

void wl_mpi_sent(const struct wl_process *p, struct net_process_call *call, uint32_t me, const struct net_message *m)
{
	uint32_t r = rank_at(p, me);
	if (r == WL_NO_RANK || !mpi_replay_of(p)->rank[r].leaving.first)
		return; /* of an eager message or of a control message */
	struct mpi_play x = begin_call(p, call, r);
	mpi_left(&x, m->number);
	end_call(&x);
}

void wl_mpi_timer(const struct wl_process *p, struct net_process_call *call, uint32_t me, uint64_t what)
{
	struct mpi_play x = begin_call(p, call, rank_at(p, me));
	(void)what;
	x.rank->timed = false;
	end_call(&x);
}

size_t wl_mpi_state_bytes(const struct wl_process *p)
{
	(void)p;
	return 8;
}

void wl_mpi_regions(const struct wl_process *p, uint32_t me, void (*visit)(void *arg, void *at, size_t bytes),
                    void *arg)
{
	const struct mpi_replay *s = mpi_replay_of(p);
	uint32_t r = rank_at(p, me);
	if (r == WL_NO_RANK)
		return;
	visit(arg, &s->rank[r], sizeof s->rank[r]);
	visit(arg, &s->bucket[r], sizeof s->bucket[r]);
	if (s->rank[r].used)
		visit(arg, s->cell + (size_t)r * s->cells, s->rank[r].used * sizeof *s->cell);
}

/* --- what is reported at the end ---------------------------------------------------------------------------- */

struct replay_teller {
	const struct mpi_replay *s;
	uint32_t r;
	const union mpi_cell *cell;
	struct net_process_report *report;
	char call[64], place[200];
};

static void set_call(struct replay_teller *t)
{
	const struct mpi_source *source = &t->s->source;
	struct mpi_call call = { 0 };
	struct mpi_cursor at = t->s->rank[t->r].at;
	bool is = source->ops->next(source, t->r, &at, &call, NULL) == WL_MPI_CALL;
	snprintf(t->call, sizeof t->call, "%s", is ? mpi_op_name(call.op) : "its last call");
	at = t->s->rank[t->r].at;
	if (source->ops->place)
		source->ops->place(source, t->r, &at, t->place, sizeof t->place);
	mpi_call_free(&call);
}

static void tell_request(const struct replay_teller *t, uint32_t cell, const char *what)
{
	const struct mpi_request *q = &t->cell[cell - 1].request;
	char peer[32] = "any rank", tag[32] = "any tag", text[512];
	if (q->peer != WL_MPI_ANYONE)
		snprintf(peer, sizeof peer, "rank %" PRIu32, q->peer);
	if (q->tag != WL_MPI_ANY)
		snprintf(tag, sizeof tag, "tag %" PRId32, q->tag);
	if (q->context & MPI_COLLECTIVE)
		snprintf(text, sizeof text, "rank %" PRIu32 ": %s%s%s: its collective waits for %s", t->r, t->call,
		         *t->place ? ", " : "", t->place, peer);
	else
		snprintf(text, sizeof text, "rank %" PRIu32 ": %s%s%s: %s %s, %s, %" PRIu64 " B: %s", t->r, t->call,
		         *t->place ? ", " : "", t->place, q->flags & MPI_SENDS ? "send to" : "receive from", peer, tag,
		         q->bytes, what);
	t->report->line(t->report->arg, true, text);
}

static void tell_list(const struct replay_teller *t, const struct mpi_list_of *list, const char *what)
{
	for (uint32_t at = list->first; at; at = t->cell[at - 1].request.next)
		tell_request(t, at, what);
}

static void tell_unexpected(const struct replay_teller *t, const struct mpi_list_of *list)
{
	char text[256];
	for (uint32_t at = list->first; at; at = t->cell[at - 1].arrived.next) {
		const struct mpi_arrived *m = &t->cell[at - 1].arrived;
		if (m->context & MPI_COLLECTIVE)
			continue;
		t->report->unreceived += !m->asks;
		if (m->asks)
			snprintf(text, sizeof text,
			         "rank %" PRIu32 ": a message to rank %" PRIu32 ", tag %" PRId32 ": not received",
			         m->source, t->r, m->tag);
		else
			snprintf(text, sizeof text,
			         "rank %" PRIu32 " to rank %" PRIu32 ", tag %" PRId32 ", %" PRIu64 " B: not received",
			         m->source, t->r, m->tag, m->bytes);
		t->report->line(t->report->arg, m->asks, text);
	}
}

/* Long messages that a rank which has ended has answered, and not got. Returns how many. */
static uint64_t tell_data(const struct replay_teller *t, const struct mpi_list_of *list)
{
	uint64_t n = 0;
	char text[256];
	for (uint32_t at = list->first; at; at = t->cell[at - 1].request.next) {
		const struct mpi_request *q = &t->cell[at - 1].request;
		if (q->context & MPI_COLLECTIVE)
			continue;
		snprintf(text, sizeof text,
		         "rank %" PRIu32 " to rank %" PRIu32 ", tag %" PRId32
		         ": its receive was there, its data have not arrived",
		         q->peer, t->r, q->tag);
		t->report->line(t->report->arg, false, text);
		n++;
	}
	return n;
}

static void tell_lonely(const struct mpi_lonely *l, uint32_t rank, struct net_process_report *r)
{
	char text[400];
	if (l->rank != rank)
		return;
	r->incomplete++;
	snprintf(text, sizeof text, "rank %" PRIu32 ": %s%s%s: rank %" PRIu32 " of its communicator does not call it",
	         rank, mpi_op_name(l->op), *l->place ? ", " : "", l->place, l->absent);
	r->line(r->arg, false, text);
}

void wl_mpi_report(const struct wl_process *p, uint32_t me, struct net_process_report *r)
{
	const struct mpi_replay *s = mpi_replay_of(p);
	uint32_t rank = rank_at(p, me);
	if (rank == WL_NO_RANK)
		return;
	const struct mpi_rank *x = &s->rank[rank];
	struct replay_teller t = { .s = s, .r = rank, .cell = s->cell + (size_t)rank * s->cells, .report = r };
	set_call(&t);
	r->truncated += x->truncated;
	if (x->truncated) {
		const struct mpi_truncated *c = &x->first_truncated;
		char text[300];
		snprintf(text, sizeof text,
		         "rank %" PRIu32 " to rank %" PRIu32 ", tag %" PRId32 ", %" PRIu64
		         " B: longer than its receive of %" PRIu64 " B%s",
		         c->source, rank, c->tag, c->bytes, c->room,
		         x->truncated > 1 ? ", and others to this rank" : "");
		r->line(r->arg, false, text);
	}
	for (uint32_t i = 0; i < s->comms.lonelies; i++)
		tell_lonely(&s->comms.lonely[i], rank, r);
	if (!x->over) {
		char text[300];
		r->unfinished++;
		tell_list(&t, &x->posted, "no matching message was sent");
		tell_list(&t, &x->answers, "not received");
		tell_list(&t, &x->data, "its data have not arrived");
		if (!x->posted.first && !x->answers.first && !x->data.first) {
			snprintf(text, sizeof text, "rank %" PRIu32 ": %s%s%s: has not ended", rank, t.call,
			         *t.place ? ", " : "", t.place);
			r->line(r->arg, true, text);
		}
	}
	if (x->over)
		r->under_way += tell_data(&t, &x->data);
	tell_unexpected(&t, &x->unexpected);
	uint64_t in_order = r->unreceived;
	tell_unexpected(&t, &x->early);
	r->under_way += mpi_under_way(s, rank) - (r->unreceived - in_order);
}

uint64_t wl_mpi_was_read(const struct wl_process *p, struct base_errors *errors)
{
	const struct mpi_replay *s = mpi_replay_of(p);
	char path[1200];
	if (s->source.ops->changed && s->source.ops->changed(&s->source, path, sizeof path))
		base_errorf(errors, p->plugin->params[0].name, "%s was changed during the run, so there are no results",
		            path);
	return s->comms.digest;
}
