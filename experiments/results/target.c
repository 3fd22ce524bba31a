/* experiments/results/target.c - see target.h */
#include "experiments/results/target.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#define MOST_LINKS 40 /* as the kernel */

char *xp_target_folder(const char *path)
{
	char *folder = base_strdup(path), *slash = strrchr(folder, '/');
	if (slash) {
		slash[slash == folder] = 0;
		return folder;
	}
	free(folder);
	return base_strdup(".");
}

/* What the symbolic link `path` says, as a path from here. NULL with *why. */
static char *follow(const char *path, const char **why)
{
	char text[PATH_MAX], *folder = xp_target_folder(path), *out = NULL;
	struct statfs fs;
	ssize_t n = readlink(path, text, sizeof text - 1);
	if (n < 0) {
		*why = strerror(errno);
	} else if (!statfs(folder, &fs) && fs.f_type == PROC_SUPER_MAGIC) {
		*why = "is an open file of a process, which cannot be replaced";
	} else {
		text[n] = 0;
		size_t room = strlen(folder) + (size_t)n + 2;
		out = base_alloc(room);
		if (*text == '/')
			snprintf(out, room, "%s", text);
		else
			snprintf(out, room, "%s/%s", folder, text);
	}
	free(folder);
	return out;
}

char *xp_target_find(const char *path, bool *exists, struct stat *st, const char **why)
{
	char *at = base_strdup(path);
	*exists = false;
	*why = *path ? NULL : "the name is empty";
	for (int links = 0; at && !*why; links++) {
		if (lstat(at, st)) {
			if (errno == ENOENT)
				return at;
			*why = strerror(errno);
		} else if (S_ISLNK(st->st_mode)) {
			char *next = links < MOST_LINKS ? follow(at, why) : NULL;
			if (links == MOST_LINKS)
				*why = strerror(ELOOP);
			free(at);
			at = next;
		} else if (!S_ISREG(st->st_mode)) {
			*why = S_ISDIR(st->st_mode) ? "is a directory" : "exists and is not a regular file";
		} else if (faccessat(AT_FDCWD, at, W_OK, AT_EACCESS)) {
			*why = "is write-protected";
		} else {
			*exists = true;
			return at;
		}
	}
	free(at);
	return NULL;
}

bool xp_target_is(const struct stat *st, const char *path)
{
	struct stat other;
	return S_ISREG(st->st_mode) && !stat(path, &other) && other.st_dev == st->st_dev && other.st_ino == st->st_ino;
}
