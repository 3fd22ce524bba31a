/* workload/formats/aspen/emit_goal.c - GOAL text (Hoefler, Siebert, Lumsdaine, ICPP 2009): a graph of send, recv and
 * calc per rank.
 *
 * The operations of a round depend on all operations of the previous round; if both rounds have several, through a calc
 * of 0. Computation that overlaps with communication uses a processor of its own, numbered from 1 by depth, and is
 * joined by a calc of 0. Tags are 64 x (number of the communication, modulo 2^20) + a number that distinguishes the
 * messages of one communication; halves of sweeps, whose other halves have other numbers, use the number 2^20. */
#include "workload/formats/aspen/emit.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

#define TAGS 64u
#define NUMBERS (1u << 20)

struct writer {
	FILE *out;
	uint64_t next;        /* label */
	uint64_t first, last; /* labels that what follows depends on; first > last: none */
};

static void requires(const struct writer *w, uint64_t label)
{
	for (uint64_t i = w->first; i <= w->last; i++)
		fprintf(w->out, "l%" PRIu64 " requires l%" PRIu64 "\n", label, i);
}

static void done(struct writer *w, uint64_t first)
{
	w->first = first;
	w->last = w->next - 1;
}

static void calc(struct writer *w, uint64_t ns)
{
	uint64_t label = w->next++;
	fprintf(w->out, "l%" PRIu64 ": calc %" PRIu64 "\n", label, ns);
	requires(w, label);
	done(w, label);
}

/* Its label. What follows does not wait for it. */
static uint64_t calc_beside(struct writer *w, uint64_t ns, uint32_t depth)
{
	uint64_t label = w->next++;
	fprintf(w->out, "l%" PRIu64 ": calc %" PRIu64 " cpu %" PRIu32 "\n", label, ns, depth + 1);
	requires(w, label);
	return label;
}

static void join_beside(struct writer *w, uint64_t beside)
{
	calc(w, 0);
	fprintf(w->out, "l%" PRIu64 " requires l%" PRIu64 "\n", w->last, beside);
}

static uint64_t nanoseconds(const struct aspen_op_step *op)
{
	return (uint64_t)(op->seconds < 1e9 ? op->seconds * 1e9 + 0.5 : 1e18);
}

static void transfers(struct writer *w, const struct aspen_xfers *x, uint64_t number)
{
	if (!x->n)
		return;
	if (x->n > 1 && w->last > w->first)
		calc(w, 0);
	uint64_t first = w->next;
	for (uint32_t i = 0; i < x->n; i++) {
		const struct aspen_xfer *t = &x->v[i];
		fprintf(w->out, "l%" PRIu64 ": %s %" PRIu64 "b %s %" PRIu32 " tag %" PRIu64 "\n", w->next,
		        t->send ? "send" : "recv", t->bytes, t->send ? "to" : "from", t->peer,
		        number * TAGS + t->tag % TAGS);
		requires(w, w->next++);
	}
	done(w, first);
}

static void write_rank(FILE *out, const struct aspen_program *p, const struct aspen_ranks *g, uint32_t rank,
                       struct aspen_xfers *x)
{
	struct writer w = { .out = out, .next = 1, .first = 1 };
	struct aspen_cursor c = { 0 };
	uint32_t number = 0;
	uint64_t *beside = base_calloc(p->most_beside + 1, sizeof *beside);
	fprintf(out, "\nrank %" PRIu32 " {\n", rank);
	for (const struct aspen_op_step *op; (op = aspen_program_next(p, &c));) {
		if (op->kind == ASPEN_OP_COMPUTE)
			calc(&w, nanoseconds(op));
		else if (op->kind == ASPEN_OP_BESIDE)
			beside[op->at] = calc_beside(&w, nanoseconds(op), op->at);
		else if (op->kind == ASPEN_OP_JOIN)
			join_beside(&w, beside[op->at]);
		for (uint32_t round = 0; op->kind == ASPEN_OP_COMM && aspen_round(&p->comm[op->at], g, rank, round, x);
		     round++)
			transfers(&w, x, aspen_is_half(&p->comm[op->at]) ? NUMBERS : number % NUMBERS);
		number += op->kind == ASPEN_OP_COMM;
	}
	if (w.next == 1)
		calc(&w, 0);
	free(beside);
	fprintf(out, "}\n");
}

/* Bytes: a message is a send and a receive, and what these require. */
#define MESSAGE_TEXT 142.0
#define CALC_TEXT 40.0

double aspen_goal_bytes(const struct aspen_program *p, const struct aspen_ranks *g)
{
	struct aspen_count *count = base_calloc(p->phases + 1, sizeof *count);
	double messages = 0, computations = (double)aspen_count_computations(p) * g->n;
	aspen_count_program(p, g, count);
	for (uint32_t i = 0; i < p->phases; i++)
		messages += (double)count[i].messages;
	free(count);
	return MESSAGE_TEXT * messages + CALC_TEXT * (computations + g->n);
}

void aspen_emit_goal(FILE *out, const struct aspen_program *p, const struct aspen_ranks *g, const char *model)
{
	struct aspen_xfers x = { 0 };
	fprintf(out, "// GOAL, in ns: Aspen model %s\n", model);
	for (uint32_t i = 0; i < p->comms; i++)
		if (aspen_is_collective(&p->comm[i]))
			fprintf(out, "// %s of %" PRIu64 " bytes: %s\n", aspen_pattern_name[p->comm[i].pattern],
			        p->comm[i].count * p->comm[i].size, aspen_algorithm(&p->comm[i], g));
	fprintf(out, "num_ranks %" PRIu32 "\n", g->n);
	for (uint32_t rank = 0; rank < g->n; rank++)
		write_rank(out, p, g, rank, &x);
	aspen_xfers_free(&x);
}
