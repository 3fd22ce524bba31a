/* topo/bill.h - bill of materials of a network: numbers of switches by radix and speed, and of cables by medium, length
 * and speed, with cables to endpoints listed separately. It needs no prices. */
#ifndef TOPO_BILL_H
#define TOPO_BILL_H

#include "topo/layout.h"

#define TOPO_TERMINAL (-1) /* link class of the cables to endpoints */

struct topo_bill_cables {
	int link_class;
	enum topo_medium medium;
	uint32_t mm;
	uint64_t rate; /* bit/s per direction */
	uint64_t n;
};

/* A group of switches with equal numbers of used ports. */
struct topo_bill_switches {
	uint32_t network, terminals; /* ports to switches, to endpoints */
	uint64_t rate;               /* bit/s of the fastest used port */
	uint64_t n;
};

struct topo_bill {
	uint32_t switches, endpoints;
	uint32_t own; /* number of switches that are part of endpoints (topo->own); the bill contains neither them nor
	                 the cables on their boards and to their endpoints */
	uint32_t racks, columns, rows, most; /* as in struct topo_layout */
	uint32_t radix;                      /* the largest number of ports used on one switch */
	uint64_t ports;                      /* used ports of all switches together */
	uint64_t cables[TOPO_MEDIA];         /* between switches */
	double metres[TOPO_MEDIA];
	struct topo_bill_cables *cable; /* by class (endpoints' cables last) and length; owned */
	size_t ncable;
	struct topo_bill_switches *sw; /* in order of their first switch; owned */
	size_t nsw;
};

/* Fills *bill; free with topo_bill_free(). rate[k] is the bandwidth of the links of class k, and terminal_rate that of
 * the links of endpoints, in bit/s per direction. Cost: O(cables). */
void topo_bill_make(struct topo_bill *bill, const struct topo *topo, const struct topo_layout *layout,
                    const uint64_t *rate, uint64_t terminal_rate);
/* Recomputes cables[] and metres[] after the medium of entries of cable[] has been changed. */
void topo_bill_sum(struct topo_bill *bill);
void topo_bill_free(struct topo_bill *bill);
/* The number of all cables. Those to endpoints are included, unless switches are part of the endpoints (topo->own). */
uint64_t topo_bill_all_cables(const struct topo_bill *bill);

/* Power of a switch port of this rate (bit/s) in watts, from a publication that *source names; negative if it is not
 * known. */
double topo_port_watts(uint64_t rate, const char **source);
/* Power of all switch ports in watts, if every switch had `radix` ports of the rate of its fastest port; with radix 0,
 * that of the used ports. Negative if it is not known for some rate. *source is NULL if ports have different rates. */
double topo_bill_watts(const struct topo_bill *bill, uint32_t radix, const char **source);

#endif
