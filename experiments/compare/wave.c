/* experiments/compare/wave.c - runs that do not wait for each other's results: the points of a sweep with one axis. */
#include "experiments/compare/compare.h"
#include "experiments/config/builtin.h"
#include "experiments/config/message.h"
#include "experiments/sweep/folder.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool is_of_links(const char *assignment)
{
	return strcspn(assignment, ".=[") == 5 && !strncmp(assignment, "links", 5);
}

/* Assignments of the command line, which come after those of a shot: without those of links that a shot has already,
 * and of the seed, which it may have another of. The array is the caller's. */
static const char **settings(const struct xp_compare *c, size_t *n)
{
	const char **v = base_calloc(c->nset + 1, sizeof *v);
	*n = 0;
	for (size_t i = 0; i < c->nset; i++)
		if (!xp_paths_overlap(c->set[i], "seed") && (!c->own_links || !is_of_links(c->set[i])))
			v[(*n)++] = c->set[i];
	return v;
}

/* Those of the study, and behind them the seeds of the command line: they come before a shot's. The arrays are the
 * caller's. */
static void first_settings(const struct xp_compare *c, struct xp_experiment *e)
{
	const struct xp_experiment *g = &c->study.ground;
	char **set = base_calloc(g->nset + c->nset + 1, sizeof *set),
	     **at = base_calloc(g->nset + c->nset + 1, sizeof *at);
	for (size_t i = 0; i < g->nset; i++) {
		set[i] = g->set[i];
		at[i] = g->set_at[i];
	}
	e->set = set;
	e->set_at = at;
	for (size_t i = 0; i < c->nset; i++)
		if (xp_paths_overlap(c->set[i], "seed"))
			e->set[e->nset++] = (char *)(uintptr_t)c->set[i];
}

/* A sweep whose texts are those of the comparison. It has the registry, the lock and the settings until it is closed.
 */
static void open_sweep(struct xp_compare *c, struct xp_shot **shot, size_t n, struct xp_sweep *sweep)
{
	const struct xp_experiment *g = &c->study.ground;
	struct xp_experiment *e = &sweep->experiment;
	*sweep = (struct xp_sweep){ .folder = c->folder,
		                    .config = c->config,
		                    .lock = c->lock,
		                    .plugin = c->plugin,
		                    .nplugin = c->nplugin,
		                    .registry = c->registry,
		                    .jobs = c->jobs,
		                    .rerun = c->rerun,
		                    .quiet = c->quiet,
		                    .progress = c->progress };
	sweep->set = settings(c, &sweep->nset);
	*e = *g;
	first_settings(c, e);
	e->repeat = 1;
	e->naxes = 1;
	e->panels = -1;
	e->axis[0] =
	    (struct xp_axis){ .name = base_strdup("run"), .v = base_calloc(n + 1, sizeof(struct xp_value)), .n = n };
	for (size_t i = 0; i < n; i++) {
		struct xp_value *v = &e->axis[0].v[i];
		v->label = shot[i]->name;
		v->set = shot[i]->set;
		v->at = base_calloc(XP_SHOT_SETS, sizeof *v->at);
		while (v->nset < XP_SHOT_SETS && shot[i]->set[v->nset]) {
			v->at[v->nset] = (char *)(uintptr_t)shot[i]->at[v->nset];
			v->nset++;
		}
		v->x = shot[i]->work;
	}
}

static void close_sweep(struct xp_compare *c, struct xp_sweep *sweep)
{
	struct xp_axis *axis = &sweep->experiment.axis[0];
	c->registry = sweep->registry;
	for (size_t i = 0; i < axis->n; i++)
		free(axis->v[i].at);
	free(axis->v);
	free(axis->name);
	free((void *)(uintptr_t)sweep->set);
	free(sweep->experiment.set);
	free(sweep->experiment.set_at);
	sweep->registry = (struct base_registry){ 0 };
	sweep->experiment = (struct xp_experiment){ 0 };
	sweep->folder = sweep->config = NULL;
	xp_sweep_free(sweep);
}

int xp_wave_check(struct xp_compare *c, struct xp_shot **shot, size_t n, struct base_errors *errors)
{
	struct xp_sweep sweep;
	open_sweep(c, shot, n, &sweep);
	int status = xp_sweep_expand(&sweep, errors);
	close_sweep(c, &sweep);
	return status;
}

/* The shots of one wave that can be read; what is wrong with the others is their failure, not the study's: it could be
 * read on another network. */
static size_t sift(struct xp_compare *c, struct xp_shot **shot, size_t n, struct xp_shot **good)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		struct base_errors errors = { 0 };
		if (xp_wave_check(c, &shot[i], 1, &errors))
			shot[i]->failed = xp_first_error(&errors);
		else
			good[kept++] = shot[i];
		base_errors_free(&errors);
	}
	return kept;
}

int xp_wave_run(struct xp_compare *c, struct xp_shot **shot, size_t n, struct base_errors *errors)
{
	struct xp_shot **good = base_calloc(n + 1, sizeof(struct xp_shot *));
	struct xp_sweep sweep;
	struct base_errors ignored = { 0 };
	int status = 0;
	if (!c->holds)
		xp_sweep_hold_signals(&c->mask);
	c->holds = true;
	open_sweep(c, shot, n, &sweep);
	bool whole = !xp_sweep_expand(&sweep, &ignored);
	if (!whole) {
		close_sweep(c, &sweep);
		n = sift(c, shot, n, good);
		shot = good;
		if (n) {
			open_sweep(c, shot, n, &sweep);
			status = xp_sweep_expand(&sweep, errors);
		}
	}
	base_errors_free(&ignored);
	if (n && !status)
		status = xp_sweep_run(&sweep, errors);
	for (size_t i = 0; n && i < sweep.n && status >= 0; i++) {
		const struct xp_trial *trial = &sweep.trial[i];
		if (trial->state == XP_RAN || trial->state == XP_KEPT)
			xp_shot_read(shot[i], trial->file);
		else if (trial->state == XP_FAILED)
			shot[i]->failed = base_strdup(trial->message ? trial->message : "it failed");
		c->kept += trial->state == XP_KEPT;
		c->lost += trial->lost;
	}
	if (n)
		close_sweep(c, &sweep);
	free(good);
	return status == 1 ? 0 : status;
}
