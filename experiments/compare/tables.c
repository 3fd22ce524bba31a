/* experiments/compare/tables.c - files of the results directory: compare.json and the CSV tables. */
#include "experiments/compare/compare.h"
#include "experiments/results/file.h"
#include "experiments/results/table.h"

#include "base/format.h"

#include <math.h>
#include <stdlib.h>

/* What a row of both kinds begins with. `place` 0: it has none. */
static void begin_row(struct xp_table *t, const char *traffic, const char *message, size_t place, size_t shared,
                      const struct xp_design *d)
{
	double none = place ? 0 : (double)NAN;
	xp_table_texts(t, traffic, message);
	xp_table_numbers(t, (double)place + none, (double)shared + none);
	xp_table_texts(t, d->name, d->net->candidate->name, d->routing->name, d->congestion->name);
}

static void add_ranking(const struct xp_compare *c, struct xp_table *t)
{
	for (size_t k = 0; k < c->columns; k++) {
		struct xp_series **order = xp_places(c, k);
		for (size_t i = 0; i < c->ndesigns; i++) {
			const struct xp_series *s = order[i];
			double none = s->place ? 0 : (double)NAN;
			begin_row(t, s->demand->name, s->message, s->place, s->shared, s->design);
			xp_table_numbers(t, xp_worth(s, s->low) + none, xp_worth(s, s->high) + none,
			                 xp_delivered_gbps(s, s->low) + none, xp_delivered_gbps(s, s->high) + none,
			                 s->low + none, s->high + none, s->cap.share >= 0 ? s->cap.share : (double)NAN);
			xp_table_text(t, !s->place ? "failed" : s->stage == XP_OUT ? "eliminated" : "ranked");
			xp_table_number(t, (double)s->nruns);
			xp_table_end(t);
		}
		free(order);
	}
}

/* Half an interval, where there is one. */
static double half(double value)
{
	return isfinite(value) ? value : 0;
}

/* Collectives follow: a row for each design that ran one, in the order of designs. */
static void add_collectives(const struct xp_compare *c, struct xp_table *table)
{
	const struct xp_study *s = &c->study;
	size_t m = 0;
	for (size_t k = 0; k < s->ncollectives; k++)
		for (size_t z = 0; z < s->collective[k].nsizes; z++, m++) {
			struct xp_timing *timings = xp_timings(c, &s->collective[k], z, m);
			for (size_t i = 0; i < c->ndesigns; i++) {
				const struct xp_timing *t = &timings[i];
				double worth = half(t->half_worth), time = half(t->half_ns);
				if (!c->design[i].collective[m * (size_t)s->number.seeds])
					continue;
				begin_row(table, s->collective[k].name, s->collective[k].size[z], t->place, t->shared,
				          &c->design[i]);
				xp_table_numbers(table, t->worth - worth, t->worth + worth, NAN, NAN, NAN, NAN, NAN);
				xp_table_text(table, t->place ? "ranked" : "failed");
				xp_table_numbers(table, (double)t->seeds, t->mean_ns - time, t->mean_ns + time);
				xp_table_end(table);
			}
			free(timings);
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
	struct xp_table t = { 0 };
	xp_compare_json(c, &j);
	xp_table_layout(&t, "traffic|message|place|shared_by|design|network|routing|congestion|worth_low|worth_high|"
	                    "delivered_gbps_low|delivered_gbps_high|saturation_low|saturation_high|bound|state|runs|"
	                    "time_ns_low|time_ns_high");
	add_ranking(c, &t);
	add_collectives(c, &t);
	xp_table_csv(&t, &ranking);
	int status = save(c, "compare.json", &json, errors) || save(c, "ranking.csv", &ranking, errors) ? -1 : 0;
	free(json.data);
	free(ranking.data);
	return status;
}
