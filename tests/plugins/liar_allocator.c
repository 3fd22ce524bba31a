/* tests/plugins/liar_allocator.c - docs/examples/greedy.c with one lie each: see tests/cli/liars.sh. */
#define tilefly_plugins honest_plugins
#define tilefly_plugin_abi honest_abi
#include "docs/examples/greedy.c"
#undef tilefly_plugins
#undef tilefly_plugin_abi
#include "tests/plugins/liar.h"

LIAR_LIST(struct sw_allocator_ops, greedy)

static uint32_t one_more(struct sw_round *r)
{
	return match(r) + 1;
}
/* Every input that asks gets the output of its own number, whether it asks for that or not. */
static uint32_t straight(struct sw_round *r)
{
	uint32_t pairs = 0;
	for (SW_EACH(i, r->w->asking, r->w->in_words)) {
		r->w->match[i] = (uint16_t)i;
		r->w->taken[i] = (uint16_t)i;
		pairs++;
	}
	return pairs;
}
static uint32_t beyond(struct sw_round *r)
{
	for (SW_EACH(i, r->w->asking, r->w->in_words))
		r->w->match[i] = 60000;
	return 1;
}

static const struct base_param own[] = { { .name = "depth", .type = BASE_INT, .default_value = "1" },
	                                 { .name = NULL } };

__attribute__((constructor)) static void make(void)
{
	LIE("no-match", match, NULL);
	LIE("one-more", match, one_more);
	LIE("straight", match, straight);
	LIE("beyond", match, beyond);
	LIE("own-keys", match, match);
	liar_plugin[liars - 1].params = own;
	liar_plugin[liars - 1].params_bytes = sizeof(int64_t);
}
