/* tests/fuzz/fuzz_import.c - any bytes as a graph of another tool, the first of them choosing the format: an error or a
 * graph, and a graph has facts and, written in its own format, reads back to as many switches, cables and endpoints. Of
 * CODES' formats the bytes are both files, divided by the second byte. A libFuzzer target (preset fuzz). */
#include "tests/fuzz/memory_file.h"
#include "topo/import/formats.h"
#include "topo/import/import.h"
#include "topo/params.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_SWITCHES 200 /* larger ones say no more and take longer */
#define FORMATS 12

static int build(struct topo *topo, const char *path, const char *intra, int format, struct base_errors *errors)
{
	struct topo_import_params params = { .file = (char *)(uintptr_t)path,
		                             .intra = (char *)(uintptr_t)intra,
		                             .format = format,
		                             .endpoints = BASE_AUTO };
	return topo_build(topo, &topo_import, &params, errors);
}

static uint64_t count_cables(const struct topo *topo)
{
	struct import_cable c;
	topo_switch s = 0;
	topo_port p = 0;
	uint64_t n = 0;
	while (import_next_cable(topo, &s, &p, &c))
		n++;
	return n;
}

/* Formats without numbers of endpoints give each switch one again. */
static void read_back(const struct topo *topo, int format)
{
	const struct import_format *f = &import_formats[format - 1];
	struct base_errors errors = { 0 };
	struct memory_file file, second;
	struct topo again;
	memory_file_make(&file, NULL, 0);
	memory_file_make(&second, NULL, 0);
	struct import_output out = { .stream = fdopen(dup(file.fd), "w"), .second = fdopen(dup(second.fd), "w") };
	int status = f->write(topo, &out, &errors);
	if (fclose(out.stream) || fclose(out.second))
		abort();
	if (!status) {
		if (build(&again, file.path, f->second ? second.path : NULL, format, &errors)) {
			for (size_t i = 0; i < errors.n; i++)
				fprintf(stderr, "%s: %s\n", errors.v[i].key, errors.v[i].text);
			abort();
		}
		bool counts = topo->endpoints == topo->switches || again.endpoints != again.switches;
		if (again.switches != topo->switches || count_cables(&again) != count_cables(topo) ||
		    (counts && again.endpoints != topo->endpoints))
			abort();
		topo_destroy(&again);
	}
	base_errors_free(&errors);
	memory_file_close(&file);
	memory_file_close(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file file, second;
	struct base_errors errors = { 0 };
	struct topo topo;
	if (size < 2)
		return 0;
	int format = data[0] % (FORMATS + 1);
	bool codes = format && import_formats[format - 1].second;
	size_t first = codes ? (data[1] < size - 2 ? data[1] : size - 2) : size - 2;
	memory_file_make(&file, data + 2, first);
	memory_file_make(&second, data + 2 + first, size - 2 - first);
	if (build(&topo, file.path, codes ? second.path : NULL, format, &errors)) {
		if (!errors.errors)
			abort();
	} else {
		if (topo.switches <= MOST_SWITCHES && topo.endpoints <= 10000) {
			struct topo_facts facts;
			topo_compute_facts(&topo, &facts);
			if (format)
				read_back(&topo, format);
		}
		topo_destroy(&topo);
	}
	base_errors_free(&errors);
	memory_file_close(&file);
	memory_file_close(&second);
	return 0;
}
