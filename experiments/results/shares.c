/* experiments/results/shares.c - see shares.h */
#include "experiments/results/shares.h"

#include "base/check.h"
#include "base/memory.h"
#include "sim/sim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IN_BYTES ((size_t)1 << 16)
#define GZIP_BITS (15 + 16) /* zlib's window bits */
#define LEVEL 6
#define MEMORY_LEVEL 8 /* of gzopen() */

/* Size in bytes of an empty gzip member that has an extra field: 10 of the header, 2 of the length of the field, 2 of
 * deflated data, and 8 of the trailer. The content of the field is not included. */
#define LEAST_MEMBER 22u

struct xp_shares_block {
	struct xp_shares_block *next;
	size_t n;
	unsigned char v[SIM_BLOCK_BYTES];
};

/* --- what goes to the file ------------------------------------------------------------------------------------ */

static void note_error(struct xp_shares *s, int error)
{
	if (!s->error)
		s->error = error ? error : EIO;
}

static void write_at(struct xp_shares *s, const unsigned char *bytes, size_t n, uint64_t at)
{
	while (n && !s->error) {
		ssize_t part = pwrite(s->fd, bytes, n, (off_t)at);
		if (part > 0) {
			bytes += part;
			n -= (size_t)part;
			at += (uint64_t)part;
		} else if (!part || errno != EINTR) {
			note_error(s, part ? errno : ENOSPC);
		}
	}
}

/* Rank 0: what another rank has sent. */
static void take_block(void *arg, const void *block, size_t bytes)
{
	struct xp_shares *s = arg;
	xp_file_write(&s->file, block, bytes);
}

/* Rank 0 need not wait for sizes. */
static void write_own(struct xp_shares *s, struct xp_shares_block *b)
{
	if (s->fd >= 0)
		write_at(s, b->v, b->n, s->at + s->out);
	else
		xp_file_write(&s->file, (const char *)b->v, b->n);
	s->out += b->n;
	b->n = 0;
}

/* Where the next bytes of the share go, and how many have place there. */
static unsigned char *place(struct xp_shares *s, size_t *free_bytes)
{
	struct xp_shares_block *b = s->last;
	if (b && b->n == SIM_BLOCK_BYTES && sim_rank() == 0)
		write_own(s, b);
	if (!b || b->n == SIM_BLOCK_BYTES) {
		b = base_alloc(sizeof *b);
		if (s->last)
			s->last->next = b;
		else
			s->first = b;
		s->last = b;
	}
	*free_bytes = SIM_BLOCK_BYTES - b->n;
	return b->v + b->n;
}

static void advance(struct xp_shares *s, size_t n)
{
	s->last->n += n;
	s->own += n;
	base_checkf(s->last->n <= SIM_BLOCK_BYTES, "%zu bytes", s->last->n);
}

static void append_bytes(struct xp_shares *s, const void *bytes, size_t n)
{
	const unsigned char *from = bytes;
	while (n) {
		size_t part;
		unsigned char *to = place(s, &part);
		part = part < n ? part : n;
		memcpy(to, from, part);
		advance(s, part);
		from += part;
		n -= part;
	}
}

/* --- members -------------------------------------------------------------------------------------------------- */

static void compress_input(struct xp_shares *s, int flush)
{
	int status = Z_OK;
	s->z.next_in = s->in;
	s->z.avail_in = (unsigned)s->used;
	do {
		size_t room;
		s->z.next_out = place(s, &room);
		s->z.avail_out = (unsigned)room;
		status = deflate(&s->z, flush);
		advance(s, room - s->z.avail_out);
	} while (status == Z_OK && (s->z.avail_in || flush == Z_FINISH));
	base_checkf(!s->z.avail_in && status == (flush == Z_FINISH ? Z_STREAM_END : Z_OK), "status %d of zlib", status);
	s->used = 0;
}

/* The share is made as long as whole pages by a member without content. */
static void fill_page(struct xp_shares *s)
{
	unsigned char head[12] = { 0x1f, 0x8b, 8, 4 /* an extra field */, 0, 0, 0, 0, 0, 255 /* no system's */ };
	static const unsigned char zeros[256], content[10] = { 3 }; /* deflated nothing; its CRC-32 and length are 0 */
	size_t n = -s->own & (s->page - 1);
	if (!n)
		return;
	n += n < LEAST_MEMBER ? s->page : 0;
	n -= LEAST_MEMBER;
	base_checkf(n <= UINT16_MAX, "%zu bytes to the end of the page", n);
	head[10] = (unsigned char)n;
	head[11] = (unsigned char)(n >> 8);
	append_bytes(s, head, sizeof head);
	for (size_t part; n; n -= part) {
		part = n < sizeof zeros ? n : sizeof zeros;
		append_bytes(s, zeros, part);
	}
	append_bytes(s, content, sizeof content);
}

static void end_share(struct xp_shares *s)
{
	if (!s->member)
		return;
	s->member = false;
	if (!s->compressed)
		return;
	compress_input(s, Z_FINISH);
	deflateReset(&s->z);
	fill_page(s);
	base_checkf(s->own % s->page == 0, "%llu bytes", (unsigned long long)s->own);
}

static void begin_share(struct xp_shares *s)
{
	s->member = true;
	if (!s->compressed || s->in)
		return;
	s->in = base_alloc(IN_BYTES);
	if (deflateInit2(&s->z, LEVEL, Z_DEFLATED, GZIP_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		note_error(s, ENOMEM);
}

void xp_shares_write(void *shares, const char *bytes, size_t n)
{
	struct xp_shares *s = shares;
	if (s->alone) {
		xp_file_write(&s->file, bytes, n);
		return;
	}
	if (!s->member)
		begin_share(s);
	if (s->failed || s->error || s->file.failed)
		return;
	if (!s->compressed) {
		append_bytes(s, bytes, n);
		return;
	}
	while (n) {
		size_t part = IN_BYTES - s->used;
		part = part < n ? part : n;
		memcpy(s->in + s->used, bytes, part);
		s->used += part;
		bytes += part;
		n -= part;
		if (s->used == IN_BYTES)
			compress_input(s, Z_NO_FLUSH);
	}
}

struct base_json xp_shares_json(struct xp_shares *s)
{
	if (s->alone)
		return (struct base_json){ .write = xp_file_write, .sink = &s->file };
	return (struct base_json){ .write = xp_shares_write, .sink = s };
}

/* --- sections --------------------------------------------------------------------------------------------------- */

static void free_blocks(struct xp_shares *s)
{
	for (struct xp_shares_block *b = s->first, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	s->first = s->last = NULL;
}

static void forward(struct xp_shares *s)
{
	size_t n = 0;
	for (struct xp_shares_block *b = s->first; b; b = b->next)
		n++;
	struct sim_block *v = base_calloc(n, sizeof *v);
	n = 0;
	for (struct xp_shares_block *b = s->first; b; b = b->next)
		v[n++] = (struct sim_block){ b->v, b->n };
	sim_forward(v, n, take_block, s);
	free(v);
}

void xp_shares_end_section(struct xp_shares *s)
{
	if (s->alone)
		return;
	if (!s->failed && !s->error)
		end_share(s);
	uint64_t mine[2] = { s->own, s->error || s->file.failed }, before[2], all[2];
	sim_scan_u64(mine, before, all, 2);
	s->failed |= all[1] > 0;
	if (!s->failed && s->fd >= 0) {
		uint64_t at = s->at + before[0] + s->out;
		for (struct xp_shares_block *b = s->first; b; at += b->n, b = b->next)
			write_at(s, b->v, b->n, at);
		base_check(s->error || at == s->at + before[0] + s->own);
	} else if (!s->failed) {
		forward(s);
	}
	s->at += all[0];
	s->own = s->out = 0;
	s->used = 0;
	s->member = false;
	free_blocks(s);
}

/* --- the file --------------------------------------------------------------------------------------------------- */

static bool ends_in_gz(const char *path)
{
	size_t n = strlen(path);
	return n > 3 && !strcmp(path + n - 3, ".gz");
}

/* Opens the temporary file of rank 0 on all ranks, if every rank can open it. The name is random, so a rank that can
 * open it uses the same file system. If there are several hosts, no memory page of the file may be written by two
 * ranks, because clients of network file systems write back whole pages. Only compressed files can be padded to such a
 * layout. */
static void open_here(struct xp_shares *s)
{
	const char *own = sim_rank() == 0 ? s->file.temporary : NULL;
	uint64_t length = own ? strlen(own) + 1 : 0, hosts = sim_host_ranks() < sim_ranks();
	sim_broadcast(&length, sizeof length);
	char *name = own ? base_strdup(own) : base_alloc(length);
	sim_broadcast(name, length);
	sim_max_u64(&hosts, 1);
	if (sim_rank() == 0)
		s->fd = own ? s->file.fd : -1;
	else if (length)
		s->fd = open(name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	free(name);
	uint64_t page = hosts ? (uint64_t)sysconf(_SC_PAGESIZE) : 1;
	sim_max_u64(&page, 1);
	s->page = page;
	uint64_t all = s->fd >= 0 && (!hosts || (s->compressed && page <= UINT16_MAX + 1));
	sim_min_u64(&all, 1);
	if (!all && s->fd >= 0 && sim_rank() != 0)
		close(s->fd);
	if (!all)
		s->fd = -1;
}

int xp_shares_open(struct xp_shares *s, const char *path)
{
	*s = (struct xp_shares){
		.file = { .fd = -1 }, .alone = sim_ranks() == 1, .compressed = ends_in_gz(path), .fd = -1, .page = 1
	};
	if (s->alone)
		return s->compressed ? xp_file_open_gzip(&s->file, path) : xp_file_open(&s->file, path);
	uint64_t failed = sim_rank() == 0 && xp_file_open(&s->file, path);
	sim_broadcast(&failed, sizeof failed);
	if (failed)
		return -1;
	open_here(s);
	return 0;
}

/* The first rank that could not write sends the reason to rank 0. */
static void collect_errors(struct xp_shares *s)
{
	uint64_t first = s->error ? (uint64_t)sim_rank() << 32 | (unsigned)s->error : UINT64_MAX;
	sim_min_u64(&first, 1);
	if (sim_rank() == 0 && first != UINT64_MAX)
		xp_file_fail(&s->file, (int)(first & INT_MAX));
}

int xp_shares_close(struct xp_shares *s)
{
	if (s->alone)
		return xp_file_close(&s->file);
	xp_shares_end_section(s);
	if (sim_rank() != 0 && s->fd >= 0) { /* rank 0's is the file's own */
		if (fsync(s->fd) && errno != EINVAL)
			note_error(s, errno);
		if (close(s->fd))
			note_error(s, errno);
	}
	collect_errors(s);
	if (s->in)
		deflateEnd(&s->z);
	free(s->in);
	uint64_t failed = sim_rank() == 0 && xp_file_close(&s->file);
	sim_broadcast(&failed, sizeof failed);
	*s = (struct xp_shares){ .file = { .fd = -1 }, .fd = -1 };
	return failed ? -1 : 0;
}
