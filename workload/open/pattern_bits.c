/* workload/open/pattern_bits.c - permutations of the bits of a member's index; the job's size is a power of two.
 *
 * With index bits s[b-1] .. s[0] and destination bits d (Dally & Towles, table 3.1):
 *   bit-complement d[i] = not s[i]        bit-reverse d[i] = s[b-1-i]
 *   shuffle        d[i] = s[i-1 mod b]    transpose   d[i] = s[i+b/2 mod b]   (b even)
 * Members that a permutation maps to themselves stay idle and are counted so. */
#include "workload/workload.h"

static int log2_of(uint32_t n)
{
	return 31 - __builtin_clz(n);
}

/* An error unless the job's size is 2^b with b a multiple of `multiple`. */
static int need_power(const struct wl_pattern *p, int multiple, struct base_errors *errors)
{
	const char *name = p->plugin->name;
	int b = log2_of(p->members) / multiple * multiple;
	uint64_t low = (uint64_t)1 << b, high = low << multiple;
	if (low == p->members)
		return 0;
	if (low == 1)
		return base_errorf(
		    errors, "nodes",
		    "%s requires a power of %d as the number of endpoints; %u is not one, the nearest is %llu", name,
		    1 << multiple, p->members, (unsigned long long)high);
	return base_errorf(
	    errors, "nodes",
	    "%s requires a power of %d as the number of endpoints; %u is not one, the nearest are %llu and %llu", name,
	    1 << multiple, p->members, (unsigned long long)low, (unsigned long long)high);
}

static int power_of_two(struct wl_pattern *p, struct base_errors *errors)
{
	return need_power(p, 1, errors);
}

static int power_of_four(struct wl_pattern *p, struct base_errors *errors)
{
	return need_power(p, 2, errors);
}

static uint32_t unless_self(const struct wl_pattern *p, uint32_t index, uint32_t to)
{
	return to == index ? WL_IDLE : wl_member(p, to);
}

static uint32_t complement_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                       uint32_t coin)
{
	(void)message, (void)bits, (void)coin;
	return wl_member(p, p->members - 1 - index);
}

static uint32_t reverse_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                    uint32_t coin)
{
	(void)message, (void)bits, (void)coin;
	uint32_t to = 0;
	for (int i = 0, b = log2_of(p->members); i < b; i++)
		to = to << 1 | (index >> i & 1);
	return unless_self(p, index, to);
}

static uint32_t shuffle_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                    uint32_t coin)
{
	(void)message, (void)bits, (void)coin;
	uint32_t to = (index << 1 & (p->members - 1)) | (index >> (log2_of(p->members) - 1));
	return unless_self(p, index, to);
}

static uint32_t transpose_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                      uint32_t coin)
{
	(void)message, (void)bits, (void)coin;
	int half = log2_of(p->members) / 2;
	uint32_t to = (index << half & (p->members - 1)) | index >> half;
	return unless_self(p, index, to);
}

/* NAME_destination() as the pattern wl_PATTERN. */
#define BITS(name_, pattern, text, size, summary_)                                                           \
	static const struct wl_pattern_ops name_##_ops = { .fixed = true,                                    \
		                                           .build = size,                                    \
		                                           .destination = name_##_destination };             \
	const struct base_plugin wl_##pattern = {                                                            \
		.kind = "pattern",                                                                           \
		.name = text,                                                                                \
		.summary = summary_,                                                                         \
		.source = "Dally & Towles, Principles and Practices of Interconnection Networks, table 3.1", \
		.ops = &name_##_ops                                                                          \
	}

BITS(complement, bit_complement, "bit-complement", power_of_two,
     "to the member whose index is the bitwise complement; 2^b endpoints");
BITS(reverse, bit_reverse, "bit-reverse", power_of_two,
     "to the member whose index has its bits in reverse order; 2^b endpoints");
BITS(shuffle, shuffle, "shuffle", power_of_two, "to the member whose index is rotated left by one bit; 2^b endpoints");
BITS(transpose, transpose, "transpose", power_of_four,
     "to the member whose index has its upper and lower half of bits exchanged; 4^b endpoints");
