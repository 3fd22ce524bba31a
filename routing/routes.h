/* routing/routes.h - routes that are tables: next hops by switch and destination, or whole paths by source and
 * destination. Filled from a file (route_file.c) or by a search (latency.c).
 *
 * An outlet is an output port with the rule of its VC and a weight; a packet draws one of a set of outlets. Equal sets
 * are stored once, so that a next hop takes one, two or four bytes, by the number of sets that there are.
 *
 *   next hops   entry[switch][row] = 1 + set. A row is a destination: first the switches that may have endpoints, then
 *               endpoints with entries of their own. A packet's row is found at its source switch and kept in
 *               sw_packet.via, as are entries of packets that come from an endpoint of the switch, if they differ.
 *   paths       pair (source, destination) -> paths -> steps, each a set. The packet's next step is kept in
 *               sw_packet.via.
 *
 * So what a hop depends on is the packet's switch, input port, VC, route and via, and the proof may merge all packets
 * that agree in these. */
#ifndef ROUTING_ROUTES_H
#define ROUTING_ROUTES_H

#include "routing/leg.h"
#include "sim/tables.h"
#include "switch/switch.h"

#define RT_ANY_ENDPOINT UINT32_MAX
#define RT_MAX_WEIGHT 65535u

/* rt_outlet.vc: a number below SW_MAX_VCS, or one of these. Packets from endpoints come on VC 0. */
enum rt_outlet_vc {
	RT_VC_DEFAULT = 0x80, /* by the parameter `vc`; only while a file is read */
	RT_VC_RULE,           /* as the topology's rule says for minimal routes */
	RT_VC_HOPS,           /* hops taken so far */
	RT_VC_SAME,           /* that of the buffer that the packet comes from */
	RT_VC_UP,             /* the next one */
};

struct rt_outlet {
	topo_port port;
	uint32_t upto; /* sum of the weights of the set up to this one */
	uint32_t vc;
};

struct rt_outlets {
	uint32_t first, n; /* in rt_routes.outlet */
	uint32_t total;    /* sum of weights */
};

/* Paths from a switch, or one endpoint of it, to a switch or one endpoint of it. */
struct rt_route_pair {
	topo_switch from, to;
	uint32_t src, dst; /* endpoints; RT_ANY_ENDPOINT: all that no other pair names */
	uint32_t first, n; /* in rt_routes.path */
	uint32_t total;
};

struct rt_route_path {
	uint32_t step; /* the first one, in rt_routes.step */
	uint32_t upto;
};

struct rt_routes {
	struct rt_common common; /* for the VCs of the topology's rule; without tables of minimal routes */
	bool by_flow;            /* choices are hashes of flows, else draws */
	bool quick;              /* draws as minimal routing of a topology with ops->run does */
	bool climbs;             /* the VC rises with every hop */
	bool paths;
	struct rt_outlet *outlet;
	struct rt_outlets *set;
	uint32_t outlets, sets;
	/* Next hops. */
	uint32_t rows, switch_rows;
	uint32_t width; /* bytes of an entry */
	void *entry;    /* [switches][rows] */
	void *source;   /* the same, of packets from an endpoint of the switch; NULL: as `entry` */
	uint32_t *row;  /* [endpoints] the row of one with entries of its own, else 0; NULL: there are none */
	/* Paths. */
	struct rt_route_pair *pair; /* sorted by (from, to, src, dst) */
	uint32_t *pair_at;          /* [switches + 1] the first pair from each */
	struct rt_route_path *path;
	uint32_t *step; /* sets */
	uint32_t pairs, npaths, steps;
	struct sim_table shared; /* holds these arrays if ranks share them */
};

/* --- building ---------------------------------------------------------------------------------------------- */

/* Sets of outlets, each once. */
struct rt_outlet_sets {
	struct rt_routes *routes;
	uint32_t *slot; /* open addressing: 1 + set */
	uint32_t slots, outlets_cap, sets_cap;
};

/* The number of the set of these outlets, of which `upto` holds the weight; it is replaced by the sum. */
uint32_t rt_outlet_set(struct rt_outlet_sets *sets, struct rt_outlet *outlet, uint32_t n);
void rt_outlet_sets_free(struct rt_outlet_sets *sets);

/* Allocates rt->impl, a struct rt_routes, as rt_common_build() does. */
int rt_routes_build(struct rt *rt, struct base_errors *errors);
void rt_routes_destroy(struct rt *rt);
/* Makes the table of next hops. */
void rt_routes_open(struct rt_routes *r, const struct topo *topo, uint32_t endpoint_rows);

static inline uint32_t rt_routes_read(const struct rt_routes *r, const void *table, topo_switch s, uint32_t row)
{
	size_t at = (size_t)s * r->rows + row;
	return r->width == 1   ? ((const uint8_t *)table)[at]
	       : r->width == 2 ? ((const uint16_t *)table)[at]
	                       : ((const uint32_t *)table)[at];
}
/* `value`: 1 + set. `source`: of packets from endpoints of the switch. */
void rt_routes_write(struct rt_routes *r, const struct topo *topo, bool source, topo_switch s, uint32_t row,
                     uint32_t value);

/* Sets rt->max_hops and rt->vcs from what is in the table. The longest route is known. */
int rt_routes_count_vcs(struct rt *rt, uint32_t longest, struct base_errors *errors);

/* --- ops of routings by tables ------------------------------------------------------------------------------ */

struct rt_decision rt_routes_route(const struct rt *rt, struct rt_env *env, struct sw_packet *packet);
bool rt_routes_climb(const struct rt *rt);

/* Has a routing routes of its own, of any length: those of a table, or of the least latency? */
static inline bool rt_has_routes(const struct rt *rt)
{
	return rt->ops->route == rt_routes_route;
}

/* --- files -------------------------------------------------------------------------------------------------- */

/* Reads a file of next hops or paths; see docs/routing.md. Every problem becomes an error for key "file" that begins
 * with FILE:LINE, the first 20 of them. */
struct rt_route_rules {
	uint32_t vc; /* RT_VC_RULE or RT_VC_HOPS: of outlets for which the file gives none */
	bool used;   /* result: there are some */
	bool choice; /* result: some set has several outlets, or some pair several paths */
};
int rt_routes_parse(struct rt *rt, const char *text, size_t bytes, const char *file, struct rt_route_rules *rules,
                    uint32_t *longest, struct base_errors *errors);

/* Writes the topology's own minimal routes as such a file. The topology has routes. Returns -1 on an error of the
 * stream. */
int rt_write_routes(const struct topo *topo, FILE *out);

#endif
