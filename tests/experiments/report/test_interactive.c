/* Interactive pages: the data of their charts equal the results, one colour a series, nothing fetched, nothing escapes
 * from its element. What the script makes of them is tested by tests/page/. */
#include "experiments/commands/command.h"
#include "experiments/report/assets.h"
#include "experiments/report/chart.h"
#include "experiments/results/reader.h"

#include "tests/experiments/sweep/synthetic.h"

static const char data[] = "<script type=\"application/json\"";

/* The JSON of every chart's element, in order. */
static json_t *figures_of(const char *page)
{
	json_t *all = json_array();
	for (const char *at = page; (at = strstr(at, data)); at++) {
		const char *from = strchr(at, '>') + 1, *to = strstr(from, "</script>");
		json_t *value = json_loadb(from, (size_t)(to - from), 0, NULL);
		cr_assert(value, "JSON that can be read");
		if (json_object_get(value, "charts"))
			json_array_append(all, value);
		json_decref(value);
	}
	return all;
}

/* The n-th figure's chart. */
static const json_t *chart_of(const json_t *figures, size_t figure, size_t chart)
{
	return json_array_get(json_object_get(json_array_get(figures, figure), "charts"), chart);
}

static const json_t *series_named(const json_t *chart, const char *name)
{
	size_t i;
	json_t *series;
	json_array_foreach (json_object_get(chart, "series"), i, series)
		if (!strcmp(xp_text(series, "name"), name))
			return series;
	return NULL;
}

static double value_at(const json_t *series, size_t point, size_t k)
{
	return json_number_value(json_array_get(json_array_get(json_object_get(series, "points"), point), k));
}

static void check_fetches_nothing(const char *page)
{
	const char *body = strstr(page, "<main>");
	cr_assert(strstr(page, "default-src 'none'"), "the browser is told to");
	cr_assert(body);
	for (const char *at = body; (at = strstr(at, "src=")); at++)
		cr_assert(strstr(page, "<script>") < at, "only inside a script's text");
	cr_assert(!strstr(page, "<link") && !strstr(page, "<script src"));
}

static char *page_of(char **argv, int n, const char *file)
{
	if (!xp_has_charts())
		cr_skip_test("built without ECharts");
	cr_assert_eq(xp_command_main(&xp_command_report, n, argv), 0);
	char *page = read_text(file);
	cr_assert(page);
	check_fetches_nothing(page);
	return page;
}

Test(interactive, of_a_run, .init = enter_folder, .fini = leave_folder)
{
	char *argv[] = { "report", "run.jsonl.gz", "--svg", "svg", "--quiet" };
	synthetic_write("run.jsonl.gz", "{\"time\":{\"warmup\":\"4us\",\"measure\":\"10us\"}}", "minimal", 0.5, 1,
	                true);
	char *page = page_of(argv, 5, "run.html");
	json_t *figures = figures_of(page);
	cr_assert_eq(json_array_size(figures), 4, "distribution, timeline, occupancy, activity");
	const json_t *creation = series_named(chart_of(figures, 0, 0), "background, from creation");
	cr_assert_float_eq(value_at(creation, 0, 0), 400, 1e-9);
	cr_assert_float_eq(value_at(creation, 1, 0), 500, 1e-9);
	cr_assert_float_eq(value_at(creation, 1, 1), 0.4, 1e-9);
	const json_t *delivered = series_named(chart_of(figures, 1, 0), "delivered");
	/* 90 packets of 256 bytes, 8 at a time, in 2 us to 16 endpoints */
	cr_assert_float_eq(value_at(delivered, 0, 1), 8.0 * 90 * 256 * 8 / 2000 / 16, 1e-4);
	cr_assert_eq(json_array_size(json_object_get(delivered, "points")), 7,
	             "the bin behind the window holds all that came later");
	const json_t *edges = json_object_get(chart_of(figures, 1, 0), "edges");
	cr_assert_float_eq(json_number_value(json_array_get(edges, 1)), 14000, 1e-6, "the window's end in ns");
	cr_assert_eq(json_array_size(json_object_get(json_array_get(figures, 3), "charts")), 4);
	cr_assert(strstr(page, "data-term=\"accepted_load\"") && strstr(page, "id=\"terms\""));
	cr_assert_eq(access("svg/run-activity.svg", R_OK), 0, "files as well");
	json_decref(figures);
	free(page);
}

/* The rows of a sweep's records; what is drawn of them is tested in tests/web/. */
Test(interactive, of_a_sweep, .init = enter_folder, .fini = leave_folder)
{
	char *run[] = { "sweep", "e.cfg", "--out", "out", "--quiet" };
	char *argv[] = { "report", "out", "--quiet" };
	write_text("e.cfg", EXPERIMENT);
	cr_assert_eq(xp_command_main(&xp_command_sweep, 5, run), 0);
	char *page = page_of(argv, 3, "out/report.html");
	const char *from = strchr(strstr(page, "class=\"records\" data-id=\"out\""), '>') + 1;
	json_t *records = json_loadb(from, (size_t)(strstr(from, "</script>") - from), 0, NULL), *row;
	size_t i, known = 0;
	cr_assert(records);
	cr_assert_eq(json_array_size(json_object_get(records, "rows")), 6);
	json_array_foreach (json_object_get(records, "rows"), i, row) {
		bool valiant = !strcmp(xp_text(json_object_get(row, "labels"), "routing"), "valiant");
		double published = xp_number(row, "published", NULL);
		cr_expect_eq(isfinite(published), valiant, "row %zu", i);
		cr_expect(xp_number(row, "x", NULL) < 1 || !valiant || fabs(published - 0.7) < 1e-6);
		known += !strcmp(xp_text(row, "worth"), "known");
	}
	cr_expect_eq(known, 4, "two of each are not past saturation");
	cr_assert(strstr(page, "{\"make\":\"sweep\",\"of\":\"out\"}"));
	json_decref(records);
	free(page);
}

/* Of many runs the first has all of its configuration, the others what differs. */
Test(interactive, of_many_runs, .init = enter_folder, .fini = leave_folder)
{
	char name[9][32], config[64], *argv[12] = { "report" };
	for (int i = 0; i < 9; i++) {
		snprintf(name[i], sizeof name[i], "r%d.jsonl.gz", i);
		snprintf(config, sizeof config, "{\"seed\":%d,\"output\":{\"file\":\"r%d\"}}", i + 1, i);
		synthetic_write(name[i], config, "minimal", 0.1 * (i + 1), 1, true);
		argv[i + 1] = name[i];
	}
	argv[10] = "--quiet";
	char *page = page_of(argv, 11, "report.html");
	json_t *figures = figures_of(page);
	const json_t *runs = series_named(chart_of(figures, 0, 0), "runs");
	cr_assert_eq(json_array_size(json_object_get(runs, "points")), 9, "a point a run");
	cr_assert_float_eq(value_at(runs, 4, 1), 550, 1e-3);
	cr_assert(strstr(page, "<tr><td class=\"l\">seed</td><td class=\"l\">9</td><td class=\"l\">1</td></tr>"));
	cr_assert_not(strstr(page, "<td class=\"l\">output.file</td>"));
	json_decref(figures);
	free(page);
}

Test(interactive, texts_stay_inside_their_element)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *page = open_memstream(&text, &bytes);
	json_t *value = json_pack("{s:o}", "</script><b>\xc3\xa9", xp_json_text("\xff</script><script>"));
	xp_write_json(page, value, "x");
	fclose(page);
	cr_assert_str_eq(strstr(text, "</script>"), "</script>", "the only end is the element's own");
	cr_assert(!strchr(strchr(text, '{'), '<') || strchr(strchr(text, '{'), '<') == strstr(text, "</script>"));
	json_decref(value);
	free(text);
}

Test(interactive, what_cannot_be_seen_is_left_out_of_a_distribution)
{
	json_t *bins = json_array(), *histogram;
	struct xp_report report = { .interactive = true };
	for (int i = 0; i < 5000; i++)
		json_array_append_new(bins, json_pack("[i, i, i]", 1000000 + 100 * i, 1000100 + 100 * i, 1));
	histogram = json_pack("{s:o}", "bins", bins);
	json_t *series = json_pack("{s:o}", "points", xp_ccdf(&report, histogram));
	size_t n = json_array_size(json_object_get(series, "points"));
	cr_assert(n < 300, "%zu points", n);
	for (size_t i = 1; i < n; i++) { /* those that are left lie on the curve */
		double x = value_at(series, i, 0), y = value_at(series, i, 1);
		cr_expect_float_eq(y, 1 - (x - 1000) / 0.1 / 5000, 1e-9, "at %g", x);
	}
	json_decref(histogram);
	json_decref(series);
}

/* The figure of this name. */
static const json_t *figure_named(const json_t *figures, const char *name)
{
	size_t i;
	json_t *figure;
	json_array_foreach (figures, i, figure)
		if (!strcmp(xp_text(figure, "name"), name))
			return json_array_get(json_object_get(figure, "charts"), 0);
	return NULL;
}

#define SLIMFLY "\"topology\":{\"kind\":\"slimfly\",\"q\":5,\"endpoints\":4}"

Test(interactive, a_network_has_its_switches_and_cables, .init = enter_folder, .fini = leave_folder)
{
	char *argv[] = { "report", "run.jsonl.gz", "--quiet" };
	synthetic_write("run.jsonl.gz", "{" SLIMFLY ",\"layout\":{\"columns\":5}}", "minimal", 0.5, 1, true);
	char *page = page_of(argv, 3, "run.html");
	json_t *figures = figures_of(page);
	const json_t *graph = figure_named(figures, "run-network"), *room = figure_named(figures, "run-room");
	cr_assert(graph && room);
	size_t local = json_array_size(json_object_get(series_named(graph, "local cables"), "points"));
	size_t global = json_array_size(json_object_get(series_named(graph, "global cables"), "points"));
	cr_expect_eq(json_array_size(json_object_get(json_object_get(graph, "network"), "nodes")), 50, "2 q q");
	cr_expect_eq(global, 125, "q q q between the blocks");
	cr_expect_eq(local, 50, "the Hoffman-Singleton graph has 175 edges");
	double between = 0;
	const json_t *optical = series_named(room, "optical between racks");
	for (size_t i = 0; i < json_array_size(json_object_get(optical, "points")); i++)
		between += value_at(optical, i, 2);
	cr_expect_eq(json_array_size(json_object_get(json_object_get(room, "network"), "nodes")), 5, "racks");
	cr_expect_float_eq(between, 100, 1e-9, "10 from each rack to each other");
	json_decref(figures);
	free(page);
}

Test(interactive, a_network_that_cannot_be_built_is_left_out, .init = enter_folder, .fini = leave_folder)
{
	static const char *const configs[] = {
		"{\"topology\":{\"kind\":\"of a plug-in\"}}",
		"{\"topology\":{\"kind\":\"slimfly\",\"q\":6}}",
		"{\"topology\":{\"kind\":\"edges\",\"file\":\"/dev/zero\"}}",
		"{\"plugins\":[\"./evil.so\"]," SLIMFLY "}",
	};
	char *argv[] = { "report", "run.jsonl.gz", "--quiet" };
	for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
		synthetic_write("run.jsonl.gz", configs[i], "minimal", 0.5, 1, true);
		char *page = page_of(argv, 3, "run.html");
		cr_expect_eq(strstr(page, "<h2>Network</h2>") != NULL, i == 3, "%s: plug-ins are not loaded",
		             configs[i]);
		free(page);
	}
}

Test(interactive, every_kind_of_chart_can_be_drawn, .init = enter_folder, .fini = leave_folder)
{
	static const char *const kinds[] = { "lines", "scatter", "bars", "stack" };
	struct base_errors errors = { 0 };
	struct xp_report report = { .errors = &errors, .folder = { "." } };
	if (!xp_has_charts() || system("command -v node >/dev/null"))
		cr_skip_test("node, or ECharts, is missing");
	cr_assert_eq(xp_report_begin(&report, "four kinds"), 0);
	for (size_t i = 0; i < 4; i++) {
		json_t *figure = xp_charts(kinds[i], "a caption"), *chart = xp_chart(figure, kinds[i], "a title");
		xp_chart_axis(chart, "x", "time", "ns", XP_AXIS_ZERO);
		xp_chart_axis(chart, "y", i < 2 ? "share" : "", i < 2 ? "share" : "", 0);
		json_t *series = xp_chart_series(chart, "k", "it's \"one\"", i == 1 ? "" : "line");
		for (int k = 0; k < 3; k++) {
			if (i > 1)
				xp_series_point(series, (double)xp_chart_name(chart, "y", "a name"), 4000 + k, 3990,
				                4010);
			else if (i == 1)
				xp_series_spot(series, "spot", 5000, NAN, NAN, 0.25, 0.2, 0.3);
			else
				xp_series_point(series, 5000 + k, 0.25, 0.2, 0.3);
		}
		xp_charts_write(&report, figure);
	}
	cr_assert_eq(xp_report_end(&report, "page.html"), 0);
	char *page = read_text("page.html"), *lines = read_text("lines.svg"), *bars = read_text("bars.svg");
	cr_expect(strstr(lines, "4 µs") && strstr(lines, "25 %") && strstr(lines, "share"));
	cr_expect(strstr(bars, "a name") && access("stack.svg", R_OK) == 0 && access("scatter.svg", R_OK) == 0);
	cr_expect(page && strstr(page, "<svg") && !strstr(page, "<script"));
	free(page);
	free(lines);
	free(bars);
	base_errors_free(&errors);
}
