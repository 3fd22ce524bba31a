/* experiments/compare/batch.c - a batch: a list of runs that do not depend on each other's results. */
#include "experiments/compare/compare.h"
#include "experiments/config/message.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool is_of_links(const char *assignment)
{
	return strcspn(assignment, ".=[") == 5 && !strncmp(assignment, "links", 5);
}

/* Assignments of the study, then seeds of the command line, then assignments of the run, then the other assignments of
 * the command line (without those of links if every network has its own). So a run may use another seed than the study.
 */
static struct xp_sets batch_settings(const struct xp_runs *runs, const struct xp_run *run)
{
	const struct xp_compare *c = runs->study;
	const struct xp_sim_run *own = c->batch[run - runs->run];
	const struct xp_ground *g = runs->ground;
	size_t room = g->nset + runs->nset + XP_RUN_SETS, n = 0;
	const char **v = base_calloc(room + 1, sizeof *v), **at = base_calloc(room + 1, sizeof *at);
	for (size_t i = 0; i < g->nset; i++, n++) {
		v[n] = g->set[i];
		at[n] = g->set_at[i];
	}
	for (size_t i = 0; i < runs->nset; i++)
		if (xp_paths_overlap(runs->set[i], "seed"))
			v[n++] = runs->set[i];
	for (size_t i = 0; i < XP_RUN_SETS && own->set[i]; i++, n++) {
		v[n] = own->set[i];
		at[n] = own->at[i];
	}
	for (size_t i = 0; i < runs->nset; i++)
		if (!xp_paths_overlap(runs->set[i], "seed") && (!c->own_links || !is_of_links(runs->set[i])))
			v[n++] = runs->set[i];
	return (struct xp_sets){ .v = v, .n = n, .at = at };
}

static const struct xp_runs_ops of_batch = { .settings = batch_settings };

/* Names are made of those that the study gives, and of loads with six digits. */
static int check_run_names(const struct xp_compare *c, struct base_errors *errors)
{
	size_t two[2];
	for (size_t i = 0; i < c->runs.n; i++) {
		const char *name = c->runs.run[i].name;
		if (strlen(name) > XP_MOST_RUN_NAME)
			return xp_error_at(errors, c->batch[i]->at[0],
			                   "the name of a run, \"%.40s...\", has %zu characters; at most %d are "
			                   "possible. It consists of the names of candidate, routing, congestion "
			                   "control and traffic, and of the message size",
			                   name, strlen(name), XP_MOST_RUN_NAME);
	}
	if (!xp_runs_same_name(&c->runs, two))
		return 0;
	return xp_error_at(errors, c->batch[two[1]]->at[0],
	                   "two runs would have the name \"%s\": loads must differ in their first six digits",
	                   c->runs.run[two[0]].name);
}

/* Makes the list of a batch, which lasts until xp_runs_clear(). */
static int open_batch(struct xp_compare *c, struct xp_sim_run **run, size_t n, struct base_errors *errors)
{
	struct xp_runs *runs = &c->runs;
	runs->ops = &of_batch;
	runs->study = c;
	runs->counted = "points";
	runs->run = base_calloc(n + 1, sizeof *runs->run);
	runs->n = n;
	c->batch = run;
	for (size_t i = 0; i < n; i++) {
		struct xp_run *r = &runs->run[i];
		r->name = xp_run_name((const char *const *)&run[i]->name, 1);
		r->file = xp_run_file(runs, r->name);
		r->rank = -run[i]->work; /* the longest first */
		xp_run_resolve(runs, r, errors);
	}
	return check_run_names(c, errors) || errors->errors ? -1 : 0;
}

int xp_batch_check(struct xp_compare *c, struct xp_sim_run **run, size_t n, struct base_errors *errors)
{
	int status = open_batch(c, run, n, errors);
	xp_runs_clear(&c->runs);
	return status;
}

/* Keeps the runs of a batch whose configuration can be read. An unreadable configuration is a failure of that run, not
 * of the study, since it may be valid for another network. */
static size_t sift(struct xp_compare *c, struct xp_sim_run **run, size_t n, struct xp_sim_run **good)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		struct base_errors errors = { 0 };
		if (xp_batch_check(c, &run[i], 1, &errors))
			run[i]->failed = xp_first_error(&errors);
		else
			good[kept++] = run[i];
		base_errors_free(&errors);
	}
	return kept;
}

/* Takes in what has become of the batch. */
static void take_results(struct xp_compare *c)
{
	for (size_t i = 0; i < c->runs.n; i++) {
		const struct xp_run *r = &c->runs.run[i];
		if (r->state == XP_RAN || r->state == XP_KEPT)
			xp_sim_run_read(c->batch[i], r->file);
		else if (r->state == XP_FAILED)
			c->batch[i]->failed = base_strdup(r->message ? r->message : "the run failed");
		c->kept += r->state == XP_KEPT;
		c->lost += r->lost;
	}
}

int xp_batch_run(struct xp_compare *c, struct xp_sim_run **run, size_t n, struct base_errors *errors)
{
	struct xp_sim_run **good = base_calloc(n + 1, sizeof(struct xp_sim_run *));
	struct base_errors ignored = { 0 };
	int status = 0;
	if (!c->holds)
		xp_runs_hold_signals(&c->mask);
	c->holds = true;
	if (open_batch(c, run, n, &ignored)) {
		xp_runs_clear(&c->runs);
		n = sift(c, run, n, good);
		status = n ? open_batch(c, good, n, errors) : 0;
	}
	base_errors_free(&ignored);
	if (n && !status)
		status = xp_runs_run(&c->runs, errors);
	if (status >= 0)
		take_results(c);
	xp_runs_clear(&c->runs);
	free(good);
	return status == 1 ? 0 : status;
}
