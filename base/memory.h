/* base/memory.h - allocation that does not return NULL.
 *
 * Running out of memory ends the program with one line on standard error and exit status 1. Partial results are not
 * written at that moment: the program saves them periodically. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets the text by which the line on standard error names the current large allocation, for example "FILE: a schedule
 * of 8 ranks ...". It holds until base_memory_made() is called. Control characters are replaced. Must not be called
 * while another thread allocates. */
void base_memory_for(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void base_memory_made(void);

/* Allocates zeroed memory; free with free(). */
void *base_alloc(size_t bytes);
/* Allocates count * size zeroed bytes; an overflow of the product is treated as out of memory. */
void *base_calloc(size_t count, size_t size);
/* Allocates zeroed memory at a multiple of `alignment`, a power of two from 16 to 64; free with base_free_aligned(). */
void *base_calloc_aligned(size_t bytes, size_t alignment);
void base_free_aligned(void *block);
/* Doubles the capacity of an array of elements of `bytes` bytes, or sets it to 64 elements if *cap is 0. If *borrowed,
 * `old` is a buffer that must not be reallocated: its elements are copied to new memory, and *borrowed becomes false.
 * Otherwise `old` is reallocated. Returns the larger array, which the caller frees with free(). */
void *base_lengthen(void *old, uint32_t *cap, size_t bytes, bool *borrowed);
/* As realloc(), but ends the program if memory has run out. The added part is not set to zero. */
void *base_realloc(void *old, size_t bytes);
char *base_strdup(const char *text);

/* As base_map(), but in small pages only, for large blocks of which only a small part will be touched. */
void *base_map_sparse(size_t bytes);
/* Maps a large zeroed block of memory, aligned to at least 64 bytes, in huge pages if possible. Untouched pages take no
 * memory. Free with base_unmap() and the same size. */
void *base_map(size_t bytes);
void base_unmap(void *block, size_t bytes);
/* Number of bytes of a block of base_map() that become resident at a time when it is touched: the size of a huge page,
 * or of a small page if there are no huge pages. */
size_t base_map_grain(void);
/* If the address space is limited (ulimit -v), makes all threads share one heap. Otherwise the GNU C library reserves
 * 64 MB of addresses for the heap of each thread, and 128 MB while it does so, which estimates of memory do not
 * include. Must be called before threads start. */
void base_heap_within_limit(void);
/* Bytes of address space that the stack of a new thread reserves; most of them are never touched. 0 if the number is
 * not known. */
uint64_t base_stack_bytes(void);
/* Bytes that are allocated with malloc() and not freed; 0 if the number is not known. */
uint64_t base_heap_bytes(void);

/* Peak resident memory of this process, in bytes. */
uint64_t base_peak_rss(void);

#endif
