/* workload/process/mapping.h - where the ranks of an application sit: which members of a job, or which blocks of so
 * many consecutive ones. */
#ifndef WORKLOAD_PROCESS_MAPPING_H
#define WORKLOAD_PROCESS_MAPPING_H

#include "workload/process/process.h"

#define WL_MAPPING_CHOICES "linear|random"
enum wl_mapping { WL_MAPPING_LINEAR, WL_MAPPING_RANDOM };

#define WL_NO_RANK UINT32_MAX

/* *member_of: [ranks] the first member of each rank's block; *rank_of: [members / block] the rank of a block, or
 * WL_NO_RANK; both to be freed. linear: rank i has the i-th block. random: any, drawn from the seed. With a `file`
 * (NULL or empty: none), instead: endpoints, the i-th number for rank i, divided by white space or commas, # to the end
 * of a line is a comment; each is the first of its block. Errors under "nodes", "mapping_file". */
int wl_mapping_make(const struct wl_process *p, uint32_t ranks, uint32_t block, int kind, const char *file,
                    uint32_t **member_of, uint32_t **rank_of, struct base_errors *errors);

#endif
