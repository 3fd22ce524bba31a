/* tests/fuzz/fuzz_manifest.c - any bytes as a result that a sweep finds: kept with a row, or made again for a reason
 * that is one line fit for a terminal. Read twice it gives the same. A libFuzzer target (preset fuzz). */
#include "base/memory.h"
#include "base/text.h"
#include "experiments/runs/keep.h"
#include "tests/fuzz/memory_file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HASH "0123456789abcdef0123456789abcdef"

/* What the point was made from today. Corpus `kept` is a result of the same. */
static char *const resolved =
    "{\"seed\":1,\"links\":{\"default\":{\"latency\":\"50ns\"},\"terminal\":{\"latency\":\"50ns\"}},"
    "\"traffic\":[{\"load\":0.5},{\"load\":0.25}],\"output\":{\"file\":\"a\"}}";
static struct xp_input made_from[] = {
	{ .kind = "program", .path = "/usr/bin/tilefly", .bytes = 1, .hash = HASH },
	{ .kind = "configuration", .path = "a.cfg", .bytes = 2, .hash = HASH },
	{ .kind = "plug-in", .path = "p.so", .bytes = 3, .hash = HASH },
};

static char *keep(char *path, json_t **row)
{
	struct xp_run run = { .file = path,
		              .resolved = resolved,
		              .inputs = { made_from, sizeof made_from / sizeof *made_from } };
	char *why = xp_keep(&run);
	*row = run.row;
	return why;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file file;
	json_t *row, *again;
	memory_file_make(&file, data, size);
	char *why = keep(file.path, &row), *why_again = keep(file.path, &again);
	if (!why != !!row || !why != !why_again || (why && strcmp(why, why_again) != 0))
		abort();
	if (why && !base_is_harmless(why, false))
		abort();
	if (row && (!json_is_true(json_object_get(row, "complete")) || !json_equal(row, again)))
		abort();
	free(why);
	free(why_again);
	json_decref(row);
	json_decref(again);
	memory_file_close(&file);
	return 0;
}
