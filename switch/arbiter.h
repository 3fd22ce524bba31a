/* switch/arbiter.h - one resource, several requesters: who gets it?
 *
 * An arbiter is a plug-in of kind "arbiter": a file of switch/arbiters/, or a shared object. Its `summary` is the rule
 * by which it chooses, its table of functions is a struct sw_arbiter_ops, which also says what it needs. It has no
 * parameters: weights, a quantum and the meaning of age are those of the switch (its keys `weights`, `quantum`, `age`).
 *
 * Requesters are numbered 0 .. n-1, n <= SW_SET_PORTS, and ask by a bit set. The state of an arbiter is
 * sw_arbiter_bytes() bytes that live in the switch's own block (so sw_ops.regions shows them). Picking does not change
 * it, winning does, through the journal. So an allocator may pick, and report the win only when the grant is accepted.
 *
 * Everything is deterministic: no random numbers, no clock.
 *
 * A switch holds an arbiter as its descriptor. Round robin is what nearly every switch has, so it is inlined. */
#ifndef SWITCH_ARBITER_H
#define SWITCH_ARBITER_H

#include "base/plugin.h"
#include "sim/sim.h"
#include "switch/set.h"

#include <stddef.h>

/* What an arbiter compares: one number for each requester. */
enum sw_arbiter_key {
	SW_KEY_NONE,
	SW_KEY_AGE,   /* ps; since when the packet's age counts: less is older */
	SW_KEY_BYTES, /* bytes of the packet; 0: it won before, and has paid */
	SW_KEY_HOPS,  /* links from switch to switch that the packet has taken; 0: it was injected here */
};
#define SW_ARBITER_KEYS (SW_KEY_HOPS + 1)

/* What users read about a key. */
struct sw_arbiter_key_about {
	const char *name, *meaning;
};
extern const struct sw_arbiter_key_about sw_arbiter_keys[SW_ARBITER_KEYS]; /* arbiter.c */

struct sw_win {           /* of the winner; what the arbiter does not take means nothing */
	uint32_t bytes;   /* with SW_KEY_BYTES: of its packet, 0: it has paid already */
	uint32_t quantum; /* bytes, at least the largest packet; of arbiters that take a quantum */
	uint32_t weight;  /* at least 1; of arbiters that take weights */
};

struct sw_arbiter_ops {
	enum sw_arbiter_key key;
	bool weights; /* the switch's key `weights` is for it */
	bool quantum; /* the switch's key `quantum` is for it, and its shares are of bytes; needs SW_KEY_BYTES */
	uint32_t state_bytes;     /* of its state; all-zero is a new arbiter: nothing to initialise */
	uint32_t requester_bytes; /* behind these, for each requester. The state is at a multiple of 8, or of 4 if it
	                             has 4 bytes in all */
	const char *fair;         /* in what those who always ask get equal shares; NULL: in nothing */
	/* Who of `requests` (a set of n) should win; SW_NOBODY if it is empty. key[i], of requesters only; NULL for
	 * SW_KEY_NONE. Changes nothing. */
	uint32_t (*pick)(uint32_t n, const void *state, const uint64_t *requests, const uint64_t *key);
	/* `winner` was granted, and accepted. Changes state by sim_set() and sim_save() only. NULL: there is none. */
	void (*won)(struct sim_ctx *ctx, uint32_t n, void *state, uint32_t winner, struct sw_win win);
};

/* Arbiters that switches know by name, as defaults or because they have a shorter way for them. All are listed in
 * experiments/config/builtin.def. */
extern const struct base_plugin sw_arbiter_round_robin, sw_arbiter_age, sw_arbiter_drr;

/* --- keys of switches ------------------------------------------------------------------------------------ */

/* A key that names an arbiter. */
#define SW_ARBITER_PARAM .type = BASE_PLUGIN, .unit = "arbiter"

/* The key `age` of a switch: since when a packet's age counts. A source that offers more than it can inject has packets
 * that were created long ago, so with CREATION it would pass before all others. */
enum sw_age { SW_AGE_INJECTION, SW_AGE_ARRIVAL, SW_AGE_CREATION };
#define SW_AGE_CHOICES "injection|arrival|creation" /* in the order of the enum */
#define SW_AGE_HELP                                                                                                    \
	"since when a packet's age counts for arbiters that compare ages: when its first bit left the endpoint, when " \
	"it arrived at this switch, or when the application made it, with which a source that offers more than it "    \
	"can inject passes before the others"

/* The key `quantum` of a switch. */
#define SW_QUANTUM_HELP                                                                                              \
	"bytes that arbiters that take a quantum (\"drr\") give in a turn: at least the largest packet of the run, " \
	"which "                                                                                                     \
	"it is if left out. Shares are equal over times of several turns"

static inline const struct sw_arbiter_ops *sw_arbiter_ops(const struct base_plugin *arbiter)
{
	return arbiter->ops;
}

/* The arbiter of a key, which may be "auto". With packets of one size equal shares of packets are equal shares of
 * bytes, and round robin is the cheaper one. */
static inline const struct base_plugin *sw_arbiter_chosen(const struct base_named *key, bool sizes_differ)
{
	if (key->plugin)
		return key->plugin;
	return sizes_differ ? &sw_arbiter_drr : &sw_arbiter_round_robin;
}

/* What an arbiter needs, for conditions of keys; NULL: "auto", which is nothing of that. */
static inline bool sw_arbiter_takes_age(const struct base_plugin *arbiter)
{
	return arbiter && sw_arbiter_ops(arbiter)->key == SW_KEY_AGE;
}
static inline bool sw_arbiter_takes_weights(const struct base_plugin *arbiter)
{
	return arbiter && sw_arbiter_ops(arbiter)->weights;
}
static inline bool sw_arbiter_takes_quantum(const struct base_plugin *arbiter)
{
	return arbiter && sw_arbiter_ops(arbiter)->quantum;
}

/* The keys (bits of enum sw_arbiter_key) that packets have in every switch with so many ports to other switches. */
static inline unsigned sw_arbiter_given(uint32_t net_ports)
{
	return 1u << SW_KEY_NONE | 1u << SW_KEY_AGE | 1u << SW_KEY_BYTES | (net_ports ? 1u << SW_KEY_HOPS : 0);
}

/* Can the arbiter that the switch's key `key` names be used, where its requesters have the keys `given`? NULL: "auto".
 * 0, or -1 with an error that names it. */
int sw_arbiter_check(const struct base_plugin *arbiter, const char *key, unsigned given, struct base_errors *errors);
/* Is the quantum large enough? 0: it was left out. 0 or -1, with an error. */
int sw_check_quantum(uint64_t quantum, uint32_t max_packet, struct base_errors *errors);

/* --- deciding -------------------------------------------------------------------------------------------- */

/* Of its state, for n requesters: a multiple of 8, or 4. */
static inline size_t sw_arbiter_bytes(const struct base_plugin *arbiter, uint32_t n)
{
	const struct sw_arbiter_ops *ops = sw_arbiter_ops(arbiter);
	size_t bytes = ops->state_bytes + (size_t)n * ops->requester_bytes;
	return bytes == 4 ? 4 : (bytes + 7) & ~(size_t)7;
}

/* What a pick compares. */
static inline enum sw_arbiter_key sw_arbiter_key(const struct base_plugin *arbiter)
{
	return arbiter == &sw_arbiter_round_robin ? SW_KEY_NONE : sw_arbiter_ops(arbiter)->key;
}
static inline bool sw_arbiter_has_key(const struct base_plugin *arbiter)
{
	return sw_arbiter_key(arbiter) != SW_KEY_NONE;
}

struct sw_charge {      /* what a win costs, with SW_KEY_BYTES */
	uint32_t bytes; /* of the packet; 0: it has paid already */
	uint32_t quantum;
};

/* Of sw_arbiter_pick() and sw_arbiter_won(), for all but round robin. What a loaded plug-in picks is checked. */
uint32_t sw_arbiter_ask(const struct base_plugin *arbiter, uint32_t n, const void *state, const uint64_t *requests,
                        const uint64_t *key);
void sw_arbiter_report(struct sim_ctx *ctx, const struct base_plugin *arbiter, uint32_t n, void *state, uint32_t winner,
                       const uint32_t *weight, struct sw_charge charge);

/* See sw_arbiter_ops.pick(). key: may be NULL if the arbiter has none. */
static inline uint32_t sw_arbiter_pick(const struct base_plugin *arbiter, uint32_t n, const void *state,
                                       const uint64_t *requests, const uint64_t *key)
{
	if (arbiter == &sw_arbiter_round_robin)
		return sw_set_next(requests, n, *(const uint32_t *)state);
	return sw_arbiter_ask(arbiter, n, state, requests, key);
}

/* See sw_arbiter_ops.won(). weight: [n], > 0; may be NULL unless the arbiter takes weights. */
static inline __attribute__((always_inline)) void sw_arbiter_won(struct sim_ctx *ctx, const struct base_plugin *arbiter,
                                                                 uint32_t n, void *state, uint32_t winner,
                                                                 const uint32_t *weight, struct sw_charge charge)
{
	uint32_t *turn = state;
	base_checkf(winner < n, "%u of %u wins", winner, n);
	if (arbiter == &sw_arbiter_round_robin)
		sim_set(ctx, turn, winner + 1 == n ? 0 : winner + 1);
	else
		sw_arbiter_report(ctx, arbiter, n, state, winner, weight, charge);
}

#endif
