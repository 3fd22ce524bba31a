/* experiments/config.c - see config.h: finding the file, loading it, freeing, and printing what is wrong with it. */
#include "experiments/config.h"

#include "base/memory.h"
#include "experiments/scan.h"
#include "experiments/schema.h"
#include "tilefly_version.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- shipped configurations ------------------------------------------------------------------------- */

#define SHIPPED_MAX 256

static bool is_file(const char *path)
{
	struct stat st;
	return !stat(path, &st) && !S_ISDIR(st.st_mode);
}

/* Folders that may hold shipped configurations, most specific first: beside the program, where it was installed, where
 * it was built from. i-th one in out; false after the last. */
static bool shipped_folder(unsigned i, char *out, size_t room)
{
	char self[3000];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	self[n > 0 ? n : 0] = 0;
	char *slash = strrchr(self, '/');
	if (slash)
		*slash = 0;
	switch (i) {
	case 0:
		snprintf(out, room, "%s/../share/tilefly/experiments", self);
		return true;
	case 1:
		snprintf(out, room, "%s/experiments", TILEFLY_DATA_DIR);
		return true;
	case 2:
		snprintf(out, room, "%s/experiments", TILEFLY_SOURCE_DIR);
		return true;
	}
	return false;
}

static size_t shipped_names(const char **names, size_t room)
{
	char folder[4000];
	size_t n = 0;
	for (unsigned i = 0; shipped_folder(i, folder, sizeof folder); i++) {
		DIR *dir = opendir(folder);
		for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
			size_t length = strlen(entry->d_name);
			if (length < 5 || strcmp(entry->d_name + length - 4, ".cfg") || n == room)
				continue;
			char *name = base_strdup(entry->d_name);
			name[length - 4] = 0;
			names[n++] = name;
		}
		if (dir)
			closedir(dir);
	}
	return n;
}

char *xp_config_find(const char *source, struct base_errors *errors)
{
	char folder[4000], path[4300], place[600];
	const char *names[SHIPPED_MAX];
	if (is_file(source) || strchr(source, '/'))
		return base_strdup(source);
	for (unsigned i = 0; shipped_folder(i, folder, sizeof folder); i++) {
		snprintf(path, sizeof path, "%s/%.200s.cfg", folder, source);
		if (is_file(path))
			return base_strdup(path);
	}
	size_t n = shipped_names(names, SHIPPED_MAX);
	const char *near = base_nearest(source, names, n);
	snprintf(place, sizeof place, "@%.500s", source);
	if (near)
		base_errorf(errors, place,
		            "no such file, and no shipped configuration of that name; did you mean \"%s\"?", near);
	else
		base_errorf(errors, place, "no such file, and no shipped configuration of that name");
	while (n)
		free((char *)(uintptr_t)names[--n]);
	return NULL;
}

/* --- loading ---------------------------------------------------------------------------------------- */

int xp_config_parse(struct xp_config *config, const char *text, size_t bytes, const char *name, const char *folder,
                    const char *const *sets, size_t nsets, enum xp_config_scope scope,
                    const struct base_registry *registry, struct base_errors *errors)
{
	*config = (struct xp_config){ .name = base_strdup(name), .folder = folder ? base_strdup(folder) : NULL };
	config->tree = xp_tree_parse(text, bytes, config->name, config->folder, errors);
	if (!config->tree)
		return -1;
	if (xp_member(config->tree, "grid")) {
		char place[600];
		snprintf(place, sizeof place, "@%.500s", config->name);
		return base_errorf(errors, place,
		                   "an experiment of many configurations: run it with \"tilefly sweep\"");
	}
	for (size_t i = 0; i < nsets; i++)
		xp_tree_set(config->tree, sets[i], errors);
	xp_config_read(config, scope, registry, errors);
	xp_config_check(&config->net, errors);
	return errors->errors ? -1 : 0;
}

int xp_config_load(struct xp_config *config, const char *source, const char *const *sets, size_t nsets,
                   enum xp_config_scope scope, const struct base_registry *registry, struct base_errors *errors)
{
	*config = (struct xp_config){ 0 };
	bool from_stdin = !strcmp(source, "-");
	char *path = from_stdin ? NULL : xp_config_find(source, errors);
	if (!path && !from_stdin)
		return -1;
	char *text;
	size_t bytes;
	const char *why;
	int status = -1;
	if (xp_slurp(path, &text, &bytes, &why)) {
		char place[600];
		snprintf(place, sizeof place, "@%.500s", path ? path : "<stdin>");
		base_errorf(errors, place, "cannot be read: %s", why);
	} else {
		char *folder = path ? base_strdup(path) : NULL;
		char *slash = folder ? strrchr(folder, '/') : NULL;
		if (slash)
			*(slash == folder ? slash + 1 : slash) = 0;
		status = xp_config_parse(config, text, bytes, path ? path : "<stdin>", slash ? folder : NULL, sets,
		                         nsets, scope, registry, errors);
		free(folder);
		free(text);
	}
	free(path);
	return status;
}

/* --- freeing ---------------------------------------------------------------------------------------- */

static void free_entry(const struct xp_section *s, char *base)
{
	base_params_free(s->table, base);
	for (int i = 0; i < XP_PICKS && s->pick[i].key; i++) {
		struct net_choice *choice = (struct net_choice *)(void *)(base + s->pick[i].offset);
		if (choice->plugin)
			base_params_free(choice->plugin->params, choice->params);
		free(choice->params);
		*choice = (struct net_choice){ 0 };
	}
}

void xp_config_free(struct xp_config *config)
{
	char *net = (char *)&config->net;
	for (const struct xp_section *s = xp_sections; s->path; s++) {
		if (!s->entry_bytes) {
			free_entry(s, net + s->offset);
			continue;
		}
		char *entries = *(char **)(void *)(net + s->offset);
		uint32_t n = *(uint32_t *)(void *)(net + s->count_offset);
		for (uint32_t i = 0; i < n; i++)
			free_entry(s, entries + i * s->entry_bytes);
		free(entries);
	}
	xp_node_free(config->tree);
	free(config->name);
	free(config->folder);
	*config = (struct xp_config){ 0 };
}

/* --- reporting -------------------------------------------------------------------------------------- */

void xp_config_place(const struct xp_config *config, const char *key, char *out, size_t room)
{
	if (config && config->name)
		xp_tree_locate(config->tree, config->name, key, out, room);
	else
		snprintf(out, room, "%s%s", key[0] == '@' ? "" : "tilefly", key[0] == '@' ? key + 1 : *key ? ": " : "");
}

void xp_config_line(const struct xp_config *config, const struct base_error *error, struct xp_buffer *out)
{
	char place[1600];
	size_t from = out->n;
	xp_config_place(config, error->key, place, sizeof place);
	xp_buffer_printf(out, "%s: %s%s", place, error->warning ? "warning: " : "", error->text);
	for (size_t i = from; i < out->n; i++) /* the text may quote what a file or an argument holds */
		if ((unsigned char)out->data[i] < ' ' || out->data[i] == 0x7f)
			out->data[i] = '?';
}

void xp_config_report(const struct xp_config *config, const struct base_errors *errors, FILE *out)
{
	for (size_t i = 0; i < errors->n; i++) {
		struct xp_buffer line = { 0 };
		xp_config_line(config, &errors->v[i], &line);
		fprintf(out, "%s\n", line.data);
		free(line.data);
	}
}
