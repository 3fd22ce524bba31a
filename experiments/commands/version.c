/* experiments/commands/version.c - see version.h */
#include "experiments/commands/version.h"

#include "sim/sim.h"
#include "tilefly_version.h"

#include <stdio.h>
#include <zlib.h>

void xp_print_version(void)
{
	printf("tilefly %s (commit %s)\n", TILEFLY_VERSION, TILEFLY_COMMIT);
	printf("built     %s, %s, flags %s\n", TILEFLY_BUILD_TYPE, TILEFLY_COMPILER, TILEFLY_FLAGS);
	printf("MPI       %s\n", sim_mpi_name());
	printf("zlib      %s\n", zlibVersion());
#ifdef TILEFLY_HAVE_METIS
	printf("features  metis\n");
#else
	printf("features  none\n");
#endif
}
