/* base/memory.h - allocation that does not return NULL.
 *
 * Running out of memory ends the program with one line on standard error and exit status 1: the periodic output has
 * saved all partial results already. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names the current large allocation for that line: "FILE: a schedule of 8 ranks ...", until base_memory_made().
 * Control characters are replaced. Not to be called while another thread allocates. */
void base_memory_for(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void base_memory_made(void);

/* Allocates zeroed memory; free with free(). */
void *base_alloc(size_t bytes);
/* Allocates count * size zeroed bytes; an overflow of the product is treated as out of memory. */
void *base_calloc(size_t count, size_t size);
/* Zeroed memory at a multiple of `alignment`, a power of two from 16 to 64; free with base_free_aligned. */
void *base_calloc_aligned(size_t bytes, size_t alignment);
void base_free_aligned(void *block);
/* Grows an array: returns one with twice the capacity of `old`, or of 64 elements, and `old`'s elements. That is `old`
 * itself, reallocated, unless `old` is *borrowed, the caller's own buffer: then it is a copy, which *borrowed no longer
 * is. Free with free(). */
void *base_lengthen(void *old, uint32_t *cap, size_t bytes, bool *borrowed);
/* As realloc(), but ends the program if memory has run out; the added part is not cleared. */
void *base_realloc(void *old, size_t bytes);
char *base_strdup(const char *text);

/* As base_map(), but in small pages, for blocks of which little will be touched. */
void *base_map_sparse(size_t bytes);
/* Large zeroed blocks straight from the kernel, 64-byte aligned at least, with huge pages if possible. Untouched pages
 * cost nothing. Free with base_unmap and the same size. */
void *base_map(size_t bytes);
void base_unmap(void *block, size_t bytes);
/* The granularity in which such a block becomes resident when touched: a huge page or a small page. */
size_t base_map_grain(void);
/* Where addresses are limited (ulimit -v), makes all threads share one heap: the GNU C library otherwise reserves 64 MB
 * of addresses for each thread's heap, and 128 MB while it does so, which no estimate counts. To be called before
 * threads start. */
void base_heap_within_limit(void);
/* Addresses that a new thread's stack reserves, most of them never touched; 0: not known. */
uint64_t base_stack_bytes(void);
/* Bytes allocated with malloc() and not freed yet; 0: not known. */
uint64_t base_heap_bytes(void);

/* Peak resident memory of this process, in bytes. */
uint64_t base_peak_rss(void);

#endif
