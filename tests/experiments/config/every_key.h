/* tests/experiments/config/every_key.h - every key has an effect, or is refused by name where it has none.
 *
 * The keys are those of the program's own tables: of each fixed section, and of the plug-ins that a configuration
 * chooses. Every shipped configuration, made small, is run with two other values of every key; each changes the digest,
 * the summary, a record or what the engine says of itself, or is refused with the key's name. So are the keys of every
 * other plug-in, in a small network that chooses it. `exceptions` lists what may do nothing, each with its reason;
 * `given` the values of keys that no type tells (names, lists), and what they need beside them. */
#ifndef TESTS_EXPERIMENTS_CONFIG_EVERY_KEY_H
#define TESTS_EXPERIMENTS_CONFIG_EVERY_KEY_H

#include "base/memory.h"
#include "base/units.h"
#include "experiments/config/schema.h"
#include "experiments/results/log.h"
#include "tests/network/fixture.h"

#include <criterion/criterion.h>
#include <unistd.h>

#define SETS 24
#define TEXT 256
#define WITH 5 /* settings beside a key */

struct sets {
	char v[SETS][TEXT];
	size_t n;
};

/* --- reviewed by hand ------------------------------------------------------------------------------------------------
 */

static const struct {
	const char *path;       /* of a key */
	const char *with[WITH]; /* what is set beside it, before and after */
	const char *value[2];   /* NULL: by its type */
} given[] = {
	{ "topology.dims", { NULL }, { "[4,2]", "[3,5]" } },
	{ "topology.wrap", { "routing.deadlock=dateline", NULL }, { "false", "[false,true]" } },
	{ "topology.q", { NULL }, { "3", "7" } },
	{ "topology.file", { NULL }, { "no-such-file", "nor-this" } },
	{ "topology.rows", { "topology.a=8", NULL }, { "2", "4" } },
	{ "topology.columns", { "topology.a=8", NULL }, { "2", "4" } },
	{ "topology.ports", { NULL }, { "6", "9" } },
	{ "topology.trunk", { NULL }, { "2", "3" } },
	{ "topology.black", { "topology.a=6", "topology.rows=2" }, { "2", "3" } },
	{ "switch.vcs", { NULL }, { "3", "5" } },
	{ "switch.requests", { "traffic.[0].load=1.0", "switch.grant_limit=1B" }, { "1", "2" } },
	{ "switch.grant_limit", { "traffic.[0].load=1.0", "traffic.[0].pattern=incast" }, { "1B", "600B" } },
	{ "switch.grant_arbiter", { "traffic.[0].load=1.0", "traffic.[0].pattern=incast" }, { NULL } },
	{ "switch.crossbar_arbiter", { "traffic.[0].load=1.0", "traffic.[0].pattern=incast" }, { NULL } },
	{ "switch.bus_arbiter", { "traffic.[0].load=1.0", "traffic.[0].pattern=incast" }, { NULL } },
	{ "switch.allocator", { "traffic.[0].load=1.0", NULL }, { NULL } },
	{ "routing.deadlock", { "switch.buffer=2300B", "traffic.[0].load=1.0" }, { NULL } },
	{ "routing.hold", { NULL }, { "20ns", "100ns" } },
	{ "routing.minimal", { "topology.trunk=2", NULL }, { "1", "1" } },
	{ "topology.g", { NULL }, { "3", "4" } },
	{ "switch.weights", { "switch.arbiter=weighted", NULL }, { "[1,9]", "[7,1,1]" } },
	{ "switch.iterations", { "traffic.[0].load=1.0", NULL }, { NULL } },
	{ "traffic.name", { NULL }, { "one", "other" } },
	{ "traffic.class", { "classes=({name=\"a\";},{name=\"b\";})", NULL }, { "b", "none" } },
	{ "traffic.nodes", { NULL }, { "4", "0-5" } },
	{ "traffic.allocation", { "traffic.[0].nodes=4", NULL }, { NULL } },
	{ "traffic.weight", { "traffic.[0].packet=(\"64B\",\"128B\")", NULL }, { "[1,9]", "[5,1]" } },
	{ "traffic.packet", { NULL }, { "16B", "32B" } },
	{ "traffic.message", { NULL }, { "1000B", "40B" } },
	{ "traffic.stop", { NULL }, { "300ns", "700ns" } },
	{ "traffic.targets", { "traffic.[0].pattern=hotspot", NULL }, { "[1]", "[2,3]" } },
	{ "traffic.burst", { NULL }, { "2", "64" } },
	{ "classes.name", { NULL }, { "one", "other" } },
	{ "record.activity", { "record.timeline=200ns", NULL }, { NULL } },
	{ "record.switches", { "record.switch=true", NULL }, { "0-1", "0" } },
	{ "output.csv", { "output.file=never-written.jsonl.gz", NULL }, { NULL } },
	{ "output.file", { NULL }, { "never-written.jsonl.gz", "nor-this.jsonl" } },
	{ "engine.optimism", { "engine.stress=20", NULL }, { "1", "2" } },
	{ "engine.gvt_interval", { "engine.stress=20", NULL }, { "4", "9" } },
	{ "engine.stress", { NULL }, { "10", "40" } },
	{ "engine.window", { NULL }, { "7ns", "300ns" } },
	{ "plugins", { NULL }, { "no-such-file.so", "nor-this.so" } },
	{ "time.warmup", { NULL }, { "100ns", "500ns" } },
	{ "time.warmup", { "time.measure=auto", "time.precision=5%" }, { "auto", "2us" } },
	{ "time.precision",
	  { "time.measure=auto", "time.limit=60us", "time.precision=20%", "traffic.[0].load=0.4" },
	  { "0.2%", "0.5%" } },
	{ "time.limit", { NULL }, { "1us", "20us" } },
	{ "time.limit",
	  { "time.measure=auto", "time.precision=0.05%", "time.limit=15us", "traffic.[0].load=0.4" },
	  { "5us", "50us" } },
	{ "engine.threads", { NULL }, { "2", "3" } },
	{ "routing.bias", { "traffic.[0].load=1.0", NULL }, { "1KB", "100KB" } },
};

static const struct {
	const char *path, *value; /* value NULL: any */
	const char *reason;
} exceptions[] = {
	{ "output.file", NULL, "where the result goes: tests/cli/run.sh" },
	{ "output.csv", NULL, "the tables beside it: tests/cli/run.sh" },
	{ "engine.partition", NULL, "by kind: there is nothing to part on one rank. tests/mpi/mpi_network.c" },
	{ "engine.balance", NULL, "by kind: there is no other rank to help. tests/mpi/mpi_network.c" },
	{ "engine.audit", NULL, "a proof: it fails or changes nothing. tests/sim" },
	{ "engine.sync", "sequential", "says what auto takes on one rank" },
	{ "engine.gvt_interval", NULL, "by kind: on one rank there is no round to wait for. tests/mpi/mpi_network.c" },
	{ "routing.unsafe", NULL, "a permission, of which a sound network makes no use" },
	{ "topology.group", "full", "says what auto takes" },
	{ "topology.group", "grid", "says what auto takes where rows are given" },
	{ "topology.preset", NULL, "numbers given beside it replace its own: tests/topo/test_dragonfly.c" },
	{ "topology.rows", "2", "a group of this shape already" },
	{ "switch.rows", NULL, "a small network uses one row of a large switch" },
	{ "switch.columns", NULL, "a small network uses few columns of a large switch" },
	{ "switch.ports_per_tile", NULL, "a small network uses few tiles of a large switch" },
	{ "switch.queues", NULL, "says what the preset says" },
	{ "switch.grants", NULL, "says what the preset says" },
	{ "switch.arbiter", "weighted", "with equal weights: round-robin" },
	{ "switch.grant_arbiter", NULL, "with few ports: whose turn it is does not matter. tests/switch/test_tiled.c" },
	{ "switch.bus_arbiter", NULL, "likewise" },
	{ "switch.crossbar_arbiter", NULL, "likewise" },
	{ "switch.column_arbiter", NULL, "likewise, with one row in use" },
	{ "switch.requests", NULL, "matters under congestion only: tests/switch/test_tiled_studies.c" },
	{ "switch.grant_limit", NULL, "likewise" },
	{ "switch.output_buffer", NULL, "likewise: a large buffer is never full in a microsecond" },
	{ "switch.row_buffer", NULL, "likewise" },
	{ "switch.column_buffer", NULL, "likewise" },
	{ "switch.buffer", NULL, "likewise" },
	{ "switch.terminal_buffer", NULL, "likewise" },
	{ "switch.spread", NULL, "likewise" },
	{ "switch.allocator", NULL, "with few ports several allocators match alike: tests/switch/test_allocator.c" },
	{ "switch.flit", "16B", "a packet of 8 B is one flit of either" },
	{ "record.switches", "0", "all that a single switch has" },
	{ "links.default.bandwidth", NULL, "the same as what another class says, or faster than the crossbar" },
	{ "links.local.bandwidth", "128Gbps", "faster than the crossbar, which moves a flit of 8 B a cycle of 1 ns" },
	{ "links.global.bandwidth", "128Gbps", "likewise" },
	{ "links.global.bandwidth", "200Gbps", "likewise" },
	{ "links.local.latency", "500ps", "a crossbar's packets leave at multiples of its cycle" },
	{ "links.global.latency", "500ps", "likewise" },
	{ "links.global.latency", "100ns", "what booksim-dragonfly says" },
	{ "links.default.latency", "100ns", "the same as what another class says" },
	{ "routing.bias", "1KB", "little, for packets of 1 KiB" },
	{ "engine.window", "7ns", "as 300ns, where links have a nanosecond" },
	{ "engine.window", "300ns",
	  "by kind: wider than the lookahead only if something speculates, as auto may on several ranks" },
	{ "engine.optimism", NULL, "by kind: a rank alone waits for nobody. tests/mpi/mpi_network.c" },
	{ "topology.h", NULL, "beside g and trunk it is a limit: a wiring that needs more is refused" },
};

/* --- runs
 * -------------------------------------------------------------------------------------------------------------- */

/* The summary up to what the engine did, every record, and of the engine what does not depend on time. */
static void read_log(const char *path, const struct net_result *r, struct base_buffer *out)
{
	static char line[1 << 20];
	FILE *f = fopen(path, "r");
	cr_assert(f, "%s", path);
	while (fgets(line, sizeof line, f)) {
		if (!strncmp(line, "{\"record\":\"manifest\"", 20) || !strncmp(line, "{\"record\":\"engine\"", 18) ||
		    !strncmp(line, "{\"record\":\"end\"", 15))
			continue;
		char *engine = !strncmp(line, "{\"record\":\"summary\"", 19) ? strstr(line, "\"engine\":") : NULL;
		if (engine)
			*engine = 0;
		base_buffer_printf(out, "%s\n", line);
	}
	fclose(f);
	base_buffer_printf(out, "digest %016llx sync %s threads %d\n", (unsigned long long)r->digest, r->sync,
	                   r->threads);
}

static void engine_report(const struct sim_counters *c, struct base_buffer *out)
{
	base_buffer_printf(out, "processed %llu rolled back %llu windows %llu\n",
	                   (unsigned long long)c->events_processed, (unsigned long long)c->rollbacks,
	                   (unsigned long long)c->windows);
}

enum how { RAN, REFUSED, BLAMED }; /* BLAMED: with the key's name */

/* The last step of a path: "traffic.[0].load" -> "load". */
static const char *last(const char *path)
{
	const char *dot = strrchr(path, '.');
	return dot ? dot + 1 : path;
}

static enum how run(const char *text, const struct sets *sets, const char *key, bool engine, struct base_buffer *out)
{
	struct netrun x = { 0 };
	const char *v[SETS];
	enum how how = RAN;
	for (size_t i = 0; i < sets->n; i++)
		v[i] = sets->v[i];
	base_buffer_write(out, "", out->n = 0);
	xp_register_builtin(&x.registry);
	if (!xp_config_parse(&x.config, text, strlen(text), "test", NULL, v, sets->n, XP_WHOLE, &x.registry,
	                     &x.errors)) {
		struct net_setup setup = { .config = &x.config.net,
			                   .registry = &x.registry,
			                   .build_traffic = wl_build,
			                   .destroy_traffic = wl_destroy };
		x.net = net_create(&setup, &x.errors);
	}
	if (!x.net) {
		how = REFUSED;
		for (size_t i = 0; i < x.errors.n; i++) {
			base_buffer_printf(out, "%s: %s\n", x.errors.v[i].key, x.errors.v[i].text);
			const char *section =
			    x.errors.v[i].key; /* of links that there are none of, the class is named */
			if (strstr(section, last(key)) || strstr(x.errors.v[i].text, last(key)) ||
			    (!strncmp(section, "links.", 6) && !strncmp(key, section, strlen(section))))
				how = BLAMED;
		}
	} else {
		char path[64];
		snprintf(path, sizeof path, "/tmp/tilefly-effect.%d.jsonl", (int)getpid());
		netrun_go(&x);
		struct xp_run facts = {
			.config = &x.config.net, .result = x.r, .topo = net_topo(x.net), .errors = &x.errors
		};
		topo_quick_facts(facts.topo, &facts.facts);
		cr_assert_eq(xp_log_write(path, x.net, &facts, &x.config.net), 0);
		read_log(path, x.r, out);
		if (engine)
			engine_report(&x.r->counters, out);
		unlink(path);
	}
	netrun_free(&x);
	return how;
}

/* --- values
 * ------------------------------------------------------------------------------------------------------------ */

static uint64_t packet_bytes; /* of the configuration at hand */

static void quantity(const struct base_param *p, uint64_t now, unsigned which, char *out, size_t room)
{
	uint64_t v = which ? now / 2 : 2 * now;
	if (p->type == BASE_SIZE && strstr(p->name, "buffer")) /* a few packets */
		v = (which ? 9 : 5) * packet_bytes;
	else if (!now)
		v = p->type == BASE_TIME   ? (which ? 100000 : 300000)
		    : p->type == BASE_SIZE ? (which ? 2400 : 5000)
		                           : 50000000000;
	base_print_quantity(p->type == BASE_AUTO_TIME ? BASE_TIME : p->type, v, out, room);
}

/* The which-th other value of a key that is now `params`; false: there is none. */
static bool other_value(const struct base_param *p, const void *params, unsigned which, char *out, size_t room)
{
	const void *field = (const char *)params + p->offset;
	int64_t integer = 0;
	double real = 0;
	switch (p->type) {
	case BASE_BOOL:
		snprintf(out, room, "%s", *(const bool *)field ? "false" : "true");
		return !which;
	case BASE_ENUM: {
		char now[TEXT];
		base_param_print(p, params, now, sizeof now);
		for (int i = 0; base_choice_name(p->choices, i, out, room); i++)
			if (strcmp(out, now) != 0 && (p->standard == NULL || strcmp(out, p->standard) != 0) && !which--)
				return true;
		return false;
	}
	case BASE_INT:
	case BASE_AUTO_INT:
		integer = *(const int64_t *)field == BASE_AUTO ? (int64_t)p->min : *(const int64_t *)field;
		integer = !integer ? (which ? 5 : 3) : which ? 2 * integer + 1 : integer + 1;
		if (p->max > p->min && (double)integer > p->max)
			integer = (int64_t)p->max - 1 - which;
		snprintf(out, room, "%lld", (long long)integer);
		return true;
	case BASE_FLOAT:
		real = *(const double *)field;
		real = real > 0 ? (which ? real / 2 : real * 1.5) : p->min + (which ? 1.5 : 1);
		if (p->max > p->min && real > p->max)
			real = p->max * 0.3;
		snprintf(out, room, "%.4f", real);
		return true;
	case BASE_AUTO_TIME: /* of a key that is not auto */
	case BASE_TIME:
	case BASE_RATE:
	case BASE_SIZE:
		quantity(p, *(const uint64_t *)field, which, out, room);
		return true;
	case BASE_STRING: /* given */
	case BASE_PERCENT:
	case BASE_LENGTH:
	case BASE_INTS:
	case BASE_BOOLS:
	case BASE_SIZES:
	case BASE_FILE:
	case BASE_FILES:
		return false;
	}
	return false;
}

/* --- one key
 * ----------------------------------------------------------------------------------------------------------- */

struct study {
	const char *name, *text;
	struct sets sets;
	unsigned runs, silent;
};

static bool is_exception(const char *path, const char *value)
{
	for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
		if (!strcmp(exceptions[i].path, path) && (!exceptions[i].value || !strcmp(exceptions[i].value, value)))
			return true;
	return false;
}

static void add(struct sets *sets, const char *path, const char *value)
{
	cr_assert_lt(sets->n, (size_t)SETS);
	snprintf(sets->v[sets->n++], TEXT, "%s%s%s", path, *value ? "=" : "", value);
}

/* "traffic.load" -> where --set finds it. */
static void set_key(struct sets *sets, const char *section, const char *key, const char *value)
{
	char path[2 * TEXT], all[2 * TEXT];
	if (!strcmp(section, "classes")) {
		snprintf(all, sizeof all, "({ %s = %s%s%s; })", key, strcmp(key, "name") ? "" : "\"", value,
		         strcmp(key, "name") ? "" : "\"");
		add(sets, "classes", all);
		return;
	}
	snprintf(path, sizeof path, "%s%s%s%s", section, !strcmp(section, "traffic") ? ".[0]" : "", *section ? "." : "",
	         key);
	add(sets, path, value);
}

/* In surroundings of the test's own; values NULL: by the key's type. */
static void try_key_with(struct study *s, const char *section, const struct base_param *p, const void *params,
                         const char *const *with, const char *const *values)
{
	char path[TEXT], value[TEXT];
	struct base_buffer before = { 0 }, after = { 0 };
	struct sets base = s->sets;
	bool engine = !strcmp(section, "engine");
	snprintf(path, sizeof path, "%s%s%s", section, *section ? "." : "", p->name);
	for (int k = 0; with && k < WITH && with[k]; k++)
		add(&base, with[k], "");
	if (run(s->text, &base, path, engine, &before) != RAN) /* what it needs is not to be had here */
		base = s->sets;
	if (base.n == s->sets.n)
		cr_assert_eq(run(s->text, &base, path, engine, &before), RAN, "%s: %s", s->name, before.data);
	for (unsigned which = 0; which < 2; which++) {
		struct sets changed = base;
		if (values)
			snprintf(value, sizeof value, "%s", values[which]);
		else if (!other_value(p, params, which, value, sizeof value)) {
			cr_expect(which || p->type == BASE_ENUM, "%s: give two values of a %s", path,
			          xp_param_type_text(p->type));
			break;
		}
		set_key(&changed, section, p->name, value);
		enum how how = run(s->text, &changed, path, engine, &after);
		s->runs++;
		bool acts = how == BLAMED || (how == RAN && strcmp(before.data, after.data) != 0);
		if (!acts && !is_exception(path, value)) {
			s->silent++;
			cr_expect(false, "%s: %s = %s %s", s->name, path, value,
			          how == REFUSED ? after.data : "changes nothing");
		}
	}
	free(before.data);
	free(after.data);
}

/* `params`: its struct, as the configuration has it. */
static void try_key(struct study *s, const char *section, const struct base_param *p, const void *params)
{
	char path[TEXT];
	bool is_given = false;
	snprintf(path, sizeof path, "%s%s%s", section, *section ? "." : "", p->name);
	for (size_t i = 0; i < sizeof given / sizeof *given; i++)
		if (!strcmp(given[i].path, path)) {
			is_given = true;
			try_key_with(s, section, p, params, given[i].with, given[i].value[0] ? given[i].value : NULL);
		}
	if (!is_given)
		try_key_with(s, section, p, params, NULL, NULL);
}

static void try_table(struct study *s, const char *section, const struct base_param *table, const void *params)
{
	for (const struct base_param *p = table; p && p->name; p++)
		try_key(s, section, p, params);
}

static void try_plugin(struct study *s, const struct xp_section *section, const struct net_choice *choice)
{
	if (choice->plugin)
		try_table(s, section->path, choice->plugin->params, choice->params);
}

/* Every key that the configuration has; only: of plug-ins of this kind alone. */
static void try_all(struct study *s, const char *only)
{
	struct netrun x = { 0 };
	const char *v[SETS];
	for (size_t i = 0; i < s->sets.n; i++)
		v[i] = s->sets.v[i];
	xp_register_builtin(&x.registry);
	cr_assert_eq(xp_config_parse(&x.config, s->text, strlen(s->text), s->name, NULL, v, s->sets.n, XP_WHOLE,
	                             &x.registry, &x.errors),
	             0, "%s: %s: %s", s->name, x.errors.n ? x.errors.v[0].key : "", netrun_error(&x));
	const char *net = (const char *)&x.config.net;
	packet_bytes = (uint64_t)x.config.net.jobs[0].packet.v[0];
	for (const struct xp_section *section = xp_sections; section->path; section++) {
		const char *base = net + section->offset;
		if (section->named) {
			static const char *const classes[] = { "links.local", "links.global" };
			for (int k = 0; k < 2 && !only; k++)
				try_table(s, classes[k], section->table, &x.config.net.link_default);
			continue;
		}
		if (section->entry_bytes)
			base = *(char *const *)(const void *)base;
		if (!only)
			try_table(s, section->path, section->table, base);
		for (int i = 0; i < XP_PICKS && section->pick[i].key; i++)
			if (!only || !strcmp(section->pick[i].plugin_kind, only))
				try_plugin(s, section,
				           (const struct net_choice *)(const void *)(base + section->pick[i].offset));
	}
	netrun_free(&x);
}

/* --- the configurations
 * ------------------------------------------------------------------------------------------------ */

#define SHIPPED TILEFLY_TEST_DATA "/../../experiments/shipped/configs"

static char *read_whole(const char *path)
{
	struct base_buffer b = { 0 };
	char chunk[4096];
	FILE *f = fopen(path, "r");
	cr_assert(f, "%s", path);
	for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;)
		base_buffer_write(&b, chunk, n);
	fclose(f);
	return b.data;
}

/* A network of the same kind that takes milliseconds. */
static void make_small(struct study *s)
{
	struct netrun x = { 0 };
	xp_register_builtin(&x.registry);
	cr_assert_eq(xp_config_parse(&x.config, s->text, strlen(s->text), s->name, NULL, NULL, 0, XP_WHOLE, &x.registry,
	                             &x.errors),
	             0, "%s: %s", s->name, netrun_error(&x));
	const char *kind = x.config.net.topology.plugin->name;
	add(&s->sets, "time.warmup", "300ns");
	add(&s->sets, "time.measure", "900ns");
	add(&s->sets, "traffic.[0].load", "0.8");
	add(&s->sets, "topology",
	    !strcmp(kind, "slimfly")     ? "{ kind = \"slimfly\"; q = 5; endpoints = 2; }"
	    : !strcmp(kind, "dragonfly") ? "{ kind = \"dragonfly\"; p = 2; a = 4; h = 1; }"
	    : !strcmp(kind, "torus")     ? "{ kind = \"torus\"; dims = [4, 4]; endpoints = 2; }"
	                                 : "{ kind = \"single\"; ports = 8; }");
	netrun_free(&x);
}

/* Tries a shipped configuration, made small. */
static inline void try_shipped(const char *name)
{
	char path[600];
	snprintf(path, sizeof path, "%s/%s", SHIPPED, name);
	char *text = read_whole(path);
	struct study s = { .name = name, .text = text };
	make_small(&s);
	try_all(&s, NULL);
	cr_expect_gt(s.runs, 80u, "%s: only %u values", s.name, s.runs);
	free(text);
}

#endif
