/* workload/formats/otf2/otf2_process.c - format "otf2": archives of Score-P. */
#include "workload/formats/format.h"
#include "workload/formats/otf2/otf2.h"

#include <inttypes.h>

struct otf2_params {
	struct mpi_params mpi;
	char *file;
};

static const struct base_param table[] = {
	{ "file", BASE_FILE, offsetof(struct otf2_params, file), NULL, NULL, 0, 0, NULL,
	  "the archive's anchor file (.otf2)", NULL },
	WL_CALLS_PARAMS,
	{ 0 },
};

static int open_otf2(struct wl_trace *out, const void *params, const struct topo *topo, struct base_errors *errors)
{
	(void)topo;
	return wl_otf2_open(&out->source, ((const struct otf2_params *)params)->file, errors);
}

static const struct wl_otf2_facts *facts_of(const struct wl_trace *t)
{
	return wl_otf2_facts(&t->source);
}

/* Events that are not used, and, of those that change time, what becomes of it. */
static const struct unused_event {
	const char *name, *effect;
} unused_events[OTF2_UNUSED_KINDS] = {
	[OTF2_UNUSED_OFF] = { "MeasurementOnOff",
	                      "times that the measurement was switched off (MeasurementOnOff): calls in between are "
	                      "not in the archive, and that time counts as computation" },
	[OTF2_UNUSED_FLUSH] = { "BufferFlush", "times that the measurement wrote its buffer (BufferFlush): that time "
	                                       "counts as computation" },
	[OTF2_UNUSED_IO] = { "IoOperationBegin",
	                     "file operations (IoOperationBegin) are ignored: their time counts as computation" },
	[OTF2_UNUSED_TEST] = { "MpiRequestTest", NULL },
};

static void warn_of_otf2(const struct wl_trace *t, bool runs, const char *key, struct base_errors *errors)
{
	const struct wl_otf2_facts *facts = facts_of(t);
	if (!runs && facts->unfinished)
		base_warnf(
		    errors, key,
		    "%" PRIu64
		    " receives were posted but never completed: their source is not recorded, so they are ignored",
		    facts->unfinished);
	for (unsigned k = 0; k < OTF2_UNUSED_KINDS; k++)
		if (facts->unused[k] && unused_events[k].effect)
			base_warnf(errors, key, "%" PRIu64 " %s", facts->unused[k], unused_events[k].effect);
}

/* --- figures ------------------------------------------------------------------------------------------------------ */

static void write_json_of_rank(const struct wl_trace *t, uint32_t rank, struct base_json *j)
{
	const struct wl_otf2_rank *r = &facts_of(t)->rank[rank];
	base_json_uint(j, "blocking_sends", r->sends);
	base_json_uint(j, "blocking_receives", r->receives);
	base_json_uint(j, "isends", r->isends);
	base_json_uint(j, "irecvs", r->irecvs);
	base_json_uint(j, "recorded_receive_bytes", r->receive_bytes);
	base_json_uint(j, "collectives", r->collectives);
	base_json_uint(j, "collective_sent_bytes", r->collective_sent);
	base_json_uint(j, "collective_received_bytes", r->collective_received);
}

static bool count_unused(const struct wl_trace *t, uint32_t i, const char **name, uint64_t *count)
{
	if (i >= OTF2_UNUSED_KINDS)
		return false;
	*name = unused_events[i].name;
	*count = facts_of(t)->unused[i];
	return true;
}

static const struct wl_format format = {
	.content = WL_TRACE,
	.what = "an OTF2 trace",
	.ends = ".otf2",
	.open = open_otf2,
	.warn = warn_of_otf2,
	.json_of_rank = write_json_of_rank,
	.unused = count_unused,
};

static void otf2_files(const void *params, void (*visit)(void *arg, const char *path), void *arg)
{
	const struct otf2_params *q = params;
	if (q->file)
		wl_otf2_files(q->file, visit, arg);
}

static const struct wl_process_ops ops = WL_CALLS_PROCESS(&format);

const struct base_plugin wl_process_otf2 = {
	BASE_DESCRIBE("process", "otf2", table, struct otf2_params, &ops),
	.summary = "members replay an OTF2 archive as process \"recorded\" does; only if tilefly was built with the "
		   "OTF2 library",
	.source = "Knüpfer et al., Tools for High Performance Computing 2011 (Score-P)",
	.conditions = wl_mapping_conditions,
	.files = otf2_files,
};
