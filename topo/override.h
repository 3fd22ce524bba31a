/* topo/override.h - rules that give cables of any topology a bandwidth or latency of their own, or take them away. */
#ifndef TOPO_OVERRIDE_H
#define TOPO_OVERRIDE_H

#include "base/param.h"
#include "topo/topo.h"

#define TOPO_OVERRIDE_DIRECTIONS "both|forward"
enum topo_override_direction { TOPO_BOTH_DIRECTIONS, TOPO_FORWARD };

/* The cables between a switch of `from` and one of `to`, and what they have. */
struct topo_override {
	char *from, *to;    /* "all", or a list of numbers, ranges and groups: "0-3,17,group 2-4" */
	char *link_class;   /* "all", or the name of a class */
	char *cable;        /* which of the parallel cables of two switches: "all", or a list of numbers */
	int direction;      /* enum topo_override_direction; forward: only that from `from` to `to` */
	uint64_t bandwidth; /* bit/s; 0: unchanged */
	uint64_t latency;   /* ps; 0: unchanged */
	bool absent;        /* the cable is not there */
};

/* Applies rules to a built topology. Each must match a cable that is there, and no two may say different things of one
 * direction. Without absent cables the topology keeps its routes; otherwise minimal routing takes shortest paths of
 * what is left, by a table (topo/table.h), and the hop rule for virtual channels. Takes two bytes a direction if a
 * cable has something of its own. Returns -1 with errors for keys "links.override.[i]. ...". */
int topo_override(struct topo *topo, const struct topo_override *rules, uint32_t n, struct base_errors *errors);

extern const struct base_param topo_override_table[];

#endif
