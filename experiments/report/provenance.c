/* experiments/report/provenance.c - see provenance.h */
#include "experiments/report/provenance.h"
#include "experiments/report/page.h"
#include "experiments/results/flatten.h"

#include <stdlib.h>
#include <string.h>

/* What one configuration says, beside another. */
struct difference {
	FILE *page;
	json_t *other; /* members of the first run's by path; those that were met are taken out */
	size_t n;
};

static void begin_row(struct difference *d, const char *path)
{
	if (!d->n++)
		fputs("<div class=\"scroll\"><table>\n<tr><th class=\"l\" scope=\"col\">key</th><th class=\"l\" "
		      "scope=\"col\">"
		      "this run</th><th class=\"l\" scope=\"col\">the first</th></tr>\n",
		      d->page);
	fputs("<tr><td class=\"l\">", d->page);
	xp_page_text(d->page, path);
	fputs("</td><td class=\"l\">", d->page);
}

static void keep_member(void *arg, const char *path, const json_t *value)
{
	char *text = xp_value_text(value);
	json_object_set_new(arg, path, json_string(text));
	free(text);
}

static void compare(void *arg, const char *path, const json_t *value)
{
	struct difference *d = arg;
	char *text = xp_value_text(value);
	const char *first = json_string_value(json_object_get(d->other, path));
	if (strncmp(path, "output.", 7) != 0 && (!first || strcmp(first, text) != 0)) {
		begin_row(d, path);
		xp_page_text(d->page, text);
		fputs("</td><td class=\"l\">", d->page);
		xp_page_text(d->page, first ? first : "–");
		fputs("</td></tr>\n", d->page);
	}
	json_object_del(d->other, path);
	free(text);
}

static void write_difference(struct xp_report *report, const json_t *manifest)
{
	struct difference d = { .page = report->page, .other = json_object() };
	const char *path;
	json_t *value;
	xp_flatten(json_object_get(report->first, "config"), true, keep_member, d.other);
	xp_flatten(json_object_get(manifest, "config"), true, compare, &d);
	json_object_foreach(d.other, path, value)
	{
		if (!strncmp(path, "output.", 7))
			continue;
		begin_row(&d, path);
		fputs("–</td><td class=\"l\">", d.page);
		xp_page_text(d.page, json_string_value(value));
		fputs("</td></tr>\n", d.page);
	}
	fputs(d.n ? "</table></div>\n" : "<p class=\"soft\">The configuration is that of the first run.</p>\n", d.page);
	json_decref(d.other);
}

void xp_page_provenance(struct xp_report *report, json_t *manifest)
{
	fputs("<h3>Provenance</h3>\n", report->page);
	if (report->several && report->first && manifest) {
		write_difference(report, manifest);
		return;
	}
	if (!report->first)
		report->first = json_incref(manifest);
	xp_page_manifest(report->page, manifest);
}
