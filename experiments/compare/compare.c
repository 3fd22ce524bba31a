/* experiments/compare/compare.c - a comparison from its folder to its results; see compare.h. */
#include "experiments/compare/compare.h"
#include "experiments/runs/folder.h"

static const char *const tables[] = { "compare.json", "ranking.csv", NULL };

static int run_all(struct xp_compare *c, struct base_errors *errors)
{
	int status = xp_permutations_write(c, errors);
	if (!status)
		status = xp_run_rounds(c, errors);
	if (!status)
		status = xp_finals(c, errors);
	c->complete = !status && !c->lost;
	xp_rank(c);
	if (status != -1 && xp_compare_write(c, errors))
		status = -1;
	return status;
}

/* A network that does not work is a result; that nothing works is a failure. */
static bool anything_ran(const struct xp_compare *c)
{
	for (size_t i = 0; i < c->nsim_runs; i++)
		if (c->sim_run[i]->done)
			return true;
	return false;
}

int xp_compare_run(struct xp_compare *c, struct base_errors *errors)
{
	int status = xp_folder_take(&c->runs, tables, errors);
	if (status)
		return status;
	xp_compare_bounds(c);
	status = run_all(c, errors);
	xp_folder_release(&c->runs);
	return status < 0 ? 1 : status == 130 ? 130 : anything_ran(c) && c->complete ? 0 : 1;
}
