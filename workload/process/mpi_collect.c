/* workload/process/mpi_collect.c - collectives of ranks that execute MPI calls: the rounds of workload/mpi/collective.h
 * one after the other, independent of the rank's other calls. Their messages have a context of their own, and the
 * number of the collective on its communicator as tag. */
#include "workload/process/mpi.h"

static struct mpi_collective collective_of(const struct mpi_play *x, const struct mpi_call *c, uint32_t comm,
                                           uint32_t me)
{
	uint32_t n = x->s->comms.comm[comm].n;
	return (struct mpi_collective){ .op = c->op,
		                        .ranks = n,
		                        .root = (uint32_t)c->peer,
		                        .bytes = mpi_own_bytes(c, me),
		                        .element = c->element,
		                        .counts = c->counts.n == n ? c->counts.v : NULL,
		                        .from_counts = c->from_counts.n == n ? c->from_counts.v : NULL,
		                        .nonblocking = c->nonblocking,
		                        .not_commutative = c->not_commutative,
		                        .user_op = c->user_op,
		                        .in_place = c->in_place,
		                        .choices = &x->s->choices };
}

/* A round of a blocking collective with one send is a blocking send, or half of a sendrecv; several are posted at once,
 * and then waited for. */
static unsigned send_flags(const struct mpi_call *call, uint32_t me, const struct mpi_steps *steps)
{
	uint32_t sends = 0;
	for (uint32_t i = 0; i < steps->n; i++)
		sends += steps->v[i].send && steps->v[i].peer != me;
	return sends == 1 && !call->nonblocking ? MPI_SENDS | MPI_BLOCKING : MPI_SENDS;
}

static void begin_step(struct mpi_play *x, uint32_t running, const struct mpi_step *t, unsigned sends)
{
	const struct mpi_running *c = &mpi_cell_at(x, running)->running;
	uint32_t cell = t->peer == c->me ? 0 : mpi_cell_new(x);
	if (!cell) /* a copy */
		return;
	c = &mpi_cell_at(x, running)->running;
	mpi_cell_at(x, cell)->request = (struct mpi_request){ .bytes = t->bytes,
		                                              .tag = (int32_t)(c->number & INT32_MAX),
		                                              .peer = mpi_world_of(x, c->comm, t->peer),
		                                              .owner = running,
		                                              .context = (uint16_t)(c->comm | MPI_COLLECTIVE),
		                                              .flags = (uint16_t)(t->send ? sends : MPI_RECEIVES) };
	mpi_cell_change(x, running)->running.pending++;
	mpi_begin(x, cell);
}

static void finish_collective(struct mpi_play *x, uint32_t running)
{
	uint32_t previous = 0, request = mpi_cell_at(x, running)->running.request;
	for (uint32_t at = x->rank->running.first; at != running; at = mpi_next(x, at))
		previous = at;
	mpi_take_out(x, &x->rank->running, previous, running);
	mpi_cell_free(x, running);
	mpi_complete(x, request);
}

/* Rounds until one has to wait for something. `pending` counts the round itself, too, while it begins. */
static void run_rounds(struct mpi_play *x, uint32_t running, const struct mpi_call *call)
{
	const struct mpi_running *c = &mpi_cell_at(x, running)->running;
	struct mpi_collective collective = collective_of(x, call, c->comm, c->me);
	struct mpi_plan plan;
	struct mpi_step on_stack[MPI_STEPS_ON_STACK];
	struct mpi_steps steps = { .v = on_stack, .cap = MPI_STEPS_ON_STACK, .borrowed = true };
	bool waits = false;
	mpi_plan_make(&plan, &collective);
	while (!waits && mpi_plan_round(&plan, c->me, c->round, &steps)) {
		mpi_cell_change(x, running)->running.pending = 1;
		unsigned sends = send_flags(call, c->me, &steps);
		for (uint32_t i = 0; i < steps.n; i++)
			begin_step(x, running, &steps.v[i], sends);
		waits = --mpi_cell_change(x, running)->running.pending;
		if (!waits)
			mpi_cell_change(x, running)->running.round++;
	}
	mpi_steps_free(&steps);
	if (!waits)
		finish_collective(x, running);
}

void mpi_collect_step(struct mpi_play *x, uint32_t running)
{
	struct mpi_running *c = &mpi_cell_change(x, running)->running;
	struct mpi_cursor at = c->call;
	if (--c->pending)
		return;
	c->round++;
	mpi_call_reset(&x->old);
	x->s->source.ops->next(&x->s->source, x->r, &at, &x->old, NULL);
	run_rounds(x, running, &x->old);
}

uint32_t mpi_collect(struct mpi_play *x)
{
	uint32_t request = mpi_cell_new(x), running = mpi_cell_new(x), handle = mpi_handle_find(x, x->now.comm);
	if (!request || !running || !handle)
		return 0;
	struct mpi_handle *h = &mpi_cell_change(x, handle)->handle;
	mpi_cell_at(x, request)->request.flags = MPI_COLLECTS | MPI_ACTIVE;
	mpi_cell_at(x, running)->running = (struct mpi_running){ .request = request,
		                                                 .number = h->collectives++,
		                                                 .comm = (uint16_t)h->comm,
		                                                 .op = (uint16_t)x->now.op,
		                                                 .me = h->me,
		                                                 .call = x->rank->at };
	mpi_append(x, &x->rank->running, running);
	run_rounds(x, running, &x->now);
	return request;
}
