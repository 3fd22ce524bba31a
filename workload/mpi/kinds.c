/* workload/mpi/kinds.c - see kinds.h */
#include "workload/mpi/kinds.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/param.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define KEY "mpi.classes"
#define MPI_PREFIX 4u /* of "MPI_Allreduce" */
#define FIRST WL_MPI_BARRIER
#define LAST WL_MPI_EXSCAN

static const char sends_name[] = "point-to-point", others_name[] = "collectives";

struct kind_name {
	char text[32];
};

/* As users write it: "allreduce". */
static struct kind_name kind_name(enum mpi_op kind)
{
	struct kind_name name = { { 0 } };
	const char *from = kind == WL_KIND_SENDS ? sends_name : mpi_op_name(kind) + MPI_PREFIX;
	for (size_t i = 0; from[i] && i + 1 < sizeof name.text; i++)
		name.text[i] = (char)tolower((unsigned char)from[i]);
	return name;
}

static char *trim_word(char *word)
{
	while (*word == ' ' || *word == '\t')
		word++;
	for (size_t n = strlen(word); n && (word[n - 1] == ' ' || word[n - 1] == '\t'); n--)
		word[n - 1] = 0;
	return word;
}

static int refuse_kind(const char *word, struct base_errors *errors)
{
	struct kind_name kinds[WL_KINDS];
	const char *names[WL_KINDS + 2] = { sends_name, others_name };
	size_t n = 2;
	for (enum mpi_op op = FIRST; op <= LAST; op++) {
		kinds[op] = kind_name(op);
		names[n++] = kinds[op].text;
	}
	const char *near = base_nearest(word, names, n);
	struct base_buffer known = { 0 };
	for (size_t i = 0; i < n; i++)
		base_buffer_printf(&known, "%s%s", i ? ", " : "", names[i]);
	int status = base_errorf(errors, KEY, "\"%.60s\" is not a kind of messages%s%s%s: %s", word,
	                         near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "", known.data);
	free(known.data);
	return status;
}

static int find_class_of(const struct net_config *config, const char *name, uint8_t *index, struct base_errors *errors)
{
	const char **known = base_calloc((size_t)config->nclasses + 1, sizeof *known);
	for (uint32_t i = 0; i < config->nclasses; i++) {
		known[i] = config->classes[i].name ? config->classes[i].name : "";
		if (!strcmp(known[i], name)) {
			free(known);
			*index = (uint8_t)i;
			return 0;
		}
	}
	const char *near = base_nearest(name, known, config->nclasses);
	if (near)
		base_errorf(errors, KEY, "there is no class \"%.60s\"; did you mean \"%.60s\"?", name, near);
	else
		base_errorf(errors, KEY, "there is no class \"%.60s\"%s%.60s%s", name,
		            config->nclasses ? "; the first class is \"" : "", config->nclasses ? known[0] : "",
		            config->nclasses ? "\"" : ": define it in classes");
	free(known);
	return -1;
}

static int read_kind(struct wl_kinds *out, uint8_t *others, char *word, const struct net_config *config,
                     struct base_errors *errors)
{
	char *class = strchr(word, '=');
	uint8_t index = WL_NO_CLASS;
	if (!class)
		return base_errorf(errors, KEY, "\"%.60s\" is not of the form \"KIND = CLASS\"", word);
	*class = 0;
	class = trim_word(class + 1);
	word = trim_word(word);
	enum mpi_op kind = FIRST;
	bool is_others = !strcasecmp(word, others_name), found = is_others;
	if (!strcasecmp(word, sends_name)) {
		kind = WL_KIND_SENDS;
		found = true;
	}
	for (enum mpi_op op = FIRST; op <= LAST && !found; op++)
		if (!strcasecmp(kind_name(op).text, word)) {
			kind = op;
			found = true;
		}
	if (!found)
		return refuse_kind(word, errors);
	if (find_class_of(config, class, &index, errors))
		return -1;
	if (is_others ? *others != WL_NO_CLASS : (out->named & wl_kind_bit(kind)) != 0)
		return base_errorf(errors, KEY, "%s is given two classes",
		                   is_others ? others_name : kind_name(kind).text);
	if (is_others) {
		*others = index;
		out->others = true;
		return 0;
	}
	out->class_of[kind] = index;
	out->named |= wl_kind_bit(kind);
	return 0;
}

static bool is_empty(const char *text)
{
	return !text || !*text;
}

int wl_kinds_read(struct wl_kinds *out, const struct net_config *config, struct base_errors *errors)
{
	uint8_t others = WL_NO_CLASS;
	int status = 0;
	*out = (struct wl_kinds){ .named = 0 };
	memset(out->class_of, (int)WL_NO_CLASS, sizeof out->class_of);
	if (is_empty(config->mpi.classes))
		return 0;
	const char *scope = errors->scope;
	errors->scope = NULL;
	char *words = base_strdup(config->mpi.classes), *rest = words;
	for (char *word; (word = strsep(&rest, ","));)
		status |= read_kind(out, &others, trim_word(word), config, errors);
	free(words);
	errors->scope = scope;
	for (enum mpi_op op = FIRST; op <= LAST; op++)
		if (!(out->named & wl_kind_bit(op)))
			out->class_of[op] = others;
	return status ? -1 : 0;
}

bool wl_kinds_use(const struct net_config *config, const char *class_name)
{
	if (is_empty(config->mpi.classes) || !class_name)
		return false;
	bool used = false;
	char *words = base_strdup(config->mpi.classes), *rest = words;
	for (char *word; (word = strsep(&rest, ","));) {
		char *class = strchr(word, '=');
		used |= class && !strcmp(trim_word(class + 1), class_name);
	}
	free(words);
	return used;
}

int wl_kinds_check(const struct wl_kinds *kinds, uint64_t used, struct base_errors *errors)
{
	int status = 0;
	for (enum mpi_op op = FIRST; op <= LAST; op++)
		if (kinds->named & ~used & wl_kind_bit(op))
			status = base_errorf(errors, KEY, "the class of %s has no effect: no job has such messages",
			                     kind_name(op).text);
	if (kinds->named & ~used & wl_kind_bit(WL_KIND_SENDS))
		status =
		    base_errorf(errors, KEY, "the class of %s has no effect: no job has such messages", sends_name);
	if (kinds->others && !(used & ~kinds->named & ~wl_kind_bit(WL_KIND_SENDS)))
		status =
		    base_errorf(errors, KEY, "the class of %s has no effect: no job has collectives that are not named",
		                others_name);
	return status;
}
