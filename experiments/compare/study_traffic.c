/* experiments/compare/study_traffic.c - routings, congestion controls, traffic and collectives of a study file. */
#include "experiments/compare/study.h"
#include "experiments/config/schema.h"
#include "experiments/runs/fields.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ENTRIES 50

#define HAS_NO_EFFECT "is not possible here: the study measures the steady state of continuous traffic"

static const char *const nothing[] = { NULL };

/* The number of entries of a list that may be left out, 0 with an error if it is empty or there are too many. */
static size_t count(struct xp_fields *r, const struct xp_node *list)
{
	size_t n = xp_study_entries(list);
	if (list && !n)
		base_errorf(r->errors, list->name, "must have at least one entry");
	if (n <= MOST_ENTRIES)
		return n;
	base_errorf(r->errors, list->name, "has %zu entries; at most %d are possible", n, MOST_ENTRIES);
	return 0;
}

static char *join(const char *a, const char *b)
{
	size_t room = strlen(a) + strlen(b) + 1;
	char *out = base_alloc(room);
	snprintf(out, room, "%s%s", a, b);
	return out;
}

/* --- sections that are set whole ------------------------------------------------------------------------- */

static char *section_text(const char *section, const char *members)
{
	size_t room = strlen(section) + strlen(members) + 10;
	char *out = base_alloc(room);
	snprintf(out, room, "%s={ %s}", section, members);
	return out;
}

static struct xp_variant *read_variants(struct xp_fields *r, const struct xp_node *root, const char *key,
                                        const char *section, size_t *n)
{
	static const char *const except[] = { "name", NULL };
	const struct xp_node *list = xp_member(root, key);
	size_t entries = count(r, list);
	struct xp_variant *v = base_calloc(entries + 1, sizeof *v);
	for (size_t i = 0; i < entries; i++) {
		char full[256];
		const struct xp_node *entry = xp_study_entry(r, list, i, full);
		if (!entry)
			continue;
		struct xp_variant *out = &v[(*n)++];
		char *kind =
		    entry->type == XP_GROUP ? xp_field_text(r, entry, full, "kind", true) : base_strdup(entry->text);
		out->at = xp_field_place(r, entry);
		out->name = xp_study_name(r, entry, full, kind ? kind : "");
		char *members;
		if (entry->type == XP_GROUP) {
			members = xp_study_members(entry, except);
		} else {
			struct xp_node lone = { .type = XP_GROUP, .n = 1 }, value = *entry, *child = &value;
			value.name = (char[]){ "kind" };
			lone.child = &child;
			members = xp_study_members(&lone, nothing);
		}
		out->set = section_text(section, members);
		free(members);
		free(kind);
		for (size_t k = 0; k + 1 < *n; k++)
			if (!strcmp(v[k].name, out->name))
				base_errorf(r->errors, full, "two entries are named \"%s\": give one another \"name\"",
				            out->name);
	}
	return v;
}

/* --- traffic --------------------------------------------------------------------------------------------- */

/* What `job` says for all: nothing that the study sets itself. */
static char *read_job(struct xp_fields *r, const struct xp_node *root)
{
	static const char *const own[] = { "name",         "load",        "pattern",       "process",    "nodes",
		                           "message",      "size",        "stop",          "start",      "isolate",
		                           "burst_length", "burst_pause", "burst_backlog", "iterations", NULL };
	const struct xp_node *job = xp_member(root, "job");
	if (!job)
		return base_strdup("");
	if (job->type != XP_GROUP) {
		base_errorf(r->errors, "job", "must be a group { packet = ...; ... }");
		return base_strdup("");
	}
	for (size_t i = 0; own[i]; i++)
		if (xp_member(job, own[i])) {
			char full[256];
			xp_field_key(full, "job", own[i]);
			base_errorf(r->errors, full,
			            i < 7 ? "is set by the study and cannot be set here" : HAS_NO_EFFECT);
		}
	return xp_study_members(job, own);
}

/* Members of an entry follow those of `job` and override them; within its own group an entry sets no member twice. */
static char *merge(const struct xp_node *job, const char *common, const struct xp_node *entry,
                   const char *const *except)
{
	if (entry->type != XP_GROUP)
		return base_strdup(common);
	const char *names[MOST_ENTRIES + 1] = { 0 };
	for (size_t i = 0; i < entry->n && i < MOST_ENTRIES; i++)
		names[i] = entry->child[i]->name;
	char *mine = xp_study_members(entry, except);
	char *others = job && job->type == XP_GROUP ? xp_study_members(job, names) : base_strdup("");
	char *out = join(others, mine);
	free(mine);
	free(others);
	return out;
}

#define MOST_UNEVEN 32.0

/* What an entry says, or what `job` says for all. */
static const struct xp_node *said(const struct xp_node *job, const struct xp_node *entry, const char *name)
{
	const struct xp_node *own = entry && entry->type == XP_GROUP ? xp_member(entry, name) : NULL;
	return own || !job || job->type != XP_GROUP ? own : xp_member(job, name);
}

/* What is no number is refused by the configuration's own reader. */
static double number_of(const struct xp_node *node, double default_value)
{
	return node && node->text ? strtod(node->text, NULL) : default_value;
}

/* Variance of the number of bytes relative to that of packets of one size: E[S^2] / E[S]^2 for random sizes S; for
 * bursts of B messages that take a fraction d of the time, the reciprocal of 1 + 2 B (1 - d)^2 (index of dispersion of
 * an interrupted Poisson process). */
static double unevenness(const struct xp_node *job, const struct xp_node *entry)
{
	const struct xp_node *sizes = said(job, entry, "packet"), *weights = said(job, entry, "weight"),
			     *injection = said(job, entry, "injection");
	double sum = 0, square = 0, all = 0, uneven = 1;
	for (size_t i = 0; sizes && sizes->type == XP_LIST && i < sizes->n; i++) {
		uint64_t bytes;
		const char *why;
		double weight =
		    weights && weights->type == XP_LIST && i < weights->n ? number_of(weights->child[i], 1) : 1;
		if (!sizes->child[i]->text || base_parse_size(sizes->child[i]->text, &bytes, &why))
			return 1;
		sum += weight * (double)bytes;
		square += weight * (double)bytes * (double)bytes;
		all += weight;
	}
	if (sum > 0)
		uneven = square * all / (sum * sum);
	if (injection && injection->text && !strcmp(injection->text, "on-off")) {
		double silent = 1 - number_of(said(job, entry, "duty"), 0.25);
		uneven *= 1 + 2 * number_of(said(job, entry, "burst"), 16) * silent * silent;
	}
	return uneven >= 1 ? fmin(MOST_UNEVEN, uneven) : 1;
}

/* Bytes of a packet; 0: a mix of sizes, or none that can be read. */
static uint64_t packet_of(const struct xp_node *said)
{
	const struct base_param *row = xp_job_table;
	uint64_t bytes;
	const char *why;
	while (strcmp(row->name, "packet") != 0)
		row++;
	const char *text = said ? said->text : row->default_value;
	return text && !base_parse_size(text, &bytes, &why) ? bytes : 0;
}

/* Properties of the traffic that the study needs besides the name of its pattern; defaults are those of configurations.
 */
static void read_facts(struct xp_demand *d, const struct xp_node *job, const struct xp_node *entry)
{
	const struct xp_node *self = said(job, entry, "self"), *targets = said(job, entry, "targets");
	d->self = self && self->text && !strcmp(self->text, "true");
	d->hot = number_of(said(job, entry, "fraction"), 0.1);
	d->targets = targets && targets->type == XP_LIST && targets->n ? (uint32_t)targets->n : 1;
	d->uneven = unevenness(job, entry);
	const struct xp_node *injection = said(job, entry, "injection"), *sizes = said(job, entry, "packet");
	d->packet = packet_of(sizes);
	d->slotted =
	    injection && injection->text && !strcmp(injection->text, "bernoulli") && !(sizes && sizes->type == XP_LIST);
}

/* No two entries have one name. */
static void check_name(struct xp_fields *r, const char *key, const struct xp_study *s)
{
	const char *name = s->demand[s->ndemands - 1].name;
	for (size_t k = 0; k + 1 < s->ndemands; k++)
		if (!strcmp(s->demand[k].name, name))
			base_errorf(r->errors, key, "two entries are named \"%s\": give one another \"name\"", name);
}

static void read_demand(struct xp_fields *r, const struct xp_node *job, const char *common, const struct xp_node *entry,
                        const char *key, struct xp_study *s)
{
	static const char *const except[] = { "name", "pattern", NULL };
	static const char *const own[] = { "load",    "process",      "nodes",       "stop",          "start",
		                           "isolate", "burst_length", "burst_pause", "burst_backlog", "iterations" };
	struct xp_demand *d = &s->demand[s->ndemands++];
	d->at = xp_field_place(r, entry);
	d->pattern = entry->type == XP_GROUP ? xp_field_text(r, entry, key, "pattern", true) : base_strdup(entry->text);
	if (!d->pattern)
		d->pattern = base_strdup("");
	d->name = xp_study_name(r, entry, key, d->pattern);
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (entry->type == XP_GROUP && xp_member(entry, own[i])) {
			char full[256];
			xp_field_key(full, key, own[i]);
			base_errorf(r->errors, full,
			            i == 0  ? "is determined by the study and cannot be set here"
			            : i < 3 ? "has no effect in this study"
			                    : HAS_NO_EFFECT);
		}
	if (entry->type == XP_GROUP && xp_member(entry, "message") && s->nmessages) {
		char full[256];
		xp_field_key(full, key, "message");
		base_errorf(r->errors, full, "is set by \"messages\" and cannot be set here");
	}
	d->job = merge(job, common, entry, except);
	read_facts(d, job, entry);
	if (!strcmp(d->pattern, "worst-permutation") &&
	    ((entry->type == XP_GROUP && xp_member(entry, "of")) || (job && xp_member(job, "of")))) {
		char full[256];
		xp_field_key(full, entry->type == XP_GROUP && xp_member(entry, "of") ? key : "job", "of");
		base_errorf(r->errors, full, "is set by the study: each design uses its own routing");
	}
	/* a multiple of what a matrix asks for would be compared with shares of the injection bandwidth */
	const struct xp_node *values = said(job, entry, "values");
	if (!strcmp(d->pattern, "matrix") && values && values->text && strcmp(values->text, "weights") != 0) {
		char full[256];
		bool own_values = entry->type == XP_GROUP && xp_member(entry, "values");
		xp_field_key(full, own_values ? key : "job", "values");
		base_errorf(r->errors, full,
		            "\"%.40s\": must be \"weights\" here, because the study varies the load as a share of the "
		            "injection bandwidth",
		            values->text);
	}
	check_name(r, key, s);
}

static bool take_part(struct xp_demand *d, const struct xp_study *s, const char *name)
{
	for (size_t k = 0; k + 1 < s->ndemands; k++)
		if (!strcmp(s->demand[k].name, name) && !s->demand[k].nparts) {
			d->part[d->nparts++] = k;
			return true;
		}
	return false;
}

/* Entries before it, all at once, each with its share of the load. */
static void read_mix(struct xp_fields *r, const struct xp_node *entry, const char *key, struct xp_study *s)
{
	static const char *const known[] = { "name", "parts", "weights", NULL };
	struct xp_demand *d = &s->demand[s->ndemands++];
	char full[256];
	size_t n = 0, weights = 0;
	double sum = 0;
	xp_fields_known(r, entry, key, known);
	d->at = xp_field_place(r, entry);
	d->pattern = base_strdup("mix");
	d->job = base_strdup("");
	d->name = xp_study_name(r, entry, key, "mix");
	char **parts = xp_field_texts(r, entry, key, "parts", &n);
	double *weight = xp_field_numbers(r, entry, key, "weights", &weights);
	xp_field_key(full, key, "parts");
	if (n < 2 || n > XP_MOST_PARTS)
		base_errorf(r->errors, full, "a mix must have 2 to %d parts", XP_MOST_PARTS);
	for (size_t i = 0; i < n && n <= XP_MOST_PARTS; i++)
		if (!take_part(d, s, parts[i]))
			base_errorf(r->errors, full, "\"%s\" does not name a pattern that precedes it in \"traffic\"",
			            parts[i]);
	xp_field_key(full, key, "weights");
	bool positive = weights == n;
	for (size_t i = 0; i < weights && positive; i++)
		positive = weight[i] > 0;
	if (!positive)
		base_errorf(r->errors, full, "must have one number for each part of the mix, each above 0");
	for (size_t i = 0; i < d->nparts && positive; i++)
		sum += d->weight[i] = weight[i];
	d->uneven = 1;
	d->slotted = true;
	for (size_t i = 0; i < d->nparts; i++) {
		const struct xp_demand *part = &s->demand[d->part[i]];
		d->weight[i] /= sum > 0 ? sum : 1;
		d->uneven = fmax(d->uneven, part->uneven);
		d->slotted &= part->slotted;
		d->packet = !i || d->packet == part->packet ? part->packet : 0;
	}
	xp_free_texts(parts, n);
	free(weight);
	check_name(r, key, s);
}

static void read_traffic(struct xp_fields *r, const struct xp_node *root, const char *common, struct xp_study *s)
{
	static const char *const usual[] = { "uniform", "worst-permutation", "worst-case" };
	const struct xp_node *list = xp_member(root, "traffic"), *job = xp_member(root, "job");
	size_t n = count(r, list);
	s->demand = base_calloc(n + 4, sizeof *s->demand);
	for (size_t i = 0; i < n; i++) {
		char key[256];
		const struct xp_node *entry = xp_study_entry(r, list, i, key);
		if (entry && entry->type == XP_GROUP && xp_member(entry, "parts"))
			read_mix(r, entry, key, s);
		else if (entry)
			read_demand(r, job, common, entry, key, s);
	}
	for (size_t i = 0; !list && i < 3; i++) {
		struct xp_demand *d = &s->demand[s->ndemands++];
		d->at = base_strdup(r->ground->path);
		d->name = base_strdup(usual[i]);
		d->pattern = base_strdup(usual[i]);
		d->job = base_strdup(common);
		read_facts(d, job, NULL);
	}
	char *rank = xp_field_text(r, root, "", "rank", false);
	size_t k = 0;
	while (rank && k < s->ndemands && strcmp(s->demand[k].name, rank) != 0)
		k++;
	if (rank && k == s->ndemands)
		base_errorf(r->errors, "rank", "\"%s\" does not name an entry of \"traffic\"", rank);
	s->rank = rank && k < s->ndemands ? k : 0;
	free(rank);
}

/* Sizes of messages, or collectives: each another one. */
static char **read_sizes(struct xp_fields *r, const struct xp_node *group, const char *key, const char *name, size_t *n)
{
	char **texts = xp_field_texts(r, group, key, name, n), full[256];
	uint64_t *bytes = base_calloc(*n + 1, sizeof *bytes);
	struct base_param row = { .name = name, .type = BASE_SIZE, .min = 0, .max = 1e15 };
	xp_field_key(full, key, name);
	if (xp_member(group, name) && !*n)
		base_errorf(r->errors, full, "must have at least one entry");
	for (size_t i = 0; i < *n; i++) {
		struct base_errors none = { 0 };
		bool read = !base_param_parse(&row, &bytes[i], texts[i],
		                              &none); /* otherwise reading the run's configuration reports it */
		if (read && !bytes[i])
			base_errorf(r->errors, full, "\"%s\" must be at least 1B", texts[i]);
		for (size_t k = 0; k < i && read; k++)
			if (bytes[k] == bytes[i])
				base_errorf(r->errors, full, "\"%s\" and \"%s\" are equal", texts[k], texts[i]);
		base_errors_free(&none);
	}
	free(bytes);
	return texts;
}

/* --- collectives ----------------------------------------------------------------------------------------- */

static void read_collective(struct xp_fields *r, const struct xp_node *job, const struct xp_node *entry,
                            const char *key, struct xp_study *s)
{
	static const char *const except[] = { "name", "process", "sizes", "finalists", "phases", NULL };
	static const char *const own[] = { "size", "iterations",   "load",        "pattern", "nodes",  "injection",
		                           "stop", "burst_length", "burst_pause", "start",   "isolate" };
	static const char *const only_open[] = { "injection", "burst", "duty", NULL };
	struct xp_collective *c = &s->collective[s->ncollectives++];
	c->at = xp_field_place(r, entry);
	c->process = entry->type == XP_GROUP ? xp_field_text(r, entry, key, "process", true) : base_strdup(entry->text);
	if (!c->process)
		c->process = base_strdup("");
	c->name = xp_study_name(r, entry, key, c->process);
	char *common = job && job->type == XP_GROUP ? xp_study_members(job, only_open) : base_strdup("");
	char *mine = entry->type == XP_GROUP ? xp_study_members(entry, except) : base_strdup("");
	c->job = join(common, mine);
	free(common);
	free(mine);
	if (entry->type == XP_GROUP) {
		char full[256];
		c->size = read_sizes(r, entry, key, "sizes", &c->nsizes);
		for (size_t i = 0; i < sizeof own / sizeof *own; i++)
			if (xp_member(entry, own[i])) {
				xp_field_key(full, key, own[i]);
				base_errorf(r->errors, full,
				            i == 0 ? "must be written as sizes = [ ... ]"
				                   : "has no effect in this study");
			}
		struct base_param rows[] = {
			{ BASE_KEY(INT, struct xp_collective, phases, NULL), .min = 1, .max = UINT16_MAX },
			{ BASE_KEY(BOOL, struct xp_collective, finalists, NULL) },
		};
		for (size_t i = 0; i < 2; i++) {
			char *text = xp_field_text(r, entry, key, rows[i].name, false);
			r->errors->scope = key;
			if (text)
				base_param_parse(&rows[i], c, text, r->errors);
			r->errors->scope = NULL;
			free(text);
		}
		if (c->phases && strcmp(c->process, "all-to-all") != 0) {
			xp_field_key(full, key, "phases");
			base_errorf(r->errors, full, "has an effect only with process = \"all-to-all\"");
		}
	}
	const struct xp_node *packet = said(job, entry, "packet");
	if (packet && packet->type == XP_LIST && packet->n > 1) {
		char full[256];
		xp_field_key(full, key, "packet");
		base_errorf(r->errors, full,
		            "must be a single size with a process: messages are split into packets of this size");
	}
	if (!c->nsizes) {
		free(c->size);
		c->size = base_calloc(1, sizeof *c->size);
		c->size[c->nsizes++] = base_strdup("8B");
	}
	for (size_t k = 0; k + 1 < s->ncollectives; k++)
		if (!strcmp(s->collective[k].name, c->name))
			base_errorf(r->errors, key, "two entries are named \"%s\": give one another \"name\"", c->name);
}

static void read_collectives(struct xp_fields *r, const struct xp_node *root, struct xp_study *s)
{
	const struct xp_node *list = xp_member(root, "collectives"), *job = xp_member(root, "job");
	size_t n = count(r, list);
	if (!list && xp_member(root, "seeds"))
		base_errorf(r->errors, "seeds", "has no effect without \"collectives\"");
	s->collective = base_calloc(n + 1, sizeof *s->collective);
	for (size_t i = 0; i < n; i++) {
		char key[256];
		const struct xp_node *entry = xp_study_entry(r, list, i, key);
		if (entry)
			read_collective(r, job, entry, key, s);
	}
}

/* --- all of it ------------------------------------------------------------------------------------------- */

/* A list with one entry that sets nothing: what the base says holds. */
static struct xp_variant *as_it_is(const char *name, size_t *n)
{
	struct xp_variant *v = base_calloc(1, sizeof *v);
	v->name = base_strdup(name);
	*n = 1;
	return v;
}

void xp_study_read_traffic(struct xp_fields *r, const struct xp_node *root, struct xp_study *s)
{
	char *common = read_job(r, root);
	s->message = read_sizes(r, root, "", "messages", &s->nmessages);
	s->routing = read_variants(r, root, "routings", "routing", &s->nroutings);
	s->congestion = read_variants(r, root, "congestion", "congestion", &s->ncongestions);
	if (!xp_member(root, "routings")) {
		free(s->routing);
		s->routing = as_it_is("", &s->nroutings);
	}
	if (!xp_member(root, "congestion")) {
		free(s->congestion);
		s->congestion = as_it_is("", &s->ncongestions);
	}
	read_traffic(r, root, common, s);
	read_collectives(r, root, s);
	free(common);
}

static void free_variants(struct xp_variant *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(v[i].name);
		free(v[i].at);
		free(v[i].set);
	}
	free(v);
}

void xp_study_free_traffic(struct xp_study *s)
{
	free_variants(s->routing, s->nroutings);
	free_variants(s->congestion, s->ncongestions);
	for (size_t i = 0; i < s->ndemands; i++) {
		free(s->demand[i].name);
		free(s->demand[i].at);
		free(s->demand[i].pattern);
		free(s->demand[i].job);
	}
	free(s->demand);
	for (size_t i = 0; i < s->ncollectives; i++) {
		struct xp_collective *c = &s->collective[i];
		free(c->name);
		free(c->at);
		free(c->process);
		free(c->job);
		xp_free_texts(c->size, c->nsizes);
	}
	free(s->collective);
	xp_free_texts(s->message, s->nmessages);
}
