/* workload/process/mapping.c - see mapping.h */
#include "workload/process/mapping.h"

#include "base/input.h"
#include "base/memory.h"
#include "workload/workload.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wl_mapping_has_no_file(const void *params)
{
	const struct wl_placed *q = params;
	return !q->mapping_file || !*q->mapping_file;
}

const struct base_condition wl_mapping_conditions[] = {
	WL_MAPPING_CONDITION,
	{ 0 },
};

#define MOST_ERRORS 20u
#define WORD_BYTES 32u

struct mapping_reader {
	void (*each)(struct mapping_reader *r, const char *word);
	const char *file;
	unsigned line, problems;
	struct base_errors *errors;
	/* of the ranks' places */
	const struct wl_process *p;
	uint32_t ranks, block, *member_of, *rank_of;
	uint32_t n; /* numbers so far */
	/* of how often a node is named */
	uint32_t nodes, *times, most;
};

static void problem(struct mapping_reader *r, const char *word, const char *text)
{
	if (r->problems++ < MOST_ERRORS)
		base_errorf(r->errors, "mapping_file", "%s:%u: \"%.32s\": %s", r->file, r->line, word, text);
}

/* `member`: the first of its endpoint. A rank has the next place there that is free. */
static void place_rank(struct mapping_reader *r, const char *word, uint32_t member)
{
	char text[128];
	const struct wl_process *p = r->p;
	uint32_t at = wl_mapping_unit(p, r->block, member), k = 0;
	if (member / p->per_endpoint % r->block) {
		snprintf(text, sizeof text, "is not the first endpoint of %" PRIu32 " that a rank has", r->block);
		problem(r, word, text);
		return;
	}
	if (at >= wl_mapping_units(p, r->block)) {
		problem(r, word, "is among the last endpoints of the job, which are too few for a rank");
		return;
	}
	while (k < p->per_endpoint && r->rank_of[at + k] != WL_NO_RANK)
		k++;
	if (k == p->per_endpoint && k == 1) {
		snprintf(text, sizeof text, "is rank %" PRIu32 "'s already, and processes_per_node is 1",
		         r->rank_of[at]);
		problem(r, word, text);
	} else if (k == p->per_endpoint) {
		snprintf(text, sizeof text, "has %" PRIu32 " ranks already, as many as processes_per_node says", k);
		problem(r, word, text);
	} else if (r->n < r->ranks) {
		r->member_of[r->n] = wl_mapping_first(p, r->block, at + k);
		r->rank_of[at + k] = r->n;
	}
	r->n++;
}

/* false: it is no number. One beyond 32 bits becomes some number beyond them. */
static bool read_number(const char *word, uint64_t *value)
{
	*value = 0;
	for (const char *c = word; *c; c++) {
		if (*c < '0' || *c > '9')
			return false;
		*value = *value > UINT32_MAX ? *value : 10 * *value + (uint64_t)(*c - '0');
	}
	return true;
}

static void read_place(struct mapping_reader *r, const char *word)
{
	uint64_t value;
	if (!read_number(word, &value)) {
		problem(r, word, "must be the number of an endpoint");
		return;
	}
	const struct topo_nodes *nodes = &r->p->nodes;
	bool several = nodes->nics > 1;
	uint32_t member = WL_IDLE;
	if (value < nodes->n)
		member = wl_process_first_at(r->p, topo_node_home(nodes, (uint32_t)value));
	if (member >= r->p->members && value < nodes->n)
		problem(r, word, several ? "is not a node of the job" : "is not an endpoint of the job");
	else if (member >= r->p->members)
		problem(r, word, several ? "is not a node of the network" : "is not an endpoint of the network");
	else
		place_rank(r, word, member);
}

static int read_file(struct mapping_reader *r)
{
	const char *why;
	int fd = base_open_input(r->file, false, &why);
	FILE *in = fd >= 0 ? fdopen(fd, "r") : NULL;
	char word[WORD_BYTES + 1];
	size_t n = 0;
	bool comment = false;
	if (!in)
		return base_errorf(r->errors, "mapping_file", "%s: %s", r->file, fd < 0 ? why : strerror(errno));
	for (int c = 0; c != EOF;) {
		c = getc(in);
		comment = c != '\n' && (comment || c == '#');
		if (!comment && c != EOF && (!c || !strchr(" \t\r\n,", c))) {
			n += n < WORD_BYTES;
			word[n - 1] = c ? (char)c : '?'; /* no number */
			continue;
		}
		word[n] = 0;
		if (n)
			r->each(r, word);
		n = 0;
		r->line += c == '\n';
	}
	int failed = ferror(in);
	fclose(in);
	if (failed)
		return base_errorf(r->errors, "mapping_file", "%s: %s", r->file, strerror(EIO));
	return 0;
}

static int read_places(struct mapping_reader *r)
{
	if (read_file(r))
		return -1;
	if (!r->problems && r->n != r->ranks)
		return base_errorf(r->errors, "mapping_file",
		                   "%s: lists %" PRIu32 " endpoints, but the application has %" PRIu32 " ranks",
		                   r->file, r->n, r->ranks);
	return r->problems ? -1 : 0;
}

static void count_word(struct mapping_reader *r, const char *word)
{
	uint64_t value;
	if (!read_number(word, &value) || value >= r->nodes)
		return;
	uint32_t times = ++r->times[value];
	r->most = times > r->most ? times : r->most;
}

uint32_t wl_mapping_most(const char *file, uint32_t nodes)
{
	struct base_errors ignored = { 0 }; /* found again when ranks get their places */
	struct mapping_reader r = { .each = count_word,
		                    .file = file,
		                    .errors = &ignored,
		                    .nodes = nodes,
		                    .times = base_calloc((size_t)nodes + 1, sizeof *r.times) };
	(void)read_file(&r);
	free(r.times);
	base_errors_free(&ignored);
	return r.most ? r.most : 1;
}

/* Blocks in any order, all as likely (Fisher and Yates). */
static uint32_t *shuffle_blocks(const struct wl_process *p, uint32_t blocks)
{
	uint32_t *order = base_calloc((size_t)blocks + 1, sizeof *order);
	for (uint32_t i = 0; i < blocks; i++)
		order[i] = i;
	for (uint32_t i = blocks; i > 1; i--) {
		struct sim_draw d = wl_setup_draw(p->seed, p->job, WL_SETUP_MAPPING, i);
		uint32_t k = (uint32_t)((uint64_t)d.v[0] * i >> 32), t = order[i - 1];
		order[i - 1] = order[k];
		order[k] = t;
	}
	return order;
}

static int refuse_ranks(const struct wl_process *p, uint32_t ranks, uint32_t block, struct base_errors *errors)
{
	uint32_t nodes = p->members / p->per_endpoint / block;
	char more[80] = "", each[40] = "";
	if (nodes && (ranks - 1) / nodes + 1 <= WL_MOST_PER_ENDPOINT)
		snprintf(more, sizeof more, ": processes_per_node = %" PRIu32 " would be enough",
		         (ranks - 1) / nodes + 1);
	if (p->per_endpoint > 1)
		snprintf(each, sizeof each, " of %" PRIu32 " processes each", p->per_endpoint);
	if (block > 1)
		return base_errorf(errors, "nodes",
		                   "%" PRIu32 " endpoints%s are places for %" PRIu32 " ranks of %" PRIu32
		                   " each; the application has %" PRIu32 " ranks%s",
		                   p->members / p->per_endpoint, each, wl_mapping_units(p, block), block, ranks, more);
	return base_errorf(errors, "nodes",
	                   "%" PRIu32 " endpoints%s; the application has %" PRIu32
	                   " ranks, and a schedule or a trace cannot be scaled to another number: a model can, "
	                   "process = \"aspen\"%s",
	                   p->members / p->per_endpoint, each, ranks, more);
}

/* The unit of each rank; NULL: as many of them as there are ranks, in order. */
static uint32_t *order_units(const struct wl_process *p, uint32_t block)
{
	const struct wl_placed *q = p->params;
	uint32_t units = wl_mapping_units(p, block), nodes = units / p->per_endpoint;
	if (q->mapping == WL_MAPPING_RANDOM)
		return shuffle_blocks(p, units);
	if (q->mapping != WL_MAPPING_CYCLIC)
		return NULL;
	uint32_t *order = base_calloc((size_t)units + 1, sizeof *order);
	for (uint32_t i = 0; i < units; i++)
		order[i] = i % nodes * p->per_endpoint + i / nodes;
	return order;
}

int wl_mapping_make(const struct wl_process *p, uint32_t ranks, uint32_t block, uint32_t **member_of,
                    uint32_t **rank_of, struct base_errors *errors)
{
	const struct wl_placed *q = p->params;
	const char *file = wl_mapping_has_no_file(q) ? NULL : q->mapping_file;
	uint32_t units = wl_mapping_units(p, block);
	*member_of = *rank_of = NULL;
	if (ranks > units && !file) /* a file says itself what is wrong with it */
		return refuse_ranks(p, ranks, block, errors);
	if (q->mapping == WL_MAPPING_CYCLIC && p->per_endpoint == 1 && !file)
		return base_errorf(errors, "mapping", "\"cyclic\" has an effect only with processes_per_node");
	uint32_t *member = *member_of = base_calloc((size_t)ranks + 1, sizeof *member);
	uint32_t *rank = *rank_of = base_calloc((size_t)units + 1, sizeof *rank);
	for (uint32_t i = 0; i < units; i++)
		rank[i] = WL_NO_RANK;
	struct mapping_reader r = { .each = read_place,
		                    .p = p,
		                    .file = file,
		                    .ranks = ranks,
		                    .block = block,
		                    .member_of = member,
		                    .rank_of = rank,
		                    .line = 1,
		                    .errors = errors };
	if (file && read_places(&r)) {
		free(member);
		free(rank);
		*member_of = *rank_of = NULL;
		return -1;
	}
	if (file)
		return 0;
	uint32_t *order = order_units(p, block);
	for (uint32_t i = 0; i < ranks; i++) {
		uint32_t unit = order ? order[i] : i;
		member[i] = wl_mapping_first(p, block, unit);
		rank[unit] = i;
	}
	free(order);
	return 0;
}

int wl_places_make(struct wl_places *places, const struct wl_process *p, uint32_t ranks, struct base_errors *errors)
{
	const struct wl_placed *q = p->params;
	*places = (struct wl_places){ .ranks = ranks };
	if (q->mapping == WL_MAPPING_LINEAR && wl_mapping_has_no_file(q))
		return 0;
	return wl_mapping_make(p, ranks, 1, &places->member_of, &places->rank_of, errors);
}

void wl_places_free(struct wl_places *places)
{
	free(places->member_of);
	free(places->rank_of);
	*places = (struct wl_places){ 0 };
}
