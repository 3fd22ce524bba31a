/* experiments/commands/list.c - `tilefly list`: prints every plug-in with its parameters, as text or JSON, and the
 * reference manual (docs/reference.md) with all keys and statistics. Everything is generated from descriptors. */
#include "base/json.h"
#include "experiments/commands/command.h"
#include "experiments/commands/list_arbiters.h"
#include "experiments/commands/list_shipped.h"
#include "experiments/commands/list_statistics.h"
#include "experiments/commands/registry.h"
#include "experiments/config/alias.h"
#include "experiments/config/message.h"
#include "experiments/config/schema.h"
#include "switch/switch.h"
#include "workload/formats/format.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct kind {
	const char *name, *plural, *key;
};

static const struct kind kinds[] = {
	{ "topology", "topologies", "topology.kind" },
	{ "switch", "switches", "switch.kind" },
	{ "routing", "routings", "routing.kind" },
	{ "congestion", "congestion controls", "congestion.kind" },
	{ "process", "processes", "traffic[].process" },
	{ "pattern", "traffic patterns", "traffic[].pattern" },
	{ "injection", "injection processes", "traffic[].injection" },
	{ "cost", "cost models", "cost.kind" },
	{ "arbiter", "arbiters of switches", "switch.arbiter, switch.*_arbiter" },
	{ "allocator", "allocators of crossbars", "switch.allocator" },
};

#define NKINDS (sizeof kinds / sizeof *kinds)

/* "required", "default 3", "optional". */
static const char *default_text(const struct base_param *p)
{
	return !p->default_value ? "required" : *p->default_value ? p->default_value : "-";
}

static bool is_choice(const struct base_param *p)
{
	return p->type == BASE_ENUM || p->type == BASE_PLUGIN;
}

static bool limited(const struct base_param *p)
{
	return p->min < p->max || p->min > 0;
}

/* The range in the parameter's own notation, "" if there is none. */
static void range_text(const struct base_registry *registry, const struct base_param *p, char *out, size_t room)
{
	char low[64], high[64];
	struct base_param bare = *p; /* the same type, printed from a value of our own */
	union {
		int64_t i;
		uint64_t u;
		double d;
	} value;
	out[0] = 0;
	if (p->type == BASE_ENUM) {
		snprintf(out, room, "%s", p->choices);
		return;
	}
	if (p->type == BASE_PLUGIN) {
		char *choices = base_plugin_choices(registry, p->unit, p->choices);
		snprintf(out, room, "%s", choices);
		free(choices);
		return;
	}
	if (!limited(p) || (p->min == 0 && p->max >= 0x1p62))
		return;
	bare.offset = 0;
	if (p->type == BASE_INTS)
		bare.type = BASE_INT;
	if (p->type == BASE_SIZES)
		bare.type = BASE_SIZE;
	bool real = bare.type == BASE_FLOAT || bare.type == BASE_LENGTH || bare.type == BASE_PERCENT ||
	            bare.type == BASE_MEASURE;
	bool open = p->max >= 0x1p62;
	if (real)
		value.d = p->min;
	else
		value.i = (int64_t)p->min;
	base_param_print(&bare, &value, low, sizeof low);
	if (real)
		value.d = p->max;
	else if (!open)
		value.i = (int64_t)p->max;
	base_param_print(&bare, &value, high, sizeof high);
	if (open)
		snprintf(out, room, "at least %s", low);
	else
		snprintf(out, room, "%s to %s", low, high);
}

/* What the key needs to have an effect, after `before`; "" if nothing. */
static void only_text(const struct base_condition *conditions, const char *key, const char *before, char *out,
                      size_t room)
{
	size_t used = 0;
	out[0] = 0;
	for (const struct base_condition *c = conditions; c && c->keys; c++)
		if (base_condition_is_of(c, key) && used < room) {
			int n = snprintf(out + used, room - used, "%s%s", used ? "; " : before, c->only);
			used += n > 0 ? (size_t)n : 0;
		}
}

/* --- text ------------------------------------------------------------------------------------------- */

static void text_param(const struct base_registry *registry, const struct base_plugin *plugin,
                       const struct base_param *p)
{
	char range[512], only[512];
	const char *other = xp_alias_of(plugin->kind, plugin->name, p->name);
	only_text(plugin->conditions, p->name, "; only ", only, sizeof only);
	range_text(registry, p, range, sizeof range);
	printf("    %-16s %s", p->name, xp_param_type_text(p));
	if (!p->default_value)
		printf(", required");
	else if (*p->default_value)
		printf(", default %s", p->default_value);
	if (*range)
		printf(is_choice(p) ? ", one of %s" : ", %s", range);
	if (p->unit)
		printf(" (%s)", p->unit);
	printf("\n    %-16s %s%s", "", p->help ? p->help : "", only);
	if (other)
		printf("; also %s", other);
	if (p->source)
		printf(" [%s]", p->source);
	printf("\n");
}

static void text_plugin(const struct base_registry *registry, const struct base_plugin *plugin)
{
	printf("  %s\n    %s\n", plugin->name, plugin->summary);
	if (plugin->source)
		printf("    from: %s\n", plugin->source);
	if (!strcmp(plugin->kind, "arbiter"))
		xp_text_arbiter(plugin);
	if (wl_format_of(plugin))
		printf("    files: %s (tilefly workload)\n", wl_format_of(plugin)->ends);
	for (const struct base_param *p = plugin->params; p && p->name; p++)
		text_param(registry, plugin, p);
	printf("\n");
}

/* Is a plug-in requested: of the kind, and of that name unless `name` is NULL. */
static bool asked(const struct base_plugin *plugin, const struct kind *kind, const char *name)
{
	return !strcmp(plugin->kind, kind->name) && (!name || !strcmp(plugin->name, name));
}

static void text_kind(const struct base_registry *registry, const struct kind *kind, const char *name)
{
	printf("%s (%s)\n\n", kind->plural, kind->key);
	for (size_t i = 0; i < registry->n; i++)
		if (asked(registry->v[i], kind, name))
			text_plugin(registry, registry->v[i]);
}

/* --- JSON ------------------------------------------------------------------------------------------- */

static void json_param(struct base_json *j, const struct base_registry *registry, const struct base_plugin *plugin,
                       const struct base_param *p)
{
	char only[512];
	const char *other = xp_alias_of(plugin->kind, plugin->name, p->name);
	only_text(plugin->conditions, p->name, "", only, sizeof only);
	base_json_object(j, NULL);
	base_json_string(j, "name", p->name);
	if (other)
		base_json_string(j, "also", other);
	base_json_string(j, "type", xp_param_type_text(p));
	base_json_bool(j, "required", !p->default_value);
	base_json_string(j, "default", p->default_value && *p->default_value ? p->default_value : NULL);
	base_json_string(j, "unit", p->unit);
	if (limited(p)) {
		base_json_double(j, "min", p->min);
		base_json_double(j, "max", p->max);
	}
	if (is_choice(p)) {
		char choices[512], word[128];
		range_text(registry, p, choices, sizeof choices);
		base_json_array(j, "choices");
		for (int i = 0; base_choice_name(choices, i, word, sizeof word); i++)
			base_json_string(j, NULL, word);
		base_json_end(j);
	}
	base_json_string(j, "help", p->help);
	base_json_string(j, "only", *only ? only : NULL);
	base_json_string(j, "source", p->source);
	base_json_end(j);
}

static void json_kind(struct base_json *j, const struct base_registry *registry, const struct kind *kind,
                      const char *name)
{
	for (size_t i = 0; i < registry->n; i++) {
		const struct base_plugin *plugin = registry->v[i];
		if (!asked(plugin, kind, name))
			continue;
		base_json_object(j, NULL);
		base_json_string(j, "kind", plugin->kind);
		base_json_string(j, "name", plugin->name);
		base_json_string(j, "summary", plugin->summary);
		base_json_string(j, "source", plugin->source);
		if (!strcmp(plugin->kind, "arbiter"))
			xp_json_arbiter(j, plugin);
		if (wl_format_of(plugin))
			base_json_string(j, "files", wl_format_of(plugin)->ends);
		base_json_array(j, "parameters");
		for (const struct base_param *p = plugin->params; p && p->name; p++)
			json_param(j, registry, plugin, p);
		base_json_end(j);
		base_json_end(j);
	}
}

/* --- Markdown --------------------------------------------------------------------------------------- */

/* A table cell: bars would end it. */
static void cell(const char *text)
{
	printf("| ");
	for (const char *p = text ? text : ""; *p; p++)
		printf(*p == '|' ? " &#124; " : "%c", *p);
	printf(" ");
}

/* A sentence from a one-line help: a capital letter, a full stop. */
static void sentence(const char *text)
{
	size_t length = strlen(text);
	if (length)
		printf("%c%s%s", toupper((unsigned char)text[0]), text + 1, text[length - 1] == '.' ? "" : ".");
}

/* plugin NULL: the section's own table. */
static void markdown_table(const struct base_registry *registry, const char *section, const char *plugin,
                           const struct base_param *table, const struct base_condition *conditions)
{
	char range[512], only[512], meaning[2048];
	if (!table || !table->name)
		return;
	printf("| key | type | default | range | meaning |\n|---|---|---|---|---|\n");
	for (const struct base_param *p = table; p->name; p++) {
		range_text(registry, p, range, sizeof range);
		const char *other = xp_alias_of(section, plugin, p->name);
		printf("| `%s` ", p->name);
		cell(xp_param_type_text(p));
		cell(default_text(p));
		cell(range);
		only_text(conditions, p->name, "; only ", only, sizeof only);
		snprintf(meaning, sizeof meaning, "%s%s", p->help ? p->help : "", only);
		cell(meaning);
		if (other)
			printf("(also `%s`) ", other);
		if (p->unit)
			printf("(%s) ", p->unit);
		if (p->source)
			printf("[%s] ", p->source);
		printf("|\n");
	}
	printf("\n");
}

static void markdown_sections(const struct base_registry *registry)
{
	printf("## Configuration keys\n\nA dash in the column \"default\" means that the key is optional and has no "
	       "default. Times, rates, sizes and lengths are\ntexts with a unit: `\"50ns\"`, `\"100Gbps\"`, "
	       "`\"256B\"`, `\"2.6m\"`.\n\nSetting a key that has no effect in this configuration to a value other "
	       "than its default is an error. The conditions\nunder which a key has an effect follow the word "
	       "\"only\". They never depend on the number of ranks, so one file serves\nany number of ranks, and "
	       "`check`, `topo` and `run` accept the same files.\n\n");
	for (const struct xp_section *s = xp_sections; s->path; s++) {
		printf("### %s%s%s%s\n\n", *s->path ? "`" : "", *s->path ? s->path : "Top level",
		       s->entry_bytes && !s->named ? "[]" : "", *s->path ? "`" : "");
		sentence(s->help);
		printf("\n\n");
		for (int i = 0; i < XP_PICKS && s->pick[i].key; i++)
			printf("`%s` selects a plug-in of kind %s (%s%s); its keys are set in the same group.\n\n",
			       s->pick[i].key, s->pick[i].plugin_kind,
			       s->pick[i].default_value ? "default " : "required",
			       s->pick[i].default_value ? s->pick[i].default_value : "");
		markdown_table(registry, s->path, NULL, s->table, s->conditions);
	}
}

static void markdown_instruments(const struct base_registry *registry)
{
	static const char *const units[] = {
		[SW_IN_USE] = "of the time",
		[SW_HELD] = "B, mean",
		[SW_MOST] = "B",
		[SW_TIMES] = "times",
		[SW_PACKETS] = "packets",
		[SW_BYTES] = "B",
		[SW_LATENCY] = "ps",
		[SW_STAGE] = "ps, a constant per packet",
		[SW_WAIT] = "ps, a waiting time",
	};
	printf("\n## Instruments of switches\n\nThe record `switch`, enabled by `record.switch`, has one value per "
	       "port of a switch. Instruments that are a waiting\ntime or a constant are the stages of the switch's "
	       "latency, recorded by traffic class and output.\n\n");
	for (size_t i = 0; i < registry->n; i++) {
		const struct base_plugin *plugin = registry->v[i];
		const struct sw_ops *ops = plugin->ops;
		if (strcmp(plugin->kind, "switch") != 0 || !ops->instruments.list)
			continue;
		printf("### `%s`\n\n| instrument | unit | meaning |\n|---|---|---|\n", plugin->name);
		for (uint32_t k = 0; k < ops->instruments.n; k++) {
			printf("| `%s` ", ops->instruments.list[k].name);
			cell(units[ops->instruments.list[k].meaning]);
			cell(ops->instruments.list[k].help);
			printf("|\n");
		}
		printf("\n");
	}
}

static void markdown(const struct base_registry *registry)
{
	printf("# Reference\n\nGenerated by `tilefly list --markdown`; do not edit.\n\n");
	markdown_sections(registry);
	printf("## Plug-ins\n\n");
	for (size_t k = 0; k < NKINDS; k++) {
		if (!strcmp(kinds[k].name, "arbiter")) /* a table of their own */
			continue;
		printf("### %s (`%s`)\n\n", kinds[k].plural, kinds[k].key);
		for (size_t i = 0; i < registry->n; i++) {
			const struct base_plugin *plugin = registry->v[i];
			if (strcmp(plugin->kind, kinds[k].name) != 0)
				continue;
			printf("#### `%s`\n\n", plugin->name);
			sentence(plugin->summary);
			if (plugin->source) {
				printf(" Source: ");
				sentence(plugin->source);
			}
			if (wl_format_of(plugin))
				printf(" `tilefly workload` prints its files (file names end in `%s`).",
				       wl_format_of(plugin)->ends);
			printf("\n\n");
			markdown_table(registry, plugin->kind, plugin->name, plugin->params, plugin->conditions);
		}
	}
	xp_markdown_arbiters(registry);
	xp_markdown_statistics();
	markdown_instruments(registry);
}

/* --- the command ------------------------------------------------------------------------------------ */

static int find_kind(const char *word)
{
	const char *names[NKINDS + XP_SHIPPED_KINDS + 2] = {
		[NKINDS] = "configs", "studies", "models", "workloads", "statistics"
	};
	for (size_t k = 0; k < NKINDS; k++) {
		names[k] = kinds[k].name;
		if (!strcmp(word, kinds[k].name) || !strcmp(word, kinds[k].plural) ||
		    (!strncmp(word, kinds[k].name, strlen(kinds[k].name)) &&
		     !strcmp(word + strlen(kinds[k].name), "s")))
			return (int)k;
	}
	const char *near = base_nearest(word, names, sizeof names / sizeof *names);
	if (near)
		xp_message("there is no kind \"%s\"; did you mean %s?", word, near);
	else
		xp_message(
		    "there is no kind \"%s\"; available: topology, switch, routing, congestion, process, pattern, "
		    "injection, cost, arbiter, allocator, workloads, statistics, configs, studies, models",
		    word);
	return -1;
}

static int check_name(const struct base_registry *registry, const struct kind *kind, const char *name)
{
	const char *names[256];
	size_t n = 0;
	for (size_t i = 0; i < registry->n && n < 256; i++)
		if (!strcmp(registry->v[i]->kind, kind->name))
			names[n++] = registry->v[i]->name;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return 0;
	const char *near = base_nearest(name, names, n);
	if (near)
		xp_message("there is no %s \"%s\"; did you mean %s?", kind->name, name, near);
	else
		xp_message("there is no %s \"%s\"; tilefly list %s prints them", kind->name, name, kind->name);
	return -1;
}

static bool is_workloads(const char *word)
{
	return !strcmp(word, "workloads") || !strcmp(word, "workload");
}

/* Processes, and the models that one of them plays. */
static void list_workloads(const struct base_registry *registry, bool json)
{
	const struct kind *process = kinds;
	while (strcmp(process->name, "process") != 0)
		process++;
	if (!json) {
		text_kind(registry, process, NULL);
		printf("application models and machines (traffic[].process = \"aspen\" with model = \"NAME.aspen\", "
		       "machine = \"NAME.aspen\")\n\n");
		xp_list_shipped(XP_SHIPPED_MODEL, false);
		return;
	}
	struct base_json j = base_json_stream(stdout);
	base_json_array(&j, NULL);
	json_kind(&j, registry, process, NULL);
	xp_json_shipped(&j, XP_SHIPPED_MODEL, "model");
	base_json_end(&j);
	base_json_newline(&j);
}

static int list_command(const struct xp_options *o, const struct base_registry *registry)
{
	int shipped = o->operands ? xp_shipped_kind(o->operand[0]) : -1;
	bool workloads = o->operands && is_workloads(o->operand[0]);
	bool statistics = o->operands && !strncmp(o->operand[0], "statistics", strlen("statistic")) &&
	                  strlen(o->operand[0]) <= strlen("statistics");
	if ((shipped >= 0 || workloads || statistics) && o->operands > 1) {
		xp_message("unexpected argument \"%s\"", o->operand[1]);
		return XP_USAGE;
	}
	if (shipped >= 0) {
		xp_list_shipped((enum xp_shipped)shipped, o->json);
		return XP_OK;
	}
	if (workloads) {
		list_workloads(registry, o->json);
		return XP_OK;
	}
	if (statistics) {
		if (o->markdown)
			xp_markdown_columns();
		else
			xp_list_statistics(o->json);
		return XP_OK;
	}
	int only = o->operands ? find_kind(o->operand[0]) : -1;
	if (o->operands && only < 0)
		return XP_USAGE;
	const char *name = o->operands > 1 ? o->operand[1] : NULL;
	if (name && check_name(registry, &kinds[only], name))
		return XP_USAGE;
	if (o->markdown) {
		markdown(registry);
		return XP_OK;
	}
	struct base_json j = base_json_stream(stdout);
	if (o->json)
		base_json_array(&j, NULL);
	for (int k = 0; k < (int)NKINDS; k++) {
		if (only >= 0 && k != only)
			continue;
		if (o->json)
			json_kind(&j, registry, &kinds[k], name);
		else
			text_kind(registry, &kinds[k], name);
	}
	if (o->json) {
		base_json_end(&j);
		base_json_newline(&j);
	}
	return XP_OK;
}

static int run_list(const struct xp_options *o)
{
	struct base_registry registry = { 0 };
	struct base_errors errors = { 0 };
	int status = XP_USAGE;
	if (!xp_open_registry(&registry, o, &errors))
		status = list_command(o, &registry);
	xp_message_errors(&errors);
	base_errors_free(&errors);
	base_registry_free(&registry);
	return status;
}

const struct xp_command xp_command_list = {
	.name = "list",
	.summary = "list plug-ins and their parameters, and shipped configurations, studies and models",
	.operands = "[KIND [NAME]]",
	.text =
	    "Prints every plug-in with its parameters, their defaults, units and ranges, and its reference. KIND is "
	    "topology, switch, routing, congestion, process, pattern, injection, cost, arbiter or allocator; without "
	    "KIND all are printed. NAME is one plug-in of that kind. Arbiters are listed with the quantity in which "
	    "they are fair and the packet data they need. KIND workloads: processes and application models. KIND "
	    "statistics: the fields of a run's summary record, each with its definition; with --markdown also the "
	    "tables that contain it, and how it is merged over several runs. KIND configs, studies and models: the "
	    "shipped configurations (for run, topo, check), studies (for sweep, compare and design) and application "
	    "models (for workload, and as NAME.aspen in a configuration), each with a description.",
	.examples = "tilefly list\n"
		    "tilefly list routing\n"
		    "tilefly list switch tiled\n"
		    "tilefly list arbiters\n"
		    "tilefly list configs\n"
		    "tilefly list topology --plugin ./mine.so --json\n"
		    "tilefly list --markdown > docs/reference.md\n",
	.status = "0 done, 2 wrong usage, or a plug-in cannot be loaded.",
	.bit = XP_CMD_LIST,
	.min_operands = 0,
	.max_operands = 2,
	.word = XP_WORD_LIST,
	.ranks = XP_FIRST_RANK,
	.run = run_list,
};
