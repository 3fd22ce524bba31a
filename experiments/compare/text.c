/* experiments/compare/text.c - a comparison for people. */
#include "experiments/compare/compare.h"

#include "base/memory.h"
#include "base/text.h"
#include "experiments/results/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PER_MONEY 1000.0 /* units of money that worth is printed for */

static double scale_of(const struct xp_compare *c)
{
	return !strcmp(xp_worth_unit(c), topo_currency(&c->wish.base.model)) && c->wish.base.priced ? PER_MONEY : 1;
}

static double per(double amount, double of)
{
	return amount >= 0 && of > 0 ? amount / of : NAN;
}

/* --- networks -------------------------------------------------------------------------------------------- */

static int widest_name(const struct xp_compare *c)
{
	size_t width = 7;
	for (size_t i = 0; i < c->nnets; i++)
		width = strlen(c->net[i].candidate->name) > width ? strlen(c->net[i].candidate->name) : width;
	return (int)width;
}

static void print_basis(const struct xp_compare *c)
{
	const struct xp_study *s = &c->study;
	printf("%s\n", s->ground.title);
	switch (s->basis) {
	case XP_EQUAL_COST:
		printf("equal cost: %s, by cost model %s", s->budget, c->wish.base.model.plugin->name);
		break;
	case XP_EQUAL_PORTS:
	case XP_EQUAL_CABLES:
	case XP_EQUAL_WATTS:
		printf("equal %s: %s", xp_basis_names[s->basis], s->budget);
		break;
	case XP_EQUAL_ENDPOINTS:
		printf("equal endpoints: at least %" PRId64, s->number.endpoints);
		break;
	case XP_EQUAL_THROUGHPUT:
		printf("equal throughput: at least %.4g Tb/s of uniform traffic, by its upper bound",
		       (double)s->number.delivered * 1e-12);
		break;
	case XP_EQUAL_NOTHING:
	case XP_BASES:
		printf("networks as given");
	}
	printf("; links of %.4g Gb/s\n", c->wish.base.gbps);
}

static void add_net(const struct xp_compare *c, struct xp_table *t, const struct xp_net *net)
{
	const struct xp_costing *k = &net->costing;
	const struct topo_bill *b = &k->bill;
	double endpoints = k->topo.endpoints, used = xp_net_ports_used(net);
	xp_table_text(t, net->candidate->name);
	xp_table_numbers(t, endpoints, k->topo.switches, (double)(b->cables[0] + b->cables[1]), b->radix,
	                 (double)b->ports / endpoints, (double)topo_bill_all_cables(b) / endpoints,
	                 b->metres[TOPO_OPTICAL] / endpoints, k->priced ? k->cost.total / endpoints : (double)NAN,
	                 per(k->watts, endpoints));
	bool budget = c->wish.budget > 0;
	const char *few = used < XP_PORTS_USED ? " <" : "  ";
	if (isfinite(used))
		xp_table_cell(t, "%.0f %%%s", xp_percent_down(used), budget ? few : "");
	else
		xp_table_cell(t, budget ? "-  " : "-");
	if (isfinite(net->spent) && budget) {
		double left = 1 - net->spent / c->wish.budget;
		xp_table_cell(t, "%.1f %%", 100 * left);
		xp_table_note(t, "%s", left > .05 ? " *" : "");
	} else {
		xp_table_note(t, "%s", budget ? "" : few);
	}
}

static void print_nets(const struct xp_compare *c)
{
	int width = widest_name(c);
	bool budget = c->wish.budget > 0, marked = false, few = false;
	struct xp_table t = { 0 };
	xp_table_column(&t, "network", -width, NULL);
	xp_table_layout(&t, "endpoints:9:%.0f|switches:8:%.0f|cables:7:%.0f|radix:5:%.0f|ports:6:%.3f|cables:6:%.3f|"
	                    "optics m:8:%.3f|cost:9:%.2f|W:6:%.2f");
	xp_table_column(&t, budget ? "used  " : "used", budget ? 7 : 5, NULL);
	if (budget)
		xp_table_column(&t, "left", 7, NULL);
	for (size_t i = 0; i < c->nnets; i++) {
		if (c->net[i].built && !c->net[i].failed)
			add_net(c, &t, &c->net[i]);
		few |= c->net[i].built && !c->net[i].failed && xp_net_ports_used(&c->net[i]) < XP_PORTS_USED;
		marked |= isfinite(c->net[i].spent) && 1 - c->net[i].spent / c->wish.budget > .05;
	}
	printf("\n");
	xp_table_print(&t, stdout);
	printf("The second columns of ports and cables, and optics, cost and watts are per endpoint, including its own "
	       "cable.\n");
	if (marked)
		printf("*: more than 5 %% of the budget remains, because members of a family come in steps.\n");
	if (few)
		printf("<: less than 85 %% of the ports of its switches are used:\n");
	for (size_t i = 0; i < c->nnets; i++) {
		const struct xp_net *net = &c->net[i];
		if (!net->built || net->failed || !(xp_net_ports_used(net) < XP_PORTS_USED))
			continue;
		char *why = xp_net_ports_why(c, net);
		printf("   %-*s  %.0f %%: %s\n", width, net->candidate->name, xp_percent_down(xp_net_ports_used(net)),
		       why);
		free(why);
	}
	for (size_t i = 0; i < c->nnets; i++)
		if (c->net[i].candidate->family && !c->net[i].sized.all)
			printf("%s may have better members: %llu members, by their bounds, were not priced, because "
			       "that takes too long\n",
			       c->net[i].candidate->name, (unsigned long long)c->net[i].sized.unpriced);
	for (size_t i = 0; i < c->nnets; i++)
		if (c->net[i].built && !c->net[i].failed && !c->net[i].costing.priced && *c->net[i].unsold)
			printf("-: %s has no price: %s\n", c->net[i].candidate->name, c->net[i].unsold);
	for (size_t i = 0; i < c->nnets; i++) {
		const char *topology = c->net[i].topology;
		if (topology && !c->net[i].failed)
			printf("  %-*s  %s\n", width, c->net[i].candidate->name, strchr(topology, '=') + 1);
	}
}

/* --- rankings -------------------------------------------------------------------------------------------- */

/* How its interval was found, as a cell. */
static void add_how(struct xp_table *t, const struct xp_series *s)
{
	size_t few = 0;
	for (size_t i = 0; i < s->nruns; i++)
		few += s->run[i]->fidelity == XP_SHORT;
	switch (s->stage) {
	case XP_OUT:
		xp_table_cell(t, "its bound shows that it cannot be first");
		return;
	case XP_WAITS:
		xp_table_cell(t, "not run yet");
		return;
	case XP_KNOWN:
		xp_table_cell(t, "%zu short%s", s->nruns, s->low > 0 ? "" : "; it cannot be first");
		return;
	case XP_SEARCH:
	case XP_REFINE:
		xp_table_cell(t, "interrupted after %zu runs", s->nruns);
		return;
	case XP_REFINED:
		xp_table_cell(t, "%zu short, %zu long", few, s->nruns - few);
		return;
	case XP_BROKEN_OFF:
		xp_table_cell(t, "failed");
	}
}

static void end_row(struct xp_table *t, const struct xp_net *net, const char *before, const char *gap)
{
	if (xp_net_ports_used(net) < XP_PORTS_USED)
		xp_table_note(t, "%s%s(uses %.0f %% of the ports)", before, gap,
		              xp_percent_down(xp_net_ports_used(net)));
	else
		xp_table_note(t, "%s", before);
}

static void add_place(struct xp_table *t, size_t place, size_t shared)
{
	if (place)
		xp_table_cell(t, "%zu%s", place, shared > 1 ? "=" : "");
	else
		xp_table_text(t, NULL);
}

static void add_series(const struct xp_compare *c, struct xp_table *t, const struct xp_series *s)
{
	double scale = scale_of(c), mid = (s->low + s->high) / 2, none = s->low > 0 ? 0 : (double)NAN;
	add_place(t, s->place, s->shared);
	xp_table_text(t, s->design->name);
	if (s->low > 0)
		xp_table_number(t, xp_worth(s, mid) * scale);
	else
		xp_table_cell(t, "< %.3f", xp_worth(s, s->high) * scale);
	xp_table_numbers(t, xp_worth(s, s->high - s->low) / 2 * scale + none, xp_delivered_gbps(s, mid) * 1e-3 + none,
	                 mid + none, (s->high - s->low) / 2 + none,
	                 per(s->design->net->costing.watts, xp_delivered_gbps(s, mid)) + none,
	                 s->cap.share >= 0 ? s->cap.share : (double)NAN);
	add_how(t, s);
	end_row(t, s->design->net, "", " ");
}

/* What would have to cost how much for another network to be first. */
static void print_ties(const struct xp_compare *c, size_t column)
{
	struct topo_tie tie[XP_PARTS];
	for (int p = 0; p < XP_PARTS && xp_first_place_ties(c, column, tie); p++) {
		const struct topo_tie *t = &tie[p];
		printf("The first rank changes");
		if (t->above > 0)
			printf(" at %.4g times the price of %s (to %s)%s", t->above, xp_part_names[p],
			       c->design[t->above_b].name, t->below > 0 ? "," : "");
		if (t->below > 0)
			printf(" at %.4g times %s%s (to %s)", t->below, t->above > 0 ? "it" : "the price of ",
			       t->above > 0 ? "" : xp_part_names[p], c->design[t->below_b].name);
		if (!(t->above > 0) && !(t->below > 0))
			printf(" at no factor on the price of %s", xp_part_names[p]);
		printf(", for the designs that were simulated, by the centres of intervals\n");
	}
}

static void print_column(const struct xp_compare *c, size_t column)
{
	struct xp_series **order = xp_places(c, column);
	const struct xp_series *any = &c->design[0].series[column];
	size_t width = 6;
	for (size_t i = 0; i < c->ndesigns; i++)
		width = strlen(c->design[i].name) > width ? strlen(c->design[i].name) : width;
	printf("\n%s", any->demand->name);
	for (size_t i = 0; i < any->demand->nparts; i++)
		printf("%s%.4g %s", i ? " + " : " = ", any->demand->weight[i],
		       c->study.demand[any->demand->part[i]].name);
	printf("%s%s: Gb/s delivered per %s%s\n", any->message ? ", messages of " : "",
	       any->message ? any->message : "", scale_of(c) > 1 ? "1000 " : "", xp_worth_unit(c));
	struct xp_table t = { 0 };
	xp_table_column(&t, "place", 0, NULL);
	xp_table_column(&t, "design", -(int)width, NULL);
	xp_table_layout(&t, "worth:9:%.3f|+-:7:%.3f|Tb/s:9:%.3f|sat.:7:%.4f|+-:6:%.4f|W/Gb/s:7:%.4f|bound:7:%.4f|runs");
	for (size_t i = 0; i < c->ndesigns; i++)
		if (order[i]->place)
			add_series(c, &t, order[i]);
	xp_table_print(&t, stdout);
	for (size_t i = 0; i < c->ndesigns; i++) {
		const struct xp_series *s = order[i];
		if (s->place || s->design->failed)
			continue;
		const char *why = s->impossible;
		for (size_t k = 0; k < s->nruns && !why; k++)
			why = s->run[k]->failed;
		printf("-      %-*s  failed: %s\n", (int)width, s->design->name, why ? why : "");
	}
	free(order);
	print_ties(c, column);
}

/* --- finals ---------------------------------------------------------------------------------------------- */

static void add_time(struct xp_table *t, double ns)
{
	if (ns < 1e5)
		xp_table_number_as(t, ns, "%.0f ns");
	else if (ns < 1e8)
		xp_table_number_as(t, ns * 1e-3, "%.1f us");
	else
		xp_table_number_as(t, ns * 1e-6, "%.2f ms");
}

static void print_finals(const struct xp_compare *c, int width)
{
	struct xp_table t = { 0 };
	char head[64];
	snprintf(head, sizeof head, "latency at %.2g: mean", c->study.number.latency_load);
	xp_table_column(&t, "design", -width, NULL);
	xp_table_column(&t, head, 20, NULL);
	xp_table_layout(&t, "p99:12|p99.9:12");
	for (size_t i = 0; i < c->ndesigns; i++) {
		const struct xp_sim_run *l = c->design[i].latency;
		if (!l)
			continue;
		double unknown = l->done && l->said == SIM_STATIONARY ? 0 : (double)NAN;
		xp_table_text(&t, c->design[i].name);
		add_time(&t, l->mean_ns + unknown);
		add_time(&t, l->p99_ns + unknown);
		add_time(&t, l->p999_ns + unknown);
		xp_table_note(&t, "%s", c->design[i].finalist ? "  finalist" : "");
	}
	printf("\n");
	xp_table_print(&t, stdout);
}

/* --- collectives ------------------------------------------------------------------------------------------ */

static const struct xp_timing *sorted_timings; /* that by_timing() compares */

static int by_timing(const void *a, const void *b)
{
	size_t i = *(const size_t *)a, k = *(const size_t *)b;
	const struct xp_timing *x = &sorted_timings[i], *y = &sorted_timings[k];
	if (x->place != y->place)
		return (x->place ? x->place : SIZE_MAX) < (y->place ? y->place : SIZE_MAX) ? -1 : 1;
	double p = isfinite(x->worth) ? -x->worth : x->mean_ns, q = isfinite(y->worth) ? -y->worth : y->mean_ns;
	return p < q ? -1 : p > q ? 1 : (i > k) - (i < k);
}

static void add_timing(const struct xp_compare *c, struct xp_table *table, const struct xp_design *d,
                       const struct xp_timing *t, bool worth)
{
	add_place(table, t->place, t->shared);
	xp_table_text(table, d->name);
	if (worth) {
		xp_table_numbers(table, t->worth * scale_of(c), t->half_worth * scale_of(c));
	}
	add_time(table, t->mean_ns);
	add_time(table, t->half_ns);
	xp_table_numbers(table, d->net->costing.topo.endpoints, (double)t->seeds);
	end_row(table, d->net, t->place ? "" : "  did not end", "  ");
}

/* One size: a ranking of its own, of the designs that ran it. */
static void print_collective(const struct xp_compare *c, const struct xp_collective *k, size_t size, size_t m,
                             int width)
{
	struct xp_timing *t = xp_timings(c, k, size, m);
	size_t *order = base_calloc(c->ndesigns + 1, sizeof *order), n = 0;
	bool worth = xp_collective_by_worth(k);
	for (size_t i = 0; i < c->ndesigns; i++)
		if (c->design[i].collective[m * (size_t)c->study.number.seeds])
			order[n++] = i;
	sorted_timings = t;
	qsort(order, n, sizeof *order, by_timing);
	if (worth)
		printf("\n%s %s: Gb/s delivered per %s%s\n", k->name, k->size[size], scale_of(c) > 1 ? "1000 " : "",
		       xp_worth_unit(c));
	else
		printf("\n%s %s: time until the last endpoint has finished, shortest first\n", k->name, k->size[size]);
	struct xp_table table = { 0 };
	xp_table_column(&table, "place", 0, NULL);
	xp_table_column(&table, "design", -width, NULL);
	if (worth) {
		xp_table_layout(&table, "worth:9:%.3f|+-:7:%.3f");
	}
	xp_table_layout(&table, "time:11|+-:10|endpoints:9:%.0f|seeds:5:%.0f");
	for (size_t i = 0; i < n; i++)
		add_timing(c, &table, &c->design[order[i]], &t[order[i]], worth);
	if (n)
		xp_table_print(&table, stdout);
	xp_table_free(&table);
	if (n < c->ndesigns)
		printf("%zu designs were not run with it: %s.\n", c->ndesigns - n,
		       k->finalists ? "only finalists are"
		                    : "only those simulated under the traffic of the ranking are");
	if (k->phases)
		printf("Only %" PRId64 " of the phases were simulated; times are extrapolated to all.\n", k->phases);
	free(order);
	free(t);
}

static void print_collectives(const struct xp_compare *c, int width)
{
	size_t m = 0;
	for (size_t k = 0; k < c->study.ncollectives; k++)
		for (size_t z = 0; z < c->study.collective[k].nsizes; z++)
			print_collective(c, &c->study.collective[k], z, m++, width);
}

static void print_resilience(const struct xp_compare *c, int width)
{
	const struct xp_study *s = &c->study;
	struct xp_table t = { 0 };
	char text[64];
	xp_table_column(&t, "network", -width, NULL);
	xp_table_layout(&t, "fraction of cables removed at random until a switch is disconnected:-50|uniform "
	                    "throughput remaining without:30");
	for (size_t i = 0; i < s->nfailures; i++) {
		snprintf(text, sizeof text, "%4.3g %%", 100 * s->failure[i]);
		xp_table_column(&t, text, 6, "%.3f");
	}
	for (size_t i = 0; i < c->nnets; i++) {
		const struct xp_net *net = &c->net[i];
		if (net->failed)
			continue;
		snprintf(text, sizeof text, isfinite(net->survival.median) ? "%.3f" : "-", net->survival.median);
		xp_table_text(&t, net->candidate->name);
		xp_table_cell(&t, "%21s (%.3f to %.3f)", text, net->survival.p05, net->survival.p95);
		xp_table_text(&t, "");
		for (size_t k = 0; k < s->nfailures; k++)
			xp_table_number(&t, net->left[k].uniform >= 0 ? net->left[k].uniform : (double)NAN);
		xp_table_end(&t);
	}
	printf("\n");
	xp_table_print(&t, stdout);
}

static void print_failed(const struct xp_compare *c)
{
	bool head = false;
	for (size_t i = 0; i < c->ndesigns; i++) {
		const struct xp_design *d = &c->design[i];
		if (!d->failed || (i && c->design[i - 1].net == d->net && d->net->failed))
			continue;
		printf("%s", head ? "" : "\nExcluded:\n");
		head = true;
		char text[1000];
		printf("  %s: %s\n", d->net->failed ? d->net->candidate->name : d->name,
		       base_harmless_copy(d->failed, text, sizeof text));
	}
}

static void print_spent(const struct xp_compare *c)
{
	struct xp_table t = { 0 };
	xp_table_layout(
	    &t, "spent on:-10|runs:5:%.0f|packet-hops:14:%.1f M|events:12:%.1f M|simulated:12:%.1f us|seconds:9:%.1f");
	const double unit[] = { 1, 1e-6, 1e-6, 1e-3 };
	for (int f = -2; f < XP_FIDELITIES; f++) {
		double v[] = { 0, 0, 0, 0 }, s = f == -2 ? c->size_s : f < 0 ? c->bound_s : 0;
		for (size_t i = 0; i < c->nsim_runs; i++) {
			const struct xp_sim_run *run = c->sim_run[i];
			if ((int)run->fidelity != f || !run->done)
				continue;
			v[0]++;
			v[1] += (double)run->packet_hops;
			v[2] += (double)run->events;
			v[3] += run->simulated_ns;
			s += run->wall_s;
		}
		if (f >= 0 && !(v[0] > 0))
			continue;
		xp_table_text(&t, f == -2 ? "sizing" : f < 0 ? "bounds" : xp_fidelity_names[f]);
		for (size_t k = 0; k < 4; k++)
			xp_table_number(&t, f < 0 ? (double)NAN : v[k] * unit[k]);
		xp_table_number(&t, s);
		xp_table_end(&t);
	}
	printf("\n");
	xp_table_print(&t, stdout);
}

void xp_compare_text(const struct xp_compare *c)
{
	size_t width = 7;
	for (size_t i = 0; i < c->ndesigns; i++)
		width = strlen(c->design[i].name) > width ? strlen(c->design[i].name) : width;
	print_basis(c);
	print_nets(c);
	for (size_t k = 0; k < c->columns; k++)
		print_column(c, k);
	if (c->nsim_runs)
		print_finals(c, (int)width);
	if (c->nsim_runs)
		print_collectives(c, (int)width);
	print_resilience(c, widest_name(c));
	print_failed(c);
	print_spent(c);
	printf("digest      %016" PRIx64 "\n", xp_compare_digest(c));
}
