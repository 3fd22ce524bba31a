/* switch/arbiter.c - arbiters as plug-ins: the values (keys) that they may compare, calls of their functions, and
 * descriptions of these keys for users. See arbiter.h */
#include "switch/arbiter.h"

#include <inttypes.h>

const struct sw_arbiter_key_about sw_arbiter_keys[SW_ARBITER_KEYS] = {
	[SW_KEY_NONE] = { "none", "nothing: it depends on previous winners only" },
	[SW_KEY_AGE] = { "age", "the start of the packet's age, as set by the switch's key `age`" },
	[SW_KEY_BYTES] = { "bytes", "bytes of the packet" },
	[SW_KEY_HOPS] = { "hops", "links from switch to switch that the packet has taken" },
};

#define MOST_BYTES 4096u /* of state, and per requester */

int sw_check_quantum(uint64_t quantum, uint32_t max_packet, struct base_errors *errors)
{
	if (!quantum || quantum >= max_packet)
		return 0;
	return base_errorf(errors, "quantum",
	                   "%" PRIu64 " bytes are less than the largest packet, %u bytes, which must fit into a turn",
	                   quantum, max_packet);
}

/* The error in a descriptor; NULL: none. */
static const char *find_fault(const struct base_plugin *arbiter)
{
	const struct sw_arbiter_ops *ops = sw_arbiter_ops(arbiter);
	if (!ops->pick)
		return "the required function pick() is NULL";
	if ((unsigned)ops->key >= SW_ARBITER_KEYS)
		return "it needs a key that this version of tilefly does not know";
	if (ops->state_bytes > MOST_BYTES || ops->requester_bytes > MOST_BYTES)
		return "its state has more than 4096 bytes, or more than 4096 for each requester";
	if (!ops->won && (ops->state_bytes || ops->requester_bytes))
		return "it has state, but no function won() that changes it";
	if (ops->won && !ops->state_bytes && !ops->requester_bytes)
		return "it has a function won(), but no state that this could change: state_bytes and requester_bytes "
		       "are 0";
	if (ops->quantum && ops->key != SW_KEY_BYTES)
		return "it takes a quantum of bytes, but does not request bytes";
	if (arbiter->params)
		return "it has parameters of its own; arbiters take the switch's weights, quantum and age";
	return NULL;
}

int sw_arbiter_check(const struct base_plugin *arbiter, const char *key, unsigned given, struct base_errors *errors)
{
	const char *fault = arbiter ? find_fault(arbiter) : NULL;
	if (fault)
		return base_errorf(errors, key, "arbiter \"%s\": %s", arbiter->name, fault);
	enum sw_arbiter_key wants = arbiter ? sw_arbiter_ops(arbiter)->key : SW_KEY_NONE;
	if (given >> wants & 1)
		return 0;
	return base_errorf(
	    errors, key,
	    "arbiter \"%s\" compares \"%s\" (%s), which this switch cannot provide: it has no links to other switches",
	    arbiter->name, sw_arbiter_keys[wants].name, sw_arbiter_keys[wants].meaning);
}

static uint32_t ask_loaded(const struct base_plugin *arbiter, uint32_t n, const void *state, const uint64_t *requests,
                           const uint64_t *key)
{
	uint32_t first = sw_set_from(requests, sw_set_words(n), 0);
	if (first == SW_NOBODY)
		return SW_NOBODY;
	uint32_t winner = sw_arbiter_ops(arbiter)->pick(n, state, requests, key);
	if (winner < n && sw_set_has(requests, winner))
		return winner;
	base_refute(arbiter, "pick() among %u requesters returned requester %u, which makes no request", n, winner);
	return first;
}

uint32_t sw_arbiter_ask(const struct base_plugin *arbiter, uint32_t n, const void *state, const uint64_t *requests,
                        const uint64_t *key)
{
	if (sim_unlikely(arbiter->loaded))
		return ask_loaded(arbiter, n, state, requests, key);
	return sw_arbiter_ops(arbiter)->pick(n, state, requests, key);
}

void sw_arbiter_report(struct sim_ctx *ctx, const struct base_plugin *arbiter, uint32_t n, void *state, uint32_t winner,
                       const uint32_t *weight, struct sw_charge charge)
{
	const struct sw_arbiter_ops *ops = sw_arbiter_ops(arbiter);
	if (ops->won)
		ops->won(ctx, n, state, winner,
		         (struct sw_win){ charge.bytes, charge.quantum, ops->weights ? weight[winner] : 1 });
}
