/* workload/loggops/trace.h - the events of a run on an analytical network model, for statistics of ranks and for the
 * critical path.
 *
 * There are two kinds of events: an operation begins (number 2 x operation), and a message is handled by its receiver's
 * processor (2 x its send + 1). An event happens at the instant at which the last of its conditions is met: the
 * operation that released it; for a message its send; and the previous user of the processor or the interface. */
#ifndef WORKLOAD_LOGGOPS_TRACE_H
#define WORKLOAD_LOGGOPS_TRACE_H

#include "network/application.h"
#include "workload/loggops/model.h"

/* The condition of an event that was met last, stored with the number of the other event; TRACE_START: none. 0: the
 * event has not happened. */
#define TRACE_START (UINT64_C(1) << 60)
#define TRACE_RELEASE (UINT64_C(2) << 60)
#define TRACE_MESSAGE (UINT64_C(3) << 60)
#define TRACE_CPU (UINT64_C(4) << 60)
#define TRACE_NIC (UINT64_C(5) << 60)
#define TRACE_KIND (UINT64_C(15) << 60)

struct trace_event {
	uint64_t at, busy; /* ps; busy: the processor is taken for so long */
	uint64_t by;
};

struct trace {                            /* changed by handlers */
	struct trace_event *op, *message; /* [ops], [places] */
	uint64_t *released, *ended;       /* [ops] by which event, + 1; 0: not */
	uint64_t *user;                   /* [ranks][clocks] the event that set a clock, + 1 */
};

static inline uint64_t trace_number(const struct pending *p)
{
	return 2 * (uint64_t)p->op + (p->message != NONE);
}

static inline uint64_t trace_release(uint64_t released)
{
	return released ? TRACE_RELEASE | (released - 1) : TRACE_START;
}

static inline struct trace_event *trace_event_at(const struct model *m, uint64_t number)
{
	return number & 1 ? &m->trace->message[m->messages.place[number >> 1]] : &m->trace->op[number >> 1];
}

struct trace *trace_make(const struct model *m);
void trace_free(struct trace *t);
/* The time of an activity that is attributed to one rank. */
void trace_regions(const struct model *m, uint32_t rank, void (*visit)(void *arg, void *at, size_t bytes), void *arg);
/* Collective: on all MPI ranks. `end`: of each rank. NULL: this kind of model does not record events. */
struct net_application *trace_tell(const struct model *m, const uint64_t *end, uint64_t completion);

#endif
