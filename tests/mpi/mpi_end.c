/* tests/mpi/mpi_end.c - the end of a run: a rank has executed all it has and been told so by everybody, while what it
 * sent itself still waits for room at a rank that works on. It may not leave before that has gone: who reads it would
 * wait for ever. Rings of one buffer make them full, and a rank that sleeps in its last event makes it late. */
#include "tests/mpi/reference.h"

#define LOOKAHEAD 1000u
#define END (10u * LOOKAHEAD)
#define SENT 3000u /* six buffers of 32 KiB */
#define TIMES 3u

struct ends {
	uint64_t came; /* events that were left at the end */
};

static bool sends(sim_lpid lp)
{
	return lp % 2 == 0 && (int)lp + 1 < sim_ranks();
}

static void handle(struct sim_ctx *ctx, void *self, sim_lpid lp, const struct sim_event *event)
{
	(void)self;
	if (!sends(lp)) {
		usleep(50000);
		return;
	}
	for (uint32_t i = 0; i < SENT; i++) {
		struct sim_event *ev =
		    sim_send(ctx, lp + 1, event->time + LOOKAHEAD, sim_key(1, lp, i + 1), SIM_LONG_WORDS);
		ev->kind = 2;
		ev->aux = 0;
		memset(ev->payload, 0, 8 * (size_t)SIM_LONG_WORDS);
		ev->payload[0] = i;
	}
}

static const char *kind_name(unsigned kind)
{
	return kind == 1 ? "last" : "left over";
}

static void regions(void *self, sim_lpid lp, void (*visit)(void *arg, void *at, size_t bytes), void *arg)
{
	(void)self;
	(void)lp;
	(void)visit;
	(void)arg;
}

static void count(void *arg, const struct sim_event *event)
{
	struct ends *m = arg;
	m->came += event->kind == 2 && event->payload[0] < SENT;
}

static void run(enum sim_sync sync)
{
	sim_lpid first_lp[65];
	struct ends m = { 0 };
	struct base_errors errors = { 0 };
	for (int r = 0; r <= sim_ranks(); r++)
		first_lp[r] = (sim_lpid)r;
	struct sim_config config = { .sync = sync, .first_lp = first_lp, .lookahead = LOOKAHEAD, .end = END };
	struct sim_model model = { .self = &m, .handle = handle, .kind_name = kind_name, .regions = regions };
	struct sim_engine *e = sim_create(&config, &model, &errors);
	REFERENCE_CHECK(e != NULL, "no engine");
	sim_lpid lp = (sim_lpid)sim_rank();
	struct sim_ctx *ctx = sim_context(e);
	sim_initial(ctx, lp);
	struct sim_event *ev = sim_send(ctx, lp, END - LOOKAHEAD / 2, sim_key(1, lp, 0), SIM_SHORT_WORDS);
	ev->kind = 1;
	ev->aux = 0;
	ev->payload[0] = 0;
	enum sim_outcome outcome = sim_run(e, &errors);
	REFERENCE_CHECK(outcome == SIM_DONE, "outcome %d", (int)outcome);
	sim_leftovers(e, count, &m);
	sim_sum_u64(&m.came, 1); /* where a rank would be that has left too soon */
	uint64_t want = (uint64_t)(sim_ranks() / 2) * SENT;
	REFERENCE_CHECK(m.came == want, "%lu events came, %lu were sent", m.came, want);
	sim_destroy(e);
	base_errors_free(&errors);
}

int main(int argc, char **argv)
{
	reference_watch(60);
	setenv("TILEFLY_SHARED_MEMORY", "1", 1);
	sim_mpi_start(&argc, &argv);
	static const enum sim_sync syncs[] = { SIM_CONSERVATIVE, SIM_OPTIMISTIC };
	for (unsigned i = 0; i < 2 * TIMES; i++) {
		snprintf(reference_case, sizeof reference_case, "sync %d, time %u", (int)syncs[i % 2], i / 2);
		run(syncs[i % 2]);
	}
	return reference_end();
}
