/* experiments/sweep/grid.c - the axes of an experiment file. */
#include "experiments/results/row.h"
#include "experiments/runs/fields.h"
#include "experiments/sweep/experiment.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/param.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct xp_value make_value(const char *label, char **set, char **at, size_t nset)
{
	struct xp_value v = { .label = base_strdup(label), .set = set, .at = at, .nset = nset };
	if (!xp_is_number(label, &v.x))
		v.x = NAN;
	return v;
}

/* The kinds of quantities, and a number of each in its base unit. */
static const struct quantity {
	const char *unit;
	int (*parse)(const char *text, uint64_t *out, const char **why);
	double base;
} quantities[] = { { "B", base_parse_size, 1 }, { "ns", base_parse_time, 1e3 }, { "Gbps", base_parse_rate, 1e9 } };

/* The kind of quantity that all labels are; NULL: none. */
static const struct quantity *kind_of(const struct xp_value *v, size_t n)
{
	for (size_t q = 0; q < sizeof quantities / sizeof *quantities; q++) {
		const char *why;
		uint64_t read;
		size_t i = 0;
		while (i < n && !quantities[q].parse(v[i].label, &read, &why))
			i++;
		if (n && i == n)
			return &quantities[q];
	}
	return NULL;
}

static const char *unit_of(const char *label)
{
	return label + strspn(label, "0123456789. ");
}

/* If all labels of an axis are quantities of one kind, they are treated as numbers: in the unit that all of them use,
 * or otherwise in the base unit. */
static void measure_labels(struct xp_axis *axis)
{
	struct xp_value *const lists[] = { axis->v, axis->brief };
	const size_t n[] = { axis->n, axis->nbrief };
	const struct quantity *kind = kind_of(axis->v, axis->n);
	if (!kind || (axis->nbrief && kind_of(axis->brief, axis->nbrief) != kind))
		return;
	const char *written = unit_of(axis->v[0].label), *why;
	bool same = true;
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < n[k]; i++)
			same = same && !strcmp(unit_of(lists[k][i].label), written);
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < n[k]; i++) {
			uint64_t value = 0;
			(void)kind->parse(lists[k][i].label, &value, &why);
			lists[k][i].x = same ? strtod(lists[k][i].label, NULL) : (double)value / kind->base;
		}
	snprintf(axis->unit, sizeof axis->unit, "%s", same ? written : kind->unit);
}

struct xp_value xp_path_value(const char *path, const char *text, const char *at)
{
	char **set = base_calloc(1, sizeof *set), **places = base_calloc(1, sizeof *places);
	size_t room = strlen(path) + strlen(text) + 2;
	set[0] = base_alloc(room);
	snprintf(set[0], room, "%s=%s", path, text);
	places[0] = base_strdup(at);
	return make_value(text, set, places, 1);
}

/* Values of an axis that is one configuration key: "PATH=VALUE" each. */
static struct xp_value *read_values(struct xp_fields *r, const struct xp_node *axis, const char *key, const char *name,
                                    const char *path, size_t *n)
{
	if (!xp_member(axis, name))
		return NULL;
	char **texts = xp_field_texts(r, axis, key, name, n);
	struct xp_value *v = base_calloc(*n + 1, sizeof *v);
	for (size_t i = 0; i < *n; i++) {
		char *at = xp_field_at(r, axis, name, i);
		v[i] = xp_path_value(path, texts[i], at);
		free(at);
	}
	xp_free_texts(texts, *n);
	return v;
}

/* Values of an axis that sets several keys at once. */
static struct xp_value *read_points(struct xp_fields *r, const struct xp_node *list, const char *key, size_t *n)
{
	static const char *const known[] = { "label", "set", NULL };
	*n = 0;
	struct xp_value *v = base_calloc(list->n + 1, sizeof *v);
	for (size_t i = 0; i < list->n; i++) {
		char full[256];
		snprintf(full, sizeof full, "%s.points.[%zu]", key, i);
		if (list->type != XP_LIST || list->child[i]->type != XP_GROUP) {
			base_errorf(r->errors, full, "must be a group { label = ...; set = [ ... ]; }");
			continue;
		}
		xp_fields_known(r, list->child[i], full, known);
		size_t nset;
		char *label = xp_field_text(r, list->child[i], full, "label", true);
		char **at, **set = xp_field_settings(r, list->child[i], full, &nset, &at);
		v[(*n)++] = make_value(label ? label : "", set, at, nset);
		free(label);
	}
	return v;
}

static char **copy_texts(char *const *from, size_t n)
{
	char **out = base_calloc(n + 1, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = base_strdup(from[i]);
	return out;
}

/* The points of a short sweep, by their labels. */
static struct xp_value *read_brief_points(struct xp_fields *r, const struct xp_node *axis, const char *key,
                                          const struct xp_value *all, size_t nall, size_t *n)
{
	if (!xp_member(axis, "short"))
		return NULL;
	size_t labels;
	char **label = xp_field_texts(r, axis, key, "short", &labels), full[256];
	struct xp_value *v = base_calloc(labels + 1, sizeof *v);
	xp_field_key(full, key, "short");
	for (size_t i = 0; i < labels; i++) {
		const struct xp_value *of = all;
		while (of < all + nall && strcmp(of->label, label[i]) != 0)
			of++;
		if (of == all + nall)
			base_errorf(r->errors, full, "no point of this axis has the label \"%s\"", label[i]);
		else
			v[(*n)++] = make_value(of->label, copy_texts(of->set, of->nset), copy_texts(of->at, of->nset),
			                       of->nset);
	}
	xp_free_texts(label, labels);
	return v;
}

static void check_labels(struct xp_fields *r, const char *key, const struct xp_value *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (!strcmp(v[i].label, v[j].label) &&
			    (*v[i].label || !r->errors->errors)) { /* "" may be missing */
				base_errorf(r->errors, key, "\"%s\" is listed twice", v[i].label);
				return;
			}
}

/* Is it a column that summary.csv has itself? */
static bool is_column(const char *name)
{
	static const char *const own[] = { "name",    "state",  "repeats",  "published_accepted_load",
		                           "message", "impact", "impact_ns" };
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (!strcmp(name, own[i]))
			return true;
	struct xp_column c;
	for (size_t n = 1; xp_column_at(n, &c); n++)
		if (!strcmp(name, c.name))
			return true;
	return false;
}

static void read_axis(struct xp_fields *r, struct xp_axis *axis, const struct xp_node *node, size_t index)
{
	static const char *const known[] = { "name", "title", "path", "values", "short", "points", NULL };
	char key[64];
	snprintf(key, sizeof key, "grid.[%zu]", index);
	if (node->type != XP_GROUP) {
		base_errorf(r->errors, key, "must be a group { name = ...; ... }");
		axis->name = base_strdup("");
		axis->title = base_strdup("");
		return;
	}
	xp_fields_known(r, node, key, known);
	const struct xp_node *points = xp_member(node, "points");
	char *path = xp_field_text(r, node, key, "path", !points);
	axis->name = xp_field_text(r, node, key, "name", points);
	if (!axis->name) /* traffic.[0].load is called load */
		axis->name = base_strdup(path ? (strrchr(path, '.') ? strrchr(path, '.') + 1 : path) : "");
	if (is_column(axis->name))
		base_errorf(r->errors, key,
		            "no axis can be named \"%s\", which is a column of summary.csv: set another \"name\"",
		            axis->name);
	if (points && (path || xp_member(node, "values")))
		base_errorf(r->errors, key, "must have either \"points\", or \"path\" with \"values\", but has both");
	else if (points) {
		axis->v = read_points(r, points, key, &axis->n);
		axis->brief = read_brief_points(r, node, key, axis->v, axis->n, &axis->nbrief);
	} else if (path) {
		axis->by_path = true;
		axis->v = read_values(r, node, key, "values", path, &axis->n);
		axis->brief = read_values(r, node, key, "short", path, &axis->nbrief);
	}
	free(path);
	measure_labels(axis);
	axis->title = xp_field_text(r, node, key, "title", false);
	if (!axis->title)
		axis->title = *axis->unit ? base_format("%s (%s)", axis->name, axis->unit) : base_strdup(axis->name);
	if (!axis->n)
		base_errorf(r->errors, key, "has no values; at least one is required");
	if (axis->brief && !axis->nbrief)
		base_errorf(r->errors, key, "\"short\" has no values; at least one is required");
	check_labels(r, key, axis->v, axis->n);
	check_labels(r, key, axis->brief, axis->nbrief);
}

/* Does one of the value's assignments take back this one? */
static bool is_hidden_by(const char *set, const struct xp_value *v)
{
	size_t path = strcspn(set, "=");
	for (size_t i = 0; i < v->nset; i++) {
		size_t n = strcspn(v->set[i], "=");
		if (n <= path && !strncmp(v->set[i], set, n) && (n == path || set[n] == '.'))
			return true;
	}
	return false;
}

/* Does every value of the later axis take back all that the other one's values set? */
static bool hides(const struct xp_axis *later, const struct xp_axis *axis)
{
	size_t sets = 0;
	for (size_t i = 0; i < axis->n; i++)
		for (size_t k = 0; k < axis->v[i].nset; k++, sets++)
			for (size_t j = 0; j < later->n; j++)
				if (!is_hidden_by(axis->v[i].set[k], &later->v[j]))
					return false;
	return sets && later->n;
}

/* The axis that the member `key` names, -1 if there is no such member. */
static ptrdiff_t named_axis(struct xp_fields *r, const struct xp_experiment *e, const struct xp_node *root,
                            const char *key)
{
	char *name = xp_field_text(r, root, "", key, false);
	ptrdiff_t found = -1;
	for (size_t i = 0; name && i < e->naxes; i++)
		if (!strcmp(e->axis[i].name, name))
			found = (ptrdiff_t)i;
	if (name && found < 0)
		base_errorf(r->errors, key, "no axis is named \"%s\"", name);
	free(name);
	return found;
}

void xp_read_grid(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *root)
{
	const struct xp_node *grid = xp_member(root, "grid");
	if (!grid || grid->type != XP_LIST || !grid->n) {
		base_errorf(r->errors, "grid", grid ? "must be a list of axes ( { ... }, ... )" : "is missing");
		return;
	}
	if (grid->n > XP_MAX_AXES) {
		base_errorf(r->errors, "grid", "has %zu axes; at most %d are possible", grid->n, XP_MAX_AXES);
		return;
	}
	for (size_t i = 0; i < grid->n; i++) {
		read_axis(r, &e->axis[i], grid->child[i], i);
		for (size_t j = 0; j < i; j++)
			if (!strcmp(e->axis[i].name, e->axis[j].name))
				base_errorf(r->errors, "grid", "two axes are named \"%s\"", e->axis[i].name);
			else if (hides(&e->axis[i], &e->axis[j]))
				base_errorf(r->errors, "grid",
				            "every key that axis \"%s\" sets is set again by axis \"%s\"",
				            e->axis[j].name, e->axis[i].name);
	}
	e->naxes = grid->n;
	ptrdiff_t x = named_axis(r, e, root, "x");
	e->x = x >= 0 ? (size_t)x : grid->n - 1;
	e->panels = named_axis(r, e, root, "panels");
	if (e->panels == (ptrdiff_t)e->x)
		base_errorf(r->errors, "panels",
		            "is the x axis of the figures, so it cannot be the axis of the panels, too");
	xp_read_choice(r, e, root, grid->child[e->x]);
}

static void free_values(struct xp_value *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(v[i].label);
		xp_free_texts(v[i].set, v[i].nset);
		xp_free_texts(v[i].at, v[i].nset);
	}
	free(v);
}

void xp_free_grid(struct xp_experiment *e)
{
	for (size_t i = 0; i < XP_MAX_AXES; i++) {
		free(e->axis[i].name);
		free(e->axis[i].title);
		free_values(e->axis[i].v, e->axis[i].n);
		free_values(e->axis[i].brief, e->axis[i].nbrief);
	}
}
