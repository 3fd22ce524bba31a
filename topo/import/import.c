/* topo/import/import.c - a topology read from a file of another tool: one of the formats of formats.h.
 *
 * Minimal routing (topo/table.h) offers all graph-shortest next hops, as that of `edges` does. Names of switches and
 * hosts are kept (topo/names.h). */
#include "topo/import/import.h"
#include "topo/import/formats.h"
#include "topo/parallel.h"
#include "topo/params.h"
#include "topo/table.h"
#include "topo/text_file.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 29) /* of a file */

struct import_topology {
	struct topo_table table; /* first: table.h */
	struct topo_names names;
	uint32_t *first_endpoint; /* switches + 1 entries; NULL: equal numbers on all switches */
};

static void import_destroy(struct topo *topo)
{
	struct import_topology *t = topo->impl;
	topo_table_free(&t->table);
	topo_names_free(&t->names);
	free(t->first_endpoint);
	free(t);
}

/* counts: of each switch, or NULL. */
static int set_endpoints(struct topo *topo, uint64_t each, const uint32_t *counts, const char *file,
                         struct base_errors *errors)
{
	struct import_topology *t = topo->impl;
	uint32_t n = t->table.graph.n;
	uint64_t sum = 0;
	if (!counts)
		return topo_set_size(topo, n, each, errors);
	t->first_endpoint = base_calloc((size_t)n + 1, sizeof *t->first_endpoint);
	for (topo_switch s = 0; s < n; s++) {
		uint32_t here = counts[s] != TOPO_NONE ? counts[s] : (uint32_t)each;
		sum += here; /* at most 2^30: 2^14 switches of fewer than 2^16 endpoints */
		topo->max_endpoints = here > topo->max_endpoints ? here : topo->max_endpoints;
		t->first_endpoint[s + 1] = (uint32_t)sum;
	}
	topo->switches = n;
	topo->endpoints = (uint32_t)sum;
	topo->endpoint_first = sum == (uint64_t)n * topo->max_endpoints ? NULL : t->first_endpoint;
	return sum ? 0 : base_errorf(errors, "file", "%s: no switch has endpoints", file);
}

static int make_topology(struct topo *topo, const struct topo_import_params *in, struct topo_cables *cables,
                         struct topo_names *names, struct base_errors *errors)
{
	struct import_topology *t = base_alloc(sizeof *t);
	topo->impl = t;
	t->names = *names;
	if (topo_table_of_cables(topo, &t->table, cables, in->file, errors))
		return -1;
	int status = 0;
	if (topo_table_distances(&t->table))
		status =
		    base_errorf(errors, "file", "%s: two switches are more than %d hops apart, which is not supported",
		                in->file, TOPO_FARTHEST);
	status |= set_endpoints(topo, in->endpoints == BASE_AUTO ? 1 : (uint64_t)in->endpoints, cables->endpoints,
	                        in->file, errors);
	topo->max_ports = topo_table_most_ports(&t->table);
	topo->vc_rule = TOPO_VC_HOP;
	return status ? -1 : 0;
}

/* Reads the file as a graph, and makes cables of it. */
static int read_graph(const struct topo_import_params *in, struct topo_cables *cables, struct topo_names *names,
                      struct base_errors *errors)
{
	char name[32];
	struct import_input input = { .file = in->file, .intra = in->intra && *in->intra ? in->intra : NULL };
	const struct import_format *format = NULL;
	char *text = topo_read_file(in->file, "file", MOST_BYTES, &input.bytes, errors);
	int status = -1;
	if (!text)
		return -1;
	input.text = text;
	base_choice_name(IMPORT_FORMATS, in->format, name, sizeof name);
	if (!input.bytes)
		base_errorf(errors, "file", "%s is empty", in->file);
	else
		format = in->format ? import_format_of(name) : import_recognize(&input, errors);
	if (format && input.intra && !format->second) {
		base_errorf(errors, "intra", "has an effect only with format codes-dragonfly and codes-dragonfly-plus");
	} else if (format) {
		struct import_graph g = { .file = in->file, .what = format->what, .errors = errors };
		base_memory_for("%.600s: %s is read, which takes memory", in->file, format->what);
		status = format->read(&g, &input);
		if (g.problems)
			status = -1;
		status = topo_import_end(&g, status, in->endpoints == BASE_AUTO ? -1 : in->endpoints, cables, names);
		base_memory_made();
	}
	free(text);
	return status;
}

static int import_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_import_params *in = params;
	struct topo_cables cables;
	struct topo_names names;
	if (!in->file || !*in->file)
		return base_errorf(errors, "file", "is required");
	if (read_graph(in, &cables, &names, errors))
		return -1;
	int status = make_topology(topo, in, &cables, &names, errors);
	topo_cables_free(&cables);
	return status;
}

static void import_files(const void *params, void (*visit)(void *arg, const char *path), void *arg)
{
	const struct topo_import_params *in = params;
	char name[32] = "", *intra = NULL;
	base_choice_name(IMPORT_FORMATS, in->format, name, sizeof name);
	if (in->file && !(in->intra && *in->intra) && !strncmp(name, "codes-", 6))
		intra = import_intra_of(in->file);
	if (intra)
		visit(arg, intra);
	free(intra);
}

static const struct base_param import_params[] = {
	{ .name = "file",
	  .type = BASE_FILE,
	  .offset = offsetof(struct topo_import_params, file),
	  .help = "a graph that another tool has written; may be gzip" },
	{ .name = "format",
	  .type = BASE_ENUM,
	  .offset = offsetof(struct topo_import_params, format),
	  .default_value = "auto",
	  .choices = IMPORT_FORMATS,
	  .help = "format of the file; auto: detected from its content, or from the end of its name" },
	{ .name = "intra",
	  .type = BASE_FILE,
	  .offset = offsetof(struct topo_import_params, intra),
	  .default_value = "",
	  .help = "for the formats of CODES, in which `file` contains the cables between groups: the file with the "
	          "cables inside a group; if omitted, the name of `file` with \"intra\" in place of \"inter\"" },
	{ .name = "endpoints",
	  .type = BASE_AUTO_INT,
	  .offset = offsetof(struct topo_import_params, endpoints),
	  .default_value = "auto",
	  .unit = "endpoints",
	  .min = 1,
	  .max = 65535,
	  .help = "endpoints of each switch for which the file gives neither a number nor hosts; auto: 1" },
	TOPO_TRUNK(struct topo_import_params),
	{ 0 }
};

static const struct topo_ops import_ops = {
	.trunk_at = offsetof(struct topo_import_params, trunk),
	.build = import_build,
	.destroy = import_destroy,
	TOPO_TABLE_OPS,
};

const struct topo_names *topo_import_names(const struct topo *topo)
{
	if (topo->ops != &import_ops)
		return NULL;
	const struct import_topology *t = topo->impl;
	return t->names.of_switch || t->names.of_endpoint ? &t->names : NULL;
}

const struct base_plugin topo_import = {
	.kind = "topology",
	.name = "import",
	.summary = "any connected graph, read from a file of another tool, with its names",
	.params = import_params,
	.params_bytes = sizeof(struct topo_import_params),
	.ops = &import_ops,
	.files = import_files,
};
