/* workload/process/aspen.c - members that execute an Aspen model (workload/formats/aspen/): computation takes the time
 * predicted by the machine model, communication is messages of the network. No trace is stored: all members have the
 * same program, and a position in it.
 *
 * A round ends when all its messages have left and all expected messages have arrived. Messages that arrive early are
 * counted by sender: the n-th message from a member is the n-th that is expected from it. A negative count is the
 * number of expected messages. If all members receive from all others, counts are rows of a table; otherwise each
 * member has a sorted list of its senders. */
#include "base/format.h"
#include "base/memory.h"
#include "workload/formats/aspen/emit.h"
#include "workload/formats/format.h"
#include "workload/formats/goal/goal.h"
#include "workload/process/aspen_model.h"
#include "workload/process/mapping.h"
#include "workload/process/process.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DENSE 16384u                /* members that all get messages from all */
#define MOST_ENTRIES UINT64_C(500000000) /* of all lists of senders */
#define MOST_PS 1e17                     /* of one computation */

struct aspen_params {
	struct wl_placed placed;
	char *model, *machine, *socket, *values;
	int64_t ranks, seed;
	double compute_scale, overlap;
};

static const struct base_param table[] = {
	{ "model", BASE_FILE, offsetof(struct aspen_params, model), NULL, NULL, 0, 0, NULL,
	  "Aspen model of the application", NULL },
	{ "machine", BASE_FILE, offsetof(struct aspen_params, machine), "", NULL, 0, 0, NULL,
	  "Aspen machine model that predicts computation times; if omitted, computation takes no time", NULL },
	{ "socket", BASE_STRING, offsetof(struct aspen_params, socket), "", NULL, 0, 0, NULL,
	  "socket of the machine that computes; may be omitted if there is only one", NULL },
	{ "params", BASE_STRING, offsetof(struct aspen_params, values), "", NULL, 0, 0, NULL,
	  "overrides parameters of the model: \"n=277, steps=3\"", NULL },
	{ "ranks", BASE_INT, offsetof(struct aspen_params, ranks), "0", NULL, 0, ASPEN_MOST_RANKS, NULL,
	  "number of members that take part, the first ones unless mapped otherwise; 0: all", NULL },
	WL_MAPPING_PARAMS,
	{ "iterations", BASE_INT, offsetof(struct aspen_params, placed.loop.iterations), "1", NULL, 0, 1e15, NULL,
	  "executions of the whole model; 0: until the end of the run", NULL },
	{ "pause", BASE_TIME, offsetof(struct aspen_params, placed.loop.pause), "0ps", NULL, 0, 1e15, NULL,
	  "pause of a member between two iterations", NULL },
	{ "compute_scale", BASE_FLOAT, offsetof(struct aspen_params, compute_scale), "1.0", NULL, 0, 1e9, NULL,
	  "factor by which predicted computation times are scaled; 0: no computation", NULL },
	{ "overlap", BASE_FLOAT, offsetof(struct aspen_params, overlap), "1.0", NULL, 0, 1, NULL,
	  "degree of overlap of computation and communication inside \"par\": the fraction of the computation that "
	  "runs concurrently with the communication; 0: none, as in \"seq\"",
	  "Carothers et al., SIGSIM-PADS 2017, 2.1" },
	{ "model_seed", BASE_INT, offsetof(struct aspen_params, seed), "1", NULL, 0, 1e15, NULL,
	  "seed of the model's random samples, and of probabilities that decide on communication", NULL },
	{ 0 },
};

static const struct base_condition conditions[] = {
	WL_LOOP_CONDITION,
	WL_MAPPING_CONDITION,
	{ 0 },
};

struct aspen_shared {
	struct aspen_program program;
	struct aspen_ranks ranks;
	struct wl_places places;
	uint64_t *first; /* [ranks + 1] into sender; NULL: a member's row has all */
	uint32_t *sender, most;
};

struct aspen_state {
	struct aspen_cursor at;
	uint64_t turn, began;    /* ps */
	uint32_t comm, round;    /* comm: in program.comm + 1; 0: none */
	uint32_t sends, awaited; /* messages that have not left; that have not come */
	bool over, waits;        /* waits: for a timer */
	uint32_t joins;          /* 1 + depth of the computation beside that it waits for; 0: none */
	uint64_t until[];        /* [program.most_beside] ps: end of the computations beside; then early_at() */
};

enum { TIMER_COMPUTED, TIMER_PAUSED, TIMER_BESIDE }; /* of computations beside: the last one and their depth */

static const struct aspen_shared *shared_of(const struct wl_process *p)
{
	return (const struct aspen_shared *)(uintptr_t)p->word[0];
}

static uint32_t rank_at(const struct wl_process *p, uint32_t me)
{
	return wl_places_rank(&shared_of(p)->places, p, me);
}

/* What has come early, by sender. */
static int32_t *early_at(const struct aspen_shared *s, struct aspen_state *st)
{
	return (int32_t *)(void *)&st->until[s->program.most_beside];
}

static size_t aspen_state_bytes(const struct wl_process *p)
{
	const struct aspen_shared *s = shared_of(p);
	return sizeof(struct aspen_state) + s->program.most_beside * sizeof(uint64_t) + s->most * sizeof(int32_t);
}

/* --- building --------------------------------------------------------------------------------------------- */

/* Whether rows of all ranks are shorter than lists of those that each gets messages from. */
static bool is_dense(const struct aspen_shared *s)
{
	bool dense = s->ranks.n <= 32;
	for (uint32_t i = 0; i < s->program.comms; i++)
		dense |= aspen_is_dense(&s->program.comm[i], &s->ranks);
	return dense;
}

static int by_rank(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

struct aspen_numbers {
	uint32_t *v;
	size_t n, cap;
};

/* Those that a rank gets messages from, sorted, each once. */
static void find_senders(const struct aspen_shared *s, uint32_t rank, struct aspen_xfers *x, struct aspen_numbers *out)
{
	const struct aspen_program *p = &s->program;
	out->n = 0;
	for (uint32_t i = 0; i < p->comms; i++)
		for (uint32_t round = 0; aspen_peers(&p->comm[i], &s->ranks, rank, round, x); round++) {
			for (uint32_t k = 0; k < x->n; k++) {
				if (x->v[k].send)
					continue;
				if (out->n == out->cap) {
					out->cap = out->cap ? 2 * out->cap : 256;
					out->v = base_realloc(out->v, out->cap * sizeof *out->v);
				}
				out->v[out->n++] = x->v[k].peer;
			}
		}
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_rank);
	size_t kept = 0;
	for (size_t i = 0; i < out->n; i++)
		if (!kept || out->v[kept - 1] != out->v[i])
			out->v[kept++] = out->v[i];
	out->n = kept;
}

static int list_senders(struct aspen_shared *s, struct base_errors *errors)
{
	uint32_t n = s->ranks.n;
	struct aspen_xfers x = { 0 };
	struct aspen_numbers found = { 0 };
	uint64_t entries = 0, room = 0;
	s->first = base_calloc(n + (size_t)1, sizeof *s->first);
	for (uint32_t rank = 0; rank < n && entries < MOST_ENTRIES; rank++) {
		find_senders(s, rank, &x, &found);
		if (entries + found.n > room) {
			room = 2 * (entries + found.n) + 1024;
			s->sender = base_realloc(s->sender, room * sizeof *s->sender);
		}
		if (found.n)
			memcpy(s->sender + entries, found.v, found.n * sizeof *found.v);
		entries += found.n;
		s->first[rank + 1] = entries;
		s->most = found.n > s->most ? (uint32_t)found.n : s->most;
	}
	aspen_xfers_free(&x);
	free(found.v);
	if (entries >= MOST_ENTRIES || (uint64_t)s->most * n > MOST_ENTRIES)
		return base_errorf(errors, "model", "its members have too many communication partners");
	return 0;
}

static int prepare_program(struct aspen_shared *s, const struct aspen_params *q, const struct net_mpi_config *mpi,
                           uint32_t n, struct base_errors *errors)
{
	bool waits = s->program.comms > 0 && n > 1;
	for (uint32_t i = 0; i < s->program.n; i++)
		waits |= (s->program.op[i].kind == ASPEN_OP_COMPUTE || s->program.op[i].kind == ASPEN_OP_BESIDE) &&
		         q->compute_scale > 0;
	if (!waits)
		return base_errorf(errors, "model",
		                   "its iterations take no time: it neither computes (with a machine and compute_scale "
		                   "> 0) nor communicates (with another member)");
	if (aspen_ranks_make(&s->ranks, n, false, errors))
		return -1;
	const char *scope = errors->scope;
	errors->scope = "mpi";
	int status = mpi_choices_read(&s->ranks.choices, mpi->collectives, "collectives", errors);
	errors->scope = scope;
	if (status)
		return -1;
	if (!is_dense(s))
		return list_senders(s, errors);
	s->most = n;
	if (n > MOST_DENSE)
		return base_errorf(errors, "model", "%u members send to all others; at most %u can", n, MOST_DENSE);
	return 0;
}

static void destroy_aspen(struct wl_process *p)
{
	struct aspen_shared *s = (struct aspen_shared *)(uintptr_t)p->word[0];
	if (!s)
		return;
	aspen_program_free(&s->program);
	aspen_ranks_free(&s->ranks);
	wl_places_free(&s->places);
	free(s->first);
	free(s->sender);
	free(s);
	p->word[0] = 0;
}

static int check_overlap(const struct aspen_shared *s, const struct aspen_params *q, struct base_errors *errors)
{
	return q->overlap >= 1 || s->program.overlaps
	           ? 0
	           : base_errorf(errors, "overlap",
	                         "has an effect only with a model in which \"par\" contains both computation (with a "
	                         "machine) and communication");
}

static int build_aspen(struct wl_process *p, struct base_errors *errors)
{
	const struct aspen_params *q = p->params;
	struct aspen_shared *s = base_alloc(sizeof *s);
	const struct wl_aspen_model model = { q->model,          q->machine, q->socket, q->values,
		                              (uint64_t)q->seed, "model",    "socket",  1 - q->overlap };
	uint32_t n = q->ranks ? (uint32_t)q->ranks : p->members;
	double seconds;
	int status = 0;
	p->word[0] = (uintptr_t)s;
	p->other_size = 1; /* the least that a message may be */
	p->calls = aspen_pattern_name;
	p->ranks = n;
	if (!(q->machine && *q->machine) && ((q->socket && *q->socket) || q->compute_scale != 1)) /* the default */
		status = base_errorf(errors, q->compute_scale != 1 ? "compute_scale" : "socket",
		                     "has an effect only with a machine");
	if (!p->packet && q->placed.loop.iterations != 1)
		status = base_errorf(errors, "iterations", "must be 1 with an analytical network model (network.kind)");
	if (n > p->members)
		status = base_errorf(errors, "ranks", "%u exceeds the %u members of the job", n, p->members);
	if (status || wl_aspen_walk(&model, &s->program, &seconds, errors) ||
	    prepare_program(s, q, p->mpi, n, errors) || wl_places_make(&s->places, p, n, errors) ||
	    check_overlap(s, q, errors)) {
		destroy_aspen(p);
		return -1;
	}
	p->collectives = aspen_collectives(&s->program);
	return 0;
}

#define MOST_SCHEDULE 4e9 /* bytes of its text */

static int lacks_memory(const struct aspen_shared *s, double bytes, struct base_errors *errors)
{
	return base_errorf(
	    errors, "model",
	    "an analytical network model (network.kind) needs a schedule of the model; that of %u ranks, about %.3g MB "
	    "of text, does not fit into memory: use fewer ranks or steps, or more memory (another host, ulimit -v)",
	    s->ranks.n, bytes * 1e-6);
}

/* Through its text, in ns; then in ps. */
static int schedule(const struct wl_process *p, struct wl_goal *out, struct wl_schedule_facts *facts,
                    struct base_errors *errors)
{
	(void)facts;
	const struct aspen_params *q = p->params;
	const struct aspen_shared *s = shared_of(p);
	char *text = NULL;
	size_t n = 0;
	double bytes = aspen_goal_bytes(&s->program, &s->ranks);
	if (bytes > MOST_SCHEDULE)
		return base_errorf(errors, "model",
		                   "an analytical network model (network.kind) needs a schedule of the model, which "
		                   "would take %.3g GB; at most %.3g are possible",
		                   bytes * 1e-9, MOST_SCHEDULE * 1e-9);
	FILE *stream = base_memory_stream(&text, &n);
	if (!stream)
		return lacks_memory(s, bytes, errors);
	aspen_emit_goal(stream, &s->program, &s->ranks, q->model);
	int status = fclose(stream) ? lacks_memory(s, bytes, errors) : wl_goal_parse(out, text, n, q->model, errors);
	free(text);
	if (!status) {
		wl_goal_scale(out, 1000); /* ns to ps */
		wl_goal_scale(out, q->compute_scale);
	}
	return status;
}

/* --- walking ---------------------------------------------------------------------------------------------- */

/* The counter of a sender; NULL: it is none of this member's. */
static int32_t *early_of(const struct aspen_shared *s, struct aspen_state *st, uint32_t rank, uint32_t sender)
{
	if (!s->first)
		return sender < s->most ? &early_at(s, st)[sender] : NULL;
	uint64_t low = s->first[rank], high = s->first[rank + 1];
	for (uint64_t k = low; k < high; k += 64 / sizeof *s->sender) /* its lines at once, not one after the other */
		__builtin_prefetch(&s->sender[k]);
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (s->sender[middle] == sender)
			return &early_at(s, st)[middle - s->first[rank]];
		if (s->sender[middle] < sender)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

#define XFERS_ON_STACK 52u /* two for each of 26 neighbours */

/* Posts what round st->round sends, and awaits what it receives; false: there is no such round. */
static bool begin_round(const struct wl_process *p, struct net_process_call *call, uint32_t rank)
{
	const struct aspen_shared *s = shared_of(p);
	struct aspen_state *st = call->state;
	struct aspen_xfer xfers[XFERS_ON_STACK];
	struct mpi_step steps[MPI_STEPS_ON_STACK];
	struct aspen_xfers x = { .v = xfers,
		                 .cap = XFERS_ON_STACK,
		                 .borrowed = true,
		                 .steps = { .v = steps, .cap = MPI_STEPS_ON_STACK, .borrowed = true } };
	call->stream = p->stream[aspen_kind(&s->program.comm[st->comm - 1])];
	bool is = aspen_round(&s->program.comm[st->comm - 1], &s->ranks, rank, st->round, &x);
	for (uint32_t i = 0; is && i < x.n; i++) {
		const struct aspen_xfer *t = &x.v[i];
		if (t->send) {
			bool posted =
			    net_post(call, wl_places_place(&s->places, p, t->peer), t->bytes, 0) != NET_NO_MESSAGE;
			st->sends += posted;
			st->over |= !posted;
		} else {
			int32_t *early = early_of(s, st, rank, t->peer);
			if (early && --*early < 0)
				st->awaited++;
		}
	}
	aspen_xfers_free(&x);
	return is;
}

/* One iteration is over; true: the next one begins now. */
static bool again(const struct wl_process *p, struct net_process_call *call)
{
	const struct aspen_params *q = p->params;
	struct aspen_state *st = call->state;
	uint64_t at = wl_process_resumes(p, call);
	net_iteration(call, call->now - st->began);
	st->turn++;
	st->at = (struct aspen_cursor){ 0 };
	if (q->placed.loop.iterations && st->turn >= (uint64_t)q->placed.loop.iterations) {
		st->over = true;
		net_rank_ends(call);
	} else if (at > call->now) {
		st->waits = true;
		net_timer(call, at, TIMER_PAUSED);
	}
	st->began = at;
	return !st->over && !st->waits;
}

static uint64_t duration(const struct wl_process *p, double seconds)
{
	double ps = seconds * 1e12 * ((const struct aspen_params *)p->params)->compute_scale;
	return ps < MOST_PS ? (uint64_t)(ps + 0.5) : (uint64_t)MOST_PS;
}

/* The member computes for `whole` ps from now on; then its timer expires with the value `what`. Time in which a
 * concurrent computation of the member runs as well is counted once. */
static void spend(const struct wl_process *p, struct net_process_call *call, uint64_t whole, uint64_t what)
{
	const struct aspen_state *st = call->state;
	uint64_t counted = call->now;
	for (uint32_t i = 0; i < shared_of(p)->program.most_beside; i++)
		counted = st->until[i] > counted ? st->until[i] : counted;
	if (call->now + whole > counted)
		net_rank_spends(call, NET_COMPUTES, call->now + whole - counted);
	net_timer_computing(call, call->now + whole, what, whole);
}

static void compute(const struct wl_process *p, struct net_process_call *call, double seconds)
{
	struct aspen_state *st = call->state;
	uint64_t whole = duration(p, seconds);
	if (!whole)
		return;
	st->waits = true;
	spend(p, call, whole, TIMER_COMPUTED);
}

/* Beside what follows, until join_depth() of this depth. */
static void compute_beside(const struct wl_process *p, struct net_process_call *call, const struct aspen_op_step *op)
{
	struct aspen_state *st = call->state;
	uint64_t whole = duration(p, op->seconds);
	if (whole)
		spend(p, call, whole, TIMER_BESIDE + op->at);
	st->until[op->at] = call->now + whole;
}

static void join_depth(struct net_process_call *call, uint32_t depth)
{
	struct aspen_state *st = call->state;
	st->waits = st->until[depth] > call->now;
	st->joins = st->waits ? depth + 1 : 0;
}

/* The communication that it is in begins or has ended. */
static void tell_comm(const struct wl_process *p, struct net_process_call *call,
                      void (*tell)(struct net_process_call *call, uint32_t kind, uint64_t at))
{
	const struct aspen_state *st = call->state;
	tell(call, shared_of(p)->program.comm[st->comm - 1].pattern, call->now);
}

static void go_on_in_program(const struct wl_process *p, struct net_process_call *call, uint32_t rank)
{
	struct aspen_state *st = call->state;
	while (!st->over && !st->waits && !st->sends && !st->awaited) {
		if (st->comm) {
			if (begin_round(p, call, rank)) {
				st->round++;
			} else {
				tell_comm(p, call, net_call_ends);
				st->comm = 0;
			}
			continue;
		}
		const struct aspen_op_step *op = aspen_program_next(&shared_of(p)->program, &st->at);
		if (!op) {
			if (!again(p, call))
				return;
		} else if (op->kind == ASPEN_OP_COMPUTE) {
			compute(p, call, op->seconds);
		} else if (op->kind == ASPEN_OP_BESIDE) {
			compute_beside(p, call, op);
		} else if (op->kind == ASPEN_OP_JOIN) {
			join_depth(call, op->at);
		} else {
			st->comm = op->at + 1;
			st->round = 0;
			tell_comm(p, call, net_call_begins);
		}
	}
	if (!st->over && !st->waits)
		net_rank_does(call, st->awaited ? NET_WAITS : NET_SENDS);
}

static void start_aspen(const struct wl_process *p, struct net_process_call *call, uint32_t me)
{
	struct aspen_state *st = call->state;
	uint32_t rank = rank_at(p, me);
	st->began = call->now;
	st->over = rank == WL_NO_RANK;
	if (!st->over)
		net_rank_begins(call, rank);
	go_on_in_program(p, call, rank);
}

static void timer(const struct wl_process *p, struct net_process_call *call, uint32_t me, uint64_t what)
{
	struct aspen_state *st = call->state;
	if (what >= TIMER_BESIDE) {
		uint32_t depth = (uint32_t)what - TIMER_BESIDE;
		if (st->joins != depth + 1 || st->until[depth] > call->now)
			return; /* it communicates still */
		st->joins = 0;
	}
	st->waits = false;
	go_on_in_program(p, call, rank_at(p, me));
}

static void message_sent(const struct wl_process *p, struct net_process_call *call, uint32_t me,
                         const struct net_message *m)
{
	struct aspen_state *st = call->state;
	(void)m;
	if (!st->sends)
		return; /* of an impossible past */
	st->sends--;
	go_on_in_program(p, call, rank_at(p, me));
}

static void delivered(const struct wl_process *p, struct net_process_call *call, uint32_t me,
                      const struct net_message *m)
{
	struct aspen_state *st = call->state;
	uint32_t rank = rank_at(p, me), sender = rank_at(p, wl_process_member(p, m->peer));
	bool both = rank != WL_NO_RANK && sender != WL_NO_RANK;
	int32_t *early = both ? early_of(shared_of(p), st, rank, sender) : NULL;
	if (!early)
		return; /* of an impossible past */
	if (++*early > 0)
		return;
	st->awaited--;
	go_on_in_program(p, call, rank);
}

static const struct wl_format format = { .content = WL_MODEL, .what = "a model", .ends = ".aspen" };

static const struct wl_process_ops ops = { .format = &format,
	                                   .wants_sent = true,
	                                   .application = true,
	                                   .in_bursts = true,
	                                   .mpi = WL_USES_COLLECTIVES | WL_USES_CLASSES,
	                                   .kinds_differ = true,
	                                   .build = build_aspen,
	                                   .schedule = schedule,
	                                   .destroy = destroy_aspen,
	                                   .state_bytes = aspen_state_bytes,
	                                   .start = start_aspen,
	                                   .sent = message_sent,
	                                   .delivered = delivered,
	                                   .timer = timer };

static void aspen_files(const void *params, void (*visit)(void *arg, const char *path), void *arg)
{
	const struct aspen_params *q = params;
	wl_aspen_files(q->model, visit, arg);
	wl_aspen_files(q->machine, visit, arg);
}

const struct base_plugin wl_process_aspen = {
	.kind = "process",
	.name = "aspen",
	.summary = "each member executes an Aspen model: it computes for the predicted times, and communicates through "
		   "the network",
	.source = "Carothers et al., SIGSIM-PADS 2017 (Durango)",
	.params = table,
	.conditions = conditions,
	.params_bytes = sizeof(struct aspen_params),
	.ops = &ops,
	.files = aspen_files,
};
