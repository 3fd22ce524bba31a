/* routing/route_check.c - checks the routes of a file as a whole: there must be a route from every source to every
 * destination, and none may go in circles. */
#include "base/memory.h"
#include "routing/route_file.h"

#include <stdlib.h>
#include <string.h>

/* --- next hops ---------------------------------------------------------------------------------------------- */

enum { UNSEEN, OPEN, DONE };

/* A search through the switches that packets of one row may pass. */
struct hop_search {
	struct rt_route_reader *r;
	uint32_t row;
	topo_switch to;
	bool endpoint;
	uint32_t number;   /* of the destination, for messages */
	uint8_t *state;    /* [switches] */
	uint16_t *longest; /* [switches] hops from here, if DONE */
	topo_switch *stack;
	uint32_t *cursor; /* [switches] the outlet that is followed */
	uint32_t depth;
	bool circle; /* one has been reported */
};

static const struct rt_outlets *outlets_at(const struct hop_search *x, bool source, topo_switch s)
{
	const struct rt_routes *t = x->r->routes;
	uint32_t entry = rt_routes_read(t, source && t->source ? t->source : t->entry, s, x->row);
	return entry ? &t->set[entry - 1] : NULL;
}

static void report_missing(struct hop_search *x, topo_switch s, topo_switch source)
{
	const char *kind = x->endpoint ? "endpoint" : "switch";
	if (s == source)
		rt_route_problem(x->r, 0, "there are no next hops from switch %u to %s %u", s, kind, x->number);
	else
		rt_route_problem(x->r, 0, "there are no next hops from switch %u to %s %u, for packets from switch %u",
		                 s, kind, x->number, source);
}

/* The switches of the stack from `first` on, which come back to it. */
static void report_circle(struct hop_search *x, topo_switch first)
{
	char text[300];
	size_t at = 0;
	uint32_t i = x->depth, shown = 0;
	while (i && x->stack[i - 1] != first)
		i--;
	i -= i > 0;
	for (uint32_t k = i; k < x->depth && shown < 6; k++, shown++) {
		topo_switch s = x->stack[k];
		uint32_t line = rt_route_find_line(x->r, false, s, x->endpoint, x->number);
		if (!line)
			line = rt_route_find_line(x->r, false, s, false, x->to);
		at += (size_t)snprintf(text + at, sizeof text - at, "%u (line %u) -> ", s, line);
	}
	snprintf(text + at, sizeof text - at, "%s%u", x->depth - i > shown ? "... -> " : "", first);
	rt_route_problem(x->r, 0, "packets to %s %u can go in a circle: %s", x->endpoint ? "endpoint" : "switch",
	                 x->number, text);
	x->circle = true;
}

static void open_switch(struct hop_search *x, topo_switch s)
{
	x->state[s] = OPEN;
	x->cursor[s] = 0;
	x->longest[s] = 0;
	x->stack[x->depth++] = s;
}

/* Follows all hops from s on, where packets from `source` come. */
static void search_from(struct hop_search *x, topo_switch s, topo_switch source)
{
	const struct rt_route_reader *r = x->r;
	if (x->state[s] != UNSEEN)
		return;
	open_switch(x, s);
	while (x->depth) {
		topo_switch here = x->stack[x->depth - 1];
		const struct rt_outlets *o = here == x->to ? NULL : outlets_at(x, false, here);
		if (here != x->to && !o)
			report_missing(x, here, source);
		if (!o || x->cursor[here] == o->n) {
			x->state[here] = DONE;
			x->depth--;
			continue;
		}
		topo_switch next = topo_peer(r->rt->topo, here, r->routes->outlet[o->first + x->cursor[here]].port).to;
		if (x->state[next] == UNSEEN) {
			open_switch(x, next);
			continue;
		}
		if (x->state[next] == OPEN && !x->circle)
			report_circle(x, next);
		else if (x->state[next] == DONE && x->longest[next] + 1 > x->longest[here])
			x->longest[here] =
			    (uint16_t)(x->longest[next] < UINT16_MAX - 1 ? x->longest[next] + 1 : UINT16_MAX);
		x->cursor[here]++;
	}
}

static void search_row(struct hop_search *x, uint32_t *longest)
{
	const struct topo *t = x->r->rt->topo;
	memset(x->state, UNSEEN, t->switches);
	x->circle = false;
	for (topo_switch s = 0; s < t->switches; s++) {
		if (!topo_endpoints_at(t, s) || s == x->to)
			continue;
		const struct rt_outlets *o = outlets_at(x, true, s);
		if (!o)
			report_missing(x, s, s);
		for (uint32_t i = 0; o && i < o->n; i++) {
			topo_switch next = topo_peer(t, s, x->r->routes->outlet[o->first + i].port).to;
			search_from(x, next, s);
			if (x->longest[next] + 1u > *longest)
				*longest = x->longest[next] + 1u;
		}
	}
}

/* Completes one row (destination) of the table of next hops at all switches. An endpoint without next hops of its own
 * uses those of its switch, given by row `general`. Packets that come from an endpoint of the switch use the next hops
 * of all packets, where the file gives no special ones. */
static void fill_row(struct rt_route_reader *r, uint32_t row, uint32_t general)
{
	struct rt_routes *x = r->routes;
	for (topo_switch s = 0; s < r->rt->topo->switches; s++) {
		uint32_t entry = rt_routes_read(x, x->entry, s, row);
		uint32_t source = x->source ? rt_routes_read(x, x->source, s, row) : 0;
		if (!source)
			source = entry;
		if (!source && x->source)
			source = rt_routes_read(x, x->source, s, general);
		if (!entry)
			entry = rt_routes_read(x, x->entry, s, general);
		if (!source)
			source = entry;
		rt_routes_write(x, r->rt->topo, false, s, row, entry);
		if (x->source)
			rt_routes_write(x, r->rt->topo, true, s, row, source);
	}
}

/* Has some endpoint of the switch no row of its own? */
static bool needs_row(const struct rt_route_reader *r, topo_switch s)
{
	const struct topo *t = r->rt->topo;
	uint32_t first = topo_first_endpoint(t, s), n = topo_endpoints_at(t, s), own = 0;
	for (uint32_t i = 0; i < n && r->routes->row; i++)
		own += r->routes->row[first + i] != 0;
	return own < n;
}

void rt_route_check_hops(struct rt_route_reader *r, uint32_t *longest)
{
	const struct topo *t = r->rt->topo;
	struct rt_routes *x = r->routes;
	struct hop_search search = { .r = r };
	for (topo_switch s = 0; s < x->switch_rows; s++)
		fill_row(r, s, s);
	for (uint32_t e = 0; e < t->endpoints && x->row; e++)
		if (x->row[e])
			fill_row(r, x->row[e], topo_switch_of(t, e));
	search.state = base_calloc(t->switches, sizeof *search.state);
	search.longest = base_calloc(t->switches, sizeof *search.longest);
	search.stack = base_calloc(t->switches, sizeof *search.stack);
	search.cursor = base_calloc(t->switches, sizeof *search.cursor);
	for (topo_switch s = 0; s < x->switch_rows; s++) {
		search.row = search.to = search.number = s;
		if (topo_endpoints_at(t, s) && needs_row(r, s))
			search_row(&search, longest);
	}
	search.endpoint = true;
	for (uint32_t e = 0; e < t->endpoints && x->row; e++) {
		search.row = x->row[e];
		search.number = e;
		search.to = topo_switch_of(t, e);
		if (x->row[e])
			search_row(&search, longest);
	}
	free(search.state);
	free(search.longest);
	free(search.stack);
	free(search.cursor);
	if (!r->problems && *longest > UINT8_MAX)
		rt_route_problem(r, 0, "a route of %u hops; the longest may have %u", *longest, UINT8_MAX);
}

/* --- paths -------------------------------------------------------------------------------------------------- */

static int compare_numbers(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int by_pair(const void *a, const void *b)
{
	const struct rt_read_path *x = a, *y = b;
	int order = compare_numbers(x->from, y->from);
	order = order ? order : compare_numbers(x->to, y->to);
	order = order ? order : compare_numbers(x->src, y->src);
	order = order ? order : compare_numbers(x->dst, y->dst);
	return order ? order : compare_numbers(x->line, y->line);
}

static bool same_pair(const struct rt_read_path *x, const struct rt_route_pair *p)
{
	return x->from == p->from && x->to == p->to && x->src == p->src && x->dst == p->dst;
}

static bool same_steps(const struct rt_routes *x, const struct rt_read_path *a, const struct rt_read_path *b)
{
	return a->hops == b->hops && !memcmp(&x->step[a->step], &x->step[b->step], a->hops * sizeof *x->step);
}

static void add_to_pair(struct rt_route_reader *r, const struct rt_read_path *p)
{
	struct rt_routes *x = r->routes;
	if (!x->pairs || !same_pair(p, &x->pair[x->pairs - 1]))
		x->pair[x->pairs++] = (struct rt_route_pair){
			.from = p->from, .to = p->to, .src = p->src, .dst = p->dst, .first = x->npaths
		};
	else
		r->rules->choice = true;
	struct rt_route_pair *pair = &x->pair[x->pairs - 1];
	if (p->weight > UINT32_MAX - pair->total) {
		rt_route_problem(r, p->line, "the weights of the paths from switch %u to %u are too large", p->from,
		                 p->to);
		return;
	}
	pair->n++;
	pair->total += p->weight;
	x->path[x->npaths++] = (struct rt_route_path){ .step = p->step, .upto = pair->total };
}

/* Do the pairs [lo, hi), from switch s to switch to, cover all endpoints? */
static bool covers(const struct rt_route_reader *r, topo_switch s, topo_switch to, uint32_t lo, uint32_t hi,
                   uint32_t *src, uint32_t *dst)
{
	const struct topo *t = r->rt->topo;
	const struct rt_route_pair *pair = r->routes->pair;
	*src = *dst = RT_ANY_ENDPOINT;
	if (lo < hi && pair[hi - 1].src == RT_ANY_ENDPOINT && pair[hi - 1].dst == RT_ANY_ENDPOINT)
		return true;
	for (uint32_t i = 0; lo < hi && i < topo_endpoints_at(t, s); i++)
		for (uint32_t k = 0; k < topo_endpoints_at(t, to); k++) {
			bool found = false;
			*src = topo_first_endpoint(t, s) + i;
			*dst = topo_first_endpoint(t, to) + k;
			for (uint32_t p = lo; p < hi && !found; p++)
				found = (pair[p].src == RT_ANY_ENDPOINT || pair[p].src == *src) &&
				        (pair[p].dst == RT_ANY_ENDPOINT || pair[p].dst == *dst);
			if (!found)
				return false;
		}
	return lo < hi;
}

static void check_pairs(struct rt_route_reader *r)
{
	const struct topo *t = r->rt->topo;
	const struct rt_routes *x = r->routes;
	uint32_t lo = 0, hi, src, dst;
	for (topo_switch s = 0; s < t->switches; s++)
		for (topo_switch to = 0; to < t->switches; to++, lo = hi) {
			for (hi = lo; hi < x->pairs && x->pair[hi].from == s && x->pair[hi].to == to;)
				hi++;
			if (s == to || !topo_endpoints_at(t, s) || !topo_endpoints_at(t, to) ||
			    covers(r, s, to, lo, hi, &src, &dst))
				continue;
			if (src == RT_ANY_ENDPOINT)
				rt_route_problem(r, 0, "there is no path from switch %u to %u", s, to);
			else
				rt_route_problem(r, 0, "there is no path from endpoint %u to %u, at switches %u and %u",
				                 src, dst, s, to);
		}
}

void rt_route_sort_paths(struct rt_route_reader *r, uint32_t *longest)
{
	struct rt_routes *x = r->routes;
	uint32_t switches = r->rt->topo->switches;
	qsort(r->path, r->paths, sizeof *r->path, by_pair);
	x->pair = base_calloc(r->paths, sizeof *x->pair);
	x->path = base_calloc(r->paths, sizeof *x->path);
	x->pair_at = base_calloc((size_t)switches + 1, sizeof *x->pair_at);
	for (uint32_t i = 0; i < r->paths; i++) {
		const struct rt_read_path *p = &r->path[i];
		if (i && same_pair(p, &x->pair[x->pairs - 1]) && same_steps(x, p - 1, p))
			rt_route_problem(r, p->line,
			                 "the path of line %u is given again; a weight makes it more frequent",
			                 p[-1].line);
		add_to_pair(r, p);
		*longest = p->hops > *longest ? p->hops : *longest;
	}
	for (uint32_t i = 0; i < x->pairs; i++)
		x->pair_at[x->pair[i].from + 1] = i + 1;
	for (uint32_t s = 0; s < switches; s++)
		if (x->pair_at[s + 1] < x->pair_at[s])
			x->pair_at[s + 1] = x->pair_at[s];
	check_pairs(r);
}
