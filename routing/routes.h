/* routing/routes.h - routes stored in tables: next hops by switch and destination, or whole paths by source and
 * destination. The tables are filled from a file (route_file.c) or by a search (latency.c).
 *
 * An outlet is an output port with a rule for the packet's VC there and a weight. At each hop a packet draws one of a
 * set of outlets. Equal sets are stored once, so that a next hop takes one, two or four bytes, depending on the number
 * of different sets.
 *
 *   next hops   entry[switch][row] = 1 + set. A row is a destination: first the switches that may have endpoints, then
 *               endpoints with entries of their own. A packet's row is found at its source switch and kept in
 *               sw_packet.via, as are entries of packets that come from an endpoint of the switch, if they differ.
 *   paths       pair (source, destination) -> paths -> steps, each a set. The packet's next step is kept in
 *               sw_packet.via.
 *
 * So a hop depends only on the packet's switch, input port, VC, route and via, and the deadlock proof may merge all
 * packets that agree in these. */
#ifndef ROUTING_ROUTES_H
#define ROUTING_ROUTES_H

#include "routing/leg.h"
#include "sim/tables.h"
#include "switch/switch.h"

#define RT_ANY_ENDPOINT UINT32_MAX
#define RT_MAX_WEIGHT 65535u

/* Values of rt_outlet.vc other than VC numbers, which are below SW_MAX_VCS: rules for the VC on the output's link. A
 * packet from an endpoint counts as arriving on VC 0. */
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

/* The paths from a switch, or from one endpoint of it, to a switch, or to one endpoint of it. */
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

/* Different sets of outlets, each stored once, with a hash table to find them. */
struct rt_outlet_sets {
	struct rt_routes *routes;
	uint32_t *slot; /* open addressing: 1 + set */
	uint32_t slots, outlets_cap, sets_cap;
};

/* Returns the number of the set that consists of these n outlets, and adds the set if it is new. On entry
 * outlet[i].upto is the weight of outlet i; the function replaces it by the sum of the weights so far. */
uint32_t rt_outlet_set(struct rt_outlet_sets *sets, struct rt_outlet *outlet, uint32_t n);
void rt_outlet_sets_free(struct rt_outlet_sets *sets);

/* Allocates rt->impl, a struct rt_routes, as rt_common_build() does. Returns 0, or -1 with errors. */
int rt_routes_build(struct rt *rt, struct base_errors *errors);
void rt_routes_destroy(struct rt *rt);
/* Allocates the table of next hops, with a row for each switch that may have endpoints and `endpoint_rows` rows for
 * single endpoints. */
void rt_routes_open(struct rt_routes *r, const struct topo *topo, uint32_t endpoint_rows);

static inline uint32_t rt_routes_read(const struct rt_routes *r, const void *table, topo_switch s, uint32_t row)
{
	size_t at = (size_t)s * r->rows + row;
	return r->width == 1   ? ((const uint8_t *)table)[at]
	       : r->width == 2 ? ((const uint16_t *)table)[at]
	                       : ((const uint32_t *)table)[at];
}
/* Stores the next hops of switch s for a destination row: `value` is 1 + the number of a set of outlets. `source`: they
 * apply to packets from endpoints of the switch only. */
void rt_routes_write(struct rt_routes *r, const struct topo *topo, bool source, topo_switch s, uint32_t row,
                     uint32_t value);

/* Sets rt->max_hops to `longest`, the hops of the longest route, and rt->vcs to the number of VCs that the outlets in
 * the table use. Returns 0, or -1 with errors. */
int rt_routes_count_vcs(struct rt *rt, uint32_t longest, struct base_errors *errors);

/* --- ops of routings by tables ------------------------------------------------------------------------------ */

struct rt_decision rt_routes_route(const struct rt *rt, struct rt_env *env, struct sw_packet *packet);
bool rt_routes_climb(const struct rt *rt);

/* Does the routing have routes of its own, of any length, from a table or by least latency? */
static inline bool rt_has_routes(const struct rt *rt)
{
	return rt->ops->route == rt_routes_route;
}

/* --- files -------------------------------------------------------------------------------------------------- */

/* Options and results of reading a file of next hops or paths (docs/routing.md). Every problem in the file becomes an
 * error of the key "file" whose text begins with FILE:LINE; only the first 20 are reported. */
struct rt_route_rules {
	uint32_t vc; /* RT_VC_RULE or RT_VC_HOPS: of outlets for which the file gives none */
	bool used;   /* result: there are some */
	bool choice; /* result: some set has several outlets, or some pair several paths */
};
int rt_routes_parse(struct rt *rt, const char *text, size_t bytes, const char *file, struct rt_route_rules *rules,
                    uint32_t *longest, struct base_errors *errors);

/* Writes the topology's own minimal routes in the format that rt_routes_parse() reads. The topology must have routes.
 * Returns -1 on an error of the stream. */
int rt_write_routes(const struct topo *topo, FILE *out);

#endif
