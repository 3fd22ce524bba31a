/* workload/formats/otf2/otf2_archive.h - an archive that has been read: the calls of its ranks, on disk. */
#ifndef WORKLOAD_FORMATS_OTF2_OTF2_ARCHIVE_H
#define WORKLOAD_FORMATS_OTF2_OTF2_ARCHIVE_H

#include "workload/formats/otf2/otf2.h"
#include "workload/formats/otf2/otf2_counts.h"
#include "workload/formats/otf2/spool.h"

struct otf2 {
	struct wl_spool spool;
	struct otf2_comm *comm;
	uint32_t ranks, comms;
	struct wl_otf2_facts facts;
	char *path;
};

/* The functions of a source of MPI calls whose data is such an archive. */
extern const struct mpi_source_ops otf2_source_ops;

#endif
