/* routing/bounds/assign.c - see assign.h
 *
 * The cost of a unit is its negated worth. Column number `columns` is a dummy with unlimited demand at cost 0.
 * Invariants between rows: the prices of processed rows and of columns satisfy cost - price(row) - price(column) >= 0,
 * with equality for assigned pairs, and columns with remaining demand have price 0. */
#include "routing/bounds/assign.h"

#include "base/check.h"
#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define NO_ROW UINT32_MAX

struct assigned_share { /* the part of a column assigned to a row */
	uint32_t row, amount;
};

struct held_amount {
	struct assigned_share *v;
	uint32_t n, cap;
};

struct solver {
	const struct rt_transport *t;
	uint32_t columns; /* including the dummy */
	double *price;    /* of columns; <= 0 */
	double *row_price;
	uint32_t *remaining;
	struct held_amount *held; /* by column */
	/* state of one search: */
	double *distance;
	double *row_distance;
	uint32_t *by_row;      /* [columns]: predecessor row on the shortest path to the column */
	uint32_t *through;     /* [rows]: the column from which that row was reached, or `columns` for the new row */
	bool *done, *seen;     /* columns scanned, rows scanned */
	uint32_t *open, opens; /* columns with a finite distance that are not scanned yet */
	uint32_t *closed, closes, *rows, nrows;
};

static double reduced(const struct solver *s, uint32_t row, uint32_t column, double worth)
{
	double cost = -worth - s->row_price[row] - s->price[column];
	return cost > 0 ? cost : 0; /* negative only by rounding */
}

static void offer(struct solver *s, uint32_t column, uint32_t row, double distance)
{
	if (s->done[column] || distance >= s->distance[column])
		return;
	if (isinf(s->distance[column]))
		s->open[s->opens++] = column;
	s->distance[column] = distance;
	s->by_row[column] = row;
}

static void scan_row(struct solver *s, uint32_t row, uint32_t through, double distance)
{
	const struct rt_transport *t = s->t;
	s->seen[row] = true;
	s->through[row] = through;
	s->row_distance[row] = distance;
	s->rows[s->nrows++] = row;
	for (size_t k = t->first[row]; k < t->first[row + 1]; k++)
		if (t->worth[k] > 0)
			offer(s, t->column[k], row, distance + reduced(s, row, t->column[k], t->worth[k]));
	offer(s, t->columns, row, distance + reduced(s, row, t->columns, 0));
}

/* The open column at the least distance; among several, one with remaining demand. */
static uint32_t nearest(struct solver *s)
{
	uint32_t best = 0;
	base_check(s->opens > 0);
	for (uint32_t k = 1; k < s->opens; k++) {
		uint32_t a = s->open[k], b = s->open[best];
		if (s->distance[a] < s->distance[b] ||
		    (s->distance[a] <= s->distance[b] && s->remaining[a] > 0 && s->remaining[b] == 0))
			best = k;
	}
	uint32_t column = s->open[best];
	s->open[best] = s->open[--s->opens];
	s->done[column] = true;
	s->closed[s->closes++] = column;
	return column;
}

static uint32_t amount_held(const struct solver *s, uint32_t column, uint32_t row)
{
	for (uint32_t k = 0; k < s->held[column].n; k++)
		if (s->held[column].v[k].row == row)
			return s->held[column].v[k].amount;
	return 0;
}

static void give_amount(struct solver *s, uint32_t column, uint32_t row, uint32_t amount)
{
	struct held_amount *h = &s->held[column];
	for (uint32_t k = 0; k < h->n; k++)
		if (h->v[k].row == row) {
			h->v[k].amount += amount;
			return;
		}
	if (h->n == h->cap) {
		h->cap = h->cap ? 2 * h->cap : 2;
		h->v = base_realloc(h->v, h->cap * sizeof *h->v);
	}
	h->v[h->n++] = (struct assigned_share){ row, amount };
}

static void take_amount(struct solver *s, uint32_t column, uint32_t row, uint32_t amount)
{
	struct held_amount *h = &s->held[column];
	for (uint32_t k = 0; k < h->n; k++)
		if (h->v[k].row == row) {
			h->v[k].amount -= amount;
			if (h->v[k].amount == 0)
				h->v[k] = h->v[--h->n];
			return;
		}
	base_check(false);
}

static void clean(struct solver *s)
{
	for (uint32_t k = 0; k < s->opens; k++)
		s->distance[s->open[k]] = INFINITY;
	for (uint32_t k = 0; k < s->closes; k++) {
		s->distance[s->closed[k]] = INFINITY;
		s->done[s->closed[k]] = false;
	}
	for (uint32_t k = 0; k < s->nrows; k++)
		s->seen[s->rows[k]] = false;
	s->opens = s->closes = s->nrows = 0;
}

/* Assigns as much of `left` as the path to `end` allows. */
static uint32_t augment(struct solver *s, uint32_t start, uint32_t end, uint32_t left)
{
	uint32_t amount = left < s->remaining[end] ? left : s->remaining[end];
	for (uint32_t c = end, r = s->by_row[c]; r != start; r = s->by_row[c]) {
		c = s->through[r];
		uint32_t here = amount_held(s, c, r);
		amount = here < amount ? here : amount;
	}
	for (uint32_t c = end;;) {
		uint32_t r = s->by_row[c];
		if (c < s->t->columns)
			give_amount(s, c, r, amount);
		if (r == start)
			break;
		c = s->through[r];
		take_amount(s, c, r, amount);
	}
	s->remaining[end] -= end < s->t->columns ? amount : 0;
	return amount;
}

static void assign_row(struct solver *s, uint32_t row)
{
	double best = 0; /* that of the dummy */
	for (size_t k = s->t->first[row]; k < s->t->first[row + 1]; k++)
		best = fmin(best, -s->t->worth[k] - s->price[s->t->column[k]]);
	s->row_price[row] = best;
	for (uint32_t left = s->t->supply[row]; left > 0;) {
		uint32_t end;
		scan_row(s, row, s->columns, 0);
		for (end = nearest(s); s->remaining[end] == 0; end = nearest(s))
			for (uint32_t k = 0; k < s->held[end].n; k++)
				if (!s->seen[s->held[end].v[k].row])
					scan_row(s, s->held[end].v[k].row, end, s->distance[end]);
		double far = s->distance[end];
		for (uint32_t k = 0; k < s->closes; k++)
			s->price[s->closed[k]] -= far - s->distance[s->closed[k]];
		for (uint32_t k = 0; k < s->nrows; k++)
			s->row_price[s->rows[k]] += far - s->row_distance[s->rows[k]];
		left -= augment(s, row, end, left);
		clean(s);
	}
}

static double collect_shipments(const struct solver *s, struct rt_shipment **out, size_t *n)
{
	const struct rt_transport *t = s->t;
	double total = 0;
	size_t most = 0;
	for (uint32_t c = 0; c < t->columns; c++)
		most += s->held[c].n;
	*out = base_calloc(most + 1, sizeof **out);
	*n = 0;
	double *worth = base_calloc(t->columns, sizeof *worth);
	uint32_t *of = base_calloc((size_t)t->rows + 1, sizeof *of); /* shipments sorted by row */
	for (uint32_t c = 0; c < t->columns; c++)
		for (uint32_t k = 0; k < s->held[c].n; k++)
			of[s->held[c].v[k].row + 1]++;
	for (uint32_t r = 0; r < t->rows; r++)
		of[r + 1] += of[r];
	for (uint32_t c = 0; c < t->columns; c++)
		for (uint32_t k = 0; k < s->held[c].n; k++) {
			struct assigned_share h = s->held[c].v[k];
			(*out)[of[h.row]++] = (struct rt_shipment){ h.row, c, h.amount };
			++*n;
		}
	for (size_t i = 0, row = NO_ROW; i < *n; i++) {
		const struct rt_shipment *x = &(*out)[i];
		if (x->row != row) {
			row = x->row;
			for (size_t k = t->first[row]; k < t->first[row + 1]; k++)
				worth[t->column[k]] = t->worth[k];
		}
		total += worth[x->column] * x->amount;
	}
	free(worth);
	free(of);
	return total;
}

double rt_transport_solve(const struct rt_transport *t, struct rt_shipment **out, size_t *n)
{
	struct solver s = { .t = t, .columns = t->columns + 1 };
	s.price = base_calloc(s.columns, sizeof *s.price);
	s.row_price = base_calloc(t->rows, sizeof *s.row_price);
	s.remaining = base_calloc(s.columns, sizeof *s.remaining);
	s.held = base_calloc(s.columns, sizeof *s.held);
	s.distance = base_calloc(s.columns, sizeof *s.distance);
	s.row_distance = base_calloc(t->rows, sizeof *s.row_distance);
	s.by_row = base_calloc(s.columns, sizeof *s.by_row);
	s.through = base_calloc(t->rows, sizeof *s.through);
	s.done = base_calloc(s.columns, sizeof *s.done);
	s.seen = base_calloc(t->rows, sizeof *s.seen);
	s.open = base_calloc(s.columns, sizeof *s.open);
	s.closed = base_calloc(s.columns, sizeof *s.closed);
	s.rows = base_calloc(t->rows, sizeof *s.rows);
	for (uint32_t c = 0; c < s.columns; c++) {
		s.remaining[c] = c < t->columns ? t->demand[c] : UINT32_MAX;
		s.distance[c] = INFINITY;
	}
	for (uint32_t r = 0; r < t->rows; r++)
		assign_row(&s, r);
	double total = collect_shipments(&s, out, n);
	for (uint32_t c = 0; c < s.columns; c++)
		free(s.held[c].v);
	free(s.price);
	free(s.row_price);
	free(s.remaining);
	free(s.held);
	free(s.distance);
	free(s.row_distance);
	free(s.by_row);
	free(s.through);
	free(s.done);
	free(s.seen);
	free(s.open);
	free(s.closed);
	free(s.rows);
	return total;
}
