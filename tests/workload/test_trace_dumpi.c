/* tests/workload/test_trace_dumpi.c - DUMPI traces that are made here, call by call: what the reader and the play make
 * of them. What they amount to follows from MPI's rules, and is derived beside each. */
#include "tests/workload/dumpi_writer.h"
#include "workload/formats/dumpi/dumpi.h"
#include "workload/formats/play/play.h"

#include <criterion/criterion.h>
#include <string.h>

static struct dumpi_writer w[4];
static struct mpi_source source;
static struct wl_play play;
static struct base_errors errors;

/* Plays the traces of so many ranks. */
static int result(uint32_t ranks)
{
	const char *path[4] = { NULL };
	for (uint32_t i = 0; i < ranks; i++)
		path[i] = dumpi_finish(&w[i], i);
	int status = wl_dumpi_open_files(&source, path, ranks, DUMPI_WALL, &errors);
	for (uint32_t i = 0; i < ranks; i++)
		dumpi_writer_free(&w[i]);
	return status ? status : wl_play(&play, &source, NULL, &errors);
}

static void end(void)
{
	wl_play_free(&play);
	if (source.ops)
		source.ops->close(&source);
	base_errors_free(&errors);
}

TestSuite(trace_dumpi, .fini = end);

Test(trace_dumpi, one_handle_for_several_sends)
{ /* MPICH: sends that are complete at once share a request */
	for (int i = 0; i < 3; i++)
		dumpi_isend(&w[0], 10, DUMPI_T_INT, 1, i, 5);
	dumpi_waitall(&w[0], 4, (uint32_t[]){ 5, 5, 1, 5 });
	dumpi_isend(&w[0], 10, DUMPI_T_INT, 1, 9, 5);
	dumpi_waitall(&w[0], 1, (uint32_t[]){ 5 });
	for (int i = 0; i < 3; i++)
		dumpi_recv(&w[1], 10, DUMPI_T_INT, 0, i);
	dumpi_recv(&w[1], 10, DUMPI_T_INT, 0, 9);
	cr_assert(!result(2), "%s", errors.n ? errors.v[0].text : "");
	cr_expect(play.rank[0].sends == 4 && play.rank[1].receives == 4 && !play.lost && !play.stuck);
	cr_expect(play.null_requests == 1);
}

Test(trace_dumpi, order_of_messages)
{ /* of two receives of any source and tag the first gets what came first; a tag may overtake */
	dumpi_send(&w[0], 1, DUMPI_T_INT, 1, 4);
	dumpi_send(&w[0], 2, DUMPI_T_INT, 1, 6);
	dumpi_send(&w[0], 3, DUMPI_T_INT, 1, 4);
	dumpi_recv(&w[1], 9, DUMPI_T_INT, 0, 6);
	dumpi_recv(&w[1], 9, DUMPI_T_INT, -1, -1);
	cr_assert(!result(2));
	cr_expect_eq(play.lost, 1);
	cr_expect(play.message[0].bytes == 12 && play.message[0].tag == 4);
}

Test(trace_dumpi, a_datatype_is_what_the_last_call_made_it)
{ /* one id for two datatypes: 3 x 4 B, then 5 x 8 B; the file says nothing */
	dumpi_contiguous(&w[0], 3, DUMPI_T_INT, 30);
	dumpi_send(&w[0], 2, 30, 1, 0);
	dumpi_contiguous(&w[0], 5, DUMPI_T_DOUBLE, 30);
	dumpi_send(&w[0], 2, 30, 1, 0);
	dumpi_recv(&w[1], 100, DUMPI_T_BYTE, 0, 0);
	dumpi_recv(&w[1], 100, DUMPI_T_BYTE, 0, 0);
	cr_assert(!result(2));
	cr_expect_eq(play.rank[0].send_bytes, 2 * 12 + 2 * 40);
}

Test(trace_dumpi, long_long_is_eight_bytes)
{ /* libdumpi writes its size as 0 */
	dumpi_send(&w[0], 3, 16, 1, 0);
	dumpi_recv(&w[1], 3, 16, 0, 0);
	cr_assert(!result(2));
	cr_expect_eq(play.rank[0].send_bytes, 24);
}

Test(trace_dumpi, seconds_of_16_bits_go_on)
{ /* 40,000 s between calls: 65,536 s are passed */
	for (int i = 0; i < 4; i++) {
		dumpi_barrier(&w[0], DUMPI_WORLD);
		dumpi_pass(&w[0], 20000);
		dumpi_local(&w[0]);
		dumpi_pass(&w[0], 20000);
	}
	dumpi_barrier(&w[0], DUMPI_WORLD);
	cr_assert(!result(1));
	cr_expect_eq(play.rank[0].compute_ps, UINT64_C(160000) * 1000000000000u);
}

Test(trace_dumpi, a_group_of_its_own_order)
{ /* ranks 2 and 0, in this order: 0 sends to rank 0 of the new communicator, which is 2 */
	for (uint32_t i = 0; i < 3; i++) {
		dumpi_comm_group(&w[i], DUMPI_WORLD, 3);
		dumpi_group_incl(&w[i], 3, 2, (uint32_t[]){ 2, 0 }, 4);
		dumpi_comm_create(&w[i], DUMPI_WORLD, 4, i == 1 ? 1 : 7);
	}
	dumpi_send_on(&w[0], 8, DUMPI_T_BYTE, 0, 1, 7);
	dumpi_recv_on(&w[2], 8, DUMPI_T_BYTE, 1, 1, 7);
	cr_assert(!result(3), "%s", errors.n ? errors.v[0].text : "");
	cr_expect(!play.lost && !play.stuck && play.rank[2].receives == 1);
}

Test(trace_dumpi, rows_and_columns_of_a_grid)
{ /* 2 x 2; what remains is the second dimension: ranks 0 1 and 2 3 are the rows */
	for (uint32_t i = 0; i < 4; i++) {
		dumpi_cart_create(&w[i], DUMPI_WORLD, 2, (uint32_t[]){ 2, 2 }, 5);
		dumpi_put_cart_sub(&w[i], 5, 2, (uint32_t[]){ 0, 1 }, 6);
		dumpi_put_cart_sub(&w[i], 5, 2, (uint32_t[]){ 1, 0 }, 7);
	}
	dumpi_send_on(&w[2], 8, DUMPI_T_BYTE, 1, 1, 6); /* to 3 */
	dumpi_recv_on(&w[3], 8, DUMPI_T_BYTE, 0, 1, 6);
	dumpi_send_on(&w[3], 8, DUMPI_T_BYTE, 0, 2, 7); /* to 1 */
	dumpi_recv_on(&w[1], 8, DUMPI_T_BYTE, 1, 2, 7);
	cr_assert(!result(4), "%s", errors.n ? errors.v[0].text : "");
	cr_expect(!play.lost && !play.stuck);
}

Test(trace_dumpi, tests_that_found_nothing_are_dropped)
{
	dumpi_irecv(&w[0], 8, DUMPI_T_BYTE, 1, 1, 4);
	dumpi_test(&w[0], 4, 0);
	dumpi_test(&w[0], 4, 1);
	dumpi_send(&w[1], 8, DUMPI_T_BYTE, 0, 1);
	cr_assert(!result(2));
	struct mpi_call call = { 0 };
	struct mpi_cursor at = { 0 };
	cr_assert(source.ops->next(&source, 0, &at, &call, NULL) == WL_MPI_CALL && call.op == WL_MPI_IRECV);
	mpi_call_reset(&call);
	cr_assert(source.ops->next(&source, 0, &at, &call, NULL) == WL_MPI_CALL && call.op == WL_MPI_TESTALL);
	cr_expect(call.outcome_known && !call.found && !call.completed.n && call.requests.n == 1);
	mpi_call_reset(&call);
	cr_assert(source.ops->next(&source, 0, &at, &call, NULL) == WL_MPI_CALL && call.op == WL_MPI_TESTALL);
	cr_expect(call.outcome_known && call.found && call.completed.n == 1 && call.completed.v[0] == 4);
	mpi_call_free(&call);
}

Test(trace_dumpi, who_waits_for_whom)
{ /* each waits for the other's message, which it would send afterwards */
	for (uint32_t i = 0; i < 2; i++) {
		dumpi_recv(&w[i], 8, DUMPI_T_BYTE, (int32_t)(1 - i), 3);
		dumpi_send(&w[i], 8, DUMPI_T_BYTE, (int32_t)(1 - i), 3);
	}
	cr_assert(!result(2));
	cr_expect_eq(play.stuck, 2);
	cr_assert_eq(errors.errors, 2);
	cr_expect(strstr(errors.v[0].text, "rank 0 waits for a message from rank 1, tag 3"), "%s", errors.v[0].text);
	cr_expect(strstr(errors.v[1].text, "rank 1 waits for a message from rank 0, tag 3"), "%s", errors.v[1].text);
}

Test(trace_dumpi, both_ends_of_an_alltoallv)
{ /* four bytes an element; with MPI_IN_PLACE, which has no datatype (1), the counts of what is sent mean nothing */
	dumpi_alltoallv(&w[0], 2, (uint32_t[]){ 1, 2 }, DUMPI_T_INT, (uint32_t[]){ 4, 12 });
	dumpi_alltoallv(&w[0], 2, (uint32_t[]){ 0, 0 }, 1, (uint32_t[]){ 4, 12 });
	dumpi_alltoallv(&w[1], 2, (uint32_t[]){ 3, 4 }, DUMPI_T_INT, (uint32_t[]){ 8, 16 });
	dumpi_alltoallv(&w[1], 2, (uint32_t[]){ 77, 0 }, 1, (uint32_t[]){ 12, 16 });
	cr_assert(!result(2), "%s", errors.n ? errors.v[0].text : "");
	cr_expect(!play.stuck && !play.incomplete);
}

#define NULL_TYPE 1 /* MPI_DATATYPE_NULL, with MPI_IN_PLACE: the count beside it means nothing */

static void expect_call(uint32_t rank, struct mpi_cursor *at, enum mpi_op op, uint64_t bytes, uint32_t n,
                        const uint64_t *counts)
{
	struct mpi_call call = { 0 };
	cr_assert_eq(source.ops->next(&source, rank, at, &call, NULL), WL_MPI_CALL);
	cr_assert_eq(call.op, op);
	cr_expect_eq(call.bytes, bytes, "%s: %llu B", mpi_op_name(op), (unsigned long long)call.bytes);
	cr_assert_eq(call.counts.n, n);
	for (uint32_t i = 0; i < n; i++)
		cr_expect_eq(call.counts.v[i], counts[i], "%s: count %u is %llu", mpi_op_name(op), i,
		             (unsigned long long)call.counts.v[i]);
	mpi_call_free(&call);
}

/* Of a rank in place what it has, and gets, follows from its counts and their datatype: four bytes an element. */
Test(trace_dumpi, collectives_in_place)
{
	for (int given = 0; given < 100; given += 99) {
		dumpi_gatherv(&w[0], 0, 1, 3, DUMPI_T_INT, 2, NULL, DUMPI_T_INT);
		dumpi_gatherv(&w[1], 1, 1, given, NULL_TYPE, 2, (uint32_t[]){ 3, 5 }, DUMPI_T_INT);
		dumpi_scatterv(&w[0], 0, 0, 2, (uint32_t[]){ 7, 9 }, DUMPI_T_INT, given, NULL_TYPE);
		dumpi_scatterv(&w[1], 1, 0, 2, NULL, DUMPI_T_INT, 36, DUMPI_T_BYTE);
		for (int i = 0; i < 2; i++) {
			dumpi_allgather(&w[i], given, NULL_TYPE, 6, DUMPI_T_INT);
			dumpi_allgatherv(&w[i], 2, given, NULL_TYPE, (uint32_t[]){ 2, 4 }, DUMPI_T_INT);
		}
		const uint32_t count = (uint32_t)given;
		dumpi_alltoallw(&w[0], 2, (uint32_t[]){ count, count }, (uint32_t[]){ NULL_TYPE, NULL_TYPE },
		                (uint32_t[]){ 1, 8 }, (uint32_t[]){ DUMPI_T_INT, DUMPI_T_BYTE });
		dumpi_alltoallw(&w[1], 2, (uint32_t[]){ count, count }, (uint32_t[]){ NULL_TYPE, NULL_TYPE },
		                (uint32_t[]){ 2, 3 }, (uint32_t[]){ DUMPI_T_INT, DUMPI_T_INT });
	}
	cr_assert(!result(2), "%s", errors.n ? errors.v[0].text : "");
	cr_expect(!play.stuck && !play.incomplete);
	struct mpi_cursor at[2] = { 0 };
	for (int i = 0; i < 2; i++) {
		expect_call(0, &at[0], WL_MPI_GATHERV, 12, 0, NULL);
		expect_call(1, &at[1], WL_MPI_GATHERV, 20, 2, (uint64_t[]){ 12, 20 });
		expect_call(0, &at[0], WL_MPI_SCATTERV, 28, 2, (uint64_t[]){ 28, 36 });
		expect_call(1, &at[1], WL_MPI_SCATTERV, 36, 0, NULL);
		for (uint32_t r = 0; r < 2; r++) {
			expect_call(r, &at[r], WL_MPI_ALLGATHER, 24, 0, NULL);
			expect_call(r, &at[r], WL_MPI_ALLGATHERV, 0, 2, (uint64_t[]){ 8, 16 });
		}
		expect_call(0, &at[0], WL_MPI_ALLTOALLV, 0, 2, (uint64_t[]){ 4, 8 });
		expect_call(1, &at[1], WL_MPI_ALLTOALLV, 0, 2, (uint64_t[]){ 8, 12 });
	}
}

Test(trace_dumpi, ends_of_an_alltoallv_that_differ)
{
	dumpi_alltoallv(&w[0], 2, (uint32_t[]){ 1, 2 }, DUMPI_T_INT, (uint32_t[]){ 4, 12 });
	dumpi_alltoallv(&w[1], 2, (uint32_t[]){ 3, 4 }, DUMPI_T_INT, (uint32_t[]){ 7, 16 });
	cr_assert(result(2));
	cr_assert_eq(errors.errors, 1);
	cr_expect(strstr(errors.v[0].text, "it sends 8 B to rank 1, which expects 7 B of it ("), "%s",
	          errors.v[0].text);
}

Test(trace_dumpi, changed_in_place_is_an_error)
{ /* by a byte, whatever the byte is */
	char name[200];
	dumpi_isend(&w[0], 10, DUMPI_T_INT, 1, 9, 5);
	dumpi_waitall(&w[0], 1, (uint32_t[]){ 5 });
	dumpi_recv(&w[1], 10, DUMPI_T_INT, 0, 9);
	const char *path[2] = { dumpi_finish(&w[0], 0), dumpi_finish(&w[1], 1) };
	cr_assert(!wl_dumpi_open_files(&source, path, 2, DUMPI_WALL, &errors));
	cr_expect(!source.ops->changed(&source, name, sizeof name));
	FILE *file = fopen(path[1], "r+");
	int first = fgetc(file);
	rewind(file);
	fputc(first, file);
	fclose(file);
	cr_expect(source.ops->changed(&source, name, sizeof name) && !strcmp(name, path[1]));
	cr_expect_eq(wl_play(&play, &source, NULL, &errors), -1);
	cr_expect(errors.n == 1 && !strcmp(errors.v[0].text, BASE_WAS_CHANGED));
	dumpi_writer_free(&w[0]);
	dumpi_writer_free(&w[1]);
}

Test(trace_dumpi, cut_anywhere_is_an_error)
{
	dumpi_isend(&w[0], 10, DUMPI_T_INT, 0, 1, 5);
	dumpi_recv(&w[0], 10, DUMPI_T_INT, 0, 1);
	dumpi_waitall(&w[0], 2, (uint32_t[]){ 5, 1 });
	const char *path = dumpi_finish(&w[0], 0);
	long size = dumpi_writer_size(path);
	for (long cut = 0; cut < size; cut++) {
		struct base_errors told = { 0 };
		struct mpi_source s = { 0 };
		const char *part = dumpi_writer_cut(path, cut);
		cr_expect(wl_dumpi_open_files(&s, &part, 1, DUMPI_WALL, &told), "cut at %ld of %ld", cut, size);
		cr_expect(told.errors > 0);
		base_errors_free(&told);
	}
	dumpi_writer_free(&w[0]);
}
