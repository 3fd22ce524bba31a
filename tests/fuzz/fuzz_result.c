/* tests/fuzz/fuzz_result.c - any bytes, plain or compressed, as the result log of a run: a row of a table or none. A
 * libFuzzer target (preset fuzz). */
#include "experiments/results/reader.h"
#include "experiments/results/row.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file file;
	json_t *manifest = NULL;
	memory_file_make(&file, data, size);
	json_decref(xp_row_read(file.path, NULL, &manifest, &(bool){ false }));
	json_decref(manifest);
	memory_file_close(&file);
	return 0;
}
