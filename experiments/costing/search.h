/* experiments/costing/search.h - state of the search of one family; private to sizing.c, price.c and reject.c. */
#ifndef EXPERIMENTS_COSTING_SEARCH_H
#define EXPERIMENTS_COSTING_SEARCH_H

#include "experiments/costing/sizing.h"

struct xp_sized_candidate {
	struct topo_member member;
	double bound; /* of the price */
	double value; /* what is wanted most of, for a budget */
};

/* Lower bounds of prices. */
struct xp_price_bounds {
	double cable;
	double *sw; /* [narrow (most + 1) + wide]: price of a switch of a network whose smallest and largest switches
	               have these numbers of ports; negative: not available */
	bool *asked;
	double *from; /* [narrow]: of any switch with at least so many; INFINITY: none is sold */
	size_t most;
};

struct xp_search {
	struct xp_wish *wish;
	struct xp_sized *out;
	bool by_money;                   /* the price decides */
	struct xp_sized_candidate *kept; /* families that are searched for: all members, of one enumeration */
	size_t nkept, kept_cap;
	struct xp_sized_candidate *v; /* by_money: those whose bound may be better than what was found */
	size_t n, cap, full;          /* full: so many are thinned out by prices */
	double limit;                 /* of the price: the least that was found, or the budget */
	double ratio;                 /* of the last price to its bound */
	uint64_t work;                /* cables and endpoints that were laid out */
	struct xp_price_bounds bounds;
};

/* The size of a network: its endpoints, or their aggregate throughput in units of one endpoint's injection bandwidth.
 * sizing.c */
double xp_size_value(const struct xp_wish *w, const struct topo_member *m);
/* Do the bounds show that no member of the part can be better than `best`? */
bool xp_size_cannot_beat(const struct xp_search *s, const struct topo_box *b, const struct topo_member *best);
/* Is the member within the budget, according to closed forms or bounds of prices? */
bool xp_size_is_affordable(struct xp_search *s, const struct topo_member *m);
bool xp_size_box_is_affordable(const struct xp_search *s, const struct topo_box *b);
/* The members of the family, or those of it that were kept. */
const char *xp_size_each(struct xp_search *s, const struct topo_sizing *sizing);

/* price.c: lower bounds. */
void xp_price_bounds_make(struct xp_price_bounds *b, const struct xp_wish *w, size_t most);
void xp_price_bounds_free(struct xp_price_bounds *b);
/* The price of a switch with these numbers of ports; negative: it has no price. */
double xp_price_bound(const struct xp_wish *w, struct xp_price_bounds *b, const struct topo_member *m);
double xp_price_bound_of_box(const struct xp_price_bounds *b, const struct topo_box *box);
/* The minimum cost of a switch with `radix` ports; negative: it has no price. */
double xp_price_of_switch(const struct xp_wish *w, uint32_t radix);
double xp_price_of_cable(const struct xp_wish *w);
/* Adds a member to the candidates. If there are many, some are priced, and those that cannot be better are removed. */
void xp_price_add(struct xp_search *s, const struct topo_member *m, double bound);
/* Prices candidates until no remaining one can be better, or the effort exceeds its limit. */
void xp_price_all(struct xp_search *s);
/* Builds and prices a member. */
int xp_price_make(const struct xp_wish *w, const struct topo_member *m, struct xp_costing *out,
                  struct base_errors *errors);

/* Records members that would have been better but are rejected because of throughput or ports. reject.c */
void xp_size_reject(struct xp_search *s);

#endif
