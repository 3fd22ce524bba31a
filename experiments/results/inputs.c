/* experiments/results/inputs.c - see inputs.h */
#include "experiments/results/inputs.h"

#include "base/format.h"
#include "base/input.h"
#include "base/memory.h"
#include "experiments/config/message.h"
#include "experiments/results/reader.h"
#include "experiments/results/target.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define BLOCK ((size_t)1 << 18)

static struct xp_input *add_input(struct xp_inputs *inputs, const char *kind, const char *path)
{
	inputs->v = base_realloc(inputs->v, (inputs->n + 1) * sizeof *inputs->v);
	struct xp_input *input = &inputs->v[inputs->n++];
	*input = (struct xp_input){ .kind = base_strdup(kind), .path = base_strdup(path) };
	return input;
}

static void add_program(struct xp_inputs *inputs)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	path[n > 0 ? n : 0] = 0;
	add_input(inputs, "program", path);
}

/* The path of an included file: libconfig uses the name as written, relative to the configuration's directory. */
static char *include_path(const struct xp_config *config, const char *file)
{
	if (!config->folder || *file == '/')
		return base_strdup(file);
	char *path = base_format("%s/%s", config->folder, file);
	if (!access(path, F_OK))
		return path;
	free(path);
	return base_strdup(file);
}

/* Every file but the first that a node of the tree was written in, once. */
static void add_includes(struct xp_inputs *inputs, const struct xp_config *config, const struct xp_node *node)
{
	char *path = node->file && strcmp(node->file, config->name) != 0 ? include_path(config, node->file) : NULL;
	bool known = !path;
	for (size_t i = 0; i < inputs->n && !known; i++)
		known = !strcmp(inputs->v[i].path, path);
	if (!known)
		add_input(inputs, "include", path);
	free(path);
	for (size_t i = 0; i < node->n; i++)
		add_includes(inputs, config, node->child[i]);
}

static bool is_beside(const char *kind)
{
	return !strncmp(kind, XP_BESIDE, strlen(XP_BESIDE));
}

/* Another file of an input that has several. */
static void add_beside(struct xp_inputs *inputs, const char *kind, const char *path)
{
	struct xp_input *input = inputs->n ? &inputs->v[inputs->n - 1] : NULL;
	if (!input || strcmp(input->kind, kind) != 0)
		input = add_input(inputs, kind, path);
	input->file = base_realloc(input->file, (input->files + 1) * sizeof *input->file);
	input->file[input->files++] = base_strdup(path);
}

static void on_file(void *arg, const char *key, const char *path)
{
	if (is_beside(key))
		add_beside(arg, key, path);
	else
		add_input(arg, key, path);
}

/* What several files are called. */
static void name_beside(struct xp_inputs *inputs)
{
	for (size_t i = 0; i < inputs->n; i++) {
		struct xp_input *input = &inputs->v[i];
		if (input->files < 2)
			continue;
		char *path = base_format("%s and %zu more", input->file[0], input->files - 1);
		free(input->path);
		input->path = path;
	}
}

void xp_inputs_list(struct xp_inputs *inputs, const struct xp_config *config, const struct base_registry *registry)
{
	add_program(inputs);
	if (config->name && strcmp(config->name, XP_STDIN_NAME) != 0)
		add_input(inputs, "configuration", config->name);
	if (config->tree && config->name)
		add_includes(inputs, config, config->tree);
	xp_config_each_file(&config->net, on_file, inputs);
	name_beside(inputs);
	for (size_t i = 0; i < registry->nhandles; i++)
		add_input(inputs, "plug-in", registry->paths[i]);
}

/* Reads a file into the hash; -1 if it is none that can be read. */
static int read_into(XXH3_state_t *state, const char *path, char *block, uint64_t *bytes)
{
	const char *why;
	int fd = base_open_input(path, false, &why);
	ssize_t n;
	*bytes = 0;
	if (fd < 0)
		return -1;
	while ((n = read(fd, block, BLOCK)) > 0) {
		XXH3_128bits_update(state, block, (size_t)n);
		*bytes += (uint64_t)n;
	}
	close(fd);
	return n ? -1 : 0;
}

/* The files of an input, each followed by its length: so where one ends makes a difference. */
static int read_all(XXH3_state_t *state, const struct xp_input *input, char *block, uint64_t *all)
{
	uint64_t bytes;
	for (size_t i = 0; i < input->files; i++) {
		if (read_into(state, input->file[i], block, &bytes))
			return -1;
		unsigned char length[8];
		for (unsigned k = 0; k < 8; k++)
			length[k] = (unsigned char)(bytes >> 8 * k);
		XXH3_128bits_update(state, length, sizeof length);
		*all += bytes;
	}
	return 0;
}

/* The program is read as it runs, even if another has taken its name since. */
static void hash_file(struct xp_input *input)
{
	const char *path = strcmp(input->kind, "program") ? input->path : "/proc/self/exe";
	XXH3_state_t *state = XXH3_createState();
	char *block = base_alloc(BLOCK);
	uint64_t bytes = 0;
	XXH3_128bits_reset(state);
	int status = input->files ? read_all(state, input, block, &bytes) : read_into(state, path, block, &bytes);
	XXH128_hash_t hash = XXH3_128bits_digest(state);
	if (!status) {
		input->bytes = bytes;
		snprintf(input->hash, sizeof input->hash, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
		         (uint64_t)hash.low64);
	}
	free(block);
	XXH3_freeState(state);
}

/* (Several files are never taken for the first of them, which a key may name.) */
static const struct xp_input *find(const struct xp_inputs *inputs, const struct xp_input *like)
{
	for (size_t i = 0; inputs && i < inputs->n; i++)
		if (!strcmp(inputs->v[i].path, like->path) && is_beside(inputs->v[i].kind) == is_beside(like->kind))
			return &inputs->v[i];
	return NULL;
}

void xp_inputs_hash(struct xp_inputs *inputs, struct xp_inputs *known)
{
	for (size_t i = 0; i < inputs->n; i++) {
		struct xp_input *input = &inputs->v[i];
		const struct xp_input *before = find(known, input);
		if (*input->hash)
			continue;
		if (!before) {
			hash_file(input);
			if (!known)
				continue;
			struct xp_input *copy = add_input(known, input->kind, input->path);
			copy->bytes = input->bytes;
			memcpy(copy->hash, input->hash, sizeof copy->hash);
		} else {
			input->bytes = before->bytes;
			memcpy(input->hash, before->hash, sizeof input->hash);
		}
	}
}

void xp_inputs_free(struct xp_inputs *inputs)
{
	for (size_t i = 0; i < inputs->n; i++) {
		free(inputs->v[i].kind);
		free(inputs->v[i].path);
		for (size_t k = 0; k < inputs->v[i].files; k++)
			free(inputs->v[i].file[k]);
		free(inputs->v[i].file);
	}
	free(inputs->v);
	*inputs = (struct xp_inputs){ 0 };
}

void xp_inputs_member(struct base_json *j, const struct xp_inputs *inputs)
{
	base_json_array(j, "inputs");
	for (size_t i = 0; i < inputs->n; i++) {
		const struct xp_input *input = &inputs->v[i];
		base_json_object(j, NULL);
		base_json_string(j, "kind", input->kind);
		base_json_string(j, "path", input->path);
		base_json_uint(j, "bytes", input->bytes);
		base_json_string(j, "xxh128", *input->hash ? input->hash : NULL);
		base_json_end(j);
	}
	base_json_end(j);
}

static char *say(const char *kind, const char *path, const char *what)
{
	if (!strcmp(kind, "program"))
		return base_format("the program %s", what);
	if (!strcmp(kind, "configuration") || !strcmp(kind, "plug-in"))
		return base_format("the %s %s %s", kind, path, what);
	if (!strcmp(kind, "include"))
		return base_format("the included file %s %s", path, what);
	return base_format("%s (%s) %s", path, kind, what);
}

char *xp_inputs_changed(const struct xp_inputs *inputs)
{
	for (size_t i = 0; i < inputs->n; i++) {
		struct xp_input now = inputs->v[i];
		now.hash[0] = 0;
		hash_file(&now);
		if (strcmp(now.hash, inputs->v[i].hash) != 0)
			return say(now.kind, now.path, *now.hash ? "changed" : "cannot be read any more");
	}
	return NULL;
}

/* Is one of the old inputs the same, wherever it lies? */
static bool was_there(const struct xp_input *input, const json_t *then)
{
	const json_t *old;
	size_t i;
	json_array_foreach (then, i, old)
		if (!strcmp(xp_text(old, "kind"), input->kind) && !strcmp(xp_text(old, "xxh128"), input->hash))
			return true;
	return false;
}

/* Why this old input cannot stand; NULL if it is there still, wherever it lies. */
static char *missing(const json_t *old, const struct xp_inputs *now)
{
	const char *kind = xp_text(old, "kind"), *path = xp_text(old, "path");
	const struct xp_input *renewed = NULL;
	for (size_t i = 0; i < now->n; i++) {
		const struct xp_input *input = &now->v[i];
		if (strcmp(input->kind, kind) != 0)
			continue;
		if (*input->hash && !strcmp(xp_text(old, "xxh128"), input->hash))
			return NULL;
		if (!strcmp(input->path, path) || !strcmp(kind, "program") || !strcmp(kind, "configuration") ||
		    is_beside(kind))
			renewed = input;
	}
	return renewed ? say(kind, renewed->path, *renewed->hash ? "changed" : "cannot be read")
	               : say(kind, path, "is not used any more");
}

char *xp_inputs_difference(const struct xp_inputs *now, const json_t *then)
{
	const json_t *old;
	size_t k;
	if (!json_is_array(then))
		return base_strdup("its result does not list the files that it was made from");
	json_array_foreach (then, k, old) {
		char *why = missing(old, now);
		if (why)
			return why;
	}
	/* A plug-in that was not there gave nothing that was used: two of one name cannot both be loaded. */
	for (size_t i = 0; i < now->n; i++)
		if (strcmp(now->v[i].kind, "plug-in") != 0 && !was_there(&now->v[i], then))
			return say(now->v[i].kind, now->v[i].path, "is new");
	return NULL;
}

bool xp_inputs_hold(const struct xp_inputs *inputs, bool standard_input, const char *file, const char *by)
{
	struct stat st;
	if (!strcmp(file, "-") || stat(file, &st))
		return false;
	for (size_t i = 0; i < inputs->n; i++) {
		const struct xp_input *input = &inputs->v[i];
		bool is = !input->files && xp_target_is(&st, input->path);
		for (size_t k = 0; k < input->files && !is; k++)
			is = xp_target_is(&st, input->file[k]);
		if (!is)
			continue;
		xp_message("%s: is an input file of %s (%s %s) and would be overwritten", file, by, input->kind,
		           input->path);
		return true;
	}
	if (!standard_input || !xp_target_is(&st, "/proc/self/fd/0"))
		return false;
	xp_message("%s: is the input of %s (standard input) and would be overwritten", file, by);
	return true;
}
