/* experiments/commands/progress.h - the progress line on standard error: simulated time, percentage, events per second
 * and estimated remaining time. */
#ifndef EXPERIMENTS_COMMANDS_PROGRESS_H
#define EXPERIMENTS_COMMANDS_PROGRESS_H

#include "experiments/commands/options.h"
#include "sim/sim.h"

#include <stdbool.h>
#include <stdint.h>

struct xp_progress {
	bool on;              /* this rank shows a line */
	bool shown;           /* a line stands there now */
	sim_time end;         /* of the simulated time */
	double started, last; /* s, monotonic */
	unsigned width;       /* of the line that stands there */
	const char *what;     /* is simulated, at the head of the line; NULL: the whole */
};

/* Prepares the progress line. XP_AUTO shows it only if standard error is a terminal. Only rank 0 shows it. */
void xp_progress_begin(struct xp_progress *p, enum xp_when when, bool quiet, sim_time end);
/* Redraws the progress line at most 5 times a second. `events` is the number of committed events of all ranks. */
void xp_progress_update(struct xp_progress *p, sim_time committed, uint64_t events);
/* Clears the line. */
void xp_progress_end(struct xp_progress *p);

/* Until xp_signals_restore(), SIGHUP, SIGINT (unless they are ignored) and SIGTERM set a flag instead of ending the
 * process. The process nevertheless ends with XP_INTERRUPT, without its temporary files, in three cases:
 * xp_signals_interrupted() is not called within a second of CPU time (or twice the longest interval between two calls
 * so far; with several ranks, which wait for each other, ten seconds more); xp_signals_obeyed() is not called within
 * ten more seconds; or a second signal arrives. */
void xp_signals_catch(void);
void xp_signals_restore(void);
/* Returns whether a signal has arrived. Code that can be interrupted must call this function regularly. */
bool xp_signals_interrupted(void);
/* Acknowledges that the simulation has stopped or ended, so that writing its results may take any time. A first signal
 * that arrives after this call is ignored. */
void xp_signals_obeyed(void);

#endif
