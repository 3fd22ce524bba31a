/* workload/formats/aspen/walk.c - evaluates a model: its time, its requirements, and the program of its ranks.
 *
 * A loop is evaluated once and multiplied, unless its iterations differ (because of a counter or a sample in it; with a
 * program also because of a probability that decides on communication). Parts without communication become one step of
 * computation. */
#include "workload/formats/aspen/run.h"

#include "base/memory.h"
#include "workload/formats/aspen/comm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double walk_body(struct aspen_run *r, const struct aspen_list *body, double times);

static bool emits(const struct aspen_run *r, const struct aspen_stmt *t)
{
	return r->program && t->communicates;
}

static double count_of(struct aspen_run *r, const struct aspen_stmt *t)
{
	double n = aspen_eval(r, t->value);
	if (!r->failed && n < 0)
		aspen_fail(r, t->value->at, "a loop cannot have %.12g iterations", n);
	return n;
}

/* --- loops ------------------------------------------------------------------------------------------------ */

static double walk_turns(struct aspen_run *r, const struct aspen_stmt *t, double turns, double times)
{
	double sum = 0;
	for (double i = 0; i < turns && aspen_step(r, t->at); i++) {
		if (t->name) {
			r->frame->v[t->slot] = i;
			r->frame->state[t->slot] = ASPEN_SET;
		}
		sum += walk_body(r, &t->body, times);
	}
	return sum;
}

static double walk_loop(struct aspen_run *r, const struct aspen_stmt *t, double times)
{
	double turns = count_of(r, t);
	if (r->failed || turns == 0)
		return 0;
	if (t->explicit_walk || (emits(r, t) && (t->random || r->program->unroll)))
		return walk_turns(r, t, turns, times);
	if (!emits(r, t))
		return turns * walk_body(r, &t->body, times * turns);
	if (turns != floor(turns))
		return aspen_fail(r, t->value->at,
		                  "a loop with communication has %.12g iterations, which is not a whole number", turns);
	if (turns >= 0x1p63)
		return aspen_fail(r, t->value->at,
		                  "a loop with communication has %.12g iterations; at most 2^63 - 1 can be counted",
		                  turns);
	if (turns == 1)
		return walk_body(r, &t->body, times);
	if (r->program->nest == ASPEN_MOST_NEST)
		return walk_turns(r, t, turns, times);
	uint32_t loop = aspen_program_loop(r, t->at, (uint64_t)turns);
	double sum = turns * walk_body(r, &t->body, times * turns);
	aspen_program_end(r, t->at, loop);
	return sum;
}

/* --- choices ---------------------------------------------------------------------------------------------- */

static double walk_if(struct aspen_run *r, const struct aspen_stmt *t, double times)
{
	if (r->strict && r->machine)
		return aspen_fail(r, t->at, "the original Aspen predicts no time for \"if\"");
	bool yes = aspen_eval(r, t->value) != 0;
	return r->failed ? 0 : walk_body(r, yes ? &t->body : &t->otherwise, times);
}

static double walk_switch(struct aspen_run *r, const struct aspen_stmt *t, double times)
{
	if (r->strict && r->machine)
		return aspen_fail(r, t->at, "the original Aspen predicts no time for \"switch\"");
	double value = aspen_eval(r, t->value);
	for (uint32_t i = 0; i < t->branches.n && !r->failed; i++) {
		const struct aspen_branch *b = t->branches.v[i];
		if (aspen_eval(r, b->value) == value)
			return walk_body(r, &b->body, times);
	}
	return r->failed ? 0 : walk_body(r, &t->otherwise, times);
}

/* The expected time, or where it communicates the time of a branch that is drawn. */
static double walk_probability(struct aspen_run *r, const struct aspen_stmt *t, double times)
{
	double left = 1, sum = 0, u = emits(r, t) ? aspen_uniform(r) : 0;
	bool drawn = false;
	for (uint32_t i = 0; i < t->branches.n && !r->failed; i++) {
		const struct aspen_branch *b = t->branches.v[i];
		double p = aspen_eval(r, b->value);
		left -= p;
		if (!r->failed && (p < 0 || left < -1e-9))
			return aspen_fail(
			    r, b->at, p < 0 ? "a probability is negative" : "the probabilities sum up to more than 1");
		if (!emits(r, t)) {
			sum += p * walk_body(r, &b->body, times * p);
		} else if (!drawn && u < 1 - left) {
			drawn = true;
			sum = walk_body(r, &b->body, times);
		}
	}
	if (left > 0 && !emits(r, t))
		sum += left * walk_body(r, &t->otherwise, times * left);
	else if (emits(r, t) && !drawn)
		sum = walk_body(r, &t->otherwise, times);
	return sum;
}

/* Of the statements that communicate, or of the others: the longest. */
static double walk_branches(struct aspen_run *r, const struct aspen_stmt *t, bool communicate, double times)
{
	double most = 0;
	for (uint32_t i = 0; i < t->body.n && !r->failed; i++) {
		const struct aspen_stmt *branch = t->body.v[i];
		struct aspen_list one = { .v = &t->body.v[i], .n = 1 };
		if (branch->communicates != communicate)
			continue;
		double seconds = walk_body(r, &one, times);
		most = seconds > most ? seconds : most;
	}
	return most;
}

/* Concurrent branches: as long as the longest. In the program the branches that only compute run concurrently with
 * those that communicate, which follow each other. */
static double walk_par(struct aspen_run *r, const struct aspen_stmt *t, double times)
{
	struct aspen_program *program = r->program;
	if (r->strict)
		return walk_body(r, &t->body, times);
	r->program = NULL;
	double computes = walk_branches(r, t, false, times), beside = (1 - r->apart) * computes;
	r->program = program;
	bool overlaps = program && beside > 0 && !r->failed;
	if (program) {
		program->overlaps |= computes > 0;
		aspen_program_compute(r, t->at, computes - beside);
	}
	uint32_t depth = overlaps ? aspen_program_beside(r, t->at, beside) : 0;
	double communicates = walk_branches(r, t, true, times);
	if (overlaps && !r->failed)
		aspen_program_join(r, t->at, depth);
	return computes > communicates ? computes : communicates;
}

/* --- kernels ---------------------------------------------------------------------------------------------- */

static double walk_kernel(struct aspen_run *r, const struct aspen_kernel *k, const double *args, double times)
{
	const struct aspen_frame *outer = r->frame;
	const char *caller = r->program ? r->program->kernel : NULL;
	struct aspen_frame f = { base_calloc(k->slots + 1, sizeof *f.v), base_alloc(k->slots + 1) };
	for (uint32_t i = 0; i < k->args.n; i++) {
		f.v[i] = args[i];
		f.state[i] = ((struct aspen_arg *)k->args.v[i])->data ? ASPEN_UNSET : ASPEN_SET;
	}
	r->frame = &f;
	if (r->program)
		r->program->kernel = k->name;
	r->steps += k->slots;
	double seconds = walk_body(r, &k->body, times);
	if (r->program)
		r->program->kernel = caller;
	r->frame = outer;
	r->kernel[k->index].calls += times;
	r->kernel[k->index].seconds += seconds * times;
	free(f.v);
	free(f.state);
	return seconds;
}

static double walk_call(struct aspen_run *r, const struct aspen_stmt *t, double times)
{
	double *args = base_calloc(t->args.n + 1, sizeof *args), seconds = 0;
	for (uint32_t i = 0; i < t->args.n && !r->failed; i++)
		if (!((struct aspen_arg *)t->kernel->args.v[i])->data)
			args[i] = aspen_eval(r, t->args.v[i]);
	if (!r->failed)
		seconds = walk_kernel(r, t->kernel, args, times);
	free(args);
	return seconds;
}

static double walk_execute(struct aspen_run *r, const struct aspen_stmt *t, double times)
{
	double seconds = aspen_block_seconds(r, t, times);
	if (!emits(r, t) || r->failed)
		return seconds;
	aspen_program_compute(r, t->at, r->block_without_comm);
	for (uint32_t i = 0; i < t->requirements.n && !r->failed; i++)
		if (!strcmp(((struct aspen_requirement *)t->requirements.v[i])->name, "comm"))
			aspen_program_comm(r, t, t->requirements.v[i]);
	return seconds;
}

static double walk_stmt(struct aspen_run *r, const struct aspen_stmt *t, double times)
{
	switch (t->kind) {
	case ASPEN_EXECUTE:
		return walk_execute(r, t, times);
	case ASPEN_CALL_KERNEL:
		return walk_call(r, t, times);
	case ASPEN_SAMPLE:
		r->frame->v[t->slot] = aspen_draw(r, t->value);
		r->frame->state[t->slot] = ASPEN_SET;
		return 0;
	case ASPEN_PAR:
		return walk_par(r, t, times);
	case ASPEN_SEQ:
		return walk_body(r, &t->body, times);
	case ASPEN_ITERATE:
	case ASPEN_MAP:
		return walk_loop(r, t, times);
	case ASPEN_IF:
		return walk_if(r, t, times);
	case ASPEN_PROBABILITY:
		return walk_probability(r, t, times);
	case ASPEN_SWITCH:
		return walk_switch(r, t, times);
	}
	return 0;
}

static double walk_body(struct aspen_run *r, const struct aspen_list *body, double times)
{
	double sum = 0;
	r->depth += 4; /* frames of a statement */
	for (uint32_t i = 0; i < body->n; i++) {
		const struct aspen_stmt *t = body->v[i];
		if (!aspen_step(r, t->at))
			break;
		struct aspen_program *program = r->program;
		if (!t->communicates)
			r->program = NULL;
		double seconds = walk_stmt(r, t, times);
		r->program = program;
		if (!t->communicates)
			aspen_program_compute(r, t->at, seconds);
		sum += seconds;
	}
	r->depth -= 4;
	return sum;
}

double aspen_walk(struct aspen_run *r, const struct aspen_kernel *kernel)
{
	free(r->kernel);
	r->kernel = base_calloc(r->a->kernels.n + 1, sizeof *r->kernel);
	if (kernel->args.n)
		return aspen_fail(r, kernel->at,
		                  "kernel %s has arguments: evaluation must begin with a kernel without arguments",
		                  kernel->name);
	double seconds = walk_kernel(r, kernel, NULL, 1);
	if (!r->failed && !isfinite(seconds))
		aspen_fail(r, kernel->at, "the time is not a finite number");
	return seconds;
}

void aspen_run_free(struct aspen_run *r)
{
	free(r->use);
	free(r->conflict);
	free(r->kernel);
	*r = (struct aspen_run){ 0 };
}
