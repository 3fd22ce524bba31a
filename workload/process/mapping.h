/* workload/process/mapping.h - where the ranks of an application sit: which members of a job, or which blocks of so
 * many consecutive ones. */
#ifndef WORKLOAD_PROCESS_MAPPING_H
#define WORKLOAD_PROCESS_MAPPING_H

#include "workload/process/process.h"

enum wl_mapping { WL_MAPPING_LINEAR, WL_MAPPING_RANDOM };

/* What all applications have: their parameters begin with these. */
struct wl_placed {
	struct wl_loop loop;
	char *mapping_file;
	int mapping;
};
#define WL_MAPPING_PARAMS                                                                                            \
	{ "mapping",                                                                                                 \
	  BASE_ENUM,                                                                                                 \
	  offsetof(struct wl_placed, mapping),                                                                       \
	  "linear",                                                                                                  \
	  NULL,                                                                                                      \
	  0,                                                                                                         \
	  0,                                                                                                         \
	  "linear|random",                                                                                           \
	  "which members ranks have: in their order, or any; or as { file = \"map\"; } says, which is mapping_file", \
	  NULL },                                                                                                    \
	{                                                                                                            \
		"mapping_file", BASE_FILE, offsetof(struct wl_placed, mapping_file), "", NULL, 0, 0, NULL,           \
		    "instead of mapping: a file of endpoints, one for each rank", NULL                               \
	}

/* What `mapping` of these needs, for their descriptors: a row, and a table of that row alone. */
bool wl_mapping_has_no_file(const void *params);
#define WL_MAPPING_CONDITION                                                                       \
	{                                                                                          \
		.keys = "mapping", .only = "without mapping_file", .holds = wl_mapping_has_no_file \
	}
extern const struct base_condition wl_mapping_conditions[];

#define WL_NO_RANK UINT32_MAX

/* *member_of: [ranks] the first member of each rank's block; *rank_of: [members / block] the rank of a block, or
 * WL_NO_RANK; both to be freed. As the process's parameters, a struct wl_placed, say. linear: rank i has the i-th
 * block. random: any, drawn from the seed. With a file, instead: endpoints, the i-th number for rank i, divided by
 * white space or commas, # to the end of a line is a comment; each is the first of its block. Errors under "nodes",
 * "mapping_file". */
int wl_mapping_make(const struct wl_process *p, uint32_t ranks, uint32_t block, uint32_t **member_of,
                    uint32_t **rank_of, struct base_errors *errors);

/* The same of ranks of one member each. Both NULL: rank i is member i. */
struct wl_places {
	uint32_t ranks, *member_of, *rank_of;
};
int wl_places_make(struct wl_places *places, const struct wl_process *p, uint32_t ranks, struct base_errors *errors);
void wl_places_free(struct wl_places *places);

static inline uint32_t wl_places_member(const struct wl_places *places, uint32_t rank)
{
	return places->member_of ? places->member_of[rank] : rank;
}
static inline uint32_t wl_places_endpoint(const struct wl_places *places, const struct wl_process *p, uint32_t rank)
{
	return wl_process_endpoint(p, wl_places_member(places, rank));
}
/* The rank of a member, or WL_NO_RANK: it may be any number. */
static inline uint32_t wl_places_rank(const struct wl_places *places, const struct wl_process *p, uint32_t member)
{
	if (places->rank_of)
		return member < p->members ? places->rank_of[member] : WL_NO_RANK;
	return member < places->ranks ? member : WL_NO_RANK;
}

#endif
