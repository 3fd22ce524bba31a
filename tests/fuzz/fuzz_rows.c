/* tests/fuzz/fuzz_rows.c - any bytes as a file of rows: flows, a traffic matrix, or a distribution of sizes, by the
 * first byte. Errors, or tables whose parts fit together. A libFuzzer target (preset fuzz). */
#include "tests/fuzz/memory_file.h"
#include "workload/open/distribution.h"
#include "workload/rows/flows.h"
#include "workload/rows/matrix.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMBERS 9u
#define CLASSES 2u

static void check_status(int status, const struct base_errors *errors)
{
	if (!status == !!errors->errors)
		abort();
}

static void read_flows(const char *path, unsigned kind, struct base_errors *errors)
{
	static const char *const name[CLASSES] = { "bulk", "short" };
	const bool taken[CLASSES] = { true, kind & 1 };
	const struct wl_flows_of of = { .file = path,
		                        .key = "file",
		                        .members = MEMBERS,
		                        .places = 3 * (kind % 5),
		                        .packet = 1000,
		                        .most_bytes = UINT64_C(1) << 40,
		                        .class_name = name,
		                        .classes = CLASSES,
		                        .class_index = kind & 1,
		                        .taken = taken };
	struct wl_flows f;
	int status = wl_flows_read(&f, &of, errors);
	check_status(status, errors);
	if (status)
		return;
	uint64_t bytes = 0, expected = 0;
	for (uint32_t m = 0; m < MEMBERS; m++) {
		expected += f.expected[m];
		for (uint64_t i = f.first[m]; i < f.first[m + 1]; i++) {
			bytes += f.v[i].bytes;
			if (f.v[i].to >= MEMBERS || f.v[i].to == m || !f.v[i].bytes || f.v[i].start > f.last_start ||
			    (i > f.first[m] && f.v[i].start < f.v[i - 1].start))
				abort();
		}
	}
	if (!f.n || f.first[MEMBERS] != f.n || bytes != f.bytes || expected != f.n)
		abort();
	wl_flows_free(&f);
}

static void read_matrix(const char *path, unsigned kind, struct base_errors *errors)
{
	struct wl_matrix m;
	uint32_t rows = 2 + kind % 7;
	int status = wl_matrix_read(&m, path, "file", "endpoint", "endpoints", rows, kind & 8, errors);
	check_status(status, errors);
	if (status)
		return;
	for (size_t i = 0; i < m.n; i++) {
		const struct wl_matrix_cell *c = &m.v[i];
		if (c->from >= rows || c->to >= rows || (c->from == c->to && !(kind & 8)) || !(c->value > 0) ||
		    !isfinite(c->value) || (i && c->from == c[-1].from && c->to <= c[-1].to))
			abort();
	}
	if (!m.n)
		abort();
	wl_matrix_free(&m);
}

static void read_sizes(const char *path, struct base_errors *errors)
{
	struct wl_distribution d;
	int status = wl_distribution_build(&d, 0, path, errors);
	check_status(status, errors);
	if (status)
		return;
	uint32_t before = 1;
	for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 0x1234567) {
		uint32_t bytes = wl_distribution_bytes(&d, (uint32_t)bits);
		if (bytes < before || bytes > WL_MOST_MESSAGE)
			abort();
		before = bytes;
	}
	wl_distribution_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct base_errors errors = { 0 };
	struct memory_file f;
	if (!size)
		return 0;
	memory_file_make(&f, data + 1, size - 1);
	if (data[0] % 3 == 0)
		read_flows(f.path, data[0] / 3, &errors);
	else if (data[0] % 3 == 1)
		read_matrix(f.path, data[0] / 3, &errors);
	else
		read_sizes(f.path, &errors);
	base_errors_free(&errors);
	memory_file_close(&f);
	return 0;
}
