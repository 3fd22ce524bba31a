/* experiments/commands/guard.c - see guard.h */
#include "experiments/commands/guard.h"
#include "experiments/commands/exit.h"
#include "experiments/config/message.h"
#include "experiments/results/temporary.h"

#include <stdlib.h>
#include <unistd.h>

/* The maximum number of concurrent calls of exit(), each of which takes one of the registered handlers. Threads that
 * call exit() at the same time therefore run one handler each, and none ends the process while another one is still
 * printing its message. */
#define CALLS 512

static volatile pid_t armed; /* of the process that must not end; 0: none */

static void on_exit_called(int status, void *arg)
{
	(void)arg;
	if (armed != getpid())
		return;
	xp_temporary_remove();
	xp_message("failed: a plug-in, or a library, has ended the process by exit(%d)", status);
	_exit(XP_FAILURE); /* MPI's peers must not wait for us */
}

void xp_guard_arm(void)
{
	armed = getpid();
	for (int i = 0; i < CALLS; i++)
		on_exit(on_exit_called, NULL);
}

void xp_guard_disarm(void)
{
	armed = 0;
}
