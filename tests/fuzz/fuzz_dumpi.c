/* tests/fuzz/fuzz_dumpi.c - any bytes as the files of two ranks of a DUMPI trace, binary or text: an error, or calls
 * that are the same when a cursor is gone back to, and a play that ends. The first two bytes are the length of the
 * first file. A libFuzzer target (preset fuzz). */
#include "tests/fuzz/memory_file.h"
#include "workload/formats/dumpi/dumpi.h"
#include "workload/formats/goal/build.h"
#include "workload/formats/play/play.h"
#include "workload/formats/to_goal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same(const struct mpi_list *a, const struct mpi_list *b)
{
	return a->n == b->n && (!a->n || !memcmp(a->v, b->v, a->n * sizeof *a->v));
}

/* Every call twice, the second time without a place for errors. */
static void read_twice(const struct mpi_source *s)
{
	struct mpi_call a = { 0 }, b = { 0 };
	struct base_errors errors = { 0 };
	for (uint32_t rank = 0; rank < s->ranks; rank++) {
		struct mpi_cursor at = { 0 };
		for (enum mpi_next next = WL_MPI_CALL; next == WL_MPI_CALL;) {
			struct mpi_cursor again = at;
			char where[200];
			s->ops->place(s, rank, &at, where, sizeof where);
			mpi_call_reset(&a);
			mpi_call_reset(&b);
			next = s->ops->next(s, rank, &at, &a, &errors);
			if (s->ops->next(s, rank, &again, &b, NULL) != next)
				abort();
			if (next == WL_MPI_CALL &&
			    (memcmp(&at, &again, sizeof at) != 0 || a.op != b.op || a.comm != b.comm ||
			     a.peer != b.peer || a.bytes != b.bytes || a.compute != b.compute ||
			     !same(&a.requests, &b.requests) || !same(&a.completed, &b.completed) ||
			     !same(&a.counts, &b.counts) || !same(&a.members, &b.members)))
				abort();
			if (next == WL_MPI_UNREADABLE && !errors.errors)
				abort();
		}
	}
	mpi_call_free(&a);
	mpi_call_free(&b);
	base_errors_free(&errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file file[2];
	struct mpi_source source = { 0 };
	struct base_errors errors = { 0 };
	struct wl_play play;
	if (size < 2)
		return 0;
	size_t first = (size_t)(data[0] << 8 | data[1]);
	first = first < size - 2 ? first : size - 2;
	memory_file_make(&file[0], data + 2, first);
	memory_file_make(&file[1], data + 2 + first, size - 2 - first);
	const char *const path[] = { file[0].path, file[1].path };
	if (!wl_dumpi_open_files(&source, path, 2, size % 2 ? DUMPI_WALL : DUMPI_CPU, &errors)) {
		read_twice(&source);
		struct mpi_choices choices = { .preset = (enum mpi_preset)(size % WL_MPI_PRESETS) };
		struct wl_to_goal writer;
		struct wl_goal goal;
		uint32_t n;
		wl_to_goal_begin(&writer, 2, &choices);
		if (wl_play(&play, &source, &writer, &errors) && !errors.errors)
			abort();
		if (wl_to_goal_end(&writer, &goal) || wl_goal_cycle(&goal, 0, &n) || wl_goal_cycle(&goal, 1, &n))
			abort();
		wl_goal_free(&goal);
		wl_play_free(&play);
		source.ops->close(&source);
	} else if (!errors.errors) {
		abort();
	}
	base_errors_free(&errors);
	memory_file_close(&file[0]);
	memory_file_close(&file[1]);
	return 0;
}
