/* experiments/results/file.h - atomic writing of files: all files of the program are created here.
 *
 * A file is written under an unpredictable temporary name in the same directory, synced, and renamed when it is closed
 * without error. After any error the temporary file is removed and the previous file remains. Symbolic links are
 * followed: the target is replaced, the link stays. Existing targets that are not regular files are refused. A replaced
 * file passes its permissions, and if possible its owner, to the new one. */
#ifndef EXPERIMENTS_RESULTS_FILE_H
#define EXPERIMENTS_RESULTS_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <zlib.h>

/* The caller must not ignore a failure to write, so the compiler warns if the result is unused. */
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

/* Checks whether a file could be created at this path later: returns 0, or -1 after a message. Leaves nothing behind.
 */
XP_MUST_LOOK int xp_file_try(const char *path);

/* `path` "-" is standard output (uncompressed only). Return 0, or -1 after printing the reason. */
XP_MUST_LOOK int xp_file_open(struct xp_file *file, const char *path);
XP_MUST_LOOK int xp_file_open_gzip(struct xp_file *file, const char *path);

/* Appends data; `file` is a struct xp_file *, so that the function can be a sink for base_json. Errors are kept until
 * close. */
void xp_file_write(void *file, const char *bytes, size_t n);

/* Records that data written in another way was lost: the file will not appear when it is closed. */
void xp_file_fail(struct xp_file *file, int error);

/* Makes the file appear under its name. Returns 0, or -1 after printing the reason. */
XP_MUST_LOOK int xp_file_close(struct xp_file *file);
/* Leaves nothing. */
void xp_file_discard(struct xp_file *file);

/* Removes the target of `path`, if there is one that could be replaced. Links to it remain, and a file written there
 * later gets its permissions. */
void xp_file_forget(const char *path);
/* Writes a whole uncompressed file at once, "-" for standard output. Messages are added to errors. */
XP_MUST_LOOK int xp_file_save(const char *path, const char *bytes, size_t n, struct base_errors *errors);

#endif
