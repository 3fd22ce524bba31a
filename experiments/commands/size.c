/* experiments/commands/size.c - `tilefly size`: finds the best member of every topology family for a number of
 * endpoints, a budget or a switch radix. */
#include "experiments/commands/size.h"

#include "base/memory.h"
#include "experiments/commands/command.h"
#include "experiments/commands/registry.h"
#include "experiments/config/message.h"
#include "experiments/costing/links.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RADIX 256

/* --- options --------------------------------------------------------------------------------------------- */

struct numbers {
	int64_t endpoints, radix, trunk;
	double throughput, budget;
};

static const struct base_param rows[] = {
	{ BASE_KEY_AT("--endpoints", INT, struct numbers, endpoints, NULL), .min = 2, .max = TOPO_MAX_ENDPOINTS },
	{ BASE_KEY_AT("--radix", INT, struct numbers, radix, NULL), .min = 3, .max = MOST_RADIX },
	{ BASE_KEY_AT("--throughput", FLOAT, struct numbers, throughput, NULL), .min = 0.001, .max = 1 },
	{ BASE_KEY_AT("--trunk", INT, struct numbers, trunk, NULL), .min = 1, .max = TOPO_MAX_NEXT },
};

static int read_numbers(const struct xp_options *o, struct numbers *n, struct base_errors *errors)
{
	const char *text[] = { o->endpoints, o->radix, o->throughput ? o->throughput : "0.99", o->trunk };
	char key[40];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct base_param row = rows[i];
		snprintf(key, sizeof key, "@%s", row.name);
		row.name = key;
		if (text[i])
			base_param_parse(&row, n, text[i], errors);
	}
	if (o->endpoints && o->budget)
		xp_error_at(
		    errors, "--budget",
		    "cannot be combined with --endpoints, which leaves nothing to choose: remove one of the two");
	if (!o->endpoints && !o->budget && !o->radix)
		xp_error_at(errors, xp_message_prefix(), "one of --endpoints, --budget and --radix is required");
	return errors->errors ? -1 : 0;
}

/* Money in the currency of the model. */
static int read_budget(const struct xp_options *o, struct xp_wish *w, struct base_errors *errors)
{
	struct numbers n = { 0 };
	struct base_param row = { BASE_KEY_AT("@--budget", MEASURE, struct numbers, budget, NULL), .min = 1,
		                  .max = 1e15 };
	if (!w->base.priced)
		return xp_error_at(errors, "--budget", "needs a cost model, as in --set cost.kind=sc14-linear");
	row.unit = topo_currency(&w->base.model);
	int status = base_param_parse(&row, &n, o->budget, errors);
	w->budget = n.budget;
	return status;
}

static const struct topo_family *family_of(const char *name, size_t length)
{
	for (const struct topo_family *f = topo_families; f->name; f++)
		if (strlen(f->name) == length && !memcmp(f->name, name, length))
			return f;
	return NULL;
}

/* The families that --family names, all without it, ended by NULL; owned by the caller. */
static const struct topo_family **read_families(const char *text, struct base_errors *errors)
{
	const char *names[64];
	size_t n = 0, known = 0;
	while (topo_families[known].name) {
		names[known] = topo_families[known].name;
		known++;
	}
	const struct topo_family **out = base_calloc(known + 1 + (text ? strlen(text) : 0), sizeof *out);
	for (; !text && n < known; n++)
		out[n] = &topo_families[n];
	if (text && !*text)
		xp_error_at(errors, "--family", "must name at least one family");
	while (text && *text) {
		size_t length = strcspn(text, ",");
		char word[64];
		snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), text);
		out[n] = family_of(text, length);
		const char *near = out[n] ? NULL : base_nearest(word, names, known);
		if (near)
			xp_error_at(errors, "--family", "there is no family \"%s\"; did you mean \"%s\"?", word, near);
		else if (!out[n])
			xp_error_at(errors, "--family", "there is no family \"%s\"; tilefly help size lists them",
			            word);
		for (size_t i = 0; i < n && out[n]; i++)
			if (out[i] == out[n])
				xp_error_at(errors, "--family", "\"%s\" is listed twice", word);
		n++;
		text += length + (text[length] == ',');
	}
	return out;
}

/* --- the search ------------------------------------------------------------------------------------------ */

/* A configuration of one switch: its rates, layout and model are those of all members. */
static int make_base(const struct xp_options *o, struct xp_wish *w, struct base_errors *errors)
{
	const char **v = base_calloc(o->nsets + 1, sizeof *v);
	v[0] = "topology={ kind = \"single\"; ports = 3; }";
	for (size_t i = 0; i < o->nsets; i++)
		v[i + 1] = o->sets[i];
	struct xp_sets sets = { .v = v, .n = o->nsets + 1 };
	int status = xp_costing_load(&w->base, w->source, &sets, XP_LINKS_OF_BASE, w->registry, errors);
	if (!status && w->base.config.net.noverrides)
		status = base_errorf(errors, "links.override",
		                     "names cables of one network and cannot be used in a search over many");
	free(v);
	return status;
}

/* The links must be of some of the families. */
static int check_links(const struct xp_wish *w, const struct xp_sized *sized, int n)
{
	struct xp_links_net *net = base_calloc((size_t)n + 1, sizeof *net);
	struct base_errors errors = { 0 };
	bool differ;
	for (int i = 0; i < n; i++) {
		net[i].costing = sized[i].found ? &sized[i].costing : NULL;
		net[i].kind = base_find(w->registry, "topology", sized[i].family->kind);
	}
	int status = xp_links_judge(&w->base.config.net, net, (size_t)n, &differ, &errors);
	xp_config_report(&w->base.config, &errors, stderr);
	base_errors_free(&errors);
	free(net);
	return status;
}

/* The best first: as the objective says; families in which nothing was found last. */
static bool comes_before(const struct xp_wish *w, const struct xp_sized *a, const struct xp_sized *b)
{
	if (!a->found || !b->found)
		return a->found && !b->found;
	if (w->objective != XP_SIZE_CHEAPEST)
		return a->best.endpoints != b->best.endpoints ? a->best.endpoints > b->best.endpoints
		                                              : xp_size_is_better(w, &a->best, &b->best);
	if (w->base.priced)
		return a->costing.cost.total < b->costing.cost.total;
	return topo_member_ports(&a->best) < topo_member_ports(&b->best);
}

/* Why there is nothing to choose from. */
static int say_nothing_found(const struct xp_wish *w)
{
	char what[160];
	if (w->objective == XP_SIZE_CHEAPEST)
		snprintf(what, sizeof what, "has at least %" PRIu64 " endpoints from", w->endpoints);
	else if (w->objective == XP_SIZE_BUDGET)
		snprintf(what, sizeof what, "costs at most %.10g %s from", w->budget, topo_currency(&w->base.model));
	else
		snprintf(what, sizeof what, "can be built from");
	xp_message("no network of these families %s switches of at most %" PRIu32
	           " ports and sustains uniform traffic at a load of %g",
	           what, w->radix, w->throughput);
	return XP_FAILURE;
}

static int size_all(const struct xp_options *o, struct xp_wish *w, const struct topo_family *const *families)
{
	int n = 0, status = XP_OK;
	while (families[n])
		n++;
	struct xp_sized *sized = base_calloc((size_t)n + 1, sizeof *sized),
			**order = base_calloc((size_t)n + 1, sizeof *order);
	for (int i = 0; i < n && status == XP_OK; i++) {
		struct base_errors errors = { 0 };
		if (xp_size_family(&sized[i], families[i], w,
		                   &errors)) { /* else: warnings about hardware that may be another */
			status = XP_USAGE;
			xp_config_report(&sized[i].costing.config, &errors, stderr);
		}
		base_errors_free(&errors);
		int k = i;
		for (; k > 0 && comes_before(w, &sized[i], order[k - 1]); k--)
			order[k] = order[k - 1];
		order[k] = &sized[i];
	}
	if (status == XP_OK && check_links(w, sized, n))
		status = XP_USAGE;
	if (status == XP_OK && o->json)
		xp_size_print_json(w, order, n);
	else if (status == XP_OK && !o->quiet)
		xp_size_print_text(w, order, n);
	if (status == XP_OK && o->explain && !o->json && !o->quiet)
		xp_size_explain_text(w, order, n);
	if (status == XP_OK && (!n || !order[0]->found))
		status = say_nothing_found(w);
	for (int i = 0; i < n; i++)
		xp_sized_free(&sized[i]);
	free(order);
	free(sized);
	return status;
}

/* --rate as it was given; NULL: it was not. */
static const char *rate_of(const struct xp_options *o)
{
	static const char key[] = "links.default.bandwidth=";
	for (size_t i = 0; i < o->nmade; i++)
		if (!strncmp(o->made[i], key, sizeof key - 1))
			return o->made[i] + sizeof key - 1;
	return NULL;
}

/* It is of every link: no assignment says the same again ... */
static int check_rate(const struct xp_options *o, struct base_errors *errors)
{
	const char *rate = rate_of(o);
	for (size_t i = 0; rate && i < o->nsets; i++) {
		const char *set = o->sets[i];
		size_t path = strcspn(set, "=");
		bool made = false, whole = (path == 5 && !memcmp(set, "links", path)) ||
		                           (path == 13 && !memcmp(set, "links.default", path));
		for (size_t k = 0; k < o->nmade; k++)
			made |= o->made[k] == set;
		bool says = (path == 23 && !memcmp(set, "links.default.bandwidth", path)) ||
		            (whole && strstr(set, "bandwidth"));
		char place[200];
		snprintf(place, sizeof place, "--set %.190s", set);
		if (says && !made)
			xp_error_at(errors, place,
			            "--rate %.60s sets the bandwidth of every link: remove one of the two", rate);
	}
	return errors->errors ? -1 : 0;
}

static void refuse_rate(const char *class, const char *rate, struct base_errors *errors)
{
	char key[160];
	snprintf(key, sizeof key, "links.%.128s.bandwidth", class);
	base_errorf(errors, key,
	            "differs from --rate %.60s, which sets the bandwidth of every link: remove one of the two", rate);
}

/* ... and no class of links has another. */
static int check_rates(const struct xp_options *o, const struct net_config *net, struct base_errors *errors)
{
	const char *rate = rate_of(o);
	if (rate && net->link_terminal.bandwidth != net->link_default.bandwidth)
		refuse_rate("terminal", rate, errors);
	for (uint32_t i = 0; rate && i < net->nlinks; i++)
		if (net->links[i].link.bandwidth != net->link_default.bandwidth)
			refuse_rate(net->links[i].name, rate, errors);
	return errors->errors ? -1 : 0;
}

static int size_command(const struct xp_options *o, struct base_registry *registry, struct xp_wish *w,
                        struct base_errors *errors)
{
	struct numbers n = { .radix = 64 };
	const struct topo_family **families = read_families(o->families, errors);
	int status = XP_USAGE;
	w->registry = registry;
	w->source = o->operands ? o->operand[0] : NULL;
	w->sets = (struct xp_sets){ .v = o->sets, .n = o->nsets };
	bool sound = !(read_numbers(o, &n, errors) | check_rate(o, errors)) && !make_base(o, w, errors) &&
	             !check_rates(o, &w->base.config.net, errors);
	if (sound && (!o->budget || !read_budget(o, w, errors))) {
		w->objective = o->endpoints ? XP_SIZE_CHEAPEST : o->budget ? XP_SIZE_BUDGET : XP_SIZE_LARGEST;
		w->endpoints = (uint64_t)n.endpoints;
		w->radix = (uint32_t)n.radix;
		w->trunk = (uint32_t)n.trunk;
		w->throughput = n.throughput;
		status = xp_size_check(w, errors) ? XP_USAGE : size_all(o, w, families);
	}
	free(families);
	return status;
}

static int run_size(const struct xp_options *o)
{
	struct base_registry registry = { 0 };
	struct base_errors errors = { 0 };
	struct xp_wish wish = { 0 };
	int status = XP_USAGE;
	if (!xp_open_registry(&registry, o, &errors))
		status = size_command(o, &registry, &wish, &errors);
	xp_config_report(&wish.base.config, &errors, stderr);
	xp_costing_free(&wish.base);
	base_errors_free(&errors);
	base_registry_free(&registry);
	return status;
}

const struct xp_command xp_command_size = {
	.name = "size",
	.summary = "find the best network of each family for a number of endpoints, a budget or a switch radix",
	.operands = "[CONFIG]",
	.text =
	    "Examines every member of each family and prints the best one whose saturation load, by the upper bound "
	    "for uniform traffic under minimal routing, reaches a threshold: for a switch radix the one with the most "
	    "endpoints (ties: fewer switches); for a number of endpoints the cheapest, or without prices the one with "
	    "the fewest ports; for a budget the one with the most endpoints. It prints what remains unused, and better "
	    "members that were rejected because of their throughput, ports or price. Networks that use less than 85 % "
	    "of the ports of their switches are marked. --explain prints which members were examined and which parts "
	    "of a family were excluded by which bound, and so why no admissible member is better.\n\nCONFIG is "
	    "optional and sets links, layout and cost model; its topology is replaced. --set does the same without "
	    "CONFIG. Members of a family differ in parallel cables (up to --trunk) and in the number of endpoints per "
	    "switch, except hammingmesh and the full trees (fattree, kary-ntree). Families: slimfly, polarfly, "
	    "dragonfly (full groups, any number of groups, up to 512 cables per pair of groups), dragonfly-grid "
	    "(groups of rows and columns, or of one column, with parallel cables in columns, otherwise the same), "
	    "dragonfly-plus (leaves, spines and endpoints vary independently, otherwise the same), hyperx-1d (a full "
	    "mesh), hyperx-2d, hyperx-3d (cables of each dimension vary independently), fattree-2, fattree-3, "
	    "leaf-spine (two levels, tapered or not), xgft-3 (three levels, tapered or not, any number of pods), "
	    "kary-ntree (up to four levels), mlfm, oft, torus-3d (rings of 3 to 64), torus-5d (lengths of rings differ "
	    "by at most one, up to 16), spectralfly (up to 4,000 switches), bundlefly, polarstar (with inductive "
	    "quads) and polarstar-paley (up to 2,500 switches, and at most the requested number of endpoints), "
	    "hammingmesh (boards of up to 4 by 4, one switch for each row and column; switches inside accelerators are "
	    "not counted), and, with --endpoints, jellyfish (seed 1, single cables, up to 1,500 switches: for each "
	    "number of endpoints per switch the fewest switches and the smallest degree).",
	.examples = "tilefly size --radix 36\n"
		    "tilefly size --endpoints 10000 --radix 48\n"
		    "tilefly size --endpoints 1000 --rate 40Gbps --set cost.kind=sc14-linear\n"
		    "tilefly size --budget 2000000USD --rate 40Gbps --set cost.kind=sc14-linear --json\n",
	.status = "0 done, 1 no network was found, 2 wrong usage, configuration or prices.",
	.bit = XP_CMD_SIZE,
	.min_operands = 0,
	.max_operands = 1,
	.word = XP_WORD_CONFIG,
	.ranks = XP_FIRST_RANK,
	.run = run_size,
};
