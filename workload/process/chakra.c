/* workload/process/chakra.c - members that replay the graphs of a Chakra trace (workload/trace/chakra.h). They are made
 * a schedule when the run begins, with collectives as section mpi says, and then replayed as process "goal" does: what
 * a graph's nodes wait for is not the order of calls. */
#include "workload/trace/chakra.h"
#include "base/memory.h"
#include "workload/process/goal.h"

static const struct base_param chakra_table[] = {
	{ "prefix", BASE_FILE, GOAL_AT(file), NULL, NULL, 0, 0, NULL,
	  "of the trace's files PREFIX.0.et, PREFIX.1.et ..., or one of these", NULL },
	{ "groups", BASE_FILE, GOAL_AT(groups), "", NULL, 0, 0, NULL,
	  "a file of the process groups' members in their order: { \"0\": [0, 1], \"1\": [3, 2] }; left out: by number",
	  "ASTRA-sim's communicator groups" },
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

/* *errors of the trace, *others of other keys of the job. */
static int read_chakra(const struct goal_params *q, struct wl_to_goal *g, const struct mpi_choices *choices,
                       struct base_errors *errors, struct base_errors *others)
{
	struct wl_chakra c;
	if (wl_chakra_read(&c, q->file, errors))
		return -1;
	int status = order_groups(&c, q, others);
	if (!status) {
		wl_to_goal_begin(g, c.npus, choices);
		status = wl_chakra_to_goal(&c, g, errors);
	}
	wl_chakra_free(&c);
	return status;
}

int goal_load_trace(const struct wl_process *p, struct wl_goal *out, struct base_errors *errors)
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
		status = read_chakra(q, &g, &choices, &found, errors);
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
