/* experiments/runs/pool.c - executes runs as child processes; see runs.h.
 *
 * Each run is one process (child.h), so that a failure affects no other run and its memory is released. An interrupt is
 * forwarded once to every child; this process then starts no further runs and waits for their partial, valid results.
 * Signals are read from a descriptor together with the children's error output, without handlers or shared flags. */
#include "experiments/config/message.h"
#include "experiments/results/row.h"
#include "experiments/results/target.h"
#include "experiments/results/temporary.h"
#include "experiments/runs/child.h"
#include "experiments/runs/folder.h"
#include "experiments/runs/keep.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/format.h"
#include "base/memory.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define INTERRUPTED 130 /* exit status of a run, and of a study */

struct runner {
	struct xp_runs *runs;
	struct xp_child *child;
	int signals;
	struct xp_parent parent; /* its `held` are the signals that the descriptor has */
	struct xp_run **order;   /* [runs->n] in which they are started */
	bool *asked;             /* of every run: it was found out whether a result stands for it */
	size_t all, done, kept, failed;
	int interrupts;
	double started, drawn;
	struct xp_inputs known; /* hashes as they were found first */
	bool killed;            /* a run ended without having cleaned up */
	bool news;              /* a run has ended since it was asked which to start */
	bool line;              /* a progress line stands on the terminal */
};

static int count_running(const struct runner *r)
{
	int n = 0;
	for (int i = 0; i < r->runs->jobs; i++)
		n += r->child[i].run != NULL;
	return n;
}

/* Jobs for which there is no run, shared out among those that are about to start, this one first. */
static int share_of(const struct runner *r)
{
	int idle = r->runs->jobs - count_running(r), waiting = 0;
	for (size_t i = 0; i < r->runs->n; i++)
		waiting += r->order[i]->state == XP_WAITING;
	base_checkf(idle > 0 && waiting > 0, "%d jobs are idle, %d runs wait", idle, waiting);
	return (idle + waiting - 1) / waiting;
}

static int launch_run(struct runner *r, struct xp_child *child, struct xp_run *run)
{
	xp_folder_forget_tables(r->runs->folder);
	xp_inputs_hash(&run->inputs, &r->known);
	if (xp_child_start(child, &r->parent, run, share_of(r)))
		return -1;
	run->state = XP_RUNNING;
	return 0;
}

/* Prints each reason once, with the number of points that run again for it. */
static void print_reasons(char **why, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t same = 0;
		for (size_t k = i; k < n && why[i]; k++)
			if (why[k] && !strcmp(why[i], why[k])) {
				same++;
				if (k > i) {
					free(why[k]);
					why[k] = NULL;
				}
			}
		if (same && *why[i])
			xp_message("%zu point%s again: %s", same, same == 1 ? " runs" : "s run", why[i]);
		free(why[i]);
		why[i] = NULL;
	}
}

static void erase_line(struct runner *r)
{
	if (r->line)
		fputs("\r\033[K", stderr);
	r->line = false;
}

/* What a run says of an assignment of the experiment, which it was given by --set, is about the experiment's line. */
static char *with_places(const struct runner *r, const struct xp_run *run, const char *message)
{
	struct xp_sets sets = r->runs->ops->settings(r->runs, run);
	struct base_buffer out = { 0 };
	base_buffer_write(&out, "", 0);
	for (const char *line = message; *line;) {
		size_t length = strcspn(line, "\n"), i = 0;
		length += line[length] == '\n';
		for (; i < sets.n && !strncmp(line, "--set ", 6); i++) {
			size_t n = strlen(sets.v[i]);
			if (!sets.at[i] || strncmp(line + 6, sets.v[i], n) != 0 || line[6 + n] != ':')
				continue;
			base_buffer_printf(&out, "%s: %.*s", sets.at[i], (int)strcspn(sets.v[i], "="), sets.v[i]);
			line += 6 + n;
			length -= 6 + n;
			break;
		}
		base_buffer_write(&out, line, length);
		line += length;
	}
	xp_run_settings_free(&sets);
	return out.data;
}

static void report_failure(struct runner *r, const struct xp_child *child, int status)
{
	struct xp_run *run = child->run;
	size_t length = child->n;
	while (length && strchr("\n ", child->message[length - 1]))
		length--;
	char cause[64], *said = base_alloc(length + 1);
	memcpy(said, child->message, length);
	if (WIFSIGNALED(status))
		snprintf(cause, sizeof cause, "terminated by signal %d (%s)", WTERMSIG(status),
		         strsignal(WTERMSIG(status)));
	else
		snprintf(cause, sizeof cause, "exit status %d", WEXITSTATUS(status));
	char *placed = with_places(r, run, said);
	run->message = base_format("%s%s%s", cause, length ? ": " : "", placed);
	free(placed);
	free(said);
	erase_line(r);
	xp_message("%s failed, %s", run->name, run->message);
}

/* An input file that changes while the sweep runs is a failure, because all points of a table must have the same
 * inputs. */
static void take_result(struct runner *r, struct xp_run *run)
{
	char *why = xp_keep(run);
	run->state = why ? XP_FAILED : XP_RAN;
	run->lost = why;
	if (why && (!*why || !strcmp(why, XP_UNREADABLE)))
		run->message = base_strdup("it left no readable result");
	else if (why)
		run->message = base_format("%s while the sweep ran", why);
	free(why);
	if (run->state == XP_RAN)
		return;
	erase_line(r);
	xp_message("%s failed, %s", run->name, run->message ? run->message : "its inputs changed");
}

/* Was the child's configuration refused because an input file differs from that at the start of the sweep? The failure
 * is then reported as a changed input. */
static bool lost_its_inputs(struct xp_run *run, int status)
{
	char *why = WIFEXITED(status) && WEXITSTATUS(status) == 2 ? xp_inputs_changed(&run->inputs) : NULL;
	if (why) {
		free(run->message);
		run->message = base_format("%s while the sweep ran", why);
		xp_message("%s: %s", run->name, run->message);
	}
	bool lost = why;
	free(why);
	return lost;
}

/* Did the child end without a result because it was killed, was interrupted by someone else, or could not write? */
static bool is_lost(const struct xp_child *child, int status)
{
	int code = WEXITSTATUS(status);
	return WIFSIGNALED(status) || code == INTERRUPTED || (code == 1 && !xp_child_has_written(child));
}

/* What an earlier run left there is not what the table says. */
static void remove_old_result(const struct xp_run *run)
{
	if (unlink(run->file) && errno != ENOENT)
		xp_message("%s: cannot be removed: %s", run->file, strerror(errno));
}

static void finish_run(struct runner *r, struct xp_child *child, int status)
{
	struct xp_run *run = child->run;
	xp_child_listen(child);
	close(child->err);
	r->killed |= WIFSIGNALED(status);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		take_result(r, run);
	} else if (r->interrupts) {
		run->row = xp_row_read(run->file, run->job, NULL, NULL);
		run->state = XP_STOPPED;
	} else {
		run->state = XP_FAILED;
		report_failure(r, child, status);
		run->lost = is_lost(child, status) || lost_its_inputs(run, status);
		if (!xp_child_has_written(child))
			remove_old_result(run);
	}
	r->failed += run->state == XP_FAILED;
	r->done++;
	r->news = true;
	child->run = NULL;
}

static void interrupt_all(struct runner *r)
{
	r->interrupts++;
	for (int i = 0; i < r->runs->jobs; i++)
		if (r->child[i].run)
			kill(-r->child[i].pid, r->interrupts == 1 ? SIGTERM : SIGKILL);
}

static void read_signals(struct runner *r)
{
	struct signalfd_siginfo info;
	while (read(r->signals, &info, sizeof info) == sizeof info)
		if (info.ssi_signo != SIGCHLD)
			interrupt_all(r);
	for (int i = 0; i < r->runs->jobs; i++) {
		int status;
		if (r->child[i].run && waitpid(r->child[i].pid, &status, WNOHANG) == r->child[i].pid)
			finish_run(r, &r->child[i], status);
	}
}

static void plan_runs(struct xp_runs *runs)
{
	if (runs->ops->plan)
		runs->ops->plan(runs);
	for (size_t i = 0; i < runs->n && !runs->ops->plan; i++)
		if (runs->run[i].state == XP_UNASKED)
			runs->run[i].state = XP_WAITING;
}

/* Asks for the runs that the results so far call for. Those that have a result are done with that. */
static void ask_for_runs(struct runner *r)
{
	struct xp_runs *runs = r->runs;
	char **why = base_calloc(runs->n, sizeof *why);
	bool more;
	do {
		plan_runs(runs);
		more = false;
		for (size_t i = 0; i < runs->n && !r->interrupts; i++) {
			read_signals(r);
			struct xp_run *run = &runs->run[i];
			if (run->state != XP_WAITING || r->asked[i])
				continue;
			r->asked[i] = true;
			r->all++;
			xp_inputs_hash(&run->inputs, &r->known);
			if (runs->rerun || (why[i] = xp_keep(run)))
				continue;
			run->state = XP_KEPT;
			r->done++;
			r->kept++;
			more = true;
		}
	} while (more && !r->interrupts);
	print_reasons(why, runs->n);
	free(why);
}

/* At most five times a second. */
static void draw_progress(struct runner *r)
{
	double t = base_seconds();
	if (!r->runs->progress || t - r->drawn < 0.2)
		return;
	r->drawn = t;
	size_t ran = r->done - r->kept;
	char eta[32] = "";
	if (ran >= 2 && !r->runs->ops->plan) {
		double left = (t - r->started) / (double)ran * (double)(r->all - r->done);
		snprintf(eta, sizeof eta, ", %d:%02d left", (int)left / 60, (int)left % 60);
	}
	fprintf(stderr, "\r\033[K%zu of %zu %s done, %d running, %zu failed%s", r->done, r->all, r->runs->counted,
	        count_running(r), r->failed, r->interrupts ? ", stopping" : eta);
	fflush(stderr);
	r->line = true;
}

/* Sorts ascending by rank; what has the same stays in the order of the list. */
static int by_rank(const void *a, const void *b)
{
	const struct xp_run *p = *(struct xp_run *const *)a, *q = *(struct xp_run *const *)b;
	return p->rank < q->rank ? -1 : p->rank > q->rank ? 1 : (p > q) - (p < q);
}

/* Returns the order in which runs are started: that of the list with one job, by rank with several. */
static struct xp_run **order_of(const struct xp_runs *runs)
{
	struct xp_run **order = base_calloc(runs->n + 1, sizeof(struct xp_run *));
	for (size_t i = 0; i < runs->n; i++)
		order[i] = &runs->run[i];
	if (runs->jobs > 1)
		qsort(order, runs->n, sizeof *order, by_rank);
	return order;
}

static void fail_to_start(struct runner *r, struct xp_run *run, int error)
{
	run->state = XP_FAILED;
	run->lost = true;
	run->message = base_format("it could not be started: %s", strerror(error));
	remove_old_result(run);
	erase_line(r);
	xp_message("%s failed, %s", run->name, run->message);
	r->failed++;
	r->done++;
	r->news = true;
}

static void launch_more(struct runner *r)
{
	struct xp_runs *runs = r->runs;
	size_t next = 0;
	bool news = r->news && !r->interrupts;
	r->news = false; /* ask_for_runs() may hear of more */
	if (news)
		ask_for_runs(r);
	for (int i = 0; i < runs->jobs && !r->interrupts; i++) {
		while (next < runs->n && r->order[next]->state != XP_WAITING)
			next++;
		if (next == runs->n)
			return;
		if (r->child[i].run)
			continue;
		struct xp_run *run = r->order[next];
		if (launch_run(r, &r->child[i], run))
			fail_to_start(r, run, errno);
	}
}

static void wait_for_news(struct runner *r, struct pollfd *fds)
{
	nfds_t n = 0;
	fds[n++] = (struct pollfd){ .fd = r->signals, .events = POLLIN };
	for (int i = 0; i < r->runs->jobs; i++)
		if (r->child[i].run && r->child[i].err >= 0)
			fds[n++] = (struct pollfd){ .fd = r->child[i].err, .events = POLLIN };
	poll(fds, n, 200);
	for (int i = 0; i < r->runs->jobs; i++) {
		struct xp_child *child = &r->child[i];
		if (child->run && child->err >= 0 && !xp_child_listen(child)) {
			close(child->err);
			child->err = -1;
		}
	}
	read_signals(r);
}

/* The temporary files of runs that were killed. */
static void clean_points(const struct xp_runs *runs)
{
	char *folder = xp_target_folder(runs->run[0].file);
	xp_temporary_clean(folder, NULL);
	free(folder);
}

/* SIGHUP and SIGINT stay ignored if they are: nohup, background jobs of a shell. */
static sigset_t signals_to_read(void)
{
	static const int ends[] = { SIGHUP, SIGINT };
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct sigaction old;
		if (sigaction(ends[i], NULL, &old) || old.sa_handler != SIG_IGN)
			sigaddset(&set, ends[i]);
	}
	return set;
}

void xp_runs_hold_signals(sigset_t *before)
{
	sigset_t set = signals_to_read();
	sigprocmask(SIG_BLOCK, &set, before);
}

void xp_runs_release_signals(const sigset_t *before)
{
	static const struct timespec at_once = { 0, 0 };
	sigset_t set = signals_to_read();
	while (sigtimedwait(&set, NULL, &at_once) > 0) {
	}
	sigprocmask(SIG_SETMASK, before, NULL);
}

int xp_runs_run(struct xp_runs *runs, struct base_errors *errors)
{
	struct runner r = {
		.runs = runs, .parent = { .runs = runs, .self = getpid() }, .started = base_seconds(), .news = true
	};
	r.parent.held = signals_to_read();
	sigprocmask(SIG_BLOCK, &r.parent.held, &r.parent.mask);
	r.signals = signalfd(-1, &r.parent.held, SFD_NONBLOCK | SFD_CLOEXEC);
	if (r.signals < 0)
		return base_errorf(errors, NULL, "cannot receive signals: %s", strerror(errno));
	r.parent.environment = xp_child_environment();
	r.child = base_calloc((size_t)runs->jobs, sizeof *r.child);
	struct pollfd *fds = base_calloc((size_t)runs->jobs + 1, sizeof *fds);
	r.asked = base_calloc(runs->n, sizeof *r.asked);
	r.order = order_of(runs);
	for (;;) {
		launch_more(&r);
		if (!count_running(&r) && !r.news)
			break;
		draw_progress(&r);
		wait_for_news(&r, fds);
	}
	read_signals(&r);
	erase_line(&r);
	if (r.killed)
		clean_points(runs);
	close(r.signals);
	sigprocmask(SIG_SETMASK, &r.parent.mask, NULL);
	free(fds);
	free(r.asked);
	free(r.order);
	free(r.child);
	free(r.parent.environment);
	xp_inputs_free(&r.known);
	return r.interrupts ? INTERRUPTED : r.failed ? 1 : 0;
}
