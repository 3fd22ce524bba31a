/* experiments/commands/guard.h - what plug-ins must not do: end the process as if all were well.
 *
 * A shared object can call exit(). The process then ends with the status that it likes, 0 perhaps, and without a
 * result. */
#ifndef EXPERIMENTS_COMMANDS_GUARD_H
#define EXPERIMENTS_COMMANDS_GUARD_H

/* From now on an exit() removes what is temporary, says what has happened and makes the status XP_FAILURE. Not in
 * children that this process forks. */
void xp_guard_arm(void);
/* The regular way out of main() begins. */
void xp_guard_disarm(void);

#endif
