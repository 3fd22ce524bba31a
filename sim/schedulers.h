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

/* Where this leg ends, if nothing stops it. */
sim_time sim_leg_end(const struct sim_engine *e);
/* No rank leaves a leg with messages that a ring had no room for: their readers would wait for ever. And all that was
 * sent has come. Collective. */
void sim_leave_leg(struct sim_engine *e);
/* A leg has come to its end: asks the model for the next one. False: the run is over. */
bool sim_next_leg(struct sim_engine *e);

#define SIM_FLAG_STOP 1u
#define SIM_FLAG_FAIL 2u
#define SIM_FLAG_BALANCE 4u
#define SIM_FLAG_STEPS 8u
#define SIM_FLAG_NEW_PEERS 32u /* a rank has sent to one that does not know it: conservative.c */
#define SIM_FLAG_ASK 16u       /* to end with this leg */

/* steps.c */
/* Has this rank undone too much since GVT moved? Sets e->thrash.on. */
void sim_thrash_watch(struct sim_engine *e);
void sim_thrash_over(struct sim_engine *e);
/* Runs a window for good that nothing of has been executed, in steps of a lookahead; nothing is in flight, and nothing
 * can be undone. Returns the time before which all is executed: the window's end, or less if *flags of any rank say
 * so. Collective. */
sim_time sim_run_in_steps(struct sim_engine *e, uint64_t window, uint64_t *flags);

#endif
