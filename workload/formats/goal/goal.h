/* workload/formats/goal/goal.h - GOAL schedules: what each rank of an application does, and what each operation waits
 * for.
 *
 * One schedule in memory is 32 bytes an operation and 4 a dependency, whatever form it was read from:
 *
 *   op    | rank 0's ... | rank 1's ... | ... | end |     operations of a rank are contiguous, in the file's order
 *            |first
 *   next  | requires of op 0 | irequires of op 0 | requires of op 1 | ...
 *
 * next[op.first .. op.mid) are the operations that may start when op has finished, next[op.mid .. (op + 1).first) those
 * that may when it has started; all of the same rank. In both lists the order is that of the file's lines.
 *
 * Invariants of a schedule that has been read: every peer of a send is a rank, no send has the tag WL_GOAL_ANY,
 * op.waits is the number of times that it is in `next`, and no operation waits for itself. The formats are described in
 * docs/goal.md. */
#ifndef WORKLOAD_FORMATS_GOAL_GOAL_H
#define WORKLOAD_FORMATS_GOAL_GOAL_H

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>

#define WL_GOAL_ANY UINT32_MAX  /* source or tag of a receive */
#define WL_GOAL_MOST UINT32_MAX /* fewer operations, and fewer dependencies, in all */
#define WL_GOAL_RANKS (1u << 28)

enum wl_goal_kind { WL_GOAL_SEND = 1, WL_GOAL_RECV = 2, WL_GOAL_CALC = 3 }; /* as in binary files */

struct wl_goal_op {
	uint64_t size; /* bytes, or time in the file's unit */
	uint32_t peer, tag;
	uint32_t first, mid;
	uint32_t waits;
	uint8_t kind, cpu, nic;
	uint8_t unused;
};

struct wl_goal {
	uint32_t ranks;
	uint32_t ops, dependencies;
	uint32_t *first_op;    /* [ranks + 1] */
	struct wl_goal_op *op; /* [ops + 1]; of the last one only `first` counts */
	uint32_t *next;        /* [dependencies] */
	uint32_t cpus, nics;   /* highest numbers + 1 */
};

struct wl_goal_facts {
	uint64_t sends, recvs, calcs, send_bytes, recv_bytes, calc_time, requires, irequires;
};

/* Reads a file, text or binary, which is detected from its first bytes. Every error, up to twenty, is reported at the
 * key "@FILE:LINE:COLUMN" (text) or "@FILE" (binary). On failure returns -1, and *out is empty. Time: O(bytes). */
int wl_goal_load(struct wl_goal *out, const char *path, struct base_errors *errors);
/* Reads text in memory; error messages use `name`. */
int wl_goal_parse(struct wl_goal *out, const char *bytes, size_t n, const char *name, struct base_errors *errors);
void wl_goal_free(struct wl_goal *goal);
/* Multiplies the times of computations, rounded, up to 10^17. */
void wl_goal_scale(struct wl_goal *goal, double by);

/* The text of a memory error: NAME, ranks, operations, and the purpose of the memory, as in "is replayed on the
 * network"; see base_memory_for(). */
void wl_goal_memory_for(const struct wl_goal *goal, const char *name, const char *what);

void wl_goal_count(const struct wl_goal *goal, struct wl_goal_facts *out);
/* The rank to which an operation belongs. O(log ranks). */
uint32_t wl_goal_rank_of(const struct wl_goal *goal, uint32_t op);
/* Formats an operation for error messages, as in "send 800 B to rank 0, tag 7". Returns out. */
const char *wl_goal_describe(const struct wl_goal *goal, uint32_t op, char *out, size_t room);

/* Both functions return -1 if the stream has an error. The text contains options in the order that all readers accept;
 * reading it back gives the same schedule. */
int wl_goal_write_text(const struct wl_goal *goal, FILE *out);
int wl_goal_write_binary(const struct wl_goal *goal, FILE *out);

#endif
