/* experiments/commands/words.h - the words that a shell can complete, one after the other, each followed by a space. */
#ifndef EXPERIMENTS_COMMANDS_WORDS_H
#define EXPERIMENTS_COMMANDS_WORDS_H

#include "base/plugin.h"
#include "experiments/config/shipped.h"

#include <stdio.h>

/* Configuration keys with the = that follows them; list entries as the first, "traffic.[0].load=". */
void xp_words_keys(FILE *out, const struct base_registry *registry);
/* Calls visit for each key whose values are words: names of plug-ins, choices, true and false. */
void xp_words_values(const struct base_registry *registry, void (*visit)(void *arg, const char *key, const char *words),
                     void *arg);
void xp_words_shipped(FILE *out, enum xp_shipped kind);
/* Kinds of plug-ins, and what else `list` takes. */
void xp_words_list(FILE *out, const struct base_registry *registry);
/* "a|b|c" as words. */
void xp_words_choices(FILE *out, const char *choices);

#endif
