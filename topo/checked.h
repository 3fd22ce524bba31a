/* topo/checked.h - checks of topologies that come from shared objects. Used inside topo/ only. */
#ifndef TOPO_CHECKED_H
#define TOPO_CHECKED_H

#include "topo/topo.h"

/* Does the topology define all required functions? */
int topo_check_ops(const struct base_plugin *plugin, struct base_errors *errors);
/* Called after build(), even if it has failed: restores the fields of *topo that build() must not change. */
void topo_check_kept(struct topo *topo, const struct base_plugin *plugin);
/* Checks a topology that was just built, and every later answer of its functions. Cost: bounded, see checked.c. Returns
 * -1 with an error that names the function, its arguments and its answer. */
int topo_check(struct topo *topo, struct base_errors *errors);

/* Sets topo->ops to wrappers that call the functions of `ops` and check every value that these return. wrapped.c */
void topo_wrap(struct topo *topo, const struct topo_ops *ops);
#define TOPO_MOST_DIMENSIONS 64

/* Checks that the values that facts() has returned are possible and consistent with the topology. `built` is the struct
 * as it was passed to facts(). Errors are reported by base_refute(). O(1). */
void topo_check_facts(const struct topo *topo, const struct topo_facts *built, const struct topo_facts *facts);
/* Calls facts() of the topology again and checks that it returns the same values as the first time. */
void topo_check_same_facts(const struct topo *topo, const struct topo_facts *first, const struct topo_facts *facts);
/* Checks the values of facts() against those found by a search of the graph. */
void topo_check_facts_whole(const struct topo *topo);

/* Names of link classes become keys of configurations and results, next to links.default and links.terminal. Returns
 * NULL if the name is permitted, otherwise the reason, as the rest of a clause that begins with "which". */
const char *topo_class_name_refused(const char *name);

/* Pseudo-random numbers for samples; they are the same in every run. */
static inline uint32_t topo_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33);
}

#endif
