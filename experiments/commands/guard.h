/* experiments/commands/guard.h - protection against plug-ins that end the process.
 *
 * A shared object can call exit(), which would end the process with an arbitrary status, even 0, and without a result.
 */
#ifndef EXPERIMENTS_COMMANDS_GUARD_H
#define EXPERIMENTS_COMMANDS_GUARD_H

/* From now on, exit() removes temporary files, prints an error, and changes the status to XP_FAILURE. Has no effect in
 * child processes that this process forks. */
void xp_guard_arm(void);
/* Disables the protection: main() is about to return. */
void xp_guard_disarm(void);

#endif
