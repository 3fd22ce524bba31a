/* tests/experiments/config/every_key.h - every key has an effect, or is refused by name where it has none.
 *
 * The keys are those of the program's own tables: of each fixed section, and of the plug-ins that a configuration
 * chooses. Every shipped configuration, made small, is run with two other values of every key; each changes the digest,
 * the summary, a record or what the engine says of itself, or is refused by an error of that very key. So are the keys
 * of every other plug-in, in a small network that chooses it. What this cannot derive is in every_key_tables.h: values
 * of keys that no type tells, what a key needs beside it, and the few exceptions. The test prints how many pairs of key
 * and value were judged, and how. */
#ifndef TESTS_EXPERIMENTS_CONFIG_EVERY_KEY_H
#define TESTS_EXPERIMENTS_CONFIG_EVERY_KEY_H

#include "base/memory.h"
#include "base/units.h"
#include "experiments/config/schema.h"
#include "experiments/results/log.h"
#include "tests/experiments/config/every_key_tables.h"
#include "tests/network/fixture.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <unistd.h>

#define SETS 24
#define TEXT 256

struct sets {
	char v[SETS][TEXT];
	size_t n;
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
	base_buffer_printf(out, "processed %llu rolled back %llu windows %llu rounds %llu\n",
	                   (unsigned long long)c->events_processed, (unsigned long long)c->rollbacks,
	                   (unsigned long long)c->windows, (unsigned long long)c->gvt_rounds);
}

/* Reads the log, then the names of all files that output.file and output.csv ask for. */
static void write_results(struct net *net, const struct xp_run_facts *facts, struct base_buffer *out)
{
	char folder[] = "/tmp/tilefly-effect-XXXXXX", path[64], name[512];
	const struct net_output *output = &facts->config->output;
	bool file = output->file && *output->file;
	cr_assert(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/log.jsonl", folder);
	cr_assert_eq(xp_log_write(path, net, facts, facts->config), 0);
	read_log(path, facts->result, out);
	unlink(path);
	if (file) {
		snprintf(name, sizeof name, "%s/%s", folder, output->file);
		cr_assert_eq(xp_log_write(name, net, facts, facts->config), 0);
		if (output->csv)
			cr_assert_eq(xp_csv_write(name, net, facts, facts->config), 0);
	}
	struct dirent **entries;
	int n = scandir(folder, &entries, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		base_buffer_printf(out, "%s\n", entries[i]->d_name);
		snprintf(name, sizeof name, "%s/%s", folder, entries[i]->d_name);
		unlink(name);
		free(entries[i]);
	}
	free(entries);
	rmdir(folder);
}

enum how { RAN, REFUSED, BLAMED }; /* BLAMED: with the key's name */

/* Is the error that of this key? Of a class of links that there is none of, the class is named. */
static bool blames(const struct base_error *e, const char *key)
{
	size_t length = strlen(e->key);
	return !e->warning && (!strcmp(e->key, key) || (!strncmp(key, "links.", 6) && !strncmp(key, e->key, length) &&
	                                                key[length] == '.' && strchr(e->key, '.')));
}

/* `key`: the whole path of the one that is tried. */
static enum how run(const char *text, const struct sets *sets, const char *key, bool engine, struct base_buffer *out)
{
	struct netrun x = { 0 };
	const char *v[SETS];
	enum how how = RAN;
	struct xp_alone *alone = NULL;
	for (size_t i = 0; i < sets->n; i++)
		v[i] = sets->v[i];
	base_buffer_write(out, "", out->n = 0);
	xp_register_builtin(&x.registry);
	if (!xp_config_parse(&x.config, text, strlen(text), "test", NULL, &(struct xp_sets){ .v = v, .n = sets->n },
	                     XP_WHOLE, &x.registry, &x.errors)) {
		struct net_setup setup = { .config = &x.config.net,
			                   .registry = &x.registry,
			                   .build_traffic = wl_build,
			                   .destroy_traffic = wl_destroy };
		alone = base_calloc(x.config.net.njobs, sizeof *alone);
		xp_alone_run(&setup, alone, NULL, NULL, &x.errors);
		x.net = net_create(&setup, &x.errors);
	}
	if (!x.net) {
		how = REFUSED;
		for (size_t i = 0; i < x.errors.n; i++) {
			base_buffer_printf(out, "%s: %s\n", x.errors.v[i].key, x.errors.v[i].text);
			if (blames(&x.errors.v[i], key))
				how = BLAMED;
		}
	} else {
		netrun_go(&x);
		struct xp_run_facts facts = { .config = &x.config.net,
			                      .result = x.r,
			                      .topo = net_topo(x.net),
			                      .errors = &x.errors,
			                      .alone = alone };
		topo_quick_facts(facts.topo, &facts.facts);
		write_results(x.net, &facts, out);
		if (engine)
			engine_report(&x.r->counters, out);
	}
	free(alone);
	netrun_free(&x);
	return how;
}

/* --- values
 * ------------------------------------------------------------------------------------------------------------ */

static uint64_t packet_bytes; /* of the configuration at hand */

static void quantity(const struct base_param *p, uint64_t now, unsigned which, char *out, size_t room)
{
	enum base_type type = p->type == BASE_AUTO_TIME ? BASE_TIME : p->type == BASE_AUTO_SIZE ? BASE_SIZE : p->type;
	if (type != p->type && now == UINT64_MAX) /* auto */
		now = 0;
	uint64_t v = which ? now / 2 : 2 * now;
	if (type == BASE_SIZE && strstr(p->name, "buffer")) /* a few packets */
		v = (which ? 9 : 5) * packet_bytes;
	else if (!now)
		v = type == BASE_TIME   ? (which ? 100000 : 300000)
		    : type == BASE_SIZE ? (which ? 2400 : 5000)
		                        : 50000000000;
	base_print_quantity(type, v, out, room);
}

static bool other_choice(const struct base_param *p, const void *params, const char *choices, unsigned which, char *out,
                         size_t room)
{
	char now[TEXT];
	base_param_print(p, params, now, sizeof now);
	for (int i = 0; base_choice_name(choices, i, out, room); i++)
		if (strcmp(out, now) != 0 && (p->default_value == NULL || strcmp(out, p->default_value) != 0) &&
		    !which--)
			return true;
	return false;
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
	case BASE_ENUM:
		return other_choice(p, params, p->choices, which, out, room);
	case BASE_PLUGIN: {
		struct base_registry registry = { 0 };
		xp_register_builtin(&registry);
		char *choices = base_plugin_choices(&registry, p->unit, p->choices);
		bool found = other_choice(p, params, choices, which, out, room);
		free(choices);
		base_registry_free(&registry);
		return found;
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
	case BASE_AUTO_TIME:
	case BASE_AUTO_SIZE:
	case BASE_TIME:
	case BASE_RATE:
	case BASE_SIZE:
		quantity(p, *(const uint64_t *)field, which, out, room);
		return true;
	case BASE_STRING: /* given */
	case BASE_PERCENT:
	case BASE_MEASURE:
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
	unsigned runs;
};

static struct {
	unsigned changed, refused, excepted;
} judged;                                                     /* pairs of a key and a value, of all studies */
static unsigned used[sizeof exceptions / sizeof *exceptions]; /* how often each was needed */
static bool tried[sizeof given / sizeof *given];              /* in the surroundings that it gives */

static const struct exception *exception_for(const struct study *s, const char *path, const char *value)
{
	for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++) {
		const struct exception *e = &exceptions[i];
		if (!strcmp(e->path, path) && (!e->where || !strcmp(e->where, s->name)) &&
		    (!e->value || !strcmp(e->value, value)))
			return e;
	}
	return NULL;
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
		bool plain = !strcmp(value, "true") || !strcmp(value, "false") ||
		             strspn(value, "0123456789.e-") == strlen(value);
		const char *quote = plain ? "" : "\"";
		snprintf(all, sizeof all, "({ %s = %s%s%s; })", key, quote, value, quote);
		add(sets, "classes", all);
		return;
	}
	snprintf(path, sizeof path, "%s%s%s%s", section, !strcmp(section, "traffic") ? ".[0]" : "", *section ? "." : "",
	         key);
	add(sets, path, value);
}

/* The path in errors: "traffic" "load" -> "traffic.[0].load". */
static void error_path(const char *section, const char *key, char *out, size_t room)
{
	bool list = !strcmp(section, "traffic") || !strcmp(section, "classes");
	snprintf(out, room, "%s%s%s%s", section, list ? ".[0]" : "", *section ? "." : "", key);
}

/* One value: it acts, or is refused by name, or is a known exception. */
static void judge(struct study *s, const char *path, const char *value, bool acts, enum how how, const char *said)
{
	const struct exception *e = acts || how == BLAMED ? NULL : exception_for(s, path, value);
	s->runs++;
	if (acts) {
		judged.changed++;
	} else if (how == BLAMED) {
		judged.refused++;
	} else if (e) {
		judged.excepted++;
		used[e - exceptions]++;
	} else {
		cr_expect(false, "%s: %s = %s %s", s->name, path, value, how == REFUSED ? said : "changes nothing");
	}
}

/* The run that values are compared with, in the surroundings of the test's own; in the study's own if these are not to
 * be had there. */
static enum how run_before(const struct study *s, const char *blamed, bool engine, const struct given *row,
                           struct sets *base, struct base_buffer *before)
{
	*base = s->sets;
	for (int k = 0; row && k < WITH && row->with[k]; k++)
		add(base, row->with[k], "");
	enum how how = run(s->text, base, blamed, engine, before);
	if (row)
		tried[row - given] |= how == RAN || row->permits;
	if (how == RAN || (row && row->permits))
		return how;
	cr_expect(!row || !row->where, "%s: %s cannot be tried as it is given: %s", s->name, blamed, before->data);
	*base = s->sets;
	how = run(s->text, base, blamed, engine, before);
	cr_assert_eq(how, RAN, "%s: %s", s->name, before->data);
	return how;
}

static void try_key_with(struct study *s, const char *section, const struct base_param *p, const void *params,
                         const struct given *row)
{
	char path[TEXT], blamed[TEXT], value[TEXT];
	struct base_buffer before = { 0 }, after = { 0 };
	struct sets base;
	bool engine = !strcmp(section, "engine"), listed = row && row->value[0];
	snprintf(path, sizeof path, "%s%s%s", section, *section ? "." : "", p->name);
	error_path(section, p->name, blamed, sizeof blamed);
	enum how was = run_before(s, blamed, engine, row, &base, &before);
	for (unsigned which = 0; which < 2 && (!listed || row->value[which]); which++) {
		if (listed)
			snprintf(value, sizeof value, "%s", row->value[which]);
		else if (!other_value(p, params, which, value, sizeof value)) {
			cr_expect(which || p->type == BASE_ENUM || p->type == BASE_PLUGIN,
			          "%s: give two values of a %s", path, xp_param_type_text(p));
			break;
		}
		struct sets changed = base;
		for (int k = 0; row && k < WITH && row->also[k]; k++)
			add(&changed, row->also[k], "");
		set_key(&changed, section, p->name, value);
		enum how how = run(s->text, &changed, blamed, engine, &after);
		bool acts = row && row->permits ? (was == RAN) != (how == RAN)
		                                : how == RAN && strcmp(before.data, after.data) != 0;
		judge(s, path, value, acts, how, after.data);
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
	for (int own = 1; own >= 0 && !is_given; own--) /* rows of this study come before those of all */
		for (size_t i = 0; i < sizeof given / sizeof *given; i++)
			if (!strcmp(given[i].path, path) && !given[i].where == !own &&
			    (!own || strstr(s->name, given[i].where))) {
				is_given = true;
				try_key_with(s, section, p, params, &given[i]);
			}
	if (!is_given)
		try_key_with(s, section, p, params, NULL);
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
	cr_assert_eq(xp_config_parse(&x.config, s->text, strlen(s->text), s->name, NULL,
	                             &(struct xp_sets){ .v = v, .n = s->sets.n }, XP_WHOLE, &x.registry, &x.errors),
	             0, "%s: %s: %s", s->name, x.errors.n ? x.errors.v[0].key : "", netrun_error(&x));
	const char *net = (const char *)&x.config.net;
	packet_bytes = (uint64_t)x.config.net.jobs[0].packet.v[0];
	for (const struct xp_section *section = xp_sections; section->path; section++) {
		const char *base = net + section->offset;
		if (!strcmp(section->path, "layout") || !strcmp(section->path, "cost"))
			continue; /* what they are for is tilefly cost: tests/cli/cost.sh */
		if (!strcmp(section->path, "links.override"))
			continue; /* no study has such cables: tests/cli/cables.sh */
		if (!strcmp(section->path, "failures"))
			continue; /* nor failures: tests/network/test_links.c */
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

static const struct {
	const char *kind, *text;
} small_topologies[] = {
	{ "slimfly", "{ kind = \"slimfly\"; q = 5; endpoints = 2; }" },
	{ "dragonfly", "{ kind = \"dragonfly\"; p = 2; a = 4; h = 1; }" },
	{ "torus", "{ kind = \"torus\"; dims = [4, 4]; endpoints = 2; }" },
	{ "dragonfly-plus", "{ kind = \"dragonfly-plus\"; p = 2; leaves = 2; spines = 2; h = 2; }" },
	{ "fattree", "{ kind = \"fattree\"; k = 4; }" },
	{ "hyperx", "{ kind = \"hyperx\"; dims = [3, 3]; endpoints = 2; }" },
	{ "jellyfish", "{ kind = \"jellyfish\"; switches = 10; degree = 4; endpoints = 2; }" },
	{ "kary-ntree", "{ kind = \"kary-ntree\"; k = 2; n = 3; }" },
	{ "mlfm", "{ kind = \"mlfm\"; h = 4; }" },
	{ "oft", "{ kind = \"oft\"; k = 4; }" },
	{ "polarfly", "{ kind = \"polarfly\"; q = 4; endpoints = 2; }" },
	{ "polarstar", "{ kind = \"polarstar\"; q = 2; degree = 3; endpoints = 1; }" },
	{ "bundlefly", "{ kind = \"bundlefly\"; q = 3; supernode = 5; endpoints = 1; }" },
	{ "hammingmesh", "{ kind = \"hammingmesh\"; board = [2,2]; boards = [2,2]; }" },
	{ "spectralfly", "{ kind = \"spectralfly\"; p = 3; q = 5; endpoints = 1; }" },
};

/* A network of the same kind that takes milliseconds. */
static void make_small(struct study *s)
{
	struct netrun x = { 0 };
	xp_register_builtin(&x.registry);
	cr_assert_eq(
	    xp_config_parse(&x.config, s->text, strlen(s->text), s->name, NULL, NULL, XP_WHOLE, &x.registry, &x.errors),
	    0, "%s: %s", s->name, netrun_error(&x));
	const char *kind = x.config.net.topology.plugin->name;
	add(&s->sets, "time.warmup", "300ns");
	add(&s->sets, "time.measure", "900ns");
	add(&s->sets, "traffic.[0].load", "0.8");
	if (x.config.net.jobs[0].packet.v[0] > 1024) /* else hardly any arrive in that time */
		add(&s->sets, "traffic.[0].packet", "512B");
	const char *small = "{ kind = \"single\"; ports = 8; }";
	for (size_t i = 0; i < sizeof small_topologies / sizeof *small_topologies; i++)
		if (!strcmp(kind, small_topologies[i].kind))
			small = small_topologies[i].text;
	add(&s->sets, "topology", small);
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

#define SMALL(topology, more)                                                                                        \
	"time = { warmup = \"300ns\"; measure = \"2us\"; }; topology = { " topology " }; traffic = ( { load = 0.9; " \
	"packet = \"256B\"; " more " } );"
#define DRAGONFLY "kind = \"dragonfly\"; p = 2; a = 4; h = 2;"
#define RINGS "kind = \"torus\"; dims = [4, 4]; endpoints = 2;"
#define LINES "kind = \"hyperx\"; dims = [4,4]; endpoints = 3;"
#define TREES "kind = \"fattree\"; k = 4; levels = 3;"
#define SINGLE "kind = \"single\"; ports = 8;"

/* Writes what the routing `table` or the pattern `matrix` reads: the minimal routes of TREES, or rates of the endpoints
 * of DRAGONFLY. `file` is a template of mkstemp(). */
static inline void write_file(char *file, bool table)
{
	char command[3 * TEXT];
	int fd = mkstemp(file);
	cr_assert_geq(fd, 0);
	if (table) {
		close(fd);
		snprintf(command, sizeof command,
		         "%s topo - --set 'topology={" TREES "}' --routes %s >/dev/null </dev/null", TILEFLY_PROGRAM,
		         file);
		cr_assert_eq(system(command), 0, "%s", command);
		return;
	}
	FILE *out = fdopen(fd, "w");
	fprintf(out, "source,destination,rate\n");
	for (unsigned i = 0; i < 9; i++) /* as many as there are groups */
		fprintf(out, "%u,%u,0.%u\n", i, (i + 4) % 9, 1 + i % 3);
	cr_assert_eq(fclose(out), 0);
}

/* Those that no shipped configuration chooses. */
static inline void try_others(void)
{
	static const struct {
		const char *kind, *set, *text;
	} others[] = {
		{ "switch", "switch={kind=\"tiled\"; preset=\"yarc\";}", SMALL(SINGLE, "") },
		{ "switch", "switch={kind=\"tiled\"; speedup=1.3; row_buffer=\"2KiB\";}", SMALL(DRAGONFLY, "") },
		{ "switch", "switch={kind=\"crossbar\"; inputs=\"voq\"; allocator=\"islip\";}", SMALL(SINGLE, "") },
		{ "switch", "switch={kind=\"crossbar\"; inputs=\"fifo\"; allocator=\"wavefront\";}",
		  SMALL(SINGLE, "") },
		{ "topology",
		  "topology={kind=\"edges\"; file=\"" TILEFLY_TEST_DATA "/topo/mms_q5_edges.txt.gz\"; endpoints=2;}",
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
		bool table = !strcmp(p->name, "table"), matrix = !strcmp(p->name, "matrix");
		bool rings = !strcmp(p->name, "minimal-adaptive"), lines = strstr(p->name, "war") != NULL;
		bool trees = !strcmp(p->name, "ecmp") || !strcmp(p->name, "spray") || table;
		struct study s = { .name = p->name,
			           .text = rings   ? SMALL(RINGS, "")
			                   : trees ? SMALL(TREES, "")
			                   : lines ? SMALL(LINES, "")
			                           : SMALL(DRAGONFLY, "") };
		add(&s.sets,
		    routing   ? "routing.kind"
		    : pattern ? "traffic.[0].pattern"
		              : "traffic.[0].injection",
		    p->name);
		if (routing)
			add(&s.sets, "traffic.[0].pattern", "worst-case");
		char file[] = "/tmp/every_key.XXXXXX";
		if (table || matrix) {
			write_file(file, table);
			add(&s.sets, table ? "routing.file" : "traffic.[0].file", file);
			add(&s.sets, "traffic.[0].load", "0.5");
		}
		try_all(&s, p->kind);
		if (table || matrix)
			unlink(file);
	}
	base_registry_free(&registry);
}

/* At the end of a test; all: of one that tries every study, so that an exception without a use is a stale one. */
static inline void report_judged(bool all)
{
	size_t n = sizeof exceptions / sizeof *exceptions;
	printf("%u pairs of key and value: %u change something, %u are refused, %u are excepted by %zu entries\n",
	       judged.changed + judged.refused + judged.excepted, judged.changed, judged.refused, judged.excepted, n);
	for (size_t i = 0; all && i < sizeof given / sizeof *given; i++)
		cr_expect(tried[i], "what is given for %s is never to be had", given[i].path);
	for (size_t i = 0; all && i < n; i++)
		cr_expect(used[i], "an exception without a use: %s = %s%s%s", exceptions[i].path,
		          exceptions[i].value ? exceptions[i].value : "any", exceptions[i].where ? " of " : "",
		          exceptions[i].where ? exceptions[i].where : "");
}

#endif
