/* experiments/sweep/impact.h - what others do to a job of every point: how many times as long an iteration takes it
 * as at the point that differs in one label only, where it is alone.
 *
 *   impact = { job = "victim"; axis = "beside"; alone = "nothing"; };
 *
 * Rows then have `impact_ns`, the mean of an iteration of the job (of a job without processes: of a packet's latency),
 * and `impact`, that over the one of the point that is labelled `alone` on the axis and otherwise the same. Neither is
 * there if no iteration ended in the measured window. */
#ifndef EXPERIMENTS_SWEEP_IMPACT_H
#define EXPERIMENTS_SWEEP_IMPACT_H

#include "experiments/sweep/fields.h"
#include "experiments/sweep/sweep.h"

void xp_read_impact(struct xp_fields *r, const struct xp_node *root);
void xp_free_impact(struct xp_experiment *e);
/* The mean of the job's in a record `summary`, ns; NAN: it has none. */
double xp_impact_ns(const json_t *summary, const char *job);
/* The same point, but alone? */
bool xp_impact_is_alone(const struct xp_experiment *e, const json_t *row);
/* Fills `impact` of the rows of all points. */
void xp_impact_rows(struct xp_sweep *sweep);

#endif
