/* tests/workload/dumpi_writer.h - writes binary DUMPI traces, call by call: as much of the format as tests need,
 * written from docs/traces.md and not from the reader. A call takes no time; dumpi_pass() lets it pass. */
#ifndef TESTS_WORKLOAD_DUMPI_WRITER_H
#define TESTS_WORKLOAD_DUMPI_WRITER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DUMPI_T_BYTE 5
#define DUMPI_T_INT 9
#define DUMPI_T_DOUBLE 14

struct dumpi_writer {
	unsigned char *bytes;
	size_t n, room;
	uint64_t seconds;
	char path[64], cut[64];
};

static inline void dumpi_put(struct dumpi_writer *w, uint64_t value, unsigned bytes)
{
	if (w->n + 8 > w->room) {
		w->room = 2 * w->room + 256;
		w->bytes = realloc(w->bytes, w->room);
	}
	while (bytes--)
		w->bytes[w->n++] = (unsigned char)(value >> 8 * bytes);
}

/* Arguments are put behind it; statuses are not stored. */
static inline void dumpi_call(struct dumpi_writer *w, unsigned function)
{
	dumpi_put(w, function, 2);
	dumpi_put(w, 0x48, 1); /* wall times, thread */
	dumpi_put(w, 0, 2);
	for (int i = 0; i < 2; i++) {
		dumpi_put(w, w->seconds & 0xffff, 2);
		dumpi_put(w, 1, 4);
	}
}

static inline void dumpi_array(struct dumpi_writer *w, uint32_t n, const uint32_t *v)
{
	dumpi_put(w, n, 4);
	for (uint32_t i = 0; i < n; i++)
		dumpi_put(w, v[i], 4);
}

static inline void dumpi_pass(struct dumpi_writer *w, uint64_t seconds)
{
	w->seconds += seconds;
}

static inline void dumpi_message(struct dumpi_writer *w, unsigned function, int count, unsigned type, int peer, int tag,
                                 unsigned comm)
{
	dumpi_call(w, function);
	dumpi_put(w, (uint32_t)count, 4);
	dumpi_put(w, type, 2);
	dumpi_put(w, (uint32_t)peer, 4);
	dumpi_put(w, (uint32_t)tag, 4);
	dumpi_put(w, comm, 2);
}
static inline void dumpi_send_on(struct dumpi_writer *w, int count, unsigned type, int to, int tag, unsigned comm)
{
	dumpi_message(w, 0, count, type, to, tag, comm);
}
static inline void dumpi_recv_on(struct dumpi_writer *w, int count, unsigned type, int from, int tag, unsigned comm)
{
	dumpi_message(w, 1, count, type, from, tag, comm);
}
static inline void dumpi_send(struct dumpi_writer *w, int count, unsigned type, int to, int tag)
{
	dumpi_send_on(w, count, type, to, tag, 2);
}
static inline void dumpi_recv(struct dumpi_writer *w, int count, unsigned type, int from, int tag)
{
	dumpi_recv_on(w, count, type, from, tag, 2);
}
static inline void dumpi_isend(struct dumpi_writer *w, int count, unsigned type, int to, int tag, uint32_t request)
{
	dumpi_message(w, 8, count, type, to, tag, 2);
	dumpi_put(w, request, 4);
}
static inline void dumpi_irecv(struct dumpi_writer *w, int count, unsigned type, int from, int tag, uint32_t request)
{
	dumpi_message(w, 12, count, type, from, tag, 2);
	dumpi_put(w, request, 4);
}
static inline void dumpi_test(struct dumpi_writer *w, uint32_t request, int flag)
{
	dumpi_call(w, 14);
	dumpi_put(w, request, 4);
	dumpi_put(w, (uint32_t)flag, 4);
}
static inline void dumpi_waitall(struct dumpi_writer *w, uint32_t n, const uint32_t *requests)
{
	dumpi_call(w, 18);
	dumpi_put(w, n, 4);
	dumpi_array(w, n, requests);
}
static inline void dumpi_contiguous(struct dumpi_writer *w, uint32_t count, unsigned old, unsigned made)
{
	dumpi_call(w, 35);
	dumpi_put(w, count, 4);
	dumpi_put(w, old, 2);
	dumpi_put(w, made, 2);
}
static inline void dumpi_barrier(struct dumpi_writer *w, unsigned comm)
{
	dumpi_call(w, 52);
	dumpi_put(w, comm, 2);
}
/* `type` of what is sent; what is received is in bytes. */
static inline void dumpi_alltoallv(struct dumpi_writer *w, uint32_t n, const uint32_t *sent, unsigned type,
                                   const uint32_t *received)
{
	dumpi_call(w, 61);
	dumpi_put(w, n, 4);
	dumpi_array(w, n, sent);
	dumpi_array(w, n, sent); /* places */
	dumpi_put(w, type, 2);
	dumpi_array(w, n, received);
	dumpi_array(w, n, received);
	dumpi_put(w, DUMPI_T_BYTE, 2);
	dumpi_put(w, 2, 2); /* world */
}
/* Each with the null datatype where a rank has MPI_IN_PLACE, and with any count there. On world. */
static inline void dumpi_gatherv(struct dumpi_writer *w, uint32_t me, uint32_t root, int count, unsigned type,
                                 uint32_t n, const uint32_t *received, unsigned received_type)
{
	dumpi_call(w, 55);
	dumpi_put(w, me, 4);
	dumpi_put(w, n, 4);
	dumpi_put(w, (uint32_t)count, 4);
	dumpi_put(w, type, 2);
	dumpi_put(w, root, 4);
	dumpi_put(w, 2, 2);
	for (int i = 0; i < 2 && me == root; i++)
		dumpi_array(w, n, received);
	dumpi_put(w, received_type, 2);
}
static inline void dumpi_scatterv(struct dumpi_writer *w, uint32_t me, uint32_t root, uint32_t n, const uint32_t *sent,
                                  unsigned sent_type, int count, unsigned type)
{
	dumpi_call(w, 57);
	dumpi_put(w, me, 4);
	dumpi_put(w, n, 4);
	dumpi_put(w, sent_type, 2);
	dumpi_put(w, (uint32_t)count, 4);
	dumpi_put(w, type, 2);
	dumpi_put(w, root, 4);
	dumpi_put(w, 2, 2);
	for (int i = 0; i < 2 && me == root; i++)
		dumpi_array(w, n, sent);
}
static inline void dumpi_allgather(struct dumpi_writer *w, int count, unsigned type, int received,
                                   unsigned received_type)
{
	dumpi_call(w, 58);
	dumpi_put(w, (uint32_t)count, 4);
	dumpi_put(w, type, 2);
	dumpi_put(w, (uint32_t)received, 4);
	dumpi_put(w, received_type, 2);
	dumpi_put(w, 2, 2);
}
static inline void dumpi_allgatherv(struct dumpi_writer *w, uint32_t n, int count, unsigned type,
                                    const uint32_t *received, unsigned received_type)
{
	dumpi_call(w, 59);
	dumpi_put(w, n, 4);
	dumpi_put(w, (uint32_t)count, 4);
	dumpi_put(w, type, 2);
	for (int i = 0; i < 2; i++)
		dumpi_array(w, n, received);
	dumpi_put(w, received_type, 2);
	dumpi_put(w, 2, 2);
}
static inline void dumpi_types(struct dumpi_writer *w, uint32_t n, const uint32_t *type)
{
	dumpi_put(w, n, 4);
	for (uint32_t i = 0; i < n; i++)
		dumpi_put(w, type[i], 2);
}
static inline void dumpi_alltoallw(struct dumpi_writer *w, uint32_t n, const uint32_t *sent, const uint32_t *type,
                                   const uint32_t *received, const uint32_t *received_type)
{
	dumpi_call(w, 155);
	dumpi_put(w, n, 4);
	for (int i = 0; i < 2; i++)
		dumpi_array(w, n, sent);
	dumpi_types(w, n, type);
	for (int i = 0; i < 2; i++)
		dumpi_array(w, n, received);
	dumpi_types(w, n, received_type);
	dumpi_put(w, 2, 2);
}
static inline void dumpi_local(struct dumpi_writer *w)
{
	dumpi_call(w, 122); /* Wtime */
}
static inline void dumpi_comm_group(struct dumpi_writer *w, unsigned comm, unsigned group)
{
	dumpi_call(w, 72);
	dumpi_put(w, comm, 2);
	dumpi_put(w, group, 2);
}
static inline void dumpi_group_incl(struct dumpi_writer *w, unsigned group, uint32_t n, const uint32_t *ranks,
                                    unsigned made)
{
	dumpi_call(w, 76);
	dumpi_put(w, group, 2);
	dumpi_put(w, n, 4);
	dumpi_array(w, n, ranks);
	dumpi_put(w, made, 2);
}
static inline void dumpi_comm_create(struct dumpi_writer *w, unsigned comm, unsigned group, unsigned made)
{
	dumpi_call(w, 85);
	dumpi_put(w, comm, 2);
	dumpi_put(w, group, 2);
	dumpi_put(w, made, 2);
}
static inline void dumpi_cart_create(struct dumpi_writer *w, unsigned comm, uint32_t n, const uint32_t *dims,
                                     unsigned made)
{
	dumpi_call(w, 99);
	dumpi_put(w, comm, 2);
	dumpi_put(w, n, 4);
	dumpi_array(w, n, dims);
	dumpi_array(w, n, dims); /* periods: of no interest */
	dumpi_put(w, 0, 4);
	dumpi_put(w, made, 2);
}
static inline void dumpi_put_cart_sub(struct dumpi_writer *w, unsigned comm, uint32_t n, const uint32_t *remain,
                                      unsigned made)
{
	dumpi_call(w, 111);
	dumpi_put(w, n, 4);
	dumpi_put(w, comm, 2);
	dumpi_array(w, n, remain);
	dumpi_put(w, made, 2);
}

static inline void dumpi_word(FILE *out, uint64_t value, unsigned bytes)
{
	while (bytes--)
		fputc((int)(value >> 8 * bytes & 255), out);
}

/* The file: magic, bias, calls, their end, header, index. Returns its path. */
static inline const char *dumpi_finish(struct dumpi_writer *w, uint32_t rank)
{
	const uint64_t magic = UINT64_C(0xffaadd44554d5049);
	snprintf(w->path, sizeof w->path, "/tmp/tilefly-dumpi-%ld-%u", (long)getpid(), rank);
	FILE *out = fopen(w->path, "wb");
	dumpi_word(out, magic, 8);
	dumpi_word(out, 0, 8); /* bias */
	if (w->n)
		fwrite(w->bytes, w->n, 1, out);
	dumpi_word(out, 125, 2); /* Finalize */
	dumpi_word(out, 0, 1);
	dumpi_word(out, 293, 2);
	uint64_t header = (uint64_t)ftell(out);
	dumpi_word(out, 0x0d0000, 3);
	dumpi_word(out, magic, 8);
	dumpi_word(out, 0, 8);
	dumpi_word(out, 0, 8);
	dumpi_word(out, 0, 8);
	dumpi_word(out, header, 8);
	dumpi_word(out, 8, 8);
	dumpi_word(out, 0, 8);
	dumpi_word(out, 0, 8);
	fclose(out);
	return w->path;
}

static inline long dumpi_writer_size(const char *path)
{
	FILE *in = fopen(path, "rb");
	fseek(in, 0, SEEK_END);
	long size = ftell(in);
	fclose(in);
	return size;
}

/* Cuts a file to so many bytes of a copy, whose path is returned. */
static inline const char *dumpi_writer_cut(const char *path, long size)
{
	static char name[80], bytes[4096];
	snprintf(name, sizeof name, "%s.cut", path);
	FILE *in = fopen(path, "rb"), *out = fopen(name, "wb");
	size_t n = fread(bytes, 1, (size_t)size, in);
	if (n)
		fwrite(bytes, 1, n, out);
	fclose(in);
	fclose(out);
	return name;
}

static inline void dumpi_writer_free(struct dumpi_writer *w)
{
	char name[80];
	snprintf(name, sizeof name, "%s.cut", w->path);
	unlink(name);
	unlink(w->path);
	free(w->bytes);
	*w = (struct dumpi_writer){ .n = 0 };
}

#endif
