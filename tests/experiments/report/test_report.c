/* Reports: the log reader on good and damaged files, the static page of a run and of a sweep. */
#include "experiments/commands/command.h"
#include "experiments/report/assets.h"
#include "experiments/report/records.h"
#include "experiments/results/reader.h"

#include "tests/experiments/sweep/synthetic.h"

#include <criterion/redirect.h>

static int count(const char *text, const char *word)
{
	int n = 0;
	for (; (text = strstr(text, word)); text += strlen(word))
		n++;
	return n;
}

/* Needs nothing from outside, and no script. */
static void check_self_contained(const char *page)
{
	cr_assert_eq(count(page, "<script"), 0);
	cr_assert_eq(count(page, "src="), 0);
	cr_assert_eq(count(page, "<link"), 0);
	cr_assert_eq(count(page, "url(http"), 0);
	cr_assert_eq(count(page, "href=\"http") + count(page, "href='http"), 0);
	cr_assert_eq(count(page, "<svg"), count(page, "</svg>"));
}

/* Drawings are made by node, with the library that the program may have been built with. */
static bool can_draw(void)
{
	return xp_has_charts() && !system("command -v node >/dev/null && command -v rsvg-convert >/dev/null");
}

/* Figures of a static page; where nothing can draw, those that are wanted. */
static int figures_in(const char *page, int wanted)
{
	return can_draw() ? count(page, "</figure>") : wanted;
}

Test(report, of_a_run, .init = enter_folder, .fini = leave_folder)
{
	char *argv[] = { "report", "run.jsonl.gz", "--png", "png", "--svg", "svg", "--quiet", "--static" };
	if (!can_draw())
		cr_skip_test("ECharts, node or rsvg-convert is missing");
	synthetic_write("run.jsonl.gz", "{\"time\":{\"warmup\":\"4us\",\"measure\":\"10us\"}}", "minimal", 0.5, 1,
	                true);
	cr_assert_eq(xp_command_main(&xp_command_report, 8, argv), 0);
	char *page = read_text("run.html");
	cr_assert(page);
	check_self_contained(page);
	cr_assert_eq(figures_in(page, 4), 4, "distribution, timeline, occupancy, activity");
	cr_assert(strstr(page, "0.50000"), "the offered load");
	cr_assert(!strstr(page, "not whole"));
	cr_assert_eq(access("png/run-occupancy.png", R_OK), 0);
	cr_assert_eq(access("svg/run-activity.svg", R_OK), 0);
	free(page);
}

Test(report, of_a_run_that_is_torn_in_a_record_is_refused, .init = enter_folder, .fini = leave_folder)
{
	char *argv[] = { "report", "run.jsonl.gz", "--quiet" };
	synthetic_write("run.jsonl.gz", "{}", "minimal", 0.5, 1, true);
	cr_assert_eq(truncate("run.jsonl.gz", 700), 0);
	cr_assert_eq(xp_command_main(&xp_command_report, 3, argv), 2);
	cr_assert(access("run.html", F_OK), "a page is written");
}

Test(report, of_a_run_without_its_end_shows_what_there_is, .init = enter_folder, .fini = leave_folder)
{
	char *argv[] = { "report", "run.jsonl", "--quiet", "--static" };
	synthetic_write("run.jsonl.gz", "{}", "minimal", 0.5, 1, true);
	cr_assert_eq(system("zcat run.jsonl.gz | head -n -1 >run.jsonl"), 0);
	cr_assert_eq(xp_command_main(&xp_command_report, 4, argv), 0);
	char *page = read_text("run.html");
	cr_assert(page && strstr(page, "This file is not whole"));
	check_self_contained(page);
	free(page);
}

Test(report, of_an_interrupted_run_says_so, .init = enter_folder, .fini = leave_folder)
{
	char *argv[] = { "report", "run.jsonl.gz", "--quiet" };
	synthetic_write("run.jsonl.gz", "{}", "minimal", 0.5, 1, false);
	cr_assert_eq(xp_command_main(&xp_command_report, 3, argv), 0);
	char *page = read_text("run.html");
	cr_assert(page && strstr(page, "This run was interrupted"));
	free(page);
}

/* Adds a line to a result, before its last, which counts them. */
static void add_record(const char *file, const char *text)
{
	static char all[1 << 16];
	gzFile in = gzopen(file, "rb");
	int n = gzread(in, all, sizeof all - 1), lines = 1;
	gzclose(in);
	all[n] = 0;
	char *end = strstr(all, "{\"record\":\"end\"");
	*end = 0;
	for (const char *c = all; *c; c++)
		lines += *c == '\n';
	gzFile out = gzopen(file, "wb");
	gzputs(out, all);
	gzprintf(out, "%s\n{\"record\":\"end\",\"complete\":true,\"records\":%d,\"digest\":\"0\"}\n", text, lines + 1);
	gzclose(out);
}

/* A switch of 2 x 2 tiles of one port. Of class "bulk" 40 packets spent 100 + 200 ns each in it, those of port 3 (10)
 * 100 + 500 ns. */
#define INSIDE(number, link)                                                                                          \
	"{\"record\":\"switch\",\"switch\":" number                                                                   \
	",\"kind\":\"tiled\",\"span_ns\":1000.0,\"network_ports\":0,\"ports\":4,"                                     \
	"\"tiles\":{\"rows\":2,\"columns\":2,\"ports_per_tile\":1},\"bus_utilization\":[0.11,0.22,0.33,0.44],"        \
	"\"crossbar_utilization\":[[0.5,0.25],[0.5,0.25],[0.25,0.5],[0.25,0.5]],\"mux_utilization\":[0.55,0.66,0.77," \
	"0.88],"                                                                                                      \
	"\"link_utilization\":[" link ",0.2,0.3,0.4],\"classes\":[{\"class\":\"bulk\",\"packets\":[10,10,10,10],"     \
	"\"bytes\":[1,1,1,1],\"latency_ps\":[2000000,2000000,2000000,6000000],\"stages\":["                           \
	"{\"stage\":\"pipeline\",\"wait\":false,\"mean_ns\":100,\"mean_packets\":4,\"ps\":[1000000,1000000,1000000,"  \
	"1000000]},"                                                                                                  \
	"{\"stage\":\"it's a "                                                                                        \
	"wait\",\"wait\":true,\"mean_ns\":200,\"mean_packets\":8,\"ps\":[1000000,1000000,1000000,5000000]}]}]}"

Test(report, of_switches_with_instruments, .init = enter_folder, .fini = leave_folder)
{
	char *argv[] = { "report", "run.jsonl.gz", "--png", "png", "--svg", "svg", "--quiet", "--static" };
	synthetic_write("run.jsonl.gz", "{}", "minimal", 0.5, 1, true);
	add_record("run.jsonl.gz", INSIDE("3", "0.1"));
	add_record("run.jsonl.gz", INSIDE("5", "0.9"));
	cr_assert_eq(xp_command_main(&xp_command_report, 8, argv), 0);
	char *page = read_text("run.html");
	check_self_contained(page);
	cr_assert_eq(figures_in(page, 6), 6, "the floor plan and the latency stack besides the others");
	cr_expect(strstr(page, "Floor plan of switch 5, the busiest of those recorded"));
	cr_expect(strstr(page, ">300 ns<") && strstr(page, ">600 ns<"), "the sums of the bars");
	cr_expect(strstr(page, "slowest: switch 3, port 3"), "of equals the first");
	char *plan = read_text("svg/run-floor.svg");
	for (int i = 11; i <= 88;
	     i += 11) { /* every bus and multiplexer; tiles' crossbars: the means of their outputs */
		char number[40];
		snprintf(number, sizeof number, ">%d</text>", i);
		cr_expect_eq(count(plan, number), 1, "%s", number);
	}
	cr_expect_eq(count(plan, ">38</text>"), 4, "(50 + 25) / 2");
	cr_expect(strstr(plan, "column 1") && strstr(plan, "row 1") && strstr(plan, "100 % time in use"));
	cr_expect_eq(access("png/run-latency-stack.png", R_OK), 0);
	free(plan);
	free(page);
}

Test(report, of_damaged_instruments_draws_what_makes_sense, .init = enter_folder, .fini = leave_folder)
{
	static const char *const records[] = {
		"{\"record\":\"switch\"}",
		"{\"record\":\"switch\",\"switch\":\"x\",\"classes\":7,\"tiles\":[]}",
		"{\"record\":\"switch\",\"switch\":1,\"ports\":4,\"tiles\":{\"rows\":1e9,\"columns\":-3,\"ports_per_"
		"tile\":0.5}}",
		"{\"record\":\"switch\",\"switch\":1,\"ports\":100,\"tiles\":{\"rows\":2,\"columns\":2,\"ports_per_"
		"tile\":1}}",
		"{\"record\":\"switch\",\"switch\":2,\"ports\":4,\"tiles\":{\"rows\":2,\"columns\":2,\"ports_per_"
		"tile\":1},"
		"\"bus_utilization\":[1e308,null,\"a\"],\"crossbar_utilization\":[3,[],[1,2,3,4,5]],\"link_"
		"utilization\":{}}",
		"{\"record\":\"switch\",\"classes\":[3,{},{\"class\":\"c\",\"packets\":[1,20],\"latency_ps\":[1e308,"
		"1e308],"
		"\"stages\":[{},3,{\"stage\":\"s\",\"ps\":[-1,1e308,7]}]}]}",
	};
	char *argv[] = { "report", "run.jsonl.gz", "--quiet", "--static" };
	for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
		synthetic_write("run.jsonl.gz", "{}", "minimal", 0.5, 1, true);
		add_record("run.jsonl.gz", records[i]);
		cr_expect_eq(xp_command_main(&xp_command_report, 4, argv), 0, "%s", records[i]);
		char *page = read_text("run.html");
		cr_expect(page && strstr(page, "Inside the switches"), "%s", records[i]);
		check_self_contained(page);
		free(page);
	}
}

Test(report, of_a_sweep, .init = enter_folder, .fini = leave_folder)
{
	char *run[] = { "sweep", "e.cfg", "--out", "out", "--quiet" };
	char *argv[] = { "report", "out", "--png", "png", "--quiet", "--static" };
	write_text("e.cfg", EXPERIMENT);
	cr_assert_eq(xp_command_main(&xp_command_sweep, 5, run), 0);
	cr_assert_eq(xp_command_main(&xp_command_report, 6, argv), 0);
	char *page = read_text("out/report.html");
	cr_assert(page);
	check_self_contained(page);
	cr_assert_eq(figures_in(page, 6), 6, "throughput, latency, distribution; network, room, parts");
	/* accepted 0.95 at offered 1.0 is outside [0.96, 1.0]; nothing else is */
	cr_assert_eq(count(page, " missed"), 1);
	/* published at 1.0 for valiant: 0.7 raw, 0.35 scaled */
	cr_assert(strstr(page, "<td>0.7000</td><td>0.3500</td>"));
	cr_assert_eq(access("png/accepted-load.png", R_OK), 0);
	free(page);
}

Test(report, of_a_sweep_with_panels_of_an_axis, .init = enter_folder, .fini = leave_folder)
{
	char *run[] = { "sweep", "e.cfg", "--out", "out", "--quiet" };
	char *argv[] = { "report", "out", "--svg", "svg", "--quiet" };
	write_text("e.cfg", EXPERIMENT "panels = \"routing\";\n");
	cr_assert_eq(xp_command_main(&xp_command_sweep, 5, run), 0);
	cr_assert_eq(xp_command_main(&xp_command_report, 5, argv), 0);
	char *figure = read_text("svg/accepted-load.svg");
	cr_assert_eq(count(figure, ">minimal</text>"), 1, "a panel's title, not a series");
	cr_assert_eq(count(figure, ">accepted</text>"), 1, "the series, which has no name left");
	free(figure);
}

/* Where no point is stationary, no curve is drawn; the synthetic runs say so above 0.6. */
Test(report, of_a_saturated_sweep_draws_no_latency, .init = enter_folder, .fini = leave_folder)
{
	char *run[] = { "sweep", "e.cfg", "--out", "out", "--quiet" };
	char *argv[] = { "report", "out", "--svg", "svg", "--quiet" };
	if (!can_draw())
		cr_skip_test("ECharts, node or rsvg-convert is missing");
	write_text("e.cfg", "title = \"t\"; base = \"slimfly-3k\";\n"
	                    "grid = ( { path = \"traffic.[0].load\"; values = [0.7, 0.8]; } );\n");
	cr_assert_eq(xp_command_main(&xp_command_sweep, 5, run), 0);
	cr_assert_eq(xp_command_main(&xp_command_report, 5, argv), 0);
	char *page = read_text("out/report.html");
	cr_assert(strstr(page, "2 of 2 points are past saturation (not stationary)"));
	cr_assert_neq(access("svg/latency.svg", F_OK), 0);
	cr_assert_eq(access("svg/accepted-load.svg", F_OK), 0);
	free(page);
}

Test(report, of_something_else_is_an_error, .init = enter_folder, .fini = leave_folder)
{
	char *argv[] = { "report", "x.jsonl.gz", "--quiet" };
	cr_redirect_stderr();
	cr_assert_eq(xp_command_main(&xp_command_report, 3, argv), 1);
	write_text("x.jsonl.gz", "hello\n");
	cr_assert_eq(xp_command_main(&xp_command_report, 3, argv), XP_USAGE);
	cr_assert(access("x.html", F_OK), "no page without content");
}

Test(report, log_gives_the_records_before_the_damage, .init = enter_folder, .fini = leave_folder)
{
	gzFile out = gzopen("a.gz", "wb");
	gzputs(
	    out,
	    "{\"record\":\"manifest\"}\n{\"record\":\"packet\",\"src\":1}\n{\"record\":\"summary\",\"complete\":true,"
	    "\"accepted_load\":0.5,\"digest\":\"0\",\"a\":{\"b\":2}}\n{\"rec");
	gzclose(out);
	struct xp_log *log = xp_log_open("a.gz", NULL);
	json_t *record = xp_log_next(log);
	cr_assert_str_eq(xp_record_kind(record), "manifest");
	json_decref(record);
	record = xp_log_next(log);
	cr_assert_str_eq(xp_record_kind(record), "summary", "packets are passed over");
	cr_assert_float_eq(xp_number(record, "a", "b", NULL), 2, 0);
	cr_assert(isnan(xp_number(record, "a", "c", NULL)));
	json_decref(record);
	cr_assert_null(xp_log_problem(log));
	cr_assert_null(xp_log_next(log));
	cr_assert_str_eq(xp_log_problem(log), "the file ends within a record");
	xp_log_close(log);
}

Test(report, no_damage_crashes_the_log_reader, .init = enter_folder, .fini = leave_folder)
{
	synthetic_write("run.jsonl.gz", "{}", "minimal", 0.5, 1, true);
	FILE *in = fopen("run.jsonl.gz", "rb");
	static unsigned char bytes[1 << 16];
	size_t n = fread(bytes, 1, sizeof bytes, in);
	fclose(in);
	unsigned x = 99;
	for (int round = 0; round < 500; round++) {
		x = x * 1664525u + 1013904223u;
		size_t at = (x >> 8) % n;
		unsigned char old = bytes[at];
		bytes[at] ^= (unsigned char)(1u << (x & 7));
		FILE *out = fopen("b.gz", "wb");
		fwrite(bytes, 1, n, out);
		fclose(out);
		bytes[at] = old;
		struct xp_log *log = xp_log_open("b.gz", NULL);
		json_t *record;
		while ((record = xp_log_next(log)))
			json_decref(record);
		xp_log_close(log);
	}
}

Test(report, distribution_is_the_share_above)
{
	/* 100 packets: 60 below 500 ns, 30 more below 600 ns, 10 below 1000 ns */
	json_t *h = json_loads("{\"bins\":[[400000,500000,60],[500000,600000,30],[600000,1000000,10]]}", 0, NULL);
	struct xp_report report = { .interactive = true };
	json_t *points = xp_ccdf(&report, h), *wanted = json_loads("[[400,1],[500,0.4],[600,0.1]]", 0, NULL);
	cr_assert(json_equal(points, wanted));
	json_decref(wanted);
	json_decref(points);
	json_decref(h);
}
