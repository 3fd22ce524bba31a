/* sim/schedulers.h - functions shared by the three schedulers. */
#ifndef SIM_SCHEDULERS_H
#define SIM_SCHEDULERS_H

#include "sim/engine.h"

/* Prepares the execution of `window`. From then on no event of an earlier window may be inserted. */
void sim_window_enter(struct sim_engine *e, uint64_t window);
/* Executes all events of a window for good, without the possibility to undo them, and frees their records. */
void sim_window_run(struct sim_engine *e, uint64_t window);
/* Ends a round: sends the token LAST to all ranks and receives messages until the token of every rank has arrived.
 * *value becomes the minimum over all ranks, *flags the union. Collective. */
void sim_exchange(struct sim_engine *e, uint64_t *value, uint64_t *flags);

/* The simulated time at which the current leg of the run ends, unless the run is stopped earlier. */
sim_time sim_leg_end(const struct sim_engine *e);
/* Called at the end of a leg, when all events sent have arrived: sends the messages that still wait for a ring slot,
 * because the ranks that have to read them would otherwise wait forever. Collective. */
void sim_leave_leg(struct sim_engine *e);
/* Ends a leg and asks the model for the end of the next one. Returns false if the run is over. */
bool sim_next_leg(struct sim_engine *e);

#define SIM_FLAG_STOP 1u
#define SIM_FLAG_FAIL 2u
#define SIM_FLAG_BALANCE 4u
#define SIM_FLAG_STEPS 8u
#define SIM_FLAG_NEW_PEERS 32u /* a rank has sent events to a peer that does not expect it: conservative.c */
#define SIM_FLAG_ASK 16u       /* request to end with this leg */

/* steps.c */
/* Sets e->thrash.on to whether this rank has undone too many events since GVT last advanced. */
void sim_thrash_watch(struct sim_engine *e);
void sim_thrash_over(struct sim_engine *e);
/* Executes a window for good in steps of one lookahead. When it is called, no event of the window has been executed, no
 * message is in flight, and no event can be undone. Returns the time before which all events are executed: the end of
 * the window, or an earlier time if the *flags of any rank request that. Collective. */
sim_time sim_run_in_steps(struct sim_engine *e, uint64_t window, uint64_t *flags);

#endif
