/* topo/import/infragraph.c - infrastructures in the JSON form of InfraGraph (Keysight/infragraph, schema 2025), as far
 * as their network goes: instances of devices, and edges between components of instances.
 *
 * Every copy of a device that has an xpu or nic is a host, each of its components with an edge an endpoint; all other
 * devices are switches. What is inside devices is not read: it is no part of the network. */
#include "topo/import/json_graph.h"

#include "topo/checked.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COPIES 1000000u

/* "name[first:last]" */
struct infra_slice {
	const char *name;
	size_t length;
	uint64_t first, n;
	uint64_t step;
};

/* What an end of an edge names: copies of an instance, and components of each. */
struct infra_end {
	struct infra_slice instance, component;
	bool host;
};

static json_t *named(json_t *list, const char *name, size_t length)
{
	json_t *value;
	size_t i;
	json_array_foreach (list, i, value) {
		const char *own = json_string_value(json_object_get(value, "name"));
		if (own && strlen(own) == length && !memcmp(own, name, length))
			return value;
	}
	return NULL;
}

static bool read_index(const char **at, uint64_t *out)
{
	char *end;
	if (**at < '0' || **at > '9')
		return false;
	*out = strtoull(*at, &end, 10);
	*at = end;
	return *out <= MOST_COPIES;
}

/* Python's slice notation, of what there are `count`: x, x[2], x[0:4], x[:], x[0:8:2]. */
static int read_slice(struct import_graph *g, const char *place, const char *text, uint64_t count,
                      struct infra_slice *out)
{
	const char *at = text + strcspn(text, "[");
	uint64_t first = 0, last = count, step = 1;
	*out = (struct infra_slice){ .name = text, .length = (size_t)(at - text), .n = count, .step = 1 };
	if (!*at)
		return 0;
	at++;
	bool has_first = read_index(&at, &first), slice = *at == ':';
	if (slice) {
		at++;
		if (*at >= '0' && *at <= '9' && !read_index(&at, &last))
			slice = has_first = false;
		if (*at == ':' && (at++, !read_index(&at, &step)))
			slice = has_first = false;
	} else {
		last = first + 1;
	}
	if ((!slice && !has_first) || strcmp(at, "]") != 0 || !step)
		return import_problem(g, 0, "%s: \"%.60s\" is no name with a slice, as in x[0:4]", place, text);
	if (last > count || first >= last)
		return import_problem(g, 0, "%s: \"%.60s\" is beyond the %" PRIu64 " that there are", place, text,
		                      count);
	out->first = first;
	out->n = (last - first + step - 1) / step;
	out->step = step;
	return 0;
}

static bool is_host(const json_t *device)
{
	const json_t *components = json_object_get(device, "components"), *value;
	size_t i;
	json_array_foreach (components, i, value) {
		const char *choice = json_string_value(json_object_get(value, "choice"));
		if (choice && (!strcmp(choice, "xpu") || !strcmp(choice, "nic")))
			return true;
	}
	return false;
}

static int read_count(struct import_graph *g, const json_t *of, const char *place, uint64_t *out)
{
	const json_t *count = json_object_get(of, "count");
	if (!json_is_integer(count) || json_integer_value(count) < 1 || json_integer_value(count) > MOST_COPIES)
		return import_problem(g, 0, "%s.count: a number from 1 to %u is expected", place, MOST_COPIES);
	*out = (uint64_t)json_integer_value(count);
	return 0;
}

/* The part of "osfp.port[0]" behind the component's own name names what is inside it. */
static size_t component_name(const char *text)
{
	return strcspn(text, "[.");
}

static int read_infra_end(struct import_graph *g, json_t *root, const json_t *edge, const char *place,
                          const char *member, struct infra_end *out)
{
	char at[64];
	uint64_t copies = 0, parts = 0;
	snprintf(at, sizeof at, "%s.%s", place, member);
	const json_t *end = json_object_get(edge, member);
	const char *instance = import_text(g, end, at, "instance"), *component = import_text(g, end, at, "component");
	if (!instance || !component)
		return -1;
	json_t *found = named(json_object_get(root, "instances"), instance, strcspn(instance, "["));
	const char *of = json_string_value(json_object_get(found, "device"));
	json_t *device = of ? named(json_object_get(root, "devices"), of, strlen(of)) : NULL;
	if (!found || !device)
		return import_problem(g, 0, "%s.instance: there is no %s \"%.60s\"", at,
		                      found ? "device of" : "instance", instance);
	json_t *part = named(json_object_get(device, "components"), component, component_name(component));
	if (!part)
		return import_problem(g, 0, "%s.component: device \"%.40s\" has no component \"%.60s\"", at, of,
		                      component);
	const char *inner = component + component_name(component);
	if (read_count(g, found, at, &copies) || read_count(g, part, at, &parts))
		return -1;
	if (*inner == '.' || strchr(inner, '.'))
		return import_problem(
		    g, 0, "%s.component: \"%.60s\" names a part of a component, which is not supported", at, component);
	out->host = is_host(device);
	return read_slice(g, at, instance, copies, &out->instance) ||
	               read_slice(g, at, component, parts, &out->component)
	           ? -1
	           : 0;
}

/* The vertex of the i-th of an end's components, counted instance by instance. */
static uint32_t vertex_of(struct import_graph *g, const struct infra_end *end, uint64_t i)
{
	char name[2 * IMPORT_NAME];
	const struct infra_slice *a = &end->instance, *b = &end->component;
	uint64_t copy = a->first + i / b->n * a->step, part = b->first + i % b->n * b->step;
	if (end->host)
		snprintf(name, sizeof name, "%.*s.%" PRIu64 ".%.*s.%" PRIu64, (int)(a->length < 100 ? a->length : 100),
		         a->name, copy, (int)(b->length < 100 ? b->length : 100), b->name, part);
	else
		snprintf(name, sizeof name, "%.*s.%" PRIu64, (int)(a->length < 200 ? a->length : 200), a->name, copy);
	uint32_t v = import_vertex(g, 0, name, strlen(name));
	if (v != TOPO_NONE)
		g->v[v].kind = end->host ? IMPORT_HOST : IMPORT_SWITCH;
	return v;
}

struct infra_unit {
	const char *name;
	double factor; /* of bit/s or ps */
};

static const struct infra_unit rate_units[] = { { "gigabits_per_second", 1e9 },
	                                        { "gigabytes_per_second", 8e9 },
	                                        { NULL, 0 } };
static const struct infra_unit time_units[] = { { "ns", 1e3 }, { "us", 1e6 }, { "ms", 1e9 }, { NULL, 0 } };

/* A bandwidth or latency of a link as bit/s or ps; 0: the link gives none, or with an error. */
static uint64_t read_quantity(struct import_graph *g, const char *link, const char *member, const json_t *of,
                              const struct infra_unit *unit, double least, double most)
{
	for (; unit->name; unit++) {
		const json_t *given = json_object_get(of, unit->name);
		if (!given || json_is_null(given))
			continue;
		double value = json_number_value(given) * unit->factor;
		if (json_is_number(given) && value >= least && value <= most)
			return (uint64_t)(value + .5);
		char *text = json_dumps(given, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(7));
		import_problem(g, 0, "links \"%.40s\".physical.%s.%s: %.40s: a number from %.9g to %.9g is expected",
		               link, member, unit->name, text ? text : "", least / unit->factor, most / unit->factor);
		free(text);
		return 0;
	}
	return 0;
}

static void read_physical(struct import_graph *g, json_t *root, const char *name, struct import_edge *e)
{
	const json_t *physical = json_object_get(named(json_object_get(root, "links"), name, strlen(name)), "physical");
	e->bandwidth = read_quantity(g, name, "bandwidth", json_object_get(physical, "bandwidth"), rate_units,
	                             TOPO_LEAST_BANDWIDTH, TOPO_MOST_BANDWIDTH);
	e->latency =
	    read_quantity(g, name, "latency", json_object_get(physical, "latency"), time_units, 1, TOPO_MOST_LATENCY);
}

static int add_infra_edge(struct import_graph *g, json_t *root, const char *link, const struct infra_end *ep1,
                          uint64_t i, const struct infra_end *ep2, uint64_t k)
{
	uint32_t a = vertex_of(g, ep1, i), b = vertex_of(g, ep2, k);
	struct import_edge *e = a != TOPO_NONE && b != TOPO_NONE ? import_edge(g, 0, a, b) : NULL;
	if (!e)
		return -1;
	if (!link)
		return 0;
	read_physical(g, root, link, e);
	if (ep1->host || ep2->host)
		return 0;
	if (topo_class_name_refused(link) || strlen(link) >= TOPO_CLASS_NAME)
		import_unused(g, "link");
	else
		e->link_class = import_class(g, 0, link, strlen(link));
	return g->problems ? -1 : 0;
}

static int read_infra_edge(struct import_graph *g, json_t *root, const json_t *edge, size_t i)
{
	char place[40];
	struct infra_end ep1, ep2;
	snprintf(place, sizeof place, "edges[%zu]", i);
	const char *scheme = json_string_value(json_object_get(edge, "scheme"));
	const char *link = json_string_value(json_object_get(edge, "link"));
	if (read_infra_end(g, root, edge, place, "ep1", &ep1) || read_infra_end(g, root, edge, place, "ep2", &ep2))
		return -1;
	uint64_t n1 = ep1.instance.n * ep1.component.n, n2 = ep2.instance.n * ep2.component.n;
	if (n1 > IMPORT_EDGES || n2 > IMPORT_EDGES || n1 * n2 > IMPORT_EDGES)
		return import_problem(g, 0, "%s: more than %zu edges", place, IMPORT_EDGES);
	if (scheme && !strcmp(scheme, "one2one")) {
		if (n1 != n2)
			return import_problem(g, 0, "%s: one2one of %" PRIu64 " and %" PRIu64 " components", place, n1,
			                      n2);
		for (uint64_t k = 0; k < n1; k++)
			if (add_infra_edge(g, root, link, &ep1, k, &ep2, k))
				return -1;
		return 0;
	}
	if (!scheme || strcmp(scheme, "many2many") != 0)
		return import_problem(g, 0, "%s.scheme: one2one and many2many are supported, not \"%.20s\"", place,
		                      scheme ? scheme : "");
	for (uint64_t k = 0; k < n1; k++)
		for (uint64_t j = 0; j < n2; j++)
			if (add_infra_edge(g, root, link, &ep1, k, &ep2, j))
				return -1;
	return 0;
}

/* All copies of switches, in their order; those without edges are left out later. */
static void add_switches(struct import_graph *g, json_t *root)
{
	char name[IMPORT_NAME + 16];
	json_t *value;
	size_t i;
	json_array_foreach (json_object_get(root, "instances"), i, value) {
		const char *own = json_string_value(json_object_get(value, "name"));
		const char *of = json_string_value(json_object_get(value, "device"));
		const json_t *device = of ? named(json_object_get(root, "devices"), of, strlen(of)) : NULL;
		json_int_t count = json_integer_value(json_object_get(value, "count"));
		for (json_int_t k = 0; own && device && !is_host(device) && k < count && k < TOPO_MAX_TABLED; k++) {
			snprintf(name, sizeof name, "%.200s.%" JSON_INTEGER_FORMAT, own, k);
			uint32_t v = import_vertex(g, 0, name, strlen(name));
			if (v == TOPO_NONE)
				return;
			g->v[v].kind = IMPORT_ABSENT;
		}
	}
}

static int read_infrastructure(struct import_graph *g, json_t *root)
{
	json_t *inside = json_object_get(root, "infrastructure"), *value;
	size_t i;
	root = json_is_object(inside) ? inside : root;
	const json_t *edges = import_array(g, root, "edges");
	if (!import_array(g, root, "devices") || !import_array(g, root, "instances") || !edges)
		return -1;
	add_switches(g, root);
	json_array_foreach (edges, i, value)
		if (g->problems <= IMPORT_PROBLEMS)
			read_infra_edge(g, root, value, i);
	return g->problems ? -1 : 0;
}

int import_read_infragraph(struct import_graph *g, const struct import_input *in)
{
	json_t *root = import_json(g, in);
	int status = root ? read_infrastructure(g, root) : -1;
	json_decref(root);
	return status;
}
