/* tests/topo/test_dragonfly_trunks.c - what next() and distance() of dragonflies with several cables a pair of groups
 * say, against a plain scan of all of these cables. */
#include "tests/topo/fixture.h"
#include "topo/dragonfly.h"
#include "topo/offer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const arrangements[] = { "absolute", "relative", "palmtree", "circulant" };

/* --- the plain scan: from the list of cables alone --------------------------------------------------------------- */

enum usable { ANY, OWN, SAME_COLUMN };

static bool admits(const struct dragonfly *d, topo_switch from, topo_switch here, enum usable usable)
{
	return usable == ANY || from == here ||
	       (usable == SAME_COLUMN && from % d->a % d->columns == here % d->a % d->columns);
}

/* The cables from one group to another, found by looking at every global port of every group, once a dragonfly. */
static struct dragonfly_exit *exits_of(const struct dragonfly *d, uint32_t group, uint32_t to)
{
	static struct dragonfly_exit *all;
	static struct dragonfly of;
	uint32_t pairs = d->g * d->g;
	if (!all || memcmp(&of, d, sizeof of) != 0) {
		uint32_t *n = calloc(pairs, sizeof *n);
		all = realloc(all, (size_t)pairs * d->trunk * sizeof *all);
		of = *d;
		for (uint32_t g = 0; g < d->g; g++)
			for (uint32_t slot = 0; slot < d->slots; slot++) {
				struct dragonfly_exit x = dragonfly_exit_at(d, g, slot);
				uint32_t pair = g * d->g + x.to / d->a;
				cr_assert_lt(n[pair], d->trunk);
				all[(size_t)pair * d->trunk + n[pair]++] = x;
			}
		free(n);
	}
	return all + (size_t)(group * d->g + to) * d->trunk;
}

static int offer(const struct dragonfly *d, topo_switch here, topo_switch to, const struct dragonfly_exit *v,
                 enum usable usable, topo_port *out)
{
	uint32_t repeat = usable == OWN || !d->grid ? 1 : d->black, window = TOPO_MAX_NEXT / repeat, count = 0,
		 number = 0;
	for (uint32_t i = 0; i < d->trunk; i++)
		count += admits(d, v[i].from, here, usable);
	uint32_t first = count > window ? topo_offer_start(here % d->a, to % d->a, count) : 0;
	int n = 0;
	for (uint32_t i = 0; i < d->trunk; i++) {
		if (!admits(d, v[i].from, here, usable))
			continue;
		if ((number++ + count - first) % count >= window)
			continue;
		if (v[i].from != here)
			n += dragonfly_local_next(d, here % d->a, v[i].from % d->a, out + n);
		for (uint32_t r = 0; v[i].from == here && r < repeat; r++)
			out[n++] = v[i].port;
	}
	return n;
}

static int scanned_next(const struct dragonfly *d, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	const struct dragonfly_exit *v = exits_of(d, here / d->a, to / d->a);
	int n = leg_hops ? offer(d, here, to, v, OWN, out) : 0;
	if (n == 0 && leg_hops && d->grid)
		n = offer(d, here, to, v, SAME_COLUMN, out);
	return n > 0 ? n : offer(d, here, to, v, ANY, out);
}

static unsigned scanned_distance(const struct dragonfly *d, topo_switch from, topo_switch to)
{
	const struct dragonfly_exit *v = exits_of(d, from / d->a, to / d->a);
	unsigned longest = 0;
	for (uint32_t i = 0; i < d->trunk; i++) {
		unsigned hops = 1 + dragonfly_local_distance(d, from % d->a, v[i].from % d->a) +
		                dragonfly_local_distance(d, v[i].to % d->a, to % d->a);
		longest = hops > longest ? hops : longest;
	}
	return longest;
}

/* --- the comparison ---------------------------------------------------------------------------------------------- */

struct seen {
	uint64_t own, column, any, narrowed; /* answers of each kind; of those, fewer than there are cables */
};

static void compare(const struct topo *t, const char *what, topo_switch here, topo_switch to, struct seen *seen)
{
	const struct dragonfly *d = t->impl;
	for (unsigned hops = 0; hops < 2; hops++) {
		topo_port out[TOPO_MAX_NEXT], want[TOPO_MAX_NEXT], own[TOPO_MAX_NEXT];
		int n = t->ops->next(t, here, to, hops, out), wanted = scanned_next(d, here, to, hops, want);
		cr_assert_eq(n, wanted, "%s: %u -> %u after %u hops: %d ports, %d by the scan", what, here, to, hops, n,
		             wanted);
		cr_assert_arr_eq(out, want, (size_t)n * sizeof *out, "%s: %u -> %u after %u hops", what, here, to,
		                 hops);
		bool has_own = offer(d, here, to, exits_of(d, here / d->a, to / d->a), OWN, own) > 0;
		seen->own += hops && has_own;
		seen->column += hops && !has_own && d->grid;
		seen->any += !hops;
		seen->narrowed += (uint32_t)n < d->trunk && !hops;
	}
	cr_assert_eq(t->ops->distance(t, here, to), scanned_distance(d, here, to), "%s: distance %u -> %u", what, here,
	             to);
}

/* Pairs of switches in different groups; at most so many of them, evenly. */
static void compare_all(const char *text, uint64_t most, bool tabulated, struct seen *seen)
{
	struct topo t;
	make_topo(&t, &topo_dragonfly, text);
	const struct dragonfly *d = t.impl;
	cr_assert_eq(d->toward != NULL, tabulated, "%s", text);
	uint64_t pairs = (uint64_t)t.switches * t.switches, step = pairs > most ? pairs / most | 1 : 1;
	for (uint64_t i = 0; i < pairs; i += step) {
		topo_switch here = (topo_switch)(i / t.switches), to = (topo_switch)(i % t.switches);
		if (here / d->a != to / d->a)
			compare(&t, text, here, to, seen);
	}
	topo_destroy(&t);
}

Test(dragonfly_trunks, full_groups_answer_as_the_scan_does)
{
	uint64_t random = 17;
	struct seen seen = { 0 };
	for (int i = 0; i < 300; i++) {
		uint32_t a = 1 + (uint32_t)(next_random(&random) % 12), g = 2 + (uint32_t)(next_random(&random) % 8);
		uint32_t trunk = 2 + (uint32_t)(next_random(&random) % (i % 8 ? 40 : 1600));
		uint32_t p = 1 + (uint32_t)(next_random(&random) % 3), h = ((g - 1) * trunk + a - 1) / a;
		char text[160];
		snprintf(text, sizeof text, "p=%u a=%u h=%u g=%u trunk=%u arrangement=%s", p, a, h, g, trunk,
		         arrangements[next_random(&random) % 4]);
		compare_all(text, 4000, true, &seen);
	}
	cr_assert(seen.own > 1000 && seen.any > 1000 && seen.narrowed > 1000);
}

Test(dragonfly_trunks, grids_answer_as_the_scan_does)
{
	uint64_t random = 19;
	struct seen seen = { 0 };
	for (int i = 0; i < 300; i++) {
		uint32_t rows = 1 + (uint32_t)(next_random(&random) % 5),
			 columns = 1 + (uint32_t)(next_random(&random) % 5);
		uint32_t black = 1 + (uint32_t)(next_random(&random) % (i % 8 ? 4 : 64)),
			 g = 2 + (uint32_t)(next_random(&random) % 6);
		uint32_t trunk = 2 + (uint32_t)(next_random(&random) % (i % 8 ? 30 : 1200));
		char text[160];
		snprintf(text, sizeof text, "p=1 rows=%u columns=%u black=%u g=%u trunk=%u arrangement=%s", rows,
		         columns, black, g, trunk, arrangements[next_random(&random) % 4]);
		compare_all(text, 4000, true, &seen);
	}
	cr_assert(seen.own > 1000 && seen.column > 1000 && seen.any > 1000 && seen.narrowed > 1000);
}

/* Named systems and one of 63 ports a switch; all arrangements. */
Test(dragonfly_trunks, large_ones_answer_as_the_scan_does)
{
	static const char *const numbers[] = { "preset=shandy", "preset=edison", "p=16 a=32 h=16 g=9",
		                               "p=16 a=32 h=16 g=3", "p=16 a=32 h=17 g=8 trunk=77" };
	struct seen seen = { 0 };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		for (size_t k = 0; k < 4; k++) {
			char text[160];
			snprintf(text, sizeof text, "%s arrangement=%s", numbers[i], arrangements[k]);
			compare_all(text, 20000, true, &seen);
		}
}

/* No table for single cables, however many groups; none larger than 16 MiB, and the answers are the same without. */
Test(dragonfly_trunks, tables_are_bounded)
{
	struct seen seen = { 0 };
	compare_all("preset=dragonfly-1056", 20000, false, &seen);
	compare_all("p=1 a=32 h=17 g=545", 20000, false, &seen);
	compare_all("p=1 a=2048 h=1 g=2 trunk=2048", 2000, true, &seen); /* 4 * 2048 * 2048 bytes */
	compare_all("p=1 a=2048 h=2 g=2 trunk=2049", 2000, false, &seen);
	compare_all("p=1 a=1000 h=5 g=5 trunk=1050", 2000, false, &seen);
	compare_all("p=1 rows=40 columns=50 black=2 g=3 trunk=1100", 2000, false, &seen);
}
