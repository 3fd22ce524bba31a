/* workload/formats/aspen/run.h - evaluation of models: numbers, the time of blocks on a machine, walks.
 *
 * The first error ends an evaluation: `failed` is set, every function returns at once, and results are undefined. Depth
 * and steps are bounded, so every evaluation ends. */
#ifndef WORKLOAD_FORMATS_ASPEN_RUN_H
#define WORKLOAD_FORMATS_ASPEN_RUN_H

#include "workload/formats/aspen/aspen.h"
#include "workload/formats/aspen/program.h"

#define ASPEN_MOST_STEPS UINT64_C(50000000) /* evaluated statements and names */
#define ASPEN_MOST_NESTED 3000u             /* C frames, about */

enum { ASPEN_UNSET, ASPEN_BUSY, ASPEN_SET };

struct aspen_frame {
	double *v;
	unsigned char *state; /* ASPEN_UNSET ... */
};

/* A resource as a socket provides it. */
struct aspen_use {
	const char *name;
	const struct aspen_resource *resource; /* NULL: the machine has none of that name */
	double units;                          /* that share the parallelism of a block */
	double amount, seconds;                /* of the whole run; seconds: by itself */
};

struct aspen_kernel_time {
	double calls, seconds; /* seconds: of all calls, with what they call */
};

struct aspen_run {
	struct aspen *a;
	struct aspen_model *machine; /* NULL: no times */
	const char *socket;
	bool strict, failed;
	uint64_t seed, steps;
	uint32_t draws, depth, mark;
	const struct aspen_frame *frame;
	struct aspen_use *use; /* owned */
	uint32_t uses, use_cap;
	struct aspen_conflict **conflict; /* owned; those under the socket */
	uint32_t conflicts, conflict_cap;
	bool conflicts_known;
	struct aspen_kernel_time *kernel; /* [a->kernels.n], owned */
	struct aspen_program *program;    /* what is emitted; NULL: nothing */
	double block_without_comm;        /* seconds of the latest block, as emitted */
	double apart; /* fraction of the computation of a `par` that precedes its communication instead of overlapping
	                 with it: one minus the degree of overlap */
};

double aspen_eval(struct aspen_run *r, const struct aspen_expr *e);
int aspen_fail(struct aspen_run *r, struct aspen_at at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* false: the evaluation has failed, or has just failed because it took too many steps. */
bool aspen_step(struct aspen_run *r, struct aspen_at at);
/* A random number from the distribution of a `sample`. */
double aspen_draw(struct aspen_run *r, const struct aspen_expr *f);
double aspen_uniform(struct aspen_run *r); /* in (0, 1) */

/* Sets run->machine and run->socket; socket NULL selects the only one. -1 with an error. */
int aspen_choose(struct aspen_run *r, struct aspen_model *machine, const char *socket);
/* Seconds of an execute block that is executed `times` times; its requirements are added to r->use. */
double aspen_block_seconds(struct aspen_run *r, const struct aspen_stmt *t, double times);

/* Evaluates from `kernel` (without arguments); seconds, or r->failed. */
double aspen_walk(struct aspen_run *r, const struct aspen_kernel *kernel);
void aspen_run_free(struct aspen_run *r);

#endif
