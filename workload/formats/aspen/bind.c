/* workload/formats/aspen/bind.c - binds names to declarations, and finds errors that do not depend on the evaluation of
 * a model.
 *
 * Scope is lexical: in a kernel its counters, samples, parameters and arguments, then the parameters of its model, then
 * those of the machine. A called kernel does not see names of the caller. Recursive kernels are errors, so the depth of
 * an evaluation is bounded (kernels.c). */
#include "workload/formats/aspen/aspen.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NAMES 256u /* candidates for "did you mean" */

struct local {
	const char *name;
	uint32_t slot;
	struct aspen_param *param;
};

struct scope {
	struct aspen *a;
	struct aspen_model *m;
	struct aspen_kernel *k; /* NULL: of the model */
	struct local *local;
	uint32_t n, cap, slots;
	bool lenient; /* an unknown name is an error where it is evaluated only */
};

/* --- sorted lists ----------------------------------------------------------------------------------------- */

static int by_param_name(const void *a, const void *b)
{
	const struct aspen_param *const *x = a, *const *y = b;
	int order = strcmp((*x)->name, (*y)->name);
	return order ? order : *x < *y ? -1 : *x > *y;
}

/* The params of a model in the order of their names, and an error for each that is there twice. */
static void sort_params(struct aspen *a, struct aspen_model *m)
{
	m->sorted = aspen_alloc(a, (m->params.n + 1) * sizeof *m->sorted);
	for (uint32_t i = 0; i < m->params.n; i++)
		m->sorted[i] = m->params.v[i];
	qsort(m->sorted, m->params.n, sizeof *m->sorted, by_param_name);
	for (uint32_t i = 1; i < m->params.n; i++) {
		struct aspen_param *p = m->sorted[i], *q = m->sorted[i - 1];
		bool later = p->at.file > q->at.file || (p->at.file == q->at.file && p->at.line >= q->at.line);
		if (!strcmp(p->name, q->name))
			aspen_errorf(a, later ? p->at : q->at, "\"%s\" is declared twice", p->name);
	}
}

static struct aspen_param *find_param(const struct aspen_model *m, const char *name, size_t length)
{
	uint32_t low = 0, high = m->sorted ? m->params.n : 0;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = strncmp(m->sorted[middle]->name, name, length);
		if (!order && m->sorted[middle]->name[length])
			order = 1;
		if (!order)
			return m->sorted[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

struct aspen_kernel *aspen_kernel_find(const struct aspen_model *m, const char *name, size_t length)
{
	for (uint32_t i = 0; i < m->kernels.n; i++) {
		struct aspen_kernel *k = m->kernels.v[i];
		if (!strncmp(k->name, name, length) && !k->name[length])
			return k;
	}
	return NULL;
}

/* The import that the first part of a.b.c names. */
static struct aspen_model *imported(const struct aspen_list *imports, const char *name, size_t length)
{
	for (uint32_t i = 0; i < imports->n; i++) {
		const struct aspen_import *import = imports->v[i];
		if (strlen(import->name) == length && !memcmp(import->name, name, length))
			return import->model;
	}
	return NULL;
}

/* Follows the imports of a dotted name; *name is then its last part. */
static const struct aspen_model *home_of(const struct scope *s, const char **name)
{
	const struct aspen_model *m = s->m;
	for (bool first = true;; first = false) {
		const char *dot = strchr(*name, '.');
		if (!dot)
			return m;
		size_t length = (size_t)(dot - *name);
		const struct aspen_model *next = first && s->k ? imported(&s->k->imports, *name, length) : NULL;
		if (!next)
			next = imported(&m->imports, *name, length);
		if (!next)
			return NULL;
		m = next;
		*name = dot + 1;
	}
}

/* --- names ------------------------------------------------------------------------------------------------ */

static int unknown(const struct scope *s, struct aspen_at at, const char *what, const char *name)
{
	const char *names[NAMES];
	char near[100];
	size_t n = 0;
	for (uint32_t i = 0; i < s->n && n < NAMES; i++)
		names[n++] = s->local[i].name;
	for (uint32_t i = 0; i < s->m->params.n && n < NAMES; i++)
		names[n++] = ((struct aspen_param *)s->m->params.v[i])->name;
	for (uint32_t i = 0; s->m->fallback && i < s->m->fallback->params.n && n < NAMES; i++)
		names[n++] = ((struct aspen_param *)s->m->fallback->params.v[i])->name;
	return aspen_errorf(s->a, at, "unknown %s \"%s\"%s", what, name,
	                    aspen_did_you_mean(name, names, n, near, sizeof near));
}

static struct aspen_param *bind_name(struct scope *s, struct aspen_expr *e, const char *name)
{
	for (uint32_t i = s->n; i-- > 0;)
		if (!strcmp(s->local[i].name, name)) {
			e->bound = ASPEN_SLOT;
			e->slot = s->local[i].slot;
			e->param = s->local[i].param;
			return e->param;
		}
	const char *last = name;
	const struct aspen_model *home = home_of(s, &last);
	e->param = home ? find_param(home, last, strlen(last)) : NULL;
	if (!e->param && home == s->m && s->m->fallback)
		e->param = find_param(s->m->fallback, last, strlen(last));
	if (e->param)
		e->bound = ASPEN_GLOBAL;
	return e->param;
}

struct function {
	const char *name;
	uint32_t args, arrays; /* of which the first are arrays */
	bool random;
};

static const struct function functions[] = {
	{ "log", 1, 0, false },   { "log2", 1, 0, false },   { "floor", 1, 0, false }, { "ceil", 1, 0, false },
	{ "sqrt", 1, 0, false },  { "max", 2, 0, false },    { "min", 2, 0, false },   { "lookup", 3, 2, false },
	{ "normal", 2, 0, true }, { "uniform", 2, 0, true }, { "cdf", 1, 1, true },
};
#define FUNCTIONS (sizeof functions / sizeof *functions)

static void bind_expr(struct scope *s, struct aspen_expr *e);

static void bind_array(struct scope *s, struct aspen_expr *e, enum aspen_param_kind kind)
{
	struct aspen_param *p = e->op == ASPEN_NAME || e->op == ASPEN_INDEX ? bind_name(s, e, e->name) : NULL;
	bool is = p && (p->kind == kind || (kind == ASPEN_ARRAY && p->kind == ASPEN_ARRAY_OF));
	if (!p && e->name && e->bound == ASPEN_UNBOUND)
		unknown(s, e->at, kind == ASPEN_TABLE ? "table" : "array", e->name);
	else if (!is)
		aspen_errorf(s->a, e->at, "%s is not a %s", e->name ? e->name : "this",
		             kind == ASPEN_TABLE ? "table" : "array");
	if (!is)
		e->bound = ASPEN_UNBOUND;
}

static void bind_call(struct scope *s, struct aspen_expr *e, bool sample)
{
	const struct function *f = NULL;
	const char *names[FUNCTIONS];
	char near[80];
	for (size_t i = 0; i < FUNCTIONS; i++) {
		names[i] = functions[i].name;
		if (!strcmp(names[i], e->name))
			f = &functions[i];
	}
	if (!f)
		aspen_errorf(s->a, e->at, "unknown function \"%s\"%s", e->name,
		             aspen_did_you_mean(e->name, names, FUNCTIONS, near, sizeof near));
	else if (f->args != e->args.n)
		aspen_errorf(s->a, e->at, "%s takes %u argument%s, not %u", f->name, f->args, f->args > 1 ? "s" : "",
		             e->args.n);
	else if (f->random && !sample)
		aspen_errorf(s->a, e->at, "%s is random: write \"sample NAME from %s(...)\" in a kernel", f->name,
		             f->name);
	else if (sample && !f->random)
		aspen_errorf(s->a, e->at, "a sample must be drawn from normal, uniform or cdf, not from %s", f->name);
	for (uint32_t i = 0; i < e->args.n; i++)
		if (f && f->args == e->args.n && i < f->arrays)
			bind_array(s, e->args.v[i], ASPEN_ARRAY);
		else
			bind_expr(s, e->args.v[i]);
}

/* From the left. */
static void bind_chain(struct scope *s, struct aspen_expr *e)
{
	uint32_t n = e->chain;
	struct aspen_expr **at = base_calloc(n, sizeof *at);
	for (uint32_t i = n; i-- > 0; e = e->a)
		at[i] = e;
	bind_expr(s, e);
	for (uint32_t i = 0; i < n; i++)
		bind_expr(s, at[i]->b);
	free(at);
}

static void bind_expr(struct scope *s, struct aspen_expr *e)
{
	if (!e || s->a->given_up)
		return;
	if (e->chain) {
		bind_chain(s, e);
		return;
	}
	if (e->a)
		bind_expr(s, e->a);
	if (e->b)
		bind_expr(s, e->b);
	if (e->op == ASPEN_NAME) {
		struct aspen_param *p = bind_name(s, e, e->name);
		if (e->bound == ASPEN_UNBOUND && !s->lenient)
			unknown(s, e->at, "name", e->name);
		else if (p && p->kind != ASPEN_SCALAR && p->kind != ASPEN_ENUM_WORD)
			aspen_errorf(s->a, e->at, "%s is %s, not a number", e->name,
			             p->kind == ASPEN_DATUM   ? "data"
			             : p->kind == ASPEN_TABLE ? "a table"
			                                      : "an array");
	} else if (e->op == ASPEN_INDEX) {
		bind_array(s, e, e->args.n == 2 ? ASPEN_TABLE : ASPEN_ARRAY);
		for (uint32_t i = 0; i < e->args.n; i++)
			bind_expr(s, e->args.v[i]);
	} else if (e->op == ASPEN_CALL) {
		bind_call(s, e, false);
	}
}

static void bind_list(struct scope *s, const struct aspen_list *list)
{
	for (uint32_t i = 0; i < list->n; i++)
		bind_expr(s, list->v[i]);
}

static void bind_param(struct scope *s, struct aspen_param *p)
{
	if (p->kind == ASPEN_ARRAY_OF) {
		aspen_errorf(s->a, p->at, "no function returns an array: write %s[] = { ... }", p->name);
		return;
	}
	if (!p->overridden)
		bind_expr(s, p->value);
	bind_expr(s, p->low);
	bind_expr(s, p->high);
	for (uint32_t i = 0; i < p->values.n; i++)
		if (p->kind == ASPEN_TABLE)
			bind_list(s, p->values.v[i]);
		else
			bind_expr(s, p->values.v[i]);
	if (p->kind != ASPEN_SCALAR || !p->enumeration)
		return;
	for (uint32_t i = 0; i < s->m->params.n; i++) {
		const struct aspen_param *w = s->m->params.v[i];
		if (w->kind == ASPEN_ENUM_WORD && !strcmp(w->enumeration, p->enumeration))
			return;
	}
	aspen_errorf(s->a, p->at, "unknown enum \"%s\"", p->enumeration);
}

/* --- statements ------------------------------------------------------------------------------------------- */

static uint32_t add_local(struct scope *s, const char *name, struct aspen_param *p)
{
	if (s->n == s->cap) {
		uint32_t cap = s->cap ? 2 * s->cap : 16;
		struct local *v = aspen_alloc(s->a, cap * sizeof *v);
		if (s->n)
			memcpy(v, s->local, s->n * sizeof *v);
		s->local = v;
		s->cap = cap;
	}
	if (s->slots == ASPEN_MOST_ITEMS && !s->a->given_up) {
		aspen_errorf(s->a, s->k ? s->k->at : s->m->at, "a kernel uses more than %u names", ASPEN_MOST_ITEMS);
		s->a->given_up = true;
	}
	s->local[s->n++] = (struct local){ .name = name, .slot = s->slots, .param = p };
	return s->slots++;
}

static void bind_body(struct scope *s, const struct aspen_list *body);

static void bind_data(struct scope *s, const struct aspen_requirement *r)
{
	struct aspen_expr e = { .op = ASPEN_NAME, .name = r->target };
	if (!r->target)
		return;
	bool local = false;
	for (uint32_t i = 0; i < s->k->args.n; i++)
		local |= !strcmp(((struct aspen_arg *)s->k->args.v[i])->name, r->target);
	if (!local && !bind_name(s, &e, r->target))
		aspen_warnf(s->a, r->target_at, "there is no data \"%s\"", r->target);
}

static void bind_call_kernel(struct scope *s, struct aspen_stmt *t)
{
	const char *last = t->name, *names[NAMES];
	char near[100];
	const struct aspen_model *home = home_of(s, &last);
	t->kernel = home ? aspen_kernel_find(home, last, strlen(last)) : NULL;
	if (!t->kernel) {
		size_t n = 0;
		for (uint32_t i = 0; home && i < home->kernels.n && n < NAMES; i++)
			names[n++] = ((struct aspen_kernel *)home->kernels.v[i])->name;
		aspen_errorf(s->a, t->at, "unknown kernel \"%s\"%s", t->name,
		             aspen_did_you_mean(last, names, n, near, sizeof near));
	} else if (t->kernel->args.n != t->args.n) {
		aspen_errorf(s->a, t->at, "kernel %s takes %u argument%s, not %u", t->name, t->kernel->args.n,
		             t->kernel->args.n == 1 ? "" : "s", t->args.n);
		t->kernel = NULL;
	}
	for (uint32_t i = 0; i < t->args.n; i++) {
		const struct aspen_arg *arg = t->kernel ? t->kernel->args.v[i] : NULL;
		struct aspen_expr *e = t->args.v[i];
		if (!arg || !arg->data)
			bind_expr(s, e);
		else if (e->op != ASPEN_NAME)
			aspen_errorf(s->a, e->at, "argument %s of kernel %s is data, not a number", arg->name, t->name);
	}
}

static void bind_stmt(struct scope *s, struct aspen_stmt *t)
{
	uint32_t n = s->n;
	if (t->kind == ASPEN_SAMPLE)
		bind_call(s, t->value, true);
	else
		bind_expr(s, t->value);
	if (t->kind == ASPEN_SAMPLE)
		t->slot = add_local(s, t->name, NULL);
	for (uint32_t i = 0; i < t->requirements.n; i++) {
		struct aspen_requirement *r = t->requirements.v[i];
		bind_expr(s, r->count);
		bind_expr(s, r->size);
		bind_data(s, r);
		for (uint32_t k = 0; k < r->traits.n; k++)
			bind_expr(s, ((struct aspen_trait *)r->traits.v[k])->value);
	}
	if (t->kind == ASPEN_CALL_KERNEL)
		bind_call_kernel(s, t);
	if ((t->kind == ASPEN_ITERATE || t->kind == ASPEN_MAP) && t->name)
		t->slot = add_local(s, t->name, NULL);
	bind_body(s, &t->body);
	if (t->kind == ASPEN_ITERATE || t->kind == ASPEN_MAP)
		s->n = t->name ? n : s->n;
	for (uint32_t i = 0; i < t->branches.n; i++) {
		struct aspen_branch *b = t->branches.v[i];
		bind_expr(s, b->value);
		bind_body(s, &b->body);
	}
	bind_body(s, &t->otherwise);
}

static void bind_body(struct scope *s, const struct aspen_list *body)
{
	for (uint32_t i = 0; i < body->n && !s->a->given_up; i++)
		bind_stmt(s, body->v[i]);
}

static void bind_kernel(struct aspen *a, struct aspen_model *m, struct aspen_kernel *k)
{
	struct scope s = { .a = a, .m = m, .k = k };
	for (uint32_t i = 0; i < k->args.n; i++)
		add_local(&s, ((struct aspen_arg *)k->args.v[i])->name, NULL);
	for (uint32_t i = 0; i < k->params.n; i++) {
		struct aspen_param *p = k->params.v[i];
		p->slot = add_local(&s, p->name, p);
	}
	for (uint32_t i = 0; i < k->params.n; i++)
		bind_param(&s, k->params.v[i]);
	bind_body(&s, &k->body);
	k->slots = s.slots;
}

/* --- machines --------------------------------------------------------------------------------------------- */

static struct aspen_component *component_find(const struct aspen_model *m, const char *name)
{
	for (uint32_t i = 0; i < m->components.n; i++) {
		struct aspen_component *c = m->components.v[i];
		if (!strcmp(c->name, name))
			return c;
	}
	return NULL;
}

static void bind_part(struct scope *s, struct aspen_part *part)
{
	const char *names[NAMES];
	char near[100];
	size_t n = 0;
	bind_expr(s, part->quantity);
	part->component = component_find(s->m, part->name);
	for (uint32_t i = 0; i < s->m->components.n && n < NAMES; i++)
		names[n++] = ((struct aspen_component *)s->m->components.v[i])->name;
	if (!part->component)
		aspen_errorf(s->a, part->at, "there is no component \"%s\"%s", part->name,
		             aspen_did_you_mean(part->name, names, n, near, sizeof near));
	else if (strcmp(part->component->type, part->type) != 0)
		aspen_errorf(s->a, part->at, "%s is declared as %s, not as %s", part->name, part->component->type,
		             part->type);
}

static void bind_resource(struct scope *s, struct aspen_resource *r)
{
	s->n = s->slots = 0;
	add_local(s, r->arg, NULL);
	bind_expr(s, r->value);
	for (uint32_t i = 0; i < r->traits.n; i++) {
		struct aspen_tdef *t = r->traits.v[i];
		s->n = s->slots = 1;
		add_local(s, "base", NULL);
		if (t->arg)
			add_local(s, t->arg, NULL);
		bind_expr(s, t->value);
	}
	s->n = s->slots = 0;
}

/* No component holds itself. */
static void check_cycle(struct aspen *a, struct aspen_component *c, uint32_t depth)
{
	c->visiting = true;
	for (uint32_t i = 0; i < c->parts.n && !a->given_up; i++) {
		const struct aspen_part *p = c->parts.v[i];
		if (!p->component)
			continue;
		if (p->component->visiting || depth > ASPEN_DEPTH_STMT) {
			aspen_errorf(a, p->at,
			             p->component->visiting ? "component %s contains itself"
			                                    : "component %s: components are nested too deeply",
			             p->name);
			a->given_up = true;
		} else if (!p->component->visited) {
			check_cycle(a, p->component, depth + 1);
		}
	}
	c->visiting = false;
	c->visited = true;
}

static void bind_components(struct aspen *a, struct aspen_model *m)
{
	struct scope s = { .a = a, .m = m, .lenient = true };
	for (uint32_t i = 0; i < m->components.n && !a->given_up; i++) {
		struct aspen_component *c = m->components.v[i];
		struct aspen_component *first = component_find(m, c->name);
		if (first != c)
			aspen_errorf(a, c->at, "component %s is declared twice", c->name);
		for (uint32_t k = 0; k < c->parts.n; k++)
			bind_part(&s, c->parts.v[k]);
		for (uint32_t k = 0; k < c->properties.n; k++)
			bind_expr(&s, ((struct aspen_param *)c->properties.v[k])->value);
		for (uint32_t k = 0; k < c->resources.n; k++)
			bind_resource(&s, c->resources.v[k]);
	}
	if (!m->root)
		aspen_errorf(a, m->at, "there is no component of type \"machine\"");
	for (uint32_t i = 0; i < m->components.n && !a->given_up; i++)
		if (!((struct aspen_component *)m->components.v[i])->visited)
			check_cycle(a, m->components.v[i], 0);
}

/* --- files ------------------------------------------------------------------------------------------------ */

static void override(struct aspen *a, struct aspen_model *m, struct aspen_import *import)
{
	struct scope outer = { .a = a, .m = m };
	for (uint32_t i = 0; i < import->with.n; i++) {
		struct aspen_override *o = import->with.v[i];
		struct aspen_param *p = find_param(import->model, o->name, strlen(o->name));
		bind_expr(&outer, o->value);
		if (!p || p->kind != ASPEN_SCALAR) {
			struct scope inner = { .a = a, .m = import->model };
			unknown(&inner, o->at, "param", o->name);
			continue;
		}
		p->value = o->value;
		p->overridden = true;
	}
}

static void bind_imports(struct aspen *a, struct aspen_model *m, const struct aspen_list *imports);

static void bind_model(struct aspen *a, struct aspen_model *m)
{
	struct scope s = { .a = a, .m = m, .lenient = !m->name };
	if (m->sorted)
		return;
	sort_params(a, m);
	bind_imports(a, m, &m->imports);
	for (uint32_t i = 0; i < m->kernels.n; i++)
		bind_imports(a, m, &((struct aspen_kernel *)m->kernels.v[i])->imports);
	for (uint32_t i = 0; i < m->params.n && !a->given_up; i++)
		bind_param(&s, m->params.v[i]);
	for (uint32_t i = 0; i < m->kernels.n && !a->given_up; i++) {
		struct aspen_kernel *k = m->kernels.v[i];
		if (aspen_kernel_find(m, k->name, strlen(k->name)) != k)
			aspen_errorf(a, k->at, "kernel %s is declared twice", k->name);
		bind_kernel(a, m, k);
	}
}

static void bind_imports(struct aspen *a, struct aspen_model *m, const struct aspen_list *imports)
{
	for (uint32_t i = 0; i < imports->n && !a->given_up; i++) {
		struct aspen_import *import = imports->v[i];
		bind_model(a, import->model);
		override(a, m, import);
	}
}

int aspen_bind(struct aspen *a, struct aspen_model *m, struct aspen_model *machine)
{
	m->fallback = machine;
	bind_model(a, m);
	if (!m->name)
		bind_components(a, m);
	for (uint32_t i = 0; i < m->kernels.n && !a->given_up; i++)
		aspen_kernel_visit(a, m->kernels.v[i], 0);
	return a->errors->errors ? -1 : 0;
}
