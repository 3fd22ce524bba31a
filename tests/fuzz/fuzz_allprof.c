/* tests/fuzz/fuzz_allprof.c - any bytes as the files of two ranks of a trace of liballprof: an error, or calls that can
 * be carried out. The first two bytes are the length of the first file. A libFuzzer target (preset fuzz). */
#include "workload/formats/allprof/allprof.h"
#include "workload/formats/play/play.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_file(const char *path, const uint8_t *data, size_t size)
{
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		exit(1); /* no finding: there is no space left */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char folder[] = "/dev/shm/tilefly-fuzz-XXXXXX", path[2][80];
	struct base_errors errors = { 0 };
	struct mpi_source source;
	if (!*path[0]) {
		if (!mkdtemp(folder))
			exit(1);
		for (int i = 0; i < 2; i++)
			snprintf(path[i], sizeof path[i], "%s/trace-rank-%d.txt", folder, i);
		setenv("TMPDIR", folder, 1);
	}
	if (size < 2)
		return 0;
	size_t first = (size_t)(data[0] << 8 | data[1]);
	first = first < size - 2 ? first : size - 2;
	put_file(path[0], data + 2, first);
	put_file(path[1], data + 2 + first, size - 2 - first);
	if (!wl_allprof_open(&source, path[0], &errors)) {
		struct wl_play play = { 0 };
		if (!wl_play(&play, &source, NULL, &errors))
			wl_play_free(&play);
		source.ops->close(&source);
	} else if (!errors.errors) {
		abort();
	}
	base_errors_free(&errors);
	return 0;
}
