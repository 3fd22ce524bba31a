/* experiments/report/impact.h - the table of what others do to a job, in the section of a sweep. */
#ifndef EXPERIMENTS_REPORT_IMPACT_H
#define EXPERIMENTS_REPORT_IMPACT_H

#include "experiments/report/view.h"

/* Nothing, if the experiment asks for no impact. */
void xp_impact_write(const struct xp_view *v);

#endif
