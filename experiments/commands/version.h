/* experiments/commands/version.h - prints the output of `tilefly --version`, and of --version after a command. */
#ifndef EXPERIMENTS_COMMANDS_VERSION_H
#define EXPERIMENTS_COMMANDS_VERSION_H

/* Prints version, commit and build options to standard output. */
void xp_print_version(void);

#endif
