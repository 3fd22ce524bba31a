/* workload/formats/otf2/spool.c - see spool.h */
#include "workload/formats/otf2/spool.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static_assert(sizeof(struct wl_spool_record) == 64, "a block is 4096 bytes");
static_assert(sizeof(struct wl_spool_block) == 4096, "a block is 4096 bytes");
#define BLOCK sizeof(struct wl_spool_block)
#define RECORD sizeof(struct wl_spool_record)
#define END UINT64_MAX /* behind the last record of a rank */

int wl_spool_begin(struct wl_spool *s, uint32_t ranks)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];
	*s = (struct wl_spool){ .ranks = ranks, .size = BLOCK };
	snprintf(path, sizeof path, "%s/tilefly.XXXXXX", folder && *folder ? folder : "/tmp");
	s->fd = mkostemp(path, O_CLOEXEC);
	if (s->fd < 0) {
		s->failed = errno;
		return -1;
	}
	unlink(path);
	s->first = base_calloc(ranks, sizeof *s->first);
	s->place = base_calloc(ranks, sizeof *s->place);
	s->used = base_calloc(ranks, sizeof *s->used);
	s->block = base_calloc(ranks, sizeof *s->block);
	return 0;
}

void wl_spool_put(struct wl_spool *s, const void *bytes, size_t n, uint64_t place)
{
	for (size_t done = 0; done < n && !s->failed;) {
		ssize_t got = pwrite(s->fd, (const char *)bytes + done, n - done, (off_t)(place + done));
		if (got < 0 && errno != EINTR)
			s->failed = errno;
		done += got > 0 ? (size_t)got : 0;
	}
}

uint64_t wl_spool_add(struct wl_spool *s, uint32_t rank, const struct wl_spool_record *r)
{
	struct wl_spool_block *b = s->block[rank];
	if (!b || s->used[rank] == WL_SPOOL_RECORDS) {
		uint64_t place = s->size;
		s->size += BLOCK;
		if (b) {
			b->next = place;
			wl_spool_put(s, b, BLOCK, s->place[rank]);
		} else {
			b = s->block[rank] = base_alloc(BLOCK);
			s->first[rank] = place;
		}
		memset(b, 0, BLOCK);
		s->place[rank] = place;
		s->used[rank] = 0;
	}
	uint32_t at = s->used[rank]++;
	b->record[at] = *r;
	return s->place[rank] + at * RECORD;
}

/* The record at a place, if it is still in memory. */
struct wl_spool_record *wl_spool_last(struct wl_spool *s, uint32_t rank, uint64_t place)
{
	bool here = s->block[rank] && place >= s->place[rank] && place < s->place[rank] + BLOCK;
	return here ? &s->block[rank]->record[(place - s->place[rank]) / RECORD] : NULL;
}

void wl_spool_change(struct wl_spool *s, uint32_t rank, uint64_t place, const struct wl_spool_record *r)
{
	struct wl_spool_record *here = wl_spool_last(s, rank, place);
	if (here)
		*here = *r;
	else
		wl_spool_put(s, r, RECORD, place);
}

int wl_spool_end(struct wl_spool *s)
{
	for (uint32_t i = 0; i < s->ranks; i++) {
		if (s->block[i])
			wl_spool_put(s, s->block[i], BLOCK, s->place[i]);
		free(s->block[i]);
		s->block[i] = NULL;
	}
	return s->failed ? -1 : 0;
}

uint64_t wl_spool_reserve(struct wl_spool *s, uint64_t bytes)
{
	uint64_t place = s->size;
	s->size += bytes;
	if (ftruncate(s->fd, (off_t)s->size))
		s->failed = errno;
	return place;
}

bool wl_spool_get(const struct wl_spool *s, void *bytes, size_t n, uint64_t place)
{
	return pread(s->fd, bytes, n, (off_t)place) == (ssize_t)n;
}

void wl_spool_free(struct wl_spool *s)
{
	for (uint32_t i = 0; i < s->ranks && s->block; i++)
		free(s->block[i]);
	if (s->fd >= 0)
		close(s->fd);
	free(s->block);
	free(s->first);
	free(s->place);
	free(s->used);
	*s = (struct wl_spool){ .fd = -1 };
}

bool wl_spool_read(const struct wl_spool *s, uint32_t rank, uint64_t *place, struct wl_spool_record *r)
{
	uint64_t at = *place ? *place : s->first[rank], next = at + RECORD;
	if (!at || at == END)
		return false;
	if (at == s->place[rank] + s->used[rank] * RECORD)
		return false;
	if (pread(s->fd, r, RECORD, (off_t)at) != (ssize_t)RECORD)
		return false;
	if (next % BLOCK == WL_SPOOL_RECORDS * RECORD && next != s->place[rank] + s->used[rank] * RECORD &&
	    pread(s->fd, &next, sizeof next, (off_t)next) != (ssize_t)sizeof next)
		return false;
	*place = next;
	return true;
}
