/* tests/switch/test_wire.c - lanes and link-level retry of one link against closed forms. */
#include "switch/links/wire.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BYTES 256u
#define FRAME_PS 10240u /* at 200 Gb/s, 40 ps a byte */

static struct sim_ctx ctx; /* journal off */

struct bench {
	struct sw_wires all;
	struct sw_link link;
	struct sw_wire *wire;
	struct sw_passage p;
	uint64_t latency;
};

static struct bench new_bench(double bit_error_rate, uint64_t buffer, uint64_t round)
{
	struct bench b = { .link = { .ps_per_byte_q16 = 40u << 16 } };
	b.all.rate = calloc(2, sizeof *b.all.rate);
	sw_error_rate_set(&b.all.rate[1], bit_error_rate);
	b.all.of[0] = (struct sw_wire_rule){
		.on = true, .lanes = 4, .errors = bit_error_rate > 0, .buffer = buffer, .answer = round % 2
	};
	if (buffer != UINT64_MAX)
		b.all.of[0].slots = sw_wire_slots(buffer, BYTES);
	b.wire = calloc(1, sizeof *b.wire + b.all.of[0].slots * sizeof *b.wire->slot);
	b.wire->latency = round / 3;
	b.wire->back = round - round % 2 - round / 3;
	b.p = (struct sw_passage){ .bytes = BYTES, .seed = 7 };
	return b;
}

static void free_bench(struct bench *b)
{
	free(b->all.rate);
	free(b->all.change);
	free(b->wire);
}

/* A frame of a source that always has one. */
static void pass_next(struct bench *b)
{
	b->p.idle = b->p.free_at;
	sw_wire_pass(&ctx, &b->all, &b->link, b->wire, &b->p);
}

/* (1 - e)^bits in doubles, by log1p and expm1. In fixed point each bit may lose two units of 2^-64. */
Test(wire, a_frame_passes_with_the_probability_that_all_of_its_bits_do)
{
	static const double rates[] = { 1e-12, 1e-9, 1e-7, 1e-5, 1e-4 };
	static const uint32_t bytes[] = { 1, 64, 255, 256, 2112, 9022 };
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		struct sw_error_rate rate;
		sw_error_rate_set(&rate, rates[i]);
		for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++) {
			double lost = -expm1(8.0 * bytes[k] * log1p(-rates[i]));
			double found = (double)(0 - sw_error_rate_intact(&rate, bytes[k])) * 0x1p-64;
			cr_expect_float_eq(found, lost, 16.0 * bytes[k] * 0x1p-64 + 1e-12 * lost,
			                   "%g, %u bytes: %.17g, %.17g", rates[i], bytes[k], found, lost);
		}
	}
}

/* Go-back-N: a frame takes T, and each of its damaged copies T and the round trip, that is N T. The copies that are
 * damaged before one passes are geometric: p / (1 - p) in the mean, variance p / (1 - p)^2. */
Test(wire, goodput_and_replays_are_those_of_go_back_n)
{
	static const double rates[] = { 1e-7, 1e-6, 1e-5, 1e-4 };
	static const uint64_t rounds[] = { 0, 100000, 512000, 2000001 };
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		for (size_t k = 0; k < sizeof rounds / sizeof *rounds; k++) {
			struct bench b = new_bench(rates[i], UINT64_MAX, rounds[k]);
			/* damaged frames enough for 1 %: the deviation of their number is 1 % of it at most */
			const double frames = 1e6, p = -expm1(8 * BYTES * log1p(-rates[i]));
			const double n = 1 + (double)rounds[k] / FRAME_PS;
			for (double f = 0; f < frames; f++)
				pass_next(&b);
			double goodput = frames * FRAME_PS / (double)b.p.free_at, closed = (1 - p) / (1 + (n - 1) * p),
			       mean = frames * p / (1 - p), deviation = sqrt(frames * p) / (1 - p);
			cr_expect_float_eq(goodput, closed, 0.01 * closed, "%g, round trip %llu: %g, %g", rates[i],
			                   (unsigned long long)rounds[k], goodput, closed);
			cr_expect_float_eq((double)b.wire->damaged, mean, 3 * deviation,
			                   "%g: %llu damaged, %g expected", rates[i],
			                   (unsigned long long)b.wire->damaged, mean);
			cr_expect_eq(b.wire->lost_ps, b.wire->damaged * (FRAME_PS + rounds[k]));
			cr_expect_eq(b.p.free_at, b.wire->lost_ps + (uint64_t)frames * FRAME_PS); /* nothing else */
			cr_expect_eq(b.wire->frames, (uint64_t)frames);
			cr_expect_eq(b.wire->replayed_bytes, b.wire->replayed * BYTES);
			free_bench(&b);
		}
	}
}

/* One damaged frame: behind it the round trip holds ceil(round / T) begun copies of others, all of them sent again. */
Test(wire, what_was_sent_behind_a_damaged_frame_is_sent_again)
{
	struct bench b = new_bench(0, UINT64_MAX, 100 * 1000);
	struct sw_wire_change fails[] = { { 5 * FRAME_PS + 1, 1, 0 }, { 5 * FRAME_PS + 2, 0, 0 } };
	b.all.change = malloc(sizeof fails);
	memcpy(b.all.change, fails, sizeof fails);
	b.wire->changes = 2;
	for (int i = 0; i < 100; i++)
		pass_next(&b);
	cr_expect_eq(b.wire->damaged, 1); /* the sixth */
	cr_expect_eq(b.wire->replayed, 1 + 10);
	cr_expect_eq(b.p.free_at, 100 * FRAME_PS + FRAME_PS + 100000);
	free_bench(&b);

	/* and where the next frame comes later than the request, nothing is */
	b = new_bench(0, UINT64_MAX, 100 * 1000);
	b.all.change = malloc(sizeof fails);
	memcpy(b.all.change, fails, sizeof fails);
	b.wire->changes = 2;
	b.p.ready = 5 * FRAME_PS;
	pass_next(&b);
	cr_expect_eq(b.wire->damaged, 1);
	cr_expect_eq(b.p.start, 5 * FRAME_PS + FRAME_PS + 100000);
	b.p.ready = b.p.start;
	pass_next(&b);
	cr_expect_eq(b.wire->replayed, 1);
	free_bench(&b);
}

/* With m frames in the retry buffer each waits for the acknowledgement of the m-th before it, a round trip behind its
 * last bit: m frames in every T + round, or the link's rate. */
Test(wire, a_retry_buffer_bounds_the_rate_over_the_round_trip)
{
	static const uint64_t buffers[] = { 256, 511, 1024, 4096, 12800, 13000, 13312, 65536 };
	const uint64_t round = 512 * 1000;
	for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
		struct bench b = new_bench(0, buffers[i], round);
		const int frames = 20000;
		for (int f = 0; f < frames; f++)
			pass_next(&b);
		uint64_t m = buffers[i] / BYTES;
		double closed = fmin(1, (double)m * FRAME_PS / (double)(FRAME_PS + round));
		double goodput = (double)frames * FRAME_PS / (double)b.p.free_at;
		cr_expect_float_eq(goodput, closed, 0.01 * closed, "%llu bytes: %g, %g", (unsigned long long)buffers[i],
		                   goodput, closed);
		free_bench(&b);
	}
}

/* Small frames share slots: at most 1/64 of the buffer waits longer than it must. */
Test(wire, slots_of_a_large_retry_buffer_are_few)
{
	struct bench b = new_bench(0, 64 << 10, 100 * 1000 * 1000);
	const int frames = 200000;
	cr_expect_eq(sw_wire_slots(64 << 10, 1), SW_WIRE_SLOTS);
	for (int f = 0; f < frames; f++)
		pass_next(&b);
	double closed = 256.0 * FRAME_PS / (FRAME_PS + 1e8), goodput = (double)frames * FRAME_PS / (double)b.p.free_at;
	cr_expect_float_eq(goodput, closed, closed / 64);
	free_bench(&b);
}

/* 4, 3, 2, 1 lanes of four: 10,240, 13,653.3, 20,480, 40,960 ps a frame. */
Test(wire, lanes_that_fail_take_their_part_of_the_rate)
{
	for (uint32_t lost = 0; lost < 4; lost++) {
		struct bench b = new_bench(0, UINT64_MAX, 100 * 1000);
		b.all.change = calloc(1, sizeof *b.all.change);
		*b.all.change = (struct sw_wire_change){ .at = 0, .lost = lost };
		b.wire->changes = 1;
		pass_next(&b);
		cr_expect_eq(b.p.finish - b.p.start, (4 * FRAME_PS + (4 - lost) / 2) / (4 - lost));
		cr_expect_eq(sw_wire_comes(&b.all, &b.link, 0, b.wire, BYTES, 50000), b.p.finish - b.p.start);
		cr_expect_eq(sw_wire_degraded(&b.all, b.wire, 1234), lost ? 1234 : 0);
		free_bench(&b);
	}
}

/* Faster than its input, a link that has lost lanes must not run dry, nor be slower than needed: its frame ends no
 * sooner than `whole`, and exactly then if that is what binds. */
Test(wire, a_frame_that_still_arrives_ends_with_its_last_bit)
{
	struct bench b = new_bench(0, UINT64_MAX, 0);
	b.p.ready = 1000;
	b.p.whole = 1000 + 3 * FRAME_PS;
	pass_next(&b);
	cr_expect_eq(b.p.finish, b.p.whole);
	cr_expect_eq(b.p.start, b.p.whole - FRAME_PS);
	free_bench(&b);
}
