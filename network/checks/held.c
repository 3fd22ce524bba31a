/* network/checks/held.c - at the end of a run on the exact path: do packets wait although no event is pending?
 *
 * A packet can only be released by an event: an acknowledgement, a control frame, a time set by congestion control, or
 * a credit. Without pending events it waits forever. Packets that wait for each other in switches were found before
 * (deadlock.c), so the remaining ones are blocked by congestion control at their endpoints. */
#include "base/format.h"
#include "network/checks/checks.h"
#include "network/nic/nic.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINES 8u

static void count_event(void *arg, const struct sim_event *ev)
{
	(void)ev;
	*(uint64_t *)arg += 1;
}

static uint64_t packets_of(const struct net *n, const struct net_lp *lp, const struct net_pair *p)
{
	uint64_t packets = 0, queued[256] = { 0 };
	net_queue_tally(n, lp, p->first + 1, queued);
	for (uint32_t j = 0; j < n->jobs; j++)
		packets += queued[j];
	return packets;
}

/* Pairs of a logical process with packets; the first of them as lines. */
static uint64_t list_pairs(const struct net *n, const struct net_lp *lp, uint64_t before, FILE *out)
{
	uint64_t heads, pairs = 0;
	const uint32_t *head = net_chain_heads(n, lp, NET_CHAIN_PAIRS, &heads);
	for (uint64_t h = 0; h < heads; h++)
		for (uint32_t i = head[h]; i; i = net_pair_at(n, lp, i - 1)->link) {
			const struct net_pair *p = net_pair_at(n, lp, i - 1);
			uint64_t packets = packets_of(n, lp, p);
			if (packets && before + pairs++ < MOST_LINES)
				fprintf(out, "  endpoint %" PRIu32 ": %" PRIu64 " packets for endpoint %" PRIu32 "\n",
				        lp->first_endpoint + p->terminal, packets, p->dst);
		}
	return pairs;
}

/* The first lines of all ranks, on rank 0. */
static void print_lines(FILE *out, const char *mine, size_t bytes)
{
	void *all = NULL;
	size_t n = 0, lines = 0;
	sim_gather_bytes(mine, bytes, &all, &n);
	const char *at = all, *end = at + n;
	for (const char *next; at && at < end && lines++ < MOST_LINES; at = next) {
		next = memchr(at, '\n', (size_t)(end - at));
		next = next ? next + 1 : end;
		fwrite(at, 1, (size_t)(next - at), out);
	}
	free(all);
}

char *net_find_held(struct net *n, uint64_t *stands)
{
	uint64_t events = 0, packets = 0, pairs = 0;
	if (!n->path.exact)
		return NULL;
	sim_leftovers(n->engine, count_event, &events);
	sim_sum_u64(&events, 1);
	for (uint32_t j = 0; j < n->jobs; j++) {
		const struct net_job_stats *s = &n->shared.job[j];
		packets += s->created - s->delivered - s->dropped;
		stands[j] = s->created > s->delivered + s->dropped;
	}
	if (events || !packets)
		return NULL;
	char *mine = NULL, *text = NULL;
	size_t mine_bytes = 0, text_bytes = 0;
	FILE *list = base_memory_stream(&mine, &mine_bytes);
	for (uint32_t i = 0; i < n->count; i++)
		pairs += list_pairs(n, net_lp_at(n, n->first + i), pairs, list);
	fclose(list);
	sim_sum_u64(&pairs, 1);
	FILE *out = base_memory_stream(&text, &text_bytes);
	fprintf(out,
	        "standstill: %" PRIu64
	        " packets wait although no event is pending: congestion.kind = \"%s\" blocks %" PRIu64
	        " pairs of endpoints; for example\n",
	        packets, n->config->congestion.plugin ? n->config->congestion.plugin->name : "none", pairs);
	print_lines(out, mine, mine_bytes);
	fclose(out);
	free(mine);
	return text;
}
