/* network/checks.c - at the end of every run: is everything still there, and does something wait for itself?
 *
 * Conservation: what the counters say must equal what is found - events never executed, packets waiting in switches,
 * credits on their way. Deadlock: a waiting channel (output, VC) is alive if a credit for it or a packet to the buffer
 * behind it is on its way, or if some packet in that buffer waits for a channel that is alive. What is not alive never
 * moves again. */
#include "base/memory.h"
#include "network/net.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tally {
	struct net *n;
	uint64_t *in_flight, *queued; /* [jobs] packets */
	uint64_t credit_bytes;        /* on their way, or held by packets on links and in buffers */
	uint64_t terminal_bytes;
};

static void tally_event(void *arg, const struct sim_event *ev)
{
	struct tally *t = arg;
	const struct net *n = t->n;
	base_checkf(ev->time >= sim_reached(n->engine), "an event of %llu ps is left at %llu",
	            (unsigned long long)ev->time, (unsigned long long)sim_reached(n->engine));
	const struct sw_packet *p = (const struct sw_packet *)(const void *)ev->payload;
	switch (ev->kind) {
	case NET_ARRIVE:
		t->in_flight[p->job]++;
		t->credit_bytes += p->bytes;
		break;
	case NET_INJECT:
		t->terminal_bytes += p->bytes;
		if (p->injected < n->end)
			t->in_flight[p->job]++;
		else if (p->created < n->end)
			t->queued[p->job]++;
		break;
	case NET_CREDIT:
		t->credit_bytes += (uint32_t)(ev->payload[0] >> 8);
		break;
	case NET_GIVE_BACK:
		t->terminal_bytes += ev->payload[0];
		break;
	default:
		break;
	}
}

struct waiting_of {
	struct tally *tally;
	const struct net_lp *lp;
};

static void tally_waiting(void *arg, const struct sw_waiting *w)
{
	struct waiting_of *x = arg;
	const struct base_plugin *model = x->tally->n->config->sw.plugin;
	if (model->loaded && w->job >= x->tally->n->jobs) {
		base_refute(model, "each_waiting() of switch %u says job %u; there are %u", x->lp->id, w->job,
		            x->tally->n->jobs);
		return;
	}
	base_checkf(model->loaded || (w->in_port < x->lp->net_ports + x->lp->endpoints && w->job < x->tally->n->jobs &&
	                              w->since <= sim_reached(x->tally->n->engine)),
	            "switch %u: a packet of job %u waits at input %u since %llu ps", x->lp->id, w->job, w->in_port,
	            (unsigned long long)w->since);
	x->tally->in_flight[w->job]++;
	if (w->in_port < x->lp->net_ports)
		x->tally->credit_bytes += w->bytes;
	else
		x->tally->terminal_bytes += w->bytes;
}

bool net_conserved(struct net *n, struct base_errors *errors)
{
	uint32_t jobs = n->jobs;
	uint64_t *v = base_calloc(2 * (size_t)jobs + 4, sizeof *v);
	struct tally t = { .n = n, .in_flight = v, .queued = v + jobs };
	uint64_t *credits_out = &v[2 * jobs + 2], *terminal_out = &v[2 * jobs + 3];
	sim_leftovers(n->engine, tally_event, &t);
	for (size_t i = 0; i < n->nlate; i++)
		t.in_flight[n->late[i].packet.job]++;
	for (uint32_t i = 0; i < n->count; i++) {
		struct net_lp *lp = net_lp_at(n, n->first + i);
		struct waiting_of x = { &t, lp };
		n->common.ops->each_waiting(&n->common, net_switch_state(n, lp), tally_waiting, &x);
		*credits_out += n->common.ops->credits_out(&n->common, net_switch_state(n, lp));
		for (uint32_t k = 0; k < lp->endpoints; k++) {
			const struct net_endpoint *e = net_endpoint_at(n, lp, k);
			*terminal_out += e->outstanding;
			t.terminal_bytes += net_listed_returns(n, lp, e);
		}
		for (uint32_t j = 0; j < jobs; j++)
			t.in_flight[j] += net_extremes_at(n, lp, j)->late_ejects;
	}
	v[2 * jobs] = t.credit_bytes;
	v[2 * jobs + 1] = t.terminal_bytes;
	sim_sum_u64(v, 2 * (size_t)jobs + 4);
	bool ok = true;
	for (uint32_t j = 0; j < jobs; j++) {
		struct net_job_stats *s = &n->shared.job[j];
		s->queued += v[jobs + j];
		if (s->created != s->delivered + v[j] + s->queued || s->injected != s->delivered + v[j]) {
			base_errorf(errors, "",
			            "packets are not conserved in job %s: created %" PRIu64 ", injected %" PRIu64
			            ", delivered %" PRIu64 ", found in flight %" PRIu64 ", found queued %" PRIu64,
			            n->traffic.job[j].name, s->created, s->injected, s->delivered, v[j], s->queued);
			ok = false;
		}
	}
	if (v[2 * jobs] != *credits_out || v[2 * jobs + 1] != *terminal_out) {
		base_errorf(errors, "",
		            "credits are not conserved: %" PRIu64 " bytes are out between switches and %" PRIu64
		            " found, %" PRIu64 " at terminals and %" PRIu64 " found",
		            *credits_out, v[2 * jobs], *terminal_out, v[2 * jobs + 1]);
		ok = false;
	}
	free(v);
	return ok;
}

/* --- deadlock
 * ----------------------------------------------------------------------------------------------------------- */

struct channel { /* output of a switch, and VC */
	uint32_t sw;
	uint16_t port, vc;
};

struct wait_edge {
	struct channel in;  /* the buffer it is in, named by the sender's channel; sw UINT32_MAX: a terminal's */
	struct channel out; /* what it waits for */
	uint32_t packets;
	uint32_t alive; /* an event for `out` is on its way: such entries have no packets */
};

struct edge_list {
	struct net *n;
	struct net_lp *lp;
	struct wait_edge *v;
	size_t used, cap;
};

static void push(struct edge_list *l, struct wait_edge e)
{
	if (l->used && e.packets && !memcmp(&l->v[l->used - 1].in, &e.in, sizeof e.in) &&
	    !memcmp(&l->v[l->used - 1].out, &e.out, sizeof e.out)) {
		l->v[l->used - 1].packets++;
		return;
	}
	if (l->used == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 256;
		l->v = base_realloc(l->v, l->cap * sizeof *l->v);
	}
	l->v[l->used++] = e;
}

static void add_waiting(void *arg, const struct sw_waiting *w)
{
	struct edge_list *l = arg;
	struct channel in = { UINT32_MAX, 0, 0 };
	if (w->in_port < l->lp->net_ports) {
		struct topo_hop h = topo_peer(&l->n->topo, l->lp->id, w->in_port);
		in = (struct channel){ h.to, (uint16_t)h.port, w->in_vc };
	}
	struct channel out = { l->lp->id, (uint16_t)w->out, w->vc }, none = { UINT32_MAX, 0, 0 };
	push(l, (struct wait_edge){ in, out, 1, 0 });
	if (w->moving)
		push(l, (struct wait_edge){ none, out, 0, 1 });
}

static void add_alive(void *arg, const struct sim_event *ev)
{
	struct edge_list *l = arg;
	struct net_lp *lp = net_lp_at(l->n, ev->lp);
	struct channel none = { UINT32_MAX, 0, 0 }, c;
	if (ev->kind == NET_CREDIT) {
		c = (struct channel){ lp->id, ev->aux, (uint16_t)(uint8_t)ev->payload[0] };
	} else if (ev->kind == NET_ARRIVE) {
		struct topo_hop h = topo_peer(&l->n->topo, lp->id, ev->aux);
		c = (struct channel){ h.to, (uint16_t)h.port,
			              ((const struct sw_packet *)(const void *)ev->payload)->vc };
	} else {
		return;
	}
	push(l, (struct wait_edge){ none, c, 0, 1 });
}

static uint64_t rank_of(struct channel c)
{
	return (uint64_t)c.sw << 32 | (uint32_t)c.port << 16 | c.vc;
}

static int by_in(const void *a, const void *b)
{
	uint64_t x = rank_of(((const struct wait_edge *)a)->in), y = rank_of(((const struct wait_edge *)b)->in);
	return x < y ? -1 : x > y;
}

static int by_word(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static size_t lower(const uint64_t *v, size_t n, uint64_t x)
{
	size_t lo = 0, hi = n;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (v[mid] < x)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Channels that packets wait for, sorted, each once; *alive marks those that will move. */
static size_t live_channels(struct wait_edge *e, size_t n, uint64_t **channels, unsigned char **alive)
{
	uint64_t *c = base_calloc(n, sizeof *c);
	size_t m = 0, u = 0;
	for (size_t i = 0; i < n; i++)
		if (e[i].packets)
			c[m++] = rank_of(e[i].out);
	qsort(c, m, sizeof *c, by_word);
	for (size_t i = 0; i < m; i++)
		if (u == 0 || c[u - 1] != c[i])
			c[u++] = c[i];
	unsigned char *a = base_alloc(u);
	for (size_t i = 0; i < n; i++) {
		size_t k = lower(c, u, rank_of(e[i].out));
		if (e[i].alive && k < u && c[k] == rank_of(e[i].out))
			a[k] = 1;
	}
	for (bool changed = true;
	     changed;) { /* liveness flows from a channel to the channels that feed packets waiting for it */
		changed = false;
		for (size_t i = 0; i < n; i++) {
			if (!e[i].packets || e[i].in.sw == UINT32_MAX || !a[lower(c, u, rank_of(e[i].out))])
				continue;
			size_t k = lower(c, u, rank_of(e[i].in));
			if (k < u && c[k] == rank_of(e[i].in) && !a[k]) {
				a[k] = 1;
				changed = true;
			}
		}
	}
	*channels = c;
	*alive = a;
	return u;
}

/* From a dead channel on, each step to a channel that some packet of its buffer waits for: all dead, so it must close.
 */
static void print_cycle(FILE *out, const struct wait_edge *e, size_t n, uint64_t start)
{
	uint64_t path[64] = { 0 };
	size_t length = 0;
	for (uint64_t c = start; length < 64;) {
		for (size_t i = 0; i < length; i++)
			if (path[i] == c) {
				for (size_t k = i; k < length; k++)
					fprintf(out, "  switch %u, output %u, VC %u waits for\n",
					        (uint32_t)(path[k] >> 32), (unsigned)(path[k] >> 16 & 0xffff),
					        (unsigned)(path[k] & 0xffff));
				fprintf(out, "  switch %u, output %u, VC %u: the cycle is closed\n",
				        (uint32_t)(c >> 32), (unsigned)(c >> 16 & 0xffff), (unsigned)(c & 0xffff));
				return;
			}
		path[length++] = c;
		size_t lo = 0, hi = n;
		while (lo < hi) { /* e is sorted by `in` */
			size_t mid = (lo + hi) / 2;
			if (rank_of(e[mid].in) < c)
				lo = mid + 1;
			else
				hi = mid;
		}
		while (lo < n && rank_of(e[lo].in) == c && !e[lo].packets)
			lo++;
		if (lo == n || rank_of(e[lo].in) != c)
			break;
		c = rank_of(e[lo].out);
	}
	for (size_t k = 0; k < length && k < 8; k++)
		fprintf(out, "  switch %u, output %u, VC %u waits for the next\n", (uint32_t)(path[k] >> 32),
		        (unsigned)(path[k] >> 16 & 0xffff), (unsigned)(path[k] & 0xffff));
}

char *net_find_deadlock(struct net *n)
{
	struct edge_list l = { .n = n };
	for (uint32_t i = 0; i < n->count; i++) {
		l.lp = net_lp_at(n, n->first + i);
		n->common.ops->each_waiting(&n->common, net_switch_state(n, l.lp), add_waiting, &l);
	}
	uint64_t waiting = l.used;
	sim_sum_u64(&waiting, 1);
	if (waiting)
		sim_leftovers(n->engine, add_alive, &l);
	char *text = NULL;
	void *all;
	size_t bytes;
	if (waiting) {
		sim_gather_bytes(l.v, l.used * sizeof *l.v, &all, &bytes);
		size_t m = bytes / sizeof(struct wait_edge), text_bytes = 0;
		struct wait_edge *e = all;
		if (m) {
			uint64_t *channels, dead = 0, first = 0, packets = 0;
			unsigned char *alive;
			size_t u = live_channels(e, m, &channels, &alive);
			for (size_t i = u; i-- > 0;)
				if (!alive[i]) {
					dead++;
					first = channels[i];
				}
			for (size_t i = 0; i < m; i++)
				if (e[i].packets && !alive[lower(channels, u, rank_of(e[i].out))])
					packets += e[i].packets;
			if (dead) {
				qsort(e, m, sizeof *e, by_in);
				FILE *out = open_memstream(&text, &text_bytes);
				fprintf(out,
				        "deadlock: %" PRIu64 " packets wait for each other at %" PRIu64
				        " outputs and virtual channels; for example\n",
				        packets, dead);
				print_cycle(out, e, m, first);
				fclose(out);
			}
			free(channels);
			free(alive);
		}
		free(all);
		uint64_t length = text_bytes;
		sim_broadcast(&length, sizeof length);
		if (length) {
			if (!text)
				text = base_alloc(length + 1);
			sim_broadcast(text, length + 1);
		}
	}
	free(l.v);
	return text;
}
