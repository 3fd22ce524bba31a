/* topo/import/ibnetdiscover.c - the topology file that `ibnetdiscover` of infiniband-diags writes (its man page, and
 * ibnetdiscover.c of rdma-core):
 *
 *   Switch  24 "S-005442ba00003080"         # "leaf 1" base port 0 lid 6 lmc 0
 *   [22]    "H-0008f10403961354"[1](8f10403961355)         # "node 7 HCA-1" lid 4 4xEDR
 *
 *   Ca      2 "H-0008f10403961354"          # "node 7 HCA-1"
 *   [1](8f10403961355)      "S-005442ba00003080"[22]                # lid 4 lmc 1 "leaf 1" lid 6 4xEDR
 *
 * Every cable is listed from both of its ends, by ports. Switches and channel adapters are called by their descriptions
 * where these differ, else by their GUIDs; routers (Rt) are hosts here. Width and speed give a cable's bandwidth,
 * without its coding: 4xEDR is 100 Gb/s. */
#include "topo/import/formats.h"

#include "base/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PORT 65534u
#define GUID 40 /* bytes of "S-005442ba00003080", with the NUL */

/* One end of a cable, as the block of its switch or adapter lists it. */
struct ib_end {
	uint32_t own, other; /* vertices */
	uint32_t own_port, other_port;
	unsigned long line;
	uint64_t bandwidth;
};

struct ib_reader {
	struct import_graph *g;
	struct ib_end *end;
	size_t n, cap;
	uint32_t block;   /* the vertex whose ports follow; TOPO_NONE: none */
	uint32_t *listed; /* by vertex: the line of its own block, or 0; owned */
	uint32_t listed_cap;
};

/* Gb/s of a lane, times 1000, without coding: 2.5, 5 and 10 GT/s with 8b/10b, 64b/66b since. */
static const struct {
	const char *name;
	uint64_t mbps;
} ib_speeds[] = {
	{ "SDR", 2000 },  { "DDR", 4000 },  { "QDR", 8000 },   { "FDR10", 10000 }, { "FDR", 13636 },
	{ "EDR", 25000 }, { "HDR", 50000 }, { "NDR", 100000 }, { "XDR", 200000 },
};

/* "4xEDR" as bit/s; 0: it is none. */
static uint64_t ib_rate(const char *word, size_t length)
{
	size_t digits = 0;
	uint64_t lanes;
	while (digits < length && digits < 2 && isdigit((unsigned char)word[digits]))
		digits++;
	if (!import_number(word, digits, 12, &lanes) || digits == length || word[digits] != 'x')
		return 0;
	for (size_t i = 0; i < sizeof ib_speeds / sizeof *ib_speeds; i++)
		if (strlen(ib_speeds[i].name) == length - digits - 1 &&
		    !memcmp(ib_speeds[i].name, word + digits + 1, length - digits - 1))
			return !strcmp(ib_speeds[i].name, "FDR") ? lanes * UINT64_C(150000000000) / 11
			                                         : lanes * ib_speeds[i].mbps * 1000000;
	return 0;
}

/* The text between quotes at *at, which moves behind it. */
static bool take_quoted(const char **at, const char *stop, const char **text, size_t *length)
{
	if (*at == stop || **at != '"')
		return false;
	const char *end = memchr(*at + 1, '"', (size_t)(stop - *at - 1));
	if (!end)
		return false;
	*text = *at + 1;
	*length = (size_t)(end - *text);
	*at = end + 1;
	return true;
}

static bool take_port(const char **at, const char *stop, uint32_t *port)
{
	const char *end = *at < stop && **at == '[' ? memchr(*at, ']', (size_t)(stop - *at)) : NULL;
	uint64_t number;
	if (!end || !import_number(*at + 1, (size_t)(end - *at - 1), MOST_PORT, &number))
		return false;
	*port = (uint32_t)number;
	*at = end + 1;
	return true;
}

static const char *skip_white(const char *at, const char *stop)
{
	while (at < stop && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

/* "S-...", "H-..." or "R-...": the vertex. */
static uint32_t ib_vertex(struct ib_reader *r, unsigned long line, const char *id, size_t length)
{
	struct import_graph *g = r->g;
	if (length < 3 || length >= GUID || !strchr("SHR", *id) || id[1] != '-') {
		import_problem(g, line,
		               "\"%.*s\" is no GUID of a switch (\"S-...\"), adapter (\"H-...\") or router (\"R-...\")",
		               (int)(length > 40 ? 40 : length), id);
		return TOPO_NONE;
	}
	uint32_t v = import_vertex(g, line, id, length);
	if (v != TOPO_NONE)
		g->v[v].kind = *id == 'S' ? IMPORT_SWITCH : IMPORT_HOST;
	return v;
}

/* The comment of a line, behind '#': a description in quotes somewhere. */
static void label_vertex(struct ib_reader *r, uint32_t v, const char *at, const char *stop)
{
	const char *text;
	size_t length;
	at = memchr(at, '#', (size_t)(stop - at));
	at = at ? memchr(at, '"', (size_t)(stop - at)) : NULL;
	if (!at || !take_quoted(&at, stop, &text, &length))
		return;
	while (length && text[length - 1] == ' ')
		length--;
	while (length && *text == ' ') {
		text++;
		length--;
	}
	if (length)
		import_label(r->g, v, text, length);
}

/* The GUID of "Switch  24 "S-..."  # ..."; *at moves behind it. */
static bool take_block_id(const char **at, const char *stop, const char **id, size_t *length)
{
	*at = skip_white(*at, stop);
	while (*at < stop && isdigit((unsigned char)**at))
		++*at;
	*at = skip_white(*at, stop);
	return take_quoted(at, stop, id, length);
}

/* "Switch  24 "S-..."  # "description" ..." */
static void read_block(struct ib_reader *r, struct import_lines *l, const char *at)
{
	const char *id;
	size_t length;
	if (!take_block_id(&at, l->stop, &id, &length)) {
		import_problem(r->g, l->number, "a number of ports and a GUID in quotes are expected");
		return;
	}
	uint32_t v = ib_vertex(r, l->number, id, length);
	if (v == TOPO_NONE)
		return;
	if (v >= r->listed_cap) {
		uint32_t cap = 2 * v + 64;
		r->listed = base_realloc(r->listed, cap * sizeof *r->listed);
		memset(r->listed + r->listed_cap, 0, (cap - r->listed_cap) * sizeof *r->listed);
		r->listed_cap = cap;
	}
	if (r->listed[v])
		import_problem(r->g, l->number, "\"%s\" has a block already, in line %" PRIu32, import_name(r->g, v),
		               r->listed[v]);
	r->listed[v] = (uint32_t)l->number;
	label_vertex(r, v, at, l->stop);
}

/* The ports that follow are of this block, which read_block() has read. */
static void enter_block(struct ib_reader *r, struct import_lines *l, const char *at)
{
	const char *id;
	size_t length;
	r->block = take_block_id(&at, l->stop, &id, &length) ? import_find(r->g, id, length) : TOPO_NONE;
}

/* The last word of a line that is a width and a speed. */
static uint64_t rate_of_line(const char *at, const char *stop)
{
	uint64_t rate = 0;
	for (const char *word = at; word < stop; word = at) {
		while (at < stop && *at != ' ' && *at != '\t')
			at++;
		uint64_t found = ib_rate(word, (size_t)(at - word));
		rate = found ? found : rate;
		at = skip_white(at, stop);
	}
	return rate;
}

/* "[22][ext 3](guid)  "H-..."[1](guid)  # ... 4xEDR" */
static void read_port(struct ib_reader *r, struct import_lines *l)
{
	const char *at = l->line, *id;
	size_t length;
	struct ib_end end = { .own = r->block, .line = l->number };
	if (r->block == TOPO_NONE) {
		if (r->g->problems)
			return; /* its block could not be read */
		import_problem(r->g, l->number, "a port without a line of its switch or adapter before it");
		return;
	}
	bool good = take_port(&at, l->stop, &end.own_port);
	const char *quote = good ? memchr(at, '"', (size_t)(l->stop - at)) : NULL;
	const char *comment = good ? memchr(at, '#', (size_t)(l->stop - at)) : NULL;
	at = quote && (!comment || quote < comment) ? quote : l->stop;
	if (!good || !take_quoted(&at, l->stop, &id, &length) || !take_port(&at, l->stop, &end.other_port)) {
		import_problem(r->g, l->number, "a cable is expected: [PORT] \"GUID\"[PORT]");
		return;
	}
	end.other = ib_vertex(r, l->number, id, length);
	if (end.other == TOPO_NONE)
		return;
	end.bandwidth = rate_of_line(at, l->stop);
	if (r->g->v[end.own].kind == IMPORT_SWITCH && r->g->v[end.other].label == r->g->v[end.other].name)
		label_vertex(r, end.other, at, l->stop);
	if (r->n == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 256;
		r->end = base_realloc(r->end, r->cap * sizeof *r->end);
	}
	r->end[r->n++] = end;
}

/* Does the line begin with a word and white space? */
static const char *behind_word(const struct import_lines *l, const char *word)
{
	size_t n = strlen(word);
	if ((size_t)(l->stop - l->line) <= n || memcmp(l->line, word, n) != 0)
		return NULL;
	return l->line[n] == ' ' || l->line[n] == '\t' ? l->line + n : NULL;
}

/* Behind the first word of a line that begins a block; NULL: it does not. */
static const char *behind_block_word(const struct import_lines *l)
{
	static const char *const blocks[] = { "Switch", "Ca", "Rt" };
	const char *at = NULL;
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks && !at; i++)
		at = behind_word(l, blocks[i]);
	return at;
}

static void read_ib_line(struct ib_reader *r, struct import_lines *l)
{
	const char *at = behind_block_word(l);
	if (at) {
		enter_block(r, l, at);
		return;
	}
	if (l->line < l->stop && *l->line == '[') {
		read_port(r, l);
		return;
	}
	/* vendid=, devid=, sysimgguid=, switchguid=, caguid=, rtguid=; lines of chassis; comments */
	static const char *const known[] = { "vendid=",           "devid=",  "sysimgguid=", "switchguid=",
		                             "caguid=",           "rtguid=", "Chassis ",    "Hostname: ",
		                             "Non-Chassis Nodes", "#",       "???" };
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if ((size_t)(l->stop - l->line) >= strlen(known[i]) && !memcmp(l->line, known[i], strlen(known[i])))
			return;
	if (skip_white(l->line, l->stop) != l->stop)
		import_problem(r->g, l->number, "is no line of ibnetdiscover: \"%.*s\"",
		               (int)(l->stop - l->line > 40 ? 40 : l->stop - l->line), l->line);
}

/* --- both ends of cables ---------------------------------------------------------------------------------------- */

static int by_own_port(const void *a, const void *b)
{
	const struct ib_end *x = a, *y = b;
	if (x->own != y->own)
		return x->own < y->own ? -1 : 1;
	return x->own_port < y->own_port ? -1 : x->own_port > y->own_port;
}

static struct ib_end *find_end(struct ib_reader *r, uint32_t vertex, uint32_t port)
{
	const struct ib_end key = { .own = vertex, .own_port = port };
	return r->n ? bsearch(&key, r->end, r->n, sizeof key, by_own_port) : NULL;
}

static void add_ib_cable(struct ib_reader *r, const struct ib_end *end)
{
	struct import_edge *e = import_edge(r->g, end->line, end->own, end->other);
	if (!e)
		return;
	e->bandwidth = end->bandwidth;
	e->port = r->g->v[end->own].kind == IMPORT_HOST ? end->own_port : end->other_port;
}

/* Makes edges of pairs of cable ends: each end names the other, and the other must name it in return. A device without
 * a block of its own in the file, as when only switches were listed, is known from the cables of others. */
static void join_ends(struct ib_reader *r)
{
	if (r->n)
		qsort(r->end, r->n, sizeof *r->end, by_own_port);
	for (size_t i = 0; i < r->n; i++) {
		const struct ib_end *end = &r->end[i], *other = find_end(r, end->other, end->other_port);
		bool has_block = end->other < r->listed_cap && r->listed[end->other];
		if (i && !by_own_port(end - 1, end)) {
			import_problem(r->g, end->line, "port %" PRIu32 " of \"%s\" is listed in line %lu, too",
			               end->own_port, import_name(r->g, end->own), end[-1].line);
		} else if (other && (other->other != end->own || other->other_port != end->own_port)) {
			import_problem(r->g, end->line,
			               "port %" PRIu32 " of \"%s\" leads to port %" PRIu32
			               " of \"%s\", which in line %lu leads "
			               "elsewhere",
			               end->own_port, import_name(r->g, end->own), end->other_port,
			               import_name(r->g, end->other), other->line);
		} else if (!other && has_block) {
			import_problem(r->g, end->line, "the block of \"%s\" does not have its port %" PRIu32,
			               import_name(r->g, end->other), end->other_port);
		} else if (!other && r->g->v[end->other].kind == IMPORT_SWITCH) {
			import_problem(r->g, end->line, "switch \"%s\" has no block", import_name(r->g, end->other));
		} else if (!other || other > end) {
			add_ib_cable(r, end);
		}
	}
}

static int by_label(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Descriptions that several switches, or several hosts, share do not tell them apart: "description (GUID)" does. */
static void distinguish(struct import_graph *g, enum import_kind kind)
{
	const char **label = base_calloc(g->n + (size_t)1, sizeof *label);
	char text[IMPORT_NAME + GUID + 8];
	uint32_t n = 0;
	for (uint32_t v = 0; v < g->n; v++)
		if (g->v[v].kind == kind)
			label[n++] = base_strdup(g->text + g->v[v].label);
	qsort(label, n, sizeof *label, by_label);
	for (uint32_t v = 0; v < g->n; v++) {
		const char *own = g->text + g->v[v].label;
		const char **found =
		    g->v[v].kind == kind && n ? bsearch(&own, label, n, sizeof *label, by_label) : NULL;
		bool shared = found && ((found > label && !strcmp(found[-1], *found)) ||
		                        (found + 1 < label + n && !strcmp(found[1], *found)));
		if (!shared)
			continue;
		snprintf(text, sizeof text, "%.*s (%s)", IMPORT_NAME - GUID - 8, own, import_name(g, v));
		import_label(g, v, text, strlen(text));
	}
	for (uint32_t i = 0; i < n; i++)
		free((char *)(uintptr_t)label[i]);
	free(label);
}

int import_read_ibnetdiscover(struct import_graph *g, const struct import_input *in)
{
	struct ib_reader r = { .g = g, .block = TOPO_NONE };
	struct import_lines l;
	import_lines_begin(&l, in);
	while (import_next_line(&l)) /* vertices in the order of their blocks */
		if (behind_block_word(&l))
			read_block(&r, &l, behind_block_word(&l));
	import_lines_begin(&l, in);
	while (import_next_line(&l))
		read_ib_line(&r, &l);
	join_ends(&r);
	free(r.end);
	free(r.listed);
	if (g->problems)
		return -1;
	distinguish(g, IMPORT_SWITCH);
	distinguish(g, IMPORT_HOST);
	return 0;
}
