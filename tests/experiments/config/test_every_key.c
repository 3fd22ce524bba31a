/* tests/experiments/config/test_every_key.c - every key of one shipped configuration of each kind of topology and
 * switch, and of every plug-in that none of them chooses, acts or is refused: see every_key.h. The others:
 * test_every_key_long.c. */
#include "tests/experiments/config/every_key.h"

Test(every_key, of_a_slim_fly)
{
	try_shipped("slimfly-3k.cfg");
}

Test(every_key, of_a_torus)
{
	try_shipped("torus-8x8x8.cfg");
}

Test(every_key, of_a_dragonfly)
{
	try_shipped("dragonfly-1056.cfg");
}

Test(every_key, of_a_crossbar)
{
	try_shipped("switch-conventional-64.cfg");
}

Test(every_key, of_a_tiled_switch)
{
	try_shipped("switch-rosetta-64.cfg");
}

#define SMALL(topology, more)                                                                                        \
	"time = { warmup = \"300ns\"; measure = \"2us\"; }; topology = { " topology " }; traffic = ( { load = 0.9; " \
	"packet = \"256B\"; " more " } );"
#define DRAGONFLY "kind = \"dragonfly\"; p = 2; a = 4; h = 2;"
#define SINGLE "kind = \"single\"; ports = 8;"

/* Those that no shipped configuration chooses. */
Test(every_key, of_other_plugins)
{
	static const struct {
		const char *kind, *set, *text;
	} others[] = {
		{ "switch", "switch={kind=\"tiled\"; preset=\"yarc\";}", SMALL(SINGLE, "") },
		{ "switch", "switch={kind=\"tiled\"; speedup=1.3; row_buffer=\"2KiB\";}", SMALL(DRAGONFLY, "") },
		{ "switch", "switch={kind=\"crossbar\"; inputs=\"voq\"; allocator=\"islip\";}", SMALL(SINGLE, "") },
		{ "switch", "switch={kind=\"crossbar\"; inputs=\"fifo\"; allocator=\"wavefront\";}",
		  SMALL(SINGLE, "") },
		{ "topology", "topology.arrangement=palmtree",
		  SMALL("kind = \"dragonfly\"; p = 2; rows = 2; columns = 3; h = 1;", "") },
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct study s = { .name = others[i].set, .text = others[i].text };
		add(&s.sets, others[i].set, "");
		try_all(&s, others[i].kind);
	}
	struct base_registry registry = { 0 };
	xp_register_builtin(&registry);
	for (size_t i = 0; i < registry.n; i++) {
		const struct base_plugin *p = registry.v[i];
		bool routing = !strcmp(p->kind, "routing"), pattern = !strcmp(p->kind, "pattern");
		if (!p->params || !p->params->name || (!routing && !pattern && strcmp(p->kind, "injection") != 0))
			continue;
		struct study s = { .name = p->name, .text = SMALL(DRAGONFLY, "") };
		add(&s.sets,
		    routing   ? "routing.kind"
		    : pattern ? "traffic.[0].pattern"
		              : "traffic.[0].injection",
		    p->name);
		if (routing)
			add(&s.sets, "traffic.[0].pattern", "worst-case");
		try_all(&s, p->kind);
	}
	base_registry_free(&registry);
}

/* The first look comes before a given warm-up is over. */
Test(every_key, a_warmup_longer_than_the_first_look)
{
	struct study s = { .text = SMALL(DRAGONFLY, "") };
	struct base_buffer out = { 0 };
	add(&s.sets, "time", "{ warmup = \"3us\"; precision = \"0.05%\"; limit = \"15us\"; }");
	add(&s.sets, "links", "{ default = { latency = \"1ns\"; }; }");
	add(&s.sets, "traffic.[0].load", "0.3");
	cr_assert_eq(run(s.text, &s.sets, "time.warmup", false, &out), RAN, "%s", out.data);
	free(out.data);
}
