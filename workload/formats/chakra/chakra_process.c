/* workload/formats/chakra/chakra_process.c - format "chakra": members replay the graphs of a Chakra trace. The graphs
 * are converted to a schedule when the run begins, with the collective algorithms of section mpi, and replayed as by
 * process "goal", because dependencies of graph nodes are not an order of calls. */
#include "base/memory.h"
#include "workload/formats/bytes.h"
#include "workload/formats/chakra/chakra_describe.h"
#include "workload/process/goal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct base_param chakra_table[] = {
	{ "prefix", BASE_FILE, GOAL_AT(file), NULL, NULL, 0, 0, NULL,
	  "the part PREFIX of the names of the trace's files PREFIX.0.et, PREFIX.1.et ... (or .json), or the name of "
	  "one of them",
	  NULL },
	{ "groups", BASE_FILE, GOAL_AT(groups), "", NULL, 0, 0, NULL,
	  "file with the members of the process groups, in order: { \"0\": [0, 1], \"1\": [3, 2] }; if omitted, NPUs "
	  "are ordered by number",
	  "ASTRA-sim's communicator groups" },
	{ "dims", BASE_INTS, GOAL_AT(dims), "", NULL, 1, WL_CHAKRA_NPUS, NULL,
	  "NPUs in each dimension, for collectives of single dimensions (involved_dim); if omitted, the dimensions of "
	  "the topology, provided that it has as many switches as the trace has NPUs",
	  "ASTRA-sim's logical dimensions" },
	GOAL_PARAMS("1000GB"),
	{ 0 },
};

/* The dimensions of the NPUs: those of the job, or those of the topology, which are accepted if they have the trace's
 * number of NPUs. */
static void find_dims(const struct goal_params *q, const struct topo *topo, struct wl_chakra_dims *dims)
{
	*dims = (struct wl_chakra_dims){ .n = (uint32_t)q->dims.n };
	for (size_t i = 0; i < q->dims.n && i < CHAKRA_DIMS; i++)
		dims->k[i] = (uint32_t)q->dims.v[i];
	if (q->dims.n || !topo || !topo->ops->dims)
		return;
	int n = topo->ops->dims(topo, dims->k, CHAKRA_DIMS);
	dims->n = n > 0 ? (uint32_t)n : 0;
}

static int check_dims(const struct goal_params *q, const struct wl_chakra_dims *dims, const struct wl_chakra *c,
                      struct base_errors *errors)
{
	if (!q->dims.n)
		return 0;
	if (wl_chakra_dims_npus(dims) != c->npus)
		return base_errorf(errors, "dims", "has a product other than the %" PRIu32 " NPUs of the trace",
		                   c->npus);
	if (c->unused.dimensions)
		return base_errorf(errors, "dims",
		                   "has %" PRIu32 " dimensions, but %" PRIu64
		                   " collectives of the trace have another number (involved_dim)",
		                   dims->n, c->unused.dimensions);
	if (!c->divided)
		return base_errorf(
		    errors, "dims",
		    "has no effect: no collective of the trace is limited to single dimensions (involved_dim)");
	return 0;
}

/* Errors of the trace, of the file of groups, and of other keys of the job. Freed by the caller unless it fails. */
static int read_chakra(struct wl_chakra *out, const struct goal_params *q, const struct topo *topo,
                       struct base_errors *errors, struct base_errors *of_groups, struct base_errors *others)
{
	struct wl_chakra_dims dims;
	if (q->dims.n > CHAKRA_DIMS)
		return base_errorf(others, "dims", "must have 1 to %u dimensions, not %zu", CHAKRA_DIMS, q->dims.n);
	find_dims(q, topo, &dims);
	if (wl_chakra_read(out, q->file, &dims, errors))
		return -1;
	int status = q->groups && *q->groups ? wl_chakra_order_groups(out, q->groups, of_groups) : 0;
	if (check_dims(q, &dims, out, others) || status) {
		wl_chakra_free(out);
		return -1;
	}
	return 0;
}

/* --- the process ------------------------------------------------------------------------------------------------- */

static int make_schedule(struct wl_process *p, struct wl_to_goal *g, const struct mpi_choices *choices,
                         struct base_errors *errors, struct base_errors *others)
{
	struct base_errors of_groups = { 0 };
	struct wl_chakra c;
	int status = read_chakra(&c, p->params, p->topo, errors, &of_groups, others);
	wl_process_pass_on(&of_groups, "groups", others);
	if (status)
		return -1;
	p->collectives = wl_chakra_calls(&c);
	wl_to_goal_begin(g, c.npus, choices);
	status = wl_chakra_to_goal(&c, g, errors);
	wl_chakra_free(&c);
	return status;
}

static int load_chakra(struct wl_process *p, struct wl_goal *out, struct base_errors *errors)
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
		status = make_schedule(p, &g, &choices, &found, errors);
	wl_process_pass_on(&found, "prefix", errors);
	if (g.chain && wl_to_goal_end(&g, out)) {
		base_errorf(errors, "prefix", "is too large: it has 2^32 or more operations or dependencies");
		status = -1;
	}
	base_memory_made();
	if (status)
		wl_goal_free(out);
	return status;
}

static int build_chakra(struct wl_process *p, struct base_errors *errors)
{
	return goal_build(p, load_chakra, errors);
}

/* --- the format -------------------------------------------------------------------------------------------------- */

static int open_chakra(struct wl_trace *out, const void *params, const struct topo *topo, struct base_errors *errors)
{
	struct wl_chakra *c = base_alloc(sizeof *c);
	if (read_chakra(c, params, topo, errors, errors, errors)) {
		free(c);
		return -1;
	}
	out->data = c;
	out->ranks = c->npus;
	return 0;
}

static void close_chakra(struct wl_trace *t)
{
	wl_chakra_free(t->data);
	free(t->data);
}

/* Where receives are left, they are what keeps ranks from their end, and nothing more is looked for. */
static int play_chakra(const struct wl_trace *t, struct wl_play *out, struct wl_to_goal *goal,
                       struct base_errors *errors)
{
	const struct wl_chakra *c = t->data;
	char key[1200];
	*out = (struct wl_play){ .ranks = c->npus,
		                 .collectives = wl_chakra_calls(c),
		                 .lost = c->lost,
		                 .lost_bytes = c->lost_bytes,
		                 .left_receives = c->left_receives,
		                 .mismatched = c->sizes.mismatched,
		                 .stuck = c->listed_left,
		                 .listed_lost = c->listed_lost,
		                 .listed_left = c->listed_left };
	memcpy(out->message, c->message, sizeof out->message);
	wl_trace_key(t->name, 0, key, sizeof key);
	for (uint32_t i = c->listed_lost; i < c->listed_lost + c->listed_left; i++)
		base_errorf(errors, key,
		            "rank %" PRIu32 " waits forever for a message from rank %" PRIu32 ", tag %" PRId64,
		            c->message[i].dest, c->message[i].source, c->message[i].tag);
	if (c->left_receives) {
		out->stuck += !out->stuck;
		return 0;
	}
	base_memory_for(
	    "%.600s: replaying a trace of %" PRIu32
	    " NPUs needs memory for all of its nodes; use more memory (another host, ulimit -v) or a shorter trace",
	    t->name, c->npus);
	int status = wl_chakra_play(c, &out->stuck, errors);
	base_memory_made();
	if (status || out->stuck || !goal)
		return status;
	wl_to_goal_memory_for(t->name, c->npus);
	goal->buffered = c->largest;
	return wl_chakra_to_goal(c, goal, errors);
}

static const struct wl_format format = {
	.content = WL_TRACE,
	.what = "a Chakra trace",
	.ends = ".et .json",
	.open = open_chakra,
	.close = close_chakra,
	.play = play_chakra,
	.describe_json = chakra_describe_json,
	.describe_text = chakra_describe_text,
};

static void chakra_files(const void *params, void (*visit)(void *arg, const char *path), void *arg)
{
	const struct goal_params *q = params;
	if (q->file)
		wl_chakra_files(q->file, visit, arg);
}

static const struct wl_process_ops ops = { GOAL_PROCESS, .format = &format, .build = build_chakra,
	                                   .mpi = WL_USES_COLLECTIVES | WL_USES_CLASSES, .buffered_sends = true };

const struct base_plugin wl_process_chakra = {
	BASE_DESCRIBE("process", "chakra", chakra_table, struct goal_params, &ops),
	.summary = "members replay the graphs of a Chakra execution trace; the run ends when it is complete",
	.source = "mlcommons/chakra (docs/traces.md)",
	.conditions = wl_mapping_conditions,
	.files = chakra_files,
};
