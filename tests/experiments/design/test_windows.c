/* tests/experiments/design/test_windows.c - how long the windows of series are whose mix is to be known within a width.
 */
#include "experiments/design/design.h"

#include <criterion/criterion.h>
#include <math.h>

struct mix {
	struct xp_search_space s;
	struct xp_design d;
	struct xp_series q[2];
	double weight[2];
};

static void make(struct mix *m, double low0, double low1)
{
	*m = (struct mix){ .weight = { 1, 1 } };
	m->s.c.study.number.width = 3;
	m->s.c.study.number.many = 200;
	m->s.c.columns = 2;
	m->s.weight = m->weight;
	m->s.nweights = 2;
	m->s.ngoals = 1;
	m->s.goal[0] = XP_GOAL_SATURATION;
	m->d.series = m->q;
	for (int i = 0; i < 2; i++)
		m->q[i] = (struct xp_series){ .design = &m->d,
			                      .low = i ? low1 : low0,
			                      .high = (i ? low1 : low0) * 1.1,
			                      .packets = 200,
			                      .noise = 0.01,
			                      .guess = 1,
			                      .stage = XP_REFINED,
			                      .longer = 1 };
}

static double half_of_mix(struct mix *m)
{
	double sum = 0, all = 0;
	for (int i = 0; i < 2; i++) {
		double part = m->weight[i] / (m->q[i].low * 1.05);
		sum += part * xp_search_half_width(&m->q[i], 200 * m->q[i].longer);
		all += part;
	}
	return sum / all;
}

Test(windows, are_long_enough_and_no_longer)
{
	struct mix m;
	make(&m, .5, .5);
	cr_assert_gt(half_of_mix(&m), .03);
	xp_windows_begin(&m.s, &m.d);
	cr_expect_leq(half_of_mix(&m), .03);
	for (int i = 0; i < 2; i++) { /* the last step was needed */
		double longer = m.q[i].longer;
		m.q[0].longer /= 1.5 * 1.5;
		m.q[1].longer /= 1.5 * 1.5;
		cr_expect_gt(half_of_mix(&m), .03);
		m.q[0].longer *= 1.5 * 1.5;
		m.q[1].longer *= 1.5 * 1.5;
		cr_expect_leq(longer, XP_SEARCH_LONGEST);
	}
}

/* One that takes a tenth of the time of the mix gets no longer windows than the other. */
Test(windows, what_decides_little_is_run_less)
{
	struct mix m;
	make(&m, .9, .1);
	xp_windows_begin(&m.s, &m.d);
	cr_expect_leq(half_of_mix(&m), .03);
	cr_expect_lt(m.q[0].longer, m.q[1].longer);
	m.s.c.study.number.width = 100;
	xp_windows_begin(&m.s, &m.d);
	cr_expect(m.q[0].longer <= 1 && m.q[1].longer <= 1, "a width that is reached at once");
	m.s.c.study.number.width = .01;
	xp_windows_begin(&m.s, &m.d);
	cr_expect(m.q[0].longer <= XP_SEARCH_LONGEST && m.q[1].longer <= XP_SEARCH_LONGEST);
}

Test(windows, get_longer_where_least_is_known)
{
	struct mix m;
	make(&m, .9, .1);
	for (int i = 0; i < 2; i++) {
		m.q[i].carried = m.q[i].low;
		m.q[i].most = m.q[i].high;
		m.q[i].adds = .05;
	}
	xp_windows_longer(&m.s, &m.d);
	cr_expect(m.q[0].stage == XP_REFINED && m.q[1].stage == XP_REFINE && m.q[1].longer > 1);
	xp_windows_longer(&m.s, &m.d);
	cr_expect(m.q[0].stage == XP_REFINED, "not while one is still searched");
	make(&m, .9, .1);
	m.q[0].high = m.q[0].low * 1.02;
	m.q[1].high = m.q[1].low * 1.02;
	xp_windows_longer(&m.s, &m.d);
	cr_expect(m.q[0].stage == XP_REFINED && m.q[1].stage == XP_REFINED, "it is known well enough");
}
