/* workload/process/build.h - used by workload.c: the processes of a job. */
#ifndef WORKLOAD_PROCESS_BUILD_H
#define WORKLOAD_PROCESS_BUILD_H

#include "workload/process/process.h"

/* Members, seed and job of *p must be set. Errors are reported at the key "nodes" and at the plug-in's keys. */
int wl_process_build(struct wl_process *p, const struct net_choice *choice, struct base_errors *errors);
/* The minimum payload of a packet, if messages are split into packets of `packet` bytes. */
uint32_t wl_process_least(const struct wl_process *p, uint32_t packet);

#endif
