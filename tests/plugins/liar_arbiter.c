/* tests/plugins/liar_arbiter.c - docs/examples/transit.c with one lie each: see tests/cli/liars.sh. */
#define tilefly_plugins honest_plugins
#define tilefly_plugin_abi honest_abi
#include "docs/examples/transit.c"
#undef tilefly_plugins
#undef tilefly_plugin_abi
#include "tests/plugins/liar.h"

LIAR_LIST(struct sw_arbiter_ops, transit)

static uint32_t beyond(uint32_t n, const void *state, const uint64_t *requests, const uint64_t *key)
{
	(void)state, (void)requests, (void)key;
	return n;
}
/* Whoever's turn it is, whether it asks or not. */
static uint32_t deaf(uint32_t n, const void *state, const uint64_t *requests, const uint64_t *key)
{
	(void)n, (void)requests, (void)key;
	return *(const uint32_t *)state;
}
static uint32_t nobody(uint32_t n, const void *state, const uint64_t *requests, const uint64_t *key)
{
	(void)n, (void)state, (void)requests, (void)key;
	return SW_NOBODY;
}

static const struct base_param own[] = { { .name = "depth", .type = BASE_INT, .default_value = "1" },
	                                 { .name = NULL } };

__attribute__((constructor)) static void make(void)
{
	LIE("no-pick", pick, NULL);
	LIE("no-won", won, NULL);
	LIE("no-state", state_bytes, 0);
	LIE("other-key", key, (enum sw_arbiter_key)(SW_ARBITER_KEYS + 5));
	LIE("quantum-of-hops", quantum, true);
	LIE("large-state", requester_bytes, 1u << 30);
	LIE("beyond", pick, beyond);
	LIE("deaf", pick, deaf);
	LIE("nobody", pick, nobody);
	LIE("own-keys", pick, pick);
	liar_plugin[liars - 1].params = own;
	liar_plugin[liars - 1].params_bytes = sizeof(int64_t);
}
