/* workload/process/rounds.c - the rounds of Durango: all members exchange pings with a partner, then compute.
 *
 * Every member of the job executes the same round: it sends a ping to its partner, whose answer lets it send the next
 * one, until `pings` are answered; then it reports the start and end of its round to rank 0. Rank 0 waits for all,
 * computes for the time that the round's model takes on the machine, and lets all begin the next round. Reports and
 * starts are tokens of 8 bytes, sent as messages: round and start time are in their tags. */
#include "base/memory.h"
#include "sim/rng.h"
#include "workload/formats/to_goal.h"
#include "workload/process/aspen_model.h"
#include "workload/process/mapping.h"
#include "workload/process/process.h"
#include "workload/process/steps.h"

#include <stdlib.h>
#include <string.h>

enum { TO_NEIGHBOUR, TO_RANDOM };
enum { PING, ANSWER, REPORT, RESTART }; /* kind of a message: the low bits of its tag */
#define KIND_BITS 2

struct rounds_params {
	struct wl_placed placed;
	int64_t pings;
	double compute_scale;
	int to;
	struct base_texts models;
	char *machine, *sockets, *values;
};

static const struct base_param table[] = {
	{ "size", BASE_SIZE, offsetof(struct rounds_params, placed.loop.size), "1024B", NULL, 1, 1e12, NULL,
	  "bytes of a ping and of its answer", NULL },
	{ "iterations", BASE_INT, offsetof(struct rounds_params, placed.loop.iterations), "6", NULL, 0, 1e15, NULL,
	  "number of rounds; 0: no limit", NULL },
	{ "pause", BASE_TIME, offsetof(struct rounds_params, placed.loop.pause), "0ps", NULL, 0, 1e15, NULL,
	  "pause between two rounds, in addition to the computation", NULL },
	{ "pings", BASE_INT, offsetof(struct rounds_params, pings), "16", NULL, 1, 1e12, NULL,
	  "pings of each member per round", NULL },
	{ "to", BASE_ENUM, offsetof(struct rounds_params, to), "random", NULL, 0, 0, "neighbour|random",
	  "partner of a round. neighbour: the next member; random: any other member, drawn for each round", NULL },
	{ "models", BASE_FILES, offsetof(struct rounds_params, models), "", NULL, 0, 0, NULL,
	  "Aspen models that are computed between rounds, in turn; if omitted, no computation", NULL },
	{ "machine", BASE_FILE, offsetof(struct rounds_params, machine), "", NULL, 0, 0, NULL,
	  "Aspen machine model that predicts the computation times", NULL },
	{ "sockets", BASE_STRING, offsetof(struct rounds_params, sockets), "", NULL, 0, 0, NULL,
	  "sockets of the machine that compute, in turn: \"cpu, gpu\"; may be omitted if there is only one", NULL },
	{ "params", BASE_STRING, offsetof(struct rounds_params, values), "", NULL, 0, 0, NULL,
	  "overrides parameters of the models: \"n=277\"", NULL },
	{ "compute_scale", BASE_FLOAT, offsetof(struct rounds_params, compute_scale), "1.0", NULL, 0, 1e9, NULL,
	  "factor by which predicted computation times are scaled; 0: no computation", NULL },
	WL_MAPPING_PARAMS,
	{ 0 },
};

struct rounds_state {
	uint64_t round, began; /* ps */
	uint64_t sent;         /* pings of this round */
	/* of rank 0 */
	uint64_t reports, first, last; /* members that have ended; ps */
};

static size_t rounds_state_bytes(const struct wl_process *p)
{
	(void)p;
	return sizeof(struct rounds_state);
}

enum { CALL_PING, CALL_RESTART };
/* As results name them: until an answer is there; from the end of a round until the next. */
static const char *const calls[] = { "ping", "restart", NULL };

/* --- building --------------------------------------------------------------------------------------------- */

struct rounds_shared {
	struct wl_places places;
	uint64_t n, ps[]; /* computations, by turns */
};

static const struct wl_places *places_of(const struct wl_process *p)
{
	return &((const struct rounds_shared *)(uintptr_t)p->word[0])->places;
}

static uint32_t place_of(const struct wl_process *p, uint32_t rank)
{
	return wl_places_place(places_of(p), p, rank);
}

static bool computes(const void *params)
{
	return ((const struct rounds_params *)params)->models.n > 0;
}

static const struct base_condition conditions[] = {
	WL_LOOP_CONDITION,
	WL_MAPPING_CONDITION,
	{ .keys = "compute_scale", .only = "with models", .holds = computes },
	{ 0 },
};

/* The i-th of the names that commas divide, by turns, without spaces, into out. */
static void socket_of(const char *names, uint64_t i, char *out, size_t room)
{
	uint64_t n = 1;
	for (const char *c = names; *c; c++)
		n += *c == ',';
	for (i %= n; i; names++)
		i -= *names == ',';
	names += strspn(names, " ");
	size_t length = strcspn(names, ", ");
	length = length < room ? length : room - 1;
	memcpy(out, names, length);
	out[length] = 0;
}

static uint64_t count_names(const char *names)
{
	uint64_t n = 1;
	for (const char *c = names ? names : ""; *c; c++)
		n += *c == ',';
	return n;
}

static int predict(struct rounds_shared *s, const struct rounds_params *q, struct base_errors *errors)
{
	for (uint64_t i = 0; i < s->n; i++) {
		char socket[200] = "";
		double seconds;
		socket_of(q->sockets ? q->sockets : "", i, socket, sizeof socket);
		const struct wl_aspen_model m = { q->models.v[i % q->models.n],
			                          q->machine,
			                          socket,
			                          q->values,
			                          WL_ASPEN_SEED,
			                          "models",
			                          "sockets",
			                          0 };
		if (wl_aspen_walk(&m, NULL, &seconds, errors))
			return -1;
		double ps = seconds * 1e12 * q->compute_scale;
		s->ps[i] = ps < 1e17 ? (uint64_t)(ps + 0.5) : (uint64_t)1e17;
	}
	return 0;
}

static void destroy_rounds(struct wl_process *p)
{
	struct rounds_shared *s = (struct rounds_shared *)(uintptr_t)p->word[0];
	if (s)
		wl_places_free(&s->places);
	free(s);
	p->word[0] = 0;
}

static int build_rounds(struct wl_process *p, struct base_errors *errors)
{
	const struct rounds_params *q = p->params;
	bool machine = q->machine && *q->machine;
	p->other_size = WL_TOKEN;
	p->calls = calls;
	p->ranks = p->members;
	if (!q->models.n && (machine || (q->sockets && *q->sockets) || (q->values && *q->values)))
		return base_errorf(errors,
		                   machine                     ? "machine"
		                   : q->sockets && *q->sockets ? "sockets"
		                                               : "params",
		                   "has an effect only with Aspen models (models)");
	if (q->models.n && !machine)
		return base_errorf(errors, "machine", "is required with models, which take no time without it");
	uint64_t sockets = count_names(q->sockets), n = q->models.n * sockets;
	if (sockets > 1000 || n > 100000)
		return base_errorf(errors, "sockets", "makes too many computations with that number of models");
	struct rounds_shared *s = base_alloc(sizeof *s + n * sizeof *s->ps);
	s->n = n;
	p->word[0] = (uintptr_t)s;
	if (!predict(s, q, errors) && !wl_places_make(&s->places, p, p->members, errors))
		return 0;
	destroy_rounds(p);
	return -1;
}

/* --- rounds ----------------------------------------------------------------------------------------------- */

static uint32_t partner(const struct wl_process *p, uint32_t rank, uint64_t round)
{
	const struct rounds_params *q = p->params;
	if (q->to == TO_NEIGHBOUR)
		return rank + 1 == p->members ? 0 : rank + 1;
	struct sim_draw d = sim_draw4(p->seed, place_of(p, rank), (uint32_t)round, SIM_DRAW_ARRIVAL,
	                              p->job | 0x100u | (uint32_t)(round >> 32) << 9);
	uint32_t other = sim_below(d.v[0], p->members - 1);
	return other + (other >= rank);
}

static void ping(const struct wl_process *p, struct net_process_call *call, uint32_t rank)
{
	struct rounds_state *s = call->state;
	s->sent++;
	net_call_begins(call, CALL_PING, call->now);
	uint64_t size = wl_loop_of(p)->size;
	net_post_as(call, wl_send_of(p, size, false), place_of(p, partner(p, rank, s->round)), size, PING);
}

static void begin_round(const struct wl_process *p, struct net_process_call *call, uint32_t rank)
{
	struct rounds_state *s = call->state;
	s->began = call->now;
	s->sent = 0;
	ping(p, call, rank);
}

/* None follows after so many. */
static bool is_last(const struct wl_process *p, uint64_t rounds)
{
	const struct wl_loop *loop = wl_loop_of(p);
	return loop->iterations && rounds >= (uint64_t)loop->iterations;
}

/* Rank 0: one more has ended. After the last one it computes, and then timer() is called. */
static void report(const struct wl_process *p, struct net_process_call *call, uint64_t began, uint64_t ended)
{
	const struct rounds_shared *shared = (const struct rounds_shared *)(uintptr_t)p->word[0];
	struct rounds_state *s = call->state;
	s->first = s->reports && s->first < began ? s->first : began;
	s->last = s->reports && s->last > ended ? s->last : ended;
	if (++s->reports < p->members)
		return;
	net_iteration(call, s->last - s->first);
	s->reports = 0;
	/* s->round of rank 0 was counted when it ended itself */
	uint64_t compute = shared->n ? shared->ps[(s->round - 1) % shared->n] : 0, wait = compute;
	if (!is_last(p, s->round))
		wait += wl_loop_of(p)->pause;
	uint64_t then = call->now + (wait ? wait : 1);
	net_rank_spends(call, NET_COMPUTES, compute);
	net_timer_computing(call, is_last(p, s->round) ? then : wl_bursts_next(&p->bursts, then), 0, compute);
}

static void end_round(const struct wl_process *p, struct net_process_call *call, uint32_t rank)
{
	struct rounds_state *s = call->state;
	s->round++;
	bool last = is_last(p, s->round);
	if (!rank || !last)
		net_call_begins(call, CALL_RESTART, call->now);
	if (rank)
		net_post(call, place_of(p, 0), WL_TOKEN, s->began << KIND_BITS | REPORT);
	else
		report(p, call, s->began, call->now);
	if (rank && last)
		net_rank_ends(call);
}

static void start_rounds(const struct wl_process *p, struct net_process_call *call, uint32_t me)
{
	uint32_t rank = wl_places_rank(places_of(p), p, me);
	net_rank_begins(call, rank);
	begin_round(p, call, rank);
}

static void timer(const struct wl_process *p, struct net_process_call *call, uint32_t me, uint64_t what)
{
	const struct rounds_state *s = call->state;
	(void)what;
	net_call_ends(call, CALL_RESTART, call->now);
	if (is_last(p, s->round)) {
		net_rank_ends(call);
		return;
	}
	for (uint32_t i = 1; i < p->members; i++)
		net_post(call, place_of(p, i), WL_TOKEN, RESTART);
	begin_round(p, call, wl_places_rank(places_of(p), p, me));
}

static void delivered(const struct wl_process *p, struct net_process_call *call, uint32_t me,
                      const struct net_message *m)
{
	const struct rounds_params *q = p->params;
	const struct rounds_state *s = call->state;
	uint32_t rank = wl_places_rank(places_of(p), p, me);
	uint64_t size = q->placed.loop.size;
	switch (m->tag & ((1u << KIND_BITS) - 1)) {
	case PING:
		net_post_as(call, wl_send_of(p, size, false), m->peer, size, ANSWER);
		break;
	case ANSWER:
		net_call_ends(call, CALL_PING, call->now);
		if (s->sent < (uint64_t)q->pings)
			ping(p, call, rank);
		else
			end_round(p, call, rank);
		break;
	case REPORT:
		report(p, call, m->tag >> KIND_BITS, m->posted);
		break;
	default:
		net_call_ends(call, CALL_RESTART, call->now);
		begin_round(p, call, rank);
		break;
	}
}

/* --- as a schedule: all of a rank is of one processor, as nothing else happens while rank 0 computes ------------- */

#define MOST_OPS 1e9

struct making {
	const struct wl_process *p;
	struct wl_to_goal g;
	uint64_t round;
	uint32_t *at; /* [members] the operation behind which a member's next one comes; 0: none */
};

/* A message's operation behind another, or without one. */
static uint32_t add_message(struct making *m, uint32_t rank, bool send, uint32_t peer, uint64_t bytes, int kind,
                            uint32_t behind)
{
	uint32_t op = to_goal_loose_message(&m->g, rank, send, peer, bytes, m->round << KIND_BITS | (unsigned)kind, 0);
	if (behind)
		to_goal_after(&m->g, rank, behind, op);
	return op;
}

/* A member's pings one by one, and what its partner answers at once. */
static void add_pings(struct making *m, uint32_t rank)
{
	const struct rounds_params *q = m->p->params;
	uint64_t size = q->placed.loop.size;
	uint32_t other = partner(m->p, rank, m->round);
	for (int64_t i = 0; i < q->pings; i++) {
		m->at[rank] = add_message(m, rank, true, other, size, PING, m->at[rank]);
		add_message(m, other, true, rank, size, ANSWER, add_message(m, other, false, rank, size, PING, 0));
		m->at[rank] = add_message(m, rank, false, other, size, ANSWER, m->at[rank]);
	}
}

/* Rank 0 computes and pauses when all have reported, and lets them begin again. */
static void add_end(struct making *m, bool last)
{
	const struct rounds_shared *shared = (const struct rounds_shared *)(uintptr_t)m->p->word[0];
	struct wl_goal_op calc = { .kind = WL_GOAL_CALC };
	calc.size = shared->n ? shared->ps[m->round % shared->n] : 0;
	if (!last)
		calc.size += wl_loop_of(m->p)->pause;
	uint32_t computes = to_goal_loose(&m->g, 0, &calc);
	to_goal_after(&m->g, 0, m->at[0], computes);
	for (uint32_t i = 1; i < m->p->members; i++) {
		m->at[i] = add_message(m, i, true, 0, WL_TOKEN, REPORT, m->at[i]);
		to_goal_after(&m->g, 0, add_message(m, 0, false, i, WL_TOKEN, REPORT, 0), computes);
	}
	m->at[0] = computes;
	for (uint32_t i = 1; i < m->p->members && !last; i++) {
		add_message(m, 0, true, i, WL_TOKEN, RESTART, computes);
		m->at[i] = add_message(m, i, false, 0, WL_TOKEN, RESTART, m->at[i]);
	}
}

static int schedule(const struct wl_process *p, struct wl_goal *out, struct wl_schedule_facts *facts,
                    struct base_errors *errors)
{
	const struct rounds_params *q = p->params;
	const struct wl_loop *loop = wl_loop_of(p);
	(void)facts;
	if (!loop->iterations)
		return base_errorf(errors, "iterations",
		                   "must not be 0 with an analytical network model (network.kind)");
	if (4.0 * (double)(q->pings + 1) * (double)loop->iterations * p->members > MOST_OPS)
		return base_errorf(errors, "iterations",
		                   "%lld rounds of %lld pings of %u members are more than the 10^9 operations possible "
		                   "with an analytical network model (network.kind)",
		                   (long long)loop->iterations, (long long)q->pings, p->members);
	const struct mpi_choices none = { .preset = WL_MPI_BASIC };
	struct making m = { .p = p, .at = base_calloc(p->members, sizeof *m.at) };
	base_memory_for("durango-rounds: the schedule of %u members for an analytical network model takes too much "
	                "memory; use fewer rounds or pings",
	                p->members);
	wl_to_goal_begin(&m.g, p->members, &none);
	for (; m.round < (uint64_t)loop->iterations; m.round++) {
		for (uint32_t i = 0; i < p->members; i++)
			add_pings(&m, i);
		add_end(&m, m.round + 1 == (uint64_t)loop->iterations);
	}
	int status = wl_to_goal_end(&m.g, out);
	base_memory_made();
	free(m.at);
	return status ? base_errorf(errors, "iterations",
	                            "the schedule for an analytical network model (network.kind) is too large")
	              : 0;
}

static const struct wl_process_ops ops = { .application = true,
	                                   .mpi = WL_USES_CLASSES,
	                                   .in_bursts = true,
	                                   .build = build_rounds,
	                                   .destroy = destroy_rounds,
	                                   .state_bytes = rounds_state_bytes,
	                                   .start = start_rounds,
	                                   .delivered = delivered,
	                                   .timer = timer,
	                                   .schedule = schedule,
	                                   .on_formulas = "pause" };

static void visit_model_files(const void *params, void (*visit)(void *arg, const char *path), void *arg)
{
	const struct rounds_params *q = params;
	for (size_t i = 0; i < q->models.n; i++)
		wl_aspen_files(q->models.v[i], visit, arg);
	wl_aspen_files(q->machine, visit, arg);
}

const struct base_plugin wl_process_durango_rounds = {
	.kind = "process",
	.name = "durango-rounds",
	.summary = "rounds of pings with a partner; between rounds all members compute what an Aspen model predicts",
	.source = "Carothers et al., SIGSIM-PADS 2017 (Durango), 3.2",
	.params = table,
	.conditions = conditions,
	.params_bytes = sizeof(struct rounds_params),
	.ops = &ops,
	.files = visit_model_files,
};
