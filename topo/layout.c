/* topo/layout.c - see layout.h */
#include "topo/layout.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define AT(field) offsetof(struct topo_layout_params, field)
#define PAPER "plan of the SC14 Slim Fly cost model, from memory; topo/cost_linear.c"

const struct base_param topo_layout_table[] = {
	{ "rack_switches", BASE_AUTO_INT, AT(rack_switches), "auto", "switches", 1, 1e6, NULL,
	  "maximum number of switches in a rack. Larger groups of the topology's own rule are divided; auto: they are "
	  "not, and topologies without a rule fill racks with a switch and its neighbours",
	  NULL },
	{ "columns", BASE_AUTO_INT, AT(columns), "auto", "racks", 1, 1e6, NULL,
	  "racks in a row; auto: the square root of their number, rounded up; for a torus with fold = \"racks\" the "
	  "size of its second dimension",
	  PAPER },
	{ "width", BASE_LENGTH, AT(width), "1m", NULL, 0, 100, NULL, "distance of neighbouring racks in a row", PAPER },
	{ "depth", BASE_LENGTH, AT(depth), "1m", NULL, 0, 100, NULL, "depth of a row of racks, without the aisle",
	  PAPER },
	{ "aisle", BASE_LENGTH, AT(aisle), "0m", NULL, 0, 100, NULL,
	  "width of the aisle between two rows, in addition to depth", NULL },
	{ "inside", BASE_LENGTH, AT(inside), "1m", NULL, 0.001, 100, NULL, "length of a cable inside a rack", PAPER },
	{ "overhead", BASE_LENGTH, AT(overhead), "2m", NULL, 0, 100, NULL,
	  "additional length of a cable between racks, beyond the distance along rows and columns", PAPER },
	{ "terminal", BASE_LENGTH, AT(terminal), "1m", NULL, 0.001, 1000, NULL, "length of a cable to an endpoint",
	  PAPER },
	{ "copper", BASE_LENGTH, AT(copper), "2.6m", NULL, 0, 100000, NULL,
	  "maximum length of copper cables; longer ones are optical", "De Sensi et al., SC20, II: Slingshot's reach" },
	{ "fold", BASE_ENUM, AT(fold), "short", NULL, 0, 0, "short|racks|none",
	  "placement of a torus. short: neighbours are adjacent, every cable is as short as inside a rack, so all are "
	  "copper; racks: a row of the first dimension per rack, racks in folded order; none: racks by number",
	  PAPER },
	{ "delay", BASE_TIME, AT(delay), "4.5ns", NULL, 1, 1e9, NULL,
	  "propagation delay per metre, if latency = \"layout\"", "NVIDIA MCP7F80 specification page" },
	{ 0 },
};

static bool has_rings(const void *params, const void *topo)
{
	(void)params;
	return ((const struct topo *)topo)->rings;
}

const struct base_condition topo_layout_conditions[] = {
	{ "fold", "with a torus", NULL, has_rings },
	{ 0 },
};

static uint32_t millimetres(double metres)
{
	return (uint32_t)llround(1000 * metres);
}

/* --- assignment to racks --------------------------------------------------------------------------------- */

static bool has_groups(const struct topo *topo)
{
	return topo->groups > 1 && topo->groups < topo->switches && topo->ops->group;
}

/* Assigns switches to racks. A rack gets the first switch without a rack, then, in breadth-first order, the neighbours
 * of its switches, until it has `most` switches; if no such neighbour is left, it gets the next switch without a rack.
 * Returns the number of racks. */
static uint32_t fill_racks(const struct topo *topo, uint32_t *rack, uint32_t most)
{
	topo_switch *in = base_calloc(most, sizeof *in), first = 0;
	uint32_t racks = 0, n = 0, looked = 0;
	for (topo_switch s = 0; s < topo->switches; s++)
		rack[s] = TOPO_NONE;
	for (uint32_t placed = 0; placed < topo->switches; placed++) {
		topo_switch next = TOPO_NONE;
		if (n == most) {
			racks++;
			n = looked = 0;
		}
		for (; looked < n && next == TOPO_NONE; looked += next == TOPO_NONE)
			for (topo_port p = 0; p < topo_ports(topo, in[looked]) && next == TOPO_NONE; p++) {
				topo_switch to = topo_peer(topo, in[looked], p).to;
				next = rack[to] == TOPO_NONE ? to : TOPO_NONE;
			}
		while (next == TOPO_NONE && rack[first] != TOPO_NONE)
			first++;
		next = next == TOPO_NONE ? first : next;
		rack[next] = racks;
		in[n++] = next;
	}
	free(in);
	return racks + 1;
}

/* Position of c in a folded ring of n: 0, n - 1, 1, n - 2, ... are adjacent. */
static uint32_t folded(uint32_t c, uint32_t n)
{
	return 2 * c < n ? 2 * c : 2 * (n - 1 - c) + 1;
}

/* The number of a torus' rack: its dimensions are those of the switches without the first, each folded. */
static uint32_t folded_rack(const uint32_t *size, int n, uint32_t rack)
{
	uint32_t out = 0, stride = 1;
	for (int i = 1; i < n; i++) {
		out += stride * folded(rack % size[i], size[i]);
		rack /= size[i];
		stride *= size[i];
	}
	return out;
}

#define MOST_DIMENSIONS 64

static uint32_t by_rule(const struct topo *topo, uint32_t *rack, bool fold, uint32_t *columns)
{
	uint32_t size[MOST_DIMENSIONS] = { 0 }, racks = 0;
	int n = fold ? topo->ops->dims(topo, size, MOST_DIMENSIONS) : 0;
	for (topo_switch s = 0; s < topo->switches; s++) {
		rack[s] = topo->ops->rack ? topo->ops->rack(topo, s) : topo_group(topo, s);
		rack[s] = fold ? folded_rack(size, n, rack[s]) : rack[s];
		racks = rack[s] >= racks ? rack[s] + 1 : racks;
	}
	*columns = n > 1 ? size[1] : 0;
	return racks;
}

/* Divides racks of more than `most` switches evenly. Returns the new number of racks. */
static uint32_t divide_racks(uint32_t *rack, uint32_t switches, uint32_t racks, uint32_t most)
{
	uint32_t *count = base_calloc(racks, sizeof *count), *first = base_calloc(racks, sizeof *first);
	uint32_t *seen = base_calloc(racks, sizeof *seen), total = 0;
	for (uint32_t s = 0; s < switches; s++)
		count[rack[s]]++;
	for (uint32_t i = 0; i < racks; i++) {
		first[i] = total;
		total += count[i] ? (count[i] - 1) / most + 1 : 1;
	}
	for (uint32_t s = 0; s < switches; s++) {
		uint32_t i = rack[s], parts = (count[i] - 1) / most + 1;
		rack[s] = first[i] + (uint32_t)((uint64_t)seen[i]++ * parts / count[i]);
	}
	free(count);
	free(first);
	free(seen);
	return total;
}

static uint32_t most_of(const uint32_t *rack, uint32_t switches, uint32_t racks)
{
	uint32_t *count = base_calloc(racks, sizeof *count), most = 0;
	for (uint32_t s = 0; s < switches; s++) {
		uint32_t n = ++count[rack[s]];
		most = n > most ? n : most;
	}
	free(count);
	return most;
}

/* --- building -------------------------------------------------------------------------------------------- */

static uint32_t root_up(uint32_t n)
{
	uint32_t root = (uint32_t)sqrt(n);
	while ((uint64_t)root * root < n)
		root++;
	return root;
}

static void place_racks(struct topo_layout *l, const struct topo *topo, const struct topo_layout_params *p)
{
	bool fold = topo->rings && topo->ops->dims && p->fold == TOPO_FOLD_RACKS;
	uint32_t most = p->rack_switches == BASE_AUTO ? topo->max_ports + 1 : (uint32_t)p->rack_switches, columns = 0;
	if (topo->ops->rack || has_groups(topo)) {
		l->racks = by_rule(topo, l->rack, fold, &columns);
		if (p->rack_switches != BASE_AUTO)
			l->racks = divide_racks(l->rack, topo->switches, l->racks, most);
	} else {
		l->racks = fill_racks(topo, l->rack, most);
	}
	l->columns = p->columns != BASE_AUTO ? (uint32_t)p->columns : columns ? columns : root_up(l->racks);
	l->columns = l->columns > l->racks ? l->racks : l->columns;
	l->rows = (l->racks - 1) / l->columns + 1;
	l->most = most_of(l->rack, topo->switches, l->racks);
}

int topo_layout_build(struct topo_layout *l, const struct topo *topo, const struct topo_layout_params *p,
                      struct base_errors *errors)
{
	*l = (struct topo_layout){ .width = millimetres(p->width),
		                   .depth = millimetres(p->depth + p->aisle),
		                   .inside = millimetres(p->inside),
		                   .overhead = millimetres(p->overhead),
		                   .terminal = millimetres(p->terminal),
		                   .copper = millimetres(p->copper),
		                   .delay = p->delay,
		                   .together = topo->rings && p->fold == TOPO_FOLD_SHORT };
	l->rack = base_calloc(topo->switches, sizeof *l->rack);
	place_racks(l, topo, p);
	l->by_columns = topo_divider_of(l->columns);
	double longest = (double)l->columns * l->width + (double)l->rows * l->depth + l->overhead;
	if (longest < UINT32_MAX)
		return 0;
	topo_layout_free(l);
	return base_errorf(errors, NULL, "a floor of %u by %u racks has cables of %.0f km; at most 4,294 are supported",
	                   l->columns, l->rows, longest * 1e-6);
}

void topo_layout_free(struct topo_layout *l)
{
	free(l->rack);
	l->rack = NULL;
}
