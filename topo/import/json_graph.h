/* topo/import/json_graph.h - JSON for readers of graphs. Inside topo/import only. */
#ifndef TOPO_IMPORT_JSON_GRAPH_H
#define TOPO_IMPORT_JSON_GRAPH_H

#include "topo/import/formats.h"

#include <jansson.h>

/* A scalar as text; NULL: it is none, or null. `number` holds numbers. */
const char *import_scalar(const json_t *value, char number[40]);
/* The array of a member; NULL with an error that names it. */
json_t *import_array(struct import_graph *g, const json_t *of, const char *member);
/* The text of a member; NULL with an error: "edges[3].ep1.instance: a text is expected". */
const char *import_text(struct import_graph *g, const json_t *of, const char *place, const char *member);
/* The whole file as an object, to be released; NULL with an error. */
json_t *import_json(struct import_graph *g, const struct import_input *in);

/* A graph in networkx's node-link form. */
int import_node_link(struct import_graph *g, const json_t *root);

#endif
