/* experiments/commands/list_shipped.c - see list_shipped.h */
#include "experiments/commands/list_shipped.h"

#include "base/error.h"
#include "base/json.h"

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

static void print_json(struct base_json *j, const char *name, const char *path, const char *title)
{
	base_json_object(j, NULL);
	base_json_string(j, "name", name);
	base_json_string(j, "title", title);
	base_json_string(j, "path", path);
	base_json_end(j);
}

void xp_list_shipped(enum xp_shipped kind, bool json)
{
	size_t n, width = 0;
	char **names = xp_shipped_names(kind, &n);
	struct base_json j = base_json_stream(stdout);
	if (json)
		base_json_array(&j, NULL);
	for (size_t i = 0; i < n; i++)
		width = strlen(names[i]) > width ? strlen(names[i]) : width;
	for (size_t i = 0; i < n; i++) {
		char *path = xp_shipped_path(kind, names[i]), *title = path ? xp_shipped_title(path) : NULL;
		if (json)
			print_json(&j, names[i], path, title);
		else
			printf("%-*s  %s\n", (int)width, names[i], title ? title : "");
		free(path);
		free(title);
	}
	if (json) {
		base_json_end(&j);
		base_json_newline(&j);
	}
	xp_shipped_names_free(names, n);
}
