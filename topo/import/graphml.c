/* topo/import/graphml.c - GraphML (graphml.graphdrawing.org), as networkx, igraph, Gephi and yEd write it: one graph of
 * nodes and edges, with data of keys. Read by expat, which is optional. */
#include "topo/import/formats.h"

#ifdef TILEFLY_HAVE_EXPAT

#include "base/format.h"
#include "base/memory.h"

#include <expat.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_KEYS 256u
#define MOST_VALUE 4096u /* bytes of a value that is kept; longer ones are not ours */

/* <key id= for= attr.name=>, with its default. */
struct graphml_key {
	char *id, *name, *default_value; /* owned; default_value NULL: none */
	bool of_edges, of_nodes;
};

struct graphml_reader {
	struct import_graph *g;
	XML_Parser parser;
	struct graphml_key key[MOST_KEYS];
	uint32_t keys;
	unsigned depth, graphs;
	uint32_t node;            /* that is open, or TOPO_NONE */
	size_t edge;              /* the same, + 1; 0: none */
	struct graphml_key *data; /* whose text is read, for a node, an edge or as its default */
	bool of_default, nested;  /* the value has elements in it */
	char value[MOST_VALUE];
	size_t value_n;
	bool stopped;
};

static unsigned long line_of(const struct graphml_reader *r)
{
	return XML_GetCurrentLineNumber(r->parser);
}

static void stop_reading(struct graphml_reader *r)
{
	r->stopped = true;
	XML_StopParser(r->parser, XML_FALSE);
}

static const char *attribute(const char **attributes, const char *name)
{
	for (; *attributes; attributes += 2)
		if (!strcmp(attributes[0], name))
			return attributes[1];
	return NULL;
}

/* Behind the prefix of a namespace. */
static const char *plain_name(const char *name)
{
	const char *colon = strrchr(name, ':');
	return colon ? colon + 1 : name;
}

static struct graphml_key *key_of(struct graphml_reader *r, const char *id)
{
	for (uint32_t i = 0; id && i < r->keys; i++)
		if (!strcmp(r->key[i].id, id))
			return &r->key[i];
	return NULL;
}

static void begin_key(struct graphml_reader *r, const char **attributes)
{
	const char *id = attribute(attributes, "id"), *of = attribute(attributes, "for");
	const char *name = attribute(attributes, "attr.name");
	r->data = NULL;
	if (!id || r->keys == MOST_KEYS) {
		import_problem(r->g, line_of(r), id ? "more than %u keys" : "a key without an id", MOST_KEYS);
		stop_reading(r);
		return;
	}
	bool all = !of || !strcmp(of, "all");
	r->key[r->keys++] = (struct graphml_key){ .id = base_strdup(id),
		                                  .name = base_strdup(name ? name : id),
		                                  .of_edges = all || !strcmp(of, "edge"),
		                                  .of_nodes = all || !strcmp(of, "node") };
}

static void begin_graph(struct graphml_reader *r, const char **attributes)
{
	const char *directed = attribute(attributes, "edgedefault");
	if (r->graphs++ || r->node != TOPO_NONE || r->edge) {
		import_problem(r->g, line_of(r), "a second graph, or a graph inside of a node, is not supported");
		stop_reading(r);
		return;
	}
	r->g->arcs = directed && !strcmp(directed, "directed") ? IMPORT_EITHER_WAY : IMPORT_ONCE;
}

static void begin_node(struct graphml_reader *r, const char **attributes)
{
	const char *id = attribute(attributes, "id");
	uint32_t before = r->g->n;
	if (!id) {
		import_problem(r->g, line_of(r), "a node without an id");
		return;
	}
	r->node = import_vertex(r->g, line_of(r), id, strlen(id));
	if (r->node != TOPO_NONE && r->node < before && r->g->v[r->node].kind != IMPORT_ABSENT) {
		import_problem(r->g, line_of(r), "node \"%.40s\" is given twice", id);
		r->node = TOPO_NONE;
	} else if (r->node != TOPO_NONE) {
		r->g->v[r->node].kind = IMPORT_UNKNOWN;
	}
}

/* An edge may stand before its nodes: until these are there they are absent. */
static uint32_t graphml_end(struct graphml_reader *r, const char *id)
{
	uint32_t before = r->g->n, v = id ? import_vertex(r->g, line_of(r), id, strlen(id)) : TOPO_NONE;
	if (!id)
		import_problem(r->g, line_of(r), "an edge without a source or a target");
	if (v != TOPO_NONE && v == before)
		r->g->v[v].kind = IMPORT_ABSENT;
	return v;
}

static void begin_edge(struct graphml_reader *r, const char **attributes)
{
	uint32_t a = graphml_end(r, attribute(attributes, "source")),
		 b = graphml_end(r, attribute(attributes, "target"));
	const char *directed = attribute(attributes, "directed");
	if (directed && strcmp(directed, r->g->arcs == IMPORT_ONCE ? "false" : "true") != 0)
		import_problem(r->g, line_of(r),
		               "directed=\"%.10s\": all edges are as edgedefault says, or the file is refused",
		               directed);
	if (attribute(attributes, "sourceport") || attribute(attributes, "targetport"))
		import_unused(r->g, "ports of edges");
	if (a != TOPO_NONE && b != TOPO_NONE && import_edge(r->g, line_of(r), a, b))
		r->edge = r->g->m;
}

static void on_begin(void *arg, const char *name, const char **attributes)
{
	struct graphml_reader *r = arg;
	name = plain_name(name);
	if (!r->depth++ && strcmp(name, "graphml") != 0) {
		import_problem(r->g, line_of(r), "is no GraphML: its outermost element is <%.40s>", name);
		stop_reading(r);
	} else if (r->data) {
		r->nested = true;
	} else if (!strcmp(name, "key")) {
		begin_key(r, attributes);
	} else if (!strcmp(name, "default") && r->keys) {
		r->data = &r->key[r->keys - 1];
		r->of_default = true;
	} else if (!strcmp(name, "graph")) {
		begin_graph(r, attributes);
	} else if (!strcmp(name, "node")) {
		begin_node(r, attributes);
	} else if (!strcmp(name, "edge")) {
		begin_edge(r, attributes);
	} else if (!strcmp(name, "data")) {
		r->data = key_of(r, attribute(attributes, "key"));
		if (!r->data)
			import_problem(r->g, line_of(r), "data of a key that is not declared: \"%.40s\"",
			               attribute(attributes, "key") ? attribute(attributes, "key") : "");
		r->of_default = false;
	} else if (!strcmp(name, "hyperedge")) {
		import_problem(r->g, line_of(r), "edges of more than two nodes are not supported");
	} else if (!strcmp(name, "port")) {
		import_unused(r->g, "ports of nodes");
	}
	if (r->data && !r->nested)
		r->value_n = 0;
	if (r->g->problems > IMPORT_PROBLEMS && !r->stopped)
		stop_reading(r);
}

/* The value of a key, whose blanks at both ends do not count. */
static char *value_of(struct graphml_reader *r)
{
	char *value = r->value;
	value[r->value_n] = 0;
	while (r->value_n && strchr(" \t\r\n", value[r->value_n - 1]))
		value[--r->value_n] = 0;
	return value + strspn(value, " \t\r\n");
}

static void end_data(struct graphml_reader *r)
{
	const char *value = value_of(r);
	struct graphml_key *key = r->data;
	bool usable = !r->nested && r->value_n + 1 < MOST_VALUE;
	r->data = NULL;
	r->nested = false;
	if (r->of_default) {
		free(key->default_value);
		key->default_value = usable ? base_strdup(value) : NULL;
	} else if (!usable || (r->node == TOPO_NONE && !r->edge)) {
		import_unused(r->g, key->name);
	} else if (r->node != TOPO_NONE) {
		import_vertex_attribute(r->g, line_of(r), r->node, key->name, value);
	} else {
		import_edge_attribute(r->g, line_of(r), &r->g->e[r->edge - 1], key->name, value);
	}
}

static void on_end(void *arg, const char *name)
{
	struct graphml_reader *r = arg;
	name = plain_name(name);
	r->depth--;
	if (r->data && (!strcmp(name, "data") || !strcmp(name, "default")))
		end_data(r);
	else if (!r->data && !strcmp(name, "node"))
		r->node = TOPO_NONE;
	else if (!r->data && !strcmp(name, "edge"))
		r->edge = 0;
}

static void on_text(void *arg, const char *text, int n)
{
	struct graphml_reader *r = arg;
	size_t more = (size_t)n;
	if (!r->data || r->nested)
		return;
	more = more < MOST_VALUE - 1 - r->value_n ? more : MOST_VALUE - 1 - r->value_n;
	memcpy(r->value + r->value_n, text, more);
	r->value_n += more;
}

/* No file needs entities of its own, which could expand to anything. */
static void on_entity(void *arg, const char *name, int parameter, const char *value, int length, const char *base,
                      const char *system, const char *public, const char *notation)
{
	struct graphml_reader *r = arg;
	(void)parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
	import_problem(r->g, line_of(r), "entities are not supported: \"%.40s\"", name);
	stop_reading(r);
}

/* Defaults, for all that have no value. */
static void apply_default(struct import_graph *g, const struct graphml_key *key)
{
	bool kind = import_is_kind(key->name), count = !strcmp(key->name, "endpoints");
	for (uint32_t v = 0; v < g->n && key->of_nodes && (kind || count); v++)
		if (kind ? g->v[v].kind == IMPORT_UNKNOWN : g->v[v].endpoints == TOPO_NONE)
			import_vertex_attribute(g, 0, v, key->name, key->default_value);
	if (key->of_nodes && !kind && !count)
		import_unused(g, key->name);
	for (size_t i = 0; i < g->m && key->of_edges; i++) {
		struct import_edge *e = &g->e[i], given = *e;
		import_edge_attribute(g, 0, e, key->name, key->default_value);
		if (given.link_class != TOPO_NONE)
			e->link_class = given.link_class;
		e->bandwidth = given.bandwidth ? given.bandwidth : e->bandwidth;
		e->latency = given.latency ? given.latency : e->latency;
	}
}

static void check_absent(struct import_graph *g)
{
	for (uint32_t v = 0; v < g->n; v++)
		if (g->v[v].kind == IMPORT_ABSENT)
			import_problem(g, 0, "an edge leads to node \"%.40s\", which is not there", import_name(g, v));
}

static void parse_graphml(struct graphml_reader *r, const struct import_input *in)
{
	XML_SetUserData(r->parser, r);
	XML_SetElementHandler(r->parser, on_begin, on_end);
	XML_SetCharacterDataHandler(r->parser, on_text);
	XML_SetEntityDeclHandler(r->parser, on_entity);
	for (size_t at = 0; at <= in->bytes && !r->stopped; at += 1 << 20) { /* expat counts bytes in an int */
		size_t n = in->bytes - at < 1 << 20 ? in->bytes - at : 1 << 20;
		bool last = at + n == in->bytes;
		if (XML_Parse(r->parser, in->text + at, (int)n, last) == XML_STATUS_ERROR && !r->stopped) {
			import_problem(r->g, line_of(r), "is no XML: %s", XML_ErrorString(XML_GetErrorCode(r->parser)));
			r->stopped = true;
		}
		if (last)
			break;
	}
}

int import_read_graphml(struct import_graph *g, const struct import_input *in)
{
	struct graphml_reader *r = base_alloc(sizeof *r);
	r->g = g;
	r->node = TOPO_NONE;
	r->parser = XML_ParserCreate(NULL);
	if (!r->parser)
		import_problem(g, 0, "cannot be read: out of memory");
	else
		parse_graphml(r, in);
	if (!g->problems && !r->graphs)
		import_problem(g, 0, "has no graph");
	if (!g->problems)
		check_absent(g);
	for (uint32_t i = 0; i < r->keys; i++) {
		if (r->key[i].default_value && !g->problems)
			apply_default(g, &r->key[i]);
		free(r->key[i].id);
		free(r->key[i].name);
		free(r->key[i].default_value);
	}
	if (r->parser)
		XML_ParserFree(r->parser);
	free(r);
	return g->problems ? -1 : 0;
}

#else

int import_read_graphml(struct import_graph *g, const struct import_input *in)
{
	(void)in;
	return import_problem(g, 0,
	                      "this tilefly was built without expat (Debian: libexpat1-dev), which reads GraphML");
}

#endif
