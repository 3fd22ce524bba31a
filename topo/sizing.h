/* topo/sizing.h - enumerates the members of families of topologies, with their numbers of endpoints, switches, cables
 * and ports and the saturation throughput of uniform traffic under minimal routing, by closed forms. Networks are built
 * only for families without a closed form: spectralfly, bundlefly, polarstar, jellyfish, and a few small ones of
 * hammingmesh. */
#ifndef TOPO_SIZING_H
#define TOPO_SIZING_H

#include "topo/topo.h"

#define TOPO_SIZES 8

struct topo_family;

struct topo_member {
	const struct topo_family *family;
	uint32_t v[TOPO_SIZES]; /* its parameters, see topo_family.form */
	uint64_t endpoints, switches, cables;
	uint32_t radix; /* ports used by the largest switch */
	double uniform; /* saturation throughput under uniform traffic, relative to injection bandwidth, as the most
	                   loaded channel limits it; above 1, the endpoints are the limit */
	uint32_t narrow, wide; /* ports used by the smallest and by the largest switch that is bought. narrow 0 means at
	                          least half of `radix`; wide 0 means `radix` */
	/* If switches are part of endpoints (topo->own), these switches, the cables on their boards and those to
	 * endpoints are not bought. `own` is the number of such switches and `traces` the number of cables on boards;
	 * both are 0 if everything is bought. */
	uint64_t own, traces;
};

/* Parts that are bought: switches, the ports that they use, and cables, including those to endpoints. If switches are
 * part of endpoints, every bought cable connects one of these to a switch. */
static inline uint64_t topo_member_switches(const struct topo_member *m)
{
	return m->switches - m->own;
}

static inline uint64_t topo_member_ports(const struct topo_member *m)
{
	return m->own ? m->cables - m->traces : 2 * m->cables + m->endpoints;
}

static inline uint64_t topo_member_cables(const struct topo_member *m)
{
	return m->own ? m->cables - m->traces : m->cables + m->endpoints;
}

typedef void topo_visit_member(void *arg, const struct topo_member *member);

/* A subset of a family, described by bounds that hold for each of its members; the bounds need not be tight. */
struct topo_box {
	const struct topo_family *family;
	uint64_t least, endpoints; /* range of endpoints */
	uint64_t switches, cables; /* at least */
	uint32_t radix, narrow;    /* minimum ports of the largest switch, and of the smallest switch that is bought */
	double uniform;            /* upper bound; INFINITY: unknown */
};

/* Requirements on the members of a family of topologies in a search. */
struct topo_sizing {
	uint32_t radix; /* members with more ports are not visited */
	uint32_t trunk; /* maximum parallel cables between one pair of switches, or of groups; 0: the family's limit */
	uint64_t endpoints; /* minimum number of endpoints, or 0: families of free size need it */
	double uniform;     /* lower bound; members below it may be skipped */
	/* Returns true if no member of this subset can meet the requirements; the subset is then not enumerated. May be
	 * NULL. */
	bool (*cut)(void *arg, const struct topo_box *box);
	topo_visit_member *visit;
	void *arg;
};

struct topo_family {
	const char *name, *kind; /* kind: the topology's */
	const char *form;        /* "q = %u; endpoints = %u" of v[0], v[1], ...: members of the section topology */
	const char *rule;        /* the enumerated members, as text */
	bool by_search;          /* a visit takes long: networks are built for it */
	/* Calls visit() for the members of the family, in any order. Members with more than TOPO_MAX_SWITCHES switches
	 * or TOPO_MAX_ENDPOINTS endpoints are skipped. Returns NULL, or the reason why it visits no member. */
	const char *(*each)(const struct topo_family *family, const struct topo_sizing *sizing);
};

/* All families of topologies, terminated by one without a name. */
extern const struct topo_family topo_families[];

/* Writes the parameters of a member as text, for example "q = 17; endpoints = 11". */
void topo_member_print(const struct topo_member *member, char *out, size_t capacity);

#endif
