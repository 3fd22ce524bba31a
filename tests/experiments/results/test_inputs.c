/* What a result was made from: which differences matter, and how they are said. */
#include "experiments/results/inputs.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define A "00000000000000000000000000000001"
#define B "00000000000000000000000000000002"
#define C "00000000000000000000000000000003"

static const struct {
	const char *then, *now; /* "kind path hash;..." */
	const char *why;        /* NULL: no difference */
} cases[] = {
	{ "program p " A ";", "program p " A ";", NULL },
	{ "program p " A ";", "program q " A ";", NULL },
	{ "program p " A ";", "program p " B ";", "the program changed" },
	{ "program p " A ";", "program q " B ";", "the program changed" },
	{ "configuration x " A ";", "configuration y " B ";", "the configuration y changed" },
	{ "include x " A ";", "include x " B ";", "the included file x changed" },
	{ "include x " A ";include y " B ";", "include y " B ";", "the included file x is not used any more" },
	{ "include x " A ";", "include x " A ";include y " B ";", "the included file y is new" },
	{ "topology.file x " A ";", "topology.file x " B ";", "x (topology.file) changed" },
	{ "topology.file x " A ";", "topology.file x -;", "x (topology.file) cannot be read" },
	{ "plug-in x " A ";", "plug-in x " B ";", "the plug-in x changed" },
	{ "plug-in x " A ";", "plug-in y " B ";", "the plug-in x is not used any more" },
	{ "plug-in x " A ";", "plug-in z " C ";plug-in y " A ";", NULL },
	{ "plug-in x " A ";plug-in y " B ";", "plug-in y " B ";plug-in x " A ";", NULL },
	{ "plug-in x " A ";plug-in y " B ";", "plug-in y " A ";plug-in x " B ";", NULL },
};

static void read_now(struct xp_inputs *inputs, char *text)
{
	char *kind, *path, *hash, *rest = NULL;
	for (char *one = strtok_r(text, ";", &rest); one; one = strtok_r(NULL, ";", &rest)) {
		char *inner = NULL;
		kind = strtok_r(one, " ", &inner);
		path = strtok_r(NULL, " ", &inner);
		hash = strtok_r(NULL, " ", &inner);
		inputs->v = realloc(inputs->v, (inputs->n + 1) * sizeof *inputs->v);
		inputs->v[inputs->n] = (struct xp_input){ .kind = strdup(kind), .path = strdup(path) };
		if (*hash != '-')
			strcpy(inputs->v[inputs->n].hash, hash);
		inputs->n++;
	}
}

Test(inputs, differences)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct xp_inputs then = { 0 }, now = { 0 };
		char *a = strdup(cases[i].then), *b = strdup(cases[i].now);
		read_now(&then, a);
		read_now(&now, b);
		struct base_buffer text = { 0 };
		struct base_json json = base_json_memory(&text);
		base_json_object(&json, NULL);
		xp_inputs_member(&json, &then);
		base_json_end(&json);
		json_t *manifest = json_loads(text.data, 0, NULL);
		cr_assert_not_null(manifest);
		char *why = xp_inputs_difference(&now, json_object_get(manifest, "inputs"));
		if (cases[i].why)
			cr_assert_str_eq(why ? why : "", cases[i].why);
		else
			cr_assert_null(why, "case %zu: %s", i, why);
		free(why);
		free(text.data);
		json_decref(manifest);
		xp_inputs_free(&then);
		xp_inputs_free(&now);
		free(a);
		free(b);
	}
}

Test(inputs, a_result_without_inputs_stands_for_nothing)
{
	struct xp_inputs now = { 0 };
	char *why = xp_inputs_difference(&now, NULL);
	cr_assert_str_eq(why, "its result does not list the files that it was made from");
	free(why);
}
