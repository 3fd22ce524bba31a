/* switch/oq/oq.c - the output-queued switch: its parameters, its memory, and its answers to queries of the host. oq.h
 * describes how it works. */
#include "switch/oq/oq.h"

#include "base/memory.h"

#include <stdlib.h>

/* --- memory ---------------------------------------------------------------------------------------------- */

static void destroy_oq(struct sw_common *c)
{
	free(c->impl);
}

static size_t oq_state_bytes(const struct sw_common *c)
{
	return sizeof(struct oq_state) + ((const struct oq *)c->impl)->bytes;
}

static void init_oq(const struct sw_common *c, void *state, const struct sw_place *place)
{
	const struct oq *x = c->impl;
	struct oq_state *s = state;
	const struct oq_list empty = { SW_POOL_NONE, SW_POOL_NONE };
	sw_pool_init(&s->pool);
	s->x = x;
	s->id = place->id;
	s->net_ports = place->net_ports;
	s->ports = place->net_ports + place->terminals;
	s->meters = place->instruments ? base_calloc(1, oq_meter_bytes(c)) : NULL;
	for (uint32_t i = 0; i < s->ports; i++) {
		struct oq_output *o = oq_output_at(s, i);
		*o = (struct oq_output){ .wake = SIM_NEVER, .queue = { empty, empty, empty }, .coming = empty };
		if (i < s->net_ports)
			o->end = place->ends[i];
	}
}

static void fini(const struct sw_common *c, void *state)
{
	(void)c;
	struct oq_state *s = state;
	sw_pool_fini(&s->pool);
	free(s->meters);
}

static void oq_regions(const struct sw_common *c, void *state, void (*visit)(void *arg, void *at, size_t bytes),
                       void *arg)
{
	struct oq_state *s = state;
	visit(arg, &s->shared_used,
	      offsetof(struct oq_state, rest) - offsetof(struct oq_state, shared_used) +
	          ((const struct oq *)c->impl)->bytes);
	visit(arg, &s->pool.free, 2 * sizeof(uint32_t));
	sw_pool_regions(&s->pool, sizeof(struct oq_packet), visit, arg);
	if (s->meters)
		visit(arg, s->meters, oq_meter_bytes(c));
}

static void prefetch(const struct sw_common *c, const void *state, uint32_t port)
{
	const struct oq_state *s = state;
	(void)c;
	__builtin_prefetch(s->rest + port * sizeof(struct oq_output), 1);
}

/* --- queries --------------------------------------------------------------------------------------------- */

static bool store_and_forward(const struct sw_common *c)
{
	(void)c;
	return true;
}

static void credit_in(struct sw_call *call, uint32_t out, uint8_t lane, uint32_t bytes)
{
	sim_violation(call->ctx, "switch %u: %u bytes of credits for output %u, lane %u of links without credits",
	              call->id, bytes, out, lane);
}

/* By the queues' clock: as seen by a packet that arrives now. */
static uint64_t queue_bytes(const void *state, uint32_t out, uint64_t now)
{
	struct oq_state *s = (struct oq_state *)(uintptr_t)state;
	const struct oq_output *o = oq_output_at(s, out);
	uint64_t at = now + s->x->ahead, bytes = oq_waiting(o) + o->coming_bytes;
	if (o->free_at > at)
		bytes +=
		    (uint64_t)((unsigned __int128)(o->free_at - at) * s->x->bytes_per_ps_q32[oq_link(s, out)] >> 32);
	return bytes;
}

static uint32_t share_of_memory(const struct sw_common *c)
{
	const struct oq *x = c->impl;
	uint64_t bytes = !x->p->pfc || x->mixed ? x->limit[OQ_LOW]
	                 : x->pause             ? x->pause
	                                        : x->reserve + x->shared / x->ports;
	bytes = bytes > c->max_packet ? bytes : c->max_packet;
	return bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

static uint64_t lead(const struct sw_common *c)
{
	return ((const struct oq *)c->impl)->ahead;
}

static uint64_t traversal(const struct sw_common *c)
{
	return ((const struct oq *)c->impl)->p->latency;
}

static size_t oq_kept_bytes(const struct sw_common *c, uint32_t passing, uint32_t waiting)
{
	(void)c;
	return sw_pool_bytes(passing + waiting, sizeof(struct oq_packet));
}

static uint32_t port_events(const struct sw_common *c)
{
	(void)c;
	return 1;
}

static uint64_t credits_out(const struct sw_common *c, const void *state)
{
	(void)c;
	(void)state;
	return 0;
}

static void each_of(const struct sw_common *c, struct oq_state *s, uint32_t out, const struct oq_list *list,
                    void (*visit)(void *arg, const struct sw_waiting *w), void *arg)
{
	for (uint32_t i = list->head; i != SW_POOL_NONE; i = oq_packet_at(s, i)->next) {
		const struct oq_packet *k = oq_packet_at(s, i);
		visit(arg, &(struct sw_waiting){ .out = out,
		                                 .in_port = k->in_port,
		                                 .moving = !oq_output_at(s, out)->paused || sw_may_lose(c, &k->packet),
		                                 .job = k->packet.job,
		                                 .bytes = k->packet.bytes,
		                                 .since = k->arrived });
	}
}

static void each_waiting(const struct sw_common *c, const void *state,
                         void (*visit)(void *arg, const struct sw_waiting *w), void *arg)
{
	struct oq_state *s = (struct oq_state *)(uintptr_t)state;
	for (uint32_t out = 0; out < s->ports; out++) {
		const struct oq_output *o = oq_output_at(s, out);
		each_of(c, s, out, &o->queue[OQ_HIGH], visit, arg);
		each_of(c, s, out, &o->queue[OQ_LOW], visit, arg);
		each_of(c, s, out, &o->queue[OQ_KEPT], visit, arg);
		each_of(c, s, out, &o->coming, visit, arg);
	}
}

static void tally(const struct sw_common *c, const void *state, uint64_t now, struct sw_tally *sum)
{
	struct oq_state *s = (struct oq_state *)(uintptr_t)state;
	(void)c;
	sum->marks += s->marks;
	sum->trims += s->trims;
	sum->drops += s->drops;
	sum->pause_depth = s->deepest > sum->pause_depth ? s->deepest : sum->pause_depth;
	for (uint32_t i = 0; i < s->ports; i++) {
		const struct oq_output *o = oq_output_at(s, i);
		const struct oq_input *in = s->x->p->pfc ? oq_input_at(s, i) : NULL;
		sum->peak_bytes = o->peak > sum->peak_bytes ? o->peak : sum->peak_bytes;
		sum->paused_ps += in ? in->paused_ps + (in->paused ? now - in->paused_at : 0) : 0;
		sum->pauses += in ? in->pauses : 0;
	}
}

static enum sw_waits waits(const void *params)
{
	return ((const struct oq_params *)params)->pfc ? SW_WAITS_BY_LINK : SW_WAITS_NEVER;
}

static const char *lossless(void *params, bool lossless)
{
	struct oq_params *p = params;
	p->some_lost |= !lossless;
	return lossless && !p->pfc
	           ? "it drops packets that find no space; with switch.pfc = true it pauses the sender instead"
	           : NULL;
}

/* --- the plug-in ----------------------------------------------------------------------------------------- */

static const struct sw_ops ops = {
	.build = oq_build,
	.memory.destroy = destroy_oq,
	.state_bytes = oq_state_bytes,
	.init = init_oq,
	.memory.fini = fini,
	.store_and_forward = store_and_forward,
	.prefetching.prefetch = prefetch,
	.packet_in = oq_packet_in,
	.credit_in = credit_in,
	.links.control_in = oq_control_in,
	.timing.event = oq_event,
	.depths.queue_bytes = queue_bytes,
	.regions = oq_regions,
	.buffer_share = share_of_memory,
	.timing.lead = lead,
	.estimates.traversal = traversal,
	.estimates.kept_bytes = oq_kept_bytes,
	.estimates.certain = lead,
	.estimates.port_events = port_events,
	.credits_out = credits_out,
	.each_waiting = each_waiting,
	.instruments.tally = tally,
	.links.waits = waits,
	.classes.lossless = lossless,
	.links.turns =
	    true, /* without credits packets wait for nothing, so none has to turn; with pfc refused: build.c */
	.links.frames = true,
	.links.kinds = true,
	.links.wires = true,
	.instruments.list = oq_instruments,
	.instruments.n = OQ_INSTRUMENTS,
	.instruments.read = oq_read_instruments,
};

#define AT(field) .offset = offsetof(struct oq_params, field)

static const struct base_param params[] = {
	{ BASE_KEY(TIME, struct oq_params, latency, "100ns"), .max = 1e9,
	  .help = "delay from a packet's last bit to the queue of its output" },
	{ BASE_KEY(AUTO_SIZE, struct oq_params, buffer, "auto"), .min = 1, .max = 2e9,
	  .help = "maximum bytes of data in an output queue, including the packet being sent; twice as much for "
	          "trimmed packets. auto: the longest round trip of the network at the rate of its terminal links with "
	          "trim, which repairs losses within one round trip; five of them without, where losses are detected "
	          "only after several",
	  .source = "htsim (uet-htsim, main_uec.cpp)" },
	{ BASE_KEY(BOOL, struct oq_params, trim, "false"),
	  .help = "packets that find no space lose their payload and precede all data; otherwise they are dropped",
	  .source = "Handley et al., SIGCOMM 2017" },
	{ BASE_KEY(SIZE, struct oq_params, trim_bytes, "64B"), .min = 1, .max = 4096,
	  .help = "size of a trimmed packet; with framing a frame without payload instead" },
	{ BASE_KEY(BOOL, struct oq_params, ecn, "true"),
	  .help = "packets are marked by the data queued behind them when they start to leave" },
	{ BASE_KEY(AUTO_SIZE, struct oq_params, ecn_kmin, "auto"), .max = 4e9,
	  .help = "queue length up to which no packet is marked. auto: 0.2 of the longest round trip",
	  .source = "htsim (uet-htsim, main_uec.cpp)" },
	{ BASE_KEY(AUTO_SIZE, struct oq_params, ecn_kmax, "auto"), .max = 4e9,
	  .help = "queue length above which every packet is marked; between ecn_kmin and ecn_kmax the probability "
	          "rises linearly from 0 to ecn_pmax. auto: 0.8 of the longest round trip",
	  .source = "htsim (uet-htsim, main_uec.cpp)" },
	{ BASE_KEY(FLOAT, struct oq_params, ecn_pmax, "1"), .max = 1,
	  .help = "probability of a mark at ecn_kmax; DCQCN's is 0.2", .source = "Zhu et al., SIGCOMM 2015, figure 5" },
	{ BASE_KEY(BOOL, struct oq_params, pfc, "false"),
	  .help = "lossless: a port that holds too many bytes pauses its sender (priority flow control with one "
	          "priority), except classes with lossless = false",
	  .source = "IEEE 802.1Qbb" },
	{ BASE_KEY(AUTO_SIZE, struct oq_params, pfc_pause, "auto"), .min = 1, .max = 4e9,
	  .help =
	      "the sender at a port is paused when the switch holds more than this number of bytes that arrived by the "
	      "port. auto: when these bytes beyond pfc_reserve exceed the free shared memory divided by 2 ^ pfc_shift",
	  .source = "ns-3 of Li et al., SIGCOMM 2019 (switch-mmu)" },
	{ BASE_KEY(AUTO_SIZE, struct oq_params, pfc_resume, "auto"), .min = 1, .max = 4e9,
	  .help = "a paused sender may resume when the switch holds fewer than this number of bytes that arrived by "
	          "its port. auto: 0.8 of pfc_pause",
	  .source = "htsim: pauses at 30 packets, resumes at 24" },
	{ BASE_KEY(SIZE, struct oq_params, pfc_buffer, "32MB"), .min = 1, .max = 4e9,
	  .help = "memory of a switch: reserves and headrooms of its ports, and the rest, which is shared",
	  .source = "ns-3 of Li et al., SIGCOMM 2019" },
	{ BASE_KEY(SIZE, struct oq_params, pfc_reserve, "4KiB"), .max = 1e9,
	  .help = "bytes that a port may hold in a reserve of its own; only its bytes beyond the reserve use the "
	          "shared memory and count towards its threshold",
	  .source = "ns-3 of Li et al., SIGCOMM 2019" },
	{ BASE_KEY(INT, struct oq_params, pfc_shift, "3"), .max = 31,
	  .help = "a port pauses its sender when its bytes beyond pfc_reserve exceed the free shared memory divided by "
	          "2 ^ pfc_shift",
	  .source = "ns-3 of Li et al., SIGCOMM 2019" },
	{ BASE_KEY(SIZE, struct oq_params, pfc_offset, "3KiB"), .max = 1e9,
	  .help = "a paused sender may resume when the bytes of its port beyond pfc_reserve are this far below the "
	          "threshold set by pfc_shift",
	  .source = "ns-3 of Li et al., SIGCOMM 2019" },
	{ BASE_KEY(AUTO_SIZE, struct oq_params, pfc_headroom, "auto"), .min = 1, .max = 4e9,
	  .help = "bytes of a port that may arrive after a pause has been sent. auto: the bytes on its cable during "
	          "the latency of both directions and one largest packet, two with the dynamic threshold: the minimum "
	          "that cannot overflow" },
	{ .name = NULL },
};

static bool drops(const void *values)
{
	const struct oq_params *p = values;
	return !p->pfc || p->some_lost;
}

static bool trims(const void *values)
{
	return ((const struct oq_params *)values)->trim && drops(values);
}

static bool marks(const void *values)
{
	return ((const struct oq_params *)values)->ecn;
}

static bool pauses(const void *values)
{
	return ((const struct oq_params *)values)->pfc;
}

static bool has_fixed_threshold(const void *values)
{
	const struct oq_params *p = values;
	return p->pfc && p->pfc_pause != BASE_AUTO_SIZE_VALUE;
}

static bool has_dynamic_threshold(const void *values)
{
	const struct oq_params *p = values;
	return p->pfc && p->pfc_pause == BASE_AUTO_SIZE_VALUE;
}

static const struct base_condition conditions[] = {
	{ "buffer trim", "without pfc, or with a class that has lossless = false", drops, NULL },
	{ "trim_bytes", "with trim, without pfc or with a class that has lossless = false", trims, NULL },
	{ "ecn_kmin ecn_kmax ecn_pmax", "with ecn", marks, NULL },
	{ "pfc_pause pfc_headroom", "with pfc", pauses, NULL },
	{ "pfc_resume", "with pfc and a pfc_pause that is not auto", has_fixed_threshold, NULL },
	{ "pfc_buffer pfc_reserve pfc_shift pfc_offset", "with pfc and pfc_pause = \"auto\"", has_dynamic_threshold,
	  NULL },
	{ 0 },
};

const struct base_plugin sw_output_queued = {
	BASE_DESCRIBE("switch", "output-queued", params, struct oq_params, &ops),
	.summary = "store-and-forward switch with a queue per output and no credits, the reference of data-centre "
		   "congestion control: drops, trims or pauses, and marks",
	.source = "Handley et al., SIGCOMM 2017 (composite queue); Zhu et al., SIGCOMM 2015 (marks); IEEE 802.1Qbb",
	.conditions = conditions,
};
