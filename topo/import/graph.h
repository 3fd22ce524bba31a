/* topo/import/graph.h - the graph that a reader builds from a file of another tool: vertices with names, edges, and
 * counts of problems and of unused attributes. Used inside topo/import only.
 *
 * A reader (formats.h) adds vertices and edges in the file's order. topo_import_finish() makes switches, cables and
 * endpoints of them: vertices that are hosts become endpoints of the switch that their edge leads to, all others are
 * switches. */
#ifndef TOPO_IMPORT_GRAPH_H
#define TOPO_IMPORT_GRAPH_H

#include "topo/cables.h"
#include "topo/names.h"

#define IMPORT_NAME 256            /* bytes of a name, at most */
#define IMPORT_VERTICES (1u << 24) /* at most, as the next */
#define IMPORT_EDGES ((size_t)1 << 26)
#define IMPORT_PROBLEMS 20u /* more are counted */
#define IMPORT_CLASSES 32u  /* of all edges; by name */

enum import_kind {
	IMPORT_UNKNOWN, /* a switch */
	IMPORT_SWITCH,
	IMPORT_HOST,
	IMPORT_ABSENT, /* left out */
};

struct import_vertex {
	uint32_t name;      /* place in struct import_graph.text */
	uint32_t label;     /* the same of the name in results; by default `name` */
	uint32_t endpoints; /* of a switch; TOPO_NONE: the file gives no number */
	uint8_t kind;       /* enum import_kind */
};

struct import_edge {
	uint32_t a, b; /* vertices */
	uint32_t port; /* of a host's end, for its name; 0: none */
	uint32_t link_class;
	uint64_t bandwidth, latency; /* bit/s and ps; 0: the file gives none */
};

struct import_unused {
	char name[48];
	uint64_t count;
};

/* How edges are listed. */
enum import_arcs {
	IMPORT_ONCE,       /* every edge once */
	IMPORT_BOTH,       /* from both of its ends */
	IMPORT_EITHER_WAY, /* all once, or all from both ends */
};

struct import_graph {
	const char *file, *what; /* names for messages: the file and its format */
	struct base_errors *errors;
	unsigned problems;
	struct import_vertex *v; /* owned, as all arrays here */
	uint32_t n, v_cap;
	struct import_edge *e;
	size_t m, e_cap;
	char *text; /* names, each ended by a NUL */
	size_t text_n, text_cap;
	uint32_t *slot, slots; /* hash table: vertex + 1, or 0 */
	uint32_t classes;
	char class_name[IMPORT_CLASSES][TOPO_CLASS_NAME];
	struct import_unused unused[64];
	uint32_t unused_n;
	uint64_t unused_others; /* attributes of more names than that */
	uint64_t unitless;      /* bandwidths and latencies that are numbers without a unit */
	enum import_arcs arcs;
};

/* Adds an error "FILE:LINE: text", or "FILE: text" if line is 0. Returns -1. */
int import_problem(struct import_graph *g, unsigned long line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The vertex with this name, which is created if there is none. Returns TOPO_NONE with an error if that fails. */
uint32_t import_vertex(struct import_graph *g, unsigned long line, const char *name, size_t length);
/* The vertex with this name; TOPO_NONE if there is none. */
uint32_t import_find(const struct import_graph *g, const char *name, size_t length);
const char *import_name(const struct import_graph *g, uint32_t vertex);
/* Adds an edge of class "local" and returns it; the pointer is valid until the next call. Returns NULL with an error on
 * failure. */
struct import_edge *import_edge(struct import_graph *g, unsigned long line, uint32_t a, uint32_t b);
/* The number of the link class with this name, which is created if there is none. Returns TOPO_NONE with an error if
 * that fails. */
uint32_t import_class(struct import_graph *g, unsigned long line, const char *name, size_t length);
/* Sets the name of a vertex that results show. */
void import_label(struct import_graph *g, uint32_t vertex, const char *name, size_t length);
/* Counts an attribute that the file contains and that is not used. */
void import_unused(struct import_graph *g, const char *name);

/* Set an attribute of a vertex (type, endpoints, label) or of an edge (class, bandwidth, latency) from text. Other
 * attributes are counted as unused. Both return -1 with an error if the value is invalid. */
int import_vertex_attribute(struct import_graph *g, unsigned long line, uint32_t vertex, const char *name,
                            const char *value);
int import_edge_attribute(struct import_graph *g, unsigned long line, struct import_edge *e, const char *name,
                          const char *value);

/* Is it an attribute that says whether a vertex is a switch or a host? */
bool import_is_kind(const char *name);

/* Converts the graph to cables and names. `endpoints` is the number of endpoints of each switch for which the file
 * gives none, if no vertex is a host; negative means that it was not configured, and counts as 1. Adds errors, and
 * warnings about entries that are not used. Returns -1 on failure, with nothing to free. */
int topo_import_finish(struct import_graph *g, int64_t endpoints, struct topo_cables *cables, struct topo_names *names);
void import_graph_free(struct import_graph *g);
/* Called after a reader with its status: finishes the graph if the status is 0, and frees it. Returns the status. */
int topo_import_end(struct import_graph *g, int status, int64_t endpoints, struct topo_cables *cables,
                    struct topo_names *names);

#endif
