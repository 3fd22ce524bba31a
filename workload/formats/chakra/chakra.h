/* workload/formats/chakra/chakra.h - Chakra execution traces: a file PREFIX.N.et per NPU, each a graph of computations,
 * sends, receives and collectives. */
#ifndef WORKLOAD_FORMATS_CHAKRA_CHAKRA_H
#define WORKLOAD_FORMATS_CHAKRA_CHAKRA_H

#include "workload/formats/chakra/chakra_collectives.h"
#include "workload/formats/chakra/chakra_sizes.h"
#include "workload/formats/chakra/chakra_unused.h"
#include "workload/formats/play/play.h"
#include "workload/formats/to_goal.h"

#define WL_CHAKRA_NPUS 65536u

struct wl_chakra_npu {
	uint64_t nodes[CHAKRA_TYPES]; /* by type */
	uint64_t data_needs, control_needs;
	bool data_only; /* control dependencies order nothing: they contradict those of data */
	uint64_t send_bytes, receive_bytes, collective_bytes;
	uint64_t
	    compute_us; /* of nodes of computation; durations of communication are measured ones and do not count */
};

/* Number of dependencies of a node that order it: the first ones. */
static inline uint32_t chakra_ordering_needs(const struct wl_chakra_npu *npu, const struct chakra_node *n)
{
	return npu->data_only ? (uint32_t)n->data_needs : n->needs.n;
}

/* NPU i has the coordinates c0, c1 ... with i = c0 + k0 (c1 + k1 (c2 + ...)). n = 0: they are not known. */
struct wl_chakra_dims {
	uint32_t n, k[CHAKRA_DIMS];
};
/* The product of the dimensions; an arbitrary larger number if it exceeds WL_CHAKRA_NPUS. */
uint64_t wl_chakra_dims_npus(const struct wl_chakra_dims *dims);

/* A process group: the NPUs that call its collectives. Collectives without a group form one of their own. */
struct wl_chakra_group {
	char name[CHAKRA_TEXT];
	bool divided;  /* by involved_dim: its name is made */
	uint32_t size; /* NPUs that it is of; 0: those that name it */
	struct mpi_list members;
	uint64_t operations;             /* of each member */
	uint64_t mine;                   /* of the NPU that is being read */
	struct chakra_collectives first; /* while files are read: those of the first member */
};

struct wl_chakra {
	uint32_t npus;
	char **file;                   /* [npus] owned */
	struct wl_chakra_group *group; /* [group_count] owned */
	uint32_t group_count;
	struct wl_chakra_npu *npu; /* owned */
	char version[CHAKRA_TEXT]; /* of the first file */
	uint64_t collectives[CHAKRA_COLLECTIVES];
	uint64_t groups;  /* process groups that are named */
	uint64_t divided; /* groups by involved_dim */
	struct wl_chakra_dims dims;
	struct chakra_sizes sizes;
	struct chakra_unused unused;
	uint64_t sizeless; /* collectives other than barriers without comm_size */
	uint64_t largest;  /* bytes of a send */
	uint64_t lost, lost_bytes, left_receives;
	struct wl_play_message message[WL_PLAY_LISTED]; /* the first of those lost, then of receives left */
	uint32_t listed_lost, listed_left;
};

/* Reads and checks all files of a trace, of which one is given: PREFIX.0.et, PREFIX.1.et ... up to the first missing
 * one. dims: how collectives with involved_dim divide the NPUs; NULL, or with another number of NPUs: unknown, such
 * collectives then use all NPUs. Ignored properties that affect time or traffic cause a warning. Memory: one NPU's
 * graph at a time. -1 with errors. */
int wl_chakra_read(struct wl_chakra *out, const char *path, const struct wl_chakra_dims *dims,
                   struct base_errors *errors);
/* Visits those files. */
void wl_chakra_files(const char *path, void (*visit)(void *arg, const char *path), void *arg);
/* Reads the given files, in their order. */
int wl_chakra_read_files(struct wl_chakra *out, const char *const *path, uint32_t npus,
                         const struct wl_chakra_dims *dims, struct base_errors *errors);
/* Reads the order of members in process groups from a file: the first member is the root, and neighbours in rings are
 * adjacent; without it they are ordered by number. The file and the trace must have the same members. -1 with errors.
 */
int wl_chakra_order_groups(struct wl_chakra *c, const char *file, struct base_errors *errors);
/* Converts the graphs of a trace that was read to a schedule: computations of a rank's device use processor 0, its
 * communication 1, computations of its host (is_cpu_op) 2. */
int wl_chakra_to_goal(const struct wl_chakra *c, struct wl_to_goal *g, struct base_errors *errors);
/* Determines the name of a collective's process group. Returns false if the trace contains the group, true if the group
 * follows from involved_dim and the NPU. */
bool wl_chakra_group_name(const struct wl_chakra *c, uint32_t npu, const struct chakra_node *n, char out[CHAKRA_TEXT]);
/* Dependencies of the nodes in an NPU's file, by their numbers there: need[first[i] .. first[i + 1]) are those of node
 * i. */
#define CHAKRA_ABSENT UINT64_MAX /* a node that is not there; of control: see chakra.c */
struct chakra_needs {
	struct mpi_list first, need;
};
/* A node, and the collectives of its file. False: there are too many nodes. */
typedef bool chakra_visitor(void *arg, const struct chakra_node *n, const struct chakra_collectives *collectives);
/* Visits the nodes of an NPU in the order of its file; *needs must be freed in any case. -1 with errors. */
int wl_chakra_visit(const struct wl_chakra *c, uint32_t npu, chakra_visitor *visit, void *arg,
                    struct chakra_needs *needs, struct base_errors *errors);
void chakra_needs_free(struct chakra_needs *needs);
/* Executes the graphs of a trace that was read on a network without delays, where sends complete at once and members of
 * collectives wait for those whose data they receive. *stuck: NPUs that cannot finish; the first of them are reported
 * as errors, with what they wait for. -1 with errors if the files cannot be read. Memory: 56 bytes per node and 12 per
 * dependency, of all NPUs. */
int wl_chakra_play(const struct wl_chakra *c, uint32_t *stuck, struct base_errors *errors);
/* The set of MPI collectives, as mpi_collective_bit()s, to which the collectives of the trace are converted. */
uint64_t wl_chakra_calls(const struct wl_chakra *c);
void wl_chakra_free(struct wl_chakra *c);

#endif
