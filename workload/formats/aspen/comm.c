/* workload/formats/aspen/comm.c - see comm.h. Neighbour exchanges: the order of directions, the grid and the sizes are
 * those of Durango's generator. */
#include "workload/formats/aspen/comm.h"
#include "workload/mpi/kinds.h"

#include "base/memory.h"

#include <stdlib.h>

const char *const aspen_pattern_name[ASPEN_PATTERNS + 1] = {
	[ASPEN_ALLREDUCE] = "allreduce",
	[ASPEN_REDUCE] = "reduce",
	[ASPEN_BCAST] = "bcast",
	[ASPEN_ALLGATHER] = "allgather",
	[ASPEN_REDUCE_SCATTER] = "reduce_scatter",
	[ASPEN_ALLTOALL] = "alltoall",
	[ASPEN_BARRIER] = "barrier",
	[ASPEN_NN3D] = "nn3d",
	[ASPEN_NN2D] = "nn2d",
	[ASPEN_SWEEP] = "sweep",
	[ASPEN_RANDOM] = "random",
};

#define TOKEN 1u /* bytes of a message without payload, as those of a barrier */

/* --- ranks ------------------------------------------------------------------------------------------------ */

static uint32_t ceil_root(uint32_t n, unsigned power)
{
	uint64_t x = 1;
	while ((power == 3 ? x * x * x : x * x) < n)
		x++;
	return (uint32_t)x;
}

static uint32_t divisor_from(uint32_t n, uint32_t from)
{
	while (n % from)
		from++;
	return from;
}

/* Computes the grid of n ranks: nx = ceil(cbrt(n)), ny = ceil(sqrt(n / nx)), nz = n / (nx ny), as in the original; if
 * their product is not n, the smallest divisors from there on. */
static int make_grids(struct aspen_ranks *g, bool strict, struct base_errors *errors)
{
	uint32_t n = g->n;
	g->x = ceil_root(n, 3);
	g->y = 1;
	while ((uint64_t)g->y * g->y * g->x < n)
		g->y++;
	g->z = n / (g->x * g->y);
	if ((uint64_t)g->x * g->y * g->z != n) {
		if (strict)
			return base_errorf(errors, "@--ranks",
			                   "the process grid of the original, %u x %u, does not divide %u ranks", g->x,
			                   g->y, n);
		g->x = divisor_from(n, g->x);
		g->y = divisor_from(n / g->x, ceil_root(n / g->x, 2));
		g->z = n / g->x / g->y;
	}
	g->px = divisor_from(n, ceil_root(n, 2));
	g->py = n / g->px;
	return 0;
}

/* The same in generated programs (emit_mpi.c). */
static uint32_t random_rank(uint32_t rank, uint32_t n)
{
	uint64_t z = UINT64_C(12345) + (rank + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ z >> 31) % n);
}

int aspen_ranks_make(struct aspen_ranks *g, uint32_t n, bool strict, struct base_errors *errors)
{
	*g = (struct aspen_ranks){ .n = n };
	if (make_grids(g, strict, errors))
		return -1;
	g->dest = base_calloc(n, sizeof *g->dest);
	g->first = base_calloc(n + (size_t)2, sizeof *g->first);
	g->source = base_calloc(n, sizeof *g->source);
	for (uint32_t i = 0; i < n; i++) {
		g->dest[i] = random_rank(i, n);
		g->first[g->dest[i] + 2] += g->dest[i] != i;
	}
	for (uint32_t i = 0; i < n; i++)
		g->first[i + 2] += g->first[i + 1];
	for (uint32_t i = 0; i < n; i++)
		if (g->dest[i] != i)
			g->source[g->first[g->dest[i] + 1]++] = i;
	return 0;
}

void aspen_ranks_free(struct aspen_ranks *g)
{
	free(g->dest);
	free(g->first);
	free(g->source);
	*g = (struct aspen_ranks){ 0 };
}

void aspen_xfers_free(struct aspen_xfers *x)
{
	if (!x->borrowed)
		free(x->v);
	mpi_steps_free(&x->steps);
	*x = (struct aspen_xfers){ 0 };
}

/* --- neighbours ------------------------------------------------------------------------------------------- */

static const signed char direction3[26][3] = {
	{ -1, 0, 0 },  { 1, 0, 0 },   { 0, -1, 0 }, { 0, 1, 0 },   { 0, 0, -1 },   { 0, 0, 1 },   { -1, -1, 0 },
	{ -1, 1, 0 },  { 1, -1, 0 },  { 1, 1, 0 },  { -1, 0, -1 }, { -1, 0, 1 },   { 1, 0, -1 },  { 1, 0, 1 },
	{ 0, -1, -1 }, { 0, -1, 1 },  { 0, 1, -1 }, { 0, 1, 1 },   { -1, -1, -1 }, { -1, -1, 1 }, { -1, 1, -1 },
	{ -1, 1, 1 },  { 1, -1, -1 }, { 1, -1, 1 }, { 1, 1, -1 },  { 1, 1, 1 },
};
static const signed char direction2[8][3] = {
	{ -1, 0, 0 }, { 1, 0, 0 }, { 0, -1, 0 }, { 0, 1, 0 }, { -1, -1, 0 }, { -1, 1, 0 }, { 1, -1, 0 }, { 1, 1, 0 },
};

/* Directions come in pairs within a kind: the opposite of the i-th of a kind is its mirror, but for faces. */
static uint32_t opposite(bool cube, uint32_t d)
{
	static const unsigned char of3[26] = { 1,  0,  3,  2,  5,  4,  9,  8,  7,  6,  13, 12, 11,
		                               10, 17, 16, 15, 14, 25, 24, 23, 22, 21, 20, 19, 18 };
	static const unsigned char of2[8] = { 1, 0, 3, 2, 7, 6, 5, 4 };
	return cube ? of3[d] : of2[d];
}

static void put_transfer(struct aspen_xfers *out, bool send, uint32_t peer, uint64_t bytes, uint32_t tag)
{
	if (out->n == out->cap)
		out->v = base_lengthen(out->v, &out->cap, sizeof *out->v, &out->borrowed);
	out->v[out->n++] = (struct aspen_xfer){ .peer = peer, .tag = tag, .send = send, .bytes = bytes };
}

/* Coordinate c + d of a ring or a line of n; false: there is none, or it is c itself. */
static bool shift(uint32_t *c, int d, uint32_t n, bool periodic)
{
	if (!d)
		return true;
	if (!periodic && ((d < 0 && *c == 0) || (d > 0 && *c + 1 == n)))
		return false;
	*c = (*c + n + (uint32_t)d) % n;
	return true;
}

/* Bytes to a neighbour in a direction with `moved` coordinates that change, of `dims`. */
static uint64_t neighbour_bytes(const struct aspen_comm *c, unsigned dims, unsigned moved)
{
	uint64_t edge = c->nodal ? 2 * c->count : c->count, bytes = c->size;
	for (; moved < dims; moved++)
		bytes *= edge;
	return bytes;
}

static void neighbours(const struct aspen_comm *c, const struct aspen_ranks *g, uint32_t rank, struct aspen_xfers *out)
{
	bool cube = c->pattern == ASPEN_NN3D;
	uint32_t nx = cube ? g->x : g->px, ny = cube ? g->y : g->py, nz = cube ? g->z : 1;
	uint32_t directions = cube ? (c->face ? 6 : 26) : (c->face ? 4 : 8);
	for (uint32_t d = 0; d < directions; d++) {
		const signed char *v = cube ? direction3[d] : direction2[d];
		uint32_t i = rank % nx, j = rank / nx % ny, k = rank / nx / ny;
		if (!shift(&i, v[0], nx, c->periodic) || !shift(&j, v[1], ny, c->periodic) ||
		    !shift(&k, v[2], nz, c->periodic))
			continue;
		uint32_t peer = (k * ny + j) * nx + i;
		if (peer == rank)
			continue;
		uint64_t bytes = neighbour_bytes(c, cube ? 3 : 2, (unsigned)((v[0] != 0) + (v[1] != 0) + (v[2] != 0)));
		if (!(c->pwave && peer < rank) && !(c->nwave && peer > rank))
			put_transfer(out, true, peer, bytes, d);
		if (!(c->pwave && peer > rank) && !(c->nwave && peer < rank))
			put_transfer(out, false, peer, bytes, opposite(cube, d));
	}
}

/* A wavefront over the 2-d grid, or the line of all ranks: receives from the previous neighbours, then sends to the
 * next ones; or only one of the two. */
static bool sweep(const struct aspen_comm *c, const struct aspen_ranks *g, uint32_t rank, uint32_t round,
                  struct aspen_xfers *out)
{
	uint32_t width = c->line ? g->n : g->px, height = c->line ? 1 : g->py, i = rank % width, j = rank / width;
	bool send = c->send || round == 1;
	bool right = (c->back != c->left) != send, up = c->back != send; /* where the neighbours are */
	uint64_t bytes = c->count * c->size;
	if (round > !(c->receive || c->send))
		return false;
	if (right ? i + 1 < width : i > 0)
		put_transfer(out, send, right ? rank + 1 : rank - 1, bytes, 0);
	if (up ? j + 1 < height : j > 0)
		put_transfer(out, send, up ? rank + width : rank - width, bytes, 1);
	return true;
}

static void random_pairs(const struct aspen_comm *c, const struct aspen_ranks *g, uint32_t rank,
                         struct aspen_xfers *out)
{
	uint64_t bytes = c->count * c->size;
	if (g->dest[rank] != rank)
		put_transfer(out, true, g->dest[rank], bytes, 0);
	for (uint32_t i = g->first[rank]; i < g->first[rank + 1]; i++)
		put_transfer(out, false, g->source[i], bytes, 0);
}

/* --- collectives ------------------------------------------------------------------------------------------ */

static const enum mpi_op call_of[ASPEN_PATTERNS] = {
	[ASPEN_ALLREDUCE] = WL_MPI_ALLREDUCE,
	[ASPEN_REDUCE] = WL_MPI_REDUCE,
	[ASPEN_BCAST] = WL_MPI_BCAST,
	[ASPEN_ALLGATHER] = WL_MPI_ALLGATHER,
	[ASPEN_REDUCE_SCATTER] = WL_MPI_REDUCE_SCATTER_BLOCK,
	[ASPEN_ALLTOALL] = WL_MPI_ALLTOALL,
	[ASPEN_BARRIER] = WL_MPI_BARRIER,
};

enum mpi_op aspen_kind(const struct aspen_comm *c)
{
	return aspen_is_collective(c) ? call_of[c->pattern] : WL_KIND_SENDS;
}

uint64_t aspen_collectives(const struct aspen_program *p)
{
	uint64_t calls = 0;
	for (uint32_t i = 0; i < p->comms; i++)
		calls |= aspen_is_collective(&p->comm[i]) ? mpi_collective_bit(call_of[p->comm[i].pattern]) : 0;
	return calls;
}

static struct mpi_collective collective_of(const struct aspen_comm *c, const struct aspen_ranks *g)
{
	return (struct mpi_collective){ .op = call_of[c->pattern],
		                        .ranks = g->n,
		                        .bytes = c->count * c->size,
		                        .element = ASPEN_WORD,
		                        .choices = &g->choices };
}

const char *aspen_algorithm(const struct aspen_comm *c, const struct aspen_ranks *g)
{
	struct mpi_collective call;
	if (!aspen_is_collective(c))
		return NULL;
	call = collective_of(c, g);
	return mpi_algorithm_name(mpi_choose(&call));
}

bool aspen_is_dense(const struct aspen_comm *c, const struct aspen_ranks *g)
{
	struct mpi_plan plan;
	struct mpi_collective call;
	if (!aspen_is_collective(c))
		return false;
	call = collective_of(c, g);
	mpi_plan_make(&plan, &call);
	return mpi_plan_is_dense(&plan);
}

/* A rank's copy to itself is no message. */
static bool collective(const struct aspen_comm *c, const struct aspen_ranks *g, uint32_t rank, uint32_t round,
                       bool peers, struct aspen_xfers *out)
{
	struct mpi_plan plan;
	struct mpi_collective call = collective_of(c, g);
	mpi_plan_make(&plan, &call);
	if (!(peers ? mpi_plan_peers : mpi_plan_round)(&plan, rank, round, &out->steps))
		return false;
	for (uint32_t i = 0; i < out->steps.n; i++) {
		const struct mpi_step *s = &out->steps.v[i];
		if (s->peer != rank)
			put_transfer(out, s->send, s->peer, s->bytes ? s->bytes : TOKEN, 0);
	}
	return true;
}

static bool some_round(const struct aspen_comm *c, const struct aspen_ranks *g, uint32_t rank, uint32_t round,
                       bool peers, struct aspen_xfers *out)
{
	out->n = 0;
	switch (c->pattern) {
	case ASPEN_ALLREDUCE:
	case ASPEN_REDUCE:
	case ASPEN_BCAST:
	case ASPEN_ALLGATHER:
	case ASPEN_REDUCE_SCATTER:
	case ASPEN_ALLTOALL:
	case ASPEN_BARRIER:
		return collective(c, g, rank, round, peers, out);
	case ASPEN_NN3D:
	case ASPEN_NN2D:
		if (!round)
			neighbours(c, g, rank, out);
		return !round;
	case ASPEN_SWEEP:
		return sweep(c, g, rank, round, out);
	case ASPEN_RANDOM:
		if (!round)
			random_pairs(c, g, rank, out);
		return !round;
	case ASPEN_PATTERNS:
		break;
	}
	return false;
}

bool aspen_round(const struct aspen_comm *c, const struct aspen_ranks *g, uint32_t rank, uint32_t round,
                 struct aspen_xfers *out)
{
	return some_round(c, g, rank, round, false, out);
}

bool aspen_peers(const struct aspen_comm *c, const struct aspen_ranks *g, uint32_t rank, uint32_t round,
                 struct aspen_xfers *out)
{
	return some_round(c, g, rank, round, true, out);
}

/* --- counts ----------------------------------------------------------------------------------------------- */

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;
	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	uint64_t sum;
	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

struct aspen_count aspen_count_comm(const struct aspen_comm *c, const struct aspen_ranks *g)
{
	struct aspen_count count = { 0 };
	struct aspen_xfers out = { 0 };
	if (aspen_is_collective(c)) {
		struct mpi_plan plan;
		struct mpi_collective call = collective_of(c, g);
		mpi_plan_make(&plan, &call);
		count.calls = g->n;
		mpi_plan_count(&plan, TOKEN, &count.messages, &count.bytes);
		return count;
	}
	for (uint32_t rank = 0; rank < g->n; rank++)
		for (uint32_t round = 0; aspen_round(c, g, rank, round, &out); round++)
			for (uint32_t i = 0; i < out.n; i++) {
				count.messages += out.v[i].send;
				count.bytes = plus(count.bytes, out.v[i].send ? out.v[i].bytes : 0);
			}
	aspen_xfers_free(&out);
	return count;
}

uint64_t aspen_count_computations(const struct aspen_program *p)
{
	uint64_t turns[ASPEN_MOST_NEST + 1] = { 1 }, n = 0;
	uint32_t nest = 0;
	for (uint32_t i = 0; i < p->n; i++) {
		const struct aspen_op_step *op = &p->op[i];
		if (op->kind == ASPEN_OP_LOOP) {
			turns[nest + 1] = times(turns[nest], op->count);
			nest++;
		}
		nest -= op->kind == ASPEN_OP_END;
		if (op->kind == ASPEN_OP_COMPUTE || op->kind == ASPEN_OP_BESIDE || op->kind == ASPEN_OP_JOIN)
			n = plus(n, turns[nest]);
	}
	return n;
}

void aspen_count_program(const struct aspen_program *p, const struct aspen_ranks *g, struct aspen_count *count)
{
	struct aspen_count *one = base_calloc(p->comms + 1, sizeof *one);
	uint64_t turns[ASPEN_MOST_NEST + 1] = { 1 };
	uint32_t nest = 0;
	for (uint32_t i = 0; i < p->comms; i++)
		one[i] = aspen_count_comm(&p->comm[i], g);
	for (uint32_t i = 0; i < p->n; i++) {
		const struct aspen_op_step *op = &p->op[i];
		if (op->kind == ASPEN_OP_LOOP) {
			turns[nest + 1] = times(turns[nest], op->count);
			nest++;
		} else if (op->kind == ASPEN_OP_END) {
			nest--;
		} else if (op->kind == ASPEN_OP_COMM) {
			struct aspen_count *c = &count[p->comm[op->at].phase];
			c->calls = plus(c->calls, times(turns[nest], one[op->at].calls));
			c->messages = plus(c->messages, times(turns[nest], one[op->at].messages));
			c->bytes = plus(c->bytes, times(turns[nest], one[op->at].bytes));
		}
	}
	free(one);
}
