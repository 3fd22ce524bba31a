/* network/stats/sample.c - see sample.h
 *
 * Packets of neighbouring endpoints at some places of the network are taken from the traffic and routed hop by hop:
 * first with empty queues, for which adaptive routings use their shortest routes; then, for adaptive routings, with
 * random queue lengths in packets, distributed as in a server with the links' utilization (M/D/1, where the probability
 * of one more packet decreases by about the square of the utilization).
 *
 * The network is overloaded, whatever its queues, if the traffic has more bytes than all links together carry on the
 * shortest routes or than the clock of a switch permits; or, for routes that do not depend on queues, if a single link
 * is overloaded by the sampled packets alone; or an endpoint. Sampled loads are reduced by three standard deviations of
 * a compound Poisson variable, since packets of a message are not independent. */
#include "network/stats/sample.h"

#include "base/memory.h"
#include "network/legs.h"

#include <math.h>
#include <stdlib.h>

#define PLACES 8u
#define TOGETHER 256u /* endpoints side by side in each */
#define PACKETS 8u    /* of each job at each endpoint */
#define SWITCHES 1024u
#define TRAVERSAL_PS 1e5 /* of a switch that does not say */

struct count { /* sampled bytes on a link, or to an endpoint */
	uint64_t key;
	double load, squares; /* squares: of what each message has added, but the last */
	double part;          /* of the last */
	uint64_t message;     /* which that is */
};

struct counts { /* a hash table; a key of 0 is a free place */
	struct count *v;
	size_t room; /* a power of 2 */
};

struct sample_walk {
	struct net *n;
	struct rt_env env;
	double places, busy; /* for packets in a queue; the share of them that is taken */
	uint64_t draw;
	double weight, payload, bytes; /* sums over packets, by what they stand for; bytes: on the wire */
	double hops, latency, loaded;
	double longest;    /* ps */
	double slow;       /* by weight */
	double from, span; /* ps: the time that `slow` is of */
	double wait;       /* ps, before a link, on average */
	double load;       /* of a link */
	uint64_t waits;    /* drawn so far */
	uint64_t message;  /* messages walked so far */
	double burst;      /* packets of a message, by weight */
	double alike, two; /* two: pairs of messages of one endpoint; alike: those that go to the same one */
	struct counts counts;
};

static uint64_t scatter(uint64_t v)
{
	v = (v ^ v >> 31) * 0x7fb5d329728ea185ull;
	v = (v ^ v >> 27) * 0x81dadef4bc2dd44dull;
	return v ^ v >> 33;
}

/* Bytes queued for an output: the same whenever it is queried at one hop of one packet. */
static uint64_t queue_of(const struct sample_walk *w, uint32_t there, uint32_t out)
{
	uint64_t draw = scatter(w->draw + scatter((uint64_t)there << 32 | out)), packets = 0;
	double u = (double)(draw >> 11) * 0x1p-53, p = pow(1 - w->busy, w->places), odds = w->busy / (1 - w->busy);
	for (double sum = p; sum <= u && (double)packets < w->places; sum += p, packets++)
		p *= odds * (w->places - (double)packets) / (double)(packets + 1);
	return packets * w->n->common.max_packet;
}

static uint64_t queue_bytes(const void *sw, topo_port out, uint64_t now)
{
	(void)now;
	return queue_of(sw, 0, out);
}

static void queue_bytes_each(const void *sw, const topo_port *out, uint32_t count, uint64_t now, uint64_t *bytes)
{
	(void)now;
	for (uint32_t i = 0; i < count; i++)
		bytes[i] = queue_of(sw, 0, out[i]);
}

static uint64_t published_bytes(const void *host, topo_switch there, topo_port out)
{
	return queue_of(host, there + 1, out);
}

static uint64_t neighbour_bytes(const void *host, topo_port out, topo_port far, uint64_t now)
{
	(void)now;
	return queue_of(host, out + 1, far);
}

static void add_count(struct sample_walk *w, uint64_t key, double load)
{
	struct counts *c = &w->counts;
	size_t at = scatter(key) & (c->room - 1);
	for (size_t tries = 0; tries < c->room; tries++, at = (at + 1) & (c->room - 1)) {
		if (c->v[at].key && c->v[at].key != key)
			continue;
		c->v[at].key = key;
		c->v[at].load += load;
		if (c->v[at].message != w->message)
			c->v[at].squares += c->v[at].part * c->v[at].part;
		c->v[at].part = c->v[at].message == w->message ? c->v[at].part + load : load;
		c->v[at].message = w->message;
		return;
	}
}

/* ps before a link: none, or exponentially distributed. */
static double draw_wait(struct sample_walk *w)
{
	double u = ((double)(scatter(w->waits++) >> 11) + 0.5) * 0x1p-53, share = fmin(fmax(w->load, 0.01), 0.95);
	return u < share ? -log(u / share) * w->wait / share : 0;
}

/* The share of the time in question that a packet created at 0 is still on such a way. */
static double still_under_way(const struct sample_walk *w, double way)
{
	double later = way - w->from;
	return later <= 0 ? 0 : later < w->span ? later / w->span : 1;
}

/* Bytes for which a packet keeps a link busy. */
static uint32_t wire_bytes(const struct sw_link *link, const struct sw_packet *p)
{
	return sw_frame_bytes(link, p->bytes) + link->gap_bytes;
}

/* `load`: of one endpoint's link, in payload, that the packet stands for. */
static void walk_packet(struct sample_walk *w, struct sw_packet *p, double load)
{
	const struct net *n = w->n;
	const struct topo *t = &n->topo;
	double weight = load / p->bytes;
	const struct sw_link *terminal = sw_link_for_job(&n->common, SW_LINK_TERMINAL, p->job);
	uint32_t frame = sw_frame_bytes(terminal, p->bytes);
	topo_switch here = topo_switch_of(t, p->src);
	p->via = SW_NO_VIA;
	p->hops = p->vc = p->route = 0;
	w->env.in_port = RT_FROM_ENDPOINT;
	w->weight += weight;
	w->payload += load;
	w->bytes += weight * wire_bytes(terminal, p);
	double crossing = net_traversal(n), serial = frame * (double)terminal->ps_per_byte_q16 / 65536;
	double way = 2 * (double)terminal->latency + crossing + serial;
	for (uint32_t i = 0; i <= n->rt.max_hops; i++) {
		w->env.here = here;
		w->env.drawn = 0;
		w->draw++;
		topo_port port = n->rt.ops->route(&n->rt, &w->env, p).port;
		if (port == RT_EJECT)
			break;
		struct topo_hop hop = topo_peer(t, here, port);
		uint32_t link_number = net_link_of(n, hop.link_class);
		const struct sw_link *link = sw_link_for_job(&n->common, link_number, p->job);
		double slower = (double)link->ps_per_byte_q16 / (double)terminal->ps_per_byte_q16;
		slower *= wire_bytes(link, p);
		add_count(w, (uint64_t)here << 20 | (port + 1), weight * slower);
		w->hops += weight;
		double latency = (double)net_latency(n, here, port, hop.to, link_number);
		w->latency += weight * latency;
		way += latency + crossing;
		if (n->store_and_forward)
			way += sw_frame_bytes(link, p->bytes) * (double)link->ps_per_byte_q16 / 65536;
		w->loaded += weight * slower;
		if (p->vc >= n->common.vcs)
			p->vc = (uint8_t)(n->common.vcs - 1);
		p->via = sw_packet_via(p, p->route);
		p->hops++;
		w->env.in_port = hop.port;
		here = hop.to;
	}
	w->longest = fmax(w->longest, way);
	for (uint32_t i = 0; w->wait > 0 && i < p->hops + 2u; i++)
		way += draw_wait(w);
	w->slow += weight * still_under_way(w, way);
	add_count(w, UINT64_C(1) << 63 | p->dst, weight * wire_bytes(terminal, p));
}

static void walk_endpoint(struct sample_walk *w, uint32_t endpoint)
{
	const struct net_traffic *traffic = &w->n->traffic;
	uint8_t jobs[256];
	uint32_t count = traffic->jobs_at(traffic, endpoint, jobs);
	for (uint32_t j = 0; j < count; j++) {
		struct net_source source = { 0 };
		struct sw_packet p[PACKETS];
		uint32_t made = 0, message[PACKETS], whole[PACKETS]; /* whole: bytes of its message */
		double bytes = 0, weight = 1;
		if (traffic->ops->weight)
			weight = (double)traffic->ops->weight(traffic, jobs[j], endpoint) * 0x1p-32;
		traffic->ops->start(traffic, jobs[j], endpoint, &source);
		for (; made < PACKETS && source.created != NET_NEVER; made++) {
			bool first = !made || message[made - 1] != source.message;
			message[made] = source.message;
			whole[made] = first ? source.left : whole[made - 1];
			traffic->ops->take(traffic, jobs[j], endpoint, &source, &p[made]);
			bytes += p[made].bytes;
		}
		for (uint32_t i = 0; i < made; i++) {
			double load = traffic->job[jobs[j]].load * weight * p[i].bytes / bytes;
			bool first = !i || message[i] != message[i - 1];
			w->message += first;
			w->two += first && i;
			w->alike += first && i && p[i].dst == p[i - 1].dst;
			w->burst += load / p[i].bytes * fmax(1, (double)whole[i] / p[i].bytes);
			walk_packet(w, &p[i], load);
		}
	}
}

/* Returns how many endpoints. */
static uint32_t walk_sample(struct sample_walk *w, double places, double busy)
{
	uint32_t endpoints = w->n->topo.endpoints, visited = 0;
	bool all = endpoints <= PLACES * TOGETHER;
	struct counts c = w->counts;
	for (size_t i = 0; i < c.room; i++)
		c.v[i] = (struct count){ 0 };
	w->weight = w->payload = w->bytes = w->hops = w->latency = w->loaded = w->longest = w->slow = w->burst =
	    w->alike = w->two = 0;
	w->places = ceil(places);
	w->busy = fmin(busy, 0.95);
	for (uint32_t i = 0; i < (all ? 1 : PLACES); i++) {
		uint32_t first = (uint32_t)((uint64_t)i * endpoints / PLACES),
			 last = all ? endpoints : first + TOGETHER;
		for (uint32_t e = first; e < last; e++, visited++)
			walk_endpoint(w, e);
	}
	return visited;
}

/* Switch-to-switch links, each way for itself, by those of some switches. */
static double directed_links(const struct topo *t)
{
	uint32_t looked = t->switches < SWITCHES ? t->switches : SWITCHES;
	double ports = 0;
	for (uint32_t i = 0; i < looked; i++)
		ports += topo_ports(t, (topo_switch)((uint64_t)i * t->switches / looked));
	return ports * t->switches / looked;
}

/* What one link, or one endpoint of the sample, is loaded with at least. `share`: of all endpoints that were walked. */
static void look_at_counts(const struct sample_walk *w, double share, struct net_sample *out)
{
	bool oblivious = !w->n->rt.ops->wants_queues;
	for (size_t i = 0; i < w->counts.room; i++) {
		const struct count *c = &w->counts.v[i];
		bool endpoint = c->key >> 63;
		if (!c->key || (!endpoint && !oblivious))
			continue;
		double load = c->load - 3 * sqrt(c->squares + c->part * c->part);
		if (endpoint)
			load /= share; /* others send to it as these do */
		if (load > out->overload) {
			out->overload = load;
			out->full = endpoint ? "the link to an endpoint" : "a link between switches";
		}
	}
}

/* Of those endpoints that send, on average, and of links between switches, as long as all links are alike. `load`: of
 * all endpoints together. */
static void look_at_clock(const struct net *n, double load, struct net_sample *out)
{
	const struct sw_common *c = &n->common;
	double slower = (double)c->link[SW_LINK_TERMINAL].ps_per_byte_q16;
	slower /= (double)c->link[c->fastest].ps_per_byte_q16;
	if (c->clocked <= 0 || !n->endpoints.senders)
		return;
	double each = load / (double)n->endpoints.senders / slower;
	each = fmax(each, c->one_rate ? out->busy : 0) / c->clocked;
	if (each > out->overload) {
		out->overload = each;
		out->full = "a switch's clock";
	}
}

/* Of all endpoints together, in what their links carry. */
static double offered_load(const struct net *n)
{
	double load = 0;
	for (uint32_t j = 0; j < n->jobs; j++)
		load += n->traffic.job[j].load * (double)n->traffic.job[j].members;
	return fmin(load, (double)n->endpoints.senders);
}

static void find_means(const struct sample_walk *w, double load, double links, struct net_sample *out)
{
	const struct sw_link *terminal = &w->n->common.link[SW_LINK_TERMINAL];
	if (w->weight <= 0)
		return;
	load = fmin(load * (w->bytes / w->payload), w->n->topo.endpoints); /* with framing */
	out->bytes = w->bytes / w->weight;
	out->rate = load / (out->bytes * (double)terminal->ps_per_byte_q16 / 65536);
	out->hops = w->hops / w->weight;
	out->latency = w->hops > 0 ? w->latency / w->hops : 0;
	out->longest = w->longest;
	out->burst = w->burst / w->weight;
	out->partners = w->alike > 0 ? fmin(w->two / w->alike, w->n->topo.endpoints) : w->n->topo.endpoints;
	out->slow = w->slow / w->weight;
	out->busy = links > 0 ? load * w->loaded / w->bytes / links : 0;
}

double net_traversal(const struct net *n)
{
	const struct sw_common *c = &n->common;
	return c->ops->estimates.traversal ? (double)c->ops->estimates.traversal(c) : TRAVERSAL_PS;
}

double net_residence(const struct net *n, const struct net_sample *s, double *serial)
{
	const struct sw_common *c = &n->common;
	double busy = s->busy < 0.95 ? s->busy : 0.95;
	*serial = s->bytes * (double)c->link[SW_LINK_TERMINAL].ps_per_byte_q16 / 65536;
	return net_traversal(n) + *serial + busy / (2 - 2 * busy) * s->burst * *serial;
}

void net_sample(struct net *n, struct net_sample *out)
{
	bool drains = net_legs_drain(n);
	struct sample_walk w = { .n = n,
		                 .draw = n->config->seed,
		                 .from = (double)n->times.measure_to,
		                 .span = drains ? net_drain_mark(n) : 0 };
	uint32_t routes = PACKETS * PLACES * TOGETHER * n->endpoints.sources, room = 64;
	if (n->topo.endpoints < PLACES * TOGETHER)
		routes = PACKETS * n->topo.endpoints * n->endpoints.sources;
	while (room < 8 * routes && room < 1u << 16)
		room *= 2;
	w.counts = (struct counts){ base_calloc(room, sizeof(struct count)), room };
	w.env = (struct rt_env){ .seed = n->config->seed,
		                 .queue_bytes = queue_bytes,
		                 .queue_bytes_each = queue_bytes_each,
		                 .sw = &w,
		                 .published_bytes = n->rt.ops->wants_published ? published_bytes : NULL,
		                 .neighbour_bytes = n->rt.ops->wants_neighbours ? neighbour_bytes : NULL,
		                 .host = &w,
		                 .class_bias = n->classes.bias ? n->classes.bias_of_job : NULL };
	double load = offered_load(n), links = directed_links(&n->topo);
	*out = (struct net_sample){ .bytes = n->common.max_packet, .burst = 1, .partners = n->topo.endpoints };
	uint32_t walked = walk_sample(&w, 0, 0);
	find_means(&w, load, links, out);
	out->overload = out->busy;
	out->full = "all links between switches";
	look_at_counts(&w, (double)walked / n->topo.endpoints, out);
	look_at_clock(n, load, out);
	double serial, stay = net_residence(n, out, &serial);
	w.wait = stay - serial - net_traversal(n);
	w.load = out->busy;
	if (n->rt.ops->wants_queues) {
		walk_sample(&w, fmin(stay / serial, 200), out->busy);
		find_means(&w, load, links, out);
	} else if (net_finds_end(n)) { /* what waits is not in `slow` yet */
		walk_sample(&w, 0, 0);
		out->slow = w.weight > 0 ? w.slow / w.weight : 0;
	}
	free(w.counts.v);
}
