/* experiments/costing/sizing.h - finds the best member of a family of topologies for a number of endpoints, a budget or
 * a switch radix. */
#ifndef EXPERIMENTS_COSTING_SIZING_H
#define EXPERIMENTS_COSTING_SIZING_H

#include "experiments/costing/costing.h"
#include "topo/sizing.h"

enum xp_objective {
	XP_SIZE_LARGEST,  /* most endpoints from the switch */
	XP_SIZE_CHEAPEST, /* least money, or ports without prices, for so many endpoints */
	XP_SIZE_BUDGET,   /* most endpoints for the money, or for so much of something else */
};

/* The quantity that a budget limits. Every switch is bought with struct xp_wish.radix ports, unless cost is the
 * criterion. */
enum xp_currency { XP_MONEY, XP_PORTS, XP_WATTS, XP_CABLES };

/* What is asked. */
struct xp_wish {
	enum xp_objective objective;
	uint64_t endpoints; /* at least; 0: any; of XP_SIZE_CHEAPEST with `delivered` that it delivers */
	uint32_t trunk;     /* most parallel cables; 0: any */
	double budget, throughput;
	enum xp_currency currency; /* of the budget */
	bool delivered;            /* an endpoint counts as what it can send under uniform traffic, at most 1 */
	double port_watts;         /* of XP_WATTS */
	uint32_t radix;
	const char *source; /* a configuration whose topology is replaced; NULL: none */
	struct xp_sets sets;
	struct base_registry *registry;
	struct xp_costing base; /* of one switch: the model, rates and layout */
};

/* Why a part of a family, or a member, is not admissible by its bounds, in this order of checks. */
enum xp_cut {
	XP_CUT_RADIX,     /* more ports than a switch has */
	XP_CUT_UNIFORM,   /* uniform traffic below the throughput */
	XP_CUT_ENDPOINTS, /* too few endpoints, or too little that they deliver */
	XP_CUT_BUDGET,    /* over the budget */
	XP_CUT_BETTER,    /* no better than what was found already */
	XP_CUTS
};

/* Result of the search of one family. */
struct xp_sized {
	const struct topo_family *family;
	const char *why;           /* nothing was looked at, because */
	uint64_t members, priced;  /* how many were looked at, and how many of them built to know the price */
	uint64_t cut[XP_CUTS];     /* parts that were left out, by bounds */
	uint64_t refused[XP_CUTS]; /* members that were looked at and were not better, by the reason */
	uint64_t unpriced;         /* members whose price bound is within what was found, when pricing was ended */
	bool found, all;           /* all: no member that might be better was left unpriced */
	struct topo_member best;
	struct xp_costing costing; /* of the best */
	/* Rejected members of the family that would have been better than `best`: the one that falls short of the
	 * required throughput by least; the one that needs the fewest additional ports; and the last one above the
	 * budget. */
	bool has_slow, has_wide, has_dear;
	struct topo_member slow, wide, dear;
	double dear_total; /* or a lower bound of it, if dear_bound */
	bool dear_bound;
	char unsold[300]; /* why a member could not be priced, the first that was tried; "" if none */
};

/* The amount of the budget's quantity (not money) that a member of the family uses. */
double xp_size_amount(const struct xp_wish *wish, const struct topo_member *member);
/* Without prices: is `a` better than `b`? A total order. */
bool xp_size_is_better(const struct xp_wish *wish, const struct topo_member *a, const struct topo_member *b);
/* The fraction of its switches' ports that a member of the family uses, if each switch has the given number of ports.
 */
double xp_size_ports_used(const struct topo_member *member, uint32_t radix);
/* Fraction of the ports that a member uses, in whole per cent, rounded down, so that a value below a limit is printed
 * as such. */
double xp_percent_down(double share);
/* Networks that use a smaller fraction of their switch ports are marked in the output. */
#define XP_PORTS_USED 0.85
/* Formats a throughput below the requested one with as many digits as needed to show the difference. */
const char *xp_size_below(const struct xp_wish *wish, double uniform, char text[32]);
/* Does the cost model have prices for all switches up to that radix, and for all cables? */
int xp_size_check(const struct xp_wish *wish, struct base_errors *errors);
/* Returns -1 with errors about the configuration or the prices. A family without an admissible member is not an error.
 */
int xp_size_family(struct xp_sized *out, const struct topo_family *family, struct xp_wish *wish,
                   struct base_errors *errors);
void xp_sized_free(struct xp_sized *s);

#endif
