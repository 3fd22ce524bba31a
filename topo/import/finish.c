/* topo/import/finish.c - see graph.h: switches, cables and endpoints of a graph that has been read.
 *
 * Switches are numbered in the order of the file, or by their names if all of these are numbers. Endpoints are numbered
 * switch by switch, and those of one switch by the same rule. */
#include "topo/import/graph.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ENDPOINTS 65535u /* of a switch */
#define NO_NUMBER UINT32_MAX

/* A graph on its way to a topology. */
struct import_finish {
	struct import_graph *g;
	uint32_t *number; /* of a vertex that is a switch; else TOPO_NONE */
	uint32_t *vertex; /* of a switch */
	uint32_t switches;
	bool *drop; /* edges that list a cable for the second time */
	struct import_host *host;
	size_t hosts; /* cables of hosts: endpoints */
	bool any_host;
};

/* One end of a host's cable: an endpoint. */
struct import_host {
	uint32_t at, vertex, number; /* switch; host; its name as a number, or NO_NUMBER */
	uint32_t edge;
};

/* A decimal number without leading zeros; NO_NUMBER: it is none. */
static uint32_t number_of(const char *name)
{
	uint64_t value = 0;
	if (*name == '0' && name[1])
		return NO_NUMBER;
	for (const char *p = name; *p; p++) {
		if (*p < '0' || *p > '9' || p - name > 9)
			return NO_NUMBER;
		value = 10 * value + (uint64_t)(*p - '0');
	}
	return *name && value < NO_NUMBER ? (uint32_t)value : NO_NUMBER;
}

/* --- cables that are listed from both ends ------------------------------------------------------------------------ */

struct import_arc {
	uint32_t low, high, link_class, edge;
	bool back; /* listed from `high` to `low` */
};

static int by_pair(const void *a, const void *b)
{
	const struct import_arc *x = a, *y = b;
	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->high != y->high)
		return x->high < y->high ? -1 : 1;
	if (x->link_class != y->link_class)
		return x->link_class < y->link_class ? -1 : 1;
	if (x->back != y->back)
		return x->back ? 1 : -1;
	return x->edge < y->edge ? -1 : x->edge > y->edge;
}

static struct import_arc *sort_arcs(const struct import_graph *g)
{
	struct import_arc *arc = base_calloc(g->m + 1, sizeof *arc);
	for (size_t i = 0; i < g->m; i++) {
		const struct import_edge *e = &g->e[i];
		bool back = e->a > e->b;
		arc[i] = (struct import_arc){ .low = back ? e->b : e->a,
			                      .high = back ? e->a : e->b,
			                      .link_class = e->link_class,
			                      .edge = (uint32_t)i,
			                      .back = back };
	}
	qsort(arc, g->m, sizeof *arc, by_pair);
	return arc;
}

/* The first arc of the next pair and class, and how many of these run forth. */
static size_t next_pair(const struct import_arc *arc, size_t m, size_t from, size_t *forth)
{
	size_t to = from;
	*forth = 0;
	for (; to < m && arc[to].low == arc[from].low && arc[to].high == arc[from].high &&
	       arc[to].link_class == arc[from].link_class;
	     to++)
		*forth += !arc[to].back;
	return to;
}

static int refuse_single(struct import_graph *g, const struct import_arc *arc)
{
	return import_problem(
	    g, 0,
	    "the edge from \"%.40s\" to \"%.40s\" is not listed from the other end as often, as all or "
	    "no edges have to be: a cable runs in both directions",
	    import_name(g, arc->back ? arc->high : arc->low), import_name(g, arc->back ? arc->low : arc->high));
}

/* Marks the edges that are the other direction of another. */
static int drop_reverse(struct import_finish *f)
{
	struct import_graph *g = f->g;
	struct import_arc *arc = sort_arcs(g);
	size_t forth, paired = 0, single = 0, first_single = 0;
	for (size_t i = 0, next; i < g->m; i = next) {
		next = next_pair(arc, g->m, i, &forth);
		bool both = 2 * forth == next - i;
		first_single = both || single ? first_single : i;
		paired += both;
		single += !both;
	}
	bool mixed = single && (paired || g->arcs == IMPORT_BOTH);
	for (size_t i = 0, next; i < g->m && single && !mixed; i = next) {
		next = next_pair(arc, g->m, i, &forth);
		mixed = forth && forth != next - i;
		first_single = mixed ? i : first_single;
	}
	for (size_t i = 0; i < g->m && !single; i++)
		f->drop[arc[i].edge] = arc[i].back;
	int status = mixed ? refuse_single(g, &arc[first_single]) : 0;
	free(arc);
	return status;
}

/* --- numbers of switches ---------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/* Do all switches have numbers for names? Then they are sorted by these. */
static void sort_numbered(struct import_finish *f)
{
	struct import_graph *g = f->g;
	uint32_t(*pair)[2] = base_calloc(f->switches + (size_t)1, sizeof *pair);
	bool all = true;
	for (uint32_t s = 0; s < f->switches && all; s++) {
		pair[s][0] = number_of(import_name(g, f->vertex[s]));
		pair[s][1] = f->vertex[s];
		all = pair[s][0] != NO_NUMBER;
	}
	if (all)
		qsort(pair, f->switches, sizeof *pair, by_number);
	for (uint32_t s = 0; s < f->switches && all; s++)
		f->vertex[s] = pair[s][1];
	free(pair);
}

static int number_switches(struct import_finish *f)
{
	struct import_graph *g = f->g;
	f->number = base_calloc(g->n + (size_t)1, sizeof *f->number);
	f->vertex = base_calloc(g->n + (size_t)1, sizeof *f->vertex);
	for (uint32_t v = 0; v < g->n; v++) {
		f->number[v] = TOPO_NONE;
		f->any_host |= g->v[v].kind == IMPORT_HOST;
		if (g->v[v].kind != IMPORT_HOST && g->v[v].kind != IMPORT_ABSENT)
			f->vertex[f->switches++] = v;
	}
	if (!f->switches)
		return import_problem(g, 0, "there is no switch in it");
	if (f->switches > TOPO_MAX_TABLED)
		return import_problem(
		    g, 0, "%" PRIu32 " switches; at most %u are supported (their distances take switches^2 bytes)",
		    f->switches, TOPO_MAX_TABLED);
	sort_numbered(f);
	for (uint32_t s = 0; s < f->switches; s++)
		f->number[f->vertex[s]] = s;
	return 0;
}

/* --- hosts ------------------------------------------------------------------------------------------------------ */

static int by_place(const void *a, const void *b)
{
	const struct import_host *x = a, *y = b;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->edge < y->edge ? -1 : x->edge > y->edge;
}

/* Every cable of a host is an endpoint. */
static int find_hosts(struct import_finish *f)
{
	struct import_graph *g = f->g;
	bool *seen = base_calloc(g->n + (size_t)1, sizeof *seen), numbers = true;
	f->host = base_calloc(g->m + 1, sizeof *f->host);
	for (size_t i = 0; i < g->m; i++) {
		const struct import_edge *e = &g->e[i];
		bool a = f->number[e->a] == TOPO_NONE, b = f->number[e->b] == TOPO_NONE;
		if (f->drop[i] || (!a && !b))
			continue;
		if (a && b) {
			import_problem(g, 0, "hosts \"%.40s\" and \"%.40s\" are cabled to each other, without a switch",
			               import_name(g, e->a), import_name(g, e->b));
			continue;
		}
		uint32_t host = a ? e->a : e->b;
		f->host[f->hosts++] = (struct import_host){ .at = f->number[a ? e->b : e->a],
			                                    .vertex = host,
			                                    .number = number_of(g->text + g->v[host].label),
			                                    .edge = (uint32_t)i };
		numbers = numbers && f->host[f->hosts - 1].number != NO_NUMBER;
		seen[host] = true;
	}
	for (uint32_t v = 0; v < g->n; v++)
		if (g->v[v].kind == IMPORT_HOST && !seen[v] && f->number[v] == TOPO_NONE)
			import_problem(g, 0, "host \"%.40s\" has no cable", import_name(g, v));
	for (size_t i = 0; i < f->hosts && !numbers; i++)
		f->host[i].number = NO_NUMBER;
	qsort(f->host, f->hosts, sizeof *f->host, by_place);
	free(seen);
	return g->problems ? -1 : 0;
}

/* Sets the numbers of endpoints of switches. */
static int count_endpoints(struct import_finish *f, int64_t endpoints, struct topo_cables *cables)
{
	struct import_graph *g = f->g;
	bool given = f->any_host, missing = false;
	for (uint32_t s = 0; s < f->switches; s++) {
		given |= g->v[f->vertex[s]].endpoints != TOPO_NONE;
		missing |= g->v[f->vertex[s]].endpoints == TOPO_NONE;
	}
	if (endpoints >= 0 && (f->any_host || !missing))
		return base_errorf(g->errors, "endpoints", "has no effect: %s says which endpoints each switch has",
		                   g->file);
	if (!given)
		return 0;
	cables->endpoints = base_calloc(f->switches, sizeof *cables->endpoints);
	for (uint32_t s = 0; s < f->switches; s++) {
		uint32_t own = g->v[f->vertex[s]].endpoints;
		cables->endpoints[s] = own != TOPO_NONE || f->any_host ? own : TOPO_NONE;
		if (own == TOPO_NONE && f->any_host)
			cables->endpoints[s] = 0;
	}
	for (size_t i = 0; i < f->hosts; i++) {
		uint32_t s = f->host[i].at, own = g->v[f->vertex[s]].endpoints;
		if (own != TOPO_NONE)
			return import_problem(g, 0, "\"%.40s\" has both a number of endpoints and the host \"%.40s\"",
			                      import_name(g, f->vertex[s]), import_name(g, f->host[i].vertex));
		if (++cables->endpoints[s] > MOST_ENDPOINTS)
			return import_problem(g, 0, "\"%.40s\" has more than %u hosts", import_name(g, f->vertex[s]),
			                      MOST_ENDPOINTS);
	}
	return 0;
}

/* --- cables ----------------------------------------------------------------------------------------------------- */

static uint32_t root_of(uint32_t *parent, uint32_t s)
{
	while (parent[s] != s)
		s = parent[s] = parent[parent[s]];
	return s;
}

/* Names a switch that the first one does not reach. */
static int check_reached(struct import_finish *f, const struct topo_cables *cables)
{
	uint32_t *parent = base_calloc(f->switches, sizeof *parent), lost = 0;
	for (uint32_t s = 0; s < f->switches; s++)
		parent[s] = s;
	for (size_t i = 0; i < cables->n; i++)
		parent[root_of(parent, cables->v[i].a)] = root_of(parent, cables->v[i].b);
	for (uint32_t s = 1; s < f->switches && !lost; s++)
		lost = root_of(parent, s) != root_of(parent, 0) ? s : 0;
	free(parent);
	if (!lost)
		return 0;
	return import_problem(f->g, 0,
	                      "the graph is not connected: no path leads from switch \"%.60s\" to switch \"%.60s\"",
	                      import_name(f->g, f->vertex[0]), import_name(f->g, f->vertex[lost]));
}

static void add_class(struct topo_cables *cables, const char *name)
{
	cables->class_name =
	    base_realloc(cables->class_name, (cables->classes + (size_t)1) * sizeof *cables->class_name);
	char *own = cables->class_name[cables->classes++];
	snprintf(own, TOPO_CLASS_NAME, "%s", name);
}

/* The class of a cable, numbered in order of first use. */
static uint32_t class_of(struct import_finish *f, const struct import_edge *e, uint32_t *of, struct topo_cables *cables)
{
	uint32_t own = e->link_class == TOPO_NONE ? IMPORT_CLASSES : e->link_class;
	const char *name = own == IMPORT_CLASSES ? "local" : f->g->class_name[own];
	if (of[own] != TOPO_NONE)
		return of[own];
	for (uint32_t k = 0; k < cables->classes; k++)
		if (!strcmp(cables->class_name[k], name))
			return of[own] = k;
	if (cables->classes == TOPO_LINK_CLASSES) {
		import_problem(f->g, 0,
		               "at most %d link classes of cables between switches are supported: \"%s\" is one more",
		               TOPO_LINK_CLASSES, name);
		return of[own] = 0;
	}
	add_class(cables, name);
	return of[own] = cables->classes - 1;
}

static void add_cables(struct import_finish *f, struct topo_cables *cables)
{
	struct import_graph *g = f->g;
	uint32_t of[IMPORT_CLASSES + 1];
	uint64_t rated = 0;
	memset(of, 0xff, sizeof of);
	cables->switches = f->switches;
	cables->cap = g->m + 1;
	cables->v = base_calloc(cables->cap, sizeof *cables->v);
	for (size_t i = 0; i < g->m; i++) {
		const struct import_edge *e = &g->e[i];
		uint32_t a = f->number[e->a], b = f->number[e->b];
		if (f->drop[i] || a == TOPO_NONE || b == TOPO_NONE) {
			rated += !f->drop[i] && (e->bandwidth || e->latency || e->link_class != TOPO_NONE);
			continue;
		}
		if (e->latency > (uint64_t)TOPO_MOST_LATENCY || e->bandwidth > (uint64_t)TOPO_MOST_BANDWIDTH ||
		    (e->bandwidth && e->bandwidth < (uint64_t)TOPO_LEAST_BANDWIDTH)) {
			import_problem(
			    g, 0,
			    "the cable from \"%.40s\" to \"%.40s\" has a bandwidth beyond 1Mbps to 1000Tbps, "
			    "or a latency of more than a second",
			    import_name(g, e->a), import_name(g, e->b));
			continue;
		}
		const struct topo_direction own = { .bandwidth = e->bandwidth, .latency = e->latency };
		int kind = e->bandwidth || e->latency ? topo_cables_own(cables, own, own) : 0;
		if (kind < 0) {
			import_problem(g, 0, "more than %d different bandwidths and latencies of cables",
			               TOPO_LINK_CLASSES - 1);
			return;
		}
		cables->v[cables->n++] = (struct topo_cable){
			.a = a, .b = b, .link_class = (uint16_t)class_of(f, e, of, cables), .own = (uint16_t)kind
		};
	}
	if (!cables->classes)
		add_class(cables, "local");
	if (rated)
		base_warnf(g->errors, "file",
		           "%s: %" PRIu64
		           " cables of hosts have a class, a bandwidth or a latency, which are not used: "
		           "links.terminal gives those of all endpoints",
		           g->file, rated);
}

/* --- names ------------------------------------------------------------------------------------------------------ */

static uint32_t add_name(struct topo_names *names, size_t *n, size_t *cap, const char *name)
{
	size_t length = strlen(name) + 1;
	if (*n + length > *cap) {
		*cap = 2 * *cap + length + 256;
		names->text = base_realloc(names->text, *cap);
	}
	memcpy(names->text + *n, name, length);
	*n += length;
	return (uint32_t)(*n - length);
}

/* Is it what a number alone says? */
static bool is_plain(const char *name, uint32_t number)
{
	return number_of(name) == number;
}

/* A host with several cables has an endpoint for each: "name:port", or "name:1", "name:2", ... */
static const char *name_host(const struct import_finish *f, const uint32_t *cables, uint32_t *next, size_t i, char *out,
                             size_t capacity)
{
	const struct import_host *h = &f->host[i];
	const struct import_graph *g = f->g;
	const char *label = g->text + g->v[h->vertex].label;
	if (cables[h->vertex] == 1)
		return label;
	uint32_t port = g->e[h->edge].port ? g->e[h->edge].port : ++next[h->vertex];
	snprintf(out, capacity, "%s:%" PRIu32, label, port);
	return out;
}

static void keep_names(const struct import_finish *f, const struct topo_cables *cables, struct topo_names *names)
{
	const struct import_graph *g = f->g;
	size_t n = 0, cap = 0, endpoints = 0;
	bool plain = true;
	for (uint32_t s = 0; s < f->switches; s++)
		plain = plain && is_plain(g->text + g->v[f->vertex[s]].label, s);
	if (!plain) {
		names->of_switch = base_calloc(f->switches, sizeof *names->of_switch);
		for (uint32_t s = 0; s < f->switches; s++)
			names->of_switch[s] = add_name(names, &n, &cap, g->text + g->v[f->vertex[s]].label);
	}
	for (uint32_t s = 0; s < f->switches && cables->endpoints; s++)
		endpoints += cables->endpoints[s] != TOPO_NONE ? cables->endpoints[s] : 0;
	plain = endpoints != f->hosts;
	bool counts = plain; /* some endpoints are numbers of a switch, without names */
	plain = true;
	for (size_t i = 0; i < f->hosts; i++)
		plain = plain && is_plain(g->text + g->v[f->host[i].vertex].label, (uint32_t)i);
	if (plain || counts)
		return;
	uint32_t *of = base_calloc(g->n + (size_t)1, sizeof *of), *next = base_calloc(g->n + (size_t)1, sizeof *next);
	char text[IMPORT_NAME + 16];
	for (size_t i = 0; i < f->hosts; i++)
		of[f->host[i].vertex]++;
	names->of_endpoint = base_calloc(f->hosts, sizeof *names->of_endpoint);
	for (size_t i = 0; i < f->hosts; i++)
		names->of_endpoint[i] = add_name(names, &n, &cap, name_host(f, of, next, i, text, sizeof text));
	free(of);
	free(next);
}

/* --- the whole -------------------------------------------------------------------------------------------------- */

static void warn_unused(struct import_graph *g)
{
	char list[600] = "";
	size_t at = 0;
	for (uint32_t i = 0; i < g->unused_n && at < sizeof list - 80; i++)
		at += (size_t)snprintf(list + at, sizeof list - at, "%s%s (%" PRIu64 ")", at ? ", " : "",
		                       g->unused[i].name, g->unused[i].count);
	if (g->unused_n && (g->unused_others || at >= sizeof list - 80))
		snprintf(list + at, sizeof list - at, " and others");
	if (g->unused_n)
		base_warnf(g->errors, "file", "%s: attributes that are not used: %s", g->file, list);
}

static int finish_graph(struct import_finish *f, int64_t endpoints, struct topo_cables *cables,
                        struct topo_names *names)
{
	struct import_graph *g = f->g;
	if (g->arcs != IMPORT_ONCE && drop_reverse(f))
		return -1;
	if (number_switches(f) || find_hosts(f) || count_endpoints(f, endpoints, cables))
		return -1;
	add_cables(f, cables);
	if (!cables->n && f->switches > 1)
		return import_problem(g, 0, "there is no cable between switches in it");
	if (g->problems || check_reached(f, cables))
		return -1;
	keep_names(f, cables, names);
	warn_unused(g);
	return 0;
}

int topo_import_finish(struct import_graph *g, int64_t endpoints, struct topo_cables *cables, struct topo_names *names)
{
	struct import_finish f = { .g = g, .drop = base_calloc(g->m + 1, sizeof *f.drop) };
	*cables = (struct topo_cables){ 0 };
	*names = (struct topo_names){ 0 };
	int status = finish_graph(&f, endpoints, cables, names);
	if (status) {
		topo_cables_free(cables);
		topo_names_free(names);
	}
	free(f.number);
	free(f.vertex);
	free(f.drop);
	free(f.host);
	return status;
}

int topo_import_end(struct import_graph *g, int status, int64_t endpoints, struct topo_cables *cables,
                    struct topo_names *names)
{
	*cables = (struct topo_cables){ 0 };
	*names = (struct topo_names){ 0 };
	if (!status)
		status = topo_import_finish(g, endpoints, cables, names);
	if (g->problems > IMPORT_PROBLEMS)
		base_errorf(g->errors, "file", "%s: %u more problems of this kind", g->file,
		            g->problems - IMPORT_PROBLEMS);
	import_graph_free(g);
	return status;
}
