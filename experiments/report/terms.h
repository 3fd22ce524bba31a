/* experiments/report/terms.h - what the numbers of a page mean. */
#ifndef EXPERIMENTS_REPORT_TERMS_H
#define EXPERIMENTS_REPORT_TERMS_H

#include <stddef.h>

/* The definition of a term: a field of the summary (results/statistics.h) by its name, or one of the report's own.
 * Writes it to out and returns that; NULL if there is none. */
const char *xp_term(const char *term, char *out, size_t room);

#endif
