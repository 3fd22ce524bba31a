/* experiments/config/shipped.h - finds the configurations, studies and application models that come with tilefly by
 * name. */
#ifndef EXPERIMENTS_CONFIG_SHIPPED_H
#define EXPERIMENTS_CONFIG_SHIPPED_H

#include "base/error.h"

#include <stddef.h>

enum xp_shipped { XP_SHIPPED_CONFIG, XP_SHIPPED_STUDY, XP_SHIPPED_MODEL, XP_SHIPPED_KINDS };

/* The path of the file `source`, or of the shipped configuration or study of that name. Returns a malloc'ed path, or
 * NULL with errors that suggest the most similar shipped names. Not for "-". */
char *xp_shipped_find(const char *source, struct base_errors *errors);

/* If there is no file at `path`, the shipped model for the name NAME.aspen. Malloc'ed; NULL if there is none. */
char *xp_shipped_model(const char *name, const char *path);

/* Names (without .cfg or .aspen) of one kind, sorted and unique. The array and its texts are malloc'ed. */
char **xp_shipped_names(enum xp_shipped kind, size_t *n);
void xp_shipped_names_free(char **names, size_t n);

/* Path of the shipped file of that kind and name, malloc'ed; NULL if there is none. */
char *xp_shipped_path(enum xp_shipped kind, const char *name);
/* The description of the file at `path`: its `title`, otherwise the first sentence of its initial comment. Malloc'ed;
 * NULL if it has neither, or cannot be read. */
char *xp_shipped_title(const char *path);

#endif
