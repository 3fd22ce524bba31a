/* workload/formats/chakra/chakra_wire.h - reads Chakra execution traces node by node: protobuf messages, each preceded
 * by its length.
 *
 * Numbers, types, dependencies, durations and the attributes that a replay may need are read; other attributes are
 * counted by name. The schema is et_def.proto of mlcommons/chakra (21585d8); docs/traces.md. */
#ifndef WORKLOAD_FORMATS_CHAKRA_CHAKRA_WIRE_H
#define WORKLOAD_FORMATS_CHAKRA_CHAKRA_WIRE_H

#include "workload/formats/bytes.h"
#include "workload/formats/chakra/chakra_names.h"
#include "workload/mpi/call.h"

enum chakra_type {
	CHAKRA_INVALID, /* INVALID_NODE, or no type: of no time, as ASTRA-sim has it */
	CHAKRA_METADATA,
	CHAKRA_LOAD,
	CHAKRA_STORE,
	CHAKRA_COMP,
	CHAKRA_SEND,
	CHAKRA_RECV,
	CHAKRA_COLL,
	CHAKRA_TYPES,
};

#define CHAKRA_COLLECTIVES 10u
#define CHAKRA_REDUCE 1u
#define CHAKRA_GATHER 3u
#define CHAKRA_SCATTER 4u
#define CHAKRA_BROADCAST 5u
#define CHAKRA_BARRIER 9u
extern const char *const chakra_collective_name[CHAKRA_COLLECTIVES];

/* Attributes that the reader knows. */
enum chakra_attribute {
	CHAKRA_COMM_SIZE,
	CHAKRA_COMM_TYPE,
	CHAKRA_COMM_SRC,
	CHAKRA_COMM_DST,
	CHAKRA_COMM_TAG,
	CHAKRA_IS_CPU_OP,
	CHAKRA_NUM_OPS,
	CHAKRA_TENSOR_SIZE,
	CHAKRA_PG_NAME,
	CHAKRA_PG_ID,
	CHAKRA_INVOLVED_DIM,
	CHAKRA_ATTRIBUTES
};
extern const char *const chakra_attribute_name[CHAKRA_ATTRIBUTES];
#define CHAKRA_DIMS 32u /* at most */

struct chakra_node {
	uint64_t place; /* in the file */
	uint64_t id, duration_us;
	unsigned type;
	struct mpi_list needs;               /* ids; of data, then of control */
	struct mpi_list control;             /* while it is read */
	uint64_t data_needs;                 /* how many of them are of data */
	unsigned has;                        /* 1 << enum chakra_attribute */
	bool launch;                         /* a collective's call on the host, which is a computation of it */
	uint64_t value[CHAKRA_INVOLVED_DIM]; /* by enum chakra_attribute, of numbers */
	char group[CHAKRA_TEXT];             /* pg_name or pg_id; "": all */
	uint32_t dims, involved;             /* involved_dim: how many, and 1 << those that are */
	struct wl_bytes window;              /* that it was read through; kept from node to node */
	struct chakra_names *unknown;        /* counts other attributes, or NULL; kept from node to node */
};

static inline bool chakra_has(const struct chakra_node *n, enum chakra_attribute a)
{
	return n->has >> a & 1;
}
static inline bool chakra_on_host(const struct chakra_node *n)
{
	return n->value[CHAKRA_IS_CPU_OP] != 0;
}

void chakra_node_free(struct chakra_node *n);

/* Reads the version from the first message, from `version` or from an attribute "schema"; advances *at. -1: error. */
int chakra_read_head(const struct wl_trace_file *f, uint64_t *at, char version[CHAKRA_TEXT],
                     struct base_errors *errors);
/* Reads the node at *at, and advances *at. */
enum mpi_next chakra_read_node(const struct wl_trace_file *f, uint64_t *at, struct chakra_node *n,
                               struct base_errors *errors);
/* An error at a node. Returns -1. */
int chakra_errorf(const struct wl_trace_file *f, const struct chakra_node *n, struct base_errors *errors,
                  const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
