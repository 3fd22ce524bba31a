/* tests/plugins/liar_traffic.c - docs/examples/stencil.c with one lie each, and injection processes that are none: see
 * tests/cli/liars.sh. */
#define tilefly_plugins honest_plugins
#define tilefly_plugin_abi honest_abi
#include "docs/examples/stencil.c"
#undef tilefly_plugins
#undef tilefly_plugin_abi
#include "tests/plugins/liar.h"

LIAR_LIST(struct wl_pattern_ops, stencil)

static int silent(struct wl_pattern *pattern, struct base_errors *errors)
{
	(void)pattern, (void)errors;
	return -1;
}
static uint32_t nowhere(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits, uint32_t coin)
{
	return index == 3 ? 4000000000u : destination(p, index, message, bits, coin);
}
static uint32_t stranger(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits, uint32_t coin)
{
	return index == 3 ? 20 : destination(p, index, message, bits, coin);
}
static uint32_t sometimes(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits, uint32_t coin)
{
	return index == 3 && message == 2 ? WL_IDLE : destination(p, index, message, bits, coin);
}
static uint32_t late(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits, uint32_t coin)
{
	return index == 3 && message == 20 ? 4000000000u : destination(p, index, message, bits, coin);
}
static uint32_t moody(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits, uint32_t coin)
{
	static uint32_t calls;
	return destination(p, index, message + (index == 3 ? calls++ : 0), bits, coin);
}

static int kept(struct wl_injection *in, struct base_errors *errors)
{
	(void)errors;
	in->word[0] = in->mean >> WL_TIME_BITS;
	return 0;
}
static uint64_t first(const struct wl_injection *in, struct sim_draw draw)
{
	return sim_below(draw.v[0], (uint32_t)in->word[0]);
}
static uint64_t gap(const struct wl_injection *in, uint32_t n, uint64_t since, uint64_t bits)
{
	(void)n, (void)since, (void)bits;
	return in->word[0];
}
static uint64_t before_first(const struct wl_injection *in, struct sim_draw draw)
{
	(void)in, (void)draw;
	return (uint64_t)-5;
}
static uint64_t backwards(const struct wl_injection *in, uint32_t n, uint64_t since, uint64_t bits)
{
	return n == 7 ? (uint64_t)-5 : gap(in, n, since, bits);
}
static uint64_t backwards_late(const struct wl_injection *in, uint32_t n, uint64_t since, uint64_t bits)
{
	return since % 1000 == 123 ? (uint64_t)-5 : gap(in, n, since, bits);
}
static uint64_t still(const struct wl_injection *in, uint32_t n, uint64_t since, uint64_t bits)
{
	(void)in, (void)n, (void)since, (void)bits;
	return 0;
}

static struct wl_injection_ops in_ops[] = {
	{ .build = kept, .first = before_first, .gap = gap },     { .build = kept, .first = first, .gap = backwards },
	{ .build = kept, .first = first, .gap = still },          { .build = kept, .first = first },
	{ .build = kept, .first = first, .gap = backwards_late },
};
static const char *const in_name[] = { "before-first", "backwards", "still", "gap-missing", "backwards-late" };

__attribute__((constructor)) static void make(void)
{
	LIE("silent-pattern", build, silent);
	LIE("nowhere", destination, nowhere);
	LIE("stranger", destination, stranger);
	LIE("sometimes", destination, sometimes);
	LIE("late", destination, late);
	LIE("moody", destination, moody);
	LIE("not-fixed", fixed, true);
	LIE("destination-missing", destination, NULL);
	for (unsigned i = 0; i < sizeof in_ops / sizeof *in_ops; i++) {
		liar_add(in_name[i]);
		liar_plugin[liars - 1].kind = "injection";
		liar_plugin[liars - 1].params = NULL;
		liar_plugin[liars - 1].params_bytes = 0;
		liar_plugin[liars - 1].ops = &in_ops[i];
	}
}
