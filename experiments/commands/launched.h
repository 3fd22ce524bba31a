/* experiments/commands/launched.h - what a launcher of MPI processes says of us.
 *
 * When it has started several, the first one runs as many simulations at once as there are on its host, on the cores of
 * these, and the others have nothing to do. */
#ifndef EXPERIMENTS_COMMANDS_LAUNCHED_H
#define EXPERIMENTS_COMMANDS_LAUNCHED_H

int xp_launched_rank(void); /* -1: not launched */
/* The ranks of this host put their cores together. Collective, while MPI runs; nothing to do where none has launched.
 */
void xp_launched_unite(void);
int xp_launched_here(void); /* ranks of this host, once they have; 0: not launched */

#endif
