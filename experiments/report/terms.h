/* experiments/report/terms.h - definitions of the quantities on a page. */
#ifndef EXPERIMENTS_REPORT_TERMS_H
#define EXPERIMENTS_REPORT_TERMS_H

#include <stddef.h>

/* The definition of a term: a field of the summary (results/statistics.h) or a term of the report itself. Writes it to
 * out and returns out; NULL if there is none. */
const char *xp_term(const char *term, char *out, size_t room);

#endif
