/* topo/topo.h - a topology is a pure graph with facts, without simulation.
 *
 * Switches are 0 .. switches-1. The network ports of a switch are 0 .. ports(switch)-1, each one end of one
 * bidirectional cable; terminal ports are not numbered here. Endpoints are 0 .. endpoints-1, attached to switches in
 * order: switch s has endpoints first(s) .. first(s+1)-1.
 *
 * A builder needs no N^2 memory: peer() and next() are computed (field arithmetic, coordinates) or read from adjacency
 * lists; they are called at every hop of a simulation and must be fast and read-only. */
#ifndef TOPO_TOPO_H
#define TOPO_TOPO_H

#include "base/error.h"
#include "base/plugin.h"
#include "topo/divide.h"
#include "topo/kinds.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef uint32_t topo_switch;
typedef uint32_t topo_port;
typedef uint32_t topo_endpoint;

#define TOPO_NONE UINT32_MAX
#define TOPO_LINK_CLASSES 4096 /* maximum number of link classes of a topology */
/* Maximum number of ports that next() may offer: the widest trunks of dragonflies of 64-port switches have 320 cables.
 */
#define TOPO_MAX_NEXT 512

/* The rule that makes minimal and Valiant routes deadlock-free (implemented by routing/vc.c). */
enum topo_vc_rule {
	TOPO_VC_HOP,      /* VC = hops taken so far: any graph of small diameter */
	TOPO_VC_GROUPS,   /* dragonfly: +1 after every global hop, +1 between two consecutive local hops */
	TOPO_VC_DATELINE, /* torus: dimension order, +1 on crossing a ring's dateline, back to 0 in the next ring */
	TOPO_VC_LEG,      /* VC = leg: topo_hop.rank increases strictly along every minimal route between endpoints, by
	                     dimension order or first up and then down; next() does not get the hops taken */
};

/* The far end of a port, and properties of the cable. */
struct topo_hop {
	topo_switch to;
	topo_port port;      /* the peer's port of the same cable */
	uint16_t link_class; /* index into link_class_name: 0 local, 1 global, ...; of this direction, see kinds.h */
	uint8_t dimension;   /* torus: which ring; local cables of a grid group: 0 rows, 1 columns; else 0 */
	bool dateline;       /* torus: this hop crosses the ring's dateline (the wrap cable) */
	uint8_t rank;        /* TOPO_VC_LEG: rank of this hop, in this direction; else 0 */
};

struct topo;
struct topo_facts;

/* A range of ports: first .. first + n - 1. */
struct topo_run {
	topo_port first;
	uint32_t n;
};

/* A set of switches that are equivalent under automorphisms of the graph: one of them as representative, and their
 * number. */
struct topo_orbit {
	topo_switch representative;
	uint32_t size;
};

struct topo_ops {
	/* Reads and checks its parameter struct (as described by the plug-in's table), and fills *topo. Reports as many
	 * problems as it can find. */
	int (*build)(struct topo *topo, const void *params, struct base_errors *errors);
	void (*destroy)(struct topo *topo);
	/* Network ports of a switch. */
	uint32_t (*ports)(const struct topo *topo, topo_switch s);
	struct topo_hop (*peer)(const struct topo *topo, topo_switch s, topo_port port);
	/* This topology's `minimal` routing: the ports that lead from `here` to `to` (here != to, `to` has endpoints),
	 * one entry per equally good choice, repeated entries are chosen more often. `leg_hops` counts the hops already
	 * taken on this leg (since the source, or since the Valiant intermediate); a dragonfly needs it to recognize
	 * the exit switch. Writes at most TOPO_MAX_NEXT ports; returns their number (at least 1 in a connected
	 * graph). */
	int (*next)(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out);
	/* A faster alternative to next() for topologies in which the ports of next() are always consecutive and each
	 * occurs once. Minimal and Valiant routing call it instead of next() at every hop and choose a port of the run,
	 * which may have more than TOPO_MAX_NEXT ports. It does not get the hops taken on the leg. May be NULL. */
	struct topo_run (*run)(const struct topo *topo, topo_switch here, topo_switch to);
	/* For trees: returns the port that D-Mod-K routing takes from `here` to the switch of `endpoint`, which is
	 * another switch. It is one of the ports of next(), chosen by the digits of the endpoint's number. NULL if the
	 * topology is not a tree. Called by routing/ecmp.c. */
	topo_port (*by_destination)(const struct topo *topo, topo_switch here, uint32_t endpoint);
	/* Hops of the minimal route from one switch to another; if minimal routes of different lengths count as equally
	 * good, those of the longest. 0 if both are the same switch. `to` has endpoints. */
	unsigned (*distance)(const struct topo *topo, topo_switch from, topo_switch to);
	/* Upper bound of distance() over all pairs that carry endpoints. */
	unsigned (*max_distance)(const struct topo *topo);
	/* Group of a switch, 0 .. groups-1. May be NULL if topo->groups is 1 or equals topo->switches. */
	uint32_t (*group)(const struct topo *topo, topo_switch s);
	/* Worst-case traffic for minimal routing: to[s] = switch to which every endpoint of s sends (same position on
	 * the switch), TOPO_NONE for idle switches. Returns the number of idle switches with endpoints. May be NULL. */
	uint32_t (*worst_case)(const struct topo *topo, topo_switch *to);
	/* The i-th switch of a permutation in which neighbours are near each other. The ranks of a parallel run get
	 * consecutive pieces of it, so a good order has few cables between pieces. NULL: switches are ordered by
	 * number. */
	topo_switch (*order)(const struct topo *topo, uint32_t i);
	/* The rack of a switch in the layout of topo/layout.h: numbers from 0, without gaps. May be NULL: racks are
	 * filled with neighbours. */
	uint32_t (*rack)(const struct topo *topo, topo_switch s);
	/* Coordinates: switch number = c[0] + out[0] (c[1] + out[1] (c[2] + ...)) with c[i] < out[i]. Writes the sizes
	 * of at most `capacity` dimensions, returns their number (without those of size 1), 0 for none. May be NULL. */
	int (*dims)(const struct topo *topo, uint32_t *out, int capacity);
	/* Writes at most `capacity` orbits of the automorphism group, or of a subgroup, and returns their number; 0 if
	 * they are not known. May be NULL. */
	size_t (*orbits)(const struct topo *topo, struct topo_orbit *out, size_t capacity);
	/* Closed-form facts; fields unknown to the builder stay unchanged. May be NULL. */
	void (*facts)(const struct topo *topo, struct topo_facts *facts);
	/* All names of link classes that build() may use, ended by NULL. With them a misspelled key such as
	 * `links.globl` is rejected even if build() was not called because of another error. NULL if the names are
	 * known only after build(). */
	const char *const *link_classes;
	/* Offset, in the parameter struct, of the int64_t `trunk`: topo_build() replaces every cable by that number of
	 * parallel cables (parallel.h); a value of 0 or 1 leaves single cables. Offset 0 means that the topology has no
	 * such parameter. */
	size_t trunk_at;
};

struct topo {
	const struct topo_ops *ops;
	const char *kind;
	uint32_t switches;
	uint32_t endpoints;
	uint32_t max_ports;     /* largest ports(s) */
	uint32_t max_endpoints; /* maximum number of endpoints on one switch */
	uint32_t bare;          /* number of switches without endpoints, which have the highest numbers; the others have
	                           max_endpoints each, unless endpoint_first is set */
	const uint32_t *endpoint_first;   /* switches + 1 entries, and bare = 0; NULL: see bare */
	struct topo_divider by_endpoints; /* divides by max_endpoints; set by topo_build() */
	uint32_t groups;
	int link_classes;
	const char *const *link_class_name; /* "local", "global": letters, digits, - and _, a letter first */
	const struct topo_kinds *kinds; /* link classes, if there are cables with a bandwidth or latency of their own;
	                                   NULL: there are none, and every class has a name of its own */
	enum topo_vc_rule vc_rule;
	bool ordered; /* next() ignores leg_hops; its result depends only on the first dimension of dims() in which
	                 `here` and `to` differ, and on their coordinates in that dimension */
	bool one_way; /* next() always offers one port: minimal routes have no choice. If this is unset, small networks
	                 are searched for it */
	bool rings;   /* every cable connects neighbours of a line or ring of dims(), which a layout may fold */
	uint32_t parallel; /* parallel cables that replace each, by parallel.h; 0: single ones */
	bool own; /* switches with endpoints are part of their endpoints (as accelerators that contain a switch), and
	             cables of class 0 are part of the endpoints' boards: neither are bought separately (bill.h) */
	bool reduced; /* some of the family's cables are absent (changed.c), or have failed (failed.c): routes are the
	                 shortest that are left */
	const uint8_t *cut_off; /* [switches] 1 if no route to the switch exists; such a switch is never an intermediate
	                           of Valiant routes. NULL: all switches have routes */
	const char *no_routes;  /* why next(), distance() and max_distance() must not be called; NULL: they may be */
	void *impl;
	/* Set by topo_build(). For a plug-in from a shared object, `ops` are wrappers that check its own functions: */
	const struct base_plugin *plugin;
	const struct topo_ops *said; /* the plug-in's own functions */
	struct topo_ops *checked;    /* the wrappers; owned. NULL: built in */
};

/* Facts that `tilefly topo` prints. A number that is not known is negative; the reason is in the field with the suffix
 * _why. */
struct topo_facts {
	uint32_t switches, endpoints, radix, network_radix;
	uint64_t links;                             /* bidirectional switch-to-switch cables */
	uint64_t links_by_class[TOPO_LINK_CLASSES]; /* named classes only */
	int diameter;
	const char *diameter_why;
	double mean_distance; /* graph distance over ordered pairs of distinct switches */
	const char *mean_distance_why;
	int girth; /* shortest cycle; parallel cables count as a cycle of 2 */
	const char *girth_why;
	int64_t bisection_links; /* between halves of the switches, sizes differing by one at most */
	const char
	    *bisection_how; /* "closed form", "spectral bound", "partition found by METIS (upper bound)"; or why not */
	int64_t endpoint_bisection_links; /* between halves of the endpoints: those of a switch stay on one side */
	const char *endpoint_bisection_how;
	double max_channel_load_uniform; /* largest channel load of uniform traffic under minimal routing, in units of
	                                    one endpoint's injection rate */
	const char *max_channel_load_why;
	double mean_minimal_hops; /* mean route length of minimal routing over ordered pairs of distinct endpoints */
	double max_load_by_class[TOPO_LINK_CLASSES]; /* max_channel_load_uniform of the links of each class; negative:
	                                                unknown */
};

/* Builds a topology from a registered plug-in (kind "topology") and its filled parameter struct; free with
 * topo_destroy(). A topology from a shared object is checked (topo/checked.c). Returns -1 with errors on failure. */
int topo_build(struct topo *topo, const struct base_plugin *plugin, const void *params, struct base_errors *errors);
void topo_destroy(struct topo *topo);

/* For builders of topologies with equal numbers of endpoints at every switch: checks and sets switches, endpoints and
 * max_endpoints. Both numbers must be at least 1. Returns -1 with an error if there are too many. */
#define TOPO_MAX_SWITCHES (UINT32_C(1) << 24)
#define TOPO_MAX_ENDPOINTS (UINT32_C(1) << 30)
int topo_set_size(struct topo *topo, uint64_t switches, uint64_t endpoints_per_switch, struct base_errors *errors);
/* As topo_set_size(), for a topology of which only the first `carrying` switches have endpoints. */
int topo_set_sizes(struct topo *topo, uint64_t switches, uint64_t carrying, uint64_t endpoints_per_switch,
                   struct base_errors *errors);

/* Writes the switch graph as lines "src dst class", every cable once, and "endpoints SWITCHES N" unless every switch
 * has one: the format that the `edges` topology reads. Returns -1 on an error of the stream. */
int topo_write_edges(const struct topo *topo, FILE *out);

/* Facts by closed form, symmetry or all-pairs search, whichever is affordable; see each field. */
void topo_compute_facts(const struct topo *topo, struct topo_facts *facts);
/* Computes only facts that take little time at any size: numbers of switches, cables and endpoints, closed forms, and
 * the diameter of a small network. */
void topo_quick_facts(const struct topo *topo, struct topo_facts *facts);
/* Adds channel loads to *facts. If the builder has no closed form, they are found by a search, provided that it takes
 * no more than a few seconds. */
void topo_load_facts(const struct topo *topo, struct topo_facts *facts);

/* Saturation throughput of uniform traffic under minimal routing, relative to injection bandwidth; at most 1. facts
 * come from topo_compute_facts() or topo_load_facts(); rate[k]: the bandwidth of a link of class k over that of an
 * endpoint. *limit is the class that saturates first, -1 for none (the endpoints' links) or unknown. If rates differ
 * and the builder has no loads by class, it searches for them, at the cost of topo_compute_facts(). Returns a negative
 * number if that takes too long, with *why. */
double topo_saturation(const struct topo *topo, struct topo_facts *facts, const double *rate, int *limit,
                       const char **why);

/* Number of link classes that have names of their own; they have the lowest numbers. */
static inline int topo_named_classes(const struct topo *t)
{
	return t->kinds ? t->kinds->named : t->link_classes;
}
/* The named class to which a link class belongs: itself, or the one from which an additional class (kinds.h) has its
 * name. */
static inline int topo_named_class(const struct topo *t, int link_class)
{
	return t->kinds ? t->kinds->v[link_class].named : link_class;
}
/* The link class of the opposite direction of cables of this class. */
static inline int topo_reverse_class(const struct topo *t, int link_class)
{
	return t->kinds ? t->kinds->v[link_class].reverse : link_class;
}
static inline uint32_t topo_ports(const struct topo *t, topo_switch s)
{
	return t->ops->ports(t, s);
}
static inline struct topo_hop topo_peer(const struct topo *t, topo_switch s, topo_port p)
{
	return t->ops->peer(t, s, p);
}
static inline topo_endpoint topo_first_endpoint(const struct topo *t, topo_switch s)
{
	if (t->endpoint_first)
		return t->endpoint_first[s];
	return s < t->switches - t->bare ? s * t->max_endpoints : t->endpoints;
}
static inline uint32_t topo_endpoints_at(const struct topo *t, topo_switch s)
{
	if (t->endpoint_first)
		return t->endpoint_first[s + 1] - t->endpoint_first[s];
	return s < t->switches - t->bare ? t->max_endpoints : 0;
}
/* Does the switch have endpoints, and do routes to it exist? */
static inline bool topo_carries(const struct topo *t, topo_switch s)
{
	return topo_endpoints_at(t, s) > 0 && !(t->cut_off && t->cut_off[s]);
}
/* The switch to which an endpoint is attached. Cost: O(1) without endpoint_first, otherwise O(log switches). */
topo_switch topo_switch_search(const struct topo *t, topo_endpoint e);
static inline topo_switch topo_switch_of(const struct topo *t, topo_endpoint e)
{
	return t->endpoint_first ? topo_switch_search(t, e) : topo_divide(&t->by_endpoints, e);
}
static inline uint32_t topo_group(const struct topo *t, topo_switch s)
{
	return t->groups == 1 ? 0 : t->ops->group ? t->ops->group(t, s) : s;
}

/* Built-in plug-ins, for files that refer to them by name; experiments/config/builtin.def lists all of them. */
extern const struct base_plugin topo_slimfly, topo_dragonfly, topo_torus, topo_hyperx, topo_xgft, topo_fattree,
    topo_kary_ntree, topo_dragonfly_plus, topo_polarfly, topo_polarstar, topo_bundlefly, topo_hammingmesh,
    topo_spectralfly, topo_jellyfish, topo_oft, topo_mlfm, topo_edges, topo_single;

#endif
