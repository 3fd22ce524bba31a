/* base/units.c - quantities with units, read and written exactly in integers.
 *
 * A quantity is DIGITS[.DIGITS] UNIT. The number is held as a whole part and a fraction with its power of ten, in
 * 128-bit integers, and must be a whole number of base units (ps, bit/s, B): nothing is ever rounded. */
#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FRACTION_DIGITS 18

struct unit {
	const char *name;
	uint64_t scale;
};

static const struct unit time_units[] = { { "ps", 1 },          { "ns", 1000 },         { "us", 1000000 },
	                                  { "ms", 1000000000 }, { "s", 1000000000000 }, { NULL, 0 } };
/* Gb/s is what reports print; values are printed in the later of two equal units. */
static const struct unit rate_units[] = {
	{ "b/s", 1 }, { "Kb/s", 1000 }, { "Mb/s", 1000000 }, { "Gb/s", 1000000000 }, { "Tb/s", 1000000000000 },
	{ "bps", 1 }, { "Kbps", 1000 }, { "Mbps", 1000000 }, { "Gbps", 1000000000 }, { "Tbps", 1000000000000 },
	{ NULL, 0 }
};
/* Binary units first: printing takes the last unit that divides the value, so that 64KiB and 100KB print as such. */
static const struct unit size_units[] = { { "B", 1 },           { "KiB", 1024 },
	                                  { "MiB", 1048576 },   { "GiB", 1073741824 },
	                                  { "KB", 1000 },       { "MB", 1000000 },
	                                  { "GB", 1000000000 }, { NULL, 0 } };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads DIGITS[.DIGITS] as whole + fraction / 10^digits. Returns the text after it, or NULL with *why set. */
static const char *read_decimal(const char *text, unsigned __int128 *whole, uint64_t *fraction, unsigned *digits,
                                const char **why)
{
	const char *p = text;
	*whole = 0;
	*fraction = 0;
	*digits = 0;
	if (*p == '-') {
		*why = "must not be negative";
		return NULL;
	}
	if (!is_digit(*p) && !(*p == '.' && is_digit(p[1]))) {
		*why = "does not begin with a number";
		return NULL;
	}
	for (; is_digit(*p); p++) {
		*whole = *whole * 10 + (unsigned)(*p - '0');
		if (*whole > UINT64_MAX) {
			*why = "is too large";
			return NULL;
		}
	}
	if (*p != '.')
		return p;
	const char *first = ++p;
	while (is_digit(*p))
		p++;
	const char *last = p;
	while (last > first && last[-1] == '0')
		last--;
	if (last - first > MAX_FRACTION_DIGITS) {
		*why = "has more digits after the point than can be kept exactly";
		return NULL;
	}
	for (const char *d = first; d < last; d++)
		*fraction = *fraction * 10 + (unsigned)(*d - '0');
	*digits = (unsigned)(last - first);
	return p;
}

static int parse_quantity(const char *text, const struct unit *units, const char *no_unit, const char *too_fine,
                          uint64_t *out, const char **why)
{
	unsigned __int128 whole;
	uint64_t fraction;
	unsigned digits;
	while (*text == ' ')
		text++;
	const char *p = read_decimal(text, &whole, &fraction, &digits, why);
	if (!p)
		return -1;
	while (*p == ' ')
		p++;
	for (; units->name; units++)
		if (!strcmp(units->name, p))
			break;
	if (!units->name) {
		*why = no_unit;
		return -1;
	}
	uint64_t power = 1;
	for (unsigned i = 0; i < digits; i++)
		power *= 10;
	unsigned __int128 part = (unsigned __int128)fraction * units->scale;
	if (part % power) {
		*why = too_fine;
		return -1;
	}
	unsigned __int128 value = whole * units->scale + part / power;
	if (value > UINT64_MAX) {
		*why = "is too large";
		return -1;
	}
	*out = (uint64_t)value;
	return 0;
}

int base_parse_time(const char *text, uint64_t *ps, const char **why)
{
	return parse_quantity(text, time_units, "needs one of the units ps, ns, us, ms, s, as in \"50ns\"",
	                      "is not a whole number of picoseconds", ps, why);
}

int base_parse_rate(const char *text, uint64_t *bits_per_s, const char **why)
{
	return parse_quantity(text, rate_units, "needs one of the units bps, Kbps, Mbps, Gbps, Tbps, as in \"100Gbps\"",
	                      "is not a whole number of bits per second", bits_per_s, why);
}

int base_parse_size(const char *text, uint64_t *bytes, const char **why)
{
	return parse_quantity(text, size_units, "needs one of the units B, KB, MB, GB, KiB, MiB, GiB, as in \"256B\"",
	                      "is not a whole number of bytes", bytes, why);
}

int base_parse_length(const char *text, double *metres, const char **why)
{
	unsigned __int128 whole;
	uint64_t fraction;
	unsigned digits;
	while (*text == ' ')
		text++;
	const char *p = read_decimal(text, &whole, &fraction, &digits, why);
	if (!p)
		return -1;
	while (*p == ' ')
		p++;
	if (strcmp(p, "m") != 0) {
		*why = "needs the unit m, as in \"2.6m\"";
		return -1;
	}
	*metres = strtod(text, NULL); /* the decimal was checked above; strtod stops at the unit */
	return 0;
}

int base_print_quantity(enum base_type type, uint64_t value, char *out, size_t capacity)
{
	const struct unit *units = type == BASE_TIME ? time_units : type == BASE_RATE ? rate_units : size_units;
	const struct unit *best = units;
	for (const struct unit *u = units; u->name && value; u++)
		if (value % u->scale == 0)
			best = u;
	return snprintf(out, capacity, "%" PRIu64 "%s", value / best->scale, best->name);
}

int base_print_double(double value, char *out, size_t capacity)
{
	char text[64];
	double size = fabs(value);
	if (size == 0 || (size >= 1e-5 && size < 1e15)) { /* plain decimals */
		for (int decimals = 1; decimals <= 22; decimals++) {
			snprintf(text, sizeof text, "%.*f", decimals, value);
			if (strtod(text, NULL) == value)
				break;
		}
		return snprintf(out, capacity, "%s", text);
	}
	for (int precision = 1; precision <= 17; precision++) {
		snprintf(text, sizeof text, "%.*g", precision, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return snprintf(out, capacity, "%s", text);
}
