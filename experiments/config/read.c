/* experiments/config/read.c - converts the tree of a configuration to a struct net_config. The tables of schema.c and
 * of the selected plug-ins define the keys. Unknown keys, wrong types, missing keys and invalid values are all
 * collected before they are reported. */
#include "experiments/config/config.h"

#include "base/memory.h"
#include "experiments/config/schema.h"

#include <stdlib.h>
#include <string.h>

struct reader {
	struct xp_config *config;
	enum xp_config_scope scope;
	const struct base_registry *registry;
	struct base_errors *errors;
	char by[400]; /* text for messages about keys of a plug-in: which key has selected it, as in ` by topology
	                 "torus" (set by --set topology.kind=torus)` */
};

/* Names that are known in one group, for "did you mean". */
struct names {
	const char **v;
	size_t n;
};

static void add_name(struct names *names, const char *name)
{
	names->v = base_realloc(names->v, (names->n + 1) * sizeof *names->v);
	names->v[names->n++] = name;
}

static void add_table(struct names *names, const struct base_param *table)
{
	for (const struct base_param *p = table; p && p->name; p++)
		add_name(names, p->name);
}

/* --- one value -------------------------------------------------------------------------------------- */

static bool scalar_fits(enum base_type type, const struct xp_node *node)
{
	if (node->type == XP_RAW)
		return true;
	switch (type) {
	case BASE_BOOL:
	case BASE_BOOLS:
		return node->type == XP_BOOL;
	case BASE_INT:
	case BASE_INTS:
		return node->type == XP_INT;
	case BASE_FLOAT:
		return node->type == XP_INT || node->type == XP_FLOAT;
	case BASE_ENUM:
		return node->type == XP_STRING || node->type == XP_BOOL; /* "false|true|auto" */
	case BASE_AUTO_INT:
		return node->type == XP_INT || (node->type == XP_STRING && !strcmp(node->text, "auto"));
	case BASE_STRING:
	case BASE_FILE:
	case BASE_FILES:
	case BASE_PLUGIN:
	case BASE_TIME:
	case BASE_AUTO_TIME:
	case BASE_AUTO_SIZE:
	case BASE_PERCENT:
	case BASE_MEASURE:
	case BASE_RATE:
	case BASE_SIZE:
	case BASE_SIZES:
	case BASE_LENGTH:
		break;
	}
	return node->type == XP_STRING;
}

static const char *wanted(enum base_type type)
{
	switch (type) {
	case BASE_BOOL:
		return "true or false";
	case BASE_INT:
		return "a whole number";
	case BASE_FLOAT:
		return "a number";
	case BASE_STRING:
	case BASE_FILE:
		return "a text in quotes";
	case BASE_ENUM:
	case BASE_PLUGIN:
		return "a word in quotes";
	case BASE_TIME:
		return "a time in quotes, as in \"50ns\" (units ps, ns, us, ms, s)";
	case BASE_RATE:
		return "a rate in quotes, as in \"100Gbps\" (units bps, Kbps, Mbps, Gbps, Tbps)";
	case BASE_SIZE:
		return "a size in quotes, as in \"256B\" (units B, KB, MB, GB, KiB, MiB, GiB)";
	case BASE_AUTO_TIME:
		return "a time in quotes, as in \"50ns\" (units ps, ns, us, ms, s), or \"auto\"";
	case BASE_AUTO_SIZE:
		return "a size in quotes, as in \"256B\" (units B, KB, MB, GB, KiB, MiB, GiB), or \"auto\"";
	case BASE_PERCENT:
		return "a percentage in quotes, as in \"1%\"";
	case BASE_MEASURE:
		return "a quantity with its unit in quotes, as in \"250W\"";
	case BASE_LENGTH:
		return "a length in quotes, as in \"2.6m\"";
	case BASE_INTS:
		return "a list of whole numbers, as in [8, 8]";
	case BASE_BOOLS:
		return "true or false, or a list of them";
	case BASE_SIZES:
		return "a size in quotes, as in \"256B\", or a list of them";
	case BASE_FILES:
		return "a list of file names in quotes, as in [ \"./mine.so\" ]";
	case BASE_AUTO_INT:
		return "a whole number or \"auto\"";
	}
	return "another type";
}

/* The type of the entries of a list. */
static enum base_type item_type(enum base_type list)
{
	return list == BASE_INTS ? BASE_INT : list == BASE_BOOLS ? BASE_BOOL : BASE_SIZE;
}

/* A text that may be a count of something: its number needs no quotes. */
static bool takes_count(const struct base_param *p)
{
	return p->type == BASE_STRING && p->unit;
}

static int wrong_type(struct reader *r, const struct base_param *p, const struct xp_node *node)
{
	char word[128];
	const char *want = wanted(p->type);
	if (p->type == BASE_AUTO_TIME && p->choices) {
		snprintf(word, sizeof word, "%s, or \"%s\"", wanted(BASE_TIME), p->choices);
		want = word;
	}
	if (takes_count(p)) {
		snprintf(word, sizeof word, "%s or a whole number", wanted(BASE_STRING));
		want = word;
	}
	if (node->type == XP_STRING)
		return base_errorf(r->errors, p->name, "must be %s, not \"%.60s\"", want, node->text);
	return base_errorf(r->errors, p->name, "must be %s, not %s%s%s", want, xp_type_text(node->type),
	                   node->text ? " " : "", node->text ? node->text : "");
}

static bool is_list(enum base_type type)
{
	return type == BASE_INTS || type == BASE_BOOLS || type == BASE_SIZES;
}

static int read_list(struct reader *r, const struct base_param *p, const struct xp_node *node, void *params)
{
	struct base_buffer text = { 0 };
	base_buffer_write(&text, "", 0);
	int status = 0;
	for (size_t i = 0; i < node->n && !status; i++) {
		const struct xp_node *entry = node->child[i];
		if (!entry->text || !scalar_fits(p->type, entry))
			status = base_errorf(r->errors, p->name, "entry %zu must be %s, not %s%s%s", i,
			                     wanted(item_type(p->type)), xp_type_text(entry->type),
			                     entry->text ? " " : "", entry->text ? entry->text : "");
		else
			base_buffer_printf(&text, "%s%s", i ? "," : "", entry->text);
	}
	if (!status)
		status = base_param_parse(p, params, text.data, r->errors);
	free(text.data);
	return status;
}

static int read_files(struct reader *r, const struct base_param *p, const struct xp_node *node, struct base_texts *out)
{
	for (size_t i = 0; i < (node->type == XP_LIST ? node->n : 1); i++) {
		const struct xp_node *entry = node->type == XP_LIST ? node->child[i] : node;
		if (entry->type != XP_STRING && entry->type != XP_RAW)
			return wrong_type(r, p, entry);
		char *path = xp_config_path(r->config, entry), *absolute = xp_absolute_path(path);
		base_texts_add(out, absolute);
		free(absolute);
		free(path);
	}
	return 0;
}

/* A group of words in place of a text: { first = "a"; b = "c"; } is "a, b = c", where `first` is p->choices. */
static int read_words(struct reader *r, const struct base_param *p, const struct xp_node *group, void *params)
{
	struct base_buffer text = { 0 };
	const struct xp_node *first = xp_member(group, p->choices);
	int status = 0;
	base_buffer_write(&text, "", 0);
	if (first && first->text)
		base_buffer_printf(&text, "%s", first->text);
	for (size_t i = 0; i < group->n && !status; i++) {
		const struct xp_node *word = group->child[i];
		if (word->type != XP_STRING && word->type != XP_RAW)
			status = base_errorf(r->errors, p->name, "%s must be a word in quotes, not %s", word->name,
			                     xp_type_text(word->type));
		else if (word != first)
			base_buffer_printf(&text, "%s%s = %s", text.n ? ", " : "", word->name, word->text);
	}
	if (!status)
		status = base_param_parse(p, params, text.n ? text.data : p->default_value, r->errors);
	free(text.data);
	return status;
}

static int read_value(struct reader *r, const struct base_param *p, const struct xp_node *node, void *params)
{
	if (p->type == BASE_STRING && p->choices && node->type == XP_GROUP)
		return read_words(r, p, node, params);
	if (p->type == BASE_FILES)
		return read_files(r, p, node, (struct base_texts *)(void *)((char *)params + p->offset));
	if (node->type == XP_LIST && is_list(p->type))
		return read_list(r, p, node, params);
	bool count = takes_count(p) && node->type == XP_INT;
	if (!node->text || (!count && !scalar_fits(p->type, node)))
		return wrong_type(r, p, node);
	if (p->type != BASE_FILE)
		return base_param_parse(p, params, node->text, r->errors);
	if (!*node->text)
		return base_errorf(r->errors, p->name, "must name a file, not an empty text%s",
		                   p->default_value ? "; leave the key out for none" : "");
	char *path = xp_config_path(r->config, node);
	int status = base_param_parse(p, params, path, r->errors);
	free(path);
	return status;
}

/* The key that names a file in place of a choice: mapping_file of mapping. NULL: there is none. */
static const struct base_param *file_instead(const struct base_param *table, const struct base_param *p)
{
	size_t length = strlen(p->name);
	for (const struct base_param *f = p->type == BASE_ENUM ? table : NULL; f && f->name; f++)
		if (f->type == BASE_FILE && !strncmp(f->name, p->name, length) && !strcmp(f->name + length, "_file"))
			return f;
	return NULL;
}

/* mapping = { file = "map"; } is mapping_file = "map". */
static int read_file_group(struct reader *r, const struct base_param *p, const struct base_param *file,
                           const struct xp_node *node, const struct xp_node *group, void *params)
{
	const struct xp_node *name = xp_member(node, "file");
	if (node->n != 1 || !name)
		return base_errorf(r->errors, p->name, "must be written { file = \"map\"; } when given as a group");
	if (xp_member(group, file->name))
		return base_errorf(r->errors, p->name, "names a file, but %s names one, too: remove one of the two",
		                   file->name);
	if (name->type != XP_STRING && name->type != XP_RAW)
		return base_errorf(r->errors, p->name, "\"file\" must be a text in quotes, not %s",
		                   xp_type_text(name->type));
	return read_value(r, file, name, params);
}

/* Defaults, then what `group` (may be NULL) says. */
static void read_table(struct reader *r, const struct base_param *table, const struct xp_node *group, void *params,
                       bool may_miss)
{
	base_params_defaults(table, params, r->errors);
	for (const struct base_param *p = table; p && p->name; p++) {
		const struct xp_node *node = xp_member(group, p->name);
		const struct base_param *file = node && node->type == XP_GROUP ? file_instead(table, p) : NULL;
		if (file)
			read_file_group(r, p, file, node, group, params);
		else if (node)
			read_value(r, p, node, params);
		else if (!p->default_value && !may_miss)
			base_errorf(r->errors, p->name, "required%s, but missing (%s)", r->by, p->help);
	}
	base_bind_plugins(r->registry, table, params, r->errors);
}

/* --- plug-ins --------------------------------------------------------------------------------------- */

static int no_such_plugin(struct reader *r, const struct xp_pick *pick, const char *name)
{
	struct names names = { 0 };
	struct base_buffer list = { 0 };
	base_buffer_write(&list, "", 0);
	for (size_t i = 0; i < r->registry->n; i++)
		if (!strcmp(r->registry->v[i]->kind, pick->plugin_kind)) {
			base_buffer_printf(&list, "%s%s", names.n ? ", " : "", r->registry->v[i]->name);
			add_name(&names, r->registry->v[i]->name);
		}
	const char *near = name ? base_nearest(name, names.v, names.n) : NULL;
	if (!name)
		base_errorf(r->errors, pick->key, "required, but missing; one of: %s", list.data);
	else if (near)
		base_errorf(r->errors, pick->key, "there is no %s \"%.60s\"; did you mean \"%s\"? Available: %s",
		            pick->plugin_kind, name, near, list.data);
	else
		base_errorf(r->errors, pick->key, "there is no %s \"%.60s\"; available: %s", pick->plugin_kind, name,
		            list.data);
	free(names.v);
	free(list.data);
	return -1;
}

/* ' topology "torus" (set by --set topology.kind=torus)' */
static void describe_override(char *out, size_t room, const char *before, const struct base_plugin *plugin,
                              const struct xp_node *pick)
{
	char by[210];
	xp_node_assigned(pick, by, sizeof by);
	snprintf(out, room, "%s%s \"%s\" (set by %s)", before, plugin->kind, plugin->name, by);
}

/* Has any plug-in of this kind a parameter of this name? */
static bool is_key_of_kind(const struct reader *r, const char *kind, const char *name)
{
	for (size_t i = 0; i < r->registry->n; i++) {
		const struct base_plugin *plugin = r->registry->v[i];
		for (const struct base_param *p = plugin->params; !strcmp(plugin->kind, kind) && p && p->name; p++)
			if (!strcmp(p->name, name))
				return true;
	}
	return false;
}

/* The plug-in that an override chose instead of one that may have had this key; false if there is none. */
static bool find_override(const struct reader *r, const struct xp_section *s, const struct xp_node *group,
                          const struct xp_node *key, char *out, size_t room)
{
	for (int i = 0; i < XP_PICKS && s->pick[i].key; i++) {
		const struct xp_node *pick = xp_member(group, s->pick[i].key);
		if (!pick || !pick->origin || (key->origin && !strcmp(key->origin, pick->origin)) ||
		    !is_key_of_kind(r, s->pick[i].plugin_kind, key->name))
			continue;
		describe_override(out, room, "", base_find(r->registry, s->pick[i].plugin_kind, pick->text), pick);
		return true;
	}
	return false;
}

static int read_pick(struct reader *r, const struct xp_pick *pick, const struct xp_node *group,
                     struct net_choice *choice)
{
	const struct xp_node *node = xp_member(group, pick->key);
	const char *name = pick->default_value;
	if (node && node->type != XP_STRING && node->type != XP_RAW)
		return base_errorf(r->errors, pick->key, "must be a name in quotes, not %s", xp_type_text(node->type));
	if (node)
		name = node->text;
	const struct base_plugin *plugin = name ? base_find(r->registry, pick->plugin_kind, name) : NULL;
	if (!plugin)
		return no_such_plugin(r, pick, name);
	choice->plugin = plugin;
	choice->params = base_alloc(plugin->params_bytes);
	if (node && node->origin && !group->origin)
		describe_override(r->by, sizeof r->by, " by ", plugin, node);
	read_table(r, plugin->params, group, choice->params, false);
	r->by[0] = 0;
	return 0;
}

/* `s` chooses plug-ins, whose keys are among the known ones (NULL: no section). */
static void reject_unknown(struct reader *r, const struct xp_section *s, const struct xp_node *group,
                           const struct names *known)
{
	for (size_t i = 0; i < group->n; i++) {
		const char *name = group->child[i]->name;
		char by[400];
		bool found = false;
		for (size_t k = 0; k < known->n && !found; k++)
			found = !strcmp(known->v[k], name);
		if (found)
			continue;
		bool printed = r->errors->n < XP_MOST_ERRORS; /* looking for what is not printed takes too long */
		const char *near = printed ? base_nearest(name, known->v, known->n) : NULL;
		if (printed && s && find_override(r, s, group, group->child[i], by, sizeof by))
			base_errorf(r->errors, name, "unknown key of %s", by);
		else if (near)
			base_errorf(r->errors, name, "unknown key; did you mean \"%s\"?", near);
		else
			base_errorf(r->errors, name, "unknown key");
	}
}

/* --- sections --------------------------------------------------------------------------------------- */

/* Does a section's pick `unless` name another plug-in than its default? */
static bool picks_other(const struct xp_section *s, const struct xp_node *group)
{
	for (int i = 0; s->unless && i < XP_PICKS && s->pick[i].key; i++) {
		const struct xp_node *node = xp_member(group, s->pick[i].key);
		if (!strcmp(s->pick[i].key, s->unless))
			return node && node->text && strcmp(node->text, s->pick[i].default_value) != 0;
	}
	return false;
}

static void read_entry(struct reader *r, const struct xp_section *s, const struct xp_node *group, char *base)
{
	struct names known = { 0 };
	bool all_known = true;
	if (group && group->type != XP_GROUP) {
		base_errorf(r->errors, NULL, "must be a group { ... }, not %s", xp_type_text(group->type));
		base_params_defaults(s->table, base, r->errors); /* so that nothing else is found wrong with it */
		return;
	}
	read_table(r, s->table, group, base, picks_other(s, group));
	add_table(&known, s->table);
	for (int i = 0; i < XP_PICKS && s->pick[i].key; i++) {
		struct net_choice *choice = (struct net_choice *)(void *)(base + s->pick[i].offset);
		if (read_pick(r, &s->pick[i], group, choice))
			all_known = false;
		else
			add_table(&known, choice->plugin->params);
		add_name(&known, s->pick[i].key);
	}
	if (group && all_known && *s->path)
		reject_unknown(r, s, group, &known);
	free(known.v);
}

static void read_list_section(struct reader *r, const struct xp_section *s, const struct xp_node *list)
{
	char *net = (char *)&r->config->net;
	if (list && list->type != XP_LIST) {
		base_errorf(r->errors, s->path, "must be a list ( { ... }, { ... } ), not %s",
		            xp_type_text(list->type));
		return;
	}
	size_t n = list ? list->n : 0;
	if (!n) {
		if (!s->may_miss && r->scope == XP_WHOLE)
			base_errorf(r->errors, s->path, "required, but %s (%s)", list ? "empty" : "missing", s->help);
		return;
	}
	if (n > 255) {
		base_errorf(r->errors, s->path, "has %zu entries; at most 255 are allowed", n);
		return;
	}
	char *entries = base_calloc(n, s->entry_bytes);
	*(void **)(void *)(net + s->offset) = entries;
	*(uint32_t *)(void *)(net + s->count_offset) = (uint32_t)n;
	for (size_t i = 0; i < n; i++) {
		char scope[64];
		snprintf(scope, sizeof scope, "%s.[%zu]", s->path, i);
		r->errors->scope = scope;
		read_entry(r, s, list->child[i], entries + i * s->entry_bytes);
		r->errors->scope = NULL;
	}
}

static bool is_fixed_section(const char *outer, const char *name)
{
	char path[256];
	snprintf(path, sizeof path, "%s.%.128s", outer, name);
	for (const struct xp_section *s = xp_sections; s->path; s++)
		if (!strcmp(s->path, path))
			return true;
	return false;
}

/* Reads the sections "links.NAME". Every group in "links" that is not a section of its own defines the link class NAME.
 * Whether the topology has such a class is checked when the topology is built. */
static void read_named_sections(struct reader *r, const struct xp_section *s)
{
	char *net = (char *)&r->config->net, scope[256], around[64];
	struct net_link_class *class = NULL;
	uint32_t n = 0;
	snprintf(around, sizeof around, "%.*s", (int)strcspn(s->path, "."), s->path);
	const struct xp_node *outer = xp_member(r->config->tree, around);
	for (size_t i = 0; outer && outer->type == XP_GROUP && i < outer->n; i++) {
		const struct xp_node *node = outer->child[i];
		if (is_fixed_section(around, node->name))
			continue;
		snprintf(scope, sizeof scope, "%s.%.100s", around, node->name);
		r->errors->scope = scope;
		if (xp_is_name(node->name) && strlen(node->name) < 100) {
			class = base_realloc(class, (n + 1) * sizeof *class);
			class[n] = (struct net_link_class){ .name = base_strdup(node->name) };
			memcpy(&class[n].link, net + s->inherit, sizeof class[n].link);
			read_entry(r, s, node, (char *)&class[n++]);
		} else {
			base_errorf(r->errors, NULL,
			            "must be a letter followed by at most 98 letters, digits, \"-\" and \"_\"");
		}
		r->errors->scope = NULL;
	}
	memcpy(net + s->offset, &class, sizeof class);
	memcpy(net + s->count_offset, &n, sizeof n);
}

/* The node of "links.default"; NULL if it or the group around it is missing. */
static const struct xp_node *section_node(const struct xp_node *root, const char *path)
{
	char first[64];
	const char *dot = strchr(path, '.');
	if (!*path)
		return root;
	if (!dot)
		return xp_member(root, path);
	snprintf(first, sizeof first, "%.*s", (int)(dot - path), path);
	return xp_member(xp_member(root, first), dot + 1);
}

/* Returns the names of all top-level keys and sections; the caller must free them. A top-level group that has no keys
 * of its own but only sections, such as "links", is copied to outer[64], which is otherwise "". */
static struct names top_level(char *outer)
{
	struct names top = { 0 };
	*outer = 0;
	for (const struct xp_section *s = xp_sections; s->path; s++) {
		const char *dot = strchr(s->path, '.');
		if (!*s->path) {
			add_table(&top, s->table);
		} else if (!dot) {
			add_name(&top, s->path);
		} else if (!*outer) {
			snprintf(outer, 64, "%.*s", (int)(dot - s->path), s->path);
			add_name(&top, outer);
		}
	}
	return top;
}

bool xp_config_knows(const char *name, char nearest[64])
{
	char outer[64];
	struct names top = top_level(outer);
	bool known = false;
	for (size_t i = 0; i < top.n && !known; i++)
		known = !strcmp(top.v[i], name);
	const char *near = known ? NULL : base_nearest(name, top.v, top.n);
	snprintf(nearest, 64, "%s", near ? near : "");
	free(top.v);
	return known;
}

/* Unknown names at the top level; groups that only hold sections ("links") must be groups. */
static void reject_unknown_sections(struct reader *r, const struct xp_node *root)
{
	char outer[64];
	struct names top = top_level(outer);
	reject_unknown(r, NULL, root, &top);
	free(top.v);
	const struct xp_node *group = *outer ? xp_member(root, outer) : NULL;
	if (group && group->type != XP_GROUP)
		base_errorf(r->errors, outer, "must be a group { ... }, not %s", xp_type_text(group->type));
}

void xp_config_read(struct xp_config *config, enum xp_config_scope scope, const struct base_registry *registry,
                    struct base_errors *errors)
{
	struct reader r = { .config = config, .scope = scope, .registry = registry, .errors = errors };
	char *net = (char *)&config->net;
	reject_unknown_sections(&r, config->tree);
	for (const struct xp_section *s = xp_sections; s->path; s++) {
		const struct xp_node *node = section_node(config->tree, s->path);
		if (s->named) {
			read_named_sections(&r, s);
			continue;
		}
		if (s->entry_bytes) {
			read_list_section(&r, s, node);
			continue;
		}
		if (s->inherit >= 0)
			memcpy(net + s->offset, net + s->inherit, sizeof(struct net_link));
		errors->scope = *s->path ? s->path : NULL;
		read_entry(&r, s, node, net + s->offset);
		errors->scope = NULL;
	}
}
