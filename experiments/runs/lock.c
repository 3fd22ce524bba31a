/* experiments/runs/lock.c - see lock.h */
#include "experiments/runs/lock.h"

#include "base/memory.h"
#include "experiments/results/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 100 /* turns of 50 ms that a dead sweep's runs are given to end */

struct holder {
	char host[256];
	int pid;
	unsigned long long started; /* clock ticks since the machine started */
	char boot[64];              /* which start of the machine that was */
};

/* When a process started; 0 if there is none, or only what its parent has not waited for. */
static unsigned long long start_of(int pid)
{
	char path[64], text[1024] = "";
	unsigned long long started = 0;
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	FILE *in = fopen(path, "r");
	if (!in)
		return 0;
	text[fread(text, 1, sizeof text - 1, in)] = 0;
	fclose(in);
	const char *p = strrchr(text, ')'); /* the name before it may hold anything */
	if (p && !strncmp(p, ") Z", 3))
		return 0;
	for (int field = 2; p && field < 22; field++)
		p = strchr(p + 1, ' ');
	if (p)
		started = strtoull(p, NULL, 10);
	return started;
}

static struct holder ourselves(void)
{
	struct holder h = { .pid = getpid() };
	FILE *in = fopen("/proc/sys/kernel/random/boot_id", "r");
	if (gethostname(h.host, sizeof h.host - 1) || !*h.host)
		strcpy(h.host, "localhost");
	if (!in || fscanf(in, "%63s", h.boot) != 1)
		strcpy(h.boot, "unknown");
	if (in)
		fclose(in);
	h.started = start_of(h.pid);
	return h;
}

/* False if the file says nothing (yet). */
static bool read_holder(int fd, struct holder *h)
{
	char text[512];
	ssize_t n = pread(fd, text, sizeof text - 1, 0);
	text[n > 0 ? n : 0] = 0;
	return sscanf(text, "host=%255s pid=%d started=%llu boot=%63s", h->host, &h->pid, &h->started, h->boot) == 4;
}

static int write_holder(int fd, const struct holder *h)
{
	char text[512];
	int n =
	    snprintf(text, sizeof text, "host=%s pid=%d started=%llu boot=%s\n", h->host, h->pid, h->started, h->boot);
	return ftruncate(fd, 0) || pwrite(fd, text, (size_t)n, 0) != n ? -1 : 0;
}

static bool is_dead(const struct holder *h, const struct holder *us)
{
	return !strcmp(h->host, us->host) && (strcmp(h->boot, us->boot) || start_of(h->pid) != h->started);
}

static void sleep_a_while(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
}

enum lock_outcome { TAKEN, AGAIN, REFUSED };

/* flock() is with somebody else. */
static enum lock_outcome held_elsewhere(const struct xp_lock *lock, const struct holder *us, int turn,
                                        struct base_errors *errors)
{
	struct holder h = { .pid = 0 };
	bool known = read_holder(lock->fd, &h);
	if ((!known || is_dead(&h, us)) && turn < PATIENCE) {
		sleep_a_while();
		return AGAIN;
	}
	if (!known)
		base_errorf(errors, NULL, "%s: another sweep uses this directory", lock->path);
	else if (is_dead(&h, us))
		base_errorf(errors, NULL, "%s: runs left by the sweep of process %d on %s still use this directory",
		            lock->path, h.pid, h.host);
	else
		base_errorf(errors, NULL, "%s: another sweep uses this directory (process %d on %s)", lock->path, h.pid,
		            h.host);
	return REFUSED;
}

/* flock() is ours, or unknown on this file system: what the file says decides. */
static enum lock_outcome take_lock(struct xp_lock *lock, const struct holder *us, struct base_errors *errors)
{
	struct holder h;
	struct stat ours, there;
	if (fstat(lock->fd, &ours) || stat(lock->path, &there) || ours.st_ino != there.st_ino ||
	    ours.st_dev != there.st_dev)
		return AGAIN; /* its holder has removed it meanwhile */
	bool known = read_holder(lock->fd, &h);
	if (known && strcmp(h.host, us->host) != 0) {
		base_errorf(errors, NULL,
		            "%s: a sweep on %s (process %d) uses this directory; if that process no longer runs, "
		            "remove this file",
		            lock->path, h.host, h.pid);
		return REFUSED;
	}
	if (known && !is_dead(&h, us)) {
		base_errorf(errors, NULL, "%s: another sweep uses this directory (process %d)", lock->path, h.pid);
		return REFUSED;
	}
	if (write_holder(lock->fd, us)) {
		base_errorf(errors, NULL, "%s: cannot be written: %s", lock->path, strerror(errno));
		return REFUSED;
	}
	return TAKEN;
}

static enum lock_outcome attempt_lock(struct xp_lock *lock, const struct holder *us, int turn,
                                      struct base_errors *errors)
{
	lock->fd = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (lock->fd < 0) {
		base_errorf(errors, NULL, "%s: cannot be written: %s", lock->path, strerror(errno));
		return REFUSED;
	}
	enum lock_outcome outcome = flock(lock->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK
	                                ? held_elsewhere(lock, us, turn, errors)
	                                : take_lock(lock, us, errors);
	if (outcome != TAKEN)
		close(lock->fd);
	return outcome;
}

int xp_lock_take(struct xp_lock *lock, const char *folder, struct base_errors *errors)
{
	struct holder us = ourselves();
	enum lock_outcome outcome = AGAIN;
	size_t room = strlen(folder) + sizeof "/.lock";
	lock->path = base_alloc(room);
	snprintf(lock->path, room, "%s/.lock", folder);
	for (int turn = 0; outcome == AGAIN; turn++)
		outcome = attempt_lock(lock, &us, turn, errors);
	if (outcome == TAKEN) {
		xp_temporary_list(lock->path);
		return 0;
	}
	free(lock->path);
	lock->path = NULL;
	return -1;
}

void xp_lock_release(struct xp_lock *lock)
{
	if (!lock->path)
		return;
	unlink(lock->path);
	xp_temporary_forget(lock->path);
	close(lock->fd);
	free(lock->path);
	lock->path = NULL;
}
