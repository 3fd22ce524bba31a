/* experiments/report/provenance.h - what a run was made from. */
#ifndef EXPERIMENTS_REPORT_PROVENANCE_H
#define EXPERIMENTS_REPORT_PROVENANCE_H

#include "experiments/report/report.h"

/* The configuration and the rest of a manifest, folded away. On a page of many runs only the first one's; of the
 * others, what differs from it. */
void xp_page_provenance(struct xp_report *report, json_t *manifest);

#endif
