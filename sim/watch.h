/* sim/watch.h - ends the ranks of a host at once when one of them is killed or crashes.
 *
 * A rank that waits for a dead rank would wait forever. Most launchers end the other ranks, some after seconds, some
 * never; and a rank ended by SIGKILL leaves its temporary files. So each rank has a thread that sleeps until a process
 * of its host ends (pidfd_open; Linux 5.3); a run of one rank has no such thread. Ranks of other hosts are left to the
 * launcher, and MPI errors about them have the same effect. */
#ifndef SIM_WATCH_H
#define SIM_WATCH_H

/* Start and stop the watching thread. sim_watch_start() is called after MPI has started, sim_watch_stop() before MPI
 * ends. Both are collective. */
void sim_watch_start(void);
void sim_watch_stop(void);

#endif
