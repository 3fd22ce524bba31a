/* experiments/commands/diff.c - `tilefly diff`: which estimates of two results differ, which configuration keys. */
#include "base/text.h"
#include "experiments/commands/command.h"
#include "experiments/config/message.h"
#include "experiments/results/compare.h"
#include "experiments/results/reader.h"
#include "experiments/sweep/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- reading ---------------------------------------------------------------------------------------- */

/* Reads the records `manifest` and `summary` of a result log. The caller owns the references *manifest and *summary;
 * *manifest may be NULL. Returns 0, or -1 with an error if the log is damaged or has no summary, because a comparison
 * with a truncated log proves nothing. */
static int read_run(const char *path, json_t **manifest, json_t **summary, struct base_errors *errors)
{
	const char *why;
	struct xp_log *log = xp_log_open(path, &why);
	json_t *record;
	*manifest = *summary = NULL;
	if (!log)
		return xp_error_at(errors, xp_log_name(path), "%s", why);
	while ((record = xp_log_next(log))) {
		const char *kind = xp_record_kind(record);
		json_t **place = !strcmp(kind, "manifest") ? manifest : !strcmp(kind, "summary") ? summary : NULL;
		if (place && !*place)
			*place = json_incref(record);
		json_decref(record);
	}
	const char *problem = xp_log_problem(log);
	xp_log_close(log);
	if (*summary && !problem)
		return 0;
	return xp_error_at(errors, xp_log_name(path), "%s",
	                   problem ? problem : "is not a result of tilefly run: it has no summary");
}

/* `row` is a row of a sweep's table; if a point has several runs, it replaces the summary of the first run. */
static void compare_runs(struct xp_difference *c, const char *point, const char *const path[2],
                         const json_t *const row[2], struct base_errors *errors)
{
	json_t *manifest[2], *summary[2];
	int bad = 0;
	for (int side = 0; side < 2; side++) {
		bad |= read_run(path[side], &manifest[side], &summary[side], errors);
		json_t *several = row ? xp_row_summary(row[side]) : NULL;
		if (several) {
			json_decref(summary[side]);
			summary[side] = several;
		}
		if (row) /* a sweep's runs go where it says */
			json_object_del(json_object_get(manifest[side], "config"), "output");
	}
	if (!bad)
		xp_compare(c, point, (const json_t *const[]){ manifest[0], manifest[1] },
		           (const json_t *const[]){ summary[0], summary[1] });
	for (int side = 0; side < 2; side++) {
		json_decref(manifest[side]);
		json_decref(summary[side]);
	}
}

static bool is_folder(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* Returns an object that maps the name of each point with a result to its row, in the order of the table. The names of
 * failed points are added to the object `failed`. */
static json_t *read_points(const char *folder, json_t *failed, struct base_errors *errors)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/summary.jsonl", folder);
	const char *why;
	struct xp_log *log = xp_log_open(path, &why);
	json_t *row, *names = json_object();
	if (!log) {
		xp_error_at(errors, path, "%s; tilefly sweep writes this file when it ends", why);
		return names;
	}
	while ((row = xp_log_next(log))) {
		if (xp_row_ran(row))
			json_object_set(names, xp_text(row, "name"), row);
		else if (!strcmp(xp_text(row, "state"), xp_state_name(XP_FAILED)))
			json_object_set_new(failed, xp_text(row, "name"), json_true());
		json_decref(row);
	}
	if (xp_log_problem(log))
		xp_error_at(errors, path, "%s", xp_log_problem(log));
	else if (!json_object_size(names))
		xp_error_at(errors, path, "no point has a result");
	xp_log_close(log);
	return names;
}

static void compare_sweeps(struct xp_difference *c, char *const folder[2], struct base_errors *errors)
{
	json_t *failed[2] = { json_object(), json_object() }, *row;
	json_t *points[2] = { read_points(folder[0], failed[0], errors), read_points(folder[1], failed[1], errors) };
	const char *name;
	json_object_foreach(points[0], name, row)
	{
		const json_t *other = json_object_get(points[1], name);
		if (!other) {
			xp_compare_missing(c, name, 1);
			continue;
		}
		char path[2][4096];
		for (int side = 0; side < 2; side++)
			snprintf(path[side], sizeof path[side], "%s/points/%s.jsonl.gz", folder[side], name);
		compare_runs(c, name, (const char *const[]){ path[0], path[1] }, (const json_t *const[]){ row, other },
		             errors);
	}
	json_object_foreach(points[1], name, row) if (!json_object_get(points[0], name)) xp_compare_missing(c, name, 0);
	json_object_foreach(failed[0], name, row) c->failed += json_object_get(failed[1], name) != NULL;
	for (int side = 0; side < 2; side++) {
		json_decref(points[side]);
		json_decref(failed[side]);
	}
}

/* --- printing --------------------------------------------------------------------------------------- */

/* b against a in per cent; NAN if that means nothing. */
static double relative(const struct xp_verdict *v)
{
	if (!json_is_number(v->value[0]) || !json_is_number(v->value[1]))
		return NAN;
	double a = json_number_value(v->value[0]), b = json_number_value(v->value[1]);
	return a == 0 ? NAN : 100 * (b - a) / fabs(a);
}

static void side_text(const struct xp_verdict *v, int side, char *out, size_t room)
{
	if (!v->value[side] || json_is_null(v->value[side]))
		snprintf(out, room, "none");
	else if (!json_is_number(v->value[side]))
		snprintf(out, room, "%s", json_is_true(v->value[side]) ? "true" : "false");
	else if (v->has_interval[side])
		snprintf(out, room, "%.6g (%.6g to %.6g)", json_number_value(v->value[side]), v->low[side],
		         v->high[side]);
	else
		snprintf(out, room, "%.6g", json_number_value(v->value[side]));
}

static void print_changes(const struct xp_difference *c)
{
	int width = 0;
	if (c->nchanges)
		printf("configuration\n");
	for (size_t i = 0; i < c->nchanges; i++)
		width = base_columns(c->change[i].key) > width ? base_columns(c->change[i].key) : width;
	for (size_t i = 0; i < c->nchanges; i++) {
		const struct xp_change *change = &c->change[i];
		printf("  %-*s  %s | %s", base_field(change->key, width), change->key, change->value[0],
		       change->value[1]);
		if (c->points > 1)
			printf("  (%zu of %zu points)", change->points, c->points);
		printf("\n");
	}
}

static void print_verdicts(const struct xp_difference *c, bool all)
{
	int width = 0, column[2] = { 0, 0 };
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < c->n; i++) {
			const struct xp_verdict *v = &c->verdict[i];
			char name[512], side[2][96];
			if (!all && !v->differs)
				continue;
			snprintf(name, sizeof name, "%s%s%s", v->point ? v->point : "", v->point ? "  " : "", v->name);
			base_harmless(name, false);
			side_text(v, 0, side[0], sizeof side[0]);
			side_text(v, 1, side[1], sizeof side[1]);
			if (!pass) {
				width = base_columns(name) > width ? base_columns(name) : width;
				for (int s = 0; s < 2; s++)
					column[s] = (int)strlen(side[s]) > column[s] ? (int)strlen(side[s]) : column[s];
				continue;
			}
			const char *verdict = v->differs ? "  differs" : v->judged ? "" : "  not compared";
			char change[32] = "";
			if (isfinite(relative(v)))
				snprintf(change, sizeof change, "  %+.3f %%", relative(v));
			printf("  %-*s  %-*s | %-*s%s%s\n", base_field(name, width), name, column[0], side[0],
			       *change || *verdict ? column[1] : 0, side[1], change, verdict);
		}
}

static void print_diff_text(const struct xp_difference *c, bool all)
{
	print_changes(c);
	if (c->differing || (all && c->n))
		printf("results\n");
	print_verdicts(c, all);
	if (c->differing)
		printf("%zu of %zu values differ\n", c->differing, c->judged);
	else
		printf("no value differs; %zu were compared\n", c->judged);
	if (c->failed)
		printf("%zu point%s failed in both and %s not compared\n", c->failed, c->failed == 1 ? "" : "s",
		       c->failed == 1 ? "is" : "are");
	if (c->equal_digests == c->points && c->points == 1)
		printf("the digests are equal: the results are identical packet by packet\n");
	else if (c->equal_digests)
		printf("the digests of %zu of %zu points are equal: these results are identical packet by packet\n",
		       c->equal_digests, c->points);
	else
		printf("the digests differ\n");
}

static json_t *interval_json(const struct xp_verdict *v, int side)
{
	return v->has_interval[side] ? json_pack("[f,f]", v->low[side], v->high[side]) : json_null();
}

static json_t *value_json(const struct xp_verdict *v, int side)
{
	return v->value[side] ? json_incref(v->value[side]) : json_null();
}

static void print_diff_json(const struct xp_difference *c)
{
	json_t *changes = json_array(), *estimates = json_array();
	for (size_t i = 0; i < c->nchanges; i++)
		json_array_append_new(changes, json_pack("{s:s,s:s,s:s,s:I}", "key", c->change[i].key, "a",
		                                         c->change[i].value[0], "b", c->change[i].value[1], "points",
		                                         (json_int_t)c->change[i].points));
	for (size_t i = 0; i < c->n; i++) {
		const struct xp_verdict *v = &c->verdict[i];
		json_array_append_new(estimates,
		                      json_pack("{s:s?,s:s,s:o,s:o,s:o,s:o,s:b,s:b}", "point", v->point, "name",
		                                v->name, "a", value_json(v, 0), "b", value_json(v, 1), "interval_a",
		                                interval_json(v, 0), "interval_b", interval_json(v, 1), "judged",
		                                v->judged, "differs", v->differs));
	}
	json_t *whole = json_pack("{s:b,s:I,s:I,s:I,s:f,s:o,s:o}", "equal_digests", c->equal_digests == c->points,
	                          "judged", (json_int_t)c->judged, "differing", (json_int_t)c->differing,
	                          "failed_in_both", (json_int_t)c->failed, "tolerance", c->tolerance, "configuration",
	                          changes, "estimates", estimates);
	char *text = json_dumps(whole, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15));
	printf("%s\n", text ? text : "{}");
	free(text);
	json_decref(whole);
}

/* --- the command ------------------------------------------------------------------------------------ */

static int read_tolerance(const char *text, double *out)
{
	char *end;
	*out = 0;
	if (!text)
		return 0;
	*out = strtod(text, &end);
	if (end != text && *end == '%') {
		*out /= 100;
		end++;
	}
	if (end != text && !*end && *out >= 0 && *out <= 1)
		return 0;
	xp_message("--tolerance %s: must be a fraction from 0%% to 100%%, as in 1%% or 0.01", text);
	return -1;
}

static int run_diff(const struct xp_options *o)
{
	struct xp_difference c = { 0 };
	struct base_errors errors = { 0 };
	if (read_tolerance(o->tolerance, &c.tolerance))
		return XP_USAGE;
	if (!strcmp(o->operand[0], "-") && !strcmp(o->operand[1], "-")) {
		xp_message("only one of the two results can be read from standard input");
		return XP_USAGE;
	}
	if (is_folder(o->operand[0]) != is_folder(o->operand[1])) {
		xp_message("%s is a directory and %s is not: give two result logs or two results directories of sweeps",
		           o->operand[!is_folder(o->operand[0])], o->operand[is_folder(o->operand[0])]);
		return XP_USAGE;
	}
	if (is_folder(o->operand[0]))
		compare_sweeps(&c, o->operand, &errors);
	else
		compare_runs(&c, NULL, (const char *const[]){ o->operand[0], o->operand[1] }, NULL, &errors);
	xp_message_errors(&errors);
	int status = errors.errors ? XP_USAGE : c.differing ? XP_FAILURE : XP_OK;
	if (!errors.errors && o->json)
		print_diff_json(&c);
	else if (!errors.errors && !o->quiet)
		print_diff_text(&c, o->all);
	base_errors_free(&errors);
	xp_comparison_free(&c);
	return status;
}

const struct xp_command xp_command_diff = {
	.name = "diff",
	.summary = "compare two results: estimates and configurations",
	.operands = "A B",
	.text = "Compares two result logs (one of them may be -, standard input), or the results directories of two "
		"sweeps point by point: which configuration keys and which estimates differ. Estimates are loads, "
		"hops, and means and quantiles of latency and of iteration times, for all traffic and for each job; "
		"the impact of other jobs; and for applications their end and how their time was spent. For points "
		"with several runs the means over runs are compared, with their confidence intervals.\n\nTwo estimates "
		"differ if their 95 % confidence intervals (of runs with time.precision) do not overlap. Estimates "
		"without intervals are compared exactly, which is right for runs with the same seed. If only some "
		"estimates have intervals, the others are compared only with --tolerance. The tolerance is the "
		"fraction of the larger value by which two estimates may differ beyond their intervals.",
	.examples = "tilefly diff before.jsonl.gz after.jsonl.gz\n"
		    "tilefly diff results/main results/mine --tolerance 1%\n",
	.status = "0 no estimate differs, 1 some estimates differ, 2 wrong usage, or a file cannot be read completely.",
	.bit = XP_CMD_DIFF,
	.min_operands = 2,
	.max_operands = 2,
	.word = XP_WORD_RESULT,
	.ranks = XP_ALONE,
	.run = run_diff,
};
