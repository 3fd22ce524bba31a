/* experiments/cmd_topo.c - `tilefly topo`: builds the topology alone and prints its facts. */
#include "experiments/commands.h"
#include "experiments/config.h"
#include "experiments/file.h"
#include "sim/sim.h"
#include "topo/topo.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct xp_usage usage = {
	.name = "topo",
	.operands = "CONFIG",
	.text =
	    "Builds the topology of a configuration, without simulating, and prints its facts. CONFIG is a libconfig\n"
	    "file, - for standard input, or the name of a shipped configuration.\n\n"
	    "Examples:\n"
	    "  tilefly topo slimfly-3k\n"
	    "  tilefly topo slimfly-3k --set topology.q=19 --json\n"
	    "  tilefly topo torus-8x8x8 --edges torus.txt\n",
	.options = XP_OPT_CONFIG | XP_OPT_JSON | XP_OPT_EDGES,
	.min_operands = 1,
	.max_operands = 1,
};

static const char *why_text(const char *why)
{
	return why ? why : "not known";
}

static void json_int(struct xp_json *j, const char *key, int64_t value, const char *why_key, const char *why)
{
	if (value >= 0) {
		xp_json_int(j, key, value);
	} else {
		xp_json_null(j, key);
		xp_json_string(j, why_key, why_text(why));
	}
}

static void json_double(struct xp_json *j, const char *key, double value, const char *why_key, const char *why)
{
	if (value >= 0) {
		xp_json_double(j, key, value);
	} else {
		xp_json_null(j, key);
		xp_json_string(j, why_key, why_text(why));
	}
}

static void print_json(const struct topo *t, const struct topo_facts *f)
{
	struct xp_json j = xp_json_stream(stdout);
	xp_json_object(&j, NULL);
	xp_json_string(&j, "kind", t->kind);
	xp_json_uint(&j, "switches", f->switches);
	xp_json_uint(&j, "endpoints", f->endpoints);
	xp_json_uint(&j, "links", f->links);
	xp_json_uint(&j, "radix", f->radix);
	xp_json_uint(&j, "network_radix", f->network_radix);
	json_int(&j, "diameter", f->diameter, "diameter_why", f->diameter_why);
	json_double(&j, "mean_distance", f->mean_distance, "mean_distance_why", f->mean_distance_why);
	json_int(&j, "girth", f->girth, "girth_why", f->girth_why);
	xp_json_object(&j, "links_by_class");
	for (int c = 0; c < t->link_classes; c++)
		xp_json_uint(&j, t->link_class_name[c], f->links_by_class[c]);
	xp_json_end(&j);
	if (f->bisection_links >= 0)
		xp_json_int(&j, "bisection_links", f->bisection_links);
	else
		xp_json_null(&j, "bisection_links");
	xp_json_string(&j, "bisection_how", why_text(f->bisection_how));
	json_double(&j, "max_channel_load_uniform", f->max_channel_load_uniform, "max_channel_load_uniform_why",
	            f->max_channel_load_why);
	if (f->mean_minimal_hops >= 0)
		xp_json_double(&j, "mean_minimal_hops", f->mean_minimal_hops);
	else
		xp_json_null(&j, "mean_minimal_hops");
	xp_json_end(&j);
	xp_json_newline(&j);
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

static void print_text(const struct topo *t, const struct topo_facts *f)
{
	printf("%-22s %s\n", "topology", t->kind);
	printf("%-22s %" PRIu32 "\n", "switches", f->switches);
	printf("%-22s %" PRIu32 "\n", "endpoints", f->endpoints);
	printf("%-22s %" PRIu32 " ports, %" PRIu32 " to other switches\n", "radix", f->radix, f->network_radix);
	printf("%-22s %" PRIu64 " cables between switches", "links", f->links);
	for (int c = 0; c < t->link_classes && t->link_classes > 1; c++)
		printf("%s%" PRIu64 " %s", c ? " + " : " = ", f->links_by_class[c], t->link_class_name[c]);
	printf("\n");
	text_number("diameter", f->diameter, "d", " hops", f->diameter_why);
	text_number("mean distance", f->mean_distance, "g", " hops between distinct switches", f->mean_distance_why);
	text_number("girth", f->girth, "d", "", f->girth_why);
	text_number("bisection", (double)f->bisection_links, "d", " cables", f->bisection_how);
	if (f->bisection_links >= 0 && f->bisection_how)
		printf("%-22s (%s)\n", "", f->bisection_how);
	text_number("largest channel load", f->max_channel_load_uniform, "g",
	            " of an endpoint's injection rate, uniform traffic, minimal routing", f->max_channel_load_why);
	if (f->max_channel_load_uniform > 0)
		printf("%-22s %.4f of injection bandwidth\n", "saturates at",
		       f->max_channel_load_uniform > 1 ? 1 / f->max_channel_load_uniform : 1.0);
	text_number("mean minimal route", f->mean_minimal_hops, "g", " hops between distinct endpoints", NULL);
}

/* Every cable once, from its end with the lower (switch, port). */
static int write_edges(const struct topo *t, const char *path)
{
	struct xp_file file;
	if (xp_file_open(&file, path))
		return XP_FAILURE;
	for (topo_switch s = 0; s < t->switches; s++) {
		uint32_t ports = topo_ports(t, s);
		for (topo_port p = 0; p < ports; p++) {
			struct topo_hop hop = topo_peer(t, s, p);
			if (hop.to == TOPO_NONE || hop.to < s || (hop.to == s && hop.port < p))
				continue;
			const char *name =
			    hop.link_class < t->link_classes ? t->link_class_name[hop.link_class] : "link";
			fprintf(file.stream, "%" PRIu32 " %" PRIu32 " %s\n", s, hop.to, name);
		}
	}
	return xp_file_close(&file) ? XP_FAILURE : XP_OK;
}

static int topo_command(const struct xp_options *o, struct base_registry *registry)
{
	struct base_errors errors = { 0 };
	struct xp_config config = { 0 };
	struct topo topo = { 0 };
	int status = XP_USAGE;
	if (!xp_open_registry(registry, o, &errors) &&
	    !xp_config_load(&config, o->operand[0], o->sets, o->nsets, XP_TOPOLOGY_ONLY, registry, &errors)) {
		errors.scope = "topology";
		if (!topo_build(&topo, config.net.topology.plugin, config.net.topology.params, &errors)) {
			struct topo_facts facts;
			topo_compute_facts(&topo, &facts);
			status = o->edges ? write_edges(&topo, o->edges) : XP_OK;
			if (o->json)
				print_json(&topo, &facts);
			else if (!o->edges || strcmp(o->edges, "-"))
				print_text(&topo, &facts);
			topo_destroy(&topo);
		}
		errors.scope = NULL;
	}
	xp_config_report(&config, &errors, stderr);
	xp_config_free(&config);
	base_errors_free(&errors);
	return status;
}

int xp_cmd_topo(int argc, char **argv)
{
	struct xp_options o;
	struct base_registry registry = { 0 };
	if (sim_rank() != 0)
		return XP_OK;
	int status = xp_options_read(&o, &usage, argc, argv);
	if (status == XP_GO_ON)
		status = topo_command(&o, &registry);
	xp_options_free(&o);
	base_registry_free(&registry);
	return status;
}
