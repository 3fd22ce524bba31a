/* workload/process/chakra.c - members that replay the graphs of a Chakra trace (workload/trace/chakra.h). They are made
 * a schedule when the run begins, with collectives as section mpi says, and then replayed as process "goal" does: what
 * a graph's nodes wait for is not the order of calls. */
#include "workload/trace/chakra.h"
#include "base/memory.h"
#include "workload/process/goal.h"

#include <inttypes.h>

static const struct base_param chakra_table[] = {
	{ "prefix", BASE_FILE, GOAL_AT(file), NULL, NULL, 0, 0, NULL,
	  "of the trace's files PREFIX.0.et, PREFIX.1.et ..., or one of these", NULL },
	{ "groups", BASE_FILE, GOAL_AT(groups), "", NULL, 0, 0, NULL,
	  "a file of the process groups' members in their order: { \"0\": [0, 1], \"1\": [3, 2] }; left out: by number",
	  "ASTRA-sim's communicator groups" },
	{ "dims", BASE_INTS, GOAL_AT(dims), "", NULL, 1, WL_CHAKRA_NPUS, NULL,
	  "NPUs of each dimension, for collectives of some dimensions (involved_dim); left out: the topology's, where "
	  "it has as many switches as the trace NPUs",
	  "ASTRA-sim's logical dimensions" },
	GOAL_PARAMS("1000GB"),
	{ 0 },
};

static int order_groups(struct wl_chakra *c, const struct goal_params *q, struct base_errors *errors)
{
	struct base_errors found = { 0 };
	int status = q->groups && *q->groups ? wl_chakra_order_groups(c, q->groups, &found) : 0;
	goal_tell(&found, "groups", errors);
	return status;
}

/* The dimensions of the NPUs: the job's, or the topology's, of which only the number of NPUs can tell whether they are
 * those of the trace. */
static void find_dims(const struct wl_process *p, struct wl_chakra_dims *dims)
{
	const struct goal_params *q = p->params;
	*dims = (struct wl_chakra_dims){ .n = (uint32_t)q->dims.n };
	for (size_t i = 0; i < q->dims.n && i < CHAKRA_DIMS; i++)
		dims->k[i] = (uint32_t)q->dims.v[i];
	if (q->dims.n || !p->topo || !p->topo->ops->dims)
		return;
	int n = p->topo->ops->dims(p->topo, dims->k, CHAKRA_DIMS);
	dims->n = n > 0 ? (uint32_t)n : 0;
}

static int check_dims(const struct goal_params *q, const struct wl_chakra_dims *dims, const struct wl_chakra *c,
                      struct base_errors *errors)
{
	if (!q->dims.n)
		return 0;
	if (wl_chakra_dims_npus(dims) != c->npus)
		return base_errorf(errors, "dims", "is of other than the %" PRIu32 " NPUs of the trace", c->npus);
	if (c->unused.dimensions)
		return base_errorf(errors, "dims",
		                   "has %" PRIu32 " dimensions; %" PRIu64
		                   " collectives of the trace have another number of them (involved_dim)",
		                   dims->n, c->unused.dimensions);
	if (!c->divided)
		return base_errorf(errors, "dims",
		                   "has no effect: no collective of the trace is of some dimensions (involved_dim)");
	return 0;
}

/* *errors of the trace, *others of other keys of the job. */
static int read_chakra(struct wl_process *p, struct wl_to_goal *g, const struct mpi_choices *choices,
                       struct base_errors *errors, struct base_errors *others)
{
	const struct goal_params *q = p->params;
	struct wl_chakra_dims dims;
	struct wl_chakra c;
	if (q->dims.n > CHAKRA_DIMS)
		return base_errorf(others, "dims", "1 to %u dimensions are supported, not %zu", CHAKRA_DIMS, q->dims.n);
	find_dims(p, &dims);
	if (wl_chakra_read(&c, q->file, &dims, errors))
		return -1;
	int status = order_groups(&c, q, others) | check_dims(q, &dims, &c, others);
	p->collectives = wl_chakra_calls(&c);
	if (!status) {
		wl_to_goal_begin(g, c.npus, choices);
		status = wl_chakra_to_goal(&c, g, errors);
	}
	wl_chakra_free(&c);
	return status;
}

int goal_load_trace(struct wl_process *p, struct wl_goal *out, struct base_errors *errors)
{
	const struct goal_params *q = p->params;
	const char *scope = errors->scope;
	struct mpi_choices choices;
	struct base_errors found = { 0 };
	struct wl_to_goal g = { 0 };
	errors->scope = "mpi";
	int status = mpi_choices_read(&choices, p->mpi->collectives, "collectives", errors);
	errors->scope = scope;
	wl_to_goal_memory_for(q->file, 0);
	if (!status)
		status = read_chakra(p, &g, &choices, &found, errors);
	goal_tell(&found, "prefix", errors);
	if (g.chain && wl_to_goal_end(&g, out)) {
		base_errorf(errors, "prefix", "is too large: 2^32 operations or dependencies, or more");
		status = -1;
	}
	base_memory_made();
	if (status)
		wl_goal_free(out);
	return status;
}

static void files(const void *params, void (*visit)(void *arg, const char *path), void *arg)
{
	const struct goal_params *q = params;
	if (q->file)
		wl_chakra_files(q->file, visit, arg);
}

const struct base_plugin wl_process_chakra = {
	.kind = "process",
	.name = "chakra",
	.summary = "members replay the graphs of a Chakra execution trace; the run ends with it",
	.source = "mlcommons/chakra (docs/traces.md)",
	.params = chakra_table,
	.conditions = wl_mapping_conditions,
	.params_bytes = sizeof(struct goal_params),
	.ops = &goal_trace_ops,
	.files = files,
};
