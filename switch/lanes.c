/* switch/lanes.c - the division of a port's buffer among lanes, and the sender's account of its use: see lanes.h.
 *
 * Invariant: the free part of the pool and the parts that the lanes use add up to the size of the pool. */
#include "switch/lanes.h"
#include "switch/switch.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void name_lanes(const struct sw_lanes *l, char *out, size_t size)
{
	if (l->classes > 1)
		snprintf(out, size, "%u classes x %u VCs", l->classes, l->vcs);
	else
		snprintf(out, size, "%u VCs", l->vcs);
}

static int refuse(const struct sw_common *c, uint64_t buffer, uint64_t pool, uint64_t each, uint64_t need,
                  double shared, struct base_errors *errors)
{
	char lanes[64], part[64] = "";
	name_lanes(&c->lanes, lanes, sizeof lanes);
	if (pool)
		snprintf(part, sizeof part, ", %" PRIu64 " of them shared,", pool);
	return base_errorf(errors, "buffer",
	                   "%" PRIu64 " bytes per port%s leave %" PRIu64
	                   " for each of %s, less than %s of %u bytes; at least %.0fB is needed",
	                   buffer, part, each, lanes, c->bubble ? "two packets (bubble rule)" : "one packet",
	                   c->max_packet, ceil((double)(need * c->lanes.n) / (1 - shared)));
}

int sw_lanes_size(struct sw_common *c, uint64_t buffer, double shared_pool, double threshold,
                  struct base_errors *errors)
{
	struct sw_lanes *l = &c->lanes;
	uint64_t pool = (uint64_t)((double)buffer * shared_pool), each = (buffer - pool) / l->n;
	uint64_t need = (uint64_t)c->max_packet * (c->bubble ? 2 : 1);
	base_checkf(l->n && l->n == l->classes * l->vcs && l->n <= SW_MAX_LANES, "%u lanes of %u classes, %u VCs", l->n,
	            l->classes, l->vcs);
	if (pool && !c->max_net_ports)
		return base_errorf(errors, "shared_pool", "has an effect only with links between switches");
	if (pool && l->n == 1)
		return base_errorf(errors, "shared_pool",
		                   "has no effect here: a port has only one lane, which uses the whole buffer");
	if (pool && c->bubble)
		return base_errorf(errors, "shared_pool",
		                   "the bubble rule counts the free bytes of a ring's own buffers, which no other lane "
		                   "may take: use 0 with this routing");
	if (pool && buffer > INT32_MAX)
		return base_errorf(errors, "buffer",
		                   "%" PRIu64 " bytes per port, part of them shared, are more than 2 GiB", buffer);
	if (each > UINT32_MAX)
		return base_errorf(errors, "buffer", "%" PRIu64 " bytes per port is more than 4 GiB for each of %u VCs",
		                   buffer, l->n);
	if (each < need)
		return refuse(c, buffer, pool, each, need, shared_pool, errors);
	l->reserve = (uint32_t)each;
	l->pool = (uint32_t)pool;
	l->alpha_q16 = (uint32_t)(threshold * 65536 + 0.5);
	return 0;
}

void sw_account_init(const struct sw_lanes *l, uint32_t *account)
{
	for (uint32_t lane = 0; lane < l->n; lane++)
		account[lane] = l->reserve;
	if (l->pool)
		account[l->n] = l->pool;
}

uint64_t sw_account_used(const struct sw_lanes *l, const uint32_t *account)
{
	uint64_t used = l->pool ? l->pool - account[l->n] : 0;
	for (uint32_t lane = 0; lane < l->n; lane++)
		used += sw_lane_used(l, account, lane) - (l->pool ? sw_lane_of_pool(account[lane]) : 0);
	return used;
}

bool sw_pool_fits(const struct sw_lanes *l, const uint32_t *account, uint32_t lane, uint32_t bytes)
{
	int64_t left = (int64_t)(int32_t)account[lane] - bytes;
	if (left >= 0)
		return true;
	uint64_t then = (uint64_t)-left, more = then - sw_lane_of_pool(account[lane]);
	return more <= account[l->n] && then << 16 <= l->alpha_q16 * (account[l->n] - more);
}

void sw_pool_settle(struct sim_ctx *ctx, const struct sw_lanes *l, uint32_t *account, uint32_t lane, uint32_t left)
{
	int64_t back = (int64_t)sw_lane_of_pool(account[lane]) - sw_lane_of_pool(left), now = account[l->n] + back;
	base_checkf(now >= 0 && now <= l->pool, "lane %u gives %lld bytes back to the pool, of which %u are left", lane,
	            (long long)back, account[l->n]);
	sim_set(ctx, &account[l->n], (uint32_t)now);
}
