/* workload/process/collectives.c - collectives and exchanges as sequences of steps: see steps.h. Their algorithms are
 * those of MPICH and Open MPI: recursive doubling (Thakur, Rabenseifner and Gropp 2005), dissemination (Hensgen, Finkel
 * and Manber 1988), binomial trees, pairwise exchange. */
#include "workload/process/steps.h"

static uint64_t size_of_loop(const struct wl_process *p)
{
	return wl_loop_of(p)->size;
}

/* ceil(log2 n) */
static uint32_t log_of(uint32_t n)
{
	return n <= 1 ? 0 : 32 - (uint32_t)__builtin_clz(n - 1);
}

static uint32_t one(const struct wl_process *p, uint32_t me, uint32_t step)
{
	(void)p, (void)me, (void)step;
	return 1;
}

/* --- allreduce: q is the largest power of two, r = p - q. The first 2 r members in pairs: the even one gives its
 * vector to the odd one, which takes part, and gets the result. Steps: 0, then log2 q exchanges, then the last. */

struct doubling {
	uint32_t q, r, k;
};

static struct doubling doubling_of(const struct wl_process *p)
{
	struct doubling d = { .k = 31 - (uint32_t)__builtin_clz(p->members) };
	d.q = 1u << d.k;
	d.r = p->members - d.q;
	return d;
}

static uint32_t allreduce_steps(const struct wl_process *p)
{
	return doubling_of(p).k + 2;
}

static uint32_t allreduce_receives(const struct wl_process *p, uint32_t me, uint32_t step)
{
	struct doubling d = doubling_of(p);
	bool paired = me < 2 * d.r, odd = me & 1;
	if (step == 0)
		return paired && odd;
	if (step == d.k + 1)
		return paired && !odd;
	return !paired || odd;
}

static uint32_t allreduce_sends(const struct wl_process *p, uint32_t me, uint32_t step)
{
	struct doubling d = doubling_of(p);
	bool paired = me < 2 * d.r, odd = me & 1;
	if (step == 0)
		return paired && !odd;
	if (step == d.k + 1)
		return paired && odd;
	return !paired || odd;
}

static void allreduce_send(const struct wl_process *p, uint32_t me, uint32_t step, uint32_t k,
                           struct wl_step_message *m)
{
	struct doubling d = doubling_of(p);
	(void)k;
	m->bytes = size_of_loop(p);
	if (step == 0 || step == d.k + 1) {
		m->to = me ^ 1;
		return;
	}
	uint32_t rank = me < 2 * d.r ? me / 2 : me - d.r, other = rank ^ 1u << (step - 1);
	m->to = other < d.r ? 2 * other + 1 : other + d.r;
}

static const struct base_param vector_table[] = { WL_LOOP_PARAMS("8B", "bytes of the vector of each member"), { 0 } };

static const struct wl_steps_ops allreduce_ops = { .ops = WL_STEPS_OPS(NULL, WL_MPI_ALLREDUCE),
	                                           .steps = allreduce_steps,
	                                           .receives = allreduce_receives,
	                                           .sends = allreduce_sends,
	                                           .send = allreduce_send };

const struct base_plugin wl_process_allreduce = {
	.kind = "process",
	.name = "allreduce",
	.summary = "all members combine their vectors, by recursive doubling",
	.source = "Thakur, Rabenseifner and Gropp 2005, 4.5",
	.params = vector_table,
	.conditions = wl_loop_conditions,
	.params_bytes = sizeof(struct wl_loop),
	.ops = &allreduce_ops,
};

/* --- all-to-all: a block from each to each */

struct exchange {
	struct wl_loop loop;
	bool paced;
	int64_t phases;
};

static const struct base_param exchange_table[] = {
	WL_LOOP_PARAMS("4KiB", "bytes of each block; every member sends one to every other member"),
	{ "paced", BASE_BOOL, offsetof(struct exchange, paced), "true", NULL, 0, 0, NULL,
	  "true: pairwise exchange, in which a member sends its next block when it has received that of the current "
	  "step; false: all blocks are sent at once",
	  NULL },
	{ "phases", BASE_INT, offsetof(struct exchange, phases), "0", NULL, 0, 65535, NULL,
	  "number of steps that are executed, spread evenly over all distances; 0: all steps", NULL },
	{ 0 },
};

static bool holds_paced(const void *params)
{
	return ((const struct exchange *)params)->paced;
}

static const struct base_condition exchange_conditions[] = {
	{ .keys = "phases", .only = "with paced = true", .holds = holds_paced },
	WL_LOOP_CONDITION,
	{ 0 },
};

static bool is_paced(const struct wl_process *p)
{
	return ((const struct exchange *)p->params)->paced;
}

static bool is_not_paced(const struct wl_process *p)
{
	return !is_paced(p);
}

static uint32_t exchange_steps(const struct wl_process *p)
{
	uint64_t phases = (uint64_t)((const struct exchange *)p->params)->phases;
	uint32_t all = p->members - 1;
	return !is_paced(p) ? 1 : phases && phases < all ? (uint32_t)phases : all;
}

/* The distance of the destination in step k. With all steps: 1, 2, ...; with some of them: multiples, modulo the number
 * of all, of a number close to its golden section and coprime to it, so that they are distinct and evenly spread
 * (Weyl). */
static uint32_t distance_of(const struct wl_process *p, uint32_t k)
{
	return 1 + (uint32_t)(k * p->word[0] % (p->members - 1));
}

static uint64_t common_factor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static uint32_t exchange_blocks(const struct wl_process *p, uint32_t me, uint32_t step)
{
	(void)me, (void)step;
	return is_paced(p) ? 1 : p->members - 1;
}

static void exchange_send(const struct wl_process *p, uint32_t me, uint32_t step, uint32_t k, struct wl_step_message *m)
{
	m->bytes = size_of_loop(p);
	m->to = (uint32_t)(((uint64_t)me + distance_of(p, is_paced(p) ? step : k)) % p->members);
}

static int exchange_build(struct wl_process *p, struct base_errors *errors)
{
	if (p->members > 65536)
		return base_errorf(errors, "nodes", "%u endpoints are too many: an all-to-all supports 65536 members",
		                   p->members);
	uint64_t all = p->members - 1, stride = all * 618 / 1000;
	bool some = is_paced(p) && exchange_steps(p) < all;
	while (some && common_factor(stride, all) != 1)
		stride++;
	p->word[0] = some ? stride : 1;
	return 0;
}

static const struct wl_steps_ops exchange_ops = { .ops = WL_STEPS_OPS(exchange_build, WL_MPI_ALLTOALL),
	                                          .steps = exchange_steps,
	                                          .receives = exchange_blocks,
	                                          .sends = exchange_blocks,
	                                          .send = exchange_send,
	                                          .at_once = is_not_paced };

const struct base_plugin wl_process_all_to_all = {
	.kind = "process",
	.name = "all-to-all",
	.summary = "each member sends a block to every other member, pairwise or all at once",
	.source = "Thakur, Rabenseifner and Gropp 2005, 4.4",
	.params = exchange_table,
	.conditions = exchange_conditions,
	.params_bytes = sizeof(struct exchange),
	.ops = &exchange_ops,
};

/* --- barrier: in step s each sends to the one 2^s further */

static uint32_t barrier_steps(const struct wl_process *p)
{
	return log_of(p->members);
}

static void barrier_send(const struct wl_process *p, uint32_t me, uint32_t step, uint32_t k, struct wl_step_message *m)
{
	(void)k;
	m->bytes = size_of_loop(p);
	m->to = (uint32_t)((me + (1ull << step)) % p->members);
}

static const struct base_param token_table[] = { WL_LOOP_PARAMS("8B", "bytes of the barrier's messages"), { 0 } };

static const struct wl_steps_ops barrier_ops = { .ops = WL_STEPS_OPS(NULL, WL_MPI_BARRIER),
	                                         .steps = barrier_steps,
	                                         .receives = one,
	                                         .sends = one,
	                                         .send = barrier_send };

const struct base_plugin wl_process_barrier = {
	.kind = "process",
	.name = "barrier",
	.summary = "all members wait for each other, by the dissemination algorithm",
	.source = "Hensgen, Finkel and Manber 1988",
	.params = token_table,
	.conditions = wl_loop_conditions,
	.params_bytes = sizeof(struct wl_loop),
	.ops = &barrier_ops,
};

/* --- broadcast: down a binomial tree from member 0, and tokens back up, so that none is further ahead than an
 * iteration. Steps: it comes; on to the children; their tokens; a token to the parent. */

static uint32_t children(const struct wl_process *p, uint32_t me)
{
	uint32_t n = 0, most = me ? (uint32_t)__builtin_ctz(me) : log_of(p->members);
	for (uint32_t k = 0; k < most; k++)
		n += me + (1ull << k) < p->members;
	return n;
}

static uint32_t broadcast_steps(const struct wl_process *p)
{
	(void)p;
	return 4;
}

static uint32_t broadcast_receives(const struct wl_process *p, uint32_t me, uint32_t step)
{
	return step == 0 ? me != 0 : step == 2 ? children(p, me) : 0;
}

static uint32_t broadcast_sends(const struct wl_process *p, uint32_t me, uint32_t step)
{
	return step == 1 ? children(p, me) : step == 3 ? me != 0 : 0;
}

/* The child with the most below it comes first. */
static void broadcast_send(const struct wl_process *p, uint32_t me, uint32_t step, uint32_t k,
                           struct wl_step_message *m)
{
	uint32_t n = children(p, me);
	m->to = step == 1 ? me + (1u << (n - 1 - k)) : me & (me - 1);
	m->bytes = step == 1 ? size_of_loop(p) : WL_TOKEN;
	m->step = step == 1 ? 0 : 2;
}

static const struct base_param broadcast_table[] = { WL_LOOP_PARAMS("4KiB", "bytes that member 0 sends to all"),
	                                             { 0 } };

static int broadcast_build(struct wl_process *p, struct base_errors *errors)
{
	(void)errors;
	p->other_size = WL_TOKEN;
	return 0;
}

static const struct wl_steps_ops broadcast_ops = { .ops = WL_STEPS_OPS(broadcast_build, WL_MPI_BCAST),
	                                           .steps = broadcast_steps,
	                                           .receives = broadcast_receives,
	                                           .sends = broadcast_sends,
	                                           .send = broadcast_send };

const struct base_plugin wl_process_broadcast = {
	.kind = "process",
	.name = "broadcast",
	.summary = "member 0 sends to all members along a binomial tree, and 8-byte confirmations return",
	.params = broadcast_table,
	.conditions = wl_loop_conditions,
	.params_bytes = sizeof(struct wl_loop),
	.ops = &broadcast_ops,
};

/* --- ring: in each of p - 1 steps a block to the next member, one from the one before */

static uint32_t ring_steps(const struct wl_process *p)
{
	return p->members - 1;
}

static void ring_send(const struct wl_process *p, uint32_t me, uint32_t step, uint32_t k, struct wl_step_message *m)
{
	(void)step, (void)k;
	m->bytes = size_of_loop(p);
	m->to = me + 1 == p->members ? 0 : me + 1;
}

/* To one member, whose messages leave in order anyway. */
static bool to_one(const struct wl_process *p)
{
	(void)p;
	return true;
}

static const struct base_param ring_table[] = { WL_LOOP_PARAMS("4KiB", "bytes of the block of each member"), { 0 } };

static const struct wl_steps_ops ring_ops = {
	.ops = WL_STEPS_OPS(NULL, WL_KIND_SENDS),
	.steps = ring_steps,
	.receives = one,
	.sends = one,
	.send = ring_send,
	.at_once = to_one,
};

const struct base_plugin wl_process_ring = {
	.kind = "process",
	.name = "ring",
	.summary = "the block of each member passes around a ring of all members (ring allgather)",
	.params = ring_table,
	.conditions = wl_loop_conditions,
	.params_bytes = sizeof(struct wl_loop),
	.ops = &ring_ops,
};

/* --- ping-pong: members in pairs, the even one begins. Its step 0 waits for the answer; the odd one's for the
 * question, and its step 1 answers. */

static uint32_t ping_steps(const struct wl_process *p)
{
	(void)p;
	return 2;
}

static bool has_partner(const struct wl_process *p, uint32_t me)
{
	return (me ^ 1) < p->members;
}

static uint32_t ping_receives(const struct wl_process *p, uint32_t me, uint32_t step)
{
	return has_partner(p, me) ? step == 0 : 1; /* without one it waits forever */
}

static uint32_t ping_sends(const struct wl_process *p, uint32_t me, uint32_t step)
{
	return has_partner(p, me) && step == (me & 1);
}

static void ping_send(const struct wl_process *p, uint32_t me, uint32_t step, uint32_t k, struct wl_step_message *m)
{
	(void)step, (void)k;
	*m = (struct wl_step_message){ .to = me ^ 1, .bytes = size_of_loop(p), .step = 0 };
}

static const struct base_param ping_table[] = { WL_LOOP_PARAMS("8B", "bytes of each of the two messages"), { 0 } };

static const struct wl_steps_ops ping_ops = { .ops = WL_STEPS_OPS(NULL, WL_KIND_SENDS),
	                                      .steps = ping_steps,
	                                      .receives = ping_receives,
	                                      .sends = ping_sends,
	                                      .send = ping_send,
	                                      .at_once = to_one };

const struct base_plugin wl_process_ping_pong = {
	.kind = "process",
	.name = "ping-pong",
	.summary = "members 2 i and 2 i + 1 exchange a message back and forth",
	.params = ping_table,
	.conditions = wl_loop_conditions,
	.params_bytes = sizeof(struct wl_loop),
	.ops = &ping_ops,
};
