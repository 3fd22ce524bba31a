/* tests/experiments/design/test_decide.c - what is eliminated, and what is the front, of intervals that are written
 * down here. */
#include "experiments/design/design.h"

#include <criterion/criterion.h>
#include <math.h>

#define MOST 8

/* A space with a price and a saturation, kept as less is better. */
struct space {
	struct xp_search_space s;
	struct xp_space_candidate k[MOST];
};

static void add(struct space *p, double cost, double low, double high, bool chosen)
{
	struct xp_space_candidate *k = &p->k[p->s.ncandidates++];
	cr_assert_leq(p->s.ncandidates, MOST);
	k->best[XP_GOAL_COST] = k->worst[XP_GOAL_COST] = cost;
	k->best[XP_GOAL_SATURATION] = -high;
	k->worst[XP_GOAL_SATURATION] = -low;
	k->chosen = chosen;
	p->s.candidate = p->k;
	p->s.ngoals = 2;
	p->s.goal[0] = XP_GOAL_COST;
	p->s.goal[1] = XP_GOAL_SATURATION;
	p->s.c.study.number.width = 3;
}

static bool is_out(struct space *p, size_t i)
{
	xp_sieve(&p->s);
	return p->k[i].out;
}

Test(decide, what_is_dearer_and_surely_worse_goes)
{
	struct space p = { 0 };
	add(&p, 10, .50, .60, true);
	add(&p, 11, 0, .49, false); /* by its bound alone */
	add(&p, 11, 0, .55, false); /* its best is better than what is certain of the first: .50, and covers: .55 */
	add(&p, 11, 0, .58, false);
	add(&p, 9, 0, .10, false); /* the cheapest */
	cr_expect(is_out(&p, 1));
	cr_expect(p.k[2].out, "at its best it is the middle of the first");
	cr_expect(!p.k[3].out, "its best is more than the width above the middle of the first");
	cr_expect(!p.k[4].out && !p.k[0].out);
}

Test(decide, only_what_was_run_covers)
{
	struct space p = { 0 };
	add(&p, 10, .50, .60, false);
	add(&p, 11, 0, .55, false);
	cr_expect(!is_out(&p, 1), "the middle of a bound is no measurement");
	p.k[0].chosen = true;
	cr_expect(is_out(&p, 1));
}

Test(decide, what_is_known_vaguely_covers_nothing)
{
	struct space p = { 0 };
	add(&p, 10, .35, .64, true); /* in the midst of a search: its middle, .495, is more than it may ever be */
	add(&p, 10, .36, .46, true);
	cr_expect(!is_out(&p, 1));
	p.k[0].best[XP_GOAL_SATURATION] = -.60; /* still vague: .475, .25 wide */
	cr_expect(!is_out(&p, 1));
	p.k[0].worst[XP_GOAL_SATURATION] = -.44;
	p.k[0].best[XP_GOAL_SATURATION] = -.50; /* .47, .13 of it wide */
	cr_expect(is_out(&p, 1));
}

Test(decide, equals_do_not_eliminate_each_other)
{
	struct space p = { 0 };
	add(&p, 10, .50, .50, true);
	add(&p, 10, .50, .50, true);
	xp_sieve(&p.s);
	cr_expect(!p.k[0].out && !p.k[1].out);
	xp_find_front(&p.s);
	cr_expect(p.k[0].front && !p.k[1].front && p.k[1].tied, "of equals the first is on the front");
}

Test(decide, what_is_rejected_or_out_beats_no_other)
{
	struct space p = { 0 };
	char why[] = "deadlock";
	add(&p, 1, .9, .9, true);
	add(&p, 2, .5, .5, true);
	p.k[0].rejected = why;
	cr_expect(!is_out(&p, 1));
	xp_find_front(&p.s);
	cr_expect(!p.k[0].front && p.k[1].front);
}

Test(decide, a_load_that_is_not_carried_is_no_latency)
{
	struct space p = { 0 };
	add(&p, 10, .4, .4, true);
	add(&p, 10, .4, .4, true);
	p.s.goal[p.s.ngoals++] = XP_GOAL_P99;
	p.k[0].best[XP_GOAL_P99] = p.k[0].worst[XP_GOAL_P99] = INFINITY;
	p.k[1].best[XP_GOAL_P99] = 900;
	p.k[1].worst[XP_GOAL_P99] = 1100;
	cr_expect(is_out(&p, 0), "the other has a latency");
	cr_expect(!p.k[1].out);
	/* an idle network's latency beats nothing, but may be beaten */
	p.k[0].out = false;
	p.k[0].best[XP_GOAL_P99] = 1200;
	cr_expect(is_out(&p, 0));
	p.k[0].out = false;
	p.k[0].best[XP_GOAL_P99] = 500;
	cr_expect(!is_out(&p, 0) && !p.k[1].out);
}

Test(decide, long_runs_are_for_what_is_unclear)
{
	struct space p = { 0 };
	add(&p, 10, .30, .40, true);
	add(&p, 20, .50, .60, true); /* dearer and surely better: both are clear */
	cr_expect(!xp_unclear(&p.s, &p.k[0]) && !xp_unclear(&p.s, &p.k[1]));
	add(&p, 21, .58, .70, true); /* may be worse than the second, at more money */
	cr_expect(!xp_unclear(&p.s, &p.k[0]));
	cr_expect(xp_unclear(&p.s, &p.k[1]) && xp_unclear(&p.s, &p.k[2]));
	p.k[2].out = true;
	cr_expect(!xp_unclear(&p.s, &p.k[1]));
}

Test(decide, the_front_by_middles_is_that_of_all_pairs)
{
	struct space p = { 0 };
	const double cost[] = { 1, 2, 3, 4, 5, 6 }, middle[] = { .2, .1, .4, .3, .5, .45 };
	for (int i = 0; i < 6; i++)
		add(&p, cost[i], middle[i] - .01, middle[i] + .01, true);
	xp_find_front(&p.s);
	for (int i = 0; i < 6; i++)
		cr_expect_eq(p.k[i].front, i % 2 == 0, "%d", i);
}

/* Two that differ in what does not act at the load of the latency have the same intervals of it. */
Test(decide, the_same_latency_decides_nothing)
{
	struct space p = { 0 };
	for (size_t i = 0; i < 3; i++) {
		add(&p, 10, i ? .50 : .60, i ? .52 : .62, true);
		p.k[i].best[XP_GOAL_P99] = 1000 + (i == 2 ? 1 : 0);
		p.k[i].worst[XP_GOAL_P99] = 1100;
	}
	p.s.ngoals = 3;
	p.s.goal[2] = XP_GOAL_P99;
	xp_sieve(&p.s);
	cr_expect(!p.k[0].out);
	cr_expect(p.k[1].out, "as fast, and surely saturates earlier");
	cr_expect(!p.k[2].out, "it may be faster");
}

Test(decide, latencies_that_are_not_known_are_not_the_same)
{
	struct space p = { 0 };
	for (size_t i = 0; i < 2; i++) {
		add(&p, 10, i ? .50 : .60, i ? .52 : .62, true);
		p.k[i].best[XP_GOAL_P99] = 1000;
		p.k[i].worst[XP_GOAL_P99] = INFINITY;
	}
	p.s.ngoals = 3;
	p.s.goal[2] = XP_GOAL_P99;
	cr_expect(!is_out(&p, 1));
}
