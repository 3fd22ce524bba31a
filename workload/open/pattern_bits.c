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
static int need_power(const struct wl_pattern *p, int multiple, const char *name, struct base_errors *errors)
{
	int b = log2_of(p->members) / multiple * multiple;
	uint64_t low = (uint64_t)1 << b, high = low << multiple;
	if (low == p->members)
		return 0;
	if (low == 1)
		return base_errorf(errors, "nodes", "%s needs a power of %d endpoints; %u is none, the nearest is %llu",
		                   name, 1 << multiple, p->members, (unsigned long long)high);
	return base_errorf(errors, "nodes",
	                   "%s needs a power of %d endpoints; %u is none, the nearest are %llu and %llu", name,
	                   1 << multiple, p->members, (unsigned long long)low, (unsigned long long)high);
}

static uint32_t unless_self(const struct wl_pattern *p, uint32_t index, uint32_t to)
{
	return to == index ? WL_IDLE : wl_member(p, to);
}

static int complement_build(struct wl_pattern *p, struct base_errors *errors)
{
	return need_power(p, 1, "bit-complement", errors);
}

static uint32_t complement_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                       uint32_t coin)
{
	(void)message, (void)bits, (void)coin;
	return wl_member(p, p->members - 1 - index);
}

static int reverse_build(struct wl_pattern *p, struct base_errors *errors)
{
	return need_power(p, 1, "bit-reverse", errors);
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

static int shuffle_build(struct wl_pattern *p, struct base_errors *errors)
{
	return need_power(p, 1, "shuffle", errors);
}

static uint32_t shuffle_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                    uint32_t coin)
{
	(void)message, (void)bits, (void)coin;
	uint32_t to = (index << 1 & (p->members - 1)) | (index >> (log2_of(p->members) - 1));
	return unless_self(p, index, to);
}

static int transpose_build(struct wl_pattern *p, struct base_errors *errors)
{
	return need_power(p, 2, "transpose", errors);
}

static uint32_t transpose_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                      uint32_t coin)
{
	(void)message, (void)bits, (void)coin;
	int half = log2_of(p->members) / 2;
	uint32_t to = (index << half & (p->members - 1)) | index >> half;
	return unless_self(p, index, to);
}

#define BITS_SOURCE "Dally & Towles, Principles and Practices of Interconnection Networks, table 3.1"

static const struct wl_pattern_ops complement_ops = {
	.fixed = true,
	.build = complement_build,
	.destination = complement_destination,
};
static const struct wl_pattern_ops reverse_ops = {
	.fixed = true,
	.build = reverse_build,
	.destination = reverse_destination,
};
static const struct wl_pattern_ops shuffle_ops = {
	.fixed = true,
	.build = shuffle_build,
	.destination = shuffle_destination,
};
static const struct wl_pattern_ops transpose_ops = {
	.fixed = true,
	.build = transpose_build,
	.destination = transpose_destination,
};

const struct base_plugin wl_bit_complement = {
	.kind = "pattern",
	.name = "bit-complement",
	.summary = "to the member whose index has every bit inverted; 2^b endpoints",
	.source = BITS_SOURCE,
	.ops = &complement_ops,
};
const struct base_plugin wl_bit_reverse = {
	.kind = "pattern",
	.name = "bit-reverse",
	.summary = "to the member whose index has the bits in reverse order; 2^b endpoints",
	.source = BITS_SOURCE,
	.ops = &reverse_ops,
};
const struct base_plugin wl_shuffle = {
	.kind = "pattern",
	.name = "shuffle",
	.summary = "to the member whose index is rotated left by one bit; 2^b endpoints",
	.source = BITS_SOURCE,
	.ops = &shuffle_ops,
};
const struct base_plugin wl_transpose = {
	.kind = "pattern",
	.name = "transpose",
	.summary = "to the member whose index has its two halves exchanged; 4^b endpoints",
	.source = BITS_SOURCE,
	.ops = &transpose_ops,
};
