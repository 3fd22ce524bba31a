/* experiments/design/windows.c - chooses the window lengths of a candidate's series, such that the saturation load of
 * the traffic mix is predicted to be known within the tolerance.
 *
 * The saturation of the mix is the sum of the shares, divided by the sum of share / saturation over its traffics. Its
 * relative error is the mean of the relative errors of the traffics, weighted by share / saturation, so a traffic with
 * a small weight needs less precision. */
#include "experiments/design/design.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define STEP 1.5

static double width_of(const struct xp_search_space *s)
{
	return s->c.study.number.width / 100;
}

/* share / saturation, as far as that is known. */
static double part_of(const struct xp_search_space *s, const struct xp_design *d, size_t column)
{
	const struct xp_series *q = &d->series[column];
	double at =
	    q->low > 0 ? (q->low + q->high) / 2 : fmin(q->high > 0 ? q->high : 1, q->hint > 0 ? q->hint : q->guess);
	return at > 0 ? (s->nweights ? s->weight[column] : 1) / at : 0;
}

/* Of the series whose next step adds most information for its length, until the mix will be known. */
void xp_windows_begin(const struct xp_search_space *s, struct xp_design *d)
{
	double many = (double)s->c.study.number.many;
	for (size_t n = 0; n < s->c.columns; n++)
		d->series[n].longer = 1;
	for (;;) {
		double sum = 0, all = 0, most = 0;
		struct xp_series *next = NULL;
		for (size_t n = 0; n < s->c.columns; n++) {
			struct xp_series *q = &d->series[n];
			double part = part_of(s, d, n), half = xp_search_half_width(q, many * q->longer);
			double gain = part * (half - xp_search_half_width(q, many * q->longer * STEP)) / q->longer;
			sum += part * half;
			all += part;
			if (q->longer * STEP <= XP_SEARCH_LONGEST && gain > most) {
				most = gain;
				next = q;
			}
		}
		if (!next || sum <= width_of(s) * all)
			return;
		next->longer *= STEP;
	}
}

void xp_windows_longer(const struct xp_search_space *s, struct xp_design *d)
{
	double low = xp_mix_of(s, d, false), high = xp_mix_of(s, d, true);
	bool rests = xp_wants(s, XP_GOAL_SATURATION) && high - low > width_of(s) * (high + low);
	for (size_t n = 0; n < s->c.columns; n++)
		rests &= d->series[n].stage == XP_REFINED;
	bool *tried = base_calloc(s->c.columns + 1, sizeof *tried);
	for (bool done = !rests; !done;) {
		size_t best = s->c.columns;
		for (size_t n = 0; n < s->c.columns; n++)
			if (!tried[n] &&
			    (best == s->c.columns || xp_series_doubt(s, d, n) > xp_series_doubt(s, d, best)))
				best = n;
		if (best < s->c.columns)
			tried[best] = true;
		done = best == s->c.columns || xp_search_longer(&d->series[best]);
	}
	free(tried);
}
