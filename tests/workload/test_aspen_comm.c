/* Patterns of Aspen's comm: every message that a rank sends is received by the other, in an order in which none waits
 * for ever, and there are as many as counted; collectives as the closed forms say. */
#include "workload/formats/aspen/comm.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define MOST 67u

struct place {
	struct aspen_xfers x;
	uint32_t round, done; /* receives of this round that are done */
	bool over;
};

struct net {
	struct place rank[MOST];
	uint64_t bytes[MOST][MOST][256]; /* under way: a ring of each pair */
	uint8_t in[MOST][MOST], out[MOST][MOST];
	struct aspen_count sent;
};

/* Begins a round: what it sends is under way. */
static void begin(struct net *n, const struct aspen_comm *c, const struct aspen_ranks *g, uint32_t r)
{
	struct place *p = &n->rank[r];
	p->over = !aspen_round(c, g, r, p->round, &p->x);
	p->done = 0;
	for (uint32_t i = 0; !p->over && i < p->x.n; i++) {
		const struct aspen_xfer *t = &p->x.v[i];
		if (!t->send)
			continue;
		cr_assert(t->peer != r && t->peer < g->n && t->bytes > 0);
		n->bytes[r][t->peer][n->in[r][t->peer]++] = t->bytes << 8 | t->tag % 256;
		n->sent.messages++;
		n->sent.bytes += t->bytes;
	}
}

/* Takes what has come in any order of the tags; true: the rank went on. */
static bool go_on(struct net *n, const struct aspen_comm *c, const struct aspen_ranks *g, uint32_t r)
{
	struct place *p = &n->rank[r];
	bool moved = false;
	if (p->over)
		return false;
	for (uint32_t i = 0; i < p->x.n; i++) {
		struct aspen_xfer *t = &p->x.v[i];
		if (t->send)
			continue;
		for (uint8_t k = n->out[t->peer][r]; k != n->in[t->peer][r]; k++) {
			uint64_t *at = n->bytes[t->peer][r];
			if (at[k] != (t->bytes << 8 | t->tag % 256))
				continue;
			at[k] = at[n->out[t->peer][r]];
			n->out[t->peer][r]++;
			t->send = moved = true; /* done with */
			break;
		}
	}
	for (uint32_t i = 0; i < p->x.n; i++)
		if (!p->x.v[i].send)
			return moved;
	p->round++;
	begin(n, c, g, r);
	return true;
}

static void check_by(const struct aspen_comm *c, uint32_t ranks, enum mpi_preset preset)
{
	struct net *n = calloc(1, sizeof *n);
	struct base_errors errors = { 0 };
	struct aspen_ranks g;
	cr_assert_eq(aspen_ranks_make(&g, ranks, false, &errors), 0);
	cr_assert_eq(g.x * g.y * g.z, ranks);
	cr_assert_eq(g.px * g.py, ranks);
	g.choices.preset = preset;
	for (uint32_t r = 0; r < ranks; r++)
		begin(n, c, &g, r);
	for (bool moved = true; moved;) {
		moved = false;
		for (uint32_t r = ranks; r-- > 0;)
			moved |= go_on(n, c, &g, r);
	}
	for (uint32_t r = 0; r < ranks; r++) {
		cr_assert(n->rank[r].over, "%s: rank %u of %u waits for ever", aspen_pattern_name[c->pattern], r,
		          ranks);
		for (uint32_t s = 0; s < ranks; s++)
			cr_assert_eq(n->in[r][s], n->out[r][s], "%s: a message that nothing receives",
			             aspen_pattern_name[c->pattern]);
		aspen_xfers_free(&n->rank[r].x);
	}
	struct aspen_count counted = aspen_count_comm(c, &g);
	cr_assert_eq(n->sent.messages, counted.messages);
	cr_assert_eq(n->sent.bytes, counted.bytes);
	aspen_ranks_free(&g);
	free(n);
}

static void check(const struct aspen_comm *c, uint32_t ranks)
{
	for (enum mpi_preset p = 0; p < (aspen_is_collective(c) ? WL_MPI_PRESETS : 1); p++)
		check_by(c, ranks, p);
}

Test(aspen_comm, every_pattern_on_every_number_of_ranks)
{
	for (uint32_t ranks = 1; ranks <= MOST; ranks++)
		for (int k = 0; k < ASPEN_PATTERNS; k++)
			check(&(struct aspen_comm){ .pattern = (enum aspen_pattern)k, .count = 3, .size = 4 }, ranks);
}

Test(aspen_comm, every_modifier)
{
	for (uint32_t ranks = 1; ranks <= MOST; ranks++)
		for (unsigned bits = 0; bits < 32; bits++)
			for (int cube = 0; cube < 2; cube++) {
				struct aspen_comm c = { .pattern = cube ? ASPEN_NN3D : ASPEN_NN2D,
					                .count = 5,
					                .size = 2,
					                .face = bits & 1,
					                .periodic = bits & 2,
					                .nodal = bits & 4,
					                .pwave = bits & 8,
					                .nwave = (bits & 16) && !(bits & 8) };
				check(&c, ranks);
			}
	for (uint32_t ranks = 1; ranks <= MOST; ranks++) {
		check(&(struct aspen_comm){ .pattern = ASPEN_SWEEP, .count = 1, .size = 9, .back = true }, ranks);
		check(&(struct aspen_comm){ .pattern = ASPEN_SWEEP, .count = 1, .size = 9, .line = true }, ranks);
	}
}

/* A cube of t^3 ranks: 6 (t-1) t^2 faces, 12 (t-1)^2 t edges, 8 (t-1)^3 corners; one way: half of each. */
Test(aspen_comm, cubes)
{
	struct base_errors errors = { 0 };
	for (uint32_t t = 1; t <= 12; t++) {
		struct aspen_ranks g;
		cr_assert_eq(aspen_ranks_make(&g, t * t * t, true, &errors), 0);
		uint64_t f = 6ull * (t - 1) * t * t, e = 12ull * (t - 1) * (t - 1) * t,
			 k = 8ull * (t - 1) * (t - 1) * (t - 1);
		struct aspen_comm c = { .pattern = ASPEN_NN3D, .count = 23, .size = 24, .nodal = true };
		struct aspen_count all = aspen_count_comm(&c, &g);
		cr_assert_eq(all.messages, f + e + k);
		cr_assert_eq(all.bytes, f * 46 * 46 * 24 + e * 46 * 24 + k * 24);
		c.nwave = true;
		struct aspen_count half = aspen_count_comm(&c, &g);
		cr_assert_eq(2 * half.messages, all.messages);
		cr_assert_eq(2 * half.bytes, all.bytes);
		c.nwave = false;
		c.face = true;
		cr_assert_eq(aspen_count_comm(&c, &g).messages, f);
		aspen_ranks_free(&g);
	}
}

/* Grids of the original: 2 x 2 x 2, 3 x 2 x 2, 4 x 4 x 4; 6 ranks it refuses. */
Test(aspen_comm, grids)
{
	static const uint32_t want[][4] = { { 8, 2, 2, 2 }, { 12, 3, 2, 2 }, { 64, 4, 4, 4 }, { 27, 3, 3, 3 } };
	struct base_errors errors = { 0 };
	struct aspen_ranks g;
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		cr_assert_eq(aspen_ranks_make(&g, want[i][0], true, &errors), 0);
		cr_assert(g.x == want[i][1] && g.y == want[i][2] && g.z == want[i][3]);
		aspen_ranks_free(&g);
	}
	cr_assert_neq(aspen_ranks_make(&g, 6, true, &errors), 0);
	base_errors_free(&errors);
}
