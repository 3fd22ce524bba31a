/* workload/process/mapping.h - the mapping of an application's ranks to members of a job, or to blocks of consecutive
 * members. */
#ifndef WORKLOAD_PROCESS_MAPPING_H
#define WORKLOAD_PROCESS_MAPPING_H

#include "workload/process/process.h"

enum wl_mapping { WL_MAPPING_LINEAR, WL_MAPPING_RANDOM, WL_MAPPING_CYCLIC };

/* Parameters common to all applications; the parameter struct of each begins with them. */
struct wl_placed {
	struct wl_loop loop;
	char *mapping_file;
	int mapping;
};
#define WL_MAPPING_PARAMS                                                                                             \
	{ "mapping",                                                                                                  \
	  BASE_ENUM,                                                                                                  \
	  offsetof(struct wl_placed, mapping),                                                                        \
	  "linear",                                                                                                   \
	  NULL,                                                                                                       \
	  0,                                                                                                          \
	  0,                                                                                                          \
	  "linear|random|cyclic",                                                                                     \
	  "placement of ranks. linear: in the order of nodes, each of which is filled before the next; cyclic: one "  \
	  "rank at each node, then the second one of each, and so on; random: anywhere. { file = \"map\"; } has the " \
	  "same effect as mapping_file = \"map\"",                                                                    \
	  NULL },                                                                                                     \
	{                                                                                                             \
		"mapping_file", BASE_FILE, offsetof(struct wl_placed, mapping_file), "", NULL, 0, 0, NULL,            \
		    "instead of mapping: a file with the number of a node for each rank, in the order of ranks; "     \
		    "several ranks may have the same node, see processes_per_node",                                   \
		    NULL                                                                                              \
	}

/* The condition of `mapping` for the descriptors of applications: a row, and a table with only that row. */
bool wl_mapping_has_no_file(const void *params);
#define WL_MAPPING_CONDITION                                                                       \
	{                                                                                          \
		.keys = "mapping", .only = "without mapping_file", .holds = wl_mapping_has_no_file \
	}
extern const struct base_condition wl_mapping_conditions[];

#define WL_NO_RANK UINT32_MAX
#define WL_MOST_PER_ENDPOINT 4096u /* processes: as the key processes_per_node allows */

/* A rank of an application has a unit: `block` members, at as many consecutive endpoints of the job, which have the
 * same number at each. Units are numbered by endpoint. With block = 1 units are members. Functions: the number of
 * units; the unit of a member, which may be none; the first member of a unit. */
static inline uint32_t wl_mapping_units(const struct wl_process *p, uint32_t block)
{
	return p->members / p->per_endpoint / block * p->per_endpoint;
}
static inline uint32_t wl_mapping_unit(const struct wl_process *p, uint32_t block, uint32_t member)
{
	return block == 1 ? member : member / p->per_endpoint / block * p->per_endpoint + member % p->per_endpoint;
}
static inline uint32_t wl_mapping_first(const struct wl_process *p, uint32_t block, uint32_t unit)
{
	return block == 1 ? unit : unit / p->per_endpoint * p->per_endpoint * block + unit % p->per_endpoint;
}

/* The maximum number of times that a mapping file names one of `nodes` nodes; at least 1. Problems of the file are not
 * reported. */
uint32_t wl_mapping_most(const char *file, uint32_t nodes);

/* Maps the ranks of an application to units of members, as the process's parameters specify (WL_MAPPING_PARAMS).
 * *member_of: [ranks] the first member of each rank's unit; *rank_of: [units] the rank of a unit, or WL_NO_RANK; the
 * caller frees both. A mapping file contains numbers of nodes, separated by white space or commas; each is the first
 * endpoint of a unit, and # begins a comment. Errors under "nodes", "mapping", "mapping_file". */
int wl_mapping_make(const struct wl_process *p, uint32_t ranks, uint32_t block, uint32_t **member_of,
                    uint32_t **rank_of, struct base_errors *errors);

/* The result of wl_mapping_make() for ranks of one member each. If both arrays are NULL, rank i is member i. */
struct wl_places {
	uint32_t ranks, *member_of, *rank_of;
};
int wl_places_make(struct wl_places *places, const struct wl_process *p, uint32_t ranks, struct base_errors *errors);
void wl_places_free(struct wl_places *places);

static inline uint32_t wl_places_member(const struct wl_places *places, uint32_t rank)
{
	return places->member_of ? places->member_of[rank] : rank;
}
/* The place at which the network finds a rank of an application: see wl_process_place(). */
static inline uint32_t wl_places_place(const struct wl_places *places, const struct wl_process *p, uint32_t rank)
{
	return wl_process_place(p, wl_places_member(places, rank));
}
/* The rank of a member, or WL_NO_RANK; any member number is permitted. */
static inline uint32_t wl_places_rank(const struct wl_places *places, const struct wl_process *p, uint32_t member)
{
	if (places->rank_of)
		return member < p->members ? places->rank_of[member] : WL_NO_RANK;
	return member < places->ranks ? member : WL_NO_RANK;
}

#endif
