/* experiments/runs/child.c - see child.h.
 *
 * Children have process groups of their own, so an interrupt typed at the terminal reaches only this process. If this
 * process dies, the kernel kills them, so that none writes into a directory that another study may use by then. */
#include "experiments/runs/child.h"
#include "experiments/config/message.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define IDLE_CORES "TILEFLY_IDLE_CORES"

char **xp_child_environment(void)
{
	static const char *const ours[] = { "OMPI_COMM_",      "OMPI_UNIVERSE",   "OMPI_MCA_ess", "OMPI_MCA_orte",
		                            "OMPI_MCA_pmix",   "ORTE_",           "PMIX_",        "PMI_",
		                            "MPI_LOCALNRANKS", "MPI_LOCALRANKID", "HYDI_",        IDLE_CORES };
	size_t n = 0, kept = 0;
	while (environ[n])
		n++;
	char **out = base_calloc(n + 2, sizeof *out);
	for (size_t i = 0; i < n; i++) {
		size_t k = 0, known = sizeof ours / sizeof *ours;
		while (k < known && strncmp(environ[i], ours[k], strlen(ours[k])) != 0)
			k++;
		if (k == known)
			out[kept++] = environ[i];
	}
	return out;
}

/* Arguments of a run. Free the array, not the texts. */
static char **arguments(const struct xp_runs *runs, const struct xp_run *run)
{
	struct xp_sets sets = runs->ops->settings(runs, run);
	const struct base_texts *plugins = &runs->ground->plugins;
	const char **out = base_calloc(2 * (sets.n + runs->nplugin + plugins->n) + 16, sizeof *out);
	size_t n = 0;
	out[n++] = "tilefly";
	out[n++] = "run";
	out[n++] = runs->config;
	for (size_t i = 0; i < runs->nplugin; i++) {
		out[n++] = "--plugin";
		out[n++] = runs->plugin[i];
	}
	for (size_t i = 0; i < plugins->n; i++) {
		out[n++] = "--plugin";
		out[n++] = plugins->v[i];
	}
	for (size_t i = 0; i < sets.n; i++) {
		out[n++] = "--set";
		out[n++] = sets.v[i];
	}
	out[n++] = "--out";
	out[n++] = run->file;
	out[n++] = "--quiet";
	out[n++] = "--progress";
	out[n++] = "never";
	xp_run_settings_free(&sets);
	return (char **)out;
}

/* The child's side of fork: never returns. */
static void become_run(const struct xp_parent *p, char **argv, int err, int cores)
{
	char idle[sizeof IDLE_CORES + 16];
	snprintf(idle, sizeof idle, IDLE_CORES "=%d", cores);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != p->self)
		_exit(127);                  /* died before the signal was set */
	fcntl(p->runs->lock.fd, F_SETFD, 0); /* the folder is taken as long as the run lives */
	sigprocmask(SIG_SETMASK, &p->mask, NULL);
	sigprocmask(SIG_UNBLOCK, &p->held, NULL); /* they may be held: xp_runs_hold_signals() */
	int nothing = open("/dev/null", O_RDWR);
	if (dup2(err, 2) < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0) {
		dprintf(err, "%s: cannot start a run: /dev/null: %s\n", xp_message_prefix(), strerror(errno));
		_exit(127);
	}
	char **last = p->environment;
	while (*last)
		last++;
	*last = idle;
	execve("/proc/self/exe", argv, p->environment);
	dprintf(2, "%s: cannot start a run: %s\n", xp_message_prefix(), strerror(errno));
	_exit(127);
}

int xp_child_start(struct xp_child *child, const struct xp_parent *parent, struct xp_run *run, int cores)
{
	int ends[2];
	struct stat before;
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	if (stat(run->file, &before))
		before = (struct stat){ 0 };
	char **argv = arguments(parent->runs, run);
	pid_t pid = fork();
	if (!pid)
		become_run(parent, argv, ends[1], cores);
	free(argv);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return -1;
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	*child = (struct xp_child){ .run = run, .pid = pid, .err = ends[0], .before = before };
	return 0;
}

bool xp_child_listen(struct xp_child *child)
{
	for (;;) {
		char text[1024];
		ssize_t n = read(child->err, text, sizeof text);
		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		if (!n)
			return false;
		for (ssize_t i = 0; i < n && child->n + 1 < sizeof child->message; i++)
			child->message[child->n++] = text[i];
	}
}

bool xp_child_has_written(const struct xp_child *child)
{
	struct stat there;
	const struct stat *before = &child->before;
	if (stat(child->run->file, &there) || !S_ISREG(there.st_mode))
		return false;
	return !before->st_mode || there.st_ino != before->st_ino || there.st_dev != before->st_dev ||
	       there.st_mtim.tv_sec != before->st_mtim.tv_sec || there.st_mtim.tv_nsec != before->st_mtim.tv_nsec;
}
