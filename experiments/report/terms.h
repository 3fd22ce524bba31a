/* experiments/report/terms.h - the definitions of the quantities that a page shows. */
#ifndef EXPERIMENTS_REPORT_TERMS_H
#define EXPERIMENTS_REPORT_TERMS_H

#include <stddef.h>

/* Writes the definition of a term to out. A term is a field of the record `summary` (results/statistics.h), or belongs
 * to the report itself. Returns out, or NULL if the term is not defined. */
const char *xp_term(const char *term, char *out, size_t room);

#endif
