/* tests/network/memory_draws.h - configurations drawn by a seeded generator, and how far what is foreseen of their
 * memory is from what the program has had resident at most, its results written. */
#ifndef TESTS_NETWORK_MEMORY_DRAWS_H
#define TESTS_NETWORK_MEMORY_DRAWS_H

#include "network/net.h"
#include "tests/network/units.h"

#include <fcntl.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(TILEFLY_SANITIZED)
#define DRAWS_MEASURE false /* a sanitizer has memory of its own */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DRAWS_MEASURE false
#endif
#endif
#ifndef DRAWS_MEASURE
#define DRAWS_MEASURE true
#endif

struct draws {
	uint64_t state;
};

static inline uint64_t draw_word(struct draws *d)
{
	uint64_t z = d->state += 0x9e3779b97f4a7c15ull;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static inline uint32_t draw_below(struct draws *d, uint32_t n)
{
	return (uint32_t)(draw_word(d) % n);
}

static inline double draw_between(struct draws *d, double low, double high)
{
	return low + (high - low) * (double)(draw_word(d) >> 11) * 0x1p-53;
}

#define DRAW_ONE(d, list) (list)[draw_below((d), sizeof(list) / sizeof *(list))]

/* What a topology carries, by hand: mean minimal hops, and the load of uniform traffic at which its links are full. */
struct drawn_topology {
	char text[200];
	const char *const *routing;
	uint32_t routings;
	double endpoints, hops, bound;
};

/* `large`: of an ideal switch, for which a port takes 32 bytes. Below some 30 MB pages of 2 MiB decide. */
static inline struct drawn_topology draw_slimfly(struct draws *d, bool large)
{
	static const char *const routing[] = { "kind = \"minimal\";",
		                               "kind = \"valiant\";",
		                               "kind = \"ugal-l\"; bias = \"0B\";",
		                               "kind = \"ugal-g\"; bias = \"0B\";",
		                               "kind = \"slimfly-adaptive\"; bias = \"0B\";",
		                               "kind = \"slingshot\";",
		                               "kind = \"par\"; bias = \"0B\";" };
	static const uint32_t sizes[] = { 11, 13, 16, 17, 19, 25, 27, 29, 31, 32, 37, 41 };
	struct drawn_topology t = { .routing = routing, .routings = 7, .hops = 1.95 };
	uint32_t q = sizes[draw_below(d, 5) + (large ? 7 : 0)], e = 3 * q / 4 - draw_below(d, 3);
	snprintf(t.text, sizeof t.text, "topology = { kind = \"slimfly\"; q = %u; endpoints = %u; };", q, e);
	t.endpoints = 2.0 * q * q * e;
	t.bound = 1.5 * q / e / t.hops;
	return t;
}

static inline struct drawn_topology draw_dragonfly(struct draws *d, bool large)
{
	static const char *const routing[] = { "kind = \"minimal\";",
		                               "kind = \"valiant\"; via = \"group\";",
		                               "kind = \"ugal-l\"; bias = \"0B\";",
		                               "kind = \"ugal-g\"; bias = \"0B\";",
		                               "kind = \"slingshot\";",
		                               "kind = \"par\"; bias = \"0B\";" };
	struct drawn_topology t = { .routing = routing, .routings = 6, .hops = 2.9 };
	uint32_t h = (large ? 8 : 5) + draw_below(d, 3), p = h - draw_below(d, 2), a = 2 * h;
	snprintf(t.text, sizeof t.text, "topology = { kind = \"dragonfly\"; p = %u; a = %u; h = %u; };", p, a, h);
	t.endpoints = (double)p * a * (a * h + 1);
	t.bound = (double)h / p * 0.95;
	return t;
}

static inline struct drawn_topology draw_torus(struct draws *d, bool large)
{
	static const char *const routing[] = { "kind = \"minimal\";", "kind = \"minimal\"; deadlock = \"bubble\";",
		                               "kind = \"valiant\";", "kind = \"ugal-l\"; bias = \"0B\";" };
	static const struct {
		const char *dims;
		double n, sum, longest;
	} sizes[] = { { "10, 10, 10", 1000, 30, 10 },  { "6, 6, 6, 6", 1296, 24, 6 },
		      { "12, 10, 8", 960, 30, 12 },    { "32, 32", 1024, 64, 32 },
		      { "16, 16, 16", 4096, 48, 16 },  { "5, 5, 5, 5, 5", 3125, 25, 5 },
		      { "32, 32, 32", 32768, 96, 32 }, { "12, 12, 12, 12", 20736, 48, 12 },
		      { "24, 24, 24", 13824, 72, 24 }, { "7, 7, 7, 7, 7", 16807, 35, 7 } };
	uint32_t i = draw_below(d, 4) + (large ? 6 : 0), e = 1 + draw_below(d, 3);
	struct drawn_topology t = { .routing = routing, .routings = 4, .hops = sizes[i].sum / 4 };
	snprintf(t.text, sizeof t.text, "topology = { kind = \"torus\"; dims = [%s]; endpoints = %u; };", sizes[i].dims,
	         e);
	t.endpoints = sizes[i].n * e;
	t.bound = fmin(1, 8 / (e * sizes[i].longest));
	return t;
}

struct drawn_switch {
	char text[300];
	double work; /* time of a packet-hop, in those of the ideal switch */
};

static inline struct drawn_switch draw_switch(struct draws *d)
{
	static const unsigned kib[] = { 100, 128, 256, 1024 };
	uint32_t kind = draw_below(d, 5), buffer = DRAW_ONE(d, kib);
	struct drawn_switch s = { .work = kind < 3 ? 1 : kind == 3 ? 6 : 12 };
	if (kind < 3)
		snprintf(s.text, sizeof s.text,
		         "kind = \"ideal\"; traversal = \"%uns\"; buffer = \"%uKiB\"; forwarding = \"%s\";",
		         50 + 50 * draw_below(d, 5), buffer, draw_below(d, 4) ? "cut-through" : "store-and-forward");
	else if (kind == 3)
		snprintf(s.text, sizeof s.text, "kind = \"tiled\"; preset = \"rosetta\"; rows = 8; columns = 8;");
	else
		snprintf(s.text, sizeof s.text,
		         "kind = \"crossbar\"; buffer = \"%uKiB\"; flit = \"32B\"; cycle = \"2ns\"; inputs = \"%s\";",
		         buffer, draw_below(d, 2) ? "vc" : "voq");
	return s;
}

static inline const char *draw_record(struct draws *d, double us)
{
	static char text[200];
	switch (draw_below(d, 7)) {
	case 0:
	case 1:
		return "packets = true;";
	case 2:
		return "ports = true;";
	case 3:
		snprintf(text, sizeof text, "timeline = \"%.0fns\"; activity = true;",
		         us * 1000 / (50 + draw_below(d, 200)));
		return text;
	case 4:
		return "timeline = \"100ns\"; histograms = true;";
	default:
		return "";
	}
}

/* The text of a configuration that does not saturate, of some seconds' work at most. */
static inline void draw_configuration(struct draws *d, double packet_hops, char *out, size_t size)
{
	struct drawn_topology t;
	double rate, load, warmup, measure;
	static const unsigned bytes[] = { 64, 128, 256, 512, 1024, 2048 };
	static const unsigned latencies[] = { 10, 50, 100 };
	uint32_t packet = DRAW_ONE(d, bytes);
	struct drawn_switch sw = draw_switch(d);
	bool large = sw.work <= 1;
	uint32_t which = draw_below(d, 5);
	t = which < 2 ? draw_slimfly(d, large) : which < 4 ? draw_dragonfly(d, large) : draw_torus(d, large);
	const char *routing = t.routing[draw_below(d, t.routings)];
	bool minimal = strstr(routing, "minimal"), valiant = strstr(routing, "valiant");
	bool permutation = draw_below(d, 5) == 0;
	load = draw_between(d, 0.1, 0.75) * t.bound * (minimal ? 1 : 0.5);
	if (permutation)
		load *= 0.3;
	if (sw.work > 1)
		load *= 0.8;
	rate = t.endpoints * load * 12500 * t.hops * (valiant ? 2 : 1) * sw.work; /* byte-hops a microsecond */
	while (packet < 2048 && rate / packet > packet_hops / 2)
		packet *= 2;
	measure = floor(fmin(fmax(packet_hops * packet / rate, 2), 30));
	warmup = floor(measure * draw_between(d, 0, 0.5));
	char time[200];
	if (draw_below(d, 8) == 0)
		snprintf(time, sizeof time, "precision = \"5%%\"; limit = \"%.0fus\";", 2 * measure);
	else
		snprintf(time, sizeof time, "warmup = \"%.0fus\"; measure = \"%.0fus\";%s", warmup, measure,
		         draw_below(d, 2) ? " drain = false;" : "");
	const char *record = draw_record(d, warmup + measure);
	uint32_t local = DRAW_ONE(d, latencies), other = DRAW_ONE(d, latencies);
	bool classes = strstr(t.text, "dragonfly");
	snprintf(out, size,
	         "seed = %u; %s\nlinks = { default = { bandwidth = \"100Gbps\"; latency = \"%uns\"; };%s };\n"
	         "switch = { %s };\nrouting = { %s };\n"
	         "traffic = ( { pattern = \"%s\"; load = %.3f; packet = \"%uB\"; } );\n"
	         "time = { %s };\nrecord = { %s };\nengine = { threads = %u; };\n",
	         1 + draw_below(d, 1000), t.text, local,
	         classes && other > local
	             ? other == 50 ? " global = { latency = \"250ns\"; };" : " global = { latency = \"500ns\"; };"
	             : "",
	         sw.text, routing, permutation ? "permutation" : "uniform", load, packet, time, record,
	         draw_below(d, 4) ? 1 : 2);
}

/* Runs the program; its peak of resident memory in bytes, and whether it proved the network saturated. 0: it failed. */
static inline double draws_peak(const char *text, bool *saturated)
{
	char folder[] = "/tmp/tilefly-draws.XXXXXX", config[64], log[64], json[64], command[200];
	cr_assert(mkdtemp(folder));
	snprintf(config, sizeof config, "%s/a.cfg", folder);
	snprintf(log, sizeof log, "%s/a.jsonl.gz", folder);
	snprintf(json, sizeof json, "%s/a.json", folder);
	FILE *f = fopen(config, "w");
	fputs(text, f);
	fclose(f);
	pid_t child = fork();
	if (child == 0) {
		int out = open(json, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		dup2(out, 1);
		alarm(100); /* also of what is executed */
		execl(TILEFLY_PROGRAM, "tilefly", "run", config, "--json", "--out", log, (char *)NULL);
		_exit(127);
	}
	int status;
	struct rusage use;
	cr_assert_eq(wait4(child, &status, 0, &use), child);
	char summary[20000] = "";
	f = fopen(json, "r");
	size_t n = f ? fread(summary, 1, sizeof summary - 1, f) : 0;
	summary[n] = 0;
	if (f)
		fclose(f);
	*saturated = strstr(summary, "\"stationary\":false") != NULL;
	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_assert_eq(system(command), 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? (double)use.ru_maxrss * 1024 : 0;
}

static inline struct net_memory draws_foreseen(const char *text)
{
	struct netrun x = { 0 };
	struct net_memory m = { 0 };
	xp_register_builtin(&x.registry);
	cr_assert_eq(
	    xp_config_parse(&x.config, text, strlen(text), "test", NULL, NULL, XP_WHOLE, &x.registry, &x.errors), 0,
	    "%s\n%s", netrun_error(&x), text);
	struct net_setup setup = { .config = &x.config.net,
		                   .registry = &x.registry,
		                   .build_traffic = wl_build,
		                   .destroy_traffic = wl_destroy };
	cr_assert_eq(net_memory_estimate(&setup, 1, 1, &m, &x.errors), 0, "%s\n%s", netrun_error(&x), text);
	netrun_free(&x);
	return m;
}

struct drawn {
	char text[2000];
	double peak;
	bool saturated;
};

/* Is the estimate within 15 % of the peak, give or take half a huge page of 2 MiB? Whether the kernel uses one more
 * differs from run to run: the same configuration peaks at 48.3 or 50.4 MB. Reports those that miss. */
static inline bool drawn_is_foreseen(const struct drawn *c, uint64_t seed, uint32_t i)
{
	struct net_memory m = draws_foreseen(c->text);
	double ratio = !DRAWS_MEASURE ? 1 : c->peak > 0 ? (double)m.total / c->peak : 0;
	bool good = !DRAWS_MEASURE || (c->peak > 0 && fabs((double)m.total - c->peak) < 0.15 * c->peak + 1e6);
	if (!good || getenv("TILEFLY_DRAWS"))
		fprintf(stderr,
		        "%u of seed %llu: %.1f MB foreseen, %.1f measured: %.2f%s (switches %.1f, records %.1f, engine "
		        "%.1f, events %.1f, process %.1f)\n%s\n",
		        i, (unsigned long long)seed, (double)m.total * 1e-6, c->peak * 1e-6, ratio,
		        c->saturated ? ", saturated" : "", (double)m.switches * 1e-6, (double)m.records * 1e-6,
		        (double)m.engine * 1e-6, (double)m.events * 1e-6, (double)m.process * 1e-6, c->text);
	return good;
}

/* Draws and measures `count` of them; tells of each that misses by more than 15 %. Returns how many do not. All are run
 * first: a child's peak counts what this process has when it is forked. */
static inline uint32_t draws_within(uint64_t seed, uint32_t count, double packet_hops)
{
	struct draws d = { seed };
	struct drawn *c = calloc(count, sizeof *c);
	uint32_t within = 0;
	for (uint32_t i = 0; i < count; i++) {
		draw_configuration(&d, packet_hops, c[i].text, sizeof c[i].text);
		if (!DRAWS_MEASURE)
			continue;
		c[i].peak = draws_peak(c[i].text, &c[i].saturated);
		cr_expect_neq(c[i].peak, 0, "the run failed, or took 100 s:\n%s", c[i].text);
	}
	for (uint32_t i = 0; i < count; i++)
		within += drawn_is_foreseen(&c[i], seed, i);
	fprintf(stderr, "memory of %u of %u configurations of seed %llu within 15 %%\n", within, count,
	        (unsigned long long)seed);
	free(c);
	return within;
}

#endif
