/* experiments/commands/launched.h - information about the MPI launcher that started this process.
 *
 * If a launcher starts several ranks of a command that runs many simulations, rank 0 uses the cores of all ranks of its
 * host: it runs as many simulations at once as this host has ranks. The other ranks are idle. */
#ifndef EXPERIMENTS_COMMANDS_LAUNCHED_H
#define EXPERIMENTS_COMMANDS_LAUNCHED_H

int xp_launched_rank(void); /* -1: not launched */
/* Allows this process and its children to run on the cores of all ranks of this host. Collective; must be called while
 * MPI is initialized. Does nothing if the process was not started by an MPI launcher. */
void xp_launched_unite(void);
int xp_launched_here(void); /* ranks on this host, after the cores were collected; 0: there is no launcher */

#endif
