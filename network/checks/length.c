/* network/checks/length.c - the maximum length of a run, and the resolution of its pauses.
 *
 * Runs that determine their own end pause at multiples of a unit, which is the lookahead times a power of two. The
 * number of the window that a time belongs to is computed by a multiplication, which is exact up to some time; wider
 * windows are narrowed where it is not exact (sim/engine.c). For runs that may take longer than that, units and windows
 * are built from a grain slightly smaller than the lookahead, for which the multiplication is exact up to the end
 * (sim_exact_width()). So latencies do not limit the length of a run. */
#include "base/units.h"
#include "network/legs.h"

#define LONGEST 1000000000000000000u /* ps: 1,000,000 s, 11 days */
#define SECOND 1000000000000u
#define UNIT_BITS 42                  /* units are less than 2^UNIT_BITS ps, 4 s */
#define LONG_LATENCIES 1000000000000u /* ps: where windows of a lookahead are exact for less, 1 s, any run is long */

/* ps: the longest run that is possible. A switch model may limit it further. */
static uint64_t longest(const struct net *n)
{
	const struct sw_ops *ops = n->config->sw.plugin->ops; /* n->common may not be there yet */
	uint64_t most = ops->timing.most_time;
	return most && most < LONGEST ? most : LONGEST;
}

/* ps: the time up to which the numbers of windows of one lookahead, and of units, are computed exactly. */
static uint64_t short_time(const struct net *n)
{
	uint64_t latest = UINT64_MAX / 4 / n->lookahead;
	return latest > SECOND ? latest / SECOND * SECOND : latest;
}

/* ps: upper estimate of the duration of all applications: the sum of their work as if each operation waited for all
 * others, plus many times the latency of the network. */
static double work_of(const struct net *n)
{
	double work = 0;
	for (uint32_t j = 0; j < n->traffic.jobs; j++)
		work += n->traffic.job[j].work_ps;
	return work;
}

/* Returns whether the run may last beyond the time up to which the numbers of windows of one lookahead are computed
 * exactly. For applications without a limit this is estimated from their work; other runs without a limit are much
 * shorter. */
static bool is_long(const struct net *n)
{
	const struct net_time *t = &n->config->time;
	uint64_t shortest = short_time(n);
	if (t->precision > 0 || (t->applications && t->limit != BASE_AUTO_TIME_VALUE))
		return t->limit > shortest;
	if (t->applications)
		return shortest < LONG_LATENCIES || work_of(n) > (double)shortest / 8;
	return t->drain == NET_DRAIN_AUTO && t->warmup + t->measure > shortest / NET_DRAIN_HORIZON;
}

uint64_t net_legs_latest(const struct net *n)
{
	const struct net_time *t = &n->config->time;
	uint64_t most = !is_long(n)                                           ? short_time(n)
	                : t->applications && t->limit == BASE_AUTO_TIME_VALUE ? LONGEST / 10
	                                                                      : LONGEST;
	return most < longest(n) ? most : longest(n);
}

/* ps: no pause of a long run is later. */
static uint64_t reach(const struct net *n)
{
	const struct net_time *t = &n->config->time;
	uint64_t latest = net_legs_latest(n), most = latest;
	if (t->precision > 0 || t->applications)
		most = t->limit < latest ? t->limit : latest;
	else if (t->drain == NET_DRAIN_AUTO && (t->warmup + t->measure) < latest / NET_DRAIN_HORIZON)
		most = (t->warmup + t->measure) * NET_DRAIN_HORIZON;
	return most + (1ull << UNIT_BITS);
}

/* How often `from` is doubled until it is `wanted`. */
static unsigned doublings(uint64_t from, uint64_t wanted)
{
	unsigned n = 0;
	for (; from < wanted && from < 1ull << (UNIT_BITS - 2); from *= 2)
		n++;
	return n;
}

/* A packet crosses the network in it, were it empty. */
static uint64_t least_unit(const struct net *n)
{
	return n->lookahead * (n->topo.ops->max_distance(&n->topo) + 2ull);
}

uint64_t net_legs_grain(const struct net *n)
{
	uint64_t wanted = least_unit(n);
	uint64_t most = n->lookahead < SIM_WINDOW_MAX ? n->lookahead : SIM_WINDOW_MAX;
	return is_long(n) ? sim_exact_width(most, doublings(most, wanted) + 1, reach(n)) : n->lookahead;
}

uint64_t net_legs_unit(const struct net *n)
{
	uint64_t wanted = least_unit(n), grain = net_legs_grain(n);
	return grain << doublings(grain, wanted);
}

int net_legs_check(const struct net *n, struct base_errors *errors)
{
	const struct net_time *t = &n->config->time;
	char least[48], most[48];
	bool limited = t->precision > 0 || (t->applications && t->limit != BASE_AUTO_TIME_VALUE);
	bool drains = !limited && !t->applications && t->drain == NET_DRAIN_AUTO;
	uint64_t end = drains ? longest(n) / NET_DRAIN_HORIZON : longest(n);
	base_print_quantity(BASE_TIME, end > SECOND ? end / SECOND * SECOND : end, most, sizeof most);
	if (limited && t->limit > end)
		return base_errorf(errors, "time.limit", "must be at most %s%s", most,
		                   end < LONGEST ? " with this switch" : "");
	if (!limited && !t->applications && t->warmup + t->measure > end)
		return base_errorf(errors, "time.measure",
		                   "is too long: warm-up and measurement must take at most %s in all%s%s", most,
		                   drains ? " with time.drain = \"auto\"" : "",
		                   longest(n) < LONGEST ? ", with this switch" : "");
	uint64_t unit = net_legs_unit(n), first = t->warmup != BASE_AUTO_TIME_VALUE ? net_round_up(t->warmup, unit) : 0;
	if (!limited || t->limit >= first + unit)
		return 0;
	base_print_quantity(BASE_TIME, first + unit, least, sizeof least);
	return base_errorf(errors, "time.limit",
	                   "must be at least %s, because a run of this network is checked at this interval", least);
}
