/* experiments/commands/words.c - see words.h */
#include "experiments/commands/words.h"

#include "base/format.h"
#include "base/param.h"
#include "experiments/config/schema.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void xp_words_choices(FILE *out, const char *choices)
{
	char word[64];
	for (int i = 0; base_choice_name(choices, i, word, sizeof word); i++)
		fprintf(out, "%s ", word);
}

void xp_words_shipped(FILE *out, enum xp_shipped kind)
{
	size_t n;
	char **names = xp_shipped_names(kind, &n);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s ", names[i]);
	xp_shipped_names_free(names, n);
}

void xp_words_list(FILE *out, const struct base_registry *registry)
{
	for (size_t i = 0; i < registry->n; i++) {
		size_t k = 0;
		while (strcmp(registry->v[k]->kind, registry->v[i]->kind) != 0)
			k++;
		if (k == i) /* the first of its kind */
			fprintf(out, "%s ", registry->v[i]->kind);
	}
	fputs("workloads statistics configs studies models ", out);
}

/* --- keys ------------------------------------------------------------------------------------------- */

struct keys {
	const struct base_registry *registry;
	void (*visit)(void *arg, const char *key, const char *words);
	void *arg;
	json_t *seen; /* plug-ins of a kind share names */
};

static void visit_path(struct keys *k, const char *path, const char *name, const char *words)
{
	char key[256];
	snprintf(key, sizeof key, "%s%s%s", path, *path ? "." : "", name);
	if (json_object_get(k->seen, key))
		return;
	json_object_set_new(k->seen, key, json_null());
	k->visit(k->arg, key, words);
}

/* A key of a section, with the words that its value can be ("" if it is no word). */
static void visit_key(struct keys *k, const struct xp_section *s, const char *name, const char *words)
{
	char entry[128];
	if (s->named) { /* by classes of links, of which these two are usual */
		visit_path(k, "links.local", name, words);
		visit_path(k, "links.global", name, words);
		return;
	}
	snprintf(entry, sizeof entry, "%s%s", s->path, s->entry_bytes ? ".[0]" : "");
	visit_path(k, entry, name, words);
}

static void visit_params(struct keys *k, const struct xp_section *s, const struct base_param *p)
{
	for (; p && p->name; p++) {
		char *words = NULL;
		size_t bytes = 0;
		FILE *out = base_memory_stream(&words, &bytes);
		char *plugins = p->type == BASE_PLUGIN ? base_plugin_choices(k->registry, p->unit, p->choices) : NULL;
		if (p->type == BASE_ENUM || plugins)
			xp_words_choices(out, plugins ? plugins : p->choices);
		else if (p->type == BASE_BOOL)
			fputs("true false ", out);
		fclose(out);
		visit_key(k, s, p->name, words);
		free(plugins);
		free(words);
	}
}

static void visit_pick(struct keys *k, const struct xp_section *s, const struct xp_pick *pick)
{
	char *words = NULL;
	size_t bytes = 0;
	FILE *out = base_memory_stream(&words, &bytes);
	for (size_t i = 0; i < k->registry->n; i++)
		if (!strcmp(k->registry->v[i]->kind, pick->plugin_kind))
			fprintf(out, "%s ", k->registry->v[i]->name);
	fclose(out);
	visit_key(k, s, pick->key, words);
	free(words);
	for (size_t i = 0; i < k->registry->n; i++)
		if (!strcmp(k->registry->v[i]->kind, pick->plugin_kind))
			visit_params(k, s, k->registry->v[i]->params);
}

static void visit_keys(struct keys *k)
{
	k->seen = json_object();
	for (const struct xp_section *s = xp_sections; s->path; s++) {
		visit_params(k, s, s->table);
		for (int i = 0; i < XP_PICKS && s->pick[i].key; i++)
			visit_pick(k, s, &s->pick[i]);
	}
	json_decref(k->seen);
}

static void print_key(void *out, const char *key, const char *words)
{
	(void)words;
	fprintf(out, "%s= ", key);
}

void xp_words_keys(FILE *out, const struct base_registry *registry)
{
	struct keys k = { .registry = registry, .visit = print_key, .arg = out };
	visit_keys(&k);
}

void xp_words_values(const struct base_registry *registry, void (*visit)(void *arg, const char *key, const char *words),
                     void *arg)
{
	struct keys k = { .registry = registry, .visit = visit, .arg = arg };
	visit_keys(&k);
}
