/* experiments/costing/links.c - see links.h */
#include "experiments/costing/links.h"

#include "base/memory.h"
#include "experiments/config/schema.h"
#include "network/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CLASSES 256 /* that messages name */

static bool has_class(const struct topo *topo, const char *name)
{
	for (int k = 0; k < topo->link_classes; k++)
		if (!strcmp(topo->link_class_name[k], name))
			return true;
	return false;
}

/* --- what has no effect on one network ------------------------------------------------------------------- */

/* A copy of the configuration with only those link classes that the topology has. links[] is owned by the caller; it
 * refers to data of the configuration. */
static struct net_config of_topology(const struct net_config *net, const struct topo *topo)
{
	struct net_config own = *net;
	own.links = base_calloc((size_t)net->nlinks + 1, sizeof *own.links);
	own.nlinks = 0;
	for (uint32_t i = 0; i < net->nlinks; i++)
		if (has_class(topo, net->links[i].name))
			own.links[own.nlinks++] = net->links[i];
	return own;
}

/* The class that an error of a key of links is about: "links.global.latency"; false: it is about something else. */
static bool class_of(const struct base_error *error, char class[128])
{
	if (error->warning || strncmp(error->key, "links.", 6) != 0)
		return false;
	snprintf(class, 128, "%.*s", (int)strcspn(error->key + 6, "."), error->key + 6);
	return true;
}

/* Finds keys of links that have no effect on a network: errors that class_of() knows. */
static void find_idle(const struct net_config *own, const struct topo *topo, struct base_errors *idle)
{
	struct net_config alone = *own;
	alone.routing.plugin = NULL; /* not needed */
	net_check_effects(&alone, topo, idle);
}

static bool is_idle(const struct base_errors *idle, const char *key)
{
	for (size_t i = 0; i < idle->n; i++)
		if (!idle->v[i].warning && !strcmp(idle->v[i].key, key))
			return true;
	return false;
}

/* --- what has none on all of them ------------------------------------------------------------------------ */

/* Classes by name, each once. */
struct class_names {
	const char *name[MOST_CLASSES];
	size_t n;
	bool open; /* there may be others: of a network that is not built, and whose kind does not define it */
};

static void add_class(struct class_names *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (!strcmp(c->name[i], name))
			return;
	if (c->n < MOST_CLASSES)
		c->name[c->n++] = name;
	else
		c->open = true;
}

static void add_classes(struct class_names *c, const struct xp_links_net *net)
{
	const struct topo_ops *ops = net->kind ? net->kind->ops : NULL;
	if (net->costing) {
		for (int k = 0; k < topo_named_classes(&net->costing->topo); k++)
			add_class(c, net->costing->topo.link_class_name[k]);
	} else if (ops && ops->link_classes) {
		for (const char *const *name = ops->link_classes; *name; name++)
			add_class(c, *name);
	} else if (ops) {
		c->open = true;
	}
}

static void check_class(const struct class_names *c, const char *name, struct base_errors *errors)
{
	struct base_buffer list = { 0 };
	char key[160];
	for (size_t i = 0; i < c->n; i++)
		if (!strcmp(c->name[i], name))
			return;
	for (size_t i = 0; i < c->n; i++)
		base_buffer_printf(&list, "%s%s", i ? ", " : "", c->name[i]);
	const char *near = base_nearest(name, c->name, c->n);
	snprintf(key, sizeof key, "links.%.128s", name);
	if (near)
		base_errorf(
		    errors, key,
		    "there is no link class of this name in the networks; did you mean \"%s\"? Available: %.400s", near,
		    list.data);
	else
		base_errorf(errors, key, "there is no link class of this name in the networks; available: %.400s",
		            list.data);
	free(list.data);
}

/* Does a key do nothing for this network: it is idle, or its class is none of the network's? */
static bool does_nothing(const struct xp_links_net *net, const struct base_errors *idle, const char *key,
                         const char *class)
{
	bool own = !strcmp(class, "default") || has_class(&net->costing->topo, class);
	return !own || is_idle(idle, key);
}

/* Refuses the keys that are idle on network `i`, on none before it, and do nothing for all others. */
static void refuse_idle(const struct xp_links_net *net, const struct base_errors *idle, size_t n, size_t i,
                        struct base_errors *errors)
{
	for (size_t e = 0; e < idle[i].n; e++) {
		const struct base_error *error = &idle[i].v[e];
		char class[128];
		bool first = class_of(error, class), all = true;
		for (size_t k = 0; k < i && first; k++)
			first = !is_idle(&idle[k], error->key);
		for (size_t k = 0; k < n && first && all; k++)
			all = !net[k].costing || does_nothing(&net[k], &idle[k], error->key, class);
		if (first && all)
			base_errorf(errors, error->key, "%s", error->text);
	}
}

int xp_links_judge(const struct net_config *base, const struct xp_links_net *net, size_t n, bool *differ,
                   struct base_errors *errors)
{
	struct class_names classes = { .name = { "default", "terminal" }, .n = 2 };
	struct base_errors *idle = base_calloc(n + 1, sizeof *idle);
	size_t before = errors->errors;
	*differ = false;
	for (size_t i = 0; i < n; i++)
		add_classes(&classes, &net[i]);
	for (uint32_t i = 0; i < base->nlinks && !classes.open; i++)
		check_class(&classes, base->links[i].name, errors);
	for (size_t i = 0; i < n; i++) {
		char class[128];
		if (!net[i].costing)
			continue;
		struct net_config own = of_topology(&net[i].costing->config.net, &net[i].costing->topo);
		find_idle(&own, &net[i].costing->topo, &idle[i]);
		*differ |= own.nlinks < base->nlinks;
		for (size_t e = 0; e < idle[i].n; e++)
			*differ |= class_of(&idle[i].v[e], class);
		free(own.links);
	}
	for (size_t i = 0; i < n; i++)
		refuse_idle(net, idle, n, i, errors);
	for (size_t i = 0; i < n; i++)
		base_errors_free(&idle[i]);
	free(idle);
	return errors->errors > before ? -1 : 0;
}

/* --- what a network is run with -------------------------------------------------------------------------- */

/* links.default as it is when nothing says it. */
static void reset_default(struct net_config *own)
{
	struct base_errors ignored = { 0 };
	for (const struct xp_section *s = xp_sections; s->path; s++)
		if (!strcmp(s->path, "links.default"))
			base_params_defaults(s->table, &own->link_default, &ignored);
	base_errors_free(&ignored);
}

static void leave_out(struct net_config *own, const char *class)
{
	uint32_t n = 0;
	if (!strcmp(class, "default"))
		reset_default(own); /* no cable has what it said */
	for (uint32_t i = 0; i < own->nlinks; i++)
		if (strcmp(own->links[i].name, class) != 0)
			own->links[n++] = own->links[i];
	own->nlinks = n;
}

char *xp_links_text(const struct xp_costing *costing)
{
	struct net_config own = of_topology(&costing->config.net, &costing->topo);
	struct base_buffer text = { 0 };
	/* a class without cables has no effect whole; once it, or links.default, is left out, more may have none */
	for (bool found = true; found;) {
		struct base_errors idle = { 0 };
		char class[128];
		found = false;
		find_idle(&own, &costing->topo, &idle);
		for (size_t i = 0; i < idle.n; i++)
			if (class_of(&idle.v[i], class)) {
				leave_out(&own, class);
				found = true;
			}
		base_errors_free(&idle);
	}
	xp_config_links(&own, &text);
	free(own.links);
	return text.data;
}
