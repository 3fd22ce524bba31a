/* tests/base/test_plugin.c - descriptors of plug-ins that cannot be used are refused with the reason. */
#include "base/plugin.h"

#include <criterion/criterion.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct values {
	int64_t n;
	int choice;
	char *text;
};

#define ROW(n, t, at, is, from, to)                                                             \
	{                                                                                       \
		.name = n, .type = t, .offset = at, .default_value = is, .min = from, .max = to \
	}
#define AT offsetof(struct values, n)

static const int functions;

static void expect(const struct base_plugin *plugin, const char *want)
{
	struct base_errors errors = { 0 };
	int status = base_check_plugin(plugin, "x.so", &errors);
	if (!want) {
		cr_expect(status == 0 && errors.n == 0, "refused: %s", errors.n ? errors.v[0].text : "");
	} else {
		cr_expect(status != 0, "accepted, wanted: %s", want);
		cr_expect(errors.n && strstr(errors.v[0].text, want), "wanted \"%s\", got \"%s\"", want,
		          errors.n ? errors.v[0].text : "nothing");
	}
	base_errors_free(&errors);
}

static struct base_plugin good(const struct base_param *params)
{
	return (struct base_plugin){ .kind = "pattern",
		                     .name = "x",
		                     .summary = "s",
		                     .params = params,
		                     .params_bytes = sizeof(struct values),
		                     .ops = &functions };
}

Test(plugin, descriptor)
{
	struct base_plugin p = good(NULL);
	expect(&p, NULL);
	p = good(NULL);
	p.kind = NULL;
	expect(&p, "x.so exports a plug-in of kind \"\"");
	p.kind = "patern";
	expect(&p, "x.so exports a plug-in of kind \"patern\"; possible kinds:");
	static const char *const names[] = { NULL, "", "a b", "a\033[2J", "=", "a.b" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		p = good(NULL);
		p.name = names[i];
		expect(&p, "x.so exports a pattern whose name is not");
	}
	p = good(NULL);
	p.ops = NULL;
	expect(&p, "pattern \"x\": the table of functions, ops, is NULL");
	p = good(NULL);
	p.summary = NULL;
	expect(&p, "pattern \"x\": it has no summary");
}

struct bad_param {
	struct base_param rows[3];
	const char *want;
};

Test(plugin, parameters)
{
	static const struct bad_param table[] = {
		{ { ROW("a", BASE_INT, AT, "1", 0, 0), ROW("b", BASE_STRING, offsetof(struct values, text), "", 0, 0) },
		  NULL },
		{ { ROW("a b", BASE_INT, AT, "1", 0, 0) }, "a name that is not valid in a configuration" },
		{ { ROW("a", (enum base_type)99, AT, "1", 0, 0) }, "\"a\" has an unknown type" },
		{ { ROW("a", BASE_INT, sizeof(struct values), "1", 0, 0) }, "lies outside the struct" },
		{ { ROW("a", BASE_INT, SIZE_MAX - 7, "1", 0, 0) }, "lies outside the struct" },
		{ { ROW("a", BASE_INT, 4, "1", 0, 0) }, "an offset that is not aligned for its type" },
		{ { ROW("a", BASE_ENUM, offsetof(struct values, choice), "x", 0, 0) }, "without a list of choices" },
		{ { { .name = "a", .type = BASE_PLUGIN, .default_value = "auto", .unit = "patern" } },
		  "of an unknown kind" },
		{ { { .name = "a", .type = BASE_PLUGIN, .default_value = "auto", .unit = "pattern" } }, NULL },
		{ { ROW("a", BASE_INT, AT, "1", 3, 2) }, "a minimum above its maximum" },
		{ { ROW("a", BASE_INT, AT, "1", 0, 0), ROW("a", BASE_INT, AT, "1", 0, 0) }, "\"a\" is there twice" },
		{ { ROW("a", BASE_INT, AT, "seven", 0, 0) }, "the default value of parameter \"a\"" },
		{ { ROW("a", BASE_INT, AT, "7", 0, 6) }, "the default value of parameter \"a\"" },
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct base_plugin p = good(table[i].rows);
		expect(&p, table[i].want);
	}
}

/* A parameter that names a plug-in, or "auto". */
Test(plugin, parameters_that_name_one)
{
	static const struct base_param rows[] = {
		{ .name = "which", .type = BASE_PLUGIN, .default_value = "auto", .unit = "pattern", .choices = "auto" },
		{ .name = NULL }
	};
	static const struct base_plugin other = { .kind = "switch", .name = "other" };
	const struct base_plugin p = good(NULL);
	struct base_registry registry = { 0 };
	struct base_errors errors = { 0 };
	struct base_named named = { 0 };
	base_register(&registry, &p, &errors);
	base_register(&registry, &other, &errors);
	char *choices = base_plugin_choices(&registry, "pattern", "auto");
	cr_expect_str_eq(choices, "x|auto");
	cr_expect_eq(base_params_defaults(rows, &named, &errors), 0);
	cr_expect_eq(base_bind_plugins(&registry, rows, &named, &errors), 0);
	cr_expect(!named.plugin && !strcmp(named.name, "auto") && base_param_is_default(rows, &named));
	cr_expect_eq(base_param_parse(rows, &named, "x", &errors), 0);
	cr_expect_eq(base_bind_plugins(&registry, rows, &named, &errors), 0);
	cr_expect(named.plugin == &p && !base_param_is_default(rows, &named));
	cr_expect_eq(errors.n, 0u);
	base_param_parse(rows, &named, "other", &errors); /* of another kind */
	cr_expect_eq(base_bind_plugins(&registry, rows, &named, &errors), -1);
	cr_expect(errors.n == 1 && !strcmp(errors.v[0].key, "which"));
	cr_expect_str_eq(errors.v[0].text, "unknown value \"other\"; allowed: x, auto");
	cr_expect(!named.plugin && !strcmp(named.name, "auto"), "the default, so that nothing else is found wrong");
	free(choices);
	base_params_free(rows, &named);
	base_errors_free(&errors);
	base_registry_free(&registry);
}

Test(plugin, first_lie_is_kept)
{
	struct base_loaded loaded = { 0 };
	struct base_plugin p = good(NULL);
	base_refute(&p, "a built-in one is believed");
	cr_expect_null(base_refuted(&p));
	p.loaded = &loaded;
	cr_expect_null(base_refuted(&p));
	base_refute(&p, "destination(%d) says %u", 3, 4000000000u);
	base_refute(&p, "another");
	cr_expect_str_eq(base_refuted(&p), "pattern \"x\": destination(3) says 4000000000");
	struct base_errors errors = { 0 };
	cr_expect_eq(base_report_refuted(&p, "k", &errors), -1);
	cr_expect(errors.errors == 1 && !strcmp(errors.v[0].key, "k"));
	base_errors_free(&errors);
}

Test(plugin, failure_without_a_reason)
{
	struct base_errors errors = { 0 };
	struct base_plugin p = good(NULL);
	cr_expect_eq(base_built(&p, 0, 0, &errors), 0);
	cr_expect_eq(base_built(&p, -1, 0, &errors), -1);
	cr_expect(errors.errors == 1 && strstr(errors.v[0].text, "build() returned -1, a failure, without a reason"));
	cr_expect_eq(base_built(&p, 0, 0, &errors), -1, "errors are a failure whatever is returned");
	cr_expect_eq(errors.errors, 1);
	base_errors_free(&errors);
}
