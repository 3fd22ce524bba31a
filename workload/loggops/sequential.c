/* workload/loggops/sequential.c - a run of one thread of which nothing is noted but its result. */
#define TRACED(m) ((void)(m), 0)
#define AS_REFERENCE(m) ((void)(m), 0)
#include "workload/loggops/sequential.h"

void wl_loggops_sequential(struct model *m)
{
	run_all(m);
}
