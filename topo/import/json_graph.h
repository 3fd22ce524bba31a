/* topo/import/json_graph.h - functions for readers of graphs in JSON. Used inside topo/import only. */
#ifndef TOPO_IMPORT_JSON_GRAPH_H
#define TOPO_IMPORT_JSON_GRAPH_H

#include "topo/import/formats.h"

#include <jansson.h>

/* A JSON scalar as text; NULL if the value is not a scalar or is null. The buffer `number` is used for the text of
 * numbers. */
const char *import_scalar(const json_t *value, char number[40]);
/* The member with this name, which must be an array. Returns NULL with an error that names it if it is not. */
json_t *import_array(struct import_graph *g, const json_t *of, const char *member);
/* The text of the member with this name. Returns NULL with an error, as "edges[3].ep1.instance: a text is expected", if
 * it is not a text. */
const char *import_text(struct import_graph *g, const json_t *of, const char *place, const char *member);
/* Parses the whole file, which must be a JSON object. The caller releases it with json_decref(). Returns NULL with an
 * error on failure. */
json_t *import_json(struct import_graph *g, const struct import_input *in);

/* Reads a graph in networkx's node-link form. Returns -1 with errors on failure. */
int import_node_link(struct import_graph *g, const json_t *root);

#endif
