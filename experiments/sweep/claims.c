/* experiments/sweep/claims.c - published and expected results of an experiment: reading them, and comparing them with
 * rows. */
#include "experiments/results/reader.h"
#include "experiments/results/saturation.h"
#include "experiments/runs/fields.h"
#include "experiments/sweep/experiment.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the members of a group that are axis names, which select points. All other members must be listed in `known`.
 */
static void read_where(struct xp_fields *r, const struct xp_experiment *e, const struct xp_node *group, const char *key,
                       const char *const *known, struct xp_where *where)
{
	const char *names[XP_MAX_AXES + 8];
	size_t n = 0;
	for (; known[n]; n++)
		names[n] = known[n];
	for (size_t a = 0; a < e->naxes; a++) {
		const struct xp_axis *axis = &e->axis[a];
		if (a == e->x)
			continue;
		names[n++] = axis->name;
		if (!xp_member(group, axis->name))
			continue;
		where->label[a] = xp_field_text(r, group, key, axis->name, false);
		size_t i = 0;
		while (where->label[a] && i < axis->n && strcmp(axis->v[i].label, where->label[a]) != 0)
			i++;
		if (i == axis->n) {
			char full[256];
			xp_field_key(full, key, axis->name);
			base_errorf(r->errors, full, "\"%s\" is not a value of this axis", where->label[a]);
		}
	}
	names[n] = NULL;
	xp_fields_known(r, group, key, names);
}

static void read_curve(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *node, size_t index)
{
	static const char *const known[] = { "x", "y", "note", NULL };
	struct xp_curve *curve = &e->curve[e->ncurves++];
	char key[64];
	snprintf(key, sizeof key, "published.curves.[%zu]", index);
	size_t nx, ny;
	read_where(r, e, node, key, known, &curve->where);
	curve->x = xp_field_numbers(r, node, key, "x", &nx);
	curve->y = xp_field_numbers(r, node, key, "y", &ny);
	curve->note = xp_field_text(r, node, key, "note", false);
	curve->n = nx < ny ? nx : ny;
	if (nx != ny || !nx)
		base_errorf(r->errors, key, "x and y must be lists of the same length, not %zu and %zu", nx, ny);
	for (size_t i = 1; i < curve->n; i++)
		if (!(curve->x[i] > curve->x[i - 1])) {
			base_errorf(r->errors, key, "x must be increasing");
			break;
		}
}

static void read_scale(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *node, size_t index)
{
	static const char *const known[] = { "label", "factor", NULL };
	struct xp_scale *scale = &e->scale[e->nscales++];
	char key[64];
	snprintf(key, sizeof key, "published.scales.[%zu]", index);
	xp_fields_known(r, node, key, known);
	scale->label = xp_field_text(r, node, key, "label", true);
	if (!scale->label)
		scale->label = base_strdup("");
	char *factor = xp_field_text(r, node, key, "factor", true);
	if (factor && (!xp_is_number(factor, &scale->factor) || scale->factor <= 0))
		base_errorf(r->errors, key, "factor must be a number above 0, not \"%s\"", factor);
	free(factor);
}

static void read_expect(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *node, size_t index)
{
	static const char *const known[] = { "x", "range", "of_offered", NULL };
	struct xp_expect *expect = &e->expect[e->nexpects++];
	char key[64];
	snprintf(key, sizeof key, "expected.[%zu]", index);
	read_where(r, e, node, key, known, &expect->where);
	size_t nx, nrange;
	double *x = xp_field_numbers(r, node, key, "x", &nx);
	expect->relative = xp_member(node, "of_offered") != NULL;
	double *range = xp_field_numbers(r, node, key, expect->relative ? "of_offered" : "range", &nrange);
	if (nx == 2 && x[0] <= x[1]) {
		expect->low = x[0];
		expect->high = x[1];
	} else {
		base_errorf(r->errors, key, "x must be [low, high] with low not above high");
	}
	if (nrange == 2 && range[0] <= range[1] && expect->relative != (xp_member(node, "range") != NULL)) {
		expect->min = range[0];
		expect->max = range[1];
	} else {
		base_errorf(r->errors, key,
		            "either range or of_offered must be given as [low, high] with low not above high");
	}
	free(x);
	free(range);
}

typedef void read_entry(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *node, size_t index);

/* Reads every entry of a list of groups; *array is made long enough first. */
static void read_list(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *group, const char *name,
                      const char *key, void *array, size_t size, read_entry *entry)
{
	const struct xp_node *list = xp_member(group, name);
	if (!list)
		return;
	void *room = base_calloc(list->n + 1, size);
	memcpy(array, &room, sizeof room);
	for (size_t i = 0; i < list->n; i++) {
		if (list->type == XP_LIST && list->child[i]->type == XP_GROUP) {
			entry(r, e, list->child[i], i);
		} else {
			base_errorf(r->errors, key, "must be a list of groups ( { ... }, ... )");
			return;
		}
	}
}

static void read_published(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *root)
{
	static const char *const known[] = { "source", "scales", "curves", NULL };
	const struct xp_node *published = xp_member(root, "published");
	if (published && published->type != XP_GROUP)
		base_errorf(r->errors, "published", "must be a group { ... }");
	else if (published) {
		xp_fields_known(r, published, "published", known);
		e->source = xp_field_text(r, published, "published", "source", false);
		read_list(r, e, published, "scales", "published.scales", &e->scale, sizeof *e->scale, read_scale);
		read_list(r, e, published, "curves", "published.curves", &e->curve, sizeof *e->curve, read_curve);
	}
	if (e->ncurves && !e->nscales) {
		free(e->scale);
		e->scale = base_calloc(1, sizeof *e->scale);
		e->scale[e->nscales++] = (struct xp_scale){ .label = base_strdup("published"), .factor = 1 };
	}
}

void xp_read_claims(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *root)
{
	read_published(r, e, root);
	read_list(r, e, root, "expected", "expected", &e->expect, sizeof *e->expect, read_expect);
}

static void free_where(struct xp_where *where)
{
	for (size_t i = 0; i < XP_MAX_AXES; i++)
		free(where->label[i]);
}

void xp_free_claims(struct xp_experiment *e)
{
	for (size_t i = 0; i < e->ncurves; i++) {
		free_where(&e->curve[i].where);
		free(e->curve[i].x);
		free(e->curve[i].y);
		free(e->curve[i].note);
	}
	for (size_t i = 0; i < e->nscales; i++)
		free(e->scale[i].label);
	for (size_t i = 0; i < e->nexpects; i++)
		free_where(&e->expect[i].where);
	free(e->curve);
	free(e->scale);
	free(e->expect);
}

/* Two x values are the same; they come from decimal text of a few digits. */
static bool same(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(1, fabs(a));
}

bool xp_where_matches(const struct xp_experiment *e, const struct xp_where *where, const json_t *labels)
{
	for (size_t a = 0; a < e->naxes; a++)
		if (where->label[a] && strcmp(where->label[a], xp_text(labels, e->axis[a].name)) != 0)
			return false;
	return true;
}

enum xp_worth xp_latency_worth(const json_t *row)
{
	if (xp_load_said(row) == XP_LOAD_SATURATES)
		return XP_LATENCY_NONE;
	return json_is_true(json_object_get(row, "latency_censored")) ? XP_LATENCY_BOUND : XP_LATENCY_KNOWN;
}

double xp_row_x(const struct xp_experiment *e, const json_t *row)
{
	const struct xp_axis *axis = &e->axis[e->x];
	const char *label = xp_text(json_object_get(row, "labels"), axis->name);
	const struct xp_value *const lists[] = { axis->v, axis->brief };
	const size_t n[] = { axis->n, axis->nbrief };
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < n[k]; i++)
			if (!strcmp(lists[k][i].label, label))
				return lists[k][i].x;
	char *end;
	double x = strtod(label, &end);
	return end == label || *end ? NAN : x;
}

double xp_published(const struct xp_experiment *e, const json_t *labels, double x)
{
	for (size_t i = 0; i < e->ncurves; i++) {
		const struct xp_curve *c = &e->curve[i];
		if (!xp_where_matches(e, &c->where, labels))
			continue;
		for (size_t k = 0; k < c->n; k++) {
			if (same(c->x[k], x))
				return c->y[k];
			if (k && c->x[k - 1] < x && x < c->x[k])
				return c->y[k - 1] +
				       (c->y[k] - c->y[k - 1]) * (x - c->x[k - 1]) / (c->x[k] - c->x[k - 1]);
		}
	}
	return NAN;
}

int xp_expected(const struct xp_experiment *e, const json_t *row, double *min, double *max)
{
	double x = xp_row_x(e, row), offered = xp_number(row, "offered_load", NULL);
	double accepted = xp_number(row, "accepted_load", NULL);
	for (size_t i = 0; i < e->nexpects; i++) {
		const struct xp_expect *want = &e->expect[i];
		bool inside = (x >= want->low && x <= want->high) || same(x, want->low) || same(x, want->high);
		if (!inside || !xp_where_matches(e, &want->where, json_object_get(row, "labels")))
			continue;
		double unit = want->relative ? offered : 1;
		*min = want->min * unit;
		*max = want->max * unit;
		return accepted >= *min && accepted <= *max; /* false for NAN */
	}
	return -1;
}
