/* experiments/results/past.h - reads the result of an earlier run from its log, into the same structures from which
 * that log was written. */
#ifndef EXPERIMENTS_RESULTS_PAST_H
#define EXPERIMENTS_RESULTS_PAST_H

#include "base/plugin.h"
#include "experiments/results/statistics.h"
#include "experiments/results/summary.h"
#include "sim/steady.h"

#include <jansson.h>

struct xp_past {
	struct xp_run_facts run;
	struct net_config config;
	struct net_result result;
	struct sim_steady steady; /* what time.precision found */
	struct topo topo;
	struct base_plugin routing;
	struct base_errors errors;
	struct xp_alone *alone; /* [jobs], owned */
	struct xp_texts texts;  /* what the others point to */
};

/* Fills in the structures that xp_summary_text() prints, from the records `manifest` and `summary`. A member that a
 * record does not have is 0. */
void xp_past_read(struct xp_past *past, const json_t *manifest, const json_t *summary);
void xp_past_free(struct xp_past *past);

#endif
