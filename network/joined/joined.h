/* network/joined/joined.h - switch models that are compiled together with their host, so that calls between them are
 * inlined: handlers, prefetching, and credits that are applied early. network/path.c selects the variant. */
#ifndef NETWORK_JOINED_H
#define NETWORK_JOINED_H

#include "network/handle.h"

/* Handlers for any switch model, called through its interface. The second one is used if no records of ports and
 * switches are kept. lp.c */
net_handler net_handle_any, net_handle_unrecorded;
/* Handlers of the ideal switch, indexed by enum ideal_mode, followed by the variants for the exact path. */
net_handler net_ideal_lanes, net_ideal_full, net_ideal_tracked, net_ideal_plain, net_ideal_tracked_exact,
    net_ideal_plain_exact;
net_handler net_tiled, net_tiled_telemetry;

/* Apply early the credits of the ideal switch, of the tiled switch, and of any model with sw_ops.timing.credit_early.
 * early.c */
net_early_handler net_early_ideal, net_early_tiled, net_early_by_model;

#endif
