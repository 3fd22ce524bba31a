/* experiments/report/switch.h - figures that show the inside of switches, drawn from the records `switch` of a run. */
#ifndef EXPERIMENTS_REPORT_SWITCH_H
#define EXPERIMENTS_REPORT_SWITCH_H

#include "experiments/report/report.h"

#define XP_INSIDE_CLASSES 8
#define XP_INSIDE_STAGES 24

struct inside_class {
	char name[64];
	double packets, latency; /* over all outputs; ps */
	double slowest;          /* mean of the slowest output; ps */
	double slowest_switch;
	size_t slowest_port, nstages;
	struct {
		char name[48];
		bool wait;
		double sum, slowest,
		    inside; /* ps over all; ps a packet of the slowest output; packets in this stage on average */
	} stage[XP_INSIDE_STAGES];
};

/* All-zero: nothing yet. */
struct xp_inside {
	size_t switches, nclasses;
	struct inside_class class[XP_INSIDE_CLASSES];
	json_t *busiest;
	double most; /* its links' utilisation, summed */
};

void xp_inside_take(struct xp_inside *in, const json_t *record);
/* Writes the section on the inside of switches. Writes nothing if no record `switch` was added. `path` is the path of
 * the result; names of figures begin with `name`. */
void xp_inside_section(const struct xp_inside *in, struct xp_report *report, const char *path, const char *name);
void xp_inside_free(struct xp_inside *in);

#endif
