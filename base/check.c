/* base/check.c - see check.h */
#include "base/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void base_check_failed(const char *file, int line, const char *condition, const char *fmt, ...)
{
	char values[300];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(values, sizeof values, fmt, ap);
	va_end(ap);
	fprintf(stderr, "%s:%d: internal error, an invariant of tilefly does not hold: %s%s%s\n", file, line, condition,
	        *values ? ": " : "", values);
#ifdef TILEFLY_FUZZ
	abort(); /* a fuzzer takes an exit status for a refusal */
#else
	_exit(BASE_CHECK_STATUS);
#endif
}
