/* network/checks/deadlock.c - detects at the end of every run whether packets wait for each other.
 *
 * A channel is an output of a switch and a lane; with one traffic class a lane is a VC. A channel for which packets
 * wait is alive if a credit or control word for it, or a packet to the buffer behind it, is in flight, or if some
 * packet in that buffer waits for a channel that is alive. Packets that wait for channels that are not alive never move
 * again.
 *
 * For most channels the state of the switch that owns them is sufficient to show that they are alive. This is recorded
 * in one bit per channel, on the rank of the switch. Only the remaining channels are listed on all ranks, and decided
 * by repeated passes over the waiting packets until nothing changes. So the search needs little memory in addition to
 * that of the network, however many packets wait. */
#include "base/format.h"
#include "base/memory.h"
#include "network/checks/checks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct channel { /* output of a switch, and lane; in order of (sw, port, vc) */
	uint32_t sw;
	uint16_t port, vc;
};

struct search {
	struct net *n;
	struct net_lp *lp;  /* whose packets are visited */
	uint64_t *moves;    /* [bits of this rank's channels] alive by what the switch knows */
	size_t words;       /* of `moves` */
	uint64_t *doubtful; /* [used], rising: channels that are waited for, by rank_of() */
	size_t used, cap;
	uint64_t *alive;  /* [used] 1: it is */
	uint64_t *next;   /* [used] 1 + a channel that the first packet in its buffer waits for; 0: it is empty */
	uint64_t waiting; /* packets */
	uint64_t dead;    /* of them, for channels that are not alive */
	uint64_t *stands; /* [jobs] 1: some of the dead are the job's, or keep others of it at their endpoint */
	uint32_t *stuck;  /* [most endpoints of a switch] bytes of the dead in the buffer of each of lp's */
	bool changed;
};

static uint64_t rank_of(struct channel c)
{
	return (uint64_t)c.sw << 32 | (uint32_t)c.port << 16 | c.vc;
}

/* --- what a switch knows of its own outputs ---------------------------------------------------------------- */

/* false: there is no such channel. */
static bool find_bit(const struct search *s, const struct net_lp *lp, uint32_t out, uint32_t vc, size_t *bit)
{
	*bit = ((size_t)net_index(s->n, lp) * s->n->ports_total + out) * s->n->common.lanes.n + vc;
	return out < s->n->ports_total && vc < s->n->common.lanes.n;
}

static void set_moving(struct search *s, const struct net_lp *lp, uint32_t out, uint32_t vc)
{
	size_t bit;
	if (!find_bit(s, lp, out, vc, &bit))
		return;
	base_check(bit / 64 < s->words);
	s->moves[bit / 64] |= (uint64_t)1 << bit % 64;
}

static bool is_moving(const struct search *s, const struct net_lp *lp, uint32_t out, uint32_t vc)
{
	size_t bit;
	return find_bit(s, lp, out, vc, &bit) && s->moves[bit / 64] >> bit % 64 & 1;
}

static void count_waiting(void *arg, const struct sw_waiting *w)
{
	struct search *s = arg;
	s->waiting++;
	if (w->moving)
		set_moving(s, s->lp, w->out, w->vc);
}

static void note_credit(void *arg, const struct sim_event *ev)
{
	struct search *s = arg;
	if (ev->kind == NET_CREDIT || ev->kind == NET_RESYNC)
		set_moving(s, net_lp_at(s->n, ev->lp), ev->aux, (uint8_t)ev->payload[0]);
	for (uint32_t lane = 0; ev->kind == NET_LINK_CONTROL && lane < s->n->common.lanes.n; lane++)
		set_moving(s, net_lp_at(s->n, ev->lp), ev->aux, lane);
}

static void each_waiting(struct search *s, void (*visit)(void *arg, const struct sw_waiting *w))
{
	struct net *n = s->n;
	for (uint32_t i = 0; i < n->count; i++) {
		s->lp = net_lp_at(n, n->first + i);
		n->common.ops->each_waiting(&n->common, net_switch_state(n, s->lp), visit, s);
	}
}

/* --- what is in doubt -------------------------------------------------------------------------------------- */

static int by_word(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Sorted, each once. */
static void tidy(struct search *s)
{
	size_t kept = 0;
	if (s->used)
		qsort(s->doubtful, s->used, sizeof *s->doubtful, by_word);
	for (size_t i = 0; i < s->used; i++)
		if (!kept || s->doubtful[kept - 1] != s->doubtful[i])
			s->doubtful[kept++] = s->doubtful[i];
	s->used = kept;
}

/* When the array is full, what is in it more than once is dropped: it grows only if that is not much. */
static void list_doubtful(void *arg, const struct sw_waiting *w)
{
	struct search *s = arg;
	uint64_t c = rank_of((struct channel){ s->lp->id, (uint16_t)w->out, w->vc });
	if (w->moving || is_moving(s, s->lp, w->out, w->vc) || (s->used && s->doubtful[s->used - 1] == c))
		return;
	if (s->used == s->cap) {
		tidy(s);
		if (s->used >= s->cap / 2) {
			s->cap = s->cap ? 2 * s->cap : 1024;
			s->doubtful = base_realloc(s->doubtful, s->cap * sizeof *s->doubtful);
		}
	}
	s->doubtful[s->used++] = c;
}

/* Of all ranks on all. A channel is listed by the rank that has its switch. */
static void share_doubtful(struct search *s)
{
	void *all;
	size_t bytes;
	tidy(s);
	if (sim_ranks() == 1)
		return;
	if (!s->used)
		s->doubtful = base_realloc(s->doubtful, sizeof *s->doubtful);
	sim_gather_bytes(s->doubtful, s->used * sizeof *s->doubtful, &all, &bytes);
	uint64_t total = bytes / sizeof *s->doubtful;
	sim_broadcast(&total, sizeof total);
	free(s->doubtful);
	s->doubtful = all ? all : base_calloc(total, sizeof *s->doubtful);
	s->used = total;
	if (total)
		sim_broadcast(s->doubtful, total * sizeof *s->doubtful);
	tidy(s);
	base_check(s->used == total);
}

/* Its place among the doubtful, or `used`. */
static size_t place_of(const struct search *s, uint64_t channel)
{
	size_t lo = 0, hi = s->used;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (s->doubtful[mid] < channel)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->used && s->doubtful[lo] == channel ? lo : s->used;
}

/* The place of the channel that leads to an input of `lp`. */
static size_t place_of_input(const struct search *s, const struct net_lp *lp, uint32_t in_port, uint32_t vc)
{
	struct topo_hop h = topo_peer(&s->n->topo, lp->id, in_port);
	return place_of(s, rank_of((struct channel){ h.to, (uint16_t)h.port, (uint16_t)vc }));
}

static void revive(struct search *s, size_t place)
{
	if (place == s->used || s->alive[place])
		return;
	s->alive[place] = 1;
	s->changed = true;
}

static void note_packet(void *arg, const struct sim_event *ev)
{
	struct search *s = arg;
	const struct sw_packet *p = (const struct sw_packet *)(const void *)ev->payload;
	if (ev->kind == NET_ARRIVE)
		revive(s, place_of_input(s, net_lp_at(s->n, ev->lp), ev->aux, sw_lane_of(&s->n->common, p, p->vc)));
}

/* Liveness propagates from a channel to the channels that feed packets waiting for it. */
static void pass_on(void *arg, const struct sw_waiting *w)
{
	struct search *s = arg;
	size_t out = place_of(s, rank_of((struct channel){ s->lp->id, (uint16_t)w->out, w->vc }));
	bool moves = w->moving || out == s->used || s->alive[out];
	if (w->in_port < s->lp->net_ports && moves)
		revive(s, place_of_input(s, s->lp, w->in_port, w->in_vc));
}

static void decide(struct search *s)
{
	s->alive = base_calloc(s->used, sizeof *s->alive);
	s->changed = false;
	sim_leftovers(s->n->engine, note_packet, s);
	for (uint64_t again = 1; again;) {
		each_waiting(s, pass_on);
		again = s->changed;
		s->changed = false;
		sim_max_u64(&again, 1);
		sim_max_u64(s->alive, s->used);
	}
}

/* --- what is dead ------------------------------------------------------------------------------------------ */

static void follow_dead(void *arg, const struct sw_waiting *w)
{
	struct search *s = arg;
	uint64_t channel = rank_of((struct channel){ s->lp->id, (uint16_t)w->out, w->vc });
	size_t out = place_of(s, channel), in = s->used;
	if (!w->moving && out < s->used && !s->alive[out]) {
		s->dead++;
		if (w->job < s->n->jobs)
			s->stands[w->job] = 1;
		if (w->in_port >= s->lp->net_ports && w->in_port - s->lp->net_ports < s->lp->endpoints)
			s->stuck[w->in_port - s->lp->net_ports] += w->bytes;
	}
	if (w->in_port < s->lp->net_ports)
		in = place_of_input(s, s->lp, w->in_port, w->in_vc);
	if (in < s->used && !s->next[in])
		s->next[in] = 1 + channel;
}

/* Marks the jobs that are blocked at an endpoint of the switch s->lp: they have a packet to send, but the input buffer
 * is filled with packets that wait for channels that are not alive, and which therefore never leave. */
static void find_kept_out(struct search *s)
{
	struct net *n = s->n;
	for (uint32_t t = 0; t < s->lp->endpoints; t++) {
		struct net_endpoint *e = net_endpoint_at(n, s->lp, t);
		for (uint32_t k = 0; k < e->jobs; k++) {
			uint32_t job = net_source_jobs(n, e)[k];
			uint64_t most = n->traffic.job[job].max_packet;
			if (net_sources(e)[k].created < n->result.reached_ps && s->stuck[t] + most > n->endpoints.share)
				s->stands[job] = 1;
		}
	}
}

/* Visits all waiting packets again, switch by switch: records for each channel that is not alive the next channel of
 * the chain, and finds the endpoints that are blocked by such channels. */
static void follow_all_dead(struct search *s)
{
	struct net *n = s->n;
	s->stuck = base_calloc(n->topo.max_endpoints + 1, sizeof *s->stuck);
	for (uint32_t i = 0; i < n->count; i++) {
		s->lp = net_lp_at(n, n->first + i);
		memset(s->stuck, 0, s->lp->endpoints * sizeof *s->stuck);
		n->common.ops->each_waiting(&n->common, net_switch_state(n, s->lp), follow_dead, s);
		find_kept_out(s);
	}
	free(s->stuck);
}

static void print_channel(FILE *out, const struct search *s, uint64_t c, const char *what)
{
	const struct sw_lanes *l = &s->n->common.lanes;
	uint32_t lane = c & 0xffff;
	fprintf(out, "  switch %u, output %u, ", (uint32_t)(c >> 32), (unsigned)(c >> 16 & 0xffff));
	if (l->classes > 1)
		fprintf(out, "class %s, ", s->n->config->classes[lane / l->vcs].name);
	fprintf(out, "VC %u%s\n", lane % l->vcs, what);
}

/* Prints a cycle of waiting packets: starts at a channel that is not alive, and continues from each channel to the one
 * for which a packet of its buffer waits. None of these channels is alive, so the walk closes a cycle, unless it
 * reaches an empty buffer, which means that credits were lost. */
static void print_cycle(FILE *out, const struct search *s, uint64_t start)
{
	uint64_t path[64] = { 0 };
	size_t length = 0;
	for (uint64_t c = start; length < 64;) {
		for (size_t i = 0; i < length; i++)
			if (path[i] == c) {
				for (size_t k = i; k < length; k++)
					print_channel(out, s, path[k], " waits for");
				print_channel(out, s, c, ": the cycle is closed");
				return;
			}
		path[length++] = c;
		size_t place = place_of(s, c);
		if (place == s->used || !s->next[place])
			break;
		c = s->next[place] - 1;
	}
	for (size_t k = 0; k < length && k < 8; k++)
		print_channel(out, s, path[k], " waits for the next");
}

/* What to say of channels that are not alive; NULL: all are. The same on all ranks. */
static char *describe(struct search *s)
{
	char *text = NULL;
	size_t text_bytes = 0, first = 0;
	uint64_t channels = 0;
	while (first < s->used && s->alive[first])
		first++;
	if (first == s->used)
		return NULL;
	for (size_t i = first; i < s->used; i++)
		channels += !s->alive[i];
	s->next = base_calloc(s->used, sizeof *s->next);
	follow_all_dead(s);
	sim_max_u64(s->next, s->used);
	sim_sum_u64(&s->dead, 1);
	sim_max_u64(s->stands, s->n->jobs);
	FILE *out = base_memory_stream(&text, &text_bytes);
	fprintf(out,
	        "deadlock: %" PRIu64 " packets wait for each other at %" PRIu64
	        " outputs and virtual channels; for example\n",
	        s->dead, channels);
	print_cycle(out, s, s->doubtful[first]);
	fclose(out);
	return text;
}

char *net_find_deadlock(struct net *n, uint64_t *stands)
{
	struct search s = {
		.n = n,
		.stands = stands,
		.words = (size_t)n->room * n->ports_total * n->common.lanes.n / 64 + 1,
	};
	char *text = NULL;
	s.moves = base_map(s.words * sizeof *s.moves);
	each_waiting(&s, count_waiting);
	sim_sum_u64(&s.waiting, 1);
	if (s.waiting) {
		sim_leftovers(n->engine, note_credit, &s);
		each_waiting(&s, list_doubtful);
		share_doubtful(&s);
		if (s.used) {
			decide(&s);
			text = describe(&s);
		}
	}
	base_unmap(s.moves, s.words * sizeof *s.moves);
	free(s.doubtful);
	free(s.alive);
	free(s.next);
	return text;
}
