/* workload/formats/aspen/program.c - making the program of the ranks while a model is walked; reading the traits of
 * `comm`. */
#include "workload/formats/aspen/program.h"

#include "base/memory.h"
#include "workload/formats/aspen/comm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES 1e15 /* of a message */

static struct aspen_op_step *add_op(struct aspen_run *r, struct aspen_at at, enum aspen_op_kind kind)
{
	struct aspen_program *p = r->program;
	if (p->n == ASPEN_MOST_OPS) {
		aspen_fail(r, at, "the program of the ranks has more than %u steps: too many loops are unrolled",
		           ASPEN_MOST_OPS);
		p->n--;
	}
	if (p->n == p->cap) {
		p->cap = p->cap ? 2 * p->cap : 64;
		p->op = base_realloc(p->op, p->cap * sizeof *p->op);
	}
	struct aspen_op_step *op = &p->op[p->n++];
	*op = (struct aspen_op_step){ .kind = kind };
	return op;
}

void aspen_program_compute(struct aspen_run *r, struct aspen_at at, double seconds)
{
	struct aspen_program *p = r->program;
	if (!p || seconds <= 0 || r->failed)
		return;
	if (p->n && p->op[p->n - 1].kind == ASPEN_OP_COMPUTE)
		p->op[p->n - 1].seconds += seconds;
	else
		add_op(r, at, ASPEN_OP_COMPUTE)->seconds = seconds;
}

uint32_t aspen_program_loop(struct aspen_run *r, struct aspen_at at, uint64_t count)
{
	add_op(r, at, ASPEN_OP_LOOP)->count = count;
	r->program->nest++;
	return r->program->n - 1;
}

void aspen_program_end(struct aspen_run *r, struct aspen_at at, uint32_t loop)
{
	struct aspen_program *p = r->program;
	p->nest--;
	if (p->n == loop + 1) {
		p->n--; /* nothing in it */
		return;
	}
	add_op(r, at, ASPEN_OP_END)->at = loop;
	p->op[loop].at = p->n - 1;
}

uint32_t aspen_program_beside(struct aspen_run *r, struct aspen_at at, double seconds)
{
	struct aspen_program *p = r->program;
	struct aspen_op_step *op = add_op(r, at, ASPEN_OP_BESIDE);
	op->seconds = seconds;
	op->at = p->beside++;
	p->most_beside = p->beside > p->most_beside ? p->beside : p->most_beside;
	return op->at;
}

void aspen_program_join(struct aspen_run *r, struct aspen_at at, uint32_t beside)
{
	add_op(r, at, ASPEN_OP_JOIN)->at = beside;
	r->program->beside = beside;
}

const struct aspen_op_step *aspen_program_next(const struct aspen_program *p, struct aspen_cursor *c)
{
	while (c->at < p->n) {
		const struct aspen_op_step *op = &p->op[c->at++];
		if (op->kind == ASPEN_OP_LOOP)
			c->left[c->nest++] = op->count;
		else if (op->kind != ASPEN_OP_END)
			return op;
		else if (--c->left[c->nest - 1])
			c->at = op->at + 1;
		else
			c->nest--;
	}
	return NULL;
}

void aspen_program_free(struct aspen_program *p)
{
	free(p->op);
	free(p->comm);
	free(p->phase);
	*p = (struct aspen_program){ 0 };
}

/* --- comm ------------------------------------------------------------------------------------------------- */

enum modifier { MIN, MAX, SUM, PROD, FACE, PERIODIC, PWAVE, NWAVE, NODAL, BACK, LEFT, LINE, RECEIVE, SEND, MODIFIERS };
static const char *const modifier_name[MODIFIERS] = { "min",   "max",   "sum",  "prod", "face", "periodic", "pwave",
	                                              "nwave", "nodal", "back", "left", "line", "receive",  "send" };

static int find_name(const char *name, const char *const *names, int n)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

static bool modifier_fits(enum aspen_pattern pattern, int modifier)
{
	if (modifier <= PROD)
		return pattern == ASPEN_ALLREDUCE || pattern == ASPEN_REDUCE || pattern == ASPEN_REDUCE_SCATTER;
	return modifier >= BACK ? pattern == ASPEN_SWEEP : pattern == ASPEN_NN3D || pattern == ASPEN_NN2D;
}

static void modify(struct aspen_comm *c, int modifier)
{
	if (modifier <= PROD)
		c->reduction = (enum aspen_reduction)modifier;
	c->face |= modifier == FACE;
	c->periodic |= modifier == PERIODIC;
	c->pwave |= modifier == PWAVE;
	c->nwave |= modifier == NWAVE;
	c->nodal |= modifier == NODAL;
	c->back |= modifier == BACK;
	c->left |= modifier == LEFT;
	c->line |= modifier == LINE;
	c->receive |= modifier == RECEIVE;
	c->send |= modifier == SEND;
}

static int read_traits(struct aspen_run *r, const struct aspen_requirement *q, struct aspen_comm *c)
{
	const char *names[ASPEN_PATTERNS + MODIFIERS];
	char near[80];
	bool found = false;
	memcpy(names, aspen_pattern_name, ASPEN_PATTERNS * sizeof *names);
	memcpy(names + ASPEN_PATTERNS, modifier_name, sizeof modifier_name);
	for (uint32_t i = 0; i < q->traits.n; i++) {
		const struct aspen_trait *t = q->traits.v[i];
		int k = find_name(t->name, names, ASPEN_PATTERNS + MODIFIERS);
		if (k < 0)
			return aspen_fail(
			    r, t->at, "comm does not know \"%s\"%s", t->name,
			    aspen_did_you_mean(t->name, names, ASPEN_PATTERNS + MODIFIERS, near, sizeof near));
		if (k < ASPEN_PATTERNS && found)
			return aspen_fail(r, t->at, "comm must have only one pattern; %s is a second one", t->name);
		if (k < ASPEN_PATTERNS)
			c->pattern = (enum aspen_pattern)k;
		found |= k < ASPEN_PATTERNS;
	}
	if (!found)
		return aspen_fail(r, q->at,
		                  "comm requires a pattern, as in \"as allreduce, min\" or \"as nn3d, face\"");
	for (uint32_t i = 0; i < q->traits.n; i++) {
		const struct aspen_trait *t = q->traits.v[i];
		int k = find_name(t->name, modifier_name, MODIFIERS);
		if (k >= 0 && !modifier_fits(c->pattern, k))
			return aspen_fail(r, t->at, "%s has no effect on %s", t->name, aspen_pattern_name[c->pattern]);
		if (k >= 0)
			modify(c, k);
	}
	if (c->receive && c->send)
		return aspen_fail(r, q->at,
		                  "receive and send select one half of a sweep; omit both for the whole sweep");
	if (c->line && c->left)
		return aspen_fail(r, q->at,
		                  "a line has only two directions: use back for the reverse one; left is for grids");
	if (c->pwave && c->nwave)
		return aspen_fail(r, q->at, "with both pwave and nwave nothing would be sent");
	return 0;
}

static int read_comm_numbers(struct aspen_run *r, const struct aspen_requirement *q, struct aspen_comm *c)
{
	double count = ceil(aspen_eval(r, q->count)), size = q->size ? aspen_eval(r, q->size) : ASPEN_WORD;
	if (r->failed)
		return -1;
	if (size != floor(size) || size < 0)
		return aspen_fail(r, q->at, "comm: %.12g is not a number of bytes", size);
	double edge = c->nodal ? 2 * count : count, most = c->pattern == ASPEN_NN3D ? size * edge * edge : size * edge;
	if (count < 0 || most > MOST_BYTES)
		return aspen_fail(r, q->at, "comm: messages of %.12g bytes are not possible", most);
	c->count = (uint64_t)count;
	c->size = (uint64_t)size;
	if (modifier_fits(c->pattern, SUM) && c->count * c->size % ASPEN_WORD)
		return aspen_fail(r, q->at, "%s of %llu bytes cannot combine numbers of %u bytes",
		                  aspen_pattern_name[c->pattern], (unsigned long long)(c->count * c->size), ASPEN_WORD);
	return 0;
}

static uint32_t phase_of(struct aspen_program *p, const struct aspen_stmt *t, const struct aspen_requirement *q)
{
	for (uint32_t i = 0; i < p->phases; i++)
		if (p->phase[i].requirement == q)
			return i;
	if (p->phases == p->phase_cap) {
		p->phase_cap = p->phase_cap ? 2 * p->phase_cap : 16;
		p->phase = base_realloc(p->phase, p->phase_cap * sizeof *p->phase);
	}
	p->phase[p->phases] = (struct aspen_phase){ .requirement = q, .name = t->label, .kernel = p->kernel };
	return p->phases++;
}

static bool equal(const struct aspen_comm *a, const struct aspen_comm *b)
{
	return a->phase == b->phase && a->count == b->count && a->size == b->size;
}

void aspen_program_comm(struct aspen_run *r, const struct aspen_stmt *t, const struct aspen_requirement *q)
{
	struct aspen_program *p = r->program;
	struct aspen_comm c = { .reduction = ASPEN_SUM };
	if (read_traits(r, q, &c) || read_comm_numbers(r, q, &c))
		return;
	if (c.pattern != ASPEN_BARRIER && c.count * c.size == 0)
		return;
	r->steps += p->phases;
	uint32_t phases = p->phases;
	c.phase = phase_of(p, t, q);
	if (p->phases > phases && t->value && aspen_eval(r, t->value) != 1)
		aspen_warnf(r->a, q->at,
		            "the parallelism of a block has no effect on comm: each rank executes it once");
	uint32_t i = p->comms, from = p->comms > 64 ? p->comms - 64 : 0; /* a second copy does no harm */
	while (i > from && !equal(&p->comm[i - 1], &c))
		i--;
	if (i == from) {
		if (p->comms == p->comm_cap) {
			p->comm_cap = p->comm_cap ? 2 * p->comm_cap : 16;
			p->comm = base_realloc(p->comm, p->comm_cap * sizeof *p->comm);
		}
		p->comm[p->comms++] = c;
		i = p->comms;
	}
	add_op(r, q->at, ASPEN_OP_COMM)->at = i - 1;
}
