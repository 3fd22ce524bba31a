/* experiments/report/network.c - see network.h.
 *
 * A network is rebuilt from the sections topology and layout of a manifest. No other section is read and no plug-in is
 * loaded, because results may come from untrusted sources. */
#include "experiments/report/network.h"
#include "experiments/report/page.h"
#include "experiments/report/places.h"
#include "experiments/report/records.h"

#include "base/format.h"
#include "base/memory.h"
#include "experiments/config/builtin.h"
#include "experiments/config/config.h"
#include "experiments/results/flatten.h"
#include "experiments/results/reader.h"
#include "network/network.h"
#include "topo/layout.h"
#include "topo/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define KEPT 6            /* networks of a page */
#define MOST_SWITCHES 600 /* more cannot be distinguished */
#define MOST_CABLES 9000
#define MOST_RACKS 400
#define MOST_ENDS 1000000 /* of cables, that are looked at for the machine room */

/* A cable's ends, or the racks of a bundle of them. */
struct cable {
	uint32_t a, b, n;
	int kind; /* link class, or enum topo_medium */
	double metres;
};

struct cables {
	struct cable *v;
	size_t n;
};

/* --- the networks of a page --------------------------------------------------------------------------------- */

static void add_set(void *arg, const char *path, const json_t *value)
{
	char *text = xp_value_text(value);
	if (!json_is_null(value)) {
		char *set = base_format("%s=%s", path, text);
		json_array_append_new(arg, xp_json_text(set));
		free(set);
	}
	free(text);
}

/* The members of sections as assignments. */
static json_t *sets_of(const json_t *config, const char *const *sections, size_t n)
{
	json_t *some = json_object(), *sets = json_array();
	for (size_t i = 0; i < n; i++)
		if (json_is_object(json_object_get(config, sections[i])))
			json_object_set(some, sections[i], json_object_get(config, sections[i]));
	xp_flatten(some, false, add_set, sets);
	json_decref(some);
	return sets;
}

static void keep_network(struct xp_report *report, const char *name, const json_t *manifest, bool bill)
{
	static const char *const parts[] = { "topology", "layout", "links", "cost" };
	const json_t *config = json_object_get(manifest, "config");
	if (!*xp_text(json_object_get(config, "topology"), "kind"))
		return;
	json_t *sets = sets_of(config, parts, 2), *priced = sets_of(config, parts, 4);
	char *key = json_dumps(priced, JSON_COMPACT);
	report->networks = report->networks ? report->networks : json_object();
	if (key && !json_object_get(report->networks, key) && json_object_size(report->networks) < KEPT)
		json_object_set_new(report->networks, key,
		                    json_pack("{s:o, s:O, s:O*}", "name", xp_json_text(name), "sets", sets, "priced",
		                              bill ? priced : NULL));
	free(key);
	json_decref(sets);
	json_decref(priced);
}

void xp_network_keep(struct xp_report *report, const char *name, const json_t *manifest)
{
	keep_network(report, name, manifest, true);
}

void xp_network_keep_drawing(struct xp_report *report, const char *name, const json_t *manifest)
{
	keep_network(report, name, manifest, false);
}

bool xp_network_build(struct xp_network *net, const json_t *list, struct base_registry *registry)
{
	struct base_errors errors = { 0 };
	size_t n = json_array_size(list);
	const char **v = base_calloc(n + 1, sizeof *v);
	for (size_t i = 0; i < n; i++)
		v[i] = json_string_value(json_array_get(list, i));
	struct xp_sets sets = { .v = v, .n = n };
	if (!xp_config_parse(&net->config, "", 0, "manifest", NULL, &sets, XP_TOPOLOGY_ONLY, registry, &errors) &&
	    !net_build_topology(&net->config.net, &net->topo, &errors))
		net->built = true;
	net->placed = net->built && !topo_layout_build(&net->layout, &net->topo, &net->config.net.layout, &errors);
	base_errors_free(&errors);
	free(v);
	return net->built;
}

void xp_network_release(struct xp_network *net)
{
	if (net->placed)
		topo_layout_free(&net->layout);
	if (net->built)
		topo_destroy(&net->topo);
	xp_config_free(&net->config);
}

/* --- cables ------------------------------------------------------------------------------------------------- */

static int by_ends(const void *a, const void *b)
{
	const struct cable *p = a, *q = b;
	if (p->kind != q->kind)
		return p->kind < q->kind ? -1 : 1;
	if (p->a != q->a)
		return p->a < q->a ? -1 : 1;
	return (p->b > q->b) - (p->b < q->b);
}

/* Cables with the same ends and kind become one, of the mean length. */
static void gather(struct cables *c)
{
	size_t n = 0;
	qsort(c->v, c->n, sizeof *c->v, by_ends);
	for (size_t i = 0; i < c->n; i++) {
		if (n && !by_ends(&c->v[n - 1], &c->v[i])) {
			c->v[n - 1].n += c->v[i].n;
			c->v[n - 1].metres += c->v[i].metres;
		} else {
			c->v[n++] = c->v[i];
		}
	}
	c->n = n;
}

/* All cables between switches, each once; of racks: between racks, by medium. */
static struct cables find_cables(const struct xp_network *net, bool racks)
{
	const struct topo *topo = &net->topo;
	struct cables c = { 0 };
	size_t room = 0;
	for (topo_switch s = 0; s < topo->switches; s++)
		for (topo_port p = 0; p < topo_ports(topo, s); p++) {
			struct topo_hop hop = topo_peer(topo, s, p);
			if (hop.to < s || (hop.to == s && hop.port < p))
				continue;
			if (c.n == room)
				c.v = base_realloc(c.v, (room = room ? 2 * room : 1024) * sizeof *c.v);
			double metres = net->placed ? topo_layout_mm(&net->layout, s, hop.to) / 1000.0 : NAN;
			struct cable *one = &c.v[c.n++];
			*one = (struct cable){ s, hop.to, 1, topo_named_class(topo, hop.link_class), metres };
			if (!racks)
				continue;
			uint32_t a = net->layout.rack[s], b = net->layout.rack[hop.to];
			one->a = a < b ? a : b;
			one->b = a < b ? b : a;
			one->kind = (int)topo_layout_medium(&net->layout, topo_layout_mm(&net->layout, s, hop.to));
		}
	gather(&c);
	return c;
}

/* --- drawings ----------------------------------------------------------------------------------------------- */

/* [x, y, name, group, note] */
static void add_node(json_t *nodes, double x, double y, const char *name, int group, const char *note)
{
	json_array_append_new(nodes,
	                      json_pack("[o, o, s, i, s]", xp_json_number(x), xp_json_number(y), name, group, note));
}

static json_t *switches_of(const struct topo *topo, const struct xp_places *places)
{
	json_t *nodes = json_array();
	for (topo_switch s = 0; s < topo->switches; s++) {
		char name[TOPO_CALLED], note[80];
		uint32_t endpoints = topo_first_endpoint(topo, s + 1) - topo_first_endpoint(topo, s);
		topo_call_switch(topo, s, name);
		snprintf(note, sizeof note, "%u endpoint%s, %u ports to switches", endpoints, endpoints == 1 ? "" : "s",
		         topo_ports(topo, s));
		add_node(nodes, places->at[s].x, places->at[s].y, name, places->at[s].group, note);
	}
	return nodes;
}

/* Cables of a kind, [a, b, number, metres on average]; between: none inside a rack. */
static json_t *class_of_cables(const struct cables *cables, int kind, const char *name, bool between)
{
	json_t *list = json_array();
	for (size_t i = 0; i < cables->n; i++) {
		const struct cable *c = &cables->v[i];
		if (c->kind == kind && !(between && c->a == c->b))
			json_array_append_new(list, json_pack("[I, I, I, o]", (json_int_t)c->a, (json_int_t)c->b,
			                                      (json_int_t)c->n, xp_json_number(c->metres / c->n)));
	}
	return json_pack("{s:o, s:o}", "name", xp_json_text(name), "cables", list);
}

/* A drawing, as web/run.js takes it; nodes and classes are released. */
static void draw_network(struct xp_report *report, const char *name, const char *caption, double aspect, double curve,
                         const char *symbol, int size, double opacity, json_t *nodes, json_t *classes)
{
	xp_records(report, name,
	           json_pack("{s:o, s:o, s:f, s:f, s:s, s:i, s:f, s:o, s:o}", "name", xp_json_text(name), "caption",
	                     xp_json_text(caption), "aspect", aspect, "curve", curve, "symbol", symbol, "size", size,
	                     "opacity", opacity, "nodes", nodes, "classes", classes));
	xp_figures(report, "network", name);
}

static void draw_graph(struct xp_report *report, const struct xp_network *net, const char *name)
{
	const struct topo *topo = &net->topo;
	struct cables cables = { 0 };
	struct xp_places places;
	char caption[600];
	if (topo->switches > 1 && topo->switches <= MOST_SWITCHES)
		cables = find_cables(net, false);
	if (!cables.n || cables.n > MOST_CABLES) {
		fprintf(report->page, "<p class=\"soft\">%u switch%s: %s a drawing.</p>\n", topo->switches,
		        topo->switches == 1 ? "" : "es", topo->switches < 2 ? "nothing for" : "too many for");
		free(cables.v);
		return;
	}
	xp_places_find(&places, topo);
	snprintf(caption, sizeof caption,
	         "%.100s: %u switches and %u endpoints. %s Point at a switch to see its cables alone.", topo->kind,
	         topo->switches, topo->endpoints, places.how);
	json_t *classes = json_array();
	for (int k = 0; k < topo_named_classes(topo); k++) {
		char title[100];
		snprintf(title, sizeof title, "%.90s cables", topo->link_class_name[k]);
		json_array_append_new(classes, class_of_cables(&cables, k, title, false));
	}
	draw_network(report, name, caption, places.aspect, places.curve, "circle", topo->switches > 200 ? 5 : 8,
	             topo->switches > 200 ? 0.25 : 0.45, switches_of(topo, &places), classes);
	free(places.at);
	free(cables.v);
}

/* Draws racks at their positions in metres. Cables within a rack are not drawn; their number is in the rack's tooltip.
 */
static json_t *racks_of(const struct topo_layout *l, const struct topo *topo, const struct cables *cables)
{
	uint32_t *switches = base_calloc(l->racks, sizeof *switches), *inside = base_calloc(l->racks, sizeof *inside);
	json_t *nodes = json_array();
	for (topo_switch s = 0; s < topo->switches; s++)
		switches[l->rack[s]]++;
	for (size_t i = 0; i < cables->n; i++)
		if (cables->v[i].a == cables->v[i].b)
			inside[cables->v[i].a] += cables->v[i].n;
	for (uint32_t r = 0; r < l->racks; r++) {
		char name[64], note[120];
		snprintf(name, sizeof name, "rack %u", r);
		snprintf(note, sizeof note, "%u switches, %u cables inside", switches[r], inside[r]);
		add_node(nodes, r % l->columns * l->width / 1000.0, -(double)(r / l->columns) * l->depth / 1000.0, name,
		         -1, note);
	}
	free(switches);
	free(inside);
	return nodes;
}

static void draw_room(struct xp_report *report, const struct xp_network *net, const char *name)
{
	static const char *const media[TOPO_MEDIA] = {
		[TOPO_COPPER] = "copper between racks", [TOPO_OPTICAL] = "optical between racks"
	};
	const struct topo_layout *l = &net->layout;
	char caption[500];
	if (!net->placed || l->racks < 2 || l->racks > MOST_RACKS ||
	    (uint64_t)net->topo.switches * net->topo.max_ports > MOST_ENDS)
		return;
	struct cables cables = find_cables(net, true);
	double metres = 0;
	uint64_t between = 0;
	for (size_t i = 0; i < cables.n; i++)
		if (cables.v[i].a != cables.v[i].b) {
			metres += cables.v[i].metres;
			between += cables.v[i].n;
		}
	snprintf(
	    caption, sizeof caption,
	    "The machine room from above: %u racks in %u rows, at most %u switches in one; %" PRIu64
	    " cables of %.0f m together between racks, by the layout of the configuration. A thick line is a bundle.",
	    l->racks, l->rows, l->most, between, metres);
	json_t *classes = json_array();
	for (int k = 0; k < TOPO_MEDIA; k++)
		json_array_append_new(classes, class_of_cables(&cables, k, media[k], true));
	double width = l->columns * l->width / 1000.0, depth = l->rows * l->depth / 1000.0;
	draw_network(report, name, caption, fmin(fmax(depth / width, 0.2), 0.8), 0.15, "rect", l->racks > 100 ? 9 : 16,
	             0.3, racks_of(l, &net->topo, &cables), classes);
	free(cables.v);
}

void xp_network_section(struct xp_report *report)
{
	struct base_registry registry = { 0 };
	const char *key;
	json_t *entry;
	bool any = false;
	if (!report->networks)
		return;
	xp_register_builtin(&registry);
	json_object_foreach(report->networks, key, entry)
	{
		struct xp_network net = { 0 };
		char name[300];
		const char *of = xp_text(entry, "name");
		if (xp_network_build(&net, json_object_get(entry, "sets"), &registry)) {
			if (!any)
				xp_page_section(report,
				                json_object_size(report->networks) > 1 ? "Networks" : "Network");
			any = true;
			fputs("<h3>", report->page);
			xp_page_text(report->page, net.topo.kind);
			fputs(", of ", report->page);
			xp_page_text(report->page, of);
			fputs("</h3>\n", report->page);
			snprintf(name, sizeof name, "%.200s-network", of);
			draw_graph(report, &net, name);
			snprintf(name, sizeof name, "%.200s-room", of);
			draw_room(report, &net, name);
		}
		xp_network_release(&net);
	}
	if (any)
		xp_network_bills(report, &registry);
	base_registry_free(&registry);
}
