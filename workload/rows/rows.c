/* workload/rows/rows.c - see rows.h
 *
 * text[begin .. end) has been read and not been returned yet; a line is moved to the front when it does not fit. */
#include "workload/rows/rows.h"

#include "base/format.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zlib.h>

#define FIRST_ROOM ((size_t)64 << 10)
#define SHOWN 40u /* bytes of a cell in a message */

int wl_rows_open(struct wl_rows *r, const char *file, const char *key, struct base_errors *errors)
{
	const char *why = "out of memory";
	*r = (struct wl_rows){ .file = file, .key = key, .errors = errors, .room = FIRST_ROOM };
	int fd = base_open_input(file, false, &why);
	r->in = fd >= 0 ? gzdopen(fd, "rb") : NULL;
	if (!r->in) {
		if (fd >= 0)
			close(fd);
		return base_errorf(errors, key, "%s cannot be opened: %s", file, why);
	}
	gzbuffer(r->in, 1 << 17);
	r->text = base_alloc(r->room + 1);
	return 0;
}

void wl_rows_problem(struct wl_rows *r, const struct wl_cell *cell, const char *fmt, ...)
{
	char shown[SHOWN + 4] = "", place[16] = ""; /* a file without lines has none */
	va_list ap;
	if (r->problems++ >= WL_ROWS_ERRORS)
		return;
	va_start(ap, fmt);
	char *text = base_vformat(fmt, ap);
	va_end(ap);
	if (cell) {
		snprintf(shown, sizeof shown, "%.*s%s", (int)(cell->length < SHOWN ? cell->length : SHOWN), cell->at,
		         cell->length > SHOWN ? "..." : "");
		base_harmless(shown, false);
	}
	if (r->line)
		snprintf(place, sizeof place, ":%u", r->line);
	base_errorf(r->errors, r->key, "%s%s: %s%s%s%s", r->file, place, text, cell ? ": \"" : "", shown,
	            cell ? "\"" : "");
	free(text);
}

static void fail(struct wl_rows *r, const char *text)
{
	r->problems++;
	r->done = true;
	base_errorf(r->errors, r->key, "%s cannot be read: %s", r->file, text);
}

/* Reads more behind what is there. false: nothing is left. */
static bool read_more(struct wl_rows *r)
{
	int status = Z_OK;
	if (r->begin) {
		memmove(r->text, r->text + r->begin, r->end - r->begin);
		r->end -= r->begin;
		r->begin = 0;
	}
	if (r->end == r->room) {
		if (r->room >= WL_ROWS_LINE) {
			r->line++;
			wl_rows_problem(r, NULL, "a line is longer than %zu bytes", WL_ROWS_LINE);
			r->done = true;
			return false;
		}
		r->room *= 2;
		r->text = base_realloc(r->text, r->room + 1);
	}
	int got = gzread(r->in, r->text + r->end, (unsigned)(r->room - r->end));
	const char *why = gzerror(r->in, &status);
	if (got > 0) {
		r->end += (size_t)got;
		return true;
	}
	if (got < 0 || status == Z_BUF_ERROR)
		fail(r, status == Z_ERRNO ? strerror(errno) : status == Z_BUF_ERROR ? "it ends too early" : why);
	return false;
}

/* The next line, without its end. false: there is none. */
static bool next_line(struct wl_rows *r, char **at, char **stop)
{
	size_t seen = 0;
	while (!r->done) {
		char *start = r->text + r->begin, *end = memchr(start + seen, '\n', r->end - r->begin - seen);
		if (end) {
			*at = start;
			*stop = end;
			r->begin += (size_t)(end - start) + 1;
			r->line++;
			return true;
		}
		seen = r->end - r->begin;
		if (read_more(r))
			continue;
		if (r->done || !seen)
			break;
		r->done = r->last_open = true;
		*at = r->text + r->begin;
		*stop = r->text + r->end;
		r->begin = r->end;
		r->line++;
		return true;
	}
	r->done = true;
	return false;
}

static void add_cell(struct wl_rows *r, const char *at, const char *end)
{
	if (r->cells == r->cell_room) {
		r->cell_room = r->cell_room ? 2 * r->cell_room : 16;
		r->cell = base_realloc(r->cell, r->cell_room * sizeof *r->cell);
	}
	if (end - at >= 2 && *at == '"' && end[-1] == '"') { /* CSV of spreadsheets */
		at++;
		end--;
	}
	r->cell[r->cells++] = (struct wl_cell){ at, (uint32_t)(end - at) };
}

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Blanks, or one comma or semicolon and the blanks around it, lie between two cells: two commas have an empty one
 * between them. */
static void split_line(struct wl_rows *r, const char *at, const char *end)
{
	r->cells = 0;
	while (at < end && is_blank(*at))
		at++;
	while (at < end && *at != '#') {
		const char *start = at;
		while (at < end && !is_blank(*at) && *at != ',' && *at != ';' && *at != '#')
			at++;
		add_cell(r, start, at);
		while (at < end && is_blank(*at))
			at++;
		if (at == end || (*at != ',' && *at != ';'))
			continue;
		at++;
		while (at < end && is_blank(*at))
			at++;
		if (at == end || *at == '#')
			add_cell(r, at, at);
	}
}

bool wl_rows_next(struct wl_rows *r)
{
	char *at, *stop;
	while (next_line(r, &at, &stop)) {
		if (r->line == 1 && stop - at >= 3 && !memcmp(at, "\xef\xbb\xbf", 3)) /* a byte order mark */
			at += 3;
		split_line(r, at, stop);
		if (r->cells)
			return true;
	}
	r->cells = 0;
	return false;
}

int wl_rows_close(struct wl_rows *r)
{
	if (r->problems > WL_ROWS_ERRORS)
		base_errorf(r->errors, r->key, "%s: %u more problems of this kind", r->file,
		            r->problems - WL_ROWS_ERRORS);
	else if (!r->problems && r->last_open)
		base_warnf(r->errors, r->key, "%s:%u: the last line has no end: is the file whole?", r->file, r->line);
	gzclose_r(r->in);
	free(r->text);
	free(r->cell);
	return r->problems ? -1 : 0;
}

/* --- cells ---------------------------------------------------------------------------------------------------- */

bool wl_cell_is(const struct wl_cell *c, const char *word)
{
	return strlen(word) == c->length && !strncasecmp(c->at, word, c->length);
}

static enum wl_decimal scan_word(const struct wl_cell *c)
{
	static const char *const words[] = {
		"nan", "inf", "-inf", "+inf", "infinity", "-infinity", "+infinity", "-nan"
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (wl_cell_is(c, words[i]))
			return WL_DECIMAL_NOT_FINITE;
	return WL_DECIMAL_NONE;
}

bool wl_cell_is_number(const struct wl_cell *c)
{
	const char *at = c->at, *end = at + c->length;
	if (scan_word(c) == WL_DECIMAL_NOT_FINITE)
		return true;
	if (at < end && (*at == '-' || *at == '+'))
		at++;
	if (at < end && *at == '.')
		at++;
	return at < end && *at >= '0' && *at <= '9';
}

#define DIGITS 19u /* that 64 bits hold; those behind do not change what is rounded, but by their order */

/* mantissa * 10^exponent; more: digits that are not 0 follow the mantissa. */
struct decimal {
	uint64_t mantissa;
	int64_t exponent;
	bool more;
};

static void take_digit(struct decimal *d, unsigned digit, bool fraction)
{
	if (d->mantissa < UINT64_C(1000000000000000000)) {
		d->mantissa = 10 * d->mantissa + digit;
		d->exponent -= fraction;
	} else {
		d->more |= digit != 0;
		d->exponent += !fraction;
	}
}

/* "e-12" and the end. */
static bool scan_exponent(const char *at, const char *end, struct decimal *d)
{
	bool minus = false;
	int64_t e = 0;
	if (at == end)
		return true;
	if (*at != 'e' && *at != 'E')
		return false;
	at++;
	if (at < end && (*at == '-' || *at == '+'))
		minus = *at++ == '-';
	if (at == end)
		return false;
	for (; at < end; at++) {
		if (*at < '0' || *at > '9')
			return false;
		e = e < 100000 ? 10 * e + (*at - '0') : e;
	}
	d->exponent += minus ? -e : e;
	return true;
}

static enum wl_decimal scan_decimal(const struct wl_cell *c, struct decimal *d)
{
	const char *at = c->at, *end = at + c->length;
	bool minus = false, digits = false;
	*d = (struct decimal){ 0 };
	if (at < end && (*at == '-' || *at == '+'))
		minus = *at++ == '-';
	for (; at < end && *at >= '0' && *at <= '9'; at++, digits = true)
		take_digit(d, (unsigned)(*at - '0'), false);
	if (at < end && *at == '.')
		for (at++; at < end && *at >= '0' && *at <= '9'; at++, digits = true)
			take_digit(d, (unsigned)(*at - '0'), true);
	if (!digits || !scan_exponent(at, end, d))
		return scan_word(c);
	return minus && d->mantissa ? WL_DECIMAL_NEGATIVE : WL_DECIMAL_GOOD;
}

enum wl_decimal wl_cell_decimal(const struct wl_cell *c, unsigned places, uint64_t *out)
{
	struct decimal d;
	enum wl_decimal found = scan_decimal(c, &d);
	*out = 0;
	if (found != WL_DECIMAL_GOOD || !d.mantissa)
		return found;
	int64_t shift = d.exponent + places;
	if (shift > (int64_t)DIGITS || (shift > 0 && d.more)) /* above 10^19 */
		return WL_DECIMAL_TOO_LARGE;
	uint64_t v = d.mantissa;
	for (; shift > 0; shift--)
		if (__builtin_mul_overflow(v, UINT64_C(10), &v))
			return WL_DECIMAL_TOO_LARGE;
	unsigned last = 0; /* the digit that was taken off last; what is behind it does not decide */
	for (; shift < 0 && (v || last); shift++) {
		last = (unsigned)(v % 10);
		v /= 10;
	}
	*out = v + (shift == 0 && last >= 5);
	return WL_DECIMAL_GOOD;
}

bool wl_cell_count(const struct wl_cell *c, uint64_t most, uint64_t *out)
{
	struct decimal d;
	uint64_t v = 0;
	if (c->length && c->length < DIGITS) { /* almost always */
		uint32_t i = 0;
		while (i < c->length && c->at[i] >= '0' && c->at[i] <= '9')
			v = 10 * v + (uint64_t)(c->at[i++] - '0');
		if (i == c->length) {
			*out = v;
			return v <= most;
		}
	}
	if (scan_decimal(c, &d) != WL_DECIMAL_GOOD || d.more)
		return false;
	for (v = d.mantissa; d.exponent < 0; d.exponent++) {
		if (v % 10)
			return false;
		if (!(v /= 10))
			break;
	}
	for (; v && d.exponent > 0; d.exponent--)
		if (__builtin_mul_overflow(v, UINT64_C(10), &v))
			return false;
	*out = v;
	return v <= most;
}

enum wl_decimal wl_cell_real(const struct wl_cell *c, double *out)
{
	struct decimal d;
	char text[512];
	enum wl_decimal found = scan_decimal(c, &d);
	*out = 0;
	if (found != WL_DECIMAL_GOOD)
		return found;
	if (c->length >= sizeof text)
		return WL_DECIMAL_NONE;
	memcpy(text, c->at, c->length);
	text[c->length] = 0;
	*out = strtod(text, NULL);
	return isfinite(*out) ? WL_DECIMAL_GOOD : WL_DECIMAL_TOO_LARGE;
}

void wl_rows_bad_decimal(struct wl_rows *r, const struct wl_cell *c, enum wl_decimal why, const char *what)
{
	switch (why) {
	case WL_DECIMAL_NEGATIVE:
		wl_rows_problem(r, c, "%s is not negative", what);
		break;
	case WL_DECIMAL_NOT_FINITE:
		wl_rows_problem(r, c, "%s is finite", what);
		break;
	case WL_DECIMAL_TOO_LARGE:
		wl_rows_problem(r, c, "too large for %s", what);
		break;
	case WL_DECIMAL_NONE:
	case WL_DECIMAL_GOOD:
		wl_rows_problem(r, c, "%s is expected", what);
	}
}
