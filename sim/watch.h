/* sim/watch.h - a rank that is killed or crashes: the others of its host end at once.
 *
 * Whoever waits for a dead rank waits for ever. Launchers end the others as a rule, some after seconds, some never; and
 * a rank that is ended by SIGKILL leaves its temporary files. So each rank has a thread that sleeps until a process of
 * its host ends (pidfd_open; Linux 5.3). On one rank there is none. Ranks of other hosts are the launcher's, and what
 * MPI says of them comes to the same end. */
#ifndef SIM_WATCH_H
#define SIM_WATCH_H

/* After MPI has started, and before it ends. Collective. */
void sim_watch_start(void);
void sim_watch_stop(void);

#endif
