/* experiments/report/bill_chart.c - see bill_chart.h */
#include "experiments/report/bill_chart.h"
#include "experiments/report/chart.h"

#include <math.h>

static void draw_parts(struct xp_report *report, const struct xp_bill_row *rows, size_t n)
{
	static const char *const panels[XP_BILL_PARTS][2] = { { "switch ports", "" },
		                                              { "cables, its own among them", "" },
		                                              { "optical cable", "m" },
		                                              { "power of ports", "W" } };
	json_t *figure =
	    xp_charts("parts", "What an endpoint takes of the network, no price needed: ports of switches, "
	                       "cables, metres of optical cable between switches by the layout, and watts "
	                       "by published figures of a port, where there are any for the rate.");
	for (size_t k = 0; k < XP_BILL_PARTS; k++) {
		json_t *chart = xp_chart(figure, "bars", ""), *series = NULL;
		xp_chart_axis(chart, "x", panels[k][0], panels[k][1], XP_AXIS_ZERO);
		xp_chart_axis(chart, "y", "", "", 0);
		xp_chart_single(chart);
		for (size_t i = 0; i < n; i++) {
			double row = (double)xp_chart_name(chart, "y", rows[i].name);
			if (rows[i].key)
				series = xp_chart_series(chart, rows[i].key, rows[i].name, "");
			else if (!series)
				series = xp_chart_series(chart, panels[k][0], panels[k][0], "");
			xp_series_point(series, row, rows[i].part[k], NAN, NAN);
		}
	}
	xp_charts_write(report, figure);
}

static void draw_costs(struct xp_report *report, const struct xp_bill_row *rows, size_t n, const char *currency)
{
	static const char *const parts[XP_COST_PARTS] = { "switches", "copper cables", "optical cables",
		                                          "endpoint cables", "energy" };
	json_t *figure = xp_charts("cost", "Cost of an endpoint by the cost model of the configuration.");
	json_t *chart = xp_chart(figure, "stack", ""), *series[XP_COST_PARTS];
	xp_chart_axis(chart, "x", "cost of an endpoint", currency, XP_AXIS_ZERO);
	xp_chart_axis(chart, "y", "", "", 0);
	for (size_t k = 0; k < XP_COST_PARTS; k++)
		series[k] = xp_chart_series(chart, parts[k], parts[k], "");
	for (size_t i = 0; i < n; i++) {
		if (!rows[i].priced)
			continue;
		double row = (double)xp_chart_name(chart, "y", rows[i].name);
		for (size_t k = 0; k < XP_COST_PARTS; k++)
			if (rows[i].cost[k] > 0)
				xp_series_point(series[k], row, rows[i].cost[k], NAN, NAN);
	}
	xp_chart_drop_empty(chart);
	xp_charts_write(report, figure);
}

void xp_bill_charts(struct xp_report *report, const struct xp_bill_row *rows, size_t n, const char *currency)
{
	bool priced = false;
	for (size_t i = 0; i < n; i++)
		priced |= rows[i].priced;
	if (n)
		draw_parts(report, rows, n);
	if (priced)
		draw_costs(report, rows, n, currency);
}
