/* tests/workload/test_rows.c - files of rows: numbers are read exactly, and every problem is named with its line. */
#include "base/json.h"
#include "workload/open/distribution.h"
#include "workload/rows/flows.h"
#include "workload/rows/matrix.h"
#include "workload/rows/rows.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct text_file {
	int fd;
	char path[64];
};

static struct text_file file_of(const char *text)
{
	struct text_file f = { .fd = memfd_create("rows", 0) };
	cr_assert(f.fd >= 0 && write(f.fd, text, strlen(text)) == (ssize_t)strlen(text));
	snprintf(f.path, sizeof f.path, "/proc/self/fd/%d", f.fd);
	return f;
}

static struct wl_cell cell_of(const char *text)
{
	return (struct wl_cell){ text, (uint32_t)strlen(text) };
}

Test(rows, decimals_are_exact)
{
	static const struct {
		const char *text;
		unsigned places;
		uint64_t value;
		enum wl_decimal found;
	} v[] = {
		{ "0", 3, 0, WL_DECIMAL_GOOD },
		{ "12", 3, 12000, WL_DECIMAL_GOOD },
		{ "1.5", 3, 1500, WL_DECIMAL_GOOD },
		{ "2.000000123456", 12, 2000000123456u, WL_DECIMAL_GOOD },
		{ "2.0000001234564999999999999999", 12, 2000000123456u, WL_DECIMAL_GOOD },
		{ "2.0000001234565", 12, 2000000123457u, WL_DECIMAL_GOOD },
		{ ".0005", 3, 1, WL_DECIMAL_GOOD },
		{ "0.00049999999999999999999999999", 3, 0, WL_DECIMAL_GOOD },
		{ "1e-3", 3, 1, WL_DECIMAL_GOOD },
		{ "1e-300", 12, 0, WL_DECIMAL_GOOD },
		{ "1.25E+2", 0, 125, WL_DECIMAL_GOOD },
		{ "-0", 3, 0, WL_DECIMAL_GOOD },
		{ "-1", 3, 0, WL_DECIMAL_NEGATIVE },
		{ "inf", 3, 0, WL_DECIMAL_NOT_FINITE },
		{ "NaN", 3, 0, WL_DECIMAL_NOT_FINITE },
		{ "1e30", 3, 0, WL_DECIMAL_TOO_LARGE },
		{ "18446744073709551616", 0, 0, WL_DECIMAL_TOO_LARGE },
		{ "1.2.3", 3, 0, WL_DECIMAL_NONE },
		{ "", 3, 0, WL_DECIMAL_NONE },
		{ "1e", 3, 0, WL_DECIMAL_NONE },
		{ "ten", 3, 0, WL_DECIMAL_NONE },
	};
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		struct wl_cell c = cell_of(v[i].text);
		uint64_t got;
		cr_expect_eq(wl_cell_decimal(&c, v[i].places, &got), v[i].found, "\"%s\"", v[i].text);
		cr_expect_eq(got, v[i].value, "\"%s\" is %llu", v[i].text, (unsigned long long)got);
	}
}

Test(rows, counts_are_whole)
{
	uint64_t v;
	struct wl_cell c = cell_of("1e6");
	cr_expect(wl_cell_count(&c, 1000000, &v) && v == 1000000);
	c = cell_of("3.16e+06");
	cr_expect(wl_cell_count(&c, UINT32_MAX, &v) && v == 3160000);
	c = cell_of("100.0");
	cr_expect(wl_cell_count(&c, 100, &v) && v == 100);
	static const char *const bad[] = { "101", "1.5", "-1", "x", "", "1e-1", "99999999999999999999" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		c = cell_of(bad[i]);
		cr_expect_not(wl_cell_count(&c, 100, &v), "\"%s\"", bad[i]);
	}
}

Test(rows, cells_and_comments)
{
	struct text_file f = file_of("# head\n\n 1, 2 ,3\n4\t5  6 # more\r\n7;;\"8\"\n9");
	struct base_errors errors = { 0 };
	struct wl_rows r;
	cr_assert_eq(wl_rows_open(&r, f.path, "file", &errors), 0);
	cr_assert(wl_rows_next(&r) && r.cells == 3 && r.line == 3);
	cr_expect(wl_cell_is(&r.cell[1], "2"));
	cr_assert(wl_rows_next(&r) && r.cells == 3 && r.line == 4);
	cr_expect(wl_cell_is(&r.cell[2], "6"));
	cr_assert(wl_rows_next(&r) && r.cells == 3 && r.line == 5);
	cr_expect_eq(r.cell[1].length, 0u);
	cr_expect(wl_cell_is(&r.cell[2], "8"));
	cr_assert(wl_rows_next(&r) && r.cells == 1 && r.line == 6);
	cr_expect_not(wl_rows_next(&r));
	cr_expect_eq(wl_rows_close(&r), 0);
	cr_expect(errors.n == 1 && errors.v[0].warning && strstr(errors.v[0].text, ":6: the last line has no end"));
	base_errors_free(&errors);
	close(f.fd);
}

/* --- flows --------------------------------------------------------------------------------------------------- */

static const char *const classes[] = { "bulk", "short" };

static int read_flows(struct wl_flows *out, const char *text, uint32_t class, const bool *taken,
                      struct base_errors *errors)
{
	struct text_file f = file_of(text);
	const struct wl_flows_of of = { .file = f.path,
		                        .key = "file",
		                        .members = 8,
		                        .places = 3,
		                        .packet = 1000,
		                        .most_bytes = 1000000,
		                        .class_name = classes,
		                        .classes = 2,
		                        .class_index = class,
		                        .taken = taken };
	int status = wl_flows_read(out, &of, errors);
	close(f.fd);
	return status;
}

Test(rows, flows_by_source_in_order)
{
	struct base_errors errors = { 0 };
	struct wl_flows f;
	cr_assert_eq(
	    read_flows(&f, "start_us,bytes,destination,source\n0,1500,1,0\n0.000001,1,3,2\n1,2000,2,0\n1,1000000,0,7\n",
	               0, NULL, &errors),
	    0, "%s", errors.n ? errors.v[0].text : "");
	cr_expect_eq(f.n, 4u);
	cr_expect_eq(f.bytes, 1003501u);
	cr_expect_eq(f.last_start, 1000000u);
	cr_expect_eq(f.least_packet, 1u);
	static const uint64_t first[] = { 0, 2, 2, 3, 3, 3, 3, 3, 4 }, expected[] = { 1, 1, 1, 1, 0, 0, 0, 0 };
	cr_expect_arr_eq(f.first, first, sizeof first);
	cr_expect_arr_eq(f.expected, expected, sizeof expected);
	cr_expect(f.v[0].start == 0 && f.v[0].to == 1 && f.v[0].bytes == 1500);
	cr_expect(f.v[1].start == 1000000 && f.v[1].to == 2 && f.v[1].bytes == 2000);
	cr_expect(f.v[2].start == 1 && f.v[2].to == 3);
	wl_flows_free(&f);
	base_errors_free(&errors);
}

Test(rows, flows_by_class)
{
	static const char text[] = "0 0 1 10 bulk\n1 1 2 20 short\n2 2 3 30\t\"\"\n";
	struct base_errors errors = { 0 };
	struct wl_flows f;
	for (uint32_t k = 0; k < 2; k++) {
		cr_assert_eq(read_flows(&f, text, k, (bool[]){ true, true }, &errors), 0, "%s",
		             errors.n ? errors.v[0].text : "");
		cr_expect_eq(f.n, k ? 1u : 2u);
		cr_expect_eq(f.bytes, k ? 20u : 40u);
		wl_flows_free(&f);
	}
	cr_expect_eq(read_flows(&f, text, 0, (bool[]){ true, false }, &errors), -1);
	cr_expect(errors.errors == 1 && strstr(errors.v[0].text, ":2: no job takes the flows of this class"));
	base_errors_free(&errors);
}

static void expect_flow_error(const char *text, const char *part)
{
	struct base_errors errors = { 0 };
	struct wl_flows f;
	cr_expect_eq(read_flows(&f, text, 0, NULL, &errors), -1, "%s", text);
	cr_expect(errors.errors == 1 && strstr(errors.v[0].text, part), "%s: %zu errors, \"%s\" does not say \"%s\"",
	          text, errors.errors, errors.n ? errors.v[0].text : "", part);
	base_errors_free(&errors);
}

Test(rows, flow_problems_have_lines)
{
	expect_flow_error("0 0 1 10\n5 0 8 10\n",
	                  ":2: unknown destination: the job's endpoints are numbered from 0 to 7: \"8\"");
	expect_flow_error("0 x 1 10\n", ":1: unknown source");
	expect_flow_error("5 0 1 10\n4 0 1 10\n", ":2: this flow starts before the one above it");
	expect_flow_error("-1 0 1 10\n", ":1: a start is not negative: \"-1\"");
	expect_flow_error("inf 0 1 10\n", ":1: a start is finite");
	expect_flow_error("1e30 0 1 10\n", ":1: too large for a start");
	expect_flow_error("0 3 3 10\n", ":1: the destination of a flow is its source: \"3\"");
	expect_flow_error("0 0 1 0\n", ":1: the bytes of a flow are a whole number from 1 to 1000000: \"0\"");
	expect_flow_error("0 0 1 1000001\n", ":1: the bytes of a flow are");
	expect_flow_error("0 0 1 10\n0 0 1\n", ":2: 3 values; a flow has 4 in this file");
	expect_flow_error("0 0 1 10 bulc\n", ":1: there is no class of this name, did you mean \"bulk\"?");
	expect_flow_error("start,source,dest,bytes\n", ":1: unknown column");
	expect_flow_error("start,source,destination,byte\n", "did you mean \"bytes\"?");
	expect_flow_error("start,source,source,bytes\n", ":1: a second column of this kind");
	expect_flow_error("start,source,bytes\n0,1,5\n", ":1: a column \"destination\" is missing");
	expect_flow_error("# nothing\n", "the file has no flows");
	expect_flow_error("", "the file has no flows");
	expect_flow_error("0 0 1 10 short\n", "the file has no flows of the job's class");
}

Test(rows, all_problems_at_once_and_the_rest_counted)
{
	struct base_buffer text = { 0 };
	struct base_errors errors = { 0 };
	struct wl_flows f;
	for (int i = 0; i < 30; i++)
		base_buffer_printf(&text, "%d 0 9 10\n", i);
	cr_expect_eq(read_flows(&f, text.data, 0, NULL, &errors), -1);
	cr_expect_eq(errors.errors, WL_ROWS_ERRORS + 1);
	cr_expect(strstr(errors.v[WL_ROWS_ERRORS].text, "10 more problems of this kind"));
	base_errors_free(&errors);
	free(text.data);
}

/* --- matrices ------------------------------------------------------------------------------------------------ */

static int read_matrix(struct wl_matrix *m, const char *text, uint32_t size, bool diagonal, struct base_errors *errors)
{
	struct text_file f = file_of(text);
	int status = wl_matrix_read(m, f.path, "file", "endpoint", "endpoints", size, diagonal, errors);
	close(f.fd);
	return status;
}

Test(rows, matrices_dense_and_sparse_are_the_same)
{
	static const char *const texts[] = { "0,1,2.5\n0,0,1e1\n3,0,0\n",
		                             "source destination rate\n2 0 3\n0 2 2.5\n0 1 1\n1 2 10\n",
		                             "weight;source;destination\n1;0;1\n2.5;0;2\n10;1;2\n3;2;0\n" };
	for (size_t i = 0; i < 3; i++) {
		struct base_errors errors = { 0 };
		struct wl_matrix m;
		cr_assert_eq(read_matrix(&m, texts[i], 3, false, &errors), 0, "%s", errors.n ? errors.v[0].text : "");
		cr_assert_eq(m.n, 4u);
		static const struct wl_matrix_cell want[] = {
			{ 0, 1, 1, 0 }, { 0, 2, 2.5, 0 }, { 1, 2, 10, 0 }, { 2, 0, 3, 0 }
		};
		for (size_t k = 0; k < 4; k++)
			cr_expect(m.v[k].from == want[k].from && m.v[k].to == want[k].to &&
			          !(m.v[k].value < want[k].value) && !(m.v[k].value > want[k].value));
		wl_matrix_free(&m);
		base_errors_free(&errors);
	}
}

static void expect_matrix_error(const char *text, uint32_t size, const char *part)
{
	struct base_errors errors = { 0 };
	struct wl_matrix m;
	cr_expect_eq(read_matrix(&m, text, size, false, &errors), -1, "%s", text);
	cr_expect(errors.errors == 1 && strstr(errors.v[0].text, part), "%s: %zu errors, \"%s\" does not say \"%s\"",
	          text, errors.errors, errors.n ? errors.v[0].text : "", part);
	base_errors_free(&errors);
}

Test(rows, matrix_problems_have_lines)
{
	expect_matrix_error("0 1 5\n0 4 5\n", 4, ":2: unknown destination: endpoints are numbered from 0 to 3: \"4\"");
	expect_matrix_error("0 1 5\n1 2 3\n0 1 6\n", 4, ":3: endpoint 0 to 1 is given twice");
	expect_matrix_error("0 1 -5\n", 4, ":1: a rate is not negative: \"-5\"");
	expect_matrix_error("0 1 nan\n", 4, ":1: a rate is finite");
	expect_matrix_error("0 1 1e999\n", 4, ":1: too large for a rate");
	expect_matrix_error("2 2 1\n", 4, ":1: an endpoint does not send to itself: \"2\"");
	expect_matrix_error("0 1\n", 4, ":1: 2 values in row 0; there are 4 endpoints");
	expect_matrix_error("0 1 0 0\n0 0 1\n", 4, ":2: 3 values in row 1");
	expect_matrix_error("0 1 0 0\n0 0 1 0\n", 4, ":2: the file ends after 2 rows; there are 4 endpoints");
	expect_matrix_error("0 1\n1 0\n0 0\n", 2, ":3: more than 2 rows");
	expect_matrix_error("0 1 5\n0 1\n", 4, ":2: 2 values; expected are source, destination and a rate");
	expect_matrix_error("0 1 0\n", 4, "the matrix is empty");
	expect_matrix_error("1 1\n1 0\n", 2, ":1: endpoint 0 does not send to itself");
	expect_matrix_error("source,destination,rats\n", 4, "did you mean rate?");
}

/* --- sizes --------------------------------------------------------------------------------------------------- */

static int read_sizes(struct wl_distribution *d, const char *text, struct base_errors *errors)
{
	struct text_file f = file_of(text);
	int status = wl_distribution_build(d, 0, f.path, errors);
	close(f.fd);
	return status;
}

Test(rows, sizes_are_the_inverse_of_the_share)
{
	struct base_errors errors = { 0 };
	struct wl_distribution d;
	cr_assert_eq(read_sizes(&d, "100 0.25\n200 0.5\n200 0.75\n1000 1\n", &errors), 0, "%s",
	             errors.n ? errors.v[0].text : "");
	cr_expect_eq(wl_distribution_bytes(&d, 0), 100u);
	cr_expect_eq(wl_distribution_bytes(&d, (1u << 30) - 1), 100u);
	cr_expect_eq(wl_distribution_bytes(&d, 1u << 30), 100u);
	cr_expect_eq(wl_distribution_bytes(&d, (1u << 30) + (1u << 29)), 150u);
	cr_expect_eq(wl_distribution_bytes(&d, 1u << 31), 200u);
	cr_expect_eq(wl_distribution_bytes(&d, (1u << 31) + (1u << 30) - 1), 200u);
	cr_expect_eq(wl_distribution_bytes(&d, 0xe0000000u), 600u);
	cr_expect_eq(wl_distribution_bytes(&d, UINT32_MAX), 1000u);
	/* a quarter of 100, of 100 to 200, of 200 and of 200 to 1000: the mean is 262.5 bytes */
	cr_expect_eq(d.mean_bits, (uint64_t)(262.5 * 8 * 65536));
	wl_distribution_free(&d);
	static const char *const same[] = { "0 0\n10 50\n20 100\n", "0 1 0\n10 2 0.5\n20 3 1.0\n",
		                            "bytes,share\n0,0\n10,0.5\n20,1\n" };
	for (size_t i = 0; i < 3; i++) {
		cr_assert_eq(read_sizes(&d, same[i], &errors), 0);
		cr_expect_eq(wl_distribution_bytes(&d, 1u << 31), 10u);
		cr_expect_eq(wl_distribution_bytes(&d, 0), 1u);
		/* 10 bytes, and half a byte for the twentieth of messages that would have none */
		cr_expect_eq(d.mean_bits, (uint64_t)((10 + 0.05 * 0.5) * 8 * 65536));
		wl_distribution_free(&d);
	}
	base_errors_free(&errors);
}

/* Means of the published ones, from their own points: HPCC's custom_rand.py computes the same sum. */
Test(rows, published_means)
{
	static const double mean[] = { 1711250, 120420.75 };
	for (int i = 0; i < 6; i++) {
		struct base_errors errors = { 0 };
		struct wl_distribution d;
		cr_assert_eq(wl_distribution_build(&d, i + 1, NULL, &errors), 0);
		cr_expect_eq(d.v[d.n - 1].share, UINT64_C(1) << 32);
		for (uint32_t k = 1; k < d.n; k++)
			cr_expect(d.v[k].bytes > d.v[k - 1].bytes && d.v[k].share >= d.v[k - 1].share);
		double got = (double)d.mean_bits / 0x1p19;
		if (i < 2)
			cr_expect(got > mean[i] * (1 - 1e-6) && got < mean[i] * (1 + 1e-6), "%d: %.3f", i, got);
		wl_distribution_free(&d);
	}
}

static void expect_size_error(const char *text, const char *part)
{
	struct base_errors errors = { 0 };
	struct wl_distribution d;
	cr_expect_eq(read_sizes(&d, text, &errors), -1, "%s", text);
	cr_expect(errors.errors == 1 && strstr(errors.v[errors.n - 1].text, part),
	          "%s: %zu errors, \"%s\" does not say \"%s\"", text, errors.errors, errors.n ? errors.v[0].text : "",
	          part);
	base_errors_free(&errors);
}

Test(rows, size_problems_have_lines)
{
	expect_size_error("10 0.5\n5 1\n", ":2: bytes fall");
	expect_size_error("10 0.5\n20 0.4\n30 1\n", ":2: the cumulative share falls");
	expect_size_error("10 -0.5\n", ":1: a cumulative share is not negative");
	expect_size_error("10 101\n", ":1: a cumulative share is at most 1, or 100 per cent");
	expect_size_error("10 0.5\n20 0.9\n", ":2: the last cumulative share is 0.9");
	expect_size_error("2e9 1\n", ":1: bytes are a whole number from 0 to 1000000000");
	expect_size_error("10 0.5\n20\n", ":2: 1 values; expected are bytes and their cumulative share");
	expect_size_error("0 1\n", "all messages would have 0 bytes");
	expect_size_error("\n", "the file has no points");
}
