/* workload/mpi/kinds.h - the kinds of messages of processes that stand for MPI programs, and the traffic classes that
 * mpi.classes gives them. A kind is a collective, or WL_KIND_SENDS: messages of sends, whatever their mode. */
#ifndef WORKLOAD_MPI_KINDS_H
#define WORKLOAD_MPI_KINDS_H

#include "network/config.h"
#include "workload/mpi/call.h"

#define WL_KIND_SENDS WL_MPI_COMPUTE /* "point-to-point"; collectives are kinds by their enum mpi_op */
#define WL_KINDS WL_MPI_OPS
#define WL_NO_CLASS 255u

struct wl_kinds {
	uint8_t class_of[WL_KINDS]; /* by kind; WL_NO_CLASS: its job's */
	uint64_t named;             /* bits, as wl_kind_bit(), of the kinds that the user named */
	bool others;                /* "collectives" is named, for those that are not named themselves */
};

static inline uint64_t wl_kind_bit(enum mpi_op kind)
{
	return kind == WL_KIND_SENDS ? UINT64_C(1) << 63 : mpi_collective_bit(kind);
}

/* Reads mpi.classes: "allreduce = urgent, point-to-point = bulk". Errors under key "mpi.classes"; -1 if there are any.
 */
int wl_kinds_read(struct wl_kinds *out, const struct net_config *config, struct base_errors *errors);
/* Does mpi.classes contain this traffic class? */
bool wl_kinds_use(const struct net_config *config, const char *class_name);
/* Checks that jobs have messages of all kinds that are named; used: bits of those that they have. */
int wl_kinds_check(const struct wl_kinds *kinds, uint64_t used, struct base_errors *errors);

#endif
