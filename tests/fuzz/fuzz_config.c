/* tests/fuzz/fuzz_config.c - any bytes as a configuration: an error or a success, and a success reads back to itself.
 *
 * A libFuzzer target (preset fuzz). Compiled with -DFUZZ_MAIN it is a program that runs the files it is given. Bytes
 * after a line "--set" are an assignment. */
#include "base/memory.h"
#include "experiments/config/builtin.h"
#include "experiments/config/config.h"
#include "tests/fuzz/read_back.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char mark[] = "\n--set ";
	struct base_registry registry = { 0 };
	struct base_errors errors = { 0 };
	struct xp_config config;
	char *text = base_alloc(size + 1); /* NUL ended */
	if (size)
		memcpy(text, data, size);
	char *set = strstr(text, mark);
	size_t bytes = set ? (size_t)(set - text) : size;
	const char *assignment = set ? set + strlen(mark) : NULL;
	if (set)
		*set = 0;
	xp_register_builtin(&registry);
	if (!xp_config_parse(&config, text, bytes, "fuzz", NULL,
	                     &(struct xp_sets){ .v = &assignment, .n = set ? 1 : 0 }, XP_WHOLE, &registry, &errors))
		read_back(&config.net, &registry);
	char place[256];
	for (size_t i = 0; i < errors.n; i++)
		xp_config_place(&config, errors.v[i].key, place, sizeof place);
	xp_config_free(&config);
	base_errors_free(&errors);
	base_registry_free(&registry);
	free(text);
	return 0;
}

#ifdef FUZZ_MAIN
#include "experiments/config/scan.h"

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char *text;
		size_t bytes;
		const char *why;
		if (xp_slurp(argv[i], &text, &bytes, &why))
			continue;
		LLVMFuzzerTestOneInput((const uint8_t *)text, bytes);
		free(text);
	}
	return 0;
}
#endif
