/* topo/checked.h - checks of topologies that come from shared objects. Inside topo/ only. */
#ifndef TOPO_CHECKED_H
#define TOPO_CHECKED_H

#include "topo/topo.h"

/* Are all required functions there? */
int topo_check_ops(const struct base_plugin *plugin, struct base_errors *errors);
/* What build() was given must still be there, whether or not it has failed: puts it back. */
void topo_check_kept(struct topo *topo, const struct base_plugin *plugin);
/* Checks a topology that was just built, and every answer that its functions give from now on. Cost: bounded, see
 * checked.c. Returns -1 with an error that tells function, arguments and answer. */
int topo_check(struct topo *topo, struct base_errors *errors);

/* Does what facts() says agree with what was built, and can it be? built: as it was given to facts(). O(1). */
void topo_check_facts(const struct topo *topo, const struct topo_facts *built, const struct topo_facts *facts);
/* Does facts() say what it said before? */
void topo_check_same_facts(const struct topo *topo, const struct topo_facts *first, const struct topo_facts *facts);
/* Against the graph itself, which is searched. */
void topo_check_facts_whole(const struct topo *topo);

/* Names of link classes are keys of configurations and results, beside links.default and links.terminal. Why none may
 * be called so, as the end of "which ..."; NULL: it may. */
const char *topo_class_name_refused(const char *name);

/* For samples: the same in every run. */
static inline uint32_t topo_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33);
}

#endif
