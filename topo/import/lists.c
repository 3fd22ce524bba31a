/* topo/import/lists.c - graphs as lines of vertices: adjacency lists and edge lists as networkx writes them, METIS'
 * graph files, BookSim's anynet. */
#include "topo/import/formats.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PARALLEL 65535u

void import_lines_begin(struct import_lines *l, const struct import_input *in)
{
	static const char mark[3] = { '\xef', '\xbb', '\xbf' };
	*l = (struct import_lines){ .at = in->text, .end = in->text + in->bytes };
	if (in->bytes >= sizeof mark && !memcmp(in->text, mark, sizeof mark))
		l->at += sizeof mark;
}

bool import_next_line(struct import_lines *l)
{
	if (l->at >= l->end)
		return false;
	const char *stop = memchr(l->at, '\n', (size_t)(l->end - l->at));
	l->line = l->at;
	l->stop = stop ? stop : l->end;
	l->at = l->stop + 1;
	if (l->stop > l->line && l->stop[-1] == '\r')
		l->stop--;
	l->number++;
	return true;
}

static bool divides(char c, bool commas)
{
	return c == ' ' || c == '\t' || c == '\r' || (commas && c == ',');
}

bool import_next_word(struct import_lines *l, bool commas, const char **word, size_t *length)
{
	while (l->line < l->stop && divides(*l->line, commas))
		l->line++;
	*word = l->line;
	while (l->line < l->stop && !divides(*l->line, commas))
		l->line++;
	*length = (size_t)(l->line - *word);
	return *length > 0;
}

bool import_number(const char *word, size_t length, uint64_t most, uint64_t *out)
{
	*out = 0;
	for (size_t i = 0; i < length; i++) {
		if (word[i] < '0' || word[i] > '9')
			return false;
		*out = 10 * *out + (uint64_t)(word[i] - '0');
		if (*out > most)
			return false;
	}
	return length > 0;
}

/* Cuts the line at a comment. */
static void cut_comment(struct import_lines *l)
{
	const char *at = l->line;
	if (at < l->stop && *at != '%')
		while (at < l->stop && *at != '#')
			at++;
	l->stop = at;
}

/* --- headers ------------------------------------------------------------------------------------------------ */

/* A first line of two numbers: those of vertices and of edges. */
static bool read_counts(struct import_lines *l, uint64_t count[2])
{
	const char *word;
	size_t length;
	for (int i = 0; i < 2; i++)
		if (!import_next_word(l, true, &word, &length) || !import_number(word, length, IMPORT_EDGES, &count[i]))
			return false;
	return !import_next_word(l, true, &word, &length);
}

typedef void lines_reader(struct import_graph *g, struct import_lines l);

/* Reads the lines of a file that may begin with a header "n m", the numbers of vertices and edges. The first line is
 * such a header if m edges follow. If m edges follow that have other than n vertices, it could also be an edge, which
 * is an error. */
static int read_behind_counts(struct import_graph *g, const struct import_input *in, lines_reader *read)
{
	struct import_lines l, rest;
	uint64_t count[2];
	import_lines_begin(&l, in);
	rest = l;
	if (!import_next_line(&rest) || !read_counts(&rest, count) || !count[1] || in->bytes < 2 * count[1]) {
		read(g, l);
		return g->problems ? -1 : 0;
	}
	struct base_errors none = { 0 };
	struct import_graph behind = { .file = g->file, .what = g->what, .errors = &none };
	read(&behind, rest);
	bool fits = !behind.problems && behind.m == count[1], whole = behind.n == count[0];
	import_graph_free(&behind);
	base_errors_free(&none);
	if (fits && !whole)
		return import_problem(g, 1,
		                      "\"%" PRIu64 " %" PRIu64 "\" could be a header, because %" PRIu64
		                      " edges follow, but these have other than %" PRIu64
		                      " vertices; if it is an edge, put it in another line, else remove it",
		                      count[0], count[1], count[1], count[0]);
	if (fits)
		base_warnf(g->errors, "file",
		           "%s:1: \"%" PRIu64 " %" PRIu64 "\" is read as a header, because %" PRIu64
		           " edges of %" PRIu64 " vertices follow; if it is an edge, put it in another line",
		           g->file, count[0], count[1], count[1], count[0]);
	read(g, fits ? rest : l);
	return g->problems ? -1 : 0;
}

/* --- adjacency lists ---------------------------------------------------------------------------------------- */

/* "u v w ...": edges from u to each of the others. */
static void read_neighbours(struct import_graph *g, struct import_lines l)
{
	const char *word;
	size_t length;
	while (import_next_line(&l)) {
		cut_comment(&l);
		if (!import_next_word(&l, true, &word, &length))
			continue;
		uint32_t from = import_vertex(g, l.number, word, length);
		while (from != TOPO_NONE && import_next_word(&l, true, &word, &length)) {
			if (*word == '{') {
				import_problem(g, l.number,
				               "attributes in braces: these are of edge lists (format edgelist)");
				break;
			}
			uint32_t to = import_vertex(g, l.number, word, length);
			if (to != TOPO_NONE)
				import_edge(g, l.number, from, to);
		}
	}
}

int import_read_adjlist(struct import_graph *g, const struct import_input *in)
{
	g->arcs = IMPORT_EITHER_WAY;
	return read_behind_counts(g, in, read_neighbours);
}

/* --- edge lists ------------------------------------------------------------------------------------------------- */

/* An attribute of Python's dictionary, whose key and value are between the pointers. */
static void take_pair(struct import_graph *g, unsigned long line, struct import_edge *e, const char *key,
                      const char *key_end, const char *value, const char *end)
{
	char name[48], text[64];
	if (value < end && (*value == '\'' || *value == '"') && end[-1] == *value && end - value >= 2) {
		value++;
		end--;
	}
	snprintf(name, sizeof name, "%.*s", (int)(key_end - key > 47 ? 47 : key_end - key), key);
	snprintf(text, sizeof text, "%.*s", (int)(end - value > 63 ? 63 : end - value), value);
	import_edge_attribute(g, line, e, name, text);
}

static const char *skip_blanks(const char *at, const char *stop)
{
	while (at < stop && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

/* The end of a value: a comma or brace outside of quotes and brackets. */
static const char *end_of_value(const char *at, const char *stop)
{
	char quote = 0;
	int depth = 0;
	for (; at < stop; at++) {
		if (quote) {
			quote = *at == quote ? 0 : quote;
			continue;
		}
		if (*at == '\'' || *at == '"')
			quote = *at;
		else if (*at == '[' || *at == '(' || *at == '{')
			depth++;
		else if (depth && (*at == ']' || *at == ')' || *at == '}'))
			depth--;
		else if (!depth && (*at == ',' || *at == '}'))
			break;
	}
	return at;
}

/* {'key': value, ...}; -1: it is none. */
static int read_dictionary(struct import_graph *g, struct import_lines *l, struct import_edge *e)
{
	const char *at = skip_blanks(l->line + 1, l->stop);
	while (at < l->stop && *at != '}') {
		char quote = *at++;
		const char *key = at;
		if (quote != '\'' && quote != '"')
			return -1;
		while (at < l->stop && *at != quote)
			at++;
		const char *key_end = at;
		at = skip_blanks(at < l->stop ? at + 1 : at, l->stop);
		if (at == l->stop || *at != ':')
			return -1;
		const char *value = skip_blanks(at + 1, l->stop), *end = end_of_value(value, l->stop);
		at = end;
		while (end > value && end[-1] == ' ')
			end--;
		take_pair(g, l->number, e, key, key_end, value, end);
		if (at < l->stop && *at == ',')
			at = skip_blanks(at + 1, l->stop);
	}
	l->line = at < l->stop ? skip_blanks(at + 1, l->stop) : at;
	return at < l->stop && l->line == l->stop ? 0 : -1;
}

/* Behind two vertices: nothing, a dictionary, or values, as nx.write_weighted_edgelist writes them. */
static void read_data(struct import_graph *g, struct import_lines *l, struct import_edge *e)
{
	const char *word;
	size_t length;
	l->line = skip_blanks(l->line, l->stop);
	if (l->line < l->stop && *l->line == ',')
		l->line = skip_blanks(l->line + 1, l->stop);
	const char *data = l->line;
	if (l->line < l->stop && *l->line == '{') {
		if (read_dictionary(g, l, e))
			import_problem(g, l->number, "attributes that are no dictionary of Python's: \"%.*s\"",
			               (int)(l->stop - data > 40 ? 40 : l->stop - data), data);
		return;
	}
	while (import_next_word(l, true, &word, &length)) {
		char text[64], *end;
		snprintf(text, sizeof text, "%.*s", (int)(length > 63 ? 63 : length), word);
		strtod(text, &end);
		if (*end) {
			import_problem(
			    g, l->number,
			    "\"%.40s\": behind two vertices a weight or a dictionary of attributes is expected; lists "
			    "of neighbours are format adjlist, link classes kind edges",
			    text);
			return;
		}
		import_unused(g, "weight");
	}
}

static void read_edge(struct import_graph *g, struct import_lines *l)
{
	const char *word, *other;
	size_t length, other_length;
	if (!import_next_word(l, true, &word, &length))
		return;
	if (!import_next_word(l, true, &other, &other_length)) {
		import_problem(g, l->number, "two vertices are expected: \"%.*s\"", (int)(length > 40 ? 40 : length),
		               word);
		return;
	}
	uint32_t a = import_vertex(g, l->number, word, length), b = import_vertex(g, l->number, other, other_length);
	struct import_edge *e = a != TOPO_NONE && b != TOPO_NONE ? import_edge(g, l->number, a, b) : NULL;
	if (e)
		read_data(g, l, e);
}

static void read_edges(struct import_graph *g, struct import_lines l)
{
	while (import_next_line(&l)) {
		cut_comment(&l);
		read_edge(g, &l);
	}
}

int import_read_edgelist(struct import_graph *g, const struct import_input *in)
{
	if (in->bytes >= 14 && !memcmp(in->text, "%%MatrixMarket", 14))
		return import_problem(g, 1,
		                      "is a Matrix Market file: these are not read; an edge list of it, without its "
		                      "header and the line of sizes, is");
	return read_behind_counts(g, in, read_edges);
}

/* --- METIS ------------------------------------------------------------------------------------------------------ */

struct metis_file {
	struct import_graph *g;
	struct import_lines l;
	uint64_t vertices, edges, constraints;
	bool sizes, vertex_weights, edge_weights;
};

/* Lines that begin with % are comments; empty ones are vertices without edges. */
static bool next_metis_line(struct metis_file *f)
{
	while (import_next_line(&f->l))
		if (f->l.line == f->l.stop || *f->l.line != '%')
			return true;
	return false;
}

/* "n m [fmt [ncon]]" */
static int read_metis_head(struct metis_file *f)
{
	const char *word;
	size_t length;
	uint64_t number[4] = { 0, 0, 0, 1 };
	int n = 0;
	if (!next_metis_line(f))
		return import_problem(f->g, 0, "is empty");
	while (import_next_word(&f->l, false, &word, &length)) {
		if (n == 4 || !import_number(word, length, IMPORT_EDGES, &number[n++]))
			return import_problem(f->g, f->l.number,
			                      "the first line is \"VERTICES EDGES [FORMAT [CONSTRAINTS]]\": \"%.*s\"",
			                      (int)(length > 40 ? 40 : length), word);
	}
	uint64_t format = number[2];
	if (n < 2 || format > 111 || format % 10 > 1 || format / 10 % 10 > 1 || number[3] > 16 || !number[3])
		return import_problem(
		    f->g, f->l.number,
		    "the first line is \"VERTICES EDGES [FORMAT [CONSTRAINTS]]\", the format three digits 0 "
		    "or 1 for vertex sizes, vertex weights and edge weights, constraints 1 to 16");
	if (number[0] > TOPO_MAX_TABLED)
		return import_problem(f->g, f->l.number, "%" PRIu64 " vertices; at most %u switches are supported",
		                      number[0], TOPO_MAX_TABLED);
	f->vertices = number[0];
	f->edges = number[1];
	f->constraints = number[3];
	f->sizes = format / 100;
	f->vertex_weights = format / 10 % 10;
	f->edge_weights = format % 10;
	return 0;
}

static int metis_number(struct metis_file *f, uint64_t most, const char *what, uint64_t *out)
{
	const char *word;
	size_t length;
	if (!import_next_word(&f->l, false, &word, &length))
		return import_problem(f->g, f->l.number, "ends where a %s is expected", what);
	if (!import_number(word, length, most, out))
		return import_problem(f->g, f->l.number, "a %s is a number up to %" PRIu64 ": \"%.*s\"", what, most,
		                      (int)(length > 40 ? 40 : length), word);
	return 0;
}

/* An edge's weight is the number of its parallel cables. */
static int read_metis_neighbour(struct metis_file *f, uint32_t vertex, uint64_t neighbour)
{
	uint64_t cables = 1;
	if (!neighbour)
		return import_problem(f->g, f->l.number, "vertices are numbered from 1 on: \"0\"");
	if (f->edge_weights && metis_number(f, MOST_PARALLEL, "weight of an edge (parallel cables)", &cables))
		return -1;
	for (uint64_t i = 0; i < cables; i++)
		if (!import_edge(f->g, f->l.number, vertex, (uint32_t)neighbour - 1))
			return -1;
	return cables ? 0
	              : import_problem(f->g, f->l.number,
	                               "the weight of an edge is the number of its parallel cables, "
	                               "at least 1");
}

static int read_metis_vertex(struct metis_file *f, uint32_t vertex, uint64_t *entries)
{
	const char *word;
	size_t length;
	uint64_t number;
	if (f->sizes) {
		if (metis_number(f, UINT32_MAX, "size of a vertex", &number))
			return -1;
		import_unused(f->g, "vertex size");
	}
	for (uint64_t i = 0; f->vertex_weights && i < f->constraints; i++) {
		if (metis_number(f, i ? UINT32_MAX : 65535, "weight of a vertex (endpoints)", &number))
			return -1;
		if (i)
			import_unused(f->g, "further vertex weight");
		else
			f->g->v[vertex].endpoints = (uint32_t)number;
	}
	while (import_next_word(&f->l, false, &word, &length)) {
		if (!import_number(word, length, f->vertices, &number))
			return import_problem(f->g, f->l.number,
			                      "a neighbour is a number from 1 to %" PRIu64 ": \"%.*s\"", f->vertices,
			                      (int)(length > 40 ? 40 : length), word);
		if (read_metis_neighbour(f, vertex, number))
			return -1;
		++*entries;
	}
	return 0;
}

int import_read_metis(struct import_graph *g, const struct import_input *in)
{
	struct metis_file f = { .g = g };
	char name[16];
	uint64_t entries = 0;
	g->arcs = IMPORT_BOTH;
	import_lines_begin(&f.l, in);
	if (read_metis_head(&f))
		return -1;
	for (uint32_t v = 0; v < f.vertices; v++) {
		snprintf(name, sizeof name, "%" PRIu32, v);
		if (import_vertex(g, 0, name, strlen(name)) == TOPO_NONE)
			return -1;
	}
	for (uint32_t v = 0; v < f.vertices; v++) {
		if (!next_metis_line(&f))
			return import_problem(g, f.l.number, "ends at vertex %" PRIu32 " of %" PRIu64, v + 1,
			                      f.vertices);
		if (read_metis_vertex(&f, v, &entries))
			return -1;
	}
	while (next_metis_line(&f))
		if (skip_blanks(f.l.line, f.l.stop) != f.l.stop)
			return import_problem(g, f.l.number,
			                      "more lines than the %" PRIu64 " vertices of the first one", f.vertices);
	if (entries != 2 * f.edges)
		return import_problem(g, 0,
		                      "%" PRIu64 " neighbours are listed, which is not twice the %" PRIu64
		                      " edges of the first line",
		                      entries, f.edges);
	return g->problems ? -1 : 0;
}

/* --- BookSim's anynet ------------------------------------------------------------------------------------------- */

struct anynet_line {
	uint32_t head; /* TOPO_NONE: not read yet */
	bool router;
	struct import_edge *last;
};

/* "router 3", "node 7": the vertex. */
static uint32_t anynet_vertex(struct import_graph *g, struct import_lines *l, bool router)
{
	const char *word;
	size_t length;
	uint64_t number;
	char name[32];
	if (!import_next_word(l, false, &word, &length) || !import_number(word, length, INT32_MAX, &number)) {
		import_problem(g, l->number, "a number is expected behind \"%s\"", router ? "router" : "node");
		return TOPO_NONE;
	}
	/* routers and nodes are numbered apart */
	snprintf(name, sizeof name, router ? "%" PRIu64 : "node %" PRIu64, number);
	uint32_t v = import_vertex(g, l->number, name, strlen(name));
	if (v != TOPO_NONE)
		g->v[v].kind = router ? IMPORT_SWITCH : IMPORT_HOST;
	return v;
}

static void add_anynet_edge(struct import_graph *g, struct import_lines *l, struct anynet_line *line, uint32_t v,
                            bool router)
{
	if (!line->router && !router) {
		import_problem(g, l->number, "a node is connected to a router, not to another node: \"%s\"",
		               import_name(g, v));
		return;
	}
	line->last = import_edge(g, l->number, line->head, v);
}

static void read_anynet_line(struct import_graph *g, struct import_lines *l)
{
	struct anynet_line line = { .head = TOPO_NONE };
	const char *word;
	size_t length;
	uint64_t cycles;
	while (import_next_word(l, false, &word, &length)) {
		bool router = length == 6 && !memcmp(word, "router", 6), node = length == 4 && !memcmp(word, "node", 4);
		if (line.last && import_number(word, length, UINT32_MAX, &cycles)) {
			import_unused(g, "latency in cycles");
			line.last = NULL;
			continue;
		}
		if (!router && !node) {
			import_problem(g, l->number, "\"router\" or \"node\" is expected: \"%.*s\"",
			               (int)(length > 40 ? 40 : length), word);
			return;
		}
		uint32_t v = anynet_vertex(g, l, router);
		if (v == TOPO_NONE)
			return;
		if (line.head != TOPO_NONE)
			add_anynet_edge(g, l, &line, v, router);
		else
			line = (struct anynet_line){ .head = v, .router = router };
	}
}

static int by_edge_ends(const void *a, const void *b)
{
	const struct import_edge *x = a, *y = b;
	uint32_t x_low = x->a < x->b ? x->a : x->b, y_low = y->a < y->b ? y->a : y->b;
	uint32_t x_high = x->a < x->b ? x->b : x->a, y_high = y->a < y->b ? y->b : y->a;
	if (x_low != y_low)
		return x_low < y_low ? -1 : 1;
	return x_high < y_high ? -1 : x_high > y_high;
}

/* A cable may be listed at either end, or both, or twice: it is one. */
static void merge_anynet_edges(struct import_graph *g)
{
	size_t kept = 0;
	if (g->m)
		qsort(g->e, g->m, sizeof *g->e, by_edge_ends);
	for (size_t i = 0; i < g->m; i++)
		if (!kept || by_edge_ends(&g->e[kept - 1], &g->e[i]))
			g->e[kept++] = g->e[i];
	g->m = kept;
}

/* Nodes are called by their numbers in results. */
static void label_anynet_nodes(struct import_graph *g)
{
	for (uint32_t v = 0; v < g->n; v++)
		if (g->v[v].kind == IMPORT_HOST)
			g->v[v].label += 5; /* behind "node " */
}

static int check_anynet_nodes(struct import_graph *g)
{
	uint32_t *router = base_calloc(g->n + (size_t)1, sizeof *router);
	for (size_t i = 0; i < g->m; i++) {
		const struct import_edge *e = &g->e[i];
		uint32_t node = g->v[e->a].kind == IMPORT_HOST ? e->a : e->b, at = node == e->a ? e->b : e->a;
		if (g->v[node].kind != IMPORT_HOST)
			continue;
		if (router[node])
			import_problem(g, 0, "\"%s\" is connected to two routers, %s and %s", import_name(g, node),
			               import_name(g, router[node] - 1), import_name(g, at));
		router[node] = at + 1;
	}
	free(router);
	return g->problems ? -1 : 0;
}

int import_read_anynet(struct import_graph *g, const struct import_input *in)
{
	struct import_lines l;
	import_lines_begin(&l, in);
	while (import_next_line(&l)) {
		cut_comment(&l);
		read_anynet_line(g, &l);
	}
	merge_anynet_edges(g);
	if (check_anynet_nodes(g))
		return -1;
	label_anynet_nodes(g);
	return 0;
}
