/* experiments/runs/fields.h - the members of a group of a study's file, each problem under its key. */
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

/* "key.name", or nothing if that is too long to be a key. */
void xp_field_key(char out[256], const char *key, const char *name);
/* Complains about members of a group that are none of `known` (a NULL-ended list). */
void xp_fields_known(struct xp_fields *r, const struct xp_node *group, const char *key, const char *const *known);
/* A member's text, the caller's; NULL if there is none (an error when it is required) or it is no scalar. */
char *xp_field_text(struct xp_fields *r, const struct xp_node *group, const char *key, const char *name, bool required);
/* The members of a list of scalars, as texts; one scalar is a list of one. xp_free_texts() frees them. */
char **xp_field_texts(struct xp_fields *r, const struct xp_node *group, const char *key, const char *name, size_t *n);
/* A list of finite numbers, the caller's. */
double *xp_field_numbers(struct xp_fields *r, const struct xp_node *group, const char *key, const char *name,
                         size_t *n);
/* "FILE:LINE" of a node, the caller's. */
char *xp_field_place(const struct xp_fields *r, const struct xp_node *node);
/* "FILE:LINE" of the i-th text that xp_field_texts() has read, the caller's. */
char *xp_field_at(const struct xp_fields *r, const struct xp_node *group, const char *name, size_t i);
/* Every "PATH=VALUE" of a list `set`, and where each is written; both are the caller's. */
char **xp_field_settings(struct xp_fields *r, const struct xp_node *group, const char *key, size_t *n, char ***at);
bool xp_is_number(const char *text, double *x);
void xp_free_texts(char **texts, size_t n);

/* Is the file for another command? Then that is an error. */
bool xp_fields_other(struct xp_fields *r, const struct xp_node *root, enum xp_kind wanted);

#endif
