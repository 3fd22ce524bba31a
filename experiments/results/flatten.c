/* experiments/results/flatten.c - see flatten.h */
#include "experiments/results/flatten.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"

#include <stdio.h>

#define LONGEST_PATH 1024

struct member_walk {
	char path[LONGEST_PATH];
	bool lists;
	xp_visit_member *visit;
	void *arg;
};

static void walk(struct member_walk *w, size_t length, const json_t *value);

/* Visits a member whose own name is `name`; names that do not fit are cut. */
static void step(struct member_walk *w, size_t length, const char *name, const json_t *value)
{
	int n = snprintf(w->path + length, sizeof w->path - length, "%s%s", length ? "." : "", name);
	size_t end = length + (size_t)(n > 0 ? n : 0);
	base_harmless(w->path + length, false);
	walk(w, end < sizeof w->path ? end : sizeof w->path - 1, value);
	w->path[length] = 0;
}

static void walk(struct member_walk *w, size_t length, const json_t *value)
{
	const char *name;
	json_t *member;
	size_t i;
	if (json_is_object(value)) {
		json_object_foreach((json_t *)value, name, member) step(w, length, name, member);
	} else if (json_is_array(value) && w->lists) {
		json_array_foreach (value, i, member) {
			char index[32];
			snprintf(index, sizeof index, "[%zu]", i);
			step(w, length, index, member);
		}
	} else {
		w->visit(w->arg, base_harmless(w->path, false), value);
	}
}

void xp_flatten(const json_t *value, bool lists, xp_visit_member *visit, void *arg)
{
	struct member_walk w = { .lists = lists, .visit = visit, .arg = arg };
	walk(&w, 0, value);
}

char *xp_value_text(const json_t *value)
{
	char *text;
	if (json_is_string(value)) {
		text = base_strdup(json_string_value(value));
	} else if (json_is_real(value)) {
		char number[64];
		base_print_double(json_real_value(value), number, sizeof number);
		text = base_strdup(number);
	} else {
		text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
		text = text ? text : base_strdup("-");
	}
	return base_harmless(text, true);
}
