/* switch/pool.h - a pool of equal records inside one logical process, safe to use under rollback.
 *
 * Records are identified by index and never move: level k of the table holds 2 << k of them, so journaled pointers stay
 * valid when the pool grows. A rollback does not undo the growth, which is not part of the logical state. The free list
 * and the highest index used are part of it, and change through the journal. A record begins with a uint32_t that links
 * the free list. */
#ifndef SWITCH_POOL_H
#define SWITCH_POOL_H

#include "base/memory.h"
#include "base/prefetch.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

#define SW_POOL_LEVELS 24u
#define SW_POOL_FIRST_LEVELS                                                                    \
	6u /* levels of a pool's first table: most pools of a large network are small, or empty \
	    */
#define SW_POOL_NONE UINT32_MAX
#define SW_POOL_MALLOC 16u /* overhead of malloc() per block, including rounding */

struct sw_pool_table {
	uint32_t levels, bytes; /* bytes: of a record */
	uintptr_t
	    origin[]; /* [levels] start address of each level minus two records, so that record i of the pool is at
	                 origin + (i + 2) records; 0: the level is not allocated. Records of 64 bytes are cache lines */
};

struct sw_pool {
	uint32_t free; /* first free record, SW_POOL_NONE if none; zero-initialised pools: see sw_pool_init */
	uint32_t used; /* records ever allocated */
	struct sw_pool_table *table; /* NULL before the first record */
};

static inline void sw_pool_init(struct sw_pool *p)
{
	p->free = SW_POOL_NONE;
	p->used = 0;
	p->table = NULL;
}

static inline uint32_t sw_pool_level(uint32_t i)
{
	return (31u ^ (uint32_t)__builtin_clz(i + 2)) - 1;
}

/* Returns the memory of one level of the pool; NULL: the level is not allocated. */
static inline void *sw_pool_block(const struct sw_pool_table *t, uint32_t level)
{
	uintptr_t origin = t->origin[level];
	return origin ? (void *)(origin + ((uintptr_t)2 << level) * t->bytes) : NULL;
}

static inline void *sw_pool_at(const struct sw_pool *p, uint32_t i, size_t bytes)
{
	uint32_t level = sw_pool_level(i);
	base_checkf(p->table && level < p->table->levels && p->table->origin[level] && p->table->bytes == bytes,
	            "record %u of %u", i, p->used);
	return (void *)(p->table->origin[level] + ((uintptr_t)i + 2) * bytes);
}

/* Allocates the levels up to the one that contains record i. */
static __attribute__((unused, noinline)) void sw_pool_grow(struct sw_pool *p, uint32_t i, size_t bytes)
{
	uint32_t had = p->table ? p->table->levels : 0, needed = sw_pool_level(i) + 1;
	if (needed > had) {
		uint32_t levels = needed > SW_POOL_FIRST_LEVELS ? SW_POOL_LEVELS : SW_POOL_FIRST_LEVELS;
		p->table = base_realloc(p->table, sizeof *p->table + levels * sizeof *p->table->origin);
		p->table->levels = levels;
		p->table->bytes = (uint32_t)bytes;
		memset(p->table->origin + had, 0, (levels - had) * sizeof *p->table->origin);
	}
	for (uint32_t k = 0; k < needed; k++)
		if (!p->table->origin[k]) {
			size_t level = ((size_t)2 << k) * bytes;
			p->table->origin[k] = (uintptr_t)base_calloc_aligned(level, bytes % 64 ? 16 : 64) - level;
		}
}

/* Allocates a record and sets *record to it. The record is not cleared; its contents are saved in the journal. Returns
 * its index. */
static inline uint32_t sw_pool_take_record(struct sim_ctx *ctx, struct sw_pool *p, size_t bytes, void **record)
{
	uint32_t i = p->free;
	if (i != SW_POOL_NONE) {
		*record = sw_pool_at(p, i, bytes);
		base_checkf(i < p->used, "record %u of %u is free", i, p->used);
		sim_save(ctx, *record, bytes);
		sim_set(ctx, &p->free, *(uint32_t *)*record);
		return i;
	}
	i = p->used;
	uint32_t level = sw_pool_level(i);
	if (sim_unlikely(!p->table || level >= p->table->levels || !p->table->origin[level]))
		sw_pool_grow(p, i, bytes);
	*record = sw_pool_at(p, i, bytes);
	sim_save(ctx, *record, bytes);
	sim_set(ctx, &p->used, i + 1);
	return i;
}

/* Allocates a record as sw_pool_take_record() does, and prefetches the next free one. Returns its index. */
static inline uint32_t sw_pool_take(struct sim_ctx *ctx, struct sw_pool *p, size_t bytes)
{
	void *record;
	uint32_t i = sw_pool_take_record(ctx, p, bytes, &record);
	if (p->free != SW_POOL_NONE)
		base_prefetch_write(sw_pool_at(p, p->free, bytes));
	return i;
}

static inline void sw_pool_give(struct sim_ctx *ctx, struct sw_pool *p, uint32_t i, size_t bytes)
{
	uint32_t *link = sw_pool_at(p, i, bytes);
	base_checkf(i < p->used && i != p->free, "record %u of %u is freed, %u is free already", i, p->used, p->free);
	sim_set(ctx, link, p->free);
	sim_set(ctx, &p->free, i);
}

/* Estimates the resident memory, in bytes, of a pool that has had at most about `records` records at a time: the parts
 * of its levels that these records touch, and half of the rest of the last level, at most half a page. */
static inline size_t sw_pool_bytes(uint32_t records, size_t bytes)
{
	size_t levels = records > (2u << SW_POOL_FIRST_LEVELS) - 2 ? SW_POOL_LEVELS : SW_POOL_FIRST_LEVELS;
	size_t all = records ? sizeof(struct sw_pool_table) + levels * sizeof(uintptr_t) + SW_POOL_MALLOC : 0;
	for (uint32_t level = 2, left = records; left; level *= 2) {
		uint32_t used = left < level ? left : level;
		size_t rest = (level - used) * bytes / 2;
		all += used * bytes + (rest < 2048 ? rest : 2048) + 2 * SW_POOL_MALLOC;
		left -= used;
	}
	return all;
}

static inline void sw_pool_fini(struct sw_pool *p)
{
	for (uint32_t i = 0; p->table && i < p->table->levels; i++)
		base_free_aligned(sw_pool_block(p->table, i));
	free(p->table);
}

/* Visits the records up to `used`, level by level. If `used` was overwritten, for example when a logical process has
 * migrated here, missing levels are allocated first. */
static inline void sw_pool_regions(struct sw_pool *p, size_t bytes, void (*visit)(void *, void *, size_t), void *arg)
{
	if (p->used)
		sw_pool_grow(p, p->used - 1, bytes);
	for (uint32_t level = 0, at = 0, n = 2; at < p->used; at += n, level++, n *= 2)
		visit(arg, sw_pool_block(p->table, level), (p->used - at < n ? p->used - at : n) * bytes);
}

#endif
