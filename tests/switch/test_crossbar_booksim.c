/* tests/switch/test_crossbar_booksim.c - the crossbar switch against a cycle-accurate simulator: BookSim 2 at commit
 * 28f4329, whose results, with the full configuration in each file's header, lie in tests/data/booksim/. Rows up to 80
 * % of saturation must agree within 5 % in latency, the first within a cycle; the last stable load must be stable here,
 * the next one not. docs/switch-crossbar.md has all rows. */
#include "tests/switch/bench.h"
#include "tests/tier.h"

#include <math.h>

#ifndef TILEFLY_TEST_DATA
#define TILEFLY_TEST_DATA "tests/data"
#endif

struct row {
	double offered, accepted, latency;
	bool stable;
};

static size_t read_rows(const char *name, struct row *rows, size_t room)
{
	char path[300], line[1000];
	snprintf(path, sizeof path, TILEFLY_TEST_DATA "/booksim/%s.csv", name);
	FILE *in = fopen(path, "r");
	cr_assert(in, "%s", path);
	size_t n = 0;
	while (n < room && fgets(line, sizeof line, in))
		if (sscanf(line, "%lf,%lf,%*f,%lf", &rows[n].offered, &rows[n].accepted, &rows[n].latency) == 3) {
			rows[n].stable = strstr(line, ",stable,") != NULL;
			n++;
		}
	fclose(in);
	return n;
}

/* One cycle is 1 ns, one flit 8 bytes. Buffers: vc_buf_size x num_vcs x 8 bytes. */
#define COMMON(vcs, buffer, more)                                                                                      \
	"seed = 1; time = { warmup = \"2us\"; measure = \"3us\"; };"                                                   \
	"traffic = ( { pattern = \"uniform\"; self = true; injection = \"bernoulli\"; load = 0.1; packet = \"8B\"; } " \
	");"                                                                                                           \
	"switch = { kind = \"crossbar\"; inputs = \"vc\"; allocator = \"separable-input\"; cycle = \"1ns\"; flit = "   \
	"\"8B\"; vcs = " #vcs "; injection_vcs = " #vcs "; buffer = \"" #buffer "\"; " more " };"
#define LINK(name, latency) name " = { bandwidth = \"64Gbps\"; latency = \"" latency "\"; }; "

#define TORUS_2D                                                                                             \
	COMMON(4, 256B, "")                                                                                  \
	"topology = { kind = \"torus\"; dims = [8, 8]; endpoints = 1; }; links = { " LINK("terminal", "1ns") \
	    LINK("default", "2ns") "};"                                                                      \
				   "routing = { kind = \"minimal\"; deadlock = \"partition\"; };"
#define TORUS_3D                                                                                                \
	COMMON(4, 256B, "")                                                                                     \
	"topology = { kind = \"torus\"; dims = [4, 4, 4]; endpoints = 1; }; links = { " LINK("terminal", "1ns") \
	    LINK("default", "2ns") "};"                                                                         \
				   "routing = { kind = \"minimal\"; deadlock = \"partition\"; };"
/* its routing takes any VC there: not free of deadlock by construction */
#define SLIMFLY(vcs, buffer, more)                                                                     \
	COMMON(vcs, buffer, "any_vc = true; " more)                                                    \
	"topology = { kind = \"slimfly\"; q = 5; endpoints = 4; }; links = { " LINK("terminal", "1ns") \
	    LINK("local", "1ns") LINK("global", "1ns")                                                 \
		LINK("default", "1ns") "}; routing = { kind = \"minimal\"; unsafe = true; };"
/* its packets have passed all to VC 1 when they are ejected: one VC there */
#define DRAGONFLY                                                                                               \
	COMMON(2, 4096B, "speedup = 2.0; ejection_vcs = 1;")                                                    \
	"topology = { kind = \"dragonfly\"; preset = \"dragonfly-1056\"; }; links = { " LINK("terminal", "1ns") \
	    LINK("local", "10ns") LINK("global", "100ns") "}; routing = { kind = \"minimal\"; };"

/* skip: of the rows at low load one in `skip` is taken. */
static void compare(const char *name, const char *text, const char *changes, size_t skip)
{
	struct row rows[40];
	size_t n = read_rows(name, rows, 40);
	cr_assert_gt(n, 3u);
	double saturation = 0;
	for (size_t i = 0; i < n; i++)
		saturation = fmax(saturation, rows[i].accepted);
	for (size_t i = 0; i < n; i++) {
		bool low = rows[i].stable && rows[i].offered <= 0.8 * saturation;
		bool last = rows[i].stable && (i + 1 < n && !rows[i + 1].stable),
		     first = !rows[i].stable && i && rows[i - 1].stable;
		if (!(low && i % skip == 0) && !last && !first)
			continue;
		char all[400];
		snprintf(all, sizeof all, "traffic.[0].load=%g time.drain=%s %s", rows[i].offered,
		         low ? "true" : "false", changes);
		struct bench_result r = bench_run(text, all);
		if (low)
			cr_expect(fabs(r.latency_ns - rows[i].latency) <= (i ? 0.05 * rows[i].latency : 1.0),
			          "%s at %g: %g cycles, reference %g", name, rows[i].offered, r.latency_ns,
			          rows[i].latency);
		else /* the reference calls 0.97 of the offered load stable */
			cr_expect_eq(r.accepted >= 0.97 * rows[i].offered, rows[i].stable, "%s at %g: %g accepted",
			             name, rows[i].offered, r.accepted);
	}
}

Test(booksim, torus_2d_uniform)
{
	compare("torus2d_8x8_dor_uniform", TORUS_2D, "", SPAN(2, 1));
}

Test(booksim, torus_2d_neighbor)
{
	char *text = base_strdup(TORUS_2D), *self = strstr(text, " self = true;");
	memmove(self, self + 13, strlen(self + 13) + 1);
	compare("torus2d_8x8_dor_neighbor", text, "traffic.[0].pattern=neighbor", SPAN(3, 1));
	free(text);
}

Test(booksim, torus_2d_tornado)
{
	char *text = base_strdup(TORUS_2D), *self = strstr(text, " self = true;");
	memmove(self, self + 13, strlen(self + 13) + 1);
	compare("torus2d_8x8_dor_tornado", text, "traffic.[0].pattern=tornado", 1);
	free(text);
}

Test(booksim, torus_3d_uniform)
{
	compare("torus3d_4x4x4_dor_uniform", TORUS_3D, "", SPAN(4, 1));
}

Test(booksim, slimfly_one_vc)
{
	compare("slimfly_q5_p4_min_uniform_vc1", SLIMFLY(1, 512B, ""), "", 1);
}

Test(booksim, slimfly_four_vcs_speedup_two)
{
	compare("slimfly_q5_p4_min_uniform_vc4_ispd2", SLIMFLY(4, 512B, "speedup = 2.0;"), "", SPAN(5, 1));
}

Test(booksim, dragonfly_uniform)
{
	compare("dragonfly_1056_min_uniform", DRAGONFLY, "time.warmup=500ns time.measure=300ns", SPAN(3, 1));
}

/* Saturation throughput of one router. */
Test(booksim, single_router)
{
	static const struct {
		const char *row; /* of the file */
		const char *changes;
		double tolerance;
	} k[] = {
		{ "8,1,64,0,islip,1,0,1.0,1,1,1,0,", "topology.ports=8 switch.vcs=1", 0.01 },
		{ "8,1,64,0,wavefront,1,0,1.0,1,1,1,0,", "topology.ports=8 switch.vcs=1 switch.allocator=wavefront",
		  0.01 },
		{ "8,1,64,0,loa,1,0,1.0,1,1,1,0,", "topology.ports=8 switch.vcs=1 switch.allocator=loa", 0.01 },
		{ "64,1,64,0,loa,1,0,1.0,1,1,1,0,", "topology.ports=64 switch.vcs=1 switch.allocator=loa", 0.01 },
		{ "8,1,64,0,islip,1,1,1.0,1,1,1,0,", "topology.ports=8 switch.vcs=1 switch.vc_alloc_delay=0", 0.01 },
		{ "8,1,64,0,islip,1,0,2.0,1,1,1,0,", "topology.ports=8 switch.vcs=1 switch.speedup=2.0", 0.01 },
		/* credits of the endpoint's 64-flit buffer, 6 cycles there and back, bound the output queue */
		{ "8,1,64,0,islip,1,0,4.0,1,1,1,0,",
		  "topology.ports=8 switch.vcs=1 switch.speedup=4.0 switch.output_buffer=58", 0.01 },
		{ "8,1,64,0,islip,1,0,1.0,1,1,8,1,", "topology.ports=8 switch.vcs=1 traffic.[0].packet=64B", 0.02 },
		{ "8,4,64,0,islip,1,0,1.0,1,1,1,0,",
		  "topology.ports=8 switch.vcs=4 switch.injection_vcs=4 switch.buffer=2048B", 0.02 },
		{ "8,4,64,0,islip,1,0,1.0,2,2,1,0,",
		  "topology.ports=8 switch.vcs=4 switch.injection_vcs=4 switch.buffer=2048B switch.input_speedup=2 "
		  "switch.output_speedup=2",
		  0.02 },
		{ "64,1,64,0,separable_input_first,1,0,1.0,1,1,1,0,",
		  "topology.ports=64 switch.vcs=1 switch.allocator=separable-input", 0.01 },
		{ "64,8,64,0,separable_input_first,1,0,1.0,1,1,1,0,",
		  "topology.ports=64 switch.vcs=8 switch.injection_vcs=8 switch.buffer=4096B "
		  "switch.allocator=separable-input",
		  0.02 },
	};
	for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
		FILE *in = fopen(TILEFLY_TEST_DATA "/booksim/single_router_saturation.csv", "r");
		char line[1000], changes[300];
		double accepted = 0;
		cr_assert(in);
		while (fgets(line, sizeof line, in))
			if (!strncmp(line, k[i].row, strlen(k[i].row)))
				accepted = atof(line + strlen(k[i].row));
		fclose(in);
		cr_assert_gt(accepted, 0.1, "%s", k[i].row);
		snprintf(changes, sizeof changes,
		         "switch.inputs=vc switch.buffer=512B time.warmup=4us time.measure=6us %s", k[i].changes);
		double got = bench_run(BENCH_SINGLE, changes).accepted;
		cr_expect_float_eq(got, accepted, k[i].tolerance * accepted, "%s: %g, reference %g", k[i].row, got,
		                   accepted);
	}
}
