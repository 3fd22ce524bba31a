/* experiments/report/readable.h - converts configuration text to a readable form. */
#ifndef EXPERIMENTS_REPORT_READABLE_H
#define EXPERIMENTS_REPORT_READABLE_H

/* Converts the libconfig text of a value or a group to a readable form: { kind = "torus"; dims = [8, 8]; } becomes
 * "torus: dims 8 × 8". The result is owned by the caller. */
char *xp_readable(const char *text);

/* Returns the part of a failure message that follows its location: for "exit status 2: FILE:17: text" it returns
 * "text". The result points into `why`. */
const char *xp_without_place(const char *why);

#endif
