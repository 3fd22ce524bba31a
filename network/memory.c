/* network/memory.c - estimate of the memory of a run, before anything large is built.
 *
 * The memory of static allocations is computed from the sizes that their builders use. The number of events is
 * estimated from sampled routes (sample.h): a packet in flight is a record of 64 bytes, a credit that is not withheld a
 * record of 32 bytes, and the next injection of every endpoint a record of 64 bytes. Switch models that store packets
 * report the memory per packet. Records are stored in chunks for each window, block of LPs, and record length; the last
 * chunk of each is partly filled.
 *
 * Assumptions: queue lengths are those of Poisson arrivals (M/D/1); a run with time.precision lasts as long as most
 * such runs do, and at most time.limit; a run that drains continues for the latency of its slowest packet. The memory
 * with full input buffers is reported in addition, because it is unknown in advance whether they fill up, unless the
 * offered load exceeds the capacity of the network. */
#include "base/memory.h"
#include "base/available.h"
#include "network/legs.h"
#include "network/nic/nic.h"
#include "network/part.h"
#include "network/stats/sample.h"
#include "sim/tables.h"

#include <math.h>

#define PROCESS_BYTES ((uint64_t)6600 << 10)  /* the program with its libraries, writing of results */
#define THREAD_BYTES ((uint64_t)300 << 10)    /* a further thread's stack, arena and scratch */
#define MPI_BYTES ((uint64_t)12 << 20)        /* what MPI adds to a rank */
#define PEER_BYTES ((uint64_t)512 << 10)      /* buffers for messages to another rank of the host, and from it */
#define PEER_BYTES_MANY ((uint64_t)192 << 10) /* of more than eight ranks: sim/rings.c has fewer slots then */
#define WHEEL_WINDOWS 256                     /* behind them records are stored without regard to blocks */
#define CHUNK_HEADER 64.0
#define LATENCIES 25

struct plan { /* of the engine */
	struct sim_sizes sizes;
	double blocks, parts; /* over all ranks or threads; how many these are */
	uint64_t grain;
};

static uint64_t record_bytes(const struct net *n)
{
	uint64_t bytes = n->count * net_records_lp_bytes(n);
	if (n->records.nswitches)
		bytes += n->records.nswitches * sw_instrument_at(&n->records.instruments, n->records.instruments.n) *
		         sizeof(uint64_t);
	return bytes;
}

/* --- events ------------------------------------------------------------------------------------------------ */

struct delays {         /* ps */
	double latency; /* of a packet from endpoint to endpoint */
	double serial;  /* of a packet of the mean size on a link */
	double packet;  /* from when a packet's next event is made until it is due */
	double credit;  /* likewise */
	double itself;  /* what a switch has a packet before its departure is certain */
	double resides; /* what a packet is in a switch */
	double
	    departure;   /* from when a departure is reserved until its last bit has left, or its event is due before */
	double delivery; /* from when a delivery is reserved until it happens */
};

/* Returns the mean time, in ps, for which a packet waits for a link with utilization `busy`. `serial`: serialization
 * time of the packets that arrive together, in ps. */
static double waits(double busy, double serial)
{
	busy = fmin(busy, 0.95);
	return busy / (2 - 2 * busy) * serial;
}

/* Of the endpoints' links, on average over those that send. */
static double load_of_endpoints(const struct net *n, const struct net_sample *s, double serial)
{
	return n->endpoints.senders ? s->rate * serial / (double)n->endpoints.senders : 0;
}

/* Packets for which there is room in the buffers of all switches. */
static double packets_in_buffers(const struct net *n, const struct net_sample *s)
{
	const struct sw_common *c = &n->common;
	double ports = 0;
	double buffer = ((double)c->ops->buffer_share(c) * c->lanes.n + c->lanes.pool) / s->bytes;
	for (uint32_t k = 0; k < n->topo.switches; k++)
		ports += topo_ports(&n->topo, k);
	return buffer * ports + n->endpoints.share / s->bytes * n->topo.endpoints;
}

/* Upper limit on the time of a packet in a switch. The M/D/1 formula gives the waiting time for unlimited queues, but
 * at most as many packets wait in switches as their buffers can hold, which gives the time by Little's law; the other
 * packets wait at their endpoints. */
static double longest_in_switches(const struct net *n, const struct net_sample *s, double switches)
{
	return s->rate > 0 ? packets_in_buffers(n, s) / (s->rate * switches) : INFINITY;
}

static struct delays find_delays(const struct net *n, const struct net_sample *s)
{
	const struct sw_common *c = &n->common;
	struct delays d = { 0 };
	d.resides = net_residence(n, s, &d.serial);
	d.resides = fmin(d.resides, net_traversal(n) + d.serial + longest_in_switches(n, s, s->hops + 1));
	double certain = c->ops->estimates.certain ? (double)c->ops->estimates.certain(c) : 0;
	d.itself = fmax(d.resides - certain, 1);
	d.packet = s->latency + (n->store_and_forward ? d.serial : 0) + certain;
	d.credit = s->latency + d.serial + (double)c->credit_delay;
	d.departure = n->store_and_forward ? d.serial : fmin(s->latency, d.serial);
	d.delivery = d.serial + (double)c->link[SW_LINK_TERMINAL].latency;
	if (n->path.joined) { /* departures are reserved on arrival */
		d.packet += d.resides - d.serial;
		d.credit += d.resides - d.serial;
		d.departure += d.resides - d.serial;
		double wait = waits(load_of_endpoints(n, s, d.serial), d.serial * s->burst);
		d.delivery += net_traversal(n) + fmin(wait, longest_in_switches(n, s, 1));
	}
	d.latency = s->hops * (s->latency + d.resides - d.serial) + d.resides + d.serial +
	            2 * (double)c->link[SW_LINK_TERMINAL].latency;
	if (n->store_and_forward)
		d.latency += s->hops * d.serial;
	return d;
}

/* Packets in flight at a time, over those of a run that lasts longer than a packet. */
static double filled(const struct net *n, const struct delays *d)
{
	return fmin(1, (double)n->times.likely_end / d->latency);
}

/* Chunks that hold a Poisson number of records with this mean, `each` to a chunk. */
static double chunks_of(double mean, double each)
{
	if (mean > 300)
		return mean / each + 0.5;
	double p = exp(-mean), rest = 1 - p, sum = rest, at = 0;
	for (double more = each; rest > 1e-9 && more < mean + 40 * sqrt(mean) + 40; more += each) {
		while (at < more) {
			at++;
			p *= mean / at;
			rest -= p;
		}
		sum += rest > 0 ? rest : 0;
	}
	return sum;
}

/* Records of one length, which share chunks. */
#define DUES 3u
struct buckets {
	double bytes;                   /* of a record */
	double rate[DUES], delay[DUES]; /* records a ps that are due evenly over the next `delay` */
	double injections, interval;    /* and exponential ones */
};

/* Of those due from `from` on, a window's. */
static double due_within(const struct buckets *b, double from, double window)
{
	double here = 0;
	for (unsigned i = 0; i < DUES; i++)
		here += b->rate[i] * fmin(fmax(b->delay[i] + window / 2 - from, 0), window);
	if (b->injections > 0)
		here += b->injections * (exp(-from / b->interval) - exp(-(from + window) / b->interval));
	return here;
}

/* Bytes of their chunks in a wheel. */
static double wheel_bytes(const struct net *n, const struct plan *p, const struct buckets *b)
{
	double window = (double)n->lookahead, each = floor(((double)p->sizes.chunk_bytes - CHUNK_HEADER) / b->bytes);
	double records = 0, chunks = 0, all = b->injections;
	for (unsigned i = 0; i < DUES; i++)
		all += b->rate[i] * b->delay[i];
	for (uint32_t k = 0; k < WHEEL_WINDOWS; k++) {
		double here = due_within(b, k * window, window);
		records += here;
		chunks += p->blocks * chunks_of(here / p->blocks, each);
	}
	double beyond = all > records ? (all - records) / each : 0;
	return (chunks + beyond) * (double)p->sizes.chunk_bytes;
}

/* Events that switches have sent themselves, at a time. */
static double own_events(const struct net *n, const struct net_sample *s, const struct delays *d)
{
	const struct sw_common *c = &n->common;
	double packets = s->rate * (s->hops + 1) * filled(n, d) * d->itself, ports = n->topo.endpoints;
	if (n->path.joined)
		return 0;
	if (!c->ops->estimates.port_events)
		return packets;
	for (uint32_t k = 0; k < n->topo.switches; k++)
		ports += topo_ports(&n->topo, k);
	return fmin(packets, ports * c->ops->estimates.port_events(c));
}

/* Links of which credits are withheld (switch/hold.h). Where buffers fill, they are not. */
static double kept_share(const struct net *n, const struct net_sample *s)
{
	double all = 0, kept = 0;
	if (s->overload > 1)
		return 0;
	for (topo_switch k = 0; k < n->topo.switches && n->common.hold_within; k++) {
		uint32_t ports = topo_ports(&n->topo, k);
		struct sw_hold h = n->common.ops->links.hold(&n->common, ports + topo_endpoints_at(&n->topo, k));
		for (uint32_t p = 0; p < ports && h.stop; p++)
			kept += (h.links & sw_hold_bit(net_link_of(n, topo_peer(&n->topo, k, p).link_class))) != 0;
		all += ports;
	}
	return all > 0 ? kept / all : 0;
}

/* ps that an acknowledgement is in flight: through stages instead of switches, and no queues. */
static double way_back(const struct net *n, const struct net_sample *s)
{
	return s->hops * (s->latency + (double)n->nic.ack_stage) + (double)n->nic.ack_stage;
}

/* Estimates the bytes of event records that exist at a time. They are in chunks that each thread, or rank, allocates
 * separately. A record exists from the event that sends it until it is executed; every endpoint that sends always has
 * one record of its next injection. */
static uint64_t event_bytes(const struct net *n, const struct plan *p, const struct net_sample *s)
{
	struct delays d = find_delays(n, s);
	double rate = s->rate * s->hops * filled(n, &d), members = (double)n->endpoints.senders;
	double interval = s->rate > 0 ? members / s->rate : 1;
	double all = n->path.exact ? s->rate * filled(n, &d) : 0, exact = n->path.deliveries ? all : 0;
	double acks = n->nic.wants & CC_WANTS_ACKS ? all : 0,
	       ack_delay = way_back(n, s) + (n->path.deliveries ? 0 : d.delivery);
	double timeout = fmin((double)n->nic.timeout + d.latency + way_back(n, s), (double)n->times.likely_end);
	const struct buckets longs = {
		SIM_LONG_BYTES, { rate, exact, acks }, { d.packet, d.serial, ack_delay }, members, interval
	};
	const struct buckets shorts = { SIM_SHORT_BYTES,
		                        { rate * (1 - kept_share(n, s)), own_events(n, s, &d) / d.itself,
		                          n->path.retry ? exact : 0 },
		                        { d.credit, d.itself, timeout },
		                        0,
		                        1 };
	double bytes = wheel_bytes(n, p, &longs) + wheel_bytes(n, p, &shorts);
	bytes += net_publish_events(n) * SIM_LONG_BYTES;
	return (uint64_t)bytes + p->sizes.spare_bytes;
}

/* --- what may be undone ------------------------------------------------------------------------------------- */

/* The journal of an event, as measured: packets that a switch keeps are saved, too. */
#define JOURNAL_JOINED 220.0
#define JOURNAL_KEPT 1000.0
#define UNDOABLE_BYTES 100.0 /* an event, what it sent and commits */
#define BATCH_BYTES 4000.0   /* the least of an LP's window */

/* Estimates the memory of optimistic ranks: the events of each LP in engine.optimism windows, in arrays that grow by
 * doubling, and their records, which remain until GVT has passed; at most for the length of the run. Returns 0 if
 * nothing is speculated: a single rank speculates only if windows are wider than the lookahead, or with engine.stress.
 */
static uint64_t speculated_bytes(const struct net *n, int ranks, const struct net_sample *s)
{
	const struct net_engine *g = &n->config->engine;
	uint64_t asked = g->window > n->lookahead ? g->window : n->lookahead;
	double window = (double)(asked < SIM_WINDOW_MAX ? asked : SIM_WINDOW_MAX), switches = n->topo.switches;
	if (net_choose_sync(n) != SIM_OPTIMISTIC || n->threads.n > 1 ||
	    (ranks == 1 && !g->stress && window <= (double)n->lookahead))
		return 0;
	struct delays d = find_delays(n, s);
	double events = s->rate * (2 * s->hops + 1) * filled(n, &d) + own_events(n, s, &d) / d.itself;
	double each = (UNDOABLE_BYTES + (n->path.joined ? JOURNAL_JOINED : JOURNAL_KEPT)) * 2 + SIM_LONG_BYTES;
	double windows = fmin(fmin((double)g->optimism, WHEEL_WINDOWS / 2), (double)n->times.likely_end / window + 1);
	double ahead = fmin(windows * window, (double)n->times.likely_end);
	return (uint64_t)fmax(events * ahead * each, windows * switches * BATCH_BYTES);
}

/* What slabs of chunks have resident besides. */
static uint64_t rest_of_grains(const struct plan *p, uint64_t events)
{
	double grains = ceil((double)events / p->parts / (double)p->grain);
	return (uint64_t)(grains * p->parts) * p->grain - events;
}

/* --- what switches keep ------------------------------------------------------------------------------------- */

/* The largest of so many standard normal variables, on average (Gumbel's limit). */
static double largest_normal(double times)
{
	double all = log(fmax(times, 2)), limit = sqrt(2 * all), log_4_pi = 2.5310, twice_gamma = 1.1544;
	return limit - (log(all) + log_4_pi - twice_gamma) / (2 * limit);
}

/* The most at a time, over a run, of what there are so many of on average and stays so long. */
static double most_of(const struct net *n, double mean, double stays)
{
	return mean + sqrt(mean) * largest_normal((double)n->times.likely_end / stays) + 1;
}

/* Estimates the memory of switches and network interfaces for the packets that they store: the mean number of packets
 * at a time, and a temporary maximum, estimated as the maximum of normal variables over the length of the run.
 * Acknowledgements return at the rate of packets, and pass stages instead of switches. */
static uint64_t parts_bytes(const struct net *n, const struct net_sample *s)
{
	struct delays d = find_delays(n, s);
	double each = s->rate / n->topo.switches, passing = each * (s->hops + 1) * d.resides * filled(n, &d);
	double most = passing + sqrt(passing) * largest_normal((double)n->times.likely_end / d.resides) + 1;
	double trip = d.latency + (n->nic.wants & CC_WANTS_ACKS ? way_back(n, s) : 0);
	double last = d.resides + (n->nic.quiet ? 0 : d.delivery); /* quiet sinks know what is inside only */
	const struct net_load load = { .passing = most < 1e8 ? (uint32_t)most : 100000000,
		                       .under_way = most_of(n, each * trip * filled(n, &d), trip),
		                       .last = most_of(n, each * last, last),
		                       .messages = s->rate / s->burst * (double)n->times.likely_end,
		                       .partners = s->partners };
	return (uint64_t)net_parts_kept(n, &load);
}

/* If all buffers are full, or as far as the packets of the whole run can fill them. */
static uint64_t buffer_bytes(const struct net *n, const struct net_sample *s)
{
	const struct sw_common *c = &n->common;
	double room = packets_in_buffers(n, s), switches = n->topo.switches;
	double injected = n->traffic.process ? room : s->rate * (double)n->times.likely_end;
	double each = fmin(injected, room) / switches;
	uint32_t packets = each < 1e8 ? (uint32_t)ceil(each) : 100000000;
	return c->ops->estimates.kept_bytes ? n->topo.switches * c->ops->estimates.kept_bytes(c, 0, packets) : 0;
}

/* --- what grows with the length of the run, or is summed -------------------------------------------------------- */

/* What every thread sums for itself: histograms, time line, bins of time.precision. */
static uint64_t sums_bytes(const struct net *n)
{
	const struct net_record *r = &n->config->record;
	uint64_t bins = r->timeline ? n->times.recorded_until / r->timeline + 2 : 0;
	return 3ul * n->jobs * SIM_HISTOGRAM_BINS * sizeof(uint64_t) + n->jobs * bins * sizeof(struct net_bin) +
	       net_ring_bytes(n) + (n->batches.on ? net_batches_bytes(n) : 0);
}

/* Estimates the bytes of packet and message records; of deliveries that were decided in advance, if they are counted
 * from records; and, for a run of several legs, of the list of departures that are subtracted at its end. */
static uint64_t packet_bytes(const struct net *n, const struct net_sample *s)
{
	const struct net_record *r = &n->config->record;
	struct delays d = find_delays(n, s);
	double length = (double)n->times.likely_end, delivered = s->rate * (length - d.latency), bytes = 0;
	if (n->config->time.drain == NET_DRAIN_ON)
		delivered = s->rate * (double)n->times.measure_to;
	if (r->packets && delivered > 0)
		bytes += delivered * sizeof(struct net_packet_record);
	if (r->messages) {
		double messages = fmax(delivered, 0) / fmax(s->burst, 1);
		for (uint32_t j = 0; j < n->jobs; j++)
			messages += (double)n->traffic.job[j].messages;
		bytes += (double)net_messages_bytes(n, messages);
	}
	double arriving = length > d.latency ? 1 : 1 - s->slow; /* share of what will, in a run that is over before */
	double late = s->rate * arriving * d.delivery, ahead = s->rate * s->hops * filled(n, &d) * d.departure + late;
	double by_window = s->rate * arriving * NET_RING_DELIVERED * (double)n->lookahead;
	if (r->packets || r->timeline || r->ports || n->batches.on)
		bytes += late * sizeof(struct net_late_delivery) + 2.0 * n->topo.endpoints * sizeof(struct net_late);
	else
		bytes += fmax(0, late - by_window) * sizeof(struct net_late_delivery);
	bool taken_back = n->times.likely_end < n->times.horizon; /* at the horizon counting ends by itself */
	if (net_finds_end(n) && taken_back && (r->ports || r->activity))
		bytes += ahead * NET_AHEAD_BYTES;
	return (uint64_t)bytes;
}

/* --- the whole ------------------------------------------------------------------------------------------------ */

static struct plan plan_engine(struct net *n, int ranks)
{
	struct base_errors none = { 0 };
	int threads = net_choose_threads(n, ranks, &none);
	n->threads.pooled = net_pools_cores(n, ranks, threads);
	int owners = n->threads.pooled ? 1 : ranks;          /* ranks that have switches */
	int parts = threads > 1 ? owners * threads : owners; /* every thread has tables for those of its rank */
	base_errors_free(&none);                             /* the builder reports errors */
	n->threads.n = threads > 1 ? (uint32_t)threads : 1;
	struct sim_config config = net_sim_config(n, NULL);
	struct plan p = { .sizes = sim_sizes(&config, owners == 1 ? n->count : n->count / (uint32_t)ranks + 1),
		          .parts = parts,
		          .grain = base_map_grain() };
	p.blocks = (double)p.sizes.blocks * parts;
	return p;
}

/* Of this process: limits count addresses, those of its threads' stacks too. */
static struct base_available left_for(const struct net *n)
{
	struct base_available now = base_available("");
	uint64_t stacks = (n->threads.n - 1) * base_stack_bytes();
	if (now.own != BASE_UNLIMITED)
		now.own = now.own > stacks ? now.own - stacks : 0;
	return now;
}

/* Returns the total time in ps for which the packet that waits longest waits, among `packets` packets: waiting times of
 * M/D/1 queues have exponential tails. */
static double longest_wait(double packets, double busy, double serial)
{
	double low = 1e-3, high = 50; /* of the tail: busy (e^x - 1) = x */
	busy = fmin(busy, 0.95);
	if (busy <= 0 || packets <= 1)
		return 0;
	for (int i = 0; i < 50; i++) {
		double x = (low + high) / 2;
		if (busy * expm1(x) > x)
			high = x;
		else
			low = x;
	}
	return log(packets) / low * serial;
}

/* Estimates the end of a run with time.drain = "auto": it continues in steps until the slowest measured packet has
 * arrived. If the backlog grows, as it does while the first packets are still in flight, the run ends after the next
 * reading. */
static double drained(const struct net *n, const struct net_sample *s)
{
	double serial = find_delays(n, s).serial, span = (double)(n->times.measure_to - n->times.measure_from);
	double busy = fmax(s->busy, load_of_endpoints(n, s, serial)), measured = s->rate * span;
	double step = (double)net_drain_step(n), at = (double)net_round_up(n->times.measure_to, n->legs->unit);
	if (net_drain_grows(s->rate * net_drain_mark(n), s->slow))
		return at + net_drain_mark(n);
	double slowest = s->longest + longest_wait(measured / s->burst * (s->hops + 2), busy, serial * s->burst);
	double left = (double)n->times.measure_to + slowest - at;
	return at + (left > 0 ? ceil(left / step) * step : 0);
}

/* With time.precision most runs take 20 to 35 times the latency of a packet. */
static void foresee_end(struct net *n, const struct net_sample *s)
{
	if (!net_finds_end(n) || n->config->time.applications)
		return;
	double found = (double)n->batches.from + LATENCIES * find_delays(n, s).latency;
	double likely = n->batches.on ? fmax(found, (double)n->legs->first) : drained(n, s);
	n->times.likely_end = likely < (double)n->times.horizon ? (uint64_t)likely : n->times.horizon;
}

/* `tables`: bytes that each rank has; `shared`: that each host has. */
static void estimate(struct net *n, int ranks, int per_host, uint64_t tables, uint64_t shared, struct net_memory *out)
{
	struct net_sample s;
	n->count = n->topo.switches;
	net_plan(n);
	net_sample(n, &s);
	foresee_end(n, &s);
	struct plan p = plan_engine(n, ranks);
	const char *by;
	uint64_t hosts = (uint64_t)((ranks + per_host - 1) / per_host);
	struct base_available now = left_for(n);
	*out = (struct net_memory){
		.switches = (uint64_t)n->count * sizeof *n->lps + parts_bytes(n, &s) + tables * (uint64_t)ranks +
		            shared * hosts,
		.records = record_bytes(n) + packet_bytes(n, &s) + sums_bytes(n) * (uint64_t)p.parts,
		.engine = (uint64_t)((double)p.sizes.table_bytes * p.parts),
		.events = event_bytes(n, &p, &s),
		.process = (uint64_t)ranks * (PROCESS_BYTES + (ranks > 1 ? MPI_BYTES : 0) +
		                              (n->threads.pooled ? 0
		                                                 : (uint64_t)(per_host - 1) *
		                                                       (per_host > 8 ? PEER_BYTES_MANY : PEER_BYTES))) +
		           (uint64_t)(n->threads.pooled ? 1 : ranks) * (n->threads.n - 1) * THREAD_BYTES +
		           (uint64_t)ranks * net_kinds_bytes(n),
		.saturated = buffer_bytes(n, &s),
		.speculated = speculated_bytes(n, ranks, &s),
		.available = base_available_to(&now, n->threads.pooled ? 1 : (unsigned)per_host, &by),
		.host_share = n->threads.pooled ? 1 : (double)per_host / ranks,
		.ranks = (uint32_t)ranks,
		.hosts = (uint32_t)hosts,
		.endpoints = n->topo.endpoints,
		.processes = n->traffic.process,
		.a_step = n->traffic.process && n->config->record.path ? sizeof(struct net_step) : 0,
		.overload = s.overload,
		.hops = s.hops,
		.length_ns = (double)n->times.likely_end * 1e-3,
		.full = s.full,
	};
	out->available_by = by;
	out->engine += rest_of_grains(&p, out->events);
	out->total = out->switches + out->records + out->engine + out->events + out->process;
	uint64_t peak = base_peak_rss(), seen = shared < peak ? shared : peak; /* they have been built here, too */
	out->building = n->traffic.process ? (peak - seen) * (uint64_t)ranks + seen * hosts : 0;
}

int net_memory_estimate(const struct net_setup *setup, int ranks, int per_host, struct net_memory *out,
                        struct base_errors *errors)
{
	struct net *n = base_alloc(sizeof *n);
	n->setup = *setup;
	n->config = setup->config;
	n->destroy_traffic = setup->destroy_traffic;
	uint64_t before = base_heap_bytes(), seen = sim_tables_bytes();
	sim_tables_open();
	int status = net_build_parts(n, errors);
	sim_tables_close();
	uint64_t after = base_heap_bytes();
	if (!status)
		estimate(n, ranks, per_host, after > before ? after - before : 0, sim_tables_bytes() - seen, out);
	net_destroy(n);
	return status;
}
