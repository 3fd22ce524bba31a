/* experiments/compare/json.c - a comparison as one JSON object; its members are in docs/compare.md. */
#include "experiments/compare/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const stage_names[] = { "waiting", "searching",  "searched", "refining",
	                                   "refined", "eliminated", "failed" };

static void json_share(struct base_json *j, const char *key, double value)
{
	base_json_double(j, key, value >= 0 && isfinite(value) ? value : NAN);
}

static void json_resilience(const struct xp_compare *c, struct base_json *j, const struct xp_net *net)
{
	base_json_object(j, "resilience");
	base_json_double(j, "disconnected_p05", net->survival.p05);
	base_json_double(j, "disconnected_median", net->survival.median);
	base_json_double(j, "disconnected_p95", net->survival.p95);
	base_json_double(j, "disconnected_form", net->survival.form);
	base_json_array(j, "removed");
	for (size_t i = 0; i < c->study.nfailures; i++) {
		base_json_object(j, NULL);
		base_json_double(j, "share", c->study.failure[i]);
		json_share(j, "uniform_left", net->left[i].uniform);
		base_json_uint(j, "draws", net->left[i].draws);
		base_json_uint(j, "disconnected", net->left[i].draws - net->left[i].whole);
		base_json_end(j);
	}
	base_json_end(j);
	base_json_end(j);
}

static void json_cost(struct base_json *j, const struct topo_cost *cost, double endpoints)
{
	base_json_object(j, "cost_parts_per_endpoint");
	base_json_double(j, "switches", cost->switches / endpoints);
	base_json_double(j, "ports", cost->ports / endpoints);
	base_json_double(j, "copper_cables", cost->cables[TOPO_COPPER] / endpoints);
	base_json_double(j, "optical_cables", cost->cables[TOPO_OPTICAL] / endpoints);
	base_json_double(j, "endpoint_cables",
	                 (cost->terminals[TOPO_COPPER] + cost->terminals[TOPO_OPTICAL]) / endpoints);
	base_json_double(j, "energy", cost->energy / endpoints);
	base_json_end(j);
}

static void json_net(const struct xp_compare *c, struct base_json *j, const struct xp_net *net)
{
	const struct xp_costing *k = &net->costing;
	base_json_object(j, NULL);
	base_json_string(j, "name", net->candidate->name);
	base_json_string(j, "family", net->candidate->family ? net->candidate->family->name : NULL);
	base_json_string(j, "failed", net->failed);
	if (net->candidate->family && !net->sized.all)
		base_json_uint(j, "unpriced", net->sized.unpriced);
	if (net->topology)
		base_json_string(j, "topology", strchr(net->topology, '=') + 1);
	if (net->built && !net->failed) {
		double endpoints = k->topo.endpoints;
		base_json_uint(j, "endpoints", k->topo.endpoints);
		base_json_uint(j, "switches", k->topo.switches);
		base_json_uint(j, "cables", k->bill.cables[0] + k->bill.cables[1]);
		base_json_uint(j, "radix", k->bill.radix);
		base_json_double(j, "ports_used", xp_net_ports_used(net));
		if (xp_net_ports_used(net) < XP_PORTS_USED) {
			char *why = xp_net_ports_why(c, net);
			base_json_string(j, "ports_unused_because", why);
			free(why);
		}
		base_json_double(j, "ports_per_endpoint", (double)k->bill.ports / endpoints);
		base_json_double(j, "cables_per_endpoint", (double)topo_bill_all_cables(&k->bill) / endpoints);
		base_json_double(j, "optical_m_per_endpoint", k->bill.metres[TOPO_OPTICAL] / endpoints);
		base_json_double(j, "cost_total", k->priced ? k->cost.total : NAN);
		base_json_double(j, "cost_per_endpoint", k->priced ? k->cost.total / endpoints : NAN);
		if (k->priced)
			json_cost(j, &k->cost, endpoints);
		if (!k->priced && *net->unsold)
			base_json_string(j, "without_price", net->unsold);
		json_share(j, "watts", k->watts);
		json_share(j, "watts_per_endpoint", k->watts / endpoints);
		base_json_double(j, "spent", net->spent);
		base_json_double(j, "budget_left", c->wish.budget > 0 ? 1 - net->spent / c->wish.budget : NAN);
		base_json_object(j, "any_routing");
		json_share(j, "uniform_by_hops", net->limits.by_hops);
		json_share(j, "uniform_by_cut", net->limits.by_cut);
		json_share(j, "permutation_by_cut", net->limits.permutation_by_cut);
		base_json_end(j);
		json_resilience(c, j, net);
	}
	base_json_end(j);
}

static void json_range(struct base_json *j, const char *key, double low, double high)
{
	base_json_array(j, key);
	base_json_double(j, NULL, low);
	base_json_double(j, NULL, high);
	base_json_end(j);
}

/* Its log, from the results folder. */
static void json_file(struct base_json *j, const struct xp_sim_run *run)
{
	const char *slash = strrchr(run->file, '/');
	char name[512];
	snprintf(name, sizeof name, "points/%.500s", slash ? slash + 1 : run->file);
	base_json_string(j, "file", name);
}

static void json_points(struct base_json *j, const struct xp_series *s)
{
	base_json_array(j, "points");
	for (size_t i = 0; i < s->nruns; i++) {
		const struct xp_sim_run *run = s->run[i];
		base_json_object(j, NULL);
		base_json_string(j, "name", run->name);
		base_json_string(j, "fidelity", xp_fidelity_names[run->fidelity]);
		base_json_double(j, "load", run->load);
		base_json_string(j, "failed", run->failed);
		if (run->done) {
			json_file(j, run);
			base_json_array(j, "jobs");
			for (int k = 0; k < run->jobs; k++) {
				base_json_object(j, NULL);
				double weight = run->job[k].weight > 0 ? run->job[k].weight : 1;
				base_json_double(j, "offered_load", weight * run->job[k].offered);
				base_json_double(j, "accepted_load", weight * run->job[k].accepted);
				base_json_end(j);
			}
			base_json_end(j);
			base_json_double(j, "latency_mean_ns", run->mean_ns);
			base_json_double(j, "latency_p99_ns", run->p99_ns);
			base_json_double(j, "simulated_ns", run->simulated_ns);
			base_json_string(j, "digest", run->digest);
		}
		base_json_end(j);
	}
	base_json_end(j);
}

static void json_series(struct base_json *j, const struct xp_series *s)
{
	base_json_object(j, NULL);
	base_json_string(j, "traffic", s->demand->name);
	base_json_string(j, "message", s->message);
	json_share(j, "bound", s->cap.share);
	base_json_string(j, "bound_why", s->cap.share < 0 ? s->cap.why : NULL);
	base_json_string(j, "state", s->impossible || s->design->failed ? "failed" : stage_names[s->stage]);
	base_json_string(j, "impossible", s->impossible);
	if (!s->design->failed && !s->impossible && s->stage != XP_BROKEN_OFF) {
		double watts = s->design->net->costing.watts, gbps = xp_delivered_gbps(s, (s->low + s->high) / 2);
		base_json_uint(j, "place", s->place);
		base_json_uint(j, "shared_by", s->shared);
		json_range(j, "saturation", s->low, s->high);
		json_range(j, "delivered_gbps", xp_delivered_gbps(s, s->low), xp_delivered_gbps(s, s->high));
		json_range(j, "worth", xp_worth(s, s->low), xp_worth(s, s->high));
		json_share(j, "watts_per_gbps", gbps > 0 ? watts / gbps : NAN);
	}
	json_points(j, s);
	base_json_end(j);
}

static void json_latency(struct base_json *j, const char *key, const struct xp_sim_run *l)
{
	base_json_object(j, key);
	json_file(j, l);
	base_json_double(j, "load", l->load);
	xp_stationarity_member(j, l->said);
	base_json_double(j, "mean_ns", l->mean_ns);
	base_json_double(j, "mean_half_width_ns", l->mean_half_ns);
	base_json_double(j, "p99_ns", l->p99_ns);
	base_json_double(j, "p99_half_width_ns", l->p99_half_ns);
	base_json_double(j, "p999_ns", l->p999_ns);
	base_json_end(j);
}

/* One size of a collective on a design, with all seeds. */
static void json_collective(const struct xp_compare *c, struct base_json *j, const struct xp_design *d,
                            const struct xp_collective *k, const char *size, const struct xp_timing *t,
                            struct xp_sim_run *const *run)
{
	base_json_object(j, NULL);
	base_json_string(j, "name", k->name);
	base_json_string(j, "size", size);
	base_json_string(j, "failed", run[0]->failed);
	base_json_uint(j, "finished", run[0]->finished);
	base_json_uint(j, "phases", (uint64_t)k->phases);
	base_json_double(j, "time_ns", t->mean_ns);
	base_json_double(j, "half_width_ns", t->half_ns);
	base_json_array(j, "times_ns");
	for (int64_t i = 0; i < c->study.number.seeds; i++)
		base_json_double(j, NULL, xp_collective_ns(d, k, run[i]));
	base_json_end(j);
	if (isfinite(t->worth))
		json_range(j, "worth", t->worth - (isfinite(t->half_worth) ? t->half_worth : 0),
		           t->worth + (isfinite(t->half_worth) ? t->half_worth : 0));
	if (t->place) {
		base_json_uint(j, "place", t->place);
		base_json_uint(j, "shared_by", t->shared);
	}
	base_json_end(j);
}

static void json_collectives(const struct xp_compare *c, struct base_json *j, const struct xp_design *d)
{
	const struct xp_study *s = &c->study;
	size_t m = 0;
	base_json_array(j, "collectives");
	for (size_t k = 0; k < s->ncollectives; k++)
		for (size_t z = 0; z < s->collective[k].nsizes; z++, m++) {
			struct xp_sim_run *const *run = &d->collective[m * (size_t)s->number.seeds];
			if (!run[0])
				continue;
			struct xp_timing *t = xp_timings(c, &s->collective[k], z, m);
			json_collective(c, j, d, &s->collective[k], s->collective[k].size[z], &t[d - c->design], run);
			free(t);
		}
	base_json_end(j);
}

static void json_finals(const struct xp_compare *c, struct base_json *j, const struct xp_design *d)
{
	const struct xp_study *s = &c->study;
	const struct xp_sim_run *l = d->latency;
	base_json_bool(j, "finalist", d->finalist);
	if (l && l->done)
		json_latency(j, "latency", l);
	base_json_array(j, "curve");
	for (size_t i = 0; i < s->ncurve; i++)
		if (d->curve[i] && d->curve[i]->done)
			json_latency(j, NULL, d->curve[i]);
	base_json_end(j);
	json_collectives(c, j, d);
}

static void json_design(const struct xp_compare *c, struct base_json *j, const struct xp_design *d)
{
	base_json_object(j, NULL);
	base_json_string(j, "name", d->name);
	base_json_string(j, "network", d->net->candidate->name);
	base_json_string(j, "routing", *d->routing->name ? d->routing->name : NULL);
	base_json_string(j, "congestion", *d->congestion->name ? d->congestion->name : NULL);
	base_json_string(j, "failed", d->failed);
	base_json_array(j, "series");
	for (size_t k = 0; k < c->columns; k++)
		json_series(j, &d->series[k]);
	base_json_end(j);
	json_finals(c, j, d);
	base_json_end(j);
}

/* At what factor on a price another network is first, traffic by traffic. */
static void json_ties(const struct xp_compare *c, struct base_json *j)
{
	struct topo_tie tie[XP_PARTS];
	base_json_array(j, "first_place_changes");
	for (size_t k = 0; k < c->columns; k++) {
		const struct xp_series *s = &c->design[0].series[k];
		for (int p = 0; p < XP_PARTS && c->ndesigns && xp_first_place_ties(c, k, tie); p++) {
			base_json_object(j, NULL);
			base_json_string(j, "traffic", s->demand->name);
			base_json_string(j, "message", s->message);
			base_json_string(j, "price_of", xp_part_names[p]);
			json_share(j, "above_factor", tie[p].above > 0 ? tie[p].above : -1);
			base_json_string(j, "above_first", tie[p].above > 0 ? c->design[tie[p].above_b].name : NULL);
			json_share(j, "below_factor", tie[p].below > 0 ? tie[p].below : -1);
			base_json_string(j, "below_first", tie[p].below > 0 ? c->design[tie[p].below_b].name : NULL);
			base_json_end(j);
		}
	}
	base_json_end(j);
}

static void json_spent(const struct xp_compare *c, struct base_json *j)
{
	base_json_object(j, "spent");
	base_json_object(j, "sizing");
	base_json_double(j, "wall_s", c->size_s);
	base_json_end(j);
	base_json_object(j, "bounds");
	base_json_double(j, "wall_s", c->bound_s);
	base_json_end(j);
	for (int f = 0; f < XP_FIDELITIES; f++) {
		uint64_t n = 0, hops = 0, events = 0;
		double ns = 0, s = 0;
		for (size_t i = 0; i < c->nsim_runs; i++) {
			const struct xp_sim_run *run = c->sim_run[i];
			if ((int)run->fidelity != f || !run->done)
				continue;
			n++;
			hops += run->packet_hops;
			events += run->events;
			ns += run->simulated_ns;
			s += run->wall_s;
		}
		base_json_object(j, xp_fidelity_names[f]);
		base_json_uint(j, "runs", n);
		base_json_uint(j, "packet_hops", hops);
		base_json_uint(j, "events", events);
		base_json_double(j, "simulated_ns", ns);
		base_json_double(j, "wall_s", s);
		base_json_end(j);
	}
	base_json_end(j);
}

void xp_compare_json(const struct xp_compare *c, struct base_json *j)
{
	const struct xp_study *s = &c->study;
	char digest[24];
	snprintf(digest, sizeof digest, "%016" PRIx64, xp_compare_digest(c));
	base_json_object(j, NULL);
	base_json_string(j, "record", "comparison");
	base_json_int(j, "format", 1);
	base_json_string(j, "name", s->ground.name);
	base_json_string(j, "title", s->ground.title);
	base_json_string(j, "description", s->ground.description);
	base_json_bool(j, "complete", c->complete);
	base_json_string(j, "equal", s->basis ? xp_basis_names[s->basis] : NULL);
	base_json_double(j, "budget", c->wish.budget > 0 ? c->wish.budget : NAN);
	base_json_string(j, "cost_model", c->wish.base.priced ? c->wish.base.model.plugin->name : NULL);
	base_json_double(j, "link_gbps", c->wish.base.gbps);
	base_json_string(j, "worth_per", xp_worth_unit(c));
	base_json_string(j, "ranked_by", s->demand[s->rank].name);
	base_json_array(j, "mixes");
	for (size_t i = 0; i < s->ndemands; i++) {
		const struct xp_demand *d = &s->demand[i];
		if (!d->nparts)
			continue;
		base_json_object(j, NULL);
		base_json_string(j, "name", d->name);
		base_json_object(j, "weights");
		for (size_t k = 0; k < d->nparts; k++)
			base_json_double(j, s->demand[d->part[k]].name, d->weight[k]);
		base_json_end(j);
		base_json_end(j);
	}
	base_json_end(j);
	base_json_array(j, "networks");
	for (size_t i = 0; i < c->nnets; i++)
		json_net(c, j, &c->net[i]);
	base_json_end(j);
	base_json_array(j, "designs");
	for (size_t i = 0; i < c->ndesigns; i++)
		json_design(c, j, &c->design[i]);
	base_json_end(j);
	json_ties(c, j);
	json_spent(c, j);
	base_json_string(j, "digest", digest);
	base_json_end(j);
	base_json_newline(j);
}
