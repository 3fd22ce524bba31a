/* experiments/commands/interrupt.h - handling of signals while no simulation runs. */
#ifndef EXPERIMENTS_COMMANDS_INTERRUPT_H
#define EXPERIMENTS_COMMANDS_INTERRUPT_H

/* Installs handlers: from now on SIGHUP, SIGINT and SIGTERM, unless they are ignored, print a message and end the
 * program with XP_INTERRUPT. Code that starts runs handles these signals itself (xp_runs_hold_signals()). */
void xp_interrupt_ends(void);

#endif
