/* experiments/commands/size_print.c - what `tilefly size` prints. */
#include "base/json.h"
#include "experiments/commands/size.h"
#include "experiments/results/table.h"

#include <inttypes.h>
#include <math.h>

#define UNUSED 0.05 /* of a budget: more than this is marked */

static double share_left(const struct xp_wish *w, const struct xp_sized *s)
{
	return 1 - s->costing.cost.total / w->budget;
}

static bool uses_few(const struct xp_wish *w, const struct xp_sized *s)
{
	return xp_size_ports_used(&s->best, w->radix) < XP_PORTS_USED;
}

static double cables_per_endpoint(const struct topo_member *m)
{
	return (double)topo_member_cables(m) / (double)m->endpoints;
}

/* --- text ------------------------------------------------------------------------------------------------ */

static void print_task(const struct xp_wish *w)
{
	const char *currency = w->base.priced ? topo_currency(&w->base.model) : "";
	if (w->objective == XP_SIZE_LARGEST)
		printf("Most endpoints");
	else if (w->objective == XP_SIZE_BUDGET)
		printf("Most endpoints for %.0f %s", w->budget, currency);
	else
		printf("%s for %" PRIu64 " endpoints", w->base.priced ? "Cheapest" : "Fewest ports", w->endpoints);
	printf(", switches of at most %u ports, uniform traffic at %g or more%s%s\n\n", w->radix, w->throughput,
	       w->base.priced ? ", " : "", w->base.priced ? w->base.model.plugin->name : "");
}

static void add_best(struct xp_table *t, const struct xp_wish *w, const struct xp_sized *s)
{
	const struct topo_member *m = &s->best;
	const struct xp_costing *c = &s->costing;
	const char *few = uses_few(w, s) ? " <" : "  ";
	double used = xp_percent_down(xp_size_ports_used(m, w->radix)), none = c->priced ? 0 : (double)NAN;
	char text[200];
	topo_member_print(m, text, sizeof text);
	xp_table_texts(t, s->family->name, text);
	xp_table_numbers(t, (double)m->endpoints, (double)m->switches, (double)m->cables, m->radix, m->uniform,
	                 (double)topo_member_ports(m) / (double)m->endpoints, cables_per_endpoint(m),
	                 xp_per_endpoint(c, c->bill.metres[TOPO_OPTICAL]));
	if (w->base.priced)
		xp_table_numbers(t, c->cost.total + none, xp_per_endpoint(c, c->cost.total) + none);
	if (w->objective == XP_SIZE_CHEAPEST)
		xp_table_note(t, "  %3.0f %%%s  %" PRIu64 " endpoints", used, few, m->endpoints - w->endpoints);
	else if (w->objective == XP_SIZE_BUDGET)
		xp_table_note(t, "  %3.0f %%%s  %.1f %%%s", used, few, 100 * share_left(w, s),
		              share_left(w, s) > UNUSED ? " *" : "");
	else
		xp_table_note(t, "  %3.0f %%%s  %u ports", used, few, w->radix - m->radix);
}

static void print_rejected(const struct xp_wish *w, const struct xp_sized *s)
{
	char text[200], below[32];
	if (s->why)
		printf("  %-15s none examined: %s\n", s->family->name, s->why);
	else if (!s->found)
		printf("  %-15s none of %" PRIu64 " members is admissible%s\n", s->family->name, s->members,
		       s->all ? "" : ", of those that were priced");
	if (*s->unsold)
		printf("  %-15s a member has no price: %s\n", s->family->name, s->unsold);
	if (s->found && !s->all)
		printf("  %-15s members that might be better were not priced, because that takes too long\n",
		       s->family->name);
	if (s->has_slow) {
		topo_member_print(&s->slow, text, sizeof text);
		printf("  %-15s %s: %" PRIu64 " endpoints, %" PRIu64 " ports, but uniform traffic at most at %s\n",
		       s->family->name, text, s->slow.endpoints, topo_member_ports(&s->slow),
		       xp_size_below(w, s->slow.uniform, below));
	}
	if (s->has_wide) {
		topo_member_print(&s->wide, text, sizeof text);
		printf("  %-15s %s: %" PRIu64 " endpoints, %" PRIu64 " ports, but needs switches of %u ports\n",
		       s->family->name, text, s->wide.endpoints, topo_member_ports(&s->wide), s->wide.radix);
	}
	if (s->has_dear) {
		topo_member_print(&s->dear, text, sizeof text);
		printf("  %-15s %s: %" PRIu64 " endpoints, but costs %s%.0f, %.1f %% over the budget\n",
		       s->family->name, text, s->dear.endpoints, s->dear_bound ? "at least " : "", s->dear_total,
		       100 * (s->dear_total / w->budget - 1));
	}
}

void xp_size_print_text(const struct xp_wish *w, struct xp_sized *const *sized, int n)
{
	bool marked = false, few = false;
	struct xp_table t = { .gap = 1 };
	xp_table_layout(&t, "family:-15|parameters|endpoints:9:%.0f|switches:8:%.0f|cables:9:%.0f|radix:5:%.0f|"
	                    "uniform:8:%.4f|ports:7:%.4f|cables:7:%.4f|optics/m:8:%.3f");
	if (w->base.priced)
		xp_table_layout(&t, "total:12:%.0f|  an endp.:9:%.2f");
	for (int i = 0; i < n; i++) {
		if (!sized[i]->found)
			continue;
		add_best(&t, w, sized[i]);
		few = few || uses_few(w, sized[i]);
		marked = marked || (w->objective == XP_SIZE_BUDGET && share_left(w, sized[i]) > UNUSED);
	}
	t.behind = "   used   left";
	print_task(w);
	xp_table_print(&t, stdout);
	printf("\nThe second columns of ports and cables, and optics, are per endpoint, including its own cable.%s\n",
	       marked ? "  *: more than 5 % of the budget remains, because members of a family come in steps." : "");
	if (few)
		printf("<: less than 85 %% of the %u ports of its switches are used; --explain prints which members "
		       "were excluded.\n",
		       w->radix);
	printf("\nBetter members that were rejected:\n");
	for (int i = 0; i < n; i++)
		print_rejected(w, sized[i]);
}

/* --- JSON ------------------------------------------------------------------------------------------------ */

static void json_member(struct base_json *j, const struct topo_member *m)
{
	char text[200], topology[300];
	topo_member_print(m, text, sizeof text);
	snprintf(topology, sizeof topology, "{ kind = \"%s\"; %s; }", m->family->kind, text);
	base_json_string(j, "topology", topology);
	base_json_uint(j, "endpoints", m->endpoints);
	base_json_uint(j, "switches", m->switches);
	base_json_uint(j, "cables", m->cables);
	base_json_uint(j, "radix", m->radix);
	base_json_uint(j, "ports", topo_member_ports(m));
	base_json_double(j, "uniform", m->uniform);
}

static void json_reject(struct base_json *j, const char *because, const struct topo_member *m, double total, bool bound)
{
	base_json_object(j, NULL);
	base_json_string(j, "because", because);
	json_member(j, m);
	if (total >= 0)
		base_json_double(j, bound ? "cost_at_least" : "cost_total", total);
	base_json_end(j);
}

static void json_best(struct base_json *j, const struct xp_wish *w, const struct xp_sized *s)
{
	const struct xp_costing *c = &s->costing;
	json_member(j, &s->best);
	base_json_double(j, "cables_per_endpoint", cables_per_endpoint(&s->best));
	base_json_double(j, "optical_m_per_endpoint", xp_per_endpoint(c, c->bill.metres[TOPO_OPTICAL]));
	if (w->base.priced) {
		base_json_double(j, "cost_total", c->priced ? c->cost.total : NAN);
		base_json_double(j, "cost_per_endpoint", c->priced ? xp_per_endpoint(c, c->cost.total) : NAN);
	}
	base_json_double(j, "ports_used", xp_size_ports_used(&s->best, w->radix));
	base_json_uint(j, "ports_left", w->radix - s->best.radix);
	if (w->objective == XP_SIZE_CHEAPEST)
		base_json_uint(j, "endpoints_left", s->best.endpoints - w->endpoints);
	if (w->objective == XP_SIZE_BUDGET)
		base_json_double(j, "budget_left", w->budget - c->cost.total);
}

void xp_size_print_json(const struct xp_wish *w, struct xp_sized *const *sized, int n)
{
	static const char *const objectives[] = { "largest", "cheapest", "budget" };
	struct base_json j = base_json_stream(stdout);
	base_json_object(&j, NULL);
	base_json_string(&j, "objective", objectives[w->objective]);
	base_json_uint(&j, "radix", w->radix);
	base_json_double(&j, "throughput", w->throughput);
	base_json_string(&j, "cost_model", w->base.priced ? w->base.model.plugin->name : "none");
	base_json_array(&j, "families");
	for (int i = 0; i < n; i++) {
		const struct xp_sized *s = sized[i];
		base_json_object(&j, NULL);
		base_json_string(&j, "family", s->family->name);
		base_json_bool(&j, "found", s->found);
		base_json_uint(&j, "members", s->members);
		base_json_uint(&j, "priced", s->priced);
		base_json_bool(&j, "complete", s->all);
		xp_size_explain_json(&j, s);
		if (s->why)
			base_json_string(&j, "why", s->why);
		if (*s->unsold)
			base_json_string(&j, "without_price", s->unsold);
		if (s->found)
			json_best(&j, w, s);
		base_json_array(&j, "rejected");
		if (s->has_slow)
			json_reject(&j, "throughput", &s->slow, -1, false);
		if (s->has_wide)
			json_reject(&j, "ports", &s->wide, -1, false);
		if (s->has_dear)
			json_reject(&j, "price", &s->dear, s->dear_total, s->dear_bound);
		base_json_end(&j);
		base_json_end(&j);
	}
	base_json_end(&j);
	base_json_end(&j);
	base_json_newline(&j);
}
