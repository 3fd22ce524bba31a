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
	struct net_packet_record last;
	uint64_t n, sum;
	bool ordered;
};

static void see(void *arg, const struct net_packet_record *p)
{
	struct seen *s = arg;
	const struct net_packet_record *q = &s->last;
	bool later = p->delivered != q->delivered ? p->delivered > q->delivered
	             : p->src != q->src           ? p->src > q->src
	                                          : p->seq > q->seq;
	s->ordered &= s->n == 0 || later;
	s->last = *p;
	s->sum += p->created;
	s->n++;
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
		net_packets_each(&all, see, &s);
		REFERENCE_CHECK(s.n == (sim_rank() ? 0 : RECORDS), "%lu records", s.n);
		REFERENCE_CHECK(s.sum == (sim_rank() ? 0 : (uint64_t)RECORDS * (RECORDS - 1) / 2), "others");
		REFERENCE_CHECK(s.ordered, "not in order");
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
