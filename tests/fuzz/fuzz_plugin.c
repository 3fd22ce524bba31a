/* tests/fuzz/fuzz_plugin.c - any bytes as a plug-in: an error that names the file, or headers that stay inside of it.
 * Nothing is loaded. A libFuzzer target (preset fuzz). */
#include "base/shared_object.h"
#include "tests/fuzz/memory_file.h"

#include <link.h>
#include <stdbool.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the loader maps of a file that was accepted is there: judged without the reader's own helpers. */
static void check_segments(const uint8_t *data, size_t size)
{
	ElfW(Ehdr) head;
	if (size < sizeof head)
		abort();
	memcpy(&head, data, sizeof head);
	for (size_t i = 0; i < head.e_phnum; i++) {
		ElfW(Phdr) p;
		unsigned __int128 at = (unsigned __int128)head.e_phoff + i * sizeof p;
		if (at + sizeof p > size)
			abort();
		memcpy(&p, data + (size_t)at, sizeof p);
		if (p.p_filesz && (unsigned __int128)p.p_offset + p.p_filesz > size)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file file;
	struct base_errors errors = { 0 };
	memory_file_make(&file, data, size);
	int status = base_check_shared_object(file.path, &errors);
	if (!status != !errors.errors || (status && !strstr(errors.v[0].text, file.path)))
		abort();
	if (!status)
		check_segments(data, size);
	base_errors_free(&errors);
	memory_file_close(&file);
	return 0;
}
