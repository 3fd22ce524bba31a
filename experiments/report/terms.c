/* experiments/report/terms.c - see terms.h */
#include "experiments/report/terms.h"

#include "experiments/results/statistics.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *meaning;
} own[] = {
	{ "published", "Accepted load at the same point as a publication states it, read from its figure or table." },
	{ "expected", "The range that the experiment's file expects the accepted load in." },
	{ "saturation.low", "The largest value at which every run was stationary." },
	{ "saturation.high", "The least value at which a run was not stationary: the backlog of packets grew, or mean "
	                     "latency did, as long as the run went on." },
	{ "port.packets", "Packets sent by all output ports of the class over the whole run." },
	{ "port.utilization",
	  "The part of the whole run in which a link was busy; mean over the class's output ports." },
	{ "port.most", "The busiest link of the class: the part of the whole run in which it was busy." },
	{ "port.ports", "Output ports of the class." },
	{ "stage.mean", "Mean time of a packet in this stage, over the packets that left the switch." },
	{ "stage.share", "This stage's part of the time inside the switch." },
	{ "stage.packets", "Packets in this stage on average (Little's law)." },
	{ "bench.median", "Median rate of the runs of this case: packet-hops a second, PHOLD: events." },
	{ "bench.best", "The best of these runs." },
	{ "bench.spread", "Best less least, relative to the median." },
	{ "bench.ratio", "Median rate over that of one rank on the same network." },
	{ "bench.copies", "Median rate over what as many independent copies gave together." },
	{ "bench.memory", "Peak resident memory of all ranks." },
	{ "bench.endpoint", "Peak resident memory over the number of endpoints." },
	{ "bench.rounds", "Rounds of GVT, or exchanges that end a conservative window." },
	{ "bench.round", "Wall time over the number of rounds." },
	{ "bench.instructions", "Instructions that the processor retired for one unit of work, by valgrind." },
};

const char *xp_term(const char *term, char *out, size_t room)
{
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (!strcmp(own[i].name, term))
			return snprintf(out, room, "%s", own[i].meaning), out;
	for (const struct xp_statistic *s = xp_statistics; s->name; s++)
		if (!strcmp(s->name, term)) {
			bool unit = *s->unit && strlen(s->unit) > 3; /* "of injection bandwidth" says more */
			snprintf(out, room, "%s%s%s%s. In results: %s", s->meaning, unit ? " (" : "",
			         unit ? s->unit : "", unit ? ")" : "", s->name);
			out[0] = (char)toupper((unsigned char)out[0]);
			return out;
		}
	return NULL;
}
