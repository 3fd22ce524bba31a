/* network/telemetry/publish.c - queue depths of other switches, for routings that use them (UGAL-G).
 *
 * A logical process cannot read the state of another one, so every switch sends the depths of its network outputs to
 * the switches of its group (without groups: to its neighbours) once every publish_delay; they arrive publish_delay
 * later. So a decision sees depths that are between one and two delays old. Depths are in units of 64 bytes and
 * saturate at 4 MB. They are sent 16 per event; 16 that have not changed since they were last sent are not sent again,
 * because their receivers know them. Publishing ends with the measured window. */
#include "base/memory.h"
#include "network/part.h"

#include <stdlib.h>
#include <string.h>

#define PER_EVENT 16u

static bool grouped(const struct net *n)
{
	return n->topo.groups > 1 && n->topo.groups < n->topo.switches;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

/* Switches whose depths a switch knows, at most. */
static uint32_t most_peers(const struct net *n, uint32_t sw)
{
	uint32_t g = grouped(n) ? topo_group(&n->topo, sw) : 0;
	return grouped(n) ? n->telemetry.group_first[g + 1] - n->telemetry.group_first[g] : topo_ports(&n->topo, sw);
}

static uint32_t find_peers(const struct net *n, uint32_t sw, uint32_t *out)
{
	uint32_t k = 0;
	if (grouped(n)) {
		uint32_t g = topo_group(&n->topo, sw);
		for (uint32_t i = n->telemetry.group_first[g]; i < n->telemetry.group_first[g + 1]; i++)
			if (n->telemetry.group_member[i] != sw)
				out[k++] = n->telemetry.group_member[i];
		return k;
	}
	for (uint32_t p = 0; p < topo_ports(&n->topo, sw); p++)
		out[k++] = topo_peer(&n->topo, sw, p).to;
	qsort(out, k, sizeof *out, by_number);
	uint32_t u = 0;
	for (uint32_t i = 0; i < k; i++)
		if (out[i] != sw && (u == 0 || out[u - 1] != out[i]))
			out[u++] = out[i];
	return u;
}

static void list_groups(const struct net *n, uint32_t **first, uint32_t **member)
{
	*first = base_calloc((size_t)n->topo.groups + 2, sizeof **first);
	*member = base_calloc(n->topo.switches, sizeof **member);
	for (uint32_t s = 0; s < n->topo.switches; s++)
		(*first)[topo_group(&n->topo, s) + 2]++;
	for (uint32_t g = 2; g < n->topo.groups + 2; g++)
		(*first)[g] += (*first)[g - 1];
	for (uint32_t s = 0; s < n->topo.switches; s++)
		(*member)[(*first)[topo_group(&n->topo, s) + 1]++] = s;
}

int net_publish_check(const struct net *n, struct base_errors *errors)
{
	if (!n->rt.ops->wants_published || n->rt.publish_delay >= n->lookahead)
		return 0;
	return base_errorf(
	    errors, "routing.publish_delay",
	    "%llu ps is less than the shortest link latency, %llu ps: information cannot be faster than packets",
	    (unsigned long long)n->rt.publish_delay, (unsigned long long)n->lookahead);
}

static bool is_there(const struct net *n)
{
	return n->rt.ops->wants_published;
}

static double mean_peers(const struct net *n)
{
	return grouped(n) ? (double)n->topo.switches / n->topo.groups - 1 : n->topo.max_ports;
}

/* And malloc's own bytes. */
static double tables_of_one(const struct net *n)
{
	return mean_peers(n) * (4.0 + 2.0 * n->topo.max_ports) + 2.0 * n->topo.max_ports + 48 +
	       sizeof(struct net_published);
}

static size_t bytes(const struct net *n)
{
	return (size_t)tables_of_one(n);
}

static void init(struct net *n, struct net_lp *lp)
{
	struct net_published *p = &n->telemetry.published[net_index(n, lp)];
	p->peer = base_calloc(most_peers(n, lp->id), sizeof *p->peer);
	p->peers = find_peers(n, lp->id, p->peer);
	for (uint32_t k = 1; BASE_CHECKING && k < p->peers; k++)
		base_checkf(p->peer[k - 1] < p->peer[k], "switch %u before %u", p->peer[k - 1], p->peer[k]);
	p->depth = base_calloc((size_t)p->peers * n->topo.max_ports, sizeof *p->depth);
	p->sent = base_calloc(n->topo.max_ports, sizeof *p->sent);
}

static void regions(struct net *n, const struct net_lp *lp, net_visit *visit, void *arg)
{
	struct net_published *p = &n->telemetry.published[net_index(n, lp)];
	visit(arg, p->depth, (size_t)p->peers * n->topo.max_ports * sizeof *p->depth);
	visit(arg, p->sent, n->topo.max_ports * sizeof *p->sent);
}

static void release(struct net *n, struct net_lp *lp)
{
	struct net_published *p = &n->telemetry.published[net_index(n, lp)];
	free(p->peer);
	free(p->depth);
	free(p->sent);
	*p = (struct net_published){ 0 };
}

static double kept(const struct net *n, const struct net_load *load)
{
	(void)load;
	return n->topo.switches * tables_of_one(n);
}

double net_publish_events(const struct net *n)
{
	double events = (n->topo.max_ports + PER_EVENT - 1) / PER_EVENT;
	return is_there(n) ? n->topo.switches * mean_peers(n) * events : 0;
}

static int create(struct net *n, struct base_errors *errors)
{
	(void)errors;
	base_check(n->rt.publish_delay >= n->lookahead); /* net_publish_check() has seen to that */
	n->telemetry.published = base_calloc(n->room, sizeof *n->telemetry.published);
	if (grouped(n))
		list_groups(n, &n->telemetry.group_first, &n->telemetry.group_member);
	return 0;
}

static void destroy(struct net *n)
{
	free(n->telemetry.published);
	free(n->telemetry.group_first);
	free(n->telemetry.group_member);
}

const struct net_part net_published_part = { .there = is_there,
	                                     .bytes = bytes,
	                                     .kept = kept,
	                                     .create = create,
	                                     .destroy = destroy,
	                                     .init = init,
	                                     .regions = regions,
	                                     .release = release };

static uint16_t quantised(const struct net *n, struct net_lp *lp, uint32_t port, uint64_t now)
{
	uint64_t d = n->env.queue_bytes(net_switch_state(n, lp), port, now) / NET_DEPTH_UNIT;
	return d > UINT16_MAX ? UINT16_MAX : (uint16_t)d;
}

static void publish_to_peers(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct net_published *p,
                             uint32_t from, const uint16_t depth[PER_EVENT])
{
	for (uint32_t i = 0; i < p->peers; i++) {
		struct sim_event *ev = sim_send(ctx, net_lp_of(n, p->peer[i]), ctx->now + n->rt.publish_delay,
		                                net_next_key(ctx, lp, NET_PHASE_PUBLISH), SIM_LONG_WORDS);
		ev->kind = NET_PUBLISHED;
		ev->aux = (uint16_t)from;
		ev->payload[0] = lp->id;
		memcpy(&ev->payload[1], depth, PER_EVENT * sizeof *depth);
	}
}

void net_publish_tick(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *tick)
{
	(void)tick;
	const struct net_published *p = &n->telemetry.published[net_index(n, lp)];
	uint64_t now = ctx->now;
	for (uint32_t from = 0; from < lp->net_ports; from += PER_EVENT) {
		uint16_t depth[PER_EVENT] = { 0 };
		uint32_t ports = lp->net_ports - from < PER_EVENT ? lp->net_ports - from : PER_EVENT;
		for (uint32_t k = 0; k < ports; k++)
			depth[k] = quantised(n, lp, from + k, now);
		if (!memcmp(depth, p->sent + from, ports * sizeof *depth))
			continue;
		sim_save(ctx, p->sent + from, ports * sizeof *depth);
		memcpy(p->sent + from, depth, ports * sizeof *depth);
		publish_to_peers(n, ctx, lp, p, from, depth);
	}
	uint64_t next = now + n->rt.publish_delay;
	if (next < n->times.published_until) {
		struct sim_event *ev = sim_send(ctx, net_lp_of(n, lp->id), next,
		                                net_next_key(ctx, lp, NET_PHASE_PUBLISH), SIM_SHORT_WORDS);
		ev->kind = NET_TICK;
		ev->aux = 0;
		ev->payload[0] = 0;
	}
}

static uint32_t peer_index(const struct net_published *p, uint32_t sw)
{
	uint32_t lo = 0, hi = p->peers;
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		if (p->peer[mid] < sw)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < p->peers && p->peer[lo] == sw ? lo : UINT32_MAX;
}

void net_publish_receive(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	struct net_published *p = &n->telemetry.published[net_index(n, lp)];
	uint32_t i = peer_index(p, (uint32_t)ev->payload[0]);
	if (i == UINT32_MAX)
		return; /* a cable in one direction only would be needed for this */
	uint32_t most = n->topo.max_ports - ev->aux;
	base_checkf(ev->aux % PER_EVENT == 0 && ev->aux < n->topo.max_ports, "depths from output %u on", ev->aux);
	uint16_t *at = &p->depth[(size_t)i * n->topo.max_ports + ev->aux];
	size_t bytes = (most < PER_EVENT ? most : PER_EVENT) * sizeof *at;
	sim_save(ctx, at, bytes);
	memcpy(at, &ev->payload[1], bytes);
}

uint64_t net_published_bytes(const void *host, topo_switch there, topo_port out)
{
	const struct net *n = host;
	const struct net_published *p = &n->telemetry.published[n->call.lp - n->base];
	uint32_t i = peer_index(p, there);
	return i == UINT32_MAX ? 0 : (uint64_t)p->depth[(size_t)i * n->topo.max_ports + out] * NET_DEPTH_UNIT;
}
