/* workload/formats/goal/binary.c - reader of binary GOAL (txt2bin of LogGOPSim). A damaged file may contain any offset,
 * count or number, so each is checked before it is used. Layout: docs/goal.md. */
#include "workload/formats/goal/build.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 4223u
#define CONSUMED 2342u
#define HEADER 14u
#define NODE 39u

struct goal_binary_reader {
	const unsigned char *at;
	size_t n;
	const char *name;
	struct base_errors *errors;
	struct wl_goal_draft draft;
	uint64_t end; /* of the part before: parts do not overlap, so that what is read is no more than the file */
	unsigned problems;
};

/* A rank's part of the file. */
struct goal_part {
	uint32_t rank, nodes, roots;
	const unsigned char *root, *node, *appendix;
	uint64_t room; /* entries of the appendix */
};

static uint64_t get_number(const unsigned char *at, unsigned bytes)
{
	uint64_t v = 0;
	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)at[i] << 8 * i;
	return v;
}

__attribute__((format(printf, 2, 3))) static void problem(struct goal_binary_reader *r, const char *fmt, ...)
{
	char place[1024], text[512];
	va_list ap;
	if (r->problems++ >= WL_GOAL_PROBLEMS)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	snprintf(place, sizeof place, "@%.1000s", r->name);
	base_errorf(r->errors, place, "%s", text);
}

static void check_header(struct goal_binary_reader *r)
{
	uint64_t magic = get_number(r->at, 8);
	if (magic == CONSUMED)
		problem(r, "this binary GOAL file was consumed by a run with --save-mem (magic number 2342): generate "
		           "it again");
	else if (r->n > 8 && !memcmp(r->at,
	                             "\xff\xaa\xdd"
	                             "DUMPI",
	                             8))
		problem(r, "is the file of one rank of a DUMPI trace: use the trace's .meta file");
	else if (magic != MAGIC)
		problem(r, "is neither GOAL text nor binary GOAL, which begins with the number 4223, not %" PRIu64,
		        magic);
	else if (r->n < HEADER)
		problem(r, "is truncated: a header has 14 bytes, but there are %zu", r->n);
	else if (!get_number(r->at + 8, 4))
		problem(r, "contains no ranks");
	else if (get_number(r->at + 8, 4) > WL_GOAL_RANKS || HEADER + 16 * get_number(r->at + 8, 4) > r->n)
		problem(r, "is truncated: %" PRIu64 " ranks need more than its %zu bytes", get_number(r->at + 8, 4),
		        r->n);
}

/* Where the parts of a rank begin and end; false: not in the file. */
static bool find_part(struct goal_binary_reader *r, uint32_t rank, struct goal_part *p)
{
	const unsigned char *entry = r->at + HEADER + 16 * (size_t)rank;
	uint64_t start = get_number(entry, 8), end = get_number(entry + 8, 8), room = r->n - 8;
	if (start < r->end || start > end || end > room || end - start < 8) {
		problem(r,
		        "rank %" PRIu32 ": its section from %" PRIu64 " to %" PRIu64
		        " must follow the previous one and end within the file's %" PRIu64 " bytes",
		        rank, start, end, room);
		return false;
	}
	r->end = end;
	const unsigned char *at = r->at + 8 + start;
	uint64_t left = end - start - 8;
	*p = (struct goal_part){ .rank = rank,
		                 .nodes = (uint32_t)get_number(at, 4),
		                 .roots = (uint32_t)get_number(at + 4, 4) };
	if (p->roots > p->nodes || 4 * (uint64_t)p->roots + NODE * (uint64_t)p->nodes > left) {
		problem(r,
		        "rank %" PRIu32 ": %" PRIu32 " operations and %" PRIu32 " roots do not fit into its %" PRIu64
		        " bytes",
		        rank, p->nodes, p->roots, end - start);
		return false;
	}
	p->root = at + 8;
	p->node = p->root + 4 * (size_t)p->roots;
	p->appendix = p->node + NODE * (size_t)p->nodes;
	p->room = (left - 4 * (uint64_t)p->roots - NODE * (uint64_t)p->nodes) / 4;
	return true;
}

static void read_edges(struct goal_binary_reader *r, const struct goal_part *p, uint32_t node, bool starts,
                       uint32_t base)
{
	const unsigned char *at = p->node + NODE * (size_t)node + (starts ? 31 : 23);
	uint64_t count = get_number(at, 4), first = get_number(at + 4, 4);
	uint64_t known = r->draft.edges - r->draft.block[r->draft.blocks - 1].first_edge; /* no entry stands for two */
	if (count && (first + count > p->room || known + count > p->room)) {
		problem(r,
		        "rank %" PRIu32 ", operation %" PRIu32 ": its dependents %" PRIu64 " to %" PRIu64
		        " are outside the %" PRIu64 " of the rank",
		        p->rank, node, first, first + count, p->room);
		return;
	}
	for (uint64_t k = first; k < first + count; k++) {
		uint32_t later = (uint32_t)get_number(p->appendix + 4 * k, 4);
		if (later >= p->nodes) {
			problem(r, "rank %" PRIu32 ", operation %" PRIu32 ": its dependent %" PRIu32 " does not exist",
			        p->rank, node, later);
			return;
		}
		struct wl_goal_edge e = { .earlier = base + node, .later = base + later, .starts = starts };
		if (!wl_goal_add_edge(&r->draft, e)) {
			problem(r, "the schedule has more than 4294967293 dependencies");
			return;
		}
	}
}

static void read_node(struct goal_binary_reader *r, const struct goal_part *p, uint32_t node)
{
	const unsigned char *at = p->node + NODE * (size_t)node;
	struct wl_goal_op op = { .kind = at[4],
		                 .peer = (uint32_t)get_number(at + 5, 4),
		                 .size = get_number(at + 9, 8),
		                 .tag = (uint32_t)get_number(at + 17, 4),
		                 .cpu = at[21],
		                 .nic = at[22] };
	if (op.kind < WL_GOAL_SEND || op.kind > WL_GOAL_CALC)
		problem(r,
		        "rank %" PRIu32 ", operation %" PRIu32 ": type %u is not one of send, recv and calc (1, 2, 3)",
		        p->rank, node, op.kind);
	else if (op.kind == WL_GOAL_CALC)
		op.peer = op.tag = 0;
	else if (op.peer >= r->draft.ranks && (op.kind == WL_GOAL_SEND || op.peer != WL_GOAL_ANY))
		problem(r,
		        "rank %" PRIu32 ", operation %" PRIu32 ": there is no rank %" PRIu32
		        "; the schedule has %" PRIu32,
		        p->rank, node, op.peer, r->draft.ranks);
	else if (op.kind == WL_GOAL_SEND && op.tag == WL_GOAL_ANY)
		problem(r, "rank %" PRIu32 ", operation %" PRIu32 ": tag 4294967295 of a send would match all receives",
		        p->rank, node);
	if (wl_goal_add_op(&r->draft, &op) == UINT32_MAX)
		problem(r, "the schedule has more than 4294967293 operations");
}

static void read_rank(struct goal_binary_reader *r, uint32_t rank)
{
	struct goal_part p;
	uint32_t base = (uint32_t)r->draft.ops;
	wl_goal_begin_rank(&r->draft, rank);
	if (!find_part(r, rank, &p))
		return;
	for (uint32_t i = 0; i < p.nodes && r->problems < WL_GOAL_PROBLEMS; i++)
		read_node(r, &p, i);
	for (uint32_t i = 0; i < p.nodes && r->problems < WL_GOAL_PROBLEMS; i++) {
		read_edges(r, &p, i, false, base);
		read_edges(r, &p, i, true, base);
	}
	wl_goal_end_rank(&r->draft);
}

/* What the file says of counts and roots that follow from the rest. */
static void check_rank(struct goal_binary_reader *r, const struct wl_goal *g, uint32_t rank)
{
	struct goal_part p;
	uint32_t n, first = g->first_op[rank], roots = 0;
	if (!find_part(r, rank, &p))
		return;
	if (p.nodes != g->first_op[rank + 1] - first) {
		problem(r, "rank %" PRIu32 ": the file changed while it was read", rank);
		return;
	}
	for (uint32_t i = 0; i < p.nodes && r->problems < WL_GOAL_PROBLEMS; i++) {
		uint64_t said = get_number(p.node + NODE * (size_t)i, 4);
		roots += !g->op[first + i].waits;
		if (said != g->op[first + i].waits)
			problem(r,
			        "rank %" PRIu32 ", operation %" PRIu32 ": announces %" PRIu64
			        " dependencies but has %" PRIu32,
			        rank, i, said, g->op[first + i].waits);
	}
	if (roots != p.roots && r->problems < WL_GOAL_PROBLEMS)
		problem(r, "rank %" PRIu32 ": announces %" PRIu32 " roots but has %" PRIu32, rank, p.roots, roots);
	for (uint32_t i = 0; i < p.roots && r->problems < WL_GOAL_PROBLEMS; i++) {
		uint32_t root = (uint32_t)get_number(p.root + 4 * (size_t)i, 4);
		if (root >= p.nodes || g->op[first + root].waits)
			problem(r, "rank %" PRIu32 ": operation %" PRIu32 " is listed as a root but has dependencies",
			        rank, root);
	}
	uint32_t *cycle = wl_goal_cycle(g, rank, &n);
	if (cycle)
		problem(r, "rank %" PRIu32 ": operation %" PRIu32 " depends on itself, through %" PRIu32 " others",
		        rank, cycle[0] - first, n - 1);
	free(cycle);
}

/* Of processors and interfaces the header says the highest numbers. */
static void check_highest(struct goal_binary_reader *r, const struct wl_goal *g)
{
	static const char *const what[] = { "cpu", "nic" };
	const uint32_t found[] = { g->cpus, g->nics };
	for (int i = 0; i < 2; i++)
		if (found[i] > r->at[12 + i] + 1u)
			problem(r, "the header states that the highest %s is %u, but %s %" PRIu32 " is used", what[i],
			        r->at[12 + i], what[i], found[i] - 1);
}

int wl_goal_read_binary(struct wl_goal *out, const char *bytes, size_t n, const char *name, struct base_errors *errors)
{
	struct goal_binary_reader r = { .at = (const unsigned char *)bytes, .n = n, .name = name, .errors = errors };
	check_header(&r);
	if (!r.problems) {
		wl_goal_draft_begin(&r.draft, (uint32_t)get_number(r.at + 8, 4));
		r.end = HEADER - 8 + 16 * (uint64_t)r.draft.ranks;
		for (uint32_t i = 0; i < r.draft.ranks && r.problems < WL_GOAL_PROBLEMS; i++)
			read_rank(&r, i);
	}
	if (!r.problems) {
		uint32_t ranks = r.draft.ranks;
		r.end = HEADER - 8 + 16 * (uint64_t)ranks;
		wl_goal_finish(out, &r.draft);
		check_highest(&r, out);
		for (uint32_t i = 0; i < ranks && r.problems < WL_GOAL_PROBLEMS; i++)
			check_rank(&r, out, i);
	}
	wl_goal_draft_free(&r.draft);
	if (!r.problems)
		return 0;
	wl_goal_free(out);
	return -1;
}
