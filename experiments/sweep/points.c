/* experiments/sweep/points.c - the grid's points; see sweep.h. */
#include "experiments/config/config.h"
#include "experiments/config/message.h"
#include "experiments/sweep/sweep.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct xp_value *values(const struct xp_sweep *sweep, size_t axis, size_t *n)
{
	const struct xp_axis *a = &sweep->experiment.axis[axis];
	bool brief = sweep->brief && a->brief;
	*n = brief ? a->nbrief : a->n;
	return brief ? a->brief : a->v;
}

/* Labels joined by "_", with nothing in them that a file name should not have. */
static char *point_name(const struct xp_point *point, size_t naxes)
{
	size_t room = 1;
	for (size_t a = 0; a < naxes; a++)
		room += strlen(point->at[a]->label) + 1;
	char *name = base_alloc(room), *out = name;
	for (size_t a = 0; a < naxes; a++) {
		if (a)
			*out++ = '_';
		for (const char *p = point->at[a]->label; *p; p++) {
			bool plain = (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
			             strchr("-+.", *p);
			*out++ = plain ? *p : '-';
		}
	}
	if (*name == '.')
		*name = '-';
	return name;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int check_unique(const struct xp_sweep *sweep, struct base_errors *errors)
{
	const char **names = base_calloc(sweep->n, sizeof *names);
	int status = 0;
	for (size_t i = 0; i < sweep->n; i++)
		names[i] = sweep->point[i].name;
	qsort(names, sweep->n, sizeof *names, by_name);
	for (size_t i = 1; i < sweep->n && !status; i++)
		if (!strcmp(names[i - 1], names[i]))
			status = base_errorf(errors, NULL, "%s: two points would both be called \"%s\"; change a label",
			                     sweep->experiment.path, names[i]);
	free(names);
	return status;
}

const char **xp_point_settings(const struct xp_sweep *sweep, const struct xp_point *point, size_t *n)
{
	const struct xp_experiment *e = &sweep->experiment;
	size_t room = e->nset + e->nbrief_set + sweep->nset;
	for (size_t a = 0; a < e->naxes; a++)
		room += point->at[a]->nset;
	const char **out = base_calloc(room + 1, sizeof *out);
	*n = 0;
	for (size_t i = 0; i < e->nset; i++)
		out[(*n)++] = e->set[i];
	for (size_t i = 0; sweep->brief && i < e->nbrief_set; i++)
		out[(*n)++] = e->brief_set[i];
	for (size_t a = 0; a < e->naxes; a++)
		for (size_t i = 0; i < point->at[a]->nset; i++)
			out[(*n)++] = point->at[a]->set[i];
	for (size_t i = 0; i < sweep->nset; i++)
		out[(*n)++] = sweep->set[i];
	return out;
}

/* Adds what `found` holds and `errors` does not hold yet. */
static void add_new(const struct xp_config *config, const struct base_errors *found, struct base_errors *errors)
{
	for (size_t i = 0; i < found->n && i <= XP_MOST_ERRORS; i++) {
		char place[1024], text[4096];
		if (found->v[i].warning)
			continue; /* the run itself says it, in its manifest */
		xp_config_place(config, i < XP_MOST_ERRORS ? found->v[i].key : "", place, sizeof place);
		if (i < XP_MOST_ERRORS)
			snprintf(text, sizeof text, "%s", found->v[i].text);
		else
			snprintf(text, sizeof text, "and %zu more problems", found->n - i);
		size_t k = 0;
		while (k < errors->n && (strcmp(errors->v[k].text, text) != 0 || errors->v[k].key[0] != '@' ||
		                         strcmp(errors->v[k].key + 1, place) != 0))
			k++;
		if (k == errors->n)
			xp_error_at(errors, place, "%s", text);
	}
}

/* A configuration that is written inside the experiment is not in the results folder yet. */
static int load(struct xp_sweep *sweep, struct xp_config *config, const char *const *sets, size_t n,
                struct base_errors *errors)
{
	const char *text = sweep->experiment.config;
	return text ? xp_config_parse(config, text, strlen(text), sweep->config, sweep->folder, sets, n, XP_WHOLE,
	                              &sweep->registry, errors)
	            : xp_config_load(config, sweep->config, sets, n, XP_WHOLE, &sweep->registry, errors);
}

/* Reads the point's configuration as its run will, and keeps the resolved form. */
static void resolve(struct xp_sweep *sweep, struct xp_point *point, struct base_errors *errors)
{
	struct xp_config config = { 0 };
	struct base_errors found = { 0 };
	size_t n;
	const char **sets = xp_point_settings(sweep, point, &n);
	if (!load(sweep, &config, sets, n, &found)) {
		xp_inputs_list(&point->inputs, &config, &sweep->registry);
		struct base_buffer buffer = { 0 };
		struct base_json json = base_json_memory(&buffer);
		xp_config_json(&config.net, &json, NULL);
		point->resolved = buffer.data;
	}
	add_new(&config, &found, errors);
	free(sets);
	base_errors_free(&found);
	xp_config_free(&config);
}

int xp_sweep_expand(struct xp_sweep *sweep, struct base_errors *errors)
{
	const struct xp_experiment *e = &sweep->experiment;
	size_t length[XP_MAX_AXES] = { 0 }, total = 1;
	const struct xp_value *v[XP_MAX_AXES];
	for (size_t a = 0; a < e->naxes; a++) {
		v[a] = values(sweep, a, &length[a]);
		if (total > 1000000 / length[a])
			return xp_error_at(errors, e->path, "the grid has more than a million points");
		total *= length[a];
	}
	sweep->point = base_calloc(total, sizeof *sweep->point);
	sweep->n = total;
	for (size_t i = 0; i < total; i++) {
		struct xp_point *point = &sweep->point[i];
		size_t rest = i;
		for (size_t a = e->naxes; a-- > 0; rest /= length[a])
			point->at[a] = &v[a][rest % length[a]];
		point->name = point_name(point, e->naxes);
		if (asprintf(&point->file, "%s/points/%s.jsonl.gz", sweep->folder, point->name) < 0)
			return base_errorf(errors, NULL, "out of memory");
		resolve(sweep, point, errors);
	}
	return check_unique(sweep, errors) || errors->errors ? -1 : 0;
}

void xp_sweep_free(struct xp_sweep *sweep)
{
	for (size_t i = 0; i < sweep->n; i++) {
		free(sweep->point[i].name);
		free(sweep->point[i].file);
		free(sweep->point[i].message);
		free(sweep->point[i].resolved);
		xp_inputs_free(&sweep->point[i].inputs);
		json_decref(sweep->point[i].row);
	}
	free(sweep->point);
	free(sweep->folder);
	free(sweep->config);
	base_registry_free(&sweep->registry);
	xp_experiment_free(&sweep->experiment);
	*sweep = (struct xp_sweep){ 0 };
}
