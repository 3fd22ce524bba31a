/* tests/switch/test_age.c - since when a packet's age counts decides what a source that offers too much takes from the
 * others. */
#include "tests/switch/bench.h"

/* Endpoint 0 offers all that it can inject, 1 to 4 offer 0.15 each, to one output: 1.6 of what it takes. */
#define AGGRESSOR                                                                                                    \
	"seed = 1; time = { warmup = \"200us\"; measure = \"200us\"; drain = false; }; topology = { kind = "         \
	"\"single\"; ports = 8; }; links = { terminal = { bandwidth = \"200Gbps\"; latency = \"13ns\"; }; };"        \
	"routing = { kind = \"minimal\"; }; traffic = ( { name = \"much\"; pattern = \"incast\"; target = 7; nodes " \
	"= \"0,7\"; load = 1.0; packet = \"512B\"; }, { name = \"little\"; pattern = \"incast\"; target = 7; nodes " \
	"= \"1-4,7\"; load = 0.15; injection = \"periodic\"; packet = \"512B\"; } );"                                \
	"switch = { kind = \"tiled\"; };"

#define CROSSBAR(more) \
	"switch={kind=\"crossbar\";buffer=\"18KiB\";cycle=\"320ps\";inputs=\"voq\";arbiter=\"age\";" more "}"

/* Least of what 1 to 4 get, and what 0 gets: of what one endpoint can inject. */
static double least(const char *changes, double *much)
{
	struct bench_packets p = { 0 };
	double bytes[8] = { 0 }, all = 25000.0 * 200, few = 1;
	char text[300];
	snprintf(text, sizeof text, "record.packets=true %s", changes);
	cr_assert_eq(bench_run_with(AGGRESSOR, text, NULL, &p).outcome, NET_DONE, "%s", changes);
	for (size_t k = 0; k < p.n; k++)
		if (p.v[k].delivered >= 200000000 && p.v[k].delivered < 400000000)
			bytes[p.v[k].src] += p.v[k].bytes;
	for (int k = 1; k <= 4; k++)
		few = bytes[k] / all < few ? bytes[k] / all : few;
	*much = bytes[0] / all;
	free(p.v);
	return few;
}

/* Who offers less than a fifth gets all of it; what is left, 0.4, is the aggressor's. */
Test(age, an_aggressor_takes_what_the_others_leave)
{
	static const char *const changes[] = { "", "switch.age=arrival", CROSSBAR(""), CROSSBAR("age=\"arrival\";"),
		                               CROSSBAR("allocator=\"select\";") };
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		double much, few = least(changes[i], &much);
		cr_expect(few >= 0.98 * 0.15 && much >= 0.35, "%s: %g, the aggressor %g", changes[i], few, much);
	}
}

/* Its packets were created long ago: oldest everywhere. */
Test(age, by_creation_an_aggressor_passes_first)
{
	static const char *const changes[] = { "switch.age=creation", CROSSBAR("age=\"creation\";") };
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		double much, few = least(changes[i], &much);
		cr_expect(few < 0.13 && much > 0.5, "%s: %g, the aggressor %g", changes[i], few, much);
	}
}
