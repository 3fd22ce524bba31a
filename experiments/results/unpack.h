/* experiments/results/unpack.h - reads a file that is uncompressed, or gzip with one or several members.
 *
 * Unlike zlib's gzread() it detects data after the last member, where a gzip file must end. */
#ifndef EXPERIMENTS_RESULTS_UNPACK_H
#define EXPERIMENTS_RESULTS_UNPACK_H

#include <stddef.h>

struct xp_unpack;

enum xp_unpack_end {
	XP_UNPACK_MORE,     /* not ended yet */
	XP_UNPACK_WHOLE,    /* with the file */
	XP_UNPACK_TORN,     /* the file ends within a member */
	XP_UNPACK_DAMAGED,  /* what is there is wrong, or cannot be read */
	XP_UNPACK_TRAILING, /* after a whole member come bytes that are none */
};

/* Prepares to read the compressed or plain bytes behind a descriptor, and takes ownership of the descriptor. Never
 * returns NULL: if memory is insufficient, the program ends. */
struct xp_unpack *xp_unpack_open(int fd);
/* Reads up to `room` bytes and returns their number; 0 at the end of the file. If the file is damaged, returns the
 * bytes before the damage first. */
size_t xp_unpack_read(struct xp_unpack *u, char *out, size_t room);
enum xp_unpack_end xp_unpack_ended(const struct xp_unpack *u);
void xp_unpack_close(struct xp_unpack *u);

#endif
