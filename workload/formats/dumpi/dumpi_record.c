/* workload/formats/dumpi/dumpi_record.c - see dumpi_record.h: what both forms share. */
#include "workload/formats/dumpi/dumpi_record.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void dumpi_record_reset(struct dumpi_record *r)
{
	r->place = r->line = 0;
	r->present = 0;
	for (unsigned i = 0; i < DUMPI_CLOCKS; i++)
		r->timed[i] = false;
	r->whole_seconds = false;
	for (unsigned i = 0; i < sizeof r->list / sizeof *r->list; i++)
		r->list[i].n = 0;
	for (unsigned i = 0; i < DUMPI_LETTERS; i++)
		r->value[i] = 0;
}

void dumpi_record_free(struct dumpi_record *r)
{
	for (unsigned i = 0; i < sizeof r->list / sizeof *r->list; i++)
		free(r->list[i].v);
}

uint64_t dumpi_moment(const struct dumpi_file *f, const struct dumpi_record *r, enum dumpi_clock clock, bool stop,
                      uint64_t before)
{
	const struct dumpi_stamp *s = stop ? &r->stop[clock] : &r->start[clock];
	uint64_t last = before / 1000000000u, seconds = s->seconds;
	if (!r->whole_seconds) {
		seconds = last + (uint64_t)(int16_t)(uint16_t)(seconds + f->bias[clock] - last);
		if (!before) /* the first, from the bias on */
			seconds = s->seconds + f->bias[clock];
	}
	if (seconds > UINT64_MAX / 2000000000u) /* before the clock began, or a damaged text */
		return before;
	uint64_t moment = seconds * 1000000000u + s->ns;
	return moment > before ? moment : before;
}

enum mpi_next dumpi_refuse(const struct dumpi_file *f, const struct dumpi_record *r, struct base_errors *errors,
                           const char *fmt, ...)
{
	char key[1200], text[300];
	va_list ap;
	if (!errors)
		return WL_MPI_UNREADABLE;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	wl_trace_key(f->file.path, r->line, key, sizeof key);
	if (r->function >= DUMPI_FUNCTIONS && r->line)
		base_errorf(errors, key, "%s", text);
	else if (r->function >= DUMPI_FUNCTIONS)
		base_errorf(errors, key, "byte %" PRIu64 ": %s", r->place, text);
	else if (r->line)
		base_errorf(errors, key, "MPI_%s: %s", dumpi_function[r->function].name, text);
	else
		base_errorf(errors, key, "byte %" PRIu64 ": MPI_%s: %s", r->place, dumpi_function[r->function].name,
		            text);
	return WL_MPI_UNREADABLE;
}
