/* workload/formats/play/play.c - see play.h */
#include "workload/formats/play/play.h"

#include "base/memory.h"
#include "workload/formats/bytes.h"
#include "workload/formats/play/play_state.h"
#include "workload/mpi/comms.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define STUCK_TOLD 20u

void play_errorf(struct play *p, uint32_t rank, const char *fmt, ...)
{
	char where[600] = "", text[400];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (p->source->ops->place)
		p->source->ops->place(p->source, rank, &p->rank[rank].before, where, sizeof where);
	else
		snprintf(where, sizeof where, "rank %" PRIu32, rank);
	char key[640];
	snprintf(key, sizeof key, "@%s", where);
	base_errorf(p->errors, key, "%s: %s", mpi_op_name(p->rank[rank].call.op), text);
	p->failed = true;
}

/* --- who may go on -------------------------------------------------------------------------------------------- */

static bool sooner(const struct play *p, uint32_t a, uint32_t b)
{
	uint64_t x = p->rank[a].clock, y = p->rank[b].clock;
	return x != y ? x < y : a < b;
}

void play_wake(struct play *p, uint32_t rank)
{
	if (p->rank[rank].queued)
		return;
	uint32_t i = p->heaped++;
	p->rank[rank].queued = true;
	p->rank[rank].wait = p->rank[rank].wait == PLAY_PROBE ? PLAY_PROBES_AGAIN : PLAY_RUNS;
	for (; i && sooner(p, rank, p->heap[(i - 1) / 2]); i = (i - 1) / 2)
		p->heap[i] = p->heap[(i - 1) / 2];
	p->heap[i] = rank;
}

static uint32_t next_rank(struct play *p)
{
	uint32_t first = p->heap[0], last = p->heap[--p->heaped], i = 0;
	for (uint32_t child = 1; child < p->heaped; i = child, child = 2 * i + 1) {
		if (child + 1 < p->heaped && sooner(p, p->heap[child + 1], p->heap[child]))
			child++;
		if (!sooner(p, p->heap[child], last))
			break;
		p->heap[i] = p->heap[child];
	}
	p->heap[i] = last;
	p->rank[first].queued = false;
	return first;
}

/* --- communicators and requests ------------------------------------------------------------------------------- */

uint32_t play_world_rank(const struct play_comm *comm, uint32_t rank)
{
	return comm->world ? comm->world[rank] : comm->n == 1 ? comm->self : rank;
}

void play_leave(struct play_comm *comm)
{
	if (--comm->holders)
		return;
	free(comm->world);
	free(comm);
}

struct play_handle *play_comm_of(struct play *p, uint32_t rank, uint32_t handle)
{
	const uint64_t *slot = wl_map_find(&p->rank[rank].comms, handle);
	if (!slot)
		play_errorf(p, rank, "the communicator was not created by any call");
	return slot ? (struct play_handle *)(uintptr_t)*slot : NULL;
}

static struct play_request *request_of(struct play *p, uint32_t rank, uint64_t handle)
{
	const uint64_t *slot = wl_map_find(&p->rank[rank].requests, handle);
	if (!slot)
		play_errorf(p, rank, "request %" PRIu64 " was not created by any call, or is already complete", handle);
	return slot ? /* NULL: it is complete, and the source could not know */ (struct play_request *)(uintptr_t)*slot
	            : NULL;
}

/* Forgets a handle; a receive that is still posted stays so. */
static void drop_request(struct play *p, uint32_t rank, uint64_t handle, struct play_request *r)
{
	if (--r->uses)
		return;
	if (p->rank[rank].found_out)
		*wl_map_put(&p->rank[rank].requests, handle) = 0;
	else
		wl_map_remove(&p->rank[rank].requests, handle);
	if (r->active && !r->done)
		r->free_when_done = true;
	else
		free(r);
}

static struct play_request *new_request(struct play *p, uint32_t rank, const struct mpi_call *c)
{
	bool sends = c->op >= WL_MPI_ISEND && c->op <= WL_MPI_IRSEND;
	uint64_t *slot = wl_map_put(&p->rank[rank].requests, c->request);
	struct play_request *old = (struct play_request *)(uintptr_t)*slot;
	if (old && sends && old->done && !old->persistent && !old->receive) {
		old->uses++; /* MPICH: one handle for sends that are complete at once */
		return old;
	}
	if (old) {
		old->uses = 1;
		drop_request(p, rank, c->request, old);
		slot = wl_map_put(&p->rank[rank].requests, c->request);
	}
	struct play_request *r = base_alloc(sizeof *r);
	r->uses = 1;
	r->owner = rank;
	*slot = (uint64_t)(uintptr_t)r;
	return r;
}

/* --- calls ---------------------------------------------------------------------------------------------------- */

static bool synchronous(enum mpi_op op)
{
	return op == WL_MPI_SSEND || op == WL_MPI_ISSEND || op == WL_MPI_SSEND_INIT;
}

static void wait_for(struct play *p, uint32_t rank, struct play_request *r)
{
	struct play_rank *me = &p->rank[rank];
	if (r->done) {
		me->clock = r->ready > me->clock ? r->ready : me->clock;
	} else if (!r->awaited) {
		r->awaited = true;
		me->pending++;
		me->wait = PLAY_REQUESTS;
	}
}

static struct play_request *own_request(struct play *p, uint32_t rank)
{
	struct play_request *own = &p->rank[rank].own;
	*own = (struct play_request){ .active = true, .owner = rank, .uses = 1 };
	return own;
}

static void start_request(struct play *p, uint32_t rank, struct play_request *r)
{
	r->active = true;
	r->done = false;
	if (r->receive)
		play_receive(p, rank, &r->what, false, r);
	else
		play_send(p, rank, &r->what, r, synchronous(r->what.op));
}

static void point_to_point(struct play *p, uint32_t rank, const struct mpi_call *c)
{
	switch ((int)c->op) {
	case WL_MPI_SEND:
	case WL_MPI_BSEND:
	case WL_MPI_RSEND:
		play_send(p, rank, c, NULL, false);
		return;
	case WL_MPI_SSEND:
		play_send(p, rank, c, own_request(p, rank), true);
		break;
	case WL_MPI_RECV:
		play_receive(p, rank, c, false, own_request(p, rank));
		break;
	default: /* both */
		play_send(p, rank, c, NULL, false);
		if (!p->failed)
			play_receive(p, rank, c, true, own_request(p, rank));
		if (p->goal)
			to_goal_wait(p->goal, rank, p->rank[rank].sent);
		p->rank[rank].sent = 0;
	}
	if (!p->failed)
		wait_for(p, rank, &p->rank[rank].own);
}

static void later(struct play *p, uint32_t rank, const struct mpi_call *c)
{
	bool receive = c->op == WL_MPI_IRECV || c->op == WL_MPI_RECV_INIT;
	if (c->request == WL_MPI_REQUEST_NULL) { /* to or from no rank, in some libraries */
		struct play_request none = { .free_when_done = false, .owner = rank };
		if (c->peer != WL_MPI_PROC_NULL && receive)
			play_errorf(p, rank, "the receive has no request");
		else if (c->peer != WL_MPI_PROC_NULL)
			play_send(p, rank, c, synchronous(c->op) ? NULL : &none, false);
		return;
	}
	struct play_request *r = new_request(p, rank, c);
	r->receive = receive;
	r->persistent = c->op >= WL_MPI_SEND_INIT && c->op <= WL_MPI_RECV_INIT;
	if (r->persistent) {
		r->what = *c;
		r->what.requests = r->what.completed = r->what.counts = r->what.from_counts = r->what.members =
		    (struct mpi_list){ 0 };
		return;
	}
	r->active = true;
	if (r->receive)
		play_receive(p, rank, c, false, r);
	else if (r->uses == 1)
		play_send(p, rank, c, r, synchronous(c->op));
	else
		play_send(p, rank, c, NULL, false);
}

/* Does the source leave open what the call completes? */
static bool undecided(const struct mpi_call *c)
{
	return c->op > WL_MPI_WAITALL && c->op <= WL_MPI_TESTSOME && !c->outcome_known;
}

/* Finds out what a call completes of which the source does not know it, or waits until something is complete. */
static void decide(struct play *p, uint32_t rank, struct mpi_call *c)
{
	bool one = c->op == WL_MPI_WAITANY || c->op == WL_MPI_TESTANY;
	struct play_rank *me = &p->rank[rank];
	struct mpi_list open = { 0 };
	for (uint32_t i = 0; i < c->requests.n && !p->failed; i++) {
		uint64_t handle = c->requests.v[i];
		struct play_request *r = handle == WL_MPI_REQUEST_NULL ? NULL : request_of(p, rank, handle);
		if (r)
			r->awaited = false;
		if (!r || !r->active)
			continue;
		if (!r->done)
			mpi_list_add(&open, (uint64_t)(uintptr_t)r);
		else if (!one || !c->completed.n)
			mpi_list_add(&c->completed, handle);
	}
	if (c->op == WL_MPI_TESTALL && open.n)
		c->completed.n = 0;
	c->outcome_known = c->op > WL_MPI_WAITSOME || c->completed.n || !open.n;
	me->found_out = true;
	for (uint32_t i = 0; i < open.n && !c->outcome_known; i++) {
		((struct play_request *)(uintptr_t)open.v[i])->awaited = true;
		me->pending = 1; /* whichever is first */
		me->wait = PLAY_REQUESTS;
	}
	free(open.v);
}

/* Those that the call completes: all, or those that the recorded call gave. */
static const struct mpi_list *completed_by(const struct mpi_call *c)
{
	return c->op == WL_MPI_WAITALL ? &c->requests : &c->completed;
}

static void begin_wait(struct play *p, uint32_t rank, struct mpi_call *c)
{
	bool finds_out = undecided(c);
	if (finds_out)
		decide(p, rank, c);
	const struct mpi_list *list = completed_by(c);
	for (uint32_t i = 0; i < c->requests.n && c->op <= WL_MPI_WAITSOME; i++)
		p->out->null_requests += c->requests.v[i] == WL_MPI_REQUEST_NULL;
	for (uint32_t i = 0; i < list->n && !finds_out && !p->failed; i++) {
		struct play_request *r = list->v[i] == WL_MPI_REQUEST_NULL ? NULL : request_of(p, rank, list->v[i]);
		if (r && r->active)
			wait_for(p, rank, r);
	}
}

/* What was waited for is complete: handles go, persistent requests become inactive. */
static void end_wait(struct play *p, uint32_t rank, const struct mpi_call *c)
{
	const struct mpi_list *list = completed_by(c);
	for (uint32_t i = 0; i < list->n; i++) {
		uint64_t *slot =
		    list->v[i] == WL_MPI_REQUEST_NULL ? NULL : wl_map_find(&p->rank[rank].requests, list->v[i]);
		struct play_request *r = slot ? (struct play_request *)(uintptr_t)*slot : NULL;
		if (r && p->goal && r->active)
			to_goal_wait(p->goal, rank, r->mark);
		if (r && r->persistent)
			r->active = false;
		else if (r)
			drop_request(p, rank, list->v[i], r);
	}
}

static void free_or_cancel(struct play *p, uint32_t rank, bool frees, uint64_t handle)
{
	struct play_request *r = handle == WL_MPI_REQUEST_NULL ? NULL : request_of(p, rank, handle);
	if (r && frees) {
		drop_request(p, rank, handle, r);
	} else if (r && r->receive && r->active && !r->done) { /* cancelled */
		play_withdraw(r);
		if (p->goal && r->mark)
			to_goal_withdraw(p->goal, rank, r->mark);
		r->done = true;
		r->ready = p->rank[rank].clock;
	}
}

static void requests(struct play *p, uint32_t rank, const struct mpi_call *c)
{
	if (c->op != WL_MPI_START) {
		free_or_cancel(p, rank, c->op == WL_MPI_REQUEST_FREE, c->request);
		for (uint32_t i = 0; i < c->requests.n && !p->failed; i++)
			free_or_cancel(p, rank, c->op == WL_MPI_REQUEST_FREE, c->requests.v[i]);
		return;
	}
	for (uint32_t i = 0; i < c->requests.n && !p->failed; i++) {
		struct play_request *r = request_of(p, rank, c->requests.v[i]);
		if (!r && !p->failed)
			play_errorf(p, rank, "request %" PRIu64 " is already complete", c->requests.v[i]);
		else if (r && (!r->persistent || r->active))
			play_errorf(p, rank, "request %" PRIu64 " is %s", c->requests.v[i],
			            r->persistent ? "already active" : "not persistent");
		else if (r)
			start_request(p, rank, r);
	}
}

static void nonblocking_collective(struct play *p, uint32_t rank, const struct mpi_call *c)
{
	struct play_request *r = new_request(p, rank, c);
	r->active = true;
	r->mark = play_collective(p, rank, c, r);
}

static void do_call(struct play *p, uint32_t rank)
{
	struct mpi_call *c = &p->rank[rank].call;
	enum mpi_op op = c->op;
	if (op == WL_MPI_COMPUTE || op == WL_MPI_IPROBE)
		return;
	if (op == WL_MPI_SENDRECV || op == WL_MPI_RECV || op <= WL_MPI_RSEND)
		point_to_point(p, rank, c);
	else if (op < WL_MPI_START)
		later(p, rank, c);
	else if (op <= WL_MPI_CANCEL)
		requests(p, rank, c);
	else if (op <= WL_MPI_TESTSOME)
		begin_wait(p, rank, c);
	else if (op == WL_MPI_PROBE)
		play_probe(p, rank, c);
	else if (mpi_is_collective(op) && c->nonblocking)
		nonblocking_collective(p, rank, c);
	else if (mpi_is_collective(op))
		play_collective(p, rank, c, NULL);
	else
		play_communicator(p, rank, c);
}

static bool completes(enum mpi_op op)
{
	return op >= WL_MPI_WAITALL && op <= WL_MPI_TESTSOME;
}

/* What is left of the call that a rank waited in, and its next one. */
static void go_on_with_rank(struct play *p, uint32_t rank)
{
	struct play_rank *me = &p->rank[rank];
	if (me->wait == PLAY_PROBES_AGAIN) {
		me->wait = PLAY_RUNS;
		play_probe(p, rank, &me->call);
		return;
	}
	if (me->unfinished && undecided(&me->call))
		decide(p, rank, &me->call);
	if (me->unfinished && me->wait == PLAY_RUNS)
		end_wait(p, rank, &me->call);
	if (me->wait != PLAY_RUNS)
		return;
	me->unfinished = false;
	mpi_call_reset(&me->call);
	me->before = me->cursor;
	enum mpi_next next = p->source->ops->next(p->source, rank, &me->cursor, &me->call, p->errors);
	if (next != WL_MPI_CALL) {
		p->failed = p->failed || next == WL_MPI_UNREADABLE;
		me->wait = PLAY_ENDED;
		return;
	}
	p->out->calls[me->call.op]++;
	p->out->rank[rank].compute_ps += me->call.compute;
	me->clock += me->call.compute;
	if (p->goal)
		to_goal_compute(p->goal, rank, me->call.compute);
	do_call(p, rank);
	if (completes(me->call.op) && me->wait == PLAY_RUNS)
		end_wait(p, rank, &me->call);
	else
		me->unfinished = completes(me->call.op);
}

/* --- the beginning and the end ----------------------------------------------------------------------------------- */

static void begin_rank(struct play *p, uint32_t rank)
{
	struct play_rank *me = &p->rank[rank];
	struct play_comm *self = base_alloc(sizeof *self);
	struct play_handle *world = base_alloc(sizeof *world), *alone = base_alloc(sizeof *alone);
	*self = (struct play_comm){ .context = p->contexts++, .n = 1, .holders = 1, .self = rank };
	*world = (struct play_handle){ .comm = &p->world, .me = rank };
	*alone = (struct play_handle){ .comm = self };
	*wl_map_put(&me->comms, WL_MPI_WORLD) = (uint64_t)(uintptr_t)world;
	*wl_map_put(&me->comms, WL_MPI_SELF) = (uint64_t)(uintptr_t)alone;
	me->posted.head.next = me->posted.head.before = &me->posted.head;
	me->unexpected.head.next = me->unexpected.head.before = &me->unexpected.head;
	play_wake(p, rank);
}

static void tell_stuck(struct play *p, uint32_t rank)
{
	const struct play_rank *me = &p->rank[rank];
	char why[200], from[32] = "any rank", tag[32] = "any tag";
	const struct play_post *post = me->posted.head.next;
	if (p->out->stuck++ >= STUCK_TOLD)
		return;
	while (post != &me->posted.head && (!post->request || !post->request->awaited))
		post = post->next;
	if (me->wait == PLAY_PROBE || (post == &me->posted.head && !play_describe_meeting(p, rank, why, sizeof why))) {
		snprintf(why, sizeof why, "%s",
		         me->wait == PLAY_PROBE     ? "for a message"
		         : me->wait == PLAY_MEETING ? "for other ranks"
		                                    : "for its message to be received");
	} else if (post != &me->posted.head) {
		if (post->source != UINT32_MAX)
			snprintf(from, sizeof from, "rank %" PRIu32, post->source);
		if (post->tag != WL_MPI_ANY)
			snprintf(tag, sizeof tag, "tag %" PRId32, post->tag);
		snprintf(why, sizeof why, "for a message from %s, %s", from, tag);
	}
	play_errorf(p, rank, "rank %" PRIu32 " waits %s", rank, why);
}

static void list_left(struct play *p, uint32_t rank)
{
	struct wl_play *out = p->out;
	struct play_queue *q = &p->rank[rank].unexpected;
	for (struct play_post *m = q->head.next; m != &q->head; m = m->next) {
		out->lost++;
		out->lost_bytes += m->bytes;
		if (out->listed_lost < WL_PLAY_LISTED)
			out->message[out->listed_lost++] = (struct wl_play_message){
				.source = m->source, .dest = rank, .tag = m->tag, .bytes = m->bytes
			};
	}
}

static void list_receives(struct play *p, uint32_t rank)
{
	struct wl_play *out = p->out;
	struct play_queue *q = &p->rank[rank].posted;
	for (struct play_post *m = q->head.next; m != &q->head; m = m->next) {
		out->left_receives++;
		if (p->goal && m->mark) /* no one waits for it: as if it were cancelled */
			to_goal_withdraw(p->goal, rank, m->mark);
		if (out->listed_lost + out->listed_left < WL_PLAY_LISTED)
			out->message[out->listed_lost + out->listed_left++] = (struct wl_play_message){
				.source = m->source, .dest = rank, .tag = m->tag, .bytes = m->bytes
			};
	}
}

static void free_queue(struct play_queue *q)
{
	for (struct play_post *m = q->head.next, *next; m != &q->head; m = next) {
		next = m->next;
		if (m->request && m->request->free_when_done)
			free(m->request);
		free(m);
	}
}

static void free_rank(struct play_rank *me)
{
	for (size_t i = 0; i < me->requests.slots; i++)
		if (me->requests.used[i])
			free((void *)(uintptr_t)me->requests.entry[i].value);
	for (size_t i = 0; i < me->comms.slots; i++)
		if (me->comms.used[i]) {
			struct play_handle *h = (struct play_handle *)(uintptr_t)me->comms.entry[i].value;
			if (me->comms.entry[i].key != WL_MPI_WORLD)
				play_leave(h->comm);
			free(h);
		}
	wl_map_free(&me->requests);
	wl_map_free(&me->comms);
	mpi_call_free(&me->call);
}

static void end_play(struct play *p)
{
	for (uint32_t i = 0; i < p->source->ranks; i++) { /* which look at requests of any rank */
		free_queue(&p->rank[i].posted);
		free_queue(&p->rank[i].unexpected);
	}
	play_end_meetings(p);
	for (uint32_t i = 0; i < p->source->ranks; i++)
		free_rank(&p->rank[i]);
	free(p->rank);
	free(p->heap);
}

/* The calls in which that is so are behind: all are read again, by who finds them. */
static void tell_unequal(struct play *p)
{
	struct mpi_comms comms;
	if (mpi_comms_find(&comms, p->source, p->errors))
		return;
	mpi_comms_free(&comms);
	base_errorf(p->errors, "@",
	            "ranks expect a number of bytes from a collective that differs from the number sent");
}

/* What was read before and after is of no one trace, and what was found wrong with it may follow from that. */
static bool was_changed(const struct play *p, size_t before)
{
	char path[1000], key[1200];
	const struct mpi_source *s = p->source;
	if (!s->ops->changed || !s->ops->changed(s, path, sizeof path))
		return false;
	base_errors_drop(p->errors, before);
	base_errorf(p->errors, wl_trace_key(path, 0, key, sizeof key), "%s", BASE_WAS_CHANGED);
	return true;
}

int wl_play(struct wl_play *out, const struct mpi_source *s, struct wl_to_goal *goal, struct base_errors *errors)
{
	struct play p = { .source = s, .out = out, .errors = errors, .goal = goal };
	const char *scope = errors->scope;
	size_t before = errors->n;
	errors->scope = NULL;
	*out = (struct wl_play){ .ranks = s->ranks, .rank = base_calloc(s->ranks, sizeof *out->rank) };
	p.rank = base_calloc(s->ranks, sizeof *p.rank);
	p.heap = base_calloc(s->ranks, sizeof *p.heap);
	p.world = (struct play_comm){ .n = s->ranks, .holders = 1 };
	p.contexts = 1;
	for (uint32_t i = 0; i < s->ranks; i++)
		begin_rank(&p, i);
	while (p.heaped && !p.failed && !p.unequal) {
		uint32_t rank = next_rank(&p);
		go_on_with_rank(&p, rank);
		if (p.rank[rank].wait == PLAY_RUNS)
			play_wake(&p, rank);
	}
	bool wrong = p.failed || p.unequal;
	if (p.unequal && !p.failed)
		tell_unequal(&p);
	for (uint32_t i = 0; i < s->ranks; i++) {
		out->rank[i].end_ps = p.rank[i].clock;
		if (!wrong && p.rank[i].wait != PLAY_ENDED)
			tell_stuck(&p, i);
	}
	if (!wrong)
		play_tell_incomplete(&p, STUCK_TOLD);
	for (uint32_t i = 0; i < s->ranks; i++)
		list_left(&p, i);
	for (uint32_t i = 0; i < s->ranks; i++)
		list_receives(&p, i);
	for (enum mpi_op op = WL_MPI_BARRIER; mpi_is_collective(op); op++)
		out->collectives |= out->calls[op] ? mpi_collective_bit(op) : 0;
	end_play(&p);
	wrong = was_changed(&p, before) || wrong;
	errors->scope = scope;
	return wrong ? -1 : 0;
}

void wl_play_free(struct wl_play *p)
{
	free(p->rank);
	*p = (struct wl_play){ 0 };
}
