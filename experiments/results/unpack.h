/* experiments/results/unpack.h - the bytes of a file that is gzip, of one member or several, or plain.
 *
 * Unlike zlib's gzread() it tells what follows the last member: gzip files end there, and so must the file. */
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

/* Takes over the descriptor. NULL if there is no memory. */
struct xp_unpack *xp_unpack_open(int fd);
/* Up to `room` bytes; 0 when there are no more. Before damage it gives what could be read. */
size_t xp_unpack_read(struct xp_unpack *u, char *out, size_t room);
enum xp_unpack_end xp_unpack_ended(const struct xp_unpack *u);
void xp_unpack_close(struct xp_unpack *u);

#endif
