/* experiments/report/bill_chart.h - charts of what networks take for each endpoint, and of what they cost. */
#ifndef EXPERIMENTS_REPORT_BILL_CHART_H
#define EXPERIMENTS_REPORT_BILL_CHART_H

#include "experiments/report/report.h"

#include <stddef.h>

enum xp_bill_part { XP_BILL_PORTS, XP_BILL_CABLES, XP_BILL_OPTICS, XP_BILL_WATTS, XP_BILL_PARTS };
enum xp_cost_part {
	XP_COST_SWITCHES, /* with their ports */
	XP_COST_COPPER,
	XP_COST_OPTICAL,
	XP_COST_ENDPOINTS,
	XP_COST_ENERGY,
	XP_COST_PARTS
};

/* One network; all of it for each endpoint. */
struct xp_bill_row {
	const char *name, *key;     /* key: of its colour; NULL: the colour is the panel's */
	double part[XP_BILL_PARTS]; /* the endpoint's own cable among the cables; metres; W. NAN: not known */
	double cost[XP_COST_PARTS];
	bool priced;
};

/* Figures "parts" and, if any is priced, "cost" in `currency`. */
void xp_bill_charts(struct xp_report *report, const struct xp_bill_row *rows, size_t n, const char *currency);

#endif
