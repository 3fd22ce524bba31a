/* experiments/config/shipped.h - finds the configurations, studies and application models that come with tilefly by
 * name. */
#ifndef EXPERIMENTS_CONFIG_SHIPPED_H
#define EXPERIMENTS_CONFIG_SHIPPED_H

#include "base/error.h"

#include <stddef.h>

enum xp_shipped { XP_SHIPPED_CONFIG, XP_SHIPPED_STUDY, XP_SHIPPED_MODEL, XP_SHIPPED_KINDS };

/* Returns the path of the file `source`, or if there is none, of the shipped configuration or study of that name. The
 * result is malloc'ed; NULL with errors that suggest the most similar shipped names. `source` must not be "-" (standard
 * input). */
char *xp_shipped_find(const char *source, struct base_errors *errors);

/* Returns the path of the shipped application model for the name NAME.aspen, provided that no file exists at `path`.
 * The result is malloc'ed; NULL if a file exists, or if there is no such model. */
char *xp_shipped_model(const char *name, const char *path);

/* Returns the names of all shipped files of one kind, without the ending .cfg or .aspen, sorted and unique. The array
 * and its texts are malloc'ed. */
char **xp_shipped_names(enum xp_shipped kind, size_t *n);
void xp_shipped_names_free(char **names, size_t n);

/* Returns the path of the shipped file of that kind and name, malloc'ed, or NULL if there is none. */
char *xp_shipped_path(enum xp_shipped kind, const char *name);
/* Returns a description of the file at `path`: its `title`, otherwise the first sentence of the comment at its
 * beginning. The result is malloc'ed; NULL if the file has neither or cannot be read. */
char *xp_shipped_title(const char *path);

#endif
