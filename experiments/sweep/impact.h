/* experiments/sweep/impact.h - the impact of other traffic on a job: the factor by which an iteration of the job takes
 * longer than without the other traffic. The reference is the point that differs in one label only and at which the job
 * runs alone; without an axis, the run itself isolates the job and reports its impact.
 *
 *   impact = { job = "victim"; axis = "beside"; alone = "nothing"; };
 *   impact = { job = "victim"; };
 *
 * Rows then have two more columns. `impact_ns` is the mean duration of an iteration of the job (for a job without
 * processes, the mean packet latency; for an application that ends the run, its completion minus its start). `impact`
 * is that value divided by the value of the point that has the label `alone` on the axis and otherwise the same labels;
 * without an axis it is jobs[].impact.mean of the summary (traffic[].isolate). Both are missing if no iteration ended
 * in the measured window, or if the job's own backlog grows, so that its latency is as long as the run. `impact` is
 * also missing if the backlog grows when the job runs alone. */
#ifndef EXPERIMENTS_SWEEP_IMPACT_H
#define EXPERIMENTS_SWEEP_IMPACT_H

#include "experiments/sweep/sweep.h"

void xp_read_impact(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *root);
void xp_free_impact(struct xp_experiment *e);
/* Does the impact have no axis? It is then reported by the runs themselves. */
static inline bool xp_impact_is_own(const struct xp_experiment *e)
{
	return e->impact_job && !e->impact_alone;
}
/* Finds the point that has the same other labels but at which the job runs alone. */
bool xp_impact_is_alone(const struct xp_experiment *e, const json_t *row);
/* Computes `impact` of the rows of all points. */
void xp_impact_rows(struct xp_sweep *sweep);

#endif
