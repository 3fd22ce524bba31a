/* workload/formats/aspen/build.h - functions with which the grammar creates the nodes of the syntax tree. */
#ifndef WORKLOAD_FORMATS_ASPEN_BUILD_H
#define WORKLOAD_FORMATS_ASPEN_BUILD_H

#include "workload/formats/aspen/parse.h"

struct aspen_list aspen_one(struct aspen_parse *p, void *entry);
const char *aspen_join(struct aspen_parse *p, const char *a, const char *b); /* "a.b" */

struct aspen_expr *aspen_number(struct aspen_parse *p, struct aspen_at at, double value);
struct aspen_expr *aspen_name(struct aspen_parse *p, struct aspen_at at, const char *name);
struct aspen_expr *aspen_index(struct aspen_parse *p, struct aspen_at at, const char *name, struct aspen_expr *i,
                               struct aspen_expr *j);
struct aspen_expr *aspen_call(struct aspen_parse *p, struct aspen_at at, const char *name,
                              const struct aspen_list *args);
struct aspen_expr *aspen_binary(struct aspen_parse *p, struct aspen_at at, enum aspen_op op, struct aspen_expr *a,
                                struct aspen_expr *b);

struct aspen_param *aspen_param(struct aspen_parse *p, struct aspen_at at, enum aspen_param_kind kind, const char *name,
                                struct aspen_expr *value);
struct aspen_list *aspen_row(struct aspen_parse *p, const struct aspen_list *row);
struct aspen_param *aspen_word(struct aspen_parse *p, struct aspen_at at, const char *name);
void aspen_add_enum(struct aspen_parse *p, const char *name, const struct aspen_list *words);
struct aspen_import *aspen_import(struct aspen_parse *p, struct aspen_at at, const char *name, const char *file,
                                  const struct aspen_list *with);
struct aspen_override *aspen_override(struct aspen_parse *p, struct aspen_at at, const char *name,
                                      struct aspen_expr *value);

void aspen_enter_model(struct aspen_parse *p, struct aspen_at at, const char *name);
struct aspen_kernel *aspen_locals(struct aspen_parse *p);
struct aspen_kernel *aspen_kernel(struct aspen_parse *p, struct aspen_at at, const char *name, struct aspen_kernel *k,
                                  const struct aspen_list *args, const struct aspen_list *body);
void aspen_add_kernel(struct aspen_parse *p, struct aspen_kernel *k);
struct aspen_arg *aspen_arg(struct aspen_parse *p, struct aspen_at at, const char *name, bool data);

struct aspen_stmt *aspen_execute(struct aspen_parse *p, struct aspen_at at, struct aspen_expr *parallelism,
                                 const char *label, const struct aspen_list *requirements);
struct aspen_stmt *aspen_call_kernel(struct aspen_parse *p, struct aspen_at at, const char *name,
                                     const struct aspen_list *args);
struct aspen_stmt *aspen_sample(struct aspen_parse *p, struct aspen_at at, const char *name, struct aspen_expr *from);
struct aspen_stmt *aspen_block(struct aspen_parse *p, struct aspen_at at, enum aspen_stmt_kind kind,
                               const char *counter, struct aspen_expr *count, const char *label,
                               const struct aspen_list *body);
/* Creates an `if` or `switch` statement; `taken`: the body of an `if`, otherwise the branches. */
struct aspen_stmt *aspen_choice(struct aspen_parse *p, struct aspen_at at, enum aspen_stmt_kind kind, const char *name,
                                struct aspen_expr *condition, const struct aspen_list *taken,
                                const struct aspen_list *otherwise);
struct aspen_branch *aspen_branch(struct aspen_parse *p, struct aspen_at at, struct aspen_expr *value,
                                  const struct aspen_list *body);
struct aspen_requirement *aspen_requirement(struct aspen_parse *p, struct aspen_at at, const char *name,
                                            struct aspen_expr *count, struct aspen_expr *size);
void aspen_target(struct aspen_requirement *r, struct aspen_at at, const char *name, bool to);
struct aspen_trait *aspen_trait(struct aspen_parse *p, struct aspen_at at, const char *name, struct aspen_expr *value);

void aspen_enter_component(struct aspen_parse *p, struct aspen_at at, const char *type, const char *name);
void aspen_leave_component(struct aspen_parse *p);
void aspen_part(struct aspen_parse *p, struct aspen_at at, const char *type, const char *name,
                struct aspen_expr *quantity);
void aspen_property(struct aspen_parse *p, struct aspen_at at, const char *name, struct aspen_expr *value);
void aspen_resource(struct aspen_parse *p, struct aspen_at at, const char *name, const char *arg,
                    struct aspen_expr *value, const struct aspen_list *traits);
void aspen_conflict(struct aspen_parse *p, struct aspen_at at, const char *a, const char *b);
struct aspen_tdef *aspen_tdef(struct aspen_parse *p, struct aspen_at at, const char *name, const char *arg,
                              struct aspen_expr *value);

/* "; did you mean WORD?" for a name where one of these tokens was expected. */
const char *aspen_near_token(struct aspen_parse *p, struct aspen_at at, const char *const *names, size_t n, char *out,
                             size_t room);

#endif
