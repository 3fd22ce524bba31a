/* experiments/commands/workload_trace.c - `tilefly workload` of a trace: what it amounts to, whatever its format. */
#include "experiments/commands/workload.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "experiments/commands/exit.h"
#include "experiments/config/message.h"
#include "experiments/results/file.h"
#include "sim/sim.h"
#include "workload/mpi/text.h"
#include "workload/trace/chakra.h"
#include "workload/trace/dumpi.h"
#include "workload/trace/otf2.h"
#include "workload/trace/play.h"
#include "workload/trace/to_goal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Options that are of models and schedules. */
static void check_options(const struct xp_options *o, struct base_errors *errors)
{
	const struct {
		const char *name;
		bool given;
	} row[] = {
		{ "--machine", o->machine != NULL }, { "--socket", o->socket != NULL }, { "--param", o->nsets > 0 },
		{ "--ranks", o->ranks != NULL },     { "--unroll", o->unroll },         { "--seed", o->seed != NULL },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		if (row[i].given)
			xp_error_at(errors, row[i].name,
			            "is of models (.aspen): a trace is fixed, and so are its ranks");
	if (o->most)
		xp_error_at(errors, "--most", "is of models (.aspen)");
	if (o->emit == XP_EMIT_MPI_C)
		xp_error_at(errors, "--emit", "a trace becomes goal or goal-bin; mpi-c is of models (.aspen)");
	if (o->emit && o->json)
		xp_error_at(errors, "--emit", "what is written is no JSON");
	if (o->collectives && !o->emit)
		xp_error_at(errors, "--collectives", "has an effect only with --emit");
	if (o->out && !o->emit)
		xp_error_at(errors, "--out", "has an effect only with --emit");
}

static void json_messages(struct base_json *j, const char *name, const struct wl_play_message *m, uint32_t n)
{
	base_json_array(j, name);
	for (uint32_t i = 0; i < n; i++) {
		base_json_object(j, NULL);
		if (m[i].source == UINT32_MAX)
			base_json_null(j, "source");
		else
			base_json_uint(j, "source", m[i].source);
		base_json_uint(j, "dest", m[i].dest);
		if (m[i].tag == WL_MPI_ANY)
			base_json_null(j, "tag");
		else
			base_json_uint(j, "tag", (uint64_t)m[i].tag);
		base_json_uint(j, "bytes", m[i].bytes);
		base_json_end(j);
	}
	base_json_end(j);
}

static void json_otf2(struct base_json *j, const struct wl_otf2_rank *r)
{
	base_json_uint(j, "blocking_sends", r->sends);
	base_json_uint(j, "blocking_receives", r->receives);
	base_json_uint(j, "isends", r->isends);
	base_json_uint(j, "irecvs", r->irecvs);
	base_json_uint(j, "recorded_receive_bytes", r->receive_bytes);
	base_json_uint(j, "collectives", r->collectives);
	base_json_uint(j, "collective_sent_bytes", r->collective_sent);
	base_json_uint(j, "collective_received_bytes", r->collective_received);
}

/* What there is to tell of a trace. */
struct shown_trace {
	const char *format, *name; /* what messages call the file */
	const struct wl_play *play;
	const struct wl_dumpi_facts *dumpi; /* or NULL */
	const struct wl_otf2_facts *otf2;   /* or NULL */
};

static void json_unused(struct base_json *j, const struct wl_otf2_facts *o)
{
	base_json_object(j, "unused_events");
	for (size_t i = 0; i < sizeof o->unused / sizeof *o->unused; i++)
		if (o->unused[i])
			base_json_uint(j, wl_otf2_unused_name[i], o->unused[i]);
	base_json_end(j);
}

static void json_ranks(struct base_json *j, const struct shown_trace *t)
{
	const struct wl_play *p = t->play;
	if (t->otf2)
		json_unused(j, t->otf2);
	base_json_array(j, "per_rank");
	for (uint32_t i = 0; i < p->ranks; i++) {
		base_json_object(j, NULL);
		if (t->dumpi)
			base_json_uint(j, "calls", t->dumpi->rank_calls[i]);
		if (t->otf2)
			json_otf2(j, &t->otf2->rank[i]);
		base_json_uint(j, "sends", p->rank[i].sends);
		base_json_uint(j, "send_bytes", p->rank[i].send_bytes);
		base_json_uint(j, "receives", p->rank[i].receives);
		base_json_uint(j, "receive_bytes", p->rank[i].receive_bytes);
		base_json_uint(j, "compute_ps", p->rank[i].compute_ps);
		base_json_end(j);
	}
	base_json_end(j);
}

struct totals {
	uint64_t sends, send_bytes, receives, receive_bytes, compute_ps, collectives, end_ps;
};

static struct totals add_up(const struct wl_play *p)
{
	struct totals t = { 0 };
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

static void json_calls(struct base_json *j, const struct wl_play *p, const struct wl_dumpi_facts *d)
{
	char name[64];
	base_json_object(j, "calls_by_name");
	for (uint32_t i = 0; i < DUMPI_FUNCTIONS && d; i++) {
		snprintf(name, sizeof name, "MPI_%s", dumpi_function[i].name);
		if (d->calls[i])
			base_json_uint(j, name, d->calls[i]);
	}
	for (enum mpi_op op = WL_MPI_SEND; op < WL_MPI_OPS && !d; op++)
		if (p->calls[op])
			base_json_uint(j, mpi_op_name(op), p->calls[op]);
	base_json_end(j);
}

static void print_json(const struct shown_trace *shown)
{
	const struct wl_play *p = shown->play;
	const struct wl_dumpi_facts *d = shown->dumpi;
	struct base_json json = base_json_stream(stdout), *j = &json;
	struct totals t = add_up(p);
	uint64_t calls = 0;
	for (uint32_t i = 0; i < DUMPI_FUNCTIONS && d; i++)
		calls += d->calls[i];
	for (enum mpi_op op = WL_MPI_SEND; op < WL_MPI_OPS && !d; op++)
		calls += p->calls[op];
	base_json_object(j, NULL);
	base_json_string(j, "record", "trace");
	base_json_string(j, "format", shown->format);
	base_json_uint(j, "ranks", p->ranks);
	base_json_uint(j, "calls", calls);
	json_calls(j, p, d);
	base_json_uint(j, "sends", t.sends);
	base_json_uint(j, "send_bytes", t.send_bytes);
	base_json_uint(j, "receives", t.receives);
	base_json_uint(j, "receive_bytes", t.receive_bytes);
	base_json_uint(j, "null_requests", p->null_requests);
	base_json_uint(j, "collective_calls", t.collectives);
	base_json_uint(j, "collective_operations", p->collective_operations);
	base_json_uint(j, "compute_ps", t.compute_ps);
	base_json_uint(j, "longest_path_ps", t.end_ps);
	if (d) {
		base_json_uint(j, "wall_ns_outside_mpi", d->compute_ns[DUMPI_WALL]);
		base_json_uint(j, "wall_ns_in_mpi", d->mpi_ns[DUMPI_WALL]);
		base_json_uint(j, "cpu_ns_outside_mpi", d->compute_ns[DUMPI_CPU]);
		base_json_uint(j, "cpu_ns_in_mpi", d->mpi_ns[DUMPI_CPU]);
		base_json_uint(j, "longest_rank_wall_ns", d->longest_ns);
	}
	base_json_uint(j, "incomplete_collectives", p->incomplete);
	base_json_uint(j, "unmatched_messages", p->lost);
	base_json_uint(j, "unmatched_receives", p->left_receives);
	base_json_uint(j, "truncated_messages", p->truncated);
	json_messages(j, "messages_left", p->message, p->listed_lost);
	json_messages(j, "receives_left", p->message + p->listed_lost, p->listed_left);
	json_ranks(j, shown);
	base_json_end(j);
	base_json_newline(j);
}

static void print_text(const struct shown_trace *shown)
{
	const struct wl_play *p = shown->play;
	const struct wl_dumpi_facts *d = shown->dumpi;
	struct totals t = add_up(p);
	uint64_t calls = 0;
	for (uint32_t i = 0; i < DUMPI_FUNCTIONS && d; i++)
		calls += d->calls[i];
	printf("%-13s %s, %" PRIu32 " ranks\n", "trace", shown->format, p->ranks);
	if (d)
		printf("%-13s %" PRIu64 "\n", "calls", calls);
	printf("%-13s %" PRIu64 ", %" PRIu64 " bytes\n", "messages", t.sends, t.send_bytes);
	printf("%-13s %" PRIu64 " posted, for %" PRIu64 " bytes\n", "receives", t.receives, t.receive_bytes);
	printf("%-13s %" PRIu64 " calls, %" PRIu64 " operations\n", "collectives", t.collectives,
	       p->collective_operations);
	for (enum mpi_op op = WL_MPI_BARRIER; mpi_is_collective(op); op++)
		if (p->calls[op])
			printf("  %-20s %12" PRIu64 " calls\n", mpi_op_name(op), p->calls[op]);
	for (size_t i = 0; shown->otf2 && i < sizeof shown->otf2->unused / sizeof *shown->otf2->unused; i++)
		if (shown->otf2->unused[i])
			printf("%-13s %" PRIu64 " %s\n", "not used", shown->otf2->unused[i], wl_otf2_unused_name[i]);
	printf("%-13s %.9g s in all, %.9g s along the longest path on a network that takes no time\n", "computation",
	       (double)t.compute_ps * 1e-12, (double)t.end_ps * 1e-12);
	if (d)
		printf("%-13s %.9g s in MPI in all, %.9g s of the longest rank\n", "wall clock",
		       (double)d->mpi_ns[DUMPI_WALL] * 1e-9, (double)d->longest_ns * 1e-9);
}

static void warn_messages(const char *key, const struct wl_play_message *m, uint32_t n, uint64_t of,
                          struct base_errors *errors)
{
	for (uint32_t i = 0; i < n; i++)
		base_warnf(errors, key,
		           "a message from rank %" PRIu32 " to rank %" PRIu32 ", tag %" PRId64 ", of %" PRIu64
		           " B is never received",
		           m[i].source, m[i].dest, m[i].tag, m[i].bytes);
	if (of > n)
		base_warnf(errors, key, "%" PRIu64 " messages are never received, of which these are the first", of);
}

/* What was sent and not received, and the like. */
static void warn_left(const char *file, const struct wl_play *p, const struct wl_dumpi_facts *d,
                      struct base_errors *errors)
{
	char key[1200];
	snprintf(key, sizeof key, "@%.1000s", file);
	warn_messages(key, p->message, p->listed_lost, p->lost, errors);
	if (p->truncated)
		base_warnf(
		    errors, key,
		    "%" PRIu64
		    " messages are longer than the receive that they match, which MPI calls an error; the first, "
		    "from rank %" PRIu32 " to rank %" PRIu32 ", tag %" PRId64 ": %" PRIu64 " B for %" PRIu64 " B",
		    p->truncated, p->first_truncated.source, p->first_truncated.dest, p->first_truncated.tag,
		    p->first_truncated.bytes, p->first_room);
	if (p->left_receives && !p->stuck)
		base_warnf(errors, key, "%" PRIu64 " receives get no message and are not waited for", p->left_receives);
	if (d && d->unfinished)
		base_warnf(errors, key, "%" PRIu32 " ranks do not come to MPI_Finalize", d->unfinished);
}

static int write_goal(const struct xp_options *o, const struct wl_goal *goal)
{
	struct xp_file file;
	int status = xp_workload_open(&file, o);
	if (status)
		return status;
	if (o->emit == XP_EMIT_GOAL)
		wl_goal_write_text(goal, file.stream);
	else
		wl_goal_write_binary(goal, file.stream);
	return xp_file_close(&file) ? XP_FAILURE : XP_OK;
}

/* The trace as a schedule, if all of it could be played. */
static int emit(const struct xp_options *o, const char *name, bool stuck, struct wl_to_goal *g,
                struct base_errors *errors)
{
	struct wl_goal goal = { 0 };
	char key[1200];
	int status = XP_FAILURE;
	snprintf(key, sizeof key, "@%.1000s", name);
	if (wl_to_goal_end(g, &goal))
		base_errorf(errors, key, "is too large for a schedule: 2^32 operations or dependencies");
	else if (!stuck)
		status = write_goal(o, &goal);
	if (g->frozen)
		base_warnf(errors, key,
		           "%" PRIu64 " receives of any source or tag are written with what they match here; so are "
		           "Waitany and the like",
		           g->frozen);
	if (g->synchronous)
		base_warnf(errors, key,
		           "%" PRIu64
		           " synchronous sends (Ssend, Issend) are written as standard ones, which a schedule "
		           "has alone: whether they wait for their receive is a matter of eager (--loggops: S)",
		           g->synchronous);
	wl_goal_free(&goal);
	return status;
}

static int check_collectives(const struct mpi_choices *choices, const struct wl_play *p, struct base_errors *errors)
{
	uint64_t used = 0;
	for (enum mpi_op op = WL_MPI_BARRIER; mpi_is_collective(op); op++)
		used |= p->calls[op] ? mpi_collective_bit(op) : 0;
	return mpi_choices_check(choices, used, "@--collectives", errors);
}

static int show(const struct xp_options *o, struct shown_trace *t, const struct mpi_source *s,
                struct base_errors *errors)
{
	struct mpi_choices choices = { .preset = WL_MPI_BASIC };
	struct wl_to_goal goal = { 0 };
	struct wl_play play;
	int status = XP_USAGE;
	t->play = &play;
	if (o->collectives && mpi_choices_read(&choices, o->collectives, "@--collectives", errors))
		return XP_USAGE;
	if (o->emit)
		wl_to_goal_memory_for(t->name, s->ranks);
	else
		base_memory_for(
		    "%.600s: a trace of %" PRIu32 " ranks is played, which takes memory for ranks and for "
		    "what is under way; more memory (another host, ulimit -v), or a shorter trace, is needed",
		    t->name, s->ranks);
	if (o->emit)
		wl_to_goal_begin(&goal, s->ranks, &choices);
	if (!wl_play_to_goal(&play, s, o->emit ? &goal : NULL, errors) && !check_collectives(&choices, &play, errors)) {
		warn_left(t->name, &play, t->dumpi, errors);
		bool stuck = play.stuck || play.incomplete;
		status = stuck || (o->strict && (play.lost || play.truncated)) ? XP_FAILURE : XP_OK;
		if (o->emit) {
			int written = emit(o, t->name, stuck, &goal, errors);
			status = status == XP_OK ? written : status;
		} else if (o->json)
			print_json(t);
		else if (!o->quiet)
			print_text(t);
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

int xp_workload_dumpi(const struct xp_options *o)
{
	struct base_errors errors = { 0 };
	struct mpi_source source = { 0 };
	int status = XP_USAGE;
	check_options(o, &errors);
	if (!errors.errors && !wl_dumpi_open(&source, o->operand[0], DUMPI_WALL, &errors)) {
		struct shown_trace shown = { .format = "dumpi",
			                     .name = o->operand[0],
			                     .dumpi = wl_dumpi_facts(&source) };
		status = show(o, &shown, &source, &errors);
		source.ops->close(&source);
	}
	if (sim_rank() == 0)
		xp_message_errors(&errors);
	base_errors_free(&errors);
	return status;
}

int xp_workload_otf2(const struct xp_options *o)
{
	struct base_errors errors = { 0 };
	struct mpi_source source = { 0 };
	char key[1200];
	int status = XP_USAGE;
	check_options(o, &errors);
	if (!errors.errors && !wl_otf2_open(&source, o->operand[0], &errors)) {
		struct shown_trace shown = { .format = "otf2", .name = o->operand[0], .otf2 = wl_otf2_facts(&source) };
		status = show(o, &shown, &source, &errors);
		snprintf(key, sizeof key, "@%.1000s", o->operand[0]);
		if (shown.otf2->unfinished)
			base_warnf(&errors, key,
			           "%" PRIu64
			           " receives were posted and never completed: their source is not recorded, "
			           "and they are left out",
			           shown.otf2->unfinished);
		wl_otf2_warn(shown.otf2, key, &errors);
		source.ops->close(&source);
	}
	if (sim_rank() == 0)
		xp_message_errors(&errors);
	base_errors_free(&errors);
	return status;
}

static int recorded(const struct xp_options *o, const char *name, struct base_errors *errors)
{
	struct mpi_source source = { 0 };
	struct shown_trace shown = { .format = "recorded", .name = name };
	int status = XP_USAGE;
	if (mpi_text_open(&source, o->operand[0], errors))
		return XP_USAGE;
	if (!mpi_text_check(&source, errors))
		status = show(o, &shown, &source, errors);
	source.ops->close(&source);
	return status;
}

int xp_workload_recorded(const struct xp_options *o)
{
	struct base_errors errors = { 0 };
	int status = XP_USAGE;
	check_options(o, &errors);
	if (!errors.errors)
		status = recorded(o, o->operand[0], &errors);
	if (sim_rank() == 0)
		xp_message_errors(&errors);
	base_errors_free(&errors);
	return status;
}

int xp_recording_to_goal(const char *calls, const char *out, enum xp_emit form, const char *collectives,
                         struct base_errors *errors)
{
	char *operand[] = { (char *)(uintptr_t)calls, NULL };
	struct xp_options o = {
		.operand = operand, .operands = 1, .emit = (int)form, .out = out, .collectives = collectives
	};
	return recorded(&o, out, errors);
}

#define EAGER 65535 /* bytes, by default: more wait for their receive */

/* --- Chakra ---------------------------------------------------------------------------------------------------- */

static const char *const node_name[CHAKRA_TYPES] = { "invalid_nodes", "metadata", "loads",    "stores",
	                                             "computations",  "sends",    "receives", "collectives" };

static struct wl_chakra_npu add_up_npus(const struct wl_chakra *c)
{
	struct wl_chakra_npu sum = { 0 };
	for (uint32_t i = 0; i < c->npus; i++) {
		const struct wl_chakra_npu *n = &c->npu[i];
		for (unsigned k = 0; k < CHAKRA_TYPES; k++)
			sum.nodes[k] += n->nodes[k];
		sum.data_needs += n->data_needs;
		sum.control_needs += n->control_needs;
		sum.send_bytes += n->send_bytes;
		sum.receive_bytes += n->receive_bytes;
		sum.collective_bytes += n->collective_bytes;
		sum.compute_us += n->compute_us;
	}
	return sum;
}

static void json_npu(struct base_json *j, const struct wl_chakra_npu *n)
{
	for (unsigned k = CHAKRA_INVALID; k < CHAKRA_TYPES; k++)
		base_json_uint(j, node_name[k], n->nodes[k]);
	base_json_uint(j, "data_dependencies", n->data_needs);
	base_json_uint(j, "control_dependencies", n->control_needs);
	base_json_uint(j, "send_bytes", n->send_bytes);
	base_json_uint(j, "receive_bytes", n->receive_bytes);
	base_json_uint(j, "collective_bytes", n->collective_bytes);
	base_json_uint(j, "compute_us", n->compute_us);
}

static void chakra_json_unused(struct base_json *j, const struct wl_chakra *c)
{
	const struct chakra_unused *u = &c->unused;
	base_json_uint(j, "host_launches", u->launches);
	base_json_uint(j, "dropped_control_dependencies", u->controls + u->stacks);
	base_json_uint(j, "computations_without_time", u->untimed);
	base_json_uint(j, "mismatched_sizes", c->sizes.mismatched);
	base_json_object(j, "unused_attributes");
	for (uint32_t i = 0; i < u->names.n; i++)
		base_json_uint(j, u->names.v[i].name, u->names.v[i].count);
	base_json_end(j);
	base_json_uint(j, "other_unused_attributes", u->names.others);
}

static void chakra_json(const struct wl_chakra *c)
{
	struct base_json json = base_json_stream(stdout), *j = &json;
	struct wl_chakra_npu sum = add_up_npus(c);
	base_json_object(j, NULL);
	base_json_string(j, "record", "trace");
	base_json_string(j, "format", "chakra");
	base_json_string(j, "version", c->version);
	base_json_uint(j, "ranks", c->npus);
	json_npu(j, &sum);
	base_json_object(j, "collectives_by_name");
	for (unsigned i = 0; i < CHAKRA_COLLECTIVES; i++)
		if (c->collectives[i])
			base_json_uint(j, chakra_collective_name[i], c->collectives[i]);
	base_json_end(j);
	base_json_uint(j, "process_groups", c->groups);
	chakra_json_unused(j, c);
	base_json_uint(j, "unmatched_messages", c->lost);
	base_json_uint(j, "unmatched_receives", c->left_receives);
	json_messages(j, "messages_left", c->message, c->listed_lost);
	json_messages(j, "receives_left", c->message + c->listed_lost, c->listed_left);
	base_json_array(j, "per_rank");
	for (uint32_t i = 0; i < c->npus; i++) {
		base_json_object(j, NULL);
		json_npu(j, &c->npu[i]);
		base_json_end(j);
	}
	base_json_end(j);
	base_json_end(j);
	base_json_newline(j);
}

static void chakra_text(const struct wl_chakra *c)
{
	struct wl_chakra_npu sum = add_up_npus(c);
	char version[CHAKRA_TEXT];
	printf("%-13s chakra %s, %" PRIu32 " ranks\n", "trace", base_harmless_copy(c->version, version, sizeof version),
	       c->npus);
	for (unsigned k = CHAKRA_INVALID; k < CHAKRA_TYPES; k++)
		if (sum.nodes[k])
			printf("%-13s %" PRIu64 "\n", node_name[k], sum.nodes[k]);
	printf("%-13s %" PRIu64 " of data, %" PRIu64 " of control\n", "dependencies", sum.data_needs,
	       sum.control_needs);
	printf("%-13s %" PRIu64 " sent, %" PRIu64 " received, %" PRIu64 " in collectives\n", "bytes", sum.send_bytes,
	       sum.receive_bytes, sum.collective_bytes);
	for (unsigned i = 0; i < CHAKRA_COLLECTIVES; i++)
		if (c->collectives[i])
			printf("  %-20s %12" PRIu64 "\n", chakra_collective_name[i], c->collectives[i]);
	printf("%-13s %" PRIu64 " us in all\n", "computation", sum.compute_us);
	const struct chakra_unused *u = &c->unused;
	if (u->launches)
		printf("%-13s %" PRIu64 " calls of collectives, among the computations\n", "host", u->launches);
	for (uint32_t i = 0; i < u->names.n; i++)
		printf("%-13s %-24s %12" PRIu64 "\n", i ? "" : "not used",
		       base_harmless_copy(u->names.v[i].name, version, sizeof version), u->names.v[i].count);
	if (u->names.others)
		printf("%-13s %-24s %12" PRIu64 "\n", "", "of more names", u->names.others);
}

/* Messages that are left, and NPUs that wait for ever, are reported. -1: the trace could not be read again. */
static int chakra_left(const struct xp_options *o, const struct wl_chakra *c, bool *stuck, struct base_errors *errors)
{
	char key[1200];
	uint32_t npus = 0;
	snprintf(key, sizeof key, "@%.1000s", o->operand[0]);
	warn_messages(key, c->message, c->listed_lost, c->lost, errors);
	for (uint32_t i = c->listed_lost; i < c->listed_lost + c->listed_left; i++)
		base_errorf(errors, key,
		            "rank %" PRIu32 " waits for ever for a message from rank %" PRIu32 ", tag %" PRId64,
		            c->message[i].dest, c->message[i].source, c->message[i].tag);
	*stuck = c->left_receives > 0;
	if (*stuck)
		return 0;
	base_memory_for("%.600s: a trace of %" PRIu32 " NPUs is played, which takes memory for all of its nodes; more "
	                "memory (another host, ulimit -v), or a shorter trace, is needed",
	                o->operand[0], c->npus);
	int status = wl_chakra_play(c, &npus, errors);
	base_memory_made();
	*stuck = npus > 0;
	return status;
}

static int chakra_emit(const struct xp_options *o, const struct wl_chakra *c, const struct mpi_choices *choices,
                       struct base_errors *errors)
{
	struct wl_to_goal goal;
	char key[1200];
	snprintf(key, sizeof key, "@%.1000s", o->operand[0]);
	wl_to_goal_memory_for(o->operand[0], c->npus);
	wl_to_goal_begin(&goal, c->npus, choices);
	int status = wl_chakra_to_goal(c, &goal, errors) ? XP_USAGE : XP_OK;
	int written = emit(o, o->operand[0], status != XP_OK, &goal, errors);
	base_memory_made();
	if (c->largest > EAGER)
		base_warnf(errors, key,
		           "its sends end when they have left, whatever their size: replay the schedule with "
		           "eager (--loggops: S) of %" PRIu64 "B at least",
		           c->largest);
	return status == XP_OK ? written : status;
}

int xp_workload_chakra(const struct xp_options *o)
{
	struct base_errors errors = { 0 };
	struct mpi_choices choices = { .preset = WL_MPI_BASIC };
	struct wl_chakra c = { 0 };
	bool stuck = false;
	int status = XP_USAGE;
	check_options(o, &errors);
	if (o->collectives)
		mpi_choices_read(&choices, o->collectives, "@--collectives", &errors);
	if (!errors.errors && !wl_chakra_read(&c, o->operand[0], NULL, &errors) &&
	    !(o->groups && wl_chakra_order_groups(&c, o->groups, &errors)) &&
	    !mpi_choices_check(&choices, wl_chakra_calls(&c), "@--collectives", &errors) &&
	    !chakra_left(o, &c, &stuck, &errors)) {
		status = stuck || (o->strict && (c.lost || c.sizes.mismatched)) ? XP_FAILURE : XP_OK;
		if (o->emit && !stuck) {
			int written = chakra_emit(o, &c, &choices, &errors);
			status = status == XP_OK ? written : status;
		} else if (!o->emit && o->json) {
			chakra_json(&c);
		} else if (!o->emit && !o->quiet) {
			chakra_text(&c);
		}
	}
	wl_chakra_free(&c);
	if (sim_rank() == 0)
		xp_message_errors(&errors);
	base_errors_free(&errors);
	return status;
}
