/* workload/open/pattern_collective.c - patterns by a member's rank in the job: permutation, incast, all-to-all. */
#include "base/memory.h"
#include "workload/open/permutation.h"
#include "workload/workload.h"

#include <stdlib.h>

/* Permutation: from a file, or a uniformly distributed random derangement: every member sends to one other, and
 * receives from one other. Random shuffles (Fisher-Yates) are drawn until no member is mapped to itself, e = 2.72 of
 * them on average. A shuffle is abandoned at the first fixed point; continuing from its result is equivalent to
 * starting from the identity. */

static bool shuffle_once(struct wl_pattern *p, uint32_t *v, uint32_t *drawn)
{
	for (uint32_t i = p->members - 1; i > 0; i--) {
		struct sim_draw d = wl_setup_draw(p->seed, p->job, WL_SETUP_PERMUTATION, (*drawn)++);
		uint32_t j = sim_below(d.v[0], i + 1), other = v[j];
		v[j] = v[i];
		v[i] = other;
		if (v[i] == i)
			return false;
	}
	return v[0] != 0;
}

struct permutation_params {
	char *file;
};

static const struct base_param permutation_table[] = {
	{ BASE_KEY(FILE, struct permutation_params, file, ""),
	  .help = "file with lines \"SOURCE DESTINATION\" of endpoint numbers, as written by tilefly topo "
	          "--permutation; endpoints not listed as sources are idle. If omitted, a random permutation" },
	{ 0 },
};

/* The file speaks of endpoints, impl of members. */
static int permutation_read(struct wl_pattern *p, const char *file, uint32_t *v, struct base_errors *errors)
{
	uint32_t *to = base_calloc(p->topo->endpoints, sizeof *to);
	int status = wl_read_permutation(to, p->topo->endpoints, file, errors);
	for (uint32_t e = 0; e < p->topo->endpoints && !status; e++) {
		if (to[e] == WL_IDLE)
			continue;
		uint32_t from = wl_index(p, e), other = wl_index(p, to[e]);
		if (from == WL_IDLE || other == WL_IDLE)
			status = base_errorf(errors, "file", "%s: endpoint %u does not belong to this job", file,
			                     from == WL_IDLE ? e : to[e]);
	}
	for (uint32_t i = 0; i < p->members && !status; i++)
		v[i] = to[wl_member(p, i)] == WL_IDLE ? WL_IDLE : wl_index(p, to[wl_member(p, i)]);
	free(to);
	return status;
}

static int permutation_build(struct wl_pattern *p, struct base_errors *errors)
{
	const struct permutation_params *q = p->params;
	uint32_t *v = p->impl = base_calloc(p->members, sizeof *v), drawn = 0;
	if (q->file && *q->file)
		return permutation_read(p, q->file, v, errors);
	for (uint32_t i = 0; i < p->members; i++)
		v[i] = i;
	while (!shuffle_once(p, v, &drawn))
		;
	return 0;
}

static void permutation_destroy(struct wl_pattern *p)
{
	free(p->impl);
}

static uint32_t permutation_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                        uint32_t coin)
{
	(void)message, (void)bits, (void)coin;
	const uint32_t *to = p->impl;
	return to[index] == WL_IDLE ? WL_IDLE : wl_member(p, to[index]);
}

static const struct wl_pattern_ops permutation_ops = {
	.fixed = true,
	.build = permutation_build,
	.destroy = permutation_destroy,
	.destination = permutation_destination,
};

const struct base_plugin wl_permutation = {
	BASE_DESCRIBE("pattern", "permutation", permutation_table, struct permutation_params, &permutation_ops),
	.summary = "a random permutation without fixed points, drawn from the seed, or a permutation from a file",
};

/* Incast: all others to one, which itself is idle. impl is not needed: the parameter is read at start only. */

struct incast_params {
	int64_t target;
};

static const struct base_param incast_table[] = {
	{ BASE_KEY(AUTO_INT, struct incast_params, target, "auto"), .unit = "endpoint", .min = 0, .max = UINT32_MAX,
	  .help = "endpoint that receives, a member of the job; auto: the job's first endpoint" },
	{ 0 },
};

static int incast_build(struct wl_pattern *p, struct base_errors *errors)
{
	const struct incast_params *q = p->params;
	int64_t e = q->target;
	if (e == BASE_AUTO || (e >= 0 && e < (int64_t)p->topo->endpoints && wl_index(p, (uint32_t)e) != WL_IDLE))
		return 0;
	return wl_no_member(p, "target", e, errors);
}

static uint32_t incast_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                   uint32_t coin)
{
	(void)message, (void)bits, (void)coin;
	const struct incast_params *q = p->params;
	uint32_t target = q->target == BASE_AUTO ? wl_member(p, 0) : (uint32_t)q->target;
	return wl_member(p, index) == target ? WL_IDLE : target;
}

static const struct wl_pattern_ops incast_ops = {
	.fixed = true,
	.build = incast_build,
	.destination = incast_destination,
};

const struct base_plugin wl_incast = {
	BASE_DESCRIBE("pattern", "incast", incast_table, struct incast_params, &incast_ops),
	.summary = "all endpoints of the job send to one of them",
};

/* All-to-all: message n of member i goes to member i + 1 + (n mod (m - 1)), cyclically, so that at equal message
 * numbers the members form a permutation. The remainder of a 32-bit number takes two products (Lemire, Kaser & Kurz,
 * Software: Practice and Experience 49 (2019), theorem 1). */

struct all_to_all {
	uint64_t reciprocal; /* ceil(2^64 / (m - 1)) */
};

static int all_to_all_build(struct wl_pattern *p, struct base_errors *errors)
{
	(void)errors;
	struct all_to_all *a = p->impl = base_alloc(sizeof *a);
	a->reciprocal = UINT64_MAX / (p->members - 1) + 1; /* m = 2: 0, with which every remainder is 0 */
	return 0;
}

static void all_to_all_destroy(struct wl_pattern *p)
{
	free(p->impl);
}

static uint32_t all_to_all_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                       uint32_t coin)
{
	(void)bits, (void)coin;
	const struct all_to_all *a = p->impl;
	uint64_t fraction = a->reciprocal * message;
	uint64_t round = (uint64_t)((unsigned __int128)fraction * (p->members - 1) >> 64);
	uint64_t to = index + 1 + round;
	return wl_member(p, (uint32_t)(to >= p->members ? to - p->members : to));
}

static const struct wl_pattern_ops all_to_all_ops = {
	.build = all_to_all_build,
	.destroy = all_to_all_destroy,
	.destination = all_to_all_destination,
};

const struct base_plugin wl_all_to_all = {
	.kind = "pattern",
	.name = "all-to-all",
	.summary = "message n of member i goes to member i + 1 + n, so to all others in turn",
	.ops = &all_to_all_ops,
};
