/* workload/formats/dumpi/dumpi_binary.c - the binary form of DUMPI traces. Big endian; in a damaged file every length
 * may be wrong, so all are compared with the remaining bytes. Layout: docs/traces.md. */
#include "workload/formats/dumpi/dumpi_record.h"

#include "base/memory.h"

#include <inttypes.h>

#define MAGIC UINT64_C(0xffaadd44554d5049)
#define INDEX_MOST 32u   /* words of the index at the end */
#define OLDEST 0x000609u /* 0.6.9: before, some arguments were written otherwise */

/* What the first byte behind the function's number says. */
#define HAS_STATUSES 0x03u
#define HAS_CPU 0x04u
#define HAS_WALL 0x08u
#define HAS_THREAD 0x40u
#define HAS_COUNTERS 0x80u
#define FUNCTION_ENTER 291u
#define FUNCTION_EXIT 292u
#define STATUS_BYTES 14u

static int damaged(const struct dumpi_file *f, struct base_errors *errors, const char *what)
{
	char key[1024];
	return base_errorf(errors, wl_trace_key(f->file.path, 0, key, sizeof key), "%s", what);
}

/* Reads the index at the end of a file, backwards: the words are key values, footer, body, header, and further ones of
 * later versions. Returns the number of words, which the magic number before them determines; 0: there is no index. */
static unsigned read_index(const struct dumpi_file *f, uint64_t word[INDEX_MOST])
{
	struct wl_bytes b;
	for (unsigned i = 0; i < INDEX_MOST && f->file.size >= 8 * (i + UINT64_C(2)); i++) {
		wl_bytes_begin(&b, &f->file, f->file.size - 8 * (i + UINT64_C(1)));
		word[i] = wl_bytes_get(&b, 8);
		if (word[i] == MAGIC)
			return i;
	}
	return 0;
}

static int read_sizes(struct dumpi_file *f, uint64_t at, struct base_errors *errors)
{
	struct wl_bytes b;
	wl_bytes_begin(&b, &f->file, at);
	uint64_t n = wl_bytes_get(&b, 4);
	if (b.failed || n > 65536 || 4 * n > wl_bytes_left(&b))
		return damaged(f, errors, "the sizes of its datatypes are truncated");
	f->sizes = (uint32_t)n;
	f->size = base_calloc(n + 1, sizeof *f->size);
	for (uint32_t i = 0; i < n; i++)
		f->size[i] = (uint32_t)wl_bytes_get(&b, 4);
	return 0;
}

int dumpi_open_binary(struct dumpi_file *f, struct base_errors *errors)
{
	uint64_t word[INDEX_MOST];
	struct wl_bytes b;
	wl_bytes_begin(&b, &f->file, 0);
	if (wl_bytes_get(&b, 8) != MAGIC)
		return damaged(f, errors, "is not a DUMPI trace: it does not begin with ff aa dd DUMPI");
	unsigned n = read_index(f, word);
	if (n < 4)
		return damaged(f, errors,
		               "has no index at its end: it is truncated, or its program did not reach MPI_Finalize");
	uint64_t body = word[2], header = word[3], sizes = n > 6 ? word[6] : 0;
	f->end = f->file.size - 8 * (n + UINT64_C(1));
	if (body < 8 || body > f->end || f->end - body < 10 || header > f->end || sizes > f->end)
		return damaged(f, errors, "its index points outside the file");
	if (header) {
		wl_bytes_begin(&b, &f->file, header);
		if (wl_bytes_get(&b, 3) < OLDEST)
			return damaged(f, errors, "has a version before 0.6.9, whose arguments differ");
	}
	wl_bytes_begin(&b, &f->file, body);
	f->bias[DUMPI_CPU] = (uint32_t)wl_bytes_get(&b, 4);
	f->bias[DUMPI_WALL] = (uint32_t)wl_bytes_get(&b, 4);
	f->begin = body + 8;
	return sizes ? read_sizes(f, sizes, errors) : 0;
}

static struct dumpi_stamp read_stamp(struct wl_bytes *b)
{
	uint64_t seconds = wl_bytes_get(b, 2);
	return (struct dumpi_stamp){ .seconds = seconds, .ns = (uint32_t)wl_bytes_get(b, 4) };
}

static void read_clock(struct wl_bytes *b, struct dumpi_record *r, enum dumpi_clock clock)
{
	r->start[clock] = read_stamp(b);
	r->stop[clock] = read_stamp(b);
	r->timed[clock] = true;
}

/* The length of an array of elements of so many bytes; 0 and `failed` if it is longer than the file. */
static uint64_t read_length(struct wl_bytes *b, uint64_t bytes)
{
	uint64_t n = wl_bytes_get(b, 4);
	if (n * bytes > wl_bytes_left(b)) {
		b->failed = true;
		return 0;
	}
	return n;
}

static void read_array(struct wl_bytes *b, struct dumpi_record *r, char letter)
{
	unsigned bytes = letter == 'T' || letter == 'U' ? 2 : 4;
	struct mpi_list *list = dumpi_list(r, letter);
	list->n = 0;
	for (uint64_t n = read_length(b, bytes); n && !b->failed; n--)
		mpi_list_add(list, wl_bytes_get(b, bytes));
}

/* Arrays of arrays: of characters, which are skipped, and of ranges of a group, which are flattened. */
static void read_arrays(struct wl_bytes *b, struct dumpi_record *r, char letter)
{
	for (uint64_t n = read_length(b, 4); n && !b->failed; n--) {
		if (letter == 'V')
			wl_bytes_skip(b, wl_bytes_get(b, 4));
		else
			for (uint64_t k = read_length(b, 4); k && !b->failed; k--)
				mpi_list_add(dumpi_list(r, letter), wl_bytes_get(b, 4));
	}
}

static void read_argument(struct wl_bytes *b, struct dumpi_record *r, char letter, unsigned mask)
{
	switch (letter) {
	case '$':
		if (mask & HAS_STATUSES)
			wl_bytes_skip(b, STATUS_BYTES * read_length(b, STATUS_BYTES));
		break;
	case 'V':
	case 'E':
		read_arrays(b, r, letter);
		break;
	case 'X':
		wl_bytes_skip(b, 4 * read_length(b, 4));
		break;
	case 'B':
	case 'C':
		wl_bytes_skip(b, read_length(b, 1));
		break;
	case 'p':
	case 'b':
		dumpi_set(r, letter, (int32_t)wl_bytes_get(b, 1));
		break;
	case 't':
	case 'u':
	case 'c':
	case 'w':
	case 'v':
	case '1':
	case '2':
	case '3':
		dumpi_set(r, letter, (int32_t)wl_bytes_get(b, 2));
		break;
	default:
		if (letter >= 'A' && letter <= 'Z')
			read_array(b, r, letter);
		else
			dumpi_set(r, letter, (int32_t)(uint32_t)wl_bytes_get(b, 4));
	}
}

static unsigned read_head(struct wl_bytes *b, struct dumpi_record *r)
{
	unsigned mask = (unsigned)wl_bytes_get(b, 1);
	if (mask & HAS_THREAD)
		wl_bytes_skip(b, 2);
	if (mask & HAS_CPU)
		read_clock(b, r, DUMPI_CPU);
	if (mask & HAS_WALL)
		read_clock(b, r, DUMPI_WALL);
	if (mask & HAS_COUNTERS)
		wl_bytes_skip(b, 16 * wl_bytes_get(b, 1));
	return mask;
}

static enum mpi_next ended(const struct dumpi_file *f, const struct dumpi_record *r, struct base_errors *errors)
{
	return dumpi_refuse(f, r, errors, "the calls are truncated: their end is not marked");
}

enum mpi_next dumpi_read_binary(const struct dumpi_file *f, uint64_t *at, uint64_t *line, struct dumpi_record *r,
                                struct base_errors *errors)
{
	struct wl_bytes *b = &r->window;
	wl_bytes_move(b, &f->file, *at);
	for (;;) {
		dumpi_record_reset(r);
		r->place = wl_bytes_place(b);
		r->function = DUMPI_FUNCTIONS;
		uint32_t function = (uint32_t)wl_bytes_get(b, 2);
		if (b->failed)
			return ended(f, r, errors);
		if (function == DUMPI_END_OF_STREAM)
			return WL_MPI_END;
		if (function != FUNCTION_ENTER && function != FUNCTION_EXIT) {
			r->function = function;
			break;
		}
		read_head(b, r); /* of a function of the program, with its address */
		wl_bytes_skip(b, 8);
	}
	if (r->function >= DUMPI_FUNCTIONS)
		return dumpi_refuse(f, r, errors, "%" PRIu32 " is not the number of a function", r->function);
	const char *layout = dumpi_function[r->function].layout;
	if (!layout)
		return dumpi_refuse(f, r, errors, "is a call that cannot be replayed");
	unsigned mask = read_head(b, r);
	for (; *layout && !b->failed; layout++) {
		if (*layout != '?')
			read_argument(b, r, *layout, mask);
		else if (dumpi_value(r, 'x') != dumpi_value(r, 'r'))
			layout++;
	}
	if (b->failed || wl_bytes_place(b) > f->end)
		return dumpi_refuse(f, r, errors, "the arguments of the call are truncated");
	*at = wl_bytes_place(b);
	++*line;
	return WL_MPI_CALL;
}
