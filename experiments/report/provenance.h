/* experiments/report/provenance.h - the inputs from which a run was made. */
#ifndef EXPERIMENTS_REPORT_PROVENANCE_H
#define EXPERIMENTS_REPORT_PROVENANCE_H

#include "experiments/report/report.h"

/* Writes the configuration and the rest of a manifest, folded. On a page with many runs, only the first one's; for the
 * others only the differences from it. */
void xp_page_provenance(struct xp_report *report, json_t *manifest);

#endif
