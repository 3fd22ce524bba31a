/* workload/job.h - the endpoints of a job. Inside workload/ only. */
#ifndef WORKLOAD_JOB_H
#define WORKLOAD_JOB_H

#include "base/error.h"
#include "network/config.h"
#include "topo/nodes.h"

#include <stdint.h>

/* The members of a job in rank order. */
struct wl_members {
	uint32_t n;
	uint32_t *member;   /* [n], owned; NULL: all endpoints, rank i is endpoint i */
	uint32_t *index_of; /* [endpoints], owned; rank or WL_IDLE; NULL with `member` */
};

/* Order of enum values as in the configuration's key `allocation`. */
enum wl_allocation { WL_LINEAR, WL_INTERLEAVED, WL_RANDOM };

/* Reads a job's `nodes`: "all" (also NULL), ranges "0-99,200" (both ends included; ranks in the order written), or a
 * number of endpoints. A number of endpoints is chosen among those that no earlier job with a number has taken; taken[]
 * (one byte per endpoint) marks these. If nodes have several endpoints, the number and the ranges refer to nodes
 * (nodes->n of them). `allocation` selects the choice: linear takes the first free ones, interleaved takes ones that
 * are evenly spaced over the free ones, random makes a random choice in random order. Members are the nodes' home
 * endpoints or, with every_nic, all endpoints of the first node, then of the second, and so on; for "all" they are in
 * their own order. Errors under key "nodes". O(endpoints). */
int wl_members_read(struct wl_members *out, const char *text, int allocation, const struct topo_nodes *nodes,
                    bool every_nic, uint8_t *taken, uint64_t seed, uint32_t job, struct base_errors *errors);
void wl_members_free(struct wl_members *members);

/* The index of a job's traffic class; the default is the first class. */
int wl_find_class(const struct net_config *config, const char *name, uint32_t *index, struct base_errors *errors);
int wl_check_times(const struct net_job *c, struct base_errors *errors);
/* Checks that jobs call each collective for which mpi.collectives sets an algorithm: mpi_collective_bit() of `used`. */
int wl_check_collectives(uint64_t used, const struct net_config *config, struct base_errors *errors);

#endif
