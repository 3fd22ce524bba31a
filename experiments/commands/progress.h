/* experiments/commands/progress.h - the progress line: simulated time, percentage, events/s, ETA, on standard error. */
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

/* XP_AUTO: only if standard error is a terminal. Ranks other than 0 never show one. */
void xp_progress_begin(struct xp_progress *p, enum xp_when when, bool quiet, sim_time end);
/* Redraws at most 5 times a second. `events`: committed so far, by all ranks. */
void xp_progress_update(struct xp_progress *p, sim_time committed, uint64_t events);
/* Clears the line. */
void xp_progress_end(struct xp_progress *p);

/* SIGHUP and SIGINT (unless they are ignored) and SIGTERM set a flag from now on, until xp_signals_restore(). Nothing
 * keeps a process from ending: it ends with XP_INTERRUPT and without its temporary files if xp_signals_interrupted() is
 * not asked within a second of its own time (or twice the longest time that has passed from one question to the next;
 * one of several ranks, which wait for each other: ten seconds more), if xp_signals_obeyed() is not called within ten
 * seconds more, or at a second signal (by that signal). */
void xp_signals_catch(void);
void xp_signals_restore(void);
/* Asked now and then by what can be stopped. */
bool xp_signals_interrupted(void);
/* What was asked to stop has done so, or has come to its end: what is left to do for its results may take its time, and
 * a first signal that comes meanwhile changes nothing. */
void xp_signals_obeyed(void);

#endif
