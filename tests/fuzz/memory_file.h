/* tests/fuzz/memory_file.h - bytes as a file that has a name, without a disk. */
#ifndef TESTS_FUZZ_MEMORY_FILE_H
#define TESTS_FUZZ_MEMORY_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct memory_file {
	int fd;
	char path[64];
};

static inline void memory_file_make(struct memory_file *f, const uint8_t *data, size_t size)
{
	f->fd = memfd_create("fuzz", 0);
	if (f->fd < 0 || (size && write(f->fd, data, size) != (ssize_t)size)) {
		perror("memory_file_make");
		exit(1); /* no finding: this machine has no memory left */
	}
	snprintf(f->path, sizeof f->path, "/proc/self/fd/%d", f->fd);
}

static inline void memory_file_close(struct memory_file *f)
{
	close(f->fd);
}

#endif
