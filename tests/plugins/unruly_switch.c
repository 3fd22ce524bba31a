/* tests/plugins/unruly_switch.c - docs/examples/oq.c, which does not come back from a call of the checks at the end of
 * a run: see tests/cli/unruly.sh. */
#define tilefly_plugins honest_plugins
#define tilefly_plugin_abi honest_abi
#include "docs/examples/oq.c"
#undef tilefly_plugins
#undef tilefly_plugin_abi
#include "tests/plugins/liar.h"

LIAR_LIST(struct sw_ops, output_queued)

static volatile bool ran;

static void notes_in(struct sw_call *call, uint32_t in_port, struct sw_packet *p)
{
	ran = true;
	packet_in(call, in_port, p);
}
static void spins_at_the_end(const struct sw_common *c, const void *state,
                             void (*visit)(void *arg, const struct sw_waiting *w), void *arg)
{
	while (ran)
		;
	each_waiting(c, state, visit, arg);
}

__attribute__((constructor)) static void make(void)
{
	LIE("spins-at-the-end", packet_in, notes_in);
	liar_ops[0].each_waiting = spins_at_the_end;
}
