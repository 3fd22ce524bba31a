/* topo/import/node_link.c - graphs in networkx's node-link form, which the DOT reader's child writes, too:
 *
 *   { "directed": false, "multigraph": false, "graph": {}, "nodes": [ { "id": 0, ... } ],
 *     "links": [ { "source": 0, "target": 1, ... } ] }        (or "edges" in place of "links") */
#include "topo/import/json_graph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *import_scalar(const json_t *value, char number[40])
{
	switch (json_typeof(value)) {
	case JSON_STRING:
		return json_string_value(value);
	case JSON_INTEGER:
		snprintf(number, 40, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		return number;
	case JSON_REAL:
		snprintf(number, 40, "%.17g", json_real_value(value));
		return number;
	case JSON_TRUE:
		return "true";
	case JSON_FALSE:
		return "false";
	case JSON_NULL:
	case JSON_ARRAY:
	case JSON_OBJECT:
		break;
	}
	return NULL;
}

json_t *import_array(struct import_graph *g, const json_t *of, const char *member)
{
	json_t *value = json_object_get(of, member);
	if (json_is_array(value))
		return value;
	import_problem(g, 0, value ? "\"%s\" is no array" : "there is no \"%s\" in it", member);
	return NULL;
}

const char *import_text(struct import_graph *g, const json_t *of, const char *place, const char *member)
{
	const char *text = json_string_value(json_object_get(of, member));
	if (!text)
		import_problem(g, 0, "%s.%s: a text is expected", place, member);
	return text;
}

json_t *import_json(struct import_graph *g, const struct import_input *in)
{
	json_error_t error;
	json_t *root = json_loadb(in->text, in->bytes, JSON_REJECT_DUPLICATES, &error);
	if (!root)
		import_problem(g, error.line > 0 ? (unsigned long)error.line : 0, "is no JSON: %s", error.text);
	else if (!json_is_object(root))
		import_problem(g, 0, "is no %s: an object is expected", g->what);
	if (json_is_object(root))
		return root;
	json_decref(root);
	return NULL;
}

/* The vertex that a value names: a number, a text, or a list, as networkx writes tuples. */
static uint32_t node_of(struct import_graph *g, const json_t *value, const char *list, size_t i, const char *member)
{
	char number[40];
	const char *text = value ? import_scalar(value, number) : NULL;
	uint32_t v = TOPO_NONE;
	if (text) {
		v = import_vertex(g, 0, text, strlen(text));
	} else if (json_is_array(value)) {
		char *name = json_dumps(value, JSON_COMPACT);
		v = name ? import_vertex(g, 0, name, strlen(name)) : TOPO_NONE;
		free(name);
	} else {
		import_problem(g, 0, "%s[%zu].%s: a number, a text or a list is expected", list, i, member);
	}
	return v;
}

static void read_node(struct import_graph *g, const json_t *node, size_t i)
{
	const char *key, *text;
	json_t *value;
	char number[40];
	uint32_t before = g->n, v = node_of(g, json_object_get(node, "id"), "nodes", i, "id");
	if (v == TOPO_NONE)
		return;
	if (v < before) {
		import_problem(g, 0, "nodes[%zu].id: \"%.40s\" is given twice", i, import_name(g, v));
		return;
	}
	json_object_foreach((json_t *)(uintptr_t)node, key, value)
	{
		if (!strcmp(key, "id"))
			continue;
		text = import_scalar(value, number);
		if (text)
			import_vertex_attribute(g, 0, v, key, text);
		else if (!json_is_null(value))
			import_unused(g, key);
	}
}

/* The end of an edge, which has to be among the nodes. */
static uint32_t end_of(struct import_graph *g, const json_t *link, const char *list, size_t i, const char *member)
{
	uint32_t before = g->n, v = node_of(g, json_object_get(link, member), list, i, member);
	if (v == TOPO_NONE || v < before)
		return v;
	import_problem(g, 0, "%s[%zu].%s: there is no node \"%.40s\"", list, i, member, import_name(g, v));
	return TOPO_NONE;
}

static void read_link(struct import_graph *g, const json_t *link, const char *list, size_t i)
{
	const char *key, *text;
	json_t *value;
	char number[40];
	uint32_t a = end_of(g, link, list, i, "source"), b = end_of(g, link, list, i, "target");
	struct import_edge *e = a != TOPO_NONE && b != TOPO_NONE ? import_edge(g, 0, a, b) : NULL;
	if (!e)
		return;
	json_object_foreach((json_t *)(uintptr_t)link, key, value)
	{
		if (!strcmp(key, "source") || !strcmp(key, "target") || !strcmp(key, "key"))
			continue;
		text = import_scalar(value, number);
		if (text)
			import_edge_attribute(g, 0, e, key, text);
		else if (!json_is_null(value))
			import_unused(g, key);
	}
}

int import_node_link(struct import_graph *g, const json_t *root)
{
	const char *list = json_object_get(root, "links") ? "links" : "edges", *key;
	const json_t *nodes = import_array(g, root, "nodes"), *links = import_array(g, root, list);
	json_t *value;
	size_t i;
	g->arcs = json_is_true(json_object_get(root, "directed")) ? IMPORT_EITHER_WAY : IMPORT_ONCE;
	if (!nodes || !links)
		return -1;
	json_object_foreach((json_t *)(uintptr_t)root, key,
	                    value) if (strcmp(key, "nodes") != 0 && strcmp(key, list) != 0 &&
	                               strcmp(key, "directed") != 0 && strcmp(key, "multigraph") != 0 &&
	                               (!json_is_object(value) || json_object_size(value))) import_unused(g, key);
	json_array_foreach (nodes, i, value)
		read_node(g, value, i);
	json_array_foreach (links, i, value)
		if (g->problems <= IMPORT_PROBLEMS)
			read_link(g, value, list, i);
	return g->problems ? -1 : 0;
}

int import_read_node_link(struct import_graph *g, const struct import_input *in)
{
	json_t *root = import_json(g, in);
	int status = root ? import_node_link(g, root) : -1;
	json_decref(root);
	return status;
}

/* --- SST -------------------------------------------------------------------------------------------------------- */

/* The JSON that `sst --output-json=FILE` writes: a list of components and a list of links, each between two components.
 * Components of type merlin.hr_router are switches; a component that a link connects to a router is a host. */

/* A component's name, without what is in it: "node0:networkIF". */
static size_t component_length(const char *name)
{
	return strcspn(name, ":");
}

static bool is_router(const char *type)
{
	const char *dot = strrchr(type, '.');
	return !strcmp(dot ? dot + 1 : type, "hr_router");
}

static int read_component(struct import_graph *g, const json_t *component, size_t i)
{
	char place[48];
	snprintf(place, sizeof place, "components[%zu]", i);
	const char *name = import_text(g, component, place, "name"), *type = import_text(g, component, place, "type");
	if (!name || !type)
		return -1;
	uint32_t before = g->n, v = import_vertex(g, 0, name, strlen(name));
	if (v == TOPO_NONE)
		return -1;
	if (v < before)
		return import_problem(g, 0, "%s.name: \"%.40s\" is given twice", place, name);
	g->v[v].kind = is_router(type) ? IMPORT_SWITCH : IMPORT_HOST;
	return 0;
}

/* The component at one end of a link. */
static uint32_t end_component(struct import_graph *g, const json_t *link, const char *place, const char *side,
                              const char **latency)
{
	char at[80];
	snprintf(at, sizeof at, "%s.%s", place, side);
	const json_t *end = json_object_get(link, side);
	const char *name = import_text(g, end, at, "component");
	if (!name)
		return TOPO_NONE;
	*latency = json_string_value(json_object_get(end, "latency"));
	uint32_t v = import_find(g, name, component_length(name));
	if (v == TOPO_NONE)
		import_problem(g, 0, "%s.component: there is no component \"%.*s\"", at, (int)component_length(name),
		               name);
	return v;
}

static void read_sst_link(struct import_graph *g, const json_t *link, size_t i, uint64_t *inside)
{
	char place[40];
	const char *latency[2] = { NULL, NULL };
	snprintf(place, sizeof place, "links[%zu]", i);
	uint32_t a = end_component(g, link, place, "left", &latency[0]);
	uint32_t b = end_component(g, link, place, "right", &latency[1]);
	if (a == TOPO_NONE || b == TOPO_NONE)
		return;
	if (a == b || (g->v[a].kind == IMPORT_HOST && g->v[b].kind == IMPORT_HOST)) {
		++*inside;
		return;
	}
	struct import_edge *e = import_edge(g, 0, a, b);
	if (e && latency[0] && latency[1] && !strcmp(latency[0], latency[1]))
		import_edge_attribute(g, 0, e, "latency", latency[0]);
	else if (e && (latency[0] || latency[1]))
		import_unused(g, "latency");
}

/* Components without a link to a router, such as memories, are not part of the network: they are taken out. */
static uint64_t remove_unlinked(struct import_graph *g)
{
	uint64_t removed = 0;
	for (size_t i = 0; i < g->m; i++) {
		g->v[g->e[i].a].endpoints = 0;
		g->v[g->e[i].b].endpoints = 0;
	}
	for (uint32_t v = 0; v < g->n; v++) {
		bool linked = g->v[v].endpoints == 0;
		g->v[v].endpoints = TOPO_NONE;
		if (linked || g->v[v].kind != IMPORT_HOST)
			continue;
		g->v[v].kind = IMPORT_ABSENT;
		removed++;
	}
	return removed;
}

static int read_sst(struct import_graph *g, const json_t *root)
{
	const json_t *components = import_array(g, root, "components"), *links = import_array(g, root, "links"), *value;
	uint64_t inside = 0, removed;
	bool routers = false;
	size_t i;
	if (!components || !links)
		return -1;
	json_array_foreach (components, i, value)
		if (g->problems <= IMPORT_PROBLEMS && !read_component(g, value, i))
			routers |= g->v[g->n - 1].kind == IMPORT_SWITCH;
	if (!g->problems && !routers)
		return import_problem(g, 0, "has no component of type merlin.hr_router, which are the switches");
	json_array_foreach (links, i, value)
		if (g->problems <= IMPORT_PROBLEMS)
			read_sst_link(g, value, i, &inside);
	removed = remove_unlinked(g);
	if (inside || removed)
		base_warnf(g->errors, "file",
		           "%s: %" PRIu64 " links between components other than routers and %" PRIu64
		           " components without a link to a router are left out",
		           g->file, inside, removed);
	return g->problems ? -1 : 0;
}

int import_read_sst(struct import_graph *g, const struct import_input *in)
{
	json_t *root = import_json(g, in);
	int status = root ? read_sst(g, root) : -1;
	json_decref(root);
	return status;
}
