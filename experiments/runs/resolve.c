/* experiments/runs/resolve.c - what a run is called, and its resolved configuration; see runs.h. */
#include "experiments/config/message.h"
#include "experiments/runs/runs.h"

#include "base/format.h"
#include "base/memory.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".jsonl.gz"
/* A run's name is that of its file, which has another one while it is written. */
_Static_assert(XP_MOST_RUN_NAME == NAME_MAX - sizeof ".0123456789abcdef.tmp" - (sizeof SUFFIX - 1), "of a file");

/* --- names --- */

char *xp_run_name(const char *const *label, size_t n)
{
	size_t room = 1;
	for (size_t i = 0; i < n; i++)
		room += strlen(label[i]) + 1;
	char *name = base_alloc(room), *out = name;
	for (size_t i = 0; i < n; i++) {
		if (i)
			*out++ = '_';
		for (const char *p = label[i]; *p; p++) {
			bool plain = (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
			             strchr("-+.", *p);
			*out++ = plain ? *p : '-';
		}
	}
	if (*name == '.')
		*name = '-';
	return name;
}

char *xp_run_file(const struct xp_runs *runs, const char *name)
{
	return base_format("%s/points/%s" SUFFIX, runs->folder, name);
}

/* Sorts by name; of the same name the first of the list comes first. */
static int by_name(const void *a, const void *b)
{
	const struct xp_run *x = *(const struct xp_run *const *)a, *y = *(const struct xp_run *const *)b;
	int order = strcmp(x->name, y->name);
	return order ? order : (x > y) - (x < y);
}

bool xp_runs_same_name(const struct xp_runs *runs, size_t two[2])
{
	const struct xp_run **sorted = base_calloc(runs->n + 1, sizeof(struct xp_run *));
	size_t i = 1;
	for (size_t k = 0; k < runs->n; k++)
		sorted[k] = &runs->run[k];
	qsort(sorted, runs->n, sizeof *sorted, by_name);
	while (i < runs->n && strcmp(sorted[i - 1]->name, sorted[i]->name) != 0)
		i++;
	bool found = i < runs->n;
	for (size_t k = 0; k < 2 && found; k++)
		two[k] = (size_t)(sorted[i - 1 + k] - runs->run);
	free(sorted);
	return found;
}

void xp_run_settings_free(struct xp_sets *sets)
{
	free((void *)(uintptr_t)sets->v);
	free((void *)(uintptr_t)sets->at);
}

/* --- configurations --- */

/* Where a key of a run's configuration is written: a base file, the study, the command line. */
static void locate_key(const struct xp_ground *g, const struct xp_config *config, const char *key, char *out,
                       size_t room)
{
	if (g->group && config->tree && key[0] != '@' && !xp_tree_is_assigned(config->tree, key))
		xp_tree_locate(g->group, g->path, key, out, room);
	else
		xp_config_place(config, key, out, room);
}

/* Adds what `found` holds and `errors` does not hold yet. */
static void add_new(const struct xp_ground *g, const struct xp_config *config, const struct base_errors *found,
                    struct base_errors *errors)
{
	for (size_t i = 0; i < found->n && i <= XP_MOST_ERRORS; i++) {
		char place[1024], text[4096];
		if (found->v[i].warning)
			continue; /* the run itself says it, in its manifest */
		locate_key(g, config, i < XP_MOST_ERRORS ? found->v[i].key : "", place, sizeof place);
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

/* A configuration that is written inside the study is not in the results folder yet. */
static int load_config(struct xp_runs *runs, struct xp_config *config, const struct xp_sets *sets,
                       struct base_errors *errors)
{
	const char *text = runs->ground->config;
	return text ? xp_config_parse(config, text, strlen(text), runs->config, runs->folder, sets, XP_WHOLE,
	                              &runs->registry, errors)
	            : xp_config_load(config, runs->config, sets, XP_WHOLE, &runs->registry, errors);
}

/* What a check of the traffic depends on, as text, the caller's: all but the loads and the seed. */
static char *text_of_traffic(const char *resolved)
{
	json_t *root = json_loads(resolved, 0, NULL), *jobs = json_object_get(root, "traffic"), *job;
	size_t i;
	json_array_foreach (jobs, i, job)
		json_object_del(job, "load");
	json_t *parts = json_pack("[O?O?O?]", json_object_get(root, "topology"), json_object_get(root, "nic"), jobs);
	char *text = parts ? json_dumps(parts, 0) : NULL;
	json_decref(parts);
	json_decref(root);
	return text;
}

/* Has the topology of a run the endpoints that its jobs name? Runs that follow each other often have both in common. */
static void check_traffic(struct xp_runs *runs, const struct xp_run *run, const struct xp_config *config,
                          struct base_errors *errors)
{
	char *text = text_of_traffic(run->resolved);
	if (!text || !runs->checked || strcmp(text, runs->checked) != 0)
		xp_config_check_traffic(config, errors);
	free(runs->checked);
	runs->checked = text;
}

void xp_run_resolve(struct xp_runs *runs, struct xp_run *run, struct base_errors *errors)
{
	struct xp_config config = { 0 };
	struct base_errors found = { 0 };
	struct xp_sets sets = runs->ops->settings(runs, run);
	if (!load_config(runs, &config, &sets, &found)) {
		xp_inputs_list(&run->inputs, &config, &runs->registry);
		struct base_buffer buffer = { 0 };
		struct base_json json = base_json_memory(&buffer);
		xp_config_json(&config.net, &json, NULL);
		run->resolved = buffer.data;
		run->seed = config.net.seed;
		if (runs->ops->check)
			runs->ops->check(runs, &config.net, &found);
		check_traffic(runs, run, &config, &found);
	} else if (!errors->errors) { /* of the first run that has any, not of a million */
		xp_config_look_further(&config, &found);
	}
	add_new(runs->ground, &config, &found, errors);
	xp_run_settings_free(&sets);
	base_errors_free(&found);
	xp_config_free(&config);
}

/* --- the list --- */

void xp_runs_clear(struct xp_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		struct xp_run *run = &runs->run[i];
		free(run->name);
		free(run->file);
		free(run->message);
		free(run->resolved);
		xp_inputs_free(&run->inputs);
		json_decref(run->row);
	}
	free(runs->run);
	free(runs->checked);
	runs->run = NULL;
	runs->checked = NULL;
	runs->n = 0;
}

void xp_runs_free(struct xp_runs *runs)
{
	xp_runs_clear(runs);
	free(runs->folder);
	free(runs->config);
	base_registry_free(&runs->registry);
	*runs = (struct xp_runs){ 0 };
}
