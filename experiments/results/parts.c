/* experiments/results/parts.c - see parts.h */
#include "experiments/results/parts.h"
#include "experiments/results/reader.h"
#include "experiments/results/statistics.h"

#include "base/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = { "jobs", "classes" };
#define NKINDS (sizeof kinds / sizeof *kinds)

void xp_parts_read(json_t *row, const json_t *summary)
{
	for (size_t k = 0; k < NKINDS; k++) {
		const json_t *list = json_object_get(summary, kinds[k]), *part;
		size_t i;
		json_array_foreach (list, i, part) {
			const struct xp_statistic *s;
			for (size_t n = 1; (s = xp_statistic_at(XP_IN_PART, n)); n++) {
				json_t *value = xp_record_member(part, s->name);
				char column[64];
				if (!value || json_is_null(value))
					continue;
				xp_statistic_column(s, 0, column);
				char *key = base_format("%s.%s.%s", kinds[k], xp_text(part, "name"), column);
				json_object_set(row, key, value);
				free(key);
			}
		}
	}
}

/* Of a row: how many jobs, or classes. */
static size_t parts_of(const json_t *row, const char *kind)
{
	json_t *rows = json_pack("[O]", row), *names = xp_parts_names(rows, kind);
	size_t n = json_array_size(names);
	json_decref(names);
	json_decref(rows);
	return n;
}

static void remove_parts(json_t *row, const char *kind)
{
	size_t length = strlen(kind);
	const char *key;
	json_t *value;
	void *next;
	json_object_foreach_safe(row, next, key, value) if (!strncmp(key, kind, length) && key[length] == '.')
	    json_object_del(row, key);
}

void xp_parts_keep_several(const json_t *rows)
{
	for (size_t k = 0; k < NKINDS; k++) {
		size_t i, most = 0;
		json_t *row;
		json_array_foreach (rows, i, row) {
			size_t n = most < 2 ? parts_of(row, kinds[k]) : most;
			most = n > most ? n : most;
		}
		json_array_foreach (rows, i, row)
			if (most < 2)
				remove_parts(row, kinds[k]);
	}
}

static bool is_part(const char *key)
{
	for (size_t k = 0; k < NKINDS; k++)
		if (!strncmp(key, kinds[k], strlen(kinds[k])) && key[strlen(kinds[k])] == '.')
			return true;
	return false;
}

json_t *xp_parts_columns(const json_t *rows)
{
	json_t *seen = json_object(), *out = json_array(), *row, *value;
	const char *key;
	size_t i;
	json_array_foreach (rows, i, row)
		json_object_foreach(row, key, value) if (is_part(key) && !json_object_get(seen, key))
		{
			json_object_set_new(seen, key, json_true());
			json_array_append_new(out, json_string(key));
		}
	json_decref(seen);
	return out;
}

json_t *xp_parts_names(const json_t *rows, const char *kind)
{
	static const char mark[] = ".offered_load";
	json_t *keys = xp_parts_columns(rows), *out = json_array(), *key;
	size_t i, before = strlen(kind) + 1;
	json_array_foreach (keys, i, key) {
		const char *text = json_string_value(key);
		size_t length = strlen(text), end = sizeof mark - 1;
		if (!strncmp(text, kind, before - 1) && text[before - 1] == '.' && length > before + end &&
		    !strcmp(text + length - end, mark))
			json_array_append_new(out, json_stringn(text + before, length - before - end));
	}
	json_decref(keys);
	return out;
}

static const json_t *value_of(const json_t *row, const char *kind, const char *name, const char *column)
{
	char *key = base_format("%s.%s.%s", kind, name, column);
	const json_t *value = json_object_get(row, key);
	free(key);
	return value;
}

double xp_part_number(const json_t *row, const char *kind, const char *name, const char *column)
{
	const json_t *value = value_of(row, kind, name, column);
	return json_is_number(value) ? json_number_value(value) : NAN;
}

bool xp_part_censored(const json_t *row, const char *kind, const char *name)
{
	return json_is_true(value_of(row, kind, name, "latency_censored"));
}
