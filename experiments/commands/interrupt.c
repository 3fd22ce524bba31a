/* experiments/commands/interrupt.c - see interrupt.h */
#include "experiments/commands/interrupt.h"
#include "experiments/commands/command.h"
#include "experiments/config/message.h"
#include "experiments/results/temporary.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char text[160];

static void end(int signal_number)
{
	(void)signal_number;
	xp_temporary_remove();
	if (write(STDERR_FILENO, text, strlen(text)) < 0) {
		/* standard error is closed */
	}
	_exit(XP_INTERRUPT);
}

void xp_interrupt_ends(void)
{
	static const int all[] = { SIGHUP, SIGINT, SIGTERM };
	struct sigaction act = { .sa_handler = end }, old;
	snprintf(text, sizeof text, "%s: interrupted\n", xp_message_prefix());
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (!sigaction(all[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(all[i], &act, NULL);
}
