/* tests/fuzz/fuzz_mapping.c - any bytes as a mapping file, of ranks of one or two endpoints, with as many processes at
 * an endpoint as it asks for, or a few: errors, or places that are all different. A libFuzzer target (preset fuzz). */
#include "tests/fuzz/memory_file.h"
#include "workload/process/mapping.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ENDPOINTS 12u

static void read_map(const char *path, uint32_t ranks, uint32_t block, uint32_t per_endpoint)
{
	struct wl_placed placed = { .mapping_file = (char *)(uintptr_t)path };
	const struct wl_process p = { .params = &placed,
		                      .members = ENDPOINTS * per_endpoint,
		                      .per_endpoint = per_endpoint,
		                      .places = per_endpoint,
		                      .nodes = { .nics = 1, .endpoints = ENDPOINTS, .n = ENDPOINTS } };
	uint32_t *member_of, *rank_of;
	struct base_errors errors = { 0 };
	int status = wl_mapping_make(&p, ranks, block, &member_of, &rank_of, &errors);
	if (status ? !errors.errors : errors.errors != 0)
		abort();
	for (uint32_t r = 0; !status && r < ranks; r++)
		if (member_of[r] >= p.members || rank_of[wl_mapping_unit(&p, block, member_of[r])] != r)
			abort();
	free(status ? NULL : member_of);
	free(status ? NULL : rank_of);
	base_errors_free(&errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file file;
	uint32_t ranks = size ? 1 + data[0] % 20 : 1;
	memory_file_make(&file, data, size);
	uint32_t most = wl_mapping_most(file.path, ENDPOINTS);
	read_map(file.path, ranks, 1, most);
	read_map(file.path, ranks, 2, most);
	read_map(file.path, ranks, 1, 3);
	memory_file_close(&file);
	return 0;
}
