/* experiments/commands/list_shipped.c - see list_shipped.h */
#include "experiments/commands/list_shipped.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int xp_shipped_kind(const char *word)
{
	static const char *const words[][4] = {
		[XP_SHIPPED_CONFIG] = { "configs", "config", "configurations", "configuration" },
		[XP_SHIPPED_STUDY] = { "studies", "study", "experiments", "experiment" },
		[XP_SHIPPED_MODEL] = { "models", "model", "applications", "application" },
	};
	for (int kind = 0; kind < XP_SHIPPED_KINDS; kind++)
		for (size_t i = 0; i < sizeof words[kind] / sizeof *words[kind]; i++)
			if (!strcmp(word, words[kind][i]))
				return kind;
	return -1;
}

void xp_json_shipped(struct base_json *j, enum xp_shipped kind, const char *word)
{
	size_t n;
	char **names = xp_shipped_names(kind, &n);
	for (size_t i = 0; i < n; i++) {
		char *path = xp_shipped_path(kind, names[i]), *title = path ? xp_shipped_title(path) : NULL;
		base_json_object(j, NULL);
		if (word)
			base_json_string(j, "kind", word);
		base_json_string(j, "name", names[i]);
		base_json_string(j, "title", title);
		base_json_string(j, "path", path);
		base_json_end(j);
		free(path);
		free(title);
	}
	xp_shipped_names_free(names, n);
}

static void print_list_shipped_text(enum xp_shipped kind)
{
	size_t n, width = 0;
	char **names = xp_shipped_names(kind, &n);
	for (size_t i = 0; i < n; i++)
		width = strlen(names[i]) > width ? strlen(names[i]) : width;
	for (size_t i = 0; i < n; i++) {
		char *path = xp_shipped_path(kind, names[i]), *title = path ? xp_shipped_title(path) : NULL;
		printf("%-*s  %s\n", (int)width, names[i], title ? title : "");
		free(path);
		free(title);
	}
	xp_shipped_names_free(names, n);
}

void xp_list_shipped(enum xp_shipped kind, bool json)
{
	struct base_json j = base_json_stream(stdout);
	if (!json) {
		print_list_shipped_text(kind);
		return;
	}
	base_json_array(&j, NULL);
	xp_json_shipped(&j, kind, NULL);
	base_json_end(&j);
	base_json_newline(&j);
}
