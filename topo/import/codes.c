/* topo/import/codes.c - the binaries of CODES' dragonfly models: cables inside a group, alike in all groups, and cables
 * between groups.
 *
 *   intra   int32 source, destination, type (dragonfly-custom, -dally); source, destination (dragonfly-plus): numbers
 * in the group inter   int32 source, destination: numbers of the whole
 *
 * in the byte order of the host that wrote them, which is little-endian here; every cable from both of its ends. The
 * sizes of groups follow from the files. Cables of a group, green (type 0) and black, are of class "local", those
 * between groups of class "global". In a dragonfly-plus the leaves, the first ones of a group, have endpoints. */
#include "topo/import/formats.h"

#include "base/format.h"
#include "base/memory.h"
#include "topo/text_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CODES ((size_t)1 << 28) /* bytes of a file */

static int32_t word_at(const char *text, size_t word)
{
	const unsigned char *p = (const unsigned char *)text + 4 * word;
	return (int32_t)((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
}

char *import_intra_of(const char *inter)
{
	const char *found = NULL, *slash = strrchr(inter, '/');
	for (const char *at = slash ? slash : inter; (at = strstr(at, "inter")); at++)
		found = at;
	if (!found)
		return NULL;
	return base_format("%.*sintra%s", (int)(found - inter), inter, found + 5);
}

struct codes_files {
	struct import_graph *g;
	const char *inter, *intra; /* bytes */
	size_t inter_bytes, intra_bytes;
	const char *intra_file;
	size_t record;    /* words of a record of intra */
	uint32_t group;   /* routers of a group */
	uint32_t routers; /* of all */
	bool plus;
};

static int codes_problem(struct codes_files *f, const char *file, size_t record, int32_t a, int32_t b, const char *what)
{
	struct import_graph *g = f->g;
	const char *own = g->file;
	g->file = file;
	import_problem(g, 0, "record %zu, %" PRId32 " to %" PRId32 ": %s", record, a, b, what);
	g->file = own;
	return -1;
}

/* The largest number of a file, + 1. */
static int largest_router(struct codes_files *f, const char *file, const char *bytes, size_t n, size_t words,
                          uint32_t *out)
{
	if (!n || n % (4 * words)) {
		const char *own = f->g->file;
		f->g->file = file;
		import_problem(f->g, 0, "has %zu bytes, which are no whole records of %zu", n, 4 * words);
		f->g->file = own;
		return -1;
	}
	*out = 0;
	for (size_t i = 0; i < n / (4 * words); i++) {
		int32_t a = word_at(bytes, i * words), b = word_at(bytes, i * words + 1);
		if (a < 0 || b < 0 || a >= TOPO_MAX_TABLED || b >= TOPO_MAX_TABLED)
			return codes_problem(f, file, i, a, b, "routers are numbered from 0 to 16383");
		if (a == b)
			return codes_problem(f, file, i, a, b, "a cable from a router to itself");
		*out = a >= (int32_t)*out ? (uint32_t)a + 1 : *out;
		*out = b >= (int32_t)*out ? (uint32_t)b + 1 : *out;
	}
	return 0;
}

static int add_codes_cable(struct codes_files *f, uint32_t a, uint32_t b, const char *link_class)
{
	struct import_edge *e = import_edge(f->g, 0, a, b);
	if (!e)
		return -1;
	e->link_class = import_class(f->g, 0, link_class, strlen(link_class));
	return e->link_class == TOPO_NONE ? -1 : 0;
}

static int read_cables(struct codes_files *f)
{
	for (size_t i = 0; i < f->intra_bytes / (4 * f->record); i++) {
		int32_t a = word_at(f->intra, i * f->record), b = word_at(f->intra, i * f->record + 1);
		int32_t type = f->record > 2 ? word_at(f->intra, i * f->record + 2) : 0;
		if (type < 0 || type > 1)
			return codes_problem(f, f->intra_file, i, a, b, "its type is neither 0 (green) nor 1 (black)");
		for (uint32_t first = 0; first < f->routers; first += f->group)
			if (add_codes_cable(f, first + (uint32_t)a, first + (uint32_t)b, "local"))
				return -1;
		if (type)
			import_unused(f->g, "type 1 (black)");
	}
	for (size_t i = 0; i < f->inter_bytes / 8; i++) {
		int32_t a = word_at(f->inter, 2 * i), b = word_at(f->inter, 2 * i + 1);
		if ((uint32_t)a / f->group == (uint32_t)b / f->group)
			return codes_problem(f, f->g->file, i, a, b, "both are in one group");
		if (add_codes_cable(f, (uint32_t)a, (uint32_t)b, "global"))
			return -1;
	}
	return 0;
}

/* In a dragonfly-plus, routers that a cable joins to the first one of their group are spines, without endpoints. */
static void set_spines(struct codes_files *f)
{
	for (size_t i = 0; i < f->intra_bytes / (4 * f->record); i++) {
		if (word_at(f->intra, i * f->record))
			continue;
		for (uint32_t s = (uint32_t)word_at(f->intra, i * f->record + 1); s < f->routers; s += f->group)
			f->g->v[s].endpoints = 0;
	}
}

static int read_codes_graph(struct codes_files *f)
{
	char name[16];
	if (largest_router(f, f->intra_file, f->intra, f->intra_bytes, f->record, &f->group) ||
	    largest_router(f, f->g->file, f->inter, f->inter_bytes, 2, &f->routers))
		return -1;
	f->routers = (f->routers + f->group - 1) / f->group * f->group;
	if (f->routers / f->group * (f->intra_bytes / (4 * f->record)) > IMPORT_EDGES)
		return import_problem(f->g, 0, "more than %zu cables", IMPORT_EDGES);
	for (uint32_t s = 0; s < f->routers; s++) {
		snprintf(name, sizeof name, "%" PRIu32, s);
		import_vertex(f->g, 0, name, strlen(name));
	}
	if (read_cables(f))
		return -1;
	if (f->plus)
		set_spines(f);
	return 0;
}

static int read_codes(struct import_graph *g, const struct import_input *in, bool plus)
{
	char *derived = in->intra ? NULL : import_intra_of(in->file);
	const char *intra = in->intra ? in->intra : derived;
	struct codes_files f = { .g = g,
		                 .inter = in->text,
		                 .inter_bytes = in->bytes,
		                 .intra_file = intra,
		                 .record = plus ? 2 : 3,
		                 .plus = plus };
	int status = -1;
	g->arcs = IMPORT_BOTH;
	if (!intra) {
		base_errorf(g->errors, "intra",
		            "is needed: the name of %s has no \"inter\", which would become \"intra\" in that of the "
		            "second file",
		            in->file);
		return -1;
	}
	char *text = topo_read_file(intra, "intra", MOST_CODES, &f.intra_bytes, g->errors);
	f.intra = text;
	if (text)
		status = read_codes_graph(&f);
	free(text);
	free(derived);
	return status;
}

int import_read_codes(struct import_graph *g, const struct import_input *in)
{
	return read_codes(g, in, false);
}

int import_read_codes_plus(struct import_graph *g, const struct import_input *in)
{
	return read_codes(g, in, true);
}
