/* workload/formats/format.h - formats: files that contain applications, written by a tool or by hand.
 *
 * A format is declared in the table of a plug-in of kind "process" (struct wl_process_ops.format); the first parameter
 * of the plug-in is the file. So one descriptor, in one list (config/builtin.def, and --plugin), determines what a
 * configuration replays, what `tilefly list` prints, and which file names `tilefly workload FILE` recognizes.
 *
 * A new format of MPI calls is one file: a source of calls (workload/mpi/call.h), an open() that creates it, and a
 * plug-in whose table is WL_CALLS_PROCESS(&format). Matching, collectives, diagnostics, schedules and figures are
 * shared by all of them. */
#ifndef WORKLOAD_FORMATS_FORMAT_H
#define WORKLOAD_FORMATS_FORMAT_H

#include "base/json.h"
#include "workload/formats/play/play.h"
#include "workload/formats/to_goal.h"
#include "workload/process/mpi.h"

enum wl_content { WL_MODEL, WL_SCHEDULE, WL_TRACE };

/* An opened trace. */
struct wl_trace {
	const char *name;         /* what messages call the file; set before open() */
	uint32_t ranks;           /* set by open(), or those of the source */
	struct mpi_source source; /* of calls; ops NULL: the format plays and closes the trace itself */
	void *data;               /* the format's own */
};

struct wl_format {
	enum wl_content content;
	const char *what; /* "a trace of DUMPI", for messages */
	const char *ends; /* how names of its files end, apart by spaces: ".goal .bin" */

	/* --- the rest is of traces. Where it may be NULL, it is what the comment says for a source of calls --- */

	/* Reads the file that the parameters name. topo: topology of the network on which it is replayed, or NULL.
	 * *errors are keyed by locations in files ("@FILE:LINE"), or by the plug-in's parameters. */
	int (*open)(struct wl_trace *out, const void *params, const struct topo *topo, struct base_errors *errors);
	void (*close)(struct wl_trace *t); /* NULL: that of the source */
	/* Reports all errors of the file, for formats whose open() does not read all of it. May be NULL. */
	int (*check)(const struct wl_trace *t, struct base_errors *errors);
	/* Executes the trace on a network without delays, and writes it as a schedule unless `goal` is NULL. If the
	 * member itself is NULL, wl_play() is used. */
	int (*play)(const struct wl_trace *t, struct wl_play *out, struct wl_to_goal *goal, struct base_errors *errors);
	/* Warns about parts that are not replayed exactly as recorded; `runs`: before a run, otherwise when printing
	 * the trace. May be NULL. */
	void (*warn)(const struct wl_trace *t, bool runs, const char *key, struct base_errors *errors);

	/* --- what `tilefly workload` prints of it besides; each may be NULL --- */

	/* Writes further members of the JSON record of the trace, or of a rank. */
	void (*json)(const struct wl_trace *t, struct base_json *j);
	void (*json_of_rank)(const struct wl_trace *t, uint32_t rank, struct base_json *j);
	/* Returns the name and count of the i-th kind of call in the file, or of the i-th kind of unused event. False:
	 * there are fewer kinds. Without calls() the replayed calls are counted. */
	bool (*calls)(const struct wl_trace *t, uint32_t i, char name[64], uint64_t *count);
	bool (*unused)(const struct wl_trace *t, uint32_t i, const char **name, uint64_t *count);
	/* More lines. */
	void (*text)(const struct wl_trace *t, struct base_buffer *out);
	/* Replaces the output for a source of calls: one function writes the members of the JSON record after the
	 * format's name, the other writes the lines of text. Either both are set or none. */
	void (*describe_json)(const struct wl_trace *t, const struct wl_play *p, struct base_json *j);
	void (*describe_text)(const struct wl_trace *t, struct base_buffer *out);
};

/* The format of a plug-in; NULL if the plug-in is not a process or reads no file. */
const struct wl_format *wl_format_of(const struct base_plugin *plugin);
/* Does a file's name end as the format requires? */
bool wl_format_fits(const struct wl_format *f, const char *file);

/* Opens a trace; out->name is set. It must be closed if opened. */
int wl_trace_open(const struct wl_format *f, struct wl_trace *out, const void *params, const struct topo *topo,
                  struct base_errors *errors);
void wl_trace_close(const struct wl_format *f, struct wl_trace *t);
int wl_trace_play(const struct wl_format *f, const struct wl_trace *t, struct wl_play *out, struct wl_to_goal *goal,
                  struct base_errors *errors);

/* Writes the unmatched messages and receives, as two members of a JSON object. */
void wl_trace_write_left(const struct wl_play *p, struct base_json *j);

/* --- processes of formats that are calls of MPI --------------------------------------------------------------------
 */

/* The parameters of formats that are sources of calls begin with struct mpi_params; their parameter table begins with
 * the file, followed by the rows for these members. */
#define WL_CALLS_PARAMS                                                                                             \
	WL_MAPPING_PARAMS,                                                                                          \
	{                                                                                                           \
		"compute_scale", BASE_FLOAT, offsetof(struct mpi_params, compute_scale), "1.0", NULL, 0, 1e9, NULL, \
		    "factor by which the computation between calls is scaled; 0: no computation", NULL              \
	}

int wl_calls_build(struct wl_process *p, struct base_errors *errors);
int wl_calls_schedule(const struct wl_process *p, struct wl_goal *out, struct wl_schedule_facts *facts,
                      struct base_errors *errors);
#define WL_CALLS_PROCESS(of)                                                                                          \
	{                                                                                                             \
		.format = (of), .wants_sent = true, .mpi = WL_USES_COLLECTIVES | WL_USES_MESSAGES | WL_USES_CLASSES,  \
		.kinds_differ = true, .ends_run = true, .application = true, .build = wl_calls_build,                 \
		.destroy = wl_mpi_destroy, .state_bytes = wl_mpi_state_bytes, .start = wl_mpi_start,                  \
		.sent = wl_mpi_sent, .delivered = wl_mpi_delivered, .timer = wl_mpi_timer, .regions = wl_mpi_regions, \
		.report = wl_mpi_report, .was_read = wl_mpi_was_read, .schedule = wl_calls_schedule                   \
	}

/* Files visited by a format's files() are named by its first parameter. */
static inline const char *wl_format_file(const struct base_plugin *plugin, const void *params)
{
	return *(char *const *)(const void *)((const char *)params + plugin->params[0].offset);
}

#endif
