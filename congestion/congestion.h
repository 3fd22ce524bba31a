/* congestion/congestion.h - endpoint congestion control, as a plug-in: when may an endpoint inject?
 *
 * `none` injects as soon as the link and the first buffer allow. The interface is the door for window- and rate-based
 * schemes: a scheme keeps `state_bytes` per endpoint inside the logical process (changed through the journal), is asked
 * before every injection, and hears of deliveries through acknowledgements that the network sends back when
 * `wants_acks`. */
#ifndef CONGESTION_CONGESTION_H
#define CONGESTION_CONGESTION_H

#include "base/plugin.h"
#include "sim/sim.h"
#include "switch/packet.h"

struct cc_ops {
	size_t state_bytes; /* per endpoint; 0: none */
	bool wants_acks;
	/* Earliest time at which a packet for `dst` of `bytes` may be injected, at least `earliest`; SIM_NEVER: not
	 * before the next acknowledgement. NULL: always `earliest`. */
	uint64_t (*may_inject)(struct sim_ctx *ctx, const void *params, void *state, uint32_t dst, uint32_t bytes,
	                       uint64_t earliest);
};

extern const struct base_plugin cc_none;

#endif
