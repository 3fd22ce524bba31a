/* tests/experiments/config/test_config.c - the configuration reader: what is read, what is refused, the round trip of
 * the resolved configuration, and that random damage never does worse than an error. tests/cli/malformed has whole
 * files.
 */
#include "base/memory.h"
#include "experiments/config/builtin.h"
#include "experiments/config/config.h"
#include "experiments/config/schema.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define MINIMAL "topology = { kind = \"slimfly\"; q = 5; };\ntraffic = ( { load = 0.5; } );\n"

static struct base_registry registry;
static struct base_errors errors;
static struct xp_config config;

static void setup(void)
{
	xp_register_builtin(&registry);
}

static void teardown(void)
{
	xp_config_free(&config);
	base_errors_free(&errors);
	base_registry_free(&registry);
}

TestSuite(config, .init = setup, .fini = teardown);

static int read_sets(const char *text, const char *const *sets, size_t nsets)
{
	xp_config_free(&config);
	base_errors_free(&errors);
	return xp_config_parse(&config, text, strlen(text), "t.cfg", NULL, &(struct xp_sets){ .v = sets, .n = nsets },
	                       XP_WHOLE, &registry, &errors);
}

static int read_text(const char *text)
{
	return read_sets(text, NULL, 0);
}

/* "place: text" of the i-th error. */
static const char *message(size_t i)
{
	static char line[2000];
	struct base_buffer b = { 0 };
	if (i >= errors.n)
		return "";
	xp_config_line(&config, &errors.v[i], &b);
	snprintf(line, sizeof line, "%s", b.data);
	free(b.data);
	return line;
}

Test(config, defaults_of_the_contract)
{
	cr_assert_eq(read_text(MINIMAL), 0, "%s", message(0));
	const struct net_config *n = &config.net;
	cr_assert_eq(n->seed, 1u);
	cr_assert(n->time.warmup == 20000000 && n->time.measure == 200000000 && n->time.drain == NET_DRAIN_AUTO);
	cr_assert_str_eq(n->topology.plugin->name, "slimfly");
	cr_assert_str_eq(n->sw.plugin->name, "ideal");
	cr_assert_str_eq(n->routing.plugin->name, "minimal");
	cr_assert_str_eq(n->congestion.plugin->name, "none");
	cr_assert(n->link_default.bandwidth == 100000000000 && n->link_default.latency == 50000);
	cr_assert_eq(n->nclasses, 1u);
	cr_assert_str_eq(n->classes[0].name, "bulk");
	cr_assert_eq(n->njobs, 1u);
	const struct net_job *j = &n->jobs[0];
	cr_assert_str_eq(j->name, "job0");
	cr_assert_str_eq(j->class_name, "bulk");
	cr_assert_str_eq(j->nodes, "all");
	cr_assert_str_eq(j->pattern.plugin->name, "uniform");
	cr_assert_str_eq(j->injection.plugin->name, "poisson");
	cr_assert(j->load == 0.5 && j->packet.n == 1 && j->packet.v[0] == 256);
	cr_assert(n->engine.sync == NET_SYNC_AUTO && n->engine.partition == NET_PARTITION_BLOCK);
	cr_assert(!n->routing_unsafe && !n->output.file);
}

Test(config, links_inherit_key_by_key)
{
	cr_assert_eq(read_text(MINIMAL "links = { default = { bandwidth = \"200Gbps\"; latency = \"70ns\"; };"
	                               "global = { latency = \"1us\"; }; terminal = { bandwidth = \"100Gbps\"; }; };"),
	             0, "%s", message(0));
	const struct net_config *n = &config.net;
	cr_assert(n->nlinks == 1 && !strcmp(n->links[0].name, "global"));
	cr_assert(n->links[0].link.bandwidth == 200000000000 && n->links[0].link.latency == 1000000);
	cr_assert(n->link_terminal.bandwidth == 100000000000 && n->link_terminal.latency == 70000);
	cr_assert(n->link_default.bandwidth == 200000000000 && n->link_default.latency == 70000);
}

/* Link classes have the names that the topology gives them; the resolved configuration speaks of each. */
Test(config, links_of_any_class)
{
	static const char *const names[] = { "row", "column", "10G" };
	struct topo topo = { .link_classes = 3, .link_class_name = names };
	struct base_buffer text = { 0 };
	cr_assert_eq(
	    read_text(MINIMAL "links = { default = { latency = \"70ns\"; }; column = { latency = \"2us\"; }; };"), 0,
	    "%s", message(0));
	xp_config_fill_links(&config.net, &topo);
	cr_assert_eq(config.net.nlinks, 2u, "10G is no name of a libconfig setting: links.default says it");
	xp_config_text(&config.net, &text);
	cr_assert_eq(read_text(text.data), 0, "%s in\n%s", message(0), text.data);
	cr_assert_eq(config.net.nlinks, 2u);
	cr_assert(!strcmp(config.net.links[0].name, "row") && config.net.links[0].link.latency == 70000);
	cr_assert(!strcmp(config.net.links[1].name, "column") && config.net.links[1].link.latency == 2000000);
	free(text.data);
	static const char *const bad[] = { "links.1x.latency=1us" };
	cr_assert_neq(read_sets(MINIMAL, bad, 1), 0);
	cr_assert(strstr(message(0), "must be a letter"), "%s", message(0));
}

/* Zeros too: what the text leaves out is links.default's. */
Test(config, resolved_links_say_what_they_do_not_inherit)
{
	struct base_buffer text = { 0 };
	cr_assert_eq(read_text(MINIMAL
	                       "links = { default = { framing = \"roce\"; header = \"40B\"; min_frame = \"80B\"; gap = "
	                       "\"7B\"; }; terminal = { framing = \"none\"; }; global = { header = \"0B\"; min_frame = "
	                       "\"0B\"; gap = \"0B\"; }; };"),
	             0, "%s", message(0));
	xp_config_text(&config.net, &text);
	cr_assert_eq(read_text(text.data), 0, "%s in\n%s", message(0), text.data);
	const struct net_framing *terminal = &config.net.link_terminal.framing;
	cr_assert_eq(config.net.nlinks, 1u);
	const struct net_framing *global = &config.net.links[0].link.framing;
	cr_expect(terminal->preset == NET_FRAMING_NONE && terminal->header == 40, "%s", text.data);
	cr_expect(global->preset == NET_FRAMING_ROCE, "%s", text.data);
	cr_expect(global->header == 0 && global->min_frame == 0 && global->gap == 0, "%s", text.data);
	free(text.data);
}

Test(config, pattern_keys_stand_in_the_entry)
{
	cr_assert_eq(
	    read_text("topology = { kind = \"dragonfly\"; p = 2; a = 4; h = 2; };"
	              "traffic = ( { load = 0.5; pattern = \"adversarial\"; offset = 4; packet = ( \"64B\", \"1KiB\" );"
	              "weight = [ 3, 1 ]; }, { load = 0.1; } );"),
	    0, "%s", message(0));
	const struct net_job *j = &config.net.jobs[0];
	const struct base_param *p = j->pattern.plugin->params;
	while (strcmp(p->name, "offset"))
		p++;
	cr_assert_eq(*(const int64_t *)(const void *)((const char *)j->pattern.params + p->offset), 4);
	cr_assert(j->packet.n == 2 && j->packet.v[1] == 1024 && j->weight.n == 2 && j->weight.v[0] == 3);
	cr_assert_str_eq(config.net.jobs[1].name, "job1");
}

Test(config, places_of_errors)
{
	cr_assert_neq(read_text("seed = -1;\ntopology =\n{\n  kind = \"slimfly\";\n  q = \"5\";\n};\n"
	                        "traffic = ( { load = 0.5; },\n { load = 3.0; } );\n"),
	              0);
	cr_assert_eq(errors.errors, 3u);
	cr_assert_str_eq(message(0), "t.cfg:1: seed: -1 is out of range: at least 0");
	cr_assert_str_eq(message(1), "t.cfg:5: topology.q: must be a whole number, not \"5\"");
	cr_assert_str_eq(message(2), "t.cfg:8: traffic.[1].load: 3.0 is out of range: 0 to 1");
}

Test(config, set_beats_the_file)
{
	static const char *const sets[] = { "topology.q=7",
		                            "traffic=({load=0.1;},{load=0.1;})",
		                            "traffic[0].load=0.25",
		                            "traffic.[1].load=0.5",
		                            "seed=5000000000",
		                            "switch.vcs=auto",
		                            "links.global.latency=2us",
		                            "traffic.[0].packet=64B,128B" };
	cr_assert_eq(read_sets(MINIMAL, sets, 8), 0, "%s", message(0));
	cr_assert_eq(config.net.seed, 5000000000u, "a seed beyond 32 bits");
	cr_assert(config.net.njobs == 2 && config.net.jobs[0].load == 0.25 && config.net.jobs[1].load == 0.5);
	cr_assert_eq(config.net.links[0].link.latency, 2000000u);
	cr_assert_eq(config.net.jobs[0].packet.n, 2u);
}

Test(config, set_says_where)
{
	static const char *const sets[] = { "topology.q=x", "traffic.[7].load=1", "nonsense",
		                            "seed=99999999999999999999" };
	cr_assert_neq(read_sets(MINIMAL, sets, 4), 0);
	cr_assert_eq(errors.errors, 4u);
	cr_assert_str_eq(message(0),
	                 "--set traffic.[7].load=1: there is no entry [7]: the list has 1; to make it longer, set the "
	                 "whole list, as in --set 'traffic=( ..., ... )'");
	cr_assert_str_eq(message(1), "--set nonsense: must have the form PATH=VALUE, as in topology.q=5");
	cr_assert_str_eq(message(2), "--set seed=99999999999999999999: \"99999999999999999999\" does not fit 64 bits");
	cr_assert_str_eq(message(3), "--set topology.q=x: \"x\" is not a whole number");
}

/* libconfig itself would read 2^32 + 1 as 1. */
Test(config, numbers_are_never_cut)
{
	cr_assert_neq(read_text("seed = 4294967297;\n" MINIMAL), 0);
	cr_assert(strstr(message(0), "t.cfg:1: 4294967297 needs the suffix L"), "%s", message(0));
	cr_assert_eq(read_text("seed = 4294967297L;\n" MINIMAL), 0);
	cr_assert_eq(config.net.seed, 4294967297u);
	cr_assert_neq(read_text("seed = 0xFFFFFFFF;\n" MINIMAL), 0);
	cr_assert_eq(read_text("seed = 0xFF; # 4294967297\n" MINIMAL
	                       "output = { file = \"4294967297.jsonl\"; }; /* 9999999999 */"),
	             0, "%s", message(0));
	cr_assert_eq(config.net.seed, 255u);
}

/* Resolved text reads back to the same text, whatever is configured. */
static void round_trip(const char *const *sets, size_t nsets)
{
	struct base_buffer first = { 0 }, second = { 0 };
	cr_assert_eq(read_sets(MINIMAL, sets, nsets), 0, "%s", message(0));
	xp_config_text(&config.net, &first);
	cr_assert_eq(read_text(first.data), 0, "%s in\n%s", message(0), first.data);
	xp_config_text(&config.net, &second);
	cr_assert_str_eq(first.data, second.data);
	free(first.data);
	free(second.data);
}

Test(config, round_trip)
{
	static const char *const odd[] = {
		"traffic=({load=0.5;},{load=0.1;pattern=\"hotspot\";})",
		"traffic.[0].name=\"quote \\\" back\\\\slash \\t tab\"",
		"output.file=\"ä ö.jsonl.gz\"",
		"seed=9223372036854775807",
		"time.warmup=2.5ns",
		"traffic.[0].load=0.333333333333333314829616256247",
		"switch.buffer=64KiB",
		"traffic.[0].packet=[\"64B\",\"1.5KiB\"]",
		"classes=({name=\"a\";})",
		"routing={kind=\"ugal-l\";}",
		"record.timeline=2us",
		"engine.stress=3",
	};
	round_trip(NULL, 0);
	round_trip(odd, sizeof odd / sizeof *odd);
	static const char *const torus[] = { "topology={kind=\"torus\";dims=[4,4,2];wrap=[true,false,true];}" };
	round_trip(torus, 1);
}

/* Every default of every table is a value that the table itself accepts. */
Test(config, tables_are_sound)
{
	for (const struct xp_section *s = xp_sections; s->path; s++) {
		char *room = base_alloc(sizeof(struct net_config) + sizeof(struct net_job));
		cr_assert_eq(base_params_defaults(s->table, room, &errors), 0, "%s: %s", s->path, message(0));
		base_params_free(s->table, room);
		free(room);
	}
	for (size_t i = 0; i < registry.n; i++) {
		const struct base_plugin *p = registry.v[i];
		char *params = base_alloc(p->params_bytes);
		cr_assert_eq(base_params_defaults(p->params, params, &errors), 0, "%s: %s", p->name, message(0));
		base_params_free(p->params, params);
		free(params);
		for (const struct base_param *row = p->params; row && row->name; row++)
			cr_assert(row->help && *row->help, "%s.%s has no help", p->name, row->name);
		cr_assert(p->summary && *p->summary, "%s has no summary", p->name);
	}
}

/* Keys of patterns and injections share an entry with the fixed ones: no two may have one name. */
Test(config, entry_keys_are_distinct)
{
	const struct xp_section *traffic = xp_sections;
	while (strcmp(traffic->path, "traffic"))
		traffic++;
	for (size_t i = 0; i < registry.n; i++) {
		const struct base_plugin *p = registry.v[i];
		if (strcmp(p->kind, "pattern") && strcmp(p->kind, "injection"))
			continue;
		for (const struct base_param *row = p->params; row && row->name; row++) {
			for (const struct base_param *fixed = traffic->table; fixed->name; fixed++)
				cr_assert_str_neq(row->name, fixed->name, "%s", p->name);
			for (size_t k = 0; k < registry.n; k++) {
				const struct base_plugin *q = registry.v[k];
				if (strcmp(q->kind, !strcmp(p->kind, "pattern") ? "injection" : "pattern"))
					continue;
				for (const struct base_param *other = q->params; other && other->name; other++)
					cr_assert_str_neq(row->name, other->name, "%s and %s", p->name, q->name);
			}
		}
	}
}

/* Bytes changed, lost and doubled: an error or a success, never a crash (the sanitizer presets watch). */
Test(config, random_damage)
{
	static const char text[] =
	    "seed = 7;\ntime = { warmup = \"20us\"; drain = true; };\n"
	    "topology = { kind = \"torus\"; dims = [8, 8]; };\nlinks = { global = { latency = \"1us\"; }; };\n"
	    "classes = ( { name = \"a\"; } );\nrecord = { timeline = \"2us\"; }; # end\n"
	    "traffic = ( { load = 0.5; packet = ( \"64B\", \"256B\" ); class = \"a\"; } );\n";
	static const char spice[] = "{}()[]=;,\"#@/*.\\-0919eLx \n\t\001\377aq";
	uint64_t x = 88172645463325252u;
	for (int i = 0; i < 4000; i++) {
		char damaged[sizeof text + 64];
		memcpy(damaged, text, sizeof text);
		size_t n = sizeof text - 1;
		for (int k = 0; k < 1 + i % 6; k++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			size_t at = (size_t)(x >> 20) % n;
			char c = spice[(x >> 8) % (sizeof spice - 1)];
			if (x % 3 == 0) {
				memmove(damaged + at, damaged + at + 1, n - at);
				n--;
			} else if (x % 3 == 1) {
				memmove(damaged + at + 1, damaged + at, n - at + 1);
				damaged[at] = c;
				n++;
			} else {
				damaged[at] = c;
			}
		}
		xp_config_free(&config);
		base_errors_free(&errors);
		int status = xp_config_parse(&config, damaged, n, "t.cfg", NULL, NULL, XP_WHOLE, &registry, &errors);
		cr_assert_eq(status != 0, errors.errors != 0);
		for (size_t k = 0; k < errors.n; k++)
			cr_assert_null(strpbrk(message(k), "\n\t\001"), "one line an error: %s", message(k));
	}
}
