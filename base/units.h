/* base/units.h - exact printing of times, rates, sizes and lengths, the inverse of base_parse_time() and similar
 * functions in param.h. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include "base/param.h"

/* Writes `value` in the largest unit in which it has no fraction ("50ns", "64KiB"). `type` is BASE_TIME, BASE_RATE or
 * BASE_SIZE. Returns the length needed, as snprintf does. */
int base_print_quantity(enum base_type type, uint64_t value, char *out, size_t capacity);

/* Writes the shortest decimal text that strtod() reads back as exactly `value`. The text always has a point or an
 * exponent, so that it stays a floating-point number ("1.0", "0.05", "1e+300"). Returns the length needed, as snprintf
 * does. `value` must be finite. */
int base_print_double(double value, char *out, size_t capacity);

#endif
