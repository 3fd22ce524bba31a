/* experiments/report/page.c - the HTML around the figures; see page.h. */
#include "experiments/report/page.h"
#include "experiments/results/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* gnuplot draws axes and text in black; the two last rules give them the page's ink. */
static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1b1b1b;--soft:#5c5c5c;--page:#fff;--line:#d4d4d4;--shade:#f4f4f4;--bad:#b3261e}\n"
    "@media "
    "(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--soft:#a8a8a8;--page:#16181b;--line:#3a3d42;--shade:#212429;"
    "--bad:#ff8a80}}\n"
    "body{margin:0 auto;padding:1.5rem;max-width:76rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);"
    "background:var(--page)}\n"
    "h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.3rem;margin-top:2.5rem;border-top:1px solid var(--line);"
    "padding-top:1.5rem}h3{font-size:1.05rem;margin-top:2rem}\n"
    "p,figcaption{max-width:50rem}figcaption,.soft{color:var(--soft);font-size:.9rem}\n"
    "figure{margin:1.5rem 0}figure svg{width:100%;height:auto;display:block}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.2rem .7rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}\n"
    "th{background:var(--shade);text-align:right}td.l,th.l{text-align:left}.bad{color:var(--bad);font-weight:600}\n"
    ".facts td{text-align:left}pre{background:var(--shade);padding:1rem;overflow-x:auto;font-size:.82rem}\n"
    "summary{cursor:pointer}.mark{color:var(--bad);font-weight:600}\n"
    "figure svg [fill=black]{fill:var(--ink)}\n"
    "figure svg g[color=black]{color:var(--ink)}figure svg path[stroke=black]{stroke:var(--ink)}\n"
    "figure svg image{image-rendering:pixelated}\n";

void xp_page_text(FILE *page, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '<':
			fputs("&lt;", page);
			break;
		case '>':
			fputs("&gt;", page);
			break;
		case '&':
			fputs("&amp;", page);
			break;
		case '"':
			fputs("&quot;", page);
			break;
		default:
			fputc(*text, page);
		}
	}
}

void xp_page_begin(FILE *page, const char *title)
{
	fputs("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
	      page);
	xp_page_text(page, title);
	fprintf(page, "</title>\n<style>\n%s</style>\n<main>\n<h1>", style);
	xp_page_text(page, title);
	fputs("</h1>\n", page);
}

void xp_page_end(FILE *page)
{
	fputs("</main>\n</html>\n", page);
}

void xp_page_number(FILE *page, double value, const char *format)
{
	char text[64];
	snprintf(text, sizeof text, format, value);
	fprintf(page, "<td>%s</td>", isfinite(value) ? text : "–");
}

static void folded(FILE *page, const char *title, const char *text)
{
	fprintf(page, "<details><summary>%s</summary><pre>", title);
	xp_page_text(page, text);
	fputs("</pre></details>\n", page);
}

void xp_page_manifest(FILE *page, const json_t *manifest)
{
	if (!manifest)
		return;
	const char *config = xp_text(manifest, "config_text");
	if (*config)
		folded(page, "Resolved configuration", config);
	json_t *rest = json_copy((json_t *)manifest);
	json_object_del(rest, "config_text");
	if (*config)
		json_object_del(rest, "config");
	char *text = json_dumps(rest, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
	folded(page, "Manifest", text ? text : "");
	free(text);
	json_decref(rest);
}
