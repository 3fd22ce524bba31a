/* switch/arbiter.h - choice among several requesters of one resource.
 *
 * An arbiter is a plug-in of kind "arbiter": a file of switch/arbiters/, or a shared object. Its `summary` describes
 * the rule by which it chooses; its table of functions is a struct sw_arbiter_ops, which also declares the inputs that
 * it needs. It has no parameters: weights, a quantum and the meaning of age are those of the switch (its keys
 * `weights`, `quantum`, `age`).
 *
 * Requesters are numbered 0 .. n-1, n <= SW_SET_PORTS; requests are a bit set. The state of an arbiter is
 * sw_arbiter_bytes() bytes in the switch's own block (so sw_ops.regions includes them). pick() does not change the
 * state; won() changes it, through the journal. So an allocator may call pick(), and report the win only when the grant
 * is accepted.
 *
 * Everything is deterministic: no random numbers, no clock.
 *
 * A switch holds an arbiter as its descriptor. Round robin, which nearly every switch uses, is inlined. */
#ifndef SWITCH_ARBITER_H
#define SWITCH_ARBITER_H

#include "base/plugin.h"
#include "sim/sim.h"
#include "switch/set.h"

#include <stddef.h>

/* The values that an arbiter compares, one number for each requester. */
enum sw_arbiter_key {
	SW_KEY_NONE,
	SW_KEY_AGE,   /* ps; start of the packet's age: less is older */
	SW_KEY_BYTES, /* bytes of the packet; 0: it won before, and has paid */
	SW_KEY_HOPS,  /* switch-to-switch links that the packet has taken; 0: it was injected here */
};
#define SW_ARBITER_KEYS (SW_KEY_HOPS + 1)

/* Description of a key (enum sw_arbiter_key) in messages and lists for users. */
struct sw_arbiter_key_about {
	const char *name, *meaning;
};
extern const struct sw_arbiter_key_about sw_arbiter_keys[SW_ARBITER_KEYS]; /* arbiter.c */

struct sw_win {           /* of the winner; members that the arbiter does not take are undefined */
	uint32_t bytes;   /* with SW_KEY_BYTES: of its packet, 0: it has paid already */
	uint32_t quantum; /* bytes, at least the largest packet; for arbiters with a quantum */
	uint32_t weight;  /* at least 1; for arbiters with weights */
};

struct sw_arbiter_ops {
	enum sw_arbiter_key key;
	bool weights; /* it uses the switch's key `weights` */
	bool quantum; /* it uses the switch's key `quantum`, and its shares are of bytes; requires SW_KEY_BYTES */
	uint32_t state_bytes;     /* of its state; all-zero is a new arbiter, without initialisation */
	uint32_t requester_bytes; /* additional bytes of state for each requester. The state is aligned to 8 bytes, or
	                             to 4 if it has 4 bytes in all */
	const char *fair;         /* the quantity of which continuous requesters get equal shares; NULL: none */
	/* Returns the winner among `requests`, a subset of n requesters; SW_NOBODY if the set is empty. key[i] is the
	 * value of requester i, undefined for others; key is NULL for SW_KEY_NONE. The function changes nothing. */
	uint32_t (*pick)(uint32_t n, const void *state, const uint64_t *requests, const uint64_t *key);
	/* Called when the grant to `winner` has been accepted. Changes the state by sim_set() and sim_save() only.
	 * NULL: the arbiter has no state. */
	void (*won)(struct sim_ctx *ctx, uint32_t n, void *state, uint32_t winner, struct sw_win win);
};

/* Arbiters that switches refer to by name, as defaults or because they have a faster implementation. All are listed in
 * experiments/config/builtin.def. */
extern const struct base_plugin sw_arbiter_round_robin, sw_arbiter_age, sw_arbiter_drr;

/* --- keys of switches ------------------------------------------------------------------------------------ */

/* Type of a switch's parameter that names an arbiter. */
#define SW_ARBITER_PARAM .type = BASE_PLUGIN, .unit = "arbiter"

/* Values of a switch's key `age`: the start of a packet's age. A source that offers more than it can inject has packets
 * that were created long ago, so with CREATION its packets would have priority over those of all others. */
enum sw_age { SW_AGE_INJECTION, SW_AGE_ARRIVAL, SW_AGE_CREATION };
#define SW_AGE_CHOICES "injection|arrival|creation" /* in the order of the enum */
#define SW_AGE_HELP                                                                                                   \
	"start of a packet's age, for arbiters that compare ages: when its first bit left the endpoint, when it "     \
	"arrived at this switch, or when the application created it; with the latter a source that offers more than " \
	"it can inject has priority over the others"

/* Help text of a switch's key `quantum`. */
#define SW_QUANTUM_HELP                                                                                              \
	"bytes per turn of arbiters with a quantum (\"drr\"): at least the largest packet of the run, the default. " \
	"Shares are equal over times of several turns"

static inline const struct sw_arbiter_ops *sw_arbiter_ops(const struct base_plugin *arbiter)
{
	return arbiter->ops;
}

/* Returns the arbiter that a key names, or the default if the key is "auto": deficit round robin if packets differ in
 * size. If all have one size, equal shares of packets are equal shares of bytes, and round robin is cheaper. */
static inline const struct base_plugin *sw_arbiter_chosen(const struct base_named *key, bool sizes_differ)
{
	if (key->plugin)
		return key->plugin;
	return sizes_differ ? &sw_arbiter_drr : &sw_arbiter_round_robin;
}

/* Inputs that an arbiter needs, for the conditions of a switch's keys. NULL means "auto", which needs none of them. */
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

/* Returns the keys (bits of enum sw_arbiter_key) that all packets have in any switch with this number of ports to other
 * switches. */
static inline unsigned sw_arbiter_given(uint32_t net_ports)
{
	return 1u << SW_KEY_NONE | 1u << SW_KEY_AGE | 1u << SW_KEY_BYTES | (net_ports ? 1u << SW_KEY_HOPS : 0);
}

/* Can the arbiter that the switch's key `key` names be used if its requesters have the keys `given` (bits)? NULL:
 * "auto". Returns 0, or -1 with an error for that key. */
int sw_arbiter_check(const struct base_plugin *arbiter, const char *key, unsigned given, struct base_errors *errors);
/* Is the quantum, in bytes, at least the largest packet? A quantum of 0 means that the key was omitted. Returns 0, or
 * -1 with an error. */
int sw_check_quantum(uint64_t quantum, uint32_t max_packet, struct base_errors *errors);

/* --- decisions ------------------------------------------------------------------------------------------- */

/* Returns the size in bytes of the arbiter's state for n requesters: a multiple of 8, or 4. */
static inline size_t sw_arbiter_bytes(const struct base_plugin *arbiter, uint32_t n)
{
	const struct sw_arbiter_ops *ops = sw_arbiter_ops(arbiter);
	size_t bytes = ops->state_bytes + (size_t)n * ops->requester_bytes;
	return bytes == 4 ? 4 : (bytes + 7) & ~(size_t)7;
}

/* Returns which values of the requesters the arbiter compares. */
static inline enum sw_arbiter_key sw_arbiter_key(const struct base_plugin *arbiter)
{
	return arbiter == &sw_arbiter_round_robin ? SW_KEY_NONE : sw_arbiter_ops(arbiter)->key;
}
static inline bool sw_arbiter_has_key(const struct base_plugin *arbiter)
{
	return sw_arbiter_key(arbiter) != SW_KEY_NONE;
}

struct sw_charge {      /* the cost of a win, with SW_KEY_BYTES */
	uint32_t bytes; /* of the packet; 0: it has paid already */
	uint32_t quantum;
};

/* The slow paths of sw_arbiter_pick() and sw_arbiter_won(), for all arbiters but round robin. They check the choice of
 * a plug-in from a shared object. */
uint32_t sw_arbiter_ask(const struct base_plugin *arbiter, uint32_t n, const void *state, const uint64_t *requests,
                        const uint64_t *key);
void sw_arbiter_report(struct sim_ctx *ctx, const struct base_plugin *arbiter, uint32_t n, void *state, uint32_t winner,
                       const uint32_t *weight, struct sw_charge charge);

/* Calls sw_arbiter_ops.pick(). key: may be NULL if the arbiter compares no values. */
static inline uint32_t sw_arbiter_pick(const struct base_plugin *arbiter, uint32_t n, const void *state,
                                       const uint64_t *requests, const uint64_t *key)
{
	if (arbiter == &sw_arbiter_round_robin)
		return sw_set_next(requests, n, *(const uint32_t *)state);
	return sw_arbiter_ask(arbiter, n, state, requests, key);
}

/* Calls sw_arbiter_ops.won(). weight: [n] weights > 0; may be NULL unless the arbiter uses weights. */
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
