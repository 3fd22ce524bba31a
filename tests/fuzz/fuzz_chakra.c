/* tests/fuzz/fuzz_chakra.c - any bytes as the files of two NPUs of a Chakra trace: an error, or facts that fit
 * together. The first two bytes are the length of the first file. A libFuzzer target (preset fuzz). */
#include "tests/fuzz/memory_file.h"
#include "workload/formats/chakra/chakra.h"
#include "workload/formats/goal/build.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file file[2];
	struct base_errors errors = { 0 };
	struct wl_chakra c;
	if (size < 2)
		return 0;
	size_t first = (size_t)(data[0] << 8 | data[1]);
	first = first < size - 2 ? first : size - 2;
	memory_file_make(&file[0], data + 2, first);
	memory_file_make(&file[1], data + 2 + first, size - 2 - first);
	const char *const path[] = { file[0].path, file[1].path };
	if (!wl_chakra_read_files(&c, path, 2, NULL, &errors)) {
		uint64_t sends = 0, receives = 0;
		for (uint32_t i = 0; i < 2; i++) {
			sends += c.npu[i].nodes[CHAKRA_SEND];
			receives += c.npu[i].nodes[CHAKRA_RECV];
		}
		if (sends - c.lost != receives - c.left_receives || c.listed_lost > c.lost)
			abort();
		struct mpi_choices choices = { .preset = (enum mpi_preset)(size % WL_MPI_PRESETS) };
		struct wl_to_goal writer;
		struct wl_goal goal;
		uint32_t n;
		wl_to_goal_begin(&writer, 2, &choices);
		if (wl_chakra_to_goal(&c, &writer, &errors) || wl_to_goal_end(&writer, &goal) ||
		    wl_goal_cycle(&goal, 0, &n) || wl_goal_cycle(&goal, 1, &n))
			abort();
		wl_goal_free(&goal);
		wl_chakra_free(&c);
	} else if (!errors.errors) {
		abort();
	}
	base_errors_free(&errors);
	memory_file_close(&file[0]);
	memory_file_close(&file[1]);
	return 0;
}
