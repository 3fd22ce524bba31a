/* experiments/design/space.c - the study file of a search, and the candidates of its space. */
#include "experiments/config/message.h"
#include "experiments/design/design.h"
#include "experiments/runs/fields.h"

#include "base/format.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SPACE 1000000u
#define MOST_WEIGHT 1e9
#define NUM(field) offsetof(struct xp_space_numbers, field)

const char *const xp_goal_names[XP_GOALS] = {
	"cost", "watts", "cables", "ports", "buffers", "saturation", "mean", "p99"
};
const char *const xp_goal_units[XP_GOALS] = {
	"per endpoint",   "W per endpoint",         "per endpoint", "per endpoint",
	"B per endpoint", "of injection bandwidth", "ns",           "ns"
};

const struct base_param xp_space_keys[] = {
	{ .name = "candidates", .type = BASE_INT, .offset = NUM(most), .default_value = "200", .min = 1, .max = 10000 },
	{ 0 },
};
const struct base_param xp_limit_keys[] = {
	{ .name = "least_endpoints",
	  .type = BASE_INT,
	  .offset = NUM(least_endpoints),
	  .default_value = "2",
	  .min = 2,
	  .max = 1e9 },
	{ .name = "most_endpoints",
	  .type = BASE_INT,
	  .offset = NUM(most_endpoints),
	  .default_value = "1000000",
	  .min = 2,
	  .max = 1e9 },
	{ .name = "radix", .type = BASE_INT, .offset = NUM(radix), .default_value = "256", .min = 2, .max = 256 },
	{ .name = "cost", .type = BASE_FLOAT, .offset = NUM(cost), .default_value = "0", .min = 0, .max = 1e12 },
	{ .name = "watts", .type = BASE_FLOAT, .offset = NUM(watts), .default_value = "0", .min = 0, .max = 1e9 },
	{ .name = "cables", .type = BASE_FLOAT, .offset = NUM(cables), .default_value = "0", .min = 0, .max = 1e9 },
	{ .name = "reach", .type = BASE_LENGTH, .offset = NUM(reach), .default_value = "", .min = 0, .max = 1e6 },
	{ .name = "buffer", .type = BASE_SIZE, .offset = NUM(buffer), .default_value = "", .min = 0, .max = 1e15 },
	{ .name = "deadlock_free", .type = BASE_BOOL, .offset = NUM(deadlock_free), .default_value = "true" },
	{ 0 },
};

/* --- the file -------------------------------------------------------------------------------------------- */

static void read_table(struct xp_fields *r, const struct xp_node *group, const char *key,
                       const struct base_param *table, void *out)
{
	base_params_defaults(table, out, r->errors);
	const char *scope = r->errors->scope;
	r->errors->scope = *key ? key : scope;
	for (const struct base_param *p = table; p->name && group; p++) {
		r->errors->scope = scope;
		char *text = xp_field_text(r, group, key, p->name, false);
		r->errors->scope = *key ? key : scope;
		if (text)
			base_param_parse(p, out, text, r->errors);
		free(text);
	}
	r->errors->scope = scope;
}

static char *value_text(const struct xp_node *node)
{
	char *text = NULL;
	size_t bytes = 0;
	if (node->text)
		return base_strdup(node->text);
	FILE *out = base_memory_stream(&text, &bytes);
	if (out) {
		xp_tree_print(out, node, 0);
		fclose(out);
	}
	return text;
}

static void add_value(struct xp_variable *v, char *text, char *at)
{
	v->value = base_realloc(v->value, (v->n + 1) * sizeof *v->value);
	v->at = base_realloc(v->at, (v->n + 1) * sizeof *v->at);
	v->value[v->n] = text;
	v->at[v->n++] = at;
}

/* "range = [LOW, HIGH]; step = N": whole numbers. */
static void read_range(struct xp_fields *r, const struct xp_node *node, const char *key, struct xp_variable *v)
{
	size_t n, nstep;
	char full[256], text[32];
	double *range = xp_field_numbers(r, node, key, "range", &n),
	       *step = xp_field_numbers(r, node, key, "step", &nstep);
	double by = nstep ? step[0] : 1;
	xp_field_key(full, key, "range");
	bool whole = n == 2 && range[0] == floor(range[0]) && range[1] == floor(range[1]) && by == floor(by);
	if (!whole || range[0] > range[1] || !(by >= 1) || (range[1] - range[0]) / by > 1000)
		base_errorf(r->errors, full,
		            "must be [low, high] with at most 1000 values, and step a whole number of at least 1");
	else if (nstep && by > range[1] - range[0])
		base_errorf(r->errors, full,
		            "spans less than step = %.0f, which leaves the single value %.0f: write values = [%.0f], "
		            "or a smaller step",
		            by, range[0], range[0]);
	else
		for (double x = range[0]; x <= range[1]; x += by) {
			snprintf(text, sizeof text, "%.0f", x);
			add_value(v, base_strdup(text), xp_field_place(r, xp_member(node, "range")));
		}
	free(range);
	free(step);
}

/* "PATH=LABEL|LABEL": of an earlier variable. */
static void read_when(struct xp_fields *r, const char *key, char *text, struct xp_search_space *s,
                      struct xp_variable *v)
{
	char *labels = strchr(text, '='), *save = NULL;
	const char *names[64];
	size_t k = 0, n = 0;
	if (!labels) {
		base_errorf(r->errors, key, "\"%s\" must be PATH=VALUE or PATH=VALUE|VALUE", text);
		return;
	}
	*labels++ = 0;
	for (size_t i = 0; i < s->nvariables && n < 64; i++)
		names[n++] = s->variable[i].path;
	while (k < s->nvariables && strcmp(s->variable[k].path, text) != 0)
		k++;
	if (k == s->nvariables) {
		const char *near = base_nearest(text, names, n);
		base_errorf(r->errors, key,
		            near ? "no earlier variable has the path \"%s\"; did you mean \"%s\"?"
		                 : "no earlier variable has the path \"%s\"",
		            text, near);
		return;
	}
	const struct xp_variable *other = &s->variable[k];
	v->when = base_realloc(v->when, (v->nwhen + 1) * sizeof *v->when);
	struct xp_proviso *w = &v->when[v->nwhen++];
	*w = (struct xp_proviso){ .variable = k };
	for (char *label = strtok_r(labels, "|", &save); label; label = strtok_r(NULL, "|", &save)) {
		size_t i = 0;
		while (i < other->n && strcmp(other->value[i], label) != 0)
			i++;
		if (i == other->n) {
			const char *near = base_nearest(label, (const char *const *)other->value, other->n);
			base_errorf(r->errors, key,
			            near ? "\"%s\" is not a value of \"%s\"; did you mean \"%s\"?"
			                 : "\"%s\" is not a value of \"%s\"",
			            label, text, near);
		}
		w->label = base_realloc(w->label, (w->n + 1) * sizeof *w->label);
		w->label[w->n++] = base_strdup(label);
	}
}

/* Sections that the study makes, or that are the same for all candidates. */
static bool may_vary(const char *path)
{
	static const char *const fixed[] = { "traffic", "time",  "output", "record", "engine",
		                             "seed",    "links", "layout", "cost",   "plugins" };
	size_t length = strcspn(path, ".");
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		if (strlen(fixed[i]) == length && !strncmp(fixed[i], path, length))
			return false;
	return true;
}

static void read_variable(struct xp_fields *r, const struct xp_node *node, size_t index, struct xp_search_space *s)
{
	static const char *const known[] = { "path", "values", "range", "step", "when", NULL };
	struct xp_variable *v = &s->variable[s->nvariables];
	char key[64], full[256];
	snprintf(key, sizeof key, "variables.[%zu]", index);
	if (node->type != XP_GROUP) {
		base_errorf(r->errors, key, "must be a group { path = ...; values = [ ... ]; }");
		return;
	}
	xp_fields_known(r, node, key, known);
	v->path = xp_field_text(r, node, key, "path", true);
	if (!v->path)
		v->path = base_strdup("");
	xp_field_key(full, key, "path");
	if (!*v->path && xp_member(node, "path"))
		base_errorf(r->errors, full, "must not be empty");
	else if (*v->path && !may_vary(v->path))
		base_errorf(r->errors, full,
		            "\"%s\" is common to all candidates or set by the study, so it cannot be a variable",
		            v->path);
	const struct xp_node *values = xp_member(node, "values");
	if (!values == !xp_member(node, "range"))
		base_errorf(r->errors, key, "either \"values\" or \"range\" is required");
	else if (!values)
		read_range(r, node, key, v);
	if (values && xp_member(node, "step"))
		base_errorf(r->errors, key, "has an effect only with \"range\"");
	if (values && !xp_study_entries(values)) {
		xp_field_key(full, key, "values");
		base_errorf(r->errors, full, "must have at least one entry");
	}
	for (size_t i = 0; values && i < xp_study_entries(values); i++) {
		const struct xp_node *entry = values->type == XP_LIST ? values->child[i] : values;
		add_value(v, value_text(entry), xp_field_place(r, entry));
	}
	for (size_t i = 0; i < v->n; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(v->value[i], v->value[k]))
				base_errorf(r->errors, key, "\"%s\" is listed twice", v->value[i]);
	size_t n;
	char **when = xp_field_texts(r, node, key, "when", &n);
	xp_field_key(full, key, "when");
	for (size_t i = 0; i < n; i++)
		read_when(r, full, when[i], s, v);
	xp_free_texts(when, n);
	s->nvariables++;
}

static void read_goals(struct xp_fields *r, const struct xp_node *root, struct xp_search_space *s)
{
	size_t n;
	char **texts = xp_field_texts(r, root, "", "objectives", &n);
	for (size_t i = 0; i < n; i++) {
		size_t g = 0;
		while (g < XP_GOALS && strcmp(xp_goal_names[g], texts[i]) != 0)
			g++;
		const char *near = base_nearest(texts[i], xp_goal_names, XP_GOALS);
		for (size_t k = 0; k < s->ngoals; k++)
			if (s->goal[k] == g)
				base_errorf(r->errors, "objectives", "\"%s\" is listed twice", texts[i]);
		if (g < XP_GOALS && s->ngoals < XP_GOALS)
			s->goal[s->ngoals++] = (enum xp_goal)g;
		else
			base_errorf(r->errors, "objectives",
			            near ? "there is no objective \"%s\"; did you mean \"%s\"?"
			                 : "there is no objective \"%s\"",
			            texts[i], near);
	}
	if (!n)
		base_errorf(r->errors, "objectives", "is missing, as in objectives = [ \"cost\", \"saturation\" ]");
	xp_free_texts(texts, n);
	s->weight = xp_field_numbers(r, root, "", "weights", &s->nweights);
	if (s->nweights && s->nweights != s->c.study.ndemands)
		base_errorf(r->errors, "weights", "has %zu numbers for %zu entries of \"traffic\"", s->nweights,
		            s->c.study.ndemands);
	else if (xp_member(root, "weights") && !s->nweights)
		base_errorf(r->errors, "weights", "must have at least one entry");
	else if (s->nweights && s->ngoals && !xp_saturates(s))
		base_errorf(r->errors, "weights", "has an effect only with the objective \"saturation\"");
	for (size_t i = 0; i < s->nweights; i++)
		if (!(s->weight[i] > 0 && s->weight[i] <= MOST_WEIGHT))
			base_errorf(r->errors, "weights", "%g must be above 0 and at most %g", s->weight[i],
			            MOST_WEIGHT);
}

/* Adds errors for numbers of a study that contradict each other, or have no effect with the study's objectives. If no
 * objective requires simulation, latency_load only sets the load in the configurations that are written as results. */
static void check_numbers(struct xp_fields *r, const struct xp_search_space *s)
{
	const struct xp_study_numbers *n = &s->c.study.number;
	struct xp_study_numbers default_value = { 0 };
	base_params_defaults(xp_study_keys, &default_value, r->errors);
	const struct {
		const char *key;
		double is, default_value;
	} of_latency[] = { { "latency_load", n->latency_load, default_value.latency_load },
		           { "precision", n->precision, default_value.precision },
		           { "limit", (double)n->limit, (double)default_value.limit } };
	if (n->few > n->many)
		base_errorf(r->errors, "long", "must be at least short = %lld", (long long)n->few);
	for (size_t i = 0; i < sizeof of_latency / sizeof *of_latency && s->ngoals && !xp_has_latency(s); i++)
		if (fabs(of_latency[i].is - of_latency[i].default_value) > 0 && (i || xp_saturates(s)))
			base_errorf(r->errors, of_latency[i].key,
			            "has an effect only with an objective \"mean\" or \"p99\"");
}

static void read_root(struct xp_fields *r, const struct xp_node *root, void *arg)
{
	static const char *const known[] = { "title",     "description", "plugins",      "base",    "config",
		                             "set",       "variables",   "objectives",   "weights", "limits",
		                             "job",       "traffic",     "short",        "long",    "width",
		                             "eliminate", "precision",   "latency_load", "limit",   "candidates",
		                             NULL };
	static const char *const shared[] = { "short",     "long",         "width", "eliminate",
		                              "precision", "latency_load", "limit", NULL };
	struct xp_search_space *s = arg;
	struct xp_study *study = &s->c.study;
	const struct xp_node *list = xp_member(root, "variables"), *limits = xp_member(root, "limits");
	if (xp_fields_other(r, root, XP_KIND_DESIGN))
		return;
	xp_fields_known(r, root, "", known);
	xp_read_ground(r, root);
	base_params_defaults(xp_study_keys, &study->number, r->errors);
	study->number.width = 3;
	for (const struct base_param *p = xp_study_keys; p->name; p++)
		for (size_t i = 0; shared[i]; i++) {
			char *text = strcmp(p->name, shared[i]) ? NULL : xp_field_text(r, root, "", p->name, false);
			if (text)
				base_param_parse(p, &study->number, text, r->errors);
			free(text);
		}
	read_table(r, root, "", xp_space_keys, &s->number);
	if (limits && limits->type != XP_GROUP)
		base_errorf(r->errors, "limits", "must be a group { radix = ...; ... }");
	else if (limits) {
		const char *names[16] = { 0 };
		for (size_t i = 0; xp_limit_keys[i].name; i++)
			names[i] = xp_limit_keys[i].name;
		xp_fields_known(r, limits, "limits", names);
	}
	read_table(r, limits && limits->type == XP_GROUP ? limits : NULL, "limits", xp_limit_keys, &s->number);
	if (s->number.least_endpoints > s->number.most_endpoints)
		base_errorf(r->errors, "limits.least_endpoints", "exceeds most_endpoints = %lld",
		            (long long)s->number.most_endpoints);
	static const char *const free_of[] = { "cost", "watts", "cables" };
	const double amount[] = { s->number.cost, s->number.watts, s->number.cables };
	for (size_t i = 0; i < 3 && limits && limits->type == XP_GROUP; i++)
		if (xp_member(limits, free_of[i]) && !(amount[i] > 0)) {
			char full[256];
			xp_field_key(full, "limits", free_of[i]);
			base_errorf(r->errors, full, "must be above 0; if omitted, there is no limit");
		}
	xp_study_read_traffic(r, root, study);
	if (!list || list->type != XP_LIST || !list->n || list->n > 64) {
		base_errorf(r->errors, "variables",
		            list ? "must be a list of 1 to 64 groups { path = ...; ... }" : "is missing");
		return;
	}
	s->variable = base_calloc(list->n + 1, sizeof *s->variable);
	for (size_t i = 0; i < list->n; i++)
		read_variable(r, list->child[i], i, s);
	read_goals(r, root, s);
	check_numbers(r, s);
	static const char *const simulated[] = { "short", "long", "width", "eliminate" };
	for (size_t i = 0; i < 4 && s->ngoals && !xp_saturates(s) && !xp_has_latency(s); i++)
		if (xp_member(root, simulated[i]))
			base_errorf(
			    r->errors, simulated[i],
			    "has an effect only with an objective that is simulated: \"saturation\", \"mean\" or "
			    "\"p99\"");
}

int xp_space_read(struct xp_search_space *s, const char *path, struct base_errors *errors)
{
	return xp_ground_read(&s->c.study.ground, path, read_root, s, errors);
}

/* --- candidates ------------------------------------------------------------------------------------------ */

const char *xp_space_candidate_label(const struct xp_search_space *s, const struct xp_space_candidate *k,
                                     size_t variable)
{
	size_t i = k->value[variable];
	return i == XP_NO_VALUE ? NULL : s->variable[variable].value[i];
}

static bool applies(const struct xp_search_space *s, const struct xp_space_candidate *k, const struct xp_variable *v)
{
	for (size_t i = 0; i < v->nwhen; i++) {
		const struct xp_proviso *w = &v->when[i];
		const char *label = xp_space_candidate_label(s, k, w->variable);
		size_t n = 0;
		while (label && n < w->n && strcmp(w->label[n], label) != 0)
			n++;
		if (!label || n == w->n)
			return false;
	}
	return true;
}

/* Adds every way to give the variables from `v` on their values. -1: there are too many. */
static int extend(struct xp_search_space *s, struct xp_space_candidate *k, size_t v, size_t *cap)
{
	if (v < s->nvariables) {
		bool has = applies(s, k, &s->variable[v]);
		for (size_t i = 0; i < (has ? s->variable[v].n : 1); i++) {
			k->value[v] = has ? i : XP_NO_VALUE;
			if (extend(s, k, v + 1, cap))
				return -1;
		}
		return 0;
	}
	if (s->ncandidates == MOST_SPACE)
		return -1;
	if (s->ncandidates == *cap) {
		*cap = *cap ? 2 * *cap : 64;
		s->candidate = base_realloc(s->candidate, *cap * sizeof *s->candidate);
	}
	struct xp_space_candidate *out = &s->candidate[s->ncandidates++];
	*out = (struct xp_space_candidate){ .value = base_calloc(s->nvariables + 1, sizeof *out->value),
		                            .beaten_by = XP_NO_VALUE };
	memcpy(out->value, k->value, s->nvariables * sizeof *out->value);
	return 0;
}

/* Keeps `most` of them, drawn by the seed, in their order. */
static void sample(struct xp_search_space *s)
{
	size_t left = (size_t)s->number.most, kept = 0, all = s->ncandidates;
	uint64_t x = s->seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	for (size_t i = 0; i < all && all > (size_t)s->number.most; i++) {
		x ^= x >> 12;
		x ^= x << 25;
		x ^= x >> 27;
		double u = (double)((x * UINT64_C(0x2545f4914f6cdd1d)) >> 11) * 0x1p-53;
		if (u * (double)(all - i) < (double)left) {
			s->candidate[kept++] = s->candidate[i];
			left--;
		} else {
			free(s->candidate[i].value);
		}
		s->ncandidates = kept;
	}
}

static void name_it(const struct xp_search_space *s, struct xp_space_candidate *k, size_t index)
{
	struct base_buffer name = { 0 };
	base_buffer_printf(&name, "c%03zu", index + 1);
	for (size_t v = 0; v < s->nvariables && name.n < 60; v++) {
		const char *label = xp_space_candidate_label(s, k, v);
		if (!label || s->variable[v].n < 2)
			continue;
		base_buffer_printf(&name, "_");
		for (; *label && name.n < 70; label++) {
			bool plain = strchr("-+.", *label) || (*label >= '0' && *label <= '9') ||
			             (*label >= 'a' && *label <= 'z') || (*label >= 'A' && *label <= 'Z');
			if (plain)
				base_buffer_write(&name, label, 1);
		}
	}
	k->name = name.data;
}

/* Does an assignment to `later` take back one to `path`? */
static bool takes_back(const char *later, const char *path)
{
	size_t n = strlen(later);
	return !strncmp(path, later, n) && (!path[n] || path[n] == '.');
}

/* No candidate may have two variables of which the later one hides the other. */
static int check_hidden(const struct xp_search_space *s, struct base_errors *errors)
{
	int status = 0;
	for (size_t j = 1; j < s->nvariables; j++)
		for (size_t i = 0; i < j; i++) {
			bool both = false;
			for (size_t k = 0; k < s->ncandidates && !both; k++)
				both = takes_back(s->variable[j].path, s->variable[i].path) &&
				       xp_space_candidate_label(s, &s->candidate[k], i) &&
				       xp_space_candidate_label(s, &s->candidate[k], j);
			if (both)
				status = xp_error_at(
				    errors, *s->variable[j].at,
				    "variables.[%zu]: \"%s\" is also set by variables.[%zu], \"%s\"; restrict one of "
				    "them by \"when\", or list the variable that sets the whole group first",
				    i, s->variable[i].path, j, s->variable[j].path);
		}
	return status;
}

int xp_space_list(struct xp_search_space *s, struct base_errors *errors)
{
	size_t *value = base_calloc(s->nvariables + 1, sizeof *value), cap = 0;
	struct xp_space_candidate first = { .value = value };
	int status = extend(s, &first, 0, &cap);
	free(value);
	if (status)
		return xp_error_at(errors, s->c.study.ground.path, "variables: the space has more than %u candidates",
		                   MOST_SPACE);
	if (check_hidden(s, errors))
		return -1;
	s->space = (double)s->ncandidates;
	size_t bytes = 0;
	char *text = xp_space_base(s, &bytes, errors);
	status = text ? 0 : -1;
	if (text)
		xp_space_seed(s, text, bytes);
	free(text);
	if (status)
		return -1;
	sample(s);
	for (size_t i = 0; i < s->ncandidates; i++)
		name_it(s, &s->candidate[i], i);
	return 0;
}

void xp_space_free(struct xp_search_space *s)
{
	for (size_t i = 0; i < s->ncandidates; i++) {
		struct xp_space_candidate *k = &s->candidate[i];
		xp_free_texts(k->more, k->nmore);
		free(k->name);
		free(k->value);
		free(k->topology);
		free(k->routing);
		free(k->rejected);
	}
	for (size_t i = 0; s->hops && i < s->c.nnets; i++)
		free(s->hops[i]);
	free(s->hops);
	free(s->candidate);
	for (size_t i = 0; i < s->nvariables; i++) {
		struct xp_variable *v = &s->variable[i];
		for (size_t w = 0; w < v->nwhen; w++)
			xp_free_texts(v->when[w].label, v->when[w].n);
		free(v->when);
		xp_free_texts(v->value, v->n);
		xp_free_texts(v->at, v->n);
		free(v->path);
	}
	free(s->variable);
	free(s->weight);
	free(s->fresh);
	xp_compare_free(&s->c);
}
