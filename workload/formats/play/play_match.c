/* workload/formats/play/play_match.c - messages and receives of wl_play(): in MPI's order, by source, tag and
 * communicator. */
#include "workload/formats/play/play_state.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

static void append_post(struct play_queue *q, struct play_post *post)
{
	post->next = &q->head;
	post->before = q->head.before;
	post->before->next = post;
	q->head.before = post;
}

static void unlink_post(struct play_post *post)
{
	post->before->next = post->next;
	post->next->before = post->before;
	free(post);
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void play_complete(struct play *p, struct play_request *r, uint64_t ready)
{
	r->post = NULL;
	r->done = true;
	r->ready = ready;
	if (r->free_when_done) {
		free(r);
		return;
	}
	if (!r->awaited)
		return;
	struct play_rank *rank = &p->rank[r->owner];
	r->awaited = false;
	if (!rank->pending) /* it waited for any of several, and one is complete */
		return;
	rank->clock = later(rank->clock, ready);
	if (--rank->pending == 0)
		play_wake(p, r->owner);
}

static bool message_fits(const struct play_post *message, uint32_t source, int32_t tag, uint64_t context)
{
	return message->context == context && (source == UINT32_MAX || source == message->source) &&
	       (tag == WL_MPI_ANY || tag == message->tag);
}

/* What identifies a message in a schedule: its communicator and tag. */
static uint64_t key_of_message(uint64_t context, int32_t tag)
{
	return context << 32 | (uint32_t)tag;
}

/* A send in the schedule that is written. */
static void write_send(struct play *p, uint32_t rank, uint32_t to, const struct mpi_call *c, uint64_t context,
                       struct play_request *request)
{
	if (!p->goal)
		return;
	bool blocks = c->op <= WL_MPI_RSEND;
	p->goal->synchronous += c->op == WL_MPI_SSEND || c->op == WL_MPI_ISSEND || c->op == WL_MPI_SSEND_INIT;
	uint32_t op = to_goal_send(p->goal, rank, to, c->bytes, key_of_message(context, c->tag), blocks);
	if (request)
		request->mark = op;
	if (c->op == WL_MPI_SENDRECV)
		p->rank[rank].sent = op; /* and is waited for with the receive */
}

/* A message and a receive have met. */
static void note_length(struct play *p, uint32_t source, uint32_t dest, int32_t tag, uint64_t bytes, uint64_t room)
{
	struct wl_play *out = p->out;
	if (!room || bytes <= room || out->truncated++) /* 0: it does not say */
		return;
	out->first_truncated = (struct wl_play_message){ .source = source, .dest = dest, .tag = tag, .bytes = bytes };
	out->first_room = room;
}

void play_send(struct play *p, uint32_t rank, const struct mpi_call *c, struct play_request *request, bool synchronous)
{
	struct play_handle *h = play_comm_of(p, rank, c->comm);
	struct play_rank *me = &p->rank[rank];
	if (!h)
		return;
	if (c->peer == WL_MPI_PROC_NULL) {
		if (request)
			play_complete(p, request, me->clock);
		return;
	}
	if (c->peer < 0 || (uint32_t)c->peer >= h->comm->n) {
		play_errorf(p, rank, "there is no rank %" PRId32 " in a communicator of %" PRIu32 " ranks", c->peer,
		            h->comm->n);
		return;
	}
	if (c->tag < 0) {
		play_errorf(p, rank, "its tag is negative");
		return;
	}
	uint32_t to = play_world_rank(h->comm, (uint32_t)c->peer);
	struct wl_play_rank *facts = &p->out->rank[rank];
	facts->sends++;
	facts->send_bytes += c->bytes;
	write_send(p, rank, to, c, h->comm->context, request);
	if (request && !synchronous)
		play_complete(p, request, me->clock);
	struct play_queue *posted = &p->rank[to].posted;
	for (struct play_post *r = posted->head.next; r != &posted->head; r = r->next) {
		if (r->context != h->comm->context || (r->source != UINT32_MAX && r->source != rank) ||
		    (r->tag != WL_MPI_ANY && r->tag != c->tag))
			continue;
		uint64_t ready = later(r->ready, me->clock);
		struct play_request *receive = r->request;
		note_length(p, rank, to, c->tag, c->bytes, r->bytes);
		if (p->goal)
			to_goal_match(p->goal, to, r->mark, rank, c->bytes, key_of_message(r->context, c->tag));
		unlink_post(r);
		if (request && synchronous)
			play_complete(p, request, ready);
		play_complete(p, receive, ready);
		return;
	}
	struct play_post *message = base_alloc(sizeof *message);
	*message = (struct play_post){ .context = h->comm->context,
		                       .bytes = c->bytes,
		                       .ready = me->clock,
		                       .source = rank,
		                       .tag = c->tag,
		                       .request = synchronous ? request : NULL };
	append_post(&p->rank[to].unexpected, message);
	struct play_rank *dest = &p->rank[to];
	if (dest->wait == PLAY_PROBE)
		play_wake(p, to); /* it looks again */
}

/* `second`: the receive of a Sendrecv. */
void play_receive(struct play *p, uint32_t rank, const struct mpi_call *c, bool second, struct play_request *request)
{
	struct play_handle *h = play_comm_of(p, rank, c->comm);
	struct play_rank *me = &p->rank[rank];
	int32_t from = second ? c->from : c->peer, tag = second ? c->from_tag : c->tag;
	if (!h)
		return;
	if (from == WL_MPI_PROC_NULL) {
		play_complete(p, request, me->clock);
		return;
	}
	if (from != WL_MPI_ANY && (from < 0 || (uint32_t)from >= h->comm->n)) {
		play_errorf(p, rank, "there is no rank %" PRId32 " in a communicator of %" PRIu32 " ranks", from,
		            h->comm->n);
		return;
	}
	uint32_t source = from == WL_MPI_ANY ? UINT32_MAX : play_world_rank(h->comm, (uint32_t)from);
	uint64_t bytes = second ? c->from_bytes : c->bytes;
	p->out->rank[rank].receives++;
	p->out->rank[rank].receive_bytes += bytes;
	if (p->goal)
		request->mark = to_goal_receive(p->goal, rank, source, bytes,
		                                tag == WL_MPI_ANY ? UINT64_MAX : key_of_message(h->comm->context, tag),
		                                c->op == WL_MPI_RECV || second);
	for (struct play_post *m = me->unexpected.head.next; m != &me->unexpected.head; m = m->next) {
		if (!message_fits(m, source, tag, h->comm->context))
			continue;
		uint64_t ready = later(m->ready, me->clock);
		struct play_request *sender = m->request;
		note_length(p, m->source, rank, m->tag, m->bytes, bytes);
		if (p->goal)
			to_goal_match(p->goal, rank, request->mark, m->source, m->bytes,
			              key_of_message(m->context, m->tag));
		unlink_post(m);
		if (sender)
			play_complete(p, sender, ready);
		play_complete(p, request, ready);
		return;
	}
	struct play_post *post = base_alloc(sizeof *post);
	*post = (struct play_post){ .context = h->comm->context,
		                    .bytes = bytes,
		                    .ready = me->clock,
		                    .source = source,
		                    .tag = tag,
		                    .request = request,
		                    .mark = request->mark };
	append_post(&me->posted, post);
	request->post = post;
}

void play_probe(struct play *p, uint32_t rank, const struct mpi_call *c)
{
	struct play_handle *h = play_comm_of(p, rank, c->comm);
	struct play_rank *me = &p->rank[rank];
	if (!h || c->peer == WL_MPI_PROC_NULL)
		return;
	if (c->peer != WL_MPI_ANY && (c->peer < 0 || (uint32_t)c->peer >= h->comm->n)) {
		play_errorf(p, rank, "there is no rank %" PRId32 " in a communicator of %" PRIu32 " ranks", c->peer,
		            h->comm->n);
		return;
	}
	uint32_t source = c->peer == WL_MPI_ANY ? UINT32_MAX : play_world_rank(h->comm, (uint32_t)c->peer);
	for (struct play_post *m = me->unexpected.head.next; m != &me->unexpected.head; m = m->next)
		if (message_fits(m, source, c->tag, h->comm->context)) {
			me->clock = later(me->clock, m->ready);
			return;
		}
	me->wait = PLAY_PROBE;
}

void play_withdraw(struct play_request *r)
{
	if (r->post)
		unlink_post(r->post);
	r->post = NULL;
}
