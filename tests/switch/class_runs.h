/* tests/switch/class_runs.h - what tests of traffic classes run: an output that three classes want, a path that two
 * fill, a dragonfly with eight. */
#ifndef TESTS_SWITCH_CLASS_RUNS_H
#define TESTS_SWITCH_CLASS_RUNS_H

#include "tests/switch/bench.h"
#include "tests/tier.h"

#define JOBS_OF_SHARES 16
struct shares {
	uint64_t bytes[JOBS_OF_SHARES]; /* of each job, delivered in the window */
	double mean_ns[JOBS_OF_SHARES], max_ns[JOBS_OF_SHARES];
};

static inline struct shares run_shares(const char *text, const char *changes, uint64_t from, uint64_t to)
{
	char all[900];
	struct bench_packets p = { 0 };
	struct shares s = { 0 };
	uint64_t n[JOBS_OF_SHARES] = { 0 };
	snprintf(all, sizeof all, "record.packets=true %s", changes);
	struct bench_result r = bench_run_with(text, all, NULL, &p);
	cr_assert_eq(r.outcome, NET_DONE, "%s: %d %s", changes, r.outcome, r.message);
	for (size_t k = 0; k < p.n; k++)
		if (p.v[k].delivered >= from && p.v[k].delivered < to) {
			uint8_t j = p.v[k].job;
			double ns = (double)(p.v[k].delivered - p.v[k].injected) / 1000;
			s.bytes[j] += p.v[k].bytes;
			s.mean_ns[j] += ns;
			s.max_ns[j] = ns > s.max_ns[j] ? ns : s.max_ns[j];
			n[j]++;
		}
	for (int j = 0; j < JOBS_OF_SHARES; j++)
		s.mean_ns[j] /= n[j] ? (double)n[j] : 1;
	free(p.v);
	return s;
}

/* Three classes, each of five endpoints that offer all that their links carry, to one endpoint of a switch. */
#define HOT_OUTPUT                                                                                                  \
	"seed = 1; time = { warmup = \"20us\"; measure = \"200us\"; drain = false; }; topology = { kind = "         \
	"\"single\"; ports = 16; };"                                                                                \
	"links = { terminal = { bandwidth = \"200Gbps\"; latency = \"13ns\"; }; };"                                 \
	"switch = { kind = \"crossbar\"; cycle = \"320ps\"; }; routing = { kind = \"minimal\"; };"                  \
	"classes = ( { name = \"a\"; }, { name = \"b\"; }, { name = \"c\"; } );"                                    \
	"traffic = ( { name = \"a\"; class = \"a\"; pattern = \"incast\"; target = 15; nodes = \"0-4,15\"; load = " \
	"1.0; packet = \"1KB\"; }, { name = \"b\"; class = \"b\"; pattern = \"incast\"; target = 15; nodes = "      \
	"\"5-9,15\"; load = 1.0; packet = \"1KB\"; }, { name = \"c\"; class = \"c\"; pattern = \"incast\"; target " \
	"= 15; nodes = \"10-15\"; load = 1.0; packet = \"1KB\"; } );"

#define FROM 20000000ull
#define TO 220000000ull
#define LINK_BYTES 5000000.0 /* in the window */

/* The same from two inputs that send packets of all three; the first class has a guarantee, the others are equal. */
#define SHARED_INPUTS                                                                              \
	"classes.[0].min_bandwidth=0.6 traffic.[0].nodes=\"0,1,15\" traffic.[1].nodes=\"0,1,15\" " \
	"traffic.[2].nodes=\"0,1,15\" traffic.[0].load=0.6 traffic.[1].load=0.3 traffic.[2].load=0.3"

/* A path of switches, each of whose links, the last endpoint's too, two endpoints fill with bulk. Urgent packets go all
 * the way: besides what they take alone they wait, at each switch, for at most one packet at their input and one at
 * their output, of those that they meet there. */
#define BULK(name, nodes, target)                                                                                \
	", { name = \"" name "\"; class = \"bulk\"; pattern = \"incast\"; target = " target "; nodes = \"" nodes \
	"\"; load = 1.0; packet = \"2KB\"; }"
#define PATH                                                                                                           \
	"seed = 3; time = { warmup = \"20us\"; measure = \"200us\"; drain = false; }; topology = { kind = "            \
	"\"torus\"; dims = [4]; wrap = false; endpoints = 3; };"                                                       \
	"links = { default = { bandwidth = \"200Gbps\"; latency = \"50ns\"; }; terminal = { bandwidth = "              \
	"\"200Gbps\"; latency = \"13ns\"; }; };"                                                                       \
	"switch = { kind = \"crossbar\"; cycle = \"320ps\"; }; routing = { kind = \"minimal\"; };"                     \
	"classes = ( { name = \"urgent\"; priority = 1; }, { name = \"bulk\"; } );"                                    \
	"traffic = ( { name = \"urgent\"; class = \"urgent\"; pattern = \"incast\"; target = 10; nodes = \"2,10\"; "   \
	"load = 0.02; packet = \"256B\"; }" BULK("b0", "0,1,3", "3") BULK("b1", "4,5,6", "6") BULK("b2", "7,8,9", "9") \
	    BULK("b3", "9,11,10", "10") " );"

#define HOPS 3
#define LARGEST_NS 80.0 /* 2 KB on a link; as long as through the crossbar: 250 flits of 320 ps */

#define EIGHT                                                                                                     \
	"seed = 1; time = { warmup = \"0us\"; measure = \"" SPAN(                                                 \
	    "2us", "3us") "\"; drain = true; }; topology = { kind = \"dragonfly\"; "                              \
			  "p = 4; a = 4; h = 2; };"                                                               \
			  "links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; }; };"              \
			  "switch = { kind = \"crossbar\"; vcs = 4; buffer = \"16KiB\"; flit = \"64B\"; cycle = " \
			  "\"5120ps\"; };"                                                                        \
			  "routing = { kind = \"valiant\"; via = \"group\"; };"                                   \
			  "classes = ( { name = \"c0\"; }, { name = \"c1\"; priority = 3; }, { name = \"c2\"; "   \
			  "min_bandwidth = 0.1; }, "                                                              \
			  "{ name = \"c3\"; max_bandwidth = 0.2; }, { name = \"c4\"; priority = 1; }, { name = "  \
			  "\"c5\"; min_bandwidth = "                                                              \
			  "0.1; max_bandwidth = 0.3; }, { name = \"c6\"; priority = 1; }, { name = \"c7\"; } );"  \
			  "traffic = ( { class = \"c0\"; load = 0.1; packet = [\"64B\", \"512B\"]; }, { class = " \
			  "\"c1\"; load = 0.1; "                                                                  \
			  "packet = \"512B\"; }, { class = \"c2\"; load = 0.1; packet = \"512B\"; }, { class = "  \
			  "\"c3\"; load = 0.1; "                                                                  \
			  "packet = \"512B\"; }, { class = \"c4\"; load = 0.2; packet = \"512B\"; pattern = "     \
			  "\"tornado\"; }, { class = "                                                            \
			  "\"c5\"; load = 0.1; packet = \"512B\"; }, { class = \"c6\"; load = 0.2; packet = "     \
			  "\"512B\"; }, { class = "                                                               \
			  "\"c7\"; load = 0.1; packet = \"64B\"; } );"

#endif
