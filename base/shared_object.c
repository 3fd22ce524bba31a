/* base/shared_object.c - see shared_object.h */
#include "base/shared_object.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OWN_CLASS (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)
#define OWN_ORDER (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB)

struct object {
	const char *path;
	int fd;
	uint64_t bytes;
	struct base_errors *errors;
};

static bool inside(const struct object *o, uint64_t offset, uint64_t bytes)
{
	return offset <= o->bytes && bytes <= o->bytes - offset;
}

static bool read_at(const struct object *o, uint64_t offset, void *to, size_t bytes)
{
	return inside(o, offset, bytes) && pread(o->fd, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

static int truncated(const struct object *o, const char *what)
{
	return base_errorf(o->errors, NULL,
	                   "%s is truncated: its %s extend beyond the end of the file, which has %llu bytes", o->path,
	                   what, (unsigned long long)o->bytes);
}

static int check_segments(const struct object *o, const ElfW(Ehdr) * head)
{
	for (unsigned i = 0; i < head->e_phnum; i++) {
		ElfW(Phdr) p;
		if (!read_at(o, head->e_phoff + (uint64_t)i * sizeof p, &p, sizeof p))
			return truncated(o, "program headers");
		if (p.p_filesz && !inside(o, p.p_offset, p.p_filesz))
			return truncated(o, "segments");
	}
	return 0;
}

static int check_sections(const struct object *o, const ElfW(Ehdr) * head)
{
	for (unsigned i = 0; head->e_shoff && i < head->e_shnum; i++) {
		ElfW(Shdr) s;
		if (!read_at(o, head->e_shoff + (uint64_t)i * sizeof s, &s, sizeof s))
			return truncated(o, "section headers");
		if (s.sh_type != SHT_NOBITS && s.sh_type != SHT_NULL && !inside(o, s.sh_offset, s.sh_size))
			return truncated(o, "sections");
	}
	return 0;
}

static int check_headers(const struct object *o)
{
	ElfW(Ehdr) head;
	unsigned char id[EI_NIDENT];
	if (!read_at(o, 0, id, sizeof id) || memcmp(id, ELFMAG, SELFMAG) != 0)
		return base_errorf(o->errors, NULL, "%s is not a shared object: it does not begin with an ELF header",
		                   o->path);
	if (id[EI_CLASS] != OWN_CLASS || id[EI_DATA] != OWN_ORDER)
		return base_errorf(o->errors, NULL, "%s was built for another processor architecture", o->path);
	if (!read_at(o, 0, &head, sizeof head))
		return truncated(o, "ELF headers");
	if (head.e_type != ET_DYN)
		return base_errorf(o->errors, NULL,
		                   "%s is an ELF file but not a shared object: build it with -fPIC -shared", o->path);
	if (head.e_phentsize != sizeof(ElfW(Phdr)) || (head.e_shoff && head.e_shentsize != sizeof(ElfW(Shdr))))
		return base_errorf(o->errors, NULL, "%s is damaged: its headers have an unknown size", o->path);
	return check_segments(o, &head) ? -1 : check_sections(o, &head);
}

int base_check_shared_object(const char *path, struct base_errors *errors)
{
	struct stat st;
	struct object o = { .path = path, .errors = errors };
	o.fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* does not wait for a FIFO's writer */
	if (o.fd < 0)
		return base_errorf(errors, NULL, "plug-in cannot be loaded: %s: %s", path, strerror(errno));
	int status;
	if (fstat(o.fd, &st) || !S_ISREG(st.st_mode)) {
		status = base_errorf(errors, NULL, "%s is not a regular file", path);
	} else {
		o.bytes = (uint64_t)st.st_size;
		status = check_headers(&o);
	}
	close(o.fd);
	return status;
}
