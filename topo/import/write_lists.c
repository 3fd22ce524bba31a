/* topo/import/write_lists.c - topologies as lists of vertices, and for simulators: adjacency and edge lists of
 * networkx, METIS' graph files, BookSim's anynet, ibnetdiscover's topology file, SST's and InfraGraph's JSON, CODES'
 * binaries. */
#include "topo/import/formats.h"
#include "topo/names.h"

#include "base/json.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A comment, for a reader of the file. */
static void write_endpoints_comment(const struct topo *topo, FILE *out)
{
	fprintf(out, "# %" PRIu32 " switches with %" PRIu32 " endpoints each\n", topo->switches, topo->max_endpoints);
}

int import_write_adjlist(const struct topo *topo, const struct import_output *out, struct base_errors *errors)
{
	if (import_check_even(topo, "an adjacency list", errors))
		return -1;
	import_warn_lost(topo, "an adjacency list", true, true, errors);
	write_endpoints_comment(topo, out->stream);
	for (topo_switch s = 0; s < topo->switches; s++) {
		fprintf(out->stream, "%" PRIu32, s);
		for (topo_port p = 0; p < topo_ports(topo, s); p++)
			if (topo_peer(topo, s, p).to > s)
				fprintf(out->stream, " %" PRIu32, topo_peer(topo, s, p).to);
		fputc('\n', out->stream);
	}
	return 0;
}

int import_write_edgelist(const struct topo *topo, const struct import_output *out, struct base_errors *errors)
{
	struct import_cable c;
	topo_switch s = 0;
	topo_port p = 0;
	if (import_check_even(topo, "an edge list", errors))
		return -1;
	import_warn_lost(topo, "an edge list", false, true, errors);
	write_endpoints_comment(topo, out->stream);
	while (import_next_cable(topo, &s, &p, &c))
		if (import_has_classes(topo))
			fprintf(out->stream, "%" PRIu32 " %" PRIu32 " {'class': '%s'}\n", c.a, c.b,
			        topo->link_class_name[c.link_class]);
		else
			fprintf(out->stream, "%" PRIu32 " %" PRIu32 " {}\n", c.a, c.b);
	return 0;
}

/* --- METIS ------------------------------------------------------------------------------------------------------ */

/* Distinct neighbours of a switch, each with its number of parallel cables: cables[to], zeroed again by the caller. */
static uint32_t neighbours_of(const struct topo *topo, topo_switch s, uint32_t *cables, topo_switch *list)
{
	uint32_t n = 0;
	for (topo_port p = 0; p < topo_ports(topo, s); p++) {
		topo_switch to = topo_peer(topo, s, p).to;
		if (!cables[to]++)
			list[n++] = to;
	}
	return n;
}

/* Vertex weights are numbers of endpoints, edge weights of parallel cables. */
int import_write_metis(const struct topo *topo, const struct import_output *out, struct base_errors *errors)
{
	uint32_t *cables = base_calloc(topo->switches, sizeof *cables), n;
	topo_switch *list = base_calloc(topo->max_ports + (size_t)1, sizeof *list);
	uint64_t edges = 0;
	bool parallel = false;
	import_warn_lost(topo, "METIS' format", true, true, errors);
	for (topo_switch s = 0; s < topo->switches; s++) {
		n = neighbours_of(topo, s, cables, list);
		for (uint32_t i = 0; i < n; i++) {
			edges += list[i] > s;
			parallel |= cables[list[i]] > 1;
			cables[list[i]] = 0;
		}
	}
	fprintf(out->stream, "%" PRIu32 " %" PRIu64 " 01%d\n", topo->switches, edges, parallel);
	for (topo_switch s = 0; s < topo->switches; s++) {
		fprintf(out->stream, "%" PRIu32, topo_endpoints_at(topo, s));
		n = neighbours_of(topo, s, cables, list);
		for (uint32_t i = 0; i < n; i++) {
			fprintf(out->stream, " %" PRIu32, list[i] + 1);
			if (parallel)
				fprintf(out->stream, " %" PRIu32, cables[list[i]]);
			cables[list[i]] = 0;
		}
		fputc('\n', out->stream);
	}
	free(cables);
	free(list);
	return 0;
}

/* --- BookSim ---------------------------------------------------------------------------------------------------- */

int import_write_anynet(const struct topo *topo, const struct import_output *out, struct base_errors *errors)
{
	uint32_t *cables = base_calloc(topo->switches, sizeof *cables), n;
	topo_switch *list = base_calloc(topo->max_ports + (size_t)1, sizeof *list);
	bool parallel = false;
	for (topo_switch s = 0; s < topo->switches && !parallel; s++) {
		n = neighbours_of(topo, s, cables, list);
		for (uint32_t i = 0; i < n; i++) {
			parallel |= cables[list[i]] > 1;
			cables[list[i]] = 0;
		}
	}
	free(cables);
	free(list);
	if (parallel)
		return base_errorf(errors, NULL,
		                   "anynet joins two routers by one cable at most; this topology has parallel ones");
	import_warn_lost(topo, "anynet", true, true, errors);
	for (topo_switch s = 0; s < topo->switches; s++) {
		fprintf(out->stream, "router %" PRIu32, s);
		for (topo_endpoint e = topo_first_endpoint(topo, s); e < topo_first_endpoint(topo, s + 1); e++)
			fprintf(out->stream, " node %" PRIu32, e);
		for (topo_port p = 0; p < topo_ports(topo, s); p++)
			if (topo_peer(topo, s, p).to > s)
				fprintf(out->stream, " router %" PRIu32, topo_peer(topo, s, p).to);
		fputc('\n', out->stream);
	}
	return 0;
}

/* --- ibnetdiscover ---------------------------------------------------------------------------------------------- */

/* A description, between quotes: the name, or the number. */
static void write_description(FILE *out, const char *name, uint32_t number)
{
	if (!name) {
		fprintf(out, "\"%" PRIu32 "\"", number);
		return;
	}
	fputc('"', out);
	for (const char *c = name; *c; c++)
		fputc(*c == '"' || (unsigned char)*c < ' ' ? '\'' : *c, out);
	fputc('"', out);
}

/* GUIDs are numbers: of switches from 1 on, of adapters above these. Network ports of a switch are its first ones. */
int import_write_ibnetdiscover(const struct topo *topo, const struct import_output *to, struct base_errors *errors)
{
	FILE *out = to->stream;
	import_warn_lost(topo, "ibnetdiscover's format", true, false, errors);
	fputs("#\n# Topology file: generated by tilefly; GUIDs are numbers\n#\n", out);
	for (topo_switch s = 0; s < topo->switches; s++) {
		uint32_t ports = topo_ports(topo, s);
		fprintf(out, "\nswitchguid=0x%" PRIx32 "(%" PRIx32 ")\nSwitch\t%" PRIu32 " \"S-%016" PRIx32 "\"\t\t# ",
		        s + 1, s + 1, ports + topo_endpoints_at(topo, s), s + 1);
		write_description(out, topo_switch_name(topo, s), s);
		fprintf(out, " base port 0 lid %" PRIu32 " lmc 0\n", s + 1);
		for (topo_port p = 0; p < ports; p++) {
			struct topo_hop hop = topo_peer(topo, s, p);
			fprintf(out, "[%" PRIu32 "]\t\"S-%016" PRIx32 "\"[%" PRIu32 "]\t\t# ", p + 1, hop.to + 1,
			        hop.port + 1);
			write_description(out, topo_switch_name(topo, hop.to), hop.to);
			fprintf(out, " lid %" PRIu32 "\n", hop.to + 1);
		}
		for (topo_endpoint e = topo_first_endpoint(topo, s); e < topo_first_endpoint(topo, s + 1); e++) {
			uint32_t guid = topo->switches + 1 + e;
			fprintf(out, "[%" PRIu32 "]\t\"H-%016" PRIx32 "\"[1](%" PRIx32 ") \t\t# ",
			        ports + 1 + e - topo_first_endpoint(topo, s), guid, guid);
			write_description(out, topo_endpoint_name(topo, e), e);
			fprintf(out, " lid %" PRIu32 "\n", guid);
		}
	}
	for (topo_endpoint e = 0; e < topo->endpoints; e++) {
		topo_switch s = topo_switch_of(topo, e);
		uint32_t guid = topo->switches + 1 + e;
		fprintf(out, "\ncaguid=0x%" PRIx32 "\nCa\t1 \"H-%016" PRIx32 "\"\t\t# ", guid, guid);
		write_description(out, topo_endpoint_name(topo, e), e);
		fprintf(out, "\n[1](%" PRIx32 ") \t\"S-%016" PRIx32 "\"[%" PRIu32 "]\t\t# lid %" PRIu32 " lmc 0 ", guid,
		        s + 1, topo_ports(topo, s) + 1 + e - topo_first_endpoint(topo, s), guid);
		write_description(out, topo_switch_name(topo, s), s);
		fprintf(out, " lid %" PRIu32 "\n", s + 1);
	}
	return 0;
}

/* --- SST -------------------------------------------------------------------------------------------------------- */

static void write_sst_end(struct base_json *j, const char *side, const char *component, uint32_t number,
                          const char *port, uint32_t port_number, uint64_t latency)
{
	char text[48];
	base_json_object(j, side);
	snprintf(text, sizeof text, "%s%" PRIu32, component, number);
	base_json_string(j, "component", text);
	snprintf(text, sizeof text, "%s%" PRIu32, port, port_number);
	base_json_string(j, "port", text);
	snprintf(text, sizeof text, "%" PRIu64 "ps", latency);
	base_json_string(j, "latency", text);
	base_json_end(j);
}

static void write_sst_component(struct base_json *j, const char *prefix, uint32_t number, const char *type,
                                uint32_t ports)
{
	char text[48];
	base_json_object(j, NULL);
	snprintf(text, sizeof text, "%s%" PRIu32, prefix, number);
	base_json_string(j, "name", text);
	base_json_string(j, "type", type);
	base_json_object(j, "params");
	snprintf(text, sizeof text, "%" PRIu32, number);
	base_json_string(j, "id", text);
	snprintf(text, sizeof text, "%" PRIu32, ports);
	if (ports)
		base_json_string(j, "num_ports", text);
	base_json_end(j);
	base_json_end(j);
}

int import_write_sst(const struct topo *topo, const struct import_output *out, struct base_errors *errors)
{
	struct base_json j = base_json_stream(out->stream);
	struct import_cable c;
	topo_switch s = 0;
	topo_port p = 0;
	char name[64];
	import_warn_lost(topo, "SST's format", true, true, errors);
	base_json_object(&j, NULL);
	base_json_array(&j, "components");
	for (topo_switch i = 0; i < topo->switches; i++)
		write_sst_component(&j, "rtr", i, "merlin.hr_router", topo_ports(topo, i) + topo_endpoints_at(topo, i));
	for (topo_endpoint e = 0; e < topo->endpoints; e++)
		write_sst_component(&j, "node", e, "merlin.endpoint", 0);
	base_json_end(&j);
	base_json_array(&j, "links");
	while (import_next_cable(topo, &s, &p, &c)) {
		base_json_object(&j, NULL);
		snprintf(name, sizeof name, "link_r%" PRIu32 "p%" PRIu32, c.a, c.a_port);
		base_json_string(&j, "name", name);
		write_sst_end(&j, "left", "rtr", c.a, "port", c.a_port, out->latency ? out->latency[c.link_class] : 0);
		write_sst_end(&j, "right", "rtr", c.b, "port", c.b_port, out->latency ? out->latency[c.link_class] : 0);
		base_json_end(&j);
	}
	for (topo_endpoint e = 0; e < topo->endpoints; e++) {
		topo_switch at = topo_switch_of(topo, e);
		base_json_object(&j, NULL);
		snprintf(name, sizeof name, "link_n%" PRIu32, e);
		base_json_string(&j, "name", name);
		write_sst_end(&j, "left", "rtr", at, "port", topo_ports(topo, at) + e - topo_first_endpoint(topo, at),
		              out->terminal_latency);
		write_sst_end(&j, "right", "node", e, "rtr", 0, out->terminal_latency);
		base_json_end(&j);
	}
	base_json_end(&j);
	base_json_end(&j);
	base_json_newline(&j);
	return 0;
}

/* --- InfraGraph ------------------------------------------------------------------------------------------------- */

static void write_infra_end(struct base_json *j, const char *key, const char *instance, uint32_t copy,
                            const char *component, uint32_t part)
{
	char text[48];
	base_json_object(j, key);
	snprintf(text, sizeof text, "%s[%" PRIu32 "]", instance, copy);
	base_json_string(j, "instance", text);
	snprintf(text, sizeof text, "%s[%" PRIu32 "]", component, part);
	base_json_string(j, "component", text);
	base_json_end(j);
}

static void write_infra_device(struct base_json *j, const char *name, const char *component, const char *choice,
                               uint32_t count)
{
	base_json_object(j, NULL);
	base_json_string(j, "name", name);
	base_json_array(j, "components");
	base_json_object(j, NULL);
	base_json_string(j, "name", component);
	base_json_uint(j, "count", count);
	base_json_string(j, "choice", choice);
	base_json_end(j);
	base_json_end(j);
	base_json_array(j, "links");
	base_json_end(j);
	base_json_array(j, "edges");
	base_json_end(j);
	base_json_end(j);
}

static void write_infra_instance(struct base_json *j, const char *name, uint32_t count)
{
	base_json_object(j, NULL);
	base_json_string(j, "name", name);
	base_json_string(j, "device", name);
	base_json_uint(j, "count", count);
	base_json_end(j);
}

static void write_infra_links(struct base_json *j, const struct topo *topo, const struct import_output *out)
{
	base_json_array(j, "links");
	for (int k = 0; k <= topo_named_classes(topo); k++) {
		uint64_t latency =
		    k < topo_named_classes(topo) ? (out->latency ? out->latency[k] : 0) : out->terminal_latency;
		base_json_object(j, NULL);
		base_json_string(j, "name", k < topo_named_classes(topo) ? topo->link_class_name[k] : "terminal");
		if (latency) {
			base_json_object(j, "physical");
			base_json_object(j, "latency");
			base_json_string(j, "choice", "ns");
			base_json_double(j, "ns", (double)latency / 1000);
			base_json_end(j);
			base_json_end(j);
		}
		base_json_end(j);
	}
	base_json_end(j);
}

static void write_infra_edges(struct base_json *j, const struct topo *topo)
{
	struct import_cable c;
	topo_switch s = 0;
	topo_port p = 0;
	base_json_array(j, "edges");
	while (import_next_cable(topo, &s, &p, &c)) {
		base_json_object(j, NULL);
		write_infra_end(j, "ep1", "switch", c.a, "port", c.a_port);
		write_infra_end(j, "ep2", "switch", c.b, "port", c.b_port);
		base_json_string(j, "scheme", "one2one");
		base_json_string(j, "link", topo->link_class_name[c.link_class]);
		base_json_end(j);
	}
	for (topo_endpoint e = 0; e < topo->endpoints; e++) {
		topo_switch at = topo_switch_of(topo, e);
		base_json_object(j, NULL);
		write_infra_end(j, "ep1", "switch", at, "port",
		                topo_ports(topo, at) + e - topo_first_endpoint(topo, at));
		write_infra_end(j, "ep2", "host", e, "nic", 0);
		base_json_string(j, "scheme", "one2one");
		base_json_string(j, "link", "terminal");
		base_json_end(j);
	}
	base_json_end(j);
}

int import_write_infragraph(const struct topo *topo, const struct import_output *out, struct base_errors *errors)
{
	struct base_json j = base_json_stream(out->stream);
	import_warn_lost(topo, "InfraGraph, as it is written here,", false, true, errors);
	base_json_object(&j, NULL);
	base_json_string(&j, "name", topo->kind);
	base_json_array(&j, "devices");
	write_infra_device(&j, "switch", "port", "port", topo->max_ports + topo->max_endpoints);
	write_infra_device(&j, "host", "nic", "nic", 1);
	base_json_end(&j);
	write_infra_links(&j, topo, out);
	base_json_array(&j, "instances");
	write_infra_instance(&j, "switch", topo->switches);
	write_infra_instance(&j, "host", topo->endpoints);
	base_json_end(&j);
	write_infra_edges(&j, topo);
	base_json_end(&j);
	base_json_newline(&j);
	return 0;
}
