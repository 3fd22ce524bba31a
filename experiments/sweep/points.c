/* experiments/sweep/points.c - the grid's points; see sweep.h. */
#include "experiments/config/config.h"
#include "experiments/config/message.h"
#include "experiments/sweep/impact.h"
#include "experiments/sweep/sweep.h"

#include "base/format.h"
#include "base/memory.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RUNS 1000000

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

struct named {
	const char *name;
	const struct xp_point *point;
};

/* Points lie in the order of the grid: the later one comes second. */
static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : (x->point > y->point) - (x->point < y->point);
}

/* "FILE:LINE" of a value that the second point has and the first has not; the file if none says where it is. */
static const char *place_of_difference(const struct xp_experiment *e, const struct xp_point *a,
                                       const struct xp_point *b)
{
	for (size_t i = 0; i < e->naxes; i++)
		if (a->at[i] != b->at[i] && b->at[i]->nset)
			return b->at[i]->at[0];
	return e->path;
}

static int check_unique(const struct xp_sweep *sweep, struct base_errors *errors)
{
	struct named *names = base_calloc(sweep->ntrials, sizeof *names);
	size_t n = 0;
	int status = 0;
	for (size_t i = 0; i < sweep->n; i++)
		for (size_t k = 0; k < sweep->point[i].ntrials; k++)
			names[n++] = (struct named){ sweep->point[i].trial[k].name, &sweep->point[i] };
	qsort(names, n, sizeof *names, by_name);
	for (size_t i = 1; i < n && !status; i++)
		if (!strcmp(names[i - 1].name, names[i].name))
			status = xp_error_at(
			    errors, place_of_difference(&sweep->experiment, names[i - 1].point, names[i].point),
			    "two points would both be called \"%s\"; change a label", names[i].name);
	free(names);
	return status;
}

#define MOST_NAME (NAME_MAX - sizeof ".0123456789abcdef.tmp") /* of a file, while it is written */

/* A trial's name is that of its file. */
static int check_lengths(const struct xp_sweep *sweep, struct base_errors *errors)
{
	const size_t most = MOST_NAME - strlen(".jsonl.gz");
	for (size_t i = 0; i < sweep->n; i++) {
		const struct xp_point *point = &sweep->point[i];
		size_t length = strlen(point->trial[point->ntrials - 1].name), longest = 0;
		for (size_t a = 1; a < sweep->experiment.naxes; a++)
			if (strlen(point->at[a]->label) > strlen(point->at[longest]->label))
				longest = a;
		const struct xp_value *v = point->at[longest];
		if (length > most)
			return xp_error_at(
			    errors, v->nset ? v->at[0] : sweep->experiment.path,
			    "the label \"%.40s%s\" has %zu characters: the name of its point, all labels "
			    "joined, has %zu, and %zu are possible",
			    v->label, strlen(v->label) > 40 ? "..." : "", strlen(v->label), length, most);
	}
	return 0;
}

/* Appends assignments of the experiment, or of the command line (at NULL). */
static size_t append(const char **v, const char **places, size_t n, const char *const *set, char *const *at,
                     size_t more)
{
	for (size_t i = 0; i < more; i++, n++) {
		v[n] = set[i];
		places[n] = at ? at[i] : NULL;
	}
	return n;
}

struct xp_sets xp_trial_settings(const struct xp_sweep *sweep, const struct xp_trial *trial)
{
	const struct xp_experiment *e = &sweep->experiment;
	const struct xp_point *point = &sweep->point[(size_t)(trial - sweep->trial) / e->repeat];
	size_t room = e->nset + e->nbrief_set + sweep->nset + 1;
	for (size_t a = 0; a < e->naxes; a++)
		room += point->at[a]->nset;
	const char **v = base_calloc(room + 1, sizeof *v), **at = base_calloc(room + 1, sizeof *at);
	size_t n = append(v, at, 0, (const char *const *)e->set, e->set_at, e->nset);
	if (sweep->brief)
		n = append(v, at, n, (const char *const *)e->brief_set, e->brief_set_at, e->nbrief_set);
	for (size_t a = 0; a < e->naxes; a++) {
		const struct xp_value *value = point->at[a];
		n = append(v, at, n, (const char *const *)value->set, value->at, value->nset);
	}
	n = append(v, at, n, sweep->set, NULL, sweep->nset);
	if (trial->set)
		v[n++] = trial->set;
	return (struct xp_sets){ .v = v, .n = n, .at = at };
}

void xp_trial_settings_free(struct xp_sets *sets)
{
	free((void *)(uintptr_t)sets->v);
	free((void *)(uintptr_t)sets->at);
}

enum xp_state xp_point_state(const struct xp_point *point)
{
	/* what is said of a point of which some trials are in one state and some in another: the first here */
	static const enum xp_state order[] = { XP_RUNNING, XP_FAILED, XP_STOPPED, XP_WAITING,
		                               XP_RAN,     XP_KEPT,   XP_UNASKED };
	for (size_t k = 0; k < sizeof order / sizeof *order; k++)
		for (size_t i = 0; i < point->ntrials; i++)
			if (point->trial[i].state == order[k])
				return order[k];
	return XP_UNASKED;
}

/* Where a key of a point's configuration is written: a base file, the experiment, the command line. */
static void locate(const struct xp_experiment *e, const struct xp_config *config, const char *key, char *out,
                   size_t room)
{
	if (e->group && config->tree && key[0] != '@' && !xp_tree_is_assigned(config->tree, key))
		xp_tree_locate(e->group, e->path, key, out, room);
	else
		xp_config_place(config, key, out, room);
}

/* Adds what `found` holds and `errors` does not hold yet. */
static void add_new(const struct xp_experiment *e, const struct xp_config *config, const struct base_errors *found,
                    struct base_errors *errors)
{
	for (size_t i = 0; i < found->n && i <= XP_MOST_ERRORS; i++) {
		char place[1024], text[4096];
		if (found->v[i].warning)
			continue; /* the run itself says it, in its manifest */
		locate(e, config, i < XP_MOST_ERRORS ? found->v[i].key : "", place, sizeof place);
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
static int load(struct xp_sweep *sweep, struct xp_config *config, const struct xp_sets *sets,
                struct base_errors *errors)
{
	const char *text = sweep->experiment.config;
	return text ? xp_config_parse(config, text, strlen(text), sweep->config, sweep->folder, sets, XP_WHOLE,
	                              &sweep->registry, errors)
	            : xp_config_load(config, sweep->config, sets, XP_WHOLE, &sweep->registry, errors);
}

/* Has every point the job that `impact` is about? */
static void check_impact(const struct xp_sweep *sweep, const struct net_config *config, struct base_errors *errors)
{
	const char *job = sweep->experiment.impact_job;
	uint32_t k = 0;
	while (job && k < config->njobs && (!config->jobs[k].name || strcmp(config->jobs[k].name, job) != 0))
		k++;
	if (job && k == config->njobs)
		base_errorf(errors, "traffic", "no job is called \"%s\", as impact.job says", job);
	else if (xp_impact_is_own(&sweep->experiment) && !config->jobs[k].isolate)
		base_errorf(
		    errors, "traffic",
		    "job \"%s\" is not isolated (traffic[].isolate), and impact.axis does not say where it is alone",
		    job);
}

/* Points of a sweep that goes by saturation must find out whether they are stationary. */
static void check_judged(const struct xp_sweep *sweep, const struct net_time *time, struct base_errors *errors)
{
	const struct xp_experiment *e = &sweep->experiment;
	if (e->choice != XP_ALL && time->applications)
		base_errorf(
		    errors, "traffic",
		    "\"%s\" in %s goes by whether points are stationary, which runs do not tell that end with a "
		    "process",
		    e->choice == XP_FIND ? "find" : "stop", e->path);
	if (e->choice != XP_ALL && time->precision == 0 && time->drain != NET_DRAIN_AUTO)
		base_errorf(errors, "time.drain",
		            "\"%s\" in %s goes by whether points are stationary, which runs tell with \"auto\" or "
		            "time.precision",
		            e->choice == XP_FIND ? "find" : "stop", e->path);
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

/* Has the topology of a point the endpoints that its jobs name? Points that follow each other often have both in
 * common. */
static void check_traffic(struct xp_sweep *sweep, const struct xp_trial *trial, const struct xp_config *config,
                          struct base_errors *errors)
{
	char *text = text_of_traffic(trial->resolved);
	if (!text || !sweep->checked || strcmp(text, sweep->checked) != 0)
		xp_config_check_traffic(config, errors);
	free(sweep->checked);
	sweep->checked = text;
}

/* Reads the trial's configuration as its run will, and keeps the resolved form. */
static void resolve(struct xp_sweep *sweep, struct xp_trial *trial, struct base_errors *errors)
{
	struct xp_config config = { 0 };
	struct base_errors found = { 0 };
	struct xp_sets sets = xp_trial_settings(sweep, trial);
	if (!load(sweep, &config, &sets, &found)) {
		xp_inputs_list(&trial->inputs, &config, &sweep->registry);
		struct base_buffer buffer = { 0 };
		struct base_json json = base_json_memory(&buffer);
		xp_config_json(&config.net, &json, NULL);
		trial->resolved = buffer.data;
		trial->seed = config.net.seed;
		check_impact(sweep, &config.net, &found);
		check_judged(sweep, &config.net.time, &found);
		check_traffic(sweep, trial, &config, &found);
	} else if (!errors->errors) { /* of the first point that has any, not of a million */
		xp_config_look_further(&config, &found);
	}
	add_new(&sweep->experiment, &config, &found, errors);
	xp_trial_settings_free(&sets);
	base_errors_free(&found);
	xp_config_free(&config);
}

/* Are there as many seeds after the configuration's as `repeat` takes? */
static int check_seeds(const struct xp_sweep *sweep, const struct xp_trial *first, struct base_errors *errors)
{
	size_t repeat = sweep->experiment.repeat;
	if (!first->resolved || first->seed <= (uint64_t)INT64_MAX - (repeat - 1))
		return 0;
	return xp_error_at(errors, sweep->experiment.path,
	                   "repeat = %zu takes the seeds that follow seed = %" PRIu64 "; the largest is %" PRIi64,
	                   repeat, first->seed, INT64_MAX);
}

/* The first trial has the configuration's seed and the point's name, the others the seeds that follow. */
static int add_trials(struct xp_sweep *sweep, struct xp_point *point, struct base_errors *errors)
{
	struct xp_trial *first = point->trial = &sweep->trial[sweep->ntrials];
	while (point->ntrials < sweep->experiment.repeat) {
		struct xp_trial *trial = &first[point->ntrials];
		uint64_t seed = first->seed + point->ntrials;
		point->ntrials++; /* what is counted is freed, whatever fails below */
		sweep->ntrials++;
		trial->job = sweep->experiment.impact_job;
		if (trial == first) {
			trial->name = base_strdup(point->name);
		} else {
			trial->name = base_format("%s.seed%" PRIu64, point->name, seed);
			trial->set = base_format("seed=%" PRIu64, seed);
		}
		trial->file = base_format("%s/points/%s.jsonl.gz", sweep->folder, trial->name);
		if (trial == first || first->resolved) /* what is wrong with the first is wrong with all */
			resolve(sweep, trial, errors);
		if (trial == first && check_seeds(sweep, first, errors))
			return -1;
	}
	return 0;
}

/* What --set says holds at every point: the labels of an axis that is one key would be wrong, and there would be no
 * series of points along an x axis that goes to saturation. */
static int check_axis(const struct xp_sweep *sweep, const struct xp_axis *axis, struct base_errors *errors)
{
	const struct xp_experiment *e = &sweep->experiment;
	bool series = e->choice != XP_ALL && axis == &e->axis[e->x];
	int status = 0;
	for (size_t i = 0; (series || axis->by_path) && i < sweep->nset; i++)
		for (size_t k = 0; k < axis->v->nset; k++) {
			const char *set = axis->v->set[k];
			int length = (int)strcspn(set, "=");
			if (!xp_paths_overlap(set, sweep->set[i]))
				continue;
			status = series
			             ? base_errorf(errors, NULL, "--set %s: the axis \"%s\" goes by %.*s to saturation",
			                           sweep->set[i], axis->name, length, set)
			             : base_errorf(errors, NULL,
			                           "--set %s: the axis \"%s\" is %.*s, and its labels would be wrong",
			                           sweep->set[i], axis->name, length, set);
		}
	return status;
}

static int check_sets(const struct xp_sweep *sweep, struct base_errors *errors)
{
	int status = 0;
	for (size_t a = 0; a < sweep->experiment.naxes; a++)
		if (check_axis(sweep, &sweep->experiment.axis[a], errors))
			status = -1;
	return status;
}

/* Where results go is no setting of a sweep. `at`: of each, or NULL for the command line. */
static void check_output(char *const *set, char *const *at, size_t n, struct base_errors *errors)
{
	for (size_t i = 0; i < n; i++) {
		const char *why =
		    xp_paths_overlap(set[i], "output.file") ? "output.file is set by the sweep itself"
		    : xp_paths_overlap(set[i], "output.csv")
			? "output.csv has no effect in a sweep, whose tables are summary.csv and summary.jsonl"
			: NULL;
		if (why && at && at[i])
			xp_error_at(errors, at[i], "%s", why);
		else if (why)
			base_errorf(errors, NULL, "--set %s: %s", set[i], why);
	}
}

static int check_outputs(const struct xp_sweep *sweep, struct base_errors *errors)
{
	const struct xp_experiment *e = &sweep->experiment;
	size_t before = errors->errors;
	check_output(e->set, e->set_at, e->nset, errors);
	if (sweep->brief)
		check_output(e->brief_set, e->brief_set_at, e->nbrief_set, errors);
	for (size_t a = 0; a < e->naxes && errors->errors == before; a++) {
		size_t n;
		const struct xp_value *v = values(sweep, a, &n);
		for (size_t i = 0; i < n && errors->errors == before; i++)
			check_output(v[i].set, v[i].at, v[i].nset, errors);
	}
	check_output((char *const *)(uintptr_t)sweep->set, NULL, sweep->nset, errors);
	return errors->errors == before ? 0 : -1;
}

int xp_sweep_expand(struct xp_sweep *sweep, struct base_errors *errors)
{
	const struct xp_experiment *e = &sweep->experiment;
	size_t length[XP_MAX_AXES] = { 0 }, total = 1;
	if (check_sets(sweep, errors) || check_outputs(sweep, errors))
		return -1;
	const struct xp_value *v[XP_MAX_AXES];
	for (size_t a = 0; a < e->naxes; a++) {
		v[a] = values(sweep, a, &length[a]);
		if (total > MOST_RUNS / length[a])
			return xp_error_at(errors, e->path, "the grid has more than %d points", MOST_RUNS);
		total *= length[a];
	}
	if (total > MOST_RUNS / e->repeat)
		return xp_error_at(errors, e->path, "the sweep has more than %d runs", MOST_RUNS);
	sweep->point = base_calloc(total, sizeof *sweep->point);
	sweep->trial = base_calloc(total * e->repeat, sizeof *sweep->trial);
	sweep->n = total;
	for (size_t i = 0; i < total; i++) {
		struct xp_point *point = &sweep->point[i];
		size_t rest = i;
		for (size_t a = e->naxes; a-- > 0; rest /= length[a])
			point->at[a] = &v[a][rest % length[a]];
		point->name = point_name(point, e->naxes);
		if (add_trials(sweep, point, errors))
			return -1;
	}
	return check_lengths(sweep, errors) || check_unique(sweep, errors) || errors->errors ? -1 : 0;
}

void xp_sweep_free(struct xp_sweep *sweep)
{
	for (size_t i = 0; i < sweep->ntrials; i++) {
		struct xp_trial *trial = &sweep->trial[i];
		free(trial->name);
		free(trial->file);
		free(trial->set);
		free(trial->message);
		free(trial->resolved);
		xp_inputs_free(&trial->inputs);
		json_decref(trial->row);
	}
	for (size_t i = 0; i < sweep->n; i++) {
		free(sweep->point[i].name);
		json_decref(sweep->point[i].row);
	}
	free(sweep->point);
	free(sweep->trial);
	free(sweep->folder);
	free(sweep->config);
	free(sweep->checked);
	base_registry_free(&sweep->registry);
	xp_experiment_free(&sweep->experiment);
	*sweep = (struct xp_sweep){ 0 };
}
