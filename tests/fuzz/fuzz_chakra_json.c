/* tests/fuzz/fuzz_chakra_json.c - any bytes as a Chakra trace in JSON: an error, or messages that the reader of traces
 * takes as they are. A libFuzzer target (preset fuzz). */
#include "tests/fuzz/memory_file.h"
#include "workload/formats/chakra/chakra.h"
#include "workload/formats/chakra/chakra_json.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct base_errors errors = { 0 };
	struct memory_file file;
	char *text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = 0;
	memory_file_make(&file, NULL, 0);
	FILE *out = fdopen(dup(file.fd), "w");
	int status = chakra_convert_json(text, size, out, "@fuzz", &errors);
	if (fclose(out))
		abort();
	if (!status) {
		const char *const path[] = { file.path };
		struct wl_chakra c;
		if (!wl_chakra_read_files(&c, path, 1, NULL, &errors))
			wl_chakra_free(&c);
		else if (!errors.errors)
			abort();
	} else if (!errors.errors) {
		abort();
	}
	base_errors_free(&errors);
	memory_file_close(&file);
	free(text);
	return 0;
}
