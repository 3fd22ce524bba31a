/* experiments/report/provenance.h - writes from which inputs (configuration, program, files) a run was made. */
#ifndef EXPERIMENTS_REPORT_PROVENANCE_H
#define EXPERIMENTS_REPORT_PROVENANCE_H

#include "experiments/report/report.h"

/* Writes the configuration and the remaining members of a manifest, collapsed until the reader opens them. On a page
 * with many runs this is done for the first run only; each other run gets its differences from the first one. */
void xp_page_provenance(struct xp_report *report, json_t *manifest);

#endif
