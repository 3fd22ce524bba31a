/* workload/process/mpi_calls.c - executes the calls of a rank, one after the other: see mpi.h.
 *
 * A call is executed until it has to wait; the rank then counts the requests for which it waits, and continues with the
 * same call when there are none. The progress of a call before it waited is stored in the rank's phase and its
 * requests. */
#include "workload/process/mpi.h"

#include "base/check.h"

#define MOST_PS 1e17 /* of one computation */

uint32_t mpi_world_of(const struct mpi_play *x, uint32_t comm, uint32_t rank)
{
	const struct mpi_comm *c = &x->s->comms.comm[comm];
	if (comm == 1)
		return x->r;
	if (rank >= c->n) { /* which none was when all were read before the run */
		net_process_wrong(x->call,
		                  "rank %u: a call refers to rank %d of %u: the file was changed during the run", x->r,
		                  (int32_t)rank, c->n);
		return x->r;
	}
	return c->world ? c->world[rank] : rank;
}

/* --- requests --------------------------------------------------------------------------------------------- */

static uint32_t new_request(struct mpi_play *x, unsigned flags, int32_t peer, int32_t tag, uint64_t bytes)
{
	uint32_t cell = mpi_cell_new(x), handle = mpi_handle_find(x, x->now.comm);
	if (!cell || !handle)
		return 0;
	uint32_t comm = mpi_cell_at(x, handle)->handle.comm;
	mpi_cell_at(x, cell)->request =
	    (struct mpi_request){ .bytes = bytes,
		                  .tag = tag,
		                  .peer = peer == WL_MPI_ANY && flags & MPI_RECEIVES ? WL_MPI_ANYONE
		                          : peer == WL_MPI_PROC_NULL                 ? WL_MPI_NO_ONE
		                                                     : mpi_world_of(x, comm, (uint32_t)peer),
		                  .context = (uint16_t)comm,
		                  .flags = (uint16_t)flags };
	return cell;
}

static unsigned flags_of(enum mpi_op op)
{
	bool receives = op == WL_MPI_RECV || op == WL_MPI_IRECV || op == WL_MPI_RECV_INIT;
	bool synchronous = op == WL_MPI_SSEND || op == WL_MPI_ISSEND || op == WL_MPI_SSEND_INIT;
	bool buffered = op == WL_MPI_BSEND || op == WL_MPI_IBSEND || op == WL_MPI_BSEND_INIT;
	return (receives ? MPI_RECEIVES : MPI_SENDS) | (synchronous ? MPI_SYNCHRONOUS : 0) |
	       (buffered ? MPI_BUFFERED : 0);
}

/* The request of the call's handle; without one no one waits for it. */
static void name(struct mpi_play *x, uint32_t request, uint64_t handle)
{
	uint32_t old = mpi_request_find(x, handle);
	if (old) /* of a trace that lost sight of it */
		mpi_forget_request(x, old);
	if (handle != WL_MPI_REQUEST_NULL)
		mpi_name_request(x, request, handle);
	else
		mpi_cell_change(x, request)->request.flags |= MPI_FREED;
}

static bool is_open(const struct mpi_play *x, uint32_t cell)
{
	return cell && (mpi_cell_at(x, cell)->request.flags & (MPI_ACTIVE | MPI_COMPLETE)) == MPI_ACTIVE;
}

static bool is_done(const struct mpi_play *x, uint32_t cell)
{
	return cell && mpi_cell_at(x, cell)->request.flags & MPI_ACTIVE && !is_open(x, cell);
}

/* It was waited for. */
static void release_request(struct mpi_play *x, uint32_t cell)
{
	struct mpi_request *q = &mpi_cell_change(x, cell)->request;
	if (q->flags & MPI_PERSISTENT) {
		q->flags &= (uint16_t) ~(MPI_ACTIVE | MPI_COMPLETE);
		return;
	}
	mpi_forget_request(x, cell);
	mpi_cell_free(x, cell);
}

static void await(struct mpi_play *x, uint32_t cell, bool waits)
{
	struct mpi_request *q = &mpi_cell_change(x, cell)->request;
	q->flags = (uint16_t)(waits ? q->flags | MPI_AWAITED : q->flags & ~MPI_AWAITED);
}

static void free_request(struct mpi_play *x, uint32_t cell)
{
	bool open = is_open(x, cell);
	mpi_forget_request(x, cell);
	if (open)
		mpi_cell_change(x, cell)->request.flags |= MPI_FREED;
	else
		mpi_cell_free(x, cell);
}

/* --- waiting: true: it is over ------------------------------------------------------------------------------ */

static bool wait_for(struct mpi_play *x, uint32_t waiting)
{
	if (waiting) {
		MPI_SET(x, &x->rank->waiting, waiting);
		MPI_SET(x, &x->rank->phase, MPI_BEGUN);
	}
	return !waiting;
}

static bool wait_own(struct mpi_play *x)
{
	uint32_t waiting = 0;
	for (int i = 0; i < 2; i++)
		if (is_open(x, x->rank->own[i])) {
			await(x, x->rank->own[i], true);
			waiting++;
		}
	for (int i = 0; !waiting && i < 2; i++)
		if (x->rank->own[i]) {
			release_request(x, x->rank->own[i]);
			MPI_SET(x, &x->rank->own[i], 0);
		}
	return wait_for(x, waiting);
}

static bool wait_all(struct mpi_play *x, const struct mpi_list *handles)
{
	uint32_t waiting = 0;
	for (uint32_t i = 0; i < handles->n; i++) {
		uint32_t cell = mpi_request_find(x, handles->v[i]);
		if (!is_open(x, cell) || mpi_cell_at(x, cell)->request.flags & MPI_AWAITED)
			continue;
		await(x, cell, true);
		waiting++;
	}
	for (uint32_t i = 0; !waiting && i < handles->n; i++) {
		uint32_t cell = mpi_request_find(x, handles->v[i]);
		if (is_done(x, cell))
			release_request(x, cell);
	}
	return wait_for(x, waiting);
}

/* One, or as many as are complete; `tests`: if none is, it does not wait. */
static bool wait_some(struct mpi_play *x, bool one, bool tests)
{
	const struct mpi_list *handles = &x->now.requests;
	bool open = false, done = false;
	for (uint32_t i = 0; i < handles->n; i++) {
		uint32_t cell = mpi_request_find(x, handles->v[i]);
		if (is_open(x, cell)) {
			await(x, cell, false);
			open = true;
		}
		if (!is_done(x, cell) || (one && done))
			continue;
		release_request(x, cell);
		done = true;
	}
	if (done || !open || tests)
		return true;
	for (uint32_t i = 0; i < handles->n; i++) {
		uint32_t cell = mpi_request_find(x, handles->v[i]);
		if (is_open(x, cell))
			await(x, cell, true);
	}
	return wait_for(x, 1);
}

static bool test_all(struct mpi_play *x)
{
	for (uint32_t i = 0; i < x->now.requests.n; i++)
		if (is_open(x, mpi_request_find(x, x->now.requests.v[i])))
			return true;
	return wait_all(x, &x->now.requests);
}

static bool probe(struct mpi_play *x)
{
	const struct mpi_call *c = &x->now;
	uint32_t handle = mpi_handle_find(x, c->comm), previous;
	if (!handle || c->peer == WL_MPI_PROC_NULL)
		return true;
	uint32_t comm = mpi_cell_at(x, handle)->handle.comm;
	uint32_t source = c->peer == WL_MPI_ANY ? WL_MPI_ANYONE : mpi_world_of(x, comm, (uint32_t)c->peer);
	return wait_for(x, mpi_look(x, comm, source, c->tag, &previous) ? 0 : MPI_WAITS_PROBE);
}

static bool complete_call(struct mpi_play *x)
{
	const struct mpi_call *c = &x->now;
	if (c->op == WL_MPI_WAITALL)
		return wait_all(x, &c->requests);
	if (c->outcome_known)
		return wait_all(x, &c->completed);
	if (c->op == WL_MPI_TESTALL)
		return test_all(x);
	return wait_some(x, c->op == WL_MPI_WAITANY || c->op == WL_MPI_TESTANY,
	                 c->op == WL_MPI_TESTANY || c->op == WL_MPI_TESTSOME);
}

/* --- calls: true: it is over -------------------------------------------------------------------------------- */

static bool blocking(struct mpi_play *x)
{
	const struct mpi_call *c = &x->now;
	if (x->rank->phase == MPI_BEGUN)
		return wait_own(x);
	if (mpi_is_collective(c->op)) {
		MPI_SET(x, &x->rank->own[0], mpi_collect(x));
		return wait_own(x);
	}
	if (c->op == WL_MPI_SENDRECV) {
		uint32_t receive = new_request(x, MPI_RECEIVES, c->from, c->from_tag, c->from_bytes);
		MPI_SET(x, &x->rank->own[1], receive);
		if (receive)
			mpi_begin(x, receive);
	}
	unsigned flags = c->op == WL_MPI_SENDRECV ? MPI_SENDS : flags_of(c->op);
	uint32_t request = new_request(x, flags | MPI_BLOCKING, c->peer, c->tag, c->bytes);
	MPI_SET(x, &x->rank->own[0], request);
	if (request)
		mpi_begin(x, request);
	return wait_own(x);
}

static bool starts(struct mpi_play *x)
{
	const struct mpi_call *c = &x->now;
	uint32_t request =
	    mpi_is_collective(c->op) ? mpi_collect(x) : new_request(x, flags_of(c->op), c->peer, c->tag, c->bytes);
	if (!request)
		return true;
	name(x, request, c->request);
	if (!mpi_is_collective(c->op))
		mpi_begin(x, request);
	else if (c->request == WL_MPI_REQUEST_NULL && is_done(x, request))
		mpi_cell_free(x, request);
	return true;
}

static void each_request(struct mpi_play *x, void (*act)(struct mpi_play *x, uint32_t request))
{
	const struct mpi_call *c = &x->now;
	uint32_t cell = mpi_request_find(x, c->request);
	if (cell)
		act(x, cell);
	for (uint32_t i = 0; i < c->requests.n; i++)
		if ((cell = mpi_request_find(x, c->requests.v[i])) != 0)
			act(x, cell);
}

static void make_comm(struct mpi_play *x)
{
	const struct mpi_rank_comms *made = &x->s->comms.rank[x->r];
	uint32_t number = x->rank->made;
	MPI_SET(x, &x->rank->made, number + 1);
	base_check(number < made->n);
	if (made->made[number].comm != WL_MPI_NO_COMM && x->now.new_comm != WL_MPI_COMM_NULL)
		mpi_name_comm(x, x->now.new_comm, made->made[number]);
}

/* The world and oneself stay. */
static void free_comm(struct mpi_play *x)
{
	uint32_t handle = mpi_handle_find(x, x->now.comm);
	if (handle && mpi_cell_at(x, handle)->handle.comm > 1)
		mpi_forget_comm(x, x->now.comm);
}

static void start_request(struct mpi_play *x, uint32_t request)
{
	unsigned flags = mpi_cell_at(x, request)->request.flags;
	if (flags & MPI_PERSISTENT && !(flags & MPI_ACTIVE)) {
		mpi_begin(x, request);
		return;
	}
	char place[200] = "";
	const struct mpi_source *source = &x->s->source;
	if (source->ops->place)
		source->ops->place(source, x->r, &x->rank->at, place, sizeof place);
	net_process_wrong(x->call, "%s%srank %u starts a request that is %s", place, *place ? ": " : "", x->r,
	                  flags & MPI_PERSISTENT ? "active" : "not persistent");
}

static bool carry_out(struct mpi_play *x)
{
	const struct mpi_call *c = &x->now;
	if (mpi_is_collective(c->op))
		return c->nonblocking ? starts(x) : blocking(x);
	if (c->op >= WL_MPI_SEND_INIT && c->op <= WL_MPI_RECV_INIT) {
		uint32_t request = new_request(x, flags_of(c->op) | MPI_PERSISTENT, c->peer, c->tag, c->bytes);
		if (request)
			name(x, request, c->request);
		return true;
	}
	if ((c->op >= WL_MPI_ISEND && c->op <= WL_MPI_IRSEND) || c->op == WL_MPI_IRECV)
		return starts(x);
	if (c->op >= WL_MPI_SEND && c->op <= WL_MPI_SENDRECV)
		return blocking(x);
	if (c->op >= WL_MPI_WAITALL && c->op <= WL_MPI_TESTSOME)
		return complete_call(x);
	if (c->op == WL_MPI_PROBE || (c->op == WL_MPI_IPROBE && c->outcome_known && c->found))
		return probe(x);
	if (c->op == WL_MPI_START)
		each_request(x, start_request);
	else if (c->op == WL_MPI_REQUEST_FREE)
		each_request(x, free_request);
	else if (c->op == WL_MPI_CANCEL)
		each_request(x, mpi_cancel);
	else if (c->op == WL_MPI_COMM_FREE)
		free_comm(x);
	else if (c->op >= WL_MPI_COMM_DUP && c->op <= WL_MPI_COMM_CREATE)
		make_comm(x);
	return true;
}

/* --- going on --------------------------------------------------------------------------------------------- */

/* ps that the rank computes before its call. */
static uint64_t before(const struct mpi_play *x)
{
	double ps = (double)x->now.compute * x->s->compute_scale;
	uint64_t whole = x->s->compute_scale == 1 ? x->now.compute : (uint64_t)(ps < MOST_PS ? ps + 0.5 : MOST_PS);
	return whole < (uint64_t)MOST_PS ? whole : (uint64_t)MOST_PS;
}

static void pause_for(struct mpi_play *x, uint64_t compute, uint64_t overhead)
{
	MPI_SET(x, &x->rank->timed, true);
	net_rank_spends(x->call, NET_COMPUTES, compute);
	net_rank_spends(x->call, NET_SENDS, overhead);
	net_timer_computing(x->call, x->call->now + compute + overhead, 0, compute);
}

/* A call that it is in: the calls of a rank, as results name them, have no computation among them. */
static bool is_call(const struct mpi_play *x)
{
	return x->now.op != WL_MPI_COMPUTE;
}

/* What has to come before the call is carried out; true: nothing. */
static bool arrive_at_call(struct mpi_play *x)
{
	uint64_t compute = before(x), overhead = is_call(x) ? x->s->overhead : 0;
	if (x->rank->phase != MPI_FRESH)
		return true;
	if (is_call(x))
		net_call_begins(x->call, x->now.op - 1, x->call->now + compute);
	if (!(compute + overhead))
		return true;
	MPI_SET(x, &x->rank->phase, MPI_COMPUTED);
	pause_for(x, compute, overhead);
	return false;
}

/* The rank waits: for its own messages to leave, or for others. */
static void tell_wait(struct mpi_play *x)
{
	bool sends = x->rank->waiting != MPI_WAITS_PROBE && x->rank->leaving.first && !x->rank->posted.first &&
	             !x->rank->answers.first && !x->rank->data.first && !x->rank->running.first;
	net_rank_does(x->call, sends ? NET_SENDS : NET_WAITS);
}

/* It has no more calls; or, which none had when all were read before the run, one that cannot be read. */
static void end_rank(struct mpi_play *x, enum mpi_next got)
{
	const struct mpi_source *source = &x->s->source;
	char place[200] = "its calls";
	if (got == WL_MPI_UNREADABLE && source->ops->place)
		source->ops->place(source, x->r, &x->rank->at, place, sizeof place);
	if (got == WL_MPI_UNREADABLE)
		net_process_wrong(x->call, "rank %u: %s cannot be read again: the file was changed during the run",
		                  x->r, place);
	MPI_SET(x, &x->rank->over, true);
	net_rank_ends(x->call);
	net_finished(x->call);
}

void mpi_go_on(struct mpi_play *x)
{
	struct mpi_rank *rank = x->rank;
	if (rank->waiting)
		tell_wait(x);
	while (!rank->waiting && !rank->timed && !rank->over) {
		struct mpi_cursor next = rank->at;
		mpi_call_reset(&x->now);
		enum mpi_next got = x->s->source.ops->next(&x->s->source, x->r, &next, &x->now, NULL);
		if (got != WL_MPI_CALL) {
			end_rank(x, got);
			return;
		}
		if (!arrive_at_call(x))
			return;
		x->busy = 0;
		if (!carry_out(x)) {
			tell_wait(x);
			return;
		}
		if (is_call(x))
			net_call_ends(x->call, x->now.op - 1, x->call->now + x->busy);
		MPI_SET(x, &rank->at, next);
		MPI_SET(x, &rank->phase, MPI_FRESH);
		MPI_SET(x, &rank->calls, rank->calls + 1);
		if (x->busy)
			pause_for(x, 0, x->busy);
	}
}
