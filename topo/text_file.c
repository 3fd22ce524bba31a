/* topo/text_file.c - see text_file.h */
#include "topo/text_file.h"

#include "base/input.h"
#include "base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define CHUNK ((size_t)1 << 20) /* bytes that are read at once, at most */

/* Reads to the end, or `most` bytes. Returns gzread()'s last result: 0 at the end. */
static int read_stream(gzFile in, size_t most, char **text, size_t *n)
{
	size_t capacity = 1 << 12;
	int got;
	*n = 0;
	*text = base_alloc(capacity + 1);
	while (*n < most) {
		if (*n == capacity)
			*text = base_realloc(*text, (capacity *= 2) + 1);
		size_t space = capacity < most ? capacity - *n : most - *n;
		got = gzread(in, *text + *n, (unsigned)(space > CHUNK ? CHUNK : space));
		if (got <= 0)
			return got;
		*n += (size_t)got;
	}
	return 1;
}

char *topo_read_file(const char *file, const char *key, size_t most, size_t *bytes, struct base_errors *errors)
{
	const char *why = "out of memory";
	char *text = NULL;
	int fd = base_open_input(file, false, &why);
	gzFile in = fd >= 0 ? gzdopen(fd, "rb") : NULL;
	if (!in) {
		base_errorf(errors, key, "%s cannot be opened: %s", file, why);
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	int status = Z_OK, got = read_stream(in, most, &text, bytes), code = errno;
	why = gzerror(in, &status);
	bool good = got == 0 && status != Z_BUF_ERROR;
	if (got > 0)
		base_errorf(errors, key, "%s has %zu bytes of text or more, which is too large", file, most);
	else if (!good)
		base_errorf(errors, key, "%s cannot be read: %s", file,
		            status == Z_ERRNO       ? strerror(code)
		            : status == Z_BUF_ERROR ? "it ends too early"
		                                    : why);
	gzclose_r(in);
	if (!good) {
		free(text);
		return NULL;
	}
	text[*bytes] = 0;
	return text;
}
