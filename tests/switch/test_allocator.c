/* tests/switch/test_allocator.c - arbiters and allocators by themselves: fairness, valid matchings, known sizes. */
#include "base/memory.h"
#include "sim/rng.h"
#include "switch/crossbar/allocator.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct sim_ctx ctx; /* journal off */
static const struct sw_charge no_charge;

extern const struct base_plugin sw_arbiter_weighted, sw_arbiter_least_recent; /* which no switch knows by name */

static uint64_t random_word(uint32_t index)
{
	struct sim_draw d = sim_draw4(7, index, 0, SIM_DRAW_MODEL, 0);
	return (uint64_t)d.v[0] << 32 | d.v[1];
}

/* --- sets and arbiters
 * --------------------------------------------------------------------------------------------------- */

Test(arbiter, next_of_a_set_goes_round)
{
	for (uint32_t n = 1; n <= SW_SET_PORTS; n += 17)
		for (uint32_t trial = 0; trial < 20; trial++) {
			uint64_t set[SW_SET_WORDS] = { 0 };
			for (uint32_t i = 0; i < n; i++)
				if (random_word(n * 1000 + trial * 300 + i) % 5 == 0)
					sw_set_add(set, i);
			for (uint32_t from = 0; from < n; from++) {
				uint32_t expected = SW_NOBODY;
				for (uint32_t k = 0; k < n && expected == SW_NOBODY; k++)
					if (sw_set_has(set, (from + k) % n))
						expected = (from + k) % n;
				cr_assert_eq(sw_set_next(set, n, from), expected, "n %u from %u", n, from);
			}
		}
}

Test(arbiter, round_robin_serves_all_in_turn)
{
	_Alignas(8) unsigned char state[8] = { 0 };
	uint64_t all[SW_SET_WORDS] = { 0x1f };
	for (uint32_t k = 0; k < 20; k++) {
		uint32_t w = sw_arbiter_pick(&sw_arbiter_round_robin, 5, state, all, NULL);
		cr_assert_eq(w, k % 5);
		sw_arbiter_won(&ctx, &sw_arbiter_round_robin, 5, state, w, NULL, no_charge);
	}
}

Test(arbiter, weights_are_shares)
{
	_Alignas(8) unsigned char state[8] = { 0 };
	uint64_t all[SW_SET_WORDS] = { 0x7 };
	const uint32_t weight[] = { 1, 2, 5 };
	uint32_t wins[3] = { 0 };
	for (uint32_t k = 0; k < 800; k++) {
		uint32_t w = sw_arbiter_pick(&sw_arbiter_weighted, 3, state, all, NULL);
		sw_arbiter_won(&ctx, &sw_arbiter_weighted, 3, state, w, weight, no_charge);
		wins[w]++;
	}
	cr_assert(wins[0] == 100 && wins[1] == 200 && wins[2] == 500, "%u %u %u", wins[0], wins[1], wins[2]);
}

Test(arbiter, age_is_first_come_first_served)
{
	uint64_t set[SW_SET_WORDS] = { 0x2d }, age[6] = { 9, 0, 4, 4, 0, 7 };
	cr_assert_eq(sw_arbiter_pick(&sw_arbiter_age, 6, NULL, set, age), 2u);
}

/* The time stamps give the order of the matrix arbiter: a bit matrix, kept here as the book has it. */
Test(arbiter, least_recent_is_the_matrix_arbiter)
{
	enum { N = 9 };
	_Alignas(8) unsigned char state[8 + 64] = { 0 };
	bool before[N][N]; /* [i][j]: i has priority over j */
	cr_assert_leq(sw_arbiter_bytes(&sw_arbiter_least_recent, N), sizeof state);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			before[i][j] = i < j;
	for (uint32_t k = 0; k < 5000; k++) {
		uint64_t set[SW_SET_WORDS] = { random_word(k) & ((1u << N) - 1) };
		uint32_t expected = SW_NOBODY;
		for (uint32_t i = 0; i < N; i++) {
			bool wins = sw_set_has(set, i);
			for (uint32_t j = 0; j < N; j++)
				wins &= !(j != i && sw_set_has(set, j) && before[j][i]);
			if (wins)
				expected = i;
		}
		uint32_t w = sw_arbiter_pick(&sw_arbiter_least_recent, N, state, set, NULL);
		cr_assert_eq(w, expected);
		if (w == SW_NOBODY)
			continue;
		sw_arbiter_won(&ctx, &sw_arbiter_least_recent, N, state, w, NULL, no_charge);
		for (uint32_t j = 0; j < N; j++) {
			before[w][j] = false;
			before[j][w] = j != w;
		}
	}
}

/* Shares of the bytes under deficit round robin. asks(i, k): does i ask at pick k? size(i, k): of its packet
 */
enum { DRR_N = 5, QUANTUM = 9000 };

static void serve(uint64_t bytes[DRR_N], uint32_t picks, bool (*asks)(uint32_t i, uint32_t k),
                  uint32_t (*size)(uint32_t i, uint32_t k))
{
	_Alignas(8) unsigned char state[8 + 4 * DRR_N + 4] = { 0 };
	uint64_t key[DRR_N];
	uint32_t packet[DRR_N] = { 0 };
	cr_assert_leq(sw_arbiter_bytes(&sw_arbiter_drr, DRR_N), sizeof state);
	for (uint32_t k = 0; k < picks; k++) {
		uint64_t set[SW_SET_WORDS] = { 0 };
		for (uint32_t i = 0; i < DRR_N; i++) {
			key[i] = size(i, packet[i]);
			if (asks(i, k))
				sw_set_add(set, i);
		}
		uint32_t w = sw_arbiter_pick(&sw_arbiter_drr, DRR_N, state, set, key);
		cr_assert_eq(w == SW_NOBODY, !sw_set_any(set, 1));
		if (w == SW_NOBODY)
			continue;
		cr_assert(sw_set_has(set, w));
		sw_arbiter_won(&ctx, &sw_arbiter_drr, DRR_N, state, w, NULL,
		               (struct sw_charge){ (uint32_t)key[w], QUANTUM });
		bytes[w] += key[w];
		packet[w]++;
	}
}

static bool always(uint32_t i, uint32_t k)
{
	(void)i;
	(void)k;
	return true;
}

static uint32_t mixed_size(uint32_t i, uint32_t k)
{
	static const uint32_t fixed[] = { 64, 512, 4096, QUANTUM };
	return i < 4 ? fixed[i] : 1 + (uint32_t)(random_word(k) % QUANTUM);
}

/* Whatever the sizes, no two who always ask differ by more than a turn and two packets (the paper's lemmas). */
Test(arbiter, deficit_round_robin_is_fair_in_bytes)
{
	uint64_t bytes[DRR_N] = { 0 }, least = UINT64_MAX, most = 0;
	serve(bytes, 40000, always, mixed_size);
	for (uint32_t i = 0; i < DRR_N; i++) {
		least = bytes[i] < least ? bytes[i] : least;
		most = bytes[i] > most ? bytes[i] : most;
	}
	cr_expect_leq(most - least, 3 * QUANTUM, "%llu to %llu", (unsigned long long)least, (unsigned long long)most);
	cr_expect_geq(least, 1000000u);
}

static bool small_ones_pause(uint32_t i, uint32_t k)
{
	return i >= 2 || k % 50 != i;
}

/* Who does not ask every time, but often enough for its share, has it. */
Test(arbiter, deficit_round_robin_keeps_the_rest_for_who_is_away)
{
	uint64_t bytes[DRR_N] = { 0 };
	serve(bytes, 40000, small_ones_pause, mixed_size);
	for (uint32_t i = 1; i < DRR_N; i++)
		cr_expect(bytes[i] * 100 >= bytes[0] * 98 && bytes[i] * 98 <= bytes[0] * 100, "%u: %llu of %llu", i,
		          (unsigned long long)bytes[i], (unsigned long long)bytes[0]);
}

static bool late(uint32_t i, uint32_t k)
{
	return i == 3 ? k >= 20000 : i == 2;
}

/* Who comes late has no more than the others from then on. */
Test(arbiter, deficit_round_robin_does_not_save_up)
{
	uint64_t before[DRR_N] = { 0 }, bytes[DRR_N] = { 0 };
	serve(before, 20000, late, mixed_size);
	serve(bytes, 24000, late, mixed_size);
	cr_expect_eq(before[3], 0u);
	uint64_t since = bytes[2] - before[2];
	cr_expect(bytes[3] <= since + 4 * QUANTUM && since <= bytes[3] + 4 * QUANTUM, "%llu and %llu",
	          (unsigned long long)bytes[3], (unsigned long long)since);
}

/* --- allocators
 * ---------------------------------------------------------------------------------------------------------- */

#define KINDS(X) X(islip) X(pim) X(separable_input) X(separable_output) X(wavefront) X(maximum) X(loa) X(select)
#define DECLARE(name) extern const struct base_plugin sw_allocator_##name;
#define LIST(name) &sw_allocator_##name,
KINDS(DECLARE)
static const struct base_plugin *const every_kind[] = { KINDS(LIST) };

struct bench {
	struct sw_allocator a;
	struct sw_allocator_work w;
	void *state;
	uint32_t weight[SW_SET_PORTS];
	uint32_t calls;
};

static void open_bench(struct bench *b, const struct base_plugin *kind, const struct base_plugin *arbiter,
                       uint32_t inputs, uint32_t outputs, uint32_t iterations)
{
	*b = (struct bench){ .a = { .plugin = kind,
		                    .arbiter = arbiter,
		                    .inputs = inputs,
		                    .outputs = outputs,
		                    .iterations = iterations,
		                    .quantum = 100,
		                    .seed = 5 } };
	for (uint32_t i = 0; i < SW_SET_PORTS; i++)
		b->weight[i] = 1 + i % 3;
	b->a.weight = b->weight;
	b->state = base_calloc(sw_allocator_bytes(&b->a) + 8, 1);
	sw_allocator_work_init(&b->a, &b->w);
}

static void close_bench(struct bench *b)
{
	sw_allocator_work_free(&b->w);
	free(b->state);
}

static void random_requests(struct bench *b, uint32_t one_in, uint32_t seed)
{
	sw_allocator_begin(&b->a, &b->w);
	for (uint32_t i = 0; i < b->a.inputs; i++)
		for (uint32_t o = 0; o < b->a.outputs; o++)
			if (random_word(seed + i * 256 + o) % one_in == 0) {
				sw_allocator_request(&b->w, i, o);
				if (b->w.key)
					b->w.key[(size_t)i * b->a.outputs + o] = random_word(seed + 7 * i + o) % 100;
			}
}

static uint32_t match(struct bench *b)
{
	return sw_allocator_match(&ctx, &b->a, b->state, &b->w, 3, b->calls++);
}

/* Every pair was asked for, none has two partners, match and taken agree; returns the number of pairs. */
static uint32_t valid_pairs(const struct bench *b)
{
	uint32_t pairs = 0, back = 0;
	for (SW_EACH(i, b->w.asking, b->w.in_words)) {
		uint32_t o = b->w.match[i];
		if (o == SW_NO_MATCH)
			continue;
		cr_assert(sw_allocator_requested(&b->w, i, o));
		cr_assert_eq(b->w.taken[o], i);
		pairs++;
	}
	for (SW_EACH(o, b->w.asked, b->w.out_words))
		back += b->w.taken[o] != SW_NO_MATCH;
	cr_assert_eq(pairs, back);
	return pairs;
}

static bool is_maximal(const struct bench *b)
{
	for (SW_EACH(i, b->w.asking, b->w.in_words))
		for (SW_EACH(o, b->w.row + (size_t)i * b->w.out_words, b->w.out_words))
			if (b->w.match[i] == SW_NO_MATCH && b->w.taken[o] == SW_NO_MATCH)
				return false;
	return true;
}

Test(allocator, matchings_are_valid_for_every_kind_arbiter_and_shape)
{
	static const struct base_plugin *const every[] = { &sw_arbiter_round_robin, &sw_arbiter_age,
		                                           &sw_arbiter_weighted, &sw_arbiter_least_recent,
		                                           &sw_arbiter_drr };
	static const uint32_t shape[][2] = { { 1, 1 }, { 5, 5 }, { 16, 8 }, { 8, 64 }, { 65, 63 }, { 130, 256 } };
	for (size_t kind = 0; kind < sizeof every_kind / sizeof *every_kind; kind++)
		for (size_t arbiter = 0; arbiter < sizeof every / sizeof *every; arbiter++)
			for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
				struct bench b;
				open_bench(&b, every_kind[kind], every[arbiter], shape[k][0], shape[k][1],
				           1 + (uint32_t)k % 3);
				for (uint32_t trial = 0; trial < 12; trial++) {
					random_requests(&b, 1 + trial * 2, trial * 100000 + (uint32_t)kind);
					cr_assert_eq(match(&b), valid_pairs(&b));
					cr_assert(!(every_kind[kind] == &sw_allocator_wavefront ||
					            every_kind[kind] == &sw_allocator_maximum) ||
					          is_maximal(&b));
				}
				close_bench(&b);
			}
}

/* Size of a maximum matching by plain recursion. */
static bool try_input(const struct bench *b, uint32_t i, bool *seen, int *owner)
{
	for (uint32_t o = 0; o < b->a.outputs; o++) {
		if (seen[o] || !sw_allocator_requested(&b->w, i, o))
			continue;
		seen[o] = true;
		if (owner[o] < 0 || try_input(b, (uint32_t)owner[o], seen, owner)) {
			owner[o] = (int)i;
			return true;
		}
	}
	return false;
}

Test(allocator, maximum_size_is_maximum_and_bounds_the_others)
{
	struct bench b;
	open_bench(&b, &sw_allocator_maximum, &sw_arbiter_round_robin, 40, 33, 1);
	for (uint32_t trial = 0; trial < 200; trial++) {
		random_requests(&b, 2 + trial % 40, trial * 5000);
		int owner[40];
		uint32_t most = 0;
		memset(owner, 0xff, sizeof owner);
		for (uint32_t i = 0; i < 40; i++) {
			bool seen[40] = { false };
			most += try_input(&b, i, seen, owner);
		}
		cr_assert_eq(match(&b), most);
	}
	close_bench(&b);
}

static double mean_of_full(const struct base_plugin *kind, uint32_t n, uint32_t iterations, uint32_t skip,
                           uint32_t calls)
{
	struct bench b;
	open_bench(&b, kind, &sw_arbiter_round_robin, n, n, iterations);
	uint64_t pairs = 0;
	for (uint32_t k = 0; k < skip + calls; k++) {
		random_requests(&b, 1, 0);
		uint32_t got = match(&b);
		pairs += k >= skip ? got : 0;
	}
	close_bench(&b);
	return (double)pairs / calls / n;
}

/* All requests present: one iteration of PIM matches 1 - (1 - 1/N)^N of the outputs' offers (63 % for large N), since
 * an input is left without an offer with probability (1 - 1/N)^N; three and four iterations more than 95 % and 99 %
 * (Anderson et al. 1993, table 1). */
Test(allocator, pim_one_iteration_is_63_per_cent)
{
	for (uint32_t n = 4; n <= 64; n *= 4) {
		double expected = 1 - pow(1 - 1.0 / n, n), got = mean_of_full(&sw_allocator_pim, n, 1, 0, 64000 / n);
		cr_expect_float_eq(got, expected, 0.01, "N = %u: %g, expected %g", n, got, expected);
	}
	cr_expect_gt(mean_of_full(&sw_allocator_pim, 16, 4, 0, 2000), 0.97);
}

/* All requests present: the pointers of iSLIP fall apart, then every call matches all (McKeown 1999, section III). */
Test(allocator, islip_pointers_desynchronise)
{
	for (uint32_t n = 2; n <= 128; n *= 4)
		cr_expect_eq(mean_of_full(&sw_allocator_islip, n, 1, 4 * n, 200), 1.0, "N = %u", n);
}

/* Two inputs want one output for ever: round robin and least recent serve them alternately. */
Test(allocator, no_input_starves)
{
	for (size_t kind = 0; kind < sizeof every_kind / sizeof *every_kind; kind++) {
		struct bench b;
		uint32_t wins[8] = { 0 };
		open_bench(&b, every_kind[kind], &sw_arbiter_round_robin, 8, 8, 1);
		for (uint32_t k = 0; k < 8000; k++) {
			sw_allocator_begin(&b.a, &b.w);
			for (uint32_t i = 0; i < 8; i++)
				sw_allocator_request(&b.w, i, 2);
			cr_assert_eq(match(&b), 1u);
			wins[b.w.taken[2]]++;
		}
		for (int i = 0; i < 8; i++)
			cr_expect(wins[i] > 900 && wins[i] < 1100, "%s: input %d won %u of 8000",
			          every_kind[kind]->name, i, wins[i]);
		close_bench(&b);
	}
}

/* --- lonely output and select
 * ------------------------------------------------------------------------------------------- */

static void request_list(struct bench *b, const uint32_t (*pair)[2], size_t n)
{
	sw_allocator_begin(&b->a, &b->w);
	for (size_t i = 0; i < n; i++)
		sw_allocator_request(&b->w, pair[i][0], pair[i][1]);
}

/* Inputs 0, 1, 2 request outputs {0, 1}, {0, 2}, {0}. Output 0 is asked by three, the others by one each: inputs 0 and
 * 1 take the lonely ones, which leaves output 0 to input 2. Then with {0, 1}, {0, 1}: both outputs have two. The
 * pointers of inputs 0 and 1 stand at 1 after their grant, so both ask for output 1, whose pointer stands at 1: input 1
 * gets it and input 0 nothing, although output 0 is free. */
Test(allocator, lonely_outputs_by_hand)
{
	struct bench b;
	open_bench(&b, &sw_allocator_loa, &sw_arbiter_round_robin, 3, 3, 1);
	static const uint32_t first[][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 2 }, { 2, 0 } },
			      second[][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 } };
	request_list(&b, first, 5);
	cr_assert_eq(match(&b), 3u);
	cr_expect(b.w.match[0] == 1 && b.w.match[1] == 2 && b.w.match[2] == 0);
	request_list(&b, second, 4);
	cr_assert_eq(match(&b), 1u);
	cr_expect(b.w.match[0] == SW_NO_MATCH && b.w.match[1] == 1);
	close_bench(&b);
}

/* The rule once more, on plain matrices. */
Test(allocator, lonely_outputs_are_as_defined)
{
	enum { N = 70, M = 67 };
	struct bench b;
	uint32_t in_turn[N] = { 0 }, out_turn[M] = { 0 };
	open_bench(&b, &sw_allocator_loa, &sw_arbiter_round_robin, N, M, 1);
	for (uint32_t trial = 0; trial < 300; trial++) {
		random_requests(&b, 1 + trial % 30, trial * 30000);
		uint32_t asked[M] = { 0 }, ask[N], pairs = 0, won = 0;
		for (uint32_t i = 0; i < N; i++)
			for (uint32_t o = 0; o < M; o++)
				asked[o] += sw_allocator_requested(&b.w, i, o);
		for (uint32_t i = 0; i < N; i++) {
			ask[i] = M;
			for (uint32_t k = 0; k < M; k++) {
				uint32_t o = (in_turn[i] + k) % M;
				if (sw_allocator_requested(&b.w, i, o) && (ask[i] == M || asked[o] < asked[ask[i]]))
					ask[i] = o;
			}
		}
		pairs = match(&b);
		for (uint32_t o = 0; o < M; o++)
			for (uint32_t k = 0; k < N; k++) {
				uint32_t i = (out_turn[o] + k) % N;
				if (ask[i] != o)
					continue;
				cr_assert_eq(b.w.match[i], o, "trial %u, output %u", trial, o);
				won++;
				in_turn[i] = (in_turn[i] + 1) % M;
				out_turn[o] = (out_turn[o] + 1) % N;
				break;
			}
		cr_assert_eq(pairs, won);
	}
	close_bench(&b);
}

/* Without priorities, and with equal ones, select is iSLIP. */
Test(allocator, select_of_equals_is_islip)
{
	static const struct base_plugin *const arbiter[] = { &sw_arbiter_round_robin, &sw_arbiter_age };
	for (int k = 0; k < 2; k++) {
		struct bench a, b;
		open_bench(&a, &sw_allocator_islip, &sw_arbiter_round_robin, 40, 50, 2);
		open_bench(&b, &sw_allocator_select, arbiter[k], 40, 50, 2);
		for (uint32_t trial = 0; trial < 200; trial++) {
			random_requests(&a, 1 + trial % 20, trial * 30000);
			random_requests(&b, 1 + trial % 20, trial * 30000);
			for (size_t i = 0; b.w.key && i < 40 * 50; i++)
				b.w.key[i] = 7;
			cr_assert_eq(match(&a), match(&b));
			for (SW_EACH(i, a.w.asking, a.w.in_words))
				cr_assert_eq(a.w.match[i], b.w.match[i], "trial %u, input %u", trial, i);
		}
		close_bench(&a);
		close_bench(&b);
	}
}

/* Both inputs request both outputs; their ages by [input][output] are {3, 5}, {1, 4}. In the first iteration both
 * outputs grant input 1 (1 < 3, 4 < 5), which accepts output 0 (1 < 4); in the second output 1 is left to input 0. Of
 * equal ages the pointers decide: after that match those of output 0 and input 1 stand at 0 (behind 1 of 2) and 1. So
 * with all ages equal output 0 grants input 0, output 1, whose pointer has not moved, input 0 as well, which accepts
 * output 0. */
Test(allocator, select_takes_the_oldest_first)
{
	struct bench b;
	static const uint32_t all[][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 } };
	static const uint64_t age[] = { 3, 5, 1, 4 }, same[] = { 2, 2, 2, 2 };
	open_bench(&b, &sw_allocator_select, &sw_arbiter_age, 2, 2, 1);
	request_list(&b, all, 4);
	memcpy(b.w.key, age, sizeof age);
	cr_assert_eq(match(&b), 1u);
	cr_expect(b.w.match[0] == SW_NO_MATCH && b.w.match[1] == 0);
	request_list(&b, all, 4);
	memcpy(b.w.key, same, sizeof same);
	cr_assert_eq(match(&b), 1u);
	cr_expect(b.w.match[0] == 0 && b.w.match[1] == SW_NO_MATCH);
	close_bench(&b);
	open_bench(&b, &sw_allocator_select, &sw_arbiter_age, 2, 2, 2);
	request_list(&b, all, 4);
	memcpy(b.w.key, age, sizeof age);
	cr_assert_eq(match(&b), 2u);
	cr_expect(b.w.match[0] == 1 && b.w.match[1] == 0);
	close_bench(&b);
}
