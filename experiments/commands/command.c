/* experiments/commands/command.c - see command.h */
#include "experiments/commands/command.h"

#include "experiments/config/message.h"
#include "sim/sim.h"

#include <string.h>

const struct xp_command *const xp_commands[] = {
	&xp_command_run,    &xp_command_topo,       &xp_command_check, &xp_command_sweep,
	&xp_command_report, &xp_command_show,       &xp_command_diff,  &xp_command_list,
	&xp_command_phold,  &xp_command_completion, &xp_command_man,   NULL,
};

const struct xp_command *xp_command_find(const char *name)
{
	for (size_t i = 0; xp_commands[i]; i++)
		if (!strcmp(xp_commands[i]->name, name))
			return xp_commands[i];
	return NULL;
}

int xp_command_main(const struct xp_command *command, int argc, char **argv)
{
	struct xp_options o;
	if (command->ranks == XP_FIRST_RANK && sim_rank() != 0)
		return XP_OK;
	xp_message_command(command->name);
	int status = xp_options_read(&o, command, argc, argv);
	if (status == XP_GO_ON)
		status = command->run(&o);
	xp_options_free(&o);
	xp_message_command(NULL);
	return status;
}
