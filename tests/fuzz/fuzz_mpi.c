/* tests/fuzz/fuzz_mpi.c - any bytes as MPI calls in text: errors, or a program whose communicators are found, whose
 * calls are the same when they are read again, and whose collectives have rounds at every rank. A libFuzzer target
 * (preset fuzz). */
#include "workload/formats/recorded/recorded_text.h"
#include "workload/mpi/collective.h"
#include "workload/mpi/comms.h"

#include <stdlib.h>

#define MOST_RANKS 64u
#define MOST_ROUNDS 200u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expand(const struct mpi_call *call, uint32_t rank, uint32_t ranks, struct mpi_steps *steps)
{
	for (enum mpi_preset preset = 0; preset < WL_MPI_PRESETS; preset++) {
		struct mpi_choices choices = { .preset = preset };
		struct mpi_collective c = { .op = call->op,
			                    .ranks = ranks,
			                    .root = call->peer >= 0 ? (uint32_t)call->peer % ranks : 0,
			                    .bytes = call->bytes,
			                    .element = call->element,
			                    .counts = call->counts.n == ranks ? call->counts.v : NULL,
			                    .from_counts = call->from_counts.n == ranks ? call->from_counts.v : NULL,
			                    .nonblocking = call->nonblocking,
			                    .not_commutative = call->not_commutative,
			                    .choices = &choices };
		struct mpi_plan plan;
		mpi_plan_make(&plan, &c);
		for (uint32_t round = 0; round < MOST_ROUNDS && mpi_plan_round(&plan, rank, round, steps); round++)
			for (uint32_t i = 0; i < steps->n; i++)
				if (steps->v[i].peer >= ranks)
					abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct base_errors errors = { 0 };
	struct mpi_source source;
	struct mpi_comms comms;
	struct mpi_call call = { 0 };
	struct mpi_steps steps = { 0 };
	if (mpi_text_parse(&source, (const char *)data, size, "fuzz", &errors)) {
		base_errors_free(&errors);
		return 0;
	}
	if (source.ranks <= MOST_RANKS && !mpi_comms_find(&comms, &source, &errors)) {
		for (uint32_t rank = 0; rank < source.ranks; rank++) {
			struct mpi_cursor at = { 0 };
			mpi_call_reset(&call);
			while (source.ops->next(&source, rank, &at, &call, NULL) == WL_MPI_CALL) {
				if (mpi_is_collective(call.op))
					expand(&call, rank, source.ranks, &steps);
				mpi_call_reset(&call);
			}
		}
		mpi_comms_free(&comms);
	}
	source.ops->close(&source);
	mpi_call_free(&call);
	free(steps.v);
	base_errors_free(&errors);
	return 0;
}
