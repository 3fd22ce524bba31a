/* workload/process/goal.c - members that replay a GOAL schedule (workload/formats/goal/) on the network: parameters,
 * tables, and reports at the end. The actions of members are in goal_play.c. */
#include "workload/process/goal.h"

#include "base/memory.h"
#include "workload/formats/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum layout { LAYOUT_V1, LAYOUT_V2 };

#define AT(field) GOAL_AT(field)

static const struct base_param table[] = {
	{ "file", BASE_FILE, AT(file), NULL, NULL, 0, 0, NULL, "GOAL schedule, as text or in binary form",
	  "Hoefler, Siebert and Lumsdaine, ICPP 2009" },
	{ "unit", BASE_TIME, AT(unit), "1ns", NULL, 1, 1e12, NULL, "time unit of the schedule's computations", NULL },
	{ "layout", BASE_ENUM, AT(layout), "v2", NULL, 0, 0, "v1|v2",
	  "v2: each rank is a member; v1: each rank is a node with one member for each network interface used in the "
	  "schedule, all at one switch",
	  "the two layouts of the ATLAHS traces" },
	GOAL_PARAMS("65535B"),
	{ 0 },
};

uint32_t goal_rank_at(const struct wl_process *p, uint32_t member)
{
	const struct goal_shared *s = goal_shared_of(p);
	uint32_t unit = wl_mapping_unit(p, s->block, member);
	return unit < s->units ? s->rank_of[unit] : WL_NO_RANK;
}

uint32_t goal_place(const struct wl_process *p, uint32_t rank, uint8_t nic)
{
	const struct goal_shared *s = goal_shared_of(p);
	return wl_process_place(p, s->member_of[rank] + (s->block > 1 ? nic * p->per_endpoint : 0));
}

/* The rank whose first member this is, or WL_NO_RANK. */
static uint32_t rank_of_first(const struct wl_process *p, uint32_t me)
{
	uint32_t r = goal_rank_at(p, me);
	return r != WL_NO_RANK && goal_shared_of(p)->member_of[r] == me ? r : WL_NO_RANK;
}

uint32_t goal_member_of(const struct wl_process *p, uint32_t rank)
{
	return goal_shared_of(p)->member_of[rank];
}

size_t goal_state_bytes(const struct wl_process *p)
{
	(void)p;
	return 8;
}

/* --- building --------------------------------------------------------------------------------------------- */

static size_t bytes_of(size_t n, size_t size)
{
	return (n ? n : 1) * size;
}

static void each_table(struct goal_shared *s, void (*visit)(void **at, size_t bytes))
{
	const struct wl_goal *g = &s->goal;
	size_t word = sizeof(uint32_t), places = s->messages.first[g->ranks], out = s->pairs.first_out[g->ranks],
	       in = s->pairs.first_in[g->ranks];
	visit((void **)(void *)&s->rank, bytes_of(g->ranks, sizeof *s->rank));
	visit((void **)(void *)&s->cpu, bytes_of((size_t)g->ranks * g->cpus, sizeof *s->cpu));
	visit((void **)(void *)&s->met, bytes_of(g->ops, word));
	visit((void **)(void *)&s->next_op, bytes_of(g->ops, word));
	visit((void **)(void *)&s->number, bytes_of(g->ops, word));
	visit((void **)(void *)&s->next_message, bytes_of(places, word));
	visit((void **)(void *)&s->come, bytes_of(places, word));
	visit((void **)(void *)&s->sent, bytes_of(out, word));
	visit((void **)(void *)&s->expected, bytes_of(in, word));
}

static void map(void **at, size_t bytes)
{
	*at = base_map(bytes);
}

static void unmap(void **at, size_t bytes)
{
	if (*at)
		base_unmap(*at, bytes);
}

void goal_destroy(struct wl_process *p)
{
	struct goal_shared *s = (struct goal_shared *)(uintptr_t)p->word[0];
	if (!s)
		return;
	if (s->rank)
		each_table(s, unmap);
	goal_free_once(s);
	free(s->member_of);
	free(s->rank_of);
	free(s);
	p->word[0] = 0;
}

static int load_goal(struct wl_process *p, struct wl_goal *out, struct base_errors *errors)
{
	struct base_errors found = { 0 };
	int status = wl_goal_load(out, ((const struct goal_params *)p->params)->file, &found);
	wl_process_pass_on(&found, "file", errors);
	return status;
}

/* The members of a rank are at one switch, which has its state. */
static int check_blocks(const struct wl_process *p, const struct goal_shared *s, struct base_errors *errors)
{
	for (uint32_t r = 0; r < s->goal.ranks; r++) {
		uint32_t first = wl_process_endpoint(p, s->member_of[r]);
		for (uint32_t k = 1; k < s->block; k++) {
			uint32_t other = wl_process_endpoint(p, s->member_of[r] + k * p->per_endpoint);
			if (topo_switch_of(p->topo, first) == topo_switch_of(p->topo, other))
				continue;
			return base_errorf(
			    errors, "layout",
			    "\"v1\" requires the %" PRIu32
			    " interfaces of a rank at one switch, but those of rank %" PRIu32
			    " would be endpoints %" PRIu32 " and %" PRIu32
			    " at two switches: choose nodes, or topology.endpoints, so that each %" PRIu32
			    " consecutive endpoints share a switch",
			    s->block, r, first, other, s->block);
		}
	}
	return 0;
}

/* Does a message of another rank wait for its receive? */
static bool has_rendezvous(const struct goal_shared *s)
{
	const struct wl_goal *g = &s->goal;
	for (uint32_t r = 0; r < g->ranks; r++)
		for (uint32_t i = g->first_op[r]; i < g->first_op[r + 1]; i++)
			if (g->op[i].kind == WL_GOAL_SEND && g->op[i].size > s->eager && g->op[i].peer != r)
				return true;
	return false;
}

static int check_sizes(const struct wl_process *p, const struct goal_shared *s, struct base_errors *errors)
{
	char text[200];
	for (uint32_t i = 0; i < s->goal.ops; i++)
		if (s->goal.op[i].kind == WL_GOAL_SEND && wl_process_is_too_long(p, s->goal.op[i].size))
			return base_errorf(errors, p->plugin->params[0].name,
			                   "rank %" PRIu32 ": %s: has more than 2^31 - 1 packets of %" PRIu32 " B",
			                   wl_goal_rank_of(&s->goal, i),
			                   wl_goal_describe(&s->goal, i, text, sizeof text), p->packet);
	return 0;
}

/* With one endpoint a rank, what the schedule says of interfaces is not used. */
static void warn_of_nics(const struct wl_process *p, const struct goal_shared *s, struct base_errors *errors)
{
	uint64_t named = 0;
	for (uint32_t i = 0; s->block < s->goal.nics && i < s->goal.ops; i++)
		named += s->goal.op[i].kind != WL_GOAL_CALC && s->goal.op[i].nic;
	if (named)
		base_warnf(errors, p->plugin->params[0].name,
		           "%" PRIu64 " sends and receives use a nic other than 0, which is ignored: a rank has one "
		           "endpoint with layout = \"v2\", and one per nic with \"v1\"",
		           named);
}

int goal_build(struct wl_process *p, goal_loader *load, struct base_errors *errors)
{
	const struct goal_params *q = p->params;
	struct goal_shared *s = base_alloc(sizeof *s);
	p->word[0] = (uintptr_t)s;
	p->other_size = 1; /* the least that a message may be */
	s->eager = q->eager;
	s->control = q->control;
	s->unit = (double)(q->unit ? q->unit : 1000) * q->compute_scale;
	s->whole_unit = s->unit == floor(s->unit) && s->unit < 0x1p50 ? (uint64_t)s->unit : 0;
	if (goal_load_once(p, load, s, errors)) {
		goal_destroy(p);
		return -1;
	}
	s->block = q->layout == LAYOUT_V1 ? s->goal.nics : 1;
	s->units = wl_mapping_units(p, s->block);
	if (wl_mapping_make(p, s->goal.ranks, s->block, &s->member_of, &s->rank_of, errors) ||
	    check_blocks(p, s, errors) || check_sizes(p, s, errors)) {
		goal_destroy(p);
		return -1;
	}
	warn_of_nics(p, s, errors);
	p->sent_unused = !has_rendezvous(s);
	p->calls = goal_calls;
	p->ranks = s->goal.ranks;
	for (uint32_t i = 0; i < s->goal.ops; i++)
		if (s->goal.op[i].kind == WL_GOAL_CALC)
			p->work_ps += (double)s->goal.op[i].size * s->unit;
		else
			p->work_bytes += (double)s->goal.op[i].size;
	wl_goal_memory_for(&s->goal, q->file, "is replayed on the network");
	each_table(s, map);
	base_memory_made();
	return 0;
}

static int build_goal(struct wl_process *p, struct base_errors *errors)
{
	return goal_build(p, load_goal, errors);
}

/* A copy in ps. */
int goal_schedule(const struct wl_process *p, struct wl_goal *out, struct wl_schedule_facts *facts,
                  struct base_errors *errors)
{
	(void)facts;
	const struct goal_shared *s = goal_shared_of(p);
	const struct wl_goal *g = &s->goal;
	(void)errors;
	wl_goal_memory_for(g, ((const struct goal_params *)p->params)->file,
	                   "is copied for the replay on an analytical network model");
	*out = *g;
	out->first_op = base_calloc((size_t)g->ranks + 1, sizeof *out->first_op);
	out->op = base_calloc((size_t)g->ops + 1, sizeof *out->op);
	out->next = base_calloc((size_t)g->dependencies + 1, sizeof *out->next);
	memcpy(out->first_op, g->first_op, ((size_t)g->ranks + 1) * sizeof *out->first_op);
	memcpy(out->op, g->op, ((size_t)g->ops + 1) * sizeof *out->op);
	if (g->dependencies)
		memcpy(out->next, g->next, g->dependencies * sizeof *out->next);
	for (uint32_t i = 0; i < g->ops; i++)
		if (g->op[i].kind == WL_GOAL_CALC)
			out->op[i].size = goal_duration(s, g->op[i].size);
	base_memory_made();
	return 0;
}

/* --- what members have changed -------------------------------------------------------------------------------- */

static void show_part(void (*visit)(void *arg, void *at, size_t bytes), void *arg, uint32_t *array, uint32_t first,
                      uint32_t end)
{
	if (end > first)
		visit(arg, array + first, (end - first) * sizeof *array);
}

void goal_regions(const struct wl_process *p, uint32_t me, void (*visit)(void *arg, void *at, size_t bytes), void *arg)
{
	const struct goal_shared *s = goal_shared_of(p);
	const struct wl_goal *g = &s->goal;
	uint32_t r = rank_of_first(p, me);
	if (r == WL_NO_RANK)
		return;
	const uint32_t *op = &g->first_op[r], *place = &s->messages.first[r];
	visit(arg, &s->rank[r], sizeof *s->rank);
	if (g->cpus)
		visit(arg, &s->cpu[(size_t)r * g->cpus], g->cpus * sizeof *s->cpu);
	show_part(visit, arg, s->met, op[0], op[1]);
	show_part(visit, arg, s->next_op, op[0], op[1]);
	show_part(visit, arg, s->number, op[0], op[1]);
	show_part(visit, arg, s->next_message, place[0], place[1]);
	show_part(visit, arg, s->come, place[0], place[1]);
	show_part(visit, arg, s->sent, s->pairs.first_out[r], s->pairs.first_out[r + 1]);
	show_part(visit, arg, s->expected, s->pairs.first_in[r], s->pairs.first_in[r + 1]);
}

#define TEXT_BYTES 128

static void tell_operation(const struct goal_shared *s, uint32_t op, uint32_t rank, const char *what, bool waits,
                           struct net_process_report *r)
{
	char operation[TEXT_BYTES], text[2 * TEXT_BYTES];
	snprintf(text, sizeof text, "rank %" PRIu32 ": %s: %s", rank,
	         wl_goal_describe(&s->goal, op, operation, sizeof operation), what);
	r->line(r->arg, waits, text);
}

/* Messages that a rank has sent, less those that have come to it in order; modulo 2^64. */
static uint64_t under_way(const struct goal_shared *s, uint32_t rank)
{
	const struct wl_goal *g = &s->goal;
	uint64_t messages = 0;
	for (uint32_t k = s->pairs.first_out[rank]; k < s->pairs.first_out[rank + 1]; k++)
		messages += s->sent[k];
	for (uint32_t k = s->pairs.first_in[rank]; k < s->pairs.first_in[rank + 1]; k++)
		messages -= s->expected[k];
	for (uint32_t i = g->first_op[rank]; i < g->first_op[rank + 1]; i++) /* to itself: of no pair */
		messages += g->op[i].kind == WL_GOAL_SEND && g->op[i].peer == rank && s->met[i] == GOAL_DONE &&
		            !s->come[s->messages.place[i]];
	return messages;
}

void goal_report(const struct wl_process *p, uint32_t me, struct net_process_report *r)
{
	const struct goal_shared *s = goal_shared_of(p);
	const struct wl_goal *g = &s->goal;
	uint32_t rank = rank_of_first(p, me);
	if (rank == WL_NO_RANK)
		return;
	const struct goal_rank *x = &s->rank[rank];
	r->unfinished += g->first_op[rank + 1] - g->first_op[rank] - x->done;
	for (uint32_t at = x->posted; at; at = s->next_op[at - 1])
		tell_operation(s, at - 1, rank, "no matching message was sent", true, r);
	for (uint32_t i = g->first_op[rank]; i < g->first_op[rank + 1] && g->first_op[rank + 1] > x->done; i++)
		if (g->op[i].kind == WL_GOAL_SEND && s->met[i] == GOAL_BEGUN)
			tell_operation(s, i, rank, "has not ended", true, r);
	for (uint32_t at = x->arrived; at; at = s->next_message[at - 1]) {
		uint32_t send = s->messages.send[at - 1], from = wl_goal_rank_of(g, send);
		bool eager = g->op[send].size <= s->eager || from == rank;
		r->unreceived += eager;
		tell_operation(s, send, from, "not received", !eager, r);
	}
	r->under_way += under_way(s, rank);
}

static const struct wl_format format = { .content = WL_SCHEDULE, .what = "a schedule", .ends = ".goal .bin" };

static const struct wl_process_ops ops = { GOAL_PROCESS, .format = &format, .build = build_goal,
	                                   .mpi = WL_USES_CLASSES };

const struct base_plugin wl_process_goal = {
	.kind = "process",
	.name = "goal",
	.summary = "members replay a schedule of sends, receives and computations; the run ends when it is complete",
	.source = "Hoefler, Siebert and Lumsdaine, ICPP 2009 (GOAL)",
	.params = table,
	.conditions = wl_mapping_conditions,
	.params_bytes = sizeof(struct goal_params),
	.ops = &ops,
};
