/* experiments/commands/help.h - the help of a command, all in one layout. */
#ifndef EXPERIMENTS_COMMANDS_HELP_H
#define EXPERIMENTS_COMMANDS_HELP_H

#include "experiments/commands/command.h"

#include <stdio.h>

void xp_help_command(FILE *out, const struct xp_command *command);
/* Help on the program: its commands. */
void xp_help_program(FILE *out);

#endif
