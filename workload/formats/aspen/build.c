/* workload/formats/aspen/build.c - see build.h */
#include "workload/formats/aspen/build.h"

#include <stdio.h>
#include <string.h>

#define NEW(p, type, ...)                                       \
	({                                                      \
		type *new_ = aspen_alloc((p)->a, sizeof(type)); \
		*new_ = (type){ __VA_ARGS__ };                  \
		new_;                                           \
	})

struct aspen_list aspen_one(struct aspen_parse *p, void *entry)
{
	struct aspen_list list = { 0 };
	aspen_add(p->a, &list, entry);
	return list;
}

const char *aspen_join(struct aspen_parse *p, const char *a, const char *b)
{
	size_t room = strlen(a) + strlen(b) + 2;
	char *out = aspen_alloc(p->a, room);
	snprintf(out, room, "%s.%s", a, b);
	return out;
}

/* --- expressions ------------------------------------------------------------------------------------------ */

/* An expression whose depth is one more than that of its deepest part. */
static struct aspen_expr *deepen(struct aspen_parse *p, struct aspen_expr *e, const struct aspen_expr *part)
{
	if (part && part->depth >= e->depth)
		e->depth = part->depth + 1;
	if (e->depth > ASPEN_DEPTH_EXPR && !p->a->given_up) {
		aspen_errorf(p->a, e->at, "expressions are nested more than %u levels deep", ASPEN_DEPTH_EXPR);
		p->a->given_up = true;
	}
	return e;
}

struct aspen_expr *aspen_number(struct aspen_parse *p, struct aspen_at at, double value)
{
	return NEW(p, struct aspen_expr, .op = ASPEN_NUMBER, .at = at, .number = value);
}

struct aspen_expr *aspen_name(struct aspen_parse *p, struct aspen_at at, const char *name)
{
	return NEW(p, struct aspen_expr, .op = ASPEN_NAME, .at = at, .name = name);
}

struct aspen_expr *aspen_index(struct aspen_parse *p, struct aspen_at at, const char *name, struct aspen_expr *i,
                               struct aspen_expr *j)
{
	struct aspen_expr *e = NEW(p, struct aspen_expr, .op = ASPEN_INDEX, .at = at, .name = name);
	aspen_add(p->a, &e->args, i);
	if (j)
		aspen_add(p->a, &e->args, j);
	return deepen(p, deepen(p, e, i), j);
}

struct aspen_expr *aspen_call(struct aspen_parse *p, struct aspen_at at, const char *name,
                              const struct aspen_list *args)
{
	struct aspen_expr *e = NEW(p, struct aspen_expr, .op = ASPEN_CALL, .at = at, .name = name, .args = *args);
	for (uint32_t i = 0; i < args->n; i++)
		deepen(p, e, args->v[i]);
	return e;
}

/* Operators that a flat text nests to the left: such a chain is walked, not recursed into. */
static bool joins_left(enum aspen_op op)
{
	return op == ASPEN_ADD || op == ASPEN_SUBTRACT || op == ASPEN_MULTIPLY || op == ASPEN_DIVIDE ||
	       op == ASPEN_AND || op == ASPEN_OR;
}

struct aspen_expr *aspen_binary(struct aspen_parse *p, struct aspen_at at, enum aspen_op op, struct aspen_expr *a,
                                struct aspen_expr *b)
{
	struct aspen_expr *e = NEW(p, struct aspen_expr, .op = op, .at = at, .a = a, .b = b);
	if (!joins_left(op))
		return deepen(p, deepen(p, e, a), b);
	e->chain = a->chain + 1;
	if (a->chain)
		e->depth = a->depth;
	else
		deepen(p, e, a);
	return deepen(p, e, b);
}

/* --- globals ---------------------------------------------------------------------------------------------- */

struct aspen_param *aspen_param(struct aspen_parse *p, struct aspen_at at, enum aspen_param_kind kind, const char *name,
                                struct aspen_expr *value)
{
	return NEW(p, struct aspen_param, .kind = kind, .name = name, .at = at, .value = value);
}

struct aspen_list *aspen_row(struct aspen_parse *p, const struct aspen_list *row)
{
	struct aspen_list *out = aspen_alloc(p->a, sizeof *out);
	*out = *row;
	return out;
}

struct aspen_param *aspen_word(struct aspen_parse *p, struct aspen_at at, const char *name)
{
	return aspen_param(p, at, ASPEN_ENUM_WORD, name, NULL);
}

void aspen_add_enum(struct aspen_parse *p, const char *name, const struct aspen_list *words)
{
	for (uint32_t i = 0; i < words->n; i++) {
		struct aspen_param *w = words->v[i];
		w->enumeration = name;
		w->value = aspen_number(p, w->at, i);
		aspen_add(p->a, &p->model->params, w);
	}
}

struct aspen_import *aspen_import(struct aspen_parse *p, struct aspen_at at, const char *name, const char *file,
                                  const struct aspen_list *with)
{
	return NEW(p, struct aspen_import, .name = name, .file = file, .at = at,
	           .with = with ? *with : (struct aspen_list){ 0 });
}

struct aspen_override *aspen_override(struct aspen_parse *p, struct aspen_at at, const char *name,
                                      struct aspen_expr *value)
{
	return NEW(p, struct aspen_override, .name = name, .at = at, .value = value);
}

/* --- application models ----------------------------------------------------------------------------------- */

void aspen_enter_model(struct aspen_parse *p, struct aspen_at at, const char *name)
{
	if (p->model->name)
		aspen_errorf(p->a, at, "a file may contain only one model; it already contains \"%s\"", p->model->name);
	else
		p->model->name = name;
	p->model->at = at;
}

struct aspen_kernel *aspen_locals(struct aspen_parse *p)
{
	return NEW(p, struct aspen_kernel, .name = "");
}

struct aspen_kernel *aspen_kernel(struct aspen_parse *p, struct aspen_at at, const char *name, struct aspen_kernel *k,
                                  const struct aspen_list *args, const struct aspen_list *body)
{
	(void)p;
	k->name = name;
	k->at = at;
	if (args)
		k->args = *args;
	k->body = *body;
	return k;
}

void aspen_add_kernel(struct aspen_parse *p, struct aspen_kernel *k)
{
	if (p->a->kernels.n == ASPEN_MOST_ITEMS && !p->a->given_up) {
		aspen_errorf(p->a, k->at, "the model has more than %u kernels", ASPEN_MOST_ITEMS);
		p->a->given_up = true;
	}
	k->model = p->model;
	k->index = p->a->kernels.n;
	aspen_add(p->a, &p->a->kernels, k);
	aspen_add(p->a, &p->model->kernels, k);
}

struct aspen_arg *aspen_arg(struct aspen_parse *p, struct aspen_at at, const char *name, bool data)
{
	return NEW(p, struct aspen_arg, .name = name, .at = at, .data = data);
}

static struct aspen_stmt *over(struct aspen_parse *p, struct aspen_stmt *s, const struct aspen_list *body)
{
	for (uint32_t i = 0; i < body->n; i++) {
		const struct aspen_stmt *inner = body->v[i];
		if (inner->depth >= s->depth)
			s->depth = inner->depth + 1;
	}
	if (s->depth > ASPEN_DEPTH_STMT && !p->a->given_up) {
		aspen_errorf(p->a, s->at, "statements are nested more than %u levels deep", ASPEN_DEPTH_STMT);
		p->a->given_up = true;
	}
	return s;
}

struct aspen_stmt *aspen_execute(struct aspen_parse *p, struct aspen_at at, struct aspen_expr *parallelism,
                                 const char *label, const struct aspen_list *requirements)
{
	return NEW(p, struct aspen_stmt, .kind = ASPEN_EXECUTE, .at = at, .label = label, .value = parallelism,
	           .requirements = *requirements);
}

struct aspen_stmt *aspen_call_kernel(struct aspen_parse *p, struct aspen_at at, const char *name,
                                     const struct aspen_list *args)
{
	return NEW(p, struct aspen_stmt, .kind = ASPEN_CALL_KERNEL, .at = at, .name = name,
	           .args = args ? *args : (struct aspen_list){ 0 });
}

struct aspen_stmt *aspen_sample(struct aspen_parse *p, struct aspen_at at, const char *name, struct aspen_expr *from)
{
	return NEW(p, struct aspen_stmt, .kind = ASPEN_SAMPLE, .at = at, .name = name, .value = from);
}

struct aspen_stmt *aspen_block(struct aspen_parse *p, struct aspen_at at, enum aspen_stmt_kind kind,
                               const char *counter, struct aspen_expr *count, const char *label,
                               const struct aspen_list *body)
{
	struct aspen_stmt *s = NEW(p, struct aspen_stmt, .kind = kind, .at = at, .name = counter, .value = count,
	                           .label = label, .body = *body);
	return over(p, s, body);
}

struct aspen_stmt *aspen_choice(struct aspen_parse *p, struct aspen_at at, enum aspen_stmt_kind kind, const char *name,
                                struct aspen_expr *condition, const struct aspen_list *taken,
                                const struct aspen_list *otherwise)
{
	struct aspen_stmt *s = NEW(p, struct aspen_stmt, .kind = kind, .at = at, .name = name, .value = condition,
	                           .otherwise = *otherwise, .has_otherwise = otherwise->n > 0);
	if (kind == ASPEN_IF) {
		s->body = *taken;
		over(p, s, taken);
	} else {
		s->branches = *taken;
		for (uint32_t i = 0; i < taken->n; i++)
			over(p, s, &((struct aspen_branch *)taken->v[i])->body);
	}
	if (kind == ASPEN_SWITCH)
		s->value = aspen_name(p, at, name);
	return over(p, s, otherwise);
}

struct aspen_branch *aspen_branch(struct aspen_parse *p, struct aspen_at at, struct aspen_expr *value,
                                  const struct aspen_list *body)
{
	return NEW(p, struct aspen_branch, .value = value, .body = *body, .at = at);
}

struct aspen_requirement *aspen_requirement(struct aspen_parse *p, struct aspen_at at, const char *name,
                                            struct aspen_expr *count, struct aspen_expr *size)
{
	return NEW(p, struct aspen_requirement, .name = name, .at = at, .count = count, .size = size);
}

void aspen_target(struct aspen_requirement *r, struct aspen_at at, const char *name, bool to)
{
	r->target = name;
	r->target_at = at;
	r->to = to;
}

struct aspen_trait *aspen_trait(struct aspen_parse *p, struct aspen_at at, const char *name, struct aspen_expr *value)
{
	return NEW(p, struct aspen_trait, .name = name, .at = at, .value = value);
}

/* --- machine models --------------------------------------------------------------------------------------- */

static struct aspen_component *latest(const struct aspen_parse *p)
{
	return p->model->components.v[p->model->components.n - 1];
}

void aspen_enter_component(struct aspen_parse *p, struct aspen_at at, const char *type, const char *name)
{
	if (p->model->components.n == ASPEN_MOST_ITEMS && !p->a->given_up) {
		aspen_errorf(p->a, at, "the machine has more than %u components", ASPEN_MOST_ITEMS);
		p->a->given_up = true;
	}
	aspen_add(p->a, &p->model->components, NEW(p, struct aspen_component, .type = type, .name = name, .at = at));
}

void aspen_leave_component(struct aspen_parse *p)
{
	struct aspen_component *c = latest(p);
	if (!strcmp(c->type, "machine") && !p->model->root)
		p->model->root = c;
	else if (!strcmp(c->type, "machine"))
		aspen_errorf(p->a, c->at, "the file already contains a machine: %s", p->model->root->name);
}

void aspen_part(struct aspen_parse *p, struct aspen_at at, const char *type, const char *name,
                struct aspen_expr *quantity)
{
	aspen_add(p->a, &latest(p)->parts,
	          NEW(p, struct aspen_part, .type = type, .name = name, .at = at, .quantity = quantity));
}

void aspen_property(struct aspen_parse *p, struct aspen_at at, const char *name, struct aspen_expr *value)
{
	aspen_add(p->a, &latest(p)->properties, aspen_param(p, at, ASPEN_SCALAR, name, value));
}

void aspen_resource(struct aspen_parse *p, struct aspen_at at, const char *name, const char *arg,
                    struct aspen_expr *value, const struct aspen_list *traits)
{
	aspen_add(p->a, &latest(p)->resources,
	          NEW(p, struct aspen_resource, .name = name, .arg = arg, .at = at, .value = value,
	              .traits = traits ? *traits : (struct aspen_list){ 0 }));
}

void aspen_conflict(struct aspen_parse *p, struct aspen_at at, const char *a, const char *b)
{
	aspen_add(p->a, &latest(p)->conflicts, NEW(p, struct aspen_conflict, .a = a, .b = b, .at = at));
}

struct aspen_tdef *aspen_tdef(struct aspen_parse *p, struct aspen_at at, const char *name, const char *arg,
                              struct aspen_expr *value)
{
	return NEW(p, struct aspen_tdef, .name = name, .arg = arg, .at = at, .value = value);
}

/* --- errors ----------------------------------------------------------------------------------------------- */

const char *aspen_near_token(struct aspen_parse *p, struct aspen_at at, const char *const *names, size_t n, char *out,
                             size_t room)
{
	const struct aspen_source *s = &p->a->sources[at.file];
	const char *t = s->text, *end = s->text + s->bytes;
	char word[64];
	size_t length = 0;
	for (uint32_t line = 1; line < at.line && t < end; t++)
		line += *t == '\n';
	t += at.column - 1;
	while (t + length < end && length + 1 < sizeof word &&
	       strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", t[length]) && t[length]) {
		word[length] = t[length];
		length++;
	}
	word[length] = 0;
	return aspen_did_you_mean(word, names, n, out, room);
}
