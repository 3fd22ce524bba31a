/* experiments/config/shipped.h - the configurations, studies and application models that come with tilefly, found by
 * name. */
#ifndef EXPERIMENTS_CONFIG_SHIPPED_H
#define EXPERIMENTS_CONFIG_SHIPPED_H

#include "base/error.h"

#include <stddef.h>

enum xp_shipped { XP_SHIPPED_CONFIG, XP_SHIPPED_STUDY, XP_SHIPPED_MODEL, XP_SHIPPED_KINDS };

/* Path of the file that `source` names: itself, or a shipped configuration or study NAME. Returns a malloc'ed path, or
 * NULL with errors, the nearest shipped names suggested. Not for "-". */
char *xp_shipped_find(const char *source, struct base_errors *errors);

/* What `name`, as it was written, stands for where there is no file at `path`: the shipped model, if it is NAME.aspen
 * of one. Malloc'ed; NULL: nothing. */
char *xp_shipped_model(const char *name, const char *path);

/* Names (without .cfg or .aspen) of one kind, sorted, each once. The array and its texts are malloc'ed. */
char **xp_shipped_names(enum xp_shipped kind, size_t *n);
void xp_shipped_names_free(char **names, size_t n);

/* Path of the shipped file of that kind and name, malloc'ed; NULL if there is none. */
char *xp_shipped_path(enum xp_shipped kind, const char *name);
/* What the file at `path` says it is: its `title`, else the first sentence of the comment that it begins with.
 * Malloc'ed; NULL if it has neither, or cannot be read. */
char *xp_shipped_title(const char *path);

#endif
