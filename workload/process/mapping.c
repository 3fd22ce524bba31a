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
	const struct wl_process *p;
	const char *file;
	uint32_t ranks, block, *member_of, *rank_of;
	uint32_t n; /* numbers so far */
	unsigned line, problems;
	struct base_errors *errors;
};

static void problem(struct mapping_reader *r, const char *word, const char *text)
{
	if (r->problems++ < MOST_ERRORS)
		base_errorf(r->errors, "mapping_file", "%s:%u: \"%.32s\": %s", r->file, r->line, word, text);
}

static void place_rank(struct mapping_reader *r, const char *word, uint32_t member)
{
	char text[128];
	uint32_t at = member / r->block;
	if (member % r->block) {
		snprintf(text, sizeof text, "is not the first endpoint of %" PRIu32 " that a rank has", r->block);
		problem(r, word, text);
	} else if (at >= r->p->members / r->block) {
		problem(r, word, "is among the last endpoints of the job, too few for a rank");
	} else if (r->rank_of[at] != WL_NO_RANK) {
		snprintf(text, sizeof text, "is rank %" PRIu32 "'s already", r->rank_of[at]);
		problem(r, word, text);
	} else if (r->n < r->ranks) {
		r->member_of[r->n] = member;
		r->rank_of[at] = r->n;
	}
	r->n++;
}

static void read_word(struct mapping_reader *r, const char *word)
{
	uint64_t value = 0;
	for (const char *c = word; *c; c++) {
		if (*c < '0' || *c > '9') {
			problem(r, word, "the number of an endpoint is expected");
			return;
		}
		value = value > UINT32_MAX ? value : 10 * value + (uint64_t)(*c - '0');
	}
	const struct topo_nodes *nodes = &r->p->nodes;
	bool several = nodes->nics > 1;
	uint32_t member = WL_IDLE;
	if (value < nodes->n)
		member = wl_process_member(r->p, topo_node_home(nodes, (uint32_t)value));
	if (member >= r->p->members && value < nodes->n)
		problem(r, word, several ? "is no node of the job" : "is no endpoint of the job");
	else if (member >= r->p->members)
		problem(r, word, several ? "is no node of the network" : "is no endpoint of the network");
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
			read_word(r, word);
		n = 0;
		r->line += c == '\n';
	}
	int failed = ferror(in);
	fclose(in);
	if (failed)
		return base_errorf(r->errors, "mapping_file", "%s: %s", r->file, strerror(EIO));
	if (!r->problems && r->n != r->ranks)
		return base_errorf(r->errors, "mapping_file",
		                   "%s: has %" PRIu32 " endpoints; the application has %" PRIu32 " ranks", r->file,
		                   r->n, r->ranks);
	return r->problems ? -1 : 0;
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

int wl_mapping_make(const struct wl_process *p, uint32_t ranks, uint32_t block, uint32_t **member_of,
                    uint32_t **rank_of, struct base_errors *errors)
{
	const struct wl_placed *q = p->params;
	const char *file = wl_mapping_has_no_file(q) ? NULL : q->mapping_file;
	uint32_t blocks = p->members / block, *order = NULL;
	*member_of = *rank_of = NULL;
	if (ranks > blocks && block > 1)
		return base_errorf(errors, "nodes",
		                   "%" PRIu32 " endpoints are places for %" PRIu32 " ranks of %" PRIu32
		                   " each; the application has %" PRIu32 " ranks",
		                   p->members, blocks, block, ranks);
	if (ranks > blocks)
		return base_errorf(errors, "nodes",
		                   "%" PRIu32 " endpoints; the application has %" PRIu32
		                   " ranks, and a schedule or a trace cannot be scaled to another number: a model can, "
		                   "process = \"aspen\"",
		                   p->members, ranks);
	uint32_t *member = *member_of = base_calloc((size_t)ranks + 1, sizeof *member);
	uint32_t *rank = *rank_of = base_calloc((size_t)blocks + 1, sizeof *rank);
	for (uint32_t i = 0; i < blocks; i++)
		rank[i] = WL_NO_RANK;
	struct mapping_reader r = { .p = p,
		                    .file = file,
		                    .ranks = ranks,
		                    .block = block,
		                    .member_of = member,
		                    .rank_of = rank,
		                    .line = 1,
		                    .errors = errors };
	if (file && read_file(&r)) {
		free(member);
		free(rank);
		*member_of = *rank_of = NULL;
		return -1;
	}
	if (file)
		return 0;
	if (q->mapping == WL_MAPPING_RANDOM)
		order = shuffle_blocks(p, blocks);
	for (uint32_t i = 0; i < ranks; i++) {
		member[i] = (order ? order[i] : i) * block;
		rank[member[i] / block] = i;
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
