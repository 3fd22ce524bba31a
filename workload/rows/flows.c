/* workload/rows/flows.c - see flows.h */
#include "workload/rows/flows.h"

#include "base/memory.h"
#include "base/param.h"
#include "workload/rows/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum flow_column { START, SOURCE, DESTINATION, BYTES, CLASS, COLUMNS };
static const char *const names[COLUMNS] = { "start", "source", "destination", "bytes", "class" };

#define NO_COLUMN UINT32_MAX

struct flow_reader {
	const struct wl_flows_of *of;
	struct wl_rows rows;
	uint32_t at[COLUMNS]; /* where each column is */
	uint32_t columns;
	unsigned places;
	struct wl_flow *v; /* `spare` is the source, in the order of the file */
	uint64_t n, cap;
	uint64_t before; /* start of the flow before, of whatever class */
};

/* --- the head --------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	unsigned places;
} starts[] = { { "start_ps", 0 }, { "start_ns", 3 }, { "start_us", 6 }, { "start_ms", 9 }, { "start_s", 12 } };

static uint32_t column_of(struct flow_reader *r, const struct wl_cell *c)
{
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (wl_cell_is(c, starts[i].name)) {
			r->places = starts[i].places;
			return START;
		}
	for (uint32_t k = 0; k < COLUMNS; k++)
		if (wl_cell_is(c, names[k]))
			return k;
	return NO_COLUMN;
}

static void unknown_column(struct flow_reader *r, const struct wl_cell *c)
{
	static const char *const all[] = { "start",   "start_ps", "start_ns",    "start_us", "start_ms",
		                           "start_s", "source",   "destination", "bytes",    "class" };
	char word[64];
	snprintf(word, sizeof word, "%.*s", (int)(c->length < 60 ? c->length : 60), c->at);
	const char *near = base_nearest(word, all, sizeof all / sizeof *all);
	if (near)
		wl_rows_problem(&r->rows, c, "unknown column, did you mean \"%s\"?", near);
	else
		wl_rows_problem(&r->rows, c,
		                "unknown column; there are start, source, destination, bytes, class, and start_ps to "
		                "start_s");
}

/* The row names columns. */
static void read_head(struct flow_reader *r)
{
	memset(r->at, 0xff, sizeof r->at);
	r->columns = (uint32_t)r->rows.cells;
	for (uint32_t i = 0; i < r->columns; i++) {
		uint32_t k = column_of(r, &r->rows.cell[i]);
		if (k == NO_COLUMN)
			unknown_column(r, &r->rows.cell[i]);
		else if (r->at[k] != NO_COLUMN)
			wl_rows_problem(&r->rows, &r->rows.cell[i], "a second column of this kind");
		else
			r->at[k] = i;
	}
	for (uint32_t k = START; k < CLASS && !r->rows.problems; k++)
		if (r->at[k] == NO_COLUMN)
			wl_rows_problem(&r->rows, NULL, "a column \"%s\" is missing", names[k]);
}

/* Without a head: the first row is one of four or five columns. */
static void assume_head(struct flow_reader *r)
{
	r->columns = r->rows.cells == COLUMNS ? COLUMNS : CLASS;
	for (uint32_t k = 0; k < COLUMNS; k++)
		r->at[k] = k < r->columns ? k : NO_COLUMN;
}

/* --- rows ------------------------------------------------------------------------------------------------------- */

static bool read_member(struct flow_reader *r, const struct wl_cell *c, const char *what, uint32_t *out)
{
	uint64_t v;
	if (wl_cell_count(c, r->of->members - 1, &v)) {
		*out = (uint32_t)v;
		return true;
	}
	wl_rows_problem(&r->rows, c, "unknown %s: the job's endpoints are numbered from 0 to %" PRIu32, what,
	                r->of->members - 1);
	return false;
}

static bool read_start(struct flow_reader *r, const struct wl_cell *c, uint64_t *out)
{
	enum wl_decimal found = wl_cell_decimal(c, r->places, out);
	if (found == WL_DECIMAL_GOOD && *out > (uint64_t)1000000000000000000)
		found = WL_DECIMAL_TOO_LARGE;
	if (found != WL_DECIMAL_GOOD) {
		wl_rows_bad_decimal(&r->rows, c, found, "a start");
		return false;
	}
	if (*out >= r->before) {
		r->before = *out;
		return true;
	}
	wl_rows_problem(&r->rows, c, "this flow starts before the one above it: flows are in order of their starts");
	return false;
}

static bool read_bytes(struct flow_reader *r, const struct wl_cell *c, uint64_t *out)
{
	if (wl_cell_count(c, r->of->most_bytes, out) && *out)
		return true;
	wl_rows_problem(&r->rows, c, "the bytes of a flow are a whole number from 1 to %" PRIu64, r->of->most_bytes);
	return false;
}

/* false: unknown. An empty cell is the first class. */
static bool read_class(struct flow_reader *r, const struct wl_cell *c, uint32_t *out)
{
	const struct wl_flows_of *of = r->of;
	char word[64];
	*out = 0;
	if (!c->length)
		return true;
	for (; *out < of->classes; ++*out)
		if (strlen(of->class_name[*out]) == c->length && !memcmp(of->class_name[*out], c->at, c->length))
			return true;
	snprintf(word, sizeof word, "%.*s", (int)(c->length < 60 ? c->length : 60), c->at);
	const char *near = base_nearest(word, of->class_name, of->classes);
	if (near)
		wl_rows_problem(&r->rows, c, "there is no class of this name, did you mean \"%.60s\"?", near);
	else
		wl_rows_problem(&r->rows, c,
		                "there is no class of this name in section classes; the first is \"%.60s\"",
		                of->classes ? of->class_name[0] : "default");
	return false;
}

static void add_flow(struct flow_reader *r, const struct wl_flow *f)
{
	if (r->n == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 4096;
		r->v = base_realloc(r->v, r->cap * sizeof *r->v);
	}
	r->v[r->n++] = *f;
}

static void read_row(struct flow_reader *r)
{
	const struct wl_cell *c = r->rows.cell;
	struct wl_flow f = { 0 };
	uint32_t class = r->of->class_index;
	if (r->rows.cells != r->columns) {
		wl_rows_problem(&r->rows, NULL, "%zu values; a flow has %" PRIu32 " in this file", r->rows.cells,
		                r->columns);
		return;
	}
	bool good = read_start(r, &c[r->at[START]], &f.start);
	good = read_member(r, &c[r->at[SOURCE]], "source", &f.spare) && good;
	good = read_member(r, &c[r->at[DESTINATION]], "destination", &f.to) && good;
	good = read_bytes(r, &c[r->at[BYTES]], &f.bytes) && good;
	if (r->at[CLASS] != NO_COLUMN)
		good = read_class(r, &c[r->at[CLASS]], &class) && good;
	if (good && f.spare == f.to)
		wl_rows_problem(&r->rows, &c[r->at[DESTINATION]], "the destination of a flow is its source");
	else if (good && r->of->taken && !r->of->taken[class])
		wl_rows_problem(&r->rows, r->at[CLASS] != NO_COLUMN ? &c[r->at[CLASS]] : NULL,
		                "no job takes the flows of this class: traffic needs one with this file and class = "
		                "\"%.60s\"",
		                r->of->class_name[class]);
	else if (good && class == r->of->class_index)
		add_flow(r, &f);
}

/* --- the tables -------------------------------------------------------------------------------------------------- */

/* A counting sort by source, which keeps the order of starts. */
static void sort_by_source(struct wl_flows *out, struct flow_reader *r)
{
	uint32_t members = r->of->members;
	out->n = r->n;
	out->first = base_calloc((size_t)members + 1, sizeof *out->first);
	out->expected = base_calloc(members, sizeof *out->expected);
	out->v = base_calloc(r->n, sizeof *out->v);
	for (uint64_t i = 0; i < r->n; i++) {
		const struct wl_flow *f = &r->v[i];
		out->first[f->spare + 1]++;
		out->expected[f->to]++;
		out->bytes += f->bytes;
		out->last_start = f->start;
		uint64_t last = r->of->packet ? f->bytes % r->of->packet : 0;
		if (last && (!out->least_packet || last < out->least_packet))
			out->least_packet = last;
	}
	for (uint32_t m = 0; m < members; m++)
		out->first[m + 1] += out->first[m];
	for (uint64_t i = 0; i < r->n; i++) { /* first[] moves on, and back after it */
		struct wl_flow f = r->v[i];
		uint64_t at = out->first[f.spare]++;
		f.spare = 0;
		out->v[at] = f;
	}
	memmove(out->first + 1, out->first, members * sizeof *out->first);
	out->first[0] = 0;
}

struct reading_flows {
	struct wl_flows *out;
	const struct wl_flows_of *of;
};

static int read_file(void *self, struct base_errors *errors)
{
	const struct reading_flows *x = self;
	struct flow_reader r = { .of = x->of, .places = x->of->places };
	if (wl_rows_open(&r.rows, x->of->file, x->of->key, errors))
		return -1;
	base_memory_for("%s: its flows", x->of->file);
	bool first = true;
	while (wl_rows_next(&r.rows)) {
		if (first && !wl_cell_is_number(&r.rows.cell[0])) {
			read_head(&r);
			if (r.rows.problems)
				break;
		} else {
			if (first)
				assume_head(&r);
			read_row(&r);
		}
		first = false;
	}
	if (!r.rows.problems && first)
		wl_rows_problem(&r.rows, NULL, "the file has no flows");
	else if (!r.rows.problems && !r.n)
		wl_rows_problem(&r.rows, NULL, "the file has no flows of the job's class");
	if (!r.rows.problems)
		sort_by_source(x->out, &r);
	base_memory_made();
	free(r.v);
	return wl_rows_close(&r.rows);
}

static size_t list_words(void *self, uint64_t *at[WL_ONCE_WORDS])
{
	struct wl_flows *f = ((const struct reading_flows *)self)->out;
	at[0] = &f->n;
	at[1] = &f->last_start;
	at[2] = &f->bytes;
	at[3] = &f->least_packet;
	return 4;
}

static size_t list_arrays(void *self, struct sim_array out[WL_ONCE_ARRAYS])
{
	const struct reading_flows *x = self;
	struct wl_flows *f = x->out;
	size_t members = x->of ? x->of->members : 0; /* lengths are not asked for when they are freed */
	out[0] = (struct sim_array){ (void **)(void *)&f->first, (members + 1) * sizeof *f->first };
	out[1] = (struct sim_array){ (void **)(void *)&f->expected, members * sizeof *f->expected };
	out[2] = (struct sim_array){ (void **)(void *)&f->v, (size_t)f->n * sizeof *f->v };
	return 3;
}

static const struct wl_once_ops once_ops = { read_file, list_words, list_arrays };

int wl_flows_read(struct wl_flows *out, const struct wl_flows_of *of, struct base_errors *errors)
{
	struct reading_flows x = { out, of };
	*out = (struct wl_flows){ 0 };
	return wl_once_read(&out->once, &once_ops, &x, errors);
}

void wl_flows_free(struct wl_flows *flows)
{
	struct reading_flows x = { flows, NULL };
	wl_once_free(&flows->once, &once_ops, &x);
}
