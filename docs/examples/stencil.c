/* docs/examples/stencil.c - a traffic pattern as a plug-in: halo exchange on a two-dimensional periodic grid.
 *
 * The job's endpoints, in order, are the points of a grid of `width` columns; message number n of a point goes to its
 * east, west, south or north neighbour, in turn. Four messages are one exchange.
 *
 *      traffic = ( { pattern = "stencil"; width = 8; load = 0.3; injection = "periodic"; } );
 *
 * A pattern says to whom, never when: that is the injection process. Its answer is a pure function of (member, message
 * number, random words), so nothing is stored per endpoint, and nothing must be undone after a rollback. */
#include "base/memory.h"
#include "topo/divide.h"
#include "workload/workload.h"

#include <stddef.h>
#include <stdlib.h>

struct stencil_params {
	int64_t width;
};

static const struct base_param params[] = {
	{ BASE_KEY(INT, struct stencil_params, width, NULL), .unit = "endpoints", .min = 2, .max = 1 << 20,
	  .help = "columns of the grid; the job's size must be a multiple of it" },
	{ .name = NULL },
};

struct stencil {
	struct topo_divider by_width;
	uint32_t width, height;
};

static int build(struct wl_pattern *pattern, struct base_errors *errors)
{
	const struct stencil_params *p = pattern->params;
	uint32_t width = (uint32_t)p->width;
	if (pattern->members % width || pattern->members < 2 * width)
		return base_errorf(errors, "width", "%u endpoints do not make two or more full rows of %u",
		                   pattern->members, width);
	struct stencil *s = base_alloc(sizeof *s);
	s->by_width = topo_divider_of(width);
	s->width = width;
	s->height = pattern->members / width;
	pattern->impl = s;
	return 0;
}

static void destroy(struct wl_pattern *pattern)
{
	free(pattern->impl);
}

/* Members are numbered 0 .. members - 1; wl_member() turns the number into an endpoint. */
static uint32_t destination(const struct wl_pattern *pattern, uint32_t index, uint32_t message, uint32_t bits,
                            uint32_t coin)
{
	(void)bits, (void)coin; /* nothing random here */
	const struct stencil *s = pattern->impl;
	uint32_t y = topo_divide(&s->by_width, index), x = topo_remainder(&s->by_width, index, y);
	switch (message & 3) {
	case 0:
		x = x + 1 < s->width ? x + 1 : 0;
		break;
	case 1:
		x = x ? x - 1 : s->width - 1;
		break;
	case 2:
		y = y + 1 < s->height ? y + 1 : 0;
		break;
	default:
		y = y ? y - 1 : s->height - 1;
		break;
	}
	return wl_member(pattern, x + s->width * y);
}

static const struct wl_pattern_ops ops = {
	.build = build,
	.destroy = destroy,
	.destination = destination,
};

static const struct base_plugin stencil = {
	BASE_DESCRIBE("pattern", "stencil", params, struct stencil_params, &ops),
	.summary = "halo exchange on a periodic two-dimensional grid: east, west, south, north in turn",
};

extern const unsigned tilefly_plugin_abi;
extern const struct base_plugin *const tilefly_plugins[];

const unsigned tilefly_plugin_abi = BASE_PLUGIN_ABI;
const struct base_plugin *const tilefly_plugins[] = { &stencil, NULL };
