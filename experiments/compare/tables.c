/* experiments/compare/tables.c - the files of a results folder: compare.json, and tables that other programs read. */
#include "experiments/compare/compare.h"
#include "experiments/results/file.h"

#include "base/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Names hold no character that CSV would want quoted: study.c sees to it. Sizes of messages do not, either, if runs
 * could read them. */
static void number(struct base_buffer *out, double value)
{
	if (isfinite(value))
		base_buffer_printf(out, ",%.10g", value);
	else
		base_buffer_printf(out, ",");
}

static void write_ranking(const struct xp_compare *c, struct base_buffer *out)
{
	base_buffer_printf(out,
	                   "traffic,message,place,shared_by,design,network,routing,congestion,worth_low,worth_high,"
	                   "delivered_gbps_low,delivered_gbps_high,saturation_low,saturation_high,bound,state,runs,"
	                   "time_ns_low,time_ns_high\n");
	for (size_t k = 0; k < c->columns; k++) {
		struct xp_series **order = xp_places(c, k);
		for (size_t i = 0; i < c->ndesigns; i++) {
			const struct xp_series *s = order[i];
			const struct xp_design *d = s->design;
			bool known = s->place > 0;
			base_buffer_printf(out, "%s,%s,", s->demand->name, s->message ? s->message : "");
			if (known)
				base_buffer_printf(out, "%zu,%zu", s->place, s->shared);
			else
				base_buffer_printf(out, ",");
			base_buffer_printf(out, ",%s,%s,%s,%s", d->name, d->net->candidate->name, d->routing->name,
			                   d->congestion->name);
			number(out, known ? xp_worth(s, s->low) : NAN);
			number(out, known ? xp_worth(s, s->high) : NAN);
			number(out, known ? xp_delivered_gbps(s, s->low) : NAN);
			number(out, known ? xp_delivered_gbps(s, s->high) : NAN);
			number(out, known ? s->low : NAN);
			number(out, known ? s->high : NAN);
			number(out, s->cap.share >= 0 ? s->cap.share : NAN);
			base_buffer_printf(out, ",%s,%zu,,\n",
			                   known ? s->stage == XP_OUT ? "eliminated" : "ranked" : "failed", s->nruns);
		}
		free(order);
	}
}

/* Collectives follow: a row for each design that ran one, in the order of designs. */
static void write_collectives(const struct xp_compare *c, struct base_buffer *out)
{
	const struct xp_study *s = &c->study;
	size_t m = 0;
	for (size_t k = 0; k < s->ncollectives; k++)
		for (size_t z = 0; z < s->collective[k].nsizes; z++, m++) {
			struct xp_timing *t = xp_timings(c, &s->collective[k], z, m);
			for (size_t i = 0; i < c->ndesigns; i++) {
				const struct xp_design *d = &c->design[i];
				double worth = isfinite(t[i].half_worth) ? t[i].half_worth : 0,
				       time = isfinite(t[i].half_ns) ? t[i].half_ns : 0;
				if (!d->collective[m * (size_t)s->number.seeds])
					continue;
				base_buffer_printf(out, "%s,%s,", s->collective[k].name, s->collective[k].size[z]);
				if (t[i].place)
					base_buffer_printf(out, "%zu,%zu", t[i].place, t[i].shared);
				else
					base_buffer_printf(out, ",");
				base_buffer_printf(out, ",%s,%s,%s,%s", d->name, d->net->candidate->name,
				                   d->routing->name, d->congestion->name);
				number(out, t[i].worth - worth);
				number(out, t[i].worth + worth);
				base_buffer_printf(out, ",,,,,,%s,%zu", t[i].place ? "ranked" : "failed", t[i].seeds);
				number(out, t[i].mean_ns - time);
				number(out, t[i].mean_ns + time);
				base_buffer_printf(out, "\n");
			}
			free(t);
		}
}

static int save(const struct xp_compare *c, const char *name, const struct base_buffer *text,
                struct base_errors *errors)
{
	char *path = NULL;
	path = base_format("%s/%s", c->runs.folder, name);
	int status = xp_file_save(path, text->data, text->n, errors);
	free(path);
	return status;
}

int xp_compare_write(const struct xp_compare *c, struct base_errors *errors)
{
	struct base_buffer json = { 0 }, ranking = { 0 };
	struct base_json j = base_json_memory(&json);
	xp_compare_json(c, &j);
	write_ranking(c, &ranking);
	write_collectives(c, &ranking);
	int status = save(c, "compare.json", &json, errors) || save(c, "ranking.csv", &ranking, errors) ? -1 : 0;
	free(json.data);
	free(ranking.data);
	return status;
}
