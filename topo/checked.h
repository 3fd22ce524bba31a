/* topo/checked.h - checks of topologies that come from shared objects. Inside topo/ only. */
#ifndef TOPO_CHECKED_H
#define TOPO_CHECKED_H

#include "topo/topo.h"

/* Does the topology define all required functions? */
int topo_check_ops(const struct base_plugin *plugin, struct base_errors *errors);
/* Restores the fields that build() must not change, whether or not it has failed. */
void topo_check_kept(struct topo *topo, const struct base_plugin *plugin);
/* Checks a topology that was just built, and every later answer of its functions. Cost: bounded, see checked.c. Returns
 * -1 with an error that names the function, its arguments and its answer. */
int topo_check(struct topo *topo, struct base_errors *errors);

/* Replaces topo->ops, which was `ops`, by wrappers that check every answer. wrapped.c */
void topo_wrap(struct topo *topo, const struct topo_ops *ops);
#define TOPO_MOST_DIMENSIONS 64

/* Is the answer of facts() possible, and consistent with the topology built? built: the struct passed to facts().
 * O(1). */
void topo_check_facts(const struct topo *topo, const struct topo_facts *built, const struct topo_facts *facts);
/* Calls facts() of the topology again and checks that it returns the same values as the first time. */
void topo_check_same_facts(const struct topo *topo, const struct topo_facts *first, const struct topo_facts *facts);
/* Checks the values of facts() against those found by a search of the graph. */
void topo_check_facts_whole(const struct topo *topo);

/* Names of link classes are keys of configurations and results, beside links.default and links.terminal. Why a name is
 * refused, as the end of "which ..."; NULL: accepted. */
const char *topo_class_name_refused(const char *name);

/* Pseudo-random numbers for samples; they are the same in every run. */
static inline uint32_t topo_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33);
}

#endif
