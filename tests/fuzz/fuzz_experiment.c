/* tests/fuzz/fuzz_experiment.c - any bytes as an experiment file: an error or an experiment. A libFuzzer target (preset
 * fuzz). */
#include "experiments/sweep/experiment.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file file;
	struct xp_experiment e;
	struct base_errors errors = { 0 };
	memory_file_make(&file, data, size);
	int status = xp_experiment_read(&e, file.path, &errors);
	if (!status != !errors.errors)
		abort();
	xp_experiment_free(&e);
	base_errors_free(&errors);
	memory_file_close(&file);
	return 0;
}
