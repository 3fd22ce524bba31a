/* topo/names.h - names of the switches and endpoints of topologies that are read from files of other tools.
 *
 * Names are kept once, in one block of text, and looked up when something is printed: simulation never reads them.
 * Memory: their bytes and 4 bytes a name. */
#ifndef TOPO_NAMES_H
#define TOPO_NAMES_H

#include "topo/topo.h"

struct topo_names {
	char *text;            /* owned; each name ends with a NUL */
	uint32_t *of_switch;   /* owned; the place of each name in text; NULL: switches have numbers only */
	uint32_t *of_endpoint; /* owned; the same of endpoints */
};

/* The names of a topology; NULL if it has none. */
const struct topo_names *topo_names_of(const struct topo *topo);
/* The name of a switch or an endpoint; NULL if it has only a number. O(1). */
const char *topo_switch_name(const struct topo *topo, topo_switch s);
const char *topo_endpoint_name(const struct topo *topo, topo_endpoint e);

/* Writes how messages and drawings call a switch or an endpoint: "switch 3 (leaf-a)", or "switch 3" if it has no name.
 * Long names are truncated. Returns `out`. */
#define TOPO_CALLED 96
const char *topo_call_switch(const struct topo *topo, topo_switch s, char out[TOPO_CALLED]);
const char *topo_call_endpoint(const struct topo *topo, topo_endpoint e, char out[TOPO_CALLED]);

void topo_names_free(struct topo_names *names);

#endif
