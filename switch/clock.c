/* switch/clock.c - compares a switch's clock with the bandwidth of its links. */
#include "switch/clock.h"

#define ROUNDING 1.001

void sw_look_at_clock(struct sw_common *c, const char *key, uint64_t period, double ps, struct base_errors *errors)
{
	double bits = 8.0 * c->max_packet;
	const struct sw_link *link = &c->link[c->fastest];
	uint64_t gap = c->kinds ? UINT64_MAX : link->gap;
	for (uint32_t k = 0; c->kinds && k < c->kinds->n; k++)
		gap = c->kinds->link[k][c->fastest].gap < gap ? c->kinds->link[k][c->fastest].gap : gap;
	double link_ps = (double)link->ps_per_byte_q16 / 65536 * c->max_packet + (double)gap;
	if (!c->max_packet || ps <= ROUNDING * link_ps)
		return;
	double share = link_ps / ps;
	c->clocked = share;
	base_warnf(errors, key,
	           "a clock of %llu ps carries %.4g Gb/s per port with packets of %u bytes, but a port's link delivers "
	           "%.4g Gb/s: at most a fraction of %.3f of that passes the switch; with a clock period of %.0f ps or "
	           "less all of it passes",
	           (unsigned long long)period, 1e3 * bits / ps, c->max_packet, 1e3 * bits / link_ps, share,
	           share * (double)period);
}
