/* tests/workload/mpi_schedule.h - counts the messages of a collective, and carries it out with sends that wait for
 * their receives. */
#ifndef TESTS_WORKLOAD_MPI_SCHEDULE_H
#define TESTS_WORKLOAD_MPI_SCHEDULE_H

#include "workload/mpi/collective.h"

#include <criterion/criterion.h>

#include <stdlib.h>

struct counted {
	uint64_t messages, bytes, most_messages, most_bytes; /* most: of one rank */
};

static inline struct counted count_collective(const struct mpi_collective *c)
{
	struct counted all = { 0 };
	struct mpi_plan plan;
	struct mpi_steps steps = { 0 };
	mpi_plan_make(&plan, c);
	for (uint32_t rank = 0; rank < c->ranks; rank++) {
		uint64_t messages = 0, bytes = 0;
		for (uint32_t round = 0; mpi_plan_round(&plan, rank, round, &steps); round++)
			for (uint32_t i = 0; i < steps.n; i++) {
				messages += steps.v[i].send;
				bytes += steps.v[i].send ? steps.v[i].bytes : 0;
			}
		all.messages += messages;
		all.bytes += bytes;
		all.most_messages = messages > all.most_messages ? messages : all.most_messages;
		all.most_bytes = bytes > all.most_bytes ? bytes : all.most_bytes;
	}
	free(steps.v);
	return all;
}

/* The transfers of a rank's present round: those of the pair (from, to) are numbered as they are posted. */
struct at_rank {
	struct mpi_steps steps;
	uint32_t *number; /* [steps.n] */
	uint32_t round;
	bool posted, over;
};

struct pair {
	uint64_t sizes[256]; /* of messages, by number */
	uint32_t sent, awaited;
};

static inline void post_round(struct at_rank *r, uint32_t rank, uint32_t p, struct pair *pairs, const char *what)
{
	r->number = realloc(r->number, (r->steps.n + 1) * sizeof *r->number);
	for (uint32_t i = 0; i < r->steps.n; i++) {
		const struct mpi_step *s = &r->steps.v[i];
		cr_assert_lt(s->peer, p, "%s: peer %u", what, s->peer);
		struct pair *q = &pairs[s->send ? rank * p + s->peer : s->peer * p + rank];
		uint32_t mine = s->send ? q->sent++ : q->awaited++, theirs = s->send ? q->awaited : q->sent;
		cr_assert_lt(mine, 256);
		if (mine < theirs)
			cr_assert_eq(q->sizes[mine], s->bytes, "%s: message %u of a pair with %u", what, mine, rank);
		q->sizes[mine] = s->bytes;
		r->number[i] = mine;
	}
	r->posted = true;
}

static inline bool round_done(const struct at_rank *r, uint32_t rank, uint32_t p, const struct pair *pairs)
{
	for (uint32_t i = 0; i < r->steps.n; i++) {
		const struct mpi_step *s = &r->steps.v[i];
		const struct pair *q = &pairs[s->send ? rank * p + s->peer : s->peer * p + rank];
		if (r->number[i] >= (s->send ? q->awaited : q->sent))
			return false;
	}
	return true;
}

/* Every send waits for its receive (rendezvous): all ranks come to their ends, what is sent is what is awaited, and
 * nothing is left. */
static inline void carry_out(const struct mpi_collective *c, const char *what)
{
	uint32_t p = c->ranks, over = 0;
	struct mpi_plan plan;
	mpi_plan_make(&plan, c);
	struct pair *pairs = calloc((size_t)p * p, sizeof *pairs);
	struct at_rank *ranks = calloc(p, sizeof *ranks);
	for (bool moved = true; moved && over < p;) {
		moved = false;
		for (uint32_t rank = 0; rank < p; rank++) {
			struct at_rank *r = &ranks[rank];
			while (!r->over) {
				if (!r->posted && !mpi_plan_round(&plan, rank, r->round, &r->steps)) {
					r->over = true;
					over++;
					break;
				}
				if (!r->posted) {
					post_round(r, rank, p, pairs, what);
					moved = true;
				}
				if (!round_done(r, rank, p, pairs))
					break;
				moved = true;
				r->round++;
				r->posted = false;
			}
		}
	}
	cr_assert_eq(over, p, "%s: %u of %u ranks come to an end", what, over, p);
	for (uint32_t i = 0; i < p * p; i++)
		cr_assert_eq(pairs[i].sent, pairs[i].awaited, "%s: pair %u, %u", what, i / p, i % p);
	for (uint32_t rank = 0; rank < p; rank++) {
		free(ranks[rank].steps.v);
		free(ranks[rank].number);
	}
	free(ranks);
	free(pairs);
}

#endif
