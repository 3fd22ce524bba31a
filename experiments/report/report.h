/* experiments/report/report.h - one self-contained HTML page from results: nothing fetched from elsewhere.
 *
 * A page is interactive (a script in the page draws figures from records, records.h) or static (draw.h: drawings
 * that the same script made in node). A command that makes a page of its own:
 *
 *   struct xp_report report = { .interactive = xp_has_charts(), .errors = &errors };
 *   xp_report_begin(&report, "which network");
 *   fputs("<h2>Cost</h2>\n", report.page);
 *   xp_records(&report, "prices", prices);
 *   xp_figures(&report, "bills", "prices");
 *   xp_report_end(&report, "page.html");
 */
#ifndef EXPERIMENTS_REPORT_REPORT_H
#define EXPERIMENTS_REPORT_REPORT_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct base_registry;

/* The files in the temporary directory of a report. */
enum { XP_SCRIPT, XP_FIGURES, XP_DRAWN, XP_LOG, XP_SVG, XP_CONVERTED, XP_TEMPORARIES };
extern const char *const xp_temporaries[XP_TEMPORARIES];

/* The file formats in which figures can be saved. */
enum { XP_KIND_SVG, XP_KIND_PNG, XP_KIND_PDF, XP_KINDS };

struct xp_report {
	FILE *page;
	bool interactive;
	const char *folder[XP_KINDS]; /* where figures are written as files; NULL: nowhere */
	const char *width;            /* of the files: "3.5in"; NULL: as the charts need it */
	char temp[40];                /* folder for what other programs read and write */
	json_t *records, *drawn;      /* for what is drawn when the page ends: records by name, places of figures */
	json_t *terms;                /* definitions that the page needs, by name */
	json_t *networks;             /* that results are of, see network.h */
	size_t cells;                 /* of heat maps, that the page may still hold */
	json_t *first; /* manifest of the first run if the page has several; the others show only their differences from
	                  it. NULL: no run was added yet */
	bool several;  /* runs have folded sections */
	struct base_errors *errors;
	char *const *input; /* files and folders that it is made from */
	size_t ninputs;
	bool refused; /* some file is no log that a run has written, or would be written over */
	char *text;   /* of the page, while it is written */
	size_t bytes;
};

/* Begins a page. Before the call, the caller sets the members interactive, folder, width, input and errors; all others
 * must be zero. Returns -1 with an error if temporary files cannot be created; xp_report_end() must then not be called.
 */
int xp_report_begin(struct xp_report *report, const char *title);
/* Ends the page and writes it to the file `out`; out NULL: no page is written, only figures. Returns 0, or -1 if any
 * error occurred. */
int xp_report_end(struct xp_report *report, const char *out);

/* Write a section of the page: xp_report_sweep() for a sweep's results directory, xp_report_run() for one result file.
 * Damage to a result is mentioned in the page. Return -1 with an error if there is nothing to show. */
int xp_report_sweep(struct xp_report *report, const char *folder);
int xp_report_run(struct xp_report *report, const char *path);

#endif
