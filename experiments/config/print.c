/* experiments/config/print.c - the resolved configuration, as libconfig text and as JSON, from the same walk. */
#include "experiments/config/config.h"

#include "base/memory.h"
#include "base/units.h"
#include "experiments/config/schema.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool xp_param_unset(const struct base_param *p, const void *params)
{
	const void *field = (const char *)params + p->offset;
	if (!p->default_value || *p->default_value)
		return false;
	switch (p->type) {
	case BASE_BOOL:
		return !*(const bool *)field;
	case BASE_INT:
	case BASE_AUTO_INT:
		return !*(const int64_t *)field;
	case BASE_FLOAT:
	case BASE_LENGTH:
	case BASE_PERCENT:
	case BASE_MEASURE:
		return !(*(const double *)field < 0 || *(const double *)field > 0);
	case BASE_STRING:
	case BASE_FILE:
		return !*(char *const *)field;
	case BASE_ENUM:
		return !*(const int *)field;
	case BASE_PLUGIN:
		return !((const struct base_named *)field)->name;
	case BASE_TIME:
	case BASE_AUTO_TIME:
	case BASE_AUTO_SIZE:
	case BASE_RATE:
	case BASE_SIZE:
		return !*(const uint64_t *)field;
	case BASE_INTS:
	case BASE_BOOLS:
	case BASE_SIZES:
		return !((const struct base_ints *)field)->n;
	case BASE_FILES:
		return !((const struct base_texts *)field)->n;
	}
	return false;
}

/* Where a walk over the configuration goes: one of the two is set. */
struct sink {
	struct base_json *json;
	struct base_buffer *text;
	unsigned depth;
	bool replay; /* leave out where results go */
};

static void indent(const struct sink *s)
{
	for (unsigned i = 0; i < s->depth; i++)
		base_buffer_write(s->text, "\t", 1);
}

static void open_group(struct sink *s, const char *key, bool list)
{
	if (s->json && list)
		base_json_array(s->json, key);
	else if (s->json)
		base_json_object(s->json, key);
	if (s->text) {
		indent(s);
		base_buffer_printf(s->text, "%s%s%s\n", key ? key : "", key ? " = " : "", list ? "(" : "{");
	}
	s->depth++;
}

static void close_group(struct sink *s, bool list, const char *after)
{
	s->depth--;
	if (s->json)
		base_json_end(s->json);
	if (s->text) {
		indent(s);
		base_buffer_printf(s->text, "%c%s\n", list ? ')' : '}', after);
	}
}

static void text_string(struct base_buffer *out, const char *text)
{
	base_buffer_write(out, "\"", 1);
	for (const char *p = text; *p; p++) {
		unsigned char c = (unsigned char)*p;
		if (c == '"' || c == '\\')
			base_buffer_printf(out, "\\%c", c);
		else if (c < 0x20 || c >= 0x7f)
			base_buffer_printf(out, "\\x%02x", c);
		else
			base_buffer_write(out, p, 1);
	}
	base_buffer_write(out, "\"", 1);
}

static void text_int(struct base_buffer *out, int64_t v)
{
	base_buffer_printf(out, "%" PRId64 "%s", v, v > INT32_MAX || v < INT32_MIN ? "L" : "");
}

enum shape { NUMBER, FRACTION, TRUTH, WORD };

static enum shape shape_of(const struct base_param *p, const void *field)
{
	switch (p->type) {
	case BASE_BOOL:
	case BASE_BOOLS:
		return TRUTH;
	case BASE_INT:
	case BASE_INTS:
		return NUMBER;
	case BASE_AUTO_INT:
		return *(const int64_t *)field == BASE_AUTO ? WORD : NUMBER;
	case BASE_FLOAT:
		return FRACTION;
	case BASE_STRING:
	case BASE_FILE:
	case BASE_FILES:
	case BASE_ENUM:
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
	return WORD;
}

/* One scalar, or one entry of a list (name NULL). `text` is its printed form. */
static void scalar(struct sink *s, const char *name, enum shape shape, const char *text, int64_t integer,
                   double fraction)
{
	if (s->json) {
		if (shape == NUMBER)
			base_json_int(s->json, name, integer);
		else if (shape == FRACTION)
			base_json_double(s->json, name, fraction);
		else if (shape == TRUTH)
			base_json_bool(s->json, name, integer);
		else
			base_json_string(s->json, name, text);
		return;
	}
	if (shape == NUMBER)
		text_int(s->text, integer);
	else if (shape == WORD)
		text_string(s->text, text);
	else
		base_buffer_printf(s->text, "%s", text);
}

static void print_list(struct sink *s, const struct base_param *p, const struct base_ints *list)
{
	bool single = list->n == 1 && p->type != BASE_INTS;
	if (s->json && !single)
		base_json_array(s->json, p->name);
	if (s->text && !single)
		base_buffer_write(s->text, "[ ", 2);
	for (size_t i = 0; i < list->n; i++) {
		char text[48] = "";
		if (p->type == BASE_SIZES)
			base_print_quantity(BASE_SIZE, (uint64_t)list->v[i], text, sizeof text);
		else if (p->type == BASE_BOOLS)
			snprintf(text, sizeof text, "%s", list->v[i] ? "true" : "false");
		if (s->text && i)
			base_buffer_write(s->text, ", ", 2);
		scalar(s, single ? p->name : NULL, shape_of(p, list), text, list->v[i], 0);
	}
	if (s->json && !single)
		base_json_end(s->json);
	if (s->text && !single)
		base_buffer_write(s->text, " ]", 2);
}

static void print_texts(struct sink *s, const struct base_param *p, const struct base_texts *list)
{
	if (s->json)
		base_json_array(s->json, p->name);
	else
		base_buffer_write(s->text, "[ ", 2);
	for (size_t i = 0; i < list->n; i++) {
		if (s->text && i)
			base_buffer_write(s->text, ", ", 2);
		scalar(s, NULL, WORD, list->v[i], 0, 0);
	}
	if (s->json)
		base_json_end(s->json);
	else
		base_buffer_write(s->text, " ]", 2);
}

static void print_param(struct sink *s, const struct base_param *p, const void *params)
{
	const void *field = (const char *)params + p->offset;
	if (s->text) {
		indent(s);
		base_buffer_printf(s->text, "%s = ", p->name);
	}
	if (p->type == BASE_INTS || p->type == BASE_BOOLS || p->type == BASE_SIZES) {
		print_list(s, p, field);
	} else if (p->type == BASE_FILES) {
		print_texts(s, p, field);
	} else {
		int length = base_param_print(p, params, NULL, 0);
		size_t room = length > 0 ? (size_t)length + 1 : 1;
		char *text = base_alloc(room);
		base_param_print(p, params, text, room);
		enum shape shape = shape_of(p, field);
		int64_t integer = shape == NUMBER ? *(const int64_t *)field : shape == TRUTH ? *(const bool *)field : 0;
		scalar(s, p->name, shape, text, integer, shape == FRACTION ? *(const double *)field : 0);
		free(text);
	}
	if (s->text)
		base_buffer_write(s->text, ";\n", 2);
}

/* inherits: what is left out is read back as another section's value, so that zero has to be said as well. */
static void print_table(struct sink *s, const struct base_param *table, const void *params, bool inherits)
{
	for (const struct base_param *p = table; p && p->name; p++)
		if (inherits || !xp_param_unset(p, params))
			print_param(s, p, params);
}

static void print_entry(struct sink *s, const struct xp_section *section, const char *base)
{
	for (int i = 0; i < XP_PICKS && section->pick[i].key; i++) {
		const struct net_choice *choice =
		    (const struct net_choice *)(const void *)(base + section->pick[i].offset);
		if (!choice->plugin)
			continue;
		if (s->text) {
			indent(s);
			base_buffer_printf(s->text, "%s = \"%s\";\n", section->pick[i].key, choice->plugin->name);
		} else {
			base_json_string(s->json, section->pick[i].key, choice->plugin->name);
		}
		print_table(s, choice->plugin->params, choice->params, false);
	}
	print_table(s, section->table, base, section->inherit >= 0);
}

static void print_section(struct sink *s, const struct xp_section *section, const char *name, const char *net)
{
	const char *base = net + section->offset;
	if (!section->entry_bytes) {
		open_group(s, name, false);
		print_entry(s, section, base);
		close_group(s, false, ";");
		return;
	}
	const char *entries = *(char *const *)(const void *)base;
	uint32_t n = *(const uint32_t *)(const void *)(net + section->count_offset);
	if (section->named) {
		const struct net_link_class *class = (const void *)entries;
		for (uint32_t i = 0; i < n; i++) {
			open_group(s, class[i].name, false);
			print_entry(s, section, (const char *)&class[i]);
			close_group(s, false, ";");
		}
		return;
	}
	if (!n)
		return;
	open_group(s, name, true);
	for (uint32_t i = 0; i < n; i++) {
		open_group(s, NULL, false);
		print_entry(s, section, entries + i * section->entry_bytes);
		close_group(s, false, i + 1 < n ? "," : "");
	}
	close_group(s, true, ";");
}

static void print_all(struct sink *s, const struct net_config *net)
{
	char outer[64] = "";
	for (const struct xp_section *section = xp_sections; section->path; section++) {
		if (s->replay && !strcmp(section->path, "output"))
			continue;
		const char *dot = strchr(section->path, '.');
		size_t length = dot ? (size_t)(dot - section->path) : 0;
		if (*outer && (!dot || strncmp(outer, section->path, length))) {
			close_group(s, false, ";");
			*outer = 0;
		}
		if (dot && !*outer) {
			snprintf(outer, sizeof outer, "%.*s", (int)length, section->path);
			open_group(s, outer, false);
		}
		if (*section->path)
			print_section(s, section, dot ? dot + 1 : section->path, (const char *)net);
		else
			print_table(s, section->table, net, false);
	}
	if (*outer)
		close_group(s, false, ";");
}

void xp_config_links(const struct net_config *net, struct base_buffer *out)
{
	struct sink s = { .text = out };
	size_t from = out->n;
	base_buffer_printf(out, "links={\n");
	for (const struct xp_section *section = xp_sections; section->path; section++)
		if (!strncmp(section->path, "links.", 6))
			print_section(&s, section, section->path + 6, (const char *)net);
	base_buffer_printf(out, "}");
	for (char *p = out->data + from; *p; p++)
		if (*p == '\n' || *p == '\t')
			*p = ' '; /* strings have none */
}

void xp_config_json(const struct net_config *net, struct base_json *json, const char *key)
{
	struct sink s = { .json = json };
	base_json_object(json, key);
	print_all(&s, net);
	base_json_end(json);
}

void xp_config_replay(const struct net_config *net, struct base_buffer *out)
{
	struct sink s = { .text = out, .replay = true };
	base_buffer_write(out, "", 0);
	print_all(&s, net);
}

void xp_config_text(const struct net_config *net, struct base_buffer *out)
{
	struct sink s = { .text = out };
	base_buffer_write(out, "", 0);
	print_all(&s, net);
}
