/* workload/formats/play/play_meet.c - collectives and communicators of wl_play(): ranks that meet in one call.
 *
 * Ranks in MPI_Barrier, and in calls that create communicators, proceed when all have arrived. In other collectives a
 * rank waits for those whose data it receives; whether MPI lets it leave earlier or later depends on the algorithm.
 * Each meeting checks that all ranks make the same call. */
#include "workload/formats/play/play_state.h"

#include "base/memory.h"
#include "workload/mpi/amounts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void end_meeting(struct play *p, struct play_meeting *m)
{
	struct play_meeting **at = &p->meetings;
	while (*at != m)
		at = &(*at)->next;
	*at = m->next;
	free(m->waiting);
	free(m->there);
	free(m->members.v);
	free(m);
}

void play_end_meetings(struct play *p)
{
	while (p->meetings) {
		struct play_meeting *m = p->meetings;
		for (uint32_t i = 0; i < m->waiters; i++)
			if (m->waiting[i].request && m->waiting[i].request->free_when_done)
				free(m->waiting[i].request);
		end_meeting(p, m);
	}
}

/* The meeting to which a call belongs; it is created if necessary. Collective calls of a communicator meet by their
 * order. MPI_Comm_create is called by members, possibly also by others: it meets by its list. NULL: the ranks disagree.
 */
static struct play_meeting *meet_in_call(struct play *p, uint32_t rank, struct play_handle *h, const struct mpi_call *c)
{
	bool create = c->op == WL_MPI_COMM_CREATE;
	uint64_t number = create ? UINT64_MAX : h->collectives++;
	struct play_meeting *m = p->meetings;
	for (; m; m = m->next)
		if (m->context == h->comm->context && m->number == number &&
		    (!create || mpi_list_same(&m->members, &c->members)))
			break;
	if (!m) {
		m = base_alloc(sizeof *m);
		*m = (struct play_meeting){ .next = p->meetings,
			                    .context = h->comm->context,
			                    .number = number,
			                    .op = c->op,
			                    .wanted = create ? c->members.n : h->comm->n,
			                    .agreed = mpi_agreed_of(c),
			                    .first = rank,
			                    .at = p->rank[rank].before };
		if (c->op == WL_MPI_SCAN || c->op == WL_MPI_EXSCAN)
			m->there = base_calloc(m->wanted, sizeof *m->there);
		for (uint32_t i = 0; i < c->members.n; i++)
			mpi_list_add(&m->members, c->members.v[i]);
		p->meetings = m;
		p->out->collective_operations += mpi_is_collective(c->op);
	}
	struct mpi_agreed own = mpi_agreed_of(c);
	char difference[256];
	if (mpi_agreed_differ(&own, rank, &m->agreed, m->first, difference, sizeof difference))
		play_errorf(p, rank, "%s", difference);
	else if (mpi_is_rooted(c->op) && (uint32_t)c->peer >= h->comm->n)
		play_errorf(p, rank, "the root %" PRId32 " is not a rank of a communicator of %" PRIu32 " ranks",
		            c->peer, h->comm->n);
	return p->failed ? NULL : m;
}

/* --- communicators -------------------------------------------------------------------------------------------- */

static void give_handle(struct play *p, uint32_t rank, uint32_t handle, struct play_comm *comm, uint32_t me)
{
	if (handle <= WL_MPI_SELF) {
		play_errorf(p, rank, "the new communicator has the same handle as %s",
		            handle ? "oneself" : "MPI_COMM_WORLD");
		return;
	}
	uint64_t *slot = wl_map_put(&p->rank[rank].comms, handle);
	struct play_handle *h = (struct play_handle *)(uintptr_t)*slot;
	if (h && h->comm != &p->world)
		play_leave(h->comm); /* used again without MPI_Comm_free */
	else if (!h)
		h = base_alloc(sizeof *h);
	*h = (struct play_handle){ .comm = comm, .me = me };
	*slot = (uint64_t)(uintptr_t)h;
	comm->holders++;
}

static int by_color(const void *a, const void *b)
{
	const struct play_arrival *x = a, *y = b;
	if (x->color != y->color)
		return x->color < y->color ? -1 : 1;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->me < y->me ? -1 : x->me > y->me;
}

/* One communicator of those who arrived and have one colour, in their order by key. */
static void make_comm(struct play *p, const struct play_arrival *a, uint32_t n)
{
	struct play_comm *comm = base_alloc(sizeof *comm);
	*comm = (struct play_comm){ .context = p->contexts++, .n = n, .world = base_calloc(n, sizeof *comm->world) };
	for (uint32_t i = 0; i < n; i++) {
		comm->world[i] = a[i].rank;
		if (a[i].new_handle != WL_MPI_COMM_NULL)
			give_handle(p, a[i].rank, a[i].new_handle, comm, i);
	}
	if (!comm->holders) {
		free(comm->world);
		free(comm);
	}
}

static void make_comms(struct play *p, struct play_meeting *m)
{
	struct play_arrival *a = m->waiting;
	qsort(a, m->waiters, sizeof *a, by_color);
	for (uint32_t i = 0, n; i < m->waiters; i += n) {
		for (n = 1; i + n < m->waiters && a[i + n].color == a[i].color;)
			n++;
		if (a[i].color != WL_MPI_NO_COLOR)
			make_comm(p, a + i, n);
	}
}

/* --- who waits for whom ----------------------------------------------------------------------------------------- */

/* Does every rank contribute something, by its counts? */
static bool all_give(const struct mpi_list *counts)
{
	bool all = true;
	for (uint32_t i = 0; i < counts->n; i++)
		all = all && counts->v[i];
	return all;
}

/* Where not all contribute (counts of 0) it is as if no one was waited for. */
static enum play_need need_of(const struct mpi_call *c, uint32_t me)
{
	bool root = (uint32_t)c->peer == me;
	switch ((int)c->op) {
	case WL_MPI_ALLREDUCE:
	case WL_MPI_ALLGATHER:
	case WL_MPI_ALLTOALL:
	case WL_MPI_REDUCE_SCATTER_BLOCK:
		return c->bytes ? PLAY_NEEDS_ALL : PLAY_NEEDS_NONE;
	case WL_MPI_ALLGATHERV:
		return all_give(&c->counts) ? PLAY_NEEDS_ALL : PLAY_NEEDS_NONE;
	case WL_MPI_ALLTOALLV:
		return all_give(&c->from_counts) ? PLAY_NEEDS_ALL : PLAY_NEEDS_NONE;
	case WL_MPI_REDUCE_SCATTER:
		return me < c->counts.n && c->counts.v[me] ? PLAY_NEEDS_ALL : PLAY_NEEDS_NONE;
	case WL_MPI_BCAST:
	case WL_MPI_SCATTER:
	case WL_MPI_SCATTERV:
		return c->bytes && !root ? PLAY_NEEDS_ROOT : PLAY_NEEDS_NONE;
	case WL_MPI_REDUCE:
	case WL_MPI_GATHER:
		return c->bytes && root ? PLAY_NEEDS_ALL : PLAY_NEEDS_NONE;
	case WL_MPI_GATHERV:
		return root && all_give(&c->counts) ? PLAY_NEEDS_ALL : PLAY_NEEDS_NONE;
	case WL_MPI_SCAN:
	case WL_MPI_EXSCAN:
		return c->bytes ? PLAY_NEEDS_LOWER : PLAY_NEEDS_NONE;
	default: /* a barrier, or a communicator is made */
		return PLAY_NEEDS_ALL;
	}
}

static bool is_met(const struct play_meeting *m, const struct play_arrival *a)
{
	return a->need == PLAY_NEEDS_ROOT    ? m->root_there
	       : a->need == PLAY_NEEDS_LOWER ? m->lower >= a->me
	                                     : a->need == PLAY_NEEDS_NONE || m->arrived == m->wanted;
}

/* Nothing keeps a rank, or its request, any more. */
static void let_go(struct play *p, const struct play_meeting *m, const struct play_arrival *a)
{
	struct play_rank *one = &p->rank[a->rank];
	uint64_t ready = a->need == PLAY_NEEDS_NONE   ? one->clock
	                 : a->need == PLAY_NEEDS_ROOT ? m->root_ready
	                                              : m->ready;
	ready = ready > one->clock ? ready : one->clock;
	if (a->request) {
		play_complete(p, a->request, ready);
		return;
	}
	one->clock = ready;
	if (one->wait == PLAY_MEETING)
		play_wake(p, a->rank);
}

/* Lets all go that can. */
static void release_waiting(struct play *p, struct play_meeting *m)
{
	for (uint32_t i = 0; i < m->waiters;) {
		struct play_arrival a = m->waiting[i];
		if (!is_met(m, &a)) {
			i++;
			continue;
		}
		m->waiting[i] = m->waiting[--m->waiters];
		let_go(p, m, &a);
	}
}

static void wait_in(struct play *p, struct play_meeting *m, const struct play_arrival *a)
{
	if (m->waiters == m->room) {
		m->room = m->room ? 2 * m->room : 4;
		m->waiting = base_realloc(m->waiting, m->room * sizeof *m->waiting);
	}
	m->waiting[m->waiters++] = *a;
	if (!a->request)
		p->rank[a->rank].wait = PLAY_MEETING;
}

/* Notes that a rank has come; true: others than itself may not have to wait any more. */
static bool note_coming(struct play_meeting *m, const struct play_arrival *a, uint64_t clock)
{
	bool root = mpi_is_rooted(m->op) && (uint32_t)m->agreed.root == a->me;
	uint32_t lower = m->lower;
	m->arrived++;
	m->ready = m->ready > clock ? m->ready : clock;
	if (root) {
		m->root_there = true;
		m->root_ready = clock;
	}
	if (m->there)
		m->there[a->me] = true;
	while (m->there && m->lower < m->wanted && m->there[m->lower])
		m->lower++;
	return root || m->lower > lower || m->arrived == m->wanted;
}

/* A rank has arrived at a call. The rank, or its request, waits until those that it needs have arrived. All members of
 * a new communicator are then in the list. */
static void arrive(struct play *p, struct play_meeting *m, struct play_arrival a)
{
	bool news = note_coming(m, &a, p->rank[a.rank].clock), makes = !mpi_is_collective(m->op);
	if (!makes && is_met(m, &a))
		let_go(p, m, &a);
	else
		wait_in(p, m, &a);
	if (makes && m->arrived == m->wanted)
		make_comms(p, m);
	if (news)
		release_waiting(p, m);
	if (m->arrived == m->wanted)
		end_meeting(p, m);
}

static uint32_t world_rank(const void *comm, uint32_t rank)
{
	return play_world_rank(comm, rank);
}

uint32_t play_collective(struct play *p, uint32_t rank, const struct mpi_call *c, struct play_request *request)
{
	struct play_handle *h = play_comm_of(p, rank, c->comm);
	struct play_meeting *m = h ? meet_in_call(p, rank, h, c) : NULL;
	uint32_t mark = 0;
	char why[128];
	if (!m)
		return 0;
	struct mpi_amounts amounts = { .call = c, .me = h->me, .n = h->comm->n };
	if (!mpi_amounts_complete(&amounts, why, sizeof why)) {
		play_errorf(p, rank, "%s", why);
		return 0;
	}
	if (p->goal) {
		struct to_goal_part part = { .call = c,
			                     .ranks = h->comm->n,
			                     .me = h->me,
			                     .world = world_rank,
			                     .data = h->comm,
			                     .key = UINT64_C(1) << 63 | h->comm->context << 32 |
			                            ((h->collectives - 1) & UINT32_MAX) };
		mark = to_goal_collective(p->goal, rank, &part);
	}
	struct play_arrival a = { .rank = rank, .me = h->me, .need = need_of(c, h->me), .request = request };
	m->amounts += mpi_amounts_sum(&amounts);
	p->unequal |= m->arrived + 1 == m->wanted && m->amounts;
	arrive(p, m, a);
	return mark;
}

/* The rank's place in a list of ranks of the parent; UINT32_MAX: it is not in it. */
static uint32_t member_of(const struct mpi_list *members, uint32_t me)
{
	for (uint32_t i = 0; i < members->n; i++)
		if (members->v[i] == me)
			return i;
	return UINT32_MAX;
}

static bool all_different(const struct mpi_list *members, uint32_t ranks)
{
	bool good = true, *seen = base_calloc(ranks, sizeof *seen);
	for (uint32_t i = 0; i < members->n && good; i++) {
		good = members->v[i] < ranks && !seen[members->v[i]];
		if (good)
			seen[members->v[i]] = true;
	}
	free(seen);
	return good;
}

void play_communicator(struct play *p, uint32_t rank, const struct mpi_call *c)
{
	struct play_handle *h = play_comm_of(p, rank, c->comm);
	if (!h)
		return;
	if (c->op == WL_MPI_COMM_FREE) {
		if (c->comm <= WL_MPI_SELF) {
			play_errorf(p, rank, "MPI_COMM_WORLD is freed");
			return;
		}
		play_leave(h->comm);
		free(h);
		wl_map_remove(&p->rank[rank].comms, c->comm);
		return;
	}
	struct play_arrival a = { .rank = rank, .me = h->me, .new_handle = c->new_comm, .need = PLAY_NEEDS_ALL };
	if (c->op == WL_MPI_COMM_SPLIT) {
		a.color = c->color;
		a.key = c->key;
	} else if (c->op == WL_MPI_COMM_CREATE) {
		uint32_t place = member_of(&c->members, h->me);
		if (place == UINT32_MAX)
			return;
		if (!all_different(&c->members, h->comm->n)) {
			play_errorf(p, rank, "the group contains a rank twice, or one that does not exist");
			return;
		}
		a.key = (int32_t)place;
	}
	struct play_meeting *m = meet_in_call(p, rank, h, c);
	if (m)
		arrive(p, m, a);
}

/* A rank of a meeting's communicator that has not called it; UINT32_MAX: all that have not have freed it. */
static uint32_t absent(const struct play *p, const struct play_meeting *m)
{
	for (uint32_t rank = 0; rank < p->source->ranks; rank++) {
		const struct wl_map *comms = &p->rank[rank].comms;
		for (size_t i = 0; i < comms->slots; i++) {
			const struct play_handle *h = (const struct play_handle *)(uintptr_t)comms->entry[i].value;
			if (comms->used[i] && h->comm->context == m->context && h->collectives <= m->number)
				return rank;
		}
	}
	return UINT32_MAX;
}

void play_tell_incomplete(struct play *p, uint32_t most)
{
	for (const struct play_meeting *m = p->meetings; m; m = m->next) {
		char who[64] = "the others do not";
		p->out->incomplete++;
		if (m->waiters || p->out->incomplete > most) /* who waits in it is reported as stuck */
			continue;
		uint32_t rank = absent(p, m);
		if (rank != UINT32_MAX)
			snprintf(who, sizeof who, "rank %" PRIu32 " does not", rank);
		p->rank[m->first].before = m->at;
		p->rank[m->first].call.op = m->op;
		play_errorf(p, m->first, "%" PRIu32 " of %" PRIu32 " ranks call%s it: %s", m->arrived, m->wanted,
		            m->arrived == 1 ? "s" : "", who);
	}
}

/* For a meeting that creates a communicator: another meeting with different members, at which a rank waits that this
 * one needs. NULL: there is none. */
static const char *other_group(const struct play *p, const struct play_meeting *m, uint32_t *rank)
{
	for (const struct play_meeting *o = p->meetings; o; o = o->next)
		for (uint32_t i = 0; i < o->waiters; i++)
			if (o != m && o->context == m->context && o->op == m->op &&
			    member_of(&m->members, o->waiting[i].me) != UINT32_MAX) {
				*rank = o->waiting[i].rank;
				return mpi_groups_differ(&m->members, &o->members);
			}
	return NULL;
}

bool play_describe_meeting(const struct play *p, uint32_t rank, char *out, size_t room)
{
	for (const struct play_meeting *m = p->meetings; m; m = m->next)
		for (uint32_t i = 0; i < m->waiters; i++) {
			const struct play_arrival *a = &m->waiting[i];
			const char *call = a->request ? mpi_op_name(m->op) : "it", *how;
			uint32_t other;
			if (a->rank != rank || (a->request && !a->request->awaited))
				continue;
			if (a->need == PLAY_NEEDS_ROOT)
				snprintf(out, room, "for its root, %" PRId32 ", to call %s", m->agreed.root, call);
			else if (a->need == PLAY_NEEDS_LOWER)
				snprintf(out, room, "for all ranks before its own to call %s", call);
			else if ((how = other_group(p, m, &other)))
				snprintf(out, room,
				         "for %" PRIu32 " more of %" PRIu32 " ranks to call %s: rank %" PRIu32
				         " calls it with %s",
				         m->wanted - m->arrived, m->wanted, call, other, how);
			else
				snprintf(out, room, "for %" PRIu32 " more of %" PRIu32 " ranks to call %s",
				         m->wanted - m->arrived, m->wanted, call);
			return true;
		}
	return false;
}
