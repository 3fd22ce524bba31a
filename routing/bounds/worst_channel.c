/* routing/bounds/worst_channel.c - the worst permutation for one channel, as a transportation problem between switches.
 *
 * The worth of a pair of switches is its load on the channel. With one leg it is the fraction of the pair's flow on the
 * channel, and few pairs have any. With a random intermediate switch, source and destination each contribute the loads
 * of their legs to and from all intermediates, and the pair's worth is less by the loads of the two switches that are
 * not intermediates, which is twice the load of the leg from source to destination: the pair's loss. If a permutation
 * avoids all pairs with a loss (worst_avoid.c), it is the worst; otherwise the problem is dense. With intermediates by
 * group it is always dense. A dense problem is first reduced by a constant per row and column, which changes all full
 * assignments by the same amount. */
#include "routing/bounds/worst.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DENSE 4096u /* switches */

struct channel_sums {
	double *out, *in; /* by switch: loads of legs from it, to it */
	double *inside;   /* by switch: largest leg within its group */
};

static double of_via(const struct rt_flows *f)
{
	return 1.0 / (f->vias - 2.0);
}

static uint32_t group_of_switch(const struct rt_flows *f, topo_switch s)
{
	return topo_group(f->topo, s);
}

static double members(const struct rt_flows *f, topo_switch s)
{
	return f->members ? f->members[group_of_switch(f, s)] : 1;
}

/* Load of a switch's flows on the channel by their legs to all intermediates, and from all. */
static void add_up(const struct rt_flows *f, const struct rt_channel *c, struct channel_sums *x)
{
	bool by_group = f->spread == RT_SPREAD_BY_GROUP;
	double *most =
	    base_calloc(f->topo->groups, sizeof *most); /* BY_GROUP: for one destination, by group of entry */
	for (size_t i = 0; i < c->legs.n; i++) {
		struct rt_pair p = c->legs.v[i];
		if (!rt_goes_by_via(f, p.s, p.d)) {
			x->inside[p.s] = fmax(x->inside[p.s], p.share);
			continue;
		}
		if (!by_group) {
			x->out[p.s] += p.share * of_via(f) / members(f, p.d);
			x->in[p.d] += p.share * of_via(f) / members(f, p.s);
			continue;
		}
		uint32_t g = group_of_switch(f, p.s);
		if (i == 0 || c->legs.v[i - 1].d != p.d)
			memset(most, 0, f->topo->groups * sizeof *most);
		x->in[p.d] += fmax(0, p.share - most[g]) * of_via(f);
		most[g] = fmax(most[g], p.share);
	}
	for (size_t i = 0; i < c->first.n; i++) {
		struct rt_pair p = c->first.v[i];
		x->out[p.s] += p.share * of_via(f) / members(f, p.d);
	}
	free(most);
}

static struct channel_sums new_sums(uint32_t n)
{
	return (struct channel_sums){ base_calloc(n, sizeof(double)), base_calloc(n, sizeof(double)),
		                      base_calloc(n, sizeof(double)) };
}

static void free_sums(struct channel_sums *x)
{
	free(x->out);
	free(x->in);
	free(x->inside);
}

struct busy {
	topo_switch s;
	uint32_t n; /* number of destinations */
	double most;
};

static int by_busyness(const void *a, const void *b)
{
	const struct busy *x = a, *y = b;
	return x->n != y->n ? (x->n > y->n ? -1 : 1) : x->s < y->s ? -1 : x->s > y->s;
}

/* An upper bound for routing with one leg, by duality: each of the `covered` most active sources has a price that
 * covers all its loads, and each destination has a price that covers the loads of all other sources there. The bound is
 * the sum of the prices over all endpoints. */
static double cover(const struct rt_flows *f, const struct rt_channel *c, const struct busy *busy, uint32_t covered,
                    const uint32_t *place)
{
	double total = 0, most = 0;
	for (uint32_t k = 0; k < covered; k++)
		total += topo_endpoints_at(f->topo, busy[k].s) * busy[k].most;
	for (size_t i = 0; i < c->legs.n; i++) { /* sorted by destination */
		struct rt_pair p = c->legs.v[i];
		if (place[p.s] > covered)
			most = fmax(most, p.share);
		if (i + 1 == c->legs.n || c->legs.v[i + 1].d != p.d) {
			total += topo_endpoints_at(f->topo, p.d) * most;
			most = 0;
		}
	}
	return total;
}

static double least_cover(const struct rt_flows *f, const struct rt_channel *c)
{
	uint32_t n = 0, *place = base_calloc(f->graph.n, sizeof *place); /* 1 + index in `busy` */
	struct busy *busy = base_calloc(f->graph.n, sizeof *busy);
	for (size_t i = 0; i < c->legs.n; i++) {
		struct rt_pair p = c->legs.v[i];
		if (!place[p.s]) {
			place[p.s] = ++n;
			busy[n - 1].s = p.s;
		}
		busy[place[p.s] - 1].n++;
		busy[place[p.s] - 1].most = fmax(busy[place[p.s] - 1].most, p.share);
	}
	qsort(busy, n, sizeof *busy, by_busyness);
	for (uint32_t k = 0; k < n; k++)
		place[busy[k].s] = k + 1;
	double least = cover(f, c, busy, 0, place);
	for (uint32_t k = 1; k < n; k *= 2)
		least = fmin(least, cover(f, c, busy, k, place));
	least = fmin(least, cover(f, c, busy, n, place));
	free(place);
	free(busy);
	return least;
}

double rt_upper_of_channel(const struct rt_flows *f, const struct rt_channel *c)
{
	if (f->spread == RT_SPREAD_MINIMAL)
		return least_cover(f, c);
	struct channel_sums x = new_sums(f->graph.n);
	double total = 0;
	add_up(f, c, &x);
	for (topo_switch s = 0; s < f->graph.n; s++)
		total += topo_endpoints_at(f->topo, s) * (x.out[s] + x.inside[s] + x.in[s]);
	free_sums(&x);
	return total;
}

/* --- sparse problems ------------------------------------------------------------------------------------- */

/* Numbers the switches that occur; fills in their endpoints. */
static uint32_t number_switches(const struct rt_flows *f, const struct rt_channel *c, bool destinations,
                                uint32_t *number_of, topo_switch *which, uint32_t *endpoints)
{
	uint32_t n = 0;
	for (size_t i = 0; i < c->legs.n; i++) {
		topo_switch s = destinations ? c->legs.v[i].d : c->legs.v[i].s;
		if (number_of[s])
			continue;
		which[n] = s;
		endpoints[n] = topo_endpoints_at(f->topo, s);
		number_of[s] = ++n;
	}
	return n;
}

static double solve_few(const struct rt_flows *f, const struct rt_channel *c, struct rt_shipment **out, size_t *n)
{
	uint32_t all = f->graph.n;
	uint32_t *row_of = base_calloc(all, sizeof *row_of), *column_of = base_calloc(all, sizeof *column_of);
	topo_switch *row = base_calloc(all, sizeof *row), *column = base_calloc(all, sizeof *column);
	uint32_t *supply = base_calloc(all, sizeof *supply), *demand = base_calloc(all, sizeof *demand);
	struct rt_transport t = { .supply = supply, .demand = demand };
	t.rows = number_switches(f, c, false, row_of, row, supply);
	t.columns = number_switches(f, c, true, column_of, column, demand);
	size_t *first = base_calloc((size_t)t.rows + 2, sizeof *first);
	uint32_t *to = base_calloc(c->legs.n + 1, sizeof *to);
	double *worth = base_calloc(c->legs.n + 1, sizeof *worth);
	for (size_t i = 0; i < c->legs.n; i++)
		first[row_of[c->legs.v[i].s] + 1]++; /* row r is numbered r + 1 */
	for (uint32_t r = 0; r < t.rows; r++)
		first[r + 2] += first[r + 1];
	for (size_t i = 0; i < c->legs.n; i++) {
		size_t k = first[row_of[c->legs.v[i].s]]++;
		to[k] = column_of[c->legs.v[i].d] - 1;
		worth[k] = c->legs.v[i].share;
	}
	t.first = first;
	t.column = to;
	t.worth = worth;
	double total = rt_transport_solve(&t, out, n);
	for (size_t i = 0; i < *n; i++) {
		(*out)[i].row = row[(*out)[i].row];
		(*out)[i].column = column[(*out)[i].column];
	}
	free(row_of);
	free(column_of);
	free(row);
	free(column);
	free(supply);
	free(demand);
	free(first);
	free(to);
	free(worth);
	return total;
}

/* --- dense problems -------------------------------------------------------------------------------------- */

static void weigh_by_switch(const struct rt_flows *f, const struct rt_channel *c, const struct channel_sums *x,
                            double *w)
{
	size_t n = f->graph.n;
	for (topo_switch s = 0; s < n; s++)
		for (topo_switch d = 0; d < n; d++)
			w[s * n + d] = s == d ? 0 : x->out[s] + x->in[d];
	for (size_t i = 0; i < c->legs.n; i++)
		w[c->legs.v[i].s * n + c->legs.v[i].d] -= 2 * c->legs.v[i].share * of_via(f);
}

/* Between groups: w = out + in, minus legs to and from intermediates of the own groups. */
static void weigh_between(const struct rt_flows *f, const struct rt_channel *c, const struct channel_sums *x, double *w)
{
	size_t n = f->graph.n, groups = f->vias;
	bool by_group = f->spread == RT_SPREAD_BY_GROUP;
	double *out = base_calloc(n * groups, sizeof *out), *in = base_calloc(n * groups, sizeof *in);
	const struct rt_pairs *first = by_group ? &c->first : &c->legs;
	for (size_t i = 0; i < first->n; i++) {
		struct rt_pair p = first->v[i];
		if (rt_goes_by_via(f, p.s, p.d))
			out[p.s * groups + group_of_switch(f, p.d)] += p.share * of_via(f) / members(f, p.d);
	}
	for (size_t i = 0; i < c->legs.n && !by_group; i++) {
		struct rt_pair p = c->legs.v[i];
		if (rt_goes_by_via(f, p.s, p.d))
			in[p.d * groups + group_of_switch(f, p.s)] += p.share * of_via(f) / members(f, p.s);
	}
	for (topo_switch s = 0; s < n; s++)
		for (topo_switch d = 0; d < n; d++) {
			uint32_t gs = group_of_switch(f, s), gd = group_of_switch(f, d);
			if (gs != gd)
				w[s * n + d] =
				    x->out[s] - out[s * groups + gd] + (by_group ? 0 : x->in[d] - in[d * groups + gs]);
		}
	for (size_t i = 0; i < c->legs.n; i++)
		if (!rt_goes_by_via(f, c->legs.v[i].s, c->legs.v[i].d))
			w[c->legs.v[i].s * n + c->legs.v[i].d] = c->legs.v[i].share;
	free(out);
	free(in);
}

static void weigh_entries(const struct rt_flows *f, const struct rt_channel *c, const struct rt_entry *entry,
                          const size_t *first, double *w)
{
	size_t n = f->graph.n;
	for (size_t i = 0; i < c->legs.n; i++) {
		struct rt_pair p = c->legs.v[i];
		if (!rt_goes_by_via(f, p.s, p.d))
			continue;
		for (size_t k = first[p.s]; k < first[p.s + 1]; k++)
			if (rt_goes_by_via(f, entry[k].from, p.d))
				w[entry[k].from * n + p.d] += entry[k].share * p.share * of_via(f);
	}
}

/* Rows (or columns) of a dense problem with equal entries are merged into classes. */
struct merged {
	uint32_t n;        /* classes */
	uint32_t *class;   /* [switches] */
	uint32_t *example; /* [n]: a switch of each */
	uint32_t *supply;  /* [n]: endpoints of the whole class */
};

struct channel_line {
	uint64_t hash;
	uint32_t number;
};

static int by_hash(const void *a, const void *b)
{
	const struct channel_line *x = a, *y = b;
	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Entries within 2^-40 of each other count as equal: they are sums of the same terms, perhaps in another order. */
static uint64_t mix_weight(uint64_t hash, double w)
{
	uint64_t h = (hash ^ (uint64_t)(int64_t)llrint(w * 0x1p40)) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

/* Entry k of line i is w[i * across + other[k] * along]. */
static struct merged merge_lines(const struct rt_flows *f, const double *w, size_t across, size_t along,
                                 const uint32_t *other, uint32_t others)
{
	uint32_t n = f->graph.n;
	struct channel_line *line = base_calloc(n, sizeof *line);
	struct merged m = { 0, base_calloc(n, sizeof(uint32_t)), base_calloc(n, sizeof(uint32_t)),
		            base_calloc(n, sizeof(uint32_t)) };
	for (uint32_t i = 0; i < n; i++) {
		line[i].number = i;
		for (uint32_t k = 0; k < others; k++)
			line[i].hash = mix_weight(line[i].hash, w[i * across + other[k] * along]);
	}
	qsort(line, n, sizeof *line, by_hash);
	for (uint32_t i = 0; i < n; i++) {
		if (i == 0 || line[i].hash != line[i - 1].hash)
			m.example[m.n++] = line[i].number;
		m.class[line[i].number] = m.n - 1;
		m.supply[m.n - 1] += topo_endpoints_at(f->topo, line[i].number);
	}
	free(line);
	return m;
}

static void free_merged(struct merged *m)
{
	free(m->class);
	free(m->example);
	free(m->supply);
}

/* Unused endpoints of the switches of a class, in order. */
struct giver {
	uint32_t *at;   /* [classes]: current switch */
	uint32_t *left; /* [switches] */
};

static struct giver new_giver(const struct rt_flows *f, const struct merged *m)
{
	struct giver g = { base_calloc(m->n, sizeof(uint32_t)), base_calloc(f->graph.n, sizeof(uint32_t)) };
	for (uint32_t s = 0; s < f->graph.n; s++)
		g.left[s] = topo_endpoints_at(f->topo, s);
	return g;
}

static topo_switch next_giver(struct giver *g, const struct merged *m, uint32_t class)
{
	while (m->class[g->at[class]] != class || !g->left[g->at[class]])
		g->at[class]++;
	return g->at[class];
}

/* Remaining endpoints are worth nothing in the reduced problem: paired in order of classes. */
static void pair_rest(const struct merged *rows, const struct merged *columns, struct rt_shipment **out, size_t *n)
{
	for (size_t i = 0; i < *n; i++) {
		rows->supply[(*out)[i].row] -= (*out)[i].amount;
		columns->supply[(*out)[i].column] -= (*out)[i].amount;
	}
	for (uint32_t r = 0, c = 0; r < rows->n; r++)
		while (rows->supply[r]) {
			while (!columns->supply[c])
				c++;
			uint32_t amount = rows->supply[r] < columns->supply[c] ? rows->supply[r] : columns->supply[c];
			*out = base_realloc(*out, (*n + 1) * sizeof **out);
			(*out)[(*n)++] = (struct rt_shipment){ r, c, amount };
			rows->supply[r] -= amount;
			columns->supply[c] -= amount;
		}
}

/* Splits shipments between classes into shipments between their switches; returns their worth. */
static double expand(const struct rt_flows *f, const double *w, const struct merged *rows, const struct merged *columns,
                     struct rt_shipment **out, size_t *n)
{
	struct giver from = new_giver(f, rows), to = new_giver(f, columns);
	struct rt_shipment *v = base_calloc(*n + 2 * (size_t)f->graph.n, sizeof *v);
	size_t count = 0;
	double total = 0;
	for (size_t i = 0; i < *n; i++)
		for (uint32_t left = (*out)[i].amount; left > 0;) {
			topo_switch s = next_giver(&from, rows, (*out)[i].row),
				    d = next_giver(&to, columns, (*out)[i].column);
			uint32_t amount = left < from.left[s] ? left : from.left[s];
			amount = amount < to.left[d] ? amount : to.left[d];
			v[count++] = (struct rt_shipment){ s, d, amount };
			total += w[(size_t)s * f->graph.n + d] * amount;
			from.left[s] -= amount;
			to.left[d] -= amount;
			left -= amount;
		}
	free(from.at);
	free(from.left);
	free(to.at);
	free(to.left);
	free(*out);
	*out = v;
	*n = count;
	return total;
}

static double solve_merged(const struct rt_flows *f, const double *w, const struct channel_sums *x, struct merged *rows,
                           struct merged *columns, struct rt_shipment **out, size_t *n)
{
	size_t all = f->graph.n, cells = (size_t)rows->n * columns->n;
	double *worth = base_calloc(cells, sizeof *worth), slack = 0;
	size_t *first = base_calloc((size_t)rows->n + 1, sizeof *first);
	uint32_t *column = base_calloc(cells, sizeof *column);
	for (uint32_t r = 0; r < rows->n; r++)
		for (uint32_t c = 0; c < columns->n; c++) {
			topo_switch s = rows->example[r], d = columns->example[c];
			double loss = x->out[s] + x->in[d] - w[s * all + d];
			slack = fmax(slack, loss);
			worth[(size_t)r * columns->n + c] = -loss;
			column[(size_t)r * columns->n + c] = c;
			first[r + 1] = (size_t)(r + 1) * columns->n;
		}
	for (size_t i = 0; i < cells; i++)
		worth[i] += slack;
	struct rt_transport t = { .rows = rows->n,
		                  .columns = columns->n,
		                  .supply = rows->supply,
		                  .demand = columns->supply,
		                  .first = first,
		                  .column = column,
		                  .worth = worth };
	rt_transport_solve(&t, out, n);
	free(worth);
	free(first);
	free(column);
	pair_rest(rows, columns, out, n);
	return expand(f, w, rows, columns, out, n);
}

static double solve_dense(const struct rt_flows *f, const struct rt_channel *c, const struct rt_entry *entry,
                          const size_t *first, struct rt_shipment **out, size_t *n)
{
	size_t all = f->graph.n;
	double *w = base_calloc(all * all, sizeof *w);
	uint32_t *every = base_calloc(all, sizeof *every);
	struct channel_sums x = new_sums(f->graph.n);
	add_up(f, c, &x);
	if (f->spread == RT_SPREAD_BY_SWITCH)
		weigh_by_switch(f, c, &x, w);
	else
		weigh_between(f, c, &x, w);
	if (entry)
		weigh_entries(f, c, entry, first, w);
	for (uint32_t i = 0; i < all; i++)
		every[i] = i;
	struct merged rows = merge_lines(f, w, all, 1, every, f->graph.n);
	struct merged columns = merge_lines(f, w, 1, all, rows.example, rows.n);
	double total = solve_merged(f, w, &x, &rows, &columns, out, n);
	free_merged(&rows);
	free_merged(&columns);
	free(w);
	free(every);
	free_sums(&x);
	return total;
}

double rt_worst_of_channel(const struct rt_flows *f, const struct rt_channel *c, const struct rt_entry *entry,
                           const size_t *first, struct rt_shipment **out, size_t *n, bool *exact)
{
	if (f->spread == RT_SPREAD_MINIMAL)
		return solve_few(f, c, out, n);
	if (f->spread == RT_SPREAD_BY_SWITCH && rt_avoid_losses(f, c, out, n))
		return rt_upper_of_channel(f, c);
	if (f->graph.n <= MOST_DENSE)
		return solve_dense(f, c, entry, first, out, n);
	*exact = false;
	*out = NULL;
	*n = 0;
	return 0;
}
