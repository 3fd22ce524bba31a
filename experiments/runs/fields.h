/* experiments/runs/fields.h - reads members of groups in a study's file; every error is reported with its key. */
#ifndef EXPERIMENTS_RUNS_FIELDS_H
#define EXPERIMENTS_RUNS_FIELDS_H

#include "experiments/config/config.h"
#include "experiments/config/kind.h"
#include "experiments/config/tree.h"
#include "experiments/runs/ground.h"

struct xp_fields {
	struct xp_ground *ground;
	struct xp_config here; /* its folder alone: where the file lies */
	struct base_errors *errors;
};

/* "key.name", or "" if that is too long for a key. */
void xp_field_key(char out[256], const char *key, const char *name);
/* Adds errors for members of a group that are not listed in `known` (which ends with NULL). */
void xp_fields_known(struct xp_fields *r, const struct xp_node *group, const char *key, const char *const *known);
/* The text of a member, owned by the caller; NULL if there is none (an error if it is required) or it is not a scalar.
 */
char *xp_field_text(struct xp_fields *r, const struct xp_node *group, const char *key, const char *name, bool required);
/* The entries of a list of scalars as texts; a single scalar is a list of one. Freed by xp_free_texts(). */
char **xp_field_texts(struct xp_fields *r, const struct xp_node *group, const char *key, const char *name, size_t *n);
/* A list of finite numbers, owned by the caller. */
double *xp_field_numbers(struct xp_fields *r, const struct xp_node *group, const char *key, const char *name,
                         size_t *n);
/* "FILE:LINE" of a node, owned by the caller. */
char *xp_field_place(const struct xp_fields *r, const struct xp_node *node);
/* "FILE:LINE" of the i-th text read by xp_field_texts(), owned by the caller. */
char *xp_field_at(const struct xp_fields *r, const struct xp_node *group, const char *name, size_t i);
/* The entries "PATH=VALUE" of a list `set`, and their locations; both owned by the caller. */
char **xp_field_settings(struct xp_fields *r, const struct xp_node *group, const char *key, size_t *n, char ***at);
bool xp_is_number(const char *text, double *x);
void xp_free_texts(char **texts, size_t n);

/* Adds an error if the file is for another command. */
bool xp_fields_other(struct xp_fields *r, const struct xp_node *root, enum xp_kind wanted);

#endif
