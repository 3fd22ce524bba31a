/* topo/override.h - rules of the configuration that give some cables of a topology a bandwidth or latency of their own,
 * or remove them. */
#ifndef TOPO_OVERRIDE_H
#define TOPO_OVERRIDE_H

#include "base/param.h"
#include "topo/topo.h"

#define TOPO_OVERRIDE_DIRECTIONS "both|forward"
enum topo_override_direction { TOPO_BOTH_DIRECTIONS, TOPO_FORWARD };

/* One rule: it selects cables between a switch of `from` and a switch of `to`, and sets their properties. */
struct topo_override {
	char *from, *to;    /* "all", or a list of numbers, ranges and groups: "0-3,17,group 2-4" */
	char *link_class;   /* "all", or the name of a class */
	char *cable;        /* which of the parallel cables of two switches: "all", or a list of numbers */
	int direction;      /* enum topo_override_direction; forward: only that from `from` to `to` */
	uint64_t bandwidth; /* bit/s; 0: unchanged */
	uint64_t latency;   /* ps; 0: unchanged */
	bool absent;        /* the cable is not there */
};

/* Applies rules to a built topology. Each rule must match an existing cable, and no two rules may set different values
 * for one direction of a cable. If no cable is removed, the topology keeps its routes. Otherwise minimal routing takes
 * the shortest paths of the remaining graph, from a table (topo/table.h), with the hop rule for virtual channels. If
 * any cable has values of its own, memory is two bytes per direction of each cable. Returns -1 with errors for keys
 * "links.override.[i]. ...". */
int topo_override(struct topo *topo, const struct topo_override *rules, uint32_t n, struct base_errors *errors);

extern const struct base_param topo_override_table[];

#endif
