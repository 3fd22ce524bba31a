/* network/memory.c - how much memory a run will need, told before anything large is built.
 *
 * What is allocated once is computed with the builders' own sizes. What moves is estimated: a packet in the network is
 * one record of 64 bytes, a credit on its way one of 32, every endpoint's next injection one of 64; records are stored
 * in chunks per block of LPs, window and length, half of one of which is waste. Full input buffers hold 64 bytes a
 * packet more; whether they fill up cannot be known beforehand. A switch is taken to be traversed in 100 ns. */
#include "base/memory.h"
#include "base/available.h"
#include "network/net.h"

#include <math.h>
#include <stdlib.h>

#define PROCESS_BYTES ((uint64_t)6 << 20) /* the program with its libraries */
#define MPI_BYTES ((uint64_t)12 << 20)    /* what MPI adds to a rank */
#define TRAVERSAL_PS 1e5
#define QUEUED_BYTES 64 /* of a packet in an input buffer */

static uint64_t record_bytes(const struct net *n)
{
	uint64_t bytes = n->count * net_records_lp_bytes(n);
	if (n->nrecorded)
		bytes += n->nrecorded * sw_instrument_at(&n->instruments, n->instruments.n) * sizeof(uint64_t);
	return bytes;
}

#define SAMPLES 4096u
#define NONMINIMAL_SHARE 0.25 /* assumed of adaptive routing: uniform traffic measures 0.13 to 0.25 */

/* Links from switch to switch that a packet takes in the mean: the distances to the first destinations of some
 * endpoints, and for non-minimal routes as much longer as the longest of them is. */
static double mean_hops(struct net *n)
{
	const struct topo *t = &n->topo;
	double sum = 0, weight = 0;
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint32_t endpoint = (uint32_t)((uint64_t)i * t->endpoints / SAMPLES);
		uint8_t jobs[256];
		uint32_t count = n->traffic.jobs_at(&n->traffic, endpoint, jobs);
		for (uint32_t j = 0; j < count; j++) {
			struct net_source source = { 0 };
			n->traffic.ops->start(&n->traffic, jobs[j], endpoint, &source);
			if (source.created == NET_NEVER)
				continue;
			double load = n->traffic.job[jobs[j]].load;
			sum += load * t->ops->distance(t, topo_switch_of(t, endpoint), topo_switch_of(t, source.dst));
			weight += load;
		}
	}
	double mean = weight > 0 ? sum / weight : 0, longest = t->ops->max_distance(t);
	double longer = longest > 0 ? n->rt.max_hops / longest - 1 : 0;
	return mean * (1 + (longer > 0 ? longer : 0) * (n->rt.ops->wants_queues ? NONMINIMAL_SHARE : 1));
}

/* Of all endpoints together, in what their links carry. */
static double offered_load(const struct net *n)
{
	double load = 0;
	for (uint32_t j = 0; j < n->jobs; j++)
		load += n->traffic.job[j].load * (double)n->traffic.job[j].members / n->topo.endpoints;
	return load > 1 ? 1 : load;
}

/* Records alive at a time, and the chunks that hold them. A record is there from the event that sends it until its own;
 * of an injection always one an endpoint. */
static uint64_t event_bytes(struct net *n, const struct sim_sizes *s)
{
	double load = offered_load(n);
	const struct sw_link *l = &n->common.link[0];
	double ser = (double)sw_serialisation(&n->common.link[SW_LINK_TERMINAL], n->common.max_packet);
	double wait = load / (load < 0.9 ? 2 - 2 * load : 0.2) * ser; /* M/D/1 */
	double hops = mean_hops(n), hop = (double)l->latency + TRAVERSAL_PS + wait, window = (double)n->lookahead;
	double rate = load / ser; /* packets per ps and endpoint */
	double packet = SIM_LONG_BYTES * hops * hop + SIM_SHORT_BYTES * hops * (hop + ser);
	double records = n->topo.endpoints * (SIM_LONG_BYTES + rate * packet);
	/* windows that hold records of both lengths, and those in which only some injections are */
	double per_block = (double)n->topo.endpoints / s->blocks;
	double dense = (hop + ser) / window + 1, tail = rate > 0 ? (log(per_block + 1) + 0.58) / rate / window : 0;
	double run = (double)n->likely_end / window, most = run < 512 ? run : 512;
	dense = dense < most ? dense : most;
	tail = tail < dense ? 0 : (tail < most ? tail : most) - dense;
	return (uint64_t)(records + s->blocks * (double)s->chunk_bytes * (dense + tail)) + s->spare_bytes;
}

/* What every thread sums for itself: histograms and time line. */
static uint64_t sums_bytes(const struct net *n)
{
	const struct net_record *r = &n->config->record;
	uint64_t bins = r->timeline ? n->likely_end / r->timeline + 2 : 0;
	return (3ull * n->traffic.jobs * SIM_HISTOGRAM_BINS * sizeof(uint64_t)) + bins * sizeof(struct net_bin);
}

/* If all buffers are full, or as far as the packets of the whole run can fill them: of the largest size, in pools of a
 * switch that grow by doubling (switch/pool.h). */
static uint64_t buffer_bytes(struct net *n)
{
	double ser = (double)sw_serialisation(&n->common.link[SW_LINK_TERMINAL], n->common.max_packet);
	double injected = n->topo.endpoints * offered_load(n) * (double)n->likely_end / ser;
	double ports = 0, packets = (double)n->common.ops->buffer_share(&n->common) / n->common.max_packet;
	for (uint32_t s = 0; s < n->topo.switches; s++)
		ports += topo_ports(&n->topo, s);
	double room = packets * (ports * n->common.vcs + n->topo.endpoints);
	return (uint64_t)(QUEUED_BYTES * fmin(2 * injected, room));
}

int net_memory_estimate(const struct net_setup *setup, int ranks, struct net_memory *out, struct base_errors *errors)
{
	struct net *n = base_alloc(sizeof *n);
	n->setup = *setup;
	n->config = setup->config;
	n->destroy_traffic = setup->destroy_traffic;
	int status = net_build_parts(n, errors);
	if (!status) {
		n->count = n->topo.switches;
		net_plan(n);
		struct base_errors none = { 0 };
		int threads = net_choose_threads(n, ranks, &none);
		int parts = threads > 1 ? threads : ranks; /* every thread has tables for all switches */
		base_errors_free(&none);                   /* who builds it will tell */
		n->threads = threads > 1 ? (uint32_t)threads : 1;
		struct sim_config config = net_sim_config(n, NULL);
		struct sim_sizes s = sim_sizes(&config, threads > 1 ? n->count : n->count / (uint32_t)ranks + 1);
		s.blocks *= (uint32_t)parts;
		const char *by;
		struct base_available now = base_available("");
		uint64_t left = base_available_to(&now, threads > 1 ? 1 : (unsigned)ranks, &by);
		*out = (struct net_memory){
			.switches = n->lp_bytes + (uint64_t)n->count * (sizeof *n->lps + sizeof *n->returns) +
			            net_neighbours_bytes(n),
			.records = record_bytes(n),
			.engine = s.table_bytes * (uint64_t)parts,
			.events = event_bytes(n, &s),
			.process = (uint64_t)ranks * (PROCESS_BYTES + (ranks > 1 ? MPI_BYTES : 0)),
			.saturated = buffer_bytes(n),
			.available = left,
			.available_by = by,
			.endpoints = n->topo.endpoints,
		};
		out->process += sums_bytes(n) * (n->threads - 1);
		out->total = out->switches + out->records + out->engine + out->events + out->process;
	}
	net_destroy(n);
	return status;
}
