/* workload/checked.h - checks of patterns and injection processes that come from shared objects. Inside workload/ only.
 */
#ifndef WORKLOAD_CHECKED_H
#define WORKLOAD_CHECKED_H

#include "workload/workload.h"

/* Checks one that was just built, and every answer that it gives from now on. The errors are those of "pattern" and
 * "injection". Cost: bounded, whatever the size of the job. */
int wl_check_pattern(struct wl_pattern *pattern, struct base_errors *errors);
int wl_check_injection(struct wl_injection *injection, uint64_t seed, struct base_errors *errors);
/* Before destroy(): its own table of functions again. */
void wl_unwrap_pattern(struct wl_pattern *pattern);

#endif
