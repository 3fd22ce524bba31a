/* experiments/commands/launched.h - what a launcher of MPI processes says of us, without MPI.
 *
 * When it has started several, the first one runs as many simulations at once, and the others have nothing to do. */
#ifndef EXPERIMENTS_COMMANDS_LAUNCHED_H
#define EXPERIMENTS_COMMANDS_LAUNCHED_H

int xp_launched_rank(void);  /* -1: not launched */
int xp_launched_ranks(void); /* 0: not launched */

#endif
