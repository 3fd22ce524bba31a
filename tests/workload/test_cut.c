/* tests/workload/test_cut.c - a file that becomes shorter while it is read is an error with its name, and no signal. */
#include "base/error.h"
#include "base/mapped.h"
#include "workload/formats/goal/goal.h"
#include "workload/formats/play/play.h"
#include "workload/formats/recorded/recorded_text.h"
#include "workload/mpi/comms.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LINES 4000 /* many pages */

static long cut_to = -1;

/* In place of the C library's: as if the file were cut as soon as it is mapped. */
void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
	if (file >= 0 && cut_to >= 0) {
		char name[64];
		snprintf(name, sizeof name, "/proc/self/fd/%d", file);
		if (truncate(name, cut_to))
			abort();
	}
	return (void *)syscall(SYS_mmap, at, bytes, protection, flags, file, offset); // NOLINT
}

static void write_file(char *path, const char *head, const char *line, const char *tail)
{
	strcpy(path, "/tmp/tilefly-cut.XXXXXX");
	FILE *out = fdopen(mkstemp(path), "w");
	fputs(head, out);
	for (int i = 0; i < LINES; i++)
		fputs(line, out);
	fputs(tail, out);
	fclose(out);
}

static void expect_cut(struct base_errors *errors, const char *path)
{
	cr_assert_eq(errors->n, 1, "%zu errors", errors->n);
	cr_expect(!strncmp(errors->v[0].key, "@", 1) && !strcmp(errors->v[0].key + 1, path), "%s", errors->v[0].key);
	cr_expect(strstr(errors->v[0].text, BASE_WAS_CUT), "%s", errors->v[0].text);
	base_errors_free(errors);
}

Test(cut, zeros_and_a_mark)
{
	char path[64];
	const char *why;
	write_file(path, "", "sixteen letters\n", "");
	FILE *in = fopen(path, "r");
	struct base_mapped *m = base_map_file(fileno(in), LINES * 16, &why),
			   *other = base_map_file(fileno(in), 16, &why);
	fclose(in);
	cr_expect(!base_was_cut(m));
	cr_expect(!truncate(path, 8000));
	cr_expect(base_was_cut(m) && !base_was_cut(other));
	cr_expect(!memcmp(m->bytes + 7984, "sixteen letters\n", 16));
	for (size_t i = 8000; i < m->n; i++)
		cr_assert_eq(m->bytes[i], 0, "byte %zu", i);
	base_unmap_file(m);
	cr_expect(!memcmp(other->bytes, "sixteen letters\n", 16));
	base_unmap_file(other);
	base_unmap_file(NULL);
	unlink(path);
}

/* Wherever it is cut: within a page, at the end of one, in a line or behind one, at the beginning. */
Test(cut, goal)
{
	static const long places[] = { 0, 1, 14, 4000, 4096, 8192, 8199, 12345, 4000 * 7 };
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		char path[64];
		struct wl_goal g;
		struct base_errors errors = { 0 };
		write_file(path, "num_ranks 1\nrank 0 {\n", "calc 7\n", "}\n");
		cut_to = places[i];
		cr_expect_eq(wl_goal_load(&g, path, &errors), -1);
		cut_to = -1;
		cr_expect(!g.op && !g.ranks);
		expect_cut(&errors, path);
		unlink(path);
	}
}

Test(cut, binary_goal)
{
	struct wl_goal g;
	struct base_errors errors = { 0 };
	char path[64], text[64];
	write_file(path, "num_ranks 1\nrank 0 {\n", "calc 7\n", "}\n");
	cr_assert(!wl_goal_load(&g, path, &errors));
	for (long at = 0; at < 39 * LINES; at += 3001) {
		FILE *out = fopen(path, "w");
		cr_assert(!wl_goal_write_binary(&g, out));
		fclose(out);
		struct wl_goal again;
		cut_to = at;
		cr_expect_eq(wl_goal_load(&again, path, &errors), -1);
		cut_to = -1;
		snprintf(text, sizeof text, "%s", path);
		expect_cut(&errors, text);
	}
	wl_goal_free(&g);
	unlink(path);
}

/* Of a recording the lines are read as they are needed. */
Test(cut, recorded_calls)
{
	char path[64];
	struct mpi_source s;
	struct mpi_cursor at = { 0 };
	struct mpi_call call = { 0 };
	struct base_errors errors = { 0 };
	write_file(path, "ranks 1\nrank 0\n", "Compute compute=5\n", "");
	cr_assert(!mpi_text_open(&s, path, &errors));
	cr_expect_eq(s.ops->next(&s, 0, &at, &call, &errors), WL_MPI_CALL);
	cr_expect(!truncate(path, 15 + 18 * 2));
	cr_expect_eq(s.ops->next(&s, 0, &at, &call, &errors), WL_MPI_CALL);
	cr_expect_eq(s.ops->next(&s, 0, &at, &call, &errors), WL_MPI_UNREADABLE);
	expect_cut(&errors, path);
	s.ops->close(&s);
	unlink(path);
}

/* Written over by another one of its length, at once: what its lines say is right, and yet an error. */
Test(cut, recorded_calls_that_are_others_now)
{
	char path[64], name[64];
	struct mpi_source s;
	struct wl_play play;
	struct base_errors errors = { 0 };
	write_file(path, "ranks 1\nrank 0\n", "Compute compute=5\n", "");
	cr_assert(!mpi_text_open(&s, path, &errors));
	cr_expect(!s.ops->changed(&s, name, sizeof name));
	cr_expect(!wl_play(&play, &s, NULL, &errors));
	wl_play_free(&play);
	FILE *out = fopen(path, "r+");
	fputs("ranks 1\nrank 0\nCompute compute=7\n", out);
	fclose(out);
	cr_expect(s.ops->changed(&s, name, sizeof name) && !strcmp(name, path));
	cr_expect_eq(wl_play(&play, &s, NULL, &errors), -1);
	wl_play_free(&play);
	cr_assert_eq(errors.n, 1);
	cr_expect(!strcmp(errors.v[0].key + 1, path) && !strcmp(errors.v[0].text, BASE_WAS_CHANGED));
	base_errors_free(&errors);
	s.ops->close(&s);
	unlink(path);
}

/* A name that has become another file's leaves the one that is read as it was. */
Test(cut, a_recording_that_was_replaced)
{
	char path[64], other[64], name[64];
	struct mpi_source s;
	struct base_errors errors = { 0 };
	write_file(path, "ranks 1\nrank 0\n", "Compute compute=5\n", "");
	cr_assert(!mpi_text_open(&s, path, &errors));
	write_file(other, "ranks 1\nrank 0\n", "Compute compute=7\n", "");
	cr_assert(!rename(other, path));
	cr_expect(!s.ops->changed(&s, name, sizeof name));
	s.ops->close(&s);
	unlink(path);
}

/* What ranks of the simulation compare: the same of the same calls, and of no others. */
Test(cut, digests_of_calls)
{
	static const char *const line[] = { "Compute compute=5\n", "Compute compute=6\n", "Barrier compute=5\n" };
	uint64_t digest[4];
	for (int i = 0; i < 4; i++) {
		char path[64];
		struct mpi_source s;
		struct mpi_comms comms;
		struct base_errors errors = { 0 };
		write_file(path, "ranks 2\nrank 0\n", line[i % 3], "rank 1\nBarrier\n");
		cr_assert(!mpi_text_open(&s, path, &errors) && !mpi_comms_find(&comms, &s, &errors));
		digest[i] = comms.digest;
		mpi_comms_free(&comms);
		s.ops->close(&s);
		base_errors_free(&errors);
		unlink(path);
	}
	cr_expect(digest[0] == digest[3] && digest[0] != digest[1] && digest[0] != digest[2] && digest[1] != digest[2]);
}

/* And where it is cut before they are looked for: they are there up to a line that is none. */
Test(cut, recorded_ranks)
{
	char path[64];
	struct mpi_source s;
	struct mpi_cursor at = { 0 };
	struct mpi_call call = { 0 };
	struct base_errors errors = { 0 };
	write_file(path, "ranks 2\nrank 0\n", "Compute compute=5\n", "rank 1\nCompute compute=5\n");
	cut_to = 5000;
	cr_assert(!mpi_text_open(&s, path, &errors));
	cut_to = -1;
	for (int i = 0; i < (5000 - 15) / 18; i++)
		cr_assert_eq(s.ops->next(&s, 0, &at, &call, &errors), WL_MPI_CALL);
	cr_expect_eq(s.ops->next(&s, 0, &at, &call, &errors), WL_MPI_UNREADABLE);
	expect_cut(&errors, path);
	s.ops->close(&s);
	unlink(path);
}
