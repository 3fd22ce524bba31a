/* topo/dragonfly_wire.c - the mapping of global ports to groups.
 *
 * A group has slots n = c (g - 1) + k: copy c of its k-th cable, k = 0 .. g-2. The arrangement maps k to a group and to
 * the k of the same cable at the other end; copy c meets copy c. Slots are assigned to the switches in order and
 * evenly, slot n to position floor(n a / slots), so that the copies to one group are far apart; with g = a h + 1 groups
 * and one cable per pair this is n = i h + j, port j of switch i, exactly as the arrangements were published:
 *   absolute   k      -> group k, or k + 1 from G on
 *   relative   k      -> G + k + 1     other end g - 2 - k
 *   palmtree   k      -> G - k - 1     other end g - 2 - k (Garcia et al.)
 *   circulant  k even -> G + k/2 + 1   other end k + 1, and k odd the reverse
 * (all modulo g; for an even g the last circulant k leads half way round and is its own other end). */
#include "topo/dragonfly.h"
#include "topo/params.h"

#include "base/check.h"
#include "base/memory.h"

struct dragonfly_cable {
	uint32_t to, k; /* the group, and this cable's k there */
};

static struct dragonfly_cable arrange(const struct dragonfly *d, uint32_t group, uint32_t k)
{
	uint32_t g = d->g;
	switch ((enum topo_arrangement)d->arrangement) {
	case TOPO_RELATIVE:
		return (struct dragonfly_cable){ (group + k + 1) % g, g - 2 - k };
	case TOPO_PALMTREE:
		return (struct dragonfly_cable){ (group + g - k - 1) % g, g - 2 - k };
	case TOPO_CIRCULANT:
		if (k % 2)
			return (struct dragonfly_cable){ (group + g - (k - 1) / 2 - 1) % g, k - 1 };
		return (struct dragonfly_cable){ (group + k / 2 + 1) % g, k + 1 < g - 1 ? k + 1 : k };
	case TOPO_ABSOLUTE:
		break;
	}
	uint32_t to = k < group ? k : k + 1;
	return (struct dragonfly_cable){ to, group < to ? group : group - 1 };
}

uint32_t dragonfly_trunk_to(const struct dragonfly *d, uint32_t group, uint32_t to)
{
	uint32_t ahead = to > group ? to - group : to + d->g - group;
	switch ((enum topo_arrangement)d->arrangement) {
	case TOPO_RELATIVE:
		return ahead - 1;
	case TOPO_PALMTREE:
		return d->g - ahead - 1;
	case TOPO_CIRCULANT:
		return 2 * ahead <= d->g ? 2 * (ahead - 1) : 2 * (d->g - ahead) - 1;
	case TOPO_ABSOLUTE:
		break;
	}
	return to < group ? to : to - 1;
}

void dragonfly_wire(struct dragonfly *d)
{
	d->slots = (d->g - 1) * d->trunk;
	d->position = base_calloc((size_t)d->slots + 1, sizeof *d->position);
	d->first_slot = base_calloc((size_t)d->a + 1, sizeof *d->first_slot);
	for (uint32_t i = 0; i <= d->a; i++)
		d->first_slot[i] = (uint32_t)(((uint64_t)i * d->slots + d->a - 1) / d->a);
	for (uint32_t i = 0; i < d->a; i++)
		for (uint32_t n = d->first_slot[i]; n < d->first_slot[i + 1]; n++)
			d->position[n] = i;
}

struct dragonfly_exit dragonfly_exit_at(const struct dragonfly *d, uint32_t group, uint32_t n)
{
	uint32_t c = topo_divide(&d->by_pairs, n), k = n - c * (d->g - 1);
	struct dragonfly_cable cable = arrange(d, group, k);
	base_checkf(n < d->slots && dragonfly_trunk_to(d, group, cable.to) == k &&
	                dragonfly_trunk_to(d, cable.to, group) == cable.k,
	            "global port %u of group %u leads to group %u", n, group, cable.to);
	return (struct dragonfly_exit){
		.from = group * d->a + dragonfly_exit_position(d, k, c),
		.to = cable.to * d->a + dragonfly_exit_position(d, cable.k, c),
		.port = dragonfly_exit_port(d, k, c),
		.to_port = dragonfly_exit_port(d, cable.k, c),
	};
}
