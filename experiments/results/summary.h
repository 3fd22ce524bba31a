/* experiments/results/summary.h - the result of a run as the record `summary`, and as printed text. */
#ifndef EXPERIMENTS_RESULTS_SUMMARY_H
#define EXPERIMENTS_RESULTS_SUMMARY_H

#include "base/error.h"
#include "base/json.h"
#include "experiments/results/alone.h"
#include "experiments/results/inputs.h"
#include "network/network.h"
#include "topo/topo.h"

#include <stdio.h>

/* A finished run, in the form in which rank 0 passes it to the functions that write results. */
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

/* Writes the members of the record `summary`, including `record`, without the enclosing braces. */
void xp_summary_members(struct base_json *j, const struct xp_run_facts *run);
/* Writes the members that a job, a class and the whole run have in common. */
void xp_flow_members(struct base_json *j, const struct net_flow *flow);
/* Writes the members "isolated" and "impact" of job i. Writes nothing if the job is not isolated. */
void xp_alone_members(struct base_json *j, const struct xp_run_facts *run, uint32_t i);
/* Prints a line of text for each isolated job. */
void xp_alone_lines(FILE *out, const struct xp_run_facts *run);
/* Returns whether the reported impact on some job is unreliable, because time.precision ended the run early when the
 * network proved not to be stationary. If so, writes to `out` which jobs have a growing backlog, and which impacts are
 * concerned. */
bool xp_alone_cut_short(const struct xp_run_facts *run, struct base_buffer *out);
void xp_digest_member(struct base_json *j, uint64_t digest);
/* Prints the summary of a run as text. `file` is the path of the result log, or NULL if there is none. */
void xp_summary_text(FILE *out, const struct xp_run_facts *run, const char *file);

#endif
