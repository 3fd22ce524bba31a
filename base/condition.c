/* base/condition.c - finds parameters that are set but have no effect: see struct base_condition. */
#include "base/memory.h"
#include "base/param.h"

#include <stdlib.h>
#include <string.h>

static char *printed(const struct base_param *p, const void *params)
{
	int length = base_param_print(p, params, NULL, 0);
	size_t size = length > 0 ? (size_t)length + 1 : 1;
	char *text = base_calloc(size, 1);
	base_param_print(p, params, text, size);
	return text;
}

bool base_param_is_default(const struct base_param *p, const void *params)
{
	union { /* a value of any type */
		struct base_ints list;
		struct base_named named;
		char *text;
		int64_t integer;
		uint64_t quantity;
		double real;
	} value = { { 0 } };
	struct base_param row[2] = { *p, { 0 } };
	struct base_errors none = { 0 };
	row[0].offset = 0;
	if (!p->default_value)
		return false;
	base_params_defaults(row, &value, &none);
	char *default_text = printed(row, &value), *set = printed(p, params);
	bool same = !strcmp(default_text, set);
	free(default_text);
	free(set);
	base_params_free(row, &value);
	base_errors_free(&none);
	return same;
}

bool base_condition_is_of(const struct base_condition *condition, const char *key)
{
	size_t length = strlen(key);
	for (const char *at = condition->keys; *at; at += strspn(at, " ")) {
		size_t here = strcspn(at, " ");
		if (here == length && !memcmp(at, key, length))
			return true;
		at += here;
	}
	return false;
}

static bool holds(const struct base_condition *c, const void *params, const void *topo)
{
	if (topo)
		return !c->holds_on || c->holds_on(params, topo);
	return !c->holds || c->holds(params);
}

void base_conditions_check(const struct base_param *table, const struct base_condition *conditions, const void *params,
                           const void *topo, struct base_errors *errors)
{
	for (const struct base_condition *c = conditions; c && c->keys; c++) {
		if (holds(c, params, topo))
			continue;
		for (const struct base_param *p = table; p && p->name; p++)
			if (base_condition_is_of(c, p->name) && !base_param_is_default(p, params))
				base_errorf(errors, p->name, "has an effect only %s", c->only);
	}
}
