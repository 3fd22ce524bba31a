/* sim/schedulers.h - pieces that the three schedulers share. */
#ifndef SIM_SCHEDULERS_H
#define SIM_SCHEDULERS_H

#include "sim/engine.h"

/* `window` is the next to be run: nothing earlier will be inserted. */
void sim_window_enter(struct sim_engine *e, uint64_t window);
/* Runs all of a window for good and frees it. */
void sim_window_run(struct sim_engine *e, uint64_t window);
/* Sends LAST to all and receives until all have sent theirs; *value becomes the least, *flags the union. Collective. */
void sim_exchange(struct sim_engine *e, uint64_t *value, uint64_t *flags);

#define SIM_FLAG_STOP 1u
#define SIM_FLAG_FAIL 2u
#define SIM_FLAG_BALANCE 4u

#endif
