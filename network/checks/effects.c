/* network/checks/effects.c - errors for keys that have no effect on this topology. Keys that have no effect on any
 * topology are detected when the configuration is read. */
#include "base/units.h"
#include "network/checks/checks.h"

#include <stdio.h>
#include <string.h>

/* What cables of a named class leave to its section. */
struct class_use {
	bool exists, bandwidth, latency; /* is there a cable; one without a bandwidth, or latency, of its own */
};

/* Classes that are there are found at the first switches. */
static struct class_use use_of_class(const struct topo *topo, int named)
{
	struct class_use use = { false, false, false };
	for (topo_switch s = 0; s < topo->switches && !(use.bandwidth && use.latency); s++)
		for (topo_port p = 0, n = topo_ports(topo, s); p < n && !(use.bandwidth && use.latency); p++) {
			int k = topo_peer(topo, s, p).link_class;
			if (topo_named_class(topo, k) != named)
				continue;
			use.exists = true;
			use.bandwidth |= !topo->kinds || !topo->kinds->v[k].own.bandwidth;
			use.latency |= !topo->kinds || !topo->kinds->v[k].own.latency;
		}
	return use;
}

static void refuse_link(const char *class, const char *name, const char *why, struct base_errors *errors)
{
	char key[160];
	snprintf(key, sizeof key, "links.%.128s.%s", class, name);
	base_errorf(errors, key, "has no effect in this network: %s", why);
}

/* What is compared of links: their keys, with what a framing says. */
enum {
	LINK_BANDWIDTH,
	LINK_LATENCY,
	LINK_HEADER,
	LINK_MIN_FRAME,
	LINK_GRANULE,
	LINK_GAP,
	LINK_LANES,
	LINK_ERRORS,
	LINK_RETRY_BUFFER,
	LINK_RETRY_ANSWER,
	LINK_KEYS
};
struct facts {
	uint64_t v[LINK_KEYS];
};

static struct facts facts_of(const struct net_link *l)
{
	struct net_framing f = net_framing_of(l);
	struct facts facts = { { l->bandwidth, l->latency, f.header, f.min_frame, f.granule, f.gap, (uint64_t)l->lanes,
		                 0, l->retry_buffer, l->retry_answer } };
	memcpy(&facts.v[LINK_ERRORS], &l->bit_error_rate, sizeof l->bit_error_rate);
	return facts;
}

/* The key that a fact comes from. */
static const char *key_of(const struct net_link *l, int fact)
{
	static const char *const names[] = { "bandwidth", "latency", "header",         "min_frame",    "granule",
		                             "gap",       "lanes",   "bit_error_rate", "retry_buffer", "retry_answer" };
	const uint64_t given[LINK_KEYS] = {
		0, 0, l->framing.header, l->framing.min_frame, l->framing.granule, l->framing.gap
	};
	return given[fact] == BASE_AUTO_SIZE_VALUE ? "framing" : names[fact];
}

/* Refuses the keys that `of` says; a framing, which several facts come from, once. */
static void refuse_facts(const struct net_link *l, const char *class, const bool of[LINK_KEYS], const char *why,
                         struct base_errors *errors)
{
	bool framing = false;
	for (int i = 0; i < LINK_KEYS; i++) {
		const char *key = key_of(l, i);
		bool again = framing && !strcmp(key, "framing");
		if (of[i] && !again)
			refuse_link(class, key, why, errors);
		framing |= of[i] && !strcmp(key, "framing");
	}
}

/* What a class says that no cable has; and what links.default says that every class has replaced, or every cable. */
static void check_links(const struct net_config *c, const struct topo *topo, struct base_errors *errors)
{
	static const struct net_link usual = { .bandwidth = 100000000000,
		                               .latency = 50000,
		                               .framing = { NET_FRAMING_NONE, 0, 0, 1, 0 },
		                               .lanes = 1,
		                               .retry_buffer = BASE_AUTO_SIZE_VALUE };
	struct facts d = facts_of(&c->link_default), terminal = facts_of(&c->link_terminal), u = facts_of(&usual);
	bool used[LINK_KEYS], unused[LINK_KEYS];
	for (int i = 0; i < LINK_KEYS; i++)
		used[i] = terminal.v[i] == d.v[i] && (i < LINK_LANES || d.v[i] == u.v[i]);
	for (int i = LINK_LANES; i < LINK_KEYS; i++)
		if (terminal.v[i] != d.v[i])
			refuse_link("terminal", key_of(&c->link_terminal, i),
			            "only links between switches have lanes and link-level retry", errors);
	for (int k = 0; k < topo_named_classes(topo); k++) {
		const char *name = topo->link_class_name[k];
		const struct net_link *link = net_link_of_class(c, name);
		struct facts l = facts_of(link);
		bool ask = false;
		for (int i = 0; i < LINK_KEYS; i++)
			ask |= l.v[i] != d.v[i] || !used[i];
		struct class_use use = ask ? use_of_class(topo, k) : (struct class_use){ true, true, true };
		for (int i = 0; i < LINK_KEYS; i++) {
			bool taken = i == LINK_BANDWIDTH ? use.bandwidth : i == LINK_LATENCY ? use.latency : use.exists;
			used[i] |= taken && l.v[i] == d.v[i];
			unused[i] = !taken && l.v[i] != d.v[i];
		}
		refuse_facts(link, name, unused, use.exists ? "every such cable has its own" : "it has no such cable",
		             errors);
	}
	for (int i = 0; i < LINK_KEYS; i++)
		unused[i] = !used[i] && d.v[i] != u.v[i];
	refuse_facts(&c->link_default, "default", unused, "every class of links sets its own value", errors);
}

/* The values of framing, LINK_HEADER to LINK_GAP, that every traffic class sets itself. */
static void set_by_classes(const struct net_config *c, bool of[LINK_KEYS])
{
	for (int i = LINK_HEADER; i <= LINK_GAP; i++)
		of[i] = c->nclasses > 0;
	for (uint32_t k = 0; k < c->nclasses; k++) {
		const struct net_framing *f = &c->classes[k].framing;
		bool preset = f->preset != NET_CLASS_FRAMING_LINK;
		of[LINK_HEADER] &= preset || f->header != BASE_AUTO_SIZE_VALUE;
		of[LINK_MIN_FRAME] &= preset || f->min_frame != BASE_AUTO_SIZE_VALUE;
		of[LINK_GRANULE] &= preset || f->granule != BASE_AUTO_SIZE_VALUE;
		of[LINK_GAP] &= preset || f->gap != BASE_AUTO_SIZE_VALUE;
	}
}

/* Refuses keys of a link's framing that differ from `from`, and that every traffic class sets itself. A preset is
 * without effect if it sets nothing else. */
static void check_replaced(const struct net_link *l, const struct net_link *from, const char *class,
                           const bool replaced[LINK_KEYS], struct base_errors *errors)
{
	static const char why[] = "every traffic class sets its own value (classes[].framing)";
	const struct facts own = facts_of(l), other = facts_of(from);
	bool preset = l->framing.preset != from->framing.preset, differs = false;
	for (int i = LINK_HEADER; i <= LINK_GAP; i++) {
		const char *key = key_of(l, i);
		bool by_preset = !strcmp(key, "framing");
		if (own.v[i] != other.v[i] && !by_preset && replaced[i])
			refuse_link(class, key, why, errors);
		differs |= by_preset && own.v[i] != other.v[i];
		preset &= !by_preset || replaced[i] || own.v[i] == other.v[i];
	}
	if (preset && differs)
		refuse_link(class, "framing", why, errors);
}

static void check_replaced_framings(const struct net_config *c, const struct topo *topo, struct base_errors *errors)
{
	static const struct net_link none = { .framing = { NET_FRAMING_NONE, 0, 0, 1, 0 } };
	bool replaced[LINK_KEYS] = { false };
	set_by_classes(c, replaced);
	check_replaced(&c->link_default, &none, "default", replaced, errors);
	check_replaced(&c->link_terminal, &c->link_default, "terminal", replaced, errors);
	for (int k = 0; k < topo_named_classes(topo); k++) {
		const char *name = topo->link_class_name[k];
		const struct net_link *link = net_link_of_class(c, name);
		if (link != &c->link_default)
			check_replaced(link, &c->link_default, name, replaced, errors);
	}
}

int net_check_effects(const struct net_config *config, const struct topo *topo, struct base_errors *errors)
{
	const struct {
		const char *scope;
		const struct net_choice *choice;
	} row[] = { { "topology", &config->topology }, { "routing", &config->routing } };
	size_t before = errors->errors;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const struct base_plugin *plugin = row[i].choice->plugin;
		errors->scope = row[i].scope;
		if (plugin)
			base_conditions_check(plugin->params, plugin->conditions, row[i].choice->params, topo, errors);
	}
	errors->scope = NULL;
	check_links(config, topo, errors);
	check_replaced_framings(config, topo, errors);
	errors->scope = "layout";
	base_conditions_check(topo_layout_table, topo_layout_conditions, &config->layout, topo, errors);
	errors->scope = NULL;
	return errors->errors > before ? -1 : 0;
}

int net_check_window(const struct net *n, struct base_errors *errors)
{
	const struct net_engine *e = &n->config->engine;
	bool speculates = (e->sync == NET_SYNC_OPTIMISTIC || e->sync == NET_SYNC_AUTO) && e->threads <= 1;
	char most[48];
	if (speculates || e->window <= n->lookahead)
		return 0;
	base_print_quantity(BASE_TIME, n->lookahead, most, sizeof most);
	return base_errorf(errors, "engine.window",
	                   "has no effect beyond the lookahead, which is %s: a larger window needs sync = "
	                   "\"optimistic\" or \"auto\", and at most one thread",
	                   most);
}
