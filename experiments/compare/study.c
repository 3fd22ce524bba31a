/* experiments/compare/study.c - reading a study file; see study.h. Routings and traffic: study_traffic.c. */
#include "experiments/compare/study.h"
#include "experiments/runs/fields.h"

#include "base/format.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CANDIDATES 100
#define AT(field) offsetof(struct xp_study_numbers, field)

const char *const xp_basis_names[XP_BASES] = { "", "cost", "endpoints", "throughput", "ports", "watts", "cables" };

const struct base_param xp_study_keys[] = {
	{ BASE_KEY(INT, struct xp_study_numbers, endpoints, "0"), .min = 0, .max = TOPO_MAX_ENDPOINTS,
	  .help = "minimum number of endpoints of every network; with equal = \"endpoints\" the number to which all "
	          "are sized, otherwise an additional limit" },
	{ BASE_KEY(RATE, struct xp_study_numbers, delivered, ""), .min = 1, .max = 1e18,
	  .help = "minimum throughput of uniform traffic, by its upper bound, to which networks are sized with equal = "
	          "\"throughput\"" },
	{ BASE_KEY(INT, struct xp_study_numbers, radix, "64"), .min = 3, .max = 256,
	  .help = "maximum number of ports of a switch" },
	{ BASE_KEY(INT, struct xp_study_numbers, trunk, "0"), .min = 0, .max = TOPO_MAX_NEXT,
	  .help = "maximum number of parallel cables between two switches or two groups, for members of families; 0: "
	          "as many as the family allows" },
	{ BASE_KEY(FLOAT, struct xp_study_numbers, throughput, "0.99"), .min = 0.001, .max = 1,
	  .help = "minimum saturation load of members of families under uniform traffic and minimal routing, by its "
	          "upper bound" },
	{ BASE_KEY_AT("short", INT, struct xp_study_numbers, few, "150"), .min = 10, .max = 1e6,
	  .help = "packets that an endpoint sends in the measured window of a short run; the warm-up is as long, but "
	          "at most 1,200 packets" },
	{ BASE_KEY_AT("long", INT, struct xp_study_numbers, many, "600"), .min = 10, .max = 1e6,
	  .help = "packets that an endpoint sends in the measured window of a long run" },
	{ BASE_KEY(PERCENT, struct xp_study_numbers, width, "2%"), .min = 0.1, .max = 50,
	  .help = "half width of the confidence interval of the saturation load at which refinement ends" },
	{ BASE_KEY(BOOL, struct xp_study_numbers, eliminate, "true"),
	  .help = "skip the simulation of designs that cannot be the best by their bounds, and the refinement of "
	          "designs whose intervals do not overlap with the best" },
	{ BASE_KEY(INT, struct xp_study_numbers, finalists, "3"), .min = 1, .max = 1000,
	  .help = "number of designs to carry forward from the top of the first ranking; designs that are first in "
	          "another ranking are added" },
	{ BASE_KEY(INT, struct xp_study_numbers, seeds, "3"), .min = 1, .max = 20,
	  .help = "seeds with which each collective is run, from which the confidence interval of its time and its "
	          "rank follow" },
	{ BASE_KEY(FLOAT, struct xp_study_numbers, latency_load, "0.5"), .min = 0.001, .max = 1,
	  .help = "load at which latency is measured, under the traffic of the first ranking" },
	{ BASE_KEY(PERCENT, struct xp_study_numbers, precision, "2%"), .min = 0.1, .max = 50,
	  .help = "half width of the confidence interval of that latency" },
	{ BASE_KEY(TIME, struct xp_study_numbers, limit, "10ms"), .min = 1e6, .max = 1e15,
	  .help = "maximum simulated time of a run: a collective that lasts longer counts as not ended, and the "
	          "latency reached by then is reported" },
	{ 0 },
};

/* --- helpers --------------------------------------------------------------------------------------------- */

size_t xp_study_entries(const struct xp_node *list)
{
	return !list ? 0 : list->type == XP_LIST ? list->n : 1;
}

const struct xp_node *xp_study_entry(struct xp_fields *r, const struct xp_node *list, size_t i, char key[256])
{
	const struct xp_node *entry = list->type == XP_LIST ? list->child[i] : list;
	if (list->type == XP_LIST)
		snprintf(key, 256, "%.200s.[%zu]", list->name, i);
	else
		snprintf(key, 256, "%.200s", list->name);
	if (entry->type == XP_STRING || entry->type == XP_GROUP)
		return entry;
	base_errorf(r->errors, key, "must be a name or a group { ... }, not %s", xp_type_text(entry->type));
	return NULL;
}

char *xp_study_name(struct xp_fields *r, const struct xp_node *entry, const char *key, const char *default_value)
{
	char *name = entry->type == XP_GROUP ? xp_field_text(r, entry, key, "name", false) : NULL;
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+.";
	if (!name)
		return base_strdup(default_value);
	if (!*name || name[strspn(name, plain)] || strlen(name) > 40 || *name == '.') {
		char full[256];
		xp_field_key(full, key, "name");
		base_errorf(
		    r->errors, full,
		    "must have at most 40 letters, digits, \"-\", \"+\" and \".\", because file names contain it");
	}
	return name;
}

char *xp_study_members(const struct xp_node *group, const char *const *except)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = base_memory_stream(&text, &bytes);
	for (size_t i = 0; out && i < group->n; i++) {
		const struct xp_node *child = group->child[i];
		size_t k = 0;
		while (except[k] && strcmp(except[k], child->name) != 0)
			k++;
		if (except[k])
			continue;
		fprintf(out, "%s = ", child->name);
		xp_tree_print(out, child, 0);
		fputs("; ", out);
	}
	if (out)
		fclose(out);
	return text;
}

/* --- the basis ------------------------------------------------------------------------------------------- */

static void read_numbers(struct xp_fields *r, const struct xp_node *root, struct xp_study *s)
{
	base_params_defaults(xp_study_keys, &s->number, r->errors);
	bool windows = true; /* can be read */
	for (const struct base_param *p = xp_study_keys; p->name; p++) {
		char *text = xp_field_text(r, root, "", p->name, false);
		if (text)
			windows &= !base_param_parse(p, &s->number, text, r->errors) ||
			           (strcmp(p->name, "short") != 0 && strcmp(p->name, "long") != 0);
		free(text);
	}
	if (s->number.few > s->number.many && windows)
		base_errorf(r->errors, "long", "must be at least short = %lld", (long long)s->number.few);
}

static void read_basis(struct xp_fields *r, const struct xp_node *root, struct xp_study *s)
{
	/* the key that says how much, and whether it may be left out */
	static const char *const key_of[XP_BASES] = { NULL,     "budget", "endpoints", "delivered",
		                                      "budget", "budget", "budget" };
	static const char *const keys[] = { "budget", "endpoints", "delivered" };
	char *text = xp_field_text(r, root, "", "equal", false);
	for (int b = 1; text && b < XP_BASES; b++)
		if (!strcmp(text, xp_basis_names[b]))
			s->basis = (enum xp_basis)b;
	if (text && !s->basis)
		base_errorf(
		    r->errors, "equal",
		    "\"%s\" must be one of \"cost\", \"endpoints\", \"throughput\", \"ports\", \"watts\", \"cables\"",
		    text);
	bool known = !text || s->basis;
	free(text);
	const char *wanted = key_of[s->basis];
	if (wanted && !xp_member(root, wanted))
		base_errorf(r->errors, "equal", "equal = \"%s\" requires \"%s\"", xp_basis_names[s->basis], wanted);
	bool budget = wanted && !strcmp(wanted, "budget");
	for (size_t i = 0; i < 3; i++)
		if (known && xp_member(root, keys[i]) && !(budget && i == 1) &&
		    (!wanted || strcmp(wanted, keys[i]) != 0))
			base_errorf(r->errors, keys[i],
			            s->basis ? "has no effect with equal = \"%s\""
			                     : "has no effect without \"equal\"%s",
			            xp_basis_names[s->basis]);
	s->budget = xp_field_text(r, root, "", "budget", false);
	if (s->budget)
		s->budget_at = xp_field_place(r, xp_member(root, "budget"));
	if ((s->basis == XP_EQUAL_ENDPOINTS || budget) && xp_member(root, "endpoints") && s->number.endpoints < 2)
		base_errorf(r->errors, "endpoints", "must be at least 2");
}

/* A list of rising numbers above 0. The caller's; what `key` says if it is left out. */
static double *read_shares(struct xp_fields *r, const struct xp_node *root, const char *key, size_t most, size_t *n)
{
	double *v = xp_field_numbers(r, root, "", key, n);
	bool rising = true;
	for (size_t i = 0; i < *n; i++)
		rising &= v[i] > (i ? v[i - 1] : 0) && v[i] <= 1;
	if (!rising || *n > most)
		base_errorf(r->errors, key,
		            "must be a list of at most %zu increasing numbers, each above 0 and at most 1", most);
	return v;
}

static void read_lists(struct xp_fields *r, const struct xp_node *root, struct xp_study *s)
{
	s->curve = read_shares(r, root, "curve", XP_MOST_LOADS, &s->ncurve);
	s->failure = read_shares(r, root, "failures", XP_MOST_FAILURES, &s->nfailures);
	if (xp_member(root, "failures"))
		return;
	s->failure = base_realloc(s->failure, sizeof *s->failure);
	s->failure[s->nfailures++] = 0.1;
}

/* --- candidates ------------------------------------------------------------------------------------------ */

static const struct topo_family *family_of(struct xp_fields *r, const char *key, const char *name)
{
	const char *names[64];
	size_t n = 0;
	for (const struct topo_family *f = topo_families; f->name && n < 64; f++) {
		if (!strcmp(f->name, name))
			return f;
		names[n++] = f->name;
	}
	const char *near = base_nearest(name, names, n);
	if (near)
		base_errorf(r->errors, key, "there is no family \"%s\"; did you mean \"%s\"?", name, near);
	else
		base_errorf(r->errors, key, "there is no family \"%s\"; tilefly help size lists them", name);
	return NULL;
}

/* A number of a group with the range and the name of a key of the whole study. */
static void read_own(struct xp_fields *r, const struct xp_node *entry, const char *key, const char *name,
                     struct xp_study_numbers *numbers)
{
	char *text = xp_field_text(r, entry, key, name, false);
	for (const struct base_param *p = xp_study_keys; text && p->name; p++)
		if (!strcmp(p->name, name)) {
			const char *scope = r->errors->scope;
			r->errors->scope = key;
			base_param_parse(p, numbers, text, r->errors);
			r->errors->scope = scope;
		}
	free(text);
}

static void read_group(struct xp_fields *r, const struct xp_node *entry, const char *key, struct xp_study *s,
                       struct xp_candidate *c)
{
	static const char *const known[] = { "name", "family", "topology", "radix", "throughput", "trunk", NULL };
	static const char *const none[] = { NULL };
	const struct xp_node *topology = xp_member(entry, "topology");
	struct xp_study_numbers own = s->number;
	char full[256];
	xp_fields_known(r, entry, key, known);
	char *family = xp_field_text(r, entry, key, "family", false), *kind = NULL;
	xp_field_key(full, key, "topology");
	if (!family == !topology)
		base_errorf(r->errors, key, "either \"family\" (a name) or \"topology\" (a group) is required");
	else if (topology && topology->type != XP_GROUP)
		base_errorf(r->errors, full, "must be a group { kind = ...; ... }");
	else if (topology)
		kind = xp_field_text(r, topology, full, "kind", true);
	static const char *const own_keys[] = { "throughput", "radix", "trunk" };
	for (size_t i = 0; topology && i < 3; i++)
		if (xp_member(entry, own_keys[i])) {
			xp_field_key(full, key, own_keys[i]);
			base_errorf(r->errors, full, "has no effect on a candidate with an explicit topology");
		}
	read_own(r, entry, key, "radix", &own);
	read_own(r, entry, key, "throughput", &own);
	read_own(r, entry, key, "trunk", &own);
	c->radix = own.radix;
	c->throughput = own.throughput;
	c->trunk = own.trunk;
	xp_field_key(full, key, "family");
	if (family)
		c->family = family_of(r, full, family);
	if (topology && topology->type == XP_GROUP) {
		char *members = xp_study_members(topology, none);
		size_t room = strlen(members) + 20;
		c->topology = base_alloc(room);
		snprintf(c->topology, room, "topology={ %s}", members);
		free(members);
	}
	c->name = xp_study_name(r, entry, key, family ? family : kind ? kind : "");
	free(family);
	free(kind);
}

static void read_candidates(struct xp_fields *r, const struct xp_node *root, struct xp_study *s)
{
	const struct xp_node *list = xp_member(root, "candidates");
	size_t n = xp_study_entries(list);
	if (!n)
		base_errorf(r->errors, "candidates", "is missing: a list of the families and topologies to compare");
	if (n > MOST_CANDIDATES) {
		base_errorf(r->errors, "candidates", "has %zu entries; at most %d are possible", n, MOST_CANDIDATES);
		return;
	}
	s->candidate = base_calloc(n + 1, sizeof *s->candidate);
	for (size_t i = 0; i < n; i++) {
		char key[256];
		const struct xp_node *entry = xp_study_entry(r, list, i, key);
		struct xp_candidate *c = &s->candidate[s->ncandidates];
		if (!entry)
			continue;
		s->ncandidates++;
		c->at = xp_field_place(r, entry);
		c->radix = s->number.radix;
		c->throughput = s->number.throughput;
		c->trunk = s->number.trunk;
		if (entry->type == XP_GROUP) {
			read_group(r, entry, key, s, c);
		} else {
			c->family = family_of(r, key, entry->text);
			c->name = base_strdup(entry->text);
		}
		if (c->topology && s->basis != XP_EQUAL_PORTS && s->basis != XP_EQUAL_WATTS)
			c->radix = 0; /* nothing says of which switches it is built */
		if (c->family && !xp_member(root, "equal"))
			base_errorf(r->errors, key,
			            "is required for families: the quantity to which networks are sized");
		for (size_t k = 0; k + 1 < s->ncandidates; k++)
			if (!strcmp(s->candidate[k].name, c->name))
				base_errorf(r->errors, key,
				            "two candidates are named \"%s\": give one another \"name\"", c->name);
	}
}

/* Keys that are of families only. */
static void check_family_keys(struct xp_fields *r, const struct xp_node *root, const struct xp_study *s)
{
	static const char *const keys[] = { "throughput", "radix", "trunk" };
	bool family = !s->ncandidates, ports = s->basis == XP_EQUAL_PORTS || s->basis == XP_EQUAL_WATTS;
	for (size_t i = 0; i < s->ncandidates; i++)
		family |= !s->candidate[i].topology;
	for (size_t i = 0; i < 3 && !family; i++)
		if (xp_member(root, keys[i]) && !(i == 1 && ports))
			base_errorf(r->errors, keys[i],
			            "has no effect, because all candidates have an explicit topology");
}

/* --- the file -------------------------------------------------------------------------------------------- */

static void read_root(struct xp_fields *r, const struct xp_node *root, void *arg)
{
	static const char *const known[] = { "title",      "description", "plugins",    "base",         "config",
		                             "set",        "equal",       "budget",     "endpoints",    "delivered",
		                             "radix",      "throughput",  "short",      "long",         "width",
		                             "eliminate",  "finalists",   "precision",  "latency_load", "limit",
		                             "candidates", "routings",    "congestion", "job",          "traffic",
		                             "messages",   "collectives", "rank",       "trunk",        "curve",
		                             "failures",   "seeds",       NULL };
	struct xp_study *s = arg;
	if (xp_fields_other(r, root, XP_KIND_COMPARE))
		return;
	xp_fields_known(r, root, "", known);
	xp_read_ground(r, root);
	read_numbers(r, root, s);
	read_basis(r, root, s);
	read_lists(r, root, s);
	read_candidates(r, root, s);
	check_family_keys(r, root, s);
	xp_study_read_traffic(r, root, s);
}

int xp_study_read(struct xp_study *s, const char *path, struct base_errors *errors)
{
	*s = (struct xp_study){ 0 };
	return xp_ground_read(&s->ground, path, read_root, s, errors);
}

void xp_study_free(struct xp_study *s)
{
	for (size_t i = 0; i < s->ncandidates; i++) {
		free(s->candidate[i].name);
		free(s->candidate[i].at);
		free(s->candidate[i].topology);
	}
	free(s->candidate);
	free(s->curve);
	free(s->failure);
	free(s->budget);
	free(s->budget_at);
	xp_study_free_traffic(s);
	xp_ground_free(&s->ground);
	*s = (struct xp_study){ 0 };
}
