/* tests/plugins/liar_switch.c - docs/examples/oq.c with one lie each: see tests/cli/liars.sh. */
#define tilefly_plugins honest_plugins
#define tilefly_plugin_abi honest_abi
#include "docs/examples/oq.c"
#undef tilefly_plugins
#undef tilefly_plugin_abi
#include "tests/plugins/liar.h"

LIAR_LIST(struct sw_ops, output_queued)

static uint32_t no_share(const struct sw_common *c)
{
	(void)c;
	return 0;
}
static uint32_t small_share(const struct sw_common *c)
{
	(void)c;
	return 100;
}
static size_t huge_state(const struct sw_common *c)
{
	(void)c;
	return SIZE_MAX / 2;
}
static size_t small_state(const struct sw_common *c)
{
	return state_bytes(c) - 40;
}
static int silent(struct sw_common *c, struct base_errors *errors)
{
	(void)c, (void)errors;
	return -1;
}
static uint64_t born_in_debt(const struct sw_common *c, const void *state)
{
	(void)c, (void)state;
	return 512;
}

static uint64_t huge_lead(const struct sw_common *c)
{
	(void)c;
	return 1000000001;
}
static uint64_t no_such_lead(const struct sw_common *c)
{
	(void)c;
	return 100000;
}

/* Of depths that queue_bytes() does not say. */
static uint64_t no_queues(const void *state, uint64_t now)
{
	(void)state, (void)now;
	return 0;
}
static void other_depths(const void *state, const uint32_t *out, uint32_t n, uint64_t now, uint64_t *bytes)
{
	for (uint32_t i = 0; i < n; i++)
		bytes[i] = queue_bytes(state, out[i], now) + 1;
}

/* Calls of the host, changed on their way: by switch 3 from 2 us on. */
static struct sw_host_ops host_ops;
static const struct sw_host_ops *honest_host;

static bool late(const struct sw_call *call)
{
	return call->id == 3 && call->now > 2000000;
}
static void transmit_port(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
                          uint64_t start, uint64_t finish)
{
	honest_host->transmit(call, late(call) ? 99 : out, end, p, start, finish);
}
static void transmit_vc(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
                        uint64_t start, uint64_t finish)
{
	struct sw_packet q = *p;
	q.vc = late(call) ? 9 : q.vc;
	honest_host->transmit(call, out, end, &q, start, finish);
}
static void transmit_end(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
                         uint64_t start, uint64_t finish)
{
	struct sw_link_end other = *end;
	other.lp = late(call) ? 4000000000u : other.lp;
	honest_host->transmit(call, out, &other, p, start, finish);
}
static void transmit_past(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
                          uint64_t start, uint64_t finish)
{
	honest_host->transmit(call, out, end, p, late(call) ? 1000 : start, finish);
}
static void transmit_packet(struct sw_call *call, uint32_t out, const struct sw_link_end *end,
                            const struct sw_packet *p, uint64_t start, uint64_t finish)
{
	struct sw_packet q = *p;
	q.dst = late(call) ? 4000000000u : q.dst;
	honest_host->transmit(call, out, end, &q, start, finish);
}
static void eject_terminal(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
                           uint64_t finish)
{
	honest_host->eject(call, late(call) ? 50 : terminal, p, start, finish);
}
static void eject_lost(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
                       uint64_t finish)
{
	if (!late(call))
		honest_host->eject(call, terminal, p, start, finish);
}
static void credit_bytes(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint8_t vc,
                         uint32_t bytes, uint64_t when)
{
	honest_host->credit(call, in_port, end, vc, late(call) ? 1000000 : bytes, when);
}
static void credit_port(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint8_t vc,
                        uint32_t bytes, uint64_t when)
{
	honest_host->credit(call, late(call) ? 1000 : in_port, end, vc, bytes, when);
}
static void credit_twice(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint8_t vc,
                         uint32_t bytes, uint64_t when)
{
	honest_host->credit(call, in_port, end, vc, bytes, when);
	if (late(call) && end)
		honest_host->credit(call, in_port, end, vc, bytes, when);
}
static void credit_endpoint(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint8_t vc,
                            uint32_t bytes, uint64_t when)
{
	for (int i = 0; i < (late(call) && !end ? 50 : 1); i++)
		honest_host->credit(call, in_port, end, vc, bytes, when);
}
/* In place of what the endpoint gets. */
static void drop_lossless(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
                          uint64_t finish)
{
	if (late(call))
		honest_host->drop(call, p);
	else
		honest_host->eject(call, terminal, p, start, finish);
}
static void control_port(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
                         uint64_t finish)
{
	if (late(call))
		honest_host->control(call, 1000, NULL, SW_CONTROL_PAUSE, call->now);
	honest_host->eject(call, terminal, p, start, finish);
}
static void control_word(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
                         uint64_t finish)
{
	if (late(call))
		honest_host->control(call, 8 + terminal, NULL, 77, call->now);
	honest_host->eject(call, terminal, p, start, finish);
}
static void control_past(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
                         uint64_t finish)
{
	if (late(call))
		honest_host->control(call, 8 + terminal, NULL, SW_CONTROL_PAUSE, 1000);
	honest_host->eject(call, terminal, p, start, finish);
}
static void control_deaf(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
                         uint64_t start, uint64_t finish)
{
	if (late(call))
		honest_host->control(call, out, end, SW_CONTROL_PAUSE, call->now);
	honest_host->transmit(call, out, end, p, start, finish);
}
static int lossy_with_credits(struct sw_common *c, struct base_errors *errors)
{
	c->lossy = true;
	return build(c, errors);
}

static int holds_unasked(struct sw_common *c, struct base_errors *errors)
{
	c->hold_within = 100000;
	return build(c, errors);
}
static int no_credits(struct sw_common *c, struct base_errors *errors)
{
	c->creditless = true;
	return build(c, errors);
}
static uint32_t route_port(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack)
{
	return honest_host->route(call, late(call) ? 1000 : in_port, p, slack);
}

/* A packet_in() that is told of host_ops in place of the host's. */
#define IN(name, member)                                                                   \
	static void name##_in(struct sw_call *call, uint32_t in_port, struct sw_packet *p) \
	{                                                                                  \
		honest_host = call->host_ops;                                              \
		host_ops = *honest_host;                                                   \
		host_ops.member = name;                                                    \
		call->host_ops = &host_ops;                                                \
		packet_in(call, in_port, p);                                               \
		call->host_ops = honest_host;                                              \
	}
IN(transmit_port, transmit)
IN(transmit_vc, transmit)
IN(transmit_end, transmit)
IN(transmit_past, transmit)
IN(transmit_packet, transmit)
IN(eject_terminal, eject)
IN(eject_lost, eject)
IN(credit_bytes, credit)
IN(credit_port, credit)
IN(credit_twice, credit)
IN(credit_endpoint, credit)
IN(route_port, route)
IN(drop_lossless, eject)
IN(control_port, eject)
IN(control_word, eject)
IN(control_past, eject)
IN(control_deaf, transmit)

__attribute__((constructor)) static void make(void)
{
	LIE("no-share", buffer_share, no_share);
	LIE("small-share", buffer_share, small_share);
	LIE("huge-state", state_bytes, huge_state);
	LIE("small-state", state_bytes, small_state);
	LIE("silent-switch", build, silent);
	LIE("born-in-debt", credits_out, born_in_debt);
	LIE("huge-lead", timing.lead, huge_lead);
	LIE("no-such-lead", timing.lead, no_such_lead);
	LIE("no-queues", depths.queues, no_queues);
	LIE("other-depths", depths.queue_bytes_each, other_depths);
	LIE("packet-in-missing", packet_in, NULL);
	LIE("regions-missing", regions, NULL);
	LIE("transmit-port", packet_in, transmit_port_in);
	LIE("transmit-vc", packet_in, transmit_vc_in);
	LIE("transmit-end", packet_in, transmit_end_in);
	LIE("transmit-past", packet_in, transmit_past_in);
	LIE("transmit-packet", packet_in, transmit_packet_in);
	LIE("eject-terminal", packet_in, eject_terminal_in);
	LIE("eject-lost", packet_in, eject_lost_in);
	LIE("credit-bytes", packet_in, credit_bytes_in);
	LIE("credit-port", packet_in, credit_port_in);
	LIE("credit-twice", packet_in, credit_twice_in);
	LIE("credit-endpoint", packet_in, credit_endpoint_in);
	LIE("route-port", packet_in, route_port_in);
	LIE("lossy-with-credits", build, lossy_with_credits);
	LIE("holds-unasked", build, holds_unasked);
	LIE("no-credits", build, no_credits);
	LIE("drop-lossless", packet_in, drop_lossless_in);
	LIE("control-port", packet_in, control_port_in);
	LIE("control-word", packet_in, control_word_in);
	LIE("control-past", packet_in, control_past_in);
	LIE("control-deaf", packet_in, control_deaf_in);
}
