/* workload/loggops/traced.c - a run of one thread of which all events are noted: trace.h. */
#define TRACED(m) ((void)(m), 1)
#define AS_REFERENCE(m) ((void)(m), 0)
#include "workload/loggops/sequential.h"

void wl_loggops_traced(struct model *m)
{
	run_all(m);
}
