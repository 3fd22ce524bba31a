/* tests/experiments/test_json.c - the JSON writer, read back by an independent reader (jansson). */
#include "experiments/json.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Test(json, shapes)
{
	struct xp_buffer b = { 0 };
	struct xp_json j = xp_json_memory(&b);
	xp_json_object(&j, NULL);
	xp_json_int(&j, "a", -3);
	xp_json_array(&j, "list");
	xp_json_uint(&j, NULL, UINT64_MAX);
	xp_json_array(&j, NULL);
	xp_json_end(&j);
	xp_json_object(&j, NULL);
	xp_json_bool(&j, "t", true);
	xp_json_null(&j, "n");
	xp_json_end(&j);
	xp_json_end(&j);
	xp_json_double(&j, "d", 0.05);
	xp_json_end(&j);
	xp_json_newline(&j);
	xp_json_object(&j, NULL);
	xp_json_end(&j);
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
		struct xp_buffer b = { 0 };
		struct xp_json j = xp_json_memory(&b);
		json_error_t error;
		xp_json_array(&j, NULL);
		xp_json_string(&j, NULL, texts[i]);
		xp_json_end(&j);
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
		struct xp_buffer b = { 0 };
		struct xp_json j = xp_json_memory(&b);
		xp_json_array(&j, NULL);
		xp_json_double(&j, NULL, values[i]);
		xp_json_double(&j, NULL, NAN);
		xp_json_double(&j, NULL, INFINITY);
		xp_json_end(&j);
		json_t *back = json_loads(b.data, 0, NULL);
		cr_assert_not_null(back, "%s", b.data);
		cr_assert(json_real_value(json_array_get(back, 0)) == values[i], "%s", b.data);
		cr_assert(json_is_null(json_array_get(back, 1)) && json_is_null(json_array_get(back, 2)));
		json_decref(back);
		free(b.data);
	}
}
