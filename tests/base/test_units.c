/* tests/base/test_units.c - quantities, numbers, lists and choices: exact values, ranges, and what is refused. */
#include "base/error.h"
#include "base/param.h"
#include "base/units.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct good {
	enum base_type type;
	const char *text;
	uint64_t value;
};

static int parse(enum base_type type, const char *text, uint64_t *value, const char **why)
{
	return type == BASE_TIME   ? base_parse_time(text, value, why)
	       : type == BASE_RATE ? base_parse_rate(text, value, why)
	                           : base_parse_size(text, value, why);
}

Test(units, exact)
{
	static const struct good table[] = {
		{ BASE_TIME, "0ps", 0 },
		{ BASE_TIME, "1ps", 1 },
		{ BASE_TIME, "50ns", 50000 },
		{ BASE_TIME, "2.5ns", 2500 },
		{ BASE_TIME, "20.48 ns", 20480 },
		{ BASE_TIME, " 0.001ns", 1 },
		{ BASE_TIME, "0.100us", 100000 },
		{ BASE_TIME, ".5us", 500000 },
		{ BASE_TIME, "3ms", 3000000000 },
		{ BASE_TIME, "18446744.073709551615s", UINT64_MAX },
		{ BASE_TIME, "18446744073709551615ps", UINT64_MAX },
		{ BASE_TIME, "1.00000000000000000000000000s", 1000000000000 },
		{ BASE_RATE, "100Gbps", 100000000000 },
		{ BASE_RATE, "100 Gb/s", 100000000000 },
		{ BASE_RATE, "1.5Kbps", 1500 },
		{ BASE_RATE, "12.5Tbps", 12500000000000 },
		{ BASE_RATE, "7bps", 7 },
		{ BASE_RATE, "40Mbps", 40000000 },
		{ BASE_SIZE, "256B", 256 },
		{ BASE_SIZE, "100KB", 100000 },
		{ BASE_SIZE, "64KiB", 65536 },
		{ BASE_SIZE, "0.5KiB", 512 },
		{ BASE_SIZE, "1.5MiB", 1572864 },
		{ BASE_SIZE, "2MB", 2000000 },
		{ BASE_SIZE, "3GB", 3000000000 },
		{ BASE_SIZE, "1GiB", 1073741824 },
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		uint64_t value = 0;
		const char *why = "";
		cr_assert_eq(parse(table[i].type, table[i].text, &value, &why), 0, "%s %s", table[i].text, why);
		cr_assert_eq(value, table[i].value, "%s gives %" PRIu64, table[i].text, value);
	}
}

Test(units, refused)
{
	static const struct {
		enum base_type type;
		const char *text, *why; /* a part of the reason */
	} table[] = {
		{ BASE_TIME, "", "begin with a number" },
		{ BASE_TIME, "ns", "begin with a number" },
		{ BASE_TIME, ".ns", "begin with a number" },
		{ BASE_TIME, "50", "ps, ns, us, ms, s" },
		{ BASE_TIME, "50 parsec", "ps, ns, us, ms, s" },
		{ BASE_TIME, "50NS", "ps, ns, us, ms, s" },
		{ BASE_TIME, "1e3ns", "ps, ns, us, ms, s" },
		{ BASE_TIME, "0x10ns", "ps, ns, us, ms, s" },
		{ BASE_TIME, "50nsec", "ps, ns, us, ms, s" },
		{ BASE_TIME, "-1ns", "negative" },
		{ BASE_TIME, "0.5ps", "whole number of picoseconds" },
		{ BASE_TIME, "0.0001ns", "whole number of picoseconds" },
		{ BASE_TIME, "0.1234567890123456789s", "more digits" },
		{ BASE_TIME, "18446744073709551616ps", "too large" },
		{ BASE_TIME, "18446744073709.551616us", "too large" },
		{ BASE_TIME, "99999999999999999999999999999999999999999999ps", "too large" },
		{ BASE_RATE, "100GB/s", "bps, Kbps, Mbps, Gbps, Tbps" },
		{ BASE_RATE, "0.5bps", "whole number of bits" },
		{ BASE_SIZE, "100kb", "B, KB, MB, GB, KiB, MiB, GiB" },
		{ BASE_SIZE, "0.3KiB", "whole number of bytes" },
		{ BASE_SIZE, "17179869184GiB", "too large" },
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		uint64_t value = 0;
		const char *why = NULL;
		cr_assert_eq(parse(table[i].type, table[i].text, &value, &why), -1, "%s was accepted", table[i].text);
		cr_assert(why && strstr(why, table[i].why), "%s: %s", table[i].text, why ? why : "no reason");
	}
}

Test(units, length)
{
	double metres = 0;
	const char *why = NULL;
	cr_assert_eq(base_parse_length("2.6m", &metres, &why), 0);
	cr_assert(metres == 2.6);
	cr_assert_eq(base_parse_length("2.6", &metres, &why), -1);
	cr_assert_eq(base_parse_length("-1m", &metres, &why), -1);
	cr_assert_eq(base_parse_length("2.6km", &metres, &why), -1);
}

/* Whatever is printed reads back to the same value, and no larger unit would have been exact. */
Test(units, print_reads_back)
{
	static const enum base_type types[] = { BASE_TIME, BASE_RATE, BASE_SIZE };
	uint64_t x = 88172645463325252u;
	for (int i = 0; i < 30000; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17; /* xorshift64 */
		uint64_t value = x >> (x % 64), back = 0;
		for (uint64_t k = x % 5; k > 0; k--) /* often a multiple of a unit */
			value = value < UINT64_MAX / 1000 ? 1000 * value : value;
		enum base_type type = types[i % 3];
		char text[64];
		const char *why = "";
		base_print_quantity(type, value, text, sizeof text);
		cr_assert_eq(parse(type, text, &back, &why), 0, "%s: %s", text, why);
		cr_assert_eq(back, value, "%" PRIu64 " printed as %s", value, text);
	}
}

Test(units, print_is_short)
{
	static const struct good table[] = {
		{ BASE_TIME, "50ns", 50000 },           { BASE_TIME, "20us", 20000000 },
		{ BASE_TIME, "2500ps", 2500 },          { BASE_TIME, "0ps", 0 },
		{ BASE_RATE, "100Gbps", 100000000000 }, { BASE_SIZE, "100KB", 100000 },
		{ BASE_SIZE, "64KiB", 65536 },          { BASE_SIZE, "256B", 256 },
		{ BASE_SIZE, "1MiB", 1048576 },
	};
	char text[64];
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		base_print_quantity(table[i].type, table[i].value, text, sizeof text);
		cr_assert_str_eq(text, table[i].text);
	}
}

Test(units, doubles_read_back)
{
	static const double values[] = { 0.0,  0.1,           0.05,    1.0,     100.0,
		                         1e6,  123456789.125, 1.0 / 3, 5e-324,  1.7976931348623157e308,
		                         1e-5, 9.999e-6,      1e15,    511.284, -0.25 };
	char text[64];
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		base_print_double(values[i], text, sizeof text);
		cr_assert(strtod(text, NULL) == values[i], "%s", text);
		cr_assert(strpbrk(text, ".e"), "%s looks like a whole number", text);
	}
	base_print_double(0.05, text, sizeof text);
	cr_assert_str_eq(text, "0.05");
	base_print_double(100, text, sizeof text);
	cr_assert_str_eq(text, "100.0");
}

struct all {
	bool flag;
	int64_t number, automatic;
	double real, length;
	char *word, *file;
	int choice;
	uint64_t time, rate, size, automatic_time, automatic_size;
	struct base_ints ints, bools, sizes;
	struct base_named plugin;
};

static const struct base_param table[] = {
	{ "flag", BASE_BOOL, offsetof(struct all, flag), "true", NULL, 0, 0, NULL, "h", NULL },
	{ "number", BASE_INT, offsetof(struct all, number), "7", NULL, -5, 9, NULL, "h", NULL },
	{ "automatic", BASE_AUTO_INT, offsetof(struct all, automatic), "auto", NULL, 1, 9, NULL, "h", NULL },
	{ "real", BASE_FLOAT, offsetof(struct all, real), "0.5", NULL, 0, 1, NULL, "h", NULL },
	{ "length", BASE_LENGTH, offsetof(struct all, length), "2.6m", NULL, 0, 100, NULL, "h", NULL },
	{ "word", BASE_STRING, offsetof(struct all, word), "all", NULL, 0, 0, NULL, "h", NULL },
	{ "file", BASE_FILE, offsetof(struct all, file), "", NULL, 0, 0, NULL, "h", NULL },
	{ "choice", BASE_ENUM, offsetof(struct all, choice), "relative", NULL, 0, 0, "absolute|relative|palmtree", "h",
	  NULL },
	{ "time", BASE_TIME, offsetof(struct all, time), "50ns", NULL, 1, 1e6, NULL, "h", NULL },
	{ "rate", BASE_RATE, offsetof(struct all, rate), "100Gbps", NULL, 0, 0, NULL, "h", NULL },
	{ "size", BASE_SIZE, offsetof(struct all, size), "100KB", NULL, 0, 0, NULL, "h", NULL },
	{ "automatic_time", BASE_AUTO_TIME, offsetof(struct all, automatic_time), "auto", NULL, 1, 1e6, NULL, "h",
	  NULL },
	{ "automatic_size", BASE_AUTO_SIZE, offsetof(struct all, automatic_size), "auto", NULL, 1, 2000, NULL, "h",
	  NULL },
	{ "ints", BASE_INTS, offsetof(struct all, ints), "8,8,4", NULL, 1, 8, NULL, "h", NULL },
	{ "bools", BASE_BOOLS, offsetof(struct all, bools), "true", NULL, 0, 0, NULL, "h", NULL },
	{ "sizes", BASE_SIZES, offsetof(struct all, sizes), "64B,1KiB", NULL, 1, 2000, NULL, "h", NULL },
	{ "plugin", BASE_PLUGIN, offsetof(struct all, plugin), "auto", "pattern", 0, 0, "auto", "h", NULL },
	{ 0 },
};

static const struct base_param *row(const char *name)
{
	const struct base_param *p = table;
	while (strcmp(p->name, name))
		p++;
	return p;
}

Test(params, defaults)
{
	struct all a = { 0 };
	struct base_errors errors = { 0 };
	char text[64];
	cr_assert_eq(base_params_defaults(table, &a, &errors), 0);
	cr_assert(a.flag && a.number == 7 && a.automatic == BASE_AUTO && a.real == 0.5 && a.length == 2.6);
	cr_assert(!strcmp(a.word, "all") && !a.file && a.choice == 1);
	cr_assert(a.time == 50000 && a.rate == 100000000000 && a.size == 100000);
	cr_assert(a.automatic_time == BASE_AUTO_TIME_VALUE && a.automatic_size == BASE_AUTO_SIZE_VALUE);
	cr_assert(a.ints.n == 3 && a.ints.v[0] == 8 && a.ints.v[2] == 4);
	cr_assert(a.bools.n == 1 && a.bools.v[0] == 1);
	cr_assert(!strcmp(a.plugin.name, "auto") && !a.plugin.plugin);
	cr_assert(a.sizes.n == 2 && a.sizes.v[0] == 64 && a.sizes.v[1] == 1024);
	for (const struct base_param *p = table; p->name; p++) { /* printing gives the default's text back */
		int length = base_param_print(p, &a, text, sizeof text);
		cr_assert_str_eq(text, p->default_value, "%s", p->name);
		cr_assert_eq((size_t)length, strlen(p->default_value), "%s", p->name);
		cr_assert_eq(base_param_print(p, &a, NULL, 0), length, "%s without room", p->name);
	}
	base_params_free(table, &a);
}

Test(params, refused)
{
	static const struct {
		const char *name, *text, *part;
	} bad[] = {
		{ "flag", "yes", "neither true nor false" },
		{ "number", "10", "out of range: -5 to 9" },
		{ "number", "-6", "out of range: -5 to 9" },
		{ "number", "1.0", "not a whole number" },
		{ "number", "9223372036854775808", "does not fit 64 bits" },
		{ "number", "", "not a whole number" },
		{ "number", "3 apples", "not a whole number" },
		{ "automatic", "many", "or \"auto\"" },
		{ "automatic", "0", "out of range" },
		{ "real", "nan", "not a number" },
		{ "real", "inf", "not a number" },
		{ "real", "0x1p-2", "not a number" },
		{ "real", "1e999", "too large" },
		{ "real", "1.01", "out of range: 0 to 1" },
		{ "length", "101m", "out of range: 0m to 100m" },
		{ "choice", "relativ", "did you mean \"relative\"" },
		{ "choice", "absolute|relative", "unknown value" },
		{ "choice", "", "allowed: absolute, relative, palmtree" },
		{ "time", "0ns", "out of range: 1ps to 1us" },
		{ "time", "2us", "out of range: 1ps to 1us" },
		{ "automatic_time", "2us", "out of range: 1ps to 1us" },
		{ "automatic_size", "3KB", "out of range: 1B to 2KB" },
		{ "automatic_size", "automatic", "is neither a size nor \"auto\"" },
		{ "ints", "8,,8", "not a whole number" },
		{ "ints", "8,9", "out of range: 1 to 8" },
		{ "ints", "8;8", "not a whole number" },
		{ "bools", "true,1", "neither true nor false" },
		{ "sizes", "64B,64", "needs one of the units" },
		{ "sizes", "3KB", "out of range: 1B to 2KB" },
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct all a = { 0 };
		struct base_errors errors = { 0 };
		cr_assert_eq(base_param_parse(row(bad[i].name), &a, bad[i].text, &errors), -1, "%s = %s", bad[i].name,
		             bad[i].text);
		cr_assert(errors.n == 1 && strstr(errors.v[0].text, bad[i].part), "%s = %s: %s", bad[i].name,
		          bad[i].text, errors.n ? errors.v[0].text : "no error");
		cr_assert_str_eq(errors.v[0].key, bad[i].name);
		base_errors_free(&errors);
		base_params_free(table, &a);
	}
}

Test(params, lists)
{
	struct all a = { 0 };
	struct base_errors errors = { 0 };
	static const char *const same[] = { "2,3", "[2, 3]", "( 2 ,3 )", "2 , 3" };
	for (size_t i = 0; i < 4; i++) {
		cr_assert_eq(base_param_parse(row("ints"), &a, same[i], &errors), 0, "%s", same[i]);
		cr_assert(a.ints.n == 2 && a.ints.v[0] == 2 && a.ints.v[1] == 3, "%s", same[i]);
	}
	cr_assert_eq(base_param_parse(row("ints"), &a, "", &errors), 0);
	cr_assert_eq(a.ints.n, 0u);
	base_params_free(table, &a);
}

Test(params, choices)
{
	char name[16];
	cr_assert_eq(base_choice("a|bc|d", "bc"), 1);
	cr_assert_eq(base_choice("a|bc|d", "b"), -1);
	cr_assert_eq(base_choice("a|bc|d", ""), -1);
	cr_assert(base_choice_name("a|bc|d", 2, name, sizeof name) && !strcmp(name, "d"));
	cr_assert(!base_choice_name("a|bc|d", 3, name, sizeof name));
	cr_assert(!base_choice_name("a|bc|d", -1, name, sizeof name));
}

Test(nearest, words)
{
	static const char *const words[] = { "topology", "traffic", "time", "seed", "switch", "q" };
	cr_assert_str_eq(base_nearest("topolgy", words, 6), "topology"); /* one deleted */
	cr_assert_str_eq(base_nearest("tarffic", words, 6), "traffic");  /* two swapped */
	cr_assert_str_eq(base_nearest("SWITCH", words, 6), "switch");    /* case */
	cr_assert_str_eq(base_nearest("tiem", words, 6), "time");
	cr_assert_null(base_nearest("congestion", words, 6));
	cr_assert_null(base_nearest("p", words, 6), "another letter is no misspelling");
	cr_assert_null(base_nearest("", words, 6));
	cr_assert_null(base_nearest("topology", words, 0));
	char lengthy[200];
	memset(lengthy, 'a', sizeof lengthy - 1);
	lengthy[sizeof lengthy - 1] = 0;
	cr_assert_null(base_nearest(lengthy, words, 6));
}
