/* experiments/results/unpack.c - see unpack.h; RFC 1952. */
#include "experiments/results/unpack.h"

#include "base/exhausted.h"
#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define BLOCK ((size_t)1 << 17)
#define GZIP_ONLY (15 + 16) /* zlib's window bits */

struct xp_unpack {
	int fd;
	enum xp_unpack_end end;
	bool plain;
	bool inside; /* a member, or plain text */
	bool later;  /* a whole member came before */
	bool given;  /* the member has given bytes */
	z_stream z;  /* its input: what has been read and not been used */
	unsigned char in[BLOCK];
};

struct xp_unpack *xp_unpack_open(int fd)
{
	struct xp_unpack *u = base_alloc(sizeof *u);
	u->fd = fd;
	u->z.next_in = u->in;
	if (inflateInit2(&u->z, GZIP_ONLY) != Z_OK)
		base_exhausted(); /* with a valid format there is no other reason */
	return u;
}

/* Has at least `n` bytes of input ready, less only at the file's end; returns how many. */
static size_t fill(struct xp_unpack *u, size_t n)
{
	if (u->z.avail_in < n) {
		memmove(u->in, u->z.next_in, u->z.avail_in);
		u->z.next_in = u->in;
	}
	while (u->z.avail_in < n) {
		ssize_t got = read(u->fd, u->in + u->z.avail_in, BLOCK - u->z.avail_in);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			u->end = XP_UNPACK_DAMAGED;
		if (got <= 0)
			break;
		u->z.avail_in += (unsigned)got;
	}
	return u->z.avail_in;
}

/* At the start of a member; false if none begins here. */
static bool begin(struct xp_unpack *u)
{
	size_t n = fill(u, 2);
	bool magic = n >= 2 && u->z.next_in[0] == 0x1f && u->z.next_in[1] == 0x8b;
	if (u->end != XP_UNPACK_MORE)
		return false;
	if (!n || (u->later && !magic)) {
		u->end = n ? XP_UNPACK_TRAILING : XP_UNPACK_WHOLE;
		return false;
	}
	u->plain = !magic;
	u->inside = true;
	u->given = false;
	if (magic)
		inflateReset2(&u->z, GZIP_ONLY);
	return true;
}

static size_t copy(struct xp_unpack *u, char *out, size_t room)
{
	size_t n = fill(u, 1);
	n = n < room ? n : room;
	memcpy(out, u->z.next_in, n);
	u->z.next_in += n;
	u->z.avail_in -= (unsigned)n;
	if (!n && u->end == XP_UNPACK_MORE)
		u->end = XP_UNPACK_WHOLE;
	return n;
}

/* A later member of which not a byte can be read is none. */
static void fail(struct xp_unpack *u, enum xp_unpack_end how)
{
	u->end = u->later && !u->given ? XP_UNPACK_TRAILING : how;
}

static size_t inflate_some(struct xp_unpack *u, char *out, size_t room)
{
	int status = Z_OK;
	room = room < INT_MAX ? room : INT_MAX;
	u->z.next_out = (unsigned char *)out;
	u->z.avail_out = (unsigned)room;
	while (u->z.avail_out && status == Z_OK && fill(u, 1))
		status = inflate(&u->z, Z_NO_FLUSH);
	if (status == Z_MEM_ERROR) /* its window is allocated late */
		base_exhausted();
	size_t got = room - u->z.avail_out;
	u->given |= got > 0;
	if (status == Z_STREAM_END) {
		u->inside = false;
		u->later = true;
	} else if (status != Z_OK) {
		fail(u, XP_UNPACK_DAMAGED);
	} else if (u->z.avail_out && u->end == XP_UNPACK_MORE) {
		fail(u, XP_UNPACK_TORN);
	}
	return got;
}

size_t xp_unpack_read(struct xp_unpack *u, char *out, size_t room)
{
	size_t n = 0;
	while (!n && u->end == XP_UNPACK_MORE && (u->inside || begin(u)))
		n = u->plain ? copy(u, out, room) : inflate_some(u, out, room);
	return n;
}

enum xp_unpack_end xp_unpack_ended(const struct xp_unpack *u)
{
	return u->end;
}

void xp_unpack_close(struct xp_unpack *u)
{
	inflateEnd(&u->z);
	close(u->fd);
	free(u);
}
