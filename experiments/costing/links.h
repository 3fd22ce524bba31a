/* experiments/costing/links.h - the links that the networks of a study have in common.
 *
 * What the study starts from may name any class of links that one of its networks has. A network without the class does
 * without those keys, and without what has no effect on it; a key that does nothing for any network is an error. */
#ifndef EXPERIMENTS_COSTING_LINKS_H
#define EXPERIMENTS_COSTING_LINKS_H

#include "experiments/costing/costing.h"

/* A network of the study. */
struct xp_links_net {
	const struct xp_costing *costing; /* read with XP_LINKS_OF_STUDY; NULL: it is not built */
	const struct base_plugin *kind;   /* of its topology; NULL: not known */
};

/* Refuses classes that no network has, and keys of links that have no effect on any that is built. *differ: some
 * network cannot be run with the links as they are, but with those that xp_links_text() says. */
int xp_links_judge(const struct net_config *base, const struct xp_links_net *net, size_t n, bool *differ,
                   struct base_errors *errors);
/* The links of a network that is built, without what has no effect on it, as one assignment: "links={ ... }". The
 * caller's. */
char *xp_links_text(const struct xp_costing *costing);

#endif
