/* Interactive pages: the data of their charts equal the results, one colour a series, nothing fetched, nothing escapes
 * from its element. What the script makes of them is tested by tests/page/. */
#include "experiments/commands/command.h"
#include "experiments/report/assets.h"
#include "experiments/report/records.h"
#include "experiments/results/reader.h"

#include "tests/experiments/sweep/synthetic.h"

/* The records of this name in a page; released by the caller. */
static json_t *records_of(const char *page, const char *id)
{
	char begin[200];
	snprintf(begin, sizeof begin, "class=\"records\" data-id=\"%s\">", id);
	const char *from = strstr(page, begin);
	cr_assert(from, "no records of %s", id);
	from += strlen(begin);
	json_t *records = json_loadb(from, (size_t)(strstr(from, "</script>") - from), 0, NULL);
	cr_assert(records, "JSON that can be read");
	return records;
}

static const json_t *item_of(const json_t *records, const char *list, size_t i)
{
	return json_array_get(json_object_get(records, list), i);
}

static size_t count_of(const json_t *records, const char *list)
{
	return json_array_size(json_object_get(records, list));
}

/* The k-th number of the i-th point of a list. */
static double value_at(const json_t *records, const char *list, size_t i, size_t k)
{
	return json_number_value(json_array_get(item_of(records, list, i), k));
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
	json_t *run = records_of(page, "run.jsonl.gz");
	cr_assert_eq(count_of(run, "histograms"), 2);
	const json_t *creation = item_of(run, "histograms", 0);
	cr_assert_str_eq(xp_text(creation, "quantity"), "latency");
	cr_assert_float_eq(value_at(creation, "points", 0, 0), 400, 1e-9);
	cr_assert_float_eq(value_at(creation, "points", 1, 0), 500, 1e-9);
	cr_assert_float_eq(value_at(creation, "points", 1, 1), 0.4, 1e-9);
	/* 90 packets of 256 bytes, 8 at a time, in 2 us to 16 endpoints */
	cr_assert_float_eq(value_at(run, "timeline", 0, 2), 8.0 * 90 * 256 * 8 / 2000 / 16, 1e-4);
	cr_assert_eq(count_of(run, "timeline"), 7, "the bin behind the window holds all that came later");
	cr_assert_float_eq(json_number_value(item_of(run, "window", 1)), 14000, 1e-6, "the window's end in ns");
	cr_assert_eq(count_of(json_object_get(run, "activity"), "maps"), 4);
	cr_assert(count_of(run, "occupancy") > 0);
	cr_assert(strstr(page, "data-term=\"accepted_load\"") && strstr(page, "id=\"terms\""));
	cr_assert(access("svg/run-activity.svg", R_OK) == 0 || system("command -v node >/dev/null"), "files as well");
	json_decref(run);
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
	json_t *records = records_of(page, "out"), *row;
	size_t i, known = 0;
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
	json_t *records = records_of(page, "runs");
	cr_assert_eq(count_of(records, "runs"), 9, "a point a run");
	cr_assert_float_eq(json_number_value(item_of(item_of(records, "runs", 4), "latency", 0)), 550, 1e-3);
	cr_assert(strstr(page, "<tr><td class=\"l\">seed</td><td class=\"l\">9</td><td class=\"l\">1</td></tr>"));
	cr_assert_not(strstr(page, "<td class=\"l\">output.file</td>"));
	json_decref(records);
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
	json_t *drawn = json_pack("{s:o}", "points", xp_ccdf(&report, histogram));
	size_t n = count_of(drawn, "points");
	cr_assert(n < 300, "%zu points", n);
	for (size_t i = 1; i < n; i++) { /* those that are left lie on the curve */
		double x = value_at(drawn, "points", i, 0), y = value_at(drawn, "points", i, 1);
		cr_expect_float_eq(y, 1 - (x - 1000) / 0.1 / 5000, 1e-9, "at %g", x);
	}
	json_decref(histogram);
	json_decref(drawn);
}

#define SLIMFLY "\"topology\":{\"kind\":\"slimfly\",\"q\":5,\"endpoints\":4}"

Test(interactive, a_network_has_its_switches_and_cables, .init = enter_folder, .fini = leave_folder)
{
	char *argv[] = { "report", "run.jsonl.gz", "--quiet" };
	synthetic_write("run.jsonl.gz", "{" SLIMFLY ",\"layout\":{\"columns\":5}}", "minimal", 0.5, 1, true);
	char *page = page_of(argv, 3, "run.html");
	json_t *graph = records_of(page, "run-network"), *room = records_of(page, "run-room");
	const json_t *local = item_of(graph, "classes", 0), *global = item_of(graph, "classes", 1);
	const json_t *optical = item_of(room, "classes", 1);
	double between = 0;
	cr_assert_str_eq(xp_text(local, "name"), "local cables");
	cr_expect_eq(count_of(graph, "nodes"), 50, "2 q q");
	cr_expect_eq(count_of(global, "cables"), 125, "q q q between the blocks");
	cr_expect_eq(count_of(local, "cables"), 50, "the Hoffman-Singleton graph has 175 edges");
	for (size_t i = 0; i < count_of(optical, "cables"); i++)
		between += value_at(optical, "cables", i, 2);
	cr_expect_eq(count_of(room, "nodes"), 5, "racks");
	cr_expect_float_eq(between, 100, 1e-9, "10 from each rack to each other");
	json_decref(graph);
	json_decref(room);
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
