/* base/hold_term.h - blocks SIGTERM while METIS runs: METIS takes the signal for an error of its own, and continues. */
#ifndef BASE_HOLD_TERM_H
#define BASE_HOLD_TERM_H

#include <signal.h>

static inline sigset_t base_hold_term(void)
{
	sigset_t term, before;
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &term, &before);
	return before;
}

static inline void base_release_term(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

#endif
