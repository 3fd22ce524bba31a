/* experiments/results/shares.h - a file that all ranks write, each its share of it.
 *
 * The file is made of sections. Of each it holds what rank 0 has written of it, then what rank 1 has, and so on; a rank
 * keeps what it has written of a section, compressed, until xp_shares_end_section(), when the sizes say where it goes.
 * So the text is the same on any number of ranks if each writes its part of what is in order. A share of a compressed
 * file is a gzip member of its own: members that follow one another are one valid file (RFC 1952).
 *
 * Where every rank can open the temporary file that rank 0 has made, each writes its shares there itself. Else (several
 * hosts without a common file system, standard output) rank 0 gets them in blocks and writes them. It appears, or not
 * at all, as any file of file.h, once the data of all ranks are synced; an error of any rank is one message, and
 * nothing is left. With one rank it is a plain file of file.h. */
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

/* Collective: all but xp_shares_write() are. `path` ends in .gz if it is to be compressed; "-" is standard output. 0,
 * or -1 on all ranks after a message from rank 0. */
XP_MUST_LOOK int xp_shares_open(struct xp_shares *shares, const char *path);
/* Appends to this rank's share of the current section; `shares` is a struct xp_shares *. Errors are kept until close.
 */
void xp_shares_write(void *shares, const char *bytes, size_t n);
/* A writer of JSON to it, the fastest way. */
struct base_json xp_shares_json(struct xp_shares *shares);
void xp_shares_end_section(struct xp_shares *shares);
/* Makes the file appear. 0, or -1 on all ranks after a message from rank 0. */
XP_MUST_LOOK int xp_shares_close(struct xp_shares *shares);

#endif
