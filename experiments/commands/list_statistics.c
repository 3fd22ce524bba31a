/* experiments/commands/list_statistics.c - see list_statistics.h */
#include "experiments/commands/list_statistics.h"

#include "experiments/results/statistics.h"

#include <stdio.h>

/* "" if it has no column in summary.csv. */
static const char *column_of(const struct xp_statistic *s, char out[64])
{
	xp_statistic_column(s, 0, out);
	return s->place[XP_IN_ROW] ? out : "";
}

void xp_list_statistics(bool json)
{
	struct base_json j = base_json_stream(stdout);
	char column[64];
	if (json)
		base_json_array(&j, NULL);
	for (const struct xp_statistic *s = xp_statistics; s->name; s++) {
		if (!json) {
			printf("%-40s %s%s%s%s\n", s->name, s->meaning, *s->unit ? " (" : "", s->unit,
			       *s->unit ? ")" : "");
			continue;
		}
		base_json_object(&j, NULL);
		base_json_string(&j, "kind", "statistic");
		base_json_string(&j, "name", s->name);
		base_json_string(&j, "unit", *s->unit ? s->unit : NULL);
		base_json_string(&j, "meaning", s->meaning);
		base_json_string(&j, "column", *column_of(s, column) ? column : NULL);
		base_json_string(&j, "of_several_runs", s->merge ? xp_merge_names[s->merge] : NULL);
		base_json_bool(&j, "interval", s->ends);
		base_json_bool(&j, "compared", s->place[XP_IN_DIFF] || s->must_equal);
		base_json_end(&j);
	}
	if (!json)
		return;
	base_json_end(&j);
	base_json_newline(&j);
}

void xp_markdown_statistics(void)
{
	printf("## Statistics\n\nThe fields of the summary record, `tilefly run --json`.\n\n"
	       "| field | unit | meaning |\n|---|---|---|\n");
	for (const struct xp_statistic *s = xp_statistics; s->name; s++)
		printf("| `%s` | %s | %s |\n", s->name, s->unit, s->meaning);
}

void xp_markdown_columns(void)
{
	char column[64];
	printf("| statistic | column of `summary.csv` | of several runs | interval | of jobs and classes | "
	       "`run.jobs.csv` | `diff` |\n|---|---|---|---|---|---|---|\n");
	for (const struct xp_statistic *s = xp_statistics; s->name; s++) {
		const char *code = *column_of(s, column) ? "`" : "";
		if (!s->place[XP_IN_ROW] && !s->place[XP_IN_JOBS] && !s->place[XP_IN_DIFF])
			continue;
		printf("| `%s` | %s%s%s | %s | %s | %s | %s | %s |\n", s->name, code, *code ? column : "", code,
		       xp_merge_names[s->merge], s->ends ? "yes" : "", s->place[XP_IN_PART] ? "yes" : "",
		       s->place[XP_IN_JOBS] ? "yes" : "",
		       s->must_equal          ? "must be equal"
		       : s->place[XP_IN_DIFF] ? "compared"
		                              : "");
	}
}
