/* experiments/config/files.c - the files that a resolved configuration names. */
#include "experiments/config/config.h"
#include "experiments/config/schema.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

struct visit {
	void (*file)(void *arg, const char *key, const char *path);
	void *arg;
	const char *key; /* for visit_beside() */
};

/* `names`: a key may name files by what they have in common, and there is none of that name. */
static void visit_table(const struct visit *v, const char *scope, const struct base_param *table, const void *params,
                        bool names)
{
	char key[200];
	for (const struct base_param *p = table; p && p->name; p++) {
		const void *at = (const char *)params + p->offset;
		snprintf(key, sizeof key, "%s%s%s", scope, *scope ? "." : "", p->name);
		if (p->type == BASE_FILES) {
			const struct base_texts *list = at;
			for (size_t i = 0; i < list->n; i++)
				v->file(v->arg, key, list->v[i]);
		} else if (p->type == BASE_FILE) {
			const char *path = *(char *const *)at;
			if (path && *path && !(names && access(path, F_OK)))
				v->file(v->arg, key, path);
		}
	}
}

static void visit_beside(void *arg, const char *path)
{
	const struct visit *v = arg;
	v->file(v->arg, v->key, path);
}

/* What a plug-in reads besides the files that its parameters name. */
static void visit_others(const struct visit *v, const char *scope, const struct base_plugin *plugin, const void *params)
{
	char key[200];
	snprintf(key, sizeof key, XP_BESIDE "%s.%s", scope, plugin->name);
	struct visit others = { v->file, v->arg, key };
	plugin->files(params, visit_beside, &others);
}

static void visit_entry(const struct visit *v, const char *scope, const struct xp_section *section, const char *base)
{
	for (int i = 0; i < XP_PICKS && section->pick[i].key; i++) {
		const struct net_choice *choice =
		    (const struct net_choice *)(const void *)(base + section->pick[i].offset);
		if (choice->plugin)
			visit_table(v, scope, choice->plugin->params, choice->params, choice->plugin->files != NULL);
		if (choice->plugin && choice->plugin->files)
			visit_others(v, scope, choice->plugin, choice->params);
	}
	visit_table(v, scope, section->table, base, false);
}

void xp_config_each_file(const struct net_config *net, void (*visit)(void *arg, const char *key, const char *path),
                         void *arg)
{
	const struct visit v = { visit, arg, NULL };
	char scope[100];
	for (const struct xp_section *s = xp_sections; s->path; s++) {
		const char *base = (const char *)net + s->offset;
		if (!s->entry_bytes) {
			visit_entry(&v, s->path, s, base);
			continue;
		}
		const char *entries = *(char *const *)(const void *)base;
		uint32_t n = *(const uint32_t *)(const void *)((const char *)net + s->count_offset);
		for (uint32_t i = 0; i < n; i++) {
			snprintf(scope, sizeof scope, "%s.[%" PRIu32 "]", s->path, i);
			visit_entry(&v, scope, s, entries + i * s->entry_bytes);
		}
	}
}
