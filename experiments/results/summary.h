/* experiments/results/summary.h - the result of a run: the summary record, and the lines of text that are printed. */
#ifndef EXPERIMENTS_RESULTS_SUMMARY_H
#define EXPERIMENTS_RESULTS_SUMMARY_H

#include "base/error.h"
#include "base/json.h"
#include "experiments/results/alone.h"
#include "experiments/results/inputs.h"
#include "network/network.h"
#include "topo/topo.h"

#include <stdio.h>

/* A finished run, as the writers of results receive it (rank 0). */
struct xp_run_facts {
	const struct net_config *config;
	const struct net_result *result;
	const struct topo *topo;
	struct topo_facts facts;
	struct xp_inputs inputs;          /* what the result is made from */
	const struct base_errors *errors; /* for the warnings */
	char started[32];                 /* UTC, ISO 8601 */
	bool stalled;
	const struct xp_alone *alone; /* [jobs] those that are isolated; NULL: none is */
};

/* Writes the members of the summary object, without its braces; `record` is the member for the record's kind. */
void xp_summary_members(struct base_json *j, const struct xp_run_facts *run);
/* Writes the members common to jobs, classes and the whole run. */
void xp_flow_members(struct base_json *j, const struct net_flow *flow);
/* Writes "isolated" and "impact" of job i, if it is isolated. */
void xp_alone_members(struct base_json *j, const struct xp_run_facts *run, uint32_t i);
/* Prints a line for each isolated job. */
void xp_alone_lines(FILE *out, const struct xp_run_facts *run);
/* Does the result contain the impact on some job although time.precision ended the run early, because it is not
 * stationary? Writes which jobs have a growing backlog, and which impacts are concerned. */
bool xp_alone_cut_short(const struct xp_run_facts *run, struct base_buffer *out);
void xp_digest_member(struct base_json *j, uint64_t digest);
/* `file`: path of the result log, or NULL. */
void xp_summary_text(FILE *out, const struct xp_run_facts *run, const char *file);

#endif
