/* topo/bill.h - what is to be bought: switches by radix and speed, cables by medium, length and speed, those of
 * endpoints apart. No price is needed for it. */
#ifndef TOPO_BILL_H
#define TOPO_BILL_H

#include "topo/layout.h"

#define TOPO_TERMINAL (-1) /* link class of the cables to endpoints */

struct topo_bill_cables {
	int link_class;
	enum topo_medium medium;
	uint32_t mm;
	uint64_t rate; /* bit/s, each way */
	uint64_t n;
};

/* Switches that use as many ports. */
struct topo_bill_switches {
	uint32_t network, terminals; /* ports to switches, to endpoints */
	uint64_t rate;               /* bit/s of the fastest port that is used */
	uint64_t n;
};

struct topo_bill {
	uint32_t switches, endpoints;
	uint32_t own; /* switches that are part of endpoints (topo->own): they are not counted, nor are the cables of
	                 their boards and to their endpoints */
	uint32_t racks, columns, rows, most; /* as in struct topo_layout */
	uint32_t radix;                      /* ports that the switch uses which uses the most */
	uint64_t ports;                      /* that are used, of all switches together */
	uint64_t cables[TOPO_MEDIA];         /* between switches */
	double metres[TOPO_MEDIA];
	struct topo_bill_cables *cable; /* by class (the endpoints' last) and length; owned */
	size_t ncable;
	struct topo_bill_switches *sw; /* in order of the first; owned */
	size_t nsw;
};

/* rate[k]: of the links of class k, in bit/s. Cost: O(cables). */
void topo_bill_make(struct topo_bill *bill, const struct topo *topo, const struct topo_layout *layout,
                    const uint64_t *rate, uint64_t terminal_rate);
/* Adds up cables[] and metres[] anew, after a change of media. */
void topo_bill_sum(struct topo_bill *bill);
void topo_bill_free(struct topo_bill *bill);
/* Of all cables, those to endpoints among them, but for endpoints with switches of their own. */
uint64_t topo_bill_all_cables(const struct topo_bill *bill);

/* Watts of a port by published figures for its rate; negative: there is none. *source says what. */
double topo_port_watts(uint64_t rate, const char **source);
/* The same for all ports, if every switch had `radix` ports of its speed, or 0: as many as it uses. Negative: not known
 * for each rate; *source is NULL where rates differ. */
double topo_bill_watts(const struct topo_bill *bill, uint32_t radix, const char **source);

#endif
