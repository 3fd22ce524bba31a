/* topo/import/formats.c - see formats.h: the table of formats, and how a file's format is recognized. */
#include "topo/import/formats.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- what is in the file ---------------------------------------------------------------------------------------- */

static const char *skip_mark(const char *text)
{
	return strncmp(text, "\xef\xbb\xbf", 3) ? text : text + 3;
}

static bool is_graphml(const char *text, size_t bytes)
{
	(void)bytes;
	text = skip_mark(text);
	text += strspn(text, " \t\r\n");
	return *text == '<' && strstr(text, "graphml") != NULL;
}

/* Behind comments of C and lines that begin with #. */
static const char *skip_dot_comments(const char *text)
{
	for (;;) {
		text += strspn(text, " \t\r\n");
		const char *end = NULL;
		if (*text == '#' || !strncmp(text, "//", 2))
			end = strchr(text, '\n');
		else if (!strncmp(text, "/*", 2))
			end = strstr(text + 2, "*/");
		else
			return text;
		if (!end)
			return text + strlen(text);
		text = end + (*end == '*' ? 2 : 1);
	}
}

static bool begins_with(const char *text, const char *word)
{
	size_t n = strlen(word);
	for (size_t i = 0; i < n; i++)
		if (tolower((unsigned char)text[i]) != word[i])
			return false;
	return !isalnum((unsigned char)text[n]) && text[n] != '_';
}

static bool is_dot(const char *text, size_t bytes)
{
	(void)bytes;
	text = skip_dot_comments(skip_mark(text));
	if (begins_with(text, "strict"))
		text = skip_dot_comments(text + 6);
	return (begins_with(text, "graph") || begins_with(text, "digraph")) && strchr(text, '{');
}

static bool is_json(const char *text)
{
	text = skip_mark(text);
	return text[strspn(text, " \t\r\n")] == '{';
}

static bool is_node_link(const char *text, size_t bytes)
{
	(void)bytes;
	return is_json(text) && strstr(text, "\"nodes\"") && strstr(text, "\"source\"") &&
	       !strstr(text, "\"instances\"");
}

static bool is_infragraph(const char *text, size_t bytes)
{
	(void)bytes;
	return is_json(text) && strstr(text, "\"instances\"") && strstr(text, "\"devices\"");
}

static bool is_sst(const char *text, size_t bytes)
{
	(void)bytes;
	return is_json(text) && strstr(text, "\"components\"") && strstr(text, "\"left\"") &&
	       !strstr(text, "\"instances\"");
}

static bool is_ibnetdiscover(const char *text, size_t bytes)
{
	(void)bytes;
	return strstr(text, "\n# Topology file:") || strstr(text, "\nSwitch\t") || strstr(text, "\nswitchguid=");
}

/* The first word that is no comment is "router" or "node". */
static bool is_anynet(const char *text, size_t bytes)
{
	(void)bytes;
	while (*text == '#' && strchr(text, '\n'))
		text = strchr(text, '\n') + 1;
	text += strspn(text, " \t\r\n");
	return begins_with(text, "router") || begins_with(text, "node");
}

const struct import_format import_formats[] = {
	{ .name = "ibnetdiscover",
	  .what = "a topology file of ibnetdiscover",
	  .ends = ".ibnetdiscover .topo",
	  .read = import_read_ibnetdiscover,
	  .recognize = is_ibnetdiscover,
	  .write = import_write_ibnetdiscover },
	{ .name = "graphml",
	  .what = "GraphML",
	  .ends = ".graphml",
	  .read = import_read_graphml,
	  .recognize = is_graphml,
	  .write = import_write_graphml },
	{ .name = "dot",
	  .what = "a graph in DOT",
	  .ends = ".dot .gv",
	  .read = import_read_dot,
	  .recognize = is_dot,
	  .write = import_write_dot },
	{ .name = "node-link",
	  .what = "node-link JSON",
	  .ends = "",
	  .read = import_read_node_link,
	  .recognize = is_node_link,
	  .write = import_write_node_link },
	{ .name = "infragraph",
	  .what = "an infrastructure of InfraGraph",
	  .ends = "",
	  .read = import_read_infragraph,
	  .recognize = is_infragraph,
	  .write = import_write_infragraph },
	{ .name = "sst",
	  .what = "a configuration graph of SST",
	  .ends = "",
	  .read = import_read_sst,
	  .recognize = is_sst,
	  .write = import_write_sst },
	{ .name = "metis",
	  .what = "a graph file of METIS",
	  .ends = ".metis .graph",
	  .read = import_read_metis,
	  .write = import_write_metis },
	{ .name = "adjlist",
	  .what = "an adjacency list",
	  .ends = ".adjlist .adj",
	  .read = import_read_adjlist,
	  .write = import_write_adjlist },
	{ .name = "edgelist",
	  .what = "an edge list",
	  .ends = ".edgelist",
	  .read = import_read_edgelist,
	  .write = import_write_edgelist },
	{ .name = "anynet",
	  .what = "a network file of BookSim's anynet",
	  .ends = ".anynet",
	  .read = import_read_anynet,
	  .recognize = is_anynet,
	  .write = import_write_anynet },
	{ .name = "codes-dragonfly",
	  .what = "cables between groups of CODES' dragonflies",
	  .ends = "",
	  .read = import_read_codes,
	  .write = import_write_codes,
	  .second = true },
	{ .name = "codes-dragonfly-plus",
	  .what = "cables between groups of CODES' dragonfly-plus",
	  .ends = "",
	  .read = import_read_codes_plus,
	  .write = import_write_codes_plus,
	  .second = true },
	{ .name = NULL },
};

const struct import_format *import_format_of(const char *name)
{
	for (const struct import_format *f = import_formats; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

/* Does the name end so, before ".gz"? */
static bool name_fits(const char *file, const char *ends)
{
	size_t length = strlen(file), n;
	if (length > 3 && !strcmp(file + length - 3, ".gz"))
		length -= 3;
	for (const char *at = ends; *at; at += n + strspn(at + n, " ")) {
		n = strcspn(at, " ");
		if (length > n && !strncmp(file + length - n, at, n))
			return true;
	}
	return false;
}

const struct import_format *import_recognize(const struct import_input *in, struct base_errors *errors)
{
	bool binary = memchr(in->text, 0, in->bytes) != NULL;
	for (const struct import_format *f = import_formats; f->name && !binary; f++)
		if (f->recognize && f->recognize(in->text, in->bytes))
			return f;
	for (const struct import_format *f = import_formats; f->name; f++)
		if (name_fits(in->file, f->ends))
			return f;
	base_errorf(errors, "format",
	            binary ? "is needed: %s is a binary file, as those of codes-dragonfly and "
	                     "codes-dragonfly-plus are"
	                   : "is needed: %s could be of several formats: adjlist (lists of neighbours), "
	                     "edgelist (edges, with or without weights) or metis; a list of cables with "
	                     "their classes is read by topology.kind = \"edges\"",
	            in->file);
	return NULL;
}
