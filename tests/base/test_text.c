/* tests/base/test_text.c - what a terminal gets to see of texts from files. */
#include "base/text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void expect(const char *text, const char *want)
{
	char out[64];
	cr_expect_str_eq(base_harmless_copy(text, out, sizeof out), want);
	cr_expect_eq(base_is_harmless(text, false), !strcmp(text, want), "%s", want);
}

Test(text, harmless)
{
	expect("", "");
	expect("plain text, 100 %", "plain text, 100 %");
	expect("\x1b[2J", "?[2J");
	expect("a\nb\tc\rd\x7f", "a?b?c?d?");
	expect("\x9b[2J", "?[2J");      /* CSI in one byte */
	expect("\xc2\x9b[2J", "??[2J"); /* U+009B */
	expect("\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
	expect("\xc0\x9b\xe0\x80\x9b\xf0\x80\x80\x9b", "?????????"); /* other spellings of it, which are no UTF-8 */
	expect("\xed\xa0\x80\xf4\x90\x80\x80\xff", "????????");      /* surrogates, above U+10FFFF */
	expect("cut \xe2\x82", "cut ??");
}

Test(text, copies_are_cut)
{
	char out[4];
	cr_assert_str_eq(base_harmless_copy("ab\xc3\xa9", out, sizeof out), "ab?");
}

Test(text, columns)
{
	char text[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z", out[32];
	cr_assert_eq(base_columns(text), 5);
	cr_assert_eq(base_columns(""), 0);
	cr_assert_eq(base_field(text, 7), 13);
	cr_assert_eq(snprintf(out, sizeof out, "%-*s|", base_field(text, 7), text), 14);
	cr_assert_str_eq(out, "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z  |");
	base_cut(text, 5);
	cr_assert_eq(strlen(text), 11);
	base_cut(text, 3);
	cr_assert_str_eq(text, "a\xc3\xa9\xe2\x82\xac");
	base_cut(text, 0);
	cr_assert_str_eq(text, "");
}

Test(text, lines)
{
	cr_assert(base_is_harmless("two\nlines\tand \xc3\xa9", true));
	cr_assert(base_is_harmless("two\r\nlines", true));
	cr_assert(!base_is_harmless("over\rwritten", true));
	cr_assert(!base_is_harmless("two\nlines", false));
	cr_assert(!base_is_harmless("\x1b[2J", true));
}
