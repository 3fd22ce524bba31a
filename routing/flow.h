/* routing/flow.h - the hash of a flow: (source, destination, job), with an entropy. */
#ifndef ROUTING_FLOW_H
#define ROUTING_FLOW_H

#include "routing/routing.h"

/* 32 bits for a choice of the flow at this switch. Bits of the flow are drawn once by Philox; each switch derives its
 * own bits from them by SplitMix64. `common`: all switches derive the same bits. */
static inline uint32_t rt_hash_flow(const struct rt_env *env, const struct sw_packet *p, uint32_t entropy, bool common)
{
	struct sim_draw flow = sim_draw4(env->seed, p->src, p->dst, SIM_DRAW_HASH, (uint32_t)p->job << 16 | entropy);
	return common ? flow.v[0] : sim_draw_quick(env->seed, flow.v[0], flow.v[1], env->here);
}

#endif
