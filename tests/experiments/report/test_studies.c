/* Pages of comparisons and of searches for designs: what cannot be read is refused, whatever is in the file is
 * survived, and nothing that failed is left out. What charts show is tested by tests/page/. */
#include "experiments/commands/command.h"
#include "experiments/report/page.h"
#include "experiments/report/readable.h"

#include "tests/experiments/sweep/synthetic.h"

#include <criterion/redirect.h>
#include <math.h>
#include <sys/stat.h>

/* drawn: a page with drawings, which takes a process of node. */
static int report_as(const char *name, const char *text, bool drawn, char **page)
{
	char file[64];
	char *argv[] = { "report", "f", "--quiet", "--static" };
	unlink("f/compare.json");
	unlink("f/design.json");
	unlink("f/report.html");
	mkdir("f", 0777);
	snprintf(file, sizeof file, "f/%s", name);
	write_text(file, text);
	int status = xp_command_main(&xp_command_report, drawn ? 4 : 3, argv);
	if (page)
		*page = read_text("f/report.html");
	return status;
}

static int report_on(const char *name, const char *text, char **page)
{
	return report_as(name, text, true, page);
}

Test(studies, that_cannot_be_read_are_refused, .init = enter_folder, .fini = leave_folder)
{
	static const char *const texts[] = { "",
		                             "{",
		                             "[]",
		                             "7",
		                             "{\"record\":\"comparison\"}",
		                             "{\"record\":\"comparison\",\"format\":2}",
		                             "{\"record\":\"run\",\"format\":1}" };
	cr_redirect_stderr();
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		cr_expect_eq(report_on("compare.json", texts[i], NULL), 2, "%s", texts[i]);
		cr_expect_eq(report_on("design.json", texts[i], NULL), 2, "%s", texts[i]);
		cr_expect(access("f/report.html", F_OK), "a page of %s", texts[i]);
	}
}

/* Members of any type, and numbers that are none. Some of the pages are drawn; tests/web/studies.js makes the figures
 * of such files in one process. */
Test(studies, of_any_members_are_survived, .init = enter_folder, .fini = leave_folder)
{
	static const char *const values[] = {
		"null", "7", "-1e308", "\"</script>\"", "[]", "{}", "[[[]]]", "[null,{}]"
	};
	static const char *const members[] = { "networks", "designs", "candidates",         "objectives",
		                               "spent",    "mix",     "first_place_changes" };
	static const char *const inner[][2] = {
		{ "\"series\":[", "]" },
		{ "\"series\":[{\"points\":", "}]" },
		{ "\"series\":[{\"saturation\":", "}]" },
		{ "\"curve\":[", "]" },
		{ "\"latency\":", "" },
		{ "\"collectives\":[", "]" },
		{ "\"variables\":", "" },
		{ "\"objectives\":", "" },
		{ "\"resilience\":{\"removed\":", "}" },
		{ "\"topology\":", "" },
		{ "\"name\":", "" },
		{ "\"variables\":{\"a\":", "}" },
		{ "\"endpoints\":3,\"cost_parts_per_endpoint\":", "" },
	};
	char text[1200], with[300];
	for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
		for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
			snprintf(text, sizeof text, "{\"record\":\"comparison\",\"format\":1,\"%s\":%s}", members[m],
			         values[v]);
			cr_expect_eq(report_as("compare.json", text, m == v, NULL), 0, "%s", text);
			snprintf(text, sizeof text, "{\"record\":\"design\",\"format\":1,\"%s\":%s}", members[m],
			         values[v]);
			cr_expect_eq(report_as("design.json", text, m == v, NULL), 0, "%s", text);
		}
		for (size_t k = 0; k < sizeof inner / sizeof *inner; k++) {
			snprintf(with, sizeof with, "%s%s%s", inner[k][0], values[v], inner[k][1]);
			snprintf(text, sizeof text,
			         "{\"record\":\"design\",\"format\":1,\"objectives\":[{\"name\":\"cost\"},{\"name\":"
			         "\"p99\"}],"
			         "\"candidates\":[{%s},{%s,\"state\":\"front\"},null]}",
			         with, with);
			cr_expect_eq(report_as("design.json", text, k == v, NULL), 0, "%s", text);
		}
	}
}

Test(studies, say_what_failed, .init = enter_folder, .fini = leave_folder)
{
	char *page;
	cr_assert_eq(
	    report_on(
		"compare.json",
		"{\"record\":\"comparison\",\"format\":1,\"title\":\"a<b\",\"complete\":false,\"worth_per\":\"USD\","
		"\"networks\":[{\"name\":\"bad\",\"failed\":\"no member\"},{\"name\":\"ring\"}],"
		"\"designs\":[{\"name\":\"bad_x\",\"network\":\"bad\",\"routing\":\"x\",\"failed\":\"no member\","
		"\"series\":[{\"traffic\":\"uniform\",\"points\":[]}]},"
		"{\"name\":\"ring_x\",\"network\":\"ring\",\"routing\":\"x\",\"series\":[{\"traffic\":\"uniform\","
		"\"state\":\"failed\",\"points\":[{\"failed\":\"exit status 3: s.cfg:4: it stalled\"}]}]}]}",
		&page),
	    0);
	cr_assert(page);
	cr_expect(strstr(page, "a&lt;b") && strstr(page, "interrupted"));
	cr_expect(strstr(page, "<span class=\"bad\">bad</span>: no member"));
	cr_expect(strstr(page, "<span class=\"bad\">ring, x under uniform</span>: it stalled"));
	cr_expect(strstr(page, "nothing was simulated"));
	cr_expect(strstr(page, "Left out of a page without a script"));
	free(page);
}

Test(studies, numbers_and_groups_are_readable)
{
	static const struct {
		double value;
		int digits;
		const char *text;
	} numbers[] = { { 0, 4, "0" },
		        { 1234567, 3, "1,234,567" },
		        { -0.00001234, 2, "−0.000012" },
		        { 33.7, 4, "33.7" },
		        { 1e300, 3, "–" },
		        { NAN, 3, "–" },
		        { 999.96, 4, "1,000" },
		        { 7, 4, "7" },
		        { 1e-30, 3, "0" } };
	static const char *const groups[][2] = {
		{ "{ kind = \"torus\"; dims = [8, 8, 4]; endpoints = 2; }", "torus: dims 8 × 8 × 4; endpoints 2" },
		{ "{\n  kind = \"slimfly\";\n  q = 9;\n}", "slimfly: q 9" },
		{ "{ kind = \"single\"; }", "single" },
		{ "( 4, 4 )", "4 × 4" },
		{ "ugal-l", "ugal-l" },
		{ "\"a b\"", "a b" },
		{ "", "" },
		{ "{ q = 5; }", "q 5" },
	};
	char out[64];
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		cr_expect_str_eq(xp_plain(numbers[i].value, numbers[i].digits, out), numbers[i].text);
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
		char *readable = xp_readable(groups[i][0]);
		cr_expect_str_eq(readable, groups[i][1]);
		free(readable);
	}
	cr_expect_str_eq(xp_without_place("exit status 2: /a/b.cfg:17: traffic: no"), "traffic: no");
	cr_expect_str_eq(xp_without_place("of 3: no"), "of 3: no");
	cr_expect_str_eq(xp_without_place("6 is no prime power"), "6 is no prime power");
}
