/* tests/base/test_json.c - the JSON writer, read back by an independent reader (jansson). */
#include "base/json.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Test(json, shapes)
{
	struct base_buffer b = { 0 };
	struct base_json j = base_json_memory(&b);
	base_json_object(&j, NULL);
	base_json_int(&j, "a", -3);
	base_json_array(&j, "list");
	base_json_uint(&j, NULL, UINT64_MAX);
	base_json_array(&j, NULL);
	base_json_end(&j);
	base_json_object(&j, NULL);
	base_json_bool(&j, "t", true);
	base_json_null(&j, "n");
	base_json_end(&j);
	base_json_end(&j);
	base_json_double(&j, "d", 0.05);
	base_json_end(&j);
	base_json_newline(&j);
	base_json_object(&j, NULL);
	base_json_end(&j);
	cr_assert_str_eq(b.data,
	                 "{\"a\":-3,\"list\":[18446744073709551615,[],{\"t\":true,\"n\":null}],\"d\":0.05}\n{}");
	free(b.data);
}

/* Every byte, and sequences that are no UTF-8. */
Test(json, strings_are_valid)
{
	static const char *const texts[] = { "plain",
		                             "quote \" backslash \\ slash /",
		                             "\001\037\177\n\t\r",
		                             "ä€😀",
		                             "\xff",
		                             "\xc3",
		                             "\xc0\x80",
		                             "\xed\xa0\x80",
		                             "\xf4\x90\x80\x80",
		                             "a\xe2\x82" };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct base_buffer b = { 0 };
		struct base_json j = base_json_memory(&b);
		json_error_t error;
		base_json_array(&j, NULL);
		base_json_string(&j, NULL, texts[i]);
		base_json_end(&j);
		json_t *back = json_loads(b.data, 0, &error);
		cr_assert_not_null(back, "%s: %s", b.data, error.text);
		if (i < 4)
			cr_assert_str_eq(json_string_value(json_array_get(back, 0)), texts[i]);
		json_decref(back);
		free(b.data);
	}
}

Test(json, doubles)
{
	static const double values[] = { 0, 1, -0.1, 1.0 / 3, 1e300, 5e-324, 511.284, 123456789012345678.0 };
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		struct base_buffer b = { 0 };
		struct base_json j = base_json_memory(&b);
		base_json_array(&j, NULL);
		base_json_double(&j, NULL, values[i]);
		base_json_double(&j, NULL, NAN);
		base_json_double(&j, NULL, INFINITY);
		base_json_end(&j);
		json_t *back = json_loads(b.data, 0, NULL);
		cr_assert_not_null(back, "%s", b.data);
		cr_assert(json_real_value(json_array_get(back, 0)) == values[i], "%s", b.data);
		cr_assert(json_is_null(json_array_get(back, 1)) && json_is_null(json_array_get(back, 2)));
		json_decref(back);
		free(b.data);
	}
}

/* A terminal obeys U+009B as it does ESC [. */
Test(json, control_characters_are_escaped)
{
	struct base_buffer b = { 0 };
	struct base_json j = base_json_memory(&b);
	base_json_string(&j, NULL, "\x1b[2J \x7f \xc2\x9b \xc2\xa0\xc3\xa9");
	cr_assert_str_eq(b.data, "\"\\u001b[2J \\u007f \\u009b \xc2\xa0\xc3\xa9\"");
	free(b.data);
}
