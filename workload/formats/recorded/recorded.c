/* workload/formats/recorded/recorded.c - format "recorded": MPI calls as text, which `tilefly record` writes. */
#include "workload/formats/format.h"
#include "workload/formats/recorded/recorded_text.h"

struct recorded_params {
	struct mpi_params mpi;
	char *file;
};

static const struct base_param table[] = {
	{ "file", BASE_FILE, offsetof(struct recorded_params, file), NULL, NULL, 0, 0, NULL,
	  "text file with the MPI calls of all ranks: docs/mpi.md", NULL },
	WL_CALLS_PARAMS,
	{ 0 },
};

static int open_recorded(struct wl_trace *out, const void *params, const struct topo *topo, struct base_errors *errors)
{
	(void)topo;
	return mpi_text_open(&out->source, ((const struct recorded_params *)params)->file, errors);
}

static int check_recorded(const struct wl_trace *t, struct base_errors *errors)
{
	return mpi_text_check(&t->source, errors);
}

static const struct wl_format format = {
	.content = WL_TRACE,
	.what = "a recording",
	.ends = ".mpi",
	.open = open_recorded,
	.check = check_recorded,
};

static const struct wl_process_ops ops = WL_CALLS_PROCESS(&format);

const struct base_plugin wl_process_recorded = {
	BASE_DESCRIBE("process", "recorded", table, struct recorded_params, &ops),
	.summary = "members execute recorded MPI calls (matching, eager and rendezvous protocols, collectives); the "
		   "run ends when they are complete",
	.source = "MPI: A Message-Passing Interface Standard, 3.1",
	.conditions = wl_mapping_conditions,
};
