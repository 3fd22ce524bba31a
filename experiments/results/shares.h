/* experiments/results/shares.h - a file written by all ranks, each its share.
 *
 * The file consists of sections. A section contains the data written by rank 0, then by rank 1, and so on. Each rank
 * keeps its compressed data of a section until xp_shares_end_section(), when the sizes of all shares determine their
 * offsets. So the text is the same for any number of ranks if each rank writes its part of ordered data. The share of a
 * rank in a compressed file is a gzip member; concatenated members are a valid file (RFC 1952).
 *
 * If every rank can open the temporary file created by rank 0, each rank writes its shares itself. Otherwise (several
 * hosts without a common file system, or standard output) rank 0 receives and writes them in blocks. The file appears
 * atomically, as every file of file.h, after the data of all ranks are synced; an error of any rank is reported once,
 * and no file is left. With one rank it is an ordinary file of file.h. */
#ifndef EXPERIMENTS_RESULTS_SHARES_H
#define EXPERIMENTS_RESULTS_SHARES_H

#include "base/json.h"
#include "experiments/results/file.h"

#include <stdint.h>

struct xp_shares_block;

struct xp_shares {
	struct xp_file file; /* rank 0's; where it is alone, all goes there */
	bool alone;
	bool compressed;
	bool failed;  /* on some rank, as all know since the last section */
	int error;    /* of this rank */
	int fd;       /* of the temporary file; -1: blocks go to rank 0 */
	size_t page;  /* shares begin at multiples of it: ranks of several hosts must not write to one page */
	uint64_t at;  /* bytes of the sections that have ended */
	uint64_t own; /* of this rank's share of the current one, and of these... */
	uint64_t out; /* ...those that rank 0 has written already: it knows where they go */
	z_stream z;
	bool member; /* something of the share has been written */
	unsigned char *in;
	size_t used; /* of `in` */
	struct xp_shares_block *first, *last;
};

/* All functions except xp_shares_write() are collective. Opens a file for writing by all ranks. It is compressed if
 * `path` ends in .gz; "-" is standard output. Returns 0, or -1 on all ranks after a message from rank 0. */
XP_MUST_LOOK int xp_shares_open(struct xp_shares *shares, const char *path);
/* Appends data to this rank's share of the current section. The parameter `shares` is a struct xp_shares *. Errors are
 * stored, and reported when the file is closed. */
void xp_shares_write(void *shares, const char *bytes, size_t n);
/* Returns a JSON writer that appends to this rank's share of the current section. With only one rank it writes to the
 * file directly. */
struct base_json xp_shares_json(struct xp_shares *shares);
void xp_shares_end_section(struct xp_shares *shares);
/* Closes the file, which then appears under its name. Returns 0, or -1 on all ranks after a message from rank 0. */
XP_MUST_LOOK int xp_shares_close(struct xp_shares *shares);

#endif
