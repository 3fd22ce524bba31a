/* workload/mpi/comms.c - see comms.h. The calls of ranks are read until a call creates a communicator with others; when
 * all of them have reached it, it is created, and reading continues. For a communicator's collectives a rank keeps a
 * hash: if those of two ranks differ, both are read once more, side by side, up to the first difference. If they agree
 * except for the bytes that they exchange (amounts.h), all are read once more to find the first pair that differs. */
#include "workload/mpi/comms_search.h"

#include "base/memory.h"
#include "workload/mpi/agree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define OF_COLLECTIVES 8 /* messages of a rank's bytes, more or less */

int mpi_comms_fail_at(struct comm_search *s, uint32_t rank, const struct call_reader *r, const char *what)
{
	char key[260] = "@";
	if (s->source->ops->place)
		s->source->ops->place(s->source, rank, &r->before, key + 1, sizeof key - 1);
	if (s->errors->errors >= WL_MPI_MOST_TOLD)
		return -1;
	return base_errorf(s->errors, key, "rank %" PRIu32 ": %s: %s", rank, mpi_op_name(r->call.op), what);
}

static int fail(struct comm_search *s, uint32_t rank, const char *what)
{
	return mpi_comms_fail_at(s, rank, &s->reader[rank], what);
}

struct comm_handle *mpi_comms_handle(struct call_reader *r, uint32_t name)
{
	for (uint32_t i = 0; i < r->handles; i++)
		if (r->handle[i].name == name)
			return &r->handle[i];
	return NULL;
}

void mpi_comms_give(struct call_reader *r, uint32_t name, uint32_t comm, uint32_t me)
{
	struct comm_handle *h = mpi_comms_handle(r, name);
	if (!h && r->handles == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 4;
		r->handle = base_realloc(r->handle, r->cap * sizeof *r->handle);
	}
	if (!h)
		h = &r->handle[r->handles++];
	*h = (struct comm_handle){ .name = name, .comm = comm, .me = me };
}

static uint32_t add_comm(struct comm_search *s, uint32_t *world, uint32_t n)
{
	struct mpi_comms *c = s->out;
	if (c->comms == c->cap) {
		c->cap = c->cap ? 2 * c->cap : 16;
		c->comm = base_realloc(c->comm, c->cap * sizeof *c->comm);
	}
	c->comm[c->comms] = (struct mpi_comm){ .n = n, .world = world };
	return c->comms++;
}

/* --- calls ------------------------------------------------------------------------------------------------ */

static int no_rank(struct comm_search *s, uint32_t rank, int32_t peer, uint32_t n)
{
	char text[96];
	if (peer == WL_MPI_PROC_NULL || peer == WL_MPI_ANY)
		snprintf(text, sizeof text, "\"%s\" is no rank of the communicator",
		         peer == WL_MPI_ANY ? "any" : "null");
	else
		snprintf(text, sizeof text, "rank %" PRId32 " is none of the %" PRIu32 " of the communicator", peer, n);
	return fail(s, rank, text);
}

static int check_peer(struct comm_search *s, uint32_t rank, int32_t peer, bool any, uint32_t n)
{
	bool fits = (peer >= 0 && (uint32_t)peer < n) || peer == WL_MPI_PROC_NULL || (any && peer == WL_MPI_ANY);
	return fits ? 0 : no_rank(s, rank, peer, n);
}

static int check_call(struct comm_search *s, uint32_t rank, const struct mpi_call *c, const struct comm_handle *h)
{
	const struct mpi_comm *comm = &s->out->comm[h->comm];
	uint32_t n = h->comm == 1 ? 1 : comm->n;
	char why[128];
	bool receives = c->op == WL_MPI_RECV || c->op == WL_MPI_IRECV || c->op == WL_MPI_RECV_INIT ||
	                c->op == WL_MPI_PROBE || c->op == WL_MPI_IPROBE;
	if (mpi_is_collective(c->op)) {
		s->out->collectives |= mpi_collective_bit(c->op);
		if (mpi_is_rooted(c->op) && (c->peer < 0 || (uint32_t)c->peer >= n))
			return no_rank(s, rank, c->peer, n);
		return mpi_amounts_complete(&(struct mpi_amounts){ .call = c, .me = h->me, .n = n }, why, sizeof why)
		           ? 0
		           : fail(s, rank, why);
	}
	bool sends = c->op >= WL_MPI_SEND && c->op <= WL_MPI_RECV_INIT && !receives;
	if ((sends && c->peer != WL_MPI_PROC_NULL && c->tag < 0) || (receives && c->tag < WL_MPI_ANY) ||
	    (c->op == WL_MPI_SENDRECV && c->from_tag < WL_MPI_ANY))
		return fail(s, rank, "its tag is negative");
	if ((c->op == WL_MPI_IRECV || c->op == WL_MPI_RECV_INIT) && c->request == WL_MPI_REQUEST_NULL &&
	    c->peer != WL_MPI_PROC_NULL)
		return fail(s, rank, "the receive has no request");
	if (c->op == WL_MPI_SENDRECV && check_peer(s, rank, c->from, true, n))
		return -1;
	if (c->op >= WL_MPI_SEND && c->op <= WL_MPI_RECV_INIT)
		return check_peer(s, rank, c->peer, receives, n);
	return receives ? check_peer(s, rank, c->peer, true, n) : 0;
}

static bool names_comm(enum mpi_op op)
{
	return (op >= WL_MPI_SEND && op <= WL_MPI_RECV_INIT) || op == WL_MPI_PROBE || op == WL_MPI_IPROBE ||
	       mpi_is_collective(op) || mpi_makes_comm(op) || op == WL_MPI_COMM_FREE;
}

enum mpi_next mpi_comms_read_call(const struct comm_search *s, uint32_t rank, struct call_reader *r)
{
	mpi_call_reset(&r->call);
	r->before = r->at;
	enum mpi_next next = s->source->ops->next(s->source, rank, &r->at, &r->call, s->errors);
	r->over = next == WL_MPI_END;
	return next;
}

/* A rank calls nothing more on a communicator. */
static void done_with(struct comm_search *s, uint32_t rank, const struct comm_handle *h)
{
	if (h->comm == 1) /* MPI_COMM_SELF */
		return;
	if (h->comm >= s->cap_first) {
		uint32_t cap = s->out->cap > 16 ? s->out->cap : 16;
		s->first = base_realloc(s->first, cap * sizeof *s->first);
		memset(s->first + s->cap_first, 0, (cap - s->cap_first) * sizeof *s->first);
		s->cap_first = cap;
	}
	struct comm_first *f = &s->first[h->comm];
	f->amounts += h->amounts;
	if (!f->done++) {
		f->said = h->said;
		f->rank = rank;
	} else if (f->said != h->said) {
		f->odd = true;
		if (s->odds < WL_MPI_MOST_TOLD)
			s->odd[s->odds++] = (struct comm_odd){ h->comm, f->rank, rank };
	}
}

/* Takes a handle away. */
void mpi_comms_drop(struct call_reader *r, struct comm_handle *h)
{
	*h = r->handle[--r->handles];
}

static struct mpi_amounts amounts_of(const struct comm_search *s, const struct comm_handle *h, const struct mpi_call *c)
{
	return (struct mpi_amounts){ .call = c, .me = h->me, .n = s->out->comm[h->comm].n, .number = h->collectives };
}

/* Of MPI_COMM_SELF a rank learns at once, as no other one has a part in it. */
static int say(struct comm_search *s, uint32_t rank, struct comm_handle *h, const struct mpi_call *c)
{
	struct mpi_agreed a = mpi_agreed_of(c);
	struct mpi_amounts amounts = amounts_of(s, h, c);
	char what[96];
	h->said = XXH3_64bits_withSeed(&a, sizeof a, h->said);
	h->amounts += mpi_amounts_sum(&amounts);
	h->collectives++;
	if (h->comm != 1 || !h->amounts)
		return 0;
	mpi_amounts_describe_own(&amounts, what, sizeof what);
	return fail(s, rank, what);
}

/* The ranks' calls are read to their end nevertheless. */
static void check_requests(struct comm_search *s, uint32_t rank)
{
	struct call_reader *r = &s->reader[rank];
	uint64_t handle;
	char what[96];
	if (mpi_requests_note(&r->requests, &r->call, &handle))
		return;
	snprintf(what, sizeof what, "request %" PRIu64 " was not created by any call, or is already complete", handle);
	fail(s, rank, what);
}

/* Reads on until it waits for others, or ends. */
static int read_on(struct comm_search *s, uint32_t rank)
{
	struct call_reader *r = &s->reader[rank];
	while (!r->waits && !r->over) {
		enum mpi_next next = mpi_comms_read_call(s, rank, r);
		if (next == WL_MPI_UNREADABLE)
			return -1;
		for (uint32_t i = 0; i < r->handles && r->over; i++)
			done_with(s, rank, &r->handle[i]);
		if (r->over)
			mpi_requests_free(&r->requests);
		if (r->over)
			break;
		check_requests(s, rank);
		r->digest = mpi_call_digest(&r->call, r->digest);
		const struct mpi_call *c = &r->call;
		s->out->compute_ps += (double)c->compute;
		s->out->bytes += (double)c->bytes * (mpi_is_collective(c->op) ? OF_COLLECTIVES : 1);
		struct comm_handle *h = names_comm(c->op) ? mpi_comms_handle(r, c->comm) : NULL;
		if (names_comm(c->op) && !h)
			return fail(s, rank, "the communicator was not created by any call");
		if (h && check_call(s, rank, c, h))
			return -1;
		if (h && mpi_is_collective(c->op) && say(s, rank, h, c))
			return -1;
		if (c->op == WL_MPI_COMM_FREE && c->comm <= WL_MPI_SELF)
			return fail(s, rank, "MPI_COMM_WORLD is freed");
		if (c->op == WL_MPI_COMM_FREE) {
			done_with(s, rank, h);
			mpi_comms_drop(r, h);
		}
		if (!mpi_makes_comm(c->op))
			continue;
		r->waits = true;
		r->parent = h->comm;
		r->number = c->op == WL_MPI_COMM_CREATE ? 0 : h->calls++; /* ranks outside do not call that */
	}
	return 0;
}

/* --- meetings --------------------------------------------------------------------------------------------- */

uint32_t mpi_comms_world_of(const struct comm_search *s, uint32_t comm, uint32_t rank, uint32_t caller)
{
	return comm == 1 ? caller : s->out->comm[comm].world ? s->out->comm[comm].world[rank] : rank;
}

/* Whether all that a rank waits for are there, into s->mate[]. */
static bool all_there(struct comm_search *s, uint32_t rank)
{
	const struct call_reader *r = &s->reader[rank];
	bool create = r->call.op == WL_MPI_COMM_CREATE;
	uint32_t n = create ? r->call.members.n : r->parent == 1 ? 1 : s->out->comm[r->parent].n;
	s->mates = n;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t in = create ? (uint32_t)r->call.members.v[i] : i;
		uint32_t mate = s->mate[i] = mpi_comms_world_of(s, r->parent, in, rank);
		const struct call_reader *m = &s->reader[mate];
		if (!m->waits || m->parent != r->parent || m->call.op != r->call.op)
			return false;
		if (create ? !mpi_list_same(&m->call.members, &r->call.members) : m->number != r->number)
			return false;
	}
	return true;
}

struct comm_place {
	int32_t color, key;
	uint32_t order, rank;
};

static int by_key(const void *a, const void *b)
{
	const struct comm_place *x = a, *y = b;
	if (x->color != y->color)
		return x->color < y->color ? -1 : 1;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void note_membership(struct comm_search *s, uint32_t rank, uint32_t comm, uint32_t me)
{
	struct mpi_rank_comms *r = &s->out->rank[rank];
	uint32_t name = s->reader[rank].call.new_comm;
	if (comm != WL_MPI_NO_COMM && name <= WL_MPI_SELF)
		fail(s, rank,
		     name ? "the new communicator has the same handle as MPI_COMM_SELF"
		          : "the new communicator has the same handle as MPI_COMM_WORLD");
	if (r->n == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 4;
		r->made = base_realloc(r->made, r->cap * sizeof *r->made);
	}
	r->made[r->n++] = (struct mpi_membership){ comm, me };
	if (comm != WL_MPI_NO_COMM && s->reader[rank].call.new_comm != WL_MPI_COMM_NULL) {
		const struct comm_handle *old = mpi_comms_handle(&s->reader[rank], s->reader[rank].call.new_comm);
		if (old && old->comm != comm) /* used again without MPI_Comm_free */
			done_with(s, rank, old);
		mpi_comms_give(&s->reader[rank], s->reader[rank].call.new_comm, comm, me);
	}
	s->reader[rank].waits = false;
}

static void make_comm(struct comm_search *s, const struct comm_place *place, uint32_t n)
{
	uint32_t *world = base_calloc(n, sizeof *world), comm;
	for (uint32_t i = 0; i < n; i++)
		world[i] = place[i].rank;
	comm = add_comm(s, world, n);
	for (uint32_t i = 0; i < n; i++)
		note_membership(s, place[i].rank, comm, i);
}

/* Of all that have met: those of one colour, by key, become one. */
static void divide(struct comm_search *s)
{
	struct comm_place *place = base_calloc(s->mates, sizeof *place);
	for (uint32_t i = 0; i < s->mates; i++) {
		const struct mpi_call *c = &s->reader[s->mate[i]].call;
		bool split = c->op == WL_MPI_COMM_SPLIT;
		place[i] = (struct comm_place){ split ? c->color : 0, split ? c->key : 0, i, s->mate[i] };
	}
	qsort(place, s->mates, sizeof *place, by_key);
	for (uint32_t i = 0, end; i < s->mates; i = end) {
		for (end = i + 1; end < s->mates && place[end].color == place[i].color; end++)
			;
		for (uint32_t k = i; place[i].color == WL_MPI_NO_COLOR && k < end; k++)
			note_membership(s, place[k].rank, WL_MPI_NO_COMM, 0);
		if (place[i].color != WL_MPI_NO_COLOR)
			make_comm(s, place + i, end - i);
	}
	free(place);
}

static int by_rank(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/* A call of MPI_Comm_create with a group without the rank itself; members that are no ranks, or that are there twice.
 */
static int check_members(struct comm_search *s, uint32_t rank, bool *outside)
{
	const struct call_reader *r = &s->reader[rank];
	uint32_t n = r->parent == 1 ? 1 : s->out->comm[r->parent].n;
	*outside = true;
	for (uint32_t i = 0; i < r->call.members.n; i++) {
		if (r->call.members.v[i] >= n)
			return fail(s, rank, "its group contains a rank that does not belong to the communicator");
		uint32_t in_world = mpi_comms_world_of(s, r->parent, (uint32_t)r->call.members.v[i], rank);
		*outside &= in_world != rank;
		s->mate[i < s->out->ranks ? i : 0] = in_world;
	}
	uint32_t members = r->call.members.n;
	bool twice = members > s->out->ranks;
	if (!twice)
		qsort(s->mate, members, sizeof *s->mate, by_rank);
	for (uint32_t i = 1; i < members && !twice; i++)
		twice = s->mate[i] == s->mate[i - 1];
	return twice ? fail(s, rank, "its group contains a rank twice") : 0;
}

static int meet_in_call(struct comm_search *s, uint32_t rank, bool *moved)
{
	bool outside = false;
	if (s->reader[rank].call.op == WL_MPI_COMM_CREATE && check_members(s, rank, &outside))
		return -1;
	if (!outside && !all_there(s, rank))
		return 0;
	*moved = true;
	if (outside)
		note_membership(s, rank, WL_MPI_NO_COMM, 0);
	else
		divide(s);
	if (s->out->comms < WL_MPI_MOST_COMMS)
		return 0;
	return fail(s, rank, "there are more than 32766 communicators");
}

/* Of one that makes a communicator of some ranks: who of them does not call it, or calls it with another group. */
static void tell_waiting(struct comm_search *s, uint32_t rank)
{
	const struct call_reader *r = &s->reader[rank];
	char what[160] = "not all ranks of the communicator call it";
	const struct mpi_list *group = &r->call.members;
	for (uint32_t i = 0; r->call.op == WL_MPI_COMM_CREATE && i < group->n; i++) {
		uint32_t mate = mpi_comms_world_of(s, r->parent, (uint32_t)group->v[i], rank);
		const struct call_reader *m = &s->reader[mate];
		bool calls = m->waits && m->parent == r->parent && m->call.op == r->call.op;
		const char *how = mpi_groups_differ(group, &m->call.members);
		if (calls && !how)
			continue;
		snprintf(what, sizeof what, "rank %" PRIu32 " of its group %s%s", mate,
		         calls ? "calls it with " : "does not call it", calls ? how : "");
		break;
	}
	fail(s, rank, what);
}

static int read_all(struct comm_search *s)
{
	bool moved = true;
	int status = 0;
	while (moved && !status) {
		moved = false;
		for (uint32_t r = 0; r < s->out->ranks && s->errors->errors < WL_MPI_MOST_TOLD; r++) {
			status |= s->reader[r].waits || s->reader[r].over ? 0 : read_on(s, r);
			if (!status && s->reader[r].waits)
				status = meet_in_call(s, r, &moved);
		}
	}
	for (uint32_t r = 0; r < s->out->ranks && !status; r++)
		if (s->reader[r].waits)
			tell_waiting(s, r);
	return s->errors->errors ? -1 : status;
}

void mpi_comms_begin_reading(struct call_reader *r, uint32_t rank)
{
	mpi_comms_give(r, WL_MPI_WORLD, 0, rank);
	mpi_comms_give(r, WL_MPI_SELF, 1, 0);
}

void mpi_comms_end_reading(struct call_reader *r)
{
	mpi_call_free(&r->call);
	mpi_requests_free(&r->requests);
	free(r->handle);
}

int mpi_comms_find(struct mpi_comms *out, const struct mpi_source *source, struct base_errors *errors)
{
	struct comm_search s = { .out = out, .source = source, .errors = errors };
	*out = (struct mpi_comms){ .ranks = source->ranks };
	out->rank = base_calloc(source->ranks, sizeof *out->rank);
	s.reader = base_calloc(source->ranks, sizeof *s.reader);
	s.mate = base_calloc(source->ranks, sizeof *s.mate);
	add_comm(&s, NULL, source->ranks);
	add_comm(&s, NULL, 1);
	for (uint32_t r = 0; r < source->ranks; r++)
		mpi_comms_begin_reading(&s.reader[r], r);
	int status = read_all(&s);
	for (uint32_t i = 0; i < s.odds && !status; i++)
		mpi_comms_compare(&s, &s.odd[i]);
	if (!status)
		mpi_comms_check_amounts(&s);
	status = status || errors->errors ? -1 : 0;
	for (uint32_t r = 0; r < source->ranks; r++) {
		out->digest = XXH3_64bits_withSeed(&s.reader[r].digest, sizeof s.reader[r].digest, out->digest);
		mpi_comms_end_reading(&s.reader[r]);
	}
	free(s.reader);
	free(s.mate);
	free(s.first);
	if (status)
		mpi_comms_free(out);
	return status;
}

void mpi_comms_free(struct mpi_comms *c)
{
	for (uint32_t i = 0; i < c->comms; i++)
		free(c->comm[i].world);
	for (uint32_t r = 0; c->rank && r < c->ranks; r++)
		free(c->rank[r].made);
	free(c->comm);
	free(c->rank);
	free(c->lonely);
	*c = (struct mpi_comms){ 0 };
}
