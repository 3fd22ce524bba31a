/* experiments/costing/links.h - link settings common to all networks of a study.
 *
 * The base configuration of a study may name any link class that one of its networks has. Keys of classes that a
 * network lacks, and keys without effect on it, are ignored for that network; a key without effect on all networks is
 * an error. */
#ifndef EXPERIMENTS_COSTING_LINKS_H
#define EXPERIMENTS_COSTING_LINKS_H

#include "experiments/costing/costing.h"

/* A network of the study. */
struct xp_links_net {
	const struct xp_costing *costing; /* read with XP_LINKS_OF_STUDY; NULL: it is not built */
	const struct base_plugin *kind;   /* of its topology; NULL: not known */
};

/* Adds errors for classes that no network has, and for keys of links without effect on any network that could be built.
 * *differ: some network cannot use the links unchanged, but needs those of xp_links_text(). */
int xp_links_judge(const struct net_config *base, const struct xp_links_net *net, size_t n, bool *differ,
                   struct base_errors *errors);
/* The links of a network that is built, without keys that have no effect on it, as one assignment "links={ ... }".
 * Owned by the caller. */
char *xp_links_text(const struct xp_costing *costing);

#endif
