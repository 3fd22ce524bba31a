/* workload/open/pattern_matrix.c - traffic matrices of switch theory, in which an input's load is distributed unevenly
 * over few outputs. A member may send to itself: endpoint i is input i and output i of one switch. */
#include "workload/workload.h"

/* The member k places on, going round. */
static inline uint32_t places_on(const struct wl_pattern *p, uint32_t index, uint32_t k)
{
	uint32_t to = index + k;
	return wl_member(p, to >= p->members ? to - p->members : to);
}

/* Two thirds to itself, one third to the next. */
static uint32_t diagonal_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                     uint32_t coin)
{
	(void)message, (void)coin;
	return places_on(p, index, sim_below(bits, 3) == 2 && p->members > 1);
}

static const struct wl_pattern_ops diagonal_ops = { .destination = diagonal_destination };

const struct base_plugin wl_diagonal = {
	.kind = "pattern",
	.name = "diagonal",
	.summary = "two thirds of the messages to the sender itself, one third to the next member: hard for a switch's "
		   "allocator",
	.source = "Giaccone, Prabhakar & Shah, Randomized scheduling algorithms for high-aggregate bandwidth switches, "
		  "IEEE JSAC 21(4), 2003",
	.ops = &diagonal_ops,
};

/* k places on with a probability proportional to 2^-k, k < members: the number of leading ones of a random word,
 * drawn from what lies below 2^64 - 2^(64 - members). */
static uint32_t log_diagonal_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                         uint32_t coin)
{
	(void)message;
	uint64_t word = (uint64_t)bits << 32 | coin;
	if (p->members < 64) { /* scaled to leave out the words with as many leading ones as there are members */
		uint64_t range = ~0ull - ((uint64_t)1 << (64 - p->members)) + 1;
		word = (uint64_t)((unsigned __int128)word * range >> 64);
	}
	uint32_t k = ~word ? (uint32_t)__builtin_clzll(~word) : 0;
	return places_on(p, index, k < p->members ? k : 0);
}

static const struct wl_pattern_ops log_diagonal_ops = { .destination = log_diagonal_destination };

const struct base_plugin wl_log_diagonal = {
	.kind = "pattern",
	.name = "log-diagonal",
	.summary = "to the sender itself, the next member, the one after it, and so on, each with half the frequency "
		   "of the previous one",
	.source = "Giaccone, Prabhakar & Shah, Randomized scheduling algorithms for high-aggregate bandwidth switches, "
		  "IEEE JSAC 21(4), 2003",
	.ops = &log_diagonal_ops,
};
