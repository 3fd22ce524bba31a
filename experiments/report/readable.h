/* experiments/report/readable.h - configuration text in a readable form. */
#ifndef EXPERIMENTS_REPORT_READABLE_H
#define EXPERIMENTS_REPORT_READABLE_H

/* A value or a group of libconfig: { kind = "torus"; dims = [8, 8]; } becomes "torus: dims 8 × 8". Owned by the caller.
 */
char *xp_readable(const char *text);

/* The reason of a failure without its location: "exit status 2: FILE:17: text" of a run becomes "text". Points into
 * `why`. */
const char *xp_without_place(const char *why);

#endif
