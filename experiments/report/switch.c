/* experiments/report/switch.c - the inside of switches: the floor plan of tiles as a heat map, and the latency by stage
 * as stacked bars.
 *
 * Records of kind "switch" are accumulated one by one; the one with the busiest links is kept for the floor plan.
 * Records are not trusted: missing members count as 0, and an inconsistent floor plan is not drawn. */
#include "experiments/report/switch.h"
#include "base/format.h"
#include "experiments/report/page.h"
#include "experiments/report/records.h"

#include "experiments/results/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double item(const json_t *list, size_t i)
{
	const json_t *v = json_array_get(list, i);
	return json_is_number(v) ? json_number_value(v) : 0;
}

static double total(const json_t *list)
{
	double sum = 0;
	for (size_t i = 0; i < json_array_size(list); i++)
		sum += item(list, i);
	return sum;
}

/* --- reading ---------------------------------------------------------------------------------------- */

static struct inside_class *class_named(struct xp_inside *in, const char *name)
{
	for (size_t i = 0; i < in->nclasses; i++)
		if (!strcmp(in->class[i].name, name))
			return &in->class[i];
	if (in->nclasses == XP_INSIDE_CLASSES)
		return NULL;
	snprintf(in->class[in->nclasses].name, sizeof in->class->name, "%s", name);
	return &in->class[in->nclasses++];
}

/* Is this output the slowest of the class so far? Keeps its stages then. */
static void compare_output(struct inside_class *c, const json_t *class, double sw, size_t port)
{
	double packets = item(json_object_get(class, "packets"), port);
	double mean = item(json_object_get(class, "latency_ps"), port) / packets;
	if (!(packets >= 10) || !(mean > c->slowest))
		return;
	const json_t *stages = json_object_get(class, "stages");
	c->slowest = mean;
	c->slowest_switch = sw;
	c->slowest_port = port;
	for (size_t k = 0; k < c->nstages; k++)
		c->stage[k].slowest = item(json_object_get(json_array_get(stages, k), "ps"), port) / packets;
}

static void take_class(struct xp_inside *in, const json_t *class, double sw)
{
	struct inside_class *c = class_named(in, xp_text(class, "class"));
	const json_t *stages = json_object_get(class, "stages"), *packets = json_object_get(class, "packets");
	if (!c)
		return;
	if (!c->nstages)
		for (; c->nstages < json_array_size(stages) && c->nstages < XP_INSIDE_STAGES; c->nstages++) {
			const json_t *s = json_array_get(stages, c->nstages);
			snprintf(c->stage[c->nstages].name, sizeof c->stage->name, "%s", xp_text(s, "stage"));
			c->stage[c->nstages].wait = json_is_true(json_object_get(s, "wait"));
		}
	c->packets += total(packets);
	c->latency += total(json_object_get(class, "latency_ps"));
	for (size_t k = 0; k < c->nstages; k++) {
		const json_t *s = json_array_get(stages, k);
		double inside = xp_number(s, "mean_packets", NULL);
		c->stage[k].sum += total(json_object_get(s, "ps"));
		c->stage[k].inside += isfinite(inside) ? inside : 0;
	}
	for (size_t i = 0; i < json_array_size(packets); i++)
		compare_output(c, class, sw, i);
}

void xp_inside_take(struct xp_inside *in, const json_t *record)
{
	const json_t *classes = json_object_get(record, "classes");
	double busy = total(json_object_get(record, "link_utilization")), sw = xp_number(record, "switch", NULL);
	in->switches++;
	for (size_t i = 0; i < json_array_size(classes); i++)
		take_class(in, json_array_get(classes, i), sw);
	if (in->busiest && busy <= in->most)
		return;
	json_decref(in->busiest);
	in->busiest = json_incref((json_t *)record);
	in->most = busy;
}

void xp_inside_free(struct xp_inside *in)
{
	json_decref(in->busiest);
}

/* --- the figures ------------------------------------------------------------------------------------ */

static json_t *class_of(const struct inside_class *c)
{
	json_t *stages = json_array(), *slowest = json_null();
	for (size_t k = 0; k < c->nstages; k++)
		json_array_append_new(stages, json_pack("{s:o, s:b, s:o, s:o}", "name", xp_json_text(c->stage[k].name),
		                                        "wait", c->stage[k].wait, "ps", xp_json_number(c->stage[k].sum),
		                                        "slowest", xp_json_number(c->stage[k].slowest)));
	if (c->slowest > 0)
		slowest = json_pack("{s:o, s:o, s:I}", "ps", xp_json_number(c->slowest), "switch",
		                    xp_json_number(c->slowest_switch), "port", (json_int_t)c->slowest_port);
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "name", xp_json_text(c->name), "packets",
	                 xp_json_number(c->packets), "latency", xp_json_number(c->latency), "slowest", slowest,
	                 "stages", stages);
}

/* What web/inside.js makes the figures from. */
static json_t *inside_records(const struct xp_inside *in, const char *name)
{
	json_t *classes = json_array();
	for (size_t i = 0; i < in->nclasses; i++)
		json_array_append_new(classes, class_of(&in->class[i]));
	return json_pack("{s:o, s:I, s:O, s:o}", "name", xp_json_text(name), "switches", (json_int_t)in->switches,
	                 "busiest", in->busiest, "classes", classes);
}

/* --- the section ------------------------------------------------------------------------------------ */

static void write_stages(const struct xp_inside *in, struct xp_report *report)
{
	FILE *page = report->page;
	fputs("<details><summary>Stages in numbers</summary><div class=\"scroll\"><table class=\"sortable\">\n<tr>",
	      page);
	xp_page_head(report, NULL, "class", true);
	xp_page_head(report, NULL, "stage", true);
	xp_page_head(report, "stage.mean", "mean", false);
	xp_page_head(report, "stage.share", "share (%)", false);
	xp_page_head(report, "stage.packets", "packets in it, mean", false);
	fputs("</tr>\n", page);
	for (size_t i = 0; i < in->nclasses; i++) {
		const struct inside_class *c = &in->class[i];
		for (size_t k = 0; k < c->nstages; k++) {
			fputs("<tr><td class=\"l\">", page);
			xp_page_text(page, c->name);
			fputs("</td><td class=\"l\">", page);
			xp_page_text(page, c->stage[k].name);
			fputs("</td>", page);
			xp_page_time(page, c->stage[k].sum / c->packets / 1000, false);
			xp_page_number(page, 100 * c->stage[k].sum / c->latency, "%.1f");
			xp_page_number(page, c->stage[k].inside, "%.2f");
			fputs("</tr>\n", page);
		}
		fputs("<tr><td class=\"l\">", page);
		xp_page_text(page, c->name);
		fputs("</td><td class=\"l\">all</td>", page);
		xp_page_time(page, c->latency / c->packets / 1000, false);
		fputs("<td>100</td><td></td></tr>\n", page);
	}
	fputs("</table></div></details>\n", page);
}

void xp_inside_section(const struct xp_inside *in, struct xp_report *report, const char *path, const char *name)
{
	if (!in->switches)
		return;
	fprintf(report->page, "<h3>Inside the switches</h3>\n<p class=\"soft\">%zu switch%s with instruments.</p>\n",
	        in->switches, in->switches > 1 ? "es" : "");
	char *id = base_format("%s inside", path);
	xp_records(report, id, inside_records(in, name));
	xp_figures(report, "inside", id);
	free(id);
	write_stages(in, report);
}
