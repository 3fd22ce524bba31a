/* experiments/report/assets.c - see assets.h.
 *
 * The assembler includes the files of web/ byte by byte. Therefore this file is compiled without link-time
 * optimisation, and compiled again when one of them changes. cmake/web.cmake supplies their paths. If ECharts is not
 * installed, an empty file is embedded for it. */
#include "experiments/report/assets.h"

/* clang-format off */
#define EMBED(name, path)                                                                                        \
	__asm__(".pushsection .rodata\n.global xp_asset_" #name "\n.global xp_asset_" #name "_end\n"             \
	        "xp_asset_" #name ":\n.incbin \"" path "\"\nxp_asset_" #name "_end:\n.byte 0\n.popsection\n");   \
	extern const char xp_asset_##name[], xp_asset_##name##_end[]

EMBED(style, TILEFLY_WEB "/page.css");
EMBED(format, TILEFLY_WEB "/format.js");
EMBED(charts, TILEFLY_WEB "/charts.js");
EMBED(describe, TILEFLY_WEB "/describe.js");
EMBED(make, TILEFLY_WEB "/make.js");
EMBED(sweep, TILEFLY_WEB "/sweep.js");
EMBED(bill, TILEFLY_WEB "/bill.js");
EMBED(comparison, TILEFLY_WEB "/comparison.js");
EMBED(front, TILEFLY_WEB "/front.js");
EMBED(inside, TILEFLY_WEB "/inside.js");
EMBED(run, TILEFLY_WEB "/run.js");
EMBED(svg, TILEFLY_WEB "/svg.js");
EMBED(draw, TILEFLY_WEB "/draw.js");
EMBED(figure, TILEFLY_WEB "/figure.js");
EMBED(page, TILEFLY_WEB "/page.js");
EMBED(echarts, TILEFLY_ECHARTS);
/* clang-format on */

static void write_asset(FILE *page, const char *from, const char *to)
{
	fwrite(from, 1, (size_t)(to - from), page);
}

bool xp_has_charts(void)
{
	const char *volatile end = xp_asset_echarts_end; /* two arrays are never equal, says the compiler */
	return end != xp_asset_echarts;
}

void xp_write_style(FILE *page)
{
	write_asset(page, xp_asset_style, xp_asset_style_end);
}

/* The scripts that both the page and node run. */
static void write_charts(FILE *out)
{
	write_asset(out, xp_asset_format, xp_asset_format_end);
	write_asset(out, xp_asset_charts, xp_asset_charts_end);
	write_asset(out, xp_asset_describe, xp_asset_describe_end);
	write_asset(out, xp_asset_svg, xp_asset_svg_end);
	write_asset(out, xp_asset_make, xp_asset_make_end);
	write_asset(out, xp_asset_sweep, xp_asset_sweep_end);
	write_asset(out, xp_asset_run, xp_asset_run_end);
	write_asset(out, xp_asset_inside, xp_asset_inside_end);
	write_asset(out, xp_asset_front, xp_asset_front_end);
	write_asset(out, xp_asset_comparison, xp_asset_comparison_end);
	write_asset(out, xp_asset_bill, xp_asset_bill_end);
}

void xp_write_scripts(FILE *page)
{
	fputs("<script>\n", page);
	write_asset(page, xp_asset_echarts, xp_asset_echarts_end);
	fputs("\n</script>\n<script>\n", page);
	write_charts(page);
	write_asset(page, xp_asset_figure, xp_asset_figure_end);
	write_asset(page, xp_asset_page, xp_asset_page_end);
	fputs("</script>\n", page);
}

void xp_write_drawer(FILE *script)
{
	write_asset(script, xp_asset_echarts, xp_asset_echarts_end);
	fputs("\nconst echarts = module.exports;\n", script);
	write_charts(script);
	write_asset(script, xp_asset_draw, xp_asset_draw_end);
}
