/* switch/pool.h - a pool of equal records inside one logical process, safe to use under rollback.
 *
 * Records are named by index and never move: level k of the table holds 32 << k of them, so journaled pointers stay
 * valid when the pool grows. Growing is not undone and is not part of the logical state; the free list and the
 * high-water mark are, and go through the journal. A record begins with a uint32_t that links the free list. */
#ifndef SWITCH_POOL_H
#define SWITCH_POOL_H

#include "base/memory.h"
#include "base/prefetch.h"
#include "sim/sim.h"

#include <stdlib.h>

#define SW_POOL_LEVELS 20
#define SW_POOL_NONE UINT32_MAX
#define SW_POOL_MALLOC 16u /* what malloc() keeps beside a block, and rounds it up by */

struct sw_pool {
	uint32_t free; /* first free record, SW_POOL_NONE if none; zero-initialised pools: see sw_pool_init */
	uint32_t used; /* records ever handed out */
	/* [SW_POOL_LEVELS], allocated with the first record: most pools of a large network stay empty. Records of 64
	 * bytes are cache lines. Behind them [SW_POOL_LEVELS] what has been allocated */
	unsigned char **level;
};

static inline void sw_pool_init(struct sw_pool *p)
{
	p->free = SW_POOL_NONE;
	p->used = 0;
	p->level = NULL;
}

static inline void *sw_pool_at(const struct sw_pool *p, uint32_t i, size_t bytes)
{
	uint32_t n = i + 32, level = 26u - (uint32_t)__builtin_clz(n);
	base_checkf(level < SW_POOL_LEVELS && p->level && p->level[level], "record %u of %u", i, p->used);
	return p->level[level] + (n - (32u << level)) * bytes;
}

/* Makes all levels up to that of record i. */
static __attribute__((unused, noinline)) void sw_pool_grow(struct sw_pool *p, uint32_t i, size_t bytes)
{
	if (!p->level)
		p->level = base_calloc(2 * SW_POOL_LEVELS, sizeof *p->level);
	for (uint32_t k = 0; k <= 26u - (uint32_t)__builtin_clz(i + 32); k++)
		if (!p->level[k]) {
			unsigned char *block = p->level[SW_POOL_LEVELS + k] =
			    base_calloc(((size_t)32 << k) * bytes + 63, 1);
			p->level[k] = block + (64 - (uintptr_t)block % 64) % 64;
		}
}

/* A record, not cleared except that its journal image is saved; returns its index. */
static inline uint32_t sw_pool_take(struct sim_ctx *ctx, struct sw_pool *p, size_t bytes)
{
	uint32_t i = p->free;
	if (i != SW_POOL_NONE) {
		void *r = sw_pool_at(p, i, bytes);
		base_checkf(i < p->used, "record %u of %u is free", i, p->used);
		sim_save(ctx, r, bytes);
		sim_set(ctx, &p->free, *(uint32_t *)r);
		if (p->free != SW_POOL_NONE)
			base_prefetch_write(sw_pool_at(p, p->free, bytes));
		return i;
	}
	i = p->used;
	uint32_t level = 26u - (uint32_t)__builtin_clz(i + 32);
	if (sim_unlikely(!p->level || !p->level[level]))
		sw_pool_grow(p, i, bytes);
	sim_save(ctx, sw_pool_at(p, i, bytes), bytes);
	sim_set(ctx, &p->used, i + 1);
	return i;
}

static inline void sw_pool_give(struct sim_ctx *ctx, struct sw_pool *p, uint32_t i, size_t bytes)
{
	uint32_t *link = sw_pool_at(p, i, bytes);
	base_checkf(i < p->used && i != p->free, "record %u of %u is given back, %u is free", i, p->used, p->free);
	sim_set(ctx, link, p->free);
	sim_set(ctx, &p->free, i);
}

/* Resident bytes of a pool that has had so many records at a time: what they touch of its levels, and half a page. */
static inline size_t sw_pool_bytes(uint32_t records, size_t bytes)
{
	size_t all = records ? 2 * SW_POOL_LEVELS * sizeof(unsigned char *) + SW_POOL_MALLOC : 0;
	for (uint32_t level = 32, left = records; left; level *= 2) {
		uint32_t used = left < level ? left : level;
		size_t touched = used * bytes + 2048, most = level * bytes + 63;
		all += (touched < most ? touched : most) + SW_POOL_MALLOC;
		left -= used;
	}
	return all;
}

static inline void sw_pool_fini(struct sw_pool *p)
{
	for (int i = 0; p->level && i < SW_POOL_LEVELS; i++)
		free(p->level[SW_POOL_LEVELS + i]);
	free(p->level);
}

/* Shows the records handed out so far; `used` may have been written over: then they are made. */
static inline void sw_pool_regions(struct sw_pool *p, size_t bytes, void (*visit)(void *, void *, size_t), void *arg)
{
	if (p->used)
		sw_pool_grow(p, p->used - 1, bytes);
	for (uint32_t i = 0; i < p->used; i++)
		visit(arg, sw_pool_at(p, i, bytes), bytes);
}

#endif
