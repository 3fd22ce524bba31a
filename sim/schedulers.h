/* sim/schedulers.h - functions shared by the three schedulers. */
#ifndef SIM_SCHEDULERS_H
#define SIM_SCHEDULERS_H

#include "sim/engine.h"

/* Prepares the run of `window`: no earlier event will be inserted any more. */
void sim_window_enter(struct sim_engine *e, uint64_t window);
/* Executes all events of a window, which cannot be undone later, and frees their records. */
void sim_window_run(struct sim_engine *e, uint64_t window);
/* Sends LAST to all and receives until every rank's LAST has come; *value becomes the minimum, *flags the union.
 * Collective. */
void sim_exchange(struct sim_engine *e, uint64_t *value, uint64_t *flags);

/* The end of the current leg of the run, unless the run is stopped earlier. */
sim_time sim_leg_end(const struct sim_engine *e);
/* Called before a rank leaves a leg: sends all messages that are still waiting for a ring slot, because the ranks that
 * read them would wait forever. All events sent have arrived. Collective. */
void sim_leave_leg(struct sim_engine *e);
/* Ends a leg: asks the model for the next one. False: the run is over. */
bool sim_next_leg(struct sim_engine *e);

#define SIM_FLAG_STOP 1u
#define SIM_FLAG_FAIL 2u
#define SIM_FLAG_BALANCE 4u
#define SIM_FLAG_STEPS 8u
#define SIM_FLAG_NEW_PEERS 32u /* a rank has sent events to a peer that does not expect it: conservative.c */
#define SIM_FLAG_ASK 16u       /* request to end with this leg */

/* steps.c */
/* Has this rank undone too much since GVT last advanced? Sets e->thrash.on. */
void sim_thrash_watch(struct sim_engine *e);
void sim_thrash_over(struct sim_engine *e);
/* Runs a window of which nothing has been executed for good, in steps of a lookahead; nothing is in flight, and nothing
 * can be undone. Returns the time before which all is executed: the window's end, or less if any rank's *flags request
 * it. Collective. */
sim_time sim_run_in_steps(struct sim_engine *e, uint64_t window, uint64_t *flags);

#endif
