/* experiments/commands/progress.c - see progress.h */
#include "experiments/commands/progress.h"
#include "experiments/commands/exit.h"
#include "experiments/config/message.h"
#include "experiments/results/temporary.h"

#include "base/clock.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

void xp_progress_begin(struct xp_progress *p, enum xp_when when, bool quiet, sim_time end)
{
	*p = (struct xp_progress){ .end = end, .started = base_seconds() };
	p->last = p->started;
	p->on = sim_rank() == 0 && when != XP_NEVER && (when == XP_ALWAYS || (!quiet && isatty(STDERR_FILENO)));
}

static void duration(double s, char *out, size_t room)
{
	unsigned long t = s > 0 && s < 1e9 ? (unsigned long)(s + 0.5) : 0;
	if (t >= 3600)
		snprintf(out, room, "%lu:%02lu:%02lu", t / 3600, t / 60 % 60, t % 60);
	else
		snprintf(out, room, "%lu:%02lu", t / 60, t % 60);
}

void xp_progress_update(struct xp_progress *p, sim_time committed, uint64_t events)
{
	char line[160], eta[32];
	double now = p->on ? base_seconds() : 0;
	if (!p->on || now - p->last < 0.2)
		return;
	p->last = now;
	double part = p->end ? (double)committed / (double)p->end : 0, spent = now - p->started;
	part = part > 1 ? 1 : part;
	duration(part > 0 ? spent / part - spent : 0, eta, sizeof eta);
	int n =
	    snprintf(line, sizeof line, "%.40s%s%9.3f of %.3f us  %3.0f %%  %7.2f M events/s  ETA %s",
	             p->what ? p->what : "", p->what ? " alone: " : "", (double)committed * 1e-6, (double)p->end * 1e-6,
	             100 * part, spent > 0 ? 1e-6 * (double)events / spent : 0, part > 0 ? eta : "?");
	unsigned width = n > 0 ? (unsigned)n : 0;
	fprintf(stderr, "\r%s%*s", line, p->width > width ? (int)(p->width - width) : 0, "");
	fflush(stderr);
	p->width = width;
	p->shown = true;
}

void xp_progress_end(struct xp_progress *p)
{
	if (p->shown) {
		fprintf(stderr, "\r%*s\r", (int)p->width, "");
		fflush(stderr);
	}
	p->shown = false;
}

/* Signal handlers can access only static variables, hence the variables of this file that outlive a call. */
static volatile sig_atomic_t interrupted, known; /* known: to what can be stopped */
static volatile sig_atomic_t stopped;            /* it has stopped: results are being written */
static volatile sig_atomic_t alone;              /* no other rank or thread can be what is waited for */
static volatile sig_atomic_t patience;           /* s: that it may take to ask */
static volatile sig_atomic_t own_patience;       /* s of this process's own time, of all its threads: the same */
static double asked_at, own_asked_at;            /* the handler does not read them */

#define TO_STOP 10 /* s: for threads and ranks to come to the end of what they do, and to check what they have done */

static const int ends[] = { SIGHUP, SIGINT, SIGTERM };
#define NENDS (sizeof ends / sizeof *ends)

static void say(const char *text)
{
	(void)!write(STDERR_FILENO, text, strlen(text));
}

/* It was asked to stop, and did not. */
static void on_alarm(int number)
{
	(void)number;
	if (!interrupted || stopped)
		return;
	xp_temporary_remove();
	say(xp_message_prefix());
	say(known ? ": interrupted; a plug-in or an audit does not return: no result is written\n"
	          : ": interrupted; the simulation does not respond: no result is written\n");
	_exit(XP_INTERRUPT);
}

/* SIGPROF after so many seconds of this process's own time; 0: never. */
static void set_own_time(long seconds)
{
	const struct itimerval timer = { .it_value = { .tv_sec = seconds } };
	setitimer(ITIMER_PROF, &timer, NULL);
}

/* A process that simulates alone must poll for signals within seconds of its own CPU time (wall time may be longer on a
 * busy machine). Ranks and threads get more time, since they wait for each other. */
static void begin_to_wait(void)
{
	struct sigaction action = { .sa_handler = on_alarm };
	sigemptyset(&action.sa_mask);
	sigaction(SIGALRM, &action, NULL);
	alarm(TO_STOP + (unsigned)patience);
	if (!alone)
		return;
	sigaction(SIGPROF, &action, NULL);
	set_own_time(own_patience);
}

static void on_signal(int number)
{
	if (interrupted)
		xp_temporary_end(number);
	interrupted = 1;
	if (!stopped)
		begin_to_wait();
}

static double own_seconds(void)
{
	struct timespec t;
	return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) ? 0 : (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Twice as long as from one question to the next, if that is more. */
static void wait_longer(volatile sig_atomic_t *seconds, double *before, double now)
{
	double twice = 2 * (now - *before);
	*before = now;
	if (twice > *seconds && twice < 1e6)
		*seconds = (sig_atomic_t)twice + 1;
}

void xp_signals_catch(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	interrupted = known = stopped = 0;
	alone = sim_ranks() == 1;
	patience = own_patience = 1;
	asked_at = base_seconds();
	own_asked_at = own_seconds();
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < NENDS; i++) {
		struct sigaction old; /* one that is ignored stays so: nohup, background jobs of a shell */
		if (ends[i] == SIGTERM || sigaction(ends[i], NULL, &old) || old.sa_handler != SIG_IGN)
			sigaction(ends[i], &action, NULL);
	}
}

static void end_waiting(void)
{
	alarm(0);
	if (alone)
		set_own_time(0);
}

void xp_signals_restore(void)
{
	if (interrupted)
		end_waiting();
	for (size_t i = 0; i < NENDS; i++) {
		struct sigaction old;
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler == on_signal)
			signal(ends[i], xp_temporary_end);
	}
}

bool xp_signals_interrupted(void)
{
	wait_longer(&patience, &asked_at, base_seconds());
	wait_longer(&own_patience, &own_asked_at, own_seconds());
	if (interrupted && !known) {
		known = 1;
		end_waiting();
		alarm(TO_STOP + (unsigned)patience);
	}
	return interrupted;
}

void xp_signals_obeyed(void)
{
	stopped = 1; /* before it is asked whether there was a signal: one that comes later starts no alarm */
	if (interrupted)
		end_waiting();
}
