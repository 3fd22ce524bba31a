/* workload/checked.h - checks of patterns and injection processes from shared objects. Inside workload/ only. */
#ifndef WORKLOAD_CHECKED_H
#define WORKLOAD_CHECKED_H

#include "workload/workload.h"

/* Checks a pattern or injection process that was just built, and every result that it returns from now on. Errors are
 * reported at "pattern" and "injection". Cost: bounded, for any size of the job. */
int wl_check_pattern(struct wl_pattern *pattern, struct base_errors *errors);
int wl_check_injection(struct wl_injection *injection, uint64_t seed, struct base_errors *errors);
/* Must be called before destroy(): restores its own function table. */
void wl_unwrap_pattern(struct wl_pattern *pattern);

#endif
