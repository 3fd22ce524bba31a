/* workload/mpi/comms_check.c - where ranks contradict each other in collectives: their calls are read once more. */
#include "workload/mpi/comms_search.h"

#include "base/memory.h"
#include "workload/mpi/agree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The next collective of a rank on a communicator, whose communicators are known by now. *made: how many of them it
 * has got. */
static bool next_collective(struct comm_search *s, uint32_t rank, struct call_reader *r, uint32_t comm, uint32_t *made)
{
	while (mpi_comms_read_call(s, rank, r) == WL_MPI_CALL) {
		struct comm_handle *h = mpi_comms_handle(r, r->call.comm);
		if (mpi_makes_comm(r->call.op)) {
			struct mpi_membership m = s->out->rank[rank].made[(*made)++];
			if (m.comm != WL_MPI_NO_COMM && r->call.new_comm != WL_MPI_COMM_NULL)
				mpi_comms_give(r, r->call.new_comm, m.comm, m.me);
		} else if (r->call.op == WL_MPI_COMM_FREE && h && h->comm > 1) {
			mpi_comms_drop(r, h);
		} else if (mpi_is_collective(r->call.op) && h && h->comm == comm) {
			return true;
		}
	}
	return false;
}

static void note_lonely(struct comm_search *s, uint32_t rank, const struct call_reader *r, uint32_t absent)
{
	struct mpi_comms *out = s->out;
	out->lonely = base_realloc(out->lonely, (out->lonelies + 1) * sizeof *out->lonely);
	struct mpi_lonely *l = &out->lonely[out->lonelies++];
	*l = (struct mpi_lonely){ .rank = rank, .absent = absent, .op = r->call.op };
	if (s->source->ops->place)
		s->source->ops->place(s->source, rank, &r->before, l->place, sizeof l->place);
}

void mpi_comms_compare(struct comm_search *s, const struct comm_odd *odd)
{
	struct call_reader a = { 0 }, b = { 0 };
	uint32_t made_a = 0, made_b = 0;
	mpi_comms_begin_reading(&a, odd->first);
	mpi_comms_begin_reading(&b, odd->rank);
	for (bool decided = false; !decided;) {
		bool has_a = next_collective(s, odd->first, &a, odd->comm, &made_a);
		bool has_b = next_collective(s, odd->rank, &b, odd->comm, &made_b);
		struct mpi_agreed first = mpi_agreed_of(&a.call), own = mpi_agreed_of(&b.call);
		char what[256];
		decided = has_a != has_b || !has_a;
		if (has_a != has_b) {
			note_lonely(s, has_a ? odd->first : odd->rank, has_a ? &a : &b, has_a ? odd->rank : odd->first);
		} else if (has_a && mpi_agreed_differ(&own, odd->rank, &first, odd->first, what, sizeof what)) {
			decided = true;
			mpi_comms_fail_at(s, odd->rank, &b, what);
		}
	}
	mpi_comms_end_reading(&a);
	mpi_comms_end_reading(&b);
}

/* --- what they send each other ----------------------------------------------------------------------------- */

/* The first collective of a communicator in which not all expect what they are sent: its number there. */
static uint64_t find_unequal(struct comm_search *s, uint32_t comm)
{
	struct mpi_list sum = { 0 };
	uint64_t number = 0;
	for (uint32_t i = 0; i < s->out->comm[comm].n; i++) {
		struct call_reader r = { 0 };
		uint32_t made = 0, rank = mpi_comms_world_of(s, comm, i, 0);
		mpi_comms_begin_reading(&r, rank);
		for (uint64_t k = 0; next_collective(s, rank, &r, comm, &made); k++) {
			struct mpi_amounts a = { &r.call, i, s->out->comm[comm].n, k };
			if (k == sum.n)
				mpi_list_add(&sum, 0);
			sum.v[k] += mpi_amounts_sum(&a);
		}
		mpi_comms_end_reading(&r);
	}
	while (number < sum.n && !sum.v[number])
		number++;
	free(sum.v);
	return number;
}

/* Where the ranks of a communicator are, before its collective of that number. */
static struct mpi_cursor *find_calls(struct comm_search *s, uint32_t comm, uint64_t number)
{
	struct mpi_cursor *at = base_calloc(s->out->comm[comm].n, sizeof *at);
	for (uint32_t i = 0; i < s->out->comm[comm].n; i++) {
		struct call_reader r = { 0 };
		uint32_t made = 0, rank = mpi_comms_world_of(s, comm, i, 0);
		mpi_comms_begin_reading(&r, rank);
		for (uint64_t k = 0; k <= number && next_collective(s, rank, &r, comm, &made); k++)
			at[i] = r.before;
		mpi_comms_end_reading(&r);
	}
	return at;
}

/* One call of a rank, read again. */
static struct mpi_amounts read_amounts(struct comm_search *s, uint32_t comm, uint32_t me, struct mpi_cursor at,
                                       struct call_reader *r)
{
	r->at = at;
	mpi_comms_read_call(s, mpi_comms_world_of(s, comm, me, 0), r);
	return (struct mpi_amounts){ .call = &r->call, .me = me, .n = s->out->comm[comm].n };
}

static void tell_unequal(struct comm_search *s, uint32_t comm, const struct mpi_amounts *from,
                         const struct call_reader *sender, const struct mpi_amounts *to,
                         const struct call_reader *receiver)
{
	uint32_t rank = mpi_comms_world_of(s, comm, from->me, 0), other = mpi_comms_world_of(s, comm, to->me, 0);
	uint64_t sent = 0, expected = 0;
	char what[320], place[200] = "";
	mpi_amount_sent(from, to->me, &sent);
	mpi_amount_expected(to, from->me, &expected);
	if (s->source->ops->place)
		s->source->ops->place(s->source, other, &receiver->before, place, sizeof place);
	snprintf(what, sizeof what,
	         "it sends %" PRIu64 " B to rank %" PRIu32 ", which expects %" PRIu64 " B of it%s%s%s", sent, other,
	         expected, *place ? " (" : "", place, *place ? ")" : "");
	if (rank == other)
		mpi_amounts_describe_own(from, what, sizeof what);
	mpi_comms_fail_at(s, rank, sender, what);
}

/* The first two ranks of which one sends other bytes than the other one expects, in the first such call. */
static void find_pair(struct comm_search *s, uint32_t comm)
{
	uint32_t n = s->out->comm[comm].n, from = 0;
	uint64_t number = find_unequal(s, comm), *part = base_calloc(n, sizeof *part);
	struct mpi_cursor *at = find_calls(s, comm, number);
	struct call_reader sender = { 0 }, receiver = { 0 };
	for (uint32_t i = 0; i < n; i++) {
		struct mpi_amounts a = read_amounts(s, comm, i, at[i], &receiver);
		mpi_amounts_part(&a, part);
	}
	while (from + 1 < n && !part[from])
		from++;
	struct mpi_amounts out = read_amounts(s, comm, from, at[from], &sender);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t sent = 0, expected = 0;
		struct mpi_amounts in = read_amounts(s, comm, i, at[i], &receiver);
		if (mpi_amount_sent(&out, i, &sent) && mpi_amount_expected(&in, from, &expected) && sent != expected) {
			tell_unequal(s, comm, &out, &sender, &in, &receiver);
			break;
		}
	}
	mpi_comms_end_reading(&sender);
	mpi_comms_end_reading(&receiver);
	free(part);
	free(at);
}

void mpi_comms_check_amounts(struct comm_search *s)
{
	for (uint32_t i = 0; i < s->out->comms && i < s->cap_first; i++) {
		const struct comm_first *f = &s->first[i];
		if (f->amounts && !f->odd && f->done == s->out->comm[i].n)
			find_pair(s, i);
	}
}
