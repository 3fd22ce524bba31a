/* experiments/report/report.c - a report from its first line to its file; see report.h. */
#include "experiments/report/report.h"
#include "base/format.h"
#include "experiments/report/draw.h"
#include "experiments/report/page.h"
#include "experiments/results/file.h"
#include "experiments/results/temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of all heat maps together: about 1.5 MB of text. */
#define PAGE_CELLS 300000

/* Lists the temporary folder and all that will be in it, or removes it. */
static void each_temporary(const char *folder, bool list)
{
	char path[512];
	if (list)
		xp_temporary_list(folder);
	for (int i = 0; i < XP_TEMPORARIES; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, xp_temporaries[i]);
		if (list) {
			xp_temporary_list(path);
		} else {
			unlink(path);
			xp_temporary_forget(path);
		}
	}
	if (!list) {
		rmdir(folder);
		xp_temporary_forget(folder);
	}
}

int xp_report_begin(struct xp_report *report, const char *title)
{
	snprintf(report->temp, sizeof report->temp, "/tmp/tilefly-report-XXXXXX");
	if (!mkdtemp(report->temp))
		return base_errorf(report->errors, NULL, "%s: %s", report->temp, strerror(errno));
	each_temporary(report->temp, true);
	report->cells = PAGE_CELLS;
	report->page = base_memory_stream(&report->text, &report->bytes);
	xp_page_begin(report, title);
	return 0;
}

int xp_report_end(struct xp_report *report, const char *out)
{
	xp_page_end(report);
	fclose(report->page);
	xp_draw(report);
	each_temporary(report->temp, false);
	json_t *kept[] = { report->records, report->drawn, report->terms, report->first, report->networks };
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		json_decref(kept[i]);
	int failed = out ? xp_file_save(out, report->text, report->bytes, report->errors) : 0;
	free(report->text);
	return failed || report->errors->errors ? -1 : 0;
}
