/* experiments/cmd_list.c - `tilefly list`: every plug-in with its parameters, as a table, as JSON, and, with every
 * fixed key and every statistic, as the reference manual (docs/reference.md). All of it comes from the descriptors. */
#include "experiments/commands.h"
#include "experiments/json.h"
#include "experiments/schema.h"
#include "experiments/statistics.h"
#include "sim/sim.h"
#include "switch/switch.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct xp_usage usage = {
	.name = "list",
	.operands = "[KIND]",
	.text =
	    "Prints every plug-in with its parameters, their defaults, units and ranges, and the paper it comes from.\n"
	    "KIND is topology, switch, routing, congestion, pattern or injection; all of them without it.\n\n"
	    "Examples:\n"
	    "  tilefly list\n"
	    "  tilefly list routing\n"
	    "  tilefly list topology --plugin ./mine.so --json\n"
	    "  tilefly list --markdown > docs/reference.md\n",
	.options = XP_OPT_PLUGIN | XP_OPT_JSON | XP_OPT_MARKDOWN,
	.min_operands = 0,
	.max_operands = 1,
};

struct kind {
	const char *name, *plural, *key;
};

static const struct kind kinds[] = {
	{ "topology", "topologies", "topology.kind" },
	{ "switch", "switches", "switch.kind" },
	{ "routing", "routings", "routing.kind" },
	{ "congestion", "congestion controls", "congestion.kind" },
	{ "pattern", "traffic patterns", "traffic[].pattern" },
	{ "injection", "injection processes", "traffic[].injection" },
};

#define NKINDS (sizeof kinds / sizeof *kinds)

/* "required", "default 3", "optional". */
static const char *standard_text(const struct base_param *p)
{
	return !p->standard ? "required" : *p->standard ? p->standard : "-";
}

static bool limited(const struct base_param *p)
{
	return p->min < p->max || p->min > 0;
}

/* The range in the parameter's own notation, "" if there is none. */
static void range_text(const struct base_param *p, char *out, size_t room)
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
	if (!limited(p) || (p->min == 0 && p->max >= 0x1p62))
		return;
	bare.offset = 0;
	if (p->type == BASE_INTS)
		bare.type = BASE_INT;
	if (p->type == BASE_SIZES)
		bare.type = BASE_SIZE;
	bool real = bare.type == BASE_FLOAT || bare.type == BASE_LENGTH;
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

/* --- text ------------------------------------------------------------------------------------------- */

static void text_param(const struct base_param *p)
{
	char range[512];
	range_text(p, range, sizeof range);
	printf("    %-16s %s", p->name, xp_param_type_text(p->type));
	if (!p->standard)
		printf(", required");
	else if (*p->standard)
		printf(", default %s", p->standard);
	if (*range)
		printf(p->type == BASE_ENUM ? ", one of %s" : ", %s", range);
	if (p->unit)
		printf(" (%s)", p->unit);
	printf("\n    %-16s %s", "", p->help ? p->help : "");
	if (p->source)
		printf(" [%s]", p->source);
	printf("\n");
}

static void text_plugin(const struct base_plugin *plugin)
{
	printf("  %s\n    %s\n", plugin->name, plugin->summary);
	if (plugin->source)
		printf("    from: %s\n", plugin->source);
	for (const struct base_param *p = plugin->params; p && p->name; p++)
		text_param(p);
	printf("\n");
}

static void text_kind(const struct base_registry *registry, const struct kind *kind)
{
	printf("%s (%s)\n\n", kind->plural, kind->key);
	for (size_t i = 0; i < registry->n; i++)
		if (!strcmp(registry->v[i]->kind, kind->name))
			text_plugin(registry->v[i]);
}

/* --- JSON ------------------------------------------------------------------------------------------- */

static void json_param(struct xp_json *j, const struct base_param *p)
{
	xp_json_object(j, NULL);
	xp_json_string(j, "name", p->name);
	xp_json_string(j, "type", xp_param_type_text(p->type));
	xp_json_bool(j, "required", !p->standard);
	xp_json_string(j, "default", p->standard && *p->standard ? p->standard : NULL);
	xp_json_string(j, "unit", p->unit);
	if (limited(p)) {
		xp_json_double(j, "min", p->min);
		xp_json_double(j, "max", p->max);
	}
	if (p->type == BASE_ENUM) {
		char word[128];
		xp_json_array(j, "choices");
		for (int i = 0; base_choice_name(p->choices, i, word, sizeof word); i++)
			xp_json_string(j, NULL, word);
		xp_json_end(j);
	}
	xp_json_string(j, "help", p->help);
	xp_json_string(j, "source", p->source);
	xp_json_end(j);
}

static void json_kind(struct xp_json *j, const struct base_registry *registry, const struct kind *kind)
{
	for (size_t i = 0; i < registry->n; i++) {
		const struct base_plugin *plugin = registry->v[i];
		if (strcmp(plugin->kind, kind->name) != 0)
			continue;
		xp_json_object(j, NULL);
		xp_json_string(j, "kind", plugin->kind);
		xp_json_string(j, "name", plugin->name);
		xp_json_string(j, "summary", plugin->summary);
		xp_json_string(j, "source", plugin->source);
		xp_json_array(j, "parameters");
		for (const struct base_param *p = plugin->params; p && p->name; p++)
			json_param(j, p);
		xp_json_end(j);
		xp_json_end(j);
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

static void markdown_table(const struct base_param *table)
{
	char range[512];
	if (!table || !table->name)
		return;
	printf("| key | type | default | range | meaning |\n|---|---|---|---|---|\n");
	for (const struct base_param *p = table; p->name; p++) {
		range_text(p, range, sizeof range);
		printf("| `%s` ", p->name);
		cell(xp_param_type_text(p->type));
		cell(standard_text(p));
		cell(range);
		cell(p->help);
		if (p->unit)
			printf("(%s) ", p->unit);
		if (p->source)
			printf("[%s] ", p->source);
		printf("|\n");
	}
	printf("\n");
}

static void markdown_sections(void)
{
	printf("## Configuration keys\n\n"
	       "A dash in the column \"default\" says that the key may be left out. Times, rates, sizes and lengths "
	       "are texts with a\n"
	       "unit: `\"50ns\"`, `\"100Gbps\"`, `\"256B\"`, `\"2.6m\"`.\n\n");
	for (const struct xp_section *s = xp_sections; s->path; s++) {
		printf("### %s%s%s%s\n\n", *s->path ? "`" : "", *s->path ? s->path : "Top level",
		       s->entry_bytes ? "[]" : "", *s->path ? "`" : "");
		sentence(s->help);
		printf("\n\n");
		for (int i = 0; i < XP_PICKS && s->pick[i].key; i++)
			printf("`%s` names a plug-in of kind %s (%s%s); its keys stand beside these.\n\n",
			       s->pick[i].key, s->pick[i].plugin_kind, s->pick[i].standard ? "default " : "required",
			       s->pick[i].standard ? s->pick[i].standard : "");
		markdown_table(s->table);
	}
}

static void markdown_instruments(const struct base_registry *registry)
{
	static const char *const units[] = {
		[SW_IN_USE] = "of the time",   [SW_HELD] = "B, mean",     [SW_MOST] = "B",
		[SW_TIMES] = "times",          [SW_PACKETS] = "packets",  [SW_BYTES] = "B",
		[SW_LATENCY] = "ps",           [SW_STAGE] = "ps, a constant a packet", [SW_WAIT] = "ps, a wait",
	};
	printf("\n## Instruments of switches\n\nThe record `switch`, asked for by `record.switch`. One value a port "
	       "that the switch has; those with a wait or a\nconstant are stages of the latency, by class of traffic "
	       "and output.\n\n");
	for (size_t i = 0; i < registry->n; i++) {
		const struct base_plugin *plugin = registry->v[i];
		const struct sw_ops *ops = plugin->ops;
		if (strcmp(plugin->kind, "switch") != 0 || !ops->instruments)
			continue;
		printf("### `%s`\n\n| instrument | unit | meaning |\n|---|---|---|\n", plugin->name);
		for (uint32_t k = 0; k < ops->ninstruments; k++) {
			printf("| `%s` ", ops->instruments[k].name);
			cell(units[ops->instruments[k].meaning]);
			cell(ops->instruments[k].help);
			printf("|\n");
		}
		printf("\n");
	}
}

static void markdown(const struct base_registry *registry)
{
	printf("# Reference\n\nGenerated by `tilefly list --markdown`; do not edit.\n\n");
	markdown_sections();
	printf("## Plug-ins\n\n");
	for (size_t k = 0; k < NKINDS; k++) {
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
			printf("\n\n");
			markdown_table(plugin->params);
		}
	}
	printf("## Statistics\n\nThe fields of the summary record, `tilefly run --json`.\n\n"
	       "| field | unit | meaning |\n|---|---|---|\n");
	for (const struct xp_statistic *s = xp_statistics; s->name; s++) {
		printf("| `%s` ", s->name);
		cell(s->unit);
		cell(s->meaning);
		printf("|\n");
	}
	markdown_instruments(registry);
}

/* --- the command ------------------------------------------------------------------------------------ */

static int find_kind(const char *word)
{
	const char *names[NKINDS];
	for (size_t k = 0; k < NKINDS; k++) {
		names[k] = kinds[k].name;
		if (!strcmp(word, kinds[k].name) || !strcmp(word, kinds[k].plural) ||
		    (!strncmp(word, kinds[k].name, strlen(kinds[k].name)) &&
		     !strcmp(word + strlen(kinds[k].name), "s")))
			return (int)k;
	}
	const char *near = base_nearest(word, names, NKINDS);
	fprintf(stderr, "tilefly list: there is no kind \"%s\"; ", word);
	if (near)
		fprintf(stderr, "did you mean %s?\n", near);
	else
		fprintf(stderr, "there are topology, switch, routing, congestion, pattern, injection\n");
	return -1;
}

static int list_command(const struct xp_options *o, const struct base_registry *registry)
{
	int only = o->operands ? find_kind(o->operand[0]) : -1;
	if (o->operands && only < 0)
		return XP_USAGE;
	if (o->markdown) {
		markdown(registry);
		return XP_OK;
	}
	struct xp_json j = xp_json_stream(stdout);
	if (o->json)
		xp_json_array(&j, NULL);
	for (int k = 0; k < (int)NKINDS; k++) {
		if (only >= 0 && k != only)
			continue;
		if (o->json)
			json_kind(&j, registry, &kinds[k]);
		else
			text_kind(registry, &kinds[k]);
	}
	if (o->json) {
		xp_json_end(&j);
		xp_json_newline(&j);
	}
	return XP_OK;
}

int xp_cmd_list(int argc, char **argv)
{
	struct xp_options o;
	struct base_registry registry = { 0 };
	struct base_errors errors = { 0 };
	if (sim_rank() != 0)
		return XP_OK;
	int status = xp_options_read(&o, &usage, argc, argv);
	if (status == XP_GO_ON) {
		status = XP_USAGE;
		if (!xp_open_registry(&registry, &o, &errors))
			status = list_command(&o, &registry);
		for (size_t i = 0; i < errors.n; i++)
			fprintf(stderr, "tilefly list: %s: %s\n", errors.v[i].key + (errors.v[i].key[0] == '@'),
			        errors.v[i].text);
	}
	base_errors_free(&errors);
	xp_options_free(&o);
	base_registry_free(&registry);
	return status;
}
