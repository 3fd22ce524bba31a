/* experiments/report/impact.h - the table of the impact of other jobs on a job, which is part of the section of a
 * sweep. */
#ifndef EXPERIMENTS_REPORT_IMPACT_H
#define EXPERIMENTS_REPORT_IMPACT_H

#include "experiments/report/view.h"

/* Writes the table of impacts of an experiment. Writes nothing if the experiment defines no impact. */
void xp_impact_write(const struct xp_view *v);

#endif
