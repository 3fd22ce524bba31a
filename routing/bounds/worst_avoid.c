/* routing/bounds/worst_avoid.c - for routing by a random intermediate switch: finds a permutation without the pairs
 * that put less load on a channel than the upper bound assumes (pairs with a loss, worst_channel.c). */
#include "routing/bounds/worst.h"

#include "base/memory.h"

#include <stdlib.h>

struct avoid {
	const struct rt_flows *f;
	size_t *first;     /* [switches + 1] */
	topo_switch *pair; /* destinations with which a source has a loss, ascending */
	uint32_t *left;    /* [switches]: endpoints not assigned yet */
	uint32_t *next;    /* [switches + 1]: the next switch with unassigned endpoints */
	struct rt_shipment *v;
	size_t n, cap;
};

static bool loses(const struct avoid *a, topo_switch s, topo_switch d)
{
	size_t lo = a->first[s], hi = a->first[s + 1];
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (a->pair[mid] < d)
			lo = mid + 1;
		else
			hi = mid;
	}
	return s == d || (lo < a->first[s + 1] && a->pair[lo] == d);
}

static uint32_t next_left(struct avoid *a, uint32_t s)
{
	while (a->next[s] != s && a->next[a->next[s]] != a->next[s])
		a->next[s] = a->next[a->next[s]];
	return s < a->f->graph.n ? a->next[s] : s;
}

static void ship(struct avoid *a, topo_switch s, topo_switch d, uint32_t amount)
{
	if (a->n == a->cap) {
		a->cap = a->cap ? 2 * a->cap : 1024;
		a->v = base_realloc(a->v, a->cap * sizeof *a->v);
	}
	a->v[a->n++] = (struct rt_shipment){ s, d, amount };
	a->left[d] -= amount;
	if (a->left[d] == 0)
		a->next[d] = d + 1;
}

/* Assigns `s` to the destination of an earlier source that can take `d` instead. */
static uint32_t exchange(struct avoid *a, topo_switch s, topo_switch d, uint32_t amount)
{
	for (size_t i = 0; i < a->n; i++) {
		struct rt_shipment other = a->v[i];
		if (loses(a, s, other.column) || loses(a, other.row, d))
			continue;
		uint32_t moved = amount < other.amount ? amount : other.amount;
		moved = moved < a->left[d] ? moved : a->left[d];
		if (moved == other.amount)
			a->v[i].row = s;
		else
			a->v[i].amount -= moved;
		ship(a, other.row, d, moved);
		if (moved < other.amount) {
			a->left[other.column] += moved;
			ship(a, s, other.column, moved);
		}
		return moved;
	}
	return 0;
}

static bool ship_from(struct avoid *a, topo_switch s)
{
	uint32_t n = a->f->graph.n, supply = topo_endpoints_at(a->f->topo, s);
	for (uint32_t step = 0, d = next_left(a, (s + n / 2) % n); supply && step < 2; d = next_left(a, d + 1)) {
		if (d >= n) {
			step++;
			d = next_left(a, 0);
			if (d >= n)
				break;
		}
		if (loses(a, s, d))
			continue;
		uint32_t amount = supply < a->left[d] ? supply : a->left[d];
		ship(a, s, d, amount);
		supply -= amount;
	}
	while (supply) {
		topo_switch d = next_left(a, 0);
		uint32_t moved = d < n ? exchange(a, s, d, supply) : 0;
		if (!moved)
			return false;
		supply -= moved;
	}
	return true;
}

static int by_losses(const void *x, const void *y)
{
	const size_t *a = x, *b = y;
	return a[1] != b[1] ? (a[1] > b[1] ? -1 : 1) : a[0] < b[0] ? -1 : a[0] > b[0];
}

static void list_losses(struct avoid *a, const struct rt_channel *c)
{
	uint32_t n = a->f->graph.n;
	a->first = base_calloc((size_t)n + 2, sizeof *a->first);
	a->pair = base_calloc(c->legs.n + 1, sizeof *a->pair);
	for (size_t i = 0; i < c->legs.n; i++)
		a->first[c->legs.v[i].s + 2]++;
	for (uint32_t s = 0; s < n; s++)
		a->first[s + 2] += a->first[s + 1];
	for (size_t i = 0; i < c->legs.n; i++) /* sorted by d */
		a->pair[a->first[c->legs.v[i].s + 1]++] = c->legs.v[i].d;
}

bool rt_avoid_losses(const struct rt_flows *f, const struct rt_channel *c, struct rt_shipment **out, size_t *count)
{
	uint32_t n = f->graph.n;
	struct avoid a = { .f = f };
	list_losses(&a, c);
	a.left = base_calloc((size_t)n + 1, sizeof *a.left);
	a.next = base_calloc((size_t)n + 2, sizeof *a.next);
	size_t *order = base_calloc(2 * (size_t)n, sizeof *order);
	for (topo_switch s = 0; s <= n; s++) {
		a.left[s] = s < n ? topo_endpoints_at(f->topo, s) : 0;
		a.next[s] = s < n && !a.left[s] ? s + 1 : s;
		if (s < n) {
			order[2 * s] = s;
			order[2 * s + 1] = a.first[s + 1] - a.first[s];
		}
	}
	a.next[n + 1] = n + 1;
	qsort(order, n, 2 * sizeof *order, by_losses);
	bool found = true;
	for (uint32_t k = 0; k < n && found; k++)
		found = ship_from(&a, (topo_switch)order[2 * k]);
	*out = a.v;
	*count = a.n;
	if (!found) {
		free(a.v);
		*out = NULL;
	}
	free(order);
	free(a.first);
	free(a.pair);
	free(a.left);
	free(a.next);
	return found;
}
