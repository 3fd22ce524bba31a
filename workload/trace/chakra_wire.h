/* workload/trace/chakra_wire.h - Chakra execution traces, node by node: protobuf messages, each behind its length.
 *
 * Only what a replay needs is read: numbers, types, dependencies, durations and the attributes of communication. The
 * schema is et_def.proto of mlcommons/chakra (21585d8); docs/traces.md. */
#ifndef WORKLOAD_TRACE_CHAKRA_WIRE_H
#define WORKLOAD_TRACE_CHAKRA_WIRE_H

#include "workload/mpi/call.h"
#include "workload/trace/bytes.h"

enum chakra_type {
	CHAKRA_METADATA = 1,
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

#define CHAKRA_TEXT 64u
struct chakra_node {
	uint64_t place; /* in the file */
	uint64_t id, duration_us;
	unsigned type;
	struct mpi_list needs; /* ids; of data and of control */
	uint64_t data_needs;   /* how many of them are of data */
	bool has_size, has_kind, has_src, has_dst, has_tag;
	uint64_t size, kind, src, dst, tag;
	char group[CHAKRA_TEXT]; /* pg_name or pg_id; "": all */
	struct wl_bytes window;  /* that it was read through; kept from node to node */
};

void chakra_node_free(struct chakra_node *n);

/* The version that the first message tells, in `version` or in an attribute "schema"; *at moves behind it. -1: error.
 */
int chakra_read_head(const struct wl_trace_file *f, uint64_t *at, char version[CHAKRA_TEXT],
                     struct base_errors *errors);
/* The node at *at, which moves behind it. */
enum mpi_next chakra_read_node(const struct wl_trace_file *f, uint64_t *at, struct chakra_node *n,
                               struct base_errors *errors);
/* An error at a node. Returns -1. */
int chakra_errorf(const struct wl_trace_file *f, const struct chakra_node *n, struct base_errors *errors,
                  const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
