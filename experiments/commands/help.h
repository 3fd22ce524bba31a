/* experiments/commands/help.h - help texts of the commands, in one layout. */
#ifndef EXPERIMENTS_COMMANDS_HELP_H
#define EXPERIMENTS_COMMANDS_HELP_H

#include "experiments/commands/command.h"

#include <stdio.h>

void xp_help_command(FILE *out, const struct xp_command *command);
/* Prints the help of the program: the list of commands. */
void xp_help_program(FILE *out);

#endif
