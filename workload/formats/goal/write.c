/* workload/formats/goal/write.c - writes schedules to files: GOAL text, and binary GOAL in the layout of txt2bin of
 * LogGOPSim. */
#include "workload/formats/goal/goal.h"

#include <inttypes.h>

static void write_op(const struct wl_goal_op *op, uint32_t label, FILE *out)
{
	fprintf(out, "l%" PRIu32 ": ", label);
	if (op->kind == WL_GOAL_CALC)
		fprintf(out, "calc %" PRIu64, op->size);
	else
		fprintf(out, op->kind == WL_GOAL_SEND ? "send %" PRIu64 "b to " : "recv %" PRIu64 "b from ", op->size);
	if (op->kind != WL_GOAL_CALC && op->peer == WL_GOAL_ANY)
		fprintf(out, "-1");
	else if (op->kind != WL_GOAL_CALC)
		fprintf(out, "%" PRIu32, op->peer);
	if (op->kind != WL_GOAL_CALC && op->tag == WL_GOAL_ANY)
		fprintf(out, " tag -1");
	else if (op->kind != WL_GOAL_CALC)
		fprintf(out, " tag %" PRIu32, op->tag);
	if (op->cpu)
		fprintf(out, " cpu %u", op->cpu);
	if (op->nic && op->kind != WL_GOAL_CALC)
		fprintf(out, " nic %u", op->nic);
	fputc('\n', out);
}

int wl_goal_write_text(const struct wl_goal *g, FILE *out)
{
	fprintf(out, "num_ranks %" PRIu32 "\n", g->ranks);
	for (uint32_t r = 0; r < g->ranks; r++) {
		uint32_t first = g->first_op[r], end = g->first_op[r + 1];
		fprintf(out, "\nrank %" PRIu32 " {\n", r);
		for (uint32_t i = first; i < end; i++)
			write_op(&g->op[i], i - first + 1, out);
		for (uint32_t i = first; i < end; i++)
			for (uint32_t k = g->op[i].first; k < g->op[i + 1].first; k++)
				fprintf(out, "l%" PRIu32 " %s l%" PRIu32 "\n", g->next[k] - first + 1,
				        k < g->op[i].mid ? "requires" : "irequires", i - first + 1);
		fprintf(out, "}\n");
	}
	return ferror(out) ? -1 : 0;
}

/* --- binary: little endian, no padding ------------------------------------------------------------------ */

#define HEADER 14u /* then 16 bytes a rank */
#define NODE 39u

static void put_number(FILE *out, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		fputc((int)(value >> 8 * i & 0xff), out);
}

static uint32_t roots(const struct wl_goal *g, uint32_t rank)
{
	uint32_t n = 0;
	for (uint32_t i = g->first_op[rank]; i < g->first_op[rank + 1]; i++)
		n += !g->op[i].waits;
	return n;
}

static uint64_t rank_bytes(const struct wl_goal *g, uint32_t rank)
{
	uint32_t first = g->first_op[rank], end = g->first_op[rank + 1];
	return 8 + 4 * (uint64_t)roots(g, rank) + NODE * (uint64_t)(end - first) +
	       4 * (uint64_t)(g->op[end].first - g->op[first].first);
}

static void write_node(const struct wl_goal *g, uint32_t i, uint32_t appendix, FILE *out)
{
	const struct wl_goal_op *op = &g->op[i];
	bool calc = op->kind == WL_GOAL_CALC;
	put_number(out, op->waits, 4);
	put_number(out, op->kind, 1);
	put_number(out, calc ? 0 : op->peer, 4);
	put_number(out, op->size, 8);
	put_number(out, calc ? 0 : op->tag, 4);
	put_number(out, op->cpu, 1);
	put_number(out, op->nic, 1);
	put_number(out, op->mid - op->first, 4);
	put_number(out, op->first - appendix, 4);
	put_number(out, op[1].first - op->mid, 4);
	put_number(out, op->mid - appendix, 4);
}

static void write_rank(const struct wl_goal *g, uint32_t rank, FILE *out)
{
	uint32_t first = g->first_op[rank], end = g->first_op[rank + 1];
	put_number(out, end - first, 4);
	put_number(out, roots(g, rank), 4);
	for (uint32_t i = first; i < end; i++)
		if (!g->op[i].waits)
			put_number(out, i - first, 4);
	for (uint32_t i = first; i < end; i++)
		write_node(g, i, g->op[first].first, out);
	for (uint32_t k = g->op[first].first; k < g->op[end].first; k++)
		put_number(out, g->next[k] - first, 4);
}

int wl_goal_write_binary(const struct wl_goal *g, FILE *out)
{
	uint64_t at = HEADER + 16 * (uint64_t)g->ranks - 8; /* counted from byte 8 */
	put_number(out, 4223, 8);
	put_number(out, g->ranks, 4);
	put_number(out, g->cpus - 1, 1);
	put_number(out, g->nics - 1, 1);
	for (uint32_t r = 0; r < g->ranks; r++) {
		put_number(out, at, 8);
		at += rank_bytes(g, r);
		put_number(out, at, 8);
	}
	for (uint32_t r = 0; r < g->ranks; r++)
		write_rank(g, r, out);
	return ferror(out) ? -1 : 0;
}
