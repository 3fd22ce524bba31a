/* experiments/commands/workload_trace.c - `tilefly workload` for a trace of any format: prints a summary. */
#include "experiments/commands/workload.h"

#include "base/json.h"
#include "base/memory.h"
#include "experiments/commands/exit.h"
#include "workload/formats/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EAGER 65535 /* bytes, by default: more wait for their receive */

/* What is shown of. */
struct shown_trace {
	const struct base_plugin *plugin;
	const struct wl_format *format;
	const struct wl_trace *trace;
	const struct wl_play *play;
};

struct trace_totals {
	uint64_t sends, send_bytes, receives, receive_bytes, compute_ps, collectives, end_ps;
};

static struct trace_totals add_up(const struct wl_play *p)
{
	struct trace_totals t = { 0 };
	for (uint32_t i = 0; i < p->ranks; i++) {
		t.sends += p->rank[i].sends;
		t.send_bytes += p->rank[i].send_bytes;
		t.receives += p->rank[i].receives;
		t.receive_bytes += p->rank[i].receive_bytes;
		t.compute_ps += p->rank[i].compute_ps;
		t.end_ps = p->rank[i].end_ps > t.end_ps ? p->rank[i].end_ps : t.end_ps;
	}
	for (enum mpi_op op = WL_MPI_BARRIER; mpi_is_collective(op); op++)
		t.collectives += p->calls[op];
	return t;
}

/* The i-th kind of call of the trace, or of those that are replayed, by name; false if there are fewer. */
static bool count_call(const struct shown_trace *shown, uint32_t i, char name[64], uint64_t *count)
{
	if (shown->format->calls)
		return shown->format->calls(shown->trace, i, name, count);
	if (i >= WL_MPI_OPS - WL_MPI_SEND)
		return false;
	snprintf(name, 64, "%s", mpi_op_name((enum mpi_op)(WL_MPI_SEND + i)));
	*count = shown->play->calls[WL_MPI_SEND + i];
	return true;
}

static uint64_t all_calls(const struct shown_trace *shown)
{
	char name[64];
	uint64_t sum = 0, count;
	for (uint32_t i = 0; count_call(shown, i, name, &count); i++)
		sum += count;
	return sum;
}

static void json_calls(struct base_json *j, const struct shown_trace *shown)
{
	char name[64];
	uint64_t count;
	base_json_uint(j, "calls", all_calls(shown));
	base_json_object(j, "calls_by_name");
	for (uint32_t i = 0; count_call(shown, i, name, &count); i++)
		if (count)
			base_json_uint(j, name, count);
	base_json_end(j);
}

static void json_unused(struct base_json *j, const struct shown_trace *shown)
{
	const char *name;
	uint64_t count;
	base_json_object(j, "unused_events");
	for (uint32_t i = 0; shown->format->unused(shown->trace, i, &name, &count); i++)
		if (count)
			base_json_uint(j, name, count);
	base_json_end(j);
}

static void json_ranks(struct base_json *j, const struct shown_trace *shown)
{
	const struct wl_play *p = shown->play;
	base_json_array(j, "per_rank");
	for (uint32_t i = 0; i < p->ranks; i++) {
		base_json_object(j, NULL);
		if (shown->format->json_of_rank)
			shown->format->json_of_rank(shown->trace, i, j);
		base_json_uint(j, "sends", p->rank[i].sends);
		base_json_uint(j, "send_bytes", p->rank[i].send_bytes);
		base_json_uint(j, "receives", p->rank[i].receives);
		base_json_uint(j, "receive_bytes", p->rank[i].receive_bytes);
		base_json_uint(j, "compute_ps", p->rank[i].compute_ps);
		base_json_end(j);
	}
	base_json_end(j);
}

/* Of a source of calls. */
static void json_of_calls(struct base_json *j, const struct shown_trace *shown)
{
	const struct wl_play *p = shown->play;
	struct trace_totals t = add_up(p);
	base_json_uint(j, "ranks", p->ranks);
	json_calls(j, shown);
	base_json_uint(j, "sends", t.sends);
	base_json_uint(j, "send_bytes", t.send_bytes);
	base_json_uint(j, "receives", t.receives);
	base_json_uint(j, "receive_bytes", t.receive_bytes);
	base_json_uint(j, "null_requests", p->null_requests);
	base_json_uint(j, "collective_calls", t.collectives);
	base_json_uint(j, "collective_operations", p->collective_operations);
	base_json_uint(j, "compute_ps", t.compute_ps);
	base_json_uint(j, "longest_path_ps", t.end_ps);
	if (shown->format->json)
		shown->format->json(shown->trace, j);
	base_json_uint(j, "incomplete_collectives", p->incomplete);
	base_json_uint(j, "unmatched_messages", p->lost);
	base_json_uint(j, "unmatched_receives", p->left_receives);
	base_json_uint(j, "truncated_messages", p->truncated);
	wl_trace_write_left(p, j);
	if (shown->format->unused)
		json_unused(j, shown);
	json_ranks(j, shown);
}

static void print_trace_json(const struct shown_trace *shown)
{
	struct base_json j = base_json_stream(stdout);
	base_json_object(&j, NULL);
	base_json_string(&j, "record", "trace");
	base_json_string(&j, "format", shown->plugin->name);
	if (shown->format->describe_json)
		shown->format->describe_json(shown->trace, shown->play, &j);
	else
		json_of_calls(&j, shown);
	base_json_end(&j);
	base_json_newline(&j);
}

/* Of a source of calls. */
static void text_of_calls(struct base_buffer *out, const struct shown_trace *shown)
{
	const struct wl_play *p = shown->play;
	const struct wl_format *f = shown->format;
	struct trace_totals t = add_up(p);
	const char *name;
	uint64_t count;
	base_buffer_printf(out, "%-13s %s, %" PRIu32 " ranks\n", "trace", shown->plugin->name, p->ranks);
	if (f->calls)
		base_buffer_printf(out, "%-13s %" PRIu64 "\n", "calls", all_calls(shown));
	base_buffer_printf(out, "%-13s %" PRIu64 ", %" PRIu64 " bytes\n", "messages", t.sends, t.send_bytes);
	base_buffer_printf(out, "%-13s %" PRIu64 " posted, for %" PRIu64 " bytes\n", "receives", t.receives,
	                   t.receive_bytes);
	base_buffer_printf(out, "%-13s %" PRIu64 " calls, %" PRIu64 " operations\n", "collectives", t.collectives,
	                   p->collective_operations);
	for (enum mpi_op op = WL_MPI_BARRIER; mpi_is_collective(op); op++)
		if (p->calls[op])
			base_buffer_printf(out, "  %-20s %12" PRIu64 " calls\n", mpi_op_name(op), p->calls[op]);
	for (uint32_t i = 0; f->unused && f->unused(shown->trace, i, &name, &count); i++)
		if (count)
			base_buffer_printf(out, "%-13s %" PRIu64 " %s\n", "not used", count, name);
	base_buffer_printf(out, "%-13s %.9g s in total, %.9g s along the longest path on a network without delays\n",
	                   "computation", (double)t.compute_ps * 1e-12, (double)t.end_ps * 1e-12);
	if (f->text)
		f->text(shown->trace, out);
}

static void print_trace_text(const struct shown_trace *shown)
{
	struct base_buffer text = { 0 };
	if (shown->format->describe_text)
		shown->format->describe_text(shown->trace, &text);
	else
		text_of_calls(&text, shown);
	fputs(text.data, stdout);
	free(text.data);
}

/* What was sent and not received, and the like. */
static void warn_left(const char *key, const struct wl_play *p, struct base_errors *errors)
{
	for (uint32_t i = 0; i < p->listed_lost; i++)
		base_warnf(errors, key,
		           "a message from rank %" PRIu32 " to rank %" PRIu32 ", tag %" PRId64 ", of %" PRIu64
		           " B is never received",
		           p->message[i].source, p->message[i].dest, p->message[i].tag, p->message[i].bytes);
	if (p->lost > p->listed_lost)
		base_warnf(errors, key, "%" PRIu64 " messages are never received; the first of them are listed",
		           p->lost);
	if (p->truncated)
		base_warnf(errors, key,
		           "%" PRIu64 " messages are longer than the receives that they match, which is an error in "
		           "MPI; the first one, from rank %" PRIu32 " to rank %" PRIu32 ", tag %" PRId64
		           ", has %" PRIu64 " B for a receive of %" PRIu64 " B",
		           p->truncated, p->first_truncated.source, p->first_truncated.dest, p->first_truncated.tag,
		           p->first_truncated.bytes, p->first_room);
	if (p->left_receives && !p->stuck)
		base_warnf(errors, key, "%" PRIu64 " receives get no message and are never waited for",
		           p->left_receives);
}

/* The trace as a schedule, if all of it could be replayed. */
static int emit(const struct xp_options *o, const char *key, bool stuck, struct wl_to_goal *g,
                struct base_errors *errors)
{
	struct wl_goal goal = { 0 };
	int status = XP_FAILURE;
	if (wl_to_goal_end(g, &goal))
		base_errorf(errors, key,
		            "is too large for a schedule, which can have fewer than 2^32 operations and dependencies");
	else if (!stuck)
		status = xp_workload_write(o, &goal);
	if (g->frozen)
		base_warnf(errors, key,
		           "%" PRIu64 " receives with a wildcard source or tag are written with the message that they "
		           "match in this replay; likewise Waitany and similar calls",
		           g->frozen);
	if (g->synchronous)
		base_warnf(errors, key,
		           "%" PRIu64 " synchronous sends (Ssend, Issend) are written as standard sends, because a "
		           "schedule has no synchronous sends: whether these sends wait for the receive "
		           "depends on eager of the replay (--loggops: S)",
		           g->synchronous);
	if (g->buffered > EAGER)
		base_warnf(errors, key,
		           "sends of the trace, whatever their size, complete as soon as the message has been sent: "
		           "replay the schedule with eager (--loggops: S) of at least %" PRIu64 "B",
		           g->buffered);
	wl_goal_free(&goal);
	return status;
}

static int show(const struct xp_options *o, const char *key, const struct base_plugin *plugin, const struct wl_trace *t,
                struct base_errors *errors)
{
	const struct wl_format *format = wl_format_of(plugin);
	struct mpi_choices choices = { .preset = WL_MPI_BASIC };
	struct wl_to_goal goal = { 0 };
	struct wl_play play;
	struct shown_trace shown = { plugin, format, t, &play };
	int status = XP_USAGE;
	if (o->collectives && mpi_choices_read(&choices, o->collectives, "@--collectives", errors))
		return XP_USAGE;
	if (o->emit)
		wl_to_goal_memory_for(t->name, t->ranks);
	else
		base_memory_for("%.600s: replaying a trace of %" PRIu32
		                " ranks needs memory for ranks and for messages in flight; use more memory (another "
		                "host, ulimit -v) or a shorter trace",
		                t->name, t->ranks);
	if (o->emit)
		wl_to_goal_begin(&goal, t->ranks, &choices);
	if (!wl_trace_play(format, t, &play, o->emit ? &goal : NULL, errors) &&
	    !mpi_choices_check(&choices, play.collectives, "@--collectives", errors)) {
		warn_left(key, &play, errors);
		bool stuck = play.stuck || play.incomplete;
		bool bad = stuck || (o->strict && (play.lost || play.truncated || play.mismatched));
		status = bad ? XP_FAILURE : XP_OK;
		if (o->emit) {
			int written = emit(o, key, stuck, &goal, errors);
			status = status == XP_OK ? written : status;
		} else if (o->json)
			print_trace_json(&shown);
		else if (!o->quiet)
			print_trace_text(&shown);
	}
	if (goal.chain) {
		struct wl_goal left = { 0 };
		wl_to_goal_end(&goal, &left);
		wl_goal_free(&left);
	}
	wl_play_free(&play);
	base_memory_made();
	return status;
}

/* Sets the parameters of a plug-in of kind "process": its first parameter is the input file, `groups` is the value of
 * --groups if given, and all others have their defaults. Returns 0, or -1 with errors. */
static int fill_params(const struct xp_options *o, const struct base_plugin *plugin, void *params,
                       struct base_errors *errors)
{
	int status = base_params_defaults(plugin->params, params, errors) |
	             base_param_parse(&plugin->params[0], params, o->operand[0], errors);
	for (const struct base_param *p = plugin->params; p->name && o->groups; p++)
		if (!strcmp(p->name, "groups"))
			status |= base_param_parse(p, params, o->groups, errors);
	return status ? -1 : 0;
}

/* `name`: what messages call the file. */
static int open_and_show(const struct xp_options *o, const struct base_plugin *plugin, const char *name,
                         struct base_errors *errors)
{
	const struct wl_format *format = wl_format_of(plugin);
	struct wl_trace trace = { .name = name };
	void *params = base_calloc(1, plugin->params_bytes);
	char key[1200];
	int status = XP_USAGE;
	snprintf(key, sizeof key, "@%.1000s", name);
	if (!fill_params(o, plugin, params, errors) && !wl_trace_open(format, &trace, params, NULL, errors)) {
		if (!format->check || !format->check(&trace, errors))
			status = show(o, key, plugin, &trace, errors);
		if (format->warn)
			format->warn(&trace, false, key, errors);
		wl_trace_close(format, &trace);
	}
	base_params_free(plugin->params, params);
	free(params);
	return status;
}

int xp_workload_trace(const struct xp_options *o, const struct base_plugin *plugin, struct base_errors *errors)
{
	return open_and_show(o, plugin, o->operand[0], errors);
}

int xp_recording_to_goal(const char *calls, const char *out, enum xp_emit form, const char *collectives,
                         struct base_errors *errors)
{
	char *operand[] = { (char *)(uintptr_t)calls, NULL };
	struct xp_options o = {
		.operand = operand, .operands = 1, .emit = (int)form, .out = out, .collectives = collectives
	};
	return open_and_show(&o, &wl_process_recorded, out, errors);
}
