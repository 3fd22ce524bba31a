/* topo/override.c - see override.h */
#include "topo/override.h"

#include "base/check.h"
#include "base/memory.h"
#include "base/units.h"
#include "topo/changed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RULES 255u

/* --- selections: "all", "0-3,17,group 2-4" --------------------------------------------------------------------- */

/* What numbers count. */
struct counted {
	const char *one, *several; /* "switch", "switches" */
	uint32_t n;                /* 0 .. n - 1 are there; UINT32_MAX: no limit */
};

static const char *skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

/* A whole number; false: there is none. Values beyond 32 bits become UINT32_MAX. */
static bool read_switch_number(const char **at, uint32_t *out)
{
	const char *c = skip_blanks(*at);
	uint64_t value = 0;
	if (*c < '0' || *c > '9')
		return false;
	for (; *c >= '0' && *c <= '9'; c++)
		value = value < UINT32_MAX ? 10 * value + (uint64_t)(*c - '0') : value;
	*out = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
	*at = skip_blanks(c);
	return true;
}

/* "3" or "3-7" */
static int read_range(const char **at, const char *key, const char *text, const struct counted *of, uint32_t *first,
                      uint32_t *last, struct base_errors *errors)
{
	const char *begin = skip_blanks(*at);
	bool good = read_switch_number(at, first);
	*last = good ? *first : 0;
	if (good && **at == '-') {
		++*at;
		good = read_switch_number(at, last);
	}
	if (!good || (**at && **at != ','))
		return base_errorf(errors, key,
		                   "\"%.60s\" at \"%.20s\": a number or a range of %s is expected, as \"3\" or \"3-7\"",
		                   text, begin, of->several);
	if (*last < *first)
		return base_errorf(errors, key, "\"%.60s\": the range %u-%u ends before it begins", text, *first,
		                   *last);
	if (*last < of->n)
		return 0;
	return base_errorf(errors, key, "\"%.60s\": there is no %s %u; there are %u, numbered from 0", text, of->one,
	                   *last, of->n);
}

struct switch_set {
	bool all;
	uint8_t *in; /* [switches]; NULL if all */
};

static void add_group(const struct topo *topo, uint32_t first, uint32_t last, uint8_t *in)
{
	for (topo_switch s = 0; s < topo->switches; s++) {
		uint32_t group = topo_group(topo, s);
		in[s] |= group >= first && group <= last;
	}
}

/* `text`: "all" or a list. */
static int read_switches(const struct topo *topo, const char *key, const char *text, struct switch_set *out,
                         struct base_errors *errors)
{
	const struct counted switches = { "switch", "switches", topo->switches },
			     groups = { "group", "groups", topo->groups };
	const char *at = skip_blanks(text);
	*out = (struct switch_set){ .all = !strcmp(text, "all") };
	if (out->all)
		return 0;
	out->in = base_calloc(topo->switches, 1);
	for (;; at = skip_blanks(at + 1)) {
		bool group = !strncmp(at, "group", 5);
		uint32_t first, last;
		if (group)
			at += 5;
		if (read_range(&at, key, text, group ? &groups : &switches, &first, &last, errors))
			return -1;
		if (group)
			add_group(topo, first, last, out->in);
		else
			memset(out->in + first, 1, (size_t)last - first + 1);
		if (!*at)
			return 0;
	}
}

static bool has_switch(const struct switch_set *set, topo_switch s)
{
	return set->all || set->in[s];
}

#define MOST_PARALLEL 65536u

/* Numbers of parallel cables; NULL: all. */
static int read_cables(const char *text, uint8_t **out, struct base_errors *errors)
{
	const struct counted cables = { "cable", "cables", MOST_PARALLEL };
	*out = NULL;
	if (!strcmp(text, "all"))
		return 0;
	*out = base_calloc(MOST_PARALLEL, 1);
	for (const char *at = text;; at++) {
		uint32_t first, last;
		if (read_range(&at, "cable", text, &cables, &first, &last, errors))
			return -1;
		memset(*out + first, 1, (size_t)last - first + 1);
		if (!*at)
			return 0;
	}
}

/* --- what a rule matches --------------------------------------------------------------------------------------- */

struct selection {
	struct switch_set from, to;
	int named; /* class; -1: any */
	uint8_t *cable;
};

static int read_class(const struct topo *topo, const char *name, int *named, struct base_errors *errors)
{
	char list[400] = "all";
	const char *known[64] = { "all" };
	size_t n = 1;
	*named = -1;
	if (!strcmp(name, "all"))
		return 0;
	for (int k = 0; k < topo_named_classes(topo); k++) {
		size_t used = strlen(list);
		if (!strcmp(topo->link_class_name[k], name)) {
			*named = k;
			return 0;
		}
		if (n < sizeof known / sizeof *known)
			known[n++] = topo->link_class_name[k];
		snprintf(list + used, sizeof list - used, ", %s", topo->link_class_name[k]);
	}
	const char *near = base_nearest(name, known, n);
	return base_errorf(errors, "class", "topology \"%s\" has no link class \"%.60s\"%s%s%s there are: %s",
	                   topo->kind, name, near ? "; did you mean \"" : ";", near ? near : "", near ? "\"?" : "",
	                   list);
}

static void free_selection(struct selection *s)
{
	free(s->from.in);
	free(s->to.in);
	free(s->cable);
}

static int read_selection(const struct topo *topo, const struct topo_override *rule, struct selection *out,
                          struct base_errors *errors)
{
	*out = (struct selection){ 0 };
	int status = read_switches(topo, "from", rule->from, &out->from, errors);
	status |= read_switches(topo, "to", rule->to, &out->to, errors);
	status |= read_class(topo, rule->link_class, &out->named, errors);
	status |= read_cables(rule->cable, &out->cable, errors);
	return status;
}

/* Which of the parallel cables between its switches, in the order of the ports of the one with the smaller number. */
static uint32_t number_of_cable(const struct topo *topo, topo_switch s, topo_port port)
{
	struct topo_hop hop = topo_peer(topo, s, port);
	topo_switch low = s < hop.to ? s : hop.to, high = s < hop.to ? hop.to : s;
	topo_port end = s < hop.to ? port : hop.port;
	uint32_t number = 0;
	for (topo_port p = 0; p < end; p++)
		number += topo_peer(topo, low, p).to == high;
	return number;
}

static bool selects(const struct topo *topo, const struct selection *x, topo_switch s, topo_port port,
                    const struct topo_hop *hop)
{
	if (!has_switch(&x->to, hop->to) || (x->named >= 0 && topo_named_class(topo, hop->link_class) != x->named))
		return false;
	if (!x->cable)
		return true;
	uint32_t number = number_of_cable(topo, s, port);
	return number < MOST_PARALLEL && x->cable[number];
}

/* --- applying -------------------------------------------------------------------------------------------------- */

struct override_work {
	const struct topo *topo;
	const struct topo_override *rules;
	struct topo_changes changes;
	uint8_t *bandwidth_by, *latency_by; /* by channel: 1 + the rule that has set it */
	bool any_own, any_absent;
	bool *contradicts; /* [rules] reported already */
};

static void contradict(struct override_work *w, uint32_t rule, uint32_t other, topo_switch s, topo_switch to,
                       enum base_type type, uint64_t value, struct base_errors *errors)
{
	char text[48];
	if (w->contradicts[rule])
		return;
	w->contradicts[rule] = true;
	base_print_quantity(type, value, text, sizeof text);
	base_errorf(errors, type == BASE_RATE ? "bandwidth" : "latency",
	            "contradicts links.override.[%u], which says %s of the direction from switch %u to %u", other, text,
	            s, to);
}

static void set_direction(struct override_work *w, uint32_t rule, size_t channel, topo_switch s, topo_switch to,
                          struct base_errors *errors)
{
	const struct topo_override *r = &w->rules[rule];
	struct topo_direction *own = &w->changes.own[channel];
	uint8_t *bandwidth_by = &w->bandwidth_by[channel], *latency_by = &w->latency_by[channel];
	if (r->bandwidth && *bandwidth_by && own->bandwidth != r->bandwidth)
		contradict(w, rule, *bandwidth_by - 1u, s, to, BASE_RATE, own->bandwidth, errors);
	if (r->latency && *latency_by && own->latency != r->latency)
		contradict(w, rule, *latency_by - 1u, s, to, BASE_TIME, own->latency, errors);
	if (r->bandwidth) {
		own->bandwidth = r->bandwidth;
		*bandwidth_by = (uint8_t)(rule + 1);
	}
	if (r->latency) {
		own->latency = r->latency;
		*latency_by = (uint8_t)(rule + 1);
	}
	w->any_own = true;
}

/* Returns the number of directions that the rule matches. `left_only`: of cables that are there. */
static uint64_t apply_rule(struct override_work *w, uint32_t rule, const struct selection *x,
                           struct base_errors *errors)
{
	const struct topo *topo = w->topo;
	const struct topo_override *r = &w->rules[rule];
	uint64_t matched = 0;
	for (topo_switch s = 0; s < topo->switches; s++)
		for (topo_port p = 0, ports = has_switch(&x->from, s) ? topo_ports(topo, s) : 0; p < ports; p++) {
			struct topo_hop hop = topo_peer(topo, s, p);
			size_t there = w->changes.first[s] + p, back = w->changes.first[hop.to] + hop.port;
			if (!selects(topo, x, s, p, &hop))
				continue;
			matched++;
			if (r->absent) {
				w->changes.absent[there] = w->changes.absent[back] = 1;
				w->any_absent = true;
				continue;
			}
			set_direction(w, rule, there, s, hop.to, errors);
			if (r->direction == TOPO_BOTH_DIRECTIONS)
				set_direction(w, rule, back, hop.to, s, errors);
		}
	return matched;
}

static int check_rule(const struct topo_override *r, struct base_errors *errors)
{
	size_t before = errors->errors;
	if (!r->bandwidth && !r->latency && !r->absent)
		base_errorf(errors, NULL, "changes nothing: give bandwidth, latency or absent");
	if (r->absent && r->direction == TOPO_FORWARD)
		base_errorf(
		    errors, "direction",
		    "a cable is absent in both directions: credits and acknowledgements of one direction travel by "
		    "the other; to make a direction slow, give its bandwidth");
	if (r->absent && r->bandwidth)
		base_errorf(errors, "bandwidth", "an absent cable has none");
	if (r->absent && r->latency)
		base_errorf(errors, "latency", "an absent cable has none");
	return errors->errors > before ? -1 : 0;
}

static void describe_selection(const struct topo_override *r, char *out, size_t size)
{
	int used = snprintf(out, size, "from %.60s to %.60s", r->from, r->to);
	if (strcmp(r->link_class, "all") != 0 && used > 0 && (size_t)used < size)
		used += snprintf(out + used, size - (size_t)used, " of class \"%.40s\"", r->link_class);
	if (strcmp(r->cable, "all") != 0 && used > 0 && (size_t)used < size)
		snprintf(out + used, size - (size_t)used,
		         ", with number %.40s (the parallel cables of two switches are numbered from 0)", r->cable);
}

/* Applies rule by rule, and reports all that is wrong. */
static void apply_rules(struct override_work *w, uint32_t n, struct base_errors *errors)
{
	for (uint32_t i = 0; i < n; i++) {
		struct selection x;
		char scope[48], text[240];
		snprintf(scope, sizeof scope, "links.override.[%u]", i);
		errors->scope = scope;
		int status = check_rule(&w->rules[i], errors);
		if (!read_selection(w->topo, &w->rules[i], &x, errors) && !status && !apply_rule(w, i, &x, errors)) {
			describe_selection(&w->rules[i], text, sizeof text);
			base_errorf(errors, NULL, "matches no cable: there is none %s", text);
		}
		free_selection(&x);
		errors->scope = NULL;
	}
}

/* A rule of which nothing is left: other rules take all its cables away. */
static void check_used(const struct override_work *w, uint32_t n, struct base_errors *errors)
{
	bool *used = base_calloc(n, sizeof *used);
	size_t channels = w->changes.first[w->topo->switches];
	for (size_t i = 0; i < channels; i++) {
		if (w->changes.absent[i])
			continue;
		if (w->bandwidth_by[i])
			used[w->bandwidth_by[i] - 1] = true;
		if (w->latency_by[i])
			used[w->latency_by[i] - 1] = true;
	}
	for (uint32_t i = 0; i < n; i++) {
		char key[48];
		snprintf(key, sizeof key, "links.override.[%u]", i);
		if (!used[i] && !w->rules[i].absent)
			base_errorf(errors, key, "has no effect: %s",
			            w->any_absent
			                ? "each of its cables is absent, or later rules set the same keys for it"
			                : "later rules set the same keys for all its cables");
	}
	free(used);
}

/* What cables have of their own before. */
static void note_own(struct override_work *w)
{
	const struct topo *t = w->topo;
	for (topo_switch s = 0; t->kinds && s < t->switches; s++)
		for (topo_port p = 0; p < topo_ports(t, s); p++)
			w->changes.own[w->changes.first[s] + p] = t->kinds->v[topo_peer(t, s, p).link_class].own;
}

int topo_override(struct topo *topo, const struct topo_override *rules, uint32_t n, struct base_errors *errors)
{
	size_t before = errors->errors;
	if (!n)
		return 0;
	base_checkf(n <= MOST_RULES, "%u rules", n);
	struct override_work w = { .topo = topo, .rules = rules };
	size_t channels = topo_channels(topo, &w.changes.first);
	w.changes.own = base_calloc(channels + 1, sizeof *w.changes.own);
	w.changes.absent = base_calloc(channels + 1, 1);
	w.bandwidth_by = base_calloc(channels + 1, 1);
	w.latency_by = base_calloc(channels + 1, 1);
	w.contradicts = base_calloc(n, sizeof *w.contradicts);
	note_own(&w);
	apply_rules(&w, n, errors);
	if (errors->errors == before)
		check_used(&w, n, errors);
	int status = errors->errors > before ? -1 : 0;
	struct topo_changes changes = w.changes;
	if (!w.any_absent)
		changes.absent = NULL;
	errors->scope = "links.override";
	if (!status)
		status = topo_change(topo, &changes, errors);
	errors->scope = NULL;
	free(w.changes.first);
	free(w.changes.own);
	free(w.changes.absent);
	free(w.bandwidth_by);
	free(w.latency_by);
	free(w.contradicts);
	return status;
}

/* --- keys ------------------------------------------------------------------------------------------------------ */

const struct base_param topo_override_table[] = {
	{ .name = "from",
	  .type = BASE_STRING,
	  .offset = offsetof(struct topo_override, from),
	  .default_value = "all",
	  .unit = "switch",
	  .help =
	      "switches at one end of the cables: \"all\", or numbers, ranges and groups, as in \"0-3,17,group 2-4\"" },
	{ .name = "to",
	  .type = BASE_STRING,
	  .offset = offsetof(struct topo_override, to),
	  .default_value = "all",
	  .unit = "switch",
	  .help = "switches at the other end of the cables, written like `from`" },
	{ .name = "class",
	  .type = BASE_STRING,
	  .offset = offsetof(struct topo_override, link_class),
	  .default_value = "all",
	  .help = "only cables of this link class of the topology" },
	{ .name = "cable",
	  .type = BASE_STRING,
	  .offset = offsetof(struct topo_override, cable),
	  .default_value = "all",
	  .unit = "cable",
	  .help = "selects among the parallel cables between two switches: \"all\", or numbers and ranges. The cables "
	          "are numbered from 0, in the order of the ports of the switch with the smaller number" },
	{ .name = "direction",
	  .type = BASE_ENUM,
	  .offset = offsetof(struct topo_override, direction),
	  .default_value = "both",
	  .choices = TOPO_OVERRIDE_DIRECTIONS,
	  .help = "directions of the cables that change. forward: only from a switch in `from` to a switch in `to`" },
	{ .name = "bandwidth",
	  .type = BASE_RATE,
	  .offset = offsetof(struct topo_override, bandwidth),
	  .default_value = "",
	  .min = TOPO_LEAST_BANDWIDTH,
	  .max = TOPO_MOST_BANDWIDTH,
	  .help = "bandwidth of the selected directions of the cables; default: that of the link class" },
	{ .name = "latency",
	  .type = BASE_TIME,
	  .offset = offsetof(struct topo_override, latency),
	  .default_value = "",
	  .min = 1,
	  .max = TOPO_MOST_LATENCY,
	  .help = "latency of the selected directions of the cables; default: that of the link class" },
	{ .name = "absent",
	  .type = BASE_BOOL,
	  .offset = offsetof(struct topo_override, absent),
	  .default_value = "false",
	  .help = "true: the cables do not exist. Minimal routing uses the shortest paths of the remaining network" },
	{ 0 },
};
