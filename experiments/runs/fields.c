/* experiments/runs/fields.c - see fields.h */
#include "experiments/runs/fields.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "key.name", or nothing if that is too long to be a key. */
void xp_field_key(char out[256], const char *key, const char *name)
{
	int n = snprintf(out, 256, "%s%s%s", key, *key ? "." : "", name);
	if (n < 0 || n >= 256)
		out[0] = 0;
}

static bool is_scalar(const struct xp_node *node)
{
	return node->type != XP_GROUP && node->type != XP_LIST;
}

bool xp_fields_other(struct xp_fields *r, const struct xp_node *root, enum xp_kind wanted)
{
	char other[200];
	return xp_kind_other(root, wanted, other) && base_errorf(r->errors, "", "%s", other);
}

/* Complains about members of a group that are none of `known` (a NULL-ended list). */
void xp_fields_known(struct xp_fields *r, const struct xp_node *group, const char *key, const char *const *known)
{
	size_t n = 0;
	while (known[n])
		n++;
	for (size_t i = 0; i < group->n; i++) {
		const char *name = group->child[i]->name;
		size_t k = 0;
		while (k < n && strcmp(known[k], name) != 0)
			k++;
		if (k < n)
			continue;
		const char *near = base_nearest(name, known, n);
		char full[256];
		xp_field_key(full, key, name);
		base_errorf(r->errors, full, near ? "unknown key; did you mean \"%s\"?" : "unknown key", near);
	}
}

/* Titles, names and labels go to terminals and tables. */
static void check_text(struct xp_fields *r, const char *key, const char *text)
{
	if (!base_is_harmless(text, true))
		base_errorf(r->errors, key, "contains a control character or bytes that are not UTF-8");
}

/* A member's text; NULL if there is none (an error when it is required) or it is no scalar. */
char *xp_field_text(struct xp_fields *r, const struct xp_node *group, const char *key, const char *name, bool required)
{
	char full[256];
	xp_field_key(full, key, name);
	const struct xp_node *node = xp_member(group, name);
	if (node && is_scalar(node)) {
		check_text(r, full, node->text);
		return base_strdup(node->text);
	}
	if (node)
		base_errorf(r->errors, full, "must be a text, not %s", xp_type_text(node->type));
	else if (required)
		base_errorf(r->errors, full, "is missing");
	return NULL;
}

bool xp_is_number(const char *text, double *x)
{
	char *end;
	*x = strtod(text, &end);
	return end != text && !*end && isfinite(*x);
}

/* The members of a list of scalars, as texts. */
char **xp_field_texts(struct xp_fields *r, const struct xp_node *group, const char *key, const char *name, size_t *n)
{
	*n = 0;
	const struct xp_node *list = xp_member(group, name);
	if (!list)
		return NULL;
	char full[256];
	xp_field_key(full, key, name);
	char **out = base_calloc(list->n + 1, sizeof *out);
	if (is_scalar(list)) { /* one is a list of one */
		check_text(r, full, list->text);
		out[(*n)++] = base_strdup(list->text);
		return out;
	}
	for (size_t i = 0; i < list->n; i++) {
		if (list->type == XP_LIST && is_scalar(list->child[i])) {
			check_text(r, full, list->child[i]->text);
			out[(*n)++] = base_strdup(list->child[i]->text);
		} else {
			base_errorf(r->errors, full, "must be a list of plain values");
			break;
		}
	}
	return out;
}

char *xp_field_place(const struct xp_fields *r, const struct xp_node *node)
{
	struct base_buffer place = { 0 };
	base_buffer_printf(&place, "%s:%u", node->file ? node->file : r->ground->path, node->line);
	return place.data;
}

char *xp_field_at(const struct xp_fields *r, const struct xp_node *group, const char *name, size_t i)
{
	const struct xp_node *list = xp_member(group, name);
	return xp_field_place(r, list->type == XP_LIST ? list->child[i] : list);
}

void xp_free_texts(char **texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(texts[i]);
	free(texts);
}

/* A list of finite numbers. */
double *xp_field_numbers(struct xp_fields *r, const struct xp_node *group, const char *key, const char *name, size_t *n)
{
	char **texts = xp_field_texts(r, group, key, name, n);
	double *out = base_calloc(*n + 1, sizeof *out);
	char full[256];
	xp_field_key(full, key, name);
	for (size_t i = 0; i < *n; i++)
		if (!xp_is_number(texts[i], &out[i]))
			base_errorf(r->errors, full, "\"%s\" is not a number", texts[i]);
	xp_free_texts(texts, *n);
	return out;
}

/* Every "PATH=VALUE" of a list `set`. */
char **xp_field_settings(struct xp_fields *r, const struct xp_node *group, const char *key, size_t *n, char ***at)
{
	char **set = xp_field_texts(r, group, key, "set", n);
	*at = base_calloc(*n + 1, sizeof **at);
	for (size_t i = 0; i < *n; i++)
		(*at)[i] = xp_field_at(r, group, "set", i);
	char full[256];
	xp_field_key(full, key, "set");
	for (size_t i = 0; i < *n; i++)
		if (set[i][0] == '=' || !strchr(set[i], '='))
			base_errorf(r->errors, full, "\"%s\" must be PATH=VALUE", set[i]);
	return set;
}
