/* topo/import/dot.c - reads graphs in Graphviz' language DOT. The program tilefly-dot (dot_child.c) parses them, and
 * this file reads its output. */
#include "topo/import/json_graph.h"

#include "base/helper.h"

#include <stdlib.h>
#include <string.h>

#define MOST_WRITTEN ((size_t)1 << 30) /* bytes */

/* The library's message, in one line: "Error: <stdin>: syntax error in line 3 near '->'". */
static int report_dot(struct import_graph *g, const char *error)
{
	char text[300];
	size_t n = 0;
	unsigned long line = 0;
	const char *at = strstr(error, "in line ");
	if (at)
		line = strtoul(at + 8, NULL, 10);
	for (const char *c = error; *c && n + 1 < sizeof text; c++)
		text[n++] = *c;
	text[n] = 0;
	while (n && (text[n - 1] == '\n' || text[n - 1] == ' '))
		text[--n] = 0;
	return import_problem(g, line, "is no DOT: %s", text);
}

int import_read_dot(struct import_graph *g, const struct import_input *in)
{
	char program[2200], *why;
	struct import_input written = { .file = in->file };
	int status = -1;
	if (memchr(in->text, 0, in->bytes))
		return import_problem(g, 0, "is no DOT: there are NUL bytes in it");
	if (!base_find_helper("tilefly-dot", program, sizeof program))
		return import_problem(
		    g, 0,
		    "this tilefly was built without Graphviz' library (Debian: libgraphviz-dev), which "
		    "reads DOT");
	char *text = base_run_helper(program, in->text, in->bytes, MOST_WRITTEN, &written.bytes, &why);
	if (!text) {
		import_problem(g, 0, "Graphviz' library, which reads DOT, %s", why);
		free(why);
		return -1;
	}
	written.text = text;
	json_t *root = import_json(g, &written);
	const char *error = json_string_value(json_object_get(root, "error"));
	if (error)
		report_dot(g, error);
	else if (root)
		status = import_node_link(g, root);
	json_decref(root);
	free(text);
	return status;
}
