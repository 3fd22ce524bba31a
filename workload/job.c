/* workload/job.c - see job.h */
#include "workload/job.h"

#include "base/memory.h"
#include "workload/workload.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_space(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

/* Reads a decimal number and the space after it. NULL if there is none or it exceeds 32 bits. */
static const char *read_number(const char *text, uint32_t *out)
{
	uint64_t value = 0;
	if (!isdigit((unsigned char)*text))
		return NULL;
	for (; isdigit((unsigned char)*text); text++) {
		value = 10 * value + (uint64_t)(*text - '0');
		if (value > UINT32_MAX)
			return NULL;
	}
	*out = (uint32_t)value;
	return skip_space(text);
}

static int bad_syntax(const char *nodes, struct base_errors *errors)
{
	return base_errorf(errors, "nodes",
	                   "\"%s\" must be \"all\", a list of ranges such as \"0-99,200\", or a number", nodes);
}

static void begin_members(struct wl_members *m, uint32_t endpoints)
{
	m->member = base_calloc(endpoints ? endpoints : 1, sizeof *m->member);
	m->index_of = base_alloc((endpoints ? endpoints : 1) * sizeof *m->index_of);
	memset(m->index_of, 0xff, endpoints * sizeof *m->index_of);
}

static void append_member(struct wl_members *m, uint32_t endpoint)
{
	m->index_of[endpoint] = m->n;
	m->member[m->n++] = endpoint;
}

/* What is counted: "node" where nodes have several endpoints. */
static int read_ranges(struct wl_members *m, const char *nodes, uint32_t endpoints, const char *noun,
                       struct base_errors *errors)
{
	begin_members(m, endpoints);
	for (const char *at = skip_space(nodes);;) {
		uint32_t low, high;
		at = read_number(at, &low);
		if (!at)
			return bad_syntax(nodes, errors);
		high = low;
		if (*at == '-' && !(at = read_number(skip_space(at + 1), &high)))
			return bad_syntax(nodes, errors);
		if (high < low)
			return base_errorf(errors, "nodes", "the range %u-%u is decreasing", low, high);
		if (high >= endpoints)
			return base_errorf(errors, "nodes", "there is no %s %u; the last one is %u", noun, high,
			                   endpoints - 1);
		for (uint32_t e = low; e <= high; e++) {
			if (m->index_of[e] != WL_IDLE)
				return base_errorf(errors, "nodes", "%s %u is listed twice", noun, e);
			append_member(m, e);
		}
		if (!*at)
			return 0;
		if (*at != ',')
			return bad_syntax(nodes, errors);
		at = skip_space(at + 1);
	}
}

/* Moves `count` random ones of the `n` endpoints to the front, in random order (Fisher-Yates, cut short). */
static void choose_random(uint32_t *v, uint32_t n, uint32_t count, uint64_t seed, uint32_t job)
{
	for (uint32_t i = 0; i < count; i++) {
		struct sim_draw d = wl_setup_draw(seed, job, WL_SETUP_ALLOCATION, i);
		uint32_t j = i + sim_below(d.v[0], n - i);
		uint32_t other = v[j];
		v[j] = v[i];
		v[i] = other;
	}
}

static int read_count(struct wl_members *m, uint32_t count, int allocation, uint32_t endpoints, uint8_t *taken,
                      uint64_t seed, uint32_t job, const char *noun, struct base_errors *errors)
{
	uint32_t *v = base_calloc(endpoints ? endpoints : 1, sizeof *v), n = 0;
	int status = 0;
	for (uint32_t e = 0; e < endpoints; e++)
		if (!taken[e])
			v[n++] = e;
	if (!count) {
		status = base_errorf(errors, "nodes", "a job needs at least one %s", noun);
	} else if (count > n) {
		status =
		    n == endpoints
			? base_errorf(errors, "nodes", "%u %ss are more than the network's %u", count, noun, n)
			: base_errorf(errors, "nodes", "%u %ss are requested, but the earlier jobs leave only %u of %u",
		                      count, noun, n, endpoints);
	} else {
		if (allocation == WL_RANDOM)
			choose_random(v, n, count, seed, job);
		begin_members(m, endpoints);
		for (uint32_t i = 0; i < count; i++)
			append_member(m, v[allocation == WL_INTERLEAVED ? (uint64_t)i * n / count : i]);
		for (uint32_t i = 0; i < count; i++)
			taken[m->member[i]] = 1;
	}
	free(v);
	return status;
}

/* Of nodes to their endpoints. */
static void place_on_endpoints(struct wl_members *m, const struct topo_nodes *nodes, bool every_nic)
{
	struct wl_members by_node = *m;
	uint32_t endpoints = nodes->n * nodes->nics;
	if (every_nic && !by_node.member) {
		m->n = endpoints;
		return;
	}
	m->n = 0;
	begin_members(m, endpoints);
	for (uint32_t i = 0; i < by_node.n; i++) {
		uint32_t home = topo_node_home(nodes, by_node.member ? by_node.member[i] : i);
		for (uint32_t k = 0; k < (every_nic ? nodes->nics : 1); k++)
			append_member(m, topo_nic_at(nodes, home, k));
	}
	wl_members_free(&by_node);
}

int wl_members_read(struct wl_members *out, const char *text, int allocation, const struct topo_nodes *nodes,
                    bool every_nic, uint8_t *taken, uint64_t seed, uint32_t job, struct base_errors *errors)
{
	const char *noun = nodes->nics > 1 ? "node" : "endpoint";
	uint32_t count;
	int status = 0;
	*out = (struct wl_members){ 0 };
	if (!text || !strcmp(text, "all")) {
		out->n = nodes->n;
	} else {
		const char *rest = read_number(skip_space(text), &count);
		status = rest && !*rest ? read_count(out, count, allocation, nodes->n, taken, seed, job, noun, errors)
		                        : read_ranges(out, text, nodes->n, noun, errors);
	}
	if (!status && nodes->nics > 1)
		place_on_endpoints(out, nodes, every_nic);
	return status;
}

void wl_members_free(struct wl_members *members)
{
	free(members->member);
	free(members->index_of);
	*members = (struct wl_members){ 0 };
}
