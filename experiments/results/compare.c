/* experiments/results/compare.c - see compare.h */
#include "experiments/results/compare.h"

#include "base/memory.h"
#include "base/text.h"
#include "experiments/results/flatten.h"
#include "experiments/results/reader.h"
#include "experiments/results/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_verdict(struct xp_difference *c, const struct xp_verdict *v)
{
	c->verdict = base_realloc(c->verdict, (c->n + 1) * sizeof *c->verdict);
	c->verdict[c->n++] = *v;
	c->judged += v->judged;
	c->differing += v->differs;
}

static struct xp_verdict new_verdict(const char *point, const char *name)
{
	return (struct xp_verdict){ .point = point ? base_harmless(base_strdup(point), false) : NULL,
		                    .name = base_harmless(base_strdup(name), false) };
}

/* --- estimates -------------------------------------------------------------------------------------- */

/* What lies between two intervals; 0 if they touch. */
static double gap(const struct xp_verdict *v)
{
	return fmax(0, fmax(v->low[0] - v->high[1], v->low[1] - v->high[0]));
}

static void judge(const struct xp_difference *c, struct xp_verdict *v, bool intervals)
{
	bool given[2] = { json_is_number(v->value[0]), json_is_number(v->value[1]) };
	v->judged = v->has_interval[0] || v->has_interval[1] || !intervals || c->tolerance > 0;
	if (!v->judged || (!given[0] && !given[1]))
		return;
	if (!given[0] || !given[1]) {
		v->differs = true;
		return;
	}
	double most = fmax(fabs(json_number_value(v->value[0])), fabs(json_number_value(v->value[1])));
	v->differs = gap(v) > c->tolerance * most;
}

static void take_side(struct xp_verdict *v, int side, const struct xp_estimate *e)
{
	if (!e || isnan(e->value))
		return;
	v->value[side] = json_real(e->value);
	v->has_interval[side] = e->has_interval;
	v->low[side] = e->has_interval ? e->low : e->value;
	v->high[side] = e->has_interval ? e->high : e->value;
}

static void compare_estimates(struct xp_difference *c, const char *point, const json_t *const summary[2])
{
	struct xp_estimates e[2];
	xp_estimates_read(&e[0], summary[0]);
	xp_estimates_read(&e[1], summary[1]);
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < e[side].n; i++) {
			const struct xp_estimate *mine = &e[side].v[i],
						 *other = xp_estimate_find(&e[!side], mine->name);
			if (side && other)
				continue; /* seen from the other side */
			struct xp_verdict v = new_verdict(point, mine->name);
			take_side(&v, side, mine);
			take_side(&v, !side, other);
			judge(c, &v, e[0].intervals || e[1].intervals);
			add_verdict(c, &v);
		}
	xp_estimates_free(&e[0]);
	xp_estimates_free(&e[1]);
}

/* Facts that both must share for their estimates to mean the same. */
static void compare_facts(struct xp_difference *c, const char *point, const json_t *const summary[2])
{
	for (const struct xp_statistic *s = xp_statistics; s->name; s++) {
		json_t *a = json_object_get(summary[0], s->name), *b = json_object_get(summary[1], s->name);
		if (!s->must_equal || (!a && !b))
			continue;
		struct xp_verdict v = new_verdict(point, s->name);
		v.value[0] = json_incref(a);
		v.value[1] = json_incref(b);
		v.judged = true;
		v.differs = !a || !b || !json_equal(a, b);
		add_verdict(c, &v);
	}
}

/* --- configuration ---------------------------------------------------------------------------------- */

struct member {
	char *key;
	const json_t *value;
};

struct members {
	struct member *v;
	size_t n;
};

static void collect(void *arg, const char *path, const json_t *value)
{
	struct members *m = arg;
	m->v = base_realloc(m->v, (m->n + 1) * sizeof *m->v);
	m->v[m->n++] = (struct member){ base_strdup(path), value };
}

static void free_members(struct members *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->v[i].key);
	free(m->v);
}

static const json_t *find(const struct members *m, const char *key)
{
	for (size_t i = 0; i < m->n; i++)
		if (!strcmp(m->v[i].key, key))
			return m->v[i].value;
	return NULL;
}

static void add_change(struct xp_difference *c, const char *key, const json_t *a, const json_t *b)
{
	char *text[2] = { base_harmless(xp_value_text(a), false), base_harmless(xp_value_text(b), false) };
	for (size_t i = 0; i < c->nchanges; i++) {
		struct xp_change *known = &c->change[i];
		if (!strcmp(known->key, key) && !strcmp(known->value[0], text[0]) &&
		    !strcmp(known->value[1], text[1])) {
			known->points++;
			free(text[0]);
			free(text[1]);
			return;
		}
	}
	c->change = base_realloc(c->change, (c->nchanges + 1) * sizeof *c->change);
	c->change[c->nchanges++] =
	    (struct xp_change){ .key = base_strdup(key), .value = { text[0], text[1] }, .points = 1 };
}

static void compare_members(struct xp_difference *c, const json_t *a, const json_t *b)
{
	struct members m[2] = { { 0 } };
	xp_flatten(a, true, collect, &m[0]);
	xp_flatten(b, true, collect, &m[1]);
	for (size_t i = 0; i < m[0].n; i++) {
		const json_t *other = find(&m[1], m[0].v[i].key);
		if (!other || !json_equal((json_t *)m[0].v[i].value, (json_t *)other))
			add_change(c, m[0].v[i].key, m[0].v[i].value, other);
	}
	for (size_t i = 0; i < m[1].n; i++)
		if (!find(&m[0], m[1].v[i].key))
			add_change(c, m[1].v[i].key, NULL, m[1].v[i].value);
	free_members(&m[0]);
	free_members(&m[1]);
}

static void compare_manifests(struct xp_difference *c, const json_t *const manifest[2])
{
	static const char *const program[] = { "version", "commit" };
	for (size_t i = 0; i < sizeof program / sizeof *program; i++) {
		const json_t *a = json_object_get(manifest[0], program[i]);
		const json_t *b = json_object_get(manifest[1], program[i]);
		if ((a || b) && !json_equal((json_t *)a, (json_t *)b))
			add_change(c, program[i], a, b);
	}
	compare_members(c, json_object_get(manifest[0], "config"), json_object_get(manifest[1], "config"));
}

/* --- the whole -------------------------------------------------------------------------------------- */

void xp_compare(struct xp_difference *c, const char *point, const json_t *const manifest[2],
                const json_t *const summary[2])
{
	const char *a = xp_text(summary[0], "digest"), *b = xp_text(summary[1], "digest");
	c->points++;
	c->equal_digests += *a && !strcmp(a, b);
	compare_manifests(c, manifest);
	compare_facts(c, point, summary);
	compare_estimates(c, point, summary);
}

void xp_compare_missing(struct xp_difference *c, const char *point, int missing)
{
	struct xp_verdict v = new_verdict(point, "result");
	v.value[!missing] = json_true();
	v.judged = v.differs = true;
	c->points++;
	add_verdict(c, &v);
}

void xp_comparison_free(struct xp_difference *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->verdict[i].point);
		free(c->verdict[i].name);
		json_decref(c->verdict[i].value[0]);
		json_decref(c->verdict[i].value[1]);
	}
	for (size_t i = 0; i < c->nchanges; i++) {
		free(c->change[i].key);
		free(c->change[i].value[0]);
		free(c->change[i].value[1]);
	}
	free(c->verdict);
	free(c->change);
	*c = (struct xp_difference){ 0 };
}
