/* tests/plugins/liar.h - many plug-ins from an honest one, each a copy of its table of functions with one changed. */
#ifndef TESTS_PLUGINS_LIAR_H
#define TESTS_PLUGINS_LIAR_H

#include "base/plugin.h"

#define LIARS 64

/* type: of the table of functions; honest: the descriptor. Filled by liar_add() before the program looks at it. */
#define LIAR_LIST(type, honest)                               \
	static type liar_ops[LIARS];                          \
	static struct base_plugin liar_plugin[LIARS];         \
	static unsigned liars;                                \
	extern const unsigned tilefly_plugin_abi;             \
	extern const struct base_plugin *tilefly_plugins[];   \
	const unsigned tilefly_plugin_abi = BASE_PLUGIN_ABI;  \
	const struct base_plugin *tilefly_plugins[LIARS + 1]; \
	static type *liar_add(const char *name)               \
	{                                                     \
		if (liars == LIARS)                           \
			__builtin_trap();                     \
		type *ops_of = &liar_ops[liars];              \
		*ops_of = *(const type *)(honest).ops;        \
		liar_plugin[liars] = (honest);                \
		liar_plugin[liars].name = name;               \
		liar_plugin[liars].ops = ops_of;              \
		tilefly_plugins[liars] = &liar_plugin[liars]; \
		liars++;                                      \
		return ops_of;                                \
	}

#define LIE(name, member, function) (liar_add(name)->member = (function))

#endif
