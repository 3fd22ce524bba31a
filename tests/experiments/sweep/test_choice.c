/* Which points of a grid are run: several seeds each, up to saturation, by bisection. Synthetic results are stationary
 * up to load 0.6; a run's accepted load is 0.01 * seed too high. */
#define SYNTHETIC_NOISE 0.01
#include "experiments/commands/command.h"
#include "experiments/results/reader.h"
#include "experiments/sweep/plan.h"
#include "experiments/sweep/table.h"

#include "tests/experiments/sweep/synthetic.h"

#include <criterion/redirect.h>
#include <sys/stat.h>

#define ROUTINGS "  { path = \"routing.kind\"; values = [ \"minimal\", \"valiant\" ]; },\n"
#define AXES(values) "grid = (\n" ROUTINGS "  { path = \"traffic.[0].load\"; values = " values "; } );\n"

static int sweep_of(const char *text, const char *more)
{
	char *argv[] = { "sweep", "e.cfg", "--out", "out", "--quiet", "-j", "2", (char *)more, NULL };
	char *whole;
	cr_assert_gt(asprintf(&whole, "base = \"slimfly-3k\";\n%s", text), 0);
	write_text("e.cfg", whole);
	free(whole);
	return xp_command_main(&xp_command_sweep, more ? 8 : 7, argv);
}

static long runs(void)
{
	struct stat st;
	return stat("ran", &st) ? 0 : (long)st.st_size;
}

static void start(void)
{
	enter_folder();
	setenv("SYNTHETIC_LOG", "ran", 1);
}

TestSuite(choice, .init = start, .fini = leave_folder);

static json_t *rows(void)
{
	json_t *all = json_array(), *record;
	struct xp_log *log = xp_log_open("out/summary.jsonl", NULL);
	cr_assert(log);
	while ((record = xp_log_next(log)))
		json_array_append_new(all, record);
	xp_log_close(log);
	return all;
}

/* The loads of a routing's rows, in their order. */
static void assert_loads(const json_t *all, const char *routing, const char *wanted)
{
	char text[512] = "";
	size_t i;
	const json_t *row;
	json_array_foreach (all, i, row) {
		const json_t *labels = json_object_get(row, "labels");
		if (strcmp(xp_text(labels, "kind"), routing) != 0)
			continue;
		strcat(text, *text ? " " : "");
		strcat(text, xp_text(labels, "load"));
	}
	cr_assert_str_eq(text, wanted);
}

/* Accepted loads of seeds 1, 2, 3 are 0.26, 0.27, 0.28: mean 0.27, standard deviation 0.01, half width
 * 4.303 * 0.01 / sqrt(3). */
Test(choice, repeats_give_means_with_students_intervals)
{
	cr_assert_eq(sweep_of(AXES("[ 0.25 ]") "repeat = 3;\n", NULL), 0);
	cr_assert_eq(runs(), 6);
	json_t *all = rows(), *row = json_array_get(all, 0);
	double half = 4.303 * 0.01 / sqrt(3);
	cr_assert_eq(json_array_size(all), 2);
	cr_expect_float_eq(xp_number(row, "repeats", NULL), 3, 0);
	cr_expect_float_eq(xp_number(row, "accepted_load", NULL), 0.27, 1e-9);
	cr_expect_float_eq(xp_number(row, "accepted_load_low", NULL), 0.27 - half, 1e-5);
	cr_expect_float_eq(xp_number(row, "accepted_load_high", NULL), 0.27 + half, 1e-5);
	cr_expect_float_eq(xp_number(row, "wall_s", NULL), 0.75, 1e-9, "the time of all runs");
	cr_expect(json_is_true(json_object_get(row, "stationary")));
	cr_expect(!json_object_get(row, "digest"), "three runs have three digests");
	cr_expect_eq(json_integer_value(json_object_get(row, "packets_created")), 30, "a whole number");
	json_t *list = json_object_get(row, "runs");
	cr_assert_eq(json_array_size(list), 3);
	cr_expect_float_eq(xp_number(json_array_get(list, 2), "accepted_load", NULL), 0.28, 1e-9);
	cr_expect_float_eq(xp_number(json_array_get(list, 2), "seed", NULL), 3, 0);
	cr_expect_str_eq(xp_text(json_array_get(list, 1), "name"), "minimal_0.25.seed2");
	json_decref(all);
}

Test(choice, more_repeats_keep_the_runs_there_are)
{
	cr_assert_eq(sweep_of(AXES("[ 0.25 ]"), NULL), 0);
	cr_assert_eq(sweep_of(AXES("[ 0.25 ]") "repeat = 3;\n", NULL), 0);
	cr_assert_eq(runs(), 6, "two were there");
}

/* One run of two fails: the other counts, and the row is not complete. */
Test(choice, a_repeat_that_fails)
{
	cr_redirect_stderr();
	cr_assert_eq(sweep_of(AXES("[ 0.25 ]") "repeat = 2; set = [ \"seed=12\" ];\n", NULL), 1);
	json_t *all = rows(), *row = json_array_get(all, 0);
	cr_expect_str_eq(xp_text(row, "state"), "failed");
	cr_expect_float_eq(xp_number(row, "repeats", NULL), 1, 0, "seed 13 fails");
	cr_expect(json_is_false(json_object_get(row, "complete")));
	cr_expect(json_is_null(json_object_get(row, "stationary")), "not every run says so");
	json_decref(all);
}

Test(choice, series_stop_at_saturation)
{
	cr_assert_eq(sweep_of(AXES("[ 0.25, 0.5, 0.75, 0.9, 1.0 ]") "stop = \"saturation\";\n", NULL), 0);
	cr_assert_eq(runs(), 6);
	json_t *all = rows();
	assert_loads(all, "minimal", "0.25 0.5 0.75");
	assert_loads(all, "valiant", "0.25 0.5 0.75");
	json_decref(all);
	char *csv = read_text("out/saturation.csv");
	cr_assert_str_eq(csv, "kind,low,high\nminimal,0.5,0.75\nvaliant,0.5,0.75\n");
	free(csv);
}

/* Loads 0.05 i: both ends, then i = 10, 15, 12, 13. */
Test(choice, bisection_finds_saturation_to_the_width)
{
	cr_assert_eq(sweep_of(AXES("[ 0.05, 1.0 ]") "find = \"saturation\"; width = 0.05;\n", NULL), 0);
	json_t *all = rows();
	assert_loads(all, "minimal", "0.05 0.5 0.6 0.65 0.75 1.0");
	cr_assert_eq(runs(), 12);
	json_decref(all);
	char *csv = read_text("out/saturation.csv");
	cr_assert_str_eq(csv, "kind,low,high\nminimal,0.6,0.65\nvaliant,0.6,0.65\n");
	free(csv);
	cr_assert_eq(sweep_of(AXES("[ 0.05, 1.0 ]") "find = \"saturation\"; width = 0.05;\n", NULL), 0);
	cr_assert_eq(runs(), 12, "a finished search runs nothing");
	cr_assert_eq(sweep_of(AXES("[ 0.05, 1.0 ]") "find = \"saturation\"; width = 0.025;\n", NULL), 0);
	csv = read_text("out/saturation.csv");
	cr_assert_str_eq(csv, "kind,low,high\nminimal,0.6,0.625\nvaliant,0.6,0.625\n");
	free(csv);
}

Test(choice, ends_that_are_not_crossed)
{
	cr_assert_eq(sweep_of(AXES("[ 0.05, 0.6 ]") "find = \"saturation\"; width = 0.05;\n", NULL), 0);
	cr_assert_eq(runs(), 4);
	char *csv = read_text("out/saturation.csv");
	cr_assert_str_eq(csv, "kind,low,high\nminimal,0.6,\nvaliant,0.6,\n");
	free(csv);
	cr_assert_eq(sweep_of(AXES("[ 0.7, 1.0 ]") "find = \"saturation\"; width = 0.05;\n", NULL), 0);
	csv = read_text("out/saturation.csv");
	cr_assert_str_eq(csv, "kind,low,high\nminimal,,0.7\nvaliant,,0.7\n");
	free(csv);
}

/* The result depends on the grid, not on how many run at once. */
Test(choice, the_same_points_whatever_the_jobs)
{
	cr_assert_eq(sweep_of(AXES("[ 0.05, 1.0 ]") "find = \"saturation\"; width = 0.01; repeat = 2;\n", NULL), 0);
	long first = runs();
	char *one = read_text("out/saturation.csv");
	cr_assert_eq(system("rm -rf out"), 0);
	cr_assert_eq(sweep_of(AXES("[ 0.05, 1.0 ]") "find = \"saturation\"; width = 0.01; repeat = 2;\n", "-j5"), 0);
	char *other = read_text("out/saturation.csv");
	cr_assert_eq(runs(), 2 * first);
	cr_assert_str_eq(one, other);
	free(one);
	free(other);
}

Test(choice, a_width_beyond_the_ends_tries_both)
{
	cr_assert_eq(sweep_of(AXES("[ 0.1, 1.0 ]") "find = \"saturation\"; width = 1e10;\n", NULL), 0);
	json_t *all = rows();
	assert_loads(all, "minimal", "0.1 1.0");
	json_decref(all);
}

/* What an earlier form of the experiment has found says nothing of the new one. */
Test(choice, a_table_of_saturation_goes_with_the_search)
{
	cr_assert_eq(sweep_of(AXES("[ 0.25, 1.0 ]") "stop = \"saturation\";\n", NULL), 0);
	cr_assert_eq(access("out/saturation.csv", F_OK), 0);
	cr_assert_eq(sweep_of(AXES("[ 0.25, 1.0 ]"), NULL), 0);
	cr_assert_neq(access("out/saturation.csv", F_OK), 0);
}

/* Points of several runs are compared by their means and intervals, and all their digests. */
Test(choice, diff_sees_every_run)
{
	char *argv[] = { "diff", "--quiet", "out", "other", NULL };
	cr_assert_eq(sweep_of(AXES("[ 0.25 ]") "repeat = 2;\n", NULL), 0);
	cr_assert_eq(system("cp -r out other"), 0);
	cr_assert_eq(xp_command_main(&xp_command_diff, 4, argv), 0);
	cr_assert_eq(system("cat other/summary.jsonl | sed 's/\"accepted_load\":0.265,/\"accepted_load\":0.4,/; "
	                    "s/\"accepted_load_\\(low\\|high\\)\":[0-9.e-]*/\"accepted_load_\\1\":0.4/g' "
	                    ">new && mv new other/summary.jsonl"),
	             0);
	cr_assert_eq(xp_command_main(&xp_command_diff, 4, argv), 1, "the means' intervals have no point in common");
}

static void refused(const char *text, const char *why)
{
	char *err;
	cr_redirect_stderr();
	cr_assert_eq(sweep_of(text, NULL), 2, "%s", text);
	cr_assert_eq(runs(), 0);
	fflush(stderr);
	FILE *redirected = cr_get_redirected_stderr();
	err = calloc(1, 1 << 16);
	cr_assert_gt(fread(err, 1, (1 << 16) - 1, redirected), 0u);
	cr_assert(strstr(err, why), "%s: %s", text, err);
	free(err);
}

#define REFUSED(name, text, why)     \
	Test(choice, refused_##name) \
	{                            \
		refused(text, why);  \
	}

REFUSED(both, AXES("[ 0.1, 1.0 ]") "find = \"saturation\"; stop = \"saturation\"; width = 0.1;\n",
        "stop: has no effect with \"find\"")
REFUSED(word, AXES("[ 0.1, 1.0 ]") "find = \"satuation\"; width = 0.1;\n", "must be \"saturation\"")
REFUSED(no_width, AXES("[ 0.1, 1.0 ]") "find = \"saturation\";\n", "e.cfg:5: find: requires \"width\"")
REFUSED(lone_width, AXES("[ 0.1, 1.0 ]") "width = 0.1;\n", "width: has no effect without find")
REFUSED(width_of_zero, AXES("[ 0.1, 1.0 ]") "find = \"saturation\"; width = 0;\n", "a number above 0")
REFUSED(tiny_width, AXES("[ 0.1, 1.0 ]") "find = \"saturation\"; width = 1e-9;\n", "too small: 900000000 values lie")
REFUSED(width_of_hardly_more_than_nothing, AXES("[ 0.1, 1.0 ]") "find = \"saturation\"; width = 1e-300;\n",
        "too small: more than 1000000000 values lie")
REFUSED(three_values, AXES("[ 0.1, 0.5, 1.0 ]") "find = \"saturation\"; width = 0.1;\n", "requires two numbers")
REFUSED(falling, AXES("[ 1.0, 0.5 ]") "stop = \"saturation\";\n", "requires increasing numbers")
REFUSED(repeat, AXES("[ 1.0 ]") "repeat = 2.5;\n", "a whole number from 1")
REFUSED(repeat_of_none, AXES("[ 1.0 ]") "repeat = 0;\n", "a whole number from 1")
REFUSED(two_ways_to_set_seeds, "grid = ( { path = \"seed\"; values = [ 1, 2 ]; } ); repeat = 2;\n",
        "also sets the seed")
Test(choice, refused_set_of_an_axis)
{
	cr_redirect_stderr();
	cr_assert_eq(sweep_of(AXES("[ 0.1, 1.0 ]") "stop = \"saturation\";\n", "--set=traffic.[0].load=0.5"), 2);
	cr_assert_eq(runs(), 0);
}
REFUSED(unjudged, AXES("[ 0.1, 1.0 ]") "stop = \"saturation\"; set = [ \"time.drain=false\" ];\n",
        "requires runs that decide whether they are stationary")
