/* topo/table.h - graphs without a closed form: adjacency lists, and minimal routing by a table of all distances.
 *
 * Minimal routing offers all graph-shortest next hops. The table takes one byte per pair, 256 MiB for TOPO_MAX_TABLED
 * switches, once per host. A switch with more than TOPO_MAX_NEXT ports offers the first TOPO_MAX_NEXT of the shortest
 * in a circular order that starts at a place given by the destination. */
#ifndef TOPO_TABLE_H
#define TOPO_TABLE_H

#include "sim/tables.h"
#include "topo/cables.h"
#include "topo/search.h"

/* The state of topologies with tables: the first member of their `impl`. */
struct topo_table {
	struct topo_graph graph;
	topo_port *back; /* the peer's port, as graph.to */
	uint16_t *link_class;
	uint8_t *distance; /* [to n + from]; NULL before topo_table_distances() */
	struct sim_table distances;
	unsigned diameter;
	/* topo_table_of_cables(): */
	struct topo_kinds kinds;
	char (*class_name)[TOPO_CLASS_NAME];
};

/* Builds adjacency lists from n cables, whose `own` must be 0. Port numbers follow the order of the cables. */
void topo_table_connect(struct topo_table *table, uint32_t switches, const struct topo_cable *cables, size_t n);
/* Builds the lists from cables that were read, and sets the topology's link classes, including those of cables that
 * have a bandwidth or latency of their own. Changes the cables: their class names become owned by the table. Returns -1
 * with an error of key "file" if there are too many classes. */
int topo_table_of_cables(struct topo *topo, struct topo_table *table, struct topo_cables *cables, const char *file,
                         struct base_errors *errors);
/* Builds the table of distances, for at most TOPO_MAX_TABLED switches. Returns -1 if two switches are more than
 * TOPO_FARTHEST hops apart, or not connected. */
int topo_table_distances(struct topo_table *table);
/* As topo_table_distances(), for a graph that need not be connected: the distance between switches without a path is
 * 255. */
int topo_table_distances_apart(struct topo_table *table);
/* Frees the tables, but not the struct itself. */
void topo_table_free(struct topo_table *table);
/* Largest number of ports of a switch. */
uint32_t topo_table_most_ports(const struct topo_table *table);

#define TOPO_TABLE_OPS                                                                                                \
	.ports = topo_table_ports, .peer = topo_table_peer, .next = topo_table_next, .distance = topo_table_distance, \
	.max_distance = topo_table_max_distance

uint32_t topo_table_ports(const struct topo *topo, topo_switch s);
struct topo_hop topo_table_peer(const struct topo *topo, topo_switch s, topo_port port);
int topo_table_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out);
unsigned topo_table_distance(const struct topo *topo, topo_switch from, topo_switch to);
unsigned topo_table_max_distance(const struct topo *topo);

#endif
