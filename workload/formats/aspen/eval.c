/* workload/formats/aspen/eval.c - the values of expressions. Params are evaluated when they are needed, once. */
#include "workload/formats/aspen/run.h"

#include "base/format.h"
#include "base/memory.h"
#include "sim/rng.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int aspen_fail(struct aspen_run *r, struct aspen_at at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text = base_vformat(fmt, ap);
	if (!r->failed)
		aspen_errorf(r->a, at, "%s", text);
	va_end(ap);
	free(text);
	r->failed = true;
	return -1;
}

bool aspen_step(struct aspen_run *r, struct aspen_at at)
{
	if (r->steps++ >= ASPEN_MOST_STEPS)
		aspen_fail(r, at, "evaluating this model takes more than %llu steps",
		           (unsigned long long)ASPEN_MOST_STEPS);
	if (r->depth > ASPEN_MOST_NESTED)
		aspen_fail(r, at, "the expression is nested too deeply");
	return !r->failed;
}

static double global(struct aspen_run *r, struct aspen_param *p, struct aspen_at at)
{
	if (p->done)
		return p->memo;
	if (p->busy)
		return aspen_fail(r, at, "parameter %s depends on itself", p->name);
	const struct aspen_frame *frame = r->frame;
	r->frame = NULL;
	p->busy = true;
	p->memo = aspen_eval(r, p->value);
	if (p->overridden && p->low && !r->failed) {
		double low = aspen_eval(r, p->low), high = aspen_eval(r, p->high);
		if (!r->failed && !(p->memo >= low && p->memo <= high))
			aspen_fail(r, p->at, "parameter %s = %.12g is outside its range, %.12g .. %.12g", p->name,
			           p->memo, low, high);
	}
	p->busy = false;
	p->done = !r->failed;
	r->frame = frame;
	return p->memo;
}

static double slot(struct aspen_run *r, const struct aspen_expr *e)
{
	const struct aspen_frame *f = r->frame;
	if (!f || f->state[e->slot] == ASPEN_BUSY)
		return aspen_fail(r, e->at, "%s depends on itself", e->name);
	if (f->state[e->slot] == ASPEN_UNSET) {
		if (!e->param || !e->param->value)
			return aspen_fail(r, e->at, "%s has no value here", e->name);
		f->state[e->slot] = ASPEN_BUSY;
		f->v[e->slot] = aspen_eval(r, e->param->value);
		f->state[e->slot] = ASPEN_SET;
	}
	return f->v[e->slot];
}

/* An index below n. */
static uint32_t index_of(struct aspen_run *r, const struct aspen_expr *e, uint32_t n, const char *name)
{
	double i = aspen_eval(r, e);
	if (!r->failed && i != floor(i))
		aspen_fail(r, e->at, "index %.12g of %s is not a whole number: use floor()", i, name);
	else if (!r->failed && !(i >= 0 && i < n))
		aspen_fail(r, e->at, "index %.12g of %s is outside 0 .. %u", i, name, n - 1);
	return r->failed ? 0 : (uint32_t)i;
}

/* An element of a param, which may be of the model (evaluated without a frame) or of the kernel. */
static double element(struct aspen_run *r, const struct aspen_expr *e, const struct aspen_list *row, uint32_t i)
{
	const struct aspen_frame *frame = r->frame;
	if (e->bound == ASPEN_GLOBAL)
		r->frame = NULL;
	double value = r->failed ? 0 : aspen_eval(r, row->v[i]);
	r->frame = frame;
	return value;
}

static double indexed(struct aspen_run *r, const struct aspen_expr *e)
{
	const struct aspen_list *row = &e->param->values;
	uint32_t i = index_of(r, e->args.v[0], row->n, e->name);
	if (r->failed)
		return 0;
	if (e->args.n == 2) {
		row = row->v[i];
		i = index_of(r, e->args.v[1], row->n, e->name);
	}
	return element(r, e, row, i);
}

/* Piecewise linear through (sizes[i], values[i]); beyond the ends the first or the last segment is extended. */
static double lookup(struct aspen_run *r, const struct aspen_expr *e)
{
	const struct aspen_expr *ve = e->args.v[0], *se = e->args.v[1];
	const struct aspen_list *values = &ve->param->values, *sizes = &se->param->values;
	double x = aspen_eval(r, e->args.v[2]);
	if (values->n != sizes->n || values->n < 2)
		return aspen_fail(r, e->at, "lookup requires two arrays of the same length, at least 2");
	uint32_t i = 0;
	while (i + 2 < sizes->n && !r->failed && x > element(r, se, sizes, i + 1))
		i++;
	double s0 = element(r, se, sizes, i), s1 = element(r, se, sizes, i + 1);
	double v0 = element(r, ve, values, i), v1 = element(r, ve, values, i + 1);
	if (!r->failed && !(s1 > s0))
		return aspen_fail(r, e->at, "the sizes of lookup must be increasing");
	return v0 + (v1 - v0) * (x - s0) / (s1 - s0);
}

static double call(struct aspen_run *r, const struct aspen_expr *e)
{
	if (!strcmp(e->name, "lookup"))
		return lookup(r, e);
	double x = aspen_eval(r, e->args.v[0]), y = e->args.n > 1 ? aspen_eval(r, e->args.v[1]) : 0;
	if (r->failed)
		return 0;
	if (!strcmp(e->name, "log") || !strcmp(e->name, "log2")) {
		if (!(x > 0))
			return aspen_fail(r, e->at, "%s(%.12g): the argument must be positive", e->name, x);
		return e->name[3] ? log2(x) : log(x);
	}
	if (!strcmp(e->name, "sqrt") && x < 0)
		return aspen_fail(r, e->at, "sqrt(%.12g): the argument is negative", x);
	return !strcmp(e->name, "floor")  ? floor(x)
	       : !strcmp(e->name, "ceil") ? ceil(x)
	       : !strcmp(e->name, "sqrt") ? sqrt(x)
	       : !strcmp(e->name, "max")  ? (x > y ? x : y)
	                                  : (x < y ? x : y);
}

/* Of values. */
static double apply(struct aspen_run *r, const struct aspen_expr *e, double x, double y)
{
	switch (e->op) {
	case ASPEN_NEGATE:
		return -x;
	case ASPEN_ADD:
		return x + y;
	case ASPEN_SUBTRACT:
		return x - y;
	case ASPEN_MULTIPLY:
		return x * y;
	case ASPEN_DIVIDE:
		if (y == 0)
			return aspen_fail(r, e->at, "division by zero");
		return x / y;
	case ASPEN_POWER:
		return pow(x, y);
	case ASPEN_EQ:
		return x == y;
	case ASPEN_NE:
		return x != y;
	case ASPEN_LT:
		return x < y;
	case ASPEN_GT:
		return x > y;
	case ASPEN_LE:
		return x <= y;
	case ASPEN_GE:
		return x >= y;
	case ASPEN_AND:
		return x != 0 && y != 0;
	case ASPEN_OR:
		return x != 0 || y != 0;
	case ASPEN_NUMBER:
	case ASPEN_NAME:
	case ASPEN_INDEX:
	case ASPEN_CALL:
		break;
	}
	return 0;
}

static double binary(struct aspen_run *r, const struct aspen_expr *e)
{
	double x = aspen_eval(r, e->a), y = e->b ? aspen_eval(r, e->b) : 0;
	return r->failed ? 0 : apply(r, e, x, y);
}

/* From the left. */
static double chain(struct aspen_run *r, const struct aspen_expr *e)
{
	uint32_t n = e->chain;
	const struct aspen_expr **at = base_calloc(n, sizeof *at);
	for (uint32_t i = n; i-- > 0; e = e->a)
		at[i] = e;
	double x = aspen_eval(r, e);
	for (uint32_t i = 0; i < n && !r->failed; i++) {
		double y = aspen_eval(r, at[i]->b);
		x = r->failed ? 0 : apply(r, at[i], x, y);
		if (!r->failed && !isfinite(x))
			aspen_fail(r, at[i]->at, "the result is not a finite number");
	}
	free(at);
	return x;
}

static double value_of(struct aspen_run *r, const struct aspen_expr *e)
{
	switch (e->op) {
	case ASPEN_NUMBER:
		return e->number;
	case ASPEN_NAME:
	case ASPEN_INDEX:
		if (e->bound == ASPEN_UNBOUND)
			return aspen_fail(r, e->at, "unknown name \"%s\"", e->name);
		if (e->op == ASPEN_INDEX)
			return indexed(r, e);
		return e->bound == ASPEN_GLOBAL ? global(r, e->param, e->at) : slot(r, e);
	case ASPEN_CALL:
		return call(r, e);
	case ASPEN_NEGATE:
	case ASPEN_ADD:
	case ASPEN_SUBTRACT:
	case ASPEN_MULTIPLY:
	case ASPEN_DIVIDE:
	case ASPEN_POWER:
	case ASPEN_EQ:
	case ASPEN_NE:
	case ASPEN_LT:
	case ASPEN_GT:
	case ASPEN_LE:
	case ASPEN_GE:
	case ASPEN_AND:
	case ASPEN_OR:
		break;
	}
	return e->chain > 1 ? chain(r, e) : binary(r, e);
}

double aspen_eval(struct aspen_run *r, const struct aspen_expr *e)
{
	if (!aspen_step(r, e->at))
		return 0;
	r->depth++;
	double value = value_of(r, e);
	r->depth--;
	if (!r->failed && !isfinite(value))
		aspen_fail(r, e->at, "the result is not a finite number");
	return value;
}

double aspen_uniform(struct aspen_run *r)
{
	struct sim_draw d = sim_draw4(r->seed, 0, r->draws++, SIM_DRAW_MODEL, 0);
	return ((double)(((uint64_t)d.v[0] << 32 | d.v[1]) >> 12) + 0.5) * 0x1p-52;
}

/* Index of the first entry of a cumulative distribution that is no less than a uniform number. */
static double draw_cdf(struct aspen_run *r, const struct aspen_expr *f)
{
	const struct aspen_expr *array = f->args.v[0];
	const struct aspen_list *p = &array->param->values;
	double u = aspen_uniform(r);
	for (uint32_t i = 0; i < p->n && !r->failed; i++)
		if (u <= element(r, array, p, i))
			return i;
	return aspen_fail(r, f->at, "the last entry of a cumulative distribution must be 1");
}

double aspen_draw(struct aspen_run *r, const struct aspen_expr *f)
{
	if (!strcmp(f->name, "cdf"))
		return draw_cdf(r, f);
	double x = aspen_eval(r, f->args.v[0]), y = aspen_eval(r, f->args.v[1]);
	double u = aspen_uniform(r);
	if (!strcmp(f->name, "uniform"))
		return x + (y - x) * u;
	return x + y * sqrt(-2 * log(u)) * cos(2 * M_PI * aspen_uniform(r)); /* Box and Muller, 1958 */
}
