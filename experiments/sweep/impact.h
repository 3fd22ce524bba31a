/* experiments/sweep/impact.h - what others do to a job of every point: how many times as long an iteration takes it
 * as at the point that differs in one label only, where it is alone; or as reported by its own run, which isolates the
 * job.
 *
 *   impact = { job = "victim"; axis = "beside"; alone = "nothing"; };
 *   impact = { job = "victim"; };
 *
 * Rows then have `impact_ns`, the mean of an iteration of the job (of a job without processes: of a packet's latency;
 * of an application that ends the run: its completion less its start), and `impact`, that over the one of the point
 * that is labelled `alone` on the axis and otherwise the same; without an axis jobs[].impact.mean of the summary
 * (traffic[].isolate). Neither is there if no iteration ended in the measured window, or if the job's own backlog
 * grows, so that its latency is as long as the run; nor is `impact` where it does so alone. */
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
