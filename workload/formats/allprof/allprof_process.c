/* workload/formats/allprof/allprof_process.c - format "liballprof": traces of LogGOPSim's PMPI library. */
#include "workload/formats/allprof/allprof.h"
#include "workload/formats/format.h"

#include <inttypes.h>
#include <stdio.h>

struct allprof_params {
	struct mpi_params mpi;
	char *file;
};

static const struct base_param table[] = {
	{ "file", BASE_FILE, offsetof(struct allprof_params, file), NULL, NULL, 0, 0, NULL,
	  "the file of rank 0, as in pmpi-trace-rank-0.txt; the files of the other ranks are in the same directory",
	  NULL },
	WL_CALLS_PARAMS,
	{ 0 },
};

static int open_allprof(struct wl_trace *out, const void *params, const struct topo *topo, struct base_errors *errors)
{
	(void)topo;
	return wl_allprof_open(&out->source, ((const struct allprof_params *)params)->file, errors);
}

static const struct wl_allprof_facts *facts_of(const struct wl_trace *t)
{
	return wl_allprof_facts(&t->source);
}

static void warn_of_allprof(const struct wl_trace *t, bool runs, const char *key, struct base_errors *errors)
{
	const struct wl_allprof_facts *f = facts_of(t);
	if (!runs && f->unfinished)
		base_warnf(errors, key, "%" PRIu64 " ranks do not come to MPI_Finalize", f->unfinished);
	if (!runs && f->backward)
		base_warnf(errors, key,
		           "%" PRIu64 " calls begin before the one before them has ended: no time is between them",
		           f->backward);
	if (f->as_world)
		base_warnf(errors, key,
		           "%" PRIu64 " communicators of all ranks are made by no call in the trace, and are taken as "
		           "MPI_COMM_WORLD",
		           f->as_world);
	if (f->in_order)
		base_warnf(errors, key,
		           "%" PRIu64
		           " communicators are taken in the order in which they were made: the trace does not say "
		           "which handle each has",
		           f->in_order);
}

static bool count_call(const struct wl_trace *t, uint32_t i, char name[64], uint64_t *count)
{
	const struct wl_allprof_facts *f = facts_of(t);
	if (i >= f->functions)
		return false;
	snprintf(name, 64, "%s", f->function[i].name);
	*count = f->function[i].count;
	return true;
}

/* Functions that communicate nothing. */
static bool count_unused(const struct wl_trace *t, uint32_t i, const char **name, uint64_t *count)
{
	const struct wl_allprof_facts *f = facts_of(t);
	if (i >= f->functions)
		return false;
	*name = f->function[i].name;
	*count = f->function[i].left_out ? f->function[i].count : 0;
	return true;
}

static const struct wl_format format = {
	.content = WL_TRACE,
	.what = "a trace of liballprof",
	.ends = "-rank-0.txt",
	.open = open_allprof,
	.warn = warn_of_allprof,
	.calls = count_call,
	.unused = count_unused,
};

static void allprof_files(const void *params, void (*visit)(void *arg, const char *path), void *arg)
{
	const struct allprof_params *q = params;
	if (q->file)
		wl_allprof_files(q->file, visit, arg);
}

static const struct wl_process_ops ops = WL_CALLS_PROCESS(&format);

const struct base_plugin wl_process_liballprof = {
	.kind = "process",
	.name = "liballprof",
	.summary = "members replay a trace of liballprof, LogGOPSim's PMPI library, as process \"recorded\" does",
	.source = "Hoefler, Schneider, Lumsdaine, LogGOPSim, HPDC 2010; spcl/LogGOPSim, src/liballprof",
	.params = table,
	.conditions = wl_mapping_conditions,
	.params_bytes = sizeof(struct allprof_params),
	.ops = &ops,
	.files = allprof_files,
};
