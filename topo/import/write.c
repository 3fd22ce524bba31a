/* topo/import/write.c - topologies as graphs of other tools: GraphML, DOT, node-link JSON.
 *
 * Switches are vertices 0, 1, ...; their names are labels. Endpoints with names are vertices, too, of type "host";
 * those without are written as an attribute of their switch, their number ("endpoints"). Cables have a class where
 * there are several. */
#include "topo/import/formats.h"
#include "topo/names.h"

#include "base/json.h"

#include <inttypes.h>
#include <string.h>

bool import_next_cable(const struct topo *topo, topo_switch *s, topo_port *p, struct import_cable *out)
{
	for (; *s < topo->switches; ++*s, *p = 0)
		while (*p < topo_ports(topo, *s)) {
			topo_port port = (*p)++;
			struct topo_hop hop = topo_peer(topo, *s, port);
			if (hop.to < *s || (hop.to == *s && hop.port < port))
				continue;
			*out = (struct import_cable){ *s, hop.to, port, hop.port, hop.link_class };
			return true;
		}
	return false;
}

bool import_has_classes(const struct topo *topo)
{
	return topo_named_classes(topo) > 1 || strcmp(topo->link_class_name[0], "local") != 0;
}

int import_check_even(const struct topo *topo, const char *format, struct base_errors *errors)
{
	for (topo_switch s = 0; s < topo->switches; s++)
		if (topo_endpoints_at(topo, s) != topo->max_endpoints)
			return base_errorf(
			    errors, NULL,
			    "%s has no endpoints, and these switches have different numbers of them: %" PRIu32
			    " and %" PRIu32 "; ibnetdiscover, graphml, dot, node-link, infragraph, sst, metis and "
			    "anynet have them",
			    format, topo_endpoints_at(topo, s), topo->max_endpoints);
	return 0;
}

void import_warn_lost(const struct topo *topo, const char *format, bool classes, bool names, struct base_errors *errors)
{
	if (classes && topo_named_classes(topo) > 1)
		base_warnf(errors, NULL, "%s has no link classes: the %d of this topology are not written", format,
		           topo_named_classes(topo));
	if (names && topo_names_of(topo))
		base_warnf(errors, NULL, "%s has no names: those of this topology are not written", format);
}

/* --- node-link -------------------------------------------------------------------------------------------------- */

static void write_json_node(struct base_json *j, const struct topo *topo, topo_switch s, bool hosts)
{
	base_json_object(j, NULL);
	base_json_uint(j, "id", s);
	base_json_string(j, "type", "switch");
	if (!hosts)
		base_json_uint(j, "endpoints", topo_endpoints_at(topo, s));
	if (topo_switch_name(topo, s))
		base_json_string(j, "label", topo_switch_name(topo, s));
	base_json_end(j);
}

static void write_json_host(struct base_json *j, const struct topo *topo, topo_endpoint e)
{
	char id[16];
	snprintf(id, sizeof id, "h%" PRIu32, e);
	base_json_object(j, NULL);
	base_json_string(j, "id", id);
	base_json_string(j, "type", "host");
	base_json_string(j, "label", topo_endpoint_name(topo, e));
	base_json_end(j);
}

static void write_json_links(struct base_json *j, const struct topo *topo, bool hosts)
{
	struct import_cable c;
	topo_switch s = 0;
	topo_port p = 0;
	while (import_next_cable(topo, &s, &p, &c)) {
		base_json_object(j, NULL);
		base_json_uint(j, "source", c.a);
		base_json_uint(j, "target", c.b);
		base_json_uint(j, "key", c.a_port);
		if (import_has_classes(topo))
			base_json_string(j, "class", topo->link_class_name[c.link_class]);
		base_json_end(j);
	}
	for (topo_endpoint e = 0; hosts && e < topo->endpoints; e++) {
		char id[16];
		snprintf(id, sizeof id, "h%" PRIu32, e);
		base_json_object(j, NULL);
		base_json_uint(j, "source", topo_switch_of(topo, e));
		base_json_string(j, "target", id);
		base_json_uint(j, "key", 0);
		base_json_end(j);
	}
}

int import_write_node_link(const struct topo *topo, const struct import_output *out, struct base_errors *errors)
{
	struct base_json j = base_json_stream(out->stream);
	bool hosts = topo->endpoints && topo_endpoint_name(topo, 0);
	(void)errors;
	base_json_object(&j, NULL);
	base_json_bool(&j, "directed", false);
	base_json_bool(&j, "multigraph", true);
	base_json_object(&j, "graph");
	base_json_end(&j);
	base_json_array(&j, "nodes");
	for (topo_switch s = 0; s < topo->switches; s++)
		write_json_node(&j, topo, s, hosts);
	for (topo_endpoint e = 0; hosts && e < topo->endpoints; e++)
		write_json_host(&j, topo, e);
	base_json_end(&j);
	base_json_array(&j, "links");
	write_json_links(&j, topo, hosts);
	base_json_end(&j);
	base_json_end(&j);
	base_json_newline(&j);
	return 0;
}

/* --- GraphML ---------------------------------------------------------------------------------------------------- */

/* Characters that XML has no form for become spaces. */
static void write_xml(FILE *out, const char *text)
{
	for (const char *c = text; *c; c++) {
		if (*c == '&')
			fputs("&amp;", out);
		else if (*c == '<')
			fputs("&lt;", out);
		else if (*c == '>')
			fputs("&gt;", out);
		else if (*c == '"')
			fputs("&quot;", out);
		else
			fputc((unsigned char)*c < ' ' ? ' ' : *c, out);
	}
}

static void write_graphml_data(FILE *out, const char *key, const char *text)
{
	fprintf(out, "<data key=\"%s\">", key);
	write_xml(out, text);
	fputs("</data>", out);
}

static void write_graphml_edges(const struct topo *topo, FILE *out, bool hosts)
{
	struct import_cable c;
	topo_switch s = 0;
	topo_port p = 0;
	while (import_next_cable(topo, &s, &p, &c)) {
		fprintf(out, "<edge source=\"%" PRIu32 "\" target=\"%" PRIu32 "\">", c.a, c.b);
		if (import_has_classes(topo))
			write_graphml_data(out, "class", topo->link_class_name[c.link_class]);
		fputs("</edge>\n", out);
	}
	for (topo_endpoint e = 0; hosts && e < topo->endpoints; e++)
		fprintf(out, "<edge source=\"%" PRIu32 "\" target=\"h%" PRIu32 "\"/>\n", topo_switch_of(topo, e), e);
}

int import_write_graphml(const struct topo *topo, const struct import_output *to, struct base_errors *errors)
{
	static const char *const keys[][3] = { { "type", "node", "string" },
		                               { "label", "node", "string" },
		                               { "endpoints", "node", "int" },
		                               { "class", "edge", "string" } };
	FILE *out = to->stream;
	bool hosts = topo->endpoints && topo_endpoint_name(topo, 0);
	char count[16];
	(void)errors;
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
	      out);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		fprintf(out, "<key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n", keys[i][0], keys[i][1],
		        keys[i][0], keys[i][2]);
	fputs("<graph edgedefault=\"undirected\">\n", out);
	for (topo_switch s = 0; s < topo->switches; s++) {
		fprintf(out, "<node id=\"%" PRIu32 "\">", s);
		write_graphml_data(out, "type", "switch");
		snprintf(count, sizeof count, "%" PRIu32, topo_endpoints_at(topo, s));
		if (!hosts)
			write_graphml_data(out, "endpoints", count);
		if (topo_switch_name(topo, s))
			write_graphml_data(out, "label", topo_switch_name(topo, s));
		fputs("</node>\n", out);
	}
	for (topo_endpoint e = 0; hosts && e < topo->endpoints; e++) {
		fprintf(out, "<node id=\"h%" PRIu32 "\">", e);
		write_graphml_data(out, "type", "host");
		write_graphml_data(out, "label", topo_endpoint_name(topo, e));
		fputs("</node>\n", out);
	}
	write_graphml_edges(topo, out, hosts);
	fputs("</graph>\n</graphml>\n", out);
	return 0;
}

/* --- DOT -------------------------------------------------------------------------------------------------------- */

static void write_dot_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (const char *c = text; *c; c++) {
		if (*c == '"' || *c == '\\')
			fputc('\\', out);
		fputc((unsigned char)*c < ' ' ? ' ' : *c, out);
	}
	fputc('"', out);
}

int import_write_dot(const struct topo *topo, const struct import_output *to, struct base_errors *errors)
{
	FILE *out = to->stream;
	bool hosts = topo->endpoints && topo_endpoint_name(topo, 0);
	struct import_cable c;
	topo_switch s = 0;
	topo_port p = 0;
	(void)errors;
	fputs("graph {\n", out);
	for (topo_switch i = 0; i < topo->switches; i++) {
		fprintf(out, "%" PRIu32 " [type=switch", i);
		if (!hosts)
			fprintf(out, ", endpoints=%" PRIu32, topo_endpoints_at(topo, i));
		if (topo_switch_name(topo, i)) {
			fputs(", label=", out);
			write_dot_text(out, topo_switch_name(topo, i));
		}
		fputs("];\n", out);
	}
	for (topo_endpoint e = 0; hosts && e < topo->endpoints; e++) {
		fprintf(out, "h%" PRIu32 " [type=host, label=", e);
		write_dot_text(out, topo_endpoint_name(topo, e));
		fputs("];\n", out);
	}
	while (import_next_cable(topo, &s, &p, &c)) {
		fprintf(out, "%" PRIu32 " -- %" PRIu32, c.a, c.b);
		if (import_has_classes(topo))
			fprintf(out, " [class=\"%s\"]", topo->link_class_name[c.link_class]);
		fputs(";\n", out);
	}
	for (topo_endpoint e = 0; hosts && e < topo->endpoints; e++)
		fprintf(out, "%" PRIu32 " -- h%" PRIu32 ";\n", topo_switch_of(topo, e), e);
	fputs("}\n", out);
	return 0;
}
