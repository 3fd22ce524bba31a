/* experiments/report/readable.h - configuration text as people read it. */
#ifndef EXPERIMENTS_REPORT_READABLE_H
#define EXPERIMENTS_REPORT_READABLE_H

/* A value or a group of libconfig: { kind = "torus"; dims = [8, 8]; } is "torus: dims 8 × 8". The caller's. */
char *xp_readable(const char *text);

/* The reason of a failure without where it was written: "exit status 2: FILE:17: text" of a run is "text". Points into
 * `why`. */
const char *xp_without_place(const char *why);

#endif
