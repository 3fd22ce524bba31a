/* experiments/commands/command.c - see command.h */
#include "experiments/commands/command.h"

#include "experiments/config/message.h"
#include "experiments/results/reader.h"
#include "sim/sim.h"

#include <string.h>

const struct xp_command *const xp_commands[] = {
	&xp_command_run,        &xp_command_topo,   &xp_command_check,
	&xp_command_cost,       &xp_command_size,   &xp_command_sweep,
	&xp_command_compare,    &xp_command_design, &xp_command_workload,
	&xp_command_record,     &xp_command_report, &xp_command_show,
	&xp_command_diff,       &xp_command_list,   &xp_command_phold,
	&xp_command_completion, &xp_command_man,    NULL,
};

const struct xp_command *xp_command_find(const char *name)
{
	for (size_t i = 0; xp_commands[i]; i++)
		if (!strcmp(xp_commands[i]->name, name))
			return xp_commands[i];
	return NULL;
}

/* Results are read from files and folders, several times: not from what has no end or waits for one. */
static int check_results(const struct xp_options *o)
{
	struct base_errors errors = { 0 };
	for (int i = 0; i < o->operands; i++)
		if (xp_is_special_file(o->operand[i]))
			xp_error_at(&errors, o->operand[i], "is no regular file");
	xp_message_errors(&errors);
	int status = errors.errors ? XP_USAGE : XP_GO_ON;
	base_errors_free(&errors);
	return status;
}

int xp_command_main(const struct xp_command *command, int argc, char **argv)
{
	struct xp_options o;
	if (command->ranks == XP_FIRST_RANK && sim_rank() != 0)
		return XP_OK;
	xp_message_command(command->name);
	int status = xp_options_read(&o, command, argc, argv);
	if (status == XP_GO_ON && command->word == XP_WORD_RESULT)
		status = check_results(&o);
	if (status == XP_GO_ON)
		status = command->run(&o);
	xp_options_free(&o);
	xp_message_command(NULL);
	return status;
}
