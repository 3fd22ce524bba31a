/* workload/process/mpi_match.c - matching of messages and receives of ranks, in MPI's order: see mpi.h.
 *
 * Each message of a pair of ranks has a number, and is processed after all earlier ones, though it may have overtaken
 * them in the network; messages of different sources are processed in the order of arrival. A message of up to `eager`
 * bytes carries its data, and its send is complete; for a longer one, or a synchronous send, only a request is sent,
 * which the matching receive answers, and then the data follow. A send is complete when its data have left.
 *
 * Tags of the network: kind << 62 | number << 48 | context << 32 | tag; for answers and data: kind << 62 | number. */
#include "workload/process/mpi.h"

enum mpi_message_kind { KIND_EAGER, KIND_REQUEST, KIND_ANSWER, KIND_DATA };
#define NUMBER_MASK 0x3fffu

static uint32_t place_of(const struct mpi_play *x, uint32_t rank)
{
	return wl_process_place(x->p, x->s->member_of[rank]);
}

/* A message for a request: its class is that of the collective that owns the request, or of sends. */
static uint32_t post(struct mpi_play *x, uint32_t request, enum net_send how, uint32_t to, enum mpi_message_kind kind,
                     uint64_t rest, uint64_t bytes)
{
	uint32_t owner = mpi_cell_at(x, request)->request.owner;
	x->call->stream = x->p->stream[owner ? mpi_cell_at(x, owner)->running.op : WL_KIND_SENDS];
	x->busy += net_overhead_send(x->call);
	return net_post_as(x->call, how, place_of(x, to), bytes ? bytes : 1, (uint64_t)kind << 62 | rest);
}

static struct mpi_request *change(struct mpi_play *x, uint32_t request)
{
	return &mpi_cell_change(x, request)->request;
}

void mpi_complete(struct mpi_play *x, uint32_t request)
{
	struct mpi_request *q = change(x, request);
	uint32_t owner = q->owner, flags = q->flags;
	q->flags |= MPI_COMPLETE;
	if (owner) {
		mpi_cell_free(x, request);
		mpi_collect_step(x, owner);
		return;
	}
	if (flags & MPI_AWAITED) {
		q->flags &= (uint16_t)~MPI_AWAITED;
		if (x->rank->waiting && x->rank->waiting != MPI_WAITS_PROBE)
			MPI_SET(x, &x->rank->waiting, x->rank->waiting - 1);
	}
	if (!(flags & MPI_FREED))
		return;
	mpi_forget_request(x, request);
	mpi_cell_free(x, request);
}

/* --- receives --------------------------------------------------------------------------------------------- */

static bool message_fits(uint32_t context, uint32_t source, int32_t tag, const struct mpi_arrived *m)
{
	return context == m->context && (source == WL_MPI_ANYONE || source == m->source) &&
	       (tag == WL_MPI_ANY || tag == m->tag);
}

uint32_t mpi_look(const struct mpi_play *x, uint32_t context, uint32_t source, int32_t tag, uint32_t *previous)
{
	*previous = 0;
	for (uint32_t at = x->rank->unexpected.first; at; *previous = at, at = mpi_next(x, at))
		if (message_fits(context, source, tag, &mpi_cell_at(x, at)->arrived))
			return at;
	return 0;
}

/* A message has come for a receive, which may be too short for it. */
static void note_length(struct mpi_play *x, uint32_t request, uint32_t source, int32_t tag, uint64_t bytes)
{
	const struct mpi_request *q = &mpi_cell_at(x, request)->request;
	bool known = q->bytes > 0 && !q->owner && !(q->context & MPI_COLLECTIVE); /* 0: it does not say */
	if (!known || bytes <= q->bytes)
		return;
	const struct mpi_truncated cut = { .source = source, .tag = tag, .bytes = bytes, .room = q->bytes };
	if (!x->rank->truncated)
		MPI_SET(x, &x->rank->first_truncated, cut);
	MPI_SET(x, &x->rank->truncated, x->rank->truncated + 1);
}

/* They belong together; the message's cell is not used any more. */
static void match_message(struct mpi_play *x, uint32_t request, uint32_t arrived)
{
	const struct mpi_arrived m = mpi_cell_at(x, arrived)->arrived;
	mpi_cell_free(x, arrived);
	if (m.request) /* to itself */
		mpi_complete(x, m.request);
	if (!m.asks) {
		note_length(x, request, m.source, m.tag, m.bytes);
		mpi_complete(x, request);
		return;
	}
	struct mpi_request *q = change(x, request);
	q->peer = m.source;
	q->number = m.number;
	q->tag = m.tag;
	mpi_append(x, &x->rank->data, request);
	post(x, request, NET_SEND_FREE, m.source, KIND_ANSWER, m.number, x->s->control);
}

static void begin_receive(struct mpi_play *x, uint32_t request)
{
	const struct mpi_request *q = &mpi_cell_at(x, request)->request;
	uint32_t previous, arrived = mpi_look(x, q->context, q->peer, q->tag, &previous);
	if (!arrived) {
		mpi_append(x, &x->rank->posted, request);
		return;
	}
	mpi_take_out(x, &x->rank->unexpected, previous, arrived);
	match_message(x, request, arrived);
}

void mpi_cancel(struct mpi_play *x, uint32_t request)
{
	uint32_t previous = 0;
	for (uint32_t at = x->rank->posted.first; at; previous = at, at = mpi_next(x, at)) {
		if (at != request)
			continue;
		mpi_take_out(x, &x->rank->posted, previous, at);
		mpi_complete(x, at);
		return;
	}
}

/* --- sends ------------------------------------------------------------------------------------------------ */

static void accept_arrived(struct mpi_play *x, uint32_t arrived);

/* Past the network: it is there in a moment. */
static void send_to_itself(struct mpi_play *x, uint32_t request)
{
	struct mpi_request *q = change(x, request);
	bool waits = (q->flags & MPI_SYNCHRONOUS || q->bytes > x->s->eager) && !(q->flags & MPI_BUFFERED);
	uint32_t cell = mpi_cell_new(x);
	if (!cell)
		return;
	struct mpi_arrived *m = &mpi_cell_at(x, cell)->arrived;
	*m = (struct mpi_arrived){
		.bytes = q->bytes, .tag = q->tag, .source = x->r, .request = waits ? request : 0, .context = q->context
	};
	accept_arrived(x, cell);
	if (!waits)
		mpi_complete(x, request);
}

static void begin_send(struct mpi_play *x, uint32_t request)
{
	struct mpi_request *q = change(x, request);
	bool asks = q->flags & MPI_SYNCHRONOUS || q->bytes > x->s->eager;
	if (q->peer == x->r) {
		send_to_itself(x, request);
		return;
	}
	uint32_t pair = mpi_pair_of(x, q->peer);
	if (!pair)
		return;
	struct mpi_pair *to = &mpi_cell_change(x, pair)->pair;
	uint32_t number = to->sent++;
	to->own_sent += !(q->context & MPI_COLLECTIVE);
	uint64_t rest = (uint64_t)(number & NUMBER_MASK) << 48 | (uint64_t)q->context << 32 | (uint32_t)q->tag;
	q->number = number;
	post(x, request, q->flags & MPI_BLOCKING ? NET_SEND_BLOCKS : NET_SEND_BEHIND, q->peer,
	     asks ? KIND_REQUEST : KIND_EAGER, rest, asks ? x->s->control : q->bytes);
	if (!asks) {
		mpi_complete(x, request);
		return;
	}
	mpi_append(x, &x->rank->answers, request);
}

/* A buffered send is complete at once; what is left to do is done by a request that no one waits for. */
static uint32_t in_the_background(struct mpi_play *x, uint32_t request)
{
	uint32_t ghost = mpi_cell_new(x);
	if (!ghost)
		return request;
	struct mpi_request *g = &mpi_cell_at(x, ghost)->request;
	*g = mpi_cell_at(x, request)->request;
	g->link = g->next = 0;
	g->flags = MPI_SENDS | MPI_ACTIVE | MPI_FREED | MPI_BUFFERED;
	mpi_complete(x, request);
	return ghost;
}

void mpi_begin(struct mpi_play *x, uint32_t request)
{
	struct mpi_request *q = change(x, request);
	q->flags = (uint16_t)((q->flags | MPI_ACTIVE) & ~(MPI_COMPLETE | MPI_AWAITED));
	if (q->peer == WL_MPI_NO_ONE)
		mpi_complete(x, request);
	else if (q->flags & MPI_SENDS)
		begin_send(x, q->flags & MPI_BUFFERED ? in_the_background(x, request) : request);
	else
		begin_receive(x, request);
}

/* --- what comes ------------------------------------------------------------------------------------------- */

static void accept_arrived(struct mpi_play *x, uint32_t arrived)
{
	const struct mpi_arrived *m = &mpi_cell_at(x, arrived)->arrived;
	uint32_t previous = 0;
	for (uint32_t at = x->rank->posted.first; at; previous = at, at = mpi_next(x, at)) {
		const struct mpi_request *q = &mpi_cell_at(x, at)->request;
		if (!message_fits(q->context, q->peer, q->tag, m))
			continue;
		mpi_take_out(x, &x->rank->posted, previous, at);
		match_message(x, at, arrived);
		return;
	}
	mpi_append(x, &x->rank->unexpected, arrived);
	if (x->rank->waiting == MPI_WAITS_PROBE)
		MPI_SET(x, &x->rank->waiting, 0);
}

/* The message of a source with this number, among those that came too early; 0: it is not there. */
static uint32_t take_early(struct mpi_play *x, uint32_t source, uint32_t number)
{
	uint32_t previous = 0;
	for (uint32_t at = x->rank->early.first; at; previous = at, at = mpi_next(x, at)) {
		const struct mpi_arrived *m = &mpi_cell_at(x, at)->arrived;
		if (m->source != source || m->number != number)
			continue;
		mpi_take_out(x, &x->rank->early, previous, at);
		return at;
	}
	return 0;
}

static void arrive(struct mpi_play *x, uint32_t source, const struct net_message *n)
{
	uint32_t pair = mpi_pair_of(x, source), cell = mpi_cell_new(x), early;
	if (!pair || !cell)
		return;
	uint32_t expected = mpi_cell_at(x, pair)->pair.expected;
	uint32_t number = expected + (((uint32_t)(n->tag >> 48) - expected) & NUMBER_MASK);
	struct mpi_arrived *m = &mpi_cell_at(x, cell)->arrived;
	*m = (struct mpi_arrived){ .bytes = n->bytes,
		                   .tag = (int32_t)(uint32_t)n->tag,
		                   .source = source,
		                   .number = number,
		                   .context = (uint16_t)(n->tag >> 32),
		                   .asks = n->tag >> 62 == KIND_REQUEST };
	if (number != expected) {
		mpi_append(x, &x->rank->early, cell);
		return;
	}
	do {
		struct mpi_pair *from = &mpi_cell_change(x, pair)->pair;
		from->expected = ++number;
		from->own_came += !(mpi_cell_at(x, cell)->arrived.context & MPI_COLLECTIVE);
		accept_arrived(x, cell);
		early = cell = take_early(x, source, number);
	} while (early);
}

/* The first of a list with this peer and number; 0: none. */
static uint32_t find_in_list(const struct mpi_play *x, const struct mpi_list_of *list, uint32_t peer, uint32_t number,
                             uint32_t *previous)
{
	*previous = 0;
	for (uint32_t at = list->first; at; *previous = at, at = mpi_next(x, at)) {
		const struct mpi_request *q = &mpi_cell_at(x, at)->request;
		if (q->peer == peer && q->number == number)
			return at;
	}
	return 0;
}

static void answered(struct mpi_play *x, uint32_t source, uint32_t number)
{
	uint32_t previous, at = find_in_list(x, &x->rank->answers, source, number, &previous);
	if (!at)
		return; /* of an impossible past */
	mpi_take_out(x, &x->rank->answers, previous, at);
	struct mpi_request *q = change(x, at);
	q->message = post(x, at, NET_SEND_FREE, source, KIND_DATA, number, q->bytes);
	mpi_append(x, &x->rank->leaving, at);
}

static void data_came(struct mpi_play *x, uint32_t source, uint32_t number, uint64_t bytes)
{
	uint32_t previous, at = find_in_list(x, &x->rank->data, source, number, &previous);
	if (!at)
		return; /* of an impossible past */
	mpi_take_out(x, &x->rank->data, previous, at);
	note_length(x, at, source, mpi_cell_at(x, at)->request.tag, bytes);
	mpi_complete(x, at);
}

void mpi_delivered(struct mpi_play *x, uint32_t source, const struct net_message *m)
{
	switch ((enum mpi_message_kind)(m->tag >> 62)) {
	case KIND_EAGER:
	case KIND_REQUEST:
		arrive(x, source, m);
		break;
	case KIND_ANSWER:
		answered(x, source, (uint32_t)m->tag);
		break;
	case KIND_DATA:
		data_came(x, source, (uint32_t)m->tag, m->bytes);
		break;
	}
}

void mpi_left(struct mpi_play *x, uint32_t number)
{
	uint32_t previous = 0;
	for (uint32_t at = x->rank->leaving.first; at; previous = at, at = mpi_next(x, at)) {
		if (mpi_cell_at(x, at)->request.message != number)
			continue;
		mpi_take_out(x, &x->rank->leaving, previous, at);
		mpi_complete(x, at);
		return;
	}
}
