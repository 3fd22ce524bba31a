/* base/memory.h - allocation that does not return NULL.
 *
 * Running out of memory ends the program with one line on standard error and exit status 1: there is
 * no partial result to save that the periodic output has not saved already. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is made from now on, for that line: "FILE: a schedule of 8 ranks ...", until base_memory_made(). Control
 * characters are made harmless. Not while another thread allocates. */
void base_memory_for(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void base_memory_made(void);

/* Zeroed memory; free with free(). */
void *base_alloc(size_t bytes);
/* count * size, zeroed; overflow is treated as out of memory. */
void *base_calloc(size_t count, size_t size);
/* Zeroed memory at a multiple of `alignment`, a power of two from 16 to 64; free with base_free_aligned. */
void *base_calloc_aligned(size_t bytes, size_t alignment);
void base_free_aligned(void *block);
/* An array with twice the capacity of `old`, or with that of 64 elements, and `old`'s elements: `old` itself,
 * reallocated; or where that is *borrowed, the caller's, a copy, which is not. Free with free(). */
void *base_lengthen(void *old, uint32_t *cap, size_t bytes, bool *borrowed);
/* As realloc; the grown part is not cleared. */
void *base_realloc(void *old, size_t bytes);
char *base_strdup(const char *text);

/* The same as base_map(), for blocks little of which will be touched: in small pages. */
void *base_map_sparse(size_t bytes);
/* Large zeroed blocks straight from the kernel, 64-byte aligned at least, asking for huge pages.
 * Untouched pages cost nothing. Free with base_unmap and the same size. */
void *base_map(size_t bytes);
void base_unmap(void *block, size_t bytes);
/* The grain in which such a block becomes resident as it is touched: a huge page, or a page. */
size_t base_map_grain(void);
/* Where addresses are limited (ulimit -v), all threads share one heap: of its own the GNU C library reserves 64 MB of
 * addresses for each, and 128 MB while it does, which no estimate counts. Before threads start. */
void base_heap_within_limit(void);
/* Addresses that a new thread's stack takes, few of which are ever touched; 0: not known. */
uint64_t base_stack_bytes(void);
/* Bytes that malloc() has given out and not got back; 0: not known. */
uint64_t base_heap_bytes(void);

/* The most memory this process has had resident, in bytes. */
uint64_t base_peak_rss(void);

#endif
