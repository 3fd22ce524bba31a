/* experiments/config/kind.c - see kind.h */
#include "experiments/config/kind.h"

#include <stdio.h>

static const struct {
	const char *what, *key, *command;
	bool listed; /* the key is another kind's as well, of one number there */
} kinds[] = {
	[XP_KIND_RUN] = { "a configuration", "topology", "run", false },
	[XP_KIND_SWEEP] = { "an experiment", "grid", "sweep", false },
	[XP_KIND_COMPARE] = { "a comparison", "candidates", "compare", true },
	[XP_KIND_DESIGN] = { "a search for designs", "variables", "design", false },
};

static bool is(const struct xp_node *root, enum xp_kind kind)
{
	const struct xp_node *node = xp_member(root, kinds[kind].key);
	return node && (!kinds[kind].listed || node->type == XP_LIST);
}

const char *xp_kind_other(const struct xp_node *root, enum xp_kind wanted, char out[200])
{
	bool points = wanted == XP_KIND_RUN && is(root, XP_KIND_SWEEP); /* a grid over the configuration that it is */
	if (is(root, wanted) && !points)
		return NULL;
	for (enum xp_kind k = XP_KIND_RUN; k <= XP_KIND_DESIGN; k++) {
		if (k == wanted || !is(root, k))
			continue;
		snprintf(out, 200, "%s (it has \"%s\"), not %s: run it with \"tilefly %s\"", kinds[k].what,
		         kinds[k].key, kinds[wanted].what, kinds[k].command);
		return out;
	}
	return NULL;
}
