/* network/joined/joined.h - switches that are compiled together with their host, so that the calls between them vanish:
 * handlers, what is prefetched, and credits that are applied early. network/path.c chooses. */
#ifndef NETWORK_JOINED_H
#define NETWORK_JOINED_H

#include "network/handle.h"

/* Any switch, by its interface: lp.c. The second if nothing of ports and switches is recorded. */
net_handler net_handle_any, net_handle_unrecorded;
/* By enum ideal_mode, and those that may be on the exact path. */
net_handler net_ideal_lanes, net_ideal_full, net_ideal_tracked, net_ideal_plain, net_ideal_tracked_exact,
    net_ideal_plain_exact;
net_handler net_tiled, net_tiled_telemetry;

/* early.c: of the ideal switch, the tiled one, and any with sw_ops.timing.credit_early. */
net_early_handler net_early_ideal, net_early_tiled, net_early_by_model;

#endif
