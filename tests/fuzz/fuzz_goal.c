/* tests/fuzz/fuzz_goal.c - any bytes as a GOAL schedule, text or binary: an error or a schedule, and a schedule that is
 * written in either form and read back is the same. A libFuzzer target (preset fuzz). */
#include "workload/formats/goal/goal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_back(const struct wl_goal *g, int (*write)(const struct wl_goal *goal, FILE *out))
{
	char *bytes = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&bytes, &n);
	struct wl_goal again;
	struct base_errors errors = { 0 };
	if (!out || write(g, out) || fclose(out) || wl_goal_parse(&again, bytes, n, "again", &errors))
		abort();
	if (g->ranks != again.ranks || g->ops != again.ops || g->dependencies != again.dependencies ||
	    memcmp(g->first_op, again.first_op, (g->ranks + (size_t)1) * sizeof *g->first_op) != 0 ||
	    memcmp(g->next, again.next, g->dependencies * sizeof *g->next) != 0)
		abort();
	for (uint32_t i = 0; i < g->ops; i++) {
		const struct wl_goal_op *a = &g->op[i], *b = &again.op[i];
		if (a->size != b->size || a->kind != b->kind || a->cpu != b->cpu || a->first != b->first ||
		    a->mid != b->mid || a->waits != b->waits)
			abort();
		if (a->kind != WL_GOAL_CALC && (a->peer != b->peer || a->tag != b->tag || a->nic != b->nic))
			abort();
	}
	wl_goal_free(&again);
	base_errors_free(&errors);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct base_errors errors = { 0 };
	struct wl_goal goal;
	if (!wl_goal_parse(&goal, (const char *)data, size, "fuzz", &errors)) {
		if (goal.ranks <= 10000) { /* more say no more and take longer */
			read_back(&goal, wl_goal_write_text);
			read_back(&goal, wl_goal_write_binary);
		}
		wl_goal_free(&goal);
	} else if (!errors.errors) {
		abort();
	}
	base_errors_free(&errors);
	return 0;
}
