/* workload/process/none.c - no process: a job's pattern, injection and load determine what it sends. */
#include "workload/process/process.h"

static const struct base_param table[] = { { .name = NULL } };

const struct base_plugin wl_process_none = {
	.kind = "process",
	.name = "none",
	.summary = "no process: pattern, injection and load determine what is sent, independent of what is received",
	.params = table,
};
