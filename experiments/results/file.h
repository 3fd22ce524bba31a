/* experiments/results/file.h - files that appear whole or not at all: every file that the program makes is made here.
 *
 * They are written under an unpredictable temporary name in the same folder, synced, and renamed when closed without
 * error; on any error nothing is left behind under the temporary name, and what stood under the other stays. Symbolic
 * links are followed: the file they lead to is replaced, they stay. What exists and is no regular file is refused. A
 * file that is replaced gives its permissions, and where allowed its owner, to the new one. */
#ifndef EXPERIMENTS_RESULTS_FILE_H
#define EXPERIMENTS_RESULTS_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <zlib.h>

/* That something was not written must not be lost: the compiler refuses callers that do not look at what is returned.
 */
#define XP_MUST_LOOK __attribute__((warn_unused_result))

struct xp_file {
	FILE *stream; /* plain text; NULL if compressed */
	gzFile gzip;  /* compressed; NULL if plain */
	int fd;       /* of the temporary file */
	char *path;   /* as given, for messages */
	char *target, *temporary;
	struct base_errors *errors; /* where messages go; NULL: to standard error */
	bool failed;                /* an error has been reported */
};

/* Says now whether a file could be made there later: 0, or -1 after a message. Leaves nothing behind. */
XP_MUST_LOOK int xp_file_try(const char *path);

/* `path` "-" is standard output (plain only). Return 0, or -1 after printing why. */
XP_MUST_LOOK int xp_file_open(struct xp_file *file, const char *path);
XP_MUST_LOOK int xp_file_open_gzip(struct xp_file *file, const char *path);

/* Appends; `file` is a struct xp_file *, so that this is a sink for base_json. Errors are kept until close. */
void xp_file_write(void *file, const char *bytes, size_t n);

/* What was to be written besides, by another way, could not: nothing appears when it is closed. */
void xp_file_fail(struct xp_file *file, int error);

/* Makes the file appear. Returns 0, or -1 after printing why. */
XP_MUST_LOOK int xp_file_close(struct xp_file *file);
/* Leaves nothing. */
void xp_file_discard(struct xp_file *file);

/* Removes the file that `path` leads to, if there is one that could be replaced. Links to it stay, and what is written
 * there later has its permissions. */
void xp_file_forget(const char *path);
/* A whole plain file at once, "-" for standard output. Messages are added to errors. */
XP_MUST_LOOK int xp_file_save(const char *path, const char *bytes, size_t n, struct base_errors *errors);

#endif
