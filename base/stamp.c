/* base/stamp.c - see stamp.h */
#include "base/stamp.h"

#include <sys/stat.h>
#include <time.h>

#define NS 1000000000
#define TICK_MOST 20000000 /* ns; a time further ahead comes from another clock, or was set by hand */
#define LOOKS 64

/* Modification times come from the kernel's clock, which advances in ticks. */
static void leave_tick(const struct stat *st)
{
	for (int i = 0; i < LOOKS; i++) {
		struct timespec now, wait = { 0, 1000000 };
		if (clock_gettime(CLOCK_REALTIME_COARSE, &now))
			return;
		int64_t s = st->st_mtim.tv_sec - now.tv_sec;
		if (s < -1 || s > 1)
			return;
		int64_t ahead = s * NS + st->st_mtim.tv_nsec - now.tv_nsec;
		if (ahead < 0 || ahead > TICK_MOST)
			return;
		nanosleep(&wait, NULL);
	}
}

static bool look(struct base_stamp *out, struct stat *st, int file, const char *path)
{
	if (file >= 0 ? fstat(file, st) : stat(path, st))
		return false;
	*out = (struct base_stamp){ .device = st->st_dev,
		                    .file = st->st_ino,
		                    .bytes = (uint64_t)st->st_size,
		                    .s = st->st_mtim.tv_sec,
		                    .ns = st->st_mtim.tv_nsec };
	return true;
}

bool base_stamp_make(struct base_stamp *out, int file, const char *path)
{
	struct stat st;
	if (!look(out, &st, file, path))
		return false;
	leave_tick(&st);
	return true;
}

bool base_stamp_differs(const struct base_stamp *stamp, int file, const char *path)
{
	struct stat st;
	struct base_stamp now;
	return !look(&now, &st, file, path) || now.device != stamp->device || now.file != stamp->file ||
	       now.bytes != stamp->bytes || now.s != stamp->s || now.ns != stamp->ns;
}
