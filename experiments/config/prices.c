/* experiments/config/prices.c - see prices.h. The keys are defined by the tables of topo/prices.c. Unknown keys,
 * missing keys, and values in another unit than expected are errors. */
#include "experiments/config/prices.h"

#include "base/memory.h"
#include "experiments/config/scan.h"
#include "experiments/config/tree.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct price_reader {
	const struct xp_node *root;
	struct topo_prices *prices;
	struct base_errors *errors;
};

/* Moves the errors of `found`, whose keys are paths in this file, to the caller's errors, with their locations. */
static void locate(struct price_reader *r, struct base_errors *found)
{
	char place[1200], key[1204];
	for (size_t i = 0; i < found->n; i++) {
		xp_tree_locate(r->root, r->prices->name, found->v[i].key, place, sizeof place);
		snprintf(key, sizeof key, "@%s", place);
		base_errorf(r->errors, key, "%s", found->v[i].text);
	}
	base_errors_free(found);
}

/* The row with the file's currency for "USD" in its unit and default. */
static struct base_param in_currency(const struct price_reader *r, const struct base_param *p, char *unit,
                                     char *default_value)
{
	struct base_param row = *p;
	if (p->type != BASE_MEASURE || strncmp(p->unit, "USD", 3) != 0)
		return row;
	snprintf(unit, 16, "%.3s%s", r->prices->currency, p->unit + 3);
	row.unit = unit;
	if (p->default_value) {
		snprintf(default_value, 24, "0%s", unit);
		row.default_value = default_value;
	}
	return row;
}

static bool fits(const struct base_param *p, const struct xp_node *node)
{
	if (!node->text)
		return false;
	if (p->type == BASE_INT)
		return node->type == XP_INT;
	if (p->type == BASE_FLOAT)
		return node->type == XP_INT || node->type == XP_FLOAT;
	return node->type == XP_STRING;
}

static void wrong_type(const struct base_param *p, const struct xp_node *node, struct base_errors *found)
{
	const char *text = node->text ? node->text : "", *space = node->text ? " " : "";
	if (p->type == BASE_MEASURE)
		base_errorf(found, p->name, "must be a quantity in %s in quotes, as in \"250%s\", not %s%s%.60s",
		            p->unit, p->unit, xp_type_text(node->type), space, text);
	else
		base_errorf(found, p->name, "must be %s, not %s%s%.60s",
		            p->type == BASE_INT      ? "a whole number"
		            : p->type == BASE_FLOAT  ? "a number"
		            : p->type == BASE_RATE   ? "a rate in quotes, as in \"200Gbps\""
		            : p->type == BASE_LENGTH ? "a length in quotes, as in \"3m\""
		                                     : "a text in quotes",
		            xp_type_text(node->type), space, text);
}

static bool is_date(const char *t)
{
	static const char form[] = "dddd-dd-dd";
	if (strlen(t) != sizeof form - 1)
		return false;
	for (size_t i = 0; form[i]; i++)
		if (form[i] == 'd' ? !isdigit((unsigned char)t[i]) : t[i] != form[i])
			return false;
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int year = atoi(t), month = atoi(t + 5), day = atoi(t + 8);
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
	return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] + (month == 2 && leap);
}

static void check_text(const struct base_param *p, const void *out, struct base_errors *found)
{
	const char *text = *(char *const *)(const void *)((const char *)out + p->offset);
	if (!strcmp(p->name, "date") && !is_date(text))
		base_errorf(found, p->name, "\"%.60s\" is not a date; dates are written as \"2026-05-31\"", text);
	else if (!text[strspn(text, " \t")])
		base_errorf(found, p->name, "must not be empty: a price list needs a %s", p->name);
}

static void reject_unknown(const struct base_param *table, const struct xp_node *group, const char *const *more,
                           struct base_errors *found)
{
	const char *names[32];
	size_t n = 0;
	for (const struct base_param *p = table; p->name; p++)
		names[n++] = p->name;
	for (; more && more[0]; more++)
		names[n++] = *more;
	for (size_t i = 0; i < group->n; i++) {
		const char *name = group->child[i]->name;
		bool known = false;
		for (size_t k = 0; k < n; k++)
			known = known || !strcmp(names[k], name);
		const char *near = known ? NULL : base_nearest(name, names, n);
		if (near)
			base_errorf(found, name, "unknown key; did you mean \"%s\"?", near);
		else if (!known)
			base_errorf(found, name, "unknown key");
	}
}

/* One group of the file; `path` is where it is in it. */
static void read_group(struct price_reader *r, const char *path, const struct base_param *table,
                       const struct xp_node *group, void *out, const char *const *more)
{
	struct base_errors found = { .scope = *path ? path : NULL };
	if (group->type != XP_GROUP) {
		base_errorf(&found, NULL, "must be a group { ... }, not %s", xp_type_text(group->type));
		locate(r, &found);
		return;
	}
	for (const struct base_param *p = table; p->name; p++) {
		char unit[16], default_value[24];
		struct base_param row = in_currency(r, p, unit, default_value);
		const struct xp_node *node = xp_member(group, p->name);
		if (!node && !p->default_value)
			base_errorf(&found, p->name, "required, but missing (%s)", p->help);
		else if (!node && *p->default_value)
			base_param_parse(&row, out, row.default_value, &found);
		else if (node && !fits(&row, node))
			wrong_type(&row, node, &found);
		else if (node && !base_param_parse(&row, out, node->text, &found) && p->type == BASE_STRING)
			check_text(p, out, &found);
	}
	reject_unknown(table, group, more, &found);
	locate(r, &found);
}

/* A list of groups; *n entries of `bytes` bytes at *out. */
static void read_entries(struct price_reader *r, const char *name, const struct base_param *table, size_t bytes,
                         void **out, size_t *n)
{
	const struct xp_node *list = xp_member(r->root, name);
	struct base_errors found = { 0 };
	if (!list || list->type != XP_LIST || !list->n) {
		base_errorf(&found, name,
		            list ? "must be a list ( { ... }, { ... } ) of at least one entry"
		                 : "required, but missing");
		locate(r, &found);
		return;
	}
	*n = list->n;
	*out = base_calloc(list->n, bytes);
	for (size_t i = 0; i < list->n; i++) {
		char path[64];
		snprintf(path, sizeof path, "%s.[%zu]", name, i);
		read_group(r, path, table, list->child[i], (char *)*out + i * bytes, NULL);
	}
}

/* Watts of switches are known both or not at all. */
static void note_unknown_watts(struct price_reader *r)
{
	const struct xp_node *list = xp_member(r->root, "switches");
	struct base_errors found = { 0 };
	for (size_t i = 0; i < r->prices->nsw; i++) {
		struct topo_price_switch *sw = &r->prices->sw[i];
		bool idle = xp_member(list->child[i], "idle"), loaded = xp_member(list->child[i], "loaded");
		char key[64];
		snprintf(key, sizeof key, "switches.[%zu].%s", i, idle ? "loaded" : "idle");
		if (idle != loaded)
			base_errorf(&found, key, "must be given together with %s: set both or neither",
			            idle ? "idle" : "loaded");
		else if (!idle)
			sw->idle = sw->loaded = -1;
	}
	locate(r, &found);
}

static void check_watts(struct price_reader *r)
{
	const struct topo_prices *p = r->prices;
	struct base_errors found = { 0 };
	char key[64];
	for (size_t i = 0; i < p->nsw; i++)
		if (p->sw[i].loaded < p->sw[i].idle) {
			snprintf(key, sizeof key, "switches.[%zu].loaded", i);
			base_errorf(&found, key, "%gW is less than the idle power, %gW", p->sw[i].loaded,
			            p->sw[i].idle);
		}
	for (size_t i = 0; i < p->ncable; i++)
		if (p->cable[i].loaded < p->cable[i].idle) {
			snprintf(key, sizeof key, "cables.[%zu].loaded", i);
			base_errorf(&found, key, "%gW is less than the idle power, %gW", p->cable[i].loaded,
			            p->cable[i].idle);
		}
	locate(r, &found);
}

static void read_all(struct price_reader *r)
{
	static const char *const sections[] = { "switches", "cables", "energy", NULL };
	struct topo_prices *p = r->prices;
	size_t before = r->errors->errors;
	read_group(r, "", topo_price_top_table, r->root, p, sections);
	const char *c = p->currency ? p->currency : "";
	if (strlen(c) != 3 || !isupper((unsigned char)c[0]) || !isupper((unsigned char)c[1]) ||
	    !isupper((unsigned char)c[2])) {
		struct base_errors found = { 0 };
		base_errorf(&found, "currency",
		            "\"%.60s\" is not a currency code of three capital letters, as in \"USD\"", c);
		locate(r, &found);
		return;
	}
	void *sw = NULL, *cable = NULL;
	read_entries(r, "switches", topo_price_switch_table, sizeof *p->sw, &sw, &p->nsw);
	read_entries(r, "cables", topo_price_cable_table, sizeof *p->cable, &cable, &p->ncable);
	p->sw = sw;
	p->cable = cable;
	const struct xp_node *energy = xp_member(r->root, "energy");
	if (energy)
		read_group(r, "energy", topo_price_energy_table, energy, &p->energy, NULL);
	if (p->sw)
		note_unknown_watts(r);
	if (r->errors->errors == before)
		check_watts(r);
	const struct xp_node *s = xp_member(r->root, "switches"), *k = xp_member(r->root, "cables");
	p->switches_line = s ? s->line : 0;
	p->cables_line = k ? k->line : 0;
}

struct topo_prices *xp_prices_parse(const char *text, size_t bytes, const char *name, struct base_errors *errors)
{
	size_t before = errors->errors;
	struct topo_prices *p = base_alloc(sizeof *p);
	const char *scope = errors->scope, *slash = strrchr(name, '/');
	char *folder = slash ? base_strdup(name) : NULL;
	if (slash)
		folder[slash == name ? 1 : slash - name] = 0;
	p->name = base_strdup(name);
	errors->scope = NULL;
	struct xp_node *root = xp_tree_parse(text, bytes, name, folder, errors);
	if (root) {
		struct price_reader r = { root, p, errors };
		read_all(&r);
	}
	errors->scope = scope;
	xp_node_free(root);
	free(folder);
	if (root && errors->errors == before)
		return p;
	xp_prices_free(p);
	return NULL;
}

struct topo_prices *xp_prices_read(const char *path, struct base_errors *errors)
{
	char *text;
	size_t bytes;
	const char *why, *scope = errors->scope;
	if (xp_slurp(path, &text, &bytes, &why)) {
		errors->scope = "cost";
		base_errorf(errors, "file", "%s cannot be read: %s", path, why);
		errors->scope = scope;
		return NULL;
	}
	struct topo_prices *p = xp_prices_parse(text, bytes, path, errors);
	free(text);
	return p;
}

void xp_prices_free(struct topo_prices *p)
{
	if (p)
		topo_prices_free(p);
	free(p);
}
