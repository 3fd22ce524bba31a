/* tests/fuzz/fuzz_set.c - any lines as assignments (--set), applied in order to a configuration that has everything and
 * to an empty one: an error or a success, and a success reads back to itself. A libFuzzer target (preset fuzz). */
#include "base/memory.h"
#include "experiments/config/builtin.h"
#include "experiments/config/config.h"
#include "tests/fuzz/read_back.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_SETS 16

static const char full[] =
    "seed = 7;\ntime = { warmup = \"20us\"; drain = true; };\n"
    "topology = { kind = \"torus\"; dims = [8, 8]; };\nlinks = { local = { latency = \"1us\"; }; };\n"
    "classes = ( { name = \"a\"; } );\nrecord = { timeline = \"2us\"; };\n"
    "traffic = ( { load = 0.5; packet = ( \"64B\", \"256B\" ); class = \"a\"; }, { load = 0.1; } );\n";

static void apply(const char *text, const char *const *sets, size_t n, struct base_registry *registry)
{
	struct base_errors errors = { 0 };
	struct xp_config config;
	int status = xp_config_parse(&config, text, strlen(text), "fuzz", NULL, &(struct xp_sets){ .v = sets, .n = n },
	                             XP_WHOLE, registry, &errors);
	if (!status)
		read_back(&config.net, registry);
	if (!status != !errors.errors)
		abort();
	for (size_t i = 0; i < errors.n; i++) {
		struct base_buffer line = { 0 };
		xp_config_line(&config, &errors.v[i], &line);
		if (strpbrk(line.data, "\n\x1b"))
			abort();
		free(line.data);
	}
	xp_config_free(&config);
	base_errors_free(&errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct base_registry registry = { 0 };
	const char *sets[MOST_SETS];
	size_t n = 0;
	char *text = base_alloc(size + 1), *save = NULL; /* NUL ended */
	if (size)
		memcpy(text, data, size);
	for (char *line = strtok_r(text, "\n", &save); line && n < MOST_SETS; line = strtok_r(NULL, "\n", &save))
		sets[n++] = line;
	xp_register_builtin(&registry);
	apply(full, sets, n, &registry);
	apply("", sets, n, &registry);
	base_registry_free(&registry);
	free(text);
	return 0;
}
