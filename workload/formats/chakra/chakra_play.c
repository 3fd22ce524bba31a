/* workload/formats/chakra/chakra_play.c - executes the graphs of a Chakra trace, to determine whether they finish.
 *
 * No time passes: a node whose dependencies are met is completed at once, or waits for a message or for other members.
 * The set of completed nodes does not depend on the order, except for receives of one channel, which match messages as
 * they arrive. Nodes that are not completed at the end never will be; since graphs have no cycles, one of the remaining
 * nodes of an NPU is waiting. */
#include "workload/formats/chakra/chakra.h"
#include "workload/formats/chakra/chakra_json.h"

#include "base/check.h"
#include "base/memory.h"
#include "workload/formats/map.h"

#include <inttypes.h>
#include <stdlib.h>

#define NONE UINT32_MAX
#define STUCK_TOLD 20u

struct play_node {
	uint64_t id, place;
	uint64_t first;   /* in `after`: what needs it; its end is the next node's */
	uint32_t unmet;   /* what it needs and is not done */
	uint32_t meeting; /* index of its channel, or of its meeting */
	uint32_t next;    /* of those that wait there */
	uint32_t peer;    /* of a message */
	uint32_t tag;
	uint8_t type, kind;
	bool done, empty; /* empty: of 0 bytes */
};

/* Messages of a source, a destination and a tag; or the members of one collective. */
struct meeting {
	uint32_t waiting, last; /* nodes */
	uint64_t there;         /* messages that are not received; members that have come */
	uint32_t group;
	bool root_there;
};

struct player {
	const struct wl_chakra *c;
	struct base_errors *errors;
	struct play_node *node;
	uint32_t nodes, node_room;
	uint32_t *after;
	uint64_t edges, edge_room;
	struct meeting *meeting;
	uint32_t meetings, meeting_room;
	uint64_t *first_meeting;  /* [groups] of its collectives */
	struct wl_map channel;    /* (source, destination, tag): meeting + 1 */
	struct wl_map sized;      /* (such a meeting, size): meeting + 1, where messages match by size */
	uint32_t npu;             /* that is read */
	uint32_t *begin;          /* [npus + 1] nodes of each */
	uint32_t *ready, readies; /* [nodes] */
};

/* --- reading ------------------------------------------------------------------------------------------------------ */

static uint32_t add_meeting(struct player *p, uint32_t group)
{
	if (p->meetings == p->meeting_room) {
		p->meeting_room = p->meeting_room ? 2 * p->meeting_room : 64;
		p->meeting = base_realloc(p->meeting, p->meeting_room * sizeof *p->meeting);
	}
	p->meeting[p->meetings] = (struct meeting){ .waiting = NONE, .last = NONE, .group = group };
	return p->meetings++;
}

static uint32_t meeting_at(struct player *p, uint64_t *slot)
{
	if (!*slot)
		*slot = add_meeting(p, NONE) + UINT64_C(1);
	return (uint32_t)*slot - 1;
}

static uint32_t channel_of(struct player *p, uint64_t channel, uint64_t bytes)
{
	uint32_t meeting = meeting_at(p, wl_map_put(&p->channel, channel));
	uint32_t size = chakra_sizes_of(&p->c->sizes, channel, bytes);
	return size ? meeting_at(p, wl_map_put(&p->sized, (uint64_t)meeting << 32 | size)) : meeting;
}

/* Of the NPU that is read. */
static bool add_node(void *arg, const struct chakra_node *n, const struct chakra_collectives *collectives)
{
	struct player *p = arg;
	uint32_t npu = p->npu;
	if (p->nodes == UINT32_MAX / 2)
		return false;
	if (p->nodes == p->node_room) {
		p->node_room = p->node_room ? 2 * p->node_room : 1024;
		p->node = base_realloc(p->node, p->node_room * sizeof *p->node);
	}
	struct play_node *to = &p->node[p->nodes++];
	*to = (struct play_node){ .id = n->id,
		                  .place = n->place,
		                  .unmet = chakra_ordering_needs(&p->c->npu[npu], n),
		                  .next = NONE,
		                  .type = (uint8_t)n->type,
		                  .kind = (uint8_t)n->value[CHAKRA_COMM_TYPE],
		                  .empty = !n->value[CHAKRA_COMM_SIZE] };
	if (n->type == CHAKRA_SEND || n->type == CHAKRA_RECV) {
		bool send = n->type == CHAKRA_SEND;
		to->peer = (uint32_t)n->value[send ? CHAKRA_COMM_DST : CHAKRA_COMM_SRC];
		to->tag = (uint32_t)n->value[CHAKRA_COMM_TAG];
		to->meeting = channel_of(p, chakra_channel(send ? npu : to->peer, send ? to->peer : npu, to->tag),
		                         n->value[CHAKRA_COMM_SIZE]);
	} else if (n->type == CHAKRA_COLL) {
		const struct chakra_collective *k = chakra_collectives_find(collectives, n->id);
		to->meeting = (uint32_t)(p->first_meeting[k->group] + k->number);
	}
	return true;
}

/* The dependencies of the NPU's nodes, the other way round. */
static void link_nodes(struct player *p, const struct chakra_needs *needs)
{
	uint32_t begin = p->begin[p->npu], n = p->nodes - begin;
	const uint64_t *need = needs->need.v, *first = needs->first.v;
	uint64_t *end = base_calloc(n + (size_t)1, sizeof *end);
	for (uint32_t i = 0; i < n; i++)
		for (uint64_t k = first[i]; k < first[i + 1]; k++)
			if (need[k] == CHAKRA_ABSENT)
				p->node[begin + i].unmet--;
			else
				end[need[k]]++;
	if (p->edges + needs->need.n > p->edge_room) {
		p->edge_room = 2 * p->edge_room + needs->need.n;
		p->after = base_realloc(p->after, p->edge_room * sizeof *p->after);
	}
	for (uint32_t i = 0; i < n; i++) {
		p->node[begin + i].first = p->edges;
		p->edges += end[i];
		end[i] = p->node[begin + i].first;
	}
	for (uint32_t i = 0; i < n; i++)
		for (uint64_t k = first[i]; k < first[i + 1]; k++)
			if (need[k] != CHAKRA_ABSENT)
				p->after[end[need[k]]++] = begin + i;
	free(end);
}

static int read_npu(struct player *p, uint32_t npu)
{
	struct chakra_needs needs;
	p->npu = npu;
	p->begin[npu] = p->nodes;
	int status = wl_chakra_visit(p->c, npu, add_node, p, &needs, p->errors);
	p->begin[npu + 1] = p->nodes;
	if (!status)
		link_nodes(p, &needs);
	chakra_needs_free(&needs);
	return status;
}

/* --- playing ------------------------------------------------------------------------------------------------------ */

static uint32_t npu_of(const struct player *p, uint32_t node)
{
	uint32_t low = 0, high = p->c->npus;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (p->begin[middle] <= node)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void finish_node(struct player *p, uint32_t node)
{
	uint64_t end = node + 1 < p->nodes ? p->node[node + 1].first : p->edges;
	base_check(!p->node[node].done && !p->node[node].unmet);
	p->node[node].done = true;
	for (uint64_t k = p->node[node].first; k < end; k++)
		if (!--p->node[p->after[k]].unmet)
			p->ready[p->readies++] = p->after[k];
}

static void wait_in(struct player *p, struct meeting *m, uint32_t node)
{
	if (m->last == NONE)
		m->waiting = node;
	else
		p->node[m->last].next = node;
	m->last = node;
}

static void finish_first(struct player *p, struct meeting *m)
{
	uint32_t node = m->waiting;
	m->waiting = p->node[node].next;
	if (m->waiting == NONE)
		m->last = NONE;
	finish_node(p, node);
}

/* Of data that come from the root alone, or go to it alone. Roots are the first members. */
static bool from_root(unsigned kind)
{
	return kind == CHAKRA_BROADCAST || kind == CHAKRA_SCATTER;
}

static bool to_root(unsigned kind)
{
	return kind == CHAKRA_REDUCE || kind == CHAKRA_GATHER;
}

static void join_meeting(struct player *p, uint32_t node)
{
	const struct play_node *n = &p->node[node];
	struct meeting *m = &p->meeting[n->meeting];
	const struct mpi_list *members = &p->c->group[m->group].members;
	bool root = members->v[0] == npu_of(p, node);
	m->there++;
	m->root_there |= root;
	bool all = m->there == members->n;
	bool enough = from_root(n->kind) ? m->root_there : all;
	if (enough || (to_root(n->kind) && !root) || (n->empty && n->kind != CHAKRA_BARRIER))
		finish_node(p, node);
	else
		wait_in(p, m, node);
	while (enough && m->waiting != NONE)
		finish_first(p, m);
}

static void carry_out(struct player *p, uint32_t node)
{
	struct play_node *n = &p->node[node];
	struct meeting *m = &p->meeting[n->meeting];
	if (n->type == CHAKRA_COLL) {
		join_meeting(p, node);
	} else if (n->type == CHAKRA_SEND) {
		finish_node(p, node);
		if (m->waiting != NONE)
			finish_first(p, m);
		else
			m->there++;
	} else if (n->type == CHAKRA_RECV && !m->there) {
		wait_in(p, m, node);
	} else {
		m->there -= n->type == CHAKRA_RECV;
		finish_node(p, node);
	}
}

/* --- what is reported ------------------------------------------------------------------------------------------- */

/* The first member that has not come to a collective and whose data are waited for. */
static uint32_t absent_from(const struct player *p, const struct play_node *n)
{
	const struct mpi_list *members = &p->c->group[p->meeting[n->meeting].group].members;
	for (uint32_t i = 0; i < members->n && !from_root(n->kind); i++) {
		uint32_t npu = (uint32_t)members->v[i], at = p->begin[npu];
		while (p->node[at].type != CHAKRA_COLL || p->node[at].meeting != n->meeting)
			at++;
		if (p->node[at].unmet)
			return npu;
	}
	return (uint32_t)members->v[0];
}

static void tell_waiting(const struct player *p, uint32_t npu, uint32_t node)
{
	const struct play_node *n = &p->node[node];
	char key[1200], place[64];
	wl_trace_key(p->c->file[npu], 0, key, sizeof key);
	chakra_place(p->c->file[npu], n->place, n->id, place);
	if (n->type == CHAKRA_RECV) {
		base_errorf(p->errors, key,
		            "%s: rank %" PRIu32 " waits forever for a message from rank %" PRIu32 ", tag %" PRIu32,
		            place, npu, n->peer, n->tag);
		return;
	}
	const struct meeting *m = &p->meeting[n->meeting];
	base_errorf(p->errors, key,
	            "%s: rank %" PRIu32 " waits forever in %s of process group \"%s\", which %" PRIu64 " of %" PRIu32
	            " ranks call: rank %" PRIu32 " does not",
	            place, npu, chakra_collective_name[n->kind], p->c->group[m->group].name, m->there,
	            p->c->group[m->group].members.n, absent_from(p, n));
}

/* NPUs with nodes that are not done; of the first of them a node that waits. */
static uint32_t tell_stuck(const struct player *p)
{
	uint32_t stuck = 0;
	for (uint32_t npu = 0; npu < p->c->npus; npu++) {
		uint32_t at = p->begin[npu], end = p->begin[npu + 1];
		while (at < end && (p->node[at].done || p->node[at].unmet))
			at++;
		if (at < end && stuck++ < STUCK_TOLD)
			tell_waiting(p, npu, at);
	}
	return stuck;
}

int wl_chakra_play(const struct wl_chakra *c, uint32_t *stuck, struct base_errors *errors)
{
	struct player p = { .c = c, .errors = errors };
	int status = 0;
	*stuck = 0;
	add_meeting(&p, NONE); /* of nodes that meet no one */
	p.first_meeting = base_calloc(c->group_count + (size_t)1, sizeof *p.first_meeting);
	p.begin = base_calloc(c->npus + (size_t)1, sizeof *p.begin);
	for (uint32_t i = 0; i < c->group_count; i++) {
		p.first_meeting[i] = p.meetings;
		for (uint64_t k = 0; k < c->group[i].operations; k++)
			add_meeting(&p, i);
	}
	for (uint32_t i = 0; i < c->npus && !status; i++)
		status = read_npu(&p, i);
	p.ready = base_calloc(p.nodes + (size_t)1, sizeof *p.ready);
	for (uint32_t i = p.nodes; i-- && !status;)
		if (!p.node[i].unmet)
			p.ready[p.readies++] = i;
	while (p.readies)
		carry_out(&p, p.ready[--p.readies]);
	if (!status)
		*stuck = tell_stuck(&p);
	wl_map_free(&p.channel);
	wl_map_free(&p.sized);
	free(p.node);
	free(p.after);
	free(p.meeting);
	free(p.first_meeting);
	free(p.begin);
	free(p.ready);
	return status;
}
