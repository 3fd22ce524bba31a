/* experiments/config/tree_parse.c - parses libconfig text, and the assignments of --set, whose values may be libconfig
 * text too, into a tree (tree.h). */
#include "experiments/config/tree.h"

#include "base/exhausted.h"
#include "base/memory.h"
#include "base/units.h"
#include "experiments/config/scan.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <libconfig.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- libconfig to tree ------------------------------------------------------------------------------ */

static char *scalar_text(const config_setting_t *s)
{
	char text[64] = "";
	double value;
	switch (config_setting_type(s)) {
	case CONFIG_TYPE_INT:
	case CONFIG_TYPE_INT64:
		snprintf(text, sizeof text, "%" PRId64, (int64_t)config_setting_get_int64(s));
		break;
	case CONFIG_TYPE_FLOAT:
		value = config_setting_get_float(s);
		if (isfinite(value))
			base_print_double(value, text, sizeof text);
		else
			snprintf(text, sizeof text, "1e999"); /* the parameter's parser calls it too large */
		break;
	case CONFIG_TYPE_BOOL:
		snprintf(text, sizeof text, "%s", config_setting_get_bool(s) ? "true" : "false");
		break;
	default:
		return base_strdup(config_setting_get_string(s) ? config_setting_get_string(s) : "");
	}
	return base_strdup(text);
}

static enum xp_node_type node_type(const config_setting_t *s)
{
	switch (config_setting_type(s)) {
	case CONFIG_TYPE_GROUP:
		return XP_GROUP;
	case CONFIG_TYPE_LIST:
	case CONFIG_TYPE_ARRAY:
		return XP_LIST;
	case CONFIG_TYPE_INT:
	case CONFIG_TYPE_INT64:
		return XP_INT;
	case CONFIG_TYPE_FLOAT:
		return XP_FLOAT;
	case CONFIG_TYPE_BOOL:
		return XP_BOOL;
	default:
		return XP_STRING;
	}
}

static struct xp_node *convert_member(const config_setting_t *of, const config_setting_t *s);

/* Recursion is bounded by the scan's limit on nesting. */
static struct xp_node *convert(const config_setting_t *s)
{
	struct xp_node *node = xp_node_new(node_type(s), config_setting_name(s));
	const char *file = config_setting_source_file(s);
	node->file = file ? base_strdup(file) : NULL;
	node->line = config_setting_source_line(s);
	if (node->type != XP_GROUP && node->type != XP_LIST) {
		node->text = scalar_text(s);
		return node;
	}
	int n = config_setting_length(s);
	for (int i = 0; i < n; i++)
		xp_node_add(node, convert_member(s, config_setting_get_elem(s, (unsigned)i)));
	return node;
}

/* libconfig does not look whether a copy of a name was made. */
static struct xp_node *convert_member(const config_setting_t *of, const config_setting_t *s)
{
	if (!s || (config_setting_is_group(of) && !config_setting_name(s)))
		base_exhausted();
	return convert(s);
}

/* --- libconfig does not look whether it has the memory that it asks for ------------------------------------- */

static char cannot_read[700];
static size_t cannot_read_bytes;

static void on_fault(int signal_number)
{
	(void)signal_number;
	base_exhausted_clean();
	(void)!write(STDERR_FILENO, cannot_read, cannot_read_bytes);
	_exit(1);
}

/* Until end_of_faults() an invalid memory access is a fault of libconfig; it ends the program with a message. */
static void expect_faults(const char *name, struct sigaction *before)
{
	struct sigaction action = { .sa_handler = on_fault };
	sigemptyset(&action.sa_mask);
	int n = snprintf(
	    cannot_read, sizeof cannot_read,
	    "tilefly: %.500s: libconfig failed while it read this file: memory has run out, or libconfig has a fault\n",
	    name);
	cannot_read_bytes = (size_t)n;
	sigaction(SIGSEGV, &action, before);
}

static void end_of_faults(const struct sigaction *before)
{
	sigaction(SIGSEGV, before, NULL);
}

struct xp_node *xp_tree_parse(const char *text, size_t bytes, const char *name, const char *folder,
                              struct base_errors *errors)
{
	char place[600];
	if (xp_scan(text, bytes, name, folder, errors))
		return NULL;
	config_t config;
	struct sigaction before;
	expect_faults(name, &before);
	config_init(&config);
	if (folder)
		config_set_include_dir(&config, folder);
	struct xp_node *root = NULL;
	if (config_read_string(&config, text)) {
		root = convert(config_root_setting(&config));
		root->line = 0;
	} else {
		const char *file = config_error_file(&config), *what = config_error_text(&config);
		snprintf(place, sizeof place, "@%.500s:%d", file ? file : name, config_error_line(&config));
		if (what && !strcmp(what, "syntax error"))
			base_errorf(errors, place,
			            "syntax error: a setting is written name = value; with texts in quotes, groups in "
			            "{ } and lists in ( )");
		else
			base_errorf(errors, place, "%s", what ? what : "cannot be read");
	}
	config_destroy(&config);
	end_of_faults(&before);
	return root;
}

/* --- assignments ------------------------------------------------------------------------------------ */

static void set_origin(struct xp_node *node, const char *origin, const char *at)
{
	free(node->origin);
	node->origin = base_strdup(origin);
	free(node->at);
	node->at = at ? base_strdup(at) : NULL;
	free(node->file);
	node->file = NULL;
	node->line = 0;
	for (size_t i = 0; i < node->n; i++)
		set_origin(node->child[i], origin, at);
}

static struct xp_node *parse_value(const char *value, const char *key, struct base_errors *errors)
{
	if (!strchr("{([\"", *value) || !*value) {
		struct xp_node *raw = xp_node_new(XP_RAW, NULL);
		raw->text = base_strdup(value);
		return raw;
	}
	size_t room = strlen(value) + 16;
	char *text = base_alloc(room);
	snprintf(text, room, "value = %s;", value);
	struct base_errors inner = { 0 };
	struct xp_node *root = xp_tree_parse(text, strlen(text), "--set", NULL, &inner);
	struct xp_node *found = NULL;
	if (!root)
		base_errorf(errors, key, "%s", inner.n ? inner.v[0].text : "cannot be read");
	else if (root->n != 1)
		base_errorf(errors, key, "is more than one value");
	else
		found = root->child[--root->n];
	xp_node_free(root);
	base_errors_free(&inner);
	free(text);
	return found;
}

static void replace(struct xp_node *node, struct xp_node *with)
{
	struct xp_node old = *node;
	*node = *with;
	node->name = old.name;
	old.name = with->name;
	*with = old;
	xp_node_free(with);
}

/* State while the path of an assignment is followed from the root of a tree. Missing groups on the path are created. If
 * the path proves to be invalid, the outermost created group is removed again. */
struct walk {
	struct xp_node *made_in;  /* NULL: nothing was made */
	const char *start, *path; /* all of it, and what is left */
	const char *place;        /* for errors */
	const char *as_in;        /* before an assignment that a message gives as an example */
	struct base_errors *errors;
};

static struct xp_node *no_entry(struct walk *w, const struct xp_node *list, unsigned long i)
{
	int before = (int)(w->path - w->start);
	while (before && w->start[before - 1] == '.')
		before--;
	if (!before)
		base_errorf(w->errors, w->place,
		            "the top level of a configuration is a group: use a name, not [NUMBER]");
	else if (list->type == XP_LIST)
		base_errorf(w->errors, w->place,
		            "there is no entry [%lu]: the list has %zu; to make it longer, set the whole list, as in "
		            "%s'%.*s=( ..., ... )'",
		            i, list->n, w->as_in, before, w->start);
	else if (w->made_in)
		base_errorf(w->errors, w->place,
		            "there is no entry [%lu]: the list is missing; set the whole list, as in %s'%.*s=( ... )'",
		            i, w->as_in, before, w->start);
	else
		base_errorf(w->errors, w->place, "[%lu] selects an entry of a list, but this is %s", i,
		            xp_type_text(list->type));
	return NULL;
}

/* "[3]" */
static struct xp_node *enter_list(struct walk *w, struct xp_node *at)
{
	char *end;
	errno = 0;
	unsigned long i = strtoul(w->path + 1, &end, 10);
	if (!isdigit((unsigned char)w->path[1]) || errno || *end != ']' ||
	    (end[1] && end[1] != '[' && !(end[1] == '.' && end[2]))) {
		base_errorf(w->errors, w->place, "a list entry must be selected by [NUMBER]");
		return NULL;
	}
	if (at->type != XP_LIST || i >= at->n)
		return no_entry(w, at, i);
	w->path = end + 1 + (end[1] == '.');
	return at->child[i];
}

/* The child for one step of the path. Returns NULL with an error if the step makes no sense. */
static struct xp_node *enter(struct walk *w, struct xp_node *at)
{
	if (*w->path == '[')
		return enter_list(w, at);
	size_t length = strcspn(w->path, ".[");
	char name[128];
	if (!length || length >= sizeof name || (w->path[length] == '.' && !w->path[length + 1])) {
		base_errorf(w->errors, w->place, "must be a path such as topology.q or traffic.[0].load");
		return NULL;
	}
	memcpy(name, w->path, length);
	name[length] = 0;
	w->path += length + (w->path[length] == '.');
	if (at->type != XP_GROUP) {
		base_errorf(w->errors, w->place, "\"%s\" must name a member of a group, but this is %s", name,
		            xp_type_text(at->type));
		return NULL;
	}
	struct xp_node *child = xp_member(at, name);
	for (size_t i = 0; i < at->n && !child; i++)
		if (at->child[i]->written && !strcmp(at->child[i]->written, name))
			child = at->child[i];
	if (child)
		return child;
	if (!w->made_in)
		w->made_in = at;
	return xp_node_add(at, xp_node_new(XP_GROUP, name));
}

int xp_tree_set(struct xp_node *root, const char *assignment, const char *at_line, struct base_errors *errors)
{
	char place[1024];
	if (at_line)
		snprintf(place, sizeof place, "@%.500s: %.400s", at_line, assignment);
	else
		snprintf(place, sizeof place, "@--set %.400s", assignment);
	const char *equals = strchr(assignment, '=');
	if (!equals || equals == assignment)
		return base_errorf(errors, place, "must have the form PATH=VALUE, as in topology.q=5");
	char *path = base_strdup(assignment);
	path[equals - assignment] = 0;
	struct xp_node *value = parse_value(equals + 1, place, errors);
	struct xp_node *at = value ? root : NULL;
	struct walk w = {
		.start = path, .path = path, .place = place, .as_in = at_line ? "" : "--set ", .errors = errors
	};
	while (at && *w.path) {
		at = enter(&w, at);
		if (at && !at->line && !at->origin) {
			at->origin = base_strdup(assignment);
			at->at = at_line ? base_strdup(at_line) : NULL;
		}
	}
	if (at) {
		set_origin(value, assignment, at_line);
		replace(at, value);
	} else {
		xp_node_free(value);
		if (w.made_in)
			xp_node_free(w.made_in->child[--w.made_in->n]);
	}
	free(path);
	return at ? 0 : -1;
}
