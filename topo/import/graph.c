/* topo/import/graph.c - see graph.h: what readers add. */
#include "topo/import/graph.h"

#include "base/memory.h"
#include "base/param.h"
#include "base/text.h"
#include "topo/checked.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int import_problem(struct import_graph *g, unsigned long line, const char *fmt, ...)
{
	char text[400], harmless[400], place[32] = "";
	va_list ap;
	if (g->problems++ >= IMPORT_PROBLEMS)
		return -1;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (line)
		snprintf(place, sizeof place, ":%lu", line);
	return base_errorf(g->errors, "file", "%s%s: %s", g->file, place,
	                   base_harmless_copy(text, harmless, sizeof harmless));
}

/* --- names -------------------------------------------------------------------------------------------------- */

static uint32_t hash_name(const char *name, size_t length)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)name[i]) * UINT64_C(1099511628211);
	return (uint32_t)(hash ^ hash >> 32);
}

/* The slot of a name, or the free one where it would be. */
static uint32_t slot_of(const struct import_graph *g, const char *name, size_t length)
{
	uint32_t at = hash_name(name, length) & (g->slots - 1);
	for (; g->slot[at]; at = (at + 1) & (g->slots - 1)) {
		const char *other = g->text + g->v[g->slot[at] - 1].name;
		if (!strncmp(other, name, length) && !other[length])
			break;
	}
	return at;
}

static uint32_t add_text(struct import_graph *g, const char *name, size_t length)
{
	if (g->text_n + length + 1 > g->text_cap) {
		g->text_cap = 2 * g->text_cap + length + 1024;
		g->text = base_realloc(g->text, g->text_cap);
	}
	uint32_t at = (uint32_t)g->text_n;
	memcpy(g->text + at, name, length);
	g->text[at + length] = 0;
	g->text_n += length + 1;
	return at;
}

static void grow_slots(struct import_graph *g)
{
	free(g->slot);
	g->slots = g->slots ? 2 * g->slots : 1024;
	g->slot = base_calloc(g->slots, sizeof *g->slot);
	for (uint32_t i = 0; i < g->n; i++) {
		const char *name = g->text + g->v[i].name;
		g->slot[slot_of(g, name, strlen(name))] = i + 1;
	}
}

uint32_t import_find(const struct import_graph *g, const char *name, size_t length)
{
	uint32_t found = g->slots ? g->slot[slot_of(g, name, length)] : 0;
	return found ? found - 1 : TOPO_NONE;
}

uint32_t import_vertex(struct import_graph *g, unsigned long line, const char *name, size_t length)
{
	if (!length || length >= IMPORT_NAME || memchr(name, 0, length)) {
		import_problem(g, line, "a name has 1 to %d bytes, none of them NUL: \"%.*s\"", IMPORT_NAME - 1,
		               (int)(length > 40 ? 40 : length), name);
		return TOPO_NONE;
	}
	uint32_t found = import_find(g, name, length);
	if (found != TOPO_NONE)
		return found;
	if (g->n == IMPORT_VERTICES || g->text_n > UINT32_MAX / 2) {
		import_problem(g, line, "more than %u vertices, or 2 GiB of names", IMPORT_VERTICES);
		return TOPO_NONE;
	}
	if (2 * (g->n + 1) > g->slots)
		grow_slots(g);
	if (g->n == g->v_cap) {
		g->v_cap = g->v_cap ? 2 * g->v_cap : 256;
		g->v = base_realloc(g->v, g->v_cap * sizeof *g->v);
	}
	uint32_t at = add_text(g, name, length);
	g->v[g->n] = (struct import_vertex){ .name = at, .label = at, .endpoints = TOPO_NONE };
	g->slot[slot_of(g, name, length)] = g->n + 1;
	return g->n++;
}

const char *import_name(const struct import_graph *g, uint32_t vertex)
{
	return g->text + g->v[vertex].name;
}

void import_label(struct import_graph *g, uint32_t vertex, const char *name, size_t length)
{
	length = length < IMPORT_NAME ? length : IMPORT_NAME - 1;
	g->v[vertex].label = add_text(g, name, length);
}

/* --- edges and classes -------------------------------------------------------------------------------------- */

struct import_edge *import_edge(struct import_graph *g, unsigned long line, uint32_t a, uint32_t b)
{
	if (a == b) {
		import_problem(g, line, "a cable from a switch to itself: \"%s\"", import_name(g, a));
		return NULL;
	}
	if (g->m == IMPORT_EDGES) {
		import_problem(g, line, "more than %zu edges", IMPORT_EDGES);
		return NULL;
	}
	if (g->m == g->e_cap) {
		g->e_cap = g->e_cap ? 2 * g->e_cap : 256;
		g->e = base_realloc(g->e, g->e_cap * sizeof *g->e);
	}
	g->e[g->m] = (struct import_edge){ .a = a, .b = b, .link_class = TOPO_NONE };
	return &g->e[g->m++];
}

uint32_t import_class(struct import_graph *g, unsigned long line, const char *name, size_t length)
{
	char own[TOPO_CLASS_NAME];
	if (length >= TOPO_CLASS_NAME) {
		import_problem(g, line, "the name of a link class has at most %d characters: \"%.*s\"",
		               TOPO_CLASS_NAME - 1, (int)(length > 40 ? 40 : length), name);
		return TOPO_NONE;
	}
	memcpy(own, name, length);
	own[length] = 0;
	for (uint32_t k = 0; k < g->classes; k++)
		if (!strcmp(g->class_name[k], own))
			return k;
	const char *refused = topo_class_name_refused(own);
	if (refused) {
		import_problem(g, line, "no link class may be called \"%s\", which %s", own, refused);
		return TOPO_NONE;
	}
	if (g->classes == IMPORT_CLASSES) {
		import_problem(g, line, "more than %u link classes: \"%s\" is one more", IMPORT_CLASSES, own);
		return TOPO_NONE;
	}
	memcpy(g->class_name[g->classes], own, sizeof own);
	return g->classes++;
}

/* --- attributes --------------------------------------------------------------------------------------------- */

void import_unused(struct import_graph *g, const char *name)
{
	char own[sizeof g->unused[0].name];
	base_harmless_copy(name, own, sizeof own);
	for (uint32_t i = 0; i < g->unused_n; i++)
		if (!strcmp(g->unused[i].name, own)) {
			g->unused[i].count++;
			return;
		}
	if (g->unused_n == sizeof g->unused / sizeof *g->unused) {
		g->unused_others++;
		return;
	}
	memcpy(g->unused[g->unused_n].name, own, sizeof own);
	g->unused[g->unused_n++].count = 1;
}

static bool is_one_of(const char *const *words, const char *word)
{
	for (; *words; words++)
		if (!strcasecmp(*words, word))
			return true;
	return false;
}

static const char *const type_keys[] = { "type", "kind", "role", "node_type", "nodetype", NULL };
static const char *const switch_words[] = { "switch", "router",      "leaf",        "spine", "core",
	                                    "tor",    "aggregation", "edge-switch", NULL };
static const char *const host_words[] = { "host", "endpoint", "terminal", "server", "node", "compute",     "nic",
	                                  "hca",  "ca",       "gpu",      "npu",    "xpu",  "accelerator", NULL };

bool import_is_kind(const char *name)
{
	return is_one_of(type_keys, name);
}

static int set_kind(struct import_graph *g, unsigned long line, uint32_t vertex, const char *name, const char *value)
{
	bool host = is_one_of(host_words, value);
	if (!host && !is_one_of(switch_words, value))
		return import_problem(
		    g, line,
		    "\"%.40s\" has %s \"%.40s\"; allowed are switch, router, leaf, spine, core, tor and "
		    "aggregation for switches, host, endpoint, terminal, server, node, compute, nic, hca, "
		    "ca, gpu, npu, xpu and accelerator for what is connected to them",
		    import_name(g, vertex), name, value);
	g->v[vertex].kind = host ? IMPORT_HOST : IMPORT_SWITCH;
	return 0;
}

int import_vertex_attribute(struct import_graph *g, unsigned long line, uint32_t vertex, const char *name,
                            const char *value)
{
	if (import_is_kind(name))
		return set_kind(g, line, vertex, name, value);
	if (!strcmp(name, "endpoints")) {
		char *end;
		unsigned long count = strtoul(value, &end, 10);
		if (*value < '0' || *value > '9' || *end || count > 65535)
			return import_problem(g, line,
			                      "\"%.40s\" has endpoints \"%.40s\": a number from 0 to 65535 is expected",
			                      import_name(g, vertex), value);
		g->v[vertex].endpoints = (uint32_t)count;
		return 0;
	}
	if (!strcmp(name, "label") || !strcmp(name, "name")) {
		if (*value && strcmp(value, "\\N") != 0 && strcmp(value, "\\G") != 0)
			import_label(g, vertex, value, strlen(value));
		return 0;
	}
	import_unused(g, name);
	return 0;
}

static const char *const rate_keys[] = { "bandwidth", "speed", "rate", "capacity", NULL };
static const char *const time_keys[] = { "latency", "delay", NULL };

/* A number without a unit is a weight in many files: it is not used, with a warning that names the first one. */
static void warn_no_unit(struct import_graph *g, unsigned long line, const struct import_edge *e, const char *name,
                         const char *value, const char *why)
{
	import_unused(g, name);
	if (g->unitless++)
		return;
	char place[40] = "";
	if (line)
		snprintf(place, sizeof place, ":%lu", line);
	base_warnf(g->errors, "file",
	           "%s%s: the edge from \"%.40s\" to \"%.40s\" has %s \"%.40s\", which %s: a number without a unit is "
	           "not used, here and on other edges",
	           g->file, place, import_name(g, e->a), import_name(g, e->b), name, value, why);
}

/* The bandwidth or the latency of an edge. */
static int read_edge_quantity(struct import_graph *g, unsigned long line, struct import_edge *e, const char *name,
                              const char *value, bool rate)
{
	const char *why = NULL;
	uint64_t number = 0;
	char *end;
	if (!value[strspn(value, " \t")])
		return 0; /* DOT gives every edge each attribute, empty where the file has none */
	if (rate ? base_parse_rate(value, &number, &why) : base_parse_time(value, &number, &why)) {
		if (strtod(value, &end) >= 0 && end != value && !*end) {
			warn_no_unit(g, line, e, name, value, why);
			return 0;
		}
		return import_problem(g, line, "the edge from \"%.40s\" to \"%.40s\" has %s \"%.40s\", which %s",
		                      import_name(g, e->a), import_name(g, e->b), name, value, why);
	}
	if ((double)number < (rate ? TOPO_LEAST_BANDWIDTH : 1) ||
	    (double)number > (rate ? TOPO_MOST_BANDWIDTH : TOPO_MOST_LATENCY))
		return import_problem(g, line, "the edge from \"%.40s\" to \"%.40s\" has %s %.40s; allowed are %s",
		                      import_name(g, e->a), import_name(g, e->b), name, value,
		                      rate ? "1Mbps to 1000Tbps" : "1ps to 1s");
	*(rate ? &e->bandwidth : &e->latency) = number;
	return 0;
}

int import_edge_attribute(struct import_graph *g, unsigned long line, struct import_edge *e, const char *name,
                          const char *value)
{
	if (!strcmp(name, "class") || !strcmp(name, "link_class")) {
		uint32_t link_class = import_class(g, line, value, strlen(value));
		e->link_class = link_class;
		return link_class == TOPO_NONE ? -1 : 0;
	}
	bool rate = is_one_of(rate_keys, name);
	if (rate || is_one_of(time_keys, name))
		return read_edge_quantity(g, line, e, name, value, rate);
	import_unused(g, name);
	return 0;
}

void import_graph_free(struct import_graph *g)
{
	free(g->v);
	free(g->e);
	free(g->text);
	free(g->slot);
	g->v = NULL;
	g->e = NULL;
	g->text = NULL;
	g->slot = NULL;
	g->n = g->slots = 0;
	g->m = 0;
}
