/* experiments/commands/help.h - prints the help texts of all commands in the same layout. */
#ifndef EXPERIMENTS_COMMANDS_HELP_H
#define EXPERIMENTS_COMMANDS_HELP_H

#include "experiments/commands/command.h"

#include <stdio.h>

void xp_help_command(FILE *out, const struct xp_command *command);
/* Prints the help text of the program, which lists the commands. */
void xp_help_program(FILE *out);

#endif
