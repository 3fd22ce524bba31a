/* experiments/file.h - files that appear whole or not at all.
 *
 * They are written under a temporary name in the same folder, synced, and renamed when closed without error; on any
 * error nothing is left behind under either name. Messages go to standard error: these functions belong to the
 * commands. */
#ifndef EXPERIMENTS_FILE_H
#define EXPERIMENTS_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <zlib.h>

struct xp_file {
	FILE *stream; /* plain text; NULL if compressed */
	gzFile gzip;  /* compressed; NULL if plain */
	int fd;       /* a second descriptor of the compressed file, to sync it after zlib has closed its own */
	char *path, *temporary;
	bool failed; /* an error has been printed */
};

/* Says now whether a file could be made there later: 0, or -1 after a message. Leaves nothing behind. */
int xp_file_try(const char *path);

/* `path` "-" is standard output (plain only). Return 0, or -1 after printing why. */
int xp_file_open(struct xp_file *file, const char *path);
int xp_file_open_gzip(struct xp_file *file, const char *path);

/* Sink for xp_json; errors are kept until close. `file` is a struct xp_file * that was opened compressed. */
void xp_file_gzip_write(void *file, const char *bytes, size_t n);

/* Makes the file appear. Returns 0, or -1 after printing why, and then no file is left. */
int xp_file_close(struct xp_file *file);
/* Leaves nothing. */
void xp_file_discard(struct xp_file *file);

#endif
