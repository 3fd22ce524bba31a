/* workload/formats/otf2/otf2_pipe.h - the data that the program tilefly-otf2, which calls the OTF2 library, writes for
 * otf2.c: both belong to one build, so records are plain structs. In this order: one BEGIN; communicators, each
 * followed by its members; events, in order of time; UNUSED; END. Or ERROR, at any position, followed by `a` bytes of
 * text. */
#ifndef WORKLOAD_FORMATS_OTF2_OTF2_PIPE_H
#define WORKLOAD_FORMATS_OTF2_OTF2_PIPE_H

#include <stdint.h>

enum otf2_what {
	OTF2_BEGIN = 0x0f20, /* a: ranks, b: communicators */
	OTF2_COMM,           /* a: members, b: 1 if it is the rank's own (MPI_COMM_SELF); then u32 ranks, in order */
	OTF2_FIRST,          /* the first event of a rank */
	OTF2_ENTER,          /* of a function of MPI */
	OTF2_LEAVE,
	OTF2_SEND,         /* peer, tag, comm, a: bytes */
	OTF2_ISEND,        /* the same, request */
	OTF2_ISEND_DONE,   /* request */
	OTF2_RECV,         /* as SEND */
	OTF2_IRECV_POSTED, /* request */
	OTF2_IRECV_DONE,   /* peer, tag, comm, a: bytes, request */
	OTF2_COLLECTIVE,   /* operation, peer: root, comm, a: bytes sent, b: received */
	OTF2_ICOLL_POSTED, /* request */
	OTF2_ICOLL_DONE,   /* as COLLECTIVE, request */
	OTF2_CANCELLED,    /* request */
	OTF2_ONE_SIDED,
	OTF2_UNUSED, /* operation: enum otf2_unused, a: how many there were; before END */
	OTF2_END,
	OTF2_ERROR,
};

/* Events of ranks that a replay does not use. */
enum otf2_unused { OTF2_UNUSED_OFF, OTF2_UNUSED_FLUSH, OTF2_UNUSED_IO, OTF2_UNUSED_TEST, OTF2_UNUSED_KINDS };

struct otf2_record {
	uint32_t what, rank;
	uint64_t ps;              /* since the trace began */
	uint32_t comm, operation; /* comm: number of an OTF2_COMM, from 0 on */
	int64_t peer;             /* rank in comm; -1: none */
	int64_t tag;
	uint64_t request, a, b;
};

#endif
