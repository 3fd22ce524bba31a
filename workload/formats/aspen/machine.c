/* workload/formats/aspen/machine.c - the time of a block on a machine.
 *
 * Resources are searched depth first from the machine, in the order of declaration, skipping sockets with another name.
 * The requirements for one resource are added up; resources that conflict are added up; the block takes as long as the
 * longest of these groups. A requirement takes ceil(parallelism / units) times the time of a single unit, where units
 * is the product of the quantities on the path to the component that has the resource. */
#include "workload/formats/aspen/run.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOCKETS 64u

int aspen_choose(struct aspen_run *r, struct aspen_model *machine, const char *socket)
{
	const char *names[SOCKETS];
	char near[100], all[600] = "";
	size_t n = 0, k = 0;
	for (uint32_t i = 0; i < machine->components.n && n < SOCKETS; i++) {
		const struct aspen_component *c = machine->components.v[i];
		if (!strcmp(c->type, "socket"))
			names[n++] = c->name;
	}
	for (size_t i = 0; i < n && k < sizeof all - 80; i++)
		k += (size_t)snprintf(all + k, sizeof all - k, "%s%.60s", i ? ", " : "", names[i]);
	r->machine = machine;
	r->socket = socket;
	if (!socket && n == 1)
		r->socket = names[0];
	else if (!socket && n)
		return base_errorf(r->a->errors, "@--socket", "the machine has several sockets: choose one of %s", all);
	else if (!socket)
		r->socket = "";
	for (size_t i = 0; i < n; i++)
		if (socket && !strcmp(names[i], socket))
			return 0;
	if (socket)
		return base_errorf(r->a->errors, "@--socket", "the machine has no socket %s%s; available: %s", socket,
		                   aspen_did_you_mean(socket, names, n, near, sizeof near), all);
	return 0;
}

static bool refused(const struct aspen_run *r, const struct aspen_part *p)
{
	return !strcmp(p->component->type, "socket") && strcmp(p->component->name, r->socket) != 0;
}

/* Fills u->resource and u->units, the latter with the units above `c`. A component is searched once, since a second
 * search would find nothing new. */
static bool find_resource(struct aspen_run *r, struct aspen_component *c, struct aspen_use *u, double units)
{
	if (c->mark == r->mark || r->failed)
		return false;
	c->mark = r->mark;
	for (uint32_t i = 0; i < c->resources.n; i++) {
		const struct aspen_resource *x = c->resources.v[i];
		if (strcmp(x->name, u->name) != 0)
			continue;
		u->resource = x;
		u->units = units;
		return true;
	}
	for (uint32_t i = 0; i < c->parts.n; i++) {
		const struct aspen_part *p = c->parts.v[i];
		double n = 1;
		if (refused(r, p))
			continue;
		if (p->quantity)
			n = aspen_eval(r, p->quantity);
		if (!r->failed && !(n > 0))
			aspen_fail(r, p->at, "there are %.12g of %s, which is not possible", n, p->name);
		if (find_resource(r, p->component, u, units * n))
			return true;
	}
	return false;
}

static uint32_t use_of(struct aspen_run *r, const char *name)
{
	for (uint32_t i = 0; i < r->uses; i++)
		if (!strcmp(r->use[i].name, name))
			return i;
	if (r->uses == r->use_cap) {
		r->use_cap = r->use_cap ? 2 * r->use_cap : 16;
		r->use = base_realloc(r->use, r->use_cap * sizeof *r->use);
	}
	struct aspen_use *u = &r->use[r->uses++];
	*u = (struct aspen_use){ .name = name, .units = 1 };
	if (r->machine) {
		r->mark++;
		find_resource(r, r->machine->root, u, 1);
	}
	return r->uses - 1;
}

/* Names of the resources of a machine, for a suggestion. */
static const char *near_resource(const struct aspen_run *r, const char *word, char *out, size_t room)
{
	const char *names[256];
	size_t n = 0;
	for (uint32_t i = 0; i < r->machine->components.n; i++) {
		const struct aspen_component *c = r->machine->components.v[i];
		for (uint32_t k = 0; k < c->resources.n && n < 256; k++)
			names[n++] = ((struct aspen_resource *)c->resources.v[k])->name;
	}
	return aspen_did_you_mean(word, names, n, out, room);
}

/* --- conflicts -------------------------------------------------------------------------------------------- */

static void collect_resources(struct aspen_run *r, struct aspen_component *c)
{
	if (c->mark == r->mark)
		return;
	c->mark = r->mark;
	for (uint32_t i = 0; i < c->conflicts.n; i++) {
		if (r->conflicts == r->conflict_cap) {
			r->conflict_cap = r->conflict_cap ? 2 * r->conflict_cap : 16;
			r->conflict = base_realloc(r->conflict, r->conflict_cap * sizeof *r->conflict);
		}
		r->conflict[r->conflicts++] = c->conflicts.v[i];
	}
	for (uint32_t i = 0; i < c->parts.n; i++)
		if (!refused(r, c->parts.v[i]))
			collect_resources(r, ((struct aspen_part *)c->parts.v[i])->component);
}

/* --- blocks ----------------------------------------------------------------------------------------------- */

struct need {
	uint32_t use, group; /* group: index of the first need that it conflicts with */
	double seconds;
};

/* Seconds of one unit of a requirement on one unit of the resource. Traits apply in the order in which they are
 * written; traits that the resource does not define have no effect. */
static double serial(struct aspen_run *r, const struct aspen_requirement *q, const struct aspen_resource *x,
                     double amount)
{
	double v[ASPEN_SLOTS] = { [ASPEN_SLOT_ARG] = amount };
	unsigned char state[ASPEN_SLOTS] = { [ASPEN_SLOT_ARG] = ASPEN_SET };
	const struct aspen_frame here = { v, state }, *outer = r->frame;
	r->frame = &here;
	double seconds = aspen_eval(r, x->value);
	r->frame = outer;
	for (uint32_t i = 0; i < q->traits.n && !r->failed; i++) {
		const struct aspen_trait *t = q->traits.v[i];
		const struct aspen_tdef *d = NULL;
		for (uint32_t k = 0; k < x->traits.n; k++)
			if (!strcmp(((struct aspen_tdef *)x->traits.v[k])->name, t->name))
				d = x->traits.v[k];
		if (!d)
			continue;
		if (d->arg && !t->value) {
			aspen_fail(r, t->at, "trait %s requires a value for %s: %s(...)", t->name, d->arg, t->name);
			break;
		}
		v[ASPEN_SLOT_TRAIT] = d->arg ? aspen_eval(r, t->value) : 0;
		v[ASPEN_SLOT_BASE] = seconds;
		state[ASPEN_SLOT_BASE] = state[ASPEN_SLOT_TRAIT] = ASPEN_SET;
		r->frame = &here;
		seconds = aspen_eval(r, d->value);
		r->frame = outer;
	}
	if (!r->failed && seconds < 0)
		aspen_fail(r, q->at, "%s takes a negative time, %.12g s", q->name, seconds);
	return seconds;
}

/* What a requirement asks for is added to its resource's need; false: it has no time. */
static void add_need(struct aspen_run *r, const struct aspen_requirement *q, double parallelism, double times,
                     struct need *need, uint32_t *needs)
{
	char near[100];
	bool comm = !strcmp(q->name, "comm");
	double amount = aspen_eval(r, q->count);
	if (q->size)
		amount *= aspen_eval(r, q->size);
	if (!r->failed && amount < 0)
		aspen_fail(r, q->at, "%s: the amount %.12g is negative", q->name, amount);
	if (r->failed)
		return;
	r->steps += r->uses;
	uint32_t k = use_of(r, q->name), i = 0;
	if (r->failed)
		return;
	struct aspen_use *u = &r->use[k];
	u->amount += amount * parallelism * times;
	if (!r->machine)
		return;
	if (!u->resource) {
		if (!comm || r->strict)
			aspen_fail(r, q->at, "the machine has no resource %s under socket %s%s", q->name, r->socket,
			           near_resource(r, q->name, near, sizeof near));
		return;
	}
	double seconds = ceil(parallelism / u->units) * serial(r, q, u->resource, amount);
	r->use[k].seconds += seconds * times;
	while (i < *needs && need[i].use != k)
		i++;
	if (i == *needs)
		need[(*needs)++] = (struct need){ .use = k, .group = i };
	need[i].seconds += seconds;
}

static uint32_t root_of(const struct need *need, uint32_t i)
{
	while (need[i].group != i)
		i = need[i].group;
	return i;
}

/* Joins the groups of needs whose resources conflict. */
static void join_needs(struct aspen_run *r, struct need *need, uint32_t needs)
{
	for (uint32_t c = 0; c < r->conflicts && needs > 1; c++) {
		uint32_t a = needs, b = needs;
		for (uint32_t i = 0; i < needs; i++) {
			const char *name = r->use[need[i].use].name;
			a = strcmp(name, r->conflict[c]->a) ? a : i;
			b = strcmp(name, r->conflict[c]->b) ? b : i;
		}
		if (a == needs || b == needs)
			continue;
		a = root_of(need, a);
		b = root_of(need, b);
		need[a > b ? a : b].group = a > b ? b : a;
	}
}

/* The longest group; without the needs for `comm` if so asked. */
static double longest_group(const struct aspen_run *r, const struct need *need, uint32_t needs, double *sum, bool comm)
{
	double most = 0;
	for (uint32_t i = 0; i < needs; i++)
		sum[i] = 0;
	for (uint32_t i = 0; i < needs; i++)
		if (comm || strcmp(r->use[need[i].use].name, "comm") != 0)
			sum[root_of(need, i)] += need[i].seconds;
	for (uint32_t i = 0; i < needs; i++)
		most = sum[i] > most ? sum[i] : most;
	return most;
}

double aspen_block_seconds(struct aspen_run *r, const struct aspen_stmt *t, double times)
{
	double parallelism = t->value ? aspen_eval(r, t->value) : 1;
	struct need few[16], *need = few;
	double some[16], *sum = some, seconds = 0;
	uint32_t needs = 0, n = t->requirements.n;
	if (!r->failed && parallelism < 0)
		aspen_fail(r, t->at, "a parallelism of %.12g is not possible", parallelism);
	if (r->machine && !r->conflicts_known) {
		r->mark++;
		collect_resources(r, r->machine->root);
		r->conflicts_known = true;
	}
	if (n > 16) {
		need = base_calloc(n, sizeof *need);
		sum = base_calloc(n, sizeof *sum);
	}
	for (uint32_t i = 0; i < n && aspen_step(r, t->at); i++)
		add_need(r, t->requirements.v[i], parallelism, times, need, &needs);
	if (!r->failed) {
		join_needs(r, need, needs);
		seconds = longest_group(r, need, needs, sum, true);
		r->block_without_comm = longest_group(r, need, needs, sum, false);
		r->steps += (uint64_t)needs * needs + (uint64_t)r->conflicts * needs;
	}
	if (need != few) {
		free(need);
		free(sum);
	}
	return seconds;
}
