/* tests/plugins/liar_process.c - docs/examples/token.c with one lie: see tests/cli/liars.sh. */
#define tilefly_plugins honest_plugins
#define tilefly_plugin_abi honest_abi
#include "workload/process/process.h"
/* An iteration that began before the run. */
#define net_iteration(call, ps) ((void)(ps), (net_iteration)(call, UINT64_MAX))
#include "docs/examples/token.c"
#undef tilefly_plugins
#undef tilefly_plugin_abi
#include "tests/plugins/liar.h"

LIAR_LIST(struct wl_process_ops, token)

__attribute__((constructor)) static void make(void)
{
	LIE("long-iteration", start, start);
}
