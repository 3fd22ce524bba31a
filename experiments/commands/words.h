/* experiments/commands/words.h - lists of words for shell completion. Each printed word is followed by a space. */
#ifndef EXPERIMENTS_COMMANDS_WORDS_H
#define EXPERIMENTS_COMMANDS_WORDS_H

#include "base/plugin.h"
#include "experiments/config/shipped.h"

#include <stdio.h>

/* Prints the configuration keys, each followed by "=". Of each list only the first entry is printed, as in
 * "traffic.[0].load=". */
void xp_words_keys(FILE *out, const struct base_registry *registry);
/* Calls `visit` for each configuration key whose possible values are words: names of plug-ins, choices, true and false.
 */
void xp_words_values(const struct base_registry *registry, void (*visit)(void *arg, const char *key, const char *words),
                     void *arg);
void xp_words_shipped(FILE *out, enum xp_shipped kind);
/* Prints the kinds of plug-ins and the other words that `tilefly list` accepts as its argument. */
void xp_words_list(FILE *out, const struct base_registry *registry);
/* "a|b|c" as words. */
void xp_words_choices(FILE *out, const char *choices);

#endif
