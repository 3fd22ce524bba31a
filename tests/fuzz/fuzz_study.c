/* tests/fuzz/fuzz_study.c - any bytes as a study of `tilefly compare`: an error or a study. A libFuzzer target (preset
 * fuzz). */
#include "experiments/compare/study.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file file;
	struct xp_study study;
	struct base_errors errors = { 0 };
	memory_file_make(&file, data, size);
	int status = xp_study_read(&study, file.path, &errors);
	if (!status != !errors.errors)
		abort();
	xp_study_free(&study);
	base_errors_free(&errors);
	memory_file_close(&file);
	return 0;
}
