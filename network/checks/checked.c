/* network/checks/checked.c - checks of switch models from shared objects, and reports of plug-ins of any kind that
 * violated their contract.
 *
 * Before the run these functions check that the model has all functions, and its sizes and the state of one sample
 * switch. During the run they check every call that the model makes to the host, and execute the call only if it is
 * valid. */
#include "network/checks/checked.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STATE ((size_t)1 << 30)
#define MOST_LEAD 1000000000ull /* ps */
#define GUARD 4096u
#define GUARD_BYTE 0xa5

static const struct base_plugin *model(const struct net *n)
{
	return n->config->sw.plugin;
}

/* --- at the start --------------------------------------------------------------------------------------------- */

int net_check_switch_ops(const struct net *n, struct base_errors *errors)
{
	const struct sw_ops *ops = model(n)->ops;
	const struct {
		const char *name;
		bool there;
	} required[] = {
		{ "build", ops->build },
		{ "state_bytes", ops->state_bytes },
		{ "init", ops->init },
		{ "store_and_forward", ops->store_and_forward },
		{ "packet_in", ops->packet_in },
		{ "credit_in", ops->credit_in },
		{ "regions", ops->regions },
		{ "buffer_share", ops->buffer_share },
		{ "credits_out", ops->credits_out },
		{ "each_waiting", ops->each_waiting },
		{ "queue_bytes", ops->depths.queue_bytes || !n->common.track_queues },
		{ "read_instruments", ops->instruments.read || !ops->instruments.n },
	};
	int status = 0;
	for (size_t i = 0; i < sizeof required / sizeof *required; i++)
		if (!required[i].there)
			status = base_missing(model(n), required[i].name, errors);
	return status;
}

static void check_sizes(const struct net *n)
{
	const struct sw_common *c = &n->common;
	size_t state = c->ops->state_bytes(c);
	uint32_t share = c->ops->buffer_share(c),
		 terminal = c->ops->links.terminal_share ? c->ops->links.terminal_share(c) : share;
	uint32_t least = c->ops->store_and_forward(c) ? c->max_packet : 1;
	if (state > MOST_STATE)
		base_refute(model(n), "state_bytes() returns %zu; at most %zu are supported", state, MOST_STATE);
	else if (share < least)
		base_refute(model(n), "buffer_share() returns %u bytes, but the largest packet has %u", share,
		            c->max_packet);
	else if (terminal < c->max_packet)
		base_refute(model(n), "%s() returns %u bytes, but the largest packet has %u",
		            c->ops->links.terminal_share ? "terminal_share" : "buffer_share", terminal, c->max_packet);
	else if (c->lossy && !c->creditless)
		base_refute(model(n),
		            "build() sets lossy without creditless: the credits of lost packets would never return");
	else if (c->hold_within && (!c->may_hold || !c->ops->links.hold || !c->ops->links.control_in))
		base_refute(model(n), "build() states that it withholds credits, %s",
		            !c->may_hold          ? "which is not permitted for this switch"
		            : !c->ops->links.hold ? "but its function hold() is NULL"
		                                  : "but its function control_in() is NULL");
	else if (c->ops->timing.lead && c->ops->timing.lead(c) > MOST_LEAD)
		base_refute(model(n), "lead() returns %" PRIu64 " ps; at most %llu are supported",
		            c->ops->timing.lead(c), MOST_LEAD);
}

static void count_waiting(void *arg, const struct sw_waiting *w)
{
	(void)w;
	++*(uint64_t *)arg;
}

/* Makes a switch, with bytes behind its block that must stay as they are. */
static void try_switch(const struct net *n, topo_switch s, unsigned char *block, struct sw_link_end *ends)
{
	const struct sw_common *c = &n->common;
	size_t state = c->ops->state_bytes(c), behind = 0;
	struct sw_place place = {
		.id = s, .net_ports = topo_ports(&n->topo, s), .terminals = topo_endpoints_at(&n->topo, s), .ends = ends
	};
	for (topo_port p = 0; p < place.net_ports; p++) {
		struct topo_hop h = topo_peer(&n->topo, s, p);
		ends[p] = (struct sw_link_end){ h.to, (uint16_t)h.port, (uint8_t)net_link_of(n, h.link_class), 0 };
	}
	memset(block, 0, state);
	memset(block + state, GUARD_BYTE, GUARD);
	c->ops->init(c, block, &place);
	while (behind < GUARD && block[state + behind] == GUARD_BYTE)
		behind++;
	if (behind < GUARD)
		base_refute(
		    model(n),
		    "init() of switch %u writes byte %zu of the switch's state, but state_bytes() returns only %zu", s,
		    state + behind, state);
	uint64_t waiting = 0, out = c->ops->credits_out(c, block);
	c->ops->each_waiting(c, block, count_waiting, &waiting);
	if (out)
		base_refute(model(n),
		            "credits_out() of switch %u returns %" PRIu64 " right after init(); 0 is required", s, out);
	if (waiting)
		base_refute(model(n),
		            "each_waiting() of switch %u reports %" PRIu64
		            " packets right after init(); 0 are required",
		            s, waiting);
	if (c->ops->memory.fini)
		c->ops->memory.fini(c, block);
}

/* The switch with most ports, and the first. */
static void try_switches(const struct net *n)
{
	topo_switch largest = 0;
	uint32_t most = 0;
	for (topo_switch s = 0; s < n->topo.switches; s++) {
		uint32_t ports = topo_ports(&n->topo, s) + topo_endpoints_at(&n->topo, s);
		if (ports > most) {
			most = ports;
			largest = s;
		}
	}
	size_t bytes = n->common.ops->state_bytes(&n->common) + GUARD;
	unsigned char *block = base_map(bytes); /* as the real ones: at a multiple of 64 */
	struct sw_link_end *ends = base_calloc(n->topo.max_ports, sizeof *ends);
	try_switch(n, largest, block, ends);
	if (largest && !base_refuted(model(n)))
		try_switch(n, 0, block, ends);
	base_unmap(block, bytes);
	free(ends);
}

int net_check_switch(struct net *n, struct base_errors *errors)
{
	check_sizes(n);
	if (!base_refuted(model(n)))
		try_switches(n);
	return base_report_refuted(model(n), "kind", errors);
}

/* --- in the run ------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static bool refute(const struct sw_call *call, const char *fmt, ...)
{
	const struct net *n = call->host;
	char text[300];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	base_refute(model(n), "switch %u at %" PRIu64 " ps %s", call->id, call->now, text);
	return false;
}

void net_check_depths(const struct sw_call *call, uint32_t first, uint32_t count)
{
	const struct sw_ops *ops = call->common->ops;
	uint64_t queues = ops->depths.queues ? ops->depths.queues(call->state, call->now) : UINT64_MAX;
	for (uint32_t out = first; out < first + count; out++) {
		uint64_t depth = ops->depths.queue_bytes(call->state, out, call->now), each = depth;
		if (ops->depths.queue_bytes_each)
			ops->depths.queue_bytes_each(call->state, &out, 1, call->now, &each);
		if (each != depth)
			refute(call,
			       "reports for output %u a queue of %" PRIu64
			       " bytes by queue_bytes_each(), but of %" PRIu64 " bytes by queue_bytes()",
			       out, each, depth);
		else if (depth && !(queues >> (out & 63) & 1))
			refute(call,
			       "omits output %u from queues(), although queue_bytes() of this output returns %" PRIu64,
			       out, depth);
	}
}

static bool good_packet(const struct sw_call *call, const char *function, const struct sw_packet *p)
{
	const struct net *n = call->host;
	if (p->src < n->topo.endpoints && p->dst < n->topo.endpoints && p->job < n->jobs && p->bytes > 0 &&
	    (p->bytes >= n->common.min_packet || n->common.lossy) && p->bytes <= n->common.max_packet &&
	    sw_created(call->common, p, call->now) <= sw_injected(p, call->now))
		return true;
	return refute(call, "calls %s for a packet from endpoint %u to %u, job %u, %u bytes, which does not exist",
	              function, p->src, p->dst, p->job, p->bytes);
}

static bool good_times(const struct sw_call *call, const char *function, uint32_t port, uint64_t start, uint64_t finish)
{
	if (start >= call->now && finish >= start && finish - call->now < SIM_NEVER / 4)
		return true;
	return refute(call, "calls %s(port %u) from %" PRId64 " ps to %" PRId64 " ps, which is not a valid interval",
	              function, port, (int64_t)start, (int64_t)finish);
}

/* What leaves by a network port does so `lead` after the event that it was decided in, at least. */
static bool good_lead(const struct sw_call *call, const char *function, uint32_t port, uint64_t start)
{
	const struct sw_ops *ops = call->common->ops;
	uint64_t lead = ops->timing.lead ? ops->timing.lead(call->common) : 0, now = call->ctx->now;
	return start >= now + lead ||
	       refute(call, "calls %s(port %u) from %" PRIu64 " ps, at %" PRIu64 " ps, but lead() returns %" PRIu64,
	              function, port, start, now, lead);
}

static bool good_vc(const struct sw_call *call, const char *function, uint32_t port, uint32_t vc)
{
	return vc < call->common->vcs || refute(call, "calls %s(port %u) on VC %u, but there are only %u VCs", function,
	                                        port, vc, call->common->vcs);
}

static bool good_lane(const struct sw_call *call, const char *function, uint32_t port, uint32_t lane)
{
	const struct sw_lanes *l = &call->common->lanes;
	if (l->classes == 1)
		return good_vc(call, function, port, lane);
	return lane < l->n ||
	       refute(call, "calls %s(port %u) on lane %u, but there are only %u lanes", function, port, lane, l->n);
}

/* Is `end` what the switch was given for this network port? */
static bool good_end(const struct sw_call *call, const char *function, uint32_t port, const struct sw_link_end *end)
{
	const struct net *n = call->host;
	const struct net_lp *lp = call->host_lp;
	if (port >= lp->net_ports)
		return refute(call, "calls %s(port %u), but has only %u network ports", function, port, lp->net_ports);
	struct topo_hop h = topo_peer(&n->topo, lp->id, port);
	if (!end)
		return refute(call, "calls %s(port %u) without the end of the port's cable", function, port);
	struct sw_link_end known = net_end_of(n, &h);
	if (end->lp == known.lp && end->port == known.port && end->link_class == known.link_class)
		return true;
	return refute(call,
	              "calls %s(port %u) to LP %u port %u, class %u, but the cable ends at LP %u port %u, class %u",
	              function, port, end->lp, end->port, end->link_class, known.lp, known.port, known.link_class);
}

static uint32_t route(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack)
{
	const struct net_lp *lp = call->host_lp;
	if (!good_packet(call, "route()", p))
		return 0;
	if (in_port >= lp->net_ports + lp->endpoints) {
		refute(call, "calls route(input %u), but has only %u ports", in_port, lp->net_ports + lp->endpoints);
		in_port = 0;
	}
	return net_host(call->host)->route(call, in_port, p, slack);
}

static uint32_t turn(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack)
{
	const struct net_lp *lp = call->host_lp;
	if (!call->common->may_turn) {
		refute(call, "calls turn(), which this routing does not have");
		return 0;
	}
	if (!good_packet(call, "turn()", p))
		return 0;
	if (in_port >= lp->net_ports + lp->endpoints) {
		refute(call, "calls turn(input %u), but has only %u ports", in_port, lp->net_ports + lp->endpoints);
		in_port = 0;
	}
	return net_host(call->host)->turn(call, in_port, p, slack);
}

static void transmit(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
                     uint64_t start, uint64_t finish)
{
	if (good_end(call, "transmit", out, end) && good_packet(call, "transmit()", p) &&
	    good_vc(call, "transmit", out, p->vc) && good_times(call, "transmit", out, start, finish) &&
	    good_lead(call, "transmit", out, start))
		net_host(call->host)->transmit(call, out, end, p, start, finish);
}

static void eject(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start, uint64_t finish)
{
	const struct net_lp *lp = call->host_lp;
	if (!good_packet(call, "eject()", p) || !good_times(call, "eject", terminal, start, finish))
		return;
	if (terminal >= lp->endpoints)
		refute(call, "calls eject(terminal %u), but has only %u terminals", terminal, lp->endpoints);
	else if (p->dst != lp->first_endpoint + terminal)
		refute(call, "calls eject(terminal %u) for a packet to endpoint %u, but that terminal is endpoint %u",
		       terminal, p->dst, lp->first_endpoint + terminal);
	else
		net_host(call->host)->eject(call, terminal, p, start, finish);
}

/* Does an endpoint get no more back than it has sent? In a speculative event that may seem so. */
static bool good_return(const struct sw_call *call, uint32_t in_port, uint32_t bytes)
{
	const struct net *n = call->host;
	const struct net_lp *lp = call->host_lp;
	const struct net_endpoint *e = net_endpoint_at(n, lp, in_port - lp->net_ports);
	uint64_t back = net_listed_returns(n, lp, e) + bytes;
	return call->ctx->journal || back <= e->outstanding ||
	       refute(call, "calls credit(port %u) of %u bytes, %" PRIu64 " in all, but the endpoint has sent only %u",
	              in_port, bytes, back, e->outstanding);
}

/* What comes back at once: of a packet, or of all withheld credits (switch/hold.h). */
static uint32_t most_of_credit(const struct sw_common *c, bool terminal)
{
	uint32_t share = c->ops->buffer_share(c);
	return !terminal && c->hold_within && share > c->max_packet ? share : c->max_packet;
}

static void credit(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint8_t lane, uint32_t bytes,
                   uint64_t when)
{
	const struct net_lp *lp = call->host_lp;
	bool terminal = in_port >= lp->net_ports && in_port < lp->net_ports + lp->endpoints && !end;
	if (!terminal && !good_end(call, "credit", in_port, end))
		return;
	if (call->common->creditless)
		refute(call, "calls credit(port %u), although build() states that links have no credits", in_port);
	else if (bytes > most_of_credit(call->common, terminal))
		refute(call, "calls credit(port %u) of %u bytes, but the largest packet has %u", in_port, bytes,
		       call->common->max_packet);
	else if (terminal && !good_return(call, in_port, bytes))
		return;
	else if (good_lane(call, "credit", in_port, lane) && good_times(call, "credit", in_port, when, when) &&
	         (terminal || good_lead(call, "credit", in_port, when)))
		net_host(call->host)->credit(call, in_port, end, lane, bytes, when);
}

static void queued(struct sw_call *call, uint32_t out, uint8_t vc, uint32_t bytes, uint64_t from, uint64_t to,
                   bool waited)
{
	const struct net_lp *lp = call->host_lp;
	if (out >= lp->net_ports + lp->endpoints)
		refute(call, "calls queued(output %u), but has only %u ports", out, lp->net_ports + lp->endpoints);
	else if (from > to)
		refute(call,
		       "calls queued(output %u) from %" PRIu64 " ps to %" PRIu64 " ps, which is not a valid interval",
		       out, from, to);
	else if (good_vc(call, "queued", out, vc))
		net_host(call->host)->queued(call, out, vc, bytes, from, to, waited);
}

static void drop(struct sw_call *call, const struct sw_packet *p)
{
	if (!call->common->lossy)
		refute(call, "calls drop(), although build() did not set lossy");
	else if (good_packet(call, "drop()", p))
		net_host(call->host)->drop(call, p);
}

static void control(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint64_t word, uint64_t when)
{
	const struct net_lp *lp = call->host_lp;
	bool terminal = in_port >= lp->net_ports && in_port < lp->net_ports + lp->endpoints && !end;
	if (!terminal && !good_end(call, "control", in_port, end))
		return;
	if (!terminal && !call->common->ops->links.control_in)
		refute(call, "calls control(port %u), although the function control_in() is NULL", in_port);
	else if (terminal && word > SW_CONTROL_PAUSE)
		refute(call, "calls control(terminal %u) with word %" PRIu64 ", which does not exist",
		       in_port - lp->net_ports, word);
	else if (good_times(call, "control", in_port, when, when) &&
	         (terminal || good_lead(call, "control", in_port, when)))
		net_host(call->host)->control(call, in_port, end, word, when);
}

static uint64_t key(struct sw_call *call, unsigned phase)
{
	if (phase < 4 || phase > 7) {
		refute(call, "calls key(phase %u), but the phases of a switch are 4 to 7", phase);
		phase = 4;
	}
	return net_host(call->host)->key(call, phase);
}

static struct sw_wire *wire(struct sw_call *call, uint32_t port)
{
	const struct net_lp *lp = call->host_lp;
	if (port >= lp->net_ports) {
		refute(call, "calls wire(port %u), but has only %u network ports", port, lp->net_ports);
		port = 0;
	}
	return net_host_wire(call, port);
}

const struct sw_host_ops net_checked_host_ops = {
	.route = route,
	.turn = turn,
	.transmit = transmit,
	.eject = eject,
	.credit = credit,
	.queued = queued,
	.drop = drop,
	.control = control,
	.key = key,
	.wire = wire,
};

/* --- who was refuted -------------------------------------------------------------------------------------------- */

/* The first of them, and the key that chose it. */
static const char *find_refuted(const struct net *n, char *key, size_t room)
{
	const struct net_config *c = n->config;
	const struct {
		const char *key;
		const struct base_plugin *plugin;
	} parts[] = { { "topology.kind", c->topology.plugin },
		      { "routing.kind", c->routing.plugin },
		      { "switch.kind", c->sw.plugin },
		      { "congestion.kind", c->congestion.plugin } };
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (base_refuted(parts[i].plugin)) {
			snprintf(key, room, "%s", parts[i].key);
			return base_refuted(parts[i].plugin);
		}
	for (const struct base_param *p = c->sw.plugin->params; p && p->name; p++) {
		const struct base_named *named = (const void *)((const char *)c->sw.params + p->offset);
		if (p->type == BASE_PLUGIN && named->plugin && base_refuted(named->plugin)) {
			snprintf(key, room, "switch.%.50s", p->name);
			return base_refuted(named->plugin);
		}
	}
	for (uint32_t j = 0; j < c->njobs; j++) {
		const struct base_plugin *of[] = { c->jobs[j].process.plugin, c->jobs[j].pattern.plugin,
			                           c->jobs[j].injection.plugin };
		for (size_t k = 0; k < sizeof of / sizeof *of; k++)
			if (base_refuted(of[k])) {
				snprintf(key, room, "traffic.[%u].%s", j, of[k]->kind);
				return base_refuted(of[k]);
			}
	}
	return NULL;
}

bool net_refuted_here(const struct net *n)
{
	char key[64];
	return find_refuted(n, key, sizeof key) != NULL;
}

bool net_refuted_on_any(const struct net *n)
{
	uint64_t any = net_refuted_here(n);
	sim_max_u64(&any, 1);
	return any;
}

bool net_refuted(const struct net *n, struct base_errors *errors)
{
	struct sentence {
		char key[64], text[600];
	} mine = { { 0 }, { 0 } };
	const char *text = find_refuted(n, mine.key, sizeof mine.key);
	if (!net_refuted_on_any(n))
		return false;
	snprintf(mine.text, sizeof mine.text, "%s", text ? text : "");
	void *all;
	size_t bytes;
	sim_gather_bytes(&mine, text ? sizeof mine : 0, &all, &bytes);
	if (all && bytes >= sizeof mine) { /* the first rank's: what others say may be its consequence */
		const struct sentence *first = all;
		base_errorf(errors, first->key, "%s", first->text);
	}
	free(all);
	return true;
}
