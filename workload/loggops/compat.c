/* workload/loggops/compat.c - a run of one thread in the order of LogGOPSim, of which something may be noted. */
#define TRACED(m) ((m)->trace != NULL)
#define AS_REFERENCE(m) ((void)(m), 1)
#include "workload/loggops/sequential.h"

void wl_loggops_compat(struct model *m)
{
	run_all(m);
}
