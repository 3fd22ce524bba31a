/* topo/edges.c - a topology read from a list of cables, and the writer of such lists.
 *
 * Port numbers follow the order of the file. Minimal routing (table.h) offers all graph-shortest next hops. Switches
 * may have different numbers of endpoints, or none. */
#include "topo/parallel.h"
#include "topo/params.h"
#include "topo/table.h"

#include "base/memory.h"
#include "base/units.h"

#include <stdlib.h>

struct edges {
	struct topo_table table;
	uint32_t *first_endpoint; /* switches + 1 entries; NULL: equal numbers on all switches */
};

static void edges_destroy(struct topo *topo)
{
	struct edges *e = topo->impl;
	topo_table_free(&e->table);
	free(e->first_endpoint);
	free(e);
}

/* Describes a switch that switch 0 does not reach, if there is one. */
static int check_connected(const struct edges *e, const char *file, struct base_errors *errors)
{
	uint32_t *distance = base_calloc(e->table.graph.n, sizeof *distance);
	topo_switch *queue = base_calloc(e->table.graph.n, sizeof *queue), lost = 0;
	uint32_t reached = topo_bfs(&e->table.graph, 0, distance, queue);
	while (reached < e->table.graph.n && distance[lost] != UINT32_MAX)
		lost++;
	free(distance);
	free(queue);
	if (reached == e->table.graph.n)
		return 0;
	if (e->table.graph.first[0] == e->table.graph.first[1])
		lost = 0;
	bool from_one = lost == 0 && e->table.graph.first[0] == e->table.graph.first[1];
	return base_errorf(
	    errors, "file", "%s: the graph is not connected: switch %u %s (%u switches, numbered 0 to %u%s)", file,
	    lost,
	    e->table.graph.first[lost] == e->table.graph.first[lost + 1] ? "has no cable"
									 : "cannot be reached from switch 0",
	    e->table.graph.n, e->table.graph.n - 1, from_one ? "; a file that begins with 1 has to be renumbered" : "");
}

static int tabulate(struct edges *e, const char *file, struct base_errors *errors)
{
	if (topo_table_distances(&e->table))
		return base_errorf(errors, "file",
		                   "%s: two switches are more than %d hops apart, which is not supported", file,
		                   TOPO_FARTHEST);
	return 0;
}

/* `count`: the file's number for each switch, or NULL. */
static int set_endpoints(struct topo *topo, const struct topo_edges_params *in, const uint32_t *count,
                         struct base_errors *errors)
{
	struct edges *e = topo->impl;
	if (!count)
		return topo_set_size(topo, e->table.graph.n, (uint64_t)in->endpoints, errors);
	bool all = true;
	uint64_t sum = 0;
	e->first_endpoint = base_calloc((size_t)e->table.graph.n + 1, sizeof *e->first_endpoint);
	for (topo_switch s = 0; s < e->table.graph.n; s++) {
		uint32_t here = count[s] != TOPO_NONE ? count[s] : (uint32_t)in->endpoints;
		all = all && count[s] != TOPO_NONE;
		sum += here; /* at most 2^30: 2^14 switches of fewer than 2^16 endpoints */
		topo->max_endpoints = here > topo->max_endpoints ? here : topo->max_endpoints;
		e->first_endpoint[s + 1] = (uint32_t)sum;
	}
	topo->switches = e->table.graph.n;
	topo->endpoints = (uint32_t)sum;
	topo->endpoint_first = sum == (uint64_t)e->table.graph.n * topo->max_endpoints ? NULL : e->first_endpoint;
	if (all && in->endpoints != 1)
		return base_errorf(errors, "endpoints", "has no effect: %s gives a number for every switch", in->file);
	if (!sum)
		return base_errorf(errors, "file", "%s: no switch has endpoints", in->file);
	return 0;
}

static int edges_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_edges_params *in = params;
	if (in->endpoints < 1)
		return base_errorf(errors, "endpoints", "must be at least 1, not %lld", (long long)in->endpoints);
	if (!in->file || !*in->file)
		return base_errorf(errors, "file", "is required");
	struct topo_cables cables;
	if (topo_read_cables(&cables, in->file, errors))
		return -1;
	struct edges *e = base_alloc(sizeof *e);
	topo->impl = e;
	if (topo_table_of_cables(topo, &e->table, &cables, in->file, errors)) {
		topo_cables_free(&cables);
		return -1;
	}
	int status = check_connected(e, in->file, errors) ? -1 : tabulate(e, in->file, errors);
	status |= set_endpoints(topo, in, cables.endpoints, errors);
	topo_cables_free(&cables);
	if (status)
		return -1;
	topo->max_ports = topo_table_most_ports(&e->table);
	topo->vc_rule = TOPO_VC_HOP;
	return 0;
}

/* Writes a line "endpoints SWITCHES N" for every range of switches with equally many endpoints. Writes nothing if every
 * switch has one endpoint, which is the reader's default. */
static void write_endpoints(const struct topo *topo, FILE *out)
{
	if (topo->max_endpoints == 1 && topo->endpoints == topo->switches)
		return;
	for (topo_switch s = 0, next; s < topo->switches; s = next) {
		uint32_t count = topo_endpoints_at(topo, s);
		for (next = s + 1; next < topo->switches && topo_endpoints_at(topo, next) == count;)
			next++;
		if (next - s == 1)
			fprintf(out, "endpoints %u %u\n", s, count);
		else
			fprintf(out, "endpoints %u-%u %u\n", s, next - 1, count);
	}
}

/* " bandwidth=100Gbps", or "100Gbps/40Gbps" with that of the way back; nothing if both are those of the class. */
static void write_own(FILE *out, const char *name, enum base_type type, uint64_t there, uint64_t back)
{
	char text[48];
	if (!there && !back)
		return;
	base_print_quantity(type, there, text, sizeof text);
	fprintf(out, " %s=%s", name, there ? text : "-");
	if (back == there)
		return;
	base_print_quantity(type, back, text, sizeof text);
	fprintf(out, "/%s", back ? text : "-");
}

static void write_cable(const struct topo *topo, topo_switch s, const struct topo_hop *hop, FILE *out)
{
	fprintf(out, "%u %u %s", s, hop->to, topo->link_class_name[hop->link_class]);
	if (topo->kinds) {
		const struct topo_link_kind *kind = &topo->kinds->v[hop->link_class];
		struct topo_direction there = kind->own, back = topo->kinds->v[kind->reverse].own;
		write_own(out, "bandwidth", BASE_RATE, there.bandwidth, back.bandwidth);
		write_own(out, "latency", BASE_TIME, there.latency, back.latency);
	}
	fputc('\n', out);
}

int topo_write_edges(const struct topo *topo, FILE *out)
{
	for (topo_switch s = 0; s < topo->switches; s++)
		for (topo_port p = 0; p < topo_ports(topo, s); p++) {
			struct topo_hop hop = topo_peer(topo, s, p);
			if (hop.to != TOPO_NONE && (s < hop.to || (s == hop.to && p < hop.port)))
				write_cable(topo, s, &hop, out);
		}
	write_endpoints(topo, out);
	return ferror(out) ? -1 : 0;
}

static const struct base_param edges_params[] = {
	{ .name = "file",
	  .type = BASE_FILE,
	  .offset = offsetof(struct topo_edges_params, file),
	  .help = "lines \"src dst [class] [bandwidth=B[/B]] [latency=T[/T]] [absent=true]\", one per cable, and "
	          "\"endpoints SWITCHES N\"; a second value is that of the direction from dst to src; '#' starts a "
	          "comment; may be gzip. A first line with the numbers of switches and of cables is a header" },
	{ .name = "endpoints",
	  .type = BASE_INT,
	  .offset = offsetof(struct topo_edges_params, endpoints),
	  .default_value = "1",
	  .unit = "endpoints",
	  .min = 1,
	  .max = 65535,
	  .help = "endpoints of each switch for which the file gives no number" },
	TOPO_TRUNK(struct topo_edges_params),
	{ 0 }
};

static const struct topo_ops edges_ops = {
	.trunk_at = offsetof(struct topo_edges_params, trunk),
	.build = edges_build,
	.destroy = edges_destroy,
	TOPO_TABLE_OPS,
};

const struct base_plugin topo_edges = {
	.kind = "topology",
	.name = "edges",
	.summary = "any connected graph, read from a list of cables",
	.params = edges_params,
	.params_bytes = sizeof(struct topo_edges_params),
	.ops = &edges_ops,
};
