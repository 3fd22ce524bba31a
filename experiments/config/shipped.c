/* experiments/config/shipped.c - see shipped.h. */
#include "experiments/config/shipped.h"

#include "base/memory.h"
#include "base/param.h"
#include "experiments/config/scan.h"
#include "experiments/config/tree.h"
#include "tilefly_version.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	const char *folder, *suffix, *comment;
} of_kind[XP_SHIPPED_KINDS] = {
	[XP_SHIPPED_CONFIG] = { "configs", ".cfg", "#" },
	[XP_SHIPPED_STUDY] = { "studies", ".cfg", "#" },
	[XP_SHIPPED_MODEL] = { "aspen", ".aspen", "//" },
};

static bool is_file(const char *path)
{
	struct stat st;
	return !stat(path, &st) && !S_ISDIR(st.st_mode);
}

/* Copies the i-th directory that may contain shipped files of a kind to out. The order is: beside the program, in the
 * installation, in the source tree. Returns false if there is no i-th directory. */
static bool shipped_folder(enum xp_shipped kind, unsigned i, char *out, size_t room)
{
	char self[3000];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	self[n > 0 ? n : 0] = 0;
	char *slash = strrchr(self, '/');
	if (slash)
		*slash = 0;
	switch (i) {
	case 0:
		snprintf(out, room, "%s/../share/tilefly/shipped/%s", self, of_kind[kind].folder);
		return true;
	case 1:
		snprintf(out, room, "%s/shipped/%s", TILEFLY_DATA_DIR, of_kind[kind].folder);
		return true;
	case 2:
		snprintf(out, room, "%s/experiments/shipped/%s", TILEFLY_SOURCE_DIR, of_kind[kind].folder);
		return true;
	}
	return false;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **xp_shipped_names(enum xp_shipped kind, size_t *n)
{
	char folder[4000];
	char **names = NULL;
	*n = 0;
	for (unsigned i = 0; shipped_folder(kind, i, folder, sizeof folder); i++) {
		DIR *dir = opendir(folder);
		for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
			size_t length = strlen(entry->d_name), end = strlen(of_kind[kind].suffix);
			if (length <= end || strcmp(entry->d_name + length - end, of_kind[kind].suffix) != 0)
				continue;
			names = base_realloc(names, (*n + 1) * sizeof *names);
			names[*n] = base_strdup(entry->d_name);
			names[(*n)++][length - end] = 0;
		}
		if (dir)
			closedir(dir);
	}
	if (names)
		qsort(names, *n, sizeof *names, by_name);
	size_t kept = 0;
	for (size_t i = 0; i < *n; i++) {
		if (kept && !strcmp(names[kept - 1], names[i]))
			free(names[i]);
		else
			names[kept++] = names[i];
	}
	*n = kept;
	return names;
}

void xp_shipped_names_free(char **names, size_t n)
{
	while (n)
		free(names[--n]);
	free(names);
}

static const char *nearest_of(const char *source, enum xp_shipped kind, char *out, size_t room)
{
	size_t n;
	char **names = xp_shipped_names(kind, &n);
	const char *near = base_nearest(source, (const char **)(void *)names, n);
	snprintf(out, room, "%s", near ? near : "");
	xp_shipped_names_free(names, n);
	return *out ? out : NULL;
}

char *xp_shipped_path(enum xp_shipped kind, const char *name)
{
	char folder[4000], path[4300];
	for (unsigned i = 0; shipped_folder(kind, i, folder, sizeof folder); i++) {
		snprintf(path, sizeof path, "%s/%.200s%s", folder, name, of_kind[kind].suffix);
		if (is_file(path))
			return base_strdup(path);
	}
	return NULL;
}

/* --- titles ----------------------------------------------------------------------------------------- */

/* The comment that a text begins with, lines joined; malloc'ed. */
static char *first_comment(const char *text, const char *mark)
{
	char *out = base_alloc(strlen(text) + 1);
	size_t n = 0;
	while (!strncmp(text, mark, strlen(mark))) {
		text += strlen(mark);
		text += strspn(text, "# \t");
		size_t length = strcspn(text, "\n");
		if (n && length)
			out[n++] = ' ';
		memcpy(out + n, text, length);
		n += length;
		text += length;
		text += *text == '\n';
	}
	out[n] = 0;
	return out;
}

/* Cuts a text behind its first sentence: a full stop, a space, a capital letter or digit. */
static void cut_sentence(char *text)
{
	for (char *p = text; (p = strstr(p, ". ")); p++)
		if (isupper((unsigned char)p[2]) || isdigit((unsigned char)p[2])) {
			*p = 0;
			return;
		}
	size_t length = strlen(text);
	if (length && text[length - 1] == '.')
		text[length - 1] = 0;
}

static char *title_of_model(const char *text)
{
	const char *mark = of_kind[XP_SHIPPED_MODEL].comment;
	char *title = strncmp(text, mark, strlen(mark)) ? NULL : first_comment(text, mark);
	char *reference = title ? strstr(title, " (docs/") : NULL;
	if (reference)
		*reference = 0;
	else if (title)
		cut_sentence(title);
	return title;
}

char *xp_shipped_title(const char *path)
{
	struct base_errors errors = { 0 };
	char *text, *title = NULL;
	size_t bytes;
	const char *why;
	if (xp_slurp(path, &text, &bytes, &why))
		return NULL;
	size_t length = strlen(path), end = strlen(of_kind[XP_SHIPPED_MODEL].suffix);
	if (length > end && !strcmp(path + length - end, of_kind[XP_SHIPPED_MODEL].suffix)) {
		title = title_of_model(text);
		free(text);
		return title;
	}
	struct xp_node *root = xp_tree_parse(text, bytes, path, NULL, &errors);
	struct xp_node *node = xp_member(root, "title");
	if (node && node->type == XP_STRING) {
		title = base_strdup(node->text);
	} else if (*text == '#') {
		title = first_comment(text, of_kind[XP_SHIPPED_CONFIG].comment);
		cut_sentence(title);
	}
	xp_node_free(root);
	base_errors_free(&errors);
	free(text);
	return title;
}

/* --- finding ---------------------------------------------------------------------------------------- */

char *xp_shipped_find(const char *source, struct base_errors *errors)
{
	char place[600], near[300];
	if (is_file(source) || strchr(source, '/'))
		return base_strdup(source);
	for (int kind = 0; kind <= XP_SHIPPED_STUDY; kind++) {
		char *path = xp_shipped_path((enum xp_shipped)kind, source);
		if (path)
			return path;
	}
	snprintf(place, sizeof place, "@%.500s", source);
	if (nearest_of(source, XP_SHIPPED_CONFIG, near, sizeof near) ||
	    nearest_of(source, XP_SHIPPED_STUDY, near, sizeof near))
		base_errorf(errors, place, "no such file or shipped configuration; did you mean \"%s\"?", near);
	else
		base_errorf(
		    errors, place,
		    "no such file or shipped configuration (see tilefly list configs and tilefly list studies)");
	return NULL;
}

char *xp_shipped_model(const char *name, const char *path)
{
	size_t length = strlen(name), end = strlen(of_kind[XP_SHIPPED_MODEL].suffix);
	if (is_file(path) || strchr(name, '/') || length <= end || length > 200 ||
	    strcmp(name + length - end, of_kind[XP_SHIPPED_MODEL].suffix) != 0)
		return NULL;
	char *stem = base_strdup(name), *found;
	stem[length - end] = 0;
	found = xp_shipped_path(XP_SHIPPED_MODEL, stem);
	free(stem);
	return found;
}
