/* experiments/sweep/file.c - reading an experiment file; see experiment.h.
 *
 * Errors are collected under configuration keys and get their FILE:LINE at the end, so that one reading reports all. */
#include "experiments/config/config.h"
#include "experiments/config/message.h"
#include "experiments/config/scan.h"
#include "experiments/config/tree.h"
#include "experiments/sweep/experiment.h"

#include "base/memory.h"
#include "base/param.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct xp_experiment *e;
	struct xp_config here; /* its folder alone: where the file lies */
	struct base_errors *errors;
};

/* "key.name", or nothing if that is too long to be a key. */
static void join(char out[256], const char *key, const char *name)
{
	int n = snprintf(out, 256, "%s%s%s", key, *key ? "." : "", name);
	if (n < 0 || n >= 256)
		out[0] = 0;
}

static bool is_scalar(const struct xp_node *node)
{
	return node->type != XP_GROUP && node->type != XP_LIST;
}

/* Complains about members of a group that are none of `known` (a NULL-ended list). */
static void check_names(struct reader *r, const struct xp_node *group, const char *key, const char *const *known)
{
	size_t n = 0;
	while (known[n])
		n++;
	for (size_t i = 0; i < group->n; i++) {
		const char *name = group->child[i]->name;
		size_t k = 0;
		while (k < n && strcmp(known[k], name) != 0)
			k++;
		if (k < n)
			continue;
		const char *near = base_nearest(name, known, n);
		char full[256];
		join(full, key, name);
		base_errorf(r->errors, full, near ? "unknown key; did you mean \"%s\"?" : "unknown key", near);
	}
}

/* Titles, names and labels go to terminals and tables. */
static void check_text(struct reader *r, const char *key, const char *text)
{
	if (!base_is_harmless(text, true))
		base_errorf(r->errors, key, "holds a control character or bytes that are no UTF-8");
}

/* A member's text; NULL if there is none (an error when it is required) or it is no scalar. */
static char *text_of(struct reader *r, const struct xp_node *group, const char *key, const char *name, bool required)
{
	char full[256];
	join(full, key, name);
	const struct xp_node *node = xp_member(group, name);
	if (node && is_scalar(node)) {
		check_text(r, full, node->text);
		return base_strdup(node->text);
	}
	if (node)
		base_errorf(r->errors, full, "a text is wanted here, this is %s", xp_type_text(node->type));
	else if (required)
		base_errorf(r->errors, full, "is missing");
	return NULL;
}

static bool number_of(const char *text, double *x)
{
	char *end;
	*x = strtod(text, &end);
	return end != text && !*end && isfinite(*x);
}

/* The members of a list of scalars, as texts. */
static char **texts_of(struct reader *r, const struct xp_node *group, const char *key, const char *name, size_t *n)
{
	*n = 0;
	const struct xp_node *list = xp_member(group, name);
	if (!list)
		return NULL;
	char full[256];
	join(full, key, name);
	char **out = base_calloc(list->n + 1, sizeof *out);
	if (is_scalar(list)) { /* one is a list of one */
		check_text(r, full, list->text);
		out[(*n)++] = base_strdup(list->text);
		return out;
	}
	for (size_t i = 0; i < list->n; i++) {
		if (list->type == XP_LIST && is_scalar(list->child[i])) {
			check_text(r, full, list->child[i]->text);
			out[(*n)++] = base_strdup(list->child[i]->text);
		} else {
			base_errorf(r->errors, full, "a list of plain values is wanted here");
			break;
		}
	}
	return out;
}

static void free_texts(char **texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(texts[i]);
	free(texts);
}

/* A list of finite numbers. */
static double *numbers_of(struct reader *r, const struct xp_node *group, const char *key, const char *name, size_t *n)
{
	char **texts = texts_of(r, group, key, name, n);
	double *out = base_calloc(*n + 1, sizeof *out);
	char full[256];
	join(full, key, name);
	for (size_t i = 0; i < *n; i++)
		if (!number_of(texts[i], &out[i]))
			base_errorf(r->errors, full, "\"%s\" is not a number", texts[i]);
	free_texts(texts, *n);
	return out;
}

/* Every "PATH=VALUE" of a list `set`. */
static char **settings_of(struct reader *r, const struct xp_node *group, const char *key, size_t *n)
{
	char **set = texts_of(r, group, key, "set", n);
	char full[256];
	join(full, key, "set");
	for (size_t i = 0; i < *n; i++)
		if (set[i][0] == '=' || !strchr(set[i], '='))
			base_errorf(r->errors, full, "\"%s\" is not PATH=VALUE", set[i]);
	return set;
}

static struct xp_value make_value(const char *label, char **set, size_t nset)
{
	struct xp_value v = { .label = base_strdup(label), .set = set, .nset = nset };
	if (!number_of(label, &v.x))
		v.x = NAN;
	return v;
}

/* Values of an axis that is one configuration key: "PATH=VALUE" each. */
static struct xp_value *read_values(struct reader *r, const struct xp_node *axis, const char *key, const char *name,
                                    const char *path, size_t *n)
{
	if (!xp_member(axis, name))
		return NULL;
	char **texts = texts_of(r, axis, key, name, n);
	struct xp_value *v = base_calloc(*n + 1, sizeof *v);
	for (size_t i = 0; i < *n; i++) {
		char **set = base_calloc(1, sizeof *set);
		size_t room = strlen(path) + strlen(texts[i]) + 2;
		set[0] = base_alloc(room);
		snprintf(set[0], room, "%s=%s", path, texts[i]);
		v[i] = make_value(texts[i], set, 1);
	}
	free_texts(texts, *n);
	return v;
}

/* Values of an axis that sets several keys at once. */
static struct xp_value *read_points(struct reader *r, const struct xp_node *list, const char *key, size_t *n)
{
	static const char *const known[] = { "label", "set", NULL };
	*n = 0;
	struct xp_value *v = base_calloc(list->n + 1, sizeof *v);
	for (size_t i = 0; i < list->n; i++) {
		char full[256];
		snprintf(full, sizeof full, "%s.points.[%zu]", key, i);
		if (list->type != XP_LIST || list->child[i]->type != XP_GROUP) {
			base_errorf(r->errors, full, "a group { label = ...; set = [ ... ]; } is wanted here");
			continue;
		}
		check_names(r, list->child[i], full, known);
		size_t nset;
		char *label = text_of(r, list->child[i], full, "label", true);
		char **set = settings_of(r, list->child[i], full, &nset);
		v[(*n)++] = make_value(label ? label : "", set, nset);
		free(label);
	}
	return v;
}

static void check_labels(struct reader *r, const char *key, const struct xp_value *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (!strcmp(v[i].label, v[j].label)) {
				base_errorf(r->errors, key, "\"%s\" occurs twice", v[i].label);
				return;
			}
}

static void read_axis(struct reader *r, const struct xp_node *node, size_t index)
{
	static const char *const known[] = { "name", "title", "path", "values", "short", "points", NULL };
	struct xp_axis *axis = &r->e->axis[index];
	char key[64];
	snprintf(key, sizeof key, "grid.[%zu]", index);
	if (node->type != XP_GROUP) {
		base_errorf(r->errors, key, "a group { name = ...; ... } is wanted here");
		axis->name = base_strdup("");
		axis->title = base_strdup("");
		return;
	}
	check_names(r, node, key, known);
	const struct xp_node *points = xp_member(node, "points");
	char *path = text_of(r, node, key, "path", !points);
	axis->name = text_of(r, node, key, "name", points);
	if (!axis->name) /* traffic.[0].load is called load */
		axis->name = base_strdup(path ? (strrchr(path, '.') ? strrchr(path, '.') + 1 : path) : "");
	axis->title = text_of(r, node, key, "title", false);
	if (!axis->title)
		axis->title = base_strdup(axis->name);
	if (points && (path || xp_member(node, "values")))
		base_errorf(r->errors, key, "has both \"points\" and \"path\" with \"values\": one of them is wanted");
	else if (points)
		axis->v = read_points(r, points, key, &axis->n);
	else if (path) {
		axis->v = read_values(r, node, key, "values", path, &axis->n);
		axis->brief = read_values(r, node, key, "short", path, &axis->nbrief);
	}
	free(path);
	if (!axis->n)
		base_errorf(r->errors, key, "has no values");
	if (axis->brief && !axis->nbrief)
		base_errorf(r->errors, key, "\"short\" has no values");
	check_labels(r, key, axis->v, axis->n);
	check_labels(r, key, axis->brief, axis->nbrief);
}

/* The axis that the member `key` names, -1 if there is no such member. */
static ptrdiff_t named_axis(struct reader *r, const struct xp_node *root, const char *key)
{
	char *name = text_of(r, root, "", key, false);
	ptrdiff_t found = -1;
	for (size_t i = 0; name && i < r->e->naxes; i++)
		if (!strcmp(r->e->axis[i].name, name))
			found = (ptrdiff_t)i;
	if (name && found < 0)
		base_errorf(r->errors, key, "no axis is called \"%s\"", name);
	free(name);
	return found;
}

static void read_grid(struct reader *r, const struct xp_node *root)
{
	const struct xp_node *grid = xp_member(root, "grid");
	if (!grid || grid->type != XP_LIST || !grid->n) {
		base_errorf(r->errors, "grid", grid ? "a list of axes ( { ... }, ... ) is wanted here" : "is missing");
		return;
	}
	if (grid->n > XP_MAX_AXES) {
		base_errorf(r->errors, "grid", "has %zu axes; %d are possible", grid->n, XP_MAX_AXES);
		return;
	}
	for (size_t i = 0; i < grid->n; i++) {
		read_axis(r, grid->child[i], i);
		for (size_t j = 0; j < i; j++)
			if (!strcmp(r->e->axis[i].name, r->e->axis[j].name))
				base_errorf(r->errors, "grid", "two axes are called \"%s\"", r->e->axis[i].name);
	}
	r->e->naxes = grid->n;
	ptrdiff_t x = named_axis(r, root, "x");
	r->e->x = x >= 0 ? (size_t)x : grid->n - 1;
	r->e->panels = named_axis(r, root, "panels");
	if (r->e->panels == (ptrdiff_t)r->e->x)
		base_errorf(r->errors, "panels", "is the axis that figures draw from left to right");
}

/* The members of a group that are axis names: which points it speaks of. The rest must be in `known`. */
static void read_where(struct reader *r, const struct xp_node *group, const char *key, const char *const *known,
                       struct xp_where *where)
{
	const char *names[XP_MAX_AXES + 8];
	size_t n = 0;
	for (; known[n]; n++)
		names[n] = known[n];
	for (size_t a = 0; a < r->e->naxes; a++) {
		const struct xp_axis *axis = &r->e->axis[a];
		if (a == r->e->x)
			continue;
		names[n++] = axis->name;
		if (!xp_member(group, axis->name))
			continue;
		where->label[a] = text_of(r, group, key, axis->name, false);
		size_t i = 0;
		while (where->label[a] && i < axis->n && strcmp(axis->v[i].label, where->label[a]) != 0)
			i++;
		if (i == axis->n) {
			char full[256];
			join(full, key, axis->name);
			base_errorf(r->errors, full, "\"%s\" is no value of this axis", where->label[a]);
		}
	}
	names[n] = NULL;
	check_names(r, group, key, names);
}

static void read_curve(struct reader *r, const struct xp_node *node, size_t index)
{
	static const char *const known[] = { "x", "y", "note", NULL };
	struct xp_curve *curve = &r->e->curve[r->e->ncurves++];
	char key[64];
	snprintf(key, sizeof key, "published.curves.[%zu]", index);
	size_t nx, ny;
	read_where(r, node, key, known, &curve->where);
	curve->x = numbers_of(r, node, key, "x", &nx);
	curve->y = numbers_of(r, node, key, "y", &ny);
	curve->note = text_of(r, node, key, "note", false);
	curve->n = nx < ny ? nx : ny;
	if (nx != ny || !nx)
		base_errorf(r->errors, key, "x and y must be lists of the same length, not %zu and %zu", nx, ny);
	for (size_t i = 1; i < curve->n; i++)
		if (!(curve->x[i] > curve->x[i - 1])) {
			base_errorf(r->errors, key, "x must rise");
			break;
		}
}

static void read_scale(struct reader *r, const struct xp_node *node, size_t index)
{
	static const char *const known[] = { "label", "factor", NULL };
	struct xp_scale *scale = &r->e->scale[r->e->nscales++];
	char key[64];
	snprintf(key, sizeof key, "published.scales.[%zu]", index);
	check_names(r, node, key, known);
	scale->label = text_of(r, node, key, "label", true);
	if (!scale->label)
		scale->label = base_strdup("");
	char *factor = text_of(r, node, key, "factor", true);
	if (factor && (!number_of(factor, &scale->factor) || scale->factor <= 0))
		base_errorf(r->errors, key, "factor must be a number above 0, not \"%s\"", factor);
	free(factor);
}

static void read_expect(struct reader *r, const struct xp_node *node, size_t index)
{
	static const char *const known[] = { "x", "range", "of_offered", NULL };
	struct xp_expect *expect = &r->e->expect[r->e->nexpects++];
	char key[64];
	snprintf(key, sizeof key, "expected.[%zu]", index);
	read_where(r, node, key, known, &expect->where);
	size_t nx, nrange;
	double *x = numbers_of(r, node, key, "x", &nx);
	expect->relative = xp_member(node, "of_offered") != NULL;
	double *range = numbers_of(r, node, key, expect->relative ? "of_offered" : "range", &nrange);
	if (nx == 2 && x[0] <= x[1]) {
		expect->low = x[0];
		expect->high = x[1];
	} else {
		base_errorf(r->errors, key, "x must be [low, high]");
	}
	if (nrange == 2 && range[0] <= range[1] && expect->relative != (xp_member(node, "range") != NULL)) {
		expect->min = range[0];
		expect->max = range[1];
	} else {
		base_errorf(r->errors, key, "either range or of_offered must be given as [low, high]");
	}
	free(x);
	free(range);
}

typedef void read_entry(struct reader *r, const struct xp_node *node, size_t index);

/* Reads every entry of a list of groups; *array is made long enough first. */
static void read_list(struct reader *r, const struct xp_node *group, const char *name, const char *key, void *array,
                      size_t size, read_entry *entry)
{
	const struct xp_node *list = xp_member(group, name);
	if (!list)
		return;
	void *room = base_calloc(list->n + 1, size);
	memcpy(array, &room, sizeof room);
	for (size_t i = 0; i < list->n; i++) {
		if (list->type == XP_LIST && list->child[i]->type == XP_GROUP) {
			entry(r, list->child[i], i);
		} else {
			base_errorf(r->errors, key, "a list of groups ( { ... }, ... ) is wanted here");
			return;
		}
	}
}

static void read_published(struct reader *r, const struct xp_node *root)
{
	static const char *const known[] = { "source", "scales", "curves", NULL };
	const struct xp_node *published = xp_member(root, "published");
	if (published && published->type != XP_GROUP)
		base_errorf(r->errors, "published", "a group { ... } is wanted here");
	else if (published) {
		check_names(r, published, "published", known);
		r->e->source = text_of(r, published, "published", "source", false);
		read_list(r, published, "scales", "published.scales", &r->e->scale, sizeof *r->e->scale, read_scale);
		read_list(r, published, "curves", "published.curves", &r->e->curve, sizeof *r->e->curve, read_curve);
	}
	if (r->e->ncurves && !r->e->nscales) {
		free(r->e->scale);
		r->e->scale = base_calloc(1, sizeof *r->e->scale);
		r->e->scale[r->e->nscales++] = (struct xp_scale){ .label = base_strdup("published"), .factor = 1 };
	}
}

/* libconfig text of a tree, for the configuration that is written inside an experiment. */
static void print_tree(FILE *out, const struct xp_node *node, int depth)
{
	switch (node->type) {
	case XP_GROUP:
		fputs("{\n", out);
		for (size_t i = 0; i < node->n; i++) {
			fprintf(out, "%*s%s = ", 2 * depth + 2, "", node->child[i]->name);
			print_tree(out, node->child[i], depth + 1);
			fputs(";\n", out);
		}
		fprintf(out, "%*s}", 2 * depth, "");
		return;
	case XP_LIST:
		fputs("( ", out);
		for (size_t i = 0; i < node->n; i++) {
			fputs(i ? ", " : "", out);
			print_tree(out, node->child[i], depth + 1);
		}
		fputs(" )", out);
		return;
	case XP_STRING:
	case XP_RAW:
		fputc('"', out);
		for (const char *p = node->text; *p; p++) {
			if (strchr("\"\\", *p))
				fputc('\\', out);
			if (*p == '\n')
				fputs("\\n", out);
			else
				fputc(*p, out);
		}
		fputc('"', out);
		return;
	case XP_INT: /* libconfig reads those without the suffix as 32 bits */
		fprintf(out, "%s%s", node->text, strlen(node->text) > 9 ? "L" : "");
		return;
	case XP_FLOAT:
	case XP_BOOL:
		fputs(node->text, out);
	}
}

static char *config_text(const struct xp_node *group)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	for (size_t i = 0; out && i < group->n; i++) {
		fprintf(out, "%s = ", group->child[i]->name);
		print_tree(out, group->child[i], 0);
		fputs(";\n", out);
	}
	if (out)
		fclose(out);
	return text;
}

/* The texts of `plugins` in a group, made absolute: other folders than this file's will read them. */
static void locate_plugins(struct reader *r, const struct xp_node *group)
{
	struct xp_node *list = xp_member(group, "plugins");
	for (size_t i = 0; list && i < (list->type == XP_LIST ? list->n : 1); i++) {
		struct xp_node *node = list->type == XP_LIST ? list->child[i] : list;
		if (node->type != XP_STRING)
			continue; /* whoever reads the list will say so */
		char *path = xp_config_path(&r->here, node);
		free(node->text);
		node->text = xp_absolute_path(path);
		free(path);
	}
}

static void read_plugins(struct reader *r, const struct xp_node *root)
{
	size_t n;
	locate_plugins(r, root);
	char **paths = texts_of(r, root, "", "plugins", &n);
	for (size_t i = 0; i < n; i++)
		base_texts_add(&r->e->plugins, paths[i]);
	free_texts(paths, n);
}

static void read_base(struct reader *r, const struct xp_node *root)
{
	const struct xp_node *config = xp_member(root, "config");
	r->e->base = text_of(r, root, "", "base", false);
	if (!r->e->base == !config)
		base_errorf(r->errors, "base",
		            "either \"base\" (a configuration's name or path) or \"config\" (a group) is needed");
	else if (config && config->type != XP_GROUP)
		base_errorf(r->errors, "config", "a group { ... } is wanted here");
	else if (config) {
		locate_plugins(r, config);
		r->e->config = config_text(config);
	}
}

static void read_root(struct reader *r, const struct xp_node *root)
{
	static const char *const known[] = { "title", "plugins", "description", "base",      "config",   "set", "grid",
		                             "x",     "panels",  "short",       "published", "expected", NULL };
	static const char *const in_short[] = { "set", NULL };
	struct xp_experiment *e = r->e;
	check_names(r, root, "", known);
	e->title = text_of(r, root, "", "title", false);
	e->description = text_of(r, root, "", "description", false);
	if (!e->title)
		e->title = base_strdup(e->name);
	read_plugins(r, root);
	read_base(r, root);
	e->set = settings_of(r, root, "", &e->nset);
	const struct xp_node *brief = xp_member(root, "short");
	if (brief && brief->type == XP_GROUP) {
		check_names(r, brief, "short", in_short);
		e->brief_set = settings_of(r, brief, "short", &e->nbrief_set);
	} else if (brief) {
		base_errorf(r->errors, "short", "a group { set = [ ... ]; } is wanted here");
	}
	read_grid(r, root);
	if (!e->naxes)
		return;
	read_published(r, root);
	read_list(r, root, "expected", "expected", &e->expect, sizeof *e->expect, read_expect);
}

/* Turns collected keys into places. */
static void hand_over(const struct base_errors *found, const struct xp_node *root, const char *path,
                      struct base_errors *errors)
{
	for (size_t i = 0; i < found->n; i++) {
		char place[1024];
		xp_tree_locate(root, path, found->v[i].key, place, sizeof place);
		xp_error_at(errors, place, "%s", found->v[i].text);
	}
}

static char *stem_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = base_strdup(slash ? slash + 1 : path);
	char *dot = strrchr(name, '.');
	if (dot && dot > name)
		*dot = 0;
	return name;
}

int xp_experiment_read(struct xp_experiment *e, const char *path, struct base_errors *errors)
{
	*e = (struct xp_experiment){ .path = base_strdup(path), .name = stem_of(path) };
	const char *why;
	if (xp_slurp(path, &e->text, &e->bytes, &why))
		return xp_error_at(errors, path, "%s", why);
	struct base_errors found = { 0 };
	char *folder = base_strdup(path);
	char *slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = 0;
	struct xp_node *root = xp_tree_parse(e->text, e->bytes, path, slash ? folder : NULL, &found);
	struct reader reader = { .e = e, .here = { .folder = slash ? folder : NULL }, .errors = &found };
	if (root && !xp_member(root, "grid") && xp_member(root, "topology"))
		base_errorf(&found, "",
		            "a configuration, not an experiment (it has no grid): run it with \"tilefly run\"");
	else if (root)
		read_root(&reader, root);
	hand_over(&found, root, path, errors);
	int status = found.errors ? -1 : 0;
	base_errors_free(&found);
	xp_node_free(root);
	free(folder);
	return status;
}

static void free_values(struct xp_value *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(v[i].label);
		free_texts(v[i].set, v[i].nset);
	}
	free(v);
}

static void free_where(struct xp_where *where)
{
	for (size_t i = 0; i < XP_MAX_AXES; i++)
		free(where->label[i]);
}

void xp_experiment_free(struct xp_experiment *e)
{
	for (size_t i = 0; i < XP_MAX_AXES; i++) {
		free(e->axis[i].name);
		free(e->axis[i].title);
		free_values(e->axis[i].v, e->axis[i].n);
		free_values(e->axis[i].brief, e->axis[i].nbrief);
	}
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
	free_texts(e->plugins.v, e->plugins.n);
	free_texts(e->set, e->nset);
	free_texts(e->brief_set, e->nbrief_set);
	free(e->name);
	free(e->path);
	free(e->text);
	free(e->title);
	free(e->description);
	free(e->base);
	free(e->config);
	free(e->source);
	*e = (struct xp_experiment){ 0 };
}
