/* experiments/compare/text.c - a comparison for people. */
#include "experiments/compare/compare.h"

#include "base/memory.h"
#include "base/text.h"

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

static void cell(double value, int width, const char *format)
{
	char text[64];
	snprintf(text, sizeof text, format, value);
	printf("  %*s", width, isfinite(value) ? text : "-");
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
		printf("equal cost: %s, by the model %s", s->budget, c->wish.base.model.plugin->name);
		break;
	case XP_EQUAL_PORTS:
	case XP_EQUAL_CABLES:
	case XP_EQUAL_WATTS:
		printf("equal %s: %s", xp_basis_names[s->basis], s->budget);
		break;
	case XP_EQUAL_ENDPOINTS:
		printf("equal endpoints: %" PRId64 " at least", s->number.endpoints);
		break;
	case XP_EQUAL_THROUGHPUT:
		printf("equal throughput: %.4g Tb/s of uniform traffic by the bound, at least",
		       (double)s->number.delivered * 1e-12);
		break;
	case XP_EQUAL_NOTHING:
	case XP_BASES:
		printf("as given");
	}
	printf("; links of %.4g Gb/s\n", c->wish.base.gbps);
}

static void print_net(const struct xp_compare *c, const struct xp_net *net, int width)
{
	const struct xp_costing *k = &net->costing;
	const struct topo_bill *b = &k->bill;
	double cables = (double)(b->cables[0] + b->cables[1]), endpoints = k->topo.endpoints;
	if (net->failed || !net->built)
		return;
	printf("%-*s  %9u  %8u  %7.0f  %5u", width, net->candidate->name, k->topo.endpoints, k->topo.switches, cables,
	       b->radix);
	cell((double)b->ports / endpoints, 6, "%.3f");
	cell((double)topo_bill_all_cables(b) / endpoints, 6, "%.3f");
	cell(b->metres[TOPO_OPTICAL] / endpoints, 8, "%.3f");
	cell(k->priced ? k->cost.total / endpoints : NAN, 9, "%.2f");
	cell(per(k->watts, endpoints), 6, "%.2f");
	double used = xp_net_ports_used(net);
	cell(xp_percent_down(used), 5, "%.0f %%");
	printf("%s", used < XP_PORTS_USED ? " <" : "  ");
	if (isfinite(net->spent) && c->wish.budget > 0) {
		double left = 1 - net->spent / c->wish.budget;
		printf("  %5.1f %%%s", 100 * left, left > .05 ? " *" : "");
	}
	printf("\n");
}

static void print_nets(const struct xp_compare *c)
{
	int width = widest_name(c);
	bool budget = c->wish.budget > 0, marked = false, few = false;
	printf("\n%-*s  %9s  %8s  %7s  %5s  %6s  %6s  %8s  %9s  %6s%s\n", width, "network", "endpoints", "switches",
	       "cables", "radix", "ports", "cables", "optics m", "cost", "W",
	       budget ? "   used       left" : "   used");
	for (size_t i = 0; i < c->nnets; i++) {
		print_net(c, &c->net[i], width);
		few |= c->net[i].built && !c->net[i].failed && xp_net_ports_used(&c->net[i]) < XP_PORTS_USED;
		marked |= isfinite(c->net[i].spent) && 1 - c->net[i].spent / c->wish.budget > .05;
	}
	printf("The second columns of ports and cables, optics, cost and watts are per endpoint, its own cable among "
	       "them.\n");
	if (marked)
		printf("*: more than 5 %% of the budget is left, as members come in steps.\n");
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
			printf("%s may have better members: %llu, by their bounds, were not priced, as that takes too "
			       "long\n",
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

static void print_how(const struct xp_series *s)
{
	switch (s->stage) {
	case XP_OUT:
		printf("by its bound it cannot be first");
		return;
	case XP_WAITS:
		printf("not run yet");
		return;
	case XP_KNOWN:
		printf("%zu short%s", s->nruns, s->low > 0 ? "" : "; it cannot be first");
		return;
	case XP_SEARCH:
	case XP_REFINE:
		printf("interrupted after %zu runs", s->nruns);
		return;
	case XP_REFINED: {
		size_t few = 0;
		for (size_t i = 0; i < s->nruns; i++)
			few += s->run[i]->fidelity == XP_SHORT;
		printf("%zu short, %zu long", few, s->nruns - few);
		return;
	}
	case XP_BROKEN_OFF:
		printf("failed");
	}
}

static void print_series(const struct xp_compare *c, const struct xp_series *s, int width, int place_width)
{
	char place[32];
	double scale = scale_of(c);
	snprintf(place, sizeof place, "%zu%s", s->place, s->shared > 1 ? "=" : "");
	printf("%-*s  %-*s", place_width, place, width, s->design->name);
	bool run = s->low > 0;
	double mid = (s->low + s->high) / 2;
	if (run) {
		cell(xp_worth(s, mid) * scale, 9, "%.3f");
		cell(xp_worth(s, s->high - s->low) / 2 * scale, 7, "%.3f");
		cell(xp_delivered_gbps(s, mid) * 1e-3, 9, "%.3f");
		cell(mid, 7, "%.4f");
		cell((s->high - s->low) / 2, 6, "%.4f");
		cell(per(s->design->net->costing.watts, xp_delivered_gbps(s, mid)), 7, "%.4f");
	} else {
		char text[32];
		snprintf(text, sizeof text, "< %.3f", xp_worth(s, s->high) * scale);
		printf("  %9s  %7s  %9s  %7s  %6s  %7s", text, "-", "-", "-", "-", "-");
	}
	cell(s->cap.share >= 0 && isfinite(s->cap.share) ? s->cap.share : NAN, 7, "%.4f");
	printf("  ");
	print_how(s);
	if (xp_net_ports_used(s->design->net) < XP_PORTS_USED)
		printf(" (uses %.0f %% of the ports)", xp_percent_down(xp_net_ports_used(s->design->net)));
	printf("\n");
}

/* What would have to cost how much for another network to be first. */
static void print_ties(const struct xp_compare *c, size_t column)
{
	struct topo_tie tie[XP_PARTS];
	for (int p = 0; p < XP_PARTS && xp_first_place_ties(c, column, tie); p++) {
		const struct topo_tie *t = &tie[p];
		printf("First place changes");
		if (t->above > 0)
			printf(" at %.4g times the price of %s (to %s)%s", t->above, xp_part_names[p],
			       c->design[t->above_b].name, t->below > 0 ? "," : "");
		if (t->below > 0)
			printf(" at %.4g times %s%s (to %s)", t->below, t->above > 0 ? "it" : "the price of ",
			       t->above > 0 ? "" : xp_part_names[p], c->design[t->below_b].name);
		if (!(t->above > 0) && !(t->below > 0))
			printf(" at no factor on the price of %s", xp_part_names[p]);
		printf(", among those simulated, by the middles of intervals\n");
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
	printf("%-5s  %-*s  %9s  %7s  %9s  %7s  %6s  %7s  %7s  %s\n", "place", (int)width, "design", "worth", "+-",
	       "Tb/s", "sat.", "+-", "W/Gb/s", "bound", "runs");
	for (size_t i = 0; i < c->ndesigns; i++)
		if (order[i]->place)
			print_series(c, order[i], (int)width, 5);
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

static void time_cell(double ns, int width)
{
	char text[32];
	if (!isfinite(ns))
		snprintf(text, sizeof text, "-");
	else if (ns < 1e5)
		snprintf(text, sizeof text, "%.0f ns", ns);
	else if (ns < 1e8)
		snprintf(text, sizeof text, "%.1f us", ns * 1e-3);
	else
		snprintf(text, sizeof text, "%.2f ms", ns * 1e-6);
	printf("  %*s", width, text);
}

static void print_finals(const struct xp_compare *c, int width)
{
	const struct xp_study *s = &c->study;
	printf("\n%-*s  latency at %.2g: mean  %12s  %12s", width, "design", s->number.latency_load, "p99", "p99.9");
	printf("\n");
	for (size_t i = 0; i < c->ndesigns; i++) {
		const struct xp_design *d = &c->design[i];
		const struct xp_sim_run *l = d->latency;
		if (!l)
			continue;
		printf("%-*s", width, d->name);
		bool known = l && l->done && l->judged && l->stationary;
		time_cell(known ? l->mean_ns : NAN, 20);
		time_cell(known ? l->p99_ns : NAN, 12);
		time_cell(known ? l->p999_ns : NAN, 12);
		printf("%s\n", d->finalist ? "  finalist" : "");
	}
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

static void print_timing(const struct xp_compare *c, const struct xp_design *d, const struct xp_timing *t, bool worth,
                         int width)
{
	char place[32];
	snprintf(place, sizeof place, "%zu%s", t->place, t->shared > 1 ? "=" : "");
	printf("%-5s  %-*s", t->place ? place : "-", width, d->name);
	if (worth) {
		cell(t->worth * scale_of(c), 9, "%.3f");
		cell(t->half_worth * scale_of(c), 7, "%.3f");
	}
	time_cell(t->mean_ns, 11);
	time_cell(t->half_ns, 10);
	printf("  %9u  %5zu", d->net->costing.topo.endpoints, t->seeds);
	if (!t->place)
		printf("  it has not ended");
	if (xp_net_ports_used(d->net) < XP_PORTS_USED)
		printf("  (uses %.0f %% of the ports)", xp_percent_down(xp_net_ports_used(d->net)));
	printf("\n");
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
		printf("\n%s %s: the time until the last member has ended, the shortest first\n", k->name,
		       k->size[size]);
	if (n)
		printf("%-5s  %-*s%s  %11s  %10s  %9s  %5s\n", "place", width, "design",
		       worth ? "      worth       +-" : "", "time", "+-", "endpoints", "seeds");
	for (size_t i = 0; i < n; i++)
		print_timing(c, &c->design[order[i]], &t[order[i]], worth, width);
	if (n < c->ndesigns)
		printf("%zu designs did not run it: %s.\n", c->ndesigns - n,
		       k->finalists ? "finalists do" : "those that were simulated under the ranking traffic do");
	if (k->phases)
		printf("%" PRId64 " of the phases were simulated; times are of all.\n", k->phases);
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
	printf("\n%-*s  cables removed at random until a switch is cut off  uniform throughput left without", width,
	       "network");
	for (size_t i = 0; i < s->nfailures; i++)
		printf("  %4.3g %%", 100 * s->failure[i]);
	printf("\n");
	for (size_t i = 0; i < c->nnets; i++) {
		const struct xp_net *net = &c->net[i];
		if (net->failed)
			continue;
		printf("%-*s", width, net->candidate->name);
		cell(net->survival.median, 21, "%.3f");
		printf(" (%.3f to %.3f)", net->survival.p05, net->survival.p95);
		printf("%*s", 44, "");
		for (size_t k = 0; k < s->nfailures; k++)
			cell(net->left[k].uniform >= 0 ? net->left[k].uniform : NAN, 6, "%.3f");
		printf("\n");
	}
}

static void print_failed(const struct xp_compare *c)
{
	bool head = false;
	for (size_t i = 0; i < c->ndesigns; i++) {
		const struct xp_design *d = &c->design[i];
		if (!d->failed || (i && c->design[i - 1].net == d->net && d->net->failed))
			continue;
		printf("%s", head ? "" : "\nTook no part:\n");
		head = true;
		char text[1000];
		printf("  %s: %s\n", d->net->failed ? d->net->candidate->name : d->name,
		       base_harmless_copy(d->failed, text, sizeof text));
	}
}

static void print_spent(const struct xp_compare *c)
{
	printf("\n%-10s  %5s  %14s  %12s  %12s  %9s\n", "spent on", "runs", "packet-hops", "events", "simulated",
	       "seconds");
	printf("%-10s  %5s  %14s  %12s  %12s  %9.1f\n", "sizing", "-", "-", "-", "-", c->size_s);
	printf("%-10s  %5s  %14s  %12s  %12s  %9.1f\n", "bounds", "-", "-", "-", "-", c->bound_s);
	for (int f = 0; f < XP_FIDELITIES; f++) {
		double hops = 0, events = 0, ns = 0, s = 0;
		size_t n = 0;
		for (size_t i = 0; i < c->nsim_runs; i++) {
			const struct xp_sim_run *run = c->sim_run[i];
			if ((int)run->fidelity != f || !run->done)
				continue;
			n++;
			hops += (double)run->packet_hops;
			events += (double)run->events;
			ns += run->simulated_ns;
			s += run->wall_s;
		}
		if (n)
			printf("%-10s  %5zu  %12.1f M  %10.1f M  %9.1f us  %9.1f\n", xp_fidelity_names[f], n,
			       hops * 1e-6, events * 1e-6, ns * 1e-3, s);
	}
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
