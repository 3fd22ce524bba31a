/* tests/switch/test_shortage.c - when credits are short, small packets do not starve large ones. */
#include "tests/switch/bench.h"

/* Three sources of small packets and one of large ones share a link whose far buffer holds two large packets and one
 * VC: the credits that are out for a full link leave less than a large packet needs. */
#define SHORTAGE                                                                                                      \
	"seed = 1; time = { warmup = \"20us\"; measure = \"60us\"; drain = false; }; topology = { kind = \"torus\"; " \
	"dims = [2]; endpoints = 4; };"                                                                               \
	"links = { default = { bandwidth = \"200Gbps\"; latency = \"200ns\"; }; terminal = { bandwidth = "            \
	"\"200Gbps\"; latency = \"13ns\"; }; };"                                                                      \
	"switch = { kind = \"tiled\"; buffer = \"18KiB\"; }; routing = { kind = \"minimal\"; };"                      \
	"traffic = ( { name = \"a\"; pattern = \"incast\"; target = 4; nodes = \"0,4\"; load = 1.0; packet = "        \
	"\"512B\"; }, { name = \"b\"; pattern = \"incast\"; target = 5; nodes = \"1,5\"; load = 1.0; packet = "       \
	"\"512B\"; }, { name = \"c\"; pattern = \"incast\"; target = 6; nodes = \"2,6\"; load = 1.0; packet = "       \
	"\"512B\"; }, { name = \"large\"; pattern = \"incast\"; target = 7; nodes = \"3,7\"; load = 1.0; packet = "   \
	"\"9KB\"; } );"

#define CROSSBAR(more) "switch={kind=\"crossbar\";buffer=\"18KiB\";cycle=\"320ps\";" more "}"

#define DRR_SWITCHES                                                                \
	"switch.grant_arbiter=drr", "switch.grant_arbiter=drr switch.quantum=12KB", \
	    "switch.grants=off switch.row_buffer=9KB switch.crossbar_arbiter=drr",  \
	    CROSSBAR("inputs=\"voq\";arbiter=\"drr\";"),                            \
	    CROSSBAR("inputs=\"fifo\";arbiter=\"drr\";allocator=\"separable-output\";")

static const char *const drr_switches[] = { DRR_SWITCHES };

static const char *const switches[] = {
	"switch.grant_arbiter=age",
	"switch.grant_arbiter=round-robin",
	"switch.grants=off switch.row_buffer=9KB switch.column_arbiter=round-robin",
	CROSSBAR("inputs=\"voq\";arbiter=\"age\";"),
	CROSSBAR("inputs=\"fifo\";arbiter=\"age\";"),
	CROSSBAR("inputs=\"voq\";allocator=\"pim\";"),
	CROSSBAR("inputs=\"voq\";allocator=\"wavefront\";"),
	DRR_SWITCHES,
	"switch.grant_arbiter=drr switch.vcs=2 switch.buffer=36KiB",
	"switch.preset=yarc switch.width=48B switch.row_buffer=18KiB switch.column_buffer=18KiB",
	"switch.preset=yarc switch.width=48B switch.row_buffer=18KiB switch.column_buffer=18KiB "
	"switch.crossbar_arbiter=age",
	"switch.preset=yarc switch.width=48B switch.row_buffer=18KiB switch.column_buffer=18KiB "
	"switch.crossbar_arbiter=drr",
};
#define SWITCHES (sizeof switches / sizeof *switches)

Test(shortage, large_packets_are_not_starved)
{
	for (size_t i = 0; i < SWITCHES; i++) {
		char changes[300];
		struct bench_packets p = { 0 };
		uint64_t all = 0, large = 0;
		/* column_arbiter has no effect where all ports are in one row: rows of four make two of eight ports */
		bool rows = strstr(switches[i], "column_arbiter");
		snprintf(changes, sizeof changes, "record.packets=true %s %s",
		         rows ? "switch.rows=8 switch.columns=2 switch.ports_per_tile=2" : "", switches[i]);
		cr_assert_eq(bench_run_with(SHORTAGE, changes, NULL, &p).outcome, NET_DONE, "%s", changes);
		for (size_t k = 0; k < p.n; k++) {
			all += p.v[k].bytes;
			large += p.v[k].bytes > 512 ? p.v[k].bytes : 0;
		}
		cr_expect_geq(8 * large, all, "%s: %llu bytes of %llu are large packets'", switches[i],
		              (unsigned long long)large, (unsigned long long)all); /* half of a fourth */
		free(p.v);
	}
}

/* One row of tiles, so one arbiter decides among the four. */
Test(shortage, deficit_round_robin_shares_bytes)
{
	for (size_t i = 0; i < sizeof drr_switches / sizeof *drr_switches; i++) {
		char changes[300];
		struct bench_packets p = { 0 };
		uint64_t bytes[4] = { 0 }, all = 0;
		snprintf(changes, sizeof changes, "record.packets=true time.measure=300us %s", drr_switches[i]);
		cr_assert_eq(bench_run_with(SHORTAGE, changes, NULL, &p).outcome, NET_DONE, "%s", changes);
		for (size_t k = 0; k < p.n; k++) {
			all += p.v[k].bytes;
			bytes[p.v[k].src % 4] += p.v[k].bytes;
		}
		for (int k = 0; k < 4; k++)
			cr_expect(400 * bytes[k] >= 98 * all && 400 * bytes[k] <= 102 * all,
			          "%s: source %d has %llu bytes of %llu", changes, k, (unsigned long long)bytes[k],
			          (unsigned long long)all);
		free(p.v);
	}
}

/* What arbiters a user gets who names none. Least and largest share of the four, times four. */
static void default_shares(const char *changes, double *least, double *most)
{
	char all_changes[400];
	struct bench_packets p = { 0 };
	uint64_t bytes[4] = { 0 }, all = 0;
	snprintf(all_changes, sizeof all_changes, "record.packets=true time.measure=300us %s", changes);
	cr_assert_eq(bench_run_with(SHORTAGE, all_changes, NULL, &p).outcome, NET_DONE, "%s", changes);
	for (size_t k = 0; k < p.n; k++) {
		all += p.v[k].bytes;
		bytes[p.v[k].src % 4] += p.v[k].bytes;
	}
	*least = 4, *most = 0;
	for (int k = 0; k < 4; k++) {
		double share = 4.0 * (double)bytes[k] / (double)all;
		*least = share < *least ? share : *least;
		*most = share > *most ? share : *most;
	}
	free(p.v);
}

Test(shortage, by_default_no_source_is_below_half_its_share)
{
	static const char *const defaults[] = {
		"",
		"switch={kind=\"ideal\";buffer=\"18KiB\";}",
		"switch.preset=yarc switch.width=48B switch.row_buffer=9KB switch.column_buffer=9KB",
		"switch={kind=\"tiled\";preset=\"successor\";buffer=\"18KiB\";}",
		CROSSBAR(""),
		"switch={kind=\"crossbar\";buffer=\"72KiB\";cycle=\"320ps\";vcs=4;}",
		CROSSBAR("speedup=1.5;"),
		CROSSBAR("allocator=\"islip\";"),
		CROSSBAR("allocator=\"separable-output\";"),
		CROSSBAR("inputs=\"voq\";"),
		CROSSBAR("inputs=\"fifo\";"),
		CROSSBAR("inputs=\"fifo\";allocator=\"separable-output\";"),
	};
	for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
		double least, most;
		default_shares(defaults[i], &least, &most);
		cr_expect_geq(least, 0.5, "%s: %f to %f of an equal share", defaults[i], least, most);
	}
}

/* The crossbar's, whatever its inputs: as many bytes for each. */
Test(shortage, a_crossbar_shares_bytes_by_default)
{
	static const char *const crossbars[] = {
		CROSSBAR(""),
		CROSSBAR("inputs=\"vc\";arbiter=\"drr\";"),
		CROSSBAR("inputs=\"vc\";allocator=\"separable-output\";"),
		CROSSBAR("inputs=\"voq\";"),
		CROSSBAR("inputs=\"fifo\";"),
	};
	for (size_t i = 0; i < sizeof crossbars / sizeof *crossbars; i++) {
		double least, most;
		default_shares(crossbars[i], &least, &most);
		cr_expect(least >= 0.98 && most <= 1.02, "%s: %f to %f of an equal share", crossbars[i], least, most);
	}
}

/* Reservations are journaled state. */
Test(shortage, one_digest_under_rollbacks_and_audit)
{
	static const char *const how[] = { "engine.sync=conservative", "engine.sync=optimistic engine.stress=15",
		                           "engine.sync=sequential engine.audit=true" };
	for (size_t i = 0; i < SWITCHES; i++) {
		char changes[400];
		bool rows = strstr(switches[i], "column_arbiter");
		snprintf(changes, sizeof changes, "time.warmup=2us time.measure=6us %s %s",
		         rows ? "switch.rows=8 switch.columns=2 switch.ports_per_tile=2" : "", switches[i]);
		uint64_t digest = bench_run(SHORTAGE, changes).digest;
		for (int k = 0; k < 3; k++) {
			char other[500];
			snprintf(other, sizeof other, "%s %s", changes, how[k]);
			cr_expect_eq(bench_run(SHORTAGE, other).digest, digest, "%s", other);
		}
	}
}
