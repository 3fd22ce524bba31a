/* base/param.c - see param.h. Values are parsed from, and printed to, the text of the configuration's own notation. */
#include "base/param.h"

#include "base/memory.h"
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LIST 65536

/* --- choices --------------------------------------------------------------------------------------------- */

int base_choice(const char *choices, const char *name)
{
	size_t length = strlen(name);
	int index = 0;
	for (const char *p = choices; p; index++) {
		const char *bar = strchr(p, '|');
		size_t here = bar ? (size_t)(bar - p) : strlen(p);
		if (here == length && !memcmp(p, name, length))
			return index;
		p = bar ? bar + 1 : NULL;
	}
	return -1;
}

bool base_choice_name(const char *choices, int i, char *out, size_t capacity)
{
	if (i < 0)
		return false;
	const char *p = choices;
	for (; p && i > 0; i--) {
		p = strchr(p, '|');
		if (p)
			p++;
	}
	if (!p || !capacity)
		return false;
	const char *bar = strchr(p, '|');
	snprintf(out, capacity, "%.*s", (int)(bar ? bar - p : (long)strlen(p)), p);
	return true;
}

int base_no_such_choice(const char *key, const char *choices, const char *text, struct base_errors *errors)
{
	char list[512] = "", *names[32];
	size_t n = 0, used = 0;
	char *copy = base_strdup(choices), *save = NULL;
	for (char *word = strtok_r(copy, "|", &save); word && n < 32; word = strtok_r(NULL, "|", &save)) {
		names[n++] = word;
		int wrote = snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", word);
		if (wrote > 0)
			used += (size_t)wrote < sizeof list - used ? (size_t)wrote : sizeof list - used - 1;
	}
	const char *near = base_nearest(text, (const char *const *)names, n);
	if (near)
		base_errorf(errors, key, "unknown value \"%.60s\"; did you mean \"%s\"? allowed: %s", text, near, list);
	else
		base_errorf(errors, key, "unknown value \"%.60s\"; allowed: %s", text, list);
	free(copy);
	return -1;
}

/* --- numbers and ranges ---------------------------------------------------------------------------------- */

static bool has_range(const struct base_param *p)
{
	return p->min < p->max || p->min > 0 || p->max < 0;
}

/* The type of a value other than "auto", or of an element of a list. */
static enum base_type plain(enum base_type type)
{
	if (type == BASE_AUTO_TIME)
		return BASE_TIME;
	return type == BASE_AUTO_SIZE || type == BASE_SIZES ? BASE_SIZE : type;
}

/* A limit as people write it: "50ns" for a time, "3" for a whole number. */
static const char *limit_text(const struct base_param *p, double limit, char *out, size_t capacity)
{
	enum base_type type = plain(p->type);
	if (type == BASE_TIME || type == BASE_RATE || type == BASE_SIZE)
		base_print_quantity(type, (uint64_t)limit, out, capacity);
	else if (p->type == BASE_FLOAT || p->type == BASE_LENGTH || p->type == BASE_PERCENT || p->type == BASE_MEASURE)
		snprintf(out, capacity, "%.15g%s", limit,
		         p->type == BASE_LENGTH    ? "m"
		         : p->type == BASE_PERCENT ? "%"
		         : p->type == BASE_MEASURE ? p->unit
		                                   : "");
	else
		snprintf(out, capacity, "%.0f", limit);
	return out;
}

static int check_range(const struct base_param *p, double value, const char *text, struct base_errors *errors)
{
	char low[48], high[48];
	if (!has_range(p) || (value >= p->min && value <= p->max))
		return 0;
	if (p->max >= 0x1p62 && value > p->max)
		return base_errorf(errors, p->name, "%.60s is too large", text);
	limit_text(p, p->min, low, sizeof low);
	if (p->max >= 0x1p62)
		return base_errorf(errors, p->name, "%.60s is out of range: at least %s", text, low);
	limit_text(p, p->max, high, sizeof high);
	return base_errorf(errors, p->name, "%.60s is out of range: %s to %s", text, low, high);
}

static int parse_int(const char *text, int64_t *out, const char **why)
{
	char *end;
	errno = 0;
	while (*text == ' ')
		text++;
	const char *digits = text + (*text == '-' || *text == '+');
	if (*digits < '0' || *digits > '9') {
		*why = "is not a whole number";
		return -1;
	}
	int radix = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
	long long v = strtoll(text, &end, radix);
	if (*end == 'L')
		end++;
	while (*end == ' ')
		end++;
	if (*end) {
		*why = "is not a whole number";
		return -1;
	}
	if (errno == ERANGE) {
		*why = "does not fit 64 bits";
		return -1;
	}
	*out = v;
	return 0;
}

static int parse_float(const char *text, double *out, const char **why)
{
	char *end;
	const char *digits = text + (*text == '-' || *text == '+');
	*why = "is not a number";
	if (!*text || strspn(digits, "0123456789.eE+-") != strlen(digits)) /* rejects "inf", "nan" and hexadecimal */
		return -1;
	*out = strtod(text, &end);
	if (end == text || *end)
		return -1;
	*why = "is too large";
	return isfinite(*out) ? 0 : -1;
}

static int parse_bool(const char *text, int64_t *out, const char **why)
{
	*why = "is neither true nor false";
	if (!strcmp(text, "true"))
		*out = 1;
	else if (!strcmp(text, "false"))
		*out = 0;
	else
		return -1;
	return 0;
}

/* --- lists ----------------------------------------------------------------------------------------------- */

static int parse_item(const struct base_param *p, const char *text, int64_t *out, struct base_errors *errors)
{
	const char *why = NULL;
	uint64_t bytes;
	int status;
	if (p->type == BASE_BOOLS) {
		status = parse_bool(text, out, &why);
	} else if (p->type == BASE_SIZES) {
		status = base_parse_size(text, &bytes, &why);
		if (!status && bytes > INT64_MAX) {
			status = -1;
			why = "is too large";
		}
		*out = status ? 0 : (int64_t)bytes;
	} else {
		status = parse_int(text, out, &why);
	}
	if (status)
		return base_errorf(errors, p->name, "\"%.60s\" %s", text, why);
	return p->type == BASE_BOOLS ? 0 : check_range(p, (double)*out, text, errors);
}

/* "8,8,8", also "[8, 8, 8]" and "(8, 8, 8)". */
static int parse_list(const struct base_param *p, struct base_ints *list, const char *text, struct base_errors *errors)
{
	char *copy = base_strdup(text), *at = copy;
	size_t length = strlen(copy);
	if (length >= 2 &&
	    ((copy[0] == '[' && copy[length - 1] == ']') || (copy[0] == '(' && copy[length - 1] == ')'))) {
		copy[length - 1] = 0;
		at++;
	}
	struct base_ints out = { 0 };
	size_t cap = 0;
	int status = 0;
	while (at && !status) {
		char *comma = strchr(at, ',');
		if (comma)
			*comma = 0;
		at += strspn(at, " ");
		for (size_t n = strlen(at); n && at[n - 1] == ' '; n--)
			at[n - 1] = 0;
		int64_t value = 0;
		if (out.n == MAX_LIST)
			status = base_errorf(errors, p->name, "has more than %d entries", MAX_LIST);
		else if (!*at && !comma && !out.n)
			break; /* an empty list */
		else
			status = parse_item(p, at, &value, errors);
		if (out.n == cap) {
			cap = cap ? 2 * cap : 8;
			out.v = base_realloc(out.v, cap * sizeof *out.v);
		}
		out.v[out.n++] = value;
		at = comma ? comma + 1 : NULL;
	}
	free(copy);
	if (status) {
		free(out.v);
		return -1;
	}
	free(list->v);
	*list = out;
	return 0;
}

void base_texts_add(struct base_texts *list, const char *text)
{
	list->v = base_realloc(list->v, (list->n + 1) * sizeof *list->v);
	list->v[list->n++] = base_strdup(text);
}

static void free_texts(struct base_texts *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->v[i]);
	free(list->v);
	*list = (struct base_texts){ 0 };
}

/* --- one parameter --------------------------------------------------------------------------------------- */

static int parse_quantity(const struct base_param *p, void *field, const char *text, struct base_errors *errors)
{
	const char *why = NULL;
	uint64_t value = 0;
	double metres = 0;
	enum base_type type = plain(p->type);
	int status = type == BASE_TIME   ? base_parse_time(text, &value, &why)
	             : type == BASE_RATE ? base_parse_rate(text, &value, &why)
	             : type == BASE_SIZE ? base_parse_size(text, &value, &why)
	                                 : base_parse_length(text, &metres, &why);
	if (status && type != p->type && isalpha((unsigned char)*text)) /* probably a misspelt "auto" */
		return base_errorf(errors, p->name, "\"%.60s\" is neither a %s nor \"%s\"", text,
		                   type == BASE_TIME ? "time" : "size", base_param_word(p));
	if (status)
		return base_errorf(errors, p->name, "\"%.60s\" %s", text, why);
	if (check_range(p, p->type == BASE_LENGTH ? metres : (double)value, text, errors))
		return -1;
	if (p->type == BASE_LENGTH)
		*(double *)field = metres;
	else
		*(uint64_t *)field = value;
	return 0;
}

static int parse_number(const struct base_param *p, void *field, const char *text, struct base_errors *errors)
{
	const char *why = NULL;
	int64_t i = 0;
	double d = 0;
	if (p->type == BASE_AUTO_INT && !strcmp(text, "auto")) {
		*(int64_t *)field = BASE_AUTO;
		return 0;
	}
	if (p->type == BASE_FLOAT ? parse_float(text, &d, &why) : parse_int(text, &i, &why))
		return base_errorf(errors, p->name, "\"%.60s\" %s%s", text, why,
		                   p->type == BASE_AUTO_INT ? " or \"auto\"" : "");
	if (check_range(p, p->type == BASE_FLOAT ? d : (double)i, text, errors))
		return -1;
	if (p->type == BASE_FLOAT)
		*(double *)field = d;
	else
		*(int64_t *)field = i;
	return 0;
}

static int parse_percent(const struct base_param *p, double *field, const char *text, struct base_errors *errors)
{
	char *number = base_strdup(text);
	const char *why = "has no per cent sign, as in \"1%\"";
	size_t length = strlen(number);
	int status = -1;
	double value = 0;
	if (length && number[length - 1] == '%') {
		number[length - 1] = 0;
		status = parse_float(number, &value, &why);
	}
	free(number);
	if (status)
		return base_errorf(errors, p->name, "\"%.60s\" %s", text, why);
	if (check_range(p, value, text, errors))
		return -1;
	*field = value;
	return 0;
}

static int parse_measure(const struct base_param *p, double *field, const char *text, struct base_errors *errors)
{
	size_t length = strlen(text), unit = strlen(p->unit);
	const char *why = NULL;
	double value = 0;
	if (length <= unit || strcmp(text + length - unit, p->unit) != 0)
		return base_errorf(errors, p->name, "\"%.60s\" is not a quantity in %s, as in \"250%s\"", text, p->unit,
		                   p->unit);
	char *number = base_strdup(text);
	number[length - unit] = 0;
	for (size_t n = length - unit; n && number[n - 1] == ' '; n--)
		number[n - 1] = 0;
	int status = parse_float(number, &value, &why);
	free(number);
	if (status)
		return base_errorf(errors, p->name, "\"%.60s\" is not a quantity in %s, as in \"250%s\"", text, p->unit,
		                   p->unit);
	if (check_range(p, value, text, errors))
		return -1;
	*field = value;
	return 0;
}

int base_param_parse(const struct base_param *p, void *params, const char *text, struct base_errors *errors)
{
	void *field = (char *)params + p->offset;
	const char *why = NULL;
	int64_t value = 0;
	switch (p->type) {
	case BASE_BOOL:
		if (parse_bool(text, &value, &why))
			return base_errorf(errors, p->name, "\"%.60s\" %s", text, why);
		*(bool *)field = value;
		return 0;
	case BASE_INT:
	case BASE_AUTO_INT:
	case BASE_FLOAT:
		return parse_number(p, field, text, errors);
	case BASE_STRING:
	case BASE_FILE:
		free(*(char **)field);
		*(char **)field = base_strdup(text);
		return 0;
	case BASE_FILES:
		free_texts(field);
		base_texts_add(field, text);
		return 0;
	case BASE_PLUGIN:
		free(((struct base_named *)field)->name);
		*(struct base_named *)field = (struct base_named){ .name = base_strdup(text) };
		return 0;
	case BASE_ENUM:
		value = base_choice(p->choices, text);
		if (value < 0)
			return base_no_such_choice(p->name, p->choices, text, errors);
		*(int *)field = (int)value;
		return 0;
	case BASE_AUTO_TIME:
	case BASE_AUTO_SIZE:
		if (!strcmp(text, base_param_word(p))) {
			*(uint64_t *)field = p->type == BASE_AUTO_TIME ? BASE_AUTO_TIME_VALUE : BASE_AUTO_SIZE_VALUE;
			return 0;
		}
		return parse_quantity(p, field, text, errors);
	case BASE_PERCENT:
		return parse_percent(p, field, text, errors);
	case BASE_MEASURE:
		return parse_measure(p, field, text, errors);
	case BASE_TIME:
	case BASE_RATE:
	case BASE_SIZE:
	case BASE_LENGTH:
		return parse_quantity(p, field, text, errors);
	case BASE_INTS:
	case BASE_BOOLS:
	case BASE_SIZES:
		return parse_list(p, field, text, errors);
	}
	return base_errorf(errors, p->name, "has a type that this tilefly does not know");
}

int base_params_defaults(const struct base_param *table, void *params, struct base_errors *errors)
{
	int status = 0;
	for (const struct base_param *p = table; p && p->name; p++)
		if (p->default_value && *p->default_value && base_param_parse(p, params, p->default_value, errors))
			status = -1;
	return status;
}

/* --- printing -------------------------------------------------------------------------------------------- */

/* snprintf to the end of the text in `out`; counts the bytes that a large enough buffer would hold. */
__attribute__((format(printf, 4, 5))) static void append(char *out, size_t capacity, size_t *used, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int n = *used < capacity ? vsnprintf(out + *used, capacity - *used, fmt, ap) : vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n > 0)
		*used += (size_t)n;
}

static int print_list(const struct base_param *p, const struct base_ints *list, char *out, size_t capacity)
{
	size_t used = 0;
	if (capacity)
		out[0] = 0;
	for (size_t i = 0; i < list->n; i++) {
		char item[48];
		if (p->type == BASE_BOOLS)
			snprintf(item, sizeof item, "%s", list->v[i] ? "true" : "false");
		else if (p->type == BASE_SIZES)
			base_print_quantity(BASE_SIZE, (uint64_t)list->v[i], item, sizeof item);
		else
			snprintf(item, sizeof item, "%" PRId64, list->v[i]);
		append(out, capacity, &used, "%s%s", i ? "," : "", item);
	}
	return (int)used;
}

static int print_texts(const struct base_texts *list, char *out, size_t capacity)
{
	size_t used = 0;
	if (capacity)
		out[0] = 0;
	for (size_t i = 0; i < list->n; i++)
		append(out, capacity, &used, "%s%s", i ? "," : "", list->v[i]);
	return (int)used;
}

int base_param_print(const struct base_param *p, const void *params, char *out, size_t capacity)
{
	const void *field = (const char *)params + p->offset;
	char word[128];
	const char *text;
	switch (p->type) {
	case BASE_BOOL:
		return snprintf(out, capacity, "%s", *(const bool *)field ? "true" : "false");
	case BASE_AUTO_INT:
		if (*(const int64_t *)field == BASE_AUTO)
			return snprintf(out, capacity, "auto");
		return snprintf(out, capacity, "%" PRId64, *(const int64_t *)field);
	case BASE_INT:
		return snprintf(out, capacity, "%" PRId64, *(const int64_t *)field);
	case BASE_FLOAT:
		return base_print_double(*(const double *)field, out, capacity);
	case BASE_STRING:
	case BASE_FILE:
		text = *(char *const *)field;
		return snprintf(out, capacity, "%s", text ? text : "");
	case BASE_ENUM:
		if (!base_choice_name(p->choices, *(const int *)field, word, sizeof word))
			return snprintf(out, capacity, "?");
		return snprintf(out, capacity, "%s", word);
	case BASE_AUTO_TIME:
		if (*(const uint64_t *)field == BASE_AUTO_TIME_VALUE)
			return snprintf(out, capacity, "%s", base_param_word(p));
		return base_print_quantity(BASE_TIME, *(const uint64_t *)field, out, capacity);
	case BASE_AUTO_SIZE:
		if (*(const uint64_t *)field == BASE_AUTO_SIZE_VALUE)
			return snprintf(out, capacity, "auto");
		return base_print_quantity(BASE_SIZE, *(const uint64_t *)field, out, capacity);
	case BASE_TIME:
	case BASE_RATE:
	case BASE_SIZE:
		return base_print_quantity(p->type, *(const uint64_t *)field, out, capacity);
	case BASE_LENGTH:
	case BASE_PERCENT:
	case BASE_MEASURE:
		base_print_double(*(const double *)field, word, sizeof word);
		return snprintf(out, capacity, "%s%s", word,
		                p->type == BASE_LENGTH    ? "m"
		                : p->type == BASE_PERCENT ? "%"
		                                          : p->unit);
	case BASE_INTS:
	case BASE_BOOLS:
	case BASE_SIZES:
		return print_list(p, field, out, capacity);
	case BASE_FILES:
		return print_texts(field, out, capacity);
	case BASE_PLUGIN:
		text = ((const struct base_named *)field)->name;
		return snprintf(out, capacity, "%s", text ? text : "");
	}
	return snprintf(out, capacity, "?");
}

void base_params_free(const struct base_param *table, void *params)
{
	for (const struct base_param *p = table; p && p->name; p++) {
		void *field = (char *)params + p->offset;
		if (p->type == BASE_STRING || p->type == BASE_FILE) {
			free(*(char **)field);
			*(char **)field = NULL;
		} else if (p->type == BASE_INTS || p->type == BASE_BOOLS || p->type == BASE_SIZES) {
			struct base_ints *list = field;
			free(list->v);
			*list = (struct base_ints){ 0 };
		} else if (p->type == BASE_FILES) {
			free_texts(field);
		} else if (p->type == BASE_PLUGIN) {
			free(((struct base_named *)field)->name);
			*(struct base_named *)field = (struct base_named){ 0 };
		}
	}
}
