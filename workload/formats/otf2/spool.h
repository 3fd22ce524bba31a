/* workload/formats/otf2/spool.h - calls of ranks on disk, in an unnamed temporary file: written rank by rank in any
 * interleaving, read from any position. A record has a fixed size and may be changed after it was written. Memory: a
 * block per rank while it is written, nothing afterwards. */
#ifndef WORKLOAD_FORMATS_OTF2_SPOOL_H
#define WORKLOAD_FORMATS_OTF2_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wl_spool_record {
	uint8_t op;   /* enum mpi_op */
	bool goes_on; /* the next record has more of the same call's requests */
	uint8_t nonblocking;
	uint8_t unused;
	uint32_t comm;
	int32_t peer, tag;
	uint64_t bytes, received;  /* received: of alltoallv and the like */
	uint64_t request, compute; /* ps */
	uint64_t counts;           /* place of more that belongs to it; 0: nothing does */
	uint64_t spare;
};

#define WL_SPOOL_RECORDS 63u /* a block */
struct wl_spool_block {
	struct wl_spool_record record[WL_SPOOL_RECORDS];
	uint64_t next, unused[7]; /* place of the rank's next block; 0: none */
};

struct wl_spool {
	int fd;
	uint64_t size;
	uint64_t *first;               /* [ranks] place of its first block; 0: none */
	uint64_t *place;               /* [ranks] of its last block */
	uint32_t *used;                /* [ranks] records in its last block */
	struct wl_spool_block **block; /* [ranks] the last block; NULL when all are written */
	uint32_t ranks;
	int failed; /* errno */
};

/* A `place` is the position of a record in the file; 0 means no record. */
int wl_spool_begin(struct wl_spool *s, uint32_t ranks);
uint64_t wl_spool_add(struct wl_spool *s, uint32_t rank, const struct wl_spool_record *r);
struct wl_spool_record *wl_spool_last(struct wl_spool *s, uint32_t rank, uint64_t place);
void wl_spool_change(struct wl_spool *s, uint32_t rank, uint64_t place, const struct wl_spool_record *r);
/* Writes all data to disk, and frees the blocks. -1 if the disk is full; s->failed is the errno. */
int wl_spool_end(struct wl_spool *s);
/* Allocates space for other data after the records, all zero; after wl_spool_end(). */
uint64_t wl_spool_reserve(struct wl_spool *s, uint64_t bytes);
/* Read and write data at a position of the file; on failure s->failed is set. */
void wl_spool_put(struct wl_spool *s, const void *bytes, size_t n, uint64_t place);
bool wl_spool_get(const struct wl_spool *s, void *bytes, size_t n, uint64_t place);
void wl_spool_free(struct wl_spool *s);
/* Reads the record at *place (0: the rank's first record), and advances *place. False: there is no further record. */
bool wl_spool_read(const struct wl_spool *s, uint32_t rank, uint64_t *place, struct wl_spool_record *r);

#endif
