/* tests/experiments/results/test_statistics.c - the manual's table of statistics names what `tilefly run --json`
 * prints, no more and no less. */
#include "experiments/results/statistics.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define COMMAND                                                                                             \
	TILEFLY_PROGRAM                                                                                     \
	" run slimfly-3k --set topology.q=5 --set topology.endpoints=2 --set time.warmup=1us "              \
	"--set 'classes=({ordering=\"flow\";})' --set time.measure=1us --set congestion.kind=window --set " \
	"nic.loss=0.01 --json --set record.messages=true --set "                                            \
	"'switch={kind=\"output-queued\";}' --set "                                                         \
	"'traffic=({load=0.4; packet=\"256B\"; message=\"1KB\"; isolate=true;},{process=\"barrier\"; "      \
	"processes_per_node=2;})'"

static json_t *summary;

#define PRECISE                                                                                \
	TILEFLY_PROGRAM " run slimfly-3k --set topology.q=5 --set topology.endpoints=2 --set " \
			"'time={precision=\"5%\";}' --json"

#define APPLICATION                                                                                              \
	TILEFLY_PROGRAM " run slimfly-3k --set topology.q=5 --set topology.endpoints=2 --set time.measure=auto " \
			"--set 'traffic=({process=\"goal\"; file=\"" TILEFLY_TEST_DATA                           \
			"/goal/wildcards_p5.goal\";})' "                                                         \
			"--set record.path=true --json"

#define FAILING                                                                                                \
	TILEFLY_PROGRAM " run slimfly-3k --set topology.q=5 --set topology.endpoints=2 --set time.warmup=1us " \
			"--set time.measure=3us --set routing.reaction=100ns --set "                           \
			"'failures=({at=\"1us\"; what=\"switch\"; mode=\"down\";})' --json"

static void load(const char *command)
{
	json_error_t error;
	FILE *pipe = popen(command, "r");
	cr_assert_not_null(pipe);
	summary = json_loadf(pipe, 0, &error); /* to the end: a program is killed if its last byte is not read */
	cr_assert_eq(pclose(pipe), 0);
	cr_assert_not_null(summary, "%s", error.text);
}

static void setup(void)
{
	load(COMMAND);
}

TestSuite(statistics, .init = setup);

/* "a.b", "jobs[]", "jobs[].endpoints" */
static const json_t *lookup(const char *path)
{
	char word[64];
	const json_t *at = summary;
	while (at && *path) {
		size_t n = strcspn(path, ".[");
		snprintf(word, sizeof word, "%.*s", (int)n, path);
		at = json_object_get(at, word);
		path += n;
		if (!strncmp(path, "[]", 2)) {
			at = json_array_get(at, 0);
			path += 2;
		}
		path += *path == '.';
	}
	return at;
}

/* Those of runs with time.precision or applications are looked for in one of these: below. */
static bool optional(const char *name)
{
	static const char *const names[] = { "stall",
		                             "precise",
		                             "warmup_found_ns",
		                             "batches",
		                             "interval.",
		                             "lag1_correlation",
		                             "backlog_growth",
		                             "latency_drift",
		                             "still_filling",
		                             "network.kind",
		                             "jobs[].impact.why",
		                             "jobs[].application",
		                             "completion_ns",
		                             "processes",
		                             "operations_unfinished",
		                             "messages_unreceived",
		                             "messages_truncated",
		                             "incomplete_collectives",
		                             "links.",
		                             "failures.",
		                             "partitions[]" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strncmp(names[i], name, strlen(names[i])))
			return true;
	return false;
}

Test(statistics, every_name_is_there)
{
	for (const struct xp_statistic *s = xp_statistics; s->name; s++)
		cr_assert(optional(s->name) || lookup(s->name), "%s is described but not printed", s->name);
}

static bool described(const char *path)
{
	for (const struct xp_statistic *s = xp_statistics; s->name; s++)
		if (!strcmp(s->name, path))
			return true;
	return false;
}

static void visit(const json_t *object, const char *prefix)
{
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)object, key, value)
	{
		char path[256];
		snprintf(path, sizeof path, "%s%s%s%s", prefix, *prefix ? "." : "", key,
		         json_is_array(value) ? "[]" : "");
		if (json_is_object(value))
			visit(value, path);
		else if (strcmp(path, "record"))
			cr_assert(described(path), "%s is printed but not described", path);
	}
}

Test(statistics, every_field_is_described)
{
	visit(summary, "");
}

Test(statistics, every_field_of_a_precise_run_is_described)
{
	json_decref(summary);
	load(PRECISE);
	cr_assert_not_null(json_object_get(summary, "warmup_found_ns"));
	visit(summary, "");
}

Test(statistics, every_field_of_an_application_is_described)
{
	static const char *const own[] = { "completion_ns",         "processes",           "processes_finished",
		                           "operations_unfinished", "messages_unreceived", "messages_truncated",
		                           "incomplete_collectives" };
	json_decref(summary);
	load(APPLICATION);
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		cr_assert_not_null(json_object_get(summary, own[i]), "%s", own[i]);
	visit(summary, "");
	for (const struct xp_statistic *s = xp_statistics; s->name; s++)
		cr_assert(strncmp(s->name, "jobs[].application", 18) != 0 || lookup(s->name),
		          "%s is described but not printed", s->name);
	const json_t *application = lookup("jobs[].application");
	visit(application, "jobs[].application");
	visit(lookup("jobs[].application.calls[]"), "jobs[].application.calls[]");
}

Test(statistics, every_field_of_failures_is_described)
{
	json_decref(summary);
	load(FAILING);
	visit(summary, "");
	for (const struct xp_statistic *s = xp_statistics; s->name; s++)
		cr_assert((strncmp(s->name, "failures.", 9) != 0 && strcmp(s->name, "partitions[]") != 0) ||
		              lookup(s->name),
		          "%s is described but not printed", s->name);
}

/* Numbers of a list begin at 1, and each is there once; the ends of intervals have two in rows. */
Test(statistics, lists_have_no_gap)
{
	for (int list = 0; list < XP_LISTS; list++) {
		int seen[128] = { 0 }, most = 0;
		for (const struct xp_statistic *s = xp_statistics; s->name; s++) {
			int last = list == XP_IN_ROW && s->ends ? s->ends + 1 : s->place[list];
			seen[s->place[list]]++;
			for (int k = 0; list == XP_IN_ROW && s->ends && k < 2; k++)
				seen[s->ends + k]++;
			most = last > most ? last : most;
		}
		for (int n = 1; n <= most; n++)
			cr_assert_eq(seen[n], 1, "place %d of list %d is taken %d times", n, list, seen[n]);
	}
}

Test(statistics, what_is_merged_is_a_column)
{
	for (const struct xp_statistic *s = xp_statistics; s->name; s++) {
		cr_assert_eq(s->merge != XP_MERGE_NOT, s->place[XP_IN_ROW] != 0, "%s", s->name);
		cr_assert(!s->interval || s->ends, "%s", s->name);
	}
}
