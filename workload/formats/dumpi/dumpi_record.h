/* workload/formats/dumpi/dumpi_record.h - one record of a DUMPI trace, as it is in the file: a function and its
 * arguments.
 *
 * The arguments of a function are given by its layout, a string with one letter for each, in the order of the binary
 * form. Small letters and digits are numbers, capitals are arrays, and the same letter means the same everywhere:
 *
 *   32 bit  n count  m count received  d destination  s source  g tag  h tag received  r root  x own rank in comm
 *           z size of comm  k color  y key  o count of those done  j index  f flag  l length of a block  e result
 *           a request  i of no interest
 *   16 bit  t datatype  u datatype received, or new  c communicator  w new communicator  1 2 3 groups  v of no interest
 *    8 bit  p operation  b of no interest
 *   arrays  Q requests  S counts sent  R counts received  J indices  K ranks  L lengths  D dimensions  P periods
 *           X of no interest (32 bit each)  T datatypes  U datatypes received (16)  B C of no interest (8)
 *           V arrays of characters  E arrays of 32 bit
 *   $       statuses, if the record has them: 14 bytes each
 *   ?       the next is there only at the root (x = r)
 *
 * Source: docs/traceformat.dox and common/ of sst-dumpi (a4c8bf5); docs/traces.md. */
#ifndef WORKLOAD_FORMATS_DUMPI_DUMPI_RECORD_H
#define WORKLOAD_FORMATS_DUMPI_DUMPI_RECORD_H

#include "workload/formats/bytes.h"
#include "workload/mpi/call.h"

#define DUMPI_FUNCTIONS 290u
#define DUMPI_END_OF_STREAM 293u

/* Classes of functions that are not in enum mpi_op, for a replay. */
enum { DUMPI_LOCAL = -1, DUMPI_REFUSED = -2 };

struct dumpi_function {
	const char *name;   /* without "MPI_" */
	const char *layout; /* NULL: not known here */
	int op;             /* enum mpi_op, DUMPI_LOCAL or DUMPI_REFUSED */
};

extern const struct dumpi_function dumpi_function[DUMPI_FUNCTIONS];

/* A point in time as it is stored: seconds, of which binary files contain 16 bits, and ns. */
struct dumpi_stamp {
	uint64_t seconds;
	uint32_t ns;
};

enum dumpi_clock { DUMPI_WALL, DUMPI_CPU, DUMPI_CLOCKS };

#define DUMPI_LETTERS 36u
struct dumpi_record {
	uint32_t function;
	uint64_t place; /* in the file: where it begins */
	uint64_t line;  /* of text, else 0 */
	bool timed[DUMPI_CLOCKS];
	bool whole_seconds; /* of text */
	struct dumpi_stamp start[DUMPI_CLOCKS], stop[DUMPI_CLOCKS];
	int32_t value[DUMPI_LETTERS];
	uint64_t present; /* a bit a letter */
	struct mpi_list list[26];
	struct wl_bytes window; /* that it was read through; kept from record to record */
};

static inline unsigned dumpi_index(char letter)
{
	return letter >= 'a' ? (unsigned)(letter - 'a') : (unsigned)(letter - '0') + 26;
}
static inline int32_t dumpi_value(const struct dumpi_record *r, char letter)
{
	return r->value[dumpi_index(letter)];
}
static inline bool dumpi_has(const struct dumpi_record *r, char letter)
{
	return r->present >> dumpi_index(letter) & 1;
}
static inline void dumpi_set(struct dumpi_record *r, char letter, int32_t value)
{
	r->value[dumpi_index(letter)] = value;
	r->present |= UINT64_C(1) << dumpi_index(letter);
}
static inline struct mpi_list *dumpi_list(struct dumpi_record *r, char letter)
{
	return &r->list[letter - 'A'];
}

void dumpi_record_reset(struct dumpi_record *r);
void dumpi_record_free(struct dumpi_record *r);

/* One rank's file. */
struct dumpi_file {
	struct wl_trace_file file;
	bool text;
	uint64_t begin, end;         /* of the calls in it */
	uint32_t bias[DUMPI_CLOCKS]; /* s, added to stored times */
	uint32_t *size;              /* [sizes] bytes of each datatype, as the file says; NULL: it does not */
	uint32_t sizes;
};

/* Adds an error at a record. Returns WL_MPI_UNREADABLE. */
enum mpi_next dumpi_refuse(const struct dumpi_file *f, const struct dumpi_record *r, struct base_errors *errors,
                           const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Finds the sections of the file. -1 with an error. Both forms. */
int dumpi_open_binary(struct dumpi_file *f, struct base_errors *errors);
int dumpi_open_text(struct dumpi_file *f, struct base_errors *errors);
/* Reads the record at *at, and advances *at; *line counts records, or lines of a text. */
enum mpi_next dumpi_read_binary(const struct dumpi_file *f, uint64_t *at, uint64_t *line, struct dumpi_record *r,
                                struct base_errors *errors);
enum mpi_next dumpi_read_text(const struct dumpi_file *f, uint64_t *at, uint64_t *line, struct dumpi_record *r,
                              struct base_errors *errors);

/* ns since the clock's origin; `before` is a close earlier time: the missing upper bits of the seconds are chosen such
 * that the result is within 9 hours of it. */
uint64_t dumpi_moment(const struct dumpi_file *f, const struct dumpi_record *r, enum dumpi_clock clock, bool stop,
                      uint64_t before);

#endif
