/* workload/open/own.c - members that offer different loads: an injection process for each load that comes. */
#include "base/memory.h"
#include "workload/jobs.h"

#include <stdlib.h>

#define LONGEST 0x1p62 /* of a mean, see struct wl_injection */

struct own_mean {
	uint64_t mean;
	uint32_t member;
};

static int by_mean(const void *a, const void *b)
{
	const struct own_mean *x = a, *y = b;
	if (x->mean != y->mean)
		return x->mean < y->mean ? -1 : 1;
	return x->member < y->member ? -1 : x->member > y->member;
}

/* The job's injection process with another mean. */
static int build_other(struct wl_injection *out, const struct wl_job *j, uint64_t mean, struct base_errors *errors)
{
	const struct wl_injection_ops *ops = j->injection.said ? j->injection.said : j->injection.ops;
	*out = j->injection;
	out->mean = mean;
	return ops->build ? ops->build(out, errors) : 0;
}

/* Lists the means of members that send. Returns how many; 0 with an error. */
static uint32_t list_means(const struct wl_job *j, struct own_mean *v, struct base_errors *errors)
{
	const struct wl_pattern *p = &j->pattern;
	uint32_t n = 0;
	for (uint32_t i = 0; i < p->members; i++) {
		if (p->ops->destination(p, i, 0, 0, 0) == WL_IDLE)
			continue;
		double share = p->ops->share(p, i), mean = (double)j->injection.mean / share;
		if (!(share > 0) || !(mean < LONGEST)) {
			base_errorf(errors, "load", "endpoint %u would send less than once in 70 s", wl_member(p, i));
			return 0;
		}
		v[n++] = (struct own_mean){ mean > 1 ? (uint64_t)(mean + 0.5) : 1, i };
	}
	return n;
}

int wl_own_injections(struct wl_job *j, struct base_errors *errors)
{
	struct own_mean *v = base_calloc((size_t)j->pattern.members + 1, sizeof *v);
	uint32_t n = list_means(j, v, errors), distinct = 0;
	int status = n ? 0 : -1;
	qsort(v, n, sizeof *v, by_mean);
	for (uint32_t i = 0; i < n; i++)
		distinct += !i || v[i].mean != v[i - 1].mean;
	j->own = base_calloc((size_t)distinct + 1, sizeof *j->own);
	j->own_of = base_calloc((size_t)j->pattern.members + 1, sizeof *j->own_of);
	for (uint32_t i = 0, k = 0; i < n && !status; i++) {
		if (!i || v[i].mean != v[i - 1].mean)
			status = build_other(&j->own[k++], j, v[i].mean, errors);
		j->own_of[v[i].member] = k - 1;
	}
	free(v);
	return status;
}
