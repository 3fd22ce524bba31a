/* routing/route_file.c - reads routes from a text file. A line is one of
 *
 *   SWITCH DESTINATIONS HOP ...         next hops of packets at the switch
 *   first SWITCH DESTINATIONS HOP ...   the same, of packets that come from an endpoint of the switch
 *   path SOURCE DESTINATION HOP ... [*WEIGHT]
 *
 * A destination is a switch, "7", or an endpoint, "e7"; destinations may be ranges, "7-12". A hop is
 * NEXT[/VC][*WEIGHT]: NEXT a neighbour, "7", by any of its cables, or ports, "p7" or "p4-7"; VC a number, "=" for that
 * by which the packet comes, or "+" for the next one. The whole text stays in memory until it is checked, so that
 * errors of the routes as a whole can name lines. */
#include "routing/route_file.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ERRORS 20u
#define LONGEST_PATH 255u
#define MOST_ENTRIES (UINT64_C(1) << 33)

void rt_route_problem(struct rt_route_reader *r, uint32_t line, const char *fmt, ...)
{
	char text[400];
	va_list ap;
	if (r->problems++ >= MOST_ERRORS)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (line)
		base_errorf(r->errors, "file", "%s:%u: %s", r->file, line, text);
	else
		base_errorf(r->errors, "file", "%s: %s", r->file, text);
}

/* A problem with one word of the current line. */
static void refuse_word(struct rt_route_reader *r, const struct rt_word *w, const char *why)
{
	rt_route_problem(r, r->line, "%s: \"%.*s\"", why, (int)(w->n > 40 ? 40 : w->n), w->v);
}

/* --- words -------------------------------------------------------------------------------------------------- */

static bool is_separator(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == ',';
}

static void split_words(struct rt_route_reader *r, const char *at, const char *end)
{
	r->words = 0;
	while (at < end && *at != '#') {
		if (is_separator(*at)) {
			at++;
			continue;
		}
		const char *start = at;
		while (at < end && !is_separator(*at) && *at != '#')
			at++;
		if (r->words == r->words_cap) {
			r->words_cap = r->words_cap ? 2 * r->words_cap : 64;
			r->word = base_realloc(r->word, r->words_cap * sizeof *r->word);
		}
		r->word[r->words++] = (struct rt_word){ start, (size_t)(at - start) };
	}
}

static bool is_word(const struct rt_word *w, const char *text)
{
	return w->n == strlen(text) && !memcmp(w->v, text, w->n);
}

/* Digits only; a value above UINT32_MAX becomes that. */
static bool read_digits(const char *v, size_t n, uint32_t *out)
{
	uint64_t value = 0;
	for (size_t i = 0; i < n; i++) {
		if (v[i] < '0' || v[i] > '9')
			return false;
		value = value < UINT32_MAX ? 10 * value + (uint64_t)(v[i] - '0') : value;
	}
	*out = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
	return n > 0;
}

/* "7" or "7-12". */
static bool read_range(const char *v, size_t n, uint32_t *lo, uint32_t *hi)
{
	const char *dash = memchr(v, '-', n);
	size_t left = dash ? (size_t)(dash - v) : n;
	if (!read_digits(v, left, lo))
		return false;
	*hi = *lo;
	return !dash || (read_digits(dash + 1, n - left - 1, hi) && *hi >= *lo);
}

static bool read_end(const struct rt_word *w, struct rt_route_end *out)
{
	out->endpoint = w->n && w->v[0] == 'e';
	return read_range(w->v + out->endpoint, w->n - out->endpoint, &out->lo, &out->hi);
}

static bool read_destination(struct rt_route_reader *r, const struct rt_word *w, struct rt_route_end *out)
{
	const struct topo *t = r->rt->topo;
	uint32_t count;
	if (!read_end(w, out)) {
		refuse_word(r, w, "a destination is expected: a switch, as 7, an endpoint, as e7, or a range, as 7-12");
		return false;
	}
	count = out->endpoint ? t->endpoints : t->switches;
	if (out->hi >= count) {
		rt_route_problem(r, r->line, "there is no %s %u; they are numbered 0 to %u",
		                 out->endpoint ? "endpoint" : "switch", out->hi, count - 1);
		return false;
	}
	return true;
}

static bool read_switch(struct rt_route_reader *r, const struct rt_word *w, topo_switch *out)
{
	if (!read_digits(w->v, w->n, out)) {
		refuse_word(r, w, "a switch number is expected");
		return false;
	}
	if (*out < r->rt->topo->switches)
		return true;
	rt_route_problem(r, r->line, "there is no switch %u; they are numbered 0 to %u", *out,
	                 r->rt->topo->switches - 1);
	return false;
}

/* --- hops --------------------------------------------------------------------------------------------------- */

/* The parts of a hop's word. */
struct hop_parts {
	struct rt_word next, vc, weight;
};

static struct hop_parts split_hop(const struct rt_word *w)
{
	struct hop_parts p = { .next = *w };
	const char *star = memchr(w->v, '*', w->n);
	if (star) {
		p.weight = (struct rt_word){ star + 1, w->n - (size_t)(star - w->v) - 1 };
		p.next.n = (size_t)(star - w->v);
	}
	const char *slash = memchr(w->v, '/', p.next.n);
	if (slash) {
		p.vc = (struct rt_word){ slash + 1, p.next.n - (size_t)(slash - w->v) - 1 };
		p.next.n = (size_t)(slash - w->v);
	}
	return p;
}

static bool read_weight(struct rt_route_reader *r, const struct rt_word *all, const struct rt_word *w, uint32_t *out)
{
	*out = 1;
	if (!w->v)
		return true;
	if (read_digits(w->v, w->n, out) && *out >= 1 && *out <= RT_MAX_WEIGHT)
		return true;
	refuse_word(r, all, "a weight is a whole number from 1 to 65535");
	return false;
}

static bool read_vc(struct rt_route_reader *r, const struct rt_word *all, const struct rt_word *w, uint32_t *out)
{
	*out = RT_VC_DEFAULT;
	if (!w->v)
		return true;
	if (is_word(w, "=")) {
		*out = RT_VC_SAME;
		return true;
	}
	if (is_word(w, "+")) {
		*out = RT_VC_UP;
		return true;
	}
	if (read_digits(w->v, w->n, out) && *out < SW_MAX_VCS)
		return true;
	refuse_word(r, all, "a virtual channel is a number from 0 to 15, \"=\" or \"+\"");
	return false;
}

static bool add_outlet(struct rt_route_reader *r, topo_switch s, topo_port port, uint32_t vc, uint32_t weight)
{
	for (uint32_t i = 0; i < r->outlets; i++)
		if (r->outlet[i].port == port && r->outlet[i].vc == vc) {
			rt_route_problem(r, r->line,
			                 "port %u of switch %u is given twice; a weight makes it more frequent, as in "
			                 "p%u*2",
			                 port, s, port);
			return false;
		}
	if (r->outlets == r->outlets_cap) {
		r->outlets_cap = r->outlets_cap ? 2 * r->outlets_cap : 64;
		r->outlet = base_realloc(r->outlet, r->outlets_cap * sizeof *r->outlet);
	}
	r->outlet[r->outlets++] = (struct rt_outlet){ .port = port, .upto = weight, .vc = vc };
	return true;
}

/* "p7" or "p4-7". */
static bool add_ports(struct rt_route_reader *r, topo_switch s, const struct rt_word *all, const struct rt_word *next,
                      uint32_t vc, uint32_t weight)
{
	uint32_t lo, hi, ports = topo_ports(r->rt->topo, s);
	if (!read_range(next->v + 1, next->n - 1, &lo, &hi)) {
		refuse_word(r, all, "a port is expected, as in p7, or p4-7");
		return false;
	}
	if (hi >= ports) {
		rt_route_problem(r, r->line, "switch %u has no port %u; it has %u to other switches", s, hi, ports);
		return false;
	}
	for (topo_port p = lo; p <= hi; p++) {
		if (topo_peer(r->rt->topo, s, p).to == TOPO_NONE) {
			rt_route_problem(r, r->line, "there is no cable at port %u of switch %u", p, s);
			return false;
		}
		if (!add_outlet(r, s, p, vc, weight))
			return false;
	}
	return true;
}

/* All cables to a neighbour. */
static bool add_neighbour(struct rt_route_reader *r, topo_switch s, topo_switch to, uint32_t vc, uint32_t weight)
{
	uint32_t before = r->outlets;
	for (topo_port p = 0, n = topo_ports(r->rt->topo, s); p < n; p++)
		if (topo_peer(r->rt->topo, s, p).to == to && !add_outlet(r, s, p, vc, weight))
			return false;
	if (r->outlets > before)
		return true;
	rt_route_problem(r, r->line, "switch %u has no cable to switch %u", s, to);
	return false;
}

/* Appends what the word means at switch s to r->outlet. */
static bool read_hop(struct rt_route_reader *r, topo_switch s, const struct rt_word *w)
{
	struct hop_parts part = split_hop(w);
	uint32_t vc, weight, to;
	bool good = read_vc(r, w, &part.vc, &vc);
	good = read_weight(r, w, &part.weight, &weight) && good;
	if (!good)
		return false;
	if (part.next.n && part.next.v[0] == 'p')
		return add_ports(r, s, w, &part.next, vc, weight);
	if (!read_digits(part.next.v, part.next.n, &to)) {
		refuse_word(r, w, "a neighbour is expected, as 7, or a port, as p7");
		return false;
	}
	if (to >= r->rt->topo->switches) {
		rt_route_problem(r, r->line, "there is no switch %u; they are numbered 0 to %u", to,
		                 r->rt->topo->switches - 1);
		return false;
	}
	return add_neighbour(r, s, to, vc, weight);
}

/* The number of the set of r->outlet. */
static bool make_set(struct rt_route_reader *r, uint32_t *set)
{
	uint64_t total = 0;
	for (uint32_t i = 0; i < r->outlets; i++) {
		total += r->outlet[i].upto;
		if (r->outlet[i].vc != RT_VC_DEFAULT)
			continue;
		r->outlet[i].vc = r->rules->vc;
		r->rules->used = true;
	}
	if (total > UINT32_MAX) {
		rt_route_problem(r, r->line, "the weights of %u ports are too large", r->outlets);
		return false;
	}
	r->rules->choice |= r->outlets > 1;
	*set = rt_outlet_set(&r->sets, r->outlet, r->outlets);
	return true;
}

/* --- next hops ---------------------------------------------------------------------------------------------- */

/* The row of a destination; UINT32_MAX: packets at switch s are for none there, and *why says so. */
static uint32_t row_of_end(const struct rt_route_reader *r, topo_switch s, bool endpoint, uint32_t number,
                           const char **why)
{
	const struct topo *t = r->rt->topo;
	topo_switch to = endpoint ? topo_switch_of(t, number) : number;
	*why = endpoint  ? "the endpoint is at the switch itself"
	       : to == s ? "the switch itself is no destination of its packets"
	                 : "the switch has no endpoints";
	if (to == s || !topo_endpoints_at(t, to))
		return UINT32_MAX;
	return endpoint ? r->routes->row[number] : to;
}

static void write_rows(struct rt_route_reader *r, bool source, topo_switch s, const struct rt_route_end *d,
                       uint32_t set, const struct rt_word *w)
{
	struct rt_routes *x = r->routes;
	for (uint32_t k = d->lo; k <= d->hi; k++) {
		const char *why;
		uint32_t row = row_of_end(r, s, d->endpoint, k, &why);
		if (row == UINT32_MAX && d->lo < d->hi)
			continue; /* a range may cover them */
		if (row == UINT32_MAX) {
			refuse_word(r, w, why);
			return;
		}
		if ((!source || x->source) && rt_routes_read(x, source ? x->source : x->entry, s, row)) {
			struct rt_route_reader again = { .text = r->text, .bytes = r->bytes };
			uint32_t line = rt_route_find_line(&again, source, s, d->endpoint, k);
			free(again.word);
			rt_route_problem(
			    r, r->line,
			    "next hops from switch %u to %s %u are in line %u already; alternatives are in "
			    "one line",
			    s, d->endpoint ? "endpoint" : "switch", k, line);
			return;
		}
		rt_routes_write(x, r->rt->topo, source, s, row, set + 1);
	}
}

static void read_next_hops(struct rt_route_reader *r)
{
	bool source = is_word(&r->word[0], "first");
	const struct rt_word *w = r->word + source;
	topo_switch s;
	struct rt_route_end d;
	uint32_t set;
	if (r->words < 3u + source) {
		rt_route_problem(r, r->line, "expected is \"%sSWITCH DESTINATION HOP ...\"", source ? "first " : "");
		return;
	}
	bool good = read_switch(r, &w[0], &s);
	good = read_destination(r, &w[1], &d) && good;
	r->outlets = 0;
	for (uint32_t i = 2u + source; i < r->words && good; i++)
		good = read_hop(r, s, &r->word[i]);
	if (good && make_set(r, &set))
		write_rows(r, source, s, &d, set, &w[1]);
}

/* --- paths -------------------------------------------------------------------------------------------------- */

/* The switch to which all of r->outlet lead; TOPO_NONE: to several. */
static topo_switch common_peer(const struct rt_route_reader *r, topo_switch s)
{
	topo_switch to = topo_peer(r->rt->topo, s, r->outlet[0].port).to;
	for (uint32_t i = 1; i < r->outlets; i++)
		if (topo_peer(r->rt->topo, s, r->outlet[i].port).to != to)
			return TOPO_NONE;
	return to;
}

static void add_step(struct rt_route_reader *r, uint32_t set)
{
	struct rt_routes *x = r->routes;
	if (x->steps == r->steps_cap) {
		r->steps_cap = r->steps_cap ? 2 * r->steps_cap : 256;
		x->step = base_realloc(x->step, r->steps_cap * sizeof *x->step);
	}
	x->step[x->steps++] = set;
}

/* Hops of words [from, to) from switch s on; appends their steps. Returns the last switch, TOPO_NONE after an error. */
static topo_switch follow_words(struct rt_route_reader *r, topo_switch s, uint32_t from, uint32_t to)
{
	topo_switch passed[LONGEST_PATH + 1] = { s };
	uint32_t hops = 0;
	for (uint32_t i = from; i < to; i++) {
		uint32_t set;
		r->outlets = 0;
		if (!read_hop(r, s, &r->word[i]))
			return TOPO_NONE;
		topo_switch next = common_peer(r, s);
		if (next == TOPO_NONE) {
			refuse_word(r, &r->word[i], "a hop of a path leads to one switch, this one to several");
			return TOPO_NONE;
		}
		for (uint32_t k = 0; k <= hops; k++)
			if (passed[k] == next) {
				rt_route_problem(r, r->line, "the path passes switch %u twice", next);
				return TOPO_NONE;
			}
		if (!make_set(r, &set))
			return TOPO_NONE;
		add_step(r, set);
		passed[++hops] = s = next;
	}
	return s;
}

static void add_path(struct rt_route_reader *r, const struct rt_read_path *path)
{
	if (r->paths == r->paths_cap) {
		r->paths_cap = r->paths_cap ? 2 * r->paths_cap : 256;
		r->path = base_realloc(r->path, r->paths_cap * sizeof *r->path);
	}
	r->path[r->paths++] = *path;
}

/* An end of a path: one switch or endpoint. */
static bool read_path_end(struct rt_route_reader *r, const struct rt_word *w, topo_switch *s, uint32_t *endpoint)
{
	struct rt_route_end e;
	if (!read_destination(r, w, &e))
		return false;
	*s = e.endpoint ? topo_switch_of(r->rt->topo, e.lo) : e.lo;
	*endpoint = e.endpoint ? e.lo : RT_ANY_ENDPOINT;
	if (e.lo == e.hi && topo_endpoints_at(r->rt->topo, *s))
		return true;
	refuse_word(r, w, e.lo == e.hi ? "the switch has no endpoints" : "an end of a path is no range");
	return false;
}

static void read_path(struct rt_route_reader *r)
{
	struct rt_read_path p = { .line = r->line, .step = r->routes->steps, .weight = 1 };
	uint32_t words = r->words;
	bool weighted = words > 3 && r->word[words - 1].n && r->word[words - 1].v[0] == '*';
	words -= weighted;
	if (words < 4) {
		rt_route_problem(r, r->line, "expected is \"path SOURCE DESTINATION HOP ... [*WEIGHT]\"");
		return;
	}
	const struct rt_word *last = &r->word[words];
	struct rt_word weight = { weighted ? last->v + 1 : NULL, weighted ? last->n - 1 : 0 };
	bool good = read_path_end(r, &r->word[1], &p.from, &p.src);
	good = read_path_end(r, &r->word[2], &p.to, &p.dst) && good;
	good = read_weight(r, last, &weight, &p.weight) && good;
	if (!good)
		return;
	if (p.from == p.to) {
		rt_route_problem(r, r->line,
		                 "source and destination are at the same switch, %u, where no path is needed", p.to);
		return;
	}
	p.hops = words - 3;
	if (p.hops > LONGEST_PATH) {
		rt_route_problem(r, r->line, "a path of %u hops; the longest may have %u", p.hops, LONGEST_PATH);
		return;
	}
	topo_switch end = follow_words(r, p.from, 3, words);
	if (end == p.to)
		add_path(r, &p);
	else if (end != TOPO_NONE)
		rt_route_problem(r, r->line, "the path ends at switch %u, not at %u", end, p.to);
}

/* --- lines -------------------------------------------------------------------------------------------------- */

bool rt_route_next_line(struct rt_route_reader *r)
{
	while (r->at < r->end) {
		const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at)), *at = r->at;
		stop = stop ? stop : r->end;
		r->at = stop < r->end ? stop + 1 : r->end;
		r->line++;
		split_words(r, at, stop);
		if (r->words)
			return true;
	}
	return false;
}

void rt_route_rewind(struct rt_route_reader *r)
{
	static const char mark[3] = { '\xef', '\xbb', '\xbf' }; /* UTF-8, as some editors write it */
	bool marked = r->bytes >= sizeof mark && !memcmp(r->text, mark, sizeof mark);
	r->at = r->text + (marked ? sizeof mark : 0);
	r->end = r->text + r->bytes;
	r->line = 0;
}

uint32_t rt_route_find_line(struct rt_route_reader *r, bool source, topo_switch s, bool endpoint, uint32_t number)
{
	for (rt_route_rewind(r); rt_route_next_line(r);) {
		bool first = is_word(&r->word[0], "first");
		topo_switch at;
		struct rt_route_end d;
		if (first == source && r->words >= 2u + first && read_digits(r->word[first].v, r->word[first].n, &at) &&
		    at == s && read_end(&r->word[1 + first], &d) && d.endpoint == endpoint && number >= d.lo &&
		    number <= d.hi)
			return r->line;
	}
	return 0;
}

/* Gives each endpoint that is a destination of next hops a row, and opens the table. */
static bool open_table(struct rt_route_reader *r)
{
	const struct topo *t = r->rt->topo;
	uint32_t rows = 0, *number = base_calloc(t->endpoints, sizeof *number);
	for (rt_route_rewind(r); rt_route_next_line(r);) {
		bool first = is_word(&r->word[0], "first");
		struct rt_route_end d;
		if (r->words < 2u + first || !read_end(&r->word[1 + first], &d) || !d.endpoint || d.hi >= t->endpoints)
			continue;
		for (uint32_t e = d.lo; e <= d.hi; e++)
			number[e] = 1;
	}
	for (uint32_t e = 0; e < t->endpoints; e++)
		rows += number[e];
	bool fits = (uint64_t)t->switches * (t->switches - t->bare + rows) <= MOST_ENTRIES;
	if (fits)
		rt_routes_open(r->routes, t, rows);
	else
		rt_route_problem(r, 0, "next hops of %u switches to %u destinations; at most 2^33 are supported",
		                 t->switches, t->switches - t->bare + rows);
	for (uint32_t e = 0, row = r->routes->switch_rows; e < t->endpoints && rows && fits; e++)
		r->routes->row[e] = number[e] ? row++ : 0;
	free(number);
	return fits;
}

static void read_lines(struct rt_route_reader *r)
{
	uint32_t kind_line = 0;
	for (rt_route_rewind(r); rt_route_next_line(r);) {
		bool path = is_word(&r->word[0], "path");
		if (!kind_line) {
			uint32_t line = kind_line = r->line;
			r->routes->paths = path;
			if (!path) { /* reads the file once, and begins again */
				if (!open_table(r))
					return;
				rt_route_rewind(r);
				while (rt_route_next_line(r) && r->line < line)
					;
			}
		}
		if (path != r->routes->paths)
			rt_route_problem(r, r->line, "%s in a file of %s, which began in line %u",
			                 path ? "a path" : "next hops", path ? "next hops" : "paths", kind_line);
		else if (path)
			read_path(r);
		else
			read_next_hops(r);
	}
	if (!kind_line)
		rt_route_problem(r, 0, "it has no routes");
}

int rt_routes_parse(struct rt *rt, const char *text, size_t bytes, const char *file, struct rt_route_rules *rules,
                    uint32_t *longest, struct base_errors *errors)
{
	struct rt_routes *routes = rt->impl;
	struct rt_route_reader r = { .rt = rt,
		                     .routes = routes,
		                     .sets = { .routes = routes },
		                     .text = text,
		                     .bytes = bytes,
		                     .file = file,
		                     .rules = rules,
		                     .errors = errors };
	*longest = 0;
	read_lines(&r);
	if (!r.problems && routes->paths)
		rt_route_sort_paths(&r, longest);
	else if (!r.problems)
		rt_route_check_hops(&r, longest);
	if (r.problems > MOST_ERRORS)
		base_errorf(errors, "file", "%s: %u more errors of this kind are not listed", file,
		            r.problems - MOST_ERRORS);
	rt_outlet_sets_free(&r.sets);
	free(r.word);
	free(r.outlet);
	free(r.path);
	return r.problems ? -1 : 0;
}
