/* workload/formats/goal/messages.c - see messages.h */
#include "workload/formats/goal/messages.h"

#include "base/memory.h"

#include <stdlib.h>

void wl_goal_messages_make(struct wl_goal_messages *out, const struct wl_goal *g)
{
	uint32_t *first = base_calloc((size_t)g->ranks + 2, sizeof *first); /* one further while places are given */
	*out =
	    (struct wl_goal_messages){ .first = first, .place = base_calloc((size_t)g->ops + 1, sizeof *out->place) };
	for (uint32_t i = 0; i < g->ops; i++)
		if (g->op[i].kind == WL_GOAL_SEND)
			first[g->op[i].peer + 2]++;
	for (uint32_t r = 2; r <= g->ranks; r++)
		first[r] += first[r - 1];
	uint32_t places = g->ranks ? first[g->ranks] + first[g->ranks + 1] : 0;
	out->send = base_calloc((size_t)places + 1, sizeof *out->send);
	for (uint32_t i = 0; i < g->ops; i++)
		if (g->op[i].kind == WL_GOAL_SEND) {
			out->place[i] = first[g->op[i].peer + 1]++;
			out->send[out->place[i]] = i;
		}
}

void wl_goal_messages_free(struct wl_goal_messages *m)
{
	free(m->first);
	free(m->place);
	free(m->send);
	*m = (struct wl_goal_messages){ 0 };
}

void wl_goal_pairs_make(struct wl_goal_pairs *out, const struct wl_goal *g, const struct wl_goal_messages *messages)
{
	/* of the other rank: with whom its number was given last, + 1; and the number */
	uint32_t *with = base_calloc((size_t)g->ranks + 1, sizeof *with);
	uint32_t *number = base_calloc((size_t)g->ranks + 1, sizeof *number), n = 0;
	*out = (struct wl_goal_pairs){ .first_out = base_calloc((size_t)g->ranks + 1, sizeof(uint32_t)),
		                       .first_in = base_calloc((size_t)g->ranks + 1, sizeof(uint32_t)),
		                       .out = base_calloc((size_t)g->ops + 1, sizeof(uint32_t)),
		                       .in = base_calloc((size_t)g->ops + 1, sizeof(uint32_t)) };
	for (uint32_t r = 0; r < g->ranks; r++, out->first_out[r] = n)
		for (uint32_t i = g->first_op[r]; i < g->first_op[r + 1]; i++) {
			uint32_t to = g->op[i].peer;
			if (g->op[i].kind != WL_GOAL_SEND)
				continue;
			if (with[to] != r + 1)
				number[to] = n++;
			with[to] = r + 1;
			out->out[i] = number[to];
		}
	for (uint32_t r = 0; r <= g->ranks; r++)
		with[r] = 0;
	n = 0;
	for (uint32_t r = 0; r < g->ranks; r++, out->first_in[r] = n)
		for (uint32_t k = messages->first[r]; k < messages->first[r + 1]; k++) {
			uint32_t i = messages->send[k], from = wl_goal_rank_of(g, i);
			if (with[from] != r + 1)
				number[from] = n++;
			with[from] = r + 1;
			out->in[i] = number[from];
		}
	free(with);
	free(number);
}

void wl_goal_pairs_free(struct wl_goal_pairs *p)
{
	free(p->first_out);
	free(p->first_in);
	free(p->out);
	free(p->in);
	*p = (struct wl_goal_pairs){ 0 };
}
