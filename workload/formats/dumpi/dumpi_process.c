/* workload/formats/dumpi/dumpi_process.c - format "dumpi": traces of sst-dumpi, binary and text. */
#include "workload/formats/dumpi/dumpi.h"
#include "workload/formats/format.h"

#include <inttypes.h>
#include <stdio.h>

struct dumpi_params {
	struct mpi_params mpi;
	char *file;
	int clock; /* enum dumpi_clock */
};

static const struct base_param table[] = {
	{ "meta", BASE_FILE, offsetof(struct dumpi_params, file), NULL, NULL, 0, 0, NULL,
	  "the trace's .meta file, in the directory of the ranks' files", NULL },
	{ "clock", BASE_ENUM, offsetof(struct dumpi_params, clock), "wall", NULL, 0, 0, "wall|cpu",
	  "clock by which computation between calls is measured: wall-clock time or CPU time", NULL },
	WL_CALLS_PARAMS,
	{ 0 },
};

static int open_dumpi(struct wl_trace *out, const void *params, const struct topo *topo, struct base_errors *errors)
{
	const struct dumpi_params *q = params;
	(void)topo;
	return wl_dumpi_open(&out->source, q->file, (enum dumpi_clock)q->clock, errors);
}

static const struct wl_dumpi_facts *facts_of(const struct wl_trace *t)
{
	return wl_dumpi_facts(&t->source);
}

static void warn_of_dumpi(const struct wl_trace *t, bool runs, const char *key, struct base_errors *errors)
{
	if (!runs && facts_of(t)->unfinished)
		base_warnf(errors, key, "%" PRIu32 " ranks do not reach MPI_Finalize", facts_of(t)->unfinished);
}

/* --- figures ------------------------------------------------------------------------------------------------------ */

static void write_json(const struct wl_trace *t, struct base_json *j)
{
	const struct wl_dumpi_facts *facts = facts_of(t);
	base_json_uint(j, "wall_ns_outside_mpi", facts->compute_ns[DUMPI_WALL]);
	base_json_uint(j, "wall_ns_in_mpi", facts->mpi_ns[DUMPI_WALL]);
	base_json_uint(j, "cpu_ns_outside_mpi", facts->compute_ns[DUMPI_CPU]);
	base_json_uint(j, "cpu_ns_in_mpi", facts->mpi_ns[DUMPI_CPU]);
	base_json_uint(j, "longest_rank_wall_ns", facts->longest_ns);
}

static void write_json_of_rank(const struct wl_trace *t, uint32_t rank, struct base_json *j)
{
	base_json_uint(j, "calls", facts_of(t)->rank_calls[rank]);
}

static bool count_call(const struct wl_trace *t, uint32_t i, char name[64], uint64_t *count)
{
	if (i >= DUMPI_FUNCTIONS)
		return false;
	snprintf(name, 64, "MPI_%s", dumpi_function[i].name);
	*count = facts_of(t)->calls[i];
	return true;
}

static void describe_clock(const struct wl_trace *t, struct base_buffer *out)
{
	base_buffer_printf(out, "%-13s %.9g s in MPI in total, %.9g s in the rank with most\n", "wall clock",
	                   (double)facts_of(t)->mpi_ns[DUMPI_WALL] * 1e-9, (double)facts_of(t)->longest_ns * 1e-9);
}

static const struct wl_format format = {
	.content = WL_TRACE,
	.what = "a DUMPI trace",
	.ends = ".meta",
	.open = open_dumpi,
	.warn = warn_of_dumpi,
	.json = write_json,
	.json_of_rank = write_json_of_rank,
	.calls = count_call,
	.text = describe_clock,
};

static void dumpi_files(const void *params, void (*visit)(void *arg, const char *path), void *arg)
{
	const struct dumpi_params *q = params;
	if (q->file)
		wl_dumpi_files(q->file, visit, arg);
}

static const struct wl_process_ops ops = WL_CALLS_PROCESS(&format);

const struct base_plugin wl_process_dumpi = {
	BASE_DESCRIBE("process", "dumpi", table, struct dumpi_params, &ops),
	.summary = "members replay a DUMPI trace (binary or text) as process \"recorded\" does",
	.source = "sst-dumpi, docs/traceformat.dox",
	.conditions = wl_mapping_conditions,
	.files = dumpi_files,
};
