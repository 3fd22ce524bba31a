/* experiments/results/members.c - writes and reads those members of the record `summary` that have a descriptor (struct
 * xp_statistic). */
#include "base/memory.h"
#include "base/text.h"
#include "experiments/results/statistics.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The object that is open while members of a struct are written. */
static const char *inside(enum xp_whose of)
{
	return of >= XP_ENGINE ? "engine." : "";
}

static bool is_given(const struct xp_statistic *s, const char *from)
{
	return (!s->given || *(const bool *)(from + s->given - 1)) && !(s->get && s->get(from) == XP_ABSENT);
}

static void put(struct base_json *j, const char *key, const struct xp_statistic *s, const void *from)
{
	const void *at = (const char *)from + s->at;
	const void *known = s->known ? (const char *)from + s->known - 1 : NULL;
	if (known && !*(const uint64_t *)known) {
		base_json_null(j, key);
		return;
	}
	if (s->get) {
		base_json_double(j, key, s->get(from));
		return;
	}
	switch (s->type) {
	case XP_REAL:
		base_json_double(j, key, *(const double *)at);
		break;
	case XP_COUNT:
		base_json_uint(j, key, *(const uint64_t *)at);
		break;
	case XP_COUNT32:
		base_json_uint(j, key, *(const uint32_t *)at);
		break;
	case XP_SIGNED:
		base_json_int(j, key, *(const int *)at);
		break;
	case XP_PS:
		base_json_double(j, key, (double)*(const uint64_t *)at / 1000);
		break;
	case XP_PS_MEAN:
		base_json_double(j, key, *(const double *)at / 1000);
		break;
	case XP_TRUTH:
		base_json_bool(j, key, *(const bool *)at);
		break;
	case XP_TEXT:
		base_json_string(j, key, *(const char *const *)at);
		break;
	case XP_ARRAY:
		base_json_string(j, key, at);
	}
}

void xp_statistics_write(struct base_json *j, enum xp_whose of, const void *from)
{
	char group[64] = "";
	for (const struct xp_statistic *s = xp_statistics; s->name; s++) {
		if (s->of != of || !is_given(s, from))
			continue;
		const char *name = s->name + strlen(inside(of)), *dot = strchr(name, '.');
		size_t length = dot ? (size_t)(dot - name) : 0;
		bool same = strlen(group) == length && !strncmp(group, name, length);
		if (!same && *group)
			base_json_end(j);
		if (!same) {
			snprintf(group, sizeof group, "%.*s", (int)length, name);
			if (length)
				base_json_object(j, group);
		}
		put(j, dot ? dot + 1 : name, s, from);
	}
	if (*group)
		base_json_end(j);
}

char *xp_statistic_text(const struct xp_statistic *s, const void *from)
{
	struct base_buffer text = { 0 };
	struct base_json j = base_json_memory(&text);
	put(&j, NULL, s, from);
	if (!strcmp(text.data, "null"))
		*text.data = 0;
	return text.data;
}

/* --- reading ------------------------------------------------------------------------------------------------ */

json_t *xp_record_member(const json_t *object, const char *path)
{
	char group[64];
	for (const char *dot; (dot = strchr(path, '.')); path = dot + 1) {
		snprintf(group, sizeof group, "%.*s", (int)(dot - path), path);
		object = json_object_get(object, group);
	}
	return json_object_get(object, path);
}

double xp_record_end(const json_t *record, const char *name, int end)
{
	const json_t *pair = json_object_get(json_object_get(record, "interval"), name);
	const json_t *value = json_array_get(pair, end > 0);
	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

const char *xp_texts_keep(struct xp_texts *texts, const char *text)
{
	texts->v = base_realloc(texts->v, (texts->n + 1) * sizeof *texts->v);
	texts->v[texts->n] = base_harmless(base_strdup(text), false);
	return texts->v[texts->n++];
}

void xp_texts_free(struct xp_texts *texts)
{
	for (size_t i = 0; i < texts->n; i++)
		free(texts->v[i]);
	free(texts->v);
	*texts = (struct xp_texts){ 0 };
}

uint64_t xp_record_count(double value, double scale)
{
	value = round(value * scale);
	return value > 0 && value < 0x1p63 ? (uint64_t)value : 0;
}

static void take_member(const struct xp_statistic *s, void *to, const json_t *value, struct xp_texts *texts)
{
	void *at = (char *)to + s->at;
	double number = json_is_number(value) ? json_number_value(value) : 0;
	const char *text = json_is_string(value) ? json_string_value(value) : "";
	switch (s->type) {
	case XP_REAL:
		*(double *)at = number;
		break;
	case XP_COUNT:
		*(uint64_t *)at = xp_record_count(number, 1);
		break;
	case XP_COUNT32:
		*(uint32_t *)at = (uint32_t)xp_record_count(number, 1);
		break;
	case XP_SIGNED:
		*(int *)at = (int)xp_record_count(number, 1);
		break;
	case XP_PS:
		*(uint64_t *)at = xp_record_count(number, 1000);
		break;
	case XP_PS_MEAN:
		*(double *)at = 1000 * number;
		break;
	case XP_TRUTH:
		*(bool *)at = json_is_true(value);
		break;
	case XP_TEXT:
		*(const char **)at = xp_texts_keep(texts, text);
		break;
	case XP_ARRAY:
		snprintf(at, XP_ARRAY_BYTES, "%s", xp_texts_keep(texts, text));
	}
}

void xp_statistics_read(const json_t *object, enum xp_whose of, void *to, struct xp_texts *texts)
{
	for (const struct xp_statistic *s = xp_statistics; s->name; s++) {
		const json_t *value = s->of == of ? xp_record_member(object, s->name + strlen(inside(of))) : NULL;
		if (!value)
			continue;
		if (s->given)
			*(bool *)((char *)to + s->given - 1) = true;
		void *known = s->known ? (char *)to + s->known - 1 : NULL;
		if (known && json_is_number(value) && !*(uint64_t *)known) /* how many is not in the record */
			*(uint64_t *)known = 1;
		if (!s->get || s->at) /* others are computed from what is read */
			take_member(s, to, value, texts);
	}
}
