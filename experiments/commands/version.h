/* experiments/commands/version.h - `tilefly --version`, also after a command. */
#ifndef EXPERIMENTS_COMMANDS_VERSION_H
#define EXPERIMENTS_COMMANDS_VERSION_H

/* On standard output: the version, the commit and what it was built with. */
void xp_print_version(void);

#endif
