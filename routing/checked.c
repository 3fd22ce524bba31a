/* routing/checked.c - checks a routing that comes from a shared object: here the values that its build() sets, and
 * every result of route() when it is returned; in rt_prove() termination, the promises of its table of functions, and
 * deadlock freedom. */
#include "routing/checked.h"

#include "base/memory.h"
#include "routing/leg.h"
#include "switch/switch.h"

#include <inttypes.h>
#include <stdarg.h>

int rt_check_ops(const struct base_plugin *plugin, struct base_errors *errors)
{
	const struct rt_ops *ops = plugin->ops;
	int status = 0;
	if (!ops->build)
		status = base_missing(plugin, "build", errors);
	if (!ops->route)
		status = base_missing(plugin, "route", errors);
	if (ops->has_bias && !rt_bias_param(plugin)) {
		base_refute(plugin, "has_bias is set, but the routing has no parameter \"bias\" whose type is a size");
		status = base_report_refuted(plugin, "kind", errors);
	}
	return status;
}

/* --- route() --------------------------------------------------------------------------------------------- */

/* The arguments of one call, for the message. */
struct question {
	const struct rt *rt;
	const struct rt_env *env;
	const struct sw_packet *packet; /* the packet as passed in */
	const char *function;
};

__attribute__((format(printf, 2, 3))) static void refute(const struct question *q, const char *fmt, ...)
{
	char answer[200], from[40];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(answer, sizeof answer, fmt, ap);
	va_end(ap);
	if (q->env->in_port == RT_FROM_ENDPOINT)
		snprintf(from, sizeof from, "an endpoint");
	else
		snprintf(from, sizeof from, "port %u", q->env->in_port);
	base_refute(
	    q->rt->plugin,
	    "%s() at switch %u, for a packet from endpoint %u to %u on VC %u that arrived from %s after %u hops, %s",
	    q->function, q->env->here, q->packet->src, q->packet->dst, q->packet->vc, from, q->packet->hops, answer);
}

/* route() may write via, route and vc; the other fields belong to the host. */
static bool only_its_own(const struct question *q, const struct sw_packet *now)
{
	const struct sw_packet *was = q->packet;
	if (now->dst != was->dst)
		refute(q, "changes the packet's destination to endpoint %u", now->dst);
	else if (now->src != was->src || now->seq != was->seq || now->job != was->job)
		refute(q, "changes the packet's source, sequence number and job to %u, %u and %u", now->src, now->seq,
		       now->job);
	else if (now->bytes != was->bytes)
		refute(q, "changes the packet's size to %u bytes from %u", now->bytes, was->bytes);
	else if (now->hops != was->hops)
		refute(q, "changes the packet's number of hops to %u", now->hops);
	else if (now->created != was->created || now->injected != was->injected)
		refute(q, "changes the packet's times of creation and injection to %" PRIu64 " ps and %" PRIu64 " ps",
		       now->created, now->injected);
	else
		return true;
	return false;
}

static bool is_possible(const struct question *q, const struct sw_packet *now, struct rt_decision d)
{
	const struct rt *rt = q->rt;
	uint32_t here = q->env->here, ports = topo_ports(rt->topo, here);
	if (!only_its_own(q, now))
		return false;
	if (d.port == RT_EJECT) {
		topo_switch to = topo_switch_of(rt->topo, now->dst);
		if (here == to)
			return true;
		refute(q, "returns RT_EJECT, but the packet's destination is at switch %u", to);
	} else if (d.port >= ports) {
		refute(q, "returns output port %u, but the switch has only %u network ports", d.port, ports);
	} else if (now->vc >= rt->vcs) {
		refute(q, "sets VC %u, but build() requested only %u VCs, 0 to %u", now->vc, rt->vcs, rt->vcs - 1);
	} else if (now->hops >= rt->max_hops) {
		refute(q, "returns output port %u, but build() limited routes to %u hops", d.port, rt->max_hops);
	} else if (d.slack == RT_MAY_TURN && !rt->said->turn) {
		refute(q, "returns RT_MAY_TURN, but the routing has no function turn()");
	} else if (d.slack && d.slack != RT_MAY_TURN && !rt->proof_note) {
		refute(q, "returns slack %u, which only a routing with a proof_note may use", d.slack);
	} else {
		return true;
	}
	return false;
}

/* ops->goes_on: the host may call rt_go_on() instead. */
static bool goes_on_as_promised(const struct question *q, const struct rt_env *asked, const struct sw_packet *now,
                                struct rt_decision d)
{
	const struct rt *rt = q->rt;
	bool one_leg = rt->said->legs && rt->said->legs(rt) == RT_LEGS_ONE;
	if (!rt->said->goes_on || !rt->said->goes_on(rt) || !(one_leg || q->packet->route & SW_ROUTE_DECIDED))
		return true;
	struct sw_packet p = *q->packet;
	struct rt_env env = *asked;
	struct rt_oracle oracle;
	if (asked->oracle) { /* repeats the same choices */
		oracle = *asked->oracle;
		oracle.depth = oracle.at;
		oracle.at = 0;
		env.oracle = &oracle;
	}
	p.route |= SW_ROUTE_DECIDED;
	struct rt_decision e = rt_go_on(rt, rt->common, &env, &p, topo_switch_of(rt->topo, p.dst));
	if (e.port == d.port &&
	    (d.port == RT_EJECT || (p.vc == now->vc && p.route == now->route && e.slack == d.slack)))
		return true;
	refute(q,
	       "returns port %d, VC %u, flags %u, but goes_on() promises the result of rt_go_on(), which is port %d, "
	       "VC %u, flags %u",
	       (int)d.port, now->vc, now->route, (int)e.port, p.vc, p.route);
	return false;
}

static struct rt_decision checked_route(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct sw_packet came = *packet;
	const struct rt_env asked = *env;
	const struct question q = { rt, &asked, &came, "route" };
	struct rt_decision d = rt->said->route(rt, env, packet);
	if (is_possible(&q, packet, d) && goes_on_as_promised(&q, &asked, packet, d))
		return d;
	*packet = came;
	packet->vc = 0;
	bool arrived = env->here == topo_switch_of(rt->topo, packet->dst);
	return (struct rt_decision){ .port = arrived ? RT_EJECT : 0 };
}

static struct rt_decision checked_turn(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct sw_packet came = *packet;
	const struct rt_env asked = *env;
	const struct question q = { rt, &asked, &came, "turn" };
	struct rt_decision d = rt->said->turn(rt, env, packet);
	if (d.port == RT_EJECT || d.slack == RT_MAY_TURN)
		refute(&q, "returns %s, which is not permitted in turn()",
		       d.port == RT_EJECT ? "RT_EJECT" : "RT_MAY_TURN");
	else if (is_possible(&q, packet, d))
		return d;
	*packet = came;
	packet->vc = 0;
	return (struct rt_decision){ .port = 0 };
}

static bool checked_foresee(const struct rt *rt, const struct rt_env *env, const struct sw_packet *packet,
                            struct rt_candidates *candidates)
{
	if (!rt->said->foresee(rt, env, packet, candidates))
		return false;
	if (candidates->n < 1 || candidates->n > RT_MOST_CANDIDATES) {
		base_refute(rt->plugin,
		            "foresee() at switch %u, for a packet from endpoint %u to %u, returns %u candidates; "
		            "allowed are 1 to %u",
		            env->here, packet->src, packet->dst, candidates->n, RT_MOST_CANDIDATES);
		return false;
	}
	for (uint32_t i = 0; i < candidates->n; i++)
		if (candidates->port[i] >= topo_ports(rt->topo, env->here)) {
			base_refute(rt->plugin,
			            "foresee() at switch %u, for a packet from endpoint %u to %u, returns port %u, but "
			            "the switch has only %u network ports",
			            env->here, packet->src, packet->dst, candidates->port[i],
			            topo_ports(rt->topo, env->here));
			return false;
		}
	return true;
}

/* --- values set by build() ------------------------------------------------------------------------------- */

static void check_numbers(const struct rt *rt)
{
	const struct base_plugin *p = rt->plugin;
	const struct rt_ops *ops = rt->ops;
	if (rt->vcs < 1 || rt->vcs > SW_MAX_VCS)
		base_refute(p, "build() requests %u virtual channels; allowed are 1 to %u", rt->vcs, SW_MAX_VCS);
	else if (rt->max_hops > UINT8_MAX || (!rt->max_hops && rt->topo->switches > 1))
		base_refute(p, "build() sets max_hops = %u; allowed are 1 to %u", rt->max_hops, UINT8_MAX);
	else if ((ops->wants_neighbours && !ops->wants_queues))
		base_refute(p, "wants_neighbours is set, but wants_queues, which it requires, is not");
	else if (ops->wants_neighbours && rt->by_credits)
		base_refute(p,
		            "wants_neighbours is set, but build() sets by_credits; a routing can use only one of them");
	else if (ops->wants_published && !rt->publish_delay)
		base_refute(p, "wants_published is set, but build() sets a publish_delay of 0; it must be above 0");
	else if (ops->wants_neighbours && !rt->neighbour_quantum)
		base_refute(p,
		            "wants_neighbours is set, but build() sets a neighbour_quantum of 0; it must be above 0");
	else if (ops->turn && ops->legs && ops->legs(rt) != RT_LEGS_ONE && ops->legs(rt) != RT_LEGS_UNKNOWN)
		base_refute(p, "turn() is defined, which requires routes of one leg, but legs() reports two");
	else if (ops->legs && (unsigned)ops->legs(rt) > RT_LEGS_GROUP)
		base_refute(p, "legs() returns %u, which is not a value of enum rt_legs", (unsigned)ops->legs(rt));
	else if (ops->goes_on && ops->goes_on(rt) && (!rt->common || rt->common != rt->impl))
		base_refute(p, "goes_on() returned true, but impl was not created by rt_common_build()");
}

int rt_check(struct rt *rt, struct base_errors *errors)
{
	check_numbers(rt);
	struct rt_ops *w = base_alloc(sizeof *w);
	*w = *rt->ops;
	w->route = checked_route;
	w->turn = rt->ops->turn ? checked_turn : NULL;
	w->foresee = rt->ops->foresee ? checked_foresee : NULL;
	rt->said = rt->ops;
	rt->ops = rt->checked = w;
	return base_report_refuted(rt->plugin, "kind", errors);
}
