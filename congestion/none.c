/* congestion/none.c - no endpoint congestion control: back-pressure by credits is all there is. */
#include "congestion/congestion.h"

static const struct cc_ops ops = { .wants = 0 };

static const struct base_param params[] = { { .name = NULL } };

const struct base_plugin cc_none = {
	.kind = "congestion",
	.name = "none",
	.summary = "no endpoint congestion control: only the back-pressure of credits",
	.params = params,
	.ops = &ops,
};
