/* experiments/commands/guard.h - protection against plug-ins that end the process.
 *
 * A shared object can call exit(), which would end the process with an arbitrary status, even 0, and without a result.
 */
#ifndef EXPERIMENTS_COMMANDS_GUARD_H
#define EXPERIMENTS_COMMANDS_GUARD_H

/* Arms the protection: from now on, a call of exit() removes temporary files, prints an error, and changes the exit
 * status to XP_FAILURE. Processes that are forked from this one are not affected. */
void xp_guard_arm(void);
/* Disarms the protection, because main() is about to return. */
void xp_guard_disarm(void);

#endif
