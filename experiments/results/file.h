/* experiments/results/file.h - atomic writing of files. All files of the program are created here.
 *
 * A file is written under an unpredictable temporary name in the same directory, synced, and renamed when it is closed
 * without error. After any error the temporary file is removed, and the previous file remains. Symbolic links are
 * followed: the file that they lead to is replaced, and the links remain. An existing file that is not a regular file
 * is not replaced; that is an error. The new file gets the permissions of the file that it replaces, and if possible
 * its owner. */
#ifndef EXPERIMENTS_RESULTS_FILE_H
#define EXPERIMENTS_RESULTS_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <zlib.h>

/* Marks a function that can fail to write a file: the compiler warns if a caller ignores its result. */
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

/* Checks in advance whether a file can be created at a path. Returns 0, or -1 after a message. Leaves no file behind.
 */
XP_MUST_LOOK int xp_file_try(const char *path);

/* Begin to write a file; `path` "-" is standard output, which xp_file_open_gzip() does not support. Return 0, or -1
 * after printing the reason. */
XP_MUST_LOOK int xp_file_open(struct xp_file *file, const char *path);
XP_MUST_LOOK int xp_file_open_gzip(struct xp_file *file, const char *path);

/* Appends data to a file. The parameter `file` is a struct xp_file *; it is a void * so that the function can be the
 * sink of a base_json writer. Errors are stored, and reported when the file is closed. */
void xp_file_write(void *file, const char *bytes, size_t n);

/* Records that a write outside of xp_file_write() has failed with this errno, so that the file is discarded when it is
 * closed. */
void xp_file_fail(struct xp_file *file, int error);

/* Closes the file, which then appears under its name. Returns 0, or -1 after printing the reason. */
XP_MUST_LOOK int xp_file_close(struct xp_file *file);
/* Leaves nothing. */
void xp_file_discard(struct xp_file *file);

/* Removes the file that `path` leads to, if it exists and could be replaced. Symbolic links to it remain. A file that
 * is written at this path later gets the permissions of the removed one. */
void xp_file_forget(const char *path);
/* Writes a whole uncompressed file at once; path "-" is standard output. Returns 0, or -1 after adding an error to
 * `errors`. */
XP_MUST_LOOK int xp_file_save(const char *path, const char *bytes, size_t n, struct base_errors *errors);

#endif
