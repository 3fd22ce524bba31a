/* experiments/commands/interrupt.h - signals that come while nothing is simulated yet, and runs that were lost. */
#ifndef EXPERIMENTS_COMMANDS_INTERRUPT_H
#define EXPERIMENTS_COMMANDS_INTERRUPT_H

#include <stddef.h>

/* From now on SIGHUP, SIGINT and SIGTERM, unless they are ignored, end the program with XP_INTERRUPT and a message.
 * Runs that are started hold these signals themselves (xp_sweep_hold_signals()). */
void xp_interrupt_ends(void);
/* Says that runs were lost, if any were. */
void xp_message_lost(size_t runs);

#endif
