/* workload/process/traces.c - members that carry out the MPI calls of recordings: text of our own
 * (workload/mpi/text.h), DUMPI and OTF2 (workload/trace/). */
#include "workload/mpi/text.h"
#include "workload/process/mapping.h"
#include "workload/process/mpi.h"
#include "workload/trace/dumpi.h"
#include "workload/trace/otf2.h"

struct params {
	struct mpi_params mpi;
	char *file;
	int clock; /* enum dumpi_clock */
};

#define MPI_PARAMS                                                                                                  \
	WL_MAPPING_PARAMS,                                                                                          \
	{                                                                                                           \
		"compute_scale", BASE_FLOAT, offsetof(struct params, mpi.compute_scale), "1.0", NULL, 0, 1e9, NULL, \
		    "times the computation between calls; 0: none", NULL                                            \
	}

static const struct base_param recorded_table[] = {
	{ "file", BASE_FILE, offsetof(struct params, file), NULL, NULL, 0, 0, NULL,
	  "MPI calls of all ranks, as text: docs/mpi.md", NULL },
	MPI_PARAMS,
	{ 0 },
};

static const struct base_param dumpi_table[] = {
	{ "meta", BASE_FILE, offsetof(struct params, file), NULL, NULL, 0, 0, NULL,
	  "the trace's .meta file; those of the ranks are beside it", NULL },
	{ "clock", BASE_ENUM, offsetof(struct params, clock), "wall", NULL, 0, 0, "wall|cpu",
	  "what computation between calls is measured by", NULL },
	MPI_PARAMS,
	{ 0 },
};

static const struct base_param otf2_table[] = {
	{ "file", BASE_FILE, offsetof(struct params, file), NULL, NULL, 0, 0, NULL, "the archive's .otf2 file", NULL },
	MPI_PARAMS,
	{ 0 },
};

/* Errors of the reader, whose keys are places, are of this job's file. */
static int made(struct wl_process *p, int status, struct mpi_source source, struct base_errors *found,
                struct base_errors *errors)
{
	wl_mpi_pass_on(found, p->plugin->params[0].name, errors);
	base_errors_free(found);
	return status ? -1 : wl_mpi_build(p, source, errors);
}

static int build_recorded(struct wl_process *p, struct base_errors *errors)
{
	struct base_errors found = { 0 };
	struct mpi_source source;
	int status = mpi_text_open(&source, ((const struct params *)p->params)->file, &found);
	return made(p, status, source, &found, errors);
}

static int build_dumpi(struct wl_process *p, struct base_errors *errors)
{
	const struct params *q = p->params;
	struct base_errors found = { 0 };
	struct mpi_source source;
	int status = wl_dumpi_open(&source, q->file, (enum dumpi_clock)q->clock, &found);
	return made(p, status, source, &found, errors);
}

static int build_otf2(struct wl_process *p, struct base_errors *errors)
{
	struct base_errors found = { 0 };
	struct mpi_source source;
	int status = wl_otf2_open(&source, ((const struct params *)p->params)->file, &found);
	if (!status)
		wl_otf2_warn(wl_otf2_facts(&source), "file", errors);
	return made(p, status, source, &found, errors);
}

static void dumpi_files(const void *params, void (*visit)(void *arg, const char *path), void *arg)
{
	const struct params *q = params;
	if (q->file)
		wl_dumpi_files(q->file, visit, arg);
}

static void otf2_files(const void *params, void (*visit)(void *arg, const char *path), void *arg)
{
	const struct params *q = params;
	if (q->file)
		wl_otf2_files(q->file, visit, arg);
}

static int schedule(const struct wl_process *p, struct wl_goal *out, struct wl_schedule_facts *facts,
                    struct base_errors *errors)
{
	return wl_mpi_schedule(p, p->plugin->params[0].name, ((const struct params *)p->params)->file, out, facts,
	                       errors);
}

static const struct wl_process_ops recorded_ops = WL_MPI_PROCESS(build_recorded),
				   dumpi_ops = WL_MPI_PROCESS(build_dumpi), otf2_ops = WL_MPI_PROCESS(build_otf2);

const struct base_plugin wl_process_recorded = {
	.kind = "process",
	.name = "recorded",
	.summary =
	    "members carry out recorded MPI calls: matching, eager and rendezvous, collectives; the run ends with "
	    "them",
	.source = "MPI: A Message-Passing Interface Standard, 3.1",
	.params = recorded_table,
	.conditions = wl_mapping_conditions,
	.params_bytes = sizeof(struct params),
	.ops = &recorded_ops,
};

const struct base_plugin wl_process_dumpi = {
	.kind = "process",
	.name = "dumpi",
	.summary = "the same of a DUMPI trace, binary or text",
	.source = "sst-dumpi, docs/traceformat.dox",
	.params = dumpi_table,
	.conditions = wl_mapping_conditions,
	.params_bytes = sizeof(struct params),
	.ops = &dumpi_ops,
	.files = dumpi_files,
};

const struct base_plugin wl_process_otf2 = {
	.kind = "process",
	.name = "otf2",
	.summary = "the same of an OTF2 archive; only where the library of OTF2 was there when tilefly was built",
	.source = "Knüpfer et al., Tools for High Performance Computing 2011 (Score-P)",
	.params = otf2_table,
	.conditions = wl_mapping_conditions,
	.params_bytes = sizeof(struct params),
	.ops = &otf2_ops,
	.files = otf2_files,
};
