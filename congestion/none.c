/* congestion/none.c - no endpoint congestion control, only back-pressure by credits. */
#include "congestion/congestion.h"

static const struct cc_ops ops = { .wants = 0 };

static const struct base_param params[] = { { .name = NULL } };

const struct base_plugin cc_none = {
	.kind = "congestion",
	.name = "none",
	.summary = "no endpoint congestion control, only back-pressure by credits",
	.params = params,
	.ops = &ops,
};
