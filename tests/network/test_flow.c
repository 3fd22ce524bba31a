/* tests/network/test_flow.c - flow control seen from outside: a switch model that wraps "ideal" and watches every
 * packet and credit. No buffer holds more than its bytes, no link carries two packets at once, none leaves before it
 * can, queues are FIFO; and deadlock is found where it must arise, named, and never where the proof says it cannot. */
#include "experiments/config/config.h"
#include "switch/switch.h"
#include "tests/network/units.h"

/* --- the observer
 * ------------------------------------------------------------------------------------------------------------- */

struct freed {
	uint64_t when;
	uint32_t bytes;
};

struct buffer { /* one input port and VC */
	uint64_t held, peak;
	struct freed *v;
	size_t n, cap;
};

struct seen { /* a packet that is in this switch */
	uint64_t arrived, order;
	uint32_t src, seq, in_port, bytes;
	uint8_t job, in_vc, used;
};

#define PORTS 64u
#define INSIDE 8192u

struct observed { /* one switch */
	uint32_t net_ports;
	uint8_t link_class[PORTS];
	struct buffer buffer[PORTS][SW_MAX_VCS];
	uint64_t busy[PORTS], last_order[PORTS][SW_MAX_VCS];
	struct seen inside[INSIDE]; /* hash table, linear probing */
	uint64_t arrivals, credits;
};

static struct {
	const struct sw_host_ops *host;
	struct observed *sw[128];
	uint64_t traversal, share, most, transmitted, ejected;
	bool store_and_forward, fifo;
	struct sw_ops ops; /* with our functions */
	struct sw_host_ops below;
} watch; /* units run in processes of their own, each network alone */

static const struct sw_ops *inner(void)
{
	return sw_ideal.ops;
}

static struct observed *at(uint32_t id)
{
	cr_assert_lt(id, 128);
	if (!watch.sw[id])
		watch.sw[id] = calloc(1, sizeof *watch.sw[id]);
	return watch.sw[id];
}

static uint32_t slot_of(uint32_t src, uint32_t seq, uint8_t job)
{
	return (src * 2654435761u ^ seq * 40503u ^ job * 97u) % INSIDE;
}

static struct seen *find(struct observed *o, const struct sw_packet *p)
{
	for (uint32_t n = 0, i = slot_of(p->src, p->seq, p->job); n < INSIDE && o->inside[i].used;
	     n++, i = (i + 1) % INSIDE)
		if (o->inside[i].used == 1 && o->inside[i].src == p->src && o->inside[i].seq == p->seq &&
		    o->inside[i].job == p->job)
			return &o->inside[i];
	return NULL;
}

static void enter(struct sw_call *call, uint32_t in_port, const struct sw_packet *p)
{
	struct observed *o = at(call->id);
	struct buffer *b = &o->buffer[in_port][p->vc];
	size_t kept = 0;
	for (size_t i = 0; i < b->n; i++)
		if (b->v[i].when <= call->now)
			b->held -= b->v[i].bytes;
		else
			b->v[kept++] = b->v[i];
	b->n = kept;
	b->held += p->bytes;
	b->peak = b->held > b->peak ? b->held : b->peak;
	watch.most = b->held > watch.most ? b->held : watch.most;
	cr_assert_leq(b->held, watch.share, "switch %u, input %u, VC %u holds %lu bytes of %lu at %lu ps", call->id,
	              in_port, p->vc, b->held, watch.share, call->now);
	cr_assert_null(find(o, p), "packet %u of %u is twice in switch %u", p->seq, p->src, call->id);
	uint32_t i = slot_of(p->src, p->seq, p->job);
	while (o->inside[i].used == 1)
		i = (i + 1) % INSIDE;
	o->inside[i] = (struct seen){ call->now, ++o->arrivals, p->src, p->seq, in_port, p->bytes, p->job, p->vc, 1 };
}

static void leave(struct sw_call *call, uint32_t out, uint32_t link_class, const struct sw_packet *p, uint64_t start,
                  uint64_t finish, bool fifo)
{
	struct observed *o = at(call->id);
	struct seen *s = find(o, p);
	cr_assert(s, "a packet leaves switch %u that never came", call->id);
	cr_assert_eq(s->bytes, p->bytes);
	const struct sw_link *link = call->common->link;
	uint64_t in =
	    sw_serialisation(&link[s->in_port < o->net_ports ? o->link_class[s->in_port] : SW_LINK_TERMINAL], p->bytes);
	cr_assert_eq(finish - start, sw_serialisation(&link[link_class], p->bytes));
	cr_assert_geq(start, s->arrived + watch.traversal, "switch %u: a packet leaves before its traversal", call->id);
	if (!watch.store_and_forward) /* its last bit is not sent before it has come and gone through */
		cr_assert_geq(finish, s->arrived + watch.traversal + in, "switch %u, output %u runs dry", call->id,
		              out);
	cr_assert_geq(start, o->busy[out], "switch %u, output %u: two packets at once", call->id, out);
	cr_assert_geq(start, call->now);
	o->busy[out] = finish;
	if (fifo) {
		cr_assert_gt(s->order, o->last_order[out][p->vc], "switch %u, output %u, VC %u is not FIFO", call->id,
		             out, p->vc);
		o->last_order[out][p->vc] = s->order;
	}
	s->used = 2;
}

static void observed_transmit(struct sw_call *call, uint32_t out, const struct sw_link_end *end,
                              const struct sw_packet *p, uint64_t start, uint64_t finish)
{
	watch.transmitted++;
	leave(call, out, end->link_class, p, start, finish, watch.fifo);
	watch.host->transmit(call, out, end, p, start, finish);
}

static void observed_eject(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
                           uint64_t finish)
{
	watch.ejected++;
	leave(call, at(call->id)->net_ports + terminal, SW_LINK_TERMINAL, p, start, finish, false);
	watch.host->eject(call, terminal, p, start, finish);
}

static void observed_credit(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint8_t vc,
                            uint32_t bytes, uint64_t when)
{
	struct observed *o = at(call->id);
	struct buffer *b = &o->buffer[in_port][vc];
	o->credits++;
	cr_assert_geq(when, call->now);
	if (b->n == b->cap) {
		b->cap = b->cap ? 2 * b->cap : 16;
		b->v = realloc(b->v, b->cap * sizeof *b->v);
	}
	b->v[b->n++] = (struct freed){ when, bytes };
	watch.host->credit(call, in_port, end, vc, bytes, when);
}

static void observe(struct sw_call *call)
{
	watch.host = call->host_ops;
	watch.below = *call->host_ops;
	watch.below.transmit = observed_transmit;
	watch.below.eject = observed_eject;
	watch.below.credit = observed_credit;
	call->host_ops = &watch.below;
}

static void observed_packet_in(struct sw_call *call, uint32_t in_port, struct sw_packet *p)
{
	enter(call, in_port, p);
	observe(call);
	inner()->packet_in(call, in_port, p);
	call->host_ops = watch.host;
}

static void observed_credit_in(struct sw_call *call, uint32_t out, uint8_t vc, uint32_t bytes)
{
	observe(call);
	inner()->credit_in(call, out, vc, bytes);
	call->host_ops = watch.host;
}

static void observed_init(const struct sw_common *c, void *state, const struct sw_place *place)
{
	struct observed *o = at(place->id);
	cr_assert_leq(place->net_ports + place->terminals, PORTS);
	o->net_ports = place->net_ports;
	for (uint32_t i = 0; i < place->net_ports; i++)
		o->link_class[i] = place->ends[i].link_class;
	inner()->init(c, state, place);
	watch.share = inner()->buffer_share(c);
	watch.store_and_forward = inner()->store_and_forward(c);
}

static void run_observed(struct netrun *x, uint64_t traversal, bool fifo, const char *fmt, ...)
{
	memset(&watch, 0, sizeof watch);
	watch.traversal = traversal;
	watch.fifo = fifo;
	watch.ops = *inner();
	watch.ops.init = observed_init;
	watch.ops.packet_in = observed_packet_in;
	watch.ops.credit_in = observed_credit_in;
	static struct base_plugin plugin; /* the network keeps its address */
	plugin = sw_ideal;
	plugin.name = "observed";
	plugin.ops = &watch.ops;
	va_list ap;
	va_start(ap, fmt);
	run_extra(x, &plugin, NET_DONE, fmt, ap);
	va_end(ap);
	cr_assert_eq(watch.ejected + watch.transmitted > 1000, true);
	for (uint32_t i = 0; i < 128; i++)
		if (watch.sw[i]) {
			for (uint32_t k = 0; k < PORTS; k++)
				for (uint32_t v = 0; v < SW_MAX_VCS; v++)
					free(watch.sw[i]->buffer[k][v].v);
			free(watch.sw[i]);
		}
}

#define SLOW_TERMINALS                                                                                                \
	"links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; }; terminal = { bandwidth = \"60Gbps\"; " \
	"latency = \"10ns\"; };"                                                                                      \
	" local = { bandwidth = \"200Gbps\"; latency = \"30ns\"; }; global = { bandwidth = \"40Gbps\"; latency = "    \
	"\"200ns\"; }; };"
#define FAST_TERMINALS                                                                                                 \
	"links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; }; terminal = { bandwidth = \"300Gbps\"; " \
	"latency = \"500ns\"; }; };"

static void check_flow(const char *network, const char *links, const char *routing, const char *pattern,
                       unsigned buffer, bool store, bool fifo)
{
	for (int load = 3; load <= 10; load += 7) {
		struct netrun x = { 0 };
		run_observed(
		    &x, 45000, fifo,
		    "time = { warmup = \"1us\"; measure = \"12us\"; }; %s %s"
		    "switch = { kind = \"observed\"; traversal = \"45ns\"; buffer = \"%uB\"; forwarding = \"%s\"; };"
		    "routing = { %s };"
		    "traffic = ( { pattern = \"%s\"; load = %f; packet = [ \"32B\", \"256B\", \"500B\" ]; message = "
		    "\"1500B\"; } );",
		    network, links, buffer, store ? "store-and-forward" : "cut-through", routing, pattern, load / 10.0);
		if (load == 10) /* it was worth looking */
			cr_expect_gt(watch.most + 500, watch.share, "%s: buffers of %lu bytes never hold more than %lu",
			             network, watch.share, watch.most);
		netrun_free(&x);
	}
}

Test(flow, keeps_buffers_links_and_queues)
{
	for (int store = 0; store < 2; store++) {
		check_flow(SLIMFLY_5, LINKS_50, "kind = \"minimal\";", "worst-case", 1500, store, true);
		check_flow(SLIMFLY_5, SLOW_TERMINALS, "kind = \"ugal-l\"; bias = \"0B\";", "uniform", 4000, store,
		           true);
		check_flow(SLIMFLY_5, FAST_TERMINALS, "kind = \"slimfly-adaptive\"; bias = \"0B\";", "worst-case", 9000,
		           store, true);
		check_flow(DRAGONFLY_72, SLOW_TERMINALS, "kind = \"minimal\";", "worst-case", 1001, store, true);
		check_flow(DRAGONFLY_72, SLOW_TERMINALS, "kind = \"valiant\"; via = \"group\";", "worst-case", 6000,
		           store, true);
		check_flow(DRAGONFLY_72, FAST_TERMINALS, "kind = \"par\"; bias = \"0B\";", "worst-case", 5000, store,
		           true);
		check_flow(DRAGONFLY_72, LINKS_50, "kind = \"ugal-g\"; bias = \"0B\";", "uniform", 20000, store, true);
		check_flow(DRAGONFLY_72, LINKS_50, "kind = \"slingshot\";", "adversarial", 20000, store, true);
		check_flow("topology = { kind = \"torus\"; dims = [5, 4]; endpoints = 2; };", LINKS_50,
		           "kind = \"minimal\";", "worst-case", 1100, store, true);
		/* with the bubble rule, packets that go straight on pass those that enter the ring */
		check_flow("topology = { kind = \"torus\"; dims = [5, 4]; endpoints = 2; };", LINKS_50,
		           "kind = \"minimal\"; deadlock = \"bubble\";", "worst-case", 1024, store, false);
		check_flow("topology = { kind = \"single\"; ports = 20; };", FAST_TERMINALS, "kind = \"minimal\";",
		           "hotspot", 2000, store, true);
	}
}

/* --- deadlock
 * -------------------------------------------------------------------------------------------------------------------
 */

static void ring(struct netrun *x, const char *routing, const char *vcs, const char *drain, const char *engine)
{
	char text[2000];
	snprintf(text, sizeof text,
	         "time = { warmup = \"2us\"; measure = \"60us\"; drain = %s; }; topology = { kind = \"torus\"; dims = "
	         "[8]; };" LINKS_50
	         "switch = { kind = \"ideal\"; buffer = \"1KB\"; %s }; routing = { kind = \"minimal\"; %s };"
	         "traffic = ( { pattern = \"tornado\"; load = 1.0; packet = \"256B\"; } ); engine = { %s };",
	         drain, vcs, routing, engine);
	cr_assert(netrun_build(x, NULL, text), "%s", netrun_error(x));
	netrun_go(x);
	cr_assert_eq(x->errors.errors, 0, "%s", netrun_error(x));
	cr_assert_eq(x->r->total.created, x->r->total.delivered + x->r->total.in_flight + x->r->total.queued);
}

/* Does the text name a closed cycle of `n` outputs, each the next of the one before? */
static bool names_ring(const char *stall, unsigned n)
{
	unsigned sw[32], out, vc, count = 0;
	bool closed = false;
	for (const char *s = stall; (s = strstr(s, "  switch ")) && count < 32; s++) {
		if (sscanf(s, "  switch %u, output %u, VC %u", &sw[count], &out, &vc) != 3 || vc != 0)
			return false;
		closed |= strncmp(strchr(s, ':') ? strchr(s, ':') : "", ": the cycle is closed", 21) == 0;
		count++;
	}
	if (!closed || count != n + 1 || sw[0] != sw[n])
		return false;
	unsigned seen = 0;
	for (unsigned i = 0; i < n; i++) {
		unsigned step = (sw[i + 1] + n - sw[i]) % n;
		if (step != 1 && step != n - 1)
			return false;
		seen |= 1u << sw[i];
	}
	return seen == (1u << n) - 1;
}

Test(deadlock, of_one_virtual_channel_on_a_ring_is_found_and_named)
{
	static const char *const drain[] = { "false", "true" };
	static const char *const engines[] = { "sync = \"sequential\";", "sync = \"conservative\";",
		                               "sync = \"optimistic\"; stress = 20;" };
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 3; k++) {
			struct netrun x = { 0 };
			ring(&x, "unsafe = true;", "vcs = 1;", drain[i], engines[k]);
			cr_assert_eq(x.outcome, NET_STALLED);
			cr_assert(!x.r->complete);
			cr_assert(x.r->stall && strstr(x.r->stall, "deadlock"));
			cr_assert(names_ring(x.r->stall, 8), "%s", x.r->stall);
			cr_assert_gt(x.r->total.in_flight, 8);
			netrun_free(&x);
		}
}

Test(deadlock, is_refused_unless_asked_for)
{
	struct netrun x = { 0 };
	bool built = netrun_build(
	    &x, NULL,
	    "time = { warmup = \"2us\"; measure = \"20us\"; }; topology = { kind = \"torus\"; dims = [8]; };" LINKS_50
	    "switch = { kind = \"ideal\"; vcs = 1; }; routing = { kind = \"minimal\"; };"
	    "traffic = ( { pattern = \"tornado\"; load = 1.0; } );");
	cr_assert(!built);
	cr_assert_str_eq(x.errors.v[0].key, "switch.vcs");
	cr_assert(strstr(x.errors.v[0].text, "cycle"), "%s", x.errors.v[0].text);
	netrun_free(&x);
}

Test(deadlock, never_comes_with_datelines_or_bubbles)
{
	static const char *const routing[] = { "deadlock = \"dateline\";", "deadlock = \"bubble\";" };
	for (int i = 0; i < 2; i++) {
		struct netrun x = { 0 };
		ring(&x, routing[i], "", "true", "sync = \"sequential\";");
		cr_assert_eq(x.outcome, NET_DONE, "%s: %s", routing[i], x.r->stall ? x.r->stall : "");
		cr_assert_null(x.r->stall);
		cr_assert_eq(x.r->total.delivered, x.r->total.created);
		netrun_free(&x);
	}
}

/* Beyond saturation with the least buffers: every routing must still empty the network. */
Test(deadlock, never_comes_with_the_proved_number_of_channels)
{
	static const char *const networks[] = { SLIMFLY_5, DRAGONFLY_72,
		                                "topology = { kind = \"torus\"; dims = [4, 3, 3]; endpoints = 2; };" };
	static const char *const routings[] = { "kind = \"minimal\";",
		                                "kind = \"valiant\";",
		                                "kind = \"ugal-l\"; bias = \"0B\";",
		                                "kind = \"ugal-g\"; bias = \"0B\";",
		                                "kind = \"par\"; bias = \"0B\";",
		                                "kind = \"valiant\"; via = \"group\";",
		                                "kind = \"slimfly-adaptive\"; bias = \"0B\";",
		                                "kind = \"slingshot\";" };
	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < sizeof routings / sizeof *routings; k++) {
			if ((k == 5 && i != 1) || (k == 6 && i != 0))
				continue;
			struct netrun x = { 0 };
			/* "auto" VCs: the least number; 256 bytes each. VCs of the most demanding routing here: 8 at
			 * most */
			run(&x,
			    "time = { warmup = \"1us\"; measure = \"6us\"; drain = true; }; %s" LINKS_50
			    " switch = { kind = \"ideal\"; buffer = \"2100B\"; };"
			    "routing = { %s }; traffic = ( { pattern = \"worst-case\"; load = 1.0; packet = \"256B\"; "
			    "} );",
			    networks[i], routings[k]);
			cr_assert_eq(x.r->total.delivered, x.r->total.created);
			cr_assert_leq(x.r->vcs, 8);
			netrun_free(&x);
		}
}
