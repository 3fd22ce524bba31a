/* experiments/sweep/points.c - the grid's points; see sweep.h. */
#include "experiments/config/message.h"
#include "experiments/results/parts.h"
#include "experiments/runs/fields.h"
#include "experiments/sweep/impact.h"
#include "experiments/sweep/plan.h"
#include "experiments/sweep/table.h"

#include "base/format.h"
#include "base/memory.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
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

/* "FILE:LINE" of an axis value that the second point has and the first one does not have; only the file if no value has
 * a location. */
static const char *place_of_difference(const struct xp_experiment *e, const struct xp_point *a,
                                       const struct xp_point *b)
{
	for (size_t i = 0; i < e->naxes; i++)
		if (a->at[i] != b->at[i] && b->at[i]->nset)
			return b->at[i]->at[0];
	return e->ground.path;
}

static int check_unique(const struct xp_sweep *sweep, struct base_errors *errors)
{
	size_t two[2], repeat = sweep->experiment.repeat;
	if (!xp_runs_same_name(&sweep->runs, two))
		return 0;
	return xp_error_at(
	    errors,
	    place_of_difference(&sweep->experiment, &sweep->point[two[0] / repeat], &sweep->point[two[1] / repeat]),
	    "two points would have the name \"%s\": change a label", sweep->runs.run[two[0]].name);
}

static int check_lengths(const struct xp_sweep *sweep, struct base_errors *errors)
{
	for (size_t i = 0; i < sweep->n; i++) {
		const struct xp_point *point = &sweep->point[i];
		size_t length = strlen(point->run[point->nruns - 1].name), longest = 0;
		for (size_t a = 1; a < sweep->experiment.naxes; a++)
			if (strlen(point->at[a]->label) > strlen(point->at[longest]->label))
				longest = a;
		const struct xp_value *v = point->at[longest];
		if (length > XP_MOST_RUN_NAME)
			return xp_error_at(errors, v->nset ? v->at[0] : sweep->experiment.ground.path,
			                   "the label \"%.40s%s\" has %zu characters; the name of its point, which "
			                   "joins all labels, has %zu, but at most %d are possible",
			                   v->label, strlen(v->label) > 40 ? "..." : "", strlen(v->label), length,
			                   XP_MOST_RUN_NAME);
	}
	return 0;
}

/* Appends assignments of the experiment, or of the command line (at NULL). */
static size_t append_settings(const char **v, const char **places, size_t n, const char *const *set, char *const *at,
                              size_t more)
{
	for (size_t i = 0; i < more; i++, n++) {
		v[n] = set[i];
		places[n] = at ? at[i] : NULL;
	}
	return n;
}

/* All of a run, in the order in which they apply. */
static struct xp_sets point_settings(const struct xp_runs *runs, const struct xp_run *run)
{
	const struct xp_sweep *sweep = runs->study;
	const struct xp_experiment *e = &sweep->experiment;
	const struct xp_ground *g = &e->ground;
	const struct xp_point *point = &sweep->point[(size_t)(run - runs->run) / e->repeat];
	const char *seed = sweep->seed[run - runs->run];
	size_t room = g->nset + e->nbrief_set + runs->nset + 1;
	for (size_t a = 0; a < e->naxes; a++)
		room += point->at[a]->nset;
	const char **v = base_calloc(room + 1, sizeof *v), **at = base_calloc(room + 1, sizeof *at);
	size_t n = append_settings(v, at, 0, (const char *const *)g->set, g->set_at, g->nset);
	if (sweep->brief)
		n = append_settings(v, at, n, (const char *const *)e->brief_set, e->brief_set_at, e->nbrief_set);
	for (size_t a = 0; a < e->naxes; a++) {
		const struct xp_value *value = point->at[a];
		n = append_settings(v, at, n, (const char *const *)value->set, value->at, value->nset);
	}
	n = append_settings(v, at, n, runs->set, NULL, runs->nset);
	if (seed)
		v[n++] = seed;
	return (struct xp_sets){ .v = v, .n = n, .at = at };
}

enum xp_run_state xp_point_state(const struct xp_point *point)
{
	/* the state of a point whose runs have different states: the first one here applies */
	static const enum xp_run_state order[] = { XP_RUNNING, XP_FAILED, XP_STOPPED, XP_WAITING,
		                                   XP_RAN,     XP_KEPT,   XP_UNASKED };
	for (size_t k = 0; k < sizeof order / sizeof *order; k++)
		for (size_t i = 0; i < point->nruns; i++)
			if (point->run[i].state == order[k])
				return order[k];
	return XP_UNASKED;
}

/* Has every point the job that `impact` is about? */
static void check_impact(const struct xp_sweep *sweep, const struct net_config *config, struct base_errors *errors)
{
	const char *job = sweep->experiment.impact_job;
	uint32_t k = 0;
	while (job && k < config->njobs && (!config->jobs[k].name || strcmp(config->jobs[k].name, job) != 0))
		k++;
	if (job && k == config->njobs)
		base_errorf(errors, "traffic", "impact.job: there is no job \"%s\"", job);
	else if (xp_impact_is_own(&sweep->experiment) && !config->jobs[k].isolate)
		base_errorf(
		    errors, "traffic",
		    "job \"%s\" has neither traffic[].isolate nor an impact.axis with a point at which it runs alone",
		    job);
}

/* Points of a sweep that goes by saturation must find out whether they are stationary. */
static void check_judged(const struct xp_sweep *sweep, const struct net_time *time, struct base_errors *errors)
{
	const struct xp_experiment *e = &sweep->experiment;
	if (e->choice != XP_ALL && time->applications)
		base_errorf(errors, "traffic",
		            "\"%s\" in %s requires runs that decide whether they are stationary, but these runs end "
		            "with a process",
		            e->choice == XP_FIND ? "find" : "stop", e->ground.path);
	if (e->choice != XP_ALL && time->precision == 0 && time->drain != NET_DRAIN_AUTO)
		base_errorf(errors, "time.drain",
		            "\"%s\" in %s requires runs that decide whether they are stationary: set time.drain = "
		            "\"auto\" or time.precision",
		            e->choice == XP_FIND ? "find" : "stop", e->ground.path);
}

static void check_point(const struct xp_runs *runs, const struct net_config *config, struct base_errors *errors)
{
	check_impact(runs->study, config, errors);
	check_judged(runs->study, &config->time, errors);
}

static void plan_points(struct xp_runs *runs)
{
	xp_plan(runs->study);
}

static const struct xp_runs_ops all_points = { .settings = point_settings, .check = check_point }, to_saturation = {
	.settings = point_settings, .check = check_point, .plan = plan_points
};

/* Are there as many seeds after the configuration's as `repeat` takes? */
static int check_seeds(const struct xp_sweep *sweep, const struct xp_run *first, struct base_errors *errors)
{
	size_t repeat = sweep->experiment.repeat;
	if (!first->resolved || first->seed <= (uint64_t)INT64_MAX - (repeat - 1))
		return 0;
	return xp_error_at(errors, sweep->experiment.ground.path,
	                   "repeat = %zu uses the seeds that follow seed = %" PRIu64
	                   ", but the largest possible seed is %" PRIi64,
	                   repeat, first->seed, INT64_MAX);
}

/* The first run has the configuration's seed and the point's name, the others the seeds that follow. */
static int add_runs(struct xp_sweep *sweep, struct xp_point *point, struct base_errors *errors)
{
	struct xp_runs *runs = &sweep->runs;
	struct xp_run *first = point->run = &runs->run[runs->n];
	while (point->nruns < sweep->experiment.repeat) {
		struct xp_run *run = &first[point->nruns];
		uint64_t seed = first->seed + point->nruns;
		point->nruns++; /* what is counted is freed, whatever fails below */
		runs->n++;
		run->job = sweep->experiment.impact_job;
		if (run == first) {
			run->name = base_strdup(point->name);
		} else {
			run->name = base_format("%s.seed%" PRIu64, point->name, seed);
			sweep->seed[runs->n - 1] = base_format("seed=%" PRIu64, seed);
		}
		run->file = xp_run_file(runs, run->name);
		if (run == first || first->resolved) /* what is wrong with the first is wrong with all */
			xp_run_resolve(runs, run, errors);
		if (run == first && check_seeds(sweep, first, errors))
			return -1;
	}
	return 0;
}

/* Assignments of --set apply to every point. So they must not set the key of an axis, whose labels would be wrong, nor
 * the x axis of a series that searches for saturation. */
static int check_axis(const struct xp_sweep *sweep, const struct xp_axis *axis, struct base_errors *errors)
{
	const struct xp_experiment *e = &sweep->experiment;
	bool series = e->choice != XP_ALL && axis == &e->axis[e->x];
	int status = 0;
	for (size_t i = 0; (series || axis->by_path) && i < sweep->runs.nset; i++)
		for (size_t k = 0; k < axis->v->nset; k++) {
			const char *set = axis->v->set[k];
			int length = (int)strcspn(set, "=");
			if (!xp_paths_overlap(set, sweep->runs.set[i]))
				continue;
			status = series
			             ? base_errorf(errors, NULL,
			                           "--set %s: the axis \"%s\" varies %.*s to find the saturation load",
			                           sweep->runs.set[i], axis->name, length, set)
			             : base_errorf(errors, NULL,
			                           "--set %s: the axis \"%s\" sets %.*s, so its labels would be wrong",
			                           sweep->runs.set[i], axis->name, length, set);
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
		    xp_paths_overlap(set[i], "output.file") ? "output.file is set by the sweep"
		    : xp_paths_overlap(set[i], "output.csv")
			? "output.csv has no effect in a sweep, which writes summary.csv and summary.jsonl"
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
	check_output(e->ground.set, e->ground.set_at, e->ground.nset, errors);
	if (sweep->brief)
		check_output(e->brief_set, e->brief_set_at, e->nbrief_set, errors);
	for (size_t a = 0; a < e->naxes && errors->errors == before; a++) {
		size_t n;
		const struct xp_value *v = values(sweep, a, &n);
		for (size_t i = 0; i < n && errors->errors == before; i++)
			check_output(v[i].set, v[i].at, v[i].nset, errors);
	}
	check_output((char *const *)(uintptr_t)sweep->runs.set, NULL, sweep->runs.nset, errors);
	return errors->errors == before ? 0 : -1;
}

/* The order of runs: first those with the largest x, which is usually the load, then those with the smallest, then the
 * others with decreasing x. The extremes take longest (the smallest load may be the only one below saturation, and near
 * it), so they should not be last. */
static void rank_runs(struct xp_sweep *sweep)
{
	double least = INFINITY, most = -INFINITY;
	for (size_t i = 0; i < sweep->n; i++) {
		double x = sweep->point[i].at[sweep->experiment.x]->x; /* NAN: its label is no number */
		least = fmin(least, x);
		most = fmax(most, x);
	}
	for (size_t i = 0; i < sweep->n; i++) {
		const struct xp_point *point = &sweep->point[i];
		double x = point->at[sweep->experiment.x]->x;
		for (size_t k = 0; k < point->nruns; k++)
			point->run[k].rank = isnan(x) ? 0 : x == most ? -INFINITY : x == least ? -DBL_MAX : -x;
	}
}

int xp_sweep_expand(struct xp_sweep *sweep, struct base_errors *errors)
{
	const struct xp_experiment *e = &sweep->experiment;
	struct xp_runs *runs = &sweep->runs;
	size_t length[XP_MAX_AXES] = { 0 }, total = 1;
	runs->ops = e->choice == XP_ALL ? &all_points : &to_saturation;
	runs->study = sweep;
	runs->ground = &e->ground;
	runs->counted = e->repeat > 1 ? "runs" : "points";
	if (check_sets(sweep, errors) || check_outputs(sweep, errors))
		return -1;
	const struct xp_value *v[XP_MAX_AXES];
	for (size_t a = 0; a < e->naxes; a++) {
		v[a] = values(sweep, a, &length[a]);
		if (total > MOST_RUNS / length[a])
			return xp_error_at(errors, e->ground.path, "the grid has more than %d points", MOST_RUNS);
		total *= length[a];
	}
	if (total > MOST_RUNS / e->repeat)
		return xp_error_at(errors, e->ground.path, "the sweep has more than %d runs", MOST_RUNS);
	sweep->point = base_calloc(total, sizeof *sweep->point);
	sweep->seed = base_calloc(total * e->repeat, sizeof *sweep->seed);
	runs->run = base_calloc(total * e->repeat, sizeof *runs->run);
	sweep->n = total;
	for (size_t i = 0; i < total; i++) {
		struct xp_point *point = &sweep->point[i];
		const char *label[XP_MAX_AXES];
		size_t rest = i;
		for (size_t a = e->naxes; a-- > 0; rest /= length[a]) {
			point->at[a] = &v[a][rest % length[a]];
			label[a] = point->at[a]->label;
		}
		point->name = xp_run_name(label, e->naxes);
		if (add_runs(sweep, point, errors))
			return -1;
	}
	rank_runs(sweep);
	return check_lengths(sweep, errors) || check_unique(sweep, errors) || errors->errors ? -1 : 0;
}

int xp_sweep_run(struct xp_sweep *sweep, struct base_errors *errors)
{
	int status = xp_runs_run(&sweep->runs, errors);
	for (size_t i = 0; i < sweep->n && status >= 0; i++)
		xp_point_row(&sweep->experiment, &sweep->point[i]);
	json_t *rows = json_array();
	for (size_t i = 0; i < sweep->n && status >= 0; i++)
		if (sweep->point[i].row)
			json_array_append(rows, sweep->point[i].row);
	xp_parts_keep_several(rows);
	json_decref(rows);
	if (status >= 0)
		xp_impact_rows(sweep);
	return status;
}

void xp_sweep_free(struct xp_sweep *sweep)
{
	xp_free_texts(sweep->seed, sweep->runs.n);
	for (size_t i = 0; i < sweep->n; i++) {
		free(sweep->point[i].name);
		json_decref(sweep->point[i].row);
	}
	free(sweep->point);
	xp_runs_free(&sweep->runs);
	xp_experiment_free(&sweep->experiment);
	*sweep = (struct xp_sweep){ 0 };
}
