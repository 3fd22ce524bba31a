/* workload/formats/otf2/otf2.h - OTF2 archives (Score-P) as a source of MPI calls.
 *
 * The archive is read once, by another program with the OTF2 library (otf2_child.c); its calls are kept in an unnamed
 * temporary file. Memory: 4 KiB per rank. */
#ifndef WORKLOAD_FORMATS_OTF2_OTF2_H
#define WORKLOAD_FORMATS_OTF2_OTF2_H

#include "workload/formats/otf2/otf2_pipe.h"
#include "workload/mpi/call.h"

#define WL_OTF2_RANKS (1u << 20)

struct wl_otf2_rank {
	uint64_t sends, receives, isends, irecvs;                   /* the first two blocking */
	uint64_t send_bytes, receive_bytes;                         /* of all; received as recorded */
	uint64_t collectives, collective_sent, collective_received; /* bytes as recorded */
	uint64_t compute_ps; /* outside of MPI, from the first event to the last call */
};
struct wl_otf2_facts {
	struct wl_otf2_rank *rank; /* [ranks] */
	uint64_t unfinished;       /* receives that were posted and never completed: their source is not recorded */
	uint64_t unused[OTF2_UNUSED_KINDS]; /* events that are not used */
};

/* Reads an archive, NAME.otf2. -1 with errors; one of them if this build does not support OTF2. */
int wl_otf2_open(struct mpi_source *out, const char *path, struct base_errors *errors);
/* Visits the files that belong to an archive besides NAME.otf2: NAME.def, and the files in NAME/, in the order of their
 * names. */
void wl_otf2_files(const char *path, void (*visit)(void *arg, const char *path), void *arg);
const struct wl_otf2_facts *wl_otf2_facts(const struct mpi_source *s);

#endif
