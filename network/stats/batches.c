/* network/stats/batches.c - sums over equal bins of simulated time, on which a run with time.precision bases its
 * decisions.
 *
 * All of them are commutative sums changed by sim_add, so after exactly the events before some time have been executed,
 * the bins before that time are the same for any number of ranks and threads. */
#include "base/memory.h"
#include "network/net.h"

#define ROW ((size_t)SIM_HISTOGRAM_BINS)
#define TOUCHED_BYTES ((size_t)12 << 10) /* of a row */

static size_t histogram_bytes(const struct net *n)
{
	return n->jobs * NET_BATCH_BINS * ROW * sizeof(uint64_t);
}

/* A row of a histogram touches few pages until bins are merged, which processes whole rows; and huge pages are touched
 * as a whole. */
uint64_t net_batches_bytes(const struct net *n)
{
	size_t row = ROW * sizeof(uint64_t), rows = (size_t)(n->times.likely_end / n->batches.unit) + 1;
	size_t grain = base_map_grain(), all = histogram_bytes(n), whole = all / grain * grain, each = TOUCHED_BYTES;
	bool messages = false;
	for (uint32_t j = 0; j < n->jobs; j++)
		messages |= n->traffic.job[j].multi_packet;
	if (rows > NET_BATCH_BINS) {
		rows = NET_BATCH_BINS;
		each = row;
	}
	size_t used = n->jobs * rows, huge = grain > row ? whole / row : 0;
	size_t bytes = huge ? (used < huge ? (used * row + grain - 1) / grain * grain : whole) : 0;
	bytes += (used > huge ? used - huge : 0) * each;
	return (2u + messages + (n->traffic.process != NULL)) * bytes +
	       n->jobs * NET_BATCH_BINS * sizeof(struct net_batch);
}

void net_batches_create(struct net *n)
{
	struct net_batches *b = &n->batches;
	if (!b->on)
		return;
	b->sum = base_map(n->jobs * NET_BATCH_BINS * sizeof *b->sum);
	b->latency = base_map(histogram_bytes(n));
	b->network = base_map(histogram_bytes(n));
	b->message = n->shared.message ? base_map(histogram_bytes(n)) : NULL;
	b->iteration = n->shared.iteration ? base_map(histogram_bytes(n)) : NULL;
}

void net_batches_destroy(struct net *n)
{
	struct net_batches *b = &n->batches;
	base_unmap(b->sum, n->jobs * NET_BATCH_BINS * sizeof *b->sum);
	base_unmap(b->latency, histogram_bytes(n));
	base_unmap(b->network, histogram_bytes(n));
	base_unmap(b->message, histogram_bytes(n));
	base_unmap(b->iteration, histogram_bytes(n));
	*b = (struct net_batches){ 0 };
}

void net_batches_arrived(struct net *n, struct sim_ctx *ctx, const struct sw_packet *p, uint64_t at)
{
	struct net_batches *k = &n->batches;
	if (net_in_batches(&n->batches, at))
		sim_add(ctx, &net_batch_at(&n->batches, p->job, at)->delivered_bytes, p->bytes);
	if (!net_in_batches(&n->batches, p->created))
		return;
	struct net_batch *b = net_batch_at(&n->batches, p->job, p->created);
	size_t row = (size_t)(b - k->sum) * ROW;
	uint64_t latency = at - p->created, network = at - p->injected;
#define ADD(name, value) sim_add(ctx, &b->arrived.name, value)
	NET_MEASURED(ADD);
#undef ADD
	sim_add(ctx, &k->latency[row + sim_histogram_bin(latency)], 1);
	sim_add(ctx, &k->network[row + sim_histogram_bin(network)], 1);
}

/* To a count, a sum and a histogram. */
static void add_one(struct sim_ctx *ctx, uint64_t *count, uint64_t *sum, uint64_t *row, uint64_t ps)
{
	sim_add(ctx, count, 1);
	sim_add(ctx, sum, ps);
	sim_add(ctx, &row[sim_histogram_bin(ps)], 1);
}

void net_batches_message(struct net *n, struct sim_ctx *ctx, uint32_t job, uint64_t created, uint64_t latency)
{
	if (!net_in_batches(&n->batches, created))
		return;
	struct net_batch *b = net_batch_at(&n->batches, job, created);
	uint64_t *row = n->batches.message + (size_t)(b - n->batches.sum) * ROW;
	add_one(ctx, &b->messages, &b->message_sum, row, latency);
}

void net_batches_iteration(struct net *n, struct sim_ctx *ctx, uint32_t job, uint64_t ended, uint64_t ps)
{
	if (!net_in_batches(&n->batches, ended))
		return;
	struct net_batch *b = net_batch_at(&n->batches, job, ended);
	uint64_t *row = n->batches.iteration + (size_t)(b - n->batches.sum) * ROW;
	add_one(ctx, &b->iterations, &b->iteration_sum, row, ps);
}

/* to += from, from = 0; rows of counts that are all zero are not touched. */
static void move_words(uint64_t *to, uint64_t *from, size_t words)
{
	for (size_t i = 0; i < words; i++) {
		to[i] += from[i];
		from[i] = 0;
	}
}

static void move_row(struct net_batches *to, size_t i, struct net_batches *from, size_t k)
{
	const struct net_batch *b = &from->sum[k];
	bool arrived = b->arrived.packets, messages = b->messages, iterations = b->iterations;
	move_words((uint64_t *)(void *)&to->sum[i], (uint64_t *)(void *)&from->sum[k], NET_BATCH_WORDS);
	if (arrived) {
		move_words(to->latency + i * ROW, from->latency + k * ROW, ROW);
		move_words(to->network + i * ROW, from->network + k * ROW, ROW);
	}
	if (messages)
		move_words(to->message + i * ROW, from->message + k * ROW, ROW);
	if (iterations)
		move_words(to->iteration + i * ROW, from->iteration + k * ROW, ROW);
}

void net_batches_gather(struct net *n, struct net *worker)
{
	for (size_t i = 0; n->batches.on && i < n->jobs * NET_BATCH_BINS; i++)
		move_row(&n->batches, i, &worker->batches, i);
}

void net_batches_widen(struct net *n)
{
	struct net_batches *b = &n->batches;
	for (size_t i = 0; i < n->jobs * NET_BATCH_BINS; i++) {
		size_t bin = i % NET_BATCH_BINS;
		if (bin)
			move_row(b, i - bin + bin / 2, b, i);
	}
	b->shift++;
}

static void add_words(uint64_t *to, const uint64_t *from, size_t words)
{
	for (size_t i = 0; i < words; i++)
		to[i] += from[i];
}

void net_batches_settle(struct net *n, uint32_t from, uint32_t to)
{
	const struct net_batches *k = &n->batches;
	for (uint32_t j = 0; j < n->jobs; j++) {
		struct net_job_stats *s = &n->shared.job[j];
		for (uint32_t i = from; i < to; i++) {
			size_t row = j * NET_BATCH_BINS + i;
			const struct net_batch *b = &k->sum[row];
			s->created_bytes_measured += b->created_bytes;
			s->delivered_bytes_measured += b->delivered_bytes;
			s->measured += b->created;
			net_measured_add(&s->arrived, &b->arrived);
			s->messages += b->messages;
			s->message_sum += b->message_sum;
			s->iterations += b->iterations;
			s->iteration_sum += b->iteration_sum;
			add_words(n->shared.latency + j * ROW, k->latency + row * ROW, ROW);
			add_words(n->shared.network + j * ROW, k->network + row * ROW, ROW);
			if (k->message)
				add_words(n->shared.message + j * ROW, k->message + row * ROW, ROW);
			if (k->iteration)
				add_words(n->shared.iteration + j * ROW, k->iteration + row * ROW, ROW);
		}
	}
}
