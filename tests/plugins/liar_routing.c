/* tests/plugins/liar_routing.c - docs/examples/detour.c with one lie each: see tests/cli/liars.sh. */
#define tilefly_plugins honest_plugins
#define tilefly_plugin_abi honest_abi
#include "docs/examples/detour.c"
#undef tilefly_plugins
#undef tilefly_plugin_abi
#include "tests/plugins/liar.h"

LIAR_LIST(struct rt_ops, detour)

static int no_vcs(struct rt *rt, struct base_errors *errors)
{
	int status = build(rt, errors);
	rt->vcs = 0;
	return status;
}
static int many_vcs(struct rt *rt, struct base_errors *errors)
{
	int status = build(rt, errors);
	rt->vcs = 1000;
	return status;
}
static int one_vc(struct rt *rt, struct base_errors *errors)
{
	int status = build(rt, errors);
	rt->vcs = 1;
	return status;
}
static int two_hops(struct rt *rt, struct base_errors *errors)
{
	int status = build(rt, errors);
	rt->max_hops = 2;
	return status;
}
static int many_hops(struct rt *rt, struct base_errors *errors)
{
	int status = build(rt, errors);
	rt->max_hops = 256;
	return status;
}
static int silent(struct rt *rt, struct base_errors *errors)
{
	(void)rt, (void)errors;
	return 1;
}
static struct rt_decision port_99(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	struct rt_decision d = route(rt, env, packet);
	if (env->here == 3 && d.port != RT_EJECT)
		d.port = 99;
	return d;
}
static struct rt_decision eject_early(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	struct rt_decision d = route(rt, env, packet);
	if (env->here == 3)
		d.port = RT_EJECT;
	return d;
}
static struct rt_decision vc_9(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	struct rt_decision d = route(rt, env, packet);
	if (env->here == 3)
		packet->vc = 9;
	return d;
}
static struct rt_decision vc_0(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	struct rt_decision d = route(rt, env, packet);
	packet->vc = 0;
	return d;
}
static struct rt_decision other_end(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	struct rt_decision d = route(rt, env, packet);
	if (env->here == 3)
		packet->dst = 4000000000u;
	return d;
}
static struct rt_decision slack(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	struct rt_decision d = route(rt, env, packet);
	d.slack = 7;
	return d;
}
static struct rt_decision many_choices(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	for (int i = 0; i < 100; i++)
		rt_pick(env, packet, 2);
	return route(rt, env, packet);
}
/* Where the proof does not see it: only in a simulation. */
static struct rt_decision port_late(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	struct rt_decision d = route(rt, env, packet);
	if (!env->oracle && env->now > 2000000 && env->here == 3 && d.port != RT_EJECT)
		d.port = 99;
	return d;
}
static struct rt_decision vc_late(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	struct rt_decision d = route(rt, env, packet);
	if (!env->oracle && env->now > 2000000 && env->here == 3 && d.port != RT_EJECT)
		packet->vc = 9;
	return d;
}
static struct rt_decision eject_late(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	struct rt_decision d = route(rt, env, packet);
	if (!env->oracle && env->now > 2000000 && env->here == 3)
		d.port = RT_EJECT;
	return d;
}
static bool yes(const struct rt *rt)
{
	(void)rt;
	return true;
}
static enum rt_legs odd_legs(const struct rt *rt)
{
	(void)rt;
	return (enum rt_legs)99;
}

__attribute__((constructor)) static void make(void)
{
	LIE("no-vcs", build, no_vcs);
	LIE("many-vcs", build, many_vcs);
	LIE("one-vc", build, one_vc);
	LIE("two-hops", build, two_hops);
	LIE("many-hops", build, many_hops);
	LIE("silent-routing", build, silent);
	LIE("port-99", route, port_99);
	LIE("eject-early", route, eject_early);
	LIE("vc-9", route, vc_9);
	LIE("other-end", route, other_end);
	LIE("slack", route, slack);
	LIE("many-choices", route, many_choices);
	LIE("port-late", route, port_late);
	LIE("vc-late", route, vc_late);
	LIE("eject-late", route, eject_late);
	LIE("route-missing", route, NULL);
	LIE("goes-on", goes_on, yes);
	LIE("odd-legs", legs, odd_legs);
	LIE("has-bias", has_bias, true);
	struct rt_ops *o = liar_add("circle");
	o->build = one_vc;
	o->route = vc_0;
	o = liar_add("circle-3"); /* says 3 and uses one */
	o->route = vc_0;
	o->vc_climbs = NULL;
}
