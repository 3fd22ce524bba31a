/* experiments/commands/check.c - `tilefly check`: is the configuration sound, and can its network deadlock? */
#include "base/memory.h"
#include "base/text.h"
#include "experiments/commands/command.h"
#include "experiments/commands/registry.h"
#include "experiments/config/config.h"
#include "experiments/results/log.h"
#include "network/network.h"
#include "network/path.h"
#include "routing/routing.h"
#include "switch/switch.h"
#include "topo/topo.h"
#include "workload/workload.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a check builds. */
struct checked {
	struct xp_config config;
	struct topo topo;
	struct rt rt;
	struct net_traffic traffic;
	struct rt_proof proof;
	bool has_topo, has_rt, has_traffic, has_proof;
	struct net_credit_loops loops;
	struct net_tiles tiles;
	struct net_framings framings;
	struct net_traits traits;
	struct net_failure_plan plan;
	bool has_traits; /* the network could be built */
	char *objection; /* of the switch to the rule that the proof goes by; NULL: none */
};

static void build_all(struct checked *c, struct base_errors *errors)
{
	const struct net_config *net = &c->config.net;
	c->has_topo = !net_build_topology(net, &c->topo, errors);
	if (!c->has_topo) {
		net_check_link_classes_of_kind(net, errors);
		return;
	}
	errors->scope = "routing";
	c->has_rt = !net_build_routing(&c->rt, net, &c->topo, errors);
	errors->scope = NULL;
	c->has_traffic = !wl_build(&c->traffic, net, &c->topo, errors);
	if (!c->has_rt)
		return;
	errors->scope = "routing";
	c->has_proof = !net_prove(&net->sw, &c->rt, &c->proof, errors);
	errors->scope = NULL;
}

/* What building the network would still find wrong, with or without routing.unsafe. */
static struct base_errors build_network(struct checked *c, const struct base_registry *registry, bool unsafe)
{
	struct base_errors found = { 0 };
	struct net_config config = c->config.net;
	config.routing_unsafe = unsafe;
	config.formula.kind =
	    NET_SWITCHED; /* an analytical model has nothing to prove: the network it represents is checked */
	struct net_setup setup = {
		.config = &config,
		.registry = registry,
		.build_traffic = wl_build,
		.destroy_traffic = wl_destroy,
		.loops = &c->loops,
		.tiles = &c->tiles,
		.framings = &c->framings,
		.traits = &c->traits,
		.plan = &c->plan,
		.proved = true,
	};
	net_framings_free(&c->framings);
	free(c->tiles.place);
	c->tiles = (struct net_tiles){ 0 };
	c->has_traits = !net_check(&setup, &found);
	return found;
}

static bool holds(const struct base_errors *errors, const struct base_error *e)
{
	for (size_t i = 0; i < errors->n; i++)
		if (!strcmp(errors->v[i].key, e->key) && !strcmp(errors->v[i].text, e->text))
			return true;
	return false;
}

/* Adds the errors of a network build to `errors`, and those of its warnings that are new and concern the switch or the
 * traffic; all other warnings were printed earlier. If routing.unsafe is set, two problems are only warnings: a failed
 * proof of deadlock freedom, and a switch that violates the rule that the routing's proof_note states. */
static void check_network(struct checked *c, const struct base_registry *registry, struct base_errors *errors)
{
	bool unsafe = c->config.net.routing_unsafe;
	struct base_errors found = build_network(c, registry, unsafe && !c->rt.proof_note), allowed = { 0 };
	if (c->rt.proof_note)
		allowed = build_network(c, registry, true);
	for (size_t i = 0; i < found.n; i++) {
		const struct base_error *e = &found.v[i];
		bool objects = !e->warning && c->rt.proof_note && !holds(&allowed, e);
		if (objects && !c->objection)
			c->objection = base_strdup(e->text);
		if (objects && unsafe)
			base_warnf(errors, e->key, "%s; routing.unsafe permits the run", e->text);
		else if (!e->warning)
			base_errorf(errors, e->key, "%s", e->text);
		else if ((!strncmp(e->key, "switch", 6) || !strncmp(e->key, "traffic", 7)) && !holds(errors, e))
			base_warnf(errors, e->key, "%s", e->text);
	}
	base_errors_free(&found);
	base_errors_free(&allowed);
}

static void print_channel(FILE *out, const struct topo *t, const struct rt_cdg_node *n)
{
	struct topo_hop hop = topo_peer(t, n->sw, n->port);
	fprintf(out, "  switch %" PRIu32 " port %" PRIu32 " -> switch %" PRIu32 ", virtual channel %" PRIu32 "\n",
	        n->sw, n->port, hop.to, n->vc);
}

static void report_cycle(struct checked *c, struct base_errors *errors)
{
	char verdict[300];
	const char *key = net_proof_refuses(&c->config.net.sw, &c->rt, &c->proof, verdict, sizeof verdict);
	if (c->config.net.routing_unsafe)
		base_warnf(errors, key, "%s; routing.unsafe permits the run", verdict);
	else
		base_errorf(errors, key, "%s", verdict);
}

#define METRE_PS 5e3 /* of cable or fibre */

static void print_loops(const struct net_credit_loops *loops, const struct topo *topo, const struct net_config *config)
{
	const struct sw_ops *sw = config->sw.plugin->ops;
	const char *one =
	    sw->classes.lanes && config->nclasses > 1 ? "one class on one virtual channel" : "one virtual channel";
	for (uint32_t i = 0; i < loops->n; i++) {
		const struct net_credit_loop *l = &loops->v[i];
		printf("%-18s %s: ", i ? "" : "credit loop", topo->link_class_name[l->link_class]);
		if (l->longest)
			printf("%s sustains the full rate up to a credit loop of %.6g ns (a cable of %.4g m), with "
			       "packets of %" PRIu32 " bytes",
			       one, (double)l->longest / 1e3, (double)l->longest / METRE_PS, l->packet);
		else
			printf("%s never sustains the full rate, with packets of %" PRIu32 " bytes", one, l->packet);
		if (l->rate < 1)
			printf("; it sustains %.4g of it over the actual %.6g ns\n", l->rate, (double)l->latency / 1e3);
		else
			printf("; the actual credit loop takes %.6g ns\n", (double)l->latency / 1e3);
	}
}

/* Returns the switch with the most ports, endpoint ports included. The ports of each link class of a switch have
 * consecutive numbers in all topologies except those read from files. */
static topo_switch largest_switch(const struct topo *t)
{
	topo_switch largest = 0;
	for (topo_switch s = 0; s < t->switches; s++)
		if (topo_ports(t, s) + topo_endpoints_at(t, s) > topo_ports(t, largest) + topo_endpoints_at(t, largest))
			largest = s;
	return largest;
}

static const char *class_of_port(const struct topo *t, topo_switch s, uint32_t port)
{
	if (port < topo_ports(t, s))
		return t->link_class_name[topo_peer(t, s, port).link_class];
	return port < topo_ports(t, s) + topo_endpoints_at(t, s) ? "terminal" : NULL;
}

static void print_classes(const struct topo *t, topo_switch s)
{
	const char *class, *before = NULL;
	for (uint32_t p = 0, first = 0; before || !p; p++) {
		class = class_of_port(t, s, p);
		if (before && (!class || strcmp(class, before))) {
			printf("%s %s %" PRIu32, first ? "," : "", before, first);
			if (p - 1 > first)
				printf("-%" PRIu32, p - 1);
			first = p;
		}
		before = class;
	}
}

/* Ports of a tile with commas between, tiles with spaces; "-": a place without port. */
static void print_tiles(const struct net_tiles *tiles, const struct topo *topo)
{
	uint32_t all = tiles->rows * tiles->columns * tiles->per_tile;
	topo_switch s = largest_switch(topo);
	if (!tiles->rows)
		return;
	uint32_t *port_at = base_calloc(all, sizeof *port_at); /* 1 + port */
	for (uint32_t p = 0; p < tiles->ports; p++)
		port_at[tiles->place[p]] = p + 1;
	printf("%-18s %" PRIu32 " x %" PRIu32 ", ports of switch %" PRIu32 ":", "tiles", tiles->rows, tiles->columns,
	       s);
	print_classes(topo, s);
	putchar('\n');
	for (uint32_t at = 0; at < all; at++) {
		if (at % (tiles->columns * tiles->per_tile) == 0)
			printf("%-18s row %" PRIu32 ": ", "", at / (tiles->columns * tiles->per_tile));
		if (port_at[at])
			printf("%" PRIu32, port_at[at] - 1);
		else
			putchar('-');
		putchar((at + 1) % (tiles->columns * tiles->per_tile) == 0 ? '\n'
		        : (at + 1) % tiles->per_tile == 0                  ? ' '
		                                                           : ',');
	}
	free(port_at);
}

static const char *name_of_class(const struct topo *topo, uint32_t link_class)
{
	return link_class < TOPO_LINK_CLASSES ? topo->link_class_name[link_class] : "terminal";
}

static void print_framings(const struct net_framings *framings, const struct topo *topo,
                           const struct net_traffic *traffic)
{
	for (uint32_t i = 0; i < framings->n; i++) {
		const struct net_framing_of_class *f = &framings->v[i];
		char class[256] = "";
		if (f->traffic_class)
			base_harmless_copy(f->traffic_class, class, sizeof class);
		printf("%-18s %s%s%s: payload plus %" PRIu32 " bytes, at least %" PRIu32 ", in multiples of %" PRIu32
		       ", and a gap of %" PRIu32,
		       i ? "" : "framing", name_of_class(topo, f->link_class), *class ? ", class " : "", class,
		       f->header, f->min_frame, f->granule, f->gap);
		for (uint32_t j = 0; j < traffic->jobs; j++) {
			char name[256] = "";
			if (f->ceiling[j] <= 0) /* the job is of another class */
				continue;
			if (traffic->jobs > 1)
				base_harmless_copy(traffic->job[j].name, name, sizeof name);
			printf("; %s%spayload is at most %.6f of its rate", name, *name ? ": " : "", f->ceiling[j]);
		}
		printf("\n");
	}
}

static void print_check_text(const struct checked *c)
{
	const struct rt_proof *p = &c->proof;
	printf("%-18s %s, %" PRIu32 " switches, %" PRIu32 " endpoints\n", "topology", c->topo.kind, c->topo.switches,
	       c->topo.endpoints);
	printf("%-18s %s, routes of at most %" PRIu32 " hops\n", "routing", c->rt.plugin->name, c->rt.max_hops);
	/* By the rule of the routing. A topology whose own channels form no cycle gets by with fewer. */
	bool fewer = p->deadlock_free && p->vcs < c->rt.vcs;
	printf("%-18s %" PRIu32 " (%s routing %s %" PRIu32 "%s)\n", "virtual channels", p->vcs, c->rt.plugin->name,
	       fewer ? "would use" : "needs", c->rt.vcs, fewer ? ", fewer suffice here" : "");
	if (c->has_traits && c->plan.on)
		printf("%-18s %" PRIu32 " sets of dead cables, routes change %" PRIu32
		       " times; each is free of deadlock with "
		       "%" PRIu32 " virtual channels, on routes of at most %" PRIu32 " hops\n",
		       "around failures", c->plan.states - 1, c->plan.epochs - 1, c->plan.vcs, c->plan.hops);
	for (uint32_t i = 0; i < c->traffic.jobs; i++) {
		char name[256];
		printf("%-18s %s: %" PRIu64 " endpoints send, %" PRIu64 " idle\n", i ? "" : "traffic",
		       base_harmless_copy(c->traffic.job[i].name, name, sizeof name), c->traffic.job[i].members,
		       c->traffic.job[i].idle);
	}
	for (unsigned k = 0; c->has_traits && k < NET_TRAIT_LINES; k++) {
		char text[400];
		net_traits_print(&c->traits, (enum net_trait_line)k, text, sizeof text);
		printf("%-18s %s\n", net_trait_names[k], text);
	}
	print_framings(&c->framings, &c->topo, &c->traffic);
	print_loops(&c->loops, &c->topo, &c->config.net);
	print_tiles(&c->tiles, &c->topo);
	if (p->deadlock_free && c->objection)
		printf("%-18s no: %s\n", "deadlock-free", c->objection);
	else
		printf("%-18s %s: %s\n", "deadlock-free", p->deadlock_free ? "yes" : "no", p->method ? p->method : "");
	if (p->channels)
		printf("%-18s %" PRIu64 " channels, %" PRIu64 " dependencies\n", "", p->channels, p->dependencies);
	if (c->rt.proof_note)
		printf("%-18s %s\n", "", c->rt.proof_note);
	if (p->cycle_length) {
		printf("cycle of %zu channels, each waiting for the next:\n", p->cycle_length);
		for (size_t i = 0; i < p->cycle_length; i++)
			print_channel(stdout, &c->topo, &p->cycle[i]);
	}
}

static void print_framings_json(struct base_json *j, const struct net_framings *framings, const struct topo *topo,
                                uint32_t jobs)
{
	base_json_array(j, "framings");
	for (uint32_t i = 0; i < framings->n; i++) {
		const struct net_framing_of_class *f = &framings->v[i];
		base_json_object(j, NULL);
		base_json_string(j, "link_class", name_of_class(topo, f->link_class));
		if (f->traffic_class)
			base_json_string(j, "traffic_class", f->traffic_class);
		base_json_uint(j, "header_bytes", f->header);
		base_json_uint(j, "min_frame_bytes", f->min_frame);
		base_json_uint(j, "granule_bytes", f->granule);
		base_json_uint(j, "gap_bytes", f->gap);
		base_json_array(j, "job_ceilings");
		for (uint32_t k = 0; k < jobs; k++)
			if (f->ceiling[k] > 0)
				base_json_double(j, NULL, f->ceiling[k]);
			else
				base_json_null(j, NULL);
		base_json_end(j);
		base_json_end(j);
	}
	base_json_end(j);
}

static void print_check_json(const struct checked *c)
{
	const struct rt_proof *p = &c->proof;
	struct base_json j = base_json_stream(stdout);
	base_json_object(&j, NULL);
	base_json_bool(&j, "deadlock_free", p->deadlock_free && !c->objection);
	base_json_string(&j, "method", p->method);
	if (c->rt.proof_note)
		base_json_string(&j, "note", c->rt.proof_note);
	if (c->objection)
		base_json_string(&j, "objection", c->objection);
	for (unsigned k = 0; c->has_traits && k < NET_TRAIT_LINES; k++) {
		char text[400];
		net_traits_print(&c->traits, (enum net_trait_line)k, text, sizeof text);
		base_json_string(&j, net_trait_names[k], text);
	}
	if (c->has_traits)
		base_json_bool(&j, "decided_ahead", !c->traits.exact);
	if (c->has_traits && c->plan.on) {
		base_json_object(&j, "failures");
		base_json_uint(&j, "states", c->plan.states);
		base_json_uint(&j, "epochs", c->plan.epochs);
		base_json_uint(&j, "vcs", c->plan.vcs);
		base_json_uint(&j, "max_hops", c->plan.hops);
		base_json_end(&j);
	}
	base_json_uint(&j, "vcs", p->vcs);
	base_json_uint(&j, "vcs_needed", c->rt.vcs);
	base_json_uint(&j, "max_hops", c->rt.max_hops);
	base_json_uint(&j, "channels", p->channels);
	base_json_uint(&j, "dependencies", p->dependencies);
	print_framings_json(&j, &c->framings, &c->topo, c->traffic.jobs);
	base_json_array(&j, "credit_loops");
	for (uint32_t i = 0; i < c->loops.n; i++) {
		const struct net_credit_loop *l = &c->loops.v[i];
		base_json_object(&j, NULL);
		base_json_string(&j, "link_class", c->topo.link_class_name[l->link_class]);
		base_json_double(&j, "latency_ns", (double)l->latency / 1e3);
		base_json_double(&j, "longest_ns", (double)l->longest / 1e3);
		base_json_uint(&j, "packet_bytes", l->packet);
		base_json_double(&j, "rate", l->rate);
		base_json_end(&j);
	}
	base_json_end(&j);
	xp_json_tiles(&j, c->tiles.rows, c->tiles.columns, c->tiles.per_tile, c->tiles.ports, c->tiles.place);
	base_json_array(&j, "cycle");
	for (size_t i = 0; i < p->cycle_length; i++) {
		base_json_object(&j, NULL);
		base_json_uint(&j, "switch", p->cycle[i].sw);
		base_json_uint(&j, "port", p->cycle[i].port);
		base_json_uint(&j, "to_switch", topo_peer(&c->topo, p->cycle[i].sw, p->cycle[i].port).to);
		base_json_uint(&j, "vc", p->cycle[i].vc);
		base_json_end(&j);
	}
	base_json_end(&j);
	base_json_end(&j);
	base_json_newline(&j);
}

static int check_command(const struct xp_options *o, struct base_registry *registry, struct checked *c,
                         struct base_errors *errors)
{
	struct xp_sets sets = { .v = o->sets, .n = o->nsets };
	if (xp_config_load(&c->config, o->operand[0], &sets, XP_WHOLE, registry, errors)) {
		xp_config_look_further(&c->config, errors);
		return XP_USAGE;
	}
	build_all(c, errors);
	if (c->has_proof && !c->proof.deadlock_free)
		report_cycle(c, errors);
	if (!errors->errors)
		check_network(c, registry, errors);
	if (c->has_proof && c->has_traffic && o->json)
		print_check_json(c);
	else if (c->has_proof && c->has_traffic && !o->quiet)
		print_check_text(c);
	return errors->errors ? XP_USAGE : XP_OK;
}

static int run_check(const struct xp_options *o)
{
	struct base_registry registry = { 0 };
	struct base_errors errors = { 0 };
	struct checked c = { 0 };
	int status = XP_USAGE;
	if (!xp_open_registry(&registry, o, &errors))
		status = check_command(o, &registry, &c, &errors);
	xp_config_report(&c.config, &errors, stderr);
	if (c.has_proof)
		rt_proof_free(&c.proof);
	if (c.has_traffic)
		wl_destroy(&c.traffic);
	if (c.has_rt)
		rt_destroy(&c.rt);
	if (c.has_topo)
		topo_destroy(&c.topo);
	net_framings_free(&c.framings);
	free(c.objection);
	free(c.tiles.place);
	xp_config_free(&c.config);
	base_errors_free(&errors);
	base_registry_free(&registry);
	return status;
}

const struct xp_command xp_command_check = {
	.name = "check",
	.summary = "validate a configuration and prove its routing deadlock-free",
	.operands = "CONFIG",
	.text = "Validates the whole configuration and proves that its routing is free of deadlock on its topology "
		"with the number of virtual channels of the switches. If it is not, prints a cycle of channels that "
		"wait for each other and exits with status 2. Also prints which code paths a run would use, and why: "
		"whether packets of endpoints are decided before they are sent, what is prefetched, and whether "
		"packets are counted individually.",
	.examples = "tilefly check slimfly-3k\n"
		    "tilefly check slimfly-3k --set routing.kind=valiant --set switch.vcs=2\n"
		    "tilefly check my.cfg --plugin ./mine.so\n",
	.status = "0 the configuration is valid and deadlock-free, 2 wrong usage or configuration, or the routing can "
		  "deadlock.",
	.bit = XP_CMD_CHECK,
	.min_operands = 1,
	.max_operands = 1,
	.word = XP_WORD_CONFIG,
	.ranks = XP_FIRST_RANK,
	.run = run_check,
};
