/* Sweeps: the grid, its errors, running, resuming, failing, being interrupted. */
#include "experiments/commands/command.h"
#include "experiments/config/config.h"
#include "experiments/results/reader.h"
#include "experiments/results/row.h"
#include "experiments/sweep/table.h"

#include "tests/experiments/sweep/synthetic.h"

#include <criterion/redirect.h>
#include <sys/stat.h>

static int sweep(const char *const *more)
{
	char *argv[32] = { "sweep", "e.cfg", "--out", "out", "--quiet", "-j", "2" };
	int argc = 7;
	for (; more && *more; more++)
		argv[argc++] = (char *)*more;
	return xp_command_main(&xp_command_sweep, argc, argv);
}

/* How many runs have been started so far. */
static long runs(void)
{
	struct stat st;
	return stat("ran", &st) ? 0 : (long)st.st_size;
}

static void start(void)
{
	enter_folder();
	write_text("e.cfg", EXPERIMENT);
	setenv("SYNTHETIC_LOG", "ran", 1);
}

static json_t *row(const char *name)
{
	json_t *record, *found = NULL;
	struct xp_log *log = xp_log_open("out/summary.jsonl", NULL);
	cr_assert(log);
	while ((record = xp_log_next(log))) {
		if (!strcmp(xp_text(record, "name"), name))
			found = record;
		else
			json_decref(record);
	}
	xp_log_close(log);
	cr_assert(found, "no row %s", name);
	return found;
}

Test(sweep, runs_the_product_of_the_axes, .init = start, .fini = leave_folder)
{
	cr_assert_eq(sweep(NULL), 0);
	cr_assert_eq(runs(), 6);
	json_t *r = row("valiant_1.0");
	cr_assert_float_eq(xp_number(r, "offered_load", NULL), 1.0, 1e-9);
	cr_assert_float_eq(xp_number(r, "accepted_load", NULL), 0.5, 1e-9); /* the formula's limit */
	cr_assert_float_eq(xp_number(r, "latency_mean_ns", NULL), 600, 1e-9);
	cr_assert_float_eq(xp_number(r, "latency_p99_ns", NULL), 900.5, 1e-9);
	cr_assert(json_is_true(json_object_get(r, "latency_censored")));
	cr_assert_str_eq(xp_text(json_object_get(r, "labels"), "routing"), "valiant");
	json_decref(r);
	char *csv = read_text("out/summary.csv");
	int lines = 0;
	for (char *p = csv; *p; p++)
		lines += *p == '\n';
	cr_assert_eq(lines, 7);
	cr_assert(strstr(csv, "\nminimal_0.25,minimal,0.25,done,true,0.25,0.25,525,"), "%s", csv);
	free(csv);
}

Test(sweep, keeps_what_is_done_and_only_that, .init = start, .fini = leave_folder)
{
	const char *other[] = { "--set", "switch.traversal=90ns", NULL };
	cr_assert_eq(sweep(NULL), 0);
	cr_assert_eq(sweep(NULL), 0);
	cr_assert_eq(runs(), 6, "a finished sweep ran again");
	cr_assert_eq(unlink("out/points/minimal_0.5.jsonl.gz"), 0);
	cr_assert_eq(truncate("out/points/minimal_0.25.jsonl.gz", 200), 0);
	cr_assert_eq(sweep(NULL), 0);
	cr_assert_eq(runs(), 8, "the missing and the damaged point, no other");
	cr_assert_eq(sweep(other), 0);
	cr_assert_eq(runs(), 14, "another configuration is another result");
}

Test(sweep, short_form_has_its_own_values_and_settings, .init = start, .fini = leave_folder)
{
	const char *brief[] = { "--short", NULL };
	cr_assert_eq(sweep(brief), 0);
	cr_assert_eq(runs(), 2);
	json_t *manifest = NULL, *r = xp_row_read("out/points/minimal_0.5.jsonl.gz", NULL, &manifest, NULL);
	cr_assert(r && manifest);
	cr_assert_str_eq(xp_text(json_object_get(json_object_get(manifest, "config"), "time"), "measure"), "20us");
	json_decref(r);
	json_decref(manifest);
}

Test(sweep, reports_failures, .init = start, .fini = leave_folder)
{
	const char *bad[] = { "--seed", "13", NULL };
	cr_redirect_stderr();
	cr_assert_eq(sweep(bad), 1);
	json_t *r = row("minimal_0.5");
	cr_assert_str_eq(xp_text(r, "state"), "failed");
	cr_assert_str_eq(xp_text(r, "message"), "exit status 3: the thirteenth");
	json_decref(r);
	cr_assert_eq(sweep(NULL), 0, "a failed sweep can be resumed");
}

Test(sweep, an_interrupt_stops_children_and_keeps_results, .init = start, .fini = leave_folder)
{
	const char *slow[] = { "--seed", "14", "-j", "1", NULL };
	cr_redirect_stderr();
	cr_assert_eq(sweep(slow), 130);
	cr_assert_eq(runs(), 1, "nothing is started after the interrupt");
	json_t *r = row("minimal_0.25");
	cr_assert(json_is_false(json_object_get(r, "complete")));
	json_decref(r);
	r = row("valiant_1.0");
	cr_assert_str_eq(xp_text(r, "state"), "not run");
	json_decref(r);
}

Test(sweep, expectations_decide_the_exit_status_only_when_asked, .init = start, .fini = leave_folder)
{
	const char *check[] = { "--check", NULL };
	cr_assert_eq(sweep(NULL), 0);
	cr_assert_eq(sweep(check), 1); /* minimal accepts 0.95 at 1.0 where 0.96 is expected */
}

Test(sweep, published_curves_are_straight_between_their_points, .init = start, .fini = leave_folder)
{
	struct xp_experiment e;
	struct base_errors errors = { 0 };
	cr_assert_eq(xp_experiment_read(&e, "e.cfg", &errors), 0);
	json_t *valiant = json_pack("{s:s}", "routing", "valiant"), *minimal = json_pack("{s:s}", "routing", "minimal");
	cr_assert_float_eq(xp_published(&e, valiant, 0.2), 0.2, 1e-12);
	cr_assert_float_eq(xp_published(&e, valiant, 0.7), 0.55, 1e-12); /* half way from .4 to .7 */
	cr_assert(isnan(xp_published(&e, valiant, 0.1)), "nothing is published there");
	cr_assert(isnan(xp_published(&e, minimal, 0.5)));
	json_decref(valiant);
	json_decref(minimal);
	xp_experiment_free(&e);
}

Test(sweep, every_problem_of_a_file_is_reported_with_its_line, .init = start, .fini = leave_folder)
{
	write_text("bad.cfg", "titel = \"x\";\n"
	                      "base = \"a\"; config = { };\n"
	                      "grid = ( { name = \"a\"; values = [1]; },\n"
	                      "  { path = \"seed\"; values = [1, 1]; },\n"
	                      "  { name = \"b\"; points = ( { label = \"l\"; set = [\"nonsense\"]; } ); } );\n"
	                      "x = \"c\"; panels = \"d\";\n"
	                      "expected = ( { x = [0.5]; range = [0.0, 1.0]; } );\n");
	static const char *const wanted[] = {
		"bad.cfg:1: titel: unknown key; did you mean \"title\"?",
		"bad.cfg:2: base: either",
		"bad.cfg:3: grid.[0].path: is missing",
		"bad.cfg:4: grid.[1]: \"1\" is listed twice",
		"bad.cfg:5: grid.[2].points.[0].set: \"nonsense\" must be PATH=VALUE",
		"bad.cfg:6: x: no axis is named \"c\"",
		"bad.cfg:6: panels: no axis is named \"d\"",
		"bad.cfg:7: expected.[0]: x must be [low, high]",
	};
	struct xp_experiment e;
	struct base_errors errors = { 0 };
	cr_assert_eq(xp_experiment_read(&e, "bad.cfg", &errors), -1);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		size_t k = 0;
		for (; k < errors.n; k++) {
			struct base_buffer line = { 0 };
			xp_config_line(NULL, &errors.v[k], &line);
			bool found = !strncmp(line.data, wanted[i], strlen(wanted[i]));
			free(line.data);
			if (found)
				break;
		}
		cr_assert_lt(k, errors.n, "missing: %s", wanted[i]);
	}
	base_errors_free(&errors);
	xp_experiment_free(&e);
}

Test(sweep, a_bad_point_stops_the_sweep_before_it_starts, .init = start, .fini = leave_folder)
{
	const char *bad[] = { "--set", "routing.kind=nonsense", NULL };
	cr_redirect_stderr();
	cr_assert_eq(sweep(bad), 2);
	cr_assert_eq(runs(), 0);
	cr_assert(access("out", F_OK), "nothing is written");
}

/* Random damage to a good file: an error or not, never a crash. */
Test(sweep, no_text_crashes_the_reader, .init = start, .fini = leave_folder)
{
	unsigned x = 12345;
	for (int round = 0; round < 400; round++) {
		char text[] = EXPERIMENT;
		for (int k = 0; k < 4; k++) {
			x = x * 1664525u + 1013904223u;
			text[(x >> 8) % (sizeof text - 1)] = "{}()[];=\"x1. \n"[(x >> 4) % 14];
		}
		write_text("fuzz.cfg", text);
		struct xp_experiment e;
		struct base_errors errors = { 0 };
		xp_experiment_read(&e, "fuzz.cfg", &errors);
		base_errors_free(&errors);
		xp_experiment_free(&e);
	}
}

/* The shipped experiment says what the study says. */
Test(sweep, shipped_validation_experiment)
{
	struct xp_experiment e;
	struct base_errors errors = { 0 };
	cr_assert_eq(
	    xp_experiment_read(&e, TILEFLY_SOURCE_DIR "/experiments/shipped/studies/slimfly-validation.cfg", &errors),
	    0, "%s", errors.n ? errors.v[0].text : "");
	cr_assert_eq(e.naxes, 3);
	cr_assert_eq(e.axis[0].n * e.axis[1].n * e.axis[2].n, 3 * 2 * 13);
	json_t *labels = json_pack("{s:s,s:s}", "routing", "minimal", "traffic", "worst-case");
	cr_assert_float_eq(xp_published(&e, labels, 0.6), 0.055, 1e-12); /* section 3.1 */
	json_decref(labels);
	labels = json_pack("{s:s,s:s}", "routing", "adaptive", "traffic", "worst-case");
	cr_assert_float_eq(xp_published(&e, labels, 1.0), 0.58, 1e-12); /* section 3.3 */
	json_decref(labels);
	xp_experiment_free(&e);
}
