/* base/refute.c - checks on loaded plug-ins. This file checks descriptors; the callers of a plug-in's functions check
 * the values that these return. See plugin.h */
#include "base/memory.h"
#include "base/plugin.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- descriptors ----------------------------------------------------------------------------------------- */

static const char *const kinds[] = { "topology", "switch",    "routing", "congestion", "process",
	                             "pattern",  "injection", "cost",    "arbiter",    "allocator" };

#define KINDS (sizeof kinds / sizeof *kinds)
#define LONGEST_NAME 60u

static bool is_kind(const char *text)
{
	size_t k = 0;
	while (text && k < KINDS && strcmp(kinds[k], text) != 0)
		k++;
	return text && k < KINDS;
}

/* A name that is valid in a configuration and in messages. */
static bool is_name(const char *text)
{
	size_t n = text ? strlen(text) : 0;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("-_", text[i]))
			return false;
	return n > 0 && n <= LONGEST_NAME;
}

static size_t bytes_of(enum base_type type)
{
	switch (type) {
	case BASE_BOOL:
		return sizeof(bool);
	case BASE_ENUM:
		return sizeof(int);
	case BASE_STRING:
	case BASE_FILE:
		return sizeof(char *);
	case BASE_INTS:
	case BASE_BOOLS:
	case BASE_SIZES:
		return sizeof(struct base_ints);
	case BASE_FILES:
		return sizeof(struct base_texts);
	case BASE_PLUGIN:
		return sizeof(struct base_named);
	case BASE_INT:
	case BASE_AUTO_INT:
	case BASE_FLOAT:
	case BASE_LENGTH:
	case BASE_PERCENT:
	case BASE_MEASURE:
	case BASE_AUTO_TIME:
	case BASE_AUTO_SIZE:
	case BASE_TIME:
	case BASE_RATE:
	case BASE_SIZE:
		return 8;
	}
	return 0;
}

static int check_param(const struct base_plugin *plugin, const struct base_param *p, struct base_errors *errors)
{
	const char *wrong = NULL;
	size_t bytes = bytes_of(p->type), align = bytes < 8 ? bytes : 8;
	if (!is_name(p->name))
		wrong = "has a name that is not valid in a configuration";
	else if (!bytes)
		wrong = "has an unknown type";
	else if (p->offset > plugin->params_bytes || bytes > plugin->params_bytes - p->offset)
		wrong = "lies outside the struct of params_bytes bytes";
	else if (p->offset % align)
		wrong = "has an offset that is not aligned for its type";
	else if (p->type == BASE_ENUM && (!p->choices || !*p->choices))
		wrong = "is a choice without a list of choices";
	else if (p->type == BASE_PLUGIN && !is_kind(p->unit))
		wrong = "names a plug-in of an unknown kind";
	else if (p->type == BASE_MEASURE && (!p->unit || !*p->unit))
		wrong = "is a quantity without a unit";
	else if (p->min > p->max)
		wrong = "has a minimum above its maximum";
	for (const struct base_param *q = plugin->params; !wrong && q < p; q++)
		if (!strcmp(q->name, p->name))
			wrong = "is there twice";
	return wrong ? base_errorf(errors, NULL, "%s \"%s\": parameter \"%.60s\" %s", plugin->kind, plugin->name,
	                           p->name, wrong)
	             : 0;
}

/* Checks at the start that every default is a valid value of its type, as any configuration would use it. */
static int check_defaults(const struct base_plugin *plugin, struct base_errors *errors)
{
	struct base_errors found = { 0 };
	void *scratch = base_alloc(plugin->params_bytes);
	int status = base_params_defaults(plugin->params, scratch, &found);
	for (size_t i = 0; i < found.n; i++)
		base_errorf(errors, NULL, "%s \"%s\": the default value of parameter \"%s\": %s", plugin->kind,
		            plugin->name, found.v[i].key, found.v[i].text);
	base_params_free(plugin->params, scratch);
	free(scratch);
	base_errors_free(&found);
	return status;
}

int base_check_plugin(const struct base_plugin *plugin, const char *path, struct base_errors *errors)
{
	if (!is_kind(plugin->kind))
		return base_errorf(errors, NULL,
		                   "%s exports a plug-in of kind \"%.60s\"; possible kinds: topology, switch, routing, "
		                   "congestion, process, pattern, injection, cost, arbiter, allocator",
		                   path, plugin->kind ? plugin->kind : "");
	if (!is_name(plugin->name))
		return base_errorf(errors, NULL,
		                   "%s exports a %s whose name is not 1 to %u letters, digits, hyphens and underscores",
		                   path, plugin->kind, LONGEST_NAME);
	int status = 0;
	if (!plugin->ops)
		status = base_errorf(errors, NULL, "%s \"%s\": the table of functions, ops, is NULL", plugin->kind,
		                     plugin->name);
	if (!plugin->summary)
		status = base_errorf(errors, NULL, "%s \"%s\": it has no summary", plugin->kind, plugin->name);
	for (const struct base_param *p = plugin->params; p && p->name; p++)
		if (check_param(plugin, p, errors))
			return -1;
	if (plugin->params && check_defaults(plugin, errors))
		return -1;
	return status;
}

/* --- values that functions return ------------------------------------------------------------------------ */

enum { SILENT, SPEAKING, SAID };

void base_refute(const struct base_plugin *plugin, const char *fmt, ...)
{
	struct base_loaded *l = plugin->loaded;
	int expected = SILENT;
	if (!l ||
	    !__atomic_compare_exchange_n(&l->state, &expected, SPEAKING, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return;
	int at = snprintf(l->said, sizeof l->said, "%s \"%s\": ", plugin->kind, plugin->name);
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(l->said + at, sizeof l->said - (size_t)at, fmt, ap);
	va_end(ap);
	__atomic_store_n(&l->state, SAID, __ATOMIC_RELEASE);
}

const char *base_refuted(const struct base_plugin *plugin)
{
	const struct base_loaded *l = plugin ? plugin->loaded : NULL;
	return l && __atomic_load_n(&l->state, __ATOMIC_ACQUIRE) == SAID ? l->said : NULL;
}

int base_report_refuted(const struct base_plugin *plugin, const char *key, struct base_errors *errors)
{
	const char *text = base_refuted(plugin);
	return text ? base_errorf(errors, key, "%s", text) : 0;
}

/* The full key that selects a plug-in. */
static const char *key_of(const struct base_plugin *plugin)
{
	return !strcmp(plugin->kind, "pattern") || !strcmp(plugin->kind, "injection") ||
	               !strcmp(plugin->kind, "process")
	           ? plugin->kind
	           : "kind";
}

int base_missing(const struct base_plugin *plugin, const char *function, struct base_errors *errors)
{
	return base_errorf(errors, key_of(plugin), "%s \"%s\": the required function %s() is NULL", plugin->kind,
	                   plugin->name, function);
}

int base_built(const struct base_plugin *plugin, int status, size_t before, struct base_errors *errors)
{
	if (!status && errors->errors == before)
		return 0;
	if (errors->errors == before)
		base_errorf(errors, key_of(plugin), "%s \"%s\": build() returned %d, a failure, without a reason",
		            plugin->kind, plugin->name, status);
	return -1;
}
