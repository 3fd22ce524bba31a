/* routing/bounds/assign.h - the transportation problem: an assignment problem in which a row or column may represent
 * several equal ones.
 *
 * Row i has supply[i], column j takes up to demand[j], and a unit from i to j is worth worth[k] >= 0 for the entry k of
 * row i with column[k] = j. Pairs without an entry are worth nothing and are left unassigned. */
#ifndef ROUTING_BOUNDS_ASSIGN_H
#define ROUTING_BOUNDS_ASSIGN_H

#include <stddef.h>
#include <stdint.h>

struct rt_transport {
	uint32_t rows, columns;
	const uint32_t *supply, *demand;
	const size_t *first; /* [rows + 1] into column and worth */
	const uint32_t *column;
	const double *worth;
};

struct rt_shipment {
	uint32_t row, column, amount;
};

/* Finds an assignment of maximum total worth. Returns that worth; *out (owned by the caller) gets its *n shipments,
 * which use existing entries only. Method: shortest augmenting paths with potentials (Kuhn 1955; Jonker and Volgenant,
 * Computing 38, 1987), row by row. Cost: at most rows * (entries + columns^2) steps, usually much less. */
double rt_transport_solve(const struct rt_transport *t, struct rt_shipment **out, size_t *n);

#endif
