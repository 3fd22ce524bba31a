/* experiments/commands/interrupt.h - signals that come while nothing is simulated yet. */
#ifndef EXPERIMENTS_COMMANDS_INTERRUPT_H
#define EXPERIMENTS_COMMANDS_INTERRUPT_H

/* From now on SIGHUP, SIGINT and SIGTERM, unless they are ignored, end the program with XP_INTERRUPT and a message.
 * Runs that are started hold these signals themselves (xp_runs_hold_signals()). */
void xp_interrupt_ends(void);

#endif
