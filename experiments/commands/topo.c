/* experiments/commands/topo.c - `tilefly topo`: builds the topology alone and prints its facts. */
#include "topo/topo.h"
#include "base/format.h"
#include "base/memory.h"
#include "experiments/commands/command.h"
#include "experiments/commands/registry.h"
#include "experiments/commands/topo_bounds.h"
#include "experiments/config/config.h"
#include "experiments/config/message.h"
#include "experiments/results/file.h"
#include "experiments/results/inputs.h"
#include "network/network.h"
#include "routing/routes.h"
#include "switch/switch.h"
#include "topo/import/formats.h"
#include "topo/names.h"
#include "workload/open/permutation.h"
#include "workload/workload.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *why_text(const char *why)
{
	return why ? why : "not known";
}

/* null if it is not known, that is, negative; then a member says why, if it has a key. */
static void json_reason(struct base_json *j, bool known, const char *why_key, const char *why)
{
	if (!known && why_key)
		base_json_string(j, why_key, why_text(why));
}

static void json_count(struct base_json *j, const char *key, int64_t value, const char *why_key, const char *why)
{
	if (value >= 0)
		base_json_int(j, key, value);
	else
		base_json_null(j, key);
	json_reason(j, value >= 0, why_key, why);
}

static void json_number(struct base_json *j, const char *key, double value, const char *why_key, const char *why)
{
	base_json_double(j, key, value >= 0 ? value : (double)NAN);
	json_reason(j, value >= 0, why_key, why);
}

/* Where uniform traffic saturates, with the bandwidths of this configuration. */
struct saturation {
	double share; /* of injection bandwidth; negative: unknown */
	const char *why;
	int limit; /* the link class that saturates first; -1: none, or not known */
	bool one_rate;
	double gbps, terminal_gbps; /* gbps: of that class */
};

static struct saturation saturation_of(const struct net_config *config, const struct topo *t, struct topo_facts *f)
{
	struct saturation s = { .one_rate = true, .terminal_gbps = (double)config->link_terminal.bandwidth * 1e-9 };
	double rate[TOPO_LINK_CLASSES];
	net_rates(config, t, rate);
	for (int k = 0; k < t->link_classes; k++)
		s.one_rate = s.one_rate && rate[k] == 1;
	s.share = topo_saturation(t, f, rate, &s.limit, &s.why);
	s.gbps = s.limit >= 0 ? (double)net_link_at(config, t, s.limit).bandwidth * 1e-9 : 0;
	return s;
}

/* Names of a graph that another tool has written, by number. */
static void json_names(struct base_json *j, const struct topo *t)
{
	if (t->switches && topo_switch_name(t, 0)) {
		base_json_array(j, "switch_names");
		for (topo_switch s = 0; s < t->switches; s++)
			base_json_string(j, NULL, topo_switch_name(t, s));
		base_json_end(j);
	}
	if (t->endpoints && topo_endpoint_name(t, 0)) {
		base_json_array(j, "endpoint_names");
		for (topo_endpoint e = 0; e < t->endpoints; e++)
			base_json_string(j, NULL, topo_endpoint_name(t, e));
		base_json_end(j);
	}
}

/* The first and the last of them. */
static void text_names(const struct topo *t)
{
	char first[TOPO_CALLED], last[TOPO_CALLED];
	if (t->switches && topo_switch_name(t, 0))
		printf("%-22s %s ... %s\n", "names", topo_call_switch(t, 0, first),
		       topo_call_switch(t, t->switches - 1, last));
	if (t->endpoints && topo_endpoint_name(t, 0))
		printf("%-22s %s ... %s\n", topo_switch_name(t, 0) ? "" : "names", topo_call_endpoint(t, 0, first),
		       topo_call_endpoint(t, t->endpoints - 1, last));
}

static void print_topo_json(const struct topo *t, const struct topo_facts *f, const struct saturation *s,
                            const struct xp_bounds *bounds)
{
	struct base_json j = base_json_stream(stdout);
	base_json_object(&j, NULL);
	base_json_string(&j, "kind", t->kind);
	base_json_uint(&j, "switches", f->switches);
	base_json_uint(&j, "endpoints", f->endpoints);
	base_json_uint(&j, "links", f->links);
	base_json_uint(&j, "radix", f->radix);
	base_json_uint(&j, "network_radix", f->network_radix);
	json_count(&j, "diameter", f->diameter, "diameter_why", f->diameter_why);
	json_number(&j, "mean_distance", f->mean_distance, "mean_distance_why", f->mean_distance_why);
	json_count(&j, "girth", f->girth, "girth_why", f->girth_why);
	base_json_object(&j, "links_by_class");
	for (int c = 0; c < topo_named_classes(t); c++)
		base_json_uint(&j, t->link_class_name[c], f->links_by_class[c]);
	base_json_end(&j);
	json_count(&j, "bisection_links", f->bisection_links, NULL, NULL);
	base_json_string(&j, "bisection_how", why_text(f->bisection_how));
	json_count(&j, "endpoint_bisection_links", f->endpoint_bisection_links, NULL, NULL);
	base_json_string(&j, "endpoint_bisection_how", why_text(f->endpoint_bisection_how));
	json_number(&j, "max_channel_load_uniform", f->max_channel_load_uniform, "max_channel_load_uniform_why",
	            f->max_channel_load_why);
	json_number(&j, "saturation_uniform", s->share, "saturation_uniform_why", s->why);
	json_number(&j, "mean_minimal_hops", f->mean_minimal_hops, NULL, NULL);
	if (bounds)
		xp_bounds_json(bounds, &j);
	json_names(&j, t);
	base_json_end(&j);
	base_json_newline(&j);
}

static void text_number(const char *label, double value, const char *format, const char *unit, const char *why)
{
	char text[64];
	if (value < 0) {
		printf("%-22s unknown: %s\n", label, why_text(why));
		return;
	}
	snprintf(text, sizeof text, format[0] == 'd' ? "%.0f" : "%.6g", value);
	printf("%-22s %s%s\n", label, text, unit);
}

static void text_saturation(const struct topo *t, const struct saturation *s)
{
	if (s->share < 0) {
		text_number("saturates at", -1, "g", "", s->why);
		return;
	}
	printf("%-22s %.4f of injection bandwidth", "saturates at", s->share);
	if (!s->one_rate && s->limit >= 0)
		printf(", by %s links of %g Gb/s (endpoints: %g Gb/s)", t->link_class_name[s->limit], s->gbps,
		       s->terminal_gbps);
	printf("\n");
}

static void print_topo_text(const struct topo *t, const struct topo_facts *f, const struct saturation *s)
{
	printf("%-22s %s\n", "topology", t->kind);
	printf("%-22s %" PRIu32 "\n", "switches", f->switches);
	printf("%-22s %" PRIu32 "\n", "endpoints", f->endpoints);
	text_names(t);
	printf("%-22s %" PRIu32 " ports, %" PRIu32 " to other switches\n", "radix", f->radix, f->network_radix);
	printf("%-22s %" PRIu64 " cables between switches", "links", f->links);
	for (int c = 0, n = topo_named_classes(t); c < n && n > 1; c++)
		printf("%s%" PRIu64 " %s", c ? " + " : " = ", f->links_by_class[c], t->link_class_name[c]);
	printf("\n");
	text_number("diameter", f->diameter, "d", " hops", f->diameter_why);
	text_number("mean distance", f->mean_distance, "g", " hops between distinct switches", f->mean_distance_why);
	text_number("girth", f->girth, "d", "", f->girth_why);
	text_number("bisection", (double)f->bisection_links, "d", " cables", f->bisection_how);
	if (f->bisection_links >= 0 && f->bisection_how)
		printf("%-22s (%s)\n", "", f->bisection_how);
	if (t->bare || t->endpoint_first) { /* else it is the same */
		text_number("of endpoints", (double)f->endpoint_bisection_links, "d",
		            " cables between halves of the endpoints", f->endpoint_bisection_how);
		if (f->endpoint_bisection_links >= 0 && f->endpoint_bisection_how)
			printf("%-22s (%s)\n", "", f->endpoint_bisection_how);
	}
	text_number("largest channel load", f->max_channel_load_uniform, "g",
	            " of an endpoint's injection rate, uniform traffic, minimal routing", f->max_channel_load_why);
	if (f->max_channel_load_uniform > 0)
		text_saturation(t, s);
	text_number("mean minimal route", f->mean_minimal_hops, "g", " hops between distinct endpoints", NULL);
}

/* Of links whose latency follows from a layout none is known. */
static uint64_t known_latency(const struct net_link *link)
{
	return link->latency == NET_LATENCY_LAYOUT ? 0 : link->latency;
}

/* FILE-inter and FILE-intra of CODES' formats have one name but for that. */
static int open_second(struct xp_file *second, const char *path)
{
	char *name = import_intra_of(path);
	int status = -1;
	if (name)
		status = xp_file_open(second, name);
	else
		xp_message("--export: the formats of CODES consist of two files: the name must contain \"inter\", "
		           "which is replaced by \"intra\" in the name of the second file");
	free(name);
	return status;
}

/* Files appear whole or not at all. */
static int write_format(const struct xp_options *o, const struct import_format *format, const struct topo *topo,
                        struct import_output *out, struct base_errors *errors)
{
	struct xp_file file, second = { 0 };
	if (format->second && open_second(&second, o->export_file))
		return XP_FAILURE;
	if (xp_file_open(&file, o->export_file)) {
		if (format->second)
			xp_file_discard(&second);
		return XP_FAILURE;
	}
	out->stream = file.stream;
	out->second = second.stream;
	const char *scope = errors->scope;
	errors->scope = "--export";
	int status = format->write(topo, out, errors);
	errors->scope = scope;
	if (status) {
		xp_file_discard(&file);
		if (format->second)
			xp_file_discard(&second);
		return XP_USAGE;
	}
	int failed = xp_file_close(&file);
	if (format->second)
		failed |= xp_file_close(&second);
	return failed ? XP_FAILURE : XP_OK;
}

/* The graph in the format of another tool. */
static int write_export(const struct xp_options *o, const struct net_config *config, const struct topo *topo,
                        struct base_errors *errors)
{
	const struct import_format *format = import_format_of(o->export_format);
	uint64_t *latency = base_calloc((size_t)topo->link_classes + 1, sizeof *latency);
	for (int k = 0; k < topo->link_classes; k++) {
		struct net_link link = net_link_at(config, topo, k);
		latency[k] = known_latency(&link);
	}
	if (topo->kinds)
		base_warnf(errors, "--export",
		           "bandwidths and latencies of single cables are not written, only those of link classes");
	struct import_output out = { .latency = latency, .terminal_latency = known_latency(&config->link_terminal) };
	int status = write_format(o, format, topo, &out, errors);
	free(latency);
	return status;
}

static int write_edges(const struct topo *t, const char *path)
{
	struct xp_file file;
	if (xp_file_open(&file, path))
		return XP_FAILURE;
	topo_write_edges(t, file.stream); /* closing reports errors */
	return xp_file_close(&file) ? XP_FAILURE : XP_OK;
}

static int write_routes(const struct topo *t, const char *path, struct base_errors *errors)
{
	struct xp_file file;
	if (t->no_routes) {
		base_errorf(errors, "topology.kind", "%s", t->no_routes);
		return XP_USAGE;
	}
	if (xp_file_open(&file, path))
		return XP_FAILURE;
	rt_write_routes(t, file.stream); /* closing reports errors */
	return xp_file_close(&file) ? XP_FAILURE : XP_OK;
}

static int write_permutation(const struct xp_bounds *bounds, const char *path, struct base_errors *errors)
{
	struct xp_file file;
	if (bounds->topo->switches == 1) {
		base_errorf(errors, "topology.kind",
		            "a single switch has no channels to other switches that a permutation could load");
		return XP_USAGE;
	}
	if (bounds->worst.share < 0 || bounds->worst.at == TOPO_NONE) {
		base_errorf(errors, "routing.kind", "the worst-case permutation cannot be computed: %s",
		            bounds->worst.why ? bounds->worst.why : "no permutation loads any channel");
		return XP_USAGE;
	}
	if (xp_file_open(&file, path))
		return XP_FAILURE;
	struct topo_hop hop = topo_peer(bounds->topo, bounds->worst.at, bounds->worst.port);
	fprintf(file.stream,
	        "# %s permutation of %s routing: throughput %.6g, limited by the %s link from switch %" PRIu32
	        " to %" PRIu32 " (port %" PRIu32 "), which the flows marked + use\n",
	        bounds->permutation.exact ? "worst" : "bad", bounds->config->routing.plugin->name, bounds->worst.share,
	        bounds->topo->link_class_name[hop.link_class], bounds->worst.at, hop.to, bounds->worst.port);
	wl_write_permutation(bounds->permutation.to, bounds->permutation.takes, bounds->topo->endpoints, file.stream);
	return xp_file_close(&file) ? XP_FAILURE : XP_OK;
}

static bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

static int write_files(const struct xp_options *o, const struct net_config *config, const struct topo *topo,
                       const struct xp_bounds *bounds, struct base_errors *errors)
{
	int status = o->edges ? write_edges(topo, o->edges) : XP_OK;
	if (status == XP_OK && o->routes)
		status = write_routes(topo, o->routes, errors);
	if (status == XP_OK && o->export_file)
		status = write_export(o, config, topo, errors);
	if (status == XP_OK && o->permutation)
		status = write_permutation(bounds, o->permutation, errors);
	return status;
}

static int print_topo(const struct xp_options *o, const struct net_config *config, const struct topo *topo,
                      struct base_errors *errors)
{
	struct topo_facts facts;
	topo_compute_facts(topo, &facts);
	if (base_report_refuted(topo->plugin, "topology.kind", errors))
		return XP_USAGE;
	struct saturation saturation = saturation_of(config, topo, &facts);
	struct xp_bounds bounds = { 0 };
	if ((o->bounds || o->permutation) && xp_bounds_find(&bounds, config, topo, errors))
		return XP_USAGE;
	if (base_report_refuted(topo->plugin, "topology.kind", errors)) {
		xp_bounds_free(&bounds);
		return XP_USAGE;
	}
	int status = write_files(o, config, topo, &bounds, errors);
	bool says = status == XP_OK && !is_stdout(o->edges) && !is_stdout(o->routes) && !is_stdout(o->permutation) &&
	            !is_stdout(o->export_file);
	if (o->json && says)
		print_topo_json(topo, &facts, &saturation, o->bounds ? &bounds : NULL);
	else if (says && !o->quiet)
		print_topo_text(topo, &facts, &saturation);
	if (o->bounds && !o->json && !o->quiet && says)
		xp_bounds_text(&bounds);
	xp_bounds_free(&bounds);
	return status;
}

/* Standard output has one use. */
static bool writes_twice(const struct xp_options *o)
{
	const char *const option[] = { is_stdout(o->edges) ? "--edges -" : NULL,
		                       is_stdout(o->routes) ? "--routes -" : NULL,
		                       is_stdout(o->permutation) ? "--permutation -" : NULL,
		                       is_stdout(o->export_file) ? "--export -" : NULL, o->json ? "--json" : NULL };
	const char *first = NULL;
	for (size_t i = 0; i < sizeof option / sizeof *option; i++) {
		if (first && option[i]) {
			xp_message("%s and %s cannot both write to standard output", first, option[i]);
			return true;
		}
		first = option[i] ? option[i] : first;
	}
	return false;
}

static bool is_same(const char *a, const char *b)
{
	return a && b && strcmp(b, "-") != 0 && !strcmp(a, b);
}

#define WRITTEN 6u

/* Would a file that is written replace what the topology is made from, or another one? Says so. */
static bool replaces_input(const struct xp_options *o, const struct xp_config *config, struct base_registry *registry)
{
	char *second = o->export_file ? import_intra_of(o->export_file) : NULL;
	bool two = o->export_file && import_format_of(o->export_format)->second;
	const char *const written[WRITTEN] = { o->out,         o->edges,       o->routes,
		                               o->permutation, o->export_file, two ? second : NULL };
	static const char *const option[WRITTEN] = { "--out",         "--edges",  "--routes",
		                                     "--permutation", "--export", "--export" };
	struct xp_inputs inputs = { 0 };
	bool replaces = false, standard = o->operands && !strcmp(o->operand[0], "-");
	xp_inputs_list(&inputs, config, registry);
	for (size_t i = 1; i < WRITTEN && !replaces; i++)
		replaces = written[i] && xp_inputs_hold(&inputs, standard, written[i], "the command");
	xp_inputs_free(&inputs);
	for (size_t i = 0; i < WRITTEN && !replaces; i++)
		for (size_t k = i + 1; k < WRITTEN && !replaces; k++)
			if (is_same(written[i], written[k])) {
				xp_message("%s and %s name the same file: %s", option[i], option[k], written[i]);
				replaces = true;
			}
	free(second);
	return replaces;
}

/* The topology has been built once already, and has warned. */
static void add_new(struct base_errors *errors, const struct base_error *e)
{
	for (size_t i = 0; i < errors->n; i++)
		if (!strcmp(errors->v[i].key, e->key) && !strcmp(errors->v[i].text, e->text))
			return;
	if (e->warning)
		base_warnf(errors, e->key, "%s", e->text);
	else
		base_errorf(errors, e->key, "%s", e->text);
}

/* Adds the errors that `tilefly run` and `tilefly check` would report for a configuration. If it lacks jobs, switch,
 * routing or congestion control, if its graph has no routing table, or if its network model is analytical, only link
 * classes and keys without effect are checked. Returns 0, or non-zero with errors. */
static int judge(const struct net_config *config, const struct topo *topo, const struct base_registry *registry,
                 struct base_errors *errors)
{
	bool whole = config->njobs && config->routing.plugin && config->sw.plugin && config->congestion.plugin;
	struct net_setup setup = {
		.config = config,
		.registry = registry,
		.build_traffic = wl_build,
		.destroy_traffic = wl_destroy,
	};
	if (whole && !topo->no_routes && config->formula.kind == NET_SWITCHED) {
		struct base_errors found = { 0 };
		int status = net_check(&setup, &found);
		for (size_t i = 0; i < found.n; i++)
			add_new(errors, &found.v[i]);
		base_errors_free(&found);
		return status;
	}
	return net_check_link_classes(config, topo, errors) | net_check_effects(config, topo, errors);
}

/* One of CONFIG and --import. */
static bool names_no_topology(const struct xp_options *o)
{
	if (!o->import && !o->operands)
		xp_message("either CONFIG or --import FILE is required");
	else if (o->import && o->operands)
		xp_message("--import replaces CONFIG: remove the argument \"%s\"", o->operand[0]);
	else if (o->format && !o->import)
		xp_message("--format has an effect only with --import: it is the format of the imported file");
	else
		return false;
	return true;
}

/* The configuration; with --import one that consists of that alone, which --set may add to. */
static int load_config(const struct xp_options *o, struct base_registry *registry, struct xp_config *config,
                       struct base_errors *errors)
{
	static const char text[] = "topology = { kind = \"import\"; };\n";
	struct xp_sets sets = { .v = o->sets, .n = o->nsets };
	if (!o->import)
		return xp_config_load(config, o->operand[0], &sets, XP_TOPOLOGY_ONLY, registry, errors);
	char *file = base_format("topology.file=%s", o->import);
	char *format = base_format("topology.format=%s", o->format ? o->format : "auto");
	const char **v = base_calloc(o->nsets + 2, sizeof *v);
	v[0] = file;
	v[1] = format;
	for (size_t i = 0; i < o->nsets; i++)
		v[i + 2] = o->sets[i];
	sets = (struct xp_sets){ .v = v, .n = o->nsets + 2 };
	int status =
	    xp_config_parse(config, text, sizeof text - 1, "--import", NULL, &sets, XP_TOPOLOGY_ONLY, registry, errors);
	free(v);
	free(file);
	free(format);
	return status;
}

static int topo_command(const struct xp_options *o, struct base_registry *registry, struct xp_config *config,
                        struct base_errors *errors)
{
	struct topo topo = { 0 };
	if (writes_twice(o) || names_no_topology(o))
		return XP_USAGE;
	if (load_config(o, registry, config, errors)) {
		xp_config_look_further(config, errors);
		return XP_USAGE;
	}
	if (replaces_input(o, config, registry))
		return XP_USAGE;
	int status = net_build_topology(&config->net, &topo, errors);
	if (status) {
		net_check_link_classes_of_kind(&config->net, errors);
		return XP_USAGE;
	}
	status = XP_USAGE;
	if (!judge(&config->net, &topo, registry, errors))
		status = print_topo(o, &config->net, &topo, errors);
	topo_destroy(&topo);
	return status;
}

static int run_topo(const struct xp_options *o)
{
	struct base_registry registry = { 0 };
	struct base_errors errors = { 0 };
	struct xp_config config = { 0 };
	int status = XP_USAGE;
	if (!xp_open_registry(&registry, o, &errors))
		status = topo_command(o, &registry, &config, &errors);
	xp_config_report(&config, &errors, stderr);
	xp_config_free(&config);
	base_errors_free(&errors);
	base_registry_free(&registry);
	return status;
}

const struct xp_command xp_command_topo = {
	.name = "topo",
	.summary = "build a topology and print its properties",
	.operands = "CONFIG | --import FILE",
	.text =
	    "Builds the topology of a configuration, without simulating, and prints its properties. The load at which "
	    "uniform traffic saturates it holds for the configured bandwidths of links. With --bounds it also prints "
	    "upper bounds of the throughput of uniform traffic and of the worst permutation of endpoints, for the "
	    "configured routing and for any routing, the number of shortest paths, and the effect of failed cables. "
	    "CONFIG is a libconfig file, - for standard input, or the name of a shipped configuration. --import builds "
	    "the topology from a file of another tool instead, and --export writes one for another tool.",
	.examples = "tilefly topo slimfly-3k\n"
		    "tilefly topo slimfly-3k --set topology.q=19 --json\n"
		    "tilefly topo torus-8x8x8 --edges torus.txt\n"
		    "tilefly topo dragonfly-1056 --bounds --set routing.kind=valiant\n"
		    "tilefly topo slimfly-3k --permutation worst.txt\n"
		    "tilefly topo dragonfly-1056 --routes routes.txt\n"
		    "tilefly topo --import fabric.topo --format ibnetdiscover\n"
		    "tilefly topo --import graph.graphml --set topology.endpoints=4 --export dot graph.dot\n",
	.status = "0 done, 1 a file could not be written, 2 wrong usage or configuration.",
	.bit = XP_CMD_TOPO,
	.min_operands = 0,
	.max_operands = 1,
	.word = XP_WORD_CONFIG,
	.ranks = XP_FIRST_RANK,
	.run = run_topo,
};
