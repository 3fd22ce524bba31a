/* experiments/commands/cost.c - `tilefly cost`: what a network is made of, where it stands, what it costs. */
#include "experiments/commands/cost.h"

#include "base/memory.h"
#include "experiments/commands/command.h"
#include "experiments/commands/registry.h"
#include "experiments/config/message.h"

#include <stdlib.h>
#include <string.h>

/* Costs by different models say nothing of each other. */
static int check_models(const struct xp_costing *c, int n)
{
	for (int i = 1; i < n; i++) {
		const struct topo_model *a = &c[0].model, *b = &c[i].model;
		const struct topo_prices *p = a->prices, *q = b->prices;
		if (a->plugin == b->plugin && (!p || !strcmp(p->name, q->name)))
			continue;
		xp_message("%s is priced by cost model \"%s\"%s%s, but %s by \"%s\"%s%s: use one model for all (--set "
		           "cost.kind=...)",
		           c[0].name, a->plugin->name, p ? " of " : "", p ? p->name : "", c[i].name, b->plugin->name,
		           q ? " of " : "", q ? q->name : "");
		return -1;
	}
	return 0;
}

static int make_all(const struct xp_options *o, struct base_registry *registry, struct xp_costing *c)
{
	struct xp_sets sets = { .v = o->sets, .n = o->nsets };
	int status = XP_OK;
	for (int i = 0; i < o->operands; i++) {
		struct base_errors errors = { 0 };
		if (xp_costing_make(&c[i], o->operand[i], &sets, XP_LINKS_OF_TOPOLOGY, registry, &errors))
			status = XP_USAGE;
		xp_config_report(&c[i].config, &errors, stderr);
		base_errors_free(&errors);
	}
	return status == XP_OK && check_models(c, o->operands) ? XP_USAGE : status;
}

static int run_cost(const struct xp_options *o)
{
	struct base_registry registry = { 0 };
	struct base_errors errors = { 0 };
	int status = XP_USAGE;
	struct xp_costing *c = base_calloc((size_t)o->operands, sizeof *c);
	if (!xp_open_registry(&registry, o, &errors))
		status = make_all(o, &registry, c);
	xp_message_errors(&errors);
	base_errors_free(&errors);
	if (status == XP_OK && o->json)
		xp_cost_print_json(c, o->operands);
	else if (status == XP_OK && !o->quiet)
		xp_cost_print_text(c, o->operands);
	for (int i = 0; i < o->operands; i++)
		xp_costing_free(&c[i]);
	free(c);
	base_registry_free(&registry);
	return status;
}

const struct xp_command xp_command_cost = {
	.name = "cost",
	.summary = "count cables and switches of networks, and compute their cost and power",
	.operands = "CONFIG...",
	.text =
	    "Builds the topology of each configuration, places its switches in racks according to section layout, and "
	    "reports the number of switches by ports and speed, of cables by class, medium and length, and the power "
	    "by published figures per port. None of this needs prices. With a cost model (section cost) it also "
	    "computes the cost: sc14-linear is a published linear model, for links of 40 Gb/s only; prices reads a "
	    "price list of your own. No other prices come with tilefly.\n\nSwitches that share a rack, by topology: "
	    "Slim Fly: the groups (0, x) and (1, x); dragonfly and dragonfly+: a group; Bundlefly: the groups (0, x) "
	    "and (1, x) with all copies; PolarStar: a supernode; HyperX: all switches that differ only in the "
	    "dimensions before the last (a row or a plane); fat trees: a subtree below the roots, then roots with the "
	    "same children; MLFM: a layer, then h global switches; torus: a row of the first dimension (layout.fold "
	    "sets how rings are closed); PolarFly: a neighbour of the first quadric with its other neighbours; OFT: k "
	    "points, both leaves of each, and k lines, in order of their numbers; HammingMesh: a row of boards with "
	    "the switches of its rows, and an equal part of the column switches; Jellyfish, SpectralFly and edges: a "
	    "switch, its neighbours, and their neighbours, until the rack holds as many switches as one switch with "
	    "its neighbours. Other topologies with groups: a group.\n\nSeveral configurations are printed as a table. "
	    "With prices it is sorted by the total per endpoint, and followed by the factors on the price of optical "
	    "cables and of ports at which the order changes. Networks that differ in uniform throughput offer "
	    "different performance for the money: see the column uniform, and tilefly size.",
	.examples = "tilefly cost slimfly-3k\n"
		    "tilefly cost slimfly-3k dragonfly-1056 torus-8x8x8\n"
		    "tilefly cost slimfly-3k --set links.default.bandwidth=40Gbps --set cost.kind=sc14-linear\n"
		    "tilefly cost slimfly-3k --set cost.kind=prices --set cost.file=prices.cfg --json\n",
	.status = "0 done, 2 wrong usage, configuration or prices.",
	.bit = XP_CMD_COST,
	.min_operands = 1,
	.max_operands = 1000,
	.word = XP_WORD_CONFIG,
	.ranks = XP_FIRST_RANK,
	.run = run_cost,
};
