/* tests/mpi/mpi_packets.c - records of packets come in order and are all there, however they are spread over ranks and
 * chunks, and though more of them than a rank offers at a time are of one instant. */
#include "network/stats/packets.h"
#include "tests/mpi/reference.h"

#include "sim/sim.h"

#include <stdlib.h>

#define RECORDS 70000u /* three chunks and a part */
#define INSTANTS 5000u

/* The i-th record; numbers scattered by a multiplier that has no factor in common with RECORDS. */
static struct net_packet_record record(uint32_t i, bool ties)
{
	uint32_t k = (uint32_t)((uint64_t)i * 48271 % RECORDS);
	return (struct net_packet_record){ .delivered = ties ? (k < RECORDS / 2 ? 7 : k % INSTANTS) : k,
		                           .src = k % 100,
		                           .seq = k / 100,
		                           .created = k };
}

struct seen {
	struct net_packet_record first, last; /* of the turn */
	uint64_t n, sum;
	uint64_t turns, own, bytes; /* of all turns: own, of this rank; bytes, of all */
	bool ordered;
	struct net_packet_record before; /* the last one of any rank, of the turns that are over */
};

static bool is_later(const struct net_packet_record *p, const struct net_packet_record *q)
{
	return p->delivered != q->delivered ? p->delivered > q->delivered
	       : p->src != q->src           ? p->src > q->src
	                                    : p->seq > q->seq;
}

static void see(void *arg, const struct net_packet_record *p)
{
	struct seen *s = arg;
	s->ordered &= s->n == 0 || is_later(p, &s->last);
	s->first = s->n ? s->first : *p;
	s->last = *p;
	s->sum += p->created;
	s->own++;
	s->n++;
}

/* What ranks have seen in a turn follows what was seen before, rank by rank. */
static void turn(void *arg)
{
	struct seen *s = arg;
	size_t bytes;
	struct seen *all = sim_share_bytes(s, sizeof *s, &bytes);
	for (size_t r = 0; r < bytes / sizeof *all; r++) {
		if (!all[r].n)
			continue;
		s->ordered &= all[r].ordered && (!s->bytes || is_later(&all[r].first, &s->before));
		s->before = all[r].last;
		s->bytes += all[r].n * sizeof(struct net_packet_record);
	}
	free(all);
	s->n = 0;
	s->turns++;
}

enum spread { EVENLY, BY_TIME, ON_ONE };

static int rank_of(uint32_t i, enum spread spread)
{
	uint64_t k = record(i, false).delivered;
	return spread == ON_ONE   ? sim_ranks() - 1
	       : spread == EVENLY ? (int)(i % (unsigned)sim_ranks())
	                          : (int)(k * (unsigned)sim_ranks() / RECORDS);
}

/* `workers` lists that are moved into one after every tenth of the records, as at the pauses of a run. */
static void check(bool ties, enum spread spread, unsigned workers)
{
	struct net_packets all = { 0 }, worker[3] = { { 0 } };
	snprintf(reference_case, sizeof reference_case, "ties %d, spread %d, %u workers", ties, (int)spread, workers);
	for (uint32_t i = 0; i < RECORDS; i++) {
		struct net_packet_record r = record(i, ties);
		if (rank_of(i, spread) == sim_rank())
			net_packets_add(workers ? &worker[i % workers] : &all, &r);
		for (unsigned k = 0; k < workers && i % (RECORDS / 10) == 0; k++)
			net_packets_move(&all, &worker[k]);
	}
	for (unsigned k = 0; k < workers; k++) {
		net_packets_move(&all, &worker[k]);
		REFERENCE_CHECK(net_packets_count(&worker[k]) == 0, "a worker keeps records");
	}
	uint64_t count = net_packets_count(&all), bytes = all.chunks * NET_PACKET_CHUNK_BYTES;
	REFERENCE_CHECK(bytes < count * sizeof(struct net_packet_record) + 2 * NET_PACKET_CHUNK_BYTES,
	                "%lu bytes for %lu records", bytes, count);
	for (int again = 0; again < 2; again++) { /* a log and tables */
		struct seen s = { .ordered = true };
		net_packets_each(&all, see, turn, &s);
		uint64_t sum = s.sum, records = s.bytes / sizeof(struct net_packet_record);
		sim_sum_u64(&sum, 1);
		REFERENCE_CHECK(records == RECORDS && s.n == 0, "%lu records", records);
		REFERENCE_CHECK(sum == (uint64_t)RECORDS * (RECORDS - 1) / 2, "others");
		REFERENCE_CHECK(s.ordered, "not in order");
		/* the largest share is not far from the mean, of so many records in a turn */
		uint64_t most = s.own;
		sim_max_u64(&most, 1);
		REFERENCE_CHECK(most <= 2 * RECORDS / (unsigned)sim_ranks(), "one rank has %lu records", most);
	}
	net_packets_free(&all);
	for (unsigned k = 0; k < workers; k++)
		net_packets_free(&worker[k]);
}

int main(int argc, char **argv)
{
	reference_watch(170);
	if (sim_mpi_start(&argc, &argv))
		return 1;
	for (unsigned workers = 0; workers <= 3; workers++)
		for (int spread = EVENLY; spread <= ON_ONE; spread++) {
			check(false, (enum spread)spread, workers);
			check(true, (enum spread)spread, workers);
		}
	return reference_end();
}
