/* topo/sizing.h - the members of each family by closed forms: endpoints, switches, cables, ports and where uniform
 * traffic saturates under minimal routing. Nothing is built but for families without a closed form: spectralfly,
 * bundlefly, polarstar, jellyfish; and of hammingmesh a few small ones. */
#ifndef TOPO_SIZING_H
#define TOPO_SIZING_H

#include "topo/topo.h"

#define TOPO_SIZES 8

struct topo_family;

struct topo_member {
	const struct topo_family *family;
	uint32_t v[TOPO_SIZES]; /* its parameters, see topo_family.form */
	uint64_t endpoints, switches, cables;
	uint32_t radix; /* ports that the largest switch uses */
	double
	    uniform; /* share of injection bandwidth at which the fullest channel is full; above 1: endpoints limit */
	uint32_t narrow, wide; /* ports that the smallest and the largest one use which is bought; 0: at least half of
	                          `radix`, and `radix` */
	/* Where switches are parts of endpoints (topo->own), so that they, the cables of their boards and those to
	 * endpoints are not bought: such switches, and cables of boards. 0: all is bought. */
	uint64_t own, traces;
};

/* What is bought: switches, the ports that they use, and cables, those to endpoints among them. Where switches are
 * parts of endpoints a cable that is bought joins one of these with a switch. */
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

/* A part of a family, by bounds that hold for each of its members: a bound may be better than any of them. */
struct topo_box {
	const struct topo_family *family;
	uint64_t least, endpoints; /* from, to */
	uint64_t switches, cables; /* at least */
	uint32_t radix, narrow;    /* ports of the largest switch at least; and of the smallest that is bought */
	double uniform;            /* at most; INFINITY: not known */
};

/* What is asked of a family. */
struct topo_sizing {
	uint32_t radix; /* members with more ports are not visited */
	uint32_t trunk; /* most parallel cables of one pair of switches, or of groups; 0: as many as the family has */
	uint64_t endpoints; /* 0, or how many are wanted at least: families whose size is free need it */
	double uniform;     /* at least; others may be left out */
	/* Can no member of this part be wanted? It is not enumerated then. May be NULL. */
	bool (*cut)(void *arg, const struct topo_box *box);
	topo_visit_member *visit;
	void *arg;
};

struct topo_family {
	const char *name, *kind; /* kind: the topology's */
	const char *form;        /* "q = %u; endpoints = %u" of v[0], v[1], ...: members of the section topology */
	const char *rule;        /* which members are looked at */
	bool by_search;          /* a visit takes long: networks are built for it */
	/* Visits members in any order; those of more than TOPO_MAX_SWITCHES switches or TOPO_MAX_ENDPOINTS endpoints
	 * are left out. Returns NULL, or why it visits none. */
	const char *(*each)(const struct topo_family *family, const struct topo_sizing *sizing);
};

/* Ended by a family without a name. */
extern const struct topo_family topo_families[];

/* The parameters as text, "q = 17; endpoints = 11". */
void topo_member_print(const struct topo_member *member, char *out, size_t room);

#endif
